/* Private: the names of a column's categories, numbered in the order in which they were added. */
#ifndef SHOAL_DATASET_CATEGORIES_H
#define SHOAL_DATASET_CATEGORIES_H

#include "io/cursor.h"

struct categories;

#define NO_CATEGORY UINT32_MAX

struct categories *categories_new(void); /* NULL: no memory */
size_t categories_count(const struct categories *categories);
/* The number of a name; NO_CATEGORY: it is not there. */
uint32_t categories_find(const struct categories *categories, struct word name);
/* The same, added if need be; NO_CATEGORY: no memory. */
uint32_t categories_add(struct categories *categories, struct word name);
/* In the order of the names, by value where all are numbers, from now on. Returns for each old number the new
 * one, malloc'ed; NULL: no memory. Nothing can be found or added afterwards. */
uint32_t *categories_sort(struct categories *categories);
/* All names, malloc'ed, which live as long as the categories; NULL: no memory. */
const char **categories_names(const struct categories *categories);
void categories_free(struct categories *categories); /* accepts NULL */

#endif
