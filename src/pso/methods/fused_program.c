/* Contracts of cl/pso/methods/fused.cl and fused_best.cl. */
#include "compute/contract.h"
#include "pso/methods/fused.h"

/* Local memory. A work-item needs its part of the largest SCRATCH of the kernel file, and an index. A group
 * needs two words for tickets. */
enum { LOCAL_BYTES_PER_ITEM = FUSED_SHARED_ITEMS * sizeof(double) + sizeof(uint32_t), TICKET_BYTES = 8 };

static const struct shoal_entry_desc entries[] = {
    ENTRY(pso_fused, pso_init, .local_bytes_per_item = LOCAL_BYTES_PER_ITEM,
          .help = "draws the swarm and evaluates it"),
    ENTRY(pso_fused, pso_step, .local_bytes = TICKET_BYTES, .local_bytes_per_item = LOCAL_BYTES_PER_ITEM,
          .help = "one step: moves and evaluates particles, keeps the best of each particle, each group and "
                  "the swarm"),
    ENTRY(pso_fused, pso_collect, .local_bytes_per_item = sizeof(double) + sizeof(uint32_t),
          .help = "the swarm's best after the last step, with its position"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(pso_fused, AHEAD, 0, 1, "1: coordinates are loaded one iteration ahead"),
    DEFINE(pso_fused, DEPTH, 1, 8, "blocks of random words for which coordinates are loaded at a time"),
    DEFINE(pso_fused, GROUPS, 1, 16, "native: work-groups of a cluster that makes many steps; 1: no cluster"),
    DEFINE(pso_fused, HELD, 0, 4096,
           "native: dimensions of a swarm that the groups of a launch hold in local "
           "memory; 0: they do not"),
    DEFINE(pso_fused, ITEMS, 1, 256, "particles of a work-item, at most 4 unless SLICES is 1"),
    DEFINE(pso_fused, MIN_GROUPS, 1, 16, "CUDA: minimum number of resident groups per multiprocessor"),
    DEFINE(pso_fused, SLICES, 1, 64, "work-items that share a particle, a power of two"),
    DEFINE(pso_fused, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RANDOM_DEFINE_DESC(pso_fused),
    PSO_RULE_DEFINE_DESCS(pso_fused),
};

const struct shoal_program_desc pso_fused_program = PROGRAM("pso.fused", pso_fused, 0, defines, entries);

static const struct shoal_entry_desc best_entries[] = {
    ENTRY(pso_fused_best, pso_copy_best, .local_bytes_per_item = sizeof(double) + sizeof(uint32_t),
          .help = "copies the best of several rows to a row"),
};

static const struct shoal_define_desc best_defines[] = {
    DEFINE(pso_fused_best, REAL, 32, 64, "floating-point format: 32 or 64"),
    DEFINE(pso_fused_best, WG, 1, 1024, "work-group size, a power of two"),
};

const struct shoal_program_desc pso_fused_best_program =
    PROGRAM("pso.fused_best", pso_fused_best, 0, best_defines, best_entries);
