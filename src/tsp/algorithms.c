/* The algorithms of the tsp workload, in the order of enum shoal_tsp_algorithm. */
#include "tsp/tsp.h"

extern const struct tsp_algorithm tsp_faco, tsp_as, tsp_eas, tsp_ras, tsp_mmas, tsp_bwas, tsp_acs, tsp_lk;

const struct tsp_algorithm *const tsp_algorithms[] = {
    &tsp_faco, &tsp_as, &tsp_eas, &tsp_ras, &tsp_mmas, &tsp_bwas, &tsp_acs, &tsp_lk TSP_THESIS_ALGORITHM};
