#include "naive.h"
#include "gas/thesis/thesis.h"

#include <math.h>
#include <stdlib.h>

/* The long-range attraction of `weight` particles at the distance (x, y), energies and virials in full. */
static void add_point(const struct gas_problem *problem, double weight, double x, double y, double softening2,
                      struct scheme_force *sum)
{
    const double s = x * x + y * y + softening2, f = -problem->pair.attraction * weight / s;
    sum->x += f * x;
    sum->y += f * y;
    sum->energy += weight * 0.5 * problem->pair.attraction * log(s);
    sum->virial += f * (x * x + y * y);
}

static void add_particle(const struct gas_problem *problem, double x, double y, struct scheme_force *sum)
{
    double force, energy;
    gas_pair_evaluate(problem, &problem->pair, x * x + y * y, &force, &energy);
    sum->x += force * x;
    sum->y += force * y;
    sum->energy += energy;
    sum->virial += force * (x * x + y * y);
}

static void add_near(const struct gas_problem *problem, const double *position, const uint32_t *cell,
                     size_t i, uint32_t q, struct scheme_force *sum)
{
    for (size_t j = 0; j < problem->n; j++)
        if (cell[j] == q && j != i)
            add_particle(problem, position[2 * i] - position[2 * j],
                         position[2 * i + 1] - position[2 * j + 1], sum);
}

/* The far field of the corrected scheme at z about the centre of the cell, from a centre of mass at zeta from
 * that centre: w = N (1 / zeta - z / zeta^2), the first factor softened. */
static void add_linear(const struct gas_problem *problem, double weight, double zx, double zy, double x,
                       double y, struct scheme_force *sum)
{
    const double d = zx * zx + zy * zy, s = d + problem->pair.softening2, a = problem->pair.attraction;
    const double gx = -weight * (zx * zx - zy * zy) / (d * s), gy = weight * 2 * zx * zy / (d * s);
    const double wx = weight * zx / s, wy = weight * zy / s;
    sum->x += -a * (wx + gx * x - gy * y);
    sum->y += -a * (wy - gx * y - gy * x);
    sum->energy +=
        a * (0.5 * weight * log(s) + wx * x + wy * y + 0.5 * (gx * (x * x - y * y) - 2 * gy * x * y));
    sum->virial += -a * weight * d / s;
}

struct cell_mass {
    double x, y, count; /* of the centre of mass, in the box */
};

static struct cell_mass *masses(const double *position, const uint32_t *cell, size_t n, size_t cells)
{
    struct cell_mass *mass = calloc(cells, sizeof *mass);
    for (size_t i = 0; i < n; i++) {
        mass[cell[i]].x += position[2 * i];
        mass[cell[i]].y += position[2 * i + 1];
        mass[cell[i]].count++;
    }
    for (size_t c = 0; c < cells; c++)
        if (mass[c].count > 0) {
            mass[c].x /= mass[c].count;
            mass[c].y /= mass[c].count;
        }
    return mass;
}

void scheme_forces(const struct gas_problem *problem, const double *position, const uint32_t *cell,
                   double side, uint32_t columns, uint32_t rows, struct scheme_force *forces)
{
    const struct shoal_gas_params *params = problem->params;
    const double near = gas_near_radius_of(params), middle = gas_middle_radius_of(params);
    const double near2 = near * near, middle2 = middle * middle;
    const int32_t scheme = gas_thesis_of(params)->scheme;
    const bool corrected = scheme == SHOAL_GAS_SCHEME_CORRECTED;
    const bool two_zones = scheme == SHOAL_GAS_SCHEME_TILED1 || scheme == SHOAL_GAS_SCHEME_TILED11;
    struct cell_mass *mass = masses(position, cell, problem->n, (size_t)columns * rows);
    for (size_t i = 0; i < problem->n; i++) {
        struct scheme_force sum = {0};
        const double *at = position + 2 * i;
        const double cx = (cell[i] % columns + 0.5) * side, cy = (cell[i] / columns + 0.5) * side;
        for (uint32_t q = 0; q < columns * rows; q++) {
            const double qx = (q % columns + 0.5) * side, qy = (q / columns + 0.5) * side;
            const double apart2 = ((cx - qx) * (cx - qx) + (cy - qy) * (cy - qy)) / (side * side);
            if (mass[q].count == 0)
                continue;
            if (apart2 < near2 - 1e-6)
                add_near(problem, position, cell, i, q, &sum);
            else if (corrected && apart2 < middle2 - 1e-6)
                add_point(problem, mass[q].count, at[0] - mass[q].x, at[1] - mass[q].y,
                          problem->pair.softening2, &sum);
            else if (corrected)
                add_linear(problem, mass[q].count, cx - mass[q].x, cy - mass[q].y, at[0] - cx, at[1] - cy,
                           &sum);
            else if (two_zones || apart2 < middle2 - 1e-6)
                add_point(problem, mass[q].count, at[0] - qx, at[1] - qy, problem->pair.softening2, &sum);
            else
                add_point(problem, mass[q].count, cx - qx, cy - qy, 0, &sum);
        }
        forces[i] =
            (struct scheme_force){sum.x / params->mass, sum.y / params->mass, sum.energy / 2, sum.virial / 2};
    }
    free(mass);
}

void direct_forces(const struct gas_problem *problem, const double *position, struct scheme_force *forces)
{
    for (size_t i = 0; i < problem->n; i++) {
        struct scheme_force sum = {0};
        for (size_t j = 0; j < problem->n; j++)
            if (j != i)
                add_particle(problem, position[2 * i] - position[2 * j],
                             position[2 * i + 1] - position[2 * j + 1], &sum);
        forces[i] = (struct scheme_force){sum.x / problem->params->mass, sum.y / problem->params->mass,
                                          sum.energy / 2, sum.virial / 2};
    }
}

double scheme_distance(const struct scheme_force *got, const struct scheme_force *wanted, size_t n)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = got[i].x - wanted[i].x, y = got[i].y - wanted[i].y;
        difference += x * x + y * y;
        size += wanted[i].x * wanted[i].x + wanted[i].y * wanted[i].y;
    }
    return sqrt(difference / size);
}
