/* Private: the populations on a device. */
#ifndef SHOAL_GA_DEVICE_H
#define SHOAL_GA_DEVICE_H

#include "ga/ga.h"
#include "search/device/device.h"

struct ga_device {
    struct search_device search;
    struct ga_problem problem;
    struct shoal_buffer *x;    /* members, in tiles */
    struct shoal_buffer *best; /* values of the members */
};

static inline struct ga_device *ga_device_of(const struct shoal_solver *solver)
{
    return solver->state;
}

extern const struct search_device_ops ga_device_functions;
extern const struct search_method ga_fused_method, ga_onchip_method, ga_pipeline_method;

/* Adds those defines of cl/ga/choices.clh that the program has, with their values for the solver's
 * problem. */
void ga_program_defines(const struct shoal_solver *solver, const struct shoal_program_desc *desc,
                        struct defines *defines);

/* Contract rows for the defines of ga_program_defines. */
#define GA_PIPELINE_DEFINE_DESCS(file)                                                                       \
    DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                           \
        DEFINE(file, STRUCTURE, SHOAL_GA_PANMICTIC, SHOAL_GA_CELLULAR_8,                                     \
               "0 panmictic, 1 cellular with 4 neighbours, 2 with 8")
#define GA_VARY_DEFINE_DESCS(file)                                                                           \
    DEFINE(file, BOUNDS, SHOAL_GA_CLAMP, SHOAL_GA_UNBOUNDED, "0 clamp, 1 reflect, 2 penalty, 3 unbounded"),  \
        DEFINE(file, BOX, 0, 1, "1: box and shift of each dimension"),                                       \
        DEFINE(file, CROSSOVER, SHOAL_GA_SBX_BOUNDED, SHOAL_GA_NO_CROSSOVER,                                 \
               "1 bounded SBX, 2 SBX, 3 BLX, 4 arithmetic, 5 average, 6 heuristic, 7 one point, "            \
               "8 two points, 9 uniform, 10 none"),                                                          \
        DEFINE(file, MUTATION, SHOAL_GA_POLYNOMIAL, SHOAL_GA_NO_MUTATION,                                    \
               "1 polynomial, 2 Gaussian, 3 uniform, 7 none"),                                               \
        DEFINE(file, SIGMA_BOX, 0, 1, "1: the deviation of the Gaussian is in widths of the box")
/* Contract rows for the defines of genes other than reals. */
#define GA_GENES_DEFINE_DESCS(file)                                                                          \
    DEFINE(file, BIT_MUTATION, SHOAL_GA_FLIP, SHOAL_GA_NO_MUTATION, "5 flip, 6 tail inversion, 7 none"),     \
        DEFINE(file, ORDER_CROSSOVER, SHOAL_GA_NO_CROSSOVER, SHOAL_GA_ERX,                                   \
               "10 none, 11 OX, 12 PMX, 13 CX, 14 edge recombination"),                                      \
        DEFINE(file, ORDER_MUTATION, SHOAL_GA_NO_MUTATION, SHOAL_GA_SCRAMBLE,                                \
               "7 none, 8 swap, 9 insertion, 10 reversal, 11 scramble"),                                     \
        DEFINE(file, WHOLE_CROSSOVER, SHOAL_GA_ONE_POINT, SHOAL_GA_NO_CROSSOVER,                             \
               "of whole numbers and bits: 7 one point, 8 two points, 9 uniform, 10 none"),                  \
        DEFINE(file, WHOLE_VALUES, 0, 1, "1: the objective has whole values")

/* Returns, for messages, a feature of the problem that methods with one launch for each generation lack;
 * NULL: they lack none. */
const char *ga_rule_lacks(const struct ga_problem *problem);
/* Returns, for messages, a feature of the objective that methods with one launch for each generation lack;
 * NULL: they lack none. */
const char *ga_objective_lacks(const struct ga_problem *problem);

/* Contract rows for elites and selections, in methods with one launch for each generation.
 * GA_ONCHIP_DEFINE_DESCS: for islands on the chip. GA_FUSED_DEFINE_DESCS: for populations in global
 * memory. */
#define GA_ONCHIP_DEFINE_DESCS(file)                                                                         \
    DEFINE(file, ELITES, 0, GA_MAX_MEMBERS - 1, "members that stay"),                                        \
        DEFINE(file, SELECTION, SHOAL_GA_TOURNAMENT, SHOAL_GA_BOLTZMANN,                                     \
               "0 tournament, 1 own, 2 roulette, 3 SUS, 4 linear rank, 5 exponential rank, 6 truncation, "   \
               "7 Boltzmann")
#define GA_FUSED_DEFINE_DESCS(file)                                                                          \
    DEFINE(file, ELITES, 0, 1, "members that stay"),                                                         \
        DEFINE(file, SELECTION, SHOAL_GA_TOURNAMENT, SHOAL_GA_OWN, "0 tournament, 1 own")
#define GA_GENERATION_DEFINE_DESCS(file)                                                                     \
    GA_VARY_DEFINE_DESCS(file),                                                                              \
        DEFINE(file, COLUMNS, 1, SEARCH_SETTINGS_NUMBERS,                                                    \
               "columns of the table that an opaque objective reads"),                                       \
        DEFINE(file, DIM, 1, GA_MAX_DIM, "genes"),                                                           \
        DEFINE(file, FURTHER, 0, 1, "0: one gene of a child mutates at most"),                               \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, TABLE_ROWS, 1, SEARCH_SETTINGS_NUMBERS, "rows of that table"),                          \
        DEFINE(file, TOURNAMENT, 1, GA_MAX_MEMBERS, "contestants")
enum { GA_MAX_MEMBERS = 1 << 16, GA_MAX_DIM = 1 << 16 };

/* Writes the algorithm's settings, from index SET_OWN on. */
void ga_fill_settings(const struct search_problem *problem, double *settings);

#endif
