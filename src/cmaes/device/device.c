/* CMA-ES on a device: methods, the choice of a method, and the buffers of all methods. */
#include "cmaes/device/device.h"
#include "base/error.h"
#include "compute/device.h"
#include "compute/tune.h"
#include "search/space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Methods ---------------------------------------------------------------------------------------------- */

static const struct method *const methods[] = {&cmaes_onchip_method.base, &cmaes_pipeline_method.base, NULL};

/* Describes the choice of a method. A tuned method counts for problems whose numbers of points, runs and
 * dimensions have the same powers of two, and whose other values in `sizes` are equal. */
static void set_choice(const struct search_problem *search, struct method_choice *choice)
{
    const struct cmaes_problem *problem = (const struct cmaes_problem *)search;
    const int32_t asked = problem->params->method;
    *choice = (struct method_choice){.methods = methods,
                                     .problem = problem,
                                     .asked = asked == SHOAL_CMAES_AUTO ? NULL : cmaes_method_names[asked],
                                     .program = "cmaes.method"};
    snprintf(choice->sizes, sizeof choice->sizes,
             "population=2^%u runs=2^%u dim=2^%u shape=%d precision=%d form=%d",
             tuning_power(2, (double)search->members), tuning_power(2, (double)search->whole_islands),
             tuning_power(2, (double)search->dim), (int)search->info->shape, (int)search_precision(search),
             (int)problem->params->form);
}

static const struct method *method_by_rule(struct shoal_device *device, const struct search_problem *problem)
{
    const struct method *onchip = &cmaes_onchip_method.base;
    struct shoal_error ignored;
    return onchip->fits(onchip, problem, shoal_device_get_info(device), &ignored)
               ? &cmaes_pipeline_method.base
               : onchip;
}

/* Plans ------------------------------------------------------------------------------------------------ */

/* FEW_ITEMS: least number of work-items of a group; larger groups have multiples of this number. MOST_GROUPS:
 * most groups that a multiprocessor is asked to hold at the same time. */
enum { FEW_ITEMS = 32, MOST_GROUPS = 16 };

/* ITEMS: number of work-items where there are many groups. MOST_ITEMS: most that still have enough
 * registers. */
enum { ITEMS = 64, MOST_ITEMS = 256 };

/* Number of work-items of a group that also computes the values of its points: one for each four coordinates
 * of a step, which a work-item draws together, and for which it multiplies rows of a matrix together. */
static uint32_t items_of_team(const struct search_problem *search, const struct shoal_device_info *info)
{
    const size_t fours = search->members * ((search->dim + 3) / 4);
    size_t items = (fours + FEW_ITEMS - 1) / FEW_ITEMS * FEW_ITEMS;
    items = items < ITEMS ? ITEMS : items > MOST_ITEMS ? MOST_ITEMS : items;
    const uint32_t most = info->max_work_group / FEW_ITEMS * FEW_ITEMS;
    return most < FEW_ITEMS ? FEW_ITEMS : items > most ? most : (uint32_t)items;
}

/* Number of work-items of a group on a GPU. If there are few groups, most of the device is idle, and the time
 * of a step is the time of a group's chain of dependent operations: then a group has more work-items, if a
 * step has enough numbers for them. With several groups for each compute unit, a step of few numbers is
 * faster with 64 work-items than with 128. */
static uint32_t items_of_group(const struct search_problem *search, const struct shoal_device_info *info,
                               bool by_team)
{
    static const struct {
        size_t groups;  /* most groups for each compute unit */
        size_t numbers; /* least numbers in the points of a step */
        uint32_t items;
    } sizes[] = {{1, 8192, 256}, {1, 512, 128}, {4, 2048, 128}};
    enum { FEW_DIMENSIONS = 8 };
    if (search->dim < FEW_DIMENSIONS)
        return FEW_ITEMS;
    if (by_team && search->islands <= 4 * (size_t)info->units)
        return items_of_team(search, info);
    size_t i = 0;
    while (i < COUNT(sizes) && (sizes[i].items > info->max_work_group ||
                                search->islands > sizes[i].groups * (size_t)info->units ||
                                search->members * search->dim < sizes[i].numbers))
        i++;
    return i < COUNT(sizes) ? sizes[i].items : ITEMS;
}

/* Numbers that the vectors of all parts of a generation have, for all runs; 0: generations have one part. */
static double numbers_of_parts(const struct cmaes_problem *problem)
{
    const struct search_problem *search = &problem->search;
    const bool has_parts = problem->params->restarts != SHOAL_CMAES_NONE && problem->params->doublings > 0;
    return has_parts ? 2 * (double)search->runs * (double)cmaes_most_points(problem) * (double)search->dim
                     : 0;
}

struct cmaes_plan cmaes_plan_make(const struct cmaes_problem *problem, const struct shoal_device_info *info)
{
    const struct search_problem *search = &problem->search;
    const size_t real = search_precision(search) == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t own = cmaes_numbers(problem) + 2 * search->members * search->dim;
    /* Local memory has the numbers of a population, the normal vectors and steps of its points, and in
     * addition what all work-items compute for their values. */
    const size_t team = search->members * (3 * search->dim + 1);
    const bool by_team = search->objective->by_team && (own + team) * real <= info->local_mem;
    const size_t shared = by_team ? team : search->objective->is_rotated ? search->members * search->dim : 0;
    const size_t bytes = (own + shared) * real;
    /* Several searches must fit the memory. */
    const double memory = fmin((double)info->memory / 16, (double)(UINT64_C(1) << 32));
    const double parts = numbers_of_parts(problem) * (double)real;
    struct cmaes_plan plan = {.in_local = bytes <= info->local_mem,
                              .by_team = by_team,
                              .keeps = parts > 0 && parts <= memory && parts <= (double)info->max_allocation,
                              .work_group = info->is_cpu ? 1 : items_of_group(search, info, by_team)};
    plan.pool = plan.in_local ? (bytes + 7) / 8 : 1;
    plan.groups = info->units ? (search->islands + info->units - 1) / info->units : 1;
    /* Searches of several instances, such as those of the suite BBOB, run beside others. */
    if (search->objective->instances)
        plan.groups = MOST_GROUPS;
    if (plan.work_group > info->max_work_group)
        plan.work_group = info->max_work_group < FEW_ITEMS ? info->max_work_group : FEW_ITEMS;
    return plan;
}

/* The least of MOST_GROUPS, plan->groups, the groups for whose work-items 64 Ki registers are enough, and the
 * groups that fit 227 KiB of local memory, of which each group takes 1 KiB in addition to the pool. */
uint32_t cmaes_min_groups(const struct cmaes_plan *plan, uint32_t work_group)
{
    enum { REGISTERS = 1 << 16, LEAST_REGISTERS = 128, LOCAL = 227 << 10, KEPT = 1 << 10 };
    const size_t limits[] = {plan->groups, REGISTERS / (LEAST_REGISTERS * (size_t)work_group),
                             LOCAL / (plan->pool * sizeof(uint64_t) + KEPT)};
    size_t groups = MOST_GROUPS;
    for (size_t i = 0; i < COUNT(limits); i++)
        groups = limits[i] < groups ? limits[i] : groups;
    return groups < 1 ? 1 : (uint32_t)groups;
}

uint32_t cmaes_work_group(const struct shoal_solver *solver, const struct shoal_program_desc *program)
{
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    int64_t tuned = 0;
    const bool is_tuned = tuning_get_define(solver->device, program, "WG", &tuned) &&
                          tuned <= (int64_t)info->max_work_group &&
                          (tuned < FEW_ITEMS || tuned % FEW_ITEMS == 0);
    return is_tuned ? (uint32_t)tuned : cmaes_plan_make(&cmaes_device_of(solver)->problem, info).work_group;
}

enum shoal_status cmaes_check_device(const struct cmaes_problem *problem, struct shoal_error *error)
{
    if (problem->params->form == SHOAL_CMAES_LIMITED)
        return fail(error, SHOAL_INVALID,
                    "--form limited is for the host: use --device host, or --form separable");
    if (problem->params->constraint_rule == SHOAL_CMAES_LAGRANGIAN && problem->search.constrained)
        return fail(
            error, SHOAL_INVALID,
            "--constraint-rule lagrangian is for the host: use --device host, or --constraint-rule deb");
    return SHOAL_OK;
}

void cmaes_defines(const struct shoal_solver *solver, uint32_t work_group, struct defines *defines)
{
    const struct cmaes_device *device = cmaes_device_of(solver);
    const struct cmaes_problem *problem = &device->problem;
    const struct cmaes_plan plan = cmaes_plan_make(problem, shoal_device_get_info(solver->device));
    define_add(defines, "BOX", search_box_define(&problem->search));
    define_add(defines, "CMA_KEEPS", plan.keeps);
    define_add(defines, "DIM", (int64_t)problem->search.dim);
    define_add(defines, "FORM", problem->params->form);
    define_add(defines, "LAMBDA", (int64_t)problem->search.members);
    define_add(defines, "MOST", (int64_t)problem->params->doublings);
    define_add(defines, "REAL", device->search.precision == SHOAL_FP64 ? 64 : 32);
    define_add(defines, "RESTARTS", problem->params->restarts);
    define_add(defines, "RING", (int64_t)problem->ring);
    define_add(defines, "WG", work_group);
}

/* Buffers ---------------------------------------------------------------------------------------------- */

static void list_arrays(struct shoal_solver *solver)
{
    struct cmaes_device *device = cmaes_device_of(solver);
    const struct cmaes_problem *problem = &device->problem;
    const struct search_problem *search = &problem->search;
    const struct cmaes_plan plan = cmaes_plan_make(problem, shoal_device_get_info(solver->device));
    const struct arrays *own = &device->search.own;
    const size_t real = device->search.real, runs = search->runs, dim = search->dim, total = own->items;
    const double places = own->tiles ? (double)(own->all_tiles * own->tile) : (double)search->total;
    const size_t numbers = runs * cmaes_numbers(problem), kept = runs * cmaes_kept(problem),
                 values = runs * cmaes_most_points(problem);
    const bool is_pipeline = solver->method.method == &cmaes_pipeline_method.base;
    const double points = plan.in_local && !is_pipeline ? 0 : 2 * (double)search->total * (double)dim;
    enum { TILES = ARRAY_SAVE | ARRAY_TILED, KEPT = ARRAY_SAVE | ARRAY_ZERO };
    const struct array list[] = {
        {&device->x, places * (double)dim, real, TILES, "x", total * dim},
        {&device->best, places, real, TILES, "best", total},
        {&device->counts, (double)runs * CMA_WORDS, sizeof(uint32_t), KEPT, "counts", runs * CMA_WORDS},
        {&device->scalars, (double)runs * CMA_SCALARS, real, KEPT, "scalars", runs * CMA_SCALARS},
        {&device->numbers, (double)runs * (double)cmaes_numbers(problem), real, KEPT, "numbers", numbers},
        {&device->kept, (double)kept, real, KEPT, "history", kept},
        {&device->values, (double)runs * (double)cmaes_most_points(problem), real, KEPT, "values", values},
        {&device->weights, (double)runs * (double)cmaes_most_points(problem), real},
        {&device->points, points, real},
        {&device->parts, plan.keeps ? numbers_of_parts(problem) : 0, real},
        {&device->constants, (double)cmaes_constants(problem), real},
        {&device->start, (double)search->start_count * (double)dim, real},
    };
    ARRAYS_SET(&device->search.own, list);
}

static void fill_settings(const struct search_problem *search, double *settings)
{
    settings[SET_SIGMA] = ((const struct cmaes_problem *)search)->params->sigma;
}

enum shoal_status cmaes_write_tables(struct shoal_solver *solver, struct shoal_error *error)
{
    struct cmaes_device *device = cmaes_device_of(solver);
    const struct cmaes_problem *problem = &device->problem;
    const size_t start = problem->search.start_count * problem->search.dim;
    if (device->is_written)
        return SHOAL_OK;
    double *points = malloc((start ? start : 1) * sizeof *points);
    if (!points)
        return fail_host_memory(error);
    enum shoal_status status = search_device_write_reals(solver, device->constants, problem->constants,
                                                         cmaes_constants(problem), error);
    cmaes_fill_start(problem, points);
    if (!status && start)
        status = search_device_write_reals(solver, device->start, points, start, error);
    free(points);
    device->is_written = !status;
    return status;
}

enum shoal_status cmaes_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                             struct shoal_error *error)
{
    (void)checkpoint;
    (void)error;
    cmaes_device_of(solver)->has_lost = true;
    return SHOAL_OK;
}

const struct search_device_ops cmaes_device_functions = {.size = sizeof(struct cmaes_device),
                                                         .problem = offsetof(struct cmaes_device, problem),
                                                         .set_choice = set_choice,
                                                         .method_by_rule = method_by_rule,
                                                         .list_arrays = list_arrays,
                                                         .members = "x",
                                                         .fill_settings = fill_settings,
                                                         .guide = cmaes_device_guide};

/* Solver ----------------------------------------------------------------------------------------------- */

static size_t state_count(const struct shoal_solver *solver)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    return problem->total * problem->dim;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    return search_device_read_own(solver, "x", values, error);
}

const struct shoal_solver_ops cmaes_device_solver = {
    SEARCH_DEVICE_SOLVER,
    .what = "points",
    .state_count = state_count,
    .get_state = get_state,
};
