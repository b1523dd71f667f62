/* Dependencies between options: checks struct shoal_option.needs and describes it in messages. */
#include "base/error.h"
#include "base/params.h"
#include "workload/checkpoint/saved_options.h"

#include <math.h>
#include <shoal/workload.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of a text. */
struct span {
    const char *text;
    size_t length;
};

struct clause {
    struct span choices; /* values of the option for which the clause holds; length 0: all values */
    struct span terms;
};

/* A term: "NAME=VALUE|VALUE", "NAME>NUMBER", "NAME" or "!NAME". */
struct term {
    struct span name, values;
    bool is_not, is_above;
};

/* A block with the values of all options, and a block with their defaults. */
struct block {
    const struct shoal_option *options;
    size_t count;
    const void *values, *defaults;
};

/* Reading ---------------------------------------------------------------------------------------------- */

/* Moves the part of `rest` before `separator` to `part`; false: `rest` is empty. */
static bool cut(struct span *rest, const char *separator, struct span *part)
{
    if (!rest->text || !rest->length)
        return false;
    const char *end = memmem(rest->text, rest->length, separator, strlen(separator));
    part->text = rest->text;
    part->length = end ? (size_t)(end - rest->text) : rest->length;
    const size_t taken = part->length + (end ? strlen(separator) : 0);
    rest->text += taken;
    rest->length -= taken;
    return true;
}

static struct span whole(const char *text)
{
    return (struct span){text, text ? strlen(text) : 0};
}

static bool next_clause(struct span *rest, struct clause *clause)
{
    struct span part, front;
    if (!cut(rest, ", ", &part))
        return false;
    *clause = (struct clause){.terms = part};
    cut(&part, ": ", &front);
    if (part.length)
        *clause = (struct clause){.choices = front, .terms = part};
    return true;
}

static bool next_term(struct span *rest, struct term *term)
{
    struct span part;
    if (!cut(rest, " or ", &part))
        return false;
    *term = (struct term){.is_not = *part.text == '!'};
    part.text += term->is_not;
    part.length -= term->is_not;
    term->is_above = memchr(part.text, '>', part.length) != NULL;
    cut(&part, term->is_above ? ">" : "=", &term->name);
    term->values = part;
    return true;
}

static bool equals(struct span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.text, text, span.length) == 0;
}

static bool holds_word(struct span list, const char *word)
{
    struct span part;
    while (cut(&list, "|", &part))
        if (equals(part, word))
            return true;
    return false;
}

/* Does the term name this option? "boundary-*" names every option whose name begins with "boundary-" and
 * whose choices include the values. */
static bool is_named(const struct shoal_option *option, const struct term *term)
{
    const size_t length = term->name.length;
    if (term->name.text[length - 1] != '*')
        return equals(term->name, option->name);
    if (option->type != SHOAL_OPTION_CHOICE || strncmp(option->name, term->name.text, length - 1) != 0)
        return false;
    for (size_t i = 0; option->choices[i]; i++)
        if (holds_word(term->values, option->choices[i]))
            return true;
    return false;
}

/* Values ----------------------------------------------------------------------------------------------- */

static bool is_default(const struct shoal_option *option, const struct block *block)
{
    const char *is = (const char *)block->values + option->offset;
    const char *otherwise = (const char *)block->defaults + option->offset;
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        return *(const bool *)is == *(const bool *)otherwise;
    case SHOAL_OPTION_UINT:
        return *(const uint64_t *)is == *(const uint64_t *)otherwise;
    case SHOAL_OPTION_CHOICE:
        return *(const int32_t *)is == *(const int32_t *)otherwise;
    case SHOAL_OPTION_REAL: {
        const double a = *(const double *)is, b = *(const double *)otherwise;
        return a == b || (isnan(a) && isnan(b));
    }
    case SHOAL_OPTION_TEXT: {
        const char *a = *(const char *const *)is, *b = *(const char *const *)otherwise;
        return a == b || (a && b && strcmp(a, b) == 0);
    }
    }
    return true;
}

static const char *choice_of(const struct shoal_option *option, const void *values)
{
    return option->choices[*(const int32_t *)((const char *)values + option->offset)];
}

static bool has_value(const struct shoal_option *option, const struct block *block, const struct term *term)
{
    if (option->type == SHOAL_OPTION_CHOICE)
        return holds_word(term->values, choice_of(option, block->values));
    if (option->type != SHOAL_OPTION_UINT)
        return false;
    const uint64_t value = *(const uint64_t *)((const char *)block->values + option->offset);
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return term->is_above ? value > strtoull(term->values.text, NULL, 10) : holds_word(term->values, text);
}

static bool term_holds(const struct block *block, const struct term *term)
{
    bool any = false;
    for (size_t i = 0; i < block->count && !any; i++) {
        const struct shoal_option *option = &block->options[i];
        if (is_named(option, term))
            any = term->values.length ? has_value(option, block, term) : !is_default(option, block);
    }
    return any != term->is_not;
}

static bool clause_holds(const struct block *block, const struct shoal_option *option,
                         const struct clause *clause)
{
    struct span rest = clause->terms;
    struct term term;
    if (clause->choices.length && !holds_word(clause->choices, choice_of(option, block->values)))
        return true;
    while (next_term(&rest, &term))
        if (term_holds(block, &term))
            return true;
    return false;
}

/* Words ------------------------------------------------------------------------------------------------ */

struct words {
    char *text;
    size_t size, length; /* size: capacity of the text; length: used characters */
};

SHOAL_PRINTF(2, 3) static void add(struct words *words, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(words->text + words->length, words->size - words->length, format, list);
    va_end(list);
    words->length +=
        (size_t)length < words->size - words->length ? (size_t)length : words->size - words->length - 1;
}

/* Adds the separator before item `index` of `count` items: "a", "a or b", "a, b or c". */
static void add_separator(struct words *words, size_t index, size_t count)
{
    if (index)
        add(words, index + 1 == count ? " or " : ", ");
}

static void add_list(struct words *words, struct span list)
{
    struct span part, rest = list;
    size_t count = 0;
    while (cut(&rest, "|", &part))
        count++;
    for (size_t i = 0; cut(&list, "|", &part); i++) {
        add_separator(words, i, count);
        add(words, "%.*s", (int)part.length, part.text);
    }
}

/* Adds a term in words, such as "boundary-x, boundary-y or boundary-z walls". */
static void add_term(struct words *words, const struct block *block, const struct term *term)
{
    size_t count = 0, index = 0;
    for (size_t i = 0; i < block->count; i++)
        count += is_named(&block->options[i], term);
    for (size_t i = 0; i < block->count; i++)
        if (is_named(&block->options[i], term)) {
            add_separator(words, index++, count);
            add(words, "--%s", block->options[i].name);
        }
    if (term->values.length)
        add(words, term->is_above ? " above " : " ");
    add_list(words, term->values);
}

/* Adds a clause in words, such as "needs cut smoothed", or for a clause "!NAME" the word `without` and the
 * name. */
static void add_clause(struct words *words, const struct block *block, const struct clause *clause,
                       const char *without)
{
    struct span rest = clause->terms;
    struct term term;
    for (bool first = true; next_term(&rest, &term); first = false) {
        add(words, "%s ", !first ? " or" : term.is_not ? without : "needs");
        add_term(words, block, &term);
    }
}

/* Is the clause "!NAME", which excludes another option? */
static bool excludes(const struct clause *clause)
{
    return !clause->choices.length && *clause->terms.text == '!' &&
           !memmem(clause->terms.text, clause->terms.length, " or ", 4);
}

/* Adds "not with --a, --b or --c" for the clause and all following clauses that exclude options; removes
 * these clauses from `rest`. */
static void add_excluded(struct words *words, const struct block *block, struct clause clause,
                         struct span *rest)
{
    struct span ahead = *rest;
    struct clause next;
    size_t count = 1;
    while (next_clause(&ahead, &next) && excludes(&next))
        count++;
    add(words, "not with ");
    for (size_t i = 0; i < count; i++) {
        struct term term;
        if (i)
            next_clause(rest, &clause);
        add_separator(words, i, count);
        next_term(&clause.terms, &term);
        add_term(words, block, &term);
    }
}

void shoal_option_needs(const struct shoal_option *options, size_t count, size_t index, char *text,
                        size_t size)
{
    if (!options || !text)
        return;
    const struct block block = {.options = options, .count = count};
    struct words words = {.text = text, .size = size};
    struct span rest = whole(options[index].needs);
    struct clause clause;
    *text = '\0';
    while (next_clause(&rest, &clause)) {
        if (words.length)
            add(&words, "; ");
        if (excludes(&clause)) {
            add_excluded(&words, &block, clause, &rest);
            continue;
        }
        add_list(&words, clause.choices);
        if (clause.choices.length)
            add(&words, " ");
        add_clause(&words, &block, &clause, "not with");
    }
}

/* Some values are given as a number by one option or as a word by another option; the member `word` of the
 * first option is the name of the second. Returns an option that was given as a number although the clause
 * needs its second option; NULL: there is none. */
static const struct shoal_option *number_for(const struct block *block, const struct clause *clause)
{
    struct span rest = clause->terms;
    struct term term;
    while (next_term(&rest, &term))
        for (size_t i = 0; i < block->count; i++) {
            const struct shoal_option *option = &block->options[i];
            const struct shoal_option meant = {.name = option->word};
            if (option->word && is_named(&meant, &term) && !is_default(option, block))
                return option;
        }
    return NULL;
}

static enum shoal_status refuse(const struct block *block, const struct shoal_option *option,
                                const struct clause *clause, struct shoal_error *error)
{
    char text[400];
    struct words words = {.text = text, .size = sizeof text};
    add(&words, "--%s", option->name);
    if (clause->choices.length)
        add(&words, " %s", choice_of(option, block->values));
    add(&words, " ");
    add_clause(&words, block, clause, "does not go with");
    if (memchr(clause->terms.text, '!', clause->terms.length))
        return fail(error, SHOAL_INVALID, "%s; use one", text);
    const struct shoal_option *number = number_for(block, clause);
    if (number) {
        double value;
        memcpy(&value, (const char *)block->values + number->offset, sizeof value);
        return fail(error, SHOAL_INVALID, "%s; --%s %.9g is a value: for column %.9g take --%s %.9g", text,
                    number->name, value, value, number->word, value);
    }
    return fail(error, SHOAL_INVALID, "%s; give that too, or leave --%s out", text, option->name);
}

/* The first clause of `needs` that does not hold; false: the needs are met. */
static bool find_unmet(const struct block *block, const struct shoal_option *option, struct clause *clause)
{
    struct span rest = whole(option->needs);
    while (next_clause(&rest, clause))
        if (!clause_holds(block, option, clause))
            return true;
    return false;
}

bool option_has_effect(const struct shoal_option *options, size_t count, size_t index, const void *values,
                       const void *defaults)
{
    const struct block block = {options, count, values, defaults};
    struct clause ignored;
    return !find_unmet(&block, &options[index], &ignored);
}

enum shoal_status shoal_options_check(const struct shoal_option *options, size_t count, const void *values,
                                      const void *defaults, const bool *given, struct shoal_error *error)
{
    if (!NEED(error, options, values, defaults))
        return SHOAL_INVALID;
    const struct block block = {options, count, values, defaults};
    for (size_t i = 0; i < count; i++) {
        struct clause clause;
        const bool is_set = !is_default(&options[i], &block) || (given && given[i]);
        if (is_set && find_unmet(&block, &options[i], &clause))
            return refuse(&block, &options[i], &clause, error);
    }
    return SHOAL_OK;
}
