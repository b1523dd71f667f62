/* Moves of points over genes, and the changes of the value by moves. */
#include "base/error.h"
#include "base/params.h"
#include "objective/objective.h"
#include "objective/variables/variables.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct move {
    const struct shoal_objective *objective;
    const struct shoal_variables *variables;
    enum shoal_move kind;
    size_t i, j;
    double *x; /* the point before the move, followed by the point after the move */
};

void genes_insert(double *places, size_t i, size_t j)
{
    const double moved = places[i];
    if (i < j)
        memmove(places + i, places + i + 1, (j - i) * sizeof *places);
    else
        memmove(places + j + 1, places + j, (i - j) * sizeof *places);
    places[j] = moved;
}

static void apply(const struct move *move, double *genes)
{
    const struct genome_layout layout = genome_layout(move->variables);
    double *bits = genes + layout.reals + layout.wholes, *places = bits + layout.bits;
    const size_t i = move->i, j = move->j;
    if (move->kind == SHOAL_MOVE_FLIP) {
        bits[i] = 1 - bits[i];
    } else if (move->kind == SHOAL_MOVE_SWAP) {
        const double place = places[i];
        places[i] = places[j];
        places[j] = place;
    } else {
        genes_insert(places, i, j);
    }
}

static double value_of(const struct move *move, const double *genes)
{
    const struct shoal_objective *objective = move->objective;
    if (objective->genes)
        return objective->genes->value(objective, genes, move->variables->count, 0);
    genes_to_point(move->variables, genes, move->x);
    return objective->value(objective, move->x, move->variables->count);
}

static double compare(double *genes, const void *data)
{
    const struct move *move = data;
    const double before = value_of(move, genes);
    apply(move, genes);
    return value_of(move, genes) - before;
}

/* Returns the value after a move minus the value before. */
static double difference(const struct shoal_objective *objective, const struct shoal_variables *variables,
                         const double *x, struct move *move)
{
    move->x = malloc(variables->count * sizeof *move->x);
    move->objective = objective;
    move->variables = variables;
    const double change = move->x ? genes_apply(variables, x, compare, move) : objective_fail_memory();
    free(move->x);
    return change;
}

static bool has_genes(const struct genome_layout *layout, const struct move *move)
{
    if (move->kind == SHOAL_MOVE_FLIP)
        return move->i < layout->bits;
    return (move->kind == SHOAL_MOVE_SWAP || move->kind == SHOAL_MOVE_INSERTION) &&
           move->i < layout->places && move->j < layout->places;
}

double shoal_objective_change(const struct shoal_objective *objective, const double *x, size_t dim,
                              enum shoal_move kind, size_t i, size_t j)
{
    if (!objective)
        return NAN;
    struct move move = {.kind = kind, .i = i, .j = j};
    struct shoal_variables *variables;
    if (!objective->info.variables ||
        shoal_variables_parse(objective->info.variables, dim, &variables, NULL) != SHOAL_OK)
        return NAN;
    const struct genome_layout layout = genome_layout(variables);
    double change = NAN;
    if (has_genes(&layout, &move))
        change = kind == (enum shoal_move)objective->info.move ? objective->change(objective, x, dim, i, j)
                                                               : difference(objective, variables, x, &move);
    shoal_variables_destroy(&variables);
    return change;
}

/* Checks ----------------------------------------------------------------------------------------------- */

enum { CHECKED_POINTS = 4, CHECKED_MOVES = 32, CHECKED_DIM = 12, CHECKED_REPAIRS = 64 };

static uint32_t draw(uint32_t point, uint32_t number)
{
    return shoal_random_words(1, SHOAL_STREAM_DATA, point, number, 0).x;
}

static size_t below(uint32_t word, size_t count)
{
    return (size_t)((uint64_t)word * count >> 32);
}

static void draw_point(const struct shoal_variables *variables, uint32_t point, double *x)
{
    for (size_t g = 0; g < variables->group_count; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        const double lower = isnan(group->lower) ? 0 : group->lower,
                     upper = isnan(group->upper) ? 1 : group->upper;
        for (size_t i = 0; i < group->count; i++) {
            double *value = x + group->first + i;
            const uint32_t word = draw(point, (uint32_t)(group->first + i));
            if (group->kind == SHOAL_ORDER) {
                double *other = value - i + below(word, i + 1);
                *value = *other;
                *other = (double)i;
            } else if (group->kind == SHOAL_REAL) {
                *value = lower + (upper - lower) * shoal_uniform_double(word, 0);
            } else {
                *value = lower + (double)below(word, (size_t)(upper - lower) + 1);
            }
        }
    }
}

static enum shoal_status check_move(const struct shoal_objective *objective,
                                    const struct shoal_variables *variables, const double *x,
                                    struct move *move, struct shoal_error *error)
{
    static const char *const names[] = {"", "flip of bit", "swap of places", "insertion from and to place"};
    const double change = objective->change(objective, x, variables->count, move->i, move->j);
    const double wanted = difference(objective, variables, x, move);
    const double size = fabs(objective->value(objective, x, variables->count)) + fabs(wanted) + 1;
    if (!isfinite(wanted) || fabs(change - wanted) <= (objective->info.whole_values ? 0 : 1e-9 * size))
        return SHOAL_OK;
    char second[32] = "";
    if (move->kind != SHOAL_MOVE_FLIP)
        snprintf(second, sizeof second, " %zu", move->j);
    return fail(
        error, SHOAL_INVALID,
        "%s: objective_change is %.10g for the %s %zu%s of a random point, its values differ by %.10g",
        objective->info.name, change, names[move->kind], move->i, second, wanted);
}

size_t objective_check_dim(const struct shoal_objective *objective)
{
    const struct shoal_objective_info *info = &objective->info;
    return info->max_dim < CHECKED_DIM || info->min_dim > CHECKED_DIM ? info->min_dim : CHECKED_DIM;
}

enum shoal_status objective_check_changes(const struct shoal_objective *objective, struct shoal_error *error)
{
    const struct shoal_objective_info *info = &objective->info;
    struct shoal_variables *variables;
    const size_t dim = objective_check_dim(objective);
    enum shoal_status status = shoal_variables_parse(info->variables, dim, &variables, error);
    if (status)
        return status;
    const struct genome_layout layout = genome_layout(variables);
    const size_t genes = info->move == SHOAL_MOVE_FLIP ? layout.bits : layout.places;
    double *x = malloc(dim * sizeof *x);
    if (!x)
        status = fail_host_memory(error);
    for (uint32_t point = 0; point < CHECKED_POINTS && !status; point++) {
        draw_point(variables, point, x);
        for (uint32_t m = 0; m < CHECKED_MOVES && !status; m++) {
            struct move move = {.kind = (enum shoal_move)info->move,
                                .i = below(draw(CHECKED_POINTS + point, 2 * m), genes),
                                .j = below(draw(CHECKED_POINTS + point, 2 * m + 1), genes)};
            status = check_move(objective, variables, x, &move, error);
        }
    }
    free(x);
    shoal_variables_destroy(&variables);
    return status;
}

enum shoal_status shoal_objective_repair(const struct shoal_objective *objective, double *x, size_t dim,
                                         struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, objective))
        return SHOAL_INVALID;
    struct shoal_variables *variables;
    struct shoal_error reason;
    if (!objective->repair)
        return fail(error, SHOAL_UNSUPPORTED, "%s repairs no points", objective->info.name);
    enum shoal_status status = objective->repair(objective, x, dim, error);
    if (!status)
        status = shoal_variables_parse(objective->info.variables, dim, &variables, error);
    if (status)
        return status;
    status = shoal_variables_check(variables, x, &reason);
    shoal_variables_destroy(&variables);
    return status ? fail(error, status, "%s: objective_repair leaves no individual: %s", objective->info.name,
                         reason.message)
                  : SHOAL_OK;
}

/* Checks that a repair leaves an individual unchanged that was already repaired, except for rounding of
 * reals. */
static enum shoal_status check_repaired(const struct shoal_objective *objective,
                                        const struct shoal_variables *variables, const double *repaired,
                                        double *again, struct shoal_error *error)
{
    const size_t dim = shoal_variables_count(variables);
    char name[2 * VARIABLES_NAME];
    memcpy(again, repaired, dim * sizeof *again);
    enum shoal_status status = shoal_objective_repair(objective, again, dim, error);
    for (const struct shoal_variable_group *group = variables->groups;
         group < variables->groups + variables->group_count; group++)
        for (size_t i = group->first; i < group->first + group->count && !status; i++) {
            const double rounding = group->kind == SHOAL_REAL ? 1e-9 * fmax(1, fabs(repaired[i])) : 0;
            if (fabs(again[i] - repaired[i]) <= rounding)
                continue;
            variables_name(variables, i, name);
            status = fail(error, SHOAL_INVALID,
                          "%s: objective_repair changes an individual that it has repaired: %s",
                          objective->info.name, name);
        }
    return status;
}

enum shoal_status objective_check_repair(const struct shoal_objective *objective, size_t dim,
                                         struct shoal_error *error)
{
    struct shoal_variables *variables;
    enum shoal_status status = shoal_variables_parse(objective->info.variables, dim, &variables, error);
    if (status)
        return status;
    double *x = malloc(2 * dim * sizeof *x);
    if (!x)
        status = fail_host_memory(error);
    for (uint32_t point = 0; point < CHECKED_REPAIRS && !status; point++) {
        draw_point(variables, point, x);
        status = shoal_objective_repair(objective, x, dim, error);
        if (!status)
            status = check_repaired(objective, variables, x, x + dim, error);
    }
    free(x);
    shoal_variables_destroy(&variables);
    return status;
}
