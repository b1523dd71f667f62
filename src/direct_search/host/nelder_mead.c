/* The simplex search of Nelder and Mead (Computer Journal 7, 1965), with the coefficients of Gao and Han
 * (Computational Optimization and Applications 51, 2012), in a box. An island is a simplex, which makes one
 * point in each step. A simplex that has come to its end begins anew: docs/direct-search.md. */
#include "direct_search/direct_search.h"
#include "search/start.h"

#include <string.h>

/* What the point of a step is. */
enum phase { REFLECTED, EXPANDED, OUTSIDE, INSIDE, SHRUNK, DRAWN, PHASES };

/* State of an island, saved as plain bytes. The vertices are the members of the island. */
struct simplex_state {
    uint64_t phase;    /* enum phase of the next point */
    uint64_t next;     /* SHRUNK, DRAWN: the vertex that the next point becomes */
    uint64_t base;     /* SHRUNK: the vertex that stays */
    uint64_t is_local; /* 1: the simplex began at a vertex of the one before */
    uint64_t checked;  /* accepted points since the size of the simplex was looked at */
    double began;      /* best value when the simplex began */
    double reflected;  /* value at the reflected point */
};

struct simplex_host {
    struct search_host search;
    struct search_problem problem;
    struct simplex_state *state; /* [islands] */
    double *reflected;           /* [islands][dim] */
};

/* A simplex has come to its end where all its vertices are this near to the best, in widths of the box, or
 * all its values are equal. least_gain: least relative gain for which a simplex begins anew at its own best
 * vertex. */
static const double least_size = 1e-12, least_gain = 1e-6;

static struct simplex_host *host_of(struct search_host *search)
{
    return (struct simplex_host *)search;
}

static enum shoal_status open_simplices(struct search_host *search, struct shoal_error *error)
{
    (void)error;
    struct simplex_host *host = host_of(search);
    const size_t islands = host->problem.islands, numbers = islands * host->problem.dim;
    const struct array list[] = {
        {&host->state, (double)islands, sizeof *host->state, ARRAY_SAVE, "simplices", islands},
        {&host->reflected, (double)numbers, sizeof(double), ARRAY_SAVE, "reflected", numbers},
    };
    search->batch = host->problem.width;
    search->numbers = host->problem.dim;
    ARRAYS_SET(&search->own, list);
    return SHOAL_OK;
}

/* Gao and Han (2012), (4.1); for one dimension, where these would shrink a simplex to a point, the
 * coefficients of Nelder and Mead. */
struct coefficients {
    double expand, contract, shrink;
};

static struct coefficients coefficients_of(const struct search_problem *problem)
{
    const double n = (double)problem->dim;
    if (problem->dim == 1)
        return (struct coefficients){2, 0.5, 0.5};
    return (struct coefficients){1 + 2 / n, 0.75 - 1 / (2 * n), 1 - 1 / n};
}

/* The vertices of one island. */
struct simplex {
    double *x, *value;          /* [dim + 1][dim], [dim + 1] */
    size_t best, worst, second; /* second: the worst but one */
};

static struct simplex simplex_of(const struct search_host *search, size_t island)
{
    const struct search_problem *problem = search->problem;
    const size_t first = island * problem->members;
    struct simplex s = {.x = search->p + first * problem->dim, .value = search->best + first};
    for (size_t i = 1; i < problem->members; i++) {
        if (s.value[i] < s.value[s.best])
            s.best = i;
        if (s.value[i] >= s.value[s.worst])
            s.worst = i;
    }
    s.second = s.best;
    for (size_t i = 0; i < problem->members; i++)
        if (i != s.worst && s.value[i] > s.value[s.second])
            s.second = i;
    return s;
}

/* Points ----------------------------------------------------------------------------------------------- */

/* Vertex `number` of a simplex at vertex 0: a step along an axis, to the side on which there is room. */
static void write_edge(const struct search_problem *problem, const double *base, size_t number, double *x)
{
    const double edge = ((const struct shoal_nelder_mead_params *)problem->params)->edge;
    const size_t d = number - 1;
    const double length = edge * direct_search_width(problem, d), up = base[d] + length;
    memcpy(x, base, problem->dim * sizeof *x);
    x[d] = direct_search_inside(problem, d, up <= problem->upper[d] ? up : base[d] - length);
}

/* x = c + factor (c - worst), with the centroid c of the other vertices. */
static void write_on_line(const struct search_problem *problem, const struct simplex *s, double factor,
                          double *x)
{
    const size_t dim = problem->dim;
    for (size_t d = 0; d < dim; d++) {
        double sum = 0;
        for (size_t i = 0; i <= dim; i++)
            sum += i == s->worst ? 0 : s->x[i * dim + d];
        const double centroid = sum / (double)dim;
        x[d] = direct_search_inside(problem, d, centroid + factor * (centroid - s->x[s->worst * dim + d]));
    }
}

static void draw_base(struct search_host *search, size_t island, uint64_t step, double *x)
{
    const struct search_problem *problem = search->problem;
    direct_search_draw(problem, direct_search_run(problem, island), step,
                       direct_search_index(problem, island), x);
}

/* The simplex of a first draw. Vertices lie about the first one, also where this is a start point. */
static void draw(struct search_host *search, size_t i, double *scratch)
{
    const struct search_problem *problem = search->problem;
    const size_t island = i / problem->width, number = i % problem->width;
    const double *start = search->drawn ? NULL : search_start_of(problem, island * problem->members);
    double *x = search->x + i * problem->dim;
    const uint64_t step = search_host_making(search, direct_search_run(problem, island));
    if (number == 0)
        host_of(search)->state[island] = (struct simplex_state){.phase = REFLECTED, .began = INFINITY};
    draw_base(search, island, step, x);
    if (start)
        memcpy(x, start, problem->dim * sizeof *x);
    if (number > 0) {
        memcpy(scratch, x, problem->dim * sizeof *x);
        write_edge(problem, scratch, number, x);
    }
}

static void move(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    (void)scratch;
    const struct search_problem *problem = search->problem;
    const size_t dim = problem->dim, island = i / problem->width;
    const struct simplex s = simplex_of(search, island);
    const struct simplex_state *state = &host_of(search)->state[island];
    const struct coefficients by = coefficients_of(problem);
    double *x = search->x + i * dim;
    switch ((enum phase)state->phase) {
    case REFLECTED:
        write_on_line(problem, &s, 1, x);
        break;
    case EXPANDED:
        write_on_line(problem, &s, by.expand, x);
        break;
    case OUTSIDE:
        write_on_line(problem, &s, by.contract, x);
        break;
    case INSIDE:
        write_on_line(problem, &s, -by.contract, x);
        break;
    case SHRUNK:
        for (size_t d = 0; d < dim; d++) {
            const double base = s.x[state->base * dim + d];
            x[d] = direct_search_inside(problem, d, base + by.shrink * (s.x[state->next * dim + d] - base));
        }
        break;
    case DRAWN:
    case PHASES:
        if (state->next == 0)
            draw_base(search, island, step, x);
        else
            write_edge(problem, s.x, state->next, x);
        break;
    }
}

/* Steps ------------------------------------------------------------------------------------------------ */

static bool is_at_end(const struct search_problem *problem, const struct simplex *s)
{
    const size_t dim = problem->dim;
    if (s->value[s->worst] == s->value[s->best])
        return true;
    for (size_t i = 0; i <= dim; i++)
        for (size_t d = 0; d < dim; d++) {
            const double away = fabs(s->x[i * dim + d] - s->x[s->best * dim + d]);
            if (away > least_size * direct_search_width(problem, d))
                return false;
        }
    return true;
}

/* Begins a simplex about the best vertex, if the last simplex that began at a vertex was worth it, else about
 * a random point. */
static void begin_anew(const struct search_problem *problem, struct simplex *s, struct simplex_state *state)
{
    const size_t dim = problem->dim;
    const double best = s->value[s->best], gain = state->began - best;
    const bool is_worth = isfinite(best) && (!state->is_local || gain > least_gain * fabs(best));
    *state = (struct simplex_state){.phase = DRAWN, .next = is_worth, .is_local = is_worth, .began = best};
    if (!is_worth)
        return;
    memcpy(s->x, s->x + s->best * dim, dim * sizeof *s->x);
    s->value[0] = best;
}

static void take(const struct search_problem *problem, struct simplex *s, size_t vertex, const double *x,
                 double value)
{
    memcpy(s->x + vertex * problem->dim, x, problem->dim * sizeof *x);
    s->value[vertex] = value;
}

/* A reflected point may become a vertex in a later step only, where a run that ends before would lose it. */
static void keep_champion(struct search_host *search, size_t island, const double *x, double value)
{
    const size_t dim = search->problem->dim;
    if (!(value < search->islands[island].champion))
        return;
    search->islands[island].champion = value;
    memcpy(search->champion + island * dim, x, dim * sizeof *x);
}

/* The point of the step takes the place of the worst vertex, or a next point follows from its value. */
static void change(struct search_host *search, size_t island, struct simplex *s, struct simplex_state *state)
{
    const struct search_problem *problem = search->problem;
    const size_t dim = problem->dim, point = island * problem->width;
    const double *x = search->x + point * dim, value = search->y[point];
    double *reflected = host_of(search)->reflected + island * dim;
    const enum phase phase = (enum phase)state->phase;
    state->phase = REFLECTED;
    if (phase == REFLECTED && value < s->value[s->second] && !(value < s->value[s->best])) {
        take(problem, s, s->worst, x, value);
    } else if (phase == REFLECTED) {
        memcpy(reflected, x, dim * sizeof *x);
        state->reflected = value;
        keep_champion(search, island, x, value);
        state->phase = value < s->value[s->best] ? EXPANDED : value < s->value[s->worst] ? OUTSIDE : INSIDE;
    } else if (phase == EXPANDED && !(value < state->reflected)) {
        take(problem, s, s->worst, reflected, state->reflected);
    } else if (phase == EXPANDED || (phase == OUTSIDE && value <= state->reflected) ||
               (phase == INSIDE && value < s->value[s->worst])) {
        take(problem, s, s->worst, x, value);
    } else {
        state->phase = SHRUNK;
        state->base = s->best;
        state->next = s->best == 0;
    }
    state->checked += state->phase == REFLECTED;
}

/* The next vertex of a simplex that shrinks or begins. */
static void go_on(const struct search_problem *problem, struct simplex_state *state)
{
    const bool shrinks = state->phase == SHRUNK;
    state->next++;
    if (shrinks && state->next == state->base)
        state->next++;
    if (state->next <= problem->dim)
        return;
    state->phase = REFLECTED;
    state->checked = shrinks ? problem->dim : 0;
}

static void replace(struct search_host *search, size_t island, struct search_team team)
{
    (void)team;
    const struct search_problem *problem = search->problem;
    const size_t point = island * problem->width;
    struct simplex s = simplex_of(search, island);
    struct simplex_state *state = &host_of(search)->state[island];
    if (state->phase == SHRUNK || state->phase == DRAWN) {
        take(problem, &s, (size_t)state->next, search->x + point * problem->dim, search->y[point]);
        go_on(problem, state);
    } else {
        change(search, island, &s, state);
    }
    /* Looking at all vertices takes as long as making several points. */
    if (state->phase != REFLECTED || state->checked < problem->dim)
        return;
    state->checked = 0;
    s = simplex_of(search, island);
    if (is_at_end(problem, &s))
        begin_anew(problem, &s, state);
}

/* A damaged checkpoint may hold any state. */
static void prepare(struct search_host *search, size_t island)
{
    struct simplex_state *state = &host_of(search)->state[island];
    const size_t dim = search->problem->dim;
    if (state->phase >= PHASES || state->next > dim || state->base > dim)
        *state = (struct simplex_state){.phase = REFLECTED};
}

const struct search_host_ops nelder_mead_functions = {.size = sizeof(struct simplex_host),
                                                      .problem = offsetof(struct simplex_host, problem),
                                                      .evaluation_bytes = direct_search_bytes,
                                                      .open = open_simplices,
                                                      .prepare = prepare,
                                                      .draw = draw,
                                                      .move = move,
                                                      .replace = replace};
