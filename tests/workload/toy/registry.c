/* The list of workloads with the toy, in place of the library's own. */
#include "workload/workload.h"

extern const struct workload ga_workload, gas_workload, mlp_workload, pso_workload, toy_workload,
    tsp_workload;

const struct workload *const registry_workloads[] = {
    &pso_workload, &ga_workload, &gas_workload, &tsp_workload, &mlp_workload, &toy_workload, NULL,
};
