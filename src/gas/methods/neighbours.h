/* Private: neighbour lists on a device: all particles within cutoff + skin of each particle.
 *
 * The list is full: each particle of a pair is in the list of the other particle. `list` is an array of
 * entries of 16 or 32 bits. The entry of neighbour k of the particle at place i has the index ((i / tile) *
 * capacity + k) * tile + i % tile in this array. The particle has counts[i] neighbours, in an order that
 * depends on the positions alone; cl/gas/methods/list_entry.clh reads and writes entries.
 *
 * A list is valid while no particle has moved by more than skin / 2 from its position in `sort->reference`. A
 * list may hold pairs whose distance exceeds cutoff + skin by up to a millionth. On a periodic axis only the
 * nearest image of a pair counts.
 *
 * Overflow: if a particle has more than `capacity` neighbours, words[WORD_OVERFLOW] is set to the largest
 * number of neighbours. The device then makes no steps until gas_neighbours_repair has allocated a larger
 * list, so that no step uses an incomplete list. The same happens, with LIST_FAR, if a neighbour is too far
 * away in the order of particles for an entry of 16 bits; entries then have 32 bits.
 *
 * Resuming: from the reference positions, velocities and ids of the checkpoint gas_neighbours_build makes the
 * same list; then the words of the checkpoint are written to the device.
 */
#ifndef SHOAL_GAS_NEIGHBOURS_H
#define SHOAL_GAS_NEIGHBOURS_H

#include "gas/device/sort.h"

/* What a caller may choose; 0: the value that suits the gas and the device. With
 * GAS_SORT_SERIAL entries have 32 bits. */
struct gas_list_layout {
    uint32_t tile, capacity, window_bits;
};

struct gas_neighbours {
    struct shoal_buffer *list, *counts; /* counts: [padded] of uint, 0 beyond n */
    uint32_t tile;                      /* -D LIST_TILE */
    uint32_t capacity;                  /* most neighbours of a particle for which `list` has room */
    uint32_t window_bits;               /* -D WINDOW_BITS; above 16, entries have 32 bits */
    uint32_t spare;                     /* entries of a list behind its neighbours that the build uses */
    double skin, range;                 /* range: cutoff + skin */
    struct gas_sort *sort;
    /* Only the files of the list use the following members. */
    /* number of cells, on either side of the cell of a particle, that the range covers */
    uint32_t reach[GAS_MAX_DIM];
    struct gas_mesh created; /* cells of the sort when it was created */
    uint32_t items;          /* number of particles that a work-item handles */
    struct shoal_kernel *build;
};

/* Number of particles whose lists are interleaved; on CPUs a work-item moves them together. No result depends
 * on it. */
uint32_t gas_list_tile(const struct shoal_device *device);
/* Whether this gas can have a neighbour list. If not, `error` has the reason (SHOAL_UNSUPPORTED,
 * SHOAL_OUT_OF_DEVICE_MEMORY). skin: the skin of the list. */
SHOAL_MUST_CHECK enum shoal_status gas_neighbours_fits(const struct gas_problem *problem, double skin,
                                                       const struct shoal_device_info *info,
                                                       struct shoal_error *error);
/* Estimates the bytes of device memory of the list and its sort. The sizes in the struct gas_device must be
 * set. */
double gas_neighbours_bytes(const struct shoal_solver *solver, double skin);
/* Creates a list. The state of the solver must be a struct gas_device whose problem, precision and buffers
 * are set. On failure *out is NULL. */
SHOAL_MUST_CHECK enum shoal_status
gas_neighbours_create(struct shoal_solver *solver, double skin, struct gas_list_layout layout,
                      enum gas_sort_method method, struct gas_neighbours **out, struct shoal_error *error);
size_t gas_neighbours_entry_bytes(const struct gas_neighbours *neighbours);
void gas_neighbours_destroy(struct gas_neighbours **neighbours);
/* Chooses the cells of the sort anew for the lengths of the box. */
void gas_neighbours_resized(const struct gas_problem *problem, struct gas_neighbours *neighbours);
/* Enqueues the sort of the particles `from` and the build of the list for the sorted particles, which are
 * then in the arrays of `sort`. Does not wait. The sort changes from->words: see gas_sort_run. holds: struct
 * gas_sort_launch. event: receives the event of the first launch after the sort; NULL: no event is wanted. */
SHOAL_MUST_CHECK enum shoal_status gas_neighbours_build(struct shoal_solver *solver,
                                                        struct gas_neighbours *neighbours,
                                                        const struct gas_arrays *from, bool holds,
                                                        struct shoal_event **event,
                                                        struct shoal_error *error);
/* To be called if words[WORD_OVERFLOW], passed as `wanted`, is not 0. Waits for the device, replaces `list`
 * by a larger list or by one with wider entries, and builds it from the same particles, `from`. A list that
 * was too small may then need wider entries. */
SHOAL_MUST_CHECK enum shoal_status gas_neighbours_repair(struct shoal_solver *solver,
                                                         struct gas_neighbours *neighbours,
                                                         const struct gas_arrays *from, uint32_t wanted,
                                                         struct shoal_error *error);

#endif
