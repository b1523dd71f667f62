/* Builds of a program with its default constants: `shoal kernels --built`. */
#ifndef SHOAL_CLI_KERNELS_BUILT_H
#define SHOAL_CLI_KERNELS_BUILT_H

#include "cli/cli.h"

/* The builds of a program: one for each device of cli->devices except the host. built_create makes them. */
struct built;

struct built *built_create(const struct cli *cli, const struct shoal_program_desc *desc);
void built_destroy(struct built *built); /* accepts NULL */
/* Prints a line for each device: work-group size and number of resident groups, if known; or the reason why
 * the device cannot build the program. */
void built_print(const struct built *built, const char *entry, size_t indent);
/* Adds the figures of built_print to `object`, as the array "built". */
void built_json(const struct built *built, const char *entry, cJSON *object);

#endif
