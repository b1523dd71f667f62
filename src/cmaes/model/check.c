/* Rules between parameters that `needs` of an option cannot express: a row for each invalid combination. */
#include "base/error.h"
#include "cmaes/model/problem.h"

enum shoal_status cmaes_check_params(const void *given, struct shoal_error *error)
{
    const struct shoal_cmaes_params *params = given;
    enum shoal_status status = search_check_params(&cmaes_algorithm, &params->search, error);
    if (status)
        return status;
    if (params->population == 1)
        return fail(error, SHOAL_INVALID, "--population 1 has nothing to compare: use 2 or more");
    if (params->search.islands > 1)
        return fail(
            error, SHOAL_INVALID,
            "cmaes has one population in a run, and --restarts in place of islands: use --runs for more");
    if (params->search.restart)
        return fail(error, SHOAL_INVALID,
                    "cmaes restarts by rules of its own: leave out --restart, --restarts chooses among them");
    return SHOAL_OK;
}
