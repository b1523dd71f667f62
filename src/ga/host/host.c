/* Genetic algorithms in plain C and double precision: the solver of the host device, and the reference for
 * the kernels. */
#include "ga/host/host.h"
#include "base/vectors/processor.h"
#include "ga/model/tours.h"

#include <math.h>

static void list_arrays(struct ga_host *host)
{
    const struct ga_problem *problem = &host->problem;
    const struct shoal_ga_params *params = problem->params;
    const size_t members = problem->search.members, children = problem->search.points;
    const double islands = (double)problem->search.islands;
    const bool by_order = params->replacement == SHOAL_GA_PLUS || params->replacement == SHOAL_GA_COMMA;
    const bool has_places = params->replacement == SHOAL_GA_STEADY || problem->is_cellular;
    host->ranked_each = members + (children > members ? children : members);
    host->kept_each = by_order ? members : has_places ? 0 : (size_t)params->elites;
    const double kept = islands * (double)host->kept_each;
    const double sums = ga_selects_by_weight(params) ? (double)problem->search.total : 0;
    const size_t states = problem->search.total * problem->thesis.generator_words;
    const size_t mail = problem->search.has_mailbox ? problem->search.islands * problem->search.migrants : 0;
    const struct array list[] = {
        {&host->ranked, islands * (double)host->ranked_each, sizeof *host->ranked},
        {&host->sums, sums, sizeof *host->sums},
        {&host->kept, kept * (double)problem->search.dim, sizeof *host->kept},
        {&host->kept_values, kept, sizeof *host->kept_values},
        {&host->judged, params->local_search ? islands * (double)problem->search.width : 0,
         sizeof *host->judged},
        {&host->marks, has_places ? islands * (double)host->ranked_each : 0, sizeof *host->marks},
        {&host->generators, (double)states, sizeof *host->generators, ARRAY_SAVE, "generators", states},
        {&host->draws, states ? (double)problem->search.total : 0, problem->thesis.draw_bytes},
        {&host->mail, (double)mail * (double)problem->search.dim, sizeof *host->mail, ARRAY_SAVE, "mail",
         mail * problem->search.dim},
        {&host->mail_values, (double)mail, sizeof *host->mail_values, ARRAY_SAVE, "mail values", mail},
    };
    ARRAYS_SET(&host->search.own, list);
}

static void choose_reals(struct ga_host *host)
{
    const double power = host->problem.params->crossover_eta + 1;
    host->sbx = (struct ga_sbx_shape){power, exp2(54 / power)};
    host->reals = &ga_host_reals;
#ifdef __x86_64__
    if (processor_has_avx2())
        host->reals = &ga_host_reals_avx2;
#endif
}

static enum shoal_status open_populations(struct search_host *search, struct shoal_error *error)
{
    struct ga_host *host = ga_host_of(search);
    search->batch = search->problem->width;
    /* Scratch memory for a variation: the second child of a pair, if only its first child is wanted, and the
     * numbers that the operators of an order need. */
    const size_t vary = search->problem->dim + (host->problem.scratch + 3) / 4;
    const size_t improve = ga_host_improve_numbers(&host->problem);
    search->numbers = vary > improve ? vary : improve;
    list_arrays(host);
    choose_reals(host);
    return host->problem.improve.tours
               ? ga_tours_open(host->problem.improve.tours, (size_t)search->threads, error)
               : SHOAL_OK;
}

const struct search_host_ops ga_host_functions = {.size = sizeof(struct ga_host),
                                                  .problem = offsetof(struct ga_host, problem),
                                                  .evaluation_bytes = ga_evaluation_bytes,
                                                  .open = open_populations,
                                                  .prepare = ga_host_prepare,
                                                  .draw = ga_host_draw,
                                                  .move = ga_host_move,
                                                  .improve = ga_host_improve,
                                                  .replace = ga_host_replace,
                                                  .emigrate = ga_host_emigrate,
                                                  .immigrate = ga_host_immigrate};

/* Solver ----------------------------------------------------------------------------------------------- */

const struct shoal_solver_ops ga_host_solver = {
    SEARCH_HOST_SOLVER,
    .what = "genes",
    SEARCH_HOST_POSITIONS,
};
