/* Private: measures the roofs of devices and of the host, and holds the rule of timing that both use. */
#ifndef SHOAL_MEASURE_PRIVATE_H
#define SHOAL_MEASURE_PRIVATE_H

#include <shoal/measure.h>
#include <shoal/program.h>

extern const struct shoal_program_desc measure_fma_program, measure_sfu_program, measure_copy_program,
    measure_empty_program;

/* Runs one batch, `repeats` times the measured work; sets *seconds. */
typedef enum shoal_status (*measure_batch_fn)(void *data, uint64_t repeats, double *seconds,
                                              struct shoal_error *error);

/* Doubles the repeats until a batch is long compared with the resolution of the clock, which also warms up.
 * *spent: seconds that this took. */
enum shoal_status measure_repeats(measure_batch_fn batch, void *data, uint64_t *repeats, double *spent,
                                  struct shoal_error *error);

/* Calls measure_repeats, then takes the fastest of several batches. *seconds: time of one repeat; NaN: the
 * batches disagree. */
enum shoal_status measure_best(measure_batch_fn batch, void *data, double *seconds,
                               struct shoal_error *error);

/* Do the batches of a figure disagree, or is a figure impossible? Other programs then ran at the same time,
 * and no figure is reliable. */
bool measure_is_busy(const struct shoal_roofs *roofs);

enum shoal_status measure_device(struct shoal_device *device, struct shoal_roofs *roofs,
                                 struct shoal_error *error);
enum shoal_status measure_host(struct shoal_roofs *roofs, struct shoal_error *error);

/* Offset of mark number `mark`. The `marks` marks of `mark_bytes` bytes each are spread over `bytes` bytes,
 * from the first to the last byte.
 */
static inline size_t measure_mark_offset(size_t bytes, size_t mark_bytes, size_t mark, size_t marks)
{
    return (bytes / mark_bytes - 1) * mark / (marks - 1) * mark_bytes;
}

/* Factor and term of the multiply-add chains, the same in cl/measure/fma.cl and host_rates.c. */
#define MEASURE_FMA_FACTOR (1.0 - 1.0 / 4096) /* exact in single precision */
#define MEASURE_FMA_TERM   1.0
/* x after `steps` steps x = x * factor + term from `start`. The fixed point 4096 lies above every start
 * value, so all chains approach it from one side, and missing steps cannot cancel in the sum. */
double measure_fma_value(double start, double steps);

#endif
