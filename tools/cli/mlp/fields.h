/* JSON keys of nets, for their report. */
#ifndef SHOAL_TOOLS_CLI_MLP_FIELDS_H
#define SHOAL_TOOLS_CLI_MLP_FIELDS_H

#include "cli/help/fields.h"

extern const struct json_field mlp_fields[];
/* Keys of --predict, which makes no run. */
extern const struct json_field mlp_predict_fields[];
/* Keys of "data mlp". */
extern const struct json_field mlp_data_fields[];

#endif
