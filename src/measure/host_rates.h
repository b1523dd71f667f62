/* Private: arithmetic for the roofs of the host, on one thread, with the widest vectors of the processor. */
#ifndef SHOAL_MEASURE_HOST_RATES_H
#define SHOAL_MEASURE_HOST_RATES_H

#include <stddef.h>
#include <stdint.h>

/* HOST_CHAIN_BYTES: bytes of the array `x` of host_fma32 and host_fma64; HOST_ROOTS: number of elements of
 * `x` of host_roots. `x` has the start values of the chains and receives their results. */
enum { HOST_CHAIN_BYTES = 12 * 64, HOST_ROOTS = 128 };

/* The instruction set in use: "avx512f", "avx2" or "baseline". */
const char *host_instructions(void);

/* Compute x = x * factor + term `steps` times for each of the HOST_CHAIN_BYTES / sizeof *x elements of x. */
void host_fma32(float *x, uint64_t steps);
void host_fma64(double *x, uint64_t steps);
/* Computes x = x + 1 / sqrt(x) `steps` times for each of the HOST_ROOTS elements of x. */
void host_roots(float *x, uint64_t steps);

#endif
