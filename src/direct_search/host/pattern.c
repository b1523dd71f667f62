/* Pattern search (Hooke and Jeeves 1961; Torczon 1997): an island polls both directions of each axis and goes
 * to the best point if it is better; else its steps become half as long. Where they cannot become shorter,
 * the island begins anew at the best of as many random points. */
#include "direct_search/direct_search.h"

#include <string.h>

/* The steps are at most the first ones; a pattern ends below the least length, in widths of the box. */
static const double least_h = 0x1p-50;

/* State of an island, saved as plain bytes. */
struct pattern_state {
    double h;           /* length of the steps, in widths of the box */
    uint64_t begins;    /* 1: the next step draws its points */
    uint64_t has_moved; /* 1: `before` is the centre before the last success */
};

struct pattern_host {
    struct search_host search;
    struct search_problem problem;
    struct pattern_state *state; /* [islands] */
    double *before;              /* [islands][dim] */
};

static struct pattern_host *host_of(struct search_host *search)
{
    return (struct pattern_host *)search;
}

static double first_h(const struct search_problem *problem)
{
    return ((const struct shoal_pattern_params *)problem->params)->width;
}

static enum shoal_status open_patterns(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    struct pattern_host *host = host_of(search);
    const size_t islands = host->problem.islands, numbers = islands * host->problem.dim;
    const struct array list[] = {
        {&host->state, (double)islands, sizeof *host->state, ARRAY_SAVE, "patterns", islands},
        {&host->before, (double)numbers, sizeof(double), ARRAY_SAVE, "before", numbers},
    };
    search->batch = host->problem.width;
    search->numbers = host->problem.dim;
    ARRAYS_SET(&search->own, list);
    return SHOAL_OK;
}

static void draw(struct search_host *search, size_t i, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width, run = direct_search_run(problem, island);
    host_of(search)->state[island] = (struct pattern_state){.h = first_h(problem)};
    direct_search_draw(problem, run, search_host_making(search, run), direct_search_index(problem, island),
                       search->x + i * problem->dim);
}

/* Point 2 d + s polls axis d, upwards with s = 0. The last point repeats the last success, or is random where
 * the last step had none. All points of a step that begins anew are random. */
static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t dim = problem->dim, island = i / problem->width, number = i % problem->width;
    const struct pattern_state *state = &host_of(search)->state[island];
    const double *centre = search->p + island * dim, *before = host_of(search)->before + island * dim;
    double *x = search->x + i * dim;
    if (state->begins || (number == 2 * dim && !state->has_moved)) {
        const size_t index = direct_search_index(problem, island) * problem->points + number;
        direct_search_draw(problem, direct_search_run(problem, island), step, index, x);
        return;
    }
    if (number == 2 * dim) {
        for (size_t d = 0; d < dim; d++)
            x[d] = direct_search_inside(problem, d, 2 * centre[d] - before[d]);
        return;
    }
    const size_t d = number / 2;
    const double length = state->h * direct_search_width(problem, d);
    memcpy(x, centre, dim * sizeof *x);
    x[d] = direct_search_inside(problem, d, centre[d] + (number % 2 ? -length : length));
    search->outside[i] = x[d] == centre[d];
}

static void replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    const struct search_problem *problem = search->problem;
    const size_t dim = problem->dim, first = island * problem->width;
    struct pattern_state *state = &host_of(search)->state[island];
    double *centre = search->p + island * dim, *before = host_of(search)->before + island * dim;
    size_t best = first;
    for (size_t i = first; i < first + problem->points; i++)
        if (search->outside[best] || (!search->outside[i] && search->y[i] < search->y[best]))
            best = i;
    const bool is_better = !search->outside[best] && search->y[best] < search->best[island];
    if (state->begins || is_better) {
        memcpy(before, centre, dim * sizeof *before);
        memcpy(centre, search->x + best * dim, dim * sizeof *centre);
        search->best[island] = search->y[best];
        const double longer = state->begins ? first_h(problem) : fmin(2 * state->h, first_h(problem));
        *state = (struct pattern_state){.h = longer, .has_moved = !state->begins};
        return;
    }
    state->has_moved = 0;
    state->h /= 2;
    state->begins = !(state->h >= least_h); /* also where a damaged file had NaN */
}

const struct search_host_ops pattern_functions = {.size = sizeof(struct pattern_host),
                                                  .problem = offsetof(struct pattern_host, problem),
                                                  .evaluation_bytes = direct_search_bytes,
                                                  .open = open_patterns,
                                                  .draw = draw,
                                                  .move = move,
                                                  .replace = replace};
