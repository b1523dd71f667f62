/* Private: bounds and start points of a search as the user gives them, before the objective is known. */
#ifndef SHOAL_SEARCH_LISTS_H
#define SHOAL_SEARCH_LISTS_H

#include <shoal/error.h>
#include <shoal/search.h>

struct search_numbers {
    double *values;       /* [rows][columns]; NULL: there is no list */
    size_t rows, columns; /* lists of bounds have one row */
    char *notes;          /* notes on reading a table: see struct shoal_table_info; NULL: there are none */
};

struct search_lists {
    struct search_numbers lower, upper, start;
    size_t dim; /* number of dimensions, by the parameters or else by the lists; 0: neither gives it */
};

/* Reads the lists that the parameters give as texts and tables, and copies the lists that they give as
 * numbers. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_lists_read(const struct shoal_search_params *params,
                                                     struct search_lists *lists, struct shoal_error *error);
/* Sets the bounds from the lists and the parameters: `dim` numbers each in `lower` and `upper`, NaN for the
 * default bound of the function. */
SHOAL_MUST_CHECK enum shoal_status search_lists_bounds(const struct search_lists *lists,
                                                       const struct shoal_search_params *params, size_t dim,
                                                       double *lower, double *upper,
                                                       struct shoal_error *error);
void search_lists_free(struct search_lists *lists); /* accepts a struct of zeros */

#endif
