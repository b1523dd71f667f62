/* Compares gases with a piston with the ensemble of constant pressure and with slow compressions. Seeds are
 * fixed, but figures differ from device to device, since trajectories diverge by rounding. */
#include "cli/cli.h"
#include "cli/gas/verify/verify.h"

#include <math.h>

static void make_walls(struct gas_trial *trial, double width, double height)
{
    trial->params.width = width;
    trial->params.height = height;
    trial->params.density = NAN;
    trial->params.boundary_x = SHOAL_GAS_WALLS;
    trial->params.wall_method = SHOAL_GAS_W5;
    trial->params.piston = SHOAL_GAS_X;
}

/* The length of an ideal gas under a piston has a gamma distribution: the effective length p + 2 s, where
 * each soft wall of stiffness k adds s = sqrt(pi T / (2 k)), has the mean (n + 1) T / (P A) and the variance
 * of this mean squared over n + 1. The run has some hundred independent lengths. */
static void verify_ensemble(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    gas_trial_init(&trial, verify, device, "gas.piston");
    trial.of = "ensemble";
    make_walls(&trial, 11, 7);
    trial.params.particles = 32;
    trial.params.epsilon = 0;
    trial.params.method = SHOAL_GAS_ALLPAIRS;
    trial.params.temperature = 1.5;
    trial.params.piston_pressure = 0.9;
    trial.params.piston_mass = 10;
    trial.params.wall_stiffness = 100;
    trial.params.thermostat = SHOAL_GAS_LANGEVIN;
    trial.params.friction = 0.3;
    trial.params.dt = 0.02;
    trial.params.thermo = 20;
    trial.params.steps = 400000;
    if (gas_trial_run(&trial)) {
        const double n = (double)trial.params.particles, wanted = (n + 1) * 1.5 / (0.9 * 7);
        const double added = 2 * sqrt(0.5 * acos(-1) * 1.5 / trial.params.wall_stiffness);
        const double length = gas_trial_value(&trial, "piston"), mean = length + added;
        const double error = gas_trial_value(&trial, "piston_error");
        const double fluctuation =
            gas_trial_value(&trial, "piston_fluctuation") * length * length / (mean * mean);
        const uint64_t samples = (uint64_t)gas_trial_value(&trial, "samples");
        gas_trial_row(&trial, "length", samples, fabs(mean - wanted) / error, 3,
                      "%.4f +- %.2g against (n + 1) T / (P A) %.4f, in standard errors", mean, error, wanted);
        gas_trial_row(&trial, "fluctuation", samples, fabs(fluctuation * (n + 1) - 1), 0.2,
                      "var / mean^2 %.5f against 1 / (n + 1) %.5f", fluctuation, 1 / (n + 1));
    }
    gas_trial_clear(&trial);
}

/* Sums the squares of the velocities along x and along y. False: there is no frame. */
static bool sum_squares(const struct gas_trial *trial, double squares[2])
{
    struct shoal_gas_frame frame;
    struct shoal_error error;
    squares[0] = squares[1] = 0;
    if (shoal_gas_get_frame(trial->report.solver, &frame, &error) != SHOAL_OK) {
        gas_trial_failed(trial, &error);
        return false;
    }
    for (size_t i = 0; i < 2 * frame.particles; i++)
        squares[i % 2] += frame.velocity[i] * frame.velocity[i];
    return true;
}

/* A slow piston halves the length of an ideal gas. Its temperature along the piston grows by 4, that across
 * stays. Softness of the piston lowers the factor by about 0.2 %: the invariant is v p + pi v^2 / (4 w) with
 * w^2 = 1000. The speeds of particles at the end deviate by the ratio of the speeds of piston and particle,
 * 0.08, with either sign. */
static void verify_ideal_halving(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    double squares[2];
    gas_trial_init(&trial, verify, device, "gas.piston");
    trial.of = "ideal";
    make_walls(&trial, 160, 40);
    trial.params.wall_method = SHOAL_GAS_W3;
    trial.params.particles = 1024;
    trial.params.epsilon = 0;
    trial.params.cutoff = 1; /* of lists, which are short */
    trial.params.skin = 1;
    trial.params.piston_speed = -0.08;
    trial.params.steps = 200000;
    if (gas_trial_run(&trial) && sum_squares(&trial, squares)) {
        /* NVE: the sums at the start are those of the temperature 1, which the start has exactly for the sum
         * of both axes; the sum across does not change. */
        const double start = 2 * (double)trial.params.particles - 1, along = start - squares[1];
        gas_trial_row(&trial, "halving", trial.params.steps, fabs(squares[0] / along / 4 - 1), 0.01,
                      "temperature along the piston grew by %.4f against 4", squares[0] / along);
    }
    gas_trial_clear(&trial);
}

/* A slow piston halves the length of a dilute gas whose collisions keep both axes at one temperature: by the
 * entropy of the virial series, T2 / T1 = 2 exp(B2 (rho2 - rho1)). B2 = 1.582 is that of WCA in 2D at 1.41,
 * between 1.623 at T = 1 and 1.538 at T = 2, by numerical integration of -pi (exp(-u / T) - 1) r dr. A
 * particle collides about a hundred times. */
static void verify_dilute_halving(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    gas_trial_init(&trial, verify, device, "gas.piston");
    trial.of = "dilute";
    make_walls(&trial, 100, 400);
    trial.params.particles = 400;
    trial.params.potential = SHOAL_GAS_WCA;
    trial.params.piston_speed = -0.01;
    trial.params.steps = 1000000;
    trial.params.thermo = 1000;
    if (gas_trial_run(&trial)) {
        struct shoal_gas_thermo end;
        struct shoal_error error;
        if (shoal_gas_get_thermo(trial.report.solver, &end, &error) != SHOAL_OK) {
            gas_trial_failed(&trial, &error);
        } else {
            const double wanted = 2 * exp(1.582 * 0.01);
            gas_trial_row(&trial, "halving", trial.params.steps, fabs(end.temperature / wanted - 1), 0.01,
                          "temperature grew by %.4f against %.4f", end.temperature, wanted);
        }
    }
    gas_trial_clear(&trial);
}

void verify_gas_piston(struct verify *verify, struct shoal_device *device)
{
    void (*const parts[])(struct verify *, struct shoal_device *) = {verify_ensemble, verify_ideal_halving,
                                                                     verify_dilute_halving};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !cli_stopped(NULL); i++)
        parts[i](verify, device);
}
