/* Private: measurement of the roofs of devices and of the host, and the timing rule common to both. */
#ifndef SHOAL_MEASURE_PRIVATE_H
#define SHOAL_MEASURE_PRIVATE_H

#include <shoal/measure.h>
#include <shoal/program.h>

extern const struct shoal_program_desc measure_fma_program, measure_sfu_program, measure_copy_program,
    measure_empty_program;

/* One batch of the work that is measured; sets *seconds. */
typedef enum shoal_status (*measure_batch_fn)(void *data, uint64_t repeats, double *seconds,
                                              struct shoal_error *error);

/* Doubles the repeats until a batch is long against the resolution of the clock, which also warms up, then
 * keeps the fastest of several batches. *seconds is the time of one repeat; NaN: the batches disagree. */
enum shoal_status measure_best(measure_batch_fn batch, void *data, double *seconds,
                               struct shoal_error *error);

/* Does a figure disagree with itself, or is one impossible? Then other programs disturbed all of them. */
bool measure_is_busy(const struct shoal_roofs *roofs);

enum shoal_status measure_device(struct shoal_device *device, struct shoal_roofs *roofs,
                                 struct shoal_error *error);
enum shoal_status measure_host(struct shoal_roofs *roofs, struct shoal_error *error);

/* Start and step of the multiply-add chains, the same in cl/measure/fma.cl and host_rates.c. */
#define MEASURE_FMA_FACTOR (1.0 - 1.0 / 4096) /* exact in single precision */
#define MEASURE_FMA_TERM   1.0
/* x after `steps` steps from `start`. The fixed point is 4096, above every start, so that all chains approach
 * it from one side and steps left out do not cancel in their sum. */
double measure_fma_value(double start, double steps);

#endif
