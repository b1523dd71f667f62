/* Private: checks of arguments that the primitives of this folder share, and headers for their tables of
 * contracts. */
#ifndef SHOAL_LIB_COMMON_H
#define SHOAL_LIB_COMMON_H

#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/tune.h"

#include <shoal/primitives.h>

/* Checks that the elements offset .. offset + n - 1, of `bytes` bytes each, are inside the buffer. call,
 * what: names of the function and of the argument, for the message. */
enum shoal_status check_range(const char *call, const char *what, const struct shoal_buffer *buffer,
                              size_t offset, size_t n, size_t bytes, struct shoal_error *error);

/* check_max_n checks the limit of n that a create function gets; check_n checks the n of a run against this
 * limit. */
enum shoal_status check_max_n(const char *call, size_t max_n, struct shoal_error *error);
enum shoal_status check_n(const char *call, size_t n, size_t max_n, struct shoal_error *error);

#endif
