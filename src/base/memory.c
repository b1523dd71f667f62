#include "base/memory.h"
#include "base/error.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes of memory of the machine, or of the address space of the process (ulimit -v) if that is less;
 * infinity: unknown. */
static double host_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const double machine = pages > 0 && page > 0 ? (double)pages * (double)page : INFINITY;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return machine;
    return fmin(machine, (double)limit.rlim_cur);
}

enum shoal_status check_host_memory(double bytes, const char *what, const char *remedy,
                                    struct shoal_error *error)
{
    const double memory = host_memory();
    if (bytes <= memory)
        return SHOAL_OK;
    return fail(error, SHOAL_OUT_OF_HOST_MEMORY, "%s need %.0f bytes on the host, which has %.0f: %s", what,
                bytes, memory, remedy);
}
