/* Rates of each device: every kernel computes what the host expects, and a figure without a value has one of
 * the reasons that are no fault. The figures themselves are not judged. */
#include "harness.h"

#include <shoal/measure.h>
#include <string.h>

static size_t measured, lacking;

static bool is_lack(const char *reason)
{
    static const char *const lacks[] = {"no double precision", "cl_khr_fp16", "cl_khr_integer_dot_product",
                                        "through CUDA"};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (strstr(reason, lacks[i]))
            return true;
    return false;
}

static bool take(void *data, const struct shoal_rate *rate)
{
    (void)data;
    if (*rate->reason && !is_lack(rate->reason))
        fail_msg("%s %s: %s", rate->part, rate->name, rate->reason);
    if (!*rate->reason)
        assert_true(rate->least > 0 && rate->least <= rate->value && rate->value <= rate->most);
    measured += !*rate->reason;
    lacking += *rate->reason != 0;
    return true;
}

static void every_rate(void **state)
{
    (void)state;
    const struct shoal_rates_params params =
        SHOAL_RATES_PARAMS(.figure_seconds = 1e-4, .seconds = 1000, .most_bytes = 1 << 20, .give = take);
    measured = lacking = 0;
    assert_ok(shoal_measure_rates(harness.device, &params, &test_error));
    assert_int_equal(measured + lacking, 27 + 5 * 5);
    assert_true(measured >= 18 + 5 * 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(every_rate)};
    return harness_main("rates-device", tests, sizeof tests / sizeof *tests);
}
