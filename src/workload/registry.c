/* The workloads of the library: one line for each. */
#include "workload/workload.h"

extern const struct workload ga_workload, gas_workload, mlp_workload, pso_workload, tsp_workload;

const struct workload *const registry_workloads[] = {
    &pso_workload, &ga_workload, &gas_workload, &tsp_workload, &mlp_workload, NULL,
};
