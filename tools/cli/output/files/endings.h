/* The ending of a file name, which chooses the format, and packing by gzip. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_ENDINGS_H
#define SHOAL_TOOLS_CLI_OUTPUT_ENDINGS_H

#include <stdbool.h>

/* Whether the name ends with `ending`, in upper or lower case, with or without .gz after it. */
bool cli_has_format(const char *path, const char *ending);
/* Checks before the run that a name ends with one of `endings` (ended by NULL), with or without .gz. Names
 * without an ending or with a number as ending, and files that are not regular, are accepted. Returns false
 * after a line that names `option` and, if the option `packs`, the ending .gz. */
bool cli_check_ending(const char *option, const char *path, const char *const *endings, bool packs);

#endif
