/* The list of workloads with the toy, in place of the library's own. */
#include "workload/workload.h"

extern const struct workload gas_workload, pso_workload, toy_workload;

const struct workload *const registry_workloads[] = {&pso_workload, &gas_workload, &toy_workload, NULL};
