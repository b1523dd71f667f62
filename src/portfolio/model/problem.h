/* Private: the problem of a portfolio. It is created from the parameters, and then constant. */
#ifndef SHOAL_PORTFOLIO_PROBLEM_H
#define SHOAL_PORTFOLIO_PROBLEM_H

#include "search/problem.h"

#include <shoal/portfolio.h>

/* Largest number of algorithms in a portfolio. */
enum { PORTFOLIO_MOST = 8 };

/* An algorithm of a portfolio: an arm of the bandit that divides the evaluations. */
struct portfolio_arm {
    const struct search_algorithm *algorithm;
    /* parameters of the arm's search, allocated. With turns of points, the search has one run with one
     * island; else it has a run for each population */
    struct shoal_search_params *params;
    double life; /* number of evaluations of a life, for each population */
    /* Whether an algorithm gets enough epochs to end its life: the population shrinks over a life, and a life
     * is worth little before its end. False with turns of lives. */
    bool is_planned;
};

struct portfolio_problem {
    struct search_problem search;
    const struct shoal_portfolio_params *params; /* parameters of the solver */
    struct portfolio_arm arms[PORTFOLIO_MOST];
    size_t arm_count;
    size_t populations; /* populations of an arm on an island: 1 unless there are turns of lives */
    bool is_by_lives;   /* turns of lives: an arm keeps its turn until its life is over */
    double evaluations; /* number of evaluations of an island, used to plan the lives of the arms */
    bool has_budget;    /* whether `evaluations` is a limit of the run; else it is a guess */
    double *starts;     /* [search.start_count][dim]: start points of the arms; allocated, NULL: none */
    char names[200];    /* names of the arms, for results */
};

extern const struct search_algorithm portfolio_algorithm;

static inline const struct portfolio_problem *portfolio_problem_of(const struct search_problem *problem)
{
    return (const struct portfolio_problem *)problem;
}

SHOAL_MUST_CHECK enum shoal_status portfolio_check_params(const void *params, struct shoal_error *error);

/* Creates the problem and checks that each arm can search it. search_problem_destroy destroys the problem.
 * Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status portfolio_problem_create(struct shoal *shoal,
                                                            const struct shoal_portfolio_params *params,
                                                            struct portfolio_problem *problem,
                                                            struct shoal_error *error);
void portfolio_problem_destroy(struct search_problem *problem);

/* Sets the number of points of a step from the number of dimensions, unless the parameters give the
 * number. */
void portfolio_resolve(struct search_problem *problem);

/* Returns the seed of a life of an arm. */
uint64_t portfolio_seed(const struct search_problem *problem, size_t island, size_t arm, uint64_t life);

#endif
