/* Gases that are divided over devices. */
#include "bench/split/split.h"

#include <shoal/gas.h>
#include <shoal/theses.h>
#include <string.h>

/* The same gas on any number of devices, which share its particles: the logarithmic law of the rows
 * gas.allpairs.log-*, in which every pair counts. */
static void set_gas(void *params, uint64_t particles, uint64_t steps)
{
    struct shoal_gas_params *gas = params;
    gas->particles = particles;
    gas->density = 0.4;
    gas->boundary_x = gas->boundary_y = SHOAL_GAS_WALLS;
    gas->potential = SHOAL_GAS_LOG;
    gas->attraction = 1 / (double)particles;
    gas->softening = 0.25;
    gas->method = SHOAL_GAS_ALLPAIRS;
    gas->steps = steps;
}

static void set_small_gas(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_gas(params, 32768, steps);
}

static void set_log(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_gas(params, 262144, steps);
}

static void set_large_log(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_gas(params, 1048576, steps);
}

#if SHOAL_THESES
/* Sets the kernel of the thesis that takes about twice the time of the usual one. Parameters of a thesis lie
 * behind those of the workload, where their options lead. */
static void set_unrolled(void *params)
{
    const struct shoal_workload *gas = shoal_workload_find("gas");
    for (size_t i = 0; i < gas->option_count; i++)
        if (strcmp(gas->options[i].name, "kernel") == 0)
            *(int32_t *)(void *)((char *)params + gas->options[i].offset) = SHOAL_GAS_KERNEL_UNROLLED;
}
#endif

/* The gas of the rows gas.list.lj2d-*, from its lattice on. */
static void set_lists(void *params, uint64_t particles, uint64_t steps)
{
    struct shoal_gas_params *gas = params;
    gas->particles = particles;
    gas->density = 0.4;
    gas->method = SHOAL_GAS_LIST;
    gas->steps = steps;
}

static void set_small_lists(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_lists(params, 262144, steps);
}

static void set_large_lists(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_lists(params, 1 << 22, steps);
}

static void set_largest_lists(void *params, size_t devices, uint64_t steps)
{
    (void)devices;
    set_lists(params, 1 << 23, steps);
}

/* Half of the particles in a droplet in a corner of the box, the others in a thin gas. */
static void set_droplet(void *params, size_t devices, uint64_t steps)
{
    struct shoal_gas_params *gas = params;
    (void)devices;
    set_lists(params, 1 << 22, steps);
    gas->start = SHOAL_GAS_DROPLET;
    gas->density = 0.1;
    gas->temperature = 0.45;
    gas->droplet_place = 0.25;
}

static void set_lists_each(void *params, size_t devices, uint64_t steps)
{
    set_lists(params, devices << 22, steps);
}

static void set_large_lists_each(void *params, size_t devices, uint64_t steps)
{
    set_lists(params, devices << 23, steps);
}

SPLIT_CASE(measure_small_gas, "gas", set_small_gas)
SPLIT_CASE(measure_log, "gas", set_log)
SPLIT_CASE(measure_large_log, "gas", set_large_log)
SPLIT_CASE(measure_log_beside, "gas", set_log, .choose_devices = split_beside_processors)
SPLIT_CASE(measure_log_parts, "gas", set_small_gas, .choose_devices = split_unequal_parts)
#if SHOAL_THESES
SPLIT_CASE(measure_log_unlike, "gas", set_log, .set_last = set_unrolled)
#endif
SPLIT_CASE(measure_small_lists, "gas", set_small_lists)
SPLIT_CASE(measure_large_lists, "gas", set_large_lists)
SPLIT_CASE(measure_droplet, "gas", set_droplet)
SPLIT_CASE(measure_lists_each, "gas", set_lists_each)
SPLIT_CASE(measure_largest_lists, "gas", set_largest_lists)
SPLIT_CASE(measure_large_lists_each, "gas", set_large_lists_each)

static const struct bench_case cases[] = {
    {.name = "gas.split.log-32768",
     .help = "32768 particles, logarithmic law over all pairs, which all devices of a kind share: the rate "
             "beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .measure = measure_small_gas},
    {.name = "gas.split.log-262144",
     .help = "the same with 262144 particles",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_log},
    {.name = "gas.split.log-1m",
     .help = "the same with 1048576 particles",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_large_log},
    {.name = "gas.split.log-cpu-beside",
     .help =
         "262144 particles, logarithmic law over all pairs, which a graphics card and all processors share: "
         "the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .measure = measure_log_beside},
    {.name = "gas.split.log-subdevices",
     .help =
         "32768 particles, logarithmic law over all pairs, which two parts of a processor share, one with "
         "three quarters of the compute units: the rate beside that of the faster part alone",
     .unit = "ratio",
     .precision = "fp32",
     .measure = measure_log_parts},
#if SHOAL_THESES
    {.name = "gas.split.log-unlike",
     .help =
         "262144 particles, logarithmic law over all pairs, which all devices of a kind share, the last one "
         "by an unrolled kernel: the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_log_unlike},
#endif
    {.name = "gas.split.lj2d-262144",
     .help = "262144 Lennard-Jones disks of density 0.4, neighbour lists, which all devices of a kind share: "
             "the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .measure = measure_small_lists},
    {.name = "gas.split.lj2d-4m-rho0.4",
     .help = "the same with 4194304 disks",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_large_lists},
    {.name = "gas.split.lj2d-4m-a-card",
     .help = "the same with 4194304 disks a device: the rate beside that of the fastest device alone with "
             "4194304 disks",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_lists_each},
    {.name = "gas.split.lj2d-8m-rho0.4",
     .help =
         "8388608 Lennard-Jones disks of density 0.4, neighbour lists, which all devices of a kind share: "
         "the rate beside that of the fastest device alone",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_largest_lists},
    {.name = "gas.split.lj2d-8m-a-card",
     .help = "the same with 8388608 disks a device: the rate beside that of the fastest device alone with "
             "8388608 disks",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_large_lists_each},
    {.name = "gas.split.droplet-4m",
     .help = "4194304 Lennard-Jones disks, half of them in a droplet in a corner of the box, which all "
             "devices of a kind share: the rate beside that of the fastest device alone; the figure slowest "
             "of mean says how even the shares are",
     .unit = "ratio",
     .precision = "fp32",
     .large = true,
     .measure = measure_droplet},
};

const struct bench_case_list bench_split_gas_cases = {cases, sizeof cases / sizeof *cases};
