#include "populations.h"
#include "searches.h"

void assert_same_by_threads(const struct shoal_ga_params *params, uint64_t steps, uint64_t apart)
{
    struct ga_host alone, shared;
    make_host(params, 1, &alone);
    make_host(params, 2, &shared);
    search_host_advance(&alone.search, steps);
    search_host_advance(&shared.search, steps);
    assert_same(&alone, &shared);
    search_host_destroy(&alone.search);
    search_host_destroy(&shared.search);
    assert_resumes(params, steps, apart);
}

enum shoal_status refusal(const struct shoal_ga_params *params, const char *part)
{
    struct ga_problem problem;
    enum shoal_status status = shoal_workload_validate(NULL, shoal_workload_find("ga"), params, &test_error);
    if (!status) {
        status = ga_problem_create(shoal, params, &problem, &test_error);
        search_problem_destroy(&problem.search);
    }
    assert_contains(test_error.message, part);
    assert_lacks(test_error.message, "\n");
    return status;
}

int32_t function_named(const char *name)
{
    int32_t index = 0;
    while (strcmp(shoal_objective_get_info(shoal_objective_at((size_t)index))->name, name) != 0)
        index++;
    return index;
}

struct shoal_ga_params small_params(void)
{
    struct shoal_ga_params params;
    test_ga_params_init(&params);
    params.search.function = function_named("sphere");
    params.search.dim = 3;
    params.search.precision = SHOAL_FP64;
    params.search.iterations = 1000;
    params.population = 12;
    return params;
}

void make_host(const struct shoal_ga_params *params, int threads, struct ga_host *host)
{
    assert_ok(shoal_workload_validate(NULL, shoal_workload_find("ga"), params, &test_error));
    assert_ok(search_host_create(shoal, &ga_algorithm, &params->search, threads, &host->search, &test_error));
}

void assert_same(const struct ga_host *a, const struct ga_host *b)
{
    const struct search_problem *problem = &a->problem.search;
    assert_memory_equal(a->search.p, b->search.p, problem->total * problem->dim * sizeof(double));
    assert_memory_equal(a->search.best, b->search.best, problem->total * sizeof(double));
    assert_memory_equal(a->search.islands, b->search.islands, problem->islands * sizeof *a->search.islands);
    assert_memory_equal(a->search.runs, b->search.runs, problem->runs * sizeof *a->search.runs);
    assert_memory_equal(a->search.moves, b->search.moves, problem->runs * sizeof *a->search.moves);
    assert_memory_equal(a->search.champion, b->search.champion,
                        problem->islands * problem->dim * sizeof(double));
}

void assert_resumes(const struct shoal_ga_params *params, uint64_t steps, uint64_t apart)
{
    struct ga_host whole;
    make_host(params, 2, &whole);
    search_host_advance(&whole.search, steps);
    for (uint64_t cut = 0; cut < steps; cut += apart) {
        struct checkpoint checkpoint = {0}, read;
        struct ga_host first, second;
        void *bytes;
        size_t size;
        make_host(params, 2, &first);
        make_host(params, 2, &second);
        search_host_advance(&first.search, cut);
        assert_ok(search_host_save(&first.search, &checkpoint, &test_error));
        assert_ok(checkpoint_to_memory(&checkpoint, &bytes, &size, &test_error));
        assert_ok(checkpoint_parse(&read, bytes, size, "memory", &test_error));
        search_host_advance(&second.search, 5);
        assert_ok(search_host_load(&second.search, &read, &test_error));
        assert_same(&first, &second);
        search_host_advance(&second.search, steps - cut);
        assert_same(&whole, &second);
        free(bytes);
        search_host_destroy(&first.search);
        search_host_destroy(&second.search);
    }
    search_host_destroy(&whole.search);
}
