/* Native version of pso/methods/fused.cl. With GROUPS above 1 a cluster of GROUPS work-groups (compute capability 9.0 on)
 * holds the whole swarm in registers and makes many steps in one launch. Then:
 * - SLICES neighbouring work-items, which exchange terms by shuffles, share a particle; each has DEPTH blocks of random
 *   words, so SPAN dimensions;
 * - each warp writes its best particle to local memory; of these, each warp finds the best of the work-group, and sends
 *   it to one work-group of the cluster; when those of all work-groups have come, it finds the best of the swarm;
 * - random numbers of the next step are drawn before the wait.
 * Sums have the order of fused.cl. A swarm that such a launch leaves is the one that fused.cl would leave, but that a
 * best of -0 may be published as 0.
 *
 * Million evaluations/s on an H200 in fp32, for Rastrigin's function in 30 dimensions, with those of a launch for each
 * step:
 *     1024 particles   620, not 187 (3.3x)
 *     4096 particles  1048, not 660 (1.6x)
 */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

#ifndef GROUPS
#define GROUPS 1
#endif

/* Exact, as 2 face is. */
#define MIRRORED(x, face) fma(R(2.0), face, -(x))

#include "cuda/cluster.cuh"
#include "pso/methods/fused.cl"

#if HELD
#include "pso/methods/fused_held.cuh"
#endif

#if GROUPS > 1

#define WARPS     (WG / 32)
#define ALL_LANES 0xffffffffu
/* Room for the coordinates of a particle. */
#define ROOM (LANES * SPAN)

#if ITEMS != 1 || WG % 32 || LANES > 32
#error "steps by a cluster need one particle for each LANES work-items of a warp"
#endif

/* The best of a warp or of a work-group. It is sent in words of 64 bits. */
struct __align__(8) candidate {
    real position[ROOM];
    real value;
    uint index;
};
#define WORDS (sizeof(struct candidate) / sizeof(ulong))

/* A transaction barrier (mbarrier of PTX) in local memory counts the bytes that other work-groups have sent. It takes
 * far less time than a barrier of the cluster, whose fence waits for all memory, and serves one turn after the other.
 * One work-item begins it, before work-groups wait for each other, and says in each turn how many bytes come. */
typedef ulong transaction_barrier;

static void transactions_begin(transaction_barrier *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(
                     (uint)__cvta_generic_to_shared(barrier))
                 : "memory");
}

static void transactions_expect(transaction_barrier *barrier, uint bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     (uint)__cvta_generic_to_shared(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* turn: number of the turn of this barrier, from 0 on. The words come to local memory, so the wait need not invalidate
 * caches, as one of the scope of the cluster would. */
static void transactions_wait(transaction_barrier *barrier, uint turn)
{
    asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(
                     (uint)__cvta_generic_to_shared(barrier)),
                 "r"(turn & 1)
                 : "memory");
}

/* Writes to the addresses in work-group `rank` that `own` and `barrier` have in this one. */
static void send_word(uint rank, transaction_barrier *barrier, ulong *own, ulong value)
{
    asm volatile("{ .reg .u32 there, counts; mapa.shared::cluster.u32 there, %0, %2; mapa.shared::cluster.u32 counts, %1, "
                 "%2; st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [there], %3, [counts]; }" ::"r"(
                     (uint)__cvta_generic_to_shared(own)),
                 "r"((uint)__cvta_generic_to_shared(barrier)), "r"(rank), "l"(value)
                 : "memory");
}

/* Returns the minimum over the warp, by the rule of minimum_of. No value is NaN. */
static minimum warp_minimum(minimum mine)
{
#if REAL == 32
    /* The order of the keys is that of the numbers. 0 is added, since -0 equals 0. */
    const uint bits = as_uint(mine.value + 0.0f), key = bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
    const uint least = __reduce_min_sync(ALL_LANES, key);
    mine.index = __reduce_min_sync(ALL_LANES, key == least ? mine.index : NO_INDEX);
    mine.value = as_float(least ^ (least >> 31 ? 0x80000000u : 0xffffffffu));
#else
    for (uint span = 16; span > 0; span /= 2) {
        minimum other;
        other.value = __shfl_xor_sync(ALL_LANES, mine.value, span);
        other.index = __shfl_xor_sync(ALL_LANES, mine.index, span);
        mine = minimum_of(mine, other);
    }
#endif
    return mine;
}

/* Finds the best of at most 32 candidates; `from`: its number. */
static minimum best_of(const candidate *candidates, uint count, uint *from)
{
    const uint lane = threadIdx.x % 32;
    minimum mine;
    mine.value = lane < count ? candidates[lane].value : (real)INFINITY;
    mine.index = lane < count ? candidates[lane].index : NO_INDEX;
    const minimum best = warp_minimum(mine);
    *from = __ffs(__ballot_sync(ALL_LANES, mine.index == best.index)) - 1;
    return best;
}

/* Sends the best of the work-group to all work-groups of the cluster, each warp to another one. */
static void send_best(const candidate *of_warps, candidate *of_groups, transaction_barrier *barrier)
{
    uint from;
    best_of(of_warps, WARPS, &from);
    for (uint to = threadIdx.x / 32; to < GROUPS; to += WARPS)
        for (uint i = threadIdx.x % 32; i < WORDS; i += 32)
            send_word(to, barrier, (ulong *)&of_groups[blockIdx.x] + i, ((const ulong *)&of_warps[from])[i]);
}

/* The particle of a work-item: SPAN of its coordinates. */
struct part {
    real x[SPAN], v[SPAN], p[SPAN], goal[SPAN];
    real best;
    uint count; /* of the coordinates that exist */
};

/* Finds the coordinates of the work-item; part_load sets them, if there is a tile. */
static void part_begin(part *own, run *r, uint dim)
{
    const uint place = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    *own = part();
    r->particle = blockIdx.x * PLACES + place;
    r->base = (ulong)blockIdx.x * dim * TILE + place;
    r->begin = min(lane * SPAN, dim);
    r->end = min(r->begin + SPAN, dim);
    own->count = r->end - r->begin;
}

static void part_load(part *own, run *r, const real *x, const real *v, const real *p, const real *best,
                      const uint *pending)
{
    const uint waits = pending[r->particle];
    own->best = best[r->particle];
#pragma unroll
    for (uint c = 0; c < SPAN; c++)
        if (c < own->count) {
            const ulong at = r->base + (ulong)(r->begin + c) * TILE;
            own->x[c] = x[at];
            own->v[c] = v[at];
            own->p[c] = waits ? own->x[c] : p[at];
        }
}

static void part_store(const part *own, const run *r, real *x, real *v, real *p, real *best, uint *pending)
{
    if (r->begin == 0) {
        best[r->particle] = own->best;
        pending[r->particle] = 0;
    }
#pragma unroll
    for (uint c = 0; c < SPAN; c++)
        if (c < own->count) {
            const ulong at = r->base + (ulong)(r->begin + c) * TILE;
            x[at] = own->x[c];
            v[at] = own->v[c];
            p[at] = own->p[c];
        }
}

static void part_draw(words_of_block *words, run *r, const uint *keys, uint step)
{
    run_series(r, keys, step);
#pragma unroll
    for (uint b = 0; b < DEPTH; b++)
        words_draw(words + b, r, keys, 0, step, SCALAR_RANDOM ? 0 : r->begin / BLOCK + b);
}

static void part_move(part *own, run *r, const words_of_block *words, rules set, const real *settings, ulong seed,
                      uint step, uint dim)
{
#pragma unroll
    for (uint c = 0; c < SPAN; c++)
        if (c < own->count) {
            const words_of_block *drawn = words + (SCALAR_RANDOM ? 0 : c / BLOCK);
            const uint w = SCALAR_RANDOM ? 0 : c % BLOCK, d = r->begin + c;
            coordinate here;
            here.x = own->x[c];
            here.v = own->v[c];
            rules_enter(&set, settings, d, dim);
            here.v = pulled(here, set.inertia, set.cognitive * own_number(drawn, w, 0), own->p[c],
                            set.social * goal_number(drawn, w, 0), own->goal[c]);
            move_coordinate(&here.x, &here.v, set.lower, set.upper, set.limit, again_word(seed, step, r->particle, d));
            own->x[c] = here.x;
            own->v[c] = here.v;
            run_enter(r, 0, here.x, set, settings, d, dim);
        }
}

/* Adds the terms that need single coordinates, which other work-items hold. */
static void part_add_moved(const part *own, run *r, const real *settings, uint dim)
{
#if SINGLES
    for (int j = 0; j < SINGLES; j++) {
        const uint single = single_dimension(j, dim);
        real x = 0;
#pragma unroll
        for (uint c = 0; c < SPAN; c++)
            x = c == single % SPAN ? own->x[c] : x;
        x = __shfl_sync(ALL_LANES, x, threadIdx.x % 32 / LANES * LANES + single / SPAN);
        r->sums[TERMS + j][0] = shifted(x, settings, single, dim);
    }
#pragma unroll
    for (uint c = 0; c < SPAN; c++)
        if (c < own->count)
            run_add(r, 0, shifted(own->x[c], settings, r->begin + c, dim), r->begin + c, dim);
#endif
}

/* Joins the terms of the particle, as join_slices does. All its work-items get the result. */
static void part_join(run *r, uint dim)
{
#if COUPLED
    const real last = __shfl_up_sync(ALL_LANES, r->last[0], 1);
    if (r->begin > 0 && r->begin < r->end)
        run_set(r, 0, terms_join(terms_add(run_none(r, 0), last, r->first[0], r->begin - 1, dim), run_terms(r, 0)));
#endif
#if LANES > 1
#pragma unroll
    for (uint stride = 1; stride < LANES; stride *= 2) {
#pragma unroll
        for (uint t = 0; t < TERMS; t++) {
            const real other = __shfl_xor_sync(ALL_LANES, r->sums[t][0], stride);
            r->sums[t][0] = term_join(t, r->sums[t][0], other);
        }
#if BOUNDS == INVISIBLE
        r->outside[0] += __shfl_xor_sync(ALL_LANES, r->outside[0], stride);
#endif
    }
#endif
}

/* Evaluates the particle, and updates its best position. Returns 1 if the value is neither a number nor infinite. */
static uint part_settle(part *own, run *r, real sign, uint dim)
{
    part_join(r, dim);
    const int here = r->outside[0] == R(0.0);
    const real value = here ? counted(terms_value(run_terms(r, 0), dim), sign) : (real)INFINITY;
    if (value < own->best) {
        own->best = value;
#pragma unroll
        for (uint c = 0; c < SPAN; c++)
            own->p[c] = own->x[c];
    }
    return here && !isfinite(value);
}

/* Writes the best of the warp. exists: the particle is one of the swarm. */
static void publish_best(const part *own, const run *r, int exists, candidate *of_warps)
{
    const uint warp = threadIdx.x / 32;
    minimum mine;
    mine.value = exists ? own->best : (real)INFINITY;
    mine.index = exists ? r->particle : NO_INDEX;
    const minimum best = warp_minimum(mine);
    if (mine.index == best.index && exists)
#pragma unroll
        for (uint c = 0; c < SPAN; c++)
            of_warps[warp].position[threadIdx.x % LANES * SPAN + c] = own->p[c];
    if (threadIdx.x % 32 == 0) {
        of_warps[warp].value = best.value;
        of_warps[warp].index = best.index;
    }
}

/* Writes the best of the work-group to its row, as publish does. */
static void store_row(const candidate *best, uint slot, uint dim, real *group_value, uint *group_index,
                      real *group_position)
{
    const uint row = slot * GROUPS + blockIdx.x;
    for (uint d = threadIdx.x; d < dim; d += WG)
        group_position[(ulong)row * dim + d] = best->position[d];
    if (threadIdx.x == 0) {
        group_value[row] = best->value;
        group_index[row] = best->index;
    }
}

/* As pso_step of fused.cl, for a cluster; the launch has one. A work-group has the tile of its own number, if there is
 * such a tile. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_step(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global uint *restrict pending, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict slots, __global real *restrict marks, __global uint *restrict words,
              __global const real *restrict settings, struct fused_launch launch)
{
    __shared__ real scratch[WG];
    __shared__ uint indices[WG];
    /* Turns use both halves in turn: a warp may be a turn ahead of others, but not two. */
    __shared__ candidate of_warps[2][WARPS], of_groups[2][GROUPS];
    __shared__ transaction_barrier barriers[2];
    const uint lid = threadIdx.x, group = blockIdx.x, dim = launch.dim, end = launch.step + launch.steps;
    const uint before = (launch.step - 1) & 1;
    const real inertia = settings[SET_INERTIA], inertia_step = settings[SET_INERTIA_STEP];
    rules set = rules_read(settings, launch.step);
    slot_state now = slot_read(slots, marks, settings, launch.step - 1);
    words_of_block drawn[DEPTH];
    leader goal;
    part own;
    run r;
    part_begin(&own, &r, dim);
    const int has_tile = group < launch.tiles, exists = has_tile && r.particle < launch.particles;
    uint not_finite = 0;
    if (has_tile)
        part_load(&own, &r, x, v, p, best, pending);
    part_draw(drawn, &r, launch.keys, launch.step);
    swarm_best(&goal, before, GROUPS, group_value, group_index, scratch, indices);
#pragma unroll
    for (uint c = 0; c < SPAN; c++)
        if (c < own.count)
            own.goal[c] = group_position[(ulong)goal.row * dim + r.begin + c];
    if (lid == 0) { /* words may come once all work-groups run */
        transactions_begin(&barriers[0]);
        transactions_begin(&barriers[1]);
    }
    WAIT_FOR_ALL();
    uint step = launch.step, turn = 0;
    for (; step < end; step++, turn++) {
        candidate *const bests = of_groups[turn % 2];
        transaction_barrier *const barrier = &barriers[turn % 2];
        const island record = slot_settled(now, step - 1, goal.best);
        if (now.steps != step - 1 || has_ended(record, now.target, launch.stagnation))
            break;
        set.inertia = inertia_of(inertia, inertia_step, step);
        r.first[0] = r.last[0] = r.outside[0] = R(0.0);
        run_set(&r, 0, terms_none());
        part_move(&own, &r, drawn, set, settings, launch.seed, step, dim);
        part_add_moved(&own, &r, settings, dim);
        not_finite += part_settle(&own, &r, set.sign, dim) && exists && r.begin == 0;
        publish_best(&own, &r, exists, of_warps[turn % 2]);
        if (lid == 0)
            transactions_expect(barrier, GROUPS * sizeof(candidate));
        __syncthreads();
        send_best(of_warps[turn % 2], bests, barrier);
        part_draw(drawn, &r, launch.keys, step + 1);
        now.steps = step;
        now.stagnant = record.stagnant;
        now.mark = record.mark;
        transactions_wait(barrier, turn / 2);
        goal.best = best_of(bests, GROUPS, &goal.row);
#pragma unroll
        for (uint c = 0; c < SPAN; c++)
            own.goal[c] = bests[goal.row].position[lid % LANES * SPAN + c];
    }
    if (step == launch.step)
        return;
    const uint slot = (step - 1) & 1;
    const candidate *last = &of_groups[(turn - 1) % 2][group];
    island_count_not_finite(words, 0, not_finite);
    if (has_tile)
        part_store(&own, &r, x, v, p, best, pending);
    store_row(last, slot, dim, group_value, group_index, group_position);
    if (group == 0 && lid == 0) {
        slots[slot * SLOT_WORDS + SLOT_STEPS] = now.steps;
        slots[slot * SLOT_WORDS + SLOT_STAGNANT] = now.stagnant;
        marks[slot] = now.mark;
    }
}

#endif
