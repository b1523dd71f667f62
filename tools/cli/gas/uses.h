/* What shoal gas makes of a file: for shoal data info. */
#ifndef SHOAL_CLI_GAS_USES_H
#define SHOAL_CLI_GAS_USES_H

#include "cli/data/uses.h"

void gas_uses(const struct cli_data_file *file, struct cli_uses *uses);

#endif
