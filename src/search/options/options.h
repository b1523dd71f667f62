/* Private: options for the common parameters of all algorithms, as rows of the table of each algorithm:
 *
 *     #define OPTIONS_OF struct X_params        its first member is `search`
 *     #define SEARCH_FUNCTIONS objective_names  functions that the algorithm can search
 *     #define SEARCH_FUNCTION_NEEDS "!data"     further conditions of --function
 *     #define SEARCH_ISLANDS "islands"          name of the option for islands
 *     #define SEARCH_ISLANDS_HELP "number of islands in a run"
 *     #define SEARCH_ISLANDS_ALSO names         further names of this option, ended by NULL; only if the
 *                                               name is not "islands"
 *     #define SEARCH_MAIN_OF_ONE 0              flag of options whose meaning depends on the algorithm or the
 *                                               device: SHOAL_OPTION_MAIN (the default) or 0
 *     #define SEARCH_STAGNATION "100"           member `stagnation` of the algorithm, as text
 *     static const struct shoal_option options[] = {
 *     #include "search/options/problem.inc"
 *         ... options of the algorithm ...
 *     #include "search/options/run.inc"
 *         ... options of its methods ...
 *     #include "search/options/table.inc"
 *     };
 */
#ifndef SHOAL_SEARCH_OPTIONS_H
#define SHOAL_SEARCH_OPTIONS_H

#include "io/table.h"
#include "objective/objective.h"
#include "workload/options.h"

#include <float.h>
#include <shoal/fit.h>
#include <shoal/search.h>

/* Number of rows of problem.inc, run.inc and table.inc together. */
enum { SEARCH_OPTIONS = 50 };

/* Kernels count members, dimensions and steps in 32 bits, with room for rounding up. */
#define SEARCH_MAX_MEMBERS     268435456.0
#define SEARCH_MAX_DIM         1048576.0
#define SEARCH_MAX_STEPS       4294967040.0
#define SEARCH_MAX_SEED        18446744073709551615.0
#define SEARCH_MAX_ISLANDS     1048576.0
#define SEARCH_MAX_EVALUATIONS 1e18
/* Largest coordinate; its square is finite in single precision. */
#define SEARCH_MAX_COORDINATE 1e15

/* Text of the value of a macro, for help. */
#define SEARCH_TEXT(number)  SEARCH_TEXT_(number)
#define SEARCH_TEXT_(number) #number

/* Names of choices, each list ended by NULL. search_polish_names: enum shoal_polish_rule.
 * search_precision_names: enum shoal_precision. search_exchange_names: enum shoal_search_exchange.
 * search_repair_names: enum shoal_repair. search_refine_names: enum shoal_search_refine.
 * search_missing_names: what becomes of missing values. search_loss_names: enum shoal_loss. */
extern const char *const search_polish_names[],
    *const search_precision_names[], *const search_exchange_names[], *const search_repair_names[],
                                                                         *const search_refine_names[],
                                                                             *const search_missing_names[],
                                                                                 *const search_loss_names[];

/* Sets the defaults of the common parameters. size: bytes of the algorithm's parameters, which begin with
 * `params`. */
void search_params_init(struct shoal_search_params *params, size_t size);

#endif
