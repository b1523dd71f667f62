/* Private: the arithmetic of the host roofs, for one thread, with the widest vectors of the processor. */
#ifndef SHOAL_MEASURE_HOST_RATES_H
#define SHOAL_MEASURE_HOST_RATES_H

#include <stddef.h>
#include <stdint.h>

/* HOST_CHAIN_BYTES: bytes of the start values in `x` for host_fma32 and host_fma64; HOST_ROOTS: number of
 * start values for host_roots. `x` receives the results. */
enum { HOST_CHAIN_BYTES = 12 * 64, HOST_ROOTS = 128 };

/* The instruction set in use: "avx512f", "avx2" or "baseline". */
const char *host_instructions(void);

/* Computes x = x * factor + term `steps` times, for HOST_CHAIN_BYTES / sizeof *x chains. */
void host_fma32(float *x, uint64_t steps);
void host_fma64(double *x, uint64_t steps);
/* Computes x = x + 1 / sqrt(x) `steps` times, for HOST_ROOTS chains. */
void host_roots(float *x, uint64_t steps);

#endif
