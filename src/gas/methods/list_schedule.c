/* Skin of the neighbour list and interval of rebuilds, computed from the gas and from measured
 * displacements, and layout of the launches of steps. */
#include "gas/methods/list.h"
#include "gas/methods/list_run.h"

#include "base/integer.h"
#include "compute/device.h"

#include <math.h>
#include <stdio.h>

enum { FIRST_REVISION = 64, REVISION = 1024 };

double gas_list_skin(const struct gas_problem *problem, const struct shoal_device_info *info)
{
    /* Up to this number of particles, launches take most of the time of steps and rebuilds, so longer lists
     * cost little and save rebuilds. Measured on an H200 at 4096 particles: 154, 184 and 204 thousand steps/s
     * with skins of 0.2, 0.4 and 0.7 cutoffs. */
    enum { FEW_PARTICLES = 16384 };
    const double asked = problem->params->skin, cutoff = problem->pair.cutoff;
    if (!isnan(asked))
        return asked;
    if (problem->dim == 2 && !info->is_cpu && problem->n <= FEW_PARTICLES)
        return 0.7 * cutoff;
    /* In three dimensions the volume of the skin grows faster with its thickness. On GPUs a build is cheaper
     * relative to a step than on CPUs. */
    return (problem->dim == 2 ? 0.3 : info->is_cpu ? 0.15 : 0.18) * cutoff;
}

/* The best skin depends on the cost of a step relative to a rebuild, and on how fast particles cross the
 * skin. crossing: number of steps in which a particle of thermal speed moves by the cutoff. */
void gas_list_class(const struct gas_problem *problem, char class[TUNING_CLASS_SIZE])
{
    const struct shoal_gas_params *params = problem->params;
    const double cutoff = problem->pair.cutoff,
                 thermal = sqrt(gas_hottest(problem) / gas_least_mass(problem));
    snprintf(class, TUNING_CLASS_SIZE,
             "dim=%zu potential=%d precision=%d crossing=4^%u neighbours=2^%u particles=4^%u", problem->dim,
             (int)problem->kind, (int)params->precision, tuning_power(4, cutoff / (thermal * params->dt)),
             tuning_power(2, (double)problem->n / problem->volume * pow(2 * cutoff, (double)problem->dim)),
             tuning_power(4, (double)problem->n));
}

/* The skin of a gas whose steps are made by a cluster of work-groups (gas/methods/list_run.cu). Each step
 * leaves out most pairs in the skin, so lists may last longer. Measured on an H200 at 4096 particles: 315,
 * 326 and 328 thousand steps/s with skins of 0.7, 1.0 and 1.2 cutoffs. */
static double cluster_skin(const struct shoal_solver *solver, double skin)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const bool is_cluster = solver->programs.variant != SHOAL_VARIANT_CL && cluster_groups(info) > 1;
    const bool is_fit = problem->dim == 2 && gas_device_of(solver)->precision == SHOAL_GAS_SINGLE &&
                        problem->n <= GAS_CLUSTER_PARTICLES && !problem->piston.acts &&
                        isnan(problem->params->skin);
    return is_cluster && is_fit && !info->is_cpu ? problem->pair.cutoff : skin;
}

double gas_list_tuned_skin(struct shoal_solver *solver)
{
    /* Skins are tuned in thousandths of the cutoff. The candidates are smaller in three dimensions, where the
     * volume of the skin grows faster with its thickness. */
    enum { UNITS = 1000, LARGEST = 4 * UNITS };
    static const int64_t flat[] = {150, 200, 300, 400, 550, 700, 1000},
                         solid[] = {80, 120, 150, 200, 300, 400};
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const double skin = cluster_skin(solver, gas_list_skin(problem, shoal_device_get_info(solver->device)));
    const bool is_flat = problem->dim == 2;
    char class[TUNING_CLASS_SIZE];
    gas_list_class(problem, class);
    const struct tuning_question question = {.program = gas_list_step_program.name,
                                             .name = "SKIN",
                                             .sizes = class,
                                             .value = llround(UNITS * skin / problem->pair.cutoff),
                                             .min = 1,
                                             .max = LARGEST,
                                             .tries = is_flat ? flat : solid,
                                             .try_count = is_flat ? COUNT(flat) : COUNT(solid)};
    if (!isnan(problem->params->skin))
        return skin;
    return (double)chosen_value(&solver->method.chosen, solver->device, &question) / UNITS *
           problem->pair.cutoff;
}

/* Number of steps in which the fastest of n particles moves by half the skin. Its speed is taken as sqrt(2 ln
 * n) thermal speeds, plus one thermal speed, since speeds may grow. */
uint32_t gas_list_first_interval(const struct gas_problem *problem, double skin)
{
    const struct shoal_gas_params *params = problem->params;
    const double thermal = sqrt(gas_hottest(problem) / gas_least_mass(problem));
    const double fastest = thermal * (1 + sqrt(2 * log((double)problem->n + 1)));
    const double steps = 0.5 * skin / (fastest * params->dt);
    return steps < 1 ? 1 : steps < GAS_LIST_LONGEST_INTERVAL ? (uint32_t)steps : GAS_LIST_LONGEST_INTERVAL;
}

/* rate: largest displacement per step, in units of half the skin. One step is added: after the last step of
 * an interval a displacement may exceed half the skin, since the list is rebuilt before it is used again. */
uint32_t gas_list_next_interval(uint32_t interval, double rate)
{
    const double margin = 0.95, steps = fmin(1 + floor(margin / rate), 2.0 * interval);
    return steps < 1 ? 1 : steps < GAS_LIST_LONGEST_INTERVAL ? (uint32_t)steps : GAS_LIST_LONGEST_INTERVAL;
}

/* The interval is revised at the step numbers that are powers of two, from FIRST_REVISION to REVISION, then
 * at the multiples of REVISION. */
uint64_t gas_list_next_revision(uint64_t steps_done)
{
    uint64_t next = FIRST_REVISION;
    while (next <= steps_done && next < REVISION)
        next *= 2;
    return next > steps_done ? next : (steps_done / REVISION + 1) * REVISION;
}

/* Number of work-items for each particle: more than 1 if a device would otherwise be partly idle. */
static uint32_t choose_lanes(const struct shoal_solver *solver)
{
    const struct gas_problem *problem = &gas_device_of(solver)->problem;
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const double busy = 1024.0 * units_for_sums(info);
    uint32_t lanes = 1;
    if (is_plain_cpu(solver->device))
        return 1;
    while (lanes < 8 && (double)problem->n * lanes < busy)
        lanes *= 2;
    return lanes;
}

/* Minimum number of work-groups on a multiprocessor, which limits the registers of a work-item. In 2D gases,
 * whose lists are short, loads of neighbours have long latencies, which more groups hide. With 10 groups of
 * 128 work-items there are registers for the next entries of the list. On an H200 this gave 20.6 G
 * particle-steps/s at density 0.4; 12 groups without these loads 20.3. In three dimensions more registers are
 * worth more than more groups. */
static int64_t choose_min_groups(const struct shoal_solver *solver)
{
    const struct gas_device *device = gas_device_of(solver);
    return device->problem.dim == 2 && device->precision == SHOAL_GAS_SINGLE ? 10 : 1;
}

/* Adds the defines of the layout, tuned except on CPUs, where a work-item handles a tile of particles.
 * Measured on an H200, loading 4 neighbours at a time is best with CUDA, and 2 with OpenCL. */
void gas_list_add_layout(struct shoal_solver *solver, const struct gas_list *list, struct defines *defines)
{
    static const int64_t groups[] = {32, 64, 128, 256, 512}, lanes[] = {1, 2, 4, 8, 16},
                         unrolls[] = {1, 2, 4, 8}, residents[] = {1, 4, 8, 10, 12, 14, 16};
    const struct tuned_define layout[] = {
        {"LANES", choose_lanes(solver), lanes, COUNT(lanes)},
        {"WG", 128, groups, COUNT(groups)},
        {"UNROLL", is_cuda(solver->device) ? 4 : 2, unrolls, COUNT(unrolls)},
        {"MIN_GROUPS", choose_min_groups(solver), residents, COUNT(residents)}};
    char class[TUNING_CLASS_SIZE];
    gas_list_class(&gas_device_of(solver)->problem, class);
    for (size_t i = 0; list->block && i < COUNT(layout); i++)
        define_add(defines, layout[i].name, 1);
    if (!list->block)
        chosen_defines(&solver->method.chosen, solver->device, &gas_list_step_program, class, layout,
                       COUNT(layout), defines);
}
