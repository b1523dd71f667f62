/* One update at a time on rows of the caller: a device's buffers give what arrays on the host give. */
#include "harness.h"

#include <math.h>
#include <shoal/mlp.h>
#include <string.h>

enum { ROWS = 37, INPUTS = 5, OUTPUTS = 3, BATCHES = 3, UPDATES = 20 };

struct rows {
    double inputs[BATCHES][ROWS * INPUTS], targets[BATCHES][ROWS * OUTPUTS];
    float narrow_inputs[BATCHES][ROWS * INPUTS], narrow_targets[BATCHES][ROWS * OUTPUTS];
    uint32_t classes[BATCHES][ROWS];
};

static void fill(struct rows *rows)
{
    for (int b = 0; b < BATCHES; b++) {
        for (int k = 0; k < ROWS * INPUTS; k++)
            rows->inputs[b][k] = rows->narrow_inputs[b][k] = (float)sin(12.9898 * (b * 1000 + k + 1));
        for (int k = 0; k < ROWS * OUTPUTS; k++)
            rows->targets[b][k] = rows->narrow_targets[b][k] = (float)cos(78.233 * (b * 1000 + k + 1));
        for (uint32_t k = 0; k < ROWS; k++)
            rows->classes[b][k] = (k + (uint32_t)b) % OUTPUTS;
    }
}

static struct shoal_mlp_trainer *open_trainer(struct shoal_queue *queue, bool has_classes)
{
    struct shoal_mlp_params mlp;
    struct shoal_mlp_trainer_params params;
    struct shoal_mlp_trainer *trainer;
    shoal_mlp_params_init(&mlp);
    shoal_mlp_trainer_params_init(&params);
    mlp.hidden = "7";
    mlp.activation = "tanh";
    mlp.optimiser = SHOAL_MLP_ADAM;
    mlp.schedule = SHOAL_MLP_CONSTANT;
    params.mlp = &mlp;
    params.inputs = INPUTS;
    params.outputs = OUTPUTS;
    params.rows = ROWS;
    params.has_classes = has_classes;
    assert_ok(shoal_mlp_trainer_create(queue, harness.variant, &params, &trainer, &test_error));
    return trainer;
}

static void compare(const struct rows *rows, bool has_classes)
{
    struct shoal_mlp_trainer *host = open_trainer(NULL, has_classes),
                             *device = open_trainer(harness.queue, has_classes);
    const size_t count = shoal_mlp_trainer_count(host);
    struct shoal_buffer *inputs[BATCHES], *answers[BATCHES];
    double *ours = harness_memory(count * sizeof *ours), *theirs = harness_memory(count * sizeof *theirs);
    double loss[2], first = NAN;
    assert_int_equal(count, shoal_mlp_trainer_count(device));
    for (int b = 0; b < BATCHES; b++) {
        inputs[b] = harness_upload(rows->narrow_inputs[b], sizeof rows->narrow_inputs[b]);
        answers[b] = has_classes ? harness_upload(rows->classes[b], sizeof rows->classes[b])
                                 : harness_upload(rows->narrow_targets[b], sizeof rows->narrow_targets[b]);
    }
    for (int turn = 0; turn < 2; turn++) { /* the second time after the start was set again */
        assert_ok(shoal_mlp_trainer_get(host, ours, &test_error));
        if (turn == 0)
            memcpy(theirs, ours, count * sizeof *ours);
        assert_ok(shoal_mlp_trainer_set(host, theirs, &test_error));
        assert_ok(shoal_mlp_trainer_set(device, theirs, &test_error));
        for (int k = 0; k < UPDATES; k++) {
            const int b = k % BATCHES;
            assert_ok(shoal_mlp_trainer_update(host, rows->inputs[b], rows->classes[b], rows->targets[b],
                                               &test_error));
            assert_ok(shoal_mlp_trainer_update_buffers(device, inputs[b], answers[b], &test_error));
        }
        assert_ok(shoal_mlp_trainer_loss(host, &loss[0], &test_error));
        assert_ok(shoal_mlp_trainer_loss(device, &loss[1], &test_error));
        assert_near(loss[1], loss[0], 1e-5);
        if (turn == 0)
            first = loss[1];
    }
    assert_true(loss[1] == first);
    assert_ok(shoal_mlp_trainer_get(host, ours, &test_error));
    assert_ok(shoal_mlp_trainer_get(device, theirs, &test_error));
    for (size_t k = 0; k < count; k++)
        assert_near(theirs[k], ours[k], 1e-5);
    shoal_mlp_trainer_destroy(&host);
    shoal_mlp_trainer_destroy(&device);
    assert_null(device);
    harness_release();
}

static void test_updates(void **state)
{
    (void)state;
    struct rows *rows = harness_memory(sizeof *rows);
    fill(rows);
    struct rows copy = *rows;
    compare(&copy, true);
    compare(&copy, false);
}

/* It ends with as many updates as `epochs` says, however many rows an update has: then the rate is 0. */
static void test_cosine(void **state)
{
    (void)state;
    enum { EPOCHS = 4, COUNT = INPUTS + 1 };
    struct rows *rows = harness_memory(sizeof *rows);
    struct shoal_mlp_params mlp;
    struct shoal_mlp_trainer_params params;
    struct shoal_mlp_trainer *trainer;
    double before[COUNT], now[COUNT];
    fill(rows);
    shoal_mlp_params_init(&mlp);
    shoal_mlp_trainer_params_init(&params);
    mlp.hidden = "none";
    mlp.epochs = EPOCHS;
    params.mlp = &mlp;
    params.inputs = INPUTS;
    params.outputs = 1;
    params.rows = ROWS;
    assert_ok(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error));
    for (int k = 0; k < 2 * EPOCHS; k++) {
        assert_ok(shoal_mlp_trainer_get(trainer, before, &test_error));
        assert_ok(shoal_mlp_trainer_update(trainer, rows->inputs[0], NULL, rows->targets[0], &test_error));
        assert_ok(shoal_mlp_trainer_get(trainer, now, &test_error));
        assert_true((memcmp(before, now, sizeof now) != 0) == (k < EPOCHS));
    }
    shoal_mlp_trainer_destroy(&trainer);
    harness_release();
}

static void test_errors(void **state)
{
    (void)state;
    struct shoal_mlp_params mlp;
    struct shoal_mlp_trainer_params params;
    struct shoal_mlp_trainer *trainer;
    shoal_mlp_params_init(&mlp);
    shoal_mlp_trainer_params_init(&params);
    assert_status(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "params.mlp is NULL");
    params.mlp = &mlp;
    params.inputs = INPUTS;
    params.outputs = OUTPUTS;
    assert_status(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "0 rows");
    assert_null(trainer);

    params.rows = 4;
    mlp.nets = 0;
    assert_status(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "--nets is 0");
    mlp.nets = 1;
    mlp.start = 55;
    assert_status(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "--start has no choice 55");
    shoal_mlp_params_init(&mlp);
    mlp.size = 0;
    assert_status(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "call shoal_mlp_params_init");
    shoal_mlp_params_init(&mlp);
    mlp.hidden = "16777216,16777216";
    assert_status(shoal_mlp_trainer_create(harness.queue, harness.variant, &params, &trainer, &test_error),
                  SHOAL_OUT_OF_HOST_MEMORY);
    assert_contains(test_error.message, "the parameters of the net need 112");
    assert_contains(test_error.message, " bytes on the host, which has ");

    trainer = open_trainer(harness.queue, true);
    struct shoal_buffer *small = harness_buffer(8);
    const double one = 1;
    assert_status(shoal_mlp_trainer_update_buffers(trainer, small, small, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "inputs need 740 bytes and answers 148, there are 8 and 8");
    assert_status(shoal_mlp_trainer_update(trainer, &one, NULL, &one, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "classes is NULL");
    const uint32_t class = 0;
    assert_status(shoal_mlp_trainer_update(trainer, &one, &class, NULL, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "takes buffers");
    shoal_mlp_trainer_destroy(&trainer);
    shoal_mlp_trainer_destroy(&trainer);
}

/* Labels from 1 on are the usual slip. */
static void test_classes(void **state)
{
    (void)state;
    for (size_t outputs = 1; outputs <= OUTPUTS; outputs += 2) {
        const uint32_t count = outputs == 1 ? 2 : OUTPUTS;
        const double inputs[2 * INPUTS] = {0};
        uint32_t classes[2] = {0, count};
        double before = 0, after = 0;
        struct shoal_mlp_params mlp;
        struct shoal_mlp_trainer_params params;
        struct shoal_mlp_trainer *trainer;
        shoal_mlp_params_init(&mlp);
        mlp.hidden = "none";
        shoal_mlp_trainer_params_init(&params);
        params.mlp = &mlp;
        params.inputs = INPUTS;
        params.outputs = outputs;
        params.rows = 2;
        params.has_classes = true;
        assert_ok(shoal_mlp_trainer_create(NULL, harness.variant, &params, &trainer, &test_error));
        double *parameters = harness_memory(shoal_mlp_trainer_count(trainer) * sizeof *parameters);
        assert_ok(shoal_mlp_trainer_get(trainer, parameters, &test_error));
        before = parameters[shoal_mlp_trainer_count(trainer) - 1];
        assert_status(shoal_mlp_trainer_update(trainer, inputs, classes, NULL, &test_error), SHOAL_INVALID);
        assert_contains(test_error.message, "row 2 has class");
        assert_contains(test_error.message, outputs == 1 ? "are 0 to 1" : "are 0 to 2");
        assert_ok(shoal_mlp_trainer_get(trainer, parameters, &test_error));
        assert_true(parameters[shoal_mlp_trainer_count(trainer) - 1] == before);
        classes[1] = count - 1;
        classes[0] = count - 1;
        assert_ok(shoal_mlp_trainer_update(trainer, inputs, classes, NULL, &test_error));
        assert_ok(shoal_mlp_trainer_get(trainer, parameters, &test_error));
        after = parameters[shoal_mlp_trainer_count(trainer) - 1];
        assert_true(after != before);
        shoal_mlp_trainer_destroy(&trainer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_updates), cmocka_unit_test(test_cosine),
                                       cmocka_unit_test(test_errors), cmocka_unit_test(test_classes)};
    return harness_main("trainer", tests, sizeof tests / sizeof *tests);
}
