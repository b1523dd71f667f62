/* One pass of a stable radix sort of pairs of 32-bit words, a key and a value. Passes go from the least significant
 * digit to the most significant one; a digit has up to 8 bits.
 *
 * The pairs are divided into chunks, each a whole number of tiles, one chunk for each work-group. sort_count counts
 * the digits of each chunk in counts[digit * groups + group]. An exclusive scan of this table gives the output index
 * of the first pair of each digit and chunk. sort_scatter sorts each tile in local memory and copies the runs of
 * equal digits to the output. Only the counts use atomics, so the result is always the same.
 */
#ifndef WG
#define WG 256
#endif
/* Number of pairs of a tile that a work-item handles. */
#ifndef ITEMS
#define ITEMS 16
#endif

#include "lib/group.clh"
#include "lib/sort/types.clh"

#define TILE (WG * ITEMS)

/* Number of copies of the counters. Successive work-items use different copies, since keys that are not random have
 * many equal digits. */
#define COPIES 4

/* A tile is sorted by 4 bits at a time. Each work-item counts its 16 digits in a column of 8 words: digit d in the
 * lower half and digit d + 8 in the upper half of word d. A half does not overflow, since a tile has fewer than 2^16
 * pairs. Columns are adjacent, and each row begins in the same bank. */
#define DIGIT_ROWS 8
#if WG < 32
#define ROW_SIZE WG
#else
#define ROW_SIZE (WG + 32)
#endif
#define COUNTER(row, column) ((row) * ROW_SIZE + SPREAD(column))

#if TILE > 65535
#error "WG * ITEMS must stay below 65536"
#endif
#if ITEMS > 32 || ITEMS & (ITEMS - 1)
#error "ITEMS must be a power of two up to 32"
#endif

/* Loads the words of a work-item, which are WG apart, so that a work-group reads successive words. count: of the
 * words in `data`; rest: value of the words beyond. */
static INLINE void load_striped(uint *word, __global const uint *data, uint count, uint rest)
{
    const uint lid = (uint)get_local_id(0);
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        word[k] = k * WG + lid < count ? data[k * WG + lid] : rest;
}

/* Reads the ITEMS successive words of a work-item from the tile. */
static INLINE void read_blocked(uint *word, local const uint *tile)
{
    const uint lid = (uint)get_local_id(0);
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        word[k] = tile[SPREAD(lid * ITEMS) + k];
}

static INLINE void read_striped(uint *word, local const uint *tile)
{
    const uint lid = (uint)get_local_id(0);
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        word[k] = tile[k * SPREAD(WG) + SPREAD(lid)];
}

static INLINE void write_tile(local uint *tile, const uint *word, const uint *place)
{
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        tile[place[k]] = word[k];
}

/* Gives each work-item ITEMS successive words of the tile in place of words that are WG apart: a stable sort keeps
 * this order. */
static INLINE void make_blocked(uint *word, local uint *tile)
{
    const uint lid = (uint)get_local_id(0);
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++)
        tile[k * SPREAD(WG) + SPREAD(lid)] = word[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    read_blocked(word, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Sorts the tile stably by (key >> bit) & mask, where mask <= 15. place[k]: receives the index in the sorted tile,
 * by SPREAD, of the work-item's key k; key: ITEMS successive keys. counters: [DIGIT_ROWS * ROW_SIZE]; scratch: [2
 * WG]. */
static INLINE void rank_keys(const uint *key, uint *place, uint bit, uint mask, local uint *counters,
                      local uint *scratch)
{
    const uint lid = (uint)get_local_id(0);
    const uint rake = COUNTER(lid * DIGIT_ROWS / WG, lid * DIGIT_ROWS % WG);
    struct scan_result scan;
    uint part[DIGIT_ROWS], sum = 0, before, k;
#pragma unroll
    for (k = 0; k < DIGIT_ROWS; k++)
        counters[COUNTER(k, lid)] = 0;
#pragma unroll
    for (k = 0; k < ITEMS; k++) {
        const uint digit = (key[k] >> bit) & mask, shift = 16 * (digit / DIGIT_ROWS);
        const uint at = COUNTER(digit % DIGIT_ROWS, lid), count = counters[at];
        place[k] = (count >> shift) & 0xffff;
        counters[at] = count + (1u << shift);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Exclusive scan over digits, and within a digit over work-items. Both halves of a word are added at the same
     * time. */
#pragma unroll
    for (k = 0; k < DIGIT_ROWS; k++) {
        part[k] = counters[rake + k];
        sum += part[k];
    }
    scan = group_scan(sum, scratch);
    before = scan.before + (scan.total << 16);
#pragma unroll
    for (k = 0; k < DIGIT_ROWS; k++) {
        counters[rake + k] = before;
        before += part[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (k = 0; k < ITEMS; k++) {
        const uint digit = (key[k] >> bit) & mask, shift = 16 * (digit / DIGIT_ROWS);
        const uint rank = place[k] + ((counters[COUNTER(digit % DIGIT_ROWS, lid)] >> shift) & 0xffff);
        place[k] = SPREAD(rank);
    }
}

/* Counts the digits of each chunk. chunk: number of pairs of a chunk, a multiple of TILE. The digit is the `bits` (at
 * most 8) bits of a key from `bit` on. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_count(__global const KEY *keys, __global uint *counts, uint n, uint chunk, uint bit, uint bits)
{
    __local uint histogram[COPIES * RADIX];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint radix = 1u << bits, end = min(n, (group + 1) * chunk);
    uint key[ITEMS], tile, k, digit;
    for (k = lid; k < COPIES * RADIX; k += WG)
        histogram[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (tile = group * chunk; tile < end; tile += TILE) {
        load_striped(key, keys + tile, end - tile, 0);
#pragma unroll
        for (k = 0; k < ITEMS; k++)
            if (k * WG + lid < end - tile)
                atomic_inc(&histogram[(lid % COPIES) * RADIX + ((key[k] >> bit) & (radix - 1))]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (digit = lid; digit < radix; digit += WG) {
        uint count = 0;
        for (k = 0; k < COPIES; k++)
            count += histogram[k * RADIX + digit];
        counts[digit * groups + group] = count;
    }
}

/* Copies the pairs to the output, in the order of this digit. places: the table of counts after its scan. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_scatter(__global const KEY *keys, __global const VALUE *values /* or NULL */, __global const uint *places,
                  __global KEY *keys_out, __global VALUE *values_out /* or NULL */, uint n, uint chunk, uint bit, uint bits)
{
    __local uint tile[SPREAD(TILE)];
    __local uint counters[DIGIT_ROWS * ROW_SIZE];
    __local uint scratch[2 * WG];
    __local uint next[RADIX];  /* output index at which the next run of each digit begins */
    __local uint shift[RADIX]; /* for each digit, the output index of a pair minus its index in the tile */
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint radix = 1u << bits, end = min(n, (group + 1) * chunk);
    /* Offsets from SPREAD(k WG) in the tile: element k WG + lid - 1 is at `left`, element k WG + lid + 1 at
     * `right`. */
    const uint left = SPREAD(WG + lid - 1) - SPREAD(WG), right = SPREAD(lid + 1);
    uint key[ITEMS], value[ITEMS], place[ITEMS], first, low, k;
    for (k = lid; k < radix; k += WG)
        next[k] = places[k * groups + group];

    for (first = group * chunk; first < end; first += TILE) {
        const uint count = min(end - first, (uint)TILE);
        uint ends = 0;
        /* The elements beyond the end get the largest digit, so that they follow the pairs. */
        load_striped(key, keys + first, count, 0xffffffffu);
        load_striped(value, values + first, count, 0);
        make_blocked(key, tile);
        make_blocked(value, tile);

        /* Sorts by the first 4 bits of a digit with more than 4 bits: at most one iteration. */
        for (low = 0; low + 4 < bits; low += 4) {
            rank_keys(key, place, bit + low, 15, counters, scratch);
            write_tile(tile, key, place);
            barrier(CLK_LOCAL_MEM_FENCE);
            read_blocked(key, tile);
            barrier(CLK_LOCAL_MEM_FENCE);
            write_tile(tile, value, place);
            barrier(CLK_LOCAL_MEM_FENCE);
            read_blocked(value, tile);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        rank_keys(key, place, bit + low, (1u << (bits - low)) - 1, counters, scratch);
        write_tile(tile, key, place);
        barrier(CLK_LOCAL_MEM_FENCE);
        read_striped(key, tile);
#pragma unroll
        for (k = 0; k < ITEMS; k++) {
            const uint at = k * WG + lid, digit = (key[k] >> bit) & (radix - 1);
            if (at < count) {
                if (at == 0 || ((tile[k * SPREAD(WG) + left] >> bit) & (radix - 1)) != digit)
                    shift[digit] = next[digit] - at;
                if (at + 1 == count || ((tile[k * SPREAD(WG) + right] >> bit) & (radix - 1)) != digit)
                    ends |= 1u << k;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        write_tile(tile, value, place);
        barrier(CLK_LOCAL_MEM_FENCE);
        read_striped(value, tile);
#pragma unroll
        for (k = 0; k < ITEMS; k++) {
            const uint at = k * WG + lid, digit = (key[k] >> bit) & (radix - 1);
            if (at < count) {
                const uint to = at + shift[digit];
                keys_out[to] = key[k];
                values_out[to] = value[k];
                if (ends >> k & 1)
                    next[digit] = to + 1;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
