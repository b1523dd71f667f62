/* The tables that tools/embed.py writes: kernel texts, sorted by name and ended by a NULL name, and the words
 * of the kernel dialect. */
#ifndef SHOAL_COMPUTE_EMBEDDED_H
#define SHOAL_COMPUTE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name, *text;
};

extern const struct embedded_file embedded_files[];

/* Kinds of the words of the kernel dialect, as flags. */
enum {
    NAME_LANGUAGE = 16,
    NAME_KEYWORD = 32 /* a word that is part of declarations, such as static or uint */
};

struct embedded_word {
    const char *name;
    unsigned flags;
};

extern const struct embedded_word embedded_words[]; /* sorted by strcmp */
extern const size_t embedded_word_count;

#endif
