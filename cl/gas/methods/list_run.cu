/* Native version of gas/methods/list_run.cl: the steps are made by a cluster of GROUPS work-groups instead of
 * one work-group, on as many multiprocessors. GROUPS above 1 needs compute capability 9.0.
 *
 * LANES work-items have one particle for the whole launch, and keep what belongs to it in registers. Each work-group
 * holds all positions. The new position of a particle is written only to the memory of those work-groups that have the
 * particle in a list: the owners of the particles in its own list, since lists are symmetric.
 *
 * Lists reach so far beyond the cutoff that they last for tens of steps, and two thirds of their pairs have no force. So
 * each work-item has a short list in local memory, with those of its neighbours within the range whose square is
 * launch.short_range2. It is made anew from the list in global memory after a step in which the square of a particle's
 * displacement since it was made is above launch.moved2. The pairs that it leaves out have no force, and the others
 * keep their order: sums have the same bits with it as without it, whatever the steps at which it is made.
 *
 * 20,000 steps on an H200 with rebuilds, and before, without short lists, particles in registers and fast rebuilds:
 *     4096 disks at density 0.4      57 ms, not 97 ms
 *     2048 particles in the melt    154 ms, not 483 ms
 */
#include "cuda/prelude.cuh"

#ifndef WG
#define WG 256
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef PARTICLES
#define PARTICLES 256
#endif
/* Entries of the short list of a work-item, at least 8. Neighbours for which there is no room are read from
 * the list in global memory. */
#ifndef ENTRIES
#define ENTRIES 8
#endif
/* 1: entries of short lists have 32 bits. No particle may then be nearer than 1.25 cutoffs to a place half the range of
 * fixed-point coordinates away, or half a box where coordinates are not fixed. 0: they have 16. */
#ifndef WIDE_ENTRIES
#define WIDE_ENTRIES 0
#endif
/* Entries of a short list, and of the list, that are loaded at a time. */
#define CHUNK 4
#define AT_A_TIME 8

#define SHARE ((PARTICLES + GROUPS - 1) / GROUPS)
/* A step does not wait for an addition that returns nothing. */
#define COUNT_CROSSING(image, crossed) atomicAdd(image, crossed)

/* A work-group of a cluster may have all registers of its multiprocessor, so that forces of a chunk are computed side by
 * side. */
#define CLUSTER_BOUNDS(items) launch_bounds(items, 1)
#include "cuda/cluster.cuh"
#include "gas/methods/list_step.clh"

/* CHUNK entries of a short list. */
#if WIDE_ENTRIES
#define SHORT_ENTRY uint
#define SHORT_CHUNK uint4
#else
#define SHORT_ENTRY ushort
#define SHORT_CHUNK uint2
#endif

/* Local memory of a work-group. held: the positions after the steps of even and odd number, and behind them, with wide
 * entries, a place for each work-item that is beyond the cutoff from its particle. entries: chunk k of work-item w is
 * number k WG + w; the chunks behind those for ENTRIES fill up the last loads. */
#define HELD ((PARTICLES + (WIDE_ENTRIES ? WG : 0)) * PLACE_PARTS)
struct group_data {
    SHORT_CHUNK entries[(ENTRIES / CHUNK + 3) * WG];
    PLACE held[2][HELD];
    uint ids[SHARE];
};

extern __shared__ ulonglong2 group_memory[];
extern "C" __constant__ unsigned gas_list_run_dynamic_local = sizeof(struct group_data);
static struct group_data *data_of_group() { return (struct group_data *)group_memory; }

static INLINE struct place load_held(const PLACE *held, uint i)
{
    return place_of(held[PLACE_PARTS * i], held[PLACE_PARTS * i + PLACE_PARTS - 1]);
}

/* The address of `own` in the memory of work-group `rank`. With one work-group there is no other one, and
 * architectures without clusters lack the instruction. */
template <class T> static INLINE T *address_in(uint rank, T *own)
{
#if GROUPS > 1
    T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(rank));
    return there;
#else
    return own;
#endif
}

/* The other work-groups that get the position of a particle: its places in the memory of the first PEERS, and a bit
 * for each further one. */
#define PEERS 4
struct peers {
    uint count, further;
    PLACE *at[PEERS];
};

static INLINE struct peers find_peers(uint receivers, PLACE *own)
{
    struct peers peers;
    uint c;
    peers.count = min(__popc(receivers), PEERS);
    peers.further = receivers;
#pragma unroll
    for (c = 0; c < PEERS; c++) {
        peers.at[c] = address_in(peers.further != 0 ? __ffs(peers.further) - 1 : blockIdx.x, own);
        peers.further &= peers.further - 1;
    }
    return peers;
}

/* Stores the position after a step. own: its place in the memory of this work-group; offset: elements between it and
 * the place for which peers have addresses. */
static INLINE void send_place(const struct peers *peers, PLACE *own, uint offset, struct place p)
{
    uint part, c, left;
#pragma unroll
    for (part = 0; part < PLACE_PARTS; part++) {
        const PLACE value = place_part(p, part);
        own[part] = value;
#pragma unroll
        for (c = 0; c < PEERS; c++)
            if (c < peers->count)
                peers->at[c][offset + part] = value;
        for (left = peers->further; left != 0; left &= left - 1)
            *address_in(__ffs(left) - 1, own + part) = value;
    }
}

/* Sets a word in the memory of all work-groups. */
static void tell_all(uint *word, uint value)
{
    *word = value;
#pragma unroll 1
    for (uint rank = 0; rank < GROUPS; rank++)
        *address_in(rank, word) = value;
}

static INLINE uint local_address(const void *local_memory) { return (uint)__cvta_generic_to_shared(local_memory); }

/* Entries of short lists. With one species a wide entry is the address in local memory of the neighbour's position after
 * steps of even number; other entries are the number of bytes before this position, or where that does not fit, the index
 * of the neighbour. With several species the bits from KIND_SHIFT on have the species. */
#define PLACE_BYTES (PLACE_PARTS * (uint)sizeof(PLACE))
#define HAS_ADDRESSES (WIDE_ENTRIES && SPECIES == 1)
#if SPECIES > 1
#define KIND_SHIFT (WIDE_ENTRIES ? 20 : 13)
#define SHORT_UNIT (WIDE_ENTRIES ? 1 : PLACE_BYTES)
#define SHORT_PLACE(entry) ((entry) & (1u << KIND_SHIFT) - 1u)
#if PARTICLES > 8192
#error "with several species there are at most 8192 particles"
#endif
#else
#define SHORT_UNIT (WIDE_ENTRIES || PARTICLES * PLACE_BYTES <= 65536 ? 1 : PLACE_BYTES)
#define SHORT_PLACE(entry) (entry)
#endif

static INLINE uint entry_of_index(uint index)
{
    return (HAS_ADDRESSES ? local_address(data_of_group()->held[0]) : 0) + index * (PLACE_BYTES / SHORT_UNIT);
}

static INLINE uint short_entry(struct neighbour other)
{
#if SPECIES > 1
    return entry_of_index(other.index) | other.kind << KIND_SHIFT;
#else
    return entry_of_index(other.index);
#endif
}

/* A position after a step of even (parity 0) or odd number. */
static INLINE struct place load_neighbour(uint parity, uint entry)
{
    const uint first = HAS_ADDRESSES ? parity * HELD * (uint)sizeof(PLACE) : local_address(data_of_group()->held[parity]);
    return load_held((const PLACE *)__cvta_shared_to_generic(first + SHORT_PLACE(entry) * SHORT_UNIT), 0);
}

/* What a work-item knows of the lists of its particle. It handles every LANES-th neighbour from number `lane` on.
 * filler: an entry without a force; listed: number of neighbours; kept: number of entries of the short list; rest: number
 * of the first neighbour for which it had no room, or else `listed`; pruned: position when it was made. */
struct lists {
    struct list_row row;
    uint filler, lane, listed, kept, rest;
    struct place pruned;
};

static INLINE void begin_lists(struct lists *lists, uint index, uint listed, const ENTRY *list,
                               struct gas_list_launch launch)
{
    lists->row = list_row(list, index, launch.capacity, launch.end);
    lists->filler = entry_of_index(WIDE_ENTRIES ? PARTICLES + threadIdx.x : index);
    lists->lane = threadIdx.x % LANES;
    lists->listed = listed;
}

/* Puts the place of the filler half a box, or with fixed-point coordinates half their range, away from the particle, which
 * moves by an eighth of a cutoff at most until it is put anew. */
static INLINE void put_filler(struct place here, const struct metric *metric)
{
    struct place far = here;
    uint part, parity;
#if PRECISION == DOUBLE
    far.x += 0.5 * metric->x;
    far.y += 0.5 * metric->y;
    IN_3D(far.z += 0.5 * metric->z;)
#else
    far.x += 1u << 31;
    far.y += 1u << 31;
    IN_3D(far.z += 1u << 31;)
#endif
#pragma unroll
    for (parity = 0; parity < 2; parity++)
#pragma unroll
        for (part = 0; part < PLACE_PARTS; part++)
            data_of_group()->held[parity][(PARTICLES + threadIdx.x) * PLACE_PARTS + part] = place_part(far, part);
}

/* Where entry number k of the work-item is. */
static INLINE SHORT_ENTRY *entry_at(uint k)
{
    return (SHORT_ENTRY *)(data_of_group()->entries + threadIdx.x) + k + (k & ~(CHUNK - 1u)) * (WG - 1);
}

/* Makes the short list. Returns a bit for each work-group that has one of the work-item's neighbours. */
static INLINE uint prune(struct lists *lists, const PLACE *now, struct place here, float range2,
                         const struct metric *metric)
{
    const uint last = max(lists->listed, 1u) - 1;
    struct neighbour next[AT_A_TIME];
    uint owners = 0, kept = 0, k, u;
    lists->rest = lists->listed;
    lists->pruned = here;
    if (WIDE_ENTRIES)
        put_filler(here, metric);
#pragma unroll
    for (u = 0; u < AT_A_TIME; u++)
        next[u] = list_at(lists->row, min(lists->lane + u * LANES, last));
#pragma unroll 1
    for (k = lists->lane; k < lists->listed; k += AT_A_TIME * LANES) {
        struct neighbour other[AT_A_TIME];
        if (kept + AT_A_TIME > ENTRIES) {
            lists->rest = k;
            break;
        }
#pragma unroll
        for (u = 0; u < AT_A_TIME; u++) {
            other[u] = next[u];
            next[u] = list_at(lists->row, min(k + (AT_A_TIME + u) * LANES, last));
        }
#pragma unroll
        for (u = 0; u < AT_A_TIME; u++) {
            const real square = squared(difference(here, load_held(now, other[u].index), *metric));
            owners |= 1u << other[u].index / SHARE;
            *entry_at(kept) = (SHORT_ENTRY)short_entry(other[u]);
            kept += square < (real)range2 && k + u * LANES < lists->listed;
        }
    }
    for (k = lists->rest; k < lists->listed; k += LANES)
        owners |= 1u << list_at(lists->row, k).index / SHARE;
#pragma unroll
    for (k = 0; k < 2 * CHUNK; k++)
        *entry_at(kept + k) = (SHORT_ENTRY)lists->filler;
    lists->kept = kept;
    return owners;
}

/* Adds the force of a neighbour on the particle, which is at `d` from it. A sum that is left as it is has the bits of one
 * to which zeros are added. */
static INLINE void add_force(struct wide_vector *force, struct vector d, uint entry, uint filler, const PAIRS *pair)
{
    const real square = squared(d);
#if SPECIES > 1
    const struct pair law = pair_between(pair->settings, pair->own, entry >> KIND_SHIFT);
#else
    const struct pair law = *pair;
#endif
    const real by_distance = pair_force_inside(square, law);
    if (pair_is_inside(square, law) && (WIDE_ENTRIES || entry != filler))
        vector_add_force(force, d, by_distance);
}

/* CHUNK entries, and the particle's positions relative to their neighbours. */
struct chunk {
    uint entries[CHUNK];
    struct vector d[CHUNK];
};

/* KEEP holds a value in its register: the compiler would otherwise compute what the next iteration needs in that
 * iteration, where the forces would wait for it. For the same reason entries are loaded in assembly. */
#if REAL == 64
#define KEEP(x) asm volatile("" : "+d"(x))
#else
#define KEEP(x) asm volatile("" : "+f"(x))
#endif

static INLINE SHORT_CHUNK load_entries(const SHORT_CHUNK *at)
{
    SHORT_CHUNK entries;
#if WIDE_ENTRIES
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(entries.x), "=r"(entries.y), "=r"(entries.z), "=r"(entries.w)
                 : "r"(local_address(at))
                 : "memory");
#else
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(entries.x), "=r"(entries.y) : "r"(local_address(at)) : "memory");
#endif
    return entries;
}

/* In double precision a quotient and the inverse root of 0 take calls, so a filler that is the particle itself is put
 * beside it. */
static INLINE void load_chunk(struct chunk *chunk, uint parity, SHORT_CHUNK entries, struct place here, uint filler,
                              const struct metric *metric)
{
    struct place there[CHUNK];
    uint u;
#if WIDE_ENTRIES
    chunk->entries[0] = entries.x;
    chunk->entries[1] = entries.y;
    chunk->entries[2] = entries.z;
    chunk->entries[3] = entries.w;
#else
    chunk->entries[0] = entries.x & 0xffffu;
    chunk->entries[1] = entries.x >> 16;
    chunk->entries[2] = entries.y & 0xffffu;
    chunk->entries[3] = entries.y >> 16;
#endif
#pragma unroll
    for (u = 0; u < CHUNK; u++)
        there[u] = load_neighbour(parity, chunk->entries[u]);
#pragma unroll
    for (u = 0; u < CHUNK; u++) {
#if PRECISION == DOUBLE && !WIDE_ENTRIES
        if (chunk->entries[u] == filler) {
            there[u].x = here.x - 1.0;
            there[u].y = here.y - 1.0;
            IN_3D(there[u].z = here.z - 1.0;)
        }
#endif
        chunk->d[u] = difference(here, there[u], *metric);
        KEEP(chunk->d[u].x);
        KEEP(chunk->d[u].y);
        IN_3D(KEEP(chunk->d[u].z);)
    }
}

/* The force by the neighbours that the work-item handles, after a step of even (parity 0) or odd number. The positions of
 * the next neighbours, and the entries after them, come while forces are computed. */
static INLINE struct wide_vector sum_forces(const struct lists *lists, uint parity, struct place here,
                                            const struct metric *metric, const PAIRS *pair)
{
    const SHORT_CHUNK *at = data_of_group()->entries + threadIdx.x;
    struct wide_vector force = vector_zero();
    struct chunk next;
    SHORT_CHUNK entries = load_entries(at);
    uint k, u;
    load_chunk(&next, parity, entries, here, lists->filler, metric);
    entries = load_entries(at + WG);
#pragma unroll 1
    for (k = 0; k < lists->kept; k += CHUNK) {
        const struct chunk chunk = next;
        load_chunk(&next, parity, entries, here, lists->filler, metric);
        at += WG;
        entries = load_entries(at + WG);
#pragma unroll
        for (u = 0; u < CHUNK; u++)
            add_force(&force, chunk.d[u], chunk.entries[u], lists->filler, pair);
    }
#pragma unroll 1
    for (k = lists->rest; k < lists->listed; k += LANES) {
        const uint entry = short_entry(list_at(lists->row, k));
        add_force(&force, difference(here, load_neighbour(parity, entry), *metric), entry, lists->filler, pair);
    }
    return force;
}

/* The work-groups that have neighbours of the particle, except this one. owners: those known to the work-item. */
static INLINE uint find_receivers(uint owners)
{
    __local uint joined_owners[WG / LANES];
    uint *const mine = joined_owners + threadIdx.x / LANES;
    *mine = 0;
    __syncthreads();
    atomicOr(mine, owners);
    __syncthreads();
    return *mine & ~(1u << blockIdx.x);
}

/* The settings are kept in registers, but not with several species or a schedule, whose numbers follow them. */
#if SCHEDULE || SPECIES > 1
#define KEEP_SETTINGS
#else
#define KEEP_SETTINGS                                                                                                  \
    real kept_settings[GAS_SETTINGS];                                                                                  \
    _Pragma("unroll") for (uint k = 0; k < GAS_SETTINGS; k++) kept_settings[k] = settings[k];                          \
    settings = kept_settings;
#endif

/* The particle of a work-item. */
struct owned {
    uint index;
    struct place here, built; /* position now, and when the list was built */
    struct wide_vector velocity;
};

/* Takes particle `index`, which work-items without one share with others. */
static INLINE void take(struct owned *p, uint index, const PLACE *position, const PLACE *reference, const VECTOR *velocity)
{
    p->index = index;
    p->here = load_place(position, index);
    p->built = load_place(reference, index);
    p->velocity = load_vector(velocity, index);
}

/* Moves the particle and sends its new position. */
static INLINE void move_owned(const struct step *s, struct owned *p, struct wide_vector force, const struct peers *peers,
                              PLACE *next, uint offset)
{
    struct stage stage = s->stage;
    stage.place = p->index;
    const struct motion m = gas_move(stage, p->here, p->velocity, acceleration_by(s, p->index, force));
    send_place(peers, next + PLACE_PARTS * p->index, offset, m.place);
    p->velocity = m.velocity;
    p->here = m.place;
}

/* After a step: sets words in all work-groups if the particle has moved too far for the list or for short lists. Returns
 * its squared displacement since the build. */
static INLINE real check_moved(const struct step *s, const struct owned *p, struct place pruned, real moved2, uint step,
                               uint *stops, uint *prunes)
{
    const real square = squared(difference(p->here, p->built, s->metric));
    if (is_too_far(s, square)) {
        report_displacement(s, square);
        tell_all(stops + step % 2, step);
    }
    if (squared(difference(p->here, pruned, s->metric)) > moved2)
        tell_all(prunes + step % 2, step);
    return square;
}

/* What all steps of a launch need. stops, prunes: number of the step that set the word, for even and odd steps. */
struct run {
    struct step s;
    struct owned p;
    struct lists lists;
    struct peers peers;
    PAIRS pair;
    uint built, steps, is_mover, *stops, *prunes;
    real farthest_square;
};

/* Makes a step after a step of even (parity 0) or odd number. Returns whether no step may follow. */
static INLINE int make_step(const uint parity, struct run *run, uint *step, const struct gas_list_launch *launch,
                            wide *scratch)
{
    const uint after = 1 - parity;
    PLACE *const next = data_of_group()->held[after];
    struct wide_vector force = sum_forces(&run->lists, parity, run->p.here, &run->s.metric, &run->pair);
    join_vector(&force, scratch);
    ++*step;
    run->s.age = launch->age + *step;
    run->s.is_last = run->s.age == launch->interval;
    run->s.stage.step = run->built + run->s.age;
    if (run->is_mover) {
        move_owned(&run->s, &run->p, force, &run->peers, next, after * HELD);
        run->farthest_square = check_moved(&run->s, &run->p, run->lists.pruned, launch->moved2, *step, run->stops, run->prunes);
    }
    WAIT_FOR_ALL();
    if (LANES > 1)
        run->p.here = load_held(next, run->p.index);
    if (run->stops[after] == *step)
        return 1;
    if (run->prunes[after] == *step && *step < run->steps)
        prune(&run->lists, next, run->p.here, launch->short_range2, &run->s.metric);
    return 0;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void
gas_list_run(__global PLACE *position, __global VECTOR *velocity, __global const uint *ids, __global int *image,
             __global EXCHANGE *exchange, __global uint *words, __global const real *settings,
             __global const ENTRY *list, __global const uint *counts, __global const PLACE *reference, real allowed2,
             struct gas_list_launch launch)
{
    __local uint stops[2], prunes[2]; /* number of the step that set the word, for even and odd steps */
    __local float farthest[WG];
    __local wide scratch[WG];
    struct group_data *const data = data_of_group();
    const uint n = launch.end, lid = threadIdx.x, begin = blockIdx.x * SHARE, end = min(n, begin + SHARE);
    const uint built = words[WORD_BUILT], count = counts[min(begin + lid / LANES, n - 1)];
    const int is_owned = begin + lid / LANES < end;
    struct run run;
    uint step, i;
    run.built = built;
    run.steps = words[WORD_OVERFLOW] != 0 || words[WORD_FROZEN] != 0 ? 0 : launch.steps;
    run.is_mover = is_owned && lid % LANES == 0;
    asm("" : "+r"(run.is_mover)); /* or it would be computed again in each step */
    run.stops = stops;
    run.prunes = prunes;
    run.farthest_square = R(0.0);
    take(&run.p, min(begin + lid / LANES, n - 1), position, reference, velocity);
    begin_lists(&run.lists, run.p.index, is_owned ? LIST_VALUE(count) : 0, list, launch);
    for (i = lid; i < n * PLACE_PARTS; i += WG)
        data->held[0][i] = position[i];
    for (i = begin + lid; i < end; i += WG)
        data->ids[i - begin] = ids[i];
    if (lid < 2)
        stops[lid] = prunes[lid] = 0;
    KEEP_SETTINGS
#if SPECIES > 1
    run.pair.settings = settings;
    run.pair.own = LIST_KIND(count);
#else
    run.pair = load_pair(settings);
#endif
    begin_step(&run.s, velocity, data->ids - begin, image, exchange, words, settings, reference, allowed2, launch.age, 0);
    /* Waits, since words and positions in global memory may be written after the last step. */
    __syncthreads();
    WAIT_FOR_ALL();
    const uint owners = prune(&run.lists, data->held[0], run.p.here, launch.short_range2, &run.s.metric);
    run.peers = find_peers(find_receivers(owners), data->held[0] + PLACE_PARTS * run.p.index);
    for (step = 0; step < run.steps;)
        if (make_step(0, &run, &step, &launch, scratch) || step == run.steps || make_step(1, &run, &step, &launch, scratch))
            break;
    /* without effect if the rate is 0 */
    report_rate(&run.s, step > 0 && run.s.is_last ? run.farthest_square : R(0.0), farthest);
    if (run.is_mover) {
        store_place(position, run.p.index, run.p.here);
        store_vector(velocity, run.p.index, run.p.velocity);
    }
    if (step > 0 && lid == 0 && begin == 0) {
        words[WORD_STEP] = built + launch.age + step;
        words[WORD_AGE] = launch.age + step;
    }
}
