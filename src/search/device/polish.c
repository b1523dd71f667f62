/* The pattern searches of a solver on a device, during the run and at its end. The device evaluates the
 * points in batches. */
#include "base/error.h"
#include "search/device/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status search_evaluator_create(struct shoal_solver *solver, const struct evaluator_params *layout,
                                          struct evaluator **out, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    bool shifted = false;
    for (size_t d = 0; d < problem->dim && !problem->has_genome; d++)
        shifted = shifted || problem->shift[d] != 0;
    struct evaluator_params params = *layout;
    const bool is_own = !layout->objective;
    if (is_own)
        params.objective = problem->objective;
    params.precision = device->precision;
    params.dim = problem->point_dim;
    params.chunk_rows = problem->params->chunk_rows;
    params.shift = shifted ? problem->shift : NULL;
    params.repair = problem->repair;
    params.extra = problem->genome.extra;
    if (!is_own || !search_shares_values(solver))
        return evaluator_create(solver->queue, &params, out, error);
    params.sharer = solver;
    params.shares_points = solver->share.rules->agree == search_points_agree;
    enum shoal_status status = evaluator_create(solver->queue, &params, out, error);
    device->evaluator = *out;
    return status || !device->order.units
               ? status
               : evaluator_follow(*out, problem->objective->table, &device->order, error);
}

/* Evaluator -------------------------------------------------------------------------------------------- */

/* Evaluator of the pattern search, with buffers for the largest batch. */
struct search_polisher {
    struct programs programs;
    struct chosen chosen;
    struct text section; /* section of the checkpoint in progress */
    enum evaluator_method method;
    struct evaluator *evaluator;
    struct shoal_buffer *x, *y;
    char *numbers; /* staging memory in the layouts of x and y */
    size_t tile, tiles;
};

void search_polisher_destroy(struct search_polisher **pointer)
{
    struct search_polisher *polisher = *pointer;
    if (!polisher)
        return;
    evaluator_destroy(&polisher->evaluator);
    programs_destroy(&polisher->programs);
    chosen_free(&polisher->chosen);
    text_free(&polisher->section);
    shoal_buffer_destroy(&polisher->x);
    shoal_buffer_destroy(&polisher->y);
    free(polisher->numbers);
    free(polisher);
    *pointer = NULL;
}

/* Creates a polisher, which owns `chosen`. After a failure the caller calls search_polisher_destroy. */
static enum shoal_status create(struct shoal_solver *solver, enum evaluator_method method,
                                struct chosen *chosen, struct search_polisher **out,
                                struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t points = search_polish_capacity(problem),
                 tile = evaluator_tile(method, shoal_device_get_info(solver->device), points);
    const size_t tiles = (points + tile - 1) / tile, places = tiles * tile;
    struct search_polisher *polisher = calloc(1, sizeof *polisher);
    *out = polisher;
    if (!polisher)
        return fail_host_memory(error);
    *polisher =
        (struct search_polisher){.programs = {.device = solver->device, .variant = solver->programs.variant},
                                 .chosen = *chosen,
                                 .method = method,
                                 .numbers = calloc(places * problem->dim, device->real),
                                 .tile = tile,
                                 .tiles = tiles};
    *chosen = (struct chosen){0};
    enum shoal_status status = polisher->numbers ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = search_evaluator_create(solver,
                                         &(struct evaluator_params){.method = method,
                                                                    .points = points,
                                                                    .chosen = &polisher->chosen,
                                                                    .programs = &polisher->programs},
                                         &polisher->evaluator, error);
    if (!status && polisher->chosen.failed)
        status = fail_host_memory(error);
    if (!status)
        status =
            shoal_buffer_create(solver->device, places * problem->dim * device->real, &polisher->x, error);
    if (!status)
        status = shoal_buffer_create(solver->device, places * device->real, &polisher->y, error);
    return status;
}

enum shoal_status search_polisher_create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    struct chosen none = {0};
    const enum evaluator_method method =
        evaluator_choose(solver->device, problem->objective, problem->dim, search_polish_capacity(problem),
                         problem->algorithm->old_evaluator);
    return create(solver, method, &none, &device->polisher, error);
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

static const char section_name[] = "polish-chosen";

void search_polisher_save(struct shoal_solver *solver, struct checkpoint *checkpoint)
{
    struct search_polisher *polisher = search_device_of(solver)->polisher;
    if (!polisher)
        return;
    method_print(&polisher->section, evaluator_method_name(polisher->method), &polisher->chosen);
    checkpoint_add(checkpoint, section_name, polisher->section.data, polisher->section.length);
}

enum shoal_status search_polisher_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                                       struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    const struct checkpoint_section *section = checkpoint_find(checkpoint, section_name);
    struct search_polisher *other = NULL, *unused;
    struct chosen chosen = {0};
    char name[TUNING_NAME_SIZE];
    enum evaluator_method method;
    enum shoal_status status = SHOAL_OK;
    if (!device->polisher || !section) /* the run that wrote the checkpoint had no pattern search */
        return SHOAL_OK;
    if (!method_parse(section, name, &chosen) || !evaluator_find(name, &method))
        status = fail(error, SHOAL_IO, "%s: section %s holds no method and its values", checkpoint->path,
                      section_name);
    else if (method != device->polisher->method || !chosen_covers(&device->polisher->chosen, &chosen)) {
        status = create(solver, method, &chosen, &other, error);
        unused = status ? other : device->polisher;
        device->polisher = status ? device->polisher : other;
        search_polisher_destroy(&unused);
    }
    chosen_free(&chosen);
    return status;
}

/* Search ----------------------------------------------------------------------------------------------- */

static void put(char *numbers, size_t at, double wide, size_t real)
{
    const float narrow = (float)wide;
    memcpy(numbers + at * real, real == sizeof wide ? (const void *)&wide : &narrow, real);
}

static double get(const char *numbers, size_t at, size_t real)
{
    double wide;
    float narrow;
    memcpy(real == sizeof wide ? (void *)&wide : &narrow, numbers + at * real, real);
    return real == sizeof wide ? wide : (double)narrow;
}

static enum shoal_status evaluate(struct shoal_solver *solver, const double *points, size_t count,
                                  double *values, struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_polisher *polisher = device->polisher;
    const size_t dim = device->problem->dim, real = device->real, tile = polisher->tile;
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < dim; d++)
            put(polisher->numbers, (i / tile * dim + d) * tile + i % tile, points[i * dim + d], real);
    enum shoal_status status = shoal_buffer_write(solver->queue, polisher->x, 0, polisher->numbers,
                                                  polisher->tiles * tile * dim * real, error);
    if (!status)
        status = evaluator_run(polisher->evaluator, polisher->x, polisher->y, 0, count, count, error);
    if (!status)
        status = shoal_buffer_read(solver->queue, polisher->y, 0, polisher->numbers, count * real, error);
    for (size_t i = 0; i < count && !status; i++)
        values[i] = device->problem->sign * get(polisher->numbers, i, real) +
                    search_penalty(device->problem, points + i * dim);
    return status;
}

enum shoal_status search_device_polish(struct shoal_solver *solver, struct shoal_error *error)
{
    struct search_device *device = search_device_of(solver);
    enum shoal_status status = SHOAL_OK;
    if (!device->polish)
        status = search_polish_create(
            device->problem, (enum shoal_polish_rule)device->problem->params->polish_rule, device->precision,
            device->problem->params->polish, device->position_out, device->best_out, &device->polish, error);
    if (!status)
        status = search_polish_run(device->polish, evaluate, solver, error);
    if (status)
        search_polish_destroy(&device->polish);
    return status;
}

/* During the run --------------------------------------------------------------------------------------- */

/* The best points of the runs, before and after the pattern search. */
struct bests {
    void *words, *reals, *champion; /* records of all islands */
    size_t *leader;                 /* [runs]: the island with the best point */
    double *best, *position;        /* [runs], [runs][dim] */
    /* [islands], [islands][dim]: points that the islands receive, and their values */
    double *values, *points;
    uint64_t *moves; /* [islands]: number of evaluations that found the point */
};

static enum shoal_status read_bests(struct shoal_solver *solver, struct bests *bests,
                                    struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t islands = problem->run_islands, dim = problem->dim;
    enum shoal_status status = search_device_collect(solver, error);
    if (!status)
        status = search_device_read_all(solver, "words", &bests->words, error);
    if (!status)
        status = search_device_read_all(solver, "reals", &bests->reals, error);
    if (!status)
        status = search_device_read_all(solver, "champion", &bests->champion, error);
    for (size_t run = 0; run < problem->runs && !status; run++) {
        const size_t first = run * islands;
        bool has_ended = ((const uint32_t *)bests->words)[first * ISLAND_WORDS + ISLAND_ENDED];
        double best = INFINITY;
        bests->leader[run] = first;
        for (size_t k = first; k < first + islands; k++) {
            const double value = search_real_at(device, bests->reals, k * ISLAND_REALS + ISLAND_CHAMPION);
            if (value < best) {
                best = value;
                bests->leader[run] = k;
            }
        }
        bests->best[run] = has_ended ? INFINITY : best;
        for (size_t d = 0; d < dim; d++)
            bests->position[run * dim + d] =
                search_real_at(device, bests->champion, bests->leader[run] * dim + d);
    }
    return status;
}

/* Runs the pattern search from the best point of each run. A request to stop does not interrupt it, since a
 * stopped run ends after whole steps, and the search is a part of a step. */
static enum shoal_status move_bests(struct shoal_solver *solver, uint64_t most, struct bests *bests,
                                    struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const size_t dim = problem->dim;
    struct search_polish *polish = NULL;
    const double *points;
    size_t count;
    enum shoal_status status = search_polish_create(problem, SHOAL_POLISH_PATTERN, device->precision, most,
                                                    bests->position, bests->best, &polish, error);
    while (!status && (count = search_polish_ask(polish, &points)) > 0) {
        status = evaluate(solver, points, count, search_polish_values(polish), error);
        if (!status)
            search_polish_tell(polish, search_polish_values(polish));
        solver_got_further(solver);
    }
    if (status)
        goto fail;
    const double *best = search_polish_best(polish), *position = search_polish_position(polish);
    for (size_t k = 0; k < problem->islands; k++)
        bests->values[k] = INFINITY;
    for (size_t run = 0; run < problem->runs; run++) {
        const size_t leader = bests->leader[run];
        bests->moves[leader] = search_polish_used(polish, run);
        bests->values[leader] = best[run];
        memcpy(bests->points + leader * dim, position + run * dim, dim * sizeof *position);
    }
fail:
    search_polish_destroy(&polish);
    return status;
}

enum shoal_status search_device_polish_bests(struct shoal_solver *solver, uint64_t step,
                                             struct shoal_error *error)
{
    const struct search_device *device = search_device_of(solver);
    const struct search_problem *problem = device->problem;
    const uint64_t most = search_polish_allowance(problem, step);
    const size_t runs = problem->runs, islands = problem->islands, dim = problem->dim;
    if (!most || device->ended)
        return SHOAL_OK;
    struct bests bests = {.leader = calloc(runs, sizeof *bests.leader),
                          .best = calloc(runs, sizeof *bests.best),
                          .position = calloc(runs * dim, sizeof *bests.position),
                          .values = calloc(islands, sizeof *bests.values),
                          .points = calloc(islands * dim, sizeof *bests.points),
                          .moves = calloc(islands, sizeof *bests.moves)};
    enum shoal_status status =
        bests.leader && bests.best && bests.position && bests.values && bests.points && bests.moves
            ? read_bests(solver, &bests, error)
            : fail_host_memory(error);
    if (!status)
        status = move_bests(solver, most, &bests, error);
    const struct search_offer offer = {bests.values, bests.points, bests.moves};
    if (!status)
        status = search_device_offer(solver, &offer, error);
    void *const all[] = {bests.words,    bests.reals,  bests.champion, bests.leader, bests.best,
                         bests.position, bests.values, bests.points,   bests.moves};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    return status;
}
