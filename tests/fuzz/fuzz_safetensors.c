/* Files of weights: any bytes are refused with a reason, or give tensors that lie within them. */
#include "target.h"

#include "io/tensors/safetensors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *content = (char *)input_block(data, size, 0);
    struct shoal_error error = {0};
    struct safetensors *file = NULL;
    const enum shoal_status status = safetensors_parse(content, size, "file", &file, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_IO);
    REQUIRE((file != NULL) == (status == SHOAL_OK));
    if (!file)
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    for (size_t i = 0; file && i < file->count; i++) {
        const struct tensor *tensor = &file->tensors[i];
        double *values = calloc(tensor->count + 1, sizeof *values);
        REQUIRE(values && safetensors_find(file, tensor->name) == tensor);
        tensor_values(tensor, values);
        free(values);
    }
    safetensors_destroy(&file);
    free(content);
    return 0;
}
