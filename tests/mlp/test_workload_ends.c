/* Ends of a run on the host that are not those of its last epoch: a loss that is no number, within an epoch,
 * at a checkpoint; and what the samples and the result say then. */
#include "runs.h"

#include <stdlib.h>

/* Ten rows whose target is a number, and a rate that lets parameters grow beyond all numbers. */
static struct shoal_mlp_params endless(double rate)
{
    struct shoal_mlp_params params;
    test_write_text(test_path("a.csv"), "x,y\n1,2\n2,4\n3,7\n4,1\n5,5\n6,0\n7,3\n8,1\n9,9\n10,2\n");
    shoal_mlp_params_init(&params);
    params.data = test_path("a.csv");
    params.target = "y";
    params.optimiser = SHOAL_MLP_SGD;
    params.schedule = SHOAL_MLP_CONSTANT;
    params.validation = params.test = 0;
    params.rate = rate;
    params.epochs = 500;
    params.batch = 2;
    return params;
}

static struct shoal_result result_of(struct shoal_solver *solver)
{
    struct shoal_result result = {0};
    assert_ok(shoal_solver_result(solver, &result, &test_error));
    return result;
}

/* The update that a fault names. */
static uint64_t update_of(const struct shoal_result *result)
{
    static const char before[] = "the loss of update ";
    const char *at = strstr(result->check_failure, before);
    assert_false(result->check_passed);
    assert_non_null(at);
    return strtoull(at + sizeof before - 1, NULL, 10);
}

/* Faults ------------------------------------------------------------------------------------------------- */

/* Without rows that judge the parameters of the epoch before are left, whatever the updates behind it did. */
static void a_fault_leaves_the_epoch_before(void **state)
{
    (void)state;
    struct shoal_mlp_params params = endless(0.45);
    struct shoal_solver *solver = run(&params);
    const struct shoal_result result = result_of(solver);
    const uint64_t update = update_of(&result);
    test_label("update %u", (unsigned)update);
    assert_true(result.steps > 0 && update > 6 && update % 5 != 1);
    assert_int_equal(result.steps, (update - 1) / 5);
    assert_near(shoal_result_number(&result, "updates"), (double)(update - 1), 0);
    params.epochs = result.steps;
    struct shoal_solver *before = run(&params);
    assert_same_nets(solver, 0, before, 0);
    assert_near(shoal_result_number(&result, "loss"), value_of(before, "loss"), 0);
    shoal_solver_destroy(&before);
    shoal_solver_destroy(&solver);
}

static void a_fault_in_the_first_epoch(void **state)
{
    (void)state;
    const struct shoal_mlp_params params = endless(1e12);
    struct shoal_solver *solver = create(&params);
    double start[MOST], learned[MOST];
    const size_t count = parameters_of(solver, 0, start);
    assert_int_equal(finish(solver), 0);
    const struct shoal_result result = result_of(solver);
    const uint64_t update = update_of(&result);
    assert_true(update > 1 && update <= 5);
    assert_near(shoal_result_number(&result, "updates"), (double)(update - 1), 0);
    assert_true(isnan(shoal_result_number(&result, "loss")));
    assert_int_equal((uint64_t)result.work, 2 * (update - 1));
    (void)parameters_of(solver, 0, learned);
    assert_memory_equal(learned, start, count * sizeof *start);
    shoal_solver_destroy(&solver);
}

/* The others of a set go on, and the result is theirs. */
static void a_net_that_fails_is_alone(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    const double rates[] = {0.01, 1e300, 0.02, 0.01};
    params.optimiser = SHOAL_MLP_SGD;
    params.decay = NAN;
    params.nets = 3;
    params.rates = rates;
    struct shoal_solver *set = run(&params);
    struct shoal_result result = result_of(set);
    assert_int_equal(result.steps, 5);
    assert_false(result.check_passed);
    assert_contains(result.check_failure, "net 2: the loss of update ");
    double sum = 0;
    params.nets = 1;
    for (uint64_t net = 0; net < 3; net += 2) {
        params.rates = &rates[net];
        params.seed = 1 + net;
        struct shoal_solver *alone = run(&params);
        assert_same_nets(set, net, alone, 0);
        sum += value_of(alone, "validation_loss");
        shoal_solver_destroy(&alone);
    }
    assert_near(shoal_result_number(&result, "validation_loss"), sum / 2, 1e-12);
    shoal_solver_destroy(&set);

    params.seed = 1;
    params.nets = 2;
    params.rates = rates;
    params.folds = 2;
    params.validation = params.test = NAN;
    set = run(&params);
    result = result_of(set);
    assert_contains(result.check_failure, "net 2, fold 1: the loss of update ");
    assert_int_equal(result.steps, 5);
    shoal_solver_destroy(&set);
}

/* A run that failed writes none, and leaves the older file as it is. */
static void no_checkpoint_of_a_fault(void **state)
{
    (void)state;
    struct shoal_mlp_params params = endless(1e12);
    const char *path = test_path("a.ckpt");
    struct shoal_solver *solver = create(&params);
    assert_ok(shoal_solver_step(solver, 0, &(uint64_t){0}, &test_error));
    assert_ok(shoal_solver_save(solver, path, &test_error));
    (void)finish(solver);
    assert_status(shoal_solver_save(solver, path, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "no checkpoint is written: the loss of update ");
    assert_ok(shoal_solver_load(solver, path, &test_error));
    assert_true(result_of(solver).check_passed); /* it is at its start again */
    (void)finish(solver);
    const struct shoal_result result = result_of(solver);
    assert_true(update_of(&result) > 1);
    shoal_solver_destroy(&solver);
}

/* The best ------------------------------------------------------------------------------------------------
 */

/* A run that kept none goes on as one that wants it. */
static void patience_begins_at_a_checkpoint(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    params.validation = 0;
    struct shoal_solver *first = run(&params);
    assert_ok(shoal_solver_save(first, test_path("a.ckpt"), &test_error));
    params.patience = 3;
    struct shoal_solver *second = create(&params);
    assert_ok(shoal_solver_load(second, test_path("a.ckpt"), &test_error));
    assert_int_equal(finish(second), 0);
    assert_same_nets(first, 0, second, 0);
    shoal_solver_destroy(&first);
    shoal_solver_destroy(&second);
}

/* Such rows have no mean loss, by which a best one could be found. */
static void parts_without_weight(void **state)
{
    (void)state;
    char text[800] = "x,w,y\n";
    for (int i = 1; i <= 40; i++)
        sprintf(text + strlen(text), "%d,%d,%d\n", i % 7, i > 10, i % 5);
    test_write_text(test_path("w.csv"), text);
    struct shoal_mlp_params params;
    shoal_mlp_params_init(&params);
    params.data = test_path("w.csv");
    params.target = "y";
    params.weight = "w";
    params.task = SHOAL_TASK_REGRESS;
    params.epochs = 2;
    params.validation_rows = "1-10";
    refuse(&params, SHOAL_IO, "the weights of all validation rows are 0; give some a weight above 0");
    params.validation_rows = NULL;
    params.test_rows = "1-10";
    refuse(&params, SHOAL_IO, "the weights of all test rows are 0");
    params.test_rows = NULL;
    params.rows = "1-10";
    params.validation_rows = "11-40";
    refuse(&params, SHOAL_IO, "the weights of all training rows are 0");
    params.target_accuracy = 0.5;
    params.rows = "1-11";
    params.validation_rows = "12-40";
    refuse(&params, SHOAL_INVALID, "target accuracy: the targets are numbers");
    params.target_accuracy = NAN;
    struct shoal_solver *solver = run(&params);
    assert_true(isfinite(value_of(solver, "validation_loss")));
    shoal_solver_destroy(&solver);
}

/* Two columns of which exactly one is 1 are classes or numbers: as the params say, else as the data set says.
 */
static void task_of_a_data_set(void **state)
{
    (void)state;
    static const struct {
        enum shoal_task of_set, of_run;
        size_t classes;
    } cases[] = {{SHOAL_TASK_AUTO, SHOAL_TASK_AUTO, 2},
                 {SHOAL_TASK_REGRESS, SHOAL_TASK_AUTO, 0},
                 {SHOAL_TASK_AUTO, SHOAL_TASK_REGRESS, 0},
                 {SHOAL_TASK_REGRESS, SHOAL_TASK_CLASSIFY, 2}};
    char text[1000] = "x,a,b\n";
    for (int i = 0; i < 60; i++)
        sprintf(text + strlen(text), "%d,%d,%d\n", i % 8, i % 8 > 3, i % 8 <= 3);
    test_write_text(test_path("two.csv"), text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_dataset_params of;
        struct shoal_mlp_params params;
        struct shoal_dataset *dataset;
        shoal_dataset_params_init(&of);
        of.path = test_path("two.csv");
        of.target = "a,b";
        of.task = cases[i].of_set;
        assert_ok(shoal_dataset_open(&of, &dataset, &test_error));
        shoal_mlp_params_init(&params);
        params.dataset = dataset;
        params.task = cases[i].of_run;
        params.epochs = 2;
        struct shoal_solver *solver = run(&params);
        struct shoal_mlp_outcome outcome = {0};
        assert_ok(shoal_mlp_predict_part(solver, 0, SHOAL_MLP_TEST, &outcome, &test_error));
        assert_int_equal(outcome.classes, cases[i].classes);
        shoal_solver_destroy(&solver);
        shoal_dataset_destroy(&dataset);
    }
}

/* Samples -------------------------------------------------------------------------------------------------
 */

struct samples {
    size_t count;
    struct shoal_mlp_sample list[64];
};

static bool keep_sample(void *data, const void *sample, const char **failure)
{
    struct samples *samples = data;
    *failure = "";
    assert_true(samples->count < 64);
    samples->list[samples->count++] = *(const struct shoal_mlp_sample *)sample;
    return false;
}

static void ends_within_an_epoch(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct samples samples = {0};
    params.batch = 11; /* the last of 7 updates has 6 of 72 rows */
    params.trace = 1;
    params.updates = 16;
    struct shoal_solver *solver = create(&params);
    shoal_solver_on_sample(solver, keep_sample, &samples);
    assert_int_equal(finish(solver), 2);
    assert_int_equal(samples.count, 2);
    assert_int_equal(samples.list[1].step, 2);
    struct shoal_result result = result_of(solver);
    assert_int_equal((uint64_t)result.work, 2 * 72 + 2 * 11);
    assert_ok(shoal_solver_save(solver, test_path("a.ckpt"), &test_error));
    shoal_solver_destroy(&solver);

    params.updates = 22; /* goes on, and ends within the epoch behind the next */
    samples.count = 0;
    solver = create(&params);
    assert_ok(shoal_solver_load(solver, test_path("a.ckpt"), &test_error));
    shoal_solver_on_sample(solver, keep_sample, &samples);
    (void)finish(solver);
    assert_int_equal(samples.count, 1);
    assert_int_equal(samples.list[0].step, 3);
    assert_int_equal((uint64_t)result_of(solver).work, 3 * 72 + 11);
    shoal_solver_destroy(&solver);

    params.updates = 3;
    solver = run(&params);
    assert_int_equal((uint64_t)result_of(solver).work, 33);
    shoal_solver_destroy(&solver);
}

/* Each epoch without a better loss halves the rate of those behind it. */
static void the_rate_falls_on_a_plateau(void **state)
{
    (void)state;
    struct shoal_mlp_params params = small();
    struct samples samples = {0};
    params.schedule = SHOAL_MLP_PLATEAU;
    params.rate_period = 1;
    params.rate = 0.05;
    params.epochs = 40;
    params.trace = 1;
    struct shoal_solver *solver = create(&params);
    shoal_solver_on_sample(solver, keep_sample, &samples);
    (void)finish(solver);
    assert_int_equal(samples.count, 40);
    double rate = 0.05, best = INFINITY;
    for (size_t i = 0; i < samples.count; i++) {
        assert_near(samples.list[i].rate, rate, 1e-15);
        if (samples.list[i].validation_loss < best)
            best = samples.list[i].validation_loss;
        else
            rate *= params.rate_factor;
    }
    assert_true(samples.list[39].rate < 0.05);
    shoal_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(a_fault_leaves_the_epoch_before),
        HOST_TEST(a_fault_in_the_first_epoch),
        HOST_TEST(a_net_that_fails_is_alone),
        HOST_TEST(no_checkpoint_of_a_fault),
        HOST_TEST(patience_begins_at_a_checkpoint),
        HOST_TEST(parts_without_weight),
        HOST_TEST(task_of_a_data_set),
        HOST_TEST(ends_within_an_epoch),
        HOST_TEST(the_rate_falls_on_a_plateau),
    };
    return cmocka_run_group_tests_name("mlp workload ends", tests, NULL, NULL);
}
