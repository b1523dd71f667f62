/* The gas of the thesis on a CPU: its ladder of variants in C and OpenMP, and one as a CPU likes it.
 *
 * A frame is a whole time step of the benchmark law in single precision: forces of all pairs, v += a dt,
 * then, in a separate pass that every variant shares, x += v dt and the walls. (The thesis moves particles
 * inside the force loop: other particles then see them moved.) The force on i from j is -attraction Delta /
 * s, Delta = r_i - r_j, s = Delta^2 + softening2; the pair of a particle with itself adds 0 and is not left
 * out.
 *
 * Threads are those of OpenMP, `threads` of them. Not for several threads of the caller at once.
 */
#ifndef SHOAL_BENCH_THESIS_GAS_CPU_H
#define SHOAL_BENCH_THESIS_GAS_CPU_H

#include <stdbool.h>
#include <stddef.h>

/* Where arrays end so that a vector of any width may be read and a line of the cache belongs to one thread.
 */
enum { THESIS_GAS_PAD = 64 };

struct thesis_gas {
    size_t n, padded;       /* padded: rounded up to THESIS_GAS_PAD */
    float *x, *y, *vx, *vy; /* padded; particles beyond n are far away and have weight 0 */
    float attraction, softening2, dt;
    float width, height; /* walls at 0 and there */
    size_t threads;
    size_t stride; /* of the stride experiment: only every stride-th j counts; 1 otherwise */
    size_t slots; /* of the experiment on false sharing: from one number of a copy to the next; 1 otherwise */
    float *copies;  /* threads * 2 * padded * slots: velocities of a thread, zeros between frames */
    float *factors; /* threads * 2 * padded: factors of a thread */
};

/* A kernel for the new velocities. */
struct thesis_gas_variant {
    const char *name, *help;
    double flops;        /* of an iteration, as the thesis counts them */
    bool each_pair_once; /* IJ: n^2 / 2 iterations, else n^2 */
    bool sequential;     /* runs on one thread whatever `threads` says */
    double bytes;        /* of positions, velocities, copies and factors read and written in an iteration */
    void (*accelerate)(struct thesis_gas *gas);
    /* ms on the thesis's Phenom II with 1 core and with 4, and on its i5-3570; 0: not given */
    double phenom1, phenom4, i5;
};

/* All variants as one build has them. */
struct thesis_gas_build {
    const char *name, *compiler;
    const struct thesis_gas_variant *variants;
    size_t count;
};

/* The build for this processor; an index asks for the builds it can run, the plainest first, NULL at the end.
 */
const struct thesis_gas_build *thesis_gas_build(void);
const struct thesis_gas_build *thesis_gas_build_at(size_t index);
const struct thesis_gas_variant *thesis_gas_variant(const struct thesis_gas_build *build, const char *name);

/* Particles at random places of a square box, at rest. False: out of memory; `gas` is destroyed then. */
bool thesis_gas_create(struct thesis_gas *gas, size_t n, size_t threads, size_t slots);
void thesis_gas_destroy(struct thesis_gas *gas);
/* The pass that follows: positions and walls (W1: a particle outside turns round). */
void thesis_gas_move(struct thesis_gas *gas);
/* Accelerations of all pairs by double sums, one particle: the reference. */
void thesis_gas_direct(const struct thesis_gas *gas, size_t i, double *ax, double *ay);

#endif
