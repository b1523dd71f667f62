/* Frames of the gas of the thesis on devices, through the solver interface: tables 4.3, 4.4, 4.6 and 4.7. */
#ifndef SHOAL_BENCH_THESIS_GAS_SOLVER_H
#define SHOAL_BENCH_THESIS_GAS_SOLVER_H

#include "bench/runner/bench.h"

#include <shoal/theses.h>

/* Distribution of the particles. */
enum thesis_gas_state {
    THESIS_GAS_UNIFORM,
    THESIS_GAS_DROPLETS /* 60 % of them in three droplets, of standard deviation 30 in a box of 1000 */
};

/* One frame is one step of the run: sort, forces, motion, walls. Zeros take what the workload takes. */
struct thesis_gas_setup {
    size_t n;
    enum thesis_gas_state state;
    double box;                         /* its side; 0: 1000 */
    bool three_dim;                     /* softened 1/r^2 in 3D, else the log attraction */
    enum shoal_gas_potential potential; /* 0 (LJ, which the thesis did not take): by three_dim */
    double cutoff;
    int32_t method; /* of enum shoal_gas_method or of the thesis */
    enum shoal_gas_kernel kernel;
    uint64_t unroll;
    enum shoal_gas_scheme scheme;
    uint64_t cells;
    bool one_near; /* k1 = 1 in place of 9 */
    enum shoal_gas_far far;
    enum shoal_gas_adder adder;
    enum shoal_gas_sort sort;
    double flops;        /* of a pair, as the thesis counts them: rates of all pairs; 0: none */
    double bytes;        /* that it counts as read for a pair */
    bool by_reciprocals; /* the roof: one a pair, in place of flops */
    bool over_pairs;     /* frames of all pairs beside it, for the speed-up */
    double speed_up;     /* that was published, without the sort and with it; 0: none */
    double speed_up_sorted;
    double expected_error; /* rms, by scripts in double precision with 262144 particles; 0: none */
};

extern const struct bench_ops thesis_gas_solver_ops;

#endif
