/* Private: the end of a step for methods that keep members in global memory: best members, champions,
 * records, exchange and ends (cl/search/islands.cl). */
#ifndef SHOAL_SEARCH_ISLANDS_H
#define SHOAL_SEARCH_ISLANDS_H

#include "search/device/device.h"

extern const struct shoal_program_desc search_island_program;

/* Rows of compute/contract.h for a kernel file that includes cl/search/islands.clh. SEARCH_ARGMIN_BYTES:
 * bytes of a value and its index, which each work-item keeps. */
enum { SEARCH_ARGMIN_BYTES = sizeof(double) + sizeof(uint32_t) };
#define SEARCH_ISLAND_ENTRIES(file)                                                                          \
    ENTRY(file, search_argmin, .local_bytes_per_item = SEARCH_ARGMIN_BYTES,                                  \
          .help = "one pass of the reduction that finds the best member of each island"),                    \
        ENTRY(file, search_settle, .local_bytes_per_item = SEARCH_ARGMIN_BYTES,                              \
              .help = "best member, champion and record of each island at the end of a step"),               \
        ENTRY(file, search_exchange, .local_bytes_per_item = SEARCH_ARGMIN_BYTES,                            \
              .help = "replaces the worst members by champions of other islands"),                           \
        ENTRY(file, search_ends, .local_bytes = 2 * sizeof(uint32_t),                                        \
              .help = "ends runs at their target or by stagnation")
#define SEARCH_ISLAND_DEFINES(file)                                                                          \
    DEFINE(file, IN_WORDS, 0, 1, "1: members are genomes, of words"),                                        \
        DEFINE(file, REAL, 32, 64, "floating-point format: 32 or 64"),                                       \
        DEFINE(file, WG, 1, 1024, "work-group size, a power of two")

struct search_islands {
    struct shoal_kernel *argmin, *settle, *exchange, *ends;
    struct search_shape shape;
    bool halves;                                        /* each work-item of a pass reduces two values */
    struct shoal_buffer *goal_value, *goal_index;       /* best member of each island: its value and its
                                                         * index */
    struct shoal_buffer *pass_value[2], *pass_index[2]; /* values and indices between the passes of the search
                                                         * for the best; passes use the two arrays in turn */
    struct arrays arrays;
};

/* Values and positions of the members, in tiles. */
struct search_members {
    struct shoal_buffer *values, *positions;
};

/* Creates *islands, which must be all zeros; solver->method.tile must be set. halving: another program with
 * the same entries, whose passes halve the number of values; argmin: the value of its define ARGMIN. halving
 * NULL: search_island_program. */
SHOAL_MUST_CHECK enum shoal_status search_islands_create(struct shoal_solver *solver,
                                                         const struct shoal_program_desc *halving,
                                                         int32_t argmin, struct search_islands *islands,
                                                         struct shoal_error *error);
void search_islands_destroy(struct search_islands *islands); /* accepts zeros */

/* Enqueues the search for the best member of each island; results go to goal_value and goal_index. */
SHOAL_MUST_CHECK enum shoal_status search_islands_find(struct shoal_solver *solver,
                                                       struct search_islands *islands,
                                                       const struct search_members *members, uint32_t step,
                                                       struct shoal_error *error);
/* Enqueues search_islands_find and updates the champions, before an exchange. */
SHOAL_MUST_CHECK enum shoal_status search_islands_keep(struct shoal_solver *solver,
                                                       struct search_islands *islands,
                                                       const struct search_members *members, uint32_t step,
                                                       struct shoal_error *error);
/* Enqueues the end of a step, after the exchange if there is one: best members, champions, records, ends. */
SHOAL_MUST_CHECK enum shoal_status search_islands_finish(struct shoal_solver *solver,
                                                         struct search_islands *islands,
                                                         const struct search_members *members, uint32_t step,
                                                         struct shoal_error *error);
/* Enqueues the end of a step of an algorithm that has no exchange of its own: if one is due, champions take
 * the places of the worst members. */
SHOAL_MUST_CHECK enum shoal_status search_islands_end_step(struct shoal_solver *solver,
                                                           struct search_islands *islands,
                                                           const struct search_members *members,
                                                           uint32_t step, struct shoal_error *error);

#endif
