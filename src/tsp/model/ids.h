/* Private: names of cities, found by a hash table. */
#ifndef SHOAL_TSP_IDS_H
#define SHOAL_TSP_IDS_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nothing is stored as long as each city k has the name k + 1 in decimal. */
struct tsp_ids;
enum { TSP_ID_MOST = 255 }; /* bytes of a name */

struct tsp_ids *tsp_ids_new(void); /* NULL: no memory */
/* Names the next city. False: no memory. */
bool tsp_ids_add(struct tsp_ids *ids, const char *name, size_t length);
/* Call this after the last id. same: receives the first two cities with the same name, the earlier one first;
 * SHOAL_TSP_NONE: all names differ. False: out of memory. */
bool tsp_ids_close(struct tsp_ids *ids, uint32_t same[2]);
/* Whether the ids are 1 .. n in this order. */
bool tsp_ids_are_numbers(const struct tsp_ids *ids);
/* The name of a city: *length bytes without a NUL behind them; NULL: ids are numbers. */
const char *tsp_ids_name(const struct tsp_ids *ids, uint32_t city, size_t *length);
uint32_t tsp_ids_find(const struct tsp_ids *ids, const char *name, size_t length);
void tsp_ids_free(struct tsp_ids *ids); /* accepts NULL */

#endif
