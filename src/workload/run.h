/* Private: whole runs with a solver that is created in another way than by solver_create. */
#ifndef SHOAL_WORKLOAD_RUN_H
#define SHOAL_WORKLOAD_RUN_H

#include "workload/workload.h"

/* The arguments of solver_create. */
struct solver_request {
    const struct shoal_workload *workload;
    struct shoal_device *device;
    struct shoal_queue *queue;
    const void *params;
    enum shoal_variant variant;
};

/* Creates the solver of a run. */
struct solver_maker {
    const char *function; /* of the public API, for messages */
    enum shoal_status (*create)(const void *data, const struct solver_request *request,
                                const struct solver_setup *setup, struct shoal_solver **out,
                                struct shoal_error *error);
    const void *data;
};

/* shoal_run with the solver of `maker`. */
SHOAL_MUST_CHECK enum shoal_status run_with(const struct solver_maker *maker,
                                            const struct shoal_workload *workload,
                                            struct shoal_device *device, const void *params,
                                            const struct shoal_run_params *run, struct shoal_report *report,
                                            struct shoal_error *error);

#endif
