/* shoal WORKLOAD: one run on each selected device, in turn. */
#include "cli/run/files.h"
#include "cli/run/outputs.h"
#include "cli/run/rescue.h"
#include "cli/run/samples.h"
#include "cli/run/stages.h"
#include "cli/run/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct shoal_option options[] = {
    {"checkpoint", SHOAL_OPTION_TEXT, offsetof(struct workload_values, checkpoint), "FILE", 0, 0, NULL,
     "write the whole state at the end of the run, also after Ctrl-C; one device only",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN},
    {"checkpoint-every", SHOAL_OPTION_REAL, offsetof(struct workload_values, checkpoint_every), "S", 0, 1e9,
     NULL, "write the checkpoint every S seconds too; 0: only at the end", .needs = "checkpoint"},
    {"resume", SHOAL_OPTION_TEXT, offsetof(struct workload_values, resume), "FILE", 0, 0, NULL,
     "continue from a checkpoint: what is not given comes from it, host or device too, and what is given "
     "must agree "
     "with it, except for outputs and the length of the run; one device only",
     .flags = SHOAL_OPTION_READS | SHOAL_OPTION_MAIN},
};

static int print_json(const struct cli *cli, const struct cli_row *rows, size_t count)
{
    const struct shoal_workload *workload = cli->command->workload;
    cJSON *json = cli_json_new(workload->name);
    run_stages_json(json, cli);
    cJSON *devices = cli_json_array(json, "devices");
    for (size_t r = 0; r < count; r++)
        cli_json_device(devices, NULL, rows[r].device);
    const struct report *report = cli_report_of(workload);
    const struct cli_row *best = cli_best_row(rows, count);
    if (report && report->is_better)
        cli_json_text(json, "best_device", best ? shoal_device_get_info(best->device)->id : NULL);
    cJSON *array = cli_json_array(json, "rows");
    for (size_t r = 0; r < count; r++) {
        cJSON *object = cli_json_row(array, &rows[r]);
        if (report && report->row_json)
            report->row_json(object, &rows[r]);
        run_samples_json(object, rows[r].stage ? &rows[r].stage->cli : cli, &rows[r]);
    }
    return cli_json_print(json);
}

/* What the callbacks of one run use. A block of its own, as steps of an abandoned run may still be within one
 * of them. */
struct one_run {
    struct cli *cli;
    struct piece_files files;
    struct run_samples samples;
    struct run_link *link; /* NULL: the run has no stages */
    int code;              /* of the additional work of the workload's command */
};

static enum shoal_status save_state(void *data, const char *path, struct shoal_error *error)
{
    return shoal_solver_save(data, path, error);
}

/* A run whose checkpoint could not be written at its end. */
static void rescue_checkpoint(const struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    const char *given = ((const struct workload_values *)cli->values)->checkpoint;
    if (!given || row->error.status != SHOAL_IO)
        return;
    char *path = cli_row_path(cli, row, given), *rescued = run_rescue(path, NULL, save_state, solver);
    const size_t length = strlen(row->error.message);
    if (rescued)
        snprintf(row->error.message + length, sizeof row->error.message - length, "; it was written to %s",
                 rescued);
    free(rescued);
    free(path);
}

static void inspect(void *data, struct cli_row *row, struct shoal_solver *solver)
{
    struct one_run *one = data;
    const struct report *report = cli_report_of(row->workload);
    struct shoal_error error = {0};
    if (report && report->row_end)
        one->code = report->row_end(one->cli, row, solver);
    if (solver && row->unsaved)
        rescue_checkpoint(one->cli, row, solver);
    const bool is_whole = solver && (row->error.status == SHOAL_OK || row->unsaved);
    if (one->link && one->link->has_next && is_whole &&
        shoal_solver_end_stage(solver, &one->link->end, &error) != SHOAL_OK)
        one->code = cli_first_failure(one->code, cli_fail(shoal_device_get_info(row->device)->id, &error));
}

/* Runs the row with its own checkpoints: a run with a label has its tag in their names, as in those of its
 * other files, and begins anew where it has not yet written the one to resume. */
static void run_with_files(const struct cli *cli, struct cli_row *row, struct shoal_run_params params)
{
    const struct workload_values *values = cli->values;
    char *checkpoint = values->checkpoint ? cli_row_path(cli, row, values->checkpoint) : NULL;
    char *resume = cli->resumed ? cli_row_path(cli, row, values->resume) : NULL;
    params.checkpoint = checkpoint;
    params.resume = resume;
    if (resume && row->label && access(resume, F_OK) != 0 && errno == ENOENT) {
        cli_note(cli, "--resume: there is no %s: the run '%s' begins at its first step", resume, row->label);
        params.resume = NULL;
    }
    cli_row_run(row, cli->params, &params, 1);
    free(checkpoint);
    free(resume);
}

static int run_row(struct cli *cli, struct cli_row *row, struct shoal_run_params params,
                   struct run_link *link)
{
    const struct report *report = cli_report_of(row->workload);
    struct one_run *one = cli_alloc(sizeof *one);
    *one =
        (struct one_run){.cli = cli, .files.resumes = cli->resumed != NULL, .samples.cli = cli, .link = link};
    if (link) {
        one->files.follows = link->follows;
        one->files.begin = link->begin;
    }
    int code = run_files_check(cli, row);
    if (code == CLI_OK)
        code = run_samples_begin(&one->samples, cli, row, &one->files, &params);
    if (code == CLI_OK && report && report->row_begin)
        code = report->row_begin(cli, row, &one->files);
    if (code == CLI_OK) {
        row->inspect = inspect;
        row->inspect_data = one;
        run_with_files(cli, row, params);
        row->inspect = NULL;
        if (cli_row_has_result(row) && row->result.warning)
            cli_error(CLI_OK, "%s: %s", shoal_device_get_info(row->device)->id, row->result.warning);
        code = cli_first_failure(cli_exit_code(row->error.status), one->code);
        if (cli_row_is_abandoned(cli, row))
            return code;
        code = cli_first_failure(code, run_samples_end(&one->samples, row));
    } else {
        row->error.status = SHOAL_IO;
        snprintf(row->error.message, sizeof row->error.message,
                 "not run, as one of its files cannot be written");
    }
    code = cli_first_failure(code, piece_files_close(&one->files));
    free(one);
    return code;
}

/* To their ends, whether or not all of their files could be written. */
static bool all_ran(const struct cli_row *rows, size_t count)
{
    for (size_t r = 0; r < count; r++)
        if (rows[r].error.status)
            return false;
    return !cli_stopped(NULL);
}

/* For each stage that runs, or for the whole run where there are none, until one fails. */
static int for_each(struct cli *cli, int (*call)(struct cli *cli))
{
    int code = cli->stage_count ? CLI_OK : call(cli);
    for (size_t s = cli->first_stage; s < cli->stage_count && code == CLI_OK; s++)
        code = call(&cli->stages[s]->cli);
    return code;
}

/* Before any driver is opened. */
static int check_params(struct cli *cli)
{
    const struct report *report = cli_report_of(cli->command->workload);
    int code = CLI_OK;
    run_samples_want(cli);
    if (!(report && report->makes_no_run && report->makes_no_run(cli)))
        code = cli_validate(cli, cli_stage_title(cli), cli->command->workload, cli->params);
    return code == CLI_OK && report && report->check ? report->check(cli) : code;
}

static int check_outputs(struct cli *cli)
{
    cli_want_averages(cli);
    const int code = run_samples_check(cli);
    return code == CLI_OK ? run_outputs_check(cli) : code;
}

/* The rows of a run without stages, which the caller frees: on each device, and again for each label of the
 * workload's module. */
static int run_rounds(struct cli *cli, struct shoal_run_params params, struct cli_row **rows, size_t *count)
{
    const struct report *report = cli_report_of(cli->command->workload);
    const char *label = NULL;
    size_t round = 0;
    int code = CLI_OK;
    do {
        *rows = cli_realloc(*rows, (*count + cli->device_count) * sizeof **rows);
        for (size_t d = 0; d < cli->device_count && !cli_stopped(NULL); d++) {
            (*rows)[*count] = (struct cli_row){.workload = cli->command->workload,
                                               .device = cli->devices[d],
                                               .variant = (enum shoal_variant)cli->common.variant,
                                               .label = label};
            code = cli_first_failure(code, run_row(cli, &(*rows)[(*count)++], params, NULL));
        }
        label =
            report && report->next ? report->next(cli, all_ran(*rows, *count) ? round++ : SIZE_MAX) : NULL;
    } while (label);
    return code;
}

static int run_all(struct cli *cli)
{
    const struct workload_values *values = cli->values;
    const struct report *report = cli_report_of(cli->command->workload);
    struct shoal_run_params params;
    shoal_run_params_init(&params);
    params.checkpoint_every = values->checkpoint_every;
    params.hang_limit = cli->common.hang_limit;

    struct cli_row *rows = NULL;
    size_t count = 0;
    int code;
    if (cli->stage_count) {
        rows = cli_alloc(cli->device_count * cli->stage_count * sizeof *rows);
        code = run_stages(cli, params, run_row, rows, &count);
    } else {
        code = run_rounds(cli, params, &rows, &count);
    }
    /* Files first: --json says which of them cannot be written. */
    cli_progress_show("%s  writes its files", cli->command->name);
    int printed = run_samples_files(cli, rows, count);
    cli_progress_end();
    if (cli->common.json)
        printed = cli_first_failure(printed, print_json(cli, rows, count));
    else if (cli_first_result(rows, count) && !(report && report->print && report->print(cli, rows, count)))
        run_text_print(cli, rows, count);
    for (size_t r = 0; r < count; r++) {
        if (report && report->row_free)
            report->row_free(&rows[r]);
        cli_row_clear(&rows[r]);
    }
    free(rows);
    return cli_first_failure(cli_first_failure(cli_stop_code(), code), printed);
}

static int run(struct cli *cli)
{
    const struct workload_values *values = cli->values;
    const struct report *report = cli_report_of(cli->command->workload);
    cli_progress_show("%s  reads and checks its input", cli->command->name);
    int code = for_each(cli, check_params);
    cli_progress_end();
    if (code != CLI_OK || (report && report->instead && report->instead(cli, &code)))
        return code;
    code = for_each(cli, check_outputs);
    if (code != CLI_OK)
        return code;
    if (values->checkpoint &&
        (!cli_check_output("--checkpoint", values->checkpoint, false) ||
         !cli_check_replaced("--checkpoint", values->checkpoint, "SHOALCKP", "checkpoint")))
        return CLI_FAILURE;
    code = cli_select(cli, shoal_checkpoint_is_of_host(cli->resumed) ? "host" : NULL, 0);
    if (code != CLI_OK)
        return code;
    if ((values->checkpoint || values->resume) && cli->device_count > 1)
        return cli_error(CLI_USAGE, "%s: holds the state of one device, but --device selects %zu",
                         values->checkpoint ? "--checkpoint" : "--resume", cli->device_count);
    return run_all(cli);
}

const struct cli_command cli_workload = {
    .description = "Runs the computation on each selected device in turn and checks the result on the host "
                   "in double precision. A device that fails shows the reason in its row; the others "
                   "continue, and the exit code is that of the first failure.\n"
                   "The default device is the first GPU, else the first device. With several rows --verbose "
                   "and --json show what the table omits.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD | CLI_TAKES_RUN,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct workload_values),
    .run = run};
