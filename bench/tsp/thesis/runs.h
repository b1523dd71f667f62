/* Runs of the two levels of the thesis as bench cases. */
#ifndef BENCH_TSP_THESIS_RUNS_H
#define BENCH_TSP_THESIS_RUNS_H

#include "bench/runner/bench.h"

#include <shoal/tsp.h>

enum thesis_tsp_part { THESIS_TSP_WHOLE, THESIS_TSP_MACRO, THESIS_TSP_MICRO };

/* 0: the default of the workload. */
struct thesis_tsp_case {
    const char *generate;
    enum thesis_tsp_part part; /* that is timed; the macro level with its candidate lists */
    uint64_t macro_cycles, micro_cycles, piece, macro_squad, micro_squad;
    int32_t scan, memory, rewinding;
    bool one_by_one;
    double alpha, beta;
};

extern const struct bench_ops thesis_tsp_ops;

#endif
