/* What a line of progress says and when it is due, by a clock of the test's own. */
#include "cli/output/progress_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_line(const struct cli_progress *progress, double later, const char *expected)
{
    char *line = progress_line(progress, later);
    assert_string_equal(line, expected);
    free(line);
}

static struct shoal_progress at(uint64_t done, double seconds, double value)
{
    return (struct shoal_progress){.done = done, .total = 1000, .seconds = seconds, .value = value};
}

static void note(struct cli_progress *progress, uint64_t done, double seconds, double value)
{
    const struct shoal_progress now = at(done, seconds, value);
    progress_note(progress, &now);
}

static void note_phase(struct cli_progress *progress, const char *phase)
{
    const struct shoal_progress now = {.value = NAN, .phase = phase};
    progress_note(progress, &now);
}

static void steps_and_speed(void **state)
{
    (void)state;
    struct cli_progress progress = {.label = "pso  host", .name = "best"};
    note_phase(&progress, "builds kernels");
    assert_line(&progress, 0, "pso  host  builds kernels");
    note(&progress, 1, 0.25, NAN); /* from here on the speed counts */
    assert_line(&progress, 0, "pso  host  0 %  step 1 of 1000");
    note(&progress, 101, 1.25, 0.5);
    assert_line(&progress, 0, "pso  host  10 %  9 s left  best 0.5  step 101 of 1000");
    /* A value that is not read again stays; a long step takes from the time left. */
    note(&progress, 201, 2.25, NAN);
    assert_line(&progress, 0, "pso  host  20 %  8 s left  best 0.5  step 201 of 1000");
    assert_line(&progress, 5, "pso  host  20 %  3 s left  best 0.5  step 201 of 1000");
    assert_line(&progress, 50, "pso  host  20 %  0 s left  best 0.5  step 201 of 1000");
    /* The next run of the same row. */
    note_phase(&progress, "builds kernels");
    note(&progress, 1, 0.1, NAN);
    assert_line(&progress, 0, "pso  host  0 %  step 1 of 1000");
}

static void a_time_limit(void **state)
{
    (void)state;
    struct cli_progress progress = {.label = "pso  host", .name = "best", .limit = 90};
    struct shoal_progress now = at(17649, 18, 2.5);
    now.total = 4294967040;
    progress_note(&progress, &now);
    assert_line(&progress, 0, "pso  host  20 %  72 s left  best 2.5  18 of 90 s  step 17649");
    assert_line(&progress, 27, "pso  host  50 %  45 s left  best 2.5  45 of 90 s  step 17649");
    assert_line(&progress, 100, "pso  host  100 %  0 s left  best 2.5  90 of 90 s  step 17649");
    /* Steps that end earlier. */
    progress.limit = 1e6;
    note(&progress, 17649, 18, 2.5);
    note(&progress, 17849, 20, 2.5);
    progress.last.total = 18049;
    assert_line(&progress, 0, "pso  host  99 %  2 s left  best 2.5  20 of 1000000 s  step 17849");
}

static void a_warm_up(void **state)
{
    (void)state;
    struct cli_progress progress = {.label = "gas  host", .warm_up_name = "equilibration", .limit = NAN};
    struct shoal_progress now = at(30, 1, NAN);
    now.warm_up = 100;
    progress_note(&progress, &now);
    assert_line(&progress, 0, "gas  host  3 %  step 30 of 100 of equilibration");
    progress.last.done = 150;
    assert_line(&progress, 0, "gas  host  15 %  step 50 of 900");
}

static void one_line_in_each_interval(void **state)
{
    (void)state;
    struct progress_timer timer = {.first = 10, .apart = 60};
    double said[8], now = 0;
    size_t count = 0;
    assert_true(progress_wait(&timer, 0) == 10 && progress_wait(&timer, 9.5) == 0.5);
    /* A thread that sleeps as long as it is told, over five minutes, and once for longer. */
    while (now < 300) {
        const double wait = progress_wait(&timer, now);
        if (wait > 0) {
            now += count == 2 ? wait + 20 : wait;
            continue;
        }
        assert_true(count < sizeof said / sizeof *said);
        said[count++] = now;
        progress_said(&timer, now);
    }
    assert_int_equal(count, 5);
    const double expected[] = {10, 70, 150, 210, 270};
    assert_memory_equal(said, expected, sizeof expected);
    /* At once, where that is asked for. */
    assert_true(progress_wait(&(struct progress_timer){.first = 0, .apart = 10}, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_and_speed), cmocka_unit_test(a_time_limit),
                                       cmocka_unit_test(a_warm_up),
                                       cmocka_unit_test(one_line_in_each_interval)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
