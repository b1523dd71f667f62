/* Focused ants over lists of nearest cities: tours constructed, improved and compared in a second, the new
 * source and its pheromone counted in. A repetition continues the run, so that all but the first few are of
 * sources near to their end: early ones take more moves. An ant waits for one memory access after the other
 * and no rate is its roof; that of E100k is of the bytes that a new source and its pheromone take, the rest
 * of a step. */
#include "bench/tsp/continued.h"
#include "bench/tsp/tsplib.h"

#include <math.h>

struct faco_case {
    const char *generate; /* NULL: the problem is pr1002.tsp of the folder $SHOAL_TSPLIB */
    uint64_t first;       /* number of steps before the first repetition */
    uint64_t steps;       /* number of steps of a repetition */
    uint64_t colonies;
    bool merge;
    bool is_by_items; /* a work-item makes an ant, on GPUs, too */
};

/* Bytes that a step reads and writes: 16 candidates with numbers of 4 bytes for city, desire and weight, and
 * of 2 bytes for pheromone, twice; the data of an ant at a position, and coordinates; the tour and its
 * positions. */
static const double city_bytes = 16 * (3 * 4 + 2 * 2) + 16 + 8 + 2 * 8 + 4 * 4;

static enum shoal_status create_onward(struct bench *bench, struct shoal_tsp_params *params,
                                       struct shoal_error *error)
{
    const struct faco_case *own = bench->data;
    return bench_continued_create(bench, params, own->first, own->steps, error);
}

/* Groups have one work-item, as if tuned so. */
static enum shoal_status create_by_items(struct bench *bench, struct shoal_tsp_params *params,
                                         struct shoal_error *error)
{
    const int64_t one = 1;
    enum shoal_status status = shoal_tuning_try(bench->device, "tsp.faco-ants", "WG", &one, error);
    if (status == SHOAL_OK)
        status = create_onward(bench, params, error);
    const enum shoal_status later = shoal_tuning_try(bench->device, "tsp.faco-ants", "WG", NULL,
                                                     status ? &(struct shoal_error){0} : error);
    return status ? status : later;
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct faco_case *own = bench->data;
    struct shoal_tsp_params params;
    char path[4096];
    shoal_tsp_params_init(&params);
    params.algorithm = SHOAL_TSP_FACO;
    params.generate = own->generate;
    enum shoal_status status = SHOAL_OK;
    if (!own->generate) {
        status = bench_tsplib("pr1002", path, sizeof path, error);
        params.data = path;
    }
    if (status != SHOAL_OK)
        return status;
    params.colonies = own->colonies;
    params.faco.merge = own->merge;
    status = own->is_by_items ? create_by_items(bench, &params, error) : create_onward(bench, &params, error);
    if (status != SHOAL_OK)
        return status;
    const struct continued_run *continued = bench->state;
    const struct shoal_tsp_info *info = shoal_tsp_get_info(shoal_tsp_problem_of(continued->solver));
    const double ants = 64 * ceil(4 * sqrt(info->cities) / 64); /* the default of docs/tsp.md */
    bench->parts = (double)own->steps;
    bench->work = ants * (double)(own->steps * own->colonies);
    bench->roof_work = info->cities * city_bytes * (double)(own->steps * own->colonies);
    return SHOAL_OK;
}

static const struct bench_ops ops = {create, bench_continued_prepare, bench_continued_run,
                                     bench_continued_check, bench_continued_destroy};

static const struct faco_case e1k = {"E1k.0", 20, 20, 1}, e10k = {"E10k.0", 5, 5, 1},
                              e100k = {"E100k.0", 100, 100, 1}, colonies = {"E1k.0", 20, 20, 32},
                              merge = {"E10k.0", 5, 5, 1, true}, pr1002 = {NULL, 20, 100, 1},
                              items = {"E100k.0", 100, 100, 1, false, true};

static const struct bench_case cases[] = {
    {.name = "tsp.faco.E1k.0",
     .help = "128 focused ants on 1,000 cities, 20 steps",
     .unit = "tours/s",
     .precision = "u32",
     .clock = BENCH_WALL_TIME,
     .program = "tsp.faco-ants",
     .device = &ops,
     .host = &ops,
     .data = &e1k},
    {.name = "tsp.faco.E10k.0",
     .help = "448 focused ants on 10,000 cities, 5 steps",
     .unit = "tours/s",
     .precision = "u32",
     .clock = BENCH_WALL_TIME,
     .device = &ops,
     .host = &ops,
     .data = &e10k},
    {.name = "tsp.faco.E100k.0",
     .help = "1,280 focused ants on 100,000 cities, 100 steps",
     .unit = "tours/s",
     .precision = "u32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .device = &ops,
     .host = &ops,
     .data = &e100k,
     .large = true},
    {.name = "tsp.faco.item-E100k.0",
     .help = "the same, each ant by one work-item, on GPUs too",
     .unit = "tours/s",
     .precision = "u32",
     .roof = SHOAL_ROOF_COPY_BYTES,
     .clock = BENCH_WALL_TIME,
     .device = &ops,
     .data = &items,
     .large = true},
    {.name = "tsp.faco.colonies-E1k.0",
     .help = "32 colonies of 128 focused ants on 1,000 cities, 20 steps",
     .unit = "tours/s",
     .precision = "u32",
     .clock = BENCH_WALL_TIME,
     .device = &ops,
     .host = &ops,
     .data = &colonies},
    {.name = "tsp.faco.merge-E10k.0",
     .help = "448 focused ants on 10,000 cities, all that fit are taken, 5 steps",
     .unit = "tours/s",
     .precision = "u32",
     .clock = BENCH_WALL_TIME,
     .program = "tsp.faco-merge",
     .device = &ops,
     .host = &ops,
     .data = &merge},
    {.name = "tsp.cpu.faco-pr1002",
     .help = "128 focused ants on pr1002 of TSPLIB, 100 steps",
     .unit = "tours/s",
     .precision = "u32",
     .clock = BENCH_WALL_TIME,
     .device = &ops,
     .host = &ops,
     .data = &pr1002},
};

const struct bench_case_list bench_tsp_faco_cases = {cases, sizeof cases / sizeof *cases};
