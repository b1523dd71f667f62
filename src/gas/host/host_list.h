/* Private: the neighbour list of the host solver, for pair forces that end at a cutoff.
 *
 * A full list of range cutoff + skin over particles in the order of a grid of boxes: what is near in the box
 * is near in memory. It is made anew as soon as a particle is further than half of the skin from where it was
 * when the list was made, before any force is taken. The list depends on the positions at its making alone:
 * whoever has these has the same list, and with it the same bits.
 */
#ifndef SHOAL_GAS_REFERENCE_LIST_H
#define SHOAL_GAS_REFERENCE_LIST_H

#include "gas/model/grid.h"
#include "workload/arrays.h"

struct gas_list_block; /* neighbours of some hundred particles */

struct gas_host_list {
    const struct gas_problem *problem;
    double skin;
    int threads;
    uint64_t rebuilds;    /* so far; 0: `made_at` holds nothing yet */
    bool is_made;         /* what follows from `made_at` is there */
    double *made_at;      /* n * dim: positions when the list was made, by number */
    struct gas_grid grid; /* of these */
    /* Of each place in the order of the grid: */
    double *x;        /* dim * n, axis by axis: positions, which no border interrupts since the making */
    uint32_t *counts; /* neighbours */
    bool *crosses;    /* some may be nearest across a periodic border */
    struct gas_list_block *blocks;
    struct arrays arrays;
    double make_s;
};

/* Is there a list for this problem? Not for forces without end, nor for motion particle after particle. */
bool gas_host_lists(const struct gas_problem *problem);

/* `problem` outlives the list. On failure gas_host_list_destroy frees what there is. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_create(const struct gas_problem *problem,
                                                        struct gas_host_list *list,
                                                        struct shoal_error *error);
/* What it takes, about. */
double gas_host_list_bytes(const struct gas_problem *problem);
void gas_host_list_destroy(struct gas_host_list *list); /* accepts zeros */

/* The list for particles at `position`, as in gas_forces: made anew where it has to be. */
SHOAL_MUST_CHECK enum shoal_status gas_host_list_follow(struct gas_host_list *list, const double *position,
                                                        struct shoal_error *error);
/* At the positions followed to last: pair accelerations (n * dim); halves of pair energies and virials (n).
 */
void gas_host_list_forces(const struct gas_host_list *list, double *acceleration);
void gas_host_list_energies(const struct gas_host_list *list, double *energy, double *virial);
/* Mean number of neighbours within cutoff + skin; NaN: none were looked for yet. */
double gas_host_list_mean(const struct gas_host_list *list);

/* host_pairs.c: force over distance and, where not NULL, energy of `count` pairs at squared distances d.
 */
void gas_host_pairs(const struct gas_problem *problem, size_t count, const double *d, double *force,
                    double *energy);

#endif
