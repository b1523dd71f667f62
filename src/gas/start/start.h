/* Private: initial positions and velocities. */
#ifndef SHOAL_GAS_START_H
#define SHOAL_GAS_START_H

#include "base/text.h"
#include "gas/model/problem.h"
#include "io/particles/particles.h"

/* Sites of a lattice that fills the box, at least `wanted`; square in 2D, face-centred cubic in 3D. */
struct gas_lattice {
    size_t dim, basis, count[GAS_MAX_DIM], sites;
    double spacing[GAS_MAX_DIM];
};
struct gas_lattice gas_lattice_fitting(size_t dim, const double length[GAS_MAX_DIM], size_t wanted);

/* Sets all positions by the start of the parameters; box and pair force are set. `file`: contents of the
 * start file, NULL for other starts. */
SHOAL_MUST_CHECK enum shoal_status gas_place(struct gas_problem *problem, const struct particles *file,
                                             struct shoal_error *error);

/* Particles first .. n - 1 at random: none closer to another of them than `distance`, nor to the middle of
 * the box than `hole`. The caller has checked that they fit. */
SHOAL_MUST_CHECK enum shoal_status gas_scatter(struct gas_problem *problem, size_t first, double distance,
                                               double hole, struct shoal_error *error);
/* A distance at which this number of particles is easily placed, at most the range of the repulsion. */
double gas_easy_distance(const struct gas_problem *problem, size_t count, double volume);

SHOAL_MUST_CHECK enum shoal_status gas_place_random(struct gas_problem *problem, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_place_droplet(struct gas_problem *problem, struct shoal_error *error);
/* Defined in start_notes.c: notes for the user on how the start file was read and what in it has no effect.
 * gas_note_file adds notes on the file alone, one sentence a line; gas_warn_of_file logs each note, also
 * those that depend on the run, and sets problem->notes. */
void gas_note_file(const struct shoal_gas_params *params, const struct particles *file, struct text *notes);
SHOAL_MUST_CHECK enum shoal_status gas_warn_of_file(const struct shoal *shoal, struct gas_problem *problem,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_place_file(struct gas_problem *problem, const struct particles *file,
                                                  struct shoal_error *error);

/* Positions, velocities of the full step, box and crossings of a gas in a checkpoint. SHOAL_INVALID: it is of
 * another workload. */
SHOAL_MUST_CHECK enum shoal_status gas_read_checkpoint(struct shoal *shoal, const char *path,
                                                       struct particles *particles,
                                                       struct shoal_error *error);

/* Reads the particles of the start file; velocities are converted to the mass in the parameters. */
SHOAL_MUST_CHECK enum shoal_status gas_read_start(struct shoal *shoal, const struct shoal_gas_params *params,
                                                  struct particles *file, struct shoal_error *error);

/* Is the checkpoint whole, and of a gas? */
SHOAL_MUST_CHECK enum shoal_status gas_check_checkpoint(const char *path, struct shoal_error *error);

/* Fails for a pair whose energy is too large for any time step, and names it; if a minimisation follows, only
 * for a pair whose force is no number. `minimised`: the steps of a minimisation that was made; NULL: none was
 * made. */
SHOAL_MUST_CHECK enum shoal_status gas_check_overlaps(const struct gas_problem *problem,
                                                      const uint64_t *minimised, struct shoal_error *error);

/* Velocities of Maxwell's law without total momentum, of exactly the temperature of the parameters. */
void gas_set_velocities(struct gas_problem *problem);

#endif
