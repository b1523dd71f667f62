/* The roofs of a device: its highest rates of arithmetic, memory copies and launches, measured.
 *
 * `shoal bench` compares its figures with the roofs of the same run on the same device. Every measurement
 * warms up, repeats until it takes long against the resolution of the clock, keeps the fastest repeat (the
 * one least disturbed), and checks the computed values against the host, so that no compiler can remove the
 * work.
 *
 * Threads: one measurement of a device at a time, with nothing else running on it.
 */
#ifndef SHOAL_MEASURE_H
#define SHOAL_MEASURE_H

#include <shoal/device.h>

SHOAL_BEGIN_DECLS

/* Rates per second in base units; 0: the device does not support it. All are NaN where the samples of one of
 * them disagreed, or one is impossible on an idle machine (a launch above 1 ms, fp64 below fp32 / 200, a copy
 * below 0.1 GB/s): other programs took the machine. */
struct shoal_roofs {
    double fp32_flops; /* fused multiply-adds of independent chains, two operations each */
    double fp64_flops; /* the same in double; 0 without fp64 */
    double sfu_ops;    /* native_rsqrt; host: 1 / sqrt in single precision */
    double copy_bytes; /* bytes read plus bytes written by a copy kernel, on buffers far larger than caches */
    double launch_s;   /* seconds an empty kernel, of many enqueued before one finish */
    double launch_sync_s; /* seconds for one empty kernel and the wait for it */
    /* The host has no launches: both are the time of an empty parallel region. */

    uint64_t copy_buffer; /* bytes of each of the two buffers of the copy */
    uint32_t threads;     /* host: OpenMP threads that took part; devices: 0 */
    double seconds;       /* duration of the whole measurement, without kernel builds */
    double build_s;       /* kernel builds; 0 from the cache and on the host */
};

/* Takes at most a few seconds. SHOAL_CHECK_FAILED: the device's values differ from the host's; *roofs then
 * holds zeros. */
SHOAL_API SHOAL_MUST_CHECK enum shoal_status
shoal_measure_roofs(struct shoal_device *device, struct shoal_roofs *roofs, struct shoal_error *error);

/* Compiler and flags of the host code, e.g. "gcc 12.2.0, -O3 -fopenmp; avx512f at run time". A constant. */
SHOAL_API const char *shoal_host_compiler(void);

SHOAL_END_DECLS

#endif
