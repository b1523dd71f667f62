/* Describes the workload "gas". */
#include "workload/workload.h"
#include "gas/model/problem.h"
#include "gas/thesis/options.h"
#include "workload/checkpoint/saved_options.h"

#include <math.h>

static void params_init(void *params)
{
    shoal_gas_params_init(params);
    workload_params_extend(&gas_workload, params);
}

static uint64_t total_steps(const void *params)
{
    const struct shoal_gas_params *gas = params;
    return gas->equilibration + gas->steps;
}

static uint64_t warm_up_steps(const void *params)
{
    return ((const struct shoal_gas_params *)params)->equilibration;
}

/* Makes the run longer than any time limit: sets a number of steps that, together with the equilibration,
 * fits into 32 bits. */
static void make_endless(void *params, uint64_t most_equilibration)
{
    struct shoal_gas_params *gas = params;
    gas->steps = 2147483520;
    gas->time = NAN;
    gas->frames = 0;
    if (gas->equilibration > most_equilibration)
        gas->equilibration = most_equilibration;
}

extern const struct shoal_program_desc gas_allpairs_program, gas_domains_program, gas_fmm_program,
    gas_minimise_program, gas_motion_program, gas_observe_program, gas_list_build_program,
    gas_list_build_serial_program, gas_list_met_program, gas_list_run_program, gas_list_step_program,
    gas_replicas_program, gas_sort_program, gas_sort_group_program, gas_sort_serial_program,
    gas_picture_program, gas_piston_program, gas_rows_program, gas_species_program, gas_tables_program,
    gas_clusters_program;

static const struct shoal_program_desc *const programs[] = {
    &gas_allpairs_program,
    GAS_THESIS_PROGRAMS &gas_domains_program,
    &gas_fmm_program,
    &gas_list_build_program,
    &gas_list_build_serial_program,
    &gas_list_met_program,
    &gas_list_run_program,
    &gas_list_step_program,
    &gas_minimise_program,
    &gas_motion_program,
    &gas_observe_program,
    &gas_picture_program,
    &gas_piston_program,
    &gas_replicas_program,
    &gas_rows_program,
    &gas_sort_program,
    &gas_sort_group_program,
    &gas_sort_serial_program,
    &gas_species_program,
    &gas_clusters_program,
    &gas_tables_program,
    NULL,
};

static const struct shoal_example examples[] = {
    {"shoal gas --particles 65536 --density 0.4 --temperature 1 --equilibration 5000 --steps 20000 "
     "--thermo 100",
     "a Lennard-Jones gas at constant energy, sampled every 100 steps"},
    {"shoal gas --particles 16384 --density 0.1 --temperature 0.45 --start droplet "
     "--droplet-density 0.75 --thermostat langevin --rdf-bins 200 --thermo 50 --rdf-file g.csv --plot-rdf "
     "g.svg",
     "a droplet in its vapour, and its g(r) as numbers and as a chart"},
    {"shoal gas --potential real --boundary-x walls --boundary-y walls --wall-left damping "
     "--wall-right damping --steps 50000",
     "the gas of the thesis, which loses its energy at the walls"},
    GAS_THESIS_EXAMPLES{
        "shoal gas --dim 3 --particles 2048000 --density 0.8442 --temperature 1.44 --steps 1000 "
        "--thermo 100",
        "the Lennard-Jones melt, the standard benchmark of molecular dynamics"},
    {"shoal gas --pair-force examples/pair_forces/morse.clh --start-file last.xyz --integrator leapfrog",
     "a pair force of your own, started from the last frame of another run"},
    {"shoal gas --config examples/gas/melt_quench.ini --checkpoint glass.ckp",
     "three stages: a crystal melts, is quenched, and its glass is measured"},
    GAS_THESIS_BENCH_EXAMPLES{"shoal tune gas --method list --particles 1048576 --density 0.4",
                              "skin and layout of the neighbour list for one gas"},
    {"shoal verify --long gas", "checks of the gas, the long physical ones included"},
    {"shoal verify gas.drift --device all", "one of the long checks"},
};

/* Sizes for `shoal tune`, which stores methods and defines for each class of sizes. Runs begin with an
 * equilibration, so that the gas has its temperature. All pairs are tuned for few particles only, since they
 * take long. */
#define SETTLED " equilibration=100"
#define WALLS   "boundary-x=walls boundary-y=walls"
enum {
    TUNE = SHOAL_CASE_TUNE,
    SLOW = SHOAL_CASE_TUNE | SHOAL_CASE_SLOW_ON_CPU,
    VERIFY = SHOAL_CASE_VERIFY,
    COMPARE = SHOAL_CASE_COMPARE
};
static const struct shoal_case cases[] = {
    {"small", "particles=4096 steps=1000", COMPARE},
    {"medium", "particles=65536 steps=1000", COMPARE},
    {"large", "particles=1048576 steps=1000", COMPARE},
    {"walls", "particles=96 " WALLS, VERIFY},
    {"walls-3d", "particles=96 dim=3 boundary-z=walls " WALLS, VERIFY},
    {"log", "particles=400 potential=log " WALLS, VERIFY},
    {"fmm", "particles=400 potential=log method=fmm " WALLS, VERIFY},
    {"mixture", "particles=96 species=A=0.6,B=0.4:sigma=0.8:mass=2", VERIFY},
    {"ideal", "particles=96 potential=log attraction=0 " WALLS, VERIFY},
    /* Without forces the time step can be so long that many particles cross the borders within a few steps.
     */
    {"crossing", "particles=96 epsilon=0 temperature=1000 dt=0.002", SHOAL_CASE_VERIFY_ALONE},
    /* 20 steps of FIRE: the most whose decisions do not depend on rounding. While the energy falls from that
     * of random positions, the product of forces and velocities is far from 0. */
    {"minimised", "particles=96 start=random minimise=20", SHOAL_CASE_VERIFY_ALONE},
    /* The box changes before every step but the first. */
    {"pressure", "particles=96 thermostat=langevin pressure=0.4 pressure-relaxation=0.25",
     SHOAL_CASE_VERIFY_ALONE},
    {"piston", "particles=96 piston=x piston-pressure=0.8 piston-mass=20 " WALLS, SHOAL_CASE_VERIFY_ALONE},
    GAS_THESIS_CASES{"2d-1024", "particles=1024", TUNE},
    {"2d-4096", "particles=4096" SETTLED, TUNE},
    {"2d-65536", "particles=65536 method=list" SETTLED, TUNE},
    {"2d-65536-dense", "particles=65536 density=0.8 method=list" SETTLED, TUNE},
    {"3d-4000", "particles=4000 dim=3 density=0.8442 method=list" SETTLED, TUNE},
    {"3d-32000", "particles=32000 dim=3 density=0.8442 method=list" SETTLED, TUNE},
    {"2d-256", "particles=256", SLOW},
    {"2d-4096-dense", "particles=4096 density=0.8" SETTLED, SLOW},
    {"2d-16384", "particles=16384" SETTLED, SLOW},
    {"2d-262144", "particles=262144" SETTLED, SLOW},
    {"2d-1048576", "particles=1048576 method=list" SETTLED, SLOW},
    {"2d-1048576-dense", "particles=1048576 density=0.8 method=list" SETTLED, SLOW},
    {"3d-256000", "particles=256000 dim=3 density=0.8442" SETTLED, SLOW},
    {"3d-2048000", "particles=2048000 dim=3 density=0.8442 method=list" SETTLED, SLOW},
};

static const struct workload_split *const splits[] = {&gas_split, &gas_domains_split, NULL};

static const struct old_option old_options[] = {
    {.old_name = "method", .name = "method", .choices = gas_old_method_names},
    {.old_name = "wall-method", .name = "wall-method", .choices = gas_old_wall_method_names},
    {.old_name = NULL}};

const struct workload gas_workload = {
    .face = {.size = sizeof(struct shoal_workload),
             .name = "gas",
             .summary = "move the particles of a gas by their pair forces",
             .params_size = sizeof(struct shoal_gas_params) + GAS_THESIS_SIZE,
             .params_init = params_init,
             .options = gas_options,
             .option_count = GAS_OPTIONS,
             .examples = examples,
             .example_count = sizeof examples / sizeof *examples,
             .sampling = &gas_sampling,
             .flags = SHOAL_WORKLOAD_SIMULATES,
             .progress_name = "T",
             .warm_up_name = "equilibration",
             .absent = GAS_THESIS_ABSENT},
    .check = gas_check_params,
    .check_input = gas_check_input,
    .total_steps = total_steps,
    .time_offset = offsetof(struct shoal_gas_params, time),
    .warm_up_steps = warm_up_steps,
    .make_endless = make_endless,
    .programs = programs,
    .cases = cases,
    .case_count = sizeof cases / sizeof *cases,
    .steps_section = "clock",
    .steps_options = "--steps",
    .device = &gas_device_ops,
    .host = &gas_host_ops,
    .splits = splits,
    .old_options = old_options,
    .thesis_member = offsetof(struct shoal_gas_params, thesis),
    .thesis = GAS_THESIS_PARAMS,
    .remaining = GAS_THESIS_REMAINING,
};
