/* The uses that shoal mlp has for a file of a net, for shoal data info. */
#ifndef SHOAL_CLI_MLP_USES_H
#define SHOAL_CLI_MLP_USES_H

#include "cli/data/uses.h"

void mlp_uses(const struct cli_data_file *file, struct cli_uses *uses);

#endif
