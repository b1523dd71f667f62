#include "first_step.h"

#include "test.h"

#include <shoal/replicas.h>
#include <shoal/theses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, REPLICAS = 3 };

union params {
    struct shoal_pso_params pso;
    struct shoal_ga_params ga;
    struct shoal_gas_params gas;
    struct shoal_tsp_params tsp;
    struct shoal_mlp_params mlp;
    struct shoal_search_params search; /* with which the parameters of each algorithm of search begin */
    uint64_t block[512];               /* with what lies behind these structs */
};

struct first_step first_step;
static const char *workload_name;
static union params params;
static bool ends_at_once; /* the run ends in its begin, without a step */
static bool has_replicas; /* a run is of shoal_gas_replicas */

/* A run in progress: one of the two is NULL. */
struct run {
    struct shoal_solver *solver;
    struct shoal_gas_replicas *replicas;
};

struct outcome {
    double value, *state;
    size_t count, means; /* of the numbers in `state`, the last `means` are means of samples */
    uint64_t steps, samples;
};

static void use(const char *name)
{
    const struct shoal_workload *workload = shoal_workload_find(name);
    workload_name = name;
    ends_at_once = has_replicas = false;
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

static struct run create(void)
{
    struct run run = {0};
    if (has_replicas) {
        const struct shoal_gas_replicas_params own =
            SHOAL_GAS_REPLICAS_PARAMS(.gas = &params.gas, .count = REPLICAS, .variant = first_step.variant);
        assert_ok(
            shoal_gas_replicas_create(first_step.device, first_step.queue, &own, &run.replicas, &test_error));
        return run;
    }
    assert_ok(shoal_solver_create(shoal_workload_find(workload_name), first_step.device, first_step.queue,
                                  &params, first_step.variant, &run.solver, &test_error));
    shoal_solver_on_sample(run.solver, take_sample, NULL);
    return run;
}

static void destroy(struct run *run)
{
    shoal_gas_replicas_destroy(&run->replicas);
    shoal_solver_destroy(&run->solver);
}

static enum shoal_status step(const struct run *run, uint64_t steps, uint64_t *done,
                              struct shoal_error *error)
{
    return run->replicas ? shoal_gas_replicas_step(run->replicas, steps, done, error)
                         : shoal_solver_step(run->solver, steps, done, error);
}

/* Appends the numbers to the state of the outcome. */
static void append(struct outcome *outcome, const double *numbers, size_t count)
{
    outcome->state = realloc(outcome->state, (outcome->count + count + 1) * sizeof *outcome->state);
    assert_non_null(outcome->state);
    if (count)
        memcpy(outcome->state + outcome->count, numbers, count * sizeof *numbers);
    outcome->count += count;
}

/* The state of all replicas, with their means and g(r). */
static struct outcome outcome_of_replicas(struct shoal_gas_replicas *replicas)
{
    const size_t numbers = (size_t)(params.gas.particles * (uint64_t)params.gas.dim);
    double *vectors = malloc(2 * numbers * sizeof *vectors);
    struct outcome outcome = {0};
    assert_non_null(vectors);
    for (size_t i = 0; i < REPLICAS; i++) {
        assert_ok(shoal_gas_replicas_state(replicas, i, vectors, vectors + numbers, &test_error));
        append(&outcome, vectors, 2 * numbers);
    }
    free(vectors);
    outcome.means = outcome.count;
    for (size_t i = 0; i < REPLICAS; i++) {
        struct shoal_gas_replica row = {.size = sizeof row};
        struct shoal_gas_table table = {.size = sizeof table};
        assert_ok(shoal_gas_replicas_get(replicas, i, &row, &test_error));
        assert_null(row.failure);
        assert_int_equal(row.steps, STEPS);
        append(&outcome, (const double[]){row.mean_temperature, row.potential}, 2);
        assert_ok(shoal_gas_replicas_get_rdf(replicas, i, &table, &test_error));
        for (size_t column = 0; column < table.columns; column++)
            append(&outcome, table.column[column], table.rows);
        outcome.steps += row.steps;
        outcome.samples += row.samples;
    }
    outcome.means = outcome.count - outcome.means;
    return outcome;
}

static struct outcome outcome_of_solver(struct shoal_solver *solver)
{
    struct shoal_result result = {0};
    struct outcome outcome = {0};
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

/* Makes the rest of the steps. */
static struct outcome finish(const struct run *run)
{
    uint64_t done;
    assert_ok(step(run, STEPS - 1, &done, &test_error));
    assert_int_equal(done, ends_at_once ? 0 : STEPS - 1);
    return run->replicas ? outcome_of_replicas(run->replicas) : outcome_of_solver(run->solver);
}

static struct outcome unfailed(void)
{
    struct run run = create();
    uint64_t done;
    assert_ok(step(&run, 1, &done, &test_error));
    const struct outcome outcome = finish(&run);
    destroy(&run);
    return outcome;
}

/* False: the step has fewer allocations. */
static bool fail_at(unsigned number, const struct outcome *wanted)
{
    struct run run = create();
    struct shoal_error error = {0};
    uint64_t done = 9;
    test_label("%s, %s %u", workload_name, first_step.what, number);
    first_step.arm(number);
    const enum shoal_status status = step(&run, 1, &done, &error);
    const bool has_failed = first_step.disarm();
    /* Some memory a step can do without. */
    if (status && (!first_step.is_expected(status) || !has_failed || !*error.message))
        fail_msg("%s, %lu steps: %s", shoal_status_name(status), (unsigned long)done, error.message);
    assert_int_equal(error.status, status);
    /* A step is made where its sample alone has failed. */
    if (status && !done)
        assert_ok(step(&run, 1, &done, &test_error));
    assert_int_equal(done, !ends_at_once);
    const struct outcome outcome = finish(&run);
    assert_memory_equal(&outcome.value, &wanted->value, sizeof outcome.value);
    assert_int_equal(outcome.steps, wanted->steps);
    assert_int_equal(outcome.count, wanted->count);
    /* the sample of a step of the host is lost if the sample fails alone */
    const bool has_samples = outcome.samples == wanted->samples;
    assert_true(has_samples || (!first_step.queue && outcome.samples + 1 == wanted->samples));
    assert_memory_equal(outcome.state, wanted->state,
                        (outcome.count - (has_samples ? 0 : outcome.means)) * sizeof *outcome.state);
    free(outcome.state);
    destroy(&run);
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

/* All algorithms of search that have no function of their own here. */
void first_step_of_algorithms(void **state)
{
    static const char *const others[] = {"pso", "ga", "gas", "tsp", "mlp"};
    const struct shoal_workload *workload;
    unsigned count = 0;
    (void)state;
    for (size_t i = 0; (workload = shoal_workload_at(i)); i++) {
        bool is_other = false;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            is_other = is_other || strcmp(workload->name, others[k]) == 0;
        if (is_other)
            continue;
        use(workload->name);
        params.search.dim = 3;
        params.search.trace = 1;
        check("");
        count++;
    }
    assert_true(count >= 6);
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

static void use_plasma(uint64_t particles, int32_t method)
{
    use("gas");
    params.gas.particles = particles;
    params.gas.potential = SHOAL_GAS_LOG;
    params.gas.boundary_x = params.gas.boundary_y = SHOAL_GAS_WALLS;
    params.gas.method = method;
    params.gas.steps = STEPS;
    params.gas.thermo = 1;
}

void first_step_of_cells(void **state)
{
    (void)state;
    use_plasma(60, SHOAL_GAS_CELLS);
    params.gas.attraction = 0.001;
    check("cells");
}

void first_step_of_multipoles(void **state)
{
    (void)state;
    use_plasma(300, SHOAL_GAS_FMM);
    check("fmm");
}

void first_step_of_replicas(void **state)
{
    (void)state;
    use("gas");
    has_replicas = true;
    params.gas.particles = 64;
    params.gas.density = 0.4;
    params.gas.cutoff = 2;
    params.gas.steps = 2 * STEPS;
    params.gas.thermo = 1;
    params.gas.rdf_bins = 10;
    check("replicas");
}

void first_step_of_tours(void **state)
{
    (void)state;
    const int32_t last = SHOAL_THESES ? (int32_t)SHOAL_TSP_THESIS : (int32_t)SHOAL_TSP_ALGORITHM_AUTO;
    for (int32_t algorithm = SHOAL_TSP_FACO; algorithm <= last; algorithm++) {
        /* The thesis joins what devices have made of its tour, without a look at it. */
        if (algorithm == SHOAL_TSP_THESIS && !first_step.computes)
            continue;
        const bool is_exact = algorithm == SHOAL_TSP_EXACT;
        if (first_step.queue && (algorithm == SHOAL_TSP_LK || is_exact))
            continue; /* have no method for devices */
        use("tsp");
        params.tsp.generate = is_exact ? "uniform:8:1" : "uniform:30:1";
        params.tsp.algorithm = algorithm;
        params.tsp.iterations = STEPS;
        params.tsp.ants = algorithm == SHOAL_TSP_FACO || algorithm == SHOAL_TSP_LK || is_exact ||
                                  algorithm == SHOAL_TSP_THESIS
                              ? 0
                              : 4;
        ends_at_once = is_exact;
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
