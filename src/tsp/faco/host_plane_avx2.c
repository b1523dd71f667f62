/* The same with vector units of 256 bits, where the processor has them (meson.build: flags of its own). */
#define NAME faco_host_ant_in_plane_avx2

#include "tsp/faco/host_plane.c"
