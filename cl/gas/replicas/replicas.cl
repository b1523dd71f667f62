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
/* CUDA: number of groups that must fit a multiprocessor at the same time, which limits the registers of a
 * work-item. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
/* Local memory for positions and cells, in units of 8 bytes, for the contract. */
#ifndef LOCAL
#define LOCAL 704
#endif

/* A work-item alone does not wait. Without barriers PoCL compiles a group of one, that of a CPU, in a
 * quarter of the time: it copies what follows a barrier in a branch. */
#if WG == 1
#undef barrier
#define barrier(flags)
#endif

#if BLOCK > 1
#include "lib/fused.clh"
#define ROOTS_APART 1
#endif

/* Replicas have no schedule. */
#define SPECIES_RATIOS GAS_SETTINGS

#include "gas/device/kinetic.clh"
#include "gas/replicas/tally.clh"
#include "lib/power.clh"

/* Copies positions to local memory, and waits for them. */
static INLINE void load_places(const struct gas *gas, __global const PLACE *position, local coordinate *held)
{
    uint i;
    for (i = (uint)get_local_id(0); i < gas->n; i += WG)
        put_place(held, i, load_place(position, i));
    barrier(CLK_LOCAL_MEM_FENCE);
}

static INLINE void store_places(const struct gas *gas, local const coordinate *held, __global PLACE *position)
{
    uint i;
    for (i = (uint)get_local_id(0); i < gas->n; i += WG)
        store_place(position, i, place_in(held, i));
}

/* Forces ----------------------------------------------------------------------------------------------- */

/* Sums of pairs for the BLOCK particles from `first` on: forces and, with `energies`, energies and virials.
 * Loops over the particles have a constant length, so that compilers vectorise them. */
static INLINE void sum_pairs(const struct gas *gas, local const coordinate *held, uint first, int energies,
                             wide *fx, wide *fy, wide *fz, wide *energy, wide *virial)
{
    __global const ushort *row = gas->list + LIST_FIRST(first, gas->capacity);
    const struct metric metric = gas->metric;
#if SPECIES > 1
    uint own[BLOCK]; /* species */
#else
    const struct pair pair = gas->pair;
#endif
    int count[BLOCK], most = 0, k;
    uint l;
    coordinate x[BLOCK], y[BLOCK];
    IN_3D(coordinate z[BLOCK];)
    for (l = 0; l < BLOCK; l++) {
        count[l] = (int)gas->counts[first + l];
        most = max(most, count[l]);
#if SPECIES > 1
        own[l] = species_at(gas->stage.settings, first + l);
#endif
        x[l] = PART(held, first + l, 0);
        y[l] = PART(held, first + l, 1);
        IN_3D(z[l] = PART(held, first + l, 2);)
        fx[l] = fy[l] = fz[l] = energy[l] = virial[l] = 0;
    }
    for (k = 0; k < most; k++, row += LIST_TILE) {
#if GATHERS
        coordinate there_x[BLOCK], there_y[BLOCK];
        gather_places(held, row, there_x, there_y);
        gather_places(held, row + 8, there_x + 8, there_y + 8);
#endif
        ACROSS_TILE
        for (l = 0; l < BLOCK; l++) {
            const uint entry = row[l];
#if SPECIES > 1
            const struct pair pair = pair_between(gas->stage.settings, own[l], LIST_KIND(entry));
#endif
            struct place here, there;
            struct vector d;
            real square, force;
            here.x = x[l];
            here.y = y[l];
            IN_3D(here.z = z[l];)
#if GATHERS
            there.x = there_x[l];
            there.y = there_y[l];
#else
            there = place_gathered(held, LIST_VALUE(entry));
#endif
            d = difference(here, there, metric);
#if BLOCK == 1
            /* GPUs add under a condition at no cost; a CPU adds zeros to its vectors */
            square = squared(d);
            force = pair_force_inside(square, pair);
            if (!pair_is_inside(square, pair))
                continue;
#else
            /* a pair that is none counts as one at the cutoff */
            square = k < count[l] ? squared(d) : pair.cutoff2;
            force = k < count[l] ? pair_force(square, pair) : R(0.0);
#endif
            fx[l] += force * d.x;
            fy[l] += force * d.y;
            IN_3D(fz[l] += force * d.z;)
            if (energies) {
                energy[l] += k < count[l] ? pair_energy(square, pair) : R(0.0);
                virial[l] += force * square;
            }
        }
    }
}

/* The acceleration of particle l of the block that begins with particle `first`. */
static INLINE struct wide_vector acceleration_of(const struct gas *gas, const wide *fx, const wide *fy,
                                                 const wide *fz, uint first, uint l)
{
    const wide per_mass = gas->per_mass OF_PLACE(gas->stage.settings, first + l);
    struct wide_vector a;
    a.x = fx[l] * per_mass;
    a.y = fy[l] * per_mass;
    IN_3D(a.z = fz[l] * per_mass;)
    return a;
}

/* Whether a force fits the memory of a position, so that forces are stored in place of positions. */
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
                const struct wide_vector a = acceleration_of(gas, fx, fy, fz, first, l),
                                         v = vector_add(load_vector(gas->velocity, first + l), a,
                                                        gas->half_step);
#if MASSES
                const wide ratio = mass_ratio(gas->stage.settings, first + l);
#endif
                sums[REPLICAS_SQUARES] = exchange_added(sums[REPLICAS_SQUARES], wide_squared(v) TIMES_RATIO);
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
/* A particle that moves by MOST_UNITS in a step, or by what is no number, has exploded: `path` tells, and its place is
 * not used. */
#define AXIS(axis, f)                                                                                        \
    {                                                                                                        \
        const float a = f[l] * per_mass;                                                                     \
        const float v = PART(velocity, l, axis) * factor + a * ((factor - 1.0f) * gas->half_step + dt);      \
        const float shift = v * dt, units = shift * settings[SET_INVERSE + axis];                            \
        const float inside = fabs(units) < MOST_UNITS ? units : 0.0f;                                        \
        const uint here = PART(now, l, axis), to = here + (uint)fast_round(inside);                          \
        const float apart = (float)(int)(to - PART(reference, l, axis)) * settings[SET_UNIT + axis];         \
        special |= (uint)((shift > 0.0f) & (to < here)) | (uint)((shift < 0.0f) & (to > here));              \
        path += shift * shift;                                                                               \
        displacement += apart * apart;                                                                       \
        place[axis][l] = to;                                                                                 \
        speed[axis][l] = v;                                                                                  \
    }

/* Moves all particles of a block as move_one does, up to rounding, without a branch. *is_far: what move_one
 * returns for one of them. Returns 0, and moves no particle, if one of them needs the general code. */
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
    ACROSS_TILE
    for (l = 0; l < BLOCK; l++) {
        const float per_mass = gas->per_mass OF_PLACE(settings, first + l);
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
                    is_far |= move_one(gas, now, next, first + l, acceleration_of(gas, fx, fy, fz, first, l),
                                       factor, exploded);
        if (is_far)
            moved[gas->stage.step % 2] = gas->stage.step;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The place of the sample after step `done` among those of a gas. */
static inline uint sample_number(uint done, struct gas_replicas_launch launch)
{
    return (done - launch.sample_first) / max(launch.sample_every, 1u) - launch.sample_base;
}

/* What a launch reads and stores of a gas at samples and rescalings: the parts of the arguments of
 * gas_replicas with these names. */
struct record {
    __global const real *draws;
    __global EXCHANGE *samples;
    __global uint *tallies;
    real inverse_width, cluster2;
};

/* The arrays of gas number `replica`. */
static inline struct record record_of(__global const real *draws, __global EXCHANGE *samples,
                                      __global uint *tallies, real inverse_width, real cluster2, uint replica,
                                      struct gas_replicas_launch launch)
{
    struct record r;
    r.draws = draws + (ulong)replica * launch.rescale_room * REPLICAS_DRAWS;
    r.samples = samples + (ulong)replica * launch.sample_room * REPLICAS_SUMS;
    r.tallies = tallies + (ulong)replica * launch.sample_room * launch.tallies;
    r.inverse_width = inverse_width;
    r.cluster2 = cluster2;
    return r;
}

/* Stores the sums as sample number `number`, and what the sample counts. words: memory that is free during a
 * sample, [2 PARTICLES]; scratch: [WG]. */
static INLINE void store_sample(const struct gas *gas, const struct record *record,
                                local const coordinate *held, const EXCHANGE *sums, uint number,
                                struct gas_replicas_launch launch, local uint *words, local uint *scratch)
{
    uint k;
#if DISTANCES || CLUSTERS
    __global uint *const tallies = record->tallies + (ulong)number * launch.tallies;
#endif
    for (k = 0; k < REPLICAS_SUMS && get_local_id(0) == 0; k++)
        record->samples[(ulong)number * REPLICAS_SUMS + k] = sums[k];
#if DISTANCES
    count_distances(gas, held, tallies, record->inverse_width, launch);
#endif
#if CLUSTERS
    k = largest_cluster(gas, held, words, scratch, record->cluster2, launch.clusters_are_listed);
    if (get_local_id(0) == 0)
        tallies[launch.tallies - 1u] = k;
#endif
}

/* The factor of the rescaling after step `done`, by its random numbers in `draws`. */
static INLINE wide factor_after(const struct gas *gas, __global const real *draws, uint done,
                                struct gas_replicas_launch launch, EXCHANGE squares)
{
    const uint number = done / max(launch.rescale_every, 1u) - launch.rescale_base;
    draws += (ulong)number * REPLICAS_DRAWS;
    return rescale_factor((wide)R(0.5) * (wide)gas->stage.settings[SET_MASS] * exchange_value(squares),
                          draws[0], draws[1], draws[2], draws[3], draws[4]);
}

/* The steps after which the next sample and the next rescaling of a gas are due: numbers that are counted on,
 * since a division at each step would cost as much as some pairs. */
struct due {
    uint sample, scale;
};

static inline struct due due_after(uint done, struct gas_replicas_launch launch)
{
    const uint every = max(launch.sample_every, 1u), after = done - min(done, launch.sample_first),
               often = max(launch.rescale_every, 1u);
    struct due d;
    d.sample = launch.sample_first + max(launch.sample_base, (after + every - 1u) / every) * every;
    d.scale = (max(done, 1u) + often - 1u) / often * often;
    return d;
}

/* What a launch does with a gas after `done` steps. */
struct turn {
    int moves, samples, scales;
};

static inline struct turn turn_after(uint done, int is_over, struct due due,
                                     struct gas_replicas_launch launch)
{
    struct turn t;
    t.moves = !is_over && done < launch.end;
    t.samples = !is_over && done == due.sample;
    t.scales = t.moves && done == due.scale && done < launch.rescale_end;
    return t;
}

static inline struct due due_next(struct due due, struct turn turn, struct gas_replicas_launch launch)
{
    due.sample += turn.samples ? launch.sample_every : 0u;
    due.scale += turn.scales ? launch.rescale_every : 0u;
    return due;
}

/* Takes the sample after step `done`, and returns the factor of the rescaling after it, or 1. The memory of
 * `next` is free for both. */
static INLINE wide observe(const struct gas *gas, const struct record *record, local const coordinate *now,
                           local coordinate *next, struct turn turn, uint done,
                           struct gas_replicas_launch launch, local EXCHANGE *scratch, local uint *scan)
{
    EXCHANGE sums[REPLICAS_SUMS];
    sum_all(gas, now, next, turn.samples, scratch, sums);
    if (turn.samples)
        store_sample(gas, record, now, sums, sample_number(done, launch), launch, (local uint *)next, scan);
    return turn.scales ? factor_after(gas, record->draws, done, launch, sums[REPLICAS_SQUARES]) : (wide)1;
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
static INLINE void load_constants(struct gas *gas, struct gas_replicas_launch launch)
{
    __global const real *settings = gas->stage.settings;
    list_measures(settings, &gas->size);
    gas->metric = load_metric(settings);
    gas->pair = load_pair(settings);
    gas->per_mass = (wide)1 / (wide)settings[SET_MASS];
    gas->half_step = (wide)settings[SET_HALF_STEP];
    gas->farthest = settings[SET_FARTHEST_STEP];
    gas->stage.place = gas->stage.step = 0;
    gas->range2 = launch.range2;
    gas->n = launch.n;
    gas->capacity = launch.capacity;
}

/* Makes the steps of gas number get_group_id(0) up to step launch.end, at most launch.turns.
 * position, velocity, image, counts: [gases][room], as in a gas alone; reference: the positions when the list
 * was built; words: [gases][GAS_WORDS]; settings: [gases][launch.numbers]; meshes: [gases], the cells along
 * each axis; list: [gases][room][capacity] of 16 bits; draws: [gases][rescale_room][REPLICAS_DRAWS], the
 * random numbers of rescalings; samples: [gases][sample_room][REPLICAS_SUMS];
 * tallies: [gases][sample_room][launch.tallies]; inverse_width: 1 over the width of a bin of distances;
 * cluster2: square of the distance that connects particles. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_replicas(__global PLACE *position, __global VECTOR *velocity, __global PLACE *reference,
             __global int *image, __global EXCHANGE *exchange, __global const uint *ids, __global uint *words,
             __global const real *settings, __global const uint4 *meshes, __global uint *list,
             __global uint *counts, __global const real *draws, __global EXCHANGE *samples,
             __global uint *tallies, real allowed2, real inverse_width, real cluster2,
             struct gas_replicas_launch launch)
{
    /* blocks are read beyond the end of a copy */
    __local PLACE places[(2 * PARTICLES + BLOCK) * PLACE_PARTS];
    __local ushort order[PARTICLES + BLOCK];
    __local uint starts[CELLS];
    __local uint scan[2 * WG];
    __local EXCHANGE scratch[WG];
    /* for odd and even steps: numbers of steps, see make_step */
    __local uint exploded[2], moved[2], overflow[1];
    const uint replica = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const ulong begin = (ulong)replica * launch.room;
    struct gas gas;
    struct record record;
    struct due due;
    local coordinate *const held = (local coordinate *)places;
    uint done, is_void, is_over, count, side = 0, rebuilds = 0;
    position += begin * PLACE_PARTS;
    words += replica * GAS_WORDS;
    settings += replica * launch.numbers;
    record = record_of(draws, samples, tallies, inverse_width, cluster2, replica, launch);
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
    load_constants(&gas, launch);
    done = words[WORD_STEP];
    due = due_after(done, launch);
    is_void = words[WORD_FROZEN]; /* enum gas_replicas_list */
    is_over = (uint)(words[WORD_EXPLODED] != 0xffffffffu);
    if (lid == 0) /* the barrier also waits for the words, which are written later */
        exploded[0] = exploded[1] = moved[0] = moved[1] = overflow[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    load_places(&gas, is_void == REPLICAS_LOST ? gas.reference : position, held);
    for (count = 0; count <= launch.turns; count++) {
        struct turn turn = turn_after(done, (int)is_over, due, launch);
        local coordinate *now = held + side * (PARTICLES * PLACE_STRIDE);
        local coordinate *next = held + (1u - side) * (PARTICLES * PLACE_STRIDE);
        wide factor = 1;
        if (is_void == REPLICAS_LOST || (is_void && (turn.moves || turn.samples))) {
            build_list(&gas, now, next, order, starts, scan, overflow);
            if (is_void == REPLICAS_LOST)
                load_places(&gas, position, now);
            rebuilds += is_void == REPLICAS_LOST ? 0u : 1u - overflow[0];
            is_over |= is_void = overflow[0];
            turn = turn_after(done, (int)is_over, due, launch);
        }
        if (turn.samples || turn.scales) {
            factor = observe(&gas, &record, now, next, turn, done, launch, scratch, scan);
            due = due_next(due, turn, launch);
        }
        if (turn.moves) {
            gas.stage.step = ++done;
            /* Sums with energies may round forces in another way, and steps do not depend on samples. */
            make_step(&gas, now, next, factor, turn.scales && !turn.samples, exploded, moved);
            side = 1u - side;
            is_void = (uint)(moved[done % 2] == done);
            is_over = (uint)(exploded[done % 2] == done);
        }
    }
    store_places(&gas, held + side * (PARTICLES * PLACE_STRIDE), position);
    if (lid == 0) {
        words[WORD_STEP] = done;
        words[WORD_FROZEN] = is_void;
        words[WORD_REBUILDS] += rebuilds;
    }
}
