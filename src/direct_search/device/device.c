/* The direct searches on a device: methods, the choice of a method, and the buffers of all methods. */
#include "direct_search/device/device.h"
#include "compute/device.h"
#include "compute/tune.h"
#include "objective/objective.h"

#include <stdio.h>

/* Methods ---------------------------------------------------------------------------------------------- */

static const struct method *const methods[] = {&direct_onchip_method.base, &direct_pipeline_method.base,
                                               NULL};

/* Describes the choice of a method. A tuned method counts for problems whose numbers of points, islands and
 * dimensions have the same powers of two, and whose other values in `sizes` are equal. */
static void set_choice(const struct search_problem *problem, struct method_choice *choice)
{
    const struct direct_rule rule = direct_rule_of(problem);
    *choice = (struct method_choice){
        .methods = methods,
        .problem = problem,
        .asked = rule.method == SHOAL_DIRECT_AUTO ? NULL : direct_method_names[rule.method],
        .program = "direct.method"};
    snprintf(choice->sizes, sizeof choice->sizes,
             "rule=%d points=2^%u islands=2^%u dim=2^%u shape=%d precision=%d", rule.number,
             tuning_power(2, (double)problem->points), tuning_power(2, (double)problem->whole_islands),
             tuning_power(2, (double)problem->dim), (int)problem->info->shape,
             (int)problem->params->precision);
}

static const struct method *method_by_rule(struct shoal_device *device, const struct search_problem *problem)
{
    const struct method *onchip = &direct_onchip_method.base;
    struct shoal_error ignored;
    return onchip->fits(onchip, problem, shoal_device_get_info(device), &ignored)
               ? &direct_pipeline_method.base
               : onchip;
}

/* Plans ------------------------------------------------------------------------------------------------ */

/* Makes the plan. The work-items of a group divide among themselves the coordinates in Nelder-Mead, and the
 * points of a step in the other searches. */
struct direct_plan direct_plan_make(const struct search_problem *problem,
                                    const struct shoal_device_info *info)
{
    enum { FEW = 32, MANY = 128 };
    const size_t real = search_precision(problem) == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    const size_t reals =
        problem->members * (problem->dim + 1) + problem->dim + problem->points * (problem->dim + 1);
    const size_t shared = direct_rule_of(problem).number == NELDER_MEAD ? problem->dim : problem->points;
    size_t items = info->is_cpu ? 1 : power_of_two_at_least(shared);
    if (!info->is_cpu)
        items = items < FEW ? FEW : items > MANY ? MANY : items;
    while (items > info->max_work_group)
        items /= 2;
    const size_t bytes = reals * real + 8;
    struct direct_plan plan = {.in_local = bytes + items * DIRECT_ITEM_BYTES <= info->local_mem,
                               .work_group = (uint32_t)items};
    plan.pool = plan.in_local ? bytes / 8 : 1;
    return plan;
}

void direct_defines(const struct shoal_solver *solver, const struct shoal_program_desc *program,
                    struct defines *defines)
{
    const struct search_problem *problem = &direct_device_of(solver)->problem;
    const struct direct_plan plan = direct_plan_make(problem, shoal_device_get_info(solver->device));
    define_add(defines, "BOX", !problem->same_box);
    define_add(defines, "DIM", (int64_t)problem->dim);
    define_add(defines, "DIRECT_RULE", direct_rule_of(problem).number);
    define_add(defines, "MEMBERS", (int64_t)problem->members);
    define_add(defines, "POINTS", (int64_t)problem->points);
    define_add(defines, "REAL", search_device_of(solver)->precision == SHOAL_FP64 ? 64 : 32);
    define_add(defines, "WG", choose_define(solver->device, program, "WG", plan.work_group).value);
}

/* Buffers ---------------------------------------------------------------------------------------------- */

static void list_arrays(struct shoal_solver *solver)
{
    struct direct_device *device = direct_device_of(solver);
    const struct search_problem *problem = &device->problem;
    struct arrays *own = &device->search.own;
    const size_t real = device->search.real, total = own->items, dim = problem->dim,
                 islands = problem->islands;
    const double places = own->tiles ? (double)(own->all_tiles * own->tile) : (double)problem->total;
    enum { TILES = ARRAY_SAVE | ARRAY_TILED, KEPT = ARRAY_SAVE | ARRAY_ZERO };
    const struct array list[] = {
        {&device->p, places * (double)dim, real, TILES, "p", total * dim},
        {&device->best, places, real, TILES, "best", total},
        {&device->counts, (double)islands * DIRECT_WORDS, sizeof(uint32_t), KEPT, "counts",
         islands * DIRECT_WORDS},
        {&device->numbers, (double)islands * DIRECT_REALS, real, KEPT, "numbers", islands * DIRECT_REALS},
        {&device->extra, (double)islands * (double)dim, real, KEPT, "extra", islands * dim},
        {&device->start, (double)problem->start_count * (double)dim, real},
    };
    ARRAYS_SET(own, list);
}

_Static_assert((int)SET_OWN == (int)SET_LENGTH, "place of the setting of the algorithm");

static void fill_settings(const struct search_problem *problem, double *settings)
{
    settings[SET_LENGTH] = direct_rule_of(problem).length;
}

enum shoal_status direct_write_start(struct shoal_solver *solver, struct shoal_error *error)
{
    struct direct_device *device = direct_device_of(solver);
    const struct search_problem *problem = &device->problem;
    enum shoal_status status = SHOAL_OK;
    if (problem->start_count && !device->is_written)
        status = search_device_write_reals(solver, device->start, problem->start,
                                           problem->start_count * problem->dim, error);
    device->is_written = !status;
    return status;
}

const struct search_device_ops direct_search_device_functions = {.size = sizeof(struct direct_device),
                                                                 .problem =
                                                                     offsetof(struct direct_device, problem),
                                                                 .set_choice = set_choice,
                                                                 .method_by_rule = method_by_rule,
                                                                 .list_arrays = list_arrays,
                                                                 .members = "p",
                                                                 .fill_settings = fill_settings};

/* Solver ----------------------------------------------------------------------------------------------- */

static size_t state_count(const struct shoal_solver *solver)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    return problem->total * problem->dim;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    return search_device_read_own(solver, "p", values, error);
}

const struct shoal_solver_ops direct_search_device_solver = {
    SEARCH_DEVICE_SOLVER,
    .what = "members",
    .state_count = state_count,
    .get_state = get_state,
};
