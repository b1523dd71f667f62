#include "compute/link/gather.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/backend.h"

#include <sys/types.h> /* defines uint, ulong */

#include "lib/link/gather.clh"
#include "lib/link/merge.clh"

#include "compute/contract.h"
#include "compute/launch.h"

#include <stdlib.h>

_Static_assert(sizeof(struct gather_list) == 32 * GATHER_RANGES + 32, "as the kernel's");
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

/* Words of the mark of a device. MARK_NUMBER: number of the last meeting that the device has reached;
 * MARK_STOP: 1 if the device must not wait. */
enum { MARK_NUMBER, MARK_STOP, MARK_WORDS };

struct gather {
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct shoal_buffer *mark;
    struct shoal_queue *beside; /* writes to the mark while the device waits */
    bool is_stopped;
};

/* The ranges that a launch copies, and their buffers. */
struct job {
    struct shoal_buffer *sources[GATHER_SOURCES], *targets[GATHER_TARGETS];
    size_t most, bytes, longest, ranges;
    struct gather_list list;
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

static bool add(struct job *job, const struct link_piece *piece)
{
    enum { WORD = sizeof(uint32_t) };
    struct gather_range range = {.source = piece->source_offset / WORD,
                                 .target = piece->target_offset / WORD,
                                 .words = (uint32_t)(piece->bytes / WORD)};
    if (!piece->bytes)
        return true;
    job->bytes += piece->bytes;
    if (job->ranges == GATHER_RANGES || job->bytes > job->most ||
        (piece->bytes | piece->source_offset | piece->target_offset) % WORD ||
        !find(job->sources, GATHER_SOURCES, piece->source, &range.from) ||
        !find(job->targets, GATHER_TARGETS, piece->target, &range.to))
        return false;
    job->longest = range.words > job->longest ? range.words : job->longest;
    job->list.ranges[job->ranges++] = range;
    return true;
}

/* Adds the notes, which are merged into the source of the early piece. False: they do not fit into the
 * launch. */
static bool add_notes(const struct gather_call *call, struct job *job)
{
    bool fits = true;
    for (size_t i = 0; i < call->note_count && fits; i++) {
        struct link_piece note = call->pieces[i];
        note.target = call->early.source;
        note.target_offset = 0;
        fits = note.bytes <= MERGE_WORDS * sizeof(uint32_t) && add(job, &note);
    }
    if (!call->note_count || !fits)
        return fits;
    job->longest = 0;
    job->list.notes = (uint32_t)call->note_count;
    job->list.into = job->list.ranges[job->ranges - 1].to;
    job->list.largest = call->largest;
    job->list.least = call->least;
    return true;
}

/* Makes the job of a call. *fits: whether it has all pieces; if not, it has only the early piece. */
static enum shoal_status make_job(const struct gather_call *call, struct job *job, bool *fits,
                                  struct shoal_error *error)
{
    *job = (struct job){.most = call->peer_count ? MOST_MET : MOST_BYTES};
    if (!add(job, &call->early))
        return fail(error, SHOAL_INVALID, "gather_take: the early piece has %zu bytes", call->early.bytes);
    job->longest = 0;
    job->list.early = (uint32_t)job->ranges;
    const struct job early = *job;
    *fits = add_notes(call, job);
    for (size_t i = call->note_count; i < call->count && *fits; i++)
        *fits = add(job, &call->pieces[i]);
    if (!*fits)
        *job = early;
    return SHOAL_OK;
}

static enum shoal_status launch(const struct gather *gather, struct shoal_queue *queue, const struct job *job,
                                struct shoal_buffer *const *peers, struct shoal_error *error)
{
    return LAUNCH(gather_words, queue, gather->kernel,
                  1 + (job->ranges - job->list.early - job->list.notes) * job->list.groups, error,
                  .source0 = job->sources[0], .source1 = job->sources[1], .source2 = job->sources[2],
                  .source3 = job->sources[3], .source4 = job->sources[4], .source5 = job->sources[5],
                  .source6 = job->sources[6], .source7 = job->sources[7], .source8 = job->sources[8],
                  .source9 = job->sources[9], .source10 = job->sources[10], .source11 = job->sources[11],
                  .source12 = job->sources[12], .source13 = job->sources[13], .source14 = job->sources[14],
                  .source15 = job->sources[15], .target0 = job->targets[0], .target1 = job->targets[1],
                  .target2 = job->targets[2], .target3 = job->targets[3], .target4 = job->targets[4],
                  .mark = gather->mark, .peer0 = peers[0], .peer1 = peers[1], .peer2 = peers[2],
                  .peer3 = peers[3], .peer4 = peers[4], .peer5 = peers[5], .peer6 = peers[6],
                  .list = &job->list);
}

enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                              const struct gather_call *call, bool *takes, struct shoal_error *error)
{
    struct job job;
    struct shoal_buffer *peers[GATHER_PEERS] = {NULL};
    const enum shoal_status status = make_job(call, &job, takes, error);
    if (status || (!job.ranges && !call->peer_count))
        return status;
    for (size_t k = 0; k < call->peer_count; k++)
        peers[k] = call->peers[k]->mark;
    const size_t wanted = div_up(job.longest, ITEM_WORDS * shoal_kernel_work_group(gather->kernel));
    const uint32_t groups = wanted < MOST_GROUPS ? (uint32_t)wanted : MOST_GROUPS;
    job.list.peers = (uint32_t)call->peer_count;
    job.list.number = call->number;
    job.list.groups = groups;
    return launch(gather, queue, &job, peers, error);
}

enum shoal_status gather_open_mark(struct gather *gather, struct shoal_queue *queue,
                                   struct shoal_error *error)
{
    static struct shoal_buffer *const none[GATHER_PEERS];
    const struct job nothing = {.list = {.groups = 1}};
    struct shoal_device *device = shoal_queue_device(queue);
    enum shoal_status status = shoal_queue_create(device, 0, &gather->beside, error);
    if (!status)
        status = shoal_buffer_create(device, MARK_WORDS * sizeof(uint32_t), &gather->mark, error);
    if (!status)
        status = gather_set(gather, 0, error);
    return status ? status : launch(gather, queue, &nothing, none, error);
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
    const uint32_t words[MARK_WORDS] = {[MARK_NUMBER] = number};
    const enum shoal_status status = write_mark(gather, 0, words, MARK_WORDS, error);
    if (!status) /* after a failure the device still has the stop word */
        gather->is_stopped = false;
    return status;
}
