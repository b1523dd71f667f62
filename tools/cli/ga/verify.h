/* shoal verify: local search of tours. */
#ifndef SHOAL_TOOLS_CLI_GA_VERIFY_H
#define SHOAL_TOOLS_CLI_GA_VERIFY_H

#include "cli/commands/verify.h"

/* Ended by a NULL name. */
extern const struct verify_check ga_checks[];

#endif
