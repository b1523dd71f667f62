/* Public functions of the gas: default parameters and observables between steps. */
#include "base/error.h"
#include "gas/observe/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void shoal_gas_params_init(struct shoal_gas_params *params)
{
    *params = (struct shoal_gas_params){.size = sizeof *params,
                                        .dim = 2,
                                        .density = NAN,
                                        .width = NAN,
                                        .height = NAN,
                                        .depth = NAN,
                                        .epsilon = 1,
                                        .sigma = 1,
                                        .attraction = NAN,
                                        .repulsion = NAN,
                                        .short_attraction = NAN,
                                        .softening = NAN,
                                        .cutoff = NAN,
                                        .switch_radius = NAN,
                                        .mass = 1,
                                        .wall_method = SHOAL_GAS_W3,
                                        .wall_temperature = NAN,
                                        .wall_damping = NAN,
                                        .wall_stiffness = NAN,
                                        .limit = NAN,
                                        .start_distance = NAN,
                                        .droplet_density = NAN,
                                        .droplet_share = NAN,
                                        .temperature = 1,
                                        .seed = 1,
                                        .dt = 0.005,
                                        .steps = 10000,
                                        .friction = NAN,
                                        .relaxation = NAN,
                                        .time = NAN,
                                        .near_radius = NAN,
                                        .middle_radius = NAN,
                                        .skin = NAN,
                                        .rdf_range = NAN};
}

static const double pi = 3.14159265358979323846;

/* Range of the speed histogram in units of sqrt(T / m): excludes 4 of a million speeds in 2D, 15 in 3D. */
static const double widest_speed = 5;

size_t gas_bins(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind)
{
    return (size_t)(kind == SHOAL_GAS_RDF ? problem->params->rdf_bins : problem->params->speed_bins);
}

static double rdf_range(const struct gas_problem *problem)
{
    double shortest = INFINITY, half = INFINITY;
    for (size_t k = 0; k < problem->dim; k++) {
        shortest = fmin(shortest, problem->length[k]);
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC)
            half = fmin(half, problem->length[k] / 2);
    }
    if (!isnan(problem->params->rdf_range))
        return problem->params->rdf_range;
    return fmin(isfinite(problem->pair.cutoff) ? problem->pair.cutoff : shortest / 10, half);
}

double gas_bin_width(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind)
{
    const double bins = (double)gas_bins(problem, kind);
    const double temperature = problem->params->temperature;
    if (kind == SHOAL_GAS_RDF)
        return rdf_range(problem) / bins;
    return widest_speed * sqrt((temperature > 0 ? temperature : 1) / problem->params->mass) / bins;
}

/* A solver of this workload, at its first state or a later one. */
static enum shoal_status prepare(struct shoal_solver *solver, const void *out, const char *call,
                                 struct shoal_error *error)
{
    uint64_t done;
    if (!solver || !out)
        return fail(error, SHOAL_INVALID, "%s: a pointer is NULL", call);
    if (strcmp(solver->workload->name, "gas") != 0)
        return fail(error, SHOAL_INVALID, "%s: the solver is one of workload \"%s\", not of \"gas\"", call,
                    solver->workload->name);
    return gas_step(solver, 0, &done, error);
}

enum shoal_status shoal_gas_get_thermo(struct shoal_solver *solver, struct shoal_gas_thermo *thermo,
                                       struct shoal_error *error)
{
    enum shoal_status status = prepare(solver, thermo, "shoal_gas_get_thermo", error);
    return status ? status : gas_measure(solver, thermo, error);
}

enum shoal_status shoal_gas_get_frame(struct shoal_solver *solver, struct shoal_gas_frame *frame,
                                      struct shoal_error *error)
{
    enum shoal_status status = prepare(solver, frame, "shoal_gas_get_frame", error);
    return status ? status : gas_frame(solver, frame, error);
}

enum shoal_status shoal_gas_get_timing(struct shoal_solver *solver, struct shoal_gas_timing *timing,
                                       struct shoal_error *error)
{
    enum shoal_status status = prepare(solver, timing, "shoal_gas_get_timing", error);
    if (!status)
        gas_common_of(solver)->stepper->timing(solver, timing);
    return status;
}

/* Histograms -------------------------------------------------------------------------------------------- */

/* Area or volume between two radii. */
static double shell(size_t dim, double inner, double outer)
{
    return dim == 2 ? pi * (outer * outer - inner * inner)
                    : 4.0 / 3.0 * pi * (outer * outer * outer - inner * inner * inner);
}

/* g(r) is 1 for n - 1 others at random positions in the whole box. */
static void fill_rdf(struct gas_common *common, double width)
{
    const struct gas_problem *problem = common->problem;
    const double n = (double)problem->n;
    const double pairs = n * (n - 1) * (double)common->clock.counted / problem->volume;
    for (size_t b = 0; b < gas_bins(problem, SHOAL_GAS_RDF); b++) {
        const double expected = pairs * shell(problem->dim, (double)b * width, (double)(b + 1) * width);
        common->histogram[b] = expected > 0 ? (double)common->counts[b] / expected : 0;
    }
}

/* Fraction of speeds below x sqrt(T / m) by Maxwell's law. */
static double maxwell_below(size_t dim, double x)
{
    return dim == 2 ? -expm1(-0.5 * x * x) : erf(x / sqrt(2)) - sqrt(2 / pi) * x * exp(-0.5 * x * x);
}

static void fill_speeds(struct gas_common *common, double width)
{
    const struct gas_problem *problem = common->problem;
    const double all = (double)problem->n * (double)common->clock.counted;
    const double scale =
        sqrt(gas_averages_get(common->averages, GAS_MEAN_TEMPERATURE).mean / problem->params->mass);
    for (size_t b = 0; b < gas_bins(problem, SHOAL_GAS_SPEEDS); b++) {
        const double low = (double)b * width / scale, high = (double)(b + 1) * width / scale;
        common->histogram[b] = (double)common->counts[b] / (all * width);
        common->theory[b] = (maxwell_below(problem->dim, high) - maxwell_below(problem->dim, low)) / width;
    }
}

enum shoal_status shoal_gas_get_histogram(struct shoal_solver *solver, enum shoal_gas_histogram_kind kind,
                                          struct shoal_gas_histogram *histogram, struct shoal_error *error)
{
    enum shoal_status status = prepare(solver, histogram, "shoal_gas_get_histogram", error);
    if (status)
        return status;
    if (kind != SHOAL_GAS_RDF && kind != SHOAL_GAS_SPEEDS)
        return fail(error, SHOAL_INVALID,
                    "shoal_gas_get_histogram: kind is %d; there are SHOAL_GAS_RDF and SHOAL_GAS_SPEEDS",
                    (int)kind);
    struct gas_common *common = gas_common_of(solver);
    const size_t bins = gas_bins(common->problem, kind);
    *histogram = (struct shoal_gas_histogram){.bins = bins, .samples = common->clock.counted};
    if (bins == 0)
        return SHOAL_OK;
    free(common->counts);
    free(common->histogram);
    free(common->theory);
    common->counts = calloc(bins, sizeof *common->counts);
    common->histogram = calloc(bins, sizeof *common->histogram);
    common->theory = calloc(bins, sizeof *common->theory);
    if (!common->counts || !common->histogram || !common->theory)
        return fail_host_memory(error);
    histogram->width = gas_bin_width(common->problem, kind);
    histogram->value = common->histogram;
    histogram->theory = kind == SHOAL_GAS_SPEEDS ? common->theory : NULL;
    if (common->clock.counted == 0)
        return SHOAL_OK;
    status = common->stepper->get_counts(solver, kind, common->counts, error);
    if (status)
        return status;
    if (kind == SHOAL_GAS_RDF)
        fill_rdf(common, histogram->width);
    else
        fill_speeds(common, histogram->width);
    return SHOAL_OK;
}
