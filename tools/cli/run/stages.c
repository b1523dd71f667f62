#include "cli/run/stages.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/output/tables/layout.h"

#include <stdlib.h>
#include <string.h>

/* The row of a stage that has no state to begin with. */
static void leave_out(struct cli_row *row, const char *ended)
{
    const bool is_stopped = cli_stopped(NULL);
    row->error.status = is_stopped ? SHOAL_STOPPED : SHOAL_FAILED;
    snprintf(row->error.message, sizeof row->error.message, "not run, as stage %s %s", ended,
             is_stopped ? "was stopped" : "failed");
}

/* The stages on the device of the rows. */
static int run_device(struct cli *cli, struct cli_row *rows, size_t count, struct shoal_run_params params,
                      run_row_call *run_row)
{
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
        code = cli_first_failure(code, run_row(&cli->stages[cli->first_stage + r]->cli, row, params, &link));
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

int run_stages(struct cli *cli, struct shoal_run_params params, run_row_call *run_row, struct cli_row *rows,
               size_t *count)
{
    const size_t stages = cli->stage_count - cli->first_stage;
    int code = CLI_OK;
    for (size_t s = 0; s < stages; s++) {
        struct cli *of_stage = &cli->stages[cli->first_stage + s]->cli;
        of_stage->shoal = cli->shoal;
        of_stage->devices = cli->devices;
        of_stage->device_count = cli->device_count;
    }
    *count = 0;
    for (size_t d = 0; d < cli->device_count && !cli_stopped(NULL); d++) {
        struct cli_row *own = rows + *count;
        for (size_t s = 0; s < stages; s++)
            own[s] = (struct cli_row){.workload = cli->command->workload,
                                      .device = cli->devices[d],
                                      .variant = (enum shoal_variant)cli->common.variant,
                                      .label = cli->stages[cli->first_stage + s]->name,
                                      .stage = cli->stages[cli->first_stage + s]};
        code = cli_first_failure(code, run_device(cli, own, stages, params, run_row));
        *count += stages;
    }
    return code;
}

/* The options that all stages share, or all of them. */
static void put_options(cJSON *object, const struct cli *cli, bool shared)
{
    const struct shoal_workload *workload = cli->command->workload;
    for (size_t i = 0; i < workload->option_count; i++)
        if (!shared || !(workload->options[i].flags & SHOAL_OPTION_STAGE))
            cli_json_options(object, &workload->options[i], 1, cli->params);
}

void run_stages_json(cJSON *json, const struct cli *cli)
{
    put_options(cli_json_object(json, "params"), cli, cli->stage_count > 0);
    if (!cli->stage_count)
        return;
    cJSON *array = cli_json_array(json, "stages");
    for (size_t s = 0; s < cli->stage_count; s++) {
        cJSON *object = cli_json_object(array, NULL);
        cli_json_text(object, "name", cli->stages[s]->name);
        put_options(cli_json_object(object, "params"), &cli->stages[s]->cli, false);
    }
}

void run_stages_text(const struct cli *cli)
{
    for (size_t s = 0; s < cli->stage_count; s++) {
        const struct cli_stage *stage = cli->stages[s];
        char *values = cli_stage_line(stage, true), *line = cli_sprintf("%s: %s", stage->name, values);
        text_clean(line, "");
        cli_paragraph(stdout, strlen(stage->name) + 2, line);
        free(line);
        free(values);
    }
}
