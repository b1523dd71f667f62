/* Exclusive scan by both methods against a serial one. */
#include "harness.h"

#include "lib/scan.h"

#include <string.h>

enum fill { RANDOM, ONES, ZEROS, LARGEST, FILLS };

static void fill_words(uint32_t *words, size_t n, enum fill fill)
{
    if (fill == RANDOM)
        harness_words(words, n, 0);
    else
        for (size_t i = 0; i < n; i++)
            words[i] = fill == ONES ? 1 : fill == ZEROS ? 0 : UINT32_MAX;
}

/* Room behind each range, so that writes past it show. */
enum { ROOM = 5 };

static void check_ranges(struct shoal_scan *scan, enum fill fill, size_t n, size_t in, size_t out)
{
    if (!harness_takes_case())
        return;
    uint32_t *words = harness_memory((in + n) * 4), *wanted = harness_memory((out + n + ROOM) * 4),
             *got = harness_memory((out + n + ROOM) * 4), sum = 0;
    fill_words(words, in + n, fill);
    memset(wanted, 0xA5, (out + n + ROOM) * 4);
    for (size_t i = 0; i < n; i++) {
        wanted[out + i] = sum;
        sum += words[in + i];
    }
    struct shoal_buffer *input = harness_upload(words, (in + n) * 4),
                        *output = harness_buffer((out + n + ROOM) * 4);
    assert_ok(shoal_scan_run(scan, harness.queue, input, in, output, out, n, &test_error));
    harness_read(output, got, (out + n + ROOM) * 4);
    assert_words(got, wanted, out + n + ROOM);
    harness_release();
}

static void check_in_place(struct shoal_scan *scan, size_t n, size_t offset)
{
    if (!harness_takes_case())
        return;
    uint32_t *words = harness_memory((offset + n + ROOM) * 4), *got = harness_memory((offset + n + ROOM) * 4),
             sum = 0;
    fill_words(words, offset + n + ROOM, RANDOM);
    struct shoal_buffer *buffer = harness_upload(words, (offset + n + ROOM) * 4);
    for (size_t i = 0; i < n; i++) {
        const uint32_t word = words[offset + i];
        words[offset + i] = sum;
        sum += word;
    }
    assert_ok(shoal_scan_run(scan, harness.queue, buffer, offset, buffer, offset, n, &test_error));
    harness_read(buffer, got, (offset + n + ROOM) * 4);
    assert_words(got, words, offset + n + ROOM);
    harness_release();
}

/* Two ranges of a buffer, each scanned by itself; elements outside of them keep what they were. */
static void check_two(struct shoal_scan *scan, size_t n, size_t gap)
{
    const struct scan_range ranges[] = {{3, n}, {3 + n + gap, 2 * n + 1}};
    const size_t count = 3 + n + gap + 2 * n + 1 + ROOM;
    if (!harness_takes_case())
        return;
    uint32_t *words = harness_memory(count * 4), *wanted = harness_memory(count * 4),
             *got = harness_memory(count * 4);
    fill_words(words, count, RANDOM);
    memset(wanted, 0xA5, count * 4);
    for (size_t i = 0; i < 2; i++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < ranges[i].count; k++) {
            wanted[ranges[i].first + k] = sum;
            sum += words[ranges[i].first + k];
        }
    }
    struct shoal_buffer *input = harness_upload(words, count * 4), *output = harness_buffer(count * 4);
    assert_ok(scan_run_ranges(scan, harness.queue, input, output, ranges, 2, &test_error));
    harness_read(output, got, count * 4);
    assert_words(got, wanted, count);
    harness_release();
}

/* Ranges that together have as many elements as the scan takes. Both end within a tile, so that there is a
 * tile more than one range of their length would have. */
static void check_full(enum shoal_scan_method method, size_t n)
{
    struct shoal_scan *scan = NULL;
    assert_ok(scan_create(harness.device, 3 * n + 1, 2, method, harness.variant, &scan, &test_error));
    for (int run = 0; run < 2; run++)
        check_two(scan, n, 1);
    shoal_scan_destroy(&scan);
}

static void two_ranges(void **state)
{
    (void)state;
    static const enum shoal_scan_method methods[] = {SHOAL_SCAN_LOOKBACK, SHOAL_SCAN_BLOCKS,
                                                     SHOAL_SCAN_SERIAL};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct shoal_scan *scan = NULL;
        if (methods[i] == SHOAL_SCAN_LOOKBACK && !harness.info->int64_atomics)
            continue;
        assert_ok(scan_create(harness.device, 1000003, 2, methods[i], harness.variant, &scan, &test_error));
        for (size_t n = harness.tiny ? 700 : 300000; n > 0; n /= 7)
            check_two(scan, n, n % 2);
        assert_ok(shoal_queue_finish(harness.queue, &test_error));
        check_ranges(scan, LARGEST, harness.tiny ? 700 : 300000, 0, 0); /* one range */
        shoal_scan_destroy(&scan);
        check_full(methods[i], 1);
        check_full(methods[i], harness.tiny ? 700 : 5000);
    }
}

/* most: largest number of elements of the scan, by which the library chooses its tiles. */
static void check_scan(enum shoal_scan_method method, size_t most)
{
    static const size_t offsets[][2] = {{0, 0}, {4, 8}, {3, 5}, {0, 1}};
    struct shoal_scan *scan = NULL;
    assert_ok(shoal_scan_create(harness.device, most, method, harness.variant, &scan, &test_error));
    check_ranges(scan, RANDOM, 0, 0, 0);
    for (const size_t *n = harness_sizes(); *n; n++) {
        for (int fill = 0; fill < FILLS; fill++)
            check_ranges(scan, (enum fill)fill, *n, 0, 0);
        for (size_t i = 1; i < sizeof offsets / sizeof *offsets; i++)
            check_ranges(scan, RANDOM, *n, offsets[i][0], offsets[i][1]);
        check_in_place(scan, *n, 0);
        check_in_place(scan, *n, 7);
    }
    /* From a large run to small ones and back: what a run leaves in the status words must not count. */
    for (size_t n = harness.tiny ? 700 : 300000; n > 0; n /= 7)
        check_ranges(scan, LARGEST, n, 0, 0);
    check_ranges(scan, RANDOM, harness.tiny ? 700 : 300000, 0, 0);
    shoal_scan_destroy(&scan);
}

static void check_method(enum shoal_scan_method method)
{
    static const size_t most[] = {1000003, 100000000};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++)
        if (harness_takes_case())
            check_scan(method, most[i]);
}

static void lookback(void **state)
{
    (void)state;
    if (!harness.info->int64_atomics) {
        struct shoal_scan *scan = NULL;
        print_message("%s has no 64-bit atomics: look-back is refused\n", harness.info->id);
        assert_status(
            shoal_scan_create(harness.device, 1, SHOAL_SCAN_LOOKBACK, harness.variant, &scan, &test_error),
            SHOAL_UNSUPPORTED);
        return;
    }
    check_method(SHOAL_SCAN_LOOKBACK);
}

static void blocks(void **state)
{
    (void)state;
    check_method(SHOAL_SCAN_BLOCKS);
}

static void serial(void **state)
{
    (void)state;
    check_method(SHOAL_SCAN_SERIAL);
}

/* Many runs in flight at once: tickets and epochs go on from run to run without a wait between. */
static void check_row(enum shoal_scan_method method)
{
    enum { RUNS = 20 };
    const size_t n = harness.tiny ? 200 : 50001;
    struct shoal_scan *scan = NULL;
    assert_ok(shoal_scan_create(harness.device, n, method, harness.variant, &scan, &test_error));
    uint32_t *words = harness_memory(n * 4), *got = harness_memory(n * 4);
    fill_words(words, n, RANDOM);
    struct shoal_buffer *buffer = harness_upload(words, n * 4);
    for (int run = 0; run < RUNS; run++) {
        uint32_t sum = 0;
        assert_ok(shoal_scan_run(scan, harness.queue, buffer, 0, buffer, 0, n, &test_error));
        for (size_t i = 0; i < n; i++) {
            const uint32_t word = words[i];
            words[i] = sum;
            sum += word;
        }
    }
    harness_read(buffer, got, n * 4);
    assert_words(got, words, n);
    shoal_scan_destroy(&scan);
    harness_release();
}

static void runs_in_a_row(void **state)
{
    (void)state;
    check_row(SHOAL_SCAN_AUTO);
    if (harness.info->int64_atomics)
        check_row(SHOAL_SCAN_LOOKBACK);
}

static void host_device_is_refused(void **state)
{
    (void)state;
    struct shoal_scan *scan = NULL;
    struct shoal_device *host = NULL;
    size_t count = 0;
    assert_ok(shoal_device_select(harness.shoal, "host", 0, &host, 1, &count, &test_error));
    assert_status(shoal_scan_create(host, 1, SHOAL_SCAN_AUTO, harness.variant, &scan, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_null(scan);
}

static void wrong_arguments(void **state)
{
    (void)state;
    struct shoal_scan *scan = NULL;
    struct shoal_queue *queue = harness.queue;
    assert_status(shoal_scan_create(harness.device, 0, SHOAL_SCAN_AUTO, harness.variant, &scan, &test_error),
                  SHOAL_INVALID);
    assert_status(
        shoal_scan_create(harness.device, 1, (enum shoal_scan_method)9, harness.variant, &scan, &test_error),
        SHOAL_INVALID);
    assert_null(scan);
    assert_ok(shoal_scan_create(harness.device, 8, SHOAL_SCAN_AUTO, harness.variant, &scan, &test_error));
    struct shoal_buffer *a = harness_buffer(32), *b = harness_buffer(32);
    assert_status(shoal_scan_run(scan, queue, a, 0, b, 0, 9, &test_error), SHOAL_INVALID);
    assert_status(shoal_scan_run(scan, queue, a, 1, b, 0, 8, &test_error), SHOAL_INVALID);
    assert_status(shoal_scan_run(scan, queue, a, 0, b, 1, 8, &test_error), SHOAL_INVALID);
    assert_status(shoal_scan_run(scan, queue, a, 0, a, 1, 4, &test_error), SHOAL_INVALID);
    assert_ok(shoal_scan_run(scan, queue, a, 0, a, 4, 4, &test_error));
    static const struct scan_range two[] = {{0, 2}, {3, 2}};
    assert_status(scan_run_ranges(scan, queue, a, b, two, 2, &test_error), SHOAL_INVALID);
    assert_ok(scan_run_ranges(scan, queue, a, b, two, 0, &test_error));
    assert_ok(shoal_queue_finish(queue, &test_error));
    assert_non_null(shoal_scan_program(scan, 0));
    assert_null(shoal_scan_program(scan, 1));
    shoal_scan_destroy(&scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookback),        cmocka_unit_test(blocks),
        cmocka_unit_test(serial),          cmocka_unit_test(two_ranges),
        cmocka_unit_test(runs_in_a_row),   cmocka_unit_test(host_device_is_refused),
        cmocka_unit_test(wrong_arguments),
    };
    return harness_main("scan", tests, sizeof tests / sizeof *tests);
}
