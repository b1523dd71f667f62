/* Private: what the measurements of a device share: kernels that are launched in batches, and the figures
 * that are roofs as well as rates. */
#ifndef SHOAL_MEASURE_DEVICE_H
#define SHOAL_MEASURE_DEVICE_H

#include "compute/launch.h"
#include "measure/measure.h"

/* A device that is being measured. */
struct rig {
    struct shoal_device *device;
    const struct shoal_device_info *info;
    struct shoal_queue *queue;
    double build_s;             /* seconds of kernel builds so far */
    struct measure_limits time; /* of each figure */
    uint64_t most_bytes;        /* bytes of the largest buffer or transfer */
};

/* Launches a kernel with the struct of its arguments. */
typedef enum shoal_status batch_launch_fn(struct shoal_queue *queue, struct shoal_kernel *kernel,
                                          size_t groups, const void *args, struct shoal_error *error);

/* Defines batch_ENTRY, the batch_launch_fn of an entry, whose arguments are a struct ENTRY_args. */
#define BATCH_LAUNCH(entry)                                                                                  \
    static enum shoal_status batch_##entry(struct shoal_queue *queue, struct shoal_kernel *kernel,           \
                                           size_t groups, const void *args, struct shoal_error *error)       \
    {                                                                                                        \
        return launch_##entry(queue, kernel, groups, args, NULL, error);                                     \
    }

/* A kernel, and the arguments with which a batch launches it. */
struct batch {
    struct shoal_queue *queue;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    size_t groups;
    batch_launch_fn *launch; /* NULL: the kernel has no arguments */
    const void *args;
    bool wait_each; /* wait for the end of each launch */
};

/* A figure is work / time. */
struct measure_figure {
    struct measure_samples time; /* time of a launch or transfer */
    double work; /* operations or bytes of a launch or transfer; 0: the figure is the time itself */
};

/* Builds the program and creates its kernel `entry`; batch_close is to be called even after an error. */
enum shoal_status batch_open(struct batch *batch, struct rig *rig, const struct shoal_program_desc *desc,
                             const char *entry, const struct shoal_define *defines, size_t define_count,
                             struct shoal_error *error);
void batch_close(struct batch *batch);
/* Launches the kernel `repeats` times; a measure_batch_fn with a struct batch as `data`. */
enum shoal_status batch_run(void *data, uint64_t repeats, double *seconds, struct shoal_error *error);
/* Measures launches by `launch`, with the struct `args` of the kernel's arguments. */
enum shoal_status batch_measure(struct batch *batch, const struct rig *rig, batch_launch_fn *launch,
                                const void *args, struct measure_samples *time, struct shoal_error *error);

/* Number of work-groups for the arithmetic kernels: many for each compute unit, so that a launch takes some
 * milliseconds, and the last groups, which leave units idle, cost little. */
size_t rig_groups(const struct rig *rig);
/* Bytes of a buffer for copies: much more than the caches have, but a small part of the device's memory. */
size_t rig_copy_bytes(const struct rig *rig);

/* Fused multiply-adds of floats or doubles. */
enum shoal_status measure_flops(struct rig *rig, bool fp64, struct measure_figure *figure,
                                struct shoal_error *error);
/* Copies by a kernel: the faster of its two forms. */
enum shoal_status measure_bandwidth(struct rig *rig, struct measure_figure *figure,
                                    struct shoal_error *error);
/* Launches of a kernel without arguments, each with a wait for its end or all with one wait. */
enum shoal_status measure_launch(struct rig *rig, bool wait_each, struct measure_figure *figure,
                                 struct shoal_error *error);

#endif
