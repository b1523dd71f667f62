/* Contracts of cl/pso/thesis. */
#include "cl/pso/thesis/choices.clh"
#include "compute/contract.h"
#include "pso/methods/pipeline.h"
#include "search/device/islands.h"

#include <shoal/theses.h>

#define SAME(kernels, host)                                                                                  \
    _Static_assert((int)(kernels) == (int)(host), "values differ between host and kernels")
SAME(GLOB, SHOAL_PSO_GLOB);
SAME(REG, SHOAL_PSO_REG);
SAME(SHARED, SHOAL_PSO_ARGMIN_SHARED - SHOAL_PSO_ARGMIN_SHARED);
SAME(SHFL, SHOAL_PSO_ARGMIN_SHFL - SHOAL_PSO_ARGMIN_SHARED);
SAME(VOL, SHOAL_PSO_ARGMIN_VOL - SHOAL_PSO_ARGMIN_SHARED);
SAME(WARP_FIRST, SHOAL_PSO_ARGMIN_WARP_FIRST - SHOAL_PSO_ARGMIN_SHARED);

static const struct shoal_entry_desc move_entries[] = {
    ENTRY(pso_move, pso_move_whole,
          .help = "moves or draws particles by XORWOW, a work-item for each "
                  "particle"),
};

static const struct shoal_define_desc move_defines[] = {
    DEFINE(pso_move, RANDOM, SHOAL_PSO_GLOB, SHOAL_PSO_REG, "2 glob, 3 reg"),
    DEFINE(pso_move, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RULE_DEFINE_DESCS(pso_move),
};

const struct shoal_program_desc pso_thesis_move_program =
    PROGRAM("pso.thesis-move", pso_move, 0, move_defines, move_entries);

static const struct shoal_entry_desc island_entries[] = {SEARCH_ISLAND_ENTRIES(pso_islands)};

static const struct shoal_define_desc island_defines[] = {
    DEFINE(pso_islands, ARGMIN, SHARED, WARP_FIRST,
           "end of the search in a group: 0 shared, 1 shfl, 2 vol, 3 warp first"),
    SEARCH_ISLAND_DEFINES(pso_islands),
};

const struct shoal_program_desc pso_thesis_islands_program =
    PROGRAM("pso.thesis-islands", pso_islands, 0, island_defines, island_entries);
