/* Lin-Kernighan search on the host: cells of the tour are improved at once, each by a thread at a time. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "tsp/lk/lk.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

struct lk_host {
    struct lk_run run;
    struct lk_cell cells[LK_BATCH]; /* a cell for each thread */
    struct thread_choice choice;
};

static struct lk_host *host_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static uint32_t cells_at_once(const struct lk_host *host)
{
    const uint32_t cells = host->run.lk.cells, threads = (uint32_t)host->choice.most;
    return cells < threads ? cells : threads;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_host *host = calloc(1, sizeof *host);
    solver->method.state = host;
    if (!host)
        return fail_host_memory(error);
    struct lk_run *run = &host->run;
    enum shoal_status status = lk_create(solver, &run->lk, error);
    if (status)
        return status;
    const int threads = solver_threads(solver);
    host->choice = (struct thread_choice){.most = threads < LK_BATCH ? threads : LK_BATCH};
    run->cut = &tsp_run_of(solver)->cut;
    run->whole.division = UINT64_MAX;
    run->began_s = -1;
    lk_list_arrays(run);
    status = arrays_check(&run->arrays, lk_more_bytes(&run->lk, cells_at_once(host)), "cities",
                          "lower --candidates", error);
    if (!status)
        status = arrays_create(&run->arrays, error);
    for (uint32_t c = 0; c < cells_at_once(host) && !status; c++)
        status = lk_cell_create(&host->cells[c], &run->lk, 0, error);
    return status;
}

static void destroy(struct shoal_solver *solver)
{
    struct lk_host *host = host_of(solver);
    if (!host)
        return;
    for (uint32_t c = 0; c < LK_BATCH; c++)
        lk_cell_destroy(&host->cells[c]);
    arrays_destroy(&host->run.arrays);
    lk_destroy(&host->run.lk);
    free(host);
}

/* Searches the cells of a step; returns the change of the length. */
static int64_t search_cells(struct lk_host *host, uint32_t step, int threads, uint64_t *kicks)
{
    struct lk_run *run = &host->run;
    const struct lk *lk = &run->lk;
    const uint32_t first = (step - 1) % lk->batches * lk->batch,
                   count = lk->cells - first < lk->batch ? lk->cells - first : lk->batch;
    const uint32_t threshold = lk_threshold(run, step);
    lk_search_function *search = lk->is_plain ? lk_search_plane : lk_search_any;
    int64_t change = 0;
    uint64_t kicks_done = 0;
#pragma omp parallel num_threads(threads) reduction(+ : change, kicks_done)
    {
        struct lk_cell *cell = &host->cells[omp_get_thread_num()];
        const double start = clock_thread_seconds();
#pragma omp for schedule(dynamic) nowait
        for (uint32_t c = 0; c < count; c++) {
            const struct lk_visit visit = {.step = step,
                                           .cell = first + c,
                                           .is_first = (step - 1) / lk->batches % lk->visits == 0,
                                           .threshold = threshold,
                                           .cut = run->cut};
            if (long_step_is_cut(run->cut))
                continue;
            lk_cell_load(&run->whole, first + c, cell);
            search(cell, &visit);
            lk_cell_store(&run->whole, first + c, cell);
            atomic_fetch_add_explicit(&run->done, cell->kicks, memory_order_relaxed);
            change += cell->delta;
            kicks_done += cell->kicks;
        }
        thread_choice_work(&host->choice, start);
    }
    *kicks = kicks_done;
    return change;
}

/* A step. If it is cut, the tour has not changed. */
static enum shoal_status make_step(struct lk_host *host, uint32_t step, struct shoal_error *error)
{
    struct lk_run *run = &host->run;
    const uint64_t division = lk_division(&run->lk, step);
    uint64_t kicks;
    long_step_begin(run->cut);
    thread_choice_begin(&host->choice);
    const int most = thread_choice_threads(&host->choice), cells = (int)cells_at_once(host),
              threads = most < cells ? most : cells;
    run->whole.threads = threads;
    lk_divide(&run->lk, &run->whole, division);
    lk_gather(&run->lk, &run->whole, division);
    const int64_t change = search_cells(host, step, threads, &kicks);
    thread_choice_end(&host->choice); /* one thread mends the tour */
    return long_step_is_cut(run->cut) ? SHOAL_OK : lk_take(run, step, change, kicks, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct lk_host *host = host_of(solver);
    struct tsp_run *run = tsp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < steps && !run->dropped && !status; i++) {
        const uint64_t step = run->steps + i + 1;
        lk_estimate_cooling(solver, step);
        status = make_step(host, (uint32_t)step, error);
        if (long_step_is_cut(&run->cut))
            run->dropped = steps - i;
    }
    return status;
}

const struct tsp_method lk_host_method = {.base = {.name = "host",
                                                   .create = create,
                                                   .destroy = destroy,
                                                   .begin = lk_begin,
                                                   .advance = advance,
                                                   .save = lk_save,
                                                   .load = lk_load},
                                          LK_METHOD};
