/* The move of a particle of the host solver: random numbers, new velocity, position, bounds. */
#include "base/vectors/random.h"
#include "pso/host/host.h"

#include <math.h>
#include <shoal/rng.h>

#ifndef NAME
#define NAME pso_host_moves
#endif

static const double pi = 3.14159265358979323846;

/* Seed, index and step for the random numbers of a particle. */
struct place {
    uint64_t seed;
    uint32_t index, step;
};

static struct place place_of(const struct pso_problem *problem, size_t i, uint64_t step)
{
    const size_t each = problem->search.members * problem->search.run_islands;
    const size_t run = search_host_part(i, each);
    return (struct place){problem->params->search.seed + run, (uint32_t)(i - run * each), (uint32_t)step};
}

/* Random numbers --------------------------------------------------------------------------------------- */

/* number of a draw that belongs to no dimension */
static const uint32_t radius_draw = 0x80000000u;

static double uniform16(uint32_t half_word)
{
    return ((double)half_word + 0.5) * 1.52587890625e-5;
}

static struct shoal_words draw_words(const struct place *place, uint32_t stream, size_t draw)
{
    return shoal_random_words(place->seed, stream, place->step, place->index, (uint32_t)draw);
}

/* Fills two numbers for each dimension d, from draw d / 2: from its words x and y, or z and w. */
static void fill_pairs(const struct place *place, uint32_t stream, size_t dim, double *restrict first,
                       double *restrict second)
{
    const size_t draws = (dim + 1) / 2;
    struct shoal_words words[RANDOM_TOGETHER];
    for (size_t draw = 0; draw < draws; draw += RANDOM_TOGETHER) {
        const size_t left = draws - draw, count = left < RANDOM_TOGETHER ? left : RANDOM_TOGETHER;
        random_together(place->seed, stream, place->step, place->index, (uint32_t)draw, words);
        for (size_t n = 0; n < count; n++) {
            first[2 * (draw + n)] = random_uniform(words[n].x);
            second[2 * (draw + n)] = random_uniform(words[n].y);
            first[2 * (draw + n) + 1] = random_uniform(words[n].z);
            second[2 * (draw + n) + 1] = random_uniform(words[n].w);
        }
    }
}

/* Fills one number for each dimension d, from one word of draw first_draw + d / 4. */
static void fill_quads(const struct place *place, uint32_t stream, size_t first_draw, size_t dim,
                       double *restrict out)
{
    enum { MOST = 3 * RANDOM_TOGETHER };
    const size_t draws = (dim + 3) / 4;
    union {
        struct shoal_words draws[MOST];
        uint32_t words[4 * MOST];
    } drawn;
    for (size_t draw = 0, count; draw < draws; draw += count) {
        const size_t left = draws - draw;
        const uint32_t first = (uint32_t)(first_draw + draw);
        count = left < MOST ? left : MOST;
        if (left > 2 * RANDOM_TOGETHER)
            random_thrice(place->seed, stream, place->step, place->index, first, drawn.draws);
        else if (left > RANDOM_TOGETHER)
            random_twice(place->seed, stream, place->step, place->index, first, drawn.draws);
        else
            random_together(place->seed, stream, place->step, place->index, first, drawn.draws);
        for (size_t n = 0; n < 4 * count; n++)
            out[4 * draw + n] = random_uniform(drawn.words[n]);
    }
}

static void fill_halves(const struct place *place, size_t dim, double *first, double *second)
{
    const size_t draws = (dim + 3) / 4;
    for (size_t draw = 0; draw < draws; draw++) {
        const struct shoal_words words = draw_words(place, SHOAL_STREAM_PSO_MOVE, draw);
        first[4 * draw] = uniform16(words.x & 0xFFFF);
        second[4 * draw] = uniform16(words.x >> 16);
        first[4 * draw + 1] = uniform16(words.y & 0xFFFF);
        second[4 * draw + 1] = uniform16(words.y >> 16);
        first[4 * draw + 2] = uniform16(words.z & 0xFFFF);
        second[4 * draw + 2] = uniform16(words.z >> 16);
        first[4 * draw + 3] = uniform16(words.w & 0xFFFF);
        second[4 * draw + 3] = uniform16(words.w >> 16);
    }
}

static void normal_pair(uint32_t a, uint32_t b, double *first, double *second)
{
    const double radius = sqrt(-2 * log(((double)a + 0.5) * 2.3283064365386962890625e-10));
    const double angle = 2 * pi * random_uniform(b);
    *first = radius * cos(angle);
    *second = radius * sin(angle);
}

static void fill_normals(const struct place *place, size_t dim, double *out)
{
    for (size_t d = 0; d < dim; d += 4) {
        const struct shoal_words words = draw_words(place, SHOAL_STREAM_PSO_SPHERE, d / 4);
        normal_pair(words.x, words.y, &out[d], &out[d + 1]);
        if (d + 2 < dim)
            normal_pair(words.z, words.w, &out[d + 2], &out[d + 3]);
    }
}

/* Fills the random numbers r1 and r2 for each dimension. */
static void fill_pulls(struct pso_host *host, size_t i, const struct place *place, double *r1, double *r2)
{
    const struct shoal_pso_params *params = host->problem.params;
    const size_t dim = host->problem.search.dim, numbers = params->scalar_random ? 1 : dim;
    if (host->problem.thesis.pulls)
        host->problem.thesis.pulls(host, i, place->step, numbers, r1, r2);
    else if (params->random == SHOAL_PSO_PHILOX16)
        fill_halves(place, numbers, r1, r2);
    else
        fill_pairs(place, SHOAL_STREAM_PSO_MOVE, numbers, r1, r2);
    for (size_t d = numbers; d < dim; d++) {
        r1[d] = r1[0];
        r2[d] = r2[0];
    }
}

/* First position and velocity -------------------------------------------------------------------------- */

static void draw(struct search_host *search, size_t i, double *scratch)
{
    struct pso_host *host = pso_host_of(search);
    const struct pso_problem *problem = &host->problem;
    const size_t dim = problem->search.dim;
    const struct place place =
        place_of(problem, i, host->search.islands[i / problem->search.members].restarts);
    double *restrict x = host->search.x + i * dim, *restrict v = host->v + i * dim;
    double *place_of_x = scratch, *place_of_v = place_of_x + dim + PSO_HOST_PADDING,
           *unused = place_of_v + dim + PSO_HOST_PADDING;
    fill_pairs(&place, SHOAL_STREAM_PSO_POSITION, dim, place_of_x, unused);
    fill_pairs(&place, SHOAL_STREAM_PSO_VELOCITY, dim, place_of_v, unused);
    for (size_t d = 0; d < dim; d++) {
        const double lower = problem->search.lower[d], upper = problem->search.upper[d],
                     width = upper - lower;
        const double to = lower + place_of_v[d] * width;
        x[d] = fmin(lower + place_of_x[d] * width, upper);
        switch (problem->initial_velocity) {
        case SHOAL_PSO_HALF_DIFFERENCE:
            v[d] = (to - x[d]) * 0.5;
            break;
        case SHOAL_PSO_DIFFERENCE:
            v[d] = to - x[d];
            break;
        case SHOAL_PSO_RANGE:
            v[d] = (2 * place_of_v[d] - 1) * width;
            break;
        default:
            v[d] = 0;
        }
    }
    if (problem->thesis.start)
        problem->thesis.start(host, i);
}

/* New velocity ----------------------------------------------------------------------------------------- */

/* Updates the velocity by the rules `inertia`, `linear` and `constriction`. */
static void pull(const struct pso_problem *problem, double inertia, double *restrict v,
                 const double *restrict x, const double *restrict p, const double *restrict l,
                 const double *restrict r1, const double *restrict r2)
{
    const double cognitive = problem->cognitive, social = problem->social;
    for (size_t d = 0; d < problem->search.dim; d++)
        v[d] = inertia * v[d] + cognitive * r1[d] * (p[d] - x[d]) + social * r2[d] * (l[d] - x[d]);
}

/* The squares of even and of odd coordinates are summed apart, as a vector of two numbers does it, so that
 * the bits do not depend on the length of the vectors. */
static double norm(const double *x, size_t dim)
{
    double even = 0, odd = 0;
    size_t d = 0;
    for (; d + 1 < dim; d += 2) {
        even += x[d] * x[d];
        odd += x[d + 1] * x[d + 1];
    }
    const double sum = even + odd;
    return sqrt(d < dim ? sum + x[d] * x[d] : sum);
}

/* Updates the velocity by SPSO 2011: draws a point in a ball. The centre of the ball is the mean of x, a
 * point slightly beyond p, and a point slightly beyond l. */
static void pull_to_ball(const struct pso_problem *problem, double inertia, const struct place *place,
                         double *restrict v, const double *restrict x, const double *p, const double *l,
                         double *scratch)
{
    const size_t dim = problem->search.dim;
    double *restrict centre = scratch, *restrict direction = scratch + dim + PSO_HOST_PADDING;
    const double cognitive = problem->cognitive, social = problem->social;
    if (l == p)
        for (size_t d = 0; d < dim; d++)
            centre[d] = cognitive * (p[d] - x[d]) / 2;
    else
        for (size_t d = 0; d < dim; d++)
            centre[d] = (cognitive * (p[d] - x[d]) + social * (l[d] - x[d])) / 3;
    fill_normals(place, dim, direction);
    const double length = norm(direction, dim);
    const double u = random_uniform(draw_words(place, SHOAL_STREAM_PSO_SPHERE, radius_draw).x);
    const double radius = length > 0 ? u * norm(centre, dim) / length : 0;
    for (size_t d = 0; d < dim; d++)
        v[d] = inertia * v[d] + centre[d] + radius * direction[d];
}

/* Adds the pulls of some informants. p: their personal bests; u: their random numbers, in rows. */
static void add_pulls(size_t dim, size_t count, const double *restrict x, const double *const *p,
                      const double *restrict u, size_t row, double *restrict sum)
{
    if (count == PSO_HOST_TOGETHER) {
        const double *a = p[0], *b = p[1], *c = p[2], *e = p[3];
        for (size_t d = 0; d < dim; d++)
            sum[d] = sum[d] + u[d] * (a[d] - x[d]) + u[row + d] * (b[d] - x[d]) +
                     u[2 * row + d] * (c[d] - x[d]) + u[3 * row + d] * (e[d] - x[d]);
        return;
    }
    for (size_t q = 0; q < count; q++)
        for (size_t d = 0; d < dim; d++)
            sum[d] += u[q * row + d] * (p[q][d] - x[d]);
}

static void pull_to_informants(const struct pso_host *host, size_t i, double inertia,
                               const struct place *place, double *restrict v, const double *restrict x,
                               double *scratch)
{
    const struct pso_problem *problem = &host->problem;
    const size_t dim = problem->search.dim, draws = (dim + 3) / 4, count = pso_host_informant_count(host, i);
    double *restrict sum = scratch, *restrict u = scratch + dim + PSO_HOST_PADDING;
    const double weight = problem->social / (double)count;
    for (size_t d = 0; d < dim; d++)
        sum[d] = 0;
    for (size_t first = 0; first < count; first += PSO_HOST_TOGETHER) {
        const size_t left = count - first, some = left < PSO_HOST_TOGETHER ? left : PSO_HOST_TOGETHER;
        size_t informants[PSO_HOST_TOGETHER];
        const double *p[PSO_HOST_TOGETHER];
        fill_quads(place, SHOAL_STREAM_PSO_FIPS, first * draws, 4 * draws * some, u);
        pso_host_list_informants(host, i, first, some, informants);
        for (size_t q = 0; q < some; q++)
            p[q] = host->search.p + informants[q] * dim;
        add_pulls(dim, some, x, p, u, 4 * draws, sum);
    }
    for (size_t d = 0; d < dim; d++)
        v[d] = inertia * v[d] + weight * sum[d];
}

/* Bounds ----------------------------------------------------------------------------------------------- */

static void limit_velocity(const struct pso_problem *problem, double *v)
{
    const double limit = problem->params->velocity_limit;
    for (size_t d = 0; d < problem->search.dim; d++) {
        const double most = limit * (problem->search.upper[d] - problem->search.lower[d]);
        v[d] = fmin(fmax(v[d], -most), most);
    }
}

/* Applies the rule of enum shoal_pso_bounds to a coordinate outside of the box. d: dimension of the
 * coordinate. */
static void put_back(const struct pso_problem *problem, const struct place *place, size_t d, double *x,
                     double *v)
{
    const double lower = problem->search.lower[d], upper = problem->search.upper[d], width = upper - lower;
    const double face = *x < lower ? lower : upper;
    switch ((enum shoal_pso_bounds)problem->params->bounds) {
    case SHOAL_PSO_REFLECT:
        *x = fmin(fmax(2 * face - *x, lower), upper);
        *v = -*v;
        break;
    case SHOAL_PSO_CLAMP:
        *x = face;
        break;
    case SHOAL_PSO_ABSORB:
        *x = face;
        *v = 0;
        break;
    case SHOAL_PSO_BOUNCE:
        *x = face;
        *v *= -0.5;
        break;
    case SHOAL_PSO_PERIODIC:
        if (width > 0)
            *x -= width * floor((*x - lower) / width);
        *x = fmin(fmax(*x, lower), upper);
        break;
    case SHOAL_PSO_REENTRY: {
        const struct shoal_words words = draw_words(place, SHOAL_STREAM_PSO_REENTRY, d / 4);
        const uint32_t four[] = {words.x, words.y, words.z, words.w};
        *x = fmin(lower + random_uniform(four[d % 4]) * width, upper);
        break;
    }
    case SHOAL_PSO_INVISIBLE:
    case SHOAL_PSO_UNBOUNDED:
        break;
    }
}

/* Adds v to the position. Returns true if the particle is outside of the box and its bounds forbid an
 * evaluation there. */
static bool move(const struct pso_problem *problem, const struct place *place, double *restrict x,
                 double *restrict v)
{
    const size_t dim = problem->search.dim;
    const double *restrict lower = problem->search.lower, *restrict upper = problem->search.upper;
    const enum shoal_pso_bounds bounds = (enum shoal_pso_bounds)problem->params->bounds;
    int out = 0;
    for (size_t d = 0; d < dim; d++)
        x[d] += v[d];
    for (size_t d = 0; d < dim; d++)
        out |= (x[d] < lower[d]) | (x[d] > upper[d]);
    /* If the velocity overflows, x may be NaN, which the comparisons with the box do not detect. */
    if (bounds == SHOAL_PSO_INVISIBLE)
        return out;
    for (size_t d = 0; out && d < dim; d++)
        if (x[d] < lower[d] || x[d] > upper[d])
            put_back(problem, place, d, &x[d], &v[d]);
    return false;
}

/* ------------------------------------------------------------------------------------------------------ */

static void move_particle(struct search_host *search, size_t i, uint64_t step, double *scratch)
{
    struct pso_host *host = pso_host_of(search);
    const struct pso_problem *problem = &host->problem;
    const size_t dim = problem->search.dim;
    const struct place place = place_of(problem, i, step);
    const double inertia = pso_inertia(problem, step);
    double *r1 = scratch, *r2 = scratch + dim + PSO_HOST_PADDING;
    double *x = host->search.x + i * dim, *v = host->v + i * dim;
    const double *p = host->search.p + i * dim;
    const double *l = host->search.p;
    if (problem->update != PSO_FIPS_UPDATE)
        l += pso_host_goal(host, i) * dim;
    switch (problem->update) {
    case PSO_LINEAR_UPDATE:
        fill_pulls(host, i, &place, r1, r2);
        pull(problem, inertia, v, x, p, l, r1, r2);
        break;
    case PSO_SPSO2011_UPDATE:
        pull_to_ball(problem, inertia, &place, v, x, p, l, scratch);
        break;
    case PSO_FIPS_UPDATE:
        pull_to_informants(host, i, inertia, &place, v, x, scratch);
        break;
    }
    if (!isnan(problem->params->velocity_limit))
        limit_velocity(problem, v);
    host->search.outside[i] = move(problem, &place, x, v);
}

const struct pso_host_moves NAME = {draw, move_particle};
