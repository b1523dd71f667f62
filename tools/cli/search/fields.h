/* JSON keys of a search, for the reports of its algorithms. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_FIELDS_H
#define SHOAL_TOOLS_CLI_SEARCH_FIELDS_H

#include "cli/help/fields.h"

extern const struct json_field search_fields[];
/* Keys of the values of a whole population at the end of a run. */
extern const struct json_field population_fields[];

#endif
