/* Which entries of the kernel cache are used: those of this code and this user. */
#include "cache_fixture.h"

#include "base/input.h"

#include <sys/stat.h>
#include <unistd.h>

/* The code of other defines, under the name of the entry. */
static void an_entry_under_another_name_is_none(void **state)
{
    (void)state;
    char own[1024], other[1024];
    open_cache(cache_path());
    build_text(unit_text, NULL, 2);
    snprintf(other, sizeof other, "%s", first_entry());
    assert_int_equal(rename(other, test_path("other")), 0);
    build();
    snprintf(own, sizeof own, "%s", first_entry());
    shoal_close(&shoal);
    size_t bytes;
    char *swapped = input_read(test_path("other"), INPUT_DATA_MOST, &bytes);
    assert_non_null(swapped);
    expect_repair(own, swapped, bytes);
    free(swapped);
}

static void expect_refusal(const char *reason, size_t loaded)
{
    open_cache(cache_path());
    build();
    expect_calls(1, 0);
    assert_contains(unit_log(), reason);
    build();
    expect_calls(1 - loaded, loaded);
    expect_warnings(1);
    shoal_close(&shoal);
}

/* Entries are native code: who can write them runs as this user. */
static void what_others_can_write_is_not_used(void **state)
{
    (void)state;
    open_cache(cache_path());
    build();
    shoal_close(&shoal);
    const char *path = first_entry();
    static const mode_t modes[] = {0020, 0002, 01022};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(cache_path(), 0700 | modes[i]), 0);
        expect_refusal("refused the folder", 0); /* neither read nor written */
        assert_int_equal(chmod(cache_path(), 0700), 0);
        assert_int_equal(chmod(path, 0600 | modes[i]), 0);
        expect_refusal("other users can write to it", 1); /* replaced by an own one */
    }
    assert_int_equal(rename(path, test_path("moved")), 0);
    assert_int_equal(symlink(test_path("moved"), path), 0);
    expect_refusal("removed the entry", 1);
    if (geteuid() != 0)
        return;
    assert_int_equal(chown(path, 4242, 0), 0);
    expect_refusal("it belongs to another user", 1);
    assert_int_equal(chown(cache_path(), 4242, 0), 0);
    expect_refusal("refused the folder", 0);
    assert_int_equal(chown(cache_path(), 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(an_entry_under_another_name_is_none),
        UNIT_TEST(what_others_can_write_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
