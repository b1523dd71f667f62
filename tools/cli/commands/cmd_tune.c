/* shoal tune: measures work-group sizes and other constants of kernels, and stores the fastest value of each
 * for each device. */
#include "bench/runner/bench.h"
#include "cli/cli.h"
#include "cli/commands/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    bool dry_run;
    bool bounded; /* --from or --to was given */
    uint64_t from, to;
    double time;
};

static const struct shoal_option options[] = {
    {"dry-run", SHOAL_OPTION_FLAG, offsetof(struct values, dry_run), "", 0, 0, NULL,
     "print the measurements without storing them"},
    {"from", SHOAL_OPTION_UINT, offsetof(struct values, from), "ITEMS", 1, 65536, NULL,
     "smallest work-group size to try, a power of two"},
    {"to", SHOAL_OPTION_UINT, offsetof(struct values, to), "ITEMS", 1, 65536, NULL,
     "largest work-group size to try, limited by the device"},
    {"time", SHOAL_OPTION_REAL, offsetof(struct values, time), "SECONDS", 0, 3600, NULL,
     "measuring time of each size"},
};

static const struct shoal_example examples[] = {
    {"shoal tune", "every program on the first GPU"},
    {"shoal tune --device all --dry-run", "what tuning would gain, on every device"},
    {"shoal tune lib.scan --device cuda:0", "one program on one device"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->from = 16;
    values->to = 1024;
    values->time = 0.3;
}

static const char work_group[] = "WG";

struct tuned {
    const struct bench_case *bench_case;
    const char *define;
    bool was_tuned; /* old_value: the value before tuning; was_tuned: old_value is known */
    int64_t old_value;
    struct tune_search search;
    bool stored;
};

struct session {
    struct cli *cli;
    const struct values *values;
    struct tuned **rows;
    size_t row_count;
};

static const struct shoal_define_desc *find_define(const struct shoal_program_desc *desc, const char *name)
{
    for (uint32_t i = 0; desc && i < desc->define_count; i++)
        if (strcmp(desc->defines[i].name, name) == 0)
            return &desc->defines[i];
    return NULL;
}

/* The constant of a program with the rank `order` in the order of measurement; NULL: there is no such
 * constant. */
static const struct shoal_define_desc *tuned_define(const struct shoal_program_desc *desc, uint32_t order)
{
    for (uint32_t i = 0; desc && i < desc->define_count; i++)
        if (desc->defines[i].tune_order == order)
            return &desc->defines[i];
    return NULL;
}

/* The work-group size of the program of case number `index`; NULL: an earlier case has the same program, the
 * case has no program, or the program has no such constant. */
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

struct measurement {
    const struct session *session;
    const struct bench_case *bench_case;
    struct tune_trial *trial;
};

static void take_row(void *data, const struct bench_case *bench_case, struct shoal_device *device,
                     const struct result_row *row, const struct shoal_error *error)
{
    struct tune_trial *trial = ((struct measurement *)data)->trial;
    (void)bench_case;
    (void)device;
    trial->error = *error;
    if (row && row->check == RESULT_PASSED) {
        trial->figure = row->value;
        trial->spread = row->spread;
    }
}

static void measure(void *data, struct tune_search *search, struct tune_trial *trial)
{
    struct measurement *measurement = data;
    const struct session *session = measurement->session;
    const char *id = shoal_device_get_info(search->device)->id;
    const struct bench_options run_options = {.variant = (enum shoal_variant)session->cli->common.variant,
                                              .one_row = true,
                                              .seconds = session->values->time,
                                              .stop = cli_stopped};
    struct results results = {0};
    measurement->trial = trial;
    if (trial->set)
        cli_progress_show("%s  %s  %s = %lld", search->program, id, tune_name(search->define).s,
                          (long long)trial->value);
    else
        cli_progress_show("%s  %s  as it is", search->program, id);
    bench_case_run(measurement->bench_case, session->cli->shoal, search->device, &run_options, &results,
                   take_row, measurement);
    for (size_t i = 0; i < results.row_count; i++)
        search->lower_is_better = !results.rows[i].higher_is_better;
    results_clear(&results);
}

static struct tuned *new_row(struct session *session)
{
    session->rows = cli_realloc(session->rows, (session->row_count + 1) * sizeof *session->rows);
    return session->rows[session->row_count++] = cli_alloc(sizeof **session->rows);
}

/* Tunes one constant. `define` must live as long as the row. The value for a class of sizes is stored even if
 * the rule gives the same value: otherwise a value stored for another class could later be used for this
 * class. */
static int tune(struct session *session, const struct bench_case *bench_case, const char *define,
                const int64_t *tries, size_t try_count, const int64_t *present, struct shoal_device *device)
{
    struct measurement measurement = {session, bench_case, NULL};
    struct shoal_error error;
    struct tuned *tuned = new_row(session);
    struct tune_search *search = &tuned->search;
    *tuned = (struct tuned){.bench_case = bench_case, .define = define};
    *search = (struct tune_search){.device = device,
                                   .program = bench_case->program,
                                   .define = define,
                                   .before = {.set = present != NULL, .value = present ? *present : 0},
                                   .measure = measure,
                                   .data = &measurement};
    tuned->was_tuned = shoal_tuning_get(device, bench_case->program, define, &tuned->old_value);
    if (present) {
        tuned->was_tuned = true;
        tuned->old_value = *present;
    }
    if (bench_case->large && shoal_device_get_info(device)->is_cpu)
        cli_set_error(&search->before.error, SHOAL_UNSUPPORTED, "its bench case is large for a CPU");
    else if (try_count > 0)
        tune_search(search, tries, try_count);
    search->data = NULL;
    if (cli_stopped(NULL) || search->trial_count == 0)
        return CLI_OK;
    if (!isfinite(search->before.figure) && !search->has_best)
        return cli_fail(shoal_device_get_info(device)->id, &search->before.error);
    if (search->has_best)
        present = &search->trials[search->best].value;
    if (!present || session->values->dry_run)
        return CLI_OK;
    if (shoal_tuning_set(device, bench_case->program, define, *present, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    tuned->stored = true;
    return CLI_OK;
}

/* Tunes a constant over the powers of two in its range, and 0 if allowed. */
static int tune_powers(struct session *session, const struct bench_case *bench_case,
                       const struct shoal_define_desc *define, struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const bool is_size = strcmp(define->name, work_group) == 0;
    const int64_t from = is_size ? (int64_t)session->values->from : define->min;
    int64_t most = define->max, tries[TUNE_TRIALS];
    size_t count = 0;
    if (is_size && most > info->max_work_group)
        most = info->max_work_group;
    if (is_size && most > (int64_t)session->values->to)
        most = (int64_t)session->values->to;
    if (from <= 0)
        tries[count++] = 0;
    for (int64_t value = 1; value <= most && count < TUNE_TRIALS; value *= 2)
        if (value >= define->min && value >= from)
            tries[count++] = value;
    return tune(session, bench_case, define->name, tries, count, NULL, device);
}

/* Whether the row is shown: if values were tried, or if the user named programs or wants details. Of several
 * rows of a program that was left out only the first is shown. */
static bool is_shown(const struct session *session, size_t row)
{
    const struct tune_search *search = &session->rows[row]->search;
    const struct tune_search *last = row ? &session->rows[row - 1]->search : NULL;
    const bool repeats =
        last && last->trial_count == 0 && last->device == search->device && last->program == search->program;
    const struct cli *cli = session->cli;
    return search->trial_count > 0 || ((cli->argument_count || cli->common.verbose) && !repeats);
}

static void print_table(const struct session *session)
{
    static const struct cli_column columns[] = {
        {.title = "program"}, {.title = "device"}, {.title = "case"}, TUNE_COLUMNS};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    bool any = false;
    for (size_t i = 0; i < session->row_count; i++) {
        const struct tuned *tuned = session->rows[i];
        const struct tune_search *search = &tuned->search;
        if (!is_shown(session, i))
            continue;
        any = true;
        cli_table_row(table);
        cli_table_cell(table, "%s", search->program);
        cli_table_cell(table, "%s", shoal_device_get_info(search->device)->id);
        cli_table_cell(table, "%s", tuned->bench_case->name);
        if (search->trial_count == 0) {
            cli_table_span(table, "left out: %s",
                           *search->before.error.message ? search->before.error.message
                           : cli_stopped(NULL)           ? "stopped"
                                                         : "no other size from --from to --to suits it");
            continue;
        }
        tune_cells(table, search, tuned->was_tuned ? &tuned->old_value : NULL, tuned->bench_case->unit,
                   tuned->stored);
    }
    if (any)
        cli_table_print(table, stdout);
    else if (session->row_count)
        cli_note(session->cli, "nothing was tried; --verbose shows why");
    cli_table_free(&table);
}

static void add_trial(cJSON *array, const struct tune_trial *trial)
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
        const struct tuned *tuned = session->rows[i];
        const struct tune_search *search = &tuned->search;
        const struct tune_trial *best = search->has_best ? &search->trials[search->best] : NULL;
        if (!is_shown(session, i))
            continue;
        cJSON *object = cli_json_object(rows, NULL);
        cli_json_text(object, "program", search->program);
        cli_json_text(object, "device", shoal_device_get_info(search->device)->id);
        cli_json_text(object, "case", tuned->bench_case->name);
        cli_json_text(object, "unit", tuned->bench_case->unit);
        cli_json_text(object, "define", tuned->define);
        cli_json_real(object, "before", tuned->was_tuned ? (double)tuned->old_value : NAN);
        cli_json_real(object, "before_figure", search->before.figure);
        cli_json_real(object, "best", best ? (double)best->value : NAN);
        cli_json_real(object, "best_figure", best ? best->figure : NAN);
        cli_json_bool(object, "stored", tuned->stored);
        cJSON *trials = cli_json_array(object, "trials");
        for (size_t t = 0; t < search->trial_count; t++)
            add_trial(trials, &search->trials[t]);
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

static const char *operand_at(size_t index)
{
    for (size_t c = 0; c < bench_case_count(); c++)
        if (tunable(c) && index-- == 0)
            return bench_case_at(c)->program;
    return NULL;
}

static bool is_work_group(const struct shoal_tunable *tunable)
{
    return strcmp(tune_name(tunable->define).s, work_group) == 0;
}

/* Tunes the constants of a program that depend on the class of sizes of a problem, for the class of the case;
 * work-group sizes from --from to --to. *any: there are such constants. */
static int tune_sizes(struct session *session, const struct bench_case *bench_case,
                      struct shoal_device *device, bool *any)
{
    struct tune_trial trial = {.figure = NAN};
    struct measurement measurement = {session, bench_case, NULL};
    struct tune_search look = {.device = device, .program = bench_case->program, .define = ""};
    struct shoal_tunable found[TUNE_TRIALS];
    int64_t within[TUNE_TRIALS];
    size_t count = 0;
    bool has_work_group = false;
    int code = CLI_OK;
    shoal_tuning_watch(device);
    measure(&measurement, &look, &trial);
    for (size_t i = 0; count < TUNE_TRIALS && shoal_tuning_watched(device, i, &found[count]); i++) {
        found[count].define = cli_keep(found[count].define);
        if (strcmp(found[count].program, bench_case->program) == 0)
            count++;
    }
    for (size_t i = 0; i < count; i++)
        has_work_group = has_work_group || is_work_group(&found[i]);
    if (count && !*any && session->values->bounded && !has_work_group && session->cli->argument_count)
        cli_note(session->cli, "%s has no tunable work-group size on %s: --from and --to have no effect",
                 bench_case->program, shoal_device_get_info(device)->id);
    *any = *any || count > 0;
    for (size_t i = 0; i < count && !cli_stopped(NULL); i++) {
        const struct shoal_tunable *tunable = &found[i];
        const int64_t *tries = tunable->tries;
        size_t try_count = tunable->try_count;
        if (is_work_group(tunable)) {
            try_count = tune_within(tries, try_count, session->values->from, session->values->to, within);
            tries = within;
        }
        code = cli_first_failure(
            code, tune(session, bench_case, tunable->define, tries, try_count, &tunable->value, device));
    }
    return code;
}

/* Tunes the constants of a program that have an order in its contract. The work-group size comes first: the
 * other constants depend most on this size. If no constant has an order: tunes the constants for classes of
 * sizes; without such constants: tunes the work-group size. */
static int tune_program(struct session *session, const struct bench_case *bench_case,
                        const struct shoal_define_desc *size, struct shoal_device *device)
{
    const bool is_cpu = shoal_device_get_info(device)->is_cpu;
    const struct shoal_program_desc *desc = bench_program(bench_case->program);
    const struct shoal_define_desc *define;
    bool by_size = false;
    int code = CLI_OK;
    for (uint32_t k = 1; (define = tuned_define(desc, k)) && !cli_stopped(NULL); k++)
        code = cli_first_failure(code, tune_powers(session, bench_case, define, device));
    if (tuned_define(desc, 1))
        return code;
    for (size_t i = 0; i < bench_case_count() && !cli_stopped(NULL); i++) {
        const struct bench_case *other = bench_case_at(i);
        if (!other->program || strcmp(other->program, bench_case->program) != 0 || (other->large && is_cpu))
            continue;
        code = cli_first_failure(code, tune_sizes(session, other, device, &by_size));
        if (!by_size)
            break;
    }
    return by_size || cli_stopped(NULL) ? code : tune_powers(session, bench_case, size, device);
}

static int tune_all(struct session *session)
{
    struct cli *cli = session->cli;
    int code = CLI_OK;
    for (size_t d = 0; d < cli->device_count; d++) {
        if (shoal_device_get_info(cli->devices[d])->is_host) {
            if (tune_names_host(cli))
                cli_note(cli, "the host has no work-groups");
            continue;
        }
        for (size_t i = 0; i < bench_case_count() && !cli_stopped(NULL); i++) {
            const struct shoal_define_desc *define = tunable(i);
            if (define && wanted(cli, bench_case_at(i)->program))
                code =
                    cli_first_failure(code, tune_program(session, bench_case_at(i), define, cli->devices[d]));
        }
    }
    cli_progress_end();
    return cli_first_failure(cli_stop_code(), code);
}

static int complete(struct cli *cli, struct cli_groups *groups)
{
    struct values *values = cli->values;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; groups->group[g].values == values && i < groups->group[g].count; i++) {
            const size_t at = groups->group[g].options[i].offset;
            if (at == offsetof(struct values, from) || at == offsetof(struct values, to))
                values->bounded = values->bounded || groups->group[g].given[i];
        }
    return CLI_OK;
}

static int run(struct cli *cli)
{
    struct session session = {.cli = cli, .values = cli->values};
    int code = cli_check_operands(cli, cli->argument_count);
    if (code == CLI_OK && session.values->from > session.values->to)
        code = cli_error(CLI_USAGE, "--from: %llu is more than --to %llu",
                         (unsigned long long)session.values->from, (unsigned long long)session.values->to);
    if (code == CLI_OK)
        code = cli_select(cli, NULL, SHOAL_SELECT_ALIASES);
    if (code != CLI_OK)
        return code;
    if (cli->common.no_cache && !session.values->dry_run)
        cli_note(cli, "--no-cache: the results are printed but not stored");
    code = tune_all(&session);
    if (cli->common.json)
        code = cli_first_failure(code, print_json(&session));
    else
        print_table(&session);
    code = cli_first_failure(code, cli_flush());
    for (size_t i = 0; i < session.row_count; i++)
        free(session.rows[i]);
    free(session.rows);
    return code;
}

const struct cli_command cli_tune = {
    .name = "tune",
    .summary = "find and store the fastest work-group sizes and methods of a device",
    .description = "Measures each kernel program that has a bench case with every work-group size of the "
                   "device, for some programs also with other values of their constants. The fastest value "
                   "is stored in the cache folder, for this device and driver, if it is faster than the "
                   "previous value by more than the noise. Programs built later use the stored "
                   "value.\n'shoal tune WORKLOAD [OPTION...]' finds the fastest method of a workload "
                   "instead: see 'shoal tune WORKLOAD --help'.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .argument = "PROGRAM",
    .max_arguments = 64,
    .operand_at = operand_at,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
    .complete = complete};
