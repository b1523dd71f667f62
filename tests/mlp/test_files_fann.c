/* Nets of FANN: what is written is read by it, and what it writes is read here, with the same outputs; nets
 * that have no form here are refused. What needs the library is skipped where it is absent. */
#include "files.h"
#include "unit.h"

#ifdef HAVE_FANN
#include <fann.h>
#endif

enum { ROWS = 200 };

static const int32_t smooth[] = {MLP_TANH, MLP_LOGISTIC, MLP_LINEAR};

/* A model of numbers whose columns are scaled, missing values filled in. */
static struct shoal_mlp_model *scaled_model(struct shoal_dataset **dataset, const char *target)
{
    const struct prepare_rules rules = {.missing = PREPARE_MEAN, .target_scale = PREPARE_MIN_MAX};
    *dataset = files_dataset(ROWS, target);
    struct preparation *preparation = files_preparation(*dataset, &rules);
    struct shoal_mlp_model *model = files_model(preparation, 7, smooth, 3, SHOAL_FP32);
    prepare_destroy(&preparation);
    return model;
}

static void what_is_written_opens(void **state)
{
    (void)state;
    struct shoal_dataset *dataset;
    struct shoal_mlp_model *model = scaled_model(&dataset, "value, other"), *opened;
    const char *path = test_path("m.net");
    assert_ok(shoal_mlp_model_save(model, path, NULL, &test_error));
    assert_ok(files_open(path, &opened));
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(opened);
    assert_int_equal(info->columns, model->net->inputs); /* FANN has no encodings */
    assert_int_equal(info->layers, 3);
    assert_int_equal(info->activations[0], MLP_TANH);
    assert_int_equal(info->activations[1], MLP_LOGISTIC);
    assert_true(info->slopes[1] == 1.5);
    assert_memory_equal(opened->parameters, model->parameters, info->parameters * sizeof *model->parameters);
    double *raw = files_raw(model, dataset), *wanted = files_predict(model, dataset);
    for (size_t r = 0; r < ROWS; r++) {
        double encoded[16], outputs[2];
        assert_ok(prepare_raw(model->preparation, raw + r * 5, encoded, &test_error));
        assert_ok(shoal_mlp_model_predict(opened, encoded, 1, outputs, &test_error));
        for (size_t k = 0; k < 2; k++)
            assert_close(outputs[k], wanted[2 * r + k], 1e-5);
    }
    free(raw);
    free(wanted);
    shoal_mlp_model_destroy(&opened);
    shoal_mlp_model_destroy(&model);
    shoal_dataset_destroy(&dataset);
}

static void functions_that_are_not_there(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = files_dataset(80, "class");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    const int32_t activations[] = {MLP_TANH, MLP_SOFTMAX};
    struct shoal_mlp_model *model = files_model(preparation, 4, activations, 2, SHOAL_FP32);
    const char *path = test_path("m.net");
    assert_status(shoal_mlp_model_save(model, path, NULL, &test_error), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "m.net: FANN has no softmax, that of layer 2; logistic, tanh");
    assert_int_equal(access(path, F_OK), -1);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Replaces the first `from` in a text by `to`; the caller frees it. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"FANN_FLO_2.1", "FANN_FLO_2.2", "is of another version"},
        {"FANN_FLO_2.1", "FANN_FIX_2.1", "holds a net in fixed point"},
        {"FANN_FLO_2.1", "GANN_FLO_2.1", "is no net of FANN"},
        {"num_layers=4", "num_layers=1", "line 2: a net has 2 to 64 layers, not 1"},
        {"num_layers=4", "num_layers=x", "num_layers is no number"},
        {"num_layers=4", "num_layers=3", "there are more sizes than num_layers"},
        {"num_layers=4", "num_layers=5", "size 5 of 5 is to be a number of neurons"},
        {"connection_rate=1.000000", "connection_rate=0.5", "the net has a part of its connections"},
        {"network_type=0", "network_type=1", "connections that skip layers"},
        {"network_type", "network", "ends without network_type"},
        {"layer_sizes=12 ", "layer_sizes=4000000000 ", "more than the file holds"},
        {"layer_sizes=12 ", "layer_sizes=1 ", "size 1 of 4 is to be a number"},
        {"scale_included=1", "scale_included=0", "line 35: neurons (num_inputs, activation_function, "},
        {"scale_deviation_in=", "scale_deviation_in=0 ", "scale_deviation_in: number 1 of 11 is no scale"},
        {"scale_mean_out=", "scale_mean=", "scale_mean_out is to be here"},
        {"(12, 5, 1)", "(11, 5, 1)", "neuron 1 of layer 1 has 11 connections, not 12"},
        {"(12, 5, 1)", "(12, 7, 1)", "neuron 1 of layer 1 has FANN's function 7"},
        {"(12, 5, 1)", "(12, 3, 1)", "layer 1 has several functions"},
        {"(12, 5, 1)", "(12, 5, 0)", "neuron 1 of layer 1 has steepness 0"},
        {"(12, 5, 1)", "(12, 5; 1)", "neuron 1 of 8 of layer 1 cannot be read"},
        {"(0, 0, 0.0)", "(2, 0, 0.0)", "neuron 1 of layer 0 is to have no connections"},
        {"weight)=(0, ", "weight)=(1, ", "comes from neuron 1, not 0"},
        {"weight)=(0, ", "weight)=(0, x", "connection 1 of neuron 1 of layer 1 cannot be read"},
        {"weight)=(0, ", "weight)=(0, 1e999", "connection 1 of neuron 1 of layer 1 cannot be read"},
    };
    struct shoal_dataset *dataset;
    struct shoal_mlp_model *model = scaled_model(&dataset, "value"), *opened;
    const char *path = test_path("m.net");
    const struct shoal_mlp_model_file file = {.size = sizeof file, .path = "F"};
    char *text;
    size_t bytes;
    assert_ok(shoal_mlp_model_save(model, path, NULL, &test_error));
    assert_ok(read_input(path, "model", INPUT_DATA_MOST, &text, &bytes, &test_error));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *wrong = replaced(text, cases[i].from, cases[i].to);
        test_label("%s for %s", cases[i].to, cases[i].from);
        assert_status(model_read_fann(&file, wrong, strlen(wrong), &opened, &test_error), SHOAL_IO);
        assert_contains(test_error.message, cases[i].message);
        assert_int_equal(strncmp(test_error.message, "F: ", 3), 0);
        assert_null(opened);
        free(wrong);
    }
    /* Cut anywhere but behind the last connection. */
    for (size_t cut = 0; cut + 4 < bytes; cut += 7) {
        char *wrong = strndup(text, cut);
        test_label("cut at %zu", cut);
        assert_status(model_read_fann(&file, wrong, cut, &opened, &test_error), SHOAL_IO);
        free(wrong);
    }
    free(text);
    assert_int_equal(symlink("/dev/full", test_path("full.net")), 0);
    assert_status(shoal_mlp_model_save(model, test_path("full.net"), NULL, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "No space left");
    shoal_mlp_model_destroy(&model);
    shoal_dataset_destroy(&dataset);
}

#ifdef HAVE_FANN
static void fann_reads_what_is_written(void **state)
{
    (void)state;
    struct shoal_dataset *dataset;
    struct shoal_mlp_model *model = scaled_model(&dataset, "value, other");
    const char *path = test_path("m.net");
    assert_ok(shoal_mlp_model_save(model, path, NULL, &test_error));
    struct fann *fann = fann_create_from_file(path);
    assert_non_null(fann);
    double *raw = files_raw(model, dataset), *wanted = files_predict(model, dataset);
    for (size_t r = 0; r < ROWS; r++) {
        double encoded[16];
        fann_type inputs[16];
        assert_ok(prepare_raw(model->preparation, raw + r * 5, encoded, &test_error));
        for (size_t i = 0; i < model->net->inputs; i++)
            inputs[i] = (fann_type)encoded[i];
        fann_scale_input(fann, inputs);
        fann_type *outputs = fann_run(fann, inputs);
        fann_descale_output(fann, outputs);
        for (size_t k = 0; k < 2; k++)
            assert_close(outputs[k], wanted[2 * r + k], 1e-5);
    }
    /* And writes it again. */
    assert_int_equal(fann_save(fann, path), 0);
    struct shoal_mlp_model *opened;
    assert_ok(files_open(path, &opened));
    for (size_t k = 0; k < model->net->parameters; k++)
        assert_true(opened->parameters[k] == model->parameters[k]);
    shoal_mlp_model_destroy(&opened);
    fann_destroy(fann);
    free(raw);
    free(wanted);
    shoal_mlp_model_destroy(&model);
    shoal_dataset_destroy(&dataset);
}

static void nets_of_fann_open(void **state)
{
    (void)state;
    const char *path = test_path("f.net");
    struct fann *fann = fann_create_standard(4, 3, 5, 4, 2);
    struct shoal_mlp_model *model;
    assert_non_null(fann);
    fann_randomize_weights(fann, -1, 1);
    fann_set_activation_function_layer(fann, FANN_SIGMOID, 1);
    fann_set_activation_function_layer(fann, FANN_SIGMOID_SYMMETRIC, 2);
    fann_set_activation_function_output(fann, FANN_LINEAR);
    fann_set_activation_steepness_layer(fann, 0.25f, 1);
    fann_set_activation_steepness(fann, 0.75f, 1, 2);
    fann_set_activation_steepness_layer(fann, 0.7f, 2);
    struct fann_train_data *data = fann_create_train(5, 3, 2);
    for (unsigned r = 0; r < 5; r++) {
        for (unsigned i = 0; i < 3; i++)
            data->input[r][i] = (fann_type)sin(3.0 * r + i);
        for (unsigned k = 0; k < 2; k++)
            data->output[r][k] = (fann_type)(10 * cos(2.0 * r + k));
    }
    for (int is_scaled = 0; is_scaled < 2; is_scaled++) {
        if (is_scaled)
            assert_int_equal(fann_set_scaling_params(fann, data, -1, 2, 0, 1), 0);
        assert_int_equal(fann_save(fann, path), 0);
        assert_ok(files_open(path, &model));
        const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
        assert_string_equal(info->creator, "FANN");
        assert_int_equal(info->activations[0], MLP_LOGISTIC);
        assert_true(info->slopes[0] == 0.5);
        for (unsigned r = 0; r < 50; r++) {
            double row[3], outputs[2];
            fann_type inputs[3];
            for (unsigned i = 0; i < 3; i++)
                row[i] = inputs[i] = (fann_type)sin(12.9898 * (3 * r + i + 1));
            if (is_scaled)
                fann_scale_input(fann, inputs);
            fann_type *wanted = fann_run(fann, inputs);
            if (is_scaled)
                fann_descale_output(fann, wanted);
            assert_ok(shoal_mlp_model_predict(model, row, 1, outputs, &test_error));
            for (unsigned k = 0; k < 2; k++)
                assert_close(outputs[k], wanted[k], 1e-5);
        }
        shoal_mlp_model_destroy(&model);
    }
    fann_destroy_train(data);
    fann_destroy(fann);
}

static void nets_of_fann_that_have_no_form_here(void **state)
{
    (void)state;
    const char *path = test_path("f.net");
    struct shoal_mlp_model *model;
    struct fann *fann = fann_create_shortcut(3, 2, 3, 1);
    assert_int_equal(fann_save(fann, path), 0);
    fann_destroy(fann);
    assert_status(files_open(path, &model), SHOAL_IO);
    assert_contains(test_error.message, "connections that skip layers");
    fann = fann_create_sparse(0.5f, 3, 8, 8, 1);
    assert_int_equal(fann_save(fann, path), 0);
    fann_destroy(fann);
    assert_status(files_open(path, &model), SHOAL_IO);
    assert_contains(test_error.message, "a part of its connections");
    fann = fann_create_standard(3, 2, 3, 1); /* with its default functions */
    assert_int_equal(fann_save(fann, path), 0);
    assert_status(files_open(path, &model), SHOAL_IO);
    assert_contains(test_error.message,
                    "neuron 1 of layer 1 has FANN's default function, FANN_SIGMOID_STEPWISE");
    fann_destroy(fann);
    fann = fann_create_standard(3, 2, 3, 1);
    fann_set_activation_function_hidden(fann, FANN_ELLIOT);
    assert_int_equal(fann_save(fann, path), 0);
    assert_status(files_open(path, &model), SHOAL_IO);
    assert_contains(test_error.message, "neuron 1 of layer 1 has FANN's function 10");
    fann_destroy(fann);
}
#else
static void fann_reads_what_is_written(void **state)
{
    (void)state;
    skip();
}
#define nets_of_fann_open                   fann_reads_what_is_written
#define nets_of_fann_that_have_no_form_here fann_reads_what_is_written
#endif

int main(void)
{
#ifndef HAVE_FANN
    print_message("libfann-dev is not installed: the tests with FANN are skipped\n");
#endif
    const struct CMUnitTest tests[] = {
        UNIT_TEST(what_is_written_opens),    UNIT_TEST(functions_that_are_not_there),
        UNIT_TEST(broken_files_are_refused), UNIT_TEST(fann_reads_what_is_written),
        UNIT_TEST(nets_of_fann_open),        UNIT_TEST(nets_of_fann_that_have_no_form_here),
    };
    return cmocka_run_group_tests_name("mlp-files-fann", tests, NULL, NULL);
}
