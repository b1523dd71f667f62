/* What the unit tests share: assertions on statuses and texts, a temporary folder, a log that is kept. */
#ifndef SHOAL_TESTS_UNIT_H
#define SHOAL_TESTS_UNIT_H

#include "fake.h"

/* cmocka.h needs these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cmocka's macro of this name hides the library's function. */
#undef fail

/* Every test gets a fresh state: no SHOAL_* variables, one fake GPU, an empty folder, an empty log. Teardown
 * fails the test when objects are left or the core broke the backend's contract. */
int unit_setup(void **state);
int unit_teardown(void **state);
#define UNIT_TEST(function) cmocka_unit_test_setup_teardown(function, unit_setup, unit_teardown)

/* Compares the status; prints the error record where they differ. */
void unit_status(enum shoal_status got, enum shoal_status wanted, const struct shoal_error *error,
                 const char *expression, const char *file, int line);
#define assert_status(call, wanted) unit_status((call), (wanted), &unit_error, #call, __FILE__, __LINE__)
#define assert_ok(call)             assert_status(call, SHOAL_OK)
/* The record that the tests hand to calls. */
extern struct shoal_error unit_error;

void unit_contains(const char *text, const char *part, bool wanted, const char *file, int line);
#define assert_contains(text, part) unit_contains(text, part, true, __FILE__, __LINE__)
#define assert_lacks(text, part)    unit_contains(text, part, false, __FILE__, __LINE__)

/* Opens over the fake: no cache, every log level kept. */
struct shoal *unit_open(void);
struct shoal *unit_open_with(const struct shoal_params *params);
struct shoal_params unit_params(void);

/* Messages logged since the test began: "1 text\n" each, the digit being the level. */
const char *unit_log(void);
size_t unit_log_count(enum shoal_log_level level);
void unit_log_clear(void);
void unit_log_callback(void *data, enum shoal_log_level level, const char *message);

/* The test's own folder, removed at its end. */
const char *unit_folder(void);
/* Path inside it; valid for the next few calls. */
const char *unit_path(const char *format, ...) SHOAL_PRINTF(1, 2);
void unit_write_file(const char *path, const void *data, size_t bytes);
void unit_write_text(const char *path, const char *text);
/* Number of entries of a folder whose names end in `suffix`; the path of the first in `first` (may be NULL).
 */
size_t unit_count_files(const char *folder, const char *suffix, char *first, size_t size);

/* The program that most tests build: its text comes from params.text or a kernel folder. */
extern const struct shoal_program_desc unit_program;
extern const char unit_text[];
/* Builds unit_program from unit_text. */
struct shoal_program *unit_build(struct shoal_device *device);

struct unit_pair {
    uint32_t a, b, c;
};

/* Arguments of the entry "everything", in order. */
enum { UNIT_EVERYTHING_ARGS = 11 };
void unit_everything_args(struct shoal_arg args[UNIT_EVERYTHING_ARGS], struct shoal_buffer *in,
                          struct shoal_buffer *out, const struct unit_pair *pair);

#endif
