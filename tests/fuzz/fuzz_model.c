/* Model files of every format: any bytes are refused with a reason, or give a model that predicts and is
 * saved. The first byte is the format, and what the caller says of a net. */
#include "target.h"

#include "mlp/files/model.h"

static void use(const struct shoal_mlp_model *model)
{
    const struct shoal_mlp_model_info *info = shoal_mlp_model_get_info(model);
    struct shoal_error error = {0};
    double *row = calloc(info->columns + 1, sizeof *row),
           *outputs = calloc(info->outputs + 1, sizeof *outputs);
    REQUIRE(row && outputs);
    for (size_t c = 0; c < info->columns; c++) {
        const struct shoal_mlp_model_column *column = shoal_mlp_model_column_at(model, c);
        REQUIRE(column && column->name);
        for (size_t k = 0; k < column->category_count; k++)
            REQUIRE(column->categories[k]);
    }
    const enum shoal_status status = shoal_mlp_model_predict(model, row, 1, outputs, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    if (!status && info->classes)
        REQUIRE(shoal_mlp_model_class(model, outputs) < info->classes);
    free(row);
    free(outputs);
    /* Whatever opens is written in every format that has a form for it. */
    static model_writer *const writers[] = {model_write_safetensors, model_write_fann,    model_write_npy,
                                            model_write_onnx,        model_write_c_float, model_write_c_int8};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        const enum shoal_status written = writers[i](model, "/dev/null", &error);
        REQUIRE(written == SHOAL_OK || written == SHOAL_UNSUPPORTED);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static model_reader *const readers[] = {model_read_safetensors, model_read_fann};
    if (size < 1)
        return 0;
    char *content = (char *)input_block(data + 1, size - 1, 1);
    struct shoal_error error = {0};
    struct shoal_mlp_model *model = NULL;
    struct shoal_mlp_model_file file;
    shoal_mlp_model_file_init(&file);
    file.path = "file";
    file.activation = data[0] & 8 ? "tanh" : NULL;
    file.output = data[0] & 16 ? "softmax" : "linear";
    const enum shoal_status status = readers[data[0] & 1](&file, content, size - 1, &model, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_IO || status == SHOAL_INVALID ||
            status == SHOAL_UNSUPPORTED || status == SHOAL_OUT_OF_HOST_MEMORY);
    REQUIRE((model != NULL) == (status == SHOAL_OK));
    if (model)
        use(model);
    else
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    shoal_mlp_model_destroy(&model);
    free(content);
    return 0;
}
