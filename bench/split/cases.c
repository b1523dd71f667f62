/* Runs that are divided over devices: how much faster they are than on one device. */
#include "bench/split/split.h"

#include <shoal/data.h>
#include <shoal/ga.h>
#include <shoal/mlp.h>
#include <shoal/pso.h>
#include <shoal/tsp.h>
#include <stdlib.h>
#include <string.h>

/* The default function is Rastrigin. Runs and islands of a device: many groups for each compute unit of a
 * large GPU, so that the last ones cost little. Islands exchange in a ring; there are so many that the steps
 * between two exchanges take some milliseconds, many times as long as the devices wait for each other. */
enum { RUNS = 4096, ISLANDS = 32768, EXCHANGE = 100, NETS = 4, COLONIES = 32, PIECES = 128 };

static void set_runs(struct shoal_search_params *search, size_t devices, uint64_t steps)
{
    search->dim = 30;
    search->runs = RUNS * devices;
    search->iterations = steps;
    search->trace = 0;
    search->refine = SHOAL_REFINE_NONE; /* on the host, at the end of each run */
}

static void set_islands(struct shoal_search_params *search, size_t devices, uint64_t steps)
{
    search->dim = 30;
    search->islands = ISLANDS * devices;
    search->exchange = EXCHANGE;
    search->iterations = steps;
    search->trace = 0;
    search->refine = SHOAL_REFINE_NONE; /* on the host, at the end of each run */
}

static void set_pso(void *params, size_t devices, uint64_t steps)
{
    struct shoal_pso_params *pso = params;
    set_runs(&pso->search, devices, steps);
    pso->particles = 64;
}

static void set_ga(void *params, size_t devices, uint64_t steps)
{
    struct shoal_ga_params *ga = params;
    set_runs(&ga->search, devices, steps);
    ga->population = 64;
}

static void set_swarms(void *params, size_t devices, uint64_t steps)
{
    struct shoal_pso_params *pso = params;
    set_islands(&pso->search, devices, steps);
    pso->particles = 64;
}

static void set_populations(void *params, size_t devices, uint64_t steps)
{
    struct shoal_ga_params *ga = params;
    set_islands(&ga->search, devices, steps);
    ga->population = 64;
}

/* The same run on any number of devices, which share the rows of its objective. */
static void set_rows(void *params, size_t devices, uint64_t steps)
{
    struct shoal_pso_params *pso = params;
    (void)devices;
    pso->search.precision = SHOAL_FP64;
    pso->search.lower = -10;
    pso->search.upper = 10;
    pso->search.iterations = steps;
    pso->search.trace = 0;
    pso->particles = 64;
}

/* The same swarm on any number of devices, which share its particles. */
static void set_particles(void *params, size_t devices, uint64_t steps)
{
    struct shoal_pso_params *pso = params;
    (void)devices;
    pso->search.dim = 30;
    pso->search.iterations = steps;
    pso->search.trace = 0;
    pso->particles = 1 << 20;
    pso->update = SHOAL_PSO_INERTIA;
    pso->topology = SHOAL_PSO_GLOBAL;
}

/* Least squares over as many rows as the thesis has for f10, or `times` as many. */
static enum shoal_status make_rows(size_t times, struct shoal_objective **out, struct shoal_error *error)
{
    enum { DIM = 4, ROWS = 6980011 };
    const struct shoal_least_squares_params params =
        SHOAL_LEAST_SQUARES_PARAMS(.dim = DIM, .rows = times * ROWS, .noise = 1);
    struct shoal_table *table = NULL;
    *out = NULL;
    enum shoal_status status = shoal_table_least_squares(&params, &table, error);
    if (status != SHOAL_OK)
        return status;
    double *values = malloc(params.rows * (DIM + 1) * sizeof *values);
    status = values ? shoal_table_read(table, 0, params.rows, values, error)
                    : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu rows", params.rows);
    const struct shoal_rows rows =
        SHOAL_ROWS(.values = values, .rows = params.rows, .columns = DIM + 1, .name = "f10");
    if (status == SHOAL_OK)
        status = shoal_objective_from_rows(NULL, &rows, out, error);
    free(values);
    shoal_table_destroy(&table);
    return status;
}

static enum shoal_status make_f10(struct shoal_objective **out, struct shoal_error *error)
{
    return make_rows(1, out, error);
}

static enum shoal_status make_ten_f10(struct shoal_objective **out, struct shoal_error *error)
{
    return make_rows(10, out, error);
}

static void set_nets(void *params, size_t devices, uint64_t steps)
{
    struct shoal_mlp_params *mlp = params;
    mlp->generate = "teacher:20000";
    mlp->hidden = "256,256";
    mlp->batch = 1000;
    mlp->nets = NETS * devices;
    mlp->epochs = steps;
    mlp->trace = 0;
}

/* The same net on any number of devices: 10 million parameters, and epochs of 8 batches of 8192 rows, about
 * as many rows as a set of digits of 28 x 28 pixels has. */
static void set_net(struct shoal_mlp_params *mlp, uint64_t shards, uint64_t steps)
{
    mlp->generate = "random:65536 inputs=784 classes=10";
    mlp->hidden = "2048,2048,2048";
    mlp->validation = mlp->test = 0;
    mlp->batch = 8192;
    mlp->shards = shards;
    mlp->epochs = steps;
    mlp->trace = 0;
}

static void set_shard_each(void *params, size_t devices, uint64_t steps)
{
    set_net(params, devices, steps);
}

static void set_shards(void *params, size_t devices, uint64_t steps)
{
    enum { SHARDS = 8 };
    (void)devices;
    set_net(params, SHARDS, steps);
}

static void set_colonies(void *params, size_t devices, uint64_t steps)
{
    struct shoal_tsp_params *tsp = params;
    tsp->generate = "E10k.0";
    tsp->lists = SHOAL_TSP_LISTS_NEAREST; /* stated, so that no default changes the figures */
    tsp->colonies = COLONIES * devices;
    tsp->exchange = EXCHANGE;
    tsp->iterations = steps;
}

/* The same tour on any number of devices. */
static struct shoal_tsp_params *set_tour(void *params, uint64_t steps)
{
    struct shoal_tsp_params *tsp = params;
    tsp->generate = "E1M.0";
    tsp->lists = SHOAL_TSP_LISTS_NEAREST;
    tsp->iterations = steps;
    return tsp;
}

/* The devices share its pieces. */
static void set_pieces(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_tour(params, steps)->pieces = PIECES;
}

/* The devices share its cells. */
static void set_cells(void *params, size_t devices, uint64_t steps)
{
    struct shoal_tsp_params *tsp = set_tour(params, steps);
    (void)devices;
    tsp->algorithm = SHOAL_TSP_LK;
    tsp->cell = 512;
}

SPLIT_CASE(measure_pso_runs, "pso", set_pso)
SPLIT_CASE(measure_ga_runs, "ga", set_ga)
SPLIT_CASE(measure_pso_islands, "pso", set_swarms)
SPLIT_CASE(measure_ga_islands, "ga", set_populations)
SPLIT_CASE(measure_colonies, "tsp", set_colonies)
SPLIT_CASE(measure_pieces, "tsp", set_pieces)
SPLIT_CASE(measure_cells, "tsp", set_cells)
SPLIT_CASE(measure_f10, "pso", set_rows, make_f10)
SPLIT_CASE(measure_ten_f10, "pso", set_rows, make_ten_f10)
SPLIT_CASE(measure_global, "pso", set_particles)
SPLIT_CASE(measure_mlp_runs, "mlp", set_nets)
SPLIT_CASE(measure_net, "mlp", set_shard_each)
SPLIT_CASE(measure_net_of_shards, "mlp", set_shards)

static const struct bench_case cases[] = {
    {.name = "pso.split.runs",
     .help =
         "4096 runs a device of 64 particles, Rastrigin in 30 dimensions, over all devices of a kind: the "
         "rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_pso_runs},
    {.name = "ga.split.runs",
     .help = "4096 runs a device of 64 individuals, Rastrigin in 30 dimensions, over all devices of a kind: "
             "the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_ga_runs},
    {.name = "pso.split.islands-rastrigin30",
     .help =
         "32768 swarms a device of 64 particles, Rastrigin in 30 dimensions, exchange in a ring every 100 "
         "steps, over all devices of a kind: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_pso_islands},
    {.name = "ga.split.islands",
     .help = "32768 islands a device of 64 individuals, Rastrigin in 30 dimensions, exchange in a ring every "
             "100 steps, over all devices of a kind: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_ga_islands},
    {.name = "pso.split.f10-64",
     .help = "64 particles, least squares over 6980011 rows of 4 + 1 numbers, which all devices of a kind "
             "share: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp64",
     .large = true,
     .measure = measure_f10},
    {.name = "pso.split.f10x10-64",
     .help = "the same with ten times as many rows",
     .unit = "ratio",
     .precision = "fp64",
     .large = true,
     .measure = measure_ten_f10},
    {.name = "pso.split.global-1m",
     .help = "1048576 particles of one swarm, Rastrigin in 30 dimensions, which all devices of a kind share: "
             "the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_global},
    {.name = "tsp.split.colonies",
     .help = "32 colonies a device of 448 focused ants on 10,000 cities, exchange in a ring every 100 steps, "
             "over all devices of a kind: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "u32",
     .large = true,
     .measure = measure_colonies},
    {.name = "tsp.split.pieces-E1M.0",
     .help = "8192 focused ants on 128 pieces of a tour of 1,000,000 cities, which all devices of a kind "
             "share: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "u32",
     .large = true,
     .measure = measure_pieces},
    {.name = "tsp.split.lk-E1M.0",
     .help = "Lin-Kernighan search in the 1954 cells of a tour of 1,000,000 cities, which all devices of a "
             "kind share: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "u32",
     .large = true,
     .measure = measure_cells},
    {.name = "tsp.split-tours.E1M.0",
     .help = "1,000,000 cities, 15 s of Lin-Kernighan search: the length of the tour of one device beside "
             "that of the tour whose cells all devices of a kind share; seeds 1 to 5, which take minutes",
     .unit = "ratio",
     .precision = "u32",
     .large = true,
     .measure = split_measure_tours},
    {.name = "mlp.split.runs",
     .help = "4 nets a device, 64-256-256-26, batches of 1000 of 20000 rows, over all devices of a kind: the "
             "rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_mlp_runs},
    {.name = "mlp.split.784-2048x3-10-b8192",
     .help = "one net, batches of 8192 rows, a shard for each device, which all devices of a kind share: the "
             "rate beside that of the fastest device alone, whose batches have one shard",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_net},
    {.name = "mlp.split.784-2048x3-10-b8192-s8",
     .help = "the same with 8 shards on any number of devices, which have equal bits",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_net_of_shards},
};

const struct bench_case_list bench_split_cases = {cases, sizeof cases / sizeof *cases};

const struct bench_case_list *const bench_split_lists[] = {
    &bench_split_cases,
    &bench_split_gas_cases,
    NULL,
};
