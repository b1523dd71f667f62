/* Portfolio: several algorithms search one problem in turns. Parameters of the workload "portfolio"
 * (shoal_workload_find("portfolio")).
 *
 * An island of a run (<shoal/search.h>) is a portfolio: a population of each of its algorithms. A step
 * evaluates `points` points. After each `epoch` steps a rule decides, by the gains of the algorithms, which
 * algorithm makes the points of the next epoch. An algorithm whose own search has ended restarts.
 *
 * docs/portfolio.md states each rule with its source and the random numbers it draws.
 *
 * Threads and errors: see <shoal/workload.h>; a solver is used by one thread at a time.
 */
#ifndef SHOAL_PORTFOLIO_H
#define SHOAL_PORTFOLIO_H

#include <shoal/search.h>
#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* How the algorithms of a portfolio take turns. */
enum shoal_portfolio_turns {
    /* SHOAL_PORTFOLIO_POINTS on the host. On a device SHOAL_PORTFOLIO_LIVES if `time` is given and neither
     * `evaluations` nor `iterations` is, else SHOAL_PORTFOLIO_STEPS. */
    SHOAL_PORTFOLIO_TURNS_AUTO,
    SHOAL_PORTFOLIO_POINTS, /* A step evaluates points of algorithms that need not have finished a step of
                             * their own. Only on the host. */
    SHOAL_PORTFOLIO_STEPS,  /* An algorithm makes whole steps, and one decision serves all islands and
                             * runs. */
    SHOAL_PORTFOLIO_LIVES   /* An algorithm makes whole steps, with several populations of each island at
                             * the same time, and keeps its turn until its life is over. */
};

/* Parameters of a portfolio. */
struct shoal_portfolio_params {
    /* Parameters of all searches; their `size` is set by shoal_portfolio_params_init. */
    struct shoal_search_params search;

    /* Names of the algorithms, separated by commas, up to 8, each with its default parameters. Default: NULL,
     * which means "cmaes,de", and "de,cmaes" with turns of lives. */
    const char *algorithms;
    /* Points that an island evaluates in a step, 1 to 16777216. Default: 0, which means 4 + 3 ln(dim),
     * rounded down; ten times this number with SHOAL_PORTFOLIO_STEPS; with SHOAL_PORTFOLIO_LIVES 200 dim for
     * each of the island's `populations`. */
    uint64_t points;
    /* Steps from one decision to the next, 1 to 1000000. SHOAL_PORTFOLIO_LIVES decides without epochs, and
     * accepts only the default. Default: 10. */
    uint64_t epoch;
    /* Epochs after which the algorithms of an island receive the island's best point; 0: never.
     * SHOAL_PORTFOLIO_LIVES has no epochs, and accepts only the default and 0. Range: 0 to 1e6. Default: 5.
     */
    uint64_t champions;
    /* For algorithms whose population shrinks with the evaluations: budget of one life, from a start of the
     * algorithm to its restart, as a part of the evaluations of the run, above 0 to 1. Default: 0.6. */
    double life;
    /* How the algorithms take turns, enum shoal_portfolio_turns. Default: SHOAL_PORTFOLIO_TURNS_AUTO. */
    int32_t turns;
    /* With SHOAL_PORTFOLIO_LIVES: number of populations of each algorithm in an island, 1 to 65536; other
     * turns accept only the default. Default: 0, which means on a device the number with which all islands
     * together have one population for each compute unit, and 1 on the host. */
    uint64_t populations;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_portfolio_params_init(struct shoal_portfolio_params *params);
#define SHOAL_PORTFOLIO_PARAMS(...)                                                                          \
    SHOAL_INIT(shoal_portfolio_params, shoal_portfolio_params_init, __VA_ARGS__)

SHOAL_END_DECLS

#endif
