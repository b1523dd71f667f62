/* Contracts of cl/de/methods/pipeline*.cl. */
#include "compute/contract.h"
#include "de/methods/level.h"
#include "de/methods/order.h"
#include "de/methods/pipeline.h"

static const struct shoal_entry_desc trial_entries[] = {
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
    ENTRY(de_pipeline_replace, de_gain, .local_bytes_per_item = sizeof(double) + 2 * sizeof(uint32_t),
          .help = "sums over the trials that are better than their members"),
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

static const struct shoal_entry_desc level_entries[] = {
    ENTRY(de_pipeline_level, de_level_begin, .local_bytes_per_item = 2 * sizeof(uint32_t),
          .help = "the level of violation with which an island begins"),
    ENTRY(de_pipeline_level, de_level, .help = "what members or trials count at the level of violation"),
};

static const struct shoal_define_desc level_defines[] = {
    DEFINE(de_pipeline_level, WG, 1, 1024, "work-group size, a power of two"),
    DE_RULE_DEFINE_DESCS(de_pipeline_level),
};

const struct shoal_program_desc de_level_program =
    PROGRAM("de.level", de_pipeline_level, 0, level_defines, level_entries);

static const struct shoal_entry_desc order_entries[] = {
    ENTRY(de_pipeline_order, de_rank, .local_bytes_per_item = sizeof(uint64_t),
          .help = "rank of each member, from comparisons with all others"),
    ENTRY(de_pipeline_order, de_keys, .help = "keys by which members are sorted"),
    ENTRY(de_pipeline_order, de_places, .help = "rank of each member, from sorted members"),
};

static const struct shoal_define_desc order_defines[] = {
    DEFINE(de_pipeline_order, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(de_pipeline_order, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc de_order_program =
    PROGRAM("de.order", de_pipeline_order, 0, order_defines, order_entries);
