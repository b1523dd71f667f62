/* An ant on the host: points of the plane with straight distances, rounded to the nearest whole number. */
#include <math.h>

#define NAME                                faco_host_ant_in_plane
#define FACO_PLACES                         const double *places;
#define FACO_SET_PLACES(view, faco, source) ((view)->places = (source)->places)
#define FACO_DISTANCE(view, a, b)           in_plane((view)->places, a, b)
#define FACO_HAS_FIXED(view)                0
#define FACO_OWN_SCREEN

/* As tsp_distance: TSPLIB's EUC_2D. */
static inline long in_plane(const double *places, unsigned a, unsigned b)
{
    const double *p = places + 2 * (unsigned long)a, *q = places + 2 * (unsigned long)b;
    const double x = p[0] - q[0], y = p[1] - q[1];
    return (long)(sqrt(x * x + y * y) + 0.5);
}

/* tsp/faco/screen.clh with two cities a register; limits are whole numbers, exact as doubles. */
typedef double two __attribute__((vector_size(16)));
typedef long two_masks __attribute__((vector_size(16)));
struct faco_screen {
    two x[2], y[2], limit[2];
};
struct faco_view;
static void faco_screen_set(const struct faco_view *view, struct faco_screen *screen, unsigned i,
                            unsigned position, long limit);
static unsigned faco_screen_may(const struct faco_view *view, const struct faco_screen *screen,
                                unsigned position, long less, unsigned with_first);

#include "tsp/faco/host_ant.h"

static void faco_screen_set(const struct faco_view *view, struct faco_screen *screen, unsigned i,
                            unsigned position, long limit)
{
    screen->x[i / 2][i % 2] = view->places[2 * (size_t)position];
    screen->y[i / 2][i % 2] = view->places[2 * (size_t)position + 1];
    screen->limit[i / 2][i % 2] = (double)limit;
}

static inline two_masks may_be_nearer(const struct faco_screen *screen, unsigned i, const double *place,
                                      two less)
{
    const two x = screen->x[i] - place[0], y = screen->y[i] - place[1], most = screen->limit[i] - less;
    return (most > 0.0) & (x * x + y * y < most * most);
}

static unsigned faco_screen_may(const struct faco_view *view, const struct faco_screen *screen,
                                unsigned position, long less, unsigned with_first)
{
    const double *place = view->places + 2 * (size_t)position;
    const double others = (double)less, first = with_first ? others : (double)FACO_FAR;
    const two_masks may = may_be_nearer(screen, 0, place, (two){first, others}) |
                          may_be_nearer(screen, 1, place, (two){others, others});
    return (may[0] | may[1]) != 0;
}
