/* Parameters that all search algorithms have in common: the first member of the parameter struct of each,
 * such as struct shoal_pso_params.
 *
 * A search makes `runs` independent runs with seeds seed, seed + 1 and so on, each of `islands` islands. An
 * island is a population; islands of a run exchange their best members after `exchange` steps. docs/search.md
 * states each rule.
 *
 * Threads and errors: see <shoal/workload.h>.
 */
#ifndef SHOAL_SEARCH_H
#define SHOAL_SEARCH_H

#include <shoal/objective.h>

SHOAL_BEGIN_DECLS

/* From which islands an island receives in an exchange (docs/search.md). */
enum shoal_search_exchange {
    SHOAL_SEARCH_EXCHANGE_RING,  /* From the preceding island. */
    SHOAL_SEARCH_EXCHANGE_ALL,   /* From the island that has the best member of the run. */
    SHOAL_SEARCH_EXCHANGE_TORUS, /* From the islands up, left, right and down on a torus of islands. */
    /* From the islands whose numbers differ in one bit; the number of islands is a power of two. */
    SHOAL_SEARCH_EXCHANGE_HYPERCUBE,
    SHOAL_SEARCH_EXCHANGE_RANDOM, /* From an island that is drawn for each exchange. */
    SHOAL_SEARCH_EXCHANGE_EDGES   /* From the islands that `exchange_edges` lists. */
};

/* How the last digits of a result are found, on the host in double precision. */
enum shoal_search_refine {
    /* SHOAL_REFINE_LEAST_SQUARES for sums of squares over the rows of the caller's table in up to 256 reals.
     * For other sums over rows of the caller's table in up to 256 reals: the pattern search of `polish` with
     * 1000 evaluations for each dimension (or fewer, so that the evaluations together read at most 1e9 rows),
     * unless `polish` is given. */
    SHOAL_REFINE_AUTO,
    SHOAL_REFINE_NONE, /* The result is not refined. */
    /* The method of Levenberg (1944) and Marquardt (1963), for objectives that are sums of squares over the
     * rows of a table. SHOAL_INVALID: another objective. */
    SHOAL_REFINE_LEAST_SQUARES,
    /* As SHOAL_REFINE_AUTO. Any other objective in up to 256 reals gets the pattern search of `polish` with
     * 1000 evaluations for each dimension, at most a fifth of `evaluations`, which the search reserves; not
     * if `polish` is given or values depend on the generation. With `time` the pattern search ends after a
     * twentieth of `time`. */
    SHOAL_REFINE_ALL
};

/* How the polish of a result finds its points. */
enum shoal_polish_rule {
    SHOAL_POLISH_PATTERN,    /* A pattern search with simplex derivatives, which also takes steps of Newton's
                                method. */
    SHOAL_POLISH_NELDER_MEAD /* A simplex with the coefficients of Gao and Han (2012), which only compares
                                values. */
};

/* Treatment of rows of a text table in which a column in use has no value. */
enum shoal_search_missing {
    SHOAL_SEARCH_MISSING_REFUSE, /* The file is refused: SHOAL_IO. */
    SHOAL_SEARCH_MISSING_DROP    /* The row is left out. */
};

/* Problem, populations, ends and method of a search. Texts are not copied: valid as long as the solver. */
struct shoal_search_params {
    /* Bytes of the whole struct of which this struct is the first member, set by its init function. */
    size_t size;

    /* The problem, by one of: objective, objective_file, expression, model, data_file, function. */

    /* Objective of the caller, which must outlive the solver. Default: NULL, none. */
    const struct shoal_objective *objective;
    /* File with an objective in the kernel dialect. With data_file, the objective is the residual of a row,
     * or a function that reads the table itself. Default: NULL, none. */
    const char *objective_file;
    /* Objective as a formula: see shoal_objective_from_expression. Default: NULL, none. */
    const char *expression;
    /* Table: .npy, .csv, or raw binary as `data_layout` says. Default: NULL, none. */
    const char *data_file;
    /* Layout of a raw table, "f8:ROWSxCOLUMNS" and the like: see <shoal/data.h>. Default: NULL, none. */
    const char *data_layout;
    /* Columns of data_file that are used, in this order: names or numbers, "a, b, 5". Default: NULL, all. */
    const char *columns;
    /* Treatment of rows with a missing value, enum shoal_search_missing. Default:
     * SHOAL_SEARCH_MISSING_REFUSE. */
    int32_t missing;
    /* Model to fit to a column of data_file, a formula of columns and parameters: see <shoal/fit.h>. Columns
     * have the names of the file's first line, else c1, c2 and so on. Default: NULL, none. */
    const char *model;
    /* Parameters of `model` with their ranges, which are the box: "a=0:10,b=0:5". Default: NULL, none. */
    const char *fit;
    /* Column that `model` is to follow, by name or number. Default: NULL, none. */
    const char *target_column;
    /* Column with the weights of the rows of `model`, by name or number. Default: NULL, all weights are 1. */
    const char *weights_column;
    /* Loss of a residual r, enum shoal_loss of `model`. Default: SHOAL_LOSS_SQUARES. */
    int32_t loss;
    double huber_delta; /* Limit of Huber's loss, 1e-300 to 1e300. Default: 1. */
    /* Least squares in the squares of the coordinates: residuals b - sum a[d] x[d]^2. Only for a data_file
     * without a text. Default: false. */
    bool squared;
    /* A QR factor of the table, computed once, replaces the rows of the table in the sum. Only for a
     * data_file without a text. Default: false. */
    bool compressed;
    /* Built-in function: index of shoal_objective_at(), 0 to shoal_objective_count() - 1. Default: the index
     * of "rastrigin". */
    int32_t function;
    /* Constraints as formulas, "x[1] + x[2] <= 1; x[1]^2 >= 4; x[3] = x[4]": two formulas with <=, >= or =
     * between them, up to 64, separated by semicolons (docs/constraints.md). Constraints of the objective
     * hold, too. Default: NULL, none. */
    const char *subject_to;
    /* An equality constraint is met if its two sides differ by at most this tolerance, at least 0. Default:
     * 1e-4. */
    double constraint_tolerance;
    /* Floating-point format, enum shoal_precision of the device; the host solver always uses double
     * precision. Default: SHOAL_FP32. */
    int32_t precision;
    /* Dimension, up to 1048576. Default: 0, the dimension of the box, the start points or the data, else
     * 30. */
    uint64_t dim;
    /* List of kinds and ranges of the coordinates: see <shoal/variables.h>. Default: NULL, dim reals in the
     * box. */
    const char *variables;
    /* Lower bound of the box in every dimension, -1e15 to `upper`. Default: NaN, the bound of the function.
     * Not with lower_bounds or lower_list. */
    double lower;
    /* Upper bound of the box in every dimension, `lower` to 1e15. Default: NaN, the bound of the function.
     * Not with upper_bounds or upper_list. */
    double upper;
    /* Lower bounds of the box, [dim]. Copied. Default: NULL, none. */
    const double *lower_bounds;
    /* Upper bounds of the box, [dim]. Copied. Default: NULL, none. */
    const double *upper_bounds;
    /* Lower bounds as a text: constant formulas separated by commas, one formula for all dimensions or a
     * formula for each dimension, "0,0,-pi"; or the name of a table (.csv, .npy) with one row or one column
     * of bounds. Default: NULL, none. */
    const char *lower_list;
    /* Upper bounds as a text, written as lower_list is. Default: NULL, none. */
    const char *upper_list;
    /* Initial positions of the first members of each run, counted through the islands, island after island:
     * [start_count][dim], a number for each variable, inside the box. The positions of other members are
     * random; a restart draws all positions anew. Copied. Default: NULL, none. */
    const double *start_points;
    uint64_t start_count; /* Number of start_points, 0 to the number of members of a run. Default: 0. */
    /* Initial positions as a text: numbers separated by commas, points separated by semicolons, "1,2;3,4"; or
     * the name of a table with a row for each point. Not with start_points. Default: NULL, none. */
    const char *start;
    /* Evaluates f(x - shift r), with r a fixed random vector in [-1, 1)^dim. Range: -1e15 to 1e15. Default:
     * NaN, which means no shift, as 0 does. */
    double shift;
    /* Seed of a random rotation or reflection R: evaluates f(m + R (x - shift r - m)). Each coordinate of the
     * point m is `minimiser` of the function, or 0 if that is unknown. For functions of reals without a
     * table, in up to 512 dimensions. Range: any number. Default: 0, none. */
    uint64_t rotate;
    bool maximise; /* The objective is maximised. Default: false. */
    /* Use of repaired individuals, enum shoal_repair. Default: SHOAL_REPAIR_WRITTEN_BACK. */
    int32_t repair;

    uint64_t seed; /* Seed of the first run. Range: any number. Default: 1. */

    /* Several populations. */

    uint64_t islands; /* Number of islands of a run, 1 to 1048576. Default: 1. */
    /* Steps between exchanges of the islands' bests; 0: never. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t exchange;
    /* From which islands an island receives, enum shoal_search_exchange. Default:
     * SHOAL_SEARCH_EXCHANGE_RING. */
    int32_t exchange_topology;
    /* Links between islands: "0-1,1-2" means that island 0 sends to 1 and island 1 to 2. Default: NULL,
     * none. */
    const char *exchange_edges;
    uint64_t runs; /* Number of independent runs, 1 to 1048576. Default: 1. */
    /* A run succeeds when its best value, in double precision, is at most minimum + success. Range: 0 to
     * 1e300. Default: 1e-8. */
    double success;

    /* Ends. Each of the following ends a run; a run that has ended does not move while other runs continue.
     * Without iterations, evaluations and time, a run has 10000 evaluations for each dimension (the same
     * number of iterations if evaluations cannot be counted). A run without limits also has no target and no
     * restart, and values that do not depend on the generation: stagnation and x_tolerance end such a run,
     * too. */

    uint64_t iterations;  /* Most steps; 0: no limit. Range: 0 to 2^32 - 256. Default: 0. */
    uint64_t evaluations; /* Most evaluations of a run; 0: no limit. Range: 0 to 1e18. Default: 0. */
    /* A run ends at a value <= target (>= with maximise), in the solver's precision. Range: any finite
     * number. Default: NaN, none. */
    double target;
    /* A run ends after this number of steps without an improvement by more than stagnation_tolerance. Range:
     * 0 to 2^32 - 256. Default: 0, which means never; for a run without limits a number that depends on the
     * algorithm (pso: 100, with fips 500; ga: 200; de: 500). */
    uint64_t stagnation;
    /* Least improvement that ends stagnation, relative to max(1, |best|), or to |best| in a run without
     * limits; 0 to 1. Default: NaN, which means 1e-4 in a run without limits whose result least squares
     * refine, otherwise 1e-9. */
    double stagnation_tolerance;
    /* A run ends when all members of each of its islands (of a swarm: their personal bests) lie within this
     * distance of the island's best in every dimension, in widths of the box. Checked after each 100th step.
     * Reals alone. 0: never. Range: 0 to 1. Default: NaN, which means never; in a run without limits 1e-10,
     * or 1e-6 before a pattern search of `refine`. */
    double x_tolerance;
    /* Wall time after which the search ends, in seconds. Such a run cannot be repeated exactly. Range: 0 to
     * 1e9. Default: NaN, no limit. */
    double time;
    /* Steps without improvement after which an island restarts; 0: never. Range: 0 to 2^32 - 256. Default: 0.
     */
    uint64_t restart;

    /* Most evaluations of the polish of the best position of each run, by polish_rule; 0: none. Range: 0 to
     * 1e18. Default: 0. */
    uint64_t polish;
    /* Refinement at the end, from the best position of each run, after the `polish`: enum
     * shoal_search_refine. Least squares need memory of dim^2 numbers and some passes over the rows. Default:
     * SHOAL_REFINE_ALL, but SHOAL_REFINE_AUTO in shoal_cmaes_params_init. */
    int32_t refine;
    uint64_t trace; /* Steps between samples; 0: none. Range: 0 to 2^32 - 256. Default: 0. */
    /* Rows of the table on the device at a time; 0: all rows, or as many rows as fit in the memory of the
     * device. SHOAL_INVALID: the objective is no sum over the rows of a table. Range: 0 to 2^32 - 256.
     * Default: 0. */
    uint64_t chunk_rows;
    /* Whether the first line of a text in data_file names the columns, enum shoal_header. Default:
     * SHOAL_HEADER_AUTO. */
    int32_t header;
    /* Words of a text in data_file that count as missing values, as shoal_table_params.missing_values.
     * Default: NULL, the default of that member. */
    const char *missing_values;
    /* Number of the instance of `function`, for bbob-f1 to bbob-f24, 1 to 200000. SHOAL_INVALID: the function
     * has no numbered instances. Default: 0, which means instance 1 for these functions. */
    uint64_t instance;
    /* The rule of `polish`, enum shoal_polish_rule. Default: SHOAL_POLISH_PATTERN. */
    int32_t polish_rule;
    /* Steps between two pattern searches from the best position of a run, whose results replace the worst
     * members. A pattern search has a tenth of the evaluations of the steps since the preceding pattern
     * search; `evaluations` includes this tenth. SHOAL_INVALID: the algorithm is not pso, ga or de, a
     * variable is no real, or values depend on the generation. Range: 0 to 2^32 - 256. Default: 0, never. */
    uint64_t polish_every;
};

/* Fills lower[dim] and upper[dim] with the box as the parameters give it. NaN: the parameters give no bound,
 * so the bound of the function applies. `params` is the whole struct of an algorithm. Any thread.
 * Errors: SHOAL_INVALID: bounds do not fit the dimension or are no numbers. SHOAL_IO: a table of bounds
 * cannot be read. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_bounds(const struct shoal_search_params *params,
                                                                 size_t dim, double *lower, double *upper,
                                                                 struct shoal_error *error);

/* A run in progress: see <shoal/workload.h>. */
struct shoal_solver;

/* The best position of run number `run`, from 0, as the last shoal_solver_result of the solver found it:
 * x[dim], with room for `capacity` numbers. The best run's position is also the field `position` of the
 * result.
 * Errors: SHOAL_INVALID: the solver is no search or has no result yet, there is no such run, or `capacity` is
 * too small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_run_position(const struct shoal_solver *solver,
                                                                       uint64_t run, double *x,
                                                                       size_t capacity,
                                                                       struct shoal_error *error);

/* The box in which a solver searches: lower[dim] and upper[dim], with room for `capacity` numbers.
 * Errors: SHOAL_INVALID: the solver is no search, or `capacity` is too small. SHOAL_UNSUPPORTED: some
 * coordinates are no plain reals. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_box(const struct shoal_solver *solver,
                                                              double *lower, double *upper, size_t capacity,
                                                              struct shoal_error *error);

/* Values of the objective of a solver at points[count][dim] of its box, in double precision: shifted and
 * rotated as in the search. Infinity stands for a value that is not finite.
 * Errors: see shoal_search_box; SHOAL_INVALID also if `dim` is not the dimension of the search. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_values(const struct shoal_solver *solver,
                                                                 const double *points, size_t count,
                                                                 size_t dim, double *values,
                                                                 struct shoal_error *error);

/* The distinct points among the results of the runs, best value first, at most `most`: run[i] is the number
 * of the run with the best value at point i, found_by[i] the number of runs that ended at point i. `run` and
 * `found_by` have room for `most` numbers; `*count` receives the number of points. Two results count as one
 * point if no real differs by more than a thousandth of the box and no other coordinate differs. Needs a call
 * of shoal_solver_result before, whose results are used.
 * Errors: SHOAL_INVALID: the solver is no search or has no result yet. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_search_distinct(const struct shoal_solver *solver,
                                                                   size_t most, uint64_t *run,
                                                                   uint64_t *found_by, size_t *count,
                                                                   struct shoal_error *error);

/* Limits of shoal_search_name. */
enum {
    SHOAL_SEARCH_NAME = 80 /* Bytes of a name, with its final 0. */
};

/* Writes the name of coordinate `index`, from 0, of a point and returns `name`: the name of a parameter of
 * the model or of a variable of the list, else "x1", "x2" and so on. */
SHOAL_API const char *shoal_search_name(const struct shoal_solver *solver, size_t index,
                                        char name[SHOAL_SEARCH_NAME]);

/* A sample of a search, taken each `trace` steps. */
struct shoal_search_sample {
    uint64_t step; /* Number of steps done. */
    double value;  /* Best value so far; of several runs the median of their best values. */
    double q05;    /* 5 % quantile of the best values of several runs. */
    double q25;    /* 25 % quantile of the best values of several runs. */
    double q75;    /* 75 % quantile of the best values of several runs. */
    double q95;    /* 95 % quantile of the best values of several runs. */
    /* Mean of the finite values of the population; of several runs the mean over the runs. NaN: the
     * algorithm, such as pso, computes no such mean. */
    double mean;
    /* Standard deviation of the finite values of the population; of several runs the mean over the runs. NaN:
     * the algorithm, such as pso, computes no such deviation. */
    double deviation;
};

SHOAL_END_DECLS

#endif
