/* Cases of the test command, in place of those of the workloads of the library. */
#include "bench/runner/bench.h"

extern const struct bench_case_list *const toy_bench_lists[], *const bench_compute_lists[];

const struct bench_case_list *const *const bench_folders[] = {bench_compute_lists, toy_bench_lists, NULL};
