/* The thesis's methods: gradients, losses, predictions and updates against the host in double precision. */
#include "harness.h"
#include "mlp/thesis/thesis.h"

#include <math.h>
#include <string.h>

/* Net, rows and how the methods lie over the device. */
struct problem {
    uint32_t inputs, hidden, outputs;
    int32_t activation, last, loss;
    size_t rows, validation;
    bool has_classes, has_weights;
};

enum { LETTERS, TANGENTS, NUMBERS, SMOOTH, ONE, FEW_NUMBERS, PROBLEMS };
static const struct problem problems[PROBLEMS] = {
    [LETTERS] = {64, 63, 26, MLP_LOGISTIC, MLP_LOGISTIC, MLP_LOSS_E, 31, 7, true, false},
    [TANGENTS] = {5, 7, 3, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY, 67, 5, true, true},
    [NUMBERS] = {2, 511, 2, MLP_RELU, MLP_LINEAR, MLP_LOSS_HUBER, 29, 3, false, true},
    [SMOOTH] = {9, 3, 1, MLP_GELU, MLP_LOGISTIC, MLP_LOSS_LOGISTIC, 45, 0, true, false},
    [ONE] = {1, 1, 1, MLP_LOGISTIC, MLP_LOGISTIC, MLP_LOSS_E, 1, 0, true, false},
    [FEW_NUMBERS] = {4, 3, 2, MLP_TANH, MLP_LINEAR, MLP_LOSS_SQUARED, 33, 6, false, true},
};

struct fixture {
    struct net *net;
    struct pass_data data;
    struct training training;
    struct programs programs;
    double *start;
    double factors[2][2]; /* of numbers: of training and validation rows */
};

static double *numbers(size_t count, uint32_t stream, double size)
{
    uint32_t *words = harness_memory(count * sizeof *words);
    double *out = harness_memory(count * sizeof *out);
    harness_words(words, count, stream);
    for (size_t k = 0; k < count; k++)
        out[k] = size * (double)(shoal_uniform_float(words[k]) - 0.5f);
    return out;
}

static void open_fixture(struct fixture *fixture, const struct problem *problem)
{
    const struct net_layer_choice layers[] = {{problem->hidden, problem->activation, 1, 0},
                                              {problem->outputs, problem->last, 1, 0}};
    const struct net_choice choice = {problem->inputs, 2, layers, problem->loss, 0.3, 0};
    const size_t rows = problem->rows + problem->validation;
    *fixture = (struct fixture){.programs = {.device = harness.device, .variant = harness.variant}};
    assert_ok(net_create(&choice, &fixture->net, &test_error));
    /* Numbers that single precision has exactly. */
    double *inputs = numbers(rows * problem->inputs, 1, 2);
    uint32_t *classes = harness_memory(rows * sizeof *classes);
    double *weights = harness_memory(rows * sizeof *weights);
    for (size_t r = 0; r < rows; r++) {
        classes[r] = (uint32_t)(r * 7 % (problem->outputs == 1 ? 2 : problem->outputs));
        weights[r] = 1 + (double)(r % 3);
    }
    for (size_t k = 0; k < rows * problem->inputs; k++)
        inputs[k] = (double)(float)inputs[k];
    fixture->data =
        (struct pass_data){.rows = rows,
                           .inputs = inputs,
                           .classes = problem->has_classes ? classes : NULL,
                           .targets = problem->has_classes ? NULL : numbers(rows * problem->outputs, 2, 2),
                           .weights = problem->has_weights ? weights : NULL};
    for (size_t part = 0; part < 2 && !problem->has_classes; part++)
        pass_factors(fixture->data.targets, fixture->data.weights, part ? problem->rows : 0,
                     part ? problem->validation : problem->rows, problem->outputs, fixture->factors[part]);
    fixture->data.factors = problem->has_classes ? NULL : fixture->factors[0];
    fixture->start = numbers(fixture->net->parameters, 3, 1);
    fixture->training = (struct training){.optimiser = MLP_MOMENTUM,
                                          .rate = 0.5,
                                          .momentum = 0.9,
                                          .beta2 = 0.999,
                                          .epsilon = 1e-8,
                                          .decay = 0.01,
                                          .up = 1.2,
                                          .down = 0.5,
                                          .least = 1e-6,
                                          .greatest = 50,
                                          .elimination_scale = 1,
                                          .seed = 1};
}

static void close_fixture(struct fixture *fixture)
{
    programs_destroy(&fixture->programs);
    net_destroy(&fixture->net);
    harness_release();
}

static struct mlp_thesis_setup setup_of(struct fixture *fixture, const struct problem *problem, bool is_v2,
                                        const struct shoal_mlp_thesis *params)
{
    return (struct mlp_thesis_setup){.queue = harness.queue,
                                     .programs = &fixture->programs,
                                     .is_v2 = is_v2,
                                     .params = params,
                                     .net = fixture->net,
                                     .training = &fixture->training,
                                     .rows = &fixture->data,
                                     .training_rows = problem->rows,
                                     .validation_rows = problem->validation};
}

static double deviation(const double *got, const double *right, size_t count)
{
    double sum = 0, size = 0;
    for (size_t k = 0; k < count; k++) {
        sum += (got[k] - right[k]) * (got[k] - right[k]);
        size += right[k] * right[k];
    }
    return sqrt(sum) / sqrt(size);
}

/* Of the training rows, and predictions of all. */
static void check_pass(struct fixture *fixture, const struct problem *problem, struct mlp_thesis *thesis,
                       double tolerance)
{
    const struct net *net = fixture->net;
    double *got = harness_memory(net->parameters * sizeof *got);
    double *right = harness_memory(net->parameters * sizeof *right);
    const size_t outputs = fixture->data.rows * net->outputs;
    double *shown = harness_memory(outputs * sizeof *shown), *exact = harness_memory(outputs * sizeof *exact);
    const struct pass_batch batch = {.data = &fixture->data, .count = problem->rows},
                            all = {.data = &fixture->data, .count = fixture->data.rows};
    struct pass *pass = NULL;
    struct pass_sums sum;
    assert_ok(mlp_thesis_begin(&thesis->base, fixture->start, &test_error));
    assert_ok(mlp_thesis_gradient(thesis, &sum, got, &test_error));
    assert_ok(pass_create(net, fixture->data.rows, &pass, &test_error));
    const struct pass_sums host = pass_run(pass, &batch, fixture->start, right, NULL);
    pass_run(pass, &all, fixture->start, NULL, exact);
    pass_destroy(&pass);
    if (!(deviation(got, right, net->parameters) <= tolerance))
        fail_msg("gradient of %u-%u-%u with %zu rows: %g", (unsigned)net->inputs,
                 (unsigned)net->layers[0].outputs, (unsigned)net->outputs, problem->rows,
                 deviation(got, right, net->parameters));
    assert_true(fabs(sum.loss - host.loss) <= tolerance * fabs(host.loss));
    assert_true(fabs(sum.weight - host.weight) <= 1e-9 * host.weight);
    assert_true(fabs(sum.score - host.score) <= 1e-3 + tolerance * fabs(host.score));
    assert_ok(mlp_thesis_predict(&thesis->base, fixture->start, 0, fixture->data.rows, shown, &test_error));
    assert_true(deviation(shown, exact, outputs) <= tolerance);
    /* The sums once more: nothing was left of the passes before. */
    double *again = harness_memory(net->parameters * sizeof *again);
    assert_ok(mlp_thesis_gradient(thesis, &sum, again, &test_error));
    assert_memory_equal(got, again, net->parameters * sizeof *got);
}

static void check_form(struct fixture *fixture, const struct problem *problem, bool is_v2,
                       const struct shoal_mlp_thesis *params, bool is_double)
{
    struct mlp_thesis_setup setup = setup_of(fixture, problem, is_v2, params);
    struct mlp_thesis *thesis = NULL;
    setup.is_double = is_double;
    assert_ok(mlp_thesis_create(&setup, &thesis, &test_error));
    check_pass(fixture, problem, thesis, is_double ? 1e-12 : 1e-5);
    mlp_thesis_destroy(&thesis);
}

/* Layouts, blocks that do not divide the rows, and where sums are made: a build of v1 does for all. */
static void check_v1(struct fixture *fixture, const struct problem *problem)
{
    for (int form = 0; form < 8; form += harness.tiny ? 3 : 1) {
        const struct shoal_mlp_thesis params = {.blocks = 3,
                                                .threads = 4,
                                                .values = 1 + (form & 1),
                                                .deltas = 1 + (form >> 1 & 1),
                                                .sum = 1 + (form >> 2),
                                                .stores = form % 3 == 0};
        check_form(fixture, problem, false, &params, false);
    }
}

static void check_v2(struct fixture *fixture, const struct problem *problem, uint64_t threads,
                     uint64_t interleave)
{
    for (int form = 0; form < 4; form += harness.tiny ? 3 : 1) {
        const struct shoal_mlp_thesis params = {.blocks = 3,
                                                .threads = threads,
                                                .interleave = interleave,
                                                .deltas = 1 + (form & 1),
                                                .sum = 1 + (form >> 1)};
        check_form(fixture, problem, true, &params, false);
    }
}

static void gradients(void **state)
{
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        struct fixture fixture;
        if (harness.tiny && (k == NUMBERS || k == LETTERS))
            continue;
        if (!harness_takes_case())
            continue;
        open_fixture(&fixture, &problems[k]);
        check_v1(&fixture, &problems[k]);
        /* Fewer threads than neurons. */
        check_v2(&fixture, &problems[k], 4, k % 2 ? 3 : 4);
        close_fixture(&fixture);
    }
}

/* As many threads as the widest layer has neurons, and more rows than blocks take at a time. */
static void many_rows(void **state)
{
    (void)state;
    struct problem problem = problems[ONE];
    struct fixture fixture;
    if (harness.tiny)
        skip();
    problem.inputs = 6;
    problem.hidden = 5;
    problem.outputs = 3;
    problem.rows = 15361;
    open_fixture(&fixture, &problem);
    check_form(&fixture, &problem, false, &(struct shoal_mlp_thesis){.blocks = 60, .threads = 16}, false);
    check_form(&fixture, &problem, true, &(struct shoal_mlp_thesis){.blocks = 60}, false);
    close_fixture(&fixture);
}

static void in_double(void **state)
{
    (void)state;
    struct fixture fixture;
    if (!harness_has_fp64())
        skip();
    open_fixture(&fixture, &problems[TANGENTS]);
    for (int is_v2 = 0; is_v2 < 2; is_v2++)
        check_form(&fixture, &problems[TANGENTS], is_v2,
                   &(struct shoal_mlp_thesis){.blocks = 2, .threads = 8}, true);
    close_fixture(&fixture);
}

/* Layers too wide for local memory. */
static void wide(void **state)
{
    (void)state;
    const struct problem problem = {4000, 3, 2, MLP_LOGISTIC, MLP_LOGISTIC, MLP_LOSS_E, 9, 2, true, false};
    const struct shoal_mlp_thesis params = {.threads = 16, .interleave = 16};
    struct fixture fixture;
    struct mlp_thesis_plan plan;
    if (harness.tiny)
        skip();
    open_fixture(&fixture, &problem);
    const struct mlp_thesis_setup setup = setup_of(&fixture, &problem, true, &params);
    mlp_thesis_plan(&setup, &plan);
    assert_int_equal(plan.room, 0);
    check_form(&fixture, &problem, true, &params, false);
    close_fixture(&fixture);
}

/* A few epochs as a trainer on the host makes them. */
static void check_training(struct fixture *fixture, const struct problem *problem, bool is_v2,
                           const struct shoal_mlp_thesis *params)
{
    const int epochs = harness.tiny ? 2 : 3;
    const size_t count = fixture->net->parameters, n = problem->rows;
    const struct mlp_thesis_setup setup = setup_of(fixture, problem, is_v2, params);
    struct pass_data rows = fixture->data, validation = fixture->data;
    struct trainer *trainer = NULL;
    struct mlp_thesis *thesis = NULL;
    struct trainer_epoch right, got;
    rows.rows = n;
    validation.rows = problem->validation;
    validation.inputs += n * problem->inputs;
    validation.classes += validation.classes ? n : 0;
    validation.targets += validation.targets ? n * problem->outputs : 0;
    validation.weights += validation.weights ? n : 0;
    validation.factors = problem->has_classes ? NULL : fixture->factors[1];
    assert_ok(trainer_create(fixture->net, &fixture->training, &rows,
                             problem->validation ? &validation : NULL, fixture->start, 1, &trainer,
                             &test_error));
    assert_ok(mlp_thesis_create(&setup, &thesis, &test_error));
    assert_ok(mlp_thesis_begin(&thesis->base, fixture->start, &test_error));
    for (int epoch = 0; epoch < epochs; epoch++) {
        assert_ok(trainer_update(&trainer->base, 1, &test_error));
        assert_ok(trainer_end_epoch(&trainer->base, &right, &test_error));
        assert_ok(mlp_thesis_update(&thesis->base, 1, &test_error));
        assert_ok(mlp_thesis_end_epoch(&thesis->base, &got, &test_error));
        assert_true(fabs(got.loss - right.loss) <= 1e-4 * fabs(right.loss));
        assert_int_equal(got.is_best, right.is_best);
        if (problem->validation)
            assert_true(fabs(got.validation_loss - right.validation_loss) <=
                            1e-4 * fabs(right.validation_loss) &&
                        fabs(got.validation_score - right.validation_score) <=
                            1e-4 * fmax(1, fabs(right.validation_score)));
        assert_true(fabs(got.score - right.score) <= 1e-4 * fmax(1, fabs(right.score)));
    }
    assert_ok(mlp_thesis_fetch(thesis, &test_error));
    for (int array = 0; array < 3; array++)
        assert_true(deviation(thesis->own + array * count, trainer->parameters + array * count, count) <=
                    1e-4);
    assert_int_equal(thesis->base.state.update, trainer->base.state.update);
    trainer_destroy(&trainer);
    mlp_thesis_destroy(&thesis);
}

static void updates(void **state)
{
    (void)state;
    const struct problem *problem = &problems[TANGENTS];
    struct fixture fixture;
    open_fixture(&fixture, problem);
    fixture.training.l1 = 0.001;
    fixture.training.l2 = 0.01;
    fixture.training.elimination = 0.01;
    for (int form = 0; form < 8; form += harness.tiny ? 3 : 1) {
        const struct shoal_mlp_thesis params = {
            .blocks = 2, .threads = 4, .sum = 1 + (form >> 1 & 1), .update = 1 + (form & 1)};
        fixture.training.optimiser =
            (int[]){MLP_MOMENTUM, MLP_ADAMW, MLP_IRPROP_MINUS, MLP_NESTEROV}[form / 2];
        fixture.training.rate = form / 2 == 1 || form / 2 == 2 ? 0.01 : 0.5;
        check_training(&fixture, problem, form >> 2, &params);
    }
    close_fixture(&fixture);
}

/* Whose score is R2. */
static void updates_of_numbers(void **state)
{
    (void)state;
    const struct shoal_mlp_thesis params = {.blocks = 2, .threads = 4};
    struct fixture fixture;
    open_fixture(&fixture, &problems[FEW_NUMBERS]);
    fixture.training.rate = 0.02;
    for (int is_v2 = 0; is_v2 < 2; is_v2++)
        check_training(&fixture, &problems[FEW_NUMBERS], is_v2, &params);
    close_fixture(&fixture);
}

/* A run that is saved and loaded goes on with the same bits. */
static void resume(void **state)
{
    (void)state;
    const struct problem *problem = &problems[TANGENTS];
    const struct shoal_mlp_thesis params = {.blocks = 2, .threads = 4, .update = SHOAL_MLP_ON_DEVICE};
    struct fixture fixture;
    struct mlp_thesis *thesis = NULL;
    open_fixture(&fixture, problem);
    const size_t bytes = TRAINER_ARRAYS * fixture.net->parameters * sizeof(double);
    double *whole = harness_memory(bytes), *half = harness_memory(bytes);
    const struct mlp_thesis_setup setup = setup_of(&fixture, problem, false, &params);
    assert_ok(mlp_thesis_create(&setup, &thesis, &test_error));
    assert_ok(mlp_thesis_begin(&thesis->base, fixture.start, &test_error));
    assert_ok(mlp_thesis_update(&thesis->base, 1, &test_error));
    assert_ok(mlp_thesis_fetch(thesis, &test_error));
    const struct trainer_state saved = thesis->base.state;
    memcpy(half, thesis->own, bytes);
    assert_ok(mlp_thesis_update(&thesis->base, 1, &test_error));
    assert_ok(mlp_thesis_fetch(thesis, &test_error));
    memcpy(whole, thesis->own, bytes);
    assert_ok(mlp_thesis_load(&thesis->base, &saved, half, &test_error));
    assert_ok(mlp_thesis_update(&thesis->base, 1, &test_error));
    assert_ok(mlp_thesis_fetch(thesis, &test_error));
    assert_memory_equal(whole, thesis->own, bytes);
    assert_int_equal(thesis->base.state.update, 2);
    mlp_thesis_destroy(&thesis);
    close_fixture(&fixture);
}

/* A loss that is no finite number: an error that names the update, and parameters as before. */
static void not_finite(void **state)
{
    (void)state;
    const struct problem *problem = &problems[ONE];
    struct fixture fixture;
    open_fixture(&fixture, problem);
    fixture.net->layers[1].activation = MLP_LINEAR;
    for (int form = 0; form < 2; form++) {
        const struct shoal_mlp_thesis params = {
            .blocks = 2, .threads = 4, .sum = SHOAL_MLP_ON_DEVICE, .update = 1 + form};
        const struct mlp_thesis_setup setup = setup_of(&fixture, problem, false, &params);
        struct mlp_thesis *thesis = NULL;
        assert_ok(mlp_thesis_create(&setup, &thesis, &test_error));
        for (size_t k = 0; k < fixture.net->parameters; k++)
            fixture.start[k] = 3e38;
        assert_ok(mlp_thesis_begin(&thesis->base, fixture.start, &test_error));
        assert_status(mlp_thesis_update(&thesis->base, 1, &test_error), SHOAL_CHECK_FAILED);
        assert_non_null(strstr(test_error.message, "update 1 "));
        assert_ok(mlp_thesis_fetch(thesis, &test_error));
        for (size_t k = 0; k < fixture.net->parameters; k++)
            assert_true(thesis->own[k] > 2e38);
        mlp_thesis_destroy(&thesis);
    }
    close_fixture(&fixture);
}

static void check_refused(struct fixture *fixture, const struct shoal_mlp_thesis *params, const char *word)
{
    const struct mlp_thesis_setup setup = setup_of(fixture, &problems[TANGENTS], true, params);
    struct mlp_thesis *thesis = NULL;
    assert_status(mlp_thesis_create(&setup, &thesis, &test_error), SHOAL_UNSUPPORTED);
    assert_null(thesis);
    assert_non_null(strstr(test_error.message, word));
}

static void refused(void **state)
{
    (void)state;
    const struct shoal_mlp_thesis here = {.update = SHOAL_MLP_ON_DEVICE}, plain = {.blocks = 0};
    struct fixture fixture;
    open_fixture(&fixture, &problems[TANGENTS]);
    fixture.training.batch = 16;
    check_refused(&fixture, &plain, "--full-batch");
    fixture.training.batch = 0;
    fixture.training.clip = 1;
    check_refused(&fixture, &here, "--update-on host");
    fixture.training.clip = 0;
    fixture.net->layers[0].dropout = 0.1;
    check_refused(&fixture, &plain, "--dropout");
    fixture.net->layers[0].dropout = 0;
    fixture.net->loss = MLP_LOSS_E;
    check_refused(&fixture, &plain, "softmax");
    net_destroy(&fixture.net);
    const struct net_layer_choice layers[] = {
        {4, MLP_TANH, 1, 0}, {4, MLP_TANH, 1, 0}, {3, MLP_LINEAR, 1, 0}};
    assert_ok(net_create(&(struct net_choice){5, 3, layers, MLP_LOSS_E, 1, 0}, &fixture.net, &test_error));
    check_refused(&fixture, &plain, "one hidden layer");
    close_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(in_double),
        cmocka_unit_test(wide),
        by_turn(updates),
        cmocka_unit_test(updates_of_numbers),
        cmocka_unit_test(resume),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(refused),
    };
    return harness_main("mlp-thesis", tests, sizeof tests / sizeof *tests);
}
