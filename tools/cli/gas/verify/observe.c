/* Compares observables of the device with observables of the host for the same particles: at step 0, before
 * the trajectories diverge. */
#include "cli/cli.h"
#include "cli/gas/verify/verify.h"

#include <math.h>

enum { PARTICLES = 400, BINS = 50, STEPS = 10 };

/* Solvers of the device (solvers[0]) and of the host (solvers[1]). queue: queue of the device. */
struct sides {
    struct shoal_queue *queue;
    struct shoal_solver *solvers[2];
};

static enum shoal_status open_sides(const struct gas_trial *trial, struct sides *sides,
                                    struct shoal_error *error)
{
    const struct verify *verify = trial->verify;
    const struct shoal_workload *gas = shoal_workload_find("gas");
    *sides = (struct sides){.queue = NULL};
    enum shoal_status status = shoal_queue_create(trial->device, 0, &sides->queue, error);
    if (!status)
        status = shoal_solver_create(gas, trial->device, sides->queue, &trial->params, verify->variant,
                                     &sides->solvers[0], error);
    if (!status)
        status = shoal_solver_create(gas, verify->host, NULL, &trial->params, SHOAL_VARIANT_AUTO,
                                     &sides->solvers[1], error);
    return status;
}

static enum shoal_status step_sides(struct sides *sides, uint64_t steps, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (int s = 0; s < 2 && !status; s++)
        status = shoal_solver_run(sides->solvers[s], steps, error);
    return status;
}

static void close_sides(struct sides *sides)
{
    for (int s = 0; s < 2; s++)
        shoal_solver_destroy(&sides->solvers[s]);
    shoal_queue_destroy(&sides->queue);
}

static void keep_larger(double *deviation, double difference, double scale)
{
    const double own = fabs(difference) / scale;
    *deviation = own <= *deviation ? *deviation : own; /* true for a NaN, too */
}

/* Compares the energies and the pressure of the device with those of the host. Positions are rounded to 2^-24
 * of a box of 32, that is 2e-6. Pair energies vary at most as r^-12, at distances of about 1 and more, so
 * that rounding changes each pair energy by at most 12 * 2e-6 = 2.4e-5 of its size. The tolerance of sums is
 * four times as large, since attraction and repulsion cancel. */
static void compare_sums(struct gas_trial *trial, struct sides *sides, const char *law, double tolerance)
{
    struct shoal_gas_thermo found[2];
    struct shoal_error error = {0};
    double deviation = 0;
    enum shoal_status status = SHOAL_OK;
    for (int s = 0; s < 2 && !status; s++)
        status = shoal_gas_get_thermo(sides->solvers[s], &found[s], &error);
    if (status) {
        gas_trial_failed(trial, &error);
        return;
    }
    const struct shoal_gas_thermo *device = &found[0], *host = &found[1];
    keep_larger(&deviation, device->kinetic - host->kinetic, host->kinetic);
    keep_larger(&deviation, device->potential - host->potential, fabs(host->potential) + host->kinetic);
    keep_larger(&deviation, device->pressure - host->pressure, fabs(host->pressure) + 1);
    keep_larger(&deviation, device->max_speed - host->max_speed, host->max_speed);
    for (int k = 0; k < 2; k++)
        keep_larger(&deviation, device->momentum[k] - host->momentum[k],
                    sqrt(2 * trial->params.mass * host->kinetic * (double)PARTICLES));
    gas_trial_row(trial, law, PARTICLES, deviation, tolerance,
                  "energies, pressure, momentum and the largest speed");
}

/* Compares a histogram of the device with that of the host. Rounding moves few counts across a border between
 * bins: with an error of 1e-5 on each side of borders that are 0.05 apart, one count in 2500. The tolerance
 * of 0.01 is ten of about 1000 counts. */
static void compare_histogram(struct gas_trial *trial, struct sides *sides,
                              enum shoal_gas_histogram_kind kind, const char *law)
{
    struct shoal_gas_histogram found[2];
    struct shoal_error error = {0};
    double difference = 0, sum = 0;
    enum shoal_status status = SHOAL_OK;
    for (int s = 0; s < 2 && !status; s++)
        status = shoal_gas_get_histogram(sides->solvers[s], kind, &found[s], &error);
    if (status) {
        gas_trial_failed(trial, &error);
        return;
    }
    const struct shoal_gas_histogram *device = &found[0], *host = &found[1];
    /* Compares each bin by its counts: the counts of g(r) belong to rings that grow with the distance. */
    for (size_t b = 0; b < host->bins && device->bins == host->bins; b++) {
        const double weight = kind == SHOAL_GAS_RDF ? (double)b + 0.5 : 1;
        difference += weight * fabs(device->value[b] - host->value[b]);
        sum += weight * host->value[b];
    }
    gas_trial_row(trial, law, host->bins, sum > 0 ? difference / sum : NAN, 0.01, "bins of step 0");
}

/* Compares displacements over some steps: particles move 0.07 on average, and positions at both ends are
 * rounded to 2e-6. */
static void compare_displacements(struct gas_trial *trial, struct sides *sides)
{
    struct shoal_gas_msd found[2];
    struct shoal_error error = {0};
    enum shoal_status status = SHOAL_OK;
    for (int s = 0; s < 2 && !status; s++)
        status = shoal_gas_get_msd(sides->solvers[s], &found[s], &error);
    if (status) {
        gas_trial_failed(trial, &error);
        return;
    }
    const size_t samples = found[1].samples;
    double deviation = samples > 1 && found[0].samples == samples ? 0 : NAN;
    if (!isnan(deviation))
        for (int k = 0; k < 2; k++)
            keep_larger(&deviation,
                        found[0].sample[samples - 1].along[k] - found[1].sample[samples - 1].along[k],
                        found[1].sample[samples - 1].total);
    gas_trial_row(trial, "displacements", STEPS, deviation, 1e-4, "mean squares of displacements");
}

void verify_gas_observe(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    struct sides sides;
    struct shoal_error error = {0};
    if (shoal_device_get_info(device)->is_host)
        return;
    gas_trial_init(&trial, verify, device, "gas.observe");
    cli_progress_show("%s  %s", trial.check, shoal_device_get_info(device)->id);
    trial.params.particles = PARTICLES;
    trial.params.start = SHOAL_GAS_RANDOM;
    trial.params.dt = 0.005;
    trial.params.boundary_x = SHOAL_GAS_WALLS; /* energies then also have contributions of field and walls */
    trial.params.field_x = -1;
    trial.params.thermo = STEPS;
    trial.params.steps = STEPS;
    trial.params.rdf_bins = trial.params.speed_bins = trial.params.profile_bins = BINS;
    trial.params.profile_axis = SHOAL_GAS_X;
    trial.params.msd = true;
    enum shoal_status status = open_sides(&trial, &sides, &error);
    if (!status)
        compare_sums(&trial, &sides, "sums", 1e-4);
    if (!status)
        status = step_sides(&sides, 1, &error);
    if (!status) {
        compare_histogram(&trial, &sides, SHOAL_GAS_RDF, "g(r)");
        compare_histogram(&trial, &sides, SHOAL_GAS_SPEEDS, "speeds");
        compare_histogram(&trial, &sides, SHOAL_GAS_PROFILE, "profile");
        status = step_sides(&sides, STEPS - 1, &error);
    }
    if (!status) {
        compare_displacements(&trial, &sides);
        /* After the steps the field has accelerated all particles, so that the tolerance is larger. */
        compare_sums(&trial, &sides, "sums later", 1e-3);
    }
    if (status)
        gas_trial_failed(&trial, &error);
    close_sides(&sides);
}
