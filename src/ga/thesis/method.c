/* The method "thesis": a work-group for each island, a work-item for each individual, and many generations in
 * a launch. The kernel is in cl/ga/thesis/thesis.cl. Further launches end the last step of a launch; if an
 * exchange follows between two launches, the next launch ends it. */
#include "base/error.h"
#include "ga/device/generation.h"
#include "ga/thesis/thesis.h"
#include "search/device/launches.h"

#include <stdlib.h>

#include "cl/ga/thesis/layout.clh"

struct thesis {
    struct ga_generation generation;
    /* alone: kernel for steps without exchange; NULL: `run` makes all steps */
    struct shoal_kernel *run, *alone;
    struct search_launches launches;
    bool has_epochs;
    uint64_t last;                   /* last step of the call of `advance` in progress */
    struct shoal_buffer *generators; /* GA_GENERATOR_WORDS words for each member, in tiles */
    struct shoal_buffer *mailbox;    /* see cl/ga/thesis/exchange.clh; NULL: there are no mailboxes */
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
    const char *lacks = !problem->thesis.generator_words ? "random numbers other than hybridtaus"
                        : problem->search.has_genome     ? "genes that are not all reals"
                                                         : ga_objective_lacks(problem);
    struct ga_thesis_plan plan;
    if (lacks)
        return method_lacks(method, lacks, error);
    return ga_thesis_plan(problem, info, &plan, error);
}

/* Create ----------------------------------------------------------------------------------------------- */

static enum shoal_status build(struct shoal_solver *solver, const struct ga_thesis_plan *plan,
                               struct shoal_kernel **kernel, struct shoal_error *error)
{
    const struct entry_kernel kernels[] = {{"ga_thesis", kernel}};
    struct defines defines = {.count = 0};
    ga_program_defines(solver, &ga_thesis_program, &defines);
    define_add(&defines, "ARRIVALS", (int64_t)plan->arrivals);
    define_add(&defines, "EPOCHS", plan->has_epochs);
    define_add(&defines, "HELPERS", plan->helpers);
    define_add(&defines, "MEMBERS", (int64_t)ga_device_of(solver)->problem.search.members);
    define_add(&defines, "MIGRANTS", (int64_t)plan->migrants);
    define_add(&defines, "MIN_GROUPS", plan->min_groups);
    define_add(&defines, "ONE_SOURCE", plan->one_source);
    define_add(&defines, "POOL", (int64_t)plan->pool);
    define_add(&defines, "SELECT_CROSSING", ga_device_of(solver)->problem.thesis.select_crossing);
    define_add(&defines, "WG", plan->work_group);
    return programs_build(&solver->programs, &ga_thesis_program, &defines, kernels, COUNT(kernels), NULL,
                          error);
}

/* Builds the kernels. On a GPU, islands with mailboxes have a second kernel for steps without exchange, which
 * needs fewer registers and work-items. A single island that sends to itself has only one kernel: two kernels
 * may round differently, and results must not depend on the lengths of launches. */
static enum shoal_status build_all(struct shoal_solver *solver, const struct ga_thesis_plan *plan,
                                   struct shoal_error *error)
{
    const struct search_problem *problem = search_device_of(solver)->problem;
    struct thesis *thesis = thesis_of(solver);
    struct ga_thesis_plan alone = *plan;
    alone.migrants = alone.arrivals = 0;
    alone.work_group -= alone.helpers;
    alone.helpers = 0;
    enum shoal_status status = build(solver, plan, &thesis->run, error);
    if (!status && problem->has_mailbox && problem->run_islands > 1 && plan->work_group > 1)
        status = build(solver, &alone, &thesis->alone, error);
    return status;
}

static void list_arrays(struct shoal_solver *solver, const struct ga_thesis_plan *plan)
{
    const struct ga_device *device = ga_device_of(solver);
    struct thesis *thesis = thesis_of(solver);
    const size_t words = device->problem.search.total * GA_GENERATOR_WORDS;
    /* With epochs, a mailbox also has values, and there are two sets of mailboxes, for odd and for even
     * exchanges. */
    const size_t numbers = device->problem.search.dim + plan->has_epochs, turns = plan->has_epochs ? 2 : 1;
    const size_t mail = turns * device->problem.search.islands * plan->migrants * numbers *
                        (device->search.real / sizeof(uint32_t));
    const struct array list[] = {
        {&thesis->generators, (double)words, sizeof(uint32_t), ARRAY_SAVE, "generators", words},
        {&thesis->mailbox, (double)mail, sizeof(uint64_t), (plan->has_epochs ? 0 : ARRAY_SAVE) | ARRAY_ZERO,
         "mailbox", mail},
    };
    thesis->arrays.queue = solver->queue;
    ARRAYS_SET(&thesis->arrays, list);
}

/* Creates the method. A tile has the members of one island. */
static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ga_device *device = ga_device_of(solver);
    struct thesis *thesis = solver->method.state = calloc(1, sizeof *thesis);
    struct ga_thesis_plan plan;
    if (!thesis)
        return fail_host_memory(error);
    solver->method.tile = device->problem.search.members;
    thesis->launches = search_launches_new();
    enum shoal_status status =
        ga_thesis_plan(&device->problem, shoal_device_get_info(solver->device), &plan, error);
    if (!status)
        status = build_all(solver, &plan, error);
    if (status)
        return status;
    thesis->has_epochs = plan.has_epochs;
    list_arrays(solver, &plan);
    ga_generation_plan(solver, &thesis->generation, 0);
    status = ga_generation_create(solver, &thesis->generation, arrays_bytes(&thesis->arrays), error);
    return status ? status : arrays_create(&thesis->arrays, error);
}

static void destroy(struct shoal_solver *solver)
{
    struct thesis *thesis = thesis_of(solver);
    if (!thesis)
        return;
    arrays_destroy(&thesis->arrays);
    ga_generation_destroy(&thesis->generation);
    free(thesis);
    solver->method.state = NULL;
}

/* Steps ------------------------------------------------------------------------------------------------ */

/* Returns the kernel for a launch: `alone` if it exists and the steps have no exchange, else `run`. */
static struct shoal_kernel *kernel_of(const struct shoal_solver *solver, uint64_t step, uint64_t steps)
{
    const struct thesis *thesis = thesis_of(solver);
    const uint64_t interval = search_device_of(solver)->problem->params->exchange, end = step + steps - 1;
    return thesis->alone && (step == 0 || end / interval == (step - 1) / interval) ? thesis->alone
                                                                                   : thesis->run;
}

static enum shoal_status launch(struct shoal_solver *solver, uint64_t step, uint64_t steps, uint32_t epochs,
                                struct shoal_error *error)
{
    const struct ga_device *device = ga_device_of(solver);
    const struct search_problem *problem = &device->problem.search;
    const struct thesis *thesis = thesis_of(solver);
    return LAUNCH(ga_thesis, solver->queue, kernel_of(solver, step, steps), problem->islands, error,
                  .x = device->x, .best = device->best, .words = device->search.words,
                  .reals = device->search.reals, .champion = device->search.champion,
                  .settings = device->search.settings, .rates = thesis->generation.rates,
                  .generators = thesis->generators, .mailbox = thesis->mailbox, .links = device->search.links,
                  .run_islands = (uint32_t)problem->run_islands, .first = (uint32_t)step,
                  .steps = (uint32_t)steps, .stagnation = (uint32_t)problem->params->stagnation,
                  .exchange = (uint32_t)problem->params->exchange,
                  .has_list = thesis->generation.shape.has_rate_list, .epochs = epochs);
}

static bool is_exchanged(const struct shoal_solver *solver, uint64_t step)
{
    return thesis_of(solver)->has_epochs &&
           step % search_exchange_interval(search_device_of(solver)->problem) == 0;
}

/* Whether an exchange follows step `step` and uses the odd set of mailboxes. */
static bool is_odd(const struct shoal_solver *solver, uint64_t step)
{
    return is_exchanged(solver, step) &&
           step / search_exchange_interval(search_device_of(solver)->problem) % 2 == 1;
}

/* Enqueues the steps step .. step + steps - 1. With epochs, islands may exchange only after the last of these
 * steps. If the next launch is in the same call, this launch sends the migrants, and the next launch receives
 * them. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t step, uint64_t steps,
                                    struct shoal_error *error)
{
    const uint64_t end = step + steps - 1;
    const bool begins = step > search_device_of(solver)->steps + 1 && is_exchanged(solver, step - 1),
               ends = end < thesis_of(solver)->last && is_exchanged(solver, end);
    const uint32_t epochs = (begins ? EPOCH_BEGINS : 0) | (ends ? EPOCH_ENDS : 0) |
                            (is_odd(solver, step - 1) ? EPOCH_FROM_ODD : 0) |
                            (is_odd(solver, end) ? EPOCH_TO_ODD : 0);
    enum shoal_status status = launch(solver, step, steps, epochs, error);
    return status || ends ? status
                          : ga_end_step(solver, &thesis_of(solver)->generation, (uint32_t)end, error);
}

/* Converts words to tiles. A tile has the first words of all members of an island, then their second words,
 * and so on. */
static void lay_in_tiles(const uint32_t *words, size_t members, size_t tile, uint32_t *states)
{
    for (size_t i = 0; i < members; i++)
        for (size_t w = 0; w < GA_GENERATOR_WORDS; w++)
            states[(i / tile * GA_GENERATOR_WORDS + w) * tile + i % tile] = words[i * GA_GENERATOR_WORDS + w];
}

static enum shoal_status seed_generators(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct search_problem *problem = &ga_device_of(solver)->problem.search;
    const size_t members = problem->members * problem->run_islands, count = members * GA_GENERATOR_WORDS;
    uint32_t *words = malloc(2 * count * sizeof *words), *states = words ? words + count : NULL;
    enum shoal_status status = words ? SHOAL_OK : fail_host_memory(error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        ga_thesis_seed(problem->params->seed + run, 0, members, words);
        lay_in_tiles(words, members, problem->members, states);
        status = shoal_buffer_write(solver->queue, thesis_of(solver)->generators,
                                    run * count * sizeof *states, states, count * sizeof *states, error);
    }
    free(words);
    return status;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    thesis_of(solver)->last = 0;
    enum shoal_status status = arrays_zero(&thesis_of(solver)->arrays, error);
    if (!status)
        status = seed_generators(solver, error);
    return status ? status : make_steps(solver, 0, 1, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    thesis_of(solver)->last = search_device_of(solver)->steps + steps;
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
};
