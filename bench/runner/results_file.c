/* Reads and writes result files in JSON. */
#include "base/input.h"
#include "bench/runner/fail.h"
#include "bench/runner/results.h"
#include "cli/output/json.h"
#include "cli/output/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const check_names[] = {
    [RESULT_NOT_CHECKED] = "none", [RESULT_PASSED] = "pass", [RESULT_FAILED] = "fail"};

static void add_row(cJSON *rows, const struct result_row *row)
{
    cJSON *object = cli_json_object(rows, NULL);
    cli_json_text(object, "case", row->name);
    cli_json_text(object, "device", row->device);
    cli_json_text(object, "variant", row->variant);
    cli_json_text(object, "precision", row->precision);
    cli_json_real(object, "value", row->value);
    cli_json_text(object, "unit", row->unit);
    cli_json_text(object, "better", row->higher_is_better ? "higher" : "lower");
    cli_json_uint(object, "samples", row->samples);
    cli_json_real(object, "min", row->min);
    cli_json_real(object, "max", row->max);
    cli_json_real(object, "spread", row->spread);
    cli_json_text(object, "bound", row->bound == SHOAL_ROOF_NONE ? NULL : result_roof_name(row->bound));
    cli_json_real(object, "roof", row->roof > 0 ? row->roof : NAN);
    cli_json_real(object, "share", row->share > 0 ? row->share : NAN);
    cli_json_text(object, "check", check_names[row->check]);
    cli_json_real(object, "error", row->error);
    cli_json_real(object, "device_s", row->device_s > 0 ? row->device_s : NAN);
    cli_json_real(object, "wall_s", row->wall_s);
    cli_json_real(object, "build_s", row->build_s);
    cli_json_real(object, "first_launch_s", row->first_launch_s);
    if (row->published > 0) {
        cli_json_real(object, "published", row->published);
        cli_json_text(object, "published_on", row->published_on);
    }
    const struct {
        const char *key, *text;
    } texts[] = {{"compiler", row->compiler},
                 {"title", row->title},
                 {"size", row->size},
                 {"reason", row->reason},
                 {"note", row->note}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i].text)
            cli_json_text(object, texts[i].key, texts[i].text);
    cJSON *figures = row->figure_count ? cli_json_array(object, "figures") : NULL;
    for (size_t i = 0; i < row->figure_count; i++) {
        cJSON *figure = cli_json_object(figures, NULL);
        cli_json_text(figure, "name", row->figures[i].name);
        cli_json_real(figure, "value", row->figures[i].value);
        cli_json_text(figure, "unit", row->figures[i].unit);
    }
}

void result_machine_json(cJSON *json, const struct result_machine *machine)
{
    cJSON *object = cli_json_object(json, "machine");
    cli_json_text(object, "name", machine->name);
    cli_json_text(object, "processor", machine->processor);
    cli_json_text(object, "kernel", machine->kernel);
    cli_json_real(object, "threads", machine->threads);
    cli_json_real(object, "load", machine->load);
}

cJSON *results_json(const struct results *results)
{
    cJSON *json = cJSON_CreateObject();
    if (!json)
        return NULL;
    cli_json_uint(json, "schema", RESULTS_SCHEMA);
    cli_json_text(json, "commit", results->commit);
    cli_json_text(json, "date", results->date);
    cli_json_text(json, "command", results->command);
    result_machine_json(json, &results->machine);
    cJSON *devices = cli_json_array(json, "devices");
    for (size_t i = 0; i < results->device_count; i++) {
        const struct result_device *device = &results->devices[i];
        cJSON *object = cli_json_object(devices, NULL);
        cli_json_text(object, "id", device->id);
        cli_json_text(object, "name", device->name);
        cli_json_text(object, "driver", device->driver);
        if (device->roofs.copy_bytes != 0) /* or NaN, as measured on a busy machine */
            cli_json_roofs(object, "roofs", &device->roofs);
        else
            cli_json_text(object, "roofs", NULL);
    }
    cJSON *rows = cli_json_array(json, "rows");
    for (size_t i = 0; i < results->row_count; i++)
        add_row(rows, &results->rows[i]);
    cJSON *skipped = cli_json_array(json, "skipped");
    for (size_t i = 0; i < results->skipped_count; i++) {
        cJSON *object = cli_json_object(skipped, NULL);
        cli_json_text(object, "case", results->skipped[i].name);
        cli_json_text(object, "device", results->skipped[i].device);
        cli_json_error(object, "error", &results->skipped[i].error);
    }
    return json;
}

/* State of reading: keeps the first error; all that is read after an error is zero. */
struct reader {
    const char *name;  /* name of the file */
    const char *where; /* what is read: "rows", "devices" */
    int index;
    struct shoal_error *error;
    bool failed;
    /* receives a line about each entry that is left out; NULL: such an entry is an error */
    void (*left_out)(void *data, const char *line);
    void *data;
    bool is_listing; /* the file is a list of devices, whose roofs may be missing */
};

SHOAL_PRINTF(2, 3)
static void reader_fail(struct reader *reader, const char *format, ...)
{
    if (reader->failed)
        return;
    reader->failed = true;
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (reader->where)
        bench_fail(reader->error, SHOAL_IO, "%.300s: %s[%d]: %s", reader->name, reader->where, reader->index,
                   what);
    else
        bench_fail(reader->error, SHOAL_IO, "%.300s: %s", reader->name, what);
}

static char *read_text(struct reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsString(item))
        return item->valuestring;
    reader_fail(reader, "\"%s\" is missing or not a text", key);
    return (char *)"";
}

/* Reads a number. null: the number was not taken, and `absent` is its value. */
static double read_real(struct reader *reader, const cJSON *object, const char *key, double absent)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (cJSON_IsNumber(item))
        return item->valuedouble;
    if (!cJSON_IsNull(item))
        reader_fail(reader, "\"%s\" is missing or not a number", key);
    return absent;
}

static double read_optional_real(const cJSON *object, const char *key, double absent)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : absent;
}

static const char *read_optional_text(struct reader *reader, const cJSON *object, const char *key)
{
    return cJSON_HasObjectItem(object, key) ? read_text(reader, object, key) : "";
}

static const cJSON *read_array(struct reader *reader, const cJSON *json, const char *key)
{
    const cJSON *array = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!cJSON_IsArray(array))
        reader_fail(reader, "\"%s\" is missing or not an array", key);
    return array;
}

/* The name of a device, or its id where the file has no name. */
static const char *read_device_name(const struct reader *reader, const cJSON *object, const char *id)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "name"));
    if (reader->failed || (name && *name))
        return name;
    char *line = cli_sprintf("%s: devices[%d]: the device '%s' has no name: its id is shown", reader->name,
                             reader->index, id);
    reader->left_out(reader->data, line);
    free(line);
    return id;
}

static void read_device(struct reader *reader, const cJSON *object, struct results *results)
{
    struct shoal_roofs roofs = {0};
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "roofs");
    const char *id = read_text(reader, object, "id"), *driver = read_text(reader, object, "driver"),
               *name = reader->left_out ? read_device_name(reader, object, id)
                                        : read_text(reader, object, "name");
    if (cJSON_IsObject(item)) {
        roofs.fp32_flops = read_real(reader, item, "fp32_flops", 0);
        roofs.fp64_flops = read_real(reader, item, "fp64_flops", 0);
        roofs.sfu_ops = read_real(reader, item, "sfu_ops", 0);
        roofs.copy_bytes = read_real(reader, item, "copy_bytes", 0);
        roofs.launch_s = read_real(reader, item, "launch_us", 0) * 1e-6;
        roofs.launch_sync_s = read_optional_real(item, "launch_sync_us", 0) * 1e-6;
        double buffer = read_optional_real(item, "copy_buffer", 0),
               threads = read_optional_real(item, "threads", 0);
        roofs.copy_buffer = buffer > 0 && buffer < 0x1p63 ? (uint64_t)buffer : 0;
        roofs.threads = threads > 0 && threads < UINT32_MAX ? (uint32_t)threads : 0;
    } else if (!cJSON_IsNull(item) && (item || !reader->is_listing)) {
        reader_fail(reader, "\"roofs\" is missing or not an object");
    }
    if (!reader->failed &&
        results_add_named_device(results, id, name, driver, &roofs, reader->error) != SHOAL_OK)
        reader->failed = true;
}

static void read_figures(struct reader *reader, const cJSON *object, struct result_row *row)
{
    const cJSON *figures = cJSON_GetObjectItemCaseSensitive(object, "figures"), *item;
    cJSON_ArrayForEach(item, figures)
    {
        struct result_figure *figure = &row->figures[row->figure_count];
        if (row->figure_count == RESULT_FIGURES) {
            reader_fail(reader, "\"figures\" has more than %d entries", RESULT_FIGURES);
            return;
        }
        snprintf(figure->name, sizeof figure->name, "%s", read_text(reader, item, "name"));
        snprintf(figure->unit, sizeof figure->unit, "%s", read_text(reader, item, "unit"));
        figure->value = read_real(reader, item, "value", NAN);
        row->figure_count++;
    }
}

static void read_row(struct reader *reader, const cJSON *object, struct results *results)
{
    struct result_row row = {.name = read_text(reader, object, "case"),
                             .device = read_text(reader, object, "device"),
                             .variant = read_text(reader, object, "variant"),
                             .precision = read_text(reader, object, "precision"),
                             .unit = read_text(reader, object, "unit"),
                             .value = read_real(reader, object, "value", NAN),
                             .min = read_real(reader, object, "min", NAN),
                             .max = read_real(reader, object, "max", NAN),
                             .roof = read_real(reader, object, "roof", 0),
                             .share = read_real(reader, object, "share", 0),
                             .error = read_real(reader, object, "error", NAN),
                             .device_s = read_real(reader, object, "device_s", 0),
                             .wall_s = read_real(reader, object, "wall_s", NAN),
                             .build_s = read_real(reader, object, "build_s", NAN),
                             .first_launch_s = read_real(reader, object, "first_launch_s", NAN),
                             .published = read_optional_real(object, "published", 0),
                             .published_on = (char *)read_optional_text(reader, object, "published_on"),
                             .compiler = (char *)read_optional_text(reader, object, "compiler"),
                             .title = (char *)read_optional_text(reader, object, "title"),
                             .size = (char *)read_optional_text(reader, object, "size"),
                             .reason = (char *)read_optional_text(reader, object, "reason"),
                             .note = (char *)read_optional_text(reader, object, "note")};
    /* The distance of the quartiles is at most the range, so half of the range is used. */
    row.spread = read_optional_real(object, "spread", (row.max - row.min) / 2 / fabs(row.value));
    double samples = read_real(reader, object, "samples", 0);
    row.samples = samples > 0 && samples < 1e9 ? (size_t)samples : 0;
    const char *better = read_text(reader, object, "better"), *check = read_text(reader, object, "check");
    row.higher_is_better = strcmp(better, "higher") == 0;
    if (!row.higher_is_better && strcmp(better, "lower") != 0)
        reader_fail(reader, "\"better\" is neither \"higher\" nor \"lower\"");
    size_t index = 0, count = sizeof check_names / sizeof *check_names;
    while (index < count && strcmp(check_names[index], check) != 0)
        index++;
    if (index == count)
        reader_fail(reader, "\"check\" is not \"pass\", \"fail\" or \"none\"");
    row.check = (enum result_check)index;
    read_figures(reader, object, &row);
    const cJSON *bound = cJSON_GetObjectItemCaseSensitive(object, "bound");
    if (!cJSON_IsNull(bound) && !result_roof_find(read_text(reader, object, "bound"), &row.bound))
        reader_fail(reader, "\"bound\" is not the name of a roof");
    if (!reader->failed && results_add_row(results, &row, reader->error) != SHOAL_OK)
        reader->failed = true;
}

static char *read_copy(struct reader *reader, const cJSON *json, const char *key)
{
    return reader->failed ? NULL : cli_strdup(read_text(reader, json, key));
}

/* Earlier files lack these keys. */
static void read_machine(struct reader *reader, const cJSON *json, struct result_machine *machine)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(json, "machine");
    machine->name = cli_strdup(read_optional_text(reader, object, "name"));
    machine->processor = cli_strdup(read_optional_text(reader, object, "processor"));
    machine->kernel = cli_strdup(read_optional_text(reader, object, "kernel"));
    machine->threads = read_optional_real(object, "threads", NAN);
    machine->load = read_optional_real(object, "load", NAN);
}

static void read_skipped(struct reader *reader, const cJSON *object, struct results *results)
{
    const cJSON *why = cJSON_GetObjectItemCaseSensitive(object, "error");
    const char *name = read_text(reader, object, "case"), *device = read_text(reader, object, "device"),
               *status = read_text(reader, why, "status"), *message = read_text(reader, why, "message");
    struct shoal_error error = {.status = SHOAL_FAILED};
    for (int s = SHOAL_OK + 1; s <= SHOAL_STOPPED; s++)
        if (strcmp(shoal_status_name((enum shoal_status)s), status) == 0)
            error.status = (enum shoal_status)s;
    snprintf(error.message, sizeof error.message, "%s", message);
    if (!reader->failed && results_add_skipped(results, name, device, &error, reader->error) != SHOAL_OK)
        reader->failed = true;
}

/* Reads the entries of an array. where: name of the array. */
static void read_entries(struct reader *reader, const cJSON *array, const char *where,
                         void (*read)(struct reader *reader, const cJSON *object, struct results *results),
                         struct results *results)
{
    struct shoal_error *whole = reader->error, error = {0};
    const cJSON *item;
    if (reader->failed)
        return;
    reader->where = where;
    reader->index = 0;
    cJSON_ArrayForEach(item, array)
    {
        if (reader->left_out)
            reader->error = &error;
        read(reader, item, results);
        if (reader->failed && reader->left_out) {
            reader->left_out(reader->data, error.message);
            reader->failed = false;
        }
        reader->index++;
    }
    reader->error = whole;
    reader->where = NULL;
}

/* Reads the JSON of `shoal devices --measure`, which has roofs and no rows. Earlier ones lack date and
 * machine. */
static void read_listing(struct reader *reader, const cJSON *json, struct results *results)
{
    results->commit = cli_strdup("");
    results->date = cli_strdup(read_optional_text(reader, json, "date"));
    results->command = cli_strdup("shoal devices --measure --json");
    read_machine(reader, json, &results->machine);
    read_entries(reader, read_array(reader, json, "devices"), "devices", read_device, results);
}

static enum shoal_status parse(struct results *results, const char *text, struct reader *reader)
{
    cJSON *json = cJSON_Parse(text);
    *results = (struct results){0};
    if (!cJSON_IsObject(json)) {
        reader_fail(reader, "not a result file: its text is no JSON object");
        goto end;
    }
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(json, "schema");
    if (!cJSON_IsNumber(schema) || schema->valuedouble != RESULTS_SCHEMA) {
        if (cJSON_IsNumber(schema) && schema->valuedouble > RESULTS_SCHEMA)
            reader_fail(reader,
                        "a result file of schema %g: this version reads schema %d, a newer one is needed",
                        schema->valuedouble, RESULTS_SCHEMA);
        else
            reader_fail(reader, "not a result file of schema %d", RESULTS_SCHEMA);
        goto end;
    }
    if (cJSON_HasObjectItem(json, "backends")) {
        reader->is_listing = true;
        read_listing(reader, json, results);
        goto end;
    }
    results->commit = read_copy(reader, json, "commit");
    results->date = read_copy(reader, json, "date");
    results->command = read_copy(reader, json, "command");
    read_machine(reader, json, &results->machine);
    const cJSON *devices = read_array(reader, json, "devices"), *rows = read_array(reader, json, "rows");
    read_entries(reader, devices, "devices", read_device, results);
    read_entries(reader, rows, "rows", read_row, results);
    /* Earlier files have no such key. */
    read_entries(reader, cJSON_GetObjectItemCaseSensitive(json, "skipped"), "skipped", read_skipped, results);
end:
    cJSON_Delete(json);
    if (reader->failed)
        results_clear(results);
    return reader->failed ? (reader->error ? reader->error->status : SHOAL_IO) : SHOAL_OK;
}

enum shoal_status results_parse(struct results *results, const char *text, const char *name,
                                struct shoal_error *error)
{
    struct reader reader = {.name = name, .error = error};
    return parse(results, text, &reader);
}

enum shoal_status results_parse_most(struct results *results, const char *text, const char *name,
                                     void (*left_out)(void *data, const char *line), void *data,
                                     struct shoal_error *error)
{
    struct reader reader = {.name = name, .error = error, .left_out = left_out, .data = data};
    return parse(results, text, &reader);
}

enum shoal_status results_read(struct results *results, const char *path, struct shoal_error *error)
{
    size_t bytes;
    *results = (struct results){0};
    char *text = input_read(path, INPUT_DATA_MOST, &bytes);
    if (!text)
        return bench_fail(error, SHOAL_IO, "%.500s: cannot be read: %s", path, input_reason(errno));
    enum shoal_status status = results_parse(results, text, path, error);
    free(text);
    return status;
}

/* Makes the path DIR/HOST-DATE.json. The date has the seconds, so that two runs of a day do not replace each
 * other. */
static char *default_path(const struct results *results, const char *dir)
{
    char date[32];
    size_t used = 0;
    for (const char *c = results->date; *c && used + 1 < sizeof date; c++)
        if (*c != ':')
            date[used++] = *c;
    date[used] = 0;
    size_t length = strlen(dir);
    return cli_sprintf("%s%s%s-%s.json", dir, length && dir[length - 1] == '/' ? "" : "/",
                       results->machine.name, date);
}

enum shoal_status results_write(const struct results *results, const char *path, char **written,
                                struct shoal_error *error)
{
    struct stat info;
    char *target =
        stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? default_path(results, path) : cli_strdup(path);
    cJSON *json = results_json(results);
    char *printed = json ? cJSON_Print(json) : NULL;
    enum shoal_status status = SHOAL_OUT_OF_HOST_MEMORY;
    if (printed) {
        char *text = cli_sprintf("%s\n", printed);
        status = cli_write_file(target, text, strlen(text), error);
        free(text);
    } else {
        bench_fail(error, status, "%.500s: out of memory", target);
    }
    cJSON_free(printed);
    cJSON_Delete(json);
    if (status == SHOAL_OK && written)
        *written = target;
    else
        free(target);
    return status;
}
