#include "cli/search/landscape.h"

#include "cli/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char option[] = "--landscape", axes_option[] = "--landscape-axes";

/* Maps ------------------------------------------------------------------------------------------------- */

int landscape_map(const struct shoal_solver *solver, const char *name, const size_t axes[2], const double *x,
                  size_t dim, struct contour_map *map)
{
    struct shoal_error error = {0};
    double *lower = cli_alloc(2 * dim * sizeof *lower), *upper = lower + dim;
    double *points = cli_alloc(CONTOUR_NODES * dim * sizeof *points);
    double *values = cli_alloc(CONTOUR_NODES * CONTOUR_NODES * sizeof *values);
    enum shoal_status status = shoal_search_box(solver, lower, upper, dim, &error);
    for (size_t a = 0; a < 2 && !status; a++) {
        map->lower[a] = lower[axes[a]];
        map->upper[a] = upper[axes[a]];
    }
    contours_scale(map);
    for (size_t row = 0; row < CONTOUR_NODES && !status && !cli_stopped(NULL); row++) {
        for (size_t column = 0; column < CONTOUR_NODES; column++) {
            double *point = points + column * dim;
            memcpy(point, x, dim * sizeof *x);
            point[axes[0]] = contours_node(map, 0, column);
            point[axes[1]] = contours_node(map, 1, row);
        }
        status =
            shoal_search_values(solver, points, CONTOUR_NODES, dim, values + row * CONTOUR_NODES, &error);
    }
    map->values = values;
    free(points);
    free(lower);
    return status ? cli_fail(name, &error) : CLI_OK;
}

/* The path --------------------------------------------------------------------------------------------- */

/* Path of a search: the best positions after some steps of a run, [count][2]. */
struct path {
    double *places;
    size_t count;
};

static void add_place(struct path *path, const struct shoal_result *result, const size_t axes[2])
{
    const struct shoal_field *position = shoal_result_find(result, "position");
    if (!position)
        return;
    const double place[2] = {position->reals[axes[0]], position->reals[axes[1]]};
    if (path->count && memcmp(path->places + 2 * (path->count - 1), place, sizeof place) == 0)
        return;
    path->places = cli_realloc(path->places, 2 * (path->count + 1) * sizeof *path->places);
    memcpy(path->places + 2 * path->count++, place, sizeof place);
}

/* The number of the run with the best value. */
static uint64_t best_run(const struct cli_row *row, bool is_greatest)
{
    const struct shoal_field *values = shoal_result_find(&row->result, "run_values");
    size_t best = 0;
    for (size_t r = 1; values && r < values->count; r++)
        if (is_greatest ? values->reals[r] > values->reals[best] : values->reals[r] < values->reals[best])
            best = r;
    return best;
}

/* Repeats the best run, with the same bits, up to its last step, and adds the best position to the path every
 * few steps. */
static enum shoal_status follow(const struct cli *cli, const struct cli_row *row, const size_t axes[2],
                                bool is_greatest, struct path *path, struct shoal_error *error)
{
    const bool on_host = shoal_device_get_info(row->device)->is_host;
    struct shoal_search_params *params = cli_alloc(row->workload->params_size);
    struct shoal_queue *queue = NULL;
    struct shoal_solver *solver = NULL;
    memcpy(params, cli->params, row->workload->params_size);
    params->seed += best_run(row, is_greatest);
    params->runs = 1;
    params->trace = 0;
    enum shoal_status status = on_host ? SHOAL_OK : shoal_queue_create(row->device, 0, &queue, error);
    if (!status)
        status = shoal_solver_create(row->workload, row->device, queue, params,
                                     (enum shoal_variant)cli->common.variant, &solver, error);
    uint64_t steps = 0, done = 1;
    while (!status && done && steps < row->result.steps && !cli_stopped(NULL)) {
        struct shoal_result result = {0};
        const uint64_t left = row->result.steps - steps, next = 1 + steps / 40;
        status = shoal_solver_step(solver, next < left ? next : left, &done, error);
        steps += done;
        if (status)
            break;
        status = shoal_solver_result(solver, &result, error);
        if (status == SHOAL_OK)
            add_place(path, &result, axes);
        else if (status == SHOAL_CHECK_FAILED) /* no finite value yet */
            status = SHOAL_OK;
    }
    shoal_solver_destroy(&solver);
    shoal_queue_destroy(&queue);
    free(params);
    return status;
}

/* The picture ------------------------------------------------------------------------------------------ */

struct landscape {
    const char *title, *subtitle;
    char names[2][SHOAL_SEARCH_NAME];
    struct contour_map map;
    struct path path;
};

static void draw_point(FILE *out, const struct landscape *of, const double *place, const char *class,
                       double radius)
{
    fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", class,
            chart_place(&of->map.across, place[0]), chart_place(&of->map.up, place[1]), radius);
}

static void draw(FILE *out, const void *data)
{
    const struct landscape *of = data;
    const struct path *path = &of->path;
    chart_begin(out, of->title, of->subtitle, 1);
    chart_axes(out, &of->map.across, &of->map.up, of->names[0], of->names[1]);
    contours_draw(out, &of->map);
    fputs("<path class=\"curve line3\" d=\"", out);
    for (size_t i = 0; i < path->count; i++)
        fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', chart_place(&of->map.across, path->places[2 * i]),
                chart_place(&of->map.up, path->places[2 * i + 1]));
    fputs("\"/>\n", out);
    for (size_t i = 0; i < path->count; i++)
        draw_point(out, of, path->places + 2 * i, "fill3", i + 1 < path->count ? 2 : 5);
    chart_key(out, "the best point of the run, from the first step to the last", 3, 0);
    fputs("</svg>\n", out);
}

/* Reads the numbers of two different coordinates, counted from 1, such as "1,3". text NULL: the first two
 * coordinates. Returns false if the text is wrong or a number exceeds `dim`. */
static bool read_axes(const char *text, size_t dim, size_t axes[2])
{
    char *end;
    axes[0] = 0;
    axes[1] = 1;
    if (!text)
        return dim > 1;
    const unsigned long first = strtoul(text, &end, 10);
    if (*text < '1' || *text > '9' || *end != ',' || end[1] < '1' || end[1] > '9')
        return false;
    const unsigned long second = strtoul(end + 1, &end, 10);
    axes[0] = first - 1;
    axes[1] = second - 1;
    return !*end && first != second && first <= dim && second <= dim;
}

static int wrong_axes(const char *text)
{
    return text ? cli_error(CLI_USAGE, "%s: '%s' does not name two coordinates of the search, such as 1,2",
                            axes_option, text)
                : cli_error(CLI_USAGE, "%s: draws two coordinates, and the search has one", option);
}

bool landscape_is_real(const struct shoal_search_params *params)
{
    const bool other = params->objective || params->objective_file || params->expression || params->data_file;
    const struct shoal_objective *function =
        other ? NULL : shoal_objective_at((size_t)params->function); /* the built-in function */
    return !params->variables && (!function || !shoal_objective_get_info(function)->variables);
}

int landscape_check(const struct cli *cli, const char *path, const char *axes)
{
    const struct workload_values *values = cli->values;
    const struct shoal_search_params *params = cli->params;
    size_t numbers[2];
    if (!landscape_is_real(params))
        return cli_error(CLI_USAGE,
                         "%s: draws two real coordinates; the search has coordinates of other kinds", option);
    if (values->split)
        return cli_error(CLI_USAGE, "%s: draws runs on one device, without --split", option);
    /* The dimension may follow from data or bounds, which are read later. */
    if (!read_axes(axes, params->dim ? (size_t)params->dim : SIZE_MAX, numbers))
        return wrong_axes(axes);
    return chart_check(option, path);
}

int landscape_plot(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                   const char *path, const char *axes)
{
    const struct shoal_field *position = shoal_result_find(&row->result, "position");
    const bool is_greatest = ((const struct shoal_search_params *)cli->params)->maximise;
    struct landscape of = {.title = NULL};
    struct shoal_error error;
    size_t numbers[2];
    if (!read_axes(axes, position->count, numbers))
        return wrong_axes(axes);
    int code = landscape_map(solver, option, numbers, position->reals, position->count, &of.map);
    const enum shoal_status status =
        code == CLI_OK ? follow(cli, row, numbers, is_greatest, &of.path, &error) : SHOAL_OK;
    if (status)
        code = cli_fail(option, &error);
    char *title = cli_row_title(row), *name = cli_row_path(cli, row, path);
    char *subtitle = cli_run_line(row->workload, cli->params, row, 1);
    of.title = title;
    of.subtitle = subtitle;
    for (size_t a = 0; a < 2; a++)
        shoal_search_name(solver, numbers[a], of.names[a]);
    if (code == CLI_OK)
        code = chart_write_drawn(option, name, draw, &of);
    free(title);
    free(subtitle);
    free(name);
    free(of.path.places);
    free((double *)of.map.values);
    return code;
}
