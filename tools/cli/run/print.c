#include "cli/run/print.h"

#include "cli/run/samples.h"
#include "cli/run/stages.h"
#include "cli/run/text.h"

static int print_json(const struct run_plan *plan)
{
    const struct cli *cli = plan->cli;
    const struct cli_row *rows = plan->rows;
    const size_t count = plan->count;
    const struct shoal_workload *workload = cli->command->workload;
    cJSON *json = cli_json_new(cli->command->name);
    if (cli->command->name != workload->name) {
        cli_json_text(json, "algorithm", workload->name);
        cli_json_text(json, "choice", cli->choice);
    }
    run_stages_json(json, cli);
    cJSON *devices = cli_json_array(json, "devices");
    for (size_t r = 0; r < count; r++)
        for (size_t d = 0; d < (rows[r].split ? rows[r].split->count : 1); d++)
            cli_json_device(devices, NULL, rows[r].split ? rows[r].split->devices[d] : rows[r].device);
    const struct report *report = plan->report;
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

int run_print(const struct run_plan *plan)
{
    struct cli *cli = plan->cli;
    const struct report *report = plan->report;
    /* Files are written first, so that --json can say which files failed. */
    cli_progress_show("%s  writes its files", cli->command->name);
    const int code = run_samples_files(cli, plan->rows, plan->count);
    cli_progress_end();
    if (cli->common.json)
        return cli_first_failure(code, print_json(plan));
    if (cli_first_result(plan->rows, plan->count) &&
        !(report && report->print && report->print(cli, plan->rows, plan->count)))
        run_text_print(cli, plan->rows, plan->count);
    row_energy_print(plan->rows, plan->count);
    return code;
}
