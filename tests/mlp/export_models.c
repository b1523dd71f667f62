/* Writes models in every format that other programs read, with rows and what is to come of them, into a
 * folder: test_exports.py gives both to those programs. Of each model NAME: NAME.rows, the raw rows,
 * NAME.prepared, the inputs of the net, NAME.net, its outputs, and NAME.outputs, predictions; a row a line.
 */
#include "files.h"

#include "mlp/host/pass.h"

#include <stdio.h>

enum { ROWS = 700 };

static const char *folder;

static void write_numbers(const char *name, const char *kind, const double *numbers, size_t columns)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, kind);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < ROWS * columns; i++)
        fprintf(file, "%.17g%c", numbers[i], (i + 1) % columns ? ' ' : '\n');
    assert_int_equal(fclose(file), 0);
}

static void write_rows(const char *name, const struct shoal_mlp_model *model,
                       const struct shoal_dataset *dataset)
{
    const size_t columns = model->info.columns, inputs = model->info.inputs, outputs = model->info.outputs;
    double *raw = files_raw(model, dataset), *predicted = files_predict(model, dataset);
    double *prepared = calloc(ROWS * inputs, sizeof *prepared), *net = calloc(ROWS * outputs, sizeof *net);
    struct pass *pass;
    assert_true(prepared && net);
    for (size_t r = 0; r < ROWS; r++) {
        assert_ok(prepare_raw(model->preparation, raw + r * columns, prepared + r * inputs, &test_error));
        prepare_scale(model->preparation, prepared + r * inputs);
    }
    assert_ok(pass_create(model->net, ROWS, &pass, &test_error));
    const struct pass_data data = {.rows = ROWS, .inputs = prepared};
    const struct pass_batch batch = {.data = &data, .count = ROWS};
    pass_run(pass, &batch, model->parameters, NULL, net);
    write_numbers(name, "rows", raw, columns);
    write_numbers(name, "prepared", prepared, inputs);
    write_numbers(name, "net", net, outputs);
    write_numbers(name, "outputs", predicted, outputs);
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
        shoal_mlp_model_destroy(&model);
        prepare_destroy(&preparation);
        shoal_dataset_destroy(&dataset);
    }
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: export_models FOLDER\n");
        return 2;
    }
    folder = arguments[1];
    const struct CMUnitTest tests[] = {UNIT_TEST(exports)};
    return cmocka_run_group_tests_name("exports", tests, NULL, NULL);
}
