/* Private: measures the roofs of devices and of the host, with the same rules for times. */
#ifndef SHOAL_MEASURE_PRIVATE_H
#define SHOAL_MEASURE_PRIVATE_H

#include <shoal/measure.h>
#include <shoal/program.h>

extern const struct shoal_program_desc measure_fma_program, measure_sfu_program, measure_copy_program,
    measure_empty_program, measure_chains_program, measure_matrix_program, measure_memory_program,
    measure_local_program, measure_atomics_program;

/* Runs a batch, which is `repeats` times the work to be measured, and sets *seconds to its time. */
typedef enum shoal_status (*measure_batch_fn)(void *data, uint64_t repeats, double *seconds,
                                              struct shoal_error *error);

/* How long a figure is measured. */
struct measure_limits {
    double batch_seconds; /* least seconds of a batch */
    /* after this number of seconds no further batch is begun, except the first three */
    double figure_seconds;
};
extern const struct measure_limits measure_limits; /* those of the roofs */

/* Seconds of one repeat in the batches of a figure. */
struct measure_samples {
    double fastest, median, slowest;
    uint32_t count; /* number of batches */
};

/* Finds *repeats: doubles it until a batch takes `least` seconds. This also warms the device up. *spent:
 * seconds that the search took. */
enum shoal_status measure_repeats(measure_batch_fn batch, void *data, double least, uint64_t *repeats,
                                  double *spent, struct shoal_error *error);

/* Runs several batches, whose length measure_repeats finds. */
enum shoal_status measure_batches(measure_batch_fn batch, void *data, const struct measure_limits *limits,
                                  struct measure_samples *samples, struct shoal_error *error);

/* Seconds of one repeat in the fastest batch; NaN: the batches disagree. */
double measure_fastest(const struct measure_samples *samples);

/* measure_batches with the limits of the roofs, and measure_fastest. */
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
