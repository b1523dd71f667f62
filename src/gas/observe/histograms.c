/* Histograms of a gas: bins, and values computed from the counts of a solver. */
#include "base/error.h"
#include "gas/model/thermostat.h"
#include "gas/observe/sampling.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Largest speed of the histogram, in units of sqrt(T / m). In Maxwell's distribution 4 of a million speeds
 * are larger in 2D, 15 in 3D. */
static const double widest_speed = 5;

size_t gas_bins(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind)
{
    const struct shoal_gas_params *params = problem->params;
    const uint64_t profile = params->profile_bins ? params->profile_bins : 100;
    const uint64_t bins[GAS_HISTOGRAMS] = {
        [SHOAL_GAS_RDF] = params->rdf_bins,
        [SHOAL_GAS_SPEEDS] = params->speed_bins,
        [SHOAL_GAS_PROFILE] = params->profile_axis == SHOAL_GAS_NO_AXIS ? 0 : profile,
    };
    return (size_t)bins[kind];
}

size_t gas_count_bins(const struct gas_problem *problem, enum shoal_gas_histogram_kind kind)
{
    return gas_bins(problem, kind) * (kind == SHOAL_GAS_RDF ? gas_species_pairs(problem) : 1);
}

bool gas_has_histograms(const struct gas_problem *problem)
{
    bool any = false;
    for (int kind = 0; kind < GAS_HISTOGRAMS; kind++)
        any = any || gas_bins(problem, (enum shoal_gas_histogram_kind)kind) > 0;
    return any;
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
    const bool is_given = !isnan(problem->start_temperature) && !gas_keeps_temperature(problem->params);
    const double temperature = is_given ? problem->start_temperature : gas_hottest(problem);
    if (kind == SHOAL_GAS_RDF)
        return rdf_range(problem) / bins;
    if (kind == SHOAL_GAS_PROFILE)
        return problem->length[gas_profile_axis(problem)] / bins;
    return widest_speed * sqrt((temperature > 0 ? temperature : 1) / gas_least_mass(problem)) / bins;
}

/* Mean volume of the states in the histograms, as 1 over the mean of 1 / volume. */
static double sampled_volume(const struct gas_common *common)
{
    return gas_changes_volume(common->problem->params)
               ? (double)common->clock.counted / common->box.inverse_volumes
               : common->problem->volume;
}

double gas_shell(size_t dim, double low, double high)
{
    return dim == 2 ? pi * (high * high - low * low)
                    : 4.0 / 3.0 * pi * (high * high * high - low * low * low);
}

/* Computes g(r) from the counts of `all` ordered pairs: those of the pairs of species first .. end - 1. g(r)
 * is 1 if the other particles are at random positions in the box. */
static void fill_rdf(struct gas_common *common, double width, double all, size_t first, size_t end)
{
    const struct gas_problem *problem = common->problem;
    const size_t bins = gas_bins(problem, SHOAL_GAS_RDF);
    const double pairs = all * (double)common->clock.counted / sampled_volume(common);
    for (size_t b = 0; b < bins; b++) {
        const double expected = pairs * gas_shell(problem->dim, (double)b * width, (double)(b + 1) * width);
        uint64_t count = 0;
        for (size_t pair = first; pair < end; pair++)
            count += common->counts[pair * bins + b];
        common->histogram[b] = expected > 0 ? (double)count / expected : 0;
    }
}

/* As fill_rdf, for two species. */
static void fill_pair_rdf(struct gas_common *common, double width, size_t a, size_t b)
{
    const struct gas_species *species = common->problem->species;
    const double na = (double)species->particles[a], nb = (double)species->particles[b];
    const size_t pair = gas_species_pair(species->count, a, b);
    fill_rdf(common, width, a == b ? na * (na - 1) : 2 * na * nb, pair, pair + 1);
}

/* Fraction of the speeds below x sqrt(T / m) in Maxwell's distribution of one species. */
static double maxwell_below(size_t dim, double x)
{
    return dim == 2 ? -expm1(-0.5 * x * x) : erf(x / sqrt(2)) - sqrt(2 / pi) * x * exp(-0.5 * x * x);
}

static void fill_speeds(struct gas_common *common, double width)
{
    const struct gas_problem *problem = common->problem;
    const double all = (double)problem->n * (double)common->clock.counted;
    const struct gas_species *species = problem->species;
    const double temperature = gas_averages_get(common->averages, GAS_MEAN_TEMPERATURE).mean;
    for (size_t b = 0; b < gas_bins(problem, SHOAL_GAS_SPEEDS); b++) {
        common->histogram[b] = (double)common->counts[b] / (all * width);
        common->theory[b] = 0;
        for (size_t s = 0; s < (species ? species->count : 1); s++) {
            const double share = species ? (double)species->particles[s] / (double)problem->n : 1;
            const double scale = sqrt(temperature / (species ? species->mass[s] : problem->params->mass));
            const double low = (double)b * width / scale, high = (double)(b + 1) * width / scale;
            common->theory[b] +=
                share * (maxwell_below(problem->dim, high) - maxwell_below(problem->dim, low)) / width;
        }
    }
}

static void fill_profile(struct gas_common *common)
{
    const struct gas_problem *problem = common->problem;
    const size_t bins = gas_bins(problem, SHOAL_GAS_PROFILE);
    /* With a piston the slices are those of the box, which is constant. */
    const double all = problem->piston.acts ? problem->volume : sampled_volume(common);
    const double volume = all / (double)bins * (double)common->clock.counted;
    for (size_t b = 0; b < bins; b++)
        common->histogram[b] = (double)common->counts[b] / volume;
}

enum shoal_status gas_histogram(struct shoal_solver *solver, enum shoal_gas_histogram_kind kind,
                                const size_t pair[2], struct shoal_gas_histogram *histogram,
                                struct shoal_error *error)
{
    struct gas_common *common = gas_common_of(solver);
    const size_t bins = gas_bins(common->problem, kind);
    *histogram = (struct shoal_gas_histogram){.bins = bins, .samples = common->clock.counted};
    if (bins == 0)
        return SHOAL_OK;
    free(common->counts);
    free(common->histogram);
    free(common->theory);
    common->counts = calloc(gas_count_bins(common->problem, kind), sizeof *common->counts);
    common->histogram = calloc(bins, sizeof *common->histogram);
    common->theory = calloc(bins, sizeof *common->theory);
    if (!common->counts || !common->histogram || !common->theory)
        return fail_host_memory(error);
    histogram->width = gas_bin_width(common->problem, kind);
    histogram->value = common->histogram;
    histogram->theory = kind == SHOAL_GAS_SPEEDS ? common->theory : NULL;
    if (common->clock.counted == 0)
        return SHOAL_OK;
    enum shoal_status status = common->stepper->get_counts(solver, kind, common->counts, error);
    if (status)
        return status;
    const double n = (double)common->problem->n;
    if (pair && common->problem->species)
        fill_pair_rdf(common, histogram->width, pair[0], pair[1]);
    else if (kind == SHOAL_GAS_RDF)
        fill_rdf(common, histogram->width, n * (n - 1), 0, gas_species_pairs(common->problem));
    else if (kind == SHOAL_GAS_SPEEDS)
        fill_speeds(common, histogram->width);
    else
        fill_profile(common);
    return SHOAL_OK;
}
