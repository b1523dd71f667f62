/* How units are divided among parts. */
#include "split/split.h"
#include "test.h"

enum { MOST = 8 };

static void expect(uint64_t units, const double *weights, size_t count, const uint64_t *wanted)
{
    uint64_t shares[MOST];
    split_divide(units, weights, count, shares);
    for (size_t k = 0; k < count; k++)
        assert_int_equal(shares[k], wanted[k]);
}

static void equal_shares(void **state)
{
    (void)state;
    expect(9, NULL, 3, (const uint64_t[]){3, 3, 3});
    expect(7, NULL, 3, (const uint64_t[]){3, 2, 2});
    expect(3, NULL, 3, (const uint64_t[]){1, 1, 1});
    expect(1, NULL, 1, (const uint64_t[]){1});
}

static void weighted_shares(void **state)
{
    (void)state;
    expect(32, (const double[]){23, 9}, 2, (const uint64_t[]){23, 9});
    expect(10, (const double[]){23, 9}, 2, (const uint64_t[]){7, 3});
    expect(10, (const double[]){1, 0, 3}, 3, (const uint64_t[]){3, 0, 7}); /* 2.5 and 7.5: the first */
    expect(2, (const double[]){1000, 1}, 2, (const uint64_t[]){2, 0});
    expect(1, (const double[]){0, 0.5}, 2, (const uint64_t[]){0, 1});
    expect(4, (const double[]){1, 100}, 2, (const uint64_t[]){0, 4});
}

/* All units are given out, each share is within one of its exact value, and equal weights are equal shares.
 */
static void any_shares(void **state)
{
    (void)state;
    uint64_t shares[MOST];
    uint32_t random = 1;
    for (unsigned n = 0; n < 20000; n++) {
        double weights[MOST], sum = 0;
        random = random * 1664525 + 1013904223;
        const size_t count = 1 + random % MOST;
        const uint64_t units = random >> 8 & 0xFFFF;
        for (size_t k = 0; k < count; k++) {
            random = random * 1664525 + 1013904223;
            weights[k] = (random >> 10) % 3 ? (double)(random >> 12) * 1e-3 : 0;
            sum += weights[k];
        }
        if (!(sum > 0))
            continue;
        split_divide(units, weights, count, shares);
        uint64_t given = 0;
        for (size_t k = 0; k < count; k++) {
            const double exact = (double)units * weights[k] / sum;
            assert_true((double)shares[k] > exact - 1 - 1e-6 && (double)shares[k] < exact + 1 + 1e-6);
            assert_true(weights[k] > 0 || !shares[k]);
            given += shares[k];
        }
        assert_int_equal(given, units);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_shares), cmocka_unit_test(weighted_shares),
                                       cmocka_unit_test(any_shares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
