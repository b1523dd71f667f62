/* Runs of the two levels of the thesis as bench cases. */
#ifndef BENCH_TSP_THESIS_RUNS_H
#define BENCH_TSP_THESIS_RUNS_H

#include "bench/runner/bench.h"

#include <shoal/theses.h>

enum thesis_tsp_part { THESIS_TSP_WHOLE, THESIS_TSP_MACRO, THESIS_TSP_MICRO };

/* Parameters of a run; 0 means the default of the workload. */
struct thesis_tsp_case {
    /* a problem for --generate, or NAME.tsp in a file (bench/tsp/tsplib.h). Uniform cities stand for an
     * absent file; the name of the row then ends in -u and their number. */
    const char *problem;
    const char *const *problems; /* several problems, ended by NULL; problems without a file are left out */
    /* the part that is timed; the macro level is timed with its candidate lists */
    enum thesis_tsp_part part;
    uint64_t macro_cycles, micro_cycles, piece, macro_squad, micro_squad;
    int32_t scan, memory, rewinding;
    bool one_by_one;
    double alpha, beta, rho;
    /* Published gains of a GTX 480, 0: none: over one thread and over two threads of a Pentium E6600, over 8
     * cores of two Opteron 2387. */
    bool has_gains; /* the host is timed, too */
    double over_one, over_two, over_eight;
    /* The run of this case with a technique that the case does without: how many times as fast it is, and the
     * published factor. */
    const struct thesis_tsp_case *with;
    double gain;
};

extern const struct bench_ops thesis_tsp_ops;

#endif
