/* Stable radix sort that reads and writes the pairs once for each digit (Adinets, Merrill: Onesweep, 2022). Digits of up
 * to 8 bits are sorted from the least significant one to the most significant one.
 *
 * sort_histogram counts all digits of all keys. Then each launch of sort_sweep sorts by one digit. A work-group sorts a
 * tile of pairs in local memory and copies its runs of equal digits to the output. The output index of a run is the
 * number of pairs with a smaller digit, plus the number of pairs with the same digit in earlier tiles. Work-groups find
 * the latter as those of lib/scan.cl do: a work-group takes the number of its tile from a counter, publishes its counts
 * of digits, and adds up what earlier tiles have published.
 *
 * Status word of a tile and a digit. 0: nothing is published yet. Bit 31 set: the lower bits are the output index behind
 * the run of the tile. Else: the number of pairs of the tile with the digit, plus 1. Each launch clears the words that
 * the next one uses. Atomics only count, so the result is always the same.
 */
#ifndef WG
#define WG 256
#endif
/* Words of local memory that a work-item has for its pairs. */
#ifndef ITEMS
#define ITEMS 16
#endif
/* CUDA: number of groups that a multiprocessor must hold, which limits registers. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 2
#endif
/* How a status word is read and written. 0: by atomic operations. 1: by volatile loads and stores, which take less time
 * if they bypass caches that are not coherent, as on GPUs. */
#ifndef VOLATILE_STATUS
#define VOLATILE_STATUS 0
#endif

#include "lib/group.clh"
#include "lib/sort/types.clh"

#if KEY_BITS == 64 || VALUE_BITS == 64
#define PAIRS (ITEMS / 2)
#define WORD  ulong
#else
#define PAIRS ITEMS
#define WORD  uint
#endif

#define TILE (WG * PAIRS)

#if PAIRS < 1 || TILE > 65535
#error "a work-group needs 1 to 65535 pairs"
#endif

/* A team ranks keys together: the work-items of a warp, or as many successive work-items of a group. The pairs of a team
 * follow each other in the tile; pair k of a work-item is TEAM behind its pair k - 1. */
#if WG < 32
#define TEAM WG
#else
#define TEAM 32
#endif
#define TEAMS (WG / TEAM)

/* Number of digits whose counts a work-item adds up; of more than RADIX work-items, the first RADIX have one each. */
#if WG < RADIX
#define BINS (RADIX / WG)
#else
#define BINS 1
#endif

#if SHOAL_WARPS && TEAM == 32
#define RANK_BY_WARPS 1
#define RANK_WORDS (TEAMS * RADIX + 2 * WG)
#else
#define RANK_BY_WARPS 0
#define MASK_TABLES (WG > 256 ? 1 : 2) /* as many as fit in local memory */
#define RANK_WORDS ((1 + MASK_TABLES) * TEAMS * RADIX)
#endif

/* Local memory for one purpose after the other: for counters, for keys, for values. */
#define WORDS_OF_PAIRS (TILE * (int)(sizeof(WORD) / 4))
#define ROOM ((WORDS_OF_PAIRS > RANK_WORDS ? WORDS_OF_PAIRS : RANK_WORDS) / (int)(sizeof(WORD) / 4) + 1)

#define PREFIX 0x80000000u

/* Number of status words that a work-item reads together. */
#define WINDOW 4

/* Number of copies of the counters of sort_histogram. Successive work-items use different copies, since keys that are
 * not random have many equal digits. */
#define DIGITS      (KEY_BITS / 8)
#define COPIES      (16 / DIGITS)
#define MOST_DIGITS 8 /* of any key */
/* Number of keys that a work-item of sort_histogram has in flight. */
#define LOADS 16

static INLINE void publish(__global uint *word, uint value)
{
#if VOLATILE_STATUS
    *(volatile __global uint *)word = value;
#else
    atomic_xchg(word, value);
#endif
}

static INLINE uint published(__global uint *word)
{
#if VOLATILE_STATUS
    return *(volatile __global uint *)word;
#else
    return atomic_or(word, 0u);
#endif
}

/* Counts the digits of all keys in bins[digit number][digit], which are 0 before, and clears `cleared` status words. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_histogram(__global const KEY *keys, __global uint *bins, __global uint *status, uint n, uint cleared,
                    uint first_bit, uint end_bit)
{
    __local uint counts[DIGITS * RADIX * COPIES];
    const uint lid = (uint)get_local_id(0), copy = lid % COPIES;
    const uint digits = (end_bit - first_bit + 7) / 8;
    uint from, i, k, d;
    for (i = lid; i < DIGITS * RADIX * COPIES; i += WG)
        counts[i] = 0;
    for (i = (uint)get_global_id(0); i < cleared; i += (uint)get_global_size(0))
        status[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (from = (uint)get_group_id(0) * (WG * LOADS) + lid; from < n; from += (uint)get_num_groups(0) * (WG * LOADS)) {
        KEY key[LOADS];
#pragma unroll
        for (k = 0; k < LOADS; k++)
            key[k] = from + k * WG < n ? keys[from + k * WG] : 0;
#pragma unroll
        for (k = 0; k < LOADS; k++)
            if (from + k * WG < n)
#pragma unroll
                for (d = 0; d < DIGITS; d++)
                    if (d < digits) {
                        const uint bit = first_bit + 8 * d, mask = (1u << min(8u, end_bit - bit)) - 1;
                        atomic_inc(&counts[(d * RADIX + digit_of(key[k], bit, mask)) * COPIES + copy]);
                    }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < digits * RADIX; i += WG) {
        uint count = 0;
        for (k = 0; k < COPIES; k++)
            count += counts[i * COPIES + k];
        if (count)
            atomic_add(&bins[i], count);
    }
}

/* Two places of a tile are packed in a word, and four digits. */
static INLINE uint unpack_place(const uint *places, uint k)
{
    return places[k / 2] >> 16 * (k % 2) & 0xffff;
}

static INLINE uint unpack_digit(const uint *digits, uint k)
{
    return digits[k / 4] >> 8 * (k % 4) & 0xff;
}

#if RANK_BY_WARPS

/* The work-items of the warp whose digit is that of this work-item, a bit for each. */
static INLINE uint warp_peers(uint digit)
{
    uint peers = 0xffffffffu, b;
#pragma unroll
    for (b = 0; b < 8; b++) {
        const uint is_set = digit >> b & 1, votes = SHOAL_WARP_BALLOT(is_set);
        peers &= is_set ? votes : ~votes;
    }
    return peers;
}

/* Packs in `places` how many earlier pairs of the team have the digit of pair k; counts the digits of each team in
 * counters[team][digit]. counters: [RANK_WORDS]. */
static INLINE void rank_digits(const KEY *key, uint *places, uint bit, uint mask, local uint *counters)
{
    const uint lid = (uint)get_local_id(0), lane = lid % TEAM;
    local uint *mine = counters + lid / TEAM * RADIX;
    uint k;
#pragma unroll
    for (k = 0; k < RADIX; k += TEAM)
        mine[k + lane] = 0;
    SHOAL_WARP_SYNC();
#pragma unroll
    for (k = 0; k < PAIRS; k++) {
        const uint digit = digit_of(key[k], bit, mask), peers = warp_peers(digit);
        const uint last = 31 - clz(peers);
        uint before = 0;
        if (lane == last)
            before = atomic_add(&mine[digit], popcount(peers));
        before = SHOAL_WARP_FROM(before, last) + popcount(peers & ((1u << lane) - 1));
        places[k / 2] = (k % 2 ? places[k / 2] : 0) | before << 16 * (k % 2);
    }
}

#else

static INLINE void rank_digits(const KEY *key, uint *places, uint bit, uint mask, local uint *counters)
{
    const uint lid = (uint)get_local_id(0), lane = lid % TEAM;
    local uint *mine = counters + lid / TEAM * RADIX;
    uint k;
    for (k = lid; k < RANK_WORDS; k += WG)
        counters[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Two tables of masks are used in turn, so that one is cleared while the other is written. A single table needs a
     * barrier more. */
    for (k = 0; k < PAIRS; k++) {
        const uint digit = digit_of(key[k], bit, mask);
        local uint *peers_at = mine + (1 + k % MASK_TABLES) * (TEAMS * RADIX) + digit;
        uint peers, before;
        atomic_or(peers_at, 1u << lane);
        barrier(CLK_LOCAL_MEM_FENCE);
        peers = *peers_at;
        before = mine[digit];
        places[k / 2] = (k % 2 ? places[k / 2] : 0) | (before + popcount(peers & ((1u << lane) - 1))) << 16 * (k % 2);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 31 - clz(peers)) {
            mine[digit] = before + popcount(peers);
            *peers_at = 0;
        }
        if (MASK_TABLES == 1)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#endif

/* The output index of a tile's run: the sum of what earlier tiles have published for a digit, back to the first one
 * that has published an index. status: status word of the tile and the digit. Tile 0 has published an index. */
static INLINE uint look_back(__global uint *status)
{
    uint sum = 0, done = 0, j;
    do {
        uint word[WINDOW], open = 1, used = 0;
#pragma unroll
        for (j = 0; j < WINDOW; j++)
            word[j] = published(status - (j + 1) * RADIX);
#pragma unroll
        for (j = 0; j < WINDOW; j++) {
            open = open && word[j] != 0 && !done;
            if (open) {
                done = word[j] & PREFIX;
                sum += done ? word[j] - PREFIX : word[j] - 1;
                used++;
            }
        }
        status -= used * RADIX;
    } while (!done);
    return sum;
}

/* What a work-item knows about its digits, which are lid * BINS to lid * BINS + BINS - 1. */
struct tile {
    uint number, valid; /* number of the tile, and its number of pairs */
    uint count[BINS];   /* number of pairs with the digit */
    uint first[BINS];   /* index in the sorted tile of the first of them */
    uint start[BINS];   /* output index of the first of them */
};

/* Adds up the counts of the teams, and publishes the counts of the tile. Replaces the counts in `counters` by the index
 * of each team's first pair with a digit in the sorted tile. next_status: words that become 0. scratch: [2 WG]. */
static INLINE void add_teams(struct tile *tile, uint mask, local uint *counters, __global uint *status,
                             __global uint *next_status, local uint *scratch)
{
    uint part[BINS * TEAMS], sum = 0, b, k;
#pragma unroll
    for (b = 0; b < BINS; b++) {
        const uint bin = (uint)get_local_id(0) * BINS + b, word = (tile->number + WINDOW) * RADIX + bin;
        uint pairs = 0;
        if (bin < RADIX) {
#pragma unroll
            for (k = 0; k < TEAMS; k++) {
                part[b * TEAMS + k] = counters[k * RADIX + bin];
                pairs += part[b * TEAMS + k];
            }
        }
        tile->first[b] = pairs;
        tile->count[b] = bin == mask ? pairs - (TILE - tile->valid) : pairs;
        sum += pairs;
        if (bin < RADIX) {
            if (tile->number > 0)
                publish(&status[word], tile->count[b] + 1);
            next_status[word] = 0;
        }
    }
    sum = group_scan(sum, scratch).before;
#pragma unroll
    for (b = 0; b < BINS; b++) {
        const uint bin = (uint)get_local_id(0) * BINS + b, pairs = tile->first[b];
        uint at = sum;
        tile->first[b] = sum;
        sum += pairs;
        if (bin < RADIX)
#pragma unroll
            for (k = 0; k < TEAMS; k++) {
                counters[k * RADIX + bin] = at;
                at += part[b * TEAMS + k];
            }
    }
}

/* The output index of the first run of each digit, which only the first tile adds up. */
static INLINE void start_first_tile(struct tile *tile, __global const uint *bins, local uint *scratch)
{
    uint sum = 0, b;
#pragma unroll
    for (b = 0; b < BINS; b++) {
        const uint bin = (uint)get_local_id(0) * BINS + b;
        tile->start[b] = bin < RADIX ? bins[bin] : 0;
        sum += tile->start[b];
    }
    sum = group_scan(sum, scratch).before;
#pragma unroll
    for (b = 0; b < BINS; b++) {
        const uint pairs = tile->start[b];
        tile->start[b] = sum;
        sum += pairs;
    }
}

/* Finds the output index of each run and publishes the index behind it. shift: receives for each digit the output index
 * of a pair minus its index in the sorted tile. */
static INLINE void start_runs(struct tile *tile, __global uint *status, local uint *shift)
{
    uint b;
#pragma unroll
    for (b = 0; b < BINS; b++) {
        const uint bin = (uint)get_local_id(0) * BINS + b;
        if (bin < RADIX) {
            __global uint *word = &status[(tile->number + WINDOW) * RADIX + bin];
            if (tile->number > 0)
                tile->start[b] = look_back(word);
            publish(word, PREFIX | (tile->start[b] + tile->count[b]));
            shift[bin] = tile->start[b] - tile->first[b];
        }
    }
}

/* Sorts by a digit of `bits` bits from bit `bit` on. bins: the counts of sort_histogram; behind them, a counter of tiles
 * for each digit, 0 before. status: status words of this launch, behind WINDOW rows without a tile, so that look_back
 * need not know where the first tile is; next_status: status words of the next launch. values, values_out: NULL without
 * values. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void sort_sweep(__global const KEY *keys, __global const VALUE *values /* or NULL */, __global uint *bins,
                __global uint *status, __global uint *next_status, __global KEY *keys_out,
                __global VALUE *values_out /* or NULL */, uint n, uint digit_number, uint bit, uint bits)
{
    __local WORD room[ROOM];
    __local uint shift[RADIX];
    local uint *counters = (local uint *)room, *scratch = counters + TEAMS * RADIX;
    local KEY *tile_keys = (local KEY *)room;
    local VALUE *tile_values = (local VALUE *)room;
    const uint lid = (uint)get_local_id(0), mask = (1u << bits) - 1;
    const uint mine = lid / TEAM * (TEAM * PAIRS) + lid % TEAM; /* the work-item's first pair in the tile */
    uint places[(PAIRS + 1) / 2], digits[(PAIRS + 3) / 4], k;
    KEY key[PAIRS];
    VALUE value[PAIRS];
    struct tile tile;
    if (lid == 0)
        shift[0] = atomic_inc(&bins[MOST_DIGITS * RADIX + digit_number]);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile.number = shift[0];
    tile.valid = min(n - tile.number * TILE, (uint)TILE);

    /* Keys beyond the end get the largest digit, so that they follow the pairs. */
    keys += tile.number * TILE + mine;
#pragma unroll
    for (k = 0; k < PAIRS; k++)
        key[k] = mine + k * TEAM < tile.valid ? keys[k * TEAM] : ~(KEY)0;
    rank_digits(key, places, bit, mask, counters);
    barrier(CLK_LOCAL_MEM_FENCE);
    add_teams(&tile, mask, counters, status, next_status, scratch);
    if (tile.number == 0)
        start_first_tile(&tile, bins + digit_number * RADIX, scratch);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (k = 0; k < PAIRS; k++)
        places[k / 2] += counters[lid / TEAM * RADIX + digit_of(key[k], bit, mask)] << 16 * (k % 2);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (k = 0; k < PAIRS; k++)
        tile_keys[unpack_place(places, k)] = key[k];

    /* The values arrive while the output indices are looked up. */
    if (VALUE_BITS) {
        values += tile.number * TILE + mine;
#pragma unroll
        for (k = 0; k < PAIRS; k++)
            value[k] = mine + k * TEAM < tile.valid ? values[k * TEAM] : 0;
    }
    start_runs(&tile, status, shift);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (k = 0; k < PAIRS; k++) {
        const uint at = k * WG + lid;
        const KEY sorted = tile_keys[at];
        const uint digit = digit_of(sorted, bit, mask);
        if (at < tile.valid)
            keys_out[at + shift[digit]] = sorted;
        digits[k / 4] = (k % 4 ? digits[k / 4] : 0) | digit << 8 * (k % 4);
    }
    if (VALUE_BITS) {
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (k = 0; k < PAIRS; k++)
            tile_values[unpack_place(places, k)] = value[k];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (k = 0; k < PAIRS; k++) {
            const uint at = k * WG + lid;
            if (at < tile.valid)
                values_out[at + shift[unpack_digit(digits, k)]] = tile_values[at];
        }
    }
}
