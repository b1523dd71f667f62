#include "compute/link/gather.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/backend.h"

#include <sys/types.h> /* defines uint, ulong */

#include "lib/link/gather.clh"

#include "compute/contract.h"
#include "compute/launch.h"

#include <stdlib.h>

_Static_assert(sizeof(struct gather_list) == 192, "as the kernel's");

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_gather, WG, 1, 1024, "work-group size"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_gather, gather_words, .roof = SHOAL_ROOF_COPY_BYTES,
          .help = "copies ranges of words between buffers, which may be of other devices"),
};

const struct shoal_program_desc gather_program = PROGRAM("lib.link.gather", lib_gather, 0, defines, entries);

/* Bytes from which an engine for copies, which leaves the compute units to others, is as fast; words that a
 * work-item copies, and groups of a range. */
enum { MOST_BYTES = 1 << 20, ITEM_WORDS = 4, MOST_GROUPS = 64 };

struct gather {
    struct shoal_program *program;
    struct shoal_kernel *kernel;
};

/* The buffers of the pieces, by pairs, and what is copied between them. */
struct job {
    struct shoal_buffer *sources[GATHER_TABLES], *targets[GATHER_TABLES];
    size_t tables, ranges, longest;
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
    shoal_kernel_destroy(&(*pointer)->kernel);
    shoal_program_destroy(&(*pointer)->program);
    free(*pointer);
    *pointer = NULL;
}

static size_t table_of(struct job *job, const struct link_piece *piece)
{
    size_t t = 0;
    while (t < job->tables && (job->sources[t] != piece->source || job->targets[t] != piece->target))
        t++;
    if (t == job->tables && t < GATHER_TABLES) {
        job->sources[t] = piece->source;
        job->targets[t] = piece->target;
        job->tables++;
    }
    return t;
}

static bool make_job(const struct link_piece *pieces, size_t count, struct job *job)
{
    enum { WORD = sizeof(uint32_t) };
    size_t bytes = 0;
    *job = (struct job){.tables = 0};
    for (size_t i = 0; i < count; i++) {
        const struct link_piece *piece = &pieces[i];
        if (!piece->bytes)
            continue;
        bytes += piece->bytes;
        if (job->ranges == GATHER_RANGES || bytes > MOST_BYTES ||
            (piece->bytes | piece->source_offset | piece->target_offset) % WORD)
            return false;
        const size_t table = table_of(job, piece);
        if (table == GATHER_TABLES)
            return false;
        const size_t words = piece->bytes / WORD;
        job->list.ranges[job->ranges++] = (struct gather_range){.source = piece->source_offset / WORD,
                                                                .target = piece->target_offset / WORD,
                                                                .words = (uint32_t)words,
                                                                .table = (uint32_t)table};
        job->longest = words > job->longest ? words : job->longest;
    }
    return true;
}

bool gather_can(const struct gather *gather, const struct link_piece *pieces, size_t count)
{
    struct job job;
    return gather && make_job(pieces, count, &job);
}

enum shoal_status gather_take(struct gather *gather, struct shoal_queue *queue,
                              const struct link_piece *pieces, size_t count, struct shoal_error *error)
{
    struct job job;
    if (!make_job(pieces, count, &job) || !job.ranges)
        return SHOAL_OK;
    const size_t wanted = div_up(job.longest, ITEM_WORDS * shoal_kernel_work_group(gather->kernel));
    const uint32_t groups = wanted < MOST_GROUPS ? (uint32_t)wanted : MOST_GROUPS;
    return LAUNCH(gather_words, queue, gather->kernel, job.ranges * groups, error, .source0 = job.sources[0],
                  .source1 = job.sources[1], .source2 = job.sources[2], .source3 = job.sources[3],
                  .target0 = job.targets[0], .target1 = job.targets[1], .target2 = job.targets[2],
                  .target3 = job.targets[3], .list = &job.list, .groups = groups);
}
