/* The swarm of the thesis on a CPU, twice: what GPUs are compared with.
 *
 * scalar: the thesis's own reference (its section 2.13), a particle for each task, scalar code, nothing
 * blocked, built without vectorisation.
 *
 * blocked: the same swarm as a CPU likes it, a vector of particles at a time, rows of the data in tiles that
 * all particles use, built at -O3 for the best instruction set of the processor it runs on.
 *
 * Beside whole iterations they have the steps that the thesis measures alone: evaluation, the move, and the
 * least of an array with its place.
 *
 * Both are the canonical global-best swarm in double precision without bounds, with the random numbers of
 * docs/pso.md (inertia, philox, initial velocity `range`, bounds `unbounded`): the same search as the host
 * solver up to rounding. Threads are those of OpenMP; their number changes no result beyond the order of the
 * sums over rows.
 *
 * Not for several threads of the caller at once.
 */
#ifndef SHOAL_BENCH_THESIS_CPU_H
#define SHOAL_BENCH_THESIS_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THESIS_DIM_LIMIT = 64 }; /* of F5 */

enum thesis_function {
    THESIS_F1, /* sum of sin(x) + sin(2 x / 3) */
    THESIS_F2, /* sum of sin(x + x') + sin(2 x x' / 3), x' the next coordinate */
    THESIS_F3, /* Rastrigin */
    THESIS_F4, /* sphere */
    THESIS_F5  /* sum over the rows of (b - sum a[d] x[d])^2; f6 to f10 are sizes of it */
};

struct thesis_problem {
    enum thesis_function function;
    size_t dim, particles;
    double lower, upper;  /* box of the first positions */
    double inertia, pull; /* pull: c1 and c2 */
    uint64_t seed;
    const double
        *rows; /* F5: dim + 1 numbers each, a[0] .. a[dim - 1], b. Used until the swarm is destroyed */
    size_t row_count;
};

struct thesis_swarm;

struct thesis_twin {
    const char *name;
    const char *compiler; /* and its flags */
    /* Allocates, draws and evaluates the swarm. NULL: out of memory. */
    struct thesis_swarm *(*create)(const struct thesis_problem *problem);
    void (*destroy)(struct thesis_swarm *swarm);
    /* Evaluates all particles where they are, into `value`. */
    void (*evaluate)(struct thesis_swarm *swarm);
    /* Moves all particles and does no more: values and bests stay those of before. */
    void (*move)(struct thesis_swarm *swarm);
    /* Moves, evaluates and takes the bests: one iteration. */
    void (*step)(struct thesis_swarm *swarm);
    /* Coordinate d of particle i. */
    double (*position)(const struct thesis_swarm *swarm, size_t i, size_t d);
    /* Position, velocity and best position of particle i: dim numbers each. */
    void (*particle)(const struct thesis_swarm *swarm, size_t i, double *x, double *v, double *p);
    double (*value)(const struct thesis_swarm *swarm, size_t i); /* at that position */
    /* Least value so far; `x`, where not NULL, receives its position, dim numbers. */
    double (*best)(const struct thesis_swarm *swarm, double *x);
    /* Place of the least of values[first .. end - 1], first < end, none of them NaN; of equal ones the first.
     * On the calling thread. */
    size_t (*least)(const double *values, size_t first, size_t end);
};

/* The same of values[0 .. count - 1], count > 0, on all threads. */
size_t thesis_least(const struct thesis_twin *twin, const double *values, size_t count);

/* docs/pso.md: word / 2^32, by a conversion that every vector set has. */
static inline double thesis_uniform(uint32_t word)
{
    return ((double)(int32_t)(word ^ 0x80000000u) + 2147483648.0) * 2.3283064365386962890625e-10;
}

extern const struct thesis_twin thesis_scalar;
/* The one for this processor. */
const struct thesis_twin *thesis_blocked(void);
/* The one for an instruction set by its place in the list, the plainest first; NULL beyond the end, or where
 * this processor lacks it. */
const struct thesis_twin *thesis_blocked_at(size_t index);

#endif
