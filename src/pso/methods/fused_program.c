/* Contract of cl/pso/methods/fused.cl, and how it is laid over a device. */
#include "base/integer.h"
#include "compute/contract.h"
#include "pso/methods/fused.h"

/* As SCRATCH in the kernel file at its largest, and an index; two words for tickets. */
enum { LOCAL_BYTES_PER_ITEM = FUSED_SHARED_ITEMS * sizeof(double) + sizeof(uint32_t), TICKET_BYTES = 8 };

static const struct shoal_entry_desc entries[] = {
    ENTRY(pso_fused, pso_init, .local_bytes_per_item = LOCAL_BYTES_PER_ITEM,
          .help = "draws the swarm and evaluates it"),
    ENTRY(pso_fused, pso_step, .local_bytes = TICKET_BYTES, .local_bytes_per_item = LOCAL_BYTES_PER_ITEM,
          .help = "one step: moves, evaluates and keeps the best of every particle, group and the swarm"),
    ENTRY(pso_fused, pso_collect, .local_bytes_per_item = sizeof(double) + sizeof(uint32_t),
          .help = "the swarm's best after the last step, with its position"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(pso_fused, AHEAD, 0, 1, "1: coordinates are loaded one turn of the loop ahead"),
    DEFINE(pso_fused, DEPTH, 1, 8, "blocks of random words for which coordinates are loaded at a time"),
    DEFINE(pso_fused, ITEMS, 1, 256, "particles of a work-item, at most 4 unless SLICES is 1"),
    DEFINE(pso_fused, MIN_GROUPS, 1, 16, "CUDA: groups that are to fit a multiprocessor at a time"),
    DEFINE(pso_fused, SLICES, 1, 64, "work-items that share a particle, a power of two"),
    DEFINE(pso_fused, WG, 1, 1024, "work-group size, a power of two"),
    PSO_RULE_DEFINE_DESCS(pso_fused),
};

const struct shoal_program_desc pso_fused_program = PROGRAM("pso.fused", pso_fused, 0, defines, entries);

/* Up to here one group makes the whole step: a launch for each step costs more than the other cores or
 * multiprocessors would save. PoCL needs about 35 us for a launch, and one core 2 ns for a coordinate. */
enum { ONE_GROUP_COORDINATES = 16384, ONE_GROUP_ITEMS = 512 };

/* Work-items that vectorise as the compiler likes cannot be counted on, so on a CPU a group is one work-item
 * with a vector loop over its particles: at least 16, a vector of 512 bits, at most what its first-level
 * cache holds. */
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

/* A particle is shared while the swarm leaves the device half empty (1024 work-items a unit) and each slice
 * keeps a pair of dimensions. Groups are small while there are too few for every unit, but two warps at
 * least. There are as many as could run at a time if the kernel needed few registers: those too many find no
 * tiles. */
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
    /* 48 registers for each work-item where there are many: what the loop over the dimensions needs. */
    plan.min_groups = plan.one_group ? 1 : (uint32_t)clamped(1280 / plan.work_group, 1, 16);
    plan.work_items = (size_t)(2048 * units);
    return plan;
}

struct fused_plan fused_plan_make(const struct shoal_device_info *info, uint64_t particles, uint64_t dim)
{
    uint64_t units = info->units ? info->units : 1;
    return info->is_cpu ? plan_cpu(units, particles, dim) : plan_gpu(units, particles, dim);
}
