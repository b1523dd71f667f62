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
        .items = (uint32_t)clamped(power_of_two_at_least(particles / units), 16, 64),
        .min_groups = 1,
        .slices = 1,
        .work_group = 1,
        .work_items = (size_t)(64 * units),
        .one_group = particles * dim <= ONE_GROUP_COORDINATES,
    };
}

/* Plan for a GPU. Several work-items share a particle as long as the swarm leaves the device half empty (1024
 * work-items for each compute unit) and each work-item has at least two dimensions. If there are too few
 * groups for all units, groups are made smaller, down to two warps. A launch has as many groups as run at the
 * same time if the kernel needs few registers, since further groups would find no tiles left. */
static struct fused_plan plan_gpu(uint64_t units, uint64_t particles, uint64_t dim)
{
    struct fused_plan plan = {.ahead = 1, .depth = 1, .items = 1, .slices = 1};
    while (plan.slices < 32 && 2 * plan.slices < dim && particles * plan.slices * 2 <= units * 1024)
        plan.slices *= 2;
    uint64_t items = particles * plan.slices;
    plan.one_group = items <= ONE_GROUP_ITEMS;
    plan.fills_device = items >= 4 * 1024 * units;
    plan.work_group = plan.one_group ? (uint32_t)clamped(power_of_two_at_least(items), 64, ONE_GROUP_ITEMS)
                                     : (uint32_t)clamped(power_of_two_at_least(items / units), 64, 256);
    /* The loop over the dimensions needs 48 registers. With this min_groups, 1280 work-items with 48
     * registers each fit a multiprocessor. */
    plan.min_groups = plan.one_group ? 1 : (uint32_t)clamped(1280 / plan.work_group, 1, 16);
    plan.work_items = (size_t)(2048 * units);
    return plan;
}

struct fused_plan fused_plan_make(const struct shoal_device_info *info, uint64_t particles, uint64_t dim)
{
    uint64_t units = units_for_sums(info);
    return info->is_cpu ? plan_cpu(units, particles, dim) : plan_gpu(units, particles, dim);
}
