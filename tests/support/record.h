/* record.c also makes OpenCL calls fail on request: for programs that are linked with it. */
#ifndef SHOAL_TESTS_RECORD_H
#define SHOAL_TESTS_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>

/* Of the calls that make a program, a kernel or a buffer, set an argument, enqueue a command or wait, the
 * one of this number from now on fails, 1: the next one; 0: none. */
extern atomic_uint record_countdown;
/* Set where one has failed. */
extern atomic_bool record_failed;

#endif
