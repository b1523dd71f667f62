#include "cli/tsp/picture.h"

#include "cli/charts/canvas.h"
#include "cli/charts/chart.h"
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { PNG_PIXELS = 1600, PNG_MARGIN = 20 };

bool tsp_is_on_earth(const struct shoal_tsp_info *info)
{
    return info->metric == SHOAL_TSP_GEO || info->metric == SHOAL_TSP_GEOM ||
           info->metric == SHOAL_TSP_HAVERSINE;
}

bool tsp_is_picture(const char *path)
{
    return cli_ends_with(path, ".svg") || cli_ends_with(path, ".png");
}

struct drawing {
    const char *title;
    const struct shoal_tsp_problem *problem;
    const uint32_t *tour;
    size_t cities, dim;
    const double *points;
    bool on_earth; /* latitude, longitude: north is up */
    double low[2], high[2];
};

/* Across and up: x and y, or longitude and latitude. */
static double coordinate(const struct drawing *drawing, uint32_t city, int axis)
{
    return drawing->points[city * drawing->dim + (size_t)(drawing->on_earth ? 1 - axis : axis)];
}

static void find_borders(struct drawing *drawing)
{
    for (int axis = 0; axis < 2; axis++) {
        drawing->low[axis] = INFINITY;
        drawing->high[axis] = -INFINITY;
        for (uint32_t i = 0; i < drawing->cities; i++) {
            drawing->low[axis] = fmin(drawing->low[axis], coordinate(drawing, i, axis));
            drawing->high[axis] = fmax(drawing->high[axis], coordinate(drawing, i, axis));
        }
        if (!(drawing->high[axis] > drawing->low[axis])) {
            drawing->low[axis] -= 0.5;
            drawing->high[axis] += 0.5;
        }
    }
}

/* Legs of the tour: one less than cities of a path. */
static size_t legs(const struct drawing *drawing)
{
    return drawing->cities - (shoal_tsp_get_info(drawing->problem)->is_path ? 1 : 0);
}

static void draw_svg(FILE *out, const void *data)
{
    const struct drawing *drawing = data;
    chart_begin(out, drawing->title, NULL, 0);
    struct chart_scale x =
        chart_scale_over(drawing->low[0], drawing->high[0], false, CHART_LEFT, CHART_RIGHT);
    struct chart_scale y =
        chart_scale_over(drawing->low[1], drawing->high[1], false, CHART_BOTTOM, CHART_TOP);
    /* A length is as long on both axes. */
    const double pixels =
        fmin((CHART_RIGHT - CHART_LEFT) / (x.high - x.low), (CHART_BOTTOM - CHART_TOP) / (y.high - y.low));
    x.to = x.from + (x.high - x.low) * pixels;
    y.to = y.from - (y.high - y.low) * pixels;
    chart_axes(out, &x, &y, drawing->on_earth ? "longitude" : "x", drawing->on_earth ? "latitude" : "y");
    fputs("<path class=\"curve line0\" style=\"stroke-width:1\" d=\"", out);
    for (size_t k = 0; k <= legs(drawing); k++) {
        const uint32_t city = drawing->tour[k % drawing->cities];
        fprintf(out, "%c%.1f %.1f", k ? 'L' : 'M', chart_place(&x, coordinate(drawing, city, 0)),
                chart_place(&y, coordinate(drawing, city, 1)));
    }
    fputs("\"/>\n</svg>\n", out);
}

static enum shoal_status make_png(const struct drawing *drawing, void **png, size_t *bytes,
                                  struct shoal_error *error)
{
    static const unsigned char line[CANVAS_CHANNELS] = {31, 158, 137}, dot[CANVAS_CHANNELS] = {253, 231, 37};
    struct canvas canvas;
    const double across = drawing->high[0] - drawing->low[0], up = drawing->high[1] - drawing->low[1];
    const double scale = (PNG_PIXELS - 2 * PNG_MARGIN) / fmax(across, up);
    enum shoal_status status = canvas_create(&canvas, (size_t)ceil(across * scale) + 2 * PNG_MARGIN,
                                             (size_t)ceil(up * scale) + 2 * PNG_MARGIN, 13, error);
    if (status)
        return status;
    double from[2] = {0, 0};
    for (size_t k = 0; k <= legs(drawing); k++) {
        const uint32_t city = drawing->tour[k % drawing->cities];
        const double to[2] = {PNG_MARGIN + (coordinate(drawing, city, 0) - drawing->low[0]) * scale,
                              PNG_MARGIN + (drawing->high[1] - coordinate(drawing, city, 1)) * scale};
        if (k)
            canvas_line(&canvas, from, to, 1.5, line);
        from[0] = to[0];
        from[1] = to[1];
    }
    /* Cities are seen where they are further apart than some pixels. */
    const double apart = PNG_PIXELS / sqrt((double)drawing->cities);
    for (uint32_t i = 0; i < drawing->cities && apart > 6; i++)
        canvas_disk(&canvas, PNG_MARGIN + (coordinate(drawing, i, 0) - drawing->low[0]) * scale,
                    PNG_MARGIN + (drawing->high[1] - coordinate(drawing, i, 1)) * scale, fmin(apart / 8, 4),
                    dot);
    status = canvas_png(&canvas, png, bytes, error);
    canvas_destroy(&canvas);
    return status;
}

int tsp_draw(const char *option, const char *path, const char *title, const struct shoal_tsp_problem *problem,
             const uint32_t *tour)
{
    const struct shoal_tsp_info *info = shoal_tsp_get_info(problem);
    struct drawing drawing = {.title = title,
                              .problem = problem,
                              .tour = tour,
                              .cities = info->cities,
                              .dim = info->dim,
                              .points = shoal_tsp_points(problem),
                              .on_earth = tsp_is_on_earth(info)};
    struct shoal_error error;
    void *png;
    size_t bytes;
    if (!drawing.points)
        return cli_error(CLI_USAGE,
                         "%s: the problem is a matrix, whose cities have no places to draw; write a "
                         ".tour, .txt, .csv or .json",
                         option);
    find_borders(&drawing);
    if (cli_ends_with(path, ".svg"))
        return chart_write_drawn(option, path, draw_svg, &drawing);
    enum shoal_status status = make_png(&drawing, &png, &bytes, &error);
    if (!status) {
        status = cli_write_file(path, png, bytes, &error);
        free(png);
    }
    return status ? cli_fail(option, &error) : CLI_OK;
}
