/* A preparation as JSON, by which a model file says how raw rows are converted. The JSON has no notes. */
#include "base/error.h"
#include "dataset/prepare/prepare.h"
#include "io/decimal.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char *const scales[] = {"standard", "min-max", "none", NULL};
static const char *const rules[] = {"refuse", "mean", "median", "indicator", "drop", NULL};
static const char *const tasks[] = {"classes", "binary", "numbers", NULL};
static const char *const kinds[] = {"number", "binary", "category", NULL};
static const char *const encodings[] = {"plain", "one-hot", "thermometer", "bits", NULL};

enum { MOST_WIDTH = 1 << 26, MOST_BITS_OF_COLUMN = 32 };

/* Writing ------------------------------------------------------------------------------------------------ */

/* Writes all digits of a number: cJSON drops the last digits of some numbers. */
static cJSON *number_json(double value)
{
    char digits[DECIMAL_MOST + 1];
    digits[decimal_write(digits, value, false)] = '\0';
    return cJSON_CreateRaw(digits);
}

/* Adds an array; nothing is added where the array is NULL. */
static bool add_numbers(cJSON *object, const char *key, const double *values, size_t count)
{
    if (!values)
        return true;
    cJSON *list = cJSON_AddArrayToObject(object, key);
    bool is_ok = list != NULL;
    for (size_t i = 0; i < count && is_ok; i++)
        is_ok = cJSON_AddItemToArray(list, number_json(values[i]));
    return is_ok;
}

static bool add_names(cJSON *object, const char *key, char *const *names, size_t count)
{
    if (!names)
        return true;
    cJSON *list = cJSON_AddArrayToObject(object, key);
    bool is_ok = list != NULL;
    for (size_t i = 0; i < count && is_ok; i++)
        is_ok = cJSON_AddItemToArray(list, cJSON_CreateString(names[i]));
    return is_ok;
}

static bool add_number(cJSON *object, const char *key, double value)
{
    return cJSON_AddItemToObject(object, key, number_json(value));
}

static bool add_column(cJSON *list, const struct prepare_column *column)
{
    cJSON *object = cJSON_CreateObject();
    if (!object || !cJSON_AddItemToArray(list, object)) {
        cJSON_Delete(object);
        return false;
    }
    return cJSON_AddStringToObject(object, "name", column->name) &&
           cJSON_AddStringToObject(object, "kind", kinds[column->kind]) &&
           cJSON_AddStringToObject(object, "encoding", encodings[column->encoding]) &&
           add_number(object, "place", (double)column->place) &&
           add_number(object, "width", (double)column->width) &&
           (column->encoding != SHOAL_ENCODING_THERMOMETER || add_number(object, "least", column->least)) &&
           (!column->is_whole || cJSON_AddTrueToObject(object, "whole")) &&
           (!column->is_day || cJSON_AddTrueToObject(object, "day")) &&
           (!column->has_indicator || cJSON_AddTrueToObject(object, "indicator")) &&
           add_names(object, "categories", column->categories, column->category_count) &&
           add_numbers(object, "fill", column->fill, column->width);
}

static bool add_columns(cJSON *object, const char *key, const struct prepare_column *columns, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, key);
    bool is_ok = list != NULL;
    for (size_t i = 0; i < count && is_ok; i++)
        is_ok = add_column(list, &columns[i]);
    return is_ok;
}

static bool add_all(cJSON *json, const struct preparation *preparation)
{
    return cJSON_AddStringToObject(json, "task", tasks[preparation->task]) &&
           cJSON_AddStringToObject(json, "scale", scales[preparation->scale]) &&
           cJSON_AddStringToObject(json, "target_scale", scales[preparation->target_scale]) &&
           cJSON_AddStringToObject(json, "missing", rules[preparation->missing]) &&
           cJSON_AddBoolToObject(json, "has_names", preparation->has_names) &&
           add_number(json, "file_columns", (double)preparation->file_columns) &&
           add_columns(json, "inputs", preparation->inputs, preparation->input_columns) &&
           add_columns(json, "targets", preparation->targets, preparation->target_columns) &&
           add_numbers(json, "shift", preparation->shift, preparation->input_width) &&
           add_numbers(json, "factor", preparation->factor, preparation->input_width) &&
           add_numbers(json, "target_shift", preparation->target_shift, preparation->target_width) &&
           add_numbers(json, "target_factor", preparation->target_factor, preparation->target_width) &&
           add_names(json, "classes", preparation->classes, preparation->class_count) &&
           add_numbers(json, "class_weights", preparation->class_weights, preparation->class_count) &&
           (!preparation->weight || cJSON_AddStringToObject(json, "weight", preparation->weight)) &&
           (!preparation->group || cJSON_AddStringToObject(json, "group", preparation->group));
}

char *prepare_to_json(const struct preparation *preparation)
{
    cJSON *json = cJSON_CreateObject();
    char *text = NULL;
    if (json && add_all(json, preparation)) {
        char *printed = cJSON_PrintUnformatted(json);
        text = printed ? strdup(printed) : NULL; /* cJSON may have an allocator of its own */
        cJSON_free(printed);
    }
    cJSON_Delete(json);
    return text;
}

/* Reading ------------------------------------------------------------------------------------------------ */

struct reader {
    const char *what;
    struct shoal_error *error;
};

static enum shoal_status bad(const struct reader *reader, const char *key)
{
    return fail(reader->error, SHOAL_IO,
                "%s: its preparation of columns is damaged: '%s' lacks or does not fit the rest",
                reader->what, key);
}

static const cJSON *item(const cJSON *object, const char *key)
{
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static enum shoal_status read_word(const struct reader *reader, const cJSON *object, const char *key,
                                   const char *const *words, int *value)
{
    const char *text = cJSON_GetStringValue(item(object, key));
    for (*value = 0; text && words[*value]; ++*value)
        if (strcmp(text, words[*value]) == 0)
            return SHOAL_OK;
    return bad(reader, key);
}

static enum shoal_status read_count(const struct reader *reader, const cJSON *object, const char *key,
                                    size_t most, size_t *value)
{
    const cJSON *number = item(object, key);
    if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0 && number->valuedouble <= (double)most) ||
        number->valuedouble != floor(number->valuedouble))
        return bad(reader, key);
    *value = (size_t)number->valuedouble;
    return SHOAL_OK;
}

/* Reads an array of `count` finite numbers. If `may_lack` is set and the array is missing, *values stays
 * NULL. */
static enum shoal_status read_numbers(const struct reader *reader, const cJSON *object, const char *key,
                                      size_t count, bool may_lack, double **values)
{
    const cJSON *list = item(object, key), *number;
    size_t i = 0;
    if (!list && may_lack)
        return SHOAL_OK;
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != count)
        return bad(reader, key);
    *values = calloc(count + 1, sizeof **values);
    if (!*values)
        return fail_host_memory(reader->error);
    cJSON_ArrayForEach(number, list)
    {
        if (!cJSON_IsNumber(number) || !isfinite(number->valuedouble))
            return bad(reader, key);
        (*values)[i++] = number->valuedouble;
    }
    return SHOAL_OK;
}

static enum shoal_status read_names(const struct reader *reader, const cJSON *object, const char *key,
                                    char ***names, size_t *count)
{
    const cJSON *list = item(object, key), *name;
    if (!cJSON_IsArray(list))
        return bad(reader, key);
    *names = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof **names);
    if (!*names)
        return fail_host_memory(reader->error);
    cJSON_ArrayForEach(name, list)
    {
        const char *text = cJSON_GetStringValue(name);
        if (!text)
            return bad(reader, key);
        (*names)[*count] = strdup(text);
        if (!(*names)[*count])
            return fail_host_memory(reader->error);
        ++*count;
    }
    return SHOAL_OK;
}

static enum shoal_status read_text(const struct reader *reader, const cJSON *object, const char *key,
                                   bool may_lack, char **text)
{
    const cJSON *string = item(object, key);
    if (!string && may_lack)
        return SHOAL_OK;
    if (!cJSON_IsString(string))
        return bad(reader, key);
    *text = strdup(string->valuestring);
    return *text ? SHOAL_OK : fail_host_memory(reader->error);
}

/* Whether a width fits the encoding. */
static bool has_width(const struct prepare_column *column)
{
    const bool is_category = column->kind == SHOAL_COLUMN_CATEGORY;
    switch (column->encoding) {
    case SHOAL_ENCODING_PLAIN:
        return column->width == 1;
    case SHOAL_ENCODING_ONE_HOT:
        return is_category && column->width == column->category_count;
    case SHOAL_ENCODING_THERMOMETER:
        return !is_category || column->width + 1 == column->category_count;
    case SHOAL_ENCODING_BITS:
        break;
    }
    return column->width >= 1 && column->width <= MOST_BITS_OF_COLUMN &&
           (!is_category || (double)column->category_count <= ldexp(1, (int)column->width));
}

static enum shoal_status read_column(const struct reader *reader, const cJSON *json, size_t file_columns,
                                     struct prepare_column *column)
{
    int kind = 0, encoding = 0;
    enum shoal_status status = read_text(reader, json, "name", false, &column->name);
    if (!status)
        status = read_word(reader, json, "kind", kinds, &kind);
    if (!status)
        status = read_word(reader, json, "encoding", encodings, &encoding);
    if (!status)
        status = read_count(reader, json, "place", file_columns - 1, &column->place);
    if (!status)
        status = read_count(reader, json, "width", MOST_WIDTH, &column->width);
    column->kind = (enum shoal_column_kind)kind;
    column->encoding = (enum shoal_encoding)encoding;
    column->is_whole = cJSON_IsTrue(item(json, "whole"));
    column->is_day = cJSON_IsTrue(item(json, "day"));
    column->has_indicator = cJSON_IsTrue(item(json, "indicator"));
    if (!status && column->kind == SHOAL_COLUMN_CATEGORY)
        status = read_names(reader, json, "categories", &column->categories, &column->category_count);
    if (!status && column->encoding == SHOAL_ENCODING_THERMOMETER) {
        const cJSON *least = item(json, "least");
        if (!cJSON_IsNumber(least) || !isfinite(least->valuedouble))
            return bad(reader, "least");
        column->least = least->valuedouble;
    }
    if (!status && (column->kind == SHOAL_COLUMN_BINARY || !has_width(column)))
        status = bad(reader, "width");
    column->bits = column->encoding == SHOAL_ENCODING_BITS ? (unsigned)column->width : 0;
    if (!status)
        status = read_numbers(reader, json, "fill", column->width, true, &column->fill);
    return !status && column->has_indicator && !column->fill ? bad(reader, "indicator") : status;
}

static enum shoal_status read_columns(const struct reader *reader, const cJSON *json, const char *key,
                                      size_t file_columns, struct prepare_column **columns, size_t *count)
{
    const cJSON *list = item(json, key), *column;
    enum shoal_status status = SHOAL_OK;
    if (!cJSON_IsArray(list) || !cJSON_GetArraySize(list))
        return bad(reader, key);
    *columns = calloc((size_t)cJSON_GetArraySize(list), sizeof **columns);
    if (!*columns)
        return fail_host_memory(reader->error);
    cJSON_ArrayForEach(column, list)
    {
        if (!status)
            status = read_column(reader, column, file_columns, &(*columns)[(*count)++]);
    }
    return status;
}

/* Sets where each column begins among the inputs or outputs of the net, and checks that the classes fit the
 * targets. */
static enum shoal_status place_columns(const struct reader *reader, struct preparation *preparation)
{
    const bool are_numbers = preparation->task == PREPARE_NUMBERS;
    size_t targets = 0;
    for (size_t i = 0; i < preparation->input_columns; i++) {
        struct prepare_column *column = &preparation->inputs[i];
        column->first = preparation->input_width;
        preparation->input_width += column->width + column->has_indicator;
    }
    for (size_t t = 0; t < preparation->target_columns; t++) {
        struct prepare_column *column = &preparation->targets[t];
        column->first = are_numbers ? targets : 0;
        targets += column->width;
    }
    if (!preparation->input_width || preparation->input_width > MOST_WIDTH)
        return bad(reader, "inputs");
    preparation->target_width = are_numbers                           ? targets
                                : preparation->task == PREPARE_BINARY ? 1
                                                                      : preparation->class_count;
    if (!preparation->target_width || targets > MOST_WIDTH)
        return bad(reader, "targets");
    if (are_numbers)
        return preparation->class_count ? bad(reader, "classes") : SHOAL_OK;
    const struct prepare_column *first = &preparation->targets[0];
    bool fits = preparation->target_columns == 1 ? first->kind == SHOAL_COLUMN_CATEGORY &&
                                                       first->category_count == preparation->class_count
                                                 : preparation->target_columns == preparation->class_count;
    for (size_t t = 0; t < preparation->target_columns && preparation->target_columns > 1; t++)
        fits = fits && preparation->targets[t].kind == SHOAL_COLUMN_NUMBER;
    fits = fits && (preparation->task == PREPARE_BINARY ? preparation->class_count == 2
                                                        : preparation->class_count >= 2);
    return fits ? SHOAL_OK : bad(reader, "classes");
}

static enum shoal_status read_all(const struct reader *reader, const cJSON *json,
                                  struct preparation *preparation)
{
    int task = 0, scale = 0, target_scale = 0, missing = 0;
    enum shoal_status status = read_word(reader, json, "task", tasks, &task);
    if (!status)
        status = read_word(reader, json, "scale", scales, &scale);
    if (!status)
        status = read_word(reader, json, "target_scale", scales, &target_scale);
    if (!status)
        status = read_word(reader, json, "missing", rules, &missing);
    if (!status)
        status = read_count(reader, json, "file_columns", MOST_WIDTH, &preparation->file_columns);
    if (!status && !preparation->file_columns)
        status = bad(reader, "file_columns");
    preparation->task = (enum prepare_task)task;
    preparation->scale = (enum prepare_scale)scale;
    preparation->target_scale = (enum prepare_scale)target_scale;
    preparation->missing = (enum prepare_missing)missing;
    preparation->has_names = cJSON_IsTrue(item(json, "has_names"));
    if (!status)
        status = read_columns(reader, json, "inputs", preparation->file_columns, &preparation->inputs,
                              &preparation->input_columns);
    if (!status)
        status = read_columns(reader, json, "targets", preparation->file_columns, &preparation->targets,
                              &preparation->target_columns);
    if (!status && preparation->task != PREPARE_NUMBERS)
        status = read_names(reader, json, "classes", &preparation->classes, &preparation->class_count);
    if (!status)
        status = place_columns(reader, preparation);
    if (!status)
        status = read_text(reader, json, "weight", true, &preparation->weight);
    return status ? status : read_text(reader, json, "group", true, &preparation->group);
}

static enum shoal_status read_scales(const struct reader *reader, const cJSON *json,
                                     struct preparation *preparation)
{
    const bool are_numbers = preparation->task == PREPARE_NUMBERS;
    enum shoal_status status =
        read_numbers(reader, json, "shift", preparation->input_width, false, &preparation->shift);
    if (!status)
        status = read_numbers(reader, json, "factor", preparation->input_width, false, &preparation->factor);
    if (!status && are_numbers)
        status = read_numbers(reader, json, "target_shift", preparation->target_width, false,
                              &preparation->target_shift);
    if (!status && are_numbers)
        status = read_numbers(reader, json, "target_factor", preparation->target_width, false,
                              &preparation->target_factor);
    for (size_t k = 0; k < preparation->target_width && are_numbers && !status; k++)
        if (preparation->target_factor[k] == 0)
            status = bad(reader, "target_factor");
    if (!status && !are_numbers)
        status = read_numbers(reader, json, "class_weights", preparation->class_count, true,
                              &preparation->class_weights);
    for (size_t k = 0; k < preparation->class_count && preparation->class_weights && !status; k++)
        if (preparation->class_weights[k] < 0)
            status = bad(reader, "class_weights");
    return status;
}

enum shoal_status prepare_from_json(const char *text, const char *what, struct preparation **out,
                                    struct shoal_error *error)
{
    const struct reader reader = {.what = what, .error = error};
    /* Files of older versions hold names as the data set had them, which may not be UTF-8. */
    char *utf8 = text_utf8_copy(text, strlen(text), NULL);
    cJSON *json = utf8 ? cJSON_ParseWithOpts(utf8, NULL, true) : NULL;
    struct preparation *preparation = calloc(1, sizeof *preparation);
    enum shoal_status status = SHOAL_OK;
    free(utf8);
    *out = NULL;
    if (!preparation || !utf8)
        status = fail_host_memory(error);
    else if (!cJSON_IsObject(json))
        status = fail(error, SHOAL_IO, "%s: its preparation of columns is no JSON", what);
    if (!status)
        status = read_all(&reader, json, preparation);
    if (!status)
        status = read_scales(&reader, json, preparation);
    cJSON_Delete(json);
    if (status)
        prepare_destroy(&preparation);
    *out = preparation;
    return status;
}

enum shoal_status prepare_copy(const struct preparation *preparation, struct preparation **out,
                               struct shoal_error *error)
{
    char *text = prepare_to_json(preparation);
    *out = NULL;
    const enum shoal_status status =
        text ? prepare_from_json(text, "the model", out, error) : fail_host_memory(error);
    free(text);
    return status;
}
