/* Files with problems and tours: which format. */
#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "base/text.h"
#include "tsp/files/files.h"
#include "tsp/model/ids.h"

#include <stdlib.h>
#include <string.h>

/* The file without folders and its last extension. */
static char *name_of(const char *path)
{
    const char *base = strcmp(path, "-") == 0 ? "stdin" : file_base_name(path), *dot = strrchr(base, '.');
    return dot && dot > base ? strndup(base, (size_t)(dot - base)) : strdup(base);
}

enum shoal_status tsp_read_problem(struct tsp_problem *problem, struct shoal_error *error)
{
    const char *path = problem->params->data;
    char *text;
    size_t bytes;
    enum shoal_status status = read_input_unpacked(path, "problem", &text, &bytes, error);
    if (status)
        return status;
    const bool is_npy = tsp_has_extension(path, ".npy") || (bytes >= 6 && memcmp(text, "\x93NUMPY", 6) == 0);
    const bool is_tsplib =
        tsp_is_tsplib(text, bytes) || tsp_has_extension(path, ".tsp") || tsp_has_extension(path, ".atsp");
    if (is_npy)
        status = tsp_read_npy(path, problem, error);
    else if (is_tsplib)
        status = tsp_parse_tsplib(text, bytes, path, problem, error);
    else
        status = tsp_parse_csv(text, bytes, path, problem, error);
    free(text);
    if (status || problem->name)
        return status;
    problem->name = name_of(path);
    if (!problem->name)
        return fail_host_memory(error);
    text_clean(problem->name, "");
    return SHOAL_OK;
}

/* Tours of an id a line -------------------------------------------------------------------------------- */

static uint32_t find_city(const struct tsp_problem *problem, struct line line)
{
    struct shoal_error ignored;
    const struct cursor nowhere = {.name = "", .error = &ignored};
    uint64_t number = 0;
    if (problem->ids)
        return tsp_ids_find(problem->ids, line.begin, (size_t)(line.end - line.begin));
    const struct word word = {line.begin, line.end};
    if (word_count(&nowhere, word, "", &number) || number < 1 || number > problem->n)
        return SHOAL_TSP_NONE;
    return (uint32_t)number - 1;
}

static enum shoal_status parse_ids(struct cursor *cursor, const struct tsp_problem *problem, uint32_t *tour,
                                   unsigned char *seen)
{
    struct line line;
    uint32_t count = 0;
    char text[64];
    while (cursor_next(cursor, &line)) {
        if (line.begin == line.end || *line.begin == '#')
            continue;
        const struct word word = {line.begin, line.end};
        const uint32_t city = find_city(problem, line);
        if (city == SHOAL_TSP_NONE)
            return cursor_fail(cursor, "'%s' is no city of %s", word_show(word).text, problem->name);
        if (seen[city])
            return cursor_fail(cursor, "city '%s' is in the tour twice", word_show(word).text);
        seen[city] = 1;
        tour[count++] = city;
    }
    if (!count)
        return fail(cursor->error, SHOAL_IO, "%s: holds no city: a tour of %s is due", cursor->name,
                    problem->name);
    for (uint32_t city = 0; city < problem->n; city++)
        if (!seen[city]) {
            tsp_id(problem, city, text, sizeof text);
            return cursor_fail(cursor, "the tour ends behind %lu of %lu cities, '%s' is missing",
                               (unsigned long)count, (unsigned long)problem->n, text);
        }
    return SHOAL_OK;
}

enum shoal_status tsp_parse_tour(const char *text, size_t bytes, const char *name,
                                 const struct tsp_problem *problem, uint32_t *tour, size_t *tours,
                                 struct shoal_error *error)
{
    struct cursor cursor = {.name = name, .at = text, .end = text + bytes, .error = error};
    if (tsp_is_tsplib(text, bytes))
        return tsp_parse_tsplib_tour(text, bytes, name, problem, tour, tours, error);
    *tours = 1;
    unsigned char *seen = calloc(problem->n, 1);
    cursor_skip_mark(&cursor);
    enum shoal_status status = seen ? parse_ids(&cursor, problem, tour, seen) : fail_host_memory(error);
    free(seen);
    return status;
}

enum shoal_status tsp_read_tour(const struct tsp_problem *problem, const char *path, uint32_t *tour,
                                size_t *tours, struct shoal_error *error)
{
    char *text;
    size_t bytes;
    enum shoal_status status = read_input(path, "tour", INPUT_DATA_MOST, &text, &bytes, error);
    if (status)
        return status;
    status = tsp_parse_tour(text, bytes, path, problem, tour, tours, error);
    free(text);
    return status;
}
