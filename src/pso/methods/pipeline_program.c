/* Contracts of cl/pso/methods/pipeline_*.cl. */
#include "compute/contract.h"
#include "pso/methods/pipeline.h"

static const struct shoal_entry_desc move_entries[] = {
    ENTRY(pso_pipeline_move, pso_move, .help = "moves or draws particles, four dimensions a work-item"),
    ENTRY(pso_pipeline_move, pso_move_whole,
          .help = "moves or draws particles, one a work-item: SPSO-2011, XORWOW"),
};

static const struct shoal_define_desc move_defines[] = {
    DEFINE(pso_pipeline_move, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RULE_DEFINE_DESCS(pso_pipeline_move),
};

const struct shoal_program_desc pso_move_program =
    PROGRAM("pso.move", pso_pipeline_move, 0, move_defines, move_entries);

static const struct shoal_entry_desc best_entries[] = {
    ENTRY(pso_pipeline_best, pso_keep, .local_bytes = 0, .local_bytes_per_item = sizeof(uint32_t),
          .help = "personal bests from the values"),
    ENTRY(pso_pipeline_best, pso_unlink, .help = "empties the lists of random links that are due"),
    ENTRY(pso_pipeline_best, pso_links, .help = "draws random links that are due"),
    ENTRY(pso_pipeline_best, pso_leaders, .help = "the best neighbour of each particle"),
};

static const struct shoal_define_desc best_defines[] = {
    DEFINE(pso_pipeline_best, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RULE_DEFINE_DESCS(pso_pipeline_best),
};

const struct shoal_program_desc pso_best_program =
    PROGRAM("pso.best", pso_pipeline_best, 0, best_defines, best_entries);

/* A value and its index for each work-item. */
enum { ARGMIN_BYTES_PER_ITEM = sizeof(double) + sizeof(uint32_t) };

static const struct shoal_entry_desc island_entries[] = {
    ENTRY(pso_pipeline_island, pso_argmin, .local_bytes_per_item = ARGMIN_BYTES_PER_ITEM,
          .help = "one pass of the search for the best particle of each island"),
    ENTRY(pso_pipeline_island, pso_settle, .local_bytes_per_item = ARGMIN_BYTES_PER_ITEM,
          .help = "best particle, champion and record of each island at the end of a step"),
    ENTRY(pso_pipeline_island, pso_exchange, .local_bytes_per_item = ARGMIN_BYTES_PER_ITEM,
          .help = "champions of other islands for the worst particles"),
    ENTRY(pso_pipeline_island, pso_ends, .local_bytes = 2 * sizeof(uint32_t),
          .help = "ends runs by target and stagnation"),
};

static const struct shoal_define_desc island_defines[] = {
    DEFINE(pso_pipeline_island, ARGMIN, 0, 3,
           "end of the search in a group: 0 shared, 1 shfl, 2 vol, 3 warp first"),
    DEFINE(pso_pipeline_island, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RULE_DEFINE_DESCS(pso_pipeline_island),
};

const struct shoal_program_desc pso_island_program =
    PROGRAM("pso.island", pso_pipeline_island, 0, island_defines, island_entries);
