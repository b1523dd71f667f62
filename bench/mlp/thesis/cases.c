/* The cases of this folder, in the order of the output. */
#include "bench/runner/bench.h"

extern const struct bench_case_list bench_thesis_mlp_kernel_cases, bench_thesis_mlp_run_cases,
    bench_thesis_mlp_accuracy_cases, bench_thesis_mlp_cpu_cases;
extern const struct bench_case_list *const bench_mlp_thesis_lists[];

const struct bench_case_list *const bench_mlp_thesis_lists[] = {
    &bench_thesis_mlp_cpu_cases,
    &bench_thesis_mlp_kernel_cases,
    &bench_thesis_mlp_run_cases,
    &bench_thesis_mlp_accuracy_cases,
    NULL,
};
