/* Global-best particle swarm with inertia weight, synchronous.
 *
 * Particles come in tiles of TILE = COLUMNS * ITEMS, a tile dimension by dimension: coordinate d of particle i stands
 * at (i / TILE * dim + d) * TILE + i % TILE in x (position), v (velocity) and p (best position the particle has seen,
 * with value best[i]). So neighbours read neighbours, and what a group works on lies together. The last tile is whole:
 * the particles behind the last one move like the others, so that no loop needs a guard, but are nobody's best.
 *
 * Work is cut in one of two ways. On a GPU SLICES work-items share a particle, each with a run of neighbouring
 * dimensions, so that a small swarm fills a wide device: work-item = slice * COLUMNS + column. On a CPU a work-item
 * has ITEMS neighbouring particles in its innermost loops, which compilers turn into vector code. A group takes tile
 * group, group + groups, ...; the number of groups is free and changes no result.
 *
 * One launch is one step. Each group ends a step by publishing the best of its particles (value, particle,
 * position) in slot step & 1 and begins the next by taking the minimum over the groups in the other slot. Nobody
 * reads what the same launch writes, so the update is synchronous and needs no second kernel. A single group may do
 * many steps in one launch.
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

#include "lib/real.clh"
#include "lib/philox.clh"
#include "lib/reduce.clh"
#include "objective/objective.clh"

/* A device may allow only groups smaller than SLICES. */
#if SLICES < WG
#define LANES SLICES
#else
#define LANES WG
#endif
#define COLUMNS (WG / LANES)
#define TILE (COLUMNS * ITEMS)
#if LANES & (LANES - 1)
#error "SLICES must be a power of two"
#endif
#if LANES > 1 && ITEMS > 1
#error "a particle is shared by work-items, or a work-item has several particles, not both"
#endif

typedef struct {
    real inertia, cognitive, social, lower, upper;
} rule;

/* Dimensions begin .. end - 1 of a work-item's particles `particle`, particle + 1, ..., whose dimension 0 begins at
 * place `home`: their terms, and the coordinates at both ends where the objective is COUPLED. */
typedef struct {
    ulong home;
    uint particle;
    uint begin, end;
    real sums[TERMS][ITEMS]; /* of struct terms */
    real first[ITEMS], last[ITEMS];
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

/* Runs begin at even dimensions, since one block of random words serves two. */
static void run_begin(run *r, uint tile, uint dim)
{
    const uint column = (uint)get_local_id(0) % COLUMNS, slice = (uint)get_local_id(0) / COLUMNS;
    const uint pairs = (dim + 1u) / 2u;
    const uint each = (pairs + LANES - 1u) / LANES;
    uint k;
    r->home = (ulong)tile * dim * TILE + column * ITEMS;
    r->particle = tile * TILE + column * ITEMS;
    r->begin = min(slice * each * 2u, dim);
    r->end = min(r->begin + each * 2u, dim);
    for (k = 0; k < ITEMS; k++) {
        run_set(r, k, terms_none());
        r->first[k] = r->last[k] = R(0.0);
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

/* In [0, 1). Both precisions use the same word, so that their swarms start on the same path. */
static real uniform(uint word)
{
#if REAL == 64
    return shoal_uniform_double(word, 0u);
#else
    return shoal_uniform_float(word);
#endif
}

/* Uniform position, and half the way to a second uniform point as velocity. */
static real draw(__global real *x, __global real *v, rule set, uint position, uint velocity)
{
    const real width = set.upper - set.lower;
    const real start = min(set.lower + uniform(position) * width, set.upper);
    *x = start;
    *v = (set.lower + uniform(velocity) * width - start) * R(0.5);
    return start;
}

static void draw_run(run *r, __global real *x, __global real *v, rule set, ulong seed, uint dim)
{
    ulong at = r->home + (ulong)r->begin * TILE;
    uint d, k;
    for (d = r->begin; d < r->end; d++, at += TILE)
        for (k = 0; k < ITEMS; k++) {
            const struct shoal_words position =
                shoal_random_words(seed, SHOAL_STREAM_PSO_POSITION, 0u, r->particle + k, d / 2u);
            const struct shoal_words velocity =
                shoal_random_words(seed, SHOAL_STREAM_PSO_VELOCITY, 0u, r->particle + k, d / 2u);
            const real here = draw(x + at + k, v + at + k, set, d & 1u ? position.z : position.x,
                                   d & 1u ? velocity.z : velocity.x);
            run_add(r, k, here, d, dim);
        }
}

static real move(__global real *x, __global real *v, real own, real goal, rule set, uint word0, uint word1)
{
    real at = *x;
    real speed = set.inertia * *v + set.cognitive * uniform(word0) * (own - at) +
                 set.social * uniform(word1) * (goal - at);
    at += speed;
    if (at < set.lower || at > set.upper) {
        at = R(2.0) * (at < set.lower ? set.lower : set.upper) - at;
        at = min(max(at, set.lower), set.upper);
        speed = -speed;
    }
    *x = at;
    *v = speed;
    return at;
}

/* goal: best position of the swarm, its coordinates one behind the other. */
static void move_run(run *r, __global real *x, __global real *v, __global const real *p, __global const real *goal,
                     rule set, ulong seed, uint step, uint dim)
{
    ulong at = r->home + (ulong)r->begin * TILE;
    uint third[ITEMS], fourth[ITEMS];
    uint d, k;
    for (d = r->begin; d < r->end; d += 2u) {
        for (k = 0; k < ITEMS; k++) {
            const struct shoal_words words =
                shoal_random_words(seed, SHOAL_STREAM_PSO_MOVE, step, r->particle + k, d / 2u);
            third[k] = words.z;
            fourth[k] = words.w;
            run_add(r, k, move(x + at + k, v + at + k, p[at + k], goal[d], set, words.x, words.y), d,
                    dim);
        }
        at += TILE;
        if (d + 1u < r->end)
            for (k = 0; k < ITEMS; k++)
                run_add(r, k, move(x + at + k, v + at + k, p[at + k], goal[d + 1u], set, third[k], fourth[k]),
                        d + 1u, dim);
        at += TILE;
    }
}

/* Puts the terms of a particle together in slice 0 of its column. scratch: TERMS * WG. */
static INLINE void join_slices(run *r, local real *scratch, uint dim)
{
#if LANES > 1
    const uint lid = (uint)get_local_id(0), slice = lid / COLUMNS;
    terms sum = run_terms(r, 0u);
    uint stride;
    int t;
#if COUPLED
    /* A slice with dimensions follows one with dimensions. */
    scratch[lid] = r->last[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice > 0u && r->begin < r->end)
        sum = terms_join(terms_add(terms_none(), scratch[lid - COLUMNS], r->first[0], r->begin - 1u, dim), sum);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (t = 0; t < TERMS; t++)
        scratch[t * WG + lid] = sum.a[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (stride = 1u; stride < LANES; stride *= 2u) {
        if (slice % (2u * stride) == 0u) {
            terms right;
            for (t = 0; t < TERMS; t++)
                right.a[t] = scratch[t * WG + lid + stride * COLUMNS];
            sum = terms_join(sum, right);
            for (t = 0; t < TERMS; t++)
                scratch[t * WG + lid] = sum.a[t];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    run_set(r, 0u, sum);
#else
    (void)r;
    (void)scratch;
    (void)dim;
#endif
}

/* Evaluates particles whose coordinates are in place and keeps their bests; `fresh`: their first positions. Returns
 * the least of the bests in slice 0, nothing in the others. NaN is no value and becomes nobody's best. */
static INLINE struct minimum settle(run *r, int fresh, uint particles, uint dim, __global const real *x, __global real *p,
                             __global real *best, local real *scratch, local uint *improved)
{
    const uint lid = (uint)get_local_id(0);
    struct minimum least = minimum_none(), known;
    int better[ITEMS], any = 0;
    uint k;
    join_slices(r, scratch, dim);
    for (k = 0; k < ITEMS; k++)
        better[k] = 0;
    if (lid < COLUMNS) {
        for (k = 0; k < ITEMS; k++) {
            const real value = terms_value(run_terms(r, k), dim);
            const real before = fresh ? (real)INFINITY : best[r->particle + k];
            better[k] = value < before;
            best[r->particle + k] = better[k] ? value : before;
        }
        for (k = 0; k < ITEMS && r->particle + k < particles; k++) {
            known.value = best[r->particle + k];
            known.index = r->particle + k;
            least = minimum_of(least, known);
        }
    }
#if LANES > 1
    if (lid < COLUMNS)
        improved[lid] = (uint)better[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    better[0] = (int)improved[lid % COLUMNS];
    /* The next tile's flags are written behind the barriers of join_slices. */
#else
    (void)improved;
#endif
    for (k = 0; k < ITEMS; k++) {
        better[k] |= fresh;
        any |= better[k];
    }
    if (any) {
        ulong at = r->home + (ulong)r->begin * TILE;
        uint d;
        for (d = r->begin; d < r->end; d++, at += TILE)
            for (k = 0; k < ITEMS; k++)
                if (better[k])
                    p[at + k] = x[at + k];
    }
    return least;
}

/* Enters the group's best into its row of `slot`. */
static void publish(struct minimum best, uint slot, __global const real *p, __global real *group_value,
                    __global uint *group_index, __global real *group_position, uint dim, local real *values,
                    local uint *indices)
{
    const uint lid = (uint)get_local_id(0);
    const ulong row = (ulong)slot * get_num_groups(0) + get_group_id(0);
    ulong home;
    uint d;
    best = group_minimum(best, values, indices);
    home = (ulong)(best.index / TILE) * dim * TILE + best.index % TILE;
    /* Other work-items wrote the position. */
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0u) {
        group_value[row] = best.value;
        group_index[row] = best.index;
    }
    for (d = lid; d < dim; d += WG)
        group_position[row * dim + d] = p[home + (ulong)d * TILE];
}

/* The best over all groups in `slot`. */
static struct minimum swarm_best(uint slot, __global const real *group_value, __global const uint *group_index,
                                 local real *values, local uint *indices)
{
    const uint groups = (uint)get_num_groups(0);
    struct minimum best = minimum_none(), other;
    uint g;
    for (g = groups > 1u ? (uint)get_local_id(0) : 0u; g < groups; g += WG) {
        other.value = group_value[slot * groups + g];
        other.index = group_index[slot * groups + g];
        best = minimum_of(best, other);
    }
    return groups > 1u ? group_minimum(best, values, indices) : best;
}

/* Step 0: draws and evaluates the swarm. group_*: 2 rows for each group. done: 2 words. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_init(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict done, ulong seed, uint particles, uint dim, real lower, real upper)
{
    __local real scratch[TERMS * WG];
    __local uint indices[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint tiles = (particles + TILE - 1u) / TILE;
    struct minimum least = minimum_none();
    run r;
    rule set;
    uint tile;
    set.inertia = set.cognitive = set.social = R(0.0);
    set.lower = lower;
    set.upper = upper;
    for (tile = group; tile < tiles; tile += groups) {
        run_begin(&r, tile, dim);
        draw_run(&r, x, v, set, seed, dim);
        least = minimum_of(least, settle(&r, 1, particles, dim, x, p, best, scratch, indices));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    publish(least, 0u, p, group_value, group_index, group_position, dim, scratch, indices);
    if (group == 0u && lid == 0u)
        done[0] = done[1] = 0u;
}

/* Steps step .. step + steps - 1; more than one only in a launch of one group. done[step & 1] tells that a step was
 * made: from the step on that finds the target reached, nothing changes any more. trace[k], for trace_interval > 0,
 * receives the swarm's best value after k * trace_interval steps. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_step(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict done, __global real *restrict trace, ulong seed, uint particles, uint dim,
              uint step, uint steps, uint trace_interval, real inertia, real cognitive, real social, real lower,
              real upper, real target)
{
    __local real scratch[TERMS * WG];
    __local uint indices[WG];
    const uint lid = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const uint tiles = (particles + TILE - 1u) / TILE;
    const uint end = step + steps;
    run r;
    rule set;
    set.inertia = inertia;
    set.cognitive = cognitive;
    set.social = social;
    set.lower = lower;
    set.upper = upper;
    for (; step < end; step++) {
        const uint slot = step & 1u, before = slot ^ 1u;
        const struct minimum goal = swarm_best(before, group_value, group_index, scratch, indices);
        const uint row = before * groups + goal.index / TILE % groups;
        struct minimum least = minimum_none();
        uint tile;
        if (done[before] != step - 1u || goal.value <= target)
            break;
        if (group == 0u && lid == 0u && trace_interval > 0u) {
            const uint entry = (step - 1u) / trace_interval;
            if (entry * trace_interval == step - 1u)
                trace[entry] = goal.value;
        }
        for (tile = group; tile < tiles; tile += groups) {
            run_begin(&r, tile, dim);
            move_run(&r, x, v, p, group_position + (ulong)row * dim, set, seed, step,
                     dim);
            least = minimum_of(least, settle(&r, 0, particles, dim, x, p, best, scratch, indices));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        publish(least, slot, p, group_value, group_index, group_position, dim, scratch, indices);
        if (group == 0u && lid == 0u)
            done[slot] = step;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
