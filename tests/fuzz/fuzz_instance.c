/* Instances of built-in objectives: what is read has a value, what is not has a reason. The first byte says
 * which format. */
#include "target.h"

#include "objective/instances/instance.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const functions[] = {"max-sat", "knapsack",  "max-cut",        "qubo",
                                            "qap",     "flow-shop", "linear-ordering"};
    struct shoal_error error = {0};
    struct shoal_objective *objective = NULL;
    char path[64];
    if (!size)
        return 0;
    const int file = memfd_create("instance", 0);
    REQUIRE(file >= 0);
    REQUIRE(write(file, data + 1, size - 1) == (ssize_t)(size - 1));
    /* Of knapsacks the second one now and then. */
    snprintf(path, sizeof path, "/proc/self/fd/%d%s", file, data[0] & 128 ? ":2" : "");
    const enum shoal_status status =
        shoal_objective_from_instance(functions[data[0] % 7], path, 0, &objective, &error);
    REQUIRE((objective != NULL) == (status == SHOAL_OK));
    if (objective) {
        const size_t dim = objective->info.min_dim;
        double *x = calloc(dim, sizeof *x);
        REQUIRE(x && dim >= 1 && dim == objective->info.max_dim);
        for (size_t i = 0; i < dim; i++)
            x[i] = objective->info.variables[6] == 'b' ? (double)(i % 2) : (double)(dim - 1 - i);
        if (dim <= 2000)
            REQUIRE(isfinite(shoal_objective_value(objective, x, dim)));
        free(x);
    } else {
        REQUIRE(status == SHOAL_IO || status == SHOAL_INVALID || status == SHOAL_OUT_OF_HOST_MEMORY);
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    shoal_objective_destroy(&objective);
    close(file);
    return 0;
}
