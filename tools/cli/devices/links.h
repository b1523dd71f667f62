/* Rates of copies between devices: `shoal devices --links`. */
#ifndef SHOAL_CLI_DEVICES_LINKS_H
#define SHOAL_CLI_DEVICES_LINKS_H

#include "cli/cli.h"

struct device_links;

/* Measures, in both directions, the links between the host and each device of cli->devices, and between each
 * two of these devices. Each card is measured under one id. *code: exit code of the first failure; a failed
 * link keeps its error, and the next link is measured. */
struct device_links *links_measure(const struct cli *cli, int *code);
void links_free(struct device_links *links); /* accepts NULL */
void links_print(const struct device_links *links);
/* Adds the array "links" to `json`. */
void links_json(const struct device_links *links, cJSON *json);

#endif
