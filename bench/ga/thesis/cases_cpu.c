/* The suite thesis-ga on the host: the sequential genetic algorithm that the thesis profiled (tables 4.1 to
 * 4.3: 100000 generations of 128 individuals in 11.9 s by GALib, 9.10 s by its first program, 6.5 s by its
 * last) and its baseline of the whole algorithm (table 6.6: gene iterations a second, of two genes, at the
 * best of populations of 4 to 256). Two ways of selection are compared: for all pairs, and only for the pairs
 * that cross, which the thesis found 0.1 to 2 % slower on its card (cases_runs.c has that): a vector unit
 * selects for all and takes back what is not wanted. */
#include "bench/ga/thesis/host.h"

#define PROFILE(n_case, text, seconds, ...)                                                                  \
    {                                                                                                        \
        .name = "thesis-ga.profile." n_case,                                                                 \
        .help = "generations of 128 individuals on Griewank's function in 2 dimensions, " text,              \
        .unit = "evaluations/s", .precision = "fp32", .clock = BENCH_WALL_TIME,                              \
        .published = 128 * 100000 / (seconds), .published_on = "Core i7 920, 1 core",                        \
        .host = &thesis_ga_host_ops, .all_threads = true, .data = &(const struct thesis_ga_case)             \
        {                                                                                                    \
            .function = THESIS_GRIEWANK, .population = 128, .islands = 1, .crossover_rate = 0.9,             \
            .mutation_rate = 0.01, .single_point = true, __VA_ARGS__                                         \
        }                                                                                                    \
    }

#define CPU(f, id, n_islands, suffix, text, mega, ...)                                                       \
    {                                                                                                        \
        .name = "thesis-ga.cpu." f "-" #n_islands "x128" suffix,                                             \
        .help = "generations of islands of 128 without migration, " text, .unit = "evaluations/s",           \
        .precision = "fp32", .clock = BENCH_WALL_TIME, .published = (mega)*1e6 / THESIS_GA_DIM,              \
        .published_on = "Core i7 920, 1 core", .host = &thesis_ga_host_ops, .all_threads = (n_islands) == 1, \
        .data = &(const struct thesis_ga_case)                                                               \
        {                                                                                                    \
            .function = THESIS_##id, .population = 128, .islands = n_islands, .crossover_rate = 0.7,         \
            .mutation_rate = 0.05, __VA_ARGS__                                                               \
        }                                                                                                    \
    }
#define BASELINES(f, id, mega)                                                                               \
    CPU(f, id, 1, "-scalar", "scalar code", mega, .scalar = true),                                           \
        CPU(f, id, 1, "", "vector code", mega, .scalar = false),                                             \
        CPU(f, id, 64, "-scalar", "scalar code", mega, .scalar = true),                                      \
        CPU(f, id, 64, "", "vector code", mega, .scalar = false)

/* Rates and function are those of the thesis's measurement of migration, because the thesis states them
 * there. */
#define SELECTION(n_case, text, ...)                                                                         \
    {                                                                                                        \
        .name = "thesis-ga.selection." n_case, .help = "generations of 128 individuals, selection " text,    \
        .unit = "evaluations/s", .precision = "fp32", .clock = BENCH_WALL_TIME, .host = &thesis_ga_host_ops, \
        .all_threads = true, .data = &(const struct thesis_ga_case)                                          \
        {                                                                                                    \
            .function = THESIS_ROSENBROCK, .population = 128, .islands = 1, .crossover_rate = 0.7,           \
            .mutation_rate = 0.05, __VA_ARGS__                                                               \
        }                                                                                                    \
    }
#define SELECTIONS(suffix, text, is_scalar)                                                                  \
    SELECTION("all-pairs" suffix, "for all pairs, " text, .scalar = is_scalar),                              \
        SELECTION("crossing-pairs" suffix, "for pairs that cross, " text, .scalar = is_scalar,               \
                  .conditional = true)

static const struct bench_case cases[] = {
    PROFILE("roulette", "roulette; published: the first program", 9.10, .roulette = true, .scalar = true),
    PROFILE("tournament", "tournament; published: the last program", 6.5, .scalar = true),
    PROFILE("roulette-vector", "roulette, vector code", 9.10, .roulette = true),
    PROFILE("tournament-vector", "tournament, vector code", 6.5, .roulette = false),
    SELECTIONS("-scalar", "scalar code", true),
    SELECTIONS("", "vector code", false),
    BASELINES("rosenbrock", ROSENBROCK, 5.9),
    BASELINES("michalewicz", MICHALEWICZ, 3.3),
    BASELINES("griewank", GRIEWANK, 4.0),
    BASELINES("griewank-100", GRIEWANK_100, 4.0),
};

const struct bench_case_list bench_thesis_ga_cpu_cases = {cases, sizeof cases / sizeof *cases};
