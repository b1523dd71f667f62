/* The cases of lib on the host: plain C with OpenMP, where each thread has a chunk of the data. */
#ifndef SHOAL_BENCH_HOST_LIB_H
#define SHOAL_BENCH_HOST_LIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void host_random_words(uint32_t *words, size_t n, uint64_t seed, uint32_t stream, uint32_t step);
double host_sum(const float *data, size_t n);
/* Index of the least element, of equal elements the first; n > 0 and no NaN. */
size_t host_argmin(const float *data, size_t n);
void host_scan(const uint32_t *in, uint32_t *out, size_t n);
/* Stable radix sort of pairs, 8 bits in each pass, through `keys_scratch` and `values_scratch`. False: there
 * is no memory. */
bool host_sort(const uint32_t *keys, const uint32_t *values, uint32_t *keys_out, uint32_t *values_out,
               uint32_t *keys_scratch, uint32_t *values_scratch, size_t n);
/* Computes c = a b for matrices of n x n numbers. */
void host_product(const float *restrict a, const float *restrict b, float *restrict c, size_t n);

#endif
