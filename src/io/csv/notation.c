#include "io/csv/notation.h"

#include "base/error.h"
#include "io/csv/amounts.h"
#include "io/csv/survey.h"
#include "io/decimal.h"

#include <math.h>
#include <stdlib.h>

/* Marks inside numbers. Each mark is a bit, so that a set of marks is a number. */
enum mark { POINT = 1, COMMA = 2, BLANK = 4, APOSTROPHE = 8, UNDERSCORE = 16 };

struct evidence {
    /* decimals: marks that are certain to be decimal marks; groups: marks that are certain to separate
     * groups */
    unsigned decimals, groups;
    unsigned open;    /* marks that may be either of the two */
    const char *sign; /* currency or percent sign of the first number that has one */
    /* has_plain_sign: a number has no sign; has_other_sign: a number has another sign than `sign` */
    bool has_plain_sign, has_other_sign;
};

static unsigned bit_of(char mark)
{
    switch (mark) {
    case '.':
        return POINT;
    case ',':
        return COMMA;
    case ' ':
        return BLANK;
    case '\'':
        return APOSTROPHE;
    case '_':
        return UNDERSCORE;
    default:
        return 0;
    }
}

static void add_evidence(struct evidence *evidence, const struct amount *amount)
{
    evidence->decimals |= bit_of(amount->decimal);
    *(amount->is_open ? &evidence->open : &evidence->groups) |= bit_of(amount->group);
    evidence->has_plain_sign = evidence->has_plain_sign || !amount->sign;
    evidence->has_other_sign =
        evidence->has_other_sign || (evidence->sign && amount->sign && evidence->sign != amount->sign);
    evidence->sign = evidence->sign ? evidence->sign : amount->sign;
}

static const char *fault_of_signs(const struct evidence *evidence)
{
    if (evidence->has_other_sign)
        return "and other numbers of its column have different signs of percent or currency: give each sign "
               "a "
               "column of its own";
    return evidence->sign && evidence->has_plain_sign
               ? "and other numbers of its column: some have a sign of percent or currency, some have none: "
                 "write all with it, or all without"
               : NULL;
}

/* Why the numbers of a column cannot be read, as a part of a message; NULL: they can be read. */
static const char *find_fault(const struct csv_style *style, const struct evidence *evidence)
{
    const bool has_commas = style->has_decimal_commas;
    /* kinds: the lowest bit of `groups`, which equals `groups` unless there are marks of several kinds */
    const unsigned groups = evidence->groups, kinds = groups & ~(unsigned)(groups - 1);
    if (!has_commas && (evidence->decimals & COMMA || (evidence->open & COMMA && groups & POINT)))
        return style->separator == ','
                   ? "has a decimal comma, and commas separate the columns: save the file with semicolons "
                     "between columns, or with decimal points"
                   : "has a decimal comma, and other numbers have decimal points";
    if (has_commas && groups & COMMA)
        return "and other numbers of its column have different decimal marks, points and commas: write all "
               "with one";
    if (has_commas && (evidence->decimals & POINT || (evidence->open & POINT && !(groups & POINT))))
        return "has a decimal point, and other numbers of the columns in use have decimal commas";
    if (groups != kinds || (evidence->open & COMMA && groups & ~(unsigned)COMMA && !has_commas))
        return "and other numbers of its column have different marks between thousands: write all with "
               "one, or without";
    if (!has_commas && groups & POINT && (evidence->decimals | evidence->open) & POINT)
        return "has points between thousands, and other numbers of its column have decimal points: write it "
               "without the "
               "points";
    if (!has_commas && evidence->open & COMMA && !(groups & COMMA) && !(evidence->decimals & POINT))
        return "may have its comma between thousands or for decimals, and no other number of its column says "
               "which: write it without the comma, or with a point";
    return fault_of_signs(evidence);
}

/* Collects the evidence of all columns in one pass over the rows. */
static enum shoal_status look_at_all(struct csv_notations *notations, struct evidence *all,
                                     struct shoal_error *error)
{
    const char separator = notations->style.separator;
    size_t number = 0;
    struct line line;
    struct word field;
    struct amount amount;
    enum shoal_status status = notations->text->rewind(notations->text->state, error);
    while (!status) {
        status = csv_next_row(notations->text, separator, &number, &line, error);
        if (status || !line.begin)
            break;
        if (number < notations->first_line)
            continue;
        for (size_t c = 0; c < notations->columns && line_field(&line, separator, &field); c++) {
            const struct word content = field_inside(field);
            double value;
            if (notations->of[c].has_words || field_is_missing(notations->missing, field))
                continue;
            if (amount_read(content, &amount))
                add_evidence(&all[c], &amount);
            else if (!field_number(&notations->style, content, &value))
                notations->of[c].has_words = true;
        }
    }
    return status;
}

static enum shoal_status look(struct csv_notations *notations, struct shoal_error *error)
{
    struct evidence *all = calloc(notations->columns + 1, sizeof *all);
    notations->of = calloc(notations->columns + 1, sizeof *notations->of);
    enum shoal_status status = all && notations->of ? SHOAL_OK : fail_host_memory(error);
    if (!status)
        status = look_at_all(notations, all, error);
    for (size_t c = 0; c < notations->columns && !status; c++)
        notations->of[c].fault = find_fault(&notations->style, &all[c]);
    free(all);
    if (status)
        csv_notations_free(notations);
    return status;
}

void csv_notations_free(struct csv_notations *notations)
{
    free(notations->of);
    notations->of = NULL;
}

enum shoal_status csv_notation_read(struct csv_notations *notations, size_t column, struct word field,
                                    struct csv_reading *reading, struct shoal_error *error)
{
    struct amount amount;
    *reading = (struct csv_reading){.verdict = CSV_WORD};
    if (!amount_read(field, &amount))
        return SHOAL_OK;
    enum shoal_status status = notations->of ? SHOAL_OK : look(notations, error);
    if (status)
        return status;
    struct csv_notation *notation = &notations->of[column];
    if (notation->has_words && !amount_is_sure(&amount))
        return SHOAL_OK;
    reading->verdict = notation->fault ? CSV_AMOUNT_FAULT : CSV_AMOUNT;
    reading->fault = notation->fault;
    const char decimal = notations->style.has_decimal_commas ? ',' : '.';
    reading->value = amount.is_open && amount.group == decimal ? amount.open_value : amount.value;
    if (!notation->example.text[0]) {
        notation->example = word_show(field);
        notation->value = reading->value;
    }
    return SHOAL_OK;
}

bool csv_notation_note(const struct csv_notations *notations, const char *file, size_t column,
                       const char *name, const char *advice, char **notes)
{
    const struct csv_notation *notation = &notations->of[column];
    return lines_add(notes, "%s: column %zu%s%.60s%s has numbers such as '%s', which is read as %s%s", file,
                     column + 1, name ? " (" : "", name ? name : "", name ? ")" : "", notation->example.text,
                     decimal_text(notation->value, false).s, advice);
}

enum shoal_status csv_field_real(const struct cursor *cursor, struct csv_notations *notations, size_t column,
                                 struct word field, const char *what, double *value)
{
    const struct word content = field_inside(field);
    struct csv_reading reading;
    if (field_number(&notations->style, content, value) && isfinite(*value))
        return SHOAL_OK;
    enum shoal_status status = csv_notation_read(notations, column, content, &reading, cursor->error);
    if (status)
        return status;
    if (reading.verdict == CSV_AMOUNT_FAULT)
        return cursor_fail(cursor, "%s: '%s' %s", what, word_show(content).text, reading.fault);
    if (reading.verdict == CSV_WORD)
        return word_real(cursor, content, what, value);
    *value = reading.value;
    return SHOAL_OK;
}
