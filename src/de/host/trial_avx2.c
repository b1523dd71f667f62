/* Trials on the host for processors with AVX2 (vectors of 256 bits). meson.build compiles this file with
 * flags of its own. */
#define NAME de_host_move_avx2

#include "de/host/trial.c"
