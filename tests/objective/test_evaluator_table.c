/* Tables on a device: whole or in pieces that take turns, over a device that may be short of memory. */
#include "unit.h"

#include "objective/evaluate/evaluator_private.h"

static struct shoal *shoal;
static struct shoal_device *device;
static struct shoal_queue *queue;
static struct objective_table *table;

enum { COLUMNS = 3 };

static double number(size_t row, size_t column)
{
    return (double)(row * 10 + column);
}

static void open_all(size_t rows)
{
    double *values = malloc(rows * COLUMNS * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < rows * COLUMNS; i++)
        values[i] = number(i / COLUMNS, i % COLUMNS);
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(table_from_values(values, rows, COLUMNS, COLUMNS - 1, "a test", &table, &test_error));
    free(values);
    fake_clear_records();
}

static void close_all(void)
{
    table_destroy(&table);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

/* Do the first and the last row of the chunk stand where kernels look for them? */
static void check_rows(struct device_table *on_device, size_t k, enum shoal_precision precision)
{
    const size_t tile = row_tile(precision), real = precision == SHOAL_FP64 ? sizeof(double) : sizeof(float);
    struct shoal_buffer *rows = NULL;
    size_t count = 0;
    assert_ok(device_table_get(on_device, k, &rows, &count, &test_error));
    const size_t looked_at[] = {0, count / 2, count - 1};
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < COLUMNS; c++) {
            const size_t j = looked_at[i], at = (j / tile * COLUMNS + c) * tile + j % tile;
            double d = 0;
            float f = 0;
            assert_ok(shoal_buffer_read(queue, rows, at * real, real == sizeof d ? (void *)&d : (void *)&f,
                                        real, &test_error));
            assert_true((real == sizeof d ? d : (double)f) ==
                        number(k * device_table_chunk_rows(on_device) + j, c));
        }
}

static void a_table_that_fits_stays(void **state)
{
    (void)state;
    open_all(100);
    for (int precision = SHOAL_FP32; precision <= SHOAL_FP64; precision++) {
        struct device_table *whole = NULL;
        assert_ok(device_table_create(device, queue, table, (enum shoal_precision)precision, 0, &whole,
                                      &test_error));
        assert_int_equal(device_table_chunks(whole), 1);
        assert_false(device_table_streams(whole));
        check_rows(whole, 0, (enum shoal_precision)precision);
        const size_t writes = fake_count(FAKE_BUFFER_WRITE);
        check_rows(whole, 0, (enum shoal_precision)precision);
        assert_int_equal(fake_count(FAKE_BUFFER_WRITE), writes);
        device_table_destroy(&whole);
        assert_null(whole);
        device_table_destroy(&whole);
    }
    close_all();
}

static void two_pieces_stay_too(void **state)
{
    struct device_table *halves = NULL;
    (void)state;
    open_all(100);
    assert_ok(device_table_create(device, queue, table, SHOAL_FP64, 50, &halves, &test_error));
    assert_int_equal(device_table_chunk_rows(halves), 64);
    assert_int_equal(device_table_chunks(halves), 2);
    assert_false(device_table_streams(halves));
    check_rows(halves, 0, SHOAL_FP64);
    check_rows(halves, 1, SHOAL_FP64);
    const size_t writes = fake_count(FAKE_BUFFER_WRITE);
    check_rows(halves, 0, SHOAL_FP64);
    check_rows(halves, 1, SHOAL_FP64);
    assert_int_equal(fake_count(FAKE_BUFFER_WRITE), writes);
    device_table_destroy(&halves);
    close_all();
}

/* More pieces take turns; one waits for the launch that used its place. */
static void more_pieces_take_turns(void **state)
{
    struct device_table *pieces = NULL;
    (void)state;
    open_all(100);
    struct shoal_program *program = unit_build(device);
    struct shoal_kernel *noop = NULL;
    assert_ok(shoal_kernel_create(program, "noop", &noop, &test_error));
    assert_ok(device_table_create(device, queue, table, SHOAL_FP64, 16, &pieces, &test_error));
    assert_int_equal(device_table_chunks(pieces), 7);
    assert_true(device_table_streams(pieces));
    for (size_t turn = 0; turn < 2; turn++)
        for (size_t k = 0; k < 7; k++) {
            const size_t waits = fake_count(FAKE_QUEUE_WAIT);
            struct shoal_event *event = NULL;
            check_rows(pieces, k, SHOAL_FP64);
            assert_int_equal(fake_count(FAKE_QUEUE_WAIT) - waits, turn > 0 || k > 1);
            assert_ok(shoal_launch(queue, noop, 1, NULL, 0, &event, &test_error));
            device_table_used(pieces, k, event);
        }
    device_table_destroy(&pieces);
    shoal_kernel_destroy(&noop);
    shoal_program_destroy(&program);
    close_all();
}

/* 72 MB on a device of 64 MiB: in pieces, smaller ones where others hold memory. */
static void what_does_not_fit_goes_in_pieces(void **state)
{
    struct device_table *pieces = NULL;
    (void)state;
    open_all(3000000);
    assert_ok(device_table_create(device, queue, table, SHOAL_FP64, 0, &pieces, &test_error));
    const size_t first = device_table_chunk_rows(pieces);
    assert_true(first < 1500000 && first % row_tile(SHOAL_FP64) == 0);
    check_rows(pieces, device_table_chunks(pieces) - 1, SHOAL_FP64);
    device_table_destroy(&pieces);
    /* The second of two buffers cannot be had. */
    fake_fail_call(FAKE_BUFFER_CREATE, 2, SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_ok(device_table_create(device, queue, table, SHOAL_FP64, 0, &pieces, &test_error));
    assert_true(device_table_chunk_rows(pieces) <= first / 2 + row_tile(SHOAL_FP64));
    device_table_destroy(&pieces);
    /* Pieces of a size that the caller asks for are that size or nothing. */
    fake_fail_call(FAKE_BUFFER_CREATE, 2, SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_status(device_table_create(device, queue, table, SHOAL_FP64, 1000, &pieces, &test_error),
                  SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_null(pieces);
    close_all();
}

/* A piece that did not arrive is sent again. */
static void a_failed_copy_is_no_piece(void **state)
{
    struct device_table *whole = NULL;
    struct shoal_buffer *rows = NULL;
    size_t count = 0;
    (void)state;
    open_all(40);
    assert_ok(device_table_create(device, queue, table, SHOAL_FP64, 0, &whole, &test_error));
    fake_fail_call(FAKE_BUFFER_WRITE, 1, SHOAL_FAILED);
    assert_status(device_table_get(whole, 0, &rows, &count, &test_error), SHOAL_FAILED);
    check_rows(whole, 0, SHOAL_FP64);
    device_table_destroy(&whole);
    close_all();
}

/* A device that has a share of the rows holds the tiles of its share, and more as soon as they are asked for.
 */
static void a_share_holds_its_rows(void **state)
{
    struct device_table *share = NULL;
    struct shoal_buffer *rows = NULL;
    size_t count = 0;
    (void)state;
    open_all(100);
    assert_ok(device_table_create_share(device, queue, table, SHOAL_FP64, 64, &share, &test_error));
    assert_int_equal(device_table_chunks(share), 2);
    const struct {
        struct table_span span;
        size_t first[2], room; /* first tile of each chunk; rows that a buffer has room for */
    } held[] = {
        {{1, 2, 4}, {1, 0}, 16}, {{1, 3, 4}, {1, 0}, 32}, {{2, 3, 4}, {1, 0}, 32}, {{0, 4, 4}, {0, 0}, 64}};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        const size_t writes = fake_count(FAKE_BUFFER_WRITE);
        /* A call that fails holds nothing, and the same call may follow. */
        fake_fail_call(FAKE_BUFFER_CREATE, 2, SHOAL_OUT_OF_DEVICE_MEMORY);
        if (i != 2)
            assert_status(device_table_hold(share, &held[i].span, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
        fake_fail_call(FAKE_BUFFER_CREATE, 0, SHOAL_OK);
        assert_ok(device_table_hold(share, &held[i].span, &test_error));
        for (size_t k = 0; k < 2; k++) {
            const size_t first = held[i].first[k];
            double d = 0;
            assert_int_equal(device_table_first_tile(share, k), first);
            assert_ok(device_table_get(share, k, &rows, &count, &test_error));
            assert_int_equal(count, k ? 36 : 64);
            assert_int_equal(shoal_buffer_size(rows), held[i].room * COLUMNS * sizeof(double));
            assert_ok(shoal_buffer_read(queue, rows, 0, &d, sizeof d, &test_error));
            assert_true(d == number(64 * k + 16 * first, 0));
        }
        /* The third span lies within the second. */
        assert_true((fake_count(FAKE_BUFFER_WRITE) == writes) == (i == 2));
    }
    check_rows(share, 0, SHOAL_FP64);
    check_rows(share, 1, SHOAL_FP64);
    device_table_destroy(&share);
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(a_table_that_fits_stays),   UNIT_TEST(two_pieces_stay_too),
        UNIT_TEST(more_pieces_take_turns),    UNIT_TEST(what_does_not_fit_goes_in_pieces),
        UNIT_TEST(a_failed_copy_is_no_piece), UNIT_TEST(a_share_holds_its_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
