/* Private: SBX with bounds and polynomial mutation on the host, for several genes together. */
#ifndef SHOAL_GA_REALS_H
#define SHOAL_GA_REALS_H

#include "base/vectors/random.h"

#include <stddef.h>
#include <stdint.h>

/* The shape of the distribution of children. A parent whose distance from a bound is more than `far` - 1
 * halves of the distance of the parents is not limited by it: 2 - far^-power rounds to 2. */
struct ga_sbx_shape {
    double power, far;
};

/* The reals of a pair that is crossed. Children are copies of their parents before the call. */
struct ga_sbx_pair {
    const double *lower, *upper, *parents[2];
    double *children[2];
    size_t count; /* number of reals */
    uint64_t seed;
    uint32_t step, index; /* of the random words */
};

enum { GA_CROSSED = 96 };

/* Different genes that are crossed together. child[0], child[1]: the genes of the children that get the lower
 * and the higher value; low, high: the parents; lower, upper: the box; low_area, high_area: scratch. */
struct ga_crossed {
    size_t count;
    double *child[2][GA_CROSSED];
    double u[GA_CROSSED], low[GA_CROSSED], high[GA_CROSSED], lower[GA_CROSSED], upper[GA_CROSSED];
    double low_area[GA_CROSSED], high_area[GA_CROSSED];
};

enum { GA_MUTATIONS = 16 };

/* Different genes that are mutated together. u: their random numbers; lower, upper: the box. */
struct ga_mutations {
    size_t count;
    double *gene[GA_MUTATIONS];
    double u[GA_MUTATIONS], lower[GA_MUTATIONS], upper[GA_MUTATIONS];
};

/* The rules of cl/ga/model/cross.clh and mutate.clh, with powers that differ in their last digits. The reals
 * are in the box. */
struct ga_host_reals {
    /* list_crossed: puts the crossed genes of a pair on the list; crosses those that are on it before there
     * are too many. cross: crosses the genes, and empties the list. */
    void (*list_crossed)(const struct ga_sbx_shape *shape, const struct ga_sbx_pair *pair,
                         struct ga_crossed *crossed);
    void (*cross)(const struct ga_sbx_shape *shape, struct ga_crossed *crossed);
    /* Mutates the genes, and empties the list. power: eta + 1. */
    void (*mutate)(double power, struct ga_mutations *mutations);
    /* random_each */
    void (*draw)(uint64_t seed, uint32_t step, const struct random_draw draws[2 * RANDOM_TOGETHER],
                 struct shoal_words words[2 * RANDOM_TOGETHER]);
};

/* ga_host_reals_avx2: the same functions, with the same bits, for processors with AVX2. */
extern const struct ga_host_reals ga_host_reals, ga_host_reals_avx2;

#endif
