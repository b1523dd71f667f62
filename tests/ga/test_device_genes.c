/* Genes of every kind on every device against the host solver: the same bits where genes and values are whole
 * and selection goes by order, rounding where there are reals. */
#include "compare.h"
#include "searches.h"
#include "states.h"

#include "compute/backend.h"
#include "ga/methods/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS, TRAPS, WHOLES, ORDER, LONG_ORDER };
static const struct space {
    const char *name, *variables, *function;
    size_t dim;
    double tolerance;
    uint64_t messy;
} spaces[] = {
    [BITS] = {"bits", NULL, "onemax", 1019, 0}, /* 32 words, whose spans are turned on the chip */
    [TRAPS] = {"traps", NULL, "trap-5", 60, 0},
    [WHOLES] = {"wholes", "x1-x9 integer -50 50, y1-y3 choice 5", NULL, 0, 0},
    [ORDER] = {"order", "x1-x20 order", NULL, 0, 0},
    [LONG_ORDER] = {"long order", "x1-x261 order", NULL, 0, 0},
    {"whole", whole_genes, NULL, 0, 0},
    {"mixed", mixed_genes, NULL, 0, 1e-10},
    {"coded", "x1-x5 real -5 5 gray 12, y1-y2 integer 0 9 binary 6", NULL, 0, 1e-10},
    {"decoded", "x1-x5 real -5 5, y bit", "sphere", 0, 1e-10}, /* more words than genes */
    {"messy", NULL, "trap-5", 45, 0, 50},
    {"messy codes", "x1-x5 real -5 5 gray 12, y1-y2 integer 0 9 binary 6", NULL, 0, 1e-10, 33},
};
enum { SPACES = sizeof spaces / sizeof *spaces };

/* Each crossover and mutation that is of some genes of the space, in turn; those of a kind in a mixed genome
 * apart. */
static void set_operators(struct shoal_ga_params *params, size_t space, size_t k)
{
    static const int32_t lines[] = {SHOAL_GA_TWO_POINT, SHOAL_GA_ONE_POINT, SHOAL_GA_UNIFORM},
                         reals[] = {SHOAL_GA_UNIFORM, SHOAL_GA_BLX, SHOAL_GA_CROSSOVER_AUTO,
                                    SHOAL_GA_HEURISTIC, SHOAL_GA_TWO_POINT},
                         orders[] = {SHOAL_GA_OX, SHOAL_GA_PMX, SHOAL_GA_CX, SHOAL_GA_ERX},
                         moves[] = {SHOAL_GA_SWAP, SHOAL_GA_INSERTION, SHOAL_GA_REVERSAL, SHOAL_GA_SCRAMBLE};
    const int32_t line = lines[k % 3], order = orders[k % 4], move = moves[(k + k / 4) % 4];
    const char *variables = spaces[space].variables;
    params->messy = spaces[space].messy;
    if (params->messy) {
        /* A rate is refused where no genes cross. */
        const bool has_rate = params->crossover_rates || params->crossover_rate == 0.5;
        params->crossover = k % 4 || has_rate ? SHOAL_GA_CROSSOVER_AUTO : SHOAL_GA_NO_CROSSOVER;
        if (k % 4 == 1 && !params->mutation_rates)
            params->mutation = SHOAL_GA_NO_MUTATION;
        else if (!params->gene_rates)
            params->gene_rate = 0.2;
        return;
    }
    const bool has_order = variables && strstr(variables, "order"),
               has_bits = !variables || strstr(variables, "bit") || strstr(variables, "gray");
    if (variables && strncmp(variables, "x1-x", 4) == 0 && has_order) {
        params->crossover = order;
        params->mutation = move;
        if (!params->mutation_rates)
            params->mutation_rate = 0.7;
        return;
    }
    params->order_crossover = has_order ? SHOAL_GA_ORDER_OX + (int32_t)(k % 4) : 0;
    params->order_mutation = has_order ? SHOAL_GA_ORDER_SWAP + (int32_t)((k + k / 4) % 4) : 0;
    if (spaces[space].tolerance > 0 && strstr(variables, "real -5 5,")) {
        params->crossover = reals[k % 5];
        params->whole_crossover = SHOAL_GA_WHOLE_ONE_POINT + (int32_t)(k % 3);
        params->mutation = k % 3 || k % 5 == 3 ? SHOAL_GA_GAUSSIAN : SHOAL_GA_MUTATION_AUTO;
        params->bounds = k % 5 == 3 ? SHOAL_GA_PENALTY : k % 4 ? SHOAL_GA_REFLECT : SHOAL_GA_CLAMP;
    } else {
        params->crossover = line;
    }
    if (has_bits && k % 3 == 1)
        params->whole_mutation = SHOAL_GA_WHOLE_TAIL_INVERSION;
    else if (!has_bits && k % 3 == 1)
        params->mutation = SHOAL_GA_UNIFORM_IN_BOX;
    params->gene_rate = k % 3 == 1 ? NAN : 0.1;
}

/* Rules that select and replace by order, and those that need other kernels. */
enum { RULES = 13 };
static void set_rule(struct shoal_ga_params *params, size_t k)
{
    switch (k) {
    case 0:
        break;
    case 1:
        params->selection = SHOAL_GA_OWN;
        params->population = 34;
        params->elites = 0;
        break;
    case 2:
        params->replacement = SHOAL_GA_STEADY;
        params->children = 9;
        params->unique = true;
        params->crossover_rate = 0.5;
        break;
    case 3:
        params->replacement = SHOAL_GA_PLUS;
        params->children = 21;
        params->selection = SHOAL_GA_LINEAR_RANK;
        break;
    case 4:
        params->structure = SHOAL_GA_CELLULAR_8;
        params->population = 35;
        break;
    case 5:
        params->search.islands = 4;
        params->search.runs = 2;
        params->search.exchange = 2;
        params->migrants = 3;
        params->crossover_rates = "1,0.5,0.9,0.2";
        params->mutation_rates = "0.5,1,1,0.1";
        break;
    case 6:
        params->search.restart = 2;
        params->search.stagnation_tolerance = 1;
        params->elites = 3;
        params->selection = SHOAL_GA_TRUNCATION;
        break;
    case 7:
        params->replacement = SHOAL_GA_STEADY;
        params->victim = SHOAL_GA_VICTIM_PARENT;
        params->children = 15;
        break;
    case 8:
        params->search.restart = 2;
        params->search.islands = 3;
        params->population = 40;
        params->tournament = 5;
        break;
    case 9:
        params->selection = SHOAL_GA_EXPONENTIAL_RANK;
        params->elites = 0;
        params->search.restart = 3;
        break;
    case 10:
        params->population = 37;
        params->elites = 6;
        params->search.runs = 2;
        params->search.restart = 2;
        break;
    case 11:
        params->selection = SHOAL_GA_LINEAR_RANK;
        params->population = 34;
        params->elites = 4;
        params->search.islands = 2;
        params->search.exchange = 3;
        break;
    default:
        params->search.islands = 3;
        params->search.exchange = 2;
        params->search.exchange_topology = SHOAL_SEARCH_EXCHANGE_ALL;
        params->replacement = SHOAL_GA_COMMA;
        params->immigrants = SHOAL_GA_REPLACE_RANDOM;
    }
}

static bool does_rule(int32_t method, const struct shoal_ga_params *params)
{
    const bool in_a_launch =
        params->replacement == SHOAL_GA_GENERATIONAL && params->structure == SHOAL_GA_PANMICTIC;
    const bool in_memory = params->elites < 2 && params->selection <= SHOAL_GA_OWN;
    return method == SHOAL_GA_PIPELINE || (in_a_launch && (method == SHOAL_GA_ONCHIP || in_memory));
}

/* Does the method take it? Every space meets every rule once; of two with the same kind of genes, each meets
 * half of them. The pipeline takes what it alone does, and a third of the rest; of what both other methods
 * do, each takes half. */
static bool takes_rule(int32_t method, size_t space, size_t k)
{
    struct shoal_ga_params params;
    const bool by_even = space == BITS || space == ORDER, by_odd = space == TRAPS || space == LONG_ORDER;
    if (k % 2 ? by_even : by_odd)
        return false;
    test_ga_params_init(&params);
    set_rule(&params, k);
    const bool is_onchips = (k % 5 == 0) == (space % 2 == 0), by_onchip = does_rule(SHOAL_GA_ONCHIP, &params),
               by_fused = does_rule(SHOAL_GA_FUSED, &params);
    /* A function over reals needs their coordinates in memory. */
    const bool has_points = spaces[space].variables && spaces[space].function;
    const bool is_pipelines =
        has_points || spaces[space].messy || !(by_onchip || by_fused) || (space + k) % 3 == 0;
    if (is_pipelines || method == SHOAL_GA_PIPELINE)
        return is_pipelines && method == SHOAL_GA_PIPELINE;
    return does_rule(method, &params) &&
           (!(by_onchip && by_fused) || is_onchips == (method == SHOAL_GA_ONCHIP));
}

/* Of groups of one work-item, of fewer than there are children, and of more. */
static size_t set_groups(size_t k)
{
    static const int64_t groups[] = {1, 8, 64};
    const int64_t group = groups[k % (sizeof groups / sizeof *groups)];
    assert_ok(shoal_tuning_set(harness.device, "ga.genes_onchip", "WG", group, &test_error));
    assert_ok(shoal_tuning_set(harness.device, "ga.genes_fused", "WG", group, &test_error));
    return (size_t)group;
}

/* Bytes of local memory that a method asks of the device, the most for groups of its own choice and of
 * `items`. */
static size_t local_bytes(const struct shoal_ga_params *params, size_t items)
{
    struct ga_problem problem;
    struct ga_plan own = {.pool = 0}, tuned = {.pool = 0};
    assert_ok(ga_problem_create(harness.shoal, params, &problem, &test_error));
    const bool is_onchip = params->method == SHOAL_GA_ONCHIP;
    const bool is_refused = is_onchip
                                ? ga_genes_onchip_plan(&problem, harness.info, 0, &own, &test_error) ||
                                      ga_genes_onchip_plan(&problem, harness.info, items, &tuned, &test_error)
                                : ga_genes_fused_plan(&problem, harness.info, 0, &own, &test_error) ||
                                      ga_genes_fused_plan(&problem, harness.info, items, &tuned, &test_error);
    search_problem_destroy(&problem.search);
    const size_t bytes = 8 * (own.pool > tuned.pool ? own.pool : tuned.pool);
    assert_int_equal(is_refused, bytes > harness.info->local_mem);
    return bytes;
}

/* A device without so much local memory refuses the method in one line. */
static void refuse(const struct shoal_ga_params *params)
{
    struct shoal_solver *solver = NULL;
    assert_status(shoal_solver_create(shoal_workload_find("ga"), harness.device, harness.queue, params,
                                      SHOAL_VARIANT_AUTO, &solver, &test_error),
                  SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "in local memory: ");
    assert_contains(test_error.message, ": use another or auto");
}

static void compare_rules(int32_t method)
{
    if (!harness_has_fp64())
        return;
    for (size_t space = 0; space < SPACES; space++)
        for (size_t k = 0; k < RULES; k++) {
            struct shoal_ga_params params = pipeline_params();
            struct shoal_objective *formula = NULL;
            params.search.variables = spaces[space].variables;
            params.search.seed = 3 + k;
            params.population = 33;
            params.method = method;
            if (spaces[space].function) {
                params.search.function = function_named(spaces[space].function);
                params.search.dim = spaces[space].dim;
            } else {
                formula = formula_over(spaces[space].variables, spaces[space].tolerance);
                params.search.variables = NULL;
                params.search.objective = formula;
            }
            set_rule(&params, k);
            /* Programs of the pipeline are of operators alone: rules share five of them. */
            set_operators(&params, space, method == SHOAL_GA_PIPELINE ? (space + k) % 5 : space + k);
            const size_t items = set_groups(space + 2 * k);
            if (!takes_rule(method, space, k) || !harness_takes_case_of(spaces[space].name)) {
                shoal_objective_destroy(&formula);
                continue;
            }
            if (method == SHOAL_GA_PIPELINE || local_bytes(&params, items) <= harness.info->local_mem)
                compare_with_host(&params, spaces[space].name, k, spaces[space].tolerance, NULL);
            else
                refuse(&params);
            shoal_objective_destroy(&formula);
        }
}

static void test_rules(void **state)
{
    (void)state;
    compare_rules(SHOAL_GA_PIPELINE);
}

/* A generation in a launch, or many. */
static void test_launches(void **state)
{
    (void)state;
    compare_rules(SHOAL_GA_ONCHIP);
    compare_rules(SHOAL_GA_FUSED);
}

/* On a device with just too little local memory, where an NVIDIA card has 48 KiB for a group. */
static void test_room(void **state)
{
    (void)state;
    const uint64_t room = harness.info->local_mem;
    struct shoal_ga_params params = pipeline_params();
    if (!harness_has_fp64())
        return;
    struct shoal_objective *formula = formula_over("x1-x261 order", 0);
    params.search.objective = formula;
    params.population = 33;
    params.method = SHOAL_GA_ONCHIP;
    params.crossover = SHOAL_GA_CX;
    const size_t items = set_groups(2);
    harness.device->info.local_mem = 48 << 10;
    const size_t bytes = local_bytes(&params, items);
    assert_true(bytes > 48 << 10);
    refuse(&params);
    harness.device->info.local_mem = bytes - 1;
    refuse(&params);
    harness.device->info.local_mem = bytes;
    assert_int_equal(local_bytes(&params, items), bytes);
    harness.device->info.local_mem = room;
    if (bytes <= room) {
        struct shoal_solver *solver = harness_solver("ga", harness.device, &params);
        shoal_solver_destroy(&solver);
    } else {
        refuse(&params);
    }
    shoal_objective_destroy(&formula);
}

/* A text over reals alone, which is one over genes. */
static const char of_reals[] = "#define SHAPE OPAQUE\n"
                               "#define REPAIR\n"
                               "#define VARIABLES \"x1-xD real -5 5\"\n"
                               "static inline void objective_repair(GENOME_MUTABLE, uint dim)\n"
                               "{\n"
                               "    const real first = GENE(0), last = GENE(dim - 1u);\n"
                               "    if (first > last) {\n"
                               "        SET_GENE(0, last);\n"
                               "        SET_GENE(dim - 1u, first);\n"
                               "    }\n"
                               "}\n"
                               "static inline real objective_value(GENOME, uint dim)\n"
                               "{\n"
                               "    real sum = GENE(0);\n"
                               "    uint i;\n"
                               "    for (i = 1u; i < dim; i++)\n"
                               "        sum -= (GENE(i) - R(0.1) * (real)i) * (GENE(i) - R(0.1) * (real)i);\n"
                               "    return sum;\n"
                               "}\n";

/* What objectives ask of a search: the same on both. */
static void compare_objective(const char *text, const double *table, size_t columns, enum shoal_repair repair,
                              size_t first, size_t apart, int32_t method)
{
    for (size_t k = first; k < RULES; k += apart) {
        struct shoal_ga_params params;
        struct shoal_objective *objective;
        test_ga_params_init(&params);
        params.population = 33;
        set_rule(&params, k);
        if (!does_rule(method, &params) || !harness_takes_case())
            continue;
        assert_ok(table ? shoal_objective_from_text_table(harness.shoal, text, "own.clh", table, 1, columns,
                                                          &objective, &test_error)
                        : shoal_objective_from_text(harness.shoal, text, "own.clh", &objective, &test_error));
        params.search.objective = objective;
        params.search.dim = 40;
        params.search.iterations = 1000;
        params.search.seed = 9 + k;
        params.search.maximise = true;
        params.search.repair = (int32_t)repair;
        params.method = method;
        if (text == of_reals)
            params.search.precision = SHOAL_FP64;
        set_groups(k);
        if (!params.search.restart || !shoal_objective_get_info(objective)->dynamic)
            compare_with_host(&params, "own.clh", k, text == of_reals ? 1e-10 : 0, NULL);
        shoal_objective_destroy(&objective);
    }
}

static void test_repair(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define REPAIR\n"
        "#define VALUE LONG\n"
        "#define TABLE INT\n"
        "#define MIN_DIM 33\n"
        "#define VARIABLES \"x1-xD bit\"\n"
        "static inline uint my_ones(GENOME)\n"
        "{\n"
        "    return popcount(WORD(0)) + popcount(WORD(1));\n"
        "}\n"
        "static inline void objective_repair(GENOME_MUTABLE, __global const int *table, "
        "uint dim)\n"
        "{\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim && my_ones(genome) > 12u; i++)\n"
        "        SET_BIT(i * 7u % dim, 0u);\n"
        "}\n"
        "static inline long objective_value(GENOME, __global const int *table, uint dim)\n"
        "{\n"
        "    long sum = 0;\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim; i++)\n"
        "        sum += BIT(i) ? (long)ELEMENT(table, 0, i % COLUMNS) : 0;\n"
        "    return my_ones(genome) > 12u ? -sum : sum;\n"
        "}\n";
    static const char of_all_kinds[] =
        "#define SHAPE OPAQUE\n"
        "#define REPAIR\n"
        "#define VALUE LONG\n"
        "#define VARIABLES \"x1-x3 integer -9 9, y1-y20 bit, z1-z17 order\"\n"
        "static inline void objective_repair(GENOME_MUTABLE, uint dim)\n"
        "{\n"
        "    (void)dim;\n"
        "    if (WHOLE(1) < 0)\n"
        "        SET_WHOLE(1, -WHOLE(1));\n"
        "    if (popcount(WORD(0)) > 9u)\n"
        "        SET_BIT(19, 0u);\n"
        "    if (PLACE(0) > PLACE(16))\n"
        "        SWAP_PLACES(0, 16);\n"
        "}\n"
        "static inline long objective_value(GENOME, uint dim)\n"
        "{\n"
        "    long sum = (long)WHOLE(0) * WHOLE(1) + WHOLE(2) + (long)popcount(WORD(0));\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim - 23u; i++)\n"
        "        sum += (long)((PLACE(i) + 5u * i) % 17u) * (long)(i + 1u);\n"
        "    return sum;\n"
        "}\n";
    static const double table[] = {5, 3, 8, 1, 9, 2, 7};
    static const int32_t methods[] = {SHOAL_GA_PIPELINE, SHOAL_GA_ONCHIP, SHOAL_GA_FUSED};
    const struct {
        const char *text;
        size_t columns;
        enum shoal_repair repair;
        size_t first, first_in_launch; /* rule */
    } cases[] = {
        {text, 7, SHOAL_REPAIR_WRITTEN_BACK, 1, 1},         {text, 7, SHOAL_REPAIR_VALUE_ONLY, 2, 3},
        {of_all_kinds, 0, SHOAL_REPAIR_WRITTEN_BACK, 0, 0}, {of_all_kinds, 0, SHOAL_REPAIR_VALUE_ONLY, 1, 3},
        {of_reals, 0, SHOAL_REPAIR_WRITTEN_BACK, 0, 0},     {of_reals, 0, SHOAL_REPAIR_VALUE_ONLY, 1, 1}};
    for (size_t m = 0; m < sizeof methods / sizeof *methods && harness_has_fp64(); m++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            const bool is_launch = methods[m] != SHOAL_GA_PIPELINE;
            compare_objective(cases[c].text, cases[c].columns ? table : NULL, cases[c].columns,
                              cases[c].repair, is_launch ? cases[c].first_in_launch : cases[c].first,
                              is_launch ? 5 : 3, methods[m]);
        }
}

static void test_dynamic(void **state)
{
    (void)state;
    static const char text[] =
        "#define SHAPE OPAQUE\n"
        "#define DYNAMIC\n"
        "#define VALUE LONG\n"
        "#define VARIABLES \"x1-xD bit\"\n"
        "static inline long objective_value(GENOME, uint dim)\n"
        "{\n"
        "    long sum = 0;\n"
        "    uint i;\n"
        "    for (i = 0u; i < dim; i++)\n"
        "        sum += (long)(BIT(i) == ((GENERATION / 3u + i) & 1u)) * (long)(i + 1u);\n"
        "    return sum;\n"
        "}\n";
    if (harness_has_fp64())
        compare_objective(text, NULL, 0, SHOAL_REPAIR_NONE, 0, 3, SHOAL_GA_PIPELINE);
}

/* Members of a run that has ended stay, those of islands that would have been drawn anew among them; other
 * runs go on. Evaluations without a finite value are counted once where islands draw. */
static void test_ends(void **state)
{
    (void)state;
    static const int32_t methods[] = {SHOAL_GA_FUSED, SHOAL_GA_ONCHIP, SHOAL_GA_PIPELINE};
    struct shoal_objective *formula;
    if (!harness_has_fp64())
        return;
    assert_ok(shoal_objective_from_expression_variables("sum(x[i] + 0*sqrt(x[i]))", "x1-x8 integer -1 30",
                                                        &formula, &test_error));
    for (int is_real = 0; is_real < 2; is_real++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            struct shoal_ga_params params = pipeline_params();
            if (is_real) {
                params.search.function = function_named("rastrigin");
                params.search.dim = 4;
            } else {
                params.search.objective = formula;
            }
            params.search.seed = 5;
            params.search.runs = 6;
            params.search.islands = 3;
            params.search.restart = 3;
            params.search.stagnation_tolerance = 0.5;
            params.search.target = is_real ? 8 : 20;
            params.population = 24;
            params.method = methods[m];
            assert_in_range(compare_to_end(&params, is_real ? "reals" : "wholes", is_real ? 1e-10 : 0), 4,
                            900);
        }
    shoal_objective_destroy(&formula);
}

/* Almost all children are better than the best, which has no finite value: on a CUDA device these are more
 * than the 4096 for which a list of offers has room. No first member has r at a bound, where alone the value
 * is finite; almost all children have. */
static void test_many_offers(void **state)
{
    (void)state;
    struct shoal_ga_params params = pipeline_params();
    struct shoal_objective *formula;
    struct shoal_result result = {0};
    size_t count, host_count;
    if (!harness_has_fp64() || !harness_takes_case())
        return;
    assert_ok(shoal_objective_from_expression_variables(
        "sum(i*x[i]) + sqrt(r^2 - 1)", "r real -1 1, n1-n4 integer -50 50", &formula, &test_error));
    params.search.objective = formula;
    params.population = 5000;
    params.crossover = SHOAL_GA_UNIFORM;
    params.mutation = SHOAL_GA_GAUSSIAN;
    params.sigma = 1000;
    params.gene_rate = params.mutation_rate = 1;
    params.method = SHOAL_GA_FUSED;
    struct shoal_solver *device = harness_solver("ga", harness.device, &params);
    struct shoal_solver *host = harness_solver("ga", test_host_device(harness.shoal), &params);
    /* of several steps together, each but the last ends in the launch of the next one */
    assert_int_equal(harness_step(device, 4), 4);
    assert_int_equal(harness_step(host, 4), 4);
    const double *own = harness_state(device, &count), *wanted = harness_state(host, &host_count);
    assert_int_equal(count, host_count);
    for (size_t i = 0; i < count; i++)
        assert_true(fabs(own[i] - wanted[i]) <= 1e-10 * fmax(1, fabs(wanted[i])) || own[i] == wanted[i]);
    compare_results(device, host, 0);
    assert_ok(shoal_solver_result(device, &result, &test_error));
    assert_in_range(shoal_result_find(&result, "not_finite")->uint, 5000, 5000 + 900);
    shoal_solver_destroy(&device);
    shoal_solver_destroy(&host);
    shoal_objective_destroy(&formula);
}

/* Single precision: genes stay in their ranges, orders whole, and the value is that of the objective. */
static void test_single(void **state)
{
    (void)state;
    struct shoal_ga_params params;
    struct shoal_result result = {0};
    test_ga_params_init(&params);
    params.search.function = function_named("sphere");
    params.search.variables = mixed_genes;
    params.search.iterations = 40;
    params.population = 64;
    struct shoal_solver *solver = harness_solver("ga", harness.device, &params);
    assert_int_equal(harness_step(solver, 40), 40);
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {by_turn(test_rules),
                                       cmocka_unit_test(test_launches),
                                       cmocka_unit_test(test_room),
                                       cmocka_unit_test(test_repair),
                                       cmocka_unit_test(test_dynamic),
                                       cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_many_offers),
                                       cmocka_unit_test(test_single)};
    return harness_main("ga-device-genes", tests, sizeof tests / sizeof *tests);
}
