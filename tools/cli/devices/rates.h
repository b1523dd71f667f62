/* Rates of devices by kind of number, memory and transfer: `shoal devices --rates`. */
#ifndef SHOAL_CLI_DEVICES_RATES_H
#define SHOAL_CLI_DEVICES_RATES_H

#include "cli/cli.h"

struct device_rates;

/* Reads "all" or a comma list of parts, "compute,memory". Returns an exit code, after a message. */
int rates_parts(const char *list, unsigned *parts);
/* Measures the parts on each device of cli->devices but the host, for at most `seconds` each. *code: exit
 * code of the first failure; a failed device keeps its figures and its error, and the next one is measured.
 */
struct device_rates *rates_measure(const struct cli *cli, unsigned parts, double seconds, int *code);
void rates_free(struct device_rates *rates); /* accepts NULL */
void rates_print(const struct device_rates *rates);
/* Adds the figures of device number `index` of cli->devices to `object`. */
void rates_json(const struct device_rates *rates, size_t index, cJSON *object);

#endif
