/* core.link.*: copies between devices through shoal and through the API below it. */
#ifndef SHOAL_BENCH_LINK_H
#define SHOAL_BENCH_LINK_H

#include "bench/runner/bench.h"

/* Copies `bytes` bytes from one CUDA device to another by cuMemcpyPeerAsync alone, each copy waited for, with
 * access to each other's memory where shoal has opened it. Fills samples[count] with the time of a copy.
 * SHOAL_UNSUPPORTED: a device is not one of CUDA. */
enum shoal_status link_raw_cuda(struct shoal_device *from, struct shoal_device *to, size_t bytes,
                                double *samples, size_t count, struct shoal_error *error);

#endif
