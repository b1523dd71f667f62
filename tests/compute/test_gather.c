/* Copies of several short pieces in one launch, between buffers of one device. */
#include "harness.h"

#include "compute/link/gather.h"

#include <string.h>
#include <sys/types.h> /* defines uint, ulong */

#include "lib/link/gather.clh"

extern const struct shoal_program_desc gather_program;

enum { WORDS = 5000, TABLES = GATHER_TARGETS + 1, WORD = sizeof(uint32_t) };

struct tables {
    struct shoal_buffer *sources[TABLES], *targets[TABLES];
    uint32_t *before[TABLES], *given[TABLES]; /* what the targets and the sources hold */
};

static void fill(struct tables *tables)
{
    for (uint32_t t = 0; t < TABLES; t++) {
        tables->given[t] = harness_memory(WORDS * WORD);
        tables->before[t] = harness_memory(WORDS * WORD);
        harness_words(tables->given[t], WORDS, 2 * t + 1);
        harness_words(tables->before[t], WORDS, 2 * t + 2);
        tables->sources[t] = harness_upload(tables->given[t], WORDS * WORD);
        tables->targets[t] = harness_upload(tables->before[t], WORDS * WORD);
    }
}

static struct link_piece piece(const struct tables *tables, size_t t, size_t from, size_t to, size_t words)
{
    return (struct link_piece){tables->sources[t], from * WORD, tables->targets[t], to * WORD, words * WORD};
}

static bool fits(struct gather *gather, const struct link_piece *pieces, size_t count)
{
    const struct gather_call call = {.pieces = pieces, .count = count};
    bool takes;
    assert_ok(gather_take(gather, harness.queue, &call, &takes, &test_error));
    return takes;
}

/* Takes the pieces and compares all words of all targets. */
static void take(struct gather *gather, struct tables *tables, const struct link_piece *pieces, size_t count)
{
    uint32_t got[WORDS];
    assert_true(fits(gather, pieces, count));
    for (size_t i = 0; i < count; i++)
        for (uint32_t t = 0; t < TABLES; t++)
            if (tables->targets[t] == pieces[i].target)
                memcpy(tables->before[t] + pieces[i].target_offset / WORD,
                       tables->given[t] + pieces[i].source_offset / WORD, pieces[i].bytes);
    for (uint32_t t = 0; t < TABLES; t++) {
        assert_ok(shoal_buffer_read(harness.queue, tables->targets[t], 0, got, sizeof got, &test_error));
        test_label("table %u", t);
        assert_memory_equal(got, tables->before[t], sizeof got);
    }
}

static void pieces_come_together(void **state)
{
    (void)state;
    struct tables tables;
    struct gather *gather;
    fill(&tables);
    assert_ok(gather_create(harness.device, &gather, &test_error));
    /* The smallest, all tables and ranges of a launch, odd lengths beside a length of several groups. */
    const struct link_piece one[] = {piece(&tables, 0, 3, 4999, 1)};
    const struct link_piece many[] = {
        piece(&tables, 0, 0, 7, 1),      piece(&tables, 1, 1, 0, 4999),  piece(&tables, 2, 4000, 1, 257),
        piece(&tables, 3, 17, 18, 1023), piece(&tables, 0, 100, 100, 0), piece(&tables, 0, 9, 2000, 31),
        piece(&tables, 2, 5, 3000, 64),  piece(&tables, 1, 0, 4999, 1),  piece(&tables, 3, 2500, 4000, 999),
    };
    take(gather, &tables, one, 1);
    take(gather, &tables, many, sizeof many / sizeof *many);
    gather_destroy(&gather);
}

static void other_pieces_are_refused(void **state)
{
    (void)state;
    struct tables tables;
    struct gather *gather;
    struct link_piece pieces[GATHER_RANGES + 1];
    fill(&tables);
    assert_ok(gather_create(harness.device, &gather, &test_error));
    for (size_t i = 0; i < GATHER_RANGES + 1; i++)
        pieces[i] = piece(&tables, 0, i, i, 1);
    assert_true(fits(gather, pieces, GATHER_RANGES));
    assert_false(fits(gather, pieces, GATHER_RANGES + 1)); /* ranges */
    for (size_t i = 0; i < TABLES; i++)
        pieces[i] = piece(&tables, i, 0, 0, 1);
    assert_true(fits(gather, pieces, GATHER_TARGETS));
    assert_false(fits(gather, pieces, GATHER_TARGETS + 1)); /* buffers */
    pieces[0].bytes = 6;
    assert_false(fits(gather, pieces, 1)); /* no whole words */
    pieces[0].bytes = (1 << 20) + WORD;
    assert_false(fits(gather, pieces, 1)); /* better copied by an engine */
    gather_destroy(&gather);
}

enum { NOTES = GATHER_PEERS, NOTE = 32 };
static const uint32_t largest = 0x8f000003, least = 1u << 4 | 1u << 29;

static uint64_t pair_of(const uint32_t *words)
{
    return (uint64_t)words[0] << 32 | words[1];
}

/* What merging gives, one word after the other. */
static void expect_merged(uint32_t *own, uint32_t notes[NOTES][NOTE])
{
    for (size_t i = 0; i < NOTES; i++)
        for (size_t k = 0; k < NOTE; k++) {
            if (largest >> k & 1 && notes[i][k] > own[k])
                own[k] = notes[i][k];
            if (least >> k & 1 && pair_of(notes[i] + k) < pair_of(own + k)) {
                own[k] = notes[i][k];
                own[k + 1] = notes[i][k + 1];
            }
        }
}

/* The notes of several devices become one; the early piece has the note of before. */
static void notes_are_merged(void **state)
{
    (void)state;
    uint32_t notes[NOTES][NOTE], own[NOTE], before[NOTE], got[NOTE];
    struct link_piece pieces[NOTES + 1];
    struct tables tables;
    struct gather *gather;
    bool takes;
    fill(&tables);
    assert_ok(gather_create(harness.device, &gather, &test_error));
    /* Few values, so that words are often equal. */
    for (size_t i = 0; i < NOTES * NOTE; i++)
        (&notes[0][0])[i] = tables.given[0][i] % 5;
    for (size_t i = 0; i < NOTE; i++)
        before[i] = own[i] = tables.given[1][i] % 5;
    struct shoal_buffer *theirs = harness_upload(notes, sizeof notes),
                        *ours = harness_upload(own, sizeof own);
    for (size_t i = 0; i < NOTES; i++)
        pieces[i] =
            (struct link_piece){.source = theirs, .source_offset = i * sizeof own, .bytes = sizeof own};
    pieces[NOTES] = piece(&tables, 2, 0, 0, WORDS);
    struct gather_call call = {.pieces = pieces,
                               .count = NOTES + 1,
                               .note_count = NOTES,
                               .largest = largest,
                               .least = least,
                               .early = {ours, 0, tables.targets[1], 8, sizeof own}};
    assert_ok(gather_take(gather, harness.queue, &call, &takes, &test_error));
    assert_true(takes);
    expect_merged(own, notes);
    assert_ok(shoal_buffer_read(harness.queue, ours, 0, got, sizeof got, &test_error));
    assert_memory_equal(got, own, sizeof own);
    assert_ok(shoal_buffer_read(harness.queue, tables.targets[1], 8, got, sizeof got, &test_error));
    assert_memory_equal(got, before, sizeof before);
    memcpy(tables.before[1] + 2, before, sizeof before);
    take(gather, &tables, pieces + NOTES, 1);
    pieces[0].bytes += WORD; /* a note that is too long */
    assert_ok(gather_take(gather, harness.queue, &call, &takes, &test_error));
    assert_false(takes);
    gather_destroy(&gather);
}

static struct gather *open_gather(uint32_t number)
{
    struct gather *gather;
    assert_ok(gather_create(harness.device, &gather, &test_error));
    assert_ok(gather_open_mark(gather, harness.queue, &test_error));
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    assert_ok(gather_set(gather, number, &test_error));
    return gather;
}

/* Two devices that are one: each launch finds the mark that it waits for, as the marks come in this order. A
 * mark that is not set, or not seen, lets the next launch wait for ever. */
static void marks_are_set_and_seen(void **state)
{
    (void)state;
    const uint32_t start = UINT32_MAX - 3; /* near the largest number, behind which numbers begin again */
    struct tables tables;
    struct gather *one = open_gather(start), *other = open_gather(start);
    uint32_t got[WORDS];
    bool takes;
    fill(&tables);
    const struct link_piece pieces[] = {piece(&tables, 1, 0, 0, WORDS)};
    for (uint32_t number = start + 1; number != 3; number++) {
        const struct gather_call first = {.pieces = pieces,
                                          .count = 1,
                                          .peers = &other,
                                          .peer_count = 1,
                                          .number = number,
                                          .early = piece(&tables, 0, number % 7, 1, 3)};
        const struct gather_call second = {.peers = &one, .peer_count = 1, .number = number};
        assert_ok(gather_set(other, number, &test_error)); /* the other device has come */
        assert_ok(gather_take(one, harness.queue, &first, &takes, &test_error));
        assert_true(takes);
        assert_ok(shoal_queue_finish(harness.queue, &test_error));
        assert_ok(gather_set(other, number - 1, &test_error));
        assert_ok(gather_take(other, harness.queue, &second, &takes, &test_error));
        assert_ok(shoal_buffer_read(harness.queue, tables.targets[0], 0, got, sizeof got, &test_error));
        test_label("meeting %u", number);
        assert_memory_equal(got + 1, tables.given[0] + number % 7, 3 * WORD);
    }
    assert_ok(shoal_buffer_read(harness.queue, tables.targets[1], 0, got, sizeof got, &test_error));
    assert_memory_equal(got, tables.given[1], sizeof got);
    gather_destroy(&one);
    gather_destroy(&other);
}

/* After a failure a device goes on, whatever the marks of its peers. */
static void a_stop_ends_waits(void **state)
{
    (void)state;
    struct gather *one = open_gather(4), *other = open_gather(4);
    const struct gather_call call = {.peers = &other, .peer_count = 1, .number = 5};
    bool takes;
    assert_false(gather_is_stopped(one));
    gather_stop(one);
    gather_stop(one);
    assert_true(gather_is_stopped(one));
    assert_ok(gather_take(one, harness.queue, &call, &takes, &test_error));
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    assert_ok(gather_set(one, 5, &test_error));
    assert_false(gather_is_stopped(one));
    gather_destroy(&one);
    gather_destroy(&other);
}

static void an_early_piece_must_fit(void **state)
{
    (void)state;
    struct tables tables;
    struct gather *gather;
    bool takes;
    fill(&tables);
    assert_ok(gather_create(harness.device, &gather, &test_error));
    struct gather_call call = {.early = piece(&tables, 0, 0, 0, 1)};
    call.early.bytes = 6;
    assert_status(gather_take(gather, harness.queue, &call, &takes, &test_error), SHOAL_INVALID);
    assert_string_equal(test_error.message, "gather_take: the early piece has 6 bytes");
    gather_destroy(&gather);
}

/* A launch that does other work, too, copies from one buffer of each device to one buffer. */
static void launches_that_meet_are_prepared(void **state)
{
    (void)state;
    struct tables tables;
    struct shoal_program *program;
    struct shoal_kernel *kernel;
    struct gather_job job;
    fill(&tables);
    struct gather *here = open_gather(0), *there = open_gather(0);
    assert_ok(shoal_program_create(harness.device, &gather_program, NULL, &program, &test_error));
    assert_ok(shoal_kernel_create(program, "gather_words", &kernel, &test_error));
    struct link_piece pieces[] = {piece(&tables, 0, 0, 0, 9), piece(&tables, 0, 9, 9, 7)};
    const struct gather_call call = {
        .pieces = pieces, .count = 2, .peers = &there, .peer_count = 1, .number = 5};
    for (uint32_t k = 1; k < 4; k++) {
        assert_ok(gather_prepare(here, &call, kernel, &job, &test_error));
        assert_int_equal(job.list.number, 5);
        assert_int_equal(job.list.copies, 2);
        assert_int_equal(gather_groups(&job), 1 + 2 * job.list.groups);
        assert_int_equal(job.list.rows, 2 * k * job.list.groups); /* a count of all launches */
    }
    assert_ok(gather_set(here, 5, &test_error));
    assert_ok(gather_prepare(here, &call, kernel, &job, &test_error));
    assert_int_equal(job.list.rows, 2 * job.list.groups);
    pieces[1].target = tables.targets[1];
    assert_status(gather_prepare(here, &call, kernel, &job, &test_error), SHOAL_INVALID);
    assert_true(gather_can_prepare(GATHER_RANGES, 1 << 22));
    assert_false(gather_can_prepare(GATHER_RANGES + 1, 4));
    assert_false(gather_can_prepare(1, (1 << 22) + 4));
    shoal_kernel_destroy(&kernel);
    shoal_program_destroy(&program);
    gather_destroy(&here);
    gather_destroy(&there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(pieces_come_together),
        cmocka_unit_test(other_pieces_are_refused),
        cmocka_unit_test(notes_are_merged),
        cmocka_unit_test(marks_are_set_and_seen),
        cmocka_unit_test(launches_that_meet_are_prepared),
        cmocka_unit_test(a_stop_ends_waits),
        cmocka_unit_test(an_early_piece_must_fit),
    };
    return harness_main("gather", tests, sizeof tests / sizeof *tests);
}
