/* CMA-ES in plain C and double precision: the solver of the host device and the reference for the kernels. */
#include "cmaes/host/host.h"
#include "base/error.h"
#include "base/vectors/processor.h"

#include <string.h>

/* Most numbers of the vectors of all generations that are kept: 64 MB. */
static const double most_kept = 8e6;

static void list_arrays(struct cmaes_host *host)
{
    const struct cmaes_problem *problem = &host->problem;
    const struct search_problem *search = &problem->search;
    const size_t runs = search->runs, points = search->total * search->dim;
    const size_t numbers = runs * cmaes_numbers(problem), kept = runs * cmaes_kept(problem),
                 values = runs * cmaes_most_points(problem);
    const double kept_numbers = problem->params->doublings ? 2 * (double)values * (double)search->dim : 0;
    const struct array list[] = {
        {&host->words, (double)runs * CMA_WORDS, sizeof(uint32_t), ARRAY_SAVE, "counts", runs * CMA_WORDS},
        {&host->scalars, (double)runs * CMA_SCALARS, sizeof(double), ARRAY_SAVE, "scalars",
         runs * CMA_SCALARS},
        {&host->numbers, (double)runs * (double)cmaes_numbers(problem), sizeof(double), ARRAY_SAVE, "numbers",
         numbers},
        {&host->kept, (double)kept, sizeof(double), ARRAY_SAVE, "history", kept},
        {&host->values, (double)runs * (double)cmaes_most_points(problem), sizeof(double), ARRAY_SAVE,
         "values", values},
        {&host->weights, (double)values, sizeof(double)},
        {&host->rank_weights, (double)values, sizeof(double)},
        {&host->ranked, (double)runs, sizeof *host->ranked, ARRAY_ZERO},
        {&host->z, (double)search->total * (double)search->dim, sizeof(double), ARRAY_SAVE, "z", points},
        {&host->y, (double)search->total * (double)search->dim, sizeof(double), ARRAY_SAVE, "steps", points},
        {&host->parts, kept_numbers <= most_kept ? kept_numbers : 0, sizeof(double)},
        {&host->lost, (double)runs, sizeof *host->lost, ARRAY_ZERO},
        {&host->lagrangian, (double)runs * (double)cmaes_lagrangian_numbers(problem), sizeof(double),
         ARRAY_SAVE, "lagrangian", runs * cmaes_lagrangian_numbers(problem)},
        {&host->sides, (double)search->total * (double)cmaes_lagrangian_parts(problem), sizeof(double)},
        {&host->room, cmaes_lagrangian_parts(problem) ? (double)search->total : 0, sizeof(double)},
        {&host->start, (double)(search->start_count * search->dim), sizeof(double)},
    };
    ARRAYS_SET(&host->search.own, list);
}

static const struct cmaes_host_rules *choose_rules(void)
{
#ifdef __x86_64__
    if (processor_has_avx2())
        return &cmaes_host_rules_avx2;
#endif
    return &cmaes_host_rules;
}

static enum shoal_status open_populations(struct search_host *search, struct shoal_error *error)
{
    struct cmaes_host *host = cmaes_host_of(search);
    enum shoal_status status = cmaes_choose_rule(&host->problem, error);
    if (status)
        return status;
    search->batch = host->problem.search.members;
    search->numbers = host->problem.search.dim;
    if (host->problem.params->restarts != SHOAL_CMAES_NONE)
        search->most_ahead = (size_t)1 << host->problem.params->doublings;
    search->needs_parts = cmaes_lagrangian_parts(&host->problem) > 0;
    host->rules = choose_rules();
    host->sizes.numbers = cmaes_numbers(&host->problem);
    host->sizes.kept = cmaes_kept(&host->problem);
    host->sizes.points = cmaes_most_points(&host->problem);
    host->grains = cmaes_grains(&host->problem);
    host->together = search->problem->dim <= CMAES_SHORT ? 4 * CMAES_BLOCK : CMAES_BLOCK;
    list_arrays(host);
    return SHOAL_OK;
}

static void begin(struct search_host *search, size_t run)
{
    struct cmaes_host *host = cmaes_host_of(search);
    if (host->start)
        cmaes_fill_start(&host->problem, host->start);
    host->lost[run] = 0;
    host->rules->begin(search, run);
}

/* Makes several points with the first one of them. */
static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const size_t members = host->problem.search.members;
    (void)scratch;
    if ((i - search_host_part(i, members) * members) % host->together == 0)
        host->rules->make(search, i, step);
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    move(search, i, 0, scratch);
}

/* The parts of a generation are drawn from the same mean and covariance. */
static size_t ahead(const struct search_host *search, size_t run)
{
    const uint32_t *words = cmaes_host_of(search)->words + run * CMA_WORDS;
    return ((size_t)1 << words[CMA_DOUBLINGS]) - words[CMA_PART];
}

static void end_step(struct search_host *search, size_t run)
{
    cmaes_host_of(search)->rules->end_step(search, run);
}

static void guide(struct search_host *search, size_t run, const double *point)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    cmaes_inject(&host->problem, host->words + run * CMA_WORDS, host->scalars[run * CMA_SCALARS + CMA_SIGMA],
                 point, host->numbers + run * cmaes_numbers(&host->problem));
}

static void replace(struct search_host *search, size_t run, struct search_team team)
{
    (void)team;
    search_host_keep_points(search, run);
}

/* Notes that the vectors of all parts up to the one in progress are those of another state. */
static void lose_parts(struct search_host *search)
{
    struct cmaes_host *host = cmaes_host_of(search);
    for (size_t run = 0; run < search->problem->runs; run++)
        host->lost[run] = host->words[run * CMA_WORDS + CMA_PART] + 1;
}

static size_t copy(struct search_host *search, char *kept, bool is_back)
{
    (void)kept;
    if (is_back)
        lose_parts(search);
    return 0;
}

static enum shoal_status load(struct search_host *search, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)checkpoint;
    (void)error;
    lose_parts(search);
    return SHOAL_OK;
}

static bool is_spent(const struct search_host *search, size_t run)
{
    return cmaes_host_of(search)->words[run * CMA_WORDS + CMA_IS_SPENT];
}

const struct search_host_ops cmaes_host_functions = {.size = sizeof(struct cmaes_host),
                                                     .problem = offsetof(struct cmaes_host, problem),
                                                     .evaluation_bytes = cmaes_evaluation_bytes,
                                                     .open = open_populations,
                                                     .begin = begin,
                                                     .draw = draw,
                                                     .move = move,
                                                     .value = cmaes_host_value,
                                                     .replace = replace,
                                                     .end_step = end_step,
                                                     .ahead = ahead,
                                                     .guide = guide,
                                                     .copy = copy,
                                                     .load = load,
                                                     .is_spent = is_spent};

/* Solver ----------------------------------------------------------------------------------------------- */

const struct shoal_solver_ops cmaes_host_solver = {
    SEARCH_HOST_SOLVER,
    .what = "points",
    SEARCH_HOST_POSITIONS,
};
