/* The rules of CMA-ES on the host for processors with AVX2 (vectors of 256 bits). meson.build compiles this
 * file with flags of its own. */
#define NAME cmaes_host_rules_avx2

#include "cmaes/host/rules.c"
