/* Private: a problem of the travelling salesman. It is created from the parameters and does not change
 * afterwards, except for the kind of lists. */
#ifndef SHOAL_TSP_PROBLEM_H
#define SHOAL_TSP_PROBLEM_H

#include "io/cursor.h"
#include "tsp/model/form.h"

struct tsp_ids;

struct tsp_problem {
    const struct shoal_tsp_params *params; /* must stay valid as long as the problem exists */
    char *name;    /* NAME of a TSPLIB file, or else the name of the file or of the generator */
    char *comment; /* COMMENT of a TSPLIB file; NULL: no comment */
    uint32_t n;    /* number of cities of the input */
    enum shoal_tsp_metric metric; /* never AUTO */
    /* number of coordinates of a city of the input, 2 or 3; 0: the input is a matrix */
    unsigned dim;
    /* [n][dim]: coordinates as in the input, latitude and longitude in degrees (DDD.MM for GEO); NULL: the
     * input is a matrix */
    double *places;
    /* [n][n]: distance from the city of the row to the city of the column, or SHOAL_TSP_FORBIDDEN; NULL: the
     * input has points */
    int32_t *matrix;
    /* whether the problem frees `places` and `matrix`; false: the caller owns the array */
    bool owns_places, owns_matrix;
    bool is_asymmetric;
    /* unit of distances as a multiple of the unit of the input: 1 for TSPLIB, 0.01 (m) for haversine */
    double unit;
    const char *unit_name; /* "m" or "km"; "": the unit of the input has no name */
    bool is_path;
    /* start: first city of a path, or the city with which closed tours are reported; end: last city of a
     * path. SHOAL_TSP_NONE: any city */
    uint32_t start, end;
    uint32_t (*fixed)[2]; /* edges that every tour must contain */
    size_t fixed_count;
    struct tsp_ids *ids;        /* ids of the cities; NULL: the ids are 1 .. n, as in TSPLIB */
    int64_t optimum;            /* best known length; 0: unknown */
    bool is_optimal;            /* `optimum` is proven to be the shortest length */
    uint32_t *tour;             /* start tour, as cities of the input; NULL: no start tour */
    enum shoal_tsp_lists lists; /* kind of candidate lists; AUTO until the algorithm has chosen a kind */
    /* candidate lists of the caller, with SHOAL_TSP_LISTS_GIVEN: given_width cities for each city of the
     * input, in the format of params->neighbour_lists */
    uint32_t *given;
    uint32_t given_width;
    bool owns_given;
    struct text notes; /* notes to the user about how the input was read, one sentence in each line */
    struct tsp_form form;
    struct shoal_tsp_info info; /* properties of the problem that callers can read */
};

/* Returns the problem to which a caller's handle points. */
static inline const struct tsp_problem *tsp_private(const struct shoal_tsp_problem *problem)
{
    return (const struct tsp_problem *)(const void *)problem;
}

static inline struct shoal_tsp_problem *tsp_public(struct tsp_problem *problem)
{
    return (struct shoal_tsp_problem *)(void *)problem;
}

/* Checks those rules between parameters that need no file. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_params(const struct shoal_tsp_params *params,
                                                    struct shoal_error *error);
/* Reads or generates the problem that the valid `params` describe, checks it, and creates its form. After a
 * failure, everything allocated has been freed. */
SHOAL_MUST_CHECK enum shoal_status tsp_problem_create(const struct shoal_tsp_params *params,
                                                      struct tsp_problem *problem, struct shoal_error *error);
void tsp_problem_destroy(struct tsp_problem *problem); /* accepts a struct of zeros */

/* Adds a sentence to the notes. */
SHOAL_PRINTF(2, 3) void tsp_note(struct tsp_problem *problem, const char *format, ...);
/* Adds each line of a text to the notes. */
void tsp_note_lines(struct tsp_problem *problem, const char *lines);
/* Returns whether the coordinates of a metric are latitude and longitude. */
static inline bool tsp_is_globe(enum shoal_tsp_metric metric)
{
    return metric == SHOAL_TSP_GEO || metric == SHOAL_TSP_HAVERSINE || metric == SHOAL_TSP_GEOM;
}

/* Returns the name of a metric, such as "EUC_2D" or "euclid". */
const char *tsp_metric_name(enum shoal_tsp_metric metric);
/* Checks that `tour` has each city of the input once, begins and ends with the chosen ends of a path, and has
 * all fixed edges and no forbidden edge. Returns SHOAL_INVALID otherwise; the message names the first wrong
 * city or edge. */
enum shoal_status tsp_tour_fault(const struct tsp_problem *problem, const uint32_t *tour, size_t count,
                                 struct shoal_error *error);

/* tsp_id writes the id of a city to `text`, of `size` bytes. tsp_city and tsp_find_city return the city that
 * has an id, or SHOAL_TSP_NONE. */
void tsp_id(const struct tsp_problem *problem, uint32_t city, char *text, size_t size);
uint32_t tsp_city(const struct tsp_problem *problem, const char *id);
uint32_t tsp_find_city(const struct tsp_problem *problem, struct word id);
/* Sets the position of a city on a map, horizontal and vertical: x and y, or longitude (-180 .. 180) and
 * latitude in degrees. The problem must have points. */
void tsp_map_position(const struct tsp_problem *problem, uint32_t city, double position[2]);

/* Returns a length in the unit of the input. `length`: in the unit of the problem's distances. */
double tsp_in_unit(const struct tsp_problem *problem, int64_t length);

#endif
