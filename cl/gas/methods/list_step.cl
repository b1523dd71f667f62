/* Steps of particles by neighbour lists: forces, kick and drift in one launch, which reads one buffer of positions
 * and writes another.
 *
 * If a particle has moved by more than half the skin since the build, the launch reports it, except in the last step
 * of a list, which a rebuild follows in any case. Launches after it change nothing until there is a new list.
 * Work-groups of a launch start and end at any time, so a launch must not read a word that it writes. Launch k since
 * the build writes WORD_STOP + k % 2 and reads WORD_STOP + (k + 1) % 2, whose value is k - 1 if launch k - 1 reported
 * a displacement or was itself skipped. A build sets both words to 0. The number of the step comes from WORD_BUILT,
 * which no step writes.
 */
#ifndef WG
#define WG 128
#endif
/* CUDA: minimum number of work-groups on a multiprocessor, which limits the registers of a work-item. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
/* 1: a work-item of gas_list_step moves the LIST_TILE particles of a tile together, by the vector instructions of a
 * CPU. */
#ifndef BLOCK
#define BLOCK 0
#endif
/* 1, for a gas that several devices share: the particles of a launch of gas_list_step begin at index launch.begin. 0:
 * they begin at index 0. In two dimensions registers are scarce, and the compiler orders loads worse if a register
 * has to hold launch.begin. So with 1 the code itself puts the first loads of a work-group in order: loads that wait
 * for no other load come first. */
#ifndef RANGED
#define RANGED 0
#endif
#define FIRST_PLACE (RANGED ? launch.begin : 0u)
#define LOADS_FIRST RANGED

#include "gas/methods/list_move.clh"
#include "lib/prefetch.clh"

#if BLOCK
#include "gas/methods/tile.clh"

#if WINDOWS
#error "a tile of a CPU has entries of 32 bits"
#endif

/* Number of coordinates from one position in memory to the next. Compilers vectorise loads of coordinates, but not
 * loads of `PLACE`. */
#define PLACE_STRIDE (DIM == 2 ? 2 : 4)

/* 1: only pair forces act, and a drift is an addition, except for a particle that crosses a border. */
#define IS_PLAIN                                                                                             \
    (THERMOSTAT != LANGEVIN && !LIMITED && !FIELD && !MASSES && BOUNDARIES == 0 && PRECISION != DOUBLE)

#if IS_PLAIN
/* move_plain_tile: moves all particles of a tile as move_particle does, without a branch. *farthest: in the last step
 * of a list, the largest squared displacement since the build. Returns 0, and moves no particle, if a particle of the
 * tile needs the general code: it crosses a border, has moved by more than half the skin, or has exploded. */
#define DRIFT(axis, f, square, moved)                                                                        \
    {                                                                                                        \
        const int at = PLACE_STRIDE * (int)(first + l) + axis;                                               \
        const wide v = velocity[at] + f * s->per_mass * dt, shift = v * dt;                                    \
        const wide units = shift * (wide)s->stage.settings[SET_INVERSE + axis], inside = fabs(units) < MOST_UNITS ? units : 0; \
        const uint here = position[at], to = here + (uint)(int)NEAREST(inside);                              \
        const real displacement = (real)(int)(to - reference[at]) * s->stage.settings[SET_UNIT + axis];              \
        is_special |= (shift > 0 && to < here) || (shift < 0 && to > here) || !(fabs(units) < MOST_UNITS);        \
        moved += (real)shift * (real)shift;                                                                      \
        square += displacement * displacement;                                                                 \
        place[axis][l] = to;                                                                                 \
        speed[axis][l] = v;                                                                                  \
    }

static INLINE int move_plain_tile(const struct one_step *one, uint first, const wide *fx, const wide *fy,
                                  const wide *fz, real *farthest)
{
    const struct step *s = &one->step;
    __global const uint *position = (__global const uint *)one->position;
    __global const uint *reference = (__global const uint *)s->reference;
    __global uint *position_out = (__global uint *)one->position_out;
    __global wide *velocity = (__global wide *)s->velocity;
    const wide dt = (wide)s->stage.settings[SET_DT];
    const real most = s->stage.settings[SET_FARTHEST_STEP];
    uint place[DIM][LIST_TILE], l, k;
    wide speed[DIM][LIST_TILE];
    real squares[LIST_TILE];
    int is_special = 0;
    ACROSS_TILE
    for (l = 0; l < LIST_TILE; l++) {
        real square = R(0.0), moved = R(0.0);
        DRIFT(0, fx[l], square, moved)
        DRIFT(1, fy[l], square, moved)
        IN_3D(DRIFT(2, fz[l], square, moved))
        squares[l] = square;
        is_special |= !(moved <= most) || is_too_far(s, square);
    }
    if (is_special)
        return 0;
    ACROSS_TILE
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

/* Makes the step of the particles of a tile. Returns, in the last step of a list, their largest squared displacement
 * since the build. Loops over the particles have a constant length, so that the compiler vectorises them. */
static INLINE real step_tile(const struct one_step *one, __global const ENTRY *list,
                             __global const uint *counts, uint tile, uint capacity, uint end,
                             const PAIRS *pair)
{
    const uint first = tile * LIST_TILE;
    __global const coordinate *from = (__global const coordinate *)one->position;
    __global const uint *row = list + LIST_FIRST(first, capacity);
    uint count[LIST_TILE], most = 0, k, l;
    coordinate x[LIST_TILE], y[LIST_TILE];
    wide fx[LIST_TILE], fy[LIST_TILE];
    wide fz[LIST_TILE]; /* not used in two dimensions */
    IN_3D(coordinate z[LIST_TILE];)
    real farthest = R(0.0);
#if SPECIES > 1
    uint own[LIST_TILE];
    for (l = 0; l < LIST_TILE; l++)
        own[l] = LIST_KIND(counts[first + l]);
#endif
    ACROSS_TILE
    for (l = 0; l < LIST_TILE; l++) {
        const struct place p = load_place(one->position, first + l);
        count[l] = one->is_stopped ? 0 : LIST_VALUE(counts[first + l]);
        most = max(most, count[l]);
        x[l] = p.x;
        y[l] = p.y;
        fx[l] = fy[l] = 0;
        IN_3D(z[l] = p.z;)
        IN_3D(fz[l] = 0;)
    }
    for (k = 0; k < most; k++, row += LIST_TILE) {
        /* Prefetches the row of the next tile, which begins `capacity` rows later: the hardware would prefetch the
         * memory after the last row of this tile, which is not used. */
        PREFETCH(row + (ulong)capacity * LIST_TILE);
        ACROSS_TILE
        for (l = 0; l < LIST_TILE; l++) {
            const int is_pair = k < count[l];
            /* a signed index is an operand of the gather instruction without a conversion */
            const int at = PLACE_STRIDE * (int)(is_pair ? LIST_VALUE(row[l]) : first + l);
            struct place here, there;
            struct vector d;
            real force;
            here.x = x[l];
            here.y = y[l];
            there.x = from[at];
            there.y = from[at + 1];
            IN_3D(here.z = z[l];)
            IN_3D(there.z = from[at + 2];)
            d = difference(here, there, one->step.metric);
#if SPECIES > 1
            force = pair_force(squared(d), pair_between(pair->settings, own[l], is_pair ? LIST_KIND(row[l]) : 0u));
#else
            force = pair_force(squared(d), *pair);
#endif
            force = is_pair ? force : R(0.0);
            fx[l] += force * d.x;
            fy[l] += force * d.y;
            IN_3D(fz[l] += force * d.z;)
        }
    }
#if IS_PLAIN
    if (!one->is_stopped && first + LIST_TILE <= end &&
        move_plain_tile(one, first, fx, fy, fz, &farthest))
        return farthest;
#endif
    for (l = 0; l < LIST_TILE; l++)
        if (first + l < end) {
            struct wide_vector force;
            force.x = fx[l];
            force.y = fy[l];
            IN_3D(force.z = fz[l];)
            farthest = fmax(farthest, move_by_force(one, first + l, force));
        }
    return farthest;
}
#endif

/* Makes a step of the particles begin .. end - 1. In the last step of a list also reports the largest displacement,
 * by which the host chooses the next interval. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_step(__global const PLACE *position, __global PLACE *position_out, __global VECTOR *velocity,
              __global const uint *ids, __global int *image, __global EXCHANGE *exchange, __global uint *words,
              __global const real *settings, __global const ENTRY *list, __global const uint *counts,
              __global const PLACE *reference, real allowed2, struct gas_list_launch launch)
{
    __local wide scratch[WG];
    __local float farthest[WG];
    const uint gid = (uint)get_global_id(0), end = launch.end, capacity = launch.capacity, age = launch.age + 1;
    const uint is_last = age == launch.interval;
#if SPECIES > 1
    struct pairs pair;
#else
    const struct pair pair = load_pair(settings);
#endif
    struct one_step one;
    real square = R(0.0);
    begin_step(&one.step, velocity, ids, image, exchange, words, settings, reference, allowed2, age,
               is_last);
    one.position = position;
    one.position_out = position_out;
    one.is_stopped = IS_STOPPED(words, age);
#if !RANGED
    if (gid == 0)
        count_step(&one);
#endif
#if SPECIES > 1
    pair.settings = settings;
    pair.own = BLOCK ? 0u : LIST_KIND(counts[min(FIRST_PLACE + gid / LANES, end - 1)]);
#endif
#if BLOCK
    if (FIRST_PLACE + gid * LIST_TILE < end)
        square = step_tile(&one, list, counts, FIRST_PLACE / LIST_TILE + gid, capacity, end, &pair);
#else
    const uint i = FIRST_PLACE + gid / LANES, place = min(i, end - 1);
    struct sums sums;
#if RANGED
    const uint count = counts[place];
    sum_neighbours(&sums, position, place, load_place(position, place), list_row(list, place, capacity, launch.particles),
                   gid % LANES, i < end && !one.is_stopped ? LIST_VALUE(count) : 0, &one.step.metric, &pair);
#else
    sum_neighbours(&sums, position, place, load_place(position, place), list_row(list, place, capacity, launch.particles),
                   gid % LANES, i < end && !one.is_stopped ? LIST_VALUE(counts[i]) : 0, &one.step.metric, &pair);
#endif
    join_vector(&sums.force, scratch);
    if (i < end && gid % LANES == 0)
        square = move_by_force(&one, i, sums.force);
#endif
#if RANGED
    if (gid == 0)
        count_step(&one);
#endif
    if (is_last)
        report_rate(&one.step, square, farthest);
}

/* Makes a step of the particles begin .. end - 1 by the accelerations that gas_list_forces has computed at their
 * positions. Before the step multiplies the velocities of the full step by the factor in sums[0], as gas_scale does. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_scaled_step(__global const PLACE *position, __global PLACE *position_out, __global VECTOR *velocity,
                     __global const VECTOR *acceleration, __global const uint *ids, __global int *image,
                     __global EXCHANGE *exchange, __global uint *words, __global const real *settings,
                     __global const PLACE *reference, __global const EXCHANGE *sums, real allowed2,
                     struct gas_list_launch launch)
{
    __local float farthest[WG];
    const uint gid = (uint)get_global_id(0), each = BLOCK ? LIST_TILE : 1u, age = launch.age + 1;
    const uint first = launch.begin + gid * each, end = min(launch.end, first + each);
    const uint is_last = age == launch.interval;
    const wide factor = exchange_value(sums[0]);
    struct one_step one;
    real square = R(0.0);
    uint i;
    begin_step(&one.step, velocity, ids, image, exchange, words, settings, reference, allowed2, age, is_last);
    one.position = position;
    one.position_out = position_out;
    one.is_stopped = IS_STOPPED(words, age);
    if (gid == 0)
        count_step(&one);
    for (i = first; i < end; i++) {
        const struct wide_vector v = scaled_velocity(position, velocity, acceleration, settings, i, factor);
        square = fmax(square, move_particle(&one, i, v, load_vector(acceleration, i)));
    }
    if (is_last)
        report_rate(&one.step, square, farthest);
}

/* Computes for the particles begin .. end - 1 the accelerations by pair forces and, with `energies`, half the energy
 * and half the virial of the pairs of each particle. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_forces(__global const PLACE *position, __global const real *settings, __global const ENTRY *list,
                __global const uint *counts, __global VECTOR *acceleration, __global wide *energy,
                __global wide *virial, uint capacity, uint particles, uint begin, uint end, uint energies)
{
    __local wide scratch[WG];
    const uint i = begin + (uint)get_global_id(0) / LANES, lane = (uint)get_global_id(0) % LANES,
               place = min(i, end - 1);
    const wide per_mass = (wide)1 / (wide)settings[SET_MASS], half_of = (wide)R(0.5);
    const struct metric metric = load_metric(settings);
#if SPECIES > 1
    struct pairs pair;
    pair.settings = settings;
    pair.own = LIST_KIND(counts[place]);
#else
    const struct pair pair = load_pair(settings);
#endif
    struct sums s;
    sum_neighbours(&s, position, place, load_place(position, place), list_row(list, place, capacity, particles), lane,
                   i < end ? LIST_VALUE(counts[i]) : 0, &metric, &pair);
    join_vector(&s.force, scratch);
    s.energy = half_of * joined(s.energy, scratch);
    s.virial = half_of * joined(s.virial, scratch);
    if (i < end && lane == 0) {
        store_vector(acceleration, i, vector_scale(s.force, per_mass OF_PLACE(settings, i)));
        if (energies) {
            energy[i] = s.energy;
            virial[i] = s.virial;
        }
    }
}
