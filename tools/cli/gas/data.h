/* shoal data gas. */
#ifndef SHOAL_CLI_GAS_DATA_H
#define SHOAL_CLI_GAS_DATA_H

#include "cli/cli.h"

#include <shoal/gas.h>

const struct cli_command *gas_data(void);

/* What the start file of these parameters gives a run: exit code, after a line that begins with `where`,
 * NULL: with nothing. */
int gas_data_read(const struct cli *cli, const char *where, const struct shoal_gas_params *params,
                  struct shoal_gas_start_info *info);

#endif
