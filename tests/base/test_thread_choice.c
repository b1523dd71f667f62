/* How many threads of the host make a step: fed with times, no clock. */
#include "unit.h"

#include "base/clock.h"
#include "base/threads.h"

#include <omp.h>

/* Makes steps with 1 ms of work, which take `together` by all threads and `alone` by one; returns how many
 * one thread made. */
static size_t alone_steps(struct thread_choice *choice, size_t steps, double together, double alone)
{
    size_t alone_count = 0;
    for (size_t i = 0; i < steps; i++) {
        const int threads = thread_choice_threads(choice);
        assert_true(threads == 1 || threads == choice->most);
        alone_count += threads == 1;
        thread_choice_learn(choice, threads == 1 ? alone : together, 1e-3);
    }
    return alone_count;
}

static void test_idle_machine(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 8};
    assert_int_equal(alone_steps(&choice, 10000, 0.2e-3, 1e-3), 0);
    /* A new list now and then takes longer. */
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(alone_steps(&choice, 2, 9e-3, 1e-3), 0);
        assert_int_equal(alone_steps(&choice, 10, 0.2e-3, 1e-3), 0);
    }
}

static void test_one_thread(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 1};
    assert_int_equal(alone_steps(&choice, 1000, 1, 1), 1000);
}

/* Threads that wait for cores: nearly all steps are made by one, and it stays so. */
static void test_loaded_machine(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 8};
    const size_t alone = alone_steps(&choice, 10000, 50e-3, 1.2e-3);
    assert_true(alone > 9900 && alone < 10000);
    /* The others go home: all threads work again, after the period that one of them is in. */
    alone_steps(&choice, 20000, 0.2e-3, 1e-3);
    assert_int_equal(alone_steps(&choice, 1000, 0.2e-3, 1e-3), 0);
}

/* Two programs on two cores: all threads take little longer than one. The length of a step has no effect. */
static void test_little_longer(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 2};
    assert_true(alone_steps(&choice, 10000, 1.2e-3, 1e-3) > 9000);
    choice = (struct thread_choice){.most = 2};
    assert_int_equal(alone_steps(&choice, 10000, 0.9e-3, 1e-3), 0);
    for (size_t i = 0; i < 1000; i++) {
        const double work = i % 100 < 50 ? 1e-3 : 1;
        assert_int_equal(thread_choice_threads(&choice), 2);
        thread_choice_learn(&choice, 0.6 * work, work);
    }
}

/* A machine so busy that one thread waits even longer than all: they are not left for more than trials. */
static void test_longer_alone(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 2};
    const size_t alone = alone_steps(&choice, 10000, 2.5e-3, 5e-3);
    assert_true(alone > 0 && alone < 1000);
    /* The other program ends, and comes back: what was found is forgotten. */
    alone_steps(&choice, 1000, 0.5e-3, 1e-3);
    assert_true(alone_steps(&choice, 10000, 1.2e-3, 1e-3) > 9000);
}

/* A trial of one thread among long steps is one step, since three would be felt. */
static void test_trial_of_long_steps(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 2};
    size_t alone = 0;
    for (size_t i = 0; i < 40; i++) {
        const bool is_alone = thread_choice_threads(&choice) == 1;
        alone += is_alone;
        thread_choice_learn(&choice, is_alone ? 0.2 : 0.11, 0.1);
    }
    assert_int_equal(alone, 1);
}

/* The work of a step is that of its loops. */
static void test_measured_step(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 2};
    double sum = 0;
    thread_choice_work(NULL, clock_thread_seconds());
    for (size_t step = 0; step < 3; step++) {
        thread_choice_begin(&choice);
        assert_true(choice.worked_s == 0);
        for (size_t loop = 0; loop < 2; loop++) {
            const double before = choice.worked_s, start = clock_thread_seconds();
            while (clock_thread_seconds() < start + 1e-3)
                sum += 1;
            thread_choice_work(&choice, start);
            assert_true(choice.worked_s >= before + 1e-3);
        }
        thread_choice_end(&choice);
    }
    assert_true(sum > 0);
}

/* What runs once waits for no core unless it has more work than a wait is long. */
static void test_once(void **state)
{
    (void)state;
    assert_int_equal(threads_once(0), 1);
    assert_int_equal(threads_once(0.5e-3), 1);
    assert_int_equal(threads_once(1), omp_get_max_threads());
    assert_false(threads_are_worth_waking(1e-6));
    assert_true(threads_are_worth_waking(1e-3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {UNIT_TEST(test_idle_machine),   UNIT_TEST(test_one_thread),
                                       UNIT_TEST(test_loaded_machine), UNIT_TEST(test_little_longer),
                                       UNIT_TEST(test_longer_alone),   UNIT_TEST(test_trial_of_long_steps),
                                       UNIT_TEST(test_measured_step),  UNIT_TEST(test_once)};
    return cmocka_run_group_tests_name("thread_choice", tests, NULL, NULL);
}
