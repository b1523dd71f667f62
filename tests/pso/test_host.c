/* The host solver against a plain second implementation of docs/pso.md (naive.c), and what must hold whatever
 * the numbers: the same bits with any number of threads, resumed, and alone. */
#include "fixture.h"
#include "searches.h"

#include "naive.h"

#include <math.h>
#include <shoal/theses.h>

static struct shoal_objective *bowl, *holes;

/* Least at 0.7; not symmetric, so that no two coordinates can be mistaken for one another. */
static double bowl_value(const double *x, size_t dim, void *data)
{
    (void)data;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += ((double)d + 1) * (x[d] - 0.7) * (x[d] - 0.7) + (d ? x[d] * x[d - 1] / 3 : 0);
    return sum;
}

/* The same with regions where it is not defined. */
static double holes_value(const double *x, size_t dim, void *data)
{
    if (x[0] < -0.5)
        return NAN;
    return x[0] > 1.5 ? -INFINITY : bowl_value(x, dim, data);
}

static int open_objectives(void **state)
{
    if (set_up(state))
        return -1;
    return shoal_objective_from_callback(bowl_value, NULL, "bowl", &bowl, &test_error) ||
           shoal_objective_from_callback(holes_value, NULL, "holes", &holes, &test_error);
}

static int close_objectives(void **state)
{
    shoal_objective_destroy(&bowl);
    shoal_objective_destroy(&holes);
    return tear_down(state);
}

static struct shoal_pso_params small(void)
{
    struct shoal_pso_params params;
    test_pso_params_init(&params);
    params.search.objective = bowl;
    params.search.precision = SHOAL_FP64;
    params.search.dim = 5;
    params.particles = 8;
    params.search.lower = -1;
    params.search.upper = 2;
    params.search.iterations = 40;
    params.search.seed = 3;
    return params;
}

/* Step by step ----------------------------------------------------------------------------------------- */

/* Two ways to write the same formula differ in the last places, and steps carry the difference on. */
static const double tolerance = 1e-10;

static void compare_steps(const struct shoal_pso_params *params, uint32_t steps)
{
    struct pso_host reference;
    make_host(params, 1, &reference);
    struct naive naive;
    const size_t dim = params->search.dim;
    naive_start(&naive, params, params->search.objective == holes ? holes_value : bowl_value,
                params->search.lower, params->search.upper);
    for (uint32_t step = 0; step <= steps; step++) {
        naive_step(&naive, step);
        assert_int_equal(search_host_advance(&reference.search, step > 0), step > 0);
        for (size_t i = 0; i < params->particles; i++) {
            test_label("update %d topology %d bounds %d random %d batch %d step %u particle %zu",
                       params->update, params->topology, params->bounds, params->random, (int)params->batch,
                       step, i);
            for (size_t d = 0; d < dim; d++) {
                assert_close(reference.search.x[i * dim + d], naive.x[i][d], tolerance);
                assert_close(reference.v[i * dim + d], naive.v[i][d], tolerance);
                assert_close(reference.search.p[i * dim + d], naive.p[i][d], tolerance);
            }
            assert_close(reference.search.best[i], naive.best[i], tolerance);
        }
        assert_close(reference.search.islands->goal, naive.goal, tolerance);
        assert_int_equal(reference.search.runs->not_finite, naive.not_finite);
    }
    search_host_destroy(&reference.search);
}

static void test_steps(void **state)
{
    (void)state;
    for (int32_t update = SHOAL_PSO_INERTIA; update <= SHOAL_PSO_FIPS; update++)
        for (int32_t topology = SHOAL_PSO_GLOBAL; topology <= SHOAL_PSO_RANDOM; topology++)
            for (int32_t bounds = SHOAL_PSO_REFLECT; bounds <= SHOAL_PSO_UNBOUNDED; bounds++) {
                struct shoal_pso_params params = small();
                params.update = update;
                params.topology = topology;
                params.bounds = bounds;
                params.initial_velocity = SHOAL_PSO_RANGE; /* many leave the box */
                params.search.seed = (uint64_t)(update * 100 + topology * 10 + bounds);
                params.batch = (uint64_t)bounds % 4;
                params.search.dim = 4 + (uint64_t)topology % 2;
                compare_steps(&params, 6);
            }
}

static void test_random_numbers(void **state)
{
    (void)state;
    for (int32_t random = SHOAL_PSO_PHILOX;
         random <= (SHOAL_THESES ? (int32_t)SHOAL_PSO_REG : (int32_t)SHOAL_PSO_PHILOX16); random++)
        for (int scalar = 0; scalar < 2; scalar++)
            for (uint64_t dim = 1; dim <= 7; dim += 2) {
                struct shoal_pso_params params = small();
                params.random = random;
                params.scalar_random = scalar;
                params.search.dim = dim;
                params.search.seed = ((uint64_t)9 << 32) + 1;
                compare_steps(&params, 6);
            }
}

static void test_settings(void **state)
{
    (void)state;
    for (int32_t velocity = SHOAL_PSO_HALF_DIFFERENCE; velocity <= SHOAL_PSO_VELOCITY_BY_UPDATE; velocity++) {
        struct shoal_pso_params params = small();
        params.initial_velocity = velocity;
        params.velocity_limit = 0.1;
        params.search.maximise = velocity % 2;
        params.inertia = 0.6;
        params.cognitive = 1.1;
        params.social = 1.7;
        compare_steps(&params, 10);
        params.update = SHOAL_PSO_LINEAR;
        params.inertia_end = 0.2;
        compare_steps(&params, 10);
    }
    /* One particle, two on a narrow torus, a prime number of them, links of one and of five. */
    static const uint64_t sizes[] = {1, 2, 7, 12}, links[] = {1, 5, 3, 0};
    for (size_t k = 0; k < 4; k++)
        for (int32_t update = SHOAL_PSO_INERTIA; update <= SHOAL_PSO_FIPS; update++) {
            struct shoal_pso_params params = small();
            params.particles = sizes[k];
            params.update = update;
            params.topology = SHOAL_PSO_VON_NEUMANN;
            compare_steps(&params, 6);
            params.topology = SHOAL_PSO_RANDOM;
            params.neighbours = links[k];
            params.batch = 3;
            compare_steps(&params, 6);
            params.topology = SHOAL_PSO_GLOBAL;
            params.neighbours = 0;
            compare_steps(&params, 6);
            params.topology = SHOAL_PSO_RING;
            params.neighbours = 4;
            if (params.particles > 4)
                compare_steps(&params, 6);
        }
}

static void test_not_finite(void **state)
{
    (void)state;
    struct shoal_pso_params params = small();
    params.search.objective = holes;
    compare_steps(&params, 20);
    params.batch = 1;
    params.topology = SHOAL_PSO_RANDOM;
    compare_steps(&params, 20);
    /* Nowhere a value: the swarm stands its ground, and everything is counted. */
    params = small();
    params.search.objective = holes;
    params.search.lower = 1.6;
    params.bounds = SHOAL_PSO_REFLECT;
    params.search.stagnation = 5;
    struct pso_host reference;
    make_host(&params, 1, &reference);
    assert_int_equal(search_host_advance(&reference.search, 100), 5);
    assert_true(isinf(reference.search.islands->champion));
    assert_int_equal(reference.search.runs->not_finite, 6 * 8);
    search_host_destroy(&reference.search);
}

/* The same bits ---------------------------------------------------------------------------------------- */

static void assert_same(const struct pso_host *a, const struct pso_host *b)
{
    const struct pso_problem *problem = &a->problem;
    const size_t coordinates = problem->search.total * problem->search.dim * sizeof(double);
    assert_memory_equal(a->search.x, b->search.x, coordinates);
    assert_memory_equal(a->v, b->v, coordinates);
    assert_memory_equal(a->search.p, b->search.p, coordinates);
    assert_memory_equal(a->search.best, b->search.best, problem->search.total * sizeof(double));
    assert_memory_equal(a->search.champion, b->search.champion,
                        problem->search.islands * problem->search.dim * sizeof(double));
    assert_memory_equal(a->search.islands, b->search.islands,
                        problem->search.islands * sizeof *a->search.islands);
    assert_memory_equal(a->search.runs, b->search.runs, problem->search.runs * sizeof *a->search.runs);
    assert_int_equal(search_host_steps(&a->search), search_host_steps(&b->search));
}

/* One of each kind of search. */
enum { KINDS = 6 };

static struct shoal_pso_params kind(size_t k)
{
    struct shoal_pso_params params = small();
    params.search.trace = 3;
    switch (k) {
    case 0:
        params.particles = 100; /* enough work to share */
        params.update = SHOAL_PSO_SPSO2011;
        break;
    case 1:
        params.topology = SHOAL_PSO_RANDOM;
        params.batch = 1;
        break;
    case 2:
        params.search.islands = 3;
        params.search.exchange = 4;
#if SHOAL_THESES
        params.random = SHOAL_PSO_GLOB;
#endif
        break;
    case 3:
        params.search.runs = 5;
        params.search.target = 0.9; /* reached by some earlier than by others */
        params.update = SHOAL_PSO_FIPS;
        params.topology = SHOAL_PSO_RING;
        break;
    case 4:
        params.search.islands = 2;
        params.search.runs = 2;
        params.search.restart = 3;
        params.search.stagnation_tolerance = 0.01;
        params.search.exchange = 5;
        params.search.exchange_topology = SHOAL_SEARCH_EXCHANGE_ALL;
        params.topology = SHOAL_PSO_RANDOM;
        params.batch = 3;
        break;
    default:
        params.search.objective = holes;
        params.bounds = SHOAL_PSO_INVISIBLE;
        params.search.evaluations = 100;
    }
    return params;
}

static void test_threads(void **state)
{
    (void)state;
    size_t costs = 0;
    for (size_t k = 0; k < KINDS; k++) {
        const struct shoal_pso_params params = kind(k);
        struct pso_host one;
        make_host(&params, 1, &one);
        search_host_advance(&one.search, 40);
        for (int threads = 2; threads <= 7; threads += 5)
            for (int shared = 0; shared < 2; shared++) {
                struct pso_host many;
                make_host(&params, threads, &many);
                search_host_advance(&many.search, 0); /* measures the particles */
                many.search.choice.worked_s = 0;
                /* Steps cut into pieces; batches shared out whatever they cost. */
                for (uint64_t steps = 0; steps < 40; steps += 7) {
                    many.search.point_seconds = shared ? 1 : 1e-300; /* 0: not measured */
                    /* On a busy machine one thread makes some of the steps. */
                    many.search.choice.alone = shared;
                    many.search.choice.left_s = shared ? 1e-9 : 0;
                    search_host_advance(&many.search, steps + 7 < 40 ? 7 : 40 - steps);
                }
                assert_same(&one, &many);
                /* Only steps on all threads show what the particles cost. */
                assert_true(shared || many.search.choice.worked_s == 0);
                costs += many.search.choice.worked_s > 0;
                search_host_destroy(&many.search);
            }
        search_host_destroy(&one.search);
    }
    assert_true(costs > 0);
}

/* What the threads' times have shown holds for the next calls, however short they are. */
static void test_choice_is_kept(void **state)
{
    (void)state;
    const struct shoal_pso_params params = kind(3);
    struct pso_host host;
    make_host(&params, 2, &host);
    search_host_advance(&host.search, 0);
    struct thread_choice *choice = &host.search.choice;
    choice->alone = true;
    choice->left_s = 1e9;
    choice->other = 1e9;
    for (size_t call = 0; call < 3; call++) {
        const double left_s = choice->left_s;
        host.search.point_seconds = 1e-6; /* between a wake-up and a long call */
        assert_int_equal(search_host_advance(&host.search, 2), 2);
        assert_true(choice->alone && choice->other == 1e9);
        assert_true(choice->left_s < left_s && choice->worked_s > 0);
    }
    search_host_destroy(&host.search);
}

static void test_resume(void **state)
{
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        const struct shoal_pso_params params = kind(k);
        struct pso_host whole;
        make_host(&params, 2, &whole);
        search_host_advance(&whole.search, 40);
        for (uint64_t cut = 0; cut < 40; cut += 13) {
            struct checkpoint checkpoint = {0}, read;
            struct pso_host first, second;
            make_host(&params, 2, &first);
            make_host(&params, 2, &second);
            void *bytes;
            size_t size;
            search_host_advance(&first.search, cut);
            assert_ok(search_host_save(&first.search, &checkpoint, &test_error));
            assert_ok(checkpoint_to_memory(&checkpoint, &bytes, &size, &test_error));
            assert_ok(checkpoint_parse(&read, bytes, size, "memory", &test_error));
            if (cut > 0) /* has made other steps already */
                search_host_advance(&second.search, 5);
            assert_ok(search_host_load(&second.search, &read, &test_error));
            assert_same(&first, &second);
            search_host_advance(&second.search, 40 - cut);
            assert_same(&whole, &second);
            assert_true(second.search.point_seconds > 0); /* else one thread makes all steps */
            free(bytes);
            search_host_destroy(&first.search);
            search_host_destroy(&second.search);
        }
        search_host_destroy(&whole.search);
    }
}

static void test_damaged(void **state)
{
    (void)state;
    const struct shoal_pso_params params = kind(2);
    struct pso_host reference, fresh;
    make_host(&params, 1, &reference);
    make_host(&params, 1, &fresh);
    struct checkpoint checkpoint = {0};
    search_host_advance(&reference.search, 7);
    reference.search.islands[1].leader = params.particles;
    assert_ok(search_host_save(&reference.search, &checkpoint, &test_error));
    checkpoint.path = "memory";
    assert_status(search_host_load(&fresh.search, &checkpoint, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "damaged");
    /* As if nothing had been loaded. */
    search_host_advance(&fresh.search, 7);
    reference.search.islands[1].leader = fresh.search.islands[1].leader;
    assert_same(&reference, &fresh);
    search_host_destroy(&reference.search);
    search_host_destroy(&fresh.search);
}

/* Run r of many is the run of seed + r. */
static void test_runs(void **state)
{
    (void)state;
    struct shoal_pso_params params = kind(3), alone = params;
    struct pso_host all;
    make_host(&params, 2, &all);
    search_host_advance(&all.search, 40);
    alone.search.runs = 1;
    uint64_t shortest = 40;
    for (size_t run = 0; run < params.search.runs; run++) {
        alone.search.seed = params.search.seed + run;
        struct pso_host one;
        make_host(&alone, 1, &one);
        const size_t coordinates = params.particles * params.search.dim;
        search_host_advance(&one.search, 40);
        assert_memory_equal(one.search.x, all.search.x + run * coordinates, coordinates * sizeof(double));
        assert_memory_equal(one.search.best, all.search.best + run * params.particles,
                            params.particles * sizeof(double));
        assert_int_equal(one.search.runs->steps, all.search.runs[run].steps);
        if (one.search.runs->steps < shortest)
            shortest = one.search.runs->steps;
        search_host_destroy(&one.search);
    }
    assert_true(shortest < search_host_steps(&all.search));
    search_host_destroy(&all.search);
}

/* Islands and ends ------------------------------------------------------------------------------------- */

static size_t worst_of(const double *best, size_t count)
{
    size_t worst = 0;
    for (size_t i = 0; i < count; i++)
        if (best[i] >= best[worst])
            worst = i;
    return worst;
}

/* What an exchange does, by hand, to islands that have made the same steps without one. */
static void compare_exchange(int32_t topology)
{
    struct shoal_pso_params params = small(), never;
    params.search.islands = 3;
    params.search.exchange = 6;
    params.search.exchange_topology = topology;
    never = params;
    never.search.exchange = 0;
    struct pso_host with, without;
    make_host(&params, 1, &with);
    make_host(&never, 1, &without);
    search_host_advance(&with.search, 6);
    search_host_advance(&without.search, 6);
    const size_t particles = params.particles, dim = params.search.dim;
    assert_memory_equal(with.search.x, without.search.x, 3 * particles * dim * sizeof(double));
    assert_memory_equal(with.v, without.v, 3 * particles * dim * sizeof(double));
    size_t best = 0, taken = 0;
    for (size_t s = 1; s < 3; s++)
        if (without.search.islands[s].champion < without.search.islands[best].champion)
            best = s;
    for (size_t s = 0; s < 3; s++) {
        const size_t from = topology == SHOAL_SEARCH_EXCHANGE_ALL ? best : (s + 2) % 3;
        const double champion = without.search.islands[from].champion;
        double expected[16];
        memcpy(expected, without.search.best + s * particles, particles * sizeof *expected);
        if (champion < without.search.islands[s].goal) {
            const size_t worst = worst_of(expected, particles);
            expected[worst] = champion;
            assert_memory_equal(with.search.p + (s * particles + worst) * dim,
                                without.search.champion + from * dim, dim * sizeof(double));
            assert_true(with.search.islands[s].goal == champion &&
                        with.search.islands[s].champion == champion);
            assert_int_equal(with.search.islands[s].leader, worst);
            taken++;
        }
        assert_memory_equal(with.search.best + s * particles, expected, particles * sizeof *expected);
    }
    assert_true(taken > 0 && taken < 3);
    search_host_destroy(&with.search);
    search_host_destroy(&without.search);
}

static void test_exchange(void **state)
{
    (void)state;
    compare_exchange(SHOAL_SEARCH_EXCHANGE_RING);
    compare_exchange(SHOAL_SEARCH_EXCHANGE_ALL);
}

static void test_restart(void **state)
{
    (void)state;
    struct shoal_pso_params params = small();
    params.search.restart = 4;
    params.search.stagnation_tolerance = 0.2;
    params.search.iterations = 200;
    struct pso_host reference;
    make_host(&params, 1, &reference);
    const struct search_island *island = reference.search.islands;
    double champion = INFINITY;
    uint64_t restarts = 0;
    for (uint64_t step = 0; step <= 200; step++) {
        const bool due = reference.search.drawn && island->stagnant >= 4;
        search_host_advance(&reference.search, step > 0);
        /* The step of a restart draws: each particle is where its best is. */
        if (due)
            assert_memory_equal(reference.search.x, reference.search.p,
                                params.particles * params.search.dim * sizeof(double));
        restarts += due;
        assert_int_equal(island->restarts, restarts);
        assert_true(island->champion <= champion && island->champion <= island->goal);
        champion = island->champion;
        assert_true(bowl_value(reference.search.champion, params.search.dim, NULL) == champion);
    }
    assert_true(restarts > 3);
    /* Drawn from other numbers than at first. */
    struct pso_host first;
    make_host(&params, 1, &first);
    search_host_advance(&first.search, 0);
    search_host_advance(&reference.search, 0);
    assert_memory_not_equal(first.search.p, reference.search.p,
                            params.particles * params.search.dim * sizeof(double));
    search_host_destroy(&first.search);
    search_host_destroy(&reference.search);
}

static double best_of(const struct pso_host *reference)
{
    return reference->search.islands[search_host_champion(&reference->search, 0)].champion;
}

static void test_ends(void **state)
{
    (void)state;
    struct shoal_pso_params params = small();
    /* Evaluations, those of step 0 included, for which fewer than 8 are refused. */
    static const struct {
        uint64_t evaluations, steps;
    } ends[] = {{8, 0}, {9, 1}, {16, 1}, {17, 2}, {8 * 41, 40}, {1000, 40}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        params.search.evaluations = ends[i].evaluations;
        struct pso_host reference;
        make_host(&params, 1, &reference);
        assert_int_equal(search_host_advance(&reference.search, 100), ends[i].steps);
        assert_true(search_host_ended(&reference.search));
        search_host_destroy(&reference.search);
    }
    /* Target: the first step whose best is as good. */
    params.search.evaluations = 0;
    struct pso_host whole;
    make_host(&params, 1, &whole);
    double best[41];
    for (uint64_t step = 0; step <= 40; step++) {
        search_host_advance(&whole.search, step > 0);
        best[step] = best_of(&whole);
    }
    for (uint64_t step = 0; step <= 40; step += 8) {
        params.search.target = best[step];
        uint64_t first = 0;
        while (best[first] > params.search.target)
            first++;
        struct pso_host reference;
        make_host(&params, 1, &reference);
        assert_int_equal(search_host_advance(&reference.search, 100), first);
        assert_true(reference.search.runs->reached);
        assert_int_equal(search_host_advance(&reference.search, 100), 0);
        search_host_destroy(&reference.search);
    }
    /* Stagnation: so many steps after the last that counted. */
    params = small();
    params.search.stagnation = 5;
    params.search.stagnation_tolerance = 0.5;
    struct pso_host reference;
    make_host(&params, 1, &reference);
    const uint64_t steps = search_host_advance(&reference.search, 100);
    uint64_t mark = 0;
    for (uint64_t step = 1; step <= steps; step++)
        if (best[mark] - best[step] > 0.5 * fmax(1, fabs(best[mark])))
            mark = step;
    assert_int_equal(steps, mark + 5);
    assert_true(reference.search.runs->ended && !reference.search.runs->reached);
    search_host_destroy(&reference.search);
    search_host_destroy(&whole.search);
}

/* Too much --------------------------------------------------------------------------------------------- */

static void test_memory(void **state)
{
    (void)state;
    struct shoal_pso_params params = small();
    struct pso_host reference;
    params.particles = 1 << 28;
    params.search.dim = 1 << 20;
    assert_status(
        search_host_create(shoal, &pso_algorithm, &params.search, 1, &reference.search, &test_error),
        SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(test_error.message, "bytes");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_objectives, close_objectives)
    const struct CMUnitTest tests[] = {
        TEST(test_steps),   TEST(test_random_numbers), TEST(test_settings), TEST(test_not_finite),
        TEST(test_threads), TEST(test_choice_is_kept), TEST(test_resume),   TEST(test_damaged),
        TEST(test_runs),    TEST(test_exchange),       TEST(test_restart),  TEST(test_ends),
        TEST(test_memory),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
