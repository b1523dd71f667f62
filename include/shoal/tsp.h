/* Travelling salesman: parameters of the workload "tsp" (shoal_workload_find("tsp")), and calls on problems
 * and tours that need no solver.
 *
 * A problem is a number of cities with the distance of each pair, a whole number of 0 .. 2^31 - 1 that is
 * equal on every device; a tour visits each city once and returns. Lengths are sums of distances in 64 bits.
 * Where the input has a unit of its own (kilometres, degrees), results are in that unit: length times
 * shoal_tsp_info.unit. Cities count from 0.
 *
 * The thesis: V. Pechacek, Acceleration of Discrete Optimization Heuristics Using GPU, Brno 2012. docs/tsp.md
 * states each distance, rule and algorithm with its source, and the random numbers drawn.
 *
 * Threads and errors: as of <shoal/workload.h>. A problem is constant once open, and any thread may use it.
 */
#ifndef SHOAL_TSP_H
#define SHOAL_TSP_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* The distance of two places. TSPLIB's distances are by its own formulas (G. Reinelt, TSPLIB 95). */
enum shoal_tsp_metric {
    /* The distance of the file; for points without one SHOAL_TSP_EUCLID, for latitudes and longitudes
     * SHOAL_TSP_HAVERSINE. */
    SHOAL_TSP_AUTO,
    SHOAL_TSP_EUC_2D,  /* TSPLIB: straight line in the plane, rounded to whole numbers. */
    SHOAL_TSP_EUC_3D,  /* TSPLIB: straight line in space, rounded to whole numbers. */
    SHOAL_TSP_CEIL_2D, /* TSPLIB: straight line in the plane, rounded up. */
    SHOAL_TSP_MAN_2D,  /* TSPLIB: sum of the differences in the plane, rounded. */
    SHOAL_TSP_MAN_3D,  /* TSPLIB: sum of the differences in space, rounded. */
    SHOAL_TSP_MAX_2D,  /* TSPLIB: largest difference in the plane, rounded. */
    SHOAL_TSP_MAX_3D,  /* TSPLIB: largest difference in space, rounded. */
    SHOAL_TSP_ATT,     /* TSPLIB: pseudo-Euclidean distance of att48 and att532. */
    SHOAL_TSP_GEO,     /* TSPLIB: great circle of latitudes and longitudes in degrees and minutes, in km. */
    /* Straight line, in units of the smallest power of ten for which no distance reaches 2^30. */
    SHOAL_TSP_EUCLID,
    /* Great circle of radius 6,371,008.8 m in centimetres, of latitude and longitude in degrees. */
    SHOAL_TSP_HAVERSINE,
    SHOAL_TSP_MATRIX, /* Distances are given pair by pair. */
    /* Concorde and LKH: great circle of radius 6,378,388 m, of latitude and longitude in degrees, plus 1 m
     * and cut to whole metres. */
    SHOAL_TSP_GEOM
};

/* No city: an open end of a path, or a place of a list without a neighbour. */
#define SHOAL_TSP_NONE UINT32_MAX

/* Distance of a pair in a matrix that no tour may use. */
#define SHOAL_TSP_FORBIDDEN (-1)

/* The rule by which tours are found. Ant systems are as in ACOTSP 1.03 by T. Stuetzle. Value 7: enum
 * shoal_tsp_thesis_algorithm of <shoal/theses.h>. */
enum shoal_tsp_algorithm {
    /* Focused ants: R. Skinderowicz, Improving Ant Colony Optimization ... large TSP, 2022. */
    SHOAL_TSP_FACO,
    SHOAL_TSP_AS,   /* Ant system. */
    SHOAL_TSP_EAS,  /* Elitist ant system. */
    SHOAL_TSP_RAS,  /* Rank-based ant system. */
    SHOAL_TSP_MMAS, /* MAX-MIN ant system. */
    SHOAL_TSP_BWAS, /* Best-worst ant system. */
    SHOAL_TSP_ACS   /* Ant colony system. */
};

/* Which cities candidate lists hold, nearest first. */
enum shoal_tsp_lists {
    /* For SHOAL_TSP_FACO, SHOAL_TSP_LISTS_QUADRANT where cities have coordinates and lists of the nearest
     * cities do not connect all cities. Otherwise SHOAL_TSP_LISTS_NEAREST. */
    SHOAL_TSP_LISTS_AUTO,
    SHOAL_TSP_LISTS_NEAREST, /* The nearest cities. */
    /* An equal number of nearest cities from each quadrant (in space and on the earth octant) around a city,
     * then the nearest of the rest: such lists join clusters, whose cities have all their nearest neighbours
     * in their own cluster. */
    SHOAL_TSP_LISTS_QUADRANT,
    SHOAL_TSP_LISTS_GIVEN /* The lists of list_file or neighbour_lists, which need not be asked for. */
};

/* Parameters of SHOAL_TSP_FACO. */
struct shoal_tsp_faco {
    /* Least number of edges in an ant's tour that the source of the tour does not have, up to 32. Default: 0,
     * which means 8. */
    uint64_t new_edges;
    /* Probability of the best choices, from which the least pheromone follows. Default: NaN, which means
     * 0.1. */
    double p_best;
    /* Probability that the next source is the best tour so far. Default: NaN, which means 0.01. */
    double source_share;
    /* All improving ants that are compatible with each other are taken, not only the best one. Default:
     * false. */
    bool merge;
};

/* Where the ants of the ant systems leave pheromone. */
enum shoal_tsp_pheromone {
    SHOAL_TSP_ON_CANDIDATES, /* On the edges to candidates. */
    SHOAL_TSP_ON_ALL         /* On all edges. */
};

/* Parameters of the ant systems: as, eas, ras, mmas, bwas and acs. */
struct shoal_tsp_ants {
    /* Where the ants of the ant systems leave pheromone, enum shoal_tsp_pheromone. Default:
     * SHOAL_TSP_ON_CANDIDATES. */
    int32_t pheromone;
    /* Local search of each ant's tour: 0 none, 1 2-opt, 2 2.5-opt, 3 3-opt, 4 2-opt and Or-opt. Default:
     * 0. */
    uint64_t local_search;
    /* Cities of a candidate list of the local search, up to 128. Default: 0, which means 20. */
    uint64_t local_neighbours;
    uint64_t look_bits; /* 1: the local search uses don't-look bits; 0: it does not. Default: 1. */
    /* Probability that an ant takes the best candidate instead of a random one. Default: NaN, for acs 0.9
     * (0.98 with local search), else 0. */
    double q0;
    /* Weight of the best tour so far with SHOAL_TSP_EAS. Default: 0, which means the number of cities, with
     * local search 25. */
    uint64_t elitists;
    /* Weight of the best tour so far with SHOAL_TSP_RAS, up to 100. The ranks - 1 best ants have the weights
     * ranks - 1, ranks - 2 and so on. Default: 0, which means 6. */
    uint64_t ranks;
};

/* Parameters of the thesis: see <shoal/theses.h>. */
struct shoal_tsp_thesis;

/* Cities with the distances of all pairs. */
struct shoal_tsp_problem;

/* A better tour, given to the callback at the step that found the tour. Except for the seconds, the calls of
 * equal runs are equal. Valid during the call. */
struct shoal_tsp_better {
    size_t size;           /* Bytes of the struct as the library knows it. */
    double seconds;        /* Seconds since the first step began. */
    uint64_t steps;        /* Number of steps done. */
    uint64_t tours;        /* Number of tours constructed, all colonies together. */
    int64_t length;        /* Length: sum of the distances. */
    double gap;            /* length / optimum - 1. NaN: no optimum is known. */
    const uint32_t *tour;  /* Cities in order, [count]; of a path from its first to its last city. */
    size_t count;          /* Number of cities. */
    double length_in_unit; /* Length in the unit of the input. */
};

/* Called with each better tour, from the thread that makes the steps. `data` is better_data of the
 * parameters. */
typedef void shoal_tsp_better_callback(void *data, const struct shoal_tsp_better *better);

/* A sample of a run, taken each `trace` steps. */
struct shoal_tsp_sample {
    uint64_t step;  /* Number of steps done. */
    double seconds; /* Seconds since the first step began. */
    uint64_t tours; /* Number of tours constructed, all colonies together. */
    double length;  /* Length of the best tour, in the unit of the input. */
    double gap;     /* length / optimum - 1. NaN: no optimum is known. */
};

/* Parameters of a run. 0 and NaN mean by the algorithm, unless a member says otherwise; docs/tsp.md has the
 * table. Texts are not copied: valid as long as the problem or solver. */
struct shoal_tsp_params {
    size_t size; /* Bytes of the struct, set by shoal_tsp_params_init. */

    /* The problem: exactly one of data, generate, points and matrix. Where none is given, "E1k.0" is
     * generated. */

    const char *data; /* File: TSPLIB, CSV or .npy; "-": standard input. Default: NULL, none. */
    /* Cities at random: "E100k.0", "uniform:N:SEED", "clustered:N:SEED". Default: NULL, none. */
    const char *generate;
    /* Coordinates, [count][dim]. Not copied: valid as long as the problem or solver. Default: NULL, none. */
    const double *points;
    /* Distances, [count][count]: row i has the distances from city i. Not copied: valid as long as the
     * problem or solver. Default: NULL, none. */
    const int32_t *matrix;
    uint64_t count; /* Number of cities of points or matrix. Default: 0. */
    uint64_t dim;   /* Dimensions of points, 2 or 3. Default: 2. */
    int32_t metric; /* The distance of two places, enum shoal_tsp_metric. Default: SHOAL_TSP_AUTO. */
    bool path;      /* A path from a first to a last city, instead of a closed tour. Default: false. */
    /* Id of the first city of a path, or of the city at which a closed tour begins. Default: NULL, any. */
    const char *start;
    const char *end; /* Id of the last city; a problem with `end` is a path. Default: NULL, any. */
    /* Known length of the shortest tour, for gaps. Default: NaN, by published tables and the name of the
     * problem. */
    double optimum;
    const char *tour; /* File with a tour to start from. Default: NULL, none. */
    /* Tour to start from, [count]. Copied. Default: NULL, none. */
    const uint32_t *start_tour;
    /* Candidate lists of the caller, [count][neighbours]: for each city the cities to which a tour may go,
     * in any order, SHOAL_TSP_NONE behind the last one. Algorithms and local search use the nearest of
     * these cities first. Not copied: valid as long as the problem or solver. Default: NULL, the lists of
     * `lists`. */
    const uint32_t *neighbour_lists;
    uint64_t neighbours; /* Length of each list of neighbour_lists. Default: 0. */

    /* The run. */

    /* The rule by which tours are found, enum shoal_tsp_algorithm. Default: SHOAL_TSP_FACO. */
    int32_t algorithm;
    uint64_t seed; /* Seed of the random numbers. Default: 1. */
    /* Number of steps; in a step each ant constructs a tour. Default: 0, which means 1000, or no such end
     * with `time`; for SHOAL_TSP_THESIS macro_cycles + overlaps. */
    uint64_t iterations;
    double time; /* Seconds after which the run ends as complete. Default: NaN, no limit. */
    /* The run ends after the step that constructs this number of tours; 0: no such end. Default: 0. */
    uint64_t tours;
    /* The run ends at a tour of this length or shorter, in the unit of the input. Default: NaN, none. */
    double target;
    /* The run ends after this number of steps without a better tour; 0: no such end. Default: 0. */
    uint64_t stagnation;
    /* Number of colonies with random numbers of their own, all in one launch, up to 65536. Default: 1. */
    uint64_t colonies;
    uint64_t trace; /* Steps between samples; 0: none. Default: 0. */
    /* Called with each better tour. Default: NULL, none. */
    shoal_tsp_better_callback *on_better;
    void *better_data; /* Passed to on_better. */

    /* Ants. */

    uint64_t ants;       /* Number of ants of a colony. Default: 0, by the algorithm. */
    uint64_t candidates; /* Cities of a candidate list, up to 128. Default: 0, by the algorithm. */
    double alpha;        /* Exponent of pheromone. Default: NaN, which means 1. */
    double beta;         /* Exponent of 1 / distance. Default: NaN, by the algorithm. */
    /* Part of the pheromone that evaporates in a step, 0 to 1. Default: NaN, by the algorithm. */
    double rho;

    /* Parameters of SHOAL_TSP_FACO. */
    struct shoal_tsp_faco faco;
    /* Parameters of the ant systems. */
    struct shoal_tsp_ants colony;
    /* Parameters of the thesis, struct shoal_tsp_thesis of <shoal/theses.h>. Default: NULL, the defaults. */
    struct shoal_tsp_thesis *thesis;

    /* Whether the first line of a CSV file names the columns, enum shoal_header of <shoal/data.h>. Default:
     * SHOAL_HEADER_AUTO. */
    int32_t header;
    /* Candidate lists, enum shoal_tsp_lists. SHOAL_INVALID: SHOAL_TSP_LISTS_NEAREST or
     * SHOAL_TSP_LISTS_QUADRANT beside neighbour_lists or list_file. Default: SHOAL_TSP_LISTS_AUTO. */
    int32_t lists;
    /* File with candidate lists, of LKH or rows of ids (docs/tsp.md). Default: NULL, none. */
    const char *list_file;
    /* Number of steps after which each colony takes the best tour of the colony before it, in a ring, where
     * that tour is shorter than its own; not for SHOAL_TSP_AS and SHOAL_TSP_THESIS. Default: 0, the colonies
     * are independent. */
    uint64_t exchange;
    /* Number of pieces of consecutive cities into which SHOAL_TSP_FACO divides each source. A piece has an
     * equal share of the ants, which begin in it; the changes of all pieces become the next source together,
     * as with faco.merge. Up to 65536, and an eighth of the cities. SHOAL_INVALID: `ants` is no multiple of
     * it, or several pieces have fewer than 8 cities. The default of `ants` is then 64 for each of several
     * pieces. Default: 0, which means no pieces. */
    uint64_t pieces;
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_tsp_params_init(struct shoal_tsp_params *params);
#define SHOAL_TSP_PARAMS(...) SHOAL_INIT(shoal_tsp_params, shoal_tsp_params_init, __VA_ARGS__)

/* Properties of a problem. Owned by the problem. */
struct shoal_tsp_info {
    size_t size;                  /* Bytes of the struct as the library knows it. */
    const char *name;             /* Name of the problem. */
    const char *comment;          /* Comment of the input. NULL: the input has none. */
    uint32_t cities;              /* Number of cities. */
    enum shoal_tsp_metric metric; /* How distances are computed. */
    uint32_t dim;                 /* Dimensions of the points. 0: the problem is a matrix. */
    bool is_asymmetric;           /* A distance may differ by direction. */
    bool is_path;                 /* A path is asked for, not a closed tour. */
    double unit;                  /* Value of a unit of length, in the input's unit. */
    const char *unit_name;        /* Name of the input's unit: "m", "km". "": the unit of the coordinates. */
    size_t fixed_edges;           /* Number of edges that every tour has. */
    int64_t optimum;              /* Best known length. 0: unknown. */
    bool is_optimal;              /* `optimum` is proven to be the shortest. */
    /* Notes on how the input was read, a sentence on each line. "": none. */
    const char *notes;
};

/* Opens the problem of `params`; members on the run have no effect. What `params` points to must stay valid
 * as long as the problem. Close the problem with shoal_tsp_close.
 * Errors: SHOAL_IO: a file cannot be read or its content is wrong. SHOAL_INVALID: a member is wrong, or more
 * than one problem is given. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_open(const struct shoal_tsp_params *params,
                                                            struct shoal_tsp_problem **out,
                                                            struct shoal_error *error);

/* Closes the problem and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_close(struct shoal_tsp_problem **problem);

/* Properties of the problem. Valid as long as the problem. */
SHOAL_API const struct shoal_tsp_info *shoal_tsp_get_info(const struct shoal_tsp_problem *problem);

/* Coordinates as in the input, [info.cities][info.dim]. Valid as long as the problem. NULL: a matrix. */
SHOAL_API const double *shoal_tsp_points(const struct shoal_tsp_problem *problem);

/* The edges that every tour has, two cities each, [info.fixed_edges][2]. Valid as long as the problem. NULL:
 * there are none. */
SHOAL_API const uint32_t *shoal_tsp_fixed_edges(const struct shoal_tsp_problem *problem);

/* Position of a city on a map, across and up: x and y, or longitude (-180 .. 180) and latitude in degrees.
 * False: there is no such place, since the problem is a matrix. */
SHOAL_API bool shoal_tsp_map_position(const struct shoal_tsp_problem *problem, uint32_t city,
                                      double position[2]);

/* The distance from one city to another. SHOAL_TSP_FORBIDDEN: no tour may use the pair. */
SHOAL_API int64_t shoal_tsp_distance(const struct shoal_tsp_problem *problem, uint32_t from, uint32_t to);

/* Writes the id of a city as the input has it, in at most `size` bytes. */
SHOAL_API void shoal_tsp_id(const struct shoal_tsp_problem *problem, uint32_t city, char *text, size_t size);

/* Checks that `tour`, [count], holds each city once, the ends of a path and every fixed edge, and no
 * forbidden pair. `*length` receives the length of the tour.
 * Errors: SHOAL_INVALID: the tour breaks one of these rules; the message names the place. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_check(const struct shoal_tsp_problem *problem,
                                                             const uint32_t *tour, size_t count,
                                                             int64_t *length, struct shoal_error *error);

/* Reads a tour of the problem from a file into `tour`, [info.cities]: TSPLIB's TOUR, Concorde's solution
 * (.sol), a .csv or .json of shoal_tsp_write_tour, or an id a line, by the content of the file. Of several
 * tours in a file the first.
 * Errors: SHOAL_IO: the file cannot be read, or holds no tour of the problem. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tour(const struct shoal_tsp_problem *problem,
                                                                 const char *path, uint32_t *tour,
                                                                 struct shoal_error *error);

/* Reads a tour as shoal_tsp_read_tour does. `*count` receives the number of tours in the file.
 * Errors: SHOAL_IO: the file cannot be read, or holds no tour of the problem. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tours(const struct shoal_tsp_problem *problem,
                                                                  const char *path, uint32_t *tour,
                                                                  size_t *count, struct shoal_error *error);

/* Reads a tour as shoal_tsp_read_tour does. `*count` receives the number of tours in the file. `*notes`
 * receives what to know of how the file was read, such as keys that were left out, a sentence a line, which
 * the caller releases with free(); NULL: nothing.
 * Errors: SHOAL_IO: the file cannot be read, or holds no tour of the problem. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tour_file(const struct shoal_tsp_problem *problem,
                                                                      const char *path, uint32_t *tour,
                                                                      size_t *count, char **notes,
                                                                      struct shoal_error *error);

/* Writes a tour in the format of the extension: .tour (TSPLIB), .txt (an id a line), .csv (a row a city:
 * place, id, length of the leg that arrives, length so far; a closed tour ends where it began), .json (order,
 * ids, lengths of the legs, cumulated), .geojson (line and points, of latitudes and longitudes; cut at 180
 * degrees, RFC 7946). The file appears whole or not at all.
 * Errors: SHOAL_IO: the file cannot be written. SHOAL_INVALID: another extension, or the tour is none of the
 * problem. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_write_tour(const struct shoal_tsp_problem *problem,
                                                                  const uint32_t *tour, const char *path,
                                                                  struct shoal_error *error);

/* Writes the problem itself, by the extension: .tsp or .atsp (TSPLIB) or .csv. The file appears whole or not
 * at all.
 * Errors: SHOAL_IO: the file cannot be written. SHOAL_INVALID: another extension, or the format cannot hold
 * the problem. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_write(const struct shoal_tsp_problem *problem,
                                                             const char *path, struct shoal_error *error);

/* Fills candidate lists, lists[info.cities][count]: the `count` nearest cities of each city, nearest first,
 * of equal distance the lower number first; SHOAL_TSP_NONE behind the last. count: 1 to 128. On the host.
 * Errors: SHOAL_INVALID: `count` is out of its range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_neighbours(const struct shoal_tsp_problem *problem,
                                                                  uint32_t count, uint32_t *lists,
                                                                  struct shoal_error *error);

/* Finds candidate lists on a device, repeatedly: programs and memory stay. */
struct shoal_tsp_lister;

/* Creates an object for lists of `count` cities, on the device of `queue`. Problem and queue must stay valid
 * as long as the object. Destroy the object with shoal_tsp_lister_destroy.
 * Errors: SHOAL_INVALID: `count` is out of its range. SHOAL_BUILD_FAILED: a kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_lister_create(const struct shoal_tsp_problem *problem, uint32_t count, struct shoal_queue *queue,
                        enum shoal_variant variant, struct shoal_tsp_lister **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_lister_destroy(struct shoal_tsp_lister **lister);

/* Finds the lists of shoal_tsp_neighbours, and waits for the device.
 * Errors: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_lister_run(struct shoal_tsp_lister *lister,
                                                                  struct shoal_error *error);

/* Copies the lists that were found, lists[info.cities][count].
 * Errors: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_lister_get(struct shoal_tsp_lister *lister,
                                                                  uint32_t *lists, struct shoal_error *error);

/* Program behind the object (build time, defines, variant). */
SHOAL_API const struct shoal_program *shoal_tsp_lister_program(const struct shoal_tsp_lister *lister);

/* Moves of the local search, which goes from given tours to tours that no move makes shorter. docs/tsp.md has
 * the rules; host and devices give equal tours. */
enum shoal_tsp_moves {
    SHOAL_TSP_2OPT,  /* 2-opt: a piece of the tour is reversed. */
    SHOAL_TSP_2HOPT, /* 2-opt, and insertions of one city ("2.5-opt"). */
    /* A segment of one to three cities moves to another place, in either direction (Or-opt). */
    SHOAL_TSP_OROPT,
    SHOAL_TSP_2OPT_OROPT, /* 2-opt and Or-opt. */
    SHOAL_TSP_3OPT,       /* Sequential 3-opt with 2-opt and Or-opt. */
    SHOAL_TSP_ALL_PAIRS   /* 2-opt without candidate lists: each time the best move of all pairs of edges. */
};

/* How tours are improved. */
struct shoal_tsp_improve_params {
    size_t size;   /* Bytes of the struct, set by shoal_tsp_improve_params_init. */
    int32_t moves; /* Moves of the local search, enum shoal_tsp_moves. Default: SHOAL_TSP_2OPT_OROPT. */
    /* Each move is the best over all cities that wait to be looked at; otherwise the best over one city.
     * Default: false. */
    bool best_improvement;
    uint64_t neighbours; /* Cities of a candidate list, up to 128. Default: 10. */
    /* Lists have an equal number of cities from each quadrant around a city. Default: false. */
    bool quadrants;
    /* The local search uses no don't-look bits: it ends when a look at all cities finds no move. Default:
     * false. */
    bool no_look_bits;
    /* Most cities that a move may reverse or carry; 0: no limit. Default: 0. */
    uint64_t reach;
    uint64_t most_moves; /* SHOAL_TSP_ALL_PAIRS ends after this number of moves; 0: no limit. Default: 0. */
    /* Text of kernels. Default: SHOAL_VARIANT_AUTO. */
    enum shoal_variant variant;
};

/* Fills `params` with the defaults: 2-opt and Or-opt, first improvement, 10 nearest neighbours. */
SHOAL_API void shoal_tsp_improve_params_init(struct shoal_tsp_improve_params *params);
#define SHOAL_TSP_IMPROVE_PARAMS(...)                                                                        \
    SHOAL_INIT(shoal_tsp_improve_params, shoal_tsp_improve_params_init, __VA_ARGS__)

/* Improves tours[count][info.cities] in place. `lengths`, [count], receives their lengths; NULL: not wanted.
 * On the device of `queue`; NULL: on the host.
 * Errors: SHOAL_INVALID: a tour is none of the problem, with the place of what is wrong, or a parameter is
 * out of its range. SHOAL_CHECK_FAILED: a device's tour is wrong. SHOAL_BUILD_FAILED: a kernel does not
 * compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improve(const struct shoal_tsp_problem *problem,
                                                               const struct shoal_tsp_improve_params *params,
                                                               struct shoal_queue *queue, uint32_t *tours,
                                                               size_t count, int64_t *lengths,
                                                               struct shoal_error *error);

/* Improves tours repeatedly: lists, programs and memory stay. */
struct shoal_tsp_improver;

/* Creates an object for up to `most` tours, on the device of `queue`; NULL: on the host. Problem and queue
 * must stay valid as long as the object. Destroy the object with shoal_tsp_improver_destroy.
 * Errors: SHOAL_INVALID: a parameter is out of its range, or `most` is 0. SHOAL_BUILD_FAILED: a kernel does
 * not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_improver_create(const struct shoal_tsp_problem *problem,
                          const struct shoal_tsp_improve_params *params, struct shoal_queue *queue,
                          size_t most, struct shoal_tsp_improver **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_improver_destroy(struct shoal_tsp_improver **improver);

/* Takes the tours to begin with, tours[count][info.cities], copied.
 * Errors: SHOAL_INVALID: a tour is none of the problem, or there are more tours than the object has room
 * for. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_set(struct shoal_tsp_improver *improver,
                                                                    const uint32_t *tours, size_t count,
                                                                    struct shoal_error *error);

/* Improves the tours, and waits for the device.
 * Errors: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_run(struct shoal_tsp_improver *improver,
                                                                    struct shoal_error *error);

/* Copies the improved tours, [count][info.cities], and their lengths, [count]. Either pointer may be NULL.
 * Errors: SHOAL_CHECK_FAILED: a device's tour is wrong. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_get(struct shoal_tsp_improver *improver,
                                                                    uint32_t *tours, int64_t *lengths,
                                                                    struct shoal_error *error);

/* Program behind the object (build time, defines, variant). NULL: the object is on the host. */
SHOAL_API const struct shoal_program *shoal_tsp_improver_program(const struct shoal_tsp_improver *improver);

/* Makes a first tour of greedy edges by lists of `neighbours` candidates, 1 to 128, in time near to linear in
 * the cities of points: `tour`, [info.cities]. On the host.
 * Errors: SHOAL_INVALID: `neighbours` is out of its range. SHOAL_UNSUPPORTED: greedy edges lead to a tour
 * with a forbidden pair. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_greedy(const struct shoal_tsp_problem *problem,
                                                              uint32_t neighbours, uint32_t *tour,
                                                              struct shoal_error *error);

/* Copies the best tour of a solver or of a finished run (shoal_report.solver), with room for `capacity`
 * cities, and its length. Waits for the steps enqueued. `tour` NULL: only the length is wanted.
 * Errors: SHOAL_INVALID: the solver is of another workload or has made no step, or `capacity` is too small.
 * Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_best(struct shoal_solver *solver, uint32_t *tour,
                                                            size_t capacity, int64_t *length,
                                                            struct shoal_error *error);

/* The problem of a solver, which owns the problem. NULL: the solver is of another workload. */
SHOAL_API const struct shoal_tsp_problem *shoal_tsp_problem_of(const struct shoal_solver *solver);

SHOAL_END_DECLS

#endif
