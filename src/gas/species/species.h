/* Private: species of particles, which differ in mass, charge or pair force. docs/gas.md, "Species". */
#ifndef SHOAL_GAS_SPECIES_H
#define SHOAL_GAS_SPECIES_H

#include "gas/gas.h"

enum { GAS_SPECIES_NAME = 16, GAS_SPECIES_PAIRS = SHOAL_GAS_MOST_SPECIES * (SHOAL_GAS_MOST_SPECIES + 1) / 2 };

/* What the texts of the parameters say about a species and a pair of species. NaN: not given. */
struct gas_kind {
    char name[GAS_SPECIES_NAME];
    double amount; /* number of particles or, if the amounts are fractions, a fraction */
    double mass, charge, epsilon, sigma;
};
struct gas_kind_pair {
    double epsilon, sigma, cutoff;
};
struct gas_kinds {
    size_t count;
    bool has_amounts, are_fractions;
    struct gas_kind kind[SHOAL_GAS_MOST_SPECIES];
    /* both orders of a pair have the same values */
    struct gas_kind_pair pair[SHOAL_GAS_MOST_SPECIES][SHOAL_GAS_MOST_SPECIES];
};

/* The species of a problem. */
struct gas_species {
    size_t count;
    char names[SHOAL_GAS_MOST_SPECIES][GAS_SPECIES_NAME];
    size_t particles[SHOAL_GAS_MOST_SPECIES];
    double mass[SHOAL_GAS_MOST_SPECIES], charge[SHOAL_GAS_MOST_SPECIES];
    bool has_masses; /* a mass differs from params->mass */
    /* constants of the pair force between each two species */
    struct gas_pair pair[SHOAL_GAS_MOST_SPECIES][SHOAL_GAS_MOST_SPECIES];
    double epsilon, sigma; /* the largest of all pairs */
    uint8_t *of;           /* [n]: species of each particle, by its number */
};

/* Defined in species_text.c. Reads params->species, which must not be NULL, and params->species_pairs.
 * SHOAL_INVALID: one of them is wrong. */
SHOAL_MUST_CHECK enum shoal_status gas_kinds_read(const struct shoal_gas_params *params,
                                                  struct gas_kinds *kinds, struct shoal_error *error);
/* Number of particles by the amounts, if they are numbers; 0: they do not say it, or the text is wrong. */
size_t gas_kinds_particles(const struct shoal_gas_params *params);

/* Makes a text for params->species of the names, amounts and values of `kinds`, which the caller frees. */
SHOAL_MUST_CHECK enum shoal_status gas_kinds_text(const struct gas_kinds *kinds, char **out,
                                                  struct shoal_error *error);
/* Makes a text for params->species in which the first species has the fraction `fraction` of the particles
 * and the others share the rest in the proportions of `params`; the caller frees it. SHOAL_INVALID: the
 * amounts are no fractions, or the proportions are unknown. */
SHOAL_MUST_CHECK enum shoal_status gas_kinds_share(const struct shoal_gas_params *params, double fraction,
                                                   char **out, struct shoal_error *error);

/* Defined in species.c. gas_species_check: the rules between the species and the other parameters that can be
 * checked without reading a file. */
SHOAL_MUST_CHECK enum shoal_status gas_species_check(const struct shoal_gas_params *params,
                                                     struct shoal_error *error);
/* The largest cutoff of a pair of species; `otherwise`, which the other parameters give, if there is one
 * species. */
double gas_species_cutoff(const struct shoal_gas_params *params, double otherwise);
/* Whether any two species interact by the law of Lennard-Jones. */
bool gas_species_interact(const struct shoal_gas_params *params);
/* Sets problem->species: names, masses and charges, and which particle is of which species: by the start
 * file, if it names species, otherwise at random. Takes masses and charges from the file that the parameters
 * do not give. gas_set_pair sets the constants of pair forces. Does nothing if the parameters have no
 * species. The number of particles and the file must be set. */
SHOAL_MUST_CHECK enum shoal_status gas_species_create(struct gas_problem *problem, struct shoal_error *error);
/* gas_species_save writes the section "species" of a checkpoint: masses, charges, and the species of each
 * particle. gas_species_compare checks that this section, in the checkpoint of a resumed run, is that of the
 * problem. Both do nothing with one species. */
struct checkpoint;
void gas_species_save(const struct gas_problem *problem, struct checkpoint *checkpoint);
SHOAL_MUST_CHECK enum shoal_status gas_species_compare(const struct gas_problem *problem,
                                                       const struct checkpoint *checkpoint,
                                                       struct shoal_error *error);
/* The species of a checkpoint from which another run starts. gas_species_amounts: a text for
 * params->species, which the caller frees, with the numbers, masses and charges of the particles in the
 * checkpoint; *out NULL: the gas has one species. gas_species_take: makes the particles of `problem`, created
 * with this text, those of the checkpoint. gas_species_tell: sets kinds, masses and charges of `particles`.
 */
SHOAL_MUST_CHECK enum shoal_status gas_species_amounts(const struct shoal_gas_params *params,
                                                       const struct checkpoint *checkpoint, char **out,
                                                       struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status
gas_species_take(struct gas_problem *problem, const struct checkpoint *checkpoint, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status gas_species_tell(const struct gas_problem *problem,
                                                    struct particles *particles, struct shoal_error *error);
/* Fills `all` for callers of the library. */
void gas_species_describe(const struct gas_problem *problem, struct shoal_gas_species *all);
void gas_species_destroy(struct gas_problem *problem);
/* Strength, length and cutoff of the pair force between two species (Lennard-Jones). cutoff: that of the
 * parameters. */
struct gas_strength {
    double epsilon, sigma, cutoff;
};
struct gas_strength gas_strength_between(const struct shoal_gas_params *params, const struct gas_kinds *kinds,
                                         size_t a, size_t b);
/* Index of a pair of species, in both orders, among the pairs of `count` species. */
static inline size_t gas_species_pair(size_t count, size_t a, size_t b)
{
    const size_t low = a < b ? a : b, high = a < b ? b : a;
    return low * count - low * (low + 1) / 2 + high;
}

/* Number of pairs of species; 1 for one species. */
static inline size_t gas_species_pairs(const struct gas_problem *problem)
{
    const size_t count = problem->species ? problem->species->count : 1;
    return count * (count + 1) / 2;
}

/* Index of the pair of species of two particles; 0 with one species. */
static inline size_t gas_pair_index(const struct gas_problem *problem, size_t a, size_t b)
{
    const struct gas_species *species = problem->species;
    return species ? gas_species_pair(species->count, species->of[a], species->of[b]) : 0;
}

/* Mass of a particle. */
static inline double gas_mass(const struct gas_problem *problem, size_t particle)
{
    const struct gas_species *species = problem->species;
    return species ? species->mass[species->of[particle]] : problem->params->mass;
}

/* Mass of a particle over params->mass, which is exactly 1 unless species differ in mass. */
static inline double gas_mass_ratio(const struct gas_problem *problem, size_t particle)
{
    const struct gas_species *species = problem->species;
    return species && species->has_masses ? species->mass[species->of[particle]] / problem->params->mass : 1;
}

/* The least mass of a particle. */
static inline double gas_least_mass(const struct gas_problem *problem)
{
    const struct gas_species *species = problem->species;
    double least = species ? species->mass[0] : problem->params->mass;
    for (size_t s = 1; species && s < species->count; s++)
        least = fmin(least, species->mass[s]);
    return least;
}

/* Constants of the pair force between two particles. */
static inline const struct gas_pair *gas_pair_between(const struct gas_problem *problem, size_t a, size_t b)
{
    const struct gas_species *species = problem->species;
    return species ? &species->pair[species->of[a]][species->of[b]] : &problem->pair;
}

#endif
