/* Private: neighbour lists on a device: all particles within cutoff + skin of each particle.
 *
 * The list is full: of a pair of particles, each has the other in its list. Entry k of the particle at place
 * i (an uint, the place of the neighbour) is at ((i / tile) * capacity + k) * tile + i % tile of `list`.
 * counts[i] entries are valid, in an order that depends on the positions alone; cl/gas/methods/list.clh has
 * macros for the layout.
 *
 * A list is valid while the maximum displacement from the `sort->reference` positions is at most skin / 2. It
 * may hold pairs that are up to a millionth further apart than cutoff + skin. On an axis that is periodic a
 * pair counts once, by its nearest image.
 *
 * Overflow: if a particle has more than `capacity` neighbours, words[WORD_OVERFLOW] is the largest number of
 * them. Steps then do nothing, so that an incomplete list is never used, and gas_neighbours_repair allocates
 * a larger list.
 *
 * Resuming: from the reference positions, velocities and ids of the checkpoint gas_neighbours_build gives the
 * same list; then the words of the checkpoint are written.
 */
#ifndef SHOAL_GAS_NEIGHBOURS_H
#define SHOAL_GAS_NEIGHBOURS_H

#include "gas/device/sort.h"

struct gas_neighbours {
    struct shoal_buffer *list, *counts; /* counts: [padded] of uint, 0 beyond n */
    uint32_t tile;                      /* -D LIST_TILE */
    uint32_t capacity;                  /* most entries for a particle */
    double skin, range;                 /* range: cutoff + skin */
    struct gas_sort *sort;
    /* The members from here on are used by the list alone. */
    /* number of cells on either side of a particle's own cell that the range may touch */
    uint32_t reach[GAS_MAX_DIM];
    uint32_t items; /* number of particles, on CPUs of cells, that a work-item takes */
    struct shoal_kernel *build;
};

/* Whether this gas can have a neighbour list. If not, `error` has the reason (SHOAL_UNSUPPORTED,
 * SHOAL_OUT_OF_DEVICE_MEMORY). skin: the skin that the parameters ask for. */
SHOAL_MUST_CHECK enum shoal_status gas_neighbours_fits(const struct gas_problem *problem, double skin,
                                                       const struct shoal_device_info *info,
                                                       struct shoal_error *error);
/* Estimates the bytes of device memory of list and sort. The sizes in `device` must be set. `tile`: as below,
 * not 0. */
double gas_neighbours_bytes(const struct gas_device *device, double skin, uint32_t tile);
/* Creates a list. The state of the solver must be a struct gas_device with problem, precision and buffers.
 * `tile`: 0 takes 32, on CPUs 1; `capacity`: 0 takes a capacity by the density. On failure *out is NULL. */
SHOAL_MUST_CHECK enum shoal_status
gas_neighbours_create(struct shoal_solver *solver, double skin, uint32_t tile, uint32_t capacity,
                      enum gas_sort_method method, struct gas_neighbours **out, struct shoal_error *error);
void gas_neighbours_destroy(struct gas_neighbours **neighbours);
/* Enqueues the sort of `from` and the build of the list for the sorted particles, which are in the arrays of
 * `sort` afterwards; does not wait. gas_sort_run describes the words. event: receives the event of the launch
 * after the sort; NULL: no event is wanted. */
SHOAL_MUST_CHECK enum shoal_status
gas_neighbours_build(struct shoal_solver *solver, struct gas_neighbours *neighbours,
                     const struct gas_arrays *from, struct shoal_event **event, struct shoal_error *error);
/* Call this if words[WORD_OVERFLOW] is not 0. wanted: the value of that word. Waits, replaces `list` by a
 * larger list, and builds that for the same positions, `from`. */
SHOAL_MUST_CHECK enum shoal_status gas_neighbours_repair(struct shoal_solver *solver,
                                                         struct gas_neighbours *neighbours,
                                                         const struct gas_arrays *from, uint32_t wanted,
                                                         struct shoal_error *error);

#endif
