/* Private: fragments of a tour on a device, joined by edges in rounds (cl/tsp/improve/fragments.cl). */
#ifndef SHOAL_TSP_FRAGMENTS_H
#define SHOAL_TSP_FRAGMENTS_H

#include "workload/arrays.h"
#include "workload/programs.h"
#include "workload/steps/long_step.h"

#include <shoal/primitives.h>

struct fragment_city; /* cl/tsp/improve/fragments.clh */

/* On the host: makes each of n cities a fragment, and joins them by the fixed edges of a form (NULL: none).
 * Returns the number of joins. */
uint32_t tsp_begin_fragments(const uint32_t *fixed, uint32_t n, struct fragment_city *cities);

struct tsp_fragments {
    uint32_t n, most; /* number of cities, and of edges for which there is room; most is at least n */
    struct shoal_queue *queue;
    struct arrays arrays;
    struct shoal_buffer *cities; /* [n]: struct fragment_city */
    /* [most]: sort keys and the values that are sorted by them; later the ranks of edges in a round */
    struct shoal_buffer *keys, *values;
    struct shoal_buffer *edges;         /* [most][2]: two cities for each rank */
    struct shoal_buffer *places;        /* [n + 1]: counts and their prefix sums */
    struct shoal_buffer *ends, *others; /* [n]: ends of fragments, and scratch memory */
    struct shoal_buffer *longest;       /* one word: largest sort key */
    struct shoal_buffer *found;         /* two words, see tsp_fragments_propose */
    struct shoal_buffer *links, *stops; /* see tsp_fragments_walk and tsp_fragments_write */
    struct shoal_program *program;
    struct shoal_kernel *begin, *listed, *paired, *propose, *decide, *join, *flag, *list, *walk, *write;
    struct shoal_scan *scan;
    struct shoal_sort *sort;
};

/* Do fragments for up to `edges` edges fit in memory of the device beside `more` bytes, within the largest
 * buffer that it allows and the largest number that can be sorted? */
bool tsp_fragments_fit(uint32_t n, double edges, double more, struct shoal_queue *queue);
/* After SHOAL_OUT_OF_DEVICE_MEMORY the message gives the number of bytes needed for this and `more` bytes.
 * After a failure the caller must call tsp_fragments_destroy. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_create(uint32_t n, double edges, double more,
                                                        struct programs *programs, struct shoal_queue *queue,
                                                        struct tsp_fragments *fragments,
                                                        struct shoal_error *error);
void tsp_fragments_destroy(struct tsp_fragments *fragments); /* accepts a struct of zeros */

/* Makes each city a fragment, and joins them by the fixed edges of a form, if there are any. fixed: as in
 * struct tsp_form. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_begin(struct tsp_fragments *fragments, const uint32_t *fixed,
                                                       struct shoal_error *error);
/* Sums up the first `count` words of `places`, so that each becomes the sum of those before it; *sum: the sum
 * of all. `places` has room for count + 1 words, of which the last must be 0. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_sum(struct tsp_fragments *fragments, uint32_t count,
                                                     uint32_t *sum, struct shoal_error *error);
/* Sorts `count` keys and values by the bits of the key up to the highest one of `longest`. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_sort(struct tsp_fragments *fragments, uint32_t count,
                                                      struct shoal_error *error);
/* Joins fragments by `count` edges as if each edge was tried in the order of ranks. *may: number of edges
 * that could join two fragments at first. Ends early if `cut` ended the work. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_join(struct tsp_fragments *fragments, uint32_t count,
                                                      struct long_step *cut, uint32_t *may,
                                                      struct shoal_error *error);
/* Writes the ends of fragments to `ends`, in ascending order. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_list(struct tsp_fragments *fragments, uint32_t *count,
                                                      struct shoal_error *error);
/* Removes from the `count` cities of `ends` those that are no ends any more. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_drop(struct tsp_fragments *fragments, uint32_t *count,
                                                      struct shoal_error *error);
/* Writes the cities of the only fragment to `tour`, from the end with the lower number on. `ends` must have
 * its `count` ends. */
SHOAL_MUST_CHECK enum shoal_status tsp_fragments_follow(struct tsp_fragments *fragments, uint32_t count,
                                                        uint32_t *tour, struct shoal_error *error);

#endif
