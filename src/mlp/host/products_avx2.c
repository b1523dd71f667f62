/* Products for processors with AVX2 (vectors of 256 bits). meson.build compiles this file with flags of its
 * own. */
#define NAME pass_multiply_avx2

#include "mlp/host/products.c"
