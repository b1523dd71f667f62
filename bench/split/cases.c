/* Runs that are divided over devices: how much faster they are than on one device. */
#include "bench/split/split.h"

#include <shoal/ga.h>
#include <shoal/mlp.h>
#include <shoal/pso.h>

/* The default function is Rastrigin. Runs and islands of a device: many groups for each compute unit of a
 * large GPU, so that the last ones cost little. Islands exchange in a ring; there are so many that the steps
 * between two exchanges take some milliseconds, many times as long as the devices wait for each other. */
enum { RUNS = 4096, ISLANDS = 32768, EXCHANGE = 100, NETS = 4 };

static void set_runs(struct shoal_search_params *search, size_t devices, uint64_t steps)
{
    search->dim = 30;
    search->runs = RUNS * devices;
    search->iterations = steps;
    search->trace = 0;
}

static void set_islands(struct shoal_search_params *search, size_t devices, uint64_t steps)
{
    search->dim = 30;
    search->islands = ISLANDS * devices;
    search->exchange = EXCHANGE;
    search->iterations = steps;
    search->trace = 0;
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

#define SPLIT_CASE(function, workload, set)                                                                  \
    static enum shoal_status function(struct bench *bench, struct bench_sink *sink,                          \
                                      struct shoal_error *error)                                             \
    {                                                                                                        \
        static const struct split_bench split = {workload, set};                                             \
        return split_measure(bench, sink, &split, error);                                                    \
    }

SPLIT_CASE(measure_pso_runs, "pso", set_pso)
SPLIT_CASE(measure_ga_runs, "ga", set_ga)
SPLIT_CASE(measure_pso_islands, "pso", set_swarms)
SPLIT_CASE(measure_ga_islands, "ga", set_populations)
SPLIT_CASE(measure_mlp_runs, "mlp", set_nets)

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
    {.name = "mlp.split.runs",
     .help = "4 nets a device, 64-256-256-26, batches of 1000 of 20000 rows, over all devices of a kind: the "
             "rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_mlp_runs},
};

static const struct bench_case_list list = {cases, sizeof cases / sizeof *cases};

extern const struct bench_case_list *const bench_split_lists[];
const struct bench_case_list *const bench_split_lists[] = {&list, NULL};
