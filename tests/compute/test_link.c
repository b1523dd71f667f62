/* Copies between devices, over two fake backends: fake:0 and fake:1, which may reach each other's memory, and
 * other:0. */
#include "compute/link/link.h"
#include "link_scenario.h"
#include "unit.h"

static struct shoal *shoal;

static void open_devices(enum fake_peers peers)
{
    fake_reset();
    struct shoal_device_info gpu = fake_gpu("Fake GPU"), cpu = fake_gpu("Fake CPU");
    cpu.is_cpu = true;
    cpu.is_gpu = false;
    fake_add_device(&fake_backend, &gpu);
    fake_add_device(&fake_backend, &gpu);
    fake_add_device(&fake_other_backend, &cpu);
    fake_set_peers(peers);
    unit_log_clear();
    shoal = unit_open();
}

static struct shoal_device *device(const char *selector)
{
    struct shoal_device *found = NULL;
    size_t count;
    assert_ok(shoal_device_select(shoal, selector, 0, &found, 1, &count, &test_error));
    return found;
}

struct pair {
    const char *from, *to;
    enum fake_peers peers;
    enum shoal_link_path path;
    const char *block; /* the device that allocates the memory of the host, where there is any */
};

static const struct pair pairs[] = {
    {"fake:0", "fake:0", FAKE_NO_PEERS, SHOAL_LINK_SAME_MEMORY, NULL},
    {"fake:0/2:0", "fake:0/2:1", FAKE_NO_PEERS, SHOAL_LINK_SAME_MEMORY, NULL},
    {"fake:0", "fake:1", FAKE_NO_PEERS, SHOAL_LINK_HOST, "fake:0"},
    {"fake:0", "fake:1", FAKE_PEERS, SHOAL_LINK_PEER, NULL},
    {"fake:1", "fake:0", FAKE_PEERS, SHOAL_LINK_PEER, NULL},
    {"fake:0", "fake:1", FAKE_PEERS_LIE, SHOAL_LINK_HOST, "fake:0"},
    {"fake:0", "other:0", FAKE_PEERS, SHOAL_LINK_HOST, "fake:0"},
    {"other:0", "fake:0", FAKE_PEERS, SHOAL_LINK_HOST, "fake:0"},
    {"host", "fake:1", FAKE_PEERS, SHOAL_LINK_HOST, "fake:1"},
    {"host", "other:0", FAKE_PEERS, SHOAL_LINK_HOST, "other:0"},
    {"other:0", "host", FAKE_PEERS, SHOAL_LINK_HOST, "other:0"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static void each_path_brings_the_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < PAIRS; i++) {
        const struct pair *pair = &pairs[i];
        enum shoal_link_path path;
        test_label("from %s to %s, peers %d", pair->from, pair->to, pair->peers);
        open_devices(pair->peers);
        assert_ok(link_scenario(device(pair->from), device(pair->to), &path, &test_error));
        assert_int_equal(path, pair->path);
        assert_int_equal(fake_count(FAKE_BLOCK_CREATE), pair->block != NULL);
        assert_contains(fake_last(FAKE_BLOCK_CREATE), pair->block ? pair->block : "");
        assert_int_equal(unit_log_count(SHOAL_LOG_WARNING), pair->peers == FAKE_PEERS_LIE);
        if (pair->peers == FAKE_PEERS_LIE)
            assert_contains(unit_log(), "fake:1 reads other bytes from fake:0 than are there");
        shoal_close(&shoal);
        assert_int_equal(fake_live(), 0);
    }
}

/* The error says which copy failed, and the driver's reason stays. */
static void each_call_fails_in_turn(void **state)
{
    (void)state;
    static const enum shoal_status statuses[] = {SHOAL_FAILED, SHOAL_OUT_OF_DEVICE_MEMORY, SHOAL_DEVICE_LOST};
    unsigned failures = 0;
    for (size_t i = 0; i < PAIRS * 3; i++) {
        const struct pair *pair = &pairs[i / 3];
        const enum shoal_status injected = statuses[i % 3];
        for (unsigned n = 1;; n++, failures++) {
            enum shoal_link_path path;
            open_devices(pair->peers);
            struct shoal_device *from = device(pair->from), *to = device(pair->to);
            fake_fail_nth(n, injected);
            const enum shoal_status status = link_scenario(from, to, &path, &test_error);
            shoal_close(&shoal);
            const enum fake_call failed = fake_failed_call();
            test_label("from %s to %s, peers %d, call %u (%s)", pair->from, pair->to, pair->peers, n,
                       fake_call_name(failed));
            assert_int_equal(fake_live(), 0);
            assert_int_equal(fake_breaches(), 0);
            if (failed == FAKE_CALLS) {
                assert_int_equal(status, SHOAL_OK);
                break;
            }
            /* Only the end of a queue that is destroyed may fail in silence; a lost device shows later. */
            if (failed == FAKE_QUEUE_FINISH && status == SHOAL_OK)
                continue;
            assert_int_equal(status, injected);
            if (failed == FAKE_QUEUE_FINISH && strstr(test_error.message, "was lost earlier"))
                continue;
            assert_string_equal(test_error.call, fake_call_name(failed));
            if (failed == FAKE_BLOCK_CREATE || failed == FAKE_PEER_OPEN || failed == FAKE_PEER_COPY ||
                failed == FAKE_ENQUEUE_READ || failed == FAKE_ENQUEUE_WRITE) {
                char start[64];
                snprintf(start, sizeof start, "copy from %s to %s: ", pair->from, pair->to);
                assert_int_equal(strncmp(test_error.message, start, strlen(start)), 0);
                assert_contains(test_error.message, injected == SHOAL_DEVICE_LOST ? "is lost" : "injected");
            }
        }
    }
    assert_in_range(failures, 250, 1000);
}

/* A launch that breaks its device is found by the thread that gives, before other devices read the result. */
static void give_reports_earlier_launches(void **state)
{
    (void)state;
    open_devices(FAKE_PEERS);
    struct shoal_device *from = device("fake:0"), *to = device("fake:1");
    struct shoal_program *program = unit_build(from);
    struct shoal_kernel *kernel;
    struct shoal_queue *queue;
    struct link *link;
    assert_ok(shoal_queue_create(from, 0, &queue, &test_error));
    assert_ok(shoal_kernel_create(program, "noop", &kernel, &test_error));
    assert_ok(link_create(from, to, 64, &link, &test_error));
    fake_fail_later(1, SHOAL_FAILED);
    assert_ok(shoal_launch(queue, kernel, 1, NULL, 0, NULL, &test_error));
    assert_status(link_give(link, queue, NULL, 0, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "copy from fake:0 to fake:1: ");
    assert_contains(test_error.message, "latest noop");
    link_destroy(&link);
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
}

static void wrong_pieces_are_refused(void **state)
{
    (void)state;
    open_devices(FAKE_PEERS);
    struct shoal_device *ends[2] = {device("fake:0"), device("fake:1")};
    struct shoal_queue *queues[2];
    struct shoal_buffer *buffers[2];
    struct link *link;
    for (size_t i = 0; i < 2; i++) {
        assert_ok(shoal_queue_create(ends[i], 0, &queues[i], &test_error));
        assert_ok(shoal_buffer_create(ends[i], 64, &buffers[i], &test_error));
    }
    assert_ok(link_create(ends[0], ends[1], 48, &link, &test_error));
    const struct link_piece good = {.source = buffers[0], .target = buffers[1], .bytes = 32};
    struct link_piece pieces[2] = {good, good};
    assert_status(link_give(link, NULL, &good, 1, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "queue is NULL");
    assert_status(link_give(link, queues[1], &good, 1, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "link_give: the queue belongs to fake:1, not to fake:0");
    assert_status(link_take(link, queues[0], &good, 1, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "link_take: the queue belongs to fake:0, not to fake:1");
    assert_status(link_take(link, queues[1], pieces, 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the pieces are longer than the 48 bytes of the link");
    pieces[1] =
        (struct link_piece){.source = buffers[0], .source_offset = 60, .target = buffers[1], .bytes = 8};
    assert_status(link_give(link, queues[0], pieces, 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "8 bytes at offset 60 pass the end of a buffer of 64 bytes");
    pieces[1] =
        (struct link_piece){.source = buffers[0], .target = buffers[1], .target_offset = 63, .bytes = 2};
    assert_status(link_take(link, queues[1], pieces, 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "2 bytes at offset 63 pass the end of a buffer of 64 bytes");
    pieces[1] = (struct link_piece){.source = buffers[1], .target = buffers[1], .bytes = 8};
    assert_status(link_give(link, queues[0], pieces, 2, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "the buffer belongs to fake:1, not to fake:0");
    assert_int_equal(fake_count(FAKE_PEER_COPY), 1); /* that of link_create */
    link_destroy(&link);
    link_destroy(&link);
    for (size_t i = 0; i < 2; i++) {
        shoal_queue_destroy(&queues[i]);
        shoal_buffer_destroy(&buffers[i]);
    }
    shoal_close(&shoal);
}

static void paths_have_names(void **state)
{
    (void)state;
    assert_string_equal(shoal_link_path_name(SHOAL_LINK_SAME_MEMORY), "same memory");
    assert_string_equal(shoal_link_path_name(SHOAL_LINK_PEER), "peer");
    assert_string_equal(shoal_link_path_name(SHOAL_LINK_HOST), "host");
    assert_string_equal(shoal_link_path_name((enum shoal_link_path)99), "unknown path");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(each_path_brings_the_bytes),
        UNIT_TEST(each_call_fails_in_turn),
        UNIT_TEST(give_reports_earlier_launches),
        UNIT_TEST(wrong_pieces_are_refused),
        UNIT_TEST(paths_have_names),
    };
    return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
