/* Lin-Kernighan search: rules that follow from the parameters, candidate lists and the first tour. */
#include "tsp/lk/lk.h"

#include "base/error.h"
#include "tsp/improve/improve.h"
#include "tsp/lk/joint.h"
#include "tsp/model/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Default lengths of lists of nearest cities, of quadrants and of least alpha-nearness. */
enum { CANDIDATES = 8, QUADRANT_CANDIDATES = 12, ALPHA_CANDIDATES = 5 };

static const struct tsp_list_rules list_rules = {.nearest = CANDIDATES,
                                                 .quadrants = QUADRANT_CANDIDATES,
                                                 .alpha = ALPHA_CANDIDATES,
                                                 .most = TSP_MOST_NEIGHBOURS};

/* Cells of all tours that a device searches at a time. */
enum { DEVICE_CELLS = 1536 };

/* Cities of a cell of a device by default: few, so that there are cells enough for all work-groups, and so
 * many that all cells are searched at a time as long as cells are not full. */
static uint32_t device_cell(uint32_t n, uint32_t replicas)
{
    enum { LEAST = 192 };
    const uint64_t cell = ((uint64_t)n * replicas + DEVICE_CELLS - 1) / DEVICE_CELLS;
    return cell < LEAST ? LEAST : cell > TSP_SMALL_CELL ? TSP_SMALL_CELL : (uint32_t)cell;
}

/* Cells of the host by default. Points have two at least, and up to LK_BATCH a power of two, so that two,
 * four, ... threads have equally many; a cell of a matrix lacks more of the good edges, so there are few. The
 * number does not depend on the threads, so that the tour does not. */
static uint32_t host_cells(uint32_t n, bool has_points)
{
    const uint32_t least = (n + LK_CELL - 1) / LK_CELL;
    uint32_t cells = 2;
    while (cells < least && cells < LK_BATCH)
        cells *= 2;
    return cells < least || !has_points ? least : cells;
}

/* Most cities of a cell, with the additional city of a path. */
static uint32_t most_cities(const struct lk *lk)
{
    const uint32_t mean = (lk->n + lk->cells - 1) / lk->cells, additional = lk->n - lk->problem->n;
    if (lk->cells == 1 || !lk_has_places(lk))
        return mean;
    /* Each cut rounds. */
    return (lk->is_cut ? (uint32_t)((1 + LK_CUT_SHIFT) * mean) + LK_BATCH : mean) + additional;
}

/* Seconds of a step, if the kicks of a division are made in one visit. */
static double division_seconds(const struct lk *lk, enum tsp_maker maker)
{
    const double kicks = (double)lk->replicas * lk->n * lk->kicks / lk->batches;
    return kicks / tsp_kick_rate(maker);
}

uint32_t lk_usual_visits(const struct lk *lk)
{
    enum { FEW = 4 };
    /* On the host short steps lose little to the end of a run by its time. Of many cells, the work on the
     * whole tour between two steps would weigh too much. */
    return lk->cells > 1 && lk->levels == LK_LEVELS && lk->batches <= 2 ? FEW : 1;
}

/* Number of visits of each cell of a division. Short steps lose little to the end of a run by its time. */
static uint32_t visits_of(const struct shoal_solver *solver, const struct lk *lk)
{
    enum { MOST = 16 };
    const double time = tsp_params(solver)->time, part = 0.05,
                 longest_s = fmax(lk_overshoot(lk) / 2, part * time);
    uint32_t visits = 1;
    if (tsp_params(solver)->visits)
        return (uint32_t)tsp_params(solver)->visits;
    if (!solver->queue || isnan(time))
        return lk_usual_visits(lk);
    while (visits < MOST && division_seconds(lk, tsp_maker_of(solver)) > longest_s * visits)
        visits *= 2;
    return visits;
}

static void choose_cells(const struct shoal_solver *solver, struct lk *lk)
{
    const uint32_t own = (uint32_t)tsp_params(solver)->cell, n = lk->n;
    /* A problem that fits a cell of a device has the same tour on the host. */
    const bool is_one = !own && n <= TSP_SMALL_CELL;
    const bool is_small = own || solver->queue || is_one;
    lk->replicas = tsp_params(solver)->replicas ? (uint32_t)tsp_params(solver)->replicas : 1;
    const uint32_t cell = own ? own : is_one ? n : device_cell(n, lk->replicas);
    lk->cells = is_small ? (n + cell - 1) / cell : host_cells(n, lk->problem->form.dim > 0);
    lk->cell = is_small ? cell : (n + lk->cells - 1) / lk->cells;
    lk->batch = is_small ? lk->cells : LK_BATCH;
    lk->levels = is_small ? LK_FEW_LEVELS : LK_LEVELS;
    lk->flips = is_small ? LK_FEW_FLIPS : LK_FLIPS;
    lk->batches = (lk->cells + lk->batch - 1) / lk->batch;
    /* The work of the host between two steps is that of all cities. One tour of many cells is long enough for
     * that work to take as long as a kick for each city. */
    lk->kicks = is_small && lk->replicas == 1 && lk->cells > DEVICE_CELLS ? 2 : 1;
    lk->visits = lk->cells > 1 ? visits_of(solver, lk) : 1;
    lk->is_cut = !is_small && lk->cells > 1 && lk->cells <= LK_BATCH;
    lk->most_cities = most_cities(lk);
}

enum shoal_status lk_create(struct shoal_solver *solver, struct lk_run *run, struct shoal_error *error)
{
    struct lk *lk = &run->lk;
    const struct tsp_problem *problem = tsp_problem_of(solver);
    const struct tsp_form *form = &problem->form;
    const enum shoal_status status = tsp_run_choose_lists(solver, &list_rules, &lk->lists, error);
    if (status)
        return status;
    lk->problem = problem;
    lk->seed = tsp_params(solver)->seed;
    lk->n = form->n;
    lk->k = tsp_run_list_length(solver, &list_rules);
    choose_cells(solver, lk);
    if ((double)lk->replicas * lk->n > UINT32_MAX)
        return fail(error, SHOAL_INVALID, "%u replicas of %u cities are too many: lower --replicas",
                    (unsigned)lk->replicas, (unsigned)lk->n);
    lk->is_plane = tsp_form_is_plane(form);
    run->solver = solver;
    run->cut = &tsp_run_of(solver)->cut;
    run->began_s = -1;
    run->step_s[LK_FIRST_VISIT] = run->step_s[LK_LATER_VISIT] =
        division_seconds(lk, tsp_maker_of(solver)) / lk->visits;
    return SHOAL_OK;
}

/* Lengths of edges are multiplied by up to 1 + first_noise for all first tours but one, so that tours differ
 * in what cells cannot change, too. */
static const double first_noise = 0.3;

/* Sets a large first tour, for steps that search all cells: the cities in the order of a closed curve, which
 * is turned for each replica. Its edges are short, so that cells can improve all of it. A greedy tour is
 * shorter, but has long edges, whose ends are in different cells: E100k.0 ended 2.2 % longer. */
static enum shoal_status set_curve(const struct lk *lk, uint32_t replica, uint32_t *tour,
                                   struct shoal_error *error)
{
    const double golden = 2.39996322972865332, angle = golden * replica;
    const struct tsp_curve curve = {.turned = {cos(angle), sin(angle)}, .threads = 1, .is_closed = true};
    return tsp_curve_tour(lk->problem, &curve, tour, error);
}

/* Sets the first tour of a replica: a curve, or a greedy tour that is improved by 2-opt and Or-opt. If the
 * improvement of replica 0 is cut, its tour becomes the draft. */
static enum shoal_status set_one(struct shoal_solver *solver, struct lk *lk, uint32_t replica,
                                 struct shoal_error *error)
{
    enum { REACH = 50000 }; /* most cities that a move may reverse: longer moves gain little and take long */
    uint32_t *tour = lk->first + (size_t)replica * lk->n;
    const struct tsp_greedy_noise noise = {.part = first_noise, .seed = lk->seed, .tour = replica};
    const struct tsp_improve_rules rules = {
        .moves = TSP_MOVES_2OPT_OROPT, .lists = lk->lists, .neighbours = lk->k, .reach = REACH};
    if (lk_begins_with_curve(lk))
        return set_curve(lk, replica, tour, error);
    const enum shoal_status status = replica ? tsp_greedy_tour(lk->problem, lk->lists, lk->k, &noise,
                                                               &tsp_run_of(solver)->cut, tour, error)
                                             : tsp_first_greedy(solver, lk->lists, lk->k, tour, error);
    if (status)
        return status;
    return replica ? tsp_improve_until_cut(solver, &rules, tour, error)
                   : tsp_improve_first(solver, &rules, tour, error);
}

/* Sets the first tours of the replicas from 1 on. */
static enum shoal_status set_others(struct shoal_solver *solver, struct lk *lk, struct shoal_error *error)
{
    const int threads = lk_run_of(solver)->threads;
    enum shoal_status status = SHOAL_OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (uint32_t r = 1; r < lk->replicas; r++) {
        struct shoal_error own = {0};
        const enum shoal_status one =
            long_step_is_cut(&tsp_run_of(solver)->cut) ? SHOAL_OK : set_one(solver, lk, r, &own);
        if (one && one != SHOAL_STOPPED) {
#pragma omp critical(shoal_lk_first)
            {
                status = one;
                *error = own;
            }
        }
    }
    return status ? status : tsp_start_status(solver, lk->first, error);
}

/* Sets the first tours: the caller's tour, if there is one, and curves or greedy tours. */
static enum shoal_status set_first(struct shoal_solver *solver, struct lk *lk, struct shoal_error *error)
{
    const struct tsp_run *run = tsp_run_of(solver);
    const size_t bytes = lk->n * sizeof *lk->first;
    enum shoal_status status = SHOAL_OK;
    lk->first = malloc(lk->replicas * bytes);
    if (!lk->first)
        return fail_host_memory(error);
    if (run->start_tour)
        memcpy(lk->first, run->start_tour, bytes);
    else
        status = set_one(solver, lk, 0, error);
    return status || lk->replicas == 1 ? status : set_others(solver, lk, error);
}

static void clear_tables(struct lk *lk)
{
    free(lk->lists);
    free(lk->first);
    lk->lists = lk->first = NULL;
}

enum shoal_status lk_prepare(struct shoal_solver *solver, bool is_first, struct shoal_error *error)
{
    struct lk *lk = &lk_run_of(solver)->lk;
    enum shoal_status status = SHOAL_OK;
    if (solver->share.of) /* the whole run has lists and first tours */
        return SHOAL_OK;
    if (!lk->lists) {
        lk->lists = malloc((size_t)lk->n * lk->k * sizeof *lk->lists);
        status = lk->lists ? tsp_run_candidates(solver, lk->k, lk->lists, error) : fail_host_memory(error);
    }
    if (!status && is_first && !lk->first)
        status = set_first(solver, lk, error);
    if (status)
        clear_tables(lk);
    return status;
}

void lk_destroy(struct lk *lk)
{
    clear_tables(lk);
}

static enum shoal_status check(const struct shoal_tsp_params *params, struct shoal_error *error)
{
    enum { LEAST = 8 };
    if (params->cell && params->cell < LEAST)
        return fail(error, SHOAL_INVALID, "cells have at least %d cities: raise --cell", LEAST);
    return tsp_check_no_ants(params, error);
}

const struct tsp_algorithm tsp_lk = {.name = "lk",
                                     .has_quadrants = true,
                                     .check = check,
                                     .host = &lk_host_method,
                                     .device = &lk_device_method,
                                     .joins = lk_joins,
                                     .joint = &lk_joint_method};
