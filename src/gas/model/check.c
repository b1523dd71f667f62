/* Rules between the parameters of a gas that the member `needs` of its options cannot express. A combination
 * that breaks a rule gives an error message of one line. */
#include "base/error.h"
#include "gas/model/problem.h"
#include "gas/species/species.h"
#include "gas/thesis/use.h"

#include <math.h>

typedef unsigned long long ull;

static const char axis_letters[GAS_MAX_DIM + 1] = "xyz";

enum shoal_gas_potential gas_potential_of(const struct shoal_gas_params *params)
{
    return params->pair_force ? SHOAL_GAS_USER : (enum shoal_gas_potential)params->potential;
}

enum shoal_gas_start gas_start_of(const struct shoal_gas_params *params)
{
    return params->start_file ? SHOAL_GAS_FILE : (enum shoal_gas_start)params->start;
}

size_t gas_particles_of(const struct shoal_gas_params *params)
{
    const size_t given = params->particles ? (size_t)params->particles : gas_kinds_particles(params);
    return given ? given : 4096;
}

bool gas_is_long(enum shoal_gas_potential potential)
{
    return potential == SHOAL_GAS_LOG || potential == SHOAL_GAS_LOG_REPULSION ||
           potential == SHOAL_GAS_REAL || potential == SHOAL_GAS_GRAVITY;
}

const char *gas_potential_name(enum shoal_gas_potential potential)
{
    static const char *const names[] = {
        "lj", "wca", "log", "log-repulsion", "real", "gravity", "user pair force"};
    return names[potential];
}

int32_t gas_boundary_of(const struct shoal_gas_params *params, size_t axis)
{
    const int32_t all[] = {params->boundary_x, params->boundary_y, params->boundary_z};
    return all[axis];
}

int32_t gas_wall_of(const struct shoal_gas_params *params, size_t axis, size_t side)
{
    const int32_t all[][2] = {{params->wall_left, params->wall_right},
                              {params->wall_bottom, params->wall_top},
                              {params->wall_front, params->wall_back}};
    return all[axis][side];
}

static double length_of(const struct shoal_gas_params *params, size_t axis)
{
    const double all[] = {params->width, params->height, params->depth};
    return all[axis];
}

static bool any_boundary(const struct shoal_gas_params *params, int32_t boundary)
{
    bool any = false;
    for (size_t k = 0; k < params->dim; k++)
        any = any || gas_boundary_of(params, k) == boundary;
    return any;
}

/* Box -------------------------------------------------------------------------------------------------- */

enum shoal_status gas_box_of(const struct shoal_gas_params *params, size_t n, const double *given,
                             double length[GAS_MAX_DIM], struct shoal_error *error)
{
    const double density = isnan(params->density) ? 0.4 : params->density;
    double rest = (double)n / density;
    size_t open = 0;
    for (size_t k = 0; k < GAS_MAX_DIM; k++) {
        length[k] = k < params->dim ? length_of(params, k) : 1;
        if (isnan(length[k]) && given)
            length[k] = given[k];
        if (isnan(length[k]))
            open++;
        else
            rest /= length[k];
    }
    const double each = pow(rest, 1 / (double)open);
    for (size_t k = 0; k < params->dim; k++) {
        if (isnan(length[k]))
            length[k] = each;
        if (!(length[k] >= 1e-6 && length[k] <= 1e15))
            return fail(error, SHOAL_INVALID, "the box is %g long along %c, allowed are 1e-06 to 1e+15: %s",
                        length[k], axis_letters[k], "correct --density, --width, --height or --depth");
    }
    return SHOAL_OK;
}

enum shoal_status gas_check_cutoff(const struct shoal_gas_params *params, const double length[GAS_MAX_DIM],
                                   double cutoff, struct shoal_error *error)
{
    for (size_t k = 0; k < params->dim; k++) {
        if (gas_boundary_of(params, k) != SHOAL_GAS_PERIODIC)
            continue;
        const double half = 0.5 * length[k];
        if (isinf(cutoff))
            return fail(error, SHOAL_INVALID,
                        "a pair force without cutoff does not fit a periodic box: give --cutoff %.4g or "
                        "less, or --boundary-%c walls or open",
                        half, axis_letters[k]);
        if (cutoff > half)
            return fail(error, SHOAL_INVALID,
                        "--cutoff %.6g is larger than half the periodic box, which is %.6g long along %c: "
                        "lower --cutoff, or take more --particles or a larger box",
                        cutoff, length[k], axis_letters[k]);
    }
    return SHOAL_OK;
}

enum shoal_status gas_check_ranges(const struct shoal_gas_params *params, const double length[GAS_MAX_DIM],
                                   struct shoal_error *error)
{
    const struct {
        const char *name;
        double range; /* 0 or NaN: the option is not given */
    } ranges[] = {{"--rdf-range", params->rdf_range},
                  {"--cluster-distance", params->cluster_distance},
                  {"--hexatic-range", params->hexatic_range},
                  {"--g6-range", gas_g6_range(params)}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (size_t k = 0; k < params->dim; k++)
            if (gas_boundary_of(params, k) == SHOAL_GAS_PERIODIC && ranges[i].range > 0.5 * length[k])
                return fail(
                    error, SHOAL_INVALID,
                    "%s %.6g is larger than half the periodic box, which is %.6g long along %c: lower it",
                    ranges[i].name, ranges[i].range, length[k], axis_letters[k]);
    return SHOAL_OK;
}

static enum shoal_status check_box(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const size_t dim = (size_t)params->dim;
    size_t lengths = 0;
    for (size_t k = 0; k < dim; k++)
        lengths += !isnan(length_of(params, k));
    if (lengths == dim && !isnan(params->density))
        return fail(error, SHOAL_INVALID,
                    "--density and the whole box are both given: leave out --density or one of --width, "
                    "--height and --depth");
    const bool file = gas_start_of(params) == SHOAL_GAS_FILE;
    double length[GAS_MAX_DIM];
    enum shoal_status status =
        file ? SHOAL_OK : gas_box_of(params, gas_particles_of(params), NULL, length, error);
    const double cutoff = gas_cutoff_of(params);
    if (!status && !file && !isnan(cutoff))
        status = gas_check_cutoff(params, length, cutoff, error);
    if (!status && !file)
        status = gas_check_ranges(params, length, error);
    return status;
}

/* Pair force ------------------------------------------------------------------------------------------- */

/* The cutoff that the options of all particles give. */
static double plain_cutoff(const struct shoal_gas_params *params)
{
    const enum shoal_gas_potential potential = gas_potential_of(params);
    if (potential == SHOAL_GAS_WCA)
        return params->sigma * pow(2, 1.0 / 6);
    if (potential != SHOAL_GAS_REAL && gas_is_long(potential))
        return INFINITY;
    if (!isnan(params->cutoff))
        return params->cutoff > 0 ? params->cutoff : INFINITY;
    return potential == SHOAL_GAS_USER ? NAN : potential == SHOAL_GAS_LJ ? 2.5 * params->sigma : 2.5;
}

double gas_cutoff_of(const struct shoal_gas_params *params)
{
    return gas_species_cutoff(params, plain_cutoff(params));
}

bool gas_has_pair_force(const struct shoal_gas_params *params)
{
    switch (gas_potential_of(params)) {
    case SHOAL_GAS_LJ:
    case SHOAL_GAS_WCA:
        return params->species ? gas_species_interact(params) : params->epsilon > 0;
    case SHOAL_GAS_LOG:
    case SHOAL_GAS_GRAVITY:
        return params->attraction != 0;
    default:
        return true;
    }
}

static enum shoal_status check_cut(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const enum shoal_gas_potential potential = gas_potential_of(params);
    const double cutoff = gas_cutoff_of(params);
    if (potential == SHOAL_GAS_REAL && isinf(cutoff))
        return fail(error, SHOAL_INVALID, "the short part of real needs --cutoff above 0");
    if (params->cut && isinf(cutoff))
        return fail(error, SHOAL_INVALID, "%s has no cutoff to choose a cut for: leave --cut out",
                    gas_potential_name(potential));
    if (params->switch_radius >= cutoff)
        return fail(error, SHOAL_INVALID, "--switch-radius %g must be less than --cutoff %g",
                    params->switch_radius, cutoff);
    const double softening = isnan(params->softening) ? 0.25 : params->softening;
    if (potential == SHOAL_GAS_REAL && cutoff <= softening)
        return fail(error, SHOAL_INVALID,
                    "--cutoff %g of real is tested on softened distances: it must be above --softening %g",
                    cutoff, softening);
    return SHOAL_OK;
}

static enum shoal_status check_potential(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const enum shoal_gas_potential potential = gas_potential_of(params);
    if (gas_is_long(potential) && any_boundary(params, SHOAL_GAS_PERIODIC))
        return fail(error, SHOAL_INVALID,
                    "%s reaches over all space, and there is no Ewald summation here: take --boundary-x, "
                    "--boundary-y%s walls or open",
                    gas_potential_name(potential), params->dim == 3 ? " and --boundary-z" : "");
    return check_cut(params, error);
}

/* Walls and motion ------------------------------------------------------------------------------------- */

static enum shoal_status check_walls(const struct shoal_gas_params *params, struct shoal_error *error)
{
    if (params->wall_method == SHOAL_GAS_W4 && gas_has_pair_force(params))
        return fail(error, SHOAL_INVALID,
                    "--wall-method w4 is exact under a constant acceleration: it needs particles that do not "
                    "interact, --epsilon 0");
    return SHOAL_OK;
}

static enum shoal_status check_motion(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const bool keeps = gas_scales_velocities(params), rescaled = keeps || params->equilibration;
    if (rescaled && !(params->temperature > 0))
        return fail(error, SHOAL_INVALID, "velocities cannot be rescaled to --temperature 0: raise it");
    if (keeps && params->temperature_end <= 0)
        return fail(error, SHOAL_INVALID, "velocities cannot be rescaled to --temperature-end 0: raise it");
    if (params->thermostat == SHOAL_GAS_CHAIN && gas_relaxation_of(params) < 5 * params->dt)
        return fail(
            error, SHOAL_INVALID,
            "--relaxation %g is shorter than 5 steps of --dt %g, which a chain cannot follow: raise it",
            gas_relaxation_of(params), params->dt);
    if ((double)params->steps + (double)params->equilibration > GAS_MOST_STEPS)
        return fail(error, SHOAL_INVALID,
                    "--steps and --equilibration together are more than %.0f: lower them", GAS_MOST_STEPS);
    return SHOAL_OK;
}

/* Method ----------------------------------------------------------------------------------------------- */

int32_t gas_method_of(const struct shoal_gas_params *params)
{
    return params->method != SHOAL_GAS_AUTO ? params->method : gas_thesis_method(params);
}

static enum shoal_status check_method(const struct shoal_gas_params *params, struct shoal_error *error)
{
    const enum shoal_gas_potential potential = gas_potential_of(params);
    const double cutoff = gas_cutoff_of(params);
    if (params->method == SHOAL_GAS_LIST && (gas_is_long(potential) || isinf(cutoff)))
        return fail(
            error, SHOAL_INVALID,
            "--method list needs a force that ends at a cutoff, %s %s: take allpairs" GAS_THESIS_OR_CELLS,
            gas_potential_name(potential), gas_is_long(potential) ? "does not" : "has none");
    if (!isnan(params->skin) && isinf(cutoff))
        return fail(error, SHOAL_INVALID, "--skin is for a pair force with a cutoff, %s has none",
                    gas_potential_name(potential));
    if (params->work_group & (params->work_group - 1))
        return fail(error, SHOAL_INVALID, "--work-group is %llu, which is no power of two",
                    (ull)params->work_group);
    return gas_check_thesis(params, error);
}

enum shoal_status gas_check_params(const void *given, struct shoal_error *error)
{
    const struct shoal_gas_params *params = given;
    enum shoal_status (*const checks[])(const struct shoal_gas_params *, struct shoal_error *) = {
        gas_species_check, check_potential, check_box, check_walls, check_motion, check_method};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        enum shoal_status status = checks[i](params, error);
        if (status)
            return status;
    }
    return SHOAL_OK;
}

enum shoal_status gas_check_device(const struct shoal_gas_params *params,
                                   const struct shoal_device_info *info, struct shoal_error *error)
{
    const char *for_host = gas_rules_of(params).for_host;
    if (for_host && !info->is_host)
        return fail(error, SHOAL_UNSUPPORTED, "%s: it is for --device host, not for %s", for_host, info->id);
    if (params->precision != SHOAL_GAS_SINGLE && !info->is_host && !info->fp64)
        return fail(error, SHOAL_UNSUPPORTED, "%s has no double precision: take --precision single",
                    info->id);
    return SHOAL_OK;
}
