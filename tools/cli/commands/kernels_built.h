/* A program as devices build it, with its default constants: `shoal kernels --built`. */
#ifndef SHOAL_CLI_KERNELS_BUILT_H
#define SHOAL_CLI_KERNELS_BUILT_H

#include "cli/cli.h"

struct built; /* the program on each device of cli->devices but the host */

struct built *built_create(const struct cli *cli, const struct shoal_program_desc *desc);
void built_destroy(struct built *built); /* accepts NULL */
/* A line for each device: work-group size, and how many groups are resident where the device tells. A program
 * that a device cannot have has its reason in the place of that. */
void built_print(const struct built *built, const char *entry, size_t indent);
/* Adds these figures as the array "built". */
void built_json(const struct built *built, const char *entry, cJSON *object);

#endif
