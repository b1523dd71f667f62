/* Points of several steps of a portfolio that are made before the values of these steps are told: those of
 * the open batch of the arm whose epoch it is and, after them, those of further steps of its search, if they
 * do not depend on the values of the open one. An example are the parts of a generation of CMA-ES. */
#include "portfolio/host/host.h"

#include <string.h>

static const struct search_team alone = {1, 0};

size_t portfolio_later_arms(const struct portfolio_host *host, size_t arms)
{
    size_t count = 0;
    for (size_t arm = 0; arm < arms; arm++)
        count += portfolio_search(host, 0, arm)->ops->ahead != NULL;
    return count;
}

double *portfolio_later_points(const struct portfolio_host *host, size_t arm)
{
    return host->later + portfolio_later_arms(host, arm) * portfolio_later_numbers(host);
}

/* Returns the number of the arm's steps, from the open one on, whose points can be made together. A step of
 * the portfolio must not need points of two arms, so steps of the arm end with steps of the portfolio. The
 * rules by which a life converges could end it before the points are used. */
static size_t steps_together(const struct portfolio_host *host, size_t arm, const struct search_batch *batch)
{
    const struct search_host *search = portfolio_search(host, 0, arm);
    const struct search_problem *problem = search->problem;
    const size_t points = host->problem.search.points;
    const bool is_whole = batch->size == problem->members && problem->members % points == 0,
               is_apart = (batch->size - (size_t)portfolio_arm_state(host, 0, arm)->given) % points == 0;
    if (!search->ops->ahead || !is_whole || !is_apart || problem->params->stagnation ||
        problem->params->x_tolerance > 0)
        return 1;
    return search_host_ahead(search, 0, host->search.most_ahead * points / problem->members);
}

/* Makes the points of the arm's step that is `steps` steps after the open one, all others before it being
 * made. The search then has the open one again. */
static void make_later(const struct portfolio_host *host, size_t arm, size_t steps)
{
    struct search_host *search = portfolio_search(host, 0, arm);
    const size_t numbers = search->problem->members * search->problem->dim;
    double *points = portfolio_later_points(host, arm);
    if (steps == 1)
        memcpy(points, search->x, numbers * sizeof *points);
    search->runs->steps += steps; /* the points of a step are drawn by its number */
    search_host_propose(search, 0, 0, alone);
    search->runs->steps -= steps;
    memcpy(points + steps * numbers, search->x, numbers * sizeof *points);
    memcpy(search->x, points, numbers * sizeof *points);
    host->later_counts[arm] = steps;
}

size_t portfolio_ahead(const struct portfolio_host *host)
{
    const size_t own = (size_t)host->islands->arm;
    const struct portfolio_arm_state *arm = portfolio_arm_state(host, 0, own);
    const struct search_host *search = portfolio_search(host, 0, own);
    const size_t points = host->problem.search.points, most = host->search.most_ahead;
    const uint64_t epoch = host->problem.params->epoch, done = host->islands->steps;
    const uint64_t left = done < epoch ? epoch - done : 0; /* steps of the epoch */
    if (!arm->is_open || left < 2 || most < 2)
        return 1;
    const struct search_batch batch = search_host_find_batch(search, 0, (size_t)arm->batch);
    const size_t room = ((left < most ? (size_t)left : most) - 1) * points;
    size_t count = 0;
    for (size_t number = (size_t)arm->given; number < batch.size && count < room; number++) {
        const size_t point = search_batch_point(&batch, number);
        if (!search->outside[point])
            host->next[count++] = (struct portfolio_slot){(uint32_t)own, (uint32_t)point};
    }
    const size_t steps = count < room ? steps_together(host, own, &batch) : 1;
    for (size_t k = 1; k < steps && count < room; k++) {
        if (k > host->later_counts[own])
            make_later(host, own, k);
        for (size_t number = 0; number < batch.size && count < room; number++)
            host->next[count++] = (struct portfolio_slot){(uint32_t)own, (uint32_t)(k * batch.size + number)};
    }
    return 1 + count / points;
}

bool portfolio_take_later(struct portfolio_host *host, size_t arm)
{
    if (!host->later_counts[arm])
        return false;
    struct search_host *search = portfolio_search(host, 0, arm);
    const size_t numbers = search->problem->members * search->problem->dim;
    double *points = portfolio_later_points(host, arm);
    memmove(points, points + numbers, host->later_counts[arm] * numbers * sizeof *points);
    host->later_counts[arm]--;
    memcpy(search->x, points, numbers * sizeof *points);
    return true;
}

void portfolio_drop_later(struct portfolio_host *host, size_t arm)
{
    host->later_counts[arm] = 0;
}
