/* A step in whose launch devices meet, beside the same step without a meeting: two devices that are one. The
 * other device is the host, which writes its mark. */
#include "fixture.h"
#include "harness.h"

#include "compute/backend.h"
#include "compute/device.h"
#include "compute/launch.h"
#include "compute/link/gather.h"
#include "gas/methods/list.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NUMBER = 71, NOTE = GAS_WORDS * sizeof(uint32_t), LATE_NS = 20000000 };

/* A gas, and the kernels of its steps. */
struct kind {
    const char *name;
    size_t dim, lanes;
    const char *species;
    int64_t window_bits; /* 0: entries of 32 bits */
};

static const struct kind kinds[] = {
    {.name = "2D", .dim = 2, .lanes = 1},
    {.name = "two species", .dim = 2, .lanes = 2, .species = "A=0.5,B=0.5:sigma=0.8:epsilon=0.5"},
    {.name = "3D", .dim = 3, .lanes = 4},
    {.name = "entries of 16 bits", .dim = 2, .lanes = 1, .window_bits = 9},
};

/* A gas whose list is some steps old, and the kernels. This device has the particles launch.begin to
 * launch.end, the other device has all others. */
struct pair_of_devices {
    struct shoal_solver *solver;
    struct gas_device *device;
    struct gas_list *list;
    struct shoal_kernel *step, *met_step;
    struct gather *here, *there;
    struct shoal_buffer *mark;       /* of the other device */
    _Atomic uint32_t *words_of_mark; /* its words in the memory of the host; NULL: a queue writes them */
    struct shoal_queue *beside;      /* by which the other device comes late */
    size_t lanes;                    /* of both kernels */
    size_t position_bytes, velocity_bytes; /* of all particles */
    unsigned char *position, *velocity;    /* before the step */
    unsigned char *own;                    /* positions of this device alone */
    uint32_t words[GAS_WORDS];             /* before the step */
    struct gas_list_launch launch;
    bool is_gpu; /* of harness.info, after the test */
};

/* A meeting. says: what the other device says there. */
struct meeting {
    uint32_t number, says;
    enum { COMES_BEFORE, IS_AHEAD, COMES_LATE, NEVER_COMES } other;
};

static struct gather *open_gather(void)
{
    struct gather *gather;
    assert_ok(gather_create(harness.device, &gather, &test_error));
    assert_ok(gather_open_mark(gather, harness.queue, &test_error));
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    return gather;
}

static void build_kernels(struct pair_of_devices *pair)
{
    struct shoal_solver *solver = pair->solver;
    const struct entry_kernel step = {"gas_list_step", &pair->step},
                              met_step = {"gas_list_met_step", &pair->met_step};
    struct defines defines = {.count = 0};
    gas_state_defines(solver, &defines);
    gas_pair_defines(solver, &defines);
    gas_motion_defines(solver, &defines);
    define_add(&defines, "LIST_TILE", pair->list->tile);
    define_add(&defines, "WINDOW_BITS", pair->list->neighbours->window_bits);
    define_add(&defines, "LANES", (int64_t)pair->lanes);
    assert_ok(
        programs_build(&solver->programs, &gas_list_met_program, &defines, &met_step, 1, NULL, &test_error));
    define_add(&defines, "RANGED", 1);
    assert_ok(
        programs_build(&solver->programs, &gas_list_step_program, &defines, &step, 1, NULL, &test_error));
}

/* What a step leaves. */
struct outcome {
    unsigned char *position, *velocity;
    uint32_t words[GAS_WORDS];
};

static struct outcome read_outcome(const struct pair_of_devices *pair)
{
    struct outcome outcome = {
        harness_memory(pair->position_bytes), harness_memory(pair->velocity_bytes), {0}};
    harness_read(pair->list->neighbours->sort->position, outcome.position, pair->position_bytes);
    harness_read(pair->device->velocity, outcome.velocity, pair->velocity_bytes);
    harness_read(pair->device->words, outcome.words, NOTE);
    return outcome;
}

static void write(struct shoal_buffer *buffer, const void *data, size_t bytes)
{
    assert_ok(shoal_buffer_write(harness.queue, buffer, 0, data, bytes, &test_error));
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
}

static size_t groups_of(const struct pair_of_devices *pair, const struct shoal_kernel *kernel)
{
    return shoal_kernel_groups(kernel, (pair->launch.end - pair->launch.begin) * pair->lanes);
}

/* The state before the step, without the positions after it. */
static void restore(const struct pair_of_devices *pair)
{
    write(pair->device->velocity, pair->velocity, pair->velocity_bytes);
    write(pair->device->words, pair->words, NOTE);
    assert_ok(shoal_buffer_fill(harness.queue, pair->list->neighbours->sort->position, 0,
                                pair->position_bytes, 0, &test_error));
}

/* The step without a meeting. position: the positions that it knows. */
static struct outcome step_alone(const struct pair_of_devices *pair, const unsigned char *position)
{
    const struct gas_device *device = pair->device;
    const struct gas_neighbours *neighbours = pair->list->neighbours;
    restore(pair);
    assert_ok(LAUNCH(gas_list_step, harness.queue, pair->step, groups_of(pair, pair->step), &test_error,
                     .position = harness_upload(position, pair->position_bytes),
                     .position_out = neighbours->sort->position, GAS_LIST_ARGS(device, neighbours),
                     .launch = &pair->launch));
    return read_outcome(pair);
}

static bool is_same_place(const struct pair_of_devices *pair, const struct outcome *a,
                          const struct outcome *b, size_t i)
{
    const size_t p = pair->device->position_bytes, v = pair->device->velocity_bytes;
    return memcmp(a->position + i * p, b->position + i * p, p) == 0 &&
           memcmp(a->velocity + i * v, b->velocity + i * v, v) == 0;
}

/* Sets the range of particles whose step needs no position of the other device. */
static void find_inner(struct pair_of_devices *pair)
{
    struct gas_list_launch *launch = &pair->launch;
    const struct outcome all = step_alone(pair, pair->position), own = step_alone(pair, pair->own);
    uint32_t first = launch->begin;
    for (uint32_t i = launch->begin; i <= launch->end; i++) {
        if (i < launch->end && is_same_place(pair, &all, &own, i))
            continue;
        if (i - first > launch->inner_end - launch->inner_begin) {
            launch->inner_begin = first;
            launch->inner_end = i;
        }
        first = i + 1;
    }
    assert_true(launch->inner_begin > launch->begin && launch->inner_end < launch->end);
}

/* Creates the mark of the other device. On a CPU it is memory of the host, since PoCL writes no buffer that a
 * launch uses. */
static void open_mark(struct pair_of_devices *pair)
{
    static _Alignas(4096) _Atomic uint32_t words[MARK_WORDS];
    pair->words_of_mark = device_reads_host(harness.device) ? words : NULL;
    if (pair->words_of_mark)
        assert_ok(buffer_over(harness.device, words, sizeof words, &pair->mark, &test_error));
    else
        assert_ok(shoal_buffer_create(harness.device, sizeof words, &pair->mark, &test_error));
    assert_ok(shoal_queue_create(harness.device, 0, &pair->beside, &test_error));
}

static struct pair_of_devices open_pair(const struct kind *kind)
{
    struct shoal_gas_params params = gas_run_params();
    struct pair_of_devices pair = {.is_gpu = harness.info->is_gpu, .lanes = kind->lanes};
    if (pair.lanes > harness.info->max_work_group)
        pair.lanes = 1;
    params.dim = kind->dim;
    params.particles = harness.tiny ? 500 : 1500;
    params.density = 0.4;
    params.cutoff = kind->species ? NAN : kind->dim == 2 ? 2.5 : 1.5;
    params.species = kind->species;
    params.method = SHOAL_GAS_LIST;
    if (kind->window_bits)
        params.skin =
            0.3 * params.cutoff; /* GPUs choose a wider one, whose neighbours no small window holds */
    test_label("%s", kind->name);
    open_mark(&pair);
    /* lists of CPUs alone have entries of 32 bits */
    harness.device->info.is_gpu = pair.is_gpu || kind->window_bits;
    assert_ok(shoal_tuning_set(harness.device, "gas.list-build", "WINDOW_BITS",
                               kind->window_bits ? kind->window_bits : 32, &test_error));
    pair.solver = gas_run_open(&params, false);
    run_steps(pair.solver, 4);
    pair.device = gas_device_of(pair.solver);
    pair.list = pair.solver->method.state;
    assert_true(pair.list->state.age > 1);
    assert_int_equal(pair.list->neighbours->window_bits, kind->window_bits ? kind->window_bits : 32);
    pair.position_bytes = pair.device->padded * pair.device->position_bytes;
    pair.velocity_bytes = pair.device->padded * pair.device->velocity_bytes;
    pair.position = harness_memory(pair.position_bytes);
    pair.velocity = harness_memory(pair.velocity_bytes);
    pair.own = harness_memory(pair.position_bytes);
    harness_read(pair.device->position, pair.position, pair.position_bytes);
    harness_read(pair.device->velocity, pair.velocity, pair.velocity_bytes);
    harness_read(pair.device->words, pair.words, NOTE);
    const uint32_t n = (uint32_t)params.particles, tile = pair.list->tile;
    const size_t bytes = pair.device->position_bytes;
    pair.launch = (struct gas_list_launch){.begin = n / 8 / tile * tile,
                                           .end = n - n / 8,
                                           .capacity = pair.list->neighbours->capacity,
                                           .particles = n,
                                           .age = pair.list->state.age,
                                           .steps = 1,
                                           .interval = 1000};
    memset(pair.own, 0, pair.position_bytes);
    memcpy(pair.own + pair.launch.begin * bytes, pair.position + pair.launch.begin * bytes,
           (pair.launch.end - pair.launch.begin) * bytes);
    build_kernels(&pair);
    pair.here = open_gather();
    pair.there = open_gather();
    find_inner(&pair);
    return pair;
}

static void close_pair(struct pair_of_devices *pair)
{
    gather_destroy(&pair->here);
    gather_destroy(&pair->there);
    shoal_queue_destroy(&pair->beside);
    shoal_buffer_destroy(&pair->mark);
    shoal_solver_destroy(&pair->solver);
    harness.device->info.is_gpu = pair->is_gpu;
}

/* Writes both words that the other device says: of a meeting, and of the meeting before or after it. */
static void say(const struct pair_of_devices *pair, uint32_t number, uint32_t says, uint32_t other)
{
    uint32_t said[2];
    said[number % 2] = number * MARK_SAYS + says;
    said[(number + 1) % 2] = other;
    if (pair->words_of_mark) {
        atomic_store(&pair->words_of_mark[MARK_SAID], said[0]);
        atomic_store(&pair->words_of_mark[MARK_SAID + 1], said[1]);
        return;
    }
    assert_ok(shoal_buffer_write(pair->beside, pair->mark, MARK_SAID * sizeof *said, said, sizeof said,
                                 &test_error));
    assert_ok(shoal_queue_finish(pair->beside, &test_error));
}

/* The other device comes to the meeting. */
static void come(const struct pair_of_devices *pair, const struct meeting *meeting)
{
    const uint32_t n = meeting->number;
    say(pair, n, meeting->says,
        meeting->other == IS_AHEAD ? (n + 1) * MARK_SAYS + MARK_SAYS - 1 : (n - 1) * MARK_SAYS);
}

/* What this device tells the others and its own work-groups. */
static void check_mark(const struct pair_of_devices *pair, const struct meeting *meeting,
                       const struct gather_job *job)
{
    const uint32_t own = (pair->words[WORD_FROZEN] ? 1 : 0) | (pair->words[WORD_OVERFLOW] ? 2 : 0),
                   number = meeting->number * MARK_SAYS;
    uint32_t mark[MARK_WORDS];
    harness_read(job->mark, mark, sizeof mark);
    assert_int_equal(mark[MARK_SAID + meeting->number % 2], number + own);
    assert_int_equal(mark[MARK_SAID + (meeting->number + 1) % 2], number - MARK_SAYS);
    assert_int_equal(mark[MARK_ROWS], job->list.rows);
    for (size_t k = 0; k < MARK_COPIES; k++)
        assert_int_equal(mark[MARK_HEARD + k * MARK_LINE], number + (own | meeting->says));
}

/* The step of this device, which has only its own positions before. */
static struct outcome step_met(const struct pair_of_devices *pair, const struct meeting *meeting)
{
    const struct gas_device *device = pair->device;
    const struct gas_neighbours *neighbours = pair->list->neighbours;
    const size_t bytes = device->position_bytes, begin = pair->launch.begin * bytes,
                 end = pair->launch.end * bytes, all = device->problem.n * bytes;
    unsigned char *copied = harness_memory(pair->position_bytes);
    struct shoal_buffer *mine = harness_upload(pair->own, pair->position_bytes),
                        *theirs = harness_upload(pair->position, pair->position_bytes);
    const struct link_piece pieces[] = {{theirs, 0, mine, 0, begin}, {theirs, end, mine, end, all - end}};
    const struct gather_call call = {
        .pieces = pieces, .count = 2, .peers = &pair->there, .peer_count = 1, .number = meeting->number};
    struct gather_job job;
    restore(pair);
    assert_ok(gather_set(pair->here, meeting->number - 1, &test_error));
    say(pair, meeting->number - 1, 0, (meeting->number - 2) * MARK_SAYS);
    assert_ok(gather_prepare(pair->here, &call, pair->met_step, &job, &test_error));
    job.peers[0] = pair->mark;
    if (meeting->other == NEVER_COMES)
        gather_stop(pair->here);
    else if (meeting->other != COMES_LATE)
        come(pair, meeting);
    assert_ok(LAUNCH(gas_list_met_step, harness.queue, pair->met_step,
                     gather_groups(&job) + groups_of(pair, pair->met_step), &test_error, .position = mine,
                     .position_out = neighbours->sort->position, GAS_LIST_ARGS(device, neighbours),
                     .launch = &pair->launch, MEET_ARGS(&job), .meeting = &job.list));
    assert_ok(shoal_queue_flush(harness.queue, &test_error));
    if (meeting->other == COMES_LATE) {
        nanosleep(&(struct timespec){.tv_nsec = LATE_NS}, NULL);
        come(pair, meeting);
    }
    const struct outcome outcome = read_outcome(pair);
    if (meeting->other == NEVER_COMES)
        return outcome;
    harness_read(mine, copied, pair->position_bytes);
    assert_memory_equal(copied, pair->position, all);
    check_mark(pair, meeting, &job);
    return outcome;
}

static void assert_same(const struct pair_of_devices *pair, const struct outcome *outcome,
                        const struct outcome *wanted)
{
    for (size_t i = pair->launch.begin; i < pair->launch.end; i++)
        assert_true(is_same_place(pair, outcome, wanted, i));
    assert_memory_equal(outcome->words, wanted->words, NOTE);
}

/* Calls `test` for a gas of each kind. */
static void for_all_kinds(void (*test)(struct pair_of_devices *pair))
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (harness_takes_case_of(k ? kinds[k].name : "2D")) {
            struct pair_of_devices pair = open_pair(&kinds[k]);
            test(&pair);
            close_pair(&pair);
        }
}

/* Positions come from the other device before forces are computed. Numbers of meetings may wrap around, and
 * so may MARK_SAYS times a number. */
static void check_rows(struct pair_of_devices *pair)
{
    static const uint32_t numbers[] = {NUMBER, NUMBER + 1, 1u << 30, 0};
    const struct outcome alone = step_alone(pair, pair->position);
    assert_int_equal(alone.words[WORD_STEP], pair->words[WORD_STEP] + 1);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        for (int other = COMES_BEFORE; other <= COMES_LATE; other++) {
            const struct outcome met = step_met(pair, &(struct meeting){numbers[k], 0, other});
            assert_same(pair, &met, &alone);
        }
}

static void rows_come_in_the_step(void **state)
{
    (void)state;
    for_all_kinds(check_rows);
}

/* The last step of a list reports the rate of displacements. */
static void check_rate(struct pair_of_devices *pair)
{
    pair->launch.interval = pair->launch.age + 1;
    const struct outcome alone = step_alone(pair, pair->position),
                         met = step_met(pair, &(struct meeting){NUMBER, 0, COMES_BEFORE});
    assert_true(alone.words[WORD_RATE] > pair->words[WORD_RATE]);
    assert_same(pair, &met, &alone);
}

static void the_last_step_reports_the_rate(void **state)
{
    (void)state;
    for_all_kinds(check_rate);
}

/* A displacement or an overflow on the other device stops this device, too, and its next launch. */
static void check_stop(struct pair_of_devices *pair)
{
    const struct pair_of_devices before = *pair;
    const uint32_t age = pair->launch.age + 1;
    for (uint32_t says = 1; says < MARK_SAYS; says++)
        for (int other = COMES_BEFORE; other <= COMES_LATE; other++) {
            struct outcome wanted = {pair->position, pair->velocity, {0}};
            memcpy(wanted.words, pair->words, NOTE);
            wanted.words[WORD_STOP + age % 2] = age;
            wanted.words[WORD_FROZEN] = says & 1 ? age - 1 : 0;
            wanted.words[WORD_OVERFLOW] = says & 2 ? LIST_HELD : 0;
            const struct outcome met = step_met(pair, &(struct meeting){NUMBER, says, other});
            assert_same(pair, &met, &wanted);
            memcpy(pair->words, met.words, NOTE);
            pair->launch.age++;
            wanted.words[WORD_STOP + (age + 1) % 2] = age + 1;
            const struct outcome next = step_met(pair, &(struct meeting){NUMBER + 1, says, COMES_BEFORE});
            assert_same(pair, &next, &wanted);
            *pair = before;
        }
}

static void the_other_device_stops_the_step(void **state)
{
    (void)state;
    for_all_kinds(check_stop);
}

/* A device that has seen a displacement or an overflow says so. */
static void check_own_stop(struct pair_of_devices *pair)
{
    const struct pair_of_devices before = *pair;
    const uint32_t age = pair->launch.age;
    for (uint32_t says = 1; says < MARK_SAYS; says++) {
        if (says & 1)
            pair->words[WORD_FROZEN] = pair->words[WORD_STOP + age % 2] = age;
        if (says & 2)
            pair->words[WORD_OVERFLOW] = LIST_FAR;
        const struct outcome alone = step_alone(pair, pair->position),
                             met = step_met(pair, &(struct meeting){NUMBER, 0, COMES_BEFORE});
        assert_int_equal(met.words[WORD_STEP], pair->words[WORD_STEP]);
        assert_same(pair, &met, &alone);
        *pair = before;
    }
}

static void a_device_says_that_it_stops(void **state)
{
    (void)state;
    for_all_kinds(check_own_stop);
}

/* After a failure a device goes on, though the other device never comes. */
static void check_end(struct pair_of_devices *pair)
{
    step_met(pair, &(struct meeting){NUMBER, 0, NEVER_COMES});
}

static void a_failure_ends_waits(void **state)
{
    (void)state;
    for_all_kinds(check_end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(rows_come_in_the_step),
        by_turn(the_last_step_reports_the_rate),
        by_turn(the_other_device_stops_the_step),
        by_turn(a_device_says_that_it_stops),
        by_turn(a_failure_ends_waits),
    };
    return harness_main("gas-list-met", tests, sizeof tests / sizeof *tests);
}
