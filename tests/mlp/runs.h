/* Runs of the workload on the host: a small table, and what tests ask of a run. */
#ifndef SHOAL_TESTS_MLP_RUNS_H
#define SHOAL_TESTS_MLP_RUNS_H

#include "unit.h"

#include <math.h>

enum { ROWS = 96, MOST = 4096 };

static const struct shoal_workload *mlp;
static struct shoal *shoal;
static struct shoal_device *host;

static char table[200]; /* 96 rows, 8 inputs, a class of 4 at random */

static inline void write_table(void)
{
    char text[ROWS * 30], *at = text;
    uint32_t random = 1;
    at += sprintf(at, "a,b,c,d,e,f,g,h,class\n");
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 8; k++) {
            random = random * 1664525 + 1013904223;
            at += sprintf(at, "%u,", (unsigned)(random >> 24) % 10);
        }
        at +=
            sprintf(at, "%s\n", (const char *const[]){"north", "east", "south", "west"}[(random >> 16) % 4]);
    }
    snprintf(table, sizeof table, "%s", test_path("table.csv"));
    test_write_text(table, text);
}

static inline int open_host(void **state)
{
    if (unit_setup(state))
        return -1;
    write_table();
    mlp = shoal_workload_find("mlp");
    shoal = unit_open();
    host = test_host_device(shoal);
    return 0;
}

static inline int close_host(void **state)
{
    shoal_close(&shoal);
    return unit_teardown(state);
}
#define HOST_TEST(function) cmocka_unit_test_setup_teardown(function, open_host, close_host)

/* Small: a net of 8-6-4 on 96 rows of which 72 train, 6 updates an epoch. */
static inline struct shoal_mlp_params small(void)
{
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.data = table;
    params.target = "class";
    params.hidden = "6";
    params.batch = 12;
    params.epochs = 5;
    params.validation = 0.125;
    params.test = 0.125;
    params.schedule = SHOAL_MLP_CONSTANT;
    params.decay = 0.1;
    params.trace = 0;
    return params;
}

static inline struct shoal_solver *create(const struct shoal_mlp_params *params)
{
    struct shoal_solver *solver;
    assert_ok(shoal_solver_create(mlp, host, NULL, params, SHOAL_VARIANT_AUTO, &solver, &test_error));
    return solver;
}

/* To its end; the number of epochs. */
static inline uint64_t finish(struct shoal_solver *solver)
{
    uint64_t sum = 0, done = 1;
    while (done) {
        assert_ok(shoal_solver_step(solver, 3, &done, &test_error));
        sum += done;
    }
    return sum;
}

static inline struct shoal_solver *run(const struct shoal_mlp_params *params)
{
    struct shoal_solver *solver = create(params);
    (void)finish(solver);
    return solver;
}

/* The parameters of a net; how many. */
static inline size_t parameters_of(struct shoal_solver *solver, uint64_t net, double *out)
{
    size_t count = 0;
    assert_ok(shoal_mlp_parameters(solver, net, NULL, 0, &count, &test_error));
    assert_true(count > 0 && count <= MOST);
    assert_ok(shoal_mlp_parameters(solver, net, out, MOST, &count, &test_error));
    return count;
}

static inline void assert_same_nets(struct shoal_solver *a, uint64_t net_a, struct shoal_solver *b,
                                    uint64_t net_b)
{
    double ours[MOST], theirs[MOST];
    const size_t count = parameters_of(a, net_a, ours);
    assert_int_equal(parameters_of(b, net_b, theirs), count);
    assert_memory_equal(ours, theirs, count * sizeof *ours);
}

static inline double value_of(struct shoal_solver *solver, const char *name)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    assert_true(result.check_passed);
    return shoal_result_number(&result, name);
}

static inline void refuse(const struct shoal_mlp_params *params, enum shoal_status wanted,
                          const char *message)
{
    assert_status(shoal_workload_validate(NULL, mlp, params, &test_error), wanted);
    assert_contains(test_error.message, message);
    assert_null(strchr(test_error.message, '\n'));
}

#endif
