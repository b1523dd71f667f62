/* The functions of CEC 2006 in double precision, compiled from the text of the kernels. Tests compare the
 * values of the best known points with the published values. */
#include "objective/cec2006/cec2006.h"

/* <math.h> defines these names; the kernel dialect has its own definitions. */
#include <math.h>
#undef MAXFLOAT
#undef M_PI
#undef M_E
#include "lib/host.h"

#include "objective/cec2006/cec2006.clh"

#define FUNCTION(number)                                                                                     \
    {                                                                                                        \
        cec2006_g##number, cec2006_g##number##_constraints                                                   \
    }

static const struct {
    double (*value)(const double *x);
    void (*constraints)(double *g, const double *x);
} functions[] = {
    FUNCTION(1),  FUNCTION(2),  FUNCTION(3),  FUNCTION(4),  FUNCTION(5),  FUNCTION(6),
    FUNCTION(7),  FUNCTION(8),  FUNCTION(9),  FUNCTION(10), FUNCTION(11), FUNCTION(12),
    FUNCTION(13), FUNCTION(14), FUNCTION(15), FUNCTION(16), FUNCTION(17), FUNCTION(18),
    FUNCTION(19), FUNCTION(20), FUNCTION(21), FUNCTION(22), FUNCTION(23), FUNCTION(24),
};

double cec2006_value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)dim;
    return functions[objective->number - 1].value(x);
}

void cec2006_constraints(const struct shoal_objective *objective, const double *x, size_t dim, double *g)
{
    (void)dim;
    functions[objective->number - 1].constraints(g, x);
}
