/* Private: the names of a column's categories, numbered in the order in which they were added. */
#ifndef SHOAL_DATASET_CATEGORIES_H
#define SHOAL_DATASET_CATEGORIES_H

#include "io/cursor.h"

struct categories;

#define NO_CATEGORY UINT32_MAX

struct categories *categories_new(void); /* NULL: no memory */
size_t categories_count(const struct categories *categories);
/* Finds the number of a name; NO_CATEGORY: the name is unknown. */
uint32_t categories_find(const struct categories *categories, struct word name);
/* Finds the number of a name, and adds the name if it is new; NO_CATEGORY: there is no memory. */
uint32_t categories_add(struct categories *categories, struct word name);
/* Sorts the categories by name, or by value if all names are numbers. Returns the new numbers of the
 * categories, indexed by their old numbers, in an array that the caller frees; NULL: there is no memory. No
 * name can be found or added afterwards. */
uint32_t *categories_sort(struct categories *categories);
/* Returns an array of all names, which the caller frees; the names live as long as the categories. NULL:
 * there is no memory. */
const char **categories_names(const struct categories *categories);
void categories_free(struct categories *categories); /* accepts NULL */

#endif
