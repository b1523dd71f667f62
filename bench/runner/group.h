/* Finds the fastest work-group size of a kernel for one case: tables of the theses show the best of several
 * block sizes. */
#ifndef SHOAL_BENCH_GROUP_H
#define SHOAL_BENCH_GROUP_H

#include "bench/runner/bench.h"

/* A program built for one size, and its kernel. */
struct bench_group {
    struct shoal_program *program;
    struct shoal_kernel *kernel;
};

struct bench_group_build {
    const char *program, *entry;
    /* parameters of the build; their defines are replaced by the defines here and WG */
    struct shoal_program_params params;
    const struct shoal_define *defines;
    size_t define_count;
};

/* Builds for each of some sizes, times `run` (one launch, with bench->state), and leaves the fastest build in
 * `*group`, which `run` then launches. Adds the build times. */
enum shoal_status bench_group_choose(struct bench *bench, const struct bench_group_build *build,
                                     enum shoal_status (*run)(struct bench *bench, struct shoal_error *error),
                                     struct bench_group *group, struct shoal_error *error);
void bench_group_release(struct bench_group *group);

#endif
