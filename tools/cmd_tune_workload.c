/* shoal tune WORKLOAD: measures every way in which a device can do the work, and keeps the fastest. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct values {
    bool dry_run, grid;
    double sample;
};

static const struct shoal_option options[] = {
    {"dry-run", SHOAL_OPTION_FLAG, offsetof(struct values, dry_run), "", 0, 0, NULL,
     "measure and print, store nothing"},
    {"grid", SHOAL_OPTION_FLAG, offsetof(struct values, grid), "", 0, 0, NULL,
     "measure a standard grid of sizes, the other options as given, in place of one problem"},
    {"sample", SHOAL_OPTION_REAL, offsetof(struct values, sample), "SECONDS", 0.001, 3600, NULL,
     "time to spend on each measurement; the fastest two are measured twice"},
};

static const struct shoal_example examples[] = {
    {"shoal tune pso --dim 8 --particles 64 --data table.npy --lower -10 --upper 10",
     "the fastest evaluator for one problem, kept for problems of like size"},
    {"shoal tune pso --grid --device all", "for a range of sizes, on every device"},
};

static void values_init(void *block)
{
    ((struct values *)block)->sample = 0.2;
}

enum { MOST_WAYS = 32 };
/* A gain below this is not told from chance in every run. */
static const double least_gain = 0.02;

/* One choice of the option on one device. */
struct way {
    const char *name;
    int32_t index;
    double rate; /* units of work a second; NaN: none */
    struct shoal_error error;
};

struct tuned {
    struct shoal_device *device;
    char *sizes;
    struct way ways[MOST_WAYS];
    size_t way_count;
    const struct way *best; /* NULL: none works */
    const char *unit;
    bool stored;
};

struct session {
    struct cli *cli;
    const struct values *values;
    const struct shoal_workload *workload;
    const struct shoal_option *option;
    struct tuned *rows; /* `best` points into a row: they stay where they are */
    size_t row_count;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct clock {
    unsigned polls;
    double seconds, end;
};

/* Starts behind the first step, which the second poll follows: drivers build lazily in it. */
static bool time_is_up(void *data)
{
    struct clock *clock = data;
    if (++clock->polls <= 2)
        clock->end = now() + clock->seconds;
    return cli_stopped(NULL) || now() >= clock->end;
}

/* A run that only the clock ends: options that say how long one goes on get their defaults, and the number of
 * steps its largest value. */
static void *endless(const struct session *session, const void *params)
{
    const struct shoal_workload *workload = session->workload;
    void *block = cli_alloc(workload->params_size), *defaults = cli_alloc(workload->params_size);
    memcpy(block, params, workload->params_size);
    workload->params_init(defaults);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        if (option->flags & SHOAL_OPTION_FREE_ON_RESUME)
            cli_value_copy(option, block, defaults);
        if (strcmp(option->name, "iterations") == 0 || strcmp(option->name, "steps") == 0)
            *(uint64_t *)((char *)block + option->offset) = (uint64_t)option->max;
    }
    free(defaults);
    return block;
}

static void measure(const struct session *session, struct tuned *tuned, struct way *way, void *params)
{
    struct clock clock = {.seconds = session->values->sample};
    struct shoal_run_params run;
    struct shoal_report report;
    shoal_run_params_init(&run);
    run.variant = (enum shoal_variant)session->cli->common.variant;
    run.stop = time_is_up;
    run.data = &clock;
    *(int32_t *)((char *)params + session->option->offset) = way->index;
    cli_progress_show("%s  %s  %s %s", session->workload->name, shoal_device_get_info(tuned->device)->id,
                      session->option->name, way->name);
    enum shoal_status status =
        shoal_run(session->workload, tuned->device, params, &run, &report, &way->error);
    if (status == SHOAL_STOPPED)
        way->error = (struct shoal_error){.status = SHOAL_OK};
    /* A run stopped in front of its second step has no time. */
    double seconds = report.wall_s > 0 ? report.wall_s : report.first_launch_s;
    double work = report.wall_s > 0 ? report.timed_work : report.result.work;
    if ((status == SHOAL_OK || status == SHOAL_STOPPED) && seconds > 0) {
        double rate = work / seconds;
        way->rate = isnan(way->rate) || rate > way->rate ? rate : way->rate;
        tuned->unit = cli_keep(report.result.work_unit);
    }
    shoal_report_clear(&report);
}

static struct way *fastest(struct tuned *tuned, const struct way *but)
{
    struct way *best = NULL;
    for (size_t i = 0; i < tuned->way_count; i++)
        if (&tuned->ways[i] != but && !isnan(tuned->ways[i].rate) &&
            (!best || tuned->ways[i].rate > best->rate))
            best = &tuned->ways[i];
    return best;
}

/* The solver that knows the key is made once more. */
static enum shoal_status remember(const struct session *session, const struct tuned *tuned, void *params,
                                  struct shoal_error *error)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    *(int32_t *)((char *)params + session->option->offset) = tuned->best->index;
    enum shoal_status status = shoal_queue_create(tuned->device, 0, &queue, error);
    if (!status)
        status = shoal_solver_create(session->workload, tuned->device, queue, params,
                                     (enum shoal_variant)session->cli->common.variant, &solver, error);
    if (!status)
        status = shoal_solver_remember(solver, error);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    return status;
}

static int tune(struct session *session, struct shoal_device *device, const void *given)
{
    struct tuned *tuned = &session->rows[session->row_count++];
    struct shoal_error error;
    int code = CLI_OK;
    void *params = endless(session, given);
    *tuned = (struct tuned){.device = device, .sizes = cli_work_line(session->workload, given, NULL)};
    for (int32_t c = 1; session->option->choices[c] && c <= MOST_WAYS && !cli_stopped(NULL); c++) {
        struct way *way = &tuned->ways[tuned->way_count++];
        *way = (struct way){.name = session->option->choices[c], .index = c, .rate = NAN};
        measure(session, tuned, way, params);
        /* What is wrong with the problem is wrong with every way to do it. */
        if (way->error.status == SHOAL_INVALID || way->error.status == SHOAL_IO) {
            code = cli_fail(shoal_device_get_info(device)->id, &way->error);
            break;
        }
    }
    struct way *first = fastest(tuned, NULL), *second = fastest(tuned, first);
    /* The luckiest of many looks fastest: a second look decides between those that are near. */
    if (second && second->rate > first->rate * (1 - 10 * least_gain) && !cli_stopped(NULL)) {
        measure(session, tuned, second, params);
        measure(session, tuned, first, params);
    }
    tuned->best = code == CLI_OK && !cli_stopped(NULL) ? fastest(tuned, NULL) : NULL;
    if (tuned->best && !session->values->dry_run) {
        if (remember(session, tuned, params, &error) != SHOAL_OK)
            code = cli_fail("tune", &error);
        else
            tuned->stored = true;
    }
    if (!tuned->best && code == CLI_OK && !cli_stopped(NULL) && tuned->way_count)
        code = cli_fail(shoal_device_get_info(device)->id, &tuned->ways[0].error);
    free(params);
    return code;
}

static void print_table(const struct session *session)
{
    static const struct cli_column columns[] = {{.title = "way"},
                                                {.title = "rate", .right = true},
                                                {.title = "of best", .right = true},
                                                {.title = ""}};
    for (size_t r = 0; r < session->row_count; r++) {
        const struct tuned *tuned = &session->rows[r];
        struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
        char *unit = cli_sprintf("%s/s", tuned->unit ? tuned->unit : "");
        for (size_t i = 0; i < tuned->way_count; i++) {
            const struct way *way = &tuned->ways[i];
            cli_table_row(table);
            cli_table_cell(table, "%s", way->name);
            if (isnan(way->rate)) {
                cli_table_span(table, "left out: %s", way->error.message);
                continue;
            }
            cli_table_cell(table, "%s", cli_si(way->rate, unit).s);
            cli_table_cell(table, "%.0f %%", tuned->best ? 100 * way->rate / tuned->best->rate : 100);
            cli_table_cell(table, "%s", way != tuned->best ? "" : tuned->stored ? "stored" : "fastest");
        }
        printf("%s%s  %s  %s\n\n", r ? "\n" : "", session->workload->name,
               shoal_device_get_info(tuned->device)->id, tuned->sizes);
        cli_table_print(table, stdout);
        cli_table_free(&table);
        free(unit);
    }
}

static int print_json(const struct session *session)
{
    cJSON *json = cli_json_new(session->cli->command->name), *rows = cli_json_array(json, "rows");
    cli_json_bool(json, "dry_run", session->values->dry_run);
    cli_json_text(json, "option", session->option->name);
    for (size_t r = 0; r < session->row_count; r++) {
        const struct tuned *tuned = &session->rows[r];
        cJSON *object = cli_json_object(rows, NULL);
        cli_json_text(object, "device", shoal_device_get_info(tuned->device)->id);
        cli_json_text(object, "sizes", tuned->sizes);
        cli_json_text(object, "unit", tuned->unit);
        cli_json_text(object, "best", tuned->best ? tuned->best->name : NULL);
        cli_json_bool(object, "stored", tuned->stored);
        cJSON *ways = cli_json_array(object, "ways");
        for (size_t i = 0; i < tuned->way_count; i++) {
            cJSON *item = cli_json_object(ways, NULL);
            cli_json_text(item, "name", tuned->ways[i].name);
            cli_json_real(item, "rate", tuned->ways[i].rate);
            cli_json_error(item, "error", &tuned->ways[i].error);
        }
    }
    return cli_json_print(json);
}

static int tune_device(struct session *session, struct shoal_device *device)
{
    const char *const *lines = session->values->grid ? session->workload->tuned_sizes : NULL;
    if (shoal_device_get_info(device)->is_host) {
        cli_note(session->cli, "%s: the host does its work in one way", session->cli->command->name);
        return CLI_OK;
    }
    if (!lines)
        return tune(session, device, session->cli->params);
    int code = CLI_OK;
    for (size_t i = 0; lines[i] && !cli_stopped(NULL); i++) {
        void *params = cli_alloc(session->workload->params_size);
        memcpy(params, session->cli->params, session->workload->params_size);
        cli_sizes_set(session->workload, params, lines[i]);
        code = cli_first_failure(code, tune(session, device, params));
        free(params);
    }
    return code;
}

static int run(struct cli *cli)
{
    struct session session = {.cli = cli, .values = cli->values, .workload = cli->command->workload};
    struct shoal_error error;
    size_t sizes = 1;
    session.option = cli_option_find(session.workload, session.workload->tuned_option);
    if (shoal_workload_validate(session.workload, cli->params, &error) != SHOAL_OK)
        return cli_fail(cli->command->name, &error);
    int code = cli_select(cli, NULL, 0);
    if (code != CLI_OK)
        return code;
    for (size_t i = 0; session.values->grid && session.workload->tuned_sizes[i]; i++)
        sizes++;
    session.rows = cli_alloc(cli->device_count * sizes * sizeof *session.rows);
    for (size_t d = 0; d < cli->device_count && !cli_stopped(NULL); d++)
        code = cli_first_failure(code, tune_device(&session, cli->devices[d]));
    cli_progress_clear();
    if (cli->common.json) {
        code = cli_first_failure(code, print_json(&session));
    } else {
        print_table(&session);
        code = cli_first_failure(code, cli_flush());
    }
    for (size_t r = 0; r < session.row_count; r++)
        free(session.rows[r].sizes);
    free(session.rows);
    return cli_first_failure(cli_stop_code(), code);
}

const struct cli_command cli_tune_workload = {
    .summary = "find the fastest way to do the work of a workload",
    .description =
        "Runs the problem that the options describe in every way in which each device can do it, prints "
        "the rates, and keeps the fastest way for problems of like size, for runs that leave the choice "
        "open.\n"
        "Options that say how long a run goes on have no effect.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
