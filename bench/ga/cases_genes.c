/* Genetic algorithms over bits, orders and genes of several kinds: OneMax of 1024 bits (tournament of two,
 * two points in 9 of 10 pairs, one flip in 1024, one elite), and closed tours of 100 points (OX, swaps of
 * half of the children).
 *
 * The roof of islands on the chip is that of local memory. Each child takes `words` words, which a work-item
 * reads or writes one at a time. A child of bits takes 32 words of a parent, 32 when it is written, and 32
 * when it is evaluated. An order takes 100 words of parent B and their marks, 34 of the segment of parent A,
 * with the marks read and written, 100 when the child is written, and 100 with two coordinates each, which
 * come from the same memory, when it is evaluated. A multiprocessor reads or writes 32 words in the time of
 * 128 fused multiplications and additions, each of which counts twice in the measured rate of fp32. For the
 * population in memory the roof counts bytes, as in ga/cases_ga.c. */
#include "bench/search/searches.h"

#include <math.h>

enum {
    FIRST_STEP = 1,
    BITS = 1024,
    POINTS = 100,
    WORDS_OF_BITS = 3 * BITS / 32,
    WORDS_OF_TOUR = 6 * POINTS + 3 * 34,
    FLOPS_OF_WORD = 8
};

struct size {
    uint64_t islands, population, last;
    int32_t method; /* of enum shoal_ga_method */
    int words;      /* number of words for each child; 0: another roof or none */
    bool is_tour, is_mixed;
};

static enum shoal_status set_tour(struct bench *bench, struct bench_searches *searches,
                                  struct shoal_error *error)
{
    double points[2 * POINTS];
    /* The points are a low-discrepancy sequence, spread over the unit square. */
    for (int i = 0; i < POINTS; i++) {
        points[2 * i] = fmod((i + 1) * 0.7548776662466927, 1);
        points[2 * i + 1] = fmod((i + 1) * 0.5698402909980532, 1);
    }
    searches->params.search.dim = POINTS;
    searches->params.ga.mutation_rate = 0.5;
    enum shoal_status status =
        shoal_objective_from_text_table(bench->shoal, "#include \"objective/genes/tour.clh\"\n", "tour.cl",
                                        points, POINTS, 2, &searches->objective, error);
    searches->params.search.objective = searches->objective;
    return status;
}

static enum shoal_status set_mixed(struct bench_searches *searches, struct shoal_error *error)
{
    enum shoal_status status = shoal_objective_from_expression_variables(
        "sum((x[i] - 0.3)^2)", "x1-x20 real -5 5, y1-y20 integer -5 5, z1-z20 bit", &searches->objective,
        error);
    searches->params.search.objective = searches->objective;
    searches->params.search.dim = 0;
    return status;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct bench_length length = {FIRST_STEP, size->last, 0, 0.5};
    struct bench_searches *searches;
    enum shoal_status status = bench_searches_begin(bench, "ga", &searches, error);
    if (status != SHOAL_OK)
        return status;
    struct shoal_ga_params *params = &searches->params.ga;
    if (size->is_tour || size->is_mixed) {
        status = size->is_tour ? set_tour(bench, searches, error) : set_mixed(searches, error);
        if (status != SHOAL_OK)
            return status;
    } else {
        params->search.objective = shoal_objective_find("onemax");
        params->search.dim = BITS;
    }
    params->population = size->population;
    params->search.islands = size->islands;
    params->method = size->method;
    status = bench_searches_create(bench, &length, error);
    bench->roof_work = (double)FLOPS_OF_WORD * size->words * bench->work;
    return status;
}

static const struct bench_ops searches = {create, bench_searches_prepare, bench_searches_run,
                                          bench_searches_check, bench_searches_destroy};

/* There are twice as many islands as fit into local memory of the 132 multiprocessors of an H200: six on each
 * for bits, seven on each for tours. */
static const struct size
    onemax = {.islands = 1584,
              .population = 128,
              .last = 100001,
              .method = SHOAL_GA_ONCHIP,
              .words = WORDS_OF_BITS},
    onemax_1m = {.islands = 1, .population = 1 << 20, .last = 601, .method = SHOAL_GA_FUSED},
    tour = {.islands = 1848,
            .population = 128,
            .last = 100001,
            .method = SHOAL_GA_ONCHIP,
            .words = WORDS_OF_TOUR,
            .is_tour = true},
    mixed = {.islands = 1056, .population = 128, .last = 100001, .method = SHOAL_GA_ONCHIP, .is_mixed = true};

static const struct bench_case cases[] = {
    {.name = "ga.bits.onemax1024",
     .help = "generations of 1584 islands of 128 individuals of 1024 bits: two-point crossover, flips",
     .unit = "evaluations/s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .program = "ga.genes_onchip",
     .data = &onemax,
     .device = &searches},
    {.name = "ga.bits.onemax1024-1m",
     .help = "generations of one population of 1048576 in memory, the same operators",
     .unit = "evaluations/s",
     .precision = "fp64",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .data = &onemax_1m,
     .device = &searches},
    {.name = "ga.order.tour100",
     .help = "generations of 1848 islands of 128 closed tours of 100 points: OX, swaps",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .program = "ga.genes_onchip",
     .data = &tour,
     .device = &searches},
    {.name = "ga.mixed.sphere60",
     .help =
         "generations of 1056 islands of 128 individuals of 20 reals, 20 integers and 20 bits: bounded SBX "
         "and two-point crossover",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "ga.genes_onchip",
     .data = &mixed,
     .device = &searches},
};

const struct bench_case_list bench_ga_genes_cases = {cases, sizeof cases / sizeof *cases};
