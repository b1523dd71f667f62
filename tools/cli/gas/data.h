/* shoal data gas. */
#ifndef SHOAL_CLI_GAS_DATA_H
#define SHOAL_CLI_GAS_DATA_H

#include "cli/cli.h"

#include <shoal/gas.h>

const struct cli_command *gas_data(void);

/* What the start file of these parameters gives a run, as shoal_gas_read_start says. */
SHOAL_MUST_CHECK enum shoal_status gas_data_read(const char *kernel_dir,
                                                 const struct shoal_gas_params *params,
                                                 struct shoal_gas_start_info *info,
                                                 struct shoal_error *error);

#endif
