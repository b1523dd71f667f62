/* The minimiser: its kernels and the host's steps against the formulas of docs/gas-forces.md in double, and
 * what whole minimisations must give. */
#include "fixture.h"
#include "harness.h"

#include "gas/device/motion.h"
#include "gas/device/numbers.h"
#include "gas/model/thermostat.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of given accelerations ------------------------------------------------------------------------- */

/* Particles by number, in double; accelerations of the pair forces. */
struct particles_at {
    const struct gas_problem *problem;
    double *x, *v, *a;
    int32_t *image;
};

static bool is_hard(const struct gas_problem *problem, size_t axis, int side)
{
    return problem->boundary[axis] == SHOAL_GAS_WALLS &&
           (problem->params->wall_method != SHOAL_GAS_W5 ||
            problem->wall[axis][side > 0] != SHOAL_GAS_WALL_REFLECT);
}

/* Ends of the range of a coordinate. */
static double end_of(const struct gas_problem *problem, size_t axis, int side)
{
    const double length = problem->length[axis], beyond = is_hard(problem, axis, side) ? 0 : 0.5 * length;
    return side < 0 ? -beyond : length + beyond;
}

/* 1 step of a fixed-point coordinate: the last one in the box is that far from its face. */
static bool is_at_end(const struct gas_problem *problem, size_t axis, double x, int side)
{
    return problem->boundary[axis] != SHOAL_GAS_PERIODIC &&
           side * (x - end_of(problem, axis, side)) >= -0x1.8p-30 * problem->length[axis];
}

static double length_of(const double *v, size_t dim)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + (dim == 3 ? v[2] * v[2] : 0));
}

/* The push of a particle, and the size of its acceleration. */
static double expected_push(const struct particles_at *particles, size_t i, double limit, uint32_t step,
                            double *push)
{
    const struct gas_problem *problem = particles->problem;
    const size_t dim = problem->dim;
    bool finite = true;
    double sum = 0;
    for (size_t k = 0; k < dim; k++) {
        const double x = particles->x[i * dim + k];
        push[k] = particles->a[i * dim + k] + gas_external_acceleration(problem, i, k, x);
        sum += fabs(push[k]);
    }
    finite = sum <= (double)FLT_MAX;
    if (!finite) {
        const struct shoal_words words =
            shoal_random_words(gas_seed(problem), SHOAL_STREAM_GAS_PUSH, step, (uint32_t)i, 0);
        double normals[4];
        gas_normal_pair(words.x, words.y, &normals[0], &normals[1]);
        gas_normal_pair(words.z, words.w, &normals[2], &normals[3]);
        for (size_t k = 0; k < dim; k++)
            push[k] = normals[k];
    }
    for (size_t k = 0; k < dim; k++)
        for (int side = -1; side <= 1; side += 2)
            if (is_at_end(problem, k, particles->x[i * dim + k], side) && side * push[k] > 0)
                push[k] = 0;
    const double size = length_of(push, dim);
    if (size > 0 && (!finite || size > limit))
        for (size_t k = 0; k < dim; k++)
            push[k] *= limit / size;
    return finite ? size : INFINITY;
}

static struct gas_fire_sums expected_sums(const struct particles_at *particles, double limit, uint32_t step)
{
    struct gas_fire_sums sums = {0};
    const size_t dim = particles->problem->dim;
    for (size_t i = 0; i < particles->problem->n; i++) {
        const double *v = particles->v + i * dim;
        double push[GAS_MAX_DIM];
        sums.largest = fmax(sums.largest, expected_push(particles, i, limit, step, push));
        for (size_t k = 0; k < dim; k++) {
            sums.power += v[k] * push[k];
            sums.push2 += push[k] * push[k];
            sums.velocity2 += v[k] * v[k];
        }
        sums.fastest = fmax(sums.fastest, length_of(v, dim));
    }
    return sums;
}

static void expected_move(const struct particles_at *particles, const struct gas_fire_move *move)
{
    const struct gas_problem *problem = particles->problem;
    const size_t dim = problem->dim;
    for (size_t i = 0; i < problem->n; i++) {
        double *x = particles->x + i * dim, *v = particles->v + i * dim;
        double push[GAS_MAX_DIM], after[GAS_MAX_DIM] = {0};
        expected_push(particles, i, move->limit, move->step, push);
        for (size_t k = 0; k < dim; k++)
            after[k] = move->keep * v[k] + move->push * push[k];
        const double speed = length_of(after, dim);
        for (size_t k = 0; k < dim; k++) {
            after[k] *= speed > move->fastest ? move->fastest / speed : 1;
            x[k] += move->dt * after[k] - move->back * v[k];
            v[k] = after[k];
            if (problem->boundary[k] == SHOAL_GAS_PERIODIC) {
                const double crossed = floor(x[k] / problem->length[k]);
                x[k] -= crossed * problem->length[k];
                particles->image[i * dim + k] += (int32_t)crossed;
            }
            for (int side = -1; side <= 1; side += 2)
                if (is_at_end(problem, k, x[k], side)) {
                    x[k] = end_of(problem, k, side);
                    v[k] = side * v[k] > 0 ? 0 : v[k];
                }
        }
    }
}

/* A sum of n terms in the precision of the device, or of the host. */
static void compare_sums(const struct gas_fire_sums *is, const struct gas_fire_sums *should, double epsilon)
{
    const double both = sqrt(should->velocity2 * should->push2);
    assert_near(is->power, should->power, epsilon * both);
    assert_near(is->velocity2, should->velocity2, epsilon * should->velocity2);
    assert_near(is->push2, should->push2, epsilon * should->push2);
    assert_near(is->fastest, should->fastest, epsilon * should->fastest);
    assert_int_equal(isinf(is->largest), isinf(should->largest));
    if (isfinite(should->largest))
        assert_near(is->largest, should->largest, epsilon * should->largest);
}

/* Positions across a periodic border are near too. */
static void compare_particles(const struct particles_at *is, const struct particles_at *should,
                              double epsilon, double fastest)
{
    const struct gas_problem *problem = is->problem;
    for (size_t at = 0; at < problem->n * problem->dim; at++) {
        const size_t axis = at % problem->dim;
        const double whole =
            is->x[at] - should->x[at] + (is->image[at] - should->image[at]) * problem->length[axis];
        assert_near(whole, 0, (epsilon + 0x1p-29) * problem->length[axis]);
        assert_near(is->v[at], should->v[at], epsilon * fastest);
    }
}

/* Kernels ---------------------------------------------------------------------------------------------- */

static enum shoal_status given_forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    (void)solver;
    (void)energies;
    (void)error;
    return SHOAL_OK;
}

static double drifted_by; /* what the last move said */
static void note_drift(struct shoal_solver *solver, double farthest)
{
    (void)solver;
    drifted_by = farthest;
}

static const struct gas_method given_method = {
    .base = {.name = "given"}, .forces = given_forces, .moved = note_drift};

static void free_particles(struct particles_at *particles)
{
    free(particles->x);
    free(particles->v);
    free(particles->a);
    free(particles->image);
}

static struct particles_at new_particles(const struct gas_problem *problem)
{
    const size_t numbers = problem->n * problem->dim;
    const struct particles_at particles = {.problem = problem,
                                           .x = calloc(numbers, sizeof(double)),
                                           .v = calloc(numbers, sizeof(double)),
                                           .a = calloc(numbers, sizeof(double)),
                                           .image = calloc(numbers, sizeof(int32_t))};
    assert_true(particles.x && particles.v && particles.a && particles.image);
    return particles;
}

/* The state of the device by number. */
static void read_box(struct gas_box *box, struct particles_at *particles)
{
    const struct gas_device *device = &box->device;
    const size_t n = device->problem.n, dim = device->problem.dim;
    char *place = harness_memory(device->padded * device->position_bytes);
    char *velocity = harness_memory(device->padded * device->velocity_bytes);
    char *acceleration = harness_memory(device->padded * device->velocity_bytes);
    uint32_t *ids = harness_memory(n * sizeof *ids);
    harness_read(device->position, place, n * device->position_bytes);
    harness_read(device->velocity, velocity, n * device->velocity_bytes);
    harness_read(device->acceleration, acceleration, n * device->velocity_bytes);
    harness_read(device->image, particles->image, n * dim * sizeof *particles->image);
    gas_box_ids(box, ids);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dim; k++) {
            const size_t at = ids[i] * dim + k;
            particles->x[at] = gas_get_position(&device->problem, place, i, k);
            particles->v[at] = gas_get_vector(&device->problem, velocity, i, k);
            particles->a[at] = gas_get_vector(&device->problem, acceleration, i, k);
        }
}

/* Some are beyond the limit, some so large that their squares are no floats, one is infinite, one no number.
 */
static void give_accelerations(struct gas_box *box)
{
    const struct gas_device *device = &box->device;
    const size_t n = device->problem.n, dim = device->problem.dim;
    double *fraction = harness_memory(n * dim * sizeof *fraction);
    char *data = harness_memory(device->padded * device->velocity_bytes);
    memset(data, 0, device->padded * device->velocity_bytes);
    gas_box_fractions(fraction, n * dim, 77);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dim; k++) {
            double a = 60 * (fraction[i * dim + k] - 0.5);
            a = i % 7 == 3 ? 1e29 * a : i == 5 ? INFINITY : i == 8 ? NAN : a;
            gas_put_vector(&device->problem, data, i, k, a);
        }
    assert_ok(shoal_buffer_write(harness.queue, device->acceleration, 0, data, n * device->velocity_bytes,
                                 &test_error));
}

struct surroundings {
    const char *name;
    int32_t boundary[GAS_MAX_DIM];
    enum shoal_gas_wall_method wall_method;
    double field;
};
static const struct surroundings all_surroundings[] = {
    {"periodic", {SHOAL_GAS_PERIODIC, SHOAL_GAS_PERIODIC, SHOAL_GAS_PERIODIC}, SHOAL_GAS_W3, 0},
    {"walls and field", {SHOAL_GAS_WALLS, SHOAL_GAS_PERIODIC, SHOAL_GAS_WALLS}, SHOAL_GAS_W3, 0.7},
    {"soft walls, open", {SHOAL_GAS_WALLS, SHOAL_GAS_OPEN, SHOAL_GAS_PERIODIC}, SHOAL_GAS_W5, 0},
};

static void open_box(struct gas_box *box, size_t n, size_t dim, enum shoal_gas_precision precision,
                     const struct surroundings *around)
{
    struct gas_box_shape shape = {
        .n = n, .dim = dim, .precision = precision, .length = {3, 4, 5}, .cutoff = 1};
    double *position = harness_memory(n * dim * sizeof *position);
    memcpy(shape.boundary, around->boundary, sizeof shape.boundary);
    gas_box_fractions(position, n * dim, 33);
    for (size_t at = 0; at < n * dim; at++)
        position[at] *= shape.length[at % dim];
    gas_box_create(box, &shape, position, 3);
    struct gas_device *device = &box->device;
    box->params.wall_method = around->wall_method;
    box->params.precision = precision;
    device->problem.field[0] = box->params.field_x = around->field;
    device->problem.wall_stiffness = 40;
    for (size_t k = 0; k < dim; k++)
        device->problem.any_wall = device->problem.any_wall || around->boundary[k] == SHOAL_GAS_WALLS;
    assert_ok(gas_settings_write(&box->solver, &test_error));
    const uint32_t seed = (uint32_t)box->params.seed;
    assert_ok(shoal_buffer_write(harness.queue, device->words, WORD_SEED * sizeof seed, &seed, sizeof seed,
                                 &test_error));
    device->acceleration = gas_box_buffer(device->padded * device->velocity_bytes);
    device->image = gas_box_buffer(device->padded * dim * sizeof(int32_t));
    box->solver.method.method = &given_method.base;
    assert_ok(gas_minimiser_create(&box->solver, &test_error));
    give_accelerations(box);
}

static void close_box(struct gas_box *box)
{
    gas_minimiser_destroy(&box->solver);
    shoal_buffer_destroy(&box->device.image);
    gas_box_destroy(box);
    harness_release();
}

/* From rest, downhill, uphill; the displacements reach walls and borders. */
static const struct gas_fire_move moves[] = {
    {.limit = 20, .keep = 0, .push = 0.3, .dt = 0.2, .back = 0, .fastest = 4, .farthest = 0.8, .step = 1},
    {.limit = 15, .keep = 0.8, .push = 0.2, .dt = 0.1, .back = 0, .fastest = 3, .farthest = 0.3, .step = 2},
    {.limit = 40, .keep = 0, .push = 0.1, .dt = 0.1, .back = 0.05, .fastest = 5, .farthest = 0.65, .step = 3},
};

static void check_kernels(size_t n, size_t dim, enum shoal_gas_precision precision,
                          const struct surroundings *around)
{
    /* fp32: the sum of n terms, of which each has a rounding error. */
    const double epsilon = precision == SHOAL_GAS_DOUBLE ? 1e-13 : 4e-6;
    struct gas_box box;
    test_label("%d particles, %dD, precision %d, %s", (int)n, (int)dim, (int)precision, around->name);
    open_box(&box, n, dim, precision, around);
    struct particles_at is = new_particles(&box.device.problem), should = new_particles(&box.device.problem);
    for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
        struct gas_fire_sums sums;
        read_box(&box, &should);
        const struct gas_fire_sums wanted = expected_sums(&should, moves[m].limit, moves[m].step);
        assert_ok(gas_fire_sums(&box.solver, moves[m].limit, moves[m].step, &sums, &test_error));
        compare_sums(&sums, &wanted, epsilon);
        expected_move(&should, &moves[m]);
        assert_ok(gas_fire_move(&box.solver, &moves[m], &test_error));
        assert_true(drifted_by == moves[m].farthest);
        read_box(&box, &is);
        compare_particles(&is, &should, epsilon, moves[m].fastest);
    }
    free_particles(&is);
    free_particles(&should);
    close_box(&box);
}

static void test_kernels(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 37, 1025, 0}, tiny[] = {1, 13, 0};
    /* Any two of dimension, precision and surroundings. */
    for (size_t dim = 2; dim <= 3; dim++)
        for (int32_t precision = SHOAL_GAS_SINGLE; precision <= SHOAL_GAS_DOUBLE; precision++) {
            const struct surroundings *around =
                &all_surroundings[(2 - (size_t)precision + dim) % 3]; /* walls in the first case */
            for (const size_t *n = harness.tiny ? tiny : sizes; *n; n++)
                if (gas_box_can((enum shoal_gas_precision)precision) && harness_takes_case())
                    check_kernels(*n, dim, (enum shoal_gas_precision)precision, around);
        }
}

/* The host --------------------------------------------------------------------------------------------- */

/* A minimisation of the start by at most so many steps, on the host. */
static struct shoal_gas_params host_start(uint64_t steps)
{
    struct shoal_gas_params params = gas_run_params();
    params.minimise = steps;
    return params;
}

static void host_steps_equal_the_reference(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    for (size_t s = 0; s < sizeof all_surroundings / sizeof *all_surroundings; s++)
        for (uint64_t dim = 2; dim <= 3; dim++) {
            const struct surroundings *around = &all_surroundings[s];
            struct shoal_gas_params params = host_start(1);
            params.dim = dim;
            params.particles = 1100; /* more than a block of sums */
            params.start = SHOAL_GAS_RANDOM;
            params.start_distance = 0;
            params.boundary_x = around->boundary[0];
            params.boundary_y = around->boundary[1];
            params.boundary_z = dim == 3 ? around->boundary[2] : SHOAL_GAS_PERIODIC;
            params.wall_method = around->wall_method;
            params.field_x = around->field;
            struct shoal_solver *solver = gas_run_open(&params, true);
            struct gas_host *host = gas_host_of(solver);
            const struct gas_stepper *stepper = host->common.stepper;
            const size_t numbers = host->problem.n * dim;
            host->problem.position[0] = host->problem.position[dim]; /* a force above the range of floats */
            host->problem.position[1] = host->problem.position[dim + 1] + 1e-5;
            if (dim == 3)
                host->problem.position[2] = host->problem.position[5];
            /* One step: the state that `begin` leaves has particles that overlap. */
            assert_status(stepper->begin(solver, &test_error), SHOAL_INVALID);
            assert_contains(test_error.message, "overlap after 1 steps of the minimisation");
            struct particles_at is = new_particles(&host->problem), should = new_particles(&host->problem);
            for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
                struct gas_fire_sums sums;
                assert_ok(stepper->fire_sums(solver, moves[m].limit, moves[m].step, &sums, &test_error));
                memcpy(should.x, host->x, numbers * sizeof(double));
                memcpy(should.v, host->v, numbers * sizeof(double));
                memcpy(should.a, host->a, numbers * sizeof(double));
                memcpy(should.image, host->image, numbers * sizeof(int32_t));
                const struct gas_fire_sums wanted = expected_sums(&should, moves[m].limit, moves[m].step);
                compare_sums(&sums, &wanted, 1e-12);
                expected_move(&should, &moves[m]);
                assert_ok(stepper->fire_move(solver, &moves[m], &test_error));
                memcpy(is.x, host->x, numbers * sizeof(double));
                memcpy(is.v, host->v, numbers * sizeof(double));
                memcpy(is.image, host->image, numbers * sizeof(int32_t));
                compare_particles(&is, &should, 1e-12, moves[m].fastest);
            }
            free_particles(&is);
            free_particles(&should);
            shoal_solver_destroy(&solver);
        }
}

/* Minima that are known. Velocities stay those of the file. */
static void minima_are_found(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    static const double at_rest[4] = {0};
    const double near[] = {0.2, 5, 9.8, 5.1};
    struct shoal_result result = {0};
    struct shoal_gas_params params = host_start(5000);
    params.minimise_force = 1e-9;
    params.cut = SHOAL_GAS_CUT_TRUNCATED;
    gas_run_start(&params, near, (const double[]){1, 2, 3, 4}, 2, 10, 10);
    /* Two particles across a periodic border. */
    struct shoal_solver *solver = gas_run_open(&params, true);
    run_steps(solver, 0);
    struct shoal_gas_frame frame = frame_of(solver);
    assert_near(hypot(frame.position[0] - frame.position[2] + 10, frame.position[1] - frame.position[3]),
                pow(2, 1.0 / 6), 1e-9);
    for (size_t at = 0; at < 4; at++)
        assert_near(frame.velocity[at], (double)at + 1, 1e-9);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_near(shoal_result_number(&result, "minimise_after"), -0.5, 1e-9);
    assert_true(shoal_result_number(&result, "minimise_before") > 100);
    assert_true(shoal_result_number(&result, "minimise_steps") < 5000);
    assert_true(shoal_result_number(&result, "minimise_largest") <= 1e-9);
    shoal_solver_destroy(&solver);
    /* What the field presses into a wall lies on it, or as deep as its force and the wall's are equal. */
    for (int32_t method = SHOAL_GAS_W3; method <= SHOAL_GAS_W5; method += 2) {
        params.boundary_x = params.boundary_y = SHOAL_GAS_WALLS;
        params.wall_method = method;
        params.wall_stiffness = method == SHOAL_GAS_W5 ? 500 : NAN;
        params.field_y = -2;
        params.mass = 3;
        gas_run_start(&params, (const double[]){2, 3, 7, 0.1}, at_rest, 2, 10, 10);
        solver = gas_run_open(&params, true);
        run_steps(solver, 0);
        frame = frame_of(solver);
        const double floor_y = method == SHOAL_GAS_W5 ? -3 * 2.0 / 500 : 0;
        assert_near(frame.position[1], floor_y, 1e-9);
        assert_near(frame.position[3], floor_y, 1e-9);
        shoal_solver_destroy(&solver);
    }
}

static bool ends(void *data)
{
    return --*(int *)data < 0;
}

static void a_stop_ends_it(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    struct shoal_gas_params params = host_start(100);
    int left = 3;
    uint64_t done;
    params.minimise_force = 0;
    params.start = SHOAL_GAS_RANDOM;
    struct shoal_solver *solver = gas_run_open(&params, true);
    solver->must_end = ends;
    solver->end_data = &left;
    assert_status(shoal_solver_step(solver, 1, &done, &test_error), SHOAL_STOPPED);
    assert_contains(test_error.message, "stopped after 3 steps of the minimisation");
    left = 1;
    solver->timed_out = true;
    assert_status(shoal_solver_step(solver, 1, &done, &test_error), SHOAL_FAILED);
    assert_contains(test_error.message, "the time limit came after 1 steps of the minimisation");
    shoal_solver_destroy(&solver);
}

/* Whole runs ------------------------------------------------------------------------------------------- */

enum { CROWD = 61 };

/* A dense liquid at random places, two of them nearly the same: no step of a run could follow. */
static struct shoal_gas_params crowd(bool is_list, int32_t boundary)
{
    static double position[2 * CROWD], velocity[2 * CROWD];
    struct shoal_gas_params params = gas_run_params();
    gas_box_fractions(position, 2 * (size_t)CROWD, 9);
    for (size_t at = 0; at < 2 * (size_t)CROWD; at++) {
        position[at] *= 9;
        velocity[at] = at % 4 < 2 ? 0.5 : -0.5;
    }
    position[2] = position[0];
    position[3] = position[1] + 2e-6;
    gas_run_start(&params, position, velocity, CROWD, 9, 9);
    params.boundary_x = boundary;
    params.method = is_list ? SHOAL_GAS_LIST : SHOAL_GAS_ALLPAIRS;
    params.dt = 0.002;
    params.steps = 60;
    params.equilibration = 10;
    return params;
}

static void check_crowd(struct shoal_gas_params params, bool on_host)
{
    static struct gas_run_state whole, again;
    struct shoal_solver *solver = NULL;
    struct shoal_result result = {0}, resumed = {0};
    struct shoal_device *device = on_host ? test_host_device(harness.shoal) : harness.device;
    assert_status(shoal_solver_create(shoal_workload_find("gas"), device, on_host ? NULL : harness.queue,
                                      &params, harness.variant, &solver, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "or with --minimise 1000");
    params.minimise = 600;
    solver = gas_run_open(&params, on_host);
    run_steps(solver, 35);
    const char *path = test_path("crowd.shoal");
    assert_ok(shoal_solver_save(solver, path, &test_error));
    const double begin = thermo_of(solver).conserved;
    run_steps(solver, 35);
    assert_near(thermo_of(solver).conserved, begin, 2e-3 * CROWD);
    gas_run_state(solver, &whole);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    assert_true(shoal_result_number(&result, "minimise_steps") > 20);
    assert_true(shoal_result_number(&result, "minimise_after") < -1);
    const double largest = shoal_result_number(&result, "minimise_largest");
    assert_true(largest < 1);
    shoal_solver_destroy(&solver);
    /* The same bits again, and from the middle, without a second minimisation. */
    gas_run(&params, on_host, 70, &again);
    gas_run_same(&again, &whole);
    solver = gas_run_open(&params, on_host);
    assert_ok(shoal_solver_load(solver, path, &test_error));
    run_steps(solver, 35);
    gas_run_state(solver, &again);
    gas_run_same(&again, &whole);
    assert_ok(shoal_solver_result(solver, &resumed, &test_error));
    assert_true(shoal_result_number(&resumed, "minimise_largest") == largest);
    shoal_solver_destroy(&solver);
}

static void crowds_separate(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    check_crowd(crowd(true, SHOAL_GAS_PERIODIC), true);
    check_crowd(crowd(true, SHOAL_GAS_WALLS), true);
    for (int is_list = 1; is_list >= 0; is_list--)
        if (harness_takes_case())
            check_crowd(crowd(is_list, is_list ? SHOAL_GAS_PERIODIC : SHOAL_GAS_WALLS), false);
}

/* A start belongs to the first stage, also to one of no step: the next one goes on where that ended. */
static void later_stages_go_on(void **state)
{
    (void)state;
    if (harness.tiny)
        skip();
    enum { RUNS = 2 };
    static const uint64_t steps[RUNS] = {70, 0};
    static struct gas_run_state before, after;
    for (int run = 0; run < RUNS; run++) {
        struct shoal_gas_params params = crowd(true, SHOAL_GAS_PERIODIC);
        struct shoal_stage_end *end = NULL;
        struct shoal_result result = {0};
        params.minimise = 600;
        if (!steps[run])
            params.equilibration = params.steps = 0;
        struct shoal_solver *first = gas_run_open(&params, true), *second = gas_run_open(&params, true);
        run_steps(first, steps[run]);
        gas_run_state(first, &before);
        assert_ok(shoal_solver_end_stage(first, &end, &test_error));
        assert_ok(shoal_solver_follow(second, end, &test_error));
        gas_run_state(second, &after);
        assert_at_most(gas_run_deviation(&after, &before, 2), 1e-13);
        assert_ok(shoal_solver_result(second, &result, &test_error));
        assert_true(isnan(shoal_result_number(&result, "minimise_steps")));
        shoal_stage_end_destroy(&end);
        shoal_solver_destroy(&first);
        shoal_solver_destroy(&second);
    }
}

int main(void)
{
    const struct CMUnitTest all[] = {
        by_turn(test_kernels),
        cmocka_unit_test(host_steps_equal_the_reference),
        cmocka_unit_test(minima_are_found),
        cmocka_unit_test(a_stop_ends_it),
        cmocka_unit_test(crowds_separate),
        cmocka_unit_test(later_stages_go_on),
    };
    return harness_main("gas_minimise", all, sizeof all / sizeof *all);
}
