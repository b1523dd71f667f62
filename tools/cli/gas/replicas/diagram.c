/* The phase diagram of a sweep: the pressure against the density, as a curve for each temperature, and below
 * it the largest cluster of each state. */
#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/gas/replicas/replicas.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CURVES = CHART_COLOURS };

/* A state: means over its replicas. */
struct state {
    double temperature, density;
    struct gas_estimate pressure, largest;
};

/* All states, by rising temperature and density. */
struct diagram {
    struct state *states; /* [temperatures][densities] */
    size_t temperatures, densities;
    double *temperature, *density; /* values of the sweeps, in this order */
    struct gas_estimate boyle;
};

/* An isotherm with bands of one and of two standard errors. */
struct isotherm {
    char label[40];
    double *numbers;                                                   /* all columns */
    double *density, *pressure, *low[CHART_BANDS], *high[CHART_BANDS]; /* [densities] */
};

/* States ------------------------------------------------------------------------------------------------ */

/* A mean over `count` replicas, from the sums of their values and of the squares of their errors. */
static struct gas_estimate mean_of(double sum, double squares, double count)
{
    return (struct gas_estimate){count > 0 ? sum / count : NAN, count > 0 ? sqrt(squares) / count : NAN};
}

/* Means over the replicas of one state, apart from those that have stopped. */
static struct state state_of(const struct shoal_gas_replica *rows, size_t each)
{
    double sums[2] = {0}, squares[2] = {0}, counts[2] = {0};
    for (size_t i = 0; i < each; i++) {
        const double values[] = {rows[i].pressure, rows[i].largest_cluster},
                     errors[] = {rows[i].pressure_error, rows[i].largest_cluster_error};
        for (size_t k = 0; k < 2; k++)
            if (!rows[i].failure && isfinite(values[k])) {
                sums[k] += values[k];
                squares[k] += errors[k] * errors[k];
                counts[k]++;
            }
    }
    return (struct state){rows->temperature, rows->density, mean_of(sums[0], squares[0], counts[0]),
                          mean_of(sums[1], squares[1], counts[1])};
}

static int by_temperature_and_density(const void *left, const void *right)
{
    const struct state *a = left, *b = right;
    const double apart =
        a->temperature != b->temperature ? a->temperature - b->temperature : a->density - b->density;
    return (apart > 0) - (apart < 0);
}

/* Whether a sweep has a value twice. */
static bool has_twins(const struct diagram *diagram)
{
    bool has = false;
    for (size_t i = 1; i < diagram->temperatures * diagram->densities; i++)
        has = has || by_temperature_and_density(&diagram->states[i - 1], &diagram->states[i]) == 0;
    return has;
}

static struct gas_estimate boyle_of(const struct diagram *diagram, double kinetic)
{
    if (diagram->densities < 2 || has_twins(diagram))
        return (struct gas_estimate){NAN, NAN};
    struct gas_estimate *second = cli_alloc(diagram->temperatures * sizeof *second);
    for (size_t t = 0; t < diagram->temperatures; t++) {
        const struct state *lowest = diagram->states + t * diagram->densities;
        const struct gas_estimate pressure[] = {lowest[0].pressure, lowest[1].pressure};
        second[t] = gas_second_virial(kinetic, diagram->temperature[t], diagram->density, pressure);
    }
    const struct gas_estimate boyle =
        gas_boyle_temperature(diagram->temperature, second, diagram->temperatures);
    free(second);
    return boyle;
}

static struct diagram diagram_of(const struct gas_replicas_table *table)
{
    const size_t count = table->temperatures * table->densities;
    struct diagram diagram = {.states = cli_alloc(count * sizeof *diagram.states),
                              .temperatures = table->temperatures,
                              .densities = table->densities,
                              .temperature = cli_alloc(table->temperatures * sizeof *diagram.temperature),
                              .density = cli_alloc(table->densities * sizeof *diagram.density)};
    for (size_t i = 0; i < count; i++)
        diagram.states[i] = state_of(table->rows + i * table->each, table->each);
    qsort(diagram.states, count, sizeof *diagram.states, by_temperature_and_density);
    for (size_t t = 0; t < table->temperatures; t++)
        diagram.temperature[t] = diagram.states[t * table->densities].temperature;
    for (size_t d = 0; d < table->densities; d++)
        diagram.density[d] = diagram.states[d].density;
    diagram.boyle = boyle_of(&diagram, table->kinetic);
    return diagram;
}

static void free_diagram(struct diagram *diagram)
{
    free(diagram->states);
    free(diagram->temperature);
    free(diagram->density);
}

struct gas_estimate gas_replicas_boyle(const struct gas_replicas_table *table)
{
    struct diagram diagram = diagram_of(table);
    free_diagram(&diagram);
    return diagram.boyle;
}

/* Isotherms --------------------------------------------------------------------------------------------- */

static void fill(struct isotherm *isotherm, const struct diagram *diagram, size_t temperature)
{
    const size_t count = diagram->densities;
    const struct state *states = diagram->states + temperature * count;
    double *numbers = isotherm->numbers = cli_alloc((2 + 2 * CHART_BANDS) * count * sizeof *numbers);
    isotherm->density = numbers;
    isotherm->pressure = numbers + count;
    for (size_t band = 0; band < CHART_BANDS; band++) {
        isotherm->low[band] = numbers + (2 + 2 * band) * count;
        isotherm->high[band] = numbers + (3 + 2 * band) * count;
    }
    snprintf(isotherm->label, sizeof isotherm->label, "T = %g", states->temperature);
    for (size_t i = 0; i < count; i++) {
        isotherm->density[i] = states[i].density;
        isotherm->pressure[i] = states[i].pressure.value;
        for (size_t band = 0; band < CHART_BANDS; band++) {
            const double width = (double)(CHART_BANDS - band) * states[i].pressure.error;
            isotherm->low[band][i] = states[i].pressure.value - width;
            isotherm->high[band][i] = states[i].pressure.value + width;
        }
    }
}

static size_t curves_of(const struct diagram *diagram)
{
    return diagram->temperatures < MOST_CURVES ? diagram->temperatures : MOST_CURVES;
}

static void draw_isotherms(FILE *out, const void *data)
{
    const struct diagram *diagram = data;
    const size_t count = curves_of(diagram);
    struct isotherm isotherms[MOST_CURVES];
    struct chart_curve curves[MOST_CURVES];
    char boyle[128] = "", *subtitle;
    for (size_t i = 0; i < count; i++) {
        struct isotherm *own = &isotherms[i];
        fill(own, diagram, count > 1 ? i * (diagram->temperatures - 1) / (count - 1) : 0);
        curves[i] = (struct chart_curve){
            .label = own->label, .x = own->density, .y = own->pressure, .count = diagram->densities};
        for (size_t band = 0; band < CHART_BANDS; band++) {
            curves[i].low[band] = own->low[band];
            curves[i].high[band] = own->high[band];
        }
    }
    if (isfinite(diagram->boyle.value))
        snprintf(boyle, sizeof boyle, "; Boyle temperature %s",
                 cli_uncertain(diagram->boyle.value, diagram->boyle.error).s);
    subtitle = cli_sprintf("%zu of %zu temperatures, bands of 1 and 2 standard errors%s", count,
                           diagram->temperatures, boyle);
    const struct chart chart = {.title = "Isotherms",
                                .subtitle = subtitle,
                                .across = "density",
                                .up = "pressure",
                                .curves = curves,
                                .count = count};
    chart_curves(out, &chart);
    for (size_t i = 0; i < count; i++)
        free(isotherms[i].numbers);
    free(subtitle);
}

/* Map --------------------------------------------------------------------------------------------------- */

/* The border of the cell of value number `index` before it, or behind it with `index` + 1: halfway to the
 * next value. */
static double border(const double *values, size_t count, size_t index)
{
    if (count < 2)
        return values[0] * (index ? 1.05 : 0.95);
    const size_t from = index == 0 ? 0 : index == count ? count - 2 : index - 1;
    const double low = values[from], high = values[from + 1];
    return index == 0       ? low - 0.5 * (high - low)
           : index == count ? high + 0.5 * (high - low)
                            : 0.5 * (low + high);
}

/* The opacity of a fraction. */
static double shade(double share)
{
    return 0.05 + 0.9 * share;
}

static void draw_cells(FILE *out, const struct diagram *diagram, const struct chart_scale *across,
                       const struct chart_scale *up)
{
    const size_t densities = diagram->densities, temperatures = diagram->temperatures;
    for (size_t i = 0; i < temperatures * densities; i++) {
        const struct state *state = &diagram->states[i];
        const size_t d = i % densities, t = i / densities;
        const double left = chart_place(across, border(diagram->density, densities, d)),
                     right = chart_place(across, border(diagram->density, densities, d + 1)),
                     low = chart_place(up, border(diagram->temperature, temperatures, t)),
                     top = chart_place(up, border(diagram->temperature, temperatures, t + 1));
        if (isfinite(state->largest.value))
            fprintf(out,
                    "<rect class=\"fill0\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                    "fill-opacity=\"%.3f\"><title>T = %g, density %g: %s</title></rect>\n",
                    left, top, right - left, low - top, shade(state->largest.value), state->temperature,
                    state->density, cli_uncertain(state->largest.value, state->largest.error).s);
    }
}

/* The fractions that belong to shades. */
static void draw_shades(FILE *out)
{
    enum { SHADES = 6, APART = 70, SIDE = 14 };
    const int y = CHART_BOTTOM + 40;
    for (int i = 0; i < SHADES; i++) {
        const double share = (double)i / (SHADES - 1);
        const int x = CHART_LEFT + i * APART;
        fprintf(out,
                "<rect class=\"fill0\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill-opacity=\"%.3f\"/>"
                "<text x=\"%d\" y=\"%d\">%g</text>\n",
                x, y - SIDE + 2, SIDE, SIDE, shade(share), x + SIDE + 6, y, share);
    }
}

static void draw_map(FILE *out, const void *data)
{
    const struct diagram *diagram = data;
    const size_t densities = diagram->densities, temperatures = diagram->temperatures;
    const double *density = diagram->density, *temperature = diagram->temperature;
    const struct chart_scale across = chart_scale_over(border(density, densities, 0),
                                                       border(density, densities, densities), false,
                                                       CHART_LEFT, CHART_RIGHT),
                             up = chart_scale_over(border(temperature, temperatures, 0),
                                                   border(temperature, temperatures, temperatures), false,
                                                   CHART_BOTTOM, CHART_TOP);
    chart_begin(out, "Largest cluster", "mean fraction of the particles", 1);
    chart_axes(out, &across, &up, "density", "temperature");
    draw_cells(out, diagram, &across, &up);
    if (isfinite(diagram->boyle.value)) {
        const double y = chart_place(&up, diagram->boyle.value);
        fprintf(out,
                "<line class=\"key line3\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">Boyle temperature</text>\n",
                CHART_LEFT, y, CHART_RIGHT, y, CHART_RIGHT - 4, y - 6);
    }
    draw_shades(out);
    fputs("</svg>\n", out);
}

static void draw_both(FILE *out, const void *data)
{
    const struct diagram *diagram = data;
    const size_t curves = curves_of(diagram);
    bool has_map = false;
    for (size_t i = 0; i < diagram->temperatures * diagram->densities; i++)
        has_map = has_map || isfinite(diagram->states[i].largest.value);
    const struct chart_panel panels[] = {{draw_isotherms, curves > 1 ? curves : 0}, {draw_map, 1}};
    chart_panels(out, "Phase diagram", panels, has_map ? 2 : 1, data);
}

int gas_replicas_diagram(const char *path, const struct gas_replicas_table *table)
{
    struct diagram diagram = diagram_of(table);
    const int code = chart_write_drawn("--phase-diagram", path, draw_both, &diagram);
    free_diagram(&diagram);
    return code;
}
