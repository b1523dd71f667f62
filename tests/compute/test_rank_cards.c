/* Cards of other ranks that rank 0 uses itself, without messages: which ones these are, what their ranks
 * still serve, and how a run ends if such a rank is lost. */
#include "compute/device.h"
#include "compute/link/link.h"
#include "memory_ranks.h"
#include "unit.h"

enum { RANKS = MEMORY_RANKS };

static struct memory_ranks all;
static struct shoal_ranks *ranks;
static struct shoal *shoal;

/* Makes `count` cards the only devices. They have addresses on the PCI bus, and reach each other's memory. */
static void set_cards(const struct backend *backend, const char *name, uint32_t count)
{
    struct shoal_device_info info = fake_gpu("Fake card");
    fake_reset();
    fake_set_peers(FAKE_PEERS);
    info.backend = name;
    info.has_pci = true;
    for (uint32_t i = 0; i < count; i++) {
        info.pci.bus = 16 + i;
        fake_add_device(backend, &info);
    }
}

static void begin_on(const char *host1, const char *host2, uint32_t count)
{
    all = (struct memory_ranks){.ranks = {{.host = "h"}, {.host = host1}, {.host = host2}}};
    assert_ok(memory_begin(&all, count, &ranks, &test_error));
}

static void open_ranks(const char *selector)
{
    assert_ok(memory_open(ranks, selector, &shoal, &test_error));
}

static void end(int code)
{
    shoal_close(&shoal);
    memory_end(&all, &ranks, code);
}

static void expect_devices(const char *ids)
{
    struct text found = {0};
    for (size_t i = 0; i < shoal_ranks_device_count(ranks); i++)
        text_printf(&found, "%s%s", i ? " " : "", shoal_device_get_info(shoal_ranks_device_at(ranks, i))->id);
    assert_string_equal(found.data, ids);
    text_free(&found);
}

/* Copies words from one device of the run to another, and returns the path of the copy. */
static enum shoal_link_path copy_words(size_t from, size_t to)
{
    enum { BYTES = 64 };
    struct shoal_device *devices[2] = {shoal_ranks_device_at(ranks, from), shoal_ranks_device_at(ranks, to)};
    struct shoal_queue *queues[2];
    struct shoal_buffer *buffers[2];
    struct link *link;
    uint32_t words[BYTES / sizeof(uint32_t)];
    for (size_t i = 0; i < 2; i++) {
        assert_ok(shoal_queue_create(devices[i], 0, &queues[i], &test_error));
        assert_ok(shoal_buffer_create(devices[i], BYTES, &buffers[i], &test_error));
        assert_ok(shoal_buffer_fill(queues[i], buffers[i], 0, BYTES, 100 + (uint32_t)i, &test_error));
    }
    const struct link_piece piece = {.source = buffers[0], .target = buffers[1], .bytes = BYTES};
    assert_ok(link_create(devices[0], devices[1], BYTES, &link, &test_error));
    const enum shoal_link_path path = link_path(link);
    assert_ok(link_give(link, queues[0], &piece, 1, &test_error));
    assert_ok(link_take(link, queues[1], &piece, 1, &test_error));
    assert_ok(shoal_buffer_read(queues[1], buffers[1], 0, words, BYTES, &test_error));
    for (size_t i = 0; i < BYTES / sizeof *words; i++)
        assert_int_equal(words[i], 100);
    link_destroy(&link);
    for (size_t i = 0; i < 2; i++) {
        shoal_buffer_destroy(&buffers[i]);
        shoal_queue_destroy(&queues[i]);
    }
    return path;
}

/* Which cards ------------------------------------------------------------------------------------------ */

static void cards_of_one_host(void **state)
{
    (void)state;
    set_cards(&fake_backend, "fake", 4);
    begin_on("h", "h", RANKS);
    open_ranks("");
    expect_devices("fake:0 fake:3 fake:1 fake:2");
    assert_contains(unit_log(), "fake:1, dealt to rank 1 on h, is used by rank 0 without messages");
    for (size_t i = 1; i < 4; i++) {
        assert_string_equal(shoal_device_get_info(shoal_ranks_device_at(ranks, i))->host, "");
        assert_int_equal(copy_words(0, i), SHOAL_LINK_PEER);
        assert_int_equal(copy_words(i, 0), SHOAL_LINK_PEER);
    }
    const unsigned calls = all.calls;
    assert_int_equal(copy_words(2, 3), SHOAL_LINK_PEER);
    assert_int_equal(all.calls, calls); /* no message */
    end(7);
    for (size_t r = 1; r < RANKS; r++)
        assert_int_equal(all.ranks[r].code, 7);
}

/* Rank 1 is on the host of rank 0, rank 2 on another one. */
static void cards_of_two_hosts(void **state)
{
    (void)state;
    set_cards(&fake_backend, "fake", 2);
    begin_on("h", "other", RANKS);
    open_ranks("");
    expect_devices("fake:0 fake:1 rank2:fake:0 rank2:fake:1");
    assert_int_equal(copy_words(0, 1), SHOAL_LINK_PEER);
    assert_int_equal(copy_words(1, 2), SHOAL_LINK_HOST);
    assert_int_equal(copy_words(2, 1), SHOAL_LINK_HOST);
    assert_int_equal(copy_words(2, 3), SHOAL_LINK_RANKS);
    end(0);
}

/* A device that may be no card, such as a processor, stays with its rank, as does a part of a card. */
static void devices_that_stay(void **state)
{
    (void)state;
    struct shoal_device_info info = fake_gpu("Fake GPU");
    fake_add_device(&fake_backend, &info);
    begin_on("h", "h", 2);
    open_ranks("");
    expect_devices("fake:0 rank1:fake:1");
    end(0);
    set_cards(&fake_backend, "fake", 1);
    begin_on("h", "h", 2);
    open_ranks("fake:0/2");
    expect_devices("fake:0/2:0 rank1:fake:0/2:1");
    assert_int_equal(copy_words(0, 1), SHOAL_LINK_HOST);
    end(0);
}

/* With a card that rank 0 cannot open, the run goes by messages, with the same bytes. */
static void a_card_that_rank_0_cannot_open(void **state)
{
    (void)state;
    set_cards(&fake_backend, "fake", 2);
    begin_on("h", "h", 2);
    fake_fail_call(FAKE_DEVICE_OPEN, 1, SHOAL_FAILED);
    open_ranks("");
    expect_devices("fake:0 rank1:fake:1");
    assert_contains(unit_log(), "rank 0 cannot use fake:1, dealt to rank 1 on h, itself, and sends messages");
    assert_string_equal(shoal_device_get_info(shoal_ranks_device_at(ranks, 1))->alias_of, "fake:1");
    assert_int_equal(copy_words(0, 1), SHOAL_LINK_HOST);
    end(0);
}

/* Another driver may list the same cards first: rank 0 uses them by the driver that their rank would use. */
static void cards_of_two_drivers(void **state)
{
    (void)state;
    set_cards(&fake_backend, "fake", 2);
    struct shoal_device_info info = fake_gpu("Fake card");
    info.backend = "other";
    info.has_pci = true;
    for (uint32_t i = 0; i < 2; i++) {
        info.pci.bus = 16 + i;
        fake_add_device(&fake_other_backend, &info);
    }
    begin_on("h", "h", 2);
    open_ranks("fake:0,fake:1");
    expect_devices("fake:0 fake:1");
    end(0);
    begin_on("h", "h", 2);
    open_ranks("");
    expect_devices("other:0 other:1");
    end(0);
}

/* Both ranks name the same card: it is listed a second time, as an alias, which a divided run refuses. */
static void a_card_of_two_ranks(void **state)
{
    (void)state;
    set_cards(&fake_backend, "fake", 2);
    all = (struct memory_ranks){
        .ranks = {{.host = "h", .selector = "fake:0"}, {.host = "h", .selector = "pci:10:0"}}};
    assert_ok(memory_begin(&all, 2, &ranks, &test_error));
    open_ranks("");
    expect_devices("fake:0 rank1:fake:0");
    assert_string_equal(shoal_device_get_info(shoal_ranks_device_at(ranks, 1))->alias_of, "fake:0");
    end(0);
}

/* Programs that show devices get those of each rank. */
static void all_devices(void **state)
{
    (void)state;
    set_cards(&fake_backend, "fake", 2);
    begin_on("h", "h", 2);
    open_ranks(NULL);
    expect_devices("fake:0 fake:1 rank1:fake:0 rank1:fake:1");
    end(0);
}

/* Whichever message does not get through, nothing is left: teardown looks. */
static void failing_messages(void **state)
{
    (void)state;
    unsigned failed = 0, messages = 1;
    for (unsigned n = 0; n <= messages; n++) { /* at first all get through, and are counted */
        set_cards(&fake_backend, "fake", 3);
        all = (struct memory_ranks){.fails_at = n, .ranks = {{.host = "h"}, {.host = "h"}, {.host = "h"}}};
        enum shoal_status status = memory_begin(&all, RANKS, &ranks, &test_error);
        if (!status)
            status = memory_open(ranks, "", &shoal, &test_error);
        failed += status != SHOAL_OK;
        messages = n ? messages : all.calls;
        assert_true(n || !status);
        shoal_close(&shoal);
        memory_end(&all, &ranks, 1);
    }
    assert_int_equal(failed, messages);
    assert_int_equal(messages, 4 * (RANKS - 1)); /* what it is, what it gets, its devices, and their end */
}

/* Lost ranks ------------------------------------------------------------------------------------------- */

static void stop_rank(uint32_t rank)
{
    pthread_mutex_lock(&all.lock);
    all.stopped = rank;
    pthread_mutex_unlock(&all.lock);
}

static void begin_cards(double hang_limit)
{
    set_cards(&fake_backend, "fake", RANKS);
    begin_on("h", "h", RANKS);
    open_ranks("");
    shoal_ranks_hang_limit(ranks, hang_limit);
}

/* Calls of devices go on; only the check notices the stop. */
static void a_stopped_rank(void **state)
{
    (void)state;
    begin_cards(0.3);
    enum shoal_status status = SHOAL_OK;
    for (int i = 0; i < 100; i++)
        assert_ok(instance_check_alive(shoal, &test_error));
    stop_rank(2);
    for (int i = 0; i < 10000 && !status; i++) {
        assert_int_equal(copy_words(0, 2), SHOAL_LINK_PEER);
        status = instance_check_alive(shoal, &test_error);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    assert_int_equal(status, SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "rank 2 on h has not answered for 0.3 s: it was stopped or killed");
    end(5);
    assert_int_equal(all.ended, 5);
}

static bool ends(void *data)
{
    (void)data;
    return true;
}

/* A launcher that has lost a rank tells the run to end: the check at its end waits for the answers of all
 * ranks. */
static void a_lost_rank_at_the_end(void **state)
{
    (void)state;
    for (uint32_t lost = 0; lost < RANKS; lost++) {
        begin_cards(60);
        stop_rank(lost);
        ranks->lives.stop = ends;
        assert_ok(instance_check_alive(shoal, &test_error)); /* the run may still end by itself */
        const enum shoal_status status = instance_check_alive_at_end(shoal, &test_error);
        assert_int_equal(status, lost ? SHOAL_DEVICE_LOST : SHOAL_OK);
        if (lost)
            assert_contains(test_error.message, lost == 1 ? "rank 1 on h has not answered for 0.3 s"
                                                          : "rank 2 on h has not answered for 0.3 s");
        end(6);
        assert_int_equal(all.ended, lost ? 6 : -1);
    }
}

/* Rank 0 does not wait for such a rank for ever when it leaves, unless it was told that ranks may take any
 * time. */
static void leaving_a_stopped_rank(void **state)
{
    (void)state;
    begin_cards(0.2);
    stop_rank(1);
    end(4);
    assert_int_equal(all.ended, 4);
    begin_cards(0);
    stop_rank(1);
    shoal_close(&shoal);
    shoal_ranks_leave(&ranks, 3);
    stop_rank(0);
    memory_end(&all, &ranks, 0);
    assert_int_equal(all.ranks[1].code, 3);
    assert_int_equal(all.ended, -1);
}

/* Makes the next check ask a rank, which is stopped, and takes no answer. */
static void ask_stopped_rank(uint32_t rank)
{
    stop_rank(rank);
    ranks->lives.list[rank].since_s = 1;
    assert_ok(instance_check_alive(shoal, &test_error));
    assert_true(ranks->lives.list[rank].is_asked);
}

/* A run with long steps looks rarely: a question that was open for longer than the limit by the clock, at the
 * second look, costs one more second. */
static void a_stopped_rank_between_long_steps(void **state)
{
    (void)state;
    begin_cards(40);
    struct life *life = &ranks->lives.list[2];
    ask_stopped_rank(2);
    life->asked_s -= 30;
    assert_ok(instance_check_alive(shoal, &test_error));
    life->asked_s -= 30;
    assert_status(instance_check_alive(shoal, &test_error), SHOAL_DEVICE_LOST);
    assert_contains(test_error.message, "rank 2 on h has not answered for 40 s");
    end(5);
    /* As if rank 0 had been stopped: the answer is there, or comes soon. */
    begin_cards(40);
    life = &ranks->lives.list[1];
    life->since_s = 1;
    assert_ok(instance_check_alive(shoal, &test_error));
    life->asked_s -= 60;
    assert_ok(instance_check_alive(shoal, &test_error));
    assert_false(life->is_asked);
    end(0);
    assert_int_equal(all.ended, -1);
}

/* A question that was asked before the limit was set to 0 keeps no one from leaving. */
static void leaving_with_an_open_question(void **state)
{
    (void)state;
    begin_cards(60);
    ask_stopped_rank(1);
    shoal_ranks_hang_limit(ranks, 0);
    shoal_close(&shoal);
    shoal_ranks_leave(&ranks, 3);
    stop_rank(0);
    memory_end(&all, &ranks, 0);
    assert_int_equal(all.ranks[1].code, 3);
    assert_int_equal(all.ended, -1);
}

/* Ranks whose devices rank 0 calls by messages are not asked. */
static void ranks_with_devices(void **state)
{
    (void)state;
    begin_on(NULL, NULL, RANKS);
    open_ranks("");
    const struct life *life = &ranks->lives.list[1];
    const double looked_s = life->looked_s;
    assert_ok(instance_check_alive(shoal, &test_error));
    assert_ok(instance_check_alive_at_end(shoal, &test_error));
    assert_true(life->looked_s == looked_s);
    end(0);
    shoal = unit_open();
    assert_ok(instance_check_alive(shoal, &test_error));
    assert_ok(instance_check_alive_at_end(shoal, &test_error));
    shoal_close(&shoal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(cards_of_one_host),
        UNIT_TEST(cards_of_two_hosts),
        UNIT_TEST(devices_that_stay),
        UNIT_TEST(a_card_that_rank_0_cannot_open),
        UNIT_TEST(cards_of_two_drivers),
        UNIT_TEST(a_card_of_two_ranks),
        UNIT_TEST(all_devices),
        UNIT_TEST(failing_messages),
        UNIT_TEST(a_stopped_rank),
        UNIT_TEST(a_lost_rank_at_the_end),
        UNIT_TEST(leaving_a_stopped_rank),
        UNIT_TEST(a_stopped_rank_between_long_steps),
        UNIT_TEST(leaving_with_an_open_question),
        UNIT_TEST(ranks_with_devices),
    };
    return cmocka_run_group_tests_name("cards of other ranks", tests, NULL, NULL);
}
