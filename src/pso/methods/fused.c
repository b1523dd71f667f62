/* The method "fused": a single island with a global best. A launch makes one step or, if the swarm is in one
 * work-group, in one cluster of work-groups, or in the local memory of all multiprocessors, many steps. The
 * kernel is in cl/pso/methods/fused.cl. */
#include "pso/methods/fused.h"
#include "base/error.h"
#include "base/integer.h"
#include "compute/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of steps in a launch that makes many: enough to hide the cost of the launch,
 * and so few that a display on the same device stays responsive: 65536 particles of 30 dimensions,
 * which an H200 holds in local memory, take 41 ms. */
enum { STEPS_IN_LAUNCH = 4096 };

struct fused {
    struct shoal_kernel *init, *step, *collect;
    struct fused_launch launch;
    size_t groups;
    bool makes_many; /* a launch makes many steps */
    /* best particle of each group; a group has a row in each of two slots, see the kernel file */
    struct fused_bests best;
    struct shoal_buffer *slots, *marks;
    struct shoal_buffer *pending; /* a word for each particle */
    struct arrays arrays;
    struct fused_share *share; /* NULL: the device has all particles */
};

static struct fused *fused_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *swarms,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct pso_problem *problem = swarms;
    (void)info;
    const struct shoal_pso_params *params = problem->params;
    const char *lacks = NULL;
    if (problem->search.info->shape != SHOAL_PER_DIMENSION)
        lacks = "objectives that are not per dimension";
    else if (problem->search.whole_islands > 1)
        lacks = "several swarms or runs";
    else if (params->topology != SHOAL_PSO_GLOBAL)
        lacks = "topologies other than global";
    else if (problem->update != PSO_LINEAR_UPDATE)
        lacks = "the updates spso2011 and fips";
    else if (problem->batch < problem->search.members)
        lacks = "batches";
    else if (problem->thesis.needs_pipeline)
        lacks = problem->thesis.needs_pipeline;
    else if (params->search.restart)
        lacks = "restarts";
    return lacks ? method_lacks(method, lacks, error) : SHOAL_OK;
}

/* Create ----------------------------------------------------------------------------------------------- */

/* If the swarm fills the device, replaces values of the plan by tuned values. */
static void take_tuned(struct shoal_solver *solver, struct fused_plan *plan)
{
    const struct {
        const char *name;
        uint32_t *value;
    } tuned[] = {{"AHEAD", &plan->ahead},           {"DEPTH", &plan->depth},   {"ITEMS", &plan->items},
                 {"MIN_GROUPS", &plan->min_groups}, {"SLICES", &plan->slices}, {"WG", &plan->work_group}};
    for (size_t i = 0; i < COUNT(tuned); i++) {
        const struct tuning_question question =
            define_question(&pso_fused_program, tuned[i].name, "", *tuned[i].value, NULL, 0);
        *tuned[i].value = (uint32_t)chosen_value(&solver->method.chosen, solver->device, &question);
    }
}

static enum shoal_status build(struct shoal_solver *solver, const struct fused_plan *plan,
                               struct shoal_error *error)
{
    struct fused *fused = fused_of(solver);
    const struct entry_kernel kernels[] = {
        {"pso_init", &fused->init}, {"pso_step", &fused->step}, {"pso_collect", &fused->collect}};
    struct defines defines = {.count = 0};
    pso_rule_defines(solver, &defines);
    define_add(&defines, "AHEAD", plan->ahead);
    define_add(&defines, "DEPTH", plan->depth);
    define_add(&defines, "GROUPS", plan->groups);
    define_add(&defines, "HELD", plan->held);
    define_add(&defines, "ITEMS", plan->items);
    define_add(&defines, "MIN_GROUPS", plan->min_groups);
    define_add(&defines, "SLICES", plan->slices);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, &pso_fused_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Sets the tile and the number of groups, as LANES and TILE of the kernel file determine them. */
static enum shoal_status lay_out(struct shoal_solver *solver, struct fused *fused,
                                 const struct fused_plan *plan, struct shoal_error *error)
{
    const struct pso_problem *problem = &pso_device_of(solver)->problem;
    size_t work_group = shoal_kernel_work_group(fused->step);
    size_t lanes = plan->slices < work_group ? plan->slices : work_group;
    solver->method.tile = work_group / lanes * plan->items;
    const size_t tile = solver->method.tile;
    const struct search_range own = search_own_members(solver);
    const size_t tiles = (own.count + tile - 1) / tile;
    const size_t most = plan->work_items / work_group > 0 ? plan->work_items / work_group : 1;
    /* Shares exchange their bests after each step, so a launch of a share makes only one step. */
    const bool is_share = search_shares_members(solver);
    if (is_share && SEARCH_BLOCK % tile)
        return fail(error, SHOAL_INVALID,
                    "particles are divided in blocks of %d, and the kernel has tiles of %zu: lower its ITEMS "
                    "or WG in the tuning file",
                    SEARCH_BLOCK, tile);
    fused->makes_many = (plan->one_group && !is_share) || plan->groups > 1 || plan->held;
    fused->groups = plan->held          ? tiles
                    : plan->groups > 1  ? plan->groups
                    : fused->makes_many ? 1
                    : tiles < most      ? tiles
                                        : most;
    fused->launch = (struct fused_launch){.seed = problem->params->search.seed,
                                          .particles = (uint32_t)problem->search.members,
                                          .dim = (uint32_t)problem->search.dim,
                                          .stagnation = (uint32_t)problem->params->search.stagnation,
                                          .tile_first = (uint32_t)(own.first / tile),
                                          .tiles = (uint32_t)tiles};
    fused_set_keys(&fused->launch);
    return SHOAL_OK;
}

/* Builds the kernels for a cluster that holds the swarm. *found: there is such a cluster. */
static enum shoal_status build_cluster(struct shoal_solver *solver, const struct fused_size *size,
                                       struct fused_plan *plan, bool *found, struct shoal_error *error)
{
    const struct fused *fused = fused_of(solver);
    *found = false;
    if (solver->programs.variant == SHOAL_VARIANT_CL || search_shares_members(solver) ||
        !fused_plan_cluster(shoal_device_get_info(solver->device), size, plan))
        return SHOAL_OK;
    const enum shoal_status status = build(solver, plan, error);
    /* A partition of a GPU may have too few units for the cluster, and a tuning file may demand smaller
     * groups. */
    *found = !status && shoal_kernel_resident(fused->step) > 0 &&
             shoal_kernel_work_group(fused->step) == plan->work_group;
    if (!status && !*found)
        programs_drop_newest(&solver->programs);
    return status;
}

/* Builds the kernels for groups that hold the swarm in local memory. *found: all of them run at the same
 * time. */
static enum shoal_status build_held(struct shoal_solver *solver, const struct fused_size *size,
                                    struct fused_plan *plan, bool *found, struct shoal_error *error)
{
    const struct fused *fused = fused_of(solver);
    *found = false;
    if (solver->programs.variant == SHOAL_VARIANT_CL || search_shares_members(solver) ||
        !fused_plan_held(shoal_device_get_info(solver->device), size, plan))
        return SHOAL_OK;
    const enum shoal_status status = build(solver, plan, error);
    const size_t tile = plan->work_group / plan->slices;
    *found = !status && shoal_kernel_resident(fused->step) >= (size->particles + tile - 1) / tile &&
             shoal_kernel_work_group(fused->step) == plan->work_group;
    if (!status && !*found)
        programs_drop_newest(&solver->programs);
    return status;
}

static enum shoal_status build_any(struct shoal_solver *solver, struct fused_plan *plan,
                                   struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct fused_size size = {.particles = device->problem.search.members,
                                    .dim = device->problem.search.dim,
                                    .block = device->problem.params->random == SHOAL_PSO_PHILOX16 ? 4 : 2,
                                    .real = device->search.real};
    bool found;
    enum shoal_status status = build_cluster(solver, &size, plan, &found, error);
    if (!status && !found)
        status = build_held(solver, &size, plan, &found, error);
    if (status || found)
        return status;
    /* The order of sums depends on the plan, so all shares use the plan for the first device. */
    const struct shoal_device *planned =
        search_shares_members(solver) ? solver->share.whole->device : solver->device;
    *plan = fused_plan_make(shoal_device_get_info(planned), &size);
    if (plan->fills_device)
        take_tuned(solver, plan);
    return build(solver, plan, error);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct pso_device *device = pso_device_of(solver);
    struct fused *fused = solver->method.state = calloc(1, sizeof *fused);
    if (!fused)
        return fail_host_memory(error);
    struct fused_plan plan;
    enum shoal_status status = build_any(solver, &plan, error);
    if (!status)
        status = lay_out(solver, fused, &plan, error);
    if (!status && search_shares_members(solver))
        status = fused_share_create(solver, &fused->share, error);
    if (status)
        return status;
    const double places = 2 * (double)fused->groups;
    /* Groups that hold the swarm send value, index and position in words of 32 bits with a number each. */
    const double sent =
        plan.held ? 2 * places * (double)((plan.held + 1) * (device->search.real / sizeof(uint32_t)) + 1) : 0;
    const struct array list[] = {
        {&fused->best.value, places, device->search.real},
        {&fused->best.index, places, sizeof(uint32_t)},
        {&fused->best.position, places * (double)device->problem.search.dim, device->search.real},
        {&fused->pending, (double)(search_tiles(solver) * solver->method.tile), sizeof(uint32_t)},
        {&fused->slots, 2 * SLOT_WORDS + sent, sizeof(uint32_t)},
        {&fused->marks, 2, device->search.real},
    };
    fused->arrays.queue = solver->queue;
    ARRAYS_SET(&fused->arrays, list);
    return arrays_create(&fused->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct fused *fused = fused_of(solver);
    if (!fused)
        return;
    fused_share_destroy(&fused->share);
    arrays_destroy(&fused->arrays);
    free(fused);
    solver->method.state = NULL;
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Launches `kernel`, pso_init or pso_step. If several devices share the swarm, also finds the best of the
 * whole swarm. */
static enum shoal_status launch(struct shoal_solver *solver, struct shoal_kernel *kernel,
                                const struct fused_launch *launch, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct fused *fused = solver->method.state;
    const enum shoal_status status =
        LAUNCH(pso_step, solver->queue, kernel, fused->groups, error, .x = device->x, .v = device->v,
               .p = device->p, .best = device->best, .pending = fused->pending,
               .group_value = fused->best.value, .group_index = fused->best.index,
               .group_position = fused->best.position, .slots = fused->slots, .marks = fused->marks,
               .words = device->search.words, .settings = device->search.settings, .launch = launch);
    return status || !fused->share
               ? status
               : fused_share_join(solver, fused->share, &fused->best, fused->groups, launch->step & 1, error);
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct fused *fused = solver->method.state;
    const enum shoal_status status =
        shoal_buffer_fill(solver->queue, fused->slots, 0, shoal_buffer_size(fused->slots), 0, error);
    return status ? status : launch(solver, fused->init, &fused->launch, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct fused *fused = solver->method.state;
    struct fused_launch now = fused->launch;
    const uint64_t each = fused->makes_many ? STEPS_IN_LAUNCH : 1, end = device->search.steps + steps;
    enum shoal_status status = SHOAL_OK;
    for (uint64_t step = device->search.steps + 1; step <= end && !status; step += each) {
        now.step = (uint32_t)step;
        now.steps = (uint32_t)(end - step + 1 < each ? end - step + 1 : each);
        status = launch(solver, fused->step, &now, error);
    }
    return status;
}

static enum shoal_status collect(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct fused *fused = solver->method.state;
    return LAUNCH(pso_collect, solver->queue, fused->collect, fused->groups, error, .x = device->x,
                  .p = device->p, .pending = fused->pending, .group_value = fused->best.value,
                  .group_index = fused->best.index, .group_position = fused->best.position,
                  .slots = fused->slots, .marks = fused->marks, .words = device->search.words,
                  .reals = device->search.reals, .champion = device->search.champion,
                  .settings = device->search.settings, .launch = &fused->launch);
}

/* Restore ---------------------------------------------------------------------------------------------- */

static void put_real(const struct pso_device *device, char *reals, size_t index, double wide)
{
    float narrow = (float)wide;
    memcpy(reals + index * device->search.real,
           device->search.precision == SHOAL_FP64 ? (void *)&wide : &narrow, device->search.real);
}

/* Called after a checkpoint was loaded: writes the island's best to the row of the first group, and sets the
 * slot so that the next step finds the island's record. */
static enum shoal_status restore_tables(struct shoal_solver *solver, const uint32_t words[ISLAND_WORDS],
                                        const void *reals, const void *champion, struct shoal_error *error)
{
    const struct pso_device *device = pso_device_of(solver);
    const struct fused *fused = solver->method.state;
    const size_t real = device->search.real, bytes = device->problem.search.dim * real;
    const size_t slot = (size_t)(device->search.steps & 1), row = slot * fused->groups;
    const uint32_t stagnant = words[ISLAND_STAGNANT];
    uint32_t slots[2 * SLOT_WORDS] = {0};
    char marks[2 * sizeof(double)];
    slots[slot * SLOT_WORDS + SLOT_STEPS] = (uint32_t)device->search.steps;
    slots[slot * SLOT_WORDS + SLOT_STAGNANT] = stagnant ? stagnant - 1 : 0;
    for (size_t i = 0; i < 2; i++)
        put_real(device, marks, i, INFINITY);
    if (stagnant)
        memcpy(marks + slot * real, (const char *)reals + ISLAND_MARK * real, real);
    struct shoal_queue *queue = solver->queue;
    enum shoal_status status =
        shoal_buffer_fill(queue, fused->best.index, 0, shoal_buffer_size(fused->best.index), NO_INDEX, error);
    if (!status)
        status = shoal_buffer_write(queue, fused->best.index, row * sizeof *words, &words[ISLAND_GOAL_INDEX],
                                    sizeof *words, error);
    if (!status)
        status = shoal_buffer_write(queue, fused->best.value, row * real,
                                    (const char *)reals + ISLAND_GOAL * real, real, error);
    if (!status)
        status = shoal_buffer_write(queue, fused->best.position, row * bytes, champion, bytes, error);
    if (!status)
        status = shoal_buffer_fill(queue, fused->slots, 0, shoal_buffer_size(fused->slots), 0, error);
    if (!status)
        status = shoal_buffer_write(queue, fused->slots, 0, slots, sizeof slots, error);
    if (!status)
        status = shoal_buffer_write(queue, fused->marks, 0, marks, 2 * real, error);
    if (!status)
        status = shoal_buffer_fill(queue, fused->pending, 0, shoal_buffer_size(fused->pending), 0, error);
    return status;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)checkpoint;
    const struct pso_device *device = pso_device_of(solver);
    const size_t bytes = device->problem.search.dim * device->search.real;
    uint32_t words[ISLAND_WORDS];
    double reals[ISLAND_REALS];
    void *champion = malloc(bytes);
    if (!champion)
        return fail_host_memory(error);
    enum shoal_status status =
        shoal_buffer_read(solver->queue, device->search.words, 0, words, sizeof words, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->search.reals, 0, reals,
                                   ISLAND_REALS * device->search.real, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, device->search.champion, 0, champion, bytes, error);
    if (!status)
        status = restore_tables(solver, words, reals, champion, error);
    free(champion);
    return status;
}

const struct search_method pso_fused_method = {
    .base = {.name = "fused",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .load = load},
    .evaluation_bytes = pso_evaluation_bytes,
    .collect = collect,
    .shares_members = true,
};
