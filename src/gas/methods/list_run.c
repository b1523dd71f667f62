/* Many steps of the neighbour list method in one launch. */
#include "gas/methods/list_run.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "gas/methods/list.h"

#include <math.h>
#include <stdlib.h>

enum {
    /* Most particles for which a launch of many steps is faster than launches of single steps, as measured on
     * an H200: docs/gas-tuning.md. GROUP_PARTICLES: in one work-group; GAS_CLUSTER_PARTICLES: in a cluster
     * of work-groups. */
    GROUP_PARTICLES = 256,
    LEAST_SHARE = 32, /* least number of particles for each group of a cluster */
    /* most work-items of a group in a cluster, unless the particles of the group need more */
    CLUSTER_ITEMS = 256,
    /* least number of lanes (work-items for each particle) in a cluster with sums in fp64, if a group has
     * room for them; see lanes_in_double */
    WIDE_LANES = 2,
    MOST_ITEMS = 1024, /* most work-items of a group */
    MOST_LANES = 8,    /* most work-items for each particle */
    LOCAL_UNIT = 8,    /* bytes in a unit of -D LOCAL */
    /* Entries of its list that a native work-item loads at a time, and entries of its short list that fill up
     * the last loads. */
    AT_A_TIME = 8,
    SPARE_ENTRIES = 12,
    /* Local memory of a native group that is left for other uses than the particles: more than the kernel
     * declares, but for `scratch`, which is not used where warps exchange values. */
    NATIVE_RESERVE = 12288
};

struct gas_list_run {
    struct shoal_kernel *kernel;
    uint32_t groups;
};

/* How the particles of a gas are divided among the groups of a cluster. particles: number of particles,
 * rounded up to a multiple of the groups. */
struct plan {
    uint32_t groups, lanes, work_group, particles;
    uint32_t entries; /* number of entries of each work-item's short list in local memory */
    bool has_wide;    /* these entries have 32 bits, not 16 */
    uint32_t local;   /* declared local memory, in units of LOCAL_UNIT */
};

static uint32_t power_of_two(size_t at_least, uint32_t most)
{
    return (uint32_t)power_of_two_at_least(clamped(at_least, 1, most));
}

/* Returns the value of `name` tuned for this class of gases, or else `value`. */
static uint32_t choose(struct shoal_solver *solver, const char *name, uint32_t value, const int64_t *tries,
                       size_t try_count)
{
    char class[TUNING_CLASS_SIZE];
    gas_list_class(&gas_device_of(solver)->problem, class);
    struct tuning_question question =
        define_question(&gas_list_run_program, name, class, value, tries, try_count);
    if (question.min > question.max) { /* `name` is not a define of the program */
        question.min = 0;
        question.max = UINT32_MAX;
    }
    return (uint32_t)chosen_value(&solver->method.chosen, solver->device, &question);
}

/* Skin of the short lists. With a smaller one they would have fewer pairs, but be made more often. On an H200
 * with 4096 particles 0.25 cutoff was best. */
static double short_skin(const struct gas_problem *problem, const struct gas_neighbours *neighbours)
{
    return fmin(0.25 * problem->pair.cutoff, neighbours->skin);
}

/* Whether the places that kernels put half a box from particles, or half the range of fixed-point
 * coordinates, are at least 1.25 cutoffs away, as wide entries ask for. A periodic box has at least two
 * cutoffs along each axis, whatever its length becomes. */
static bool has_far_places(const struct gas_problem *problem)
{
    const double cutoff = problem->pair.cutoff;
    double square = 0;
    for (size_t k = 0; k < problem->dim; k++) {
        const double away =
            problem->boundary[k] == SHOAL_GAS_PERIODIC ? cutoff : fmin(0.5 * problem->length[k], cutoff);
        square += away * away;
    }
    return square > 1.25 * 1.25 * cutoff * cutoff;
}

/* Number of entries of a short list for which a group has room. held: bytes of positions that it holds. */
static size_t entries_that_fit(const struct gas_device *device, size_t room, size_t held, bool has_wide,
                               const struct plan *plan)
{
    const size_t share = plan->particles / plan->groups;
    /* A row has an entry of each work-item. */
    const size_t row = plan->work_group * (has_wide ? sizeof(uint32_t) : sizeof(uint16_t));
    /* Wide entries need two more places for each work-item. */
    const size_t places = has_wide ? 2 * plan->work_group * device->position_bytes : 0;
    const size_t taken = held + places + share * sizeof(uint32_t) + SPARE_ENTRIES * row + NATIVE_RESERVE;
    return taken < room ? (room - taken) / row : 0;
}

/* Whether a native plan whose groups hold `held` bytes of positions fits with its lanes; then it gets its
 * work-group and entries. Each particle needs a work-item of its own. Wide entries fit if there is room for
 * as many as short lists have, with a quarter more. items: most work-items of a group. */
static bool fits_with(const struct gas_device *device, size_t room, const struct gas_neighbours *neighbours,
                      uint32_t items, size_t held, bool has_wide, struct plan *plan)
{
    const struct gas_problem *problem = &device->problem;
    const double cutoff = problem->pair.cutoff,
                 part = pow((cutoff + short_skin(problem, neighbours)) / (cutoff + neighbours->skin),
                            (double)problem->dim);
    const size_t share = plan->particles / plan->groups,
                 most = div_up(neighbours->capacity, plan->lanes) + AT_A_TIME,
                 wanted = (size_t)fmin((double)most, 1.25 * part * (double)most + AT_A_TIME);
    plan->has_wide = has_wide;
    plan->work_group = power_of_two(share * plan->lanes, items);
    const size_t fit = entries_that_fit(device, room, held, has_wide, plan);
    plan->entries = (uint32_t)(most < fit ? most : fit);
    return share * plan->lanes <= plan->work_group && fit >= (has_wide ? wanted : AT_A_TIME) &&
           (!has_wide || has_far_places(problem));
}

/* Chooses the work-group and the entries of a native plan. A plan with more lanes than fit gets fewer.
 * Returns false if it does not fit with one lane. */
static bool fit_native(const struct gas_device *device, size_t room, const struct gas_neighbours *neighbours,
                       uint32_t items, size_t held, struct plan *plan)
{
    for (; plan->lanes > 0; plan->lanes /= 2)
        if (fits_with(device, room, neighbours, items, held, true, plan) ||
            fits_with(device, room, neighbours, items, held, false, plan))
            return true;
    return false;
}

/* Lanes of a cluster with sums in fp64: wide entries gain more than lanes, so these are the most with which
 * wide entries fit. 4096 particles on an H200 made 142 thousand steps/s with one lane; with two, for which
 * entries were narrow, 103 thousand in an earlier kernel. */
static uint32_t lanes_in_double(const struct gas_device *device, size_t room,
                                const struct gas_neighbours *neighbours, uint32_t items, size_t held,
                                struct plan plan)
{
    const uint32_t lanes = plan.lanes;
    for (; plan.lanes > 0; plan.lanes /= 2)
        if (fits_with(device, room, neighbours, items, held, true, &plan))
            return plan.lanes;
    return lanes;
}

/* Plans a cluster of at most `most_groups` groups. Returns false if launches are to make single steps: the
 * gas does not fit into local memory, or is so large that single steps are as fast, or a piston moves between
 * steps, or the device is a CPU, whose groups have one work-item. */
static bool make_plan(struct shoal_solver *solver, const struct gas_neighbours *neighbours,
                      uint32_t most_groups, struct plan *plan)
{
    /* Candidates for tuning. sizes: for the largest number of particles with many steps in a launch; 0: none.
     * counts: for the number of groups, powers of two up to MOST_GROUPS; all but the last also for the number
     * of lanes. */
    static const int64_t sizes[] = {0, GAS_CLUSTER_PARTICLES}, counts[] = {1, 2, 4, 8, 16};
    const struct gas_device *device = gas_device_of(solver);
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const size_t n = device->problem.n, held = 2 * device->position_bytes;
    const bool is_native = solver->programs.variant != SHOAL_VARIANT_CL && info->architecture > 0;
    const bool is_wide = device->precision != SHOAL_GAS_SINGLE;
    const uint32_t most_of_device = cluster_groups(info);
    const bool is_cluster = is_native && most_of_device > 1;
    const uint32_t most = is_cluster ? GAS_CLUSTER_PARTICLES : GROUP_PARTICLES;
    if (is_plain_cpu(solver->device) || device->problem.piston.acts ||
        n > choose(solver, "particles", most, sizes, n <= GAS_CLUSTER_PARTICLES ? COUNT(sizes) : 0))
        return false;
    *plan = (struct plan){.groups = 1, .entries = AT_A_TIME};
    if (is_cluster)
        plan->groups = choose(solver, "GROUPS", power_of_two(n / LEAST_SHARE, most_of_device), counts,
                              COUNT(counts) - (most_of_device < counts[COUNT(counts) - 1]));
    const bool is_narrower = plan->groups > most_groups;
    if (is_narrower)
        plan->groups = most_groups;
    const uint32_t share = div_up(n, plan->groups);
    const uint32_t items = info->max_work_group < MOST_ITEMS ? info->max_work_group : MOST_ITEMS;
    const uint32_t wanted = is_cluster && CLUSTER_ITEMS < items ? CLUSTER_ITEMS : items;
    plan->lanes = is_cluster && is_wide && WIDE_LANES * share <= items ? WIDE_LANES : 1;
    while (plan->lanes < MOST_LANES && 2 * plan->lanes * share <= wanted)
        plan->lanes *= 2;
    plan->particles = share * plan->groups;
    const size_t bytes = plan->particles * held;
    if (plan->groups > 1 && device->precision == SHOAL_GAS_DOUBLE)
        plan->lanes = lanes_in_double(device, info->local_mem_max, neighbours, items, bytes, *plan);
    /* Lanes are tuned for a cluster of plan->groups groups, not for one of fewer groups. */
    if (!is_narrower)
        plan->lanes = choose(solver, "LANES", plan->lanes, counts, COUNT(counts) - 1);
    plan->work_group = power_of_two((size_t)share * plan->lanes, items);
    if (!is_native) {
        plan->local = div_up(bytes, LOCAL_UNIT);
        return bytes + plan->work_group * (sizeof(float) + sizeof(double)) + LOCAL_UNIT <= info->local_mem;
    }
    return fit_native(device, info->local_mem_max, neighbours, items, bytes, plan);
}

static enum shoal_status build(struct shoal_solver *solver, const struct plan *plan,
                               const struct gas_neighbours *neighbours, struct gas_list_run *run,
                               struct shoal_error *error)
{
    const struct entry_kernel kernel = {"gas_list_run", &run->kernel};
    struct defines defines = {.list = {{"ENTRIES", plan->entries},
                                       {"WINDOW_BITS", neighbours->window_bits},
                                       {"GROUPS", plan->groups},
                                       {"LANES", plan->lanes},
                                       {"LIST_TILE", neighbours->tile},
                                       {"LOCAL", plan->local},
                                       {"PARTICLES", plan->particles},
                                       {"WG", plan->work_group},
                                       {"WIDE_ENTRIES", plan->has_wide}},
                              .count = 9};
    gas_state_defines(solver, &defines);
    gas_pair_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    return programs_build(&solver->programs, &gas_list_run_program, &defines, &kernel, 1, NULL, error);
}

enum shoal_status gas_list_run_create(struct shoal_solver *solver, const struct gas_neighbours *neighbours,
                                      struct gas_list_run **out, struct shoal_error *error)
{
    struct plan plan;
    *out = NULL;
    /* The widest cluster may not fit on a partition of a GPU, which has fewer units. */
    for (uint32_t most = UINT32_MAX; most > 0; most = plan.groups / 2) {
        if (!make_plan(solver, neighbours, most, &plan))
            return SHOAL_OK;
        struct gas_list_run *run = calloc(1, sizeof *run);
        if (!run)
            return fail_host_memory(error);
        run->groups = plan.groups;
        enum shoal_status status = build(solver, &plan, neighbours, run, error);
        if (!status && shoal_kernel_resident(run->kernel) > 0) {
            *out = run;
            return SHOAL_OK;
        }
        free(run);
        if (status)
            return status;
        programs_drop_newest(&solver->programs);
    }
    return SHOAL_OK;
}

/* Sets the range of short lists. margin: relative, more than the rounding of squares. */
static void set_short(const struct gas_problem *problem, const struct gas_neighbours *neighbours,
                      struct gas_list_launch *launch)
{
    static const double margin = 1e-5;
    const double cutoff = problem->pair.cutoff, skin = short_skin(problem, neighbours);
    launch->short_range2 = (float)((cutoff + skin) * (cutoff + skin) * (1 + margin));
    launch->moved2 = (float)(0.25 * skin * skin * (1 - margin));
}

enum shoal_status gas_list_run_launch(struct shoal_solver *solver, const struct gas_list_run *run,
                                      const struct gas_neighbours *neighbours,
                                      const struct gas_list_launch *launch, struct shoal_event **event,
                                      struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    struct gas_list_launch with_short = *launch;
    set_short(&device->problem, neighbours, &with_short);
    return LAUNCH_EVENT(gas_list_run, solver->queue, run->kernel, run->groups, event, error,
                        .position = device->position, GAS_LIST_ARGS(device, neighbours),
                        .launch = &with_short);
}
