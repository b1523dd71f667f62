/* Starts on a lattice, the check for overlaps, and initial velocities. The other starts are in files of their
 * own. */
#include "gas/start/start.h"
#include "base/error.h"
#include "gas/model/grid.h"
#include "gas/species/species.h"
#include "gas/start/minimise.h"

#include <float.h>
#include <math.h>
#include <shoal/rng.h>
#include <stdlib.h>

/* Lattice ---------------------------------------------------------------------------------------------- */

struct gas_lattice gas_lattice_fitting(size_t dim, const double length[GAS_MAX_DIM], size_t wanted)
{
    struct gas_lattice lattice = {.dim = dim, .basis = dim == 3 ? 4 : 1, .count = {1, 1, 1}};
    double volume = 1;
    for (size_t k = 0; k < dim; k++)
        volume *= length[k];
    /* 1e-6 is added before rounding down, so that rounding does not take a cell from a box of a whole number
     * of cells. */
    const double spacing = pow(volume * (double)lattice.basis / (double)wanted, 1 / (double)dim);
    lattice.sites = lattice.basis;
    for (size_t k = 0; k < dim; k++) {
        lattice.count[k] = (size_t)fmax(1, floor(length[k] / spacing + 1e-6));
        lattice.sites *= lattice.count[k];
    }
    while (lattice.sites < wanted) {
        size_t widest = 0;
        for (size_t k = 1; k < dim; k++)
            if (length[k] / (double)lattice.count[k] >
                length[widest] / (double)lattice.count[widest] * (1 + 1e-9))
                widest = k;
        lattice.sites = lattice.sites / lattice.count[widest] * (lattice.count[widest] + 1);
        lattice.count[widest]++;
    }
    for (size_t k = 0; k < dim; k++)
        lattice.spacing[k] = length[k] / (double)lattice.count[k];
    return lattice;
}

static void lattice_site(const struct gas_lattice *lattice, size_t site, double *x)
{
    static const double square[1][2] = {{0.5, 0.5}};
    static const double cubic[4][3] = {
        {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
    const size_t member = site % lattice->basis;
    const double *offset = lattice->dim == 3 ? cubic[member] : square[member];
    size_t cell = site / lattice->basis;
    for (size_t k = 0; k < lattice->dim; k++) {
        x[k] = ((double)(cell % lattice->count[k]) + offset[k]) * lattice->spacing[k];
        cell /= lattice->count[k];
    }
}

/* Places particles on the sites of the lattice. If there are more sites than particles, the empty sites are
 * spread evenly. */
static void place_lattice(struct gas_problem *problem)
{
    const struct gas_lattice lattice = gas_lattice_fitting(problem->dim, problem->length, problem->n);
    for (size_t i = 0; i < problem->n; i++)
        lattice_site(&lattice, (size_t)((double)i * (double)lattice.sites / (double)problem->n),
                     problem->position + i * problem->dim);
}

/* Places particles in a part of the box, which meanwhile counts as the box. */
static enum shoal_status place_in_part(struct gas_problem *problem, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    double *length = &problem->length[problem->piston.axis];
    const double whole = *length, volume = problem->volume;
    *length *= problem->params->start_part;
    problem->volume *= problem->params->start_part;
    if (gas_start_of(problem->params) == SHOAL_GAS_RANDOM)
        status = gas_place_random(problem, error);
    else
        place_lattice(problem);
    *length = whole;
    problem->volume = volume;
    return status;
}

enum shoal_status gas_place(struct gas_problem *problem, const struct particles *file,
                            struct shoal_error *error)
{
    switch (gas_start_of(problem->params)) {
    case SHOAL_GAS_DROPLET:
        return gas_place_droplet(problem, error);
    case SHOAL_GAS_FILE:
        return gas_place_file(problem, file, error);
    default:
        return place_in_part(problem, error);
    }
}

/* Overlaps --------------------------------------------------------------------------------------------- */

/* Energy above which a pair counts as an overlap, in units of the temperature or of the law's unit of energy,
 * whichever is larger: the particles of such a pair separate with about 30 times the thermal speed. */
static const double overlap_energy = 1000;

/* The law's unit of energy: epsilon or, for the laws of the thesis, the larger of their attractions, but at
 * least 1, since a logarithm may be large without an overlap. */
static double unit_of_energy(const struct gas_problem *problem)
{
    const double epsilon = problem->species ? problem->species->epsilon : problem->params->epsilon;
    if (problem->kind == GAS_PAIR_LJ)
        return epsilon > 0 ? epsilon : 1;
    return fmax(1, fmax(fabs(problem->pair.attraction), problem->pair.short_attraction));
}

/* The pair i, j with the largest energy among those visited, if this energy is above `limit`. d: its squared
 * distance. */
struct overlap {
    const struct gas_problem *problem;
    size_t target; /* the particle whose neighbours are visited */
    size_t i, j;
    double d, energy, limit;
};

/* Energy of a pair at squared distance d; infinity at d = 0, or if force or energy is not finite. Softened
 * laws are finite at d = 0, but the all-pairs kernels take two particles at the same position for one
 * particle. */
static double overlap_energy_of(const struct gas_problem *problem, const struct gas_pair *pair, double d)
{
    double force, energy;
    gas_pair_evaluate(problem, pair, d, &force, &energy);
    return d > 0 && isfinite(force) && isfinite(energy) ? energy : INFINITY;
}

static void look_at_pair(void *data, size_t j, double d)
{
    struct overlap *worst = data;
    const double energy =
        overlap_energy_of(worst->problem, gas_pair_between(worst->problem, worst->target, j), d);
    if (energy > worst->limit && energy > worst->energy) {
        worst->j = j;
        worst->d = d;
        worst->energy = energy;
    }
}

/* The largest distance, within 1 %, at which the energy of a pair exceeds `limit`; 0: there is none. The
 * search goes down from the least of the cutoff, twice the mean spacing (volume / n)^(1 / dim), and half of
 * each periodic length. */
static double overlap_distance_of(const struct gas_problem *problem, const struct gas_pair *pair,
                                  double limit)
{
    const double room = pow(problem->volume / (double)problem->n, 1 / (double)problem->dim);
    double far = fmin(problem->pair.cutoff, 2 * room);
    for (size_t k = 0; k < problem->dim; k++)
        if (problem->boundary[k] == SHOAL_GAS_PERIODIC)
            far = fmin(far, 0.5 * problem->length[k]);
    for (double r = far; r > 1e-6 * far; r *= 0.99)
        if (overlap_energy_of(problem, pair, r * r) > limit)
            return fmin(1.01 * r, far);
    return overlap_energy_of(problem, pair, 0) > limit ? 1e-6 * far : 0;
}

/* The largest such distance of any two species. */
static double overlap_distance(const struct gas_problem *problem, double limit)
{
    const struct gas_species *species = problem->species;
    double most = species ? 0 : overlap_distance_of(problem, &problem->pair, limit);
    for (size_t a = 0; species && a < species->count; a++)
        for (size_t b = 0; b <= a; b++)
            most = fmax(most, overlap_distance_of(problem, &species->pair[a][b], limit));
    return most;
}

static enum shoal_status fail_overlap(const struct overlap *worst, const uint64_t *minimised,
                                      struct shoal_error *error)
{
    const size_t low = (worst->i < worst->j ? worst->i : worst->j) + 1,
                 high = (worst->i < worst->j ? worst->j : worst->i) + 1;
    if (!(worst->d > 0))
        return fail(error, SHOAL_INVALID, "particles %zu and %zu start in the same place: move one of them",
                    low, high);
    if (minimised)
        return fail(error, SHOAL_INVALID,
                    "particles %zu and %zu overlap after %llu steps of the minimisation: their distance is "
                    "%.6g, their energy %.3g; %s, or start at a lower --density",
                    low, high, (unsigned long long)*minimised, sqrt(worst->d), worst->energy,
                    *minimised < worst->problem->params->minimise ? "lower --minimise-force"
                                                                  : "raise --minimise");
    return fail(error, SHOAL_INVALID,
                "particles %zu and %zu overlap at the start: their distance is %.6g, their energy %.3g; "
                "start them further apart or at a lower --density%s",
                low, high, sqrt(worst->d), worst->energy, gas_minimise_advice(worst->problem));
}

enum shoal_status gas_check_overlaps(const struct gas_problem *problem, const uint64_t *minimised,
                                     struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    const double unit = fmax(unit_of_energy(problem), params->temperature);
    const bool may_overlap = gas_minimises(problem) && !minimised;
    struct overlap worst = {.problem = problem, .limit = may_overlap ? DBL_MAX : overlap_energy * unit};
    struct gas_grid grid;
    const double distance = gas_has_pair_force(params) ? overlap_distance(problem, worst.limit) : 0;
    if (!(distance > 0))
        return SHOAL_OK;
    enum shoal_status status = gas_grid_create(problem, problem->position, distance, &grid, error);
    if (status)
        return status;
    bool any = false;
    const int threads = gas_threads(problem, gas_forces_seconds(problem));
#pragma omp parallel for num_threads(threads) schedule(static) reduction(|| : any)
    for (size_t i = 0; i < problem->n; i++) {
        struct overlap own = worst;
        own.target = i;
        gas_grid_visit(&grid, i, look_at_pair, &own);
        any = any || own.energy > 0;
    }
    for (size_t i = 0; i < problem->n && any; i++) {
        const double before = worst.energy;
        worst.target = i;
        gas_grid_visit(&grid, i, look_at_pair, &worst);
        if (worst.energy > before)
            worst.i = i;
    }
    gas_grid_destroy(&grid);
    return any ? fail_overlap(&worst, minimised, error) : SHOAL_OK;
}

/* Velocities ------------------------------------------------------------------------------------------- */

static void draw_normals(const struct gas_problem *problem)
{
    const size_t dim = problem->dim;
    for (size_t i = 0; i < problem->n; i++) {
        double normal[4];
        for (uint32_t draw = 0; draw < (dim + 1) / 2; draw++) {
            const struct shoal_words words =
                shoal_random_words(problem->params->seed, SHOAL_STREAM_GAS_VELOCITY, 0, (uint32_t)i, draw);
            shoal_normal_double(words, &normal[2 * draw], &normal[2 * draw + 1]);
        }
        for (size_t k = 0; k < dim; k++)
            problem->velocity[i * dim + k] = normal[k] / sqrt(gas_mass_ratio(problem, i));
    }
}

void gas_set_velocities(struct gas_problem *problem)
{
    const size_t n = problem->n, dim = problem->dim;
    double squares = 0, mass = 0;
    draw_normals(problem);
    for (size_t i = 0; i < n; i++)
        mass += gas_mass_ratio(problem, i);
    for (size_t k = 0; k < dim && n > 1; k++) {
        double momentum = 0;
        for (size_t i = 0; i < n; i++)
            momentum += gas_mass_ratio(problem, i) * problem->velocity[i * dim + k];
        for (size_t i = 0; i < n; i++)
            problem->velocity[i * dim + k] -= momentum / mass;
    }
    for (size_t i = 0; i < n * dim; i++)
        squares += gas_mass_ratio(problem, i / dim) * (problem->velocity[i] * problem->velocity[i]);
    const double scale =
        sqrt(problem->degrees * problem->params->temperature / (problem->params->mass * squares));
    for (size_t i = 0; i < n * dim; i++)
        problem->velocity[i] *= scale;
}
