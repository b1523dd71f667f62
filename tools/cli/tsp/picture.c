#include "cli/tsp/picture.h"

#include "cli/charts/canvas.h"
#include "cli/charts/chart.h"
#include "cli/cli.h"
#include "cli/run/rescue.h"
#include "cli/tsp/map.h"

#include <math.h>
#include <stdlib.h>

enum { PNG_PIXELS = 1600, PNG_MARGIN = 20 };
/* Indices of colours of charts. */
enum { CITY_COLOUR = 1, START_COLOUR = 3, FIXED_COLOUR = 4 };

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
    struct tsp_map map;
    size_t fixed;
};

/* Number of legs of the tour; a path has one leg less than cities. */
static size_t leg_count(const struct drawing *drawing)
{
    return drawing->map.cities - (shoal_tsp_get_info(drawing->problem)->is_path ? 1 : 0);
}

/* Radius of the disks of cities; 0: cities are too close together for disks. */
static double radius_of(const struct drawing *drawing, double side)
{
    const double apart = side / sqrt((double)drawing->map.cities);
    return apart > 6 ? fmin(apart / 8, 4) : 0;
}

/* SVG -------------------------------------------------------------------------------------------------- */

struct axes {
    FILE *out;
    struct chart_scale scales[2];
};

static void svg_line(const struct axes *axes, const struct drawing *drawing, uint32_t from, uint32_t to,
                     bool goes_on)
{
    double ends[2][2][2];
    const int parts = tsp_map_line(&drawing->map, from, to, ends);
    for (int part = 0; part < parts; part++)
        for (int end = goes_on && part == 0 ? 1 : 0; end < 2; end++)
            fprintf(axes->out, "%c%.1f %.1f", end ? 'L' : 'M',
                    chart_place(&axes->scales[0], ends[part][end][0]),
                    chart_place(&axes->scales[1], ends[part][end][1]));
}

static void svg_city(const struct axes *axes, const struct drawing *drawing, uint32_t city, double radius,
                     int colour)
{
    fprintf(axes->out, "<circle class=\"fill%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", colour,
            chart_place(&axes->scales[0], drawing->map.places[city][0]),
            chart_place(&axes->scales[1], drawing->map.places[city][1]), radius);
}

static void svg_keys(const struct axes *axes, const struct drawing *drawing)
{
    char id[300], *text;
    shoal_tsp_id(drawing->problem, drawing->tour[0], id, sizeof id);
    text = cli_sprintf("begins in %s", id);
    chart_key(axes->out, text, START_COLOUR, 0);
    free(text);
    if (drawing->fixed)
        chart_key(axes->out, "fixed edges", FIXED_COLOUR, 1);
}

static void draw_svg(FILE *out, const void *data)
{
    const struct drawing *drawing = data;
    const struct tsp_map *map = &drawing->map;
    const uint32_t *fixed = shoal_tsp_fixed_edges(drawing->problem);
    struct axes axes = {
        .out = out,
        .scales = {chart_scale_over(map->low[0], map->high[0], false, CHART_LEFT, CHART_RIGHT),
                   chart_scale_over(map->low[1], map->high[1], false, CHART_BOTTOM, CHART_TOP)}};
    struct chart_scale *x = &axes.scales[0], *y = &axes.scales[1];
    x->turn = map->is_globe ? 360 : 0;
    const double across = (x->high - x->low) * map->aspect, up = y->high - y->low;
    /* Both axes have the same number of pixels for a unit of length. */
    const double pixels = fmin((CHART_RIGHT - CHART_LEFT) / across, (CHART_BOTTOM - CHART_TOP) / up);
    const double radius = radius_of(drawing, sqrt(across * up) * pixels);
    x->to = x->from + across * pixels;
    y->to = y->from - up * pixels;
    chart_begin(out, drawing->title, NULL, drawing->fixed ? 2 : 1);
    chart_axes(out, x, y, map->is_globe ? "longitude" : "x", map->is_globe ? "latitude" : "y");
    fputs("<path class=\"curve line0\" style=\"stroke-width:1\" d=\"", out);
    for (size_t k = 0; k < leg_count(drawing); k++)
        svg_line(&axes, drawing, drawing->tour[k], drawing->tour[(k + 1) % map->cities], k > 0);
    fputs("\"/>\n", out);
    if (drawing->fixed) {
        fprintf(out, "<path class=\"curve line%d\" style=\"stroke-width:3;opacity:.6\" d=\"", FIXED_COLOUR);
        for (size_t i = 0; i < drawing->fixed; i++)
            svg_line(&axes, drawing, fixed[2 * i], fixed[2 * i + 1], false);
        fputs("\"/>\n", out);
    }
    for (uint32_t i = 0; i < map->cities && radius > 0; i++)
        svg_city(&axes, drawing, i, radius, CITY_COLOUR);
    svg_city(&axes, drawing, drawing->tour[0], fmax(2 * radius, 4), START_COLOUR);
    svg_keys(&axes, drawing);
    fputs("</svg>\n", out);
}

/* PNG -------------------------------------------------------------------------------------------------- */

struct pixels {
    struct canvas canvas;
    const struct tsp_map *map;
    double scale; /* pixels of a unit up */
};

static void find_pixel(const struct pixels *pixels, const double place[2], double pixel[2])
{
    pixel[0] = PNG_MARGIN + (place[0] - pixels->map->low[0]) * pixels->map->aspect * pixels->scale;
    pixel[1] = PNG_MARGIN + (pixels->map->high[1] - place[1]) * pixels->scale;
}

static void png_line(struct pixels *pixels, uint32_t from, uint32_t to, double width,
                     const unsigned char colour[CANVAS_CHANNELS])
{
    double ends[2][2][2], pixel[2][2];
    const int parts = tsp_map_line(pixels->map, from, to, ends);
    for (int part = 0; part < parts; part++) {
        for (int end = 0; end < 2; end++)
            find_pixel(pixels, ends[part][end], pixel[end]);
        canvas_line(&pixels->canvas, pixel[0], pixel[1], width, colour);
    }
}

static void png_city(struct pixels *pixels, uint32_t city, double radius,
                     const unsigned char colour[CANVAS_CHANNELS])
{
    double pixel[2];
    find_pixel(pixels, pixels->map->places[city], pixel);
    canvas_disk(&pixels->canvas, pixel[0], pixel[1], radius, colour);
}

static enum shoal_status make_png(const struct drawing *drawing, void **png, size_t *bytes,
                                  struct shoal_error *error)
{
    static const unsigned char line[CANVAS_CHANNELS] = {31, 158, 137}, dot[CANVAS_CHANNELS] = {253, 231, 37},
                               fixed_line[CANVAS_CHANNELS] = {219, 97, 162},
                               start[CANVAS_CHANNELS] = {240, 136, 62};
    const struct tsp_map *map = &drawing->map;
    const uint32_t *fixed = shoal_tsp_fixed_edges(drawing->problem);
    const double across = (map->high[0] - map->low[0]) * map->aspect, up = map->high[1] - map->low[1];
    struct pixels pixels = {.map = map, .scale = (PNG_PIXELS - 2 * PNG_MARGIN) / fmax(across, up)};
    const double radius = radius_of(drawing, PNG_PIXELS);
    enum shoal_status status =
        canvas_create(&pixels.canvas, (size_t)ceil(across * pixels.scale) + 2 * PNG_MARGIN,
                      (size_t)ceil(up * pixels.scale) + 2 * PNG_MARGIN, 13, error);
    if (status)
        return status;
    for (size_t k = 0; k < leg_count(drawing); k++)
        png_line(&pixels, drawing->tour[k], drawing->tour[(k + 1) % map->cities], 1.5, line);
    for (size_t i = 0; i < drawing->fixed; i++)
        png_line(&pixels, fixed[2 * i], fixed[2 * i + 1], 4, fixed_line);
    for (uint32_t i = 0; i < map->cities && radius > 0; i++)
        png_city(&pixels, i, radius, dot);
    png_city(&pixels, drawing->tour[0], fmax(2 * radius, 6), start);
    status = canvas_png(&pixels.canvas, png, bytes, error);
    canvas_destroy(&pixels.canvas);
    return status;
}

static int write_png(const char *option, const char *path, const struct drawing *drawing)
{
    struct shoal_error error;
    void *png;
    size_t bytes;
    enum shoal_status status = make_png(drawing, &png, &bytes, &error);
    if (!status) {
        const int code = run_write_bytes(option, path, png, bytes);
        free(png);
        return code;
    }
    return cli_fail(option, &error);
}

int tsp_draw(const char *option, const char *path, const char *title, const struct shoal_tsp_problem *problem,
             const uint32_t *tour)
{
    struct drawing drawing = {
        .title = title, .problem = problem, .tour = tour, .fixed = shoal_tsp_get_info(problem)->fixed_edges};
    if (!shoal_tsp_points(problem))
        return cli_error(CLI_USAGE,
                         "%s: the problem is a matrix, whose cities have no places to draw; write a "
                         ".tour, .txt, .csv or .json",
                         option);
    tsp_map_set(&drawing.map, problem);
    const int code = cli_ends_with(path, ".svg") ? chart_write_drawn(option, path, draw_svg, &drawing)
                                                 : write_png(option, path, &drawing);
    tsp_map_clear(&drawing.map);
    return code;
}
