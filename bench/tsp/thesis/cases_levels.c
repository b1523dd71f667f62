/* The suite thesis-tsp: each level of the thesis on devices and on the host with one thread and all, at sizes
 * of its figures 8.2 to 8.4, and what single techniques bring (8.5 to 8.7). It publishes ratios alone: on a
 * GTX 480, against one thread of a Pentium E6600, macro 0.75, micro 4 (500 cities), 14 (above 3000), 17.1
 * (9152); squads 3.5 (macro) and 1.4 (micro), local memory 1.6, pieces at once 8.6 (1400 cities) and 12.5
 * (9152).
 */
#include "bench/tsp/thesis/runs.h"

#define RUN(case_name, text, only_on_devices, is_large, ...)                                                 \
    {                                                                                                        \
        .name = case_name, .help = text, .unit = "s", .precision = "fp32", .clock = BENCH_WALL_TIME,         \
        .device = &thesis_tsp_ops, .host = (only_on_devices) ? NULL : &thesis_tsp_ops, .large = is_large,    \
        .data = &(const struct thesis_tsp_case)                                                              \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define LEVELS(n, is_large)                                                                                  \
    RUN("thesis-tsp.macro.u" #n, "macro level, " #n " uniform cities, candidate lists included", 0,          \
        is_large, .generate = "uniform:" #n ":" #n, .part = THESIS_TSP_MACRO),                               \
        RUN("thesis-tsp.macro-all.u" #n, "the same with every city in every step, as in the thesis", 0, 1,   \
            .generate = "uniform:" #n ":" #n, .part = THESIS_TSP_MACRO, .scan = SHOAL_TSP_SCAN_ALL),         \
        RUN("thesis-tsp.micro.u" #n, "micro level, " #n " uniform cities", 0, is_large,                      \
            .generate = "uniform:" #n ":" #n, .part = THESIS_TSP_MICRO)
#define MICRO(name, n, text, ...)                                                                            \
    RUN("thesis-tsp." name ".u" #n, "micro level, " text, 1, 1, .generate = "uniform:" #n ":" #n,            \
        .part = THESIS_TSP_MICRO, __VA_ARGS__)
#define ABLATIONS(n)                                                                                         \
    RUN("thesis-tsp.macro-squad-1.u" #n, "macro level, one work-item an ant, every city", 1, 1,              \
        .generate = "uniform:" #n ":" #n, .part = THESIS_TSP_MACRO, .macro_squad = 1,                        \
        .scan = SHOAL_TSP_SCAN_ALL),                                                                         \
        RUN("thesis-tsp.macro-squad-8.u" #n, "macro level, 8 work-items an ant, every city", 1, 1,           \
            .generate = "uniform:" #n ":" #n, .part = THESIS_TSP_MACRO, .macro_squad = 8,                    \
            .scan = SHOAL_TSP_SCAN_ALL),                                                                     \
        MICRO("squad-1", n, "one work-item an ant", .micro_squad = 1),                                       \
        MICRO("squad-4", n, "4 work-items an ant, as in the thesis", .micro_squad = 4),                      \
        MICRO("global", n, "matrices in global memory", .memory = SHOAL_TSP_MEMORY_GLOBAL),                  \
        MICRO("local", n, "square matrix in local memory", .memory = SHOAL_TSP_MEMORY_LOCAL),                \
        MICRO("skewed", n, "its rows turned against each other", .memory = SHOAL_TSP_MEMORY_SKEWED),         \
        MICRO("triangle", n, "each pair once in local memory", .memory = SHOAL_TSP_MEMORY_TRIANGLE),         \
        MICRO("one-by-one", n, "a launch for each piece", .one_by_one = true),                               \
        MICRO("late", n, "tours turned at the end of a cycle", .rewinding = SHOAL_TSP_REWIND_LATE),          \
        MICRO("piece-48", n, "pieces of 48", .piece = 48),                                                   \
        MICRO("piece-192", n, "pieces of 192", .piece = 192),                                                \
        MICRO("piece-256", n, "pieces of 256", .piece = 256)

static const struct bench_case cases[] = {
    RUN("tsp.thesis.u9152", "both levels of the thesis, 9152 uniform cities, defaults", 0, 1,
        .generate = "uniform:9152:9152"),
    LEVELS(500, 0),
    LEVELS(1400, 0),
    LEVELS(3000, 1),
    LEVELS(9152, 1),
    ABLATIONS(1400),
    ABLATIONS(9152),
};

const struct bench_case_list bench_thesis_tsp_level_cases = {cases, sizeof cases / sizeof *cases};
