/* Islands that stay on the chip, with Rastrigin's function in 30 dimensions and 16-bit random numbers, as a
 * program that embeds shoal runs them. The first step is not timed, since drivers may still compile in it.
 *
 * The roof is that of issued instructions. The machine code of pso/methods/onchip.cl for sm_90 has
 * `instructions` instructions for a coordinate and step: random numbers, move, bounds, terms and bests
 * together. A multiprocessor issues as many instructions of any kind as fused multiplications and additions,
 * each of which counts twice in the measured rate of fp32. */
#include "bench/search/rastrigin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STEP = 1, LAST_STEP = 3001, DIM = 30, EXCHANGE = 100 };

/* There are eight islands for each one that stays on an H200 at a time; on each of its 132 multiprocessors
 * six stay. */
enum { ISLANDS = 6336, PARTICLES = 64 };

struct size {
    const char *text;
    uint64_t particles, swarms, last;
    double instructions; /* 0: there is no roof, and the case waits for the search itself */
};

static const struct size native_cosine = {BENCH_RASTRIGIN("native_cos(R(6.2831853) * x)"), PARTICLES, ISLANDS,
                                          LAST_STEP, 42},
                         exact_cosine = {BENCH_RASTRIGIN("cos2pi(x)"), PARTICLES, ISLANDS, LAST_STEP, 49},
                         one_swarm = {BENCH_RASTRIGIN("cos2pi(x)"), 40, 1, 1 << 20, 0};

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const struct bench_length length = {FIRST_STEP, size->last, 0, 0.5};
    struct bench_searches *swarm;
    enum shoal_status status = bench_searches_begin(bench, "pso", &swarm, error);
    if (status == SHOAL_OK)
        status =
            shoal_objective_from_text(bench->shoal, size->text, "rastrigin.cl", &swarm->objective, error);
    if (status != SHOAL_OK)
        return status;
    swarm->params.search.objective = swarm->objective;
    swarm->params.search.dim = DIM;
    swarm->params.search.lower = -5.12;
    swarm->params.search.upper = 5.12;
    swarm->params.pso.particles = size->particles;
    swarm->params.search.islands = size->swarms;
    swarm->params.search.exchange = size->swarms > 1 ? EXCHANGE : 0;
    swarm->params.pso.random = SHOAL_PSO_PHILOX16;
    swarm->params.pso.method = SHOAL_PSO_ONCHIP;
    status = bench_searches_create(bench, &length, error);
    if (size->instructions > 0)
        bench->roof_work = 2 * size->instructions * DIM * bench->work;
    else
        bench->work = bench->parts; /* in iterations */
    return status;
}

static const struct bench_ops ops = {create, bench_searches_prepare, bench_searches_run,
                                     bench_rastrigin_check, bench_searches_destroy};

static const struct bench_case cases[] = {
    {.name = "pso.islands.rastrigin30",
     .help = "3000 steps of 6336 islands of 64 particles in 30 dimensions, 16-bit random numbers, exchange "
             "every 100 "
             "steps, x * x - 10 * native_cos(2 pi x) + 10 from a text, for at least half a second",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .program = "pso.onchip",
     .data = &native_cosine,
     .device = &ops},
    {.name = "pso.islands.rastrigin30-cos2pi",
     .help = "the same with cos2pi(x), within 2 ulp",
     .unit = "evaluations/s",
     .precision = "fp32",
     .roof = SHOAL_ROOF_FP32_FLOPS,
     .clock = BENCH_WALL_TIME,
     .data = &exact_cosine,
     .device = &ops},
    {.name = "pso.onchip.40x30",
     .help = "one swarm of 40 particles in 30 dimensions, global best, x * x - 10 * cos2pi(x) + 10 from a "
             "text, for at "
             "least half a second",
     .unit = "iterations/s",
     .precision = "fp32",
     .clock = BENCH_WALL_TIME,
     .data = &one_swarm,
     .device = &ops,
     .host = &ops},
};

const struct bench_case_list bench_island_cases = {cases, sizeof cases / sizeof *cases};
