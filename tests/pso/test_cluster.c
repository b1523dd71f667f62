/* A small swarm in a cluster of work-groups (cl/pso/methods/fused.cu) against launches of single steps: the
 * same numbers, bit for bit, whatever the rules, sizes and ends of launches. Other devices than GPUs with
 * clusters skip it; the plan is tested everywhere. */
#include "harness.h"
#include "searches.h"

#include "compute/device.h"
#include "pso/methods/fused.h"

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

/* Coordinates, velocities and the best value after steps in several calls. *is_native: a native text was
 * built. */
static double *state_after(const struct shoal_pso_params *params, enum shoal_variant variant, bool *is_native)
{
    static const uint64_t calls[] = {1, 2, 40, 1, 80};
    const size_t count = 2 * params->particles * params->search.dim;
    struct shoal_solver *solver = NULL;
    struct shoal_result result = {.size = sizeof result};
    double *state = harness_memory((count + 2) * sizeof *state);
    assert_ok(shoal_solver_create(shoal_workload_find("pso"), harness.device, harness.queue, params, variant,
                                  &solver, &test_error));
    *is_native = shoal_solver_is_native(solver);
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

static void a_cluster_makes_the_steps_of_single_launches(void **state)
{
    (void)state;
    if (cluster_groups(harness.info) == 1 || harness.variant == SHOAL_VARIANT_CL) {
        print_message("%s has no clusters\n", harness.info->id);
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (uint64_t stagnation = 0; stagnation < 20; stagnation += 15) {
            const struct shoal_pso_params params = params_of(&rules[i], stagnation);
            bool is_native;
            const double *wanted = state_after(&params, SHOAL_VARIANT_CL, &is_native);
            assert_false(is_native);
            const double *got = state_after(&params, SHOAL_VARIANT_AUTO, &is_native);
            assert_true(is_native);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cluster_makes_the_steps_of_single_launches),
                                       cmocka_unit_test(plans_hold_the_swarm)};
    return harness_main("pso-cluster", tests, sizeof tests / sizeof *tests);
}
