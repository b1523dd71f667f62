/* Private: lists of columns as options take them: "a, 'wind speed', 2-4, *". Words may follow an entry, if
 * the option has such words. */
#ifndef SHOAL_IO_CSV_CHOICE_H
#define SHOAL_IO_CSV_CHOICE_H

#include "io/cursor.h"

struct column_list {
    const char *at, *option; /* at: the rest of the list; option: name of the option in messages */
    struct shoal_error *error;
};

/* The columns that a list may name. */
struct column_names {
    const char *file; /* file name, for messages */
    size_t count;
    const char *const *names; /* NULL: the columns have numbers alone */
    /* the names are numbers of columns, except names that the file format itself gives, such as the name of
     * the labels */
    bool are_numbers;
    /* Fields of a first line that was taken for a row. Messages mention that these could be names. */
    const char *const *entries;
    size_t entry_count;
};

/* Reads the next entry, which is a name, a number from 1, two numbers "2-17", or "*", and gives its columns,
 * *first to *end - 1. SHOAL_INVALID: there is no such column, or several columns have the name. */
SHOAL_MUST_CHECK enum shoal_status column_list_entry(struct column_list *list,
                                                     const struct column_names *columns, struct word *shown,
                                                     size_t *first, size_t *end);
/* column_list_has_word: does a word of the entry follow? column_list_word reads this word. */
bool column_list_has_word(struct column_list *list);
SHOAL_MUST_CHECK enum shoal_status column_list_word(struct column_list *list, struct word *word);
/* Checks that no word follows the columns of the entry. SHOAL_INVALID: a word follows. */
SHOAL_MUST_CHECK enum shoal_status column_list_end_entry(struct column_list *list);
/* Goes to the next entry; false: the list has ended. */
bool column_list_next(struct column_list *list);

/* The form in which messages advise to name a column in a list: its name, or its number if the name would
 * need quotes. */
struct listed {
    char text[64];
};
struct listed column_list_show(const char *name, size_t column);

/* Takes a whole number at the begin of a text that ends at `end`; false: there is none. */
bool take_whole_number(const char **text, const char *end, size_t *number);

#endif
