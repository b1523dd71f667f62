/* shoal verify: gradients of nets. */
#ifndef SHOAL_TOOLS_CLI_MLP_VERIFY_H
#define SHOAL_TOOLS_CLI_MLP_VERIFY_H

#include "cli/commands/verify.h"

/* The checks of nets; a NULL name ends the list. */
extern const struct verify_check mlp_checks[];

#endif
