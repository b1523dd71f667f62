/* Checks that force and energy of a user's pair force are consistent. */
#include "base/error.h"
#include "gas/model/pair_code.h"
#include "gas/model/problem.h"

enum { DISTANCES = 50 };

static double energy_at(const struct gas_problem *problem, double r)
{
    double force, energy;
    pair_code_evaluate(problem->code, r * r, &force, &energy);
    return energy;
}

/* Returns the force as -u'(r), by central differences of fourth order. share: step of the differences as a
 * fraction of r. */
static double force_by_energy(const struct gas_problem *problem, double r, double share)
{
    const double h = share * r;
    return -(8 * (energy_at(problem, r + h) - energy_at(problem, r - h)) -
             (energy_at(problem, r + 2 * h) - energy_at(problem, r - 2 * h))) /
           (12 * h);
}

/* Accepted difference of force and derivative: of_force times the force, plus of_energy times the energy over
 * the distance. It exceeds the error of the differences for powers up to the 100th, for exponentials whose
 * decay length is at least a hundredth of the cutoff, and for energies that are differences of terms 1e4
 * times as large. */
static const double of_force = 1e-3, of_energy = 1e-6;

/* Returns whether the force agrees with the derivative of the energy, and stores this derivative in *found.
 * Values that are not finite count as equal, since a run in which such a pair occurs fails in any case. */
static bool agrees(const struct gas_problem *problem, double r, double force, double share, double *found)
{
    const double other = force_by_energy(problem, r, share);
    const double allowed =
        of_force * fmax(fabs(force), fabs(other)) + of_energy * fabs(energy_at(problem, r)) / r;
    *found = other;
    return !isfinite(force) || !isfinite(other) || fabs(force - other) <= allowed;
}

enum shoal_status gas_check_pair(const struct gas_problem *problem, struct shoal_error *error)
{
    double far = problem->pair.cutoff;
    for (size_t k = 0; k < problem->dim && isinf(problem->pair.cutoff); k++)
        far = isinf(far) ? problem->length[k] : fmax(far, problem->length[k]);
    for (size_t i = 0; i < DISTANCES; i++) {
        const double r = far * ((double)i + 0.5) / DISTANCES;
        double force, energy, found;
        pair_code_evaluate(problem->code, r * r, &force, &energy);
        /* A law of several pieces may have a border between two pieces within the first step of the
         * differences. The second step is shorter. */
        if (!agrees(problem, r, force * r, 1e-3, &found) && !agrees(problem, r, force * r, 1e-5, &found))
            return fail(error, SHOAL_INVALID,
                        "%s: force and energy differ at distance %g: by user_force the force is %.9g, by the "
                        "derivative of user_energy %.9g; user_force is -u'(r) / r, user_energy u, of the "
                        "squared distance",
                        problem->pair_name, r, force * r, found);
    }
    return SHOAL_OK;
}
