/* The ant on the host that handles all problems. */
#define NAME                                faco_host_ant
#define FACO_PLACES                         const struct tsp_problem *problem;
#define FACO_SET_PLACES(view, faco, source) ((view)->problem = (faco)->problem)
#define FACO_DISTANCE(view, a, b)           tsp_distance((view)->problem, (view)->order[a], (view)->order[b])
#define FACO_HAS_FIXED(view)                (view)->problem->form.has_fixed

#include "tsp/faco/host_ant.h"
