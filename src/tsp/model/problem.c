#include "tsp/model/problem.h"

#include "base/error.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"
#include "tsp/model/ids.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tsp_problem_destroy(struct tsp_problem *problem)
{
    tsp_form_destroy(&problem->form);
    tsp_ids_free(problem->ids);
    free(problem->name);
    free(problem->comment);
    free(problem->fixed);
    free(problem->tour);
    text_free(&problem->notes);
    if (problem->owns_places)
        free(problem->places);
    if (problem->owns_given)
        free(problem->given);
    if (problem->owns_matrix)
        free(problem->matrix);
    *problem = (struct tsp_problem){0};
}

void tsp_note(struct tsp_problem *problem, const char *format, ...)
{
    char sentence[sizeof((struct shoal_error *)NULL)->message];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    text_clean(sentence, "");
    text_printf(&problem->notes, "%s%s", problem->notes.length ? "\n" : "", sentence);
}

double tsp_in_unit(const struct tsp_problem *problem, int64_t length)
{
    /* A power of ten below 1 is not exact as a double, but the inverse of the power is. */
    return problem->unit < 1 ? (double)length / rint(1 / problem->unit) : (double)length * problem->unit;
}

void tsp_id(const struct tsp_problem *problem, uint32_t city, char *text, size_t size)
{
    size_t length = 0;
    const char *name = problem->ids ? tsp_ids_name(problem->ids, city, &length) : NULL;
    if (name)
        snprintf(text, size, "%.*s", (int)length, name);
    else
        snprintf(text, size, "%lu", (unsigned long)city + 1);
}

void tsp_note_lines(struct tsp_problem *problem, const char *lines)
{
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        tsp_note(problem, "%.*s", (int)length, lines);
    }
}

uint32_t tsp_find_city(const struct tsp_problem *problem, struct word id)
{
    if (problem->ids)
        return tsp_ids_find(problem->ids, id.begin, (size_t)(id.end - id.begin));
    uint64_t number = 0;
    struct shoal_error ignored;
    const struct cursor nowhere = {.name = "", .error = &ignored};
    if (word_count(&nowhere, id, "", &number) || number < 1 || number > problem->n)
        return SHOAL_TSP_NONE;
    return (uint32_t)number - 1;
}

uint32_t tsp_city(const struct tsp_problem *problem, const char *id)
{
    return tsp_find_city(problem, (struct word){id, id + strlen(id)});
}

/* Converts an angle to degrees. With GEO, the digits after the point are minutes. */
static double degrees_of(const struct tsp_problem *problem, double angle)
{
    const double whole = trunc(angle);
    return problem->metric == SHOAL_TSP_GEO ? whole + (angle - whole) * 5 / 3 : angle;
}

void tsp_map_position(const struct tsp_problem *problem, uint32_t city, double position[2])
{
    const double *place = problem->places + (size_t)city * problem->dim;
    const bool is_globe = tsp_is_globe(problem->metric);
    position[0] = is_globe ? degrees_of(problem, place[1]) : place[0];
    position[1] = is_globe ? degrees_of(problem, place[0]) : place[1];
    if (is_globe && fabs(position[0]) > 180)
        position[0] -= position[0] > 0 ? 360 : -360;
}

/* The caller's arrays ---------------------------------------------------------------------------------- */

static enum shoal_status take_points(struct tsp_problem *problem, struct shoal_error *error)
{
    const struct shoal_tsp_params *params = problem->params;
    const enum shoal_tsp_metric metric = (enum shoal_tsp_metric)params->metric;
    problem->metric = metric == SHOAL_TSP_AUTO ? SHOAL_TSP_EUCLID : metric;
    problem->dim = (unsigned)params->dim;
    problem->places = (double *)params->points;
    for (size_t i = 0; i < problem->n; i++) {
        const char *fault = tsp_place_fault(problem->metric, problem->dim, params->points + i * problem->dim);
        if (fault)
            return fail(error, SHOAL_INVALID, "points: city %zu: %s", i + 1, fault);
    }
    return SHOAL_OK;
}

static enum shoal_status take_matrix(struct tsp_problem *problem, struct shoal_error *error)
{
    const int32_t *matrix = problem->params->matrix;
    const size_t n = problem->n;
    problem->metric = SHOAL_TSP_MATRIX;
    problem->matrix = (int32_t *)matrix;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (matrix[i * n + j] < 0 && matrix[i * n + j] != SHOAL_TSP_FORBIDDEN)
                return fail(
                    error, SHOAL_INVALID,
                    "matrix: the distance from %zu to %zu is %ld: 0 to %ld, and SHOAL_TSP_FORBIDDEN, are "
                    "possible",
                    i + 1, j + 1, (long)matrix[i * n + j], (long)INT32_MAX);
            problem->is_asymmetric |= matrix[i * n + j] != matrix[j * n + i];
        }
    return SHOAL_OK;
}

static enum shoal_status take_arrays(struct tsp_problem *problem, struct shoal_error *error)
{
    const struct shoal_tsp_params *params = problem->params;
    problem->name = strdup(params->points ? "points" : "matrix");
    if (!problem->name)
        return fail_host_memory(error);
    problem->n = (uint32_t)params->count;
    return params->points ? take_points(problem, error) : take_matrix(problem, error);
}

static enum shoal_status check_lists(const struct tsp_problem *problem, struct shoal_error *error)
{
    const size_t width = problem->given_width;
    for (size_t city = 0; city < problem->n && width; city++) {
        const uint32_t *list = problem->given + city * width;
        for (size_t k = 0; k < width; k++)
            if (list[k] == SHOAL_TSP_NONE ? k + 1 < width && list[k + 1] != SHOAL_TSP_NONE
                                          : list[k] >= problem->n || list[k] == city)
                return fail(error, SHOAL_INVALID,
                            "neighbour_lists: entry %zu of city %zu is %lu: other cities from 0 to %lu, then "
                            "SHOAL_TSP_NONE, are possible",
                            k, city, (unsigned long)list[k], (unsigned long)problem->n - 1);
    }
    return SHOAL_OK;
}

/* Sets problem->lists. docs/tsp.md, "Candidate lists", has measurements for the choice. */
static enum shoal_status take_lists(struct tsp_problem *problem, struct shoal_error *error)
{
    const struct shoal_tsp_params *params = problem->params;
    problem->lists = (enum shoal_tsp_lists)params->lists;
    if (params->neighbour_lists) {
        problem->lists = SHOAL_TSP_LISTS_GIVEN;
        problem->given = (uint32_t *)params->neighbour_lists;
        problem->given_width = (uint32_t)params->neighbours;
        return check_lists(problem, error);
    }
    if (params->list_file) {
        problem->lists = SHOAL_TSP_LISTS_GIVEN;
        problem->owns_given = true;
        return tsp_read_lists(problem, params->list_file, &problem->given, &problem->given_width, error);
    }
    if (problem->lists == SHOAL_TSP_LISTS_QUADRANT && !problem->dim)
        return fail(error, SHOAL_INVALID,
                    "--lists quadrant: %s is a matrix, whose cities have no coordinates: leave it out",
                    problem->name);
    if (problem->lists == SHOAL_TSP_LISTS_AUTO)
        problem->lists = problem->dim ? SHOAL_TSP_LISTS_AUTO : SHOAL_TSP_LISTS_NEAREST;
    return SHOAL_OK;
}

/* Values that follow from the whole problem ------------------------------------------------------------ */

static enum shoal_status find_end(const struct tsp_problem *problem, const char *option, const char *id,
                                  uint32_t *city, struct shoal_error *error)
{
    *city = id ? tsp_city(problem, id) : SHOAL_TSP_NONE;
    if (!id || *city != SHOAL_TSP_NONE)
        return SHOAL_OK;
    char first[64], last[64];
    tsp_id(problem, 0, first, sizeof first);
    tsp_id(problem, problem->n - 1, last, sizeof last);
    return fail(error, SHOAL_INVALID, "--%s %.60s: %s has no such city; its first is %s, its last %s", option,
                id, problem->name, first, last);
}

static enum shoal_status set_ends(struct tsp_problem *problem, struct shoal_error *error)
{
    const struct shoal_tsp_params *params = problem->params;
    problem->is_path = params->path || params->end;
    enum shoal_status status = find_end(problem, "start", params->start, &problem->start, error);
    if (!status)
        status = find_end(problem, "end", params->end, &problem->end, error);
    if (!status && problem->start != SHOAL_TSP_NONE && problem->start == problem->end && problem->n > 1)
        status = fail(
            error, SHOAL_INVALID,
            "--start and --end are both %.60s: leave out --end for a closed tour from there, or give two "
            "cities",
            params->start);
    return status;
}

static enum shoal_status take_start_tour(struct tsp_problem *problem, struct shoal_error *error)
{
    const struct shoal_tsp_params *params = problem->params;
    enum shoal_status status = SHOAL_OK;
    size_t tours = 1;
    char *notes = NULL;
    if (!params->tour && !params->start_tour)
        return SHOAL_OK;
    problem->tour = malloc(problem->n * sizeof *problem->tour);
    if (!problem->tour)
        return fail_host_memory(error);
    if (params->tour)
        status = tsp_read_tour(problem, params->tour, problem->tour, &tours, &notes, error);
    else
        memcpy(problem->tour, params->start_tour, problem->n * sizeof *problem->tour);
    if (notes)
        tsp_note_lines(problem, notes);
    free(notes);
    if (!status && tours > 1)
        tsp_note(problem, "%s holds %zu tours: the first is taken", params->tour, tours);
    return status ? status : tsp_tour_fault(problem, problem->tour, problem->n, error);
}

static void fill_info(struct tsp_problem *problem)
{
    problem->info = (struct shoal_tsp_info){.size = sizeof problem->info,
                                            .name = problem->name,
                                            .comment = problem->comment,
                                            .cities = problem->n,
                                            .metric = problem->metric,
                                            .dim = problem->dim,
                                            .is_asymmetric = problem->is_asymmetric,
                                            .is_path = problem->is_path,
                                            .unit = problem->unit,
                                            .unit_name = problem->unit_name,
                                            .fixed_edges = problem->fixed_count,
                                            .optimum = problem->optimum,
                                            .is_optimal = problem->is_optimal,
                                            .notes = problem->notes.data ? problem->notes.data : ""};
}

/* Sets the unit of distances on the earth. The unit of other coordinates is not known. */
static void set_unit(struct tsp_problem *problem)
{
    if (problem->metric == SHOAL_TSP_HAVERSINE)
        problem->unit = 0.01;
    if (tsp_is_globe(problem->metric))
        problem->unit_name = problem->metric == SHOAL_TSP_GEO ? "km" : "m";
}

static enum shoal_status finish(struct tsp_problem *problem, struct shoal_error *error)
{
    enum shoal_status status = set_ends(problem, error);
    if (!status)
        status = take_lists(problem, error);
    if (status)
        return status;
    status = tsp_check_fixed(problem, error);
    if (!status)
        status = tsp_check_forbidden(problem, error);
    set_unit(problem);
    if (!status)
        status = tsp_form_create(problem, error);
    if (status)
        return problem->params->data ? fail_in_file(error, status) : status;
    tsp_note_rounding(problem);
    problem->optimum = tsp_known_length(problem, &problem->is_optimal);
    if (!isnan(problem->params->optimum)) {
        problem->optimum = (int64_t)round(problem->params->optimum / problem->unit);
        problem->is_optimal = false;
    }
    status = take_start_tour(problem, error);
    if (!status && problem->notes.failed)
        status = fail_host_memory(error);
    fill_info(problem);
    return status;
}

enum shoal_status tsp_problem_create(const struct shoal_tsp_params *params, struct tsp_problem *problem,
                                     struct shoal_error *error)
{
    *problem = (struct tsp_problem){
        .params = params, .unit = 1, .unit_name = "", .start = SHOAL_TSP_NONE, .end = SHOAL_TSP_NONE};
    enum shoal_status status = params->data                       ? tsp_read_problem(problem, error)
                               : params->points || params->matrix ? take_arrays(problem, error)
                                                                  : tsp_generate(problem, error);
    if (!status)
        status = finish(problem, error);
    if (status)
        tsp_problem_destroy(problem);
    return status;
}
