/* Predictions on a device: outputs of the host in double precision, for every activation, both forms of
 * kernels, odd numbers of rows and inputs, rows of each kind; values that are missing. */
#include "files.h"
#include "harness.h"
#include "mlp/device/device.h"
#include "mlp/host/row.h"

#include <string.h>

#include "mlp/host/texts.h"

/* Single precision: sums of less than 100 terms of order 1 have about 10 roundings of 6e-8; double precision:
 * the same with 1e-16. */
static const double tolerances[] = {[SHOAL_FP32] = 2e-5, [SHOAL_FP64] = 1e-12};

struct shape {
    uint32_t inputs, hidden, outputs; /* hidden 0: no hidden layer */
    int hidden_activation, last;
    int loss;
};

static struct net *make_net(const struct shape *shape)
{
    const struct net_layer_choice layers[] = {{shape->hidden, shape->hidden_activation, 1.25, 0.25},
                                              {shape->outputs, shape->last, 1, 0}};
    const uint32_t skipped = shape->hidden ? 0 : 1;
    const struct net_choice choice = {.inputs = shape->inputs,
                                      .layer_count = 2 - skipped,
                                      .layers = layers + skipped,
                                      .loss = shape->loss,
                                      .huber = 1};
    struct net *net;
    assert_ok(net_create(&choice, &net, &test_error));
    return net;
}

static double number(size_t a, size_t b)
{
    return sin(12.9898 * (double)a + 78.233 * (double)b + 1);
}

/* A model whose inputs are 300 and around, and are scaled; column 0 is filled with 300 if `fills`. */
static struct shoal_mlp_model *make_model(const struct shape *shape, bool fills)
{
    struct net *net = make_net(shape);
    struct preparation *rule;
    struct shoal_mlp_model *model;
    double *const parameters = harness_memory(net->parameters * sizeof *parameters);
    for (size_t k = 0; k < net->parameters; k++)
        parameters[k] = number(k, 3) / sqrt((double)shape->inputs);
    assert_ok(model_plain_preparation(net, &rule, &test_error));
    for (uint32_t i = 0; i < shape->inputs; i++) {
        rule->shift[i] = 300.01;
        rule->factor[i] = 1.5;
    }
    if (fills) {
        rule->inputs[0].fill = malloc(sizeof(double));
        assert_non_null(rule->inputs[0].fill);
        rule->inputs[0].fill[0] = 300;
    }
    const struct model_parts parts = {.net = net, .parameters = parameters, .preparation = rule};
    assert_ok(model_create(&parts, &model, &test_error));
    prepare_destroy(&rule);
    net_destroy(&net);
    return model;
}

/* Rows that single precision holds exactly. */
static void make_rows(size_t rows, size_t inputs, double **wide, float **narrow)
{
    *wide = harness_memory(rows * inputs * sizeof **wide + 8);
    *narrow = harness_memory(rows * inputs * sizeof **narrow + 8);
    for (size_t k = 0; k < rows * inputs; k++) {
        (*narrow)[k] = (float)(300 + number(k / inputs, k % inputs));
        (*wide)[k] = (double)(*narrow)[k];
    }
}

static void compare(const double *wanted, const double *got, const float *got_floats, size_t count,
                    double tolerance)
{
    for (size_t k = 0; k < count; k++)
        assert_near(got ? got[k] : (double)got_floats[k], wanted[k], tolerance);
}

/* Passes ------------------------------------------------------------------------------------------------- */

/* One net by one form of kernels: rows that are scaled by the host and by the device, at an odd place. */
static void check_pass(const struct shape *shape, size_t rows, enum mlp_device_text text, bool is_double)
{
    enum { BEFORE = 3 /* rows of the buffer before the pass, and places before its outputs */ };
    struct shoal_mlp_model *model = make_model(shape, false);
    struct programs programs = {.device = harness.device};
    struct training training = {0};
    struct net_training *device;
    const size_t number_bytes = is_double ? sizeof(double) : sizeof(float), inputs = shape->inputs;
    const size_t count = (rows + BEFORE) * inputs, width = shape->outputs;
    struct prepared form = {.rows = rows + BEFORE,
                            .inputs = inputs,
                            .outputs = width,
                            .storage = is_double ? STORAGE_FP64 : STORAGE_FP32,
                            .row_bytes = inputs * number_bytes,
                            .preparation = model->preparation};
    const struct mlp_device_setup setup = {.queue = harness.queue,
                                           .programs = &programs,
                                           .is_double = is_double,
                                           .text = text,
                                           .predicts = 2,
                                           .net = model->net,
                                           .training = &training,
                                           .prepared = &form,
                                           .training_rows = form.rows};
    double *wide, *const wanted = harness_memory(rows * width * sizeof *wanted),
                         *const got = harness_memory(rows * width * sizeof *got);
    float *narrow;
    make_rows(rows + BEFORE, inputs, &wide, &narrow);
    assert_ok(shoal_mlp_model_predict(model, wide + BEFORE * inputs, rows, wanted, &test_error));
    assert_ok(mlp_device_create(&setup, &device, &test_error));
    assert_ok(mlp_device_set(device, model->parameters, &test_error));
    for (int is_scaled = 0; is_scaled < 2; is_scaled++) {
        for (size_t k = 0; k < count && is_scaled; k++) {
            wide[k] = (wide[k] - 300.01) * 1.5;
            narrow[k] = (float)wide[k];
        }
        const struct mlp_device_piece piece = {
            .rows = harness_upload(is_double ? (const void *)wide : narrow, count * number_bytes),
            .first = BEFORE,
            .count = rows,
            .slot = BEFORE,
            .is_scaled = is_scaled};
        assert_ok(mlp_device_enqueue(device, &piece, &test_error));
        assert_ok(mlp_device_outputs(device, BEFORE, rows, got, &test_error));
        compare(wanted, got, NULL, rows * width, tolerances[is_double ? SHOAL_FP64 : SHOAL_FP32]);
    }
    mlp_device_destroy(&device);
    programs_destroy(&programs);
    shoal_mlp_model_destroy(&model);
    harness_release();
}

static void passes(void **state)
{
    (void)state;
    static const enum mlp_device_text texts[] = {MLP_DEVICE_TILED, MLP_DEVICE_SERIAL};
    static const struct shape shapes[] = {
        {1, 0, 1, 0, MLP_LINEAR, MLP_LOSS_SQUARED},
        {1, 3, 1, MLP_LOGISTIC, MLP_LOGISTIC, MLP_LOSS_LOGISTIC},
        {5, 7, 3, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY},
        {33, 65, 40, MLP_RELU, MLP_SOFTMAX, MLP_LOSS_SQUARED},
        {9, 17, 2, MLP_LEAKY_RELU, MLP_TANH, MLP_LOSS_HUBER},
        {16, 32, 4, MLP_GELU, MLP_GELU, MLP_LOSS_SQUARED},
        {7, 20, 300, MLP_GELU_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY},
        {12, 5, 6, MLP_SILU, MLP_SILU, MLP_LOSS_ABSOLUTE},
        {8, 12, 5, MLP_LINEAR, MLP_LEAKY_RELU, MLP_LOSS_E},
        {6, 10, 3, MLP_THRESHOLD, MLP_RELU, MLP_LOSS_SQUARED},
        {6, 10, 3, MLP_PIECEWISE_LINEAR, MLP_PIECEWISE_LINEAR, MLP_LOSS_SQUARED},
    };
    static const size_t rows[] = {1, 129, 5};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t t = 0; t < 2; t++) {
            const size_t count = harness.tiny ? 5 : rows[(s + t) % 3];
            if (harness_takes_case())
                check_pass(&shapes[s], count, texts[t], false);
            if (s % 3 == 0 && harness_has_fp64() && harness_takes_case())
                check_pass(&shapes[s], count, texts[t], true);
        }
}

/* Predictors --------------------------------------------------------------------------------------------- */

static void check_predictor(const struct shoal_mlp_model *model, const double *wide, const float *narrow,
                            size_t rows, enum shoal_precision precision)
{
    const size_t width = shoal_mlp_model_get_info(model)->outputs;
    const double tolerance = tolerances[precision];
    double *const wanted = harness_memory(rows * width * sizeof *wanted + 8), *const got = harness_memory(
                                                                                  rows * width * sizeof *got +
                                                                                  8);
    float *const got_floats = harness_memory(rows * width * sizeof *got_floats + 8);
    struct shoal_mlp_predictor *predictor;
    assert_ok(shoal_mlp_model_predict(model, wide, rows, wanted, &test_error));
    assert_ok(shoal_mlp_predictor_create(model, harness.device, precision, &predictor, &test_error));
    for (int turn = 0; turn < 2; turn++) { /* the second call takes buffers that the first has used */
        memset(got, 0, rows * width * sizeof *got);
        assert_ok(shoal_mlp_predictor_run(predictor, wide, rows, got, &test_error));
        compare(wanted, got, NULL, rows * width, tolerance);
        assert_ok(shoal_mlp_predictor_run_floats(predictor, narrow, rows, got_floats, &test_error));
        compare(wanted, NULL, got_floats, rows * width, precision == SHOAL_FP64 ? 1e-6 : tolerance);
    }
    shoal_mlp_predictor_destroy(&predictor);
    assert_null(predictor);
    shoal_mlp_predictor_destroy(&predictor);
}

static const struct shape usual = {5, 7, 3, MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY};

static void numbers_of_rows(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 5, 129};
    struct shoal_mlp_model *model = make_model(&usual, false);
    double *wide;
    float *narrow;
    make_rows(129, usual.inputs, &wide, &narrow);
    for (size_t k = 0; k < (harness.tiny ? 3 : 4); k++)
        check_predictor(model, wide, narrow, counts[k], SHOAL_FP32);
    if (harness_has_fp64())
        check_predictor(model, wide, narrow, 5, SHOAL_FP64);
    shoal_mlp_model_destroy(&model);
}

/* More rows than a device gets at a time, and more outputs than it keeps. */
static void pieces(void **state)
{
    (void)state;
    enum { ROWS = 2000, INPUTS = 4096, OUTPUTS = 600, BAD = 1700 };
    const struct shape shape = {INPUTS, 0, OUTPUTS, 0, MLP_TANH, MLP_LOSS_SQUARED};
    if (harness.tiny)
        return;
    struct shoal_mlp_model *model = make_model(&shape, false);
    double *wide;
    float *narrow;
    make_rows(ROWS, INPUTS, &wide, &narrow);
    check_predictor(model, wide, narrow, ROWS, SHOAL_FP32);
    if (harness_has_fp64())
        check_predictor(model, wide, narrow, ROWS, SHOAL_FP64);
    shoal_mlp_model_destroy(&model);
}

/* The host is a device, too, and gives its own bits. */
static void host(void **state)
{
    (void)state;
    struct shoal_device *device;
    struct shoal_mlp_predictor *predictor;
    struct shoal_mlp_model *model = make_model(&usual, false);
    double *wide, wanted[20 * 3], got[20 * 3];
    float *narrow, got_floats[20 * 3];
    size_t found;
    make_rows(20, usual.inputs, &wide, &narrow);
    assert_ok(shoal_device_select(harness.shoal, "host", 0, &device, 1, &found, &test_error));
    assert_ok(shoal_mlp_predictor_create(model, device, SHOAL_FP32, &predictor, &test_error));
    assert_ok(shoal_mlp_model_predict(model, wide, 20, wanted, &test_error));
    assert_ok(shoal_mlp_predictor_run(predictor, wide, 20, got, &test_error));
    assert_memory_equal(got, wanted, sizeof got);
    assert_ok(shoal_mlp_predictor_run_floats(predictor, narrow, 20, got_floats, &test_error));
    for (size_t k = 0; k < 20 * 3; k++)
        assert_true(got_floats[k] == (float)wanted[k]);
    shoal_mlp_predictor_destroy(&predictor);
    shoal_mlp_model_destroy(&model);
}

/* Values that are missing are filled; without a fill, and if they are infinite, the row is named. */
static void missing(void **state)
{
    (void)state;
    enum { ROWS = 40, BAD = 33 };
    for (int fills = 0; fills < 2; fills++) {
        struct shoal_mlp_model *model = make_model(&usual, fills);
        struct shoal_mlp_predictor *predictor;
        double *wide, *const out = harness_memory(ROWS * 3 * sizeof *out);
        float *narrow, *const out_floats = harness_memory(ROWS * 3 * sizeof *out_floats);
        make_rows(ROWS, usual.inputs, &wide, &narrow);
        wide[BAD * usual.inputs] = NAN;
        narrow[BAD * usual.inputs] = NAN;
        if (fills)
            check_predictor(model, wide, narrow, ROWS, SHOAL_FP32);
        assert_ok(shoal_mlp_predictor_create(model, harness.device, SHOAL_FP32, &predictor, &test_error));
        for (int turn = 0; turn < 2; turn++) {
            const enum shoal_status wanted = fills && !turn ? SHOAL_OK : SHOAL_INVALID;
            assert_status(shoal_mlp_predictor_run(predictor, wide, ROWS, out, &test_error), wanted);
            assert_true(!wanted || strstr(test_error.message, "row 34: input 1 ("));
            assert_status(shoal_mlp_predictor_run_floats(predictor, narrow, ROWS, out_floats, &test_error),
                          wanted);
            assert_true(!wanted || strstr(test_error.message, "row 34: input 1 ("));
            wide[BAD * usual.inputs] = INFINITY;
            narrow[BAD * usual.inputs] = INFINITY;
        }
        /* After a failure the predictor works. */
        assert_ok(shoal_mlp_predictor_run(predictor, wide, BAD, out, &test_error));
        assert_ok(shoal_mlp_predictor_run_floats(predictor, narrow, BAD, out_floats, &test_error));
        compare(out, NULL, out_floats, BAD * 3, tolerances[SHOAL_FP32]);
        shoal_mlp_predictor_destroy(&predictor);
        shoal_mlp_model_destroy(&model);
    }
}

/* Rows of a file with categories, encodings, gaps, and targets that are numbers in the units of the file. */
static void files(void **state)
{
    (void)state;
    enum { ROWS = 70 };
    static const int32_t activations[] = {MLP_TANH, MLP_LINEAR};
    const struct prepare_rules rules = {.missing = PREPARE_INDICATOR};
    struct shoal_dataset *dataset = files_dataset(ROWS, "value, other");
    struct preparation *rule = files_preparation(dataset, &rules);
    struct shoal_mlp_model *model = files_model(rule, 9, activations, 2, SHOAL_FP64);
    struct shoal_mlp_predictor *predictor;
    double *const wanted = files_predict(model, dataset), *const raw = files_raw(model, dataset);
    double *const got = harness_memory(ROWS * 2 * sizeof *got);
    const size_t columns = shoal_mlp_model_get_info(model)->columns;
    assert_ok(shoal_mlp_predictor_create(model, harness.device, SHOAL_FP32, &predictor, &test_error));
    assert_ok(shoal_mlp_predictor_run_dataset(predictor, dataset, 0, ROWS, got, &test_error));
    for (size_t k = 0; k < ROWS * 2; k++)
        assert_near(got[k], wanted[k], 2e-5 * (k % 2 ? 10 : 1e4)); /* the scales of the targets */
    assert_ok(shoal_mlp_predictor_run_dataset(predictor, dataset, 7, 3, got, &test_error));
    assert_near(got[0], wanted[7 * 2], 2e-5 * 1e4);
    assert_ok(shoal_mlp_predictor_run(predictor, raw, ROWS, got, &test_error));
    for (size_t k = 0; k < ROWS * 2; k++)
        assert_near(got[k], wanted[k], 2e-5 * (k % 2 ? 10 : 1e4));
    assert_status(shoal_mlp_predictor_run_dataset(predictor, dataset, 7, ROWS, got, &test_error),
                  SHOAL_INVALID);
    raw[4 * columns + 2] = 17; /* a category that there is not */
    assert_status(shoal_mlp_predictor_run(predictor, raw, ROWS, got, &test_error), SHOAL_INVALID);
    assert_non_null(strstr(test_error.message, "row 5: input 3 ('colour')"));
    shoal_mlp_predictor_destroy(&predictor);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&rule);
    shoal_dataset_destroy(&dataset);
    free(wanted);
    free(raw);
}

static void mistakes(void **state)
{
    (void)state;
    struct shoal_mlp_model *model = make_model(&usual, false);
    struct shoal_mlp_predictor *predictor;
    assert_status(
        shoal_mlp_predictor_create(model, harness.device, (enum shoal_precision)7, &predictor, &test_error),
        SHOAL_INVALID);
    assert_null(predictor);
    assert_status(shoal_mlp_predictor_create(NULL, harness.device, SHOAL_FP32, &predictor, &test_error),
                  SHOAL_INVALID);
    assert_status(shoal_mlp_predictor_run(NULL, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_predictor_run_floats(NULL, NULL, 0, NULL, &test_error), SHOAL_INVALID);
    assert_status(shoal_mlp_predictor_run_dataset(NULL, NULL, 0, 0, NULL, &test_error), SHOAL_INVALID);
    shoal_mlp_model_destroy(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        by_turn(passes),
        cmocka_unit_test(numbers_of_rows),
        cmocka_unit_test(pieces),
        cmocka_unit_test(host),
        cmocka_unit_test(missing),
        cmocka_unit_test(files),
        cmocka_unit_test(mistakes),
    };
    return harness_main("predictor", tests, sizeof tests / sizeof *tests);
}
