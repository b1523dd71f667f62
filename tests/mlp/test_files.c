/* Models: what is saved opens as the same model, rows are predicted as the parts of the model say, and broken
 * files are refused with their reason. */
#include "files.h"
#include "unit.h"

#include "io/tensors/safetensors.h"
#include "mlp/host/pass.h"

enum { ROWS = 700 };

static const int32_t smooth[] = {MLP_TANH, MLP_SILU, MLP_SOFTMAX};

static void predictions_are_those_of_the_parts(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = files_dataset(ROWS, "value, other");
    const struct prepare_rules rules = {.missing = PREPARE_INDICATOR};
    struct preparation *preparation = files_preparation(dataset, &rules);
    const int32_t activations[] = {MLP_GELU, MLP_LINEAR};
    struct shoal_mlp_model *model = files_model(preparation, 9, activations, 2, SHOAL_FP64);
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    assert_int_equal(info->columns, 5);
    assert_int_equal(info->inputs, 1 + 2 + 3 + 3 + 3);
    assert_int_equal(info->outputs, 2);
    assert_int_equal(info->layers, 2);
    assert_int_equal(info->classes, 0);
    assert_string_equal(info->output_names[1], "other");
    assert_string_equal(shoal_mlp_model_column_at(model, 2)->name, "colour");
    assert_string_equal(shoal_mlp_model_column_at(model, 2)->categories[0], "blue, \"light\"");
    assert_true(shoal_mlp_model_column_at(model, 1)->may_miss);
    assert_null(shoal_mlp_model_column_at(model, 5));
    assert_true(!model->preparation->inputs[0].is_whole && model->preparation->inputs[3].is_whole);

    double *outputs = files_predict(model, dataset), *raw = files_raw(model, dataset);
    double again[ROWS * 2];
    assert_ok(shoal_mlp_model_predict(model, raw, ROWS, again, &test_error));
    assert_memory_equal(outputs, again, sizeof again);
    /* Row by row it is the same, and the numbers are those of the net, in units of the targets. */
    for (size_t r = 0; r < ROWS; r += 37) {
        double inputs[12], expected[2], alone[2];
        struct pass *pass;
        assert_ok(prepare_raw(preparation, raw + r * 5, inputs, &test_error));
        prepare_scale(preparation, inputs);
        assert_ok(pass_create(model->net, 1, &pass, &test_error));
        const struct pass_data data = {.rows = 1, .inputs = inputs};
        const struct pass_batch batch = {.data = &data, .count = 1};
        pass_run(pass, &batch, model->parameters, NULL, expected);
        pass_destroy(&pass);
        for (size_t k = 0; k < 2; k++)
            expected[k] = expected[k] / preparation->target_factor[k] + preparation->target_shift[k];
        assert_ok(shoal_mlp_model_predict(model, raw + r * 5, 1, alone, &test_error));
        assert_memory_equal(alone, expected, sizeof alone);
        assert_memory_equal(alone, outputs + 2 * r, sizeof alone);
    }
    assert_ok(shoal_mlp_model_predict(model, NULL, 0, NULL, &test_error));
    assert_ok(shoal_mlp_model_predict_dataset(model, dataset, 690, 10, again, &test_error));
    assert_memory_equal(again, outputs + 690 * 2, 20 * sizeof *again);

    /* What the model does not know is named by row and column. */
    raw[5 * 600 + 2] = 3;
    raw[5 * 300 + 0] = INFINITY;
    assert_status(shoal_mlp_model_predict(model, raw, ROWS, again, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 301: input 1 ('size')");
    raw[5 * 300 + 0] = NAN;
    assert_status(shoal_mlp_model_predict(model, raw, ROWS, again, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 601: input 3 ('colour'): 3 is no number of a category");
    assert_status(shoal_mlp_model_predict_dataset(model, dataset, 691, 10, again, &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "rows 692 to 701 are not there");
    assert_status(shoal_mlp_model_predict(NULL, raw, 1, again, &test_error), SHOAL_INVALID);
    free(raw);
    free(outputs);
    shoal_mlp_model_destroy(&model);
    assert_null(model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* One row is computed otherwise than many, with the same bits. */
static void single_rows_have_the_same_bits(void **state)
{
    (void)state;
    static const struct {
        int32_t hidden, last, loss;
    } cases[] = {
        {MLP_TANH, MLP_SOFTMAX, MLP_LOSS_CROSS_ENTROPY},     {MLP_GELU, MLP_SOFTMAX, MLP_LOSS_E},
        {MLP_GELU_TANH, MLP_LINEAR, MLP_LOSS_CROSS_ENTROPY}, {MLP_SILU, MLP_LOGISTIC, MLP_LOSS_E},
        {MLP_LEAKY_RELU, MLP_LINEAR, MLP_LOSS_LOGISTIC},     {MLP_LOGISTIC, MLP_RELU, MLP_LOSS_HUBER},
    };
    struct shoal_dataset *dataset = files_dataset(80, "class");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t activations[] = {cases[i].hidden, cases[i].hidden, cases[i].last};
        struct shoal_mlp_model *model = files_model(preparation, 17, activations, 3, SHOAL_FP64);
        model->net->loss = cases[i].loss;
        double *raw = files_raw(model, dataset), *wanted = files_predict(model, dataset), outputs[4 * 3];
        for (size_t r = 0; r + 4 <= 80; r++) {
            const size_t count = 1 + r % 4;
            test_label("case %zu, row %zu", i, r);
            assert_ok(shoal_mlp_model_predict(model, raw + 5 * r, count, outputs, &test_error));
            assert_memory_equal(outputs, wanted + 3 * r, 3 * count * sizeof *outputs);
        }
        free(wanted);
        free(raw);
        shoal_mlp_model_destroy(&model);
    }
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Enough rows for several threads: each row is that of a call of its own, and the first wrong one is named.
 */
static void many_rows_on_several_threads(void **state)
{
    (void)state;
    enum { TIMES = 40 };
    struct shoal_dataset *dataset = files_dataset(ROWS, "value");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    const int32_t activations[] = {MLP_RELU, MLP_LINEAR};
    struct shoal_mlp_model *model = files_model(preparation, 12, activations, 2, SHOAL_FP32);
    double *raw = files_raw(model, dataset), *wanted = files_predict(model, dataset);
    double *rows = calloc((size_t)TIMES * ROWS * 5, sizeof *rows),
           *outputs = calloc((size_t)TIMES * ROWS, sizeof *outputs);
    assert_true(rows && outputs);
    for (size_t t = 0; t < TIMES; t++)
        memcpy(rows + t * ROWS * 5, raw, ROWS * 5 * sizeof *raw);
    assert_ok(shoal_mlp_model_predict(model, rows, TIMES * ROWS, outputs, &test_error));
    for (size_t t = 0; t < TIMES; t++)
        assert_memory_equal(outputs + t * ROWS, wanted, ROWS * sizeof *wanted);
    for (size_t t = 5; t < TIMES; t++)
        rows[(t * ROWS + 99) * 5 + 2] = -1;
    assert_status(shoal_mlp_model_predict(model, rows, TIMES * ROWS, outputs, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "row 3600: input 3 ('colour'): -1 is no number of a category");
    free(outputs);
    free(rows);
    free(wanted);
    free(raw);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static void classes_are_the_most_probable(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = files_dataset(80, "class");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    struct shoal_mlp_model *model = files_model(preparation, 6, smooth, 3, SHOAL_FP32);
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    assert_int_equal(info->classes, 3);
    assert_string_equal(info->class_names[2], "small");
    assert_string_equal(info->output_names[0], "big");
    double *outputs = files_predict(model, dataset);
    for (size_t r = 0; r < 80; r++) {
        const double *row = outputs + 3 * r;
        assert_near(row[0] + row[1] + row[2], 1, 1e-12);
        const size_t best = row[0] >= row[1] ? (row[0] >= row[2] ? 0 : 2) : row[1] >= row[2] ? 1 : 2;
        assert_int_equal(shoal_mlp_model_class(model, row), best);
    }
    free(outputs);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static void what_is_saved_opens_as_the_same(void **state)
{
    (void)state;
    static const char *const targets[] = {"class", "value, other"};
    for (size_t t = 0; t < 2; t++)
        for (int precision = SHOAL_FP32; precision <= SHOAL_FP64; precision++) {
            struct shoal_dataset *dataset = files_dataset(80, targets[t]);
            const struct prepare_rules rules = {.missing = t ? PREPARE_INDICATOR : PREPARE_MEDIAN,
                                                .scale = t ? PREPARE_MIN_MAX : PREPARE_STANDARD};
            struct preparation *preparation = files_preparation(dataset, &rules);
            const int32_t activations[] = {MLP_TANH, MLP_LEAKY_RELU, t ? MLP_LINEAR : MLP_SOFTMAX};
            struct shoal_mlp_model *model = files_model(preparation, 6, activations, 3,
                                                        (enum shoal_precision)precision),
                                   *opened;
            const char *path = test_path("m.safetensors");
            assert_ok(shoal_mlp_model_save(model, path, NULL, &test_error));
            assert_ok(files_open(path, &opened));
            const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(opened);
            assert_int_equal(info->precision, precision);
            assert_int_equal(info->activations[1], MLP_LEAKY_RELU);
            assert_true(info->slopes[1] == 0.0625);
            assert_string_equal(info->creator, "tests \"of files\"");
            assert_string_equal(info->notes, "two\nlines");
            assert_int_equal(info->parameters, shoal_mlp_model_get_info(model)->parameters);
            assert_memory_equal(opened->parameters, model->parameters,
                                info->parameters * sizeof *model->parameters);
            double *first = files_predict(model, dataset), *second = files_predict(opened, dataset);
            assert_memory_equal(first, second, 80 * info->outputs * sizeof *first);
            free(first);
            free(second);
            shoal_mlp_model_destroy(&model);
            shoal_mlp_model_destroy(&opened);
            prepare_destroy(&preparation);
            shoal_dataset_destroy(&dataset);
        }
}

/* Files of others ---------------------------------------------------------------------------------------- */

struct other {
    const char *name;
    unsigned dimensions;
    size_t shape[2];
};

static const char *write_other(const struct other *others, size_t count, const char *net)
{
    static const double numbers[64] = {0.5, -1, 2, 0.25, 1, -0.125, 3, -2, 1, 0.75};
    struct tensor tensors[8] = {{0}};
    const double *values[8];
    struct safetensors_text text = {(char[]){"shoal.net"}, (char *)(uintptr_t)net};
    const struct safetensors file = {tensors, count, &text, net != NULL};
    const char *path = test_path("other.safetensors");
    for (size_t i = 0; i < count; i++) {
        tensors[i] = (struct tensor){.name = (char *)(uintptr_t)others[i].name,
                                     .type = TENSOR_F32,
                                     .dimensions = others[i].dimensions,
                                     .shape = {others[i].shape[0], others[i].shape[1]},
                                     .count = others[i].shape[0] *
                                              (others[i].dimensions == 2 ? others[i].shape[1] : 1)};
        values[i] = numbers + i;
    }
    assert_ok(safetensors_write(path, &file, values, &test_error));
    return path;
}

static void files_of_others_open(void **state)
{
    (void)state;
    /* The order is that of the numbers in the names, and a layer may have no bias. */
    static const struct other others[] = {
        {"net.10.weight", 2, {2, 3}}, {"net.2.bias", 1, {3}}, {"net.2.weight", 2, {3, 1}}};
    const char *path = write_other(others, 3, NULL);
    struct shoal_mlp_model *model;
    struct shoal_mlp_model_file file;
    assert_status(files_open(path, &model), SHOAL_INVALID);
    assert_contains(test_error.message,
                    "give the output, that of the last layer (such as softmax or linear)");
    shoal_mlp_model_file_init(&file);
    file.path = path;
    file.output = "softmax";
    assert_status(shoal_mlp_model_open(&file, &model, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "give the activation of hidden layers (such as relu)");
    file.activation = "rleu";
    assert_status(shoal_mlp_model_open(&file, &model, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "there is no activation 'rleu'; there are logistic");
    file.activation = "relu,tanh";
    assert_status(shoal_mlp_model_open(&file, &model, &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "2 activations for 1 hidden layers");
    file.activation = "relu";
    assert_ok(shoal_mlp_model_open(&file, &model, &test_error));
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    assert_int_equal(info->columns, 1);
    assert_int_equal(info->classes, 2);
    assert_string_equal(info->class_names[1], "1");
    assert_string_equal(shoal_mlp_model_column_at(model, 0)->name, "1");
    /* Hidden: ReLU of (2, 0.25, 1) x + (-1, 2, 0.25) at x = 1; logits by the rows (0.5, -1, 2), (0.25, 1,
     * -0.125). */
    const double hidden[] = {1, 2.25, 1.25}, x = 1;
    const double first = 0.5 * hidden[0] - hidden[1] + 2 * hidden[2],
                 second = 0.25 * hidden[0] + hidden[1] - 0.125 * hidden[2];
    double outputs[2];
    assert_ok(shoal_mlp_model_predict(model, &x, 1, outputs, &test_error));
    assert_near(outputs[1], 1 / (1 + exp(first - second)), 1e-15);
    shoal_mlp_model_destroy(&model);
    file.output = "linear";
    assert_ok(shoal_mlp_model_open(&file, &model, &test_error));
    assert_int_equal(shoal_mlp_model_get_info(model)->classes, 0);
    assert_ok(shoal_mlp_model_predict(model, &x, 1, outputs, &test_error));
    assert_true(outputs[0] == first && outputs[1] == second);
    shoal_mlp_model_destroy(&model);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct other others[4];
        size_t count;
        const char *net, *message;
    } cases[] = {
        {{{"0.weight", 2, {3, 1}}, {"2.weight", 2, {2, 4}}},
         2,
         NULL,
         "tensor '2.weight' takes 4 numbers, the layer before it gives 3"},
        {{{"0.weight", 2, {3, 1}}, {"0.bias", 1, {2}}}, 2, NULL, "'0.bias' has another length"},
        {{{"0.weight", 1, {3}}}, 1, NULL, "'0.weight' is neither a matrix"},
        {{{"embedding", 2, {3, 1}}}, 1, NULL, "'embedding' is neither a matrix"},
        {{{"0.bias", 1, {3}}}, 1, NULL, "has no weights of a net"},
        {{{"0.weight", 2, {3, 1}}, {"4.bias", 1, {3}}}, 2, NULL, "a bias has no weights"},
        {{{"0.weight", 2, {3, 0}}}, 1, NULL, "is empty"},
        {{{"0.weight", 2, {3, 1}}}, 1, "[]", "(shoal.net) is no JSON"},
        {{{"0.weight", 2, {3, 1}}},
         1,
         "{\"inputs\":2,\"layers\":[{\"outputs\":3}]}",
         "is of another net than its weights, which have 1 input and 1 layer"},
        {{{"0.weight", 2, {3, 1}}},
         1,
         "{\"inputs\":1,\"layers\":[{\"outputs\":2}]}",
         "layer 1 has 3 outputs by its weights"},
        {{{"0.weight", 2, {3, 1}}},
         1,
         "{\"inputs\":1,\"layers\":[{\"outputs\":3,\"activation\":\"step\"}]}",
         "there is no activation -1"},
        {{{"0.weight", 2, {3, 1}}},
         1,
         "{\"inputs\":1,\"layers\":[{\"outputs\":3,\"activation\":\"tanh\",\"slope\":1,\"dropout\":0}]}",
         "there is no loss -1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_mlp_model *model;
        const char *path = write_other(cases[i].others, cases[i].count, cases[i].net);
        test_label("%s", cases[i].message);
        assert_status(files_open(path, &model), SHOAL_IO);
        assert_null(model);
        assert_contains(test_error.message, cases[i].message);
        assert_contains(test_error.message, path);
    }
}

static void damaged_descriptions_are_refused(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = files_dataset(80, "class");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    struct shoal_mlp_model *model = files_model(preparation, 2, smooth, 3, SHOAL_FP32), *opened;
    const char *path = test_path("m.safetensors");
    char *content;
    size_t bytes;
    assert_ok(shoal_mlp_model_save(model, path, NULL, &test_error));
    assert_ok(read_input(path, "model", INPUT_DATA_MOST, &content, &bytes, &test_error));
    /* Each byte of the description changed: refused with its file, or a model whose sizes fit. */
    const struct shoal_mlp_model_file file = {.size = sizeof file, .path = "F"};
    for (size_t i = 8; i < bytes; i += 5) {
        const char kept = content[i];
        content[i] = kept == '1' ? '2' : '1';
        const enum shoal_status status = model_read_safetensors(&file, content, bytes, &opened, &test_error);
        test_label("byte %zu", i);
        assert_true(status == SHOAL_OK || status == SHOAL_IO || status == SHOAL_INVALID);
        if (status)
            assert_int_equal(strncmp(test_error.message, "F: ", 3), 0);
        shoal_mlp_model_destroy(&opened);
        content[i] = kept;
    }
    for (size_t i = bytes - 12; i < bytes; i++) /* biases that are no numbers */
        content[i] = (char)0xff;
    assert_status(model_read_safetensors(&file, content, bytes, &opened, &test_error), SHOAL_IO);
    assert_contains(test_error.message, "F: layer 3 of the model has a bias that is no finite number");
    free(content);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

static void arrays_of_numpy(void **state)
{
    (void)state;
    struct shoal_dataset *dataset = files_dataset(80, "class");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    for (int precision = SHOAL_FP32; precision <= SHOAL_FP64; precision++) {
        struct shoal_mlp_model *model =
            files_model(preparation, 4, smooth, 3, (enum shoal_precision)precision);
        struct shoal_mlp_model *opened;
        struct shoal_mlp_model_file file;
        const size_t bytes = model->net->parameters * sizeof *model->parameters;
        const char *path = test_path("m.npy");
        char *content;
        size_t length;
        assert_ok(shoal_mlp_model_save(model, path, NULL, &test_error));
        assert_ok(read_input(path, "array", INPUT_DATA_MOST, &content, &length, &test_error));
        assert_non_null(strstr(content + 10, "'shape': (91,)")); /* 12 x 4 + 5 x 5 + 6 x 3 */
        free(content);
        assert_status(files_open(path, &opened), SHOAL_INVALID);
        assert_contains(test_error.message, "give the shape of the net, such as 64-63-26");
        shoal_mlp_model_file_init(&file);
        file.path = path;
        file.activation = "tanh,silu";
        file.output = "softmax";
        static const char *const wrong[] = {"", "11", "11-", "-11-4", "11-0-3", "11-4x3", "11-4-99999999999"};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            file.shape = wrong[i];
            test_label("%s", wrong[i]);
            assert_status(shoal_mlp_model_open(&file, &opened, &test_error), SHOAL_INVALID);
            assert_contains(test_error.message, "is no shape of a net");
        }
        file.shape = "11-4-4-3";
        assert_status(shoal_mlp_model_open(&file, &opened, &test_error), SHOAL_IO);
        assert_contains(test_error.message, "numbers, the net has 83 parameters");
        file.shape = "11-4-5-3";
        assert_ok(shoal_mlp_model_open(&file, &opened, &test_error));
        assert_memory_equal(opened->parameters, model->parameters, bytes);
        shoal_mlp_model_destroy(&opened);

        /* The start of a training run takes parameters of the same shape, from any format. */
        double *parameters = calloc(1, bytes);
        assert_non_null(parameters);
        assert_ok(model_read_parameters(path, model->net, parameters, &test_error));
        assert_memory_equal(parameters, model->parameters, bytes);
        const char *other = test_path("m.safetensors");
        assert_ok(shoal_mlp_model_save(model, other, NULL, &test_error));
        memset(parameters, 0, bytes);
        assert_ok(model_read_parameters(other, model->net, parameters, &test_error));
        assert_memory_equal(parameters, model->parameters, bytes);
        struct shoal_mlp_model *wider = files_model(preparation, 5, smooth, 3, SHOAL_FP32);
        assert_status(model_read_parameters(other, wider->net, parameters, &test_error), SHOAL_IO);
        assert_contains(test_error.message, "holds a net 11-4-5-3, but the net to be trained is 11-5-6-3");
        assert_status(model_read_parameters(path, wider->net, parameters, &test_error), SHOAL_IO);
        shoal_mlp_model_destroy(&wider);
        free(parameters);
        shoal_mlp_model_destroy(&model);
    }
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Rows of other columns, and values that no training row had. */
static void other_rows_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"size,gap,colour,code\n1,2,red,3\n2,2,red,1\n", "has no column 'step', an input of the model"},
        {"size,gap,colour,step,code\nx,2,red,3,4\ny,1,red,2,1\n",
         "column 1 ('size') holds words such as 'x'"},
        {"size,gap,colour,step,code\n1,2,red,3,4\n1,2,pink,3,4\n",
         "row 2, column 3 ('colour'): 'pink' is no"},
        {"size,gap,colour,step,code\n1,2,red,3,4\n,2,red,3,4\n", "row 2, column 1 ('size') has no value"},
        {"size,gap,colour,step,code\n1,2,red,3,9\n1,2,red,3,4\n",
         "row 1, column 'code': 9 is no whole number"},
    };
    struct shoal_dataset *dataset = files_dataset(80, "class"), *other;
    struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    free(preparation->inputs[0].fill);
    preparation->inputs[0].fill = NULL;
    free(preparation->inputs[2].fill);
    preparation->inputs[2].fill = NULL;
    struct shoal_mlp_model *model = files_model(preparation, 4, smooth, 3, SHOAL_FP32);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_dataset_params params;
        double outputs[6];
        const char *path = test_path("other.csv");
        test_write_text(path, cases[i].text);
        shoal_dataset_params_init(&params);
        params.path = path;
        params.columns = "colour category";
        test_label("%s", cases[i].message);
        assert_ok(shoal_dataset_open(&params, &other, &test_error));
        assert_status(shoal_mlp_model_predict_dataset(model, other, 0, 2, outputs, &test_error), SHOAL_IO);
        assert_contains(test_error.message, cases[i].message);
        assert_contains(test_error.message, path);
        shoal_dataset_destroy(&other);
    }
    char *notes;
    assert_ok(shoal_mlp_model_notes(model, dataset, &notes, &test_error));
    assert_null(notes);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

/* Files that are something else than their extension says. */
static void wrong_content_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *content, *message;
    } cases[] = {
        {"m.safetensors", "size,gap\n1,2\n", "is not a safetensors file"},
        {"m.safetensors", "", "is not a safetensors file"},
        {"m.net", "PK\3\4", "is no net of FANN: it does not begin with FANN_FLO_2.1"},
        {"m.net", "", "is no net of FANN"},
        {"m.npy", "FANN_FLO_2.1\nnum_layers=3\n", "is not a .npy file"},
        {"m.npy", "", "is not a .npy file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct shoal_mlp_model_file file;
        struct shoal_mlp_model *model;
        shoal_mlp_model_file_init(&file);
        file.path = test_path("%s", cases[i].name);
        file.shape = "2-3-1";
        file.activation = "tanh";
        file.output = "linear";
        test_write_text(file.path, cases[i].content);
        test_label("%s: %s", cases[i].name, cases[i].message);
        assert_status(shoal_mlp_model_open(&file, &model, &test_error), SHOAL_IO);
        assert_contains(test_error.message, cases[i].message);
        assert_null(model);
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    struct shoal_mlp_model *model = NULL;
    struct shoal_mlp_model_file file = {0};
    assert_status(shoal_mlp_model_open(&file, &model, &test_error), SHOAL_INVALID);
    assert_status(files_open(test_path("m.pt"), &model), SHOAL_IO);
    assert_contains(test_error.message, "the extension names no format of models");
    assert_status(files_open(test_path("none.safetensors"), &model), SHOAL_IO);
    assert_contains(test_error.message, "No such file");
    assert_status(shoal_mlp_model_save(NULL, "m.safetensors", NULL, &test_error), SHOAL_INVALID);
    shoal_mlp_model_destroy(&model);
    shoal_mlp_model_destroy(NULL);

    struct shoal_dataset *dataset = files_dataset(80, "class");
    const struct prepare_rules rules = {.missing = PREPARE_MEAN};
    struct preparation *preparation = files_preparation(dataset, &rules);
    model = files_model(preparation, 2, smooth, 3, SHOAL_FP32);
    assert_status(shoal_mlp_model_save(model, test_path("m.safetensors"), "int8", &test_error),
                  SHOAL_INVALID);
    assert_contains(test_error.message, "there is no form 'int8' of such a file");
    assert_status(shoal_mlp_model_save(model, test_path("no/such/m.safetensors"), NULL, &test_error),
                  SHOAL_IO);
    /* What is written alone, and files that cannot be. */
    assert_ok(shoal_mlp_model_save(model, test_path("m.onnx"), NULL, &test_error));
    struct shoal_mlp_model *opened;
    assert_status(files_open(test_path("m.onnx"), &opened), SHOAL_UNSUPPORTED);
    assert_contains(test_error.message, "models can be written as .onnx, but not read");
    static const char *const extensions[] = {".safetensors", ".npy", ".onnx", ".c"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        const char *full = test_path("full%s", extensions[i]);
        test_label("%s", extensions[i]);
        assert_status(shoal_mlp_model_save(model, test_path("no/such/m%s", extensions[i]), NULL, &test_error),
                      SHOAL_IO);
        assert_int_equal(symlink("/dev/full", full), 0);
        assert_status(shoal_mlp_model_save(model, full, NULL, &test_error), SHOAL_IO);
        assert_contains(test_error.message, "No space left");
    }
    assert_status(shoal_mlp_model_save(model, test_path("full.c"), "int8", &test_error), SHOAL_IO);
    assert_contains(test_error.message, "No space left");
    assert_status(shoal_mlp_model_save(model, test_path("m.c"), "int4", &test_error), SHOAL_INVALID);
    assert_contains(test_error.message, "there is no form 'int4' of such a file; there are float and int8");
    model->parameters[model->net->layers[1].biases + 2] = -1e39;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        const char *none = test_path("none%s", extensions[i]);
        assert_status(shoal_mlp_model_save(model, none, NULL, &test_error), SHOAL_UNSUPPORTED);
        assert_contains(test_error.message,
                        "layer 2 has a bias of -1e+39, which single precision does not hold");
        assert_int_equal(access(none, F_OK), -1);
    }
    model->parameters[model->net->layers[1].biases + 2] = 0;
    /* A preparation of other columns than the net has inputs. */
    struct shoal_dataset *numbers = files_dataset(80, "value");
    struct preparation *another = files_preparation(numbers, &rules);
    const struct model_parts parts = {
        .net = model->net, .parameters = model->parameters, .preparation = another};
    struct shoal_mlp_model *none;
    assert_status(model_create(&parts, &none, &test_error), SHOAL_INVALID);
    assert_null(none);
    assert_contains(test_error.message, "11 inputs and 3 outputs, its preparation of columns gives 11 and 1");
    prepare_destroy(&another);
    shoal_dataset_destroy(&numbers);
    shoal_mlp_model_destroy(&model);
    prepare_destroy(&preparation);
    shoal_dataset_destroy(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT_TEST(predictions_are_those_of_the_parts),
        UNIT_TEST(single_rows_have_the_same_bits),
        UNIT_TEST(many_rows_on_several_threads),
        UNIT_TEST(classes_are_the_most_probable),
        UNIT_TEST(what_is_saved_opens_as_the_same),
        UNIT_TEST(files_of_others_open),
        UNIT_TEST(broken_files_are_refused),
        UNIT_TEST(damaged_descriptions_are_refused),
        UNIT_TEST(arrays_of_numpy),
        UNIT_TEST(other_rows_are_refused),
        UNIT_TEST(wrong_content_is_refused),
        UNIT_TEST(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("mlp-files", tests, NULL, NULL);
}
