/* An ant on the host for points in the plane, for processors with vector units of 256 bits. meson.build
 * compiles this file with its own flags. */
#define NAME faco_host_ant_in_plane_avx2

#include "tsp/faco/host_plane.c"
