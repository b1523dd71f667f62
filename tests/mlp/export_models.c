/* Writes models in every format that other programs read, with rows and what is to come of them, into a
 * folder: test_exports.py gives both to those programs. Of each model NAME: NAME.rows, the raw rows,
 * NAME.prepared, the inputs of the net, NAME.net, its outputs, and NAME.outputs, predictions; a row a line.
 */
#include "files.h"
#include "unit.h"

#include "mlp/host/trainer.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 700 };

static const char *folder;

static void write_numbers(const char *name, const char *kind, const double *numbers, size_t rows,
                          size_t columns)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, kind);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < rows * columns; i++)
        fprintf(file, "%.17g%c", numbers[i], (i + 1) % columns ? ' ' : '\n');
    assert_int_equal(fclose(file), 0);
}

static void write_rows(const char *name, const struct shoal_mlp_model *model,
                       const struct shoal_dataset *dataset)
{
    const size_t rows = shoal_dataset_get_info(dataset)->rows, columns = model->info.columns,
                 inputs = model->info.inputs, outputs = model->info.outputs;
    double *raw = files_raw(model, dataset), *predicted = files_predict(model, dataset);
    double *prepared = calloc(rows * inputs, sizeof *prepared), *net = calloc(rows * outputs, sizeof *net);
    struct pass *pass;
    assert_true(prepared && net);
    for (size_t r = 0; r < rows; r++) {
        assert_ok(prepare_raw(model->preparation, raw + r * columns, prepared + r * inputs, &test_error));
        prepare_scale(model->preparation, prepared + r * inputs);
    }
    assert_ok(pass_create(model->net, rows, &pass, &test_error));
    const struct pass_data data = {.rows = rows, .inputs = prepared};
    const struct pass_batch batch = {.data = &data, .count = rows};
    pass_run(pass, &batch, model->parameters, NULL, net);
    write_numbers(name, "rows", raw, rows, columns);
    write_numbers(name, "prepared", prepared, rows, inputs);
    write_numbers(name, "net", net, rows, outputs);
    write_numbers(name, "outputs", predicted, rows, outputs);
    pass_destroy(&pass);
    free(net);
    free(prepared);
    free(predicted);
    free(raw);
}

static void save(const struct shoal_mlp_model *model, const char *name, const char *extension,
                 const char *form)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    assert_ok(shoal_mlp_model_save(model, path, form, &test_error));
}

/* Weights that 8 bits hold: what integers make of them differs by the other roundings alone. */
static void round_weights(struct shoal_mlp_model *model)
{
    for (uint32_t l = 0; l < model->net->layer_count; l++) {
        const struct net_layer *layer = &model->net->layers[l];
        for (uint32_t o = 0; o < layer->outputs; o++) {
            double *weights = model->parameters + layer->weights + (size_t)o * layer->inputs, greatest = 0;
            for (uint32_t i = 0; i < layer->inputs; i++)
                greatest = fmax(greatest, fabs(weights[i]));
            for (uint32_t i = 0; i < layer->inputs; i++)
                weights[i] = nearbyint(weights[i] / greatest * 127) * greatest / 127;
        }
    }
}

static void exports(void **state)
{
    (void)state;
    static const struct {
        const char *name, *target;
        int32_t activations[5];
        uint32_t layers, hidden;
        struct prepare_rules rules;
        enum shoal_precision precision;
    } cases[] = {
        {"classes",
         "class",
         {MLP_TANH, MLP_SILU, MLP_SOFTMAX},
         3,
         9,
         {.missing = PREPARE_MEDIAN},
         SHOAL_FP32},
        {"numbers",
         "value, other",
         {MLP_GELU, MLP_GELU_TANH, MLP_LINEAR},
         3,
         9,
         {.missing = PREPARE_INDICATOR, .scale = PREPARE_MIN_MAX},
         SHOAL_FP64},
        {"deep",
         "other",
         {MLP_RELU, MLP_LEAKY_RELU, MLP_LINEAR, MLP_LOGISTIC},
         4,
         33,
         {.missing = PREPARE_INDICATOR},
         SHOAL_FP32},
        {"steps",
         "class",
         {MLP_PIECEWISE_LINEAR, MLP_PIECEWISE_LINEAR, MLP_SOFTMAX},
         3,
         9,
         {.missing = PREPARE_MEAN},
         SHOAL_FP32},
        {"perceptrons", "class", {MLP_THRESHOLD, MLP_SOFTMAX}, 2, 9, {.missing = PREPARE_MEAN}, SHOAL_FP32},
        {"none", "class", {MLP_SOFTMAX}, 1, 1, {.missing = PREPARE_MEAN, .scale = PREPARE_NONE}, SHOAL_FP32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_dataset *dataset = files_dataset(ROWS, cases[i].target);
        struct preparation *preparation = files_preparation(dataset, &cases[i].rules);
        struct shoal_mlp_model *model = files_model(preparation, cases[i].hidden, cases[i].activations,
                                                    cases[i].layers, cases[i].precision);
        write_rows(cases[i].name, model, dataset);
        save(model, cases[i].name, ".safetensors", NULL);
        save(model, cases[i].name, ".npy", NULL);
        save(model, cases[i].name, ".onnx", NULL);
        save(model, cases[i].name, ".c", "float");
        char name[40];
        snprintf(name, sizeof name, "%s8", cases[i].name);
        round_weights(model);
        write_rows(name, model, dataset);
        save(model, name, ".c", "int8");
        shoal_mlp_model_destroy(&model);
        prepare_destroy(&preparation);
        shoal_dataset_destroy(&dataset);
    }
}

/* A net that has learned most of what a teacher says: 2,500 rows of 16 bits in five classes, of which the
 * first 1,500 train. NAME.truth has the classes of all rows. */
static void train(struct shoal_mlp_model *model, const double *inputs, const uint32_t *classes)
{
    const struct pass_data data = {.rows = 1500, .inputs = inputs, .classes = classes};
    const struct training training = {.optimiser = MLP_ADAM,
                                      .rate = 0.01,
                                      .momentum = 0.9,
                                      .beta2 = 0.999,
                                      .epsilon = 1e-8,
                                      .elimination_scale = 1,
                                      .seed = 1,
                                      .batch = 32};
    struct trainer *trainer;
    assert_ok(
        trainer_create(model->net, &training, &data, NULL, model->parameters, 1, &trainer, &test_error));
    for (size_t epoch = 0; epoch < 25;) {
        assert_ok(trainer_update(&trainer->base, 1, &test_error));
        if (trainer->base.state.update % trainer->updates == 0) {
            struct trainer_epoch end;
            assert_ok(trainer_end_epoch(&trainer->base, &end, &test_error));
            epoch++;
        }
    }
    memcpy(model->parameters, trainer->parameters, model->net->parameters * sizeof *model->parameters);
    trainer_destroy(&trainer);
}

static void trained_model(void **state)
{
    (void)state;
    enum { ALL = 2500 };
    struct shoal_dataset_generator generator;
    struct shoal_dataset *dataset;
    shoal_dataset_generator_init(&generator);
    generator.kind = "teacher";
    generator.rows = ALL;
    generator.inputs = 16;
    generator.hidden = 8;
    generator.classes = 5;
    generator.wrong = 0;
    assert_ok(shoal_dataset_generate(&generator, &dataset, &test_error));
    const struct prepare_rules rules = {.missing = PREPARE_REFUSE};
    struct preparation *preparation = files_preparation(dataset, &rules);
    const int32_t activations[] = {MLP_RELU, MLP_SOFTMAX};
    struct shoal_mlp_model *model = files_model(preparation, 24, activations, 2, SHOAL_FP32);
    struct prepare_match match;
    double inputs[ALL * 16], truth[ALL];
    uint32_t classes[ALL];
    assert_int_equal(model->net->inputs, 16);
    assert_ok(prepare_match(preparation, dataset, true, &match, &test_error));
    for (size_t r = 0; r < ALL; r++) {
        assert_ok(prepare_row(&match, r, inputs + 16 * r, &test_error));
        prepare_scale(preparation, inputs + 16 * r);
        assert_ok(prepare_target(&match, r, &classes[r], NULL, &test_error));
        truth[r] = classes[r];
    }
    model->net->loss = MLP_LOSS_CROSS_ENTROPY;
    train(model, inputs, classes);
    write_numbers("trained", "truth", truth, ALL, 1);
    write_rows("trained", model, dataset);
    save(model, "trained", ".c", "int8");
    prepare_match_free(&match);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: export_models FOLDER\n");
        return 2;
    }
    folder = arguments[1];
    const struct CMUnitTest tests[] = {UNIT_TEST(exports), UNIT_TEST(trained_model)};
    /* test_exports.py reads the files of each function. */
    unsetenv("SHOAL_TEST_FUNCTIONS");
    return cmocka_run_group_tests_name("exports", tests, NULL, NULL);
}
