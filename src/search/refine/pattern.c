/* Pattern search with simplex derivatives (Torczon 1997; Custodio and Vicente, SIAM J. Optim. 18, 2007).
 *
 * The first batch of an iteration, the poll, has the 2 dim points x +- h width e_d. Its values also give the
 * gradient at x, and the curvature along each axis. From these, the second batch, the search, is computed.
 * Its points are: all coordinate steps that improved, together; the last step, repeated; Newton's step for a
 * function without mixed terms; and points along the direction of a limited-memory BFGS method, whose pairs
 * come from earlier polls. The best point of both batches becomes the next x. If no point is better than x, h
 * is divided by four.
 */
#include "base/error.h"
#include "search/refine/polish_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 12 }; /* number of pairs of the quasi-Newton method */

enum phase { POLL, SEARCH, DONE };
/* Points of the search, the second batch of an iteration. */
enum {
    COMBINED,  /* each coordinate that improved, at the better of its two poll points */
    REPEATED,  /* pattern move of Hooke and Jeeves: the last step, repeated */
    SEPARABLE, /* Newton's step along each axis */
    LINE,      /* the first of the points along the quasi-Newton direction */
    LINE_POINTS = 9,
    SEARCH_POINTS = LINE + LINE_POINTS
};

static const double line[LINE_POINTS] = {1, 0.5, 0.25, 0.1, 0.03, 0.01, 2, 4, 10};

/* Step lengths h in widths of the box. first_h: at the start. settled_h: if h is less, the position counts as
 * a minimum. last_h: if h is less, a step of length h does not change x in this precision, unless x is near
 * 0. */
static const double first_h = 0x1p-7, settled_h = 1e-9,
                    last_h[] = {[SHOAL_FP32] = 1e-8, [SHOAL_FP64] = 1e-16};

/* State of the search of one run. Saved as these bytes, so it has no pointers. */
struct search {
    uint64_t phase, next; /* next: index of the first point of the phase without a value */
    uint64_t used;        /* number of evaluations */
    uint64_t pairs, moved;
    uint64_t poll_best; /* index of the best point of the poll */
    double poll_f;
    double f, h;
};

struct pattern {
    struct search_polish polish;
    size_t numbers; /* count of numbers of each run in `state` */
    struct search *search;
    double *state;
};

static struct pattern *pattern_of(const struct search_polish *polish)
{
    return (struct pattern *)polish;
}

static struct search *search_of(const struct search_polish *polish, size_t run)
{
    return &pattern_of(polish)->search[run];
}

static uint64_t left_of(const struct search_polish *polish, size_t run)
{
    const uint64_t used = search_of(polish, run)->used;
    return used < polish->most ? polish->most - used : 0;
}

/* Arrays of one run, in `state`. */
struct vectors {
    double *x, *g, *curvature, *direction, *combined, *last_x, *last_g; /* [dim] each */
    double *s, *y; /* [MEMORY][dim]: pairs of the quasi-Newton method, the newest first */
    double *value; /* values of the points of the phase in progress; NaN: not evaluated yet */
};

enum { VECTORS = 7 };

static struct vectors vectors_of(const struct search_polish *polish, size_t run)
{
    const size_t dim = polish->dim;
    double *at = pattern_of(polish)->state + run * pattern_of(polish)->numbers;
    return (struct vectors){at,
                            at + dim,
                            at + 2 * dim,
                            at + 3 * dim,
                            at + 4 * dim,
                            at + 5 * dim,
                            at + 6 * dim,
                            at + VECTORS * dim,
                            at + (VECTORS + MEMORY) * dim,
                            at + (VECTORS + 2 * MEMORY) * dim};
}

static size_t phase_points(const struct search_polish *polish, uint64_t phase)
{
    return phase == POLL ? 2 * polish->dim : phase == SEARCH ? SEARCH_POINTS : 0;
}

size_t polish_pattern_points(size_t dim)
{
    return 2 * dim > SEARCH_POINTS ? 2 * dim : SEARCH_POINTS;
}

static double dot(const double *a, const double *b, size_t dim)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t d = 0; d < dim; d++)
        sum += a[d] * b[d];
    return sum;
}

/* Points ----------------------------------------------------------------------------------------------- */

static double width(const struct search_polish *polish, size_t d)
{
    return search_real_width(polish->problem, d);
}

/* Returns the coordinate inside the box that is nearest to x, rounded to the precision of the solver. */
static double projected(const struct search_polish *polish, double x, size_t d)
{
    const struct search_problem *problem = polish->problem;
    if (!problem->is_unbounded)
        x = fmin(fmax(x, problem->lower[d]), problem->upper[d]);
    return polish_rounded(polish, x);
}

/* Returns coordinate d = k / 2 of point k of the poll. All other coordinates of the point are those of x. */
static double polled(const struct search_polish *polish, size_t run, size_t k)
{
    const size_t d = k / 2;
    const double step = search_of(polish, run)->h * width(polish, d);
    return projected(polish, vectors_of(polish, run).x[d] + (k % 2 ? -step : step), d);
}

/* Returns Newton's step along axis d or, if the curvature is not positive, a step of length h downhill. */
static double newton_step(const struct search_polish *polish, const struct search *search,
                          const struct vectors *at, size_t d)
{
    const double most = width(polish, d) / 4, g = at->g[d];
    double step = 0;
    if (at->curvature[d] > 0)
        step = -g / at->curvature[d];
    else if (g != 0)
        step = copysign(search->h * width(polish, d), -g);
    return fmin(fmax(step, -most), most);
}

static double searched(const struct search_polish *polish, size_t run, size_t k, size_t d)
{
    const struct vectors at = vectors_of(polish, run);
    double x;
    switch (k) {
    case COMBINED:
        x = at.combined[d];
        break;
    case REPEATED:
        x = 2 * at.x[d] - at.last_x[d];
        break;
    case SEPARABLE:
        x = at.x[d] + newton_step(polish, search_of(polish, run), &at, d);
        break;
    default:
        x = at.x[d] + line[k - LINE] * at.direction[d];
    }
    return projected(polish, x, d);
}

/* Writes point k of the phase in progress. Returns false if the point is equal to x. */
static bool write_point(const struct search_polish *polish, size_t run, size_t k, double *point)
{
    const struct vectors at = vectors_of(polish, run);
    if (search_of(polish, run)->phase == POLL) {
        memcpy(point, at.x, polish->dim * sizeof *point);
        point[k / 2] = polled(polish, run, k);
        return point[k / 2] != at.x[k / 2];
    }
    bool differs = false;
    for (size_t d = 0; d < polish->dim; d++) {
        point[d] = searched(polish, run, k, d);
        differs = differs || point[d] != at.x[d];
    }
    return differs;
}

/* Derivatives ------------------------------------------------------------------------------------------ */

/* Computes the first and second derivative along axis d from the values of the poll. Both are 0 if a value is
 * missing. */
static void derive(const struct search_polish *polish, size_t run, size_t d)
{
    const struct vectors at = vectors_of(polish, run);
    const double f = search_of(polish, run)->f;
    const double right = polled(polish, run, 2 * d) - at.x[d],
                 left = at.x[d] - polled(polish, run, 2 * d + 1);
    const double rise = at.value[2 * d] - f, fall = at.value[2 * d + 1] - f;
    const bool has_right = right > 0 && isfinite(rise), has_left = left > 0 && isfinite(fall);
    at.g[d] = at.curvature[d] = 0;
    if (has_right && has_left) {
        at.g[d] = (rise * left / right - fall * right / left) / (left + right);
        at.curvature[d] = 2 * (rise / right + fall / left) / (left + right);
    } else if (has_right || has_left) {
        at.g[d] = has_right ? rise / right : -fall / left;
    }
    if (!isfinite(at.g[d]) || !isfinite(at.curvature[d]))
        at.g[d] = at.curvature[d] = 0;
    /* The descent direction must not leave the box. */
    if ((at.g[d] < 0 && !(right > 0)) || (at.g[d] > 0 && !(left > 0)))
        at.g[d] = 0;
}

/* Adds the last move and the change of the gradient along it to the pairs of the quasi-Newton method. */
static void remember_pair(struct search_polish *polish, size_t run)
{
    const struct vectors at = vectors_of(polish, run);
    struct search *search = search_of(polish, run);
    const size_t dim = polish->dim;
    if (!search->moved)
        return;
    memmove(at.s + dim, at.s, (MEMORY - 1) * dim * sizeof *at.s);
    memmove(at.y + dim, at.y, (MEMORY - 1) * dim * sizeof *at.y);
    for (size_t d = 0; d < dim; d++) {
        at.s[d] = at.x[d] - at.last_x[d];
        at.y[d] = at.g[d] - at.last_g[d];
    }
    if (search->pairs < MEMORY)
        search->pairs++;
    if (dot(at.s, at.y, dim) > 1e-12 * sqrt(dot(at.s, at.s, dim) * dot(at.y, at.y, dim)))
        return;
    /* the curvature along this move is not positive, so the pair is dropped */
    search->pairs--;
    memmove(at.s, at.s + dim, (MEMORY - 1) * dim * sizeof *at.s);
    memmove(at.y, at.y + dim, (MEMORY - 1) * dim * sizeof *at.y);
}

/* Computes the quasi-Newton direction by the two-loop recursion of Nocedal (1980), with the separable Newton
 * step as initial inverse Hessian. */
static void make_direction(const struct search_polish *polish, size_t run)
{
    const struct vectors at = vectors_of(polish, run);
    const struct search *search = search_of(polish, run);
    const size_t dim = polish->dim;
    double alpha[MEMORY];
    memcpy(at.direction, at.g, dim * sizeof *at.direction);
    for (size_t k = 0; k < search->pairs; k++) {
        const double *s = at.s + k * dim, *y = at.y + k * dim;
        alpha[k] = dot(s, at.direction, dim) / dot(s, y, dim);
        for (size_t d = 0; d < dim; d++)
            at.direction[d] -= alpha[k] * y[d];
    }
    for (size_t d = 0; d < dim; d++) {
        const double slope = fmax(fabs(at.g[d]), fabs(at.direction[d]));
        const double scale = at.curvature[d] > 0 ? 1 / at.curvature[d]
                             : slope > 0         ? search->h * width(polish, d) / slope
                                                 : 0;
        at.direction[d] *= scale;
    }
    for (size_t k = search->pairs; k-- > 0;) {
        const double *s = at.s + k * dim, *y = at.y + k * dim;
        const double beta = dot(y, at.direction, dim) / dot(s, y, dim);
        for (size_t d = 0; d < dim; d++)
            at.direction[d] += (alpha[k] - beta) * s[d];
    }
    const bool downhill = dot(at.direction, at.g, dim) > 0;
    for (size_t d = 0; d < dim; d++)
        at.direction[d] = downhill ? -at.direction[d] : newton_step(polish, search, &at, d);
}

/* Phases ----------------------------------------------------------------------------------------------- */

static void begin_phase(struct search_polish *polish, size_t run, enum phase phase)
{
    struct search *search = search_of(polish, run);
    double *value = vectors_of(polish, run).value;
    search->phase = phase;
    search->next = 0;
    for (size_t k = 0; k < phase_points(polish, phase); k++)
        value[k] = NAN;
}

/* Returns the index of the best evaluated point of the phase; of equal points, the first. Sets *f to its
 * value; infinity: no value is finite. */
static size_t best_point(const struct search_polish *polish, size_t run, double *f)
{
    const double *value = vectors_of(polish, run).value;
    const size_t count = phase_points(polish, search_of(polish, run)->phase);
    size_t best = 0;
    *f = INFINITY;
    for (size_t k = 0; k < count; k++)
        if (value[k] < *f) {
            best = k;
            *f = value[k];
        }
    return best;
}

static void conclude_poll(struct search_polish *polish, size_t run)
{
    const struct vectors at = vectors_of(polish, run);
    struct search *search = search_of(polish, run);
    search->poll_best = best_point(polish, run, &search->poll_f);
    for (size_t d = 0; d < polish->dim; d++) {
        derive(polish, run, d);
        const size_t better =
            at.value[2 * d + 1] < at.value[2 * d] || isnan(at.value[2 * d]) ? 2 * d + 1 : 2 * d;
        at.combined[d] = at.value[better] < search->f ? polled(polish, run, better) : at.x[d];
    }
    remember_pair(polish, run);
    make_direction(polish, run);
}

/* Whether a derivative along some axis, computed from the last poll, is not 0. */
static bool sees_difference(const struct search_polish *polish, size_t run)
{
    const struct vectors at = vectors_of(polish, run);
    for (size_t d = 0; d < polish->dim; d++)
        if (at.g[d] != 0 || at.curvature[d] != 0)
            return true;
    return false;
}

/* Returns the largest change of a coordinate by the last move, in widths of the box. */
static double last_move(const struct search_polish *polish, size_t run)
{
    const struct vectors at = vectors_of(polish, run);
    double most = 0;
    for (size_t d = 0; d < polish->dim; d++)
        if (width(polish, d) > 0)
            most = fmax(most, fabs(at.x[d] - at.last_x[d]) / width(polish, d));
    return most;
}

/* Moves x to the best point of poll and search, if this point is better than x. */
static void conclude_search(struct search_polish *polish, size_t run)
{
    const struct vectors at = vectors_of(polish, run);
    struct search *search = search_of(polish, run);
    double f;
    const size_t best = best_point(polish, run, &f);
    const bool by_poll = !(f < search->poll_f);
    if (by_poll)
        f = search->poll_f;
    if (!(f < search->f)) {
        search->h /= 4;
        search->moved = 0;
        return;
    }
    /* The points of the search depend on x and last_x, so the chosen point is computed before x and last_x
     * change. */
    for (size_t d = 0; d < polish->dim && !by_poll; d++)
        at.combined[d] = searched(polish, run, best, d);
    memcpy(at.last_g, at.g, polish->dim * sizeof *at.g);
    memcpy(at.last_x, at.x, polish->dim * sizeof *at.x);
    if (by_poll)
        at.x[search->poll_best / 2] = polled(polish, run, search->poll_best);
    else
        memcpy(at.x, at.combined, polish->dim * sizeof *at.x);
    search->f = f;
    search->moved = 1;
    /* h follows the length of the moves, so that derivatives are computed at the scale of the moves. */
    search->h = fmax(fmin(last_move(polish, run), 2 * search->h), search->h / 4);
}

static void conclude(struct search_polish *polish, size_t run)
{
    struct search *search = search_of(polish, run);
    if (search->phase == POLL) {
        conclude_poll(polish, run);
        begin_phase(polish, run, SEARCH);
        return;
    }
    conclude_search(polish, run);
    /* Near 0 the spacing of floating-point numbers is smaller, so there h may fall below last_h as long as
     * values differ. */
    const bool over = search->h < last_h[polish->precision] && !sees_difference(polish, run);
    begin_phase(polish, run, over ? DONE : POLL);
}

/* Batches ---------------------------------------------------------------------------------------------- */

/* Writes the next points of a run, and returns their number. */
static size_t ask_run(struct search_polish *polish, size_t run, double *points)
{
    const struct search *search = search_of(polish, run);
    const size_t end = phase_points(polish, search->phase);
    const uint64_t left = left_of(polish, run);
    size_t count = 0;
    for (size_t k = search->next; k < end && count < polish->block && count < left; k++)
        count += write_point(polish, run, k, points + count * polish->dim);
    return count;
}

/* Takes the values of the points of ask_run(), and returns their number. point: scratch memory for one
 * point. */
static size_t tell_run(struct search_polish *polish, size_t run, const double *values, double *point)
{
    struct search *search = search_of(polish, run);
    double *value = vectors_of(polish, run).value;
    const size_t end = phase_points(polish, search->phase);
    const uint64_t left = left_of(polish, run);
    size_t count = 0, k = search->next;
    for (; k < end && count < polish->block && count < left; k++)
        if (write_point(polish, run, k, point))
            value[k] = values[count++];
    search->next = k;
    search->used += count;
    return count;
}

/* Writes the next points of a run, and returns their number. Ends phases that have no further point. 0: the
 * search of the run has ended, or its evaluations are used up. In the second case the phase does not change,
 * so a search with more evaluations can continue from it. */
static size_t ask_next(struct search_polish *polish, size_t run, double *points)
{
    for (;;) {
        if (search_of(polish, run)->phase == DONE || left_of(polish, run) == 0)
            return 0;
        const size_t count = ask_run(polish, run, points);
        if (count)
            return count;
        conclude(polish, run);
    }
}

static void tell_next(struct search_polish *polish, size_t run, const double **values)
{
    if (search_of(polish, run)->phase == DONE)
        return;
    *values += tell_run(polish, run, *values, polish->points);
    if (search_of(polish, run)->next == phase_points(polish, search_of(polish, run)->phase))
        conclude(polish, run);
}

/* Object ----------------------------------------------------------------------------------------------- */

static enum shoal_status create(struct search_polish *polish, struct shoal_error *error)
{
    struct pattern *pattern = pattern_of(polish);
    const size_t dim = polish->dim, runs = polish->runs;
    pattern->numbers = (VECTORS + 2 * MEMORY) * dim + polish_pattern_points(dim);
    pattern->search = calloc(runs, sizeof *pattern->search);
    pattern->state = calloc(runs * pattern->numbers, sizeof *pattern->state);
    if (!pattern->search || !pattern->state)
        return fail_host_memory(error);
    for (size_t run = 0; run < runs; run++) {
        const double best = polish->best[run];
        pattern->search[run] = (struct search){.poll_f = INFINITY, .f = best, .h = first_h};
        memcpy(vectors_of(polish, run).x, polish->position + run * dim, dim * sizeof *polish->position);
        /* A run without a finite value has no start position. */
        begin_phase(polish, run, isfinite(best) ? POLL : DONE);
    }
    return SHOAL_OK;
}

static void destroy(struct search_polish *polish)
{
    free(pattern_of(polish)->search);
    free(pattern_of(polish)->state);
}

/* Returns the value of the best point of a run so far, also within an iteration, and writes the point to
 * `point` unless it is NULL. */
static double best_so_far(const struct search_polish *polish, size_t run, double *point)
{
    const struct search *search = search_of(polish, run);
    double f, best = search->f;
    const size_t k = best_point(polish, run, &f);
    const double *x = vectors_of(polish, run).x;
    if (point)
        memcpy(point, x, polish->dim * sizeof *point);
    if (search->phase == SEARCH && search->poll_f < best) {
        best = search->poll_f;
        if (point)
            point[search->poll_best / 2] = polled(polish, run, search->poll_best);
    }
    if (f < best) {
        best = f;
        if (point)
            write_point(polish, run, k, point);
    }
    return best;
}

static bool is_settled(const struct search_polish *polish, size_t run)
{
    const struct search *search = search_of(polish, run);
    return search->phase == DONE || search->h < settled_h;
}

static uint64_t count_used(const struct search_polish *polish, size_t run)
{
    return search_of(polish, run)->used;
}

static size_t copy(struct search_polish *polish, size_t run, char *kept, bool is_back)
{
    struct pattern *pattern = pattern_of(polish);
    const size_t bytes = pattern->numbers * sizeof *pattern->state;
    struct search *search = search_of(polish, run);
    double *state = pattern->state + run * pattern->numbers;
    if (kept && is_back) {
        memcpy(search, kept, sizeof *search);
        memcpy(state, kept + sizeof *search, bytes);
    } else if (kept) {
        memcpy(kept, search, sizeof *search);
        memcpy(kept + sizeof *search, state, bytes);
    }
    return sizeof *search + bytes;
}

static bool is_sound(struct search_polish *polish, size_t run)
{
    const struct search *search = search_of(polish, run);
    return search->phase <= DONE && search->next <= phase_points(polish, search->phase) &&
           search->pairs <= MEMORY && search->poll_best < 2 * polish->dim && isfinite(search->h) &&
           search->h >= 0 && search_is_inside(polish->problem, vectors_of(polish, run).x, polish->precision);
}

const struct polish_rule polish_pattern_rule = {.size = sizeof(struct pattern),
                                                .create = create,
                                                .destroy = destroy,
                                                .ask = ask_next,
                                                .tell = tell_next,
                                                .best = best_so_far,
                                                .is_settled = is_settled,
                                                .used = count_used,
                                                .copy = copy,
                                                .is_sound = is_sound};
