/* JSON: stable keys, C locale; numbers that are not finite become null. */
#ifndef SHOAL_TOOLS_CLI_OUTPUT_JSON_H
#define SHOAL_TOOLS_CLI_OUTPUT_JSON_H

#include "cli/output/text.h"

#include <cjson/cJSON.h>
#include <shoal/measure.h>
#include <shoal/workload.h>

/* Begins a document: {"schema": 1, "shoal": VERSION, "command": NAME} */
cJSON *cli_json_new(const char *command);
void cli_json_text(cJSON *object, const char *key, const char *text); /* text NULL: null */
/* Adds a number with the fewest digits that read back as the same number. */
void cli_json_real(cJSON *object, const char *key, double value);
/* Adds an array of numbers. */
cJSON *cli_json_reals(cJSON *object, const char *key, const double *values, size_t count);
void cli_json_uint(cJSON *object, const char *key, uint64_t value); /* as an exact integer */
void cli_json_bool(cJSON *object, const char *key, bool value);
cJSON *cli_json_object(cJSON *parent, const char *key); /* key NULL: appends to an array */
cJSON *cli_json_array(cJSON *parent, const char *key);
/* Adds values of options by name. Integers whose range exceeds 2^53, such as seeds, become strings. */
void cli_json_options(cJSON *object, const struct shoal_option *options, size_t count, const void *values);
struct cli_text cli_pci(const struct shoal_device_info *info); /* such as "0000:3b:00.0"; "": not known */
/* Adds identification and capabilities of a device. */
cJSON *cli_json_device(cJSON *parent, const char *key, const struct shoal_device *device);
/* Adds the roofs of a device in base units, launches in microseconds; null where the device does not support
 * a roof. */
void cli_json_roofs(cJSON *parent, const char *key, const struct shoal_roofs *roofs);
void cli_json_error(cJSON *object, const char *key, const struct shoal_error *error);
/* Adds the result of a solver: value, error, check, steps, work and the workload's fields. */
void cli_json_result(cJSON *object, const struct shoal_result *result);
/* Makes the text of a JSON file and deletes `json`; the caller frees the text. NULL: out of memory. */
char *cli_json_file(cJSON *json);
/* Adds "errors", the failures that cli_error and cli_fail have reported, if any; prints and deletes `json`,
 * and flushes. Returns an exit code. */
int cli_json_print(cJSON *json);
bool cli_json_is_printed(void);

#endif
