/* shoal WORKLOAD: one run on each selected device, one device after another. */
#include "cli/run/plan.h"
#include "cli/run/print.h"
#include "cli/run/rows.h"

static const struct shoal_option options[] = {
    {"checkpoint", SHOAL_OPTION_TEXT, offsetof(struct workload_values, checkpoint), "FILE", 0, 0, NULL,
     "write the whole state at the end of the run, also after Ctrl-C; one device only",
     .flags = SHOAL_OPTION_WRITES | SHOAL_OPTION_MAIN},
    {"checkpoint-every", SHOAL_OPTION_REAL, offsetof(struct workload_values, checkpoint_every), "S", 0, 1e9,
     NULL, "write the checkpoint every S seconds too; 0: only at the end", .needs = "checkpoint"},
    {"resume", SHOAL_OPTION_TEXT, offsetof(struct workload_values, resume), "FILE", 0, 0, NULL,
     "continue from a checkpoint: options that are not given come from the checkpoint, host or device "
     "included; options that are given must agree with the checkpoint, except for outputs and the length of "
     "the run; one device only",
     .flags = SHOAL_OPTION_READS | SHOAL_OPTION_MAIN},
    {"split", SHOAL_OPTION_FLAG, offsetof(struct workload_values, split), "", 0, 0, NULL,
     "divide one computation over all devices of --device, which work at the same time: its runs, nets, "
     "colonies or cells, or smaller parts of too few of these (docs/split.md)"},
    {"shares", SHOAL_OPTION_TEXT, offsetof(struct workload_values, shares), "A:B...", 0, 0, NULL,
     "shares of the devices of --split, in the order of --device, such as 23:9, to the end of the run; "
     "without this option shares are equal at first and then follow the measured rates",
     .needs = "split"},
    {"on", SHOAL_OPTION_TEXT, offsetof(struct workload_values, on), "DEVICE:OPTION=VALUE[,...]", 0, 0, NULL,
     "options of one of the devices of --split, such as cuda:1:kernel=unrolled, that do not change what is "
     "computed; may be given several times",
     .flags = SHOAL_OPTION_REPEATS, .needs = "split"},
};

static int run(struct cli *cli)
{
    struct run_plan plan;
    int code = run_plan_make(cli, &plan);
    if (code == CLI_OK && !plan.is_answered) {
        code = run_rows(&plan);
        const int printed = run_print(&plan);
        code = cli_first_failure(cli_first_failure(cli_stop_code(), code), printed);
    }
    run_plan_free(&plan);
    return code;
}

const struct cli_command cli_workload = {
    .description = "Runs the computation on each selected device in turn and checks the result on the host "
                   "in double precision. A device that fails shows the reason in its row; other devices "
                   "continue, and the exit code is the code of the first failure.\nThe default device is "
                   "the first GPU, else the first device. With several rows --verbose and --json show "
                   "columns that the table omits.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD | CLI_TAKES_RUN,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct workload_values),
    .run = run};
