/* Private: reads the messages of compilers about a text. */
#ifndef SHOAL_COMPUTE_BUILD_LOG_H
#define SHOAL_COMPUTE_BUILD_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* An error in a compiler's log, with file and line. Members point into the log. */
struct build_fault {
    const char *file, *cause;
    int file_length, cause_length;
    unsigned long line;
};

/* Writes to `text` a line such as "my.clh:4: use of undeclared identifier 'y'", or the most informative line
 * of the log; "": the log is empty. size: bytes of `text`. */
void build_log_describe(const char *log, const char *name, char *text, size_t size);

#endif
