/* Species of particles: their rules, constants, and which particle is of which species. */
#include "gas/species/species.h"
#include "base/error.h"
#include "gas/model/problem.h"
#include "gas/thesis/use.h"
#include "io/particles/particles.h"

#include <shoal/rng.h>
#include <stdlib.h>
#include <string.h>

static bool has_lennard_jones(const struct shoal_gas_params *params)
{
    const enum shoal_gas_potential potential = gas_potential_of(params);
    return potential == SHOAL_GAS_LJ || potential == SHOAL_GAS_WCA;
}

/* Constants -------------------------------------------------------------------------------------------- */

struct gas_strength gas_strength_between(const struct shoal_gas_params *params, const struct gas_kinds *kinds,
                                         size_t a, size_t b)
{
    const struct gas_kind *first = &kinds->kind[a], *second = &kinds->kind[b];
    const struct gas_kind_pair *pair = &kinds->pair[a][b];
    const double epsilons[] = {gas_given_or(first->epsilon, params->epsilon),
                               gas_given_or(second->epsilon, params->epsilon)};
    const double sigmas[] = {gas_given_or(first->sigma, params->sigma),
                             gas_given_or(second->sigma, params->sigma)};
    /* the rule of Lorentz and Berthelot, exact for equal species */
    struct gas_strength strength = {
        .epsilon = gas_given_or(pair->epsilon,
                                epsilons[0] == epsilons[1] ? epsilons[0] : sqrt(epsilons[0] * epsilons[1])),
        .sigma = gas_given_or(pair->sigma, 0.5 * (sigmas[0] + sigmas[1]))};
    const double asked = params->cutoff > 0 ? params->cutoff : isnan(params->cutoff) ? NAN : INFINITY;
    if (gas_potential_of(params) == SHOAL_GAS_WCA)
        strength.cutoff = strength.sigma * pow(2, 1.0 / 6);
    else
        strength.cutoff = gas_given_or(pair->cutoff, gas_given_or(asked, 2.5 * strength.sigma));
    return strength;
}

double gas_species_cutoff(const struct shoal_gas_params *params, double otherwise)
{
    struct gas_kinds kinds;
    double most = 0;
    if (!params->species || !has_lennard_jones(params) || gas_kinds_read(params, &kinds, NULL))
        return otherwise;
    for (size_t a = 0; a < kinds.count; a++)
        for (size_t b = 0; b <= a; b++)
            most = fmax(most, gas_strength_between(params, &kinds, a, b).cutoff);
    return most;
}

bool gas_species_interact(const struct shoal_gas_params *params)
{
    struct gas_kinds kinds;
    double most = 0;
    if (gas_kinds_read(params, &kinds, NULL))
        return true;
    for (size_t a = 0; a < kinds.count; a++)
        for (size_t b = 0; b <= a; b++)
            most = fmax(most, gas_strength_between(params, &kinds, a, b).epsilon);
    return most > 0;
}

/* Rules ------------------------------------------------------------------------------------------------ */

/* Checks that the law of the gas has the values that the texts give. */
static enum shoal_status check_values(const struct shoal_gas_params *params, const struct gas_kinds *kinds,
                                      struct shoal_error *error)
{
    const bool has_charges = gas_is_long(gas_potential_of(params)), has_wells = has_lennard_jones(params);
    for (size_t s = 0; s < kinds->count; s++) {
        const struct gas_kind *kind = &kinds->kind[s];
        if (!has_charges && !isnan(kind->charge))
            return fail(error, SHOAL_INVALID,
                        "--species: %s has a charge, which --potential %s lacks: take log, log-repulsion, "
                        "real or gravity",
                        kind->name, gas_potential_name(gas_potential_of(params)));
        if (!has_wells && (!isnan(kind->epsilon) || !isnan(kind->sigma)))
            return fail(error, SHOAL_INVALID,
                        "--species: %s has an epsilon or a sigma, which --potential %s lacks: take lj or wca",
                        kind->name, gas_potential_name(gas_potential_of(params)));
    }
    if (params->species_pairs && !has_wells)
        return fail(error, SHOAL_INVALID, "--species-pairs is for --potential lj or wca, not for %s",
                    gas_potential_name(gas_potential_of(params)));
    for (size_t a = 0; a < kinds->count; a++)
        for (size_t b = 0; b < kinds->count; b++)
            if (!isnan(kinds->pair[a][b].cutoff) &&
                (gas_potential_of(params) == SHOAL_GAS_WCA || params->cutoff == 0))
                return fail(error, SHOAL_INVALID, "--species-pairs: %s-%s has a cutoff, but %s",
                            kinds->kind[a].name, kinds->kind[b].name,
                            params->cutoff == 0 ? "--cutoff 0 means none" : "wca ends at its minimum");
    return SHOAL_OK;
}

/* Checks the amounts against the number of particles, and sets the numbers of particles of each species. */
static enum shoal_status share_out(const struct shoal_gas_params *params, const struct gas_kinds *kinds,
                                   size_t n, size_t particles[SHOAL_GAS_MOST_SPECIES],
                                   struct shoal_error *error)
{
    double sum = 0, rest[SHOAL_GAS_MOST_SPECIES];
    size_t used = 0;
    if (!kinds->has_amounts)
        return fail(error, SHOAL_INVALID,
                    "--species: %s has no amount, and no start file names species: give %s=COUNT or, with a "
                    "decimal point, a fraction",
                    kinds->kind[0].name, kinds->kind[0].name);
    for (size_t s = 0; s < kinds->count; s++)
        sum += kinds->kind[s].amount;
    if (kinds->are_fractions && !(fabs(sum - 1) <= 1e-6))
        return fail(error, SHOAL_INVALID, "--species: the fractions add up to %.9g, not to 1", sum);
    if (!kinds->are_fractions && sum != (double)n)
        return fail(error, SHOAL_INVALID, "--species: the numbers add up to %.0f, but %s %zu particles", sum,
                    params->start_file ? "the start file holds" : "there are", n);
    for (size_t s = 0; s < kinds->count; s++) {
        const double share = kinds->kind[s].amount * (kinds->are_fractions ? (double)n / sum : 1);
        particles[s] = (size_t)floor(share);
        rest[s] = share - floor(share);
        used += particles[s];
    }
    while (used < n) { /* the largest remainders are rounded up */
        size_t most = 0;
        for (size_t s = 1; s < kinds->count; s++)
            most = rest[s] > rest[most] ? s : most;
        particles[most]++;
        rest[most] = -1;
        used++;
    }
    return SHOAL_OK;
}

enum shoal_status gas_species_check(const struct shoal_gas_params *params, struct shoal_error *error)
{
    struct gas_kinds kinds;
    size_t particles[SHOAL_GAS_MOST_SPECIES];
    if (!params->species)
        return SHOAL_OK;
    enum shoal_status status = gas_kinds_read(params, &kinds, error);
    if (!status)
        status = check_values(params, &kinds, error);
    if (!status && !params->start_file)
        status = share_out(params, &kinds, gas_particles_of(params), particles, error);
    if (!status && (params->method > SHOAL_GAS_FMM || gas_thesis_method(params) > SHOAL_GAS_FMM ||
                    gas_ladder_of(params) || gas_rules_of(params).for_host || gas_limits_speeds(params)))
        status = fail(error, SHOAL_INVALID,
                      "--species is not for the methods and rules that reproduce the thesis: leave one out");
    return status;
}

/* Particles -------------------------------------------------------------------------------------------- */

/* Gives the first particles the first species, and so on, and then exchanges each particle with a random one
 * before it (Fisher, Yates). */
static void shuffle(const struct gas_problem *problem, struct gas_species *species)
{
    size_t i = 0;
    for (size_t s = 0; s < species->count; s++)
        for (size_t k = 0; k < species->particles[s]; k++)
            species->of[i++] = (uint8_t)s;
    for (i = problem->n; i-- > 1;) {
        const struct shoal_words words =
            shoal_random_words(problem->params->seed, SHOAL_STREAM_GAS_VELOCITY, 1, (uint32_t)i, 0);
        const size_t other = (size_t)((uint64_t)words.x * (i + 1) >> 32);
        const uint8_t own = species->of[i];
        species->of[i] = species->of[other];
        species->of[other] = own;
    }
}

/* The species that a start file calls `name`: the one with this name or, if it is a number, the one with this
 * number, counted from 1. Returns the number of species if there is none. */
static size_t find(const struct gas_species *species, const char *name)
{
    for (size_t s = 0; s < species->count; s++)
        if (strcmp(species->names[s], name) == 0)
            return s;
    const bool is_number = name[0] >= '1' && name[0] < '1' + (int)species->count && !name[1];
    return is_number ? (size_t)(name[0] - '1') : species->count;
}

static enum shoal_status take_kinds(const struct gas_problem *problem, struct gas_species *species,
                                    struct shoal_error *error)
{
    const struct particles *file = problem->file;
    for (size_t i = 0; i < problem->n; i++) {
        const size_t kind = file->kind[i];
        const size_t s = kind < file->kinds ? find(species, file->kind_names[kind]) : species->count;
        if (s == species->count)
            return fail(error, SHOAL_INVALID,
                        "%s: particle %zu is of species %s, which --species does not name",
                        problem->params->start_file, i + 1,
                        kind < file->kinds ? file->kind_names[kind] : "number 9 or later");
        species->of[i] = (uint8_t)s;
        species->particles[s]++;
    }
    return SHOAL_OK;
}

/* Checks that the file has as many particles of each species as the amounts say. */
static enum shoal_status compare(const struct gas_problem *problem, const struct gas_kinds *kinds,
                                 struct shoal_error *error)
{
    const struct gas_species *species = problem->species;
    size_t wanted[SHOAL_GAS_MOST_SPECIES];
    if (!kinds->has_amounts)
        return SHOAL_OK;
    enum shoal_status status = share_out(problem->params, kinds, problem->n, wanted, error);
    for (size_t s = 0; s < species->count && !status; s++)
        if (wanted[s] != species->particles[s])
            status =
                fail(error, SHOAL_INVALID,
                     "%s holds %zu particles of species %s, --species asks for %zu: leave the amounts out",
                     problem->params->start_file, species->particles[s], species->names[s], wanted[s]);
    return status;
}

/* A value of species that a start file may give. */
struct taken {
    const char *name, *names; /* "mass", "masses" */
    const double *values;     /* [particles]; NULL: the file has none */
    double least, most;
    double *own; /* [species] */
};

/* Takes from the file a value of the species for which the parameters do not give it. is_given: [species] */
static enum shoal_status take(const struct gas_problem *problem, const struct taken *taken,
                              const bool is_given[SHOAL_GAS_MOST_SPECIES], struct shoal_error *error)
{
    const struct gas_species *species = problem->species;
    const char *path = problem->params->start_file;
    bool has[SHOAL_GAS_MOST_SPECIES] = {false};
    for (size_t i = 0; i < problem->n && taken->values; i++) {
        const size_t s = species->of[i];
        const double value = taken->values[i];
        if (is_given[s])
            continue;
        if (!(value >= taken->least && value <= taken->most))
            return fail(error, SHOAL_INVALID,
                        "%s: particle %zu has the %s %g, %g to %g are allowed: give the %s in --species",
                        path, i + 1, taken->name, value, taken->least, taken->most, taken->name);
        if (has[s] && value != taken->own[s])
            return fail(error, SHOAL_INVALID,
                        "%s: the %s of species %s differ: %g, and %g of particle %zu: give one in --species",
                        path, taken->names, species->names[s], taken->own[s], value, i + 1);
        has[s] = true;
        taken->own[s] = value;
    }
    return SHOAL_OK;
}

static bool any_is_charged(const struct particles *file)
{
    bool any = false;
    for (size_t i = 0; i < file->count && file->charges && !any; i++)
        any = file->charges[i] != 0;
    return any;
}

/* Takes masses and, if the law has charges, charges from the file. Many programs write a column of zeros
 * where there are no charges, so such a column is not taken. */
static enum shoal_status take_values(struct gas_problem *problem, const struct gas_kinds *kinds,
                                     struct shoal_error *error)
{
    struct gas_species *species = problem->species;
    const struct particles *file = problem->file;
    const bool charged = gas_is_long(gas_potential_of(problem->params)) && any_is_charged(file);
    const struct taken masses = {"mass", "masses", file->masses, 1e-12, 1e12, species->mass};
    const struct taken charges = {"charge", "charges", charged ? file->charges : NULL,
                                  -1e6,     1e6,       species->charge};
    bool has_mass[SHOAL_GAS_MOST_SPECIES], has_charge[SHOAL_GAS_MOST_SPECIES];
    for (size_t s = 0; s < species->count; s++) {
        has_mass[s] = !isnan(kinds->kind[s].mass);
        has_charge[s] = !isnan(kinds->kind[s].charge);
    }
    enum shoal_status status = take(problem, &masses, has_mass, error);
    if (!status)
        status = take(problem, &charges, has_charge, error);
    for (size_t s = 0; s < species->count; s++)
        species->has_masses = species->has_masses || species->mass[s] != problem->params->mass;
    return status;
}

static enum shoal_status assign(struct gas_problem *problem, struct shoal_error *error)
{
    struct gas_species *species = problem->species;
    const struct particles *file = problem->file;
    struct gas_kinds kinds;
    species->of = malloc(problem->n);
    if (!species->of)
        return fail_host_memory(error);
    enum shoal_status status = gas_kinds_read(problem->params, &kinds, error);
    /* A file of one kind of particles tells species apart only if it has to. */
    if (!status && file && file->kind && (file->kinds > 1 || !kinds.has_amounts)) {
        status = take_kinds(problem, species, error);
        if (!status)
            status = compare(problem, &kinds, error);
    } else if (!status) {
        status = share_out(problem->params, &kinds, problem->n, species->particles, error);
        if (!status)
            shuffle(problem, species);
    }
    if (!status && file)
        status = take_values(problem, &kinds, error);
    /* momenta were divided by --mass, since the file has no masses */
    for (size_t i = 0; i < 3 * problem->n && !status && file && file->has_momenta; i++)
        file->velocity[i] *= problem->params->mass / gas_mass(problem, i / 3);
    return status;
}

/* Create ----------------------------------------------------------------------------------------------- */

enum shoal_status gas_species_create(struct gas_problem *problem, struct shoal_error *error)
{
    const struct shoal_gas_params *params = problem->params;
    struct gas_kinds kinds;
    if (!params->species)
        return SHOAL_OK;
    struct gas_species *species = problem->species = calloc(1, sizeof *species);
    if (!species)
        return fail_host_memory(error);
    enum shoal_status status = gas_kinds_read(params, &kinds, error);
    species->count = kinds.count;
    for (size_t s = 0; s < kinds.count && !status; s++) {
        memcpy(species->names[s], kinds.kind[s].name, sizeof species->names[s]);
        species->mass[s] = gas_given_or(kinds.kind[s].mass, params->mass);
        species->charge[s] = gas_given_or(kinds.kind[s].charge, 1);
        species->has_masses = species->has_masses || species->mass[s] != params->mass;
    }
    return status ? status : assign(problem, error);
}

void gas_species_destroy(struct gas_problem *problem)
{
    if (problem->species)
        free(problem->species->of);
    free(problem->species);
    problem->species = NULL;
}

void gas_species_describe(const struct gas_problem *problem, struct shoal_gas_species *all)
{
    const struct gas_species *own = problem->species;
    *all = (struct shoal_gas_species){.size = sizeof *all, .count = own ? own->count : 1};
    for (size_t s = 0; s < all->count; s++) {
        all->particles[s] = own ? own->particles[s] : problem->n;
        all->mass[s] = own ? own->mass[s] : problem->params->mass;
        all->charge[s] = own ? own->charge[s] : 1;
        if (own)
            memcpy(all->names[s], own->names[s], sizeof all->names[s]);
    }
    all->of = own ? own->of : NULL;
}
