/* A swarm with a global best and UPDATE LINEAR_UPDATE, in one island: one kernel moves particles, evaluates them and
 * updates personal bests.
 *
 * Particles are in tiles of TILE = PLACES * ITEMS particles. A tile is stored dimension by dimension: coordinate d of
 * particle i is at (i / TILE * dim + d) * TILE + i % TILE in x (position), v (velocity) and p (best position of the
 * particle; its value is best[i]). So neighbouring work-items read neighbouring words, and the data of a group are
 * contiguous. The last tile is padded with particles that move like all others, so that no loop needs a guard; they are
 * never a best.
 *
 * SLICES work-items share a particle, each with a range of neighbouring dimensions, so that a small swarm fills a wide
 * device. The innermost loops of a work-item run over ITEMS neighbouring particles, which gives wide loads on a GPU and
 * vector code on a CPU. The number of a work-item is slice * PLACES + place.
 *
 * A particle i with a new personal best sets pending[i]. The next step copies its position to p, since it has the
 * position in registers then; until then, the best position of the particle is x. With EAGER (many ITEMS), x is copied
 * to p at once: the vector code of a CPU writes every p, or tests whether any particle of a tile has improved.
 *
 * A launch makes one step. At its end, each group writes the best of its particles (value, particle, position) to its
 * row of slot step & 1. At the beginning of the next step, each group finds the minimum over all rows of this slot. No
 * work-item reads what another one writes in the same launch, so the update is synchronous and needs no second kernel.
 * Groups take tiles by ticket, so any number of groups may run at a time; no result depends on which group takes which
 * tile. If there is a group for every tile, a group has the tile of its own number. A single group may make many steps
 * in one launch.
 *
 * On some GPUs the native version (pso/methods/fused.cu) makes many steps of a small swarm in a launch of GROUPS groups,
 * and many steps of a swarm of HELD dimensions that fits the local memory of all multiprocessors (HELD 0: none).
 *
 * If several devices share the swarm, each has a range of the tiles. Between two steps the best of the whole swarm
 * replaces the best in the row of the first group (pso/methods/fused_best.cl).
 */
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef HELD
#define HELD 0
#endif

#include "pso/methods/fused_run.clh"
#include "pso/methods/fused_best.clh"

/* A group of one work-item needs no barrier. PoCL 3.1 crashes when it compiles a loop with a barrier and a large body,
 * with three or four accumulators in double precision. */
#if WG > 1
#define SYNC(fence) barrier(fence)
#else
#define SYNC(fence)
#endif

#if LANES > 1
/* Joins accumulator t of two ranges of dimensions, as terms_join does. */
static real term_join(uint t, real left, real right)
{
    return TERM_KIND(t) == SUM       ? left + right
           : TERM_KIND(t) == PRODUCT ? left * right
                                     : left + right - left * right;
}

/* Joins one number of each particle over its slices, in the order of the dimensions; slice 0 gets the result. t:
 * accumulator of the objective to which the numbers belong; TERMS: the numbers are added. */
static INLINE void join(real *value, uint t, local real *scratch)
{
    const uint lid = (uint)get_local_id(0), slice = lid / PLACES;
    uint stride, k;
    for (k = 0; k < ITEMS; k++)
        scratch[k * WG + lid] = value[k];
    /* The barrier is also global: slice 0 will write pending[], which all slices have read before. */
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

/* Joins the terms of each particle over its slices; slice 0 gets the result. */
static INLINE void join_slices(run *r, local real *scratch, uint dim)
{
#if LANES > 1
    uint k, t;
#if COUPLED
    const uint lid = (uint)get_local_id(0);
    for (k = 0; k < ITEMS; k++)
        scratch[k * WG + lid] = r->last[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Every slice with dimensions, except the first, follows a slice with dimensions. */
    if (lid >= PLACES && r->begin < r->end)
        for (k = 0; k < ITEMS; k++)
            run_set(r, k, terms_join(terms_add(run_none(r, k), scratch[k * WG + lid - PLACES], r->first[k],
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

/* Result of a group over the tiles that it has taken. */
typedef struct {
    struct minimum least; /* the best of the particles */
    uint not_finite;      /* number of evaluations without a finite value */
} tile_results;

#if EAGER
/* Copies the work-item's range of x to p for each particle k with better[k]. */
static void copy_run(const run *r, const uint *better, __global const real *x, __global real *p)
{
    ulong at = r->base + (ulong)r->begin * TILE;
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

/* Evaluates particles whose coordinates are set, and updates their personal bests. fresh: 1: the positions are the
 * first ones of the particles, so they become personal bests in any case. */
static INLINE void settle(tile_results *found, run *r, int fresh, real sign, uint particles, uint dim,
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

/* Writes the group's best to its row of `slot`. */
static INLINE void publish(tile_results found, uint slot, __global const real *x, __global const real *p,
                           __global const uint *pending, __global real *group_value, __global uint *group_index,
                           __global real *group_position, __global uint *words, uint dim, local real *values,
                           local uint *indices)
{
    const uint lid = (uint)get_local_id(0);
    const ulong row = (ulong)slot * get_num_groups(0) + get_group_id(0);
    const struct minimum best = group_minimum(found.least, values, indices);
    const ulong base = (ulong)(best.index / TILE) * dim * TILE + best.index % TILE;
    uint d;
    island_count_not_finite(words, 0u, found.not_finite);
    /* Other work-items have written parts of the best position. */
    SYNC(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0u) {
        group_value[row] = best.value;
        group_index[row] = best.index;
    }
    /* A group without a tile has no best. */
    if (best.index != NO_INDEX)
        for (d = lid; d < dim; d += WG)
            group_position[row * dim + d] = pending[best.index] ? x[base + (ulong)d * TILE] : p[base + (ulong)d * TILE];
}

/* The tiles of a group, taken by ticket. If there are at most as many tiles as groups, or only one group, a group has
 * the tiles at a fixed stride instead. */
typedef struct {
    uint drawn; /* the ticket that work-item 0 has drawn for the next turn */
    uint turn;
} tickets;

static int are_drawn(uint tiles)
{
    return get_num_groups(0) > 1 && tiles > (uint)get_num_groups(0);
}

/* Draws the next ticket early, so that its latency is hidden behind the work on the current tile. */
static INLINE void tickets_draw(tickets *t, __global uint *counter, uint tiles)
{
    if (are_drawn(tiles) && get_local_id(0) == 0)
        t->drawn = atomic_inc(counter);
}

/* Returns the next tile to every work-item. hand: [2], memory through which work-item 0 passes the ticket on. */
static INLINE uint tickets_take(tickets *t, uint tiles, local uint *hand)
{
    const int drawn = are_drawn(tiles);
    const uint turn = t->turn++;
    uint tile = drawn ? t->drawn : (uint)get_group_id(0) + turn * (uint)get_num_groups(0);
#if WG > 1
    if (drawn) {
        if (get_local_id(0) == 0)
            hand[turn & 1u] = tile;
        /* Other work-items may still read the word of the previous turn. It is written again only after the next
         * barrier. */
        barrier(CLK_LOCAL_MEM_FENCE);
        tile = hand[turn & 1u];
    }
#else
    (void)hand;
#endif
    return tile;
}

/* `slots` has SLOT_WORDS words and `marks` one number for each of two slots. The state lags by one step: the best of a
 * step is recorded when the next step begins. */

/* What a slot says of the run after its step: number of steps, steps without improvement, and limits. */
typedef struct {
    uint steps, stagnant;
    real mark, tolerance, target;
} slot_state;

static slot_state slot_read(__global const uint *slots, __global const real *marks, __global const real *settings,
                           uint step)
{
    const uint slot = step & 1u;
    slot_state now;
    now.steps = slots[slot * SLOT_WORDS + SLOT_STEPS];
    now.stagnant = slots[slot * SLOT_WORDS + SLOT_STAGNANT];
    now.mark = marks[slot];
    now.tolerance = settings[SET_TOLERANCE];
    now.target = settings[SET_TARGET];
    return now;
}

/* Returns the record of the island after step `step`, whose best is `goal`. */
static island slot_settled(slot_state now, uint step, struct minimum goal)
{
    island record = island_new();
    record.stagnant = now.stagnant;
    record.mark = now.mark;
    island_settle(&record, step, goal.value, goal.index, step == 0u, now.tolerance);
    return record;
}

static int has_ended(island record, real target, uint stagnation)
{
    return record.champion <= target || (stagnation > 0u && record.stagnant >= stagnation);
}

/* Step 0: draws and evaluates the swarm. group_value, group_index, group_position: in each of the two slots, a row for
 * each group. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_init(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global uint *restrict pending, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict slots, __global real *restrict marks, __global uint *restrict words,
              __global const real *restrict settings, struct fused_launch launch)
{
    __local real scratch[SCRATCH];
    __local uint indices[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint particles = launch.particles, dim = launch.dim, tiles = launch.tiles;
    const rules set = rules_read(settings, 1u);
    tile_results found;
    run r;
    uint tile;
    found.least = minimum_none();
    found.not_finite = 0u;
    for (tile = group; tile < tiles; tile += groups) {
        run_begin(&r, launch.tile_first + tile, dim, pending);
        draw_run(&r, x, v, set, settings, launch.seed, dim);
        run_add_moved(&r, x, settings, dim);
        settle(&found, &r, 1, set.sign, particles, dim, x, p, best, pending, scratch);
    }
    SYNC(CLK_LOCAL_MEM_FENCE);
    publish(found, 0u, x, p, pending, group_value, group_index, group_position, words, dim, scratch, indices);
    if (group == 0u && lid == 0u) {
        uint slot;
        for (slot = 0u; slot < 2u; slot++) {
            slots[slot * SLOT_WORDS + SLOT_STEPS] = 0u;
            slots[slot * SLOT_WORDS + SLOT_STAGNANT] = 0u;
            slots[slot * SLOT_WORDS + SLOT_TICKET] = 0u;
            marks[slot] = (real)INFINITY;
        }
    }
}

#if GROUPS == 1 && HELD == 0
/* Makes steps launch.step .. launch.step + launch.steps - 1. Only a launch of one group makes more than one step. After
 * a step has found that the run has ended, later steps change nothing: they see by SLOT_STEPS that the step before was
 * not made. */
SHOAL_STARTS_EARLY(pso_step)
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_step(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global uint *restrict pending, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict slots, __global real *restrict marks, __global uint *restrict words,
              __global const real *restrict settings, struct fused_launch launch)
{
    __local real scratch[SCRATCH];
    __local uint indices[WG];
    __local uint hand[2];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint particles = launch.particles, dim = launch.dim, tiles = launch.tiles, first = launch.tile_first;
    /* With NVIDIA's OpenCL, reading these members inside the loop takes 2 % more time. */
    const uint end = launch.step + launch.steps, stagnation = launch.stagnation;
    const ulong seed = launch.seed;
    run r;
    uint step;
    SHOAL_AFTER_LAUNCH();
    for (step = launch.step; step < end; step++) {
        const uint slot = step & 1u, before = slot ^ 1u;
        __global uint *const counter = slots + slot * SLOT_WORDS + SLOT_TICKET;
        const rules set = rules_read(settings, step);
        /* All loads are issued before the first result is used. */
        const slot_state now = slot_read(slots, marks, settings, step - 1u);
        leader goal;
        island record;
        tickets mine;
        tile_results found;
        uint tile;
        mine.turn = mine.drawn = 0u;
        tickets_draw(&mine, counter, tiles);
        swarm_best(&goal, before, groups, group_value, group_index, scratch, indices);
        record = slot_settled(now, step - 1u, goal.best);
        if (now.steps != step - 1u || has_ended(record, now.target, stagnation))
            break;
        found.least = minimum_none();
        found.not_finite = 0u;
        for (tile = tickets_take(&mine, tiles, hand); tile < tiles; tile = tickets_take(&mine, tiles, hand)) {
            /* Every other step goes through the tiles in the reverse order: those that the step before has moved last
             * may still be in a cache. */
            const uint at = are_drawn(tiles) && step % 2u ? tiles - 1u - tile : tile;
            tickets_draw(&mine, counter, tiles);
            run_begin(&r, first + at, dim, pending);
            move_run(&r, x, v, p, group_position + (ulong)goal.row * dim, set, settings, launch.keys, seed, step,
                     dim);
            run_add_moved(&r, x, settings, dim);
            settle(&found, &r, 0, set.sign, particles, dim, x, p, best, pending, scratch);
        }
        SYNC(CLK_LOCAL_MEM_FENCE);
        publish(found, slot, x, p, pending, group_value, group_index, group_position, words, dim, scratch, indices);
        if (group == 0u && lid == 0u) {
            slots[slot * SLOT_WORDS + SLOT_STEPS] = step;
            slots[slot * SLOT_WORDS + SLOT_STAGNANT] = record.stagnant;
            slots[before * SLOT_WORDS + SLOT_TICKET] = 0u;
            marks[slot] = record.mark;
        }
        SYNC(CLK_GLOBAL_MEM_FENCE);
    }
}
#endif

/* Copies pending positions to p, and computes the record of the island from the slots. The launch has the same number
 * of groups as pso_init and pso_step, which wrote the rows of the slots. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_collect(__global const real *restrict x, __global real *restrict p, __global uint *restrict pending,
                 __global const real *restrict group_value, __global const uint *restrict group_index,
                 __global const real *restrict group_position, __global const uint *restrict slots,
                 __global const real *restrict marks, __global uint *restrict words, __global real *restrict reals,
                 __global real *restrict champion, __global const real *restrict settings, struct fused_launch launch)
{
    __local real scratch[WG];
    __local uint indices[WG];
    const uint lid = (uint)get_local_id(0), stride = (uint)get_global_size(0);
    const uint dim = launch.dim, step = max(slots[SLOT_STEPS], slots[SLOT_WORDS + SLOT_STEPS]);
    const uint end = min((launch.tile_first + launch.tiles) * TILE, launch.particles);
    uint i, d;
    for (i = launch.tile_first * TILE + (uint)get_global_id(0); i < end; i += stride)
        if (pending[i]) {
            const ulong base = (ulong)(i / TILE) * dim * TILE + i % TILE;
            for (d = 0; d < dim; d++)
                p[base + (ulong)d * TILE] = x[base + (ulong)d * TILE];
            pending[i] = 0u;
        }
    if (get_group_id(0) == 0) {
        leader goal;
        swarm_best(&goal, step & 1u, (uint)get_num_groups(0), group_value, group_index, scratch, indices);
        for (d = lid; d < dim; d += WG)
            champion[d] = group_position[(ulong)goal.row * dim + d];
        if (lid == 0u) {
            const slot_state now = slot_read(slots, marks, settings, step);
            island record = slot_settled(now, step, goal.best);
            record.reached = record.champion <= now.target ? 1u : 0u;
            record.ended = has_ended(record, now.target, launch.stagnation) ? 1u : 0u;
            island_write(record, words, reals, 0u);
        }
    }
}
