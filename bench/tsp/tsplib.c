#include "bench/tsp/tsplib.h"

#include <stdlib.h>
#include <unistd.h>

enum shoal_status bench_tsplib(const char *name, char *path, size_t size, struct shoal_error *error)
{
    const char *folder = getenv("SHOAL_TSPLIB");
    snprintf(path, size, "%s/%s.tsp", folder ? folder : ".", name);
    if (access(path, R_OK) == 0)
        return SHOAL_OK;
    return bench_fail(error, SHOAL_UNSUPPORTED,
                      "there is no %s: set SHOAL_TSPLIB to the folder of the problems that has it", path);
}
