/* Independent gases of equally many particles, the replicas: a work-group makes many steps of one gas in a
 * launch.
 *
 * The positions of a gas are in local memory, twice: a step reads the positions after the previous step from
 * one copy and writes to the other copy. Velocities and neighbour lists are in global memory. As soon as a
 * particle has moved by more than half the skin since the build, the work-group builds the list anew before
 * the next forces, so no force lacks a pair. Particles are never sorted, so the place of a particle is its
 * number.
 *
 * A gas depends on nothing but its own state: it has the same bits whatever gases are beside it, and wherever
 * a launch ends. A gas stops as soon as a particle explodes, or as its list overflows: the next launch, with
 * longer lists, continues it from there. WORD_FROZEN says whether there is a list: enum gas_replicas_list.
 */
#ifndef WG
#define WG 128
#endif
/* Number of successive particles that a work-item moves together, by the vector instructions of a CPU; 1 on
 * GPUs. */
#ifndef BLOCK
#define BLOCK 1
#endif
/* Number of positions in each of the two copies. */
#ifndef PARTICLES
#define PARTICLES 256
#endif
/* Room for cells. */
#ifndef CELLS
#define CELLS 256
#endif
/* Local memory for positions and cells, in units of 8 bytes, for the contract. */
#ifndef LOCAL
#define LOCAL 704
#endif

#include "gas/device/kinetic.clh"
#include "gas/methods/list_build.clh"
#include "gas/model/advance.clh"
#include "gas/model/pair.clh"

#if BLOCK > 1 && BLOCK != LIST_TILE
#error "the lists of a block are those of a tile"
#endif

/* Number of coordinates from one position in local memory to the next. Compilers vectorise loads of
 * coordinates, but not loads of `PLACE`. */
#define PLACE_STRIDE         (DIM == 2 ? 2 : 4)
#define PART(array, i, axis) (array)[PLACE_STRIDE * (i) + (axis)]

/* Position i, whose number differs between the lanes of a vector. */
static INLINE struct place place_gathered(local const coordinate *held, ulong i)
{
    local const coordinate *const at = held + PLACE_STRIDE * i;
    struct place p;
    p.x = at[0];
    p.y = at[1];
    IN_3D(p.z = at[2];)
    return p;
}

static INLINE struct place place_in(local const coordinate *held, uint i)
{
    struct place p;
    p.x = PART(held, i, 0);
    p.y = PART(held, i, 1);
    IN_3D(p.z = PART(held, i, 2);)
    return p;
}

static INLINE void put_place(local coordinate *held, uint i, struct place p)
{
    PART(held, i, 0) = p.x;
    PART(held, i, 1) = p.y;
    IN_3D(PART(held, i, 2) = p.z;)
}

/* Longest list of a particle. capacity: room for its list; behind the longest list there is room for entries
 * that are written without being neighbours. */
#define ROOM(capacity) ((capacity)-BLOCK)

/* A gas. The functions below are called by all work-items of its work-group. */
struct gas {
    struct stage stage;
    __global VECTOR *velocity;
    __global PLACE *reference; /* positions when the list was built */
    __global ushort *list;     /* numbers of particles in 16 bits, as cl/gas/methods/list.clh lays them out */
    __global uint *counts;     /* [n]: number of neighbours */
    struct gas_mesh cells;
    struct measures size;
    struct metric metric;
    struct pair pair;
    wide per_mass, half_step;
    real farthest, allowed2; /* squares of the largest displacement in a step, and of half the skin */
    float range2;
    uint n, capacity;
};

/* Build ------------------------------------------------------------------------------------------------ */

static INLINE uint cell_of(struct place p, __global const real *settings, struct gas_mesh cells)
{
    const struct gas_mesh at = mesh_find(p, settings, cells);
    return (at.z * cells.y + at.y) * cells.x + at.x;
}

/* Sorts the numbers of the particles by their cells, and within a cell by number, so that the list does not
 * depend on the work-items. order: [n]; sorted: the positions in this order; starts: [CELLS], receives the
 * end of each cell in `order`; scratch: [2 WG]. */
static INLINE void sort_by_cells(local const coordinate *held, uint n, __global const real *settings,
                                 struct gas_mesh cells, local coordinate *sorted, local ushort *order,
                                 local uint *starts, local uint *scratch)
{
    const uint lid = (uint)get_local_id(0), total = cells.x * cells.y * cells.z, share = (total - 1) / WG + 1;
    const uint last = min(total, (lid + 1) * share);
    uint sum = 0, i, k;
    for (i = lid; i < total; i += WG)
        starts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < n; i += WG)
        atomic_inc(&starts[cell_of(place_in(held, i), settings, cells)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid * share; i < last; i++)
        sum += starts[i];
    sum = group_scan(sum, scratch).before;
    for (i = lid * share; i < last; i++) {
        const uint count = starts[i];
        starts[i] = sum;
        sum += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < n; i += WG)
        order[atomic_inc(&starts[cell_of(place_in(held, i), settings, cells)])] = (ushort)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < total; i += WG) {
        const uint first = i > 0 ? starts[i - 1] : 0u;
        for (k = first + 1; k < starts[i]; k++) {
            const ushort number = order[k];
            uint to = k;
            for (; to > first && order[to - 1] > number; to--)
                order[to] = order[to - 1];
            order[to] = number;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i = lid; i < n; i += WG)
        put_place(sorted, i, place_in(held, (uint)order[i]));
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* First cell around cell `at` along a periodic axis; the cells around are this one and the two after it, or
 * all cells of an axis with fewer than three. */
static inline uint around_from(uint at, uint cells)
{
    return cells < 3u ? 0u : at == 0 ? cells - 1u : at - 1u;
}

/* Appends the particles number from .. to - 1 of `order` that are near `here`, except for particle i, to the
 * list at `own`, which has `count` entries. Returns the number of entries; none is written after entry number
 * `room`, except for BLOCK entries. */
static INLINE uint append_range(__global ushort *own, uint count, uint room, struct place here, uint i,
                                uint from, uint to, local const coordinate *sorted, local const ushort *order,
                                struct measures size, float range2)
{
    uint k;
#if BLOCK > 1
    /* A CPU predicts the branch below badly. It tests BLOCK particles by vectors, and writes each of them:
     * the next one overwrites it unless it is near. */
    for (k = from; k < to; k += BLOCK) {
        __global ushort *const begin = own + min(count, room) * LIST_TILE, *at = begin;
        local const coordinate *const places = sorted + PLACE_STRIDE * (ulong)k;
        local const ushort *const numbers = order + k;
        const int left = (int)(to - k);
        int further[BLOCK], l;
        for (l = 0; l < BLOCK; l++) {
            const int is_near = list_distance2(here, place_in(places, (uint)l), size) < range2;
            further[l] = is_near & (numbers[l] != i) & (l < left) ? LIST_TILE : 0;
        }
#pragma unroll
        for (l = 0; l < BLOCK; l++) {
            *at = numbers[l];
            at += further[l];
        }
        count += (uint)(at - begin) / LIST_TILE;
    }
#else
    for (k = from; k < to; k++)
        if (order[k] != i && list_distance2(here, place_in(sorted, k), size) < range2) {
            own[min(count, room) * LIST_TILE] = order[k];
            count++;
        }
#endif
    return count;
}

/* Writes the list of particle i, and returns the number of its neighbours. There is room for ROOM(capacity).
 */
static INLINE uint list_neighbours(const struct gas *gas, struct place here, uint i,
                                   local const coordinate *sorted, local const ushort *order,
                                   local const uint *starts)
{
    __global ushort *own = gas->list + LIST_FIRST(i, gas->capacity);
    const struct gas_mesh cells = gas->cells;
    const struct gas_mesh at = mesh_find(here, gas->stage.settings, cells);
    const uint first = around_from(at.x, cells.x), wide = min(cells.x, 3u), high = min(cells.y, 3u);
    const uint inside = min(wide, cells.x - first);
    uint count = 0, row, part;
    for (row = 0; row < high * min(cells.z, 3u); row++) {
        const uint y = list_wrapped(around_from(at.y, cells.y) + row % high, cells.y),
                   z = list_wrapped(around_from(at.z, cells.z) + row / high, cells.z),
                   plane = (z * cells.y + y) * cells.x;
        /* the cells of a row are one range of particles, or two where the row crosses the border */
        for (part = 0; part < (wide > inside ? 2u : 1u); part++) {
            const uint from = plane + (part == 0 ? first : 0u),
                       to = plane + (part == 0 ? first + inside : wide - inside);
            count = append_range(own, count, ROOM(gas->capacity), here, i, from > 0 ? starts[from - 1] : 0u,
                                 starts[to - 1], sorted, order, gas->size, gas->range2);
        }
    }
    return count;
}

#if BLOCK > 1
/* Gives the lists of a block the length of the longest one, so that each lane can load a neighbour. */
static INLINE void pad_lists(const struct gas *gas, uint first)
{
    __global ushort *list = gas->list + LIST_FIRST(first, gas->capacity);
    uint most = 0, k, l;
    for (l = 0; l < BLOCK; l++)
        most = max(most, gas->counts[first + l]);
    for (l = 0; l < BLOCK; l++)
        for (k = gas->counts[first + l]; k < most; k++)
            list[k * LIST_TILE + l] = 0;
}
#endif

/* Builds the list. sorted: room for another copy of the positions. *overflow becomes 1 if a particle has more
 * neighbours than there is room for. */
static INLINE void build_list(const struct gas *gas, local const coordinate *held, local coordinate *sorted,
                              local ushort *order, local uint *starts, local uint *scratch,
                              local uint *overflow)
{
    uint first, l;
    sort_by_cells(held, gas->n, gas->stage.settings, gas->cells, sorted, order, starts, scratch);
    for (first = (uint)get_local_id(0) * BLOCK; first < gas->n; first += WG * BLOCK) {
        for (l = 0; l < BLOCK; l++) {
            const uint i = first + l;
            uint count = 0;
            if (i < gas->n) {
                const struct place here = place_in(held, i);
                count = list_neighbours(gas, here, i, sorted, order, starts);
                store_place(gas->reference, i, here);
                if (count > ROOM(gas->capacity)) {
                    atomic_max(gas->stage.words + WORD_OVERFLOW, count);
                    *overflow = 1;
                }
            }
            if (BLOCK > 1 || i < gas->n)
                gas->counts[i] = min(count, ROOM(gas->capacity));
        }
#if BLOCK > 1
        pad_lists(gas, first);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Copies positions to local memory, and waits for them. */
static INLINE void load_places(const struct gas *gas, __global const PLACE *position, local coordinate *held)
{
    uint i;
    for (i = (uint)get_local_id(0); i < gas->n; i += WG)
        put_place(held, i, load_place(position, i));
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Forces ----------------------------------------------------------------------------------------------- */

/* Sums of pairs for the BLOCK particles from `first` on: forces and, with `energies`, energies and virials.
 * Loops over the particles have a constant length, so that compilers vectorise them. */
static INLINE void sum_pairs(const struct gas *gas, local const coordinate *held, uint first, int energies,
                             wide *fx, wide *fy, wide *fz, wide *energy, wide *virial)
{
    __global const ushort *row = gas->list + LIST_FIRST(first, gas->capacity);
    const struct metric metric = gas->metric;
    const struct pair pair = gas->pair;
    int count[BLOCK], most = 0, k;
    uint l;
    coordinate x[BLOCK], y[BLOCK];
    IN_3D(coordinate z[BLOCK];)
    for (l = 0; l < BLOCK; l++) {
        count[l] = (int)gas->counts[first + l];
        most = max(most, count[l]);
        x[l] = PART(held, first + l, 0);
        y[l] = PART(held, first + l, 1);
        IN_3D(z[l] = PART(held, first + l, 2);)
        fx[l] = fy[l] = fz[l] = energy[l] = virial[l] = 0;
    }
    for (k = 0; k < most; k++, row += LIST_TILE) {
        for (l = 0; l < BLOCK; l++) {
            const int is_pair = k < count[l];
            struct place here;
            struct vector d;
            real square, force;
            here.x = x[l];
            here.y = y[l];
            IN_3D(here.z = z[l];)
            d = difference(here, place_gathered(held, row[l]), metric);
            /* a pair that is none counts as one at the cutoff */
            square = is_pair ? squared(d) : pair.cutoff2;
            force = is_pair ? pair_force(square, pair) : R(0.0);
            fx[l] += force * d.x;
            fy[l] += force * d.y;
            IN_3D(fz[l] += force * d.z;)
            if (energies) {
                energy[l] += is_pair ? pair_energy(square, pair) : R(0.0);
                virial[l] += force * square;
            }
        }
    }
}

/* The acceleration of particle l of a block. */
static INLINE struct wide_vector acceleration_of(const struct gas *gas, const wide *fx, const wide *fy,
                                                 const wide *fz, uint l)
{
    struct wide_vector a;
    a.x = fx[l] * gas->per_mass;
    a.y = fy[l] * gas->per_mass;
    IN_3D(a.z = fz[l] * gas->per_mass;)
    return a;
}

/* 1: the memory of a position can hold a force meanwhile. */
#define KEEPS_FORCES (PRECISION != MIXED)
#if PRECISION == DOUBLE
#define KEPT_OF(force) (force)
#define FORCE_OF(kept) (kept)
#else
#define KEPT_OF(force) as_uint((float)(force))
#define FORCE_OF(kept) ((wide)as_float(kept))
#endif

/* Computes the sums of a sample, or, without `energies`, that of the squares alone. scratch: [WG]. kept:
 * receives the forces, for take_forces, if KEEPS_FORCES. */
static INLINE void sum_all(const struct gas *gas, local const coordinate *held, local coordinate *kept,
                           int energies, local EXCHANGE *scratch, EXCHANGE *sums)
{
    wide fx[BLOCK], fy[BLOCK], fz[BLOCK], energy[BLOCK], virial[BLOCK];
    uint first, l;
    for (l = 0; l < REPLICAS_SUMS; l++)
        sums[l] = exchange_of(0);
    for (first = (uint)get_local_id(0) * BLOCK; first < gas->n; first += WG * BLOCK) {
        if (energies)
            sum_pairs(gas, held, first, 1, fx, fy, fz, energy, virial);
        else
            sum_pairs(gas, held, first, 0, fx, fy, fz, energy, virial);
        for (l = 0; l < BLOCK; l++)
            if (first + l < gas->n) {
                const struct wide_vector a = acceleration_of(gas, fx, fy, fz, l),
                                         v = vector_add(load_vector(gas->velocity, first + l), a,
                                                        gas->half_step);
                sums[REPLICAS_SQUARES] = exchange_added(sums[REPLICAS_SQUARES], wide_squared(v));
                if (energies) {
                    sums[REPLICAS_PAIRS] = exchange_added(sums[REPLICAS_PAIRS], (wide)R(0.5) * energy[l]);
                    sums[REPLICAS_VIRIAL] = exchange_added(sums[REPLICAS_VIRIAL], (wide)R(0.5) * virial[l]);
                }
#if KEEPS_FORCES
                PART(kept, first + l, 0) = KEPT_OF(fx[l]);
                PART(kept, first + l, 1) = KEPT_OF(fy[l]);
                IN_3D(PART(kept, first + l, 2) = KEPT_OF(fz[l]);)
#endif
            }
    }
    for (l = 0; l < (energies ? REPLICAS_SUMS : REPLICAS_SQUARES + 1); l++)
        sums[l] = group_joined(sums[l], scratch);
}

#if KEEPS_FORCES
/* The forces on a block that sum_all kept. */
static INLINE void take_forces(local const coordinate *kept, uint first, wide *fx, wide *fy, wide *fz)
{
    uint l;
    kept += PLACE_STRIDE * (ulong)first;
    for (l = 0; l < BLOCK; l++) {
        fx[l] = FORCE_OF(PART(kept, l, 0));
        fy[l] = FORCE_OF(PART(kept, l, 1));
        IN_3D(fz[l] = FORCE_OF(PART(kept, l, 2));)
    }
}
#endif

/* Steps ------------------------------------------------------------------------------------------------ */

/* Moves particle i with the acceleration `a`. Returns whether it has moved by more than half the skin since
 * the list was built. */
static INLINE int move_one(const struct gas *gas, local const coordinate *now, local coordinate *next, uint i,
                           struct wide_vector a, wide factor, local uint *exploded)
{
    struct stage stage = gas->stage;
    struct wide_vector v = load_vector(gas->velocity, i);
    struct motion m;
    /* (v + a h) factor - a h, where v + a h is the velocity of the full step */
    if (factor != 1)
        v = vector_add(vector_scale(v, factor), a, (factor - 1) * gas->half_step);
    stage.place = i;
    m = gas_move(stage, place_in(now, i), v, a);
    store_vector(gas->velocity, i, m.velocity);
    put_place(next, i, m.place);
    if (!(squared(m.moved) <= gas->farthest))
        exploded[stage.step % 2] = stage.step;
    return squared(difference(m.place, load_place(gas->reference, i), gas->metric)) > gas->allowed2;
}

/* 1: only pair forces act, and a drift is an addition, except for a particle that crosses a border. */
#define IS_PLAIN (BLOCK > 1 && THERMOSTAT == NVE && !LIMITED && BOUNDARIES == 0 && PRECISION == SINGLE)

#if IS_PLAIN
#define AXIS(axis, f)                                                                                        \
    {                                                                                                        \
        const float a = f[l] * gas->per_mass;                                                                \
        const float v = PART(velocity, l, axis) * factor + a * ((factor - 1.0f) * gas->half_step + dt);      \
        const float shift = v * dt;                                                                          \
        const uint here = PART(now, l, axis), to = shifted(axis, here, shift, settings);                     \
        const float apart = (float)(int)(to - PART(reference, l, axis)) * settings[SET_UNIT + axis];         \
        special |= (uint)((shift > 0.0f) & (to < here)) | (uint)((shift < 0.0f) & (to > here));              \
        path += shift * shift;                                                                               \
        displacement += apart * apart;                                                                       \
        place[axis][l] = to;                                                                                 \
        speed[axis][l] = v;                                                                                  \
    }

/* Moves all particles of a block as move_one does, without a branch. *is_far: what move_one returns for one
 * of them. Returns 0, and moves no particle, if one of them needs the general code. */
static INLINE int move_plain(const struct gas *gas, local const coordinate *now, local coordinate *next,
                             uint first, const wide *fx, const wide *fy, const wide *fz, float factor,
                             int *is_far)
{
    __global const real *settings = gas->stage.settings;
    const ulong begin = PLACE_STRIDE * (ulong)first;
    __global const uint *reference = (__global const uint *)gas->reference + begin;
    __global float *velocity = (__global float *)gas->velocity + begin;
    const float dt = settings[SET_DT], most = gas->farthest;
    uint place[DIM][BLOCK], special = 0, far = 0, k, l;
    float speed[DIM][BLOCK];
    now += begin;
    next += begin;
    for (l = 0; l < BLOCK; l++) {
        float path = 0.0f, displacement = 0.0f;
        AXIS(0, fx)
        AXIS(1, fy)
        IN_3D(AXIS(2, fz))
        special |= (uint) !(path <= most);
        far |= (uint)(displacement > gas->allowed2);
    }
    if (special)
        return 0;
    for (l = 0; l < BLOCK; l++)
        for (k = 0; k < DIM; k++) {
            PART(next, l, k) = place[k][l];
            PART(velocity, l, k) = speed[k][l];
        }
    *is_far = (int)far;
    return 1;
}
#endif

/* Makes the step with the number gas->stage.step of all particles, from `now` to `next`, after their
 * velocities of the full step are multiplied by `factor`. If a particle explodes, or has moved so far that
 * the list must be built before the next forces, the number of the step is stored in `exploded` or `moved`,
 * [2], for odd and even steps. are_kept: sum_all has kept the forces in `next`. */
static INLINE void make_step(const struct gas *gas, local const coordinate *now, local coordinate *next,
                             wide factor, int are_kept, local uint *exploded, local uint *moved)
{
    wide fx[BLOCK], fy[BLOCK], fz[BLOCK], energy[BLOCK], virial[BLOCK];
    uint first, l;
    for (first = (uint)get_local_id(0) * BLOCK; first < gas->n; first += WG * BLOCK) {
        int is_far = 0;
#if KEEPS_FORCES
        if (are_kept)
            take_forces(next, first, fx, fy, fz);
        else
#endif
            sum_pairs(gas, now, first, 0, fx, fy, fz, energy, virial);
#if IS_PLAIN
        if (first + BLOCK > gas->n || !move_plain(gas, now, next, first, fx, fy, fz, factor, &is_far))
#endif
            for (l = 0; l < BLOCK; l++)
                if (first + l < gas->n)
                    is_far |= move_one(gas, now, next, first + l, acceleration_of(gas, fx, fy, fz, l), factor,
                                       exploded);
        if (is_far)
            moved[gas->stage.step % 2] = gas->stage.step;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Stores the sums as the sample after step `done`. */
static inline void store_sample(__global EXCHANGE *samples, uint replica, uint done,
                                struct gas_replicas_launch launch, const EXCHANGE *sums)
{
    const uint number = (done - launch.sample_first) / max(launch.sample_every, 1u) - launch.sample_base;
    uint k;
    for (k = 0; k < REPLICAS_SUMS; k++)
        samples[((ulong)replica * launch.sample_room + number) * REPLICAS_SUMS + k] = sums[k];
}

/* The factor of the rescaling after step `done`, by its random numbers in `draws`. */
static inline wide factor_after(__global const real *draws, uint replica, uint done,
                                struct gas_replicas_launch launch, EXCHANGE squares, real mass)
{
    const uint number = done / max(launch.rescale_every, 1u) - launch.rescale_base;
    draws += ((ulong)replica * launch.rescale_room + number) * REPLICAS_DRAWS;
    return rescale_factor((wide)R(0.5) * (wide)mass * exchange_value(squares), draws[0], draws[1], draws[2],
                          draws[3], draws[4]);
}

/* What a launch does with a gas after `done` steps. */
struct turn {
    int moves, samples, scales;
};

static inline struct turn turn_after(uint done, int is_over, struct gas_replicas_launch launch)
{
    const uint every = max(launch.sample_every, 1u), after = done - min(done, launch.sample_first);
    struct turn t;
    t.moves = !is_over && done < launch.end;
    t.samples =
        !is_over && done >= launch.sample_first && after % every == 0 && after / every >= launch.sample_base;
    t.scales = t.moves && done > 0 && done < launch.rescale_end && done % max(launch.rescale_every, 1u) == 0;
    return t;
}

static inline struct gas_mesh cells_of(uint4 mesh)
{
    struct gas_mesh cells;
    cells.x = mesh.x;
    cells.y = mesh.y;
    cells.z = mesh.z;
    cells.pencil = 0;
    return cells;
}

/* Loads what follows from the settings. */
static INLINE void load_constants(struct gas *gas)
{
    __global const real *settings = gas->stage.settings;
    list_measures(settings, &gas->size);
    gas->metric = load_metric(settings);
    gas->pair = load_pair(settings);
    gas->per_mass = (wide)1 / (wide)settings[SET_MASS];
    gas->half_step = (wide)settings[SET_HALF_STEP];
    gas->farthest = settings[SET_FARTHEST_STEP];
    gas->stage.place = gas->stage.step = 0;
}

/* Makes the steps of gas number get_group_id(0) up to step launch.end, at most launch.turns.
 * position, velocity, image, counts: [gases][room], as in a gas alone; reference: the positions when the list
 * was built; words: [gases][GAS_WORDS]; settings: [gases][GAS_SETTINGS]; meshes: [gases], the cells along
 * each axis; list: [gases][room][capacity] of 16 bits; draws: [gases][rescale_room][REPLICAS_DRAWS], the
 * random numbers of rescalings; samples: [gases][sample_room][REPLICAS_SUMS]. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_replicas(__global PLACE *position, __global VECTOR *velocity, __global PLACE *reference,
             __global int *image, __global EXCHANGE *exchange, __global const uint *ids, __global uint *words,
             __global const real *settings, __global const uint4 *meshes, __global uint *list,
             __global uint *counts, __global const real *draws, __global EXCHANGE *samples, real allowed2,
             struct gas_replicas_launch launch)
{
    __local PLACE
        places[(2 * PARTICLES + BLOCK) * PLACE_PARTS]; /* blocks are read beyond the end of a copy */
    local coordinate *const held = (local coordinate *)places;
    __local ushort order[PARTICLES + BLOCK];
    __local uint starts[CELLS];
    __local uint scan[2 * WG];
    __local EXCHANGE scratch[WG];
    /* for odd and even steps: numbers of steps, see make_step */
    __local uint exploded[2], moved[2], overflow[1];
    const uint replica = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const ulong begin = (ulong)replica * launch.room;
    struct gas gas;
    uint done, is_void, is_over, count, i, side = 0, rebuilds = 0;
    position += begin * PLACE_PARTS;
    words += replica * GAS_WORDS;
    settings += replica * GAS_SETTINGS;
    gas.stage.settings = settings;
    gas.stage.words = words;
    gas.stage.ids = ids;
    gas.stage.image = image + begin * DIM;
    gas.stage.exchange = exchange + begin * EXCHANGES;
    gas.velocity = velocity + begin * VECTOR_PARTS;
    gas.reference = reference + begin * PLACE_PARTS;
    gas.list = (__global ushort *)list + begin * launch.capacity;
    gas.counts = counts + begin;
    gas.cells = cells_of(meshes[replica]);
    gas.allowed2 = allowed2;
    gas.range2 = launch.range2;
    gas.n = launch.n;
    gas.capacity = launch.capacity;
    load_constants(&gas);
    done = words[WORD_STEP];
    is_void = words[WORD_FROZEN]; /* enum gas_replicas_list */
    is_over = (uint)(words[WORD_EXPLODED] != 0xffffffffu);
    if (lid == 0) /* the barrier also waits for the words, which are written later */
        exploded[0] = exploded[1] = moved[0] = moved[1] = overflow[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    load_places(&gas, is_void == REPLICAS_LOST ? gas.reference : position, held);
    for (count = 0; count <= launch.turns; count++) {
        local coordinate *now = held + side * (PARTICLES * PLACE_STRIDE);
        local coordinate *next = held + (1u - side) * (PARTICLES * PLACE_STRIDE);
        struct turn turn = turn_after(done, (int)is_over, launch);
        wide factor = 1;
        if (is_void == REPLICAS_LOST || (is_void && (turn.moves || turn.samples))) {
            build_list(&gas, now, next, order, starts, scan, overflow);
            if (is_void == REPLICAS_LOST)
                load_places(&gas, position, now);
            rebuilds += is_void == REPLICAS_LOST ? 0u : 1u - overflow[0];
            is_over |= is_void = overflow[0];
            turn = turn_after(done, (int)is_over, launch);
        }
        const int is_summed = turn.samples || turn.scales;
        if (is_summed) {
            EXCHANGE sums[REPLICAS_SUMS];
            sum_all(&gas, now, next, turn.samples, scratch, sums);
            if (turn.samples && lid == 0)
                store_sample(samples, replica, done, launch, sums);
            if (turn.scales)
                factor =
                    factor_after(draws, replica, done, launch, sums[REPLICAS_SQUARES], settings[SET_MASS]);
        }
        if (turn.moves) {
            gas.stage.step = ++done;
            make_step(&gas, now, next, factor, is_summed, exploded, moved);
            side = 1u - side;
            is_void = (uint)(moved[done % 2] == done);
            is_over = (uint)(exploded[done % 2] == done);
        }
    }
    for (i = lid; i < launch.n; i += WG)
        store_place(position, i, place_in(held + side * (PARTICLES * PLACE_STRIDE), i));
    if (lid == 0) {
        words[WORD_STEP] = done;
        words[WORD_FROZEN] = is_void;
        words[WORD_REBUILDS] += rebuilds;
    }
}
