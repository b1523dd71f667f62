/* The roofs of a device: its highest rates of arithmetic, memory copies and launches, measured; its rates by
 * kind of number, memory and transfer; and the rates of copies between devices.
 *
 * `shoal bench` compares its figures with the roofs of the same run on the same device. Every measurement
 * warms up, repeats until the work takes long against the resolution of the clock, keeps the fastest repeat,
 * which was disturbed least, and checks the computed values against the host, so that no compiler can remove
 * the work.
 *
 * Threads: one measurement of a device at a time, with nothing else running on the device.
 */
#ifndef SHOAL_MEASURE_H
#define SHOAL_MEASURE_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

/* Measured roofs, as rates per second in base units. 0: the device does not support the operation. All roofs
 * are NaN if the samples of a roof disagreed, or if a roof is impossible on an idle machine (a launch above 1
 * ms, fp64 below fp32 / 200, a copy below 0.1 GB/s), because other programs used the machine. */
struct shoal_roofs {
    /* Single-precision operations a second: fused multiply-adds of independent chains, two operations
     * each. */
    double fp32_flops;
    /* Double-precision operations a second: fused multiply-adds of independent chains, two operations
     * each. */
    double fp64_flops;
    /* Reciprocal square roots a second: native_rsqrt; on the host 1 / sqrt in single precision. */
    double sfu_ops;
    /* Bytes a second, read and written together, of a copy kernel on buffers far larger than the caches. */
    double copy_bytes;
    /* Seconds for each of many empty kernels that are enqueued before a single wait. On the host: seconds of
     * an empty parallel region. */
    double launch_s;
    /* Seconds of one empty kernel and the wait for its end. On the host: seconds of an empty parallel
     * region. */
    double launch_sync_s;

    uint64_t copy_buffer; /* Bytes of each of the two buffers of the copy. */
    uint32_t threads;     /* Number of OpenMP threads of the host that took part. Devices: 0. */
    double seconds;       /* Seconds of the whole measurement, without kernel builds. */
    double build_s;       /* Seconds of kernel builds. 0 from the cache and on the host. */
};

/* Measures the roofs of a device, in a few seconds at most.
 * Errors: SHOAL_CHECK_FAILED: the device's values differ from the host's; `*roofs` then holds zeros. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_measure_roofs(struct shoal_device *device, struct shoal_roofs *roofs, struct shoal_error *error);

/* Parts of shoal_measure_rates, to be or'ed. */
enum {
    SHOAL_RATES_COMPUTE = 1,    /* Arithmetic by kind of number, fused and not. */
    SHOAL_RATES_MATRIX = 2,     /* Matrix units, by format of the factors. */
    SHOAL_RATES_MEMORY = 4,     /* Global memory: copies, reads and writes, by neighbours and scattered. */
    SHOAL_RATES_LOCAL = 8,      /* Local memory. */
    SHOAL_RATES_ATOMICS = 16,   /* Atomic additions in global and local memory. */
    SHOAL_RATES_TRANSFERS = 32, /* Transfers between the host and the device, by size. */
    SHOAL_RATES_LAUNCHES = 64,  /* Launches. */
    SHOAL_RATES_ALL = 127       /* Every part. */
};

/* One figure of shoal_measure_rates. Texts are constants, except `reason`, which is valid during the call
 * that receives the figure. */
struct shoal_rate {
    const char *part; /* "compute", "matrix", "memory", "local", "atomics", "transfers" or "launches". */
    const char *name; /* Name of the figure, unique among the figures of its part with the same `bytes`. */
    /* "op/s", where a fused multiply-add counts as two operations; "B/s", where a copy counts the bytes it
     * reads and the bytes it writes; "s": seconds of a launch. */
    const char *unit;
    uint64_t bytes;     /* Bytes of one transfer in one direction. 0: the figure is of another part. */
    double value;       /* Median of the samples. NaN: not measured. */
    double least;       /* Least sample. NaN: not measured. */
    double most;        /* Greatest sample. NaN: not measured. */
    uint32_t samples;   /* Number of samples. 0: not measured. */
    const char *reason; /* Why the figure was not measured, in one line. "": it was measured. */
};

/* Receives a figure. Returns whether the measurement goes on; `data` is the `data` of the parameters. */
typedef bool (*shoal_rate_fn)(void *data, const struct shoal_rate *rate);

/* Settings of shoal_measure_rates. */
struct shoal_rates_params {
    size_t size;    /* Bytes of the struct, set by shoal_rates_params_init. */
    unsigned parts; /* SHOAL_RATES_COMPUTE and following, or'ed. Default: SHOAL_RATES_ALL. */
    /* Seconds during which new samples of a figure begin, above 0; each figure has at least three samples.
     * Default: 0.2. */
    double figure_seconds;
    /* Seconds, without kernel builds, after which no further figure is begun, above 0. Default: 60. */
    double seconds;
    /* Bytes of the largest transfer and of the largest buffer of global memory, at least 4096. Default:
     * 2^30. Devices with less memory have smaller ones. */
    uint64_t most_bytes;
    shoal_rate_fn give; /* Receives each figure. Default: NULL; must be set. */
    void *data;         /* Passed to `give`. Default: NULL. */
};

/* Fills `params` with the defaults. */
SHOAL_API void shoal_rates_params_init(struct shoal_rates_params *params);
#define SHOAL_RATES_PARAMS(...) SHOAL_INIT(shoal_rates_params, shoal_rates_params_init, __VA_ARGS__)

/* Measures rates of a device, each with several samples, and hands each figure to params->give as soon as it
 * is known. A figure that the device lacks, that fails or for which no time is left has a reason in place of
 * a value, and the next figure is measured. Kernels compute values that the host knows, so that no compiler
 * can remove their work; a figure whose values are wrong has no value.
 * Errors: SHOAL_INVALID: a parameter is out of range, or `give` is NULL; SHOAL_UNSUPPORTED: the device is the
 * host, which has no kernels; SHOAL_STOPPED: `give` returned false; SHOAL_CHECK_FAILED: the device computed
 * wrong values for a figure. Others, and the last one, are the error of the first figure that failed, after
 * all figures. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_measure_rates(struct shoal_device *device,
                                                                 const struct shoal_rates_params *params,
                                                                 struct shoal_error *error);

/* How fast bytes go from one device to another. */
struct shoal_link {
    size_t size; /* Bytes of the struct, set by the caller; 0: the members of the first release. */
    enum shoal_link_path path; /* The path that copies take. */
    uint64_t copy_bytes;       /* Bytes of the large copy. */
    /* Bytes a second of the large copy; on the path through the host the time includes both halves of the
     * path. NaN: other programs used the machine. */
    double bytes_per_s;
    /* Seconds of a copy of 8 bytes, from the call until the target has the bytes. NaN: other programs used
     * the machine. */
    double latency_s;
};

/* Measures copies from one device to another, as a run that is divided over devices makes them, in about a
 * second. One of the devices may be the host, whose memory is pinned for the other device.
 * Errors: SHOAL_INVALID: `from` and `to` are the same device, or of different instances; SHOAL_CHECK_FAILED:
 * the target got other bytes than were sent; `*link` is unchanged then. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_measure_link(struct shoal_device *from,
                                                                struct shoal_device *to,
                                                                struct shoal_link *link,
                                                                struct shoal_error *error);

/* Measures a phase that copies `pieces` pieces of `bytes` bytes each from one device to another, as a run
 * that is divided over devices copies them, and waits for their arrival. One of the devices may be the host.
 * `seconds`, [samples], receives the mean time of a phase in each sample; a sample lasts some hundredths of a
 * second.
 * Errors: SHOAL_INVALID: see shoal_measure_link; there is nothing to copy or no sample to take;
 * SHOAL_CHECK_FAILED: the target got other bytes than were sent. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status shoal_measure_copies(struct shoal_device *from,
                                                                  struct shoal_device *to, size_t bytes,
                                                                  size_t pieces, double *seconds,
                                                                  size_t samples, struct shoal_error *error);

/* Compiler and flags of the host code: "gcc 12.2.0, -O3 -fopenmp; avx512f at run time". A constant. Any
 * thread. */
SHOAL_API const char *shoal_host_compiler(void);

SHOAL_END_DECLS

#endif
