/* Sets the rules for the local search of children from the parameters: docs/ga.md, "Local search". */
#include "base/error.h"
#include "ga/model/tours.h"
#include "objective/objective.h"

#include "ga/host/model.h"

/* Largest number of elements of an order. It limits the number of moves in a step, in which each move is
 * evaluated, or its change of the value is computed. */
enum { MAX_PLACES = 1 << 12 };

static const char *const move_names[] = {
    [SHOAL_GA_MOVES_AUTO] = "",        [SHOAL_GA_MOVES_FLIP] = "flip",
    [SHOAL_GA_MOVES_SWAP] = "swap",    [SHOAL_GA_MOVES_INSERTION] = "insertion",
    [SHOAL_GA_MOVES_2OPT] = "2-opt",   [SHOAL_GA_MOVES_2HOPT] = "2.5-opt",
    [SHOAL_GA_MOVES_OROPT] = "or-opt", [SHOAL_GA_MOVES_2OPT_OROPT] = "2-opt-or-opt",
    [SHOAL_GA_MOVES_3OPT] = "3-opt",
};

static enum shoal_status choose_moves(struct ga_problem *problem, struct shoal_error *error)
{
    const struct genome_layout *genes = &problem->genes;
    const int32_t asked = problem->params->moves;
    struct ga_improve *improve = &problem->improve;
    improve->moves = asked           ? (uint32_t)asked
                     : genes->bits   ? SHOAL_GA_MOVES_FLIP
                     : genes->places ? SHOAL_GA_MOVES_SWAP
                                     : SHOAL_GA_MOVES_AUTO;
    if (!improve->moves)
        return fail(error, SHOAL_INVALID,
                    "a local search moves bits or an order, of which the variables have neither: give "
                    "--polish for reals");
    const bool is_flip = improve->moves == SHOAL_GA_MOVES_FLIP;
    improve->genes = (uint32_t)(is_flip ? genes->bits : genes->places);
    improve->first = is_flip ? problem->line - genes->bits : problem->line;
    if (!improve->genes)
        return fail(error, SHOAL_INVALID,
                    "%s is a move of %s, but the variables have none: leave out --moves",
                    move_names[improve->moves], is_flip ? "bits" : "an order");
    if (improve->moves >= SHOAL_GA_MOVES_2OPT)
        return ga_tours_create(problem, move_names[improve->moves], &improve->tours, error);
    if (!is_flip && improve->genes > MAX_PLACES)
        return fail(
            error, SHOAL_INVALID,
            "a local search by swaps or insertions takes orders of up to %d places, not %u: leave out "
            "--local-search",
            MAX_PLACES, improve->genes);
    return SHOAL_OK;
}

/* Default of the tabu tenure. Each move adds a random number of up to half of it. For swaps the sum is 0.75
 * to 1.13 times the number of elements, near the 0.9 to 1.1 of Taillard (1991). For bits and insertions the
 * default is the best of several values that were tried. */
static uint32_t default_tenure(const struct ga_improve *improve)
{
    const uint32_t n = improve->genes;
    return improve->moves == SHOAL_GA_MOVES_FLIP   ? 3 + n / 32
           : improve->moves == SHOAL_GA_MOVES_SWAP ? 1 + 3 * n / 4
                                                   : 2 + n / 5;
}

enum shoal_status ga_improve_resolve(struct ga_problem *problem, struct shoal_error *error)
{
    const struct shoal_ga_params *params = problem->params;
    const struct search_problem *search = &problem->search;
    struct ga_improve *improve = &problem->improve;
    *improve = (struct ga_improve){.search = params->local_search};
    if (!params->local_search)
        return SHOAL_OK;
    enum shoal_status status = choose_moves(problem, error);
    if (status)
        return status;
    if (!search->info->variables)
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s is a function of reals, whose bits a local search cannot flip: leave out "
                    "--local-search",
                    search->info->name);
    if (search->repair == SHOAL_REPAIR_VALUE_ONLY)
        return fail(
            error, SHOAL_UNSUPPORTED,
            "a local search takes the values of individuals as they are: give --repair written-back or "
            "none");
    if (search->penalty > 0 && problem->genes.reals)
        return fail(error, SHOAL_UNSUPPORTED, "a local search knows no penalty: give --bounds clamp");
    problem->search.has_moves = true;
    if (!improve->tours) {
        improve->count = move_count(improve->moves, improve->genes);
        improve->steps = params->local_steps ? (uint32_t)params->local_steps : improve->genes;
        improve->tenure = params->tenure ? (uint32_t)params->tenure : default_tenure(improve);
        improve->by_change = search->info->move == (int32_t)improve->moves;
    }
    improve->chosen = params->improve == SHOAL_GA_IMPROVE_ALL ? (uint32_t)search->points
                      : params->elites                        ? (uint32_t)params->elites
                                                              : 1;
    return SHOAL_OK;
}
