/* shoal pso: refuses options that have no effect. */
#include "cli/workload.h"

#include <shoal/pso.h>

int pso_check_given(const struct cli *cli, const struct cli_groups *groups)
{
    const struct shoal_pso_params *params = cli->params;
    const char *source = params->expression       ? "expr"
                         : params->objective_file ? "objective"
                         : params->data_file      ? "data"
                                                  : NULL;
    if (source && cli_groups_typed(groups, "function"))
        return cli_error(CLI_USAGE, "pso: function and %s are both given; use one", source);
    if (!params->exchange && cli_groups_typed(groups, "exchange-topology"))
        return cli_error(CLI_USAGE,
                         "pso: exchange-topology has no effect without exchange; give exchange too");
    if (!params->stagnation && !params->restart && cli_groups_typed(groups, "stagnation-tolerance"))
        return cli_error(
            CLI_USAGE,
            "pso: stagnation-tolerance has no effect without stagnation or restart; give one of them too");
    return CLI_OK;
}
