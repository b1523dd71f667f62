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
/* Entries of a short list, and of the list, that are loaded at a time. */
#define CHUNK 4
#define AT_A_TIME 8

#define SHARE ((PARTICLES + GROUPS - 1) / GROUPS)
/* A step does not wait for an addition that returns nothing. */
#define COUNT_CROSSING(image, crossed) atomicAdd(image, crossed)

#include "cuda/cluster.cuh"
#include "gas/methods/list_step.clh"

/* Local memory of a work-group. held: the positions after the steps of even and odd number. entries: entry k of
 * work-item w is number k WG + w; entries of 3 chunks fill up the last loads. */
struct group_data {
    PLACE held[2][PARTICLES * PLACE_PARTS];
    ushort entries[(ENTRIES + 3 * CHUNK) * WG];
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

/* Entries of short lists. An entry is the index of the neighbour; with several species the highest three of its 16 bits
 * have the species. Without, it is the number of bytes before the position of the neighbour, which is all that a load
 * needs, if this number fits. */
#if SPECIES > 1
#define SHORT_INDEX_BITS 13
#define SHORT_UNIT (PLACE_PARTS * sizeof(PLACE))
#define SHORT_INDEX(entry) ((entry) & (1u << SHORT_INDEX_BITS) - 1u)
#if PARTICLES > 8192
#error "with several species there are at most 8192 particles"
#endif
static INLINE uint short_entry(struct neighbour other) { return other.index | other.kind << SHORT_INDEX_BITS; }
#else
#define SHORT_UNIT (PARTICLES * PLACE_PARTS * sizeof(PLACE) > 65536 ? PLACE_PARTS * sizeof(PLACE) : 1)
#define SHORT_INDEX(entry) (entry)
static INLINE uint short_entry(struct neighbour other)
{
    return other.index * (PLACE_PARTS * (uint)sizeof(PLACE) / (uint)SHORT_UNIT);
}
#endif

static INLINE struct place load_neighbour(const PLACE *held, uint entry)
{
    return load_held((const PLACE *)((const char *)held + SHORT_INDEX(entry) * SHORT_UNIT), 0);
}

/* What a work-item knows of the lists of its particle. It handles every LANES-th neighbour from number `lane` on.
 * self: the entry that would be the particle itself; listed: number of neighbours; kept: number of entries of the short
 * list; rest: number of the first neighbour for which it had no room, or else `listed`; pruned: position when it was
 * made. */
struct lists {
    struct list_row row;
    uint self, lane, listed, kept, rest;
    struct place pruned;
};

static INLINE void begin_lists(struct lists *lists, uint index, uint listed, const ENTRY *list,
                               struct gas_list_launch launch)
{
    lists->row = list_row(list, index, launch.capacity, launch.end);
    lists->self = short_entry(list_neighbour(lists->row.window, list_own(lists->row.window, index)));
    lists->lane = threadIdx.x % LANES;
    lists->listed = listed;
}

/* Makes the short list. Returns a bit for each work-group that has one of the work-item's neighbours. */
static INLINE uint prune(struct lists *lists, const PLACE *now, struct place here, float range2,
                         const struct metric *metric)
{
    ushort *const entries = data_of_group()->entries + threadIdx.x;
    const uint last = max(lists->listed, 1u) - 1;
    struct neighbour next[AT_A_TIME];
    uint owners = 0, kept = 0, k, u;
    lists->rest = lists->listed;
    lists->pruned = here;
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
            entries[kept * WG] = (ushort)short_entry(other[u]);
            kept += square < (real)range2 && k + u * LANES < lists->listed;
        }
    }
    for (k = lists->rest; k < lists->listed; k += LANES)
        owners |= 1u << list_at(lists->row, k).index / SHARE;
#pragma unroll
    for (k = 0; k < 2 * CHUNK; k++)
        entries[(kept + k) * WG] = (ushort)lists->self;
    asm volatile("" ::: "memory"); /* load_entries reads them */
    lists->kept = kept;
    return owners;
}

/* Adds the force of a neighbour at `there` on the particle at `here`. An entry that is the particle itself has none. */
static INLINE void add_force(struct wide_vector *force, struct place here, uint self, uint entry, struct place there,
                             const struct metric *metric, const PAIRS *pair)
{
    const struct vector d = difference(here, there, *metric);
#if SPECIES > 1
    const real by_distance = pair_force(squared(d), pair_between(pair->settings, pair->own, entry >> SHORT_INDEX_BITS));
#else
    const real by_distance = pair_force(squared(d), *pair);
#endif
    vector_add_force(force, d, entry != self ? by_distance : R(0.0));
}

/* CHUNK entries and the positions of their neighbours. */
struct chunk {
    uint entries[CHUNK];
    struct place there[CHUNK];
};

/* In assembly, since the compiler would clear the upper bits of each entry once more. */
static INLINE void load_entries(uint entries[CHUNK], const ushort *at)
{
    uint u;
#pragma unroll
    for (u = 0; u < CHUNK; u++)
        asm volatile("ld.shared.u16 %0, [%1];" : "=r"(entries[u]) : "r"((uint)__cvta_generic_to_shared(at + u * WG)));
}

static INLINE void load_chunk(struct chunk *chunk, const PLACE *now, const uint entries[CHUNK])
{
    uint u;
#pragma unroll
    for (u = 0; u < CHUNK; u++) {
        chunk->entries[u] = entries[u];
        chunk->there[u] = load_neighbour(now, entries[u]);
    }
}

/* The force by the neighbours that the work-item handles. The positions of the next neighbours, and the entries after
 * them, come while forces are computed. */
static INLINE struct wide_vector sum_forces(const struct lists *lists, const PLACE *now, struct place here,
                                            const struct metric *metric, const PAIRS *pair)
{
    const ushort *at = data_of_group()->entries + threadIdx.x;
    struct wide_vector force = vector_zero();
    struct chunk next;
    uint entries[CHUNK], k, u;
    load_entries(entries, at);
    load_chunk(&next, now, entries);
    load_entries(entries, at + CHUNK * WG);
#pragma unroll 1
    for (k = 0; k < lists->kept; k += CHUNK) {
        const struct chunk chunk = next;
        load_chunk(&next, now, entries);
        at += CHUNK * WG;
        load_entries(entries, at + CHUNK * WG);
#pragma unroll
        for (u = 0; u < CHUNK; u++)
            add_force(&force, here, lists->self, chunk.entries[u], chunk.there[u], metric, pair);
    }
#pragma unroll 1
    for (k = lists->rest; k < lists->listed; k += LANES) {
        const struct neighbour other = list_at(lists->row, k);
        add_force(&force, here, lists->self, short_entry(other), load_held(now, other.index), metric, pair);
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
    const uint steps = words[WORD_OVERFLOW] != 0 || words[WORD_FROZEN] != 0 ? 0 : launch.steps;
    const int is_owned = begin + lid / LANES < end, is_mover = is_owned && lid % LANES == 0;
    struct owned p;
    struct lists lists;
    struct step s;
    uint step, i;
    real farthest_square = R(0.0);
    take(&p, min(begin + lid / LANES, n - 1), position, reference, velocity);
    begin_lists(&lists, p.index, is_owned ? LIST_VALUE(count) : 0, list, launch);
    for (i = lid; i < n * PLACE_PARTS; i += WG)
        data->held[0][i] = position[i];
    for (i = begin + lid; i < end; i += WG)
        data->ids[i - begin] = ids[i];
    if (lid < 2)
        stops[lid] = prunes[lid] = 0;
    KEEP_SETTINGS
#if SPECIES > 1
    struct pairs pair;
    pair.settings = settings;
    pair.own = LIST_KIND(count);
#else
    const struct pair pair = load_pair(settings);
#endif
    begin_step(&s, velocity, data->ids - begin, image, exchange, words, settings, reference, allowed2, launch.age, 0);
    /* Waits, since words and positions in global memory may be written after the last step. */
    __syncthreads();
    WAIT_FOR_ALL();
    const uint owners = prune(&lists, data->held[0], p.here, launch.short_range2, &s.metric);
    const struct peers peers = find_peers(find_receivers(owners), data->held[0] + PLACE_PARTS * p.index);
    for (step = 0; step < steps;) {
        PLACE *const next = data->held[(step + 1) % 2];
        struct wide_vector force = sum_forces(&lists, data->held[step % 2], p.here, &s.metric, &pair);
        join_vector(&force, scratch);
        step++;
        s.age = launch.age + step;
        s.is_last = s.age == launch.interval;
        s.stage.step = built + s.age;
        if (is_mover) {
            move_owned(&s, &p, force, &peers, next, step % 2 * PARTICLES * PLACE_PARTS);
            farthest_square = check_moved(&s, &p, lists.pruned, launch.moved2, step, stops, prunes);
        }
        WAIT_FOR_ALL();
        if (LANES > 1)
            p.here = load_held(next, p.index);
        if (stops[step % 2] == step)
            break;
        if (prunes[step % 2] == step && step < steps)
            prune(&lists, next, p.here, launch.short_range2, &s.metric);
    }
    /* without effect if the rate is 0 */
    report_rate(&s, step > 0 && s.is_last ? farthest_square : R(0.0), farthest);
    if (is_mover) {
        store_place(position, p.index, p.here);
        store_vector(velocity, p.index, p.velocity);
    }
    if (step > 0 && lid == 0 && begin == 0) {
        words[WORD_STEP] = built + launch.age + step;
        words[WORD_AGE] = launch.age + step;
    }
}
