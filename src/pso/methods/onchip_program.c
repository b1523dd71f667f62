/* Contract of cl/pso/methods/onchip.cl. */
#include "compute/contract.h"
#include "pso/methods/onchip.h"

static const struct shoal_entry_desc entries[] = {
    ENTRY(pso_onchip, onchip_run, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "many steps of islands, a work-group for each island"),
    ENTRY(pso_onchip, onchip_exchange, .help = "replaces the worst particles by champions of other islands"),
    ENTRY(pso_onchip, onchip_settle, .help = "records of the islands after an exchange"),
    ENTRY(pso_onchip, onchip_end, .help = "ends runs of several islands"),
};

enum { MAX_PARTICLES = 1 << 20, MAX_DIM = 1 << 20 };

static const struct shoal_define_desc defines[] = {
    PSO_RANDOM_DEFINE_DESC(pso_onchip),
    PSO_RULE_DEFINE_DESCS(pso_onchip),
    DEFINE(pso_onchip, BATCH, 0, MAX_PARTICLES, "particles that move before bests are shared; 0: all"),
    DEFINE(pso_onchip, COLUMNS, 1, SEARCH_SETTINGS_NUMBERS,
           "columns of the table that an opaque objective reads"),
    DEFINE(pso_onchip, DIM, 1, MAX_DIM, "dimensions"),
    DEFINE(pso_onchip, LANES, 1, 64,
           "work-items that share a particle, a power of two; 1 for opaque objectives"),
    DEFINE(pso_onchip, NEIGHBOURS, 1, MAX_PARTICLES, "of a ring; random: draws of links"),
    DEFINE(pso_onchip, PARTICLES, 1, MAX_PARTICLES, "of an island"),
    DEFINE(pso_onchip, POOL, 1, 1 << 20, "local memory of an island in units of 8 bytes"),
    DEFINE(pso_onchip, TABLE_ROWS, 1, SEARCH_SETTINGS_NUMBERS, "rows of that table"),
    DEFINE(pso_onchip, TORUS, 1, MAX_PARTICLES, "columns of von Neumann's torus"),
    DEFINE(pso_onchip, WG, 1, 1024, "work-group size, a multiple of LANES"),
};

const struct shoal_program_desc pso_onchip_program = PROGRAM("pso.onchip", pso_onchip, 0, defines, entries);
