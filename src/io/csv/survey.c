/* Decides by the rows below a first line whether that line has names of columns. Whole columns are read,
 * since a word in the last row can decide. A column is open as long as it may decide. A pass over one column
 * costs little more than finding the ends of lines; so after some first rows, which leave few columns open,
 * the first open column is examined alone, and the other open columns only if the first one does not
 * decide. */
#include "io/csv/survey.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FIRST_ROWS = 200,     /* enough rows to rule out most columns */
    WORDS_MOST = 1 << 12, /* different words of a column that are remembered */
    WORDS_FIRST = 1 << 6
};

enum shoal_status csv_next_row(const struct csv_text *text, char separator, size_t *line_number,
                               struct line *line, struct shoal_error *error)
{
    enum shoal_status status;
    do {
        status = text->next(text->state, line, error);
        ++*line_number;
    } while (!status && line->begin && !line_is_row(line, separator));
    return status;
}

/* Words that repeat -------------------------------------------------------------------------------------- */

/* A set of hashes of words, with open addressing; 0: the slot is free. The lowest bit says that the word
 * occurred twice. */
struct words {
    uint64_t *slots;
    size_t room, count, repeated;
};

static uint64_t *find_slot(const struct words *words, uint64_t hash)
{
    size_t slot = hash >> 1 & (words->room - 1);
    while (words->slots[slot] && (words->slots[slot] | 1) != (hash | 1))
        slot = (slot + 1) & (words->room - 1);
    return &words->slots[slot];
}

static bool grow(struct words *words)
{
    struct words larger = {.room = words->room ? 2 * words->room : WORDS_FIRST,
                           .count = words->count,
                           .repeated = words->repeated};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < words->room; i++)
        if (words->slots[i])
            *find_slot(&larger, words->slots[i]) = words->slots[i];
    free(words->slots);
    *words = larger;
    return true;
}

static uint64_t hash_of(struct word word)
{
    return XXH3_64bits(word.begin, (size_t)(word.end - word.begin)) << 1 | 2;
}

/* Notes a word. About `most` different words are remembered. False: there is no memory. */
static bool note_word(struct words *words, struct word word, size_t most)
{
    const uint64_t hash = hash_of(word);
    if (2 * words->count >= words->room && words->room < 2 * most && !grow(words))
        return false;
    uint64_t *slot = find_slot(words, hash);
    if (*slot) {
        words->repeated += !(*slot & 1);
        *slot |= 1;
    } else if (2 * words->count < words->room) {
        *slot = hash & ~UINT64_C(1);
        words->count++;
    }
    return true;
}

static bool has_word(const struct words *words, struct word word)
{
    return words->room && *find_slot(words, hash_of(word));
}

/* Passes ------------------------------------------------------------------------------------------------- */

struct pass;
/* Looks at a field of a column; false: the column cannot decide any more. */
typedef bool look(struct pass *pass, size_t column, struct word field);

struct pass {
    const struct csv_first *first;
    look *look;
    bool *open;           /* columns that are examined */
    struct words *words;  /* words of each column; NULL: not needed */
    bool *has_words;      /* [columns]: the column has a word below the first line; NULL: not needed */
    struct words entries; /* words of the first line, where needed */
    bool is_from_one;     /* indices count from 1 */
    size_t row;
    bool has_ended; /* the pass has reached the end of the text, and did not stop before */
    bool has_memory;
};

static size_t last_open(const struct pass *pass)
{
    size_t end = pass->first->columns;
    while (end && !pass->open[end - 1])
        end--;
    return end;
}

/* Examines the open columns in the first `most` rows below the first line, until no column is open. */
static enum shoal_status go_through(struct pass *pass, size_t most, struct shoal_error *error)
{
    const struct csv_first *first = pass->first;
    const char separator = first->style.separator;
    size_t number = 0, end = last_open(pass);
    struct line line;
    struct word field;
    enum shoal_status status = first->text->rewind(first->text->state, error);
    pass->has_memory = true;
    pass->has_ended = false;
    for (pass->row = 0; !status && end && pass->row < most && pass->has_memory;) {
        status = csv_next_row(first->text, separator, &number, &line, error);
        if (status || !line.begin) {
            pass->has_ended = !status;
            break;
        }
        if (number <= first->line)
            continue;
        bool has_closed = false;
        for (size_t c = 0; c < end && line_field(&line, separator, &field); c++)
            if (pass->open[c] && !pass->look(pass, c, field)) {
                pass->open[c] = false;
                has_closed = true;
            }
        end = has_closed ? last_open(pass) : end;
        pass->row++;
    }
    return status || pass->has_memory ? status : fail_host_memory(error);
}

static enum field_kind kind_of(const struct pass *pass, struct word field)
{
    double value;
    return field_kind(&pass->first->style, pass->first->rules->missing, field, &value);
}

/* Keeps a column open while no field below the first line is a word; the first line may then hold the names
 * of columns of numbers. An amount such as "13 %" closes a column if the first line has an amount there, too,
 * since "12 %" is not a name of amounts. */
static bool is_no_word(struct pass *pass, size_t column, struct word field)
{
    const enum field_kind kind = kind_of(pass, field);
    return kind != FIELD_WORD && (kind != FIELD_AMOUNT || pass->first->kinds[column] != FIELD_AMOUNT);
}

static bool are_same(struct word a, struct word b)
{
    const size_t length = (size_t)(a.end - a.begin);
    return length == (size_t)(b.end - b.begin) && memcmp(a.begin, b.begin, length) == 0;
}

/* Keeps a column open while its fields are words other than its word in the first line. */
static bool is_other_word(struct pass *pass, size_t column, struct word field)
{
    const enum field_kind kind = kind_of(pass, field);
    if (kind == FIELD_MISSING)
        return true;
    field = field_inside(field);
    if (kind == FIELD_NUMBER || are_same(field, pass->first->entries[column]) ||
        (kind == FIELD_AMOUNT && pass->first->kinds[column] == FIELD_AMOUNT))
        return false;
    pass->has_words[column] = true;
    pass->has_memory =
        pass->words[column].repeated >= 2 || note_word(&pass->words[column], field, WORDS_MOST);
    return true;
}

/* Keeps a column open while its fields are words that the first line does not have. */
static bool is_in_no_entry(struct pass *pass, size_t column, struct word field)
{
    const enum field_kind kind = kind_of(pass, field);
    if (kind != FIELD_WORD && (kind != FIELD_AMOUNT || pass->first->kinds[column] == FIELD_AMOUNT))
        return kind == FIELD_MISSING;
    return !has_word(&pass->entries, field_inside(field));
}

static bool is_whole(struct pass *pass, size_t column, struct word field)
{
    double value = 0;
    (void)column;
    const enum field_kind kind = field_kind(&pass->first->style, pass->first->rules->missing, field, &value);
    return kind == FIELD_MISSING || (kind == FIELD_NUMBER && (isinf(value) || value == floor(value)));
}

/* Keeps a column open while its fields are 0, 1, 2 ..., or 1, 2, 3 ... */
static bool is_number_of_row(struct pass *pass, size_t column, struct word field)
{
    double value = 0;
    (void)column;
    if (field_kind(&pass->first->style, pass->first->rules->missing, field, &value) != FIELD_NUMBER)
        return false;
    if (pass->row == 0)
        pass->is_from_one = value == 1;
    return value == (double)pass->row + pass->is_from_one;
}

/* Decisions ---------------------------------------------------------------------------------------------- */

/* Whether a column that is still open after all rows decides. */
typedef bool fit(const struct pass *pass, size_t column);

static bool fits_any(const struct pass *pass, size_t column)
{
    (void)pass;
    (void)column;
    return true;
}

static bool fits_repeated(const struct pass *pass, size_t column)
{
    return pass->words[column].repeated >= 2;
}

static void forget_words(struct pass *pass)
{
    for (size_t c = 0; c < pass->first->columns && pass->words; c++) {
        pass->has_words[c] = false;
        pass->words[c].count = pass->words[c].repeated = 0;
        if (pass->words[c].slots)
            memset(pass->words[c].slots, 0, pass->words[c].room * sizeof *pass->words[c].slots);
    }
}

/* Result of a search for a column that decides. */
struct found {
    size_t fitting, open; /* fitting: a column that decides; open: a column that is still open; SIZE_MAX:
                           * none */
};

static void evaluate(const struct pass *pass, fit *fits, struct found *found)
{
    for (size_t c = pass->first->columns; c-- > 0;) {
        if (pass->open[c] && fits(pass, c))
            found->fitting = c;
        if (pass->open[c] && (!pass->has_words || pass->has_words[c]))
            found->open = c;
    }
}

/* Finds an open column that decides. Reads the first rows of all columns, then all rows of one column, then,
 * if this column does not decide, all rows of the other open columns together. */
static enum shoal_status find_column(struct pass *pass, fit *fits, struct found *found,
                                     struct shoal_error *error)
{
    const size_t columns = pass->first->columns;
    *found = (struct found){SIZE_MAX, SIZE_MAX};
    enum shoal_status status = go_through(pass, FIRST_ROWS, error);
    if (status || pass->has_ended || !last_open(pass)) {
        evaluate(pass, fits, found);
        return status;
    }
    bool *others = calloc(columns, sizeof *others);
    if (!others)
        return fail_host_memory(error);
    size_t one = 0;
    while (!pass->open[one])
        one++;
    for (size_t c = one + 1; c < columns; c++) {
        others[c] = pass->open[c];
        pass->open[c] = false;
    }
    forget_words(pass);
    status = go_through(pass, SIZE_MAX, error);
    evaluate(pass, fits, found);
    if (!status && found->fitting == SIZE_MAX) {
        memcpy(pass->open, others, columns * sizeof *others);
        forget_words(pass);
        status = go_through(pass, SIZE_MAX, error);
        evaluate(pass, fits, found);
    }
    free(others);
    return status;
}

static bool is_word(enum field_kind kind)
{
    return kind == FIELD_WORD || kind == FIELD_AMOUNT;
}

/* Opens the columns that have a word in the first line. */
static void open_words(struct pass *pass)
{
    for (size_t c = 0; c < pass->first->columns; c++)
        pass->open[c] = is_word(pass->first->kinds[c]);
}

static bool has_kind(const struct csv_first *first, enum field_kind kind)
{
    for (size_t c = 0; c < first->columns; c++)
        if (first->kinds[c] == kind)
            return true;
    return false;
}

/* Notes the words of the first line; *differ: no two words are equal. */
static enum shoal_status note_entries(struct pass *pass, bool *differ, struct shoal_error *error)
{
    for (size_t c = 0; c < pass->first->columns; c++)
        if (!note_word(&pass->entries, pass->first->entries[c], SIZE_MAX / 2))
            return fail_host_memory(error);
    *differ = !pass->entries.repeated;
    return SHOAL_OK;
}

/* *over_words: whether all columns are words, except perhaps an index under an empty first entry, and the
 * words of the first line occur nowhere else. */
static enum shoal_status decide_over_words(struct pass *pass, bool *over_words, struct shoal_error *error)
{
    const struct csv_first *first = pass->first;
    const bool is_behind_empty = first->columns > 1 && first->entries[0].begin == first->entries[0].end;
    bool are = true;
    enum shoal_status status = SHOAL_OK;
    for (size_t c = is_behind_empty; c < first->columns; c++)
        are = are && is_word(first->kinds[c]);
    if (are && is_behind_empty)
        status = csv_first_has_index(first, &are, error);
    if (!status && are)
        status = note_entries(pass, &are, error);
    if (status || !are)
        return status;
    open_words(pass);
    pass->look = is_in_no_entry;
    status = go_through(pass, SIZE_MAX, error);
    for (size_t c = is_behind_empty; c < first->columns; c++)
        are = are && pass->open[c];
    *over_words = !status && are;
    return status;
}

static enum shoal_status decide_by_words(struct pass *pass, enum csv_reason *reason, size_t *column,
                                         struct shoal_error *error)
{
    const struct csv_first *first = pass->first;
    const size_t columns = first->columns;
    struct found found;
    enum shoal_status status = SHOAL_OK;
    if (!has_kind(first, FIELD_NUMBER)) {
        open_words(pass);
        pass->look = is_no_word;
        status = find_column(pass, fits_any, &found, error);
        *column = found.fitting;
        *reason = CSV_NAMES_OVER_NUMBERS;
        if (status || found.fitting != SIZE_MAX)
            return status;
    }
    pass->words = calloc(columns, sizeof *pass->words);
    pass->has_words = calloc(columns, sizeof *pass->has_words);
    if (!pass->words || !pass->has_words)
        return fail_host_memory(error);
    open_words(pass);
    pass->look = is_other_word;
    status = find_column(pass, fits_repeated, &found, error);
    *column = found.fitting;
    *reason = CSV_NAMES_OVER_CLASSES;
    if (status || found.fitting != SIZE_MAX)
        return status;
    *column = found.open;
    *reason = found.open == SIZE_MAX ? CSV_ROW : CSV_ROW_WITH_WORD;
    bool over_words = false;
    status = decide_over_words(pass, &over_words, error);
    if (over_words)
        *reason = CSV_NAMES_OVER_WORDS;
    return status;
}

/* Whether the line is 0 .. k - 1 or 1 .. k, perhaps after an empty entry. */
static bool is_count(const struct csv_first *first, bool *is_behind_empty, size_t *count)
{
    double base = 0, value;
    *is_behind_empty = first->columns > 1 && first->entries[0].begin == first->entries[0].end;
    *count = first->columns - *is_behind_empty;
    for (size_t i = 0; i < *count; i++) {
        const struct word entry = first->entries[i + *is_behind_empty];
        if (field_kind(&first->style, first->rules->missing, entry, &value) != FIELD_NUMBER)
            return false;
        base = i ? base : value;
        if ((base != 0 && base != 1) || value != base + (double)i)
            return false;
    }
    return *count > 0;
}

static enum shoal_status count_rows(const struct csv_first *first, size_t most, size_t *rows,
                                    struct shoal_error *error)
{
    size_t number = 0;
    struct line line;
    enum shoal_status status = first->text->rewind(first->text->state, error);
    for (*rows = 0; !status && *rows <= most;) {
        status = csv_next_row(first->text, first->style.separator, &number, &line, error);
        if (status || !line.begin)
            break;
        *rows += number > first->line;
    }
    return status;
}

static enum shoal_status decide_by_count(struct pass *pass, bool is_behind_empty, size_t count,
                                         enum csv_reason *reason, struct shoal_error *error)
{
    const struct csv_first *first = pass->first;
    size_t rows = 0;
    for (size_t c = 0; c < first->columns; c++)
        pass->open[c] = c >= is_behind_empty;
    if (!is_behind_empty && count < 2)
        return SHOAL_OK;
    enum shoal_status status = SHOAL_OK;
    if (first->rules->may_be_matrix && !is_behind_empty && word_is(first->entries[0], "0"))
        status = count_rows(first, count, &rows, error);
    if (status || (rows && rows == count - 1))
        return status;
    pass->look = is_whole;
    status = go_through(pass, SIZE_MAX, error);
    bool has_other = false;
    for (size_t c = is_behind_empty; c < first->columns; c++)
        has_other = has_other || !pass->open[c];
    if (!status && has_other)
        *reason = is_behind_empty || count >= 3 ? CSV_NAMES_COUNT : CSV_ROW_OF_TWO;
    return status;
}

enum shoal_status csv_first_decide(const struct csv_first *first, enum csv_reason *reason, size_t *column,
                                   struct shoal_error *error)
{
    struct pass pass = {.first = first, .open = calloc(first->columns + 1, sizeof *pass.open)};
    bool is_behind_empty;
    size_t count;
    enum shoal_status status = pass.open ? SHOAL_OK : fail_host_memory(error);
    *reason = CSV_ROW;
    *column = SIZE_MAX;
    if (!status && is_count(first, &is_behind_empty, &count))
        status = decide_by_count(&pass, is_behind_empty, count, reason, error);
    else if (!status && (has_kind(first, FIELD_WORD) || has_kind(first, FIELD_AMOUNT)))
        status = decide_by_words(&pass, reason, column, error);
    for (size_t c = 0; c < first->columns && pass.words; c++)
        free(pass.words[c].slots);
    free(pass.words);
    free(pass.entries.slots);
    free(pass.has_words);
    free(pass.open);
    return status;
}

/* Other properties of the rows --------------------------------------------------------------------------- */

enum shoal_status csv_first_has_index(const struct csv_first *first, bool *has_index,
                                      struct shoal_error *error)
{
    bool open = true;
    const struct csv_first alone = {
        .text = first->text, .rules = first->rules, .style = first->style, .line = first->line, .columns = 1};
    struct pass pass = {.first = &alone, .look = is_number_of_row, .open = &open};
    enum shoal_status status = go_through(&pass, SIZE_MAX, error);
    *has_index = open && pass.row > 0;
    return status;
}

enum shoal_status csv_first_find_columns(const struct csv_first *first, size_t least, size_t most,
                                         size_t *columns, struct shoal_error *error)
{
    const char separator = first->style.separator;
    size_t number = 0;
    struct line line;
    enum shoal_status status = SHOAL_OK;
    *columns = least;
    if (least < most)
        status = first->text->rewind(first->text->state, error);
    while (!status && *columns < most) {
        status = csv_next_row(first->text, separator, &number, &line, error);
        if (status || !line.begin)
            break;
        /* A row of `most` fields can raise *columns only if fewer than most - *columns fields at its end are
         * empty. */
        if (number <= first->line || line_empty_end(line, separator) >= most - *columns)
            continue;
        const size_t filled = line_filled_count(line, separator);
        *columns = filled < *columns ? *columns : filled < most ? filled : most;
    }
    return status;
}
