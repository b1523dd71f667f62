#include "test.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct test_share test_read_share(const char *variable)
{
    struct test_share share = {1, 1};
    const char *text = getenv(variable);
    if (text && (sscanf(text, "%u/%u", &share.number, &share.of) != 2 || share.number < 1 ||
                 share.number > share.of)) {
        fprintf(stderr, "%s is \"%s\": it must be like 2/3\n", variable, text);
        exit(1);
    }
    return share;
}

bool test_is_of(struct test_share share, unsigned number)
{
    return number % share.of + 1 == share.number;
}

bool test_is_of_mixed(struct test_share share, unsigned number)
{
    /* Fibonacci hashing: Knuth, The Art of Computer Programming, volume 3, section 6.4. */
    return test_is_of(share, (number * 2654435769u) >> 16);
}

bool test_is_of_quick(unsigned number)
{
    return !getenv("SHOAL_TEST_SHARE") || test_is_of_mixed(test_read_share("SHOAL_TEST_TURN"), number);
}

unsigned test_name_number(const char *name)
{
    unsigned sum = 0;
    while (*name)
        sum = 31 * sum + (unsigned char)*name++;
    return sum;
}

bool test_takes_function(const char *name)
{
    return test_is_of_mixed(test_read_share("SHOAL_TEST_FUNCTIONS"), test_name_number(name));
}

int test_run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                   CMFixtureFunction teardown)
{
    struct CMUnitTest taken[128];
    size_t used = 0;
    assert(count <= sizeof taken / sizeof *taken);
    for (size_t i = 0; i < count; i++)
        if (test_takes_function(tests[i].name))
            taken[used++] = tests[i];
    return _cmocka_run_group_tests(name, taken, used, setup, teardown);
}
