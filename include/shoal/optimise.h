/* Optimisation for other programs: a box, an objective, stops, one call. The particle swarm behind it is that
 * of <shoal/pso.h>.
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
 * Below it, ask and tell: the caller evaluates, in whatever order and wherever he likes.
 *
 *     while (!shoal_optimiser_ask(opt, points, capacity, &count, &error) && count > 0)
 *         ... values[i] of point i ..., shoal_optimiser_tell(opt, values, count, &error);
 *     shoal_optimiser_best(opt, x, &value);
 *
 * Numbers are doubles. A point is `dim` of them, points stand one behind the other: coordinate d of point i
 * is points[i * dim + d].
 *
 * The settings are read when a search starts: with the first call of shoal_optimise, ask, save or load. Later
 * changes wait for shoal_optimiser_reset. The same settings and values give the same search, with any number
 * of threads.
 *
 * Threads: an optimiser is used by one thread at a time, except for shoal_optimiser_stop. Different
 * optimisers are independent of one another.
 */
#ifndef SHOAL_OPTIMISE_H
#define SHOAL_OPTIMISE_H

#include <shoal/pso.h>

SHOAL_BEGIN_DECLS

struct shoal_optimiser;

enum shoal_optimise_result {
    SHOAL_OPTIMISE_FAILED = -1,     /* `error` says why */
    SHOAL_OPTIMISE_RUNNING = 0,     /* the search is not over: shoal_optimiser_state */
    SHOAL_OPTIMISE_ITERATIONS = 1,  /* all steps are made */
    SHOAL_OPTIMISE_TARGET = 2,      /* the value is as good as the target */
    SHOAL_OPTIMISE_EVALUATIONS = 3, /* all evaluations are made */
    SHOAL_OPTIMISE_STAGNATED = 4,   /* no improvement for long enough */
    SHOAL_OPTIMISE_TIME = 5,        /* time is up; another call goes on, with as much time again */
    SHOAL_OPTIMISE_STOPPED = 6      /* shoal_optimiser_stop; another call goes on */
};

/* Stable lower-case name, e.g. "target". */
SHOAL_API const char *shoal_optimise_result_name(enum shoal_optimise_result result);

/* dim >= 1. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_create(size_t dim, struct shoal_optimiser **out,
                                                                    struct shoal_error *error);
/* Accepts NULL and sets the pointer to NULL. */
SHOAL_API void shoal_optimiser_destroy(struct shoal_optimiser **optimiser);

/* Settings --------------------------------------------------------------------------------------------- */

/* Everything about the swarm and its end, to be edited in place: particles, update, topology, bounds, batch,
 * swarms, seed, maximise, iterations, evaluations, target, stagnation, time, restart, polish and the others
 * of <shoal/pso.h>. Unlike there, the default is 40 particles, SPSO-2011 with random links, double precision,
 * and as many iterations as 10000 dim evaluations take. What the functions below set is theirs: dim,
 * objective, bounds and shift there are ignored; runs must be 1 and trace 0. Update linear needs iterations
 * as many as there will be. The pointer lives as long as the optimiser. */
SHOAL_API struct shoal_pso_params *shoal_optimiser_params(struct shoal_optimiser *optimiser);

/* The objective, by one of these; the last call counts. Not needed for ask and tell. */

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
/* Any other; it stays the caller's and must outlive the optimiser. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_objective(struct shoal_optimiser *optimiser, const struct shoal_objective *objective,
                              struct shoal_error *error);

/* The box: the same in each dimension, or `dim` numbers each, copied. Finite, lower < upper. Not set: the
 * customary one of the objective. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_box(struct shoal_optimiser *optimiser,
                                                                     double lower, double upper,
                                                                     struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_bounds(struct shoal_optimiser *optimiser,
                                                                        const double *lower,
                                                                        const double *upper,
                                                                        struct shoal_error *error);

/* Where the first particle starts: `dim` numbers inside the box, copied; NULL: nowhere in particular. For
 * searches on the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_start(struct shoal_optimiser *optimiser, const double *x, struct shoal_error *error);

/* Where shoal_optimise runs; must outlive the optimiser. NULL, the default: on the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_set_device(struct shoal_optimiser *optimiser,
                                                                        struct shoal_device *device,
                                                                        struct shoal_error *error);
/* Threads that evaluate on the host; 1: only that which calls shoal_optimise. 0, the default: as many as
 * OpenMP gives. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_set_threads(struct shoal_optimiser *optimiser, unsigned threads, struct shoal_error *error);

/* One call --------------------------------------------------------------------------------------------- */

/* Searches, and goes on with a search that was stopped or loaded. x: `dim` numbers, the best position found,
 * value: its value. Where a stop came before the first finite value, value is NaN and x as it was.
 * `params->time` is the wall time of this call. Time and stop are looked at after every evaluation on the
 * host, after at most a fraction of a second of work on a device. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_optimise_result
shoal_optimise(struct shoal_optimiser *optimiser, double *x, double *value, struct shoal_error *error);

/* Ends shoal_optimise soon, from any thread, an objective or a signal handler. A search that is not running
 * ends when it next begins. */
SHOAL_API void shoal_optimiser_stop(struct shoal_optimiser *optimiser);

/* Ask and tell ----------------------------------------------------------------------------------------- */

/* Points of one `ask` at most: particles of a batch in all islands, or the points of the pattern search where
 * `polish` asks for one. 0: the settings are wrong, which `ask` tells. */
SHOAL_API size_t shoal_optimiser_capacity(struct shoal_optimiser *optimiser);

/* The next points to evaluate; *count of them, 0: the search is over. points: room for `capacity` points.
 * Asked again before their values are told, gives the same ones. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_ask(struct shoal_optimiser *optimiser,
                                                                 double *points, size_t capacity,
                                                                 size_t *count, struct shoal_error *error);
/* Their values, in the same order; count as asked. NaN and infinities are worse than every number. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_tell(struct shoal_optimiser *optimiser,
                                                                  const double *values, size_t count,
                                                                  struct shoal_error *error);

/* Best position and value so far. False: there is none yet, and nothing is written. Either may be NULL. */
SHOAL_API bool shoal_optimiser_best(const struct shoal_optimiser *optimiser, double *x, double *value);
/* Evaluations made or told, and how many of them were not finite. */
SHOAL_API uint64_t shoal_optimiser_evaluations(const struct shoal_optimiser *optimiser);
SHOAL_API uint64_t shoal_optimiser_not_finite(const struct shoal_optimiser *optimiser);
SHOAL_API uint64_t shoal_optimiser_steps(const struct shoal_optimiser *optimiser);
/* How the search ended, or SHOAL_OPTIMISE_RUNNING. */
SHOAL_API enum shoal_optimise_result shoal_optimiser_state(const struct shoal_optimiser *optimiser);

/* State ------------------------------------------------------------------------------------------------ */

/* The whole search, also between ask and tell: it goes on as if nothing had happened in an optimiser with the
 * same settings (limits may differ: iterations, evaluations, target, stagnation, time, polish). Not for
 * devices. */

/* Written as a whole or not at all. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_save(struct shoal_optimiser *optimiser, const char *path, struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_optimiser_load(struct shoal_optimiser *optimiser, const char *path, struct shoal_error *error);
/* The same bytes in memory: *bytes is the caller's, to be released with free(). */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_save_memory(struct shoal_optimiser *optimiser,
                                                                         void **bytes, size_t *size,
                                                                         struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_optimiser_load_memory(struct shoal_optimiser *optimiser,
                                                                         const void *bytes, size_t size,
                                                                         struct shoal_error *error);

/* Back to before the search; settings stay and are read anew when it starts. */
SHOAL_API void shoal_optimiser_reset(struct shoal_optimiser *optimiser);

SHOAL_END_DECLS

#endif
