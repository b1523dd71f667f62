/* Numbers after a line of sizes: FANN's training files, with "ROWS INPUTS TARGETS" and numbers between any
 * blanks, the inputs of each row first; and the text format of the thesis, with "TARGETS, INPUTS" and one
 * line for each row, its targets first. */
#include "base/counted.h"
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

/* Removes the next word from a line. Commas separate words, too. */
static bool next_word(struct line *line, struct word *word)
{
    static const char blanks[] = " \t\r,";
    const char *c = line->begin;
    while (c < line->end && strchr(blanks, *c))
        c++;
    word->begin = c;
    while (c < line->end && !strchr(blanks, *c))
        c++;
    word->end = line->begin = c;
    return word->end > word->begin;
}

static bool next_line(struct cursor *cursor, struct line *line)
{
    while (cursor_next(cursor, line))
        if (line->begin < line->end)
            return true;
    return false;
}

/* Reads `count` whole numbers into `sizes`; false: the line holds anything else. */
static bool read_sizes(struct line line, size_t count, size_t *sizes)
{
    struct shoal_error ignored;
    const struct cursor nowhere = {.name = "", .error = &ignored};
    struct word word;
    for (size_t i = 0; i < count; i++) {
        uint64_t size;
        if (!next_word(&line, &word) || word_count(&nowhere, word, "", &size) || size > 1ull << 53)
            return false;
        sizes[i] = size;
    }
    return !next_word(&line, &word);
}

static bool are_positive(const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!sizes[i])
            return false;
    return true;
}

static size_t count_words(struct line line)
{
    struct word word;
    size_t count = 0;
    while (next_word(&line, &word))
        count++;
    return count;
}

/* Reads the sizes in the first line, and counts the words of the second line. */
static bool look_at(const char *text, size_t bytes, size_t count, size_t *sizes, struct line *first,
                    size_t *words)
{
    struct cursor cursor = {.at = text, .end = text + bytes};
    struct line line;
    cursor_skip_mark(&cursor);
    if (!next_line(&cursor, first) || !read_sizes(*first, count, sizes))
        return false;
    *words = next_line(&cursor, &line) ? count_words(line) : 0;
    return true;
}

bool dataset_is_fann(const char *text, size_t bytes, bool is_named)
{
    size_t sizes[3], words;
    struct line first;
    return look_at(text, bytes, 3, sizes, &first, &words) &&
           !memchr(first.begin, ',', (size_t)(first.end - first.begin)) &&
           (are_positive(sizes, 3) ? is_named || (words == sizes[1] && words != 3) : is_named && words != 3);
}

bool dataset_is_thesis(const char *text, size_t bytes)
{
    size_t sizes[2], words;
    struct line first;
    return look_at(text, bytes, 2, sizes, &first, &words) && are_positive(sizes, 2) &&
           words == sizes[0] + sizes[1];
}

/* Reading --------------------------------------------------------------------------------------------------
 */

struct numbers {
    struct cursor cursor;
    struct shoal_dataset *dataset;
    size_t columns;
    double *row;
};

static enum shoal_status declare(struct numbers *numbers, size_t columns, size_t first_target, size_t targets,
                                 const struct shoal_dataset_params *params)
{
    struct shoal_dataset *dataset = numbers->dataset;
    enum shoal_status status = dataset_declare(dataset, columns);
    for (size_t c = first_target; c < first_target + targets && !status; c++)
        dataset->columns[c].face.is_target = true;
    numbers->columns = columns;
    numbers->row = malloc(columns * sizeof *numbers->row);
    if (!status && !numbers->row)
        status = fail_host_memory(dataset->error);
    return status ? status : dataset_choose(dataset, params);
}

static enum shoal_status read_number(const struct numbers *numbers, struct word word, size_t c)
{
    const struct shoal_dataset *dataset = numbers->dataset;
    double *value = &numbers->row[c];
    *value = NAN;
    if (dataset->columns[c].choice == CHOICE_IGNORED || word_is(word, "?"))
        return SHOAL_OK;
    const bool is_number = decimal_read(word.begin, value) == word.end;
    if (is_number && isfinite(*value))
        return SHOAL_OK;
    return fail(dataset->error, SHOAL_IO, "%s: row %zu (line %zu), column %zu: '%s' is not %s", dataset->name,
                dataset->info.rows + 1, numbers->cursor.line, c + 1, word_show(word).text,
                is_number || word_is_not_finite(word) ? "finite; a missing number is ?" : "a number");
}

static bool begin(struct numbers *numbers, struct shoal_dataset *dataset, const char *text, size_t bytes,
                  struct line *line)
{
    *numbers = (struct numbers){
        .cursor = {.name = dataset->name, .at = text, .end = text + bytes, .error = dataset->error},
        .dataset = dataset};
    cursor_skip_mark(&numbers->cursor);
    return next_line(&numbers->cursor, line);
}

static enum shoal_status read_fann_rows(struct numbers *numbers, const size_t *sizes)
{
    struct shoal_dataset *dataset = numbers->dataset;
    enum shoal_status status = SHOAL_OK;
    size_t c = 0, count = 0;
    struct line line;
    struct word word;
    while (!status && next_line(&numbers->cursor, &line))
        while (!status && next_word(&line, &word)) {
            count++;
            if (dataset->info.rows < sizes[0])
                status = read_number(numbers, word, c++);
            if (!status && c == numbers->columns) {
                status = dataset_add_numbers(dataset, numbers->row);
                c = 0;
            }
        }
    if (!status && count != sizes[0] * numbers->columns)
        status = fail(dataset->error, SHOAL_IO,
                      "%s: its first line declares %s of %s and %s, %zu numbers; there are %zu",
                      dataset->name, counted(sizes[0], "row").s, counted(sizes[1], "input").s,
                      counted(sizes[2], "target").s, sizes[0] * numbers->columns, count);
    return status;
}

enum shoal_status dataset_read_fann(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                    const char *text, size_t bytes)
{
    struct numbers numbers;
    struct line line;
    size_t sizes[3];
    if (!begin(&numbers, dataset, text, bytes, &line) || !read_sizes(line, 3, sizes))
        return fail(dataset->error, SHOAL_IO,
                    "%s: line %zu is not ROWS INPUTS TARGETS, three numbers from 1 on", dataset->name,
                    numbers.cursor.line);
    if (!are_positive(sizes, 3))
        return fail(dataset->error, SHOAL_IO,
                    "%s: its first line declares %s of %s and %s; each must be 1 or more", dataset->name,
                    counted(sizes[0], "row").s, counted(sizes[1], "input").s, counted(sizes[2], "target").s);
    /* A number and a blank take at least two bytes of the file. */
    const double needed = (double)sizes[0] * ((double)sizes[1] + (double)sizes[2]);
    enum shoal_status status = SHOAL_OK;
    if (needed > (double)bytes / 2)
        status = fail(dataset->error, SHOAL_IO,
                      "%s: its first line declares %s of %s and %s, which %zu bytes cannot hold",
                      dataset->name, counted(sizes[0], "row").s, counted(sizes[1], "input").s,
                      counted(sizes[2], "target").s, bytes);
    if (!status)
        status = declare(&numbers, sizes[1] + sizes[2], sizes[1], sizes[2], params);
    if (!status)
        status = read_fann_rows(&numbers, sizes);
    free(numbers.row);
    return status;
}

static enum shoal_status read_thesis_row(struct numbers *numbers, struct line line)
{
    const struct shoal_dataset *dataset = numbers->dataset;
    const size_t count = count_words(line);
    enum shoal_status status = SHOAL_OK;
    struct word word;
    if (count != numbers->columns)
        return fail(dataset->error, SHOAL_IO,
                    "%s: row %zu (line %zu) has %zu number%s, the first line declares %zu", dataset->name,
                    dataset->info.rows + 1, numbers->cursor.line, count, count == 1 ? "" : "s",
                    numbers->columns);
    for (size_t c = 0; c < count && !status && next_word(&line, &word); c++)
        status = read_number(numbers, word, c);
    return status ? status : dataset_add_numbers(numbers->dataset, numbers->row);
}

enum shoal_status dataset_read_thesis(struct shoal_dataset *dataset,
                                      const struct shoal_dataset_params *params, const char *text,
                                      size_t bytes)
{
    struct numbers numbers;
    struct line line;
    size_t sizes[2];
    if (!begin(&numbers, dataset, text, bytes, &line) || !read_sizes(line, 2, sizes) ||
        !are_positive(sizes, 2))
        return fail(dataset->error, SHOAL_IO, "%s: line %zu is not TARGETS, INPUTS, two numbers from 1 on",
                    dataset->name, numbers.cursor.line);
    enum shoal_status status = SHOAL_OK;
    if ((double)sizes[0] + (double)sizes[1] > (double)bytes / 2)
        status = fail(dataset->error, SHOAL_IO,
                      "%s: its first line declares %s and %s, of which %zu bytes cannot hold a row",
                      dataset->name, counted(sizes[0], "target").s, counted(sizes[1], "input").s, bytes);
    if (!status)
        status = declare(&numbers, sizes[0] + sizes[1], 0, sizes[0], params);
    while (!status && next_line(&numbers.cursor, &line))
        status = read_thesis_row(&numbers, line);
    free(numbers.row);
    return status;
}
