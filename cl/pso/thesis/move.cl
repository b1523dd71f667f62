/* New velocities and positions by the generator of the thesis. */
#ifndef WG
#define WG 64
#endif
#ifndef RANDOM
#define RANDOM GLOB
#endif

#define MOVES_WHOLE
#include "pso/thesis/source.clh"
#include "pso/methods/pipeline_move.clh"
