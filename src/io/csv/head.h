/* Private: the head of a text in columns: how its rows are separated, where names of columns come from, and
 * where rows begin. All readers of such texts use these functions, which decide from the whole text, by the
 * rules of docs/data.md. */
#ifndef SHOAL_IO_CSV_HEAD_H
#define SHOAL_IO_CSV_HEAD_H

#include "io/csv/text.h"

/* State of the csv_text that csv_text_of makes over a text in memory. */
struct csv_memory {
    struct cursor begin, at;
};
struct csv_text csv_text_of(struct csv_memory *memory, struct cursor begin);

struct csv_head {
    struct csv_style style; /* decimal commas are left to the reader, who knows which columns count */
    size_t columns;
    /* number of the line with the names, from 1; 0: there are no names, or the names are in a comment */
    size_t names_line;
    size_t first_line; /* the number of the line of the first row, from 1; 0: there is no row */
    enum csv_reason reason;
    char **names;   /* names of the columns; NULL: none. For an empty name or NA: the column's number */
    char **entries; /* fields of a first line that counts as a row but has words: possible names, for
                     * messages */
    size_t entry_count;
    bool has_index; /* the first column has an empty name, and holds 0, 1, 2 ... or 1, 2, 3 ... */
    char *notes;    /* notes on other possible meanings, one sentence a line; NULL: none */
};

/* Reads the head of a text. SHOAL_IO: two columns have the same name, or the text cannot be read. A text
 * without rows and names has no columns. csv_head_free frees the head, also after a failure. */
SHOAL_MUST_CHECK enum shoal_status csv_head_read(const struct csv_text *text, const struct csv_rules *rules,
                                                 struct csv_head *head, struct shoal_error *error);
void csv_head_free(struct csv_head *head);

static inline bool csv_head_has_names(const struct csv_head *head)
{
    return head->reason >= CSV_NAMES_ASKED;
}

#endif
