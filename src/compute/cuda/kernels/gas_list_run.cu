/* Native version of gas/list_run.cl: a cluster of GROUPS work-groups (compute capability 9.0 on) instead of one, so that
 * as many multiprocessors share a step.
 *
 * Each group holds all positions. A particle's new one is written to the memory of the groups that have it in a list,
 * and no others: particles are in the order of cells, so that is a group's own and a few next to it. The first ENTRIES
 * entries of a group's lists are in its memory too, since the barrier of a cluster empties the caches.
 */
#include "cuda/prelude.cuh"

#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef ENTRIES
#define ENTRIES 0
#endif

#if GROUPS > 1
#undef reqd_work_group_size
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z)), cluster_dims(GROUPS, 1, 1)
#endif

#include "gas/state.clh"
#include "gas/list.clh"

#define GROUPS_EXCHANGE
#define SHARE_OF_ALL ((PARTICLES + GROUPS - 1) / GROUPS)
#define HELD_BYTES (2 * PARTICLES * PLACE_PARTS * sizeof(PLACE))

extern __shared__ ulonglong2 group_memory[];
extern "C" __constant__ unsigned gas_list_run_dynamic_local = HELD_BYTES + ENTRIES * SHARE_OF_ALL * sizeof(ushort);

#define GROUP_MEMORY                                                                                                   \
    PLACE *held = (PLACE *)group_memory;                                                                               \
    __shared__ uint ends[2];

static ushort *group_entries() { return (ushort *)((char *)group_memory + HELD_BYTES); }

/* Writes a word of 32 or 64 bits to the place in the memory of group `rank` that `own` is in this group's. */
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

#if GROUPS > 1
static void wait_for_all()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
#define WAIT_FOR_ALL() wait_for_all()
#else
#define WAIT_FOR_ALL() __syncthreads()
#endif

#define PLACES const PLACE
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
#define SET_PLACE(held, i, p, receivers) send_place(held, i, p, receivers)

static void end_all(uint *end)
{
    *end = 1;
    for (uint rank = 0; rank < (GROUPS > 1 ? GROUPS : 0); rank++)
        write_to(rank, end, 1u);
}
#define SET_END(ends, parity) end_all((ends) + (parity))

/* The list of a particle: entries in local memory, SHARE_OF_ALL apart, and all of them in global memory. */
struct row {
    const ushort *near;
    const uint *all;
};
static struct row row_of(const uint *list, uint i, uint capacity)
{
    struct row row;
    row.near = group_entries() + i % SHARE_OF_ALL;
    row.all = list + LIST_FIRST(i, capacity);
    return row;
}
#define ROW struct row
#define ROW_OF(list, i, capacity) row_of(list, i, capacity)
#define ROW_ENTRY(row, k) ((k) < ENTRIES ? (row).near[(k) * SHARE_OF_ALL] : (row).all[(k) * LIST_TILE])

/* Copies entries of the group's lists and tells the owners of the particles in them. Returns a bit for each other group
 * that has particles of this one in its lists. */
static uint find_receivers(const uint *list, const uint *counts, uint capacity, uint n)
{
    __shared__ uint asks[GROUPS], asked[GROUPS];
    const uint own = blockIdx.x, begin = own * SHARE_OF_ALL, end = min(n, begin + SHARE_OF_ALL);
    uint receivers = 0, owners = 0;
    if (threadIdx.x < GROUPS)
        asks[threadIdx.x] = asked[threadIdx.x] = 0;
    __syncthreads();
    for (uint i = begin + threadIdx.x; i < end; i += WG)
        for (uint k = 0; k < min(counts[i], capacity); k++) {
            const uint entry = list[LIST_ENTRY(i, k, capacity)];
            if (k < ENTRIES)
                group_entries()[k * SHARE_OF_ALL + i - begin] = (ushort)entry;
            owners |= 1u << entry / SHARE_OF_ALL;
        }
    for (uint rank = 0; rank < GROUPS; rank++)
        if (owners >> rank & 1u)
            asks[rank] = 1;
    WAIT_FOR_ALL();
    if (threadIdx.x < GROUPS && threadIdx.x != own && asks[threadIdx.x])
        write_to(threadIdx.x, asked + own, 1u);
    WAIT_FOR_ALL();
    for (uint rank = 0; rank < GROUPS; rank++)
        receivers |= asked[rank] << rank;
    return receivers;
}
#define FIND_RECEIVERS(list, counts, capacity, n) find_receivers(list, counts, capacity, n)

#include "gas/list_run.cl"
