/* Products for processors with AVX-512 (vectors of 512 bits). meson.build compiles this file with flags of
 * its own. */
#define NAME pass_multiply_avx512

#include "mlp/host/products.c"
