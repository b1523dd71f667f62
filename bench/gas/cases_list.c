/* Gases by neighbour lists: the host's clock times whole steps through the solver interface, with forces,
 * kick, drift, rebuilds of the list, and every 100 steps energies and pressure on the device.
 *
 * The gas is brought to its temperature by rescaling first and then left to itself (NVE). The melt is the one
 * that programs of the field are compared by: it starts from its crystal at T = 1.44, without rescaling.
 * On CPUs both gases run fewer steps, unless the case is meant for CPUs. Three samples are 21000 steps or 105
 * units of time, long enough for a slope of the energy.
 *
 * A gas with a pressure, species or a file runs beside a plain one: before each repetition, the plain gas of
 * the same size makes as many steps. The row shows their rate as "plain", and its own rate over it as "of
 * plain".
 *
 * A row's error is the rms error of the forces on sampled particles against double precision, over the rms
 * force.
 */
#include "bench/runner/bench.h"

#include "cli/gas/writer/writer.h"
#include "cli/output/stats.h"

#include <math.h>
#include <shoal/gas.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THERMO = 100, MOST_STEPS = 1 << 30, MOST_PLAIN = 256 };

struct size {
    uint64_t particles, dim;
    double density, temperature;
    uint64_t equilibration; /* number of steps with rescaling */
    uint64_t first;         /* number of steps without rescaling before the timed ones */
    uint64_t steps;         /* number of steps in a repetition */
    int32_t precision;
    bool for_cpus;       /* CPUs run as many steps as GPUs */
    bool counts_steps;   /* the unit is steps/s */
    double pressure;     /* kept by changes of the box; 0: the box is constant */
    const char *species; /* NULL: one */
    uint64_t frames;     /* steps between the frames of a GSD file in memory; 0: no file */
};

struct run {
    struct shoal_gas_params params;
    struct shoal_solver *solver;
    uint64_t steps;
    bool is_short;              /* there are too few steps to find a slope of the energy */
    struct shoal_result result; /* result of the last check; only its numbers are read */
    struct gas_writer *writer;  /* NULL: no file is written */
    int file;                   /* descriptor of the file; -1: none */
    char path[40];              /* by which it can be opened again */
    /* The gas beside, NULL: none, and the seconds of its repetitions. */
    struct shoal_gas_params plain_params;
    struct shoal_solver *plain;
    double plain_s[MOST_PLAIN];
    size_t plain_count;
};

/* Whether the gas is compared with one that has none of these. */
static bool has_plain(const struct size *size)
{
    return size->pressure > 0 || size->species || size->frames;
}

static void set_params(struct shoal_gas_params *params, const struct size *size, bool is_slow)
{
    shoal_gas_params_init(params);
    params->particles = size->particles;
    params->dim = size->dim;
    params->density = size->density;
    params->temperature = size->temperature;
    params->cutoff = 2.5;
    params->dt = 0.005;
    params->equilibration = is_slow ? size->equilibration / 16 : size->equilibration;
    params->steps = MOST_STEPS;
    params->thermo = THERMO;
    params->precision = size->precision;
    params->method = SHOAL_GAS_LIST;
    if (size->pressure > 0) {
        params->pressure = size->pressure;
        params->thermostat = SHOAL_GAS_RESCALE;
    }
    params->species = size->species;
}

static bool write_frame(void *data, struct shoal_solver *solver, uint64_t step, const char **failure)
{
    struct run *run = data;
    const bool good = gas_writer_give_state(run->writer, solver, NULL);
    (void)step;
    *failure = gas_writer_error(run->writer)->message;
    return !good;
}

/* Makes a file in memory, to which each frame of the run is written as by `shoal gas --gsd`. */
static enum shoal_status begin_file(struct run *run, struct shoal_gas_params *params, uint64_t frames,
                                    struct shoal_error *error)
{
    const struct piece_files files = {.count = 0};
    const struct sample_form form = {
        .format = SAMPLE_TABLE, .sampling = shoal_workload_find("gas")->sampling, .params = params};
    run->file = memfd_create("frames.gsd", MFD_CLOEXEC);
    if (run->file < 0)
        return bench_fail(error, SHOAL_UNSUPPORTED, "no file can be made in memory");
    snprintf(run->path, sizeof run->path, "/proc/self/fd/%d", run->file);
    run->writer = gas_writer_create(&files, &form);
    if (!gas_writer_add_gsd(run->writer, run->path, false))
        return bench_fail(error, SHOAL_IO, "%s", gas_writer_error(run->writer)->message);
    params->frames = frames;
    params->on_moment = write_frame;
    params->data = run;
    return SHOAL_OK;
}

/* Creates a solver and makes the steps before the timed ones. */
static enum shoal_status begin_gas(const struct bench *bench, const struct shoal_gas_params *params,
                                   bool is_slow, struct shoal_solver **solver, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const enum shoal_status status = shoal_solver_create(shoal_workload_find("gas"), bench->device,
                                                         bench->queue, params, bench->variant, solver, error);
    return status ? status
                  : shoal_solver_run(
                        *solver, params->equilibration + (is_slow ? size->first / 16 : size->first), error);
}

static enum shoal_status begin_plain(const struct bench *bench, struct run *run, bool is_slow,
                                     struct shoal_error *error)
{
    struct size size = *(const struct size *)bench->data;
    size.pressure = 0;
    size.species = NULL;
    set_params(&run->plain_params, &size, is_slow);
    return begin_gas(bench, &run->plain_params, is_slow, &run->plain, error);
}

static enum shoal_status create(struct bench *bench, struct shoal_error *error)
{
    const struct size *size = bench->data;
    const bool is_slow = shoal_device_get_info(bench->device)->is_cpu && !size->for_cpus;
    struct run *run = bench->state = calloc(1, sizeof *run);
    if (!run)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory for the gas");
    run->file = -1;
    set_params(&run->params, size, is_slow);
    const uint64_t frames = is_slow && size->frames ? THERMO : size->frames;
    enum shoal_status status = frames ? begin_file(run, &run->params, frames, error) : SHOAL_OK;
    if (status == SHOAL_OK)
        status = begin_gas(bench, &run->params, is_slow, &run->solver, error);
    if (status == SHOAL_OK && has_plain(size))
        status = begin_plain(bench, run, is_slow, error);
    if (status != SHOAL_OK)
        return status;
    run->steps = is_slow ? THERMO : size->steps;
    run->is_short = is_slow;
    bench->build_s = shoal_solver_build_seconds(run->solver);
    bench->native = shoal_solver_is_native(run->solver);
    bench->work = (double)run->steps * (size->counts_steps ? 1 : (double)size->particles);
    bench->parts = (double)run->steps;
    return status;
}

/* Makes the steps of the plain gas, and keeps the seconds that they take. */
static enum shoal_status run_plain(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    if (run->writer && !gas_writer_wait(run->writer))
        return bench_fail(error, gas_writer_error(run->writer)->status, "%s",
                          gas_writer_error(run->writer)->message);
    enum shoal_status status = bench->queue ? shoal_queue_finish(bench->queue, error) : SHOAL_OK;
    const double start = bench_seconds();
    if (!status)
        status = shoal_solver_run(run->plain, run->steps, error);
    if (!status && bench->queue)
        status = shoal_queue_finish(bench->queue, error);
    if (!status && run->plain_count < MOST_PLAIN)
        run->plain_s[run->plain_count++] = bench_seconds() - start;
    return status;
}

static enum shoal_status run_steps(struct bench *bench, struct shoal_error *error)
{
    struct run *run = bench->state;
    return shoal_solver_run(run->solver, run->steps, error);
}

/* Largest difference between a position in the file, which is counted in single precision from the middle of
 * the box, and that of the state, over the length of the box; 1: the two have different particles. */
static double compare_positions(const struct shoal_gas_frame *state, const struct shoal_gas_frame *file)
{
    double most = state->particles == file->particles && state->dim == file->dim ? 0 : 1;
    for (size_t i = 0; i < state->particles * state->dim && most < 1; i++) {
        const double length = state->length[i % state->dim];
        const double apart = fabs(state->position[i] - file->position[i]) / length;
        most = fmax(most, fmin(apart, fabs(1 - apart))); /* rounding may cross the border */
    }
    return most;
}

/* Reads the file as a start: it has all frames, and the last one is the state. */
static enum shoal_status check_file(const struct run *run, struct bench_check *check,
                                    struct shoal_error *error)
{
    const uint64_t frames = run->params.frames;
    const struct shoal_gas_params params = SHOAL_GAS_PARAMS(.start = SHOAL_GAS_FILE, .start_file = run->path,
                                                            .cutoff = 2.5, .method = SHOAL_GAS_LIST);
    const struct shoal_params alone = SHOAL_PARAMS(.host_only = true);
    struct shoal_gas_start_info info = {.size = sizeof info};
    struct shoal_gas_frame state, file;
    struct shoal *own = NULL; /* logs nothing: a start is told of the earlier frames */
    struct shoal_solver *reader = NULL;
    enum shoal_status status = shoal_gas_get_frame(run->solver, &state, error);
    if (!status && state.step % frames) /* up to the next frame */
        status = shoal_solver_run(run->solver, frames - state.step % frames, error);
    if (!status)
        status = shoal_gas_get_frame(run->solver, &state, error);
    if (!gas_writer_wait(run->writer) && !status)
        status = bench_fail(error, gas_writer_error(run->writer)->status, "%s",
                            gas_writer_error(run->writer)->message);
    if (!status)
        status = shoal_open(&own, &alone, error);
    if (!status)
        status = shoal_gas_read_start(own, &params, &info, error);
    if (!status)
        status = shoal_solver_create(shoal_workload_find("gas"), shoal_device_at(own, 0), NULL, &params,
                                     SHOAL_VARIANT_AUTO, &reader, error);
    if (!status)
        status = shoal_gas_get_frame(reader, &file, error);
    if (!status) {
        const double apart = compare_positions(&state, &file);
        const uint64_t wanted = state.step / frames + 1;
        const bool is_whole = !info.is_cut && info.frames == wanted && apart < 1e-6;
        if (!is_whole)
            snprintf(check->detail, sizeof check->detail, "file: %llu of %llu frames, positions off by %.2g",
                     (unsigned long long)info.frames, (unsigned long long)wanted, apart);
        check->passed = check->passed && is_whole;
    }
    shoal_solver_destroy(&reader);
    shoal_close(&own);
    return status;
}

/* The energy of a particle swings by some 1e-4 from step to step: a line through few samples has the slope of
 * this swing, a line through those of 100 units of time that of the drift. Only after an equilibration is the
 * temperature the one asked for. */
static enum shoal_status check(struct bench *bench, struct bench_check *check, struct shoal_error *error)
{
    const struct size *size = bench->data;
    struct run *run = bench->state;
    enum shoal_status status = shoal_solver_result(run->solver, &run->result, error);
    if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
        return status;
    const struct shoal_result result = run->result;
    bench_set_roof_work(bench, &result, (double)size->particles * (double)run->steps);
    const double time = (double)result.steps * 0.005,
                 slope = fabs(shoal_result_number(&result, "energy_slope")),
                 temperature = shoal_result_number(&result, "temperature");
    /* The conserved energy contains the errors of changes of the box, which fluctuate. */
    const double steepest = time >= 100 && size->pressure == 0 ? 1e-7 : 1e-3;
    const bool is_there =
        size->equilibration == 0 || run->is_short || fabs(temperature - size->temperature) <= 0.02;
    check->error = shoal_result_number(&result, "force_error");
    check->passed =
        status == SHOAL_OK && result.check_passed && check->error <= 1e-5 && is_there && !(slope > steepest);
    snprintf(check->detail, sizeof check->detail, "force error %.2g, slope of the energy %.2g, T %.4g",
             check->error, slope, temperature);
    return run->writer ? check_file(run, check, error) : SHOAL_OK;
}

/* Adds figures on the quality of the run and the statistics of its neighbour lists. */
static void figures(struct bench *bench, double seconds)
{
    static const struct {
        const char *field, *unit;
    } shown[] = {{"energy_slope", "per time"},
                 {"temperature", ""},
                 {"pressure", ""},
                 {"neighbours", ""},
                 {"skin", ""},
                 {"momentum_change", ""},
                 {"rebuild_interval", "steps"},
                 {"rebuilds_by_violation", ""}};
    struct run *run = bench->state;
    if (run->plain) {
        const double plain_s = stats_of(run->plain_s, run->plain_count).median;
        bench_add_figure(bench, "plain", "particle-steps/s", bench->work / plain_s);
        bench_add_figure(bench, "of plain", "", plain_s / (seconds * bench->parts));
    }
    bench_add_figure(bench, "steps", "", (double)run->result.steps);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        bench_add_figure(bench, shown[i].field, shown[i].unit,
                         shoal_result_number(&run->result, shown[i].field));
}

static void destroy(struct bench *bench)
{
    struct run *run = bench->state;
    if (!run)
        return;
    if (run->writer)
        gas_writer_destroy(&run->writer);
    shoal_solver_destroy(&run->solver);
    shoal_solver_destroy(&run->plain);
    if (run->file >= 0)
        close(run->file);
    free(run);
    bench->state = NULL;
}

static const struct bench_ops ops = {create, NULL, run_steps, check, destroy, figures},
                              ops_beside = {create, run_plain, run_steps, check, destroy, figures};

static const struct size gas = {1 << 20, 2, 0.4, 1, 6000, 1000, 7000, SHOAL_GAS_SINGLE, false, false},
                         pressed = {1 << 20,          2,     0.4,   1,  6000, 1000, 7000,
                                    SHOAL_GAS_SINGLE, false, false, 0.5},
                         /* the same motion, so that the rows differ by the cost of species alone */
    mixture = {1 << 20, 2, 0.4, 1, 6000, 1000, 7000, SHOAL_GAS_SINGLE, false, false, 0, "A=0.5,B=0.5"},
                         /* the last frame of a repetition is written long before its end */
    written = {1 << 20, 2, 0.4, 1, 6000, 1500, 7000, SHOAL_GAS_SINGLE, false, false, 0, NULL, 1000},
                         liquid = {1 << 20, 2, 0.8, 1, 6000, 1000, 7000, SHOAL_GAS_SINGLE, false, false},
                         melt = {2048000, 3, 0.8442, 1.44, 0, 1000, 200, SHOAL_GAS_SINGLE, false, false},
                         melt_mixed = {2048000, 3, 0.8442, 1.44, 0, 1000, 200, SHOAL_GAS_MIXED, false, false},
                         melt_double = {2048000, 3,   0.8442,           1.44,  0,
                                        1000,    200, SHOAL_GAS_DOUBLE, false, false},
                         few = {4096, 2, 0.4, 1, 6000, 1000, 10000, SHOAL_GAS_SINGLE, false, true},
                         cpu = {262144, 2, 0.4, 1, 5000, 500, 7000, SHOAL_GAS_SINGLE, true, false};

#define LIST_CASE(case_name, counted, bits, size, is_large, functions, text)                                 \
    {                                                                                                        \
        .name = case_name, .help = text, .unit = counted, .precision = bits, .roof = SHOAL_ROOF_COPY_BYTES,  \
        .clock = BENCH_WALL_TIME, .data = &size, .large = is_large, .program = "gas.list_step",              \
        .device = &functions                                                                                 \
    }
#define DISK "force-shifted Lennard-Jones disks at density "
#define MELT "2048000 Lennard-Jones particles from fcc at density 0.8442, T = 1.44: 200 steps of the melt, "
#define SETTLED                                                                                              \
    " behind 6000 steps of rescaling to T = 1 and 1000 without; on CPUs 100 behind a sixteenth of those"

static const struct bench_case cases[] = {
    LIST_CASE("gas.list.lj2d-1m-rho0.4", "particle-steps/s", "fp32", gas, true, ops,
              "7000 steps of 1048576 " DISK "0.4" SETTLED),
    LIST_CASE("gas.list.lj2d-1m-pressure", "particle-steps/s", "fp32", pressed, true, ops_beside,
              "7000 steps of 1048576 " DISK
              "0.4 at the start, at the pressure 0.5 and T = 1 by rescaling, behind 7000 such steps; on CPUs "
              "100 behind a sixteenth of those"),
    LIST_CASE("gas.list.lj2d-1m-rho0.4-species", "particle-steps/s", "fp32", mixture, true, ops_beside,
              "7000 steps of 1048576 " DISK "0.4, of two species with equal values" SETTLED),
    LIST_CASE(
        "gas.output.1m-gsd", "particle-steps/s", "fp32", written, true, ops_beside,
        "7000 steps of 1048576 " DISK
        "0.4, with a frame every 1000 steps to a GSD file in memory, behind 6000 steps of rescaling to T = 1 "
        "and 1500 without; on CPUs 100 behind a sixteenth of those, with a frame"),
    LIST_CASE("gas.list.lj2d-1m-rho0.8", "particle-steps/s", "fp32", liquid, true, ops,
              "7000 steps of 1048576 " DISK "0.8" SETTLED),
    LIST_CASE("gas.list.lj3d-melt-2m", "particle-steps/s", "fp32", melt, true, ops, MELT "fp32"),
    LIST_CASE("gas.list.lj3d-melt-2m-mixed", "particle-steps/s", "mixed", melt_mixed, true, ops,
              MELT "sums and velocities in fp64"),
    LIST_CASE("gas.list.lj3d-melt-2m-fp64", "particle-steps/s", "fp64", melt_double, true, ops, MELT "fp64"),
    LIST_CASE("gas.small.lj2d-4096", "steps/s", "fp32", few, false, ops,
              "10000 steps of 4096 " DISK "0.4" SETTLED),
    LIST_CASE("gas.cpu.lj2d-262144-rho0.4", "particle-steps/s", "fp32", cpu, true, ops,
              "7000 steps of 262144 " DISK
              "0.4, behind 5000 steps of rescaling to T = 1 and 500 without: minutes"),
};

const struct bench_case_list bench_gas_list_cases = {cases, sizeof cases / sizeof *cases};
