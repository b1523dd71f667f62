/* Private: a gas with neighbour lists that several devices share.
 *
 * Particles are in the order of cells. Cells with the same index along the last axis (with pencils, with
 * 2^pencil indices) form a layer, and layers follow each other. The order is the same on all devices, and a
 * share is a range of places in this order: a slab of the box, whose borders may lie within a layer. A share
 * builds the lists of its particles and moves these particles.
 *
 * - After each step but the last one before a rebuild the shares exchange the positions of their halos. The
 *   halo of a share has all places in the layers within reach of the layers of its particles. A halo may hold
 *   places of several other shares, or on both sides places of the same share.
 * - At a rebuild a share sorts the layers of its particles and of their neighbours. First it counts its own
 *   particles in each cell. Then the shares exchange the state of the particles in the surrounding layers,
 *   and the number of particles of each share in each layer. From these numbers each share computes the
 *   places of its layers, in a launch that also counts the particles of other shares in each cell and unpacks
 *   their crossings.
 * - At a rebuild the cuts between the shares move, so that each share has the same fraction of the cost as of
 *   the units at the start. The cost of a layer is computed from the number of neighbours in the lists before
 *   the last ones, so that the host need not wait for the last ones.
 * - After each of these steps and each build the shares exchange the words of their devices, and each share
 *   merges them, so that an overflow of a list or a displacement beyond half the skin in one share stops all
 *   shares at the same step.
 * - Where kernels read the memory of the other devices, the exchanges after a step or a build are made by the
 *   first work-groups of the launch of the next step, while others compute forces. Such an exchange is put
 *   off. In it shares only hear that a list has overflowed or a particle has moved too far, and merge no
 *   words. The next exchange in a launch of its own merges them, at the latest at the end of a block, before
 *   the host reads them.
 */
#ifndef SHOAL_GAS_DOMAINS_H
#define SHOAL_GAS_DOMAINS_H

#include "gas/methods/neighbours.h"

extern const struct shoal_program_desc gas_domains_program;

/* Sets gas_device.domains if devices share the gas. After a failure gas_domains_destroy frees what was
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
/* Called after lists were built: merges the words of all shares, unless this is put off, and waits until the
 * host has the layers of the sort. next: kernel gas_list_met_step, if the next launch makes a step; NULL:
 * another command may follow. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_built(struct shoal_solver *share, struct shoal_kernel *next,
                                                     struct shoal_error *error);
/* Called after a step: copies the positions of the halo, and merges the words of all shares, unless this is
 * put off. Not called after the last step before a rebuild: nothing reads the halo, and what this step
 * reports (the rate of displacements, a particle that exploded or escaped) is merged by gas_domains_built or,
 * if that is put off, by a later exchange. next: as in gas_domains_built. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_step(struct shoal_solver *share, struct shoal_kernel *next,
                                                    struct shoal_error *error);
/* Whether the next launch must make the meeting of gas_domains_built or gas_domains_step: by
 * gas_domains_met_step, which makes the step of `launch`, too. groups: number of work-groups for the step. */
bool gas_domains_must_meet(const struct shoal_solver *share);
SHOAL_MUST_CHECK enum shoal_status
gas_domains_met_step(struct shoal_solver *share, struct shoal_kernel *kernel, size_t groups,
                     struct gas_list_launch launch, struct shoal_event **event, struct shoal_error *error);
/* Called after a sort of all particles that gas_domains_gather has not prepared: finds the layers and the
 * halo, and waits for the device. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_find_halo(struct shoal_solver *share,
                                                         struct shoal_error *error);

/* The current cuts between the shares, in the format of solver_visit.cuts; NULL: they are not set yet, or
 * gas_device.domains is NULL. */
const uint64_t *gas_domains_cuts(const struct gas_device *device);

/* Called when other code than steps has moved particles: the next sort then sorts all particles. */
void gas_domains_forget(struct shoal_solver *share);

/* The shares exchange border crossings in the order of places. gas_domains_pack: copies the crossings of the
 * share's own particles to the order of places. gas_domains_unpack: copies the crossings of all particles to
 * the order of the particles' numbers. */
SHOAL_MUST_CHECK enum shoal_status gas_domains_pack(struct shoal_solver *share, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_domains_unpack(struct shoal_solver *share, struct shoal_error *error);
/* The array of border crossings in the order of places; NULL: the box has no periodic borders. */
struct shoal_buffer *gas_domains_crossings(const struct gas_device *device);
/* The positions from which the lists were built; NULL: gas_device.domains is NULL. */
struct shoal_buffer *gas_domains_reference(const struct gas_device *device);

/* The member `agree` of struct workload_split. SHOAL_INVALID: the devices are of different kinds and would
 * sort particles by different cells. */
enum shoal_status gas_domains_agree(struct shoal_solver *whole, struct shoal_error *error);

#endif
