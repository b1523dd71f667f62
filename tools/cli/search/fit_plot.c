#include "cli/search/fit_plot.h"

#include "cli/charts/chart.h"
#include "cli/workload.h"

#include <math.h>
#include <stdlib.h>

/* Number of points of a curve. */
enum { CURVE = 800 };

struct picture {
    const char *title, *subtitle, *across, *up;
    struct chart_curve points, curve;
};

static void take_range(const double *values, size_t count, double *least, double *most)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            *least = fmin(*least, values[i]);
            *most = fmax(*most, values[i]);
        }
}

static void draw(FILE *out, const void *data)
{
    const struct picture *picture = data;
    const struct chart_curve *points = &picture->points, *curve = &picture->curve;
    double left = INFINITY, right = -INFINITY, least = INFINITY, most = -INFINITY;
    take_range(points->x, points->count, &left, &right);
    take_range(points->y, points->count, &least, &most);
    take_range(curve->y, curve->count, &least, &most);
    const struct chart_scale across = chart_scale_over(left, right, false, CHART_LEFT, CHART_RIGHT);
    const struct chart_scale up = chart_scale_over(least, most, false, CHART_BOTTOM, CHART_TOP);
    const size_t step = (points->count - 1) / CHART_MOST_POINTS + 1;
    chart_begin(out, picture->title, picture->subtitle, 2);
    chart_axes(out, &across, &up, picture->across, picture->up);
    fputs("<g class=\"fill0\" fill-opacity=\".5\">\n", out);
    for (size_t i = 0; i < points->count; i += step)
        if (isfinite(points->x[i]))
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", chart_place(&across, points->x[i]),
                    chart_place(&up, points->y[i]));
    fputs("</g>\n<path class=\"curve line1\" d=\"", out);
    char command = 'M';
    for (size_t i = 0; i < curve->count; i++) {
        if (isfinite(curve->y[i]))
            fprintf(out, "%c%.1f %.1f", command, chart_place(&across, curve->x[i]),
                    chart_place(&up, curve->y[i]));
        command = isfinite(curve->y[i]) ? 'L' : 'M';
    }
    fputs("\"/>\n", out);
    chart_key(out, points->label, 0, 0);
    chart_key(out, curve->label, 1, 1);
    fputs("</svg>\n", out);
}

/* Computes the model at CURVE values of its column from `left` to `right`. The values become the rows of a
 * new objective, whose target column is filled but not used. */
static enum shoal_status make_curve(const struct shoal_model_info *info, const double *x, double left,
                                    double right, double *across, double *up, struct shoal_error *error)
{
    const char *const names[] = {info->columns[0], info->columns[info->target]};
    const double *const values[] = {across, up};
    struct shoal_objective *objective = NULL;
    struct shoal_model model;
    for (size_t i = 0; i < CURVE; i++) {
        across[i] = left + (right - left) * (double)i / (CURVE - 1);
        up[i] = (double)i;
    }
    shoal_model_init(&model);
    model.formula = info->formula;
    model.parameters = info->parameters;
    model.parameter_count = info->parameter_count;
    model.columns = names;
    model.values = values;
    model.column_count = 2;
    model.rows = CURVE;
    model.target = names[1];
    enum shoal_status status = shoal_objective_from_model(&model, &objective, error);
    if (!status)
        status = shoal_model_rows(objective, x, 0, CURVE, NULL, up, error);
    shoal_objective_destroy(&objective);
    return status;
}

/* Makes a point of each row. is_curve: `across` becomes the first column of the row, otherwise the predicted
 * value. `up` becomes the target. */
static enum shoal_status make_points(const struct shoal_objective *objective, const double *x, bool is_curve,
                                     double *across, double *up, struct shoal_error *error)
{
    const struct shoal_model_info *info = shoal_objective_model(objective);
    enum { BLOCK = 1024 };
    double *columns = cli_alloc(BLOCK * info->column_count * sizeof *columns);
    enum shoal_status status = SHOAL_OK;
    for (size_t first = 0; first < info->rows && !status; first += BLOCK) {
        const size_t left = info->rows - first, count = left < BLOCK ? left : BLOCK;
        status = shoal_model_rows(objective, x, first, count, columns, across + first, error);
        for (size_t j = 0; j < count && !status; j++) {
            up[first + j] = columns[j * info->column_count + info->target];
            if (is_curve)
                across[first + j] = columns[j * info->column_count];
        }
    }
    free(columns);
    return status;
}

int fit_plot(const struct cli *cli, const struct cli_row *row, const struct shoal_objective *objective,
             const double *x, const char *path)
{
    const struct shoal_model_info *info = shoal_objective_model(objective);
    const bool is_curve = info->input_count == 1;
    const size_t curve_count = is_curve ? CURVE : 2;
    double *points = cli_alloc(2 * info->rows * sizeof *points), *up = points + info->rows;
    double *curve = cli_alloc(2 * CURVE * sizeof *curve), left = INFINITY, right = -INFINITY;
    struct shoal_error error;
    enum shoal_status status = make_points(objective, x, is_curve, points, up, &error);
    take_range(points, info->rows, &left, &right);
    if (!status && is_curve) {
        status = make_curve(info, x, left, right, curve, curve + CURVE, &error);
    } else {
        curve[0] = curve[CURVE] = left;
        curve[1] = curve[CURVE + 1] = right;
    }
    char *title = cli_row_title(row), *name = cli_row_path(cli, row, path);
    const struct picture picture = {
        .title = title,
        .subtitle = info->formula,
        .across = is_curve ? info->columns[0] : "model",
        .up = info->columns[info->target],
        .points = {.label = "data", .x = points, .y = up, .count = info->rows},
        .curve = {
            .label = is_curve ? "model" : "equal", .x = curve, .y = curve + CURVE, .count = curve_count}};
    const int code = status ? cli_fail("--plot", &error) : chart_write_drawn("--plot", name, draw, &picture);
    free(title);
    free(name);
    free(curve);
    free(points);
    return code;
}
