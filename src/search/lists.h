/* Private: the box and the start points of a search as a user gives them, before the objective is known. */
#ifndef SHOAL_SEARCH_LISTS_H
#define SHOAL_SEARCH_LISTS_H

#include <shoal/error.h>
#include <shoal/search.h>

struct search_numbers {
    double *values;       /* rows * columns; NULL: not given */
    size_t rows, columns; /* of bounds one row */
    char *notes;          /* of the table: see struct shoal_table_info; NULL: nothing */
};

struct search_lists {
    struct search_numbers lower, upper, start;
    size_t dim; /* that of the parameters, else what the lists have; 0: neither says */
};

/* Reads the texts and tables of the parameters and copies what is there as numbers. Frees everything on
 * failure. */
SHOAL_MUST_CHECK enum shoal_status search_lists_read(const struct shoal_search_params *params,
                                                     struct search_lists *lists, struct shoal_error *error);
/* The box that they and the parameters give: dim numbers each, NaN where it is that of the function. */
SHOAL_MUST_CHECK enum shoal_status search_lists_bounds(const struct search_lists *lists,
                                                       const struct shoal_search_params *params, size_t dim,
                                                       double *lower, double *upper,
                                                       struct shoal_error *error);
void search_lists_free(struct search_lists *lists); /* accepts zeros */

#endif
