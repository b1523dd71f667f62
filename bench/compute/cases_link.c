/* Copies between devices, and between the host and a device, as runs that are divided over devices make them.
 * The marks that shoal_measure_copies writes are the check: a copy that brings other bytes has no figure. */
#include "bench/compute/link.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 7, LARGE = 256 << 20, SLICE = 512 << 10, SLICES = 4, WORD = 8 };

/* How the times of a case become its row. */
struct link_case {
    size_t bytes, pieces;
    bool from_host, to_host; /* neither: from the second device to this one */
    bool is_round_trip;      /* back again, too */
    bool has_raw;            /* rows of the driver's own copy beside it */
};

static struct shoal_device *find_host(const struct shoal *shoal)
{
    size_t i = 0;
    while (!shoal_device_get_info(shoal_device_at(shoal, i))->is_host)
        i++;
    return shoal_device_at(shoal, i);
}

static enum shoal_status take_samples(const struct link_case *link, struct shoal_device *from,
                                      struct shoal_device *to, double *seconds, struct shoal_error *error)
{
    double back[SAMPLES] = {0};
    enum shoal_status status =
        shoal_measure_copies(from, to, link->bytes, link->pieces, seconds, SAMPLES, error);
    if (status == SHOAL_OK && link->is_round_trip)
        status = shoal_measure_copies(to, from, link->bytes, link->pieces, back, SAMPLES, error);
    for (int i = 0; i < SAMPLES; i++)
        seconds[i] += back[i];
    return status;
}

static void emit(struct bench_sink *sink, const char *suffix, const char *unit, const double *values)
{
    const struct bench_figure figure = {.suffix = suffix,
                                        .variant = "cl",
                                        .unit = unit,
                                        .higher_is_better = strcmp(unit, "s") != 0,
                                        .samples = values,
                                        .sample_count = SAMPLES,
                                        .build_s = NAN,
                                        .first_launch_s = NAN,
                                        .wall_s = NAN,
                                        .check.passed = true};
    bench_emit(sink, &figure);
}

/* A large copy has a rate, small ones have a time. */
static void emit_times(struct bench_sink *sink, const struct link_case *link, const char *suffix,
                       const double *seconds)
{
    double rates[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        rates[i] = (double)link->bytes / seconds[i];
    if (link->bytes == LARGE)
        emit(sink, suffix, "bytes/s", rates);
    else
        emit(sink, suffix, "s", seconds);
}

static enum shoal_status measure(struct bench *bench, struct bench_sink *sink, struct shoal_error *error)
{
    const struct link_case *link = bench->data;
    struct shoal_device *from = bench->device, *to = bench->device;
    double seconds[SAMPLES], raw[SAMPLES], ratio[SAMPLES];
    enum shoal_status status = SHOAL_OK;
    if (link->from_host)
        from = find_host(bench->shoal);
    else if (link->to_host)
        to = find_host(bench->shoal);
    else
        status = bench_second_device(bench, &from, error);
    if (status == SHOAL_OK)
        status = take_samples(link, from, to, seconds, error);
    if (status != SHOAL_OK)
        return status;
    emit_times(sink, link, "", seconds);
    if (!link->has_raw)
        return SHOAL_OK;
    /* Access to the card's memory was opened by the samples before. */
    status = link_raw_cuda(from, to, link->bytes, raw, SAMPLES, error);
    if (status != SHOAL_OK)
        return status == SHOAL_UNSUPPORTED ? SHOAL_OK : status;
    for (int i = 0; i < SAMPLES; i++)
        ratio[i] = raw[i] / seconds[i];
    emit_times(sink, link, "-raw", raw);
    emit(sink, "-ratio", "ratio", ratio);
    return SHOAL_OK;
}

static const struct link_case up = {.bytes = LARGE, .pieces = 1, .from_host = true},
                              down = {.bytes = LARGE, .pieces = 1, .to_host = true},
                              large = {.bytes = LARGE, .pieces = 1, .has_raw = true},
                              round_trip = {.bytes = WORD, .pieces = 1, .is_round_trip = true},
                              gather = {.bytes = SLICE, .pieces = SLICES};

static const struct bench_case cases[] = {
    {.name = "core.link.up",
     .help = "256 MiB from pinned host memory to the device, waited for",
     .unit = "bytes/s",
     .precision = "",
     .data = &up,
     .measure = measure},
    {.name = "core.link.down",
     .help = "256 MiB from the device to pinned host memory, waited for",
     .unit = "bytes/s",
     .precision = "",
     .data = &down,
     .measure = measure},
    {.name = "core.link.copy",
     .help = "256 MiB from a second device of the same kind, waited for; the CUDA driver's own copy, and the "
             "ratio of the rates",
     .unit = "bytes/s",
     .precision = "",
     .data = &large,
     .measure = measure},
    {.name = "core.link.round-trip",
     .help = "8 bytes from a second device of the same kind and back, each copy waited for",
     .unit = "s",
     .precision = "",
     .data = &round_trip,
     .measure = measure},
    {.name = "core.link.gather",
     .help = "4 pieces of 512 KiB from a second device of the same kind, waited for",
     .unit = "s",
     .precision = "",
     .data = &gather,
     .measure = measure},
};

const struct bench_case_list bench_link_cases = {cases, sizeof cases / sizeof *cases};
