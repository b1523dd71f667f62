/* Searches for cases, through the solver interface, as a program that embeds shoal runs them.
 *
 * A repetition makes the same number of steps with each of several equal searches, enqueued one behind the
 * other, and never before step `first` nor beyond step `last`: before, particles improve often and write
 * more; long after, they do not move. A search that would pass `last` is created again, which takes no
 * measured time.
 */
#ifndef SHOAL_BENCH_SEARCHES_H
#define SHOAL_BENCH_SEARCHES_H

#include "bench/runner/bench.h"

#include <shoal/cmaes.h>
#include <shoal/de.h>
#include <shoal/direct_search.h>
#include <shoal/ga.h>
#include <shoal/pso.h>

enum { BENCH_SEARCHES = 64 };

struct bench_searches {
    const char *workload;
    union {
        /* shared parameters; the parameters of each algorithm begin with this struct */
        struct shoal_search_params search;
        struct shoal_pso_params pso;
        struct shoal_ga_params ga;
        struct shoal_de_params de;
        struct shoal_cmaes_params cmaes;
        struct shoal_nelder_mead_params nelder_mead;
        struct shoal_pattern_params pattern;
    } params;
    struct shoal_objective *objective; /* released with the searches; NULL: a built-in */
    struct shoal_solver *solvers[BENCH_SEARCHES];
    size_t count;
    uint64_t first, last, steps; /* steps: number of steps of a repetition, for each search */
    uint64_t done;               /* number of steps that each search has made so far */
};

/* How long a repetition is. */
struct bench_length {
    uint64_t first, last;
    uint64_t steps; /* number of steps of a repetition; 0: as many as take `seconds`, at most last - first */
    double
        /* seconds of a repetition; where last - first steps of one search take less, there are more searches,
         * as many as memory holds */
        seconds;
};

/* Allocates bench->state and fills its params, which the case may change: 1024 particles by the inertia rule
 * with the global best, a population of 128, otherwise the defaults. Populations of differential evolution
 * keep their members. */
enum shoal_status bench_searches_begin(struct bench *bench, const char *workload, struct bench_searches **out,
                                       struct shoal_error *error);
/* Creates the searches of bench->state; sets work (evaluations), parts (steps), build time and native. */
enum shoal_status bench_searches_create(struct bench *bench, const struct bench_length *length,
                                        struct shoal_error *error);
/* The other functions of struct bench_ops. */
enum shoal_status bench_searches_prepare(struct bench *bench, struct shoal_error *error);
enum shoal_status bench_searches_run(struct bench *bench, struct shoal_error *error);
enum shoal_status bench_searches_check(struct bench *bench, struct bench_check *check,
                                       struct shoal_error *error);
void bench_searches_destroy(struct bench *bench);

#endif
