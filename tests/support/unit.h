/* What the tests over the fake backend share: its state, a log that is kept, and a program. */
#ifndef SHOAL_TESTS_UNIT_H
#define SHOAL_TESTS_UNIT_H

#include "fake.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every test gets a fresh state: no SHOAL_* variables, one fake GPU, an empty folder, an empty log. Teardown
 * fails the test when objects are left or the core broke the backend's contract. */
int unit_setup(void **state);
int unit_teardown(void **state);
#define UNIT_TEST(function) cmocka_unit_test_setup_teardown(function, unit_setup, unit_teardown)

/* Opens an instance over the fake backend, without a cache, keeping messages of every log level. */
struct shoal *unit_open(void);
struct shoal *unit_open_peers(void); /* over fake_peer_backend alone */
struct shoal *unit_open_with(const struct shoal_params *params);
struct shoal_params unit_params(void);

/* Messages logged since the test began: "1 text\n" each, the digit being the level. */
const char *unit_log(void);
size_t unit_log_count(enum shoal_log_level level);
void unit_log_clear(void);
void unit_log_callback(void *data, enum shoal_log_level level, const char *message);

/* The program that most tests build: its text comes from params.text or a kernel folder. */
extern const struct shoal_program_desc unit_program;
extern const char unit_text[];
/* Builds unit_program from unit_text. */
struct shoal_program *unit_build(struct shoal_device *device);

struct unit_pair {
    uint32_t a, b, c;
};

/* Arguments of the entry "everything", in the order of its contract. */
enum { UNIT_EVERYTHING_ARGS = 11 };
void unit_everything_args(struct shoal_arg args[UNIT_EVERYTHING_ARGS], struct shoal_buffer *in,
                          struct shoal_buffer *out, const struct unit_pair *pair);

#endif
