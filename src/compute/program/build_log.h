/* Private: reads compiler messages about a text. */
#ifndef SHOAL_COMPUTE_BUILD_LOG_H
#define SHOAL_COMPUTE_BUILD_LOG_H

#include <stdbool.h>
#include <stddef.h>

/* An error in the log of a compiler. Its members point into the log. */
struct build_fault {
    const char *file, *cause;
    int file_length, cause_length;
    unsigned long line;
};

/* Writes the error in the log to `text` as a line such as "my.clh:4: use of undeclared identifier 'y'", or
 * else the most informative line of the log; "": the log is empty. name: file of interest. size: of `text`,
 * in bytes. */
void build_log_describe(const char *log, const char *name, char *text, size_t size);

#endif
