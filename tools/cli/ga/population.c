#include "cli/ga/population.h"

#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/ga/contours.h"
#include "cli/workload.h"

#include <math.h>
#include <shoal/fit.h>
#include <shoal/objective.h>
#include <shoal/search.h>
#include <stdlib.h>
#include <string.h>

static const char option[] = "--plot-population";

/* Cells of the grid along each axis. The contours are at quantiles of the grid's values, so that any function
 * shows some. */
enum { CELLS = 128, NODES = CELLS + 1 };
static const double shares[] = {0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9};

struct population {
    const char *title, *subtitle;
    struct chart_scale across, up;
    double lower[2], upper[2];
    const struct shoal_objective *function; /* NULL: the function is not known, and no contours are drawn */
    const double *genes;                    /* all values of the first gene, then all values of the second */
    size_t members;
};

/* The built-in function of the search; NULL: it has another objective. */
static const struct shoal_objective *function_of(const struct shoal_search_params *params)
{
    const bool other = params->objective || params->objective_file || params->expression || params->data_file;
    return other ? NULL : shoal_objective_at((size_t)params->function);
}

int ga_population_check(const struct cli *cli, const char *path)
{
    const struct shoal_search_params *params = cli->params;
    const struct shoal_objective *function = function_of(params);
    if (params->dim != 2 || params->variables || (function && shoal_objective_get_info(function)->variables))
        return cli_error(CLI_USAGE, "%s: draws two real variables; give --dim 2 and a function over reals",
                         option);
    return chart_check(option, path);
}

/* Contours ---------------------------------------------------------------------------------------------- */

static double node(const struct population *population, size_t d, size_t index)
{
    const double lower = population->lower[d], upper = population->upper[d];
    return lower + (upper - lower) * (double)index / CELLS;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void draw_contours(FILE *out, const struct population *population)
{
    double *values = cli_alloc(2 * NODES * NODES * sizeof *values), *sorted = values + NODES * NODES;
    const struct contour_grid grid = {.cells = CELLS,
                                      .values = values,
                                      .left = chart_place(&population->across, population->lower[0]),
                                      .bottom = chart_place(&population->up, population->lower[1]),
                                      .right = chart_place(&population->across, population->upper[0]),
                                      .top = chart_place(&population->up, population->upper[1])};
    size_t finite = 0;
    for (size_t row = 0; row < NODES; row++)
        for (size_t column = 0; column < NODES; column++) {
            const double x[] = {node(population, 0, column), node(population, 1, row)};
            const double value = shoal_objective_value(population->function, x, 2);
            values[row * NODES + column] = value;
            if (isfinite(value))
                sorted[finite++] = value;
        }
    qsort(sorted, finite, sizeof *sorted, ascending);
    fprintf(out, "<g transform=\"scale(%g)\">\n", 1.0 / CONTOUR_UNITS);
    for (size_t s = 0; finite && s < sizeof shares / sizeof *shares; s++) {
        fprintf(out, "<path class=\"curve line5\" style=\"stroke-width:%g\" d=\"", 0.7 * CONTOUR_UNITS);
        contours_write(out, &grid, sorted[(size_t)(shares[s] * (double)(finite - 1))]);
        fputs("\"/>\n", out);
    }
    fputs("</g>\n", out);
    free(values);
}

static void draw(FILE *out, const void *data)
{
    const struct population *population = data;
    chart_begin(out, population->title, population->subtitle, 0);
    chart_axes(out, &population->across, &population->up, "x[0]", "x[1]");
    if (population->function)
        draw_contours(out, population);
    fputs("<g class=\"fill0\" fill-opacity=\".6\">\n", out);
    for (size_t i = 0; i < population->members; i++) {
        const double x = population->genes[i], y = population->genes[population->members + i];
        if (x >= population->across.low && x <= population->across.high && y >= population->up.low &&
            y <= population->up.high)
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", chart_place(&population->across, x),
                    chart_place(&population->up, y));
    }
    fputs("</g>\n</svg>\n", out);
}

int ga_population_plot(const struct cli *cli, const struct cli_row *row, struct shoal_solver *solver,
                       const char *path)
{
    const struct shoal_search_params *params = cli->params;
    const struct shoal_objective *function = function_of(params) ? shoal_solver_objective(solver) : NULL;
    struct population population;
    struct shoal_error error;
    size_t count = 0;
    enum shoal_status status = shoal_search_bounds(params, 2, population.lower, population.upper, &error);
    double lower[2], upper[2];
    if (function)
        shoal_objective_box(function, 2, lower, upper);
    for (int d = 0; d < 2 && function && status == SHOAL_OK; d++) {
        population.lower[d] = isnan(population.lower[d]) ? lower[d] : population.lower[d];
        population.upper[d] = isnan(population.upper[d]) ? upper[d] : population.upper[d];
    }
    if (status == SHOAL_OK)
        status = shoal_solver_state(solver, NULL, 0, &count, &error);
    double *genes = cli_alloc((count ? count : 1) * sizeof *genes);
    if (status == SHOAL_OK)
        status = shoal_solver_state(solver, genes, count, &count, &error);
    if (status != SHOAL_OK) {
        free(genes);
        return cli_fail(option, &error);
    }
    char *title = cli_row_title(row), *name = cli_row_path(cli, row, path);
    char *subtitle = cli_run_line(row->workload, cli->params, row, 1);
    population.title = title;
    population.subtitle = subtitle;
    population.across =
        chart_scale_over(population.lower[0], population.upper[0], false, CHART_LEFT, CHART_RIGHT);
    population.up =
        chart_scale_over(population.lower[1], population.upper[1], false, CHART_BOTTOM, CHART_TOP);
    population.function = params->shift > 0 ? NULL : function; /* only the library knows the vector of the
                                                                * shift */
    population.genes = genes;
    population.members = count / 2;
    int code = chart_write_drawn(option, name, draw, &population);
    free(title);
    free(subtitle);
    free(name);
    free(genes);
    return code;
}
