/* Fills error records. Functions that return a status allow `return fail(...)` in a function that fails. */
#ifndef SHOAL_BASE_ERROR_H
#define SHOAL_BASE_ERROR_H

#include <shoal/error.h>

/* Resets the record; accepts NULL. */
void error_reset(struct shoal_error *error);

SHOAL_PRINTF(3, 4)
enum shoal_status fail(struct shoal_error *error, enum shoal_status status, const char *format, ...);

/* Reports that the driver or system call `call` failed with the code `native`. */
SHOAL_PRINTF(5, 6)
enum shoal_status fail_call(struct shoal_error *error, enum shoal_status status, const char *call, int native,
                            const char *format, ...);

enum shoal_status fail_host_memory(struct shoal_error *error);

/* Turns the status SHOAL_INVALID of a check of a file's content into SHOAL_IO: the file is wrong, not an
 * argument. */
enum shoal_status fail_in_file(struct shoal_error *error, enum shoal_status status);

/* Puts a text, which says what failed, before the message, which says why. */
SHOAL_PRINTF(2, 3) void error_prefix(struct shoal_error *error, const char *format, ...);

/* Adds the build log; a log that is too long for the record is cut, at a line end where possible. */
void error_set_log(struct shoal_error *error, const char *log);

#endif
