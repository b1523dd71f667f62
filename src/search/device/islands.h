/* Private: end of a step for methods with members in global memory: best members, champions, records,
 * exchange and ends (cl/search/islands.cl). */
#ifndef SHOAL_SEARCH_ISLANDS_H
#define SHOAL_SEARCH_ISLANDS_H

#include "search/device/device.h"

extern const struct shoal_program_desc search_island_program;

/* Rows of contracts (compute/contract.h) for a kernel file that includes cl/search/islands.clh.
 * SEARCH_ARGMIN_BYTES: bytes of local memory for each work-item, a value and its index. */
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
    bool halves; /* each pass halves the number of values */
    /* value and index of the best member of each island */
    struct shoal_buffer *goal_value, *goal_index;
    /* values and indices between the passes of the reduction, which use the two arrays alternately */
    struct shoal_buffer *pass_value[2], *pass_index[2];
    struct arrays arrays;
};

/* Values and positions of the members, in tiles. */
struct search_members {
    struct shoal_buffer *values, *positions;
};

/* Creates *islands, which must be all zeros. solver->method.tile must be set. halving: a program with the
 * same entries whose passes halve the number of values; NULL: search_island_program. argmin: value of the
 * define ARGMIN of this program. */
SHOAL_MUST_CHECK enum shoal_status search_islands_create(struct shoal_solver *solver,
                                                         const struct shoal_program_desc *halving,
                                                         int32_t argmin, struct search_islands *islands,
                                                         struct shoal_error *error);
void search_islands_destroy(struct search_islands *islands); /* accepts a struct of zeros */

/* Enqueues the search for the best member of each island; writes goal_value and goal_index. */
SHOAL_MUST_CHECK enum shoal_status search_islands_find(struct shoal_solver *solver,
                                                       struct search_islands *islands,
                                                       const struct search_members *members, uint32_t step,
                                                       struct shoal_error *error);
/* Enqueues search_islands_find, and then the update of the champions. Called before an exchange. */
SHOAL_MUST_CHECK enum shoal_status search_islands_keep(struct shoal_solver *solver,
                                                       struct search_islands *islands,
                                                       const struct search_members *members, uint32_t step,
                                                       struct shoal_error *error);
/* Enqueues the end of a step: best members, champions, records and ends of runs. If islands exchange in this
 * step, called after the exchange. */
SHOAL_MUST_CHECK enum shoal_status search_islands_finish(struct shoal_solver *solver,
                                                         struct search_islands *islands,
                                                         const struct search_members *members, uint32_t step,
                                                         struct shoal_error *error);
/* Enqueues the end of a step for an algorithm without an exchange of its own. If an exchange is due,
 * champions replace the worst members before. */
SHOAL_MUST_CHECK enum shoal_status search_islands_end_step(struct shoal_solver *solver,
                                                           struct search_islands *islands,
                                                           const struct search_members *members,
                                                           uint32_t step, struct shoal_error *error);

#endif
