/* The end of a step of islands whose members are in global memory. */
#ifndef WG
#define WG 64
#endif

#include "search/islands.clh"
