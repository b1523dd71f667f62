/* Fills error records outside the library. */
#ifndef SHOAL_BENCH_FAIL_H
#define SHOAL_BENCH_FAIL_H

#include <shoal/error.h>

/* Fills the record and returns `status`; `error` may be NULL. */
SHOAL_PRINTF(3, 4)
enum shoal_status bench_fail(struct shoal_error *error, enum shoal_status status, const char *format, ...);

#endif
