#include "cli/devices/rates.h"

#include "cli/devices/sensors.h"

#include "cli/output/tables/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The figures of one device. */
struct device_figures {
    struct shoal_device *device;
    struct shoal_rate *list; /* each with a reason of its own */
    size_t count;
    struct shoal_error error;
    struct device_sensors sensors; /* during the measurement */
    bool done;
};

struct device_rates {
    struct device_figures *devices; /* as in cli->devices */
    size_t count;
};

static const char *const part_names[] = {"compute", "matrix",    "memory",  "local",
                                         "atomics", "transfers", "launches"};
enum { PARTS = sizeof part_names / sizeof *part_names };

/* The flag of the part with this name, of which `length` characters are given; 0: there is none. */
static unsigned part_of(const char *name, size_t length)
{
    if (length == 3 && strncmp(name, "all", 3) == 0)
        return SHOAL_RATES_ALL;
    for (unsigned i = 0; i < PARTS; i++)
        if (strlen(part_names[i]) == length && strncmp(name, part_names[i], length) == 0)
            return 1U << i;
    return 0;
}

int rates_parts(const char *list, unsigned *parts)
{
    *parts = 0;
    for (const char *word = list;; word++) {
        const size_t length = strcspn(word, ",");
        const unsigned part = part_of(word, length);
        if (!part)
            return cli_error(CLI_USAGE,
                             "--rates: '%.*s' is no part: give all, or a list of compute, matrix, memory, "
                             "local, atomics, transfers, launches",
                             (int)length, word);
        *parts |= part;
        word += length;
        if (!*word)
            return CLI_OK;
    }
}

static bool keep(void *data, const struct shoal_rate *rate)
{
    struct device_figures *figures = data;
    struct shoal_rate *list = realloc(figures->list, (figures->count + 1) * sizeof *list);
    if (!list)
        return false;
    figures->list = list;
    list[figures->count] = *rate;
    list[figures->count++].reason = cli_strdup(rate->reason);
    cli_progress_show("%s  measuring rates: %s, %zu figures", shoal_device_get_info(figures->device)->id,
                      rate->part, figures->count);
    return !cli_stopped(NULL);
}

struct device_rates *rates_measure(const struct cli *cli, unsigned parts, double seconds, int *code)
{
    struct device_rates *rates = cli_alloc(sizeof *rates);
    rates->devices = cli_alloc(cli->device_count * sizeof *rates->devices);
    rates->count = cli->device_count;
    for (size_t i = 0; i < rates->count && !cli_stopped(NULL); i++) {
        struct device_figures *figures = &rates->devices[i];
        const struct shoal_device_info *info = shoal_device_get_info(cli->devices[i]);
        struct shoal_rates_params params;
        figures->device = cli->devices[i];
        if (info->is_host)
            continue;
        shoal_rates_params_init(&params);
        params.parts = parts;
        params.seconds = seconds;
        params.give = keep;
        params.data = figures;
        cli_progress_show("%s  measuring rates", info->id);
        device_sensors_begin(&figures->sensors, info);
        figures->error.status = shoal_measure_rates(figures->device, &params, &figures->error);
        device_sensors_end(&figures->sensors);
        figures->done = true;
        cli_progress_end();
        if (figures->error.status && figures->error.status != SHOAL_STOPPED)
            *code = cli_first_failure(*code, cli_fail(info->id, &figures->error));
    }
    *code = cli_first_failure(cli_stop_code(), *code);
    return rates;
}

void rates_free(struct device_rates *rates)
{
    if (!rates)
        return;
    for (size_t i = 0; i < rates->count; i++) {
        for (size_t k = 0; k < rates->devices[i].count; k++)
            free((char *)rates->devices[i].list[k].reason);
        free(rates->devices[i].list);
    }
    free(rates->devices);
    free(rates);
}

/* Adds the name with blanks in place of underscores. */
static void name_cell(struct cli_table *table, const char *name)
{
    char *text = cli_strdup(name);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    cli_table_cell(table, "%s", text);
    free(text);
}

static double spread(const struct shoal_rate *rate)
{
    return (rate->most - rate->least) / rate->value;
}

static void print_figures(const struct device_figures *figures)
{
    static const struct cli_column columns[] = {
        {.title = "part", .stays = true},
        {.title = "figure", .stays = true},
        {.title = "median", .stays = true, .right = true},
        {.title = "spread", .stays = true, .right = true},
        {.title = "samples", .stays = true, .right = true, .rank = 1}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    size_t rows = 0;
    for (size_t i = 0; i < figures->count; i++) {
        const struct shoal_rate *rate = &figures->list[i];
        if (rate->bytes)
            continue;
        rows++;
        cli_table_row(table);
        cli_table_cell(table, "%s", rate->part);
        name_cell(table, rate->name);
        if (!rate->samples) {
            cli_table_span(table, "-  %s", rate->reason);
            continue;
        }
        cli_table_cell(table, "%s", cli_roof(rate->value, rate->unit).s);
        cli_table_cell(table, "%.1f %%", 100 * spread(rate));
        cli_table_cell(table, "%u", rate->samples);
    }
    if (rows)
        cli_table_print(table, stdout);
    cli_table_free(&table);
}

/* Prints the reasons why transfers have no figure, each once. */
static void print_reasons(const struct device_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        const struct shoal_rate *rate = &figures->list[i];
        bool is_new = rate->bytes && !rate->samples;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = !figures->list[k].bytes || strcmp(figures->list[k].reason, rate->reason) != 0;
        if (is_new)
            printf("-: %s\n", rate->reason);
    }
}

/* Sizes below each other, the kinds of transfers beside each other. */
static void print_transfers(const struct device_figures *figures)
{
    static const struct cli_column columns[] = {{.title = "transfer", .stays = true, .right = true},
                                                {.title = "to device", .stays = true, .right = true},
                                                {.title = "pinned", .stays = true, .right = true},
                                                {.title = "from device", .stays = true, .right = true},
                                                {.title = "pinned", .stays = true, .right = true},
                                                {.title = "both, pinned", .stays = true, .right = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    uint64_t bytes = 0;
    for (size_t i = 0; i < figures->count; i++) {
        const struct shoal_rate *rate = &figures->list[i];
        if (!rate->bytes)
            continue;
        if (rate->bytes != bytes) {
            bytes = rate->bytes;
            cli_table_row(table);
            cli_table_cell(table, "%s", cli_bytes(bytes).s);
        }
        cli_table_cell(table, "%s", rate->samples ? cli_roof(rate->value, rate->unit).s : "-");
    }
    if (bytes) {
        putchar('\n');
        cli_table_print(table, stdout);
        print_reasons(figures);
    }
    cli_table_free(&table);
}

void rates_print(const struct device_rates *rates)
{
    for (size_t i = 0; i < rates->count; i++) {
        const struct device_figures *figures = &rates->devices[i];
        if (!figures->done)
            continue;
        char *text = cli_sprintf(
            "Rates of %s: median of the samples, and their range as a share of it. A fused multiply-add "
            "counts as two operations, a copy as the bytes read and written.",
            shoal_device_get_info(figures->device)->id);
        putchar('\n');
        cli_paragraph(stdout, 0, text);
        free(text);
        putchar('\n');
        print_figures(figures);
        print_transfers(figures);
        putchar('\n');
        device_sensors_print(&figures->sensors, shoal_device_get_info(figures->device)->id);
    }
}

void rates_json(const struct device_rates *rates, size_t index, cJSON *object)
{
    const struct device_figures *figures = &rates->devices[index];
    cJSON *array = cli_json_array(object, "rates");
    for (size_t i = 0; i < figures->count; i++) {
        const struct shoal_rate *rate = &figures->list[i];
        cJSON *item = cli_json_object(array, NULL);
        cli_json_text(item, "part", rate->part);
        cli_json_text(item, "name", rate->name);
        cli_json_text(item, "unit", rate->unit);
        if (rate->bytes)
            cli_json_uint(item, "bytes", rate->bytes);
        cli_json_real(item, "value", rate->value);
        cli_json_real(item, "min", rate->least);
        cli_json_real(item, "max", rate->most);
        cli_json_uint(item, "samples", rate->samples);
        cli_json_text(item, "reason", *rate->reason ? rate->reason : NULL);
    }
    cli_json_error(object, "rates_error", &figures->error);
    if (figures->done)
        device_sensors_json(&figures->sensors, object);
}
