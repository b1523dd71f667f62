/* Private: ids of cities, which a hash table finds. */
#ifndef SHOAL_TSP_IDS_H
#define SHOAL_TSP_IDS_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ids. While each city k has the id k + 1 in decimal, nothing is stored. */
struct tsp_ids;
enum { TSP_ID_MOST = 255 }; /* most bytes of an id */

struct tsp_ids *tsp_ids_new(void); /* NULL: there is no memory */
/* Adds the id of the next city. False: there is no memory. */
bool tsp_ids_add(struct tsp_ids *ids, const char *name, size_t length);
/* Called after the last id. same: receives the first two cities with the same id, in ascending order;
 * SHOAL_TSP_NONE: all ids differ. False: there is no memory. */
bool tsp_ids_close(struct tsp_ids *ids, uint32_t same[2]);
/* Whether the ids are 1 .. n in this order. */
bool tsp_ids_are_numbers(const struct tsp_ids *ids);
/* Returns the id of a city: *length bytes, not terminated; NULL: the ids are 1 .. n. */
const char *tsp_ids_name(const struct tsp_ids *ids, uint32_t city, size_t *length);
uint32_t tsp_ids_find(const struct tsp_ids *ids, const char *name, size_t length);
void tsp_ids_free(struct tsp_ids *ids); /* accepts NULL */

#endif
