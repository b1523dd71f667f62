/* Steps on the host that are cut: they are dropped, and what follows is as if they had never begun. */
#include "fixture.h"
#include "unit.h"

#include "gas/host/host.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { STEPS = 4, PARTICLES = 300 };

/* Answers yes from that question on. */
struct question {
    unsigned yes_from;
    atomic_uint asked; /* by several threads */
    unsigned samples;
};

static bool ends(void *data)
{
    struct question *question = data;
    return ++question->asked >= question->yes_from;
}

static bool on_sample(void *data, const void *sample, const char **failure)
{
    struct question *question = data;
    (void)sample;
    (void)failure;
    question->samples++;
    return false;
}

static struct shoal_solver *open_asked(const struct shoal_gas_params *params, struct question *question)
{
    struct shoal_solver *solver = host_open(params, 2);
    struct gas_host *host = gas_host_of(solver);
    host->cut.patience_s = host->cut.pause_s = 0;
    shoal_solver_on_sample(solver, on_sample, question);
    solver->end_data = question;
    return solver;
}

static uint64_t step(struct shoal_solver *solver, uint64_t steps)
{
    uint64_t done = 99;
    assert_ok(shoal_solver_step(solver, steps, &done, &test_error));
    return done;
}

static void assert_same_states(struct shoal_solver *a, struct shoal_solver *b)
{
    enum { NUMBERS = 2 * 2 * PARTICLES };
    static double states[2][NUMBERS];
    size_t count;
    assert_ok(shoal_solver_state(a, states[0], NUMBERS, &count, &test_error));
    assert_ok(shoal_solver_state(b, states[1], NUMBERS, &count, &test_error));
    assert_memory_equal(states[0], states[1], count * sizeof **states);
}

/* False: all steps were made before that question. */
static bool check(const struct shoal_gas_params *params, struct shoal_solver *whole, unsigned yes_from)
{
    struct question question = {.yes_from = yes_from};
    struct shoal_solver *solver = open_asked(params, &question);
    struct shoal_result result = {0};
    step(solver, 1);
    solver->must_end = ends;
    const uint64_t done = step(solver, STEPS - 1);
    const bool is_cut = done < STEPS - 1;
    solver->must_end = NULL;
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed && result.steps == 1 + done);
    step(solver, STEPS - 1 - done);
    assert_same_states(whole, solver);
    assert_int_equal(question.samples, STEPS / 2 + 1);
    shoal_solver_destroy(&solver);
    return is_cut;
}

static void steps_go_on_where_they_were_cut(void **state)
{
    static const char *const kinds[] = {
        "lists",
        "all pairs",
#if SHOAL_THESES
        "in place"
#endif
    };
    (void)state;
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct shoal_gas_params params = host_params(PARTICLES);
        struct question question = {.yes_from = 1};
        unsigned yes_from = 1;
        test_label("%s", kinds[kind]);
        params.steps = STEPS;
        params.thermo = 2;
        params.skin = kind == 0 ? 0.01 : NAN; /* built anew in some steps */
        if (kind == 1) {
            params.potential = SHOAL_GAS_REAL;
            params.boundary_x = params.boundary_y = SHOAL_GAS_OPEN;
        }
#if SHOAL_THESES
        if (kind == 2)
            params.integrator = SHOAL_GAS_EULER_IN_PLACE;
#endif
        struct shoal_solver *whole = open_asked(&params, &question);
        step(whole, STEPS);
        while (check(&params, whole, yes_from))
            yes_from += yes_from / 4 + 1;
        assert_true(yes_from > 4);
        shoal_solver_destroy(&whole);
    }
}

/* There is nothing to show before the forces of the start are known. */
static void starts_can_be_cut(void **state)
{
    (void)state;
    for (int timed_out = 0; timed_out < 2; timed_out++) {
        struct shoal_gas_params params = host_params(PARTICLES);
        struct question question = {.yes_from = 1};
        struct shoal_solver *solver = open_asked(&params, &question);
        uint64_t done;
        solver->must_end = ends;
        solver->timed_out = timed_out;
        assert_status(shoal_solver_step(solver, 1, &done, &test_error),
                      timed_out ? SHOAL_FAILED : SHOAL_STOPPED);
        assert_contains(test_error.message, timed_out
                                                ? "the time limit came before the first forces were there"
                                                : "stopped before the first forces were there");
        solver->must_end = NULL;
        solver->timed_out = false;
        assert_int_equal(step(solver, 1), 1);
        shoal_solver_destroy(&solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {GAS_TEST(steps_go_on_where_they_were_cut),
                                       GAS_TEST(starts_can_be_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
