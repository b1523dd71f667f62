#include "cli/ga/population.h"

#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/search/landscape.h"
#include "cli/workload.h"

#include <shoal/search.h>
#include <stdlib.h>

static const char option[] = "--plot-population";

struct population {
    const char *title, *subtitle;
    struct contour_map map;
    const double *genes; /* all values of the first gene, then all values of the second */
    size_t members;
};

int ga_population_check(const struct cli *cli, const char *path)
{
    const struct shoal_search_params *params = cli->params;
    if (params->dim != 2 || !landscape_is_real(params))
        return cli_error(CLI_USAGE, "%s: draws two real variables; give --dim 2 and a function over reals",
                         option);
    return chart_check(option, path);
}

static void draw(FILE *out, const void *data)
{
    const struct population *population = data;
    const struct contour_map *map = &population->map;
    chart_begin(out, population->title, population->subtitle, 0);
    chart_axes(out, &map->across, &map->up, "x[0]", "x[1]");
    contours_draw(out, map);
    fputs("<g class=\"fill0\" fill-opacity=\".6\">\n", out);
    for (size_t i = 0; i < population->members; i++) {
        const double x = population->genes[i], y = population->genes[population->members + i];
        if (x >= map->across.low && x <= map->across.high && y >= map->up.low && y <= map->up.high)
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", chart_place(&map->across, x),
                    chart_place(&map->up, y));
    }
    fputs("</g>\n</svg>\n", out);
}

int ga_population_plot(const struct cli *cli, const struct cli_row *row, struct shoal_solver *solver,
                       const char *path)
{
    static const size_t axes[2] = {0, 1};
    const struct shoal_field *position = shoal_result_find(&row->result, "position");
    struct population population = {.title = NULL};
    struct shoal_error error;
    size_t count = 0;
    if (!position)
        return CLI_OK;
    int code = landscape_map(solver, option, axes, position->reals, position->count, &population.map);
    if (code != CLI_OK) {
        free((double *)population.map.values);
        return code;
    }
    enum shoal_status status = shoal_solver_state(solver, NULL, 0, &count, &error);
    double *genes = cli_alloc((count ? count : 1) * sizeof *genes);
    if (status == SHOAL_OK)
        status = shoal_solver_state(solver, genes, count, &count, &error);
    if (status != SHOAL_OK) {
        free(genes);
        free((double *)population.map.values);
        return cli_fail(option, &error);
    }
    char *title = cli_row_title(row), *name = cli_row_path(cli, row, path);
    char *subtitle = cli_run_line(row->workload, cli->params, row, 1);
    population.title = title;
    population.subtitle = subtitle;
    population.genes = genes;
    population.members = count / 2;
    code = chart_write_drawn(option, name, draw, &population);
    free(title);
    free(subtitle);
    free(name);
    free(genes);
    free((double *)population.map.values);
    return code;
}
