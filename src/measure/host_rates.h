/* Private: the arithmetic of the host roofs, one thread, with the widest vectors that the processor has. */
#ifndef SHOAL_MEASURE_HOST_RATES_H
#define SHOAL_MEASURE_HOST_RATES_H

#include <stddef.h>
#include <stdint.h>

/* Chains of one call; `x` holds so many start values and receives the results. */
enum { HOST_CHAIN_BYTES = 12 * 64, HOST_ROOTS = 128 };

/* Instruction set in use: "avx512f", "avx2", "baseline". */
const char *host_instructions(void);

/* x = x * factor + term, `steps` times, for HOST_CHAIN_BYTES / sizeof *x chains. */
void host_fma32(float *x, uint64_t steps);
void host_fma64(double *x, uint64_t steps);
/* x = x + 1 / sqrt(x), `steps` times, for HOST_ROOTS chains. */
void host_roots(float *x, uint64_t steps);

#endif
