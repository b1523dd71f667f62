/* Contours of an objective in two of its coordinates, and the path of a search over them. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_LANDSCAPE_H
#define SHOAL_TOOLS_CLI_SEARCH_LANDSCAPE_H

#include "cli/charts/contours.h"
#include "cli/cli.h"

#include <shoal/search.h>

/* Fills a map with the values of the objective of a solver: coordinates axes[0] and axes[1] vary over the
 * box, the others are those of point x, [dim]. The caller frees map->values. Exit code, after a line that
 * names `option`. */
int landscape_map(const struct shoal_solver *solver, const char *option, const size_t axes[2],
                  const double *x, size_t dim, struct contour_map *map);

/* Is the search over reals alone, as far as its parameters say? */
bool landscape_is_real(const struct shoal_search_params *params);

/* Checks --landscape and the coordinates of --landscape-axes, NULL: the first two. Exit code. */
int landscape_check(const struct cli *cli, const char *path, const char *axes);
/* Draws the landscape around the result of a row and the path of its best run. Exit code. */
int landscape_plot(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                   const char *path, const char *axes);

#endif
