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
 * Threads and errors: see <shoal/workload.h>. A problem is constant once open, and any thread may use it.
 */
#ifndef SHOAL_TSP_H
#define SHOAL_TSP_H

#include <shoal/workload.h>

SHOAL_BEGIN_DECLS

/* The distance of two cities. Distances of TSPLIB follow its formulas (G. Reinelt, TSPLIB 95). */
enum shoal_tsp_metric {
    /* The distance that the file names. If there is none, SHOAL_TSP_EUCLID for points and SHOAL_TSP_HAVERSINE
     * for latitudes and longitudes. */
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
    /* Straight line, in units of a power of ten, the smallest for which no distance reaches 2^30. */
    SHOAL_TSP_EUCLID,
    /* Great circle of radius 6,371,008.8 m in centimetres, of latitude and longitude in degrees. */
    SHOAL_TSP_HAVERSINE,
    SHOAL_TSP_MATRIX, /* Distances are given pair by pair. */
    /* Concorde and LKH: great circle of radius 6,378,388 m, of latitude and longitude in degrees, plus 1 m
     * and cut to whole metres. */
    SHOAL_TSP_GEOM
};

/* No city: an open end of a path, or an unused entry of a candidate list. */
#define SHOAL_TSP_NONE UINT32_MAX

/* Distance in a matrix of a pair of cities that no tour may use. */
#define SHOAL_TSP_FORBIDDEN (-1)

/* Algorithm that finds tours. Ant systems follow ACOTSP 1.03 by T. Stuetzle. Value 10: enum
 * shoal_tsp_thesis_algorithm of <shoal/theses.h>. */
enum shoal_tsp_algorithm {
    /* Focused ants: R. Skinderowicz, Improving Ant Colony Optimization ... large TSP, 2022. */
    SHOAL_TSP_FACO,
    SHOAL_TSP_AS,   /* Ant system. */
    SHOAL_TSP_EAS,  /* Elitist ant system. */
    SHOAL_TSP_RAS,  /* Rank-based ant system. */
    SHOAL_TSP_MMAS, /* MAX-MIN ant system. */
    SHOAL_TSP_BWAS, /* Best-worst ant system. */
    SHOAL_TSP_ACS,  /* Ant colony system. */
    SHOAL_TSP_LK,   /* Lin-Kernighan search with kicks. */
    /* A shortest tour of up to 12 cities, computed on the host when the run begins; makes no steps.
     * SHOAL_INVALID beside candidate lists, a start tour or parameters of ants. */
    SHOAL_TSP_EXACT,
    /* SHOAL_TSP_LK with `cooling` or SHOAL_TSP_LISTS_ALPHA, else SHOAL_TSP_FACO with parameters of ants.
     * Without either SHOAL_TSP_EXACT for up to 12 cities if neither candidate lists nor a start tour are
     * given, else SHOAL_TSP_LK on the host, and on a GPU if `time` is enough for several tours or more than
     * 65,536 cities are evenly spread, else SHOAL_TSP_FACO. */
    SHOAL_TSP_ALGORITHM_AUTO
};

/* Which cities candidate lists hold, nearest first. */
enum shoal_tsp_lists {
    /* SHOAL_TSP_LISTS_QUADRANT with SHOAL_TSP_FACO and SHOAL_TSP_LK if cities have coordinates and lists of
     * the nearest cities do not connect all cities. Otherwise SHOAL_TSP_LISTS_NEAREST. */
    SHOAL_TSP_LISTS_AUTO,
    SHOAL_TSP_LISTS_NEAREST, /* The nearest cities. */
    /* An equal number of nearest cities from each quadrant around a city (from each octant in space and on
     * the earth), then the nearest of the other cities. Such lists also connect clusters, in which the
     * nearest cities of a city are all in its own cluster. */
    SHOAL_TSP_LISTS_QUADRANT,
    /* The lists of list_file or neighbour_lists, which are used wherever these are given. */
    SHOAL_TSP_LISTS_GIVEN,
    /* The cities of least alpha-nearness: of the edge to such a city, the shortest tree that has this edge is
     * hardly longer than the shortest tree, by the distances of the lower bound (K. Helsgaun 2000). For
     * SHOAL_TSP_LK and symmetric problems. */
    SHOAL_TSP_LISTS_ALPHA
};

/* Parameters of SHOAL_TSP_FACO. */
struct shoal_tsp_faco {
    /* Least number of new edges in the tour of an ant, which the source of the tour does not have, up to 32.
     * Default: 0, which means 8. */
    uint64_t new_edges;
    /* Probability that an ant takes the best candidate in each of its choices once pheromone has converged;
     * the least pheromone follows from this probability. Range: 1e-6 to 0.999. Default: NaN, which means 0.1.
     */
    double p_best;
    /* Probability that the source of the next step is the best tour so far. Range: 0 to 1. Default: NaN,
     * which means 0.01. */
    double source_share;
    /* The next source combines the changes of all improving ants that are compatible with each other, instead
     * of the best ant alone. Default: false. */
    bool merge;
};

/* Edges on which the ants of the ant systems leave pheromone. */
enum shoal_tsp_pheromone {
    SHOAL_TSP_ON_CANDIDATES, /* On the edges to candidates. */
    SHOAL_TSP_ON_ALL         /* On all edges. */
};

/* Parameters of the ant systems: as, eas, ras, mmas, bwas and acs. */
struct shoal_tsp_ants {
    /* Edges on which ants leave pheromone, enum shoal_tsp_pheromone. Default: SHOAL_TSP_ON_CANDIDATES. */
    int32_t pheromone;
    /* Local search of each ant's tour: 0 none, 1 2-opt, 2 2.5-opt, 3 3-opt, 4 2-opt and Or-opt. Range: 0
     * to 4. Default: 0. */
    uint64_t local_search;
    /* Cities of a candidate list of the local search, up to 128. Default: 0, which means 20. */
    uint64_t local_neighbours;
    /* 1: the local search uses don't-look bits; 0: it does not. Range: 0 to 1. Default: 1. */
    uint64_t look_bits;
    /* Probability that an ant takes the best candidate instead of a random one. Range: 0 to 1. Default: NaN,
     * for acs 0.9 (0.98 with local search), else 0. */
    double q0;
    /* Weight of the best tour so far with SHOAL_TSP_EAS. Range: 0 to 2^24. Default: 0, which means the number
     * of cities, or 25 with local search. */
    uint64_t elitists;
    /* Weight of the best tour so far with SHOAL_TSP_RAS, up to 100. The ranks - 1 best ants have the weights
     * ranks - 1, ranks - 2 and so on. Default: 0, which means 6. */
    uint64_t ranks;
};

/* Parameters of the thesis: see <shoal/theses.h>. */
struct shoal_tsp_thesis;

/* Cities with the distances of all pairs. */
struct shoal_tsp_problem;

/* An improved best tour, given to the callback at the step that found the tour. Runs with equal parameters
 * have equal calls, except for the seconds. Valid during the call. */
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
    uint64_t kicks;        /* Number of kicks of SHOAL_TSP_LK, which `tours` counts, too; else 0. */
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

/* Parameters of a run. 0 and NaN mean a value that depends on the algorithm, unless a member says otherwise;
 * docs/tsp.md has the table of these values. Texts are not copied: valid as long as the problem or solver. */
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
    uint64_t count; /* Number of cities of points or matrix, 1 to 2^28. Default: 0, neither is given. */
    uint64_t dim;   /* Dimensions of points, 2 or 3. Default: 2. */
    int32_t metric; /* The distance of two cities, enum shoal_tsp_metric. Default: SHOAL_TSP_AUTO. */
    bool path;      /* A path from a first to a last city, instead of a closed tour. Default: false. */
    /* Id of the first city of a path, or of the city at which a closed tour begins. Default: NULL, any. */
    const char *start;
    const char *end; /* Id of the last city; a problem with `end` is a path. Default: NULL, any. */
    /* Known length of the shortest tour, for gaps. Range: 0 to 9e18. Default: NaN, which means the published
     * length for the name of the problem, if there is one. */
    double optimum;
    const char *tour; /* File with a tour to start from. Default: NULL, none. */
    /* Tour to start from, [count]. Copied. Default: NULL, none. */
    const uint32_t *start_tour;
    /* Candidate lists of the caller, [count][neighbours]: for each city the candidates for the next city, in
     * any order, then SHOAL_TSP_NONE up to the length of the list. Algorithms and local search try nearer
     * candidates first. Not copied: valid as long as the problem or solver. Default: NULL, the lists of
     * `lists`. */
    const uint32_t *neighbour_lists;
    /* Length of each list of neighbour_lists, 1 to 128. Default: 0, there are no lists. */
    uint64_t neighbours;

    /* The run. */

    /* Algorithm that finds tours, enum shoal_tsp_algorithm. Default: SHOAL_TSP_ALGORITHM_AUTO. */
    int32_t algorithm;
    uint64_t seed; /* Seed of the random numbers. Range: any number. Default: 1. */
    /* Number of steps; in a step each ant constructs a tour. Range: 0 to 2^32 - 256. Default: 0, which means
     * no such end with `time` or SHOAL_TSP_ALGORITHM_AUTO, macro_cycles + overlaps with SHOAL_TSP_THESIS,
     * else 1000. */
    uint64_t iterations;
    /* Seconds after which the run ends as complete. Range: 0 to 1e9. Default: NaN, no limit; but with
     * SHOAL_TSP_ALGORITHM_AUTO and without `iterations` 1 s and 10 us for each city. */
    double time;
    /* The run ends after the step that constructs this number of tours; 0: no such end. Range: 0 to 9e18.
     * Default: 0. */
    uint64_t tours;
    /* The run ends at a tour of this length or shorter, in the unit of the input. Range: 0 to 9e18. Default:
     * NaN, none. */
    double target;
    /* The run ends after this number of steps without a better tour; 0: no such end. Range: 0 to 2^32 - 256.
     * Default: 0. */
    uint64_t stagnation;
    /* Number of colonies with random numbers of their own, all in one launch, up to 65536. Default: 1. */
    uint64_t colonies;
    uint64_t trace; /* Steps between samples; 0: none. Range: 0 to 2^32 - 256. Default: 0. */
    /* Called with each better tour. Default: NULL, none. */
    shoal_tsp_better_callback *on_better;
    void *better_data; /* Passed to on_better. */

    /* Ants. */

    uint64_t ants;       /* Number of ants of a colony. Range: 0 to 2^24. Default: 0, by the algorithm. */
    uint64_t candidates; /* Cities of a candidate list, up to 128. Default: 0, by the algorithm. */
    double alpha;        /* Exponent of pheromone. Range: 0 to 100. Default: NaN, which means 1. */
    double beta;         /* Exponent of 1 / distance. Range: 0 to 100. Default: NaN, by the algorithm. */
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
    /* Number of steps between exchanges: each colony takes the best tour of the preceding colony in a ring,
     * if that tour is shorter than its own best. Not for SHOAL_TSP_AS and SHOAL_TSP_THESIS. Range: 0 to 2^32
     * - 256. Default: 0, the colonies are independent. */
    uint64_t exchange;
    /* Number of pieces of consecutive cities into which SHOAL_TSP_FACO divides each source. Each piece has an
     * equal share of the ants, which begin in the piece; the next source combines the changes of all pieces,
     * as the member `merge` combines changes of ants. Up to 65536, and up to an eighth of the cities.
     * SHOAL_INVALID: `ants` is no multiple of `pieces`, or several pieces have fewer than 8 cities. With
     * several pieces the default of `ants` is 64 for each piece. Default: 0, which means no pieces. */
    uint64_t pieces;
    /* Number of steps in which the threshold of SHOAL_TSP_LK falls to 0. Until then the search may keep a
     * tour that is longer by up to the threshold than the tour before. Range: 0 to 2^32 - 256. Default: 0,
     * which means `iterations` or, with `time`, the number of steps that the run is expected to make, at most
     * `iterations`. */
    uint64_t cooling;
    /* Number of cities of a cell of SHOAL_TSP_LK, into which it divides the cities, at least 8. With it, and
     * on devices, a step searches all cells. Default: 0, which means a number that follows from the number of
     * cities, up to 5000 on the host, where a step searches up to 16 cells. */
    uint64_t cell;
    /* Number of tours, up to 4096, that SHOAL_TSP_LK searches side by side, and recombines now and then by
     * edge assembly crossover (Y. Nagata, S. Kobayashi, INFORMS Journal on Computing 25, 2013). The result is
     * the shortest tour. A run that is resumed with another `time` needs the number of its checkpoint here.
     * Default: 0, which means 1 or, with `time`, a number that follows from the time and
     * the number of cities, up to 128. */
    uint64_t replicas;
    /* Number of visits, up to 64, in which SHOAL_TSP_LK makes the kicks of a cell before it divides the
     * cities anew: a step makes one visit, so that steps are shorter with more. Of a problem that is one cell
     * there is one. Default: 0, which means 4 on the host where there are 2 to 32 cells, on devices with
     * `time` as many as keep steps short beside the time, else 1. */
    uint64_t visits;
    /* The result has a lower bound of the length of every tour, as shoal_tsp_bound of <shoal/tsp_bound.h>
     * computes it when the solver is created, and the gap to it. Default: false. */
    bool bound;
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

/* Opens the problem of `params`; members for the run have no effect. Arrays and texts to which members of
 * `params` point must stay valid as long as the problem. Close the problem with shoal_tsp_close.
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
 * False: cities have no position, since the problem is a matrix. */
SHOAL_API bool shoal_tsp_map_position(const struct shoal_tsp_problem *problem, uint32_t city,
                                      double position[2]);

/* The distance from one city to another. SHOAL_TSP_FORBIDDEN: no tour may use the pair. */
SHOAL_API int64_t shoal_tsp_distance(const struct shoal_tsp_problem *problem, uint32_t from, uint32_t to);

/* Writes the id of a city as the input has it, in at most `size` bytes. */
SHOAL_API void shoal_tsp_id(const struct shoal_tsp_problem *problem, uint32_t city, char *text, size_t size);

/* Checks that `tour`, [count], holds each city once, the ends of a path and every fixed edge, and no
 * forbidden pair. `*length` receives the length of the tour.
 * Errors: SHOAL_INVALID: the tour breaks one of these rules; the message names the position in the tour. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_check(const struct shoal_tsp_problem *problem,
                                                             const uint32_t *tour, size_t count,
                                                             int64_t *length, struct shoal_error *error);

/* Reads a tour of the problem from a file into `tour`, [info.cities]: TSPLIB's TOUR, Concorde's solution
 * (.sol), a .csv or .json of shoal_tsp_write_tour, or an id a line, by the content of the file. If a file has
 * several tours, the first is read.
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
 * receives notes on how the file was read, such as keys that were left out, a sentence on each line; the
 * caller releases the text with free(). NULL: no notes.
 * Errors: SHOAL_IO: the file cannot be read, or holds no tour of the problem. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_read_tour_file(const struct shoal_tsp_problem *problem,
                                                                      const char *path, uint32_t *tour,
                                                                      size_t *count, char **notes,
                                                                      struct shoal_error *error);

/* Writes a tour in the format of the extension: .tour (TSPLIB), .txt (an id a line), .csv (a row for each
 * city: position, id, length of the leg that arrives, length so far; the last row of a closed tour is its
 * first city again), .json (name, length, ids in the order of the tour, lengths of the legs, and their
 * running sums), .geojson (line and points, of latitudes and longitudes; cut at 180 degrees, RFC 7946). The
 * file appears whole or not at all.
 * Errors: SHOAL_IO: the file cannot be written. SHOAL_INVALID: another extension, or `tour` is no tour of the
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
 * and for equal distances lower numbers first, then SHOAL_TSP_NONE up to the length of the list. `count`: 1
 * to 128. Computed on the host.
 * Errors: SHOAL_INVALID: `count` is out of its range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_neighbours(const struct shoal_tsp_problem *problem,
                                                                  uint32_t count, uint32_t *lists,
                                                                  struct shoal_error *error);

/* Finds candidate lists on a device; programs and memory are kept for further runs. */
struct shoal_tsp_lister;

/* Creates an object that finds lists of `count` cities on the device of `queue`. Problem and queue must stay
 * valid as long as the object. Destroy the object with shoal_tsp_lister_destroy.
 * Errors: SHOAL_INVALID: `count` is out of its range. SHOAL_BUILD_FAILED: a kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_lister_create(const struct shoal_tsp_problem *problem, uint32_t count, struct shoal_queue *queue,
                        enum shoal_variant variant, struct shoal_tsp_lister **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_lister_destroy(struct shoal_tsp_lister **lister);

/* Finds the lists of shoal_tsp_neighbours, and waits for the device.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_lister_run(struct shoal_tsp_lister *lister,
                                                                  struct shoal_error *error);

/* Copies the lists that were found, lists[info.cities][count].
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_lister_get(struct shoal_tsp_lister *lister,
                                                                  uint32_t *lists, struct shoal_error *error);

/* Program of the object, to query build time, defines and variant. */
SHOAL_API const struct shoal_program *shoal_tsp_lister_program(const struct shoal_tsp_lister *lister);

/* Moves of the local search, which goes from given tours to tours that no move makes shorter. docs/tsp.md has
 * the rules; host and devices give equal tours. */
enum shoal_tsp_moves {
    SHOAL_TSP_2OPT,  /* 2-opt: a segment of the tour is reversed. */
    SHOAL_TSP_2HOPT, /* 2-opt, and insertions of one city ("2.5-opt"). */
    /* A segment of one to three cities moves to another place, in either direction (Or-opt). */
    SHOAL_TSP_OROPT,
    SHOAL_TSP_2OPT_OROPT, /* 2-opt and Or-opt. */
    SHOAL_TSP_3OPT,       /* Sequential 3-opt with 2-opt and Or-opt. */
    SHOAL_TSP_ALL_PAIRS   /* 2-opt without candidate lists: each move is the best over all pairs of edges. */
};

/* How tours are improved. */
struct shoal_tsp_improve_params {
    size_t size;   /* Bytes of the struct, set by shoal_tsp_improve_params_init. */
    int32_t moves; /* Moves of the local search, enum shoal_tsp_moves. Default: SHOAL_TSP_2OPT_OROPT. */
    /* Each move is the best move of all cities in the queue of cities to examine; otherwise the best move of
     * the current city. Default: false. */
    bool best_improvement;
    uint64_t neighbours; /* Cities of a candidate list, up to 128. Default: 10. */
    /* Lists have an equal number of cities from each quadrant around a city. Default: false. */
    bool quadrants;
    /* The local search uses no don't-look bits: the search ends when no city has a move that shortens the
     * tour. Default: false. */
    bool no_look_bits;
    /* Most cities that a move may reverse or move, any number; 0: no limit. Default: 0. */
    uint64_t reach;
    uint64_t most_moves; /* SHOAL_TSP_ALL_PAIRS ends after this number of moves, any number; 0: no limit.
                            Default: 0. */
    /* Text of kernels. Default: SHOAL_VARIANT_AUTO. */
    enum shoal_variant variant;
};

/* Fills `params` with the defaults: 2-opt and Or-opt, first improvement, 10 nearest neighbours. */
SHOAL_API void shoal_tsp_improve_params_init(struct shoal_tsp_improve_params *params);
#define SHOAL_TSP_IMPROVE_PARAMS(...)                                                                        \
    SHOAL_INIT(shoal_tsp_improve_params, shoal_tsp_improve_params_init, __VA_ARGS__)

/* Improves tours[count][info.cities] in place. `lengths`, [count], receives the lengths of the improved
 * tours; NULL: not wanted. Computed on the device of `queue`; `queue` NULL: on the host.
 * Errors: SHOAL_INVALID: a tour is no tour of the problem, and the message names the position of the fault,
 * or a parameter is out of its range. SHOAL_CHECK_FAILED: a device's tour is wrong. SHOAL_BUILD_FAILED: a
 * kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improve(const struct shoal_tsp_problem *problem,
                                                               const struct shoal_tsp_improve_params *params,
                                                               struct shoal_queue *queue, uint32_t *tours,
                                                               size_t count, int64_t *lengths,
                                                               struct shoal_error *error);

/* Improves tours; lists, programs and memory are kept for further runs. */
struct shoal_tsp_improver;

/* Creates an object that improves up to `most` tours on the device of `queue`; NULL: on the host. Problem and
 * queue must stay valid as long as the object. Destroy the object with shoal_tsp_improver_destroy.
 * Errors: SHOAL_INVALID: a parameter is out of its range, or `most` is 0. SHOAL_BUILD_FAILED: a kernel does
 * not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_improver_create(const struct shoal_tsp_problem *problem,
                          const struct shoal_tsp_improve_params *params, struct shoal_queue *queue,
                          size_t most, struct shoal_tsp_improver **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_improver_destroy(struct shoal_tsp_improver **improver);

/* Sets the tours to improve, tours[count][info.cities]. Copied.
 * Errors: SHOAL_INVALID: a tour is no tour of the problem, or `count` is larger than `most` of the object. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_set(struct shoal_tsp_improver *improver,
                                                                    const uint32_t *tours, size_t count,
                                                                    struct shoal_error *error);

/* Improves the tours, and waits for the device.
 * Errors: SHOAL_FAILED, SHOAL_DEVICE_LOST, SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_run(struct shoal_tsp_improver *improver,
                                                                    struct shoal_error *error);

/* Copies the improved tours, [count][info.cities], and their lengths, [count]. Either pointer may be NULL.
 * Errors: SHOAL_CHECK_FAILED: a device's tour is wrong. Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_improver_get(struct shoal_tsp_improver *improver,
                                                                    uint32_t *tours, int64_t *lengths,
                                                                    struct shoal_error *error);

/* Program of the object, to query build time, defines and variant. NULL: the object is on the host. */
SHOAL_API const struct shoal_program *shoal_tsp_improver_program(const struct shoal_tsp_improver *improver);

/* Constructs a tour from greedy edges, by lists of `neighbours` candidates, 1 to 128: `tour`, [info.cities].
 * Only the first 8 candidates of each list are tried. For points the time is nearly linear in the number of
 * cities. Computed on the host.
 * Errors: SHOAL_INVALID: `neighbours` is out of its range. SHOAL_UNSUPPORTED: greedy edges lead to a tour
 * with a forbidden pair. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_greedy(const struct shoal_tsp_problem *problem,
                                                              uint32_t neighbours, uint32_t *tour,
                                                              struct shoal_error *error);

/* Finds candidate lists and constructs a greedy tour on a device; programs and memory are kept for further
 * runs. */
struct shoal_tsp_starter;

/* Creates an object that constructs greedy tours on the device of `queue`, by lists of `neighbours`
 * candidates, 1 to 128, of which only the first 8 are tried. Problem and queue must stay valid as long as the
 * object. Destroy the object with shoal_tsp_starter_destroy.
 * Errors: SHOAL_INVALID: `neighbours` is out of its range. SHOAL_UNSUPPORTED: the problem is a matrix, the
 * device has no double precision, or the lists may have more than 2^31 - 1 edges, the number of cities times
 * the candidates that are tried. SHOAL_OUT_OF_DEVICE_MEMORY: the message has the bytes needed.
 * SHOAL_BUILD_FAILED: a kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_starter_create(const struct shoal_tsp_problem *problem, uint32_t neighbours,
                         struct shoal_queue *queue, enum shoal_variant variant,
                         struct shoal_tsp_starter **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_starter_destroy(struct shoal_tsp_starter **starter);

/* Constructs the tour of shoal_tsp_greedy, and waits for the device.
 * Errors: SHOAL_CHECK_FAILED: the device's tour lacks cities. SHOAL_FAILED, SHOAL_DEVICE_LOST,
 * SHOAL_OUT_OF_DEVICE_MEMORY: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_starter_run(struct shoal_tsp_starter *starter,
                                                                   struct shoal_error *error);

/* Copies the tour that was constructed, [info.cities].
 * Errors: SHOAL_INVALID: there is no tour yet. SHOAL_UNSUPPORTED: greedy edges lead to a tour with a
 * forbidden pair. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_starter_get(struct shoal_tsp_starter *starter,
                                                                   uint32_t *tour, struct shoal_error *error);

/* Program of the object, to query build time, defines and variant. */
SHOAL_API const struct shoal_program *shoal_tsp_starter_program(const struct shoal_tsp_starter *starter);

/* Copies the best tour of a solver or of a finished run (shoal_report.solver), with room for `capacity`
 * cities, and its length. Waits for the steps enqueued. `tour` NULL: only the length is wanted.
 * Errors: SHOAL_INVALID: the solver is of another workload or has made no step, or `capacity` is too small.
 * Errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_best(struct shoal_solver *solver, uint32_t *tour,
                                                            size_t capacity, int64_t *length,
                                                            struct shoal_error *error);

/* The problem of a solver, which owns the problem. NULL: the solver is of another workload. */
SHOAL_API const struct shoal_tsp_problem *shoal_tsp_problem_of(const struct shoal_solver *solver);

/* One of the problems of shoal_tsp_run_many, given to the callback. Valid during the call. */
struct shoal_tsp_solved {
    size_t size;              /* Bytes of the struct as the library knows it. */
    size_t index;             /* Index of the problem's parameters. */
    enum shoal_status status; /* SHOAL_OK, or the kind of failure of this problem. */
    const char *message;      /* Why this problem failed. NULL: it did not. */
    /* The run, whose solver has the tour: shoal_tsp_best. NULL: this problem failed. */
    const struct shoal_report *report;
};

/* Called for each problem in the order of their indices, by one thread at a time. False ends the work: no
 * further run begins, and no further call is made. */
typedef bool shoal_tsp_solved_callback(void *data, const struct shoal_tsp_solved *solved);

/* Makes a run for each of params[count], whose members `size` are equal. On the host several runs are made at
 * once, each on one core. On a device launches make a step of up to 16,384 runs at once by Lin-Kernighan
 * search whose problems are one cell: closed tours of up to 512 points. Reports of such runs have no queue,
 * and their `device_s` is their `wall_s`. Other runs are made one after the other. `time` and the other ends
 * hold for each run; runs whose steps are so made share the device in that time. A run that fails does not
 * end the others. A run with an end by steps has the tour that shoal_run makes on the device. `stop` is asked
 * by one thread at a time whether all runs must end; NULL: never. `data` is passed to both functions. Errors:
 * SHOAL_STOPPED: a function ended the work. SHOAL_INVALID: `size` of parameters is 0 or differs from that of
 * the first; the message names their index, and no run began. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_tsp_run_many(struct shoal_device *device, const struct shoal_tsp_params *params, size_t count,
                   shoal_tsp_solved_callback *solved, bool (*stop)(void *data), void *data,
                   struct shoal_error *error);

SHOAL_END_DECLS

#endif
