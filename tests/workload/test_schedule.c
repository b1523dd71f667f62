/* Steps of a run and what happens between them: when events are, runs that end early, samples that go to the
 * caller, and callers that end the run. */
#include "unit.h"

#include "workload/steps/schedule.h"

struct sample {
    uint64_t step;
    double value;
};

struct walk {
    bool begun;
    uint64_t done;
    uint64_t ends_at;    /* step beyond which it does not go; UINT64_MAX: none */
    uint64_t largest;    /* steps that were asked for in one piece */
    uint64_t events[64]; /* steps of samples; those of frames have 1000 added */
    size_t count;
};

static struct walk *walk_of(const struct shoal_solver *solver)
{
    return solver->state;
}

static enum shoal_status begin(struct shoal_solver *solver, struct shoal_error *error)
{
    (void)error;
    assert_false(walk_of(solver)->begun);
    return SHOAL_OK;
}

static enum shoal_status advance(struct shoal_solver *solver, uint64_t steps, struct shoal_error *error)
{
    struct walk *walk = walk_of(solver);
    (void)error;
    walk->largest = steps > walk->largest ? steps : walk->largest;
    walk->done = walk->done + steps < walk->ends_at ? walk->done + steps : walk->ends_at;
    return SHOAL_OK;
}

static enum shoal_status take_sample(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    struct walk *walk = walk_of(solver);
    const struct sample sample = {step, 0.5 * (double)step};
    walk->events[walk->count++] = step;
    return schedule_give(solver, &sample, error);
}

static enum shoal_status take_frame(struct shoal_solver *solver, uint64_t step, struct shoal_error *error)
{
    struct walk *walk = walk_of(solver);
    (void)error;
    walk->events[walk->count++] = 1000 + step;
    return SHOAL_OK;
}

static const struct shoal_column columns[] = {
    {"step", "", SHOAL_COLUMN_UINT, offsetof(struct sample, step), NULL, 0},
    {"value", "", SHOAL_COLUMN_REAL, offsetof(struct sample, value), NULL, 0},
};
static const struct shoal_sampling sampling = {
    .option = "every", .columns = columns, .column_count = 2, .size = sizeof(struct sample)};
static const struct shoal_workload workload = {.name = "walk", .sampling = &sampling};

static struct shoal_solver solver_of(struct walk *walk)
{
    *walk = (struct walk){.ends_at = UINT64_MAX};
    return (struct shoal_solver){.workload = &workload, .state = walk};
}

static struct schedule schedule_of(struct walk *walk)
{
    return (struct schedule){
        .warm_up = 13,
        .steps = 50,
        .begun = &walk->begun,
        .done = &walk->done,
        .begin = begin,
        .advance = advance,
        .events = {{.every = 20, .at_ends = true, .take = take_sample}, {.every = 15, .take = take_frame}}};
}

/* In whatever pieces the steps are asked for. */
static void events_follow_from_steps(void **state)
{
    (void)state;
    static const uint64_t wanted[] = {0, 1000, 1015, 20, 1030, 40, 1045, 50};
    for (uint64_t piece = 1; piece <= 100; piece = 3 * piece + 1) {
        struct walk walk;
        struct shoal_solver solver = solver_of(&walk);
        const struct schedule schedule = schedule_of(&walk);
        for (uint64_t done = 1; done;)
            assert_ok(schedule_step(&solver, &schedule, piece, &done, &test_error));
        assert_int_equal(walk.done, 63);
        assert_int_equal(walk.count, 8);
        assert_memory_equal(walk.events, wanted, sizeof wanted);
        assert_true(walk.largest <= 15);
    }
}

static void no_steps_begin_the_run(void **state)
{
    (void)state;
    struct walk walk;
    struct shoal_solver solver = solver_of(&walk);
    struct schedule schedule = schedule_of(&walk);
    uint64_t done = 1;
    schedule.warm_up = 0;
    for (int i = 0; i < 2; i++) {
        assert_ok(schedule_step(&solver, &schedule, 0, &done, &test_error));
        assert_int_equal(done, 0);
        assert_int_equal(walk.count, 2); /* those of step 0, once */
    }
}

/* Even before the steps that were made already, as a device may find out late. */
static void runs_may_end_early(void **state)
{
    (void)state;
    struct walk walk;
    struct shoal_solver solver = solver_of(&walk);
    struct schedule schedule = schedule_of(&walk);
    uint64_t done;
    schedule.events[0].every = schedule.events[1].every = 0;
    assert_ok(schedule_step(&solver, &schedule, 30, &done, &test_error));
    assert_int_equal(done, 30);
    walk.ends_at = 40;
    assert_ok(schedule_step(&solver, &schedule, 30, &done, &test_error));
    assert_int_equal(done, 10);
    walk.ends_at = 35;
    assert_ok(schedule_step(&solver, &schedule, 30, &done, &test_error));
    assert_int_equal(done, 0);
    assert_int_equal(walk.done, 35);
}

struct caller {
    struct sample last;
    size_t count;
    uint64_t refuses; /* the sample of that step */
};

static bool on_sample(void *data, const void *sample, const char **failure)
{
    struct caller *caller = data;
    memcpy(&caller->last, sample, sizeof caller->last);
    caller->count++;
    *failure = caller->count > 1 ? "no space left" : NULL;
    return caller->last.step == caller->refuses;
}

static void samples_go_to_the_caller(void **state)
{
    (void)state;
    struct walk walk;
    struct caller caller = {.refuses = 40};
    struct shoal_solver solver = solver_of(&walk);
    const struct schedule schedule = schedule_of(&walk);
    uint64_t done;
    shoal_solver_on_sample(&solver, on_sample, &caller);
    assert_status(schedule_step(&solver, &schedule, 100, &done, &test_error), SHOAL_IO);
    assert_string_equal(test_error.message, "no space left (at step 40)");
    assert_int_equal(caller.count, 3);
    assert_true(caller.last.value == 20);
    shoal_solver_on_sample(&solver, NULL, NULL);
    assert_ok(schedule_step(&solver, &schedule, 100, &done, &test_error));
    assert_int_equal(caller.count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(events_follow_from_steps),
        UNIT_TEST(no_steps_begin_the_run),
        UNIT_TEST(runs_may_end_early),
        UNIT_TEST(samples_go_to_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
