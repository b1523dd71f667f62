#include "cli/mlp/picture.h"

#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/mlp/figures.h"
#include "cli/output/tables/layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* WITH_COUNTS: most classes for which the cells show counts; LABELS: most labels of an axis; NAME: most
 * characters of a name; POINTS: most points; SAME_LINE: most classes whose names are on one line (with more
 * classes the names are slanted). */
enum { WITH_COUNTS = 20, LABELS = 32, NAME = 11, POINTS = 3000, SAME_LINE = 8 };

struct drawing {
    const char *title;
    const struct mlp_rows *rows;
    const struct shoal_mlp_report *report;
};

static void put_name(FILE *out, const char *name, double x, double y, bool is_below, bool is_slanted)
{
    char *shown = cli_shortened(name, is_slanted ? SAME_LINE : NAME);
    fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"", x, y,
            is_below && !is_slanted ? "middle" : "end");
    if (is_slanted)
        fprintf(out, " transform=\"rotate(-40 %.1f %.1f)\"", x, y);
    putc('>', out);
    chart_escaped(out, shown);
    fputs("</text>\n", out);
    free(shown);
}

/* Draws the confusion matrix; the colour of a cell shows the share of the true class that was predicted as
 * the class of the column. */
static void draw_matrix(FILE *out, const void *data)
{
    const struct drawing *drawing = data;
    const struct shoal_mlp_report *report = drawing->report;
    const uint32_t classes = report->classes, every = (classes + LABELS - 1) / LABELS;
    const double across = (double)(CHART_RIGHT - CHART_LEFT) / classes,
                 down = (double)(CHART_BOTTOM - CHART_TOP) / classes;
    char *title = mlp_rows_title(drawing->rows);
    char *subtitle = cli_sprintf("%s: truth down, prediction across; accuracy %s", title,
                                 cli_share(report->of_classes.accuracy, 4).s);
    chart_begin(out, drawing->title, subtitle, 0);
    for (uint32_t truth = 0; truth < classes; truth++)
        for (uint32_t guess = 0; guess < classes; guess++) {
            const double weight = report->of_classes.confusion[(size_t)truth * classes + guess];
            const double whole = report->of_classes.of[truth].weight, share = whole > 0 ? weight / whole : 0;
            const double x = CHART_LEFT + guess * across, y = CHART_TOP + truth * down;
            if (weight > 0)
                fprintf(out,
                        "<rect class=\"fill%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                        "fill-opacity=\"%.3f\"/>\n",
                        truth == guess ? 0 : 3, x, y, across, down, 0.06 + 0.64 * share);
            if (classes <= WITH_COUNTS)
                fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", x + across / 2,
                        y + down / 2 + 4, cli_number(weight).s);
        }
    for (uint32_t k = 0; k <= classes; k++) {
        const double x = CHART_LEFT + k * across, y = CHART_TOP + k * down;
        fprintf(out,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/><line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" "
                "y2=\"%.1f\"/>\n",
                x, CHART_TOP, x, CHART_BOTTOM, CHART_LEFT, y, CHART_RIGHT, y);
        if (k == classes || k % every)
            continue;
        put_name(out, report->names[k], CHART_LEFT - 8, y + down / 2 + 4, false, false);
        put_name(out, report->names[k], x + across / 2, CHART_BOTTOM + 16, true, classes > SAME_LINE);
    }
    fputs("</svg>\n", out);
    free(subtitle);
    free(title);
}

static void find_ends(const struct shoal_mlp_outcome *outcome, double *least, double *most)
{
    const size_t count = outcome->rows * outcome->outputs;
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        *least = fmin(*least, fmin(outcome->truth[i], outcome->predicted[i]));
        *most = fmax(*most, fmax(outcome->truth[i], outcome->predicted[i]));
    }
}

/* Draws a point for each row; if there are more than POINTS rows, for evenly chosen rows. */
static void draw_points(FILE *out, const void *data)
{
    const struct drawing *drawing = data;
    const struct shoal_mlp_report *report = drawing->report;
    const struct shoal_mlp_outcome *outcome = &drawing->rows->outcome;
    const uint32_t outputs = outcome->outputs;
    const size_t stride = (outcome->rows + POINTS - 1) / POINTS,
                 shown = outputs < CHART_COLOURS ? outputs : CHART_COLOURS;
    double least, most;
    find_ends(outcome, &least, &most);
    const struct chart_scale x = chart_scale_over(least, most, false, CHART_LEFT, CHART_RIGHT),
                             y = chart_scale_over(least, most, false, CHART_BOTTOM, CHART_TOP);
    char *title = mlp_rows_title(drawing->rows);
    char *subtitle = cli_sprintf("%s, R2 %s", title, cli_share(report->mean.r2, 4).s);
    chart_begin(out, drawing->title, subtitle, shown > 1 ? shown : 0);
    chart_axes(out, &x, &y, "truth", "prediction");
    fprintf(out, "<line class=\"line5\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", CHART_LEFT,
            CHART_BOTTOM, CHART_RIGHT, CHART_TOP);
    for (size_t k = 0; k < shown; k++) {
        fprintf(out, "<g class=\"fill%zu\" fill-opacity=\".6\">\n", k);
        for (size_t i = 0; i < outcome->rows; i += stride)
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
                    chart_place(&x, outcome->truth[i * outputs + k]),
                    chart_place(&y, outcome->predicted[i * outputs + k]));
        fputs("</g>\n", out);
        if (shown > 1)
            chart_key(out, report->names[k], k, k);
    }
    fputs("</svg>\n", out);
    free(subtitle);
    free(title);
}

int mlp_draw(const char *option, const char *path, const char *title, const struct mlp_rows *rows,
             const struct shoal_mlp_report *report)
{
    const struct drawing drawing = {title, rows, report};
    return chart_write_drawn(option, path, report->classes ? draw_matrix : draw_points, &drawing);
}
