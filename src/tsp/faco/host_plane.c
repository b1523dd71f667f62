/* The ant on the host for points in the plane whose Euclidean distances are rounded to the nearest
 * integer. */
#include <math.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

#ifndef NAME
#define NAME faco_host_ant_in_plane
#endif
#define FACO_PLACES                         const double *places;
#define FACO_SET_PLACES(view, faco, source) ((view)->places = (source)->places)
#define FACO_DISTANCE(view, a, b)           in_plane((view)->places, a, b)
#define FACO_HAS_FIXED(view)                0
#define FACO_OWN_SCREEN

/* Returns the distance that tsp_distance gives with TSPLIB's EUC_2D. */
static inline long in_plane(const double *places, unsigned a, unsigned b)
{
    const double *p = places + 2 * (unsigned long)a, *q = places + 2 * (unsigned long)b;
    const double x = p[0] - q[0], y = p[1] - q[1];
    return (long)(sqrt(x * x + y * y) + 0.5);
}

/* The macros of tsp/faco/screen.clh, with vector registers that hold values of four cities. Distances are
 * compared as doubles, which represent the integer limits exactly. */
typedef double four __attribute__((vector_size(32)));
typedef long four_masks __attribute__((vector_size(32)));
typedef unsigned four_positions __attribute__((vector_size(16)));
struct faco_screen {
    four x, y, limit;
    four_positions position;
};
struct faco_view;
static void faco_screen_set(const struct faco_view *view, struct faco_screen *screen,
                            const unsigned *position, const long *limit);
static unsigned faco_screen_may(const struct faco_view *view, const struct faco_screen *screen,
                                unsigned position, long less, unsigned with_first);
static unsigned faco_screen_is(const struct faco_screen *screen, unsigned a, unsigned b);

#include "tsp/faco/host_ant.h"

static void faco_screen_set(const struct faco_view *view, struct faco_screen *screen,
                            const unsigned *position, const long *limit)
{
    const double *a = view->places + 2 * (size_t)position[0], *b = view->places + 2 * (size_t)position[1],
                 *c = view->places + 2 * (size_t)position[2], *d = view->places + 2 * (size_t)position[3];
    screen->position = (four_positions){position[0], position[1], position[2], position[3]};
    screen->x = (four){a[0], b[0], c[0], d[0]};
    screen->y = (four){a[1], b[1], c[1], d[1]};
    screen->limit = (four){(double)limit[0], (double)limit[1], (double)limit[2], (double)limit[3]};
}

static unsigned faco_screen_may(const struct faco_view *view, const struct faco_screen *screen,
                                unsigned position, long less, unsigned with_first)
{
    const double *place = view->places + 2 * (size_t)position;
    const four x = screen->x - place[0], y = screen->y - place[1], most = screen->limit - (double)less;
    const four_masks may = (most > 0.0) & (x * x + y * y < most * most);
#ifdef __AVX__
    const unsigned bits = (unsigned)_mm256_movemask_pd((__m256d)may);
#else
    const unsigned bits = (may[0] & 1) | (may[1] & 2) | (may[2] & 4) | (may[3] & 8);
#endif
    return bits & (14u | with_first);
}

static unsigned faco_screen_is(const struct faco_screen *screen, unsigned a, unsigned b)
{
    const four_positions is =
        (four_positions)(screen->position == a) | (four_positions)(screen->position == b);
#ifdef __AVX__
    return (unsigned)_mm_movemask_ps((__m128)is);
#else
    return (is[0] & 1) | (is[1] & 2) | (is[2] & 4) | (is[3] & 8);
#endif
}
