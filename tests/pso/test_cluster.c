/* Swarms that work-groups hold for many steps, in a cluster (cl/pso/methods/fused.cu) or in the local memory
 * of all multiprocessors (fused_held.cuh), against launches of single steps: the same numbers, bit for bit,
 * whatever the rules, sizes and ends of launches. Other devices than CUDA's skip it; plans are tested
 * everywhere. */
#include "harness.h"
#include "searches.h"

#include "compute/backend.h"
#include "compute/device.h"
#include "pso/methods/fused.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rules {
    const char *function;
    uint64_t particles, dim;
    int bounds, random, precision;
};

static const struct rules rules[] = {
    {"rastrigin", 1024, 30, SHOAL_PSO_REFLECT, SHOAL_PSO_PHILOX16, SHOAL_FP32},
    {"rosenbrock", 1000, 30, SHOAL_PSO_INVISIBLE, SHOAL_PSO_PHILOX16,
     SHOAL_FP32},                                                            /* neighbouring coordinates */
    {"griewank", 333, 17, SHOAL_PSO_PERIODIC, SHOAL_PSO_PHILOX, SHOAL_FP64}, /* a sum and a product */
    {"levy", 4096, 30, SHOAL_PSO_REENTRY, SHOAL_PSO_PHILOX16, SHOAL_FP32},   /* single coordinates */
    {"sphere", 8192, 4, SHOAL_PSO_CLAMP, SHOAL_PSO_PHILOX16, SHOAL_FP32},    /* one lane for a particle */
    {"ackley", 200, 128, SHOAL_PSO_BOUNCE, SHOAL_PSO_PHILOX16, SHOAL_FP32},  /* all lanes of a warp */
    /* Too many for a cluster: */
    {"rastrigin", 65536, 30, SHOAL_PSO_REFLECT, SHOAL_PSO_PHILOX, SHOAL_FP32},
    {"rosenbrock", 20000, 31, SHOAL_PSO_INVISIBLE, SHOAL_PSO_PHILOX16, SHOAL_FP32},
    {"levy", 16001, 30, SHOAL_PSO_REENTRY, SHOAL_PSO_PHILOX, SHOAL_FP32},
    {"griewank", 10000, 17, SHOAL_PSO_PERIODIC, SHOAL_PSO_PHILOX, SHOAL_FP64},
};

static struct shoal_pso_params params_of(const struct rules *rule, uint64_t stagnation)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.objective = shoal_objective_find(rule->function);
    params.search.dim = rule->dim;
    params.particles = rule->particles;
    params.bounds = rule->bounds;
    params.random = rule->random;
    params.search.precision = rule->precision;
    params.search.stagnation = stagnation;
    params.search.iterations = 1000;
    params.topology = SHOAL_PSO_GLOBAL;
    params.update = SHOAL_PSO_INERTIA;
    params.method = SHOAL_PSO_FUSED;
    return params;
}

/* Whether a launch of the solver makes many steps, by a cluster or by groups that hold the swarm. */
static bool is_held(const struct shoal_solver *solver)
{
    for (const struct built_program *built = solver->programs.newest; built; built = built->before)
        if (built->program->desc == &pso_fused_program)
            return shoal_program_is_native(built->program) &&
                   (shoal_program_define(built->program, "HELD") > 0 ||
                    shoal_program_define(built->program, "GROUPS") > 1);
    return false;
}

/* Whether work-groups have to hold the swarm, and whether they may. must: a plan for all multiprocessors fits
 * them, and a device with multiprocessors for CLUSTERS clusters runs one; may: there is a plan. The groups of
 * a cluster need multiprocessors that are close to each other, of which a small partition of a GPU may have
 * too few. */
enum { CLUSTERS = 4 };
struct expected {
    bool must, may;
};

static struct expected expect(const struct shoal_device_info *info, const struct shoal_pso_params *params)
{
    const struct fused_size size = {params->particles, params->search.dim,
                                    params->random == SHOAL_PSO_PHILOX16 ? 4 : 2,
                                    params->search.precision == SHOAL_FP64 ? 8 : 4};
    struct fused_plan cluster, held;
    const bool has_cluster = fused_plan_cluster(info, &size, &cluster),
               is_held = fused_plan_held(info, &size, &held),
               has_room = has_cluster && info->units >= CLUSTERS * cluster.groups;
    return (struct expected){.must = is_held || has_room, .may = is_held || has_cluster};
}

/* Coordinates, velocities and the best value after steps in several calls. *held: what is_held says. */
static double *state_after(const struct shoal_pso_params *params, enum shoal_variant variant, bool *held)
{
    static const uint64_t calls[] = {1, 2, 40, 1, 80};
    const size_t count = 2 * params->particles * params->search.dim;
    struct shoal_solver *solver = NULL;
    struct shoal_result result = {.size = sizeof result};
    double *state = harness_memory((count + 2) * sizeof *state);
    assert_ok(shoal_solver_create(shoal_workload_find("pso"), harness.device, harness.queue, params, variant,
                                  &solver, &test_error));
    *held = is_held(solver);
    assert_int_equal(shoal_solver_is_native(solver), variant != SHOAL_VARIANT_CL);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        uint64_t done;
        assert_ok(shoal_solver_step(solver, calls[i], &done, &test_error));
    }
    size_t got;
    assert_ok(shoal_solver_state(solver, state, count, &got, &test_error));
    assert_int_equal(got, count);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    state[count] = result.value;
    state[count + 1] = (double)result.steps;
    shoal_solver_destroy(&solver);
    return state;
}

static void one_launch_makes_the_steps_of_single_launches(void **state)
{
    (void)state;
    if (!is_cuda(harness.device) || harness.variant == SHOAL_VARIANT_CL) {
        print_message("%s runs no native text\n", harness.info->id);
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (uint64_t stagnation = 0; stagnation < 20; stagnation += 15) {
            const struct shoal_pso_params params = params_of(&rules[i], stagnation);
            bool held;
            const double *wanted = state_after(&params, SHOAL_VARIANT_CL, &held);
            assert_false(held);
            const double *got = state_after(&params, SHOAL_VARIANT_AUTO, &held);
            const struct expected expected = expect(harness.info, &params);
            assert_true(held ? expected.may : !expected.must);
            assert_memory_equal(got, wanted, (2 * params.particles * params.search.dim + 2) * sizeof *got);
            harness_release();
        }
}

/* Whatever is planned has room for the swarm, in registers and in local memory. */
static void plans_hold_the_swarm(void **state)
{
    (void)state;
    static const struct shoal_device_info devices[] = {
        {.architecture = 90, .units = 132, .local_mem = 49152, .is_gpu = true},
        {.architecture = 120, .units = 70, .local_mem = 49152, .is_gpu = true}};
    size_t planned = 0;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (uint64_t particles = 1; particles < 20000; particles += 1 + particles / 7)
            for (uint64_t dim = 1; dim < 1500; dim += 1 + dim / 9)
                for (size_t i = 0; i < 4; i++) {
                    const struct fused_size size = {particles, dim, i % 2 ? 4 : 2, i / 2 ? 8 : 4};
                    struct fused_plan plan;
                    if (!fused_plan_cluster(&devices[d], &size, &plan))
                        continue;
                    planned++;
                    const uint64_t places = plan.work_group / plan.slices, span = plan.depth * size.block;
                    const uint64_t candidate = plan.slices * span * size.real + 2 * size.real;
                    assert_int_equal(plan.groups, cluster_groups(&devices[d]));
                    assert_int_equal(plan.work_group % 32, 0);
                    assert_true(plan.slices <= 32 && plan.work_group % plan.slices == 0);
                    assert_true(places * plan.groups >= particles);
                    assert_true(plan.slices * span >= dim);
                    assert_true(2 * (plan.work_group / 32 + plan.groups) * candidate +
                                    plan.work_group * (size.real + 4) + 16 <=
                                devices[d].local_mem);
                    assert_int_equal(fused_plan_make(&devices[d], &size).slices, plan.slices);
                }
    assert_true(planned > 1000);
    const struct fused_size small = {1024, 30, 4, 4};
    struct fused_plan plan;
    assert_true(fused_plan_cluster(&devices[0], &small, &plan));
    const struct shoal_device_info other = {
        .architecture = 86, .units = 84, .local_mem = 49152, .is_gpu = true};
    assert_false(fused_plan_cluster(&other, &small, &plan));
}

static void plans_fit_local_memory(void **state)
{
    (void)state;
    static const struct shoal_device_info devices[] = {
        {.architecture = 90, .units = 132, .local_mem = 49152, .local_mem_max = 232448, .is_gpu = true},
        {.architecture = 75, .units = 40, .local_mem = 49152, .local_mem_max = 65536, .is_gpu = true}};
    size_t planned = 0;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (uint64_t particles = 1; particles < 100000; particles += 1 + particles / 7)
            for (uint64_t dim = 1; dim < 1500; dim += 1 + dim / 9)
                for (size_t real = 4; real <= 8; real += 4) {
                    const struct fused_size size = {particles, dim, 2, real};
                    struct fused_plan plan;
                    if (!fused_plan_held(&devices[d], &size, &plan))
                        continue;
                    planned++;
                    const uint64_t tile = plan.work_group / plan.slices;
                    assert_int_equal(plan.held, dim);
                    assert_true(plan.items == 1 && plan.groups == 1 && !plan.one_group);
                    assert_true((particles + tile - 1) / tile <= devices[d].units);
                    assert_true(3 * dim * tile * real + (dim + plan.work_group) * real +
                                    4 * (plan.work_group + tile) + 64 <=
                                devices[d].local_mem_max);
                    assert_int_equal(fused_plan_make(&devices[d], &size).slices, plan.slices);
                    assert_int_equal(fused_plan_make(&devices[d], &size).work_group, plan.work_group);
                }
    assert_true(planned > 1000);
    const struct fused_size medium = {65536, 30, 2, 4}, large = {1 << 20, 30, 2, 4};
    struct fused_plan plan;
    assert_true(fused_plan_held(&devices[0], &medium, &plan));
    assert_false(fused_plan_held(&devices[0], &large, &plan));
    assert_false(fused_plan_held(&(struct shoal_device_info){.units = 8, .is_cpu = true}, &medium, &plan));
}

/* An H100; then 16 multiprocessors as a partition that counts as a device, and as a part of a known device.
 */
static void small_devices_may_lack_room_for_a_cluster(void **state)
{
    (void)state;
    static const struct shoal_device_info whole = {
        .architecture = 90, .units = 132, .local_mem = 49152, .local_mem_max = 232448, .is_gpu = true};
    const struct shoal_pso_params few = params_of(&rules[0], 0), many = params_of(&rules[6], 0);
    assert_true(expect(&whole, &few).must && expect(&whole, &many).must);
    static const uint32_t whole_units[] = {0, 132};
    for (size_t i = 0; i < sizeof whole_units / sizeof *whole_units; i++) {
        struct shoal_device_info part = whole;
        part.units = 16;
        part.whole_units = whole_units[i];
        part.local_mem_max = 0; /* no plan for all multiprocessors */
        assert_true(expect(&part, &few).may && !expect(&part, &few).must);
        assert_false(expect(&part, &many).may);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_launch_makes_the_steps_of_single_launches),
                                       cmocka_unit_test(small_devices_may_lack_room_for_a_cluster),
                                       cmocka_unit_test(plans_hold_the_swarm),
                                       cmocka_unit_test(plans_fit_local_memory)};
    return harness_main("pso-cluster", tests, sizeof tests / sizeof *tests);
}
