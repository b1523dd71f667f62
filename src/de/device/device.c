/* Differential evolution on a device: methods, the choice of a method, and the buffers of all methods. */
#include "compute/device.h"
#include "compute/tune.h"
#include "de/device/device.h"
#include "objective/objective.h"

#include <stdio.h>
#include <string.h>

static const struct method *const methods[] = {&de_onchip_method.base, &de_pipeline_method.base, NULL};

/* Describes the choice of a method. A tuned method counts for problems whose numbers of members, islands and
 * dimensions have the same powers of two, and whose other values in `sizes` are equal. */
static void set_choice(const struct search_problem *search, struct method_choice *choice)
{
    const struct de_problem *problem = (const struct de_problem *)search;
    const struct shoal_de_params *params = problem->params;
    *choice = (struct method_choice){
        .methods = methods,
        .problem = problem,
        .asked = params->method == SHOAL_DE_AUTO ? NULL : de_method_names[params->method],
        .program = "de.method"};
    snprintf(choice->sizes, sizeof choice->sizes,
             "population=2^%u islands=2^%u dim=2^%u shape=%d precision=%d adaptation=%d strategy=%d",
             tuning_power(2, (double)search->members), tuning_power(2, (double)search->whole_islands),
             tuning_power(2, (double)search->dim), (int)search->info->shape, (int)search_precision(search),
             (int)params->adaptation, (int)params->strategy);
}

/* Chooses onchip, which makes many steps in a launch, if it fits. On a CPU with fewer islands than cores,
 * larger islands are faster with pipeline, which uses all cores. */
static const struct method *method_by_rule(struct shoal_device *device, const struct search_problem *problem)
{
    enum { SMALL_COORDINATES = 16384 };
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const struct method *onchip = &de_onchip_method.base;
    struct shoal_error ignored;
    const bool spreads = info->is_cpu && problem->whole_islands < units_for_sums(info) &&
                         problem->members * problem->dim > SMALL_COORDINATES;
    return spreads || onchip->fits(onchip, problem, info, &ignored) ? &de_pipeline_method.base : onchip;
}

static void list_arrays(struct shoal_solver *solver)
{
    struct de_device *device = de_device_of(solver);
    const struct de_problem *problem = &device->problem;
    const struct arrays *own = &device->search.own;
    const size_t real = device->search.real, total = own->items, dim = problem->search.dim,
                 islands = problem->search.islands;
    const double places = own->tiles ? (double)(own->all_tiles * own->tile) : (double)problem->search.total;
    const size_t archived = islands * problem->slots * dim, cells = 2 * islands * problem->cells;
    const double owned = problem->has_own ? places : 0;
    const size_t levels = problem->level_steps ? islands * DE_LEVEL_REALS : 0;
    enum { TILES = ARRAY_SAVE | ARRAY_TILED };
    const struct array list[] = {
        {&device->x, places * (double)dim, real, TILES, "x", total * dim},
        {&device->best, places, real, TILES, "best", total},
        {&device->archive, (double)archived, real, ARRAY_SAVE | ARRAY_ZERO, "archive", archived},
        {&device->memory, (double)cells, real, ARRAY_SAVE, "memory", cells},
        {&device->counts, (double)(islands * DE_COUNTS), sizeof(uint32_t), ARRAY_SAVE | ARRAY_ZERO, "counts",
         islands * DE_COUNTS},
        {&device->own_scale, owned, real, TILES, "own scale", problem->has_own ? total : 0},
        {&device->own_rate, owned, real, TILES, "own rate", problem->has_own ? total : 0},
        {&device->levels, (double)levels, real, ARRAY_SAVE | ARRAY_ZERO, "level", levels},
    };
    ARRAYS_SET(&device->search.own, list);
}

const struct search_device_ops de_device_functions = {.size = sizeof(struct de_device),
                                                      .problem = offsetof(struct de_device, problem),
                                                      .set_choice = set_choice,
                                                      .method_by_rule = method_by_rule,
                                                      .list_arrays = list_arrays,
                                                      .members = "x",
                                                      .fill_settings = de_fill_settings};

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

const struct shoal_solver_ops de_device_solver = {
    SEARCH_DEVICE_SOLVER,
    .what = "members",
    .state_count = state_count,
    .get_state = get_state,
};
