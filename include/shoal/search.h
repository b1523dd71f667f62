/* Parameters that all optimisers have in common: the first member of struct shoal_pso_params.
 *
 * `runs` independent searches with seeds seed, seed + 1, ..., each of `islands` islands: populations that
 * exchange their bests now and then.
 */
#ifndef SHOAL_SEARCH_H
#define SHOAL_SEARCH_H

#include <shoal/objective.h>

SHOAL_BEGIN_DECLS

/* From which islands an island receives in an exchange: docs/search.md. */
enum shoal_search_exchange {
    SHOAL_SEARCH_EXCHANGE_RING, /* the one before it */
    SHOAL_SEARCH_EXCHANGE_ALL,  /* the best of the run */
    SHOAL_SEARCH_EXCHANGE_TORUS,
    SHOAL_SEARCH_EXCHANGE_HYPERCUBE,
    SHOAL_SEARCH_EXCHANGE_RANDOM, /* one that is drawn for each exchange */
    SHOAL_SEARCH_EXCHANGE_EDGES   /* those of `exchange_edges` */
};

/* How the last digits of a result are found, on the host in double precision. LEAST_SQUARES is the method of
 * Levenberg (1944) and Marquardt (1963) for objectives that are sums of squares over the rows of a table. */
enum shoal_search_refine {
    /* Of objectives over the caller's table in up to 256 reals: LEAST_SQUARES for such sums; for others the
     * pattern search of `polish` with 1000 evaluations for each dimension (fewer for more than 1e9 rows in
     * all), unless `polish` is given. */
    SHOAL_REFINE_AUTO,
    SHOAL_REFINE_NONE,
    SHOAL_REFINE_LEAST_SQUARES, /* SHOAL_INVALID for other objectives */
    /* As AUTO, and of any other objective in up to 256 reals the pattern search, unless `polish` is given or
     * values depend on the generation: 1000 evaluations for each dimension, at most a fifth of `evaluations`,
     * which the search leaves for it; with `time` it ends after a twentieth of that. */
    SHOAL_REFINE_ALL
};

/* Rows of a table of text in which a column that is read has no value. */
enum shoal_search_missing { SHOAL_SEARCH_MISSING_REFUSE, SHOAL_SEARCH_MISSING_DROP };

struct shoal_search_params {
    size_t size; /* of the whole struct of which this is the first member; set by its init function */

    /* The problem. One of: objective (not NULL), objective_file, expression, model, data_file, function. */
    const struct shoal_objective *objective; /* of the caller; must outlive the solver */
    const char *objective_file; /* text in the kernel dialect; with data_file: its residual, or what reads the
                                   table */
    const char *expression;
    const char *data_file;   /* .npy, .csv, or raw binary as `data_layout` says */
    const char *data_layout; /* raw: "f8:ROWSxCOLUMNS", "f4:...", ":columns", ":blocks": see shoal/data.h */
    const char *columns;     /* of data_file, in this order: names or numbers, "a, b, 5"; NULL: all */
    int32_t missing;         /* enum shoal_search_missing */
    /* A model over columns of data_file, in place of the residuals of its rows: see shoal/fit.h. Its ranges,
     * "a=0:10,b=0:5", are the box. Its columns have the names of the file's first line, else c1, c2 ... */
    const char *model, *fit;                    /* formula; ranges of the parameters. NULL: none */
    const char *target_column, *weights_column; /* weights NULL: all 1 */
    int32_t loss;                               /* enum shoal_loss */
    double huber_delta;                         /* of Huber's loss */
    bool squared;                               /* data without a text: a[d] x[d]^2 */
    bool compressed;       /* data without a text: the sum over a QR factor of the table, computed once */
    int32_t function;      /* index of shoal_objective_at(), default rastrigin */
    int32_t precision;     /* enum shoal_precision of the device; the host solver is always double */
    uint64_t dim;          /* 0: that of the box, the start points or the data, else 30 */
    const char *variables; /* list of kinds and ranges, see shoal/variables.h; NULL: dim reals in the box */
    /* The box, by one of: a number for every dimension (NaN: that of the function), dim numbers (copied), or
     * a text: numbers separated by commas, of which each may be a constant formula, one for every dimension
     * or one for each, "0,0,-pi"; or the name of a table (.csv, .npy) with one row or one column of them. */
    double lower, upper;
    const double *lower_bounds, *upper_bounds; /* NULL: none */
    const char *lower_list, *upper_list;       /* NULL: none */
    /* First positions of the first members of each run, those of its islands one behind the other; the others
     * are random. A restart draws all anew. Points have a number for each variable, inside the box, by one
     * of: start_count points one behind the other (copied), or a text: numbers separated by commas, points by
     * semicolons, "1,2;3,4", or the name of a table with a row for each point. */
    const double *start_points;
    uint64_t start_count;
    const char *start; /* NULL: none */
    double shift;      /* evaluates f(x - shift r), r a fixed random vector in [-1, 1)^dim; 0 or NaN: none */
    bool maximise;
    int32_t repair; /* enum shoal_repair of an objective that repairs individuals; default written back */

    uint64_t seed;

    /* Several populations. */
    uint64_t islands;           /* of a run */
    uint64_t exchange;          /* steps between exchanges of the islands' bests; 0: never */
    int32_t exchange_topology;  /* enum shoal_search_exchange */
    const char *exchange_edges; /* "0-1,1-2": 0 sends to 1, 1 to 2; NULL: none */
    uint64_t runs;              /* independent runs with seeds seed, seed + 1, ... */
    double success;             /* a run succeeds when its best, in double, is <= minimum + success */

    /* Stopping. Each of these ends a run; a run that has ended does not move while others go on. Without
     * iterations, evaluations and time, a run has 10000 evaluations for each dimension (as many iterations
     * as these are, where they cannot be counted). If there is no target and no restart either, and values
     * do not depend on the generation, stagnation and x_tolerance end a run, too. */
    uint64_t iterations;  /* steps; 0: no limit */
    uint64_t evaluations; /* of a run; 0: no limit */
    double target;        /* value <= target (>= with maximise), in the solver's precision; NaN: none */
    /* Steps without improvement by more than stagnation_tolerance; 0: no limit, or as above the number that
     * goes with the algorithm. */
    uint64_t stagnation;
    /* Relative to max(1, |best|); where the run has none of the other limits to |best| alone. NaN: 1e-9, and
     * 1e-4 where the run has no other limit and its result is refined by least squares. */
    double stagnation_tolerance;
    /* All members of each island of the run lie so near to its best, in widths of the box, in every
     * dimension; seen at each 100th step. Of a swarm its personal bests. Reals alone. 0: no limit; NaN: none,
     * or as above 1e-10, and 1e-6 before a pattern search of `refine`. */
    double x_tolerance;
    double time;      /* limit of wall time in seconds; NaN: none. Not repeatable */
    uint64_t restart; /* steps without improvement after which an island restarts; 0: never */

    uint64_t polish; /* evaluations of a pattern search from the best position of each run; 0: none */
    /* enum shoal_search_refine: at the end, from the best position of each run, after the pattern search.
     * Takes memory of dim^2 and some passes over the rows. */
    int32_t refine;
    uint64_t trace; /* steps between samples; 0: none */
    /* Rows of the table on the device at a time; 0: all, or as many as fit. SHOAL_INVALID for objectives that
     * are no sum over the rows of one. */
    uint64_t chunk_rows;
    /* Text in data_file: whether its first line names the columns, enum shoal_header, and the words that are
     * missing values, as in struct shoal_table_params. */
    int32_t header;
    const char *missing_values;
};

/* The box as the parameters give it, `dim` numbers each; NaN where it is that of the function. Any thread. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_bounds(const struct shoal_search_params *params,
                                                                 size_t dim, double *lower, double *upper,
                                                                 struct shoal_error *error);

struct shoal_solver;

/* The best position of run `run`, from 0, as the last shoal_solver_result of the solver found it: that of the
 * best run is the field `position` of the result. `x` has room for `capacity` numbers, at least the
 * dimension. SHOAL_INVALID: the solver is no search, has no result yet, or there is no such run. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_run_position(const struct shoal_solver *solver,
                                                                       uint64_t run, double *x,
                                                                       size_t capacity,
                                                                       struct shoal_error *error);
/* Writes the name of a coordinate of its points, and returns it: that of a parameter of the model or of a
 * list of variables, else "x1", "x2" ... */
enum { SHOAL_SEARCH_NAME = 80 };
SHOAL_API const char *shoal_search_name(const struct shoal_solver *solver, size_t index,
                                        char name[SHOAL_SEARCH_NAME]);

/* A sample of a run, each `trace` steps. */
struct shoal_search_sample {
    uint64_t step;
    double value;              /* the best one so far; of several runs: their median */
    double q05, q25, q75, q95; /* quantiles of several runs */
    /* Of the values of the population, without those that are not finite: of several runs the means. NaN:
     * there is none, as of a swarm. */
    double mean, deviation;
};

SHOAL_END_DECLS

#endif
