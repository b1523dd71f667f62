/* Positions of cities on a map. Longitudes continue across the meridian of 180 degrees: 179, 181. */
#ifndef SHOAL_TOOLS_CLI_TSP_MAP_H
#define SHOAL_TOOLS_CLI_TSP_MAP_H

#include <shoal/tsp.h>
#include <stdbool.h>

struct tsp_map {
    uint32_t cities;
    double (*places)[2];    /* [cities]: across and up */
    double low[2], high[2]; /* bounds of the map; low and high differ on both axes */
    double aspect;          /* length of a unit across over length of a unit up, on the ground */
    bool is_globe;          /* places are longitude and latitude */
};

/* Makes the map of a problem whose cities have coordinates. */
void tsp_map_set(struct tsp_map *map, const struct shoal_tsp_problem *problem);
void tsp_map_clear(struct tsp_map *map);
/* The line from one city to another, in the shorter direction around the globe, as one or two segments:
 * ends[segment][end][axis]. Returns the number of segments. */
int tsp_map_line(const struct tsp_map *map, uint32_t from, uint32_t to, double ends[2][2][2]);

#endif
