/* shoal data tsp. */
#ifndef SHOAL_CLI_TSP_DATA_H
#define SHOAL_CLI_TSP_DATA_H

#include "cli/cli.h"

const struct cli_command *tsp_data(void);

#endif
