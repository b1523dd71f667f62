/* shoal verify: local search of tours. */
#ifndef SHOAL_TOOLS_CLI_GA_VERIFY_H
#define SHOAL_TOOLS_CLI_GA_VERIFY_H

#include "cli/commands/verify.h"

/* The checks of genetic algorithms; a NULL name ends the list. */
extern const struct verify_check ga_checks[];

#endif
