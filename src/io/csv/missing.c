/* Words in fields that stand for a missing value. */
#include "base/error.h"
#include "io/csv/choice.h"
#include "io/csv/fields.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum shoal_status csv_missing_read(const char *text, struct csv_missing *missing, struct shoal_error *error)
{
    *missing = (struct csv_missing){.text = text ? strdup(text) : NULL};
    if (!text)
        return SHOAL_OK;
    const size_t most = strlen(text) + 1; /* most words: one more than there are commas */
    missing->words = malloc((most + 1) * sizeof *missing->words);
    missing->numbers = malloc((most + 1) * sizeof *missing->numbers);
    if (!missing->text || !missing->words || !missing->numbers)
        return fail_host_memory(error);
    struct column_list list = {.at = missing->text, .option = "missing-values", .error = error};
    enum shoal_status status = SHOAL_OK;
    do {
        struct word *word = &missing->words[missing->count];
        double *number = &missing->numbers[missing->count];
        status = column_list_word(&list, word);
        if (status)
            break;
        *number = NAN;
        if (decimal_read(word->begin, number) != word->end)
            *number = NAN;
        missing->has_numbers = missing->has_numbers || !isnan(*number);
        missing->count++;
        status = column_list_end_entry(&list);
    } while (!status && column_list_next(&list));
    return status;
}

void csv_missing_free(struct csv_missing *missing)
{
    free(missing->words);
    free(missing->numbers);
    free(missing->text);
    *missing = (struct csv_missing){.text = NULL};
}

static bool is_nan(struct word field)
{
    return field.end - field.begin == 3 && strncasecmp(field.begin, "nan", 3) == 0;
}

static bool is_one_of(struct word field, const char *const *words)
{
    for (; *words; words++)
        if (word_is(field, *words))
            return true;
    return false;
}

/* Whether a field is one of the usual words for a missing value: a word of pandas 2, or ? as in the UCI
 * repository. */
static bool is_usual(struct word field)
{
    static const char *const with_n[] = {"NA", "N/A", "n/a", "null", "NULL", "None", NULL},
                             *const others[] = {"?",    "#N/A",   "#NA",     "#N/A N/A", "<NA>",     "-NaN",
                                                "-nan", "1.#IND", "-1.#IND", "1.#QNAN",  "-1.#QNAN", NULL};
    enum { LONGEST = 8 };
    const char first = *field.begin;
    if (field.end - field.begin > LONGEST)
        return false;
    if (first == 'N' || first == 'n')
        return is_nan(field) || is_one_of(field, with_n);
    if (first >= '0' && first <= '9' && (field.end - field.begin < 6 || field.begin[2] != '#'))
        return false;
    return strchr("?#<-1", first) && is_one_of(field, others);
}

static bool is_listed(const struct csv_missing *missing, struct word field)
{
    double number;
    if (missing->has_numbers && decimal_read(field.begin, &number) == field.end)
        for (size_t i = 0; i < missing->count; i++)
            if (missing->numbers[i] == number)
                return true;
    for (size_t i = 0; i < missing->count; i++) {
        const struct word word = missing->words[i];
        const size_t length = (size_t)(word.end - word.begin);
        if (length == (size_t)(field.end - field.begin) && memcmp(word.begin, field.begin, length) == 0)
            return true;
    }
    return false;
}

bool field_is_missing(const struct csv_missing *missing, struct word field)
{
    const struct word content = field_inside(field);
    if (content.begin == content.end)
        return true;
    if (missing && missing->text)
        return is_listed(missing, content);
    return content.begin == field.begin ? is_usual(field) : word_is(content, "?") || is_nan(content);
}
