/* Tests on the real OpenCL devices of the machine: PoCL at least. */
#ifndef SHOAL_TESTS_REAL_H
#define SHOAL_TESTS_REAL_H

#include "unit.h"

extern struct shoal *shoal;
extern struct shoal_device *device; /* the device under test */
extern struct shoal_queue *queue;   /* queue of the device under test, with profiling */

int real_setup(void **state);
int real_teardown(void **state);
#define REAL_TEST(function) cmocka_unit_test_setup_teardown(function, real_setup, real_teardown)

/* Kernels come from params.text or the test's folder; no cache. */
struct shoal_params real_params(void);
/* Closes the instance and opens it again with other parameters. */
void real_reopen(const struct shoal_params *params);
/* Goes on to the next OpenCL device; false after the last. */
bool real_next_device(void);

/* unit_program in OpenCL C. */
extern const char real_text[];
/* Builds unit_program with -D REAL. */
struct shoal_program *real_build(struct shoal_device *on, int64_t real);
struct shoal_buffer *real_buffer(struct shoal_device *on, size_t bytes);
/* Launches y += x. */
void real_launch_add(struct shoal_queue *on, struct shoal_kernel *kernel, uint32_t count,
                     struct shoal_buffer *x, struct shoal_buffer *y, struct shoal_event **event);
void real_expect_words(struct shoal_queue *on, struct shoal_buffer *buffer, uint32_t count, uint32_t wanted);

#endif
