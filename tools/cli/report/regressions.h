/* Rows that are worse than in an earlier run, as a table and as JSON. */
#ifndef SHOAL_TOOLS_CLI_REPORT_REGRESSIONS_H
#define SHOAL_TOOLS_CLI_REPORT_REGRESSIONS_H

#include "bench/runner/results.h"

/* Prints the rows; without any, that none of `compared` rows is worse. */
void regressions_print(const struct regression *regressions, size_t count, size_t compared);
/* Adds the array "regressions" to an object. */
void regressions_json(cJSON *json, const struct regression *regressions, size_t count);

#endif
