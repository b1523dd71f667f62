/* Local search of children by the host solver: where it ends no move is better, changes and whole values lead
 * to the same members, tabu search finds known optima, what it cannot do is refused. */
#include "populations.h"

#include <math.h>

#include "ga/host/model.h"

/* A sum of terms of a place and the thing there, of which a swap changes two. */
#define ORDER_TEXT                                                                                           \
    "#define SHAPE OPAQUE\n#define VARIABLES \"x1-xD order\"\n#define VALUE LONG\n"                          \
    "static inline long my_term(uint i, uint thing)\n"                                                       \
    "{ return (long)(i + 1u) * (long)(thing * thing % 11u + i % 3u * thing); }\n"                            \
    "static inline long objective_value(GENOME, uint dim)\n"                                                 \
    "{ long sum = 0; uint i; for (i = 0u; i < dim; i++) sum += my_term(i, PLACE(i)); return sum; }\n"
#define ORDER_CHANGE                                                                                         \
    "#define CHANGE SWAP\n"                                                                                  \
    "static inline long objective_change(GENOME, uint i, uint j, uint dim)\n"                                \
    "{ return my_term(i, PLACE(j)) + my_term(j, PLACE(i)) - my_term(i, PLACE(i)) - my_term(j, PLACE(j)); "   \
    "}\n"

static struct shoal_ga_params bits_params(const char *function, uint64_t dim)
{
    struct shoal_ga_params params = small_params();
    params.search.function = function_named(function);
    params.search.dim = dim;
    return params;
}

static struct shoal_objective *order_objective(const char *text)
{
    struct shoal_objective *objective;
    assert_ok(shoal_objective_from_text(shoal, text, "order.clh", &objective, &test_error));
    return objective;
}

static struct shoal_ga_params order_params(const struct shoal_objective *objective)
{
    struct shoal_ga_params params = small_params();
    params.search.objective = objective;
    params.search.dim = 17;
    return params;
}

/* No move of a member lowers its value, which is that of the objective. */
static void assert_optimal(const struct ga_host *host, size_t member)
{
    const struct search_problem *problem = &host->problem.search;
    const struct ga_improve *improve = &host->problem.improve;
    const double *x = host->search.p + member * problem->dim;
    const uint32_t seconds = improve->moves == SHOAL_GA_MOVES_FLIP ? 1 : improve->genes;
    assert_true(problem->sign * shoal_objective_value(problem->objective, x, problem->dim) ==
                host->search.best[member]);
    for (uint32_t i = 0; i < improve->genes; i++)
        for (uint32_t j = 0; j < seconds; j++)
            assert_false(problem->sign * shoal_objective_change(problem->objective, x, problem->dim,
                                                                (enum shoal_move)improve->moves, i, j) <
                         0);
}

static void test_local_optima(void **state)
{
    (void)state;
    struct shoal_objective *order = order_objective(ORDER_TEXT);
    for (int32_t search = SHOAL_GA_FIRST_IMPROVEMENT; search <= SHOAL_GA_BEST_IMPROVEMENT; search++)
        for (int32_t moves = SHOAL_GA_MOVES_FLIP; moves <= SHOAL_GA_MOVES_INSERTION; moves++)
            for (int maximise = 0; maximise < 2; maximise++) {
                struct shoal_ga_params params =
                    moves == SHOAL_GA_MOVES_FLIP ? bits_params("labs", 23) : order_params(order);
                struct ga_host host;
                params.local_search = search;
                params.moves = moves;
                params.local_steps = 100000;
                params.elites = 0;
                params.search.maximise = maximise;
                make_host(&params, 1, &host);
                search_host_advance(&host.search, 1);
                for (size_t i = 0; i < host.problem.search.total; i++)
                    assert_optimal(&host, i);
                search_host_destroy(&host.search);
            }
    shoal_objective_destroy(&order);
}

/* The bits or places behind a move, as a number. */
static uint64_t behind(uint32_t moves, uint32_t n, gene_move move)
{
    uint64_t genes[8], number = 0;
    for (uint32_t i = 0; i < n; i++)
        genes[i] = moves == SHOAL_GA_MOVES_FLIP ? 0 : i;
    if (moves == SHOAL_GA_MOVES_FLIP)
        genes[move.i] = 1;
    const uint64_t moved = genes[move.i];
    if (moves == SHOAL_GA_MOVES_SWAP)
        genes[move.i] = genes[move.j];
    for (uint32_t i = move.i; moves == SHOAL_GA_MOVES_INSERTION && i != move.j; i += i < move.j ? 1 : -1u)
        genes[i] = genes[i + (i < move.j ? 1 : -1u)];
    if (moves != SHOAL_GA_MOVES_FLIP)
        genes[move.j] = moved;
    for (uint32_t i = 0; i < n; i++)
        number = number * 8 + genes[i];
    return number;
}

/* All moves of a step lead elsewhere: n neighbours by flips, n (n - 1) / 2 by swaps, (n - 1)^2 by insertions.
 */
static void test_moves(void **state)
{
    (void)state;
    for (uint32_t moves = SHOAL_GA_MOVES_FLIP; moves <= SHOAL_GA_MOVES_INSERTION; moves++)
        for (uint32_t n = 2; n < 9; n++) {
            const uint32_t count = move_count(moves, n),
                           wanted[] = {0, n, n * (n - 1) / 2, (n - 1) * (n - 1)};
            uint64_t neighbours[64] = {
                moves == SHOAL_GA_MOVES_FLIP ? 0 : behind(SHOAL_GA_MOVES_SWAP, n, (gene_move){0, 0})};
            assert_int_equal(count, wanted[moves]);
            for (uint32_t rank = 0; rank < count; rank++) {
                const uint32_t number = move_number(rank, count / 3, count);
                neighbours[rank + 1] = behind(moves, n, move_at(moves, n, number));
                for (uint32_t i = 0; i <= rank; i++)
                    assert_true(neighbours[i] != neighbours[rank + 1]);
            }
        }
}

/* The same members, values and moves by changes as by whole values. */
static void test_changes(void **state)
{
    (void)state;
    struct shoal_objective *by_value = order_objective(ORDER_TEXT),
                           *by_change = order_objective(ORDER_TEXT ORDER_CHANGE);
    for (int32_t search = SHOAL_GA_FIRST_IMPROVEMENT; search <= SHOAL_GA_TABU; search++) {
        struct ga_host hosts[2];
        for (int i = 0; i < 2; i++) {
            struct shoal_ga_params params = order_params(i ? by_change : by_value);
            params.local_search = search;
            params.search.seed = 5;
            make_host(&params, 1, &hosts[i]);
            assert_true(hosts[i].problem.improve.by_change == (i == 1));
            search_host_advance(&hosts[i].search, 6);
        }
        assert_same(&hosts[0], &hosts[1]);
        search_host_destroy(&hosts[0].search);
        search_host_destroy(&hosts[1].search);
    }
    shoal_objective_destroy(&by_value);
    shoal_objective_destroy(&by_change);
}

/* All or as many as there are elites, one step of every move each, which the result counts. */
static void test_counts(void **state)
{
    (void)state;
    for (int32_t improve = SHOAL_GA_IMPROVE_ALL; improve <= SHOAL_GA_IMPROVE_ELITES; improve++) {
        struct shoal_ga_params params = bits_params("labs", 20);
        struct ga_host host;
        params.local_search = SHOAL_GA_TABU;
        params.local_steps = 1;
        params.improve = improve;
        params.elites = 3;
        params.search.islands = 2;
        make_host(&params, 2, &host);
        search_host_advance(&host.search, 4);
        assert_int_equal(host.search.moves[0], 4 * 2 * 20 * (improve == SHOAL_GA_IMPROVE_ALL ? 9 : 3));
        search_host_destroy(&host.search);
    }
}

static void test_threads(void **state)
{
    (void)state;
    struct shoal_ga_params params = bits_params("labs", 20);
    params.local_search = SHOAL_GA_TABU;
    params.search.islands = 3;
    params.search.exchange = 2;
    params.search.restart = 3;
    assert_same_by_threads(&params, 12, 5);
}

static void test_optima(void **state)
{
    (void)state;
    struct shoal_objective *order = order_objective(ORDER_TEXT);
    struct ga_host host;
    struct shoal_ga_params params = bits_params("labs", 27);
    params.local_search = SHOAL_GA_TABU;
    params.population = 40;
    params.search.target = 37;
    make_host(&params, 1, &host);
    search_host_advance(&host.search, 200);
    assert_true(host.search.runs[0].reached);
    search_host_destroy(&host.search);
    /* No worse than ten times as many descents. */
    double least = INFINITY;
    for (int tabu = 0; tabu < 2; tabu++) {
        params = order_params(order);
        params.local_search = tabu ? SHOAL_GA_TABU : SHOAL_GA_BEST_IMPROVEMENT;
        params.local_steps = 200;
        params.population = tabu ? 20 : 200;
        make_host(&params, 1, &host);
        search_host_advance(&host.search, 2);
        const double found = host.search.islands[0].champion;
        assert_true(found <= least);
        least = found;
        search_host_destroy(&host.search);
    }
    shoal_objective_destroy(&order);
}

static void refuse(struct shoal_ga_params params, const char *part)
{
    const enum shoal_status status = refusal(&params, part);
    assert_true(status == SHOAL_INVALID || status == SHOAL_UNSUPPORTED);
}

static void test_refused(void **state)
{
    (void)state;
    struct shoal_ga_params params = small_params();
    params.local_search = SHOAL_GA_TABU;
    refuse(params, "moves bits or an order");
    params.search.variables = "x1-x3 real -5 5 gray 10";
    params.search.dim = 0;
    refuse(params, "sphere is a function of reals");
    params = bits_params("labs", 20);
    params.local_search = SHOAL_GA_TABU;
    params.moves = SHOAL_GA_MOVES_SWAP;
    refuse(params, "swap is a move of an order");
    params.moves = SHOAL_GA_MOVES_AUTO;
    params.search.evaluations = 1000;
    refuse(params, "--evaluations counts no moves");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_local_optima, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_moves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_optima, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("ga-improve", tests, NULL, NULL);
}
