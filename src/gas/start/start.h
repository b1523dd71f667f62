/* Private: initial positions and velocities. */
#ifndef SHOAL_GAS_START_H
#define SHOAL_GAS_START_H

#include "base/text.h"
#include "gas/model/problem.h"
#include "io/particles/particles.h"

/* A lattice that fills the box: square in 2D, face-centred cubic in 3D. basis: number of sites in a cell;
 * count: number of cells along each axis; sites: number of sites, at least `wanted`; spacing: edges of a
 * cell. */
struct gas_lattice {
    size_t dim, basis, count[GAS_MAX_DIM], sites;
    double spacing[GAS_MAX_DIM];
};
struct gas_lattice gas_lattice_fitting(size_t dim, const double length[GAS_MAX_DIM], size_t wanted);

/* Sets all positions by the start that the parameters name. Box and pair force must be set. file: contents of
 * the start file; NULL: the start is not a file. */
SHOAL_MUST_CHECK enum shoal_status gas_place(struct gas_problem *problem, const struct particles *file,
                                             struct shoal_error *error);

/* Places the particles first .. n - 1 at random, none closer than `distance` to another of them, or closer
 * than `hole` to the centre of the droplet. The caller checks before that there is room for these particles.
 */
SHOAL_MUST_CHECK enum shoal_status gas_scatter(struct gas_problem *problem, size_t first, double distance,
                                               double hole, struct shoal_error *error);
/* A distance at which random addition places `count` particles quickly in `volume`; at most the distance at
 * which the pair force changes from repulsion to attraction. */
double gas_easy_distance(const struct gas_problem *problem, size_t count, double volume);

SHOAL_MUST_CHECK enum shoal_status gas_place_random(struct gas_problem *problem, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_place_droplet(struct gas_problem *problem, struct shoal_error *error);
/* Defined in start_notes.c: notes for the user on how the start file was read, and on parts of the file that
 * have no effect. gas_note_file adds notes on the file, one sentence in each line. gas_warn_of_file sets
 * problem->notes to these notes and to notes that depend on the run, and writes them to the log. */
void gas_note_file(const struct shoal_gas_params *params, const struct particles *file, struct text *notes);
SHOAL_MUST_CHECK enum shoal_status gas_warn_of_file(const struct shoal *shoal, struct gas_problem *problem,
                                                    struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_place_file(struct gas_problem *problem, const struct particles *file,
                                                  struct shoal_error *error);
/* Puts particle `i` at `x` along an axis, and into the box if the axis is periodic. crossed: receives the
 * number of borders that this crosses. GAS_TOO_FAR, GAS_OUTSIDE: there is no such place in the box. */
enum gas_put_result { GAS_PLACED, GAS_TOO_FAR, GAS_OUTSIDE };
enum gas_put_result gas_put(struct gas_problem *problem, size_t i, size_t axis, double x, int32_t *crossed);
/* Replaces positions and velocities, [n][dim], of a solver that has not begun. NULL: they stay. */
SHOAL_MUST_CHECK enum shoal_status gas_place_given(struct gas_problem *problem, const double *position,
                                                   const double *velocity, struct shoal_error *error);

/* Reads positions, velocities of the full step, border crossings and box from the checkpoint of a gas.
 * SHOAL_INVALID: the checkpoint is that of another workload. */
SHOAL_MUST_CHECK enum shoal_status gas_read_checkpoint(struct shoal *shoal, const char *path,
                                                       struct particles *particles,
                                                       struct shoal_error *error);

/* Reads the particles of the start file. Their velocities are converted to the mass of the parameters. */
SHOAL_MUST_CHECK enum shoal_status gas_read_start(struct shoal *shoal, const struct shoal_gas_params *params,
                                                  struct particles *file, struct shoal_error *error);

/* Number of particles at the start of a run. UINT32_MAX: the start file cannot be read; the solver will
 * report the reason. */
uint64_t gas_start_particles(const struct shoal_gas_params *params);
/* Number of particles in the checkpoint of a gas in `dim` dimensions; 0: the checkpoint has no particles, or
 * cannot be read. */
size_t gas_count_checkpoint(const char *path, size_t dim);

/* Checks that the file is an undamaged checkpoint of a gas. */
SHOAL_MUST_CHECK enum shoal_status gas_check_checkpoint(const char *path, struct shoal_error *error);

/* Fails if the energy of a pair is too large for any time step or, if a minimisation is still to come, if it
 * is not finite. The message names the pair. minimised: number of steps of the minimisation that was made;
 * NULL: none was made. */
SHOAL_MUST_CHECK enum shoal_status gas_check_overlaps(const struct gas_problem *problem,
                                                      const uint64_t *minimised, struct shoal_error *error);

/* Draws velocities from Maxwell's distribution, removes the total momentum, and scales the velocities to the
 * temperature of the parameters. */
void gas_set_velocities(struct gas_problem *problem);

#endif
