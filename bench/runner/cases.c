/* Every case, in the order of the output. */
#include "bench/runner/bench.h"

#include <fnmatch.h>
#include <string.h>

extern const struct bench_case_list bench_core_cases, bench_eval_cases, bench_gas_sort_cases,
    bench_island_cases, bench_launch_cases, bench_lib_cases, bench_pso_cases, bench_thesis_cases,
    bench_thesis_eval_cases, bench_thesis_step_cases;
extern const struct bench_case_list bench_gas_allpairs_cases, bench_gas_list_cases;
extern const struct bench_case_list bench_thesis_gas_cases, bench_thesis_gas_cpu_cases,
    bench_thesis_gas_far_cases, bench_thesis_gas_cells_cases;

static const struct bench_case_list *const lists[] = {
    &bench_launch_cases,
    &bench_core_cases,
    &bench_lib_cases,
    &bench_pso_cases,
    &bench_island_cases,
    &bench_eval_cases,
    &bench_gas_allpairs_cases,
    &bench_gas_list_cases,
    &bench_gas_sort_cases,
    &bench_thesis_step_cases,
    &bench_thesis_eval_cases,
    &bench_thesis_cases,
    &bench_thesis_gas_cpu_cases,
    &bench_thesis_gas_cells_cases,
    &bench_thesis_gas_cases,
    &bench_thesis_gas_far_cases,
    NULL,
};

size_t bench_case_count(void)
{
    size_t count = 0;
    for (size_t i = 0; lists[i]; i++)
        count += lists[i]->count;
    return count;
}

const struct bench_case *bench_case_at(size_t index)
{
    for (size_t i = 0; lists[i]; i++) {
        if (index < lists[i]->count)
            return &lists[i]->cases[index];
        index -= lists[i]->count;
    }
    return NULL;
}

bool bench_matches(const char *pattern, const char *name)
{
    if (!pattern)
        return true;
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, name, 0) == 0;
    size_t length = strlen(pattern);
    return strncmp(pattern, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}
