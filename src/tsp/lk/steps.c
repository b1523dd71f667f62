/* Lin-Kernighan search: what steps on the host and on devices have in common. */
#include "base/error.h"
#include "tsp/lk/assembly.h"
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

/* Rounds of a run with several tours, after each of which the tours are recombined. The first round takes
 * this part of the cooling, the others take equal parts of the rest, each with this threshold at its begin.
 */
static const double first_round = 0.7, later_threshold = 0.25;
enum { LATER_ROUNDS = 8 };

/* Memory --------------------------------------------------------------------------------------------------
 */

enum shoal_status lk_list_arrays(struct lk_run *run, struct shoal_error *error)
{
    const struct lk *lk = &run->lk;
    const double all = (double)lk->replicas * lk->n;
    run->wholes = calloc(lk->replicas, sizeof *run->wholes);
    if (!run->wholes)
        return fail_host_memory(error);
    struct lk_whole *whole = run->wholes;
    const struct array list[] = {
        {&whole->order, all, sizeof *whole->order, ARRAY_SAVE, "tour of the search",
         (size_t)lk->replicas * lk->n},
        {&run->best, lk->n, sizeof *run->best, ARRAY_SAVE, "best tour", lk->n},
        {&run->before, lk_is_mended(lk) || lk->replicas > 1 ? all : 0, sizeof *run->before},
        {&run->lengths, lk->replicas, sizeof *run->lengths},
        {&run->parents, lk->replicas > 1 ? all : 0, sizeof *run->parents},
        {&whole->place, all, sizeof *whole->place},
        {&whole->cell_of, all, sizeof *whole->cell_of},
        {&whole->members, all, sizeof *whole->members},
        {&whole->begins, lk->replicas * (lk->cells + 1.0), sizeof *whole->begins},
        {&whole->index, all, sizeof *whole->index},
        {&whole->tours, all, sizeof *whole->tours},
        {&whole->external, all, sizeof *whole->external},
        {&whole->run, all, sizeof *whole->run},
        {&whole->run_begins, lk->replicas * (lk->cells + 1.0), sizeof *whole->run_begins},
        {&whole->ends, all, sizeof *whole->ends},
        {&whole->links, all, sizeof *whole->links},
        {&whole->part, all, sizeof *whole->part},
        {&whole->leaders, all, sizeof *whole->leaders},
        {&whole->part_begins, all, sizeof *whole->part_begins},
        {&whole->seams, all / 2, sizeof *whole->seams},
        {&whole->stretches, (double)lk->replicas * (double)lk_stretches(lk->n), sizeof *whole->stretches},
        {&whole->pieces, all, sizeof *whole->pieces},
        {&whole->items, 2 * all, sizeof *whole->items},
    };
    ARRAYS_SET(&run->arrays, list);
    return SHOAL_OK;
}

enum shoal_status lk_create_arrays(struct lk_run *run, struct shoal_error *error)
{
    const enum shoal_status status = arrays_create(&run->arrays, error);
    if (status)
        return status;
    const size_t n = run->lk.n;
    for (uint32_t r = 0; r < run->lk.replicas; r++) {
        struct lk_whole *whole = &run->wholes[r];
        const struct lk_whole *first = run->wholes;
        *whole = (struct lk_whole){
            .order = first->order + r * n,
            .place = first->place + r * n,
            .cell_of = first->cell_of + r * n,
            .members = first->members + r * n,
            .begins = first->begins + r * (run->lk.cells + (size_t)1),
            .index = first->index + r * n,
            .tours = first->tours + r * n,
            .external = first->external + r * n,
            .run = first->run + r * n,
            .run_begins = first->run_begins + r * (run->lk.cells + (size_t)1),
            .ends = first->ends + r * n,
            .links = first->links + r * n,
            .part = first->part + r * n,
            .leaders = first->leaders + r * n,
            .part_begins = first->part_begins + r * n,
            .seams = first->seams + r * (n / 2),
            .stretches = first->stretches + r * lk_stretches(run->lk.n),
            .pieces = first->pieces + r * n,
            .items = first->items + 2 * r * n,
            .division = UINT64_MAX,
            .threads = 1,
            .replica = r,
        };
    }
    return SHOAL_OK;
}

void lk_destroy_run(struct lk_run *run)
{
    arrays_destroy(&run->arrays);
    lk_destroy(&run->lk);
    free(run->wholes);
}

double lk_more_bytes(const struct lk_run *run, uint32_t cells)
{
    const struct lk *lk = &run->lk;
    /* Bytes of a greedy tour and of its improvement, and of the order along a curve, for each city. */
    enum { GREEDY = 256, CURVE = 24 };
    const double first = lk_begins_with_curve(lk) ? CURVE : GREEDY;
    const double threads = fmin(run->threads, lk->replicas), assemblies = lk->replicas > 1 ? threads : 0;
    const double mended = lk_is_mended(lk), lists = (double)lk->n * (lk->k + 1) * sizeof(uint32_t);
    return lists + (double)lk->replicas * lk->n * sizeof(uint32_t) + threads * first * lk->n +
           assemblies * lk_assembly_bytes(lk) +
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

/* Computes the lengths of the tours. */
static void set_lengths(struct lk_run *run)
{
    for (uint32_t r = 0; r < run->lk.replicas; r++)
        run->wholes[r].length = tsp_form_length(run->lk.problem, run->wholes[r].order);
}

/* Sums up the lengths of the tours after a step, and copies a tour that is shorter than the best one. */
static void look_for_best(struct lk_run *run, uint64_t step)
{
    struct lk_state *state = &run->state;
    const struct lk_whole *best = run->wholes;
    state->length = 0;
    for (uint32_t r = 0; r < run->lk.replicas; r++) {
        state->length += run->wholes[r].length;
        if (run->wholes[r].length < best->length)
            best = &run->wholes[r];
    }
    if (best->length >= state->best)
        return;
    state->best = best->length;
    state->best_step = step;
    memcpy(run->best, best->order, run->lk.n * sizeof *run->best);
}

/* Begin ---------------------------------------------------------------------------------------------------
 */

enum shoal_status lk_begin(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_run *run = lk_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const size_t bytes = run->lk.n * sizeof *run->best;
    memcpy(run->wholes->order, run->lk.first, run->lk.replicas * bytes);
    set_lengths(run);
    for (uint32_t r = 0; r < run->lk.replicas; r++)
        run->wholes[r].division = UINT64_MAX;
    run->began_s = -1;
    run->state = (struct lk_state){.best = INT64_MAX, .cooling = params->cooling};
    if (!run->state.cooling && isnan(params->time))
        run->state.cooling = tsp_workload.total_steps(params);
    if (lk_is_mended(&run->lk) && !lk_begins_with_curve(&run->lk) && !tsp_run_of(solver)->start_tour &&
        !long_step_is_cut(run->cut)) {
        const enum shoal_status status = lk_mend(run, 0, error);
        if (status)
            return status;
    }
    look_for_best(run, 0);
    return tsp_start_status(solver, run->best, error);
}

/* Steps ---------------------------------------------------------------------------------------------------
 */

/* Number of steps with kicks up to a step. The schedule counts these. */
static uint64_t with_kicks(const struct lk *lk, uint64_t step)
{
    const uint64_t without = lk_steps_without_kicks(lk);
    return step > without ? step - without : 0;
}

/* Number of steps with kicks in the cooling, at least 1; 0: not known yet. */
static uint64_t cooling_of(const struct lk_run *run)
{
    const uint64_t steps = with_kicks(&run->lk, run->state.cooling);
    return steps || !run->state.cooling ? steps : 1;
}

/* Is a step with kicks in the plateau of the cooling? With several tours the first one is so in any cooling:
 * a run may have time for few steps, after which the tours must be recombined. */
static bool is_in_plateau(const struct lk_run *run, uint64_t step)
{
    const uint64_t cooling = cooling_of(run);
    return !cooling || 1 - (double)step / (double)cooling >= 1 - plateau ||
           (run->lk.replicas > 1 && step <= 1);
}

/* The least number of steps with kicks of a cooling with `steps` in the plateau. */
static double least_cooling(const struct lk *lk, uint64_t steps)
{
    return lk->replicas > 1 && steps <= 1 ? 2 : ceil((double)steps / plateau) + 1;
}

bool lk_must_end_before(struct shoal_solver *solver, uint64_t step)
{
    const struct lk_run *run = lk_run_of(solver);
    if (step == 1)
        return false;
    /* A tenth of the step and half of the overshoot are for steps that take longer than the last one. */
    const double longer = 1.1, seconds = longer * run->step_s[lk_kind_of(&run->lk, step)];
    solver->ahead_s = fmax(0, seconds - lk_overshoot(&run->lk) / 2);
    const bool ends = solver_must_end(solver);
    solver->ahead_s = 0;
    return ends;
}

void lk_begin_step(struct shoal_solver *solver)
{
    const double used = 0.8; /* the rest is for the time until a step is cut */
    struct lk_run *run = lk_run_of(solver);
    long_step_begin(run->cut);
    run->step_began_s = solver_clock(run->solver);
    solver->ahead_s = -used * lk_overshoot(&run->lk);
}

void lk_end_step(struct shoal_solver *solver)
{
    solver->ahead_s = 0;
}

/* Estimates the cooling of a run with a time limit, once a part of the time has passed. The steps of this
 * part are in the plateau of the threshold, which the number of steps does not change. Steps without kicks
 * take less time. */
void lk_estimate_cooling(struct shoal_solver *solver, uint64_t step)
{
    struct lk_run *run = lk_run_of(solver);
    const struct shoal_tsp_params *params = tsp_params(solver);
    const double now = schedule_seconds(solver), time = params->time;
    const uint64_t without = lk_steps_without_kicks(&run->lk), done = with_kicks(&run->lk, step - 1);
    if (isnan(time) || step <= without)
        return;
    if (run->began_s < 0) {
        run->began_s = now;
        run->began = step - 1;
    }
    if (run->state.cooling || !(now > run->began_s) || now < estimated * time)
        return;
    const double steps_done = (double)(step - 1 - run->began);
    const double total = (double)(step - 1) + steps_done * (used_time * time - now) / (now - run->began_s);
    const double most = fmin(total, (double)tsp_workload.total_steps(params)),
                 least = (double)without + least_cooling(&run->lk, done);
    run->state.cooling = (uint64_t)fmin(fmax(most, least), UINT32_MAX);
}

/* The number of the last step of a round, counted in steps with kicks; 0: not known yet. Round 0 is the first
 * one. */
static uint64_t round_end(const struct lk_run *run, uint32_t round)
{
    const uint64_t cooling = cooling_of(run),
                   first = run->lk.replicas > 1 ? (uint64_t)ceil(first_round * (double)cooling) : cooling;
    return first + (cooling - first) * round / LATER_ROUNDS;
}

/* The round of a step with kicks of the cooling. */
static uint32_t round_of(const struct lk_run *run, uint64_t step)
{
    uint32_t round = 0;
    while (round_end(run, round) < step)
        round++;
    return round;
}

/* After the plateau, the threshold falls in proportion to the steps that are left of the round. */
uint32_t lk_threshold(const struct lk_run *run, uint64_t step)
{
    const uint64_t done = with_kicks(&run->lk, step);
    if (is_in_plateau(run, done))
        return (uint32_t)(65536 * first_threshold);
    if (done > cooling_of(run))
        return 0;
    const uint32_t round = round_of(run, done);
    const double end = (double)round_end(run, round), before = round ? (double)round_end(run, round - 1) : 0;
    if (round)
        return (uint32_t)(65536 * later_threshold * (end - (double)done) / (end - before));
    const double visits = end / run->lk.batches / run->lk.visits, left = 1 - (double)done / end;
    const double many = (visits - few_visits) / (many_visits - few_visits);
    const double begin = few_threshold + fmax(0, fmin(1, many)) * (many_threshold - few_threshold);
    return (uint32_t)(65536 * begin * (left / (1 - plateau)));
}

/* Is the tour mended after a step? After the last step of a division, or after each fourth step if a division
 * has fewer than four. */
static bool mends_after(const struct lk *lk, uint64_t step)
{
    enum { LEAST = 4 };
    const uint32_t steps = lk->batches * lk->visits;
    /* Steps without kicks are not in divisions of several steps. */
    const uint64_t done = steps < LEAST ? step : with_kicks(lk, step);
    return lk->cells > 1 && lk_is_mended(lk) && done && done % (steps < LEAST ? LEAST : steps) == 0;
}

/* Are the tours recombined after a step? After the last step of a round, and after the cooling once in the
 * steps of a round. */
static bool recombines_after(const struct lk_run *run, uint64_t step)
{
    const uint64_t cooling = cooling_of(run), done = with_kicks(&run->lk, step);
    if (run->lk.replicas == 1 || !cooling || !done)
        return false;
    if (done <= cooling)
        return done == round_end(run, round_of(run, done));
    const uint64_t steps = (cooling - round_end(run, 0)) / LATER_ROUNDS;
    return !steps || (done - cooling) % steps == 0;
}

/* One tour has the threads of the loops over it; of several tours, each has a thread. */
static void for_all(struct lk_run *run, uint64_t division,
                    void (*act)(const struct lk *lk, struct lk_whole *whole, uint64_t division))
{
    const struct lk *lk = &run->lk;
    const int threads = run->threads;
    run->wholes->threads = lk->replicas > 1 ? 1 : threads;
    if (lk->replicas == 1) {
        act(lk, run->wholes, division);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (uint32_t r = 0; r < lk->replicas; r++)
        act(lk, &run->wholes[r], division);
}

void lk_divide_all(struct lk_run *run, uint64_t division)
{
    for_all(run, division, lk_divide);
}

void lk_gather_all(struct lk_run *run, uint64_t division)
{
    for_all(run, division, lk_gather);
}

/* Joins the cells of all tours after a step that has changed their lengths. */
static void join_all(struct lk_run *run, const int64_t *changes)
{
    const struct lk *lk = &run->lk;
    const int threads = run->threads;
    if (lk->replicas == 1) {
        run->wholes->length += changes[0] + lk_join(lk, run->wholes);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (uint32_t r = 0; r < lk->replicas; r++)
        run->wholes[r].length += changes[r] + lk_join(lk, &run->wholes[r]);
}

enum shoal_status lk_take(struct lk_run *run, uint64_t step, const int64_t *changes, uint64_t kicks,
                          struct shoal_error *error)
{
    const struct lk *lk = &run->lk;
    struct lk_state *state = &run->state;
    const struct lk_state before = *state;
    const size_t bytes = lk->n * sizeof *run->best;
    const bool recombines = recombines_after(run, step), mends = mends_after(lk, step),
               may_be_cut = recombines || mends;
    if (may_be_cut) {
        memcpy(run->before, run->wholes->order, lk->replicas * bytes);
        for (uint32_t r = 0; r < lk->replicas; r++)
            run->lengths[r] = run->wholes[r].length;
    }
    state->kicks += kicks;
    join_all(run, changes);
    run->step_s[lk_kind_of(lk, step)] = solver_clock(run->solver) - run->step_began_s;
    enum shoal_status status = mends ? lk_mend(run, step, error) : SHOAL_OK;
    if (!status && recombines && !long_step_is_cut(run->cut))
        status = lk_recombine(run, step, error);
    if (may_be_cut && long_step_is_cut(run->cut)) {
        memcpy(run->wholes->order, run->before, lk->replicas * bytes);
        for (uint32_t r = 0; r < lk->replicas; r++)
            run->wholes[r].length = run->lengths[r];
        *state = before;
        return status;
    }
    if (!status)
        look_for_best(run, step);
    return status;
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

static const char state_section[] = "state of the search", visits_section[] = "visits";

enum shoal_status lk_save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                          struct shoal_error *error)
{
    struct lk_run *run = lk_run_of(solver);
    checkpoint_add(checkpoint, state_section, &run->state, sizeof run->state);
    checkpoint_add(checkpoint, visits_section, &run->lk.visits, sizeof run->lk.visits);
    return arrays_save(&run->arrays, checkpoint, error);
}

/* Whether a saved tour is a permutation of the cities. */
static bool is_tour(struct lk_run *run, const uint32_t *order)
{
    const uint32_t n = run->lk.n;
    uint32_t *seen = run->wholes->index;
    memset(seen, 0, n * sizeof *seen);
    for (uint32_t i = 0; i < n; i++) {
        if (order[i] >= n || seen[order[i]]++)
            return false;
    }
    return true;
}

/* Whether the saved tours are tours with the lengths that were saved with them. */
static bool are_saved_tours(struct lk_run *run)
{
    const struct lk_state *state = &run->state;
    int64_t sum = 0, least = INT64_MAX;
    for (uint32_t r = 0; r < run->lk.replicas; r++)
        if (!is_tour(run, run->wholes[r].order))
            return false;
    if (!is_tour(run, run->best))
        return false;
    set_lengths(run);
    for (uint32_t r = 0; r < run->lk.replicas; r++) {
        sum += run->wholes[r].length;
        least = run->wholes[r].length < least ? run->wholes[r].length : least;
    }
    return sum == state->length && state->best <= least &&
           tsp_form_length(run->lk.problem, run->best) == state->best;
}

/* A resumed run keeps the number of visits, which may follow from the time that the run had. */
static enum shoal_status load_visits(struct lk *lk, const struct checkpoint *checkpoint,
                                     struct shoal_error *error)
{
    lk->visits = lk_usual_visits(lk);
    if (!checkpoint_find(checkpoint, visits_section)) /* of an earlier version */
        return SHOAL_OK;
    const enum shoal_status status =
        checkpoint_get(checkpoint, visits_section, &lk->visits, sizeof lk->visits, error);
    if (!status && (lk->visits < 1 || lk->visits > LK_MOST_VISITS || (lk->cells == 1 && lk->visits > 1)))
        return checkpoint_damaged(checkpoint, error);
    return status;
}

enum shoal_status lk_load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                          struct shoal_error *error)
{
    struct lk_run *run = lk_run_of(solver);
    struct lk_state *state = &run->state;
    for (uint32_t r = 0; r < run->lk.replicas; r++)
        run->wholes[r].division = UINT64_MAX;
    run->began_s = -1;
    enum shoal_status status = checkpoint_get(checkpoint, state_section, state, sizeof *state, error);
    if (!status)
        status = load_visits(&run->lk, checkpoint, error);
    if (!status)
        status = arrays_load(&run->arrays, checkpoint, error);
    if (!status && (state->best_step > tsp_run_of(solver)->steps || !are_saved_tours(run)))
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
    result_add_uint(result, "kicks", "", lk_run_of(solver)->state.kicks);
    result_add_uint(result, "cell", "", lk_run_of(solver)->lk.cell);
    result_add_uint(result, "replicas", "", lk_run_of(solver)->lk.replicas);
    result_add_uint(result, "visits", "", lk_run_of(solver)->lk.visits);
    /* All steps of a run whose cooling is not known yet are in the plateau of such a cooling. */
    result_add_uint(result, "cooling", "",
                    known ? known
                          : (uint64_t)least_cooling(&lk_run_of(solver)->lk, tsp_run_of(solver)->steps));
}

uint64_t lk_progress(const struct shoal_solver *solver)
{
    return atomic_load_explicit(&lk_run_of(solver)->done, memory_order_relaxed);
}
