/* Snapshots: frames that reach the host while the run continues, on the host and on every device under test.
 */
#include "fixture.h"
#include "harness.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NUMBERS = 422 }; /* of the 211 particles of gas_run_dense */

struct numbers {
    double position[NUMBERS], velocity[NUMBERS];
    int32_t image[NUMBERS];
};

static struct numbers numbers_of(const struct shoal_gas_frame *frame)
{
    struct numbers numbers = {.position = {0}};
    assert_int_equal(frame->particles * frame->dim, NUMBERS);
    memcpy(numbers.position, frame->position, sizeof numbers.position);
    memcpy(numbers.velocity, frame->velocity, sizeof numbers.velocity);
    memcpy(numbers.image, frame->image, sizeof numbers.image);
    return numbers;
}

struct ending {
    struct shoal_gas_snapshot *snapshot;
    struct shoal_gas_frame frame;
    enum shoal_status status;
    struct shoal_error error;
};

static void *end(void *data)
{
    struct ending *ending = data;
    ending->status = shoal_gas_snapshot_end(ending->snapshot, &ending->frame, &ending->error);
    return NULL;
}

/* A frame that is read at once, and a snapshot of the same step that another thread ends while the run goes
 * on, although the box, the field and the particles change. */
static void compare(struct shoal_solver *solver, struct shoal_gas_snapshot **snapshot)
{
    struct ending ending = {.status = SHOAL_FAILED};
    pthread_t thread;
    const struct shoal_gas_frame frame = frame_of(solver);
    const struct numbers wanted = numbers_of(&frame);
    assert_ok(shoal_gas_snapshot_begin(solver, snapshot, &test_error));
    ending.snapshot = *snapshot;
    assert_int_equal(pthread_create(&thread, NULL, end, &ending), 0);
    run_steps(solver, 20);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ending.status, SHOAL_OK);
    const struct numbers found = numbers_of(&ending.frame);
    assert_memory_equal(&found, &wanted, sizeof wanted);
    assert_true(ending.frame.step == frame.step && ending.frame.time == frame.time);
    assert_memory_equal(ending.frame.length, frame.length, sizeof frame.length);
}

static void look(struct shoal_gas_params params, bool on_host)
{
    static struct gas_run_state whole, other;
    struct shoal_gas_snapshot *snapshot = NULL;
    struct shoal_solver *solver = gas_run_open(&params, on_host);
    for (int i = 0; i < 2; i++)
        compare(solver, &snapshot);
    assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error));
    assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error)); /* drops the one before */
    shoal_gas_snapshot_destroy(&snapshot);                               /* and this one */
    assert_null(snapshot);
    gas_run_state(solver, &whole);
    shoal_solver_destroy(&solver);
    gas_run(&params, on_host, 40, &other);
    gas_run_same(&whole, &other);
}

static void snapshots_are_frames(void **state)
{
    (void)state;
    for (int on_host = 0; on_host < 2; on_host++) {
        struct shoal_gas_params params = gas_run_dense(SHOAL_GAS_SINGLE, SHOAL_GAS_LIST);
        params.thermostat = SHOAL_GAS_LANGEVIN;
        struct shoal_gas_params pressed = params;
        pressed.pressure = 1.5;
        pressed.pressure_relaxation = 20 * params.dt;
        look(pressed, on_host);
        params.schedule = "0 field-x 1; 5 field-x 4 over 30;";
        look(params, on_host);
    }
}

static void wrong_snapshots_are_refused(void **state)
{
    (void)state;
    const struct shoal_gas_params params = gas_run_params();
    struct shoal_solver *solver = gas_run_open(&params, true), *second = gas_run_open(&params, true);
    struct shoal_gas_snapshot *snapshot = NULL;
    struct shoal_gas_frame frame;
    assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error));
    assert_status(shoal_gas_snapshot_begin(second, &snapshot, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "belongs to another solver");
    assert_ok(shoal_gas_snapshot_end(snapshot, &frame, &test_error));
    assert_status(shoal_gas_snapshot_end(snapshot, &frame, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "was not begun");
    shoal_gas_snapshot_destroy(&snapshot);
    shoal_solver_destroy(&solver);
    shoal_solver_destroy(&second);
}

/* A snapshot is part of what a run needs of the host: its first one fails if both do not fit. */
static void a_snapshot_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    if (getenv("ASAN_OPTIONS"))
        skip(); /* the address sanitizer itself needs address space */
    const struct shoal_gas_params params = gas_run_params();
    struct shoal_solver *solver = gas_run_open(&params, true);
    struct shoal_gas_snapshot *snapshot = NULL;
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    const enum shoal_status status = shoal_gas_snapshot_begin(solver, &snapshot, &test_error);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_status(status, SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(test_error.message, " bytes on the host, which has 0: lower --particles");
    assert_null(snapshot);
    assert_ok(shoal_gas_snapshot_begin(solver, &snapshot, &test_error));
    shoal_gas_snapshot_destroy(&snapshot);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(snapshots_are_frames),
                                     cmocka_unit_test(wrong_snapshots_are_refused),
                                     cmocka_unit_test(a_snapshot_that_does_not_fit_is_refused)};
    return harness_main("gas_snapshot", all, sizeof all / sizeof *all);
}
