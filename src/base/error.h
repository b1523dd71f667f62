/* Filling error records. Each function returns the status it was given, so that `return fail(...)` reads
 * well. */
#ifndef SHOAL_BASE_ERROR_H
#define SHOAL_BASE_ERROR_H

#include <shoal/error.h>

/* Resets the record; NULL is accepted. */
void error_reset(struct shoal_error *error);

SHOAL_PRINTF(3, 4)
enum shoal_status fail(struct shoal_error *error, enum shoal_status status, const char *format, ...);

/* A driver or system call `call` failed with `native`. */
SHOAL_PRINTF(5, 6)
enum shoal_status fail_call(struct shoal_error *error, enum shoal_status status, const char *call, int native,
                            const char *format, ...);

enum shoal_status fail_host_memory(struct shoal_error *error);

/* Turns SHOAL_INVALID of a check of a file's content into SHOAL_IO: the file is at fault, not an argument. */
enum shoal_status fail_in_file(struct shoal_error *error, enum shoal_status status);

/* Adds the build log, cut to the size of the record, at a line end where there is one. */
void error_set_log(struct shoal_error *error, const char *log);

#endif
