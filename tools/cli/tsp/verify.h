/* shoal verify: candidate lists of cities. */
#ifndef SHOAL_TOOLS_CLI_TSP_VERIFY_H
#define SHOAL_TOOLS_CLI_TSP_VERIFY_H

#include "cli/commands/verify.h"

/* The checks of tours; a NULL name ends the list. */
extern const struct verify_check tsp_checks[];

#endif
