/* The algorithms of the tsp workload, in the order of enum shoal_tsp_algorithm. */
#include "base/error.h"
#include "tsp/tsp.h"

#include <math.h>

extern const struct tsp_algorithm tsp_faco, tsp_as, tsp_eas, tsp_ras, tsp_mmas, tsp_bwas, tsp_acs, tsp_lk,
    tsp_exact;

const struct tsp_algorithm *const tsp_algorithms[] = {&tsp_faco, &tsp_as,   &tsp_eas,
                                                      &tsp_ras,  &tsp_mmas, &tsp_bwas,
                                                      &tsp_acs,  &tsp_lk,   &tsp_exact TSP_THESIS_ALGORITHM};

enum shoal_status tsp_check_no_ants(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    const char *option = params->colonies > 1    ? "--colonies"
                         : params->ants          ? "--ants"
                         : !isnan(params->alpha) ? "--alpha"
                         : !isnan(params->beta)  ? "--beta"
                         : !isnan(params->rho)   ? "--rho"
                                                 : NULL;
    return option ? fail(error, SHOAL_INVALID, "%s has no ants: leave out %s",
                         tsp_algorithms[params->algorithm]->name, option)
                  : SHOAL_OK;
}
