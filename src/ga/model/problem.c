/* Constants of a genetic algorithm: sizes, and tables of thresholds. */
#include "ga/model/problem.h"
#include "base/error.h"
#include "ga/model/rates.h"
#include "search/space.h"

#include <math.h>
#include <stdlib.h>

static const double least_temperature = 0.01;

double ga_temperature(const struct shoal_ga_params *params, uint64_t step)
{
    return fmax(params->temperature * pow(params->cooling, (double)step - 1), least_temperature);
}

uint64_t ga_children(const struct shoal_ga_params *params)
{
    const uint64_t population = params->population;
    if (ga_is_cellular(params))
        return population;
    switch ((enum shoal_ga_replacement)params->replacement) {
    case SHOAL_GA_GENERATIONAL:
        return params->elites < population ? population - params->elites : 1;
    case SHOAL_GA_STEADY:
        return params->children ? params->children : 2;
    case SHOAL_GA_PLUS:
        return params->children ? params->children : population;
    case SHOAL_GA_COMMA:
        return params->children ? params->children : 7 * population;
    case SHOAL_GA_REPLACEMENT_AUTO: /* as STEADY, which makes more children than GENERATIONAL */
        break;
    }
    return population;
}

void ga_resolve_replacement(struct shoal_ga_params *params, bool has_reals_alone, bool is_dynamic)
{
    const bool by_pipeline = params->method == SHOAL_GA_AUTO || params->method == SHOAL_GA_PIPELINE;
    const bool is_open = params->replacement == SHOAL_GA_REPLACEMENT_AUTO;
    const bool competes = is_open && has_reals_alone && !is_dynamic && by_pipeline &&
                          !ga_is_cellular(params) && !ga_thesis_of(params).generator_words;
    if (!params->tournament)
        params->tournament = competes ? 1 : 2;
    if (competes) {
        params->replacement = SHOAL_GA_STEADY;
        params->victim = SHOAL_GA_VICTIM_PARENT;
        params->children = params->population;
    } else if (is_open) {
        params->replacement = SHOAL_GA_GENERATIONAL;
    }
}

static void fill_wholes(const struct ga_problem *problem)
{
    const struct shoal_variables *variables = problem->search.variables;
    uint32_t *whole = problem->wholes;
    for (size_t i = 0; whole && i < variables->group_count; i++) {
        const struct shoal_variable_group *group = &variables->groups[i];
        const bool is_choice = group->kind == SHOAL_CHOICE;
        for (size_t k = 0; k < group->count && variable_is_whole(group) && !group->bits; k++) {
            whole[WHOLE_LOWER] = (uint32_t)(int32_t)group->lower;
            whole[WHOLE_WIDTH] = (uint32_t)(group->upper - group->lower);
            whole[WHOLE_MUTATION] =
                is_choice ? problem->operators.mutate_choices : problem->operators.mutate_integers;
            whole += WHOLE_WORDS;
        }
    }
}

static enum shoal_status fill_tables(struct ga_problem *problem, struct shoal_error *error)
{
    const struct shoal_ga_params *params = problem->params;
    const size_t line = problem->line, entries = problem->rate_entries;
    const char *const names[] = {"crossover-rates", "mutation-rates", "gene-rates"};
    const char *const lists[] = {params->crossover_rates, params->mutation_rates, params->gene_rates};
    const double single[] = {params->crossover_rate, params->mutation_rate,
                             isnan(params->gene_rate) ? 1 / fmax(1, (double)line) : params->gene_rate};
    double *rates = malloc(3 * entries * sizeof *rates);
    enum shoal_status status = rates ? SHOAL_OK : fail_host_memory(error);
    for (size_t i = 0; i < 3 && !status; i++) {
        for (size_t e = 0; e < entries; e++)
            rates[i * entries + e] = single[i];
        if (lists[i])
            status = ga_read_rates(names[i], lists[i], entries, rates + i * entries, error);
    }
    for (size_t e = 0; e < entries && !status; e++) {
        const struct ga_rates own = {rates[e], rates[entries + e], rates[2 * entries + e], problem->one_gene};
        ga_fill_rates(&own, line, problem->rates + e * RATE_WORDS(line));
    }
    fill_wholes(problem);
    if (problem->ranks)
        ga_fill_ranks(params, problem->ranks);
    free(rates);
    return status;
}

static enum shoal_status make_tables(struct ga_problem *problem, struct shoal_error *error)
{
    const struct shoal_ga_params *params = problem->params;
    const bool has_lists = params->crossover_rates || params->mutation_rates || params->gene_rates;
    const bool has_ranks =
        params->selection == SHOAL_GA_LINEAR_RANK || params->selection == SHOAL_GA_EXPONENTIAL_RANK;
    problem->rate_entries = has_lists ? problem->search.run_islands : 1;
    const size_t rates = problem->rate_entries * RATE_WORDS(problem->line);
    const size_t ranks = has_ranks ? problem->search.members : 0, wholes = problem->genes.wholes;
    uint32_t *tables = malloc((rates + ranks + wholes * WHOLE_WORDS) * sizeof *tables);
    if (!tables)
        return fail_host_memory(error);
    problem->search.tables = tables;
    problem->rates = tables;
    problem->ranks = has_ranks ? tables + rates : NULL;
    problem->wholes = wholes ? tables + rates + ranks : NULL;
    return fill_tables(problem, error);
}

/* Fails if an operator needs members inside the box, and members may leave it. */
static enum shoal_status check_bounds(const struct ga_problem *problem, struct shoal_error *error)
{
    const int32_t bounds = problem->params->bounds;
    if (bounds == SHOAL_GA_CLAMP || bounds == SHOAL_GA_REFLECT || !problem->genes.reals)
        return SHOAL_OK;
    if (problem->operators.cross_reals == SHOAL_GA_SBX_BOUNDED)
        return fail(error, SHOAL_INVALID,
                    "sbx-bounded needs parents inside the box: give --crossover sbx, or --bounds clamp");
    if (problem->operators.mutate_reals == SHOAL_GA_POLYNOMIAL)
        return fail(error, SHOAL_INVALID,
                    "polynomial needs genes inside the box: give --mutation gaussian, or --bounds clamp");
    return SHOAL_OK;
}

/* Sets the upper bounds of words after the genes: of the number of pairs in the list, and of each pair. */
static void bound_lists(const struct ga_problem *problem)
{
    const size_t bits = problem->genes.bits;
    double *upper = problem->search.upper + bits;
    upper[MESSY_LENGTH(bits)] = (double)problem->messy;
    for (size_t k = 0; k < problem->messy; k++)
        upper[MESSY_PAIRS(bits) + k] = 2 * (double)bits - 1;
}

static enum shoal_status set_operators(struct ga_problem *problem, struct shoal_error *error)
{
    const struct search_problem *search = &problem->search;
    problem->genes = search->has_genome ? search->genome : (struct genome_layout){.reals = search->dim};
    problem->messy = (size_t)problem->params->messy;
    problem->thesis = ga_thesis_of(problem->params);
    problem->line = problem->messy ? problem->messy : search->dim - problem->genes.places;
    enum shoal_status status = ga_operators_resolve(search, &problem->operators, error);
    if (!status)
        status = check_bounds(problem, error);
    if (!status && problem->thesis.reals_alone && search->has_genome)
        status = fail(error, SHOAL_INVALID,
                      "%s is for real variables alone: leave it out, or give ranges of reals",
                      problem->thesis.reals_alone);
    if (!status && problem->messy)
        bound_lists(problem);
    problem->scratch = order_scratch(problem->operators.cross_order, problem->operators.mutate_order,
                                     (unsigned)problem->genes.places, 16);
    problem->one_gene = problem->params->one_gene ||
                        (problem->genes.bits && problem->operators.mutate_bits == SHOAL_GA_TAIL_INVERSION);
    return status;
}

static void set_sizes(struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    const size_t members = problem->search.members, children = problem->search.points;
    problem->is_cellular = ga_is_cellular(params);
    problem->pairs = problem->is_cellular ? children : (children + 1) / 2;
    problem->rows = search_torus_rows(members);
    problem->columns = members / problem->rows;
    problem->truncated = (size_t)fmax(1, floor(params->truncation * (double)members));
    problem->alpha = !isnan(params->alpha)                                ? params->alpha
                     : problem->operators.cross_reals == SHOAL_GA_AVERAGE ? 0.25
                                                                          : 0.5;
    problem->search.has_mailbox = problem->thesis.has_mailbox;
    problem->search.is_unbounded = params->bounds == SHOAL_GA_PENALTY || params->bounds == SHOAL_GA_UNBOUNDED;
    problem->search.penalty = params->bounds == SHOAL_GA_PENALTY ? params->penalty : 0;
}

static enum shoal_status check_fixed(const struct ga_problem *problem, struct shoal_error *error)
{
    return search_check_fixed(&problem->search, problem->search.is_unbounded,
                              problem->search.penalty > 0 ? "penalty" : "unbounded", error);
}

enum shoal_status ga_problem_create(struct shoal *shoal, const struct shoal_ga_params *params,
                                    struct ga_problem *problem, struct shoal_error *error)
{
    *problem = (struct ga_problem){.params = NULL};
    enum shoal_status status =
        search_problem_create(shoal, &ga_algorithm, &params->search, &problem->search, error);
    if (status)
        return status;
    problem->params = (const struct shoal_ga_params *)problem->search.params;
    status = ga_check_children(problem->params, error);
    if (!status)
        status = set_operators(problem, error);
    set_sizes(problem);
    if (!status)
        status = check_fixed(problem, error);
    if (!status)
        status = ga_improve_resolve(problem, error);
    if (!status)
        status = make_tables(problem, error);
    if (status)
        search_problem_destroy(&problem->search);
    return status;
}

/* For a child, a step reads one parent (a pair reads two parents for two children), writes the child and its
 * value, and reads the child for its evaluation. */
double ga_evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    const double real = precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const double member = problem->has_genome
                              ? (double)(genome_words(&problem->genome, precision) * sizeof(uint32_t))
                              : (double)problem->dim * real;
    return 2 * member + 6 * real;
}
