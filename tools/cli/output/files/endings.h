/* The ending of a file's name: the format that it means, and whether gzip packs the file. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_ENDINGS_H
#define SHOAL_TOOLS_CLI_OUTPUT_ENDINGS_H

#include <stdbool.h>

/* Whether a name ends so, in any case, or so and .gz behind it. */
bool cli_has_format(const char *path, const char *ending);
/* Checks before the run that a name ends in one of `endings`, NULL behind the last, with or without .gz. A
 * name whose ending is missing or a number, and a file that is not regular, may be of any format. False,
 * after a line that names `option`. */
bool cli_check_ending(const char *option, const char *path, const char *const *endings);

#endif
