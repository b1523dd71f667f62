/* What the tests over the fake driver share. */
#ifndef SHOAL_TESTS_CUDA_FIXTURE_H
#define SHOAL_TESTS_CUDA_FIXTURE_H

#include "fake/fake.h"
#include "scenario.h"
#include "test.h"

#include "compute/backend.h"
#include "compute/cuda/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct fake_cuda *fake;
/* What was logged since the test began, "LEVEL MESSAGE\n" each; data is NULL where nothing was. */
extern struct text log_text;

/* Finds the fake; 0, or the exit code of the test program. */
int find_fake(void);
/* Default settings, no calls counted, empty log. */
int setup(void **state);
int teardown(void **state);
#define FAKE_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* An instance with the CUDA backend alone; open_fake: without a cache. */
struct shoal *open_with(struct shoal_params *params);
struct shoal *open_fake(void);
/* scenario_desc with this text. */
struct shoal_program *build(struct shoal_device *device, const char *text);
/* A launch of "add_pair" on the first device of open_fake(), with all that it needs. */
struct add_pair {
    struct shoal *shoal;
    struct shoal_device *device;
    struct shoal_queue *queue;
    struct shoal_buffer *buffer;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
};
struct add_pair open_add_pair(unsigned queue_flags);
/* One with a program of its own on the first device of the instance; close_add_pair releases all. */
struct add_pair add_pair_of(struct shoal *shoal, struct shoal_program *program, unsigned queue_flags);
enum shoal_status launch_add_pair(const struct add_pair *o, struct shoal_queue *queue,
                                  struct shoal_event **event);
/* Fails the test where anything is left. */
void close_add_pair(struct add_pair *o);
/* Row `index` of the backend list, which must be CUDA's. */
const struct shoal_backend_info *note(const struct shoal *shoal, size_t index);

/* Every handle is released, every context popped. */
void assert_nothing_left(void);

#endif
