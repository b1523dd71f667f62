/* Tables of arrays: memory, what is read of them, sections of checkpoints, on the host and on a device. */
#include "unit.h"

#include "workload/arrays.h"

static struct shoal *shoal;
static struct shoal_queue *queue;
static struct shoal_buffer *buffer, *tiled, *none;
static uint32_t *memory;

static int start(void **state)
{
    if (unit_setup(state))
        return -1;
    shoal = unit_open();
    assert_ok(shoal_queue_create(shoal_device_at(shoal, 0), 0, &queue, &test_error));
    return 0;
}

static int end(void **state)
{
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
    return unit_teardown(state);
}

/* 5 items in 2 tiles of 4, 3 rows; 6 used elements of 8. */
static struct arrays table(void)
{
    const struct array list[] = {
        {&buffer, 8, sizeof(uint32_t), ARRAY_ZERO | ARRAY_SAVE, "plain", 6},
        {&tiled, 2 * 4 * 3, sizeof(uint32_t), ARRAY_SAVE | ARRAY_TILED, "tiled", 5 * 3},
        {&none, 0, sizeof(uint32_t), ARRAY_SAVE, "none", 0},
    };
    struct arrays arrays = {.queue = queue, .items = 5, .tile = 4, .tiles = 2};
    ARRAYS_SET(&arrays, list);
    return arrays;
}

static void buffers_are_saved_and_loaded(void **state)
{
    (void)state;
    const struct arrays arrays = table();
    struct checkpoint checkpoint = {.path = "some.ckpt"};
    uint32_t places[24], *plain, *rows;
    void *got;
    assert_true(arrays_bytes(&arrays) == 32 * sizeof(uint32_t));
    assert_ok(arrays_create(&arrays, &test_error));
    assert_true(buffer && tiled && !none);
    for (uint32_t i = 0; i < 24; i++)
        places[i] = i;
    assert_ok(shoal_buffer_write(queue, tiled, 0, places, sizeof places, &test_error));
    assert_ok(arrays_save(&arrays, &checkpoint, &test_error));
    assert_int_equal(checkpoint.count, 2);
    assert_ok(arrays_read(&arrays, "plain", &got, &test_error));
    plain = got;
    assert_ok(arrays_read(&arrays, "tiled", &got, &test_error));
    rows = got;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(plain[i], 0);
    for (size_t row = 0; row < 3; row++)
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(rows[row * 5 + i], (i / 4 * 3 + row) * 4 + i % 4);
    free(rows);
    free(plain);
    assert_status(arrays_read(&arrays, "no such", &got, &test_error), SHOAL_FAILED);
    assert_ok(shoal_buffer_fill(queue, tiled, 0, sizeof places, 7, &test_error));
    assert_ok(shoal_buffer_fill(queue, buffer, 0, 8 * sizeof(uint32_t), 7, &test_error));
    /* Nothing is written where a section is missing. */
    checkpoint.count = 1;
    assert_status(arrays_load(&arrays, &checkpoint, &test_error), SHOAL_IO);
    assert_ok(shoal_buffer_read(queue, buffer, 0, places, 8 * sizeof(uint32_t), &test_error));
    assert_int_equal(places[0], 7);
    checkpoint.count = 2;
    assert_ok(arrays_load(&arrays, &checkpoint, &test_error));
    assert_ok(shoal_buffer_read(queue, tiled, 0, places, sizeof places, &test_error));
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(places[i], i / 12 * 4 + i % 4 < 5 ? i : 0);
    assert_ok(shoal_buffer_read(queue, buffer, 0, places, 8 * sizeof(uint32_t), &test_error));
    assert_true(places[5] == 0 && places[6] == 7);
    assert_ok(arrays_zero(&arrays, &test_error));
    assert_ok(shoal_buffer_read(queue, buffer, 0, places, 8 * sizeof(uint32_t), &test_error));
    assert_true(places[6] == 0 && places[7] == 0);
    checkpoint_clear(&checkpoint);
    arrays_destroy(&arrays);
    assert_true(!buffer && !tiled);
}

static void memory_of_the_host_is_the_same(void **state)
{
    (void)state;
    const struct array list[] = {{&memory, 4, sizeof(uint32_t), ARRAY_ZERO | ARRAY_SAVE, "numbers", 3}};
    struct arrays arrays = {.queue = NULL};
    struct checkpoint checkpoint = {.path = "some.ckpt"};
    static const uint32_t numbers[3] = {1, 2, 3};
    ARRAYS_SET(&arrays, list);
    assert_ok(arrays_create(&arrays, &test_error));
    checkpoint_add(&checkpoint, "numbers", numbers, sizeof numbers);
    assert_ok(arrays_load(&arrays, &checkpoint, &test_error));
    assert_true(memory[0] == 1 && memory[2] == 3 && memory[3] == 0);
    checkpoint.count = 0;
    assert_ok(arrays_save(&arrays, &checkpoint, &test_error));
    assert_ptr_equal(checkpoint.sections[0].data, memory);
    assert_ok(arrays_zero(&arrays, &test_error));
    assert_int_equal(memory[2], 0);
    arrays_destroy(&arrays);
    assert_null(memory);
    arrays_destroy(&(const struct arrays){.count = 0});
}

static void too_much_is_refused(void **state)
{
    (void)state;
    const struct array list[] = {{&buffer, 1e30, 8}};
    struct arrays arrays = {.queue = queue};
    ARRAYS_SET(&arrays, list);
    assert_status(arrays_check(&arrays, 0, "9 things", "take fewer", &test_error),
                  SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_contains(test_error.message, "9 things need at least 8");
    assert_contains(test_error.message, ": take fewer");
    arrays.queue = NULL;
    assert_status(arrays_check(&arrays, 0, "9 things", "take fewer", &test_error), SHOAL_OUT_OF_HOST_MEMORY);
    arrays.count = 0;
    arrays.queue = queue;
    assert_ok(arrays_check(&arrays, 0, "9 things", "take fewer", &test_error));
    assert_status(arrays_check(&arrays, 1e30, "9 things", "take fewer", &test_error),
                  SHOAL_OUT_OF_DEVICE_MEMORY);
}

/* A table whose arrays are larger than what is read at once, and one with a tile of its own. */
static void large_tables_are_joined(void **state)
{
    (void)state;
    enum { TILE = 64, ITEMS = 99990, ROWS = 30, LAST = 10 };
    struct shoal_buffer *first = NULL, *second = NULL, *more[2] = {NULL};
    const struct array large[] = {
        {&first, (ITEMS / TILE + 1) * TILE * ROWS, 4, ARRAY_SAVE | ARRAY_TILED, "tiled", ITEMS * ROWS},
        {&more[0], 3 << 20, 4, ARRAY_SAVE, "plain", (3 << 20) - 1}};
    const struct array small[] = {{&second, TILE * ROWS, 4, ARRAY_SAVE | ARRAY_TILED, "tiled", LAST * ROWS},
                                  {&more[1], 5, 4, ARRAY_SAVE, "plain", 3}};
    struct arrays tables[2] = {{.queue = queue, .items = ITEMS, .tile = TILE, .tiles = ITEMS / TILE + 1},
                               {.queue = queue, .items = LAST, .tile = TILE, .tiles = 1}};
    const struct arrays *const both[] = {&tables[0], &tables[1]};
    struct checkpoint joined = {.path = NULL};
    ARRAYS_SET(&tables[0], large);
    ARRAYS_SET(&tables[1], small);
    const size_t bytes = (size_t)(ITEMS / TILE + 1) * TILE * ROWS * 4;
    uint32_t *words = malloc(bytes);
    assert_non_null(words);
    for (size_t i = 0; i < bytes / 4; i++)
        words[i] = (uint32_t)i;
    for (size_t k = 0; k < 2; k++) {
        assert_ok(arrays_create(&tables[k], &test_error));
        assert_ok(
            shoal_buffer_fill(queue, more[k], 0, shoal_buffer_size(more[k]), 100 + (uint32_t)k, &test_error));
    }
    assert_ok(shoal_buffer_write(queue, first, 0, words, bytes, &test_error));
    assert_ok(shoal_buffer_fill(queue, second, 0, TILE * ROWS * 4, 77, &test_error));
    assert_ok(arrays_join(both, 2, &joined, &test_error));
    const uint32_t *tiles = joined.sections[0].data, *plain = joined.sections[1].data;
    assert_int_equal(joined.sections[0].bytes, (ITEMS + LAST) * ROWS * 4);
    assert_int_equal(joined.sections[1].bytes, ((3 << 20) - 1 + 3) * 4);
    unsigned wrong = 0;
    for (size_t row = 0; row < ROWS; row++)
        for (size_t i = 0; i < ITEMS + LAST; i++) {
            const size_t place = (i / TILE * ROWS + row) * TILE + i % TILE;
            wrong += tiles[row * (ITEMS + LAST) + i] != (i < ITEMS ? place : 77);
        }
    for (size_t i = 0; i < (3 << 20) + 2; i++)
        wrong += plain[i] != (i < (3 << 20) - 1 ? 100 : 101);
    assert_int_equal(wrong, 0);
    checkpoint_clear(&joined);
    fake_fail_call(FAKE_BUFFER_READ, 2, SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_status(arrays_join(both, 2, &joined, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    checkpoint_clear(&joined);
    free(words);
    for (size_t k = 0; k < 2; k++)
        arrays_destroy(&tables[k]);
}

#define ARRAY_TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARRAY_TEST(buffers_are_saved_and_loaded),
        ARRAY_TEST(memory_of_the_host_is_the_same),
        ARRAY_TEST(too_much_is_refused),
        ARRAY_TEST(large_tables_are_joined),
    };
    return cmocka_run_group_tests_name("arrays", tests, NULL, NULL);
}
