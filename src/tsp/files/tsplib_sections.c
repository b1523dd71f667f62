/* The sections of TSPLIB files: places, weights, fixed edges, tours. */
#include "base/error.h"
#include "base/memory.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From here on a file must have the size for what it announces, before memory is asked for. */
enum { MANY_CITIES = 65536, MANY_ROWS = 1024 };

/* A key of TSPLIB, or what is meant as one: capitals and underscores. */
static bool is_key(struct line line)
{
    struct word word = {line.begin, line.begin};
    while (word.end < line.end && ((*word.end >= 'A' && *word.end <= 'Z') || *word.end == '_'))
        word.end++;
    return word.end - word.begin >= 3 && !word_is_infinite(word) && !word_is(word, "NAN");
}

/* The next line of the section, blank ones and comments left out; false: it ends before this line. */
static bool next_line(struct cursor *cursor, struct line *line)
{
    struct cursor ahead = *cursor;
    while (cursor_next(&ahead, line)) {
        if (is_key(*line))
            return false;
        *cursor = ahead;
        if (line->begin < line->end && *line->begin != '#')
            return true;
    }
    return false;
}

/* The next word of the section, on whatever line. */
static bool next_word(struct cursor *cursor, struct line *line, struct word *word)
{
    while (!line_word(line, word))
        if (!next_line(cursor, line))
            return false;
    return true;
}

/* Places ----------------------------------------------------------------------------------------------- */

static enum shoal_status too_few_places(const struct cursor *cursor, uint32_t given, uint32_t n,
                                        const double *places, unsigned dim)
{
    uint32_t missing = 0;
    while (missing < n && !isnan(places[(size_t)dim * missing]))
        missing++;
    return cursor_fail(cursor, "the section ends behind %lu of %lu cities, %lu is missing",
                       (unsigned long)given, (unsigned long)n, (unsigned long)missing + 1);
}

static enum shoal_status read_place(const struct cursor *cursor, struct line line, uint32_t n, unsigned dim,
                                    double *places, double **place)
{
    static const char *const names[] = {"x", "y", "z"};
    struct word word;
    uint64_t id;
    line_word(&line, &word);
    enum shoal_status status = word_count(cursor, word, "the number of a city", &id);
    if (status)
        return status;
    if (id < 1 || id > n)
        return cursor_fail(cursor, "the number of a city is %llu: DIMENSION allows 1 to %lu",
                           (unsigned long long)id, (unsigned long)n);
    *place = places + (size_t)dim * (id - 1);
    if (!isnan(**place))
        return cursor_fail(cursor, "city %llu is given twice", (unsigned long long)id);
    for (unsigned k = 0; k < dim; k++) {
        if (!line_word(&line, &word))
            return cursor_fail(cursor, "city %llu has %u numbers, %u are due", (unsigned long long)id, k,
                               dim);
        status = word_real(cursor, word, names[k], *place + k);
        if (status)
            return status;
    }
    if (line_word(&line, &word))
        return cursor_fail(cursor, "'%s' behind the %u numbers of city %llu", word_show(word).text, dim,
                           (unsigned long long)id);
    return SHOAL_OK;
}

enum shoal_status tsplib_read_places(struct cursor *cursor, const struct tsp_problem *problem, unsigned dim,
                                     bool is_checked, double **places)
{
    const uint32_t n = problem->n;
    const size_t count = (size_t)n * dim;
    struct line line;
    /* A number takes two bytes at least: a small file does not ask for much room. */
    if (n > MANY_CITIES && count + n > (size_t)(cursor->end - cursor->at) / 2 + 1)
        return cursor_fail(cursor, "DIMENSION is %lu, more cities than the rest of the file can hold",
                           (unsigned long)n);
    *places = malloc(count * sizeof **places);
    if (!*places)
        return fail_host_memory(cursor->error);
    for (size_t i = 0; i < count; i++)
        (*places)[i] = NAN;
    for (uint32_t i = 0; i < n; i++) {
        double *place = NULL;
        if (!next_line(cursor, &line))
            return too_few_places(cursor, i, n, *places, dim);
        enum shoal_status status = read_place(cursor, line, n, dim, *places, &place);
        const char *fault = status || !is_checked ? NULL : tsp_place_fault(problem->metric, dim, place);
        if (fault)
            status = cursor_fail(cursor, "%s", fault);
        if (status)
            return status;
    }
    if (next_line(cursor, &line))
        return cursor_fail(cursor, "the section has more than the %lu cities of DIMENSION", (unsigned long)n);
    return SHOAL_OK;
}

/* Weights ---------------------------------------------------------------------------------------------- */

/* The order of the weights in the file: row i has columns first .. end - 1. By symmetry a column form is a
 * row form. */
static void span_of_row(enum tsplib_form form, uint32_t n, uint32_t i, uint32_t *first, uint32_t *end)
{
    switch (form) {
    case TSPLIB_UPPER_ROW:
    case TSPLIB_LOWER_COL:
        *first = i + 1, *end = n;
        break;
    case TSPLIB_LOWER_ROW:
    case TSPLIB_UPPER_COL:
        *first = 0, *end = i;
        break;
    case TSPLIB_UPPER_DIAG_ROW:
    case TSPLIB_LOWER_DIAG_COL:
        *first = i, *end = n;
        break;
    case TSPLIB_LOWER_DIAG_ROW:
    case TSPLIB_UPPER_DIAG_COL:
        *first = 0, *end = i + 1;
        break;
    default:
        *first = 0, *end = n;
        break;
    }
}

static enum shoal_status read_weight(const struct cursor *cursor, struct word word, uint32_t from,
                                     uint32_t to, int32_t *weight)
{
    double value = 0;
    *weight = 0;
    if (word_is_infinite(word)) {
        *weight = from == to ? 0 : SHOAL_TSP_FORBIDDEN;
        return SHOAL_OK;
    }
    enum shoal_status status = word_real(cursor, word, "a weight", &value);
    if (status || from == to) /* of the diagonal nothing is used */
        return status;
    if (!(value >= 0 && value <= INT32_MAX && value == floor(value)))
        return cursor_fail(
            cursor, "the weight from %lu to %lu is %s: whole numbers from 0 to %ld, and inf, are possible",
            (unsigned long)from + 1, (unsigned long)to + 1, word_show(word).text, (long)INT32_MAX);
    *weight = (int32_t)value;
    return SHOAL_OK;
}

/* TYPE: TSP means the same both ways. */
static enum shoal_status compare_halves(const struct cursor *cursor, struct tsp_problem *problem,
                                        bool may_be_asymmetric)
{
    const size_t n = problem->n;
    const int32_t *matrix = problem->matrix;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (matrix[i * n + j] != matrix[j * n + i]) {
                problem->is_asymmetric = true;
                return may_be_asymmetric
                           ? SHOAL_OK
                           : cursor_fail(
                                 cursor,
                                 "the weights from %zu to %zu and back are %ld and %ld: write TYPE: ATSP",
                                 i + 1, j + 1, (long)matrix[i * n + j], (long)matrix[j * n + i]);
            }
    return SHOAL_OK;
}

enum shoal_status tsplib_read_matrix(struct cursor *cursor, struct tsp_problem *problem,
                                     enum tsplib_form form, bool may_be_asymmetric)
{
    const uint32_t n = problem->n;
    const bool is_full = form == TSPLIB_FULL_MATRIX;
    const double least = is_full ? (double)n * n : (double)n * (n - 1) / 2;
    struct line line = {NULL, NULL};
    struct word word;
    if (n > MANY_ROWS && 2 * least > (double)(cursor->end - cursor->at) + 1)
        return cursor_fail(cursor, "%.0f weights are due, more than the rest of the file can hold", least);
    enum shoal_status status = tsp_allocate_matrix(problem, cursor->error);
    size_t count = 0;
    for (uint32_t i = 0; i < n && !status; i++) {
        uint32_t first, end;
        span_of_row(form, n, i, &first, &end);
        for (uint32_t j = first; j < end && !status; j++, count++) {
            int32_t *weight = &problem->matrix[(size_t)i * n + j];
            if (!next_word(cursor, &line, &word))
                return cursor_fail(cursor,
                                   "the section ends behind %zu weights, that from %lu to %lu is missing",
                                   count, (unsigned long)i + 1, (unsigned long)j + 1);
            status = read_weight(cursor, word, i, j, weight);
            if (!is_full)
                problem->matrix[(size_t)j * n + i] = *weight;
        }
    }
    if (!status && next_word(cursor, &line, &word))
        return cursor_fail(cursor, "'%s' behind all %zu weights that DIMENSION: %lu needs",
                           word_show(word).text, count, (unsigned long)n);
    return status ? status : compare_halves(cursor, problem, may_be_asymmetric);
}

/* Edges and tours -------------------------------------------------------------------------------------- */

static bool ends_list(struct word word)
{
    return word_is(word, "-1");
}

static enum shoal_status read_city(const struct cursor *cursor, struct word word, uint32_t n, uint32_t *city)
{
    uint64_t number;
    enum shoal_status status = word_count(cursor, word, "the number of a city", &number);
    if (!status && (number < 1 || number > n))
        return cursor_fail(cursor, "the number of a city is %llu: 1 to %lu are possible",
                           (unsigned long long)number, (unsigned long)n);
    *city = (uint32_t)number - 1;
    return status;
}

enum shoal_status tsplib_read_fixed(struct cursor *cursor, struct tsp_problem *problem)
{
    struct line line = {NULL, NULL};
    struct word word;
    size_t room = 0;
    while (next_word(cursor, &line, &word)) {
        uint32_t ends[2] = {0, 0};
        if (ends_list(word))
            return SHOAL_OK;
        enum shoal_status status = read_city(cursor, word, problem->n, &ends[0]);
        if (!status && (!next_word(cursor, &line, &word) || ends_list(word)))
            return cursor_fail(cursor, "a fixed edge from %lu has no other end", (unsigned long)ends[0] + 1);
        if (!status)
            status = read_city(cursor, word, problem->n, &ends[1]);
        if (!status && ends[0] == ends[1])
            return cursor_fail(cursor, "a fixed edge joins city %lu to itself", (unsigned long)ends[0] + 1);
        if (status)
            return status;
        if (problem->fixed_count == room) {
            room = room ? 2 * room : 64;
            void *more = realloc(problem->fixed, room * sizeof *problem->fixed);
            if (!more)
                return fail_host_memory(cursor->error);
            problem->fixed = more;
        }
        memcpy(problem->fixed[problem->fixed_count++], ends, sizeof ends);
    }
    return cursor_fail(cursor, "the file ends within FIXED_EDGES_SECTION: -1 is due behind the last edge");
}

enum shoal_status tsplib_read_tour(struct cursor *cursor, uint32_t n, uint32_t *tour)
{
    struct line line = {NULL, NULL};
    struct word word;
    uint32_t count = 0;
    unsigned char *seen = calloc(n, 1);
    enum shoal_status status = seen ? SHOAL_OK : fail_host_memory(cursor->error);
    while (!status && next_word(cursor, &line, &word) && !ends_list(word)) {
        uint32_t city = 0;
        status = read_city(cursor, word, n, &city);
        if (!status && seen[city])
            status = cursor_fail(cursor, "city %lu is in the tour twice", (unsigned long)city + 1);
        if (status)
            break;
        seen[city] = 1;
        tour[count++] = city;
    }
    uint32_t missing = 0;
    while (!status && missing < n && seen[missing])
        missing++;
    if (!status && missing < n)
        status = cursor_fail(cursor, "the tour ends behind %lu of %lu cities, %lu is missing",
                             (unsigned long)count, (unsigned long)n, (unsigned long)missing + 1);
    free(seen);
    return status;
}
