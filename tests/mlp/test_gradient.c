/* Gradients against central differences, the rules of starts, orders and rates. */
#include "fixture.h"

#include <shoal/rng.h>
#include <stdlib.h>

#include "mlp/host/texts.h"

enum { ROWS = 11, MOST = 64 };

struct gradient_case {
    struct net *net;
    struct training training;
    struct pass_data data;
    struct pass *pass;
    double parameters[MOST];
};

static double value_of(struct gradient_case *c, double *gradient)
{
    const struct pass_dropout dropout = {5, 3};
    const struct pass_batch batch = {.data = &c->data, .count = ROWS, .dropout = &dropout};
    const struct pass_sums sums = pass_run(c->pass, &batch, c->parameters, gradient, NULL);
    return sums.loss / sums.weight + training_penalty(&c->training, c->net, c->parameters, gradient);
}

/* Counts parameters whose differences to both sides do not meet: a kink lies between, seen without the
 * gradient under test. */
static unsigned check_gradient(struct gradient_case *c)
{
    const double h = 1e-5;
    double gradient[MOST];
    unsigned kinks = 0;
    const double here = value_of(c, gradient);
    for (size_t k = 0; k < c->net->parameters; k++) {
        const double kept = c->parameters[k];
        c->parameters[k] = kept + h;
        const double above = value_of(c, NULL);
        c->parameters[k] = kept - h;
        const double below = value_of(c, NULL);
        c->parameters[k] = kept;
        if (fabs((above - here) - (here - below)) > 1e-3 * h)
            kinks++;
        else /* h^2 of the third derivative, 1e-16 / h of rounding: both below 1e-9 */
            assert_close(gradient[k], (above - below) / (2 * h), 1e-7);
    }
    return kinks;
}

static void fill_case(struct gradient_case *c, double *inputs, double *targets, double *weights,
                      uint32_t *classes, bool has_classes)
{
    for (size_t k = 0; k < ROWS * 4; k++)
        inputs[k] = sin(1.7 * (double)k + 0.3);
    for (size_t k = 0; k < ROWS * 3; k++)
        targets[k] = 0.5 + 0.4 * cos(2.3 * (double)k);
    for (size_t r = 0; r < ROWS; r++) {
        weights[r] = 0.25 * (double)(r % 4);
        classes[r] = (uint32_t)(r * r % 3);
    }
    for (size_t k = 0; k < c->net->parameters; k++)
        c->parameters[k] = 0.8 * sin(12.9898 * (double)k + 1);
    c->data =
        (struct pass_data){ROWS, inputs, has_classes ? classes : NULL, has_classes ? NULL : targets, weights};
}

static int last_activation(int loss, int hidden)
{
    if (loss == MLP_LOSS_CROSS_ENTROPY)
        return MLP_SOFTMAX;
    return loss == MLP_LOSS_LOGISTIC ? MLP_LOGISTIC : hidden;
}

/* Penalty 1: L1, 2: L2, 3: elimination. The activation is in the hidden layer, softmax in the last. */
static unsigned check_case(int activation, int loss, int penalty, unsigned *count)
{
    const bool is_softmax = activation == MLP_SOFTMAX;
    const int hidden = is_softmax ? MLP_TANH : activation;
    const struct net_layer_choice layers[] = {
        {5, hidden, hidden == MLP_LEAKY_RELU ? 0.1 : 1.3, 0.25},
        {3, is_softmax && loss != MLP_LOSS_LOGISTIC ? MLP_SOFTMAX : last_activation(loss, hidden),
         loss == MLP_LOSS_LOGISTIC  ? 1
         : hidden == MLP_LEAKY_RELU ? 0.1
                                    : 1.3,
         0}};
    const struct net_choice choice = {4, 2, layers, loss, 0.2, 0.1};
    struct gradient_case c = {.training = fixture_training(MLP_SGD, 1)};
    double inputs[ROWS * 4], targets[ROWS * 3], weights[ROWS];
    uint32_t classes[ROWS];
    test_label("activation %d, loss %d, penalty %d", activation, loss, penalty);
    assert_ok(net_create(&choice, &c.net, &test_error));
    assert_ok(pass_create(c.net, ROWS, &c.pass, &test_error));
    fill_case(&c, inputs, targets, weights, classes, (activation + loss) % 2 == 0);
    c.training.l1 = penalty == 1 ? 0.03 : 0;
    c.training.l2 = penalty == 2 ? 0.03 : 0;
    c.training.elimination = penalty == 3 ? 0.03 : 0;
    c.training.elimination_scale = 0.7;
    const unsigned kinks = check_gradient(&c);
    *count += (unsigned)c.net->parameters;
    pass_destroy(&c.pass);
    net_destroy(&c.net);
    return kinks;
}

static void test_differences(void **state)
{
    (void)state;
    unsigned kinks = 0, count = 0;
    for (int activation = 0; activation < MLP_ACTIVATIONS; activation++)
        for (int loss = 0; loss < MLP_LOSSES; loss++)
            for (int penalty = 0; penalty < 4; penalty++)
                /* Its derivative is that of the perceptron's rule. */
                if (activation != MLP_THRESHOLD)
                    kinks += check_case(activation, loss, penalty, &count);
    assert_at_most(kinks, 0.01 * count);
}

static void test_large_logits(void **state)
{
    (void)state;
    const double right = mlp_output_loss(MLP_LOSS_LOGISTIC, 1, 1e4, 1);
    assert_near(right, 0, 0);
    assert_near(mlp_output_loss(MLP_LOSS_LOGISTIC, 1, 1e4, 0), 1e4, 0);
    assert_near(mlp_output_loss(MLP_LOSS_LOGISTIC, 1, -1e4, 1), 1e4, 0);
    const struct net_layer_choice layer = {2, MLP_SOFTMAX, 1, 0};
    const struct net_choice choice = {1, 1, &layer, MLP_LOSS_CROSS_ENTROPY, 1, 0};
    const double parameters[] = {1e4, -1e4, 0, 0}, input = 1;
    const uint32_t classes[] = {1};
    const struct pass_data data = {.rows = 1, .inputs = &input, .classes = classes};
    const struct pass_batch batch = {.data = &data, .count = 1};
    struct net *net;
    struct pass *pass;
    double gradient[4], outputs[2];
    assert_ok(net_create(&choice, &net, &test_error));
    assert_ok(pass_create(net, 1, &pass, &test_error));
    const struct pass_sums sums = pass_run(pass, &batch, parameters, gradient, outputs);
    assert_near(sums.loss, 2e4, 0);
    assert_near(gradient[0], 1, 0);
    assert_near(gradient[1], -1, 0);
    assert_near(outputs[0], 1, 0);
    pass_destroy(&pass);
    net_destroy(&net);
}

/* Rows of a batch in another order, in more blocks and threads: by rounding only, and threads not at all. */
static void test_orders_of_rows(void **state)
{
    (void)state;
    enum { N = 203, IN = 9 };
    const struct net_layer_choice layers[] = {{13, MLP_SILU, 1, 0}, {4, MLP_SOFTMAX, 1, 0}};
    const struct net_choice choice = {IN, 2, layers, MLP_LOSS_CROSS_ENTROPY, 1, 0};
    struct net *net;
    struct pass *pass;
    double inputs[N * IN], a[512], b[512], parameters[512];
    uint32_t classes[N], row[N];
    assert_ok(net_create(&choice, &net, &test_error));
    assert_true(net->parameters <= 512);
    for (size_t k = 0; k < N * IN; k++)
        inputs[k] = sin((double)k * 3.1);
    for (uint32_t r = 0; r < N; r++) {
        classes[r] = r % 4;
        row[r] = N - 1 - r;
    }
    const struct net_start start = {NET_XAVIER, 0, NAN, 3};
    assert_ok(net_begin(net, &start, parameters, &test_error));
    const struct pass_data data = {.rows = N, .inputs = inputs, .classes = classes};
    struct pass_batch batch = {.data = &data, .count = N};
    assert_ok(pass_create(net, N, &pass, &test_error));
    pass_run(pass, &batch, parameters, a, NULL);
    pass_set_threads(pass, 3);
    pass_run(pass, &batch, parameters, b, NULL);
    assert_memory_equal(a, b, net->parameters * sizeof *a);
    batch.row = row;
    pass_run(pass, &batch, parameters, b, NULL);
    for (size_t k = 0; k < net->parameters; k++)
        assert_near(b[k], a[k], 1e-14);
    pass_destroy(&pass);
    net_destroy(&net);
}

/* Each row once, whatever their number; and each row at each place about as often. */
static void test_permutation(void **state)
{
    (void)state;
    static unsigned char seen[5000];
    for (uint32_t rows = 1; rows < 5000; rows += rows < 70 ? 1 : 617) {
        const mlp_order order = mlp_order_of(77, rows, rows);
        memset(seen, 0, rows);
        test_label("%u rows", rows);
        for (uint32_t place = 0; place < rows; place++) {
            const uint32_t row = mlp_order_row(order, place);
            assert_true(row < rows && !seen[row]);
            seen[row] = 1;
        }
    }
    enum { SMALL = 10, EPOCHS = 20000 };
    unsigned count[SMALL][SMALL] = {{0}};
    for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
        const mlp_order order = mlp_order_of(1, epoch, SMALL);
        for (uint32_t place = 0; place < SMALL; place++)
            count[place][mlp_order_row(order, place)]++;
    }
    double chi = 0;
    for (int p = 0; p < SMALL; p++)
        for (int r = 0; r < SMALL; r++)
            chi += pow((double)count[p][r] - EPOCHS / SMALL, 2) / (EPOCHS / SMALL);
    /* 81 degrees of freedom, and fixed seeds: 81 on average, 139 once in ten thousand. */
    assert_at_most(chi, 139);
}

static void test_starts(void **state)
{
    (void)state;
    const struct net_layer_choice layers[] = {{40, MLP_TANH, 1, 0}, {25, MLP_TANH, 1, 0}};
    const struct net_choice choice = {30, 2, layers, MLP_LOSS_E, 1, 0};
    static double parameters[30 * 40 + 40 + 40 * 25 + 25];
    struct net *net;
    assert_ok(net_create(&choice, &net, &test_error));
    struct net_start start = {NET_ORTHOGONAL, 0, -3, 9};
    assert_ok(net_begin(net, &start, parameters, &test_error));
    for (size_t a = 0; a < 30; a++) /* 40 rows of 30: the columns are orthonormal */
        for (size_t b = 0; b < 30; b++) {
            double sum = 0;
            for (size_t o = 0; o < 40; o++)
                sum += parameters[o * 30 + a] * parameters[o * 30 + b];
            assert_near(sum, a == b, 1e-14);
        }
    assert_near(parameters[net->layers[0].biases], 0, 0);
    assert_near(parameters[net->layers[1].biases + 24], -3, 0);
    start.rule = NET_HE;
    assert_ok(net_begin(net, &start, parameters, &test_error));
    double sum = 0;
    for (size_t k = 0; k < 1200; k++)
        sum += parameters[k] * parameters[k];
    assert_near(sum / 1200, 2.0 / 30, 5 * sqrt(2.0 / 1200) * 2.0 / 30); /* five deviations of a variance */
    start = (struct net_start){NET_UNIFORM, 0.3, NAN, 9};
    assert_ok(net_begin(net, &start, parameters, &test_error));
    double most = 0;
    for (size_t k = 0; k < net->parameters; k++)
        most = fmax(most, fabs(parameters[k]));
    assert_at_most(most, 0.3);
    assert_at_most(0.29, most);
    net_destroy(&net);
}

static void test_rates(void **state)
{
    (void)state;
    struct training t = fixture_training(MLP_SGD, 2);
    t.schedule = TRAINING_COSINE;
    t.warm_up = 4;
    t.total_updates = 24;
    assert_near(training_rate(&t, 0, 0, 0), 0.5, 0);
    assert_near(training_rate(&t, 3, 0, 0), 2, 0);
    assert_near(training_rate(&t, 4, 0, 0), 2, 0);
    assert_near(training_rate(&t, 14, 0, 0), 1, 1e-15);
    assert_near(training_rate(&t, 24, 0, 0), 0, 0);
    t = fixture_training(MLP_SGD, 2);
    t.schedule = TRAINING_STEPS;
    t.factor = 0.5;
    t.period = 3;
    assert_near(training_rate(&t, 100, 2, 0), 2, 0);
    assert_near(training_rate(&t, 100, 6, 0), 0.5, 0);
    t.schedule = TRAINING_PLATEAU;
    assert_near(training_rate(&t, 100, 6, 3), 0.25, 0);
    double gradient[] = {3, 4};
    t.clip = 1;
    assert_near(training_clip(&t, 2, gradient), 5, 0);
    assert_near(gradient[1], 0.8, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_differences, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_large_logits, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_orders_of_rows, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_permutation, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_starts, test_begin, test_end),
        cmocka_unit_test_setup_teardown(test_rates, test_begin, test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
