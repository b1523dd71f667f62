/* Plans defines and launch sizes of cl/pso/methods/fused.cl for a swarm and a device. */
#include "base/integer.h"
#include "compute/device.h"
#include "pso/methods/fused.h"

/* ONE_GROUP_COORDINATES: size (particles times dim) up to which a single group makes the steps on a CPU. Up
 * to this size a launch for each step would cost more than further cores save: PoCL needs about 35 us for a
 * launch, a core 2 ns for a coordinate. ONE_GROUP_ITEMS: the same limit on a GPU, in work-items. */
enum { ONE_GROUP_COORDINATES = 16384, ONE_GROUP_ITEMS = 512 };

/* Plan for a CPU. A group is one work-item with a vector loop over its particles, since not every compiler
 * vectorises work-items. A group has at least 16 particles, which fill a vector of 512 bits, and at most as
 * many as fit the first-level cache. */
static struct fused_plan plan_cpu(uint64_t units, uint64_t particles, uint64_t dim)
{
    return (struct fused_plan){
        .ahead = 0,
        .depth = 1,
        .groups = 1,
        .items = (uint32_t)clamped(power_of_two_at_least(particles / units), 16, 64),
        .min_groups = 1,
        .slices = 1,
        .work_group = 1,
        .work_items = (size_t)(64 * units),
        .one_group = particles * dim <= ONE_GROUP_COORDINATES,
    };
}

/* Plan for a GPU. Several work-items share a particle as long as the swarm leaves the device three quarters
 * empty (512 work-items for each compute unit) and each work-item has at least two dimensions. If there are
 * too few groups for all units, groups are made smaller, down to two warps. A launch has as many groups as
 * run at the same time if the kernel needs few registers, since further groups would find no tiles left.
 * slices: number of work-items that share a particle; 0: it is chosen here. */
static struct fused_plan plan_gpu(uint64_t units, uint64_t particles, uint64_t dim, uint32_t slices)
{
    struct fused_plan plan = {.ahead = 1, .depth = 1, .groups = 1, .items = 1, .slices = slices ? slices : 1};
    while (!slices && plan.slices < 32 && 2 * plan.slices < dim && particles * plan.slices * 2 <= units * 512)
        plan.slices *= 2;
    uint64_t items = particles * plan.slices;
    plan.one_group = items <= ONE_GROUP_ITEMS;
    plan.fills_device = items >= 4 * 1024 * units;
    plan.work_group = plan.one_group ? (uint32_t)clamped(power_of_two_at_least(items), 64, ONE_GROUP_ITEMS)
                                     : (uint32_t)clamped(power_of_two_at_least(items / units), 64,
                                                         plan.fills_device ? 256 : 512);
    /* The loop over the dimensions needs 48 registers. With this min_groups, 1280 work-items with 48
     * registers each fit a multiprocessor. */
    plan.min_groups = plan.one_group ? 1 : (uint32_t)clamped(1280 / plan.work_group, 1, 16);
    plan.work_items = (size_t)(2048 * units);
    return plan;
}

bool fused_plan_cluster(const struct shoal_device_info *info, const struct fused_size *size,
                        struct fused_plan *plan)
{
    /* Most work-items of a work-group, lanes of a particle, and bytes of coordinates that a work-item holds:
     * four arrays of them take at most half of the registers that so many work-items have. */
    enum { ITEMS = 512, LEAST_ITEMS = 64, LANES = 32, PART_BYTES = 64, WARP = 32, BARRIER_BYTES = 16 };
    const uint32_t groups = cluster_groups(info);
    const uint64_t blocks = (size->dim + size->block - 1) / size->block, room = (uint64_t)ITEMS * groups;
    if (groups < 2 || size->particles > room || size->particles * blocks <= ONE_GROUP_ITEMS)
        return false;
    uint64_t lanes = clamped(power_of_two_at_least(blocks), 1, LANES);
    while (size->particles * lanes > room)
        lanes /= 2;
    const uint64_t depth = (blocks + lanes - 1) / lanes, part = depth * size->block * size->real;
    const uint64_t share = (size->particles * lanes + groups - 1) / groups;
    const uint64_t items = clamped(power_of_two_at_least(share), LEAST_ITEMS, ITEMS);
    /* Local memory: twice the best of each warp and of each work-group, with its position, and a number and a
     * word for each work-item. */
    const uint64_t bests = 2 * (items / WARP + groups) * (lanes * part + 2 * size->real);
    if (part > PART_BYTES ||
        bests + items * (size->real + sizeof(uint32_t)) + BARRIER_BYTES > info->local_mem)
        return false;
    *plan = (struct fused_plan){.ahead = 1,
                                .depth = (uint32_t)depth,
                                .items = 1,
                                .min_groups = 1,
                                .slices = (uint32_t)lanes,
                                .work_group = (uint32_t)items,
                                .groups = groups};
    return true;
}

struct fused_plan fused_plan_make(const struct shoal_device_info *info, const struct fused_size *size)
{
    const uint64_t units = units_for_sums(info);
    struct fused_plan cluster;
    if (info->is_cpu)
        return plan_cpu(units, size->particles, size->dim);
    /* Sums of one launch for each step have the order of those of a cluster. */
    const bool is_like_cluster = fused_plan_cluster(info, size, &cluster);
    return plan_gpu(units, size->particles, size->dim, is_like_cluster ? cluster.slices : 0);
}

bool fused_plan_held(const struct shoal_device_info *info, const struct fused_size *size,
                     struct fused_plan *plan)
{
    /* Work-groups that wait for each other need work-items that progress on their own. A work-item draws two
     * blocks of random words together, since few warps run on a multiprocessor. */
    enum { SINCE = 70, DEPTH = 2, MOST_DIMENSIONS = 4096, ALIGNMENT_BYTES = 64 };
    if (info->is_cpu || info->architecture < SINCE || size->dim > MOST_DIMENSIONS)
        return false;
    struct fused_plan held = fused_plan_make(info, size);
    const uint64_t tile = held.work_group / held.slices, tiles = (size->particles + tile - 1) / tile;
    /* Coordinates, velocities and best positions; and the swarm's best position, a number and a word for each
     * work-item, and a word for each particle. ALIGNMENT_BYTES: each of these five arrays may begin up to 12
     * bytes after the end of another. */
    const uint64_t bytes = (3 * tile + 1) * size->dim * size->real +
                           held.work_group * (size->real + sizeof(uint32_t)) + tile * sizeof(uint32_t) +
                           ALIGNMENT_BYTES;
    if (held.one_group || tiles > info->units || bytes > info->local_mem_max)
        return false;
    held.held = (uint32_t)size->dim;
    held.depth = DEPTH;
    held.min_groups = 1;
    *plan = held;
    return true;
}
