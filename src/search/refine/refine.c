/* Refines the last digits of results.
 *
 * Sums of squares: the method of Levenberg (1944) and Marquardt (1963). Derivatives of the residuals are
 * central differences. A step is the solution of normal equations whose diagonal is increased by the damping
 * times itself. Coordinates at a bound are fixed if the sum would decrease beyond the bound, and steps end at
 * the box.
 *
 * The rows are divided into a fixed number of parts whose sums are added in a fixed order, so that results do
 * not depend on the number of threads.
 *
 * Other objectives: the pattern search of polish.c.
 */
#include "search/refine/refine.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "objective/objective.h"
#include "objective/rows/table.h"
#include "search/refine/polish.h"
#include "search/space.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 16, BLOCK = 512, MOST_DIM = 256, MOST_STEPS = 100, MOST_TRIES = 20 };

/* Estimated time of the evaluation of one residual, from which the number of threads is computed. */
static const double residual_seconds = 10e-9;

/* Limits of a pattern search. pattern_evaluations: evaluations for each dimension. pattern_rows: rows of a
 * table that all evaluations together may read. pattern_share: largest fraction of the run's evaluations.
 * pattern_time: largest fraction of the run's time. On Rosenbrock's function and sums of squares of 2 to 30
 * dimensions, the pattern search takes 20 to 500 evaluations for each dimension. */
static const double pattern_evaluations = 1000, pattern_rows = 1e9, pattern_share = 0.2, pattern_time = 0.05;

/* Whether at least one coordinate can be refined. Fixed and rounded coordinates cannot. */
static bool has_free_real(const struct search_problem *problem)
{
    size_t d = 0;
    while (d < problem->dim && search_is_fixed(problem, d))
        d++;
    return d < problem->dim;
}

enum search_refinement search_refinement(const struct search_problem *problem)
{
    const struct shoal_objective *objective = problem->objective;
    const struct shoal_search_params *params = problem->params;
    const bool fits = !problem->has_genome && problem->dim <= MOST_DIM && has_free_real(problem);
    const bool by_itself = params->refine == SHOAL_REFINE_AUTO || params->refine == SHOAL_REFINE_ALL;
    const bool has_squares = objective->residuals && problem->sign > 0 && problem->penalty == 0;
    /* Results of the data functions f6 to f10 are refined only with SHOAL_REFINE_LEAST_SQUARES, since these
     * functions serve to compare searches. */
    const struct shoal_objective *given = params->objective;
    const bool is_built_in =
        given ? shoal_objective_find(problem->info->name) == given : params->data_file == NULL;
    if (!fits || params->refine == SHOAL_REFINE_NONE ||
        (objective->table ? by_itself && is_built_in : params->refine != SHOAL_REFINE_ALL))
        return SEARCH_AS_FOUND;
    if (objective->table && has_squares)
        return SEARCH_LEAST_SQUARES;
    /* With --polish, a search from the best position was already made. */
    return by_itself && !params->polish && !problem->info->dynamic && !problem->info->whole_values
               ? SEARCH_PATTERN
               : SEARCH_AS_FOUND;
}

/* Sums over the rows of one part, and arrays for a block of its rows. r: residuals; J: their Jacobian. */
struct part {
    double squares;   /* r . r */
    double *slope;    /* [dim]: J' r */
    double *normal;   /* [dim][dim]: lower triangle of J' J */
    double *residual; /* [BLOCK] */
    double *jacobian; /* [dim][BLOCK]: the Jacobian, column by column */
    double *beside;   /* [BLOCK]: residuals at the second point of a central difference */
    double *point;    /* [dim] */
    struct shoal_error error;
};

/* When and why a refinement must end. It then evaluates no further rows. */
struct stopping {
    const struct search_stop *stop;
    double end; /* time on the clock at which the refinement must end; NaN: there is no limit */
    atomic_bool must_end;
};

/* Whether the refinement must end. All threads call this function; only the first thread asks the caller. */
static bool must_end(struct stopping *stopping)
{
    if (omp_get_thread_num() == 0 &&
        (clock_seconds() >= stopping->end ||
         (stopping->stop->is_stopped && stopping->stop->is_stopped(stopping->stop->data))))
        atomic_store(&stopping->must_end, true);
    return atomic_load_explicit(&stopping->must_end, memory_order_relaxed);
}

struct refinement {
    const struct search_problem *problem;
    size_t dim, rows;
    struct part parts[PARTS];
    double *numbers; /* memory of all arrays below */
    /* normal, slope: sums over all rows; factor, step, next: arrays of a step; [dim][dim] or [dim] each */
    double *normal, *slope, *factor, *step, *next;
    bool *held; /* [dim]: the coordinate is fixed in this step */
    uint64_t passes;
    struct stopping *stopping;
};

static enum shoal_status allocate(struct refinement *refinement, struct shoal_error *error)
{
    const size_t dim = refinement->dim, each = 2 * dim + dim * dim + (dim + 2) * BLOCK;
    double *at = refinement->numbers = malloc((PARTS * each + 2 * dim * dim + 3 * dim) * sizeof *at);
    refinement->held = calloc(dim, sizeof *refinement->held);
    if (!at || !refinement->held)
        return fail_host_memory(error);
    for (size_t p = 0; p < PARTS; p++, at += each)
        refinement->parts[p] = (struct part){.slope = at,
                                             .point = at + dim,
                                             .normal = at + 2 * dim,
                                             .residual = at + 2 * dim + dim * dim,
                                             .beside = at + 2 * dim + dim * dim + BLOCK,
                                             .jacobian = at + 2 * dim + dim * dim + 2 * BLOCK};
    refinement->normal = at;
    refinement->factor = at + dim * dim;
    refinement->slope = at + 2 * dim * dim;
    refinement->step = refinement->slope + dim;
    refinement->next = refinement->step + dim;
    return SHOAL_OK;
}

/* Computes the residuals of a block of rows at the point x, in which `value` replaces coordinate d. */
static enum shoal_status residuals_at(const struct refinement *refinement, struct part *part, const double *x,
                                      size_t d, double value, size_t first, size_t count, double *out)
{
    const struct search_problem *problem = refinement->problem;
    for (size_t k = 0; k < refinement->dim; k++)
        part->point[k] = (k == d ? value : x[k]) - problem->shift[k];
    return problem->objective->residuals(problem->objective, part->point, first, count, out, &part->error);
}

/* Computes column d of the Jacobian for a block of rows, by a central difference of points inside the box. */
static enum shoal_status add_column(const struct refinement *refinement, struct part *part, const double *x,
                                    size_t d, size_t first, size_t count)
{
    const struct search_problem *problem = refinement->problem;
    const double width = problem->upper[d] - problem->lower[d];
    const double h = cbrt(DBL_EPSILON) * fmax(fabs(x[d]), 1e-3 * width);
    double *column = part->jacobian + d * BLOCK, low = x[d] - h, high = x[d] + h;
    if (!problem->is_unbounded) {
        low = fmax(low, problem->lower[d]);
        high = fmin(high, problem->upper[d]);
    }
    if (search_is_fixed(problem, d)) {
        memset(column, 0, count * sizeof *column);
        return SHOAL_OK;
    }
    enum shoal_status status = residuals_at(refinement, part, x, d, high, first, count, column);
    if (!status)
        status = residuals_at(refinement, part, x, d, low, first, count, part->beside);
    for (size_t k = 0; k < count && !status; k++)
        column[k] = (column[k] - part->beside[k]) / (high - low);
    return status;
}

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

static enum shoal_status add_block(const struct refinement *refinement, struct part *part, const double *x,
                                   bool derive, size_t first, size_t count)
{
    const size_t dim = refinement->dim;
    enum shoal_status status = residuals_at(refinement, part, x, dim, 0, first, count, part->residual);
    if (status)
        return status;
    part->squares += dot(part->residual, part->residual, count);
    for (size_t d = 0; d < dim && derive && !status; d++) {
        const double *column = part->jacobian + d * BLOCK;
        status = add_column(refinement, part, x, d, first, count);
        part->slope[d] += dot(column, part->residual, count);
        for (size_t e = 0; e <= d; e++)
            part->normal[d * dim + e] += dot(column, part->jacobian + e * BLOCK, count);
    }
    return status;
}

static enum shoal_status add_part(const struct refinement *refinement, struct part *part, size_t number,
                                  const double *x, bool derive)
{
    const size_t dim = refinement->dim, rows = refinement->rows, end = rows * (number + 1) / PARTS;
    enum shoal_status status = SHOAL_OK;
    part->squares = 0;
    memset(part->slope, 0, dim * sizeof *part->slope);
    memset(part->normal, 0, dim * dim * sizeof *part->normal);
    for (size_t first = rows * number / PARTS; first < end && !status && !must_end(refinement->stopping);
         first += BLOCK)
        status = add_block(refinement, part, x, derive, first, end - first < BLOCK ? end - first : BLOCK);
    return status;
}

/* Computes the sum of squares at x; +infinity if it is not finite. derive: also computes slope and normal
 * matrix. */
static enum shoal_status evaluate(struct refinement *refinement, const double *x, bool derive, double *sum,
                                  struct shoal_error *error)
{
    const size_t dim = refinement->dim, passes = derive ? 2 * dim + 1 : 1;
    const double seconds = residual_seconds * (double)passes * (double)refinement->rows;
    enum shoal_status statuses[PARTS];
    refinement->passes += passes;
#pragma omp parallel for schedule(dynamic) num_threads(threads_once(seconds))
    for (size_t p = 0; p < PARTS; p++)
        statuses[p] = add_part(refinement, &refinement->parts[p], p, x, derive);
    *sum = 0;
    /* Without `derive`, slope and normal matrix keep their values, which belong to the start of the step. */
    memset(refinement->slope, 0, derive ? dim * sizeof *refinement->slope : 0);
    memset(refinement->normal, 0, derive ? dim * dim * sizeof *refinement->normal : 0);
    for (size_t p = 0; p < PARTS; p++) {
        const struct part *part = &refinement->parts[p];
        if (statuses[p])
            return fail(error, statuses[p], "%s", part->error.message);
        *sum += part->squares;
        for (size_t d = 0; d < dim && derive; d++)
            refinement->slope[d] += part->slope[d];
        for (size_t n = 0; n < dim * dim && derive; n++)
            refinement->normal[n] += part->normal[n];
    }
    *sum = isfinite(*sum) && !refinement->stopping->must_end ? *sum : INFINITY;
    return SHOAL_OK;
}

/* Computes the Cholesky factor of the damped normal matrix, without the rows and columns of fixed
 * coordinates. Returns false if this matrix is not positive definite. */
static bool factorise(struct refinement *refinement, double damping)
{
    const size_t dim = refinement->dim;
    double *factor = refinement->factor;
    for (size_t d = 0; d < dim; d++) {
        for (size_t e = 0; e <= d; e++) {
            const bool held = refinement->held[d] || refinement->held[e];
            double sum = refinement->normal[d * dim + e];
            if (held)
                sum = d == e ? 1 : 0;
            else if (d == e)
                sum += damping * (sum > 0 ? sum : 1);
            sum -= dot(factor + d * dim, factor + e * dim, e);
            if (d == e && !(sum > 0))
                return false;
            factor[d * dim + e] = d == e ? sqrt(sum) : sum / factor[e * dim + e];
        }
    }
    return true;
}

static void solve(struct refinement *refinement)
{
    const size_t dim = refinement->dim;
    const double *factor = refinement->factor;
    double *step = refinement->step;
    for (size_t d = 0; d < dim; d++) {
        const double right = refinement->held[d] ? 0 : -refinement->slope[d];
        step[d] = (right - dot(factor + d * dim, step, d)) / factor[d * dim + d];
    }
    for (size_t d = dim; d-- > 0;) {
        step[d] /= factor[d * dim + d];
        for (size_t e = 0; e < d; e++)
            step[e] -= factor[d * dim + e] * step[d];
    }
}

static double inside(const struct search_problem *problem, size_t d, double x)
{
    return problem->is_unbounded ? x : fmin(fmax(x, problem->lower[d]), problem->upper[d]);
}

static void hold(struct refinement *refinement, const double *x)
{
    const struct search_problem *problem = refinement->problem;
    for (size_t d = 0; d < refinement->dim; d++)
        refinement->held[d] =
            search_is_fixed(problem, d) ||
            (!problem->is_unbounded && ((x[d] <= problem->lower[d] && refinement->slope[d] > 0) ||
                                        (x[d] >= problem->upper[d] && refinement->slope[d] < 0)));
}

/* Tries steps with growing damping until the sum decreases. If no step decreases it, *sum does not change. */
static enum shoal_status make_step(struct refinement *refinement, double *x, double *damping, double *sum,
                                   struct shoal_error *error)
{
    const struct search_problem *problem = refinement->problem;
    const double least = *sum;
    hold(refinement, x);
    for (int k = 0; k < MOST_TRIES && *sum >= least && !refinement->stopping->must_end; k++) {
        double other = INFINITY;
        enum shoal_status status = SHOAL_OK;
        if (factorise(refinement, *damping)) {
            solve(refinement);
            for (size_t d = 0; d < refinement->dim; d++)
                refinement->next[d] = inside(problem, d, x[d] + refinement->step[d]);
            status = evaluate(refinement, refinement->next, false, &other, error);
        }
        if (status)
            return status;
        if (other < least) {
            memcpy(x, refinement->next, refinement->dim * sizeof *x);
            *sum = other;
            *damping = fmax(*damping / 10, 1e-12);
        } else {
            *damping *= 10;
        }
    }
    return SHOAL_OK;
}

static enum shoal_status descend(struct refinement *refinement, double *x, struct shoal_error *error)
{
    double damping = 1e-3, sum, before;
    enum shoal_status status = SHOAL_OK;
    for (int k = 0; k < MOST_STEPS && !status && !refinement->stopping->must_end; k++) {
        status = evaluate(refinement, x, true, &sum, error);
        before = sum;
        if (!status)
            status = make_step(refinement, x, &damping, &sum, error);
        if (!status && !(before - sum > 16 * DBL_EPSILON * before))
            break;
    }
    return status;
}

/* Refines the member x by least squares: see search_refine(). */
static enum shoal_status refine_squares(const struct search_problem *problem, double *x, double *value,
                                        struct stopping *stopping, uint64_t *passes,
                                        struct shoal_error *error)
{
    const size_t dim = problem->dim;
    struct refinement refinement = {
        .problem = problem, .dim = dim, .rows = problem->objective->table->rows, .stopping = stopping};
    double *best = malloc(2 * dim * sizeof *best);
    enum shoal_status status = best ? allocate(&refinement, error) : fail_host_memory(error);
    for (size_t d = 0; d < dim && !status; d++)
        best[d] = inside(problem, d, x[d]);
    if (!status)
        status = descend(&refinement, best, error);
    if (!status) {
        const double other = search_value(problem, best, best + dim);
        if (other < *value) {
            memcpy(x, best, dim * sizeof *x);
            *value = other;
        }
        *passes += refinement.passes;
    }
    free(best);
    free(refinement.numbers);
    free(refinement.held);
    return status;
}

/* Pattern search --------------------------------------------------------------------------------------- */

uint64_t search_pattern_evaluations(const struct search_problem *problem, uint64_t evaluations)
{
    const double most = pattern_evaluations * (double)problem->dim;
    const struct objective_table *table = problem->objective->table;
    if (table)
        return (uint64_t)fmax(fmin(most, pattern_rows / (double)table->rows), 10 * (double)problem->dim);
    return (uint64_t)(evaluations ? fmin(most, pattern_share * (double)evaluations) : most);
}

bool search_keeps_evaluations(const struct search_problem *problem)
{
    return !problem->objective->table && search_refinement(problem) == SEARCH_PATTERN;
}

/* Returns the time in seconds that a pattern search may take: a fraction of the time limit of the run; NaN:
 * there is no limit. */
static double seconds_left(const struct shoal_search_params *params)
{
    return params->refine == SHOAL_REFINE_ALL && !params->polish ? pattern_time * params->time : NAN;
}

/* Returns the number of threads for work that takes `seconds` on one thread. Several threads do not pay for
 * short work. */
static int pattern_threads(const struct stopping *stopping, double seconds)
{
    const int threads = threads_once(seconds), most = stopping->stop->threads;
    return most && most < threads ? most : threads;
}

/* Evaluates the points of a batch: all in one call if the objective takes several points, else by threads. */
static void evaluate_batch(const struct search_problem *problem, const double *points, size_t count,
                           double *values, double *scratch, int threads, struct stopping *stopping)
{
    const size_t stride = problem->dim + 8;
    if (search_takes_points(problem)) {
        if (!must_end(stopping))
            search_values(problem, points, count, scratch, values);
        return;
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t i = 0; i < count; i++)
        if (!must_end(stopping))
            values[i] = search_value(problem, points + i * problem->dim,
                                     scratch + stride * (size_t)omp_get_thread_num());
}

/* Runs the pattern search. values: memory for the values of a batch; scratch: dim + 8 numbers for each
 * thread, and dim numbers for each point of a batch. */
static void search_pattern(const struct search_problem *problem, struct search_polish *polish, double *values,
                           double *scratch, struct stopping *stopping)
{
    const struct objective_table *table = problem->objective->table;
    /* time of an evaluation in seconds: for a table, estimated from its rows; else measured with the first
     * batch */
    double seconds = table ? residual_seconds * (double)table->rows : 0;
    const double *points;
    for (size_t count; (count = search_polish_ask(polish, &points)) > 0;) {
        const double began = clock_seconds();
        evaluate_batch(problem, points, count, values, scratch,
                       pattern_threads(stopping, seconds * (double)count), stopping);
        if (stopping->must_end)
            break;
        seconds = fmax(seconds, (clock_seconds() - began) / (double)count);
        search_polish_tell(polish, values);
    }
}

/* Writes the start of a run's pattern search, the member moved into the box, and returns the value there.
 * +infinity: the run is not refined, since it has no finite value, or has reached its target. */
static double first_place(const struct search_problem *problem, const double *member, double value,
                          double *start, double *scratch, uint64_t *passes)
{
    bool is_same = true;
    if (!isfinite(value) || (search_keeps_evaluations(problem) && problem->sign * value <= problem->target))
        return INFINITY;
    for (size_t d = 0; d < problem->dim; d++) {
        start[d] = inside(problem, d, member[d]);
        is_same = is_same && start[d] == member[d];
    }
    *passes += !is_same;
    return is_same ? problem->sign * value : search_value(problem, start, scratch);
}

static enum shoal_status refine_pattern(const struct search_problem *problem, double *members, double *values,
                                        struct stopping *stopping, uint64_t *passes, bool *settled,
                                        struct shoal_error *error)
{
    const size_t dim = problem->dim, runs = problem->runs, capacity = search_polish_capacity(problem);
    const size_t room = (dim + 8) * (size_t)omp_get_max_threads() + capacity * dim;
    const uint64_t kept = stopping->stop->kept;
    struct search_polish *polish = NULL;
    if (kept && kept >= problem->pattern) /* no evaluation is left */
        return SHOAL_OK;
    double *start = calloc(1, (runs * (dim + 1) + capacity + room) * sizeof *start);
    if (!start)
        return fail_host_memory(error);
    double *best = start + runs * dim, *batch = best + runs, *scratch = batch + capacity;
    for (size_t r = 0; r < runs; r++)
        best[r] = first_place(problem, members + r * dim, values[r], start + r * dim, scratch, passes);
    enum shoal_status status = search_polish_create(problem, SHOAL_POLISH_PATTERN, SHOAL_FP64,
                                                    problem->pattern - kept, start, best, &polish, error);
    if (!status) {
        search_pattern(problem, polish, batch, scratch, stopping);
        const double *position = search_polish_position(polish), *found = search_polish_best(polish);
        for (size_t r = 0; r < runs; r++)
            if (found[r] < problem->sign * values[r]) {
                memcpy(members + r * dim, position + r * dim, dim * sizeof *members);
                values[r] = problem->sign * found[r];
            }
        *passes += search_polish_evaluations(polish);
        if (settled)
            memcpy(settled, search_polish_settled(polish), runs * sizeof *settled);
    }
    search_polish_destroy(&polish);
    free(start);
    return status;
}

enum shoal_status search_refine(const struct search_problem *problem, double *members, double *values,
                                const struct search_stop *stop, uint64_t *passes, bool *settled,
                                struct shoal_error *error)
{
    struct stopping stopping = {.stop = stop, .end = NAN};
    enum shoal_status status = SHOAL_OK;
    if (search_keeps_evaluations(problem))
        stopping.end = clock_seconds() + seconds_left(problem->params);
    if (search_refinement(problem) == SEARCH_PATTERN)
        return refine_pattern(problem, members, values, &stopping, passes, settled, error);
    for (size_t r = 0; r < problem->runs && settled; r++)
        settled[r] = true;
    for (size_t r = 0; r < problem->runs && !status; r++)
        if (isfinite(values[r]))
            status =
                refine_squares(problem, members + r * problem->dim, &values[r], &stopping, passes, error);
    return status;
}
