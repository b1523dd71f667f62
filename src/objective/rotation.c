/* An objective in rotated coordinates, as a text that reads a table. Each row of the table is a row of the
 * rotation and a coordinate of the centre. */
#include "base/error.h"
#include "base/text.h"
#include "base/vectors/dot.h"
#include "objective/constraints/constraints.h"
#include "objective/derived.h"
#include "objective/rows/table.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

struct rotation {
    struct derived derived;
    double centre; /* coordinate of the centre, the same in each dimension */
    struct objective_table *table;
};

static void turn(const struct rotation *rotation, const double *x, size_t dim, double *turned)
{
    double from_centre[OBJECTIVE_MAX_ROTATED];
    for (size_t d = 0; d < dim; d++)
        from_centre[d] = x[d] - rotation->centre;
    for (size_t d = 0; d < dim; d++)
        turned[d] = rotation->centre + dot(rotation->table->tiles + d * (dim + 1), from_centre, dim);
}

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct rotation *rotation = objective->state;
    double turned[OBJECTIVE_MAX_ROTATED];
    turn(rotation, x, dim, turned);
    return shoal_objective_value(rotation->derived.inner, turned, dim);
}

static double parts(const struct shoal_objective *objective, const double *x, size_t dim, double *sides)
{
    const struct rotation *rotation = objective->state;
    double turned[OBJECTIVE_MAX_ROTATED];
    turn(rotation, x, dim, turned);
    return constrained_sides(rotation->derived.inner, turned, dim, sides);
}

static void destroy(struct shoal_objective *objective)
{
    table_destroy(&((struct rotation *)objective->state)->table);
    derived_destroy(objective);
}

/* Writes the text of the inner objective, in which the function objective_value is renamed; objective.clh
 * then defines the function objective_value of the rotated objective. */
static enum shoal_status write_text(const struct shoal_objective *inner, struct shoal_objective *objective,
                                    struct shoal_error *error)
{
    struct shoal_kernel_text own;
    struct text text = {0};
    if (objective_kernel_text(inner, &own, NULL)) /* a callback: only for the host */
        return SHOAL_OK;
    /* In the text of an objective with constraints, the function is already named plain_value. */
    text_printf(&text,
                inner->constrained ? "#define ROTATED\n#define TABLE\n%s\n"
                                   : "#define ROTATED\n#define TABLE\n#define objective_value plain_value\n"
                                     "%s\n#undef objective_value\n",
                own.text);
    return derived_take_text(objective, &text, own.shown, error);
}

/* Computes the rows of the rotation. Row i begins as dim normal numbers, from the random words of index i and
 * draws 0 .. dim - 1. Then the rows are made orthonormal. */
static enum shoal_status make_rows(struct rotation *rotation, uint64_t seed, size_t dim,
                                   struct shoal_error *error)
{
    double *table = malloc(dim * (dim + 1) * sizeof *table), *rows = malloc(dim * dim * sizeof *rows);
    if (!table || !rows) {
        free(table);
        free(rows);
        return fail_host_memory(error);
    }
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            double other;
            shoal_normal_double(
                shoal_random_words(seed, SHOAL_STREAM_OBJECTIVE_ROTATION, 0, (uint32_t)i, (uint32_t)j),
                &rows[i * dim + j], &other);
        }
    orthonormalise(rows, dim, dim);
    for (size_t i = 0; i < dim; i++) {
        memcpy(table + i * (dim + 1), rows + i * dim, dim * sizeof *table);
        table[i * (dim + 1) + dim] = rotation->centre;
    }
    const enum shoal_status status =
        table_from_values(table, dim, dim + 1, 0, "rotation", &rotation->table, error);
    free(table);
    free(rows);
    return status;
}

static enum shoal_status check(const struct shoal_objective *inner, size_t dim, struct shoal_error *error)
{
    const struct shoal_objective_info *info = &inner->info;
    if (info->variables || info->shape == SHOAL_DATA_ROWS || inner->table)
        return fail(error, SHOAL_INVALID, "--rotate is for functions of reals without a table; %s is %s",
                    info->name,
                    info->variables                  ? "over genes"
                    : info->shape == SHOAL_DATA_ROWS ? "a sum over rows"
                                                     : "a function of a table");
    if (dim > OBJECTIVE_MAX_ROTATED)
        return fail(error, SHOAL_INVALID, "--rotate is for up to %d dimensions, not %zu",
                    OBJECTIVE_MAX_ROTATED, dim);
    return SHOAL_OK;
}

enum shoal_status objective_rotate(const struct shoal_objective *inner, struct shoal_objective **owned,
                                   uint64_t seed, size_t dim, struct shoal_objective **out,
                                   struct shoal_error *error)
{
    enum shoal_status status = check(inner, dim, error);
    if (status)
        return status;
    struct shoal_objective *objective;
    status = derived_create(inner, sizeof(struct rotation), &objective, error);
    if (status)
        return status;
    const bool is_known = isfinite(inner->info.minimiser);
    struct rotation *rotation = objective->state;
    rotation->centre = is_known ? inner->info.minimiser : 0;
    objective->value = value;
    objective->destroy = destroy;
    objective->is_rotated = true;
    if (inner->constrained) {
        objective->constrained = inner->constrained;
        objective->parts = parts;
    }
    objective->info.shape = SHOAL_OPAQUE;
    objective->info.min_dim = objective->info.max_dim = dim;
    /* The value at the centre does not change. At other points of the box, the rotated objective may have
     * values that `inner` has only outside of the box. */
    objective->info.minimum = is_known ? shoal_objective_minimum(inner, dim) : NAN;
    status = write_text(inner, objective, error);
    if (!status)
        status = make_rows(rotation, seed, dim, error);
    objective->table = rotation->table;
    return derived_finish(objective, status, owned, out);
}
