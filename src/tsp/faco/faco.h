/* Private: focused ant colony optimisation: rules resolved from parameters and problem, tables that host and
 * devices share. docs/tsp.md, "Focused ants", has the rules. */
#ifndef SHOAL_TSP_FACO_H
#define SHOAL_TSP_FACO_H

#include "tsp/colonies.h"

struct faco_settings;
struct faco_colony;
struct faco_piece;
struct faco_result;
struct faco_stop;

struct faco {
    const struct tsp_problem *problem;
    struct faco_settings *settings;
    uint32_t *lists;   /* [n][k]: candidates */
    uint32_t *desires; /* [n][k]: weights by distance */
    int32_t *reach;    /* [n][k]: distances; INT32_MIN: a fixed edge */
    uint32_t *first;   /* the first source */
    int64_t length;    /* length of the first source */
    bool are_others;   /* the arrays above belong to the whole run */
};

/* Sets rules and memory. After a failure faco_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status faco_create(struct shoal_solver *solver, struct faco *faco,
                                               struct shoal_error *error);
/* `prepare` of struct tsp_method: makes the lists, and with is_first the first source, which `begin` needs.
 */
SHOAL_MUST_CHECK enum shoal_status faco_prepare(struct shoal_solver *solver, struct faco *faco, bool is_first,
                                                struct shoal_error *error);
/* The same for a share: takes what the whole run has made. */
void faco_share_tables(struct faco *faco, const struct faco *whole);
void faco_destroy(struct faco *faco); /* accepts zeros */

/* Loads the arrays of the method from a checkpoint. Checks that its "sources", "best tours"
 * and "colonies" are possible after `step` steps. */
SHOAL_MUST_CHECK enum shoal_status faco_load(struct shoal_solver *solver, struct faco *faco,
                                             const struct checkpoint *checkpoint, struct shoal_error *error);

/* Sets the members of `common` that follow from rules and states of the colonies. */
void faco_set_colonies(const struct faco *faco, struct faco_colony *states, struct tsp_colonies *common);

/* The source of a colony, for ants on the host. */
struct faco_source {
    const uint32_t *order, *positions, *weights;
    const struct faco_stop *stops;
    const int64_t *legs;
    const double *places; /* coordinates of the cities in the order of the source; NULL: the cities are not
                           * points in the plane with rounded distances */
};
/* The tour of ant `index`: its segments, and its length less the length of the source. The second function is
 * for plain points in the plane, where it is faster. */
typedef int64_t faco_host_ant_function(const struct faco *faco, const struct faco_source *source,
                                       uint32_t index, uint32_t step, struct faco_piece *pieces,
                                       uint32_t *count);
faco_host_ant_function faco_host_ant, faco_host_ant_in_plane;
#ifdef __x86_64__
faco_host_ant_function faco_host_ant_in_plane_avx2; /* the same function for processors with AVX2 */
#endif

/* On the host: merges the compatible ants of a piece; `piece` is its number among the pieces of all colonies,
 * whose ants made `tours`. merged: FACO_MERGED segments. memory: faco_merge_bytes() bytes. */
struct faco_tours {
    const int64_t *changes;
    const struct faco_piece *pieces;
    const uint32_t *counts;
};
size_t faco_merge_bytes(void);
void faco_host_merge(const struct faco_settings *settings, const struct faco_tours *tours, uint32_t piece,
                     void *memory, struct faco_piece *merged, struct faco_result *result);

extern const struct tsp_method faco_host_method, faco_device_method;

#endif
