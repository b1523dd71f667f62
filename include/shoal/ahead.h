/* Kernels of several runs built at the same time, before the runs.
 *
 * A run builds its kernels one after the other when its solver is created. A program that makes several runs
 * can have all these kernels built first, by as many threads as there are processors. The runs then
 * find the kernels in the cache folder, or in the driver where the driver has a cache of its own.
 *
 * Threads: shoal_build_ahead returns when its threads have ended. Other threads must not use the instance
 * meanwhile. Several of its threads call `stop` of struct shoal_params at once.
 */
#ifndef SHOAL_AHEAD_H
#define SHOAL_AHEAD_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* A run whose kernels are to be built. */
struct shoal_planned_run {
    const struct shoal_workload *workload; /* The workload. */
    struct shoal_device *device;           /* The device of the run. */
    const void *params;                    /* Parameters of the workload, as for shoal_run. */
    enum shoal_variant variant;            /* Text of the kernels, as in struct shoal_run_params. */
    /* Whether the same run with SHOAL_VARIANT_CL follows where this run uses native kernels. */
    bool compares_variants;
};

/* Builds the kernels that `runs`, [count], will launch and that are in no cache. Runs on the host, on
 * processors, and on devices whose results would be kept nowhere (no_cache of struct shoal_params) are left
 * out, as is what no build ahead can know. Errors of builds and parameters are not reported: the run meets
 * them. All devices belong to `shoal`. *programs: number of programs that were built; *compile_s: sum of the
 * seconds that their compilers took, each in its thread. Both may be NULL. Once `stop` of struct shoal_params
 * has returned true, no further build begins, and the call returns SHOAL_OK.
 * Errors: SHOAL_INVALID: a device belongs to another instance, or a member of a run is NULL.
 * SHOAL_OUT_OF_HOST_MEMORY. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_build_ahead(struct shoal *shoal,
                                                               const struct shoal_planned_run *runs,
                                                               size_t count, size_t *programs,
                                                               double *compile_s, struct shoal_error *error);

SHOAL_END_DECLS

#endif
