/* Pictures of a tour: SVG as a chart, and PNG by libpng. */
#ifndef SHOAL_TOOLS_CLI_TSP_PICTURE_H
#define SHOAL_TOOLS_CLI_TSP_PICTURE_H

#include <shoal/tsp.h>
#include <stdbool.h>

/* Whether places are given as latitude and longitude. */
bool tsp_is_on_earth(const struct shoal_tsp_info *info);
/* Whether tsp_draw can draw a picture with the ending of this name. */
bool tsp_is_picture(const char *path);
/* Draws the tour of a problem whose cities have coordinates. Exit code. */
int tsp_draw(const char *option, const char *path, const char *title, const struct shoal_tsp_problem *problem,
             const uint32_t *tour);

#endif
