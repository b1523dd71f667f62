/* Rows on a device over a fake one: which are there, in which order, how chunks take turns, what fails. */
#include "unit.h"

#include "mlp/device/rows.h"

#include "mlp/host/texts.h"

#include <string.h>

enum { ROWS = 100, INPUTS = 3, OUTPUTS = 2, BATCH = 8, EVERY_ROW = 1 << 20 };

static struct shoal *shoal;
static struct shoal_device *device;
static struct shoal_queue *queue;
static struct shoal_kernel *noop;
static struct shoal_program *program;
static struct prepared prepared;

static void *memory(size_t bytes)
{
    void *const room = calloc(1, bytes);
    assert_non_null(room);
    return room;
}

static void open_all(size_t rows)
{
    shoal = unit_open();
    device = shoal_device_at(shoal, 0);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    program = unit_build(device);
    assert_ok(shoal_kernel_create(program, "noop", &noop, &test_error));
    prepared = (struct prepared){.rows = rows,
                                 .inputs = INPUTS,
                                 .outputs = OUTPUTS,
                                 .storage = STORAGE_FP32,
                                 .row_bytes = INPUTS * sizeof(float)};
    float *const data = memory(rows * prepared.row_bytes);
    prepared.data = (unsigned char *)data;
    prepared.targets = memory(rows * OUTPUTS * sizeof(double));
    prepared.weights = memory(rows * sizeof(double));
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < INPUTS; i++)
            data[r * INPUTS + i] = (float)(4 * r + i); /* exact: below 2^24 */
        for (size_t o = 0; o < OUTPUTS; o++)
            prepared.targets[r * OUTPUTS + o] = 0.5 + (double)(r * OUTPUTS + o);
        prepared.weights[r] = 0.25 * (double)r;
    }
    fake_clear_records();
}

static void close_all(void)
{
    free(prepared.data);
    free(prepared.targets);
    free(prepared.weights);
    shoal_kernel_destroy(&noop);
    shoal_program_destroy(&program);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static struct device_rows_setup setup_of(uint64_t chunk_rows)
{
    return (struct device_rows_setup){
        .queue = queue, .prepared = &prepared, .chunk_rows = chunk_rows, .least = BATCH, .room = 56 << 20};
}

static struct device_rows *open_rows(uint64_t chunk_rows)
{
    const struct device_rows_setup setup = setup_of(chunk_rows);
    struct device_rows *rows;
    assert_ok(device_rows_create(&setup, &rows, &test_error));
    return rows;
}

static double number_at(struct shoal_buffer *buffer, size_t place)
{
    float number;
    assert_ok(shoal_buffer_read(queue, buffer, place * sizeof number, &number, sizeof number, &test_error));
    return (double)number;
}

/* Is it row `row` that is at that place? */
static void check_row(const struct rows_view *view, size_t place, size_t row)
{
    assert_null(view->classes);
    for (size_t i = 0; i < INPUTS; i++)
        assert_true(number_at(view->data, place * INPUTS + i) == (double)(4 * row + i));
    for (size_t o = 0; o < OUTPUTS; o++)
        assert_true(number_at(view->targets, place * OUTPUTS + o) == 0.5 + (double)(row * OUTPUTS + o));
    assert_true(number_at(view->weights, place) == 0.25 * (double)row);
}

static void use(struct device_rows *rows)
{
    struct shoal_event *event = NULL;
    assert_ok(shoal_launch(queue, noop, 1, NULL, 0, &event, &test_error));
    device_rows_used(rows, event);
}

static struct rows_part epoch_of(size_t rows, uint32_t epoch)
{
    return (struct rows_part){.count = rows, .unit = BATCH, .is_shuffled = true, .seed = 5, .epoch = epoch};
}

static void rows_that_fit_stay(void **state)
{
    (void)state;
    open_all(ROWS);
    for (int turn = 0; turn < 2; turn++) { /* without chunks, and with one of all rows */
        struct device_rows *rows = open_rows(turn ? EVERY_ROW : 0);
        const struct rows_part epoch = epoch_of(60, 0), rest = {.first = 60, .count = 40, .unit = 40};
        struct rows_view view;
        assert_false(device_rows_are_chunks(rows));
        assert_int_equal(device_rows_chunk(rows), ROWS);
        const size_t writes = fake_count(FAKE_BUFFER_WRITE);
        assert_ok(device_rows_take(rows, &epoch, 3 * BATCH, &view, &test_error));
        assert_false(view.is_ordered);
        assert_int_equal(view.first, 3 * BATCH);
        assert_ok(device_rows_take(rows, &rest, 0, &view, &test_error));
        assert_true(view.is_ordered);
        assert_int_equal(view.first, 60);
        assert_int_equal(view.upload, 1);
        for (size_t r = 0; r < ROWS; r++)
            check_row(&view, r, r);
        assert_int_equal(fake_count(FAKE_BUFFER_WRITE), writes);
        device_rows_destroy(&rows);
        assert_null(rows);
        device_rows_destroy(&rows);
    }
    close_all();
}

/* Two epochs in chunks of two batches: rows as the order says, each behind a wait for the launch before. */
static void chunks_take_turns(void **state)
{
    (void)state;
    open_all(ROWS);
    struct device_rows *rows = open_rows(2 * BATCH + 3);
    struct rows_view view;
    enum { EPOCH = 60 };
    size_t uploads = 0;
    assert_true(device_rows_are_chunks(rows));
    for (uint32_t e = 0; e < 2; e++) {
        const struct rows_part epoch = epoch_of(EPOCH, e);
        const mlp_order order = mlp_order_of(5, e, EPOCH);
        for (size_t at = 0; at < EPOCH; at += BATCH) {
            const size_t waits = fake_count(FAKE_QUEUE_WAIT), writes = fake_count(FAKE_BUFFER_WRITE);
            assert_ok(device_rows_take(rows, &epoch, at, &view, &test_error));
            const bool is_new = at % (2 * BATCH) == 0;
            uploads += is_new;
            assert_true(view.is_ordered);
            assert_int_equal(view.upload, uploads);
            assert_int_equal(view.first, at % (2 * BATCH));
            assert_int_equal(fake_count(FAKE_BUFFER_WRITE) - writes, is_new ? 3 : 0);
            assert_int_equal(fake_count(FAKE_QUEUE_WAIT) - waits, is_new && uploads > 2);
            for (size_t k = 0; k < BATCH && at + k < EPOCH; k++)
                check_row(&view, view.first + k, mlp_order_row(order, (uint32_t)(at + k)));
            use(rows);
        }
    }
    device_rows_destroy(&rows);
    close_all();
}

/* Rows in order that both places hold are not uploaded again. */
static void what_is_there_stays(void **state)
{
    (void)state;
    open_all(ROWS);
    struct device_rows *rows = open_rows(50);
    const struct rows_part front = {.count = 50, .unit = 50}, back = {.first = 50, .count = 50, .unit = 25};
    struct rows_view view;
    for (int turn = 0; turn < 2; turn++) {
        const size_t writes = fake_count(FAKE_BUFFER_WRITE);
        assert_ok(device_rows_take(rows, &front, 0, &view, &test_error));
        check_row(&view, view.first + 49, 49);
        use(rows);
        assert_ok(device_rows_take(rows, &back, 25, &view, &test_error));
        check_row(&view, view.first, 75);
        use(rows);
        assert_int_equal(fake_count(FAKE_BUFFER_WRITE) - writes, turn ? 0 : 6);
    }
    device_rows_destroy(&rows);
    close_all();
}

/* 96 MB on a device of 64 MiB: in chunks, smaller ones where others hold memory. */
static void what_does_not_fit_goes_in_chunks(void **state)
{
    (void)state;
    open_all(4000000);
    struct device_rows *rows = open_rows(0);
    const struct rows_part end = {.first = 3999990, .count = 10, .unit = 10};
    struct rows_view view;
    const size_t first = device_rows_chunk(rows);
    assert_true(device_rows_are_chunks(rows));
    assert_true(first > 500000 && 2 * 24 * first <= 56 << 20);
    assert_ok(device_rows_take(rows, &end, 0, &view, &test_error));
    check_row(&view, 9, 3999999);
    device_rows_destroy(&rows);
    /* The second of the buffers cannot be had. */
    fake_fail_call(FAKE_BUFFER_CREATE, 2, SHOAL_OUT_OF_DEVICE_MEMORY);
    rows = open_rows(0);
    assert_int_equal(device_rows_chunk(rows), first / 2);
    assert_contains(unit_log(), "the rows go to the device in chunks of ");
    device_rows_destroy(&rows);
    close_all();
}

static void too_little_memory(void **state)
{
    (void)state;
    open_all(ROWS);
    struct device_rows *rows;
    struct device_rows_setup setup = setup_of(0);
    setup.room = 300; /* 24 bytes a row, and two chunks of 8 rows at least */
    assert_status(device_rows_create(&setup, &rows, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "two chunks of 8 rows take 384 bytes of fake:0 (Fake GPU)");
    assert_contains(test_error.message, "300 left beside the nets: lower the batch");
    assert_null(rows);
    setup.room = -1;
    assert_status(device_rows_create(&setup, &rows, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    setup.room = 1000;
    setup.chunk_rows = 50;
    assert_status(device_rows_create(&setup, &rows, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "two chunks of 50 rows take 2400 bytes");
    assert_contains(test_error.message, "lower chunk-rows");
    setup.chunk_rows = 20;
    assert_ok(device_rows_create(&setup, &rows, &test_error));
    assert_int_equal(device_rows_chunk(rows), 20);
    device_rows_destroy(&rows);
    close_all();
}

/* Each call of the device in turn: an error, nothing left, and no half of a chunk in use. */
static enum shoal_status whole_use(struct shoal_error *error)
{
    const struct device_rows_setup setup = setup_of(2 * BATCH);
    const struct rows_part epoch = epoch_of(60, 0);
    struct device_rows *rows;
    struct rows_view view;
    enum shoal_status status = device_rows_create(&setup, &rows, error);
    for (size_t at = 0; at < 60 && !status; at += BATCH) {
        status = device_rows_take(rows, &epoch, at, &view, error);
        if (status) {
            assert_ok(device_rows_take(rows, &epoch, at, &view, &test_error));
            check_row(&view, view.first, mlp_order_row(mlp_order_of(5, 0, 60), (uint32_t)at));
        } else {
            struct shoal_event *event = NULL;
            status = shoal_launch(queue, noop, 1, NULL, 0, &event, error);
            device_rows_used(rows, event);
        }
    }
    device_rows_destroy(&rows);
    return status;
}

static void each_call_fails(void **state)
{
    (void)state;
    open_all(ROWS);
    const size_t live = fake_live();
    struct shoal_error error = {0};
    assert_ok(whole_use(&error));
    for (unsigned n = 1;; n++) {
        fake_fail_nth(n, SHOAL_FAILED);
        const enum shoal_status status = whole_use(&error);
        fake_fail_nth(0, SHOAL_FAILED);
        assert_int_equal(fake_live(), live);
        assert_int_equal(fake_breaches(), 0);
        if (!status)
            break;
        assert_int_equal(status, SHOAL_FAILED);
        assert_true(n < 200);
    }
    close_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(rows_that_fit_stay),  UNIT_TEST(chunks_take_turns),
        UNIT_TEST(what_is_there_stays), UNIT_TEST(what_does_not_fit_goes_in_chunks),
        UNIT_TEST(too_little_memory),   UNIT_TEST(each_call_fails),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
