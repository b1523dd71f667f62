/* What all tests share, those over the fake backend and those on devices: assertions, and a folder of its own
 * for each test. */
#ifndef SHOAL_TESTS_TEST_H
#define SHOAL_TESTS_TEST_H

/* cmocka.h needs these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <shoal/shoal.h>

/* What unit_setup and the harness call before and after each test: record and label are empty, the folder is
 * new. 0, or -1 where no folder can be made. */
int test_begin(void **state);
int test_end(void **state);

/* The record that tests hand to the calls under test. */
extern struct shoal_error test_error;

/* Which case of many is tested from here on: what fails prints it. */
void test_label(const char *format, ...) SHOAL_PRINTF(1, 2);

/* Case `number` of each `of`, from 1, of a variable such as $SHOAL_TEST_SHARE: "2/3". Not set: all. */
struct test_share {
    unsigned number, of;
};
struct test_share test_read_share(const char *variable);
/* Cases are counted from 0. */
bool test_is_of(struct test_share share, unsigned number);

/* Prints the label and fails the test. */
void test_fail(const char *file, int line);
/* cmocka's macro of this name hides a function of the library, and its fail_msg knows no label. */
#undef fail
#undef fail_msg
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), test_fail(__FILE__, __LINE__))

/* Compares the status and prints the record where it differs. A call that is to fail must describe its
 * failure there, in one line. */
void test_status(enum shoal_status got, enum shoal_status wanted, const char *expression, const char *file,
                 int line);
#define assert_status(call, wanted) test_status((call), (wanted), #call, __FILE__, __LINE__)
#define assert_ok(call)             assert_status(call, SHOAL_OK)

void test_contains(const char *text, const char *part, bool wanted, const char *file, int line);
#define assert_contains(text, part) test_contains(text, part, true, __FILE__, __LINE__)
#define assert_lacks(text, part)    test_contains(text, part, false, __FILE__, __LINE__)

/* NaN is near nothing; an infinite number only to itself. */
void test_near(double got, double wanted, double tolerance, const char *expression, const char *file,
               int line);
#define assert_near(value, wanted, tolerance)                                                                \
    test_near((value), (wanted), (tolerance), #value, __FILE__, __LINE__)
/* Relative to `wanted` where that is larger than 1. */
void test_close(double got, double wanted, double tolerance, const char *expression, const char *file,
                int line);
#define assert_close(value, wanted, tolerance)                                                               \
    test_close((value), (wanted), (tolerance), #value, __FILE__, __LINE__)
void test_at_most(double got, double limit, const char *expression, const char *file, int line);
#define assert_at_most(value, limit) test_at_most((value), (limit), #value, __FILE__, __LINE__)

/* Compares arrays of 32-bit words and names the first difference. */
void test_words(const uint32_t *got, const uint32_t *wanted, size_t n, const char *file, int line);
#define assert_words(got, wanted, n) test_words((got), (wanted), (n), __FILE__, __LINE__)

/* The device of the host solvers. */
struct shoal_device *test_host_device(const struct shoal *shoal);

/* The test's folder, removed at its end. */
const char *test_folder(void);
/* Path inside it; valid for the next few calls. */
const char *test_path(const char *format, ...) SHOAL_PRINTF(1, 2);
/* These make the folders of the path too. */
void test_write_file(const char *path, const void *data, size_t bytes);
void test_write_text(const char *path, const char *text);
/* Number of entries of a folder whose names end in `suffix`; the path of the first in `first` (may be NULL).
 */
size_t test_count_files(const char *path, const char *suffix, char *first, size_t size);

#endif
