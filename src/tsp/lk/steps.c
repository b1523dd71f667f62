/* Lin-Kernighan search: what steps on the host and on devices have in common. */
#include "base/error.h"
#include "tsp/lk/lk.h"
#include "workload/result.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The threshold of the plateau with which a run begins. The plateau is a part of the cooling. The steps of a
 * run with a time limit are estimated within the plateau, and the last part of the time is left as a reserve.
 */
static const double first_threshold = 0.12, plateau = 0.06, estimated = 0.05, used_time = 0.97;
/* Thresholds after the plateau with few and with many visits of a cell in the cooling, up to and from these
 * numbers. In few visits, a search that keeps much longer tours does not come back to short ones. */
static const double few_threshold = 0.5, many_threshold = 1, few_visits = 16, many_visits = 32;

/* Memory --------------------------------------------------------------------------------------------------
 */

void lk_list_arrays(struct lk_run *run)
{
    const struct lk *lk = &run->lk;
    struct lk_whole *whole = &run->whole;
    const struct array list[] = {
        {&whole->order, lk->n, sizeof *whole->order, ARRAY_SAVE, "tour of the search", lk->n},
        {&run->best, lk->n, sizeof *run->best, ARRAY_SAVE, "best tour", lk->n},
        {&run->before, lk_is_mended(lk) ? lk->n : 0, sizeof *run->before},
        {&whole->place, lk->n, sizeof *whole->place},
        {&whole->cell_of, lk->n, sizeof *whole->cell_of},
        {&whole->members, lk->n, sizeof *whole->members},
        {&whole->begins, lk->cells + 1, sizeof *whole->begins},
        {&whole->index, lk->n, sizeof *whole->index},
        {&whole->tours, lk->n, sizeof *whole->tours},
        {&whole->external, lk->n, sizeof *whole->external},
        {&whole->other, lk->n, sizeof *whole->other},
        {&whole->part, lk->n, sizeof *whole->part},
        {&whole->leaders, lk->n, sizeof *whole->leaders},
        {&whole->pieces, lk->n, sizeof *whole->pieces},
        {&whole->items, 2 * (double)lk->n, sizeof *whole->items},
    };
    ARRAYS_SET(&run->arrays, list);
}

double lk_more_bytes(const struct lk *lk, uint32_t cells)
{
    const double mended = lk_is_mended(lk), lists = (double)lk->n * (lk->k + 1) * sizeof(uint32_t);
    return lists +
           ((double)cells * lk->most_cities + mended * lk->n) *
               (sizeof(struct lk_city) + lk->k * sizeof(struct lk_near) + 2 * sizeof(uint32_t) + 2) +
           mended * lk->n * LK_MORE * sizeof(struct lk_near) +
           (cells + mended) * LK_FLIPS * 2 * sizeof(uint32_t);
}

enum shoal_status lk_cell_create(struct lk_cell *cell, const struct lk *lk, uint32_t more,
                                 struct shoal_error *error)
{
    const size_t n = lk->most_cities;
    cell->lk = lk;
    cell->k = lk->k + more;
    cell->order = malloc(n * sizeof *cell->order);
    cell->cities = malloc(n * sizeof *cell->cities);
    cell->lists = malloc(n * cell->k * sizeof *cell->lists);
    cell->is_link = malloc(n * sizeof *cell->is_link);
    cell->queue = malloc(n * sizeof *cell->queue);
    cell->waits = malloc(n * sizeof *cell->waits);
    cell->flips = malloc(LK_FLIPS * sizeof *cell->flips);
    const bool has_all = cell->order && cell->cities && cell->lists && cell->is_link && cell->queue &&
                         cell->waits && cell->flips;
    return has_all ? SHOAL_OK : fail_host_memory(error);
}

void lk_cell_destroy(struct lk_cell *cell)
{
    free(cell->order);
    free(cell->cities);
    free(cell->lists);
    free(cell->is_link);
    free(cell->queue);
    free(cell->waits);
    free(cell->flips);
}

/* Begin ---------------------------------------------------------------------------------------------------
 */

enum shoal_status lk_begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_run *run = lk_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const size_t bytes = run->lk.n * sizeof *run->best;
    const int64_t length = tsp_form_length(run->lk.problem, run->lk.first);
    memcpy(run->whole.order, run->lk.first, bytes);
    memcpy(run->best, run->lk.first, bytes);
    run->whole.division = UINT64_MAX;
    run->began_s = -1;
    run->state = (struct lk_state){.length = length, .best = length, .cooling = params->cooling};
    if (!run->state.cooling && isnan(params->time))
        run->state.cooling = tsp_workload.total_steps(params);
    if (lk_is_mended(&run->lk) && !tsp_run_of(solver)->start_tour && !long_step_is_cut(run->cut)) {
        const enum shoal_status status = lk_mend(run, 0, error);
        if (status)
            return status;
        memcpy(run->best, run->whole.order, bytes);
        run->state.best = run->state.length;
    }
    return tsp_start_status(solver, run->best, error);
}

/* Steps ---------------------------------------------------------------------------------------------------
 */

/* The least cooling with `steps` steps in the plateau. */
static double least_cooling(uint64_t steps)
{
    return ceil((double)steps / plateau) + 1;
}

/* Estimates the cooling of a run with a time limit, once a part of the time has passed. The steps of this
 * part are in the plateau of the threshold, which the number of steps does not change. */
void lk_estimate_cooling(struct shoal_solver *solver, uint64_t step)
{
    struct lk_run *run = lk_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const double now = schedule_seconds(solver), time = params->time;
    if (isnan(time))
        return;
    if (run->began_s < 0) {
        run->began_s = now;
        run->began = step - 1;
    }
    if (run->state.cooling || !(now > run->began_s) || now < estimated * time)
        return;
    const double steps_done = (double)(step - 1 - run->began);
    const double total = (double)(step - 1) + steps_done * (used_time * time - now) / (now - run->began_s);
    const double most = fmin(total, (double)tsp_workload.total_steps(params));
    run->state.cooling = (uint64_t)fmin(fmax(most, least_cooling(step - 1)), UINT32_MAX);
}

/* After the plateau, the threshold falls in proportion to the steps that are left. */
uint32_t lk_threshold(const struct lk_run *run, uint64_t step)
{
    const double cooling = (double)run->state.cooling, left = 1 - (double)step / cooling;
    const double visits = cooling / run->lk.batches / run->lk.visits;
    const double many = (visits - few_visits) / (many_visits - few_visits);
    const double begin = few_threshold + fmax(0, fmin(1, many)) * (many_threshold - few_threshold);
    if (!run->state.cooling || left >= 1 - plateau)
        return (uint32_t)(65536 * first_threshold);
    return (uint32_t)(65536 * begin * fmax(0, left / (1 - plateau)));
}

/* Is the tour mended after a step? After the last step of a division, or after each fourth step if a division
 * has fewer than four. */
static bool mends_after(const struct lk *lk, uint64_t step)
{
    enum { LEAST = 4 };
    const uint32_t steps = lk->batches * lk->visits;
    return lk->cells > 1 && lk_is_mended(lk) && step % (steps < LEAST ? LEAST : steps) == 0;
}

enum shoal_status lk_take(struct lk_run *run, uint64_t step, int64_t change, uint64_t kicks,
                          struct shoal_error *error)
{
    struct lk_state *state = &run->state;
    const struct lk_state before = *state;
    const size_t bytes = run->lk.n * sizeof *run->best;
    const bool mends = mends_after(&run->lk, step);
    if (mends)
        memcpy(run->before, run->whole.order, bytes);
    state->kicks += kicks;
    state->length += change + lk_join(&run->lk, &run->whole);
    const enum shoal_status status = mends ? lk_mend(run, step, error) : SHOAL_OK;
    if (mends && long_step_is_cut(run->cut)) {
        memcpy(run->whole.order, run->before, bytes);
        *state = before;
        return status;
    }
    if (status || state->length >= state->best)
        return status;
    state->best = state->length;
    state->best_step = step;
    memcpy(run->best, run->whole.order, bytes);
    return SHOAL_OK;
}

/* State -------------------------------------------------------------------------------------------------- */

enum shoal_status lk_look(struct shoal_solver *solver, struct tsp_look *look, struct shoal_error *error)
{
    (void)error;
    const struct lk_state *state = &lk_run_of(solver)->state;
    *look = (struct tsp_look){.tours = state->kicks, .best = state->best, .best_step = state->best_step};
    return SHOAL_OK;
}

enum shoal_status lk_tour(struct shoal_solver *solver, uint32_t *out, struct shoal_error *error)
{
    (void)error;
    const struct lk_run *run = lk_run_of(solver);
    memcpy(out, run->best, run->lk.n * sizeof *out);
    return SHOAL_OK;
}

static const char state_section[] = "state of the search";

enum shoal_status lk_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                          struct shoal_error *error)
{
    struct lk_run *run = lk_run_of(solver);
    checkpoint_add(checkpoint, state_section, &run->state, sizeof run->state);
    return arrays_save(&run->arrays, checkpoint, error);
}

/* Whether a saved tour is a permutation of the cities with the length that was saved with it. */
static bool is_saved_tour(struct lk_run *run, const uint32_t *order, int64_t length)
{
    const uint32_t n = run->lk.n;
    uint32_t *seen = run->whole.index;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (order[i] >= n || seen[order[i]]++)
            return false;
    }
    return tsp_form_length(run->lk.problem, order) == length;
}

enum shoal_status lk_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                          struct shoal_error *error)
{
    struct lk_run *run = lk_run_of(solver);
    struct lk_state *state = &run->state;
    run->whole.division = UINT64_MAX;
    run->began_s = -1;
    enum shoal_status status = checkpoint_get(checkpoint, state_section, state, sizeof *state, error);
    if (!status)
        status = arrays_load(&run->arrays, checkpoint, error);
    if (!status &&
        (state->best_step > tsp_run_of(solver)->steps || state->best > state->length ||
         !is_saved_tour(run, run->whole.order, state->length) || !is_saved_tour(run, run->best, state->best)))
        status = checkpoint_damaged(checkpoint, error);
    return status;
}

size_t lk_state_count(const struct shoal_solver *solver)
{
    (void)solver;
    return 1;
}

enum shoal_status lk_get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    values[0] = (double)lk_run_of(solver)->state.length;
    return SHOAL_OK;
}

void lk_add_fields(const struct shoal_solver *solver, struct shoal_result *result)
{
    const uint64_t known = lk_run_of(solver)->state.cooling;
    result_add_uint(result, "cell", "", lk_run_of(solver)->lk.cell);
    /* All steps of a run whose cooling is not known yet are in the plateau of such a cooling. */
    result_add_uint(result, "cooling", "",
                    known ? known : (uint64_t)least_cooling(tsp_run_of(solver)->steps));
}

uint64_t lk_progress(const struct shoal_solver *solver)
{
    return atomic_load_explicit(&lk_run_of(solver)->done, memory_order_relaxed);
}
