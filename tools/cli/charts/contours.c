#include "cli/charts/contours.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

/* A side of a cell, between corners number `side` and side + 1. In the neighbouring cell the same side has
 * the number side + 2, modulo 4. */
struct side {
    size_t row, column, side;
};

enum { SIDES = 4 };
static const size_t corners[SIDES][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};

struct place {
    double x, y;
};

/* A contour line, followed from side to side. */
struct line {
    const struct contour_grid *grid;
    double level;
    bool *drawn; /* sides that a line has crossed */
    struct place *places;
    size_t count;
};

static double value_at(const struct contour_grid *grid, struct side at, size_t corner)
{
    const size_t *of = corners[corner % SIDES];
    return grid->values[(at.row + of[0]) * (grid->cells + 1) + at.column + of[1]];
}

static bool is_crossed(const struct line *line, struct side at)
{
    return (value_at(line->grid, at, at.side) < line->level) !=
           (value_at(line->grid, at, at.side + 1) < line->level);
}

/* Returns the side at which the contour line leaves the cell that it entered at side `entered`. If the level
 * is crossed on all four sides, there are two lines, each through two neighbouring sides. */
static struct side across_cell(const struct line *line, struct side entered)
{
    size_t crossed[SIDES], count = 0, own = 0;
    for (struct side at = {entered.row, entered.column, 0}; at.side < SIDES; at.side++)
        if (is_crossed(line, at)) {
            own = at.side == entered.side ? count : own;
            crossed[count++] = at.side;
        }
    return (struct side){entered.row, entered.column, crossed[own ^ 1]};
}

/* Changes *at, a side of a cell, to the same side as seen from the neighbouring cell. Returns false if the
 * side is on the border of the grid. */
static bool next_cell(const struct line *line, struct side *at)
{
    static const int steps[SIDES][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    const size_t row = at->row + (size_t)steps[at->side][0], column = at->column + (size_t)steps[at->side][1];
    if (row >= line->grid->cells || column >= line->grid->cells)
        return false;
    *at = (struct side){row, column, (at->side + 2) % SIDES};
    return true;
}

static bool *drawn_at(const struct line *line, struct side at)
{
    return &line->drawn[(at.row * line->grid->cells + at.column) * SIDES + at.side];
}

static bool is_same(struct side a, struct side b)
{
    return a.row == b.row && a.column == b.column && a.side == b.side;
}

/* Adds the point at which the line crosses a side, by linear interpolation; the middle of the side if a value
 * at its ends is not finite. */
static void add_place(struct line *line, struct side at)
{
    const struct contour_grid *grid = line->grid;
    const size_t *a = corners[at.side], *b = corners[(at.side + 1) % SIDES];
    const double from = value_at(grid, at, at.side), to = value_at(grid, at, at.side + 1);
    const double exact = (line->level - from) / (to - from), part = isfinite(exact) ? exact : 0.5;
    const double cells = (double)grid->cells;
    const double column = (double)(at.column + a[1]) + part * ((double)b[1] - (double)a[1]),
                 row = (double)(at.row + a[0]) + part * ((double)b[0] - (double)a[0]);
    line->places[line->count++] = (struct place){grid->left + (grid->right - grid->left) * column / cells,
                                                 grid->bottom + (grid->top - grid->bottom) * row / cells};
}

/* The side at which the line through side `at` begins; for a closed line, `at` itself. */
static struct side begin_of(const struct line *line, struct side at)
{
    struct side begin = at;
    while (next_cell(line, &begin)) {
        begin = across_cell(line, begin);
        if (is_same(begin, at))
            break;
    }
    return begin;
}

static void follow(struct line *line, struct side at)
{
    line->count = 0;
    add_place(line, at);
    do {
        *drawn_at(line, at) = true;
        at = across_cell(line, at);
        *drawn_at(line, at) = true;
        add_place(line, at);
    } while (next_cell(line, &at) && !*drawn_at(line, at));
}

static double distance(struct place from, struct place to, struct place place)
{
    const double x = to.x - from.x, y = to.y - from.y, length = hypot(x, y);
    return length > 0 ? fabs(x * (place.y - from.y) - y * (place.x - from.x)) / length
                      : hypot(place.x - from.x, place.y - from.y);
}

/* Path data of an SVG: relative moves, in whole multiples of 1 / CONTOUR_UNITS. */
struct path {
    FILE *out;
    long x, y;                       /* current position */
    long begin_x, begin_y;           /* first point of the line */
    const struct place *begin, *end; /* first and last point of the line */
    bool is_begun;
};

/* Writes a relative move to x, y, such as "12-3" or "-4 5". */
static void write_pair(struct path *path, long x, long y, const char *separator)
{
    fprintf(path->out, "%s%ld%s%ld", x - path->x < 0 ? "" : separator, x - path->x,
            y - path->y < 0 ? "" : " ", y - path->y);
    path->x = x;
    path->y = y;
}

/* Writes a move to a point. The line begins with its first move to another position, so that lines without
 * length are left out. */
static void write_step(struct path *path, const struct place *place)
{
    const long x = lround(CONTOUR_UNITS * place->x), y = lround(CONTOUR_UNITS * place->y);
    if (!path->is_begun) {
        path->begin_x = lround(CONTOUR_UNITS * path->begin->x);
        path->begin_y = lround(CONTOUR_UNITS * path->begin->y);
        if (x == path->begin_x && y == path->begin_y)
            return;
        putc('m', path->out);
        write_pair(path, path->begin_x, path->begin_y, "");
        path->is_begun = true;
    }
    if (place == path->end && x == path->begin_x && y == path->begin_y) {
        putc('z', path->out);
        path->x = x;
        path->y = y;
    } else if (x != path->x || y != path->y) {
        write_pair(path, x, y, " ");
    }
}

/* Writes the points after `first` up to `last`, without points that are close to the simplified line (Douglas
 * and Peucker 1973). */
static void write_places(struct path *path, const struct place *places, size_t first, size_t last)
{
    static const double visible = 0.5;
    size_t farthest = last;
    double most = visible;
    for (size_t i = first + 1; i < last; i++) {
        const double beside = distance(places[first], places[last], places[i]);
        if (beside > most) {
            most = beside;
            farthest = i;
        }
    }
    if (farthest == last) {
        write_step(path, &places[last]);
        return;
    }
    write_places(path, places, first, farthest);
    write_places(path, places, farthest, last);
}

void contours_write(FILE *out, const struct contour_grid *grid, double level)
{
    const size_t cells = grid->cells * grid->cells;
    struct line line = {.grid = grid,
                        .level = level,
                        .drawn = cli_alloc(cells * SIDES * sizeof *line.drawn),
                        .places = cli_alloc((2 * cells + 1) * sizeof *line.places)};
    struct path path = {.out = out};
    for (struct side at = {0}; at.row < grid->cells; at.row++)
        for (at.column = 0; at.column < grid->cells; at.column++)
            for (at.side = 0; at.side < SIDES; at.side++) {
                if (!is_crossed(&line, at) || *drawn_at(&line, at))
                    continue;
                follow(&line, begin_of(&line, at));
                path.begin = line.places;
                path.end = line.places + line.count - 1;
                path.is_begun = false;
                write_places(&path, line.places, 0, line.count - 1);
            }
    free(line.drawn);
    free(line.places);
}

/* Maps ------------------------------------------------------------------------------------------------- */

static const double shares[] = {0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9};

void contours_scale(struct contour_map *map)
{
    map->across = chart_scale_over(map->lower[0], map->upper[0], false, CHART_LEFT, CHART_RIGHT);
    map->up = chart_scale_over(map->lower[1], map->upper[1], false, CHART_BOTTOM, CHART_TOP);
}

double contours_node(const struct contour_map *map, size_t d, size_t index)
{
    return map->lower[d] + (map->upper[d] - map->lower[d]) * (double)index / CONTOUR_CELLS;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void contours_draw(FILE *out, const struct contour_map *map)
{
    enum { COUNT = CONTOUR_NODES * CONTOUR_NODES };
    const struct contour_grid grid = {.cells = CONTOUR_CELLS,
                                      .values = map->values,
                                      .left = chart_place(&map->across, map->lower[0]),
                                      .bottom = chart_place(&map->up, map->lower[1]),
                                      .right = chart_place(&map->across, map->upper[0]),
                                      .top = chart_place(&map->up, map->upper[1])};
    if (!map->values)
        return;
    double *sorted = cli_alloc(COUNT * sizeof *sorted);
    size_t finite = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (isfinite(map->values[i]))
            sorted[finite++] = map->values[i];
    qsort(sorted, finite, sizeof *sorted, ascending);
    fprintf(out, "<g transform=\"scale(%g)\">\n", 1.0 / CONTOUR_UNITS);
    for (size_t s = 0; finite && s < sizeof shares / sizeof *shares; s++) {
        fprintf(out, "<path class=\"curve line5\" style=\"stroke-width:%g\" d=\"", 0.7 * CONTOUR_UNITS);
        contours_write(out, &grid, sorted[(size_t)(shares[s] * (double)(finite - 1))]);
        fputs("\"/>\n", out);
    }
    fputs("</g>\n", out);
    free(sorted);
}
