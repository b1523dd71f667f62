/* A run that continues: a repetition makes further steps of the same solver. The first steps, which are of
 * another kind than those that follow, are made before the first repetition. */
#ifndef BENCH_TSP_CONTINUED_H
#define BENCH_TSP_CONTINUED_H

#include "bench/runner/bench.h"

#include <shoal/tsp.h>

/* The state of a bench. */
struct continued_run {
    struct shoal_solver *solver;
    uint64_t left;  /* number of steps that are left before the first repetition */
    uint64_t steps; /* number of steps of a repetition */
};

/* Creates the state and its solver, without an end of the run and with candidates by nearest cities, so that
 * no default changes the figures. */
enum shoal_status bench_continued_create(struct bench *bench, struct shoal_tsp_params *params, uint64_t first,
                                         uint64_t steps, struct shoal_error *error);
/* The other functions of struct bench_ops. The check: the best tour visits each city once, and has the length
 * that is told. */
enum shoal_status bench_continued_prepare(struct bench *bench, struct shoal_error *error);
enum shoal_status bench_continued_run(struct bench *bench, struct shoal_error *error);
enum shoal_status bench_continued_check(struct bench *bench, struct bench_check *check,
                                        struct shoal_error *error);
void bench_continued_destroy(struct bench *bench);

#endif
