/* Random numbers of the benchmark, which determine its instances. Every program for these instances generates
 * the same numbers. */
#include "objective/bbob/bbob.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* the benchmark replaces a random number 0, whose logarithm is infinite, by this number */
static const double not_zero = 1e-99;

/* Makes one step of the generator of Park and Miller, modulo 2^31 - 1. */
static uint32_t advance(uint32_t state)
{
    return (uint32_t)((uint64_t)16807 * state % 2147483647u);
}

/* Draws uniform numbers by a generator with a shuffle table of 32 entries (Bays and Durham). The first 8
 * numbers are dropped. The next 32 numbers fill the table, from the last entry to the first. */
void bbob_uniform(double *out, size_t count, uint32_t seed)
{
    enum { LEFT_OUT = 8, PLACES = 32, SHARE = 67108865 };
    uint32_t places[PLACES], state = seed ? seed : 1;
    for (size_t i = 0; i < LEFT_OUT; i++)
        state = advance(state);
    for (size_t i = PLACES; i-- > 0;)
        places[i] = state = advance(state);
    uint32_t number = places[0];
    for (size_t i = 0; i < count; i++) {
        uint32_t *const place = &places[number / SHARE];
        state = advance(state);
        number = *place;
        *place = state;
        out[i] = number ? (double)number / 2147483647.0 : not_zero;
    }
}

/* Draws normal numbers by the method of Box and Muller. */
void bbob_normal(double *out, size_t count, uint32_t seed)
{
    double uniform[2 * BBOB_MAX_DIM * BBOB_MAX_DIM];
    assert(2 * count <= sizeof uniform / sizeof *uniform);
    bbob_uniform(uniform, 2 * count, seed);
    for (size_t i = 0; i < count; i++) {
        out[i] = sqrt(-2 * log(uniform[i])) * cos(2 * pi * uniform[count + i]);
        if (out[i] == 0)
            out[i] = not_zero;
    }
}

/* Draws a rotation: columns of normal numbers, made orthonormal by the method of Gram and Schmidt. */
void bbob_rotation(double *out, size_t dim, uint32_t seed)
{
    double normal[BBOB_MAX_DIM * BBOB_MAX_DIM];
    bbob_normal(normal, dim * dim, seed);
    for (size_t i = 0; i < dim; i++) {
        double *const column = normal + i * dim;
        double length = 0;
        for (size_t before = 0; before < i; before++) {
            const double *const other = normal + before * dim;
            double product = 0;
            for (size_t k = 0; k < dim; k++)
                product += column[k] * other[k];
            for (size_t k = 0; k < dim; k++)
                column[k] -= product * other[k];
        }
        for (size_t k = 0; k < dim; k++)
            length += column[k] * column[k];
        for (size_t k = 0; k < dim; k++)
            out[k * dim + i] = column[k] /= sqrt(length);
    }
}

struct ranked {
    double number;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *const left = a, *const right = b;
    return (left->number > right->number) - (left->number < right->number);
}

void bbob_order(size_t *out, size_t count, uint32_t seed)
{
    enum { MOST = 100 };
    struct ranked all[MOST];
    double uniform[MOST];
    assert(count <= MOST);
    bbob_uniform(uniform, count, seed);
    for (size_t i = 0; i < count; i++)
        all[i] = (struct ranked){uniform[i], i};
    qsort(all, count, sizeof *all, compare);
    for (size_t i = 0; i < count; i++)
        out[i] = all[i].index;
}
