/* Private: functions of the parameters, shared by check.c, problem.c and the starts. */
#ifndef SHOAL_GAS_PROBLEM_H
#define SHOAL_GAS_PROBLEM_H

#include "gas/gas.h"
#include "gas/thesis/options.h"

/* Defined in options.c. */
enum { GAS_OPTIONS = 67 + GAS_THESIS_OPTIONS };
extern const struct shoal_option gas_options[GAS_OPTIONS];
/* gas_method_names: names in the order of enum shoal_gas_method, then the method of the thesis. The other
 * arrays: names in the order of checkpoints and tuning files that stored numbers. */
extern const char *const gas_method_names[], *const gas_old_method_names[],
                                                 *const gas_old_wall_method_names[];

/* Parameters as they take effect: a pair force in a file gives SHOAL_GAS_USER, a start file
 * SHOAL_GAS_FILE. */
enum shoal_gas_potential gas_potential_of(const struct shoal_gas_params *params);
enum shoal_gas_start gas_start_of(const struct shoal_gas_params *params);

/* Number of particles of a start that is not in a file. */
size_t gas_particles_of(const struct shoal_gas_params *params);

/* Whether the law reaches over all space, whatever the cutoff. */
bool gas_is_long(enum shoal_gas_potential potential);
/* Name of a potential for messages. */
const char *gas_potential_name(enum shoal_gas_potential potential);

/* The cutoff that the parameters ask for; infinity: no cutoff; NaN: the cutoff in the text of a user's pair
 * force. */
double gas_cutoff_of(const struct shoal_gas_params *params);

/* False for an ideal gas: no pair of particles interacts. */
bool gas_has_pair_force(const struct shoal_gas_params *params);

/* enum shoal_gas_boundary of an axis, and enum shoal_gas_wall of one side, 0 low, 1 high. */
int32_t gas_boundary_of(const struct shoal_gas_params *params, size_t axis);
int32_t gas_wall_of(const struct shoal_gas_params *params, size_t axis, size_t side);

/* Lengths of the box for `n` particles. given: box of a start file; NULL: none. */
SHOAL_MUST_CHECK enum shoal_status gas_box_of(const struct shoal_gas_params *params, size_t n,
                                              const double *given, double length[GAS_MAX_DIM],
                                              struct shoal_error *error);
/* Checks that the cutoff is at most half the box: up to there the nearest image is unique. */
SHOAL_MUST_CHECK enum shoal_status gas_check_cutoff(const struct shoal_gas_params *params,
                                                    const double length[GAS_MAX_DIM], double cutoff,
                                                    struct shoal_error *error);

/* Checks the ranges of observables. */
SHOAL_MUST_CHECK enum shoal_status gas_check_ranges(const struct shoal_gas_params *params,
                                                    const double length[GAS_MAX_DIM],
                                                    struct shoal_error *error);

/* Sets kind, cutoff and constants of the pair force; the text of a user's pair force is already set. */
SHOAL_MUST_CHECK enum shoal_status gas_set_pair(struct gas_problem *problem, struct shoal_error *error);
/* Defined in pair_check.c. SHOAL_INVALID: at one of 50 distances up to the cutoff the force of a user's text
 * is not the slope of its energy. */
SHOAL_MUST_CHECK enum shoal_status gas_check_pair(const struct gas_problem *problem,
                                                  struct shoal_error *error);
/* Fails because neither the text of the pair force nor --cutoff gives a cutoff. */
enum shoal_status gas_fail_without_cutoff(const struct gas_problem *problem, struct shoal_error *error);

#endif
