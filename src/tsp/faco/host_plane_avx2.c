/* The ant on the host for points in the plane, for processors with AVX2 (vectors of 256 bits). meson.build
 * compiles this file with flags of its own. */
#define NAME faco_host_ant_in_plane_avx2

#include "tsp/faco/host_plane.c"
