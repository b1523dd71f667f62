/* Genetic algorithms on Rastrigin's function in 30 dimensions (tournament of two, bounded SBX of eta 15 in 9
 * of 10 pairs, polynomial mutation of eta 20 of one gene in 30, one elite) and the genetic algorithm of the
 * thesis on Rosenbrock's function in two dimensions, as a program that embeds shoal runs them.
 *
 * The roof of islands on the chip is that of issued instructions. ga/methods/onchip.cu issues
 * `instructions` instructions for a child on an H200 (ncu, generations 400 to 500; code for sm_90): random
 * numbers, selection, crossover, mutation, terms. A multiprocessor issues as many instructions of any kind as
 * fused multiplications and additions, each of which counts twice in the measured rate of fp32. For
 * populations in memory the roof counts bytes: two parents are read for two children; each child is written,
 * and read again for its evaluation. */
#include "bench/ga/thesis/search.h"
#include "bench/search/rastrigin.h"

#include <shoal/theses.h>
#include <stdlib.h>

enum { FIRST_STEP = 1, DIM = 30, EXCHANGE = 100 };

struct size {
    uint64_t population, islands, exchange, last;
    int32_t method;      /* of enum shoal_ga_method */
    int32_t selection;   /* of enum shoal_ga_selection */
    uint64_t elites;     /* 0: the number of the defaults */
    double instructions; /* 0: another roof or none */
    bool is_thesis;
    struct shoal_ga_thesis *thesis; /* random numbers and exchange of the thesis; NULL: those of shoal */
    /* the case waits for the search itself: its work is counted in steps, not in evaluations */
    bool counts_steps;
};

/* On GPUs the objective is a text with the device's own cosine, on CPUs a text that calls no function; on the
 * host it is the built-in function. */
static enum shoal_status set_rastrigin(struct bench *bench, struct bench_searches *searches,
                                       struct shoal_error *error)
{
    static const char gpu_text[] = BENCH_RASTRIGIN("native_cos(R(6.2831853) * x)"),
                      cpu_text[] = BENCH_RASTRIGIN("cos2pi(x)");
    enum shoal_status status = SHOAL_OK;
    if (bench->queue) {
        const char *text = shoal_device_get_info(bench->device)->is_cpu ? cpu_text : gpu_text;
        status = shoal_objective_from_text(bench->shoal, text, "rastrigin.cl", &searches->objective, error);
    }
    searches->params.search.objective =
        searches->objective ? searches->objective : shoal_objective_find("rastrigin");
    searches->params.search.dim = DIM;
    searches->params.search.lower = -5.12;
    searches->params.search.upper = 5.12;
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
    if (size->is_thesis) {
        params->search.objective = shoal_objective_find("rosenbrock");
        params->search.dim = THESIS_GA_DIM;
        thesis_ga_set(params);
        params->thesis = size->thesis;
    } else {
        status = set_rastrigin(bench, searches, error);
        if (status != SHOAL_OK)
            return status;
    }
    params->population = size->population;
    params->search.islands = size->islands;
    params->search.exchange = size->exchange;
    params->method = bench->queue ? size->method : SHOAL_GA_AUTO;
    if (size->selection)
        params->selection = size->selection;
    if (size->elites)
        params->elites = size->elites;
    status = bench_searches_create(bench, &length, error);
    if (size->instructions > 0)
        bench->roof_work = 2 * size->instructions * bench->work;
    else if (size->counts_steps)
        bench->work = bench->parts;
    return status;
}

static const struct bench_ops rastrigin = {create, bench_searches_prepare, bench_searches_run,
                                           bench_rastrigin_check, bench_searches_destroy},
                              thesis = {create, bench_searches_prepare, bench_searches_run,
                                        bench_searches_check, bench_searches_destroy};

/* There are eight islands of 64 pairs on each of the 132 multiprocessors of an H200, and eight times as many
 * islands in two dimensions. */
static const struct size
    islands = {.population = 128,
               .islands = 1056,
               .exchange = EXCHANGE,
               .last = 100001,
               .method = SHOAL_GA_ONCHIP,
               .instructions = 1425},
    elites = {.population = 128,
              .islands = 1056,
              .exchange = EXCHANGE,
              .last = 100001,
              .method = SHOAL_GA_ONCHIP,
              .elites = 8},
    ranks = {.population = 128,
             .islands = 1056,
             .exchange = EXCHANGE,
             .last = 100001,
             .method = SHOAL_GA_ONCHIP,
             .selection = SHOAL_GA_LINEAR_RANK},
    one = {.population = 128, .islands = 1, .last = 1 << 20, .method = SHOAL_GA_ONCHIP, .counts_steps = true},
    global = {.population = 1 << 20, .islands = 1, .last = 601, .method = SHOAL_GA_FUSED},
    rosenbrock = {.population = 128,
                  .islands = 8448,
                  .last = 100001,
                  .method = SHOAL_GA_ONCHIP,
                  .instructions = THESIS_GA_INSTRUCTIONS,
                  .is_thesis = true},
    cpu_rastrigin = {.population = 1024, .islands = 1, .last = 20001},
    cpu_rosenbrock = {.population = 128, .islands = 64, .last = 100001, .is_thesis = true};

#if SHOAL_THESES
/* These variants of the thesis's kernel show what migration costs. */
static struct shoal_ga_thesis epochs = {.size = sizeof epochs, .random = SHOAL_GA_HYBRIDTAUS},
                              mailbox = {.size = sizeof mailbox,
                                         .random = SHOAL_GA_HYBRIDTAUS,
                                         .migration = SHOAL_GA_MAILBOX};
#define THESIS_OF(islands_, exchange_, thesis_)                                                              \
    {                                                                                                        \
        .population = 128, .islands = islands_, .exchange = exchange_, .last = 100001,                       \
        .method = SHOAL_GA_THESIS, .is_thesis = true, .thesis = &thesis_                                     \
    }
static const struct size few_alone = THESIS_OF(16, 0, epochs), few_idle = THESIS_OF(16, 1000000, mailbox),
                         few_mailbox = THESIS_OF(16, 1, mailbox), many_alone = THESIS_OF(8448, 0, epochs),
                         many_idle = THESIS_OF(8448, 1000000, mailbox),
                         many_mailbox = THESIS_OF(8448, 1, mailbox),
                         many_epochs = THESIS_OF(8448, 10, epochs);
#endif

static const struct bench_case cases[] = {
    {.name = "ga.islands.rastrigin30",
     .help = "generations of 1056 islands of 128 individuals, migration every 100 generations, "
             "x * x - 10 * native_cos(2 pi x) + 10 from a text, for at least half a second",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .program = "ga.onchip",
     .data = &islands,
     .device = &rastrigin},
    {.name = "ga.islands.rastrigin30-elites",
     .help = "the same with 8 elites",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "ga.onchip",
     .data = &elites,
     .device = &rastrigin},
    {.name = "ga.islands.rastrigin30-ranks",
     .help = "the same with selection by linear ranks, for which each generation sorts its members",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .program = "ga.onchip",
     .data = &ranks,
     .device = &rastrigin},
    {.name = "ga.global.rastrigin30-1m",
     .help = "generations of one population of 1048576 in memory, the same operators",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .data = &global,
     .device = &rastrigin},
    {.name = "ga.onchip.128x30",
     .help = "generations of one population of 128, the same operators, for at least half a second",
     .unit = "iterations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &one,
     .device = &rastrigin},
    {.name = "ga.thesis.rosenbrock2",
     .help =
         "generations of 8448 islands of 128 individuals in 2 dimensions without migration: own slot against "
         "a random one, arithmetic crossover of 0.7 of the pairs, one Gaussian gene of 0.05 of the "
         "individuals",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .program = "ga.onchip",
     .data = &rosenbrock,
     .device = &thesis},
#if SHOAL_THESES
    {.name = "ga.thesis.alone-16x128",
     .help = "generations of 16 islands of 128 by the thesis's kernel and random numbers, without migration",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &few_alone,
     .device = &thesis},
    {.name = "ga.thesis.idle-16x128",
     .help = "the same with mailboxes that are never used",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &few_idle,
     .device = &thesis},
    {.name = "ga.thesis.mailbox-16x128",
     .help = "the same with a migrant by mailbox after each generation",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &few_mailbox,
     .device = &thesis},
    {.name = "ga.thesis.alone-8448x128",
     .help =
         "generations of 8448 islands of 128 by the thesis's kernel and random numbers, without migration",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &many_alone,
     .device = &thesis},
    {.name = "ga.thesis.idle-8448x128",
     .help = "the same with mailboxes that are never used",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &many_idle,
     .device = &thesis},
    {.name = "ga.thesis.mailbox-8448x128",
     .help = "the same with a migrant by mailbox after each generation",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &many_mailbox,
     .device = &thesis},
    {.name = "ga.thesis.epochs-8448x128",
     .help = "the same with a migrant after every ten generations, all islands at once",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &many_epochs,
     .device = &thesis},
#endif
    {.name = "ga.cpu.rastrigin30-1024",
     .help = "generations of one population of 1024 by the method that auto takes",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &cpu_rastrigin,
     .device = &rastrigin,
     .host = &rastrigin},
    {.name = "ga.cpu.rosenbrock2",
     .help =
         "generations of 64 islands of 128 individuals as in ga.thesis.rosenbrock2, by the method that auto "
         "takes",
     .unit = "evaluations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &cpu_rosenbrock,
     .device = &thesis,
     .host = &thesis},
};

const struct bench_case_list bench_ga_cases = {cases, sizeof cases / sizeof *cases};
