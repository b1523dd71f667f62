/* Rules between parameters that `needs` of an option cannot express. */
#include "base/error.h"
#include "de/model/problem.h"

#include <math.h>

enum { LEAST_MEMBERS = 4 }; /* a trial needs its own member and three others */

static enum shoal_status check_sizes(const struct shoal_de_params *params, struct shoal_error *error)
{
    const bool is_end = !params->population || params->population >= LEAST_MEMBERS;
    const uint64_t few = is_end ? params->population_end : params->population;
    if (few && few < LEAST_MEMBERS)
        return fail(error, SHOAL_INVALID, "--%s %llu: a trial is made of %d members or more",
                    is_end ? "population-end" : "population", (unsigned long long)few, LEAST_MEMBERS);
    if (params->adaptation == SHOAL_DE_JSO && params->memory == 1)
        return fail(error, SHOAL_INVALID,
                    "jso needs a --memory of 2 cells or more, of which the last is constant");
    return SHOAL_OK;
}

static bool is_pull(const struct shoal_de_params *params)
{
    return params->strategy == SHOAL_DE_CURRENT_TO_PBEST_1 ||
           (params->strategy == SHOAL_DE_STRATEGY_AUTO && params->adaptation >= SHOAL_DE_JADE);
}

enum shoal_status de_check_params(const void *given, struct shoal_error *error)
{
    const struct shoal_de_params *params = given;
    enum shoal_status status = search_check_params(&de_algorithm, &params->search, error);
    if (!status)
        status = check_sizes(params, error);
    const char *unused = is_pull(params)                                  ? NULL
                         : !isnan(params->pbest)                          ? "pbest"
                         : !isnan(params->archive) && params->archive > 0 ? "archive"
                                                                          : NULL;
    if (!status && unused)
        return fail(error, SHOAL_INVALID, "--%s needs --strategy current-to-pbest-1", unused);
    return status;
}
