/* Exclusive scan of 32-bit words in one pass, which reads and writes memory once (Merrill, Garland: Single-pass
 * parallel prefix scan with decoupled look-back, 2016).
 *
 * A work-group gets the number of its next tile from a counter (`ticket`), so tiles are begun in order, and each
 * earlier tile belongs to a work-group that runs or has ended. So waiting for earlier tiles always ends, in whatever
 * order the device starts work-groups. A work-group publishes the sum of its tile. Then it adds up the published sums
 * of earlier tiles, from the last one backwards, until it finds a tile that has published its prefix: the sum of all
 * elements up to its end.
 *
 * Status word of a tile: its upper half is 4 epoch + state, its lower half the value. Words of an earlier run have an
 * earlier epoch and count as empty, and tickets continue from `first_ticket`, so nothing has to be cleared between
 * runs.
 */
#ifndef WG
#define WG 256
#endif
#ifndef ITEMS
#define ITEMS 16
#endif
/* 2: a launch scans two ranges, each by itself. */
#ifndef RANGES
#define RANGES 1
#endif
/* How a status word is read. 0: by an atomic addition of 0. 1: by a volatile load, which takes less time if a 64-bit
 * load is a single access that bypasses caches that are not coherent, as on GPUs. */
#ifndef VOLATILE_READ
#define VOLATILE_READ 0
#endif

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#include "lib/scan.clh"

#define STATE_SUM    1u /* value: the sum of the tile */
#define STATE_PREFIX 2u /* value: the sum of all elements up to the end of the tile */

/* Number of status words that are read together. */
#if WG < 32
#define WINDOW WG
#else
#define WINDOW 32
#endif

#if VOLATILE_READ
#define READ_STATUS(word) (*(volatile __global ulong *)(word))
#else
#define READ_STATUS(word) atom_add((word), (ulong)0)
#endif

static ulong status_word(uint epoch, uint state, uint value)
{
    return ((ulong)(4 * epoch + state) << 32) | value;
}

/* What a work-group finds in a window: the WINDOW tiles before tile `end` of look_back. Number i of the window is
 * tile end - 1 - i. nearest_prefix: lowest number of a tile that has published its prefix; nearest_empty: lowest
 * number of a tile that has published nothing; both are WINDOW if there is no such tile. sum: of the published values
 * that are used. */
struct window {
    uint nearest_prefix, nearest_empty, sum;
};

/* Returns the sum of all tiles before `tile`. windows: two, which are used in turn, so that one can be cleared while
 * the other is read. */
static INLINE uint look_back(__global ulong *status, uint tile, uint epoch, local struct window *windows)
{
    const uint lid = (uint)get_local_id(0);
    uint prefix = 0, end = tile, turn = 0;
    if (lid == 0) {
        windows[0].nearest_prefix = WINDOW;
        windows[0].nearest_empty = WINDOW;
        windows[0].sum = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (end > 0) {
        local struct window *window = &windows[turn], *next = &windows[turn ^ 1];
        const int mine = lid < WINDOW && lid < end;
        ulong word = 0;
        uint usable, with_prefix;
        if (mine) {
            word = READ_STATUS(&status[end - 1 - lid]);
            if ((uint)(word >> 32) == 4 * epoch + STATE_PREFIX)
                atomic_min(&window->nearest_prefix, lid);
            else if ((uint)(word >> 32) != 4 * epoch + STATE_SUM)
                atomic_min(&window->nearest_empty, lid);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        with_prefix = window->nearest_prefix < window->nearest_empty;
        usable = with_prefix ? window->nearest_prefix + 1 : min(window->nearest_empty, (uint)WINDOW);
        if (mine && lid < usable)
            atomic_add(&window->sum, (uint)word);
        if (lid == 0) {
            next->nearest_prefix = WINDOW;
            next->nearest_empty = WINDOW;
            next->sum = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        prefix += window->sum;
        end = with_prefix ? 0 : end - usable;
        turn ^= 1;
    }
    return prefix;
}

/* With RANGES 2 the tiles from number `first_tiles` on are those of a second range, of further_n elements. */
SHOAL_STARTS_EARLY(scan_lookback)
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan_lookback(__global const uint *input, __global uint *output, __global ulong *status,
                   __global uint *tickets, ulong input_offset, ulong output_offset, uint n, uint first_ticket,
                   uint epoch, ulong further_input, ulong further_output, uint further_n, uint first_tiles)
{
    __local uint rows[SPREAD(ROWS * WG)];
    __local uint scratch[2 * WG];
    __local struct window windows[2];
    const uint lid = (uint)get_local_id(0);
    uint item[ITEMS], tile, sum, prefix;
    SHOAL_AFTER_LAUNCH();
    if (lid == 0)
        scratch[0] = atomic_inc(tickets) - first_ticket;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
#if RANGES > 1
    if (tile >= first_tiles) {
        tile -= first_tiles;
        status += first_tiles;
        input_offset = further_input;
        output_offset = further_output;
        n = further_n;
    }
#endif

    tile_load(item, input + input_offset, tile * TILE, n, (input_offset & 3) == 0);
    sum = tile_scan(item, rows, scratch);
    if (lid == 0)
        atom_xchg(&status[tile], status_word(epoch, tile == 0 ? STATE_PREFIX : STATE_SUM, sum));
    prefix = look_back(status, tile, epoch, windows);
    if (lid == 0 && tile > 0)
        atom_xchg(&status[tile], status_word(epoch, STATE_PREFIX, prefix + sum));
    tile_store(item, prefix, output + output_offset, tile * TILE, n, (output_offset & 3) == 0);
}
