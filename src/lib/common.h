/* What the primitives share: contract tables, argument checks. */
#ifndef SHOAL_LIB_COMMON_H
#define SHOAL_LIB_COMMON_H

#include "base/error.h"
#include "compute/contract.h"
#include "compute/tune.h"

#include <shoal/primitives.h>

/* Do elements offset .. offset + n - 1 of `bytes` each lie inside the buffer? `call` and `what` are for the
 * message. */
enum shoal_status check_range(const char *call, const char *what, const struct shoal_buffer *buffer,
                              size_t offset, size_t n, size_t bytes, struct shoal_error *error);

/* Limits of n for create and run. */
enum shoal_status check_max_n(const char *call, size_t max_n, struct shoal_error *error);
enum shoal_status check_n(const char *call, size_t n, size_t max_n, struct shoal_error *error);

/* A define whose value depends on the device, unless it was tuned. */
struct shoal_define choose_define(struct shoal_device *device, const char *program, const char *name,
                                  int64_t value);

/* The same for problems of one size: see compute/tune.h. `tries`: what is worth measuring. */
struct tuning_question define_question(const struct shoal_program_desc *desc, const char *name,
                                       const char *sizes, int64_t value, const int64_t *tries,
                                       size_t try_count);
struct shoal_define choose_define_for(struct shoal_device *device, const struct shoal_program_desc *desc,
                                      const char *name, const char *sizes, int64_t value,
                                      const int64_t *tries, size_t try_count);

/* Is the device a CPU and nothing else? Simulators are several kinds at once. */
static inline bool is_cpu_alone(const struct shoal_device_info *info)
{
    return info->is_cpu && !info->is_gpu;
}

static inline bool is_plain_cpu(const struct shoal_device *device)
{
    return is_cpu_alone(shoal_device_get_info(device));
}

static inline uint32_t div_up(size_t n, size_t by)
{
    return (uint32_t)((n + by - 1) / by);
}

#endif
