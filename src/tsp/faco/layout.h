/* Private: the constants and structs of cl/tsp/faco/layout.clh for code of the host. */
#ifndef SHOAL_TSP_FACO_LAYOUT_H
#define SHOAL_TSP_FACO_LAYOUT_H

#include <sys/types.h> /* defines uint, ulong */

#include "tsp/faco/layout.clh"

_Static_assert(sizeof(struct faco_settings) == 72, "as the kernels'");
_Static_assert(sizeof(struct faco_result) == 16, "as the kernels'");
_Static_assert(sizeof(struct faco_colony) == 40, "as the kernels'");
_Static_assert(sizeof(struct faco_stop) == 16, "as the kernels'");

#endif
