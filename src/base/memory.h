/* What the host has room for. */
#ifndef SHOAL_BASE_MEMORY_H
#define SHOAL_BASE_MEMORY_H

#include <shoal/error.h>

/* Bytes: the machine's memory, or the address space that this process may take (ulimit -v) where that is
 * less; infinity: unknown. */
double host_memory(void);

/* Refuses more than that. The system promises memory that it does not have, and ends the process that takes
 * it at its word. `what` needs it; `remedy` ends the message: "lower particles". */
SHOAL_MUST_CHECK enum shoal_status check_host_memory(double bytes, const char *what, const char *remedy,
                                                     struct shoal_error *error);

#endif
