/* Single trajectories of gases: conservation laws, time reversal, and agreement of the methods on forces. */
#include "cli/cli.h"
#include "cli/gas/verify/verify.h"

#include <errno.h>
#include <math.h>
#include <shoal/theses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void init_fluid(struct gas_trial *trial, struct verify *verify, struct shoal_device *device,
                       const char *check)
{
    gas_trial_init(trial, verify, device, check);
    trial->params.particles = 4096;
    trial->params.density = 0.4;
    trial->params.temperature = 1;
    trial->params.cut = SHOAL_GAS_CUT_FORCE_SHIFTED;
    trial->params.dt = 0.005;
    trial->params.equilibration = 5000;
}

/* Conservation laws ------------------------------------------------------------------------------------ */

void verify_gas_drift(struct verify *verify, struct shoal_device *device)
{
    static const struct {
        int32_t integrator;
        const char *name;
    } integrators[] = {
        {SHOAL_GAS_VERLET, "verlet"}, {SHOAL_GAS_LEAPFROG, "leapfrog"}, {SHOAL_GAS_EULER, "euler"}};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators && !cli_stopped(NULL); i++) {
        struct gas_trial trial;
        init_fluid(&trial, verify, device, "gas.drift");
        trial.of = integrators[i].name;
        trial.params.integrator = integrators[i].integrator;
        trial.params.steps = 200000;
        trial.params.thermo = 40;
        if (gas_trial_run(&trial)) {
            const double slope = gas_trial_value(&trial, "energy_slope");
            gas_trial_row(&trial, "energy", trial.params.steps, fabs(slope), 1e-7,
                          "slope of the energy of a particle over %.0f units of time: %.2g",
                          (double)trial.params.steps * trial.params.dt, slope);
            gas_trial_row(&trial, "momentum", trial.params.steps, gas_trial_value(&trial, "momentum_change"),
                          1e-6, "change of the momentum over the sum of all momenta");
        }
        gas_trial_clear(&trial);
    }
}

/* Time reversal ---------------------------------------------------------------------------------------- */

/* A copy of a state of the gas: `frame` points to `position` and `velocity`. */
struct picture {
    struct shoal_gas_frame frame;
    double *position, *velocity;
};

static void picture_clear(struct picture *picture)
{
    free(picture->position);
    free(picture->velocity);
    *picture = (struct picture){0};
}

static enum shoal_status picture_take(struct shoal_solver *solver, struct picture *picture,
                                      struct shoal_error *error)
{
    const enum shoal_status status = shoal_gas_get_frame(solver, &picture->frame, error);
    if (status != SHOAL_OK)
        return status;
    const size_t bytes = picture->frame.particles * picture->frame.dim * sizeof(double);
    picture->position = cli_alloc(bytes);
    picture->velocity = cli_alloc(bytes);
    memcpy(picture->position, picture->frame.position, bytes);
    memcpy(picture->velocity, picture->frame.velocity, bytes);
    return SHOAL_OK;
}

/* A solver and its queue. */
struct bench {
    struct shoal_queue *queue;
    struct shoal_solver *solver;
};

static void bench_close(struct bench *bench)
{
    shoal_solver_destroy(&bench->solver);
    shoal_queue_destroy(&bench->queue);
}

static enum shoal_status bench_open(const struct gas_trial *trial, struct bench *bench,
                                    struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *bench = (struct bench){0};
    if (!shoal_device_get_info(trial->device)->is_host)
        status = shoal_queue_create(trial->device, 0, &bench->queue, error);
    if (status == SHOAL_OK)
        status = shoal_solver_create(shoal_workload_find("gas"), trial->device, bench->queue, &trial->params,
                                     trial->verify->variant, &bench->solver, error);
    return status;
}

/* Makes `steps` steps, fewer after Ctrl-C. */
static enum shoal_status make_steps(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (uint64_t piece; steps && status == SHOAL_OK && !cli_stopped(NULL); steps -= piece) {
        piece = steps < 500 ? steps : 500;
        status = shoal_solver_run(solver, piece, error);
    }
    return status;
}

/* Writes the state with all velocities reversed as a start file with all digits. */
static enum shoal_status write_reversed(const struct picture *picture, int file, struct shoal_error *error)
{
    const struct shoal_gas_frame *frame = &picture->frame;
    FILE *stream = fdopen(file, "w");
    bool good = stream != NULL;
    if (!stream)
        close(file);
    good = good && fprintf(stream,
                           "%zu\nLattice=\"%.17g 0 0 0 %.17g 0 0 0 1\" "
                           "Properties=species:S:1:pos:R:3:velo:R:3\n",
                           frame->particles, frame->length[0], frame->length[1]) > 0;
    for (size_t i = 0; i < frame->particles && good; i++)
        good = fprintf(stream, "A %.17g %.17g 0 %.17g %.17g 0\n", picture->position[2 * i],
                       picture->position[2 * i + 1], -picture->velocity[2 * i],
                       -picture->velocity[2 * i + 1]) > 0;
    if (stream && fclose(stream) != 0)
        good = false;
    if (good)
        return SHOAL_OK;
    *error = (struct shoal_error){.status = SHOAL_IO};
    snprintf(error->message, sizeof error->message, "cannot write the reversed state: %s", strerror(errno));
    return error->status;
}

/* Root mean square distance between the particles of two states, by the nearest images. */
static double distance(const struct picture *a, const struct picture *b)
{
    const size_t dim = a->frame.dim, numbers = a->frame.particles * dim;
    double sum = 0;
    for (size_t i = 0; i < numbers; i++)
        sum += pow(remainder(a->position[i] - b->position[i], a->frame.length[i % dim]), 2);
    return sqrt(sum / (double)a->frame.particles);
}

static enum shoal_status go_back(const struct gas_trial *trial, const char *path, uint64_t steps,
                                 struct picture *back, struct shoal_error *error)
{
    struct gas_trial second = *trial;
    struct bench bench;
    second.params.start = SHOAL_GAS_FILE;
    second.params.start_file = path;
    second.params.density = NAN; /* the start file gives the box */
    second.params.equilibration = 0;
    enum shoal_status status = bench_open(&second, &bench, error);
    if (status == SHOAL_OK)
        status = make_steps(bench.solver, steps, error);
    if (status == SHOAL_OK)
        status = picture_take(bench.solver, back, error);
    bench_close(&bench);
    return status;
}

/* Makes `steps` steps, reverses all velocities, makes `steps` steps more, and compares with the start. The
 * tolerance grows with the number of steps: rounding errors grow by a factor e in about a unit of time. */
static void reverse(struct gas_trial *trial, uint64_t steps, double tolerance)
{
    const char *folder = getenv("TMPDIR");
    char *path = cli_sprintf("%s/shoal-reversal-XXXXXX", folder && *folder ? folder : "/tmp");
    struct picture start = {0}, turn = {0}, back = {0};
    struct bench bench;
    struct shoal_error error = {0};
    cli_progress_show("%s %s  %s", trial->check, trial->of, shoal_device_get_info(trial->device)->id);
    trial->params.steps = steps;
    enum shoal_status status = bench_open(trial, &bench, &error);
    if (status == SHOAL_OK)
        status = make_steps(bench.solver, trial->params.equilibration, &error);
    if (status == SHOAL_OK)
        status = picture_take(bench.solver, &start, &error);
    if (status == SHOAL_OK)
        status = make_steps(bench.solver, steps, &error);
    if (status == SHOAL_OK)
        status = picture_take(bench.solver, &turn, &error);
    bench_close(&bench);
    if (status == SHOAL_OK) {
        const int file = mkstemp(path);
        status = write_reversed(&turn, file, &error);
        if (status == SHOAL_OK)
            status = go_back(trial, path, steps, &back, &error);
        if (file >= 0)
            unlink(path);
    }
    if (status != SHOAL_OK)
        gas_trial_failed(trial, &error);
    else if (!cli_stopped(NULL))
        gas_trial_row(trial, NULL, steps, distance(&start, &back), tolerance,
                      "rms distance from the start after a run, %.2g, and its reversal",
                      distance(&start, &turn));
    picture_clear(&start);
    picture_clear(&turn);
    picture_clear(&back);
    free(path);
}

void verify_gas_reversal(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    init_fluid(&trial, verify, device, "gas.reversal");
    trial.params.equilibration = 1000;
    trial.of = "single";
    if (!shoal_device_get_info(device)->is_host)
        reverse(&trial, 200, 1e-5);
    trial.of = "double";
    trial.params.precision = SHOAL_GAS_DOUBLE;
    if (!cli_stopped(NULL))
        reverse(&trial, 1000, 1e-7);
}

/* Methods ---------------------------------------------------------------------------------------------- */

/* The change of the velocities in the first step, which is the mean of the accelerations before and after the
 * step, times dt. */
static enum shoal_status first_kick(struct gas_trial *trial, int32_t method, double **kick, size_t *count,
                                    struct shoal_gas_thermo *thermo, struct shoal_error *error)
{
    struct picture before = {0}, after = {0};
    struct bench bench;
    trial->params.method = method;
    enum shoal_status status = bench_open(trial, &bench, error);
    if (status == SHOAL_OK)
        status = picture_take(bench.solver, &before, error);
    if (status == SHOAL_OK)
        status = make_steps(bench.solver, 1, error);
    if (status == SHOAL_OK)
        status = picture_take(bench.solver, &after, error);
    if (status == SHOAL_OK)
        status = shoal_gas_get_thermo(bench.solver, thermo, error);
    if (status == SHOAL_OK) {
        *count = after.frame.particles * after.frame.dim;
        for (size_t i = 0; i < *count; i++)
            after.velocity[i] -= before.velocity[i];
        *kick = after.velocity;
        after.velocity = NULL;
    }
    picture_clear(&before);
    picture_clear(&after);
    bench_close(&bench);
    return status;
}

/* Compares the forces of `method` with the forces of SHOAL_GAS_ALLPAIRS. */
static void compare_methods(struct gas_trial *trial, int32_t method, double tolerance)
{
    struct shoal_error error = {0};
    struct shoal_gas_thermo wanted, found;
    double *a = NULL, *b = NULL, off = 0, size = 0;
    size_t count;
    cli_progress_show("%s %s  %s", trial->check, trial->of, shoal_device_get_info(trial->device)->id);
    enum shoal_status status = first_kick(trial, SHOAL_GAS_ALLPAIRS, &a, &count, &wanted, &error);
    if (status == SHOAL_OK)
        status = first_kick(trial, method, &b, &count, &found, &error);
    if (status != SHOAL_OK) {
        gas_trial_failed(trial, &error);
    } else {
        for (size_t i = 0; i < count; i++) {
            off += pow(b[i] - a[i], 2);
            size += a[i] * a[i];
        }
        gas_trial_row(trial, "forces", trial->params.particles, sqrt(off / size), tolerance,
                      "first kick against that of all pairs, rms");
        gas_trial_row(trial, "potential", trial->params.particles,
                      fabs(found.potential / wanted.potential - 1), tolerance,
                      "%.7g against %.7g of all pairs", found.potential, wanted.potential);
    }
    free(a);
    free(b);
}

void verify_gas_methods(struct verify *verify, struct shoal_device *device)
{
    static const struct {
        int32_t start;
        double density;
        const char *list, *cells, *fmm;
    } starts[] = {{SHOAL_GAS_RANDOM, 0.3, "list, uniform", "cells, uniform", "fmm, uniform"},
                  {SHOAL_GAS_DROPLET, 0.1, "list, droplet", "cells, droplet", "fmm, droplet"}};
    struct gas_trial trial;
    /* The host has one method for each pair force, and fmm. */
    const bool is_host = shoal_device_get_info(device)->is_host;
    gas_trial_init(&trial, verify, device, "gas.methods");
    for (size_t i = 0; i < 2 && !cli_stopped(NULL); i++) {
        shoal_gas_params_init(&trial.params);
        trial.params.particles = 4096;
        trial.params.start = starts[i].start;
        trial.params.density = starts[i].density;
        trial.params.dt = 0.005;
        trial.of = starts[i].list;
        if (!is_host)
            compare_methods(&trial, SHOAL_GAS_LIST, 1e-5);
        trial.params.potential = SHOAL_GAS_LOG;
        trial.params.attraction = 0.01;
        trial.params.boundary_x = trial.params.boundary_y = SHOAL_GAS_WALLS;
#if SHOAL_THESES
        trial.of = starts[i].cells;
        if (!is_host)
            compare_methods(&trial, SHOAL_GAS_CELLS, 5e-3);
#endif
        trial.of = starts[i].fmm;
        compare_methods(&trial, SHOAL_GAS_FMM, trial.params.accuracy);
    }
}
