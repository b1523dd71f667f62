/* Genetic algorithms on the device under test against the host solver. */
#ifndef SHOAL_TESTS_GA_COMPARE_H
#define SHOAL_TESTS_GA_COMPARE_H

#include "harness.h"

#include <shoal/ga.h>

/* Genes of all kinds; the same without reals, with wide numbers and an odd number of bits and places. */
extern const char mixed_genes[], whole_genes[];

/* Number of a built-in function, as in the parameters. */
int32_t function_named(const char *name);
/* A formula over variables; of tolerance 0 with whole values, without points that only rounding tells apart.
 */
struct shoal_objective *formula_over(const char *variables, double tolerance);
/* In double precision, by the method pipeline. */
struct shoal_ga_params pipeline_params(void);

/* Steps of both solvers give the same members, best value and counts of evaluations. `prepare`: called with
 * the solver of the device before its first step; NULL: nothing. name, k: of the case, for messages. */
void compare_with_host(const struct shoal_ga_params *params, const char *name, size_t k, double tolerance,
                       void (*prepare)(struct shoal_solver *solver, size_t k));
/* The same, step by step, until all runs have ended; returns how many steps there were. */
uint64_t compare_to_end(const struct shoal_ga_params *params, const char *name, double tolerance);

/* A must_end that is true once, when it has been asked as often as the int at `data` says. */
bool ends_after(void *data);

#endif
