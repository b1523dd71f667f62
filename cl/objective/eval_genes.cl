/* Values of an objective over genes (OPAQUE with VARIABLES) at many individuals; a work-item for each individual.
 *
 * Individual i is in tile i / tile. The distance between two of its words is `tile` words, and its first word is word i
 * % tile of the tile. objective/objective.clh describes the order of the words. y[i] is a real, or a long if VALUE is
 * LONG.
 */
#ifndef WG
#define WG 128
#endif
#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif

#include "lib/real.clh"
#include "objective/layout.clh"
#include "objective/genome.clh"

#ifdef REPAIR
static inline void objective_repair(GENOME_MUTABLE, TABLE_ARGUMENT(__global const table_number *table) uint dim);
#endif

/* Returns the number of words of an individual. */
static inline uint words_of(struct genes_launch launch)
{
    return launch.reals * REAL_WORDS + launch.wholes + launch.words + (launch.places + 1u) / 2u + launch.extra;
}

/* Returns the index of the first word of an individual. */
static inline ulong place_of(uint individual, struct genes_launch launch)
{
    return (ulong)(individual / launch.tile) * words_of(launch) * launch.tile + individual % launch.tile;
}

static inline struct genome genome_at(__global const uint *genes, uint individual, struct genes_launch launch)
{
    struct genome genome;
    genome.tile = launch.tile;
    genome.is_set = 0u;
    genome.generation = launch.generation;
    genome.reals = (__global uint *)genes + place_of(individual, launch);
    genome.wholes = genome.reals + launch.reals * REAL_WORDS * launch.tile;
    genome.words = genome.wholes + launch.wholes * launch.tile;
    genome.places = genome.words + launch.words * launch.tile;
    return genome;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void eval_genes(__global const uint *restrict genes, __global uint *restrict y,
                __global const uint *restrict table /* or NULL */, struct genes_launch launch)
{
    const uint index = (uint)get_global_id(0), individual = launch.first + index;
    (void)table;
    if (index < launch.count) {
        const struct genome at = genome_at(genes, individual, launch);
        ((__global objective_number *)y)[individual] =
            objective_value(&at, TABLE_ARGUMENT((__global const table_number *)table) launch.dim);
    }
}

/* Repairs individuals and evaluates them. is_copied: individuals are first copied from `source`; otherwise `source` is
 * the same buffer as `genes`. Only for objectives with REPAIR. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void repair_genes(__global uint *genes, __global uint *restrict y, __global const uint *restrict table /* or NULL */,
                  struct genes_launch launch, __global const uint *source)
{
#ifdef REPAIR
    const uint index = (uint)get_global_id(0), individual = launch.first + index;
    (void)table;
    if (index < launch.count) {
        struct genome at = genome_at(genes, individual, launch);
        uint w;
        for (w = 0u; launch.is_copied && w < words_of(launch); w++)
            at.reals[w * launch.tile] = source[place_of(individual, launch) + w * launch.tile];
        objective_repair(&at, TABLE_ARGUMENT((__global const table_number *)table) launch.dim);
        ((__global objective_number *)y)[individual] =
            objective_value(&at, TABLE_ARGUMENT((__global const table_number *)table) launch.dim);
    }
#else
    (void)genes;
    (void)y;
    (void)table;
    (void)launch;
    (void)source;
#endif
}

/* y[i] is the change of the value by move (moves[2 i], moves[2 i + 1]). Only for objectives with CHANGE. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void change_genes(__global const uint *restrict genes, __global uint *restrict y, __global const uint *restrict moves,
                  __global const uint *restrict table /* or NULL */, struct genes_launch launch)
{
#if CHANGE
    const uint index = (uint)get_global_id(0), individual = launch.first + index;
    (void)table;
    if (index < launch.count) {
        const struct genome at = genome_at(genes, individual, launch);
        ((__global objective_number *)y)[individual] =
            objective_change(&at, TABLE_ARGUMENT((__global const table_number *)table) moves[2u * individual],
                             moves[2u * individual + 1u], launch.dim);
    }
#else
    (void)genes;
    (void)y;
    (void)moves;
    (void)table;
    (void)launch;
#endif
}
