/* One step of one particle on the host: kick, walls, limiter, thermostat, drift. */
#include "gas/host/host.h"
#include "gas/model/thermostat.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Returns the side of the wall that changes the velocity before the particle moves: -1 (low), 1 (high) or 0
 * (none). on: velocity of the full step; next: velocity by which the particle would move in the step. */
static int meets(const struct gas_problem *problem, size_t axis, double x, double on, double next)
{
    const struct shoal_gas_params *params = problem->params;
    if (problem->boundary[axis] != SHOAL_GAS_WALLS || params->wall_method == SHOAL_GAS_W2)
        return 0;
    if (problem->rules.side_to_turn_at)
        return problem->rules.side_to_turn_at(problem, axis, x, on);
    const int side = gas_outside(problem, axis, x + next * params->dt);
    return gas_is_soft(problem, axis, side) ? 0 : side;
}

static bool any_side(const int side[GAS_MAX_DIM])
{
    return side[0] || side[1] || side[2];
}

/* Changes the velocity by the acceleration `a`, and applies the walls that act before the particle moves. */
static void kick(const struct gas_host *host, size_t i, uint32_t step, const double *a, double *v,
                 struct gas_exchange *exchange)
{
    const struct gas_problem *problem = &host->problem;
    const double *x = host->x + i * problem->dim, dt = problem->params->dt;
    double on[GAS_MAX_DIM] = {0};
    int side[GAS_MAX_DIM] = {0};
    for (size_t k = 0; k < problem->dim; k++) {
        const double force = gas_soft_depth(problem, k, x[k]) * problem->wall_stiffness;
        on[k] = v[k] + a[k] * host->problem.half_step;
        v[k] += a[k] * dt;
        side[k] = meets(problem, k, x[k], on[k], v[k]);
        if (force != 0)
            exchange->impulse[k][force < 0] += fabs(force) * dt;
    }
    /* An infinite velocity or a NaN fails this comparison, so that no thermal wall replaces it by a valid
     * velocity, and the particle counts as exploded. */
    if (!any_side(side) || !(gas_square(v, problem->dim) <= (double)FLT_MAX))
        return;
    gas_collide(problem, i, step, 0, side, on, exchange);
    for (size_t k = 0; k < problem->dim; k++)
        v[k] = on[k] + a[k] * (dt - host->problem.half_step);
}

/* Changes the velocity by the friction and the noise of the Langevin thermostat. */
static void shake(const struct gas_host *host, size_t i, uint32_t step, double *v,
                  struct gas_exchange *exchange)
{
    const struct gas_problem *problem = &host->problem;
    const struct shoal_words words =
        shoal_random_words(gas_seed(problem), SHOAL_STREAM_GAS_LANGEVIN, step, (uint32_t)i, 0);
    const double before = gas_square(v, problem->dim);
    const double noise = problem->langevin_noise / sqrt(gas_mass_ratio(problem, i));
    double normals[4];
    gas_normal_pair(words.x, words.y, &normals[0], &normals[1]);
    gas_normal_pair(words.z, words.w, &normals[2], &normals[3]);
    for (size_t k = 0; k < problem->dim; k++)
        v[k] = problem->langevin_keep * v[k] + noise * normals[k];
    exchange->heat += 0.5 * gas_mass(problem, i) * (gas_square(v, problem->dim) - before);
}

void gas_host_drift(struct gas_host *host, size_t i, const double *displacement)
{
    const struct gas_problem *problem = &host->problem;
    for (size_t k = 0; k < problem->dim; k++) {
        const double length = problem->length[k];
        double *x = &host->x[i * problem->dim + k];
        *x += displacement[k];
        if (problem->boundary[k] != SHOAL_GAS_PERIODIC || (*x >= 0 && *x < length))
            continue;
        int crossed = gas_outside(problem, k, *x);
        *x -= crossed * length;
        if (*x >= length) { /* rounding makes a coordinate a little below 0 equal to the length */
            *x = 0;
            crossed = 0;
        }
        host->image[i * problem->dim + k] += crossed;
    }
}

/* Applies the walls that act after the particle has moved: W2 and impenetrable faces. If a face moves the
 * particle back, the work of the pair and external forces on this way counts as heat. */
static void settle(struct gas_host *host, size_t i, uint32_t step, const double *a, double *v,
                   struct gas_exchange *exchange)
{
    const struct gas_problem *problem = &host->problem;
    const struct shoal_gas_params *params = problem->params;
    double *x = host->x + i * problem->dim;
    int side[GAS_MAX_DIM] = {0};
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] == SHOAL_GAS_WALLS && params->wall_method == SHOAL_GAS_W2) {
            side[k] = gas_outside(problem, k, x[k]);
            x[k] = side[k] < 0 ? -x[k] : side[k] > 0 ? 2 * problem->length[k] - x[k] : x[k];
        }
    if (any_side(side))
        gas_collide(problem, i, step, 0, side, v, exchange);
    for (size_t k = 0; k < problem->dim; k++) {
        const int out = gas_outside(problem, k, x[k]);
        if (problem->boundary[k] != SHOAL_GAS_WALLS || problem->rules.side_to_turn_at || !out ||
            gas_is_soft(problem, k, out))
            continue;
        const double face = out < 0 ? 0 : nextafter(problem->length[k], 0);
        exchange->heat -= gas_mass(problem, i) * a[k] * (face - x[k]);
        x[k] = face;
    }
}

/* Whether a coordinate has left the range of fixed-point coordinates. */
static bool has_escaped(const struct gas_problem *problem, const double *x)
{
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] != SHOAL_GAS_PERIODIC && !gas_is_in_range(problem, k, x[k]))
            return true;
    return false;
}

void gas_host_move(struct gas_host *host, size_t i, uint32_t step, struct gas_exchange *exchange,
                   struct gas_trouble *trouble)
{
    const struct gas_problem *problem = &host->problem;
    const struct shoal_gas_params *params = problem->params;
    const size_t dim = problem->dim;
    double *x = host->x + i * dim, *stored = host->v + i * dim;
    double a[GAS_MAX_DIM] = {0}, v[GAS_MAX_DIM] = {0}, displacement[GAS_MAX_DIM] = {0};
    memcpy(v, stored, dim * sizeof *v);
    for (size_t k = 0; k < dim; k++)
        a[k] = host->a[i * dim + k] + gas_external_acceleration(problem, i, k, x[k]);
    const bool flies = problem->any_wall && params->wall_method == SHOAL_GAS_W4;
    if (flies)
        gas_fly(host, i, step, a, v, displacement, exchange);
    else
        kick(host, i, step, a, v, exchange);
    if (problem->rules.limit)
        problem->rules.limit(host, stored, v, exchange);
    for (size_t k = 0; k < dim && !flies; k++)
        displacement[k] = 0.5 * params->dt * v[k];
    if (params->thermostat == SHOAL_GAS_LANGEVIN && !flies)
        shake(host, i, step, v, exchange);
    for (size_t k = 0; k < dim && !flies; k++)
        displacement[k] += 0.5 * params->dt * v[k];
    memcpy(stored, v, dim * sizeof *v);
    if (!(gas_square(displacement, dim) <= host->problem.farthest_step2)) { /* true for NaN, too */
        trouble->exploded = i < trouble->exploded ? i : trouble->exploded;
        return;
    }
    gas_host_drift(host, i, displacement);
    if (problem->any_wall) {
        settle(host, i, step, a, v, exchange);
        memcpy(stored, v, dim * sizeof *v);
    }
    if (has_escaped(problem, x))
        trouble->escaped = i < trouble->escaped ? i : trouble->escaped;
}

bool gas_host_is_free(const struct gas_problem *problem)
{
    return !problem->any_wall && !problem->rules.limit && !gas_acts(problem, GAS_TRAP) &&
           problem->params->thermostat != SHOAL_GAS_LANGEVIN;
}

void gas_host_move_free(struct gas_host *host, size_t i, struct gas_trouble *trouble)
{
    const struct gas_problem *problem = &host->problem;
    const size_t dim = problem->dim;
    const double dt = problem->params->dt, *a = host->a + i * dim;
    double *v = host->v + i * dim, displacement[GAS_MAX_DIM];
    for (size_t k = 0; k < dim; k++) {
        v[k] += (a[k] + problem->field[k]) * dt;
        displacement[k] = v[k] * dt;
    }
    if (!(gas_square(displacement, dim) <= host->problem.farthest_step2)) { /* true for NaN, too */
        trouble->exploded = i < trouble->exploded ? i : trouble->exploded;
        return;
    }
    gas_host_drift(host, i, displacement);
    if (has_escaped(problem, host->x + i * dim))
        trouble->escaped = i < trouble->escaped ? i : trouble->escaped;
}
