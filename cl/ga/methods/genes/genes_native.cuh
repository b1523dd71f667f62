/* For native versions of kernels of genomes, to be included before the .cl text: the product of random words is one
 * instruction, and bits flip in local memory without a wait for the old word. */
#ifndef GA_GENES_NATIVE_CUH
#define GA_GENES_NATIVE_CUH

#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

#define FLIP_BITS(word, mask) ((void)atomicXor(word, mask))

#endif
