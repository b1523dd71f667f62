/* Private: functions of the parameters for check.c, problem.c and the starts. */
#ifndef SHOAL_GAS_PROBLEM_H
#define SHOAL_GAS_PROBLEM_H

#include "gas/gas.h"
#include "gas/thesis/options.h"

/* GAS_OPTIONS, gas_options: defined in options.c. */
enum { GAS_OPTIONS = 67 + GAS_THESIS_OPTIONS };
extern const struct shoal_option gas_options[GAS_OPTIONS];
/* gas_method_names: in the order of enum shoal_gas_method, then the method of the thesis.
 * gas_old_method_names, gas_old_wall_method_names: in the order of the numbers that old checkpoints and
 * tuning files hold. */
extern const char *const gas_method_names[], *const gas_old_method_names[],
                                                 *const gas_old_wall_method_names[];

/* Parameters as they take effect: a file with a pair force implies SHOAL_GAS_USER, a start file
 * SHOAL_GAS_FILE. */
enum shoal_gas_potential gas_potential_of(const struct shoal_gas_params *params);
enum shoal_gas_start gas_start_of(const struct shoal_gas_params *params);

/* Number of particles that the parameters ask for, for starts without a file. */
size_t gas_particles_of(const struct shoal_gas_params *params);

/* Whether the law has a long-range part, to which no cutoff applies. */
bool gas_is_long(enum shoal_gas_potential potential);
/* Name of a potential for messages. */
const char *gas_potential_name(enum shoal_gas_potential potential);

/* The cutoff that the parameters ask for; infinity: no cutoff; NaN: the text of a user's pair force sets the
 * cutoff. */
double gas_cutoff_of(const struct shoal_gas_params *params);

/* Whether pairs of particles interact; false: an ideal gas. */
bool gas_has_pair_force(const struct shoal_gas_params *params);

/* gas_boundary_of: enum shoal_gas_boundary of an axis. gas_wall_of: enum shoal_gas_wall of side 0 (low) or 1
 * (high) of an axis. */
int32_t gas_boundary_of(const struct shoal_gas_params *params, size_t axis);
int32_t gas_wall_of(const struct shoal_gas_params *params, size_t axis, size_t side);

/* Computes the lengths of the box for `n` particles. given: box in the start file; NULL: there is none. */
SHOAL_MUST_CHECK enum shoal_status gas_box_of(const struct shoal_gas_params *params, size_t n,
                                              const double *given, double length[GAS_MAX_DIM],
                                              struct shoal_error *error);
/* Checks that the cutoff is at most half of each periodic length, so that the nearest image is unique. */
SHOAL_MUST_CHECK enum shoal_status gas_check_cutoff(const struct shoal_gas_params *params,
                                                    const double length[GAS_MAX_DIM], double cutoff,
                                                    struct shoal_error *error);

/* Checks the ranges of observables. */
SHOAL_MUST_CHECK enum shoal_status gas_check_ranges(const struct shoal_gas_params *params,
                                                    const double length[GAS_MAX_DIM],
                                                    struct shoal_error *error);

/* Sets kind, cutoff and constants of the pair force. The text of a user's pair force must be set. */
SHOAL_MUST_CHECK enum shoal_status gas_set_pair(struct gas_problem *problem, struct shoal_error *error);
/* Defined in pair_check.c. SHOAL_INVALID: at one of 50 distances up to the cutoff, the force of a user's text
 * is not the derivative of its energy. */
SHOAL_MUST_CHECK enum shoal_status gas_check_pair(const struct gas_problem *problem,
                                                  struct shoal_error *error);
/* Returns the error of a pair force for which neither its text nor --cutoff gives a cutoff. */
enum shoal_status gas_fail_without_cutoff(const struct gas_problem *problem, struct shoal_error *error);

#endif
