/* The loops for processors with AVX2 (vectors of 256 bits). meson.build compiles this file with flags of its
 * own. */
#define NAME(name) name##_avx2

#include "dataset/prepare/plain.c"
