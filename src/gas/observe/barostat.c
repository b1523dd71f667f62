/* Constant pressure by stochastic cell rescaling: volume and shape of the box, the error of a change as an
 * energy, and the change of the box of a solver. */
#include "gas/observe/barostat.h"
#include "base/error.h"
#include "gas/model/problem.h"
#include "gas/model/thermostat.h"

#include <math.h>

/* The largest change of the logarithm of the volume, and of a length, at a time. A larger one leaves the
 * range in which the Langevin equation holds. */
static const double most_change = 0.2;
/* A gas of fewer particles makes smaller changes: the volume of n particles changes by about the fraction
 * sqrt(2 h / (n t)) in the time h with the relaxation time t. */
enum { FEW_PARTICLES = 1000 };

/* The constants and the random number of a change of the box. */
struct move {
    double span;        /* time since the change before */
    double approach;    /* time by which the drift of l = sqrt(volume) is multiplied */
    double spread;      /* time in the variance of the change of l */
    double rate;        /* compressibility over relaxation time */
    double pressure;    /* wanted pressure */
    double temperature; /* of the thermostat */
    double normal;      /* a standard normal number */
    size_t axes;        /* number of axes that follow pressures of their own; 0: all have one factor */
    double normals[GAS_MAX_DIM]; /* a standard normal number for each of these axes */
};

/* The state of a gas before or after a change of the box. */
struct box_state {
    double volume, pressure;
    double energy;             /* kinetic plus potential energy */
    double along[GAS_MAX_DIM]; /* pressure along each axis, less `pressure` */
};

static double relaxation_of(const struct shoal_gas_params *params)
{
    return gas_given_or(params->pressure_relaxation, 10);
}

uint64_t gas_barostat_interval(const struct gas_problem *problem)
{
    const struct shoal_gas_params *params = problem->params;
    const double steps = relaxation_of(params) / ((problem->n < FEW_PARTICLES ? 50 : 20) * params->dt);
    return steps >= 100 ? 100 : steps > 1 ? (uint64_t)steps : 1;
}

static struct move draw_move(const struct gas_problem *problem, uint64_t steps_done)
{
    const struct shoal_gas_params *params = problem->params;
    const struct shoal_words words =
        shoal_random_words(gas_seed(problem), SHOAL_STREAM_GAS_RESCALE, (uint32_t)(steps_done + 1), 1, 0);
    const double span = (double)gas_barostat_interval(problem) * params->dt, time = relaxation_of(params);
    struct move move = {
        .span = span,
        .approach = -time * expm1(-span / time),
        .spread = -0.5 * time * expm1(-2 * span / time),
        .rate = problem->compressibility / time,
        .pressure = gas_value_after(problem, GAS_PRESSURE, steps_done),
        .temperature = gas_value_after(problem, GAS_TEMPERATURE, steps_done),
        .axes = gas_has_axis_pressures(params) ? problem->dim : 0,
    };
    gas_normal_pair(words.x, words.y, &move.normal, &move.normals[0]);
    gas_normal_pair(words.z, words.w, &move.normals[1], &move.normals[2]);
    return move;
}

/* The deterministic part of the speed of l = sqrt(volume). */
static double drift(const struct move *move, const struct box_state *at)
{
    return 0.5 * move->rate * sqrt(at->volume) *
           (at->pressure - move->pressure + 0.5 * move->temperature / at->volume);
}

/* Returns the new volume; NaN: the step of the Langevin equation ends at no volume above 0. */
static double next_volume(const struct move *move, const struct box_state *before)
{
    const double noise = sqrt(0.5 * move->temperature * move->rate * move->spread);
    const double root = sqrt(before->volume) + drift(move, before) * move->approach + noise * move->normal;
    return root > 0 ? root * root : NAN;
}

/* The variance of the change of the logarithm of a length by its random number. */
static double variance_of(const struct move *move, const struct box_state *at)
{
    return 2 * move->temperature * move->rate * move->span / ((double)move->axes * at->volume);
}

/* The deterministic change of the logarithm of a length against that of all lengths. */
static double push_of(const struct move *move, const struct box_state *at, size_t axis)
{
    return move->rate / (double)move->axes * at->along[axis] * move->span;
}

/* Computes the changes of the logarithms of the lengths against that of all lengths; their sum is 0. */
static void change_shape(const struct move *move, const struct box_state *before, double shape[GAS_MAX_DIM])
{
    double mean = 0;
    for (size_t k = 0; k < move->axes; k++)
        mean += move->normals[k] / (double)move->axes;
    for (size_t k = 0; k < GAS_MAX_DIM; k++)
        shape[k] = k < move->axes ? push_of(move, before, k) +
                                        sqrt(variance_of(move, before)) * (move->normals[k] - mean)
                                  : 0;
}

/* -T times the logarithm of w(after -> before) / w(before -> after) for the change of the shape, a point of
 * axes - 1 dimensions with normal numbers along each. */
static double shape_error(const struct move *move, const struct box_state *before,
                          const struct box_state *after, const double shape[GAS_MAX_DIM])
{
    const double there = variance_of(move, before), back = variance_of(move, after);
    double error = 0;
    for (size_t k = 0; k < move->axes; k++)
        error += pow(shape[k] + push_of(move, after, k), 2) / (2 * back) -
                 pow(shape[k] - push_of(move, before, k), 2) / (2 * there);
    if (move->axes)
        error += 0.5 * (double)(move->axes - 1) * log(back / there);
    return move->temperature * error;
}

/* Returns the error of a change of the box as an energy, to be added to the conserved energy: -T times the
 * logarithm of p(after) w(after -> before) / (p(before) w(before -> after)), where p is the probability of a
 * state at the wanted pressure and w that of the change.
 *
 * The probability of l is proportional to l exp(-(energy + pressure l^2) / T). The normal numbers of the
 * change and of its reverse are (d - a g) / s and (-d - a' g) / s with the change d of l, the speeds a before
 * and a' after it, the times g = `approach` and q = `spread`, and s^2 = T rate q / 2. All shapes of a volume
 * have the same probability apart from the energy. */
static double error_of(const struct move *move, const struct box_state *before, const struct box_state *after,
                       const double shape[GAS_MAX_DIM])
{
    const double change = sqrt(after->volume) - sqrt(before->volume);
    const double speed = drift(move, before), next = drift(move, after);
    return after->energy - before->energy + move->pressure * (after->volume - before->volume) -
           0.5 * move->temperature * log(after->volume / before->volume) +
           (speed + next) * (2 * change + (next - speed) * move->approach) * move->approach /
               (move->rate * move->spread) +
           shape_error(move, before, after, shape);
}

/* Checks a new box: its change is small, it holds two cutoffs, and the ranges of samples fit. */
static enum shoal_status check_box(const struct gas_problem *problem, uint64_t steps_done, double volume,
                                   const double length[GAS_MAX_DIM], struct shoal_error *error)
{
    const double cutoff = problem->pair.cutoff;
    const long long step = gas_failed_step(problem, steps_done);
    if (isnan(volume))
        return fail(error, SHOAL_CHECK_FAILED,
                    "the volume of the box, %.6g, would become 0 or less at step %lld: lower "
                    "--compressibility (%.3g), or raise --pressure-relaxation or --particles",
                    problem->volume, step, problem->compressibility);
    if (!(fabs(log(volume / problem->volume)) <= most_change))
        return fail(error, SHOAL_CHECK_FAILED,
                    "the volume of the box, %.6g, would change to %.3g at once at step %lld: lower "
                    "--compressibility (%.3g), or raise --pressure-relaxation or --particles",
                    problem->volume, volume, step, problem->compressibility);
    for (size_t k = 0; k < problem->dim; k++)
        if (!(fabs(log(length[k] / problem->length[k])) <= most_change))
            return fail(error, SHOAL_CHECK_FAILED,
                        "the length of the box along %c, %.6g, would change to %.3g at once at step %lld: "
                        "lower --compressibility (%.3g), or raise --pressure-relaxation or --particles",
                        "xyz"[k], problem -> length[k], length[k], step, problem -> compressibility);
    for (size_t k = 0; k < problem->dim; k++)
        if (length[k] < 2 * cutoff)
            return fail(error, SHOAL_CHECK_FAILED,
                        "the box shrinks to %.6g along %c at step %lld, below two cutoffs of %.6g: take more "
                        "--particles, or lower --cutoff or --pressure",
                        length[k], "xyz"[k], step, cutoff);
    return gas_check_ranges(problem->params, length, error);
}

/* is_sampled: a sample of this state was taken, which is not measured again. */
static enum shoal_status look(struct shoal_solver *solver, bool is_sampled, struct box_state *state,
                              struct shoal_error *error)
{
    const struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    struct shoal_gas_thermo thermo = common->clock.last;
    double impulse, tensor[STRESS_PARTS], *const wanted[GAS_TABLES] = {[SHOAL_GAS_TENSOR] = tensor};
    enum shoal_status status =
        is_sampled ? SHOAL_OK : common->stepper->measure(solver, &thermo, &impulse, error);
    *state =
        (struct box_state){.volume = problem->volume, .pressure = thermo.pressure, .energy = thermo.total};
    if (status || !gas_has_axis_pressures(problem->params))
        return status;
    status = common->stepper->tabulate(solver, wanted, error);
    if (status)
        return status;
    double mean = 0;
    for (size_t k = 0; k < problem->dim; k++)
        mean += tensor[STRESS_XX + k] / (problem->volume * (double)problem->dim);
    for (size_t k = 0; k < problem->dim; k++)
        state->along[k] = tensor[STRESS_XX + k] / problem->volume - mean;
    return SHOAL_OK;
}

enum shoal_status gas_barostat_act(struct shoal_solver *solver, struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const struct gas_problem *problem = common->problem;
    const uint64_t steps_done = common->clock.steps_done;
    struct box_state before, after;
    if (isnan(problem->params->pressure) || steps_done == common->box.changed_at ||
        steps_done % gas_barostat_interval(problem) != 0)
        return SHOAL_OK;
    const struct move move = draw_move(problem, steps_done);
    enum shoal_status status = look(solver, common->sampled_at == steps_done, &before, error);
    if (status)
        return status;
    const double volume = next_volume(&move, &before);
    const double factor = pow(volume / before.volume, 1 / (double)problem->dim);
    double length[GAS_MAX_DIM] = {1, 1, 1}, shape[GAS_MAX_DIM];
    change_shape(&move, &before, shape);
    for (size_t k = 0; k < problem->dim; k++)
        length[k] = problem->length[k] * factor * exp(shape[k]);
    status = check_box(problem, steps_done, volume, length, error);
    if (!status)
        status = common->stepper->resize(solver, length, error);
    if (!status)
        status = look(solver, false, &after, error);
    common->box.changed_at = steps_done;
    if (!status)
        common->box.work += after.energy - before.energy - error_of(&move, &before, &after, shape);
    return status;
}
