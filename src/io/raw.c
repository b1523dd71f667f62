/* Raw numbers, whose layout the user states: "f8:ROWSxCOLUMNS[:rows|:columns|:blocks]". */
#include "base/error.h"
#include "io/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads a decimal count and moves *text to the position after it. False: there is none, or it is too
 * large. */
static bool read_count(const char **text, size_t *count)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    unsigned long long value = strtoull(*text, &end, 10);
    *text = end;
    *count = (size_t)value;
    return errno == 0 && value <= SIZE_MAX;
}

static bool parse_layout(const char *text, unsigned *width, size_t *rows, size_t *columns,
                         enum table_order *order)
{
    static const char *const orders[] = {":rows", ":columns", ":blocks"};
    if (strncmp(text, "f4:", 3) != 0 && strncmp(text, "f8:", 3) != 0)
        return false;
    *width = (unsigned)(text[1] - '0');
    text += 3;
    if (!read_count(&text, rows) || *text++ != 'x' || !read_count(&text, columns))
        return false;
    *order = TABLE_ROWS;
    if (!*text)
        return true;
    for (int i = 0; i < 3; i++)
        if (strcmp(text, orders[i]) == 0) {
            *order = (enum table_order)i;
            return true;
        }
    return false;
}

enum shoal_status table_open_raw(struct shoal_table *table, const char *layout, struct shoal_error *error)
{
    unsigned width;
    enum table_order order;
    table->info.format = "raw";
    if (!parse_layout(layout, &width, &table->info.rows, &table->info.columns, &order))
        return fail(
            error, SHOAL_INVALID,
            "%s: layout '%.60s' is not understood; write f8:ROWSxCOLUMNS or f4:ROWSxCOLUMNS and, where it "
            "is not row after row, :columns or :blocks behind it",
            table->name, layout);
    return table_set_binary(table, 0, (struct table_type){'f', width, false}, order, "the layout", error);
}
