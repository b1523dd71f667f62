/* Private: the search in a cell. A file that includes this text defines LK_DISTANCE(v, a, b), the distance of
 * two cities of the cell, and LK_NAME, the name of the function. */
#include "tsp/lk/lk.h"

#include <shoal/rng.h>

/* Number of moves of three edges that follow each other in a chain that begins with a long edge: in the
 * search from the ends of long edges, and after a kick, where most chains are undone. */
enum { LONG_LEVELS = 50, KICK_LEVELS = 5 };

struct move {
    uint32_t t1, t2, t3, t4, t5, t6;
    int kind;
    int64_t gain; /* gain of the move whose last edge closes the tour */
    int64_t open; /* gain without this last edge */
};

/* The search for the next move of a chain. */
struct chain {
    uint32_t t1, t2;
    unsigned d; /* t1 follows t2 in direction d, 0: after, 1: before */
    int64_t gain;
    struct move moves[LONG_LEVELS];
    int count;
};

static inline uint32_t neighbour(const struct lk_cell *v, uint32_t city, unsigned d)
{
    const uint32_t place = v->cities[city].place;
    if (d == 0)
        return v->order[place + 1 == v->n ? 0 : place + 1];
    return v->order[place == 0 ? v->n - 1 : place - 1];
}

/* Number of steps from t1 to a city in direction d. */
static inline uint32_t offset(const struct lk_cell *v, unsigned d, uint32_t t1, uint32_t city)
{
    const uint32_t from = v->cities[t1].place, to = v->cities[city].place,
                   steps = d == 0 ? to - from : from - to;
    return steps < v->n ? steps : steps + v->n;
}

static inline bool is_kept(const struct lk_cell *v, uint32_t a, uint32_t b)
{
    return v->cities[a].kept[0] == b || v->cities[a].kept[1] == b;
}

static inline bool is_pair(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (a == c && b == d) || (a == d && b == c);
}

/* May a move of the chain remove an edge? Kept edges and edges that the chain has inserted must stay. */
static inline bool may_remove(const struct lk_cell *v, const struct chain *chain, uint32_t a, uint32_t b)
{
    if (is_kept(v, a, b))
        return false;
    for (int i = 0; i < chain->count; i++) {
        const struct move *move = &chain->moves[i];
        if (is_pair(a, b, move->t2, move->t3) || (move->kind != LK_2OPT && is_pair(a, b, move->t4, move->t5)))
            return false;
    }
    return true;
}

static void wake(struct lk_cell *v, uint32_t city)
{
    const uint32_t at = v->head + v->count < v->n ? v->head + v->count : v->head + v->count - v->n;
    if (v->waits[city])
        return;
    v->waits[city] = true;
    v->queue[at] = city;
    v->count++;
}

/* Tours -------------------------------------------------------------------------------------------------- */

/* Reverses the places `from` to `to`, or the places outside of them if these are fewer. */
static void reverse(struct lk_cell *v, uint32_t from, uint32_t to)
{
    const uint32_t n = v->n;
    uint32_t *order = v->order;
    struct lk_city *cities = v->cities;
    uint32_t count = (to >= from ? to - from : to + n - from) + 1;
    if (count > n - count) {
        const uint32_t begin = from;
        from = to + 1 == n ? 0 : to + 1;
        to = begin == 0 ? n - 1 : begin - 1;
        count = n - count;
    }
    for (uint32_t i = count / 2; i;) {
        /* As many pairs as there are before one side comes to the end of the order. */
        const uint32_t left = n - from < to + 1 ? n - from : to + 1, pairs = left < i ? left : i;
        for (uint32_t j = 0; j < pairs; j++) {
            const uint32_t a = order[from + j], b = order[to - j];
            order[from + j] = b;
            cities[b].place = from + j;
            order[to - j] = a;
            cities[a].place = to - j;
        }
        from = from + pairs == n ? 0 : from + pairs;
        to = to + 1 == pairs ? n - 1 : to - pairs;
        i -= pairs;
    }
}

/* Reverses, and notes the reversal. */
static void reverse_noted(struct lk_cell *v, uint32_t from, uint32_t to)
{
    v->flips[v->flip_count][0] = from;
    v->flips[v->flip_count][1] = to;
    v->flip_count++;
    reverse(v, from, to);
}

/* Undoes the reversals after the first `count`. */
static void undo(struct lk_cell *v, uint32_t count)
{
    while (v->flip_count > count) {
        v->flip_count--;
        reverse(v, v->flips[v->flip_count][0], v->flips[v->flip_count][1]);
    }
}

/* Replaces the edge (a, b), and the edge from c in the same direction, by (a, c) and the edge between their
 * other ends. */
static void flip(struct lk_cell *v, uint32_t a, uint32_t b, uint32_t c)
{
    if (neighbour(v, a, 0) == b)
        reverse_noted(v, v->cities[b].place, v->cities[c].place);
    else
        reverse_noted(v, v->cities[c].place, v->cities[b].place);
}

static void make_move(struct lk_cell *v, const struct move *m)
{
    switch (m->kind) {
    case LK_2OPT:
        flip(v, m->t2, m->t1, m->t3);
        break;
    case LK_TURN:
        flip(v, m->t2, m->t1, m->t3);
        flip(v, m->t1, m->t4, m->t6);
        break;
    case LK_SWAP:
        flip(v, m->t4, m->t3, m->t2);
        flip(v, m->t4, m->t2, m->t5);
        flip(v, m->t2, m->t6, m->t3);
        break;
    default:
        flip(v, m->t4, m->t3, m->t5);
        flip(v, m->t3, m->t6, m->t2);
    }
}

/* Moves -------------------------------------------------------------------------------------------------- */

/* A search for a move, and what is known of the move so far. */
struct look {
    const struct lk_cell *v;
    const struct chain *chain;
    struct move *found, *widest;
    uint32_t t1, t3, t4;
    uint32_t o3; /* number of steps from t1 to t3 */
};

/* Looks at a move with t1 to t6, whose gain without its last edge is `open`. True: the move shortens the
 * tour. */
static inline bool look_at(const struct look *look, uint32_t t5, uint32_t t6, int kind, int64_t open)
{
    const int64_t gain = open - LK_DISTANCE(look->v, t6, look->t1);
    struct move *to = gain > 0 ? look->found : look->widest;
    if (gain <= 0 && open <= look->widest->open)
        return false;
    *to = (struct move){.t1 = look->t1,
                        .t2 = look->chain->t2,
                        .t3 = look->t3,
                        .t4 = look->t4,
                        .t5 = t5,
                        .t6 = t6,
                        .kind = kind,
                        .gain = gain,
                        .open = open};
    return gain > 0;
}

/* Looks at the moves of three edges whose t4 follows t3. `gain`: of the edges up to t4. */
static inline bool look_behind(const struct look *look, int64_t gain)
{
    const struct lk_cell *v = look->v;
    const unsigned d = look->chain->d;
    const struct lk_near *list = v->lists + (size_t)look->t4 * v->k;
    const uint32_t most = v->k < LK_BREADTH ? v->k : LK_BREADTH;
    for (uint32_t i = 0; i < most && list[i].city != SHOAL_TSP_NONE; i++) {
        const int64_t rest = gain - list[i].distance;
        if (rest <= 0)
            break;
        const uint32_t t5 = list[i].city, o5 = offset(v, d, look->t1, t5);
        if (o5 == look->o3 || o5 == 0)
            continue;
        const uint32_t t6 = neighbour(v, t5, o5 < look->o3 ? d : 1 - d);
        if (t6 != look->t4 && may_remove(v, look->chain, t5, t6) &&
            look_at(look, t5, t6, LK_TURN, rest + LK_DISTANCE(v, t5, t6)))
            return true;
    }
    return false;
}

/* Looks at the moves of three edges whose t4 is before t3. */
static inline bool look_before(const struct look *look, int64_t gain)
{
    const struct lk_cell *v = look->v;
    const unsigned d = look->chain->d;
    const struct lk_near *list = v->lists + (size_t)look->t4 * v->k;
    const uint32_t most = v->k < LK_BREADTH ? v->k : LK_BREADTH;
    for (uint32_t i = 0; i < most && list[i].city != SHOAL_TSP_NONE; i++) {
        const int64_t rest = gain - list[i].distance;
        if (rest <= 0)
            break;
        const uint32_t t5 = list[i].city, o5 = offset(v, d, look->t1, t5);
        if (o5 <= look->o3)
            continue;
        uint32_t t6 = neighbour(v, t5, 1 - d);
        if (may_remove(v, look->chain, t5, t6) &&
            look_at(look, t5, t6, LK_SWAP, rest + LK_DISTANCE(v, t5, t6)))
            return true;
        if (o5 + 1 == v->n)
            continue;
        t6 = neighbour(v, t5, d);
        if (may_remove(v, look->chain, t5, t6) &&
            look_at(look, t5, t6, LK_BOTH, rest + LK_DISTANCE(v, t5, t6)))
            return true;
    }
    return false;
}

/* Finds the first move that shortens the tour. False: there is none; `widest` is the move with the most gain
 * without its last edge, or has open 0. */
static bool find_move(const struct lk_cell *v, const struct chain *chain, struct move *found,
                      struct move *widest)
{
    const uint32_t t2 = chain->t2;
    const unsigned d = chain->d;
    const struct lk_near *list = v->lists + (size_t)t2 * v->k;
    struct look look = {.v = v, .chain = chain, .found = found, .widest = widest, .t1 = chain->t1};
    widest->open = 0;
    for (uint32_t j = 0; j < v->k && list[j].city != SHOAL_TSP_NONE; j++) {
        const int64_t begun = chain->gain - list[j].distance;
        if (begun <= 0)
            break;
        const uint32_t t3 = list[j].city;
        look.t3 = t3;
        look.o3 = offset(v, d, look.t1, t3);
        if (look.o3 == 0)
            continue;
        look.t4 = neighbour(v, t3, d);
        if (look.t4 != t2 && may_remove(v, chain, t3, look.t4)) {
            const int64_t gain = begun + LK_DISTANCE(v, t3, look.t4);
            if (look_at(&look, look.t4, look.t4, LK_2OPT, gain) || look_behind(&look, gain))
                return true;
        }
        look.t4 = neighbour(v, t3, 1 - d);
        if (may_remove(v, chain, t3, look.t4) && look_before(&look, begun + LK_DISTANCE(v, t3, look.t4)))
            return true;
    }
    return false;
}

/* Whether a move may follow in a chain whose open end would be t2, with this gain. */
static bool may_follow(const struct lk_cell *v, uint32_t t1, uint32_t t2, int64_t gain)
{
    const struct lk_near *list = v->lists + (size_t)t2 * v->k;
    const uint32_t first = list->city == t1 && v->k > 1 ? 1 : 0;
    return list[first].city != SHOAL_TSP_NONE && list[first].distance < gain;
}

static void wake_ends(struct lk_cell *v, const struct move *move)
{
    const uint32_t ends[] = {move->t1, move->t2, move->t3, move->t4, move->t5, move->t6};
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        wake(v, ends[i]);
}

/* Makes a chain of moves that begins with the edge from t2 to its neighbour in direction d. False: no chain
 * shortens the tour, which is as before. */
static bool make_chain(struct lk_cell *v, uint32_t t2, unsigned d)
{
    const uint32_t before = v->flip_count;
    struct chain chain; /* its moves are not set */
    struct move found, widest;
    chain.t1 = neighbour(v, t2, d);
    chain.t2 = t2;
    chain.d = d;
    chain.count = 0;
    if (is_kept(v, chain.t1, t2))
        return false;
    chain.gain = LK_DISTANCE(v, chain.t1, t2);
    const int levels = chain.gain > v->longest ? v->levels : v->lk->levels;
    for (;;) {
        if (find_move(v, &chain, &found, &widest)) {
            make_move(v, &found);
            v->gain += found.gain;
            for (int i = 0; i < chain.count; i++)
                wake_ends(v, &chain.moves[i]);
            wake_ends(v, &found);
            return true;
        }
        if (chain.count + 1 == levels || widest.open <= 0 || !may_follow(v, chain.t1, widest.t6, widest.open))
            break;
        make_move(v, &widest);
        chain.moves[chain.count++] = widest;
        chain.t2 = widest.t6;
        chain.gain = widest.open;
        chain.d = neighbour(v, chain.t2, 0) == chain.t1 ? 0 : 1;
    }
    undo(v, before);
    return false;
}

/* Searches from the waiting cities until none waits. False: so many reversals were noted that others might
 * find no room; no city waits then. A search that is_final is never undone, and keeps no notes. */
static bool settle(struct lk_cell *v, bool is_final)
{
    /* A chain makes up to three reversals a level; the cells of the host have room for long chains. */
    const uint32_t room =
        v->lk->flips - 3 * (uint32_t)(v->longest == INT64_MAX ? v->lk->levels : LONG_LEVELS);
    while (v->count) {
        const uint32_t city = v->queue[v->head];
        v->head = v->head + 1 == v->n ? 0 : v->head + 1;
        v->count--;
        v->waits[city] = false;
        v->flip_count = is_final ? 0 : v->flip_count;
        if (v->flip_count <= room) {
            if (!make_chain(v, city, 0))
                make_chain(v, city, 1);
        } else {
            while (v->count) {
                v->waits[v->queue[v->head]] = false;
                v->head = v->head + 1 == v->n ? 0 : v->head + 1;
                v->count--;
            }
            return false;
        }
    }
    return true;
}

/* Kicks -------------------------------------------------------------------------------------------------- */

static uint32_t below(uint32_t word, uint32_t n)
{
    return (uint32_t)((uint64_t)word * n >> 32);
}

static uint32_t wrapped(const struct lk_cell *v, uint32_t place)
{
    return place < v->n ? place : place - v->n;
}

/* The first place from `place` on, of at most `count`, whose city is not joined to the city before it by an
 * edge that stays; n: there is none. */
static uint32_t find_cut(const struct lk_cell *v, uint32_t place, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = wrapped(v, place + i);
        if (!is_kept(v, v->order[at == 0 ? v->n - 1 : at - 1], v->order[at]))
            return at;
    }
    return v->n;
}

/* Chooses four places whose edges to the cities before them a kick removes. Kick `number` of `kicks` begins
 * in its part of the order: successive kicks look at cities that are near each other in memory, too. False:
 * there are none. */
static bool choose_cuts(const struct lk_cell *v, const struct shoal_words *words, uint32_t number,
                        uint32_t kicks, uint32_t cuts[4])
{
    const uint32_t most = v->n > 3 * LK_SEGMENT ? LK_SEGMENT : (v->n - 1) / 3;
    const uint32_t counts[4] = {0, 1 + below(words->y, most), 1 + below(words->z, most),
                                1 + below(words->w, most)};
    uint32_t begin = (uint32_t)(((uint64_t)number * v->n + below(words->x, v->n)) / kicks), used = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t from = begin, room = v->n - counts[i];
        begin = find_cut(v, wrapped(v, begin + counts[i]), room < LK_SEGMENT ? room : LK_SEGMENT);
        if (begin == v->n)
            return false;
        used += i ? (begin < from ? begin + v->n - from : begin - from) : 0;
        cuts[i] = begin;
    }
    return used < v->n; /* else the edges are not four */
}

static bool is_long(const struct lk_cell *v, uint32_t place)
{
    const uint32_t a = v->order[place == 0 ? v->n - 1 : place - 1], b = v->order[place];
    return LK_DISTANCE(v, a, b) > v->longest && !is_kept(v, a, b);
}

/* Chooses the places of four long edges, the first of which is at `place`; each is the first, second or third
 * long edge after the one before. False: there are none. */
static bool choose_long_cuts(const struct lk_cell *v, const struct shoal_words *words, uint32_t place,
                             uint32_t cuts[4])
{
    const uint32_t counts[4] = {1, 1 + below(words->y, 3), 1 + below(words->z, 3), 1 + below(words->w, 3)};
    uint32_t at = 0;
    for (int i = 0; i < 4; i++) {
        for (uint32_t left = counts[i]; left; at++) {
            if (at == v->n)
                return false;
            left -= is_long(v, wrapped(v, place + at));
            if (i == 0 && left)
                return false; /* another kick has removed the edge */
        }
        cuts[i] = wrapped(v, place + at - 1);
    }
    return true;
}

/* Exchanges the first and the last of the three neighbouring segments between the cuts, repairs the tour, and
 * undoes both if the tour is then longer than the threshold allows. */
static void kick(struct lk_cell *v, const struct lk_visit *visit, const uint32_t cuts[4])
{
    uint32_t ends[8];
    int64_t removed = 0;
    for (int i = 0; i < 4; i++) {
        ends[2 * i] = v->order[cuts[i] == 0 ? v->n - 1 : cuts[i] - 1];
        ends[2 * i + 1] = v->order[cuts[i]];
        removed += LK_DISTANCE(v, ends[2 * i], ends[2 * i + 1]);
    }
    const int64_t allowed = removed * visit->threshold >> 18;
    v->flip_count = 0;
    v->gain = removed - (LK_DISTANCE(v, ends[0], ends[5]) + LK_DISTANCE(v, ends[6], ends[3]) +
                         LK_DISTANCE(v, ends[4], ends[1]) + LK_DISTANCE(v, ends[2], ends[7]));
    /* All three segments are reversed together, then each of them alone. */
    flip(v, ends[0], ends[1], ends[6]);
    flip(v, ends[0], ends[6], ends[5]);
    flip(v, ends[6], ends[4], ends[3]);
    flip(v, ends[4], ends[2], ends[1]);
    for (int i = 0; i < 8; i++)
        wake(v, ends[i]);
    v->kicks++;
    if (!settle(v, false) || v->gain < -allowed) {
        undo(v, 0);
        v->gain = 0;
    }
}

/* Sum of the legs of the cell, links left out. */
static int64_t length_of(const struct lk_cell *v)
{
    int64_t length = 0;
    for (uint32_t i = 0; i < v->n; i++) {
        const uint32_t a = v->order[i], b = v->order[i + 1 < v->n ? i + 1 : 0];
        length += is_kept(v, a, b) ? 0 : LK_DISTANCE(v, a, b);
    }
    return length;
}

/* Wakes the cities that a first visit begins with: all, or the ends of long edges. */
static void wake_first(struct lk_cell *v)
{
    for (uint32_t i = 0; i < v->n; i++) {
        if (v->longest != INT64_MAX && !is_long(v, i))
            continue;
        wake(v, v->order[i == 0 ? v->n - 1 : i - 1]);
        wake(v, v->order[i]);
    }
}

/* Kicks that remove long edges alone: they change which parts of the tour follow each other. A kick begins at
 * one of visit->ends, the cities to which long edges led before the search. */
static void kick_long(struct lk_cell *v, const struct lk_visit *visit)
{
    uint32_t cuts[4];
    v->levels = KICK_LEVELS;
    for (uint32_t i = 0; i < visit->kicks && !long_step_look(visit->cut); i++) {
        const struct shoal_words words =
            shoal_random_words(v->lk->seed, SHOAL_STREAM_TSP_IMPROVE, visit->step, visit->cell, i);
        const uint32_t end = visit->ends[below(words.x, visit->end_count)];
        const uint32_t place = v->cities[end].place; /* a reversal puts the edge behind its end */
        if (choose_long_cuts(v, &words, is_long(v, place) ? place : wrapped(v, place + 1), cuts))
            kick(v, visit, cuts);
    }
}

static void kick_all(struct lk_cell *v, const struct lk_visit *visit)
{
    enum { LOOK = 64 }; /* kicks between two calls of long_step_look; a kick takes about 10 us */
    const uint32_t kicks = (v->lk->kicks * v->n + v->lk->visits - 1) / v->lk->visits;
    uint32_t cuts[4];
    for (uint32_t i = 0; i < kicks && !long_step_look_each(visit->cut, i, LOOK); i++) {
        const struct shoal_words words =
            shoal_random_words(v->lk->seed, SHOAL_STREAM_TSP_IMPROVE, visit->step, visit->cell, i);
        if (choose_cuts(v, &words, i, kicks, cuts))
            kick(v, visit, cuts);
    }
}

void LK_NAME(struct lk_cell *v, const struct lk_visit *visit)
{
    const int64_t before = length_of(v);
    v->levels = LONG_LEVELS;
    if (visit->is_first)
        wake_first(v);
    settle(v, true);
    if (v->longest != INT64_MAX)
        kick_long(v, visit);
    else if (visit->has_kicks)
        kick_all(v, visit);
    v->delta = length_of(v) - before;
}
