/* Writes a line about categories that the training rows did not have. */
#include "base/text.h"
#include "dataset/prepare/values.h"
#include "io/decimal.h"

#include <string.h>

enum { NAMED = 3 };

/* Unknown categories of a column: the number of rows that have an unknown category, and the first unknown
 * categories that were found, as values of the data set. */
struct unseen {
    size_t rows, named;
    double first[NAMED];
    bool has_more;
};

/* Can an input column hold categories that the preparation does not know? Only columns that are filled count:
 * in other columns prepare_row refuses unknown categories. */
static bool may_be_unseen(const struct prepare_match *match, size_t slot)
{
    const struct prepare_column *column = &match->preparation->inputs[slot];
    const size_t categories = match->dataset->columns[match->inputs[slot]].face.category_count;
    if (column->kind != SHOAL_COLUMN_CATEGORY || !column->fill)
        return false;
    bool may_be = !match->codes[slot]; /* the data set has numbers, each of which is looked up */
    for (size_t k = 0; !may_be && k < categories; k++)
        may_be = match->codes[slot][k] == NO_CATEGORY;
    return may_be;
}

static void count_row(struct unseen *unseen, double value)
{
    size_t k = 0;
    unseen->rows++;
    while (k < unseen->named && unseen->first[k] != value)
        k++;
    if (k < unseen->named)
        return;
    if (k < NAMED)
        unseen->first[unseen->named++] = value;
    else
        unseen->has_more = true;
}

static void count_rows(const struct prepare_match *match, size_t slot, const uint32_t *rows, size_t first,
                       size_t count, struct unseen *unseen)
{
    const struct column *source = &match->dataset->columns[match->inputs[slot]];
    for (size_t i = 0; i < count; i++) {
        const size_t row = rows ? rows[i] : first + i;
        double value;
        if (value_at(match, slot, row, &value) == VALUE_UNKNOWN)
            count_row(unseen, dataset_value(match->dataset, source, row));
    }
}

static bool say(const struct prepare_match *match, size_t slot, const struct unseen *unseen, char **notes)
{
    const struct column *source = &match->dataset->columns[match->inputs[slot]];
    struct text names = {0};
    for (size_t k = 0; k < unseen->named; k++) {
        char digits[DECIMAL_MOST] = "";
        if (!source->categories)
            digits[decimal_write(digits, unseen->first[k], false)] = '\0';
        text_printf(&names, "%s'%.40s'", k ? ", " : "",
                    source->categories ? source->face.categories[(size_t)unseen->first[k]] : digits);
    }
    const bool is_one = unseen->rows == 1;
    const bool has_memory =
        !names.failed &&
        lines_add(notes,
                  "%s: column '%.60s': %zu row%s a category that training did not see (%s%s): %s filled as "
                  "missing values are",
                  match->dataset->name, source->name, unseen->rows, is_one ? " has" : "s have", names.data,
                  unseen->has_more ? ", ..." : "", is_one ? "it is" : "they are");
    text_free(&names);
    return has_memory;
}

bool prepare_note_unseen(const struct prepare_match *match, const uint32_t *rows, size_t first, size_t count,
                         char **notes)
{
    bool has_memory = true;
    for (size_t i = 0; i < match->preparation->input_columns && has_memory; i++) {
        struct unseen unseen = {0};
        if (may_be_unseen(match, i))
            count_rows(match, i, rows, first, count, &unseen);
        if (unseen.rows)
            has_memory = say(match, i, &unseen, notes);
    }
    return has_memory;
}
