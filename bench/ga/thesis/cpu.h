/* The genetic algorithm of the thesis on a CPU (P. Pospichal, The Genetic Algorithm Acceleration Using GPU,
 * Brno 2009), in two versions, the twins: GPUs are compared with them.
 * scalar: the thesis's own reference, which handles one individual after the other and draws a random number
 * when it is needed; built without vectorisation.
 *
 * vector: the same search for vector units: numbers of one gene side by side, all random numbers of a
 * generation at once, built at -O3 for the best instruction set of the processor it runs on.
 *
 * A generation takes these steps: selection by roulette, with the fitness normalised over the population
 * (worst 0, best 1), or by a tournament of two; single-point or arithmetic crossover of a pair with
 * probability `crossover_rate`; a normal number of deviation `sigma` added to one random gene of a child with
 * probability `mutation_rate`, kept in the box; all children replace the population, and with `elitism` the
 * best member stays in place of child 0. Numbers are in single precision, random numbers from MT19937.
 * Children A and B of pair p have places p and population / 2 + p. With `conditional` a pair that does not
 * cross takes the members at these places instead, unselected.
 *
 * Islands are populations of their own without migration, shared out over the threads of OpenMP; island k has
 * the seed `seed` + k. Both twins compute the same bits.
 */
#ifndef SHOAL_BENCH_THESIS_GA_CPU_H
#define SHOAL_BENCH_THESIS_GA_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum thesis_ga_function { THESIS_GRIEWANK, THESIS_GRIEWANK_100, THESIS_MICHALEWICZ, THESIS_ROSENBROCK };

/* The lower end of the box, which is the same for every gene. */
static inline double thesis_ga_lower(enum thesis_ga_function function)
{
    return function == THESIS_MICHALEWICZ ? 0 : function == THESIS_ROSENBROCK ? -5.12 : -5;
}

static inline double thesis_ga_upper(enum thesis_ga_function function)
{
    return function == THESIS_MICHALEWICZ ? 3.14159265358979323846 : -thesis_ga_lower(function);
}

struct thesis_ga_problem {
    enum thesis_ga_function function;
    size_t dim, population, islands; /* population is even */
    bool roulette;                   /* false: tournament */
    bool single_point;               /* false: arithmetic crossover */
    bool elitism;
    bool conditional; /* select parents only for the pairs that cross */
    double crossover_rate, mutation_rate, sigma;
    uint32_t seed;
};

struct thesis_ga;

struct thesis_ga_twin {
    const char *name;
    const char *compiler; /* name and flags of the compiler */
    /* Allocates, draws and evaluates the populations. Returns NULL if memory runs out. */
    struct thesis_ga *(*create)(const struct thesis_ga_problem *problem);
    void (*destroy)(struct thesis_ga *ga);
    void (*run)(struct thesis_ga *ga, size_t generations);
    /* Calculates the values of the given points only; gene d of point i is at d * count + i. */
    void (*evaluate)(enum thesis_ga_function function, size_t dim, size_t count, const float *x, float *y);
    /* Gene and value of individual i of an island. */
    float (*gene)(const struct thesis_ga *ga, size_t island, size_t i, size_t d);
    float (*value)(const struct thesis_ga *ga, size_t island, size_t i);
    /* Least value that an island has had so far. */
    float (*best)(const struct thesis_ga *ga, size_t island);
};

extern const struct thesis_ga_twin thesis_ga_scalar;
/* The best vector twin for this processor. thesis_ga_vector_at gives those that this processor can run by an
 * index, the plainest first, and NULL at the end. */
const struct thesis_ga_twin *thesis_ga_vector(void);
const struct thesis_ga_twin *thesis_ga_vector_at(size_t index);

#endif
