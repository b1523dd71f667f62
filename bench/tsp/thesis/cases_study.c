/* The suite thesis-tsp: how much longer than the optimum tours are. Of each problem at hand with the
 * defaults, after each level; and the mean over all of them by numbers of cycles (figure 8.8, 24 settings: of
 * the macro level, the micro level, both), by exponents (63 settings; the thesis names no grid), and, which
 * it has not, by evaporation and by pieces. Its own curves are lost, and which 54 problems they are of.
 *
 * The problems: those of straight distances at hand up to 9152 cities, and one of each of the generated
 * families whose optimum is known.
 */
#include "bench/tsp/thesis/runs.h"

static const char *const problems[] = {
    "E1k.0",      "C1k.0",      "eil51.tsp",   "berlin52.tsp", "eil76.tsp",  "pr76.tsp",   "kroA100.tsp",
    "ch130.tsp",  "ch150.tsp",  "a280.tsp",    "lin318.tsp",   "pcb442.tsp", "rat783.tsp", "dsj1000.tsp",
    "pr1002.tsp", "pr2392.tsp", "pcb3038.tsp", "fnl4461.tsp",  NULL,
};

#define RUN(case_name, text, ...)                                                                            \
    {                                                                                                        \
        .name = "thesis-tsp." case_name, .help = "both levels, " text, .unit = "s", .precision = "fp32",     \
        .clock = BENCH_WALL_TIME, .device = &thesis_tsp_ops, .host = &thesis_tsp_ops, .large = true,         \
        .all_threads = true, .data = &(const struct thesis_tsp_case)                                         \
        {                                                                                                    \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define STUDY(id, text, ...)                                                                                 \
    RUN("study." id, "all problems at hand, " text, .problems = problems, __VA_ARGS__)
#define CYCLES(n)                                                                                            \
    STUDY("macro-cycles-" #n, #n " macro cycles", .macro_cycles = n),                                        \
        STUDY("micro-cycles-" #n, #n " micro cycles", .micro_cycles = n),                                    \
        STUDY("cycles-" #n, #n " cycles of both", .macro_cycles = n, .micro_cycles = n)
#define EXPONENTS(a, b) STUDY("alpha-" #a "-beta-" #b, "alpha " #a ", beta " #b, .alpha = a, .beta = b)
#define BETAS(a)                                                                                             \
    EXPONENTS(a, 0.5), EXPONENTS(a, 1), EXPONENTS(a, 1.5), EXPONENTS(a, 2), EXPONENTS(a, 2.5),               \
        EXPONENTS(a, 3), EXPONENTS(a, 4), EXPONENTS(a, 5), EXPONENTS(a, 8)
#define RHO(r)        STUDY("rho-" #r, "rho " #r, .rho = r)
#define PIECE(cities) STUDY("piece-" #cities, "pieces of " #cities, .piece = cities)
#define WHOLE(name)   RUN("whole." #name, #name, .problem = #name ".tsp")

static const struct bench_case cases[] = {
    RUN("whole.E1k.0", "E1k.0", .problem = "E1k.0"),
    RUN("whole.C1k.0", "C1k.0", .problem = "C1k.0"),
    WHOLE(eil51),
    WHOLE(berlin52),
    WHOLE(eil76),
    WHOLE(pr76),
    WHOLE(kroA100),
    WHOLE(ch130),
    WHOLE(ch150),
    WHOLE(a280),
    WHOLE(lin318),
    WHOLE(pcb442),
    WHOLE(rat783),
    WHOLE(dsj1000),
    WHOLE(pr1002),
    WHOLE(pr2392),
    WHOLE(pcb3038),
    WHOLE(fnl4461),
    CYCLES(1),
    CYCLES(5),
    CYCLES(10),
    CYCLES(15),
    CYCLES(20),
    CYCLES(25),
    CYCLES(30),
    CYCLES(35),
    BETAS(0.25),
    BETAS(0.5),
    BETAS(1),
    BETAS(1.5),
    BETAS(2),
    BETAS(3),
    BETAS(5),
    RHO(0.01),
    RHO(0.05),
    RHO(0.2),
    RHO(0.5),
    RHO(0.9),
    PIECE(32),
    PIECE(48),
    PIECE(64),
    PIECE(128),
    PIECE(192),
    PIECE(256),
};

const struct bench_case_list bench_thesis_tsp_study_cases = {cases, sizeof cases / sizeof *cases};
