/* How many threads of the host make a step: fed with times, no clock. */
#include "unit.h"

#include "base/threads.h"

#include <omp.h>

/* Makes steps that take `together` by all threads and `alone` by one; returns how many one thread made. */
static size_t alone_steps(struct thread_choice *choice, size_t steps, double together, double alone)
{
    size_t alone_count = 0;
    for (size_t i = 0; i < steps; i++) {
        const int threads = thread_choice_threads(choice);
        assert_true(threads == 1 || threads == choice->most);
        alone_count += threads == 1;
        thread_choice_learn(choice, threads == 1 ? alone : together);
    }
    return alone_count;
}

static void test_idle_machine(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 8, .alone_s = 1e-3, .slow_factor = 3};
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
    struct thread_choice choice = {.most = 1, .alone_s = 1e-3, .slow_factor = 3};
    assert_int_equal(alone_steps(&choice, 1000, 1, 1), 1000);
}

/* Threads that wait for cores: nearly all steps are made by one, and it stays so. */
static void test_loaded_machine(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 8, .alone_s = 1e-3, .slow_factor = 3};
    const size_t alone = alone_steps(&choice, 10000, 50e-3, 1.2e-3);
    assert_true(alone > 9900 && alone < 10000);
    /* The others go home: all threads work again, after the stint that one of them is in. */
    alone_steps(&choice, 20000, 0.2e-3, 1e-3);
    assert_int_equal(alone_steps(&choice, 1000, 0.2e-3, 1e-3), 0);
}

/* A time that was measured is taken at its word. */
static void test_measured_time(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 2, .alone_s = 1e-3, .slow_factor = 1.2};
    assert_true(alone_steps(&choice, 10000, 1.5e-3, 1e-3) > 9900);
    choice = (struct thread_choice){.most = 2, .alone_s = 1e-3, .slow_factor = 1.2};
    assert_int_equal(alone_steps(&choice, 10000, 0.9e-3, 1e-3), 0);
}

/* A machine on which one thread takes a hundred times what was expected, and all together a tenth of that. */
static void test_wrong_guess(void **state)
{
    (void)state;
    struct thread_choice choice = {.most = 10, .alone_s = 1e-3, .slow_factor = 3};
    assert_int_equal(alone_steps(&choice, 10000, 10e-3, 100e-3), 1);
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
                                       UNIT_TEST(test_loaded_machine), UNIT_TEST(test_measured_time),
                                       UNIT_TEST(test_wrong_guess),    UNIT_TEST(test_once)};
    return cmocka_run_group_tests_name("thread_choice", tests, NULL, NULL);
}
