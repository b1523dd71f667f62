/* Many steps of a swarm in one launch of pso/methods/fused.cu, with HELD: the work-groups of the launch, which all run
 * at the same time, have a tile each, and hold its particles in local memory. After each step each work-group sends its
 * best to all others. Particles move and are evaluated by the functions of fused.cl, so results have the same bits.
 *
 * Million evaluations/s on an H200 in fp32, for Rastrigin's function in 30 dimensions, with those of a launch for each
 * step:
 *     65536 particles   6596, not 4847 (1.36x)
 */
#ifndef PSO_FUSED_HELD_CUH
#define PSO_FUSED_HELD_CUH

#if ITEMS != 1
#error "a work-item of a swarm that is held has one particle"
#endif

extern __shared__ real held[];
extern "C" __constant__ unsigned pso_step_dynamic_local = 3 * HELD * TILE * sizeof(real);
/* Work-groups wait for each other. */
extern "C" __constant__ unsigned pso_step_together = 1;

/* What work-groups send is in words of 32 bits, each with the number of the step in the upper half of a word of 64
 * bits, so that no fence is needed. Steps use two halves of the memory in turn: a work-group may be a step ahead of
 * others, but not two. */
#define REAL_WORDS (sizeof(real) / 4)
#define HEAD_WORDS (REAL_WORDS + 1)

static void send_word(ulong *to, uint word, uint step)
{
    *(volatile ulong *)to = (ulong)step << 32 | word;
}

static uint wait_word(const ulong *from, uint step)
{
    ulong word;
    do
        word = *(const volatile ulong *)from;
    while ((uint)(word >> 32) != step);
    return (uint)word;
}

static void send_real(ulong *to, uint stride, real number, uint step)
{
#if REAL == 64
    const ulong bits = as_ulong(number);
    send_word(to, (uint)bits, step);
    send_word(to + stride, (uint)(bits >> 32), step);
#else
    send_word(to, as_uint(number), step);
#endif
}

static real wait_real(const ulong *from, uint stride, uint step)
{
#if REAL == 64
    const uint low = wait_word(from, step);
    return as_double((ulong)wait_word(from + stride, step) << 32 | low);
#else
    return as_float(wait_word(from, step));
#endif
}

/* The words of one half: for each work-group the value and the index of its best, then the positions. */
static ulong *sent_in(uint *slots, uint step)
{
    return (ulong *)(slots + 2 * SLOT_WORDS) + (ulong)(step & 1) * gridDim.x * (HEAD_WORDS + HELD * REAL_WORDS);
}

static ulong *position_in(ulong *sent, uint group)
{
    return sent + gridDim.x * HEAD_WORDS + group * (HELD * REAL_WORDS);
}

/* Sends the best particle of the work-group. position: coordinate 0 of its best position. */
static void send_best(minimum best, const real *position, ulong *sent, uint step)
{
    const uint lid = threadIdx.x, groups = gridDim.x, group = blockIdx.x;
    if (lid == 0) {
        send_real(sent + group, groups, best.value, step);
        send_word(sent + REAL_WORDS * groups + group, best.index, step);
    }
    for (uint d = lid; d < HELD; d += WG)
        send_real(position_in(sent, group) + d * REAL_WORDS, 1, position[d * TILE], step);
}

/* Waits for the bests of all work-groups, and finds the best of the swarm. goals: its position. */
static void find_best(leader *goal, ulong *sent, uint step, real *goals, real *scratch, uint *indices)
{
    const uint lid = threadIdx.x, groups = gridDim.x;
    const minimum before = goal->best;
    minimum mine = minimum_none();
    uint from = 0;
    for (uint g = lid; g < groups; g += WG) {
        minimum other;
        other.value = wait_real(sent + g, groups, step);
        other.index = wait_word(sent + REAL_WORDS * groups + g, step);
        if (g == lid || minimum_of(mine, other).index == other.index) {
            mine = other;
            from = g;
        }
    }
    goal->best = group_minimum(mine, scratch, indices);
    if (goal->best.index == before.index && goal->best.value == before.value)
        return;
    if (mine.index == goal->best.index)
        indices[0] = from;
    __syncthreads();
    const ulong *position = position_in(sent, indices[0]);
    for (uint d = lid; d < HELD; d += WG)
        goals[d] = wait_real(position + d * REAL_WORDS, 1, step);
    __syncthreads();
}

/* Moves the particles of a tile. */
static void held_move(run *r, real *x, real *v, real *p, const real *goals, rules set, const real *settings,
                      const fused_launch &launch, uint step)
{
    words_of_block words;
    span now;
    uint d = r->begin, at = (uint)r->base + d * TILE;
    run_series(r, launch.keys, step);
#if SCALAR_RANDOM
    words_draw(&words, r, launch.keys, launch.seed, step, 0);
#endif
    for (; d + SPAN <= r->end; d += SPAN, at += SPAN * TILE) {
        span_read(&now, x + at, v + at, p + at, goals + d, SPAN);
        span_move(r, &now, set, settings, &words, launch.keys, launch.seed, step, x + at, v + at, p + at, d, SPAN,
                  HELD);
    }
    if (d < r->end) {
        span_read(&now, x + at, v + at, p + at, goals + d, r->end - d);
        span_move(r, &now, set, settings, &words, launch.keys, launch.seed, step, x + at, v + at, p + at, d, r->end - d,
                  HELD);
    }
}

/* Evaluates the particle. Returns 1 if the value is neither a number nor infinite. Only the first of the work-items
 * that share a particle has its value. */
static uint held_settle(run *r, real *best, uint *pending, real sign, uint dim, real *scratch)
{
    join_slices(r, scratch, dim);
    if (threadIdx.x >= PLACES)
        return 0;
    const int here = r->outside[0] == R(0.0);
    const real value = here ? counted(terms_value(run_terms(r, 0), dim), sign) : (real)INFINITY;
    pending[threadIdx.x] = value < *best;
    if (value < *best)
        *best = value;
    return here && !isfinite(value);
}

static void copy_tile(real *to, const real *from)
{
    for (uint i = threadIdx.x; i < HELD * TILE; i += WG)
        to[i] = from[i];
}

/* As pso_step of fused.cl; the launch has a work-group for each tile. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_step(__global real *restrict x, __global real *restrict v, __global real *restrict p,
              __global real *restrict best, __global uint *restrict pending, __global real *restrict group_value,
              __global uint *restrict group_index, __global real *restrict group_position,
              __global uint *restrict slots, __global real *restrict marks, __global uint *restrict words,
              __global const real *restrict settings, struct fused_launch launch)
{
    __shared__ real scratch[SCRATCH], goals[HELD];
    __shared__ uint indices[WG], waits[PLACES];
    real *const hx = held, *const hv = hx + HELD * TILE, *const hp = hv + HELD * TILE;
    const uint lid = threadIdx.x, group = blockIdx.x, groups = gridDim.x, end = launch.step + launch.steps;
    const real inertia = settings[SET_INERTIA], inertia_step = settings[SET_INERTIA_STEP];
    const ulong base = (ulong)(launch.tile_first + group) * HELD * TILE;
    rules set = rules_read(settings, launch.step);
    slot_state now = slot_read(slots, marks, settings, launch.step - 1);
    leader goal;
    minimum mine = minimum_none();
    run r;
    run_begin(&r, launch.tile_first + group, HELD, pending);
    r.base = lid % PLACES;
    real own = best[r.particle];
    uint not_finite = 0;
    const int counts = lid < PLACES && r.particle < launch.particles;
    if (lid < PLACES)
        waits[lid] = r.pending[0];
    copy_tile(hx, x + base);
    copy_tile(hv, v + base);
    copy_tile(hp, p + base);
    swarm_best(&goal, (launch.step - 1) & 1, groups, group_value, group_index, scratch, indices);
    for (uint d = lid; d < HELD; d += WG)
        goals[d] = group_position[(ulong)goal.row * HELD + d];
    __syncthreads();
    uint step = launch.step;
    for (; step < end; step++) {
        const island record = slot_settled(now, step - 1, goal.best);
        if (now.steps != step - 1 || has_ended(record, now.target, launch.stagnation))
            break;
        ulong *const sent = sent_in(slots, step);
        set.inertia = inertia_of(inertia, inertia_step, step);
        run_clear(&r, 0);
        r.pending[0] = waits[lid % PLACES];
        held_move(&r, hx, hv, hp, goals, set, settings, launch, step);
        run_add_moved(&r, hx, settings, HELD);
        not_finite += held_settle(&r, &own, waits, set.sign, HELD, scratch) && counts;
        mine.value = counts ? own : (real)NAN;
        mine.index = counts ? r.particle : NO_INDEX;
        mine = group_minimum(mine, scratch, indices);
        const uint place = mine.index % TILE;
        send_best(mine, (waits[place] ? hx : hp) + place, sent, step);
        now.steps = step;
        now.stagnant = record.stagnant;
        now.mark = record.mark;
        find_best(&goal, sent, step, goals, scratch, indices);
    }
    if (step == launch.step)
        return;
    const uint row = ((step - 1) & 1) * groups + group, place = mine.index % TILE;
    island_count_not_finite(words, 0, not_finite);
    copy_tile(x + base, hx);
    copy_tile(v + base, hv);
    copy_tile(p + base, hp);
    for (uint d = lid; d < HELD; d += WG)
        group_position[(ulong)row * HELD + d] = (waits[place] ? hx : hp)[place + d * TILE];
    if (lid < PLACES) {
        best[r.particle] = own;
        pending[r.particle] = waits[lid];
    }
    if (lid == 0) {
        group_value[row] = mine.value;
        group_index[row] = mine.index;
    }
    if (group == 0 && lid == 0) {
        const uint slot = (step - 1) & 1;
        slots[slot * SLOT_WORDS + SLOT_STEPS] = now.steps;
        slots[slot * SLOT_WORDS + SLOT_STAGNANT] = now.stagnant;
        marks[slot] = now.mark;
    }
}

#endif
