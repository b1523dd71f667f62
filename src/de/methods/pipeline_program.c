/* Contracts of cl/de/methods/pipeline*.cl. */
#include "compute/contract.h"
#include "de/methods/pipeline.h"

static const struct shoal_entry_desc trial_entries[] = {
    ENTRY(de_pipeline, de_rank, .help = "rank of each member by its value"),
    ENTRY(de_pipeline, de_choose, .help = "F, CR and the members of which the trials are made"),
    ENTRY(de_pipeline, de_trial, .help = "trials or first positions, a work-item for eight dimensions"),
};

static const struct shoal_define_desc trial_defines[] = {
    DEFINE(de_pipeline, WG, 1, 1024, "work-group size, a power of two"),
    DE_RULE_DEFINE_DESCS(de_pipeline),
};

const struct shoal_program_desc de_trial_program =
    PROGRAM("de.trial", de_pipeline, 0, trial_defines, trial_entries);

static const struct shoal_entry_desc replace_entries[] = {
    ENTRY(de_pipeline_replace, de_select, .local_bytes_per_item = sizeof(double) + 2 * sizeof(uint32_t),
          .help = "which trials replace their members; archive and memory"),
    ENTRY(de_pipeline_replace, de_keep, .help = "replaces members, a work-item for eight dimensions"),
    ENTRY(de_pipeline_replace, de_shrink, .help = "removes the worst members of each island"),
};

static const struct shoal_define_desc replace_defines[] = {
    DEFINE(de_pipeline_replace, WG, 1, 1024, "work-group size, a power of two"),
    DE_RULE_DEFINE_DESCS(de_pipeline_replace),
};

const struct shoal_program_desc de_replace_program =
    PROGRAM("de.replace", de_pipeline_replace, 0, replace_defines, replace_entries);
