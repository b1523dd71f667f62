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
 * With ask and tell the caller evaluates the points, wherever and in whatever order:
 *
 *     while (!shoal_optimiser_ask(opt, points, capacity, &count, &error) && count > 0)
 *         ... values[i] of point i ..., shoal_optimiser_tell(opt, values, count, &error);
 *     shoal_optimiser_best(opt, x, &value);
 *
 * Numbers are doubles. Arrays of points are dense: coordinate d of point i is points[i * dim + d].
 *
 * The settings are read when a search starts, by the first call of shoal_optimise, capacity, ask, save or
 * load. Later changes take effect after shoal_optimiser_reset. The same settings and values give the same
 * search, with any number of threads.
 *
 * Threads: an optimiser is used by one thread at a time, except for shoal_optimiser_stop. Different
 * optimisers are independent of one another.
 */
#ifndef SHOAL_OPTIMISE_H
#define SHOAL_OPTIMISE_H

#include <shoal/fit.h>
#include <shoal/ga.h>
#include <shoal/pso.h>

SHOAL_BEGIN_DECLS

struct shoal_optimiser;

enum shoal_optimise_result {
    SHOAL_OPTIMISE_FAILED = -1,     /* `error` says why */
    SHOAL_OPTIMISE_RUNNING = 0,     /* the search is not over: shoal_optimiser_state */
    SHOAL_OPTIMISE_ITERATIONS = 1,  /* `iterations` reached */
    SHOAL_OPTIMISE_TARGET = 2,      /* `target` reached */
    SHOAL_OPTIMISE_EVALUATIONS = 3, /* `evaluations` reached */
    SHOAL_OPTIMISE_STAGNATED = 4,   /* no improvement for `stagnation` steps */
    SHOAL_OPTIMISE_TIME = 5,        /* `time` reached; another call continues, with as much time again */
    SHOAL_OPTIMISE_STOPPED = 6,     /* shoal_optimiser_stop; another call continues */
    SHOAL_OPTIMISE_CONVERGED = 7    /* all members within `x_tolerance` */
};

/* Stable lower-case name, e.g. "target". */
SHOAL_API const char *shoal_optimise_result_name(enum shoal_optimise_result result);

/* dim >= 1. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_create(size_t dim, struct shoal_optimiser **out,
                                                                    struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_optimiser_destroy(struct shoal_optimiser **optimiser);

/* Settings --------------------------------------------------------------------------------------------- */

/* The algorithm by its name, "pso" (<shoal/pso.h>) by default or "ga" (<shoal/ga.h>), and all parameters to
 * its defaults. Discards the search. SHOAL_INVALID: there is none of that name; the message lists them. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_algorithm(struct shoal_optimiser *optimiser, const char *name, struct shoal_error *error);

/* The common parameters, to be edited in place: islands, seed, maximise, iterations, evaluations, target,
 * stagnation, time, restart, polish and the others of <shoal/search.h>. Unlike there, the default is double
 * precision. dim, objective, box, start points and shift in it are ignored: the functions below set them.
 * runs must be 1 and trace 0. The pointer is valid until an algorithm is set, or as long as the optimiser. */
SHOAL_API struct shoal_search_params *shoal_optimiser_params(struct shoal_optimiser *optimiser);
/* Those of the swarm, with the common ones as their first member: particles, update, topology, bounds, batch
 * and the others of <shoal/pso.h>; NULL with another algorithm. */
SHOAL_API struct shoal_pso_params *shoal_optimiser_pso(struct shoal_optimiser *optimiser);
/* Those of the genetic algorithm: population, selection, crossover, mutation, replacement and the others of
 * <shoal/ga.h>; NULL with another algorithm. */
SHOAL_API struct shoal_ga_params *shoal_optimiser_ga(struct shoal_optimiser *optimiser);

/* The objective, by one of these functions; the last call counts. Not needed for ask and tell. */

/* Called by several threads at once: see shoal_optimiser_set_threads. Runs on the host only. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_callback(struct shoal_optimiser *optimiser,
                                                                          shoal_objective_fn function,
                                                                          void *data,
                                                                          struct shoal_error *error);
/* A built-in one, e.g. "rastrigin". */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_function(struct shoal_optimiser *optimiser, const char *name, struct shoal_error *error);
/* As shoal_objective_from_expression. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_expression(struct shoal_optimiser *optimiser,
                                                                            const char *expression,
                                                                            struct shoal_error *error);
/* As shoal_objective_from_text. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_text(struct shoal_optimiser *optimiser,
                                                                      struct shoal *shoal, const char *text,
                                                                      const char *name,
                                                                      struct shoal_error *error);
/* As shoal_objective_from_rows. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_rows(struct shoal_optimiser *optimiser,
                                                                      struct shoal *shoal,
                                                                      const struct shoal_rows *rows,
                                                                      struct shoal_error *error);
/* As shoal_objective_from_model (<shoal/fit.h>), of as many parameters as dimensions; its ranges are the
 * default of the box. shoal_optimiser_fit tells how good the fit is. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_model(struct shoal_optimiser *optimiser,
                                                                       const struct shoal_model *model,
                                                                       struct shoal_error *error);
/* Any objective; the caller keeps it, and it must outlive the optimiser. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_objective(struct shoal_optimiser *optimiser, const struct shoal_objective *objective,
                              struct shoal_error *error);

/* The box: the same in each dimension, or `dim` numbers each, copied. Finite, lower < upper. Default: the
 * usual box of the objective. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_box(struct shoal_optimiser *optimiser,
                                                                     double lower, double upper,
                                                                     struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_bounds(struct shoal_optimiser *optimiser,
                                                                        const double *lower,
                                                                        const double *upper,
                                                                        struct shoal_error *error);

/* Initial positions of the first `count` members (particles) of all islands, one behind the other: `dim`
 * numbers each inside the box, copied; 0: all are random. In place of those of the parameters. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_start(struct shoal_optimiser *optimiser,
                                                                       const double *points, size_t count,
                                                                       struct shoal_error *error);

/* Where shoal_optimise runs; must outlive the optimiser. NULL, the default: on the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_device(struct shoal_optimiser *optimiser,
                                                                        struct shoal_device *device,
                                                                        struct shoal_error *error);
/* Number of threads that evaluate on the host; 1: only the thread that calls shoal_optimise; 0, the default:
 * as many as OpenMP gives. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_threads(struct shoal_optimiser *optimiser, unsigned threads, struct shoal_error *error);

/* One call --------------------------------------------------------------------------------------------- */

/* Searches, or continues a search that was stopped or loaded. x receives `dim` numbers, the best position
 * found, value its value. If stopped before the first finite value, value is NaN and x unchanged.
 * `params->time` limits the wall time of this call. Time and stop are polled after every evaluation on the
 * host, after at most a fraction of a second of work on a device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_optimise_result
shoal_optimise(struct shoal_optimiser *optimiser, double *x, double *value, struct shoal_error *error);

/* Makes shoal_optimise return soon. May be called from any thread, from the objective and from a signal
 * handler. Without a search in progress, the next call returns at once. */
SHOAL_API void shoal_optimiser_stop(struct shoal_optimiser *optimiser);

/* Ask and tell ----------------------------------------------------------------------------------------- */

/* Largest number of points of one `ask`: the members of a batch in all islands, or the points of the
 * pattern search if `polish` is set. 0: the settings are invalid, and `ask` reports why. */
SHOAL_API size_t shoal_optimiser_capacity(struct shoal_optimiser *optimiser);

/* The next points to evaluate; *count of them, 0: the search is over. points: room for `capacity` points.
 * Repeated before `tell`, returns the same points. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_ask(struct shoal_optimiser *optimiser,
                                                                 double *points, size_t capacity,
                                                                 size_t *count, struct shoal_error *error);
/* Their values, in the same order; `count` as asked. NaN and infinities count as worse than every number. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_tell(struct shoal_optimiser *optimiser,
                                                                  const double *values, size_t count,
                                                                  struct shoal_error *error);

/* Best position and value so far; either pointer may be NULL. False: none yet, and nothing is written. */
SHOAL_API bool shoal_optimiser_best(const struct shoal_optimiser *optimiser, double *x, double *value);
/* As shoal_fit_compute, at the best position so far, of an objective that is a model. SHOAL_INVALID: there is
 * no objective, or no position yet. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_fit(const struct shoal_optimiser *optimiser,
                                                                 struct shoal_fit *fit,
                                                                 struct shoal_error *error);
/* Number of evaluations so far, of those that were not finite, and of steps. */
SHOAL_API uint64_t shoal_optimiser_evaluations(const struct shoal_optimiser *optimiser);
SHOAL_API uint64_t shoal_optimiser_not_finite(const struct shoal_optimiser *optimiser);
SHOAL_API uint64_t shoal_optimiser_steps(const struct shoal_optimiser *optimiser);
/* How the search ended, or SHOAL_OPTIMISE_RUNNING. */
SHOAL_API enum shoal_optimise_result shoal_optimiser_state(const struct shoal_optimiser *optimiser);

/* State ------------------------------------------------------------------------------------------------ */

/* Saves and restores the whole search, also between ask and tell: loaded into an optimiser with the same
 * algorithm and settings, it continues with the same bits as if it had not been interrupted. Start points are
 * part of it. The limits (iterations, evaluations, target, stagnation, x_tolerance, time, polish) may differ:
 * a search that had ended by one continues with a higher one. Not for searches on devices. */

/* A file is written whole or not at all: SHOAL_IO. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_save(struct shoal_optimiser *optimiser, const char *path, struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_load(struct shoal_optimiser *optimiser, const char *path, struct shoal_error *error);
/* The same bytes in memory: the caller releases *bytes with free(). */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_save_memory(struct shoal_optimiser *optimiser,
                                                                         void **bytes, size_t *size,
                                                                         struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_load_memory(struct shoal_optimiser *optimiser,
                                                                         const void *bytes, size_t size,
                                                                         struct shoal_error *error);

/* Discards the search; settings stay and are read again when the next one starts. */
SHOAL_API void shoal_optimiser_reset(struct shoal_optimiser *optimiser);

SHOAL_END_DECLS

#endif
