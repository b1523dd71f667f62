/* Private: the problem of a portfolio. Its members follow from the parameters and stay constant. */
#ifndef SHOAL_PORTFOLIO_PROBLEM_H
#define SHOAL_PORTFOLIO_PROBLEM_H

#include "search/problem.h"

#include <shoal/portfolio.h>

/* Most algorithms of a portfolio. */
enum { PORTFOLIO_MOST = 8 };

/* An algorithm of a portfolio: an arm of the bandit that divides the evaluations. */
struct portfolio_arm {
    const struct search_algorithm *algorithm;
    struct shoal_search_params *params; /* of its search; allocated. With turns of points it has one run
                                         * with one island, else a run for each population */
    double life;                        /* evaluations of a life, for each population */
    bool is_planned;                    /* its population shrinks: a life is worth little before its end */
};

struct portfolio_problem {
    struct search_problem search;
    const struct shoal_portfolio_params *params; /* parameters of the solver */
    struct portfolio_arm arms[PORTFOLIO_MOST];
    size_t arm_count;
    size_t populations; /* of an arm on an island: 1 but for turns of lives */
    bool is_by_lives;   /* an arm keeps its turn until its life is over */
    double evaluations; /* of an island, for which arms plan */
    bool has_budget;    /* a limit of the run says so; else the number is a guess */
    char names[200];    /* of the arms, for results */
};

extern const struct search_algorithm portfolio_algorithm;

static inline const struct portfolio_problem *portfolio_problem_of(const struct search_problem *problem)
{
    return (const struct portfolio_problem *)problem;
}

SHOAL_MUST_CHECK enum shoal_status portfolio_check_params(const void *params, struct shoal_error *error);

/* Creates the problem and those of its arms, which refuse what they cannot search;
 * search_problem_destroy destroys the problem. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status portfolio_problem_create(struct shoal *shoal,
                                                            const struct shoal_portfolio_params *params,
                                                            struct portfolio_problem *problem,
                                                            struct shoal_error *error);
void portfolio_problem_destroy(struct search_problem *problem);

/* Sets the number of points of a step from the number of dimensions, unless it is given. */
void portfolio_resolve(struct search_problem *problem);

/* The seed of a life of an arm. */
uint64_t portfolio_seed(const struct search_problem *problem, size_t island, size_t arm, uint64_t life);

#endif
