/* The host's training: PyTorch's numbers, what settings of 0 change, same bits, resumed runs, errors. */
#include "fixture.h"

#include <shoal/rng.h>
#include <stdlib.h>

/* PyTorch rounds sums in another order; 100 updates keep that below this. */
static const double tolerance = 1e-9;

static struct trainer *start(const struct fixture *fixture, const struct training *training)
{
    struct trainer *trainer;
    assert_ok(trainer_create(fixture->net, training, &fixture->data, NULL, fixture->parameters, 1, &trainer,
                             &test_error));
    return trainer;
}

static void go_on(struct trainer *trainer, uint64_t updates)
{
    for (uint64_t k = 0; k < updates; k++) {
        assert_ok(trainer_update(&trainer->base, 1, &test_error));
        struct trainer_epoch end;
        if (trainer->base.state.update % trainer->updates == 0)
            assert_ok(trainer_end_epoch(&trainer->base, &end, &test_error));
    }
}

static double loss_after(const struct fixture *fixture, const struct training *training, uint64_t updates)
{
    struct trainer *trainer = start(fixture, training);
    double loss, score;
    go_on(trainer, updates);
    trainer_score(trainer, &fixture->data, trainer->parameters, &loss, &score);
    trainer_destroy(&trainer);
    return loss;
}

static void test_torch_gradient(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, false);
    struct pass *pass;
    double gradient[FIXTURE_PARAMETERS], sum = 0;
    assert_ok(pass_create(fixture.net, FIXTURE_ROWS, &pass, &test_error));
    const struct pass_batch batch = {.data = &fixture.data, .count = FIXTURE_ROWS};
    const struct pass_sums sums = pass_run(pass, &batch, fixture.parameters, gradient, NULL);
    for (size_t k = 0; k < FIXTURE_PARAMETERS; k++)
        sum += gradient[k] * gradient[k];
    assert_near(sums.loss / sums.weight, 1.167158667524, tolerance);
    assert_near(sqrt(sum), 0.412265815288, tolerance);
    pass_destroy(&pass);
    net_destroy(&fixture.net);
}

static void test_factors(void **state)
{
    (void)state;
    /* The second output is constant, and the third where rows count. */
    const double targets[] = {9, 9, 9, 1, 0.1, 5, 2, 0.1, 5, 5, 0.1, 7}, weights[] = {1, 1, 3, 0};
    double factors[3];
    pass_factors(targets, weights, 1, 3, 3, factors);
    assert_near(factors[0], 1 / (3.0 / 16), 1e-14); /* mean 1.75, variance 3/4 * 1/4 */
    assert_true(factors[1] == 0 && factors[2] == 0);
    pass_factors(targets, NULL, 1, 3, 3, factors);
    assert_near(factors[0], 1 / (26.0 / 9) / 2, 1e-14);
    assert_near(factors[2], 1 / (8.0 / 9) / 2, 1e-14);
    pass_factors(targets, NULL, 1, 1, 3, factors);
    assert_true(isnan(factors[0]) && isnan(factors[1]) && isnan(factors[2]));
}

static void test_torch_updates(void **state)
{
    (void)state;
    static const struct {
        int optimiser;
        double rate, decay;
        uint64_t updates;
        double loss;
    } cases[] = {
        {MLP_SGD, 0.5, 0, 100, 1.057580130954},          {MLP_MOMENTUM, 0.1, 0, 100, 1.056191164831},
        {MLP_NESTEROV, 0.1, 0, 100, 1.055747289034},     {MLP_ADAM, 0.01, 0, 100, 1.054847741048},
        {MLP_ADAMW, 0.01, 0.1, 100, 1.055023493979},     {MLP_IRPROP_MINUS, 0.01, 0, 100, 1.011097584651},
        {MLP_IRPROP_PLUS, 0.01, 0, 100, 1.028044187440}, {MLP_RMSPROP, 0.01, 0, 10, 1.059296614349},
    };
    struct fixture fixture;
    fixture_create(&fixture, false);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct training training = fixture_training(cases[k].optimiser, cases[k].rate);
        training.decay = cases[k].decay;
        test_label("optimiser %d", cases[k].optimiser);
        assert_near(loss_after(&fixture, &training, cases[k].updates), cases[k].loss, tolerance);
    }
    net_destroy(&fixture.net);
}

static void test_torch_thesis(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, true);
    struct training training = fixture_training(MLP_MOMENTUM, 1);
    assert_near(loss_after(&fixture, &training, 0), 0.441844515234, tolerance);
    assert_near(loss_after(&fixture, &training, 100), 0.319829419427, tolerance);
    training.elimination = 0.001;
    assert_near(loss_after(&fixture, &training, 100), 0.320989352539, tolerance);
    net_destroy(&fixture.net);
}

/* eta = 0 moves nothing, momentum 0 is plain descent, and lambda = 0 is none, bit for bit. */
static void test_zeros(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, true);
    struct training training = fixture_training(MLP_MOMENTUM, 0), plain = fixture_training(MLP_SGD, 0.5);
    struct trainer *still = start(&fixture, &training);
    go_on(still, 5);
    assert_memory_equal(still->parameters, fixture.parameters, sizeof fixture.parameters);
    trainer_destroy(&still);
    training.rate = 0.5;
    training.momentum = 0;
    training.elimination_scale = 0;
    struct trainer *a = start(&fixture, &training), *b = start(&fixture, &plain);
    go_on(a, 20);
    go_on(b, 20);
    assert_memory_equal(a->parameters, b->parameters, sizeof fixture.parameters);
    trainer_destroy(&a);
    trainer_destroy(&b);
    net_destroy(&fixture.net);
}

/* Dropout and shuffles of batches that do not divide the rows; stopped in the middle of an epoch. */
static void test_resume(void **state)
{
    (void)state;
    const struct net_layer_choice layers[] = {{7, MLP_GELU, 1, 0.3}, {FIXTURE_OUTPUTS, MLP_SOFTMAX, 1, 0}};
    const struct net_choice choice = {FIXTURE_INPUTS, 2, layers, MLP_LOSS_CROSS_ENTROPY, 1, 0.1};
    struct fixture fixture;
    assert_ok(net_create(&choice, &fixture.net, &test_error));
    fixture_fill(&fixture);
    for (int optimiser = 0; optimiser < MLP_OPTIMISERS; optimiser++) {
        struct training training = fixture_training(optimiser, 0.01);
        training.batch = 5;
        test_label("optimiser %d", optimiser);
        struct trainer *whole = start(&fixture, &training), *first = start(&fixture, &training);
        struct trainer *second = start(&fixture, &training);
        go_on(whole, 23);
        go_on(first, 10); /* of 4 an epoch */
        second->base.state = first->base.state;
        memcpy(second->parameters, first->parameters, 5 * sizeof fixture.parameters);
        trainer_destroy(&first);
        pass_set_threads(second->pass, 3);
        go_on(second, 13);
        assert_memory_equal(whole->parameters, second->parameters, 5 * sizeof fixture.parameters);
        assert_true(whole->base.state.best_loss == second->base.state.best_loss);
        trainer_destroy(&whole);
        trainer_destroy(&second);
    }
    net_destroy(&fixture.net);
}

/* An epoch takes each row once, its last batch is the rest, and the next epoch has another order. */
static void test_epochs(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, false);
    struct training training = fixture_training(MLP_SGD, 0.1);
    training.batch = 5;
    for (int in_order = 0; in_order < 2; in_order++) {
        training.in_order = in_order;
        struct trainer *trainer = start(&fixture, &training);
        uint32_t rows[2][FIXTURE_ROWS];
        assert_int_equal(trainer->updates, 4);
        for (int epoch = 0; epoch < 2; epoch++) {
            unsigned seen[FIXTURE_ROWS] = {0};
            for (uint32_t k = 0; k < FIXTURE_ROWS; k++) {
                if (k % 5 == 0)
                    go_on(trainer, 1);
                rows[epoch][k] = trainer->order[k % 5];
                assert_true(rows[epoch][k] < FIXTURE_ROWS);
                assert_int_equal(seen[rows[epoch][k]]++, 0);
            }
            assert_int_equal(trainer->base.state.update % trainer->updates, 0);
            assert_near(trainer->base.state.weight, FIXTURE_ROWS, 0);
        }
        assert_int_equal(memcmp(rows[0], rows[1], sizeof rows[0]) == 0, in_order);
        trainer_destroy(&trainer);
    }
    net_destroy(&fixture.net);
}

/* A rate of 0 improves nothing after the first epoch: patience ends the run, plateaus lower the rate. */
static void test_patience(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, false);
    struct training training = fixture_training(MLP_SGD, 0);
    training.patience = 3;
    training.schedule = TRAINING_PLATEAU;
    training.factor = 0.5;
    training.period = 2;
    struct trainer *trainer = start(&fixture, &training);
    for (int epoch = 0; epoch < 4; epoch++) {
        assert_ok(trainer_update(&trainer->base, 1, &test_error));
        struct trainer_epoch end;
        assert_ok(trainer_end_epoch(&trainer->base, &end, &test_error));
        assert_int_equal(end.is_best, epoch == 0);
        assert_int_equal(end.must_stop, epoch == 3);
    }
    assert_int_equal(trainer->base.state.best_update, 1);
    assert_int_equal(trainer->base.state.plateaus, 1);
    trainer_destroy(&trainer);
    net_destroy(&fixture.net);
}

/* Without a hidden layer, half the sum of squares has the solution of least squares as its minimum. */
static void test_least_squares(void **state)
{
    (void)state;
    const struct net_layer_choice layer = {1, MLP_LINEAR, 1, 0};
    const struct net_choice choice = {2, 1, &layer, MLP_LOSS_E, 1, 0};
    static const double inputs[] = {0, 0, 1, 0, 0, 1, 1, 1, 2, 1};
    static const double targets[] = {1, 3, 0, 4, 5};
    struct net *net;
    double zeros[3] = {0}, normal[3] = {0};
    assert_ok(net_create(&choice, &net, &test_error));
    const struct pass_data data = {.rows = 5, .inputs = inputs, .targets = targets};
    const struct training training = fixture_training(MLP_NESTEROV, 0.1);
    struct trainer *trainer;
    assert_ok(trainer_create(net, &training, &data, NULL, zeros, 1, &trainer, &test_error));
    go_on(trainer, 2000);
    /* The normal equations: residuals are orthogonal to each column. */
    for (size_t r = 0; r < 5; r++) {
        const double *const w = trainer->parameters, *const x = inputs + 2 * r;
        const double residual = w[0] * x[0] + w[1] * x[1] + w[2] - targets[r];
        normal[0] += residual * x[0];
        normal[1] += residual * x[1];
        normal[2] += residual;
    }
    for (size_t k = 0; k < 3; k++)
        assert_near(normal[k], 0, 1e-12);
    trainer_destroy(&trainer);
    net_destroy(&net);
}

static void test_errors(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, false);
    struct training training = fixture_training(MLP_SGD, 0.1);
    struct pass_data none = fixture.data;
    none.rows = 0;
    struct trainer *trainer;
    assert_status(
        trainer_create(fixture.net, &training, &none, NULL, fixture.parameters, 1, &trainer, &test_error),
        SHOAL_INVALID);
    assert_contains(test_error.message, "no training row");
    training.rate = NAN;
    assert_status(trainer_create(fixture.net, &training, &fixture.data, NULL, fixture.parameters, 1, &trainer,
                                 &test_error),
                  SHOAL_INVALID);
    /* Steps of 1e200 overflow; the best parameters are those of an epoch before. */
    training = fixture_training(MLP_SGD, 1e-3);
    training.patience = 100; /* so that the best are kept */
    trainer = start(&fixture, &training);
    go_on(trainer, 3);
    double best[FIXTURE_PARAMETERS];
    memcpy(best, trainer->best, sizeof best);
    double loss, score;
    trainer_score(trainer, &fixture.data, best, &loss, &score);
    assert_true(loss == trainer->base.state.best_loss && trainer->base.state.best_update == 3);
    training.rate = 1e308;
    enum shoal_status status = SHOAL_OK;
    while (!status && trainer->base.state.update < 20)
        status = trainer_update(&trainer->base, 1, &test_error);
    assert_int_equal(status, SHOAL_CHECK_FAILED);
    char update[64];
    snprintf(update, sizeof update, "update %llu ", (unsigned long long)trainer->base.state.update + 1);
    assert_contains(test_error.message, update);
    assert_memory_equal(trainer->best, best, sizeof best);
    trainer_destroy(&trainer);
    net_destroy(&fixture.net);
}

static void test_bad_nets(void **state)
{
    (void)state;
    static const struct {
        struct net_layer_choice hidden, last;
        int loss;
        const char *message;
    } cases[] = {
        {{0, MLP_TANH, 1, 0}, {2, MLP_LINEAR, 1, 0}, MLP_LOSS_E, "layer 1 has no units"},
        {{3, MLP_SOFTMAX, 1, 0}, {2, MLP_LINEAR, 1, 0}, MLP_LOSS_E, "softmax is for the last layer"},
        {{3, MLP_TANH, 1, 1}, {2, MLP_LINEAR, 1, 0}, MLP_LOSS_E, "dropout is a share"},
        {{3, MLP_TANH, 1, 0}, {2, MLP_LINEAR, 1, 0.5}, MLP_LOSS_E, "layer 2 has the outputs"},
        {{3, MLP_TANH, 1, 0}, {1, MLP_SOFTMAX, 1, 0}, MLP_LOSS_CROSS_ENTROPY, "at least two"},
        {{3, MLP_TANH, 1, 0}, {2, MLP_TANH, 1, 0}, MLP_LOSS_LOGISTIC, "logistic outputs of slope 1"},
        {{3, MLP_TANH, 1, 0}, {2, MLP_LINEAR, 1, 0}, MLP_LOSS_HUBER, "limit of Huber's loss"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct net_layer_choice layers[] = {cases[k].hidden, cases[k].last};
        const struct net_choice choice = {4, 2, layers, cases[k].loss, 0, 0};
        struct net *net;
        test_label("case %zu", k);
        assert_status(net_create(&choice, &net, &test_error), SHOAL_INVALID);
        assert_null(net);
        assert_contains(test_error.message, cases[k].message);
    }
    /* A petabyte of values: refused before it is asked for. */
    const struct net_layer_choice wide[] = {{1u << 20, MLP_TANH, 1, 0}, {2, MLP_LINEAR, 1, 0}};
    const struct net_choice large = {4, 2, wide, MLP_LOSS_E, 1, 0};
    struct net *net;
    struct pass *pass;
    assert_ok(net_create(&large, &net, &test_error));
    assert_true(pass_create(net, (size_t)1 << 26, &pass, &test_error) != SHOAL_OK);
    assert_null(pass);
    assert_contains(test_error.message, "lower the batch or the widths");
    net_destroy(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_torch_gradient, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_factors, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_torch_updates, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_torch_thesis, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_zeros, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_resume, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_epochs, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_patience, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_least_squares, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_errors, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_bad_nets, test_begin, test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
