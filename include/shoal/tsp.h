/* Travelling salesman: parameters of the workload "tsp" (shoal_workload_find("tsp")), and calls on problems
 * and tours that need no solver.
 *
 * A problem is a number of cities with the distance of each pair, a whole number of 0 .. 2^31 - 1 that is the
 * same on every device; a tour visits each city once and returns. Lengths are sums of distances in 64 bits.
 * Where the input has a unit of its own (kilometres, degrees), results are in that unit: length times
 * shoal_tsp_info.unit.
 *
 * The thesis: V. Pechacek, Acceleration of Discrete Optimization Heuristics Using GPU, Brno 2012. docs/tsp.md
 * states each distance, rule and algorithm with its source, and the random numbers drawn.
 *
 * Threads and errors: those of <shoal/workload.h>; a problem is constant once it is open, and any thread may
 * use it.
 */
#ifndef SHOAL_TSP_H
#define SHOAL_TSP_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* The distance of two places. AUTO: that of the file; of points without one EUCLID, of latitudes and
 * longitudes HAVERSINE. The next ten are TSPLIB's, by its own formulas (G. Reinelt, TSPLIB 95); MATRIX: given
 * pair by pair. */
enum shoal_tsp_metric {
    SHOAL_TSP_AUTO,
    SHOAL_TSP_EUC_2D,
    SHOAL_TSP_EUC_3D,
    SHOAL_TSP_CEIL_2D,
    SHOAL_TSP_MAN_2D,
    SHOAL_TSP_MAN_3D,
    SHOAL_TSP_MAX_2D,
    SHOAL_TSP_MAX_3D,
    SHOAL_TSP_ATT,
    SHOAL_TSP_GEO,
    SHOAL_TSP_EUCLID,    /* straight, in the smallest power of ten for which no distance reaches 2^30 */
    SHOAL_TSP_HAVERSINE, /* great circle of radius 6,371,008.8 m in centimetres, of latitude and longitude in
                            degrees */
    SHOAL_TSP_MATRIX,
    SHOAL_TSP_GEOM /* of Concorde and LKH: great circle of radius 6,378,388 m, of latitude and longitude in
                      degrees, plus 1 m and cut to whole metres */
};

/* No city: an end of a path that is open, a neighbour that there is not. */
#define SHOAL_TSP_NONE UINT32_MAX
/* A pair of a matrix that no tour may use. */
#define SHOAL_TSP_FORBIDDEN (-1)

enum shoal_tsp_algorithm {
    SHOAL_TSP_FACO, /* focused ants: R. Skinderowicz, Improving Ant Colony Optimization ... large TSP, 2022 */
    SHOAL_TSP_AS,   /* ant system; this and the next five as in ACOTSP 1.03 by T. Stuetzle */
    SHOAL_TSP_EAS,  /* elitist ant system */
    SHOAL_TSP_RAS,  /* rank-based ant system */
    SHOAL_TSP_MMAS, /* MAX-MIN ant system */
    SHOAL_TSP_BWAS, /* best-worst ant system */
    SHOAL_TSP_ACS   /* ant colony system */
    /* 7: enum shoal_tsp_thesis_algorithm of <shoal/theses.h>. */
};

/* Which cities candidate lists hold, nearest first. QUADRANT: of each quadrant (in space and on the earth
 * octant) around a city the same number of nearest ones, then the nearest of the rest; such lists join
 * clusters, whose cities have all their nearest neighbours in their own cluster. AUTO: for the algorithm faco
 * QUADRANT where cities have coordinates and lists of the nearest do not connect them all, else NEAREST.
 * GIVEN: those of list_file or of neighbour_lists, which need not be asked for. */
enum shoal_tsp_lists {
    SHOAL_TSP_LISTS_AUTO,
    SHOAL_TSP_LISTS_NEAREST,
    SHOAL_TSP_LISTS_QUADRANT,
    SHOAL_TSP_LISTS_GIVEN
};

/* Parameters of the algorithm faco. 0 and NaN: those of the paper. */
struct shoal_tsp_faco {
    uint64_t new_edges;  /* of an ant's tour against its source, at least */
    double p_best;       /* from which the least pheromone follows */
    double source_share; /* probability that the next source is the best tour so far */
    bool merge;          /* all improving ants that fit with each other are taken, not the best one alone */
};

/* Where the ants of ACOTSP leave pheromone: on the edges to candidates, or on all. */
enum shoal_tsp_pheromone { SHOAL_TSP_ON_CANDIDATES, SHOAL_TSP_ON_ALL };

/* Parameters of the algorithms as, eas, ras, mmas, bwas and acs. 0 and NaN: by the algorithm. */
struct shoal_tsp_ants {
    int32_t pheromone;     /* enum shoal_tsp_pheromone */
    uint64_t local_search; /* of each ant's tour: 0 none, 1 2-opt, 2 2.5-opt, 3 3-opt, 4 2-opt and Or-opt */
    uint64_t local_neighbours; /* cities of a candidate list of the local search */
    uint64_t look_bits;        /* 1: local search with don't-look bits; 0: without */
    double q0;                 /* probability of the best candidate instead of a random one */
    uint64_t elitists;         /* eas: weight of the best tour so far */
    uint64_t ranks;            /* ras: weight of the best tour so far; the ranks - 1 best ants follow */
};

struct shoal_tsp_thesis; /* <shoal/theses.h> */
struct shoal_tsp_problem;

/* A better tour, to the callback, which is called for each at the step that found it: but for the seconds the
 * calls of equal runs are equal. */
struct shoal_tsp_better {
    size_t size;          /* of this struct in the library */
    double seconds;       /* since the first step began */
    uint64_t steps;       /* done */
    uint64_t tours;       /* constructed, all colonies together */
    int64_t length;       /* sum of the distances */
    double gap;           /* length / optimum - 1; NaN: no optimum is known */
    const uint32_t *tour; /* cities from 0 on; of a path from its first to its last. Valid during the call */
    size_t count;
    double length_in_unit; /* length in the unit of the input */
};
typedef void shoal_tsp_better_callback(void *data, const struct shoal_tsp_better *better);

/* One of the samples of a run, each `trace` steps. */
struct shoal_tsp_sample {
    uint64_t step;
    double seconds; /* since the first step began */
    uint64_t tours; /* constructed, all colonies together */
    double length;  /* of the best tour, in the unit of the input */
    double gap;     /* length / optimum - 1; NaN: no optimum is known */
};

/* NaN and 0: by the algorithm, unless said otherwise; docs/tsp.md has the table. */
struct shoal_tsp_params {
    size_t size;

    /* The problem is exactly one of: */
    const char *data;        /* a file: TSPLIB, CSV or .npy; "-": standard input */
    const char *generate;    /* "E100k.0", "uniform:N:SEED", "clustered:N:SEED" */
    const double *points;    /* count * dim numbers, not copied: valid as long as the problem or solver */
    const int32_t *matrix;   /* count * count distances, row by row: from, to; not copied */
    uint64_t count;          /* cities of points or matrix */
    uint64_t dim;            /* of points: 2 or 3 */
    int32_t metric;          /* enum shoal_tsp_metric */
    bool path;               /* from a first to a last city, instead of a closed tour */
    const char *start, *end; /* ids of these two; NULL: any. With `end` a path is meant, with `start` alone a
                                closed tour that begins there */
    double optimum;   /* known length, for gaps; NaN: of the tables at hand, by the name of the problem */
    const char *tour; /* file with a tour to start from; NULL: none */
    const uint32_t *start_tour; /* the same as count cities from 0 on, copied; NULL: none */
    /* Candidate lists of the caller: `neighbours` cities from 0 on for each city, to which a tour may go from
     * it, in any order, SHOAL_TSP_NONE behind the last one; not copied: valid as long as the problem or
     * solver. Algorithms and local search use the nearest of them first. NULL: those of `lists`. */
    const uint32_t *neighbour_lists;
    uint64_t neighbours;

    /* The run. */
    int32_t algorithm; /* enum shoal_tsp_algorithm */
    uint64_t seed;
    uint64_t iterations; /* steps: each ant constructs a tour; thesis: 0 macro_cycles + overlaps */
    double time;         /* seconds after which the run ends as complete; NaN: none */
    uint64_t tours;      /* ends after the step that constructs that many; 0: no such end */
    double target;       /* ends at a tour of this length or shorter, in the unit of the input; NaN: none */
    uint64_t stagnation; /* ends after that many steps without a better tour; 0: no such end */
    uint64_t colonies;   /* independent ones with seeds of their own, all in one launch */
    uint64_t trace;      /* steps between samples; 0: none */
    shoal_tsp_better_callback *on_better; /* from the thread that steps; NULL: none */
    void *better_data;

    /* Ants: those of a colony, cities of a candidate list, exponents of pheromone and of 1 / distance,
     * evaporation. */
    uint64_t ants;
    uint64_t candidates;
    double alpha, beta, rho;

    struct shoal_tsp_faco faco;
    struct shoal_tsp_ants colony;
    struct shoal_tsp_thesis *thesis; /* parameters of the thesis; NULL: its defaults */

    int32_t header; /* CSV: whether the first line names the columns, enum shoal_header of <shoal/data.h> */
    int32_t lists;  /* enum shoal_tsp_lists: candidate lists where neighbour_lists is NULL */
    const char *list_file; /* candidate lists of a file, of LKH or rows of ids (docs/tsp.md); NULL: none */
};

SHOAL_API void shoal_tsp_params_init(struct shoal_tsp_params *params);
#define SHOAL_TSP_PARAMS(...) SHOAL_INIT(shoal_tsp_params, shoal_tsp_params_init, __VA_ARGS__)

struct shoal_tsp_info {
    size_t size;                /* of this struct in the library */
    const char *name, *comment; /* the problem's; comment NULL: none */
    uint32_t cities;
    enum shoal_tsp_metric metric;
    uint32_t dim; /* of the points; 0: a matrix */
    bool is_asymmetric, is_path;
    double unit;           /* of a unit of length, in the input's */
    const char *unit_name; /* "m", "km"; "": that of the coordinates */
    size_t fixed_edges;
    int64_t optimum; /* best known length, 0: none */
    bool is_optimal; /* it is proven */
    /* What a user should know of how the input was read, a sentence a line; "": nothing. */
    const char *notes;
};

/* Opens the problem of `params` (its members of the first group; the rest has no effect). What `params`
 * points to must stay valid as long as the problem. SHOAL_IO: a file cannot be read or holds something wrong;
 * SHOAL_INVALID. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_open(const struct shoal_tsp_params *params,
                                                            struct shoal_tsp_problem **out,
                                                            struct shoal_error *error);
SHOAL_API void shoal_tsp_close(struct shoal_tsp_problem **problem); /* accepts NULL, sets it to NULL */
SHOAL_API const struct shoal_tsp_info *shoal_tsp_get_info(const struct shoal_tsp_problem *problem);
/* Coordinates as in the input: dim numbers a city; NULL: a matrix. */
SHOAL_API const double *shoal_tsp_points(const struct shoal_tsp_problem *problem);
/* The info.fixed_edges edges that every tour has: two cities from 0 on for each. NULL: there are none. */
SHOAL_API const uint32_t *shoal_tsp_fixed_edges(const struct shoal_tsp_problem *problem);
/* Where a map has a city, across and up: x and y, or longitude (-180 .. 180) and latitude in degrees. False:
 * there is no such place, the problem is a matrix. */
SHOAL_API bool shoal_tsp_map_position(const struct shoal_tsp_problem *problem, uint32_t city,
                                      double position[2]);
/* The distance from one city to another; SHOAL_TSP_FORBIDDEN: no tour may use it. */
SHOAL_API int64_t shoal_tsp_distance(const struct shoal_tsp_problem *problem, uint32_t from, uint32_t to);
/* The id of a city as the input has it, in `size` bytes. */
SHOAL_API void shoal_tsp_id(const struct shoal_tsp_problem *problem, uint32_t city, char *text, size_t size);
/* Checks that `tour` holds each city once, the ends of a path and every fixed edge, and no forbidden one;
 * `*length` receives its length. SHOAL_INVALID with the place of what is wrong. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_check(const struct shoal_tsp_problem *problem,
                                                             const uint32_t *tour, size_t count,
                                                             int64_t *length, struct shoal_error *error);
/* A tour of the problem from a file: TSPLIB's TOUR, Concorde's solution (.sol), a .csv or .json of
 * shoal_tsp_write_tour, or an id a line; what it is follows from its content. `tour` has room for all cities.
 * Of several tours in a file the first. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tour(const struct shoal_tsp_problem *problem,
                                                                 const char *path, uint32_t *tour,
                                                                 struct shoal_error *error);
/* The same; `*count` receives the number of tours in the file. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tours(const struct shoal_tsp_problem *problem,
                                                                  const char *path, uint32_t *tour,
                                                                  size_t *count, struct shoal_error *error);
/* The same; `*notes` receives what is to know of how it was read, such as keys that were left out, a sentence
 * a line, which the caller frees; NULL: nothing. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tour_file(const struct shoal_tsp_problem *problem,
                                                                      const char *path, uint32_t *tour,
                                                                      size_t *count, char **notes,
                                                                      struct shoal_error *error);
/* Writes a tour in the format of the extension: .tour (TSPLIB), .txt (an id a line), .csv (a row
 * a city: place, id, length of the leg that arrives, length so far; a closed tour ends where it began), .json
 * (order, ids, lengths of the legs, cumulated), .geojson (line and points, of latitudes and longitudes; cut
 * at 180 degrees, RFC 7946). Whole or not at all. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_write_tour(const struct shoal_tsp_problem *problem,
                                                                  const uint32_t *tour, const char *path,
                                                                  struct shoal_error *error);
/* Writes the problem itself: .tsp or .atsp (TSPLIB) or .csv, by the extension. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_write(const struct shoal_tsp_problem *problem,
                                                             const char *path, struct shoal_error *error);
/* Candidate lists: the `count` (at most 128) nearest cities of each, nearest first, of equal distance the
 * lower number first; SHOAL_TSP_NONE behind the last. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_neighbours(const struct shoal_tsp_problem *problem,
                                                                  uint32_t count, uint32_t *lists,
                                                                  struct shoal_error *error);

/* The same lists by the device of a queue, as often as they are wanted: programs and memory stay. Problem and
 * queue must stay valid as long as this. */
struct shoal_tsp_lister;
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_lister_create(const struct shoal_tsp_problem *problem, uint32_t count, struct shoal_queue *queue,
                        enum shoal_variant variant, struct shoal_tsp_lister **out, struct shoal_error *error);
SHOAL_API void shoal_tsp_lister_destroy(struct shoal_tsp_lister **lister); /* accepts NULL, sets it to NULL */
/* Finds them, and waits for the device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_lister_run(struct shoal_tsp_lister *lister,
                                                                  struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_lister_get(struct shoal_tsp_lister *lister,
                                                                  uint32_t *lists, struct shoal_error *error);
SHOAL_API const struct shoal_program *shoal_tsp_lister_program(const struct shoal_tsp_lister *lister);

/* Local search: from given tours to tours that no move makes shorter. docs/tsp.md has the rules; host and
 * devices give the same tours. */
enum shoal_tsp_moves {
    SHOAL_TSP_2OPT,
    SHOAL_TSP_2HOPT,      /* 2-opt and insertions of one city ("2.5-opt") */
    SHOAL_TSP_OROPT,      /* segments of one to three cities, both ways round */
    SHOAL_TSP_2OPT_OROPT, /* both */
    SHOAL_TSP_3OPT,       /* sequential 3-opt with these */
    SHOAL_TSP_ALL_PAIRS   /* 2-opt without candidate lists: each time the best move of all pairs of edges */
};

struct shoal_tsp_improve_params {
    size_t size;
    int32_t moves;         /* enum shoal_tsp_moves */
    bool best_improvement; /* each move is the best of all cities that wait; else of one city */
    uint64_t neighbours;   /* cities of a candidate list, at most 128 */
    bool quadrants;        /* lists of the same number from each quadrant around a city */
    bool no_look_bits;     /* without don't-look bits: until a look of all cities finds no move */
    uint64_t reach;        /* moves that turn or carry more cities than that are not made; 0: no limit */
    uint64_t most_moves;   /* ALL_PAIRS: ends after so many; 0: no limit */
    enum shoal_variant variant;
};

/* 2-opt and Or-opt, first improvement, 10 nearest neighbours. */
SHOAL_API void shoal_tsp_improve_params_init(struct shoal_tsp_improve_params *params);
#define SHOAL_TSP_IMPROVE_PARAMS(...)                                                                        \
    SHOAL_INIT(shoal_tsp_improve_params, shoal_tsp_improve_params_init, __VA_ARGS__)

/* Improves `count` tours, each of all cities of the problem, one behind the other; `lengths`, if not NULL,
 * receives their lengths. On the device of `queue`; NULL: on the host. SHOAL_INVALID: a tour is none of the
 * problem, with the place of what is wrong. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improve(const struct shoal_tsp_problem *problem,
                                                               const struct shoal_tsp_improve_params *params,
                                                               struct shoal_queue *queue, uint32_t *tours,
                                                               size_t count, int64_t *lengths,
                                                               struct shoal_error *error);

/* The same in parts, for callers that improve often: lists, programs and memory for up to `most` tours stay.
 * Problem and queue must stay valid as long as this. */
struct shoal_tsp_improver;
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_improver_create(const struct shoal_tsp_problem *problem,
                          const struct shoal_tsp_improve_params *params, struct shoal_queue *queue,
                          size_t most, struct shoal_tsp_improver **out, struct shoal_error *error);
SHOAL_API void
shoal_tsp_improver_destroy(struct shoal_tsp_improver **improver); /* accepts NULL, sets it to NULL */
/* Takes the tours to begin with. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_set(struct shoal_tsp_improver *improver,
                                                                    const uint32_t *tours, size_t count,
                                                                    struct shoal_error *error);
/* Improves them, and waits for the device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_run(struct shoal_tsp_improver *improver,
                                                                    struct shoal_error *error);
/* The improved tours and their lengths; either may be NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_get(struct shoal_tsp_improver *improver,
                                                                    uint32_t *tours, int64_t *lengths,
                                                                    struct shoal_error *error);
/* Its program; NULL: the host's. */
SHOAL_API const struct shoal_program *shoal_tsp_improver_program(const struct shoal_tsp_improver *improver);

/* A first tour of greedy edges by `neighbours` (at most 128) candidates, in time near to linear in the cities
 * of points. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_greedy(const struct shoal_tsp_problem *problem,
                                                              uint32_t neighbours, uint32_t *tour,
                                                              struct shoal_error *error);

/* The best tour of a solver or of a finished run (shoal_report.solver); waits for the steps enqueued. `tour`
 * has room for `capacity` cities, at least all; NULL: only the length is asked for. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_best(struct shoal_solver *solver, uint32_t *tour,
                                                            size_t capacity, int64_t *length,
                                                            struct shoal_error *error);
/* The problem of a solver, which owns it. NULL: it is no solver of the workload "tsp". */
SHOAL_API const struct shoal_tsp_problem *shoal_tsp_problem_of(const struct shoal_solver *solver);

SHOAL_END_DECLS

#endif
