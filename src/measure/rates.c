/* The rates of a device: which figures there are, and in what order they are measured. */
#include "measure/rates.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/params.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char operations[] = "op/s", bytes_per_s[] = "B/s", seconds_unit[] = "s";

#define COMPUTE(label, chain)                                                                                \
    {                                                                                                        \
        SHOAL_RATES_COMPUTE, label, operations, rate_chains, chain, false                                    \
    }
#define FUSED(label, chain)                                                                                  \
    {                                                                                                        \
        SHOAL_RATES_COMPUTE, label, operations, rate_fused, chain, false                                     \
    }
#define MATRIX(label, format)                                                                                \
    {                                                                                                        \
        SHOAL_RATES_MATRIX, label, operations, rate_matrix, format, false                                    \
    }
#define MEMORY(label, s, w)                                                                                  \
    {                                                                                                        \
        SHOAL_RATES_MEMORY, label, bytes_per_s, rate_memory, s, w                                            \
    }
#define ATOMICS(label, own, l)                                                                               \
    {                                                                                                        \
        SHOAL_RATES_ATOMICS, label, operations, rate_atomics, own, l                                         \
    }
#define TRANSFER(label, k, p)                                                                                \
    {                                                                                                        \
        SHOAL_RATES_TRANSFERS, label, bytes_per_s, NULL, k, p                                                \
    }

static const struct rate_figure figures[] = {
    FUSED("fp64_fused", CHAIN_FP64),
    COMPUTE("fp64", CHAIN_FP64),
    FUSED("fp32_fused", CHAIN_FP32),
    COMPUTE("fp32", CHAIN_FP32),
    COMPUTE("fp16_fused", CHAIN_FP16_FUSED),
    COMPUTE("fp16", CHAIN_FP16),
    COMPUTE("int64", CHAIN_INT64),
    COMPUTE("int32", CHAIN_INT32),
    COMPUTE("int16", CHAIN_INT16),
    COMPUTE("int8", CHAIN_INT8),
    COMPUTE("int8_dot4", CHAIN_DOT8),
    MATRIX("tf32", 0),
    MATRIX("bf16", 1),
    MATRIX("fp16", 2),
    MATRIX("int8", 3),
    {SHOAL_RATES_MEMORY, "copy", bytes_per_s, rate_copy, 0, false},
    MEMORY("read", 0, false),
    MEMORY("write", 0, true),
    MEMORY("read_scattered", 1, false),
    MEMORY("write_scattered", 1, true),
    {SHOAL_RATES_LOCAL, "read", bytes_per_s, rate_local, 0, false},
    ATOMICS("same_word", 0, false),
    ATOMICS("own_word", 1, false),
    ATOMICS("local_same_word", 0, true),
    ATOMICS("local_own_word", 1, true),
    {SHOAL_RATES_LAUNCHES, "launch", seconds_unit, rate_launch, 0, false},
    {SHOAL_RATES_LAUNCHES, "launch_wait", seconds_unit, rate_launch, 0, true},
    /* Last, since they take the most time. */
    TRANSFER("to_device", TRANSFER_WRITE, false),
    TRANSFER("to_device_pinned", TRANSFER_WRITE, true),
    TRANSFER("from_device", TRANSFER_READ, false),
    TRANSFER("from_device_pinned", TRANSFER_READ, true),
    TRANSFER("both_pinned", TRANSFER_BOTH, true),
};

enum { FIGURES = sizeof figures / sizeof *figures, LEAST_BYTES = 4096, MOST_BYTES = 1 << 30, STEP_BYTES = 4 };

static const char *part_name(unsigned part)
{
    static const char *const names[] = {"compute", "matrix",    "memory",  "local",
                                        "atomics", "transfers", "launches"};
    size_t i = 0;
    while (part >> (i + 1))
        i++;
    return names[i];
}

void shoal_rates_params_init(struct shoal_rates_params *params)
{
    if (!params)
        return;
    *params = (struct shoal_rates_params){.size = sizeof *params,
                                          .parts = SHOAL_RATES_ALL,
                                          .figure_seconds = measure_limits.figure_seconds,
                                          .seconds = 60,
                                          .most_bytes = MOST_BYTES};
}

/* A measurement of rates. */
struct rates {
    struct rig rig;
    struct shoal_rates_params params;
    double begin;
    enum shoal_status failed; /* the first failure of a figure that is no lack of the device */
    struct shoal_error *error;
};

static double rate_of(const struct measure_figure *measured, double seconds)
{
    return measured->work > 0 ? measured->work / seconds : seconds;
}

/* Hands a figure to the caller. reason: "", or why there is none. */
static enum shoal_status give(struct rates *rates, const struct rate_figure *figure, uint64_t bytes,
                              const struct measure_figure *measured, const char *reason)
{
    struct shoal_rate rate = {.part = part_name(figure->part),
                              .name = figure->name,
                              .unit = figure->unit,
                              .bytes = bytes,
                              .value = NAN,
                              .least = NAN,
                              .most = NAN,
                              .reason = reason};
    if (!*reason) {
        const double slow = rate_of(measured, measured->time.slowest),
                     fast = rate_of(measured, measured->time.fastest);
        rate.value = rate_of(measured, measured->time.median);
        rate.least = fmin(slow, fast);
        rate.most = fmax(slow, fast);
        rate.samples = measured->time.count;
    }
    return rates->params.give(rates->params.data, &rate)
               ? SHOAL_OK
               : fail(rates->error, SHOAL_STOPPED, "%s: the measurement was stopped", rates->rig.info->id);
}

static bool is_late(const struct rates *rates)
{
    return clock_seconds() - rates->begin - rates->rig.build_s > rates->params.seconds;
}

/* Measures a figure and hands it on. bytes: of a transfer, else 0. */
static enum shoal_status take(struct rates *rates, const struct rate_figure *figure, size_t bytes)
{
    struct measure_figure measured = {0};
    struct shoal_error error;
    char late[96];
    if (is_late(rates)) {
        snprintf(late, sizeof late, "no time left of the %g s for the measurement", rates->params.seconds);
        return give(rates, figure, bytes, &measured, late);
    }
    error_reset(&error);
    error.status = bytes ? rate_transfer(&rates->rig, figure, bytes, &measured, &error)
                         : figure->measure(&rates->rig, figure, &measured, &error);
    if (error.status != SHOAL_OK && error.status != SHOAL_UNSUPPORTED && rates->failed == SHOAL_OK) {
        rates->failed = error.status;
        if (rates->error)
            *rates->error = error;
    }
    if (error.status == SHOAL_DEVICE_LOST)
        return error.status;
    return give(rates, figure, bytes, &measured, error.status == SHOAL_OK ? "" : error.message);
}

static enum shoal_status take_all(struct rates *rates)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; status == SHOAL_OK && i < FIGURES; i++)
        if (figures[i].part & rates->params.parts & ~(unsigned)SHOAL_RATES_TRANSFERS)
            status = take(rates, &figures[i], 0);
    for (uint64_t bytes = LEAST_BYTES; bytes <= rates->params.most_bytes; bytes *= STEP_BYTES)
        for (size_t i = 0; status == SHOAL_OK && i < FIGURES; i++)
            if (figures[i].part & rates->params.parts & SHOAL_RATES_TRANSFERS)
                status = take(rates, &figures[i], (size_t)bytes);
    return status;
}

static enum shoal_status check_params(const struct shoal_rates_params *params, struct shoal_error *error)
{
    if (!params->parts || params->parts & ~(unsigned)SHOAL_RATES_ALL)
        return fail(error, SHOAL_INVALID, "shoal_measure_rates: parts is %#x: or the values of SHOAL_RATES_",
                    params->parts);
    if (!(params->figure_seconds > 0) || !(params->seconds > 0))
        return fail(error, SHOAL_INVALID,
                    "shoal_measure_rates: %g seconds for a figure and %g for all: both must be above 0",
                    params->figure_seconds, params->seconds);
    if (params->most_bytes < LEAST_BYTES || params->most_bytes > MOST_BYTES)
        return fail(error, SHOAL_INVALID, "shoal_measure_rates: buffers of %llu bytes: take %d to %d",
                    (unsigned long long)params->most_bytes, LEAST_BYTES, MOST_BYTES);
    return SHOAL_OK;
}

enum shoal_status shoal_measure_rates(struct shoal_device *device, const struct shoal_rates_params *params,
                                      struct shoal_error *error)
{
    error_reset(error);
    struct rates rates = {.error = error};
    if (!NEED(error, device, params))
        return SHOAL_INVALID;
    enum shoal_status status = PARAMS_TAKE(params, shoal_rates_params_init, &rates.params, error);
    if (status == SHOAL_OK && !rates.params.give)
        status = fail(error, SHOAL_INVALID, "shoal_measure_rates: params.give is NULL");
    if (status == SHOAL_OK)
        status = check_params(&rates.params, error);
    rates.rig = (struct rig){.device = device,
                             .info = shoal_device_get_info(device),
                             .time = {.batch_seconds = rates.params.figure_seconds / 10,
                                      .figure_seconds = rates.params.figure_seconds},
                             .most_bytes = rates.params.most_bytes};
    if (status == SHOAL_OK && rates.rig.info->is_host)
        status = fail(error, SHOAL_UNSUPPORTED, "the host runs plain C, no kernels: it has roofs alone");
    if (status == SHOAL_OK)
        status = shoal_queue_create(device, 0, &rates.rig.queue, error);
    rates.begin = clock_seconds();
    if (status == SHOAL_OK)
        status = take_all(&rates);
    shoal_queue_destroy(&rates.rig.queue);
    return status == SHOAL_OK ? rates.failed : status;
}
