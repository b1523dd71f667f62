/* Private: a portfolio on the host with turns of points. Each arm of each island has a search of its own; a
 * step takes its points from the batches of the searches, and gives the values back. */
#ifndef SHOAL_PORTFOLIO_HOST_H
#define SHOAL_PORTFOLIO_HOST_H

#include "portfolio/model/epochs.h"
#include "search/host/host.h"

/* Origin of a point of the step. */
struct portfolio_slot {
    /* index of the arm; PORTFOLIO_RANDOM: a random point, since all arms wait for values */
    uint32_t arm;
    /* index of the point in the arrays of the arm's search; in `next` also in portfolio_later_points */
    uint32_t number;
};
enum { PORTFOLIO_RANDOM = PORTFOLIO_MOST };

struct portfolio_host {
    struct search_host search;
    struct portfolio_problem problem;
    struct search_host **searches;      /* [islands][arms] */
    struct portfolio_arm_state *states; /* [islands][arms] */
    struct portfolio_state *islands;    /* [islands] */
    struct portfolio_slot *slots;       /* [islands][points] */
    /* Steps whose points are made ahead: see portfolio_ahead. next, [most_ahead][points]: origins of the
     * points of the steps after the next one; ahead: number of steps, from the next one on, whose points were
     * made */
    struct portfolio_slot *next;
    size_t ahead;
    /* Points of the next steps of the arms' searches that were made together with those of the open batch:
     * see ahead.c. later_counts, [arms]: number of these steps; later, [arms that can][most_ahead points
     * coordinates]: their points, after those of the open batch */
    size_t *later_counts;
    double *later;
    /* [islands][room_size]: scratch of an island, for a member of an arm and a point */
    double *room;
    size_t room_size;
    /* [arms] each: numbers for the result (portfolio_add_fields) */
    double *shares, *gains;
};

static inline struct portfolio_host *portfolio_host_of(struct search_host *search)
{
    return (struct portfolio_host *)search;
}

/* portfolio_search: the search of an arm on an island. portfolio_arm_state: the state of this arm. */
static inline struct search_host *portfolio_search(const struct portfolio_host *host, size_t island,
                                                   size_t arm)
{
    return host->searches[island * host->problem.arm_count + arm];
}
static inline struct portfolio_arm_state *portfolio_arm_state(const struct portfolio_host *host,
                                                              size_t island, size_t arm)
{
    return &host->states[island * host->problem.arm_count + arm];
}

static inline struct portfolio_island portfolio_island_of(const struct portfolio_host *host, size_t island)
{
    return (struct portfolio_island){&host->problem, &host->islands[island],
                                     portfolio_arm_state(host, island, 0)};
}

extern const struct search_host_ops portfolio_host_functions;

/* Searches of the arms: arms.c ------------------------------------------------------------------------- */

SHOAL_MUST_CHECK enum shoal_status portfolio_create_searches(struct portfolio_host *host,
                                                             struct shoal_error *error);
void portfolio_destroy_searches(struct portfolio_host *host);

/* Sets the seed and the start points of an arm's search for the present life of the arm. Only the first life
 * on the first island of a run has start points. */
void portfolio_set_life(struct portfolio_host *host, size_t island, size_t arm);
/* Begins life `life` of an arm. */
void portfolio_begin_life(struct portfolio_host *host, size_t island, size_t arm, uint64_t life);

/* Takes the points of a step from the arms, beginning with the arm of the epoch. */
void portfolio_fill(struct portfolio_host *host, size_t island);

/* Steps ahead: ahead.c, for portfolios of one island -------------------------------------------------- */

/* Returns the number of steps, from the next one on, whose points are known before values are told: the steps
 * of the epoch for which the open batch of its arm has points, and batches of this arm that can be made
 * before the values of the open one. Sets host->next. */
size_t portfolio_ahead(const struct portfolio_host *host);

/* The number of the first `arms` arms whose steps can be made together. */
size_t portfolio_later_arms(const struct portfolio_host *host, size_t arms);
/* The points of the open batch of an arm's search, and of the steps after it, which were made with them. Only
 * for arms whose steps can be made together. */
double *portfolio_later_points(const struct portfolio_host *host, size_t arm);
/* Numbers of these points of an arm. */
static inline size_t portfolio_later_numbers(const struct portfolio_host *host)
{
    return host->search.most_ahead * host->problem.search.points *
           (host->room_size - host->problem.search.dim);
}

/* portfolio_take_later: opens a batch of an arm with points that were made before; returns false if there are
 * none. portfolio_drop_later: forgets them. */
bool portfolio_take_later(struct portfolio_host *host, size_t arm);
void portfolio_drop_later(struct portfolio_host *host, size_t arm);

/* Values: arms.c --------------------------------------------------------------------------------------- */

/* Gives the values of a step to the arms, and ends the epoch after its last step. */
void portfolio_give(struct portfolio_host *host, size_t island);

/* Checkpoints: state.c --------------------------------------------------------------------------------- */

size_t portfolio_copy(struct search_host *search, char *kept, bool is_back);
SHOAL_MUST_CHECK enum shoal_status portfolio_save(struct search_host *search, struct checkpoint *checkpoint,
                                                  struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
portfolio_load(struct search_host *search, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
