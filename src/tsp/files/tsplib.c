/* Reads TSPLIB files (G. Reinelt, TSPLIB 95, 1995): keywords with their values, and the sections in any order
 * that the file has. */
#include "base/error.h"
#include "base/integer.h"
#include "base/text.h"
#include "tsp/files/files.h"
#include "tsp/model/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum key {
    KEY_NAME,
    KEY_TYPE,
    KEY_COMMENT,
    KEY_DIMENSION,
    KEY_WEIGHT_TYPE,
    KEY_WEIGHT_FORMAT,
    KEY_COORD_TYPE,
    KEY_DISPLAY_TYPE,
    SECTION_COORDS, /* the first of the keywords that begin a section and have no value */
    SECTION_WEIGHTS,
    SECTION_FIXED,
    SECTION_DISPLAY,
    SECTION_TOUR,
    KEY_EOF,
    KEYS
};
static const char *const key_names[KEYS] = {"NAME",
                                            "TYPE",
                                            "COMMENT",
                                            "DIMENSION",
                                            "EDGE_WEIGHT_TYPE",
                                            "EDGE_WEIGHT_FORMAT",
                                            "NODE_COORD_TYPE",
                                            "DISPLAY_DATA_TYPE",
                                            "NODE_COORD_SECTION",
                                            "EDGE_WEIGHT_SECTION",
                                            "FIXED_EDGES_SECTION",
                                            "DISPLAY_DATA_SECTION",
                                            "TOUR_SECTION",
                                            "EOF"};

static const struct {
    const char *name;
    enum shoal_tsp_metric metric;
} metrics[] = {
    {"EUC_2D", SHOAL_TSP_EUC_2D}, {"EUC_3D", SHOAL_TSP_EUC_3D},   {"CEIL_2D", SHOAL_TSP_CEIL_2D},
    {"MAN_2D", SHOAL_TSP_MAN_2D}, {"MAN_3D", SHOAL_TSP_MAN_3D},   {"MAX_2D", SHOAL_TSP_MAX_2D},
    {"MAX_3D", SHOAL_TSP_MAX_3D}, {"ATT", SHOAL_TSP_ATT},         {"GEO", SHOAL_TSP_GEO},
    {"GEOM", SHOAL_TSP_GEOM},     {"EXPLICIT", SHOAL_TSP_MATRIX},
};

/* TSPLIB's names of the forms of a matrix, in the order of enum tsplib_form. */
static const char *const form_names[] = {"FUNCTION",       "FULL_MATRIX",    "UPPER_ROW", "LOWER_ROW",
                                         "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL",
                                         "UPPER_DIAG_COL", "LOWER_DIAG_COL", NULL};
static const char *const coord_names[] = {"TWOD_COORDS", "THREED_COORDS", "NO_COORDS", NULL};
static const char *const display_names[] = {"COORD_DISPLAY", "TWOD_DISPLAY", "NO_DISPLAY", NULL};
static const char *const type_names[] = {"TSP", "ATSP", "TOUR", NULL};
enum type { TYPE_TSP, TYPE_ATSP, TYPE_TOUR };

struct tsplib {
    struct cursor cursor;
    /* for each keyword, the number of the last line that has the keyword; 0: no line has it */
    size_t lines[KEYS];
    char *name, *comment;
    struct text notes; /* notes about ignored parts of the file, one sentence in each line */
    int type;
    uint64_t dimension;
    enum shoal_tsp_metric metric; /* metric that the file has given so far; AUTO: none */
    enum tsplib_form form;
    int coord_type, display_type;
    struct tsp_problem *problem;  /* problem to set; NULL: the file is read as a tour */
    const struct tsp_problem *of; /* problem to which the tour belongs */
    uint32_t *tour;               /* first tour of the file */
    size_t tours;                 /* number of tours read from the file so far */
};

const char *tsplib_metric_name(enum shoal_tsp_metric metric)
{
    for (size_t i = 0; i < COUNT(metrics); i++)
        if (metrics[i].metric == metric)
            return metrics[i].name;
    return NULL;
}

/* A line that begins with a keyword, split into keyword and value. */
struct entry {
    struct word key;
    struct line value; /* text after the colon */
    bool has_colon;
};

static struct entry split(struct line line)
{
    const char *end = line.begin;
    while (end < line.end && (tsplib_is_letter(*end) || *end == '_' || (*end >= '0' && *end <= '9')))
        end++;
    struct entry entry = {.key = {line.begin, end}};
    struct line rest = {end, line.end};
    while (rest.begin < rest.end && (*rest.begin == ' ' || *rest.begin == '\t'))
        rest.begin++;
    entry.has_colon = rest.begin < rest.end && *rest.begin == ':';
    rest.begin += entry.has_colon;
    while (rest.begin < rest.end && (*rest.begin == ' ' || *rest.begin == '\t'))
        rest.begin++;
    entry.value = rest;
    return entry;
}

static int find_key(struct word key)
{
    for (int i = 0; i < KEYS; i++)
        if (word_is_any_case(key, key_names[i]))
            return i;
    return KEYS;
}

bool tsp_is_tsplib(const char *text, size_t bytes)
{
    enum { LINES = 20 };
    struct cursor cursor = {.at = text, .end = text + bytes};
    struct line line;
    cursor_skip_mark(&cursor);
    for (int i = 0; i < LINES && cursor_next(&cursor, &line); i++) {
        const struct entry entry = split(line);
        const int key = find_key(entry.key);
        if (key != KEYS &&
            (entry.has_colon || (key >= SECTION_COORDS && entry.value.begin == entry.value.end)))
            return true;
    }
    return false;
}

/* Values of keys --------------------------------------------------------------------------------------- */

/* Returns the first word of a value. A remark in parentheses may follow the word, as in "TSP
 * (M.~Hofmeister)". */
static struct word first_word(struct line value)
{
    struct word word = {value.begin, value.begin};
    while (word.end < value.end && *word.end != ' ' && *word.end != '\t' &&
           (*word.end != '(' || word.end == word.begin))
        word.end++;
    return word;
}

static enum shoal_status read_choice(const struct tsplib *file, struct line value, enum key key,
                                     const char *const *names, int *choice)
{
    const struct word word = first_word(value);
    for (int i = 0; names[i]; i++)
        if (word_is_any_case(word, names[i])) {
            *choice = i;
            return SHOAL_OK;
        }
    char known[200] = "";
    for (int i = 0; names[i]; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s",
                 !i             ? ""
                 : names[i + 1] ? ", "
                                : " and ",
                 names[i]);
    }
    return cursor_fail(&file->cursor, "%s is '%s': %s are known", key_names[key], word_show(word).text,
                       known);
}

static enum shoal_status read_metric(struct tsplib *file, struct line value)
{
    const struct word word = first_word(value);
    for (size_t i = 0; i < COUNT(metrics); i++)
        if (word_is_any_case(word, metrics[i].name)) {
            file->metric = metrics[i].metric;
            return SHOAL_OK;
        }
    return cursor_fail(
        &file->cursor,
        "EDGE_WEIGHT_TYPE is '%s': EUC_2D, EUC_3D, CEIL_2D, MAN_2D, MAN_3D, MAX_2D, MAX_3D, ATT, GEO, "
        "GEOM and EXPLICIT are known",
        word_show(word).text);
}

static enum shoal_status read_form(struct tsplib *file, struct line value)
{
    int form = 0;
    enum shoal_status status = read_choice(file, value, KEY_WEIGHT_FORMAT, form_names, &form);
    file->form = (enum tsplib_form)(form + TSPLIB_FUNCTION);
    return status;
}

static enum shoal_status read_dimension(struct tsplib *file, struct line value)
{
    const struct word word = first_word(value);
    enum shoal_status status =
        word_count(&file->cursor, word, "DIMENSION, a number of cities", &file->dimension);
    if (!status && file->dimension == 0)
        status = cursor_fail(&file->cursor, "DIMENSION is 0: a problem has a city at least");
    if (!status && file->dimension > TSP_MOST_CITIES)
        status = cursor_fail(&file->cursor, "DIMENSION is %llu: at most %lu cities are possible",
                             (unsigned long long)file->dimension, (unsigned long)TSP_MOST_CITIES);
    if (!status && file->of && file->dimension != file->of->n)
        status = cursor_fail(&file->cursor, "the tour has %llu cities, %s has %lu: it is of another problem",
                             (unsigned long long)file->dimension, file->of->name, (unsigned long)file->of->n);
    return status;
}

static enum shoal_status keep(struct line value, char **text, struct shoal_error *error)
{
    free(*text);
    *text = strndup(value.begin, (size_t)(value.end - value.begin));
    if (*text)
        text_clean(*text, "");
    return *text ? SHOAL_OK : fail_host_memory(error);
}

static enum shoal_status read_value(struct tsplib *file, enum key key, struct line value)
{
    switch (key) {
    case KEY_NAME:
        return keep(value, &file->name, file->cursor.error);
    case KEY_COMMENT: /* of several comments, the first is stored */
        return file->comment ? SHOAL_OK : keep(value, &file->comment, file->cursor.error);
    case KEY_TYPE:
        return read_choice(file, value, key, type_names, &file->type);
    case KEY_DIMENSION:
        return read_dimension(file, value);
    case KEY_WEIGHT_TYPE:
        return read_metric(file, value);
    case KEY_WEIGHT_FORMAT:
        return read_form(file, value);
    case KEY_COORD_TYPE:
        return read_choice(file, value, key, coord_names, &file->coord_type);
    default:
        return read_choice(file, value, key, display_names, &file->display_type);
    }
}

/* Sections --------------------------------------------------------------------------------------------- */

static enum shoal_status need(const struct tsplib *file, enum key section, enum key key)
{
    if (file->lines[key])
        return SHOAL_OK;
    return cursor_fail(&file->cursor, "%s comes before %s, which is missing", key_names[section],
                       key_names[key]);
}

static bool is_metric_3d(enum shoal_tsp_metric metric)
{
    return tsp_metric_dim(metric) == 3;
}

static enum shoal_status read_coords(struct tsplib *file)
{
    struct cursor *cursor = &file->cursor;
    struct tsp_problem *problem = file->problem;
    const bool is_matrix = file->metric == SHOAL_TSP_MATRIX;
    enum shoal_status status = need(file, SECTION_COORDS, KEY_WEIGHT_TYPE);
    if (status)
        return status;
    if (file->lines[KEY_COORD_TYPE] && file->coord_type == 2)
        return cursor_fail(cursor, "NODE_COORD_SECTION contradicts NODE_COORD_TYPE: NO_COORDS of line %zu",
                           file->lines[KEY_COORD_TYPE]);
    const bool is_3d =
        is_matrix ? file->lines[KEY_COORD_TYPE] && file->coord_type == 1 : is_metric_3d(file->metric);
    if (file->lines[KEY_COORD_TYPE] && (file->coord_type == 1) != is_3d)
        return cursor_fail(cursor,
                           "NODE_COORD_TYPE: %s of line %zu contradicts EDGE_WEIGHT_TYPE: %s of line %zu",
                           coord_names[file->coord_type], file->lines[KEY_COORD_TYPE],
                           tsplib_metric_name(file->metric), file->lines[KEY_WEIGHT_TYPE]);
    double *only_shown = NULL;
    problem->owns_places = !is_matrix;
    status = tsplib_read_places(cursor, problem, is_3d ? 3 : 2, !is_matrix,
                                is_matrix ? &only_shown : &problem->places);
    free(only_shown);
    return status;
}

static enum shoal_status read_weights(struct tsplib *file)
{
    struct cursor *cursor = &file->cursor;
    enum shoal_status status = need(file, SECTION_WEIGHTS, KEY_WEIGHT_TYPE);
    if (!status && file->metric != SHOAL_TSP_MATRIX)
        return cursor_fail(cursor, "EDGE_WEIGHT_SECTION contradicts EDGE_WEIGHT_TYPE: %s of line %zu",
                           tsplib_metric_name(file->metric), file->lines[KEY_WEIGHT_TYPE]);
    if (!status)
        status = need(file, SECTION_WEIGHTS, KEY_WEIGHT_FORMAT);
    if (!status && file->form == TSPLIB_FUNCTION)
        return cursor_fail(cursor, "EDGE_WEIGHT_SECTION contradicts EDGE_WEIGHT_FORMAT: FUNCTION of line %zu",
                           file->lines[KEY_WEIGHT_FORMAT]);
    const bool is_atsp = file->type == TYPE_ATSP;
    if (!status && is_atsp && file->form != TSPLIB_FULL_MATRIX)
        return cursor_fail(
            cursor, "EDGE_WEIGHT_FORMAT: %s of line %zu contradicts TYPE: ATSP, which needs FULL_MATRIX",
            form_names[file->form - TSPLIB_FUNCTION], file->lines[KEY_WEIGHT_FORMAT]);
    return status ? status : tsplib_read_matrix(cursor, file->problem, file->form, is_atsp);
}

static enum shoal_status read_section(struct tsplib *file, enum key key)
{
    struct cursor *cursor = &file->cursor;
    const bool is_tour = key == SECTION_TOUR;
    if (is_tour != !file->problem)
        return is_tour
                   ? cursor_fail(cursor,
                                 "TOUR_SECTION: this is a tour: give it with --tour, and its problem with "
                                 "--data")
                   : cursor_fail(cursor, "%s: this is a problem, not a tour", key_names[key]);
    enum shoal_status status = is_tour ? SHOAL_OK : need(file, key, KEY_DIMENSION);
    if (!status && file->problem)
        file->problem->n = (uint32_t)file->dimension;
    if (status)
        return status;
    double *only_shown = NULL;
    switch (key) {
    case SECTION_COORDS:
        return read_coords(file);
    case SECTION_WEIGHTS:
        return read_weights(file);
    case SECTION_FIXED:
        return tsplib_read_fixed(cursor, file->problem);
    case SECTION_TOUR:
        return tsplib_read_tours(cursor, file->of->n, file->tour, &file->tours);
    default:
        status = tsplib_read_places(cursor, file->problem, 2, false, &only_shown);
        free(only_shown);
        return status;
    }
}

/* Sets the metric of the problem. Must be called before coordinates are read, since some metrics restrict the
 * coordinates. */
static void choose_metric(struct tsplib *file)
{
    const enum shoal_tsp_metric asked = (enum shoal_tsp_metric)file->problem->params->metric;
    file->problem->metric =
        asked == SHOAL_TSP_AUTO || file->metric == SHOAL_TSP_MATRIX ? file->metric : asked;
    file->problem->dim = file->metric == SHOAL_TSP_MATRIX ? 0 : tsp_metric_dim(file->metric);
}

static enum shoal_status check_given(const struct tsplib *file, struct entry entry, int key)
{
    const struct cursor *cursor = &file->cursor;
    if (key < SECTION_COORDS && !entry.has_colon)
        return cursor_fail(cursor, "%s needs a colon and its value, as in \"%s: ...\"", key_names[key],
                           key_names[key]);
    if (key >= SECTION_COORDS && entry.value.begin < entry.value.end)
        return cursor_fail(cursor, "'%s' behind %s, which has a line of its own",
                           word_show((struct word){entry.value.begin, entry.value.end}).text, key_names[key]);
    if (file->lines[key] && key != KEY_COMMENT && key != SECTION_TOUR)
        return cursor_fail(cursor, "%s is given again, first in line %zu", key_names[key], file->lines[key]);
    if (key < SECTION_COORDS && key != KEY_COMMENT && key != KEY_NAME && file->lines[SECTION_COORDS])
        return cursor_fail(cursor, "%s comes behind NODE_COORD_SECTION of line %zu, it belongs before it",
                           key_names[key], file->lines[SECTION_COORDS]);
    return SHOAL_OK;
}

static bool names_section(struct word key)
{
    static const char ending[] = "_SECTION";
    const size_t length = sizeof ending - 1;
    return (size_t)(key.end - key.begin) > length && strncasecmp(key.end - length, ending, length) == 0;
}

/* Skips a keyword that belongs to other problems or other programs and, if the keyword begins a section, all
 * lines of the section. */
static enum shoal_status skip_unknown(struct tsplib *file, struct entry entry)
{
    struct cursor *cursor = &file->cursor;
    const bool is_section = names_section(entry.key);
    if (entry.key.begin == entry.key.end)
        return cursor_fail(cursor, "'%s' where a key of TSPLIB is expected",
                           word_show((struct word){entry.value.begin, entry.value.end}).text);
    if (!entry.has_colon && !is_section)
        return cursor_fail(cursor, "'%s' is no key of a TSP, ATSP or TOUR of TSPLIB",
                           word_show(entry.key).text);
    text_printf(&file->notes, "%s%s: line %zu: %s is no key of a TSP, ATSP or TOUR of TSPLIB: left out",
                file->notes.length ? "\n" : "", cursor->name, cursor->line, word_show(entry.key).text);
    if (file->notes.failed)
        return fail_host_memory(cursor->error);
    if (is_section)
        tsplib_skip_section(cursor);
    return SHOAL_OK;
}

static enum shoal_status read_entries(struct tsplib *file)
{
    struct line line;
    enum shoal_status status = SHOAL_OK;
    while (!status && cursor_next(&file->cursor, &line)) {
        if (line.begin == line.end || *line.begin == '#')
            continue;
        const struct entry entry = split(line);
        const int key = find_key(entry.key);
        if (key == KEYS) {
            status = skip_unknown(file, entry);
            continue;
        }
        status = check_given(file, entry, key);
        if (status || key == KEY_EOF)
            return status;
        file->lines[key] = file->cursor.line;
        status =
            key < SECTION_COORDS ? read_value(file, (enum key)key, entry.value) : (enum shoal_status)SHOAL_OK;
        if (!status && key == KEY_WEIGHT_TYPE && file->problem)
            choose_metric(file);
        if (!status && key >= SECTION_COORDS)
            status = read_section(file, (enum key)key);
    }
    return status;
}

/* Checks that the file has all necessary keywords and sections, and that these do not contradict each
 * other. */
static enum shoal_status check_whole(const struct tsplib *file)
{
    const struct cursor *cursor = &file->cursor;
    const size_t *lines = file->lines;
    if (!lines[KEY_DIMENSION])
        return cursor_fail(cursor, "the file ends without DIMENSION");
    if (!lines[KEY_WEIGHT_TYPE])
        return cursor_fail(cursor, "the file ends without EDGE_WEIGHT_TYPE");
    if (file->type == TYPE_TOUR)
        return cursor_fail(cursor, "TYPE: TOUR of line %zu: this is no problem, but a tour", lines[KEY_TYPE]);
    const bool is_matrix = file->metric == SHOAL_TSP_MATRIX;
    if (is_matrix && !lines[SECTION_WEIGHTS])
        return cursor_fail(cursor,
                           "the file ends without EDGE_WEIGHT_SECTION, which EXPLICIT of line %zu needs",
                           lines[KEY_WEIGHT_TYPE]);
    if (!is_matrix && !lines[SECTION_COORDS])
        return cursor_fail(cursor, "the file ends without NODE_COORD_SECTION, which %s of line %zu needs",
                           tsplib_metric_name(file->metric), lines[KEY_WEIGHT_TYPE]);
    if (!is_matrix && lines[KEY_WEIGHT_FORMAT] && file->form != TSPLIB_FUNCTION)
        return cursor_fail(
            cursor, "EDGE_WEIGHT_FORMAT of line %zu contradicts EDGE_WEIGHT_TYPE: %s of line %zu",
            lines[KEY_WEIGHT_FORMAT], tsplib_metric_name(file->metric), lines[KEY_WEIGHT_TYPE]);
    if (!is_matrix && file->type == TYPE_ATSP)
        return cursor_fail(cursor,
                           "EDGE_WEIGHT_TYPE: %s of line %zu contradicts TYPE: ATSP, which needs EXPLICIT",
                           tsplib_metric_name(file->metric), lines[KEY_WEIGHT_TYPE]);
    if (lines[SECTION_DISPLAY] && lines[KEY_DISPLAY_TYPE] && file->display_type != 1)
        return cursor_fail(
            cursor, "DISPLAY_DATA_SECTION of line %zu contradicts DISPLAY_DATA_TYPE: %s of line %zu",
            lines[SECTION_DISPLAY], display_names[file->display_type], lines[KEY_DISPLAY_TYPE]);
    return SHOAL_OK;
}

enum shoal_status tsp_parse_tsplib(const char *text, size_t bytes, const char *name,
                                   struct tsp_problem *problem, struct shoal_error *error)
{
    struct tsplib file = {.cursor = {.name = name, .at = text, .end = text + bytes, .error = error},
                          .problem = problem};
    cursor_skip_mark(&file.cursor);
    enum shoal_status status =
        bytes ? read_entries(&file) : fail(error, SHOAL_IO, "%s: is empty: give a problem of TSPLIB", name);
    if (!status)
        status = check_whole(&file);
    if (!status)
        status = tsp_check_metric(problem->params, file.metric, name, error);
    if (file.notes.data)
        tsp_note_lines(problem, file.notes.data);
    text_free(&file.notes);
    problem->name = file.name && *file.name ? file.name : NULL;
    problem->comment = file.comment && *file.comment ? file.comment : NULL;
    if (!problem->name)
        free(file.name);
    if (!problem->comment)
        free(file.comment);
    return status;
}

enum shoal_status tsp_parse_tsplib_tour(const char *text, size_t bytes, const char *name,
                                        const struct tsp_problem *problem, uint32_t *tour, size_t *tours,
                                        char **notes, struct shoal_error *error)
{
    struct tsplib file = {.cursor = {.name = name, .at = text, .end = text + bytes, .error = error},
                          .type = TYPE_TOUR,
                          .of = problem,
                          .tour = tour};
    cursor_skip_mark(&file.cursor);
    enum shoal_status status = read_entries(&file);
    if (!status && file.type != TYPE_TOUR)
        status = cursor_fail(&file.cursor, "TYPE: %s of line %zu: this is no tour", type_names[file.type],
                             file.lines[KEY_TYPE]);
    if (!status && !file.lines[SECTION_TOUR])
        status = cursor_fail(&file.cursor, "the file ends without TOUR_SECTION");
    *tours = file.tours;
    if (status)
        text_free(&file.notes);
    *notes = file.notes.data;
    free(file.name);
    free(file.comment);
    return status;
}
