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

struct shoal_search_params {
    size_t size; /* of the whole struct of which this is the first member; set by its init function */

    /* The problem. One of: objective (not NULL), objective_file, expression, data_file, function. */
    const struct shoal_objective *objective; /* of the caller; must outlive the solver */
    const char *objective_file; /* text in the kernel dialect; with data_file: its residual, or what reads the
                                   table */
    const char *expression;
    const char *data_file;   /* .npy, .csv, or raw binary as `data_layout` says */
    const char *data_layout; /* raw: "f8:ROWSxCOLUMNS", "f4:...", ":columns", ":blocks": see shoal/data.h */
    bool squared;            /* data without a text: a[d] x[d]^2 */
    bool compressed;         /* data without a text: the sum over a QR factor of the table, computed once */
    int32_t function;        /* index of shoal_objective_at(), default rastrigin */
    int32_t precision;       /* enum shoal_precision of the device; the host solver is always double */
    uint64_t dim;            /* 0: that of the data, else 30 */
    const char *variables;   /* list of kinds and ranges, see shoal/variables.h; NULL: dim reals in the box */
    double lower, upper;     /* box, the same in each dimension; NaN: that of the function */
    const double *lower_bounds, *upper_bounds; /* instead, for each of dim dimensions; NULL: none. Copied */
    double shift; /* evaluates f(x - shift r), r a fixed random vector in [-1, 1)^dim; 0 or NaN: none */
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

    /* Stopping. Each of these ends a run; a run that has ended does not move while others go on. */
    uint64_t iterations;  /* steps */
    uint64_t evaluations; /* of a run; 0: no limit */
    double target;        /* value <= target (>= with maximise), in the solver's precision; NaN: none */
    uint64_t stagnation;  /* steps without improvement by more than stagnation_tolerance; 0: no limit */
    double stagnation_tolerance; /* relative to max(1, |best|) */
    double time;                 /* limit of wall time in seconds; NaN: none. Not repeatable */
    uint64_t restart;            /* steps without improvement after which an island restarts; 0: never */

    uint64_t polish; /* evaluations of a pattern search from the best position of each run; 0: none */
    uint64_t trace;  /* steps between recorded best values; 0: no trace */
    /* Rows of the table on the device at a time; 0: all, or as many as fit. SHOAL_INVALID for objectives that
     * are no sum over the rows of one. */
    uint64_t chunk_rows;
};

/* An entry of the trace: the best value after a step. */
struct shoal_search_sample {
    uint64_t step;
    double value;              /* of several runs: their median */
    double q05, q25, q75, q95; /* quantiles of several runs */
};

SHOAL_END_DECLS

#endif
