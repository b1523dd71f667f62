/* SBX with bounds and polynomial mutation on the host, in loops over genes that become vector code. */
#include "ga/host/reals.h"
#include "base/vectors/exp.h"
#include "base/vectors/log.h"

#include <math.h>
#include <stdbool.h>

#ifndef NAME
#define NAME ga_host_reals
#endif

/* Number of genes whose words are drawn together; number of genes of a vector. */
enum { BLOCK = 32, VECTOR = 8 };

/* Crossover ---------------------------------------------------------------------------------------------- */

/* Puts the crossed genes among `count` genes from `first` on on the list: bit 31 of the word decides; bit 30:
 * the children exchange the gene. */
static void list_block(const struct ga_sbx_pair *pair, size_t first, size_t count, struct ga_crossed *crossed)
{
    struct shoal_words words[BLOCK / 4];
    size_t gene[BLOCK], found = 0;
    uint32_t word_of[BLOCK];
    for (size_t n = 0; n < count; n += 4 * RANDOM_TOGETHER)
        random_together(pair->seed, SHOAL_STREAM_GA_CROSS_GENE, pair->step, pair->index,
                        (uint32_t)((first + n) / 4), words + n / 4);
    for (size_t n = 0; n < count; n++) {
        const struct shoal_words *four = &words[n / 4];
        const uint32_t word = n % 4 < 2 ? n % 4 ? four->y : four->x : n % 4 == 2 ? four->z : four->w;
        gene[found] = first + n;
        word_of[found] = word;
        found += (word >> 31) & (pair->parents[0][first + n] != pair->parents[1][first + n]);
    }
    for (size_t k = 0, n = crossed->count; k < found; k++, n++) {
        const size_t d = gene[k], exchanges = word_of[k] >> 30 & 1;
        const double a = pair->parents[0][d], b = pair->parents[1][d];
        crossed->child[0][n] = pair->children[exchanges] + d;
        crossed->child[1][n] = pair->children[1 - exchanges] + d;
        crossed->u[n] = ((double)(word_of[k] & 0x3FFFFFFF) + 0.5) * 0x1p-30;
        crossed->low[n] = a < b ? a : b;
        crossed->high[n] = a < b ? b : a;
        crossed->lower[n] = pair->lower[d];
        crossed->upper[n] = pair->upper[d];
    }
    crossed->count += found;
}

/* The area below the distribution up to the spread factor of a child, which may be beyond its parent by at
 * most `room`. */
static inline double area_of(double u, double room, double distance, double power)
{
    const double logarithm = -power * vector_log(1 + 2 * room / distance);
    return u * (2 - vector_exp(logarithm > -700 ? logarithm : -700));
}

/* Replaces areas of a vector, which are between 0 and 2, by the spread factors. */
static inline void find_spreads(double power, double *area)
{
    const double root = 1 / power;
#pragma omp simd
    for (size_t n = 0; n < VECTOR; n++) {
        const double inside = area[n] <= 1 ? area[n] : 2 - area[n], sign = area[n] <= 1 ? root : -root;
        area[n] = vector_exp(sign * vector_log(inside));
    }
}

/* Sets the spread factors of the children of a vector of genes from `first` on. Far from the bounds both have
 * the same one. */
static void spread(const struct ga_sbx_shape *shape, size_t first, struct ga_crossed *crossed)
{
    const double *u = crossed->u + first, *low = crossed->low + first, *high = crossed->high + first,
                 *lower = crossed->lower + first, *upper = crossed->upper + first;
    double *low_area = crossed->low_area + first, *high_area = crossed->high_area + first;
    const double power = shape->power, part = (shape->far - 1) * 0.5;
    int near = 0;
    for (size_t n = 0; n < VECTOR; n++) {
        const double needed = part * (high[n] - low[n]);
        near |= (low[n] - lower[n] < needed) | (upper[n] - high[n] < needed);
    }
    if (!near) {
        for (size_t n = 0; n < VECTOR; n++)
            low_area[n] = 2 * u[n];
        find_spreads(power, low_area);
        memcpy(high_area, low_area, VECTOR * sizeof *high_area);
        return;
    }
#pragma omp simd
    for (size_t n = 0; n < VECTOR; n++) {
        low_area[n] = area_of(u[n], low[n] - lower[n], high[n] - low[n], power);
        high_area[n] = area_of(u[n], upper[n] - high[n], high[n] - low[n], power);
    }
    find_spreads(power, low_area);
    find_spreads(power, high_area);
}

static inline double clamped(double x, double lower, double upper)
{
    const double above = x > lower ? x : lower;
    return above < upper ? above : upper;
}

static void cross(const struct ga_sbx_shape *shape, struct ga_crossed *crossed)
{
    const size_t count = crossed->count;
    for (size_t n = count; n % VECTOR; n++) { /* fills the last vector */
        crossed->low[n] = crossed->lower[n] = 0;
        crossed->high[n] = crossed->upper[n] = 1;
        crossed->u[n] = 0.5;
    }
    for (size_t n = 0; n < count; n += VECTOR)
        spread(shape, n, crossed);
    for (size_t n = 0; n < count; n++) {
        const double middle = crossed->low[n] + crossed->high[n],
                     distance = crossed->high[n] - crossed->low[n],
                     below = 0.5 * (middle - crossed->low_area[n] * distance),
                     above = 0.5 * (middle + crossed->high_area[n] * distance);
        crossed->low_area[n] = clamped(below, crossed->lower[n], crossed->upper[n]);
        crossed->high_area[n] = clamped(above, crossed->lower[n], crossed->upper[n]);
    }
    for (size_t n = 0; n < count; n++) {
        *crossed->child[0][n] = crossed->low_area[n];
        *crossed->child[1][n] = crossed->high_area[n];
    }
    crossed->count = 0;
}

static void list_crossed(const struct ga_sbx_shape *shape, const struct ga_sbx_pair *pair,
                         struct ga_crossed *crossed)
{
    for (size_t first = 0; first < pair->count; first += BLOCK) {
        const size_t left = pair->count - first;
        if (crossed->count + BLOCK > GA_CROSSED)
            cross(shape, crossed);
        list_block(pair, first, left < BLOCK ? left : BLOCK, crossed);
    }
}

/* Mutation ----------------------------------------------------------------------------------------------- */

/* Sets x to the mutated genes of a vector. */
static void mutate_vector(double power, const double *u, const double *lower, const double *upper, double *x)
{
    const double root = 1 / power, least = 1e-300;
#pragma omp simd
    for (size_t n = 0; n < VECTOR; n++) {
        const double width = upper[n] - lower[n], tail = u[n] < 0.5 ? u[n] : 1 - u[n],
                     room = u[n] < 0.5 ? x[n] - lower[n] : upper[n] - x[n],
                     rest = width > 0 ? 1 - room / width : 1; /* a fixed variable has width 0 */
        const double logarithm = power * vector_log(rest > least ? rest : least),
                     limit = vector_exp(logarithm > -700 ? logarithm : -700),
                     area = 2 * tail + (1 - 2 * tail) * limit,
                     step = (1 - vector_exp(root * vector_log(area))) * width;
        x[n] = clamped(u[n] < 0.5 ? x[n] - step : x[n] + step, lower[n], upper[n]);
    }
}

static void mutate(double power, struct ga_mutations *mutations)
{
    const size_t count = mutations->count;
    double x[GA_MUTATIONS];
    for (size_t n = 0; n < count; n++)
        x[n] = *mutations->gene[n];
    for (size_t n = count; n % VECTOR; n++) { /* fills the last vector */
        x[n] = mutations->lower[n] = 0;
        mutations->upper[n] = 1;
        mutations->u[n] = 0.5;
    }
    for (size_t n = 0; n < count; n += VECTOR)
        mutate_vector(power, mutations->u + n, mutations->lower + n, mutations->upper + n, x + n);
    for (size_t n = 0; n < count; n++)
        *mutations->gene[n] = x[n];
    mutations->count = 0;
}

/* Random words ------------------------------------------------------------------------------------------- */

static void draw(uint64_t seed, uint32_t step, const struct random_draw draws[2 * RANDOM_TOGETHER],
                 struct shoal_words words[2 * RANDOM_TOGETHER])
{
    random_each(seed, step, draws, words);
}

const struct ga_host_reals NAME = {list_crossed, cross, mutate, draw};
