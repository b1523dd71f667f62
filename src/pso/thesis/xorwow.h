/* Private: the generator of the thesis on the host, as functions of struct pso_thesis. */
#ifndef SHOAL_PSO_XORWOW_H
#define SHOAL_PSO_XORWOW_H

#include <stddef.h>
#include <stdint.h>

struct pso_host;

enum { PSO_XORWOW_WORDS = 6 };

void pso_host_xorwow(struct pso_host *host, size_t i, uint32_t step, size_t count, double *r1, double *r2);
void pso_host_xorwow_start(struct pso_host *host, size_t i);

#endif
