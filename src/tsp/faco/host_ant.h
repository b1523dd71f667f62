/* Private: an ant on the host, compiled from the source text of the kernels. A file defines these macros
 * before it includes this header: NAME, the name of the function; FACO_PLACES, the members of the view that
 * give distances; FACO_SET_PLACES(view, faco, source), which sets them; FACO_DISTANCE(view, a, b), the
 * distance of two positions in the source; FACO_HAS_FIXED(view), whether edges are fixed; and, for points in
 * the plane, further macros of cl/tsp/faco/ant.clh. */
#include "tsp/faco/faco.h"
#include "tsp/faco/layout.h"

#include <limits.h>
#include <shoal/rng.h>
#include <string.h>

/* Macros for words of OpenCL C, so that the source text of the kernels compiles as C. */
#define __global
#define local
#define LANES          1
#define HAS_PIECES     1 /* a source that is not divided is a single piece */
#define popcount(bits) ((unsigned)__builtin_popcountl(bits))
typedef unsigned char uchar;
#define FACO_SHIFT(array, from, to)                                                                          \
    memmove((array) + (from) + 1, (array) + (from), ((to) - (from)) * sizeof *(array))
#include "tsp/faco/step.clh"

int64_t NAME(const struct faco *faco, const struct faco_source *source, uint32_t index, uint32_t step,
             struct faco_piece *pieces, uint32_t *count)
{
    const struct faco_settings *settings = faco->settings;
    const uint32_t piece = index % settings->ants / (settings->ants / settings->pieces);
    struct faco_view view = {.order = source->order,
                             .position = source->positions,
                             .stops = source->stops,
                             .legs = source->legs,
                             .weights = source->weights,
                             .candidates = faco->lists,
                             .reach = faco->reach,
                             .n = settings->n,
                             .k = settings->k,
                             .new_edges = settings->new_edges,
                             .searched = settings->searched,
                             .own = faco_piece_range(piece, settings->pieces, settings->n),
                             .seed = settings->seed,
                             .step = step};
    struct faco_ant ant;
    FACO_SET_PLACES(&view, faco, source);
    ant.index = index;
    return faco_make(&view, &ant, pieces, count);
}
