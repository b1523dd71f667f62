/* The augmented Lagrangian, by which a population compares points under constraints: A. Atamna, A. Auger and
 * N. Hansen (FOGA 2017), with the first coefficients and the limits of pycma: docs/constraints.md. Best
 * points and results follow Deb's rules. */
#include "cmaes/host/host.h"
#include "objective/constraints/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Indices into the state of a run. SEEN: whether a generation has been seen; VALUE: mean objective value of
 * the last generation; UPDATES: number of updates; FIRST: start of the struct coefficient of each
 * constraint. */
enum { SEEN, VALUE, UPDATES, FIRST };
struct coefficient {
    double multiplier, weight;
    double before; /* side of the constraint at the mean of the last generation */
    double is_set;
};

/* Constants of FOGA 2017, except `rise` and the rate of the weights, which follow P. Dufosse and N. Hansen
 * (FOGA 2021). */
static const double rise = 10, slow = 5, damping = 5;

size_t cmaes_lagrangian_numbers(const struct cmaes_problem *problem)
{
    const size_t each = sizeof(struct coefficient) / sizeof(double);
    return problem->params->constraint_rule == SHOAL_CMAES_LAGRANGIAN
               ? FIRST + each * problem->search.constrained->count
               : 0;
}

size_t cmaes_lagrangian_parts(const struct cmaes_problem *problem)
{
    return problem->params->constraint_rule == SHOAL_CMAES_LAGRANGIAN ? 1 + problem->search.constrained->count
                                                                      : 0;
}

double cmaes_host_value(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    const struct cmaes_host *host = cmaes_host_of(search);
    const struct search_problem *problem = search->problem;
    const double *x = search->x + i * problem->dim;
    if (!host->sides)
        return search_value_in_step(problem, x, step, scratch);
    double excess[CONSTRAINTS_MOST + CONSTRAINTS_FORMULAS];
    const size_t count = problem->constrained->count;
    double *part = host->sides + i * (1 + count);
    part[0] = search_sides(problem, x, scratch, part + 1);
    memcpy(excess, part + 1, count * sizeof *excess);
    constrained_find_excess(problem->constrained, excess);
    const double rank = constrained_rank_of(part[0], constrained_violation(problem->constrained, excess));
    return isfinite(rank) ? rank : INFINITY;
}

/* Returns the value of constraint k that the search must bring to 0. An equality counts as met within the
 * tolerance, so its value is taken relative to an end of this interval: the end above 0 if the multiplier is
 * positive, else the end below 0. */
static double side_of(const struct constrained *constrained, size_t k, const struct coefficient *of,
                      double side)
{
    if (!constrained->is_equality[k] || of->multiplier == 0)
        return side;
    return side - copysign(constrained->tolerance, of->multiplier);
}

/* Returns the term of constraint k in the augmented Lagrangian. */
static double penalty(const struct constrained *constrained, size_t k, const struct coefficient *of,
                      double side)
{
    side = side_of(constrained, k, of, side);
    if (!constrained->is_equality[k] && of->weight * side < -of->multiplier)
        side = -of->multiplier / of->weight;
    return of->multiplier * side + 0.5 * of->weight * side * side;
}

static double lagrangian(const struct constrained *constrained, const struct coefficient *of, double value,
                         const double *sides)
{
    for (size_t k = 0; k < constrained->count; k++)
        value += penalty(constrained, k, &of[k], sides[k]);
    return value;
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/* Returns the interquartile range of part k of the points, or of its squares. Values that are not finite are
 * left out. room: scratch with a number for each point. */
static double quartiles(const double *parts, size_t count, size_t stride, size_t k, bool squares,
                        double *room)
{
    size_t finite = 0;
    for (size_t n = 0; n < count; n++) {
        const double value = parts[n * stride + k];
        if (isfinite(value))
            room[finite++] = squares ? value * value : value;
    }
    if (!finite)
        return 0;
    qsort(room, finite, sizeof *room, compare);
    return room[(finite - 1) - (finite - 1) / 4] - room[(finite - 1) / 4];
}

/* Sets the coefficients of each equality, and of each inequality that more than a tenth of the points
 * violate, unless the coefficients of the constraint are final (is_set). */
static void set_coefficients(const struct search_problem *problem, const double *parts, double *state,
                             double *room)
{
    const struct constrained *constrained = problem->constrained;
    const size_t count = problem->members, stride = 1 + constrained->count;
    const double n = (double)problem->dim;
    struct coefficient *of = (struct coefficient *)(state + FIRST);
    double width = quartiles(parts, count, stride, 0, false, room);
    width = width > 0 && isfinite(width) ? width : 1;
    for (size_t k = 0; k < constrained->count; k++) {
        double sign = 0;
        for (size_t i = 0; i < count; i++) {
            const double side = parts[i * stride + 1 + k];
            sign += (side > 0) - (side < 0);
        }
        sign /= (double)count;
        if ((of[k].is_set > 0 && of[k].weight > 0) || !(sign > -0.8 || constrained->is_equality[k]))
            continue;
        const double side = quartiles(parts, count, stride, 1 + k, false, room),
                     square = quartiles(parts, count, stride, 1 + k, true, room), least = 1e-11 * (width + 1);
        if (!constrained->is_equality[k])
            of[k].multiplier = width / (n * side + least);
        of[k].weight = 0.4 * width / n / (side + 1e-6 * square + least);
        of[k].is_set = state[UPDATES] > 2 + n || fabs(sign) < 0.8;
    }
}

/* Returns how many of the sorted numbers are below the value. */
static size_t count_below(const double *sorted, size_t count, double value)
{
    size_t first = 0;
    while (first < count) {
        const size_t middle = first + (count - first) / 2;
        if (sorted[middle] < value)
            first = middle + 1;
        else
            count = middle;
    }
    return first;
}

/* Fills `mean` with the weighted mean of the parts of the better points. This mean takes the place of the
 * parts at the mean of the distribution, which would need an additional evaluation. Returns false if a mean
 * is not finite. */
static bool find_mean(const struct search_problem *problem, const double *parts, const double *values,
                      double *room, double *mean)
{
    const size_t members = problem->members, stride = 1 + problem->constrained->count;
    const double half = log(((double)members + 1) / 2);
    double sum = 0;
    memcpy(room, values, members * sizeof *room);
    qsort(room, members, sizeof *room, compare);
    memset(mean, 0, stride * sizeof *mean);
    for (size_t n = 0; n < members; n++) {
        const double weight = half - log((double)count_below(room, members, values[n]) + 1);
        if (!(weight > 0))
            continue;
        sum += weight;
        for (size_t k = 0; k < stride; k++)
            mean[k] += weight * parts[n * stride + k];
    }
    bool is_finite = true;
    for (size_t k = 0; k < stride; k++) {
        mean[k] /= sum;
        is_finite = is_finite && isfinite(mean[k]);
    }
    return is_finite;
}

static void update(const struct search_problem *problem, const double *mean, double *state)
{
    const struct constrained *constrained = problem->constrained;
    const double n = (double)problem->dim;
    struct coefficient *of = (struct coefficient *)(state + FIRST);
    double change = mean[0] - state[VALUE];
    const double rate = pow(2, 1 / sqrt(n));
    for (size_t k = 0; k < constrained->count; k++)
        change +=
            penalty(constrained, k, &of[k], mean[1 + k]) - penalty(constrained, k, &of[k], of[k].before);
    for (size_t k = 0; k < constrained->count; k++) {
        const double side = side_of(constrained, k, &of[k], mean[1 + k]),
                     before = side_of(constrained, k, &of[k], of[k].before);
        const bool is_inequality = !constrained->is_equality[k];
        if (!(of[k].weight > 0) || (is_inequality && side * of[k].weight < -of[k].multiplier))
            continue;
        of[k].multiplier += of[k].weight * side / damping;
        if (is_inequality && of[k].multiplier < 0) {
            of[k].multiplier = 0;
            continue;
        }
        if (of[k].weight * side * side < rise * fabs(change) / n || slow * fabs(side - before) < fabs(before))
            of[k].weight *= pow(rate, 0.25);
        else
            of[k].weight /= rate;
    }
    state[UPDATES]++;
}

static void keep_mean(const struct search_problem *problem, const double *mean, double *state)
{
    struct coefficient *of = (struct coefficient *)(state + FIRST);
    state[SEEN] = 1;
    state[VALUE] = mean[0];
    for (size_t k = 0; k < problem->constrained->count; k++)
        of[k].before = mean[1 + k];
}

static void fill_values(const struct search_problem *problem, const double *parts, const double *state,
                        double *values)
{
    const size_t stride = 1 + problem->constrained->count;
    const struct coefficient *of = (const struct coefficient *)(state + FIRST);
    for (size_t n = 0; n < problem->members; n++) {
        const double value = lagrangian(problem->constrained, of, parts[n * stride], parts + n * stride + 1);
        values[n] = isfinite(value) ? value : INFINITY;
    }
}

void cmaes_host_lagrange(const struct cmaes_host *host, size_t run, bool is_new, bool adapts, double *values)
{
    const struct search_problem *problem = &host->problem.search;
    const size_t members = problem->members, stride = cmaes_lagrangian_parts(&host->problem),
                 numbers = cmaes_lagrangian_numbers(&host->problem);
    const double *parts = host->sides + run * members * stride;
    double *state = host->lagrangian + run * numbers, *room = host->room + run * members,
           mean[1 + CONSTRAINTS_MOST + CONSTRAINTS_FORMULAS];
    if (is_new && adapts)
        memset(state, 0, numbers * sizeof *state);
    if (adapts) {
        set_coefficients(problem, parts, state, room);
        fill_values(problem, parts, state, values);
        if (find_mean(problem, parts, values, room, mean)) {
            if (state[SEEN] > 0)
                update(problem, mean, state);
            keep_mean(problem, mean, state);
        }
    }
    fill_values(problem, parts, state, values);
}
