/* The gas of the thesis on a CPU: the thesis's ladder of variants in C and OpenMP, and one variant more that
 * suits CPUs.
 *
 * A frame is a whole time step of the benchmark law in single precision: forces of all pairs, v += a dt,
 * then, in a separate pass that every variant shares, x += v dt and the walls. (The thesis moves particles
 * inside the force loop: other particles then see them moved.) The force on i from j is -attraction Delta /
 * s, Delta = r_i - r_j, s = Delta^2 + softening2; the pair of a particle with itself adds 0 and is not left
 * out.
 *
 * The code runs on `threads` threads of OpenMP. It must not be called by several threads at once.
 */
#ifndef SHOAL_BENCH_THESIS_GAS_CPU_H
#define SHOAL_BENCH_THESIS_GAS_CPU_H

#include <stdbool.h>
#include <stddef.h>

/* Arrays are padded to a multiple of this, so that a vector of any width may be read and a cache line belongs
 * to one thread. */
enum { THESIS_GAS_PAD = 64 };

struct thesis_gas {
    size_t n, padded;       /* padded: n rounded up to a multiple of THESIS_GAS_PAD */
    float *x, *y, *vx, *vy; /* each has `padded` numbers; particles beyond n are far away and have weight 0 */
    float attraction, softening2, dt;
    float width, height; /* walls are at 0 and at these coordinates */
    size_t threads;
    size_t stride; /* for the experiment on strides: only every stride-th j counts; else 1 */
    /* for the experiment on false sharing: distance from one number of a copy to the next; else 1 */
    size_t slots;
    float *copies;  /* threads * 2 * padded * slots: each thread's velocities, zero between frames */
    float *factors; /* threads * 2 * padded: each thread's factors */
};

/* A kernel that calculates the new velocities. */
struct thesis_gas_variant {
    const char *name, *help;
    double flops;        /* number of operations in an iteration, as the thesis counts them */
    bool each_pair_once; /* IJ: there are n^2 / 2 iterations; false: n^2 */
    bool sequential;     /* runs on one thread whatever `threads` is */
    /* bytes of positions, velocities, copies and factors read and written in an iteration */
    double bytes;
    void (*accelerate)(struct thesis_gas *gas);
    /* Times in ms on the thesis's Phenom II with 1 core and with 4, and on its i5-3570; 0: the thesis has
     * none. */
    double phenom1, phenom4, i5;
};

/* All variants, as one build contains them. */
struct thesis_gas_build {
    const char *name, *compiler;
    const struct thesis_gas_variant *variants;
    size_t count;
};

/* The best build for this processor. thesis_gas_build_at gives those that this processor can run by an index,
 * the plainest first, and NULL at the end. */
const struct thesis_gas_build *thesis_gas_build(void);
const struct thesis_gas_build *thesis_gas_build_at(size_t index);
const struct thesis_gas_variant *thesis_gas_variant(const struct thesis_gas_build *build, const char *name);

/* Puts particles at random places of a square box, at rest. Returns false if memory runs out; `gas` is then
 * destroyed. */
bool thesis_gas_create(struct thesis_gas *gas, size_t n, size_t threads, size_t slots);
void thesis_gas_destroy(struct thesis_gas *gas);
/* The pass that follows the forces: it updates positions and applies the walls (W1: a particle outside turns
 * round). */
void thesis_gas_move(struct thesis_gas *gas);
/* The reference: calculates one particle's acceleration by all others, with sums in double precision. */
void thesis_gas_direct(const struct thesis_gas *gas, size_t i, double *ax, double *ay);

#endif
