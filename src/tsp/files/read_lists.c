/* Reads candidate lists from files, in the format of LKH or in a format with a row for each city: the city's
 * id and the ids of its candidates. */
#include "base/error.h"
#include "base/input.h"
#include "io/csv/fields.h"
#include "tsp/files/files.h"
#include "tsp/model/neighbours.h"

#include <stdlib.h>

/* Candidate lists while a file is read. Each list has memory for TSP_MOST_NEIGHBOURS cities. */
struct reader {
    struct cursor cursor;
    const struct tsp_problem *problem;
    /* [cities]: number of candidates of each city; SHOAL_TSP_NONE: the file has had no list for the city so
     * far */
    uint32_t *counts;
    size_t *begins; /* [cities]: index in `cities` of the first candidate of each city */
    uint32_t *cities;
    size_t used, room;
};

static const char *shown_city(const struct reader *reader, uint32_t city, char text[64])
{
    tsp_id(reader->problem, city, text, 64);
    return text;
}

static enum shoal_status begin_list(struct reader *reader, uint32_t city)
{
    char text[64];
    if (reader->counts[city] != SHOAL_TSP_NONE)
        return cursor_fail(&reader->cursor, "city '%s' has a list already", shown_city(reader, city, text));
    reader->counts[city] = 0;
    reader->begins[city] = reader->used;
    return SHOAL_OK;
}

static enum shoal_status add_candidate(struct reader *reader, uint32_t city, uint32_t candidate)
{
    char text[64];
    if (candidate == city)
        return cursor_fail(&reader->cursor, "city '%s' is a candidate of itself",
                           shown_city(reader, city, text));
    if (reader->counts[city] == TSP_MOST_NEIGHBOURS)
        return cursor_fail(&reader->cursor, "city '%s' has more than %d candidates",
                           shown_city(reader, city, text), TSP_MOST_NEIGHBOURS);
    if (reader->used == reader->room) {
        const size_t room = reader->room ? 2 * reader->room : 1024;
        uint32_t *more = realloc(reader->cities, room * sizeof *more);
        if (!more)
            return fail_host_memory(reader->cursor.error);
        reader->cities = more;
        reader->room = room;
    }
    reader->cities[reader->used++] = candidate;
    reader->counts[city]++;
    return SHOAL_OK;
}

/* Format of LKH: the number of cities, then a row for each city: its number, the number of its father in the
 * minimum 1-tree (0: it has none), the number of candidates and, for each candidate, its number and alpha
 * value. -1 and EOF end the file (K. Helsgaun, LKH User Guide). -------------------------------------- */

/* Reads the next number of a row. Fails if it is not in the range `least` to `most`. `what` names the number
 * in messages. */
static enum shoal_status next_number(const struct reader *reader, struct line *row, const char *what,
                                     uint64_t least, uint64_t most, uint64_t *number)
{
    struct word word;
    if (!line_word(row, &word))
        return cursor_fail(&reader->cursor, "%s is missing", what);
    const enum shoal_status status = word_count(&reader->cursor, word, what, number);
    if (!status && (*number < least || *number > most))
        return cursor_fail(&reader->cursor, "%s is %llu: %llu to %llu are possible", what,
                           (unsigned long long)*number, (unsigned long long)least, (unsigned long long)most);
    return status;
}

static enum shoal_status read_lkh_row(struct reader *reader, struct line row)
{
    static const char candidate[] = "the number of a candidate";
    const uint64_t n = reader->problem->n;
    uint64_t city = 0, number = 0, count = 0;
    struct word alpha;
    enum shoal_status status = next_number(reader, &row, "the number of a city", 1, n, &city);
    if (!status)
        status = next_number(reader, &row, "the number of a father", 0, n, &number);
    if (!status)
        status = next_number(reader, &row, "the number of candidates", 0, TSP_MOST_NEIGHBOURS, &count);
    if (!status)
        status = begin_list(reader, (uint32_t)city - 1);
    for (uint64_t k = 0; k < count && !status; k++) {
        status = next_number(reader, &row, candidate, 1, n, &number);
        if (!status && !line_word(&row, &alpha))
            status = cursor_fail(&reader->cursor, "the alpha value of candidate %llu is missing",
                                 (unsigned long long)number);
        if (!status)
            status = add_candidate(reader, (uint32_t)city - 1, (uint32_t)number - 1);
    }
    return status;
}

static enum shoal_status read_lkh(struct reader *reader)
{
    struct line line;
    struct word word;
    uint64_t n = 0;
    cursor_next_row(&reader->cursor, ' ', &line);
    line_word(&line, &word);
    enum shoal_status status = word_count(&reader->cursor, word, "the number of cities", &n);
    if (!status && n != reader->problem->n)
        status = cursor_fail(&reader->cursor, "the lists are of %llu cities, %s has %lu",
                             (unsigned long long)n, reader->problem->name, (unsigned long)reader->problem->n);
    while (!status && cursor_next_row(&reader->cursor, ' ', &line)) {
        struct line rest = line;
        if (line_word(&rest, &word) && (word_is(word, "-1") || word_is(word, "EOF")))
            break;
        status = read_lkh_row(reader, line);
    }
    return status;
}

/* Format with a row for each city: its id, and the ids of its candidates. ------------------------------- */

static enum shoal_status read_row(struct reader *reader, struct line row, char separator,
                                  struct text *scratch)
{
    struct word field;
    uint32_t city = SHOAL_TSP_NONE;
    enum shoal_status status = SHOAL_OK;
    while (!status && line_field(&row, separator, &field)) {
        const struct word id = field_unquote(field, scratch);
        if (id.begin == id.end)
            /* The rows of a CSV table have equal numbers of fields, so a shorter list ends with empty
             * fields. */
            continue;
        const uint32_t found = tsp_find_city(reader->problem, id);
        if (found == SHOAL_TSP_NONE)
            return cursor_fail(&reader->cursor, "'%s' is no city of %s", word_show(id).text,
                               reader->problem->name);
        status = city == SHOAL_TSP_NONE ? begin_list(reader, found) : add_candidate(reader, city, found);
        city = city == SHOAL_TSP_NONE ? found : city;
    }
    return status;
}

static enum shoal_status read_rows(struct reader *reader, char separator)
{
    struct text scratch = {0};
    struct line line;
    enum shoal_status status = SHOAL_OK;
    while (!status && cursor_next_row(&reader->cursor, separator, &line))
        status = read_row(reader, line, separator, &scratch);
    if (scratch.failed)
        status = fail_host_memory(reader->cursor.error);
    text_free(&scratch);
    return status;
}

/* The file. -------------------------------------------------------------------------------------------- */

/* Returns whether a line consists of a single integer, like the first line of a file of LKH. */
static bool is_number_alone(struct line line)
{
    struct word word, more;
    if (!line_word(&line, &word) || line_word(&line, &more))
        return false;
    while (word.begin < word.end && *word.begin >= '0' && *word.begin <= '9')
        word.begin++;
    return word.begin == word.end;
}

static enum shoal_status read_any(struct reader *reader)
{
    struct cursor ahead = reader->cursor;
    struct line line;
    if (!cursor_next_row(&ahead, ' ', &line))
        return fail(reader->cursor.error, SHOAL_IO, "%s: holds no candidate list", reader->cursor.name);
    return is_number_alone(line) ? read_lkh(reader) : read_rows(reader, line_separator(line));
}

/* Copies the lists to *lists, padded to the length *width of the longest list. Fails if a city has no list;
 * an empty list is allowed. */
static enum shoal_status lay_out(const struct reader *reader, uint32_t **lists, uint32_t *width)
{
    const size_t n = reader->problem->n;
    char text[64];
    *width = 1;
    for (uint32_t city = 0; city < n; city++) {
        if (reader->counts[city] == SHOAL_TSP_NONE)
            return fail(reader->cursor.error, SHOAL_IO, "%s: city '%s' has no list", reader->cursor.name,
                        shown_city(reader, city, text));
        *width = reader->counts[city] > *width ? reader->counts[city] : *width;
    }
    *lists = malloc(n * *width * sizeof **lists);
    if (!*lists)
        return fail_host_memory(reader->cursor.error);
    for (size_t city = 0; city < n; city++)
        for (size_t k = 0; k < *width; k++)
            (*lists)[city * *width + k] =
                k < reader->counts[city] ? reader->cities[reader->begins[city] + k] : SHOAL_TSP_NONE;
    return SHOAL_OK;
}

enum shoal_status tsp_parse_lists(const char *text, size_t bytes, const char *name,
                                  const struct tsp_problem *problem, uint32_t **lists, uint32_t *width,
                                  struct shoal_error *error)
{
    const size_t n = problem->n;
    struct reader reader = {.cursor = {.name = name, .at = text, .end = text + bytes, .error = error},
                            .problem = problem,
                            .counts = malloc(n * sizeof *reader.counts),
                            .begins = malloc(n * sizeof *reader.begins)};
    enum shoal_status status = reader.counts && reader.begins ? SHOAL_OK : fail_host_memory(error);
    for (size_t city = 0; city < n && !status; city++)
        reader.counts[city] = SHOAL_TSP_NONE;
    cursor_skip_mark(&reader.cursor);
    if (!status)
        status = read_any(&reader);
    if (!status)
        status = lay_out(&reader, lists, width);
    free(reader.counts);
    free(reader.begins);
    free(reader.cities);
    return status;
}

enum shoal_status tsp_read_lists(const struct tsp_problem *problem, const char *path, uint32_t **lists,
                                 uint32_t *width, struct shoal_error *error)
{
    char *text;
    size_t bytes;
    bool is_converted;
    enum shoal_status status = read_input(path, "candidate lists", INPUT_DATA_MOST, &text, &bytes, error);
    if (!status)
        status = input_to_utf8(&text, &bytes, &is_converted, error); /* ids of cities are stored in UTF-8 */
    if (status)
        return status;
    status = tsp_parse_lists(text, bytes, path, problem, lists, width, error);
    free(text);
    return status;
}
