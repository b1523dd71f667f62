/* Reads points and matrices from CSV, with or without names of columns in the first line. */
#include "base/counted.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "io/csv/notation.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"
#include "tsp/model/ids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum role { ROLE_X, ROLE_Y, ROLE_Z, ROLE_ID, ROLE_OTHER };
static const char *const role_names[] = {"x", "y", "z", "id", ""};

struct csv {
    struct cursor cursor, begin; /* cursor: position while rows are read; begin: position of the first row */
    struct csv_head head;
    struct csv_style style;
    size_t rows, columns;
    /* number of columns before the coordinates or distances: a column with an index, or with ids of cities */
    size_t skipped;
    bool has_header;  /* the first line has names that tell the meaning of the columns */
    bool is_named;    /* matrix: the first line has the ids of the cities */
    bool is_labelled; /* matrix: the first column has the ids of the cities */
    bool has_degrees;
    unsigned char *roles; /* [columns]: enum role */
    unsigned dim;
    uint64_t first_id; /* id of the first city, if the ids are successive numbers that begin with 0 or 1 */
    struct text scratch;
    struct csv_memory memory;
    struct csv_text text;
    struct csv_notations notations;
    struct tsp_problem *problem;
};

/* Names of columns ------------------------------------------------------------------------------------- */

static bool is_one_of(struct word field, const char *const *names)
{
    for (; *names; names++)
        if (strlen(*names) == (size_t)(field.end - field.begin) &&
            strncasecmp(field.begin, *names, strlen(*names)) == 0)
            return true;
    return false;
}

static const char *const latitudes[] = {"lat", "latitude", NULL};
static const char *const longitudes[] = {"lon", "lng", "long", "longitude", NULL};
static const char *const axes[][2] = {{"x", NULL}, {"y", NULL}, {"z", NULL}};

/* Returns whether a name in the first line is a name of a column of coordinates. */
static bool names_places(const struct csv *csv)
{
    for (size_t c = 0; c < csv->columns; c++) {
        const char *text = csv->head.names[c];
        const struct word name = {text, text + strlen(text)};
        if (is_one_of(name, axes[0]) || is_one_of(name, axes[1]) || is_one_of(name, latitudes) ||
            is_one_of(name, longitudes))
            return true;
    }
    return false;
}

static enum shoal_status read_header(struct csv *csv)
{
    static const char *const ids[] = {"id", NULL}, *const cities[] = {"name", "city", NULL};
    const struct cursor *cursor = &csv->cursor;
    bool has[ROLE_OTHER + 1] = {false}, has_axis = false;
    size_t name_column = csv->columns;
    for (size_t c = 0; c < csv->columns; c++) {
        const char *text = csv->head.names[c];
        const struct word name = {text, text + strlen(text)};
        unsigned role = ROLE_OTHER;
        const bool is_degree = is_one_of(name, latitudes) || is_one_of(name, longitudes);
        for (unsigned k = 0; k < 3; k++)
            role = is_one_of(name, axes[k]) ? ROLE_X + k : role;
        has_axis |= role <= ROLE_Z;
        csv->has_degrees |= is_degree;
        if (is_degree)
            role = is_one_of(name, latitudes) ? ROLE_X : ROLE_Y;
        if (is_one_of(name, ids))
            role = ROLE_ID;
        if (is_one_of(name, cities) && name_column == csv->columns)
            name_column = c;
        if (has_axis && csv->has_degrees)
            return cursor_fail(cursor, "the header names both x, y and lat, lon: leave one pair out");
        if (role != ROLE_OTHER && has[role])
            return cursor_fail(cursor, "column %zu, '%s', is there twice", c + 1, word_show(name).text);
        has[role] = true;
        csv->roles[c] = (unsigned char)role;
    }
    if (!has[ROLE_ID] && name_column < csv->columns)
        csv->roles[name_column] = ROLE_ID;
    if (!has[ROLE_X] || !has[ROLE_Y])
        return cursor_fail(cursor, "the header names no columns x and y, nor lat and lon");
    csv->dim = has[ROLE_Z] ? 3 : 2;
    return SHOAL_OK;
}

/* Points ----------------------------------------------------------------------------------------------- */

static enum shoal_status add_id(struct csv *csv, struct word field)
{
    const struct word name = field_unquote(field, &csv->scratch);
    const size_t length = (size_t)(name.end - name.begin);
    if (length == 0)
        return cursor_fail(&csv->cursor, "a city has no id");
    if (length > TSP_ID_MOST)
        return cursor_fail(&csv->cursor, "an id has %zu bytes, at most %d are possible", length, TSP_ID_MOST);
    if (!tsp_ids_add(csv->problem->ids, name.begin, length) || csv->scratch.failed)
        return fail_host_memory(csv->cursor.error);
    return SHOAL_OK;
}

static enum shoal_status read_point(struct csv *csv, struct line line, double *place)
{
    const struct cursor *cursor = &csv->cursor;
    struct word field;
    size_t c = 0;
    for (; c < csv->columns && line_field(&line, csv->style.separator, &field); c++) {
        const unsigned role = csv->roles[c];
        enum shoal_status status = SHOAL_OK;
        if (role <= ROLE_Z)
            status = csv_field_real(cursor, &csv->notations, c, field,
                                    csv->has_degrees ? role ? "lon" : "lat" : role_names[role], place + role);
        else if (role == ROLE_ID)
            status = add_id(csv, field);
        if (status)
            return status;
    }
    c += line_filled_count(line, csv->style.separator);
    if (c != csv->columns)
        return cursor_fail(cursor, "has %s, the first line has %zu", counted(c, "column").s, csv->columns);
    const char *fault = tsp_place_fault(csv->problem->metric, csv->dim, place);
    return fault ? cursor_fail(cursor, "%s", fault) : SHOAL_OK;
}

static enum shoal_status choose_metric(const struct csv *csv)
{
    struct tsp_problem *problem = csv->problem;
    const enum shoal_tsp_metric asked = (enum shoal_tsp_metric)problem->params->metric;
    const bool is_globe = tsp_is_globe(asked);
    problem->dim = csv->dim;
    problem->metric = asked != SHOAL_TSP_AUTO ? asked
                      : csv->has_degrees      ? SHOAL_TSP_HAVERSINE
                                              : SHOAL_TSP_EUCLID;
    if (csv->has_header && is_globe && !csv->has_degrees)
        return fail(csv->cursor.error, SHOAL_INVALID, "%s has columns x and y, --metric %s takes lat and lon",
                    csv->cursor.name, tsp_metric_name(asked));
    return tsp_check_metric(problem->params, csv->dim == 3 ? SHOAL_TSP_EUC_3D : SHOAL_TSP_EUC_2D,
                            csv->cursor.name, csv->cursor.error);
}

/* Fails if two cities have the same id. If the ids are 1 .. n in this order, frees them, since these are the
 * default ids. */
static enum shoal_status close_ids(struct csv *csv)
{
    struct tsp_problem *problem = csv->problem;
    uint32_t same[2];
    if (!tsp_ids_close(problem->ids, same))
        return fail_host_memory(csv->cursor.error);
    if (same[1] != SHOAL_TSP_NONE) {
        size_t length = 0;
        const char *id = tsp_ids_name(problem->ids, same[1], &length);
        struct cursor cursor = csv->begin;
        struct line line;
        for (size_t row = 0; row <= (size_t)same[1]; row++)
            cursor_next_row(&cursor, ' ', &line);
        return cursor_fail(&cursor,
                           "the id '%s' belongs to city %lu already: each city needs an id of its own",
                           word_show((struct word){id, id + length}).text, (unsigned long)same[0] + 1);
    }
    if (tsp_ids_are_numbers(problem->ids)) {
        tsp_ids_free(problem->ids);
        problem->ids = NULL;
    }
    return SHOAL_OK;
}

static enum shoal_status read_points(struct csv *csv)
{
    struct tsp_problem *problem = csv->problem;
    struct line line;
    bool has_ids = false;
    enum shoal_status status = choose_metric(csv);
    if (status)
        return status;
    for (size_t c = 0; c < csv->columns; c++)
        has_ids |= csv->roles[c] == ROLE_ID;
    problem->places = malloc(csv->rows * csv->dim * sizeof *problem->places);
    problem->owns_places = true;
    problem->ids = has_ids ? tsp_ids_new() : NULL;
    if (!problem->places || (has_ids && !problem->ids))
        return fail_host_memory(csv->cursor.error);
    for (size_t row = 0; row < csv->rows && !status; row++) {
        cursor_next_row(&csv->cursor, ' ', &line);
        status = read_point(csv, line, problem->places + row * csv->dim);
    }
    return status || !has_ids ? status : close_ids(csv);
}

/* Matrices --------------------------------------------------------------------------------------------- */

/* Reads the id of a city from the first field of the city's row. If the columns also have ids, the id must be
 * equal to the id of the city's column. */
static enum shoal_status read_label(struct csv *csv, struct word field, size_t row)
{
    const char *name = csv->is_named ? csv->head.names[row + csv->skipped] : NULL;
    if (name && !word_is(field_unquote(field, &csv->scratch), name))
        return cursor_fail(&csv->cursor,
                           "row %zu of the matrix is of '%s', its column %zu of '%.40s': both have the same "
                           "cities in the same order",
                           row + 1, word_show(field).text, row + 1, name);
    return add_id(csv, field);
}

/* Returns whether a field of the diagonal counts as empty: it has no text, or "-", or a number that is not
 * finite. */
static bool is_nothing(struct word field)
{
    return field.begin == field.end || word_is(field, "-") || word_is_not_finite(field_inside(field));
}

static enum shoal_status read_distances(struct csv *csv, struct line line, size_t row, double *distances)
{
    const struct cursor *cursor = &csv->cursor;
    const size_t n = csv->columns - csv->skipped;
    struct word field;
    size_t c = 0;
    for (; c < csv->skipped; c++) {
        const bool is_label = line_field(&line, csv->style.separator, &field) && csv->is_labelled && !c;
        enum shoal_status status = is_label ? read_label(csv, field, row) : SHOAL_OK;
        if (status)
            return status;
    }
    for (; c < csv->columns && line_field(&line, csv->style.separator, &field); c++) {
        const size_t to = c - csv->skipped;
        double *distance = &distances[row * n + to];
        enum shoal_status status = SHOAL_OK;
        *distance = INFINITY;
        if (to == row && is_nothing(field))
            *distance = 0;
        else if (!word_is_infinite(field))
            status = csv_field_real(cursor, &csv->notations, c, field, "a distance", distance);
        if (!status && *distance < 0 && to != row)
            status = cursor_fail(cursor, "the distance from %zu to %zu is %s, below 0", row + 1, to + 1,
                                 word_show(field).text);
        if (status)
            return status;
    }
    c += line_filled_count(line, csv->style.separator);
    if (c != csv->columns)
        return cursor_fail(cursor, "has %s, the first line has %zu", counted(c, "column").s, csv->columns);
    return SHOAL_OK;
}

/* If the first line has the ids of the cities and the rows have none, takes the ids from the first line. */
static enum shoal_status begin_names(struct csv *csv)
{
    enum shoal_status status = SHOAL_OK;
    if (!csv->is_named && !csv->is_labelled)
        return SHOAL_OK;
    csv->problem->ids = tsp_ids_new();
    if (!csv->problem->ids)
        return fail_host_memory(csv->cursor.error);
    for (size_t c = csv->skipped; c < csv->columns && !csv->is_labelled && !status; c++) {
        const char *name = csv->head.names[c];
        status = add_id(csv, (struct word){name, name + strlen(name)});
    }
    return status;
}

static enum shoal_status read_matrix(struct csv *csv)
{
    const size_t n = csv->columns - csv->skipped;
    struct line line;
    if (csv->rows != n)
        return cursor_fail(&csv->cursor,
                           "%s and %s: points have 2 or 3 columns or a header, a matrix is square",
                           counted(n, "column").s, counted(csv->rows, "row").s);
    enum shoal_status status = check_host_memory((double)n * (double)n * (sizeof(double) + sizeof(int32_t)),
                                                 "a matrix of distances", "give points", csv->cursor.error);
    double *distances = status ? NULL : malloc(n * n * sizeof *distances);
    if (!status && !distances)
        status = fail_host_memory(csv->cursor.error);
    if (!status)
        status = begin_names(csv);
    for (size_t row = 0; row < n && !status; row++) {
        cursor_next_row(&csv->cursor, ' ', &line);
        status = read_distances(csv, line, row, distances);
    }
    if (!status)
        status = tsp_set_matrix(csv->problem, distances, csv->cursor.name, csv->cursor.error);
    free(distances);
    return status || !csv->problem->ids ? status : close_ids(csv);
}

/* Matrices with names of cities ------------------------------------------------------------------------ */

/* Returns whether `field` is element `place` of a sequence 0, 1, 2 ... or 1, 2, 3 ... *first: element 0 of
 * the sequence, which the call for place 0 sets. */
static bool counts_on(struct word field, size_t place, uint64_t *first)
{
    struct shoal_error ignored;
    const struct cursor nowhere = {.name = "", .error = &ignored};
    uint64_t number;
    if (word_count(&nowhere, field_inside(field), "", &number))
        return false;
    *first = place ? *first : number;
    return *first <= 1 && number == *first + place;
}

/* Returns whether there are at least two rows from `cursor` on, and their first fields are successive numbers
 * that begin with 0 or 1. */
static bool counts_down(const struct csv *csv, struct cursor cursor, uint64_t *first)
{
    struct line line;
    struct word field;
    size_t row = 0;
    for (; cursor_next_row(&cursor, csv->style.separator, &line); row++)
        if (!line_field(&line, csv->style.separator, &field) || !counts_on(field, row, first))
            return false;
    return row > 1;
}

static bool is_same(struct word a, struct word b)
{
    const size_t length = (size_t)(a.end - a.begin);
    return length == (size_t)(b.end - b.begin) && memcmp(a.begin, b.begin, length) == 0;
}

/* Returns whether the first row and the first column of the table are ids of cities: the first row has an
 * empty field and then numbers, and the other rows begin with the same numbers. A symmetric matrix with an
 * empty diagonal also has this form. The table is taken for such a matrix unless the second row has a number
 * in the diagonal of the distances, or the numbers are successive. In the second case only, a note tells that
 * the numbers are taken for ids. */
static bool is_framed(struct csv *csv)
{
    const char separator = csv->style.separator;
    struct cursor ahead = csv->begin;
    struct line first, line;
    struct word across, down;
    uint64_t number = 0;
    bool counts = true, has_diagonal = false;
    if (csv->head.names || csv->rows != csv->columns || csv->rows < 3 ||
        !cursor_next_row(&ahead, separator, &first) || !line_field(&first, separator, &across) ||
        across.begin < across.end)
        return false;
    for (size_t row = 0; cursor_next_row(&ahead, separator, &line); row++) {
        if (!line_field(&first, separator, &across) || !line_field(&line, separator, &down) ||
            !is_same(across, down) || !field_is_number(&csv->style, across))
            return false;
        counts = counts && counts_on(across, row, &number);
        has_diagonal |= !row && line_field(&line, separator, &down) && !is_nothing(down);
    }
    if (!has_diagonal && counts)
        tsp_note(csv->problem,
                 "%s: the first line and the first column are taken for the numbers of the cities",
                 csv->cursor.name);
    return has_diagonal || counts;
}

/* Finds the ids of the cities of a matrix: in the first line, in the first column, or in both. */
static void find_labels(struct csv *csv)
{
    const size_t columns = csv->columns - csv->skipped;
    struct cursor ahead = csv->begin;
    struct line line;
    struct word field;
    const bool may_be_named = csv->has_header && !names_places(csv);
    if (is_framed(csv)) {
        csv->is_labelled = true;
        csv->skipped = 1;
        cursor_next_row(&csv->begin, csv->style.separator, &line);
        csv->cursor = csv->begin;
        csv->rows--;
        return;
    }
    csv->is_named = may_be_named && csv->rows > 1 && (columns == csv->rows || columns == csv->rows + 1);
    csv->has_header = csv->has_header && !csv->is_named;
    if (csv->has_header || csv->rows < 2 || columns != csv->rows + 1 ||
        !cursor_next_row(&ahead, csv->style.separator, &line) ||
        !line_field(&line, csv->style.separator, &field))
        return;
    csv->is_labelled = csv->is_named || !field_is_number(&csv->style, field);
    csv->skipped += csv->is_labelled;
}

bool tsp_is_matrix(const struct shoal_tsp_params *params, size_t rows, size_t columns)
{
    const enum shoal_tsp_metric asked = (enum shoal_tsp_metric)params->metric;
    const bool is_square = rows == columns && columns != 2;
    return asked == SHOAL_TSP_MATRIX ||
           (asked == SHOAL_TSP_AUTO && (is_square || (columns != 2 && columns != 3)));
}

/* The file --------------------------------------------------------------------------------------------- */

/* Returns whether the columns of a table without names are id, x, y or id, x, y, z. They are if the first
 * column has successive numbers from 0 or 1, unless the table is square or the caller asks for a metric with
 * another number of coordinates. */
static bool has_id_column(struct csv *csv)
{
    const enum shoal_tsp_metric asked = (enum shoal_tsp_metric)csv->problem->params->metric;
    const bool is_asked =
        asked != SHOAL_TSP_AUTO && asked != SHOAL_TSP_EUCLID && tsp_metric_dim(asked) != csv->columns - 1;
    return !csv->skipped && (csv->columns == 3 || csv->columns == 4) && csv->rows != csv->columns &&
           !is_asked && counts_down(csv, csv->begin, &csv->first_id);
}

static enum shoal_status read_rows(struct csv *csv)
{
    struct tsp_problem *problem = csv->problem;
    if (csv->rows > TSP_MOST_CITIES)
        return fail(csv->cursor.error, SHOAL_IO, "%s: %zu rows: at most %lu cities are possible",
                    csv->cursor.name, csv->rows, (unsigned long)TSP_MOST_CITIES);
    problem->n = (uint32_t)csv->rows;
    if (csv->has_header)
        return read_points(csv);
    size_t columns = csv->columns - csv->skipped;
    if (csv->is_named || csv->is_labelled)
        return read_matrix(csv);
    if (has_id_column(csv)) {
        tsp_note(problem, "%s: the first column is %s: ids of the cities, not x", csv->cursor.name,
                 csv->first_id ? "1, 2, 3 ..." : "0, 1, 2 ...");
        csv->dim = (unsigned)columns - 1;
        for (size_t c = 0; c < columns; c++)
            csv->roles[c] = (unsigned char)(c ? ROLE_X + c - 1 : ROLE_ID);
        return read_points(csv);
    }
    if (tsp_is_matrix(problem->params, csv->rows, columns))
        return read_matrix(csv);
    if (columns != 2 && columns != 3)
        return cursor_fail(&csv->cursor, "%s without a header: points have x, y or x, y, z",
                           counted(columns, "column").s);
    csv->dim = (unsigned)columns;
    for (size_t c = 0; c < csv->columns; c++)
        csv->roles[c] = (unsigned char)(c < csv->skipped ? ROLE_OTHER : ROLE_X + c - csv->skipped);
    return read_points(csv);
}

/* Returns whether the names in the first line are used. If they are in a comment or are numbers, they are
 * used only if one of them is "x" or begins with "lat"; otherwise the columns have the default order. */
static bool names_say_more(const struct csv *csv)
{
    const bool may_be_none = csv->head.reason == CSV_NAMES_COMMENT || csv->head.reason == CSV_NAMES_COUNT;
    bool has_x = false;
    for (size_t c = 0; c < csv->columns && csv->head.names; c++)
        has_x = has_x || strcasecmp(csv->head.names[c], "x") == 0 ||
                strncasecmp(csv->head.names[c], "lat", 3) == 0;
    return csv->head.names && (has_x || !may_be_none);
}

/* Adds a note for each column that has numbers in a notation other than plain decimals. */
static enum shoal_status note_amounts(struct csv *csv)
{
    char *notes = NULL;
    bool has_memory = true;
    for (size_t c = 0; c < csv->columns && csv->notations.of && has_memory; c++)
        if (csv->notations.of[c].example.text[0])
            has_memory = csv_notation_note(&csv->notations, csv->cursor.name, c,
                                           csv->has_header ? csv->head.names[c] : NULL, "", &notes);
    if (notes)
        tsp_note_lines(csv->problem, notes);
    free(notes);
    return has_memory ? SHOAL_OK : fail_host_memory(csv->cursor.error);
}

/* Moves the cursor to the first row, and counts the rows. */
static enum shoal_status read_text(struct csv *csv)
{
    struct cursor header = csv->begin;
    struct line line;
    csv->columns = csv->head.columns;
    csv->has_header = names_say_more(csv);
    csv->skipped = !csv->has_header && csv->head.has_index;
    csv->roles = malloc(csv->columns);
    if (!csv->roles)
        return fail_host_memory(csv->cursor.error);
    cursor_skip(&header, csv->head.names_line);
    csv->cursor = header;
    if (!csv->head.first_line) {
        const enum shoal_status status = csv->has_header ? read_header(csv) : SHOAL_OK;
        return status ? status : cursor_fail(&csv->cursor, "no city follows the header");
    }
    cursor_skip(&csv->begin, csv->head.first_line - 1);
    csv->style = csv_style_of(csv->begin, csv->head.style.separator);
    csv->cursor = csv->begin;
    for (struct cursor ahead = csv->begin; cursor_next_row(&ahead, ' ', &line);)
        csv->rows++;
    find_labels(csv);
    /* If the first column has the ids, the lines have only one meaning; notes about other meanings are not
     * added. */
    if (csv->head.notes && !(csv->is_labelled && !csv->is_named))
        tsp_note_lines(csv->problem, csv->head.notes);
    csv->cursor = header;
    enum shoal_status status = csv->has_header ? read_header(csv) : SHOAL_OK;
    csv->cursor = csv->begin;
    csv->notations = (struct csv_notations){
        .text = &csv->text, .style = csv->style, .first_line = csv->head.first_line, .columns = csv->columns};
    if (!status)
        status = read_rows(csv);
    return status ? status : note_amounts(csv);
}

enum shoal_status tsp_parse_csv(const char *text, size_t bytes, const char *name, struct tsp_problem *problem,
                                struct shoal_error *error)
{
    struct csv csv = {.cursor = {.name = name, .at = text, .end = text + bytes, .error = error},
                      .problem = problem};
    const struct csv_rules rules = {.header = (enum shoal_header)problem->params->header,
                                    .may_be_matrix = true};
    enum shoal_status status = csv_check_text(name, text, bytes, error);
    if (status)
        return status;
    cursor_skip_mark(&csv.cursor);
    csv.begin = csv.cursor;
    csv.text = csv_text_of(&csv.memory, csv.begin);
    status = csv_head_read(&csv.text, &rules, &csv.head, error);
    if (!status && !csv.head.columns)
        status = fail(error, SHOAL_IO, "%s: is empty: give points or a matrix of distances", name);
    if (!status)
        status = read_text(&csv);
    free(csv.roles);
    csv_notations_free(&csv.notations);
    csv_head_free(&csv.head);
    text_free(&csv.scratch);
    return status;
}
