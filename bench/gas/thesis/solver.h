/* Frames of the thesis's gas on devices, through the solver interface: tables 4.3, 4.4, 4.6 and 4.7. */
#ifndef SHOAL_BENCH_THESIS_GAS_SOLVER_H
#define SHOAL_BENCH_THESIS_GAS_SOLVER_H

#include "bench/runner/bench.h"

#include <shoal/theses.h>

/* How the particles are distributed. */
enum thesis_gas_state {
    THESIS_GAS_UNIFORM,
    /* 60 % of the particles are in three droplets, of standard deviation 30 in a box of 1000 */
    THESIS_GAS_DROPLETS
};

/* One frame is one step of the run: sort, forces, motion, walls. Members that are 0 have the values that the
 * workload has by default. */
struct thesis_gas_setup {
    size_t n;
    enum thesis_gas_state state;
    double box; /* side of the box; 0: 1000 */
    /* use the softened 1/r^2 attraction in three dimensions; false: the logarithmic one */
    bool three_dim;
    /* 0, which is LJ (the thesis did not use it): the potential by three_dim */
    enum shoal_gas_potential potential;
    double cutoff;
    int32_t method; /* of enum shoal_gas_method, or a method of the thesis */
    enum shoal_gas_kernel kernel;
    uint64_t unroll;
    enum shoal_gas_scheme scheme;
    uint64_t cells;
    bool one_near; /* k1 is 1 instead of 9 */
    enum shoal_gas_far far;
    enum shoal_gas_adder adder;
    enum shoal_gas_sort sort;
    /* operations for a pair, as the thesis counts them, for the rates of all pairs; 0: no rates */
    double flops;
    double bytes;        /* bytes that the thesis counts as read for a pair */
    bool by_reciprocals; /* the roof counts one reciprocal a pair instead of `flops` */
    bool over_pairs;     /* frames of all pairs are timed too, for the speed-up */
    double speed_up;     /* published speed-up, without the sort and with it; 0: none */
    double speed_up_sorted;
    double expected_error; /* rms error by scripts in double precision with 262144 particles; 0: none */
};

extern const struct bench_ops thesis_gas_solver_ops;

#endif
