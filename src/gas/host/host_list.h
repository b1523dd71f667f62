/* Private: the neighbour list of the host solver, for pair forces with a cutoff.
 *
 * The list is full, has the range cutoff + skin, and is in the order of a grid of boxes, so that particles
 * near in space are near in memory. Before forces are computed, the list is rebuilt if the maximum
 * displacement since the last build exceeds half the skin. The list depends only on the positions at its
 * build, so that a checkpoint with these positions gives the same bits.
 */
#ifndef SHOAL_GAS_REFERENCE_LIST_H
#define SHOAL_GAS_REFERENCE_LIST_H

#include "gas/model/grid.h"
#include "workload/arrays.h"

struct gas_list_block; /* the neighbours of some hundred particles */

struct gas_host_list {
    const struct gas_problem *problem;
    double skin;
    uint64_t rebuilds;    /* number of builds so far; 0: `built_at` is not set yet */
    bool is_built;        /* the list and the members below `built_at` are valid */
    double *built_at;     /* [n][dim]: positions at the last build, by number of the particle */
    struct gas_grid grid; /* grid of the positions in `built_at` */
    /* The following arrays are indexed by the place of a particle in the order of the grid. */
    double *x;        /* [dim][n]: positions, unwrapped relative to the last build */
    uint32_t *counts; /* number of neighbours */
    bool *crosses;    /* nearest images of neighbours may be across a periodic border */
    struct gas_list_block *blocks;
    struct arrays arrays;
    double make_s;
};

/* Whether this problem uses a list: it needs a cutoff, and particles that are not moved one after another. */
bool gas_host_lists(const struct gas_problem *problem);

/* Creates a list. `problem` must outlive the list. After a failure gas_host_list_destroy frees what was
 * allocated. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_create(const struct gas_problem *problem,
                                                        struct gas_host_list *list,
                                                        struct shoal_error *error);
/* Estimates the bytes of memory of a list. */
double gas_host_list_bytes(const struct gas_problem *problem);
void gas_host_list_destroy(struct gas_host_list *list); /* accepts a struct of zeros */

/* Checks the section of a checkpoint before it is loaded into list->arrays. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_check(const struct gas_host_list *list,
                                                       const struct checkpoint *checkpoint,
                                                       struct shoal_error *error);
/* Makes the list valid for particles at `position`: rebuilds it if necessary. Positions: as in gas_forces. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_follow(struct gas_host_list *list, const double *position,
                                                        struct shoal_error *error);
/* gas_host_list_forces: pair accelerations, [n][dim]. gas_host_list_energies: halves of pair energies and
 * virials, [n]. Both compute at the positions of the last call of gas_host_list_follow. */
void gas_host_list_forces(const struct gas_host_list *list, double *acceleration);
void gas_host_list_energies(const struct gas_host_list *list, double *energy, double *virial);
/* Mean number of neighbours within cutoff + skin; NaN: no list was built yet. */
double gas_host_list_mean(const struct gas_host_list *list);

/* Defined in host_pairs.c: force over distance and energy (NULL: not wanted) of `count` pairs at squared
 * distances d. */
void gas_host_pairs(const struct gas_problem *problem, size_t count, const double *d, double *force,
                    double *energy);

#endif
