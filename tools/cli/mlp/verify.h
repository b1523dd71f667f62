/* shoal verify: gradients of nets. */
#ifndef SHOAL_TOOLS_CLI_MLP_VERIFY_H
#define SHOAL_TOOLS_CLI_MLP_VERIFY_H

#include "cli/commands/verify.h"

/* Ended by a NULL name. */
extern const struct verify_check mlp_checks[];

#endif
