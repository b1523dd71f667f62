/* What all tests share, over the fake backend and on devices: assertions, and a folder for each test. */
#ifndef SHOAL_TESTS_TEST_H
#define SHOAL_TESTS_TEST_H

/* cmocka.h needs the following headers before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <shoal/shoal.h>

/* Called by unit_setup and the harness before and after each test: empties record and label, and makes a new
 * folder. Returns 0, or -1 where no folder can be made. */
int test_begin(void **state);
int test_end(void **state);

/* The error record that tests hand to the calls under test. */
extern struct shoal_error test_error;

/* States which case of many is tested from here on. A test that fails prints this label. */
void test_label(const char *format, ...) SHOAL_PRINTF(1, 2);

/* A share of the cases, such as "2/3" in $SHOAL_TEST_SHARE: case `number`, counted from 1, of each `of`
 * cases. Without the variable all cases are taken. */
struct test_share {
    unsigned number, of;
};
struct test_share test_read_share(const char *variable);
/* Whether case `number`, counted from 0, belongs to the share. */
bool test_is_of(struct test_share share, unsigned number);
/* The same for cases in an order that has nothing to do with the loops over their kinds. */
bool test_is_of_mixed(struct test_share share, unsigned number);
/* Whether to test case `number` in quick, where only a share of the cases is asked for: those of the share
 * $SHOAL_TEST_TURN, in no order. Else each is. */
bool test_is_of_quick(unsigned number);

/* A number that stands for the function of this name in test_is_of_mixed. */
unsigned test_name_number(const char *name);
/* Whether the test function of this name belongs to the share $SHOAL_TEST_FUNCTIONS, such as "2/4"; without
 * the variable each does. */
bool test_takes_function(const char *name);
/* Runs those of the functions that test_takes_function takes. */
int test_run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                   CMFixtureFunction teardown);
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                                       \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                            \
    test_run_group((name), (tests), sizeof(tests) / sizeof *(tests), (setup), (teardown))

/* Prints the label and fails the test. */
void test_fail(const char *file, int line);
/* A macro of cmocka with this name hides a function of the library, and cmocka's fail_msg knows no label. */
#undef fail
#undef fail_msg
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), test_fail(__FILE__, __LINE__))

/* Compares the status, and prints the error record where the status differs. A call that is to fail must
 * describe its failure in the record, in one line. */
void test_status(enum shoal_status got, enum shoal_status wanted, const char *expression, const char *file,
                 int line);
#define assert_status(call, wanted) test_status((call), (wanted), #call, __FILE__, __LINE__)
#define assert_ok(call)             assert_status(call, SHOAL_OK)

void test_contains(const char *text, const char *part, bool wanted, const char *file, int line);
#define assert_contains(text, part) test_contains(text, part, true, __FILE__, __LINE__)
#define assert_lacks(text, part)    test_contains(text, part, false, __FILE__, __LINE__)

/* Checks that two numbers are near each other. NaN is near no number; an infinite number is near itself
 * alone. */
void test_near(double got, double wanted, double tolerance, const char *expression, const char *file,
               int line);
#define assert_near(value, wanted, tolerance)                                                                \
    test_near((value), (wanted), (tolerance), #value, __FILE__, __LINE__)
/* As test_near, with a tolerance relative to `wanted` where that is larger than 1. */
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
/* Path inside the test's folder, valid for the next few calls. */
const char *test_path(const char *format, ...) SHOAL_PRINTF(1, 2);
/* The functions that write also make the folders of the path. */
void test_write_file(const char *path, const void *data, size_t bytes);
void test_write_text(const char *path, const char *text);
/* Number of entries of a folder whose names end in `suffix`. `first` (may be NULL) receives the path of the
 * first of them. */
size_t test_count_files(const char *path, const char *suffix, char *first, size_t size);

#endif
