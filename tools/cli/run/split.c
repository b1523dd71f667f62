#include "cli/run/split.h"

#include "cli/output/tables/layout.h"
#include "cli/output/tables/table.h"
#include "cli/output/values.h"
#include "cli/ranks.h"

#include <stdlib.h>
#include <string.h>

/* Reads shares such as "23:9": a number for each device. */
static int read_shares(const char *text, size_t count, double *shares)
{
    static const struct shoal_option number = {.name = "shares", .type = SHOAL_OPTION_REAL, .max = 1e9};
    size_t found = 0;
    for (const char *at = text; at; found++) {
        const char *end = strchr(at, ':');
        char *own = cli_sprintf("%.*s", (int)(end ? (size_t)(end - at) : strlen(at)), at);
        double share;
        const bool is_set = cli_value_set(&number, &share, own, "--shares");
        free(own);
        if (!is_set)
            return CLI_USAGE;
        if (found < count)
            shares[found] = share;
        at = end ? end + 1 : NULL;
    }
    if (found != count)
        return cli_error(CLI_USAGE, "--shares '%s': %zu shares for %zu devices", text, found, count);
    return CLI_OK;
}

/* Options of single devices ---------------------------------------------------------------------------- */

static int refuse_option(const struct shoal_workload *workload, const char *name)
{
    char *names = cli_strdup("");
    for (size_t i = 0; i < workload->option_count; i++) {
        if (!(workload->options[i].flags & SHOAL_OPTION_OF_DEVICE))
            continue;
        char *longer = cli_sprintf("%s%s%s", names, *names ? ", " : "", workload->options[i].name);
        free(names);
        names = longer;
    }
    const int code =
        *names ? cli_error(CLI_USAGE, "--on: '%s' cannot differ between devices; these options can: %s", name,
                           names)
               : cli_error(CLI_USAGE, "--on: no option of %s can differ between devices", workload->name);
    free(names);
    return code;
}

/* Sets options such as "kernel=unrolled,unroll=8" in the parameters of a device. */
static int set_options(const struct cli *cli, const char *text, const char *where, void *params)
{
    const struct shoal_workload *workload = cli->command->workload;
    char *copy = cli_strdup(text), *rest = copy;
    int code = CLI_OK;
    for (char *item; code == CLI_OK && (item = strsep(&rest, ","));) {
        char *value = strchr(item, '=');
        if (!value) {
            code = cli_error(CLI_USAGE, "%s: '%s' has no value: give OPTION=VALUE", where, item);
            break;
        }
        *value++ = '\0';
        const struct shoal_option *option = cli_option_find(workload, item);
        if (!option || !(option->flags & SHOAL_OPTION_OF_DEVICE))
            code = refuse_option(workload, item);
        else if (!cli_value_set(option, params, cli_keep(value), where))
            code = CLI_USAGE;
    }
    free(copy);
    return code == CLI_OK ? cli_validate(cli, where, workload, params) : code;
}

/* Sets are_named[d] for each device of cli->devices that `selector` selects. Reports an error if there is
 * none. */
static int find_devices(const struct cli *cli, const char *selector, bool *are_named)
{
    struct shoal_error error = {0};
    size_t found = 0, named = 0;
    enum shoal_status status = shoal_device_select(cli->shoal, selector, 0, NULL, 0, &found, &error);
    struct shoal_device **devices = cli_alloc((found + 1) * sizeof *devices);
    if (status == SHOAL_OK)
        status = shoal_device_select(cli->shoal, selector, 0, devices, found, &found, &error);
    for (size_t d = 0; d < cli->device_count; d++) {
        are_named[d] = false;
        for (size_t i = 0; i < found && status == SHOAL_OK; i++)
            are_named[d] = are_named[d] || devices[i] == cli->devices[d];
        named += are_named[d];
    }
    free(devices);
    if (status != SHOAL_OK)
        return cli_fail("--on", &error);
    return named ? CLI_OK : cli_error(CLI_USAGE, "--on: %s is none of the devices of --device", selector);
}

/* Reads one value of --on, such as "cuda:1:kernel=unrolled", and sets the option in own[d], the parameters of
 * each selected device; a missing own[d] begins as a copy of cli->params. */
static int read_on(const struct cli *cli, const char *text, void **own)
{
    const size_t bytes = cli->command->workload->params_size;
    char *selector = cli_strdup(text), *equals = strchr(selector, '=');
    if (equals)
        *equals = '\0';
    char *colon = strrchr(selector, ':');
    bool *are_named = cli_alloc(cli->device_count * sizeof *are_named);
    int code = CLI_OK;
    if (!equals || !colon || colon == selector)
        code = cli_error(CLI_USAGE, "--on '%s': give DEVICE:OPTION=VALUE, such as %s:work-group=64", text,
                         shoal_device_get_info(cli->devices[0])->id);
    else
        *colon = '\0';
    if (code == CLI_OK)
        code = find_devices(cli, selector, are_named);
    for (size_t d = 0; d < cli->device_count && code == CLI_OK; d++) {
        if (!are_named[d])
            continue;
        if (!own[d]) {
            own[d] = cli_alloc(bytes);
            memcpy(own[d], cli->params, bytes);
        }
        char *where = cli_sprintf("--on %s", shoal_device_get_info(cli->devices[d])->id);
        code = set_options(cli, text + (colon - selector) + 1, where, own[d]);
        free(where);
    }
    free(are_named);
    free(selector);
    return code;
}

static int read_all_on(const struct cli *cli, const char *texts, void **own)
{
    char *copy = cli_strdup(texts), *rest = copy;
    int code = CLI_OK;
    for (char *text; code == CLI_OK && (text = strsep(&rest, " "));)
        if (*text)
            code = read_on(cli, text, own);
    free(copy);
    return code;
}

/* The run ---------------------------------------------------------------------------------------------- */

int run_split_make(struct cli *cli, struct shoal_split_params *split)
{
    const struct workload_values *values = cli->values;
    struct shoal_error error = {0};
    const size_t count = cli->device_count;
    shoal_split_params_init(split);
    if (values->shares) {
        double *shares = cli_alloc(count * sizeof *shares);
        split->shares = shares;
        const int code = read_shares(values->shares, count, shares);
        if (code != CLI_OK)
            return code;
    }
    split->devices = cli->devices;
    split->count = count;
    if (values->on) {
        void **own = cli_alloc(count * sizeof *own);
        memset(own, 0, count * sizeof *own);
        split->device_params = (const void *const *)own;
        const int code = read_all_on(cli, values->on, own);
        if (code != CLI_OK)
            return code;
    }
    if (shoal_split_check(cli->command->workload, split, cli->params, &error))
        return cli_fail(cli_ranks() ? "a run of several ranks" : "--split", &error);
    cli->device_count = 1; /* a divided run has one row */
    return CLI_OK;
}

void run_split_free(struct shoal_split_params *split)
{
    cli_row_free_own(split);
    free((void *)split->shares);
    split->shares = NULL;
}

/* Finds the part whose device had the unit number `number` at the end of the run. */
static const struct shoal_part *part_with(const struct cli_row *row, uint64_t number)
{
    const uint64_t unit = number - row->parts[0].numbered_from;
    size_t k = 0;
    while (k + 1 < row->part_count && unit >= row->parts[k].first + row->parts[k].count)
        k++;
    return &row->parts[k];
}

/* The numbers of the units of a part, such as "3 to 4". */
static void add_numbers(struct cli_table *table, const struct shoal_part *part)
{
    const unsigned long long first = part->first + part->numbered_from, count = part->count;
    if (count > 1)
        cli_table_cell(table, "%llu to %llu", first, first + count - 1);
    else if (count)
        cli_table_cell(table, "%llu", first);
    else
        cli_table_cell(table, "-");
}

void run_split_print(const struct cli_row *row)
{
    if (!row->part_count)
        return;
    char *name = cli_sprintf("best_%s", row->parts[0].unit);
    const struct shoal_field *best = shoal_result_find(&row->result, name);
    bool has_moved = false;
    for (size_t k = 0; k < row->part_count; k++)
        has_moved = has_moved || row->parts[k].moves;
    const struct cli_column columns[] = {{.title = "device"},
                                         {.title = row->parts[0].units, .right = true, .stays = true},
                                         {.title = "numbers", .right = true, .stays = true},
                                         {.title = "busy", .right = true, .stays = true},
                                         {.title = "waited", .right = true, .stays = true},
                                         {.title = "path", .stays = true},
                                         {.title = "at first", .right = true, .stays = true},
                                         {.title = "moves", .right = true, .stays = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t k = 0; k < row->part_count; k++) {
        const struct shoal_part *part = &row->parts[k];
        cli_table_row(table);
        cli_table_cell(table, "%s", part->device);
        cli_table_cell(table, "%llu", (unsigned long long)part->count);
        add_numbers(table, part);
        cli_table_cell(table, "%s", cli_seconds(part->busy_s).s);
        cli_table_cell(table, "%s", cli_seconds(part->waited_s).s);
        cli_table_cell(table, "%s", part->path ? part->path : "-");
        if (has_moved) {
            cli_table_cell(table, "%llu", (unsigned long long)part->began_with);
            cli_table_cell(table, "%llu", (unsigned long long)part->moves);
        }
    }
    putchar('\n');
    cli_table_print(table, stdout);
    if (best && best->type == SHOAL_FIELD_REAL)
        printf("best %s %llu, made on %s\n", row->parts[0].unit, (unsigned long long)best->real,
               part_with(row, (uint64_t)best->real)->device);
    double alone, together;
    const struct shoal_part *faster = cli_row_faster_alone(row, &alone, &together);
    if (faster)
        printf("%s alone would take about %s in place of %s\n", faster->device, cli_seconds(alone).s,
               cli_seconds(together).s);
    cli_table_free(&table);
    free(name);
}
