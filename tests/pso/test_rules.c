/* Every rule of the swarm on the methods `fused` and `pipeline`, step by step against the host solver,
 * through the solver interface. A setting is written as the command line has it. Besides, for each: the same
 * steps in one call, in pieces and over a checkpoint give the same bits, and the result passes its check. */
#include "harness.h"
#include "searches.h"

#include <shoal/theses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shoal_workload *pso;

/* Settings --------------------------------------------------------------------------------------------- */

static void set_choice(const struct shoal_option *option, const char *value, int32_t *choice)
{
    for (*choice = 0; option->choices[*choice]; ++*choice)
        if (strcmp(option->choices[*choice], value) == 0)
            return;
    fail_msg("--%s has no choice %s", option->name, value);
}

static void set_option(struct shoal_pso_params *params, const char *name, const char *value)
{
    for (size_t i = 0; i < pso->option_count; i++) {
        const struct shoal_option *option = &pso->options[i];
        void *field = (char *)params + option->offset;
#if SHOAL_THESES
        if (option->offset >= sizeof *params) { /* as in a block of the workload */
            params->thesis = harness_memory(sizeof *params->thesis);
            shoal_pso_thesis_init(params->thesis);
            field = (char *)params->thesis + option->offset - sizeof *params;
        }
#endif
        if (strcmp(option->name, name) != 0)
            continue;
        if (option->type == SHOAL_OPTION_FLAG)
            *(bool *)field = true;
        else if (option->type == SHOAL_OPTION_UINT)
            *(uint64_t *)field = strtoull(value, NULL, 10);
        else if (option->type == SHOAL_OPTION_REAL)
            *(double *)field = strtod(value, NULL);
        else if (option->type == SHOAL_OPTION_TEXT)
            *(const char **)field = strcpy(harness_memory(strlen(value) + 1), value);
        else
            set_choice(option, value, field);
        return;
    }
    fail_msg("there is no option --%s", name);
}

/* "update=fips maximise" on top of a small swarm in double precision. */
static struct shoal_pso_params params_of(const char *setting)
{
    struct shoal_pso_params params;
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", setting);
    test_pso_params_init(&params);
    params.particles = harness.tiny ? 6 : 33;
    params.search.dim = harness.tiny ? 3 : 7;
    params.search.precision = SHOAL_FP64;
    params.search.iterations = 100;
    params.search.seed = 7;
    for (char *word; (word = strsep(&rest, " "));) {
        char *value = word;
        const char *name = strsep(&value, "=");
        if (*name)
            set_option(&params, name, value ? value : "");
    }
    return params;
}

/* Checks ----------------------------------------------------------------------------------------------- */

struct ending {
    struct shoal_result result;
    const double *state;
    size_t count;
};

static struct ending ending_of(struct shoal_solver *solver)
{
    struct ending ending = {.result = {0}};
    ending.state = harness_state(solver, &ending.count);
    assert_ok(shoal_solver_result(solver, &ending.result, &test_error));
    if (!ending.result.check_passed)
        fail_msg("the result failed its check: best %.17g, error %g", ending.result.value,
                 ending.result.error);
    return ending;
}

static void assert_same(const struct ending *a, struct ending b, const char *what)
{
    assert_int_equal(a->count, b.count);
    if (memcmp(a->state, b.state, b.count * sizeof *b.state) != 0 || a->result.value != b.result.value ||
        a->result.steps != b.result.steps)
        fail_msg("%s is another search", what);
}

/* On a simulator, which shows no new bits, only the steps in one call. */
static void check_pieces(const struct shoal_pso_params *params, uint64_t steps)
{
    struct shoal_solver *whole = harness_solver("pso", harness.device, params);
    harness_step(whole, steps);
    const struct ending ending = ending_of(whole);
    if (!harness.tiny) {
        struct shoal_solver *pieces = harness_solver("pso", harness.device, params);
        harness_step(pieces, 1);
        harness_step(pieces, steps / 2);
        assert_ok(shoal_solver_save(pieces, test_path("search"), &test_error));
        harness_step(pieces, steps - 1 - steps / 2);
        assert_same(&ending, ending_of(pieces), "a search in pieces");
        shoal_solver_destroy(&pieces);
        harness_step(whole, 3); /* goes another way before it loads */
        assert_ok(shoal_solver_load(whole, test_path("search"), &test_error));
        harness_step(whole, steps - 1 - steps / 2);
        assert_same(&ending, ending_of(whole), "a resumed search");
    }
    shoal_solver_destroy(&whole);
}

static void check(const char *setting, const struct shoal_objective *objective)
{
    struct shoal_pso_params params = params_of(setting);
    struct shoal_verification verification = {0};
    const uint64_t steps = harness.tiny ? 4 : 10;
    if (params.search.precision == SHOAL_FP64 && !harness_has_fp64())
        return;
    if (harness.tiny && params.particles * params.search.dim > 200)
        return;
    /* Topologies have kernels of their own. */
    char kind[64] = "";
    const char *topology = strstr(setting, "topology=");
    if (topology)
        snprintf(kind, sizeof kind, "%.*s", (int)strcspn(topology, " "), topology);
    if (!harness_takes_case_of(kind))
        return;
    params.search.objective = objective;
    test_label("%s", setting);
    assert_ok(shoal_workload_verify(pso, harness.device, &params, steps, harness.variant, &verification,
                                    &test_error));
    check_pieces(&params, steps);
    harness_release();
}

static void check_all(const char *const *settings)
{
    for (; *settings; settings++)
        check(*settings, NULL);
}

/* Tests ------------------------------------------------------------------------------------------------ */

static void updates_and_topologies(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "method=thread topology=global update=inertia",
        "method=thread topology=global update=spso2011",
        "method=thread topology=global update=fips",
        "method=thread topology=ring update=linear",
        "method=thread topology=ring neighbours=4 update=spso2011",
        "method=thread topology=ring update=fips",
        "method=thread topology=von-neumann update=constriction particles=12",
        "method=thread topology=clusters update=fips particles=13",
        "method=thread topology=pyramid update=fips particles=17",
        "method=onchip topology=clusters particles=12",
        "method=onchip topology=pyramid update=fips particles=21",
        "method=thread topology=von-neumann update=spso2011",
        "method=thread topology=von-neumann update=fips particles=7",
        "method=thread topology=random update=inertia",
        "method=thread topology=random update=spso2011 precision=fp32",
        "method=thread topology=random neighbours=5 update=fips",
        "method=fused update=linear",
        "method=fused update=constriction precision=fp32",
        NULL};
    check_all(settings);
}

static void bounds(void **state)
{
    (void)state;
    /* Fast particles, so that many leave the box. */
    static const char *const settings[] = {
        "method=thread initial-velocity=range bounds=reflect velocity-limit=0.7",
        "method=thread initial-velocity=range bounds=clamp",
        "method=thread initial-velocity=range bounds=absorb",
        "method=thread initial-velocity=range bounds=bounce update=spso2011",
        "method=thread initial-velocity=range bounds=periodic shift=1",
        "method=thread initial-velocity=range bounds=reentry",
        "method=thread initial-velocity=range bounds=invisible",
        "method=thread initial-velocity=range bounds=unbounded",
        "method=fused initial-velocity=range bounds=reflect velocity-limit=0.7 precision=fp32",
        "method=fused initial-velocity=difference bounds=clamp",
        "method=fused initial-velocity=range bounds=absorb",
        "method=fused initial-velocity=range bounds=bounce",
        "method=fused initial-velocity=range bounds=periodic shift=1",
        "method=fused initial-velocity=range bounds=reentry",
        "method=fused initial-velocity=range bounds=invisible",
        "method=fused initial-velocity=zero bounds=unbounded",
        NULL};
    check_all(settings);
}

static void random_numbers(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "method=thread random=philox16",
        "method=thread random=philox16 scalar-random",
#if SHOAL_THESES
        "method=thread random=glob",
        "method=thread random=glob restart=2 stagnation-tolerance=0.1",
        "method=thread random=reg",
        "method=thread random=reg scalar-random precision=fp32",
#endif
        "method=thread scalar-random",
        "method=fused random=philox16 precision=fp32",
        "method=fused random=philox16 scalar-random",
        "method=fused scalar-random precision=fp32",
        NULL
    };
    check_all(settings);
}

static void islands(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "method=thread swarms=3 runs=2",
        "method=thread swarms=3 runs=2 exchange=2",
        "method=thread swarms=3 runs=2 exchange=3 exchange-topology=all topology=ring",
        "method=thread swarms=3 runs=2 exchange=4 restart=2 stagnation-tolerance=0.1",
        "method=thread swarms=2 restart=2 stagnation-tolerance=0.1 topology=random update=fips batch=5",
        "method=thread runs=3 stagnation=2 stagnation-tolerance=0.3",
        "method=thread runs=4 target=60",
        "method=thread swarms=2 exchange=1 maximise topology=random",
        "method=thread batch=1 topology=random update=spso2011",
        "method=thread batch=4 topology=global",
        "method=thread batch=7 topology=ring swarms=2",
        "method=fused maximise",
        "method=fused stagnation=2 stagnation-tolerance=0.3",
        NULL};
    check_all(settings);
}

static void methods(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "method=thread-naive function=rosenbrock",
        "method=block function=ackley topology=ring",
        "method=block-major function=rosenbrock topology=random update=fips",
        "method=block-major function=griewank update=spso2011",
        "method=mod function=rosenbrock shift=2",
        "method=lanes function=griewank topology=von-neumann",
        "method=lanes function=schwefel bounds=invisible swarms=2 exchange=2",
        "method=fused function=rosenbrock",
        "method=fused function=ackley shift=3",
        "method=fused function=f2 precision=fp32",
        NULL};
    check_all(settings);
}

static void odd_sizes(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "method=thread particles=1 dim=1",
        "method=thread particles=1 dim=2 topology=random update=fips",
        "method=thread particles=2 dim=1 topology=von-neumann",
        "method=thread particles=257 dim=31 topology=ring",
        "method=thread particles=5000 dim=3 precision=fp32",
        "method=block-major particles=3 dim=301 update=spso2011 topology=ring",
        "method=fused particles=1 dim=1",
        "method=fused particles=2 dim=1 precision=fp32",
        "method=fused particles=257 dim=31",
        "method=fused particles=5001 dim=5",
        NULL};
    check_all(settings);
}

#if SHOAL_THESES
/* The ways to the best particle differ in their order of comparisons, not in the particle. */
static void argmin(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "method=thread argmin=shared particles=1001 dim=2 precision=fp32 target=1e-9 swarms=2 exchange=1",
        "method=thread argmin=shfl particles=1001 dim=2 swarms=2",
        "method=thread argmin=vol particles=1001 dim=2 precision=fp32",
        "method=thread argmin=warp-first particles=1001 dim=2 exchange=2 swarms=3 exchange-topology=all",
        "method=thread argmin=shfl",
        "method=thread argmin=vol swarms=2 exchange=2 target=60",
        "method=thread argmin=warp-first swarms=2 exchange=2",
        NULL};
    check_all(settings);
}
#endif

/* Objectives of the caller ----------------------------------------------------------------------------- */

/* Rastrigin's function, the whole of it by one work-item. */
static const char opaque_text[] = "#include \"lib/trig.clh\"\n"
                                  "#define SHAPE OPAQUE\n"
                                  "static inline real objective_value(const real *x, uint dim)\n"
                                  "{\n"
                                  "    real sum = R(0.0);\n"
                                  "    uint d;\n"
                                  "    for (d = 0; d < dim; d++)\n"
                                  "        sum += x[d] * x[d] + R(20.0) * sin_pi_squared(x[d]);\n"
                                  "    return sum;\n"
                                  "}\n";

static void opaque(void **state)
{
    (void)state;
    struct shoal_objective *objective;
    assert_ok(shoal_objective_from_text(harness.shoal, opaque_text, "opaque.clh", &objective, &test_error));
    check("method=thread lower=-5 upper=5", objective);
    check("method=thread lower=-5 upper=4 topology=ring update=spso2011 precision=fp32 shift=1", objective);
    shoal_objective_destroy(&objective);
}

enum { ROWS = 70, COLUMNS = 5 };

static void data_rows(void **state)
{
    (void)state;
    uint32_t words[ROWS * COLUMNS];
    double values[ROWS * COLUMNS];
    harness_words(words, ROWS * COLUMNS, 1);
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        values[i] = (double)words[i] / 4294967296.0 - 0.5;
    const struct shoal_rows rows = {.size = sizeof rows,
                                    .values = values,
                                    .rows = harness.tiny ? 9 : ROWS,
                                    .columns = COLUMNS,
                                    .dim = COLUMNS - 1};
    struct shoal_objective *objective;
    static const char *const settings[] = {
        "dim=4 lower=-3 upper=3 method=auto",
        "dim=4 lower=-3 upper=3 method=thread swarms=2 exchange=2",
        "dim=4 lower=-3 upper=3 method=warp2 topology=ring precision=fp32",
        "dim=4 lower=-3 upper=3 method=block2 update=spso2011",
        "dim=4 lower=-3 upper=3 method=rows shift=1",
        "dim=4 lower=-3 upper=3 method=rows batch=5 topology=random chunk-rows=16",
        NULL};
    assert_ok(shoal_objective_from_rows(harness.shoal, &rows, &objective, &test_error));
    for (const char *const *setting = settings; *setting; setting++)
        check(*setting, objective);
    shoal_objective_destroy(&objective);
}

static void test_setting_unknown_to_fused(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "topology=ring",
        "update=fips",
        "swarms=2",
        "batch=3",
        "restart=9",
#if SHOAL_THESES
        "random=glob",
        "argmin=vol",
#endif
        NULL
    };
    for (const char *const *setting = settings; *setting; setting++) {
        struct shoal_pso_params params = params_of(*setting);
        struct shoal_solver *solver;
        params.method = SHOAL_PSO_FUSED;
        assert_status(shoal_solver_create(pso, harness.device, harness.queue, &params, harness.variant,
                                          &solver, &test_error),
                      SHOAL_UNSUPPORTED);
        assert_contains(test_error.message, "--method fused does not do");
        if (params.thesis) {
            params.method = SHOAL_PSO_ONCHIP;
            assert_status(shoal_solver_create(pso, harness.device, harness.queue, &params, harness.variant,
                                              &solver, &test_error),
                          SHOAL_UNSUPPORTED);
            assert_contains(test_error.message, "--method onchip does not do the argmin kernels");
        }
        params.method = SHOAL_PSO_AUTO;
        assert_ok(shoal_solver_create(pso, harness.device, harness.queue, &params, harness.variant, &solver,
                                      &test_error));
        shoal_solver_destroy(&solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(updates_and_topologies),
        cmocka_unit_test(bounds),
        cmocka_unit_test(random_numbers),
        cmocka_unit_test(islands),
        cmocka_unit_test(methods),
        cmocka_unit_test(odd_sizes),
#if SHOAL_THESES
        by_turn(argmin),
#endif
        cmocka_unit_test(opaque),
        cmocka_unit_test(data_rows),
        cmocka_unit_test(test_setting_unknown_to_fused),
    };
    pso = shoal_workload_find("pso");
    return harness_main("rules", tests, sizeof tests / sizeof *tests);
}
