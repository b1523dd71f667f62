/* The swarm of the thesis in a way that suits CPUs. This file is built several times, see meson.build:
 * THESIS_TWIN names the result, THESIS_COMPILER its compiler and flags.
 *
 * Coordinate d of particle i is at (i / LANES * dim + d) * LANES + i % LANES, so that a loop over lanes
 * is vector code. The rows of the data are copied into tiles of TILE_ROWS, column by column within a tile; a
 * tile stays in the first cache while BLOCK particles use it, GROUP of them for each number loaded. The least
 * number of an array is searched for PIECE numbers at a time, by value only; its place is searched for only
 * in a piece that has a lesser number than those before.
 */
#include "bench/pso/cpu.h"

#include "thesis_build.h"

#include <math.h>
#include <omp.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16, TILE_ROWS = 128, BLOCK = 64, PIECE = 1024 };

#if defined(__AVX512F__)
enum { VECTOR = 8, GROUP = 8 };
#elif defined(__AVX__)
enum { VECTOR = 4, GROUP = 4 };
#else
enum { VECTOR = 2, GROUP = 4 };
#endif
typedef double vector __attribute__((vector_size(VECTOR * sizeof(double))));

struct thesis_swarm {
    struct thesis_problem problem;
    size_t tiles; /* number of tiles of LANES particles; the last one is filled up */
    double *x, *v, *p;
    double *value, *best; /* tiles * LANES numbers each; +infinity in `best` beyond the particles */
    double *goal;         /* dim numbers */
    double goal_value;
    double *rows; /* row_tiles * (dim + 1) * TILE_ROWS numbers, zeros beyond the rows */
    size_t row_tiles;
    double *partial; /* sums over shares of the rows, `tiles * LANES` for each share */
    size_t shares;
    uint32_t steps;
};

static double *numbers(size_t count)
{
    const size_t bytes = (count * sizeof(double) + 63) / 64 * 64;
    return aligned_alloc(64, bytes ? bytes : 64);
}

/* Returns the place of coordinate d of particle i. */
static size_t place_of(const struct thesis_swarm *swarm, size_t i, size_t d)
{
    return (i / LANES * swarm->problem.dim + d) * LANES + i % LANES;
}

/* Functions over dimensions ---------------------------------------------------------------------------- */

/* Returns the integer nearest to x, for |x| < 2^51, without the library call that plain SSE2 would need for
 * rint. */
static inline double nearest(double x)
{
    return (x + 6755399441055744.0) - 6755399441055744.0;
}

/* Returns sin(r) for |r| <= pi / 2 by its series. The first term left out is 2.6e-16 at most. */
static inline double sine_core(double r)
{
    const double u = r * r;
    double s = -8.22063524662432971696e-18;
    s = s * u + 2.81145725434552076320e-15;
    s = s * u - 7.64716373181981647590e-13;
    s = s * u + 1.60590438368216145994e-10;
    s = s * u - 2.50521083854417187751e-08;
    s = s * u + 2.75573192239858906526e-06;
    s = s * u - 1.98412698412698412698e-04;
    s = s * u + 8.33333333333333333333e-03;
    s = s * u - 1.66666666666666666667e-01;
    return r + r * u * s;
}

/* Returns sin(x) to a few 1e-16 for |x| < 1e5, with pi in three parts; the first two have trailing zeros. */
static inline double sine(double x)
{
    const double k = nearest(x * 0.31830988618379067154);
    const double odd = k - 2 * nearest(k * 0.5); /* -1, 0 or 1 */
    double r = x - k * 3.1415926218032836914;
    r -= k * 3.1786509424591713469e-08;
    r -= k * 1.2246467991473531772e-16;
    return sine_core(r) * (1 - 2 * odd * odd);
}

/* Returns Rastrigin's term in its rearranged form, x^2 + 20 sin(pi x)^2. */
static inline double rastrigin(double x)
{
    const double s = sine_core(3.14159265358979323846 * (x - nearest(x)));
    return x * x + 20 * s * s;
}

/* Adds the terms of dimension d; `before` holds x[d - 1] for d > 0. */
static inline void add_terms(enum thesis_function function, const double *restrict x,
                             const double *restrict before, size_t d, double *restrict sum)
{
    switch (function) {
    case THESIS_F1:
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += sine(x[lane]) + sine(x[lane] * (2.0 / 3));
        break;
    case THESIS_F2:
        if (d == 0)
            break;
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += sine(before[lane] + x[lane]) + sine(before[lane] * x[lane] * (2.0 / 3));
        break;
    case THESIS_F3:
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += rastrigin(x[lane]);
        break;
    case THESIS_F4:
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += x[lane] * x[lane];
        break;
    case THESIS_F5:
        break; /* this function is not a sum over dimensions */
    }
}

static void evaluate_tile(struct thesis_swarm *swarm, size_t tile)
{
    const size_t dim = swarm->problem.dim;
    const double *x = swarm->x + tile * dim * LANES;
    double *sum = swarm->value + tile * LANES;
    memset(sum, 0, LANES * sizeof *sum);
    for (size_t d = 0; d < dim; d++)
        add_terms(swarm->problem.function, x + d * LANES, x + (d ? d - 1 : 0) * LANES, d, sum);
}

/* Sums over rows --------------------------------------------------------------------------------------- */

/* Adds to sum[0 .. GROUP - 1] the sums over the rows of a tile for GROUP particles; their coordinates are x[d
 * * GROUP + g]. */
static void add_rows(const double *restrict tile, const double *restrict x, size_t dim, double *restrict sum)
{
    const double *b = tile + dim * TILE_ROWS;
    vector total[GROUP];
    memset(total, 0, sizeof total);
    for (size_t j = 0; j < TILE_ROWS; j += 2 * VECTOR) {
        vector first[GROUP], second[GROUP];
        const vector b0 = *(const vector *)(b + j), b1 = *(const vector *)(b + j + VECTOR);
        for (int g = 0; g < GROUP; g++) {
            first[g] = b0;
            second[g] = b1;
        }
        for (size_t d = 0; d < dim; d++) {
            const double *a = tile + d * TILE_ROWS + j;
            const vector a0 = *(const vector *)a, a1 = *(const vector *)(a + VECTOR);
            for (int g = 0; g < GROUP; g++) {
                first[g] -= a0 * x[d * GROUP + (size_t)g];
                second[g] -= a1 * x[d * GROUP + (size_t)g];
            }
        }
        for (int g = 0; g < GROUP; g++) {
            total[g] += first[g] * first[g];
            total[g] += second[g] * second[g];
        }
    }
    for (int g = 0; g < GROUP; g++)
        for (int lane = 0; lane < VECTOR; lane++)
            sum[g] += total[g][lane];
}

/* Sums the rows of one share for the particles first .. first + BLOCK - 1. */
static void add_share(const struct thesis_swarm *swarm, size_t share, size_t first, double *x)
{
    const size_t dim = swarm->problem.dim, count = swarm->tiles * LANES;
    const size_t end = first + BLOCK < count ? first + BLOCK : count;
    double *sum = swarm->partial + share * count;
    memset(sum + first, 0, (end - first) * sizeof *sum);
    for (size_t i = first; i < end; i++)
        for (size_t d = 0; d < dim; d++)
            x[((i - first) / GROUP * dim + d) * GROUP + i % GROUP] =
                swarm->x[(i / LANES * dim + d) * LANES + i % LANES];
    const size_t from = swarm->row_tiles * share / swarm->shares,
                 to = swarm->row_tiles * (share + 1) / swarm->shares;
    for (size_t tile = from; tile < to; tile++)
        for (size_t i = first; i < end; i += GROUP)
            add_rows(swarm->rows + tile * (dim + 1) * TILE_ROWS, x + (i - first) * dim, dim, sum + i);
}

static void evaluate_rows(struct thesis_swarm *swarm)
{
    const size_t count = swarm->tiles * LANES, blocks = (count + BLOCK - 1) / BLOCK;
#pragma omp parallel
    {
        double x[BLOCK * THESIS_DIM_LIMIT];
#pragma omp for collapse(2) schedule(static)
        for (size_t share = 0; share < swarm->shares; share++)
            for (size_t block = 0; block < blocks; block++)
                add_share(swarm, share, block * BLOCK, x);
#pragma omp for schedule(static)
        for (size_t i = 0; i < count; i++) {
            double sum = 0;
            for (size_t share = 0; share < swarm->shares; share++)
                sum += swarm->partial[share * count + i];
            swarm->value[i] = sum;
        }
    }
}

/* Least of an array ------------------------------------------------------------------------------------ */

/* Returns the least of `count` numbers; `count` is a multiple of LANES and not 0. */
static double least_value(const double *restrict values, size_t count)
{
    double least[LANES];
    memcpy(least, values, sizeof least);
    for (size_t i = LANES; i < count; i += LANES)
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++)
            least[lane] = values[i + (size_t)lane] < least[lane] ? values[i + (size_t)lane] : least[lane];
    for (int lane = 1; lane < LANES; lane++)
        least[0] = least[lane] < least[0] ? least[lane] : least[0];
    return least[0];
}

static size_t least(const double *values, size_t first, size_t end)
{
    size_t place = first;
    for (size_t i = first, count; i < end; i += count) {
        count = end - i < PIECE ? end - i : PIECE;
        if (count >= LANES)
            count -= count % LANES;
        if (count < LANES || least_value(values + i, count) < values[place])
            for (size_t j = i; j < i + count; j++)
                place = values[j] < values[place] ? j : place;
    }
    return place;
}

/* The swarm -------------------------------------------------------------------------------------------- */

/* The words of Philox4x32-10 for LANES particles, which are those of shoal_random_words(), lane by lane. */
struct words {
    uint32_t x[LANES], y[LANES], z[LANES], w[LANES];
};

static inline void draw_words(struct words *c, uint64_t seed, uint32_t stream, uint32_t step, uint32_t index,
                              uint32_t draw)
{
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        c->x[lane] = index + lane;
        c->y[lane] = draw;
        c->z[lane] = step;
        c->w[lane] = stream;
    }
    for (int round = 0; round < 10; round++) {
#pragma omp simd
        for (int lane = 0; lane < LANES; lane++) {
            const uint64_t first = (uint64_t)0xD2511F53u * c->x[lane],
                           second = (uint64_t)0xCD9E8D57u * c->z[lane];
            c->x[lane] = (uint32_t)(second >> 32) ^ c->y[lane] ^ key0;
            c->y[lane] = (uint32_t)second;
            c->z[lane] = (uint32_t)(first >> 32) ^ c->w[lane] ^ key1;
            c->w[lane] = (uint32_t)first;
        }
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

static void draw_tile(struct thesis_swarm *swarm, size_t tile)
{
    const struct thesis_problem *problem = &swarm->problem;
    const double lower = problem->lower, upper = problem->upper, width = upper - lower;
    for (size_t d = 0; d < problem->dim; d++) {
        double *x = swarm->x + (tile * problem->dim + d) * LANES, *v = swarm->v + (x - swarm->x);
        struct words place, speed;
        draw_words(&place, problem->seed, SHOAL_STREAM_PSO_POSITION, 0, (uint32_t)tile * LANES,
                   (uint32_t)d / 2);
        draw_words(&speed, problem->seed, SHOAL_STREAM_PSO_VELOCITY, 0, (uint32_t)tile * LANES,
                   (uint32_t)d / 2);
        for (int lane = 0; lane < LANES; lane++) {
            x[lane] = fmin(lower + thesis_uniform(d % 2 ? place.z[lane] : place.x[lane]) * width, upper);
            v[lane] = (2 * thesis_uniform(d % 2 ? speed.z[lane] : speed.x[lane]) - 1) * width;
        }
    }
}

/* Moves coordinate d of LANES particles; `own` and `other` are the words r1 and r2 of each particle. */
static inline void move_lanes(const struct thesis_swarm *swarm, size_t at, double goal,
                              const uint32_t *restrict own, const uint32_t *restrict other)
{
    const double inertia = swarm->problem.inertia, pull = swarm->problem.pull;
    double *restrict x = swarm->x + at, *restrict v = swarm->v + at;
    const double *restrict p = swarm->p + at;
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        const double speed = inertia * v[lane] + pull * thesis_uniform(own[lane]) * (p[lane] - x[lane]) +
                             pull * thesis_uniform(other[lane]) * (goal - x[lane]);
        v[lane] = speed;
        x[lane] += speed;
    }
}

static void take_bests(struct thesis_swarm *swarm, size_t tile)
{
    const size_t dim = swarm->problem.dim;
    bool better[LANES], any = false;
    for (size_t lane = 0; lane < LANES; lane++) {
        const size_t i = tile * LANES + lane;
        better[lane] = i < swarm->problem.particles && swarm->value[i] < swarm->best[i];
        any = any || better[lane];
        if (better[lane])
            swarm->best[i] = swarm->value[i];
    }
    if (!any)
        return;
    const double *x = swarm->x + tile * dim * LANES;
    double *p = swarm->p + tile * dim * LANES;
    for (size_t d = 0; d < dim; d++, x += LANES, p += LANES)
        for (int lane = 0; lane < LANES; lane++)
            p[lane] = better[lane] ? x[lane] : p[lane];
}

/* Moves coordinate d of a tile. Words are drawn for each even d, and serve the next d as well. */
static inline void move_row(const struct thesis_swarm *swarm, size_t tile, size_t d, struct words *words)
{
    const size_t at = (tile * swarm->problem.dim + d) * LANES;
    if (d % 2 == 0)
        draw_words(words, swarm->problem.seed, SHOAL_STREAM_PSO_MOVE, swarm->steps, (uint32_t)tile * LANES,
                   (uint32_t)d / 2);
    if (d % 2 == 0)
        move_lanes(swarm, at, swarm->goal[d], words->x, words->y);
    else
        move_lanes(swarm, at, swarm->goal[d], words->z, words->w);
}

/* Moves a tile, evaluates it meanwhile if the function is a sum over dimensions, and updates its bests. */
static void step_tile(struct thesis_swarm *swarm, size_t tile)
{
    const size_t dim = swarm->problem.dim;
    double *sum = swarm->value + tile * LANES;
    struct words words;
    memset(sum, 0, LANES * sizeof *sum);
    for (size_t d = 0; d < dim; d++) {
        const double *x = swarm->x + (tile * dim + d) * LANES;
        move_row(swarm, tile, d, &words);
        add_terms(swarm->problem.function, x, x - (d ? LANES : 0), d, sum);
    }
    take_bests(swarm, tile);
}

static void choose_goal(struct thesis_swarm *swarm)
{
    const size_t dim = swarm->problem.dim;
    const size_t leader = least(swarm->best, 0, swarm->problem.particles);
    swarm->goal_value = swarm->best[leader];
    for (size_t d = 0; d < dim; d++)
        swarm->goal[d] = swarm->p[place_of(swarm, leader, d)];
}

static void move(struct thesis_swarm *swarm)
{
    swarm->steps++;
#pragma omp parallel for schedule(static)
    for (size_t tile = 0; tile < swarm->tiles; tile++) {
        struct words words;
        for (size_t d = 0; d < swarm->problem.dim; d++)
            move_row(swarm, tile, d, &words);
    }
}

static void step(struct thesis_swarm *swarm)
{
    if (swarm->problem.function == THESIS_F5) {
        move(swarm);
        evaluate_rows(swarm);
#pragma omp parallel for schedule(static)
        for (size_t tile = 0; tile < swarm->tiles; tile++)
            take_bests(swarm, tile);
    } else {
        swarm->steps++;
#pragma omp parallel for schedule(static)
        for (size_t tile = 0; tile < swarm->tiles; tile++)
            step_tile(swarm, tile);
    }
    choose_goal(swarm);
}

static void evaluate(struct thesis_swarm *swarm)
{
    if (swarm->problem.function == THESIS_F5) {
        evaluate_rows(swarm);
        return;
    }
#pragma omp parallel for schedule(static)
    for (size_t tile = 0; tile < swarm->tiles; tile++)
        evaluate_tile(swarm, tile);
}

static void destroy(struct thesis_swarm *swarm)
{
    if (!swarm)
        return;
    free(swarm->x);
    free(swarm->v);
    free(swarm->p);
    free(swarm->value);
    free(swarm->best);
    free(swarm->goal);
    free(swarm->rows);
    free(swarm->partial);
    free(swarm);
}

static void copy_rows(struct thesis_swarm *swarm)
{
    const size_t columns = swarm->problem.dim + 1, count = swarm->problem.row_count;
#pragma omp parallel for schedule(static)
    for (size_t tile = 0; tile < swarm->row_tiles; tile++)
        for (size_t j = 0; j < TILE_ROWS; j++)
            for (size_t c = 0; c < columns; c++) {
                const size_t row = tile * TILE_ROWS + j;
                swarm->rows[(tile * columns + c) * TILE_ROWS + j] =
                    row < count ? swarm->problem.rows[row * columns + c] : 0;
            }
}

static bool allocate(struct thesis_swarm *swarm)
{
    const struct thesis_problem *problem = &swarm->problem;
    const size_t padded = swarm->tiles * LANES, count = padded * problem->dim;
    swarm->x = numbers(count);
    swarm->v = numbers(count);
    swarm->p = numbers(count);
    swarm->value = numbers(padded);
    swarm->best = numbers(padded);
    swarm->goal = numbers(problem->dim);
    if (!swarm->x || !swarm->v || !swarm->p || !swarm->value || !swarm->best || !swarm->goal)
        return false;
    if (problem->function != THESIS_F5)
        return true;
    /* Few particles cannot keep all threads busy: then each thread sums a share of the rows. */
    const size_t threads = (size_t)omp_get_max_threads(), blocks = (padded + BLOCK - 1) / BLOCK;
    swarm->row_tiles = (problem->row_count + TILE_ROWS - 1) / TILE_ROWS;
    swarm->shares = blocks >= 4 * threads ? 1 : threads;
    swarm->rows = numbers(swarm->row_tiles * (problem->dim + 1) * TILE_ROWS);
    swarm->partial = numbers(swarm->shares * padded);
    return swarm->rows && swarm->partial;
}

static struct thesis_swarm *create(const struct thesis_problem *problem)
{
    struct thesis_swarm *swarm =
        problem->function == THESIS_F5 && problem->dim > THESIS_DIM_LIMIT ? NULL : calloc(1, sizeof *swarm);
    if (!swarm)
        return NULL;
    swarm->problem = *problem;
    swarm->tiles = (problem->particles + LANES - 1) / LANES;
    if (!allocate(swarm)) {
        destroy(swarm);
        return NULL;
    }
    if (problem->function == THESIS_F5)
        copy_rows(swarm);
#pragma omp parallel for schedule(static)
    for (size_t tile = 0; tile < swarm->tiles; tile++)
        draw_tile(swarm, tile);
    evaluate(swarm);
    const size_t padded = swarm->tiles * LANES;
    memcpy(swarm->p, swarm->x, padded * problem->dim * sizeof(double));
    for (size_t i = 0; i < padded; i++)
        swarm->best[i] = i < problem->particles ? swarm->value[i] : (double)INFINITY;
    choose_goal(swarm);
    return swarm;
}

static double position(const struct thesis_swarm *swarm, size_t i, size_t d)
{
    return swarm->x[place_of(swarm, i, d)];
}

static void particle(const struct thesis_swarm *swarm, size_t i, double *x, double *v, double *p)
{
    for (size_t d = 0; d < swarm->problem.dim; d++) {
        const size_t at = place_of(swarm, i, d);
        x[d] = swarm->x[at];
        v[d] = swarm->v[at];
        p[d] = swarm->p[at];
    }
}

static double value(const struct thesis_swarm *swarm, size_t i)
{
    return swarm->value[i];
}

static double best(const struct thesis_swarm *swarm, double *x)
{
    if (x)
        memcpy(x, swarm->goal, swarm->problem.dim * sizeof *x);
    return swarm->goal_value;
}

extern const struct thesis_twin THESIS_TWIN;
const struct thesis_twin THESIS_TWIN = {"blocked", THESIS_COMPILER, create,   destroy, evaluate, move,
                                        step,      position,        particle, value,   best,     least};
