/* Native objects of the fake and the functions of the table that live in program.c. */
#ifndef SHOAL_TESTS_FAKE_NATIVES_H
#define SHOAL_TESTS_FAKE_NATIVES_H

#include "fake.h"

#include <stdatomic.h>

extern const char fake_mark_device[], fake_mark_queue[], fake_mark_buffer[], fake_mark_program[],
    fake_mark_kernel[], fake_mark_event[], fake_mark_block[];

/* Begins every native object, so that a wrong or dead pointer is noticed. */
struct native {
    const char *mark;
};

struct native_device {
    const char *mark;
    bool opened;
    /* Number of commands that were enqueued, and of those that are known to be done. */
    atomic_ulong commands, done;
};

enum { FAKE_MAX_FOLLOWED = 16 };

/* Commands of a device that are done before what is enqueued next. */
struct fake_followed {
    struct native_device *device;
    unsigned long commands;
};

struct native_queue {
    const char *mark;
    enum shoal_status later; /* error of a launch that was accepted */
    bool in_span;
    double clock, span_start, span_stop;
    struct fake_followed followed[FAKE_MAX_FOLLOWED];
};

struct native_buffer {
    const char *mark;
    unsigned char *data;
    atomic_ulong written; /* command of its device that wrote it last, copies apart */
    struct fake_followed readers[FAKE_MAX_FOLLOWED]; /* last copies of other devices from it */
};

struct native_program {
    const char *mark;
    char *image; /* what program_binary gives: magic, defines and text */
    size_t bytes;
};

struct native_kernel {
    const char *mark;
    struct fake_run run;
    const struct shoal_buffer *buffers[MAX_ARGS];
    uint64_t serials[MAX_ARGS];
    /* copy that this backend keeps, renewed only where the core says `changed` */
    unsigned char *values[MAX_ARGS];
};

struct native_event {
    const char *mark;
    double start, end;
    struct native_device *device; /* of a mark */
    unsigned long commands;
};

/* Returns the native object, after a check of its mark. */
void *fake_check(void *native, const char *mark);
void fake_check_device(const struct shoal_device *device);
/* Called when a command ran. Each command takes one millisecond of the queue's clock. `start` and `end` may
 * be NULL together. */
void fake_tick(struct shoal_queue *queue, double *start, double *end);

/* order.c. fake_write: a command of the queue writes the buffer: copies of other devices from it must be
 * done. fake_read_of_another: a command copies from a buffer of another device: what this device has written
 * must be done. fake_follow: what the queue enqueues from now on begins when that many commands of the device
 * are done. fake_all_done: all commands of the device are done. */
void fake_write(struct shoal_queue *queue, struct shoal_buffer *buffer);
void fake_read_of_another(struct shoal_queue *queue, struct shoal_buffer *source);
void fake_follow(struct shoal_queue *queue, struct native_device *device, unsigned long commands);
void fake_all_done(struct shoal_device *of);

/* gather.c: runs a kernel that reads memory of other devices. */
void fake_gather(struct shoal_queue *queue, struct shoal_kernel *kernel);

enum shoal_status fake_program_build(struct shoal_program *program, const struct build_input *input,
                                     struct shoal_error *error);
enum shoal_status fake_program_load(struct shoal_program *program, const void *binary, size_t bytes,
                                    struct shoal_error *error);
enum shoal_status fake_program_binary(struct shoal_program *program, void **binary, size_t *bytes,
                                      struct shoal_error *error);
void fake_program_destroy(struct shoal_program *program);
enum shoal_status fake_kernel_create(struct shoal_kernel *kernel, struct shoal_error *error);
enum shoal_status fake_kernel_limit(struct shoal_kernel *kernel, uint32_t *max_work_group,
                                    struct shoal_error *error);
void fake_kernel_destroy(struct shoal_kernel *kernel);
enum shoal_status fake_launch(struct shoal_queue *queue, struct shoal_kernel *kernel, size_t groups,
                              struct shoal_event *event, struct shoal_error *error);

#endif
