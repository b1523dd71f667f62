/* The method "all-pairs": computes the force of every pair in each step. */
#include "gas/methods/allpairs.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "compute/tune.h"
#include "gas/thesis/use.h"

#include <stdio.h>
#include <stdlib.h>

struct allpairs {
    struct shoal_kernel *forces, *energies, *sum, *sum_energies;
    struct allpairs_plan plan;
    /* [splits][padded]: sums over each range of the sources (the particles that exert the forces); NULL:
     * there is one range */
    struct shoal_buffer *force_parts, *energy_parts, *virial_parts;
    struct arrays arrays;
    struct ladder *ladder; /* NULL: the tiled kernel computes the forces */
};

static struct allpairs *allpairs_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct allpairs *allpairs = allpairs_of(solver);
    const struct allpairs_plan *plan = &allpairs->plan;
    const struct entry_kernel kernels[] = {{"gas_allpairs_forces", &allpairs->forces},
                                           {"gas_allpairs_energies", &allpairs->energies},
                                           {"gas_allpairs_sum", &allpairs->sum},
                                           {"gas_allpairs_sum_energies", &allpairs->sum_energies}};
    struct defines defines = {.list = {{"EXACT", plan->exact},
                                       {"FAR", plan->far},
                                       {"MIN_GROUPS", plan->min_groups},
                                       {"NEAR", plan->near},
                                       {"SHARED", plan->shared},
                                       {"TARGETS", plan->targets},
                                       {"TILE", plan->tile},
                                       {"UNROLL", plan->unroll},
                                       {"WG", plan->work_group}},
                              .count = 9};
    define_add(&defines, "RANGED", solver->share.of > 0);
    gas_state_defines(solver, &defines);
    gas_pair_defines(solver, &defines);
    return programs_build(&solver->programs, &gas_allpairs_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

static enum shoal_status allocate(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    struct allpairs *allpairs = solver->method.state;
    const uint32_t splits = allpairs->plan.splits;
    const double places = splits > 1 ? (double)device->padded * splits : 0;
    const size_t wide = device->precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double);
    const struct array list[] = {{&allpairs->force_parts, places, device->velocity_bytes},
                                 {&allpairs->energy_parts, places, wide},
                                 {&allpairs->virial_parts, places, wide}};
    allpairs->arrays.queue = solver->queue;
    ARRAYS_SET(&allpairs->arrays, list);
    return arrays_create(&allpairs->arrays, error);
}

enum shoal_status allpairs_create(struct shoal_solver *solver, const struct allpairs_plan *plan,
                                  struct shoal_error *error)
{
    struct allpairs *allpairs = solver->method.state = calloc(1, sizeof *allpairs);
    if (!allpairs)
        return fail_host_memory(error);
    allpairs->plan = *plan;
    enum shoal_status status = build(solver, error);
    if (!status)
        status = allocate(solver, error);
    return status;
}

/* Replaces the defines of `plan` by tuned values. If the gas fills the device, the values of another class of
 * gases that fills the device are accepted, too. Not for CPUs, whose plan follows from the vector width. */
static void take_tuned(struct shoal_solver *solver, struct allpairs_plan *plan)
{
    static const int64_t groups[] = {32, 64, 128, 256, 512}, targets[] = {1, 2, 4, 8},
                         unrolls[] = {1, 2, 4, 8}, tiles[] = {64, 128, 256, 512};
    const struct {
        const char *name;
        uint32_t *value;
        const int64_t *tries;
        size_t count;
    } tuned[] = {{"WG", &plan->work_group, groups, COUNT(groups)},
                 {"TARGETS", &plan->targets, targets, COUNT(targets)},
                 {"TILE", &plan->tile, tiles, COUNT(tiles)},
                 {"UNROLL", &plan->unroll, unrolls, COUNT(unrolls)},
                 {"MIN_GROUPS", &plan->min_groups, NULL, 0},
                 {"SHARED", &plan->shared, NULL, 0}};
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const bool may_share = plan->shared > 0;
    char class[TUNING_CLASS_SIZE];
    snprintf(class, sizeof class, "dim=%zu potential=%d cut=%d precision=%d particles=4^%u", problem->dim,
             (int)problem->kind, (int)problem->cut, (int)problem->params->precision,
             tuning_power(4, (double)problem->n));
    for (size_t i = 0; i < COUNT(tuned); i++) {
        struct tuning_question question = define_question(&gas_allpairs_program, tuned[i].name, class,
                                                          *tuned[i].value, tuned[i].tries, tuned[i].count);
        question.needs_class = !plan->fills_device;
        *tuned[i].value = (uint32_t)chosen_value(&solver->method.chosen, solver->device, &question);
    }
    plan->shared = !may_share ? 0 : plan->shared > plan->targets ? plan->targets : plan->shared;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const struct gas_ladder *ladder = gas_ladder_of(problem->params);
    struct allpairs_plan plan =
        allpairs_plan_make(problem, device->precision, shoal_device_get_info(solver->device));
    if (!is_plain_cpu(solver->device))
        take_tuned(solver, &plan);
    if (problem->params->work_group && !ladder)
        plan.work_group = (uint32_t)problem->params->work_group;
    enum shoal_status status = allpairs_create(solver, &plan, error);
    if (!status && ladder)
        status = ladder->create(solver, &allpairs_of(solver)->ladder, error);
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct allpairs *allpairs = allpairs_of(solver);
    if (!allpairs)
        return;
    if (allpairs->ladder)
        gas_ladder_of(gas_params(solver))->destroy(&allpairs->ladder);
    arrays_destroy(&allpairs->arrays);
    free(allpairs);
    solver->method.state = NULL;
}

/* Forces ----------------------------------------------------------------------------------------------- */

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    (void)solver;
    (void)error;
    return SHOAL_OK;
}

/* Sizes of the launches that compute the forces on the particles that the solver moves. */
struct sizes {
    uint32_t n, splits, stride;
    /* the targets: begin is the first particle of the work-group that has the first of the particles `own` */
    uint32_t begin, count;
    struct gas_range own;
    double scale;
    size_t groups, sum_groups;
};

static struct sizes sizes_of(const struct shoal_solver *solver)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct gas_problem *problem = &device->problem;
    const struct allpairs *allpairs = solver->method.state;
    /* The work-group size is read from the kernel: it is smaller than planned if the device does not allow
     * the planned size. */
    const uint32_t targets = (uint32_t)shoal_kernel_work_group(allpairs->forces) * allpairs->plan.targets;
    const struct gas_range own = gas_own_range(solver);
    const uint32_t begin = own.begin / targets * targets, count = own.end - begin;
    return (struct sizes){
        .n = (uint32_t)problem->n,
        .splits = allpairs->plan.splits,
        .stride = (uint32_t)device->padded,
        .scale = 1 / problem->params->mass,
        .begin = begin,
        .count = count,
        .own = own,
        .groups = (size_t)((count + targets - 1) / targets) * allpairs->plan.splits,
        .sum_groups = shoal_kernel_groups(allpairs->sum, gas_count(own)),
    };
}

static enum shoal_status sum_forces(struct shoal_solver *solver, const struct sizes *sizes,
                                    struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(solver);
    const struct allpairs *allpairs = solver->method.state;
    return LAUNCH(gas_allpairs_sum, solver->queue, allpairs->sum, sizes->sum_groups, error,
                  .parts = allpairs->force_parts, .acceleration = device->acceleration,
                  .begin = sizes->own.begin, .end = sizes->own.end, .splits = sizes->splits,
                  .stride = sizes->stride, .scale = sizes->scale);
}

static enum shoal_status sum_energies(struct shoal_solver *solver, const struct sizes *sizes,
                                      struct shoal_buffer *parts, struct shoal_buffer *out,
                                      struct shoal_error *error)
{
    const struct allpairs *allpairs = allpairs_of(solver);
    return LAUNCH(gas_allpairs_sum_energies, solver->queue, allpairs->sum_energies, sizes->sum_groups, error,
                  .parts = parts, .out = out, .begin = sizes->own.begin, .end = sizes->own.end,
                  .splits = sizes->splits, .stride = sizes->stride);
}

static enum shoal_status direct_forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(solver);
    const struct allpairs *allpairs = solver->method.state;
    const struct sizes sizes = sizes_of(solver);
    const bool split = allpairs->plan.splits > 1;
    struct shoal_buffer *const force = split ? allpairs->force_parts : device->acceleration;
    const double scale = split ? 1 : sizes.scale;
    enum shoal_status status =
        energies ? LAUNCH(gas_allpairs_energies, solver->queue, allpairs->energies, sizes.groups, error,
                          .position = device->position, .settings = device->settings, .force = force,
                          .energy = split ? allpairs->energy_parts : device->energy,
                          .virial = split ? allpairs->virial_parts : device->virial, .n = sizes.n,
                          .splits = sizes.splits, .stride = sizes.stride, .begin = sizes.begin,
                          .count = sizes.count, .scale = scale)
                 : LAUNCH_EVENT(gas_allpairs_forces, solver->queue, allpairs->forces, sizes.groups,
                                gas_sample_first(&device->samples), error, .position = device->position,
                                .settings = device->settings, .force = force, .n = sizes.n,
                                .splits = sizes.splits, .stride = sizes.stride, .begin = sizes.begin,
                                .count = sizes.count, .scale = scale, .reach = allpairs->plan.reach);
    if (!status && split)
        status = sum_forces(solver, &sizes, error);
    if (!status && split && energies)
        status = sum_energies(solver, &sizes, allpairs->energy_parts, device->energy, error);
    if (!status && split && energies)
        status = sum_energies(solver, &sizes, allpairs->virial_parts, device->virial, error);
    return status;
}

static enum shoal_status forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    const struct ladder *ladder = allpairs_of(solver)->ladder;
    return ladder && !energies ? gas_ladder_of(gas_params(solver))->forces(solver, ladder, error)
                               : direct_forces(solver, energies, error);
}

/* Facts ------------------------------------------------------------------------------------------------ */

static enum shoal_status fits(const struct method *method, const void *gas,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct gas_problem *problem = gas;
    (void)info;
    return problem->n > UINT32_MAX / 4 ? method_lacks(method, "more than 1073741823 particles", error)
                                       : SHOAL_OK;
}

static void timing(const struct shoal_solver *solver, struct shoal_gas_timing *timing)
{
    const struct gas_ladder *ladder = gas_ladder_of(gas_params(solver));
    timing->method = ladder ? ladder->name(gas_params(solver)) : "all-pairs tiled";
}

static double force_tolerance(const struct shoal_solver *solver)
{
    const struct gas_device *device = gas_device_of(solver);
    if (allpairs_of(solver)->ladder)
        return gas_ladder_of(gas_params(solver))->tolerance(&device->problem, device->precision);
    /* Tolerance for sums of n rounded terms at rounded positions. */
    return device->precision == SHOAL_GAS_DOUBLE ? 1e-12 : 1e-5;
}

const struct gas_method gas_allpairs_method = {
    .base = {.name = "allpairs", .fits = fits, .create = create, .destroy = destroy, .begin = begin},
    .forces = forces,
    .timing = timing,
    .force_tolerance = force_tolerance,
};
