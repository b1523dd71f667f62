/* Allocations of the library that fail on request. Tests are linked so that every malloc comes by here. */
#ifndef SHOAL_TESTS_ALLOCATIONS_H
#define SHOAL_TESTS_ALLOCATIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The allocation of this number from now on fails, 1: the next one; 0: none. Several threads of a solver may
 * allocate at a time. */
extern atomic_uint allocation_countdown;
/* Set where one has failed. */
extern atomic_bool allocation_failed;

/* Never fails on request. */
void *__real_calloc(size_t count, size_t bytes);

#endif
