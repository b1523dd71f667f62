/* The ants on the host: memory, steps, checkpoints. */
#include "tsp/ants/host.h"

#include "base/error.h"

#include <omp.h>
#include <stdlib.h>

#include "tsp/ants/rules.h"

static struct ants_host *host_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ------------------------------------------------------------------------------------------------ */

static void list_arrays(struct ants_host *host)
{
    const struct ants_settings *settings = host->ants.settings;
    const double colonies = settings->colonies, n = settings->cities,
                 tours = colonies * (settings->ants + 2.0);
    const double values = colonies * n * settings->entries, deposits = colonies * settings->deposits;
    const size_t saved = 2 * (size_t)settings->colonies * settings->cities;
    const struct array list[] = {
        {&host->tours, tours * n, sizeof *host->tours, ARRAY_SAVE, "best tours", saved},
        {&host->lengths, tours, sizeof *host->lengths},
        {&host->trails, values, sizeof *host->trails, ARRAY_SAVE, "pheromone",
         (size_t)settings->colonies * settings->cities * settings->entries},
        {&host->weights, values, sizeof *host->weights},
        {&host->colonies, colonies, sizeof *host->colonies, ARRAY_SAVE, "colonies", settings->colonies},
        {&host->sources, deposits, sizeof *host->sources},
        {&host->deposits, deposits, sizeof *host->deposits},
        {&host->links, deposits * n, sizeof *host->links},
        {&host->sent, host->every ? n : 0, sizeof *host->sent},
    };
    ARRAYS_SET(&host->common.arrays, list);
}

/* Returns the index in host->lengths of the first tour that ants construct in a step; the best tours of the
 * colonies come before. */
static size_t tours_begin(const struct ants_host *host)
{
    return 2 * (size_t)host->ants.settings->colonies;
}

static size_t tours_end(const struct ants_host *host)
{
    const struct ants_settings *settings = host->ants.settings;
    return tours_begin(host) + (size_t)settings->colonies * settings->ants;
}

static bool allocate_scratch(const struct ants_host *host, struct ants_scratch *scratch)
{
    const struct ants_settings *settings = host->ants.settings;
    const size_t n = settings->cities, words = (n + 31) / 32;
    const uint32_t walks = host->ants.algorithm == ANTS_ACS ? settings->ants : 1;
    scratch->visited = malloc(walks * words * sizeof *scratch->visited);
    scratch->walks = malloc(ants_host_walks_bytes(walks));
    scratch->place = malloc(n * sizeof *scratch->place);
    scratch->sums = malloc(settings->entries * sizeof *scratch->sums);
    scratch->is_worst = malloc(settings->entries * sizeof *scratch->is_worst);
    if (!scratch->visited || !scratch->walks || !scratch->place || !scratch->sums || !scratch->is_worst)
        return false;
    memset(scratch->place, -1, n * sizeof *scratch->place);
    return true;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ants_host *host = calloc(1, sizeof *host);
    solver->method.state = host;
    if (!host)
        return fail_host_memory(error);
    enum shoal_status status = ants_create(solver, &host->ants, error);
    if (status)
        return status;
    host->every = tsp_params(solver)->exchange;
    list_arrays(host);
    status = tsp_check_memory(solver, &host->common.arrays, error);
    if (!status)
        status = arrays_create(&host->common.arrays, error);
    if (status)
        return status;
    ants_set_colonies(&host->ants, host->colonies, &host->common);
    host->common.tours = host->tours;
    host->common.numbers = host->lengths + tours_begin(host);
    host->threads = solver_threads(solver);
    host->cut = &tsp_run_of(solver)->cut;
    host->choice = (struct thread_choice){.most = host->threads};
    host->scratch = calloc((size_t)host->threads, sizeof *host->scratch);
    if (!host->scratch)
        return fail_host_memory(error);
    for (int i = 0; i < host->threads; i++)
        if (!allocate_scratch(host, &host->scratch[i]))
            return fail_host_memory(error);
    return SHOAL_OK;
}

static void destroy(struct shoal_solver *solver)
{
    struct ants_host *host = host_of(solver);
    if (!host)
        return;
    for (int i = 0; host->scratch && i < host->threads; i++) {
        free(host->scratch[i].visited);
        free(host->scratch[i].walks);
        free(host->scratch[i].place);
        free(host->scratch[i].sums);
        free(host->scratch[i].is_worst);
        tsp_improver_destroy(&host->scratch[i].improver);
    }
    free(host->scratch);
    free(host->kept);
    arrays_destroy(&host->common.arrays);
    ants_destroy(&host->ants);
    free(host);
}

static enum shoal_status prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    (void)is_first; /* the first tour is always needed, since its length is the unit of pheromone */
    struct ants_host *host = host_of(solver);
    enum shoal_status status = ants_prepare(solver, &host->ants, error);
    const struct tsp_improve_rules rules = {.moves = (enum tsp_moves)host->ants.moves,
                                            .no_bits = host->ants.no_bits,
                                            .lists = host->ants.near,
                                            .neighbours = host->ants.neighbours};
    for (int i = 0; i < host->threads && host->ants.settings->improves && !status; i++)
        if (!host->scratch[i].improver)
            status = tsp_improver_create(host->ants.problem, &rules, &host->scratch[i].improver, error);
    return status;
}

/* Steps ------------------------------------------------------------------------------------------------- */

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct ants_host *host = host_of(solver);
    const struct ants_settings *settings = host->ants.settings;
    const bool has_tour = tsp_run_of(solver)->start_tour;
    const size_t n = settings->cities;
    for (uint32_t c = 0; c < settings->colonies; c++) {
        const int64_t length = has_tour ? settings->first - settings->base : ANTS_NO_LENGTH;
        ants_begin(*settings, &host->colonies[c], length);
        for (uint32_t i = 0; i < 2; i++) {
            memcpy(&host->tours[(ANTS_BEST(c) + i) * n], host->ants.first, n * sizeof *host->tours);
            host->lengths[ANTS_BEST(c) + i] = length;
        }
        ants_host_fill(host, c, host->cut);
    }
    return tsp_start_status(solver, host->ants.first, error);
}

static size_t trails_bytes(const struct ants_host *host)
{
    const struct ants_settings *settings = host->ants.settings;
    return (size_t)settings->colonies * settings->cities * settings->entries * sizeof *host->trails;
}

static void begin_step(struct ants_host *host)
{
    for (size_t i = tours_begin(host); i < tours_end(host); i++)
        host->lengths[i] = ANTS_NO_LENGTH;
    if (host->kept)
        memcpy(host->kept, host->trails, trails_bytes(host));
}

/* Called when a step was cut, since the step is repeated later. The shortest tour of the cut step, or the
 * first tour if the step has no tour, becomes the draft, which is the result if the run finds no other tour.
 * With acs, the trails from before the step are restored. */
static void drop_step(const struct shoal_solver *solver)
{
    struct ants_host *host = host_of(solver);
    size_t best = tours_begin(host);
    for (size_t i = best; i < tours_end(host); i++)
        best = host->lengths[i] < host->lengths[best] ? i : best;
    tsp_set_draft(solver, host->lengths[best] < ANTS_NO_LENGTH
                              ? &host->tours[best * host->ants.settings->cities]
                              : host->ants.first);
    if (!host->kept)
        return;
    memcpy(host->trails, host->kept, trails_bytes(host));
    for (uint32_t c = 0; c < host->ants.settings->colonies; c++)
        ants_host_fill(host, c, NULL);
}

/* The work of one thread in a step. All threads of the team finish a loop before any begins the next. */
static void step_of_thread(void *own, uint32_t step)
{
    struct ants_host *host = own;
    const struct ants_settings *settings = host->ants.settings;
    struct ants_scratch *scratch = &host->scratch[omp_get_thread_num()];
    const uint32_t colonies = settings->colonies, n = settings->cities, deposits = settings->deposits;
    const bool together = host->ants.algorithm == ANTS_ACS;
    const uint32_t ants = together ? 1 : settings->ants;
#pragma omp single
    begin_step(host);
#pragma omp for schedule(dynamic)
    for (uint32_t i = 0; i < colonies * ants; i++) {
        if (long_step_is_cut(host->cut))
            continue;
        if (together)
            ants_host_walk_together(host, i, step, scratch);
        else
            ants_host_walk(host, i / ants, i % ants, step, scratch);
    }
    if (long_step_is_cut(host->cut))
        return;
#pragma omp for schedule(static)
    for (uint32_t c = 0; c < colonies; c++)
        ants_host_settle(host, c, step);
#pragma omp for schedule(static)
    for (uint64_t i = 0; i < (uint64_t)colonies * deposits; i++)
        ants_host_link(host, (uint32_t)(i / deposits), (uint32_t)(i % deposits));
#pragma omp for schedule(static)
    for (uint64_t i = 0; i < (uint64_t)colonies * n; i++) {
        struct ants_colony *colony = &host->colonies[i / n];
        uint32_t apart;
        const uint32_t branches =
            ants_host_renew(host, (uint32_t)(i / n), (uint32_t)(i % n), scratch, &apart);
#pragma omp atomic
        colony->branches += branches;
#pragma omp atomic
        colony->apart += apart;
    }
#pragma omp for schedule(static)
    for (uint32_t c = 0; c < colonies; c++)
        ants_host_finish(host, c, step);
#pragma omp single nowait
    if (host->every && step % host->every == 0)
        ants_host_exchange(host, step);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct ants_host *host = host_of(solver);
    if (solver->must_end && host->ants.algorithm == ANTS_ACS && !host->kept) {
        host->kept = malloc(trails_bytes(host));
        if (!host->kept)
            return fail_host_memory(error);
    }
    tsp_advance_threads(solver, &host->choice, steps, step_of_thread, host);
    if (tsp_run_of(solver)->dropped)
        drop_step(solver);
    return SHOAL_OK;
}

/* Checkpoint -------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct ants_host *host = host_of(solver);
    enum shoal_status status = ants_check_saved(&host->ants, checkpoint, tsp_run_of(solver)->steps, error);
    if (!status)
        status = arrays_load(&host->common.arrays, checkpoint, error);
    for (uint32_t c = 0; c < host->ants.settings->colonies && !status; c++) {
        host->lengths[ANTS_BEST(c)] = host->colonies[c].best;
        host->lengths[ANTS_RESTART_BEST(c)] = host->colonies[c].restart_best;
        ants_host_fill(host, c, host->cut);
    }
    return status ? status : long_step_status(host->cut, error);
}

static void add_fields(const struct shoal_solver *solver, struct shoal_result *result)
{
    const struct ants_host *host = host_of(solver);
    ants_add_fields(tsp_run_of(solver), host->colonies, host->ants.settings->colonies, result);
}

static uint64_t progress(const struct shoal_solver *solver)
{
    return atomic_load_explicit(&host_of(solver)->visits, memory_order_relaxed);
}

const struct tsp_method ants_host_method = {.base = {.name = "host",
                                                     .create = create,
                                                     .destroy = destroy,
                                                     .begin = begin,
                                                     .advance = advance,
                                                     .save = tsp_colonies_save,
                                                     .load = load},
                                            TSP_COLONIES_METHOD,
                                            .prepare = prepare,
                                            .add_fields = add_fields,
                                            .progress = progress};
