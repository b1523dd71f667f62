/* Corrections for the pairs beyond the cutoff of a truncated potential, where g(r) is taken as 1: M. P.
 * Allen, D. J. Tildesley, Computer Simulation of Liquids, 2nd ed., section 2.8; in two dimensions the same
 * integrals over areas instead of volumes. */
#include "gas/model/pair_code.h"
#include "gas/model/problem.h"
#include "gas/species/species.h"

/* energy: integral of u r^(dim - 1) dr from the cutoff to infinity; virial: integral of -r u' r^(dim - 1)
 * dr. */
struct integrals {
    double energy, virial;
};

static struct integrals of_lennard_jones(const struct gas_problem *problem, const struct gas_pair *pair)
{
    const double cutoff = pair->cutoff, dim = (double)problem->dim;
    const double repulsion = pair->lj12 * pow(cutoff, dim - 12) / (12 - dim);
    const double attraction = pair->lj6 * pow(cutoff, dim - 6) / (6 - dim);
    return (struct integrals){repulsion - attraction, 12 * repulsion - 6 * attraction};
}

/* The integrals of each two species, weighted by the fractions of the particles. */
static struct integrals of_species(const struct gas_problem *problem)
{
    const struct gas_species *species = problem->species;
    const double n = (double)problem->n;
    struct integrals sum = {0, 0};
    for (size_t a = 0; a < species->count; a++)
        for (size_t b = 0; b < species->count; b++) {
            const double share = (double)species->particles[a] / n * ((double)species->particles[b] / n);
            const struct integrals own = of_lennard_jones(problem, &species->pair[a][b]);
            sum.energy += share * own.energy;
            sum.virial += share * own.virial;
        }
    return sum;
}

/* Adds the integrals of a user's law from `from` to `to`, by Gauss-Legendre quadrature with eight nodes. */
static void add_part(const struct gas_problem *problem, double from, double to, struct integrals *sum)
{
    static const double nodes[] = {0.18343464249564980, 0.52553240991632899, 0.79666647741362674,
                                   0.96028985649753623},
                        weights[] = {0.36268378337836198, 0.31370664587788729, 0.22238103445337447,
                                     0.10122853629037626};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (int i = 0; i < 8; i++) {
        const double r = middle + (i % 2 ? half : -half) * nodes[i / 2];
        const double shell = half * weights[i / 2] * pow(r, (double)problem->dim - 1);
        double force, energy;
        pair_code_evaluate(problem->code, r * r, &force, &energy);
        sum->energy += shell * energy;
        sum->virial += shell * force * r * r;
    }
}

/* Computes the integrals of a user's law, octave by octave from the cutoff on, each octave in several parts,
 * until an octave adds almost nothing. False: the integrals do not converge within OCTAVES octaves. They do
 * for a law that falls with a power of the distance at least a fifth larger than dim. */
static bool of_user(const struct gas_problem *problem, struct integrals *sum)
{
    enum { OCTAVES = 200, PARTS = 32 };
    const double nothing = 1e-13;
    double from = problem->pair.cutoff;
    *sum = (struct integrals){0};
    for (int octave = 0; octave < OCTAVES; octave++, from *= 2) {
        struct integrals own = {0};
        for (int part = 0; part < PARTS; part++)
            add_part(problem, from * (1 + (double)part / PARTS), from * (1 + (part + 1.0) / PARTS), &own);
        sum->energy += own.energy;
        sum->virial += own.virial;
        if (!isfinite(sum->energy) || !isfinite(sum->virial))
            return false;
        if (fabs(own.energy) <= nothing * fabs(sum->energy) &&
            fabs(own.virial) <= nothing * fabs(sum->virial))
            return true;
    }
    return false;
}

bool gas_tail(const struct gas_problem *problem, double *energy, double *pressure)
{
    const double pi = 3.14159265358979324, density = (double)problem->n / problem->volume;
    const double around = problem->dim == 2 ? 2 * pi : 4 * pi;
    struct integrals beyond;
    bool has_tail = problem->cut == SHOAL_GAS_CUT_TRUNCATED && isfinite(problem->pair.cutoff);
    for (size_t k = 0; k < problem->dim; k++)
        has_tail = has_tail && problem->boundary[k] == SHOAL_GAS_PERIODIC;
    if (has_tail && problem->kind == GAS_PAIR_LJ)
        beyond = problem->species ? of_species(problem) : of_lennard_jones(problem, &problem->pair);
    else if (!has_tail || problem->kind != GAS_PAIR_USER || !of_user(problem, &beyond))
        return false;
    *energy = 0.5 * density * around * beyond.energy;
    *pressure = 0.5 * density * density * around / (double)problem->dim * beyond.virial;
    return true;
}
