/* The moves of the particles of the host solver for processors with AVX2 (vectors of 256 bits). meson.build
 * compiles this file with flags of its own. */
#define NAME pso_host_moves_avx2

#include "pso/host/host_move.c"
