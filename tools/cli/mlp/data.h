/* The command shoal data mlp. */
#ifndef SHOAL_CLI_MLP_DATA_H
#define SHOAL_CLI_MLP_DATA_H

#include "cli/cli.h"

/* The command `data mlp`, which the first call makes from the options of mlp about data. */
const struct cli_command *mlp_data(void);

#endif
