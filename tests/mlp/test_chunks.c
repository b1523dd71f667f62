/* Rows that go to the device in chunks give the bits of rows that stay there. */
#include "work.h"

enum { MOST_ROWS = 400, LEAST_ROWS = 150, BATCH = 20, EPOCHS = 2, ARRAYS = 5 };

/* More than a work-group of mlp_lose has. */
static size_t row_count(void)
{
    return harness.tiny ? LEAST_ROWS : MOST_ROWS;
}

/* Of all forms of rows, with and without weights, classes and numbers; outputs for mlp_head and for mlp_lose.
 */
static const struct shape shapes[] = {
    {"bits", 70, 2, {9, 5}, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_E, STORAGE_BITS, true, true, 0, 0},
    {"bytes", 13, 2, {9, 40}, MLP_RELU, MLP_LINEAR, MLP_LOSS_SQUARED, STORAGE_U8, false, true, 0, 0},
    {"floats", 12, 1, {3}, MLP_TANH, MLP_LINEAR, MLP_LOSS_SQUARED, STORAGE_FP32, false, false, 0, 0},
};
static const struct shape doubles = {"doubles",        11,           1,     {4},  MLP_TANH, MLP_LINEAR,
                                     MLP_LOSS_SQUARED, STORAGE_FP64, false, true, 0,        0};

/* A run at its end: the whole state, what its epochs said, predictions, a gradient. */
struct run {
    struct trainer_state state;
    struct trainer_epoch epochs[EPOCHS];
    double loss;
    double *numbers;
    size_t count;
};

static struct run run(const struct mlp_device_setup *setup, const struct work *work, uint64_t stop)
{
    const size_t parameters = work->net->parameters, outputs = work->net->outputs;
    struct run run = {.count = (ARRAYS + 1) * parameters + (row_count() - 1) * outputs};
    struct net_training *device;
    run.numbers = harness_memory(run.count * sizeof *run.numbers);
    assert_ok(mlp_device_create(setup, &device, &test_error));
    assert_ok(mlp_device_begin(device, work->parameters, &test_error));
    memset(run.epochs, 0, sizeof run.epochs);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        assert_ok(mlp_device_update(device, stop, &test_error));
        assert_ok(mlp_device_update(device, 1000, &test_error));
        assert_ok(mlp_device_end_epoch(device, &run.epochs[epoch], &test_error));
        assert_true(isfinite(run.epochs[epoch].loss));
    }
    assert_ok(mlp_device_save(device, run.numbers, &test_error));
    run.state = device->state;
    double *at = run.numbers + ARRAYS * parameters;
    assert_ok(mlp_device_gradient(device, 3, BATCH, &run.loss, at, &test_error));
    at += parameters;
    assert_ok(mlp_device_predict(device, run.numbers, 1, row_count() - 1, at, &test_error));
    assert_true(at[0] != 0);
    mlp_device_destroy(&device);
    return run;
}

static void compare(const char *name, uint64_t chunk, const struct run *got, const struct run *wanted)
{
    for (int epoch = 0; epoch < EPOCHS; epoch++)
        if (got->epochs[epoch].loss != wanted->epochs[epoch].loss ||
            (wanted->epochs[epoch].validation_loss == wanted->epochs[epoch].validation_loss &&
             got->epochs[epoch].validation_loss != wanted->epochs[epoch].validation_loss) ||
            got->epochs[epoch].score != wanted->epochs[epoch].score)
            fail_msg("%s, chunks of %d rows: epoch %d has losses %.17g and %.17g, not %.17g and %.17g", name,
                     (int)chunk, epoch, got->epochs[epoch].loss, got->epochs[epoch].validation_loss,
                     wanted->epochs[epoch].loss, wanted->epochs[epoch].validation_loss);
    assert_int_equal(got->state.update, wanted->state.update);
    assert_int_equal(got->state.best_update, wanted->state.best_update);
    assert_true(got->state.best_loss == wanted->state.best_loss);
    assert_true(got->loss == wanted->loss);
    for (size_t k = 0; k < wanted->count; k++)
        if (got->numbers[k] != wanted->numbers[k])
            fail_msg("%s, chunks of %d rows: number %zu of %zu is %.17g, not %.17g", name, (int)chunk, k,
                     wanted->count, got->numbers[k], wanted->numbers[k]);
}

/* What a shape is trained with, besides its rows. */
struct kind {
    size_t batch;
    bool validates, in_order;
    size_t shards;
};

static void check(const struct shape *shape, enum mlp_device_text text, const struct kind *kind)
{
    const uint64_t chunks[] = {3 * BATCH + 5, 1, row_count() - 1};
    struct work work;
    make(&work, shape, row_count());
    struct training training = training_of(MLP_ADAMW, kind->batch);
    training.in_order = kind->in_order;
    training.shards = kind->shards;
    training.patience = 50;
    struct mlp_device_setup setup = setup_of(&work, &training, shape->storage == STORAGE_FP64, text,
                                             kind->validates ? row_count() * 2 / 5 : 0);
    setup.training_rows -= 37; /* the rest is predicted alone; the last batch is not whole */
    prepare_programs();
    const struct run whole = run(&setup, &work, 2);
    for (size_t c = 0; c < (harness.tiny ? 1 : sizeof chunks / sizeof *chunks); c++) {
        setup.chunk_rows = chunks[c];
        const struct run again = run(&setup, &work, 1);
        compare(shape->name, chunks[c], &again, &whole);
    }
    close_work(&work);
}

static const struct kind shuffled = {.batch = BATCH, .validates = true};

static void forms_of_rows(void **state)
{
    (void)state;
    for (int s = 0; s < 3; s++) /* bits in both forms of kernels, which read rows by one text */
        for (int t = 0; t < TEXTS; t++)
            if ((s == 0 || t == s % TEXTS) && harness_takes_case())
                check(&shapes[s], texts[t], &shuffled);
    if (harness_has_fp64() && harness_takes_case())
        check(&doubles, MLP_DEVICE_SERIAL, &shuffled);
}

/* Rows in their order, training rows that judge, all rows in each update, batches in shards. */
static void orders(void **state)
{
    (void)state;
    static const struct kind kinds[] = {{.batch = BATCH, .in_order = true},
                                        {.batch = BATCH},
                                        {.validates = true},
                                        {.batch = BATCH, .shards = 3}};
    for (int k = 0; k < 4; k++)
        check(&shapes[2], texts[k / 2 % TEXTS], &kinds[k]);
}

/* A gradient is of rows that one chunk holds. */
static void gradients_of_a_chunk(void **state)
{
    (void)state;
    struct work work;
    make(&work, &shapes[2], row_count());
    const struct training training = training_of(MLP_ADAMW, BATCH);
    struct mlp_device_setup setup = setup_of(&work, &training, false, MLP_DEVICE_SERIAL, 0);
    struct net_training *device;
    double loss, *const gradient = harness_memory(work.net->parameters * sizeof *gradient);
    prepare_programs();
    setup.chunk_rows = 2 * BATCH;
    assert_ok(mlp_device_create(&setup, &device, &test_error));
    assert_ok(mlp_device_begin(device, work.parameters, &test_error));
    assert_ok(mlp_device_gradient(device, 0, 2 * BATCH, &loss, gradient, &test_error));
    assert_status(mlp_device_gradient(device, 0, 2 * BATCH + 1, &loss, gradient, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "no batch of rows 1 to 41");
    mlp_device_destroy(&device);
    close_work(&work);
}

/* Two nets on the same rows, in turn: each is what it is alone. */
static void shared_rows(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) { /* without chunks, and with */
        struct work work;
        make(&work, &shapes[2], row_count());
        struct training training[2] = {training_of(MLP_ADAMW, BATCH), training_of(MLP_ADAMW, BATCH)};
        training[1].seed = 4;
        struct net_training *devices[2], *alone;
        struct mlp_device_setup setup = setup_of(&work, &training[0], false, MLP_DEVICE_SERIAL, 50);
        const size_t bytes = work.net->parameters * sizeof(double);
        double *const got = harness_memory(bytes), *const wanted = harness_memory(bytes);
        prepare_programs();
        setup.chunk_rows = k ? 3 * BATCH : 0;
        assert_ok(mlp_device_create(&setup, &devices[0], &test_error));
        setup.shares = devices[0];
        setup.training = &training[1];
        assert_ok(mlp_device_create(&setup, &devices[1], &test_error));
        for (int i = 0; i < 2; i++)
            assert_ok(mlp_device_begin(devices[i], work.parameters, &test_error));
        for (int turn = 0; turn < 5; turn++)
            for (int i = 0; i < 2; i++)
                assert_ok(mlp_device_update(devices[i], 2, &test_error));
        setup.shares = NULL;
        for (int i = 0; i < 2; i++) {
            setup.training = &training[i];
            assert_ok(mlp_device_parameters(devices[i], false, got, &test_error));
            mlp_device_destroy(&devices[i]); /* the first one: the other keeps the rows */
            assert_ok(mlp_device_create(&setup, &alone, &test_error));
            assert_ok(mlp_device_begin(alone, work.parameters, &test_error));
            for (int turn = 0; turn < 5; turn++)
                assert_ok(mlp_device_update(alone, 2, &test_error));
            assert_ok(mlp_device_parameters(alone, false, wanted, &test_error));
            mlp_device_destroy(&alone);
            assert_memory_equal(got, wanted, bytes);
        }
        close_work(&work);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_rows),
        cmocka_unit_test(orders),
        cmocka_unit_test(gradients_of_a_chunk),
        cmocka_unit_test(shared_rows),
    };
    return harness_main("chunks", tests, sizeof tests / sizeof *tests);
}
