/* Private: the neighbour list of the host solver, for pair forces with a cutoff.
 *
 * The list is full: each particle of a pair is in the list of the other particle. It holds the pairs within
 * cutoff + skin, in the order of a grid of boxes, so that particles near in space are near in memory. Before
 * forces are computed, the list is rebuilt if a particle has moved by more than half the skin since the last
 * build. The list depends only on the positions at its build, so that a checkpoint with these positions gives
 * the same bits.
 */
#ifndef SHOAL_GAS_REFERENCE_LIST_H
#define SHOAL_GAS_REFERENCE_LIST_H

#include "gas/model/grid.h"
#include "workload/arrays.h"

struct gas_list_block; /* the neighbours of the particles of a block */

struct gas_host_list {
    const struct gas_problem *problem;
    double skin;
    uint64_t rebuilds;    /* number of builds so far; 0: `built_at` is not set yet */
    bool is_built;        /* the list and the members after `built_at` are valid */
    bool is_void;         /* the box has changed: the next call of gas_host_list_follow rebuilds the list */
    double *built_at;     /* [n][dim]: positions at the last build, by number of the particle */
    struct gas_grid grid; /* grid of the positions in `built_at` */
    /* The arrays below are indexed by the place of a particle: its index in the order of the grid. */
    double *x;        /* [dim][n]: positions, unwrapped relative to the last build */
    uint32_t *counts; /* [n]: number of neighbours of each particle */
    bool *crosses;    /* whether nearest images of neighbours may be across a periodic border */
    struct gas_list_block *blocks;
    struct arrays arrays;
    double make_s;
    uint8_t *species; /* [n]: of the particle at each place; NULL: there is one species */
};

/* Whether the host computes the forces of this problem by a list: there is a cutoff, and all forces are
 * computed before particles move. */
bool gas_host_lists(const struct gas_problem *problem);

/* Creates a list. `problem` must outlive the list. After a failure gas_host_list_destroy frees what was
 * allocated. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_create(const struct gas_problem *problem,
                                                        struct gas_host_list *list,
                                                        struct shoal_error *error);
/* Estimates the bytes of memory that a list needs. */
double gas_host_list_bytes(const struct gas_problem *problem);
void gas_host_list_destroy(struct gas_host_list *list); /* accepts a struct of zeros */

/* Checks the section of a checkpoint that is to be loaded into list->built_at. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_check(const struct gas_host_list *list,
                                                       const struct checkpoint *checkpoint,
                                                       struct shoal_error *error);
/* Makes the list valid for the particles at `position`: rebuilds it if necessary. position: as in gas_forces.
 */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_follow(struct gas_host_list *list, const double *position,
                                                        struct shoal_error *error);
/* gas_host_list_forces: accelerations by pair forces, [n][dim]. gas_host_list_energies: half the energy and
 * half the virial of the pairs of each particle, [n]. Both are those at the positions of the last call of
 * gas_host_list_follow. */
void gas_host_list_forces(const struct gas_host_list *list, double *acceleration);
void gas_host_list_energies(const struct gas_host_list *list, double *energy, double *virial);
/* Mean number of particles within cutoff + skin of a particle; NaN: no list is built. */
double gas_host_list_mean(const struct gas_host_list *list);

/* Both functions are defined in host_pairs.c. They compute, for `count` pairs, the force divided by the
 * distance, and the energy; energy NULL: not wanted. d: squared distance of each pair. */
void gas_host_pairs(const struct gas_problem *problem, size_t count, const double *d, double *force,
                    double *energy);
/* For gases of several species: pairs[k] has the constants of the potential of pair k. */
void gas_host_mixed_pairs(const struct gas_problem *problem, size_t count,
                          const struct gas_pair *const *pairs, const double *d, double *force,
                          double *energy);

#endif
