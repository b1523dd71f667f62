/* Direct searches, as a program that embeds shoal runs them: many independent simplices, and many pattern
 * searches. The first step is not timed, since drivers may still compile in it. A simplex that has come to
 * its end begins anew, so that each step makes the same number of evaluations. */
#include "bench/search/searches.h"

enum { FIRST_STEP = 1, LAST_STEP = 20001, DIM = 10 };

/* Four for each one that stays at a time on an H100, on each of whose 132 multiprocessors sixteen stay. */
enum { RUNS = 8448, FEW_RUNS = 64 };

struct size {
    const char *workload;
    uint64_t runs;
};

static const struct size simplices = {"nelder-mead", RUNS}, few_simplices = {"nelder-mead", FEW_RUNS},
                         patterns = {"pattern", RUNS};

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct bench_length length = {FIRST_STEP, LAST_STEP, 0, 0.5};
    struct bench_searches *searches;
    enum shoal_status status = bench_searches_begin(bench, size->workload, &searches, error);
    if (status != SHOAL_OK)
        return status;
    searches->params.search.objective = shoal_objective_find("rosenbrock");
    searches->params.search.dim = DIM;
    searches->params.search.runs = size->runs;
    return bench_searches_create(bench, &length, error);
}

static const struct bench_ops ops = {create, bench_searches_prepare, bench_searches_run, bench_searches_check,
                                     bench_searches_destroy};

#define ROSENBROCK "Rosenbrock's function in 10 dimensions, for at least half a second"

static const struct bench_case cases[] = {
    {.name = "nelder-mead.runs.rosenbrock10",
     .help = "8448 simplices; " ROSENBROCK,
     .unit = "evaluations/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .data = &simplices,
     .device = &ops},
    {.name = "nelder-mead.cpu.rosenbrock10",
     .help = "64 simplices, for processors; " ROSENBROCK,
     .unit = "evaluations/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .data = &few_simplices,
     .device = &ops,
     .host = &ops},
    {.name = "pattern.runs.rosenbrock10",
     .help = "8448 pattern searches; " ROSENBROCK,
     .unit = "evaluations/s",
     .precision = "fp64",
     .clock = BENCH_WALL_TIME,
     .data = &patterns,
     .device = &ops},
};

const struct bench_case_list bench_direct_cases = {cases, sizeof cases / sizeof *cases};
