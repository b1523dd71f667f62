/* Lets programs that are linked with record.c make OpenCL calls fail on request. */
#ifndef SHOAL_TESTS_RECORD_H
#define SHOAL_TESTS_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>

/* Counts calls that make a program, a kernel or a buffer, set an argument, enqueue a command or wait. The
 * call with this number from now on fails: 1 is the next call, 0 no call. */
extern atomic_uint record_countdown;
/* A call has failed on request. */
extern atomic_bool record_failed;

#endif
