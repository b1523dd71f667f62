/* Option values as text, for the command line, configuration files, help and listings. */
#include "cli/output/values.h"
#include "base/text.h"
#include "cli/output/message.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <shoal/optimise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Largest integer up to which a double, and so a number in JSON, holds every integer. */
static const double exact_limit = 9007199254740992.0;

static struct cli_text limit_text(const struct shoal_option *option, double limit)
{
    struct cli_text text;
    if (option->type == SHOAL_OPTION_UINT && limit >= 18446744073709551615.0)
        snprintf(text.s, sizeof text.s, "2^64-1");
    else if (option->type == SHOAL_OPTION_UINT && limit < exact_limit)
        snprintf(text.s, sizeof text.s, "%.0f", limit);
    else
        snprintf(text.s, sizeof text.s, "%.10g", limit);
    return text;
}

/* Least value that a user can give: at least 1 for an option whose 0 means "not set". */
static double least(const struct shoal_option *option)
{
    return option->flags & SHOAL_OPTION_ZERO_UNSET ? fmax(option->min, 1) : option->min;
}

char *cli_range(const struct shoal_option *option)
{
    return cli_sprintf("%s to %s", limit_text(option, least(option)).s, limit_text(option, option->max).s);
}

bool cli_value_is_wide(const struct shoal_option *option)
{
    return option->type == SHOAL_OPTION_UINT && option->max > exact_limit;
}

/* Reads a number such as "1024", "1e6", "64Ki" or "2M". */
static bool parse_uint(const char *text, uint64_t *value)
{
    static const struct {
        const char *suffix;
        uint64_t factor;
    } suffixes[] = {{"", 1},          {"k", 1000},      {"M", 1000000},  {"G", 1000000000},
                    {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30}};
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno)
        return false;
    uint64_t factor = 0;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(end, suffixes[i].suffix) == 0)
            factor = suffixes[i].factor;
    if ((*end == 'e' || *end == 'E') && end[1] >= '0' && end[1] <= '9') {
        unsigned long zeros = strtoul(end + 1, &end, 10);
        if (*end || zeros > 19)
            return false;
        for (factor = 1; zeros > 0; zeros--)
            factor *= 10;
    }
    if (factor == 0 || number > UINT64_MAX / factor)
        return false;
    *value = number * factor;
    return true;
}

/* Reports the allowed values and returns false. kind: the kind of text that is expected; NULL: the value is
 * out of range. */
static bool refuse_number(const struct shoal_option *option, const char *text, const char *where,
                          const char *kind)
{
    char *range = cli_range(option);
    if (kind)
        cli_error(CLI_USAGE, "%s: '%s' is not a %s; give %s", where, text, kind, range);
    else
        cli_error(CLI_USAGE, "%s: %s is out of range; give %s", where, text, range);
    free(range);
    return false;
}

int cli_not_one_of(const char *where, const char *word, const char *const *words, size_t count)
{
    char *list = cli_strdup("");
    for (size_t i = 0; i < count; i++) {
        char *longer = cli_sprintf("%s%s%s", list, i ? ", " : "", words[i]);
        free(list);
        list = longer;
    }
    const char *nearest = text_nearest(word, words, count);
    cli_error(CLI_USAGE, "%s%s'%s' is not one of %s%s%s%s", where ? where : "", where ? ": " : "", word, list,
              nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(list);
    return CLI_USAGE;
}

/* The main name of the choice that has `text` as another name; NULL: there is no such choice. */
static const char *main_choice(const struct shoal_option *option, const char *text)
{
    const size_t length = strlen(text);
    for (const char *const *also = option->also; also && *also; also++)
        if (strncasecmp(*also, text, length) == 0 && (*also)[length] == '=')
            return *also + length + 1;
    return NULL;
}

static bool has_choice(const struct shoal_option *options, size_t count, const char *name, const char *choice)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0 && options[i].type == SHOAL_OPTION_CHOICE)
            for (const char *const *known = options[i].choices; *known; known++)
                if (strcasecmp(*known, choice) == 0)
                    return true;
    return false;
}

/* Lists the other search algorithms, "ga or pso", that have the choice `choice` of the shared option with the
 * name of `option`. The caller frees the text. NULL: no other algorithm has this choice, or `option` is no
 * option of an algorithm. *algorithm: the algorithm that has `option`; NULL: none. */
static char *takers_of(const struct shoal_option *option, const char *choice, const char **algorithm)
{
    const struct shoal_workload *other;
    size_t count;
    const struct shoal_option *shared = shoal_optimise_options(&count);
    char *takers = NULL;
    *algorithm = NULL;
    for (size_t i = 0; (other = shoal_optimiser_algorithm_at(i)); i++) {
        if (option >= other->options && option < other->options + other->option_count)
            *algorithm = other->name;
        else if (has_choice(shared, count, option->name, choice) &&
                 has_choice(other->options, other->option_count, option->name, choice)) {
            char *longer = cli_sprintf("%s%s%s", takers ? takers : "", takers ? " or " : "", other->name);
            free(takers);
            takers = longer;
        }
    }
    if (*algorithm)
        return takers;
    free(takers);
    return NULL;
}

static bool set_choice(const struct shoal_option *option, void *field, const char *text, const char *where)
{
    const char *const name = main_choice(option, text);
    size_t count = 0;
    text = name ? name : text;
    for (; option->choices[count]; count++)
        if (strcasecmp(option->choices[count], text) == 0) {
            *(int32_t *)field = (int32_t)count;
            return true;
        }
    const char *algorithm;
    char *takers = takers_of(option, text, &algorithm);
    if (takers)
        cli_error(CLI_USAGE, "%s: %s does not take '%s'; take %s", where, algorithm, text, takers);
    else
        cli_not_one_of(where, text, option->choices, count);
    free(takers);
    return false;
}

static bool set_flag(void *field, const char *text, const char *where)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *(bool *)field = i & 1;
            return true;
        }
    cli_error(CLI_USAGE, "%s: '%s' is not yes or no", where, text);
    return false;
}

bool cli_value_set(const struct shoal_option *option, void *values, const char *text, const char *where)
{
    void *field = (char *)values + option->offset;
    char *end;
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        return set_flag(field, text, where);
    case SHOAL_OPTION_UINT: {
        uint64_t number;
        if (!parse_uint(text, &number))
            return refuse_number(option, text, where, "whole number such as 1000, 1e3 or 1Ki");
        if ((double)number < least(option) || (double)number > option->max)
            return refuse_number(option, text, where, NULL);
        *(uint64_t *)field = number;
        return true;
    }
    case SHOAL_OPTION_REAL: {
        double number = strtod(text, &end);
        if (end == text || *end || !isfinite(number))
            return refuse_number(option, text, where, "finite number");
        if (number < option->min || number > option->max)
            return refuse_number(option, text, where, NULL);
        *(double *)field = number;
        return true;
    }
    case SHOAL_OPTION_CHOICE:
        return set_choice(option, field, text, where);
    case SHOAL_OPTION_TEXT:
        if (!*text) {
            cli_error(CLI_USAGE, "%s: needs a text that is not empty", where);
            return false;
        }
        *(const char **)field = text;
        return true;
    }
    return false;
}

const struct shoal_option *cli_option_of_value(const struct shoal_option *options, size_t count,
                                               const struct shoal_option *option, const char *text)
{
    char *end;
    if (!option->word || !text)
        return option;
    strtod(text, &end);
    /* strtod reads the beginning of words such as "infrared" and "nano" as a number. */
    const bool is_word = end == text || (*end && isalpha((unsigned char)*text));
    for (size_t i = 0; is_word && i < count; i++)
        if (strcmp(options[i].name, option->word) == 0)
            return &options[i];
    return option;
}

void cli_value_copy(const struct shoal_option *option, void *to, const void *from)
{
    static const size_t sizes[] = {[SHOAL_OPTION_FLAG] = sizeof(bool),
                                   [SHOAL_OPTION_UINT] = sizeof(uint64_t),
                                   [SHOAL_OPTION_REAL] = sizeof(double),
                                   [SHOAL_OPTION_CHOICE] = sizeof(int32_t),
                                   [SHOAL_OPTION_TEXT] = sizeof(const char *)};
    memcpy((char *)to + option->offset, (const char *)from + option->offset, sizes[option->type]);
}

struct cli_text cli_value_get(const struct shoal_option *option, const void *values)
{
    const void *field = (const char *)values + option->offset;
    struct cli_text text = {""};
    const char *word = NULL;
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        word = *(const bool *)field ? "yes" : "no";
        break;
    case SHOAL_OPTION_UINT:
        snprintf(text.s, sizeof text.s, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case SHOAL_OPTION_REAL:
        if (!isnan(*(const double *)field))
            text = cli_exact(*(const double *)field, false);
        break;
    case SHOAL_OPTION_CHOICE:
        word = option->choices[*(const int32_t *)field];
        break;
    case SHOAL_OPTION_TEXT:
        word = *(const char *const *)field;
        break;
    }
    if (word)
        snprintf(text.s, sizeof text.s, "%s", word);
    return text;
}

bool cli_option_is(const struct shoal_option *option, const char *name)
{
    bool is_it = strcmp(option->name, name) == 0;
    for (const char *const *also = option->also; also && *also && !is_it; also++)
        is_it = strcmp(*also, name) == 0 && !strchr(name, '=');
    return is_it;
}

const struct shoal_option *cli_option_find(const struct shoal_workload *workload, const char *name)
{
    for (size_t i = 0; i < workload->option_count; i++)
        if (cli_option_is(&workload->options[i], name))
            return &workload->options[i];
    return NULL;
}

const char *cli_option_nearest(const struct shoal_workload *workload, const char *name)
{
    const char **names = cli_alloc(workload->option_count * sizeof *names);
    for (size_t i = 0; i < workload->option_count; i++)
        names[i] = workload->options[i].name;
    const char *nearest = text_nearest(name, names, workload->option_count);
    free(names);
    return nearest;
}

const struct shoal_option *cli_method_option(const struct shoal_workload *workload)
{
    for (size_t i = 0; i < workload->option_count; i++)
        if (workload->options[i].flags & SHOAL_OPTION_METHOD)
            return &workload->options[i];
    return NULL;
}

void cli_sizes_set(const struct shoal_workload *workload, void *params, const char *sizes)
{
    char *copy = cli_strdup(sizes), *rest = copy;
    for (char *word; (word = strsep(&rest, " "));) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = '\0';
        const struct shoal_option *option = cli_option_find(workload, word);
        if (option)
            cli_value_set(option, params, cli_keep(value), word);
    }
    free(copy);
}

/* Whether a value is left out because it is the default. Options marked SHOAL_OPTION_SHOWN are not left out,
 * unless the value is a 0 that means "not set". */
static bool is_default(const struct shoal_option *option, const void *values, const void *defaults)
{
    const struct cli_text value = cli_value_get(option, values);
    const bool is_rule = option->flags & SHOAL_OPTION_ZERO_UNSET && strcmp(value.s, "0") == 0;
    if (!defaults || (option->flags & SHOAL_OPTION_SHOWN && !is_rule))
        return false;
    return strcmp(value.s, cli_value_get(option, defaults).s) == 0;
}

char *cli_values_line(const struct shoal_option *options, size_t count, const void *values,
                      const void *defaults)
{
    char *line = cli_strdup("");
    for (size_t i = 0; i < count; i++) {
        const void *field = (const char *)values + options[i].offset;
        struct cli_text value = cli_value_get(&options[i], values);
        if (!*value.s || (options[i].type == SHOAL_OPTION_FLAG && !*(const bool *)field) ||
            is_default(&options[i], values, defaults))
            continue;
        bool is_text = options[i].type == SHOAL_OPTION_TEXT;
        char *longer = cli_sprintf("%s%s%s=%s", line, *line ? " " : "", options[i].name,
                                   is_text ? *(const char *const *)field : value.s);
        free(line);
        line = longer;
    }
    return line;
}
