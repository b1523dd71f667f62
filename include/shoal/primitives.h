/* Building blocks on device buffers: random numbers, reductions, exclusive scan, radix sort.
 *
 * An object is created for one device and for at most `max_n` elements; it owns its kernels and its scratch
 * memory. A run checks its arguments, enqueues kernels on a queue of that device and returns; errors of the
 * device are returned by the queue's next finish or read, and after such an error the object must not be used
 * again. The same input on the same device gives the same bits each time.
 *
 * Units: n and offsets count elements. max_n is 1 .. SHOAL_PRIMITIVE_MAX, n is 0 .. max_n; a run with n = 0
 * is valid. Ranges must lie inside their buffers and, unless said otherwise, must not overlap: SHOAL_INVALID,
 * and nothing is enqueued. The caller owns the buffers and keeps them alive until the queue is done with
 * them. A struct that describes a run is read before the call returns; members that are not named in its
 * initialiser are 0 or NULL.
 *
 * Threads: as a queue, one thread at a time. Runs of an object share its scratch memory and must not overlap:
 * use one queue, or order them with shoal_queue_wait.
 *
 * Errors of create: SHOAL_INVALID, SHOAL_UNSUPPORTED (host device, no double precision, no 64-bit atomics),
 * SHOAL_BUILD_FAILED, SHOAL_OUT_OF_DEVICE_MEMORY, SHOAL_OUT_OF_HOST_MEMORY, SHOAL_DEVICE_LOST. Destructors
 * accept NULL and set the pointer to NULL; no run may be pending.
 *
 * shoal_*_program(object, i) is the i-th program behind an object (build time, defines, variant), NULL past
 * the last.
 */
#ifndef SHOAL_PRIMITIVES_H
#define SHOAL_PRIMITIVES_H

#include <shoal/program.h>

SHOAL_BEGIN_DECLS

#define SHOAL_PRIMITIVE_MAX 0x7fffffffu

/* Random numbers --------------------------------------------------------------------------------------- */

struct shoal_random;

/* `real` is SHOAL_TYPE_FLOAT or SHOAL_TYPE_DOUBLE: the type of uniform and normal numbers. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_create(struct shoal_device *device, enum shoal_type real, enum shoal_variant variant,
                    struct shoal_random **out, struct shoal_error *error);
SHOAL_API void shoal_random_destroy(struct shoal_random **random);
SHOAL_API const struct shoal_program *shoal_random_program(const struct shoal_random *random, size_t index);

/* The numbers of a fill. Element e comes from the words of the counter {index e / 4, draw 0, step, stream}
 * under `seed` (doubles: index e / 2, two words each; see <shoal/rng.h>), so it does not depend on n or on
 * the device: words and uniform numbers in [0, 1) are the same bits everywhere. */
struct shoal_random_counter {
    uint64_t seed;
    uint32_t stream; /* one for each purpose, so that their numbers are independent */
    uint32_t step;   /* of the computation, or another number that changes from fill to fill */
};

/* Fill the first n elements, n up to SHOAL_PRIMITIVE_MAX. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_fill_words(struct shoal_random *random, struct shoal_queue *queue, struct shoal_buffer *words,
                        size_t n, const struct shoal_random_counter *counter, struct shoal_error *error);
/* low + (high - low) u with u in [0, 1). */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_fill_uniform(struct shoal_random *random, struct shoal_queue *queue, struct shoal_buffer *reals,
                          size_t n, const struct shoal_random_counter *counter, double low, double high,
                          struct shoal_error *error);
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_fill_normal(struct shoal_random *random, struct shoal_queue *queue, struct shoal_buffer *reals,
                         size_t n, const struct shoal_random_counter *counter, double mean, double deviation,
                         struct shoal_error *error);

/* Reductions ------------------------------------------------------------------------------------------- */

/* NaN: a sum with a NaN is NaN; for the minimum NaN counts as larger than every number, so it is the result
 * only where all elements are NaN. Of equal values, -0 and +0 among them, argmin takes the lowest index. n =
 * 0: sum 0; minimum NaN at index UINT32_MAX. */
enum shoal_reduction { SHOAL_SUM, SHOAL_MIN, SHOAL_ARGMIN };

struct shoal_reduce;

/* `type` of the elements: SHOAL_TYPE_FLOAT and SHOAL_TYPE_DOUBLE, whose result has the same type, or
 * SHOAL_TYPE_UINT with SHOAL_SUM alone, whose result is an exact SHOAL_TYPE_ULONG. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_reduce_create(struct shoal_device *device, enum shoal_reduction reduction, enum shoal_type type,
                    size_t max_n, enum shoal_variant variant, struct shoal_reduce **out,
                    struct shoal_error *error);
SHOAL_API void shoal_reduce_destroy(struct shoal_reduce **reduce);
SHOAL_API const struct shoal_program *shoal_reduce_program(const struct shoal_reduce *reduce, size_t index);

/* What a run reduces and where it writes. The buffers must differ. */
struct shoal_reduce_args {
    struct shoal_buffer *data; /* of the elements' type: data[offset .. offset + n) is reduced */
    size_t offset, n;
    struct shoal_buffer *result; /* of the result's type; written at result_offset */
    struct shoal_buffer *index;  /* SHOAL_ARGMIN: uint32_t, counted from `offset`, written at result_offset;
                                  * otherwise NULL */
    size_t result_offset;
};

SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_reduce_run(struct shoal_reduce *reduce,
                                                              struct shoal_queue *queue,
                                                              const struct shoal_reduce_args *args,
                                                              struct shoal_error *error);

/* Exclusive scan --------------------------------------------------------------------------------------- */

enum shoal_scan_method {
    SHOAL_SCAN_AUTO,     /* serial on a CPU, look-back where the device has 64-bit atomics, else blocks */
    SHOAL_SCAN_LOOKBACK, /* one pass over the data */
    SHOAL_SCAN_BLOCKS,   /* three launches, no atomics */
    SHOAL_SCAN_SERIAL    /* three launches, each work-item scans a chunk */
};

struct shoal_scan;

SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_scan_create(struct shoal_device *device, size_t max_n, enum shoal_scan_method method,
                  enum shoal_variant variant, struct shoal_scan **out, struct shoal_error *error);
SHOAL_API void shoal_scan_destroy(struct shoal_scan **scan);
SHOAL_API const struct shoal_program *shoal_scan_program(const struct shoal_scan *scan, size_t index);

/* output[output_offset + i] = sum of input[input_offset .. input_offset + i), uint32_t, modulo 2^32. Input
 * and output may be the same range. Offsets that are multiples of 4 are faster. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_scan_run(struct shoal_scan *scan,
                                                            struct shoal_queue *queue,
                                                            struct shoal_buffer *input, size_t input_offset,
                                                            struct shoal_buffer *output, size_t output_offset,
                                                            size_t n, struct shoal_error *error);

/* Radix sort ------------------------------------------------------------------------------------------- */

enum shoal_sort_method {
    SHOAL_SORT_AUTO,   /* serial on a CPU, else blocks */
    SHOAL_SORT_BLOCKS, /* a chunk for each work-group, tiles sorted in local memory */
    SHOAL_SORT_SERIAL  /* a chunk for each work-item */
};

struct shoal_sort;

/* Scratch memory: 8 bytes for each of max_n pairs and a few MB. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_sort_create(struct shoal_device *device, size_t max_n, enum shoal_sort_method method,
                  enum shoal_variant variant, struct shoal_sort **out, struct shoal_error *error);
SHOAL_API void shoal_sort_destroy(struct shoal_sort **sort);
SHOAL_API const struct shoal_program *shoal_sort_program(const struct shoal_sort *sort, size_t index);

/* The n pairs of a key and a value that a run sorts, each buffer of n uint32_t. In place where keys_out is
 * keys and values_out is values; otherwise the four buffers must differ and the input is kept. */
struct shoal_sort_args {
    struct shoal_buffer *keys, *values, *keys_out, *values_out;
    size_t n;
    unsigned first_bit, end_bit; /* the bits of the key that count: 0 <= first_bit <= end_bit <= 32 */
};

/* Stable sort by bits first_bit .. end_bit - 1 of the key, rising: one pass over the pairs for every 8 bits
 * begun. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_sort_run(struct shoal_sort *sort,
                                                            struct shoal_queue *queue,
                                                            const struct shoal_sort_args *args,
                                                            struct shoal_error *error);

SHOAL_END_DECLS

#endif
