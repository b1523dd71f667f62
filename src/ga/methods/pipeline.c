/* The method "pipeline": select, cross, mutate, evaluate, replace, for all rules. */
#include "ga/methods/pipeline.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct search_problem *problem = populations;
    const bool has_rows = problem->info->shape == SHOAL_DATA_ROWS;
    /* Genes of points are numbered in 64 bits, points and places of their orders in 32, with room for
     * rounding up to powers of two. */
    const double points = (double)problem->islands * (double)problem->width;
    if (((const struct ga_problem *)populations)->params->random != SHOAL_GA_PHILOX)
        return method_lacks(method, "random numbers other than philox", error);
    if (2 * points > 4e9)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%.0f individuals and children are more than a device numbers: lower --population, "
                    "--children, --islands or --runs",
                    points);
    return evaluator_fits(has_rows ? EVALUATOR_ROWS : EVALUATOR_THREAD, problem->objective,
                          problem->point_dim, info, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static size_t points_of(const struct search_problem *problem)
{
    return problem->islands * problem->width;
}

static enum shoal_status create_evaluator(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    const size_t points = points_of(problem);
    const enum evaluator_method method =
        ga_pipeline_of(solver)->is_fused
            ? EVALUATOR_LANES
            : evaluator_choose(solver->device, problem->objective, problem->point_dim, points, NULL);
    return search_values_create(solver, method, points, &ga_pipeline_of(solver)->values, error);
}

static const char *const entries[GA_KERNELS] = {
    [ORDER_FILL] = "ga_order_fill", [ORDER_STEP] = "ga_order_step", [ORDER_BLOCK] = "ga_order_block",
    [WEIGHTS] = "ga_weights",       [SELECT] = "ga_select",         [DRAW] = "ga_draw",
    [CROSS] = "ga_cross",           [MUTATE] = "ga_mutate",         [JUDGE] = "ga_judge",
    [DISCARD] = "ga_discard",       [CLAIM] = "ga_claim",           [SOURCES] = "ga_sources",
    [REPLACE] = "ga_replace",       [EMIGRATE] = "ga_emigrate",     [IMMIGRATE] = "ga_immigrate"};

/* Of members that are genomes. */
static const char *const genes_entries[] = {
    [DRAW] = "ga_draw_genes",        [CROSS] = "ga_cross_genes",         [MUTATE] = "ga_mutate_genes",
    [JUDGE] = "ga_judge_genes",      [CROSS_ORDERS] = "ga_cross_orders", [DRAW_LISTS] = "ga_draw_lists",
    [CROSS_LISTS] = "ga_cross_lists"};

/* A program and its kernels. */
static const struct plan {
    const struct shoal_program_desc *desc;
    enum ga_kernel first, end;
} plans[] = {{&ga_select_program, ORDER_FILL, DRAW},
             {&ga_vary_program, DRAW, CROSS_ORDERS},
             {&ga_genes_program, DRAW, DISCARD},
             {&ga_replace_program, DISCARD, GA_KERNELS}};

static bool is_needed(const struct shoal_solver *solver, const struct plan *plan)
{
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const bool has_genome = search_device_of(solver)->problem->has_genome;
    if (plan->first == DRAW)
        return !pipeline->is_on_chip && has_genome == (plan->desc == &ga_genes_program);
    return ga_params(solver)->search.exchange > 0 || (!pipeline->is_on_chip && !pipeline->is_fused);
}

static enum shoal_status build(struct shoal_solver *solver, struct shoal_error *error)
{
    struct entry_kernel kernels[GA_KERNELS];
    const bool has_genome = search_device_of(solver)->problem->has_genome;
    enum shoal_status status = SHOAL_OK;
    for (int k = 0; k < GA_KERNELS; k++) {
        const bool is_own = has_genome && k >= DRAW && k < DISCARD;
        kernels[k] = (struct entry_kernel){is_own ? genes_entries[k] : entries[k],
                                           &ga_pipeline_of(solver)->kernels[k]};
    }
    for (size_t p = 0; p < COUNT(plans) && !status; p++) {
        const struct shoal_program_desc *desc = plans[p].desc;
        struct defines own = {.count = 0};
        if (!is_needed(solver, &plans[p]))
            continue;
        ga_program_defines(solver, desc, &own);
        status = programs_build(&solver->programs, desc, &own, kernels + plans[p].first,
                                (size_t)(plans[p].end - plans[p].first), NULL, error);
    }
    return status;
}

static uint32_t power_above(size_t count)
{
    uint32_t power = 1;
    while (power < count)
        power *= 2;
    return power;
}

static bool is_in_place(const struct ga_problem *problem)
{
    return problem->params->replacement == SHOAL_GA_STEADY || problem->is_cellular;
}

/* With one elite its number is known without an order. */
static bool needs_order(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    const bool by_worst = params->replacement == SHOAL_GA_STEADY && params->victim == SHOAL_GA_VICTIM_WORST;
    return ga_selects_by_order(params) || params->replacement == SHOAL_GA_PLUS || by_worst ||
           params->elites > 1;
}

static bool needs_child_order(const struct ga_problem *problem)
{
    const struct shoal_ga_params *params = problem->params;
    const bool by_rank = params->victim == SHOAL_GA_VICTIM_WORST || params->victim == SHOAL_GA_VICTIM_PARENT;
    return params->replacement == SHOAL_GA_PLUS || params->replacement == SHOAL_GA_COMMA ||
           (params->replacement == SHOAL_GA_STEADY && by_rank && !problem->is_cellular);
}

static void set_shape(struct shoal_solver *solver)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct shoal_ga_params *params = problem->params;
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    pipeline->shape = (struct ga_pipeline){
        .children = (uint32_t)problem->search.points,
        .indices = (uint32_t)problem->search.width,
        .padded = power_above(problem->search.members),
        .padded_children = power_above(problem->search.points),
        .line = (uint32_t)problem->line,
        .elites = (uint32_t)params->elites,
        .tournament = (uint32_t)params->tournament,
        .truncated = (uint32_t)problem->truncated,
        .rows = (uint32_t)problem->rows,
        .columns = (uint32_t)problem->columns,
        .migrants = (uint32_t)problem->search.migrants,
        .sends_best = params->emigrants == SHOAL_GA_BEST_LEAVE,
        .replaces_worst = params->immigrants == SHOAL_GA_REPLACE_WORST,
        .has_rate_list = problem->rate_entries > 1,
        .in_place = is_in_place(problem),
    };
    pipeline->genes = (struct ga_genes){(uint32_t)problem->genes.reals, (uint32_t)problem->genes.wholes,
                                        (uint32_t)problem->genes.bits, (uint32_t)problem->genes.places,
                                        (uint32_t)problem->messy};
    pipeline->pairs = problem->pairs;
    pipeline->has_order = !pipeline->is_on_chip && needs_order(problem);
    pipeline->has_child_order = needs_child_order(problem);
    pipeline->has_claims = params->replacement == SHOAL_GA_STEADY && !problem->is_cellular &&
                           params->victim != SHOAL_GA_VICTIM_WORST;
}

static void list_arrays(struct shoal_solver *solver)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_problem *problem = &device->problem;
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const size_t real = device->search.real, number = device->search.number, word = sizeof(uint32_t),
                 tile = solver->method.tile;
    const bool breeds = !pipeline->is_on_chip && !pipeline->is_fused;
    const double islands = (double)problem->search.islands, total = (double)problem->search.total,
                 numbers = (double)device->search.numbers,
                 children = breeds ? islands * (double)problem->search.points : 0,
                 places = (double)search_tiles(solver) * (double)tile,
                 child_places = ceil(children / (double)tile) * (double)tile,
                 migrants = islands * (double)problem->search.migrants;
    const bool exchanges = problem->params->search.exchange > 0,
               has_next = !pipeline->is_on_chip && !pipeline->shape.in_place;
    const double padded = islands * (pipeline->has_order || exchanges ? pipeline->shape.padded : 0),
                 padded_children =
                     islands * (pipeline->has_child_order ? pipeline->shape.padded_children : 0);
    const struct array list[] = {
        {&pipeline->children, child_places * numbers, number},
        {&pipeline->y, pipeline->is_on_chip ? 0 : fmax(places, child_places), real},
        {&pipeline->child_values, children, real},
        {&pipeline->next_x, has_next ? places * (double)search_stride(solver) : 0, number},
        {&pipeline->next_best, has_next ? places : 0, real},
        {&pipeline->rates, (double)(problem->rate_entries * RATE_WORDS(problem->line)), word},
        {&pipeline->ranks, problem->ranks ? (double)problem->search.members : 0, word},
        {&pipeline->wholes, problem->wholes ? (double)problem->genes.wholes * WHOLE_WORDS : 0, word},
        {&pipeline->scratch, children * (double)problem->scratch, sizeof(uint16_t)},
        {&pipeline->parents, breeds ? 2 * islands * (double)problem->pairs : 0, word},
        {&pipeline->sums, breeds && ga_selects_by_weight(problem->params) ? total : 0, sizeof(uint64_t)},
        {&pipeline->keys, fmax(padded, padded_children), real},
        {&pipeline->order, padded, word},
        {&pipeline->child_order, padded_children, word},
        {&pipeline->discarded, breeds || exchanges ? fmax(children, total) : 0, word, ARRAY_ZERO},
        {&pipeline->claims, pipeline->has_claims ? total : 0, word},
        {&pipeline->sources, breeds ? total : 0, word},
        {&pipeline->sent, exchanges ? migrants * numbers : 0, number},
        {&pipeline->sent_values, exchanges ? migrants : 0, real},
    };
    pipeline->arrays.queue = solver->queue;
    ARRAYS_SET(&pipeline->arrays, list);
}

static enum shoal_status write_tables(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct ga_problem *problem = &ga_device_of(solver)->problem;
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const size_t word = sizeof(uint32_t), rates = problem->rate_entries * RATE_WORDS(problem->line);
    enum shoal_status status =
        shoal_buffer_write(solver->queue, pipeline->rates, 0, problem->rates, rates * word, error);
    if (!status && problem->ranks)
        status = shoal_buffer_write(solver->queue, pipeline->ranks, 0, problem->ranks,
                                    problem->search.members * word, error);
    if (!status && problem->wholes)
        status = shoal_buffer_write(solver->queue, pipeline->wholes, 0, problem->wholes,
                                    problem->genes.wholes * WHOLE_WORDS * word, error);
    return status;
}

enum shoal_status ga_pipeline_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ga_device *device = ga_device_of(solver);
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    set_shape(solver);
    enum shoal_status status = pipeline->is_on_chip ? SHOAL_OK : create_evaluator(solver, error);
    list_arrays(solver);
    if (!status && device->problem.improve.search)
        status = ga_improve_plan(solver, error);
    if (!status)
        status = search_check_memory(
            &device->problem.search, &pipeline->arrays,
            arrays_bytes(&device->search.own) + arrays_bytes(&pipeline->improver.arrays), error);
    if (!status)
        status = build(solver, error);
    if (!status && pipeline->is_fused)
        status = ga_fused_build(solver, error);
    if (!status)
        status = search_islands_create(solver, -1, &pipeline->islands, error);
    if (!status)
        status = arrays_create(&pipeline->arrays, error);
    if (!status)
        status = arrays_create(&pipeline->improver.arrays, error);
    if (!status && device->problem.improve.search)
        status = ga_improve_open(solver, error);
    return status ? status : write_tables(solver, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    solver->method.state = calloc(1, sizeof(struct ga_pipeline_state));
    return solver->method.state ? ga_pipeline_create(solver, error) : fail_host_memory(error);
}

void ga_pipeline_destroy(struct shoal_solver *solver)
{
    struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    if (!pipeline)
        return;
    search_values_destroy(&pipeline->values);
    search_islands_destroy(&pipeline->islands);
    shoal_buffer_destroy(&pipeline->table);
    arrays_destroy(&pipeline->arrays);
    ga_tours_end(&pipeline->improver.tours);
    arrays_destroy(&pipeline->improver.arrays);
    free(pipeline);
    solver->method.state = NULL;
}

/* Order ------------------------------------------------------------------------------------------------ */

/* A sort, of all islands. */
struct sort {
    struct shoal_buffer *values, *order;
    uint32_t count, padded;
};

static enum shoal_status sort_block(struct shoal_solver *solver, const struct sort *sort, uint32_t first,
                                    uint32_t last, struct shoal_error *error)
{
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const uint32_t most = 2 * shoal_kernel_work_group(pipeline->kernels[ORDER_BLOCK]);
    const uint32_t places = sort->padded < most ? sort->padded : most;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(pipeline->keys),
        shoal_arg_buffer(sort->order),
        shoal_arg_uint(sort->padded),
        shoal_arg_uint(first),
        shoal_arg_uint(last),
    };
    return GA_LAUNCH(ORDER_BLOCK, (size_t)pipeline->islands.shape.islands * (sort->padded / places), args);
}

static enum shoal_status sort_fill(struct shoal_solver *solver, const struct sort *sort,
                                   struct shoal_error *error)
{
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const uint32_t islands = pipeline->islands.shape.islands;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(sort->values),   shoal_arg_buffer(pipeline->discarded),
        shoal_arg_buffer(pipeline->keys), shoal_arg_buffer(sort->order),
        shoal_arg_uint(islands),          shoal_arg_uint(sort->count),
        shoal_arg_uint(sort->padded),
    };
    return GA_LAUNCH(ORDER_FILL, ga_groups(pipeline, ORDER_FILL, (size_t)islands * sort->padded), args);
}

enum shoal_status ga_order(struct shoal_solver *solver, bool of_children, struct shoal_error *error)
{
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct search_shape *shape = &pipeline->islands.shape;
    const uint32_t group = shoal_kernel_work_group(pipeline->kernels[ORDER_BLOCK]);
    const struct sort sort = of_children
                                 ? (struct sort){pipeline->child_values, pipeline->child_order,
                                                 pipeline->shape.children, pipeline->shape.padded_children}
                                 : (struct sort){ga_device_of(solver)->best, pipeline->order, shape->members,
                                                 pipeline->shape.padded};
    enum shoal_status status = sort_fill(solver, &sort, error);
    if (!status && sort.padded > 1)
        status = sort_block(solver, &sort, 2, sort.padded < 2 * group ? sort.padded : 2 * group, error);
    for (uint32_t span = 4 * group; span <= sort.padded && !status; span *= 2) {
        for (uint32_t distance = span / 2; distance > group && !status; distance /= 2) {
            const struct shoal_arg args[] = {
                shoal_arg_buffer(pipeline->keys),
                shoal_arg_buffer(sort.order),
                shoal_arg_uint(shape->islands),
                shoal_arg_uint(sort.padded),
                shoal_arg_uint(span),
                shoal_arg_uint(distance),
            };
            status =
                GA_LAUNCH(ORDER_STEP,
                          ga_groups(pipeline, ORDER_STEP, (size_t)shape->islands * (sort.padded / 2)), args);
        }
        if (!status)
            status = sort_block(solver, &sort, span, span, error);
    }
    return status;
}

/* Children --------------------------------------------------------------------------------------------- */

static enum shoal_status select_parents(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const uint32_t islands = pipeline->islands.shape.islands;
    const struct shoal_arg weights_args[] = {
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->sums),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        shoal_arg_uint(step),
    };
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->sums),
        shoal_arg_buffer(pipeline->order),
        shoal_arg_buffer(pipeline->ranks),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(device->search.words),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    enum shoal_status status = SHOAL_OK;
    if (pipeline->sums)
        status = GA_LAUNCH(WEIGHTS, islands, weights_args);
    if (!status)
        status = GA_LAUNCH(SELECT, ga_groups(pipeline, SELECT, pipeline->pairs * islands), args);
    return status;
}

static enum shoal_status vary(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct search_shape *shape = &pipeline->islands.shape;
    const size_t blocks = ga_gene_blocks(shape->dim);
    const struct shoal_arg cross_args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->parents),
        shoal_arg_buffer(pipeline->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    const struct shoal_arg mutate_args[] = {
        shoal_arg_buffer(pipeline->children),
        shoal_arg_buffer(pipeline->rates),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    enum shoal_status status =
        GA_LAUNCH(CROSS, ga_groups(pipeline, CROSS, pipeline->pairs * shape->islands * blocks), cross_args);
    if (!status && device->problem.operators.mutate_reals != SHOAL_GA_NO_MUTATION)
        status = GA_LAUNCH(MUTATE, ga_groups(pipeline, MUTATE, ga_all_children(pipeline)), mutate_args);
    return status;
}

/* What a step evaluates; MEMBERS: those that it does not draw. */
enum evaluated { CHILDREN, DRAWN, MEMBERS };

static enum shoal_status evaluate(struct shoal_solver *solver, enum evaluated which, uint32_t step,
                                  struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    struct shoal_buffer *const x = which == CHILDREN ? pipeline->children : device->x;
    const uint32_t each = which == CHILDREN ? pipeline->shape.children : pipeline->islands.shape.members;
    const size_t count = (size_t)each * pipeline->islands.shape.islands;
    const struct shoal_arg args[] = {
        shoal_arg_buffer(x),
        shoal_arg_buffer(pipeline->y),
        shoal_arg_buffer(which == CHILDREN ? pipeline->child_values : device->best),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        shoal_arg_uint(pipeline->genes.reals),
        shoal_arg_uint(each),
        shoal_arg_uint(which == DRAWN),
        shoal_arg_uint(step),
    };
    evaluator_set_generation(pipeline->values.evaluator, step);
    enum shoal_status status = search_values_run(solver, &pipeline->values, x, pipeline->y, count, error);
    return status ? status : GA_LAUNCH(JUDGE, ga_groups(pipeline, JUDGE, count), args);
}

static enum shoal_status draw(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct ga_pipeline_state *pipeline = ga_pipeline_of(solver);
    const struct search_shape *shape = &pipeline->islands.shape;
    const size_t items = device->problem.search.total * ga_gene_blocks(shape->dim);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.settings),
        ga_search_arg(pipeline),
        ga_shape_arg(pipeline),
        shoal_arg_uint(step),
    };
    enum shoal_status status = device->problem.search.has_genome
                                   ? ga_draw_genes(solver, step, error)
                                   : GA_LAUNCH(DRAW, ga_groups(pipeline, DRAW, items), args);
    return status ? status : evaluate(solver, DRAWN, step, error);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status breed(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    enum shoal_status status = ga_pipeline_of(solver)->has_order ? ga_order(solver, false, error) : SHOAL_OK;
    if (!status)
        status = select_parents(solver, step, error);
    if (!status)
        status = search_device_of(solver)->problem->has_genome ? ga_vary_genes(solver, step, error)
                                                               : vary(solver, step, error);
    if (!status)
        status = evaluate(solver, CHILDREN, step, error);
    if (!status && ga_device_of(solver)->problem.improve.search)
        status = ga_improve_children(solver, step, error);
    return status || ga_pipeline_of(solver)->improver.is_dropped ? status : ga_replace(solver, step, error);
}

static struct search_members members_of(const struct shoal_solver *solver)
{
    return (struct search_members){ga_device_of(solver)->best, ga_device_of(solver)->x};
}

enum shoal_status ga_end_step(struct shoal_solver *solver, uint32_t step, struct shoal_error *error)
{
    const struct search_members members = members_of(solver);
    struct search_islands *islands = &ga_pipeline_of(solver)->islands;
    enum shoal_status status = SHOAL_OK;
    if (search_exchange_is_due(search_device_of(solver)->problem, step)) {
        status = search_islands_keep(solver, islands, &members, step, error);
        if (!status)
            status = ga_exchange(solver, step, error);
    }
    return status ? status : search_islands_finish(solver, islands, &members, step, error);
}

/* The members in the step that begins, of an objective that depends on it. */
static enum shoal_status evaluate_members(struct shoal_solver *solver, uint32_t step,
                                          struct shoal_error *error)
{
    const struct search_members members = members_of(solver);
    enum shoal_status status = evaluate(solver, MEMBERS, step, error);
    return status ? status
                  : search_islands_find(solver, &ga_pipeline_of(solver)->islands, &members, step, error);
}

/* is_last: another one may not follow. */
static enum shoal_status make_step(struct shoal_solver *solver, uint32_t step, bool is_last,
                                   struct shoal_error *error)
{
    const struct shoal_search_params *params = &ga_params(solver)->search;
    enum shoal_status status = SHOAL_OK;
    if (step && ga_device_of(solver)->problem.improve.search)
        status = ga_improve_begin(solver, error);
    if (!status && step && ga_device_of(solver)->problem.search.info->dynamic)
        status = evaluate_members(solver, step, error);
    if (!status && step)
        status = ga_pipeline_of(solver)->is_fused ? ga_fused_breed(solver, step, error)
                                                  : breed(solver, step, error);
    if (status || ga_pipeline_of(solver)->improver.is_dropped)
        return status;
    if (step == 0 || params->restart)
        status = draw(solver, step, error);
    ga_pipeline_of(solver)->is_unsettled = step && !is_last && ga_fused_settles(solver, step);
    return status || ga_pipeline_of(solver)->is_unsettled ? status : ga_end_step(solver, step, error);
}

enum shoal_status ga_pipeline_begin(struct shoal_solver *solver, struct shoal_error *error)
{
    return make_step(solver, 0, true, error);
}

enum shoal_status ga_pipeline_advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    struct ga_improver *improver = &ga_pipeline_of(solver)->improver;
    const uint64_t end = device->steps + steps;
    enum shoal_status status = SHOAL_OK;
    improver->is_due = true;
    improver->is_dropped = false;
    for (uint64_t step = device->steps + 1; step <= end && !status && !device->dropped; step++) {
        status = make_step(solver, (uint32_t)step, step == end, error);
        if (improver->is_dropped)
            device->dropped = end - step + 1;
    }
    return status;
}

enum shoal_status ga_pipeline_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    (void)checkpoint;
    const struct search_members members = members_of(solver);
    return search_islands_find(solver, &ga_pipeline_of(solver)->islands, &members,
                               (uint32_t)search_device_of(solver)->steps, error);
}

const struct search_method ga_pipeline_method = {
    .base = {.name = "pipeline",
             .fits = fits,
             .create = create,
             .destroy = ga_pipeline_destroy,
             .begin = ga_pipeline_begin,
             .advance = ga_pipeline_advance,
             .load = ga_pipeline_load},
    .evaluation_bytes = ga_evaluation_bytes,
};
