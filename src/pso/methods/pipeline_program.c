/* Contracts of cl/pso/methods/pipeline_*.cl. */
#include "compute/contract.h"
#include "pso/methods/pipeline.h"

static const struct shoal_entry_desc move_entries[] = {
    ENTRY(pso_pipeline_move, pso_move, .help = "moves or draws particles, a work-item for four dimensions"),
    ENTRY(pso_pipeline_move, pso_move_whole,
          .help = "moves or draws particles of SPSO-2011, a work-item "
                  "for each particle"),
};

static const struct shoal_define_desc move_defines[] = {
    DEFINE(pso_pipeline_move, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RANDOM_DEFINE_DESC(pso_pipeline_move),
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
    PSO_RANDOM_DEFINE_DESC(pso_pipeline_best),
    PSO_RULE_DEFINE_DESCS(pso_pipeline_best),
};

const struct shoal_program_desc pso_best_program =
    PROGRAM("pso.best", pso_pipeline_best, 0, best_defines, best_entries);
