/* Parts of devices, over a backend that divides (fake:0, of 10 compute units) and one that does not. */
#include "unit.h"

#include <pthread.h>

enum { UNITS = 10, CAPACITY = 16, THREADS = 8 };

static struct shoal *shoal;

static int parts_setup(void **state)
{
    if (unit_setup(state))
        return -1;
    fake_reset();
    struct shoal_device_info info = fake_gpu("Fake GPU");
    info.units = UNITS;
    info.has_pci = true;
    fake_add_device(&fake_backend, &info);
    fake_add_device(&fake_other_backend, &info);
    shoal = unit_open();
    return 0;
}

static int parts_teardown(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}

#define PARTS_TEST(function) cmocka_unit_test_setup_teardown(function, parts_setup, parts_teardown)

/* "ID units" of each device that the selector names, separated by blanks. */
static const char *select_units(const char *selector)
{
    static char text[512];
    struct shoal_device *devices[CAPACITY];
    size_t count = 0, used = 0;
    text[0] = '\0';
    assert_ok(shoal_device_select(shoal, selector, 0, devices, CAPACITY, &count, &test_error));
    for (size_t i = 0; i < count; i++) {
        const struct shoal_device_info *info = shoal_device_get_info(devices[i]);
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s %u", i ? " " : "", info->id, info->units);
    }
    return text;
}

static struct shoal_device *select_one(const char *selector)
{
    struct shoal_device *found = NULL;
    size_t count;
    assert_ok(shoal_device_select(shoal, selector, 0, &found, 1, &count, &test_error));
    assert_int_equal(count, 1);
    return found;
}

static void words_name_parts(void **state)
{
    (void)state;
    static const struct {
        const char *selector, *parts;
    } cases[] = {
        {"fake:0/1", "fake:0/1:0 10"},
        {"fake:0/2", "fake:0/2:0 5 fake:0/2:1 5"},
        {"fake:0/4", "fake:0/4:0 3 fake:0/4:1 3 fake:0/4:2 2 fake:0/4:3 2"},
        {"fake:0/7+3", "fake:0/7+3:0 7 fake:0/7+3:1 3"},
        {"fake:0/1+2+1", "fake:0/1+2+1:0 1 fake:0/1+2+1:1 2 fake:0/1+2+1:2 1"},
        {"fake:0/4:0", "fake:0/4:0 3"},
        {"fake:0/4:3", "fake:0/4:3 2"},
        {"fake:0/7+3:1", "fake:0/7+3:1 3"},
        {"FAKE:0/2:1", "fake:0/2:1 5"},
        {"fake:0/2:1,fake:0/2", "fake:0/2:1 5 fake:0/2:0 5"},
        {"fake:0/2,fake:0/2", "fake:0/2:0 5 fake:0/2:1 5"},
        {" fake:0/2 , fake:0", "fake:0/2:0 5 fake:0/2:1 5 fake:0 10"},
        {"fake:0/5+5", "fake:0/5+5:0 5 fake:0/5+5:1 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(select_units(cases[i].selector), cases[i].parts);
    struct shoal_device *devices[1];
    size_t count = 99;
    assert_ok(shoal_device_select(shoal, "fake:0/10", 0, NULL, 0, &count, &test_error));
    assert_int_equal(count, 10);
    assert_status(shoal_device_select(shoal, "fake:0/10", 0, devices, 1, &count, &test_error), SHOAL_INVALID);
    assert_int_equal(count, 0);
}

static void numa_nodes_are_parts_where_there_are_any(void **state)
{
    (void)state;
    size_t count;
    assert_status(shoal_device_select(shoal, "fake:0/numa", 0, NULL, 0, &count, &test_error),
                  SHOAL_NO_DEVICE);
    fake_set_numa_nodes(2);
    assert_string_equal(select_units("fake:0/NUMA"), "fake:0/numa:0 5 fake:0/numa:1 5");
    assert_string_equal(select_units("fake:0/numa:1"), "fake:0/numa:1 5");
    assert_status(shoal_device_select(shoal, "fake:0/numa:2", 0, NULL, 0, &count, &test_error),
                  SHOAL_NO_DEVICE);
    assert_contains(test_error.message, "numbered 0 to 1");
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *selector, *message;
    } cases[] = {
        {"fake:0/", "fake:0/ is no part of a device: write fake:0/2"},
        {"fake:0/0", "is no part"},
        {"fake:0/-1", "is no part"},
        {"fake:0/+2", "is no part"},
        {"fake:0/3+", "is no part"},
        {"fake:0/3++2", "is no part"},
        {"fake:0/3+0", "is no part"},
        {"fake:0/02", "is no part"},
        {"fake:0/2x", "is no part"},
        {"fake:0/ 2", "is no part"},
        {"fake:0/two", "is no part"},
        {"fake:0/4294967298", "is no part"},
        {"fake:0/99999999999999999999999", "is no part"},
        {"fake:0/2:", "is no part"},
        {"fake:0/2:x", "is no part"},
        {"fake:0/2:-1", "is no part"},
        {"fake:0/2:01", "is no part"},
        {"fake:0/2:0:0", "is no part"},
        {"fake:0/2:0/2", "is no part"},
        {"fake:0/2/2", "is no part"},
        {"fake:0/11", "fake:0/11 asks for 11 parts, but fake:0 (Fake GPU) has only 10 compute units"},
        {"fake:0/4294967295", "asks for 4294967295 parts"},
        {"fake:0/8+3", "fake:0/8+3 asks for 11 compute units, but"},
        {"fake:0/4294967295+4294967295", "asks for 8589934590 compute units"},
        {"fake:0/1+1+1+1+1+1+1+1+1+1+1", "asks for 11 parts"},
        {"fake:0/2:2", "fake:0/2 has no part number 2: its parts are numbered 0 to 1"},
        {"fake:0/2:4294967295", "has no part number 4294967295"},
        {"other:0/2", "other:0 (Fake GPU) has no parts: only OpenCL devices can be divided"},
        {"host/2", "host ("},
        {"fake:1/2", "no device matches \"fake:1/2\""},
        {"gpu/2", "named by its id, as in opencl:0/2"},
        {"all/2", "named by its id"},
        {"/2", "named by its id"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count = 99;
        assert_status(shoal_device_select(shoal, cases[i].selector, 0, NULL, 0, &count, &test_error),
                      SHOAL_NO_DEVICE);
        assert_int_equal(count, 0);
        assert_contains(test_error.message, cases[i].message);
    }
}

static void parts_are_no_listed_devices(void **state)
{
    (void)state;
    const size_t listed = shoal_device_count(shoal);
    select_units("fake:0/2");
    assert_int_equal(shoal_device_count(shoal), listed);
    assert_string_equal(select_units("gpu"), "other:0 10");
    assert_string_equal(select_units("~fake gpu"), "other:0 10 fake:0 10");
    assert_string_equal(select_units("pci:0:0"), "other:0 10 fake:0 10");
    const struct shoal_device_info *whole = shoal_device_get_info(select_one("fake:0")),
                                   *part = shoal_device_get_info(select_one("fake:0/2:1"));
    assert_string_equal(part->part_of, "fake:0");
    assert_null(whole->part_of);
    assert_string_equal(whole->alias_of, "other:0");
    assert_null(part->alias_of);
    assert_string_equal(part->name, whole->name);
    assert_int_equal(part->memory, whole->memory);
    assert_int_equal(part->max_allocation, whole->max_allocation);
}

/* The driver is asked once for each word. */
static void parts_are_made_once(void **state)
{
    (void)state;
    struct shoal_device *first = select_one("fake:0/2:0");
    assert_int_equal(fake_count(FAKE_DEVICE_DIVIDE), 2);
    assert_ptr_equal(select_one("fake:0/2:0"), first);
    assert_ptr_not_equal(select_one("fake:0/2:1"), first);
    assert_int_equal(fake_count(FAKE_DEVICE_DIVIDE), 2);
    assert_ptr_not_equal(select_one("fake:0/5+5:0"), first);
    assert_int_equal(fake_count(FAKE_DEVICE_DIVIDE), 4);
    for (uint32_t n = 1; n <= UNITS; n++) {
        char selector[32];
        snprintf(selector, sizeof selector, "fake:0/%u:0", n);
        select_one(selector);
    }
    assert_ptr_equal(select_one("fake:0/2:0"), first);
}

/* Nothing is left of a division that failed, and the next one is made. */
static void each_part_fails_in_turn(void **state)
{
    (void)state;
    static const enum shoal_status kinds[] = {SHOAL_FAILED, SHOAL_OUT_OF_HOST_MEMORY, SHOAL_NO_DEVICE};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned n = 1; n <= 3; n++) {
            const size_t before = fake_live();
            size_t count = 99;
            fake_fail_call(FAKE_DEVICE_DIVIDE, n, kinds[k]);
            assert_status(shoal_device_select(shoal, "host,fake:0/3", 0, NULL, 0, &count, &test_error),
                          kinds[k]);
            assert_int_equal(count, 0);
            assert_string_equal(test_error.call, "device_divide");
            assert_int_equal(fake_live(), before);
        }
    assert_string_equal(select_units("fake:0/3"), "fake:0/3:0 4 fake:0/3:1 3 fake:0/3:2 3");
}

static void *select_parts(void *argument)
{
    struct shoal_error error;
    size_t count = 0;
    if (shoal_device_select(shoal, "fake:0/4,fake:0/7+3", 0, argument, CAPACITY, &count, &error) ||
        count != 6)
        ((struct shoal_device **)argument)[0] = NULL;
    return NULL;
}

static void threads_get_the_same_parts(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    struct shoal_device *devices[THREADS][CAPACITY];
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, select_parts, devices[t]), 0);
    for (size_t t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    for (size_t t = 0; t < THREADS; t++) {
        assert_non_null(devices[t][0]);
        assert_memory_equal(devices[t], devices[0], 6 * sizeof(struct shoal_device *));
    }
    assert_int_equal(fake_count(FAKE_DEVICE_DIVIDE), 6);
}

/* Buffers and launches of a part belong to it alone. */
static void parts_compute(void **state)
{
    (void)state;
    struct shoal_device *parts[2];
    struct shoal_queue *queues[2];
    struct shoal_buffer *buffer;
    size_t count;
    uint32_t word = 0;
    assert_ok(shoal_device_select(shoal, "fake:0/2", 0, parts, 2, &count, &test_error));
    for (size_t i = 0; i < 2; i++)
        assert_ok(shoal_queue_create(parts[i], 0, &queues[i], &test_error));
    assert_ok(shoal_buffer_create(parts[1], 4, &buffer, &test_error));
    assert_ok(shoal_buffer_fill(queues[1], buffer, 0, 4, 7, &test_error));
    assert_ok(shoal_buffer_read(queues[1], buffer, 0, &word, 4, &test_error));
    assert_int_equal(word, 7);
    assert_status(shoal_buffer_fill(queues[0], buffer, 0, 4, 7, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "belongs to fake:0/2:1, not to fake:0/2:0");
    struct shoal_program *program = unit_build(parts[0]);
    shoal_program_destroy(&program);
    assert_int_equal(fake_count(FAKE_DEVICE_OPEN), 0);
    fake_lose_device("fake:0/2:1");
    assert_status(shoal_queue_finish(queues[1], &test_error), SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "fake:0/2:1");
    assert_ok(shoal_queue_finish(queues[0], &test_error));
    shoal_buffer_destroy(&buffer);
    for (size_t i = 0; i < 2; i++)
        shoal_queue_destroy(&queues[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PARTS_TEST(words_name_parts),           PARTS_TEST(numa_nodes_are_parts_where_there_are_any),
        PARTS_TEST(wrong_words_are_refused),    PARTS_TEST(parts_are_no_listed_devices),
        PARTS_TEST(parts_are_made_once),        PARTS_TEST(each_part_fails_in_turn),
        PARTS_TEST(threads_get_the_same_parts), PARTS_TEST(parts_compute),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
