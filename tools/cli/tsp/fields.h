/* JSON keys of tours, for their report. */
#ifndef SHOAL_TOOLS_CLI_TSP_FIELDS_H
#define SHOAL_TOOLS_CLI_TSP_FIELDS_H

#include "cli/help/fields.h"

extern const struct json_field tsp_fields[];
/* Keys of --check, which makes no run. */
extern const struct json_field tsp_check_fields[];
/* Keys of "data tsp". */
extern const struct json_field tsp_data_fields[];

#endif
