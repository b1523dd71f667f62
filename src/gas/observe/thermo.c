/* Samples of a gas: their columns, observables computed from sums of a solver, and the errors of a failed
 * step. */
#include "base/error.h"
#include "gas/observe/sampling.h"
#include "gas/piston/piston.h"

#include <math.h>

static bool has_depth(const void *params)
{
    return ((const struct shoal_gas_params *)params)->dim == 3;
}

static bool has_walls(const void *params)
{
    const struct shoal_gas_params *p = params;
    return p->boundary_x == SHOAL_GAS_WALLS || p->boundary_y == SHOAL_GAS_WALLS ||
           p->boundary_z == SHOAL_GAS_WALLS;
}

static bool has_piston(const void *params)
{
    return ((const struct shoal_gas_params *)params)->piston != SHOAL_GAS_NO_AXIS;
}

static bool changes_volume(const void *params)
{
    return gas_changes_volume(params);
}

static bool finds_clusters(const void *params)
{
    return ((const struct shoal_gas_params *)params)->cluster_distance > 0;
}

bool gas_exchanges_heat(const struct shoal_gas_params *params)
{
    return params->thermostat != SHOAL_GAS_NVE || gas_limits_speeds(params) || has_piston(params) ||
           params->wall_left != SHOAL_GAS_WALL_REFLECT || params->wall_right != SHOAL_GAS_WALL_REFLECT ||
           params->wall_bottom != SHOAL_GAS_WALL_REFLECT || params->wall_top != SHOAL_GAS_WALL_REFLECT ||
           params->wall_front != SHOAL_GAS_WALL_REFLECT || params->wall_back != SHOAL_GAS_WALL_REFLECT;
}

static bool has_heat(const void *params)
{
    return gas_exchanges_heat(params);
}

static bool has_tensor(const void *params)
{
    return gas_has_tensor(params);
}

static bool has_deep_tensor(const void *params)
{
    return has_tensor(params) && has_depth(params);
}

static bool has_lengths(const void *params)
{
    return gas_has_axis_pressures(params);
}

static bool has_depth_length(const void *params)
{
    return has_lengths(params) && has_depth(params);
}

static bool has_hexatic(const void *params)
{
    return ((const struct shoal_gas_params *)params)->hexatic_range > 0;
}

static bool has_structure(const void *params)
{
    return ((const struct shoal_gas_params *)params)->structure_bins > 0;
}

#define COUNT(field) #field, "", SHOAL_COLUMN_UINT, offsetof(struct shoal_gas_thermo, field)
#define REAL(field)  #field, "", SHOAL_COLUMN_REAL, offsetof(struct shoal_gas_thermo, field)
#define MOMENTUM(axis, k)                                                                                    \
    "momentum_" #axis, "", SHOAL_COLUMN_REAL, offsetof(struct shoal_gas_thermo, momentum[k])

#define TENSOR(axes, part) "pressure_" #axes, "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, tensor[part])

#define LENGTH(axis, k) "length_" #axis, "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, length[k])

static const struct shoal_column columns[] = {
    {COUNT(step), NULL, SHOAL_COLUMN_SHOWN},
    {REAL(time), NULL, SHOAL_COLUMN_SHOWN},
    {REAL(temperature), NULL, SHOAL_COLUMN_SHOWN},
    {REAL(kinetic), NULL, 0},
    {REAL(potential), NULL, SHOAL_COLUMN_SHOWN},
    {REAL(total), NULL, SHOAL_COLUMN_SHOWN},
    {REAL(conserved), has_heat, SHOAL_COLUMN_SHOWN | SHOAL_COLUMN_IN_FILES | SHOAL_COLUMN_IN_TABLES},
    {REAL(pressure), NULL, SHOAL_COLUMN_SHOWN},
    {REAL(volume), changes_volume, SHOAL_COLUMN_SHOWN | SHOAL_COLUMN_IN_FILES},
    {"piston", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, piston), has_piston, SHOAL_COLUMN_SHOWN},
    {"piston_speed", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, piston_speed), has_piston, 0},
    {LENGTH(x, 0), has_lengths, 0},
    {LENGTH(y, 1), has_lengths, 0},
    {LENGTH(z, 2), has_depth_length, 0},
    {"hexatic_local", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, hexatic[0]), has_hexatic, 0},
    {"hexatic_global", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, hexatic[1]), has_hexatic, 0},
    {"structure_length", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, structure_length), has_structure,
     0},
    {TENSOR(xx, STRESS_XX), has_tensor, 0},
    {TENSOR(yy, STRESS_YY), has_tensor, 0},
    {TENSOR(zz, STRESS_ZZ), has_deep_tensor, 0},
    {TENSOR(xy, STRESS_XY), has_tensor, 0},
    {TENSOR(xz, STRESS_XZ), has_deep_tensor, 0},
    {TENSOR(yz, STRESS_YZ), has_deep_tensor, 0},
    {REAL(wall_pressure), has_walls, SHOAL_COLUMN_IN_FILES},
    {REAL(max_speed), NULL, 0},
    {MOMENTUM(x, 0), NULL, 0},
    {MOMENTUM(y, 1), NULL, 0},
    {MOMENTUM(z, 2), has_depth, 0},
    {COUNT(rebuilds), NULL, 0},
    {REAL(largest_cluster), finds_clusters, SHOAL_COLUMN_IN_FILES},
    {"mean_cluster", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, clusters[CLUSTER_SQUARES]),
     finds_clusters, 0},
    {"clusters", "", SHOAL_COLUMN_REAL, offsetof(struct gas_sample, clusters[CLUSTER_COUNT]), finds_clusters,
     0},
};

const struct shoal_sampling gas_sampling = {.option = "thermo",
                                            .averages = "average-every",
                                            .what = "samples",
                                            .columns = columns,
                                            .column_count = sizeof columns / sizeof *columns,
                                            .size = sizeof(struct gas_sample)};

void gas_finish_thermo(const struct gas_problem *problem, double virial, double heat,
                       struct shoal_gas_thermo *thermo)
{
    const double dim = (double)problem->dim;
    thermo->particles = problem->n;
    thermo->total = thermo->kinetic + thermo->potential;
    thermo->conserved = thermo->total - heat + gas_piston_energy(problem);
    thermo->temperature = problem->degrees > 0 ? 2 * thermo->kinetic / problem->degrees : 0;
    thermo->volume = gas_volume(problem);
    thermo->pressure = (2 * thermo->kinetic + virial) / (dim * thermo->volume);
}

double gas_mean_wall_impulse(const struct gas_problem *problem, double impulse[GAS_MAX_DIM][2])
{
    const struct gas_piston *piston = &problem->piston;
    double sum = 0, area = 0;
    /* With a piston only the walls of its axis count, since the area of the others changes. */
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] == SHOAL_GAS_WALLS && (!piston->acts || k == piston->axis)) {
            area += 2 * problem->volume / problem->length[k];
            sum += impulse[k][0] + impulse[k][1];
        }
    return sum / area;
}

long long gas_failed_step(const struct gas_problem *problem, uint64_t steps_done)
{
    return (long long)(problem->past.shown + steps_done - problem->params->equilibration);
}

enum shoal_status gas_fail_exploded(const struct gas_problem *problem, uint64_t steps_done, size_t particle,
                                    struct shoal_error *error)
{
    return fail(error, SHOAL_CHECK_FAILED,
                "the gas exploded at step %lld: particle %zu went further in one step than a particle may; "
                "lower --dt (%g), or start with particles further apart%s",
                gas_failed_step(problem, steps_done), particle + 1, problem->params->dt,
                gas_minimise_advice(problem));
}

enum shoal_status gas_fail_escaped(const struct gas_problem *problem, uint64_t steps_done, size_t particle,
                                   struct shoal_error *error)
{
    return fail(error, SHOAL_CHECK_FAILED,
                "particle %zu is more than half a box outside of the box after step %lld, where it is no "
                "longer followed: take a larger box or walls",
                particle + 1, gas_failed_step(problem, steps_done));
}
