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

/* Temperatures of a gas whose piston is held before and after it moves. */
struct held {
    uint64_t begins[2], ends[2]; /* steps of the samples of each part, without those of its relaxation */
    double sums[2];
    uint64_t counts[2];
    struct shoal_error error;
};

static bool sample_held(void *data, struct shoal_solver *solver, uint64_t step, const char **failure)
{
    struct held *held = data;
    struct shoal_gas_thermo thermo;
    for (size_t part = 0; part < 2; part++) {
        if (step < held->begins[part] || step > held->ends[part])
            continue;
        if (shoal_gas_get_thermo(solver, &thermo, &held->error) != SHOAL_OK) {
            *failure = held->error.message;
            return true;
        }
        held->sums[part] += thermo.temperature;
        held->counts[part]++;
    }
    return false;
}

/* The entropy of a particle of a dilute gas of WCA in 2D between two soft walls, without its constant, is
 * log(T) + log(W) + s / W - rho (B2 + T dB2/dT): W = p + 2 s is the width that particles of the temperature T
 * have, with s = sqrt(pi T / (2 k)) for each wall of stiffness k. The virial term is that of the free energy
 * T rho B2. `virial` is B2 + T dB2/dT, by numerical integration of -pi (exp(-u / T) - 1 + u / T exp(-u / T))
 * r dr. Returns the entropy less log(T). */
static double entropy(double width, double density, double virial, double temperature, double stiffness)
{
    const double s = sqrt(0.5 * acos(-1) * temperature / stiffness), all = width + 2 * s;
    return log(all) + s / all - density * virial;
}

/* A slow piston halves the length of a dilute gas whose collisions keep both axes at one temperature, so that
 * its entropy stays: T2 / T1 is 2 exp(rho2 G2 - rho1 G1) with G = B2 + T dB2/dT. The soft walls lower it by
 * 0.2 %. The temperatures are means over a held piston: that of one moment differs from them by 0.3 %. At the
 * start the lattice has no potential energy; it forms from the kinetic energy. A particle collides about a
 * hundred times. The viscosity heats the gas by 0.2 %, and the work differs by 0.2 % from seed to seed. */
static void verify_dilute_halving(struct verify *verify, struct shoal_device *device)
{
    enum { RELAXATION = 20000, HELD = 50000, MOVES = 1000000, BEGINS = RELAXATION + HELD };
    struct gas_trial trial;
    char schedule[80];
    struct held held = {.begins = {RELAXATION, BEGINS + MOVES + RELAXATION},
                        .ends = {BEGINS, 2 * BEGINS + MOVES}};
    gas_trial_init(&trial, verify, device, "gas.piston");
    trial.of = "dilute";
    make_walls(&trial, 100, 400);
    snprintf(schedule, sizeof schedule, "%d piston-speed -0.01; %d piston-speed 0;", BEGINS, BEGINS + MOVES);
    trial.params.particles = 400;
    trial.params.potential = SHOAL_GAS_WCA;
    trial.params.wall_stiffness = 1000;
    trial.params.piston_speed = 0;
    trial.params.schedule = schedule;
    trial.params.steps = 2 * BEGINS + MOVES;
    trial.params.thermo = 1000;
    trial.params.frames = 200;
    trial.params.on_moment = sample_held;
    trial.params.data = &held;
    if (gas_trial_run(&trial)) {
        const double before = held.sums[0] / (double)held.counts[0];
        const double after = held.sums[1] / (double)held.counts[1];
        const double wanted =
            exp(entropy(100, 0.01, 1.5074, 1, 1000) - entropy(50, 0.02, 1.4074, 2.02, 1000));
        gas_trial_row(&trial, "halving", trial.params.steps, fabs(after / before / wanted - 1), 0.01,
                      "temperature grew by %.4f against %.4f", after / before, wanted);
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
