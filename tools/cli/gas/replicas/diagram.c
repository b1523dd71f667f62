/* The pressure against the density, as a curve for each temperature of a sweep. */
#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/gas/replicas/replicas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CURVES = CHART_COLOURS };

/* An isotherm: means over the replicas of each density, with bands of one and of two standard errors. */
struct isotherm {
    char label[40];
    double *density, *pressure, *low[CHART_BANDS], *high[CHART_BANDS]; /* [densities] */
};

/* Adds the mean over replicas of one state, apart from those that have stopped. */
static void add_state(struct isotherm *isotherm, size_t at, const struct shoal_gas_replica *rows, size_t each)
{
    double sum = 0, squares = 0, count = 0;
    for (size_t i = 0; i < each; i++)
        if (!rows[i].failure && isfinite(rows[i].pressure)) {
            sum += rows[i].pressure;
            squares += rows[i].pressure_error * rows[i].pressure_error;
            count++;
        }
    isotherm->density[at] = rows->density;
    isotherm->pressure[at] = count > 0 ? sum / count : NAN;
    for (size_t band = 0; band < CHART_BANDS; band++) {
        const double width = (double)(CHART_BANDS - band) * sqrt(squares) / count;
        isotherm->low[band][at] = isotherm->pressure[at] - width;
        isotherm->high[band][at] = isotherm->pressure[at] + width;
    }
}

static void fill(struct isotherm *isotherm, const struct gas_replicas_table *table, size_t temperature)
{
    const struct shoal_gas_replica *rows = table->rows + temperature * table->densities * table->each;
    double *numbers = cli_alloc((2 + 2 * CHART_BANDS) * table->densities * sizeof *numbers);
    isotherm->density = numbers;
    isotherm->pressure = numbers + table->densities;
    for (size_t band = 0; band < CHART_BANDS; band++) {
        isotherm->low[band] = numbers + (2 + 2 * band) * table->densities;
        isotherm->high[band] = numbers + (3 + 2 * band) * table->densities;
    }
    snprintf(isotherm->label, sizeof isotherm->label, "T = %g", rows->temperature);
    for (size_t i = 0; i < table->densities; i++)
        add_state(isotherm, i, rows + i * table->each, table->each);
}

int gas_replicas_diagram(const char *path, const struct gas_replicas_table *table)
{
    const size_t count = table->temperatures < MOST_CURVES ? table->temperatures : MOST_CURVES;
    struct isotherm isotherms[MOST_CURVES];
    struct chart_curve curves[MOST_CURVES];
    char subtitle[100];
    for (size_t i = 0; i < count; i++) {
        struct isotherm *own = &isotherms[i];
        fill(own, table, count > 1 ? i * (table->temperatures - 1) / (count - 1) : 0);
        curves[i] = (struct chart_curve){
            .label = own->label, .x = own->density, .y = own->pressure, .count = table->densities};
        for (size_t band = 0; band < CHART_BANDS; band++) {
            curves[i].low[band] = own->low[band];
            curves[i].high[band] = own->high[band];
        }
    }
    snprintf(subtitle, sizeof subtitle, "%zu of %zu temperatures, bands of 1 and 2 standard errors", count,
             table->temperatures);
    const struct chart chart = {.title = "Isotherms",
                                .subtitle = subtitle,
                                .across = "density",
                                .up = "pressure",
                                .curves = curves,
                                .count = count};
    const int code = chart_write("--phase-diagram", path, &chart);
    for (size_t i = 0; i < count; i++)
        free(isotherms[i].density);
    return code;
}
