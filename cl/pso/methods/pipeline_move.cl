/* New velocities and positions by random numbers without a state. */
#ifndef WG
#define WG 64
#endif

#include "pso/methods/pipeline_move.clh"
