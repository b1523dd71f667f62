/* The swarm of the thesis on a CPU in two versions, the twins: GPUs are compared with them.
 *
 * scalar: the thesis's own reference (its section 2.13), with one particle for each task, in scalar code
 * without blocking, built without vectorisation.
 *
 * blocked: the same swarm in a way that suits CPUs, with a vector of particles at a time and with rows of the
 * data in tiles that all particles use; built at -O3 for the best instruction set of the processor it runs
 * on.
 *
 * Besides whole iterations the twins have the steps that the thesis measures separately: evaluation, the
 * move, and the least of an array with its place.
 *
 * Both twins are the canonical global-best swarm in double precision without bounds, with the random numbers
 * of docs/pso.md (inertia, philox, initial velocity `range`, bounds `unbounded`): the same search as the host
 * solver up to rounding. Threads are those of OpenMP; their number changes no result beyond the order of the
 * sums over rows.
 *
 * A twin must not be called by several threads at once.
 */
#ifndef SHOAL_BENCH_THESIS_CPU_H
#define SHOAL_BENCH_THESIS_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { THESIS_DIM_LIMIT = 64 }; /* limit of the dimensions of F5 */

enum thesis_function {
    THESIS_F1, /* sum of sin(x) + sin(2 x / 3) */
    THESIS_F2, /* sum of sin(x + x') + sin(2 x x' / 3), where x' is the next coordinate */
    THESIS_F3, /* Rastrigin's function */
    THESIS_F4, /* the sphere function */
    THESIS_F5  /* sum over the rows of (b - sum a[d] x[d])^2; f6 to f10 are F5 of certain sizes */
};

struct thesis_problem {
    enum thesis_function function;
    size_t dim, particles;
    double lower, upper;  /* box of the first positions */
    double inertia, pull; /* pull: both c1 and c2 */
    uint64_t seed;
    const double
        /* only for F5: dim + 1 numbers for each row, a[0] .. a[dim - 1], b. Must remain valid until the swarm
         * is destroyed */
        *rows;
    size_t row_count;
};

struct thesis_swarm;

struct thesis_twin {
    const char *name;
    const char *compiler; /* name and flags of the compiler */
    /* Allocates, draws and evaluates the swarm. Returns NULL if memory runs out. */
    struct thesis_swarm *(*create)(const struct thesis_problem *problem);
    void (*destroy)(struct thesis_swarm *swarm);
    /* Evaluates all particles at their positions, into `value`. */
    void (*evaluate)(struct thesis_swarm *swarm);
    /* Moves all particles and does nothing else: values and bests remain those from before the move. */
    void (*move)(struct thesis_swarm *swarm);
    /* Makes one iteration: moves, evaluates and updates the bests. */
    void (*step)(struct thesis_swarm *swarm);
    /* Returns coordinate d of particle i. */
    double (*position)(const struct thesis_swarm *swarm, size_t i, size_t d);
    /* Copies position, velocity and best position of particle i, dim numbers each. */
    void (*particle)(const struct thesis_swarm *swarm, size_t i, double *x, double *v, double *p);
    double (*value)(const struct thesis_swarm *swarm, size_t i); /* value of particle i at its position */
    /* Returns the least value so far; `x`, unless NULL, receives its position, dim numbers. */
    double (*best)(const struct thesis_swarm *swarm, double *x);
    /* Returns the place of the least of values[first .. end - 1]; of equal ones it is the first. Requires
     * first < end and that no value is NaN. Runs on the calling thread. */
    size_t (*least)(const double *values, size_t first, size_t end);
};

/* Does the same for values[0 .. count - 1], count > 0, on all threads. */
size_t thesis_least(const struct thesis_twin *twin, const double *values, size_t count);

/* The uniform number of docs/pso.md, word / 2^32, by a conversion that every vector instruction set has. */
static inline double thesis_uniform(uint32_t word)
{
    return ((double)(int32_t)(word ^ 0x80000000u) + 2147483648.0) * 2.3283064365386962890625e-10;
}

extern const struct thesis_twin thesis_scalar;
/* The best blocked twin for this processor. */
const struct thesis_twin *thesis_blocked(void);
/* The blocked twin for an instruction set, by its index in the list, the plainest first; NULL beyond the end
 * of the list, or if this processor lacks the instruction set. */
const struct thesis_twin *thesis_blocked_at(size_t index);

#endif
