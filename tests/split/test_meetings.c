/* Meetings in which kernels wait for each other, over the fake backend: parts exchange rows and notes as
 * parts of a workload do, and see the rows that one loop without parts has. */
#include "base/error.h"
#include "compute/backend.h"
#include "compute/clock.h"
#include "compute/launch.h"
#include "compute/link/gather.h"
#include "split/split.h"
#include "unit.h"

enum { MOST = 7, UNITS = 21, TABLES = 2, WORDS = 3, MEETINGS = 40, NOBODY = MOST };

struct rows {
    uint32_t tables[TABLES][UNITS][WORDS], notes[MOST];
};

struct plan {
    size_t parts;
    bool stays;            /* rows and notes are in two buffers by turns, and stay until the next meeting */
    bool is_scattered;     /* each unit is asked for by itself: too many pieces for one launch */
    bool has_early_note;   /* notes are written elsewhere first */
    bool meets_beside;     /* a meeting whose copies run beside the work follows each meeting */
    bool merges;           /* the meeting merges notes, if it can: the largest stays. With an early note */
    bool puts_off;         /* the next launch of a part may make the meeting. With `merges` and `stays` */
    size_t leaves_early;   /* the part that makes half of the meetings, or NOBODY */
    size_t fails;          /* the part that fails in the last meeting but one, or NOBODY */
    uint64_t waits_before; /* number of waits before the first meeting */
};

/* What a part gives, and where it gets what the others give. */
struct place {
    struct shoal_buffer *tables, *notes;
};

struct world {
    struct split split; /* must be the first member */
    struct plan plan;
    struct part parts[MOST];
    struct shoal *shoal;
    struct shoal_solver whole;
    struct place places[MOST][2];
    struct shoal_buffer *note[MOST];
    struct rows expected[MEETINGS]; /* what all parts see in each meeting */
    size_t wrong[MOST];             /* meetings in which a part saw other rows */
    size_t merged[MOST];            /* meetings that merged the notes */
    struct shoal_program *programs[MOST];
    struct shoal_kernel *kernels[MOST]; /* of the launch to which a meeting is put off */
    size_t put_off[MOST];               /* meetings that were put off */
    size_t marked[MOST];                /* waits of kernels with a mark */
    unsigned others[MOST];              /* waits for which the last of these marks stands, beside its own */
};

extern const struct shoal_program_desc gather_program;
static const struct workload_split rules = {.meets = true, .unit = "unit", .units = "units"};

/* The units of a part. */
static struct solver_share share_of(const struct world *world, size_t part)
{
    uint64_t shares[MOST];
    struct solver_share share = {.of = UNITS, .rules = &rules, .number = part, .shares = world->plan.parts};
    split_divide(UNITS, NULL, world->plan.parts, shares);
    for (size_t k = 0; k < part; k++)
        share.first += shares[k];
    share.count = shares[part];
    return share;
}

/* Changes the rows of the part, and its note, by all rows that it has seen. */
static void advance(const struct plan *plan, const struct rows *seen, const struct solver_share *share,
                    struct rows *own)
{
    uint32_t sum = (uint32_t)share->number;
    for (size_t k = 0; k < plan->parts; k++)
        sum = sum * 31 + seen->notes[k];
    for (size_t t = 0; t < TABLES; t++)
        for (size_t unit = 0; unit < UNITS; unit++)
            for (size_t w = 0; w < WORDS; w++)
                sum = sum * 1664525 + seen->tables[t][unit][w];
    for (size_t t = 0; t < TABLES; t++)
        for (uint64_t unit = share->first; unit < share->first + share->count; unit++)
            for (size_t w = 0; w < WORDS; w++)
                own->tables[t][unit][w] = seen->tables[t][unit][w] * 2654435761u + sum + (uint32_t)w;
    own->notes[share->number] = sum ^ seen->notes[share->number];
}

static struct rows first_rows(void)
{
    struct rows rows;
    for (uint32_t i = 0; i < sizeof rows / sizeof(uint32_t); i++)
        (&rows.tables[0][0][0])[i] = i + 1;
    return rows;
}

static uint64_t meetings_of(const struct plan *plan, size_t part)
{
    return part == plan->leaves_early ? MEETINGS / 2 : MEETINGS;
}

/* One loop without parts. Of a part that has left, the others have what it gave last. */
static void expect_rows(struct world *world)
{
    struct rows given = first_rows(), next = given;
    for (uint64_t m = 0; m < MEETINGS; m++) {
        for (size_t k = 0; k < world->plan.parts; k++) {
            const struct solver_share share = share_of(world, k);
            if (m >= meetings_of(&world->plan, k))
                continue;
            for (size_t t = 0; t < TABLES; t++)
                memcpy(given.tables[t][share.first], next.tables[t][share.first],
                       share.count * sizeof next.tables[t][0]);
            given.notes[k] = next.notes[k];
        }
        world->expected[m] = given;
        for (size_t k = 0; k < world->plan.parts; k++) {
            const struct solver_share share = share_of(world, k);
            if (m < meetings_of(&world->plan, k))
                advance(&world->plan, &given, &share, &next);
        }
    }
}

/* Gives the rows of the part to the device. */
static enum shoal_status write_rows(struct part *part, const struct rows *own, const struct place *place)
{
    struct world *world = (struct world *)part->split;
    const size_t k = part->share.number, row = sizeof own->tables[0][0];
    enum shoal_status status = SHOAL_OK;
    for (size_t t = 0; t < TABLES && !status; t++)
        status = shoal_buffer_write(part->queue, place->tables,
                                    sizeof own->tables[0] * t + part->share.first * row,
                                    own->tables[t][part->share.first], part->share.count * row, &part->error);
    if (status)
        return status;
    return world->plan.has_early_note ? shoal_buffer_write(part->queue, world->note[k], 0, &own->notes[k],
                                                           sizeof(uint32_t), &part->error)
                                      : shoal_buffer_write(part->queue, place->notes, k * sizeof(uint32_t),
                                                           &own->notes[k], sizeof(uint32_t), &part->error);
}

static void count_marks(struct part *part)
{
    struct world *world = (struct world *)part->split;
    const size_t k = part->share.number;
    world->marked[k] += part->is_marked;
    world->others[k] = part->is_marked ? part->marks[part->mark].others : world->others[k];
}

/* Makes the meeting or, if it is put off, a launch with its copies, and a meeting for the notes. */
static enum shoal_status meet_later(struct part *part, struct solver_visit *visit)
{
    struct world *world = (struct world *)part->split;
    const size_t k = part->share.number;
    struct gather_job job;
    struct solver_later later = {.kernel = world->kernels[k], .job = &job};
    visit->later = world->plan.puts_off ? &later : NULL;
    enum shoal_status status = part_meet(part, visit, &part->error);
    count_marks(part);
    if (status || !later.is_put_off)
        return status;
    world->put_off[k]++;
    struct shoal_buffer *const *from = job.sources, *const *peers = job.peers;
    status = LAUNCH(gather_words, part->queue, later.kernel, gather_groups(&job), &part->error,
                    .source0 = from[0], .source1 = from[1], .target0 = job.targets[0], .mark = job.mark,
                    .peer0 = peers[0], .peer1 = peers[1], .list = &job.list);
    visit->later = NULL;
    visit->guest_count = 0;
    return status ? status : part_meet(part, visit, &part->error);
}

static enum shoal_status meet(struct part *part, const struct place *place, struct solver_merge *merge)
{
    const struct world *world = (const struct world *)part->split;
    const size_t first = part->share.first, end = first + part->share.count;
    const struct rows *rows = world->expected;
    struct solver_table tables[TABLES];
    struct solver_guest guests[UNITS];
    struct solver_visit visit = {.tables = tables,
                                 .table_count = TABLES,
                                 .guests = guests,
                                 .rows = UNITS,
                                 .notes = {.buffer = place->notes, .row = sizeof(uint32_t)},
                                 .stays = world->plan.stays};
    for (size_t t = 0; t < TABLES; t++)
        tables[t] = (struct solver_table){
            .buffer = place->tables, .row = sizeof rows->tables[0][0], .offset = t * sizeof rows->tables[0]};
    for (size_t unit = 0; unit < UNITS; unit = unit == first ? end : unit + 1)
        if (unit != first && world->plan.is_scattered)
            guests[visit.guest_count++] = (struct solver_guest){.unit = unit, .count = 1};
    if (!world->plan.is_scattered) {
        guests[visit.guest_count++] = (struct solver_guest){.count = first};
        guests[visit.guest_count++] = (struct solver_guest){.unit = end, .count = UNITS - end};
    }
    if (world->plan.has_early_note)
        visit.own_note = world->note[part->share.number];
    if (world->plan.merges)
        visit.merge = merge;
    return meet_later(part, &visit);
}

/* Reads the notes, or the one that the meeting has made of them. */
static enum shoal_status see_notes(struct part *part, const struct place *place,
                                   const struct solver_merge *merge, const struct rows *expected,
                                   struct rows *seen)
{
    struct world *world = (struct world *)part->split;
    const size_t k = part->share.number, count = world->plan.parts;
    uint32_t largest = 0, got = 0;
    if (!merge->is_done)
        return shoal_buffer_read(part->queue, place->notes, 0, seen->notes, count * sizeof(uint32_t),
                                 &part->error);
    for (size_t i = 0; i < count; i++)
        largest = expected->notes[i] > largest ? expected->notes[i] : largest;
    const enum shoal_status status =
        shoal_buffer_read(part->queue, world->note[k], 0, &got, sizeof got, &part->error);
    world->wrong[k] += got != largest;
    world->merged[k]++;
    memcpy(seen->notes, expected->notes, sizeof seen->notes);
    return status;
}

/* One meeting whose copies run beside the part's work. */
static enum shoal_status meet_beside(struct part *part)
{
    const struct solver_visit visit = {.beside = true, .stays = true};
    return part_meet(part, &visit, &part->error);
}

/* A task of a part, as its solver would make it. */
static void make_meetings(struct part *part)
{
    struct world *world = (struct world *)part->split;
    struct rows own = first_rows(), seen = own;
    struct solver_merge merge = {.largest = 1};
    const size_t k = part->share.number;
    size_t none = 0;
    part->status = SHOAL_OK;
    for (uint64_t m = 0; m < meetings_of(&world->plan, k) && !part->status; m++) {
        const struct place *place = &world->places[k][world->plan.stays ? m % 2 : 0];
        if (k == world->plan.fails && m == MEETINGS - 2)
            part->status = SHOAL_FAILED;
        else if (atomic_load(&world->split.failed))
            part->status = fail(&part->error, SHOAL_FAILED, "another part has failed");
        if (!part->status)
            part->status = write_rows(part, &own, place);
        if (!part->status)
            part->status = meet(part, place, &merge);
        if (!part->status)
            part->status = shoal_buffer_read(part->queue, place->tables, 0, seen.tables, sizeof seen.tables,
                                             &part->error);
        if (!part->status)
            part->status = see_notes(part, place, &merge, &world->expected[m], &seen);
        if (!part->status && world->plan.meets_beside)
            part->status = meet_beside(part);
        world->wrong[k] += !part->status && memcmp(&seen, &world->expected[m], sizeof seen) != 0;
        advance(&world->plan, &seen, &part->share, &own);
    }
    if (!part->status)
        part->status = part_settle(part, &part->error);
    if (!part->status)
        part->status = shoal_queue_finish(part->queue, &part->error);
    if (part->status)
        atomic_compare_exchange_strong(&world->split.failed, &none, k + 1);
}

static void open_links(struct part *part)
{
    part->status = part_open_links(part, &part->error);
}

static struct world *open_world(const struct plan *plan)
{
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    fake_reset();
    fake_set_peers(FAKE_PEERS);
    const struct shoal_device_info info = fake_gpu("Fake peer");
    for (size_t k = 0; k < plan->parts; k++)
        fake_add_device(&fake_peer_backend, &info);
    world->plan = *plan;
    world->shoal = unit_open_peers();
    world->split = (struct split){.shares = {.rules = &rules},
                                  .whole = &world->whole,
                                  .parts = world->parts,
                                  .count = plan->parts,
                                  .is_timed = true,
                                  .is_direct = true,
                                  .has_gathers = true};
    atomic_store(&world->split.meetings, plan->waits_before);
    expect_rows(world);
    team_init(&world->split);
    for (size_t k = 0; k < plan->parts; k++) {
        struct part *part = &world->parts[k];
        struct shoal_device *device = shoal_device_at(world->shoal, k);
        *part = (struct part){.split = &world->split, .device = device, .is_direct = true};
        part->share = share_of(world, k);
        assert_ok(shoal_queue_create(device, SHOAL_QUEUE_PROFILING, &part->queue, &test_error));
        for (size_t i = 0; i < 2; i++) {
            struct place *place = &world->places[k][i];
            const struct rows *rows = world->expected;
            assert_ok(shoal_buffer_create(device, sizeof rows->tables, &place->tables, &test_error));
            assert_ok(shoal_buffer_create(device, sizeof rows->notes, &place->notes, &test_error));
        }
        assert_ok(shoal_buffer_create(device, sizeof(uint32_t), &world->note[k], &test_error));
        assert_ok(shoal_program_create(device, &gather_program, NULL, &world->programs[k], &test_error));
        assert_ok(shoal_kernel_create(world->programs[k], "gather_words", &world->kernels[k], &test_error));
    }
    assert_ok(team_start(&world->split, &test_error));
    team_do(&world->split, open_links);
    for (size_t k = 0; k < plan->parts; k++) {
        assert_ok(world->parts[k].status);
        assert_non_null(world->parts[k].gather);
        assert_ok(gather_set(world->parts[k].gather, (uint32_t)plan->waits_before, &test_error));
    }
    return world;
}

static void close_world(struct world *world)
{
    for (size_t k = 0; k < world->plan.parts; k++)
        assert_ok(shoal_queue_finish(world->parts[k].queue, &test_error));
    for (size_t k = 0; k < world->plan.parts; k++) {
        part_clear_marks(&world->parts[k]);
        struct shoal_queue *beside = world->parts[k].beside;
        shoal_queue_destroy(&beside);
        shoal_queue_destroy(&world->parts[k].queue);
    }
    team_end(&world->split);
    for (size_t k = 0; k < world->plan.parts; k++) {
        part_close_links(&world->parts[k]);
        for (size_t i = 0; i < 2; i++) {
            shoal_buffer_destroy(&world->places[k][i].tables);
            shoal_buffer_destroy(&world->places[k][i].notes);
        }
        shoal_buffer_destroy(&world->note[k]);
        shoal_kernel_destroy(&world->kernels[k]);
        shoal_program_destroy(&world->programs[k]);
    }
    shoal_close(&world->shoal);
    free(world);
}

/* All parts make all their meetings, and see the right rows. */
static void succeeds(struct world *world)
{
    world->plan.fails = NOBODY;
    team_do(&world->split, make_meetings);
    for (size_t k = 0; k < world->plan.parts; k++) {
        assert_ok(world->parts[k].status);
        assert_int_equal(world->wrong[k], 0);
    }
}

static struct plan plan_of(size_t parts)
{
    return (struct plan){
        .parts = parts, .has_early_note = parts < MOST, .leaves_early = NOBODY, .fails = NOBODY};
}

static void succeeds_with(struct plan plan)
{
    struct world *world = open_world(&plan);
    fake_clear_records();
    succeeds(world);
    /* Behind the launch that waits, rows are copied only where they are too many for it. */
    assert_true(plan.is_scattered || fake_count(FAKE_PEER_COPY) == 0);
    close_world(world);
}

static void rows_are_those_of_one_device(void **state)
{
    (void)state;
    static const size_t parts[] = {2, 3, MOST};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct plan plan = plan_of(parts[i]);
        succeeds_with(plan);
        plan.stays = true;
        succeeds_with(plan);
        plan.is_scattered = true;
        succeeds_with(plan);
        plan.stays = false;
        succeeds_with(plan);
    }
}

/* Meetings by kernels merge notes, if the rows fit into the launch. */
static void notes_are_merged(void **state)
{
    (void)state;
    struct plan plan = {
        .parts = 3, .has_early_note = true, .merges = true, .leaves_early = NOBODY, .stays = true};
    for (int i = 0; i < 2; i++) {
        plan.is_scattered = i == 1;
        struct world *world = open_world(&plan);
        succeeds(world);
        for (size_t k = 0; k < plan.parts; k++)
            assert_int_equal(world->merged[k] > 0, !plan.is_scattered);
        close_world(world);
    }
}

/* A part makes a meeting in its next launch, unless the wait is measured or the rows are too many. */
static void meetings_are_put_off(void **state)
{
    (void)state;
    struct plan plan = {.parts = 3,
                        .has_early_note = true,
                        .merges = true,
                        .puts_off = true,
                        .leaves_early = NOBODY,
                        .stays = true,
                        .waits_before = 55}; /* the 62nd wait, of the fourth meeting, has a mark */
    for (int i = 0; i < 2; i++) {
        plan.is_scattered = i == 1;
        struct world *world = open_world(&plan);
        succeeds(world);
        for (size_t k = 0; k < plan.parts; k++) {
            assert_int_equal(world->put_off[k] > 0, !plan.is_scattered);
            assert_true(world->marked[k] > 0);
        }
        close_world(world);
    }
}

/* Marks pass the largest number that a word holds. */
static void marks_wrap(void **state)
{
    (void)state;
    struct plan plan = plan_of(3);
    plan.waits_before = UINT32_MAX - (uint64_t)MEETINGS; /* two waits a meeting */
    succeeds_with(plan);
}

/* The others wait for a part no more that has made all its steps. */
static void a_part_leaves_early(void **state)
{
    (void)state;
    struct plan plan = plan_of(3);
    plan.leaves_early = 1;
    succeeds_with(plan);
}

/* After a failure all parts have ended, those that had made all their meetings without an error. In the next
 * task they wait for each other again. */
static void expect_failure(struct world *world, size_t first)
{
    assert_int_equal(atomic_load(&world->split.failed), first + 1);
    assert_int_not_equal(world->parts[first].status, SHOAL_OK);
    for (size_t k = 0; k < world->plan.parts; k++) {
        if (k != first && world->parts[k].status)
            assert_string_equal(world->parts[k].error.message, "another part has failed");
        assert_true(gather_is_stopped(world->parts[k].gather));
    }
    for (size_t k = 0; k < world->plan.parts; k++) {
        assert_ok(part_wait_again(&world->parts[k], &test_error));
        assert_false(gather_is_stopped(world->parts[k].gather));
    }
    atomic_store(&world->split.failed, 0);
    succeeds(world);
}

static void a_part_fails(void **state)
{
    (void)state;
    for (size_t fails = 0; fails < 3; fails++) {
        struct plan plan = plan_of(3);
        plan.fails = fails;
        struct world *world = open_world(&plan);
        team_do(&world->split, make_meetings);
        for (size_t k = 0; k < plan.parts; k++)
            assert_int_equal(world->parts[k].status, SHOAL_FAILED);
        expect_failure(world, fails);
        close_world(world);
    }
}

/* A device whose stop word could not be taken back is asked again before its next task. */
static void a_stop_stays_until_it_is_taken_back(void **state)
{
    (void)state;
    struct plan plan = plan_of(3);
    plan.fails = 1;
    struct world *world = open_world(&plan);
    team_do(&world->split, make_meetings);
    world->plan.fails = NOBODY;
    fake_fail_call(FAKE_BUFFER_WRITE, 1, SHOAL_OUT_OF_HOST_MEMORY);
    assert_status(part_wait_again(&world->parts[0], &test_error), SHOAL_OUT_OF_HOST_MEMORY);
    assert_true(gather_is_stopped(world->parts[0].gather));
    expect_failure(world, 1);
    close_world(world);
}

/* One launch fails, at which the others may wait for its mark already. */
static void a_launch_fails(void **state)
{
    (void)state;
    const struct test_share share = test_read_share("SHOAL_TEST_SHARE");
    const struct plan plan = plan_of(3);
    struct world *world = open_world(&plan);
    fake_clear_records();
    succeeds(world);
    const size_t launches = fake_count(FAKE_LAUNCH);
    assert_true(launches >= 3 * 2 * MEETINGS / 2);
    for (unsigned n = 1; n <= launches; n += 1 + n / 16) {
        if (!test_is_of(share, n))
            continue;
        fake_fail_call(FAKE_LAUNCH, n, SHOAL_OUT_OF_DEVICE_MEMORY);
        team_do(&world->split, make_meetings);
        const size_t first = atomic_load(&world->split.failed);
        assert_true(first > 0);
        assert_int_equal(world->parts[first - 1].status, SHOAL_OUT_OF_DEVICE_MEMORY);
        expect_failure(world, first - 1);
    }
    close_world(world);
}

static void only_meet_beside(struct part *part)
{
    part->status = meet_beside(part);
}

/* Kernels are launched on the queue of these copies, too: their first launches are timed. */
static void first_launches_beside_are_timed(void **state)
{
    (void)state;
    const struct plan plan = plan_of(2);
    struct world *world = open_world(&plan);
    team_do(&world->split, only_meet_beside);
    for (size_t k = 0; k < plan.parts; k++) {
        struct part *part = &world->parts[k];
        struct shoal_queue *beside = part->beside;
        assert_ok(part->status);
        assert_non_null(beside);
        assert_true(beside->times_first_launches && queue_is_profiling(beside));
        const double before = part_launched_s(part);
        atomic_store(&beside->first_launch_s, 2);
        atomic_store(&part->queue->first_launch_s, 1);
        assert_true(before == 0 && part_launched_s(part) == 3);
    }
    close_world(world);
}

/* One in seven waits of kernels has a mark, which stands for the six before it. The marks of copies beside
 * the work, at which nothing is measured, change nothing of this. */
static void copies_beside_leave_the_count_of_waits(void **state)
{
    (void)state;
    for (int beside = 0; beside < 2; beside++) {
        struct plan plan = plan_of(2);
        plan.stays = true; /* one wait a meeting */
        plan.meets_beside = beside;
        struct world *world = open_world(&plan);
        succeeds(world);
        for (size_t k = 0; k < plan.parts; k++) {
            /* In its first waits a run does not wait by kernels. */
            const size_t waits = MEETINGS - (beside ? 16 : 32);
            test_label("part %zu, beside %d", k, beside);
            assert_int_equal(world->marked[k], waits / 7);
            assert_int_equal(world->others[k], 6);
        }
        close_world(world);
    }
}

/* After a failure nothing of the copies beside is left to do. */
static void copies_beside_end_before_the_next_task(void **state)
{
    (void)state;
    const struct plan plan = plan_of(2);
    for (int has_gathers = 0; has_gathers < 2; has_gathers++) {
        struct world *world = open_world(&plan);
        team_do(&world->split, only_meet_beside);
        for (size_t k = 0; k < plan.parts; k++) {
            struct part *part = &world->parts[k];
            if (!has_gathers)
                gather_destroy(&part->gather);
            assert_true(part->has_beside);
            const size_t finished = fake_count(FAKE_QUEUE_FINISH);
            assert_ok(part_wait_again(part, &test_error));
            assert_int_equal(fake_count(FAKE_QUEUE_FINISH), finished + 2);
            assert_false(part->has_beside);
        }
        close_world(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(rows_are_those_of_one_device),
                                       UNIT_TEST(notes_are_merged),
                                       UNIT_TEST(meetings_are_put_off),
                                       UNIT_TEST(marks_wrap),
                                       UNIT_TEST(a_part_leaves_early),
                                       UNIT_TEST(a_part_fails),
                                       UNIT_TEST(a_stop_stays_until_it_is_taken_back),
                                       UNIT_TEST(a_launch_fails),
                                       UNIT_TEST(first_launches_beside_are_timed),
                                       UNIT_TEST(copies_beside_leave_the_count_of_waits),
                                       UNIT_TEST(copies_beside_end_before_the_next_task)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
