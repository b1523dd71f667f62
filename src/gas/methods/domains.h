/* Private: a gas with neighbour lists that several devices share.
 *
 * Particles are in the order of cells, in which layers of cells across the last axis follow each other. The
 * order is the same on all devices, and a share is a range of places in this order: a slab of the box, whose
 * borders may lie within a layer. A share builds the lists of its particles and moves these particles.
 *
 * - After each step the shares exchange the positions of their halos. The halo of a share holds the places in
 *   all layers within reach of the layers in which the share has particles. A halo may belong to several
 *   other shares, or to one share on both sides.
 * - At a rebuild a share sorts the layers of its particles and of their neighbours. It counts its own
 *   particles in each cell. Then the shares exchange the data of the particles in the surrounding layers, and
 *   the numbers of particles of each share in each layer, from which each share computes the places of its
 *   layers.
 * - At a rebuild the cuts between the shares move, so that each share has the same part of the cost as of the
 *   units. The cost of a layer is computed from the numbers of neighbours in the lists before the
 *   last ones.
 * - After each step and each build the shares exchange their words, and each share merges them, so that an
 *   overflow of a list or a displacement beyond half the skin in one share stops all shares at the same step.
 */
#ifndef SHOAL_GAS_DOMAINS_H
#define SHOAL_GAS_DOMAINS_H

#include "gas/methods/neighbours.h"

extern const struct shoal_program_desc gas_domains_program;

/* Sets gas_device.domains if the gas is shared. After a failure gas_domains_destroy frees what was
 * created. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_create(struct shoal_solver *share,
                                                      const struct gas_neighbours *neighbours,
                                                      struct shoal_error *error);
void gas_domains_destroy(struct shoal_solver *share);
/* Bytes of device memory that gas_device.domains needs; 0: the gas is not shared. */
double gas_domains_bytes(const struct shoal_solver *share);

/* The functions below do nothing if gas_device.domains is NULL. All shares call gas_domains_gather,
 * gas_domains_built and gas_domains_step at the same time.
 *
 * gas_domains_gather is called before the sort and the build of lists, and copies the particles that the sort
 * needs. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_gather(struct shoal_solver *share, struct shoal_error *error);
/* Called after lists were built: merges the words of all shares, and waits for the layers of the sort. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_built(struct shoal_solver *share, struct shoal_error *error);
/* Called after a step: copies the halo, and merges the words of all shares. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_step(struct shoal_solver *share, struct shoal_error *error);
/* Called after a sort of all particles without gas_domains_gather: finds the halo, and waits for the
 * device. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_find_halo(struct shoal_solver *share,
                                                         struct shoal_error *error);

/* The current cuts, in the format of struct solver_visit. */
const uint64_t *gas_domains_cuts(const struct gas_device *device);

/* Called when particles were moved by other code than steps: the next sort will sort all particles. */
void gas_domains_forget(struct shoal_solver *share);

/* The shares exchange border crossings in the order of places. gas_domains_pack: copies the crossings of the
 * share's own particles to this order. gas_domains_unpack: copies the crossings of all particles to the order
 * of the particles' numbers. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_pack(struct shoal_solver *share, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_domains_unpack(struct shoal_solver *share, struct shoal_error *error);
/* The array of crossings in the order of places; NULL: nothing crosses borders. */
struct shoal_buffer *gas_domains_crossings(const struct gas_device *device);
/* The positions from which the lists were built; NULL: gas_device.domains is NULL. */
struct shoal_buffer *gas_domains_reference(const struct gas_device *device);

/* gas_domains_agree: workload_split.agree. SHOAL_INVALID: devices of different kinds would sort particles by
 * different cells. */
enum shoal_status gas_domains_agree(struct shoal_solver *whole, struct shoal_error *error);

#endif
