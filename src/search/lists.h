/* Private: the box and the start points of a search as a user gives them, before the objective is known. */
#ifndef SHOAL_SEARCH_LISTS_H
#define SHOAL_SEARCH_LISTS_H

#include <shoal/error.h>
#include <shoal/search.h>

struct search_numbers {
    double *values;       /* [rows][columns]; NULL: the user gave no list */
    size_t rows, columns; /* lists of bounds have one row */
    char *notes;          /* notes on the table that was read: see struct shoal_table_info; NULL: none */
};

struct search_lists {
    struct search_numbers lower, upper, start;
    size_t dim; /* number of dimensions that the parameters give, else the lists; 0: neither gives a number */
};

/* Reads the lists that the parameters give as texts and tables, and copies lists that they give as numbers. A
 * failure frees everything. */
SHOAL_MUST_CHECK enum shoal_status search_lists_read(const struct shoal_search_params *params,
                                                     struct search_lists *lists, struct shoal_error *error);
/* Makes the box from the lists and the parameters: lower and upper have `dim` numbers, NaN where the default
 * bound of the function holds. */
SHOAL_MUST_CHECK enum shoal_status search_lists_bounds(const struct search_lists *lists,
                                                       const struct shoal_search_params *params, size_t dim,
                                                       double *lower, double *upper,
                                                       struct shoal_error *error);
void search_lists_free(struct search_lists *lists); /* accepts zeros */

#endif
