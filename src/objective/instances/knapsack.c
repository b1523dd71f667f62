/* Repair of multidimensional knapsacks after P. C. Chu and J. E. Beasley, A genetic algorithm for the
 * multidimensional knapsack problem, Journal of Heuristics 4 (1998). Items with the least pseudo-utility are
 * removed until the rest fits. Then items that still fit are added, in descending order of their
 * pseudo-utility. */
#include "base/error.h"
#include "objective/instances/instance.h"

#include <math.h>
#include <stdlib.h>

/* Returns the number of capacities. The table has a row of profits, a row for each capacity (the weights of
 * the items, then the capacity), and a row of the items in the order of their pseudo-utility. */
static size_t capacities_of(size_t rows)
{
    return rows - 2;
}

/* Multipliers ------------------------------------------------------------------------------------------ */

/* STEPS: largest number of steps of the search for the multipliers. most_operations: limit of all operations
 * of this search, which has fewer steps for large instances. */
enum { STEPS = 200 };
static const double most_operations = 2e8;

/* The Lagrangian relaxation of a knapsack, scaled so that each capacity is 1. */
struct relaxation {
    const double *numbers; /* numbers of the instance */
    size_t dim, count;     /* number of items, and of capacities */
    double *multipliers, *best, *slack;
};

static double part_of(const struct relaxation *r, size_t i, size_t item)
{
    const double *weights = r->numbers + (i + 1) * (r->dim + 1);
    return weights[item] / fmax(weights[r->dim], 1);
}

/* Returns the cost of an item: the sum over the capacities of the multiplier times the fraction of the
 * capacity that the item takes. */
static double cost_of(const struct relaxation *r, const double *multipliers, size_t item)
{
    double cost = 0;
    for (size_t i = 0; i < r->count; i++)
        cost += multipliers[i] * part_of(r, i, item);
    return cost;
}

/* Returns the bound that the relaxation gives for r->multipliers. Sets r->slack: the fraction of each
 * capacity that the chosen items leave. */
static double bound_of(const struct relaxation *r)
{
    double bound = 0;
    for (size_t i = 0; i < r->count; i++) {
        bound += r->multipliers[i];
        r->slack[i] = 1;
    }
    for (size_t item = 0; item < r->dim; item++) {
        const double gain = r->numbers[item] - cost_of(r, r->multipliers, item);
        for (size_t i = 0; i < r->count && gain > 0; i++)
            r->slack[i] -= part_of(r, i, item);
        bound += fmax(gain, 0);
    }
    return bound;
}

/* Finds multipliers near those with the least bound, by a subgradient method. The multipliers with the least
 * bound are the dual values of the linear relaxation. */
static void find_multipliers(const struct relaxation *r)
{
    const double steps = fmin(STEPS, 10 + most_operations / ((double)r->dim * (double)r->count));
    double least = INFINITY, profit = 0, load = 0;
    for (size_t item = 0; item < r->dim; item++) {
        profit += fabs(r->numbers[item]);
        for (size_t i = 0; i < r->count; i++)
            load += fabs(part_of(r, i, item));
    }
    for (size_t i = 0; i < r->count; i++)
        r->multipliers[i] = r->best[i] = load > 0 ? profit / load : 0;
    for (double step = 0; step < steps; step++) {
        const double bound = bound_of(r);
        double norm = 0;
        for (size_t i = 0; i < r->count; i++) {
            norm += r->slack[i] * r->slack[i];
            if (bound < least)
                r->best[i] = r->multipliers[i];
        }
        least = fmin(least, bound);
        const double length = norm > 0 ? 0.01 * least / norm / (1 + step / 20) : 0;
        for (size_t i = 0; i < r->count; i++)
            r->multipliers[i] = fmax(r->multipliers[i] - length * r->slack[i], 0);
    }
}

struct item {
    double utility, number;
};

/* Compares items for qsort: a greater utility comes first, and of equal ones a lower number. */
static int compare_items(const void *a, const void *b)
{
    const struct item *one = a, *other = b;
    if (one->utility != other->utility)
        return one->utility > other->utility ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

enum shoal_status knapsack_order(struct instance_data *data, struct shoal_error *error)
{
    const size_t dim = data->dim, count = capacities_of(data->rows);
    double *room = calloc(3 * count, sizeof *room), *last = data->numbers + (data->rows - 1) * data->columns;
    struct item *items = calloc(dim, sizeof *items);
    const struct relaxation relaxation = {.numbers = data->numbers,
                                          .dim = dim,
                                          .count = count,
                                          .multipliers = room,
                                          .best = room + count,
                                          .slack = room + 2 * count};
    const bool good = room && items;
    if (good)
        find_multipliers(&relaxation);
    for (size_t item = 0; item < dim && good; item++) {
        const double cost = cost_of(&relaxation, relaxation.best, item);
        items[item] = (struct item){cost > 0 ? data->numbers[item] / cost : INFINITY, (double)item};
    }
    if (good)
        qsort(items, dim, sizeof *items, compare_items);
    for (size_t i = 0; i < dim && good; i++)
        last[i] = items[i].number;
    free(room);
    free(items);
    return good ? SHOAL_OK : fail_host_memory(error);
}

/* Repair ----------------------------------------------------------------------------------------------- */

static bool fits(const struct instance *instance, const double *load, size_t dim)
{
    for (size_t i = 0; i < capacities_of(instance->rows); i++)
        if (load[i] > instance->numbers[(i + 1) * instance->columns + dim])
            return false;
    return true;
}

/* Adds the weights of an item, multiplied by `times`, to the load of each capacity. times: 1 adds the item,
 * -1 removes it. */
static void move_item(const struct instance *instance, double *load, size_t item, double times)
{
    for (size_t i = 0; i < capacities_of(instance->rows); i++)
        load[i] += times * instance->numbers[(i + 1) * instance->columns + item];
}

enum shoal_status knapsack_repair(const struct shoal_objective *objective, double *x, size_t dim,
                                  struct shoal_error *error)
{
    const struct instance *instance = instance_of(objective);
    if (!instance)
        return fail(error, SHOAL_INVALID, "%s needs an instance", objective->info.name);
    const double *order = instance->numbers + (instance->rows - 1) * instance->columns;
    double load[KNAPSACK_CAPACITIES] = {0};
    for (size_t item = 0; item < dim; item++)
        if (x[item] != 0)
            move_item(instance, load, item, 1);
    for (size_t i = dim; i-- > 0 && !fits(instance, load, dim);) {
        const size_t item = (size_t)order[i];
        if (x[item] == 0)
            continue;
        x[item] = 0;
        move_item(instance, load, item, -1);
    }
    for (size_t i = 0; i < dim; i++) {
        const size_t item = (size_t)order[i];
        if (x[item] != 0)
            continue;
        move_item(instance, load, item, 1);
        x[item] = fits(instance, load, dim);
        if (x[item] == 0)
            move_item(instance, load, item, -1);
    }
    return SHOAL_OK;
}
