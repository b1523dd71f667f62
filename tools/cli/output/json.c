/* JSON output. The keys are an interface: add, never rename. */
#include "cli/output/json.h"
#include "base/text.h"
#include "cli/output/message.h"
#include "cli/output/text.h"
#include "cli/output/values.h"
#include "io/decimal.h"

#include <math.h>
#include <shoal/error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds `item` to an object, or to an array where `key` is NULL. */
static cJSON *add(cJSON *parent, const char *key, cJSON *item)
{
    if (!item || !(key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item))) {
        fputs("shoal: out of memory\n", stderr);
        exit(CLI_FAILURE);
    }
    return item;
}

cJSON *cli_json_new(const char *command)
{
    cJSON *json = cJSON_CreateObject();
    if (!json) {
        fputs("shoal: out of memory\n", stderr);
        exit(CLI_FAILURE);
    }
    cli_json_uint(json, "schema", 1);
    cli_json_text(json, "shoal", shoal_version());
    cli_json_text(json, "command", command);
    return json;
}

void cli_json_text(cJSON *object, const char *key, const char *text)
{
    char *valid = text ? cli_strdup(text) : NULL;
    if (valid)
        text_clean(valid, NULL); /* cJSON escapes control characters, but copies all other bytes */
    add(object, key, valid ? cJSON_CreateString(valid) : cJSON_CreateNull());
    free(valid);
}

/* cJSON itself would print 15 digits if these nearly give the number, which may change the last bit. */
void cli_json_real(cJSON *object, const char *key, double value)
{
    add(object, key, isfinite(value) ? cJSON_CreateRaw(decimal_text(value, false).s) : cJSON_CreateNull());
}

cJSON *cli_json_reals(cJSON *object, const char *key, const double *values, size_t count)
{
    cJSON *array = cli_json_array(object, key);
    for (size_t i = 0; i < count; i++)
        cli_json_real(array, NULL, values[i]);
    return array;
}

void cli_json_uint(cJSON *object, const char *key, uint64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    add(object, key, cJSON_CreateRaw(digits));
}

void cli_json_bool(cJSON *object, const char *key, bool value)
{
    add(object, key, cJSON_CreateBool(value));
}

cJSON *cli_json_object(cJSON *parent, const char *key)
{
    return add(parent, key, cJSON_CreateObject());
}

cJSON *cli_json_array(cJSON *parent, const char *key)
{
    return add(parent, key, cJSON_CreateArray());
}

void cli_json_options(cJSON *object, const struct shoal_option *options, size_t count, const void *values)
{
    for (size_t i = 0; i < count; i++) {
        const struct shoal_option *option = &options[i];
        const void *field = (const char *)values + option->offset;
        switch (option->type) {
        case SHOAL_OPTION_FLAG:
            cli_json_bool(object, option->name, *(const bool *)field);
            break;
        case SHOAL_OPTION_UINT:
            if (cli_value_is_wide(option))
                cli_json_text(object, option->name, cli_value_get(option, values).s);
            else
                cli_json_uint(object, option->name, *(const uint64_t *)field);
            break;
        case SHOAL_OPTION_REAL:
            cli_json_real(object, option->name, *(const double *)field);
            break;
        case SHOAL_OPTION_CHOICE:
            cli_json_text(object, option->name, option->choices[*(const int32_t *)field]);
            break;
        case SHOAL_OPTION_TEXT:
            cli_json_text(object, option->name, *(const char *const *)field);
            break;
        }
    }
}

struct cli_text cli_pci(const struct shoal_device_info *info)
{
    struct cli_text text = {""};
    if (info->has_pci)
        snprintf(text.s, sizeof text.s, "%04x:%02x:%02x.%x", info->pci.domain, info->pci.bus,
                 info->pci.device, info->pci.function);
    return text;
}

cJSON *cli_json_device(cJSON *parent, const char *key, const struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    cJSON *object = cli_json_object(parent, key);
    cli_json_text(object, "id", info->id);
    cli_json_text(object, "backend", info->backend);
    cli_json_text(object, "name", info->name);
    cli_json_text(object, "vendor", info->vendor);
    cli_json_text(object, "platform", info->platform);
    cli_json_text(object, "driver", info->driver);
    cli_json_text(object, "compiler", info->compiler);
    cli_json_text(object, "type",
                  info->is_host  ? "host"
                  : info->is_gpu ? "gpu"
                  : info->is_cpu ? "cpu"
                                 : "other");
    cli_json_text(object, "alias_of", info->alias_of);
    cli_json_text(object, "part_of", info->part_of);
    cli_json_text(object, "host", *info->host ? info->host : NULL);
    cli_json_uint(object, "rank", info->rank);
    cli_json_text(object, "pci", info->has_pci ? cli_pci(info).s : NULL);
    cli_json_uint(object, "memory", info->memory);
    cli_json_uint(object, "max_allocation", info->max_allocation);
    cli_json_uint(object, "local_mem", info->local_mem);
    cli_json_uint(object, "local_mem_max", info->local_mem_max);
    cli_json_uint(object, "units", info->units);
    cli_json_uint(object, "max_work_group", info->max_work_group);
    cli_json_uint(object, "simd_width", info->simd_width);
    cli_json_uint(object, "architecture", info->architecture);
    cli_json_bool(object, "fp64", info->fp64);
    cli_json_bool(object, "int64_atomics", info->int64_atomics);
    cli_json_bool(object, "correct_division", info->correct_division);
    cli_json_bool(object, "self_caching", info->self_caching);
    return object;
}

void cli_json_roofs(cJSON *parent, const char *key, const struct shoal_roofs *roofs)
{
    cJSON *object = cli_json_object(parent, key);
    cli_json_real(object, "fp32_flops", roofs->fp32_flops > 0 ? roofs->fp32_flops : NAN);
    cli_json_real(object, "fp64_flops", roofs->fp64_flops > 0 ? roofs->fp64_flops : NAN);
    cli_json_real(object, "sfu_ops", roofs->sfu_ops > 0 ? roofs->sfu_ops : NAN);
    cli_json_real(object, "copy_bytes", roofs->copy_bytes > 0 ? roofs->copy_bytes : NAN);
    cli_json_real(object, "launch_us", roofs->launch_s * 1e6);
    cli_json_real(object, "launch_sync_us", roofs->launch_sync_s * 1e6);
    cli_json_uint(object, "copy_buffer", roofs->copy_buffer);
    cli_json_uint(object, "threads", roofs->threads);
}

void cli_json_error(cJSON *object, const char *key, const struct shoal_error *error)
{
    if (error->status == SHOAL_OK) {
        cli_json_text(object, key, NULL);
        return;
    }
    cJSON *item = cli_json_object(object, key);
    cli_json_text(item, "status", shoal_status_name(error->status));
    cli_json_text(item, "message", error->message);
    cli_json_text(item, "call", *error->call ? error->call : NULL);
    cli_json_real(item, "native", error->native);
    if (*error->log)
        cli_json_text(item, "log", error->log);
}

static void add_field(cJSON *object, const struct shoal_field *field)
{
    switch (field->type) {
    case SHOAL_FIELD_UINT:
        if (strcmp(field->name, "seed") == 0) {
            char digits[24];
            snprintf(digits, sizeof digits, "%llu", (unsigned long long)field->uint);
            cli_json_text(object, field->name, digits);
        } else {
            cli_json_uint(object, field->name, field->uint);
        }
        break;
    case SHOAL_FIELD_REAL:
        cli_json_real(object, field->name, field->real);
        break;
    case SHOAL_FIELD_REALS: {
        cJSON *array = cli_json_array(object, field->name);
        for (size_t i = 0; i < field->count; i++)
            cli_json_real(array, NULL, field->reals[i]);
        break;
    }
    case SHOAL_FIELD_TEXT:
        cli_json_text(object, field->name, field->text);
        break;
    case SHOAL_FIELD_FLAG:
        cli_json_bool(object, field->name, field->uint);
        break;
    }
}

void cli_json_result(cJSON *object, const struct shoal_result *result)
{
    cli_json_text(object, "value_name", result->value_name);
    cli_json_real(object, "value", result->value);
    cli_json_text(object, "value_unit",
                  result->value_unit && *result->value_unit ? result->value_unit : NULL);
    cli_json_real(object, "error", result->error);
    cli_json_text(object, "check", result->check_passed ? "pass" : "fail");
    cli_json_text(object, "check_name", result->check_name);
    cli_json_text(object, "check_failure", *result->check_failure ? result->check_failure : NULL);
    cli_json_text(object, "title", result->title);
    cli_json_text(object, "warning", result->warning);
    cli_json_text(object, "note", result->note);
    cli_json_uint(object, "steps", result->steps - result->warm_up_steps);
    cli_json_uint(object, "warm_up_steps", result->warm_up_steps);
    cli_json_real(object, "work", result->work);
    cli_json_text(object, "work_unit", result->work_unit);
    cJSON *fields = cli_json_object(object, "fields");
    for (size_t i = 0; i < result->field_count; i++)
        add_field(fields, &result->fields[i]);
}

static bool is_printed;

bool cli_json_is_printed(void)
{
    return is_printed;
}

char *cli_json_file(cJSON *json)
{
    char *text = cJSON_Print(json), *ended = text ? cli_sprintf("%s\n", text) : NULL;
    cJSON_free(text);
    cJSON_Delete(json);
    return ended;
}

int cli_json_print(cJSON *json)
{
    const struct cli_reported *reported = cli_reported_first();
    cJSON *errors = reported ? cli_json_array(json, "errors") : NULL;
    for (; reported; reported = reported->next) {
        cJSON *error = cli_json_object(errors, NULL);
        cli_json_uint(error, "code", (uint64_t)reported->code);
        cli_json_text(error, "message", reported->message);
    }
    is_printed = true;
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    if (!text)
        return cli_error(CLI_FAILURE, "out of memory");
    puts(text);
    cJSON_free(text);
    return cli_flush();
}
