/* Collisions with walls on the host, by the wall methods of the thesis. */
#include "gas/host/host.h"
#include "gas/model/thermostat.h"

#include <math.h>
#include <string.h>

/* Draws the velocity after a collision with a thermal wall: the components along the wall from Maxwell's
 * distribution, the component away from the wall from the distribution of the flux through a surface. */
static void draw_thermal(const struct gas_problem *problem, size_t i, uint32_t step, uint32_t draw,
                         const int side[GAS_MAX_DIM], double v[GAS_MAX_DIM])
{
    const double speed = sqrt(problem->wall_temperature / gas_mass(problem, i));
    double normals[4] = {0};
    uint32_t flux[4] = {0};
    for (uint32_t block = 0; block < problem->dim - 1; block++) {
        const struct shoal_words words =
            shoal_random_words(gas_seed(problem), SHOAL_STREAM_GAS_WALL, step, (uint32_t)i, draw + block);
        gas_normal_pair(words.x, words.y, &normals[2 * block], &normals[2 * block + 1]);
        flux[2 * block] = words.z;
        flux[2 * block + 1] = words.w;
    }
    for (size_t k = 0; k < problem->dim; k++)
        v[k] = speed * (side[k] ? -side[k] * gas_wall_flux(flux[k]) : normals[k]);
}

void gas_collide(const struct gas_problem *problem, size_t i, uint32_t step, uint32_t draw,
                 const int side[GAS_MAX_DIM], double v[GAS_MAX_DIM], struct gas_exchange *exchange)
{
    const double mass = gas_mass(problem, i);
    const double before[GAS_MAX_DIM] = {v[0], v[1], v[2]};
    bool is_thermal = false, is_damping = false;
    for (size_t k = 0; k < problem->dim; k++) {
        is_thermal = is_thermal || (side[k] && problem->wall[k][side[k] > 0] == SHOAL_GAS_WALL_THERMAL);
        is_damping = is_damping || (side[k] && problem->wall[k][side[k] > 0] == SHOAL_GAS_WALL_DAMPING);
    }
    if (is_thermal)
        draw_thermal(problem, i, step, draw, side, v);
    else
        for (size_t k = 0; k < problem->dim; k++)
            v[k] *= (side[k] ? -1 : 1) * (is_damping ? problem->wall_damping : 1);
    if (is_thermal || is_damping)
        exchange->heat += 0.5 * mass * (gas_square(v, problem->dim) - gas_square(before, problem->dim));
    for (size_t k = 0; k < problem->dim; k++)
        if (side[k])
            exchange->impulse[k][side[k] > 0] += mass * side[k] * (before[k] - v[k]);
}

/* W4 ---------------------------------------------------------------------------------------------------- */

/* Most collisions of a particle in a step. A particle that would have more scarcely bounces; it stays on the
 * face. */
enum { MOST_COLLISIONS = 8 };

/* The time until a particle reaches a face. from: distance to the face; v, a: components of velocity and
 * acceleration away from the face. Infinity: the particle does not reach it. */
static double time_to_face(double from, double v, double a)
{
    const double square = v * v - 2 * a * from;
    if (square < 0)
        return INFINITY;
    if (v < 0)
        return 2 * from / (sqrt(square) - v);
    return a < 0 ? (v + sqrt(square)) / -a : INFINITY;
}

/* Finds the first face that the particle reaches before `*time`, and sets `*time` to the time of that
 * collision. Returns whether there is such a face. */
static bool find_face(const struct gas_problem *problem, const double *at, const double *v, const double *a,
                      double *time, int side[GAS_MAX_DIM])
{
    bool found = false;
    memset(side, 0, GAS_MAX_DIM * sizeof *side);
    for (size_t k = 0; k < problem->dim; k++) {
        const double low = time_to_face(at[k], v[k], a[k]);
        const double high = time_to_face(problem->length[k] - at[k], -v[k], -a[k]);
        if (problem->boundary[k] != SHOAL_GAS_WALLS || !(fmin(low, high) < *time))
            continue;
        *time = fmin(low, high);
        memset(side, 0, GAS_MAX_DIM * sizeof *side);
        side[k] = low < high ? -1 : 1;
        found = true;
    }
    return found;
}

void gas_fly(const struct gas_host *host, size_t i, uint32_t step, const double a[GAS_MAX_DIM],
             double v[GAS_MAX_DIM], double displacement[GAS_MAX_DIM], struct gas_exchange *exchange)
{
    const struct gas_problem *problem = &host->problem;
    const double *from = host->x + i * problem->dim;
    double at[GAS_MAX_DIM], left = problem->params->dt;
    int side[GAS_MAX_DIM];
    for (size_t k = 0; k < problem->dim; k++) {
        at[k] = from[k];
        v[k] += a[k] * host->problem.half_step;
    }
    for (uint32_t count = 0;; count++) {
        double time = left;
        const bool hits = count < MOST_COLLISIONS && find_face(problem, at, v, a, &time, side);
        for (size_t k = 0; k < problem->dim; k++) {
            at[k] += time * (v[k] + 0.5 * a[k] * time);
            if (hits && side[k])
                at[k] = side[k] < 0 ? 0 : problem->length[k];
            v[k] += a[k] * time;
        }
        if (!hits)
            break;
        gas_collide(problem, i, step, 2 * count, side, v, exchange);
        left -= time;
    }
    for (size_t k = 0; k < problem->dim; k++) {
        displacement[k] = at[k] - from[k];
        v[k] -= a[k] * host->problem.half_step;
    }
}
