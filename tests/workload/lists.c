/* The lists of the test command: those of the library and the command, and the toy. */
#include "bench/runner/bench.h"
#include "workload/workload.h"

extern const struct workload gas_workload, pso_workload, toy_workload;

const struct workload *const registry_workloads[] = {&pso_workload, &gas_workload, &toy_workload, NULL};

extern const struct bench_case_list bench_launch_cases, toy_bench_cases;

const struct bench_case_list *const bench_lists[] = {&bench_launch_cases, &toy_bench_cases, NULL};
