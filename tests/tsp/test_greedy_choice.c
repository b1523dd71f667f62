/* Which tours are made on a device: over the fake backend, whose devices have any properties. */
#include "cities.h"
#include "tsp/improve/greedy_device.h"
#include "unit.h"

enum { MANY = 77000, FEW = 76000, LISTED = 8 };

/* The answer of a device with these properties for the first n cities of a problem. */
struct choice {
    struct shoal_device_info info;
    uint32_t n, neighbours;
    double held;
};

static struct choice choice_of_gpu(void)
{
    return (struct choice){.info = fake_gpu("Fake GPU"), .n = MANY, .neighbours = LISTED};
}

static struct tsp_problem problem_of(const struct cities *cities, uint32_t n)
{
    struct tsp_problem problem = cities->problem;
    problem.form.n = n;
    return problem;
}

static bool is_for_device(const struct cities *cities, const struct choice *choice)
{
    const struct tsp_problem problem = problem_of(cities, choice->n);
    struct shoal_queue *queue;
    struct tsp_places places;
    fake_reset();
    fake_add_device(&fake_backend, &choice->info);
    struct shoal *shoal = unit_open();
    assert_ok(shoal_queue_create(shoal_device_at(shoal, 0), 0, &queue, &test_error));
    assert_ok(tsp_places_create(&cities->problem, queue, &places, &test_error));
    const bool answer = tsp_greedy_is_for_device(&problem, &places, choice->neighbours, choice->held);
    tsp_places_destroy(&places);
    shoal_queue_destroy(&queue);
    shoal_close(&shoal);
    return answer;
}

static void open_few(struct cities *cities)
{
    static const double points[] = {0, 0, 5, 0, 5, 5, 0, 7, 3, 3};
    cities_open(cities, SHOAL_TSP_EUC_2D, 2, points, 5);
}

static void where_it_is_sooner(void **state)
{
    (void)state;
    struct cities cities;
    struct choice choice = choice_of_gpu();
    open_few(&cities);
    assert_true(is_for_device(&cities, &choice));
    choice.n = FEW;
    assert_false(is_for_device(&cities, &choice));
    choice = choice_of_gpu();
    choice.info.is_gpu = false;
    choice.info.is_cpu = true;
    assert_false(is_for_device(&cities, &choice));
    assert_false(tsp_greedy_is_for_device(&cities.problem, NULL, LISTED, 0));
    cities_close(&cities);
}

static void where_it_can_be_made(void **state)
{
    (void)state;
    static const int32_t matrix[9] = {0, 1, 2, 1, 0, 3, 2, 3, 0};
    struct cities cities, of_matrix;
    struct choice choice = choice_of_gpu();
    choice.info.fp64 = false;
    open_few(&cities);
    assert_false(is_for_device(&cities, &choice));
    choice.info.fp64 = true;
    assert_true(is_for_device(&cities, &choice));
    cities_close(&cities);
    cities_open_matrix(&of_matrix, matrix, 3);
    assert_false(is_for_device(&of_matrix, &choice));
    cities_close(&of_matrix);
}

/* For 77,000 cities with lists of 8: 20.034 MB, of which the pairs of cities of edges are 4.928 MB. */
static void where_the_memory_is(void **state)
{
    (void)state;
    struct cities cities;
    struct choice choice = choice_of_gpu();
    open_few(&cities);
    choice.held = (double)choice.info.memory - 20.1e6;
    assert_true(is_for_device(&cities, &choice));
    choice.held += 0.1e6;
    assert_false(is_for_device(&cities, &choice));
    choice = choice_of_gpu();
    choice.info.max_allocation = 4930000;
    assert_true(is_for_device(&cities, &choice));
    choice.info.max_allocation = 4920000;
    assert_false(is_for_device(&cities, &choice));
    /* the lists are longer than the edges that are tried */
    choice.neighbours = 128;
    choice.info.max_allocation = 39430000;
    assert_true(is_for_device(&cities, &choice));
    choice.info.max_allocation = 39420000;
    assert_false(is_for_device(&cities, &choice));
    cities_close(&cities);
}

/* 2^31 edges are too many to be sorted. */
static void where_the_edges_have_numbers(void **state)
{
    (void)state;
    struct cities cities;
    struct choice choice = choice_of_gpu();
    open_few(&cities);
    choice.info.memory = UINT64_C(1) << 40;
    choice.info.max_allocation = choice.info.memory;
    choice.n = (UINT32_C(1) << 28) - 1;
    assert_true(is_for_device(&cities, &choice));
    choice.n++;
    assert_false(is_for_device(&cities, &choice));
    cities_close(&cities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(where_it_is_sooner),
        UNIT_TEST(where_it_can_be_made),
        UNIT_TEST(where_the_memory_is),
        UNIT_TEST(where_the_edges_have_numbers),
    };
    return cmocka_run_group_tests_name("tsp greedy choice", tests, NULL, NULL);
}
