/* Lower bounds of the length of every tour of a problem, on the host and on devices. docs/tsp.md, "Lower
 * bound", has the rules.
 *
 * Threads and errors: see <shoal/workload.h>. A problem is constant once open, and any thread may use it.
 */
#ifndef SHOAL_TSP_BOUND_H
#define SHOAL_TSP_BOUND_H

#include <shoal/tsp.h>

SHOAL_BEGIN_DECLS

/* Computes a lower bound of the length of every tour of the problem: the longest 1-tree that an ascent finds
 * (M. Held and R. M. Karp, Operations Research 18, 1970), over all pairs of cities. Lengths of closed tours
 * are often 0.7 % above it. Computed on the host; the result is the same on every machine.
 * Errors: SHOAL_UNSUPPORTED: distances there and back differ. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_bound(const struct shoal_tsp_problem *problem,
                                                             int64_t *bound, struct shoal_error *error);

/* Computes lower bounds on a device; programs are kept for further runs. */
struct shoal_tsp_bounder;

/* Creates an object that computes the bound of shoal_tsp_bound with the device of `queue`, which makes the
 * rounds of the ascent; the host finds the shortest 1-trees over all pairs of cities. Problem and queue must
 * stay valid as long as the object. Destroy the object with shoal_tsp_bounder_destroy.
 * Errors: SHOAL_UNSUPPORTED: distances need double precision and the device has none.
 * SHOAL_OUT_OF_DEVICE_MEMORY: the cities do not fit; the message has the bytes needed. SHOAL_BUILD_FAILED: a
 * kernel does not compile. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_bounder_create(const struct shoal_tsp_problem *problem,
                                                                      struct shoal_queue *queue,
                                                                      enum shoal_variant variant,
                                                                      struct shoal_tsp_bounder **out,
                                                                      struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_tsp_bounder_destroy(struct shoal_tsp_bounder **bounder);

/* Computes the bound, and waits for the device.
 * Errors: SHOAL_UNSUPPORTED: distances there and back differ. SHOAL_OUT_OF_DEVICE_MEMORY: the message has the
 * bytes needed. SHOAL_FAILED, SHOAL_DEVICE_LOST: errors of the queue. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_bounder_run(struct shoal_tsp_bounder *bounder,
                                                                   struct shoal_error *error);

/* Returns the bound that was computed, that of shoal_tsp_bound.
 * Errors: SHOAL_INVALID: there is no bound yet. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_tsp_bounder_get(const struct shoal_tsp_bounder *bounder,
                                                                   int64_t *bound, struct shoal_error *error);

/* Program of the object, to query build time, defines and variant. */
SHOAL_API const struct shoal_program *shoal_tsp_bounder_program(const struct shoal_tsp_bounder *bounder);

SHOAL_END_DECLS

#endif
