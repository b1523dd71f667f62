/* The swarm in plain C and double precision: the solver of the host device and the reference for the kernels.
 *
 * Same random words and the same rules as cl/pso/swarm.cl. Coordinate d of particle i stands at i * dim + d.
 * Threads share out particles, which do not depend on one another within a step, so their number changes no
 * result.
 */
#include "base/error.h"
#include "pso/swarm.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

struct swarm {
    size_t particles, dim;
    double *x, *v, *p; /* particles * dim */
    double *best;      /* particles */
    double *goal;      /* dim: best position of the swarm after the last step */
    double *trace;
    double goal_value;
    uint64_t steps;
    bool drawn;
};

static double *allocate(size_t count)
{
    return calloc(count ? count : 1, sizeof(double));
}

static enum shoal_status create(struct shoal_solver *solver, struct shoal_error *error)
{
    const struct shoal_pso_params *params = pso_params(solver);
    struct swarm *swarm = calloc(1, sizeof *swarm);
    solver->state = swarm;
    if (!swarm)
        return fail_host_memory(error);
    size_t particles = (size_t)params->particles, dim = (size_t)params->dim;
    swarm->particles = particles;
    swarm->dim = dim;
    swarm->x = allocate(particles * dim);
    swarm->v = allocate(particles * dim);
    swarm->p = allocate(particles * dim);
    swarm->best = allocate(particles);
    swarm->goal = allocate(dim);
    swarm->trace = allocate((size_t)pso_trace_count(params, params->iterations));
    if (!swarm->x || !swarm->v || !swarm->p || !swarm->best || !swarm->goal || !swarm->trace)
        return fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                    "the host has no memory for %zu particles of %zu dimensions: lower particles or dim",
                    swarm->particles, swarm->dim);
    return SHOAL_OK;
}

static void destroy(struct shoal_solver *solver)
{
    struct swarm *swarm = solver->state;
    if (!swarm)
        return;
    free(swarm->x);
    free(swarm->v);
    free(swarm->p);
    free(swarm->best);
    free(swarm->goal);
    free(swarm->trace);
    free(swarm);
}

/* In [0, 1), as both precisions of the kernels make it from one word. */
static double uniform(uint32_t word)
{
    return shoal_uniform_double(word, 0);
}

static void draw(const struct shoal_pso_params *params, size_t particle, double *x, double *v)
{
    const double lower = pso_lower(params), upper = pso_upper(params), width = upper - lower;
    for (size_t d = 0; d < params->dim; d += 2) {
        const struct shoal_words position = shoal_random_words(params->seed, SHOAL_STREAM_PSO_POSITION, 0,
                                                               (uint32_t)particle, (uint32_t)(d / 2));
        const struct shoal_words velocity = shoal_random_words(params->seed, SHOAL_STREAM_PSO_VELOCITY, 0,
                                                               (uint32_t)particle, (uint32_t)(d / 2));
        const uint32_t places[2] = {position.x, position.z}, goals[2] = {velocity.x, velocity.z};
        for (size_t k = 0; k < 2 && d + k < params->dim; k++) {
            x[d + k] = fmin(lower + uniform(places[k]) * width, upper);
            v[d + k] = (lower + uniform(goals[k]) * width - x[d + k]) / 2;
        }
    }
}

static void move(const struct shoal_pso_params *params, uint64_t step, size_t particle, double *x, double *v,
                 const double *p, const double *goal)
{
    const double lower = pso_lower(params), upper = pso_upper(params);
    for (size_t d = 0; d < params->dim; d += 2) {
        const struct shoal_words words = shoal_random_words(
            params->seed, SHOAL_STREAM_PSO_MOVE, (uint32_t)step, (uint32_t)particle, (uint32_t)(d / 2));
        const uint32_t own[2] = {words.x, words.z}, swarm[2] = {words.y, words.w};
        for (size_t k = d; k < d + 2 && k < params->dim; k++) {
            v[k] = params->inertia * v[k] + params->cognitive * uniform(own[k - d]) * (p[k] - x[k]) +
                   params->social * uniform(swarm[k - d]) * (goal[k] - x[k]);
            x[k] += v[k];
            if (x[k] < lower || x[k] > upper) {
                x[k] = 2 * (x[k] < lower ? lower : upper) - x[k];
                x[k] = fmin(fmax(x[k], lower), upper);
                v[k] = -v[k];
            }
        }
    }
}

/* After all particles have moved; of equal values the first particle's counts. */
static void choose_goal(struct swarm *swarm)
{
    size_t leader = 0;
    for (size_t i = 1; i < swarm->particles; i++)
        if (swarm->best[i] < swarm->best[leader])
            leader = i;
    swarm->goal_value = swarm->best[leader];
    memcpy(swarm->goal, swarm->p + leader * swarm->dim, swarm->dim * sizeof *swarm->goal);
}

/* Draws the swarm, or moves it by one step. */
static void advance(const struct shoal_pso_params *params, struct swarm *swarm)
{
    const struct shoal_objective *objective = shoal_objective_at((size_t)params->function);
    const size_t dim = swarm->dim;
    const bool drawn = swarm->drawn;
    const uint64_t step = swarm->steps + 1;
    /* Below this many coordinates waking the threads takes longer than the work. */
#pragma omp parallel for schedule(static) if (swarm->particles * dim > 4096)
    for (size_t i = 0; i < swarm->particles; i++) {
        double *x = swarm->x + i * dim, *v = swarm->v + i * dim, *p = swarm->p + i * dim;
        if (drawn)
            move(params, step, i, x, v, p, swarm->goal);
        else
            draw(params, i, x, v);
        const double value = objective->value(x, dim);
        if (!drawn)
            swarm->best[i] = INFINITY;
        if (value < swarm->best[i])
            swarm->best[i] = value;
        else if (drawn)
            continue;
        memcpy(p, x, dim * sizeof *p);
    }
    choose_goal(swarm);
    if (drawn)
        swarm->steps = step;
    swarm->drawn = true;
    if (params->trace && swarm->steps % params->trace == 0)
        swarm->trace[swarm->steps / params->trace] = swarm->goal_value;
}

static enum shoal_status step(struct shoal_solver *solver, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    (void)error;
    const struct shoal_pso_params *params = pso_params(solver);
    struct swarm *swarm = solver->state;
    if (!swarm->drawn)
        advance(params, swarm);
    for (*done = 0; *done < steps && swarm->steps < params->iterations; ++*done) {
        if (swarm->goal_value <= params->target)
            break;
        advance(params, swarm);
    }
    return SHOAL_OK;
}

static enum shoal_status result(struct shoal_solver *solver, struct shoal_result *out,
                                struct shoal_error *error)
{
    (void)error;
    const struct swarm *swarm = solver->state;
    const struct pso_outcome outcome = {.best = swarm->goal_value,
                                        .position = swarm->goal,
                                        .trace = swarm->trace,
                                        .steps = swarm->steps,
                                        .precision = SHOAL_FP64};
    pso_fill_result(pso_params(solver), &outcome, out);
    return SHOAL_OK;
}

static enum shoal_status save(struct shoal_solver *solver, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    (void)error;
    const struct swarm *swarm = solver->state;
    const size_t bytes = swarm->particles * swarm->dim * sizeof(double);
    checkpoint_add(checkpoint, "step", &swarm->steps, sizeof swarm->steps);
    checkpoint_add(checkpoint, "x", swarm->x, bytes);
    checkpoint_add(checkpoint, "v", swarm->v, bytes);
    checkpoint_add(checkpoint, "p", swarm->p, bytes);
    checkpoint_add(checkpoint, "best", swarm->best, swarm->particles * sizeof(double));
    checkpoint_add(checkpoint, "trace", swarm->trace,
                   (size_t)pso_trace_count(pso_params(solver), swarm->steps) * sizeof(double));
    return SHOAL_OK;
}

static enum shoal_status load(struct shoal_solver *solver, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    struct swarm *swarm = solver->state;
    const size_t bytes = swarm->particles * swarm->dim * sizeof(double);
    uint64_t steps;
    enum shoal_status status = pso_check_steps(pso_params(solver), checkpoint, &steps, error);
    swarm->drawn = false; /* a load that fails leaves a swarm to be drawn anew */
    swarm->steps = 0;
    if (!status)
        status = checkpoint_get(checkpoint, "x", swarm->x, bytes, error);
    if (!status)
        status = checkpoint_get(checkpoint, "v", swarm->v, bytes, error);
    if (!status)
        status = checkpoint_get(checkpoint, "p", swarm->p, bytes, error);
    if (!status)
        status = checkpoint_get(checkpoint, "best", swarm->best, swarm->particles * sizeof(double), error);
    if (!status)
        status = checkpoint_get(checkpoint, "trace", swarm->trace,
                                (size_t)pso_trace_count(pso_params(solver), steps) * sizeof(double), error);
    if (status)
        return status;
    swarm->steps = steps;
    swarm->drawn = true;
    choose_goal(swarm);
    return SHOAL_OK;
}

static size_t state_count(const struct shoal_solver *solver)
{
    const struct swarm *swarm = solver->state;
    return 2 * swarm->particles * swarm->dim;
}

/* The kernels' order: dimension by dimension, positions before velocities. */
static enum shoal_status get_state(struct shoal_solver *solver, double *values, struct shoal_error *error)
{
    (void)error;
    const struct swarm *swarm = solver->state;
    const size_t particles = swarm->particles, dim = swarm->dim;
    for (size_t i = 0; i < particles; i++)
        for (size_t d = 0; d < dim; d++) {
            values[d * particles + i] = swarm->x[i * dim + d];
            values[(dim + d) * particles + i] = swarm->v[i * dim + d];
        }
    return SHOAL_OK;
}

const struct shoal_solver_ops pso_host_ops = {
    .kind = "host",
    .what = "positions and velocities",
    .create = create,
    .destroy = destroy,
    .step = step,
    .result = result,
    .save = save,
    .load = load,
    .state_count = state_count,
    .get_state = get_state,
};
