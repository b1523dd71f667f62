/* Differential evolution in plain C and double precision: the solver of the host device, and the reference
 * for the kernels. */
#include "de/host/host.h"
#include "base/vectors/processor.h"

static void list_arrays(struct de_host *host)
{
    const struct de_problem *problem = &host->problem;
    const size_t total = problem->search.total, islands = problem->search.islands;
    const size_t archived = islands * problem->slots * problem->search.dim,
                 cells = 2 * islands * problem->cells, own = problem->has_own ? total : 0,
                 levels = problem->level_steps ? islands : 0, members = problem->search.members,
                 dim = problem->search.dim;
    const struct array list[] = {
        {&host->archive, (double)archived, sizeof(double), ARRAY_SAVE, "archive", archived},
        {&host->memory, (double)cells, sizeof(double), ARRAY_SAVE, "memory", cells},
        {&host->below, (double)(cells / 2), sizeof(double)},
        {&host->steps, (double)islands, sizeof *host->steps},
        {&host->counts, (double)(islands * DE_COUNTS), sizeof(uint32_t), ARRAY_SAVE, "counts",
         islands * DE_COUNTS},
        {&host->own_scale, (double)own, sizeof(double), ARRAY_SAVE, "own scale", own},
        {&host->own_rate, (double)own, sizeof(double), ARRAY_SAVE, "own rate", own},
        {&host->scale, (double)total, sizeof(double), ARRAY_SAVE, "scale", total},
        {&host->rate, (double)total, sizeof(double), ARRAY_SAVE, "rate", total},
        {&host->level, (double)(levels * DE_LEVEL_REALS), sizeof(double), ARRAY_SAVE, "level",
         levels * DE_LEVEL_REALS},
        {&host->levelled, (double)(levels * members), sizeof(double)},
        {&host->point, (double)(levels * dim), sizeof(double)},
        {&host->order, (double)total, sizeof(uint32_t)},
        {&host->stays, (double)total, sizeof(bool)},
    };
    ARRAYS_SET(&host->search.own, list);
}

static enum shoal_status open_populations(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    de_host_of(search)->move = de_host_move;
#ifdef __x86_64__
    if (processor_has_avx2())
        de_host_of(search)->move = de_host_move_avx2;
#endif
    search->batch = search->problem->width;
    search->numbers = DE_HOST_TOGETHER * de_host_padded(search->problem->dim);
    list_arrays(de_host_of(search));
    return SHOAL_OK;
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    de_host_of(search)->move(search, i, step, scratch);
}

const struct search_host_ops de_host_functions = {.size = sizeof(struct de_host),
                                                  .problem = offsetof(struct de_host, problem),
                                                  .evaluation_bytes = de_evaluation_bytes,
                                                  .open = open_populations,
                                                  .prepare = de_host_prepare,
                                                  .draw = de_host_draw,
                                                  .move = move,
                                                  .replace = de_host_replace,
                                                  .end_step = de_host_begin_level};

/* Solver ----------------------------------------------------------------------------------------------- */

const struct shoal_solver_ops de_host_solver = {
    SEARCH_HOST_SOLVER,
    .what = "members",
    SEARCH_HOST_POSITIONS,
};
