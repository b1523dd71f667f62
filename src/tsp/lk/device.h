/* Private: what the searches of a device have in common, of one run and of many. */
#ifndef SHOAL_TSP_LK_DEVICE_H
#define SHOAL_TSP_LK_DEVICE_H

#include "tsp/lk/lk.h"

/* Most candidates of a city on a device. */
enum { LK_MOST_NEAR = 32 };

/* What a program that searches cells depends on. */
struct lk_search_rules {
    const struct tsp_problem *problem; /* kind of the distances */
    uint32_t cell, k;                  /* most cities of a cell, candidates of a city */
    unsigned offsets; /* 1: cells keep coordinates in local memory, in 16 bits each; 2: in 32 bits */
    bool is_joint;    /* each cell is a whole problem */
};

/* Do kernels read coordinates in the order of the cells? */
bool lk_is_by_index(const struct tsp_form *form);
/* Do cells keep offsets of coordinates? If 16 bits suffice for cells half as long again as a square one. */
bool lk_offsets_suffice(const struct lk *lk);
SHOAL_MUST_CHECK enum shoal_status lk_build_search(struct programs *programs,
                                                   const struct lk_search_rules *rules,
                                                   struct shoal_kernel **index, struct shoal_kernel **search,
                                                   struct shoal_error *error);

#endif
