/* Private: the constants and structs of cl/tsp/lk/layout.clh for code of the host. */
#ifndef SHOAL_TSP_LK_LAYOUT_H
#define SHOAL_TSP_LK_LAYOUT_H

#include <sys/types.h> /* defines uint, ulong */

#include "tsp/lk/layout.clh"

_Static_assert(sizeof(struct lk_settings) == 40 && sizeof(struct lk_own) == 24, "as the kernels'");

#endif
