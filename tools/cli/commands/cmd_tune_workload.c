/* shoal tune WORKLOAD: measures every method that a device supports and stores the fastest. */
#include "base/clock.h"
#include "cli/commands/tune.h"
#include "cli/output/tables/layout.h"
#include "cli/search/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    bool dry_run, grid;
    double sample;
};

static const struct shoal_option options[] = {
    {"dry-run", SHOAL_OPTION_FLAG, offsetof(struct values, dry_run), "", 0, 0, NULL,
     "print the measurements without storing them", .flags = SHOAL_OPTION_MAIN},
    {"grid", SHOAL_OPTION_FLAG, offsetof(struct values, grid), "", 0, 0, NULL,
     "measure a standard grid of sizes, with the other options as given, instead of one problem; the default "
     "if no option of a problem is given",
     .flags = SHOAL_OPTION_MAIN},
    {"sample", SHOAL_OPTION_REAL, offsetof(struct values, sample), "SECONDS", 0.001, 3600, NULL,
     "measuring time of a method, and of each half of the measurement of a constant; the fastest methods "
     "are measured twice",
     .flags = SHOAL_OPTION_MAIN},
};

static void values_init(void *block)
{
    ((struct values *)block)->sample = 0.2;
}

enum { MOST_METHODS = 32, MOST_CONSTANTS = 12 };

/* A method on one device, with its measurement. */
struct method {
    const char *name;
    int32_t index;
    double rate;      /* units of work in a second; NaN: not measured */
    uint64_t settled; /* steps before the measured steps */
    struct shoal_error error;
};

/* A tuned constant of the fastest method. */
struct constant {
    const char *program, *define;
    int64_t value; /* value before tuning */
    const int64_t *tries;
    size_t try_count;
    struct tune_search search;
    bool decided, stored;
};

struct tuned {
    const struct shoal_workload *workload;
    struct shoal_device *device;
    const void *given; /* parameters of the problem; valid only while the problem is measured */
    char *sizes;       /* problem and sizes in one line; after a run also what the solver chose */
    struct method methods[MOST_METHODS];
    size_t method_count;
    const struct method *best; /* NULL: no method works */
    const char *unit;
    bool stored;
    struct constant constants[MOST_CONSTANTS];
    size_t constant_count;
};

struct session {
    struct cli *cli;
    const struct values *values;
    const struct shoal_workload *workload; /* workload that is measured now */
    const struct shoal_option *option;     /* method option of `workload` */
    struct tuned *rows; /* the last row is being measured; `best` points into a row, so rows must not move */
    size_t row_count;
};

/* Most steps of equilibration before a measurement, since each measurement repeats the equilibration. */
enum { MOST_WARM_UP = 100 };

/* Figures ------------------------------------------------------------------------------------------------ */

/* SETTLING: steps before the measurement, in which a solver makes choices that depend on the run; PIECE:
 * steps of a measured piece. A phase ends earlier if it takes MOST_TIMES the planned time. */
enum { SETTLING = 160, PIECE = 100, MOST_TIMES = 4 };

/* Most seconds for the equilibration of a method; a slower method is no candidate. */
enum { LONGEST = 10 };

/* Length of a phase, which lasts until `seconds` have passed, `steps` steps are made (for at most MOST_TIMES
 * `seconds`) and `at_least` steps are made (for at most LONGEST seconds). */
struct span {
    double seconds;
    uint64_t steps;
    uint64_t at_least;
};

/* Phases of a measurement. */
struct plan {
    double settling, piece; /* seconds */
    uint64_t settling_steps, piece_steps;
    size_t pieces; /* number of measured pieces; the fastest piece counts */
};

struct figure {
    double rate;      /* steps in a second; NaN: not measured */
    double step_work; /* units of work in a step */
    const char *unit;
    uint64_t settled; /* steps before the measured steps */
};

/* Makes steps for one phase. *rate: steps in a second; NaN: the run is over. */
static enum shoal_status make_steps(struct shoal_solver *solver, struct shoal_queue *queue, struct span span,
                                    uint64_t *chunk, uint64_t *steps_done, double *rate,
                                    struct shoal_error *error)
{
    const double begin = clock_seconds();
    double time = 0;
    *steps_done = 0;
    *rate = NAN;
    while (((*steps_done < span.at_least && time < LONGEST) || time < span.seconds ||
            (*steps_done < span.steps && time < MOST_TIMES * span.seconds)) &&
           !cli_stopped(NULL)) {
        uint64_t done = 0;
        enum shoal_status status = shoal_solver_step(solver, *chunk, &done, error);
        if (!status)
            status = shoal_queue_finish(queue, error);
        if (status || !done)
            return status;
        const double last = time;
        time = clock_seconds() - begin;
        *steps_done += done;
        if (time - last < span.seconds / 16)
            *chunk *= 2;
    }
    *rate = (double)*steps_done / time;
    return SHOAL_OK;
}

/* Sets tuned->sizes by a result: the solver may compute in another precision than the parameters say. */
static void set_sizes(const struct session *session, struct tuned *tuned, const struct shoal_result *result)
{
    struct cli_row row = {.device = tuned->device, .samples = 1, .result = *result};
    row.result.title = NULL;
    free(tuned->sizes);
    tuned->sizes = cli_work_line(session->workload, tuned->given, &row, 1);
}

static enum shoal_status check(const struct session *session, struct shoal_solver *solver,
                               struct figure *figure, struct shoal_error *error)
{
    struct shoal_result result = {0};
    const enum shoal_status status = shoal_solver_result(solver, &result, error);
    if (status)
        return status;
    figure->step_work = result.step_work;
    figure->unit = cli_keep(result.work_unit);
    set_sizes(session, &session->rows[session->row_count - 1], &result);
    if (result.check_passed)
        return SHOAL_OK;
    *error = (struct shoal_error){.status = SHOAL_CHECK_FAILED};
    snprintf(error->message, sizeof error->message, "the result failed its check%s%s (%s)",
             *result.check_failure ? ": " : "", result.check_failure, result.check_name);
    return SHOAL_CHECK_FAILED;
}

static enum shoal_status sample(const struct session *session, struct shoal_device *device, void *params,
                                const struct plan *plan, struct figure *figure, struct shoal_error *error)
{
    const uint64_t warm_up = shoal_workload_warm_up_steps(session->workload, params);
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    uint64_t chunk = 1, done, steps_done;
    double rate;
    *figure = (struct figure){.rate = NAN};
    enum shoal_status status = shoal_queue_create(device, 0, &queue, error);
    if (!status)
        status = shoal_solver_create(session->workload, device, queue, params,
                                     (enum shoal_variant)session->cli->common.variant, &solver, error);
    if (!status)
        status = shoal_solver_step(solver, 1, &done, error);
    if (!status)
        status = shoal_queue_finish(queue, error);
    const struct span settling = {plan->settling, plan->settling_steps, warm_up};
    if (!status)
        status = make_steps(solver, queue, settling, &chunk, &steps_done, &rate, error);
    figure->settled = status ? 0 : steps_done + 1;
    for (size_t i = 0; i < plan->pieces && !status; i++) {
        status = make_steps(solver, queue, (struct span){plan->piece, plan->piece_steps, 0}, &chunk,
                            &steps_done, &rate, error);
        if (!status && (isnan(figure->rate) || rate > figure->rate))
            figure->rate = rate;
    }
    if (!status)
        status = check(session, solver, figure, error);
    if (status)
        figure->rate = NAN;
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    return status;
}

/* Constants of the chosen method ------------------------------------------------------------------------ */

struct sampling {
    const struct session *session;
    void *params;
};

static void measure_constant(void *data, struct tune_search *search, struct tune_trial *trial)
{
    const struct sampling *sampling = data;
    const struct session *session = sampling->session;
    const char *id = shoal_device_get_info(search->device)->id;
    cli_progress_show("%s  %s  %s %s = %lld", session->workload->name, id, search->program,
                      tune_name(search->define).s, (long long)trial->value);
    const double seconds = session->values->sample;
    const struct plan plan = {seconds / 2, seconds, SETTLING, PIECE, 2};
    struct figure figure;
    /* If the trial fails, figure stays NaN, and trial->error has the reason. */
    if (sample(session, search->device, sampling->params, &plan, &figure, &trial->error) == SHOAL_OK)
        trial->figure = figure.rate;
}

/* Finds the tunable constants that a solver with `params` uses. */
static enum shoal_status find_constants(const struct session *session, struct tuned *tuned,
                                        const void *params, struct shoal_error *error)
{
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    struct shoal_tunable tunable;
    shoal_tuning_watch(tuned->device);
    enum shoal_status status = shoal_queue_create(tuned->device, 0, &queue, error);
    if (!status)
        status = shoal_solver_create(session->workload, tuned->device, queue, params,
                                     (enum shoal_variant)session->cli->common.variant, &solver, error);
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    for (size_t i = 0; !status && i < MOST_CONSTANTS && shoal_tuning_watched(tuned->device, i, &tunable); i++)
        tuned->constants[tuned->constant_count++] = (struct constant){.program = cli_keep(tunable.program),
                                                                      .define = cli_keep(tunable.define),
                                                                      .value = tunable.value,
                                                                      .tries = tunable.tries,
                                                                      .try_count = tunable.try_count};
    return status;
}

/* Tunes the constants one by one, and stores each value at once: later constants are tuned with this value,
 * and a stop does not lose it. A value without a gain is stored, too: otherwise a value stored for another
 * class of sizes could later be used for this class. */
static int tune_constants(struct session *session, struct tuned *tuned, void *params)
{
    struct sampling sampling = {session, params};
    struct shoal_error error;
    if (find_constants(session, tuned, params, &error) != SHOAL_OK)
        return cli_fail(shoal_device_get_info(tuned->device)->id, &error);
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < tuned->constant_count && !cli_stopped(NULL) && !status; i++) {
        struct constant *constant = &tuned->constants[i];
        struct tune_search *search = &constant->search;
        *search = (struct tune_search){.device = tuned->device,
                                       .program = constant->program,
                                       .define = constant->define,
                                       .before = {.set = true, .value = constant->value},
                                       .measure = measure_constant,
                                       .data = &sampling};
        tune_search(search, constant->tries, constant->try_count);
        search->data = NULL;
        if (cli_stopped(NULL) || !isfinite(search->before.figure))
            continue;
        const int64_t value = search->has_best ? search->trials[search->best].value : constant->value;
        constant->decided = true;
        if (session->values->dry_run)
            status = shoal_tuning_try(tuned->device, constant->program, constant->define, &value, &error);
        else
            status = shoal_tuning_set(tuned->device, constant->program, constant->define, value, &error);
        constant->stored = !status && !session->values->dry_run;
    }
    for (size_t i = 0; i < tuned->constant_count && session->values->dry_run && !status; i++)
        status = shoal_tuning_try(tuned->device, tuned->constants[i].program, tuned->constants[i].define,
                                  NULL, &error);
    return status ? cli_fail(NULL, &error) : CLI_OK;
}

/* Methods ------------------------------------------------------------------------------------------------ */

static void measure(const struct session *session, struct tuned *tuned, struct method *method, void *params)
{
    const double seconds = session->values->sample;
    const struct plan plan = {seconds / 4, seconds, 0, 0, 1};
    struct figure figure;
    *(int32_t *)((char *)params + session->option->offset) = method->index;
    cli_progress_show("%s  %s  %s %s", session->workload->name, shoal_device_get_info(tuned->device)->id,
                      session->option->name, method->name);
    if (sample(session, tuned->device, params, &plan, &figure, &method->error) != SHOAL_OK)
        return;
    method->settled = figure.settled;
    method->rate = fmax(method->rate, figure.rate * figure.step_work); /* fmax ignores a NaN */
    tuned->unit = figure.unit;
}

static struct method *fastest(struct tuned *tuned, const struct method *but)
{
    struct method *best = NULL;
    for (size_t i = 0; i < tuned->method_count; i++)
        if (&tuned->methods[i] != but && !isnan(tuned->methods[i].rate) &&
            (!best || tuned->methods[i].rate > best->rate))
            best = &tuned->methods[i];
    return best;
}

/* Stores the fastest method by a solver created for this, since only a solver knows the class of sizes under
 * which the method is stored. */
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
    void *params = cli_alloc(session->workload->params_size);
    memcpy(params, given, session->workload->params_size);
    shoal_workload_make_endless(session->workload, params, MOST_WARM_UP);
    *tuned = (struct tuned){.workload = session->workload,
                            .device = device,
                            .given = given,
                            .sizes = cli_work_line(session->workload, given, NULL, 0)};
    const int32_t named = *(const int32_t *)((const char *)given + session->option->offset);
    /* Checks the problem before any method is tried, since its errors would occur with all methods. */
    int code = cli_validate(session->cli, NULL, session->workload, given);
    for (int32_t c = 1;
         session->option->choices[c] && c <= MOST_METHODS && code == CLI_OK && !cli_stopped(NULL); c++) {
        if (named && c != named)
            continue;
        struct method *method = &tuned->methods[tuned->method_count++];
        *method = (struct method){.name = session->option->choices[c], .index = c, .rate = NAN};
        measure(session, tuned, method, params);
        if (method->error.status == SHOAL_IO)
            code = cli_fail(shoal_device_get_info(device)->id, &method->error);
    }
    struct method *first = fastest(tuned, NULL), *second = fastest(tuned, first);
    /* The fastest of many measurements may be an outlier: second measurements decide between the two fastest
     * methods if these are close. */
    if (second && second->rate > first->rate * (1 - 10 * tune_least_gain) && !cli_stopped(NULL)) {
        measure(session, tuned, second, params);
        measure(session, tuned, first, params);
    }
    tuned->best = code == CLI_OK && !cli_stopped(NULL) ? fastest(tuned, NULL) : NULL;
    if (tuned->best && !session->values->dry_run && !named) {
        if (remember(session, tuned, params, &error) != SHOAL_OK)
            code = cli_fail(NULL, &error);
        else
            tuned->stored = true;
    }
    if (!tuned->best && code == CLI_OK && !cli_stopped(NULL) && tuned->method_count)
        code = cli_fail(shoal_device_get_info(device)->id, &tuned->methods[0].error);
    if (tuned->best && code == CLI_OK) {
        *(int32_t *)((char *)params + session->option->offset) = tuned->best->index;
        code = tune_constants(session, tuned, params);
    }
    free(params);
    tuned->given = NULL;
    return code;
}

/* Whether the method is shown: if it was measured or failed. A method that does not fit the problem or the
 * device is only shown with --verbose. */
static bool is_shown(const struct session *session, const struct method *method)
{
    const enum shoal_status status = method->error.status;
    return !isnan(method->rate) || (status != SHOAL_UNSUPPORTED && status != SHOAL_INVALID) ||
           session->cli->common.verbose;
}

static void print_constants(const struct tuned *tuned)
{
    static const struct cli_column columns[] = {{.title = "constant of"}, TUNE_COLUMNS};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < tuned->constant_count; i++) {
        const struct constant *constant = &tuned->constants[i];
        const struct tune_search *search = &constant->search;
        const char *failure = search->before.error.message;
        if (!constant->decided && !*failure)
            continue; /* a signal came before the measurement */
        cli_table_row(table);
        cli_table_cell(table, "%s", constant->program);
        if (!constant->decided) {
            cli_table_span(table, "%s left out: %s", tune_name(constant->define).s, failure);
            continue;
        }
        tune_cells(table, search, &constant->value, "steps/s", constant->stored);
    }
    printf("\n");
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_table(const struct session *session)
{
    static const struct cli_column columns[] = {{.title = "method"},
                                                {.title = "rate", .right = true},
                                                {.title = "of best", .right = true},
                                                {.title = ""}};
    for (size_t r = 0; r < session->row_count; r++) {
        const struct tuned *tuned = &session->rows[r];
        struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
        char *unit = cli_sprintf("%s/s", tuned->unit ? tuned->unit : "");
        for (size_t i = 0; i < tuned->method_count; i++) {
            const struct method *method = &tuned->methods[i];
            if (!is_shown(session, method))
                continue;
            cli_table_row(table);
            cli_table_cell(table, "%s", method->name);
            if (isnan(method->rate)) {
                cli_table_span(table, "left out: %s", method->error.message);
                continue;
            }
            cli_table_cell(table, "%s", cli_si(method->rate, unit).s);
            cli_table_cell(table, "%.0f %%", tuned->best ? 100 * method->rate / tuned->best->rate : 100);
            cli_table_cell(table, "%s", method != tuned->best ? "" : tuned->stored ? "stored" : "fastest");
        }
        char *head = cli_sprintf("%s  %s  %s", tuned->workload->name,
                                 shoal_device_get_info(tuned->device)->id, tuned->sizes);
        fputs(r ? "\n" : "", stdout);
        cli_paragraph(stdout, 2, head);
        putchar('\n');
        cli_table_print(table, stdout);
        cli_table_free(&table);
        if (tuned->constant_count)
            print_constants(tuned);
        free(head);
        free(unit);
    }
}

static void add_constant(cJSON *array, const struct constant *constant)
{
    const struct tune_search *search = &constant->search;
    const struct tune_trial *best = search->has_best ? &search->trials[search->best] : NULL;
    cJSON *object = cli_json_object(array, NULL);
    cli_json_text(object, "program", constant->program);
    cli_json_text(object, "define", constant->define);
    cli_json_real(object, "before", (double)constant->value);
    cli_json_real(object, "before_rate", constant->decided ? search->before.figure : NAN);
    cli_json_real(object, "best", !constant->decided ? NAN : (double)(best ? best->value : constant->value));
    cli_json_real(object, "best_rate", best ? best->figure : NAN);
    cli_json_bool(object, "stored", constant->stored);
    cJSON *trials = cli_json_array(object, "trials");
    for (size_t i = 0; i < search->trial_count; i++) {
        cJSON *item = cli_json_object(trials, NULL);
        cli_json_real(item, "value", (double)search->trials[i].value);
        cli_json_real(item, "rate", search->trials[i].figure);
        cli_json_error(item, "error", &search->trials[i].error);
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
        cli_json_text(object, "workload", tuned->workload->name);
        cli_json_text(object, "device", shoal_device_get_info(tuned->device)->id);
        cli_json_text(object, "sizes", tuned->sizes);
        cli_json_text(object, "unit", tuned->unit);
        cli_json_text(object, "best", tuned->best ? tuned->best->name : NULL);
        cli_json_bool(object, "stored", tuned->stored);
        cJSON *methods = cli_json_array(object, "methods");
        for (size_t i = 0; i < tuned->method_count; i++) {
            cJSON *item = cli_json_object(methods, NULL);
            cli_json_text(item, "name", tuned->methods[i].name);
            cli_json_real(item, "rate", tuned->methods[i].rate);
            cli_json_uint(item, "settling_steps", tuned->methods[i].settled);
            cli_json_error(item, "error", &tuned->methods[i].error);
        }
        cJSON *constants = cli_json_array(object, "constants");
        for (size_t i = 0; i < tuned->constant_count; i++)
            add_constant(constants, &tuned->constants[i]);
    }
    return cli_json_print(json);
}

static int tune_device(struct session *session, struct shoal_device *device,
                       const struct optimise_problem *problem)
{
    const struct shoal_workload *workload = session->workload = problem->workload;
    session->option = cli_method_option(workload);
    if (!session->values->grid)
        return tune(session, device, problem->params);
    int code = CLI_OK;
    const bool is_cpu = shoal_device_get_info(device)->is_cpu;
    for (size_t i = 0; i < shoal_workload_case_count(workload) && !cli_stopped(NULL); i++) {
        const struct shoal_case *at = shoal_workload_case_at(workload, i);
        if (!(at->flags & SHOAL_CASE_TUNE) || (is_cpu && at->flags & SHOAL_CASE_SLOW_ON_CPU))
            continue;
        void *params = cli_alloc(workload->params_size);
        memcpy(params, problem->params, workload->params_size);
        cli_sizes_set(workload, params, at->values);
        code = cli_first_failure(code, tune(session, device, params));
        free(params);
    }
    return code;
}

/* If no option of a problem is given, a grid of sizes is measured. */
static int complete(struct cli *cli, struct cli_groups *groups)
{
    if (!optimise_is_given(cli, groups))
        ((struct values *)cli->values)->grid = true;
    return CLI_OK;
}

static int run(struct cli *cli)
{
    struct session session = {.cli = cli, .values = cli->values};
    const struct optimise_problem *problems;
    size_t count, rows = 0;
    int code = optimise_problems(cli, &problems, &count);
    if (code == CLI_OK)
        code = cli_select(cli, NULL, 0);
    if (code != CLI_OK)
        return code;
    for (size_t p = 0; p < count; p++)
        rows += session.values->grid ? shoal_workload_case_count(problems[p].workload) : 1;
    session.option = cli_method_option(problems[0].workload);
    session.rows = cli_alloc(cli->device_count * rows * sizeof *session.rows);
    for (size_t d = 0; d < cli->device_count; d++) {
        const bool is_host = shoal_device_get_info(cli->devices[d])->is_host;
        if (is_host && tune_names_host(cli))
            cli_note(cli, "the host has a single method");
        for (size_t p = 0; p < count && !is_host && !cli_stopped(NULL); p++)
            code = cli_first_failure(code, tune_device(&session, cli->devices[d], &problems[p]));
    }
    cli_progress_end();
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
    .summary = "find the fastest method of a workload",
    .description =
        "Runs the problem given by the options with every method that each device supports, prints the "
        "rates, and stores the fastest method for problems of similar size; runs that do not set the method "
        "use it. The command then measures constants of this method that change only the speed or the "
        "rounding: work-group sizes, the skin of a neighbour list. Without options of a problem the command "
        "measures a range of sizes. Each result is stored at once, so Ctrl-C loses no result.\nOptions that "
        "limit the length of a run have no effect. At most 100 steps of an equilibration are run before the "
        "measured steps.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .run = run,
    .complete = complete};
