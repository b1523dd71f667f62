/* Native version of gas/methods/list_run.cl: the steps are made by a cluster of GROUPS work-groups instead of
 * one work-group, on as many multiprocessors. GROUPS above 1 needs compute capability 9.0.
 *
 * Each work-group holds all positions. The new position of a particle is written only to the memory of those
 * work-groups that have the particle in a list: its own and a few neighbours, since particles are in cell order.
 * All other data that a step reads are in local memory, too, since the barrier of a cluster invalidates the caches:
 * velocities, reference positions, settings, and the first ENTRIES entries of each list.
 *
 * Thousand steps/s with rebuilds, and with launches of single steps (gas/methods/list_step.cl under CUDA) instead,
 * on an H200, for Lennard-Jones disks of density 0.4 in fp32:
 *      256 particles   476, not 230 (2.07x)
 *     1024 particles   386, not 209 (1.85x)
 *     2048 particles   325, not 205 (1.59x)
 *     4096 particles   253, not 186 (1.36x)
 *     8192 particles   174, not 168 (1.03x)
 */
#include "cuda/prelude.cuh"

#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef ENTRIES
#define ENTRIES 1
#endif

#include "cuda/cluster.cuh"
#include "gas/model/state.clh"
#include "gas/methods/list_entry.clh"

#define GROUPS_EXCHANGE
#define SHARE_OF_ALL ((PARTICLES + GROUPS - 1) / GROUPS)

/* Local memory of a work-group. */
struct near {
    PLACE held[2 * PARTICLES * PLACE_PARTS];
    PLACE reference[SHARE_OF_ALL * PLACE_PARTS];
    VECTOR velocity[SHARE_OF_ALL * VECTOR_PARTS];
    real settings[GAS_SETTINGS];
    uint counts[SHARE_OF_ALL];
    ushort entries[ENTRIES * SHARE_OF_ALL];
};

extern __shared__ ulonglong2 group_memory[];
extern "C" __constant__ unsigned gas_list_run_dynamic_local = sizeof(struct near);
static near *group_near() { return (struct near *)group_memory; }

#define GROUP_MEMORY                                                                                                   \
    PLACE *held = group_near()->held;                                                                                  \
    __shared__ uint ends[2];

#if GROUPS > 1
/* Writes a word of 32 or 64 bits to the memory of work-group `rank`, at the address that `own` has in the memory of
 * this work-group. */
static void write_to(uint rank, uint *own, uint value)
{
    asm volatile("{ .reg .u32 there; mapa.shared::cluster.u32 there, %0, %1; st.shared::cluster.u32 [there], %2; }" ::"r"(
                     (uint)__cvta_generic_to_shared(own)),
                 "r"(rank), "r"(value)
                 : "memory");
}

static void write_to(uint rank, ulong *own, ulong value)
{
    asm volatile("{ .reg .u32 there; mapa.shared::cluster.u32 there, %0, %1; st.shared::cluster.u64 [there], %2; }" ::"r"(
                     (uint)__cvta_generic_to_shared(own)),
                 "r"(rank), "l"(value)
                 : "memory");
}
#else
/* With one work-group there is no other one to write to; architectures without clusters lack the instruction. */
template <class T> static void write_to(uint, T *, T) {}
#endif

#define PLACES const PLACE *
#define LOAD_PLACE(position, i) load_held(position, i)

static void send_place(PLACE *held, uint i, struct place p, uint receivers)
{
    for (uint part = 0; part < PLACE_PARTS; part++) {
        PLACE *own = held + PLACE_PARTS * i + part;
        const PLACE value = place_part(p, part);
        *own = value;
        for (uint left = receivers; left != 0; left &= left - 1)
            for (uint k = 0; k < sizeof(PLACE) / sizeof(ulong); k++)
                write_to(__ffs(left) - 1, (ulong *)own + k, ((const ulong *)&value)[k]);
    }
}
#define SET_PLACE(held, i, p) send_place(held, i, p, receivers)

static void end_all(uint *end)
{
    *end = 1;
#if GROUPS > 1
    for (uint rank = 0; rank < GROUPS; rank++)
        write_to(rank, end, 1u);
#endif
}
#define SET_END(ends, parity) end_all((ends) + (parity))

/* The list of a particle. near: its first ENTRIES entries in local memory, at a distance of SHARE_OF_ALL from each
 * other; all: all entries in global memory. */
struct row {
    const ushort *near;
    struct list_row all;
};
#define ROW struct row
#define ROW_OF(row, list, i, capacity, particles)                                                                      \
    row.near = group_near()->entries + (i) % SHARE_OF_ALL;                                                             \
    row.all = list_row(list, i, capacity, particles)
/* With several species an entry in local memory has its species in the highest three of its 16 bits. */
#if SPECIES > 1
#define NEAR_BITS 13
#if PARTICLES > 8192
#error "with several species there are at most 8192 particles"
#endif
static ushort near_of(struct neighbour other) { return (ushort)(other.index | other.kind << NEAR_BITS); }
static struct neighbour near_at(ushort near) { return {near & (1u << NEAR_BITS) - 1u, (uint)near >> NEAR_BITS}; }
#else
static ushort near_of(struct neighbour other) { return (ushort)other.index; }
static struct neighbour near_at(ushort near) { return {near}; }
#endif
#define ROW_AT(row, k)    ((k) < ENTRIES ? near_at((row).near[(k) * SHARE_OF_ALL]) : list_at((row).all, k))

/* Copies the first entries of the work-group's lists to local memory, and tells the work-groups that own particles of
 * these lists to send their positions. Returns a bit for each other work-group whose lists have particles of this
 * work-group. */
static uint find_receivers(const ENTRY *list, const uint *counts, uint capacity, uint n)
{
    __shared__ uint asks[GROUPS], asked[GROUPS];
    const uint own = blockIdx.x, begin = own * SHARE_OF_ALL, end = min(n, begin + SHARE_OF_ALL);
    uint receivers = 0, owners = 0;
    for (uint rank = threadIdx.x; rank < GROUPS; rank += WG)
        asks[rank] = asked[rank] = 0;
    __syncthreads();
    for (uint i = begin + threadIdx.x; i < end; i += WG) {
        const struct list_row row = list_row(list, i, capacity, n);
        for (uint k = 0; k < min(LIST_VALUE(counts[i]), capacity); k++) {
            const struct neighbour other = list_at(row, k);
            if (k < ENTRIES)
                group_near()->entries[k * SHARE_OF_ALL + i - begin] = near_of(other);
            owners |= 1u << other.index / SHARE_OF_ALL;
        }
    }
    for (uint rank = 0; rank < GROUPS; rank++)
        if (owners >> rank & 1u)
            asks[rank] = 1;
    WAIT_FOR_ALL();
    for (uint rank = threadIdx.x; rank < GROUPS; rank += WG)
        if (rank != own && asks[rank])
            write_to(rank, asked + own, 1u);
    WAIT_FOR_ALL();
    for (uint rank = 0; rank < GROUPS; rank++)
        receivers |= asked[rank] << rank;
    return receivers;
}

/* Copies `parts` elements of each of the particles begin .. end - 1 from `all` to `copy`. Returns a pointer to the
 * copy that takes the indices of `all`. */
template <class T> static T *bring(T *copy, const T *all, uint begin, uint end, uint parts)
{
    for (uint i = begin * parts + threadIdx.x; i < end * parts; i += WG)
        copy[i - begin * parts] = all[i];
    return copy - begin * parts;
}

/* The rows of a schedule and the numbers of species follow the settings and do not fit in local memory: with them the
 * settings stay where they are. */
#if SCHEDULE || SPECIES > 1
#define BRING_SETTINGS
#else
#define BRING_SETTINGS settings = bring(near->settings, settings, 0, GAS_SETTINGS, 1);
#endif

#define PREPARE                                                                                                        \
    struct near *const near = group_near();                                                                            \
    VECTOR *const velocities = velocity;                                                                               \
    const uint receivers = find_receivers(list, counts, capacity, n);                                                  \
    velocity = bring(near->velocity, velocity, begin, end, VECTOR_PARTS);                                              \
    reference = bring(near->reference, reference, begin, end, PLACE_PARTS);                                            \
    counts = bring(near->counts, counts, begin, end, 1);                                                               \
    BRING_SETTINGS                                                                                                     \
    __syncthreads();

#define CONCLUDE                                                                                                       \
    for (i = begin * VECTOR_PARTS + lid; i < end * VECTOR_PARTS; i += WG)                                              \
        velocities[i] = velocity[i];

#include "gas/methods/list_run.cl"
