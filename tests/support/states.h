/* Private to tests: states of solvers on the device under test, for tests that see interfaces of the library.
 */
#ifndef SHOAL_TESTS_STATES_H
#define SHOAL_TESTS_STATES_H

#include "harness.h"

/* The bytes of the solver's checkpoint, in memory of the harness. */
void *saved_state(struct shoal_solver *solver, size_t *size);
/* The solvers' checkpoints have the same bytes. */
void assert_same_state(struct shoal_solver *a, struct shoal_solver *b);
/* `whole` makes `end` calls of one step. `again` loads the checkpoint of step `middle` and makes the other
 * steps in one call. Both end with the same bytes. The solvers are new, and are destroyed. */
void compare_resumed(struct shoal_solver *whole, struct shoal_solver *again, uint64_t middle, uint64_t end);
/* The solvers have the same best value up to the relative tolerance, and have done the same work. */
void compare_results(struct shoal_solver *device, struct shoal_solver *host, double tolerance);

/* The size of work-groups of new solvers, of two programs; an eighth, again and again, where the device has
 * no groups of that size. */
void set_work_groups(const char *const programs[2], int64_t items);
/* The size of groups for a case: without rows, with one row, with two. Neighbouring cases and the same case
 * of another method differ. number: counts the cases of all methods, which follow each other for each case.
 * methods: how many there are. */
int64_t group_of_case(size_t number, size_t methods);

#endif
