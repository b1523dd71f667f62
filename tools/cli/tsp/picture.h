/* Pictures of a tour: SVG as a chart, and PNG by libpng. */
#ifndef SHOAL_TOOLS_CLI_TSP_PICTURE_H
#define SHOAL_TOOLS_CLI_TSP_PICTURE_H

#include <shoal/tsp.h>
#include <stdbool.h>

/* Whether cities are given by latitude and longitude. */
bool tsp_is_on_earth(const struct shoal_tsp_info *info);
/* Whether the ending of `path` is a format of tsp_draw. */
bool tsp_is_picture(const char *path);
/* Draws the tour of a problem whose cities have coordinates. Returns an exit code. */
int tsp_draw(const char *option, const char *path, const char *title, const struct shoal_tsp_problem *problem,
             const uint32_t *tour);

#endif
