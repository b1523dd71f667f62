/* Memory of the host. */
#ifndef SHOAL_BASE_MEMORY_H
#define SHOAL_BASE_MEMORY_H

#include <shoal/error.h>

/* Refuses allocations of more bytes than the host has: the system grants such allocations (overcommit) and
 * kills the process later, when the process writes to the memory. what: plural noun for the message, such as
 * "particles"; remedy: end of the message, such as "lower particles". */
SHOAL_MUST_CHECK enum shoal_status check_host_memory(double bytes, const char *what, const char *remedy,
                                                     struct shoal_error *error);

#endif
