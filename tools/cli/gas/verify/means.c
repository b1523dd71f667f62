/* Compares means over long runs of gases with tables and laws. Seeds are fixed, but figures differ from
 * device to device, since trajectories diverge by rounding. */
#include "cli/cli.h"
#include "cli/gas/verify/plasma.h"
#include "cli/gas/verify/state_points.h"
#include "cli/gas/verify/verify.h"

#include <math.h>
#include <stdlib.h>

/* Limit of deviations, in standard errors. */
static const double sigmas = 3;

static uint64_t samples_of(const struct gas_trial *trial)
{
    return (uint64_t)gas_trial_value(trial, "samples");
}

/* Compares a mean with a value known to `known_error`; the deviation is in units of the common standard
 * error. */
static void compare_mean(const struct gas_trial *trial, const char *law, double mean, double error,
                         double known, double known_error)
{
    gas_trial_row(trial, law, samples_of(trial), fabs(mean - known) / hypot(error, known_error), sigmas,
                  "%.5g +- %.2g against %.5g +- %.2g, in standard errors", mean, error, known, known_error);
}

/* Compares a mean pressure with `known`. If the error of the mean exceeds the share `precision` of the mean,
 * a comparison would show nothing, and the row fails. */
static void compare_pressure(const struct gas_trial *trial, const char *name, const char *law, double known,
                             double known_error, double precision)
{
    char *error_name = cli_sprintf("%s_error", name);
    const double mean = gas_trial_value(trial, name), error = gas_trial_value(trial, error_name);
    free(error_name);
    if (error <= precision * fabs(mean))
        compare_mean(trial, law, mean, error, known, known_error);
    else
        gas_trial_row(trial, law, samples_of(trial), error / fabs(mean), precision,
                      "not precise enough: error of the mean %.5g over it", mean);
}

/* States ----------------------------------------------------------------------------------------------- */

void verify_gas_states(struct verify *verify, struct shoal_device *device)
{
    for (size_t i = 0; i < GAS_STATE_POINTS && !cli_stopped(NULL); i++) {
        const struct gas_state_point *point = &gas_state_points[i];
        struct gas_trial trial;
        char *of = cli_sprintf("T=%.1f density=%.2f", point->temperature, point->density);
        gas_trial_init(&trial, verify, device, "gas.states");
        trial.of = of;
        trial.params = gas_state_point_params(point, GAS_STATE_POINT_PARTICLES, 2000, SHOAL_GAS_RESCALE);
        if (gas_trial_run(&trial)) {
            compare_pressure(&trial, "pressure", "pressure", point->pressure, point->pressure_error, 0.003);
            compare_mean(&trial, "energy", gas_trial_value(&trial, "potential"),
                         gas_trial_value(&trial, "potential_error"), point->energy, point->energy_error);
        }
        gas_trial_clear(&trial);
        free(of);
    }
}

/* Keeps the pressures of the states of density 0.4 at the temperatures 1 and 2, and compares the mean
 * density. Its standard error is about 0.15 %. At this dt the shown temperature is 0.08 % too low, which is
 * set right by the thermostat at the cost of the temperature of the positions. */
void verify_gas_pressure(struct verify *verify, struct shoal_device *device)
{
    for (size_t i = 0; i < GAS_STATE_POINTS && !cli_stopped(NULL); i++) {
        const struct gas_state_point *point = &gas_state_points[i];
        struct gas_trial trial;
        if (point->density != 0.4 || point->temperature < 1)
            continue;
        char *of = cli_sprintf("T=%.1f P=%.5f", point->temperature, point->pressure);
        gas_trial_init(&trial, verify, device, "gas.pressure");
        trial.of = of;
        trial.params = gas_state_point_params(point, GAS_STATE_POINT_PARTICLES, 2000, SHOAL_GAS_RESCALE);
        trial.params.dt *= 2;
        trial.params.steps /= 2;
        trial.params.equilibration /= 2;
        trial.params.pressure = point->pressure;
        trial.params.pressure_relaxation = 2;
        if (gas_trial_run(&trial)) {
            const double found = gas_trial_value(&trial, "mean_density");
            gas_trial_row(&trial, "density", samples_of(&trial), fabs(found / point->density - 1), 0.005,
                          "%.5f +- %.2g against %.3f", found, gas_trial_value(&trial, "mean_density_error"),
                          point->density);
        }
        gas_trial_clear(&trial);
        free(of);
    }
}

/* The mixture of 650 and 350 particles whose states LAMMPS has computed in 400,000 steps. */
void verify_gas_mixtures(struct verify *verify, struct shoal_device *device)
{
    static const struct {
        double temperature, pressure, pressure_error, energy, energy_error;
    } points[] = {{1, 13.96, 0.02, -2.854, 0.002}, {2, 23.54, 0.03, -1.940, 0.003}};
    for (size_t i = 0; i < sizeof points / sizeof *points && !cli_stopped(NULL); i++) {
        struct gas_trial trial;
        char *of = cli_sprintf("T=%.1f", points[i].temperature);
        gas_trial_init(&trial, verify, device, "gas.mixtures");
        trial.of = of;
        trial.params.species = "A=650,B=350:epsilon=0.5:sigma=0.88";
        trial.params.species_pairs = "A-B:epsilon=1.5:sigma=0.8";
        trial.params.density = 1.2;
        trial.params.temperature = points[i].temperature;
        trial.params.cut = SHOAL_GAS_CUT_TRUNCATED;
        trial.params.thermostat = SHOAL_GAS_LANGEVIN;
        trial.params.minimise = 300;
        trial.params.dt = 0.002;
        trial.params.equilibration = 50000;
        trial.params.thermo = 20;
        trial.params.steps = 400000;
        if (gas_trial_run(&trial)) {
            compare_pressure(&trial, "pressure", "pressure", points[i].pressure, points[i].pressure_error,
                             0.003);
            compare_mean(&trial, "energy", gas_trial_value(&trial, "potential"),
                         gas_trial_value(&trial, "potential_error"), points[i].energy,
                         points[i].energy_error);
        }
        gas_trial_clear(&trial);
        free(of);
    }
}

/* Compares the pressure with the virial series. The gas is dilute, so that each term of the series is smaller
 * than the term before it, and the terms that are left out are small. */
void verify_gas_virials(struct verify *verify, struct shoal_device *device)
{
    for (size_t i = 0; i < GAS_VIRIAL_COEFFICIENTS && !cli_stopped(NULL); i++) {
        const struct gas_virial_coefficients *virial = &gas_virial_coefficients[i];
        struct gas_trial trial;
        char *of = cli_sprintf("T=%.1f", virial->temperature);
        gas_trial_init(&trial, verify, device, "gas.virials");
        trial.of = of;
        trial.params.particles = GAS_STATE_POINT_PARTICLES;
        trial.params.density = 0.02;
        trial.params.temperature = virial->temperature;
        trial.params.cut = SHOAL_GAS_CUT_SHIFTED;
        trial.params.thermostat = SHOAL_GAS_RESCALE;
        trial.params.relaxation = 0.1;
        trial.params.dt = 0.004;
        trial.params.steps = 500000;
        trial.params.equilibration = 50000;
        trial.params.thermo = 10;
        if (gas_trial_run(&trial)) {
            const double density = trial.params.density, n = (double)trial.params.particles;
            const double second = virial->second * density, third = virial->third * density * density;
            const double fourth = third * third / fabs(second);
            /* The total momentum is 0, so the kinetic energy is that of n - 1 particles. */
            const double ideal = density * virial->temperature;
            compare_pressure(&trial, "pressure", "pressure", ideal * (1 - 1 / n + second + third),
                             ideal * fourth, 0.001);
        }
        gas_trial_clear(&trial);
        free(of);
    }
}

/* Fluctuations and speeds ------------------------------------------------------------------------------ */

/* Compares speeds with Maxwell's law: chi^2 over all bins with enough counts, minus the number of these bins,
 * in units of the standard deviation of chi^2. Samples must be far enough apart to be independent. */
static void compare_speeds(const struct gas_trial *trial)
{
    struct shoal_gas_histogram speeds;
    struct shoal_error error;
    double squares = 0, bins = 0;
    if (shoal_gas_get_histogram(trial->report.solver, SHOAL_GAS_SPEEDS, &speeds, &error) != SHOAL_OK) {
        gas_trial_failed(trial, &error);
        return;
    }
    const double count = (double)trial->params.particles * (double)speeds.samples;
    for (size_t b = 0; b < speeds.bins; b++) {
        const double expected = speeds.theory[b] * speeds.width * count;
        const double found = speeds.value[b] * speeds.width * count;
        if (expected > 20) {
            squares += (found - expected) * (found - expected) / expected;
            bins++;
        }
    }
    gas_trial_row(trial, "speeds", (uint64_t)count, fabs(squares - bins) / sqrt(2 * bins), 4,
                  "chi^2 %.1f of %.0f bins of Maxwell's law, in standard deviations", squares, bins);
}

/* Compares the variance of the kinetic energy and the mean temperature with the values of the canonical
 * ensemble. The time between samples is 5 relaxation times of Langevin's friction and 10 of the rescaling
 * and of the chain; 10000 samples give the variance to 1.4 %. */
void verify_gas_thermostats(struct verify *verify, struct shoal_device *device)
{
    static const struct {
        int32_t thermostat;
        const char *name;
    } kinds[] = {
        {SHOAL_GAS_LANGEVIN, "langevin"}, {SHOAL_GAS_RESCALE, "rescale"}, {SHOAL_GAS_CHAIN, "chain"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !cli_stopped(NULL); i++) {
        struct gas_trial trial;
        gas_trial_init(&trial, verify, device, "gas.thermostats");
        trial.of = kinds[i].name;
        trial.params.particles = 256;
        trial.params.density = 0.4;
        trial.params.temperature = 1;
        trial.params.thermostat = kinds[i].thermostat;
        trial.params.friction = kinds[i].thermostat == SHOAL_GAS_LANGEVIN ? 10 : NAN;
        trial.params.relaxation = 0.05;
        trial.params.dt = 0.004;
        trial.params.equilibration = 10000;
        trial.params.thermo = 125;
        trial.params.steps = 1250000;
        trial.params.speed_bins = kinds[i].thermostat == SHOAL_GAS_LANGEVIN ? 50 : 0;
        if (gas_trial_run(&trial)) {
            const double found = gas_trial_value(&trial, "kinetic_fluctuation"),
                         canonical = gas_trial_value(&trial, "kinetic_fluctuation_canonical");
            gas_trial_row(&trial, "fluctuation", samples_of(&trial), fabs(found / canonical - 1), 0.05,
                          "var(K) / <K>^2 %.5f against 2 / f %.5f", found, canonical);
            const double temperature = gas_trial_value(&trial, "temperature");
            gas_trial_row(&trial, "temperature", samples_of(&trial), fabs(temperature - 1), 0.005,
                          "%.5f against 1", temperature);
            if (trial.params.speed_bins)
                compare_speeds(&trial);
        }
        gas_trial_clear(&trial);
    }
}

/* Pressures -------------------------------------------------------------------------------------------- */

void verify_gas_ideal(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    gas_trial_init(&trial, verify, device, "gas.ideal");
    trial.params.epsilon = 0;
    trial.params.particles = 4096;
    trial.params.density = 0.5;
    trial.params.temperature = 1;
    trial.params.boundary_x = trial.params.boundary_y = SHOAL_GAS_WALLS;
    trial.params.thermostat = SHOAL_GAS_LANGEVIN;
    /* The particles do not interact, so a short cutoff and a large skin, which makes rebuilds rare, are
     * enough. */
    trial.params.cutoff = 1;
    trial.params.skin = 2;
    trial.params.dt = 0.02;
    trial.params.equilibration = 500;
    trial.params.thermo = 250; /* 5 relaxation times of the thermostat */
    trial.params.steps = 200000;
    trial.params.speed_bins = 50;
    if (gas_trial_run(&trial)) {
        const double ideal = trial.params.density * trial.params.temperature;
        compare_pressure(&trial, "pressure", "pressure", ideal, 0, 0.003);
        compare_pressure(&trial, "wall_pressure", "wall pressure", ideal, 0, 0.005);
        compare_speeds(&trial);
    }
    gas_trial_clear(&trial);
}

/* Compares the pressure on the walls with the pressure by the virial. Their difference is the mean of d/dt
 * sum m r v, which over 2000 units of time is below 1e-4 of the virial. */
void verify_gas_walls(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    gas_trial_init(&trial, verify, device, "gas.walls");
    trial.params.particles = 1024;
    trial.params.density = 0.5;
    trial.params.temperature = 1.5;
    trial.params.boundary_x = trial.params.boundary_y = SHOAL_GAS_WALLS;
    trial.params.dt = 0.002;
    trial.params.equilibration = 20000;
    trial.params.thermo = 20;
    trial.params.steps = 1000000;
    if (gas_trial_run(&trial)) {
        const double virial = gas_trial_value(&trial, "pressure"),
                     wall = gas_trial_value(&trial, "wall_pressure");
        gas_trial_row(&trial, "pressure", samples_of(&trial), fabs(wall / virial - 1), 0.005,
                      "on the walls %.5g against %.5g by the virial", wall, virial);
    }
    gas_trial_clear(&trial);
}

/* Computes the sum over all pairs of particles of d / (d + softening^2), where d is the squared distance of
 * the pair. */
static double pair_sum(const struct shoal_gas_frame *frame, double softening)
{
    double sum = 0;
    for (size_t i = 0; i < frame->particles; i++)
        for (size_t j = 0; j < i; j++) {
            double d = 0;
            for (size_t k = 0; k < frame->dim; k++)
                d += pow(frame->position[i * frame->dim + k] - frame->position[j * frame->dim + k], 2);
            sum += d / (d + softening * softening);
        }
    return sum;
}

/* Compares the kinetic energy with the virial, by Clausius: 2 <K> = A m <sum d / (d + eps^2)>, the negative
 * of the virial; for the last state also compares the virial with the sum over the pairs. The start is near
 * equilibrium, T = A n m / 4 for point masses, so that sum m r v stays below 1e-3 of the virial during the
 * run, even in its oscillations in the first hundred units of time. */
void verify_gas_log(struct verify *verify, struct shoal_device *device)
{
    struct gas_trial trial;
    struct shoal_gas_thermo thermo;
    struct shoal_gas_frame frame;
    struct shoal_error error;
    gas_trial_init(&trial, verify, device, "gas.log");
    trial.params.potential = SHOAL_GAS_LOG;
    trial.params.method = SHOAL_GAS_ALLPAIRS;
    trial.params.particles = 512;
    trial.params.attraction = 0.01;
    trial.params.softening = 1;
    trial.params.width = trial.params.height = 4000;
    trial.params.boundary_x = trial.params.boundary_y = SHOAL_GAS_OPEN;
    trial.params.start = SHOAL_GAS_DROPLET;
    trial.params.droplet_density = 1;
    trial.params.droplet_share = 1;
    trial.params.temperature = 0.01 * 512 / 4;
    trial.params.dt = 0.02;
    trial.params.thermo = 10;
    trial.params.steps = 250000;
    const double n = (double)trial.params.particles, volume = trial.params.width * trial.params.height;
    if (gas_trial_run(&trial)) {
        const double kinetic = 2 * n * gas_trial_value(&trial, "kinetic"),
                     virial = 2 * volume * gas_trial_value(&trial, "pressure") - kinetic;
        gas_trial_row(&trial, "virial", samples_of(&trial), fabs(virial / kinetic + 1), 0.003,
                      "2 <K> %.5g against -<virial> %.5g", kinetic, -virial);
        if (shoal_gas_get_thermo(trial.report.solver, &thermo, &error) != SHOAL_OK ||
            shoal_gas_get_frame(trial.report.solver, &frame, &error) != SHOAL_OK) {
            gas_trial_failed(&trial, &error);
        } else {
            const double sum = trial.params.attraction * pair_sum(&frame, trial.params.softening),
                         found = 2 * (thermo.kinetic - volume * thermo.pressure);
            gas_trial_row(&trial, "pairs", frame.particles, fabs(found / sum - 1), 1e-5,
                          "-virial %.6g against A m sum d / (d + eps^2) %.6g", found, sum);
        }
    }
    gas_trial_clear(&trial);
}

/* The plasma whose distribution is known, with forces by all pairs and by fast multipoles. */
void verify_gas_plasma(struct verify *verify, struct shoal_device *device)
{
    static const struct {
        int32_t method;
        const char *name;
    } methods[] = {{SHOAL_GAS_ALLPAIRS, "allpairs"}, {SHOAL_GAS_FMM, "fmm"}};
    for (size_t i = 0; i < sizeof methods / sizeof *methods && !cli_stopped(NULL); i++) {
        struct gas_trial trial;
        struct plasma plasma;
        gas_trial_init(&trial, verify, device, "gas.plasma");
        trial.of = methods[i].name;
        trial.params = plasma_params(1000, 50000);
        trial.params.method = methods[i].method;
        plasma_begin(&plasma, &trial.params);
        if (gas_trial_run(&trial)) {
            double error;
            const double squares = plasma_squares(&plasma, &error), exact = plasma_exact_squares(&plasma);
            gas_trial_row(&trial, "sum of r^2", plasma.seen, fabs(squares - exact) / error, sigmas,
                          "%.6g +- %.2g against %.6g, in standard errors", squares, error, exact);
            gas_trial_row(&trial, "density", plasma.seen, plasma_density_deviation(&plasma), 2,
                          "against Q(n, k r^2 / 2T) in rings, root mean square in standard errors");
            gas_trial_row(&trial, "pairs", plasma.seen, plasma_pair_deviation(&plasma), 2,
                          "g(r) against 1 - exp(-pi density r^2), root mean square in standard errors");
        }
        gas_trial_clear(&trial);
    }
}
