#include "first_step.h"

#include "test.h"

#include <shoal/theses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };

union params {
    struct shoal_pso_params pso;
    struct shoal_ga_params ga;
    struct shoal_gas_params gas;
    struct shoal_tsp_params tsp;
    struct shoal_mlp_params mlp;
    uint64_t block[512]; /* with what lies behind these structs */
};

struct first_step first_step;
static const char *workload_name;
static union params params;

struct outcome {
    double value, *state;
    size_t count;
    uint64_t steps;
};

static void use(const char *name)
{
    const struct shoal_workload *workload = shoal_workload_find(name);
    workload_name = name;
    assert_true(workload->params_size <= sizeof params);
    workload->params_init(&params);
}

#if SHOAL_THESES
/* In a block the parameters of the thesis lie behind the workload's struct. */
static struct shoal_ga_thesis *ga_thesis(void)
{
    return (struct shoal_ga_thesis *)(void *)((char *)&params + sizeof params.ga);
}
#endif

static bool take_sample(void *data, const void *sample, const char **failure)
{
    (void)data, (void)sample, (void)failure;
    return false;
}

static struct shoal_solver *create(void)
{
    struct shoal_solver *solver;
    assert_ok(shoal_solver_create(shoal_workload_find(workload_name), first_step.device, first_step.queue,
                                  &params, first_step.variant, &solver, &test_error));
    shoal_solver_on_sample(solver, take_sample, NULL);
    return solver;
}

/* Of the rest of the steps. */
static struct outcome finish(struct shoal_solver *solver)
{
    struct shoal_result result = {0};
    struct outcome outcome = {0};
    uint64_t done;
    assert_ok(shoal_solver_step(solver, STEPS - 1, &done, &test_error));
    assert_int_equal(done, STEPS - 1);
    if (first_step.computes) {
        assert_ok(shoal_solver_result(solver, &result, &test_error));
        assert_true(result.check_passed);
    }
    assert_ok(shoal_solver_state(solver, NULL, 0, &outcome.count, &test_error));
    outcome.state = malloc((outcome.count + 1) * sizeof *outcome.state);
    assert_non_null(outcome.state);
    assert_ok(shoal_solver_state(solver, outcome.state, outcome.count, &outcome.count, &test_error));
    outcome.value = result.value;
    outcome.steps = result.steps;
    return outcome;
}

static struct outcome unfailed(void)
{
    struct shoal_solver *solver = create();
    uint64_t done;
    assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
    const struct outcome outcome = finish(solver);
    shoal_solver_destroy(&solver);
    return outcome;
}

/* False: the step has fewer allocations. */
static bool fail_at(unsigned number, const struct outcome *wanted)
{
    struct shoal_solver *solver = create();
    struct shoal_error error = {0};
    uint64_t done = 9;
    test_label("%s, %s %u", workload_name, first_step.what, number);
    first_step.arm(number);
    const enum shoal_status status = shoal_solver_step(solver, 1, &done, &error);
    const bool has_failed = first_step.disarm();
    /* Some memory a step can do without. */
    if (status && (!first_step.is_expected(status) || !has_failed || !*error.message))
        fail_msg("%s, %lu steps: %s", shoal_status_name(status), (unsigned long)done, error.message);
    assert_int_equal(error.status, status);
    /* A step is made where its sample alone has failed. */
    if (status && !done)
        assert_ok(shoal_solver_step(solver, 1, &done, &test_error));
    assert_int_equal(done, 1);
    const struct outcome outcome = finish(solver);
    assert_memory_equal(&outcome.value, &wanted->value, sizeof outcome.value);
    assert_int_equal(outcome.steps, wanted->steps);
    assert_int_equal(outcome.count, wanted->count);
    assert_memory_equal(outcome.state, wanted->state, outcome.count * sizeof *outcome.state);
    free(outcome.state);
    shoal_solver_destroy(&solver);
    return has_failed;
}

static void check(const char *what)
{
    unsigned number = first_step.first, failed = 0;
    const struct outcome wanted = unfailed();
    for (; fail_at(number, &wanted); number += first_step.every)
        failed++;
    print_message("%s %s: %u of %s failed\n", workload_name, what, failed, first_step.what);
    /* Some steps on the host need no memory. */
    assert_true(failed || !first_step.queue);
    free(wanted.state);
}

void first_step_of_swarms(void **state)
{
    (void)state;
    for (int32_t update = 0; update < 5; update++) {
        use("pso");
        params.pso.update = update;
        params.pso.particles = 6;
        params.pso.search.dim = 2;
        check("");
    }
}

void first_step_of_populations(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        use("ga");
        params.ga.population = 8;
        params.ga.search.dim = 2;
        params.ga.search.variables = k ? "x1-x2 integer 0 9" : NULL;
        params.ga.search.expression = k ? "sum(x[i]^2)" : NULL;
        params.ga.search.islands = k == 2 ? 2 : 1;
        check(k ? "genes" : "reals");
    }
}

void first_step_of_gases(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        use("gas");
        params.gas.particles = 36;
        params.gas.density = 0.4;
        params.gas.steps = STEPS;
        params.gas.thermo = 1;
        params.gas.rdf_bins = k == 1 ? 10 : 0;
        params.gas.msd = k == 1;
        params.gas.thermostat = k == 2 ? SHOAL_GAS_LANGEVIN : params.gas.thermostat;
        params.gas.minimise = k == 3 ? 2 : 0;
        check("");
    }
}

void first_step_of_tours(void **state)
{
    (void)state;
    const int32_t last = SHOAL_THESES ? (int32_t)SHOAL_TSP_THESIS : (int32_t)SHOAL_TSP_ALGORITHM_AUTO;
    for (int32_t algorithm = SHOAL_TSP_FACO; algorithm <= last; algorithm++) {
        /* The thesis joins what devices have made of its tour, without a look at it. */
        if (algorithm == SHOAL_TSP_THESIS && !first_step.computes)
            continue;
        if (algorithm == SHOAL_TSP_LK || algorithm == SHOAL_TSP_EXACT)
            continue; /* have no method for devices */
        use("tsp");
        params.tsp.generate = "uniform:30:1";
        params.tsp.algorithm = algorithm;
        params.tsp.iterations = STEPS;
        params.tsp.ants = algorithm == SHOAL_TSP_FACO || algorithm == SHOAL_TSP_THESIS ? 0 : 4;
        char name[16];
        snprintf(name, sizeof name, "%d", (int)algorithm);
        check(name);
    }
}

void first_step_of_nets(void **state)
{
    (void)state;
    for (int32_t optimiser = SHOAL_MLP_SGD; optimiser <= SHOAL_MLP_IRPROP_PLUS; optimiser++) {
        use("mlp");
        params.mlp.generate = "xor";
        params.mlp.hidden = "3";
        params.mlp.validation = params.mlp.test = 0;
        params.mlp.epochs = STEPS;
        params.mlp.nets = 2;
        params.mlp.optimiser = optimiser;
        check("");
    }
}

static void use_methods(int32_t *method, int32_t first, int32_t last)
{
    const union params own = params;
    const ptrdiff_t offset = (const char *)method - (const char *)&params;
    char name[24];
    for (int32_t k = first; k <= last; k++) {
        params = own;
        memcpy((char *)&params + offset, &k, sizeof k);
        snprintf(name, sizeof name, "method %d", (int)k);
        check(name);
    }
}

void first_step_of_methods(void **state)
{
    (void)state;
    use("pso");
    params.pso.particles = 6;
    params.pso.search.dim = 2;
    params.pso.update = SHOAL_PSO_INERTIA;
    params.pso.topology = SHOAL_PSO_GLOBAL;
    params.pso.search.trace = 1;
    use_methods(&params.pso.method, SHOAL_PSO_FUSED, SHOAL_PSO_LANES);
    use("ga");
    params.ga.population = 8;
    params.ga.replacement = SHOAL_GA_GENERATIONAL;
    params.ga.search.dim = 2;
    params.ga.search.trace = 1;
    use_methods(&params.ga.method, SHOAL_GA_FUSED, SHOAL_GA_PIPELINE);
#if SHOAL_THESES
    params.ga.population = 32;
    ga_thesis()->random = SHOAL_GA_HYBRIDTAUS;
    params.ga.selection = SHOAL_GA_OWN;
    params.ga.crossover = SHOAL_GA_ARITHMETIC;
    params.ga.mutation = SHOAL_GA_GAUSSIAN;
    params.ga.one_gene = true;
    params.ga.elites = 0;
    use_methods(&params.ga.method, SHOAL_GA_THESIS, SHOAL_GA_THESIS);
#endif
    use("gas");
    params.gas.particles = 300;
    params.gas.density = 0.4;
    params.gas.steps = STEPS;
    params.gas.thermo = 1;
    use_methods(&params.gas.method, SHOAL_GAS_ALLPAIRS, SHOAL_GAS_ALLPAIRS);
    /* Its kernels report that they have made their steps. */
    if (first_step.computes)
        use_methods(&params.gas.method, SHOAL_GAS_LIST, SHOAL_GAS_LIST);
    use("mlp");
    params.mlp.generate = "xor";
    params.mlp.hidden = "3";
    params.mlp.validation = params.mlp.test = 0;
    params.mlp.epochs = STEPS;
    params.mlp.trace = 1;
    params.mlp.batch = 0;
    params.mlp.optimiser = SHOAL_MLP_SGD;
    use_methods(&params.mlp.method, SHOAL_MLP_GEMM,
                SHOAL_THESES ? (int32_t)SHOAL_MLP_V2 : (int32_t)SHOAL_MLP_GEMM);
}
