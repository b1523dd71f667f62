#include "cli/charts/trace.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "trace";

static bool is_trace(const struct shoal_field *field)
{
    const char *rest = field->name + sizeof prefix - 1;
    return field->type == SHOAL_FIELD_REALS && strncmp(field->name, prefix, sizeof prefix - 1) == 0 &&
           (!*rest || *rest == '_');
}

const struct shoal_field *trace_field(const struct cli_row *row, const char *name)
{
    return cli_row_has_result(row) ? shoal_result_find(&row->result, name) : NULL;
}

/* Rows of one call come from one workload and its parameters: they have the same curves. */
static const struct cli_row *first_with_trace(const struct trace_rows *traces)
{
    for (size_t r = 0; r < traces->count; r++)
        if (trace_field(&traces->rows[r], prefix))
            return &traces->rows[r];
    return NULL;
}

static void csv_row(FILE *out, const struct cli_row *row, uint64_t interval)
{
    const struct shoal_field *trace = trace_field(row, prefix);
    for (size_t i = 0; trace && i < trace->count; i++) {
        fprintf(out, "%s,%llu", shoal_device_get_info(row->device)->id, (unsigned long long)(i * interval));
        for (size_t f = 0; f < row->result.field_count; f++)
            if (is_trace(&row->result.fields[f]))
                fprintf(out, ",%.17g", row->result.fields[f].reals[i]);
        putc('\n', out);
    }
}

char *trace_csv(const struct trace_rows *traces, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    if (!out)
        return NULL;
    const struct cli_row *first = first_with_trace(traces);
    fputs("device,step,value", out);
    for (size_t f = 0; first && f < first->result.field_count; f++)
        if (is_trace(&first->result.fields[f]) && strcmp(first->result.fields[f].name, prefix) != 0)
            fprintf(out, ",%s", first->result.fields[f].name + sizeof prefix);
    putc('\n', out);
    for (size_t r = 0; r < traces->count; r++)
        csv_row(out, &traces->rows[r], traces->interval);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

char *trace_json(const struct trace_rows *traces, size_t *bytes)
{
    const struct cli_row *first = first_with_trace(traces);
    cJSON *json = cli_json_new("trace");
    cli_json_text(json, "workload", first ? first->workload->name : NULL);
    cli_json_uint(json, "interval", traces->interval);
    cJSON *array = cli_json_array(json, "traces");
    for (size_t r = 0; r < traces->count; r++) {
        const struct cli_row *row = &traces->rows[r];
        if (!trace_field(row, prefix))
            continue;
        cJSON *object = cli_json_object(array, NULL);
        cli_json_text(object, "device", shoal_device_get_info(row->device)->id);
        for (size_t f = 0; f < row->result.field_count; f++) {
            const struct shoal_field *field = &row->result.fields[f];
            cJSON *values = is_trace(field) ? cli_json_array(object, field->name) : NULL;
            for (size_t i = 0; values && i < field->count; i++)
                cli_json_real(values, NULL, field->reals[i]);
        }
    }
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    *bytes = text ? strlen(text) : 0;
    return text;
}
