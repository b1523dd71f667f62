/* The workload "gas": what `shoal gas` tells of itself. */
#include "gas/model/problem.h"

static void params_init(void *params)
{
    shoal_gas_params_init(params);
}

static enum shoal_status validate(const void *params, struct shoal_error *error)
{
    return gas_check_params(params, error);
}

static uint64_t total_steps(const void *params)
{
    const struct shoal_gas_params *gas = params;
    return gas->equilibration + gas->steps;
}

static double time_limit(const void *params)
{
    return ((const struct shoal_gas_params *)params)->time;
}

extern const struct shoal_program_desc gas_allpairs_program, gas_cells_far_program, gas_cells_near_program,
    gas_cells_sort_program, gas_ladder_program, gas_list_build_program, gas_list_build_serial_program,
    gas_list_step_program, gas_motion_program, gas_observe_program, gas_sort_group_program, gas_sort_program,
    gas_sort_serial_program;

static const struct shoal_program_desc *const programs[] = {
    &gas_allpairs_program,          &gas_cells_far_program,  &gas_cells_near_program,
    &gas_cells_sort_program,        &gas_ladder_program,     &gas_list_build_program,
    &gas_list_build_serial_program, &gas_list_step_program,  &gas_motion_program,
    &gas_observe_program,           &gas_sort_group_program, &gas_sort_program,
    &gas_sort_serial_program,
};

static const struct shoal_example examples[] = {
    {"shoal gas --particles 65536 --density 0.4 --temperature 1 --equilibration 5000 --steps 20000 "
     "--thermo 100",
     "a Lennard-Jones gas that keeps its energy, seen every 100 steps"},
    {"shoal gas --particles 16384 --density 0.1 --temperature 0.45 --start droplet "
     "--droplet-density 0.75 --thermostat langevin --rdf-bins 200 --thermo 50",
     "a droplet in its vapour, and its g(r)"},
    {"shoal gas --potential real --boundary-x walls --boundary-y walls --wall-left damping "
     "--wall-right damping --steps 50000",
     "the gas of the thesis, which loses its energy at the walls"},
    {"shoal gas --potential log --attraction 0.001 --softening 1 --width 125 --height 125 "
     "--boundary-x open --boundary-y open --particles 4096 --kernel unrolled --unroll 8 --steps 50",
     "the long-range law of the thesis with one of its kernels"},
    {"shoal gas --dim 3 --particles 2048000 --density 0.8442 --temperature 1.44 --steps 1000 "
     "--thermo 100",
     "the Lennard-Jones melt that programs of the field are compared by"},
    {"shoal gas --pair-force examples/pair_forces/morse.cl --start-file last.xyz --integrator leapfrog",
     "a pair force of one's own, from a picture of another run"},
};

/* Classes of sizes make the keys under which method and constants are kept. Steps of rescaling bring the gas
 * to its temperature first; all pairs of many particles would take a CPU, and the question, too long. */
#define SETTLED " equilibration=100"
static const char *const tuned_sizes[] = {
    "particles=1024", "particles=4096" SETTLED, "particles=65536 method=list" SETTLED,
    "particles=65536 density=0.8 method=list" SETTLED,
    "particles=4000 dim=3 density=0.8442 method=list" SETTLED,
    "particles=32000 dim=3 density=0.8442 method=list" SETTLED,
    /* the CPUs end here */
    "particles=256", "particles=4096 density=0.8" SETTLED, "particles=16384" SETTLED,
    "particles=262144" SETTLED, "particles=1048576 method=list" SETTLED,
    "particles=1048576 density=0.8 method=list" SETTLED, "particles=256000 dim=3 density=0.8442" SETTLED,
    "particles=2048000 dim=3 density=0.8442 method=list" SETTLED, NULL};
enum { ON_CPUS = 6 };

/* Choices that need a file. */
static const char *const left_out[] = {"potential=user", "start=file", NULL};

/* A third dimension, a gas that is ideal, and what the thesis has for its laws alone. */
static const struct shoal_companions companions[] = {{"boundary-z", "dim=3"},
                                                     {"wall-front", "dim=3 boundary-z=walls"},
                                                     {"wall-back", "dim=3 boundary-z=walls"},
                                                     {"wall-method=w4", "potential=log attraction=0"},
                                                     {"method=cells", "particles=400 potential=log"},
                                                     {"kernel", "particles=400 potential=log"},
                                                     {"scheme", "particles=400 potential=log method=cells"},
                                                     {"far", "particles=400 potential=log scheme=tiled1"},
                                                     {"adder", "particles=400 potential=log scheme=tiled1"},
                                                     {"sort", "particles=400 potential=log scheme=tiled1"},
                                                     {NULL, NULL}};

const struct shoal_workload gas_workload = {
    .name = "gas",
    .summary = "move the particles of a gas by their pair forces",
    .params_size = sizeof(struct shoal_gas_params),
    .params_init = params_init,
    .options = gas_options,
    .option_count = GAS_OPTIONS,
    .programs = programs,
    .program_count = sizeof programs / sizeof *programs,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .validate = validate,
    .total_steps = total_steps,
    .time_limit = time_limit,
    .tuned_option = "method",
    .tuned_sizes = tuned_sizes,
    .tuned_on_cpus = ON_CPUS,
    .large_choices = left_out,
    .verified_sizes = "particles=96 boundary-x=walls boundary-y=walls",
    .companions = companions,
    .device = &gas_device_ops,
    .host = &gas_host_ops,
};
