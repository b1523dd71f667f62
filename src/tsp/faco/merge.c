/* Focused ants that are taken together, on the host: the text of the kernels. */
#include "tsp/faco/faco.h"
#include "tsp/faco/layout.h"

/* Words of OpenCL C, so that C compiles the kernels' text for one work-item. */
#define __global
#define local
#define WG                1
#define FACO_MERGE_LANES  WG
#define barrier(fence)    ((void)0)
#define get_local_id(dim) 0
typedef unsigned char uchar;
#include "tsp/faco/merge.clh"

size_t faco_merge_bytes(void)
{
    return sizeof(struct faco_merge);
}

uint32_t faco_host_merge(const struct faco_settings *settings, const struct faco_tours *tours, void *memory,
                         struct faco_piece *pieces, uint32_t *count, int64_t *change)
{
    struct faco_merge *merge = memory;
    const uint32_t winner =
        faco_take_all(merge, tours->changes, tours->pieces, tours->counts, settings->ants, settings->n);
    faco_sort_cuts(merge, settings->n);
    *change = merge->taken ? merge->change : tours->changes[winner];
    *count = faco_list_merged(merge, settings->n, pieces);
    return winner;
}
