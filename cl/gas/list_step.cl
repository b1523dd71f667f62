/* Steps of particles by neighbour lists: force, kick and drift in one launch, from one buffer of positions into the
 * other.
 *
 * A launch after which some particle is further than half the skin from its place at the build says so, unless a new list
 * comes anyway; later launches change nothing until there is one. Groups of a launch start and end at any time, so the word that a launch
 * reads is never one that it writes: launch number k writes WORD_STOP + k % 2 and reads the other, which holds k - 1
 * where the launch before was the last that counted, or found that out itself. The number of the step comes from
 * WORD_BUILT, which no step writes.
 *
 * Entries beyond the count of a particle are read as its last one and count nothing: loads of UNROLL neighbours are under
 * way at a time, however many there are.
 */
#ifndef WG
#define WG 128
#endif
/* Work-items that share a particle, each with every LANES-th neighbour. */
#ifndef LANES
#define LANES 1
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
/* CUDA: groups that are to fit a multiprocessor at a time, which limits registers. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
/* 1: a work-item of gas_list_step has the LIST_TILE particles of a tile, side by side: for the vector units of CPUs. */
#ifndef BLOCK
#define BLOCK 0
#endif

/* Work-items of a particle exchange sums inside of a warp. */
#if defined(SHOAL_WARP_SHUFFLE) && WG >= 32
#define SHUFFLES 1
#else
#define SHUFFLES 0
#endif
#ifndef SHOAL_WARP_SHUFFLE
#define SHOAL_WARP_SHUFFLE(value, mask) (value)
#endif

#include "gas/advance.clh"
#include "gas/list.clh"
#include "gas/pair.clh"
#include "lib/group.clh"

/* As enum list_word in src/gas/list.h. */
#define WORD_STOP 24
#define WORD_PACE 26

GROUP_REDUCE(group_farthest, float, fmax)

/* Forces on a particle: x, y, z; half the energy and the virial of its pairs. */
struct sums {
    struct wide_vector force;
    wide energy, virial;
};

static INLINE void clear_sums(struct sums *s)
{
    s->force.x = s->force.y = 0;
#if DIM == 3
    s->force.z = 0;
#endif
    s->energy = s->virial = 0;
}

/* Compilers drop the energy where it is not used. What is no pair is taken for one at the cutoff, where there is no force:
 * there is no branch. */
static INLINE void add_pair(struct sums *s, struct vector d, int is_pair, const struct pair *pair)
{
    const real square = is_pair ? squared(d) : pair->cutoff2, force = pair_force(square, *pair);
    s->force.x += force * d.x;
    s->force.y += force * d.y;
#if DIM == 3
    s->force.z += force * d.z;
#endif
    s->energy += pair_energy(square, *pair);
    s->virial += force * square;
}

/* Sums over the neighbours from, from + LANES, ... of the particle at place i. */
static INLINE void sum_neighbours(struct sums *s, __global const PLACE *position, __global const uint *list, uint i,
                                  uint from, uint count, uint capacity, const struct metric *metric,
                                  const struct pair *pair)
{
    __global const uint *row = list + LIST_FIRST(i, capacity);
    const struct place here = load_place(position, i);
    uint k, u;
    clear_sums(s);
    for (k = from; k < count; k += UNROLL * LANES) {
        uint other[UNROLL];
        coordinate x[UNROLL], y[UNROLL];
#if DIM == 3
        coordinate z[UNROLL];
#endif
#pragma unroll
        for (u = 0; u < UNROLL; u++)
            other[u] = row[min(k + u * LANES, count - 1) * LIST_TILE];
#pragma unroll
        for (u = 0; u < UNROLL; u++) {
            const struct place p = load_place(position, other[u]);
            x[u] = p.x;
            y[u] = p.y;
#if DIM == 3
            z[u] = p.z;
#endif
        }
#pragma unroll
        for (u = 0; u < UNROLL; u++) {
            struct place there;
            there.x = x[u];
            there.y = y[u];
#if DIM == 3
            there.z = z[u];
#endif
            add_pair(s, difference(here, there, *metric), k + u * LANES < count, pair);
        }
    }
}

/* The sum over the LANES work-items of a particle, the same in each of them. scratch: WG. */
static INLINE wide joined(wide value, local wide *scratch)
{
#if LANES > 1
    uint span;
#if SHUFFLES
    for (span = LANES / 2; span > 0; span /= 2)
        value += SHOAL_WARP_SHUFFLE(value, span);
#else
    const uint lid = (uint)get_local_id(0);
    for (span = LANES / 2; span > 0; span /= 2) {
        scratch[lid] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        value += scratch[lid ^ span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
#endif
    return value;
}

static INLINE void join_vector(struct wide_vector *v, local wide *scratch)
{
    v->x = joined(v->x, scratch);
    v->y = joined(v->y, scratch);
#if DIM == 3
    v->z = joined(v->z, scratch);
#endif
}

/* What a step is made with. */
struct step {
    struct stage stage; /* its place and step are set for each particle */
    __global const PLACE *position, *reference;
    __global PLACE *position_out;
    __global VECTOR *velocity;
    struct metric metric;
    real allowed2; /* square of the way that a particle may go from its reference */
    wide per_mass;
    uint launch, age, is_last;
    int is_stopped;
};

static INLINE void begin_step(struct step *s, __global const PLACE *position, __global PLACE *position_out,
                              __global VECTOR *velocity, __global const uint *ids, __global int *image,
                              __global LEDGER *ledger, __global uint *words, __global const real *settings,
                              __global const PLACE *reference, real allowed2, uint launch, uint age, uint is_last)
{
    s->stage.settings = settings;
    s->stage.words = words;
    s->stage.ids = ids;
    s->stage.image = image;
    s->stage.ledger = ledger;
    s->stage.place = 0;
    s->stage.step = words[WORD_BUILT] + age;
    s->position = position;
    s->reference = reference;
    s->position_out = position_out;
    s->velocity = velocity;
    s->metric = load_metric(settings);
    s->allowed2 = allowed2;
    s->per_mass = (wide)1 / (wide)settings[SET_MASS];
    s->launch = launch;
    s->age = age;
    s->is_last = is_last;
    s->is_stopped = words[WORD_OVERFLOW] != 0 || words[WORD_STOP + (launch + 1) % 2] == launch - 1;
}

/* One work-item of the launch. */
static INLINE void count_step(const struct step *s)
{
    if (s->is_stopped) {
        s->stage.words[WORD_STOP + s->launch % 2] = s->launch;
    } else {
        s->stage.words[WORD_STEP] = s->stage.step;
        s->stage.words[WORD_AGE] = s->age;
    }
}

/* A particle is further from its reference than the list allows. */
static INLINE void stop_steps(const struct step *s, real square)
{
    atomic_max(s->stage.words + WORD_FROZEN, s->age);
    atomic_max(s->stage.words + WORD_STOP + s->launch % 2, s->launch);
    atomic_max(s->stage.words + WORD_PACE, as_uint((float)sqrt(square / s->allowed2) / (float)s->age));
}

/* Moves the particle at place i. Returns the square of its way from the reference. */
static INLINE real move_particle(const struct step *s, uint i, struct wide_vector force)
{
    const struct place here = load_place(s->position, i);
    struct stage stage = s->stage;
    struct motion m;
    real square;
    if (s->is_stopped) {
        store_place(s->position_out, i, here);
        return R(0.0);
    }
    force.x *= s->per_mass;
    force.y *= s->per_mass;
#if DIM == 3
    force.z *= s->per_mass;
#endif
    stage.place = i;
    m = gas_move(stage, here, load_vector(s->velocity, i), force);
    store_place(s->position_out, i, m.place);
    store_vector(s->velocity, i, m.velocity);
    square = squared(difference(m.place, load_place(s->reference, i), s->metric));
    if (square > s->allowed2 && !s->is_last)
        stop_steps(s, square);
    return square;
}

#if BLOCK
/* Has the memory behind a pointer brought near. A hint, of which OpenCL's own may come to nothing on CPUs. */
#ifdef __clang__
#define PREFETCH(pointer) __builtin_prefetch((const void *)(ulong)(pointer))
#else
#define PREFETCH(pointer)
#endif

/* Numbers of a position in memory. Compilers make vectors of these, but not of loads of `PLACE`. */
#define PLACE_STRIDE (DIM == 2 ? 2 : 4)

/* Only pair forces act, and a drift does nothing else unless a particle crosses a border. */
#define IS_PLAIN                                                                                                       \
    (THERMOSTAT != LANGEVIN && LIMITER == NO_LIMITER && !FIELD && BOUNDARIES == 0 && PRECISION != DOUBLE)

#if IS_PLAIN
/* move_particle for a whole tile, without a branch. `*farthest`: the largest square of a way from the reference, in the last
 * step of a list. Returns 0, with nothing done, where a particle of the tile needs more than that: it crosses a border, goes
 * too far from its reference, or has exploded. */
#define DRIFT(axis, f, square, moved)                                                                                  \
    {                                                                                                                  \
        const int at = PLACE_STRIDE * (int)(first + l) + axis;                                                         \
        const wide v = velocity[at] + f * s->per_mass * dt, way = v * dt;                                              \
        const uint here = position[at], to = shifted(axis, here, way, s->stage.settings);                              \
        const real gone = (real)(int)(to - reference[at]) * s->stage.settings[SET_UNIT + axis];                        \
        is_special |= (way > 0 && to < here) || (way < 0 && to > here);                                                \
        moved += (real)way * (real)way;                                                                                \
        square += gone * gone;                                                                                         \
        place[axis][l] = to;                                                                                           \
        speed[axis][l] = v;                                                                                            \
    }

static INLINE int move_plain_tile(const struct step *s, uint first, const wide *fx, const wide *fy, const wide *fz,
                                  real *farthest)
{
    __global const uint *position = (__global const uint *)s->position, *reference = (__global const uint *)s->reference;
    __global uint *position_out = (__global uint *)s->position_out;
    __global wide *velocity = (__global wide *)s->velocity;
    const wide dt = (wide)s->stage.settings[SET_DT];
    const real most = s->stage.settings[SET_FARTHEST_STEP];
    uint place[DIM][LIST_TILE], l, k;
    wide speed[DIM][LIST_TILE];
    real squares[LIST_TILE];
    int is_special = 0;
    for (l = 0; l < LIST_TILE; l++) {
        real square = R(0.0), moved = R(0.0);
        DRIFT(0, fx[l], square, moved)
        DRIFT(1, fy[l], square, moved)
#if DIM == 3
        DRIFT(2, fz[l], square, moved)
#endif
        squares[l] = square;
        is_special |= !(moved <= most) || (square > s->allowed2 && !s->is_last);
    }
    if (is_special)
        return 0;
    for (l = 0; l < LIST_TILE; l++)
        for (k = 0; k < DIM; k++) {
            position_out[PLACE_STRIDE * (first + l) + k] = place[k][l];
            velocity[PLACE_STRIDE * (first + l) + k] = speed[k][l];
        }
    if (s->is_last)
        for (l = 0; l < LIST_TILE; l++)
            *farthest = fmax(*farthest, squares[l]);
    return 1;
}
#endif

/* Loops of constant length over the particles of a tile, for the compiler to turn into vectors. */
static INLINE real step_tile(const struct step *s, __global const uint *list, __global const uint *counts, uint tile,
                             uint capacity, uint n, const struct pair *pair)
{
    const uint first = tile * LIST_TILE;
    __global const coordinate *from = (__global const coordinate *)s->position;
    __global const uint *row = list + LIST_FIRST(first, capacity);
    uint count[LIST_TILE], most = 0, k, l;
    coordinate x[LIST_TILE], y[LIST_TILE];
    wide fx[LIST_TILE], fy[LIST_TILE];
    wide fz[LIST_TILE]; /* of no use in two dimensions */
#if DIM == 3
    coordinate z[LIST_TILE];
#endif
    real farthest = R(0.0);
    for (l = 0; l < LIST_TILE; l++) {
        const struct place p = load_place(s->position, first + l);
        count[l] = s->is_stopped ? 0 : counts[first + l];
        most = max(most, count[l]);
        x[l] = p.x;
        y[l] = p.y;
        fx[l] = fy[l] = 0;
#if DIM == 3
        z[l] = p.z;
        fz[l] = 0;
#endif
    }
    for (k = 0; k < most; k++, row += LIST_TILE) {
        /* Behind the last row of a tile the processor would look on for what is not used, and wait for the next. */
        PREFETCH(row + (ulong)capacity * LIST_TILE);
        for (l = 0; l < LIST_TILE; l++) {
            const int is_pair = k < count[l];
            /* A signed index is an operand of the processor's gather as it is. */
            const int at = PLACE_STRIDE * (int)(is_pair ? row[l] : first + l);
            struct place here, there;
            struct vector d;
            real force;
            here.x = x[l];
            here.y = y[l];
            there.x = from[at];
            there.y = from[at + 1];
#if DIM == 3
            here.z = z[l];
            there.z = from[at + 2];
#endif
            d = difference(here, there, s->metric);
            force = pair_force(squared(d), *pair);
            force = is_pair ? force : R(0.0);
            fx[l] += force * d.x;
            fy[l] += force * d.y;
#if DIM == 3
            fz[l] += force * d.z;
#endif
        }
    }
#if IS_PLAIN
    if (!s->is_stopped && first + LIST_TILE <= n && move_plain_tile(s, first, fx, fy, fz, &farthest))
        return farthest;
#endif
    for (l = 0; l < LIST_TILE; l++)
        if (first + l < n) {
            struct wide_vector force;
            force.x = fx[l];
            force.y = fy[l];
#if DIM == 3
            force.z = fz[l];
#endif
            farthest = fmax(farthest, move_particle(s, first + l, force));
        }
    return farthest;
}
#endif

/* `is_last`: 1 in a launch that a rebuild follows, whatever it finds: its largest displacement is what the host wants to
 * know. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_step(__global const PLACE *position, __global PLACE *position_out, __global VECTOR *velocity,
              __global const uint *ids, __global int *image, __global LEDGER *ledger, __global uint *words,
              __global const real *settings, __global const uint *list, __global const uint *counts,
              __global const PLACE *reference, real allowed2, uint capacity, uint n, uint launch, uint age,
              uint is_last)
{
    __local wide scratch[WG];
    __local float farthest[WG];
    const uint gid = (uint)get_global_id(0);
    const struct pair pair = load_pair(settings);
    struct step s;
    real square = R(0.0);
    begin_step(&s, position, position_out, velocity, ids, image, ledger, words, settings, reference, allowed2, launch,
               age, is_last);
    if (gid == 0)
        count_step(&s);
#if BLOCK
    if (gid * LIST_TILE < n)
        square = step_tile(&s, list, counts, gid, capacity, n, &pair);
#else
    const uint i = gid / LANES;
    struct sums sums;
    sum_neighbours(&sums, position, list, min(i, n - 1), gid % LANES, i < n && !s.is_stopped ? counts[i] : 0, capacity,
                   &s.metric, &pair);
    join_vector(&sums.force, scratch);
    if (i < n && gid % LANES == 0)
        square = move_particle(&s, i, sums.force);
#endif
    if (is_last) {
        const float way = group_farthest((float)(square / allowed2), farthest);
        if (get_local_id(0) == 0 && way > 0.0f)
            atomic_max(words + WORD_PACE, as_uint(sqrt(way) / (float)age));
    }
}

/* Accelerations of the pair forces, half energies and half virials of the pairs of each particle. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_forces(__global const PLACE *position, __global const real *settings, __global const uint *list,
                __global const uint *counts, __global VECTOR *acceleration, __global wide *energy,
                __global wide *virial, uint capacity, uint n, uint energies)
{
    __local wide scratch[WG];
    const uint i = (uint)get_global_id(0) / LANES, lane = (uint)get_global_id(0) % LANES;
    const wide per_mass = (wide)1 / (wide)settings[SET_MASS], half_of = (wide)R(0.5);
    const struct metric metric = load_metric(settings);
    const struct pair pair = load_pair(settings);
    struct sums s;
    sum_neighbours(&s, position, list, min(i, n - 1), lane, i < n ? counts[i] : 0, capacity, &metric, &pair);
    join_vector(&s.force, scratch);
    s.energy = half_of * joined(s.energy, scratch);
    s.virial = half_of * joined(s.virial, scratch);
    if (i < n && lane == 0) {
        s.force.x *= per_mass;
        s.force.y *= per_mass;
#if DIM == 3
        s.force.z *= per_mass;
#endif
        store_vector(acceleration, i, s.force);
        if (energies) {
            energy[i] = s.energy;
            virial[i] = s.virial;
        }
    }
}
