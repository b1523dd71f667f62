/* Devices of other ranks, which are threads here, over the fake backend: who joins, which devices each rank
 * has, and every call of a device. */
#include "compute/device.h"
#include "compute/link/link.h"
#include "memory_ranks.h"
#include "unit.h"

enum { RANKS = MEMORY_RANKS };

static struct memory_ranks all;
static struct shoal_ranks *ranks;
static struct shoal *shoal;

static void begin(uint32_t count, const char *selector)
{
    all = (struct memory_ranks){.count = count};
    assert_ok(memory_begin(&all, count, &ranks, &test_error));
    assert_ok(memory_open(ranks, selector, &shoal, &test_error));
}

static void end(int code)
{
    shoal_close(&shoal);
    memory_end(&all, &ranks, code);
    assert_null(ranks);
}

static const char *id_at(size_t index)
{
    return shoal_device_get_info(shoal_ranks_device_at(ranks, index))->id;
}

/* Joining ---------------------------------------------------------------------------------------------- */

static void ranks_get_the_code(void **state)
{
    (void)state;
    begin(RANKS, "");
    assert_int_equal(shoal_ranks_rank(ranks), 0);
    assert_int_equal(shoal_ranks_count(ranks), RANKS);
    assert_int_equal(shoal_ranks_device_count(ranks), RANKS);
    assert_string_equal(id_at(0), "fake:0");
    assert_string_equal(id_at(1), "rank1:fake:0");
    assert_string_equal(id_at(2), "rank2:fake:0");
    assert_null(shoal_ranks_device_at(ranks, RANKS));
    const struct shoal_device_info *own = shoal_device_get_info(shoal_ranks_device_at(ranks, 0)),
                                   *info = shoal_device_get_info(shoal_ranks_device_at(ranks, 1));
    assert_string_equal(own->host, "");
    assert_string_equal(info->host, "host1");
    assert_int_equal(info->rank, 1);
    assert_string_equal(info->name, own->name);
    assert_int_equal(info->memory, own->memory);
    assert_int_equal(info->units, own->units);
    assert_true(info->is_gpu && info->fp64 && !info->is_host);
    struct shoal *second;
    assert_status(memory_open(ranks, "", &second, &test_error), SHOAL_INVALID);
    end(7);
    for (size_t r = 1; r < RANKS; r++)
        assert_int_equal(all.ranks[r].code, 7);
}

static void other_options(void **state)
{
    (void)state;
    all = (struct memory_ranks){
        .ranks = {{.same = "pso --runs 4"}, {.same = "pso --runs 4"}, {.same = "pso --runs 5"}}};
    assert_status(memory_begin(&all, RANKS, &ranks, &test_error), SHOAL_INVALID);
    assert_string_equal(
        test_error.message,
        "rank 2 on host2 was started with other options than rank 0 on host0: '5' in place of '4'");
    assert_non_null(ranks);
    memory_end(&all, &ranks, 2);
    for (size_t r = 1; r < RANKS; r++)
        assert_int_equal(all.ranks[r].code, 2);
}

/* A rank of an earlier or later version begins with another message. */
static void other_versions(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "shoalRNK", "shoalRNK\4\3\2\1\377\377\377\377",
                                        "another program"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        all = (struct memory_ranks){.count = 0};
        struct memory_message *message = calloc(1, sizeof *message + 32);
        *message = (struct memory_message){.from = 1, .channel = CHANNEL_OF_RANKS, .size = strlen(texts[i])};
        memcpy(message->bytes, texts[i], strlen(texts[i]));
        all.first = message;
        assert_status(memory_begin(&all, 2, &ranks, &test_error), SHOAL_INVALID);
        assert_string_equal(test_error.message,
                            "rank 1 is another version of shoal, or on a machine of another kind");
        memory_end(&all, &ranks, 2);
    }
}

/* Calls with what they refuse. */
static void bad_calls(void **state)
{
    (void)state;
    int code;
    struct shoal *other;
    struct shoal_ranks *none = NULL;
    struct shoal_ranks_params unset = {0};
    shoal_ranks_params_init(NULL);
    assert_status(shoal_ranks_join(NULL, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_ranks_join(&unset, &none, &test_error), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "shoal_ranks_params_init"));
    assert_status(shoal_ranks_open(NULL, NULL, NULL, &other, &test_error), SHOAL_INVALID);
    assert_status(shoal_ranks_serve(NULL, NULL, &code, &test_error), SHOAL_INVALID);
    shoal_ranks_leave(NULL, 0);
    shoal_ranks_leave(&none, 0);
    shoal_ranks_abort(NULL, 1);
    shoal_ranks_hang_limit(NULL, 1);
    assert_int_equal(shoal_ranks_rank(NULL), 0);
    assert_int_equal(shoal_ranks_count(NULL), 0);
    assert_int_equal(shoal_ranks_device_count(NULL), 0);
    assert_null(shoal_ranks_device_at(NULL, 0));
    begin(2, "");
    assert_status(shoal_ranks_serve(ranks, NULL, &code, &test_error), SHOAL_INVALID);
    assert_status(shoal_ranks_open(ranks, NULL, NULL, NULL, &test_error), SHOAL_INVALID);
    end(0);
}

/* Which devices ---------------------------------------------------------------------------------------- */

static void dealt(const char *selector, uint32_t index, uint32_t count, const char *ids)
{
    struct shoal_device **devices = NULL;
    struct text found = {0};
    size_t number;
    const struct deal deal = {selector, index, count};
    const enum shoal_status status = ranks_deal(shoal, &deal, &devices, &number, &test_error);
    assert_true(ids ? !status : status == SHOAL_NO_DEVICE || status == SHOAL_INVALID);
    for (size_t i = 0; i < number; i++)
        text_printf(&found, "%s%s", i ? " " : "", shoal_device_get_info(devices[i])->id);
    if (ids)
        assert_string_equal(found.data, ids);
    text_free(&found);
    free(devices);
}

static void devices_of_a_host(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake GPU"), cpu = fake_gpu("Fake processor");
    cpu.is_cpu = true;
    cpu.is_gpu = false;
    fake_add_device(&fake_backend, &info);
    fake_add_device(&fake_backend, &info);
    fake_add_device(&fake_backend, &cpu);
    shoal = unit_open();
    dealt("", 0, 1, "fake:0 fake:1 fake:2");
    dealt("", 0, 2, "fake:0 fake:2");
    dealt("", 1, 2, "fake:1");
    dealt("", 2, 3, "fake:2");
    dealt("", 3, 4, NULL);
    assert_non_null(strstr(test_error.message, "3 devices for 4 ranks of one host"));
    dealt("fake:1", 0, 1, "fake:1");
    dealt("fake:1", 1, 2, NULL);
    dealt("fake:3", 0, 2, "fake:3"); /* a processor has cores for several ranks */
    dealt("fake:3", 1, 2, "fake:3");
    dealt("all", 0, 1, "fake:0 fake:1 fake:2 fake:3"); /* the host takes no part */
    dealt("fake:9", 0, 1, NULL);
    dealt("fake:0,host", 0, 1, NULL);
    assert_non_null(
        strstr(test_error.message, "the host takes no part in a divided run: name other devices"));
    shoal_close(&shoal);
}

/* Some ranks may have answered before one says that it has no device. */
static void a_rank_without_a_device(void **state)
{
    (void)state;
    all = (struct memory_ranks){.ranks = {{.selector = "gpu"}, {.selector = "gpu"}, {.selector = "cpu"}}};
    assert_ok(memory_begin(&all, RANKS, &ranks, &test_error));
    assert_status(memory_open(ranks, "", &shoal, &test_error), SHOAL_NO_DEVICE);
    assert_non_null(strstr(test_error.message, "rank 2 on host2: no device matches \"cpu\""));
    assert_null(shoal);
    memory_end(&all, &ranks, 3);
    assert_int_equal(all.ranks[1].code, 3);
}

/* Whatever the ranks have chosen. */
static void all_devices(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake GPU");
    fake_add_device(&fake_backend, &info);
    all = (struct memory_ranks){.ranks = {{.selector = "fake:0"}, {.selector = "fake:1"}}};
    assert_ok(memory_begin(&all, 2, &ranks, &test_error));
    assert_ok(memory_open(ranks, NULL, &shoal, &test_error));
    assert_int_equal(shoal_ranks_device_count(ranks), 4);
    assert_string_equal(id_at(1), "fake:1");
    assert_string_equal(id_at(2), "rank1:fake:0");
    assert_string_equal(id_at(3), "rank1:fake:1");
    end(0);
}

/* Calls ------------------------------------------------------------------------------------------------ */

static unsigned launched;

static void look_at_everything(const struct fake_run *run)
{
    const struct unit_pair *pair = run->args[7].data;
    launched += *(const int32_t *)run->args[0].data == -1 && *(const uint32_t *)run->args[1].data == 2 &&
                *(const int64_t *)run->args[2].data == INT64_MIN &&
                *(const uint64_t *)run->args[3].data == UINT64_MAX && pair->b == 2 && !run->args[10].data &&
                run->groups == 3;
}

static void add(const struct fake_run *run)
{
    const uint32_t *n = run->args[0].data, *x = run->args[1].data;
    uint32_t *y = run->args[2].data;
    for (uint32_t i = 0; i < *n; i++)
        y[i] += x[i];
}

static void kernels(void **state)
{
    (void)state;
    enum { COUNT = 1000, LAUNCHES = 300 };
    begin(2, "");
    struct shoal_device *device = shoal_ranks_device_at(ranks, 1);
    struct shoal_program *program = unit_build(device);
    struct shoal_queue *queue;
    struct shoal_buffer *x, *y;
    struct shoal_kernel *everything, *sum;
    struct shoal_event *event;
    struct shoal_arg args[UNIT_EVERYTHING_ARGS];
    const struct unit_pair pair = {1, 2, 3};
    uint32_t ones[COUNT], sums[COUNT];
    double start = 1, stop = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        ones[i] = 1;
    fake_register_kernel("everything", look_at_everything);
    fake_register_kernel("add", add);
    assert_string_equal(fake_built_defines(), "A=1 COUNT=4 REAL=32 WG=64");
    assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, sizeof ones, &x, &test_error));
    assert_ok(shoal_buffer_create(device, sizeof sums, &y, &test_error));
    assert_ok(shoal_kernel_create(program, "everything", &everything, &test_error));
    assert_ok(shoal_kernel_create(program, "add", &sum, &test_error));
    unit_everything_args(args, x, y, &pair);
    assert_ok(shoal_launch(queue, everything, 3, args, UNIT_EVERYTHING_ARGS, NULL, &test_error));
    assert_ok(shoal_buffer_write(queue, x, 0, ones, sizeof ones, &test_error));
    assert_ok(shoal_buffer_fill(queue, y, 0, sizeof sums, 5, &test_error));
    for (uint32_t i = 1; i <= LAUNCHES; i++) { /* arguments that stay are not sent again */
        const struct shoal_arg own[] = {shoal_arg_uint(i), shoal_arg_buffer(x), shoal_arg_buffer(y)};
        assert_ok(shoal_launch(queue, sum, 1, own, 3, i == LAUNCHES ? &event : NULL, &test_error));
    }
    assert_ok(shoal_queue_wait(queue, event, &test_error));
    assert_ok(shoal_event_wait(event, &test_error));
    assert_ok(shoal_event_times(event, &start, &stop, &test_error));
    assert_true(start <= stop);
    assert_ok(shoal_buffer_read(queue, y, 0, sums, sizeof sums, &test_error));
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(sums[i], 5 + (i < LAUNCHES ? LAUNCHES - i : 0));
    assert_int_equal(launched, 1);
    shoal_event_destroy(&event);
    shoal_kernel_destroy(&sum);
    shoal_kernel_destroy(&everything);
    shoal_buffer_destroy(&x);
    shoal_buffer_destroy(&y);
    shoal_queue_destroy(&queue);
    shoal_program_destroy(&program);
    end(0);
}

/* Bytes that lie within a request, and more pieces than one behind it, at any offset. */
static void bytes(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, WIRE_INLINE, WIRE_INLINE + 1, WIRE_PIECE, WIRE_PIECE + 3};
    begin(2, "");
    struct shoal_device *device = shoal_ranks_device_at(ranks, 1);
    const size_t most = WIRE_PIECE + 16;
    unsigned char *given = malloc(most), *back = malloc(most);
    struct shoal_queue *queue;
    struct shoal_buffer *buffer, *copy;
    assert_true(given && back);
    for (size_t i = 0; i < most; i++)
        given[i] = (unsigned char)(i * 2654435761u >> 16);
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_buffer_create(device, most, &buffer, &test_error));
    assert_ok(shoal_buffer_create(device, most, &copy, &test_error));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(back, 0, most);
        assert_ok(shoal_buffer_write(queue, buffer, 3, given + i, sizes[i], &test_error));
        assert_ok(shoal_buffer_copy(queue, buffer, 3, copy, 1, sizes[i], &test_error));
        assert_ok(shoal_buffer_read(queue, copy, 1, back, sizes[i], &test_error));
        assert_memory_equal(back, given + i, sizes[i]);
    }
    shoal_buffer_destroy(&copy);
    shoal_buffer_destroy(&buffer);
    shoal_queue_destroy(&queue);
    free(given);
    free(back);
    end(0);
}

/* An error of a call without an answer comes with the next answer; then the device goes on. */
static void late_errors(void **state)
{
    (void)state;
    begin(2, "");
    struct shoal_device *device = shoal_ranks_device_at(ranks, 1);
    struct shoal_program *program = unit_build(device);
    struct shoal_queue *queue;
    struct shoal_kernel *noop;
    struct shoal_buffer *buffer, *large;
    struct shoal_event *event;
    unsigned char data[WIRE_INLINE + 1] = {1};
    assert_ok(shoal_queue_create(device, 0, &queue, &test_error));
    assert_ok(shoal_kernel_create(program, "noop", &noop, &test_error));
    assert_ok(shoal_buffer_create(device, sizeof data, &buffer, &test_error));
    fake_fail_call(FAKE_LAUNCH, 1, SHOAL_FAILED);
    assert_ok(shoal_launch(queue, noop, 1, NULL, 0, &event, &test_error));
    assert_ok(shoal_buffer_write(queue, buffer, 0, data, sizeof data, &test_error)); /* read in any case */
    assert_status(shoal_queue_finish(queue, &test_error), SHOAL_FAILED);
    assert_int_equal(test_error.native, FAKE_NATIVE_ERROR);
    assert_non_null(strstr(test_error.message, "launches since the last good finish: 1, latest noop"));
    assert_status(shoal_event_wait(event, &test_error), SHOAL_FAILED); /* the event of no launch */
    shoal_event_destroy(&event);
    assert_ok(shoal_queue_finish(queue, &test_error));
    fake_fail_call(FAKE_BUFFER_CREATE, 1, SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_status(shoal_buffer_create(device, 8, &large, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    fake_fail_call(FAKE_BUFFER_READ, 1, SHOAL_DEVICE_LOST);
    assert_status(shoal_buffer_read(queue, buffer, 0, data, sizeof data, &test_error), SHOAL_DEVICE_LOST);
    assert_status(shoal_queue_finish(queue, &test_error), SHOAL_DEVICE_LOST);
    shoal_buffer_destroy(&buffer);
    shoal_kernel_destroy(&noop);
    shoal_queue_destroy(&queue);
    shoal_program_destroy(&program);
    end(0);
}

/* A rank that no longer answers is named, and all ranks are ended. */
static void a_stopped_rank(void **state)
{
    (void)state;
    begin(2, "");
    struct shoal_queue *queue;
    shoal_ranks_hang_limit(ranks, 0.3);
    assert_ok(shoal_queue_create(shoal_ranks_device_at(ranks, 1), 0, &queue, &test_error));
    pthread_mutex_lock(&all.lock);
    all.stopped = 1;
    pthread_mutex_unlock(&all.lock);
    assert_status(shoal_queue_finish(queue, &test_error), SHOAL_DEVICE_LOST);
    assert_non_null(strstr(test_error.message, "rank 1 on host1 has not answered for 0.3 s: it was stopped"));
    shoal_queue_destroy(&queue);
    end(1);
    assert_int_equal(all.ended, 1);
}

/* Rows between two other ranks ------------------------------------------------------------------------- */

/* A queue and buffers of a device. */
struct end {
    struct shoal_queue *queue;
    struct shoal_buffer *own, *others;
};

static void open_end(struct end *end, size_t device, size_t bytes)
{
    struct shoal_device *of = shoal_ranks_device_at(ranks, device);
    assert_ok(shoal_queue_create(of, 0, &end->queue, &test_error));
    assert_ok(shoal_buffer_create(of, bytes, &end->own, &test_error));
    assert_ok(shoal_buffer_create(of, bytes, &end->others, &test_error));
}

static void close_end(struct end *end)
{
    shoal_buffer_destroy(&end->own);
    shoal_buffer_destroy(&end->others);
    shoal_queue_destroy(&end->queue);
}

static void expect_words(const struct end *end, size_t offset, size_t bytes, uint32_t word)
{
    uint32_t *words = malloc(bytes);
    assert_non_null(words);
    assert_ok(shoal_buffer_read(end->queue, end->others, offset, words, bytes, &test_error));
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        assert_int_equal(words[i], word);
    free(words);
}

/* The devices of ranks 1 and 2, or two devices of rank 1, take rows of each other, some of them longer than a
 * message, while neither waits until its own rows are taken. No row comes to rank 0. */
static void exchange_rows(uint32_t first, uint32_t second)
{
    enum { MOST = WIRE_PIECE + 4096 };
    static const size_t sizes[] = {4, 1024, WIRE_PIECE + 4, MOST - 64, 8};
    struct end ends[2];
    struct link *links[2];
    struct shoal_device *devices[2] = {shoal_ranks_device_at(ranks, first),
                                       shoal_ranks_device_at(ranks, second)};
    for (size_t i = 0; i < 2; i++) {
        open_end(&ends[i], i ? second : first, MOST);
        assert_ok(link_create(devices[i], devices[1 - i], MOST, &links[i], &test_error));
        assert_int_equal(link_path(links[i]), SHOAL_LINK_RANKS);
        assert_true(link_is_free(links[i]) && link_is_given(links[i]) && !link_memory(links[i]));
    }
    for (uint32_t phase = 0; phase < sizeof sizes / sizeof *sizes; phase++) {
        const size_t bytes = sizes[phase];
        for (uint32_t takes = 0; takes < 2; takes++)
            for (uint32_t i = 0; i < 2; i++) {
                struct end *from = &ends[i], *to = &ends[1 - i];
                const struct link_piece pieces[] = {{.source = from->own,
                                                     .source_offset = 0,
                                                     .target = to->others,
                                                     .target_offset = 32,
                                                     .bytes = 32},
                                                    {.source = from->own, .target = to->others},
                                                    {.source = from->own,
                                                     .source_offset = 64,
                                                     .target = to->others,
                                                     .target_offset = 64,
                                                     .bytes = bytes}};
                if (takes) {
                    assert_ok(link_take(links[i], to->queue, pieces, 3, &test_error));
                    continue;
                }
                assert_ok(shoal_buffer_fill(from->queue, from->own, 0, MOST, 100 * i + phase, &test_error));
                assert_ok(link_give(links[i], from->queue, pieces, 3, &test_error));
                assert_ok(shoal_buffer_fill(from->queue, from->own, 0, MOST, 77, &test_error));
            }
        for (uint32_t i = 0; i < 2; i++)
            expect_words(&ends[1 - i], 32, 32 + bytes, 100 * i + phase);
    }
    for (size_t i = 0; i < 2; i++)
        close_end(&ends[i]);
    for (size_t i = 0; i < 2; i++)
        link_destroy(&links[i]);
}

static void rows_between_ranks(void **state)
{
    (void)state;
    begin(RANKS, "");
    exchange_rows(1, 2);
    end(0);
    struct shoal_device_info info = fake_gpu("Fake GPU");
    fake_add_device(&fake_backend, &info);
    begin(2, "all");
    exchange_rows(2, 3);
    end(0);
}

/* Rows that were given and not taken, and rows that could not be read, leave nothing that anyone waits for.
 */
static void rows_that_nobody_takes(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    struct end ends[2];
    struct link *link;
    begin(RANKS, "");
    for (size_t i = 0; i < 2; i++)
        open_end(&ends[i], 1 + i, BYTES);
    const struct link_piece piece = {.source = ends[0].own, .target = ends[1].others, .bytes = BYTES};
    struct shoal_device *devices[2] = {shoal_ranks_device_at(ranks, 1), shoal_ranks_device_at(ranks, 2)};
    for (int phase = 0; phase < 3; phase++) {
        assert_ok(link_create(devices[0], devices[1], BYTES, &link, &test_error));
        assert_ok(shoal_buffer_fill(ends[0].queue, ends[0].own, 0, BYTES, 5, &test_error));
        assert_ok(shoal_queue_finish(ends[0].queue, &test_error));
        if (phase == 1) {
            fake_fail_call(FAKE_ENQUEUE_READ, 1, SHOAL_OUT_OF_DEVICE_MEMORY);
            assert_status(link_give(link, ends[0].queue, &piece, 1, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
            assert_ok(link_take(link, ends[1].queue, &piece, 1, &test_error));
            assert_status(shoal_queue_finish(ends[1].queue, &test_error), SHOAL_FAILED);
            assert_contains(test_error.message, "rank 1 could not give its rows");
        } else {
            assert_ok(link_give(link, ends[0].queue, &piece, 1, &test_error));
        }
        if (phase == 2)
            assert_ok(link_take(link, ends[1].queue, &piece, 1, &test_error));
        link_destroy(&link);
    }
    expect_words(&ends[1], 0, BYTES, 5);
    for (size_t i = 0; i < 2; i++)
        close_end(&ends[i]);
    end(0);
}

/* A rank that waits for rows lives; the message names the one that it waits for. */
static void a_stopped_rank_that_gives_rows(void **state)
{
    (void)state;
    enum { BYTES = 64 };
    struct end ends[2];
    struct link *link;
    begin(RANKS, "");
    shoal_ranks_hang_limit(ranks, 0.5);
    for (size_t i = 0; i < 2; i++)
        open_end(&ends[i], 1 + i, BYTES);
    const struct link_piece piece = {.source = ends[0].own, .target = ends[1].others, .bytes = BYTES};
    struct shoal_device *from = shoal_ranks_device_at(ranks, 1), *to = shoal_ranks_device_at(ranks, 2);
    assert_ok(link_create(from, to, BYTES, &link, &test_error));
    pthread_mutex_lock(&all.lock);
    all.stopped = 1;
    pthread_mutex_unlock(&all.lock);
    const struct link_piece *pieces = &piece;
    assert_ok(to->backend->rows_take(to, ends[1].queue, from, pieces, 1, BYTES, &test_error));
    assert_status(shoal_queue_finish(ends[1].queue, &test_error), SHOAL_DEVICE_LOST);
    assert_contains(
        test_error.message,
        "rank1:fake:0 (Fake GPU) is lost: rank 1 on host1 has not answered for 0.5 s: it was stopped");
    assert_true(device_is_lost(from) && !device_is_lost(to));
    link_destroy(&link);
    for (size_t i = 0; i < 2; i++)
        close_end(&ends[i]);
    end(1);
    assert_int_equal(all.ended, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(ranks_get_the_code),
        UNIT_TEST(other_options),
        UNIT_TEST(other_versions),
        UNIT_TEST(bad_calls),
        UNIT_TEST(devices_of_a_host),
        UNIT_TEST(a_rank_without_a_device),
        UNIT_TEST(all_devices),
        UNIT_TEST(kernels),
        UNIT_TEST(bytes),
        UNIT_TEST(late_errors),
        UNIT_TEST(a_stopped_rank),
        UNIT_TEST(rows_between_ranks),
        UNIT_TEST(rows_that_nobody_takes),
        UNIT_TEST(a_stopped_rank_that_gives_rows),
    };
    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
