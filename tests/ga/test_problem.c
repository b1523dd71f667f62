/* From parameters to a genetic algorithm: sizes, tables, and every combination that is refused. */
#include "populations.h"
#include "searches.h"

#include "ga/methods/plan.h"

#include <math.h>
#include <shoal/theses.h>

static struct shoal_ga_params params;

static int set_defaults(void **state)
{
    test_ga_params_init(&params);
    return set_up(state);
}

/* Refused with one line that holds `part`; the parameters are the defaults again afterwards. */
static void refuse(const char *part)
{
    assert_status(refusal(&params, part), SHOAL_INVALID);
    test_ga_params_init(&params);
}

static void test_children(void **state)
{
    (void)state;
    struct ga_problem problem;
    params.elites = 3;
    assert_int_equal(ga_children(&params), 125);
    params.replacement = SHOAL_GA_STEADY;
    assert_int_equal(ga_children(&params), 2);
    params.replacement = SHOAL_GA_PLUS;
    assert_int_equal(ga_children(&params), 128);
    params.replacement = SHOAL_GA_COMMA;
    assert_int_equal(ga_children(&params), 896);
    params.children = 300;
    assert_int_equal(ga_children(&params), 300);
    /* 128 in step 0, 300 in each generation. */
    params.search.evaluations = 1000;
    assert_int_equal(shoal_workload_total_steps(shoal_workload_find("ga"), &params), 3);
    params.search.evaluations = 1028;
    assert_int_equal(shoal_workload_total_steps(shoal_workload_find("ga"), &params), 3);
    params.search.evaluations = 1029;
    assert_int_equal(shoal_workload_total_steps(shoal_workload_find("ga"), &params), 4);
    params.search.evaluations = 128;
    assert_int_equal(shoal_workload_total_steps(shoal_workload_find("ga"), &params), 0);
    assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
    assert_int_equal(problem.search.width, 300);
    assert_int_equal(problem.pairs, 150);
    assert_int_equal(problem.rows * problem.columns, 128);
    assert_int_equal(problem.rows, 8);
    assert_true(search_evaluations(&problem.search, 3, 0) == 1028);
    assert_true(search_evaluations(&problem.search, 3, 1) == 1028 - 172);
    search_problem_destroy(&problem.search);
}

static void test_tables(void **state)
{
    (void)state;
    struct ga_problem problem;
    params.search.dim = 3;
    params.crossover_rate = 0.5;
    params.mutation_rate = 0.5;
    params.gene_rate = 0.25;
    assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
    const uint32_t half = THRESHOLD_ONE / 2, wanted[] = {half / 4, half / 16 * 7, half / 64 * 37,
                                                         half / 2, half / 8 * 7,  half / 32 * 37};
    assert_int_equal(problem.rates[RATE_CROSS], half);
    assert_int_equal(problem.rates[RATE_MUTATE], half);
    for (size_t i = 0; i < 3; i++) { /* powers of 3/4 are rounded */
        assert_true(problem.rates[RATE_TABLES + i] - wanted[i] + 1 <= 2);
        assert_true(problem.rates[RATE_NEXT(3) + i] - wanted[3 + i] + 1 <= 2);
    }
    assert_null(problem.ranks);
    search_problem_destroy(&problem.search);
    params.one_gene = true;
    params.gene_rate = NAN;
    params.mutation_rate = 1;
    params.selection = SHOAL_GA_LINEAR_RANK;
    params.population = 4;
    params.elites = 0;
    assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
    assert_int_equal(problem.rates[RATE_TABLES], THRESHOLD_ONE / 3);
    assert_int_equal(problem.rates[RATE_TABLES + 2], THRESHOLD_ONE);
    assert_int_equal(problem.rates[RATE_NEXT(3)], 0);
    /* 2, 4/3, 2/3 and 0 copies. */
    assert_int_equal(problem.ranks[0], THRESHOLD_ONE / 2);
    assert_int_equal(problem.ranks[1], (uint32_t)(THRESHOLD_ONE / 6. * 5));
    assert_int_equal(problem.ranks[3], THRESHOLD_ONE);
    search_problem_destroy(&problem.search);
}

static void test_rates(void **state)
{
    (void)state;
    params.crossover_rate = 1.5;
    refuse("crossover-rate is 1.5, allowed are 0 to 1");
    params.gene_rate = -0.1;
    refuse("gene-rate is -0.1");
    params.search.islands = 3;
    params.crossover_rates = "0.5,0.6";
    refuse("--crossover-rates has 2 numbers for 3 islands: give one for each");
    params.search.islands = 2;
    params.mutation_rates = "0.5,1.6";
    refuse("--mutation-rates: 1.6 is no probability");
    params.search.islands = 2;
    params.gene_rates = "0.5,nan";
    refuse("--gene-rates: nan is no probability");
    params.search.islands = 2;
    params.gene_rates = "0.5;0.6";
    refuse("--gene-rates: \"0.5;0.6\" is no number: write 0.6,0.7,0.8");
    params.gene_rates = "0.5,0.6";
    refuse("--gene-rates needs --islands above 1");
    params.gene_rate = 0.5;
    params.one_gene = true;
    refuse("one-gene");
}

static void test_sizes(void **state)
{
    (void)state;
    params.elites = 128;
    refuse("128 elites leave no place for children: --elites must be below --population, 128");
    params.selection = SHOAL_GA_OWN;
    refuse("own mates slots in pairs, but a generation has 127 children, an odd number: change --elites, "
           "--children or --population");
    params.population = 1;
    refuse("population is 1, allowed are 2 to");
    params.replacement = SHOAL_GA_STEADY;
    params.elites = 2;
    refuse("--elites 2 has no effect where children take places of members that are no better");
    params.replacement = SHOAL_GA_STEADY;
    params.victim = SHOAL_GA_VICTIM_PARENT;
    params.elites = 2;
    refuse("--elites 2 has no effect");
    params.replacement = SHOAL_GA_STEADY;
    params.children = 129;
    refuse("steady replaces 128 members at most, not --children 129");
    params.replacement = SHOAL_GA_COMMA;
    params.children = 100;
    refuse("raise --children from 100");
    params.children = 100;
    refuse("--children needs --replacement steady, plus or comma");
    params.population = 1 << 20;
    params.replacement = SHOAL_GA_COMMA;
    params.search.runs = 100;
    refuse("lower --runs, --islands or --population");
    params.tournament = 1025;
    refuse("tournament is 1025");
}

static void test_structures(void **state)
{
    (void)state;
    params.structure = SHOAL_GA_CELLULAR_4;
    params.selection = SHOAL_GA_ROULETTE;
    refuse("a cellular structure selects among neighbours: give --selection tournament or best");
    params.structure = SHOAL_GA_CELLULAR_8;
    params.population = 7;
    refuse("--population 7 has no rows and columns for a cellular structure: take a number with two factors, "
           "such as 8");
    params.structure = SHOAL_GA_CELLULAR_8;
    params.replacement = SHOAL_GA_PLUS;
    refuse("--structure cellular-8 needs --replacement generational, steady or auto");
    params.structure = SHOAL_GA_CELLULAR_8;
    params.replacement = SHOAL_GA_STEADY;
    refuse("in a cellular structure a child competes with its own cell: give --victim parent");
    params.selection = SHOAL_GA_BEST;
    refuse("--selection best needs --structure cellular-4 or cellular-8");
    params.bounds = SHOAL_GA_PENALTY;
    refuse("sbx-bounded needs parents inside the box");
    params.bounds = SHOAL_GA_UNBOUNDED;
    params.crossover = SHOAL_GA_SBX;
    refuse("polynomial needs genes inside the box");
}

static void test_exchange(void **state)
{
    (void)state;
    params.search.exchange = 5;
    refuse("--exchange needs --islands above 1");
    params.migrants = 2;
    refuse("--migrants needs --exchange");
    params.search.islands = 6;
    params.search.exchange = 5;
    params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_HYPERCUBE;
    refuse("6 islands are no corners of a hypercube: take a power of two, such as 8");
    params.search.islands = 7;
    params.search.exchange = 5;
    params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_TORUS;
    refuse(
        "7 islands have no rows and columns for --exchange-topology torus: take a number with two factors, "
        "such as 8");
    params.search.islands = 2;
    params.search.exchange = 5;
    params.migrants = 65;
    refuse("--migrants 65 from 1 island replace too many of --population 128: lower --migrants to 64");
    params.search.islands = 8;
    params.search.exchange = 5;
    params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_HYPERCUBE;
    params.immigrants = SHOAL_GA_REPLACE_RANDOM;
    params.migrants = 43;
    refuse("--migrants 43 from 3 islands replace too many of --population 128: lower --migrants to 42");
    static const struct {
        const char *edges, *message;
    } edges[] = {{NULL, "--exchange-topology edges needs --exchange-edges, such as 0-1,1-2,2-0"},
                 {"0-1,1", "--exchange-edges at \"1\": write FROM-TO, separated by commas"},
                 {"0>1", "--exchange-edges at \"0>1\""},
                 {"0-1,1-3", "--exchange-edges: there is no island 3, they are 0 to 2"},
                 {"99999999999999999999-1", "there is no island 999999999999"},
                 {"0-1,2-2", "--exchange-edges: island 2 sends to itself"}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        params.search.islands = 3;
        params.search.exchange = 5;
        params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_EDGES;
        params.search.exchange_edges = edges[i].edges;
        refuse(edges[i].message);
    }
}

static void test_messy(void **state)
{
    (void)state;
    params.search.variables = "x1-x4 real -5 5, x5-x9 bit";
    params.search.function = function_named("sphere");
    params.messy = 5;
    refuse("--messy is for bits alone, but the variables are reals and bits");
    params.search.function = function_named("onemax");
    params.messy = 5;
    params.crossover = SHOAL_GA_UNIFORM;
    refuse("--messy crosses by cut and splice: leave out --crossover, or give none");
    params.search.function = function_named("onemax");
    params.messy = 5;
    params.local_search = 1;
    refuse("--messy does not go with --local-search");
    params.search.function = function_named("onemax");
    params.messy = 5;
    params.whole_mutation = SHOAL_GA_WHOLE_FLIP;
    refuse("--messy mutates place or bit of a pair: leave out --whole-mutation, or give none");
}

/* Operators of parts that a genome has, and of others. */
static void test_operators(void **state)
{
    (void)state;
    static const struct {
        const char *variables;
        int32_t crossover, whole_crossover, order_crossover, mutation, whole_mutation, order_mutation;
        const char *message;
    } bad[] = {
        {NULL, SHOAL_GA_OX, 0, 0, 0, 0, 0,
         "ox is a crossover of orders, but the variables are reals: take sbx-bounded, sbx, blx, arithmetic, "
         "average, heuristic, one-point, two-point, uniform, none"},
        {"x1-x9 bit", SHOAL_GA_SBX, 0, 0, 0, 0, 0,
         "sbx is a crossover of reals, but the variables are bits: take one-point, two-point, uniform, none"},
        {"x1-x9 order", SHOAL_GA_UNIFORM, 0, 0, 0, 0, 0,
         "uniform is a crossover of reals, integers, choices and bits, but the variables are orders: "
         "take none, ox, pmx, cx, erx"},
        {"x1-x9 bit", 0, 0, 0, SHOAL_GA_SWAP, 0, 0,
         "swap is a mutation of orders, but the variables are bits: take flip, tail-inversion, none"},
        {"x1-x9 choice 3", 0, 0, 0, SHOAL_GA_STEP, 0, 0,
         "step is a mutation of integers, but the variables are choices: take uniform, none"},
        {"x1-x9 real -5 5 gray 8", 0, 0, 0, SHOAL_GA_GAUSSIAN, 0, 0, "but the variables are bits"},
        {"x1-x9 real -5 5", 0, SHOAL_GA_WHOLE_UNIFORM, 0, 0, 0, 0,
         "--whole-crossover is of integers, choices and bits, of which there are none: leave it out"},
        {"x1-x8 bit, x9 real -5 5", 0, 0, SHOAL_GA_ORDER_OX, 0, 0, 0,
         "--order-crossover is of orders, of which there are none: leave it out"},
        {"x1-x8 bit, x9 real -5 5", 0, 0, 0, 0, SHOAL_GA_WHOLE_STEP, 0,
         "step is a mutation of integers, but the variables are bits: take"},
        {"x1-x8 bit, x9 real -5 5", 0, 0, 0, 0, 0, SHOAL_GA_ORDER_SWAP, "--order-mutation is of orders"},
        {"x1-x8 choice 1, x9 bit", 0, 0, 0, 0, 0, 0,
         "the number of choices is a whole number from 2 to 2147483647, not"},
        {"x1-x70000 order", 0, 0, 0, 0, 0, 0, "70000"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        params.search.variables = bad[i].variables;
        params.search.function = function_named("sphere");
        params.crossover = bad[i].crossover;
        params.whole_crossover = bad[i].whole_crossover;
        params.order_crossover = bad[i].order_crossover;
        params.mutation = bad[i].mutation;
        params.whole_mutation = bad[i].whole_mutation;
        params.order_mutation = bad[i].order_mutation;
        refuse(bad[i].message);
    }
    params.search.variables = "x1-x4 real -5 5, x5-x6 integer 0 9, x7 choice 3, x8-x20 bit, y1-y9 order";
    params.search.function = function_named("sphere");
    params.crossover = SHOAL_GA_UNIFORM;
    params.mutation = SHOAL_GA_TAIL_INVERSION;
    params.whole_crossover = SHOAL_GA_WHOLE_ONE_POINT;
    params.order_mutation = SHOAL_GA_NO_ORDER_MUTATION;
    struct ga_problem problem;
    assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
    const struct ga_operators *of = &problem.operators;
    assert_true(of->cross_reals == SHOAL_GA_UNIFORM && of->cross_wholes == SHOAL_GA_ONE_POINT &&
                of->cross_order == SHOAL_GA_OX);
    assert_true(of->mutate_reals == SHOAL_GA_POLYNOMIAL && of->mutate_integers == SHOAL_GA_STEP &&
                of->mutate_choices == SHOAL_GA_UNIFORM_IN_BOX && of->mutate_bits == SHOAL_GA_TAIL_INVERSION &&
                of->mutate_order == SHOAL_GA_NO_MUTATION);
    /* Of the tail inversion one place in the line of 20 genes. */
    assert_true(problem.line == 20 && problem.one_gene);
    assert_int_equal(problem.rates[RATE_TABLES + 9], THRESHOLD_ONE / 2);
    const uint32_t wholes[] = {0, 9, SHOAL_GA_STEP, 0, 9, SHOAL_GA_STEP, 0, 2, SHOAL_GA_UNIFORM_IN_BOX};
    assert_memory_equal(problem.wholes, wholes, sizeof wholes);
    search_problem_destroy(&problem.search);
}

static void set_variables(const char *variables)
{
    params.search.variables = variables;
    params.search.function = function_named("sphere");
}

/* What 48 KiB of local memory hold of islands of 128: places of orders of up to 256 are bytes there. */
static void test_islands_on_gpus(void **state)
{
    (void)state;
    static const struct shoal_device_info info = {
        .id = "gpu", .name = "of 48 KiB", .local_mem = 49152, .max_work_group = 1024, .simd_width = 32};
    static const struct {
        const char *variables;
        int32_t crossover;
        bool fits;
    } islands[] = {{"x1-x100 order", SHOAL_GA_OX, true},     {"x1-x100 order", SHOAL_GA_PMX, true},
                   {"x1-x100 order", SHOAL_GA_CX, true},     {"x1-x100 order", SHOAL_GA_ERX, false},
                   {"x1-x160 order", SHOAL_GA_OX, true},     {"x1-x257 order", SHOAL_GA_OX, false},
                   {"x1-x1024 bit", SHOAL_GA_UNIFORM, true}, {"x1-x1536 bit", SHOAL_GA_UNIFORM, false}};
    for (size_t i = 0; i < sizeof islands / sizeof *islands; i++) {
        struct ga_problem problem;
        struct ga_plan plan;
        set_variables(islands[i].variables);
        params.crossover = islands[i].crossover;
        assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
        const enum shoal_status status = ga_genes_onchip_plan(&problem, &info, 0, &plan, &test_error);
        assert_int_equal(status, islands[i].fits ? SHOAL_OK : SHOAL_UNSUPPORTED);
        assert_int_equal(plan.pool * 8 <= info.local_mem, islands[i].fits);
        assert_int_equal(plan.work_group, 128);
        search_problem_destroy(&problem.search);
    }
    test_ga_params_init(&params);
}

static void accept(void)
{
    struct ga_problem problem;
    assert_ok(shoal_workload_validate(NULL, shoal_workload_find("ga"), &params, &test_error));
    assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
    search_problem_destroy(&problem.search);
    test_ga_params_init(&params);
}

/* Options have an effect if one of the operators that result takes them, whatever part it is of. */
static void test_options_of_operators(void **state)
{
    (void)state;
    static const char *const mixed = "x1-x4 real -5 5, x5-x9 bit", *const ordered =
                                                                       "x1-x4 real -5 5, y1-y5 order";
    set_variables(mixed);
    params.mutation = SHOAL_GA_NO_MUTATION;
    params.whole_mutation = SHOAL_GA_WHOLE_FLIP;
    params.gene_rate = 0.3;
    params.mutation_rate = 0.5;
    accept();
    set_variables(mixed);
    params.crossover = SHOAL_GA_NO_CROSSOVER;
    params.whole_crossover = SHOAL_GA_WHOLE_UNIFORM;
    params.crossover_rate = 0.5;
    accept();
    set_variables(ordered);
    params.crossover = SHOAL_GA_OX;
    params.crossover_eta = 5;
    params.mutation = SHOAL_GA_SWAP;
    params.mutation_eta = 5;
    accept();
    params.crossover = SHOAL_GA_NO_CROSSOVER;
    params.crossover_rate = 0.5;
    refuse("--crossover-rate is for genes that cross, of which there are none: leave it out");
    params.mutation = SHOAL_GA_NO_MUTATION;
    params.mutation_rate = 0.5;
    refuse("--mutation-rate is for genes that mutate, of which there are none: leave it out");
    set_variables("x1-x9 bit");
    params.bounds = SHOAL_GA_PENALTY;
    params.penalty = 2;
    refuse("--bounds is for reals, of which there are none: leave it out");
    set_variables("x1-x9 bit");
    params.crossover_eta = 5;
    refuse("--crossover-eta is for reals with the crossover sbx-bounded or sbx, of which there are none");
    set_variables("x1-x9 bit");
    params.mutation_eta = 5;
    refuse("--mutation-eta is for reals with the mutation polynomial, of which there are none");
    set_variables("x1-x9 bit");
    params.sigma = 0.3;
    refuse("--sigma needs --mutation gaussian; give that too, or leave --sigma out");
    set_variables("x1-x4 real -5 5");
    params.sigma_unit = SHOAL_GA_SIGMA_GENE;
    refuse("--sigma-unit needs --mutation gaussian; give that too, or leave --sigma-unit out");
    set_variables("x1-x9 bit");
    params.local_search = SHOAL_GA_TABU;
    params.method = SHOAL_GA_ONCHIP;
    refuse("--local-search needs --method auto or pipeline");
    set_variables("x1-x9 order");
    params.gene_rate = 0.5;
    refuse("--gene-rate is for reals, integers, choices and bits that mutate, of which there are none");
    set_variables("x1-x9 order");
    params.search.islands = 2;
    params.gene_rates = "0.5,0.6";
    refuse("--gene-rates is for reals, integers, choices and bits that mutate");
    set_variables("x1-x9 order");
    params.one_gene = true;
    refuse("--one-gene is for reals, integers, choices and bits that mutate");
    set_variables("x1-x9 bit");
    params.search.lower = -5;
    params.search.upper = 5;
    refuse("--lower is for reals without a range of their own, of which there are none: leave it out");
    set_variables("x1-x4 real -5 5, x5-x9 bit");
    params.search.upper = 5;
    refuse("--upper is for reals without a range of their own, of which there are none: leave it out");
    set_variables("x1-x4 real, x5-x9 bit");
    params.search.lower = -5;
    params.search.upper = 5;
    accept();
    set_variables("x1-x9 bit");
    params.mutation = SHOAL_GA_TAIL_INVERSION;
    params.gene_rate = 0.5;
    refuse("by tail-inversion one gene of a child mutates: leave --gene-rate out");
}

/* Children compete with their parents where all variables are reals. */
static void test_open_replacement(void **state)
{
    (void)state;
#if SHOAL_THESES
    static struct shoal_ga_thesis hybridtaus = {.size = sizeof hybridtaus, .random = SHOAL_GA_HYBRIDTAUS};
#endif
    static const struct {
        int32_t replacement, structure, method;
        struct shoal_ga_thesis *thesis;
        uint64_t tournament;
        bool has_reals_alone, is_dynamic;
        int32_t got;
        uint64_t got_tournament;
    } cases[] = {
        {.has_reals_alone = true, .got = SHOAL_GA_STEADY, .got_tournament = 1},
        {.has_reals_alone = true,
         .method = SHOAL_GA_PIPELINE,
         .tournament = 3,
         .got = SHOAL_GA_STEADY,
         .got_tournament = 3},
        {.got_tournament = 2},
        {.has_reals_alone = true, .is_dynamic = true, .got_tournament = 2},
        {.has_reals_alone = true, .structure = SHOAL_GA_CELLULAR_8, .got_tournament = 2},
#if SHOAL_THESES
        {.has_reals_alone = true, .thesis = &hybridtaus, .got_tournament = 2},
#endif
        {.has_reals_alone = true, .method = SHOAL_GA_FUSED, .got_tournament = 2},
        {.has_reals_alone = true, .method = SHOAL_GA_ONCHIP, .tournament = 5, .got_tournament = 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_ga_params own;
        test_label("case %zu", i);
        shoal_ga_params_init(&own);
        own.structure = cases[i].structure;
        own.thesis = cases[i].thesis;
        own.method = cases[i].method;
        own.tournament = cases[i].tournament;
        ga_resolve_replacement(&own, cases[i].has_reals_alone, cases[i].is_dynamic);
        assert_int_equal(own.replacement, cases[i].got);
        assert_int_equal(own.tournament, cases[i].got_tournament);
        if (own.replacement == SHOAL_GA_STEADY) {
            assert_int_equal(own.victim, SHOAL_GA_VICTIM_PARENT);
            assert_int_equal(ga_children(&own), own.population);
        }
        /* What is given stays. */
        shoal_ga_params_init(&own);
        own.replacement = SHOAL_GA_PLUS;
        ga_resolve_replacement(&own, true, false);
        assert_int_equal(own.replacement, SHOAL_GA_PLUS);
        assert_int_equal(own.tournament, 2);
    }
}

/* Mates of slots need an even number of children, which depends on the genes. */
static void test_own_of_an_open_replacement(void **state)
{
    (void)state;
    struct ga_problem problem;
    shoal_ga_params_init(&params);
    params.selection = SHOAL_GA_OWN;
    assert_ok(ga_problem_create(shoal, &params, &problem, &test_error));
    assert_int_equal(problem.search.points, 100);
    search_problem_destroy(&problem.search);
    params.search.function = function_named("onemax");
    assert_status(ga_problem_create(shoal, &params, &problem, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "99 children, an odd number");
}

int main(void)
{
#define PROBLEM_TEST(function) cmocka_unit_test_setup_teardown(function, set_defaults, tear_down)
    const struct CMUnitTest tests[] = {
        PROBLEM_TEST(test_open_replacement),
        PROBLEM_TEST(test_own_of_an_open_replacement),
        PROBLEM_TEST(test_children),
        PROBLEM_TEST(test_tables),
        PROBLEM_TEST(test_rates),
        PROBLEM_TEST(test_sizes),
        PROBLEM_TEST(test_structures),
        PROBLEM_TEST(test_exchange),
        PROBLEM_TEST(test_operators),
        PROBLEM_TEST(test_messy),
        PROBLEM_TEST(test_options_of_operators),
        PROBLEM_TEST(test_islands_on_gpus),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}
