/* The method "thesis": a work-group for each island, a work-item for each individual, many generations in a
 * launch. The mathematics is in cl/ga/thesis/thesis.cl; the last generation of a launch is settled as those
 * of the pipeline are. */
#include "base/error.h"
#include "ga/methods/pipeline.h"
#include "ga/thesis/thesis.h"
#include "search/device/launches.h"

#include <stdlib.h>

struct thesis {
    struct ga_pipeline_state pipeline; /* its exchange and the ends of steps */
    struct shoal_kernel *run;
    struct search_launches launches;
    struct shoal_buffer *generators; /* GA_GENERATOR_WORDS for each member */
    struct shoal_buffer *mailbox;    /* see cl/ga/thesis/thesis.clh; NULL: there is none */
    struct arrays arrays;
};

static struct thesis *thesis_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static enum shoal_status fits(const struct method *method, const void *populations,
                              const struct shoal_device_info *info, struct shoal_error *error)
{
    const struct ga_problem *problem = populations;
    const char *lacks = problem->params->random != SHOAL_GA_HYBRIDTAUS
                            ? "random numbers other than hybridtaus"
                        : problem->search.has_genome ? "genes that are not all reals"
                                                     : ga_objective_lacks(problem);
    struct ga_thesis_plan plan;
    if (info->is_host)
        return fail(error, SHOAL_UNSUPPORTED, "the host device runs no kernels: method %s", method->name);
    if (lacks)
        return method_lacks(method, lacks, error);
    return ga_thesis_plan(problem, info, &plan, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, const struct ga_thesis_plan *plan,
                               struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"ga_thesis", &thesis_of(solver)->run}};
    struct defines defines = {.count = 0};
    ga_program_defines(solver, &ga_thesis_program, &defines);
    define_add(&defines, "HELPERS", plan->helpers);
    define_add(&defines, "MEMBERS", (int64_t)ga_device_of(solver)->problem.search.members);
    define_add(&defines, "MIGRANTS", (int64_t)plan->migrants);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, &ga_thesis_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

static void list_arrays(struct shoal_solver *solver, const struct ga_thesis_plan *plan)
{
    const struct ga_device *device = ga_device_of(solver);
    struct thesis *thesis = thesis_of(solver);
    const size_t words = device->problem.search.total * GA_GENERATOR_WORDS;
    const size_t mail = device->problem.search.islands * plan->migrants * device->problem.search.dim *
                        (device->search.real / sizeof(uint32_t));
    const struct array list[] = {
        {&thesis->generators, (double)words, sizeof(uint32_t), ARRAY_SAVE, "generators", words},
        {&thesis->mailbox, (double)mail, sizeof(uint64_t), ARRAY_SAVE | ARRAY_ZERO, "mailbox", mail},
    };
    thesis->arrays.queue = solver->queue;
    ARRAYS_SET(&thesis->arrays, list);
}

/* A tile is an island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ga_device *device = ga_device_of(solver);
    struct thesis *thesis = solver->method.state = calloc(1, sizeof *thesis);
    struct ga_thesis_plan plan;
    if (!thesis)
        return fail_host_memory(error);
    solver->method.tile = device->problem.search.members;
    thesis->pipeline.is_on_chip = true;
    thesis->launches = search_launches_new();
    enum shoal_status status =
        ga_thesis_plan(&device->problem, shoal_device_get_info(solver->device), &plan, error);
    if (!status)
        status = build(solver, &plan, error);
    if (status)
        return status;
    list_arrays(solver, &plan);
    status = search_check_memory(&device->problem.search, &thesis->arrays, arrays_bytes(&device->search.own),
                                 error);
    if (!status)
        status = ga_pipeline_create(solver, error);
    return status ? status : arrays_create(&thesis->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    if (thesis_of(solver))
        arrays_destroy(&thesis_of(solver)->arrays);
    ga_pipeline_destroy(solver);
}

/* Steps ------------------------------------------------------------------------------------------------ */

static enum shoal_status launch(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct search_problem *problem = &device->problem.search;
    const struct thesis *thesis = thesis_of(solver);
    const struct shoal_arg args[] = {
        shoal_arg_buffer(device->x),
        shoal_arg_buffer(device->best),
        shoal_arg_buffer(device->search.words),
        shoal_arg_buffer(device->search.reals),
        shoal_arg_buffer(device->search.champion),
        shoal_arg_buffer(device->search.trace),
        shoal_arg_buffer(device->search.settings),
        shoal_arg_buffer(thesis->pipeline.rates),
        shoal_arg_buffer(thesis->generators),
        shoal_arg_buffer(thesis->mailbox),
        shoal_arg_uint((uint32_t)problem->run_islands),
        shoal_arg_uint((uint32_t)step),
        shoal_arg_uint((uint32_t)steps),
        shoal_arg_uint((uint32_t)problem->params->stagnation),
        shoal_arg_uint((uint32_t)problem->params->trace),
        shoal_arg_uint((uint32_t)problem->params->exchange),
        shoal_arg_uint(thesis->pipeline.shape.has_rate_list),
    };
    return shoal_launch(solver->queue, thesis->run, problem->islands, args, COUNT(args), NULL, error);
}

/* Steps step .. step + steps - 1, with an exchange of epochs after the last at most. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    enum shoal_status status = launch(solver, step, steps, error);
    return status ? status : ga_end_step(solver, (uint32_t)(step + steps - 1), error);
}

static enum shoal_status seed_generators(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = &ga_device_of(solver)->problem.search;
    const size_t members = problem->members * problem->run_islands, words = members * GA_GENERATOR_WORDS;
    uint32_t *states = malloc(words * sizeof *states);
    enum shoal_status status = states ? SHOAL_OK : fail_host_memory(error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        ga_thesis_seed(problem->params->seed + run, 0, members, states);
        status = shoal_buffer_write(solver->queue, thesis_of(solver)->generators,
                                    run * words * sizeof *states, states, words * sizeof *states, error);
    }
    free(states);
    return status;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    enum shoal_status status = arrays_zero(&thesis_of(solver)->arrays, error);
    if (!status)
        status = seed_generators(solver, error);
    return status ? status : make_steps(solver, 0, 1, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    return search_launches_advance(solver, &thesis_of(solver)->launches, steps, make_steps, error);
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    return arrays_save(&thesis_of(solver)->arrays, checkpoint, error);
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    return arrays_load(&thesis_of(solver)->arrays, checkpoint, error);
}

const struct search_method ga_thesis_method = {
    .base = {.name = "thesis",
             .fits = fits,
             .create = create,
             .destroy = destroy,
             .begin = begin,
             .advance = advance,
             .save = save,
             .load = load},
    .is_on_chip = true,
};
