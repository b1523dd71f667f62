#include "workload/result.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

static void add(struct shoal_result *result, struct shoal_field field)
{
    if (result->field_count < SHOAL_RESULT_FIELDS)
        result->fields[result->field_count] = field;
    result->field_count++;
}

void result_add_text(struct shoal_result *result, const char *name, const char *text)
{
    add(result, (struct shoal_field){.name = name, .unit = "", .type = SHOAL_FIELD_TEXT, .text = text});
}

void result_join_text(struct shoal_result *result, const char *name, const char *text)
{
    add(result,
        (struct shoal_field){
            .name = name, .unit = "", .type = SHOAL_FIELD_TEXT, .text = text, .place = SHOAL_PLACE_JOINED});
}

void result_add_uint(struct shoal_result *result, const char *name, const char *unit, uint64_t value)
{
    add(result, (struct shoal_field){.name = name, .unit = unit, .type = SHOAL_FIELD_UINT, .uint = value});
}

void result_join_uint(struct shoal_result *result, const char *name, const char *unit, uint64_t value)
{
    add(result, (struct shoal_field){.name = name,
                                     .unit = unit,
                                     .type = SHOAL_FIELD_UINT,
                                     .uint = value,
                                     .place = SHOAL_PLACE_JOINED});
}

void result_add_real(struct shoal_result *result, const char *name, const char *unit, double value)
{
    add(result, (struct shoal_field){.name = name, .unit = unit, .type = SHOAL_FIELD_REAL, .real = value});
}

void result_join_real(struct shoal_result *result, const char *name, const char *unit, double value)
{
    add(result, (struct shoal_field){.name = name,
                                     .unit = unit,
                                     .type = SHOAL_FIELD_REAL,
                                     .real = value,
                                     .place = SHOAL_PLACE_JOINED});
}

void result_add_error(struct shoal_result *result, const char *name, double error, size_t count,
                      const char *of)
{
    add(result, (struct shoal_field){.name = name,
                                     .unit = of,
                                     .type = SHOAL_FIELD_REAL,
                                     .real = error,
                                     .count = count,
                                     .place = SHOAL_PLACE_ERROR});
}

void result_add_unshown(struct shoal_result *result, const char *name, double value)
{
    add(result,
        (struct shoal_field){
            .name = name, .unit = "", .type = SHOAL_FIELD_REAL, .real = value, .place = SHOAL_PLACE_NONE});
}

void result_add_unshown_text(struct shoal_result *result, const char *name, const char *text)
{
    add(result,
        (struct shoal_field){
            .name = name, .unit = "", .type = SHOAL_FIELD_TEXT, .text = text, .place = SHOAL_PLACE_NONE});
}

void result_add_flag(struct shoal_result *result, const char *name, bool is_set)
{
    add(result, (struct shoal_field){.name = name,
                                     .unit = "",
                                     .type = SHOAL_FIELD_FLAG,
                                     .uint = is_set,
                                     .place = is_set ? SHOAL_PLACE_LINE : SHOAL_PLACE_NONE});
}

void result_add_reals(struct shoal_result *result, const char *name, const double *values, size_t count)
{
    add(result, (struct shoal_field){
                    .name = name, .unit = "", .type = SHOAL_FIELD_REALS, .reals = values, .count = count});
}

void result_set_digits(struct shoal_result *result, int32_t digits)
{
    if (result->field_count <= SHOAL_RESULT_FIELDS)
        result->fields[result->field_count - 1].digits = digits;
}

enum shoal_status result_check_fields(struct shoal_result *result, struct shoal_error *error)
{
    const size_t count = result->field_count;
    if (count <= SHOAL_RESULT_FIELDS)
        return SHOAL_OK;
    result->field_count = SHOAL_RESULT_FIELDS;
    return fail(error, SHOAL_FAILED, "the result has %zu fields, %d fit: raise SHOAL_RESULT_FIELDS", count,
                SHOAL_RESULT_FIELDS);
}

const struct shoal_field *shoal_result_find(const struct shoal_result *result, const char *name)
{
    for (size_t i = 0; result && name && i < result->field_count; i++)
        if (strcmp(result->fields[i].name, name) == 0)
            return &result->fields[i];
    return NULL;
}

double shoal_result_number(const struct shoal_result *result, const char *name)
{
    const struct shoal_field *field = shoal_result_find(result, name);
    if (!field)
        return NAN;
    switch (field->type) {
    case SHOAL_FIELD_UINT:
    case SHOAL_FIELD_FLAG:
        return (double)field->uint;
    case SHOAL_FIELD_REAL:
        return field->real;
    default:
        return NAN;
    }
}
