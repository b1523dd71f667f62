/* The ending of a file name, which means a format and perhaps packing by gzip. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_ENDINGS_H
#define SHOAL_TOOLS_CLI_OUTPUT_ENDINGS_H

#include <stdbool.h>

/* Whether the name ends with `ending`, in any case, perhaps followed by .gz. */
bool cli_has_format(const char *path, const char *ending);
/* Checks before the run that a name ends with one of `endings` (ended by NULL), perhaps followed by .gz. A
 * name without an ending or with a number as its ending, and a file that is not regular, may have any format.
 * Returns false after a line that names `option`. */
bool cli_check_ending(const char *option, const char *path, const char *const *endings);

#endif
