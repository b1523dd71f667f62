/* Memory of the host. */
#ifndef SHOAL_BASE_MEMORY_H
#define SHOAL_BASE_MEMORY_H

#include <shoal/error.h>

/* Refuses allocations of more bytes than the host has: the system overcommits memory and would kill the
 * process when it uses the memory. what: the noun that needs the memory; remedy: end of the message, such as
 * "lower particles". */
SHOAL_MUST_CHECK enum shoal_status check_host_memory(double bytes, const char *what, const char *remedy,
                                                     struct shoal_error *error);

#endif
