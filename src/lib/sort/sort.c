/* Radix sort from the least significant digit to the most significant one: arguments, and the order of
 * passes. */
#include "lib/sort/sort.h"
#include "base/params.h"

#include <stdlib.h>

void shoal_sort_params_init(struct shoal_sort_params *params)
{
    if (params)
        *params = (struct shoal_sort_params){.size = sizeof *params, .key_bits = 32, .value_bits = 32};
}

static enum shoal_status check_params(const char *call, const struct shoal_sort_params *params,
                                      struct shoal_error *error)
{
    enum shoal_status status = check_max_n(call, params->max_n, error);
    if (status)
        return status;
    if (params->key_bits != 32 && params->key_bits != 64)
        return fail(error, SHOAL_INVALID, "%s: keys of %u bits; keys have 32 or 64", call, params->key_bits);
    if (params->value_bits != 0 && params->value_bits != 32 && params->value_bits != 64)
        return fail(error, SHOAL_INVALID, "%s: values of %u bits; values have 32 or 64, or 0 for keys alone",
                    call, params->value_bits);
    const enum shoal_sort_method method = params->method;
    if (method != SHOAL_SORT_AUTO && method != SHOAL_SORT_BLOCKS && method != SHOAL_SORT_SERIAL &&
        method != SHOAL_SORT_SWEEP)
        return fail(error, SHOAL_INVALID, "%s: there is no method %d", call, (int)method);
    if (method == SHOAL_SORT_BLOCKS && (params->key_bits != 32 || params->value_bits != 32))
        return fail(error, SHOAL_UNSUPPORTED,
                    "%s: SHOAL_SORT_BLOCKS sorts keys and values of 32 bits; use another method", call);
    return SHOAL_OK;
}

/* SHOAL_SORT_SWEEP waits for other work-groups, which must go on meanwhile. Devices with 64-bit atomics are
 * taken for those where they do, as for SHOAL_SCAN_LOOKBACK. */
static enum shoal_sort_method method_for(struct shoal_device *device, const struct shoal_sort_params *params)
{
    if (params->method != SHOAL_SORT_AUTO)
        return params->method;
    if (is_plain_cpu(device))
        return SHOAL_SORT_SERIAL;
    if (!is_cuda(device) && params->key_bits == 32 && params->value_bits == 32)
        return SHOAL_SORT_BLOCKS;
    return shoal_device_get_info(device)->int64_atomics ? SHOAL_SORT_SWEEP : SHOAL_SORT_SERIAL;
}

static enum shoal_status create(const char *call, struct shoal_device *device,
                                const struct shoal_sort_params *params, struct shoal_sort **out,
                                struct shoal_error *error)
{
    enum shoal_status status = check_params(call, params, error);
    if (status)
        return status;
    struct shoal_sort *sort = calloc(1, sizeof *sort);
    if (!sort)
        return fail_host_memory(error);
    sort->params = *params;
    sort->device = device;
    sort->method = method_for(device, params);
    sort->key_bytes = params->key_bits / 8;
    sort->value_bytes = params->value_bits / 8;
    status =
        sort->method == SHOAL_SORT_SWEEP ? sort_sweep_create(sort, error) : sort_chunks_create(sort, error);
    if (!status)
        status = shoal_buffer_create(device, params->max_n * sort->key_bytes, &sort->keys, error);
    if (!status && sort->value_bytes)
        status = shoal_buffer_create(device, params->max_n * sort->value_bytes, &sort->values, error);
    if (status)
        shoal_sort_destroy(&sort);
    *out = sort;
    return status;
}

enum shoal_status shoal_sort_create(struct shoal_device *device, size_t max_n, enum shoal_sort_method method,
                                    enum shoal_variant variant, struct shoal_sort **out,
                                    struct shoal_error *error)
{
    if (!NEED(error, device, out))
        return SHOAL_INVALID;
    *out = NULL;
    const struct shoal_sort_params params =
        SHOAL_SORT_PARAMS(.max_n = max_n, .method = method, .variant = variant);
    return create(__func__, device, &params, out, error);
}

enum shoal_status shoal_sort_create_with(struct shoal_device *device, const struct shoal_sort_params *params,
                                         struct shoal_sort **out, struct shoal_error *error)
{
    struct shoal_sort_params own;
    if (!NEED(error, device, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_sort_params_init, &own, error);
    return status ? status : create(__func__, device, &own, out, error);
}

void shoal_sort_destroy(struct shoal_sort **pointer)
{
    if (!pointer || !*pointer)
        return;
    struct shoal_sort *sort = *pointer;
    *pointer = NULL;
    sort_chunks_destroy(&sort->chunks);
    sort_sweep_destroy(&sort->sweep);
    shoal_buffer_destroy(&sort->keys);
    shoal_buffer_destroy(&sort->values);
    free(sort);
}

const struct shoal_program *shoal_sort_program(const struct shoal_sort *sort, size_t index)
{
    if (!sort)
        return NULL;
    if (sort->method == SHOAL_SORT_SWEEP)
        return index == 0 ? sort->sweep.program : NULL;
    return index == 0 ? sort->chunks.program : shoal_scan_program(sort->chunks.scan, index - 1);
}

static enum shoal_status copy_pairs(struct shoal_sort *sort, struct shoal_queue *queue,
                                    struct sort_pairs from, struct sort_pairs to, size_t n,
                                    struct shoal_error *error)
{
    enum shoal_status status = shoal_buffer_copy(queue, from.keys, 0, to.keys, 0, n * sort->key_bytes, error);
    return status || !sort->value_bytes
               ? status
               : shoal_buffer_copy(queue, from.values, 0, to.values, 0, n * sort->value_bytes, error);
}

static enum shoal_status check_buffers(const char *call, const struct shoal_sort *sort,
                                       const struct shoal_sort_args *args, struct shoal_error *error)
{
    const struct {
        const char *what;
        struct shoal_buffer *buffer;
        size_t bytes;
    } ranges[] = {{"key", args->keys, sort->key_bytes},
                  {"key output", args->keys_out, sort->key_bytes},
                  {"value", args->values, sort->value_bytes},
                  {"value output", args->values_out, sort->value_bytes}};
    if (!sort->value_bytes && (args->values || args->values_out))
        return fail(error, SHOAL_INVALID, "%s: the object sorts keys alone; values must be NULL", call);
    enum shoal_status status = check_n(call, args->n, sort->params.max_n, error);
    for (size_t i = 0; i < COUNT(ranges) && !status; i++)
        if (ranges[i].bytes)
            status = check_range(call, ranges[i].what, ranges[i].buffer, 0, args->n, ranges[i].bytes, error);
    if (status || !sort->value_bytes)
        return status;
    const bool in_place = args->keys == args->keys_out && args->values == args->values_out;
    if (args->keys == args->values || args->keys_out == args->values_out || args->keys == args->values_out ||
        args->values == args->keys_out ||
        (!in_place && (args->keys == args->keys_out || args->values == args->values_out)))
        return fail(
            error, SHOAL_INVALID,
            "%s: keys, values and their outputs must be different buffers, or the outputs both the inputs",
            call);
    return SHOAL_OK;
}

static enum shoal_status sort_by_digits(struct shoal_sort *sort, struct shoal_queue *queue,
                                        const struct shoal_sort_args *args, struct shoal_error *error)
{
    const bool sweeps = sort->method == SHOAL_SORT_SWEEP, in_place = args->keys == args->keys_out;
    const struct sort_pairs out = {.keys = args->keys_out, .values = args->values_out},
                            scratch = {.keys = sort->keys, .values = sort->values};
    const unsigned passes = (args->end_bit - args->first_bit + SORT_DIGIT_BITS - 1) / SORT_DIGIT_BITS;
    struct sort_pass pass = {.from = {.keys = args->keys, .values = args->values}, .n = (uint32_t)args->n};
    if (passes == 0)
        return in_place ? SHOAL_OK : copy_pairs(sort, queue, pass.from, out, args->n, error);
    enum shoal_status status = sweeps ? sort_sweep_begin(sort, queue, args, error) : SHOAL_OK;
    /* Passes alternate between two buffers, and the last pass writes to the output. With an odd number of
     * passes the first pass writes to the output, too. If the sort is in place, the output is the input of
     * the first pass, so the input is copied before. */
    if (in_place && passes % 2 == 1 && !status) {
        status = copy_pairs(sort, queue, pass.from, scratch, args->n, error);
        pass.from = scratch;
    }
    for (unsigned i = 0; i < passes && !status; i++) {
        pass.digit_number = i;
        pass.bit = args->first_bit + i * SORT_DIGIT_BITS;
        pass.bits = args->end_bit - pass.bit < SORT_DIGIT_BITS ? args->end_bit - pass.bit : SORT_DIGIT_BITS;
        pass.to = (passes - i) % 2 == 1 ? out : scratch;
        status =
            sweeps ? sort_sweep_pass(sort, queue, &pass, error) : sort_chunks_pass(sort, queue, &pass, error);
        pass.from = pass.to;
    }
    return status;
}

enum shoal_status shoal_sort_run(struct shoal_sort *sort, struct shoal_queue *queue,
                                 const struct shoal_sort_args *args, struct shoal_error *error)
{
    static const char call[] = "shoal_sort_run";
    if (!NEED(error, sort, args))
        return SHOAL_INVALID;
    if (args->first_bit > args->end_bit || args->end_bit > sort->params.key_bits)
        return fail(error, SHOAL_INVALID, "%s: bits %u to %u are not a range of a %u-bit key", call,
                    args->first_bit, args->end_bit, sort->params.key_bits);
    enum shoal_status status = check_buffers(call, sort, args, error);
    return status || args->n == 0 ? status : sort_by_digits(sort, queue, args, error);
}
