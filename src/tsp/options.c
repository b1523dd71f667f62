/* Options for the parameters of the travelling salesman, with their ranges and help. */
#include "tsp/ants/options.h"
#include "io/table.h"
#include "tsp/faco/options.h"
#include "tsp/lk/options.h"
#include "tsp/model/neighbours.h"
#include "tsp/tsp.h"
#include "workload/options.h"

#define MAX_STEPS 4294967040.0
#define MAX_SEED  18446744073709551615.0

static const char *const metric_names[] = {"auto",   "euc_2d",    "euc_3d", "ceil_2d", "man_2d",
                                           "man_3d", "max_2d",    "max_3d", "att",     "geo",
                                           "euclid", "haversine", "matrix", "geom",    NULL};
static const char *const algorithm_names[] = {
    "faco", "as", "eas", "ras", "mmas", "bwas", "acs", "lk", "exact", "auto", TSP_THESIS_ALGORITHM_NAME NULL};

const char *const tsp_lists_names[] = {"auto", "nearest", "quadrant", "file", "alpha", NULL};
static const char *const tsp_ants_pheromones[] = {"candidates", "full", NULL};

#define OPTIONS_OF struct shoal_tsp_params

const struct shoal_option tsp_options[TSP_OPTIONS] = {
    {.name = "data",
     .group = "Problem",
     OPTION_TEXT(data, "FILE"),
     .help = "cities: TSPLIB (.tsp, .atsp), CSV or .npy of points (columns x,y[,z] or lat,lon) or of a "
             "square matrix; "
             "-: standard input",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_READS},
    {.name = "generate",
     OPTION_TEXT(generate, "NAME"),
     .help = "random cities: instances of the DIMACS challenge such as E1k.0, uniform:N:SEED, "
             "clustered:N:SEED; default without --data: E1k.0",
     .needs = "!data",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "metric",
     OPTION_CHOICE(metric, "NAME", metric_names),
     .help =
         "metric: the distance of two cities; auto: the metric of the file, else euclid, for latitudes and "
         "longitudes haversine",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "header",
     OPTION_CHOICE(header, "", table_header_names),
     .help = "whether the first line of a CSV names its columns; auto: the content of the file decides",
     .needs = "data"},
    {.name = "path",
     OPTION_FLAG(path),
     .help = "do not return to the first city",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "start",
     OPTION_TEXT(start, "ID"),
     .help = "first city, by its id in the input: of a path with --path or --end, else of the closed tour"},
    {.name = "end",
     OPTION_TEXT(end, "ID"),
     .help = "last city of a path, by its id; a path does not return "
             "to its first city"},
    {.name = "optimum",
     OPTION_REAL(optimum, "LENGTH", 0, 9e18),
     .help = "known shortest length, for gaps; default from published tables by the name of the problem"},
    {.name = "bound",
     OPTION_FLAG(bound),
     .help =
         "compute a lower bound of the length of every tour, and the gap to it, before the clock of --time "
         "starts"},
    {.name = "tour",
     OPTION_TEXT(tour, "FILE"),
     .help = "tour to start from: TSPLIB's TOUR, a .csv or .json of --out, Concorde's .sol, or a text with "
             "an id on each line",
     .flags = SHOAL_OPTION_READS},
    {.name = "algorithm",
     .group = "Run",
     OPTION_CHOICE(algorithm, "NAME", algorithm_names),
     .help =
         "algorithm that finds tours (docs/tsp.md); auto: the one that options belong to, else exact for up "
         "to 12 cities, lk on the host, faco on a device",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_SHOWN},
    {.name = "seed",
     OPTION_UINT(seed, "SEED", 0, MAX_SEED),
     .help = "seed of the random numbers",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_SHOWN},
    {.name = "iterations",
     OPTION_UINT(iterations, "N", 0, MAX_STEPS),
     .help = "number of iterations, in each of which every ant constructs a tour, or lk makes a quarter "
             "of a kick to two kicks for each city; default with auto or --time no limit, else 1000",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_FREE_ON_RESUME | SHOAL_OPTION_ZERO_UNSET},
    {.name = "time",
     OPTION_REAL(time, "S", 0, 1e9),
     .help =
         "end after S seconds, between two iterations; default with auto and without --iterations 1 s and "
         "10 us for each city",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "tours",
     OPTION_UINT(tours, "N", 0, 9e18),
     .help = "end after the iteration that constructs tour number N",
     .flags = SHOAL_OPTION_FREE_ON_RESUME | SHOAL_OPTION_ZERO_UNSET},
    {.name = "target",
     OPTION_REAL(target, "LENGTH", 0, 9e18),
     .help = "end when a tour has at most this length",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "stagnation",
     OPTION_UINT(stagnation, "N", 0, MAX_STEPS),
     .help = "end after N iterations without a better tour",
     .flags = SHOAL_OPTION_FREE_ON_RESUME | SHOAL_OPTION_ZERO_UNSET},
    {.name = "trace",
     OPTION_UINT(trace, "N", 0, MAX_STEPS),
     .help = "iterations between samples of the best tour's length; 0: none",
     .flags = SHOAL_OPTION_FREE_ON_RESUME},
    {.name = "colonies",
     .group = "Ants",
     OPTION_UINT(colonies, "K", 1, 65536),
     .help = "colonies, each with random numbers of its own, computed together; the result is the best one"},
    {.name = "exchange",
     OPTION_UINT(exchange, "N", 0, MAX_STEPS),
     .help = "iterations after which each colony takes the best tour of the colony before it, in a ring, "
             "where that tour is shorter; 0: colonies are independent",
     .needs = "colonies>1, algorithm=faco|auto|eas|ras|mmas|bwas|acs"},
    {.name = "ants",
     OPTION_UINT(ants, "N", 0, 16777216),
     .help = "ants of a colony; default by the algorithm (docs/tsp.md)",
     .flags = SHOAL_OPTION_MAIN | SHOAL_OPTION_ZERO_UNSET},
    {.name = "candidates",
     OPTION_UINT(candidates, "K", 0, TSP_MOST_NEIGHBOURS),
     .help = "cities among which an ant chooses; default by the algorithm",
     .flags = SHOAL_OPTION_ZERO_UNSET},
    {.name = "lists",
     OPTION_CHOICE(lists, "NAME", tsp_lists_names),
     .help =
         "kind of candidate lists: the nearest cities, or the nearest of each quadrant around a city, "
         "which join clusters; alpha (lk): those of least alpha-nearness; auto: quadrant with faco and lk if "
         "lists of the nearest cities do not connect all clusters, else nearest",
     .flags = SHOAL_OPTION_MAIN},
    {.name = "list-file",
     OPTION_TEXT(list_file, "FILE"),
     .help = "file of candidate lists: LKH's candidate file, or a row for each city with its id and the ids "
             "of its candidates",
     .flags = SHOAL_OPTION_READS},
    {.name = "alpha", OPTION_REAL(alpha, "A", 0, 100), .help = "exponent of the pheromone; default 1"},
    {.name = "beta",
     OPTION_REAL(beta, "B", 0, 100),
     .help = "exponent of 1 / distance; default by the algorithm"},
    {.name = "rho",
     OPTION_REAL(rho, "RHO", 0, 1),
     .help = "part of the pheromone that evaporates in an iteration; default by the algorithm"},
    TSP_FACO_ROWS,
    TSP_ANTS_ROWS,
    TSP_LK_ROWS,
    TSP_THESIS_OPTION_ROWS};
