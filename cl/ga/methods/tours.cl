/* Local search of children that are closed tours: chooses children, converts their orders to tours for
 * tsp/improve/improve.cl, converts improved tours back to orders, and evaluates the improved children. docs/ga.md,
 * "Local search". */
#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif

#include "ga/methods/pipeline.clh"
#include "objective/genome.clh"

/* A batch of `count` tours of `places` cities each, of the children picks[first] .. picks[first + count - 1].
 * src/ga/methods/tours.c has the same struct. */
struct ga_tour_batch {
    uint first, count, places;
};

/* Returns the number of words of an order; a word has two places. */
static inline uint order_words(uint places)
{
    return (places + 1u) / 2u;
}

/* Lists the children that get a local search. An island has `chosen` entries in `picks`. Its child with rank `rank` by
 * value, best first, is entry `rank`; if all children are chosen, they keep their order. An island that makes no
 * children does not change its entries. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_tours_pick(__global const real *restrict values, __global const uint *restrict words, __global uint *restrict picks,
                   struct search_shape shape, struct ga_shape own, uint chosen, uint step)
{
    const uint i = (uint)get_global_id(0), island = i / own.children, c = i % own.children;
    if (island < shape.islands && is_breeding(shape, words, island, step)) {
        __global const real *const other = values + island * own.children;
        const real value = other[c];
        uint k, rank = chosen < own.children ? 0u : c;
        /* The loop ends after `chosen` better children; for most children a few comparisons suffice. */
        for (k = 0u; chosen < own.children && k < own.children && rank < chosen; k++)
            rank += other[k] < value || (other[k] == value && k < c) ? 1u : 0u;
        if (rank < chosen)
            picks[island * chosen + rank] = i;
    }
}

/* ga_tours_load: converts orders of children to the tours of a batch. ga_tours_store: converts the tours back to
 * orders. A work-item copies a word of an order. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_tours_load(__global const uint *restrict children, __global const uint *restrict picks, __global uint *restrict tours,
                   struct search_shape shape, struct ga_tour_batch batch)
{
    const uint length = order_words(batch.places), tour = (uint)get_global_id(0) / length, w = (uint)get_global_id(0) % length;
    if (tour < batch.count) {
        const uint two = children[place_of(shape, picks[batch.first + tour], w)];
        const ulong at = (ulong)tour * batch.places + 2u * w;
        tours[at] = two & 0xffffu;
        if (2u * w + 1u < batch.places)
            tours[at + 1u] = two >> 16;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_tours_store(__global uint *restrict children, __global const uint *restrict picks, __global const uint *restrict tours,
                    struct search_shape shape, struct ga_tour_batch batch)
{
    const uint length = order_words(batch.places), tour = (uint)get_global_id(0) / length, w = (uint)get_global_id(0) % length;
    if (tour < batch.count) {
        const ulong at = (ulong)tour * batch.places + 2u * w;
        const uint second = 2u * w + 1u < batch.places ? tours[at + 1u] : 0u;
        children[place_of(shape, picks[batch.first + tour], w)] = tours[at] | second << 16;
    }
}

/* Evaluates the children of a batch; a work-item for each child. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_tours_value(__global uint *restrict children, __global const uint *restrict picks, __global const uint *restrict table,
                    __global real *restrict values, __global uint *restrict words, __global const real *restrict settings,
                    struct search_shape shape, struct ga_shape own, struct ga_tour_batch batch, uint step)
{
    const uint tour = (uint)get_global_id(0);
    if (tour < batch.count) {
        const uint i = picks[batch.first + tour];
        struct genome genome;
        genome.tile = shape.tile;
        genome.is_set = 0u;
        genome.generation = step;
        genome.reals = genome.wholes = genome.words = genome.places = children + place_of(shape, i, 0u);
        values[i] =
            counted((real)objective_value(&genome, TABLE_ARGUMENT((__global const table_number *)table) DIM), settings[SET_SIGN]);
        island_count_moves(words, i / own.children, 1ul);
    }
}
