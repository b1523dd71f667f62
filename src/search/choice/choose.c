/* Chooses the algorithm for "auto" by the problem: docs/optimise.md, "How auto chooses". */
#include "base/error.h"
#include "base/params.h"
#include "objective/evaluate/evaluator.h"
#include "search/choice/choice.h"
#include "search/refine/refine.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/optimise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Properties of a problem that the rules use. */
struct facts {
    bool has_genes;   /* some variables are not plain reals */
    bool can_round;   /* all variables other than reals can be searched as reals that are rounded */
    bool is_of_genes; /* the objective is a text over genes */
    /* the objective is over genes, some of them bits, and so probably one that a genetic algorithm suits */
    bool has_bits;
    bool is_constrained;
    /* least squares over the rows of a table can find the minimum from a rough position */
    bool is_fit;
    size_t dim;      /* number of variables */
    bool is_open;    /* the user gives no limit that ends the run */
    bool is_single;  /* the user asks for one run */
    bool is_dynamic; /* values depend on the generation */
    bool is_table;   /* the objective is a sum over the rows of a table */
    bool on_devices; /* the search runs on devices */
    bool is_divided; /* the run is divided over devices */
    bool is_double;  /* the parameters ask for double precision, the default of an optimiser alone */
    double islands;  /* of a run */
    bool is_timed;   /* a time limit ends a run, and neither evaluations nor steps are limited */
    bool is_called;  /* the host computes values by a function of the caller */
    /* the user asks for pattern searches during the run, which need an algorithm with members */
    bool has_polish;
    /* the user asks for --polish, --restart or --exchange, which turns of whole lives do not
     * have */
    bool needs_members;
    /* a device has no double precision, the default of several algorithms */
    bool lacks_double;
    double evaluations; /* evaluations that the user gives for a run; 0: none */
};

static void look(const struct search_problem *problem, void *data)
{
    struct facts *facts = data;
    facts->has_genes = problem->has_genome;
    /* A formula is over genes only for algorithms that take genes. */
    const bool is_of_genes = problem->info->variables && !problem->params->expression;
    facts->is_of_genes = is_of_genes;
    facts->can_round = problem->has_genome && variables_can_be_rounded(problem->variables) &&
                       (!is_of_genes || objective_has_points(problem->objective));
    facts->has_bits = is_of_genes && problem->genome.bits;
    facts->is_fit = search_refinement(problem) == SEARCH_LEAST_SQUARES;
    facts->is_constrained = problem->constrained;
    facts->dim = problem->point_dim;
    facts->is_dynamic = problem->info->dynamic;
    facts->is_table = problem->info->shape == SHOAL_DATA_ROWS;
    facts->is_called = problem->info->shape == SHOAL_CALLBACK;
}

/* Rules ------------------------------------------------------------------------------------------------ */

/* Least number of members of differential evolution. */
enum { LEAST_MEMBERS = 8 };

static bool is_scarce(const struct facts *facts)
{
    return facts->evaluations > 0 && facts->evaluations < LEAST_MEMBERS && !facts->has_polish;
}

static bool can_round(const struct facts *facts)
{
    /* A genetic algorithm takes no constraints of objectives over genes, but any number of genes on a device.
     */
    const bool fits = !facts->is_of_genes || !facts->on_devices || facts->dim <= EVALUATOR_MAX_DIM;
    return facts->can_round && (fits || facts->is_constrained) &&
           (!facts->has_bits || facts->is_constrained) && !is_scarce(facts) && !facts->is_dynamic;
}

static bool has_genes(const struct facts *facts)
{
    return facts->has_genes;
}

static bool is_fit(const struct facts *facts)
{
    return facts->is_fit;
}

/* Whether the problem has so many dimensions that the default population of differential evolution, which
 * grows with them, would be large. */
static bool is_large(const struct facts *facts)
{
    return facts->dim > 256;
}

static bool is_dynamic(const struct facts *facts)
{
    return facts->is_dynamic;
}

/* Evaluations for each dimension. With fewer of them, several algorithms find worse values than one
 * algorithm. */
static const double evaluations_for_several = 1000;

/* Whether the evaluations are enough for several algorithms on each island. */
static bool has_evaluations_for_several(const struct facts *facts)
{
    return facts->evaluations >= evaluations_for_several * (double)facts->dim * facts->islands;
}

/* Whether several algorithms with turns of points suit the search. Such a search runs on the host, which is
 * slow for sums over many rows. */
static bool suits_several(const struct facts *facts)
{
    return !facts->on_devices && !facts->is_table && !facts->is_constrained && !facts->has_polish &&
           (facts->evaluations == 0 || has_evaluations_for_several(facts));
}

/* Whether a search on devices is one that several algorithms can share, whose defaults are for double
 * precision: on devices that have it, not divided over devices, without rows, callbacks, constraints and
 * options of a single algorithm. */
static bool can_share_devices(const struct facts *facts)
{
    return facts->on_devices && !facts->lacks_double && !facts->is_divided && !facts->is_table &&
           !facts->is_called && !facts->is_constrained && !facts->has_polish && !facts->needs_members;
}

/* Whether several algorithms with turns of whole lives suit the search. They have many populations and no
 * result until all of them have been evaluated, so the objective must be fast. */
static bool suits_many(const struct facts *facts)
{
    return can_share_devices(facts) && facts->is_timed;
}

/* Whether several algorithms with turns of steps suit a search on devices. The parameters must ask for double
 * precision, as those of an optimiser of C or Python do by default, and options by --precision. */
static bool suits_steps(const struct facts *facts)
{
    return can_share_devices(facts) && facts->is_double && has_evaluations_for_several(facts);
}

static bool always(const struct facts *facts)
{
    (void)facts;
    return true;
}

extern const struct search_algorithm de_algorithm, ga_algorithm, pattern_algorithm, portfolio_algorithm,
    pso_algorithm;

/* The first rule that holds determines the algorithm. `reason` completes the sentence that users see. */
static const struct {
    bool (*holds)(const struct facts *facts);
    const struct search_algorithm *algorithm;
    const char *reason;
} rules[] = {
    {can_round, &de_algorithm,
     "it finds better values than a genetic algorithm where whole numbers and choices can be rounded"},
    {has_genes, &ga_algorithm, "it takes orders, coded variables and objectives over genes"},
    {is_fit, &pso_algorithm, "a few rough steps are enough where least squares find the last digits"},
    {is_scarce, &pattern_algorithm, "it needs no population, for which the evaluations are too few"},
    {is_dynamic, &ga_algorithm, "it evaluates its members again where values depend on the generation"},
    {is_large, &ga_algorithm, "its population does not grow with the dimensions"},
    {suits_several, &portfolio_algorithm,
     "it has CMA-ES for narrow valleys and differential evolution for many minima (docs/optimise.md)"},
    {suits_many, &portfolio_algorithm,
     "a device has room for many populations: of differential evolution first, then large ones of CMA-ES "
     "(docs/optimise.md)"},
    {suits_steps, &portfolio_algorithm,
     "in double precision it has CMA-ES for narrow valleys and differential evolution for many minima "
     "(docs/optimise.md)"},
    {always, &de_algorithm, "it finds most minima, those of rotated functions, too (docs/optimise.md)"},
};

/* Defaults if the user gives only the objective. RUNS: several runs show how often the same value is found,
 * and so how reliable the result is. SECONDS: time limit of a run, for slow objectives. */
enum { RUNS = 5, SECONDS = 10 };
static const double evaluations_of_dimension = 10000;

/* Sets the values of options that the user has not given. */
static void set_values(const struct facts *facts, const struct search_algorithm *algorithm,
                       struct shoal_optimise_choice *choice)
{
    char *end = choice->values;
    *end = '\0';
    if (!facts->is_open || facts->is_dynamic || facts->is_fit)
        return;
    /* The populations of several algorithms converge many times, so their convergence does not end the run.
     */
    const bool comes_together = !facts->has_genes && algorithm != &portfolio_algorithm;
    const double evaluations = evaluations_of_dimension * (double)facts->dim;
    int used = snprintf(end, sizeof choice->values,
                        "time=%d evaluations=%.0f stagnation=%" PRIu64 " stagnation-tolerance=0%s", SECONDS,
                        evaluations, algorithm->stagnation, comes_together ? " x-tolerance=1e-6" : "");
    if (facts->is_single)
        snprintf(end + used, sizeof choice->values - (size_t)used, " runs=%d", RUNS);
}

/* Choice ----------------------------------------------------------------------------------------------- */

static const struct search_algorithm *widest(void)
{
    size_t i = 0;
    while (search_algorithms[i] && !search_algorithms[i]->takes_genes)
        i++;
    return search_algorithms[i] ? search_algorithms[i] : search_algorithms[0];
}

enum shoal_status choice_params_of(const struct search_algorithm *algorithm,
                                   const struct shoal_search_params *search, void **out,
                                   struct shoal_error *error)
{
    const struct shoal_workload *workload = shoal_workload_find(algorithm->name);
    struct shoal_search_params *params = malloc(workload->params_size);
    *out = params;
    if (!params)
        return fail_host_memory(error);
    workload->params_init(params);
    const size_t size = params->size;
    *params = *search;
    params->size = size;
    return SHOAL_OK;
}

struct shoal_search_params choice_inner_params(const struct search_problem *problem)
{
    struct shoal_search_params params = *problem->params;
    const bool has_box = !problem->variables;
    params.objective = problem->objective;
    params.objective_file = params.expression = params.data_file = params.data_layout = params.columns = NULL;
    params.model = params.fit = params.target_column = params.weights_column = params.missing_values = NULL;
    params.subject_to = NULL; /* values of the objective are already ranks */
    params.squared = params.compressed = false;
    params.rotate = params.instance = params.chunk_rows = 0;
    params.start = params.exchange_edges = NULL;
    if (has_box) { /* in a list of variables, lower and upper are for reals without a range */
        params.lower = params.upper = NAN;
        params.lower_list = params.upper_list = NULL;
    }
    params.lower_bounds = has_box ? problem->lower : NULL;
    params.upper_bounds = has_box ? problem->upper : NULL;
    params.dim = problem->point_dim;
    params.start_points = NULL;
    params.start_count = 0;
    params.islands = params.runs = 1;
    /* evaluations are a limit of the whole search; the caller sets those of the part */
    params.evaluations = 0;
    params.iterations = params.exchange = params.restart = params.polish = params.trace = 0;
    params.polish_every = 0;
    params.exchange_topology = SHOAL_SEARCH_EXCHANGE_RING;
    params.target = params.time = NAN;
    params.stagnation_tolerance = 0;
    params.refine = SHOAL_REFINE_NONE;
    return params;
}

/* Sets `facts` by the problem that the algorithm with the most kinds of variables would have. This algorithm
 * is probably not chosen, so no check may compare the evaluations with its population, or refuse constraints
 * of an objective whose points another algorithm searches. */
static enum shoal_status examine(struct shoal *shoal, const struct shoal_search_params *search,
                                 struct facts *facts, struct shoal_error *error)
{
    void *params;
    struct shoal_search_params any = *search;
    any.evaluations = 0;
    any.subject_to = NULL;
    enum shoal_status status = choice_params_of(widest(), &any, &params, error);
    if (!status)
        status = workload_params_check(shoal_workload_find(widest()->name), params, error);
    if (!status)
        status = search_examine(shoal, widest(), params, look, facts, error);
    facts->is_constrained |= search->subject_to != NULL;
    free(params);
    return status;
}

enum shoal_status shoal_optimise_choose(struct shoal *shoal, const struct shoal_optimise_params *params,
                                        struct shoal_optimise_choice *choice, struct shoal_error *error)
{
    struct shoal_optimise_params whole;
    struct shoal_optimise_choice found = {.size = sizeof found};
    error_reset(error);
    if (!NEED(error, params, choice))
        return SHOAL_INVALID;
    enum shoal_status status = RESULT_CHECK(choice, values, error);
    if (!status)
        status = PARAMS_TAKE(params, shoal_optimise_params_init, &whole, error);
    if (status)
        return status;
    const struct shoal_search_params *search = &whole.search;
    struct facts facts = {.is_open = !search_has_limit(search) && isnan(search->target) && !search->restart &&
                                     !search->stagnation && isnan(search->x_tolerance) &&
                                     isnan(search->stagnation_tolerance) && !search->polish,
                          .is_single = search->runs == 1,
                          .evaluations = (double)search->evaluations,
                          .is_timed = !isnan(search->time) && !search->evaluations && !search->iterations,
                          .on_devices = whole.on_devices || whole.is_divided,
                          .islands = (double)(search->islands ? search->islands : 1),
                          .is_divided = whole.is_divided,
                          .lacks_double = whole.lacks_double,
                          .is_double = search->precision == SHOAL_FP64,
                          .has_polish = search->polish_every > 0,
                          .needs_members = search->polish || search->restart || search->exchange};
    status = examine(shoal, search, &facts, error);
    if (status)
        return status;
    size_t rule = 0;
    while (!rules[rule].holds(&facts))
        rule++;
    const struct search_algorithm *algorithm = rules[rule].algorithm;
    found.workload = shoal_workload_find(algorithm->name);
    found.reason = rules[rule].reason;
    set_values(&facts, algorithm, &found);
    RESULT_GIVE(&found, values, choice);
    return SHOAL_OK;
}
