/* An optimiser for other programs: an objective, a box, stopping criteria, an algorithm, one call.
 *
 * shoal_optimise() minimises (or maximises) an objective that the library evaluates:
 *
 *     struct shoal_optimiser *opt = NULL;
 *     shoal_optimiser_create(dim, &opt, &error);
 *     shoal_optimiser_set_callback(opt, f, data, &error);
 *     shoal_optimiser_set_box(opt, -5, 5, &error);
 *     shoal_optimiser_params(opt)->evaluations = 100000;
 *     result = shoal_optimise(opt, x, &value, &error);
 *     shoal_optimiser_destroy(&opt);
 *
 * With ask and tell the caller evaluates the points, wherever and in whatever order, and tells the values at
 * once or, with shoal_optimiser_tell_value, one by one as they come:
 *
 *     while (!shoal_optimiser_ask(opt, points, capacity, &count, &error) && count > 0)
 *         ... values[i] of point i ..., shoal_optimiser_tell(opt, values, count, &error);
 *     shoal_optimiser_best(opt, x, &value);
 *
 * Numbers are doubles. Arrays of points are dense: coordinate d of point i is points[i * dim + d].
 *
 * The settings are read when a search starts, by the first call of shoal_optimise, capacity, ask, save or
 * load. Later changes take effect after shoal_optimiser_reset. Equal settings and values give the same
 * search, with any number of threads.
 *
 * Threads: an optimiser is used by one thread at a time, except for shoal_optimiser_stop. Different
 * optimisers are independent of one another.
 */
#ifndef SHOAL_OPTIMISE_H
#define SHOAL_OPTIMISE_H

#include <shoal/cmaes.h>
#include <shoal/de.h>
#include <shoal/direct_search.h>
#include <shoal/fit.h>
#include <shoal/ga.h>
#include <shoal/portfolio.h>
#include <shoal/pso.h>

SHOAL_BEGIN_DECLS

/* Settings and a search in progress. */
struct shoal_optimiser;

/* How a search ended. */
enum shoal_optimise_result {
    SHOAL_OPTIMISE_FAILED = -1,     /* The search failed: `error` says why. */
    SHOAL_OPTIMISE_RUNNING = 0,     /* The search is not over: see shoal_optimiser_state. */
    SHOAL_OPTIMISE_ITERATIONS = 1,  /* `iterations` were made. */
    SHOAL_OPTIMISE_TARGET = 2,      /* `target` was reached. */
    SHOAL_OPTIMISE_EVALUATIONS = 3, /* `evaluations` were made. */
    SHOAL_OPTIMISE_STAGNATED = 4,   /* No improvement for `stagnation` steps. */
    SHOAL_OPTIMISE_TIME = 5,        /* `time` passed. Another call continues the search for `time` again. */
    SHOAL_OPTIMISE_STOPPED = 6,     /* shoal_optimiser_stop was called. Another call continues the search. */
    SHOAL_OPTIMISE_CONVERGED = 7    /* All members lie within `x_tolerance`. */
};

/* Stable lower-case name of a result: "target". A constant. Any thread. */
SHOAL_API const char *shoal_optimise_result_name(enum shoal_optimise_result result);

/* Creates an optimiser for `dim` dimensions, 1 to 1048576, with the algorithm "pso". Destroy the optimiser
 * with shoal_optimiser_destroy.
 * Errors: SHOAL_INVALID: `dim` is out of its range. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_create(size_t dim, struct shoal_optimiser **out,
                                                                    struct shoal_error *error);

/* Destroys the optimiser and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_optimiser_destroy(struct shoal_optimiser **optimiser);

/* Algorithms --------------------------------------------------------------------------------------------- */

/* The workload of search algorithm number `index`, from 0. NULL: `index` is out of range. Any thread. */
SHOAL_API const struct shoal_workload *shoal_optimiser_algorithm_at(size_t index);

/* Parameters of a search whose algorithm is chosen by the problem. */
struct shoal_optimise_params {
    /* Parameters of all searches; their `size` is the size of the whole struct. */
    struct shoal_search_params search;
    /* 0: "auto"; n, 1 to the number of algorithms: algorithm number n - 1 of shoal_optimiser_algorithm_at.
     * Default: 0. */
    int32_t algorithm;
    /* The search runs on devices, so that algorithms that only run on the host are not chosen. An optimiser
     * sets this member by its device. Default: false. */
    bool on_devices;
    /* The run is divided over devices, so that no algorithm is chosen that only runs on the host or whose
     * runs cannot be divided. Default: false. */
    bool is_divided;
    /* A device of the search has no double precision, so that no algorithm is chosen whose default is double
     * precision. An optimiser sets this member by its device. Default: false. */
    bool lacks_double;
};

/* Fills the parameters with their defaults. Does nothing where `params` is NULL. */
SHOAL_API void shoal_optimise_params_init(struct shoal_optimise_params *params);
#define SHOAL_OPTIMISE_PARAMS(...) SHOAL_INIT(shoal_optimise_params, shoal_optimise_params_init, __VA_ARGS__)

/* The options of struct shoal_optimise_params, [*count]. A constant. NULL: `count` is NULL. Any thread. */
SHOAL_API const struct shoal_option *shoal_optimise_options(size_t *count);

/* The algorithm that suits a problem. */
struct shoal_optimise_choice {
    /* Bytes of the struct for which the caller has room. 0 means the struct of this release. */
    size_t size;
    const struct shoal_workload *workload; /* The workload of the algorithm. */
    /* Reason for the choice, in words to follow "since ". A constant. */
    const char *reason;
    /* Options for a command to set if the user gives no limit of the run: "time=10 runs=5", as `values` of
     * struct shoal_case. "": none. */
    char values[160];
};

/* Chooses the algorithm for a problem: by the kinds of its variables, the objective, the limits of the run,
 * and whether it runs on devices (docs/optimise.md). Reads the files and formulas that the parameters name,
 * but no table as a whole. `shoal`: see shoal_workload_validate.
 * Errors: SHOAL_INVALID: a value is out of its range or does not fit another value. SHOAL_IO: a file cannot
 * be read or its content is wrong. SHOAL_BUILD_FAILED: a text does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimise_choose(struct shoal *shoal,
                                                                   const struct shoal_optimise_params *params,
                                                                   struct shoal_optimise_choice *choice,
                                                                   struct shoal_error *error);

/* Settings ----------------------------------------------------------------------------------------------- */

/* Sets the algorithm by its name, such as "pso" (<shoal/pso.h>), the default, "ga" (<shoal/ga.h>), "cmaes"
 * (<shoal/cmaes.h>) or "de" (<shoal/de.h>), and all parameters to the defaults of the algorithm. "auto":
 * shoal_optimise_choose chooses the algorithm when the search starts. Discards the search.
 * Errors: SHOAL_INVALID: there is no such algorithm; the message lists the names. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_algorithm(struct shoal_optimiser *optimiser, const char *name, struct shoal_error *error);

/* Name of the algorithm that is set. With "auto": "auto", or the name of the chosen algorithm once a search
 * has started. Valid as long as the library. NULL: `optimiser` is NULL. */
SHOAL_API const char *shoal_optimiser_algorithm(const struct shoal_optimiser *optimiser);

/* The parameters that all algorithms share, to be edited in place: islands, seed, maximise, iterations,
 * evaluations, target, stagnation, time, restart, polish and the other members of struct shoal_search_params.
 * The precision is SHOAL_FP64 by default. Members for dim, objective, box, start points and shift are
 * ignored, since calls of this header set these; `runs` must be 1 and `trace` 0. Valid until an algorithm is
 * set, or as long as the optimiser. */
SHOAL_API struct shoal_search_params *shoal_optimiser_params(struct shoal_optimiser *optimiser);

/* The parameters of the swarm, to be edited in place, with the shared parameters as their first member. Valid
 * until an algorithm is set, or as long as the optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_pso_params *shoal_optimiser_pso(struct shoal_optimiser *optimiser);

/* The parameters of the genetic algorithm, to be edited in place, with the shared parameters as their first
 * member. Valid until an algorithm is set, or as long as the optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_ga_params *shoal_optimiser_ga(struct shoal_optimiser *optimiser);

/* The parameters of differential evolution, to be edited in place, with the shared parameters as their first
 * member. Valid until an algorithm is set, or as long as the optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_de_params *shoal_optimiser_de(struct shoal_optimiser *optimiser);
/* Parameters of the direct searches (<shoal/direct_search.h>): */

/* The parameters of "nelder-mead", to be edited in place. Valid until an algorithm is set, or as long as the
 * optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_nelder_mead_params *shoal_optimiser_nelder_mead(struct shoal_optimiser *optimiser);
/* The parameters of "pattern", to be edited in place. Valid until an algorithm is set, or as long as the
 * optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_pattern_params *shoal_optimiser_pattern(struct shoal_optimiser *optimiser);
/* The parameters of "random", to be edited in place. Valid until an algorithm is set, or as long as the
 * optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_random_params *shoal_optimiser_random(struct shoal_optimiser *optimiser);

/* The parameters of CMA-ES, to be edited in place, with the shared parameters as their first member. Valid
 * until an algorithm is set, or as long as the optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_cmaes_params *shoal_optimiser_cmaes(struct shoal_optimiser *optimiser);

/* The parameters of a portfolio, to be edited in place, with the shared parameters as their first member.
 * Valid until an algorithm is set, or as long as the optimiser. NULL: another algorithm is set. */
SHOAL_API struct shoal_portfolio_params *shoal_optimiser_portfolio(struct shoal_optimiser *optimiser);

/* The objective. Each of the following calls sets the objective in place of an earlier one. Ask and tell need
 * no objective. */

/* Sets a C function as the objective, which runs on the host only. Several threads call the function at once:
 * see shoal_optimiser_set_threads. `data` is passed to the function and must stay valid.
 * Errors: SHOAL_INVALID: no function. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_callback(struct shoal_optimiser *optimiser,
                                                                          shoal_objective_fn function,
                                                                          void *data,
                                                                          struct shoal_error *error);

/* Sets a built-in function by its name, such as "rastrigin".
 * Errors: SHOAL_INVALID: there is no such function. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_function(struct shoal_optimiser *optimiser, const char *name, struct shoal_error *error);

/* Sets a formula, as shoal_objective_from_expression takes it.
 * Errors: SHOAL_INVALID: the formula has an error; the message names its column. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_expression(struct shoal_optimiser *optimiser,
                                                                            const char *expression,
                                                                            struct shoal_error *error);

/* Sets a text in the kernel dialect, as shoal_objective_from_text takes it.
 * Errors: SHOAL_INVALID: the text is not allowed. SHOAL_BUILD_FAILED: the text does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_text(struct shoal_optimiser *optimiser,
                                                                      struct shoal *shoal, const char *text,
                                                                      const char *name,
                                                                      struct shoal_error *error);

/* Sets a sum over the rows of a table, as shoal_objective_from_rows takes it. `shoal` may be NULL without a
 * text.
 * Errors: SHOAL_INVALID: a number is not finite, or sizes do not fit. SHOAL_BUILD_FAILED: the text does not
 * compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_rows(struct shoal_optimiser *optimiser,
                                                                      struct shoal *shoal,
                                                                      const struct shoal_rows *rows,
                                                                      struct shoal_error *error);

/* Sets a model, as shoal_objective_from_model takes it, with one parameter for each dimension. The default of
 * the box is the ranges of the parameters. shoal_optimiser_fit gives the quality of the fit.
 * Errors: SHOAL_INVALID: the model has an error. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_model(struct shoal_optimiser *optimiser,
                                                                       const struct shoal_model *model,
                                                                       struct shoal_error *error);

/* Sets any objective, which the caller owns and which must outlive the optimiser.
 * Errors: SHOAL_INVALID: a pointer is NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_objective(struct shoal_optimiser *optimiser, const struct shoal_objective *objective,
                              struct shoal_error *error);

/* Sets the box to `lower` .. `upper` in each dimension, finite, lower <= upper. Default: the usual box of the
 * objective.
 * Errors: SHOAL_INVALID: the box is empty or not finite. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_box(struct shoal_optimiser *optimiser,
                                                                     double lower, double upper,
                                                                     struct shoal_error *error);

/* Sets the box to lower[d] .. upper[d], [dim], finite, lower[d] <= upper[d]. Copied.
 * Errors: SHOAL_INVALID: the box is empty or not finite; the message names the dimension. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_bounds(struct shoal_optimiser *optimiser,
                                                                        const double *lower,
                                                                        const double *upper,
                                                                        struct shoal_error *error);

/* Sets the initial positions of the first `count` members (particles), counted through all islands, island
 * after island: points[count][dim], inside the box. Copied. `count` 0: all positions are random.
 * Errors: SHOAL_INVALID: `count` is too large for the memory. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_start(struct shoal_optimiser *optimiser,
                                                                       const double *points, size_t count,
                                                                       struct shoal_error *error);

/* Sets whether the caller tells violations of constraints with the values: shoal_optimiser_tell_constrained.
 * Discards the search. Default: false.
 * Errors: SHOAL_INVALID: `optimiser` is NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_constrained(struct shoal_optimiser *optimiser, bool is_constrained,
                                struct shoal_error *error);

/* Sets where shoal_optimise runs. The device must outlive the optimiser. NULL, the default, and the host
 * device: on the host. Discards the search.
 * Errors: SHOAL_INVALID: `optimiser` is NULL. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_device(struct shoal_optimiser *optimiser,
                                                                        struct shoal_device *device,
                                                                        struct shoal_error *error);

/* Sets the number of threads that evaluate on the host, up to 65536. 1: only the thread that calls
 * shoal_optimise. 0, the default: as many as OpenMP gives.
 * Errors: SHOAL_INVALID: `threads` is above 65536. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_threads(struct shoal_optimiser *optimiser, unsigned threads, struct shoal_error *error);

/* One call ----------------------------------------------------------------------------------------------- */

/* Searches, or continues a search that was stopped or loaded. `x`, [dim], receives the best position found,
 * `*value` the value of this position. If the search is stopped before the first finite value, `*value` is
 * NaN and `x` is unchanged. `params->time` limits the wall time of this call. Time and stop are polled after
 * every evaluation on the host, and after at most a fraction of a second of work on a device.
 * Errors: SHOAL_OPTIMISE_FAILED, with error->status: SHOAL_INVALID: there is no objective, or settings do not
 * fit; SHOAL_OUT_OF_HOST_MEMORY, SHOAL_IO: on the host, a point got no memory for its value, or a file of the
 * objective can no longer be read. The next call evaluates the points of this step again, and makes the
 * search of a call without the error. Other errors: see shoal_solver_create. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_optimise_result
shoal_optimise(struct shoal_optimiser *optimiser, double *x, double *value, struct shoal_error *error);

/* Makes shoal_optimise return soon. Without a search in progress the next call returns at once. May be called
 * from any thread, from the objective and from a signal handler. */
SHOAL_API void shoal_optimiser_stop(struct shoal_optimiser *optimiser);

/* Ask and tell ------------------------------------------------------------------------------------------- */

/* Largest number of points of a step: the members of a batch, summed over all islands, or the points of the
 * polish if `polish` is set. If points of several steps wait for values: their number, if it is larger. 0:
 * the settings are invalid, and shoal_optimiser_ask reports why. */
SHOAL_API size_t shoal_optimiser_capacity(struct shoal_optimiser *optimiser);

/* Gives the next points to evaluate, points[*count][dim]; `points` has room for `capacity` points. `*count`
 * 0: the search is over. Room for shoal_optimiser_capacity points is enough. With room for several steps, the
 * points of all these steps, at most 1024, are one batch if no point depends on values of other points, as
 * in a generation of "cmaes" with a doubled population, or of "de" in "portfolio". If one of the steps ends
 * the search, values of later steps count as evaluations but are not used. If some values of a batch are not
 * told yet, the call gives all points of this batch again; shoal_optimiser_missing lists the points without a
 * value.
 * Errors: SHOAL_INVALID: settings do not fit, or `capacity` is too small. SHOAL_UNSUPPORTED: a device is set.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_ask(struct shoal_optimiser *optimiser,
                                                                 double *points, size_t capacity,
                                                                 size_t *count, struct shoal_error *error);

/* Takes the values of the points asked, values[count], in the order of the points. NaN and infinities count
 * as worse than every number.
 * Errors: SHOAL_INVALID: no points wait for values, `count` is not the number of points that wait, or
 * shoal_optimiser_tell_value was called for some of the points. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_tell(struct shoal_optimiser *optimiser,
                                                                  const double *values, size_t count,
                                                                  struct shoal_error *error);

/* Takes the values of the points asked, as shoal_optimiser_tell does, and gives the next points, as
 * shoal_optimiser_ask does, in one call for each step, since steps of a caller that evaluates all points
 * together are short. The points have the shape points[dim][*count]; `points` has room for `capacity` points,
 * at least shoal_optimiser_capacity. `told` is the number of values. It is 0, and `values` may be NULL, if no
 * points wait for values, as before the first step; with 0, points that wait are given again.
 * Errors: see shoal_optimiser_tell and shoal_optimiser_ask. After SHOAL_INVALID no value was told; after
 * another error the values were told if shoal_optimiser_evaluations has grown. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_tell_ask(struct shoal_optimiser *optimiser, const double *values, size_t told, double *points,
                         size_t capacity, size_t *count, struct shoal_error *error);

/* Takes the value of one of the points asked: `index` is the number of the point in the last ask, from 0. The
 * order of the calls has no effect on the search. The next ask gives new points once all values are told. NaN
 * and infinities count as worse than every number. A value counts at once in shoal_optimiser_best,
 * shoal_optimiser_evaluations and shoal_optimiser_not_finite, and shoal_optimise does not evaluate its point
 * again.
 * Errors: SHOAL_INVALID: no points wait for values, there is no such point, or its value was told before. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_tell_value(struct shoal_optimiser *optimiser,
                                                                        size_t index, double value,
                                                                        struct shoal_error *error);

/* Takes values as shoal_optimiser_tell does, and the violations of the caller's constraints,
 * violations[count]: 0 for a point that meets all constraints, else a measure of the violation, such as the
 * sum of the amounts by which constraints exceed their limits. The value of a point with a violation has no
 * effect. Violations of `params->subject_to` are added.
 * Errors: see shoal_optimiser_tell; also SHOAL_INVALID: a violation is negative or NaN, or
 * shoal_optimiser_set_constrained was not called. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_tell_constrained(struct shoal_optimiser *optimiser, const double *values,
                                 const double *violations, size_t count, struct shoal_error *error);

/* Takes the value of one point as shoal_optimiser_tell_value does, and its violation.
 * Errors: SHOAL_INVALID: no points wait for values, there is no such point, its value was told before, the
 * violation is negative or NaN, or shoal_optimiser_set_constrained was not called. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_tell_value_constrained(struct shoal_optimiser *optimiser, size_t index, double value,
                                       double violation, struct shoal_error *error);

/* Number of points asked whose value was not told yet. `indices` receives the numbers of these points,
 * ascending, at most `capacity` of these numbers; NULL: nothing is written. */
SHOAL_API size_t shoal_optimiser_missing(const struct shoal_optimiser *optimiser, size_t *indices,
                                         size_t capacity);

/* Violation of the constraints at the best position so far; 0: all are met, or there are none. NaN: there is
 * no best position yet. */
SHOAL_API double shoal_optimiser_violation(const struct shoal_optimiser *optimiser);

/* Best position so far, x[dim], and its value, which is an infinity if the position violates constraints.
 * Either pointer may be NULL. False: there is no best position yet, and nothing is written. */
SHOAL_API bool shoal_optimiser_best(const struct shoal_optimiser *optimiser, double *x, double *value);

/* Fills `fit` as shoal_fit_compute does, at the best position so far, of an objective that is a model.
 * Errors: SHOAL_INVALID: there is no objective, or no position yet. SHOAL_UNSUPPORTED: the objective is no
 * model. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_fit(const struct shoal_optimiser *optimiser,
                                                                 struct shoal_fit *fit,
                                                                 struct shoal_error *error);

/* Number of evaluations so far. */
SHOAL_API uint64_t shoal_optimiser_evaluations(const struct shoal_optimiser *optimiser);

/* Number of evaluations so far whose value was not finite. */
SHOAL_API uint64_t shoal_optimiser_not_finite(const struct shoal_optimiser *optimiser);

/* Number of steps so far. */
SHOAL_API uint64_t shoal_optimiser_steps(const struct shoal_optimiser *optimiser);

/* How the search ended. SHOAL_OPTIMISE_RUNNING: the search has not ended. */
SHOAL_API enum shoal_optimise_result shoal_optimiser_state(const struct shoal_optimiser *optimiser);

/* State. A search is saved and loaded as a whole, also between ask and tell, with the values that are already
 * told. Loaded into an optimiser with the same algorithm and settings, the search continues with the same
 * bits as without the interruption. Start points are part of the state. The limits (iterations, evaluations,
 * target, stagnation, x_tolerance, time, polish) may differ: a search that has ended by a limit continues if
 * the limit is higher after loading. Searches on devices cannot be saved. */

/* Saves the search to a file, which appears whole or not at all.
 * Errors: SHOAL_IO: the file cannot be written. SHOAL_INVALID: settings do not fit. SHOAL_UNSUPPORTED: a
 * device is set. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_save(struct shoal_optimiser *optimiser, const char *path, struct shoal_error *error);

/* Loads a search from a file.
 * Errors: SHOAL_IO: the file cannot be read, or is damaged. SHOAL_INVALID: the search is of other settings.
 * SHOAL_UNSUPPORTED: a device is set. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_load(struct shoal_optimiser *optimiser, const char *path, struct shoal_error *error);

/* Saves the search to memory, with the content of the file of shoal_optimiser_save. The caller releases
 * `*bytes` with free(). `*size` receives the number of bytes.
 * Errors: SHOAL_INVALID: settings do not fit. SHOAL_UNSUPPORTED: a device is set. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_save_memory(struct shoal_optimiser *optimiser,
                                                                         void **bytes, size_t *size,
                                                                         struct shoal_error *error);

/* Loads a search from the `size` bytes of shoal_optimiser_save_memory.
 * Errors: SHOAL_IO: the bytes are damaged. SHOAL_INVALID: the search is of other settings. SHOAL_UNSUPPORTED:
 * a device is set. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_load_memory(struct shoal_optimiser *optimiser,
                                                                         const void *bytes, size_t size,
                                                                         struct shoal_error *error);

/* Discards the search. Settings stay and are read again when the next search starts. */
SHOAL_API void shoal_optimiser_reset(struct shoal_optimiser *optimiser);

SHOAL_END_DECLS

#endif
