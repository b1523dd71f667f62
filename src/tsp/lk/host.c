/* Lin-Kernighan search on the host: cells of the tour are improved at once, each by a thread at a time. */
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "tsp/lk/lk.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct lk_host {
    struct lk_run run;
    struct lk_cell cells[LK_BATCH]; /* a cell for each thread */
    struct thread_choice choice;
    int64_t *changes; /* [replicas]: of the lengths of the tours by a step */
};

static struct lk_host *host_of(const struct shoal_solver *solver)
{
    return solver->method.state;
}

static uint32_t cells_at_once(const struct lk_host *host)
{
    const uint32_t cells = host->run.lk.cells * host->run.lk.replicas, threads = (uint32_t)host->choice.most;
    return cells < threads ? cells : threads;
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    struct lk_host *host = calloc(1, sizeof *host);
    solver->method.state = host;
    if (!host)
        return fail_host_memory(error);
    struct lk_run *run = &host->run;
    enum shoal_status status = lk_create(solver, run, error);
    if (status)
        return status;
    const int threads = solver_threads(solver);
    host->choice = (struct thread_choice){.most = threads < LK_BATCH ? threads : LK_BATCH};
    run->threads = host->choice.most;
    host->changes = calloc(run->lk.replicas, sizeof *host->changes);
    status = host->changes ? lk_list_arrays(run, error) : fail_host_memory(error);
    if (!status)
        status = arrays_check(&run->arrays, lk_more_bytes(run, cells_at_once(host)), "cities",
                              lk_remedy(&run->lk), error);
    if (!status)
        status = lk_create_arrays(run, error);
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
    lk_destroy_run(&host->run);
    free(host->changes);
    free(host);
}

/* Searches the cells of a step in all tours; returns the number of kicks. */
static uint64_t search_cells(struct lk_host *host, uint32_t step, int threads)
{
    struct lk_run *run = &host->run;
    const struct lk *lk = &run->lk;
    const uint32_t first = (step - 1) % lk->batches * lk->batch,
                   count = lk->cells - first < lk->batch ? lk->cells - first : lk->batch;
    const uint32_t threshold = lk_threshold(run, step);
    const enum lk_step_kind kind = lk_kind_of(lk, step);
    lk_search_function *search = lk->is_plane ? lk_search_plane : lk_search_any;
    uint64_t kicks = 0;
    memset(host->changes, 0, lk->replicas * sizeof *host->changes);
#pragma omp parallel num_threads(threads) reduction(+ : kicks)
    {
        struct lk_cell *cell = &host->cells[omp_get_thread_num()];
        const double start = clock_thread_seconds();
#pragma omp for schedule(dynamic) nowait
        for (uint32_t i = 0; i < count * lk->replicas; i++) {
            const uint32_t replica = i / count, c = first + i % count;
            const struct lk_whole *whole = &run->wholes[replica];
            const struct lk_visit visit = {.step = step,
                                           .cell = replica * lk->cells + c,
                                           .is_first = kind != LK_LATER_VISIT,
                                           .has_kicks = kind != LK_WITHOUT_KICKS,
                                           .threshold = threshold,
                                           .cut = run->cut};
            if (long_step_is_cut(run->cut))
                continue;
            lk_cell_load(whole, c, cell);
            search(cell, &visit);
            lk_cell_store(whole, c, cell);
            atomic_fetch_add_explicit(&run->done, cell->kicks, memory_order_relaxed);
#pragma omp atomic
            host->changes[replica] += cell->delta;
            kicks += cell->kicks;
        }
        thread_choice_work(&host->choice, start);
    }
    return kicks;
}

/* A step. If it is cut, the tour has not changed. */
static enum shoal_status make_step(struct lk_host *host, uint32_t step, struct shoal_error *error)
{
    struct lk_run *run = &host->run;
    thread_choice_begin(&host->choice);
    const int most = thread_choice_threads(&host->choice), cells = (int)cells_at_once(host),
              threads = most < cells ? most : cells;
    run->threads = threads;
    lk_divide_all(run, lk_division(&run->lk, step));
    lk_gather_all(run, lk_division(&run->lk, step));
    const uint64_t kicks = search_cells(host, step, threads);
    thread_choice_end(&host->choice); /* one thread mends a tour */
    return long_step_is_cut(run->cut) ? SHOAL_OK : lk_take(run, step, host->changes, kicks, error);
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct lk_host *host = host_of(solver);
    struct tsp_run *run = tsp_run_of(solver);
    enum shoal_status status = SHOAL_OK;
    for (uint64_t i = 0; i < steps && !run->dropped && !status; i++) {
        const uint64_t step = run->steps + i + 1;
        if (lk_must_end_before(solver, step)) {
            run->dropped = steps - i;
            break;
        }
        lk_estimate_cooling(solver, step);
        lk_begin_step(solver);
        status = make_step(host, (uint32_t)step, error);
        lk_end_step(solver);
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
