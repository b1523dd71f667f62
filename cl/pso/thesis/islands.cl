/* The end of a step with the reductions of the thesis. */
#ifndef WG
#define WG 64
#endif

#include "pso/thesis/argmin.clh"
#include "search/islands.clh"
