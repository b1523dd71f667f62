/* New velocities and positions, with random numbers that come from counters. */
#ifndef WG
#define WG 64
#endif

#include "pso/methods/pipeline_move.clh"
