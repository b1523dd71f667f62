/* Contours of an objective in two of its coordinates, and the path of a search over them. */
#ifndef SHOAL_TOOLS_CLI_SEARCH_LANDSCAPE_H
#define SHOAL_TOOLS_CLI_SEARCH_LANDSCAPE_H

#include "cli/charts/contours.h"
#include "cli/cli.h"

#include <shoal/search.h>

/* Fills a map with the values of the objective of a solver: coordinates axes[0] and axes[1] vary over the
 * box, the other coordinates are fixed at point x, [dim]. The caller frees map->values. Returns an exit code;
 * a failure is reported in a line that names `option`. */
int landscape_map(const struct shoal_solver *solver, const char *option, const size_t axes[2],
                  const double *x, size_t dim, struct contour_map *map);

/* Whether the search is over reals alone, as far as the parameters show. */
bool landscape_is_real(const struct shoal_search_params *params);

/* Checks --landscape (`path`) and --landscape-axes (`axes`; NULL: the first two coordinates). Returns an exit
 * code. */
int landscape_check(const struct cli *cli, const char *path, const char *axes);
/* Draws the landscape around the result of a row and the path of its best run. Returns an exit code. */
int landscape_plot(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                   const char *path, const char *axes);

#endif
