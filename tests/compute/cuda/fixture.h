/* What the tests over the fake driver share. */
#ifndef SHOAL_TESTS_CUDA_FIXTURE_H
#define SHOAL_TESTS_CUDA_FIXTURE_H

#include "fake/fake.h"
#include "scenario.h"

#include "compute/backend.h"
#include "compute/cuda/objects.h"

/* cmocka.h needs these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct fake_cuda *fake;
/* The record that the tests hand to calls. */
extern struct shoal_error error;
/* What was logged since the test began, "LEVEL MESSAGE\n" each; data is NULL where nothing was. */
extern struct text log_text;

/* Finds the fake; 0, or the exit code of the test program. */
int find_fake(void);
/* Default settings, no calls counted, empty log. */
int setup(void **state);
#define FAKE_TEST(function) cmocka_unit_test_setup(function, setup)

/* An instance with the CUDA backend alone; open_fake: without a cache. */
struct shoal *open_with(struct shoal_params *params);
struct shoal *open_fake(void);
/* scenario_desc with this text. */
struct shoal_program *build(struct shoal_device *device, const char *text);
/* Row `index` of the backend list, which must be CUDA's. */
const struct shoal_backend_info *note(const struct shoal *shoal, size_t index);

#define assert_status(call, wanted)                                                                          \
    do {                                                                                                     \
        enum shoal_status status_ = (call);                                                                  \
        if (status_ != (wanted))                                                                             \
            fail_msg("%s: %s: %s", #call, shoal_status_name(status_), error.message);                        \
    } while (0)
#define assert_ok(call) assert_status(call, SHOAL_OK)

void assert_holds(const char *text, const char *part);
/* Every handle is released, every context popped. */
void assert_nothing_left(void);

#endif
