/* A run divided over ranks, which are threads here, over the fake backend: each call of a backend, and each
 * message, fails in turn. */
#include "memory_ranks.h"
#include "unit.h"

#include <shoal/pso.h>
#include <shoal/split.h>

enum { RANKS = MEMORY_RANKS };

static struct memory_ranks all;
static struct shoal_ranks *ranks;
static struct shoal *shoal;

/* Five islands that meet in every step. */
static enum shoal_status run(struct shoal_report *report)
{
    const struct shoal_pso_params params =
        SHOAL_PSO_PARAMS(.search.runs = 1, .search.islands = 5, .search.exchange = 1, .search.dim = 2,
                         .search.iterations = 5, .search.target = -1, .particles = 8);
    struct shoal_device *devices[RANKS];
    for (size_t i = 0; i < RANKS; i++)
        devices[i] = shoal_ranks_device_at(ranks, i);
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = devices, .count = RANKS);
    *report = (struct shoal_report){.size = sizeof *report};
    return shoal_run_split(shoal_workload_find("pso"), &split, &params, NULL, report, &test_error);
}

/* A call that fails on another rank ends the run with the same status, and names one part: those of the
 * share, in turn. */
static void failing_calls(void **state)
{
    (void)state;
    const struct test_share share = test_read_share("SHOAL_TEST_SHARE");
    unsigned failed = 0, named = 0, of_others = 0;
    all = (struct memory_ranks){.count = RANKS};
    assert_ok(memory_begin(&all, RANKS, &ranks, &test_error));
    assert_ok(memory_open(ranks, "", &shoal, &test_error));
    for (unsigned n = 1;; n++) {
        struct shoal_report report;
        if (!test_is_of(share, n))
            continue;
        fake_fail_nth(n, SHOAL_OUT_OF_DEVICE_MEMORY);
        const enum shoal_status status = run(&report);
        const enum fake_call failed_call = fake_failed_call();
        fake_fail_nth(0, SHOAL_OK);
        shoal_report_clear(&report);
        if (failed_call == FAKE_CALLS)
            break;
        const char *part = strstr(test_error.message, "part ");
        assert_true(status != SHOAL_OK || failed_call == FAKE_QUEUE_FINISH);
        assert_true(!part || !strstr(part + 1, "part "));
        failed++;
        named += part != NULL;
        of_others += strstr(test_error.message, ", rank1:fake:0 on host1: ") != NULL;
    }
    assert_true(failed * share.of > 50 && named * share.of > 20 && of_others * share.of > 10);
    shoal_close(&shoal);
    memory_end(&all, &ranks, 0);
}

/* Whichever message does not get through, the run ends, and nothing is left: teardown looks. */
static void failing_messages(void **state)
{
    (void)state;
    unsigned lost = 0, messages = 0;
    for (unsigned n = 0; n <= messages; n += 1 + n / 16) { /* at first all get through, and are counted */
        struct shoal_report report = {.size = sizeof report};
        all = (struct memory_ranks){.fails_at = n};
        enum shoal_status status = memory_begin(&all, RANKS, &ranks, &test_error);
        if (!status)
            status = memory_open(ranks, "", &shoal, &test_error);
        if (!status)
            status = run(&report);
        messages = n ? messages : all.calls;
        lost += status == SHOAL_DEVICE_LOST;
        shoal_report_clear(&report);
        shoal_close(&shoal);
        memory_end(&all, &ranks, 1);
    }
    assert_true(messages > 100 && lost > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(failing_calls), UNIT_TEST(failing_messages)};
    return cmocka_run_group_tests_name("ranks of a run", tests, NULL, NULL);
}
