/* Private: measures the roofs of devices and of the host, with the same rules for times. */
#ifndef SHOAL_MEASURE_PRIVATE_H
#define SHOAL_MEASURE_PRIVATE_H

#include <shoal/measure.h>
#include <shoal/program.h>

extern const struct shoal_program_desc measure_fma_program, measure_sfu_program, measure_copy_program,
    measure_empty_program;

/* Runs a batch, which is `repeats` times the work to be measured, and sets *seconds to its time. */
typedef enum shoal_status (*measure_batch_fn)(void *data, uint64_t repeats, double *seconds,
                                              struct shoal_error *error);

/* Finds *repeats: doubles it until a batch is long compared with the resolution of the clock. This also warms
 * the device up. *spent: seconds that the search took. */
enum shoal_status measure_repeats(measure_batch_fn batch, void *data, uint64_t *repeats, double *spent,
                                  struct shoal_error *error);

/* Sets *seconds to the time of one repeat in the fastest of several batches, whose length measure_repeats
 * finds; NaN: the batches disagree. */
enum shoal_status measure_best(measure_batch_fn batch, void *data, double *seconds,
                               struct shoal_error *error);

/* Whether the batches of a figure disagreed, or a figure is not plausible. Other programs then ran at the
 * same time, so no figure is reliable. */
bool measure_is_busy(const struct shoal_roofs *roofs);

enum shoal_status measure_device(struct shoal_device *device, struct shoal_roofs *roofs,
                                 struct shoal_error *error);
enum shoal_status measure_host(struct shoal_roofs *roofs, struct shoal_error *error);

/* Offset of mark number `mark` among `marks` marks of `mark_bytes` bytes each, spread over `bytes` bytes from
 * the first to the last one. */
static inline size_t measure_mark_offset(size_t bytes, size_t mark_bytes, size_t mark, size_t marks)
{
    return (bytes / mark_bytes - 1) * mark / (marks - 1) * mark_bytes;
}

/* Factor and term of the chains of multiply-adds in cl/measure/fma.cl and host_rates.c. */
#define MEASURE_FMA_FACTOR (1.0 - 1.0 / 4096) /* exact in single precision */
#define MEASURE_FMA_TERM   1.0
/* The value of x after `steps` steps x = x * factor + term, from `start`. The fixed point is 4096, above
 * every start value, so all chains approach it from the same side, and errors by missing steps cannot cancel
 * in a sum. */
double measure_fma_value(double start, double steps);

#endif
