/* JSON keys of a gas, for its report. */
#ifndef SHOAL_TOOLS_CLI_GAS_FIELDS_H
#define SHOAL_TOOLS_CLI_GAS_FIELDS_H

#include "cli/help/fields.h"

extern const struct json_field gas_fields[], gas_data_fields[];

#endif
