/* Private: laws of charges as functions of s = r^2 + softening^2, in double precision: those of
 * cl/lib/charges.clh. Inline, for loops over pairs. */
#ifndef SHOAL_FMM_LAW_H
#define SHOAL_FMM_LAW_H

#include <math.h>
#include <stdbool.h>

/* Force over distance and potential of unit charges. */
struct law_value {
    double force, potential;
};

/* u = attraction / 2 ln s. with_potential false: the potential is 0, which saves a logarithm. */
static inline struct law_value law_log(double s, double attraction, bool with_potential)
{
    return (struct law_value){-attraction / s, with_potential ? 0.5 * attraction * log(s) : 0};
}

/* u = (attraction ln s + repulsion / s) / 2. */
static inline struct law_value law_log_repulsion(double s, double attraction, double repulsion,
                                                 bool with_potential)
{
    return (struct law_value){(repulsion / s - attraction) / s,
                              with_potential ? 0.5 * (attraction * log(s) + repulsion / s) : 0};
}

/* u = strength / sqrt(s). */
static inline struct law_value law_inverse(double s, double strength)
{
    const double potential = strength / sqrt(s);
    return (struct law_value){potential / s, potential};
}

#endif
