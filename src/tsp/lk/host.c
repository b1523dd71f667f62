/* Lin-Kernighan search on the host: cells of the tour are improved at once, each by a thread at a time. */
#include "base/error.h"
#include "base/threads.h"
#include "tsp/lk/lk.h"
#include "workload/arrays.h"
#include "workload/result.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Thresholds, in mean legs: of the plateau with which a run begins, and the most that follows. The plateau is
 * a part of the cooling. The steps of a run with a time limit are estimated within the plateau, and the last
 * part of the time is left as a reserve. */
static const double first_threshold = 0.12, most_threshold = 1, plateau = 0.06, estimated = 0.05,
                    used_time = 0.97;
/* Visits of a cell in the cooling, up to which the threshold stays below first_threshold, and from which on
 * it begins with most_threshold after the plateau. With few visits, a search that keeps much longer tours
 * does not come back to short ones: measured with clustered cities. */
static const double few_visits = 20, many_visits = 60;

/* State of the run after a step; a section of checkpoints. */
struct lk_state {
    int64_t length, best; /* length of the tour and of the best tour */
    uint64_t best_step, kicks;
    uint64_t cooling; /* step at which the threshold is 0; 0: not known yet */
};

struct lk_host {
    struct lk lk;
    struct lk_whole whole;
    struct arrays arrays;
    struct lk_state state;
    uint32_t *best; /* the best tour */
    struct lk_cell cells[LK_BATCH];
    double threshold; /* of the current step */
    double began_s;   /* seconds of the run at its first step in this process; negative: none was made */
    uint64_t began;   /* number of steps at this time */
    struct thread_choice choice;
    struct long_step *cut;
    atomic_uint_fast64_t done; /* number of kicks, dropped ones included */
};

static struct lk_host *host_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

/* Create ------------------------------------------------------------------------------------------------- */

static void list_arrays(struct lk_host *host)
{
    const struct lk *lk = &host->lk;
    struct lk_whole *whole = &host->whole;
    const struct array list[] = {
        {&whole->order, lk->n, sizeof *whole->order, ARRAY_SAVE, "tour of the search", lk->n},
        {&host->best, lk->n, sizeof *host->best, ARRAY_SAVE, "best tour", lk->n},
        {&whole->place, lk->n, sizeof *whole->place},
        {&whole->next, lk->n, sizeof *whole->next},
        {&whole->cell_of, lk->n, sizeof *whole->cell_of},
        {&whole->local, lk->n, sizeof *whole->local},
        {&whole->members, lk->n, sizeof *whole->members},
        {&whole->begins, lk->cells + 1, sizeof *whole->begins},
    };
    ARRAYS_SET(&host->arrays, list);
}

static uint32_t cells_at_once(const struct lk *lk)
{
    return lk->cells < LK_BATCH ? lk->cells : LK_BATCH;
}

/* Is the first tour mended? Of very many cities, a cell of all would take too much memory for what a long
 * edge costs. */
static bool is_mended(const struct lk *lk)
{
    enum { MOST = 1 << 19 };
    return lk->n <= MOST;
}

/* Memory of the cells, as for tsp_check_memory: bytes of all arrays of create_cell, of the cells of a step
 * and of the cell of mend. */
static double cells_bytes(const struct lk *lk)
{
    const double cells = cells_at_once(lk), mended = is_mended(lk);
    return (cells * lk->most_cities + mended * lk->n) *
               (8 * lk->k + 4 * sizeof(uint32_t) + 3 * sizeof(double) + 2) +
           (cells + mended) * LK_FLIPS * 2 * sizeof(uint32_t);
}

static enum shoal_status create_cell(struct lk_cell *cell, const struct lk *lk, struct shoal_error *error)
{
    const size_t n = lk->most_cities;
    cell->lk = lk;
    cell->ids = malloc(n * sizeof *cell->ids);
    cell->order = malloc(n * sizeof *cell->order);
    cell->place = malloc(n * sizeof *cell->place);
    cell->lists = malloc(n * lk->k * sizeof *cell->lists);
    cell->near = malloc(n * lk->k * sizeof *cell->near);
    cell->places = malloc(2 * n * sizeof *cell->places);
    cell->kept = malloc(n * sizeof *cell->kept);
    cell->is_link = malloc(n);
    cell->queue = malloc(n * sizeof *cell->queue);
    cell->waits = malloc(n * sizeof *cell->waits);
    cell->flips = malloc(LK_FLIPS * sizeof *cell->flips);
    const bool has_all = cell->ids && cell->order && cell->place && cell->lists && cell->near &&
                         cell->places && cell->kept && cell->is_link && cell->queue && cell->waits &&
                         cell->flips;
    return has_all ? SHOAL_OK : fail_host_memory(error);
}

static void destroy_cell(struct lk_cell *cell)
{
    free(cell->ids);
    free(cell->order);
    free(cell->place);
    free(cell->lists);
    free(cell->near);
    free(cell->places);
    free(cell->kept);
    free(cell->is_link);
    free(cell->queue);
    free(cell->waits);
    free(cell->flips);
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_host *host = calloc(1, sizeof *host);
    solver->method.state = host;
    if (!host)
        return fail_host_memory(error);
    enum shoal_status status = lk_create(solver, &host->lk, error);
    if (status)
        return status;
    host->choice = (struct thread_choice){.most = solver_threads(solver)};
    host->cut = &tsp_run_of(solver)->cut;
    host->whole.division = UINT64_MAX;
    host->began_s = -1;
    list_arrays(host);
    const double lists = (double)host->lk.n * (host->lk.k + 1) * sizeof(uint32_t); /* of lk_prepare */
    status =
        arrays_check(&host->arrays, lists + cells_bytes(&host->lk), "cities", "lower --candidates", error);
    if (!status)
        status = arrays_create(&host->arrays, error);
    for (uint32_t c = 0; c < cells_at_once(&host->lk) && !status; c++)
        status = create_cell(&host->cells[c], &host->lk, error);
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct lk_host *host = host_of(solver);
    if (!host)
        return;
    for (uint32_t c = 0; c < LK_BATCH; c++)
        destroy_cell(&host->cells[c]);
    arrays_destroy(&host->arrays);
    lk_destroy(&host->lk);
    free(host);
}

/* Steps -------------------------------------------------------------------------------------------------- */

static enum shoal_status prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    return lk_prepare(solver, &host_of(solver)->lk, is_first, error);
}

/* Improves the first tour from the ends of its long edges, in one cell of all cities: the ends of a long edge
 * are mostly in different cells, which then keep the edge. */
static enum shoal_status mend(struct lk_host *host, struct shoal_error *error)
{
    struct lk lk = host->lk;
    struct lk_whole *whole = &host->whole;
    struct lk_cell cell = {0};
    lk.cells = 1;
    lk.most_cities = lk.n;
    const enum shoal_status status = create_cell(&cell, &lk, error);
    if (!status) {
        const struct lk_visit visit = {.is_first = true, .is_mending = true, .cut = host->cut};
        lk_divide(&lk, whole, 0);
        lk_cell_load(whole, 0, &cell);
        (lk.is_plain ? lk_search_plane : lk_search_any)(&cell, &visit);
        for (uint32_t i = 0; i < lk.n; i++)
            whole->order[i] = cell.ids[cell.order[i]];
        memcpy(host->best, whole->order, lk.n * sizeof *host->best);
        host->state.length += cell.delta;
        host->state.best = host->state.length;
        whole->division = UINT64_MAX;
    }
    destroy_cell(&cell);
    return status;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_host *host = host_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const size_t bytes = host->lk.n * sizeof *host->best;
    const int64_t length = tsp_form_length(host->lk.problem, host->lk.first);
    memcpy(host->whole.order, host->lk.first, bytes);
    memcpy(host->best, host->lk.first, bytes);
    host->whole.division = UINT64_MAX;
    host->began_s = -1;
    host->state = (struct lk_state){.length = length, .best = length, .cooling = params->cooling};
    if (!host->state.cooling && isnan(params->time))
        host->state.cooling = tsp_workload.total_steps(params);
    if (is_mended(&host->lk) && !tsp_run_of(solver)->start_tour && !long_step_is_cut(host->cut)) {
        const enum shoal_status status = mend(host, error);
        if (status)
            return status;
    }
    return tsp_start_status(solver, host->best, error);
}

/* The least cooling with `steps` steps in the plateau. */
static double least_cooling(uint64_t steps)
{
    return ceil((double)steps / plateau) + 1;
}

/* Estimates the cooling of a run with a time limit, once a part of the time has passed. The steps of this
 * part are in the plateau of the threshold, which the number of steps does not change. */
static void estimate_cooling(struct shoal_solver *solver, uint64_t step)
{
    struct lk_host *host = host_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const double now = schedule_seconds(solver), time = params->time;
    if (host->began_s < 0) {
        host->began_s = now;
        host->began = step - 1;
    }
    if (host->state.cooling || !(now > host->began_s) || now < estimated * time)
        return;
    const double steps_done = (double)(step - 1 - host->began);
    const double total = (double)(step - 1) + steps_done * (used_time * time - now) / (now - host->began_s);
    const double most = fmin(total, (double)tsp_workload.total_steps(params));
    host->state.cooling = (uint64_t)fmin(fmax(most, least_cooling(step - 1)), UINT32_MAX);
}

/* After the plateau, the threshold falls in proportion to the steps that are left. */
static double threshold_at(const struct lk_host *host, uint64_t step)
{
    const double cooling = (double)host->state.cooling, left = 1 - (double)step / cooling;
    const double visits = cooling / host->lk.batches / host->lk.visits;
    const double many = (visits - few_visits) / (many_visits - few_visits);
    const double begin = first_threshold + fmax(0, fmin(1, many)) * (most_threshold - first_threshold);
    if (!host->state.cooling || left >= 1 - plateau)
        return first_threshold;
    return begin * fmax(0, left / (1 - plateau));
}

/* Takes the tour of the cells. */
static void take(struct lk_host *host, uint32_t step, uint32_t count)
{
    struct lk_state *state = &host->state;
    for (uint32_t c = 0; c < count; c++) {
        state->length += host->cells[c].delta;
        state->kicks += host->cells[c].kicks;
    }
    state->length += lk_join(&host->lk, &host->whole);
    if (state->length >= state->best)
        return;
    state->best = state->length;
    state->best_step = step;
    memcpy(host->best, host->whole.order, host->lk.n * sizeof *host->best);
}

/* The work of one thread in a step. All threads end each loop together. */
static void step_of_thread(void *own, uint32_t step)
{
    struct lk_host *host = own;
    const struct lk *lk = &host->lk;
    const uint32_t first = (step - 1) % lk->batches * LK_BATCH,
                   count = lk->cells - first < LK_BATCH ? lk->cells - first : LK_BATCH;
    lk_search_function *search = lk->is_plain ? lk_search_plane : lk_search_any;
#pragma omp single
    {
        host->threshold = threshold_at(host, step);
        lk_divide(lk, &host->whole, (step - 1) / lk->batches / lk->visits);
    }
#pragma omp for schedule(dynamic)
    for (uint32_t c = 0; c < count; c++) {
        const struct lk_visit visit = {.step = step,
                                       .cell = first + c,
                                       .is_first = (step - 1) / lk->batches % lk->visits == 0,
                                       .threshold = host->threshold,
                                       .cut = host->cut};
        if (long_step_is_cut(host->cut))
            continue;
        lk_cell_load(&host->whole, first + c, &host->cells[c]);
        search(&host->cells[c], &visit);
        atomic_fetch_add_explicit(&host->done, host->cells[c].kicks, memory_order_relaxed);
    }
    /* If the step is cut here, the tour has not changed. */
    if (long_step_is_cut(host->cut))
        return;
#pragma omp for schedule(static)
    for (uint32_t i = 0; i < lk->n; i++) {
        const uint32_t *order = host->whole.order;
        host->whole.next[order[i]][0] = order[i ? i - 1 : lk->n - 1];
        host->whole.next[order[i]][1] = order[i + 1 < lk->n ? i + 1 : 0];
    }
#pragma omp for schedule(dynamic)
    for (uint32_t c = 0; c < count; c++)
        lk_cell_store(&host->whole, &host->cells[c]);
#pragma omp single
    take(host, step, count);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    (void)error;
    struct lk_host *host = host_of(solver);
    struct tsp_run *run = tsp_run_of(solver);
    const bool has_time = !isnan(tsp_params(solver)->time);
    /* With a time limit, the cooling may become known before each step. */
    for (uint64_t i = 0; i < steps && !run->dropped; i++) {
        const uint64_t before = run->steps;
        run->steps = before + i;
        if (has_time)
            estimate_cooling(solver, run->steps + 1);
        tsp_advance_threads(solver, &host->choice, 1, step_of_thread, host);
        run->steps = before;
        if (run->dropped)
            run->dropped = steps - i;
    }
    return SHOAL_OK;
}

/* State -------------------------------------------------------------------------------------------------- */

static enum shoal_status look(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error)
{
    (void)error;
    const struct lk_state *state = &host_of(solver)->state;
    *look = (struct tsp_look){.tours = state->kicks, .best = state->best, .best_step = state->best_step};
    return SHOAL_OK;
}

static enum shoal_status tour(struct shoal_solver *solver, uint32_t *out, struct shoal_error *error)
{
    (void)error;
    const struct lk_host *host = host_of(solver);
    memcpy(out, host->best, host->lk.n * sizeof *out);
    return SHOAL_OK;
}

static const char state_section[] = "state of the search";

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct lk_host *host = host_of(solver);
    checkpoint_add(checkpoint, state_section, &host->state, sizeof host->state);
    return arrays_save(&host->arrays, checkpoint, error);
}

/* Whether a saved tour is a permutation of the cities with the length that was saved with it. */
static bool is_saved_tour(struct lk_host *host, const uint32_t *order, int64_t length)
{
    const uint32_t n = host->lk.n;
    uint32_t *seen = host->whole.local;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (order[i] >= n || seen[order[i]]++)
            return false;
    }
    return tsp_form_length(host->lk.problem, order) == length;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct lk_host *host = host_of(solver);
    struct lk_state *state = &host->state;
    host->whole.division = UINT64_MAX;
    host->began_s = -1;
    enum shoal_status status = checkpoint_get(checkpoint, state_section, state, sizeof *state, error);
    if (!status)
        status = arrays_load(&host->arrays, checkpoint, error);
    if (!status && (state->best_step > tsp_run_of(solver)->steps || state->best > state->length ||
                    !is_saved_tour(host, host->whole.order, state->length) ||
                    !is_saved_tour(host, host->best, state->best)))
        status = checkpoint_damaged(checkpoint, error);
    return status;
}

static size_t state_count(const struct shoal_solver *solver)
{
    (void)solver;
    return 1;
}

static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    values[0] = (double)host_of(solver)->state.length;
    return SHOAL_OK;
}

static void add_fields(const struct shoal_solver *solver, struct shoal_result *result)
{
    const uint64_t known = host_of(solver)->state.cooling;
    /* All steps of a run whose cooling is not known yet are in the plateau of such a cooling. */
    result_add_uint(result, "cooling", "",
                    known ? known : (uint64_t)least_cooling(tsp_run_of(solver)->steps));
}

static uint64_t progress(const struct shoal_solver *solver)
{
    return atomic_load_explicit(&host_of(solver)->done, memory_order_relaxed);
}

const struct tsp_method lk_host_method = {.base = {.name = "host",
                                                   .create = create,
                                                   .destroy = destroy,
                                                   .begin = begin,
                                                   .advance = advance,
                                                   .save = save,
                                                   .load = load},
                                          .prepare = prepare,
                                          .look = look,
                                          .tour = tour,
                                          .state_count = state_count,
                                          .get_state = get_state,
                                          .add_fields = add_fields,
                                          .progress = progress};
