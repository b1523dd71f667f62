/* The command shoal data mlp. */
#ifndef SHOAL_CLI_MLP_DATA_H
#define SHOAL_CLI_MLP_DATA_H

#include "cli/cli.h"

/* The first call makes the command, from the workload's options about data. */
const struct cli_command *mlp_data(void);

#endif
