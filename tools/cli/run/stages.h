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

/* "params", those that all stages share, and "stages", name and parameters of each. A run without stages has
 * the former alone. */
void run_stages_json(cJSON *json, const struct cli *cli);
/* A line for each one, with the options that may change between them. */
void run_stages_text(const struct cli *cli);

#endif
