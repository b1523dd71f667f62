/* Private: checks of the caller's points, shared by the calls on the host. */
#ifndef SHOAL_FMM_POINTS_H
#define SHOAL_FMM_POINTS_H

#include "fmm/fmm.h"

/* Checks parameters and points, and copies them to `own` and `mine` with target_count set. call: name of the
 * public call. */
SHOAL_MUST_CHECK enum shoal_status fmm_points_take(const char *call, const struct shoal_fmm_params *params,
                                                   const struct shoal_fmm_points *points,
                                                   struct shoal_fmm_params *own,
                                                   struct shoal_fmm_points *mine, struct shoal_error *error);

#endif
