/* The ants on the host: memory, steps, checkpoints. */
#include "tsp/ants/host.h"

#include "base/error.h"
#include "compute/queue.h"

#include <omp.h>
#include <stdlib.h>

#include "tsp/ants/rules.h"

static struct ants_host *host_of(const struct shoal_solver *solver)
{
    return tsp_run_of(solver)->own;
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
    };
    ARRAYS_SET(&host->arrays, list);
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
    tsp_run_of(solver)->own = host;
    if (!host)
        return fail_host_memory(error);
    enum shoal_status status = ants_create(solver, &host->ants, error);
    if (status)
        return status;
    list_arrays(host);
    tsp_run_of(solver)->arrays = &host->arrays;
    status = tsp_check_memory(solver, &host->arrays, error);
    if (!status)
        status = arrays_create(&host->arrays, error);
    if (status)
        return status;
    host->threads = tsp_threads(solver);
    host->cut = &tsp_run_of(solver)->cut;
    host->rescued = SIZE_MAX;
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
    arrays_destroy(&host->arrays);
    ants_destroy(&host->ants);
    free(host);
    tsp_run_of(solver)->own = NULL;
}

static enum shoal_status prepare(struct shoal_solver *solver, struct shoal_error *error)
{
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
    const enum shoal_status status = prepare(solver, error);
    if (status)
        return status;
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

/* Tours of this step, in host->lengths. */
static size_t tours_begin(const struct ants_host *host)
{
    return 2 * (size_t)host->ants.settings->colonies;
}

static size_t tours_end(const struct ants_host *host)
{
    const struct ants_settings *settings = host->ants.settings;
    return tours_begin(host) + (size_t)settings->colonies * settings->ants;
}

static size_t trails_bytes(const struct ants_host *host)
{
    const struct ants_settings *settings = host->ants.settings;
    return (size_t)settings->colonies * settings->cities * settings->entries * sizeof *host->trails;
}

static void begin_step(struct ants_host *host)
{
    host->rescued = SIZE_MAX;
    for (size_t i = tours_begin(host); i < tours_end(host); i++)
        host->lengths[i] = ANTS_NO_LENGTH;
    if (host->kept)
        memcpy(host->kept, host->trails, trails_bytes(host));
}

/* The step may be made again. The shortest of its tours, or the one before them, is a result if there is no
 * other. */
static void drop_step(const struct shoal_solver *solver)
{
    struct ants_host *host = host_of(solver);
    for (size_t i = tours_begin(host); i < tours_end(host); i++)
        if (host->lengths[i] < (host->rescued < SIZE_MAX ? host->lengths[host->rescued] : ANTS_NO_LENGTH))
            host->rescued = i;
    if (host->rescued == SIZE_MAX)
        tsp_set_draft(solver, host->ants.first);
    if (!host->kept)
        return;
    memcpy(host->trails, host->kept, trails_bytes(host));
    for (uint32_t c = 0; c < host->ants.settings->colonies; c++)
        ants_host_fill(host, c, NULL);
}

/* The part of a step that a thread does; each loop ends with all threads. */
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
#pragma omp for schedule(static) nowait
    for (uint32_t c = 0; c < colonies; c++)
        ants_host_finish(host, c, step);
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

/* Of a first step that was cut. */
static bool is_rescued(const struct ants_host *host)
{
    return host->rescued < SIZE_MAX &&
           host->colonies[ants_best_colony(&host->ants, host->colonies)].best == ANTS_NO_LENGTH;
}

static enum shoal_status look(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error)
{
    (void)error;
    const struct ants_host *host = host_of(solver);
    ants_look(&host->ants, host->colonies, tsp_run_of(solver)->steps, look);
    if (is_rescued(host))
        look->best = host->lengths[host->rescued];
    return SHOAL_OK;
}

static enum shoal_status tour(struct shoal_solver *solver, uint32_t *tour, struct shoal_error *error)
{
    (void)error;
    const struct ants_host *host = host_of(solver);
    const size_t n = host->ants.settings->cities;
    const size_t best =
        is_rescued(host) ? host->rescued : ANTS_BEST(ants_best_colony(&host->ants, host->colonies));
    memcpy(tour, &host->tours[best * n], n * sizeof *tour);
    return SHOAL_OK;
}

/* Checkpoint -------------------------------------------------------------------------------------------- */

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct ants_host *host = host_of(solver);
    host->rescued = SIZE_MAX;
    enum shoal_status status = prepare(solver, error);
    if (!status)
        status = ants_check_saved(&host->ants, checkpoint, tsp_run_of(solver)->steps, error);
    if (!status)
        status = arrays_load(&host->arrays, checkpoint, error);
    for (uint32_t c = 0; c < host->ants.settings->colonies && !status; c++) {
        host->lengths[ANTS_BEST(c)] = host->colonies[c].best;
        host->lengths[ANTS_RESTART_BEST(c)] = host->colonies[c].restart_best;
        ants_host_fill(host, c, host->cut);
    }
    return status ? status : long_step_status(host->cut, error);
}

/* Lengths of all tours of the last step. */
static size_t state_count(const struct shoal_solver *solver)
{
    const struct ants_settings *settings = host_of(solver)->ants.settings;
    return (size_t)settings->colonies * settings->ants;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    const struct ants_host *host = host_of(solver);
    for (size_t i = 0; i < state_count(solver); i++)
        values[i] = (double)host->lengths[tours_begin(host) + i];
    return SHOAL_OK;
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

const struct tsp_ops ants_host_ops = {.create = create,
                                      .destroy = destroy,
                                      .begin = begin,
                                      .advance = advance,
                                      .look = look,
                                      .tour = tour,
                                      .load = load,
                                      .state_count = state_count,
                                      .get_state = get_state,
                                      .add_fields = add_fields,
                                      .progress = progress};
