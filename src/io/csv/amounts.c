#include "io/csv/amounts.h"

#include "io/decimal.h"

#include <string.h>

enum { DIGITS_MOST = 128 };

/* Finds the text in a list, ended by NULL, with which `word` begins; NULL: there is none. */
static const char *begins_with(struct word word, const char *const *texts)
{
    const size_t length = (size_t)(word.end - word.begin);
    for (; *texts; texts++)
        if (strlen(*texts) <= length && memcmp(word.begin, *texts, strlen(*texts)) == 0)
            return *texts;
    return NULL;
}

static const char *ends_with(struct word word, const char *const *texts)
{
    const size_t length = (size_t)(word.end - word.begin);
    for (; *texts; texts++) {
        const size_t own = strlen(*texts);
        if (own <= length && memcmp(word.end - own, *texts, own) == 0)
            return *texts;
    }
    return NULL;
}

/* Signs of percent, dollar, euro, pound, yen, rupee, won and rouble. */
static const char *const signs[] = {
    "%", "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xe2\x82\xb9", "\xe2\x82\xa9", "\xe2\x82\xbd", NULL};
/* Blanks that separate groups of digits: the plain blank, the wide and the narrow no-break space, also in
 * Latin-1, and the thin space. */
static const char *const blanks[] = {" ", "\xc2\xa0", "\xe2\x80\xaf", "\xa0", "\xe2\x80\x89", NULL};
static const char *const apostrophes[] = {"'", "\xe2\x80\x99", NULL};

static void skip_blanks(struct word *word)
{
    const char *blank;
    while ((blank = begins_with(*word, blanks)))
        word->begin += strlen(blank);
    while ((blank = ends_with(*word, blanks)))
        word->end -= strlen(blank);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t count_digits(struct word word)
{
    size_t count = 0;
    while (word.begin + count < word.end && is_digit(word.begin[count]))
        count++;
    return count;
}

/* Removes the mark between two groups of digits and returns it: ',' '.' '_', '\'' for all apostrophes, ' '
 * for all blanks; '\\0': there is no mark. */
static char take_mark(struct word *word)
{
    const char *text;
    if (word->begin == word->end)
        return '\0';
    const char first = *word->begin;
    if (first == ',' || first == '.' || first == '_') {
        word->begin++;
        return first;
    }
    if ((text = begins_with(*word, blanks)) || (text = begins_with(*word, apostrophes))) {
        word->begin += strlen(text);
        return text[0] == '\'' || text == apostrophes[1] ? '\'' : ' ';
    }
    return '\0';
}

/* The text of a number in the form of C: sign, digits without marks between groups, and a point as decimal
 * mark. */
struct digits {
    char text[DIGITS_MOST + 1];
    size_t count;
};

static void add_digits(struct digits *digits, const char *from, size_t count)
{
    memcpy(digits->text + digits->count, from, count);
    digits->count += count;
}

/* Takes "1,234", "12,34,567" or "1 234 567": groups of three digits, or of two before the last group, as in
 * India. False: there are no groups, and nothing is taken. */
static bool take_groups(struct word *word, struct digits *digits, struct amount *amount)
{
    struct word rest = *word;
    struct digits taken = *digits;
    const size_t first = count_digits(rest);
    size_t groups = 0, last = 3;
    if (first < 1 || first > 3 || *rest.begin == '0')
        return false;
    add_digits(&taken, rest.begin, first);
    rest.begin += first;
    for (;; groups++) {
        struct word next = rest;
        const char mark = take_mark(&next);
        const size_t count = count_digits(next);
        if (!mark || (groups && mark != amount->group))
            break;
        if (count != 3 && !(count == 2 && mark == ',' && first <= 2))
            break;
        amount->group = mark;
        add_digits(&taken, next.begin, count);
        rest.begin = next.begin + count;
        last = count;
    }
    const bool is_end = rest.begin == rest.end || *rest.begin == '.' || *rest.begin == ',';
    if (!groups || last != 3 || !is_end) {
        amount->group = '\0';
        return false;
    }
    amount->is_open = groups == 1 && rest.begin == rest.end && (amount->group == ',' || amount->group == '.');
    *digits = taken;
    *word = rest;
    return true;
}

/* Takes the rest of a number, its digits, a decimal mark and an exponent, and sets *value. False: the word is
 * no number. */
static bool take_rest(struct word word, struct digits *digits, struct amount *amount, double *value)
{
    size_t count = count_digits(word);
    add_digits(digits, word.begin, count);
    word.begin += count;
    if (word.begin < word.end && (*word.begin == '.' || *word.begin == ',')) {
        if (*word.begin == amount->group ||
            (*word.begin == ',' && (word.end - word.begin < 2 || !is_digit(word.begin[1]))))
            return false;
        amount->decimal = *word.begin++;
        add_digits(digits, ".", 1);
    }
    add_digits(digits, word.begin, (size_t)(word.end - word.begin));
    digits->text[digits->count] = '\0';
    return digits->count && decimal_read(digits->text, value) == digits->text + digits->count;
}

/* Removes a sign of percent or currency, and the blanks around it; false: there are two signs. */
static bool take_sign(struct word *word, struct amount *amount)
{
    skip_blanks(word);
    const char *before = begins_with(*word, signs), *behind = ends_with(*word, signs);
    if (before && (behind || before == signs[0]))
        return false;
    word->begin += before ? strlen(before) : 0;
    word->end -= behind ? strlen(behind) : 0;
    amount->sign = before ? before : behind;
    skip_blanks(word);
    return true;
}

/* Can the word be a number, by its length and its first character? Most words end the call of amount_read
 * here. */
static bool may_be_number(struct word word)
{
    const size_t length = (size_t)(word.end - word.begin);
    return length && length <= DIGITS_MOST &&
           (is_digit(*word.begin) || strchr("+-., $", *word.begin) || (unsigned char)*word.begin >= 0x80) &&
           *word.begin;
}

bool amount_read(struct word field, struct amount *amount)
{
    struct digits digits = {.count = 0}, open;
    *amount = (struct amount){.sign = NULL};
    if (!may_be_number(field))
        return false;
    bool is_signed = false;
    for (int side = 0; side < 2; side++) { /* both -$5 and $-5 are numbers */
        if (!is_signed && field.begin < field.end && (*field.begin == '-' || *field.begin == '+')) {
            add_digits(&digits, field.begin++, 1);
            is_signed = true;
        }
        if (!side && !take_sign(&field, amount))
            return false;
    }
    if (field.begin == field.end || (!is_digit(*field.begin) && *field.begin != '.' && *field.begin != ','))
        return false;
    open = digits;
    const struct word whole = field;
    take_groups(&field, &digits, amount);
    if (!take_rest(field, &digits, amount, &amount->value))
        return false;
    amount->open_value = amount->value;
    struct amount other = {.sign = NULL};
    return !amount->is_open || take_rest(whole, &open, &other, &amount->open_value);
}

bool amount_is_sure(const struct amount *amount)
{
    if (amount->sign)
        return false;
    return amount->group == ',' || (amount->decimal == ',' && (!amount->group || amount->group == '.'));
}
