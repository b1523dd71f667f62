/* A run divided over ranks, which are threads here, over the fake backend: each call of a backend, and each
 * message, fails in turn, and ranks are lost whose cards rank 0 uses itself. */
#include "base/clock.h"
#include "memory_ranks.h"
#include "unit.h"

#include <shoal/pso.h>
#include <shoal/split.h>

enum { RANKS = MEMORY_RANKS, STEPS = 5 };

static struct memory_ranks all;
static struct shoal_ranks *ranks;
static struct shoal *shoal;

/* Five islands that meet in every step. */
static enum shoal_status run_by(const struct shoal_run_params *how, struct shoal_report *report)
{
    const struct shoal_pso_params params =
        SHOAL_PSO_PARAMS(.search.runs = 1, .search.islands = 5, .search.exchange = 1, .search.dim = 2,
                         .search.iterations = STEPS, .search.target = -1, .particles = 8);
    struct shoal_device *devices[RANKS];
    for (size_t i = 0; i < RANKS; i++)
        devices[i] = shoal_ranks_device_at(ranks, i);
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = devices, .count = RANKS);
    *report = (struct shoal_report){.size = sizeof *report};
    return shoal_run_split(shoal_workload_find("pso"), &split, &params, how, report, &test_error);
}

static enum shoal_status run(struct shoal_report *report)
{
    return run_by(NULL, report);
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

/* Cards ------------------------------------------------------------------------------------------------ */

/* A card for each rank of one host, all of which rank 0 uses itself. */
static void begin_cards(void)
{
    struct shoal_device_info info = fake_gpu("Fake card");
    fake_reset();
    info.has_pci = true;
    for (uint32_t r = 0; r < RANKS; r++) {
        info.pci.bus = r;
        fake_add_device(&fake_backend, &info);
    }
    all = (struct memory_ranks){.ranks = {{.host = "h"}, {.host = "h"}, {.host = "h"}}};
    assert_ok(memory_begin(&all, RANKS, &ranks, &test_error));
    assert_ok(memory_open(ranks, "", &shoal, &test_error));
    assert_string_equal(shoal_device_get_info(shoal_ranks_device_at(ranks, 1))->id, "fake:1");
}

static void stop_rank(uint32_t rank)
{
    pthread_mutex_lock(&all.lock);
    all.stopped = rank;
    pthread_mutex_unlock(&all.lock);
}

static void end_cards(void)
{
    shoal_close(&shoal);
    memory_end(&all, &ranks, 1);
    assert_int_equal(all.ended, 1);
}

/* Cards go on without their ranks, so a step of the run finds out. */
static void a_stopped_rank_of_a_card(void **state)
{
    (void)state;
    struct shoal_report report;
    enum shoal_status status = SHOAL_OK;
    begin_cards();
    shoal_ranks_hang_limit(ranks, 0.3);
    assert_ok(run(&report));
    shoal_report_clear(&report);
    stop_rank(2);
    for (const double start = clock_seconds(); !status && clock_seconds() - start < 20;) {
        status = run(&report);
        shoal_report_clear(&report);
    }
    assert_int_equal(status, SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "rank 2 on h has not answered for 0.3 s: it was stopped or killed");
    assert_null(strstr(test_error.message, "part "));
    end_cards();
}

static bool stops(void *data)
{
    (void)data;
    return true;
}

/* A launcher that has lost a rank stops the run, which then says which rank it was. */
static void a_stop_after_a_lost_rank(void **state)
{
    (void)state;
    const struct shoal_run_params how = SHOAL_RUN_PARAMS(.stop = stops);
    struct shoal_report report;
    begin_cards();
    ranks->lives.stop = stops;
    assert_status(run_by(&how, &report), SHOAL_STOPPED);
    shoal_report_clear(&report);
    stop_rank(1);
    /* The report holds the result so far, as that of any run that was stopped. */
    assert_status(run_by(&how, &report), SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "rank 1 on h has not answered for 0.3 s");
    assert_true(report.solver && report.stopped && report.result.steps < STEPS);
    shoal_report_clear(&report);
    end_cards();
}

/* Cards need no rank, so a run that ends by itself, after it was told to end, is complete. */
static void a_run_that_is_complete_without_a_rank(void **state)
{
    (void)state;
    struct shoal_report report;
    begin_cards();
    stop_rank(1);
    ranks->lives.stop = stops;
    assert_ok(run(&report));
    assert_true(report.solver && report.result.steps == STEPS);
    shoal_report_clear(&report);
    end_cards();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(failing_calls), UNIT_TEST(failing_messages), UNIT_TEST(a_stopped_rank_of_a_card),
        UNIT_TEST(a_stop_after_a_lost_rank), UNIT_TEST(a_run_that_is_complete_without_a_rank)};
    return cmocka_run_group_tests_name("ranks of a run", tests, NULL, NULL);
}
