/* Private: words and numbers of C texts without comments. */
#ifndef SHOAL_COMPUTE_WORDS_H
#define SHOAL_COMPUTE_WORDS_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct word {
    const char *at;
    size_t length;
};

static inline bool starts_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static inline bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A loop, here and in line_length, instead of strspn and strchr: with an address sanitizer that checks
 * strings strictly, each call of these functions would read the whole rest of the text. */
static inline const char *skip_blanks(const char *c)
{
    while (*c == ' ' || *c == '\t')
        c++;
    return c;
}

static inline struct word read_word(const char *c)
{
    struct word word = {.at = c};
    while (is_word(c[word.length]))
        word.length++;
    return word;
}

static inline bool word_is(struct word word, const char *string)
{
    return strlen(string) == word.length && memcmp(word.at, string, word.length) == 0;
}

static inline bool starts_number(const char *c)
{
    return isdigit((unsigned char)*c) || (*c == '.' && isdigit((unsigned char)c[1]));
}

/* Length of a number, including letters after its digits. */
static inline size_t number_length(const char *c)
{
    size_t length = 0;
    while (is_word(c[length]) || c[length] == '.' ||
           ((c[length] == '+' || c[length] == '-') && length && strchr("eEpP", c[length - 1])))
        length++;
    return length;
}

/* Bytes of a line without its line feed. */
static inline size_t line_length(const char *line)
{
    size_t length = 0;
    while (line[length] && line[length] != '\n')
        length++;
    return length;
}

static inline const char *next_line(const char *line)
{
    line += line_length(line);
    return line + (*line == '\n');
}

/* If the line is the directive `word`, returns the position after this word, otherwise NULL. */
static inline const char *directive(const char *line, const char *word)
{
    line = skip_blanks(line);
    if (*line != '#')
        return NULL;
    line = skip_blanks(line + 1);
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && !is_word(line[length]) ? skip_blanks(line + length) : NULL;
}

#endif
