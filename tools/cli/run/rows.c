#include "cli/run/rows.h"

#include "cli/run/files.h"
#include "cli/run/rescue.h"
#include "cli/run/samples.h"
#include "cli/run/stages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A row ------------------------------------------------------------------------------------------------- */

/* Data for the callbacks of one run. Data are not shared between runs, since steps of an abandoned run may
 * still be in a callback. */
struct one_run {
    struct cli *cli;
    struct piece_files files;
    struct run_samples samples;
    struct run_link *link; /* NULL: the run has no stages */
    int code;              /* exit code of the functions of the report for the run */
};

static enum shoal_status save_state(void *data, const char *path, struct shoal_error *error)
{
    return shoal_solver_save(data, path, error);
}

/* Rescues the last checkpoint of a run if it could not be written. */
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
    char *devices = cli_row_devices(row);
    if (one->link && one->link->has_next && is_whole &&
        shoal_solver_end_stage(solver, &one->link->end, &error) != SHOAL_OK)
        one->code = cli_first_failure(one->code, cli_fail(devices, &error));
    free(devices);
}

/* Runs the row with a checkpoint of its own, whose name has the tag of the row. If the row has a label and
 * its checkpoint to resume does not exist, the run begins anew. */
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

/* Marks a row as failed, because one of its files cannot be written. */
static void refuse_row(struct cli_row *row)
{
    row->error.status = SHOAL_IO;
    snprintf(row->error.message, sizeof row->error.message, "not run, as one of its files cannot be written");
}

static enum shoal_status settle_files(void *data, struct shoal_error *error)
{
    const struct one_run *one = data;
    return one->files.settle ? one->files.settle(one->files.settle_data, error) : SHOAL_OK;
}

static int run_row(const struct run_plan *plan, struct cli_row *row, struct shoal_run_params params,
                   struct run_link *link)
{
    const struct report *report = plan->report;
    struct cli *cli = run_plan_cli(plan, row);
    struct one_run *one = cli_alloc(sizeof *one);
    *one =
        (struct one_run){.cli = cli, .files.resumes = cli->resumed != NULL, .samples.cli = cli, .link = link};
    if (link) {
        one->files.follows = link->follows;
        one->files.begin = link->begin;
    }
    int code = run_samples_begin(&one->samples, cli, row, &one->files, &params);
    if (code == CLI_OK && report && report->row_begin)
        code = report->row_begin(cli, row, &one->files);
    if (code == CLI_OK) {
        row->inspect = inspect;
        row->inspect_data = one;
        params.on_checkpoint = settle_files;
        params.checkpoint_data = one;
        run_with_files(cli, row, params);
        row->inspect = NULL;
        if (cli_row_has_result(row) && row->result.warning) {
            char *devices = cli_row_devices(row);
            cli_error(CLI_OK, "%s: %s", devices, row->result.warning);
            free(devices);
        }
        code = cli_first_failure(cli_exit_code(row->error.status), one->code);
        if (cli_row_is_abandoned(cli, row))
            return code;
        code = cli_first_failure(code, run_samples_end(&one->samples, row));
    } else {
        refuse_row(row);
    }
    code = cli_first_failure(code, piece_files_close(&one->files));
    free(one);
    return code;
}

/* Stages ------------------------------------------------------------------------------------------------ */

/* Marks the row of a stage as not run, since the stage before, `ended`, did not reach its end. */
static void leave_out(struct cli_row *row, const char *ended)
{
    const bool is_stopped = cli_stopped(NULL);
    row->error.status = is_stopped ? SHOAL_STOPPED : SHOAL_FAILED;
    snprintf(row->error.message, sizeof row->error.message, "not run, as stage %s %s", ended,
             is_stopped ? "was stopped" : "failed");
}

/* Runs the stages of one device. */
static int run_stages(const struct run_plan *plan, struct cli_row *rows, size_t count)
{
    const struct cli *cli = plan->cli;
    struct shoal_run_params params = plan->params;
    struct run_link link = {0};
    const char *ended = NULL;
    int code = CLI_OK;
    (void)shoal_checkpoint_stage(cli->resumed, &link.begin);
    for (size_t r = 0; r < count; r++) {
        struct cli_row *row = &rows[r];
        if (ended) {
            leave_out(row, ended);
            continue;
        }
        struct shoal_stage_end *before = link.end;
        row->before = r > 0 ? row - 1 : NULL;
        params.follows = before;
        params.stage = row->stage->name;
        params.stage_begin = link.begin;
        link =
            (struct run_link){.begin = link.begin, .follows = row->stage->before, .has_next = r + 1 < count};
        code = cli_first_failure(code, run_row(plan, row, params, &link));
        shoal_stage_end_destroy(&before);
        link.begin += row->result.steps - row->result.warm_up_steps;
        if (cli->resumed && count == 1 && row->samples && row->timed_work == 0)
            cli_note(
                cli,
                "--resume: the checkpoint is at the end of the last stage, so there are no further steps");
        ended = link.end && !cli_stopped(NULL) ? NULL : row->stage->name;
    }
    shoal_stage_end_destroy(&link.end);
    return code;
}

/* Runs the stages of all devices, one device after another. After Ctrl-C the rows of devices that have not
 * begun are dropped. */
static int run_all_stages(struct run_plan *plan)
{
    const struct cli *cli = plan->cli;
    const size_t stages = cli->stage_count - cli->first_stage, count = plan->count;
    int code = CLI_OK;
    for (plan->count = 0; plan->count < count && !cli_stopped(NULL); plan->count += stages)
        code = cli_first_failure(code, run_stages(plan, plan->rows + plan->count, stages));
    return code;
}

/* Rounds ------------------------------------------------------------------------------------------------ */

/* Whether no row failed and the command was not stopped. Files that could not be written do not count. */
static bool all_ran(const struct cli_row *rows, size_t count)
{
    for (size_t r = 0; r < count; r++)
        if (rows[r].error.status)
            return false;
    return !cli_stopped(NULL);
}

/* Runs the rows of a round, from row number `first` on, until Ctrl-C. */
static int run_round(struct run_plan *plan, size_t first)
{
    const size_t count = plan->count;
    int code = CLI_OK;
    for (plan->count = first; plan->count < count && !cli_stopped(NULL); plan->count++)
        if (!plan->rows[plan->count].error.status)
            code = cli_first_failure(code, run_row(plan, &plan->rows[plan->count], plan->params, NULL));
    return code;
}

/* Adds the rows of a further round, and checks the files of these rows, whose names have the label of the
 * round. */
static int add_round(struct run_plan *plan, const char *label)
{
    const struct cli *cli = plan->cli;
    int code = CLI_OK;
    plan->rows = cli_realloc(plan->rows, (plan->count + cli->device_count) * sizeof *plan->rows);
    for (size_t d = 0; d < cli->device_count; d++) {
        struct cli_row *row = &plan->rows[plan->count++];
        *row = run_plan_row(plan, cli->devices[d], label, NULL);
        const int checked = run_files_check(cli, row);
        if (checked != CLI_OK)
            refuse_row(row);
        code = cli_first_failure(code, checked);
    }
    return code;
}

static int run_rounds(struct run_plan *plan)
{
    const struct report *report = plan->report;
    size_t round = 0, first = 0;
    int code = CLI_OK;
    for (const char *label = NULL;;) {
        code = cli_first_failure(code, run_round(plan, first));
        label = report && report->next
                    ? report->next(plan->cli, all_ran(plan->rows, plan->count) ? round++ : SIZE_MAX)
                    : NULL;
        if (!label)
            return code;
        first = plan->count;
        code = cli_first_failure(code, add_round(plan, label));
    }
}

int run_rows(struct run_plan *plan)
{
    return plan->cli->stage_count ? run_all_stages(plan) : run_rounds(plan);
}
