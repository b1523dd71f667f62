#include "cli/run/plan.h"

#include "cli/ranks.h"
#include "cli/run/files.h"
#include "cli/run/outputs.h"
#include "cli/run/samples.h"
#include "cli/run/split.h"
#include "cli/stages.h"

#include <stdlib.h>

/* Calls a function for each stage that runs, or once for a run without stages, until a call fails. */
static int for_each(struct cli *cli, int (*call)(struct cli *cli))
{
    int code = cli->stage_count ? CLI_OK : call(cli);
    for (size_t s = cli->first_stage; s < cli->stage_count && code == CLI_OK; s++)
        code = call(&cli->stages[s]->cli);
    return code;
}

/* Checks parameters before any driver is opened. */
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

/* Checks that the checkpoint can be written. */
static int check_checkpoints(const struct cli *cli)
{
    const struct workload_values *values = cli->values;
    if (values->checkpoint &&
        (!cli_check_output("--checkpoint", values->checkpoint, false) ||
         !cli_check_replaced("--checkpoint", values->checkpoint, "SHOALCKP", "checkpoint")))
        return CLI_FAILURE;
    return CLI_OK;
}

static bool prefers_host(const struct cli *cli, const struct shoal_device *device)
{
    return !cli->resumed && !cli_ranks() &&
           shoal_workload_prefers_host(cli->command->workload, cli->params, device);
}

static int select_devices(struct cli *cli)
{
    const struct workload_values *values = cli->values;
    cli_ranks_note(cli);
    const bool is_of_host = cli->command->workload->flags & SHOAL_WORKLOAD_HOST_ONLY;
    const bool starts_on_host = is_of_host || prefers_host(cli, NULL);
    const char *fallback = starts_on_host || shoal_checkpoint_is_of_host(cli->resumed) ? "host" : NULL;
    int code = cli_ranks() ? cli_select_of_ranks(cli, fallback) : cli_select(cli, fallback, 0);
    if (code == CLI_OK && !cli->common.device && !fallback && prefers_host(cli, cli->devices[0]))
        code = cli_select(cli, "host", 0);
    for (size_t d = 0; is_of_host && d < cli->device_count && code == CLI_OK; d++)
        if (!shoal_device_get_info(cli->devices[d])->is_host)
            code =
                cli_error(CLI_USAGE, "--device: %s runs on the host alone: leave out --device, or give host",
                          cli->command->workload->name);
    if (code == CLI_OK && (values->checkpoint || values->resume) && cli->device_count > 1 && !values->split)
        return cli_error(CLI_USAGE, "%s: holds the state of one device, but --device selects %zu",
                         values->checkpoint ? "--checkpoint" : "--resume", cli->device_count);
    return code;
}

/* Gives instance and devices of the run to each stage. */
static void give_devices(const struct cli *cli)
{
    for (size_t s = cli->first_stage; s < cli->stage_count; s++) {
        struct cli *of_stage = &cli->stages[s]->cli;
        of_stage->shoal = cli->shoal;
        of_stage->devices = cli->devices;
        of_stage->device_count = cli->device_count;
    }
}

struct cli_row run_plan_row(const struct run_plan *plan, struct shoal_device *device, const char *label,
                            const struct cli_stage *stage)
{
    return (struct cli_row){.workload = plan->cli->command->workload,
                            .energy.is_asked = plan->cli->common.energy,
                            .device = device,
                            .variant = (enum shoal_variant)plan->cli->common.variant,
                            .split = plan->split.count ? &plan->split : NULL,
                            .label = label,
                            .stage = stage};
}

struct cli *run_plan_cli(const struct run_plan *plan, const struct cli_row *row)
{
    for (size_t s = 0; row->stage && s < plan->cli->stage_count; s++)
        if (plan->cli->stages[s] == row->stage)
            return &plan->cli->stages[s]->cli;
    return plan->cli;
}

/* Makes the rows, and checks for each row that no option writes a file that another option reads or writes.
 */
static int make_rows(struct run_plan *plan)
{
    const struct cli *cli = plan->cli;
    const size_t stages = cli->stage_count ? cli->stage_count - cli->first_stage : 1;
    int code = CLI_OK;
    plan->rows = cli_alloc(cli->device_count * stages * sizeof *plan->rows);
    for (size_t d = 0; d < cli->device_count; d++)
        for (size_t s = 0; s < stages; s++) {
            const struct cli_stage *stage = cli->stage_count ? cli->stages[cli->first_stage + s] : NULL;
            struct cli_row *row = &plan->rows[plan->count++];
            *row = run_plan_row(plan, cli->devices[d], stage ? stage->name : NULL, stage);
            if (code == CLI_OK)
                code = run_files_check(run_plan_cli(plan, row), row);
        }
    return code;
}

int run_plan_make(struct cli *cli, struct run_plan *plan)
{
    const struct workload_values *values = cli->values;
    *plan = (struct run_plan){.cli = cli, .report = cli_report_of(cli->command->workload)};
    shoal_run_params_init(&plan->params);
    plan->params.checkpoint_every = values->checkpoint_every;
    plan->params.hang_limit = cli->common.hang_limit;
    cli_progress_show("%s  reads and checks its input", cli->command->name);
    int code = for_each(cli, check_params);
    cli_progress_end();
    if (code != CLI_OK)
        return code;
    plan->is_answered = plan->report && plan->report->instead && plan->report->instead(cli, &code);
    if (plan->is_answered)
        return code;
    code = for_each(cli, check_outputs);
    if (code == CLI_OK)
        code = check_checkpoints(cli);
    if (code == CLI_OK)
        code = select_devices(cli);
    if (code == CLI_OK && values->split)
        code = run_split_make(cli, &plan->split);
    give_devices(cli);
    return code == CLI_OK ? make_rows(plan) : code;
}

void run_plan_free(struct run_plan *plan)
{
    for (size_t r = 0; r < plan->count; r++) {
        if (plan->report && plan->report->row_free)
            plan->report->row_free(&plan->rows[r]);
        cli_row_clear(&plan->rows[r]);
    }
    run_split_free(&plan->split);
    free(plan->rows);
}
