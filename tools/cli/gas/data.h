/* The command shoal data gas, and files of particles in shoal data info. */
#ifndef SHOAL_CLI_GAS_DATA_H
#define SHOAL_CLI_GAS_DATA_H

#include "cli/data/uses.h"

#include <shoal/gas.h>

const struct cli_command *gas_data(void);
/* Adds the uses that shoal gas has for a file. */
void gas_uses(const struct cli_data_file *file, struct cli_uses *uses);

/* Reads the start file that `params` name by shoal_gas_read_start, in an instance with `kernel_dir`. */
SHOAL_MUST_CHECK enum shoal_status gas_data_read(const char *kernel_dir,
                                                 const struct shoal_gas_params *params,
                                                 struct shoal_gas_start_info *info,
                                                 struct shoal_error *error);

#endif
