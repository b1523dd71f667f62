/* Swarms in plain C and double precision: the solver of the host device, and the reference for the
 * kernels. */
#include "pso/host/host.h"
#include "base/error.h"
#include "base/vectors/processor.h"

#include <string.h>

static void list_arrays(struct pso_host *host)
{
    const struct pso_problem *problem = &host->problem;
    const size_t coordinates = problem->search.total * problem->search.dim;
    const size_t states = problem->search.total * problem->thesis.kept_words;
    const double links = (double)problem->search.islands * (double)pso_host_links_size(problem);
    const struct array list[] = {
        {&host->v, (double)problem->search.total * (double)problem->search.dim, sizeof(double), ARRAY_SAVE,
         "v", coordinates},
        {&host->links, links, sizeof(uint32_t)},
        {&host->generators, (double)states, sizeof(uint32_t), ARRAY_SAVE, "generators", states},
    };
    ARRAYS_SET(&host->search.own, list);
}

static const struct pso_host_moves *choose_moves(void)
{
#ifdef __x86_64__
    if (processor_has_avx2())
        return &pso_host_moves_avx2;
#endif
    return &pso_host_moves;
}

static enum shoal_status open_swarms(struct search_host *search, struct shoal_error *error)
{
    struct pso_host *host = pso_host_of(search);
    const struct pso_problem *problem = &host->problem;
    host->moves = choose_moves();
    search->batch = problem->batch;
    search->numbers = pso_host_numbers(problem);
    list_arrays(host);
    if (pso_host_links_size(problem) > UINT32_MAX)
        return fail(error, SHOAL_INVALID,
                    "%zu particles with %zu links each are more than can be numbered: lower --particles or "
                    "--neighbours",
                    problem->search.members, problem->neighbours);
    return SHOAL_OK;
}

/* Updates the personal best of point i's particle. A drawn particle keeps its position as personal best even
 * if its value is not finite. */
static void keep(struct search_host *search, size_t i, bool is_drawn)
{
    const size_t dim = search->problem->dim;
    const bool better = search->y[i] < search->best[i];
    if (better)
        search->best[i] = search->y[i];
    if (better || is_drawn)
        memcpy(search->p + i * dim, search->x + i * dim, dim * sizeof *search->p);
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    pso_host_of(search)->moves->draw(search, i, scratch);
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    pso_host_of(search)->moves->move(search, i, step, scratch);
}

const struct search_host_ops pso_host_functions = {.size = sizeof(struct pso_host),
                                                   .problem = offsetof(struct pso_host, problem),
                                                   .evaluation_bytes = pso_evaluation_bytes,
                                                   .open = open_swarms,
                                                   .renew = pso_host_draw_links,
                                                   .draw = draw,
                                                   .move = move,
                                                   .keep = keep};

/* Solver ----------------------------------------------------------------------------------------------- */

static size_t state_count(const struct shoal_solver *solver)
{
    const struct search_host *search = solver->state;
    return 2 * search->problem->total * search->problem->dim;
}

/* Reads the state in the order of the kernels: all positions, then all velocities, both dimension by
 * dimension. */
static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    const struct pso_host *host = solver->state;
    const size_t total = host->problem.search.total, dim = host->problem.search.dim;
    for (size_t i = 0; i < total; i++)
        for (size_t d = 0; d < dim; d++) {
            values[d * total + i] = host->search.x[i * dim + d];
            values[(dim + d) * total + i] = host->v[i * dim + d];
        }
    return SHOAL_OK;
}

const struct shoal_solver_ops pso_host_solver = {
    SEARCH_HOST_SOLVER,
    .what = "positions and velocities",
    .state_count = state_count,
    .get_state = get_state,
};
