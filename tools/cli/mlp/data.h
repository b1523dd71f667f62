/* shoal data mlp. */
#ifndef SHOAL_CLI_MLP_DATA_H
#define SHOAL_CLI_MLP_DATA_H

#include "cli/cli.h"

/* Made at the first call: its options are those of the workload that are about data. */
const struct cli_command *mlp_data(void);

#endif
