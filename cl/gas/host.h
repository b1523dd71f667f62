/* A user's pair force as a C function of a shared object, compiled by the C compiler of the host: see
 * src/gas/model/pair_code.h. */
#include "lib/host.h"

#include "gas/model/snippet.clh"

__attribute__((visibility("default"))) void shoal_host_pair(double d, double *force, double *energy)
{
    *force = user_force(d);
    *energy = user_energy(d);
}

__attribute__((visibility("default"))) double shoal_host_cutoff(void)
{
#ifdef CUTOFF
    return CUTOFF;
#else
    return NAN;
#endif
}
