/* Reads tours from files in several formats: TOUR of TSPLIB, solutions of Concorde, CSV and JSON of shoal,
 * and one id in each line. */
#include "base/error.h"
#include "base/input.h"
#include "base/text.h"
#include "io/csv/fields.h"
#include "tsp/files/files.h"
#include "tsp/model/ids.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tour while it is read. */
struct reader {
    struct cursor cursor;
    const struct tsp_problem *problem;
    uint32_t *tour;
    unsigned char *seen; /* [cities]: the city is in the tour */
    uint32_t count;
    bool is_closed; /* the file has the first city again after the last city */
};

static enum shoal_status fail_unknown(const struct reader *reader, struct word id)
{
    return cursor_fail(&reader->cursor, "'%s' is no city of %s", word_show(id).text, reader->problem->name);
}

/* Adds the next city to the tour. The first city may follow the last city once more, which closes the
 * tour. */
static enum shoal_status add_city(struct reader *reader, uint32_t city, struct word id)
{
    const bool returns = reader->count == reader->problem->n && city == reader->tour[0] && reader->count > 1;
    if (returns && !reader->is_closed) {
        reader->is_closed = true;
        return SHOAL_OK;
    }
    if (reader->seen[city])
        return cursor_fail(&reader->cursor, "city '%s' is in the tour twice", word_show(id).text);
    reader->seen[city] = 1;
    reader->tour[reader->count++] = city;
    return SHOAL_OK;
}

static enum shoal_status add_id(struct reader *reader, struct word id)
{
    const uint32_t city = tsp_find_city(reader->problem, id);
    return city == SHOAL_TSP_NONE ? fail_unknown(reader, id) : add_city(reader, city, id);
}

/* Concorde's solution: the number of cities, then the numbers of the cities, counted from 0. ------------- */

/* Returns whether the text is a solution of Concorde: all words are integers, the first is the number of
 * cities n, n more follow, and one of the words is 0. */
static bool is_solution(const struct reader *reader)
{
    struct cursor ahead = reader->cursor;
    struct shoal_error ignored;
    struct line line;
    struct word word;
    size_t words = 0;
    uint64_t first = 0;
    bool has_zero = false;
    ahead.error = &ignored;
    while (cursor_next(&ahead, &line))
        for (uint64_t number; line_word(&line, &word); words++) {
            if (word_count(&ahead, word, "", &number))
                return false;
            first = words ? first : number;
            has_zero |= number == 0;
        }
    return has_zero && first == reader->problem->n && words == (size_t)first + 1;
}

static enum shoal_status read_solution(struct reader *reader)
{
    struct line line;
    struct word word;
    bool is_first = true;
    enum shoal_status status = SHOAL_OK;
    while (!status && cursor_next(&reader->cursor, &line))
        while (!status && line_word(&line, &word)) {
            uint64_t city = 0;
            status = word_count(&reader->cursor, word, "the number of a city", &city);
            if (!status && is_first && city != reader->problem->n)
                status = cursor_fail(
                    &reader->cursor, "the solution has %llu cities, %s has %lu: it is of another problem",
                    (unsigned long long)city, reader->problem->name, (unsigned long)reader->problem->n);
            if (!status && !is_first && city >= reader->problem->n)
                status = cursor_fail(&reader->cursor,
                                     "the number of a city is %llu: 0 to %lu are possible in a solution of "
                                     "Concorde",
                                     (unsigned long long)city, (unsigned long)reader->problem->n - 1);
            if (!status && !is_first)
                status = add_city(reader, (uint32_t)city, word);
            is_first = false;
        }
    return status;
}

/* JSON of shoal: the ids in "order". ----------------------------------------------------------------- */

static enum shoal_status read_order(struct reader *reader, const cJSON *order)
{
    enum shoal_status status = SHOAL_OK;
    const cJSON *item;
    cJSON_ArrayForEach(item, order)
    {
        char digits[32];
        const char *id = cJSON_IsString(item) ? item->valuestring : digits;
        if (!cJSON_IsString(item) && !cJSON_IsNumber(item))
            return fail(reader->cursor.error, SHOAL_IO, "%s: \"order\" holds something else than ids",
                        reader->cursor.name);
        if (id == digits)
            snprintf(digits, sizeof digits, "%.17g", item->valuedouble);
        status = add_id(reader, (struct word){id, id + strlen(id)});
        if (status)
            break;
    }
    return status;
}

static enum shoal_status read_json(struct reader *reader)
{
    const struct cursor *cursor = &reader->cursor;
    cJSON *json = cJSON_ParseWithLength(cursor->at, (size_t)(cursor->end - cursor->at));
    const cJSON *order = cJSON_GetObjectItemCaseSensitive(json, "order");
    enum shoal_status status = SHOAL_OK;
    if (!json)
        status = fail(cursor->error, SHOAL_IO, "%s: is no JSON", cursor->name);
    else if (!cJSON_IsArray(order))
        status = fail(cursor->error, SHOAL_IO,
                      "%s: has no \"order\", the ids of the cities in the JSON of a tour", cursor->name);
    else
        status = read_order(reader, order);
    cJSON_Delete(json);
    return status;
}

/* CSV of shoal: the ids in column "id". -------------------------------------------------------------- */

enum { NO_COLUMN = 1000 };

/* Returns the number of the column "id" in a line of names, or NO_COLUMN if the line has no column "id" or no
 * column "place". *separator: the separator of the fields of the line. */
static size_t id_column(struct line line, char *separator)
{
    struct word field;
    size_t id = NO_COLUMN;
    bool has_place = false;
    *separator = line_separator(line);
    for (size_t c = 0; c < NO_COLUMN && line_field(&line, *separator, &field); c++) {
        const struct word name = field_inside(field);
        has_place |= word_is_any_case(name, "place");
        id = id == NO_COLUMN && word_is_any_case(name, "id") ? c : id;
    }
    return has_place ? id : NO_COLUMN;
}

static enum shoal_status read_column(struct reader *reader, size_t column, char separator)
{
    struct text scratch = {0};
    struct line line;
    enum shoal_status status = SHOAL_OK;
    cursor_next(&reader->cursor, &line);
    while (!status && cursor_next_row(&reader->cursor, separator, &line)) {
        struct word field = {NULL, NULL};
        size_t c = 0;
        for (; c <= column && line_field(&line, separator, &field); c++)
            continue;
        if (c <= column)
            status = cursor_fail(&reader->cursor, "has no column %zu, the id of a city", column + 1);
        else
            status = add_id(reader, field_unquote(field, &scratch));
    }
    if (scratch.failed)
        status = fail_host_memory(reader->cursor.error);
    text_free(&scratch);
    return status;
}

/* One id in each line. ------------------------------------------------------------------------------- */

static enum shoal_status read_ids(struct reader *reader)
{
    struct line line;
    enum shoal_status status = SHOAL_OK;
    while (!status && cursor_next(&reader->cursor, &line))
        if (line.begin < line.end && *line.begin != '#')
            status = add_id(reader, (struct word){line.begin, line.end});
    return status;
}

/* The file. ---------------------------------------------------------------------------------------------- */

static enum shoal_status read_any(struct reader *reader)
{
    struct cursor ahead = reader->cursor;
    struct line line = {NULL, NULL};
    char separator = ' ';
    while (cursor_next(&ahead, &line) && line.begin == line.end)
        continue;
    if (line.begin < line.end && *line.begin == '{')
        return read_json(reader);
    const size_t column = id_column(line, &separator);
    if (column != NO_COLUMN)
        return read_column(reader, column, separator);
    return tsp_has_extension(reader->cursor.name, ".sol") || is_solution(reader) ? read_solution(reader)
                                                                                 : read_ids(reader);
}

static enum shoal_status check_all(const struct reader *reader)
{
    const struct cursor *cursor = &reader->cursor;
    const struct tsp_problem *problem = reader->problem;
    char text[64];
    if (!reader->count)
        return fail(cursor->error, SHOAL_IO, "%s: holds no city: give a tour of %s", cursor->name,
                    problem->name);
    for (uint32_t city = 0; city < problem->n; city++)
        if (!reader->seen[city]) {
            tsp_id(problem, city, text, sizeof text);
            return cursor_fail(cursor, "the tour ends behind %lu of %lu cities, '%s' is missing",
                               (unsigned long)reader->count, (unsigned long)problem->n, text);
        }
    return SHOAL_OK;
}

enum shoal_status tsp_parse_tour(const char *text, size_t bytes, const char *name,
                                 const struct tsp_problem *problem, uint32_t *tour, size_t *tours,
                                 char **notes, struct shoal_error *error)
{
    struct reader reader = {.cursor = {.name = name, .at = text, .end = text + bytes, .error = error},
                            .problem = problem,
                            .tour = tour};
    *notes = NULL;
    if (tsp_is_tsplib(text, bytes))
        return tsp_parse_tsplib_tour(text, bytes, name, problem, tour, tours, notes, error);
    *tours = 1;
    reader.seen = calloc(problem->n, 1);
    cursor_skip_mark(&reader.cursor);
    enum shoal_status status = reader.seen ? read_any(&reader) : fail_host_memory(error);
    if (!status)
        status = check_all(&reader);
    free(reader.seen);
    return status;
}

enum shoal_status tsp_read_tour(const struct tsp_problem *problem, const char *path, uint32_t *tour,
                                size_t *tours, char **notes, struct shoal_error *error)
{
    char *text;
    size_t bytes;
    bool is_converted;
    *notes = NULL;
    enum shoal_status status = read_input_unpacked(path, "tour", &text, &bytes, error);
    if (!status)
        status = input_to_utf8(&text, &bytes, &is_converted, error); /* ids of cities are stored in UTF-8 */
    if (status)
        return status;
    status = tsp_parse_tour(text, bytes, path, problem, tour, tours, notes, error);
    free(text);
    return status;
}
