/* Stages of a run: sections [WORKLOAD.NAME] of a configuration file. They run one after another in the order
 * of the file, each on top of [WORKLOAD]. */
#ifndef SHOAL_TOOLS_CLI_STAGES_H
#define SHOAL_TOOLS_CLI_STAGES_H

#include "cli/options.h"

/* A stage, with values of its own in `cli`; cli.stage points to the stage itself. */
struct cli_stage {
    const char *name;
    const struct cli_stage *before; /* the stage before this one; NULL: this is the first */
    struct cli cli;
    struct cli_groups groups;
};

/* Whether there are options that may change from stage to stage. `workload` may be NULL. */
bool cli_has_stages(const struct shoal_workload *workload);

/* Creates a stage without values; cli_stage_free frees it. name NULL: a section that is no stage. */
struct cli_stage *cli_stage_new(const struct cli_command *command, const char *name);
void cli_stage_free(struct cli_stage *stage);
/* Appends a stage to the stages of `cli`, which owns the stage from then on. */
void cli_stages_add(struct cli *cli, struct cli_stage *stage);
void cli_stages_free(struct cli *cli);

/* Sets in each stage the options that the stage does not set itself. The command line takes precedence over
 * all stages. An option of the whole run whose needs a stage does not meet gets its default there. With
 * --resume, the stage of the checkpoint is the first that runs. Returns an exit code after one line. */
int cli_stages_complete(struct cli *cli, const struct cli_groups *groups);

/* Whether an earlier stage writes a growing file at `path`. This stage then continues the file. */
bool cli_stage_continues(const struct cli *cli, const char *path);

/* "[WORKLOAD.NAME]" for messages, valid until the process ends; NULL: the values belong to no stage. */
const char *cli_stage_title(const struct cli *cli);

#endif
