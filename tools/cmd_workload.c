/* shoal WORKLOAD: one run on each selected device, in turn. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

struct values {
    const char *checkpoint, *resume, *trace_file;
};

static const struct shoal_option options[] = {
    {"checkpoint", SHOAL_OPTION_TEXT, offsetof(struct values, checkpoint), "FILE", 0, 0, NULL,
     "write the whole state at the end of the run, also after Ctrl-C; one device only"},
    {"resume", SHOAL_OPTION_TEXT, offsetof(struct values, resume), "FILE", 0, 0, NULL,
     "go on from a checkpoint made with the same problem and method; one device only"},
    {"trace-file", SHOAL_OPTION_TEXT, offsetof(struct values, trace_file), "FILE", 0, 0, NULL,
     "write the trace as CSV: device, step, value; needs --trace"},
};

static const struct shoal_field *find_field(const struct shoal_result *result, const char *name)
{
    for (size_t i = 0; i < result->field_count; i++)
        if (strcmp(result->fields[i].name, name) == 0)
            return &result->fields[i];
    return NULL;
}

/* Steps between the entries of a trace: the workload's integer option "trace"; 0 where it has none or is off.
 */
static uint64_t trace_interval(const struct shoal_workload *workload, const void *params)
{
    for (size_t i = 0; i < workload->option_count; i++)
        if (strcmp(workload->options[i].name, "trace") == 0 && workload->options[i].type == SHOAL_OPTION_UINT)
            return *(const uint64_t *)((const char *)params + workload->options[i].offset);
    return 0;
}

static int write_trace(const char *path, const struct cli_row *rows, size_t count, uint64_t interval)
{
    char *text = NULL;
    size_t bytes = 0;
    struct shoal_error error = {0};
    FILE *stream = open_memstream(&text, &bytes);
    if (!stream)
        return cli_error(CLI_FAILURE, "out of memory");
    fputs("device,step,value\n", stream);
    for (size_t r = 0; r < count; r++) {
        const struct shoal_field *trace = find_field(&rows[r].result, "trace");
        if (!cli_row_valid(&rows[r]) || !trace)
            continue;
        for (size_t i = 0; i < trace->count; i++)
            fprintf(stream, "%s,%llu,%.17g\n", shoal_device_get_info(rows[r].device)->id,
                    (unsigned long long)(i * interval), trace->reals[i]);
    }
    bool complete = fclose(stream) == 0;
    int code = CLI_OK;
    if (!complete)
        code = cli_error(CLI_FAILURE, "out of memory");
    else if (cli_write_file(path, text, bytes, &error) != SHOAL_OK)
        code = cli_fail("--trace-file", &error);
    free(text);
    return code;
}

static void print_field(const struct shoal_field *field)
{
    enum { SHOWN = 8 };
    const char *gap = *field->unit ? " " : "";
    switch (field->type) {
    case SHOAL_FIELD_UINT:
        printf("  %s: %llu%s%s\n", field->name, (unsigned long long)field->uint, gap, field->unit);
        break;
    case SHOAL_FIELD_REAL:
        printf("  %s: %s%s%s\n", field->name, cli_number(field->real).s, gap, field->unit);
        break;
    case SHOAL_FIELD_REALS:
        printf("  %s:", field->name);
        for (size_t i = 0; i < field->count && i < SHOWN; i++)
            printf(" %s", cli_number(field->reals[i]).s);
        if (field->count > SHOWN)
            printf(" ... (%zu values; all with --json)", field->count);
        printf("%s%s\n", gap, field->unit);
        break;
    case SHOAL_FIELD_TEXT:
        printf("  %s: %s\n", field->name, field->text);
        break;
    }
}

static void print_text(const struct cli *cli, const struct cli_row *rows, size_t count)
{
    const struct shoal_workload *workload = cli->command->workload;
    const struct shoal_result *first = NULL;
    char *sizes = cli_values_line(workload->options, workload->option_count, cli->params);
    for (size_t r = 0; !first && r < count; r++)
        first = cli_row_valid(&rows[r]) ? &rows[r].result : NULL;
    char *rate = cli_sprintf("%s/s", first ? first->work_unit : "work");
    const struct cli_column columns[] = {{.title = "device"},
                                         {.title = "variant"},
                                         {.title = "name", .elastic = true},
                                         {.title = first ? first->value_name : "value", .right = true},
                                         {.title = "error", .right = true},
                                         {.title = "check"},
                                         {.title = "steps", .right = true},
                                         {.title = "device time", .right = true},
                                         {.title = "wall time", .right = true},
                                         {.title = "build", .right = true},
                                         {.title = "first launch", .right = true},
                                         {.title = rate, .right = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t r = 0; r < count; r++) {
        const struct cli_row *row = &rows[r];
        const struct shoal_device_info *info = shoal_device_get_info(row->device);
        cli_table_row(table);
        cli_table_cell(table, "%s", info->id);
        cli_table_cell(table, "%s", cli_row_variant(row).s);
        cli_table_cell(table, "%s", info->name);
        if (!cli_row_valid(row)) {
            cli_table_span(table, "%s: %s", shoal_status_name(row->error.status), row->error.message);
            continue;
        }
        cli_table_cell(table, "%s", cli_number(row->result.value).s);
        cli_table_cell(table, "%.1e", row->result.error);
        cli_table_cell(table, "pass");
        cli_table_cell(table, "%llu%s", (unsigned long long)row->result.steps,
                       row->error.status == SHOAL_STOPPED ? " (stopped)" : "");
        cli_table_cell(table, "%s", cli_seconds(row->device_s).s);
        cli_table_cell(table, "%s", cli_seconds(row->wall_s).s);
        cli_table_cell(table, "%s", cli_seconds(row->build_s).s);
        cli_table_cell(table, "%s", cli_seconds(row->first_launch_s).s);
        cli_table_cell(table, "%s", row->device_s > 0 ? cli_si(row->timed_work / row->device_s, "").s : "-");
    }
    printf("%s  %s\n", workload->name, sizes);
    if (first)
        printf("1 run on each device; check: %s\n", first->check_name);
    putchar('\n');
    cli_table_print(table, stdout);
    for (size_t r = 0; r < count; r++) {
        if (!cli_row_valid(&rows[r]) || (count > 1 && !cli->common.verbose))
            continue;
        printf("\n%s\n", shoal_device_get_info(rows[r].device)->id);
        for (size_t i = 0; i < rows[r].result.field_count; i++)
            print_field(&rows[r].result.fields[i]);
    }
    cli_table_free(&table);
    free(rate);
    free(sizes);
}

static int print_json(const struct cli *cli, const struct cli_row *rows, size_t count)
{
    const struct shoal_workload *workload = cli->command->workload;
    cJSON *json = cli_json_new(workload->name);
    cli_json_options(cli_json_object(json, "params"), workload->options, workload->option_count, cli->params);
    cJSON *devices = cli_json_array(json, "devices");
    for (size_t r = 0; r < count; r++)
        cli_json_device(devices, NULL, rows[r].device);
    cJSON *array = cli_json_array(json, "rows");
    for (size_t r = 0; r < count; r++)
        cli_json_row(array, &rows[r]);
    return cli_json_print(json);
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    const struct shoal_workload *workload = cli->command->workload;
    const uint64_t interval = trace_interval(workload, cli->params);
    struct shoal_error error = {0};
    struct shoal_run_params params;
    if (shoal_workload_validate(workload, cli->params, &error) != SHOAL_OK)
        return cli_fail(workload->name, &error);
    if (values->trace_file && interval == 0)
        return cli_error(CLI_USAGE, "--trace-file: there is no trace to write; give --trace N as well");
    if ((values->trace_file && !cli_check_output("--trace-file", values->trace_file, false)) ||
        (values->checkpoint && !cli_check_output("--checkpoint", values->checkpoint, false)))
        return CLI_FAILURE;
    int code = cli_select(cli, NULL, 0);
    if (code != CLI_OK)
        return code;
    if ((values->checkpoint || values->resume) && cli->device_count > 1)
        return cli_error(CLI_USAGE, "%s: holds the state of one device, but --device selects %zu",
                         values->checkpoint ? "--checkpoint" : "--resume", cli->device_count);
    shoal_run_params_init(&params);
    params.checkpoint = values->checkpoint;
    params.resume = values->resume;

    struct cli_row *rows = cli_alloc(cli->device_count * sizeof *rows);
    size_t count = 0;
    while (count < cli->device_count && !cli_stopped(NULL)) {
        struct cli_row *row = &rows[count];
        row->workload = workload;
        row->device = cli->devices[count++];
        row->variant = (enum shoal_variant)cli->common.variant;
        cli_row_run(row, cli->params, &params, 1);
        code = cli_first_failure(code, cli_exit_code(row->error.status));
    }
    int printed = CLI_OK;
    if (cli->common.json)
        printed = print_json(cli, rows, count);
    else
        print_text(cli, rows, count);
    if (values->trace_file)
        printed = cli_first_failure(printed, write_trace(values->trace_file, rows, count, interval));
    for (size_t r = 0; r < count; r++)
        cli_row_clear(&rows[r]);
    free(rows);
    return cli_first_failure(cli_first_failure(cli_stop_code(), code), printed);
}

const struct cli_command cli_workload = {.description =
                                             "Runs the computation on each selected device in turn and "
                                             "checks the result on the host in double precision. A "
                                             "device that fails has its reason in its row; the others "
                                             "go on, and the exit code is that of the first failure.\n"
                                             "Without --device: the first GPU, else the first device.",
                                         .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
                                         .options = options,
                                         .option_count = sizeof options / sizeof *options,
                                         .values_size = sizeof(struct values),
                                         .run = run};
