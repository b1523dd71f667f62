/* The list of workloads with the toy, in place of the library's own. */
#include "workload/workload.h"

extern const struct workload gas_workload, mlp_workload, toy_workload, tsp_workload;
#define ALGORITHM(symbol, name) extern const struct workload symbol##_workload;
#include "search/algorithms.inc"
#undef ALGORITHM

#define ALGORITHM(symbol, name) &symbol##_workload,
const struct workload *const registry_workloads[] = {
#include "search/algorithms.inc"
    &gas_workload, &tsp_workload, &mlp_workload, &toy_workload, NULL};
