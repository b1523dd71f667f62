/* shoal devices: the devices, their roofs, the links between the devices, and the reasons why devices are
 * unavailable. */
#include "bench/runner/results.h"
#include "cli/cli.h"
#include "cli/devices/links.h"
#include "cli/devices/rates.h"
#include "cli/output/tables/layout.h"

#include <math.h>
#include <stdlib.h>

struct values {
    bool measure, links;
    const char *rates;
    double rates_time;
};

static void values_init(void *block)
{
    struct values *values = block;
    values->rates = "";
    values->rates_time = 60;
}

static const struct shoal_option options[] = {
    {"measure", SHOAL_OPTION_FLAG, offsetof(struct values, measure), "", 0, 0, NULL,
     "measure the roofs of each device: arithmetic, memory bandwidth, launch latency"},
    {"links", SHOAL_OPTION_FLAG, offsetof(struct values, links), "", 0, 0, NULL,
     "measure copies between the host and each device and between each two devices: path, rate and latency"},
    {"rates", SHOAL_OPTION_TEXT, offsetof(struct values, rates), "LIST", 0, 0, NULL,
     "measure rates of each device: all, or a list of compute, matrix, memory, local, atomics, transfers, "
     "launches"},
    {.name = "rates-time",
     .type = SHOAL_OPTION_REAL,
     .offset = offsetof(struct values, rates_time),
     .unit = "s",
     .min = 0.1,
     .max = 3600,
     .help = "seconds after which a device has no further rate measured",
     .needs = "rates"},
};

static const struct shoal_example examples[] = {
    {"shoal devices", "every device, and why a backend is unavailable"},
    {"shoal devices --measure --device gpu", "the roofs of every GPU"},
    {"shoal devices --rates compute,memory --device gpu", "rates by kind of number and way of access"},
    {"shoal devices --links --device gpu", "how fast bytes go from GPU to GPU, and on which path"},
    {"shoal devices --device opencl:0/4", "a processor in four parts, each of which is a device"},
    {"shoal devices --json", "every capability of every device"},
};

struct measured {
    struct shoal_roofs roofs;
    struct shoal_error error;
    bool done;
};

static const char *type_name(const struct shoal_device_info *info)
{
    return info->is_host ? "host" : info->is_gpu ? "gpu" : info->is_cpu ? "cpu" : "other";
}

static void print_devices(const struct cli *cli)
{
    static const struct cli_column columns[] = {{.title = "id"},
                                                {.title = "name", .stays = true, .least = 16},
                                                {.title = "type", .stays = true},
                                                {.title = "platform", .stays = true, .least = 8, .rank = 2},
                                                {.title = "driver", .stays = true, .least = 8, .rank = 3},
                                                {.title = "units", .stays = true, .right = true},
                                                {.title = "available", .stays = true, .right = true},
                                                {.title = "local", .stays = true, .right = true, .rank = 1},
                                                {.title = "fp64", .stays = true},
                                                {.title = "note", .stays = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < cli->device_count; i++) {
        const struct shoal_device_info *info = shoal_device_get_info(cli->devices[i]);
        cli_table_row(table);
        cli_table_cell(table, "%s", info->id);
        cli_table_cell(table, "%s", info->name);
        cli_table_cell(table, "%s", type_name(info));
        cli_table_cell(table, "%s", info->platform);
        cli_table_cell(table, "%s", info->driver);
        cli_table_cell(table, "%u", info->units);
        cli_table_cell(table, "%s", info->memory ? cli_bytes(info->memory).s : "-");
        cli_table_cell(table, "%s", info->local_mem ? cli_bytes(info->local_mem).s : "-");
        cli_table_cell(table, "%s", info->fp64 ? "yes" : "no");
        if (info->alias_of)
            cli_table_cell(table, "same card as %s", info->alias_of);
        else if (info->part_of)
            cli_table_cell(table, "part of %s", info->part_of);
        else if (*info->host)
            cli_table_cell(table, "on %s", info->host);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
    puts("available: memory for buffers; local: that of a work-group");
}

static void print_roofs(const struct cli *cli, const struct measured *measured)
{
    static const struct cli_column columns[] = {
        {.title = "id"},
        {.title = "fp32", .stays = true, .right = true},
        {.title = "fp64", .stays = true, .right = true},
        {.title = "rsqrt", .stays = true, .right = true, .rank = 1},
        {.title = "copy", .stays = true, .right = true},
        {.title = "launch", .stays = true, .right = true},
        {.title = "launch+wait", .stays = true, .right = true, .rank = 2},
        {.title = "measured with", .stays = true, .rank = 3}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < cli->device_count; i++) {
        const struct shoal_roofs *roofs = &measured[i].roofs;
        if (!measured[i].done)
            continue;
        cli_table_row(table);
        cli_table_cell(table, "%s", shoal_device_get_info(cli->devices[i])->id);
        if (measured[i].error.status != SHOAL_OK) {
            cli_table_span(table, "%s: %s", shoal_status_name(measured[i].error.status),
                           measured[i].error.message);
            continue;
        }
        if (isnan(roofs->fp32_flops)) {
            cli_table_span(table,
                           "busy, not measured: other programs took the machine; repeat it when it is idle");
            continue;
        }
        cli_table_cell(table, "%s", cli_roof(roofs->fp32_flops, "flop/s").s);
        cli_table_cell(table, "%s", cli_roof(roofs->fp64_flops, "flop/s").s);
        cli_table_cell(table, "%s", cli_roof(roofs->sfu_ops, "op/s").s);
        cli_table_cell(table, "%s", cli_roof(roofs->copy_bytes, "B/s").s);
        cli_table_cell(table, "%s", cli_roof(roofs->launch_s, "s").s);
        cli_table_cell(table, "%s", cli_roof(roofs->launch_sync_s, "s").s);
        if (roofs->threads)
            cli_table_cell(table, "2 x %s, %u threads", cli_bytes(roofs->copy_buffer).s, roofs->threads);
        else
            cli_table_cell(table, "2 x %s", cli_bytes(roofs->copy_buffer).s);
    }
    putchar('\n');
    cli_paragraph(stdout, 0,
                  "Roofs: best of the repeats; copy counts bytes read and written; launch is that of one "
                  "kernel among many, launch+wait that of one whose end is waited for.");
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_backends(const struct cli *cli)
{
    bool first = true;
    for (size_t i = 0; i < shoal_backend_count(cli->shoal); i++) {
        const struct shoal_backend_info *info = shoal_backend_at(cli->shoal, i);
        if (info->available)
            continue;
        char *text = cli_sprintf("%s: %s", info->name, info->note);
        if (first)
            putchar('\n');
        cli_paragraph(stdout, 2, text);
        free(text);
        first = false;
    }
}

static int print_json(const struct cli *cli, const struct measured *measured,
                      const struct device_links *links, const struct device_rates *rates)
{
    cJSON *json = cli_json_new("devices");
    struct results now;
    struct shoal_error error;
    if ((measured || rates) &&
        results_begin(&now, cli_processor(cli), cli->argc, cli->argv, &error) == SHOAL_OK) {
        cli_json_text(json, "date", now.date);
        result_machine_json(json, &now.machine);
        results_clear(&now);
    }
    cJSON *backends = cli_json_array(json, "backends");
    for (size_t i = 0; i < shoal_backend_count(cli->shoal); i++) {
        const struct shoal_backend_info *info = shoal_backend_at(cli->shoal, i);
        cJSON *object = cli_json_object(backends, NULL);
        cli_json_text(object, "name", info->name);
        cli_json_bool(object, "available", info->available);
        cli_json_text(object, "note", info->note);
    }
    cJSON *devices = cli_json_array(json, "devices");
    for (size_t i = 0; i < cli->device_count; i++) {
        cJSON *object = cli_json_device(devices, NULL, cli->devices[i]);
        if (measured && measured[i].done) {
            if (measured[i].error.status == SHOAL_OK)
                cli_json_roofs(object, "roofs", &measured[i].roofs);
            else
                cli_json_text(object, "roofs", NULL);
            cli_json_error(object, "roofs_error", &measured[i].error);
        }
        if (rates)
            rates_json(rates, i, object);
    }
    if (links)
        links_json(links, json);
    return cli_json_print(json);
}

static int measure(const struct cli *cli, struct measured *measured)
{
    int code = CLI_OK;
    for (size_t i = 0; i < cli->device_count && !cli_stopped(NULL); i++) {
        const char *id = shoal_device_get_info(cli->devices[i])->id;
        cli_progress_show("%s  measuring", id);
        measured[i].done = true;
        measured[i].error.status =
            shoal_measure_roofs(cli->devices[i], &measured[i].roofs, &measured[i].error);
        cli_progress_end();
        if (measured[i].error.status != SHOAL_OK)
            code = cli_first_failure(code, cli_fail(id, &measured[i].error));
    }
    return cli_first_failure(cli_stop_code(), code);
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct measured *measured = NULL;
    struct device_links *links = NULL;
    struct device_rates *rates = NULL;
    unsigned parts = 0;
    /* cli_open opens every driver, whatever --device selects, since all backends are listed. */
    int printed, code = *values->rates ? rates_parts(values->rates, &parts) : CLI_OK;
    if (code == CLI_OK)
        code = cli_open(cli);
    if (code == CLI_OK)
        code = cli_select(cli, "all", SHOAL_SELECT_ALIASES);
    if (code != CLI_OK)
        return code;
    if (values->measure) {
        measured = cli_alloc(cli->device_count * sizeof *measured);
        code = measure(cli, measured);
    }
    if (values->links)
        links = links_measure(cli, &code);
    if (parts)
        rates = rates_measure(cli, parts, values->rates_time, &code);
    if (cli->common.json) {
        printed = print_json(cli, measured, links, rates);
    } else {
        print_devices(cli);
        if (measured)
            print_roofs(cli, measured);
        if (links)
            links_print(links);
        if (rates)
            rates_print(rates);
        print_backends(cli);
        printed = cli_flush();
    }
    links_free(links);
    rates_free(rates);
    free(measured);
    return cli_first_failure(code, printed);
}

const struct cli_command cli_devices = {
    .name = "devices",
    .summary = "list the devices, and why others are unavailable",
    .description =
        "Lists every available device, and for each backend or platform that cannot be used the "
        "reason and what to install. A card that several backends show has a row for each.\n"
        "--measure measures the roofs of a device, its highest rates of arithmetic, memory copies "
        "and launches, with which 'shoal bench' compares its figures. --links measures copies from "
        "device to device, on which a run over several devices depends. --rates measures more of each "
        "device, part by part: compute (kinds of numbers, fused and not), matrix (matrix units, through "
        "CUDA), memory (global memory), local (local memory), atomics, transfers (by size) and launches.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
