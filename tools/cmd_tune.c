/* shoal tune: finds the work-group sizes that suit a device and stores them. */
#include "bench/bench.h"
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    bool dry_run;
    uint64_t from, to;
    double time;
};

static const struct shoal_option options[] = {
    {"dry-run", SHOAL_OPTION_FLAG, offsetof(struct values, dry_run), "", 0, 0, NULL,
     "measure and print, store nothing"},
    {"from", SHOAL_OPTION_UINT, offsetof(struct values, from), "ITEMS", 1, 65536, NULL,
     "smallest work-group size to try; sizes are powers of two"},
    {"to", SHOAL_OPTION_UINT, offsetof(struct values, to), "ITEMS", 1, 65536, NULL,
     "largest work-group size to try, where the device takes it"},
    {"time", SHOAL_OPTION_REAL, offsetof(struct values, time), "SECONDS", 0, 3600, NULL,
     "time to spend on the samples of each size"},
};

static const struct shoal_example examples[] = {
    {"shoal tune", "every program on the first GPU"},
    {"shoal tune --device all --dry-run", "what tuning would gain, on every device"},
    {"shoal tune lib.scan --device cuda:0", "one program on one device"},
    {"shoal tune pso --dim 30 --particles 4096", "the fastest evaluator for a swarm of that size"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->from = 16;
    values->to = 1024;
    values->time = 0.3;
}

/* Beside its work-group size: constants of a program whose best values a device does not tell. They come one
 * after the other, each with what was found for those before it. */
static const struct {
    const char *program, *define;
} others[] = {{"gas.allpairs", "TARGETS"}, {"gas.allpairs", "SHARED"}, {"gas.allpairs", "UNROLL"}};
enum { OTHERS = sizeof others / sizeof *others };
static const char work_group[] = "WG";
enum { MOST_TRIALS = 18 }; /* 0, and powers of two up to 65536 */
/* A gain below this is not told from chance in every run, and is not worth another build. */
static const double least_gain = 0.02;

/* One size and what came of it. */
struct trial {
    bool set; /* false: what the device had before, without a value of its own */
    int64_t value;
    double figure, spread;
    struct shoal_error error;
};

struct tuned {
    const struct bench_case *bench_case;
    const struct shoal_define_desc *define;
    struct shoal_device *device;
    bool higher_is_better;
    bool was_tuned;
    int64_t old_value;
    struct trial before, trials[MOST_TRIALS];
    size_t trial_count;
    const struct trial *best; /* NULL: nothing better than before */
    bool stored;
};

struct session {
    struct cli *cli;
    struct cli trial; /* an instance without a cache: tuned values live as long as it does */
    const struct values *values;
    struct tuned *rows; /* room for every case on every device: `best` points into a row */
    size_t row_count;
};

static const struct shoal_define_desc *find_define(const struct shoal_program_desc *desc, const char *name)
{
    for (uint32_t i = 0; desc && i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0)
            return &desc->defines[i];
    return NULL;
}

/* The first case that names a program with a work-group size; NULL for the others. */
static const struct shoal_define_desc *tunable(size_t index)
{
    const char *program = bench_case_at(index)->program;
    for (size_t i = 0; program && i < index; i++) {
        const char *other = bench_case_at(i)->program;
        if (other && strcmp(other, program) == 0)
            return NULL;
    }
    return program ? find_define(bench_program(program), work_group) : NULL;
}

static void take_row(void *data, const struct bench_case *bench_case, struct shoal_device *device,
                     const struct result_row *row, const struct shoal_error *error)
{
    struct trial *trial = data;
    (void)bench_case;
    (void)device;
    trial->error = *error;
    if (row && row->check == RESULT_PASSED) {
        trial->figure = row->value;
        trial->spread = row->spread;
    }
}

/* The value of another constant that the tuned device has, for its twin. */
static enum shoal_status hand_on(const struct tuned *tuned, const char *define, struct shoal_device *twin,
                                 struct shoal_error *error)
{
    const char *program = tuned->bench_case->program;
    int64_t value;
    if (strcmp(define, tuned->define->name) == 0 || !shoal_tuning_get(tuned->device, program, define, &value))
        return SHOAL_OK;
    return shoal_tuning_set(twin, program, define, value, error);
}

/* The tuned device in an instance that knows no tuned value of the constant. */
static int fresh_device(struct session *session, const struct tuned *tuned, struct shoal_device **device)
{
    const char *id = shoal_device_get_info(tuned->device)->id;
    struct shoal_error error;
    size_t count;
    cli_close(&session->trial);
    int code = cli_open(&session->trial);
    if (code != CLI_OK)
        return code;
    enum shoal_status status = shoal_device_select(session->trial.shoal, id, 0, device, 1, &count, &error);
    if (status == SHOAL_OK)
        status = hand_on(tuned, work_group, *device, &error);
    for (size_t i = 0; i < OTHERS && status == SHOAL_OK; i++)
        if (strcmp(others[i].program, tuned->bench_case->program) == 0)
            status = hand_on(tuned, others[i].define, *device, &error);
    return status == SHOAL_OK ? CLI_OK : cli_fail(id, &error);
}

static void run_trial(struct session *session, struct tuned *tuned, struct shoal_device *device,
                      struct trial *trial)
{
    const struct bench_options run_options = {.variant = (enum shoal_variant)session->cli->common.variant,
                                              .one_row = true,
                                              .seconds = session->values->time,
                                              .stop = cli_stopped};
    struct results results = {0};
    trial->figure = NAN;
    if (trial->set)
        trial->error.status = shoal_tuning_set(device, tuned->bench_case->program, tuned->define->name,
                                               trial->value, &trial->error);
    if (trial->error.status == SHOAL_OK)
        bench_case_run(tuned->bench_case, session->trial.shoal, device, &run_options, &results, take_row,
                       trial);
    for (size_t i = 0; i < results.row_count; i++)
        tuned->higher_is_better = results.rows[i].higher_is_better;
    results_clear(&results);
}

/* Relative gain of a figure over another; NAN where one is missing. */
static double gain(const struct tuned *tuned, const struct trial *now, const struct trial *before)
{
    return tuned->higher_is_better ? now->figure / before->figure - 1 : before->figure / now->figure - 1;
}

static struct trial *fastest(struct tuned *tuned)
{
    struct trial *best = NULL;
    for (size_t i = 0; i < tuned->trial_count; i++)
        if (isfinite(tuned->trials[i].figure) && (!best || gain(tuned, &tuned->trials[i], best) > 0))
            best = &tuned->trials[i];
    return best;
}

/* The fastest of many sizes is the luckiest too, and a machine drifts: the gain is that of a second look at
 * the fastest size and at what was before. */
static int choose(struct session *session, struct tuned *tuned, struct shoal_device *device)
{
    struct trial *best = fastest(tuned);
    if (!best)
        return CLI_OK;
    if (isfinite(tuned->before.figure)) {
        if (!(gain(tuned, best, &tuned->before) > least_gain))
            return CLI_OK;
        run_trial(session, tuned, device, best);
        int code = fresh_device(session, tuned, &device);
        if (code != CLI_OK)
            return code;
        run_trial(session, tuned, device, &tuned->before);
        if (!(gain(tuned, best, &tuned->before) > fmax(least_gain, best->spread + tuned->before.spread)))
            return CLI_OK;
    }
    tuned->best = best;
    return CLI_OK;
}

static void try_value(struct session *session, struct tuned *tuned, struct shoal_device *twin, int64_t value)
{
    struct trial *trial = &tuned->trials[tuned->trial_count++];
    *trial = (struct trial){.set = true, .value = value};
    cli_progress_show("%s  %s  %s = %lld", tuned->bench_case->program,
                      shoal_device_get_info(tuned->device)->id, tuned->define->name, (long long)value);
    run_trial(session, tuned, twin, trial);
}

static int tune(struct session *session, const struct bench_case *bench_case,
                const struct shoal_define_desc *define, struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const bool is_size = strcmp(define->name, work_group) == 0;
    struct shoal_device *twin = NULL;
    struct shoal_error error;
    struct tuned *tuned = &session->rows[session->row_count++];
    *tuned = (struct tuned){.bench_case = bench_case, .define = define, .device = device};
    int code = fresh_device(session, tuned, &twin);
    if (code != CLI_OK) {
        session->row_count--;
        return code;
    }
    tuned->was_tuned = shoal_tuning_get(device, bench_case->program, define->name, &tuned->old_value);
    tuned->before.set = tuned->was_tuned;
    if (tuned->was_tuned)
        tuned->before.value = tuned->old_value;
    cli_progress_show("%s  %s  as it is", bench_case->program, info->id);
    run_trial(session, tuned, twin, &tuned->before);
    if (tuned->before.error.status == SHOAL_UNSUPPORTED ||
        tuned->before.error.status == SHOAL_OUT_OF_DEVICE_MEMORY || cli_stopped(NULL))
        return CLI_OK;
    int64_t most = define->max, from = is_size ? (int64_t)session->values->from : define->min;
    if (is_size && most > info->max_work_group)
        most = info->max_work_group;
    if (is_size && most > (int64_t)session->values->to)
        most = (int64_t)session->values->to;
    if (from <= 0)
        try_value(session, tuned, twin, 0);
    for (int64_t value = 1; value <= most && !cli_stopped(NULL); value *= 2)
        if (value >= define->min && value >= from)
            try_value(session, tuned, twin, value);
    if (!cli_stopped(NULL))
        code = choose(session, tuned, twin);
    if (code != CLI_OK || cli_stopped(NULL))
        return code;
    if (!isfinite(tuned->before.figure) && !tuned->best)
        return cli_fail(info->id, &tuned->before.error);
    if (!tuned->best || session->values->dry_run)
        return CLI_OK;
    if (shoal_tuning_set(device, bench_case->program, define->name, tuned->best->value, &error) != SHOAL_OK)
        return cli_fail("tune", &error);
    tuned->stored = true;
    return CLI_OK;
}

static void print_table(const struct session *session)
{
    static const struct cli_column columns[] = {{.title = "program"},
                                                {.title = "device"},
                                                {.title = "case"},
                                                {.title = "before", .right = true},
                                                {.title = "", .right = true},
                                                {.title = "best", .right = true},
                                                {.title = "", .right = true},
                                                {.title = "gain", .right = true},
                                                {.title = ""}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < session->row_count; i++) {
        const struct tuned *tuned = &session->rows[i];
        cli_table_row(table);
        cli_table_cell(table, "%s", tuned->bench_case->program);
        cli_table_cell(table, "%s", shoal_device_get_info(tuned->device)->id);
        cli_table_cell(table, "%s", tuned->bench_case->name);
        if (tuned->trial_count == 0) {
            cli_table_span(table, "left out: %s",
                           *tuned->before.error.message ? tuned->before.error.message
                           : cli_stopped(NULL)          ? "stopped"
                                                        : "no size from --from to --to suits it");
            continue;
        }
        if (tuned->was_tuned)
            cli_table_cell(table, "%s %lld", tuned->define->name, (long long)tuned->old_value);
        else
            cli_table_cell(table, "%s default", tuned->define->name);
        cli_table_cell(table, "%s", cli_figure(tuned->before.figure, tuned->bench_case->unit).s);
        if (!tuned->best) {
            cli_table_cell(table, "the same");
            continue;
        }
        cli_table_cell(table, "%s %lld", tuned->define->name, (long long)tuned->best->value);
        cli_table_cell(table, "%s", cli_figure(tuned->best->figure, tuned->bench_case->unit).s);
        cli_table_cell(table, "%.1f %%", 100 * gain(tuned, tuned->best, &tuned->before));
        cli_table_cell(table, "%s", tuned->stored ? "stored" : "not stored");
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void add_trial(cJSON *array, const struct trial *trial)
{
    cJSON *object = cli_json_object(array, NULL);
    cli_json_uint(object, "value", (uint64_t)trial->value);
    cli_json_real(object, "figure", trial->figure);
    cli_json_real(object, "spread", isfinite(trial->figure) ? trial->spread : NAN);
    cli_json_error(object, "error", &trial->error);
}

static int print_json(const struct session *session)
{
    cJSON *json = cli_json_new("tune"), *rows = cli_json_array(json, "rows");
    cli_json_bool(json, "dry_run", session->values->dry_run);
    for (size_t i = 0; i < session->row_count; i++) {
        const struct tuned *tuned = &session->rows[i];
        cJSON *object = cli_json_object(rows, NULL);
        cli_json_text(object, "program", tuned->bench_case->program);
        cli_json_text(object, "device", shoal_device_get_info(tuned->device)->id);
        cli_json_text(object, "case", tuned->bench_case->name);
        cli_json_text(object, "unit", tuned->bench_case->unit);
        cli_json_text(object, "define", tuned->define->name);
        cli_json_real(object, "before", tuned->was_tuned ? (double)tuned->old_value : NAN);
        cli_json_real(object, "before_figure", tuned->before.figure);
        cli_json_real(object, "best", tuned->best ? (double)tuned->best->value : NAN);
        cli_json_real(object, "best_figure", tuned->best ? tuned->best->figure : NAN);
        cli_json_bool(object, "stored", tuned->stored);
        cJSON *trials = cli_json_array(object, "trials");
        for (size_t t = 0; t < tuned->trial_count; t++)
            add_trial(trials, &tuned->trials[t]);
    }
    return cli_json_print(json);
}

static bool wanted(const struct cli *cli, const char *program)
{
    for (size_t i = 0; i < cli->argument_count; i++)
        if (strcmp(cli->arguments[i], program) == 0)
            return true;
    return cli->argument_count == 0;
}

static int check_arguments(const struct cli *cli)
{
    for (size_t i = 0; i < cli->argument_count; i++) {
        bool known = false;
        for (size_t c = 0; c < bench_case_count(); c++)
            known = known || (tunable(c) && strcmp(bench_case_at(c)->program, cli->arguments[i]) == 0);
        if (!known)
            return cli_error(CLI_USAGE, "tune: no program '%s' that can be tuned; see 'shoal tune --dry-run'",
                             cli->arguments[i]);
    }
    return CLI_OK;
}

/* The work-group size first, on which the best of the others depends most. */
static int tune_program(struct session *session, const struct bench_case *bench_case,
                        const struct shoal_define_desc *size, struct shoal_device *device)
{
    int code = tune(session, bench_case, size, device);
    for (size_t i = 0; i < OTHERS && !cli_stopped(NULL); i++)
        if (strcmp(others[i].program, bench_case->program) == 0)
            code = cli_first_failure(
                code, tune(session, bench_case,
                           find_define(bench_program(bench_case->program), others[i].define), device));
    return code;
}

static int tune_all(struct session *session)
{
    struct cli *cli = session->cli;
    int code = CLI_OK;
    for (size_t d = 0; d < cli->device_count; d++) {
        if (shoal_device_get_info(cli->devices[d])->is_host) {
            cli_note(cli, "tune: the host has no work-groups");
            continue;
        }
        for (size_t i = 0; i < bench_case_count() && !cli_stopped(NULL); i++) {
            const struct shoal_define_desc *define = tunable(i);
            if (define && wanted(cli, bench_case_at(i)->program))
                code =
                    cli_first_failure(code, tune_program(session, bench_case_at(i), define, cli->devices[d]));
        }
    }
    cli_progress_clear();
    return cli_first_failure(cli_stop_code(), code);
}

static int run(struct cli *cli)
{
    struct session session = {.cli = cli, .values = cli->values};
    int code = check_arguments(cli);
    if (code == CLI_OK && session.values->from > session.values->to)
        code = cli_error(CLI_USAGE, "--from: %llu is more than --to %llu",
                         (unsigned long long)session.values->from, (unsigned long long)session.values->to);
    if (code == CLI_OK)
        code = cli_select(cli, NULL, SHOAL_SELECT_ALIASES);
    if (code != CLI_OK)
        return code;
    session.trial.common = cli->common;
    session.trial.common.no_cache = true;
    if (cli->common.no_cache && !session.values->dry_run)
        cli_note(cli, "tune: --no-cache: what is found is printed and forgotten");
    session.rows = cli_alloc(cli->device_count * (bench_case_count() + OTHERS) * sizeof *session.rows);
    code = tune_all(&session);
    if (cli->common.json)
        code = cli_first_failure(code, print_json(&session));
    else
        print_table(&session);
    code = cli_first_failure(code, cli_flush());
    cli_close(&session.trial);
    free(session.rows);
    return code;
}

const struct cli_command cli_tune = {
    .name = "tune",
    .summary = "find and store the best work-group sizes of a device",
    .description = "Measures each kernel program that has a bench case with "
                   "every work-group size that the device takes, some with "
                   "other constants of theirs too, and stores the best in the cache folder, for this device "
                   "and driver, where it is better than before by more "
                   "than the noise. Programs built later use it.\n"
                   "'shoal tune WORKLOAD [OPTION...]' finds the fastest way to "
                   "do the work of a workload instead: see 'shoal tune pso "
                   "--help'.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .argument = "PROGRAM",
    .max_arguments = 16,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
