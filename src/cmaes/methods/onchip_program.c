/* Contract of cl/cmaes/methods/onchip.cl. */
#include "cmaes/device/device.h"
#include "cmaes/methods/onchip.h"
#include "compute/contract.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(cmaes_onchip, cmaes_run, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "many steps of populations, a work-group for each population"),
};

static const struct shoal_define_desc defines[] = {
    CMAES_DEFINE_DESCS(cmaes_onchip),
    DEFINE(cmaes_onchip, CMA_RANKED, 1, 16, "points that a work-item ranks at the same time"),
    DEFINE(cmaes_onchip, COLUMNS, 1, SEARCH_SETTINGS_NUMBERS,
           "columns of the table that an opaque objective reads"),
    DEFINE(cmaes_onchip, INSTANCES, 1, 1024, "tables one behind the other, which populations read in turn"),
    DEFINE(cmaes_onchip, IN_LOCAL, 0, 1, "1: vectors and matrices are in local memory"),
    DEFINE(cmaes_onchip, MIN_GROUPS, 1, 16, "CUDA: groups that are to fit a multiprocessor at a time"),
    DEFINE(cmaes_onchip, POOL, 1, 1 << 20, "local memory of a population in units of 8 bytes"),
    DEFINE(cmaes_onchip, TABLE_ROWS, 1, SEARCH_SETTINGS_NUMBERS, "rows of that table"),
    DEFINE(cmaes_onchip, TEAM_POINTS, 0, 65536, "points whose values all work-items compute together"),
};

const struct shoal_program_desc cmaes_onchip_program =
    PROGRAM("cmaes.onchip", cmaes_onchip, 0, defines, entries);
