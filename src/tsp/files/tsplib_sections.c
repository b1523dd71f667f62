/* Reads the sections of TSPLIB files: coordinates, weights, fixed edges, tours. */
#include "base/error.h"
#include "base/memory.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If a file declares more cities or rows than these numbers, the size of the file is checked before memory is
 * allocated. */
enum { MANY_CITIES = 65536, MANY_ROWS = 1024 };

/* Returns whether a line begins with a keyword of TSPLIB or with an unknown word of the same form: three or
 * more letters and underscores. */
static bool is_key(struct line line)
{
    struct word word = {line.begin, line.begin};
    while (word.end < line.end && (tsplib_is_letter(*word.end) || *word.end == '_'))
        word.end++;
    return word.end - word.begin >= 3 && !word_is_not_finite(word);
}

/* Reads the next line of the section, skipping blank lines and comments. Returns false if no line of the
 * section is left. */
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

/* Reads the next word of the section, from `line` or from a later line. Returns false if no word of the
 * section is left. */
static bool next_word(struct cursor *cursor, struct line *line, struct word *word)
{
    while (!line_word(line, word))
        if (!next_line(cursor, line)) {
            *line = (struct line){NULL, NULL};
            return false;
        }
    return true;
}

void tsplib_skip_section(struct cursor *cursor)
{
    struct line line;
    while (next_line(cursor, &line))
        continue;
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
            return cursor_fail(cursor, "city %llu has %u numbers, %u are needed", (unsigned long long)id, k,
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
    /* Each coordinate takes at least two bytes of the file, so DIMENSION of a small file cannot cause a large
     * allocation. */
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

/* Sets the range of columns that the file has for row i of the weights: first .. end - 1. Since the matrix is
 * symmetric, a form that goes by columns has the weights in the order of a form that goes by rows. */
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
                                     uint32_t to, double *weight)
{
    *weight = INFINITY;
    enum shoal_status status =
        word_is_infinite(word) ? SHOAL_OK : word_real(cursor, word, "a weight", weight);
    if (status || from == to) /* weights on the diagonal have no effect */
        return status;
    const bool is_whole = *weight == floor(*weight);
    if (*weight < 0 || (is_whole && isfinite(*weight) && *weight > INT32_MAX))
        return cursor_fail(
            cursor, "the weight from %lu to %lu is %s: numbers from 0 to %ld, and inf, are possible",
            (unsigned long)from + 1, (unsigned long)to + 1, word_show(word).text, (long)INT32_MAX);
    return SHOAL_OK;
}

/* Weights while they are read, to the matrix of the problem, or to `reals` if some weights are not
 * integers. */
struct weights {
    struct tsp_problem *problem;
    enum tsplib_form form;
    double *reals;    /* NULL: all weights read so far are integers */
    bool is_fraction; /* a weight is not an integer: all weights must be read once more, into `reals` */
    size_t count;
};

static void set_weight(struct weights *weights, uint32_t from, uint32_t to, double weight)
{
    const size_t place = (size_t)from * weights->problem->n + to;
    if (weights->reals)
        weights->reals[place] = weight;
    else
        weights->problem->matrix[place] = from == to         ? 0
                                          : isfinite(weight) ? (int32_t)weight
                                                             : SHOAL_TSP_FORBIDDEN;
}

static enum shoal_status read_weights(struct cursor *cursor, struct weights *weights)
{
    const uint32_t n = weights->problem->n;
    struct line line = {NULL, NULL};
    struct word word;
    enum shoal_status status = SHOAL_OK;
    weights->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first, end;
        span_of_row(weights->form, n, i, &first, &end);
        for (uint32_t j = first; j < end; j++, weights->count++) {
            double weight;
            if (!next_word(cursor, &line, &word))
                return cursor_fail(cursor,
                                   "the section ends behind %zu weights, that from %lu to %lu is missing",
                                   weights->count, (unsigned long)i + 1, (unsigned long)j + 1);
            status = read_weight(cursor, word, i, j, &weight);
            if (status)
                return status;
            weights->is_fraction = i != j && isfinite(weight) && weight != floor(weight);
            if (weights->is_fraction && !weights->reals)
                return SHOAL_OK;
            set_weight(weights, i, j, weight);
            if (weights->form != TSPLIB_FULL_MATRIX)
                set_weight(weights, j, i, weight);
        }
    }
    if (next_word(cursor, &line, &word))
        return cursor_fail(cursor, "'%s' behind all %zu weights that DIMENSION: %lu needs",
                           word_show(word).text, weights->count, (unsigned long)n);
    return SHOAL_OK;
}

/* Reads the weights as real numbers, and chooses a unit for rounding them. */
static enum shoal_status read_fractions(struct cursor *cursor, struct weights *weights)
{
    struct tsp_problem *problem = weights->problem;
    const size_t n = problem->n;
    free(problem->matrix);
    problem->matrix = NULL;
    enum shoal_status status = check_host_memory((double)n * (double)n * (sizeof(double) + sizeof(int32_t)),
                                                 "a matrix of fractions", "give points", cursor->error);
    if (status)
        return status;
    weights->reals = calloc(n * n, sizeof *weights->reals);
    status = weights->reals ? read_weights(cursor, weights) : fail_host_memory(cursor->error);
    if (!status)
        status = tsp_set_matrix(problem, weights->reals, cursor->name, cursor->error);
    if (!status)
        tsp_note(problem, "%s: weights are not whole, as TSPLIB has them: they are kept to %g", cursor->name,
                 problem->unit);
    free(weights->reals);
    return status;
}

/* Compares the distances of both directions. If a pair of distances differs, the problem is asymmetric, and
 * the call fails unless may_be_asymmetric is set (TYPE: ATSP). */
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
                                 "the weights from %zu to %zu and back are %.10g and %.10g: write TYPE: ATSP",
                                 i + 1, j + 1, tsp_in_unit(problem, matrix[i * n + j]),
                                 tsp_in_unit(problem, matrix[j * n + i]));
            }
    return SHOAL_OK;
}

enum shoal_status tsplib_read_matrix(struct cursor *cursor, struct tsp_problem *problem,
                                     enum tsplib_form form, bool may_be_asymmetric)
{
    const uint32_t n = problem->n;
    const double least = form == TSPLIB_FULL_MATRIX ? (double)n * n : (double)n * (n - 1) / 2;
    const struct cursor begin = *cursor;
    struct weights weights = {.problem = problem, .form = form};
    if (n > MANY_ROWS && 2 * least > (double)(cursor->end - cursor->at) + 1)
        return cursor_fail(cursor, "%.0f weights are needed, more than the rest of the file can hold", least);
    enum shoal_status status = tsp_allocate_matrix(problem, cursor->error);
    if (!status)
        status = read_weights(cursor, &weights);
    if (!status && weights.is_fraction) {
        *cursor = begin;
        status = read_fractions(cursor, &weights);
    }
    return status ? status : compare_halves(cursor, problem, may_be_asymmetric);
}

/* Edges and tours -------------------------------------------------------------------------------------- */

static bool ends_list(struct word word)
{
    return word_is(word, "-1");
}

/* Skips further lines with -1: TSPLIB ends the section with another -1 after that of the last list. */
static void skip_ends(struct cursor *cursor)
{
    struct cursor ahead = *cursor;
    struct line line;
    while (next_line(&ahead, &line) && ends_list((struct word){line.begin, line.end}))
        *cursor = ahead;
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
        if (ends_list(word)) {
            skip_ends(cursor);
            return SHOAL_OK;
        }
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
    return cursor_fail(cursor,
                       "the file ends within FIXED_EDGES_SECTION: -1 is expected behind the last edge");
}

/* Reads one tour of n cities, up to -1. Returns false if the section has no further tour. */
static bool read_tour(struct cursor *cursor, struct line *line, uint32_t n, uint32_t *tour,
                      unsigned char *seen, enum shoal_status *status)
{
    struct word word;
    uint32_t count = 0, missing = 0;
    bool has_more = next_word(cursor, line, &word);
    while (has_more && ends_list(word))
        has_more = next_word(cursor, line, &word);
    if (!has_more)
        return false;
    memset(seen, 0, n);
    for (; has_more && !ends_list(word); has_more = next_word(cursor, line, &word)) {
        uint32_t city = 0;
        *status = read_city(cursor, word, n, &city);
        if (!*status && seen[city])
            *status = cursor_fail(cursor, "city %lu is in the tour twice", (unsigned long)city + 1);
        if (*status)
            return true;
        seen[city] = 1;
        tour[count++] = city;
    }
    while (missing < n && seen[missing])
        missing++;
    if (missing < n)
        *status = cursor_fail(cursor, "the tour ends behind %lu of %lu cities, %lu is missing",
                              (unsigned long)count, (unsigned long)n, (unsigned long)missing + 1);
    return true;
}

enum shoal_status tsplib_read_tours(struct cursor *cursor, uint32_t n, uint32_t *tour, size_t *tours)
{
    struct line line = {NULL, NULL};
    unsigned char *seen = malloc(n);
    uint32_t *further = malloc(n * sizeof *further);
    enum shoal_status status = seen && further ? SHOAL_OK : fail_host_memory(cursor->error);
    while (!status && read_tour(cursor, &line, n, *tours ? further : tour, seen, &status))
        ++*tours;
    if (!status && !*tours)
        status = cursor_fail(cursor, "the tour ends behind 0 of %lu cities, 1 is missing", (unsigned long)n);
    free(seen);
    free(further);
    return status;
}
