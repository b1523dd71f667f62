/* The roofs of a device: its highest rates of arithmetic, memory copies and launches, measured; and the rates
 * of copies between devices.
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
