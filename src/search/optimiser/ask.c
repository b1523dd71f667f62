/* Ask and tell: a search on the host makes points, which the caller evaluates. */
#include "base/error.h"
#include "base/params.h"
#include "search/optimiser/optimise.h"
#include "search/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ask -------------------------------------------------------------------------------------------------- */

/* Returns why the search makes no further step; RUNNING: it may make further steps. */
static enum shoal_optimise_result step_state(const struct shoal_optimiser *optimiser)
{
    const struct search_host *host = optimiser_host(optimiser);
    if (!host->drawn || optimiser->place.batch || optimiser->place.asked || !search_host_ended(host))
        return SHOAL_OPTIMISE_RUNNING;
    if (host->runs->reached)
        return SHOAL_OPTIMISE_TARGET;
    if (host->runs->ended)
        return host->runs->ended == SEARCH_CONVERGED ? SHOAL_OPTIMISE_CONVERGED : SHOAL_OPTIMISE_STAGNATED;
    return search_limit(optimiser->algorithm, host->problem->params);
}

/* The points of the batch in progress. */
static struct search_batch find_batch(const struct shoal_optimiser *optimiser)
{
    return search_host_find_batch(optimiser_host(optimiser), 0, optimiser->place.batch);
}

/* Drops the values that were told one by one. */
static void forget_told(struct shoal_optimiser *optimiser)
{
    if (!optimiser->told.count)
        return;
    memset(optimiser->told.is_told, 0, optimiser->capacity * sizeof *optimiser->told.is_told);
    optimiser->told.count = 0;
}

void optimiser_propose(struct shoal_optimiser *optimiser, size_t steps)
{
    struct search_host *host = optimiser_host(optimiser);
    /* Further steps may change the champion, from which a polish starts, so the next polish begins anew. */
    search_polish_destroy(&host->polish);
    optimiser->polish_asked = false;
    forget_told(optimiser);
    free(optimiser->refined);
    optimiser->refined = NULL;
    optimiser->ahead.steps = steps;
    if (steps > 1)
        search_host_propose_ahead(host, 0, steps, search_host_team(host), optimiser->ahead.x);
    else
        search_host_propose(host, 0, optimiser->place.batch, search_host_team(host));
    optimiser->place.asked = 1;
}

/* The points that were made for the caller, with those outside of the box. batch: not used for the points of
 * several steps, which all are inside. */
struct asked_points {
    struct search_batch batch;
    size_t count;
    bool is_ahead;
};

static struct asked_points find_asked(const struct shoal_optimiser *optimiser)
{
    struct asked_points asked = {.is_ahead = optimiser->ahead.steps > 1};
    if (!asked.is_ahead)
        asked.batch = find_batch(optimiser);
    asked.count = asked.is_ahead ? optimiser->ahead.steps * optimiser_host(optimiser)->problem->members
                                 : asked.batch.size;
    return asked;
}

/* Point `number` of those that were made; NULL: it is outside of the box, and needs no value. */
static double *asked_point(const struct shoal_optimiser *optimiser, const struct asked_points *asked,
                           size_t number)
{
    const struct search_host *host = optimiser_host(optimiser);
    if (asked->is_ahead)
        return optimiser->ahead.x + number * host->problem->dim;
    const size_t i = search_batch_point(&asked->batch, number);
    return host->outside[i] ? NULL : host->x + i * host->problem->dim;
}

/* Returns the number of points of the batch that must be evaluated. */
static size_t count_batch(const struct shoal_optimiser *optimiser)
{
    const struct asked_points asked = find_asked(optimiser);
    const struct search_batch batch = asked.batch; /* zeros for points of several steps */
    const unsigned char *outside = optimiser_host(optimiser)->outside + batch.first;
    size_t count = asked.count;
    for (size_t seen = 0; seen < batch.size; seen += batch.part, outside += batch.width)
        for (size_t i = 0; i < batch.part; i++)
            count -= outside[i];
    return count;
}

/* Whether the points of the search are points of the objective. */
static bool is_plain(const struct search_problem *problem)
{
    return search_is_plain(problem) && problem->repair == SHOAL_REPAIR_NONE;
}

/* Returns the `count` points of the batch that must be evaluated, if they lie in the memory of the search one
 * after the other as the objective takes them; NULL: they do not. */
static const double *find_in_place(const struct shoal_optimiser *optimiser, size_t count)
{
    const struct asked_points asked = find_asked(optimiser);
    const bool is_together = asked.is_ahead || asked.batch.part == asked.batch.size;
    if (count < asked.count || !is_together || !is_plain(optimiser_host(optimiser)->problem))
        return NULL;
    return asked_point(optimiser, &asked, 0);
}

/* Writes the points of the batch that must be evaluated. */
static void list_batch(const struct shoal_optimiser *optimiser, double *points)
{
    const struct search_host *host = optimiser_host(optimiser);
    const struct search_problem *problem = host->problem;
    const struct asked_points asked = find_asked(optimiser);
    const bool is_copy = is_plain(problem);
    for (size_t number = 0; number < asked.count; number++) {
        double *x = asked_point(optimiser, &asked, number);
        if (!x)
            continue;
        if (is_copy) {
            memcpy(points, x, optimiser->dim * sizeof *points);
        } else {
            search_repair(problem, x, search_host_scratch_of(host, 0));
            search_to_point(problem, x, points);
        }
        points += optimiser->dim;
    }
}

/* Returns the number that the search compares: sign f, or the rank with constraints, plus the penalty for a
 * point outside of the box. */
static inline double signed_value(const struct search_problem *problem, const double *x, double value)
{
    return problem->sign * value + (problem->penalty > 0 ? search_penalty(problem, x) : 0);
}

/* Sets y to the numbers that the search compares, of `count` points one after the other. Returns the values
 * behind theirs. */
static const double *take_values(const struct search_problem *problem, const unsigned char *outside,
                                 const double *x, size_t count, const double *values, double *y)
{
    if (problem->penalty <= 0 && !memchr(outside, true, count)) {
        for (size_t i = 0; i < count; i++) { /* becomes vector code */
            const double value = problem->sign * values[i] + 0.0;
            y[i] = fabs(value) < INFINITY ? value : INFINITY;
        }
        return values + count;
    }
    for (size_t i = 0; i < count; i++) {
        const double value = outside[i] ? INFINITY : signed_value(problem, x + i * problem->dim, *values++);
        y[i] = isfinite(value) ? value : INFINITY;
    }
    return values;
}

/* Gives the search the values of the points of list_batch(), in their order, and completes the batch. */
static void accept(struct shoal_optimiser *optimiser, const double *values)
{
    struct search_host *host = optimiser_host(optimiser);
    const struct search_batch batch = find_batch(optimiser);
    for (size_t seen = 0, i = batch.first; seen < batch.size; seen += batch.part, i += batch.width)
        values = take_values(host->problem, host->outside + i, host->x + i * host->problem->dim, batch.part,
                             values, host->y + i);
    search_host_accept(host, 0, optimiser->place.batch, search_host_team(host));
    optimiser->place.asked = 0;
    optimiser->place.batch++;
    if (optimiser->place.batch < search_host_batches(host, 0))
        return;
    search_host_settle(host, 0, search_host_team(host));
    host->drawn = true;
    optimiser->place.batch = 0;
}

/* Gives the search the values of the points of several steps, one step after the other. Values after a step
 * that ends the search are not used. The first step is made in any case: a saved state may be loaded with
 * settings by which its search is over. */
static void accept_ahead(struct shoal_optimiser *optimiser, const double *values)
{
    struct search_host *host = optimiser_host(optimiser);
    const size_t members = host->problem->members, numbers = members * host->problem->dim;
    const uint64_t steps = optimiser->ahead.steps;
    optimiser->ahead.steps = 1;
    for (size_t k = 0; k < steps && (k == 0 || !search_host_ended(host)); k++) {
        memcpy(host->x, optimiser->ahead.x + k * numbers, numbers * sizeof *host->x);
        accept(optimiser, values + k * members);
    }
}

enum shoal_status optimiser_open_polish(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    struct search_host *host = optimiser_host(optimiser);
    const size_t island = search_host_champion(host, 0);
    if (host->polish)
        return SHOAL_OK;
    return search_polish_create(host->problem, (enum shoal_polish_rule)host->problem->params->polish_rule,
                                SHOAL_FP64, host->problem->params->polish,
                                host->champion + island * host->problem->dim, &host->islands[island].champion,
                                &host->polish, error);
}

/* Sets *best and *position to the best of the values that were told one by one, if it is better than
 * *best. */
static void find_best_told(const struct shoal_optimiser *optimiser, double *best, const double **position)
{
    const struct search_host *host = optimiser_host(optimiser);
    const double *polish;
    const size_t dim = host->problem->dim, waiting = optimiser_waiting(optimiser, &polish);
    const struct asked_points asked = find_asked(optimiser);
    size_t number = 0; /* index in the batch, which includes points outside of the box */
    for (size_t i = 0; i < waiting; i++, number++) {
        while (!polish && !asked_point(optimiser, &asked, number))
            number++;
        if (!optimiser->told.is_told[i])
            continue;
        const double *x = polish ? polish + i * dim : asked_point(optimiser, &asked, number);
        const double value = signed_value(optimiser_host(optimiser)->problem, x, optimiser->told.values[i]);
        if (isfinite(value) && value < *best) {
            *best = value;
            *position = x;
        }
    }
}

double optimiser_find_best(const struct shoal_optimiser *optimiser, const double **position)
{
    const struct search_host *host = optimiser_host(optimiser);
    const struct search_problem *problem = host->problem;
    double best = INFINITY;
    *position = NULL;
    for (size_t k = 0; k < problem->islands; k++) {
        const struct search_island *island = &host->islands[k];
        const size_t leader = k * problem->members + (size_t)island->leader;
        if (host->drawn && island->champion < best) {
            best = island->champion;
            *position = host->champion + k * problem->dim;
        }
        /* within a step, a member may be better than the champion */
        if (host->best[leader] < best) {
            best = host->best[leader];
            *position = host->p + leader * problem->dim;
        }
    }
    if (host->polish && *search_polish_best(host->polish) < best) {
        best = *search_polish_best(host->polish);
        *position = search_polish_position(host->polish);
    }
    if (optimiser->told.count)
        find_best_told(optimiser, &best, position);
    return best;
}

/* Whether steps or polish have reached the target. */
static bool reached(const struct shoal_optimiser *optimiser)
{
    const double *position;
    return optimiser_find_best(optimiser, &position) <= optimiser_host(optimiser)->problem->target;
}

/* Makes the next points that the caller must evaluate. *points: points of the polish; NULL: the points are
 * the points of a step. */
static enum shoal_status next_points(struct shoal_optimiser *optimiser, size_t steps, const double **points,
                                     size_t *count, struct shoal_error *error)
{
    *points = NULL;
    *count = 0;
    for (;;) {
        const enum shoal_optimise_result state = step_state(optimiser);
        if (state != SHOAL_OPTIMISE_RUNNING) {
            enum shoal_status status =
                optimiser->used->polish ? optimiser_open_polish(optimiser, error) : SHOAL_OK;
            if (!status && optimiser->used->polish)
                *count = search_polish_ask(optimiser_host(optimiser)->polish, points);
            optimiser->polish_asked = *count > 0;
            if (!status && !*count)
                optimiser->state = reached(optimiser) ? SHOAL_OPTIMISE_TARGET : state;
            return status;
        }
        if (!optimiser->place.asked)
            optimiser_propose(optimiser, search_host_ahead(optimiser_host(optimiser), 0, steps));
        *count = count_batch(optimiser);
        if (*count)
            return SHOAL_OK;
        accept(optimiser, NULL); /* all points of the batch are outside of the box and need no value */
    }
}

size_t shoal_optimiser_capacity(struct shoal_optimiser *optimiser)
{
    struct shoal_error ignored;
    if (optimiser_start_asking(optimiser, "shoal_optimiser_capacity", &ignored))
        return 0;
    const size_t waiting = optimiser->ahead.steps * search_host_most_points(optimiser_host(optimiser));
    return waiting > optimiser->step_capacity ? waiting : optimiser->step_capacity;
}

/* Number of steps for whose points there is room. */
static size_t fitting_steps(const struct shoal_optimiser *optimiser, size_t capacity)
{
    const size_t fitting = capacity / search_host_most_points(optimiser_host(optimiser)),
                 most = optimiser->ahead.most, steps = fitting < most ? fitting : most;
    return steps ? steps : 1;
}

/* Makes the next points, and sets *points to the memory that has them until the next call. */
static enum shoal_status ask_in_place(struct shoal_optimiser *optimiser, size_t steps, size_t capacity,
                                      const double **points, size_t *count, struct shoal_error *error)
{
    enum shoal_status status = next_points(optimiser, steps, points, count, error);
    if (!status && *count > capacity) {
        status =
            fail(error, SHOAL_INVALID, "there are %zu points to evaluate and room for %zu", *count, capacity);
        *count = 0;
    }
    if (status || !*count || *points)
        return status;
    *points = find_in_place(optimiser, *count);
    if (!*points) {
        list_batch(optimiser, optimiser->points);
        *points = optimiser->points;
    }
    return SHOAL_OK;
}

enum shoal_status optimiser_ask(struct shoal_optimiser *optimiser, size_t steps, double *points,
                                size_t capacity, size_t *count, struct shoal_error *error)
{
    const double *source;
    enum shoal_status status = ask_in_place(optimiser, steps, capacity, &source, count, error);
    if (!status && *count && source != points)
        memcpy(points, source, *count * optimiser->dim * sizeof *points);
    return status;
}

enum shoal_status shoal_optimiser_ask(struct shoal_optimiser *optimiser, double *points, size_t capacity,
                                      size_t *count, struct shoal_error *error)
{
    if (!NEED(error, points, count))
        return SHOAL_INVALID;
    *count = 0;
    enum shoal_status status = optimiser_start_asking(optimiser, "shoal_optimiser_ask", error);
    return status
               ? status
               : optimiser_ask(optimiser, fitting_steps(optimiser, capacity), points, capacity, count, error);
}

/* Tell ------------------------------------------------------------------------------------------------- */

size_t optimiser_waiting(const struct shoal_optimiser *optimiser, const double **polish)
{
    *polish = NULL;
    if (!optimiser || !optimiser->started || optimiser->device)
        return 0;
    if (optimiser->place.asked)
        return count_batch(optimiser);
    return optimiser->polish_asked ? search_polish_ask(optimiser_host(optimiser)->polish, polish) : 0;
}

static void take_polish(struct shoal_optimiser *optimiser, const double *points, size_t count,
                        const double *values)
{
    struct search_host *host = optimiser_host(optimiser);
    double *signed_values = optimiser->told.values; /* each element is read before it is overwritten */
    for (size_t i = 0; i < count; i++) {
        host->runs->not_finite += !isfinite(values[i]);
        signed_values[i] = signed_value(host->problem, points + i * host->problem->dim, values[i]);
    }
    search_polish_tell(host->polish, signed_values);
    optimiser->polish_asked = false;
}

void optimiser_take_values(struct shoal_optimiser *optimiser, const double *values)
{
    const double *polish;
    const size_t count = optimiser_waiting(optimiser, &polish);
    if (polish)
        take_polish(optimiser, polish, count, values);
    else if (optimiser->ahead.steps > 1)
        accept_ahead(optimiser, values);
    else
        accept(optimiser, values);
    forget_told(optimiser);
    optimiser->place.evaluations += count;
}

void optimiser_note_value(struct shoal_optimiser *optimiser, size_t index, double value)
{
    struct optimiser_told *told = &optimiser->told;
    const double *polish;
    told->values[index] = value;
    told->is_told[index] = true;
    if (++told->count == optimiser_waiting(optimiser, &polish))
        optimiser_take_values(optimiser, told->values);
}

/* Returns the value that the search uses for a point, from the value and the violation that the caller tells.
 * With constraints this is the rank of the point. index: index of the point among the points that wait for
 * values. */
static double ranked_value(const struct shoal_optimiser *optimiser, size_t index, double value,
                           double violation)
{
    const struct search_host *host = optimiser_host(optimiser);
    const struct search_problem *problem = host->problem;
    const double *polish, *x;
    if (!problem->constrained)
        return value;
    optimiser_waiting(optimiser, &polish);
    const struct asked_points asked = find_asked(optimiser);
    size_t number =
        asked.is_ahead ? index : 0; /* index in the batch, which includes points outside of the box */
    for (size_t i = 0; !polish && !asked.is_ahead; number++) {
        i += asked_point(optimiser, &asked, number) != NULL;
        if (i > index)
            break;
    }
    x = polish ? polish + index * problem->dim : asked_point(optimiser, &asked, number);
    return problem->sign *
           search_rank_told(problem, x, problem->sign * value, violation, search_host_scratch_of(host, 0));
}

/* Computes the ranks of the points that wait, from the values that the caller tells for all of them.
 * violations NULL: the caller tells none. */
static void rank_values(const struct shoal_optimiser *optimiser, const double *values,
                        const double *violations, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = ranked_value(optimiser, i, values[i], violations ? violations[i] : 0);
}

/* Finds the number of points that wait for values; fails if there are none. */
static enum shoal_status find_waiting(const struct shoal_optimiser *optimiser, size_t *count,
                                      struct shoal_error *error)
{
    const double *polish;
    *count = optimiser_waiting(optimiser, &polish);
    return *count ? SHOAL_OK : fail(error, SHOAL_INVALID, "no points wait for values: ask first");
}

/* Fails if the caller has not announced that it tells violations, or if a violation is negative or NaN. */
static enum shoal_status check_violations(const struct shoal_optimiser *optimiser, const double *violations,
                                          size_t count, struct shoal_error *error)
{
    if (!optimiser->is_constrained)
        return fail(
            error, SHOAL_INVALID,
            "the optimiser expects no violations: call shoal_optimiser_set_constrained before the search");
    for (size_t i = 0; i < count; i++)
        if (!(violations[i] >= 0))
            return fail(error, SHOAL_INVALID, "violation %zu is %g: a violation is 0 or above", i,
                        violations[i]);
    return SHOAL_OK;
}

/* Takes the values of all points that wait. violations NULL: the caller tells none. */
static enum shoal_status tell(struct shoal_optimiser *optimiser, const double *values,
                              const double *violations, size_t count, struct shoal_error *error)
{
    size_t waiting;
    enum shoal_status status = find_waiting(optimiser, &waiting, error);
    if (status)
        return status;
    if (count != waiting)
        return fail(error, SHOAL_INVALID, "%zu points wait for values, not %zu", waiting, count);
    if (optimiser->told.count)
        return fail(error, SHOAL_INVALID,
                    "%zu of %zu points have their values already: tell the others one by one, with "
                    "shoal_optimiser_tell_value",
                    optimiser->told.count, waiting);
    if (optimiser_host(optimiser)->problem->constrained) {
        rank_values(optimiser, values, violations, count, optimiser->values);
        values = optimiser->values;
    }
    optimiser_take_values(optimiser, values);
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_tell(struct shoal_optimiser *optimiser, const double *values, size_t count,
                                       struct shoal_error *error)
{
    if (!NEED(error, optimiser, values))
        return SHOAL_INVALID;
    return tell(optimiser, values, NULL, count, error);
}

enum shoal_status shoal_optimiser_tell_constrained(struct shoal_optimiser *optimiser, const double *values,
                                                   const double *violations, size_t count,
                                                   struct shoal_error *error)
{
    if (!NEED(error, optimiser, values, violations))
        return SHOAL_INVALID;
    const enum shoal_status status = check_violations(optimiser, violations, count, error);
    return status ? status : tell(optimiser, values, violations, count, error);
}

/* Writes points[count][dim] as columns[dim][count]. */
static void turn(const double *points, size_t count, size_t dim, double *columns)
{
    enum { TOGETHER = 4 }; /* points whose coordinates are neighbours in a column */
    size_t first = 0;
    for (; first + TOGETHER <= count; first += TOGETHER, points += TOGETHER * dim)
        for (size_t d = 0; d < dim; d++)
            for (size_t i = 0; i < TOGETHER; i++)
                columns[d * count + first + i] = points[i * dim + d];
    for (; first < count; first++, points += dim)
        for (size_t d = 0; d < dim; d++)
            columns[d * count + first] = points[d];
}

enum shoal_status shoal_optimiser_tell_ask(struct shoal_optimiser *optimiser, const double *values,
                                           size_t told, double *points, size_t capacity, size_t *count,
                                           struct shoal_error *error)
{
    if (!NEED(error, optimiser, points, count))
        return SHOAL_INVALID;
    *count = 0;
    /* With too little room the values are not told, so that the same call with more room is right. */
    if (told && capacity < optimiser->step_capacity)
        return fail(error, SHOAL_INVALID, "there is room for %zu points, and a step may have %zu", capacity,
                    optimiser->step_capacity);
    enum shoal_status status = told ? shoal_optimiser_tell(optimiser, values, told, error) : SHOAL_OK;
    if (!status)
        status = optimiser_start_asking(optimiser, "shoal_optimiser_tell_ask", error);
    const double *source = NULL;
    if (!status)
        status = ask_in_place(optimiser, fitting_steps(optimiser, capacity), capacity, &source, count, error);
    if (!status)
        turn(source, *count, optimiser->dim, points);
    return status;
}

static enum shoal_status tell_value(struct shoal_optimiser *optimiser, size_t index, double value,
                                    double violation, struct shoal_error *error)
{
    size_t waiting;
    enum shoal_status status = find_waiting(optimiser, &waiting, error);
    if (status)
        return status;
    if (index >= waiting)
        return fail(error, SHOAL_INVALID, "there is no point %zu: points 0 to %zu were asked", index,
                    waiting - 1);
    if (optimiser->told.is_told[index])
        return fail(error, SHOAL_INVALID, "point %zu has its value already", index);
    optimiser_note_value(optimiser, index, ranked_value(optimiser, index, value, violation));
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_tell_value(struct shoal_optimiser *optimiser, size_t index, double value,
                                             struct shoal_error *error)
{
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    return tell_value(optimiser, index, value, 0, error);
}

enum shoal_status shoal_optimiser_tell_value_constrained(struct shoal_optimiser *optimiser, size_t index,
                                                         double value, double violation,
                                                         struct shoal_error *error)
{
    if (!NEED(error, optimiser))
        return SHOAL_INVALID;
    const enum shoal_status status = check_violations(optimiser, &violation, 1, error);
    return status ? status : tell_value(optimiser, index, value, violation, error);
}

size_t shoal_optimiser_missing(const struct shoal_optimiser *optimiser, size_t *indices, size_t capacity)
{
    const double *polish;
    const size_t waiting = optimiser_waiting(optimiser, &polish);
    size_t missing = 0;
    for (size_t i = 0; i < waiting; i++) {
        if (optimiser->told.is_told[i])
            continue;
        if (indices && missing < capacity)
            indices[missing] = i;
        missing++;
    }
    return missing;
}
