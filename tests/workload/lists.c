/* The lists of the test command: those of the library and the command, and the toy. */
#include "bench/runner/bench.h"
#include "workload/workload.h"

extern const struct workload gas_workload, pso_workload, toy_workload;

const struct workload *const registry_workloads[] = {&pso_workload, &gas_workload, &toy_workload, NULL};

extern const struct bench_case_list *const toy_bench_lists[], *const bench_compute_lists[];

const struct bench_case_list *const *const bench_folders[] = {bench_compute_lists, toy_bench_lists, NULL};
