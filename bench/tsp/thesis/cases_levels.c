/* The suite thesis-tsp: each level of the thesis on devices and on the host with one thread and all (its
 * figures 8.2 to 8.4), and what single techniques bring (8.5 to 8.7). It publishes ratios alone: of a GTX 480
 * to processors, of a run without a technique to the one with it. They are means over problems of more than
 * 1000 cities where no size is named: macro 0.75 of a Pentium E6600 with one thread, 0.5 with two; micro 12.3
 * with one, of about 500 cities 4, above 3000 14, of 9152 17.1; 3 of 8 Opteron cores, below 5000 cities;
 * squads 3.5 (macro) and 1.4 (micro), local memory 1.6, pieces at once 8.6 (1400 cities) and 12.5 (9152).
 *
 * Its problems of 1400 and 9152 cities are not at hand: uniform ones stand for them, as for each problem of
 * TSPLIB whose file is absent.
 */
#include "bench/tsp/thesis/runs.h"

#define RUN(case_name, text, only_on_devices, is_large, ...)                                                 \
    {                                                                                                        \
        .name = "thesis-tsp." case_name, .help = text, .unit = "s", .precision = "fp32",                     \
        .clock = BENCH_WALL_TIME, .device = &thesis_tsp_ops,                                                 \
        .host = (only_on_devices) ? NULL : &thesis_tsp_ops, .large = is_large,                               \
        .data = &(const struct thesis_tsp_case)                                                              \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

/* Levels ----------------------------------------------------------------------------------------------- */

#define MACRO_GAINS .has_gains = true, .over_one = 0.75, .over_two = 0.5
#define LEVELS(id, name, text, is_large, one, eight)                                                         \
    RUN("macro." id, "macro level, " text ", candidate lists included", 0, is_large, .problem = name,        \
        .part = THESIS_TSP_MACRO, MACRO_GAINS),                                                              \
        RUN("macro-all." id, "the same with every city in every step, as in the thesis", 0, 1,               \
            .problem = name, .part = THESIS_TSP_MACRO, .scan = SHOAL_TSP_SCAN_ALL, MACRO_GAINS),             \
        RUN("micro." id, "micro level, " text, 0, is_large, .problem = name, .part = THESIS_TSP_MICRO,       \
            .has_gains = true, .over_one = one, .over_eight = eight)
#define UNIFORM(n, is_large, one, eight)                                                                     \
    LEVELS("u" #n, "uniform:" #n ":" #n, #n " uniform cities", is_large, one, eight)
#define AT_HAND(name, one) LEVELS(#name, #name ".tsp", #name, 1, one, 3)

/* Techniques ------------------------------------------------------------------------------------------- */

#define CASE(...)                                                                                            \
    &(const struct thesis_tsp_case)                                                                          \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define MACRO_OF(n, squad)                                                                                   \
    .problem = "uniform:" #n ":" #n, .part = THESIS_TSP_MACRO, .scan = SHOAL_TSP_SCAN_ALL,                   \
    .macro_squad = squad
#define MICRO_OF(n)             .problem = "uniform:" #n ":" #n, .part = THESIS_TSP_MICRO
#define MICRO(id, n, text, ...) RUN(id ".u" #n, "micro level, " text, 1, 1, MICRO_OF(n), __VA_ARGS__)
#define PIECE(n, cities)                                                                                     \
    MICRO("piece-" #cities, n, "pieces of " #cities "; gain: of 96", .piece = cities,                        \
          .with = CASE(MICRO_OF(n)))
#define TECHNIQUES(n, at_once)                                                                               \
    RUN("macro-squad-1.u" #n, "macro level, every city, one work-item an ant; gain: of 8", 1, 1,             \
        MACRO_OF(n, 1), .with = CASE(MACRO_OF(n, 8)), .gain = 3.5),                                          \
        RUN("macro-squad-8.u" #n, "macro level, every city, 8 work-items an ant, as in the thesis", 1, 1,    \
            MACRO_OF(n, 8)),                                                                                 \
        MICRO("squad-1", n, "one work-item an ant; gain: of 4", .micro_squad = 1,                            \
              .with = CASE(MICRO_OF(n), .micro_squad = 4), .gain = 1.4),                                     \
        MICRO("squad-4", n, "4 work-items an ant, as in the thesis", .micro_squad = 4),                      \
        MICRO("global", n, "matrices in global memory; gain: of a square matrix in local memory",            \
              .memory = SHOAL_TSP_MEMORY_GLOBAL,                                                             \
              .with = CASE(MICRO_OF(n), .memory = SHOAL_TSP_MEMORY_LOCAL), .gain = 1.6),                     \
        MICRO("local", n, "square matrix in local memory; gain: of rows turned against each other",          \
              .memory = SHOAL_TSP_MEMORY_LOCAL,                                                              \
              .with = CASE(MICRO_OF(n), .memory = SHOAL_TSP_MEMORY_SKEWED)),                                 \
        MICRO("skewed", n, "its rows turned against each other", .memory = SHOAL_TSP_MEMORY_SKEWED),         \
        MICRO("triangle", n, "each pair once in local memory", .memory = SHOAL_TSP_MEMORY_TRIANGLE),         \
        MICRO("one-by-one", n, "a launch for each piece; gain: of one for all", .one_by_one = true,          \
              .with = CASE(MICRO_OF(n)), .gain = at_once),                                                   \
        MICRO("late", n, "tours turned at the end of a cycle; gain: of at once",                             \
              .rewinding = SHOAL_TSP_REWIND_LATE, .with = CASE(MICRO_OF(n))),                                \
        PIECE(n, 48), PIECE(n, 192), PIECE(n, 256)

static const struct bench_case cases[] = {
    {.name = "tsp.thesis.u9152",
     .help = "both levels of the thesis, 9152 uniform cities, defaults",
     .unit = "s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .device = &thesis_tsp_ops,
     .host = &thesis_tsp_ops,
     .large = true,
     .data = CASE(.problem = "uniform:9152:9152")},
    UNIFORM(500, 0, 4, 0),
    AT_HAND(pcb442, 4),
    AT_HAND(pr1002, 12.3),
    UNIFORM(1400, 0, 12.3, 3),
    AT_HAND(pr2392, 12.3),
    UNIFORM(3000, 1, 12.3, 3),
    AT_HAND(pcb3038, 14),
    AT_HAND(fnl4461, 14),
    UNIFORM(9152, 1, 17.1, 0),
    TECHNIQUES(1400, 8.6),
    TECHNIQUES(9152, 12.5),
};

const struct bench_case_list bench_thesis_tsp_level_cases = {cases, sizeof cases / sizeof *cases};
