/* Runs of `shoal WORKLOAD` in stages. */
#ifndef SHOAL_TOOLS_CLI_RUN_STAGES_H
#define SHOAL_TOOLS_CLI_RUN_STAGES_H

#include "cli/row.h"
#include "cli/stages.h"

#include <cjson/cJSON.h>

/* Where one stage ends, and whether another one follows there. */
struct run_link {
    uint64_t begin;              /* step at which the stage begins */
    bool follows, has_next;      /* a stage comes before it, and one after it */
    struct shoal_stage_end *end; /* which `has_next` asks for; NULL: the stage did not get there */
};

/* Runs a stage on the device of the row; `link` NULL: the run has none. Exit code. */
typedef int run_row_call(struct cli *cli, struct cli_row *row, struct shoal_run_params params,
                         struct run_link *link);

/* The stages on each device in turn, from cli->first_stage on. One that fails or is stopped ends those of its
 * device: the rows of the others say so. `rows` has room for each stage on each device; *count receives how
 * many are filled. Exit code. */
int run_stages(struct cli *cli, struct shoal_run_params params, run_row_call *run_row, struct cli_row *rows,
               size_t *count);

/* "params", those that all stages share, and "stages", name and parameters of each. A run without stages has
 * the former alone. */
void run_stages_json(cJSON *json, const struct cli *cli);
/* A line for each one, with the options that may change between them. */
void run_stages_text(const struct cli *cli);

#endif
