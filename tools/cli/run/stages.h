/* Runs of `shoal WORKLOAD` in stages. */
#ifndef SHOAL_TOOLS_CLI_RUN_STAGES_H
#define SHOAL_TOOLS_CLI_RUN_STAGES_H

#include "cli/row.h"
#include "cli/stages.h"

#include <cjson/cJSON.h>

/* Position of a stage in a run, and the state that the stage hands to the next stage. */
struct run_link {
    uint64_t begin;         /* step at which the stage begins */
    bool follows, has_next; /* follows: an earlier stage ran before; has_next: another stage follows */
    /* the state at the end, if has_next is true; NULL: the stage did not reach its end */
    struct shoal_stage_end *end;
};

/* Adds "params", the parameters that all stages share, and "stages", name and parameters of each stage. A run
 * without stages has only "params". */
void run_stages_json(cJSON *json, const struct cli *cli);
/* Prints a line for each stage, with the options that may change between stages. */
void run_stages_text(const struct cli *cli);

#endif
