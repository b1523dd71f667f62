/* The command shoal data tsp, and files of cities in shoal data info. */
#ifndef SHOAL_CLI_TSP_DATA_H
#define SHOAL_CLI_TSP_DATA_H

#include "cli/data/uses.h"

#include <shoal/tsp.h>

const struct cli_command *tsp_data(void);
/* Adds the uses that shoal tsp has for a file, for shoal data info. */
void tsp_uses(const struct cli_data_file *file, struct cli_uses *uses);

/* Returns the ids of the cities of a tour as JSON, which the caller deletes. */
cJSON *tsp_json_tour(const struct shoal_tsp_problem *problem, const uint32_t *tour);
/* Converts a length to the unit of the input. */
double tsp_length_of(const struct shoal_tsp_info *info, int64_t length);

#endif
