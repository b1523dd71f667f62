/* Training on devices against the host's in double precision. */
#include "mlp/observe/metrics.h"
#include "work.h"

/* Gradients ------------------------------------------------------------------------------------------- */

static const struct shape shapes[] = {
    {"1-1-1", 1, 2, {1, 1}, MLP_TANH, MLP_LINEAR, MLP_LOSS_SQUARED, STORAGE_FP32, false, true},
    {"2-511-2",
     2,
     2,
     {511, 2},
     MLP_TANH,
     MLP_SOFTMAX,
     MLP_LOSS_CROSS_ENTROPY,
     STORAGE_FP32,
     true,
     false,
     0,
     0.1},
    {"469-469-3", 469, 2, {469, 3}, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY, STORAGE_FP32, true, true},
    {"five layers", 33, 5, {17, 40, 9, 31, 4}, MLP_GELU, MLP_LOGISTIC, MLP_LOSS_E, STORAGE_U8, true, false},
    {"steps", 12, 2, {9, 4}, MLP_PIECEWISE_LINEAR, MLP_THRESHOLD, MLP_LOSS_E, STORAGE_FP32, true, true},
    {"softmax under E", 70, 2, {26, 5}, MLP_SILU, MLP_SOFTMAX, MLP_LOSS_E, STORAGE_BITS, true, true},
    /* Of the form for GPUs: sums in parts where there are few tiles; outputs too many for a work-item, or for
       mlp_head. */
    {"parts before the head",
     300,
     2,
     {20, 3},
     MLP_GELU,
     MLP_LINEAR,
     MLP_LOSS_LOGISTIC,
     STORAGE_U8,
     false,
     false},
    {"parts", 300, 3, {20, 17, 40}, MLP_LEAKY_RELU, MLP_LINEAR, MLP_LOSS_HUBER, STORAGE_U8, false, true},
    {"wide outputs",
     13,
     1,
     {300},
     MLP_TANH,
     MLP_SOFTMAX,
     MLP_LOSS_CROSS_ENTROPY,
     STORAGE_BITS,
     true,
     true,
     0,
     0.1},
};
enum { FOR_GPUS = 3 };
static const size_t counts[] = {1, 31, 15361};

static void check_gradient(const struct shape *shape, size_t rows, bool is_double, enum mlp_device_text text)
{
    struct work work;
    struct pass *pass;
    make(&work, shape, rows);
    struct training training = training_of(MLP_ADAM, 0);
    training.l1 = 1e-4;
    training.elimination = 1e-3;
    struct net_training *device = open_device(&work, &training, is_double, text, 0);
    const size_t count = work.net->parameters;
    double *const exact = harness_memory(count * sizeof *exact), *const got =
                                                                     harness_memory(count * sizeof *got);
    double loss;
    assert_ok(pass_create(work.net, rows, &pass, &test_error));
    const struct pass_batch batch = {.data = &work.rows, .count = rows};
    const struct pass_sums sums = pass_run(pass, &batch, work.parameters, exact, NULL);
    training_penalty(&training, work.net, work.parameters, exact);
    assert_ok(mlp_device_gradient(device, 0, rows, &loss, got, &test_error));
    /* The limits; a batch of weight 0 has the penalty's gradient. */
    const double limit = is_double ? 1e-12 : 1e-5, error = distance(got, exact, count);
    if (!(error <= limit))
        fail_msg("%s, %zu rows, %s in %d bits: gradient off by %g", shape->name, rows,
                 text == MLP_DEVICE_TILED ? "tiled" : "serial", is_double ? 64 : 32, error);
    const double expected = sums.weight > 0 ? sums.loss / sums.weight : 0;
    assert_near(loss, expected, limit * fmax(1, fabs(expected)));
    pass_destroy(&pass);
    mlp_device_destroy(&device);
    close_work(&work);
}

/* Each `step`th shape of the first ones. */
static void check_gradients(bool is_double, enum mlp_device_text text, size_t end, size_t step)
{
    for (size_t s = 0; s < end; s += step) {
        /* Many outputs have kernels of their own. */
        const bool is_wide = shapes[s].outputs[shapes[s].layers - 1] > 32;
        if (!harness_takes_case_of(is_wide ? "wide" : "narrow"))
            continue;
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            size_t rows = counts[c];
            if (rows > 1000 &&
                (harness.tiny || s == 2)) /* the widest on fewer rows: the host takes as long */
                rows = harness.tiny ? 65 : 1025;
            if (harness.tiny && shapes[s].outputs[0] > 100)
                continue;
            check_gradient(&shapes[s], rows, is_double, text);
        }
    }
}

static void gradients(void **state)
{
    (void)state;
    const size_t all = sizeof shapes / sizeof *shapes;
    check_gradients(false, MLP_DEVICE_SERIAL, all - FOR_GPUS, 1);
    check_gradients(false, MLP_DEVICE_TILED, all, 1);
    if (harness_has_fp64())
        for (int t = 0; t < TEXTS; t++)
            check_gradients(true, texts[t], all - FOR_GPUS, 3);
}

/* Runs ------------------------------------------------------------------------------------------------ */

enum { RUN_ROWS = 75, RUN_VALIDATION = 14, RUN_BATCH = 20, RUN_EPOCHS = 3 };

static void check_run(int optimiser, double clip, size_t shards, bool is_double, enum mlp_device_text text)
{
    struct work work;
    make(&work, &net_of_runs, RUN_ROWS);
    struct training training =
        training_of(optimiser, optimiser == MLP_IRPROP_PLUS ? 0 : RUN_BATCH); /* all rows, as it needs */
    training.clip = clip;
    training.l2 = 1e-3;
    training.shards = shards;
    training.schedule = TRAINING_COSINE;
    training.warm_up = 3;
    training.total_updates = 40;
    const size_t rows = RUN_ROWS - RUN_VALIDATION, count = work.net->parameters;
    struct pass_data part = work.rows, validation = work.rows;
    part.rows = rows;
    validation.rows = RUN_VALIDATION;
    validation.inputs += rows * net_of_runs.inputs;
    validation.classes += rows;
    validation.weights += rows;
    struct trainer *trainer;
    assert_ok(
        trainer_create(work.net, &training, &part, &validation, work.parameters, 1, &trainer, &test_error));
    struct net_training *device = open_device(&work, &training, is_double, text, RUN_VALIDATION);
    double *const got = harness_memory(count * sizeof *got);
    /* Rounding errors grow from update to update; iRPROP takes signs, which near 0 go either way in floats.
     */
    const double limit = is_double ? 1e-9 : 2e-3;
    const int epochs = harness.tiny ? 1 : RUN_EPOCHS;
    for (int epoch = 0; epoch < epochs; epoch++) {
        struct trainer_epoch there;
        for (uint64_t k = 0; k < trainer->updates; k++)
            assert_ok(trainer_update(&trainer->base, 1, &test_error));
        struct trainer_epoch here;
        assert_ok(trainer_end_epoch(&trainer->base, &here, &test_error));
        assert_ok(mlp_device_update(device, 2, &test_error));
        if (trainer->updates > 2)
            assert_ok(mlp_device_update(device, 1000, &test_error));
        assert_ok(mlp_device_end_epoch(device, &there, &test_error));
        uint64_t updates;
        assert_ok(mlp_device_settle(device, &updates, &test_error));
        assert_int_equal(updates, trainer->base.state.update);
        if (!(fabs(there.loss - here.loss) <= limit))
            fail_msg("optimiser %d, epoch %d: loss %.15g, not %.15g", optimiser, epoch, there.loss,
                     here.loss);
        assert_near(there.validation_loss, here.validation_loss, limit);
        assert_near(there.validation_score, here.validation_score, is_double ? limit : 0.2);
        assert_ok(mlp_device_parameters(device, false, got, &test_error));
        const double error = distance(got, trainer->parameters, count);
        if (!(error <= limit))
            fail_msg("optimiser %d, epoch %d: parameters off by %g", optimiser, epoch, error);
    }
    assert_ok(mlp_device_parameters(device, true, got, &test_error));
    assert_true(distance(got, trainer->best, count) <= limit);
    mlp_device_destroy(&device);
    trainer_destroy(&trainer);
    close_work(&work);
}

static void runs(void **state)
{
    (void)state;
    const bool is_double = harness_has_fp64();
    /* The rules are one text: the forms in turn, and both where the loss or the norm is asked for. */
    for (int optimiser = 0; optimiser < MLP_OPTIMISERS; optimiser++)
        if ((is_double || optimiser < MLP_IRPROP_MINUS) && harness_takes_case()) {
            const bool is_full = optimiser == MLP_MOMENTUM || optimiser == MLP_IRPROP_PLUS;
            const double clip = optimiser == MLP_MOMENTUM ? 0.05 : 0;
            check_run(optimiser, clip, 0, is_double, texts[optimiser % TEXTS]);
            if (is_full)
                check_run(optimiser, clip, 0, is_double, texts[1 - optimiser % TEXTS]);
        }
    for (int t = 0; t < TEXTS; t++)
        if (harness_takes_case() || harness.tiny)
            check_run(MLP_ADAMW, 0, 0, false, texts[t]);
}

/* The last batch has a single row, so with several shards it has shards without rows. */
static void runs_in_shards(void **state)
{
    (void)state;
    static const size_t shards[] = {2, 3, 8, 20};
    const bool is_double = harness_has_fp64();
    for (size_t k = 0; k < sizeof shards / sizeof *shards; k++)
        for (int t = 0; t < TEXTS; t++)
            if (harness_takes_case()) {
                check_run(MLP_ADAMW, 0, shards[k], is_double, texts[t]);
                check_run(MLP_MOMENTUM, 0.05, shards[k], false, texts[t]);
            }
    if (is_double && harness_takes_case())
        check_run(MLP_IRPROP_PLUS, 0, 3, true, MLP_DEVICE_TILED);
}

/* R2 of an epoch, of the validation rows also by the figures of a report. */
static void check_score(int last, int loss, enum mlp_device_text text)
{
    const struct shape shape = {"7-6-3", 7, 2, {6, 3}, MLP_TANH, last, loss, STORAGE_FP32, false, true, 0, 0};
    const size_t rows = RUN_ROWS - RUN_VALIDATION;
    struct work work;
    make(&work, &shape, RUN_ROWS);
    for (size_t r = 0; r < rows; r++)
        work.prepared.targets[3 * r + 1] = 0.25; /* constant where the net is trained */
    const struct training training = training_of(MLP_SGD, RUN_BATCH);
    struct pass_data part = work.rows, validation = work.rows;
    double factors[6], outputs[RUN_ROWS * 3];
    part.rows = rows;
    part.factors = factors;
    validation.rows = RUN_VALIDATION;
    validation.inputs += rows * shape.inputs;
    validation.targets += rows * 3;
    validation.weights += rows;
    validation.factors = factors + 3;
    pass_factors(work.rows.targets, work.rows.weights, 0, rows, 3, factors);
    pass_factors(work.rows.targets, work.rows.weights, rows, RUN_VALIDATION, 3, factors + 3);
    assert_true(factors[1] == 0 && factors[4] > 0);
    struct trainer *trainer;
    struct trainer_epoch there;
    assert_ok(
        trainer_create(work.net, &training, &part, &validation, work.parameters, 1, &trainer, &test_error));
    for (uint64_t k = 0; k < trainer->updates; k++)
        assert_ok(trainer_update(&trainer->base, 1, &test_error));
    struct trainer_epoch here;
    assert_ok(trainer_end_epoch(&trainer->base, &here, &test_error));
    const struct pass_batch batch = {.data = &validation, .count = RUN_VALIDATION};
    pass_run(trainer->pass, &batch, trainer->parameters, NULL, outputs);
    const struct metrics_numbers numbers = {RUN_VALIDATION, 3, outputs, validation.targets,
                                            validation.weights};
    struct shoal_mlp_number_figures of[3], mean;
    assert_ok(metrics_of_numbers(&numbers, of, &mean, &test_error));
    assert_near(here.validation_score, mean.r2, 1e-12 * fabs(mean.r2));
    struct net_training *device = open_device(&work, &training, false, text, RUN_VALIDATION);
    assert_ok(mlp_device_update(device, 1000, &test_error));
    assert_ok(mlp_device_end_epoch(device, &there, &test_error));
    assert_true(here.score < 1 && here.validation_score < 1);
    assert_near(there.score, here.score, 1e-3 * fmax(1, fabs(here.score)));
    assert_near(there.validation_score, here.validation_score, 1e-3 * fmax(1, fabs(here.validation_score)));
    mlp_device_destroy(&device);
    trainer_destroy(&trainer);
    close_work(&work);
}

static void scores_of_numbers(void **state)
{
    (void)state;
    check_score(MLP_LINEAR, MLP_LOSS_SQUARED, MLP_DEVICE_SERIAL);
    if (harness_takes_case())
        check_score(MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY, MLP_DEVICE_SERIAL);
    if (harness_takes_case())
        check_score(MLP_LOGISTIC, MLP_LOSS_LOGISTIC, MLP_DEVICE_TILED);
    if (harness_takes_case())
        check_score(MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY, MLP_DEVICE_TILED);
}

/* Same bits twice, and from a state inside an epoch. */
static void check_resume(int optimiser, enum mlp_device_text text)
{
    struct work work;
    make(&work, &net_of_runs, RUN_ROWS);
    struct training training = training_of(optimiser, RUN_BATCH);
    training.patience = 50;
    const size_t count = work.net->parameters;
    double *const first = harness_memory(5 * count * sizeof *first), *const second = harness_memory(
                                                                         5 * count * sizeof *second);
    struct trainer_state whole, again;
    struct trainer_epoch epoch;
    struct net_training *device = open_device(&work, &training, false, text, 0);
    for (int e = 0; e < 2; e++) {
        assert_ok(mlp_device_update(device, 1000, &test_error));
        assert_ok(mlp_device_end_epoch(device, &epoch, &test_error));
    }
    assert_ok(mlp_device_save(device, first, &test_error));
    whole = device->state;
    mlp_device_destroy(&device);
    device = open_device(&work, &training, false, text, 0);
    assert_ok(mlp_device_update(device, 3, &test_error));
    assert_ok(mlp_device_save(device, second, &test_error));
    again = device->state;
    mlp_device_destroy(&device);
    device = open_device(&work, &training, false, text, 0);
    assert_ok(mlp_device_load(device, &again, second, &test_error));
    for (int e = 0; e < 2; e++) {
        assert_ok(mlp_device_update(device, 1000, &test_error));
        assert_ok(mlp_device_end_epoch(device, &epoch, &test_error));
    }
    assert_ok(mlp_device_save(device, second, &test_error));
    again = device->state;
    mlp_device_destroy(&device);
    assert_memory_equal(first, second, 5 * count * sizeof *first);
    assert_int_equal(whole.update, again.update);
    assert_true(whole.best_loss == again.best_loss && whole.loss == again.loss);
    close_work(&work);
}

static void resumes(void **state)
{
    (void)state;
    /* The kernels are those of the runs, and no bits depend on a simulator. */
    if (harness.tiny)
        return;
    for (int t = 0; t < TEXTS; t++) {
        check_resume(MLP_ADAMW, texts[t]);
        if (harness_takes_case())
            check_resume(MLP_IRPROP_PLUS, texts[t]);
    }
}

static void check_predictions(enum mlp_device_text text)
{
    struct work work;
    make(&work, &net_of_runs, RUN_ROWS);
    const struct training training = training_of(MLP_ADAMW, RUN_BATCH);
    struct net_training *device = open_device(&work, &training, false, text, 0);
    double got[RUN_ROWS * 5], exact[RUN_ROWS * 5];
    struct pass *pass;
    assert_ok(pass_create(work.net, RUN_ROWS, &pass, &test_error));
    const struct pass_batch batch = {.data = &work.rows, .count = RUN_ROWS};
    pass_run(pass, &batch, work.parameters, NULL, exact);
    assert_ok(mlp_device_predict(device, work.parameters, 2, RUN_ROWS - 2, got, &test_error));
    for (size_t k = 0; k < (RUN_ROWS - 2) * 5; k++)
        assert_near(got[k], exact[k + 2 * 5], 1e-5);
    assert_status(mlp_device_predict(device, work.parameters, 2, RUN_ROWS, got, &test_error), SHOAL_INVALID);
    pass_destroy(&pass);
    mlp_device_destroy(&device);
    close_work(&work);
}

static void predictions(void **state)
{
    (void)state;
    for (int t = 0; t < TEXTS; t++)
        check_predictions(texts[t]);
}

static void reverse(void *rows, size_t count, size_t bytes)
{
    unsigned char *const all = rows, *const one = harness_memory(bytes);
    for (size_t r = 0; r < count / 2; r++) {
        unsigned char *const other = all + (count - 1 - r) * bytes;
        memcpy(one, all + r * bytes, bytes);
        memcpy(all + r * bytes, other, bytes);
        memcpy(other, one, bytes);
    }
}

/* The order of rows changes a batch's gradient by rounding alone. */
static void check_order(enum mlp_device_text text)
{
    struct work work;
    make(&work, &net_of_runs, RUN_ROWS);
    const struct training training = training_of(MLP_ADAMW, 0);
    const size_t count = work.net->parameters;
    double *const first = harness_memory(count * sizeof *first), *const second =
                                                                     harness_memory(count * sizeof *first);
    double loss, again;
    struct net_training *device = open_device(&work, &training, false, text, 0);
    assert_ok(mlp_device_gradient(device, 0, RUN_ROWS, &loss, first, &test_error));
    mlp_device_destroy(&device);
    reverse(work.prepared.data, RUN_ROWS, work.prepared.row_bytes);
    reverse(work.prepared.classes, RUN_ROWS, sizeof *work.prepared.classes);
    reverse(work.prepared.weights, RUN_ROWS, sizeof *work.prepared.weights);
    device = open_device(&work, &training, false, text, 0);
    assert_ok(mlp_device_gradient(device, 0, RUN_ROWS, &again, second, &test_error));
    mlp_device_destroy(&device);
    assert_true(distance(second, first, count) <= 1e-6);
    assert_near(again, loss, 1e-6);
    close_work(&work);
}

static void orders(void **state)
{
    (void)state;
    for (int t = 0; t < TEXTS; t++)
        check_order(texts[t]);
}

/* Tiles as they are for shorter vectors, with tails in every direction. */
static void narrow(void **state)
{
    (void)state;
    static const char *const names[] = {"WIDE", "NR", "MR", "BLOCK", "SPAN", "CHUNK"};
    static const int64_t values[] = {0, 8, 4, 8, 4, 7};
    for (int k = 0; k < 6; k++)
        assert_ok(shoal_tuning_try(harness.device, "mlp.train-serial", names[k], &values[k], &test_error));
    check_run(MLP_NESTEROV, 0, 0, harness_has_fp64(), MLP_DEVICE_SERIAL);
    check_run(MLP_NESTEROV, 0, 3, harness_has_fp64(), MLP_DEVICE_SERIAL);
    for (int k = 0; k < 6; k++)
        assert_ok(shoal_tuning_try(harness.device, "mlp.train-serial", names[k], NULL, &test_error));
}

/* A rate that lets the parameters grow beyond all numbers. */
static void check_endless(enum mlp_device_text text)
{
    struct work work;
    const struct shape shape = {"4-3-2",      4,     2,     {3, 2}, MLP_RELU, MLP_LINEAR, MLP_LOSS_E,
                                STORAGE_FP32, false, false, 0,      0};
    make(&work, &shape, 40);
    struct training training = training_of(MLP_SGD, 4);
    training.rate = 1e12;
    struct net_training *device = open_device(&work, &training, false, text, 0);
    struct trainer_epoch epoch;
    double best[64];
    assert_ok(mlp_device_update(device, 1000, &test_error));
    assert_status(mlp_device_end_epoch(device, &epoch, &test_error), SHOAL_CHECK_FAILED);
    assert_non_null(strstr(test_error.message, "the loss of update "));
    assert_ok(mlp_device_parameters(device, true, best, &test_error));
    for (size_t k = 0; k < work.net->parameters; k++)
        assert_near(best[k], work.parameters[k], 1e-6);
    mlp_device_destroy(&device);

    /* All rows an update: those of the epoch before, though none judges. */
    double before[64];
    training.batch = 0;
    device = open_device(&work, &training, false, text, 0);
    uint64_t updates, epochs = 0;
    assert_ok(mlp_device_update(device, 1, &test_error));
    while (!mlp_device_end_epoch(device, &epoch, &test_error)) {
        assert_true(++epochs < 10);
        assert_ok(mlp_device_parameters(device, false, before, &test_error));
        assert_ok(mlp_device_update(device, 1, &test_error));
    }
    assert_status(mlp_device_settle(device, &updates, &test_error), SHOAL_CHECK_FAILED);
    assert_true(epochs > 0);
    assert_int_equal(updates, epochs);
    assert_ok(mlp_device_parameters(device, true, best, &test_error));
    assert_true(fabs(best[work.net->parameters - 1]) > 1e3);
    assert_memory_equal(best, before, work.net->parameters * sizeof *best);
    mlp_device_destroy(&device);
    close_work(&work);
}

static void endless(void **state)
{
    (void)state;
    for (int t = 0; t < TEXTS; t++)
        check_endless(texts[t]);
}

static void wrong_rows(void **state)
{
    (void)state;
    struct work work;
    make(&work, &net_of_runs, 20);
    const struct training training = training_of(MLP_ADAM, 0);
    struct mlp_device_setup setup = {.queue = harness.queue,
                                     .programs = &built,
                                     .net = work.net,
                                     .training = &training,
                                     .prepared = &work.prepared};
    struct net_training *device;
    assert_status(mlp_device_create(&setup, &device, &test_error), SHOAL_INVALID);
    setup.training_rows = 15;
    setup.validation_rows = 6;
    assert_status(mlp_device_create(&setup, &device, &test_error), SHOAL_INVALID);
    assert_null(device);
    setup.validation_rows = 5;
    work.prepared.inputs = 11;
    assert_status(mlp_device_create(&setup, &device, &test_error), SHOAL_INVALID);
    work.prepared.inputs = 12;
    work.prepared.storage = STORAGE_FP64;
    assert_status(mlp_device_create(&setup, &device, &test_error), SHOAL_INVALID);
    close_work(&work);
}

/* Before any of them is there: their bytes and those of the device are named. */
static void too_many_nets(void **state)
{
    (void)state;
    struct work work;
    make(&work, &net_of_runs, 20);
    const struct training training = training_of(MLP_ADAM, 0);
    const struct mlp_device_setup setup = {.queue = harness.queue,
                                           .programs = &built,
                                           .net = work.net,
                                           .training = &training,
                                           .prepared = &work.prepared,
                                           .training_rows = 20,
                                           .nets = (size_t)1 << 40};
    struct net_training *device;
    assert_status(mlp_device_create(&setup, &device, &test_error), SHOAL_OUT_OF_DEVICE_MEMORY);
    assert_null(device);
    assert_non_null(strstr(test_error.message, "the arrays of the nets need at least "));
    assert_non_null(strstr(test_error.message, ": lower the widths, the batch or nets"));
    close_work(&work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(gradients),
        cmocka_unit_test(runs),
        cmocka_unit_test(runs_in_shards),
        cmocka_unit_test(resumes),
        cmocka_unit_test(predictions),
        cmocka_unit_test(endless),
        cmocka_unit_test(wrong_rows),
        by_turn(narrow),
        cmocka_unit_test(orders),
        cmocka_unit_test(scores_of_numbers),
        cmocka_unit_test(too_many_nets),
    };
    return harness_main("device", tests, sizeof tests / sizeof *tests);
}
