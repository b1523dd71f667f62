/* A step in whose launch devices meet, beside the same step without a meeting: two devices that are one. The
 * other device has come before, so that no launch waits for one that follows it. */
#include "fixture.h"
#include "harness.h"

#include "compute/launch.h"
#include "compute/link/gather.h"
#include "gas/methods/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 71, NOTE = GAS_WORDS * sizeof(uint32_t) };

/* A gas whose list is some steps old, and the kernels. own: the particles of this device. */
struct pair_of_devices {
    struct shoal_solver *solver;
    struct gas_device *device;
    struct gas_list *list;
    struct shoal_kernel *step, *met_step;
    struct gather *here, *there;
    size_t position_bytes, velocity_bytes; /* of all particles */
    unsigned char *position, *velocity;    /* before the step */
    uint32_t words[GAS_WORDS];             /* before the step, of both devices */
    struct gas_list_launch launch;
};

static struct gather *open_gather(uint32_t number)
{
    struct gather *gather;
    assert_ok(gather_create(harness.device, &gather, &test_error));
    assert_ok(gather_open_mark(gather, harness.queue, &test_error));
    assert_ok(shoal_queue_finish(harness.queue, &test_error));
    assert_ok(gather_set(gather, number, &test_error));
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
    assert_ok(
        programs_build(&solver->programs, &gas_list_met_program, &defines, &met_step, 1, NULL, &test_error));
    define_add(&defines, "RANGED", 1);
    assert_ok(
        programs_build(&solver->programs, &gas_list_step_program, &defines, &step, 1, NULL, &test_error));
}

static struct pair_of_devices open_pair(size_t steps)
{
    struct shoal_gas_params params = gas_run_params();
    params.particles = harness.tiny ? 300 : 900;
    params.density = 0.4;
    params.cutoff = 2.5;
    params.method = SHOAL_GAS_LIST;
    struct pair_of_devices pair = {.solver = gas_run_open(&params, false)};
    run_steps(pair.solver, steps);
    pair.device = gas_device_of(pair.solver);
    pair.list = pair.solver->method.state;
    pair.position_bytes = pair.device->padded * pair.device->position_bytes;
    pair.velocity_bytes = pair.device->padded * pair.device->velocity_bytes;
    pair.position = harness_memory(pair.position_bytes);
    pair.velocity = harness_memory(pair.velocity_bytes);
    harness_read(pair.device->position, pair.position, pair.position_bytes);
    harness_read(pair.device->velocity, pair.velocity, pair.velocity_bytes);
    harness_read(pair.device->words, pair.words, NOTE);
    pair.launch = (struct gas_list_launch){.end = (uint32_t)params.particles / 2,
                                           .capacity = pair.list->neighbours->capacity,
                                           .age = pair.list->state.age,
                                           .steps = 1,
                                           .interval = 1000};
    assert_true(pair.list->state.age > 1);
    build_kernels(&pair);
    pair.here = open_gather(NUMBER - 1);
    pair.there = open_gather(NUMBER);
    return pair;
}

static void close_pair(struct pair_of_devices *pair)
{
    gather_destroy(&pair->here);
    gather_destroy(&pair->there);
    shoal_solver_destroy(&pair->solver);
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

/* The step that knows all positions. */
static struct outcome step_alone(const struct pair_of_devices *pair)
{
    const struct gas_device *device = pair->device;
    const struct gas_neighbours *neighbours = pair->list->neighbours;
    write(device->velocity, pair->velocity, pair->velocity_bytes);
    write(device->words, pair->words, NOTE);
    assert_ok(LAUNCH(gas_list_step, harness.queue, pair->step,
                     shoal_kernel_groups(pair->step, pair->launch.end), &test_error,
                     .position = device->position, .position_out = neighbours->sort->position,
                     GAS_LIST_ARGS(device, neighbours), .launch = &pair->launch));
    return read_outcome(pair);
}

/* The step of a device that has only its own positions. says: what the other device says; next: what it
 * already says in the next meeting; *copied: the positions afterwards. */
static struct outcome step_met(const struct pair_of_devices *pair, uint32_t says, uint32_t next,
                               unsigned char *copied)
{
    const struct gas_device *device = pair->device;
    const struct gas_neighbours *neighbours = pair->list->neighbours;
    const size_t own = pair->launch.end * device->position_bytes,
                 others = pair->device->problem.n * device->position_bytes - own;
    const size_t groups = shoal_kernel_groups(pair->met_step, pair->launch.end);
    unsigned char *part = harness_memory(pair->position_bytes);
    memcpy(part, pair->position, own);
    struct shoal_buffer *mine = harness_upload(part, pair->position_bytes),
                        *theirs = harness_upload(pair->position, pair->position_bytes);
    const struct link_piece piece = {theirs, own, mine, own, others};
    const struct gather_call call = {
        .pieces = &piece, .count = 1, .peers = &pair->there, .peer_count = 1, .number = NUMBER};
    uint32_t said[2];
    said[NUMBER % 2] = NUMBER * MARK_SAYS + says;
    said[(NUMBER + 1) % 2] = (NUMBER + 1) * MARK_SAYS + next;
    struct gather_job job;
    write(device->velocity, pair->velocity, pair->velocity_bytes);
    write(device->words, pair->words, NOTE);
    assert_ok(gather_prepare(pair->here, &call, pair->met_step, &job, &test_error));
    assert_ok(shoal_buffer_write(harness.queue, job.peers[0], MARK_SAID * sizeof *said, said, sizeof said,
                                 &test_error));
    assert_ok(LAUNCH(gas_list_met_step, harness.queue, pair->met_step, gather_groups(&job) + groups,
                     &test_error, .position = mine, .position_out = neighbours->sort->position,
                     GAS_LIST_ARGS(device, neighbours), .launch = &pair->launch, MEET_ARGS(&job),
                     .meeting = &job.list));
    harness_read(mine, copied, pair->position_bytes);
    return read_outcome(pair);
}

static void assert_same(const struct pair_of_devices *pair, const struct outcome *outcome,
                        const unsigned char *position, const unsigned char *velocity)
{
    const size_t own = pair->launch.end;
    assert_memory_equal(outcome->position, position, own * pair->device->position_bytes);
    assert_memory_equal(outcome->velocity, velocity, own * pair->device->velocity_bytes);
}

/* Positions come from the other device before forces are computed. */
static void rows_come_in_the_step(void **state)
{
    (void)state;
    struct pair_of_devices pair = open_pair(4);
    unsigned char *copied = harness_memory(pair.position_bytes);
    const struct outcome alone = step_alone(&pair), met = step_met(&pair, 0, 0, copied);
    assert_same(&pair, &met, alone.position, alone.velocity);
    assert_true(memcmp(alone.position, pair.position, pair.launch.end * pair.device->position_bytes) != 0);
    assert_memory_equal(copied, pair.position, pair.device->problem.n * pair.device->position_bytes);
    assert_memory_equal(met.words, alone.words, NOTE);
    close_pair(&pair);
}

/* A displacement or an overflow on the other device stops this device, too. */
static void the_other_device_stops_the_step(void **state)
{
    (void)state;
    struct pair_of_devices pair = open_pair(4);
    const uint32_t age = pair.launch.age + 1;
    unsigned char *copied = harness_memory(pair.position_bytes);
    for (uint32_t says = 1; says < MARK_SAYS; says++) {
        const struct outcome met = step_met(&pair, says, 0, copied);
        assert_same(&pair, &met, pair.position, pair.velocity);
        assert_int_equal(met.words[WORD_STOP + age % 2], age); /* which stops the next launch */
        assert_int_equal(met.words[WORD_STEP], pair.words[WORD_STEP]);
        assert_int_equal(met.words[WORD_FROZEN], says & 1 ? age - 1 : 0);
        assert_int_equal(met.words[WORD_OVERFLOW], says & 2 ? LIST_HELD : 0);
    }
    close_pair(&pair);
}

/* The other device has made this step, and in the next meeting already says that it stops. */
static void a_device_may_be_ahead(void **state)
{
    (void)state;
    struct pair_of_devices pair = open_pair(4);
    unsigned char *copied = harness_memory(pair.position_bytes);
    const struct outcome alone = step_alone(&pair), met = step_met(&pair, 0, MARK_SAYS - 1, copied);
    assert_same(&pair, &met, alone.position, alone.velocity);
    assert_memory_equal(met.words, alone.words, NOTE);
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(rows_come_in_the_step),
        by_turn(the_other_device_stops_the_step),
        by_turn(a_device_may_be_ahead),
    };
    return harness_main("gas-list-met", tests, sizeof tests / sizeof *tests);
}
