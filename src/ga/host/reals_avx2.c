/* Crossover and mutation of reals on the host for processors with AVX2 (vectors of 256 bits). meson.build
 * compiles this file with flags of its own. */
#define NAME ga_host_reals_avx2

#include "ga/host/reals.c"
