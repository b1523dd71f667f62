/* Swarms for cases, through the solver interface, as a program that embeds shoal runs them.
 *
 * A repetition makes the same number of steps with each of several equal swarms, enqueued one behind the
 * other, and never before step `first` nor beyond step `last`: before, particles improve often and write
 * more; long after, they do not move. A swarm that would pass `last` is created again, which takes no
 * measured time.
 */
#ifndef SHOAL_BENCH_SWARM_H
#define SHOAL_BENCH_SWARM_H

#include "bench/runner/bench.h"

#include <shoal/pso.h>

enum { BENCH_SWARMS = 64 };

struct bench_swarm {
    struct shoal_pso_params params;
    struct shoal_objective *objective; /* released with the swarm; NULL: a built-in */
    struct shoal_solver *solvers[BENCH_SWARMS];
    size_t count;
    uint64_t first, last, steps; /* steps: of a repetition, for each swarm */
    uint64_t done;               /* steps of each so far */
};

/* How long a repetition is. */
struct bench_length {
    uint64_t first, last;
    uint64_t steps; /* of a repetition; 0: as many as take `seconds`, at most last - first */
    double
        seconds; /* where last - first steps of one swarm take less, more swarms, as many as memory holds */
};

/* Allocates bench->state and fills its params with defaults, for the case to change. */
enum shoal_status bench_swarm_begin(struct bench *bench, struct bench_swarm **out, struct shoal_error *error);
/* Makes the swarms of bench->state; sets work (evaluations), parts (steps), build time and native. */
enum shoal_status bench_swarm_create(struct bench *bench, const struct bench_length *length,
                                     struct shoal_error *error);
/* The other functions of struct bench_ops. */
enum shoal_status bench_swarm_prepare(struct bench *bench, struct shoal_error *error);
enum shoal_status bench_swarm_run(struct bench *bench, struct shoal_error *error);
enum shoal_status bench_swarm_check(struct bench *bench, struct bench_check *check,
                                    struct shoal_error *error);
void bench_swarm_destroy(struct bench *bench);

#endif
