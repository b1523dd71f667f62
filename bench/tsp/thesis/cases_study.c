/* The suite thesis-tsp: tour lengths by numbers of cycles (figure 8.8, 24 settings: of the macro level, the
 * micro level, both) and by exponents (63 settings; the thesis names no grid): the figure "length", of 1000
 * uniform cities. */
#include "bench/tsp/thesis/runs.h"

#define STUDY(case_name, text, ...)                                                                          \
    {                                                                                                        \
        .name = case_name, .help = "both levels, 1000 uniform cities, " text, .unit = "s",                   \
        .precision = "fp32", .clock = BENCH_WALL_TIME, .device = &thesis_tsp_ops, .host = &thesis_tsp_ops,   \
        .large = true, .all_threads = true, .data = &(const struct thesis_tsp_case)                          \
        {                                                                                                    \
            .generate = "uniform:1000:1000", __VA_ARGS__                                                     \
        }                                                                                                    \
    }
#define CYCLES(n)                                                                                            \
    STUDY("thesis-tsp.macro-cycles." #n, #n " macro cycles", .macro_cycles = n),                             \
        STUDY("thesis-tsp.micro-cycles." #n, #n " micro cycles", .micro_cycles = n),                         \
        STUDY("thesis-tsp.cycles." #n, #n " cycles of both", .macro_cycles = n, .micro_cycles = n)
#define EXPONENTS(a, b)                                                                                      \
    STUDY("thesis-tsp.alpha-" #a ".beta-" #b, "alpha " #a ", beta " #b, .alpha = a, .beta = b)
#define BETAS(a)                                                                                             \
    EXPONENTS(a, 0.5), EXPONENTS(a, 1), EXPONENTS(a, 1.5), EXPONENTS(a, 2), EXPONENTS(a, 2.5),               \
        EXPONENTS(a, 3), EXPONENTS(a, 4), EXPONENTS(a, 5), EXPONENTS(a, 8)

static const struct bench_case cases[] = {
    CYCLES(1),   CYCLES(5),  CYCLES(10), CYCLES(15), CYCLES(20), CYCLES(25), CYCLES(30), CYCLES(35),
    BETAS(0.25), BETAS(0.5), BETAS(1),   BETAS(1.5), BETAS(2),   BETAS(3),   BETAS(5),
};

const struct bench_case_list bench_thesis_tsp_study_cases = {cases, sizeof cases / sizeof *cases};
