/* Runs of the host solver over genes of every kind: members stay in their ranges and orders whole, the best
 * of elitist runs stays, checkpoints go on, and DEAP's figure of the traps. */
#include "populations.h"
#include "search/space.h"
#include "searches.h"
#include "statistics.h"

#include <math.h>
#include <string.h>

/* x[i] of the mixed list are 4 reals of which one is coded, 3 whole numbers, 40 bits, 9 places. */
static const char mixed[] = "r1-r3 real -5 5, n1-n2 integer -20 1000, c choice 4, b1-b40 bit, "
                            "g real 0 1 gray 10, o1-o9 order";
static const struct {
    const char *name, *variables;
    size_t dim;
    uint64_t messy;
} spaces[] = {
    {"bits", "x1-x70 bit", 70},
    {"wholes", "x1-x6 integer -1000 1000, y1-y3 choice 5", 9},
    {"order", "x1-x20 order", 20},
    {"mixed", mixed, 56},
    {"coded", "x1-x3 real -5 5 gray 12, y1-y2 integer 0 9 binary 6", 5},
    {"messy", "x1-x70 bit", 70, 90},
    {"coded messy", "x1-x3 real -5 5 gray 12, y1-y2 integer 0 9 binary 6", 5, 7},
};
enum { SPACES = sizeof spaces / sizeof *spaces, REPLACEMENTS = 11 };

/* An objective of any point, without plateaus. */
static double value(const double *x, size_t dim, void *data)
{
    double sum = 0;
    (void)data;
    for (size_t i = 0; i < dim; i++)
        sum += (double)(i + 1) * fabs(x[i] - (double)(i % 7)) + 0.01 * x[i] * x[(i + 1) % dim];
    return sum;
}

static struct shoal_objective *objective;

static struct shoal_ga_params params_of(size_t space)
{
    struct shoal_ga_params params = small_params();
    params.search.objective = objective;
    params.search.variables = spaces[space].variables;
    params.search.dim = 0;
    params.messy = spaces[space].messy;
    return params;
}

/* Structures, replacements, selections, islands and ends; false: best values may be lost. */
static bool set_replacement(struct shoal_ga_params *params, size_t k)
{
    switch (k) {
    case 0:
        return true;
    case 1:
        params->elites = 0;
        params->selection = SHOAL_GA_OWN;
        return false;
    case 2:
        params->replacement = SHOAL_GA_STEADY;
        params->children = 3;
        params->unique = true;
        params->selection = SHOAL_GA_ROULETTE;
        return true;
    case 3:
        params->replacement = SHOAL_GA_STEADY;
        params->victim = SHOAL_GA_VICTIM_PARENT;
        params->children = 5;
        params->selection = SHOAL_GA_SUS;
        return true;
    case 4:
        params->replacement = SHOAL_GA_PLUS;
        params->children = 20;
        params->selection = SHOAL_GA_LINEAR_RANK;
        return true;
    case 5:
        params->replacement = SHOAL_GA_COMMA;
        params->children = 30;
        params->selection = SHOAL_GA_TRUNCATION;
        return false;
    case 6:
        params->structure = SHOAL_GA_CELLULAR_4;
        return true;
    case 7:
        params->structure = SHOAL_GA_CELLULAR_8;
        params->selection = SHOAL_GA_BEST;
        params->replacement = SHOAL_GA_STEADY;
        params->victim = SHOAL_GA_VICTIM_PARENT;
        return true;
    case 8:
        params->search.islands = 3;
        params->search.exchange = 4;
        params->migrants = 2;
        params->gene_rates = "0.01,0.1,0.5";
        params->mutation_rates = "0.2,0.5,1";
        params->crossover_rates = "1,0.5,0.9";
        return true;
    case 9:
        params->search.islands = 4;
        params->search.exchange = 3;
        params->search.exchange_topology = SHOAL_SEARCH_EXCHANGE_ALL;
        params->emigrants = SHOAL_GA_RANDOM_LEAVE;
        params->immigrants = SHOAL_GA_REPLACE_RANDOM;
        return false;
    default:
        params->search.restart = 3;
        params->search.stagnation_tolerance = 0.5;
        params->selection = SHOAL_GA_BOLTZMANN;
        return false;
    }
}

/* Operators by parts: those of the kind of space, one after the other. */
static void set_operators(struct shoal_ga_params *params, size_t space, size_t k)
{
    static const int32_t crossovers[] = {SHOAL_GA_CROSSOVER_AUTO, SHOAL_GA_ONE_POINT, SHOAL_GA_UNIFORM,
                                         SHOAL_GA_TWO_POINT, SHOAL_GA_NO_CROSSOVER},
                         orders[] = {SHOAL_GA_OX, SHOAL_GA_PMX, SHOAL_GA_CX, SHOAL_GA_ERX,
                                     SHOAL_GA_NO_CROSSOVER},
                         moves[] = {SHOAL_GA_SWAP, SHOAL_GA_INSERTION, SHOAL_GA_REVERSAL, SHOAL_GA_SCRAMBLE};
    switch (space) {
    case 0:
        params->crossover = crossovers[k % 5];
        params->mutation = k % 3 ? SHOAL_GA_FLIP : SHOAL_GA_TAIL_INVERSION;
        break;
    case 1:
        params->crossover = crossovers[k % 5];
        params->mutation = k % 3 ? SHOAL_GA_STEP : SHOAL_GA_UNIFORM_IN_BOX;
        break;
    case 2:
        params->crossover = orders[k % 5];
        params->mutation = moves[k % 4];
        params->gene_rates = NULL; /* which an order has not */
        break;
    case 3:
        params->crossover = k % 2 ? SHOAL_GA_BLX : SHOAL_GA_CROSSOVER_AUTO;
        params->whole_crossover = (int32_t)(k % 5);
        params->order_crossover = SHOAL_GA_ORDER_OX + (int32_t)(k % 4);
        params->mutation = k % 3 ? SHOAL_GA_GAUSSIAN : SHOAL_GA_MUTATION_AUTO;
        params->whole_mutation =
            k % 4 || params->gene_rates ? SHOAL_GA_WHOLE_MUTATION_AUTO : SHOAL_GA_WHOLE_TAIL_INVERSION;
        params->order_mutation = SHOAL_GA_ORDER_SWAP + (int32_t)(k % 4);
        break;
    case 4:
        params->one_gene = k % 2;
        params->crossover = crossovers[k % 5];
        break;
    default:
        params->crossover =
            k % 4 || params->crossover_rates ? SHOAL_GA_CROSSOVER_AUTO : SHOAL_GA_NO_CROSSOVER;
        if (k % 4 == 1 && !params->mutation_rates)
            params->mutation = SHOAL_GA_NO_MUTATION;
        else if (!params->gene_rates)
            params->gene_rate = 0.2;
    }
}

/* Each bit is that of the first pair of its place, else of the template; the list has no more than `messy`.
 */
static void assert_decoded(const struct ga_host *host, const double *x)
{
    const size_t bits = host->problem.genes.bits, most = host->problem.messy;
    const double *list = x + bits, *pairs = list + (bits + 31) / 32 + 1;
    const size_t length = (size_t)pairs[-1];
    assert_int_equal(host->problem.search.dim, bits + (bits + 31) / 32 + 1 + most);
    assert_true(length <= most);
    for (size_t k = length; k < most; k++)
        assert_true(pairs[k] == 0);
    for (size_t b = 0; b < bits; b++) {
        size_t k = 0;
        while (k < length && (size_t)pairs[k] / 2 != b)
            k++;
        assert_true(x[b] == (k < length ? (size_t)pairs[k] % 2 : (uint32_t)list[b / 32] >> b % 32 & 1));
    }
}

static void test_members(void **state)
{
    (void)state;
    for (size_t space = 0; space < SPACES; space++)
        for (size_t k = 0; k < REPLACEMENTS; k++) {
            struct shoal_ga_params params = params_of(space);
            struct ga_host host;
            const bool keeps = set_replacement(&params, k);
            set_operators(&params, space, k);
            make_host(&params, 1, &host);
            const struct search_problem *problem = &host.problem.search;
            assert_int_equal(problem->point_dim, spaces[space].dim);
            double best = INFINITY, scratch[256];
            for (int step = 0; step < 40; step++) {
                search_host_advance(&host.search, step > 0);
                for (size_t i = 0; i < problem->total; i++) {
                    const double *x = host.search.p + i * problem->dim;
                    if (!search_is_inside(problem, x, SHOAL_FP64))
                        fail_msg("%s, replacement %zu, step %d, member %zu", spaces[space].name, k, step, i);
                    assert_true(host.search.best[i] == search_value(problem, x, scratch));
                    if (params.messy)
                        assert_decoded(&host, x);
                }
                const double goal = host.search.islands->goal;
                assert_true(!keeps || goal <= best);
                best = goal;
            }
            assert_true(host.search.islands->champion <= best);
            search_host_destroy(&host.search);
        }
}

static void test_resume(void **state)
{
    (void)state;
    for (size_t space = 0; space < SPACES; space++)
        for (size_t k = 0; k < REPLACEMENTS; k++) {
            struct shoal_ga_params params = params_of(space);
            set_replacement(&params, k);
            set_operators(&params, space, k);
            assert_resumes(&params, 20, 7);
        }
}

/* A start point is the template of an empty list. */
static void test_start_point(void **state)
{
    (void)state;
    const struct shoal_ga_params params = params_of(5);
    struct ga_host messy;
    double point[70], back[70], member[70 + 3 + 1 + 90];
    make_host(&params, 1, &messy);
    for (size_t d = 0; d < 70; d++)
        point[d] = (double)(d * d % 5 % 2);
    search_from_point(&messy.problem.search, point, member);
    assert_decoded(&messy, member);
    search_to_point(&messy.problem.search, member, back);
    assert_memory_equal(point, back, sizeof point);
    search_host_destroy(&messy.search);
}

/* At a restart all templates become the best individual of before, under new lists. */
static void test_templates_of_a_restart(void **state)
{
    (void)state;
    struct shoal_ga_params params = params_of(5);
    struct ga_host host;
    double champion[70];
    bool differs = false;
    params.search.restart = 2;
    make_host(&params, 1, &host);
    const struct search_problem *problem = &host.problem.search;
    for (int step = 0; step < 60 && !host.search.islands->restarts; step++) {
        memcpy(champion, host.search.champion, sizeof champion);
        search_host_advance(&host.search, step > 0);
    }
    assert_int_equal(host.search.islands->restarts, 1);
    for (size_t i = 0; i < problem->total; i++) {
        const double *x = host.search.p + i * problem->dim;
        assert_decoded(&host, x);
        for (size_t b = 0; b < 70; b++) {
            assert_true(((uint32_t)x[70 + b / 32] >> b % 32 & 1) == champion[b]);
            differs = differs || x[b] != champion[b];
        }
    }
    assert_true(differs);
    search_host_destroy(&host.search);
}

/* First members ----------------------------------------------------------------------------------------- */

static struct ga_host host;

/* A population of the space, and all children of its first generation by the same parents as ga_host_select
 * names. */
static void make_population(struct shoal_ga_params *params, size_t members)
{
    params->population = members;
    params->elites = 0;
    make_host(params, 1, &host);
    search_host_advance(&host.search, 0);
}

static void test_start(void **state)
{
    (void)state;
    enum { MEMBERS = 20000, PLACES = 9, BITS = 50 };
    struct shoal_ga_params params = params_of(3);
    uint64_t ones[BITS] = {0}, choices[4] = {0}, integers[1021] = {0}, things[PLACES * PLACES] = {0};
    double half[BITS], quarter[4], each[1021], place[PLACES * PLACES];
    make_population(&params, MEMBERS);
    const struct genome_layout *genes = &host.problem.genes;
    assert_true(genes->reals == 3 && genes->wholes == 3 && genes->bits == BITS && genes->places == PLACES);
    for (size_t i = 0; i < MEMBERS; i++) {
        const double *x = host.search.p + i * host.problem.search.dim;
        integers[(size_t)(x[3] + 20)]++;
        choices[(size_t)x[5]]++;
        for (size_t b = 0; b < BITS; b++)
            ones[b] += x[6 + b] == 1;
        for (size_t k = 0; k < PLACES; k++)
            things[k * PLACES + (size_t)x[6 + BITS + k]]++;
    }
    for (size_t b = 0; b < BITS; b++)
        half[b] = MEMBERS / 2.;
    for (size_t k = 0; k < 4; k++)
        quarter[k] = MEMBERS / 4.;
    for (size_t k = 0; k < 1021; k++)
        each[k] = MEMBERS / 1021.;
    for (size_t k = 0; k < PLACES * PLACES; k++)
        place[k] = (double)MEMBERS / PLACES;
    assert_counts(choices, quarter, 4);
    assert_counts(integers, each, 1021);
    assert_counts(things, place, PLACES * PLACES);
    /* Of binomials. */
    double chi = 0;
    for (size_t b = 0; b < BITS; b++)
        chi += pow((double)ones[b] - half[b], 2) / (MEMBERS / 4.);
    assert_true(chi > BITS - 5 * sqrt(2. * BITS) && chi < BITS + 5 * sqrt(2. * BITS));
    search_host_destroy(&host.search);
}

/* Children ---------------------------------------------------------------------------------------------- */

enum { CHILDREN = 20000, LINE = 56, DIM = 65 };

/* Makes the children of a generation; `visit` gets a child with the parent that it takes after, and the other
 * one. */
static void visit_children(void (*visit)(const double *x, const double *own, const double *other))
{
    for (size_t c = 0; c < CHILDREN; c++) {
        ga_host_move(&host.search, c, 1, search_host_scratch_of(&host.search, 0));
        if (c % 2 == 0)
            continue;
        const struct ga_parents parents = parents_of(&host, 0, c / 2, 1);
        const double *a = host.search.p + parents.a * DIM, *b = host.search.p + parents.b * DIM;
        visit(host.search.x + (c - 1) * DIM, a, b);
        visit(host.search.x + c * DIM, b, a);
    }
    search_host_destroy(&host.search);
}

static uint64_t mutated_genes[LINE], mutated_orders;

static void count_mutated(const double *x, const double *own, const double *other)
{
    (void)other;
    size_t moved = 0;
    for (size_t d = 0; d < LINE; d++)
        mutated_genes[d] += x[d] != own[d];
    for (size_t d = LINE; d < DIM; d++)
        moved += x[d] != own[d];
    assert_true(moved == 0 || moved == 2);
    mutated_orders += moved == 2;
}

/* Genes in line mutate by both rates, an order by that of a child. */
static void test_mutation_rates(void **state)
{
    (void)state;
    struct shoal_ga_params params = params_of(3);
    double wanted[LINE];
    params.crossover = SHOAL_GA_NO_CROSSOVER;
    params.mutation = SHOAL_GA_UNIFORM_IN_BOX;
    params.mutation_rate = 0.6;
    params.gene_rate = 0.25;
    make_population(&params, CHILDREN);
    visit_children(count_mutated);
    for (size_t d = 0; d < LINE; d++)
        wanted[d] = CHILDREN * 0.6 * 0.25;
    assert_counts(mutated_genes, wanted, LINE);
    const double orders = CHILDREN * 0.6;
    assert_true(fabs((double)mutated_orders - orders) < 5 * sqrt(orders * 0.4));
}

static uint64_t exchanged[LINE], joint, crossings;
static int32_t cross_kind;

/* Genes of the other parent; where both have the same one it is not known. */
static void count_exchanged(const double *x, const double *own, const double *other)
{
    size_t first = SIZE_MAX, last = 0;
    for (size_t d = 0; d < LINE; d++) {
        assert_true(x[d] == own[d] || x[d] == other[d]);
        if (x[d] == own[d])
            continue;
        exchanged[d]++;
        first = d < first ? d : first;
        last = d;
    }
    if (first == SIZE_MAX)
        return;
    crossings++;
    joint += x[0] != own[0] && x[LINE - 1] != own[LINE - 1];
    /* One range of the whole line, to the end with one point. */
    for (size_t d = first; d <= last && cross_kind != SHOAL_GA_UNIFORM; d++)
        assert_true(x[d] == other[d]);
    for (size_t d = first; d < LINE && cross_kind == SHOAL_GA_ONE_POINT; d++)
        assert_true(x[d] == other[d]);
    assert_true(cross_kind == SHOAL_GA_UNIFORM || first > 0);
}

/* One crossover of reals, whole numbers and bits exchanges genes of one line. */
static void test_line(void **state)
{
    (void)state;
    for (cross_kind = SHOAL_GA_ONE_POINT; cross_kind <= SHOAL_GA_UNIFORM; cross_kind++) {
        struct shoal_ga_params params = params_of(3);
        params.crossover = cross_kind;
        params.crossover_rate = 1;
        params.mutation = SHOAL_GA_NO_MUTATION;
        memset(exchanged, 0, sizeof exchanged);
        joint = crossings = 0;
        make_population(&params, CHILDREN);
        visit_children(count_exchanged);
        assert_true(crossings > CHILDREN / 2);
        /* Reals are always different: those exchange in half of the pairs, bits in half of those where they
         * differ. */
        if (cross_kind != SHOAL_GA_UNIFORM)
            continue;
        for (size_t d = 0; d < LINE; d++) {
            const double share = d < 3 ? 0.5 : d < 5 ? 0.5 * 1020 / 1021 : d == 5 ? 0.375 : 0.25;
            /* A parent pairs with itself once in CHILDREN; both children of a pair exchange together. */
            assert_true(fabs((double)exchanged[d] - CHILDREN * share) < 7 * sqrt(CHILDREN * share));
        }
        assert_true(fabs((double)joint - CHILDREN / 8.) < 7 * sqrt(CHILDREN / 8.));
    }
}

/* DEAP ----------------------------------------------------------------------------------------------------
 */

/* DEAP 1.4, eaSimple of 20 traps of 5 bits: tournament of 2, population 200, 250 generations, cxTwoPoint with
 * 0.9, mutFlipBit with 1 / 100, no elite: best ever and mean of the last population. */
static const double deap_best = 89.15, deap_best_error = 0.39, deap_mean = 79.72, deap_mean_error = 0.21;

static void test_deap(void **state)
{
    (void)state;
    struct shoal_ga_params params;
    struct shoal_result result = {0};
    const bool is_full = getenv("SHOAL_TEST_SHARE") == NULL;
    test_ga_params_init(&params);
    params.search.function = function_named("trap-5");
    params.search.dim = 100;
    params.search.iterations = 250;
    params.search.runs = is_full ? 400 : 40;
    params.population = 200;
    params.elites = 0;
    make_host(&params, 0, &host);
    search_host_advance(&host.search, 250);
    assert_ok(search_host_solver_result(&(struct shoal_solver){.state = &host.search}, &result, &test_error));
    const double best = shoal_result_number(&result, "mean");
    const double best_error = shoal_result_number(&result, "mean_error");
    const double mean = shoal_result_number(&result, "population_mean");
    const double mean_error = shoal_result_number(&result, "population_mean_error");
    assert_true(best_error > 0 && best_error < 0.5 && mean_error > 0 && mean_error < 0.5);
    if (!(fabs(best - deap_best) < 3 * hypot(best_error, deap_best_error)))
        fail_msg("best %g +- %g, DEAP %g +- %g", best, best_error, deap_best, deap_best_error);
    if (!(fabs(mean - deap_mean) < 3 * hypot(mean_error, deap_mean_error)))
        fail_msg("mean %g +- %g, DEAP %g +- %g", mean, mean_error, deap_mean, deap_mean_error);
    search_host_destroy(&host.search);
}

static int make_objective(void **state)
{
    assert_ok(shoal_objective_from_callback(value, NULL, "value", &objective, &test_error));
    return set_up(state);
}

static int free_objective(void **state)
{
    shoal_objective_destroy(&objective);
    return tear_down(state);
}

int main(void)
{
#define KINDS_TEST(function) cmocka_unit_test_setup_teardown(function, make_objective, free_objective)
    const struct CMUnitTest tests[] = {
        KINDS_TEST(test_members),
        KINDS_TEST(test_resume),
        KINDS_TEST(test_start_point),
        KINDS_TEST(test_start),
        KINDS_TEST(test_mutation_rates),
        KINDS_TEST(test_line),
        KINDS_TEST(test_templates_of_a_restart),
        KINDS_TEST(test_deap),
    };
    return cmocka_run_group_tests_name("kinds", tests, NULL, NULL);
}
