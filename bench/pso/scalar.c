/* The CPU reference of the thesis: it handles one particle after the other, and the coordinates of each are
 * in a row. */
#include "bench/pso/cpu.h"

#include "thesis_build.h"

#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

struct thesis_swarm {
    struct thesis_problem problem;
    double *x, *v, *p;    /* one particle after the other */
    double *value, *best; /* one number for each particle */
    double *goal;         /* dim numbers */
    double goal_value;
    uint32_t steps;
};

static double rows_value(const struct thesis_problem *problem, const double *x)
{
    const size_t dim = problem->dim;
    const double *row = problem->rows;
    double sum = 0;
    for (size_t j = 0; j < problem->row_count; j++, row += dim + 1) {
        double residual = row[dim];
        for (size_t d = 0; d < dim; d++)
            residual -= x[d] * row[d];
        sum += residual * residual;
    }
    return sum;
}

static double value_at(const struct thesis_problem *problem, const double *x)
{
    const double two_pi = 6.283185307179586476925286766559;
    const size_t dim = problem->dim;
    double sum = 0;
    switch (problem->function) {
    case THESIS_F1:
        for (size_t d = 0; d < dim; d++)
            sum += sin(x[d]) + sin(2 * x[d] / 3);
        return sum;
    case THESIS_F2:
        for (size_t d = 0; d + 1 < dim; d++)
            sum += sin(x[d] + x[d + 1]) + sin(2 * x[d] * x[d + 1] / 3);
        return sum;
    case THESIS_F3:
        for (size_t d = 0; d < dim; d++)
            sum += x[d] * x[d] - 10 * cos(two_pi * x[d]) + 10;
        return sum;
    case THESIS_F4:
        for (size_t d = 0; d < dim; d++)
            sum += x[d] * x[d];
        return sum;
    case THESIS_F5:
        break;
    }
    return rows_value(problem, x);
}

static void draw(const struct thesis_problem *problem, uint32_t i, double *x, double *v)
{
    const double width = problem->upper - problem->lower;
    for (size_t d = 0; d < problem->dim; d++) {
        const struct shoal_words place =
            shoal_random_words(problem->seed, SHOAL_STREAM_PSO_POSITION, 0, i, (uint32_t)(d / 2));
        const struct shoal_words speed =
            shoal_random_words(problem->seed, SHOAL_STREAM_PSO_VELOCITY, 0, i, (uint32_t)(d / 2));
        const bool even = d % 2 == 0;
        x[d] = fmin(problem->lower + thesis_uniform(even ? place.x : place.z) * width, problem->upper);
        v[d] = (2 * thesis_uniform(even ? speed.x : speed.z) - 1) * width;
    }
}

static void move_one(const struct thesis_swarm *swarm, uint32_t i, double *x, double *v, const double *p)
{
    const struct thesis_problem *problem = &swarm->problem;
    const double *goal = swarm->goal;
    for (size_t d = 0; d < problem->dim; d += 2) {
        const struct shoal_words words =
            shoal_random_words(problem->seed, SHOAL_STREAM_PSO_MOVE, swarm->steps, i, (uint32_t)(d / 2));
        const uint32_t own[2] = {words.x, words.z}, other[2] = {words.y, words.w};
        for (size_t k = d; k < d + 2 && k < problem->dim; k++) {
            v[k] = problem->inertia * v[k] + problem->pull * thesis_uniform(own[k - d]) * (p[k] - x[k]) +
                   problem->pull * thesis_uniform(other[k - d]) * (goal[k] - x[k]);
            x[k] += v[k];
        }
    }
}

static size_t least(const double *values, size_t first, size_t end)
{
    size_t place = first;
    double value = values[first];
    for (size_t i = first + 1; i < end; i++)
        if (values[i] < value) {
            value = values[i];
            place = i;
        }
    return place;
}

static void choose_goal(struct thesis_swarm *swarm)
{
    const size_t dim = swarm->problem.dim;
    const size_t leader = least(swarm->best, 0, swarm->problem.particles);
    swarm->goal_value = swarm->best[leader];
    memcpy(swarm->goal, swarm->p + leader * dim, dim * sizeof *swarm->goal);
}

static void move(struct thesis_swarm *swarm)
{
    const size_t dim = swarm->problem.dim;
    swarm->steps++;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < swarm->problem.particles; i++)
        move_one(swarm, (uint32_t)i, swarm->x + i * dim, swarm->v + i * dim, swarm->p + i * dim);
}

static void step(struct thesis_swarm *swarm)
{
    const struct thesis_problem *problem = &swarm->problem;
    const size_t dim = problem->dim;
    swarm->steps++;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < problem->particles; i++) {
        double *x = swarm->x + i * dim, *p = swarm->p + i * dim;
        move_one(swarm, (uint32_t)i, x, swarm->v + i * dim, p);
        swarm->value[i] = value_at(problem, x);
        if (swarm->value[i] < swarm->best[i]) {
            swarm->best[i] = swarm->value[i];
            memcpy(p, x, dim * sizeof *p);
        }
    }
    choose_goal(swarm);
}

static void evaluate(struct thesis_swarm *swarm)
{
    const struct thesis_problem *problem = &swarm->problem;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < problem->particles; i++)
        swarm->value[i] = value_at(problem, swarm->x + i * problem->dim);
}

static void destroy(struct thesis_swarm *swarm)
{
    if (!swarm)
        return;
    free(swarm->x);
    free(swarm->v);
    free(swarm->p);
    free(swarm->value);
    free(swarm->best);
    free(swarm->goal);
    free(swarm);
}

static struct thesis_swarm *create(const struct thesis_problem *problem)
{
    const size_t count = problem->particles * problem->dim;
    struct thesis_swarm *swarm = calloc(1, sizeof *swarm);
    if (!swarm)
        return NULL;
    swarm->problem = *problem;
    swarm->x = malloc(count * sizeof(double));
    swarm->v = malloc(count * sizeof(double));
    swarm->p = malloc(count * sizeof(double));
    swarm->value = malloc(problem->particles * sizeof(double));
    swarm->best = malloc(problem->particles * sizeof(double));
    swarm->goal = malloc(problem->dim * sizeof(double));
    if (!swarm->x || !swarm->v || !swarm->p || !swarm->value || !swarm->best || !swarm->goal) {
        destroy(swarm);
        return NULL;
    }
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < problem->particles; i++)
        draw(problem, (uint32_t)i, swarm->x + i * problem->dim, swarm->v + i * problem->dim);
    evaluate(swarm);
    memcpy(swarm->p, swarm->x, count * sizeof(double));
    memcpy(swarm->best, swarm->value, problem->particles * sizeof(double));
    choose_goal(swarm);
    return swarm;
}

static double position(const struct thesis_swarm *swarm, size_t i, size_t d)
{
    return swarm->x[i * swarm->problem.dim + d];
}

static void particle(const struct thesis_swarm *swarm, size_t i, double *x, double *v, double *p)
{
    const size_t dim = swarm->problem.dim;
    memcpy(x, swarm->x + i * dim, dim * sizeof *x);
    memcpy(v, swarm->v + i * dim, dim * sizeof *v);
    memcpy(p, swarm->p + i * dim, dim * sizeof *p);
}

static double value(const struct thesis_swarm *swarm, size_t i)
{
    return swarm->value[i];
}

static double best(const struct thesis_swarm *swarm, double *x)
{
    if (x)
        memcpy(x, swarm->goal, swarm->problem.dim * sizeof *x);
    return swarm->goal_value;
}

const struct thesis_twin thesis_scalar = {
    "scalar", THESIS_COMPILER_scalar, create, destroy, evaluate, move, step, position, particle, value, best,
    least};
