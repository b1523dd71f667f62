/* The method "fused": populations in global memory. One launch makes and evaluates a generation. */
#include "base/error.h"
#include "compute/contract.h"
#include "compute/device.h"
#include "compute/tune.h"
#include "ga/methods/memory.h"
#include "ga/methods/plan.h"

#include <stdlib.h>

struct fused {
    struct ga_memory memory;
    struct shoal_kernel *breed;
    bool owes_end;              /* the next launch ends the last step */
    struct shoal_buffer *table; /* table of an objective over genes; NULL: there is no table */
    /* Offers (cl/ga/offers.clh): for each island two lists with room for `room` of them; 0: launches
     * do not end the previous step by offers. */
    size_t room;
    struct shoal_buffer *offer_counts, *offer_indices, *offer_values;
    struct arrays arrays;
};

static struct fused *fused_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static const struct shoal_entry_desc entries[] = {
    ENTRY(ga_fused, ga_fused, .local_define = "POOL", .local_bytes_per_unit = 8,
          .help = "children of all islands and their values, a work-item for each pair"),
};

static const struct shoal_define_desc defines[] = {
    GA_GENERATION_DEFINE_DESCS(ga_fused),
    GA_FUSED_DEFINE_DESCS(ga_fused),
    DEFINE(ga_fused, GROUP_PAIRS, 1, 1024, "pairs of a group"),
    DEFINE(ga_fused, MIN_GROUPS, 1, 32, "CUDA: groups that fit a multiprocessor at a time"),
    DEFINE(ga_fused, POOL, 1, 1 << 20, "local memory of a group in units of 8 bytes"),
    DEFINE(ga_fused, STRIDE, 0, GA_MAX_DIM, "numbers from one member to the next; 0: the genes"),
    DEFINE(ga_fused, WG, 1, 1024, "work-group size"),
};

const struct shoal_program_desc ga_fused_program = PROGRAM("ga.fused", ga_fused, 0, defines, entries);

/* GROUP: number of pairs of a group on a GPU. CPU_PAIRS: number of pairs of a group on a CPU, where a group
 * is one work-item: few, since all cores wait for the last group of a launch. LEAST_GROUPS,
 * LEAST_GROUPS_FP64: number of groups that must fit a multiprocessor at the same time, in fp32 and in
 * fp64. */
enum { GROUP = 64, CPU_PAIRS = 16, LEAST_GROUPS = 13, LEAST_GROUPS_FP64 = 8 };

static size_t group_of(const struct shoal_device_info *info)
{
    return info->is_cpu ? 1 : info->max_work_group < GROUP ? info->max_work_group : GROUP;
}

static size_t pairs_of(const struct shoal_device_info *info)
{
    return info->is_cpu ? CPU_PAIRS : group_of(info);
}

/* Returns the count of numbers from a member to the next in memory. Except on CPUs, members are aligned so
 * that one load reads four genes (two in double precision). */
static size_t stride_of(const struct shoal_solver *solver)
{
    const size_t dim = search_device_of(solver)->problem->dim;
    int64_t items = (int64_t)group_of(shoal_device_get_info(solver->device));
    tuning_get_define(solver->device, &ga_fused_program, "WG", &items);
    return items > 1 && dim > 2 ? rounded_up(dim, 4) : dim;
}

/* Plans a generation of reals. The pool has the genes and the tables in the layout of
 * cl/ga/methods/onchip.clh; a group of `items` work-items also searches for the best of its island there
 * (SETTLE_WORDS of cl/ga/offers.clh). */
static enum shoal_status plan_reals(const struct ga_problem *problem, const struct shoal_device_info *info,
                                    size_t items, struct ga_plan *plan, struct shoal_error *error)
{
    const bool is_double = problem->params->search.precision == SHOAL_FP64;
    const size_t dim = problem->search.dim, pairs = pairs_of(info), group = group_of(info);
    const size_t genes =
        (2 * pairs + 1) * search_row_length(dim, group == 1) * (is_double ? sizeof(double) : sizeof(float));
    *plan = (struct ga_plan){.pool = (genes + 2 * (RATE_TABLE(dim) + pairs) * sizeof(uint32_t) + 7) / 8,
                             .work_group = (uint32_t)group,
                             .min_groups = is_double ? LEAST_GROUPS_FP64 : LEAST_GROUPS};
    const size_t to_settle = (items * (is_double ? 3 : 2) + 1) / 2;
    if (plan->pool < to_settle)
        plan->pool = to_settle;
    if (8 * plan->pool <= info->local_mem)
        return SHOAL_OK;
    return fail(error, SHOAL_UNSUPPORTED,
                "--method fused keeps children in local memory: %zu of dim %zu need %zu bytes, %s (%s) has "
                "%llu: use another or auto",
                2 * pairs, dim, 8 * plan->pool, info->id, info->name, (unsigned long long)info->local_mem);
}

/* Plans a generation of reals or genomes. items: tuned work-group size; 0: the size is chosen for the device.
 */
static enum shoal_status plan_of(const struct ga_problem *problem, const struct shoal_device_info *info,
                                 size_t items, struct ga_plan *plan, struct shoal_error *error)
{
    return problem->search.has_genome ? ga_genes_fused_plan(problem, info, items, plan, error)
                                      : plan_reals(problem, info, items, plan, error);
}

/* Returns, for messages, a feature that islands on the chip have and populations in memory lack; NULL: the
 * problem has no such feature. */
static const char *lacks_in_memory(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    if (params->selection != SHOAL_GA_TOURNAMENT && params->selection != SHOAL_GA_OWN)
        return "selections other than tournament and own";
    if (params->elites > 1)
        return "more than one elite";
    if (!problem->search.has_genome && problem->search.info->shape != SHOAL_PER_DIMENSION)
        return "objectives that are no sum over the dimensions";
    return NULL;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct ga_problem *problem = populations;
    const char *lacks = ga_rule_lacks(problem);
    struct ga_plan plan;
    if (!lacks)
        lacks = lacks_in_memory(problem);
    if (lacks)
        return method_lacks(method, lacks, error);
    enum shoal_status status = plan_of(problem, info, 0, &plan, error);
    return status ? status : ga_memory_fits(&problem->search, info, error);
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct shoal_device_info *info = shoal_device_get_info(solver->device);
    const bool has_genome = problem->search.has_genome;
    const struct shoal_program_desc *program = has_genome ? &ga_genes_fused_program : &ga_fused_program;
    const struct entry_kernel kernel = {program->entries[0].name, &fused_of(solver)->breed};
    struct defines own = {.count = 0};
    struct ga_plan plan;
    int64_t items = 0;
    tuning_get_define(solver->device, program, "WG", &items);
    enum shoal_status status = plan_of(problem, info, (size_t)items, &plan, error);
    if (status)
        return status;
    ga_program_defines(solver, program, &own);
    if (!has_genome) {
        define_add(&own, "GROUP_PAIRS", (int64_t)pairs_of(info));
        define_add(&own, "STRIDE", (int64_t)solver->method.stride);
    }
    define_add(&own, "MIN_GROUPS", plan.min_groups);
    define_add(&own, "POOL", (int64_t)plan.pool);
    define_add(&own, "WG", plan.work_group);
    status = programs_build(&solver->programs, program, &own, &kernel, 1, NULL, error);
    return status ? status : ga_genes_create_table(solver, &fused_of(solver)->table, error);
}

enum { MOST_OFFERS = 4096 };

/* Plans the lists of offers: for CUDA devices and one elite, see BY_OFFERS in the kernels. */
static void plan_offers(struct shoal_solver *solver, struct fused *fused)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const size_t children = fused->memory.generation.shape.children,
                 room = children < MOST_OFFERS ? children : MOST_OFFERS;
    fused->room = problem->params->elites == 1 && is_cuda(solver->device) ? room : 0;
    const double lists = fused->room ? 2 * (double)problem->search.islands : 0;
    const struct array list[] = {
        {&fused->offer_counts, lists, sizeof(uint32_t)},
        {&fused->offer_indices, lists * (double)fused->room, sizeof(uint32_t)},
        {&fused->offer_values, lists * (double)fused->room, search_device_of(solver)->real},
    };
    fused->arrays.queue = solver->queue;
    ARRAYS_SET(&fused->arrays, list);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct fused *fused = solver->method.state = calloc(1, sizeof *fused);
    if (!fused)
        return fail_host_memory(error);
    if (!search_device_of(solver)->problem->has_genome) {
        solver->method.stride = stride_of(solver);
        search_device_list_arrays(solver); /* the stride changes the sizes of the arrays */
    }
    enum shoal_status status = ga_memory_plan(solver, &fused->memory, EVALUATOR_LANES, 0, error);
    plan_offers(solver, fused);
    if (!status)
        status = ga_memory_create(solver, &fused->memory, arrays_bytes(&fused->arrays), error);
    if (!status)
        status = arrays_create(&fused->arrays, error);
    return status ? status : build(solver, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct fused *fused = fused_of(solver);
    if (!fused)
        return;
    shoal_buffer_destroy(&fused->table);
    arrays_destroy(&fused->arrays);
    ga_memory_destroy(&fused->memory);
    free(fused);
    solver->method.state = NULL;
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* owes_end: the next launch ends this step. */
static enum shoal_status launch(struct shoal_solver *solver, uint32_t step, size_t groups, bool owes_end,
                                struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct fused *fused = solver->method.state;
    const struct ga_generation *generation = &fused->memory.generation;
    if (device->problem.search.has_genome)
        return LAUNCH(ga_genes_fused, solver->queue, fused->breed, groups, error, .x = device->x,
                      .best = device->best, .next_x = fused->memory.next_x,
                      .next_best = fused->memory.next_best, .goal_value = generation->islands.goal_value,
                      .goal_index = generation->islands.goal_index, .words = device->search.words,
                      .reals = device->search.reals, .champion = device->search.champion,
                      .settings = device->search.settings, .rates = generation->rates,
                      .offer_counts = fused->offer_counts, .offer_indices = fused->offer_indices,
                      .offer_values = fused->offer_values, .shape = &generation->islands.shape,
                      .own = &generation->shape, .step = step, .settles = fused->owes_end, .offers = owes_end,
                      .room = (uint32_t)fused->room, .wholes = generation->wholes, .table = fused->table);
    return LAUNCH(ga_fused, solver->queue, fused->breed, groups, error, .x = device->x, .best = device->best,
                  .next_x = fused->memory.next_x, .next_best = fused->memory.next_best,
                  .goal_value = generation->islands.goal_value, .goal_index = generation->islands.goal_index,
                  .words = device->search.words, .reals = device->search.reals,
                  .champion = device->search.champion, .settings = device->search.settings,
                  .rates = generation->rates, .offer_counts = fused->offer_counts,
                  .offer_indices = fused->offer_indices, .offer_values = fused->offer_values,
                  .shape = &generation->islands.shape, .own = &generation->shape, .step = step,
                  .settles = fused->owes_end, .offers = owes_end, .room = (uint32_t)fused->room);
}

static enum shoal_status breed(struct shoal_solver *solver, uint32_t step, bool owes_end,
                               struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const bool has_genome = problem->search.has_genome;
    struct fused *fused = fused_of(solver);
    const size_t items = shoal_kernel_work_group(fused->breed),
                 each = has_genome ? (items + 1) / 2 : pairs_of(shoal_device_get_info(solver->device)),
                 groups = (problem->pairs + each - 1) / each * problem->search.islands;
    const enum shoal_status status = launch(solver, step, groups, owes_end, error);
    if (!status)
        ga_swap_populations(solver, &fused->memory);
    return status;
}

/* Whether the end of step `step` can be left to the launch of the next generation. */
static bool can_owe_end(const struct shoal_solver *solver, uint64_t step)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const size_t items = shoal_kernel_work_group(fused_of(solver)->breed);
    /* BY_OFFERS and SETTLES in the kernels */
    const bool settles =
        (fused_of(solver)->room > 0 && items % 32 == 0) || (!problem->has_genome && items == 1);
    return settles && !problem->params->restart && !search_can_end_early(problem) &&
           !search_exchange_is_due(problem, step);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return ga_memory_end_step(solver, &fused_of(solver)->memory, 0, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    struct fused *fused = fused_of(solver);
    const uint64_t end = device->steps + steps;
    enum shoal_status status = SHOAL_OK;
    fused->owes_end = false;
    if (fused->offer_counts)
        status = shoal_buffer_fill(solver->queue, fused->offer_counts, 0,
                                   2 * device->problem->islands * sizeof(uint32_t), 0, error);
    for (uint64_t step = device->steps + 1; step <= end && !status; step++) {
        const bool owes_end = step < end && can_owe_end(solver, step);
        status = breed(solver, (uint32_t)step, owes_end, error);
        fused->owes_end = owes_end;
        if (!status && !fused->owes_end)
            status = ga_memory_end_step(solver, &fused->memory, (uint32_t)step, error);
    }
    return status;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)checkpoint;
    return ga_find_best(solver, &fused_of(solver)->memory.generation,
                        (uint32_t)search_device_of(solver)->steps, error);
}

const struct search_method ga_fused_method = {
    .base = {.name = "fused",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .load = load},
    .evaluation_bytes = ga_evaluation_bytes,
};
