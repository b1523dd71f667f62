/* One swarm with a global best and UPDATE LINEAR_UPDATE: move, evaluate and personal best in one kernel.
 *
 * Particles come in tiles of TILE = PLACES * ITEMS, a tile dimension by dimension: coordinate d of particle i stands
 * at (i / TILE * dim + d) * TILE + i % TILE in x (position), v (velocity) and p (best position the particle has seen,
 * with value best[i]). So neighbours read neighbours, and what a group works on lies together. The last tile is whole:
 * the particles behind the last one move like the others, so that no loop needs a guard, but are nobody's best.
 *
 * SLICES work-items share a particle, each with a run of neighbouring dimensions, so that a small swarm fills a wide
 * device; a work-item has ITEMS neighbouring particles in its innermost loops, which is wide loads on a GPU and vector
 * code on a CPU: work-item = slice * PLACES + place.
 *
 * A particle that improves says so in pending[i], and its position becomes p when the next step has it in registers
 * anyway; until then x is its best position. With many ITEMS, x is copied at once (EAGER): the vector code of a CPU
 * writes every p, or tests whether a tile has improved at all.
 *
 * One launch is one step. Each group ends a step by publishing the best of its particles (value, particle,
 * position) in slot step & 1 and begins the next by taking the minimum over the groups in the other slot. Nobody
 * reads what the same launch writes, so the update is synchronous and needs no second kernel. Groups draw tiles by
 * ticket until there are none left, so that it does not matter how many of them run at a time; which group has which
 * tile changes no result. A single group may do many steps in one launch.
 */
#ifndef WG
#define WG 256
#endif
#ifndef SLICES
#define SLICES 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
/* See src/compute/cuda/prelude.cuh; other compilers choose registers by themselves. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
/* Blocks of random words that a work-item loads coordinates for at a time: more memory in flight, more registers. */
#ifndef DEPTH
#define DEPTH 1
#endif
/* 1: it loads the next ones before it works on those it has. */
#ifndef AHEAD
#define AHEAD 1
#endif

#include "lib/reduce.clh"
#include "objective/objective.clh"
#include "pso/island.clh"

/* A device may allow only groups smaller than SLICES. */
#if SLICES < WG
#define LANES SLICES
#else
#define LANES WG
#endif
#define PLACES (WG / LANES)
#define TILE (PLACES * ITEMS)
#if LANES & (LANES - 1)
#error "SLICES must be a power of two"
#endif
#if LANES > 1 && ITEMS > 4
#error "a work-item that shares its particles has four at most"
#endif
#if TOPOLOGY != GLOBAL_BEST || UPDATE != LINEAR_UPDATE || RANDOM > PHILOX16 || SHAPE != PER_DIMENSION
#error "the fused step has one global best, linear updates, counter-based random numbers, per-dimension objectives"
#endif

#if ITEMS > 4
#define EAGER 1
#else
#define EAGER 0
#endif

/* Dimensions that one block of random words serves, and those of one turn of the loop. */
#if RANDOM == PHILOX16
#define BLOCK 4
#define NUMBER_SCALE HALF_WORD_SCALE
#else
#define BLOCK 2
#define NUMBER_SCALE WORD_SCALE
#endif
#define SPAN (BLOCK * DEPTH)

/* Real numbers that the work-items of a group exchange: one for each particle that a work-item has a share of. */
#if LANES > 1
#define SCRATCH (ITEMS * WG)
#else
#define SCRATCH WG
#endif

/* Index of no particle, as in minimum_none(). */
#define NOBODY 0xffffffffu

/* What does not change while a particle moves. */
typedef struct {
    real inertia;
    real cognitive, social; /* times the scale of the random numbers */
    real lower, upper, limit, sign;
} rules;

static rules rules_read(__global const real *settings, uint step)
{
    rules set;
    set.inertia = settings[SET_INERTIA] + settings[SET_INERTIA_STEP] * (real)(step - 1u);
    set.cognitive = settings[SET_COGNITIVE] * NUMBER_SCALE;
    set.social = settings[SET_SOCIAL] * NUMBER_SCALE;
    set.lower = settings[SET_LOWER];
    set.upper = settings[SET_UPPER];
    set.limit = settings[SET_LIMIT];
    set.sign = settings[SET_SIGN];
    return set;
}

/* The box of dimension d. */
static void rules_enter(rules *set, __global const real *settings, uint d, uint dim)
{
#if BOX
    set->lower = box_lower(settings, d, dim);
    set->upper = box_upper(settings, d, dim);
#else
    (void)set;
    (void)settings;
    (void)d;
    (void)dim;
#endif
}

/* Dimensions begin .. end - 1 of a work-item's particles `particle`, particle + 1, ..., whose dimension 0 begins at
 * place `home`: their terms, and the coordinates at both ends where the objective is COUPLED. */
typedef struct {
    ulong home;
    uint particle;
    uint begin, end;
    real sums[TERMS][ITEMS]; /* of struct terms */
    real first[ITEMS], last[ITEMS];
    real outside[ITEMS]; /* coordinates outside the box */
    uint pending[ITEMS];
} run;

static terms run_terms(const run *r, uint k)
{
    terms sum;
    int t;
    for (t = 0; t < TERMS; t++)
        sum.a[t] = r->sums[t][k];
    return sum;
}

static void run_set(run *r, uint k, terms sum)
{
    int t;
    for (t = 0; t < TERMS; t++)
        r->sums[t][k] = sum.a[t];
}

/* Runs begin at dimensions at which a block of random words begins. */
static void run_begin(run *r, uint tile, uint dim, __global const uint *pending)
{
    const uint place = (uint)get_local_id(0) % PLACES, slice = (uint)get_local_id(0) / PLACES;
    const uint blocks = (dim + BLOCK - 1u) / BLOCK;
    const uint each = (blocks + LANES - 1u) / LANES * BLOCK;
    uint k;
    r->home = (ulong)tile * dim * TILE + place * ITEMS;
    r->particle = tile * TILE + place * ITEMS;
    r->begin = min(slice * each, dim);
    r->end = min(r->begin + each, dim);
    (void)pending;
    for (k = 0; k < ITEMS; k++) {
        run_set(r, k, terms_none());
        r->first[k] = r->last[k] = r->outside[k] = R(0.0);
#if !EAGER
        r->pending[k] = pending[r->particle + k];
#else
        r->pending[k] = 0u;
#endif
    }
}

/* Adds coordinate d of particle k. */
static void run_add(run *r, uint k, real x, uint d, uint dim)
{
#if COUPLED
    if (d > r->begin)
        run_set(r, k, terms_add(run_terms(r, k), r->last[k], x, d - 1u, dim));
    else
        r->first[k] = x;
    r->last[k] = x;
#else
    run_set(r, k, terms_add(run_terms(r, k), x, x, d, dim));
#endif
}

static void run_enter(run *r, uint k, real x, rules set, __global const real *settings, uint d, uint dim)
{
#if BOUNDS == INVISIBLE
    r->outside[k] += is_inside(x, set.lower, set.upper) ? R(0.0) : R(1.0);
#else
    (void)set;
#endif
    run_add(r, k, shifted(x, settings, d, dim), d, dim);
}

static void draw_run(run *r, __global real *x, __global real *v, rules set, __global const real *settings, ulong seed,
                     uint dim)
{
    ulong at = r->home + (ulong)r->begin * TILE;
    uint d, k;
    for (d = r->begin; d < r->end; d++, at += TILE) {
        rules_enter(&set, settings, d, dim);
        for (k = 0; k < ITEMS; k++) {
            const struct shoal_words position =
                shoal_random_words(seed, SHOAL_STREAM_PSO_POSITION, 0u, r->particle + k, d / 2u);
            const struct shoal_words velocity =
                shoal_random_words(seed, SHOAL_STREAM_PSO_VELOCITY, 0u, r->particle + k, d / 2u);
            const coordinate c = drawn(d & 1u ? position.z : position.x, d & 1u ? velocity.z : velocity.x, set.lower,
                                       set.upper);
            x[at + k] = c.x;
            v[at + k] = c.v;
            run_enter(r, k, c.x, set, settings, d, dim);
        }
    }
}

/* r1 and r2 of the dimensions of one block. */
typedef struct {
    uint own[BLOCK][ITEMS], goal[BLOCK][ITEMS];
} words_of_block;

static void words_draw(words_of_block *words, ulong seed, uint step, uint particle, uint draw)
{
    uint k;
    for (k = 0; k < ITEMS; k++) {
        const struct shoal_words w = shoal_random_words(seed, SHOAL_STREAM_PSO_MOVE, step, particle + k, draw);
        words->own[0][k] = w.x;
#if RANDOM == PHILOX16
        words->own[1][k] = w.y;
        words->own[2][k] = w.z;
        words->own[3][k] = w.w;
#else
        words->goal[0][k] = w.y;
        words->own[1][k] = w.z;
        words->goal[1][k] = w.w;
#endif
    }
}

static real own_number(const words_of_block *words, uint c, uint k)
{
#if RANDOM == PHILOX16
    return half_word_number(words->own[c][k] & 0xffffu);
#else
    return word_number(words->own[c][k]);
#endif
}

static real goal_number(const words_of_block *words, uint c, uint k)
{
#if RANDOM == PHILOX16
    return half_word_number(words->own[c][k] >> 16);
#else
    return word_number(words->goal[c][k]);
#endif
}

/* Word for a coordinate at re-entry. */
static uint again_word(ulong seed, uint step, uint particle, uint d)
{
#if BOUNDS == REENTRY
    const struct shoal_words w = shoal_random_words(seed, SHOAL_STREAM_PSO_REENTRY, step, particle, d / 4u);
    return d & 2u ? (d & 1u ? w.w : w.z) : (d & 1u ? w.y : w.x);
#else
    (void)seed;
    (void)step;
    (void)particle;
    (void)d;
    return 0u;
#endif
}

/* What a turn of the loop reads: coordinates of SPAN dimensions. */
typedef struct {
    real x[SPAN][ITEMS], v[SPAN][ITEMS], p[SPAN][ITEMS], goal[SPAN];
} span;

/* The first `count` dimensions, SPAN but for the last turn. goal: of the best position of the swarm. */
static void span_read(span *s, __global const real *restrict x, __global const real *restrict v,
                      __global const real *restrict p, __global const real *restrict goal, uint count)
{
    uint c, k;
#pragma unroll
    for (c = 0; c < SPAN; c++)
        if (c < count) {
            for (k = 0; k < ITEMS; k++)
                s->x[c][k] = x[c * TILE + k];
            for (k = 0; k < ITEMS; k++)
                s->v[c][k] = v[c * TILE + k];
            for (k = 0; k < ITEMS; k++)
                s->p[c][k] = p[c * TILE + k];
            s->goal[c] = goal[c];
        }
}

/* Moves dimensions d .. d + count - 1. */
static void span_move(run *r, const span *s, rules set, __global const real *restrict settings, words_of_block *words,
                      ulong seed, uint step, __global real *restrict x, __global real *restrict v,
                      __global real *restrict p, uint d, uint count, uint dim)
{
    uint b, c, k;
#pragma unroll
    for (b = 0; b < DEPTH; b++) {
#if !SCALAR_RANDOM
        words_draw(words, seed, step, r->particle, d / BLOCK + b);
#endif
#pragma unroll
        for (c = b * BLOCK; c < (b + 1u) * BLOCK; c++)
            if (c < count) {
                rules_enter(&set, settings, d + c, dim);
                for (k = 0; k < ITEMS; k++) {
                    const uint w = SCALAR_RANDOM ? 0u : c % BLOCK;
                    const real own = !EAGER && r->pending[k] ? s->x[c][k] : s->p[c][k];
                    coordinate here;
                    here.x = s->x[c][k];
                    here.v = s->v[c][k];
                    here.v = pulled(here, set.inertia, set.cognitive * own_number(words, w, k), own,
                                    set.social * goal_number(words, w, k), s->goal[c]);
                    move_coordinate(&here.x, &here.v, set.lower, set.upper, set.limit,
                                    again_word(seed, step, r->particle + k, d + c));
                    x[c * TILE + k] = here.x;
                    v[c * TILE + k] = here.v;
#if !EAGER
                    if (r->pending[k])
                        p[c * TILE + k] = own;
#endif
                    run_enter(r, k, here.x, set, settings, d + c, dim);
                }
            }
    }
}

/* x, v, p: of the whole swarm. goal: best position of the swarm. */
static void move_run(run *r, __global real *restrict x, __global real *restrict v, __global real *restrict p,
                     __global const real *restrict goal, rules set, __global const real *restrict settings, ulong seed,
                     uint step, uint dim)
{
    ulong at = r->home + (ulong)r->begin * TILE;
    words_of_block words;
    span now;
    uint d;
#if SCALAR_RANDOM
    words_draw(&words, seed, step, r->particle, 0u);
#endif
#if AHEAD
    if (r->begin + SPAN <= r->end)
        span_read(&now, x + at, v + at, p + at, goal + r->begin, SPAN);
    for (d = r->begin; d + SPAN <= r->end; d += SPAN, at += SPAN * TILE) {
        const ulong then = at + SPAN * TILE;
        span next = now;
        if (d + 2u * SPAN <= r->end)
            span_read(&next, x + then, v + then, p + then, goal + d + SPAN, SPAN);
        span_move(r, &now, set, settings, &words, seed, step, x + at, v + at, p + at, d, SPAN, dim);
        now = next;
    }
    if (d < r->end) {
        span_read(&now, x + at, v + at, p + at, goal + d, r->end - d);
        span_move(r, &now, set, settings, &words, seed, step, x + at, v + at, p + at, d, r->end - d, dim);
    }
#else
    /* No turn apart for the rest: PoCL vectorises only one of the two. */
    for (d = r->begin; d < r->end; d += SPAN, at += SPAN * TILE) {
        span_read(&now, x + at, v + at, p + at, goal + d, r->end - d);
        span_move(r, &now, set, settings, &words, seed, step, x + at, v + at, p + at, d, r->end - d, dim);
    }
#endif
}

#if LANES > 1
/* As terms_join for accumulator t alone. */
static real term_join(uint t, real left, real right)
{
    return TERM_KIND(t) == SUM       ? left + right
           : TERM_KIND(t) == PRODUCT ? left * right
                                     : left + right - left * right;
}

/* Puts one number of each particle together over the slices, in slice 0 of its place: runs of dimensions are joined
 * left before right by accumulator t of the objective, or summed for t = TERMS. */
static INLINE void join(real *value, uint t, local real *scratch)
{
    const uint lid = (uint)get_local_id(0), slice = lid / PLACES;
    uint stride, k;
    for (k = 0; k < ITEMS; k++)
        scratch[k * WG + lid] = value[k];
    /* Slice 0 will write pending[], which all of them have read. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (stride = 1u; stride < LANES; stride *= 2u) {
        if (slice % (2u * stride) == 0u)
            for (k = 0; k < ITEMS; k++) {
                const real right = scratch[k * WG + lid + stride * PLACES];
                value[k] = t < TERMS ? term_join(t, value[k], right) : value[k] + right;
                scratch[k * WG + lid] = value[k];
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

/* Puts the terms of the particles together in slice 0 of their place. */
static INLINE void join_slices(run *r, local real *scratch, uint dim)
{
#if LANES > 1
    uint k, t;
#if COUPLED
    const uint lid = (uint)get_local_id(0);
    for (k = 0; k < ITEMS; k++)
        scratch[k * WG + lid] = r->last[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    /* A slice with dimensions follows one with dimensions. */
    if (lid >= PLACES && r->begin < r->end)
        for (k = 0; k < ITEMS; k++)
            run_set(r, k, terms_join(terms_add(terms_none(), scratch[k * WG + lid - PLACES], r->first[k],
                                               r->begin - 1u, dim), run_terms(r, k)));
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    (void)k;
    (void)dim;
#pragma unroll
    for (t = 0; t < TERMS; t++)
        join(r->sums[t], t, scratch);
#if BOUNDS == INVISIBLE
    join(r->outside, TERMS, scratch);
#endif
#else
    (void)r;
    (void)scratch;
    (void)dim;
#endif
}

/* What a group brings home from its tiles. */
typedef struct {
    struct minimum least; /* of the bests of the particles in slice 0 */
    uint not_finite;      /* evaluations */
} haul;

#if EAGER
/* x becomes p for the particles with better[k], of which there may be none. */
static void copy_run(const run *r, const uint *better, __global const real *x, __global real *p)
{
    ulong at = r->home + (ulong)r->begin * TILE;
    uint d, k, any = 0u;
    for (k = 0; k < ITEMS; k++)
        any |= better[k];
    if (any)
        for (d = r->begin; d < r->end; d++, at += TILE)
            for (k = 0; k < ITEMS; k++)
                if (better[k])
                    p[at + k] = x[at + k];
}
#endif

/* Evaluates particles whose coordinates are in place and keeps their bests; `fresh`: their first positions. */
static INLINE void settle(haul *found, run *r, int fresh, real sign, uint particles, uint dim,
                          __global const real *x, __global real *p, __global real *best, __global uint *pending,
                          local real *scratch)
{
    uint k;
    join_slices(r, scratch, dim);
    if ((uint)get_local_id(0) < PLACES) {
        uint better[ITEMS];
        for (k = 0; k < ITEMS; k++) {
            const uint i = r->particle + k;
            const int here = r->outside[k] == R(0.0);
            const real value = here ? counted(terms_value(run_terms(r, k), dim), sign) : (real)INFINITY;
            const real before = fresh ? (real)INFINITY : best[i];
            better[k] = fresh || value < before ? 1u : 0u;
            r->sums[0][k] = better[k] ? value : before;
            found->not_finite += here && !isfinite(value) && i < particles ? 1u : 0u;
        }
#if EAGER
        for (k = 0; k < ITEMS; k++) {
            best[r->particle + k] = r->sums[0][k];
            if (fresh)
                pending[r->particle + k] = 0u;
        }
        copy_run(r, better, x, p);
#else
        (void)x;
        (void)p;
        for (k = 0; k < ITEMS; k++) {
            if (better[k])
                best[r->particle + k] = r->sums[0][k];
            if (fresh || better[k] != r->pending[k])
                pending[r->particle + k] = better[k];
        }
#endif
        for (k = 0; k < ITEMS && r->particle + k < particles; k++) {
            struct minimum known;
            known.value = r->sums[0][k];
            known.index = r->particle + k;
            found->least = minimum_of(found->least, known);
        }
    }
}

/* Enters the group's best into its row of `slot`. */
static INLINE void publish(haul found, uint slot, __global const real *x, __global const real *p,
                           __global const uint *pending, __global real *group_value, __global uint *group_index,
                           __global real *group_position, __global uint *words, uint dim, local real *values,
                           local uint *indices)
{
    const uint lid = (uint)get_local_id(0);
    const ulong row = (ulong)slot * get_num_groups(0) + get_group_id(0);
    const struct minimum best = group_minimum(found.least, values, indices);
    const ulong home = (ulong)(best.index / TILE) * dim * TILE + best.index % TILE;
    uint d;
    island_count_not_finite(words, 0u, found.not_finite);
    /* Other work-items wrote the position. */
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0u) {
        group_value[row] = best.value;
        group_index[row] = best.index;
    }
    /* A group may have come too late for a tile. */
    if (best.index != NOBODY)
        for (d = lid; d < dim; d += WG)
            group_position[row * dim + d] = pending[best.index] ? x[home + (ulong)d * TILE] : p[home + (ulong)d * TILE];
}

/* The best of the swarm after a step, and the row of the slot where it stands. */
typedef struct {
    struct minimum best;
    uint row;
} leader;

/* From the `groups` rows of `slot`. */
static INLINE void swarm_best(leader *found, uint slot, uint groups, __global const real *group_value,
                              __global const uint *group_index, local real *values, local uint *indices)
{
    const uint lid = (uint)get_local_id(0);
    struct minimum mine = minimum_none(), other;
    uint g, row = 0u;
    for (g = groups > 1u ? lid : 0u; g < groups; g += WG) {
        other.value = group_value[slot * groups + g];
        other.index = group_index[slot * groups + g];
        if (other.index != NOBODY && (mine.index == NOBODY || minimum_of(mine, other).index == other.index)) {
            mine = other;
            row = g;
        }
    }
    found->best = mine;
    found->row = slot * groups + row;
#if WG > 1
    if (groups > 1u) {
        found->best = group_minimum(mine, values, indices);
        if (mine.index == found->best.index)
            indices[0] = found->row;
        barrier(CLK_LOCAL_MEM_FENCE);
        found->row = indices[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    (void)values;
    (void)indices;
#endif
}

/* The tiles of a group: all of them, or those it draws. */
typedef struct {
    uint drawn; /* by work-item 0, for the next turn */
    uint turn;
} tickets;

/* Takes the next ticket early, so that it has come when the tile is done. */
static void tickets_draw(tickets *t, __global uint *counter)
{
    if (get_num_groups(0) > 1 && get_local_id(0) == 0)
        t->drawn = atomic_inc(counter);
}

/* The next tile for every work-item. hand: two words. */
static INLINE uint tickets_take(tickets *t, local uint *hand)
{
    const int drawn = get_num_groups(0) > 1;
    const uint turn = t->turn++;
    uint tile = drawn ? t->drawn : turn;
#if WG > 1
    if (drawn) {
        if (get_local_id(0) == 0)
            hand[turn & 1u] = tile;
        /* The word of the turn before is still being read by others; it is written again behind the next barrier. */
        barrier(CLK_LOCAL_MEM_FENCE);
        tile = hand[turn & 1u];
    }
#else
    (void)hand;
#endif
    return tile;
}

/* Books of a slot: `stand` holds three words, `marks` one number for each slot. They lag by one step: the best of the
 * slot's step is entered when the next step begins. */
#define STAND_STEPS 0
#define STAND_STAGNANT 1
#define STAND_TICKET 2 /* next tile; a step clears the other slot's */
#define STAND_WORDS 3

/* The island after step `step`, whose best is `goal`. */
static island stand_settled(__global const uint *stand, __global const real *marks, uint step, struct minimum goal,
                            real tolerance)
{
    const uint slot = step & 1u;
    island books = island_new();
    books.stagnant = stand[slot * STAND_WORDS + STAND_STAGNANT];
    books.mark = marks[slot];
    island_settle(&books, step, goal.value, goal.index, step == 0u, tolerance);
    return books;
}

static int has_ended(island books, real target, uint stagnation)
{
    return books.champion <= target || (stagnation > 0u && books.stagnant >= stagnation);
}

/* Step 0: draws and evaluates the swarm. group_*: 2 rows for each group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_init(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global uint *restrict pending, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict stand, __global real *restrict marks, __global uint *restrict words,
              __global const real *restrict settings, ulong seed, uint particles, uint dim)
{
    __local real scratch[SCRATCH];
    __local uint indices[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint tiles = (particles + TILE - 1u) / TILE;
    const rules set = rules_read(settings, 1u);
    haul found;
    run r;
    uint tile;
    found.least = minimum_none();
    found.not_finite = 0u;
    for (tile = group; tile < tiles; tile += groups) {
        run_begin(&r, tile, dim, pending);
        draw_run(&r, x, v, set, settings, seed, dim);
        settle(&found, &r, 1, set.sign, particles, dim, x, p, best, pending, scratch);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    publish(found, 0u, x, p, pending, group_value, group_index, group_position, words, dim, scratch, indices);
    if (group == 0u && lid == 0u) {
        uint slot;
        for (slot = 0u; slot < 2u; slot++) {
            stand[slot * STAND_WORDS + STAND_STEPS] = 0u;
            stand[slot * STAND_WORDS + STAND_STAGNANT] = 0u;
            stand[slot * STAND_WORDS + STAND_TICKET] = 0u;
            marks[slot] = (real)INFINITY;
        }
    }
}

/* Steps step .. step + steps - 1; more than one only in a launch of one group. A slot's STAND_STEPS tells that its
 * step was made: from the step on that finds the run at its end, nothing changes any more. trace[k], for
 * trace_interval > 0, receives the swarm's best value after k * trace_interval steps. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_step(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global uint *restrict pending, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict stand, __global real *restrict marks, __global uint *restrict words,
              __global real *restrict trace, __global const real *restrict settings, ulong seed, uint particles,
              uint dim, uint step, uint steps, uint trace_interval, uint stagnation)
{
    __local real scratch[SCRATCH];
    __local uint indices[WG];
    __local uint hand[2];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint tiles = (particles + TILE - 1u) / TILE;
    const uint end = step + steps;
    run r;
    for (; step < end; step++) {
        const uint slot = step & 1u, before = slot ^ 1u;
        __global uint *const counter = stand + slot * STAND_WORDS + STAND_TICKET;
        const rules set = rules_read(settings, step);
        leader goal;
        island books;
        tickets mine;
        haul found;
        uint tile;
        if (stand[before * STAND_WORDS + STAND_STEPS] != step - 1u)
            break;
        mine.turn = mine.drawn = 0u;
        tickets_draw(&mine, counter);
        swarm_best(&goal, before, groups, group_value, group_index, scratch, indices);
        books = stand_settled(stand, marks, step - 1u, goal.best, settings[SET_TOLERANCE]);
        if (has_ended(books, settings[SET_TARGET], stagnation))
            break;
        found.least = minimum_none();
        found.not_finite = 0u;
        for (tile = tickets_take(&mine, hand); tile < tiles; tile = tickets_take(&mine, hand)) {
            tickets_draw(&mine, counter);
            run_begin(&r, tile, dim, pending);
            move_run(&r, x, v, p, group_position + (ulong)goal.row * dim, set, settings, seed, step, dim);
            settle(&found, &r, 0, set.sign, particles, dim, x, p, best, pending, scratch);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        publish(found, slot, x, p, pending, group_value, group_index, group_position, words, dim, scratch, indices);
        if (group == 0u && lid == 0u) {
            stand[slot * STAND_WORDS + STAND_STEPS] = step;
            stand[slot * STAND_WORDS + STAND_STAGNANT] = books.stagnant;
            stand[before * STAND_WORDS + STAND_TICKET] = 0u;
            marks[slot] = books.mark;
            if (trace_interval > 0u && (step - 1u) % trace_interval == 0u)
                trace[(step - 1u) / trace_interval] = goal.best.value;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Brings p up to date and enters what the slots hold into the books of the island. table_groups: those of the launches
 * before. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_collect(__global const real *restrict x, __global real *restrict p, __global uint *restrict pending,
                 __global const real *restrict group_value, __global const uint *restrict group_index,
                 __global const real *restrict group_position, __global const uint *restrict stand,
                 __global const real *restrict marks, __global uint *restrict words, __global real *restrict reals,
                 __global real *restrict champion, __global real *restrict trace,
                 __global const real *restrict settings, uint table_groups, uint particles, uint dim,
                 uint trace_interval, uint stagnation)
{
    __local real scratch[WG];
    __local uint indices[WG];
    const uint lid = (uint)get_local_id(0), stride = (uint)get_global_size(0);
    const uint step = max(stand[STAND_STEPS], stand[STAND_WORDS + STAND_STEPS]);
    uint i, d;
    for (i = (uint)get_global_id(0); i < particles; i += stride)
        if (pending[i]) {
            const ulong home = (ulong)(i / TILE) * dim * TILE + i % TILE;
            for (d = 0; d < dim; d++)
                p[home + (ulong)d * TILE] = x[home + (ulong)d * TILE];
            pending[i] = 0u;
        }
    if (get_group_id(0) == 0) {
        leader goal;
        swarm_best(&goal, step & 1u, table_groups, group_value, group_index, scratch, indices);
        for (d = lid; d < dim; d += WG)
            champion[d] = group_position[(ulong)goal.row * dim + d];
        if (lid == 0u) {
            island books = stand_settled(stand, marks, step, goal.best, settings[SET_TOLERANCE]);
            books.reached = books.champion <= settings[SET_TARGET] ? 1u : 0u;
            books.ended = has_ended(books, settings[SET_TARGET], stagnation) ? 1u : 0u;
            island_write(books, words, reals, 0u);
            if (trace_interval > 0u && step % trace_interval == 0u)
                trace[step / trace_interval] = goal.best.value;
        }
    }
}
