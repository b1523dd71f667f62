/* Merge of focused ants on the host, compiled from the source text of the kernels. */
#include "tsp/faco/faco.h"
#include "tsp/faco/layout.h"

/* Macros for words of OpenCL C, so that the source text of the kernels compiles as C, for a group of one
 * work-item. */
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

void faco_host_merge(const struct faco_settings *settings, const struct faco_tours *tours, uint32_t piece,
                     void *memory, struct faco_piece *merged, struct faco_result *result)
{
    const uint32_t ants = settings->ants / settings->pieces;
    faco_merge_piece(memory, tours->changes, tours->pieces, tours->counts, ants, piece * ants, settings->n,
                     faco_piece_range(piece % settings->pieces, settings->pieces, settings->n), merged,
                     result);
}
