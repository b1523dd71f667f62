/* The polish of the best position of each run: batches of points of all runs, results, and saved states. */
#include "search/refine/polish.h"
#include "base/error.h"
#include "search/refine/polish_rule.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

static const struct polish_rule *const rules[] = {
    [SHOAL_POLISH_PATTERN] = &polish_pattern_rule, [SHOAL_POLISH_NELDER_MEAD] = &polish_simplex_rule};

/* Largest count of numbers in a batch of all runs. If an iteration has more numbers, it is made in several
 * batches. */
static const size_t batch_numbers = (size_t)1 << 22;

static size_t block_of(const struct search_problem *problem)
{
    const size_t most = polish_pattern_points(problem->dim),
                 fitting = batch_numbers / (problem->runs * problem->dim);
    return fitting < 1 ? 1 : fitting < most ? fitting : most;
}

size_t search_polish_capacity(const struct search_problem *problem)
{
    return problem->runs * block_of(problem);
}

enum shoal_status search_polish_create(const struct search_problem *problem, enum shoal_polish_rule number,
                                       enum shoal_precision precision, uint64_t evaluations,
                                       const double *position, const double *best, struct search_polish **out,
                                       struct shoal_error *error)
{
    const size_t dim = problem->dim, runs = problem->runs;
    const struct polish_rule *rule = rules[number];
    struct search_polish *polish = calloc(1, rule->size);
    *out = polish;
    if (!polish)
        return fail_host_memory(error);
    *polish = (struct search_polish){.rule = rule,
                                     .problem = problem,
                                     .precision = precision,
                                     .dim = dim,
                                     .runs = runs,
                                     .most = evaluations,
                                     .block = block_of(problem)};
    polish->points = malloc(runs * polish->block * dim * sizeof *polish->points);
    polish->values = malloc(runs * polish->block * sizeof *polish->values);
    polish->position = malloc(runs * dim * sizeof *polish->position);
    polish->best = malloc(runs * sizeof *polish->best);
    polish->settled = calloc(runs, sizeof *polish->settled);
    enum shoal_status status = SHOAL_OK;
    if (!polish->points || !polish->values || !polish->position || !polish->best || !polish->settled) {
        status = fail_host_memory(error);
    } else {
        memcpy(polish->position, position, runs * dim * sizeof *position);
        memcpy(polish->best, best, runs * sizeof *best);
        status = rule->create(polish, error);
    }
    if (status)
        search_polish_destroy(out);
    return status;
}

void search_polish_destroy(struct search_polish **pointer)
{
    struct search_polish *polish = *pointer;
    if (!polish)
        return;
    polish->rule->destroy(polish);
    free(polish->points);
    free(polish->values);
    free(polish->position);
    free(polish->best);
    free(polish->settled);
    free(polish);
    *pointer = NULL;
}

/* Batches ---------------------------------------------------------------------------------------------- */

size_t search_polish_ask(struct search_polish *polish, const double **points)
{
    size_t count = 0;
    for (size_t run = 0; run < polish->runs; run++)
        count += polish->rule->ask(polish, run, polish->points + count * polish->dim);
    *points = polish->points;
    return count;
}

void search_polish_tell(struct search_polish *polish, const double *values)
{
    /* tell() uses the memory of the points as scratch memory, since all points of the batch have values
     * now */
    for (size_t run = 0; run < polish->runs; run++)
        polish->rule->tell(polish, run, &values);
}

double *search_polish_values(struct search_polish *polish)
{
    return polish->values;
}

enum shoal_status search_polish_run(struct search_polish *polish, search_evaluate_fn evaluate,
                                    struct shoal_solver *solver, struct shoal_error *error)
{
    const double *points;
    size_t count;
    while (!solver_is_stopped(solver) && (count = search_polish_ask(polish, &points)) > 0) {
        enum shoal_status status = evaluate(solver, points, count, polish->values, error);
        if (status)
            return status;
        /* If the solver was stopped, some points may have no value. */
        if (!solver_is_stopped(solver))
            search_polish_tell(polish, polish->values);
    }
    return SHOAL_OK;
}

/* Results ---------------------------------------------------------------------------------------------- */

const double *search_polish_position(const struct search_polish *polish)
{
    for (size_t run = 0; run < polish->runs; run++)
        polish->rule->best(polish, run, polish->position + run * polish->dim);
    return polish->position;
}

const double *search_polish_best(const struct search_polish *polish)
{
    for (size_t run = 0; run < polish->runs; run++)
        polish->best[run] = polish->rule->best(polish, run, NULL);
    return polish->best;
}

const bool *search_polish_settled(const struct search_polish *polish)
{
    for (size_t run = 0; run < polish->runs; run++)
        polish->settled[run] = polish->rule->is_settled(polish, run);
    return polish->settled;
}

uint64_t search_polish_evaluations(const struct search_polish *polish)
{
    uint64_t used = 0;
    for (size_t run = 0; run < polish->runs; run++)
        used += search_polish_used(polish, run);
    return used;
}

uint64_t search_polish_used(const struct search_polish *polish, size_t run)
{
    return polish->rule->used(polish, run);
}

/* State ------------------------------------------------------------------------------------------------ */

size_t search_polish_bytes(struct search_polish *polish)
{
    size_t bytes = 0;
    for (size_t run = 0; run < polish->runs; run++)
        bytes += polish->rule->copy(polish, run, NULL, false);
    return bytes;
}

void search_polish_get(struct search_polish *polish, void *bytes)
{
    size_t done = 0;
    for (size_t run = 0; run < polish->runs; run++)
        done += polish->rule->copy(polish, run, (char *)bytes + done, false);
}

bool search_polish_set(struct search_polish *polish, const void *bytes)
{
    size_t done = 0;
    for (size_t run = 0; run < polish->runs; run++) {
        done += polish->rule->copy(polish, run, (char *)bytes + done, true);
        if (!polish->rule->is_sound(polish, run))
            return false;
    }
    return true;
}
