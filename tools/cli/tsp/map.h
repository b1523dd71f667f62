/* Places of cities on a picture. Across the meridian of 180 degrees longitudes go on: 179, 181. */
#ifndef SHOAL_TOOLS_CLI_TSP_MAP_H
#define SHOAL_TOOLS_CLI_TSP_MAP_H

#include <shoal/tsp.h>
#include <stdbool.h>

struct tsp_map {
    uint32_t cities;
    double (*places)[2];    /* of each city, across and up */
    double low[2], high[2]; /* borders, apart from each other */
    double aspect;          /* length of a unit across over that of one up, on the ground */
    bool is_globe;          /* longitude and latitude */
};

/* Makes the map of a problem whose cities have coordinates. */
void tsp_map_set(struct tsp_map *map, const struct shoal_tsp_problem *problem);
void tsp_map_clear(struct tsp_map *map);
/* The line from one city to another, the shorter way around the globe, in one or two parts: ends[part][end].
 */
int tsp_map_line(const struct tsp_map *map, uint32_t from, uint32_t to, double ends[2][2][2]);

#endif
