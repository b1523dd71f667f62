/* Passes a problem to kernels: values of defines, and settings. */
#include "cl/ga/choices.clh"
#include "ga/device/device.h"
#include "objective/rows/table.h"

#include <string.h>

#define SAME(kernels, host)                                                                                  \
    _Static_assert((int)(kernels) == (int)(host), "values differ between host and kernels")
SAME(SELECT_TOURNAMENT, SHOAL_GA_TOURNAMENT);
SAME(SELECT_OWN, SHOAL_GA_OWN);
SAME(SELECT_ROULETTE, SHOAL_GA_ROULETTE);
SAME(SELECT_SUS, SHOAL_GA_SUS);
SAME(SELECT_LINEAR_RANK, SHOAL_GA_LINEAR_RANK);
SAME(SELECT_EXPONENTIAL_RANK, SHOAL_GA_EXPONENTIAL_RANK);
SAME(SELECT_TRUNCATION, SHOAL_GA_TRUNCATION);
SAME(SELECT_BOLTZMANN, SHOAL_GA_BOLTZMANN);
SAME(SELECT_BEST, SHOAL_GA_BEST);
SAME(CROSS_SBX_BOUNDED, SHOAL_GA_SBX_BOUNDED);
SAME(CROSS_SBX, SHOAL_GA_SBX);
SAME(CROSS_BLX, SHOAL_GA_BLX);
SAME(CROSS_ARITHMETIC, SHOAL_GA_ARITHMETIC);
SAME(CROSS_AVERAGE, SHOAL_GA_AVERAGE);
SAME(CROSS_HEURISTIC, SHOAL_GA_HEURISTIC);
SAME(CROSS_ONE_POINT, SHOAL_GA_ONE_POINT);
SAME(CROSS_TWO_POINT, SHOAL_GA_TWO_POINT);
SAME(CROSS_UNIFORM, SHOAL_GA_UNIFORM);
SAME(CROSS_NONE, SHOAL_GA_NO_CROSSOVER);
SAME(CROSS_OX, SHOAL_GA_OX);
SAME(CROSS_PMX, SHOAL_GA_PMX);
SAME(CROSS_CX, SHOAL_GA_CX);
SAME(CROSS_ERX, SHOAL_GA_ERX);
SAME(MUTATE_POLYNOMIAL, SHOAL_GA_POLYNOMIAL);
SAME(MUTATE_GAUSSIAN, SHOAL_GA_GAUSSIAN);
SAME(MUTATE_UNIFORM, SHOAL_GA_UNIFORM_IN_BOX);
SAME(MUTATE_STEP, SHOAL_GA_STEP);
SAME(MUTATE_FLIP, SHOAL_GA_FLIP);
SAME(MUTATE_TAIL_INVERSION, SHOAL_GA_TAIL_INVERSION);
SAME(MUTATE_NONE, SHOAL_GA_NO_MUTATION);
SAME(MUTATE_SWAP, SHOAL_GA_SWAP);
SAME(MUTATE_INSERTION, SHOAL_GA_INSERTION);
SAME(MUTATE_REVERSAL, SHOAL_GA_REVERSAL);
SAME(MUTATE_SCRAMBLE, SHOAL_GA_SCRAMBLE);
SAME(BOUNDS_CLAMP, SHOAL_GA_CLAMP);
SAME(BOUNDS_REFLECT, SHOAL_GA_REFLECT);
SAME(BOUNDS_PENALTY, SHOAL_GA_PENALTY);
SAME(BOUNDS_NONE, SHOAL_GA_UNBOUNDED);
SAME(PANMICTIC, SHOAL_GA_PANMICTIC);
SAME(CELLULAR_4, SHOAL_GA_CELLULAR_4);
SAME(CELLULAR_8, SHOAL_GA_CELLULAR_8);
SAME(GENERATIONAL, SHOAL_GA_GENERATIONAL);
SAME(STEADY, SHOAL_GA_STEADY);
SAME(PLUS, SHOAL_GA_PLUS);
SAME(COMMA, SHOAL_GA_COMMA);
SAME(VICTIM_WORST, SHOAL_GA_VICTIM_WORST);
SAME(VICTIM_RANDOM, SHOAL_GA_VICTIM_RANDOM);
SAME(VICTIM_OLDEST, SHOAL_GA_VICTIM_OLDEST);
SAME(VICTIM_PARENT, SHOAL_GA_VICTIM_PARENT);

void ga_program_defines(const struct shoal_solver *solver, const struct shoal_program_desc *desc,
                        struct defines *defines)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct shoal_ga_params *params = device->problem.params;
    const struct objective_table *table = device->problem.search.objective->table;
    const struct ga_operators *operators = &device->problem.operators;
    const struct shoal_define all[] = {
        {"BIT_MUTATION", operators->mutate_bits},
        {"BOUNDS", params->bounds},
        {"BOX", !device->problem.search.same_box},
        {"CROSSOVER", operators->cross_reals},
        {"MUTATION", operators->mutate_reals},
        {"ORDER_CROSSOVER", operators->cross_order},
        {"ORDER_MUTATION", operators->mutate_order},
        {"IN_WORDS", device->problem.search.has_genome},
        {"REAL", device->search.precision == SHOAL_FP64 ? 64 : 32},
        {"REPAIRS", device->problem.search.repair},
        {"REPLACEMENT", params->replacement},
        {"SELECTION", params->selection},
        {"SIGMA_BOX", params->sigma_unit == SHOAL_GA_SIGMA_BOX},
        {"STRUCTURE", params->structure},
        {"VICTIM", params->victim},
        {"WHOLE_CROSSOVER", operators->cross_wholes},
        {"WHOLE_VALUES", device->problem.search.info->whole_values},
        {"COLUMNS", table ? (int64_t)table->columns : 1},
        {"DIM", (int64_t)device->problem.search.point_dim},
        {"ELITES", (int64_t)params->elites},
        {"FURTHER", !device->problem.one_gene},
        {"GENOME_BITS", (int64_t)device->problem.genes.bits},
        {"GENOME_PLACES", (int64_t)device->problem.genes.places},
        {"GENOME_REALS", (int64_t)device->problem.genes.reals},
        {"GENOME_WHOLES", (int64_t)device->problem.genes.wholes},
        {"TABLE_ROWS", table ? (int64_t)table->rows : 1},
        {"TOURNAMENT", (int64_t)params->tournament},
    };
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < desc->define_count; k++)
            if (strcmp(desc->defines[k].name, all[i].name) == 0)
                define_add(defines, all[i].name, all[i].value);
}

SAME(SET_OWN, SET_CROSS_POWER);
_Static_assert((int)SET_PENALTY < (int)SET_BOX, "room for the settings of the algorithm");

void ga_fill_settings(const struct search_problem *search, double *settings)
{
    const struct ga_problem *problem = (const struct ga_problem *)search;
    const struct shoal_ga_params *params = problem->params;
    settings[SET_CROSS_POWER] = params->crossover_eta + 1;
    settings[SET_CROSS_ROOT] = 1 / (params->crossover_eta + 1);
    settings[SET_CROSS_ALPHA] = problem->alpha;
    settings[SET_MUTATE_POWER] = params->mutation_eta + 1;
    settings[SET_MUTATE_ROOT] = 1 / (params->mutation_eta + 1);
    settings[SET_SIGMA] = params->sigma;
    settings[SET_TEMPERATURE] = params->temperature;
    settings[SET_COOLING] = params->cooling;
    settings[SET_PENALTY] = problem->search.penalty;
}

/* Returns, for messages, a feature of a genome that methods with one launch for each generation lack; NULL:
 * they lack none. */
static const char *genome_lacks(const struct ga_problem *problem)
{
    if (!problem->search.info->variables || problem->search.info->shape != SHOAL_OPAQUE)
        return "objectives over reals with genes of other kinds";
    return NULL;
}

const char *ga_objective_lacks(const struct ga_problem *problem)
{
    const struct shoal_objective *objective = problem->search.objective;
    if (problem->search.info->dynamic)
        return "objectives that depend on the generation";
    if (!problem->search.has_genome && problem->search.repair)
        return "objectives that repair individuals";
    if (problem->improve.search)
        return "a local search of children";
    if (problem->messy)
        return "messy genes";
    if (problem->search.info->shape != SHOAL_PER_DIMENSION && problem->search.info->shape != SHOAL_OPAQUE)
        return "objectives over the rows of a table";
    if (!problem->search.has_genome && objective->table && !search_settings_table(objective))
        return SEARCH_SETTINGS_LACKS;
    return NULL;
}

const char *ga_rule_lacks(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    if (problem->search.has_genome && genome_lacks(problem))
        return genome_lacks(problem);
    if (problem->thesis.generator_words)
        return "random numbers other than philox";
    if (problem->is_cellular)
        return "cellular structures";
    if (params->replacement != SHOAL_GA_GENERATIONAL)
        return "replacements other than generational";
    return ga_objective_lacks(problem);
}
