/* Private: functions of the parameters, for check.c, problem.c and the folder `start`. */
#ifndef SHOAL_GAS_PROBLEM_H
#define SHOAL_GAS_PROBLEM_H

#include "gas/gas.h"
#include "gas/thesis/options.h"

/* Number and table of the options, defined in options.c. */
enum { GAS_OPTIONS = 91 + GAS_THESIS_OPTIONS };
extern const struct shoal_option gas_options[GAS_OPTIONS];
/* Names of methods and wall methods. gas_method_names: in the order of enum shoal_gas_method, then the method
 * of the thesis. gas_old_method_names, gas_old_wall_method_names: in the order of the numbers in checkpoints
 * and tuning files of earlier versions. */
extern const char *const gas_method_names[], *const gas_old_method_names[],
                                                 *const gas_old_wall_method_names[];

/* Parameters as they take effect: a file with a pair force implies SHOAL_GAS_USER, and a start file implies
 * SHOAL_GAS_FILE. */
enum shoal_gas_potential gas_potential_of(const struct shoal_gas_params *params);
enum shoal_gas_start gas_start_of(const struct shoal_gas_params *params);

/* Number of particles that the parameters ask for, if the start is not a file. */
size_t gas_particles_of(const struct shoal_gas_params *params);

/* Whether the potential has a long-range part, to which no cutoff applies. */
bool gas_is_long(enum shoal_gas_potential potential);
/* Name of a potential for messages. */
const char *gas_potential_name(enum shoal_gas_potential potential);

/* The cutoff that the parameters ask for; infinity: there is no cutoff; NaN: the text of a user's pair force
 * has to set it. */
double gas_cutoff_of(const struct shoal_gas_params *params);

/* Whether pairs of particles interact; false: an ideal gas. */
bool gas_has_pair_force(const struct shoal_gas_params *params);

/* gas_boundary_of: the boundary of an axis, enum shoal_gas_boundary. gas_wall_of: the wall of side 0 (low) or
 * 1 (high) of an axis, enum shoal_gas_wall. */
int32_t gas_boundary_of(const struct shoal_gas_params *params, size_t axis);
int32_t gas_wall_of(const struct shoal_gas_params *params, size_t axis, size_t side);

/* Computes the lengths of the box for `n` particles. given: lengths of the box in the start file; NULL: there
 * is no start file. */
SHOAL_MUST_CHECK enum shoal_status gas_box_of(const struct shoal_gas_params *params, size_t n,
                                              const double *given, double length[GAS_MAX_DIM],
                                              struct shoal_error *error);
/* Checks that the cutoff is at most half of each periodic length, so that the nearest image is unique. */
SHOAL_MUST_CHECK enum shoal_status gas_check_cutoff(const struct shoal_gas_params *params,
                                                    const double length[GAS_MAX_DIM], double cutoff,
                                                    struct shoal_error *error);

/* Checks that the range of the distance histogram and cluster_distance are at most half of each periodic
 * length. */
SHOAL_MUST_CHECK enum shoal_status gas_check_ranges(const struct shoal_gas_params *params,
                                                    const double length[GAS_MAX_DIM],
                                                    struct shoal_error *error);

/* Sets start_temperature to that of the velocities of a caller or a file, of which each particle has
 * `stride`; NULL: the velocities are drawn. */
void gas_set_start_temperature(struct gas_problem *problem, const double *velocity, size_t stride);

/* Sets kind, cutoff, cut and constants of the pair force. The text of a user's pair force must be set before.
 */
SHOAL_MUST_CHECK enum shoal_status gas_set_pair(struct gas_problem *problem, struct shoal_error *error);
/* Defined in pair_check.c. SHOAL_INVALID: at one of 50 distances up to the cutoff the force of a user's text
 * is not -u'(r) for its energy u. */
SHOAL_MUST_CHECK enum shoal_status gas_check_pair(const struct gas_problem *problem,
                                                  struct shoal_error *error);
/* Returns the error of a user's pair force without a cutoff: neither its text nor --cutoff gives one. */
enum shoal_status gas_fail_without_cutoff(const struct gas_problem *problem, struct shoal_error *error);

#endif
