/* Public functions for the local search of tours of the caller, on a device or the host. */
#include "base/error.h"
#include "base/params.h"
#include "base/threads.h"
#include "tsp/device/neighbours.h"
#include "tsp/improve/allpairs.h"
#include "tsp/improve/device.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct shoal_tsp_improver {
    const struct tsp_problem *problem;
    struct shoal_tsp_improve_params params;
    struct tsp_improve_rules rules;
    /* most: largest number of tours that the caller can set; count: number of tours that the caller has
     * set */
    size_t most, count;
    uint32_t *lists;
    uint32_t *tours; /* the tours of the caller, as tours of the form */
    int64_t *gains;  /* on the host: gain of each tour; on a device, device_sums has the gains */
    int threads;
    struct tsp_improver **improvers; /* on the host: an improver for each thread */
    /* The members from `queue` on are used only on a device. */
    struct shoal_queue *queue;
    struct programs programs;
    struct tsp_places places;
    struct tsp_improve_device device;
    struct tsp_allpairs allpairs;
    struct shoal_buffer *device_lists, *device_tours, *device_sums;
    struct arrays arrays;
};

void shoal_tsp_improve_params_init(struct shoal_tsp_improve_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_tsp_improve_params){
        .size = sizeof *params, .moves = SHOAL_TSP_2OPT_OROPT, .neighbours = 10};
}

static enum shoal_status check_params(const struct shoal_tsp_improve_params *params,
                                      struct shoal_error *error)
{
    if (params->moves < SHOAL_TSP_2OPT || params->moves > SHOAL_TSP_ALL_PAIRS)
        return fail(error, SHOAL_INVALID, "shoal_tsp_improve_params.moves: %d is not in enum shoal_tsp_moves",
                    (int)params->moves);
    if (params->neighbours < 1 || params->neighbours > TSP_MOST_NEIGHBOURS)
        return fail(error, SHOAL_INVALID, "shoal_tsp_improve_params.neighbours: %llu is not between 1 and %d",
                    (unsigned long long)params->neighbours, TSP_MOST_NEIGHBOURS);
    return SHOAL_OK;
}

static bool is_all_pairs(const struct shoal_tsp_improver *improver)
{
    return improver->params.moves == SHOAL_TSP_ALL_PAIRS;
}

_Static_assert((int)SHOAL_TSP_2OPT == TSP_MOVES_2OPT && (int)SHOAL_TSP_2HOPT == TSP_MOVES_2HOPT &&
                   (int)SHOAL_TSP_OROPT == TSP_MOVES_OROPT &&
                   (int)SHOAL_TSP_2OPT_OROPT == TSP_MOVES_2OPT_OROPT && (int)SHOAL_TSP_3OPT == TSP_MOVES_3OPT,
               "moves have the same numbers");

/* Sets the rules of the search from the parameters. The lists have at most n - 1 candidates. */
static void set_rules(struct shoal_tsp_improver *improver)
{
    const uint32_t n = improver->problem->form.n, wanted = (uint32_t)improver->params.neighbours;
    const uint32_t count = wanted < n ? wanted : n > 1 ? n - 1 : 1;
    const uint64_t reach = improver->params.reach;
    improver->rules = (struct tsp_improve_rules){.moves = (enum tsp_moves)improver->params.moves,
                                                 .is_best = improver->params.best_improvement,
                                                 .no_bits = improver->params.no_look_bits,
                                                 .neighbours = count,
                                                 .reach = reach < n ? (uint32_t)reach : 0};
}

static enum tsp_neighbour_kind list_kind(const struct shoal_tsp_improver *improver)
{
    return improver->params.quadrants ? TSP_QUADRANT : TSP_NEAREST;
}

static enum shoal_status create_host(struct shoal_tsp_improver *improver, struct shoal_error *error)
{
    const double alone_s = 1e-5 * (double)improver->problem->form.n * (double)improver->most;
    const int threads = threads_once(alone_s);
    enum shoal_status status = SHOAL_OK;
    improver->threads = (size_t)threads < improver->most ? threads : (int)improver->most;
    if (is_all_pairs(improver))
        return SHOAL_OK;
    const struct tsp_listing listing = {.count = improver->rules.neighbours, .kind = list_kind(improver)};
    improver->lists = malloc((size_t)improver->problem->form.n * listing.count * sizeof *improver->lists);
    if (!improver->lists)
        return fail_host_memory(error);
    improver->rules.lists = improver->lists;
    status = tsp_candidates(improver->problem, NULL, NULL, &listing, improver->lists, error);
    if (status)
        return status;
    improver->improvers = calloc((size_t)improver->threads, sizeof(struct tsp_improver *));
    if (!improver->improvers)
        return fail_host_memory(error);
    for (int i = 0; i < improver->threads && !status; i++)
        status = tsp_improver_create(improver->problem, &improver->rules, &improver->improvers[i], error);
    return status;
}

static enum shoal_status create_device(struct shoal_tsp_improver *improver, struct shoal_error *error)
{
    const struct tsp_problem *problem = improver->problem;
    const double n = problem->form.n, most = (double)improver->most;
    const struct array list[] = {
        {&improver->device_lists, is_all_pairs(improver) ? 1 : n * improver->rules.neighbours,
         sizeof(uint32_t)},
        {&improver->device_tours, most * n, sizeof(uint32_t)},
        {&improver->device_sums, most, sizeof(int64_t)},
    };
    improver->arrays.queue = improver->queue;
    ARRAYS_SET(&improver->arrays, list);
    enum shoal_status status =
        arrays_check(&improver->arrays, 0, "tsp: the local search", "take fewer tours", error);
    if (!status)
        status = arrays_create(&improver->arrays, error);
    if (status)
        return status;
    if (is_all_pairs(improver))
        return tsp_allpairs_create(problem, &improver->places, &improver->programs, improver->queue,
                                   &improver->allpairs, error);
    const struct tsp_improve_setup setup = {.problem = problem,
                                            .rules = &improver->rules,
                                            .lists = improver->device_lists,
                                            .places = &improver->places,
                                            .tours = improver->most,
                                            .programs = &improver->programs,
                                            .queue = improver->queue};
    status =
        tsp_candidates_on_device(problem, &improver->places, &improver->programs, improver->rules.neighbours,
                                 list_kind(improver), improver->device_lists, error);
    return status ? status : tsp_improve_device_create(&setup, &improver->device, error);
}

enum shoal_status shoal_tsp_improver_create(const struct shoal_tsp_problem *problem,
                                            const struct shoal_tsp_improve_params *params,
                                            struct shoal_queue *queue, size_t most,
                                            struct shoal_tsp_improver **out, struct shoal_error *error)
{
    struct shoal_tsp_improve_params own;
    error_reset(error);
    if (!NEED(error, problem, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_tsp_improve_params_init, &own, error);
    if (!status)
        status = check_params(&own, error);
    if (!status && !most)
        status = fail(error, SHOAL_INVALID, "shoal_tsp_improver_create: there must be at least one tour");
    if (status)
        return status;
    struct shoal_tsp_improver *improver = calloc(1, sizeof *improver);
    if (!improver)
        return fail_host_memory(error);
    improver->problem = tsp_private(problem);
    improver->params = own;
    improver->queue = queue;
    improver->most = most;
    improver->tours = malloc(most * improver->problem->form.n * sizeof *improver->tours);
    improver->gains = calloc(most, sizeof *improver->gains);
    if (!improver->tours || !improver->gains)
        status = fail_host_memory(error);
    if (!status && queue) {
        improver->programs = (struct programs){.device = shoal_queue_device(queue), .variant = own.variant};
        status = tsp_places_create(improver->problem, queue, &improver->places, error);
    }
    if (!is_all_pairs(improver))
        set_rules(improver);
    if (!status)
        status = queue ? create_device(improver, error) : create_host(improver, error);
    if (status)
        shoal_tsp_improver_destroy(&improver);
    *out = improver;
    return status;
}

void shoal_tsp_improver_destroy(struct shoal_tsp_improver **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_tsp_improver *improver = *pointer;
    for (int i = 0; improver->improvers && i < improver->threads; i++)
        tsp_improver_destroy(&improver->improvers[i]);
    free(improver->improvers);
    tsp_improve_device_destroy(&improver->device);
    tsp_allpairs_destroy(&improver->allpairs);
    tsp_places_destroy(&improver->places);
    arrays_destroy(&improver->arrays);
    programs_destroy(&improver->programs);
    free(improver->lists);
    free(improver->tours);
    free(improver->gains);
    free(improver);
    *pointer = NULL;
}

enum shoal_status shoal_tsp_improver_set(struct shoal_tsp_improver *improver, const uint32_t *tours,
                                         size_t count, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, improver, tours))
        return SHOAL_INVALID;
    const struct tsp_problem *problem = improver->problem;
    const uint32_t n = problem->form.n;
    if (count > improver->most)
        return fail(error, SHOAL_INVALID, "shoal_tsp_improver_set: %zu tours, there is room for %zu", count,
                    improver->most);
    improver->count = 0;
    for (size_t i = 0; i < count; i++) {
        enum shoal_status status = tsp_tour_fault(problem, tours + i * problem->n, problem->n, error);
        if (status)
            return status;
        tsp_form_enter(problem, tours + i * problem->n, improver->tours + i * n);
    }
    improver->count = count;
    memset(improver->gains, 0, count * sizeof *improver->gains);
    if (!improver->queue || !count)
        return SHOAL_OK;
    enum shoal_status status = shoal_buffer_write(improver->queue, improver->device_tours, 0, improver->tours,
                                                  count * n * sizeof *improver->tours, error);
    return status ? status
                  : shoal_buffer_fill(improver->queue, improver->device_sums, 0, count * sizeof(int64_t), 0,
                                      error);
}

/* All-pairs 2-opt: makes all moves of the first tour, then of the second tour, and so on. */
static enum shoal_status run_pairs(struct shoal_tsp_improver *improver, struct shoal_error *error)
{
    const struct tsp_problem *problem = improver->problem;
    const uint32_t n = problem->form.n;
    const uint64_t most = improver->params.most_moves ? improver->params.most_moves : UINT64_MAX;
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < improver->count && n > TSP_ONE_TOUR && !status; i++) {
        struct tsp_allpairs_best best = {.gain = 1};
        for (uint64_t moves = 0; moves < most && best.gain > 0 && !status; moves++) {
            if (improver->queue) {
                status = tsp_allpairs_step(&improver->allpairs, improver->device_tours, i * n, &best, error);
            } else {
                best = tsp_allpairs_find(problem, improver->tours + i * n, 0);
                tsp_allpairs_make(problem, &best, improver->tours + i * n);
            }
        }
    }
    return status;
}

enum shoal_status shoal_tsp_improver_run(struct shoal_tsp_improver *improver, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, improver))
        return SHOAL_INVALID;
    const uint32_t n = improver->problem->form.n;
    if (is_all_pairs(improver))
        return run_pairs(improver, error);
    if (improver->queue)
        return improver->count ? tsp_improve_device_run(&improver->device, improver->device_tours,
                                                        improver->device_sums, improver->count, false, error)
                               : SHOAL_OK;
#pragma omp parallel for num_threads(improver->threads) schedule(dynamic)
    for (size_t i = 0; i < improver->count; i++)
        tsp_improve(improver->improvers[omp_get_thread_num()], improver->tours + i * n, NULL, 0);
    return SHOAL_OK;
}

enum shoal_status shoal_tsp_improver_get(struct shoal_tsp_improver *improver, uint32_t *tours,
                                         int64_t *lengths, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, improver))
        return SHOAL_INVALID;
    const struct tsp_problem *problem = improver->problem;
    const uint32_t n = problem->form.n;
    enum shoal_status status = SHOAL_OK;
    if (improver->queue && improver->count)
        status = shoal_buffer_read(improver->queue, improver->device_tours, 0, improver->tours,
                                   improver->count * n * sizeof *improver->tours, error);
    uint32_t *left = status ? NULL : malloc(problem->n * sizeof *left);
    if (!status && !left)
        status = fail_host_memory(error);
    for (size_t i = 0; i < improver->count && !status; i++) {
        uint32_t *tour = tours ? tours + i * problem->n : left;
        if (!tsp_form_leave(problem, improver->tours + i * n, tour))
            status = fail(error, SHOAL_CHECK_FAILED,
                          "tsp: local search broke a fixed edge or took a forbidden one");
        if (lengths)
            lengths[i] = tsp_length(problem, tour, NULL);
    }
    free(left);
    return status;
}

const struct shoal_program *shoal_tsp_improver_program(const struct shoal_tsp_improver *improver)
{
    if (!improver)
        return NULL;
    return is_all_pairs(improver) ? improver->allpairs.program : improver->device.program;
}

enum shoal_status shoal_tsp_improve(const struct shoal_tsp_problem *problem,
                                    const struct shoal_tsp_improve_params *params, struct shoal_queue *queue,
                                    uint32_t *tours, size_t count, int64_t *lengths,
                                    struct shoal_error *error)
{
    if (!NEED(error, tours))
        return SHOAL_INVALID;
    struct shoal_tsp_improver *improver = NULL;
    enum shoal_status status = shoal_tsp_improver_create(problem, params, queue, count, &improver, error);
    if (!status)
        status = shoal_tsp_improver_set(improver, tours, count, error);
    if (!status)
        status = shoal_tsp_improver_run(improver, error);
    if (!status)
        status = shoal_tsp_improver_get(improver, tours, lengths, error);
    shoal_tsp_improver_destroy(&improver);
    return status;
}

enum shoal_status shoal_tsp_greedy(const struct shoal_tsp_problem *problem, uint32_t neighbours,
                                   uint32_t *tour, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, problem, tour))
        return SHOAL_INVALID;
    const struct tsp_problem *own = tsp_private(problem);
    const uint32_t n = own->form.n;
    if (neighbours < 1 || neighbours > TSP_MOST_NEIGHBOURS)
        return fail(error, SHOAL_INVALID, "shoal_tsp_greedy: %lu neighbours are not between 1 and %d",
                    (unsigned long)neighbours, TSP_MOST_NEIGHBOURS);
    const struct tsp_listing listing = {.count = neighbours, .kind = TSP_NEAREST};
    uint32_t *lists = malloc((size_t)n * neighbours * sizeof *lists),
             *form_tour = malloc(n * sizeof *form_tour);
    enum shoal_status status = lists && form_tour ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = tsp_candidates(own, NULL, NULL, &listing, lists, error);
    if (!status)
        status = tsp_greedy_tour(own, lists, neighbours, NULL, NULL, form_tour, error);
    if (!status && !tsp_form_leave(own, form_tour, tour))
        status = fail(error, SHOAL_UNSUPPORTED, "tsp: greedy edges lead to a tour with a forbidden edge");
    free(lists);
    free(form_tour);
    return status;
}
