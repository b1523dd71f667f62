/* Preparations of model files: what is read is written the same again, and takes raw rows. */
#include "target.h"

#include "dataset/prepare/prepare.h"

static void look_at(const struct preparation *preparation)
{
    double *raw = calloc(preparation->input_columns, sizeof *raw);
    double *out = calloc(preparation->input_width, sizeof *out);
    struct shoal_error error = {0};
    REQUIRE(raw && out);
    for (int kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < preparation->input_columns; i++)
            raw[i] = kind ? NAN : 0;
        const enum shoal_status status = prepare_raw(preparation, raw, out, &error);
        REQUIRE(status == SHOAL_OK || (status == SHOAL_INVALID && error.message[0]));
        if (!status)
            prepare_scale(preparation, out);
    }
    free(raw);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct shoal_error error = {0};
    struct preparation *preparation, *again;
    const enum shoal_status status = prepare_from_json(text, "model", &preparation, &error);
    free(text);
    if (status) {
        REQUIRE(!preparation && error.status == status && error.message[0] &&
                !strpbrk(error.message, "\r\n"));
        return 0;
    }
    look_at(preparation);
    char *first = prepare_to_json(preparation);
    REQUIRE(first && prepare_from_json(first, "model", &again, &error) == SHOAL_OK);
    char *second = prepare_to_json(again);
    REQUIRE(second && strcmp(first, second) == 0);
    free(first);
    free(second);
    prepare_destroy(&preparation);
    prepare_destroy(&again);
    return 0;
}
