/* Building blocks on device buffers: random numbers, reductions, exclusive scan, radix sort, matrix products.
 *
 * An object is created for one device and for at most `max_n` elements; it owns its kernels and its scratch
 * memory. A run checks its arguments, enqueues kernels on a queue of that device and returns. The next finish
 * or read of the queue returns errors of the device; after such an error the object must not be used again.
 * The same input on the same device gives the same bits each time.
 *
 * Units: n and offsets count elements. max_n is 1 .. SHOAL_PRIMITIVE_MAX, n is 0 .. max_n; a run with n = 0
 * is valid. Ranges must lie inside their buffers and, unless said otherwise, must not overlap: SHOAL_INVALID,
 * and nothing is enqueued. The caller owns the buffers and keeps them alive until the queue is done with
 * them. A struct that describes a run is only read during the call; members not named in an initialiser of C
 * are 0 or NULL.
 *
 * Threads: an object is used by one thread at a time, as a queue is. Runs of an object share its scratch
 * memory and must not overlap: use one queue, or order the runs with shoal_queue_wait.
 *
 * Every create call may return SHOAL_INVALID: an argument is out of its range; SHOAL_UNSUPPORTED: the device
 * is the host, or lacks double precision or 64-bit atomics that are asked for; SHOAL_BUILD_FAILED: a kernel
 * does not compile. Destroy an object when no run is pending.
 */
#ifndef SHOAL_PRIMITIVES_H
#define SHOAL_PRIMITIVES_H

#include <shoal/init.h>
#include <shoal/program.h>

SHOAL_BEGIN_DECLS

/* Most elements of an object. */
#define SHOAL_PRIMITIVE_MAX 0x7fffffffu

/* Random numbers ----------------------------------------------------------------------------------------- */

/* Fills buffers with random numbers: Philox4x32-10, <shoal/rng.h>. */
struct shoal_random;

/* Creates an object that fills buffers with random numbers. `real`, SHOAL_TYPE_FLOAT or SHOAL_TYPE_DOUBLE, is
 * the type of uniform and normal numbers. Destroy the object with shoal_random_destroy.
 * Errors: SHOAL_INVALID: another type. SHOAL_UNSUPPORTED: the device lacks double precision, or is the
 * host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_create(struct shoal_device *device, enum shoal_type real, enum shoal_variant variant,
                    struct shoal_random **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_random_destroy(struct shoal_random **random);

/* Program number `index`, from 0, of the object, to query build time, defines and variant. NULL: `index` is
 * out of range. */
SHOAL_API const struct shoal_program *shoal_random_program(const struct shoal_random *random, size_t index);

/* The numbers of a fill. Element e comes from the words of the counter {index e / 4, draw 0, step, stream}
 * under `seed` (doubles: index e / 2, two words each), so an element depends neither on n nor on the device:
 * words, and uniform numbers in [0, 1), are the same bits everywhere. */
struct shoal_random_counter {
    uint64_t seed;   /* Seed of the numbers. */
    uint32_t stream; /* A number for each purpose, so that numbers of different purposes are independent. */
    uint32_t step;   /* Step of the computation, or another number that changes from fill to fill. */
};

/* Enqueues a fill of the first n elements of `words`, uint32_t, with random words. n: up to
 * SHOAL_PRIMITIVE_MAX.
 * Errors: SHOAL_INVALID: the buffer is too small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_fill_words(struct shoal_random *random, struct shoal_queue *queue, struct shoal_buffer *words,
                        size_t n, const struct shoal_random_counter *counter, struct shoal_error *error);

/* Enqueues a fill of the first n elements of `reals` with low + (high - low) u, u uniform in [0, 1). n: up to
 * SHOAL_PRIMITIVE_MAX.
 * Errors: SHOAL_INVALID: the buffer is too small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_fill_uniform(struct shoal_random *random, struct shoal_queue *queue, struct shoal_buffer *reals,
                          size_t n, const struct shoal_random_counter *counter, double low, double high,
                          struct shoal_error *error);

/* Enqueues a fill of the first n elements of `reals` with normal numbers of mean `mean` and standard
 * deviation `deviation`. n: up to SHOAL_PRIMITIVE_MAX.
 * Errors: SHOAL_INVALID: the buffer is too small. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_random_fill_normal(struct shoal_random *random, struct shoal_queue *queue, struct shoal_buffer *reals,
                         size_t n, const struct shoal_random_counter *counter, double mean, double deviation,
                         struct shoal_error *error);

/* Reductions --------------------------------------------------------------------------------------------- */

/* Result of a reduction. For n = 0 the sum is 0 and the minimum NaN at index UINT32_MAX. */
enum shoal_reduction {
    SHOAL_SUM, /* The sum. NaN where an element is NaN. */
    /* The least element. NaN counts as larger than every number, so the result is NaN only where all elements
     * are NaN. */
    SHOAL_MIN,
    /* The least element, as SHOAL_MIN, and its index; of equal elements, -0 and +0 included, the lowest
     * index. */
    SHOAL_ARGMIN
};

/* Reduces the elements of a buffer to one value. */
struct shoal_reduce;

/* Creates an object that reduces elements of `type`: SHOAL_TYPE_FLOAT and SHOAL_TYPE_DOUBLE, whose result has
 * the type of the elements, or SHOAL_TYPE_UINT with SHOAL_SUM alone, whose result is an exact
 * SHOAL_TYPE_ULONG. Destroy the object with shoal_reduce_destroy.
 * Errors: SHOAL_INVALID: another type, or max_n is out of its range. SHOAL_UNSUPPORTED: the device lacks
 * double precision, or is the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_reduce_create(struct shoal_device *device, enum shoal_reduction reduction, enum shoal_type type,
                    size_t max_n, enum shoal_variant variant, struct shoal_reduce **out,
                    struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_reduce_destroy(struct shoal_reduce **reduce);

/* Program number `index`, from 0, of the object, to query build time, defines and variant. NULL: `index` is
 * out of range. */
SHOAL_API const struct shoal_program *shoal_reduce_program(const struct shoal_reduce *reduce, size_t index);

/* Input and output of a run. The buffers must differ. */
struct shoal_reduce_args {
    struct shoal_buffer *data;   /* Elements: data[offset .. offset + n) is reduced. */
    size_t offset;               /* First element. */
    size_t n;                    /* Number of elements. */
    struct shoal_buffer *result; /* Buffer of the result's type, written at `result_offset`. */
    /* SHOAL_ARGMIN: buffer of uint32_t that receives the index, counted from `offset`, at `result_offset`.
     * Otherwise NULL. */
    struct shoal_buffer *index;
    size_t result_offset; /* Element of `result` and `index` that is written. */
};

/* Enqueues a reduction.
 * Errors: SHOAL_INVALID: n is larger than max_n, or a range passes the end of its buffer. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_reduce_run(struct shoal_reduce *reduce,
                                                              struct shoal_queue *queue,
                                                              const struct shoal_reduce_args *args,
                                                              struct shoal_error *error);

/* Exclusive scan ----------------------------------------------------------------------------------------- */

/* Algorithm of a scan. */
enum shoal_scan_method {
    /* SHOAL_SCAN_SERIAL on a processor, SHOAL_SCAN_LOOKBACK where the device has 64-bit atomics, else
     * SHOAL_SCAN_BLOCKS. */
    SHOAL_SCAN_AUTO,
    SHOAL_SCAN_LOOKBACK, /* One pass over the data, with 64-bit atomics. */
    SHOAL_SCAN_BLOCKS,   /* Three launches, without atomics. */
    SHOAL_SCAN_SERIAL    /* Three launches; each work-item scans a chunk. */
};

/* Computes prefix sums of a buffer. */
struct shoal_scan;

/* Creates an object that scans up to max_n elements by `method`. Destroy the object with shoal_scan_destroy.
 * Errors: SHOAL_INVALID: max_n is out of its range, or `method` is no enumerator. SHOAL_UNSUPPORTED:
 * SHOAL_SCAN_LOOKBACK on a device without 64-bit atomics, or the device is the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_scan_create(struct shoal_device *device, size_t max_n, enum shoal_scan_method method,
                  enum shoal_variant variant, struct shoal_scan **out, struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_scan_destroy(struct shoal_scan **scan);

/* Program number `index`, from 0, of the object, to query build time, defines and variant. NULL: `index` is
 * out of range. */
SHOAL_API const struct shoal_program *shoal_scan_program(const struct shoal_scan *scan, size_t index);

/* Enqueues output[output_offset + i] = sum of input[input_offset .. input_offset + i) for i < n, of uint32_t,
 * modulo 2^32. Input and output may be the same range. Offsets that are multiples of 4 are faster.
 * Errors: SHOAL_INVALID: n is larger than max_n, a range passes the end of its buffer, or ranges overlap
 * without being equal. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_scan_run(struct shoal_scan *scan,
                                                            struct shoal_queue *queue,
                                                            struct shoal_buffer *input, size_t input_offset,
                                                            struct shoal_buffer *output, size_t output_offset,
                                                            size_t n, struct shoal_error *error);

/* Radix sort --------------------------------------------------------------------------------------------- */

/* Algorithm of a sort. */
enum shoal_sort_method {
    /* SHOAL_SORT_SERIAL on a processor, SHOAL_SORT_SWEEP through CUDA. On other devices SHOAL_SORT_BLOCKS for
     * keys and values of 32 bits; for others SHOAL_SORT_SWEEP where the device has 64-bit atomics, else
     * SHOAL_SORT_SERIAL. */
    SHOAL_SORT_AUTO,
    /* A chunk for each work-group, tiles sorted in local memory. Keys and values have 32 bits. */
    SHOAL_SORT_BLOCKS,
    SHOAL_SORT_SERIAL, /* A chunk for each work-item. */
    /* A tile for each work-group, sorted in local memory; a pass reads the pairs once. Work-groups wait for
     * each other, so the device must keep all work-groups running that have begun, as GPUs do. */
    SHOAL_SORT_SWEEP
};

/* Sorts keys, or pairs of a key and a value. */
struct shoal_sort;

/* What an object sorts, and how. Fill the struct by SHOAL_SORT_PARAMS or shoal_sort_params_init. */
struct shoal_sort_params {
    size_t size;                   /* Bytes of the struct, set by shoal_sort_params_init. */
    size_t max_n;                  /* Most pairs of a run, 1 to SHOAL_PRIMITIVE_MAX. Must be set. */
    unsigned key_bits;             /* Bits of a key, an unsigned integer: 32 or 64. Default: 32. */
    unsigned value_bits;           /* Bits of a value: 32 or 64; 0: keys have no values. Default: 32. */
    enum shoal_sort_method method; /* Algorithm. Default: SHOAL_SORT_AUTO. */
    enum shoal_variant variant;    /* Text to build on CUDA. Default: SHOAL_VARIANT_AUTO. */
};

/* Fills `params` with the defaults; max_n stays 0. */
SHOAL_API void shoal_sort_params_init(struct shoal_sort_params *params);
/* Parameters with the given members set: SHOAL_SORT_PARAMS(.max_n = 1000, .key_bits = 64). */
#define SHOAL_SORT_PARAMS(...) SHOAL_INIT(shoal_sort_params, shoal_sort_params_init, __VA_ARGS__)

/* Creates an object that sorts up to max_n pairs of a 32-bit key and a 32-bit value by `method`, as
 * shoal_sort_create_with does. Destroy the object with shoal_sort_destroy.
 * Errors: SHOAL_INVALID: max_n is out of its range, or `method` is no enumerator. SHOAL_UNSUPPORTED: the
 * device is the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_sort_create(struct shoal_device *device, size_t max_n, enum shoal_sort_method method,
                  enum shoal_variant variant, struct shoal_sort **out, struct shoal_error *error);

/* Creates an object that sorts keys of params->key_bits bits and their values. The scratch memory of the
 * object has room for max_n keys and values, and a few MB; with SHOAL_SORT_SWEEP 2 KB more for each tile of a
 * work-group. Destroy the object with shoal_sort_destroy. Errors: SHOAL_INVALID: a number
 * of `params` is out of its range, or `method` is no enumerator. SHOAL_UNSUPPORTED: SHOAL_SORT_BLOCKS with
 * other keys and values than of 32 bits, or the device is the host. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_sort_create_with(struct shoal_device *device,
                                                                    const struct shoal_sort_params *params,
                                                                    struct shoal_sort **out,
                                                                    struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_sort_destroy(struct shoal_sort **sort);

/* Program number `index`, from 0, of the object, to query build time, defines and variant. NULL: `index` is
 * out of range. */
SHOAL_API const struct shoal_program *shoal_sort_program(const struct shoal_sort *sort, size_t index);

/* The n pairs of a key and a value that a run sorts. The sort is in place if keys_out is `keys` and
 * values_out is `values`; otherwise the buffers must differ, and `keys` and `values` stay unchanged. A key or
 * value has the bits that the object was created for. Of keys alone, `values` and values_out are NULL. */
struct shoal_sort_args {
    struct shoal_buffer *keys;       /* Keys, uint32_t or uint64_t, [n]. */
    struct shoal_buffer *values;     /* Values, of 4 or 8 bytes, [n]. */
    struct shoal_buffer *keys_out;   /* Receives the sorted keys, [n]. */
    struct shoal_buffer *values_out; /* Receives the values in the order of their keys, [n]. */
    size_t n;                        /* Number of pairs. */
    unsigned first_bit;              /* First bit of the key that counts, 0 to end_bit. */
    unsigned end_bit;                /* End of the bits of the key that count, up to the bits of a key. */
};

/* Enqueues a stable sort by bits first_bit .. end_bit - 1 of the key, rising: one pass over the pairs for
 * each 8 bits, rounded up.
 * Errors: SHOAL_INVALID: n is larger than max_n, bits are out of their range, a buffer is too small, buffers
 * of values are given for keys alone, or the buffers are neither all different nor in place (keys_out is
 * `keys`, values_out is `values`, `keys` is not `values`). */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_sort_run(struct shoal_sort *sort,
                                                            struct shoal_queue *queue,
                                                            const struct shoal_sort_args *args,
                                                            struct shoal_error *error);

/* Matrix product --------------------------------------------------------------------------------------- */

/* C = f(alpha op(A) op(B) + beta C + bias), as GEMM of the BLAS, with a bias for each column of C and an
 * activation function f. op(A) is A or its transpose and has m rows and k columns; op(B) has k rows and n
 * columns; C has m rows and n columns. Matrices are stored row after row.
 *
 * A CPU adds the k terms of an element in order, 512 at a time. If C is small, a GPU splits a long sum into
 * parts, and adds the parts in order; the number of parts follows from m, n, k and the precision alone. */

/* Kernels that compute a product. */
enum shoal_gemm_method {
    SHOAL_GEMM_AUTO,  /* SHOAL_GEMM_SERIAL on a CPU, SHOAL_GEMM_TILED on any other device. */
    SHOAL_GEMM_TILED, /* A work-group computes a tile of C through local memory. */
    SHOAL_GEMM_SERIAL /* A work-item computes a block of C in registers, from packed copies of A and B. */
};

/* The activation function f. */
enum shoal_gemm_activation {
    SHOAL_GEMM_LINEAR,     /* v: no activation. */
    SHOAL_GEMM_LOGISTIC,   /* 1 / (1 + exp(-v)). */
    SHOAL_GEMM_TANH,       /* tanh(v). */
    SHOAL_GEMM_RELU,       /* max(v, 0), but NaN for NaN. */
    SHOAL_GEMM_LEAKY_RELU, /* v above 0, slope * v elsewhere. */
    SHOAL_GEMM_GELU,       /* v (1 + erf(v / sqrt(2))) / 2. */
    SHOAL_GEMM_GELU_TANH,  /* v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))) / 2. */
    SHOAL_GEMM_SILU        /* v / (1 + exp(-v)). */
};

/* Largest m, n, k and leading dimension. */
#define SHOAL_GEMM_MAX 0x1000000

/* Sizes and operations of the products of an object. Fill the struct by SHOAL_GEMM_PARAMS or
 * shoal_gemm_params_init. */
struct shoal_gemm_params {
    size_t size; /* Bytes of the struct, set by shoal_gemm_params_init. */
    /* Most rows of C, 1 to SHOAL_GEMM_MAX. The object is fastest near its largest sizes. Must be set. */
    size_t max_m;
    size_t max_n; /* Most columns of C, 1 to SHOAL_GEMM_MAX. Must be set. */
    size_t max_k; /* Most terms of a sum, 1 to SHOAL_GEMM_MAX. Must be set. */
    /* Type of all numbers: SHOAL_TYPE_FLOAT or SHOAL_TYPE_DOUBLE. Default: SHOAL_TYPE_FLOAT. */
    enum shoal_type real;
    bool transposed_a; /* Whether A is stored as [k][m] instead of [m][k]. Default: false. */
    bool transposed_b; /* Whether B is stored as [n][k] instead of [k][n]. Default: false. */
    enum shoal_gemm_activation activation; /* Activation function f. Default: SHOAL_GEMM_LINEAR. */
    double slope; /* Factor below 0 of SHOAL_GEMM_LEAKY_RELU, a finite number. Default: 0.01. */
    enum shoal_gemm_method method; /* Kernels to use. Default: SHOAL_GEMM_AUTO. */
    enum shoal_variant variant;    /* Text to build on CUDA. Default: SHOAL_VARIANT_AUTO. */
};

/* Fills `params` with the defaults; max_m, max_n and max_k stay 0. */
SHOAL_API void shoal_gemm_params_init(struct shoal_gemm_params *params);
/* Parameters with the given members set: SHOAL_GEMM_PARAMS(.max_m = 512, .max_n = 10, .max_k = 784). */
#define SHOAL_GEMM_PARAMS(...) SHOAL_INIT(shoal_gemm_params, shoal_gemm_params_init, __VA_ARGS__)

/* A matrix product on one device. */
struct shoal_gemm;

/* Builds the kernels for products of up to max_m x max_n x max_k. Scratch memory: SHOAL_GEMM_SERIAL has room
 * for copies of A and B, SHOAL_GEMM_TILED for up to 2^23 numbers. Destroy the object with shoal_gemm_destroy.
 * Errors: SHOAL_INVALID: a size is out of its range, the type is not float or double, or there is no such
 * activation or method. SHOAL_UNSUPPORTED: the device is the host or lacks double precision.
 * SHOAL_BUILD_FAILED: a kernel does not compile. SHOAL_OUT_OF_DEVICE_MEMORY: the scratch memory does not fit.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gemm_create(struct shoal_device *device,
                                                               const struct shoal_gemm_params *params,
                                                               struct shoal_gemm **out,
                                                               struct shoal_error *error);

/* Destroys the object and sets the pointer to NULL. Accepts NULL. */
SHOAL_API void shoal_gemm_destroy(struct shoal_gemm **gemm);

/* Program number `index`, from 0, of the object. NULL: `index` is out of range. SHOAL_GEMM_TILED has two
 * programs. Program 0 computes products whose offsets and leading dimensions are multiples of 4, if the
 * buffers of A and B extend to a multiple of 4 numbers after the last row; program 1 computes all others and
 * is slower. */
SHOAL_API const struct shoal_program *shoal_gemm_program(const struct shoal_gemm *gemm, size_t index);

/* One product. Fill the struct by SHOAL_GEMM_ARGS or shoal_gemm_args_init. A leading dimension is the
 * distance of two rows in memory, in elements: at least the length of a row and at most SHOAL_GEMM_MAX. */
struct shoal_gemm_args {
    size_t size;            /* Bytes of the struct, set by shoal_gemm_args_init. */
    struct shoal_buffer *a; /* A, [m][k] or, transposed, [k][m]. Must be set. */
    struct shoal_buffer *b; /* B, [k][n] or, transposed, [n][k]. Must be set. */
    /* C, [m][n]. The range of C, from the first element to the last, must not overlap the range of A, B or
     * the bias, not even if rows of two matrices only lie side by side. Elements between the rows of C are
     * not written. Must be set. */
    struct shoal_buffer *c;
    size_t a_offset; /* Index of the first element of A, inside the buffer. Default: 0. */
    size_t b_offset; /* Index of the first element of B, inside the buffer. Default: 0. */
    size_t c_offset; /* Index of the first element of C, inside the buffer. Default: 0. */
    /* Leading dimension of A as stored, up to SHOAL_GEMM_MAX. 0: the length of a row. Default: 0. */
    size_t lda;
    /* Leading dimension of B as stored, up to SHOAL_GEMM_MAX. 0: the length of a row. Default: 0. */
    size_t ldb;
    size_t ldc;   /* Leading dimension of C, up to SHOAL_GEMM_MAX. 0: the length of a row. Default: 0. */
    size_t m;     /* Rows of C, 0 to max_m. 0: nothing is done. Must be set. */
    size_t n;     /* Columns of C, 0 to max_n. 0: nothing is done. Must be set. */
    size_t k;     /* Terms of a sum, 0 to max_k. 0: the sums are 0. Must be set. */
    double alpha; /* Factor of op(A) op(B), a finite number. 0: A and B are not read. Default: 1. */
    double beta;  /* Factor of C, a finite number. 0: C is not read, so that it may hold NaN. Default: 0. */
    struct shoal_buffer *bias; /* Bias, [n], added to each row of C before f. NULL: none. Default: NULL. */
    size_t bias_offset;        /* Index of the first element of the bias, inside the buffer. Default: 0. */
};

/* Fills `args` with the defaults. */
SHOAL_API void shoal_gemm_args_init(struct shoal_gemm_args *args);
/* A product with the given members set: SHOAL_GEMM_ARGS(.a = a, .b = b, .c = c, .m = 512, .n = 10, .k = 784).
 */
#define SHOAL_GEMM_ARGS(...) SHOAL_INIT(shoal_gemm_args, shoal_gemm_args_init, __VA_ARGS__)

/* Enqueues one product.
 * Errors: SHOAL_INVALID: a size is larger than the object's, a leading dimension is out of its range,
 * alpha or beta is no finite number of the type, a matrix reaches beyond its buffer, or C overlaps another
 * matrix or the bias.
 */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_gemm_run(struct shoal_gemm *gemm,
                                                            struct shoal_queue *queue,
                                                            const struct shoal_gemm_args *args,
                                                            struct shoal_error *error);

SHOAL_END_DECLS

#endif
