/* The populations on a device: the list of methods, the choice of a method, and the buffers that all methods
 * use. */
#include "compute/device.h"
#include "compute/tune.h"
#include "ga/device/device.h"
#include "objective/objective.h"
#include "search/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct method *const methods[] = {&ga_fused_method.base, &ga_onchip_method.base,
                                               &ga_pipeline_method.base, GA_THESIS_METHOD NULL};

/* Appends the kinds of genes and their operators to the class of sizes under which a tuned choice is
 * stored. */
static void add_genome(const struct ga_problem *problem, char *sizes, size_t size)
{
    const struct genome_layout *genes = &problem->genes;
    const struct ga_operators *of = &problem->operators;
    const size_t length = strlen(sizes);
    snprintf(sizes + length, size - length, " genes=%d%d%d%d of=%d.%d.%d.%d.%d.%d", genes->reals > 0,
             genes->wholes > 0, genes->bits > 0, genes->places > 0, (int)of->cross_wholes,
             (int)of->cross_order, (int)of->mutate_integers, (int)of->mutate_choices, (int)of->mutate_bits,
             (int)of->mutate_order);
}

/* Appends the rules that not every method has to the class of sizes. Messy genes have no local search. */
static void add_rules(const struct ga_problem *problem, char *sizes, size_t size)
{
    const size_t length = strlen(sizes);
    if (problem->messy)
        snprintf(sizes + length, size - length, " messy");
    if (problem->improve.search)
        snprintf(sizes + length, size - length, " local=%d.%d", (int)problem->improve.search,
                 (int)problem->improve.moves);
}

/* Describes the problem for the choice of a method. Problems with the same powers of two of members, islands
 * and dimensions have the same tuned choice. */
static void set_choice(const struct search_problem *search, struct method_choice *choice)
{
    const struct ga_problem *problem = (const struct ga_problem *)search;
    const struct shoal_ga_params *params = problem->params;
    *choice = (struct method_choice){
        .methods = methods,
        .problem = problem,
        .asked = params->method == SHOAL_GA_AUTO ? NULL : ga_method_names[params->method],
        .program = "ga.method"};
    snprintf(choice->sizes, sizeof choice->sizes,
             "population=2^%u islands=2^%u dim=2^%u shape=%d precision=%d selection=%d crossover=%d "
             "mutation=%d",
             tuning_power(2, (double)problem->search.members),
             tuning_power(2, (double)problem->search.whole_islands),
             tuning_power(2, (double)problem->search.dim), (int)problem->search.info->shape,
             (int)search_precision(&problem->search), (int)params->selection,
             (int)problem->operators.cross_reals, (int)problem->operators.mutate_reals);
    if (problem->search.has_genome)
        add_genome(problem, choice->sizes, sizeof choice->sizes);
    add_rules(problem, choice->sizes, sizeof choice->sizes);
}

/* Chooses the method that was the fastest in measurements: onchip, if it fits, else fused, if it fits, else
 * the pipeline. On a CPU with fewer islands than cores, fused comes before onchip if islands have enough
 * members for several groups, since its groups use all cores. */
static const struct method *method_by_rule(struct shoal_device *device, const struct search_problem *problem)
{
    enum { MEMBERS_OF_SEVERAL_GROUPS = 512 };
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const struct method *fused = &ga_fused_method.base, *onchip = &ga_onchip_method.base;
    struct shoal_error ignored;
    const struct search_method *thesis = ((const struct ga_problem *)problem)->thesis.method;
    if (thesis)
        return &thesis->base;
    const bool has_fused = !fused->fits(fused, problem, info, &ignored);
    const bool spreads = info->is_cpu && problem->whole_islands < units_for_sums(info) &&
                         problem->members >= MEMBERS_OF_SEVERAL_GROUPS;
    if (!(has_fused && spreads) && !onchip->fits(onchip, problem, info, &ignored))
        return onchip;
    return has_fused ? fused : &ga_pipeline_method.base;
}

static void list_arrays(struct shoal_solver *solver)
{
    struct ga_device *device = ga_device_of(solver);
    const size_t total = device->problem.search.total, numbers = device->search.numbers;
    const double stride = (double)search_stride(solver);
    const struct arrays *own = &device->search.own;
    const double places = own->tiles ? (double)(own->tiles * own->tile) : (double)total;
    enum { TILES = ARRAY_SAVE | ARRAY_TILED };
    const struct array list[] = {
        {&device->x, places * stride, device->search.number, TILES, "x", total * numbers},
        {&device->best, places, device->search.real, TILES, "best", total},
    };
    ARRAYS_SET(&device->search.own, list);
}

const struct search_device_ops ga_device_functions = {.size = sizeof(struct ga_device),
                                                      .problem = offsetof(struct ga_device, problem),
                                                      .set_choice = set_choice,
                                                      .method_by_rule = method_by_rule,
                                                      .list_arrays = list_arrays,
                                                      .members = "x",
                                                      .fill_settings = ga_fill_settings};

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

const struct shoal_solver_ops ga_device_solver = {
    SEARCH_DEVICE_SOLVER,
    .what = "genes",
    .state_count = state_count,
    .get_state = get_state,
};
