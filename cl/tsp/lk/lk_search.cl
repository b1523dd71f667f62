/* Lin-Kernighan search in small cells, each by a group. The moves, kicks and tours are those of the host
 * (src/tsp/lk/search.h) with the same cells. */
#ifndef WG
#define WG 32
#endif
/* Most cities of a cell, and candidates of a city. */
#ifndef CELL
#define CELL 512
#endif
#ifndef K
#define K 8
#endif
/* CUDA: number of groups that must fit a multiprocessor at the same time, which limits the registers of a work-item. Cards
 * with room for 16 groups (sm_75, sm_86) ignore it. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 24
#endif
/* 1: each cell is a whole problem with settings of its own, and cities have numbers that differ between problems. */
#ifndef JOINT
#define JOINT 0
#endif
#define LANES WG

#include "tsp/lk/moves.clh"

/* Half words of local memory that grow with the cell and with its lists; the host counts them. */
#define LK_NUMBERS (CELL * (3 + 2 * LK_HAS_OFFSETS + 4 * LK_HAS_PLACES) + 2 * (CELL / 16 + 2) + 24 * LK_AHEAD * K)
#ifndef NUMBERS
#define NUMBERS LK_NUMBERS
#endif
#if NUMBERS < LK_NUMBERS
#error "NUMBERS must be at least the number of half words of the arrays of struct lk_cell"
#endif

/* Writes, of `count` cities of the tours from index `first` on, the coordinates and the index in the tours, which places
 * the candidates of a city in its cell. n: cities of a tour. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
lk_index(__global const place_numbers *numbers, __global const uint *tours, __global uint *index,
         __global place_numbers *placed, uint n, uint first, uint count)
{
    const uint j = first + (uint)get_global_id(0);
    if ((uint)get_global_id(0) < count) {
        const uint city = tours[j] & ~LK_LINK;
        index[j / n * n + city] = j;
#if LK_BY_INDEX
        for (uint i = 0u; i < LK_PLACE_NUMBERS; i++)
            placed[(ulong)j * LK_PLACE_NUMBERS + i] = numbers[(ulong)city * LK_PLACE_NUMBERS + i];
#endif
    }
}

/* Searches a cell: improves its tour from all cities in a first visit, then by settings.kicks kicks for each
 * city in settings.visits visits. numbers: with LK_BY_INDEX, those of the cities of `tours`. near: room for K candidates of each city.
 * tours, found: the tours of the cells before and after. own: for each cell, with -D JOINT=1. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
lk_search(__global const place_numbers *numbers, __global const uint2 *fixed, uint cities,
          __global const uint *lists, __global const uint *begins, __global const uint *tours,
          __global const uint *index, __global uint *near, __global uint *found,
          __global struct lk_outcome *outcomes, __global const struct lk_own *own /* or NULL */,
          struct lk_settings settings)
{
    __local struct lk_cell cell;
#if JOINT
    const uint c = settings.first + (uint)get_group_id(0), replica = 0u, number = own[c].number;
    settings.seed = own[c].seed;
    settings.step = own[c].step;
    settings.threshold = own[c].threshold;
#else
    const uint c = settings.first + (uint)get_group_id(0), replica = c / settings.cells, number = c;
    (void)own;
#endif
    const uint first = begins[c + replica];
    const uint n = begins[c + replica + 1u] - first, begin = replica * settings.n + first;
    struct lk_view view;
    view.places = tsp_places(numbers, fixed, cities);
    view.tours = tours + begin;
    view.cell = &cell;
    view.near = near + (ulong)begin * K;
    view.begin = begin;
    view.n = n;
    lk_load(&view, lists, index + replica * settings.n);
    uint kicks = 0u;
    const uint most = (settings.kicks * n + settings.visits - 1u) / settings.visits;
    const long before = lk_length(&view);
    /* Number 0 is the search from all cities, the others are kicks. */
    for (uint i = settings.is_first ? 0u : 1u; i <= most; i++) {
        if (i == 0u) {
            lk_wake_all(&view);
        } else {
            const struct shoal_words words =
                shoal_random_words(settings.seed, SHOAL_STREAM_TSP_IMPROVE, settings.step, number, i - 1u);
            if (!lk_kick(&view, ((i - 1u) * n + lk_below(words.x, n)) / most, words))
                continue;
            kicks++;
        }
        const uint has_room = lk_settle(&view, i == 0u);
        if (i && (!has_room || view.gain < -(view.removed * (long)settings.threshold >> 18)))
            lk_undo(&view);
    }
    const long after = lk_length(&view);
    TEAM_SYNC();
    for (uint i = TEAM_LANE; i < n; i += LANES) {
        const uint a = cell.order[i], b = cell.order[i + 1u < n ? i + 1u : 0u];
        const uint is_link = (lk_next(&view, a) == b && (view.tours[a] & LK_LINK)) ||
                             (lk_next(&view, b) == a && (view.tours[b] & LK_LINK));
        found[begin + i] = (view.tours[a] & ~LK_LINK) | (is_link ? LK_LINK : 0u);
    }
    if (TEAM_IS_FIRST) {
        struct lk_outcome outcome;
        outcome.change = after - before;
        outcome.kicks = kicks;
        outcomes[c] = outcome;
    }
}
