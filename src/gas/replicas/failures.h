/* Private: the failure that a loop of threads over the replicas returns. */
#ifndef SHOAL_GAS_REPLICAS_FAILURES_H
#define SHOAL_GAS_REPLICAS_FAILURES_H

#include <shoal/error.h>
#include <stddef.h>

/* The first failure of a loop over the replicas: that with the lowest index. */
struct first_failure {
    size_t index;
    enum shoal_status status;
    struct shoal_error error;
};

static inline void keep_failure(struct first_failure *first, size_t index, enum shoal_status status,
                                const struct shoal_error *error)
{
#pragma omp critical(gas_replicas_failure)
    if (!first->status || index < first->index)
        *first = (struct first_failure){index, status, *error};
}

static inline enum shoal_status first_status(const struct first_failure *first, struct shoal_error *error)
{
    if (first->status && error)
        *error = first->error;
    return first->status;
}

#endif
