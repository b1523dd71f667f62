/* Runs of `shoal WORKLOAD` in stages. */
#ifndef SHOAL_TOOLS_CLI_RUN_STAGES_H
#define SHOAL_TOOLS_CLI_RUN_STAGES_H

#include "cli/row.h"
#include "cli/stages.h"

#include <cjson/cJSON.h>

/* The state between two stages: where a stage ends, and whether another one follows. */
struct run_link {
    uint64_t begin;              /* step at which the stage begins */
    bool follows, has_next;      /* another stage comes before it; another stage follows */
    struct shoal_stage_end *end; /* the state at the end, where has_next; NULL: the stage did not reach its
                                  * end */
};

/* Adds "params", the parameters that all stages share, and "stages", name and parameters of each stage. A run
 * without stages has only "params". */
void run_stages_json(cJSON *json, const struct cli *cli);
/* Prints a line for each stage, with the options that may change between stages. */
void run_stages_text(const struct cli *cli);

#endif
