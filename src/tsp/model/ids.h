/* Private: ids of cities, and a hash table that finds the city of an id. */
#ifndef SHOAL_TSP_IDS_H
#define SHOAL_TSP_IDS_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ids. As long as each city k has the id k + 1 in decimal, no text is stored. */
struct tsp_ids;
enum { TSP_ID_MOST = 255 }; /* largest number of bytes of an id */

struct tsp_ids *tsp_ids_new(void); /* NULL: no memory */
/* Adds the id of the next city. Returns false if there is no memory. */
bool tsp_ids_add(struct tsp_ids *ids, const char *name, size_t length);
/* Must be called after the last id was added; builds the hash table. same: the first two cities with the same
 * id, in ascending order, or SHOAL_TSP_NONE if all ids differ. Returns false if there is no memory. */
bool tsp_ids_close(struct tsp_ids *ids, uint32_t same[2]);
/* Returns whether the ids are the numbers 1 .. n in this order. */
bool tsp_ids_are_numbers(const struct tsp_ids *ids);
/* Returns the id of a city, *length bytes without a final null; NULL if the ids are 1 .. n. */
const char *tsp_ids_name(const struct tsp_ids *ids, uint32_t city, size_t *length);
uint32_t tsp_ids_find(const struct tsp_ids *ids, const char *name, size_t length);
void tsp_ids_free(struct tsp_ids *ids); /* accepts NULL */

#endif
