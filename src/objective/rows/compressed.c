/* The sum of squares over a table, computed from the triangular factor of the table: the dim + 1 rows of the
 * factor replace the rows of the table. */
#include "base/error.h"
#include "base/text.h"
#include "objective/rows/factor.h"
#include "objective/rows/rows.h"

#include <stdlib.h>

static enum shoal_status make(const struct shoal_objective *objective, double *factor, const char *name,
                              bool squared, struct shoal_objective **out, struct shoal_error *error)
{
    const struct objective_table *whole = objective->table;
    struct objective_table *table;
    enum shoal_status status = factor_table(whole, factor, error);
    if (!status)
        status = table_from_values(factor, whole->columns, whole->columns, whole->dim, name, &table, error);
    if (!status)
        status = objective_from_table(table, name, squared, out, error);
    if (!status) {
        const struct shoal_objective_info *from = &objective->info;
        (*out)->info.lower = from->lower;
        (*out)->info.upper = from->upper;
        (*out)->info.minimum = from->minimum;
        (*out)->info.minimiser = from->minimiser;
    }
    return status;
}

enum shoal_status objective_compress(const struct shoal_objective *objective, struct shoal_objective **out,
                                     struct shoal_error *error)
{
    struct text name = {0};
    bool squared;
    *out = NULL;
    if (!objective_is_least_squares(objective, &squared))
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s: only the built-in least squares of a table can be compressed", objective->info.name);
    const size_t columns = objective->table->columns;
    if (columns > FACTOR_MAX_COLUMNS)
        return fail(error, SHOAL_UNSUPPORTED, "%s: has %zu columns; up to %d can be compressed",
                    objective->info.name, columns, FACTOR_MAX_COLUMNS);
    text_printf(&name, "%s, compressed", objective->info.name);
    double *factor = malloc(columns * columns * sizeof *factor);
    enum shoal_status status = factor && !name.failed
                                   ? make(objective, factor, name.data, squared, out, error)
                                   : fail_host_memory(error);
    free(factor);
    text_free(&name);
    return status;
}
