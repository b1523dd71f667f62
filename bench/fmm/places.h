/* Places of the charges of cases with fast multipoles. */
#ifndef BENCH_FMM_PLACES_H
#define BENCH_FMM_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* Sets place[2] of the charge `i` in a square of side 1000: evenly spread, or 60 % in three Gaussian
 * droplets.
 */
void bench_fmm_place(bool droplets, size_t i, double *place);

#endif
