/* Applies a preparation: finds its columns in a data set by name or order, and encodes, fills and scales
 * rows. */
#include "base/counted.h"
#include "base/error.h"
#include "dataset/prepare/plain.h"
#include "dataset/prepare/values.h"
#include "io/csv/days.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

bool column_is_number(const struct column *column)
{
    const struct shoal_dataset_column *face = &column->face;
    return !column->categories ||
           (face->kind == SHOAL_COLUMN_BINARY && face->category_count == 2 &&
            strcmp(face->categories[0], "0") == 0 && strcmp(face->categories[1], "1") == 0);
}

/* Columns ------------------------------------------------------------------------------------------------ */

/* Rules by which columns are found. by_name: by their names; are_inputs_alone: the data set has only the
 * inputs, in the order of the preparation; otherwise columns have the same index as in the file of the
 * preparation. */
struct finder {
    const struct preparation *preparation;
    const struct shoal_dataset *dataset;
    bool by_name, are_inputs_alone;
};

static enum shoal_status choose_rule(struct finder *finder, struct shoal_error *error)
{
    const struct preparation *preparation = finder->preparation;
    const size_t columns = finder->dataset->info.columns;
    finder->by_name = preparation->has_names && finder->dataset->has_names;
    finder->are_inputs_alone = columns == preparation->input_columns && columns != preparation->file_columns;
    if (finder->by_name || finder->are_inputs_alone || columns == preparation->file_columns)
        return SHOAL_OK;
    if (preparation->file_columns == preparation->input_columns)
        return fail(error, SHOAL_IO, "%s: has %s, the model knows %zu", finder->dataset->name,
                    counted(columns, "column").s, preparation->file_columns);
    return fail(error, SHOAL_IO,
                "%s: has %s; the model knows %zu, or its %s alone, where columns have no names",
                finder->dataset->name, counted(columns, "column").s, preparation->file_columns,
                counted(preparation->input_columns, "input").s);
}

static size_t find_column(const struct finder *finder, const struct prepare_column *column, size_t number,
                          bool is_target)
{
    const struct shoal_dataset *dataset = finder->dataset;
    size_t place = column->place;
    /* a column has the same place in most files, so this place is tried before a search */
    if (finder->by_name) {
        const bool is_there =
            place < dataset->info.columns && strcmp(dataset->columns[place].name, column->name) == 0;
        place = is_there ? place : dataset_find_name(dataset, column->name);
    } else if (finder->are_inputs_alone) {
        place = is_target ? SIZE_MAX : number;
    }
    if (place != SIZE_MAX && dataset->columns[place].choice == CHOICE_IGNORED)
        return SIZE_MAX;
    return place;
}

/* Fills `places` with the index of each column in the data set; SIZE_MAX: missing. Returns the first missing
 * column, or `count`. */
static size_t find_columns(const struct finder *finder, const struct prepare_column *columns, size_t count,
                           bool are_targets, size_t *places)
{
    size_t lacking = count;
    for (size_t i = count; i-- > 0;) {
        places[i] = find_column(finder, &columns[i], i, are_targets);
        if (places[i] == SIZE_MAX)
            lacking = i;
    }
    return lacking;
}

static enum shoal_status lacks(const struct shoal_dataset *dataset, const char *name, const char *use,
                               struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s: has no column '%.60s', %s of the model", dataset->name, name, use);
}

static size_t find_weight(const struct finder *finder)
{
    const char *weight = finder->preparation->weight;
    char *end;
    if (!weight)
        return SIZE_MAX;
    if (finder->dataset->has_names || !finder->preparation->has_names)
        return finder->are_inputs_alone ? SIZE_MAX : dataset_find_name(finder->dataset, weight);
    const unsigned long place = strtoul(weight, &end, 10);
    return *end || !place || place > finder->dataset->info.columns ? SIZE_MAX : place - 1;
}

/* Categories --------------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(**(char *const *const *)a, **(char *const *const *)b);
}

/* Finds the number in the preparation for each category of the data set; NO_CATEGORY: the preparation does
 * not have the category. */
static enum shoal_status map_categories(const struct prepare_column *column, const struct column *source,
                                        uint32_t **codes, struct shoal_error *error)
{
    const size_t count = source->face.category_count;
    char ***sorted = malloc((column->category_count + 1) * sizeof *sorted);
    *codes = malloc((count + 1) * sizeof **codes);
    if (!sorted || !*codes) {
        free(sorted);
        return fail_host_memory(error);
    }
    for (size_t k = 0; k < column->category_count; k++)
        sorted[k] = &column->categories[k];
    qsort(sorted, column->category_count, sizeof *sorted, compare_names);
    for (size_t k = 0; k < count; k++) {
        char *name = (char *)(uintptr_t)source->face.categories[k], **key = &name;
        char ***found = bsearch(&key, sorted, column->category_count, sizeof *sorted, compare_names);
        (*codes)[k] = found ? (uint32_t)(*found - column->categories) : NO_CATEGORY;
    }
    free(sorted);
    return SHOAL_OK;
}

/* Finds the day of each category of a column of dates that the reader took for words. */
static enum shoal_status map_days(const struct prepare_match *match, const struct column *source,
                                  double **days, struct shoal_error *error)
{
    const size_t count = source->face.category_count;
    *days = malloc((count + 1) * sizeof **days);
    if (!*days)
        return fail_host_memory(error);
    for (size_t k = 0; k < count; k++) {
        const char *name = source->face.categories[k];
        if (!day_read((struct word){name, name + strlen(name)}, &(*days)[k]))
            return fail(error, SHOAL_IO,
                        "%s: column '%.60s': '%.40s' is no date such as 2024-01-31, which the model takes",
                        match->dataset->name, source->name, name);
    }
    return SHOAL_OK;
}

static enum shoal_status match_kind(struct prepare_match *match, const struct prepare_column *column,
                                    size_t slot, size_t place, struct shoal_error *error)
{
    const struct column *source = &match->dataset->columns[place];
    if (column->kind == SHOAL_COLUMN_CATEGORY)
        return source->categories ? map_categories(column, source, &match->codes[slot], error) : SHOAL_OK;
    if (column_is_number(source))
        return SHOAL_OK;
    if (column->is_day)
        return map_days(match, source, &match->days[slot], error);
    return fail(error, SHOAL_IO,
                "%s: column %zu ('%s') holds words such as '%.40s'; the model takes numbers from it",
                match->dataset->name, place + 1, source->name,
                source->face.category_count ? source->face.categories[0] : "");
}

static enum shoal_status match_kinds(struct prepare_match *match, struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < preparation->input_columns && !status; i++)
        status = match_kind(match, &preparation->inputs[i], i, match->inputs[i], error);
    for (size_t t = 0; t < preparation->target_columns && match->targets && !status; t++)
        status = match_kind(match, &preparation->targets[t], preparation->input_columns + t,
                            match->targets[t], error);
    return status;
}

/* Finds the column of weights. is_needed false: the rows are only predicted, and may have no weights. */
static enum shoal_status match_weight(struct prepare_match *match, const struct finder *finder,
                                      bool is_needed, struct shoal_error *error)
{
    const char *weight = match->preparation->weight;
    const size_t place = find_weight(finder);
    if (place != SIZE_MAX && match->dataset->columns[place].choice != CHOICE_IGNORED) {
        if (column_is_number(&match->dataset->columns[place]))
            match->weight = place;
        else if (is_needed)
            return fail(error, SHOAL_IO, "%s: column '%s', the weight of rows, holds words",
                        match->dataset->name, weight);
        return SHOAL_OK;
    }
    return weight && is_needed ? lacks(match->dataset, weight, "the weight of rows", error) : SHOAL_OK;
}

static enum shoal_status find_all(struct prepare_match *match, const struct finder *finder,
                                  bool needs_targets, struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    size_t lacking =
        find_columns(finder, preparation->inputs, preparation->input_columns, false, match->inputs);
    if (lacking < preparation->input_columns)
        return lacks(match->dataset, preparation->inputs[lacking].name, "an input", error);
    lacking = find_columns(finder, preparation->targets, preparation->target_columns, true, match->targets);
    if (lacking < preparation->target_columns) {
        if (needs_targets)
            return lacks(match->dataset, preparation->targets[lacking].name, "a target", error);
        free(match->targets);
        match->targets = NULL;
    }
    return match_weight(match, finder, needs_targets, error);
}

enum shoal_status prepare_match(const struct preparation *preparation, const struct shoal_dataset *dataset,
                                bool needs_targets, struct prepare_match *match, struct shoal_error *error)
{
    struct finder finder = {.preparation = preparation, .dataset = dataset};
    *match = (struct prepare_match){.preparation = preparation, .dataset = dataset, .weight = SIZE_MAX};
    match->inputs = malloc((preparation->input_columns + 1) * sizeof *match->inputs);
    match->targets = malloc((preparation->target_columns + 1) * sizeof *match->targets);
    match->codes = calloc(preparation->input_columns + preparation->target_columns + 1, sizeof *match->codes);
    match->days = calloc(preparation->input_columns + preparation->target_columns + 1, sizeof *match->days);
    enum shoal_status status =
        match->inputs && match->targets && match->codes && match->days ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = choose_rule(&finder, error);
    if (!status)
        status = find_all(match, &finder, needs_targets, error);
    if (!status)
        status = match_kinds(match, error);
    if (status)
        prepare_match_free(match);
    return status;
}

void prepare_match_free(struct prepare_match *match)
{
    const struct preparation *preparation = match->preparation;
    for (size_t i = 0; match->codes && i < preparation->input_columns + preparation->target_columns; i++)
        free(match->codes[i]);
    for (size_t i = 0; match->days && i < preparation->input_columns + preparation->target_columns; i++)
        free(match->days[i]);
    free(match->codes);
    free(match->days);
    match->days = NULL;
    free(match->inputs);
    free(match->targets);
    match->codes = NULL;
    match->inputs = match->targets = NULL;
}

/* Values ------------------------------------------------------------------------------------------------- */

static const struct prepare_column *column_of(const struct prepare_match *match, size_t slot, size_t *place)
{
    const struct preparation *preparation = match->preparation;
    const size_t inputs = preparation->input_columns;
    *place = slot < inputs ? match->inputs[slot] : match->targets[slot - inputs];
    return slot < inputs ? &preparation->inputs[slot] : &preparation->targets[slot - inputs];
}

/* Finds the category whose name is the number. */
static enum value_state code_of_number(const struct prepare_column *column, double number, double *value)
{
    char digits[DECIMAL_MOST];
    const int length = decimal_write(digits, number, false);
    for (size_t k = 0; k < column->category_count; k++)
        if (strncmp(column->categories[k], digits, (size_t)length) == 0 && !column->categories[k][length]) {
            *value = (double)k;
            return VALUE_THERE;
        }
    return VALUE_UNKNOWN;
}

enum value_state value_at(const struct prepare_match *match, size_t slot, size_t row, double *value)
{
    size_t place;
    const struct prepare_column *column = column_of(match, slot, &place);
    const struct column *source = &match->dataset->columns[place];
    if (column_misses(source, row))
        return VALUE_MISSING;
    *value = dataset_value(match->dataset, source, row);
    if (match->days[slot])
        *value = match->days[slot][(size_t)*value];
    if (column->kind != SHOAL_COLUMN_CATEGORY)
        return VALUE_THERE;
    if (!match->codes[slot])
        return code_of_number(column, *value, value);
    const uint32_t code = match->codes[slot][(size_t)*value];
    if (code == NO_CATEGORY)
        return VALUE_UNKNOWN;
    *value = code;
    return VALUE_THERE;
}

enum shoal_status value_fail(const struct prepare_match *match, size_t slot, size_t row,
                             enum value_state state, const char *remedy, struct shoal_error *error)
{
    size_t place;
    column_of(match, slot, &place);
    const struct column *source = &match->dataset->columns[place];
    const char *const file = match->dataset->name;
    char digits[DECIMAL_MOST] = "";
    if (state == VALUE_MISSING)
        return fail(error, SHOAL_IO, "%s: row %zu, column %zu ('%s') has no value%s", file, row + 1,
                    place + 1, source->name, remedy);
    const double value = dataset_value(match->dataset, source, row);
    if (!source->categories)
        digits[decimal_write(digits, value, false)] = '\0';
    return fail(error, SHOAL_IO, "%s: row %zu, column %zu ('%s'): '%.60s' is no %s of the training rows%s",
                file, row + 1, place + 1, source->name,
                source->categories ? source->face.categories[(size_t)value] : digits,
                slot < match->preparation->input_columns ? "category" : "class", remedy);
}

/* Rows --------------------------------------------------------------------------------------------------- */

static bool fits_bits(const struct prepare_column *column, double value)
{
    return column->encoding != SHOAL_ENCODING_BITS ||
           (value == floor(value) && value >= 0 && value < ldexp(1, (int)column->width));
}

/* Fills an input whose value is missing; false: the preparation does not fill this column. */
static bool fill_input(const struct prepare_column *column, double *out)
{
    if (!column->fill)
        return false;
    memcpy(out, column->fill, column->width * sizeof *out);
    if (column->has_indicator)
        out[column->width] = 1;
    return true;
}

static void encode_input(const struct prepare_column *column, double value, double *out)
{
    dataset_encode_value(column->encoding, column->width, column->least, value, out);
    if (column->has_indicator)
        out[column->width] = 0;
}

enum shoal_status prepare_row(const struct prepare_match *match, size_t row, double *out,
                              struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    for (size_t i = 0; i < preparation->input_columns; i++) {
        const struct prepare_column *column = &preparation->inputs[i];
        double *const to = out + column->first, value = 0;
        const enum value_state state = value_at(match, i, row, &value);
        if (state == VALUE_THERE && fits_bits(column, value))
            encode_input(column, value, to);
        else if (state == VALUE_THERE)
            return fail(
                error, SHOAL_IO,
                "%s: row %zu, column '%s': %.10g is no whole number from 0 on that fits into %zu bits",
                match->dataset->name, row + 1, column->name, value, column->width);
        else if (!fill_input(column, to))
            return value_fail(match, i, row, state,
                              state == VALUE_MISSING ? ", and the model fills none in"
                                                     : ", and the model fills nothing in",
                              error);
    }
    return SHOAL_OK;
}

/* The class of a row whose targets are several columns, one for each class: exactly one column is 1. */
static enum shoal_status class_of_columns(const struct prepare_match *match, size_t row, uint32_t *class_of,
                                          struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    size_t ones = 0;
    for (size_t t = 0; t < preparation->target_columns; t++) {
        double value;
        const enum value_state state = value_at(match, preparation->input_columns + t, row, &value);
        if (state != VALUE_THERE)
            return value_fail(match, preparation->input_columns + t, row, state, ", which a target needs",
                              error);
        if (value == 1)
            *class_of = (uint32_t)t;
        if (value != 0)
            ones += value == 1 ? 1 : 2;
    }
    if (ones != 1)
        return fail(
            error, SHOAL_IO,
            "%s: row %zu: its targets name no class, as in training rows, where one is 1 and the others "
            "are 0",
            match->dataset->name, row + 1);
    return SHOAL_OK;
}

static enum shoal_status find_class(const struct prepare_match *match, size_t row, uint32_t *class_of,
                                    struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    double value = 0;
    if (preparation->target_columns > 1)
        return class_of_columns(match, row, class_of, error);
    const enum value_state state = value_at(match, preparation->input_columns, row, &value);
    if (state != VALUE_THERE)
        return value_fail(match, preparation->input_columns, row, state,
                          state == VALUE_MISSING
                              ? ", which a target needs"
                              : "; each class needs a row there: leave this one out, or add rows of it",
                          error);
    *class_of = (uint32_t)value;
    return SHOAL_OK;
}

enum shoal_status prepare_numbers(const struct prepare_match *match, size_t row, double *out,
                                  struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    for (size_t t = 0; t < preparation->target_columns; t++) {
        const struct prepare_column *column = &preparation->targets[t];
        double value;
        const enum value_state state = value_at(match, preparation->input_columns + t, row, &value);
        if (state != VALUE_THERE)
            return value_fail(match, preparation->input_columns + t, row, state, ", which a target needs",
                              error);
        if (!fits_bits(column, value))
            return fail(
                error, SHOAL_IO,
                "%s: row %zu, column '%s': %.10g is no whole number from 0 on that fits into %zu bits",
                match->dataset->name, row + 1, column->name, value, column->width);
        dataset_encode_value(column->encoding, column->width, column->least, value, out + column->first);
    }
    return SHOAL_OK;
}

enum shoal_status prepare_target(const struct prepare_match *match, size_t row, uint32_t *class_of,
                                 double *out, struct shoal_error *error)
{
    const struct preparation *preparation = match->preparation;
    if (preparation->task != PREPARE_NUMBERS)
        return find_class(match, row, class_of, error);
    const enum shoal_status status = prepare_numbers(match, row, out, error);
    for (size_t k = 0; k < preparation->target_width && !status; k++)
        out[k] = (out[k] - preparation->target_shift[k]) * preparation->target_factor[k];
    return status;
}

enum shoal_status prepare_row_weight(const struct prepare_match *match, size_t row, double *weight,
                                     struct shoal_error *error)
{
    *weight = 1;
    if (match->weight == SIZE_MAX)
        return SHOAL_OK;
    const struct column *column = &match->dataset->columns[match->weight];
    const double value = column_misses(column, row) ? NAN : dataset_value(match->dataset, column, row);
    if (!(value >= 0))
        return fail(error, SHOAL_IO, "%s: row %zu, column %zu ('%s'): a weight is a number from 0 on",
                    match->dataset->name, row + 1, match->weight + 1, column->name);
    *weight = value;
    return SHOAL_OK;
}

enum shoal_status prepare_weight(const struct prepare_match *match, size_t row, uint32_t class_of,
                                 double *weight, struct shoal_error *error)
{
    const double *of_class = match->preparation->class_weights;
    const enum shoal_status status = prepare_row_weight(match, row, weight, error);
    *weight *= of_class ? of_class[class_of] : 1;
    return status;
}

enum shoal_status prepare_raw(const struct preparation *preparation, const double *raw, double *out,
                              struct shoal_error *error)
{
    for (size_t i = 0; i < preparation->input_columns; i++) {
        const struct prepare_column *column = &preparation->inputs[i];
        double *const to = out + column->first;
        const bool is_category = column->kind == SHOAL_COLUMN_CATEGORY;
        if (isnan(raw[i])) {
            if (!fill_input(column, to))
                return fail(error, SHOAL_INVALID,
                            "input %zu ('%s') has no value, and the model fills none in", i + 1,
                            column->name);
            continue;
        }
        if (!isfinite(raw[i]) || !fits_bits(column, raw[i]) ||
            (is_category &&
             !(raw[i] == floor(raw[i]) && raw[i] >= 0 && raw[i] < (double)column->category_count)))
            return fail(error, SHOAL_INVALID, "input %zu ('%s'): %.10g is no %s of the model", i + 1,
                        column->name, raw[i], is_category ? "number of a category" : "number");
        encode_input(column, raw[i], to);
    }
    return SHOAL_OK;
}

bool prepare_is_plain(const struct preparation *preparation)
{
    bool is_plain = preparation->input_width == preparation->input_columns;
    for (size_t i = 0; i < preparation->input_columns && is_plain; i++) {
        const struct prepare_column *const column = &preparation->inputs[i];
        is_plain = column->kind != SHOAL_COLUMN_CATEGORY && column->encoding == SHOAL_ENCODING_PLAIN &&
                   column->width == 1 && !column->has_indicator && column->first == i;
    }
    return is_plain;
}

void prepare_scale(const struct preparation *preparation, double *encoded)
{
    for (size_t k = 0; k < preparation->input_width; k++)
        encoded[k] = (encoded[k] - preparation->shift[k]) * preparation->factor[k];
}

void prepare_unscale_targets(const struct preparation *preparation, double *outputs)
{
    for (size_t k = 0; k < preparation->target_width && preparation->target_factor; k++)
        outputs[k] = outputs[k] / preparation->target_factor[k] + preparation->target_shift[k];
}
