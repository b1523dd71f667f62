/* Declarations that the commands of shoal share.
 *
 * Only code in tools/ prints and exits. Results go to stdout, messages and progress to stderr. A command
 * returns an exit code; main closes the instance, checks stdout and exits.
 */
#ifndef SHOAL_TOOLS_CLI_H
#define SHOAL_TOOLS_CLI_H

#include "cli/options.h"
#include "cli/output/json.h"
#include "cli/output/message.h"
#include "cli/output/progress.h"
#include "cli/output/tables/table.h"
#include "cli/output/text.h"
#include "cli/output/values.h"
#include "cli/row.h"
#include "cli/session.h"

#endif
