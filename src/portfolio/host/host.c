/* A portfolio on the host, in double precision: the functions that the search kit calls. */
#include "portfolio/host/host.h"
#include "base/error.h"
#include "search/space.h"

#include <shoal/rng.h>
#include <string.h>

/* The largest number of steps whose points are made together: those of an epoch, or of a few points. */
static size_t most_ahead(const struct portfolio_problem *problem)
{
    enum { POINTS = 1024 };
    const size_t fitting = POINTS / problem->search.points;
    return problem->params->epoch < fitting ? (size_t)problem->params->epoch : fitting;
}

static enum shoal_status open_portfolios(struct search_host *search, struct shoal_error *error)
{
    struct portfolio_host *host = portfolio_host_of(search);
    const struct portfolio_problem *problem = &host->problem;
    const size_t islands = problem->search.islands, arms = problem->arm_count,
                 points = islands * problem->search.points;
    enum shoal_status status = portfolio_create_searches(host, error);
    if (status)
        return status;
    /* Steps of several islands, or of islands that are drawn anew, are not made ahead. */
    if (islands == 1 && !problem->search.params->restart && points == problem->search.members)
        search->most_ahead = most_ahead(problem);
    const struct array list[] = {
        {&host->states, (double)(islands * arms), sizeof *host->states, ARRAY_SAVE, "arms", islands * arms},
        {&host->islands, (double)islands, sizeof *host->islands, ARRAY_SAVE, "epochs", islands},
        {&host->slots, (double)points, sizeof *host->slots, ARRAY_SAVE, "slots", points},
        {&host->next, (double)search->most_ahead * (double)points, sizeof *host->next},
        {&host->later_counts, (double)arms, sizeof *host->later_counts, ARRAY_ZERO},
        {&host->later, (double)portfolio_later_arms(host, arms) * (double)portfolio_later_numbers(host),
         sizeof *host->later},
        {&host->room, (double)islands * (double)host->room_size, sizeof(double)},
        {&host->shares, (double)arms, sizeof(double)},
        {&host->gains, (double)arms, sizeof(double)},
    };
    search->batch = problem->search.points;
    search->numbers = problem->search.dim;
    ARRAYS_SET(&search->own, list);
    return SHOAL_OK;
}

static void close_portfolios(struct search_host *search)
{
    portfolio_destroy_searches(portfolio_host_of(search));
}

static double evaluation_bytes(const struct search_problem *problem, enum shoal_precision precision)
{
    (void)precision;
    return (double)problem->dim * sizeof(double);
}

/* Begins an island. On a restart, each arm begins its next life. */
static void begin(struct search_host *search, size_t island)
{
    struct portfolio_host *host = portfolio_host_of(search);
    for (size_t arm = 0; arm < host->problem.arm_count; arm++) {
        struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
        if (!search->drawn)
            *state = (struct portfolio_arm_state){.life = 0};
        portfolio_begin_life(host, island, arm, search->drawn ? state->life + 1 : 0);
    }
    const double best = search->drawn ? host->islands[island].best : INFINITY;
    host->ahead = 0;
    host->islands[island] = (struct portfolio_state){.best = best};
    portfolio_fill(host, island);
}

static void draw_random(const struct search_problem *problem, size_t i, uint64_t step, double *x)
{
    const size_t run = i / problem->width / problem->run_islands;
    for (size_t d = 0; d < problem->dim; d++) {
        const struct shoal_words words =
            shoal_random_words(problem->params->seed + run, SHOAL_STREAM_PORTFOLIO_POINT, (uint32_t)step,
                               (uint32_t)(i - run * problem->run_islands * problem->width), (uint32_t)d);
        const double width = problem->upper[d] - problem->lower[d];
        x[d] = fmin(problem->upper[d], problem->lower[d] + width * shoal_uniform_double(words.x, words.y));
    }
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    const struct portfolio_host *host = portfolio_host_of(search);
    const struct search_problem *problem = search->problem;
    const size_t island = search_host_part(i, problem->width), number = i - island * problem->width,
                 points = problem->points;
    const struct portfolio_slot slot =
        host->ahead ? host->next[(host->ahead - 1) * points + number] : host->slots[island * points + number];
    double *x = search->x + i * problem->dim;
    if (slot.arm == PORTFOLIO_RANDOM) {
        draw_random(problem, i, step, x);
        return;
    }
    const struct search_host *arm = portfolio_search(host, island, slot.arm);
    const double *members =
        slot.number < arm->problem->width ? arm->x : portfolio_later_points(host, slot.arm);
    search_convert(arm->problem, members + slot.number * arm->problem->dim, problem, x, scratch);
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    const struct search_problem *problem = search->problem;
    move(search, i, search_host_making(search, i / problem->width / problem->run_islands), scratch);
}

/* Makes the points of the last step the members of the island. */
static void replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    search_host_keep_points(search, island);
}

static size_t ahead(const struct search_host *search, size_t run)
{
    (void)run;
    return portfolio_ahead((const struct portfolio_host *)search);
}

static void keep_ahead(struct search_host *search, size_t run, size_t steps)
{
    (void)run;
    portfolio_host_of(search)->ahead = steps + 1;
}

/* Ends a step, and takes the points of the next step at once, so that a checkpoint between the two steps
 * holds these points. */
static void end_step(struct search_host *search, size_t island)
{
    struct portfolio_host *host = portfolio_host_of(search);
    host->ahead = 0;
    portfolio_give(host, island);
    portfolio_fill(host, island);
}

/* Adds two fractions for each algorithm to the result: the evaluations of the algorithm over all evaluations,
 * and the number of steps in which the algorithm found a better point over the number of such steps of all
 * algorithms. */
static void add_fields(struct search_host *search, struct shoal_result *result)
{
    struct portfolio_host *host = portfolio_host_of(search);
    const size_t arms = host->problem.arm_count;
    for (size_t arm = 0; arm < arms; arm++) {
        host->shares[arm] = host->gains[arm] = 0;
        for (size_t island = 0; island < search->problem->islands; island++) {
            const struct portfolio_arm_state *state = portfolio_arm_state(host, island, arm);
            host->shares[arm] += (double)state->evaluations;
            host->gains[arm] += (double)state->gains;
        }
    }
    portfolio_add_fields(&host->problem, host->shares, host->gains, result);
}

const struct search_host_ops portfolio_host_functions = {.size = sizeof(struct portfolio_host),
                                                         .problem = offsetof(struct portfolio_host, problem),
                                                         .evaluation_bytes = evaluation_bytes,
                                                         .open = open_portfolios,
                                                         .close = close_portfolios,
                                                         .begin = begin,
                                                         .draw = draw,
                                                         .move = move,
                                                         .replace = replace,
                                                         .end_step = end_step,
                                                         .ahead = ahead,
                                                         .keep_ahead = keep_ahead,
                                                         .copy = portfolio_copy,
                                                         .save = portfolio_save,
                                                         .load = portfolio_load,
                                                         .add_fields = add_fields};
