/* Species in checkpoints. */
#include "base/error.h"
#include "base/text.h"
#include "gas/model/problem.h"
#include "gas/species/species.h"
#include "io/decimal.h"
#include "io/particles/particles.h"
#include "workload/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char masses_section[] = "species masses", charges_section[] = "species charges",
                  of_section[] = "species";

void gas_species_save(const struct gas_problem *problem, struct checkpoint *checkpoint)
{
    const struct gas_species *species = problem->species;
    if (!species)
        return;
    checkpoint_add(checkpoint, masses_section, species->mass, sizeof species->mass);
    checkpoint_add(checkpoint, charges_section, species->charge, sizeof species->charge);
    checkpoint_add(checkpoint, of_section, species->of, problem->n);
}

enum shoal_status gas_species_compare(const struct gas_problem *problem, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    const struct gas_species *species = problem->species;
    const void *mass, *of, *charge = species ? species->charge : NULL;
    if (!species)
        return SHOAL_OK;
    enum shoal_status status =
        checkpoint_expect(checkpoint, masses_section, sizeof species->mass, &mass, error);
    if (!status)
        status = checkpoint_expect(checkpoint, of_section, problem->n, &of, error);
    /* checkpoints of earlier versions have no charges: those were in the parameters */
    if (!status && checkpoint_find(checkpoint, charges_section))
        status = checkpoint_expect(checkpoint, charges_section, sizeof species->charge, &charge, error);
    if (status ||
        (!memcmp(charge, species->charge, sizeof species->charge) &&
         !memcmp(mass, species->mass, sizeof species->mass) && !memcmp(of, species->of, problem->n)))
        return status;
    return checkpoint_damaged(checkpoint, error);
}

/* Start ------------------------------------------------------------------------------------------------ */

enum shoal_status gas_species_amounts(const struct shoal_gas_params *params,
                                      const struct checkpoint *checkpoint, char **out,
                                      struct shoal_error *error)
{
    const struct checkpoint_section *of = checkpoint_find(checkpoint, of_section);
    struct gas_kinds kinds;
    double mass[SHOAL_GAS_MOST_SPECIES], charge[SHOAL_GAS_MOST_SPECIES];
    const bool charged =
        gas_is_long(gas_potential_of(params)) && checkpoint_find(checkpoint, charges_section);
    size_t particles[SHOAL_GAS_MOST_SPECIES] = {0};
    *out = NULL;
    if (!params->species)
        return SHOAL_OK;
    enum shoal_status status = gas_kinds_read(params, &kinds, error);
    if (!status)
        status = checkpoint_get(checkpoint, masses_section, mass, sizeof mass, error);
    if (!status && charged)
        status = checkpoint_get(checkpoint, charges_section, charge, sizeof charge, error);
    if (!status && !of)
        status = checkpoint_damaged(checkpoint, error);
    for (size_t i = 0; !status && i < of->bytes; i++) {
        const uint8_t s = ((const uint8_t *)of->data)[i];
        if (s >= kinds.count)
            status = checkpoint_damaged(checkpoint, error);
        else
            particles[s]++;
    }
    kinds.has_amounts = true;
    kinds.are_fractions = false;
    for (size_t s = 0; s < kinds.count && !status; s++) {
        struct gas_kind *kind = &kinds.kind[s];
        kind->amount = (double)particles[s];
        kind->mass = mass[s];
        kind->charge = charged ? charge[s] : kind->charge;
    }
    return status ? status : gas_kinds_text(&kinds, out, error);
}

enum shoal_status gas_species_take(struct gas_problem *problem, const struct checkpoint *checkpoint,
                                   struct shoal_error *error)
{
    struct gas_species *species = problem->species;
    return species ? checkpoint_get(checkpoint, of_section, species->of, problem->n, error) : SHOAL_OK;
}

enum shoal_status gas_species_tell(const struct gas_problem *problem, struct particles *particles,
                                   struct shoal_error *error)
{
    const struct gas_species *species = problem->species;
    if (!species)
        return SHOAL_OK;
    particles->kind = malloc(problem->n);
    particles->masses = calloc(problem->n, sizeof *particles->masses);
    particles->charges = calloc(problem->n, sizeof *particles->charges);
    if (!particles->kind || !particles->masses || !particles->charges)
        return fail_host_memory(error);
    particles->kinds = species->count;
    for (size_t s = 0; s < species->count; s++)
        memcpy(particles->kind_names[s], species->names[s], sizeof particles->kind_names[s]);
    memcpy(particles->kind, species->of, problem->n);
    for (size_t i = 0; i < problem->n; i++) {
        particles->masses[i] = gas_mass(problem, i);
        particles->charges[i] = species->charge[species->of[i]];
    }
    snprintf(particles->told, sizeof particles->told, "%s",
             species->has_masses ? "species, masses" : "species");
    return SHOAL_OK;
}
