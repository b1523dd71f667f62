/* The thermostats that scale all velocities: when they act, the random numbers of the stochastic rescaling,
 * the moves of the chain. */
#include "gas/model/thermostat.h"

/* Number of steps between two rescalings: a tenth of the relaxation time, to save launches and waits, but at
 * least 1 and at most 100, so that rescalings do not hide wrong forces. */
static uint64_t rescale_interval(const struct shoal_gas_params *params)
{
    const double steps = gas_relaxation_of(params) / (10 * params->dt);
    return steps >= 100 ? 100 : steps > 1 ? (uint64_t)steps : 1;
}

static bool is_active(const struct shoal_gas_params *params, uint64_t steps_done)
{
    return gas_scales_velocities(params) || steps_done < params->equilibration;
}

bool gas_rescale_is_due(const struct shoal_gas_params *params, uint64_t steps_done)
{
    return steps_done && is_active(params, steps_done) && steps_done % rescale_interval(params) == 0;
}

uint64_t gas_rescale_next(const struct shoal_gas_params *params, uint64_t steps_done)
{
    const uint64_t interval = rescale_interval(params);
    const uint64_t next = steps_done - steps_done % interval + interval;
    return is_active(params, next) ? next : UINT64_MAX;
}

/* The random numbers of one rescaling: `draw` is the number of the next draw. */
struct dice {
    uint64_t seed;
    uint32_t step, draw;
};

static struct shoal_words throw_dice(struct dice *dice)
{
    return shoal_random_words(dice->seed, SHOAL_STREAM_GAS_RESCALE, dice->step, 0, dice->draw++);
}

/* Returns a random number of the gamma distribution with scale 1 and a shape of at least 1/2: Marsaglia and
 * Tsang, ACM TOMS 26, 363, 2000. */
static double gamma_variate(struct dice *dice, double shape)
{
    const double boosted = shape < 1 ? shape + 1 : shape;
    const double d = boosted - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const struct shoal_words words = throw_dice(dice);
        double x, unused;
        gas_normal_pair(words.x, words.y, &x, &unused);
        const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
        const double u = (words.z + 0.5) * 0x1p-32;
        if (v > 0 && log(u) < 0.5 * x * x + d * (1 - v + log(v)))
            return d * v * (shape < 1 ? pow((words.w + 0.5) * 0x1p-32, 1 / shape) : 1);
    }
}

struct gas_rescaling gas_rescale_draw(const struct gas_problem *problem, uint64_t steps_done)
{
    const struct shoal_gas_params *params = problem->params;
    struct dice dice = {.seed = gas_seed(problem), .step = (uint32_t)(steps_done + 1)};
    const double time = (double)rescale_interval(params) * params->dt;
    struct gas_rescaling rescaling = {.keep = exp(-time / gas_relaxation_of(params)),
                                      .change = -expm1(-time / gas_relaxation_of(params)),
                                      .temperature = gas_value_after(problem, GAS_TEMPERATURE, steps_done)};
    const struct shoal_words words = throw_dice(&dice);
    double unused;
    gas_normal_pair(words.x, words.y, &rescaling.normal, &unused);
    if (problem->degrees > 1)
        rescaling.squares = 2 * gamma_variate(&dice, 0.5 * (problem->degrees - 1));
    return rescaling;
}

double gas_rescale_factor(const struct gas_rescaling *rescaling, double kinetic)
{
    const double x = 0.5 * rescaling->temperature / kinetic, r = rescaling->normal;
    if (!(kinetic > 0))
        return 1;
    const double growth = rescaling->change * (x * (rescaling->squares + r * r) - 1) +
                          2 * r * sqrt(rescaling->keep * rescaling->change * x);
    const double factor = sqrt(fmax(1 + growth, 0));
    return r + sqrt(rescaling->keep / (rescaling->change * x)) < 0 ? -factor : factor;
}

/* The chain -------------------------------------------------------------------------------------------- */

bool gas_chain_acts(const struct shoal_gas_params *params, uint64_t steps_done)
{
    return params->thermostat == SHOAL_GAS_CHAIN && steps_done >= params->equilibration;
}

struct gas_chain_move gas_chain_move_at(const struct gas_problem *problem, uint64_t steps_done)
{
    const struct shoal_gas_params *params = problem->params;
    return (struct gas_chain_move){.span = (double)rescale_interval(params) * params->dt,
                                   .relaxation = gas_relaxation_of(params),
                                   .temperature = gas_value_after(problem, GAS_TEMPERATURE, steps_done),
                                   .degrees = problem->degrees};
}

/* Accelerates thermostat `link` of the chain for the time `half`. share: kinetic energy of the gas over its
 * target. The masses are f T relaxation^2 for the first thermostat and T relaxation^2 for the others. */
static void push_link(const struct gas_chain_move *move, size_t link, double share, double half,
                      double chain[GAS_CHAIN])
{
    const double rate2 = 1 / (move->relaxation * move->relaxation);
    const double drag = link + 1 < GAS_CHAIN ? exp(-0.5 * half * chain[link + 1]) : 1;
    const double before = link > 0 ? chain[link - 1] * chain[link - 1] : 0;
    const double push = link == 0   ? (share - 1) * rate2
                        : link == 1 ? move->degrees * before - rate2
                                    : before - rate2;
    chain[link] = (chain[link] * drag + push * half) * drag;
}

/* Kinetic energy of the thermostats, over the temperature. */
static double links_energy(const struct gas_chain_move *move, const double chain[GAS_CHAIN])
{
    double sum = move->degrees * chain[0] * chain[0];
    for (size_t link = 1; link < GAS_CHAIN; link++)
        sum += chain[link] * chain[link];
    return 0.5 * move->relaxation * move->relaxation * sum;
}

double gas_chain_factor(const struct gas_chain_move *move, double kinetic, double chain[GAS_CHAIN],
                        double *energy)
{
    /* The three parts of a step of fourth order: Suzuki 1990, Yoshida 1990. */
    static const double parts[] = {1.3512071919596578, -1.7024143839193153, 1.3512071919596578};
    double share = 2 * kinetic / (move->degrees * move->temperature), factor = 1;
    *energy = 0;
    if (!(kinetic > 0))
        return 1;
    double gained = -links_energy(move, chain);
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        const double time = parts[part] * move->span;
        for (size_t link = GAS_CHAIN; link-- > 0;)
            push_link(move, link, share, 0.5 * time, chain);
        const double scale = exp(-time * chain[0]);
        factor *= scale;
        share *= scale * scale;
        /* The potential energies of the thermostats change by f T and T times their displacements. */
        gained += time * move->degrees * chain[0];
        for (size_t link = 1; link < GAS_CHAIN; link++)
            gained += time * chain[link];
        for (size_t link = 0; link < GAS_CHAIN; link++)
            push_link(move, link, share, 0.5 * time, chain);
    }
    *energy = move->temperature * (gained + links_energy(move, chain));
    return factor;
}

bool gas_keeps_temperature(const struct shoal_gas_params *params)
{
    const int32_t walls[] = {params->wall_left, params->wall_right, params->wall_bottom,
                             params->wall_top,  params->wall_front, params->wall_back};
    bool is_thermal = false;
    for (size_t w = 0; w < sizeof walls / sizeof *walls; w++)
        is_thermal = is_thermal || walls[w] == SHOAL_GAS_WALL_THERMAL;
    return params->thermostat != SHOAL_GAS_NVE || params->equilibration > 0 ||
           (is_thermal && isnan(params->wall_temperature));
}
