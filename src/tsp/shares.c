/* Divides a run among several solvers, by colonies, by the pieces of tours or by the cells of lk. Sets the
 * parameters of each solver's share, and gives it its part of a checkpoint. The checkpoint of a run does not
 * depend on the number of solvers. */
#include "base/error.h"
#include "tsp/colonies.h"
#include "tsp/lk/lk.h"

#include <math.h>
#include <stdlib.h>

static uint64_t count_colonies(const void *params)
{
    const struct shoal_tsp_params *tsp = params;
    return tsp_algorithms[tsp->algorithm]->has_colonies && !tsp_may_be_lk(tsp) ? tsp->colonies : 0;
}

/* Returns the number of colonies if they do not exchange tours, otherwise 0. Shares of such colonies do not
 * wait for each other, so a time limit may end the shares after different numbers of steps. */
static uint64_t count_independent(const void *params)
{
    return ((const struct shoal_tsp_params *)params)->exchange ? 0 : count_colonies(params);
}

static uint64_t count_exchanging(const void *params)
{
    return ((const struct shoal_tsp_params *)params)->exchange ? count_colonies(params) : 0;
}

static uint64_t count_pieces(const void *params)
{
    const struct shoal_tsp_params *tsp = params;
    return tsp->algorithm == SHOAL_TSP_FACO || tsp->algorithm == SHOAL_TSP_ALGORITHM_AUTO
               ? tsp->colonies * tsp->pieces
               : 0;
}

/* Number of shards of the cells of lk: the cells of all tours, in a row, in equal parts. The number of cells
 * is known only when the problem is read. */
static uint64_t count_shards(const void *params)
{
    enum { SHARDS = 1024 };
    return tsp_may_be_lk(params) ? SHARDS : 0;
}

/* Sets the parameters of a share of pieces or cells. The whole run takes samples, reports better tours and
 * decides when the run ends, so these are disabled for the share. */
static void take_part(const struct solver_share *share, void *params)
{
    struct shoal_tsp_params *own = params;
    (void)share;
    own->tours = own->stagnation = own->trace = 0;
    own->target = NAN;
    own->on_better = NULL;
}

static void take(const struct solver_share *share, void *params)
{
    take_part(share, params);
    ((struct shoal_tsp_params *)params)->colonies = share->count;
}

#define COLONIES                                                                                             \
    .scheme = SPLIT_ISLANDS, .unit = "colony", .units = "colonies", .option = "--colonies", .take = take
static const struct workload_split independent = {COLONIES, .count = count_independent};
static const struct workload_split exchanging = {COLONIES, .count = count_exchanging, .meets = true};
/* Each share has all colonies, and constructs the tours of some pieces. After each step the shares exchange
 * their merged pieces. */
static const struct workload_split pieces = {.scheme = SPLIT_SLICES,
                                             .unit = "piece",
                                             .units = "pieces",
                                             .option = "--pieces",
                                             .count = count_pieces,
                                             .meets = true,
                                             .take = take_part};

/* Every share must have a cell at first. */
static enum shoal_status agree_on_cells(struct shoal_solver *whole, struct shoal_error *error)
{
    const struct lk *lk = whole->method.method ? &lk_run_of(whole)->lk : NULL;
    const unsigned long long cells = lk ? (unsigned long long)lk->replicas * lk->cells : UINT64_MAX;
    return cells >= whole->shares->count
               ? SHOAL_OK
               : fail(error, SHOAL_INVALID,
                      "cells are divided among devices, and there %s %llu for %zu devices: lower --cell, or "
                      "take fewer devices",
                      cells == 1 ? "is" : "are", cells, whole->shares->count);
}

/* The whole run has the tours; each share searches some of the cells of all tours. */
static const struct workload_split cells = {.scheme = SPLIT_SHARDS,
                                            .unit = "shard",
                                            .units = "shards",
                                            .count = count_shards,
                                            .take = take_part,
                                            .agree = agree_on_cells};

const struct workload_split *const tsp_splits[] = {&independent, &exchanging, &pieces, &cells, NULL};

bool tsp_shares_cells(const struct shoal_solver *whole)
{
    return whole->shares && whole->shares->rules == &cells;
}

/* Sets for all shares the kind of candidate lists that the whole run has; they may have been created with
 * another kind. */
static enum shoal_status set_lists(struct shoal_solver *whole, struct shoal_error *error)
{
    const struct solver_shares *shares = whole->shares;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < shares->count && !status; k++)
        status = tsp_run_set_lists(shares->solvers[k], tsp_problem_of(whole)->lists, error);
    return status;
}

static enum shoal_status load_share(struct shoal_solver *whole, size_t index,
                                    const struct arrays *const *tables, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    struct shoal_solver *solver = whole->shares->solvers[index];
    struct tsp_run *run = tsp_run_of(solver);
    struct checkpoint share = {.path = checkpoint->path};
    tsp_run_reset(run);
    run->steps = tsp_run_of(whole)->steps;
    enum shoal_status status =
        tsp_shares_pieces(solver)
            ? arrays_cut(tables + index, 1, 0, checkpoint, &share, error)
            : arrays_cut(tables, whole->shares->count, index, checkpoint, &share, error);
    if (!status)
        status = tsp_method_of(solver)->prepare(solver, false, error);
    if (!status)
        status = solver->method.method->load(solver, &share, error);
    run->begun = !status;
    checkpoint_clear(&share);
    return status;
}

/* Loads the state into the whole run of shares of cells, which have no state but the number of steps. */
static enum shoal_status load_whole(struct shoal_solver *whole, const struct checkpoint *checkpoint,
                                    struct shoal_error *error)
{
    enum shoal_status status = whole->method.method->load(whole, checkpoint, error);
    if (status)
        return status;
    whole->shares->loads(whole, checkpoint);
    for (size_t k = 0; k < whole->shares->count && !status; k++) {
        struct shoal_solver *share = whole->shares->solvers[k];
        struct tsp_run *run = tsp_run_of(share);
        tsp_run_reset(run);
        run->steps = tsp_run_of(whole)->steps;
        status = share->method.method->load(share, checkpoint, error);
        run->begun = !status;
    }
    return status;
}

enum shoal_status tsp_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct tsp_look ignored;
    enum shoal_status status = set_lists(whole, error);
    if (!status && tsp_shares_cells(whole))
        return load_whole(whole, checkpoint, error);
    const struct arrays **tables = status ? NULL : tsp_colonies_tables(whole, error);
    if (!tables)
        return status ? status : SHOAL_OUT_OF_HOST_MEMORY;
    /* Must be called even if a share fails later, since other shares may have loaded their colonies by
     * then. */
    whole->shares->loads(whole, checkpoint);
    for (size_t k = 0; k < whole->shares->count && !status; k++)
        status = load_share(whole, k, tables, checkpoint, error);
    free((void *)tables);
    /* Results use the states of the colonies that were read last, so these are read again. */
    return status ? status : tsp_colonies_look(whole, &ignored, error);
}
