/* Known states of the Lennard-Jones gas, and its Boyle temperature, from replicas of one run. */
#include "cli/cli.h"
#include "cli/gas/replicas/boyle.h"
#include "cli/gas/verify/state_points.h"
#include "cli/gas/verify/verify.h"

#include <math.h>
#include <shoal/replicas.h>
#include <stdlib.h>

enum {
    PARTICLES = 1024,
    COPIES = 16,      /* replicas of each state */
    TEMPERATURES = 6, /* around the Boyle temperature */
    BOYLE_STATES = 2 * TEMPERATURES,
    STATES = GAS_STATE_POINTS + BOYLE_STATES
};

/* Around the Boyle temperature: temperatures, and the two densities of each. Two densities separate the
 * second virial coefficient from the third; they are so low that the fourth changes the result by less than
 * 0.005. */
static const double lowest = 1.3, highest = 1.55, densities[2] = {0.05, 0.1};
/* The temperature at which the second virial coefficient is 0, of the force truncated at 2.5. */
static const double boyle_temperature = 1.42;

/* A state, and its means over the replicas. */
struct state {
    double temperature, density;
    double pressure, pressure_error, potential, potential_error;
};

static void list_states(struct state states[STATES])
{
    for (size_t i = 0; i < GAS_STATE_POINTS; i++)
        states[i] = (struct state){.temperature = gas_state_points[i].temperature,
                                   .density = gas_state_points[i].density};
    for (size_t i = 0; i < BOYLE_STATES; i++)
        states[GAS_STATE_POINTS + i] =
            (struct state){.temperature = lowest + (highest - lowest) * (double)(i / 2) / (TEMPERATURES - 1),
                           .density = densities[i % 2]};
}

static enum shoal_status take_means(struct shoal_gas_replicas *replicas, struct state states[STATES],
                                    uint64_t *samples, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < (size_t)STATES * COPIES && !status; i++) {
        struct state *state = &states[i / COPIES];
        struct shoal_gas_replica row = {.size = sizeof row};
        status = shoal_gas_replicas_get(replicas, i, &row, error);
        state->pressure += row.pressure / COPIES;
        state->potential += row.potential / COPIES;
        state->pressure_error = hypot(state->pressure_error, row.pressure_error / COPIES);
        state->potential_error = hypot(state->potential_error, row.potential_error / COPIES);
        *samples = row.samples;
    }
    return status;
}

/* Makes the steps in parts, so that Ctrl-C ends them. */
static enum shoal_status make_steps(struct shoal_gas_replicas *replicas, struct shoal_error *error)
{
    uint64_t done = 1;
    enum shoal_status status = SHOAL_OK;
    while (!status && done > 0 && !cli_stopped(NULL))
        status = shoal_gas_replicas_step(replicas, 500, &done, error);
    return status;
}

static enum shoal_status run_states(const struct gas_trial *trial, struct state states[STATES],
                                    uint64_t *samples, struct shoal_error *error)
{
    double temperature[STATES * COPIES], density[STATES * COPIES];
    struct shoal_gas_replicas *replicas = NULL;
    struct shoal_queue *queue = NULL;
    for (size_t i = 0; i < (size_t)STATES * COPIES; i++) {
        temperature[i] = states[i / COPIES].temperature;
        density[i] = states[i / COPIES].density;
    }
    const struct shoal_gas_replicas_params params =
        SHOAL_GAS_REPLICAS_PARAMS(.gas = &trial->params, .count = (size_t)STATES * COPIES,
                                  .temperature = temperature, .density = density,
                                  .variant = trial->verify->variant);
    enum shoal_status status = shoal_device_get_info(trial->device)->is_host
                                   ? SHOAL_OK
                                   : shoal_queue_create(trial->device, 0, &queue, error);
    if (!status)
        status = shoal_gas_replicas_create(trial->device, queue, &params, &replicas, error);
    if (!status)
        status = make_steps(replicas, error);
    if (!status)
        status = take_means(replicas, states, samples, error);
    shoal_gas_replicas_destroy(&replicas);
    shoal_queue_destroy(&queue);
    return status;
}

/* The temperature at which B2 is 0, by a line through B2 as a function of 1 / T. */
static double zero_of_second(const struct state states[BOYLE_STATES])
{
    const double kinetic = (PARTICLES - 1.0) / PARTICLES; /* of velocity rescaling */
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < BOYLE_STATES; i += 2) {
        const struct gas_estimate pressure[] = {{states[i].pressure, states[i].pressure_error},
                                                {states[i + 1].pressure, states[i + 1].pressure_error}};
        const double inverse = 1 / states[i].temperature,
                     second = gas_second_virial(kinetic, states[i].temperature, densities, pressure).value;
        x += inverse / TEMPERATURES;
        y += second / TEMPERATURES;
        xx += inverse * inverse / TEMPERATURES;
        xy += inverse * second / TEMPERATURES;
    }
    const double slope = (xy - x * y) / (xx - x * x);
    return 1 / (x - y / slope);
}

static void compare(const struct gas_trial *trial, const char *law, uint64_t samples, double mean,
                    double error, double known, double known_error)
{
    /* the particles are fewer than those of the known state, and dt is longer */
    const double systematic = 0.001;
    gas_trial_row(trial, law, samples, fabs(mean - known) / hypot(hypot(error, known_error), systematic), 3,
                  "%.5g +- %.2g against %.5g +- %.2g, in standard errors", mean, error, known, known_error);
}

void verify_gas_replicas(struct verify *verify, struct shoal_device *device)
{
    struct state states[STATES];
    struct shoal_error error = {0};
    struct gas_trial trial;
    uint64_t samples = 0;
    list_states(states);
    gas_trial_init(&trial, verify, device, "gas.replicas");
    trial.params = gas_state_point_params(gas_state_points, PARTICLES, 400, SHOAL_GAS_RESCALE);
    trial.params.density = NAN;
    trial.params.dt = 0.005;
    trial.params.steps = 80000;
    trial.params.equilibration = 16000;
    if (run_states(&trial, states, &samples, &error)) {
        gas_trial_failed(&trial, &error);
        return;
    }
    for (size_t i = 0; i < GAS_STATE_POINTS && !cli_stopped(NULL); i++) {
        const struct gas_state_point *point = &gas_state_points[i];
        char *of = cli_sprintf("T=%.1f density=%.2f", point->temperature, point->density);
        trial.of = of;
        compare(&trial, "pressure", samples, states[i].pressure, states[i].pressure_error, point->pressure,
                point->pressure_error);
        compare(&trial, "energy", samples, states[i].potential, states[i].potential_error, point->energy,
                point->energy_error);
        free(of);
    }
    trial.of = NULL;
    if (cli_stopped(NULL))
        return;
    const double found = zero_of_second(states + GAS_STATE_POINTS);
    gas_trial_row(&trial, "Boyle temperature", samples, fabs(found - boyle_temperature), 0.03,
                  "%.4f against %.2f, by two densities at each of %d temperatures", found, boyle_temperature,
                  TEMPERATURES);
}
