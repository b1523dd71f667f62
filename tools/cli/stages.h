/* Stages of a run: sections [WORKLOAD.NAME] of a configuration file. Stages run one after another in the
 * order of the file; section [WORKLOAD] has values for all stages. */
#ifndef SHOAL_TOOLS_CLI_STAGES_H
#define SHOAL_TOOLS_CLI_STAGES_H

#include "cli/options.h"

/* A stage. cli: the values of the stage; cli.stage points to this struct. */
struct cli_stage {
    const char *name;
    const struct cli_stage *before; /* the preceding stage; NULL: this is the first stage */
    const struct cli_stage *after;  /* the next stage; NULL: this is the last stage */
    struct cli cli;
    struct cli_groups groups;
};

/* Whether there are options that may change from stage to stage. `workload` may be NULL. */
bool cli_has_stages(const struct shoal_workload *workload);

/* Creates a stage without values; cli_stage_free frees it. name NULL: a section that is no stage. */
struct cli_stage *cli_stage_new(const struct cli_command *command, const char *name);
void cli_stage_free(struct cli_stage *stage);
/* Appends a stage to the stages of `cli`, which then owns the stage. */
void cli_stages_add(struct cli *cli, struct cli_stage *stage);
void cli_stages_free(struct cli *cli);

/* Sets in each stage the options that its section does not set. The command line takes precedence over
 * sections. An option of the whole run whose needs a stage does not meet has its default in this stage. With
 * --resume, the first stage to run is the stage of the checkpoint. Returns an exit code; a failure is
 * reported in one line. */
int cli_stages_complete(struct cli *cli, const struct cli_groups *groups);

/* Whether an earlier stage writes a growing file at `path`, which this stage continues. */
bool cli_stage_continues(const struct cli *cli, const char *path);

/* Whether a column has values in any stage of the run of `stage`. */
bool cli_stages_have(const struct cli_stage *stage, const struct shoal_column *column);

/* "[WORKLOAD.NAME]" for messages, valid until the process ends; NULL: the values belong to no stage. */
const char *cli_stage_title(const struct cli *cli);

#endif
