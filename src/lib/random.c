/* Arrays of random numbers, by cl/lib/philox.cl. */
#include "base/params.h"
#include "compute/contract.h"
#include "compute/launch.h"
#include "lib/common.h"

#include <stdlib.h>

static const struct shoal_define_desc defines[] = {
    DEFINE(lib_philox, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(lib_philox, WG, 1, 1024, "work-items of a group, a power of two"),
};

static const struct shoal_entry_desc entries[] = {
    ENTRY(lib_philox, philox_blocks, .roof = SHOAL_ROOF_COPY_BYTES, .bytes_per_item = 40,
          .help = "Philox4x32-10 of given counters and keys"),
    ENTRY(lib_philox, philox_words, .roof = SHOAL_ROOF_COPY_BYTES, .bytes_per_item = 16,
          .help = "array of random words"),
    ENTRY(lib_philox, philox_uniform, .roof = SHOAL_ROOF_COPY_BYTES, .bytes_per_item = 16,
          .help = "array of uniform numbers"),
    ENTRY(lib_philox, philox_normal, .roof = SHOAL_ROOF_COPY_BYTES, .bytes_per_item = 16,
          .help = "array of normal numbers"),
};

const struct shoal_program_desc philox_program = PROGRAM("lib.philox", lib_philox, 0, defines, entries);

struct shoal_random {
    struct shoal_program *program;
    struct shoal_kernel *words, *uniform, *normal;
    size_t real_bytes;
};

enum shoal_status shoal_random_create(struct shoal_device *device, enum shoal_type real,
                                      enum shoal_variant variant, struct shoal_random **out,
                                      struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    if (real != SHOAL_TYPE_FLOAT && real != SHOAL_TYPE_DOUBLE)
        return fail(error, SHOAL_INVALID, "shoal_random_create: numbers are float or double");
    struct shoal_random *random = calloc(1, sizeof *random);
    if (!random)
        return fail_host_memory(error);
    random->real_bytes = real == SHOAL_TYPE_DOUBLE ? 8 : 4;
    const struct shoal_define define = {"REAL", (int64_t)(8 * random->real_bytes)};
    struct shoal_program_params params;
    shoal_program_params_init(&params);
    params.defines = &define;
    params.define_count = 1;
    params.variant = variant;
    enum shoal_status status =
        shoal_program_create(device, &philox_program, &params, &random->program, error);
    if (!status)
        status = shoal_kernel_create(random->program, "philox_words", &random->words, error);
    if (!status)
        status = shoal_kernel_create(random->program, "philox_uniform", &random->uniform, error);
    if (!status)
        status = shoal_kernel_create(random->program, "philox_normal", &random->normal, error);
    if (status)
        shoal_random_destroy(&random);
    *out = random;
    return status;
}

void shoal_random_destroy(struct shoal_random **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_random *random = *pointer;
    *pointer = NULL;
    shoal_kernel_destroy(&random->words);
    shoal_kernel_destroy(&random->uniform);
    shoal_kernel_destroy(&random->normal);
    shoal_program_destroy(&random->program);
    free(random);
}

const struct shoal_program *shoal_random_program(const struct shoal_random *random, size_t index)
{
    return random && index == 0 ? random->program : NULL;
}

static enum shoal_status check_fill(const char *call, const struct shoal_buffer *buffer, size_t n,
                                    size_t bytes, struct shoal_error *error)
{
    enum shoal_status status = check_n(call, n, SHOAL_PRIMITIVE_MAX, error);
    return status ? status : check_range(call, "output", buffer, 0, n, bytes, error);
}

enum shoal_status shoal_random_fill_words(struct shoal_random *random, struct shoal_queue *queue,
                                          struct shoal_buffer *words, size_t n,
                                          const struct shoal_random_counter *counter,
                                          struct shoal_error *error)
{
    if (!NEED(error, random, queue, words, counter))
        return SHOAL_INVALID;
    enum shoal_status status = check_fill("shoal_random_fill_words", words, n, 4, error);
    if (status || n == 0)
        return status;
    return LAUNCH(philox_words, queue, random->words, shoal_kernel_groups(random->words, div_up(n, 4)), error,
                  .out = words, .seed = counter->seed, .stream = counter->stream, .step = counter->step,
                  .n = (uint32_t)n);
}

/* Fills an array with uniform or normal numbers. parameters: lower end and width of the range of uniform
 * numbers, or mean and standard deviation of normal numbers. */
static enum shoal_status fill_reals(struct shoal_random *random, bool normal, struct shoal_queue *queue,
                                    struct shoal_buffer *reals, size_t n,
                                    const struct shoal_random_counter *counter, const double parameters[2],
                                    struct shoal_error *error)
{
    const char *call = normal ? "shoal_random_fill_normal" : "shoal_random_fill_uniform";
    enum shoal_status status = check_fill(call, reals, n, random->real_bytes, error);
    if (status || n == 0)
        return status;
    struct shoal_kernel *kernel = normal ? random->normal : random->uniform;
    const size_t groups = shoal_kernel_groups(kernel, div_up(n, 16 / random->real_bytes));
    if (normal)
        return LAUNCH(philox_normal, queue, kernel, groups, error, .out = reals, .seed = counter->seed,
                      .stream = counter->stream, .step = counter->step, .mean = parameters[0],
                      .deviation = parameters[1], .n = (uint32_t)n);
    return LAUNCH(philox_uniform, queue, kernel, groups, error, .out = reals, .seed = counter->seed,
                  .stream = counter->stream, .step = counter->step, .low = parameters[0],
                  .range = parameters[1], .n = (uint32_t)n);
}

enum shoal_status shoal_random_fill_uniform(struct shoal_random *random, struct shoal_queue *queue,
                                            struct shoal_buffer *reals, size_t n,
                                            const struct shoal_random_counter *counter, double low,
                                            double high, struct shoal_error *error)
{
    if (!NEED(error, random, queue, reals, counter))
        return SHOAL_INVALID;
    return fill_reals(random, false, queue, reals, n, counter, (const double[]){low, high - low}, error);
}

enum shoal_status shoal_random_fill_normal(struct shoal_random *random, struct shoal_queue *queue,
                                           struct shoal_buffer *reals, size_t n,
                                           const struct shoal_random_counter *counter, double mean,
                                           double deviation, struct shoal_error *error)
{
    if (!NEED(error, random, queue, reals, counter))
        return SHOAL_INVALID;
    return fill_reals(random, true, queue, reals, n, counter, (const double[]){mean, deviation}, error);
}
