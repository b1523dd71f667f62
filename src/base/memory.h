/* Memory of the host. */
#ifndef SHOAL_BASE_MEMORY_H
#define SHOAL_BASE_MEMORY_H

#include <shoal/error.h>

/* Refuses allocations of more than that, since the system overcommits memory and kills the process that then
 * uses it. `what` needs the memory; `remedy` ends the message: "lower particles". */
SHOAL_MUST_CHECK enum shoal_status check_host_memory(double bytes, const char *what, const char *remedy,
                                                     struct shoal_error *error);

#endif
