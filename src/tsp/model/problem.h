/* Private: a problem, resolved from the parameters once and constant from then on. */
#ifndef SHOAL_TSP_PROBLEM_H
#define SHOAL_TSP_PROBLEM_H

#include "io/cursor.h"
#include "tsp/model/form.h"

struct tsp_ids;

struct tsp_problem {
    const struct shoal_tsp_params *params; /* valid as long as the problem */
    char *name;                            /* TSPLIB's NAME, else the name of the file or of the generator */
    char *comment;                         /* TSPLIB's COMMENT; NULL: none */
    uint32_t n;                            /* cities of the input */
    enum shoal_tsp_metric metric;          /* never AUTO */
    unsigned dim;                          /* dimension of the input's points, 2 or 3; 0: the input is a
                                            * matrix */
    /* [n][dim]: numbers as read; latitude and longitude in degrees; NULL: the problem is a matrix */
    double *places;
    /* [n][n]: distances from the city of the row, or SHOAL_TSP_FORBIDDEN; NULL: the problem has points */
    int32_t *matrix;
    bool owns_places, owns_matrix; /* true: the array belongs to the problem; false: to the caller */
    bool is_asymmetric;
    double unit;           /* size of a unit of distance in the input's unit: 1 for TSPLIB, 0.01 m for
                            * haversine */
    const char *unit_name; /* "m", "km"; "": the unit of the input's coordinates */
    bool is_path;
    uint32_t start, end;  /* first and last city of a path, or where a closed tour begins; SHOAL_TSP_NONE: any
                           * city */
    uint32_t (*fixed)[2]; /* edges that every tour holds */
    size_t fixed_count;
    struct tsp_ids *ids;        /* names of cities; NULL: the names are 1 .. n, as in TSPLIB */
    int64_t optimum;            /* best known length; 0: unknown */
    bool is_optimal;            /* the best known length is proven */
    uint32_t *tour;             /* start tour of the input's cities; NULL: none */
    enum shoal_tsp_lists lists; /* AUTO until an algorithm has examined the cities */
    /* with GIVEN: given_width cities for each city of the input, as params->neighbour_lists */
    uint32_t *given;
    uint32_t given_width;
    bool owns_given;
    struct text notes; /* how the input was read, as far as users should know: a sentence on each line */
    struct tsp_form form;
    struct shoal_tsp_info info; /* the remaining properties, for callers */
};

/* The handle that callers hold points to a struct tsp_problem. */
static inline const struct tsp_problem *tsp_private(const struct shoal_tsp_problem *problem)
{
    return (const struct tsp_problem *)(const void *)problem;
}

static inline struct shoal_tsp_problem *tsp_public(struct tsp_problem *problem)
{
    return (struct shoal_tsp_problem *)(void *)problem;
}

/* Checks rules between the parameters that need no file. */
SHOAL_MUST_CHECK enum shoal_status tsp_check_params(const struct shoal_tsp_params *params,
                                                    struct shoal_error *error);
/* Reads or generates the problem of valid `params`, checks it, and sets its form. Frees everything on
 * failure. */
SHOAL_MUST_CHECK enum shoal_status tsp_problem_create(const struct shoal_tsp_params *params,
                                                      struct tsp_problem *problem, struct shoal_error *error);
void tsp_problem_destroy(struct tsp_problem *problem); /* accepts zeros */

/* Adds a sentence to the notes. */
SHOAL_PRINTF(2, 3) void tsp_note(struct tsp_problem *problem, const char *format, ...);
/* adds each line of a text to the notes */
void tsp_note_lines(struct tsp_problem *problem, const char *lines);
/* Whether places are latitudes and longitudes. */
static inline bool tsp_is_globe(enum shoal_tsp_metric metric)
{
    return metric == SHOAL_TSP_GEO || metric == SHOAL_TSP_HAVERSINE || metric == SHOAL_TSP_GEOM;
}

/* Name of a metric: "EUC_2D", "euclid". */
const char *tsp_metric_name(enum shoal_tsp_metric metric);
/* Returns SHOAL_OK if `tour` holds each of the input's cities once, the ends of a path, every fixed edge and
 * no forbidden edge. Otherwise SHOAL_INVALID; the message names the place of the fault. */
enum shoal_status tsp_tour_fault(const struct tsp_problem *problem, const uint32_t *tour, size_t count,
                                 struct shoal_error *error);

/* tsp_id writes the id of a city as text into `size` bytes. tsp_city and tsp_find_city return the city of an
 * id, or SHOAL_TSP_NONE. */
void tsp_id(const struct tsp_problem *problem, uint32_t city, char *text, size_t size);
uint32_t tsp_city(const struct tsp_problem *problem, const char *id);
uint32_t tsp_find_city(const struct tsp_problem *problem, struct word id);
/* The position of a city on a map, across and up: x and y, or longitude (-180 .. 180) and latitude in
 * degrees. The problem must have points. */
void tsp_map_position(const struct tsp_problem *problem, uint32_t city, double position[2]);

/* A length in the unit of the input. */
double tsp_in_unit(const struct tsp_problem *problem, int64_t length);

#endif
