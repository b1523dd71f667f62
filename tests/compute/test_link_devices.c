/* Copies between the devices of this machine: each pair of them and of the host, the parts of a device, and
 * two threads that exchange rows as the parts of a divided run do. */
#include "compute/link/link.h"
#include "link_scenario.h"
#include "test.h"

#include <pthread.h>
#include <stdio.h>

enum { CAPACITY = 32 };

static struct shoal *shoal;
static struct shoal_device *devices[CAPACITY];
static size_t device_count;

/* All devices, the host included, and two parts of each that can be divided. */
static int open_devices(void **state)
{
    static struct shoal_device *all[CAPACITY];
    size_t count, more;
    if (test_begin(state) || shoal_open(&shoal, NULL, &test_error))
        return -1;
    assert_ok(shoal_device_select(shoal, "all", SHOAL_SELECT_ALIASES, all, CAPACITY, &count, &test_error));
    device_count = 0;
    for (size_t i = 0; i < count && device_count + 3 <= CAPACITY; i++) {
        char selector[64];
        devices[device_count++] = all[i];
        snprintf(selector, sizeof selector, "%s/2", shoal_device_get_info(all[i])->id);
        if (shoal_device_select(shoal, selector, 0, devices + device_count, 2, &more, &test_error) ==
            SHOAL_OK)
            device_count += more;
    }
    return 0;
}

static int close_devices(void **state)
{
    shoal_close(&shoal);
    return test_end(state);
}

static const struct shoal_device_info *info(size_t index)
{
    return shoal_device_get_info(devices[index]);
}

static void each_pair_brings_the_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < device_count; i++)
        for (size_t k = 0; k < device_count; k++) {
            enum shoal_link_path path;
            if (info(i)->is_host && info(k)->is_host)
                continue;
            test_label("from %s to %s", info(i)->id, info(k)->id);
            assert_ok(link_scenario(devices[i], devices[k], &path, &test_error));
            const bool is_one = i == k || (info(i)->part_of && info(i)->part_of == info(k)->part_of);
            if (is_one || info(i)->is_host || info(k)->is_host)
                assert_int_equal(path, is_one ? SHOAL_LINK_SAME_MEMORY : SHOAL_LINK_HOST);
            print_message("%s to %s: %s\n", info(i)->id, info(k)->id, shoal_link_path_name(path));
        }
}

enum { ROW = 1000, PHASES = 40 };

/* A device and its thread. In each phase a row with the number of the phase goes to the other device. */
struct part {
    struct shoal_device *device;
    struct shoal_queue *queue;
    struct shoal_buffer *own, *others;
    struct link *out, *in;
    struct part *other;
    pthread_barrier_t *phase;
    uint32_t number;
    uint32_t wrong; /* words that were not those of the other device in this phase */
    enum shoal_status status;
    struct shoal_error error;
};

static void exchange(struct part *part, uint32_t phase)
{
    const struct link_piece out = {.source = part->own, .target = part->other->others, .bytes = 4 * ROW},
                            in = {.source = part->other->own, .target = part->others, .bytes = 4 * ROW};
    uint32_t row[ROW];
    if (!part->status)
        part->status =
            shoal_buffer_fill(part->queue, part->own, 0, 4 * ROW, 1000 * part->number + phase, &part->error);
    if (!part->status)
        part->status = link_give(part->out, part->queue, &out, 1, &part->error);
    pthread_barrier_wait(part->phase);
    if (!part->status)
        part->status = link_take(part->in, part->queue, &in, 1, &part->error);
    if (!part->status)
        part->status = shoal_buffer_read(part->queue, part->others, 0, row, sizeof row, &part->error);
    for (size_t i = 0; i < ROW && !part->status; i++)
        part->wrong += row[i] != 1000 * part->other->number + phase;
    pthread_barrier_wait(part->phase);
}

static void *work(void *data)
{
    for (uint32_t phase = 0; phase < PHASES; phase++)
        exchange(data, phase);
    return NULL;
}

static void part_open(struct part *part)
{
    assert_ok(shoal_queue_create(part->device, 0, &part->queue, &test_error));
    assert_ok(shoal_buffer_create(part->device, 4 * ROW, &part->own, &test_error));
    assert_ok(shoal_buffer_create(part->device, 4 * ROW, &part->others, &test_error));
}

static void part_close(struct part *part)
{
    shoal_queue_destroy(&part->queue);
    shoal_buffer_destroy(&part->own);
    shoal_buffer_destroy(&part->others);
    link_destroy(&part->out);
}

static void threads_exchange(struct shoal_device *first, struct shoal_device *second)
{
    pthread_barrier_t phase;
    pthread_t threads[2];
    struct part parts[2] = {{.device = first, .number = 1}, {.device = second, .number = 2}};
    pthread_barrier_init(&phase, NULL, 2);
    for (size_t i = 0; i < 2; i++) {
        part_open(&parts[i]);
        parts[i].other = &parts[1 - i];
        parts[i].phase = &phase;
    }
    for (size_t i = 0; i < 2; i++) {
        assert_ok(link_create(parts[i].device, parts[1 - i].device, 4 * ROW, &parts[i].out, &test_error));
        parts[1 - i].in = parts[i].out;
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &parts[i]), 0);
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < 2; i++) {
        test_error = parts[i].error;
        assert_ok(parts[i].status);
        assert_int_equal(parts[i].wrong, 0);
    }
    for (size_t i = 0; i < 2; i++)
        part_close(&parts[i]);
    pthread_barrier_destroy(&phase);
}

static void two_threads_exchange_rows(void **state)
{
    (void)state;
    unsigned pairs = 0;
    for (size_t i = 0; i < device_count; i++)
        for (size_t k = i + 1; k < device_count; k++) {
            if (info(i)->is_host || info(k)->is_host)
                continue;
            test_label("%s and %s", info(i)->id, info(k)->id);
            threads_exchange(devices[i], devices[k]);
            pairs++;
        }
    if (!pairs)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_pair_brings_the_bytes, open_devices, close_devices),
        cmocka_unit_test_setup_teardown(two_threads_exchange_rows, open_devices, close_devices),
    };
    return cmocka_run_group_tests_name("link-devices", tests, NULL, NULL);
}
