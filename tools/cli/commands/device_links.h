/* How fast bytes go between devices: `shoal devices --links`. */
#ifndef SHOAL_CLI_DEVICE_LINKS_H
#define SHOAL_CLI_DEVICE_LINKS_H

#include "cli/cli.h"

struct device_links;

/* Measures, in both directions, the links between the host and each device of cli->devices, and between each
 * two of these devices. A device that is the same card as another one in the list is left out. *code: exit
 * code of the first failure; a failure stays with its link and the next one is measured. */
struct device_links *links_measure(const struct cli *cli, int *code);
void links_free(struct device_links *links); /* accepts NULL */
void links_print(const struct device_links *links);
/* Adds the array "links". */
void links_json(const struct device_links *links, cJSON *json);

#endif
