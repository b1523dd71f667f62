/* Ask and tell: the swarms of the host solver move, a caller evaluates. */
#include "base/error.h"
#include "pso/optimiser/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Start ------------------------------------------------------------------------------------------------ */

static double no_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    (void)x;
    (void)dim;
    return NAN;
}

/* Placeholder for the evaluating caller. */
static const struct shoal_objective told = {.info = {.size = sizeof(struct shoal_objective_info),
                                                     .name = "the objective that is asked for",
                                                     .formula = "",
                                                     .shape = SHOAL_CALLBACK,
                                                     .lower = NAN,
                                                     .upper = NAN,
                                                     .min_dim = 1,
                                                     .max_dim = 1 << 20,
                                                     .minimum = NAN,
                                                     .minimiser = NAN},
                                            .value = no_value};

static enum shoal_status check_start_point(const struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    const struct pso_problem *problem = &optimiser_host(optimiser)->problem;
    for (size_t d = 0; optimiser->start && d < optimiser->dim; d++)
        if (!(optimiser->start[d] >= problem->search.lower[d] &&
              optimiser->start[d] <= problem->search.upper[d]))
            return fail(error, SHOAL_INVALID,
                        "coordinate %zu of the start point, %g, is outside the box, %g to %g", d,
                        optimiser->start[d], problem->search.lower[d], problem->search.upper[d]);
    return SHOAL_OK;
}

static enum shoal_status start_host(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    optimiser->host = (struct shoal_solver){.workload = shoal_workload_find("pso"),
                                            .ops = &pso_host_ops,
                                            .params = &optimiser->used,
                                            .threads = (int)optimiser->threads};
    enum shoal_status status = optimiser->host.ops->create(&optimiser->host, error);
    if (status)
        return status;
    const struct pso_host *host = optimiser_host(optimiser);
    const size_t polish = optimiser->used.search.polish ? search_polish_capacity(&host->problem.search) : 0;
    optimiser->capacity = pso_host_batch_size(host, 0);
    if (polish > optimiser->capacity)
        optimiser->capacity = polish;
    optimiser->points = malloc(optimiser->capacity * optimiser->dim * sizeof *optimiser->points);
    optimiser->values = malloc(optimiser->capacity * sizeof *optimiser->values);
    if (!optimiser->points || !optimiser->values)
        return fail_host_memory(error);
    return check_start_point(optimiser, error);
}

enum shoal_status optimiser_start(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    if (optimiser->started)
        return SHOAL_OK;
    struct shoal_pso_params *used = &optimiser->used;
    *used = optimiser->params;
    used->search.objective = optimiser->objective ? optimiser->objective : &told;
    used->search.objective_file = used->search.expression = used->search.data_file =
        used->search.data_layout = NULL;
    used->search.squared = used->search.compressed = false;
    used->search.dim = optimiser->dim;
    used->search.lower = used->search.upper = used->search.shift = NAN;
    used->search.lower_bounds = optimiser->lower;
    used->search.upper_bounds = optimiser->upper;
    if (used->search.runs != 1 || used->search.trace != 0)
        return fail(error, SHOAL_INVALID,
                    "an optimiser makes one run without a trace: set runs to 1 and trace to 0");
    if (optimiser->start && optimiser->device)
        return fail(error, SHOAL_INVALID, "a start point is for searches on the host, the device is %s",
                    shoal_device_get_info(optimiser->device)->id);
    enum shoal_status status = shoal_workload_validate(shoal_workload_find("pso"), used, error);
    if (status)
        return status;
    optimiser->started = true; /* from here on a reset cleans up */
    if (!optimiser->device)
        status = start_host(optimiser, error);
    if (status)
        shoal_optimiser_reset(optimiser);
    return status;
}

/* Both on the host; a search on a device evaluates there. */
static enum shoal_status start_asking(struct shoal_optimiser *optimiser, const char *function,
                                      struct shoal_error *error)
{
    if (!optimiser)
        return fail(error, SHOAL_INVALID, "%s: a pointer is NULL", function);
    if (optimiser->device)
        return fail(error, SHOAL_UNSUPPORTED, "%s is for searches on the host, the device is %s", function,
                    shoal_device_get_info(optimiser->device)->id);
    return optimiser_start(optimiser, error);
}

/* Ask -------------------------------------------------------------------------------------------------- */

enum shoal_optimise_result optimiser_limit(const struct shoal_pso_params *params)
{
    const uint64_t each = params->particles * params->search.islands;
    return params->search.evaluations && (params->search.evaluations - 1) / each <= params->search.iterations
               ? SHOAL_OPTIMISE_EVALUATIONS
               : SHOAL_OPTIMISE_ITERATIONS;
}

/* Why the swarm ended, or RUNNING. */
static enum shoal_optimise_result swarm_state(const struct shoal_optimiser *optimiser)
{
    const struct pso_host *host = optimiser_host(optimiser);
    if (!host->drawn || optimiser->place.batch || optimiser->place.asked || !pso_host_ended(host))
        return SHOAL_OPTIMISE_RUNNING;
    if (host->runs->reached)
        return SHOAL_OPTIMISE_TARGET;
    if (host->runs->ended)
        return SHOAL_OPTIMISE_STAGNATED;
    return optimiser_limit(&optimiser->used);
}

static size_t batch_size(const struct shoal_optimiser *optimiser)
{
    return pso_host_batch_size(optimiser_host(optimiser), optimiser->place.batch);
}

static size_t batch_particle(const struct shoal_optimiser *optimiser, size_t number)
{
    return pso_host_batch_particle(optimiser_host(optimiser), 0, optimiser->place.batch, number);
}

static void propose(struct shoal_optimiser *optimiser)
{
    struct pso_host *host = optimiser_host(optimiser);
    const bool first = !host->drawn && optimiser->place.batch == 0;
    pso_host_propose(host, 0, optimiser->place.batch, pso_host_team(host));
    if (first && optimiser->start)
        memcpy(host->x, optimiser->start, optimiser->dim * sizeof *host->x);
    optimiser->place.asked = 1;
}

/* Particles to evaluate; points NULL: only their number. */
static size_t list_batch(const struct shoal_optimiser *optimiser, double *points)
{
    const struct pso_host *host = optimiser_host(optimiser);
    const size_t size = batch_size(optimiser), dim = optimiser->dim;
    size_t count = 0;
    for (size_t number = 0; number < size; number++) {
        const size_t i = batch_particle(optimiser, number);
        if (host->outside[i])
            continue;
        if (points)
            memcpy(points + count * dim, host->x + i * dim, dim * sizeof *points);
        count++;
    }
    return count;
}

/* Takes the values of the particles of list_batch(). */
static void accept(struct shoal_optimiser *optimiser, const double *values)
{
    struct pso_host *host = optimiser_host(optimiser);
    const size_t size = batch_size(optimiser);
    for (size_t number = 0; number < size; number++) {
        const size_t i = batch_particle(optimiser, number);
        const double value = host->outside[i] ? INFINITY : host->problem.search.sign * *values++;
        host->y[i] = isfinite(value) ? value : INFINITY;
    }
    pso_host_accept(host, 0, optimiser->place.batch, pso_host_team(host));
    optimiser->place.asked = 0;
    optimiser->place.batch++;
    if (optimiser->place.batch < pso_host_batches(host))
        return;
    pso_host_settle(host, 0);
    host->drawn = true;
    optimiser->place.batch = 0;
}

/* The pattern search from the end of the swarm. */
static enum shoal_status open_polish(struct shoal_optimiser *optimiser, struct shoal_error *error)
{
    struct pso_host *host = optimiser_host(optimiser);
    const size_t island = pso_host_champion(host, 0);
    if (host->polish)
        return SHOAL_OK;
    return search_polish_create(&host->problem.search, SHOAL_FP64, host->champion + island * optimiser->dim,
                                &host->islands[island].champion, &host->polish, error);
}

/* sign f at the best position, and the position; infinity: none. */
static double find_best(const struct shoal_optimiser *optimiser, const double **position)
{
    const struct pso_host *host = optimiser_host(optimiser);
    const struct pso_problem *problem = &host->problem;
    double best = INFINITY;
    *position = NULL;
    for (size_t k = 0; k < problem->search.islands; k++) {
        const struct pso_host_island *island = &host->islands[k];
        const size_t leader = k * problem->search.members + (size_t)island->leader;
        if (host->drawn && island->champion < best) {
            best = island->champion;
            *position = host->champion + k * problem->search.dim;
        }
        /* In the middle of a step it may be better than any champion. */
        if (host->best[leader] < best) {
            best = host->best[leader];
            *position = host->p + leader * problem->search.dim;
        }
    }
    if (host->polish && *search_polish_best(host->polish) < best) {
        best = *search_polish_best(host->polish);
        *position = search_polish_position(host->polish);
    }
    return best;
}

/* By the swarm or by the polish. */
static bool reached(const struct shoal_optimiser *optimiser)
{
    const double *position;
    return find_best(optimiser, &position) <= optimiser_host(optimiser)->problem.search.target;
}

/* Makes the next points those of the swarm, or of the pattern search; *points NULL: of the swarm. */
static enum shoal_status next_points(struct shoal_optimiser *optimiser, const double **points, size_t *count,
                                     struct shoal_error *error)
{
    *points = NULL;
    *count = 0;
    for (;;) {
        const enum shoal_optimise_result state = swarm_state(optimiser);
        if (state != SHOAL_OPTIMISE_RUNNING) {
            enum shoal_status status =
                optimiser->used.search.polish ? open_polish(optimiser, error) : SHOAL_OK;
            if (!status && optimiser->used.search.polish)
                *count = search_polish_ask(optimiser_host(optimiser)->polish, points);
            if (!status && !*count)
                optimiser->state = reached(optimiser) ? SHOAL_OPTIMISE_TARGET : state;
            return status;
        }
        if (!optimiser->place.asked)
            propose(optimiser);
        *count = list_batch(optimiser, NULL);
        if (*count)
            return SHOAL_OK;
        accept(optimiser, NULL); /* every particle is outside */
    }
}

size_t shoal_optimiser_capacity(struct shoal_optimiser *optimiser)
{
    struct shoal_error ignored;
    return start_asking(optimiser, "shoal_optimiser_capacity", &ignored) ? 0 : optimiser->capacity;
}

enum shoal_status shoal_optimiser_ask(struct shoal_optimiser *optimiser, double *points, size_t capacity,
                                      size_t *count, struct shoal_error *error)
{
    if (!points || !count)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_ask: a pointer is NULL");
    const double *polish;
    *count = 0;
    enum shoal_status status = start_asking(optimiser, "shoal_optimiser_ask", error);
    if (!status)
        status = next_points(optimiser, &polish, count, error);
    if (!status && *count > capacity) {
        status =
            fail(error, SHOAL_INVALID, "there are %zu points to evaluate and room for %zu", *count, capacity);
        *count = 0;
    }
    if (status || !*count)
        return status;
    if (polish)
        memcpy(points, polish, *count * optimiser->dim * sizeof *points);
    else
        list_batch(optimiser, points);
    return SHOAL_OK;
}

static enum shoal_status tell_polish(struct shoal_optimiser *optimiser, const double *values, size_t count,
                                     struct shoal_error *error)
{
    struct pso_host *host = optimiser_host(optimiser);
    double *signed_values = malloc(count * sizeof *signed_values);
    if (!signed_values)
        return fail_host_memory(error);
    for (size_t i = 0; i < count; i++) {
        signed_values[i] = host->problem.search.sign * values[i];
        host->runs->not_finite += !isfinite(values[i]);
    }
    search_polish_tell(host->polish, signed_values);
    free(signed_values);
    return SHOAL_OK;
}

enum shoal_status shoal_optimiser_tell(struct shoal_optimiser *optimiser, const double *values, size_t count,
                                       struct shoal_error *error)
{
    if (!optimiser || !values)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_tell: a pointer is NULL");
    const bool swarm = optimiser->started && !optimiser->device && optimiser->place.asked;
    const double *polish = NULL;
    size_t asked = 0;
    if (swarm)
        asked = list_batch(optimiser, NULL);
    else if (optimiser->started && !optimiser->device && optimiser_host(optimiser)->polish)
        asked = search_polish_ask(optimiser_host(optimiser)->polish, &polish);
    if (!asked)
        return fail(error, SHOAL_INVALID, "no points wait for values: ask first");
    if (count != asked)
        return fail(error, SHOAL_INVALID, "%zu points wait for values, not %zu", asked, count);
    if (swarm)
        accept(optimiser, values);
    else {
        enum shoal_status status = tell_polish(optimiser, values, count, error);
        if (status)
            return status;
    }
    optimiser->place.evaluations += count;
    return SHOAL_OK;
}

/* Results ---------------------------------------------------------------------------------------------- */

bool shoal_optimiser_best(const struct shoal_optimiser *optimiser, double *x, double *value)
{
    if (!optimiser || !optimiser->started || !optimiser->host.state)
        return false;
    const double *position;
    const double best = find_best(optimiser, &position);
    if (!isfinite(best))
        return false;
    if (x)
        memcpy(x, position, optimiser->dim * sizeof *x);
    if (value)
        *value = optimiser_host(optimiser)->problem.search.sign * best;
    return true;
}

uint64_t shoal_optimiser_evaluations(const struct shoal_optimiser *optimiser)
{
    return optimiser ? optimiser->place.evaluations : 0;
}

uint64_t shoal_optimiser_not_finite(const struct shoal_optimiser *optimiser)
{
    return optimiser && optimiser->host.state ? optimiser_host(optimiser)->runs->not_finite : 0;
}

uint64_t shoal_optimiser_steps(const struct shoal_optimiser *optimiser)
{
    if (optimiser && optimiser->host.state)
        return optimiser_host(optimiser)->runs->steps;
    return optimiser ? optimiser->result.steps : 0;
}

enum shoal_optimise_result shoal_optimiser_state(const struct shoal_optimiser *optimiser)
{
    return optimiser ? optimiser->state : SHOAL_OPTIMISE_RUNNING;
}

/* State ------------------------------------------------------------------------------------------------ */

static enum shoal_status damaged(const struct checkpoint *checkpoint, struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "%s is not the state of an optimiser, or is damaged", checkpoint->path);
}

static enum shoal_status fill(struct shoal_optimiser *optimiser, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct pso_host *host = optimiser_host(optimiser);
    const struct pso_problem *problem = &host->problem;
    const size_t bytes = host->polish ? search_polish_bytes(host->polish) : 0;
    void *polish = malloc(bytes ? bytes : 1);
    if (!polish)
        return fail_host_memory(error);
    if (bytes)
        search_polish_get(host->polish, polish);
    checkpoint_add_copy(checkpoint, "polished", polish, bytes);
    optimiser->place.drawn = host->drawn;
    checkpoint_add(checkpoint, "place", &optimiser->place, sizeof optimiser->place);
    checkpoint_add(checkpoint, "lower", problem->search.lower,
                   problem->search.dim * sizeof *problem->search.lower);
    checkpoint_add(checkpoint, "upper", problem->search.upper,
                   problem->search.dim * sizeof *problem->search.upper);
    checkpoint_add(checkpoint, "outside", host->outside, problem->search.total);
    return solver_get_checkpoint(&optimiser->host, checkpoint, error);
}

static enum shoal_status match_box(const struct shoal_optimiser *optimiser,
                                   const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const struct pso_problem *problem = &optimiser_host(optimiser)->problem;
    const size_t bytes = problem->search.dim * sizeof *problem->search.lower;
    const void *lower, *upper;
    enum shoal_status status = checkpoint_expect(checkpoint, "lower", bytes, &lower, error);
    if (!status)
        status = checkpoint_expect(checkpoint, "upper", bytes, &upper, error);
    if (!status && (memcmp(lower, problem->search.lower, bytes) != 0 ||
                    memcmp(upper, problem->search.upper, bytes) != 0))
        status = fail(error, SHOAL_INVALID, "%s belongs to another box", checkpoint->path);
    return status;
}

static enum shoal_status restore_polish(struct shoal_optimiser *optimiser,
                                        const struct checkpoint *checkpoint, struct shoal_error *error)
{
    struct pso_host *host = optimiser_host(optimiser);
    const struct checkpoint_section *section = checkpoint_find(checkpoint, "polished");
    if (!section || section->bytes == 0)
        return section ? SHOAL_OK : damaged(checkpoint, error);
    enum shoal_status status = open_polish(optimiser, error);
    if (status)
        return status;
    if (section->bytes == search_polish_bytes(host->polish) && search_polish_set(host->polish, section->data))
        return SHOAL_OK;
    return damaged(checkpoint, error);
}

static enum shoal_status restore(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    struct optimiser_place place;
    enum shoal_status status = match_box(optimiser, checkpoint, error);
    if (!status)
        status = solver_set_checkpoint(&optimiser->host, checkpoint, error);
    if (!status)
        status = checkpoint_get(checkpoint, "place", &place, sizeof place, error);
    struct pso_host *host = optimiser_host(optimiser);
    if (!status)
        status = checkpoint_get(checkpoint, "outside", host->outside, host->problem.search.total, error);
    if (!status && place.batch >= pso_host_batches(host))
        status = damaged(checkpoint, error);
    if (status)
        return status;
    optimiser->place = place;
    host->drawn = place.drawn != 0;
    return restore_polish(optimiser, checkpoint, error);
}

static enum shoal_status load(struct shoal_optimiser *optimiser, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    shoal_optimiser_reset(optimiser);
    enum shoal_status status = optimiser_start(optimiser, error);
    if (!status)
        status = restore(optimiser, checkpoint, error);
    if (status)
        shoal_optimiser_reset(optimiser);
    return status;
}

enum shoal_status shoal_optimiser_save(struct shoal_optimiser *optimiser, const char *path,
                                       struct shoal_error *error)
{
    struct checkpoint checkpoint = {0};
    if (!path)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_save: a pointer is NULL");
    enum shoal_status status = start_asking(optimiser, "shoal_optimiser_save", error);
    if (!status)
        status = fill(optimiser, &checkpoint, error);
    if (!status)
        status = checkpoint_write(&checkpoint, path, error);
    checkpoint_clear(&checkpoint);
    return status;
}

enum shoal_status shoal_optimiser_save_memory(struct shoal_optimiser *optimiser, void **bytes, size_t *size,
                                              struct shoal_error *error)
{
    struct checkpoint checkpoint = {0};
    if (!bytes || !size)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_save_memory: a pointer is NULL");
    *bytes = NULL;
    enum shoal_status status = start_asking(optimiser, "shoal_optimiser_save_memory", error);
    if (!status)
        status = fill(optimiser, &checkpoint, error);
    if (!status)
        status = checkpoint_to_memory(&checkpoint, bytes, size, error);
    checkpoint_clear(&checkpoint);
    return status;
}

enum shoal_status shoal_optimiser_load(struct shoal_optimiser *optimiser, const char *path,
                                       struct shoal_error *error)
{
    struct checkpoint checkpoint;
    void *file = NULL;
    if (!path)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_load: a pointer is NULL");
    enum shoal_status status = start_asking(optimiser, "shoal_optimiser_load", error);
    if (!status)
        status = checkpoint_read(&checkpoint, path, &file, error);
    if (!status)
        status = load(optimiser, &checkpoint, error);
    free(file);
    return status;
}

enum shoal_status shoal_optimiser_load_memory(struct shoal_optimiser *optimiser, const void *bytes,
                                              size_t size, struct shoal_error *error)
{
    struct checkpoint checkpoint;
    if (!bytes)
        return fail(error, SHOAL_INVALID, "shoal_optimiser_load_memory: a pointer is NULL");
    enum shoal_status status = start_asking(optimiser, "shoal_optimiser_load_memory", error);
    if (!status)
        status = checkpoint_parse(&checkpoint, bytes, size, "the memory given", error);
    return status ? status : load(optimiser, &checkpoint, error);
}
