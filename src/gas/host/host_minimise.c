/* Sums and moves of the minimiser on the host: src/gas/start/minimise.h. */
#include "gas/host/host.h"
#include "gas/model/thermostat.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The limit of a coordinate towards side -1 (low) or 1 (high): the face of an impenetrable wall, or else the
 * end of the range of fixed-point coordinates. */
static double last_place(const struct gas_problem *problem, size_t axis, int side)
{
    const double length = problem->length[axis];
    const bool is_hard = problem->boundary[axis] == SHOAL_GAS_WALLS && !gas_is_soft(problem, axis, side);
    const double beyond = is_hard ? 0 : 0.5 * length;
    return side < 0 ? -beyond : nextafter(length + beyond, 0);
}

/* Returns -1 if the coordinate x is at its low limit, 1 if it is at its high limit, otherwise 0. */
static int end_reached(const struct gas_problem *problem, size_t axis, double x)
{
    if (problem->boundary[axis] == SHOAL_GAS_PERIODIC)
        return 0;
    return x <= last_place(problem, axis, -1) ? -1 : x >= last_place(problem, axis, 1);
}

static void draw_direction(const struct gas_problem *problem, size_t i, uint32_t step, double *v)
{
    const struct shoal_words words =
        shoal_random_words(gas_seed(problem), SHOAL_STREAM_GAS_PUSH, step, (uint32_t)i, 0);
    double normals[4];
    gas_normal_pair(words.x, words.y, &normals[0], &normals[1]);
    gas_normal_pair(words.z, words.w, &normals[2], &normals[3]);
    const double size = sqrt(fmax(gas_square(normals, problem->dim), (double)FLT_MIN));
    for (size_t k = 0; k < problem->dim; k++)
        v[k] = normals[k] / size;
}

/* Computes the acceleration of a particle, without the components towards a limit that the particle has
 * reached, and reduced to the length `limit`. Returns its length before the reduction. If the acceleration is
 * not finite, its direction is drawn, and the length returned is infinite. */
static double push_of(const struct gas_host *host, size_t i, uint32_t step, double limit, double *a)
{
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim;
    double longest = 0, size = 0, scale = 1;
    for (size_t k = 0; k < dim; k++) {
        a[k] = gas_host_acceleration(host, i * dim + k);
        longest += fabs(a[k]);
    }
    const bool is_finite = longest <= (double)FLT_MAX; /* also false for NaN */
    if (!is_finite)
        draw_direction(problem, i, step, a);
    if (!is_finite || longest > limit)
        scale = is_finite ? limit / longest : limit;
    for (size_t k = 0; k < dim; k++)
        a[k] = end_reached(problem, k, host->x[i * dim + k]) * a[k] > 0 ? 0 : scale * a[k];
    size = sqrt(gas_square(a, dim));
    const double whole = is_finite ? size / scale : INFINITY;
    for (size_t k = 0; k < dim && size > 0; k++)
        a[k] *= fmin(whole, limit) / size;
    return whole;
}

static void sum_block(const struct gas_host *host, size_t block, double limit, uint32_t step,
                      struct gas_fire_sums *sums)
{
    const size_t dim = host->problem.dim;
    *sums = (struct gas_fire_sums){0};
    for (size_t i = block * GAS_BLOCK; i < gas_block_end(host, block); i++) {
        const double *v = host->v + i * dim;
        double a[GAS_MAX_DIM];
        sums->largest =
            fmax(sums->largest, gas_mass_ratio(&host->problem, i) * push_of(host, i, step, limit, a));
        for (size_t k = 0; k < dim; k++)
            sums->power += v[k] * a[k];
        sums->push2 += gas_square(a, dim);
        sums->velocity2 += gas_square(v, dim);
        sums->fastest = fmax(sums->fastest, sqrt(gas_square(v, dim)));
    }
}

enum shoal_status gas_host_fire_sums(struct shoal_solver *solver, double limit, uint32_t step,
                                     struct gas_fire_sums *sums, struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    enum shoal_status status = gas_host_forces(host, false, error);
    if (status)
        return status;
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice))
    for (size_t block = 0; block < gas_blocks(host); block++)
        sum_block(host, block, limit, step, &host->block_fire[block]);
    *sums = (struct gas_fire_sums){0};
    for (size_t block = 0; block < gas_blocks(host); block++) {
        const struct gas_fire_sums *part = &host->block_fire[block];
        sums->power += part->power;
        sums->velocity2 += part->velocity2;
        sums->push2 += part->push2;
        sums->fastest = fmax(sums->fastest, part->fastest);
        sums->largest = fmax(sums->largest, part->largest);
    }
    return SHOAL_OK;
}

static void move_one(struct gas_host *host, size_t i, const struct gas_fire_move *move)
{
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim;
    double *x = host->x + i * dim, *v = host->v + i * dim;
    double a[GAS_MAX_DIM], shift[GAS_MAX_DIM];
    push_of(host, i, move->step, move->limit, a);
    for (size_t k = 0; k < dim; k++) {
        const double old = move->keep > 0 || move->back > 0 ? v[k] : 0;
        shift[k] = -move->back * old;
        v[k] = move->keep * old + move->push * a[k];
    }
    const double speed = sqrt(gas_square(v, dim));
    for (size_t k = 0; k < dim; k++) {
        v[k] *= speed > move->fastest ? move->fastest / speed : 1;
        shift[k] += move->dt * v[k];
    }
    gas_host_drift(host, i, shift);
    for (size_t k = 0; k < dim; k++) {
        const int side = end_reached(problem, k, x[k]);
        if (side * v[k] > 0)
            v[k] = 0;
        if (side)
            x[k] = last_place(problem, k, side);
    }
}

enum shoal_status gas_host_fire_move(struct shoal_solver *solver, const struct gas_fire_move *move,
                                     struct shoal_error *error)
{
    struct gas_host *host = gas_host_of(solver);
    (void)error;
#pragma omp parallel for schedule(static) num_threads(thread_choice_threads(&host->choice))
    for (size_t i = 0; i < host->problem.n; i++)
        move_one(host, i, move);
    host->is_fresh = false;
    return SHOAL_OK;
}
