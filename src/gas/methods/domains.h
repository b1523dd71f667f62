/* Private: a gas with neighbour lists that several devices share.
 *
 * Particles are in the order of cells, in which layers of cells across the last axis follow each other. The
 * order is the same on all devices, and a share is a range of places in it: a slab of the box, whose borders
 * need not lie between two layers. A share builds the lists of its particles and moves these.
 *
 * - After each step the positions of the halo travel: of the places in all layers within reach of the layers
 *   in which the share has particles. They may belong to several other shares, or to one share on both sides.
 * - At a rebuild a share sorts the layers of its particles and of their neighbours: it counts its own
 *   particles in each cell; then all that moves with the particles of the layers around travels, and the
 *   numbers of particles of each share in each layer, from which each share knows the places of its layers.
 * - At a rebuild the cuts between the shares move, so that each share has the part of the cost that its units
 *   are of all: the cost of the particles of a layer follows from the neighbours in its last lists.
 * - After each step and each build the shares exchange their words, and each merges them. So what one share
 *   finds stops all of them at the same step: an overflow of a list, a displacement beyond half the skin.
 */
#ifndef SHOAL_GAS_DOMAINS_H
#define SHOAL_GAS_DOMAINS_H

#include "gas/methods/neighbours.h"

extern const struct shoal_program_desc gas_domains_program;

/* Sets gas_device.domains, where the gas is shared. gas_domains_destroy must accept the state that a failed
 * `create` has left. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_create(struct shoal_solver *share,
                                                      const struct gas_neighbours *neighbours,
                                                      struct shoal_error *error);
void gas_domains_destroy(struct shoal_solver *share);
/* Bytes of device memory; 0: the gas is not shared. */
double gas_domains_bytes(const struct shoal_solver *share);

/* The functions below do nothing where gas_device.domains is NULL. All shares call gas_domains_gather,
 * gas_domains_built and gas_domains_step at the same time.
 *
 * Called before the sort and the build of lists: copies the particles that the sort needs. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_gather(struct shoal_solver *share, struct shoal_error *error);
/* Called when lists were built: merges the words. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_built(struct shoal_solver *share, struct shoal_error *error);
/* Called after a step: copies the halo, and merges the words. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_step(struct shoal_solver *share, struct shoal_error *error);
/* Finds the halo after a sort of all particles, without gas_domains_gather; waits for it. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_find_halo(struct shoal_solver *share,
                                                         struct shoal_error *error);

/* The present cuts, as struct solver_visit has them. */
const uint64_t *gas_domains_cuts(const struct gas_device *device);

/* Called when particles were moved other than by steps: the next sort is one of all particles. */
void gas_domains_forget(struct shoal_solver *share);

/* Crossings of borders travel in the order of places. pack: brings those of the share's own particles into
 * this order; unpack: brings those of all particles into the order of their numbers. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_pack(struct shoal_solver *share, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_domains_unpack(struct shoal_solver *share, struct shoal_error *error);
/* The array in which crossings travel; NULL: nothing crosses borders. */
struct shoal_buffer *gas_domains_crossings(const struct gas_device *device);
/* The positions from which the lists were built; NULL: gas_device.domains is NULL. */
struct shoal_buffer *gas_domains_reference(const struct gas_device *device);

/* workload_split.agree: SHOAL_INVALID: devices of different kinds would sort particles by other cells. */
enum shoal_status gas_domains_agree(struct shoal_solver *whole, struct shoal_error *error);

#endif
