#include "cli/gas/uses.h"

#include "cli/workload.h"

#include <shoal/gas.h>

void gas_uses(const struct cli_data_file *file, struct cli_uses *uses)
{
    struct shoal_gas_params params;
    struct shoal_error error = {0};
    shoal_gas_params_init(&params);
    params.start_file = file->table.path;
    params.start = SHOAL_GAS_FILE;
    if (shoal_workload_validate(NULL, shoal_workload_find("gas"), &params, &error))
        cli_uses_refuse(uses, "gas --start-file", &error);
    else
        cli_uses_add(uses, "gas --start-file", cli_strdup("particles to start from"), NULL);
}
