/* The tour that the cells make together.
 *
 * A run is a path within a cell. The tour of a cell consists of runs, which links join. In the whole tour
 * edges to other cells lead from one run to the next, so the tour is found by a walk over the runs alone. If
 * several cells have changed which of their runs follow each other, there may be several closed parts, which
 * are then joined. */
#include "tsp/lk/lk.h"
#include "tsp/model/leaders.h"

/* Index in whole->tours --------------------------------------------------------------------------------- */

static uint32_t city_at(const struct lk_whole *whole, uint32_t j)
{
    return whole->tours[j] & ~LK_LINK;
}

/* Does a run end at index j? */
static bool is_last(const struct lk_whole *whole, uint32_t j)
{
    return (whole->tours[j] & LK_LINK) != 0;
}

static bool is_first(const struct lk_whole *whole, uint32_t j)
{
    return j == 0 || is_last(whole, j - 1);
}

/* The neighbour of the city at index j: side 0 before it, side 1 after it. */
static uint32_t neighbour_at(const struct lk_whole *whole, uint32_t j, unsigned side)
{
    if (side ? is_last(whole, j) : is_first(whole, j))
        return whole->external[j][side];
    return city_at(whole, side ? j + 1 : j - 1);
}

/* Runs ----------------------------------------------------------------------------------------------------
 */

/* Sets the cities outside to which the ends of a cell's runs are joined. */
static void set_external(const struct lk *lk, const struct lk_whole *whole, uint32_t c)
{
    const uint32_t n = lk->n;
    for (uint32_t j = whole->begins[c]; j < whole->begins[c + 1]; j++) {
        const uint32_t next = lk_next_in_cell(whole, c, j), a = city_at(whole, j), b = city_at(whole, next);
        if (!is_last(whole, j)) {
            if (next <= j) { /* the run goes on at the begin of the cell: it is cut there */
                whole->external[j][1] = b;
                whole->external[next][0] = a;
            }
            continue;
        }
        /* The link stands for a path of the tour before, which led from a to b or from b to a. */
        const bool is_onward = whole->members[lk_next_in_cell(whole, c, whole->index[a])] == b &&
                               lk_place_after(whole, n, a) != whole->place[b];
        const uint32_t x = whole->place[a], y = whole->place[b];
        whole->external[j][1] = whole->order[is_onward ? (x + 1 < n ? x + 1 : 0) : (x ? x - 1 : n - 1)];
        whole->external[next][0] = whole->order[is_onward ? (y ? y - 1 : n - 1) : (y + 1 < n ? y + 1 : 0)];
    }
}

/* Returns the number of runs of a cell. */
static uint32_t count_runs(const struct lk_whole *whole, uint32_t c)
{
    uint32_t count = 0;
    for (uint32_t j = whole->begins[c]; j < whole->begins[c + 1]; j++)
        count += is_last(whole, j);
    return count;
}

/* Sets the ends of the runs of a cell. */
static void set_ends(const struct lk_whole *whole, uint32_t c)
{
    uint32_t first = whole->begins[c], r = whole->run_begins[c];
    for (uint32_t j = first; j < whole->begins[c + 1]; j++) {
        if (!is_last(whole, j))
            continue;
        whole->run[first] = whole->run[j] = r;
        whole->ends[r][0] = first;
        whole->ends[r][1] = j;
        whole->part[r++] = SHOAL_TSP_NONE;
        first = j + 1;
    }
}

/* The link of run r that leads on from its first (side 0) or its last city (side 1). */
static uint32_t link_of(const struct lk_whole *whole, uint32_t r, unsigned side)
{
    const uint32_t end = whole->ends[r][side], j = whole->index[whole->external[end][side]],
                   next = whole->run[j];
    /* A run of one city is left at the side at which it is not entered. */
    const bool is_one = whole->ends[next][0] == whole->ends[next][1];
    const bool at_last = is_one ? whole->external[j][0] != city_at(whole, end) : j == whole->ends[next][1];
    return 2 * next + at_last;
}

/* Sets the runs of all cells and their links. Runs are numbered in the order of their indices. */
static void set_runs(const struct lk *lk, struct lk_whole *whole)
{
    whole->run_begins[0] = 0;
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t c = 0; c < lk->cells; c++)
        whole->run_begins[c + 1] = count_runs(whole, c);
    for (uint32_t c = 0; c < lk->cells; c++)
        whole->run_begins[c + 1] += whole->run_begins[c];
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t c = 0; c < lk->cells; c++)
        set_ends(whole, c);
    const uint32_t runs = whole->run_begins[lk->cells];
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t r = 0; r < runs; r++)
        for (unsigned side = 0; side < 2; side++)
            whole->links[r][side] = link_of(whole, r, side);
}

/* Walks -------------------------------------------------------------------------------------------------- */

/* State 2 r + side of a walk: it is in run r, and leaves it at its first (0) or its last city (1). */
static uint32_t state_after(const struct lk_whole *whole, uint32_t state)
{
    return whole->links[state / 2][state % 2] ^ 1;
}

/* Each LK_MILE-th run is a milestone, from which threads walk at the same time; so a long walk is one over
 * stretches between milestones. */

static bool is_milestone(const struct lk_whole *whole, uint32_t state)
{
    return whole->has_stretches && state / 2 % LK_MILE == 0;
}

static struct lk_stretch *stretch_of(const struct lk_whole *whole, uint32_t milestone)
{
    return &whole->stretches[milestone / 2 / LK_MILE * 2 + milestone % 2];
}

static uint32_t cities_of_run(const struct lk_whole *whole, uint32_t r)
{
    return whole->ends[r][1] - whole->ends[r][0] + 1;
}

/* Sets the stretches. With one thread they would be more work than the walk itself. */
static void set_stretches(struct lk_whole *whole, uint32_t runs)
{
    enum { FEW = 1024 };
    whole->has_stretches = whole->threads > 1 && runs > FEW;
    if (!whole->has_stretches)
        return;
#pragma omp parallel for num_threads(whole->threads) schedule(dynamic, 16)
    for (uint32_t i = 0; i < 2 * ((runs + LK_MILE - 1) / LK_MILE); i++) {
        struct lk_stretch stretch = {.pieces = 0};
        uint32_t state = i / 2 * LK_MILE * 2 + i % 2;
        do {
            stretch.cities += cities_of_run(whole, state / 2);
            stretch.pieces++;
            state = state_after(whole, state);
        } while (!is_milestone(whole, state));
        stretch.next = state;
        whole->stretches[i] = stretch;
    }
}

/* Where a walk is. */
struct walk {
    uint32_t first, state; /* its first state; the next one */
    uint32_t piece, start; /* number of the next piece, and the place of its first city in the tour */
    uint32_t part;
};

/* Adds pieces up to the next milestone, or to the end of the walk. */
static void add_pieces(struct lk_whole *whole, struct walk *walk)
{
    do {
        const uint32_t r = walk->state / 2, side = walk->state % 2;
        whole->part[r] = walk->part;
        whole->pieces[walk->piece++] =
            (struct lk_piece){whole->ends[r][1 - side], whole->ends[r][side], walk->start, walk->part};
        walk->start += cities_of_run(whole, r);
        walk->state = state_after(whole, walk->state);
    } while (walk->state != walk->first && !is_milestone(whole, walk->state));
}

/* Walks over the stretches from a milestone back to it. The last one ends where the walk began. */
static void add_stretches(struct lk_whole *whole, struct walk *walk)
{
    const uint32_t begin = walk->state;
    struct walk at = *walk;
    uint32_t count = 0;
    do {
        struct lk_stretch *stretch = stretch_of(whole, at.state);
        whole->stretches[count++].milestone = at.state;
        stretch->piece = at.piece;
        stretch->start = at.start;
        at.piece += stretch->pieces;
        at.start += stretch->cities;
        at.state = stretch->next;
    } while (at.state != begin);
#pragma omp parallel for num_threads(whole->threads) schedule(static) if (count > LK_MILE)
    for (uint32_t i = 0; i < count; i++) {
        struct walk own = *walk;
        own.state = whole->stretches[i].milestone;
        own.piece = stretch_of(whole, own.state)->piece;
        own.start = stretch_of(whole, own.state)->start;
        add_pieces(whole, &own);
    }
    *walk = at;
}

/* Walks over a part of the tour from run r. The runs are added to whole->pieces; returns the number of their
 * cities. */
static uint32_t walk_part(struct lk_whole *whole, uint32_t r, uint32_t part, uint32_t count)
{
    const uint32_t first = 2 * r + 1, pieces = whole->piece_count;
    struct walk walk = {.first = first, .state = first, .piece = pieces, .start = count, .part = part};
    if (!is_milestone(whole, first))
        add_pieces(whole, &walk);
    if (is_milestone(whole, walk.state)) {
        /* The stretches lead on over the pieces that are there already, if there are any. */
        const uint32_t known = walk.piece - pieces, cities = walk.start - count;
        add_stretches(whole, &walk);
        walk.piece -= known;
        walk.start -= cities;
    }
    whole->piece_count = walk.piece;
    return walk.start - count;
}

/* Finds the parts; returns their number. *largest receives the first one with the most cities. */
static uint32_t find_parts(const struct lk *lk, struct lk_whole *whole, uint32_t *largest)
{
    uint32_t parts = 0, count = 0, most = 0;
    whole->piece_count = 0;
    set_runs(lk, whole);
    set_stretches(whole, whole->run_begins[lk->cells]);
    for (uint32_t r = 0; count < lk->n; r++) {
        if (whole->part[r] != SHOAL_TSP_NONE)
            continue;
        const uint32_t cities = walk_part(whole, r, parts, count);
        if (cities > most) {
            most = cities;
            *largest = parts;
        }
        parts++;
        count += cities;
    }
    return parts;
}

/* The lower and the higher one of the indices of a piece's ends. */
static uint32_t low_of(const struct lk_piece *piece)
{
    return piece->from < piece->to ? piece->from : piece->to;
}

static uint32_t high_of(const struct lk_piece *piece)
{
    return piece->from < piece->to ? piece->to : piece->from;
}

/* Parts ---------------------------------------------------------------------------------------------------
 */

static void try_seam(const struct lk *lk, const struct lk_whole *whole, uint32_t j, uint32_t city,
                     struct lk_seam *best)
{
    const uint32_t a = city_at(whole, j), c = city, i = whole->index[city];
    for (unsigned sides = 0; sides < 4; sides++) {
        const uint32_t b = neighbour_at(whole, j, sides & 1), d = neighbour_at(whole, i, sides >> 1);
        if (tsp_form_fixes(&lk->problem->form, a, b) || tsp_form_fixes(&lk->problem->form, c, d))
            continue;
        const int64_t change = tsp_distance(lk->problem, a, c) + tsp_distance(lk->problem, b, d) -
                               tsp_distance(lk->problem, a, b) - tsp_distance(lk->problem, c, d);
        if (change < best->change)
            *best = (struct lk_seam){j, i, b, d, sides & 1, sides >> 1, change};
    }
}

/* Replaces the neighbour at a side of index j. A run that goes on there is cut. */
static void replace(struct lk_whole *whole, uint32_t j, unsigned side, uint32_t city)
{
    const uint32_t low = side ? j : j - 1;
    if (!(side ? is_last(whole, j) : is_first(whole, j))) {
        whole->external[low][1] = city_at(whole, low + 1);
        whole->external[low + 1][0] = city_at(whole, low);
        whole->tours[low] |= LK_LINK;
    }
    whole->external[j][side] = city;
}

static uint32_t leader_at(const struct lk_whole *whole, uint32_t j)
{
    return tsp_leader_seen(whole->leaders, whole->part[j]);
}

/* Makes an exchange, unless the edges are gone or are in one part by now. Returns whether it was made. */
static bool sew(struct lk_whole *whole, const struct lk_seam *seam)
{
    if (seam->change == INT64_MAX)
        return false;
    const uint32_t a = city_at(whole, seam->a), c = city_at(whole, seam->c), b = seam->b, d = seam->d,
                   j = whole->index[b], i = whole->index[d], from = leader_at(whole, seam->a),
                   to = leader_at(whole, seam->c);
    if (from == to || neighbour_at(whole, seam->a, seam->side_a) != b ||
        neighbour_at(whole, seam->c, seam->side_c) != d)
        return false;
    const unsigned side_b = neighbour_at(whole, j, 0) != a, side_d = neighbour_at(whole, i, 0) != c;
    replace(whole, seam->a, seam->side_a, c);
    replace(whole, j, side_b, d);
    replace(whole, seam->c, seam->side_c, a);
    replace(whole, i, side_d, b);
    whole->leaders[from] = to;
    return true;
}

/* Whether an edge of the city at place j may be removed. */
static bool is_open(const struct lk *lk, const struct lk_whole *whole, uint32_t j)
{
    const uint32_t city = city_at(whole, j);
    return !tsp_form_fixes(&lk->problem->form, city, neighbour_at(whole, j, 0)) ||
           !tsp_form_fixes(&lk->problem->form, city, neighbour_at(whole, j, 1));
}

/* The best exchange of the pieces `first` to `end` of a part with other parts: by candidates of its cities;
 * if is_any, of its first cities that have an edge that is not fixed, with any city. Each part has such a
 * city. */
static struct lk_seam find_seam_among(const struct lk *lk, const struct lk_whole *whole, uint32_t first,
                                      uint32_t end, bool is_any)
{
    enum { MOST = 16 }; /* cities that are compared with all others */
    struct lk_seam best = {.change = INT64_MAX};
    const uint32_t leader = leader_at(whole, whole->pieces[first].from);
    uint32_t seen = 0;
    for (uint32_t p = first; p < end; p++) {
        const struct lk_piece *piece = &whole->pieces[p];
        for (uint32_t j = low_of(piece); j <= high_of(piece) && (!is_any || seen < MOST); j++) {
            seen += is_any && is_open(lk, whole, j);
            const uint32_t *list = lk->lists + (size_t)city_at(whole, j) * lk->k;
            for (uint32_t i = 0; !is_any && i < lk->k && list[i] != SHOAL_TSP_NONE; i++)
                if (leader_at(whole, whole->index[list[i]]) != leader)
                    try_seam(lk, whole, j, list[i], &best);
            for (uint32_t c = 0; is_any && c < lk->n; c++)
                if (leader_at(whole, whole->index[c]) != leader)
                    try_seam(lk, whole, j, c, &best);
        }
    }
    return best;
}

/* Pieces of which threads look for exchanges: the pieces `first` to `end`, in blocks with about equally many
 * cities. The second largest part may have a quarter of all cities. */
struct blocks {
    uint32_t first, end, count;
};

enum { MOST_BLOCKS = 1024 };

/* The first piece of a block. */
static uint32_t block_begin(const struct lk_whole *whole, const struct blocks *blocks, uint32_t block)
{
    const struct lk_piece *last = &whole->pieces[blocks->end - 1];
    const uint64_t from = whole->pieces[blocks->first].start,
                   cities = last->start + (high_of(last) - low_of(last) + 1) - from;
    uint32_t low = blocks->first, high = blocks->end;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (whole->pieces[middle].start < from + cities * block / blocks->count)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sets whole->seams of the parts `first` to `end` but `largest`: the best exchange of each with another part,
 * by candidates. */
static void find_seams(const struct lk *lk, struct lk_whole *whole, uint32_t first, uint32_t end,
                       uint32_t largest)
{
    enum { EACH = 8 };                 /* pieces of a block, at least */
    struct lk_seam later[MOST_BLOCKS]; /* of the part in whose midst a block begins */
    struct blocks blocks = {whole->part_begins[first], whole->part_begins[end], 1};
    const uint32_t most = 1 + (blocks.end - blocks.first) / EACH;
    if (whole->threads > 1)
        blocks.count = most < MOST_BLOCKS ? most : MOST_BLOCKS;
#pragma omp parallel for num_threads(whole->threads) schedule(dynamic) if (blocks.count > 1)
    for (uint32_t block = 0; block < blocks.count; block++) {
        const uint32_t stop = block_begin(whole, &blocks, block + 1);
        later[block].change = INT64_MAX;
        for (uint32_t p = block_begin(whole, &blocks, block), next; p < stop; p = next) {
            const uint32_t part = whole->pieces[p].part, after = whole->part_begins[part + 1];
            next = after < stop ? after : stop;
            if (part != largest)
                *(p == whole->part_begins[part] ? &whole->seams[part] : &later[block]) =
                    find_seam_among(lk, whole, p, next, false);
        }
    }
    for (uint32_t block = 0; block < blocks.count; block++) {
        if (later[block].change == INT64_MAX)
            continue;
        struct lk_seam *seam = &whole->seams[whole->pieces[block_begin(whole, &blocks, block)].part];
        if (later[block].change < seam->change)
            *seam = later[block];
    }
}

/* Sets the pieces at which parts begin, each after the one before; returns the number of parts. */
static uint32_t list_parts(struct lk_whole *whole)
{
    uint32_t parts = 0;
    for (uint32_t p = 0; p < whole->piece_count; p++)
        if (p == 0 || whole->pieces[p].part != whole->pieces[p - 1].part) {
            whole->leaders[parts] = parts;
            whole->part_begins[parts++] = p;
        }
    whole->part_begins[parts] = whole->piece_count;
    return parts;
}

/* Joins parts but the largest to other ones. Returns the change of the length. All parts look for their
 * exchanges at once; a part whose exchange is not possible any more looks again by candidates, and is left to
 * the next call if it finds none. */
static int64_t join_parts(const struct lk *lk, struct lk_whole *whole, uint32_t largest)
{
    int64_t change = 0;
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t p = 0; p < whole->piece_count; p++) {
        const struct lk_piece *piece = &whole->pieces[p];
        for (uint32_t j = low_of(piece); j <= high_of(piece); j++)
            whole->part[j] = piece->part;
    }
    const uint32_t parts = list_parts(whole);
    find_seams(lk, whole, 0, parts, largest);
#pragma omp parallel for num_threads(whole->threads) schedule(dynamic)
    for (uint32_t i = 0; i < parts; i++)
        if (i != largest && whole->seams[i].change == INT64_MAX)
            whole->seams[i] =
                find_seam_among(lk, whole, whole->part_begins[i], whole->part_begins[i + 1], true);
    for (uint32_t i = 0; i < parts; i++) {
        if (tsp_leader(whole->leaders, i) == tsp_leader(whole->leaders, largest))
            continue;
        if (!sew(whole, &whole->seams[i])) {
            find_seams(lk, whole, i, i + 1, UINT32_MAX);
            if (!sew(whole, &whole->seams[i]))
                continue;
        }
        change += whole->seams[i].change;
    }
    return change;
}

int64_t lk_join(const struct lk *lk, struct lk_whole *whole)
{
    uint32_t largest = 0;
    int64_t change = 0;
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t c = 0; c < lk->cells; c++) {
        const uint32_t begin = whole->begins[c], end = whole->begins[c + 1];
        set_external(lk, whole, c);
        for (uint32_t j = begin; j < end; j++)
            whole->index[city_at(whole, j)] = j;
        whole->tours[end - 1] |= LK_LINK;
    }
    while (find_parts(lk, whole, &largest) > 1)
        change += join_parts(lk, whole, largest);
#pragma omp parallel for num_threads(whole->threads) schedule(static)
    for (uint32_t p = 0; p < whole->piece_count; p++) {
        const struct lk_piece piece = whole->pieces[p];
        uint32_t at = piece.start;
        for (uint32_t j = piece.from; j < piece.to; j++)
            whole->order[at++] = city_at(whole, j);
        for (uint32_t j = piece.from; j > piece.to; j--)
            whole->order[at++] = city_at(whole, j);
        whole->order[at] = city_at(whole, piece.to);
    }
    return change;
}
