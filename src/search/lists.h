/* Private: bounds and start points of a search as the user gives them, before the objective is known. */
#ifndef SHOAL_SEARCH_LISTS_H
#define SHOAL_SEARCH_LISTS_H

#include <shoal/error.h>
#include <shoal/search.h>

struct search_numbers {
    double *values;       /* [rows][columns]; NULL: there is no list */
    size_t rows, columns; /* lists of bounds have one row */
    /* notes on a table that was read, see struct shoal_table_info; NULL: there are none */
    char *notes;
};

struct search_lists {
    struct search_numbers lower, upper, start;
    /* number of dimensions from the parameters or, if these give none, from the lists; 0: unknown */
    size_t dim;
};

/* Reads the lists that the parameters give as texts and tables, and copies the lists that they give as
 * numbers. Frees everything on failure. */
SHOAL_MUST_CHECK enum shoal_status search_lists_read(const struct shoal_search_params *params,
                                                     struct search_lists *lists, struct shoal_error *error);
/* Sets `lower` and `upper`, `dim` bounds each, by the lists and the parameters. NaN: neither gives this
 * bound, so the default bound of the function holds. */
SHOAL_MUST_CHECK enum shoal_status search_lists_bounds(const struct search_lists *lists,
                                                       const struct shoal_search_params *params, size_t dim,
                                                       double *lower, double *upper,
                                                       struct shoal_error *error);
void search_lists_free(struct search_lists *lists); /* accepts a struct of zeros */

#endif
