/* Models to save: a net on columns of every kind, and rows for them. */
#ifndef SHOAL_TESTS_MLP_FILES_H
#define SHOAL_TESTS_MLP_FILES_H

#include "test.h"

#include "base/input.h"
#include "base/text.h"
#include "mlp/files/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows of a number, a plain one with gaps, a category as one-hot, a thermometer, bits, and targets. */
static inline char *files_rows(size_t rows)
{
    static const char *const names[] = {"red", "gr*/een", "blue, \"light\""};
    struct text text = {.data = NULL};
    text_add(&text, "size,gap,colour,step,code,class,value,other\n");
    for (size_t r = 0; r < rows; r++) {
        const double x = sin(12.9898 * (double)(r + 1)), y = cos(78.233 * (double)(r + 1));
        text_printf(&text, "%.6g,", 100 + 20 * x);
        if (r % 5 != 3)
            text_printf(&text, "%.6g", 0.01 * y);
        const char *name = names[(size_t)(1.5 + 1.49 * x)];
        text_printf(&text, strchr(name, ',') ? ",\"%s\",%d,%d,%s,%.6g,%.6g\n" : ",%s,%d,%d,%s,%.6g,%.6g\n",
                    strchr(name, ',') ? "blue, \"\"light\"\"" : name, (int)(r % 4) + 2, (int)(r % 8),
                    x + 0.3 * y > 0.4 ? "big"
                    : x > -0.5        ? "middle"
                                      : "small",
                    1e4 * x * y, x + 2 * y);
    }
    assert_false(text.failed);
    return text.data;
}

static inline struct shoal_dataset *files_dataset(size_t rows, const char *target)
{
    struct shoal_dataset_params params;
    struct shoal_dataset *dataset = NULL;
    char *text = files_rows(rows), columns[200] = "step thermometer, code bits:3";
    const char *path = test_path("rows.csv"), *const targets[] = {"class", "value", "other"};
    for (size_t t = 0; t < 3; t++)
        if (!strstr(target, targets[t]))
            snprintf(columns + strlen(columns), sizeof columns - strlen(columns), ", %s ignored", targets[t]);
    test_write_text(path, text);
    shoal_dataset_params_init(&params);
    params.path = path;
    params.target = target;
    params.columns = columns;
    assert_ok(shoal_dataset_open(&params, &dataset, &test_error));
    free(text);
    return dataset;
}

static inline struct preparation *files_preparation(const struct shoal_dataset *dataset,
                                                    const struct prepare_rules *rules)
{
    const size_t rows = shoal_dataset_get_info(dataset)->rows;
    struct preparation *preparation = NULL;
    uint32_t *all = calloc(rows, sizeof *all);
    assert_non_null(all);
    for (size_t r = 0; r < rows; r++)
        all[r] = (uint32_t)r;
    assert_ok(prepare_create(dataset, all, rows, rules, &preparation, &test_error));
    free(all);
    return preparation;
}

/* Layers with these activations; `hidden` units each but the last. */
static inline struct shoal_mlp_model *files_model(const struct preparation *preparation, uint32_t hidden,
                                                  const int32_t *activations, uint32_t layers,
                                                  enum shoal_precision precision)
{
    struct net_layer_choice choices[8] = {{0}};
    for (uint32_t l = 0; l < layers; l++)
        choices[l] = (struct net_layer_choice){
            .outputs = l + 1 < layers ? hidden + l : (uint32_t)preparation->target_width,
            .activation = activations[l],
            .slope = activations[l] == MLP_LEAKY_RELU ? 0.0625 : 1.5};
    const struct net_choice choice = {.inputs = (uint32_t)preparation->input_width,
                                      .layer_count = layers,
                                      .layers = choices,
                                      .loss = MLP_LOSS_SQUARED};
    struct net *net = NULL;
    struct shoal_mlp_model *model = NULL;
    assert_ok(net_create(&choice, &net, &test_error));
    double *parameters = calloc(net->parameters, sizeof *parameters);
    assert_non_null(parameters);
    const struct net_start start = {NET_XAVIER, 0, 0.25, 7};
    assert_ok(net_begin(net, &start, parameters, &test_error));
    for (size_t k = 0; k < net->parameters; k++) /* as a file of single precision has them */
        parameters[k] = precision == SHOAL_FP64 ? parameters[k] : (double)(float)parameters[k];
    for (uint32_t l = 0; l < net->layer_count; l++)
        for (uint32_t o = 0; o < net->layers[l].outputs; o++)
            parameters[net->layers[l].biases + o] = 0.125 * (o % 5) - 0.25;
    const struct model_parts parts = {net,       parameters,           preparation,
                                      precision, "tests \"of files\"", "two\nlines"};
    assert_ok(model_create(&parts, &model, &test_error));
    free(parameters);
    net_destroy(&net);
    return model;
}

static inline enum shoal_status files_open(const char *path, struct shoal_mlp_model **model)
{
    struct shoal_mlp_model_file file;
    shoal_mlp_model_file_init(&file);
    file.path = path;
    return shoal_mlp_model_open(&file, model, &test_error);
}

/* Predictions of all rows of a data set; the caller frees them. */
static inline double *files_predict(const struct shoal_mlp_model *model, const struct shoal_dataset *dataset)
{
    const size_t rows = shoal_dataset_get_info(dataset)->rows;
    double *outputs = calloc(rows * shoal_mlp_model_get_info(model)->outputs, sizeof *outputs);
    assert_non_null(outputs);
    assert_ok(shoal_mlp_model_predict_dataset(model, dataset, 0, rows, outputs, &test_error));
    return outputs;
}

/* The raw rows of a data set as the model takes them; the caller frees them. */
static inline double *files_raw(const struct shoal_mlp_model *model, const struct shoal_dataset *dataset)
{
    const size_t rows = shoal_dataset_get_info(dataset)->rows,
                 columns = shoal_mlp_model_get_info(model)->columns;
    double *raw = calloc(rows * columns, sizeof *raw), *column = calloc(rows, sizeof *column);
    assert_true(raw && column);
    for (size_t c = 0; c < columns; c++) {
        const char *name = shoal_mlp_model_column_at(model, c)->name;
        size_t place = 0;
        while (strcmp(shoal_dataset_column_at(dataset, place)->name, name) != 0)
            place++;
        assert_ok(shoal_dataset_read(dataset, place, 0, rows, column, &test_error));
        for (size_t r = 0; r < rows; r++)
            raw[r * columns + c] = column[r];
    }
    free(column);
    return raw;
}

#endif
