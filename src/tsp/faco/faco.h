/* Private: focused ant colony optimisation: settings that follow from parameters and problem, and the tables
 * that both the host's and the devices' solvers use. docs/tsp.md, "Focused ants", describes the rules. */
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
    uint32_t *desires; /* [n][k]: weights (1 / distance)^beta of the edges to candidates, as integers */
    int32_t *reach;    /* [n][k]: distances of the candidates; INT32_MIN: the edge is fixed */
    uint32_t *first;   /* the first source */
    int64_t length;    /* length of `first` */
    bool are_others;   /* a share: the whole run owns lists, desires, reach and first */
};

/* Sets the settings, and problem->lists if it is AUTO. After a failure the caller must call faco_destroy. */
SHOAL_MUST_CHECK enum shoal_status faco_create(struct shoal_solver *solver, struct faco *faco,
                                               struct shoal_error *error);
/* Computes the tables and, if is_first, the first source, which `begin` needs. This is the member `prepare`
 * of struct tsp_method, for host and devices. */
SHOAL_MUST_CHECK enum shoal_status faco_prepare(struct shoal_solver *solver, struct faco *faco, bool is_first,
                                                struct shoal_error *error);
/* Lets a share use the tables of the whole run, which keeps owning them. */
void faco_share_tables(struct faco *faco, const struct faco *whole);
void faco_destroy(struct faco *faco); /* accepts a struct of zeros */

/* Loads the arrays of the method from a checkpoint. Checks that values of the sections "sources", "best
 * tours" and "colonies" can occur after the saved number of steps. */
SHOAL_MUST_CHECK enum shoal_status faco_load(struct shoal_solver *solver, struct faco *faco,
                                             const struct checkpoint *checkpoint, struct shoal_error *error);

/* Sets the members of `common` that depend on the settings and on the states of the colonies. */
void faco_set_colonies(const struct faco *faco, struct faco_colony *states, struct tsp_colonies *common);

/* The source of a colony and the arrays that depend on it, as ants on the host read them. */
struct faco_source {
    const uint32_t *order, *positions, *weights;
    const struct faco_stop *stops;
    const int64_t *legs;
    /* coordinates of the cities in the order of the source; NULL if the cities are not points in the plane
     * with rounded Euclidean distances */
    const double *places;
};
/* Constructs the tour of ant `index`: writes the segments of the source that make up the tour to `pieces`,
 * and their number to *count. Returns the length of the tour minus the length of the source. faco_host_ant
 * handles all problems; faco_host_ant_in_plane is faster, for closed tours of points in the plane without
 * fixed edges. */
typedef int64_t faco_host_ant_function(const struct faco *faco, const struct faco_source *source,
                                       uint32_t index, uint32_t step, struct faco_piece *pieces,
                                       uint32_t *count);
faco_host_ant_function faco_host_ant, faco_host_ant_in_plane;
#ifdef __x86_64__
faco_host_ant_function faco_host_ant_in_plane_avx2; /* faco_host_ant_in_plane for processors with AVX2 */
#endif

/* Tours of the ants of a step on the host. faco_host_merge merges those ants of a piece whose changes are
 * compatible. `piece`: number among the pieces of all colonies; merged: FACO_MERGED segments; memory:
 * faco_merge_bytes() bytes. */
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
