/* Parts that the primitives share: contract tables, argument checks. */
#ifndef SHOAL_LIB_COMMON_H
#define SHOAL_LIB_COMMON_H

#include "base/error.h"
#include "base/integer.h"
#include "compute/device.h"
#include "compute/tune.h"

#include <shoal/primitives.h>

/* Checks that elements offset .. offset + n - 1 of `bytes` each lie inside the buffer. `call` and `what` are
 * for the message. */
enum shoal_status check_range(const char *call, const char *what, const struct shoal_buffer *buffer,
                              size_t offset, size_t n, size_t bytes, struct shoal_error *error);

/* Limits of n for create and run. */
enum shoal_status check_max_n(const char *call, size_t max_n, struct shoal_error *error);
enum shoal_status check_n(const char *call, size_t n, size_t max_n, struct shoal_error *error);

#endif
