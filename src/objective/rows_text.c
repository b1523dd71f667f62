/* Residuals of the user's over the rows of a table. */
#include "objective/rows.h"
#include "base/error.h"

enum shoal_status objective_from_table_text(struct shoal *shoal, struct objective_table *table, const char *text,
                                            const char *name, struct shoal_objective **out,
                                            struct shoal_error *error)
{
    (void)shoal;
    (void)text;
    table_destroy(&table);
    *out = NULL;
    return fail(error, SHOAL_UNSUPPORTED, "%s: residuals of a text are not ready", name);
}
