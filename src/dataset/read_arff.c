/* ARFF, the format of Weka (I. H. Witten and E. Frank, Data Mining, 2005, section 2.4): numeric, nominal and
 * string attributes, rows dense or sparse. */
#include "base/error.h"
#include "base/text.h"
#include "dataset/dataset.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum content { CONTENT_NUMBERS, CONTENT_NAMES, CONTENT_DECLARED, CONTENT_IGNORED };

struct arff {
    struct cursor cursor;
    struct shoal_dataset *dataset;
    unsigned char *content; /* enum content of each column */
    double *row;
    struct text scratch;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Finds the first of the characters `any` outside of quotes, or the end. A quote can open only where a name
 * or value begins. */
static const char *find_plain(struct line line, const char *any)
{
    char quote = '\0', before = ' ';
    for (const char *c = line.begin; c < line.end; before = *c++) {
        if (quote && *c == '\\' && c + 1 < line.end)
            c++;
        else if (quote)
            quote = *c == quote ? '\0' : quote;
        else if ((*c == '\'' || *c == '"') && strchr(" \t,{", before))
            quote = *c;
        else if (strchr(any, *c))
            return c;
    }
    return line.end;
}

/* Reads the next line, without its comment ("%" and the rest of the line) and the blanks before the comment.
 * Skips lines that are then empty. */
static bool next_line(struct cursor *cursor, struct line *line)
{
    while (cursor_next(cursor, line)) {
        line->end = find_plain(*line, "%");
        while (line->begin < line->end && is_blank(line->end[-1]))
            line->end--;
        if (line->begin < line->end)
            return true;
    }
    return false;
}

static void skip_blanks(struct line *line)
{
    while (line->begin < line->end && is_blank(*line->begin))
        line->begin++;
}

/* Removes a keyword such as "@data" from the beginning of a line; upper and lower case are equal. false: the
 * line begins with something else. */
static bool take_keyword(struct line *line, const char *keyword)
{
    const size_t length = strlen(keyword);
    if ((size_t)(line->end - line->begin) < length || strncasecmp(line->begin, keyword, length) != 0 ||
        (line->begin + length < line->end && !is_blank(line->begin[length])))
        return false;
    line->begin += length;
    skip_blanks(line);
    return true;
}

bool dataset_is_arff(const char *text, size_t bytes)
{
    struct cursor cursor = {.at = text, .end = text + bytes};
    struct line line;
    cursor_skip_mark(&cursor);
    return next_line(&cursor, &line) &&
           (take_keyword(&line, "@relation") || take_keyword(&line, "@attribute"));
}

struct item {
    struct word word; /* valid until the next item */
    bool is_quoted;
};

/* Removes a name or value from the beginning of a line. A quoted item ends with its quote, and a backslash in
 * it takes the next character literally; other items end before one of `ends`. */
static enum shoal_status take_item(struct arff *arff, struct line *line, const char *ends, struct item *item)
{
    skip_blanks(line);
    const char *c = line->begin;
    const char quote = c < line->end ? *c : '\0';
    item->is_quoted = quote == '\'' || quote == '"';
    if (!item->is_quoted) {
        while (c < line->end && !strchr(ends, *c))
            c++;
        item->word = (struct word){line->begin, c};
        line->begin = c;
        while (item->word.end > item->word.begin && is_blank(item->word.end[-1]))
            item->word.end--;
        return SHOAL_OK;
    }
    arff->scratch.length = 0;
    for (c++; c < line->end && *c != quote; c++) {
        c += *c == '\\' && c + 1 < line->end;
        text_append(&arff->scratch, c, 1);
    }
    if (c == line->end)
        return cursor_fail(&arff->cursor, "a quote (%c) is not closed", quote);
    text_append(&arff->scratch, "", 1);
    if (arff->scratch.failed)
        return fail_host_memory(arff->dataset->error);
    item->word = (struct word){arff->scratch.data, arff->scratch.data + arff->scratch.length - 1};
    line->begin = c + 1;
    skip_blanks(line);
    return SHOAL_OK;
}

/* The header -----------------------------------------------------------------------------------------------
 */

static enum shoal_status read_nominal(struct arff *arff, struct line *line, size_t c)
{
    struct item item;
    enum shoal_status status = dataset_use_categories(arff->dataset, c);
    struct column *column = &arff->dataset->columns[c];
    column->is_declared = true;
    do {
        line->begin++; /* skips the '{' or ',' */
        if (!status)
            status = take_item(arff, line, ",}", &item);
        if (!status && categories_add(column->categories, item.word) == NO_CATEGORY)
            status = fail_host_memory(arff->dataset->error);
    } while (!status && line->begin < line->end && *line->begin == ',');
    if (!status && (line->begin == line->end || *line->begin != '}'))
        return cursor_fail(&arff->cursor, "the values of '%.60s' end without }", column->name);
    arff->content[c] = CONTENT_DECLARED;
    return status;
}

static enum shoal_status read_attribute(struct arff *arff, struct line *line, size_t c, bool *is_unknown)
{
    static const char *const numbers[] = {"numeric", "real", "integer"};
    struct item item;
    enum shoal_status status = take_item(arff, line, " \t{", &item);
    if (!status && item.word.begin == item.word.end)
        status = cursor_fail(&arff->cursor, "an attribute has no name");
    if (!status)
        status = dataset_name(arff->dataset, c, item.word);
    if (status)
        return status;
    skip_blanks(line);
    if (line->begin < line->end && *line->begin == '{')
        return read_nominal(arff, line, c);
    for (int i = 0; i < 3; i++)
        if (take_keyword(line, numbers[i]))
            return SHOAL_OK;
    if (take_keyword(line, "string"))
        arff->content[c] = CONTENT_NAMES;
    else
        *is_unknown = true;
    return SHOAL_OK;
}

/* Sets the content of a column by its declared type and the caller's choice. Call it after dataset_choose. */
static enum shoal_status set_content(struct arff *arff, size_t c, bool is_unknown)
{
    struct column *column = &arff->dataset->columns[c];
    if (column->choice == CHOICE_IGNORED)
        arff->content[c] = CONTENT_IGNORED;
    else if (is_unknown)
        return fail(arff->dataset->error, SHOAL_IO,
                    "%s: the type of attribute '%.60s' is none of numeric, real, integer, string, {...}; "
                    "ignore the column",
                    arff->dataset->name, column->name);
    else if (column->choice == CHOICE_NUMBER && column->categories) {
        categories_free(column->categories);
        column->categories = NULL;
        arff->content[c] = CONTENT_NUMBERS;
    } else if (arff->content[c] == CONTENT_NAMES ||
               (column->categories && arff->content[c] == CONTENT_NUMBERS)) {
        arff->content[c] = CONTENT_NAMES;
        return dataset_use_categories(arff->dataset, c);
    }
    return SHOAL_OK;
}

static enum shoal_status read_header(struct arff *arff, const struct shoal_dataset_params *params,
                                     bool *is_unknown)
{
    struct line line;
    size_t c = 0;
    enum shoal_status status = SHOAL_OK;
    bool has_data = false;
    while (!status && !has_data && next_line(&arff->cursor, &line)) {
        if (take_keyword(&line, "@data"))
            has_data = true;
        else if (take_keyword(&line, "@attribute")) {
            status = read_attribute(arff, &line, c, &is_unknown[c]);
            c++;
        } else if (!take_keyword(&line, "@relation"))
            status = cursor_fail(&arff->cursor, "begins with none of @relation, @attribute, @data");
    }
    if (!status && !has_data)
        status = fail(arff->dataset->error, SHOAL_IO, "%s: has no line @data", arff->dataset->name);
    if (!status)
        status = dataset_choose(arff->dataset, params);
    for (size_t i = 0; i < c && !status; i++)
        status = set_content(arff, i, is_unknown[i]);
    return status;
}

/* Rows -----------------------------------------------------------------------------------------------------
 */

static enum shoal_status bad_value(const struct arff *arff, size_t c, struct word word, const char *what)
{
    const struct shoal_dataset *dataset = arff->dataset;
    return fail(dataset->error, SHOAL_IO, "%s: row %zu (line %zu), column %zu (%.60s): '%s' %s",
                dataset->name, dataset->info.rows + 1, arff->cursor.line, c + 1, dataset->columns[c].name,
                word_show(word).text, what);
}

static enum shoal_status read_value(struct arff *arff, size_t c, struct item item)
{
    const struct word word = item.word;
    struct categories *categories = arff->dataset->columns[c].categories;
    double *value = &arff->row[c];
    uint32_t index;
    if (arff->content[c] == CONTENT_IGNORED || (!item.is_quoted && word_is(word, "?"))) {
        *value = NAN;
        return SHOAL_OK;
    }
    switch (arff->content[c]) {
    case CONTENT_NUMBERS:
        if (word.begin == word.end || decimal_read(word.begin, value) != word.end)
            return bad_value(arff, c, word,
                             word_is_not_finite(word) ? "is not finite; a missing number is ?"
                                                      : "is not a number");
        return isfinite(*value) ? SHOAL_OK : bad_value(arff, c, word, "is too large for a number");
    case CONTENT_NAMES:
        index = categories_add(categories, word);
        *value = index;
        return index == NO_CATEGORY ? fail_host_memory(arff->dataset->error) : SHOAL_OK;
    default:
        index = categories_find(categories, word);
        *value = index;
        return index == NO_CATEGORY ? bad_value(arff, c, word, "is not among the values that are declared")
                                    : SHOAL_OK;
    }
}

static enum shoal_status wrong_count(const struct arff *arff, size_t count)
{
    const struct shoal_dataset *dataset = arff->dataset;
    return fail(dataset->error, SHOAL_IO,
                "%s: row %zu (line %zu) has %zu value%s, %zu attributes are declared", dataset->name,
                dataset->info.rows + 1, arff->cursor.line, count, count == 1 ? "" : "s",
                dataset->info.columns);
}

/* Reads a dense row. Commas separate values, and may end the row; in a row without commas, blanks and tabs
 * separate values, as in Weka. */
static enum shoal_status read_dense(struct arff *arff, struct line line)
{
    const size_t columns = arff->dataset->info.columns;
    const bool has_commas = find_plain(line, ",") < line.end;
    struct item item;
    size_t c = 0;
    for (bool has_more = true; has_more; c++) {
        enum shoal_status status = take_item(arff, &line, has_commas ? "," : " \t", &item);
        if (!status && has_commas && line.begin < line.end && *line.begin != ',')
            status = cursor_fail(&arff->cursor, "text follows a quote that is closed");
        if (!status && c == columns && item.word.begin < item.word.end && *item.word.begin == '{')
            status = cursor_fail(&arff->cursor, "weights of rows are not read; give them as a column");
        if (!status && c < columns)
            status = read_value(arff, c, item);
        if (status)
            return status;
        has_more = line.begin < line.end;
        line.begin += has_more && has_commas;
        skip_blanks(&line);
        has_more = has_more && (c + 1 < columns || line.begin < line.end);
    }
    return c == columns ? SHOAL_OK : wrong_count(arff, c);
}

/* Reads a sparse row such as "{2 5.1, 7 'b c'}": numbers of attributes, counted from 0, with their values.
 * Attributes that the row does not name are 0 or, if they are nominal, have their first value. */
static enum shoal_status read_sparse(struct arff *arff, struct line line)
{
    const size_t columns = arff->dataset->info.columns;
    struct item item;
    uint64_t c;
    memset(arff->row, 0, columns * sizeof *arff->row);
    line.begin++;
    skip_blanks(&line);
    while (line.begin < line.end && *line.begin != '}') {
        enum shoal_status status = take_item(arff, &line, " \t,}", &item);
        if (!status)
            status = word_count(&arff->cursor, item.word, "the number of an attribute", &c);
        if (!status && c >= columns)
            status = cursor_fail(&arff->cursor, "attribute %llu is not there: they are 0 to %zu",
                                 (unsigned long long)c, columns - 1);
        if (!status)
            status = take_item(arff, &line, ",}", &item);
        if (!status)
            status = read_value(arff, c, item);
        if (status)
            return status;
        line.begin += line.begin < line.end && *line.begin == ',';
        skip_blanks(&line);
    }
    return line.begin == line.end ? cursor_fail(&arff->cursor, "a sparse row ends without }") : SHOAL_OK;
}

static enum shoal_status read_rows(struct arff *arff, const struct shoal_dataset_params *params)
{
    bool *is_unknown = calloc(arff->dataset->info.columns, sizeof *is_unknown);
    struct line line;
    enum shoal_status status =
        is_unknown ? read_header(arff, params, is_unknown) : fail_host_memory(arff->dataset->error);
    free(is_unknown);
    while (!status && next_line(&arff->cursor, &line)) {
        status = *line.begin == '{' ? read_sparse(arff, line) : read_dense(arff, line);
        if (!status)
            status = dataset_add_row(arff->dataset, arff->row);
    }
    return status;
}

enum shoal_status dataset_read_arff(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                    const char *text, size_t bytes)
{
    struct arff arff = {
        .cursor = {.name = dataset->name, .at = text, .end = text + bytes, .error = dataset->error},
        .dataset = dataset};
    struct line line;
    size_t columns = 0;
    cursor_skip_mark(&arff.cursor);
    for (struct cursor ahead = arff.cursor; next_line(&ahead, &line) && !take_keyword(&line, "@data");)
        columns += take_keyword(&line, "@attribute");
    if (!columns)
        return fail(dataset->error, SHOAL_IO, "%s: declares no @attribute", dataset->name);
    enum shoal_status status = dataset_declare(dataset, columns);
    arff.content = calloc(columns, sizeof *arff.content);
    arff.row = calloc(columns, sizeof *arff.row);
    if (!status)
        status = arff.content && arff.row ? read_rows(&arff, params) : fail_host_memory(dataset->error);
    free(arff.content);
    free(arff.row);
    text_free(&arff.scratch);
    return status;
}
