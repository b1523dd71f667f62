#include "compute/link/gather.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/backend.h"

#include "lib/link/merge.clh"

#include "compute/contract.h"
#include "compute/launch.h"

#include <stdlib.h>

_Static_assert(sizeof(struct gather_list) == 32 * GATHER_RANGES + 40, "as the kernel's");
_Static_assert(GATHER_MOST_DEVICES == GATHER_PEERS + 1, "as the kernel's");

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_gather, WG, 1, 1024, "work-group size"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_gather, gather_words, .local_bytes = GATHER_PEERS * MERGE_WORDS * sizeof(uint32_t),
          .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "copies ranges of words between buffers, which may be of other devices"),
};

const struct shoal_program_desc gather_program = PROGRAM("lib.link.gather", lib_gather, 0, defines, entries);

/* MOST_BYTES: most bytes of a launch; for more, the copy engine is as fast and leaves the compute units to
 * other work. MOST_MET: most bytes of a launch that waits for peers; the copy engine would have to wait for
 * the end of this launch, and take as long again. ITEM_WORDS: number of words that a work-item copies.
 * MOST_GROUPS: most groups that copy one range. */
enum { MOST_BYTES = 1 << 20, MOST_MET = 1 << 22, ITEM_WORDS = 2, MOST_GROUPS = 64 };

struct gather {
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *mark;
    struct shoal_queue *beside; /* writes to the mark while the device waits */
    uint32_t copied;            /* MARK_ROWS of the mark when all launches are done */
    bool is_stopped;
};

/* A launch to which ranges are added. most: most bytes of its ranges; longest: words of the longest range
 * that several groups copy. */
struct plan {
    struct gather_job *job;
    size_t most, bytes, longest, ranges;
};

enum shoal_status gather_create(struct shoal_device *to, struct gather **out, struct shoal_error *error)
{
    struct gather *gather = *out = calloc(1, sizeof *gather);
    if (!gather)
        return fail_host_memory(error);
    enum shoal_status status = shoal_program_create(to, &gather_program, NULL, &gather->program, error);
    if (!status)
        status = shoal_kernel_create(gather->program, entries[0].name, &gather->kernel, error);
    if (status)
        gather_destroy(out);
    else
        gather->kernel->reads_peers = true;
    return status;
}

void gather_destroy(struct gather **pointer)
{
    if (!*pointer)
        return;
    shoal_queue_destroy(&(*pointer)->beside);
    shoal_buffer_destroy(&(*pointer)->mark);
    shoal_kernel_destroy(&(*pointer)->kernel);
    shoal_program_destroy(&(*pointer)->program);
    free(*pointer);
    *pointer = NULL;
}

/* Finds `buffer` in a list of buffers, or adds it. *place: its index. False: the list is full. */
static bool find(struct shoal_buffer **list, uint32_t room, struct shoal_buffer *buffer, uint32_t *place)
{
    uint32_t k = 0;
    while (k < room && list[k] && list[k] != buffer)
        k++;
    if (k < room)
        list[k] = buffer;
    *place = k;
    return k < room;
}

static bool add(struct plan *plan, const struct link_piece *piece)
{
    enum { WORD = sizeof(uint32_t) };
    struct gather_job *job = plan->job;
    struct gather_range range = {.source = piece->source_offset / WORD,
                                 .target = piece->target_offset / WORD,
                                 .words = (uint32_t)(piece->bytes / WORD)};
    if (!piece->bytes)
        return true;
    plan->bytes += piece->bytes;
    if (plan->ranges == GATHER_RANGES || plan->bytes > plan->most ||
        (piece->bytes | piece->source_offset | piece->target_offset) % WORD ||
        !find(job->sources, GATHER_SOURCES, piece->source, &range.from) ||
        !find(job->targets, GATHER_TARGETS, piece->target, &range.to))
        return false;
    plan->longest = range.words > plan->longest ? range.words : plan->longest;
    job->list.ranges[plan->ranges++] = range;
    return true;
}

/* Adds the notes, which are merged into the source of the early piece. False: they do not fit into the
 * launch. */
static bool add_notes(const struct gather_call *call, struct plan *plan)
{
    struct gather_list *list = &plan->job->list;
    bool fits = true;
    for (size_t i = 0; i < call->note_count && fits; i++) {
        struct link_piece note = call->pieces[i];
        note.target = call->early.source;
        note.target_offset = 0;
        fits = note.bytes <= MERGE_WORDS * sizeof(uint32_t) && add(plan, &note);
    }
    if (!call->note_count || !fits)
        return fits;
    list->notes = (uint32_t)call->note_count;
    list->into = list->ranges[plan->ranges - 1].to;
    list->largest = call->largest;
    list->least = call->least;
    return true;
}

/* Makes the job of a call, for work-groups of `work_group` work-items. *fits: whether the job has all pieces;
 * if not, it has only the early piece. */
static enum shoal_status make_job(const struct gather *gather, const struct gather_call *call,
                                  uint32_t work_group, struct gather_job *job, bool *fits,
                                  struct shoal_error *error)
{
    struct plan plan = {.job = job, .most = call->peer_count ? MOST_MET : MOST_BYTES};
    *job = (struct gather_job){.mark = gather->mark};
    for (size_t k = 0; k < call->peer_count; k++)
        job->peers[k] = call->peers[k]->mark;
    job->list.peers = (uint32_t)call->peer_count;
    job->list.number = call->number;
    if (!add(&plan, &call->early))
        return fail(error, SHOAL_INVALID, "gather_take: the early piece has %zu bytes", call->early.bytes);
    job->list.early = (uint32_t)plan.ranges;
    const struct gather_job early = *job;
    *fits = add_notes(call, &plan);
    plan.longest = 0;
    for (size_t i = call->note_count; i < call->count && *fits; i++)
        *fits = add(&plan, &call->pieces[i]);
    const size_t wanted = div_up(plan.longest, (size_t)ITEM_WORDS * work_group);
    job->list.copies = (uint32_t)(plan.ranges - job->list.early - job->list.notes);
    job->list.groups = wanted < MOST_GROUPS ? (uint32_t)wanted : MOST_GROUPS;
    if (!*fits)
        *job = early;
    return SHOAL_OK;
}

static enum shoal_status launch(const struct gather *gather, struct shoal_queue *queue,
                                const struct gather_job *job, struct shoal_error *error)
{
    struct shoal_buffer *const *sources = job->sources, *const *targets = job->targets,
                               *const *peers = job->peers;
    return LAUNCH(gather_words, queue, gather->kernel, gather_groups(job), error, .source0 = sources[0],
                  .source1 = sources[1], .source2 = sources[2], .source3 = sources[3], .source4 = sources[4],
                  .source5 = sources[5], .source6 = sources[6], .source7 = sources[7], .source8 = sources[8],
                  .source9 = sources[9], .source10 = sources[10], .source11 = sources[11],
                  .source12 = sources[12], .source13 = sources[13], .source14 = sources[14],
                  .source15 = sources[15], .target0 = targets[0], .target1 = targets[1],
                  .target2 = targets[2], .target3 = targets[3], .target4 = targets[4], .mark = job->mark,
                  .peer0 = peers[0], .peer1 = peers[1], .peer2 = peers[2], .peer3 = peers[3],
                  .peer4 = peers[4], .peer5 = peers[5], .peer6 = peers[6], .list = &job->list);
}

enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                              const struct gather_call *call, bool *takes, struct shoal_error *error)
{
    struct gather_job job;
    const enum shoal_status status =
        make_job(gather, call, shoal_kernel_work_group(gather->kernel), &job, takes, error);
    if (status || (!job.list.early && !job.list.notes && !job.list.copies && !call->peer_count))
        return status;
    return launch(gather, queue, &job, error);
}

bool gather_can_prepare(size_t count, size_t bytes)
{
    return count <= GATHER_RANGES && bytes <= MOST_MET;
}

enum shoal_status gather_prepare(struct gather *gather, const struct gather_call *call,
                                 struct shoal_kernel *kernel, struct gather_job *job,
                                 struct shoal_error *error)
{
    bool fits = false;
    const enum shoal_status status =
        make_job(gather, call, shoal_kernel_work_group(kernel), job, &fits, error);
    if (status)
        return status;
    if (!fits || job->list.early || job->list.notes || job->targets[1] || job->sources[GATHER_PEERS])
        return fail(error, SHOAL_INVALID, "gather_prepare: %zu pieces do not fit into the launch",
                    call->count);
    kernel->reads_peers = true;
    gather->copied += job->list.copies * job->list.groups;
    job->list.rows = gather->copied;
    return SHOAL_OK;
}

enum shoal_status gather_open_mark(struct gather *gather, struct shoal_queue *queue,
                                   struct shoal_error *error)
{
    const struct gather_job nothing = {.list = {.peers = 0}};
    struct shoal_device *device = shoal_queue_device(queue);
    enum shoal_status status = shoal_queue_create(device, 0, &gather->beside, error);
    if (!status)
        status = shoal_buffer_create(device, MARK_WORDS * sizeof(uint32_t), &gather->mark, error);
    if (!status)
        status = gather_set(gather, 0, error);
    return status ? status : launch(gather, queue, &nothing, error);
}

static enum shoal_status write_mark(struct gather *gather, size_t first, const uint32_t *words, size_t count,
                                    struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_write(gather->beside, gather->mark, first * sizeof *words, words,
                                                  count * sizeof *words, error);
    return status ? status : shoal_queue_finish(gather->beside, error);
}

void gather_stop(struct gather *gather)
{
    static const uint32_t stop = 1;
    gather->is_stopped = true;
    if (write_mark(gather, MARK_STOP, &stop, 1, NULL)) {
        /* nothing to be done: a lost device does not wait any more */
    }
}

bool gather_is_stopped(const struct gather *gather)
{
    return gather->is_stopped;
}

enum shoal_status gather_set(struct gather *gather, uint32_t number, struct shoal_error *error)
{
    const uint32_t said = number * MARK_SAYS;
    uint32_t words[MARK_WORDS] = {[MARK_NUMBER] = number, [MARK_SAID] = said, [MARK_SAID + 1] = said};
    for (size_t k = 0; k < MARK_COPIES; k++)
        words[MARK_HEARD + k * MARK_LINE] = said;
    gather->copied = 0;
    const enum shoal_status status = write_mark(gather, 0, words, MARK_WORDS, error);
    if (!status) /* after a failure the device still has the stop word */
        gather->is_stopped = false;
    return status;
}
