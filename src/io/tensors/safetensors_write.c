/* Writes safetensors. Blanks pad the header, so that numbers are aligned for readers that map the file. */
#include "io/tensors/safetensors.h"

#include "base/error.h"
#include "base/file.h"
#include "base/input.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_AT_ONCE = 4096 };

static void put_little_endian(unsigned char *out, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

/* Adds an object with a key that is converted to UTF-8, without which other programs do not open the file. */
static cJSON *add_object(cJSON *object, const char *key)
{
    char *name = text_utf8_copy(key, strlen(key), NULL);
    cJSON *added = name ? cJSON_AddObjectToObject(object, name) : NULL;
    free(name);
    return added;
}

static bool add_text(cJSON *object, const char *key, const char *text)
{
    char *name = text_utf8_copy(key, strlen(key), NULL), *value = text_utf8_copy(text, strlen(text), NULL);
    const bool is_added = name && value && cJSON_AddStringToObject(object, name, value);
    free(name);
    free(value);
    return is_added;
}

static bool add_texts(cJSON *header, const struct safetensors *file)
{
    cJSON *texts = file->text_count ? cJSON_AddObjectToObject(header, "__metadata__") : NULL;
    if (file->text_count && !texts)
        return false;
    for (size_t i = 0; i < file->text_count; i++)
        if (!add_text(texts, file->texts[i].key, file->texts[i].value))
            return false;
    return true;
}

static bool add_number(cJSON *array, size_t value)
{
    cJSON *number = cJSON_CreateNumber((double)value);
    return number && cJSON_AddItemToArray(array, number);
}

static bool add_tensor(cJSON *header, const struct tensor *tensor, size_t *at)
{
    cJSON *item = add_object(header, tensor->name);
    cJSON *shape, *offsets;
    const bool is_double = tensor->type == TENSOR_F64;
    if (!item || !cJSON_AddStringToObject(item, "dtype", is_double ? "F64" : "F32") ||
        !(shape = cJSON_AddArrayToObject(item, "shape")) ||
        !(offsets = cJSON_AddArrayToObject(item, "data_offsets")))
        return false;
    for (unsigned i = 0; i < tensor->dimensions; i++)
        if (!add_number(shape, tensor->shape[i]))
            return false;
    const size_t begin = *at;
    *at += tensor->count * (is_double ? 8 : 4);
    return add_number(offsets, begin) && add_number(offsets, *at);
}

/* Makes the header, which the caller frees; NULL: there is no memory. */
static char *header_text(const struct safetensors *file)
{
    size_t at = 0;
    char *text = NULL;
    cJSON *header = cJSON_CreateObject();
    bool ok = header && add_texts(header, file);
    for (size_t i = 0; i < file->count && ok; i++)
        ok = add_tensor(header, &file->tensors[i], &at);
    if (ok)
        text = cJSON_PrintUnformatted(header);
    cJSON_Delete(header);
    return text;
}

static void write_values(struct file_writer *writer, const struct tensor *tensor, const double *values)
{
    unsigned char bytes[8 * NUMBERS_AT_ONCE];
    const unsigned width = tensor->type == TENSOR_F64 ? 8 : 4;
    for (size_t first = 0; first < tensor->count; first += NUMBERS_AT_ONCE) {
        const size_t left = tensor->count - first, count = left < NUMBERS_AT_ONCE ? left : NUMBERS_AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            const float single = (float)values[first + i];
            uint64_t word = 0;
            uint32_t half;
            memcpy(&half, &single, sizeof half);
            memcpy(&word, &values[first + i], sizeof word);
            put_little_endian(bytes + width * i, width == 8 ? word : half, width);
        }
        if (file_writer_add(writer, bytes, width * count))
            return;
    }
}

enum shoal_status safetensors_write(const char *path, const struct safetensors *file,
                                    const double *const *values, struct shoal_error *error)
{
    struct file_writer writer;
    unsigned char length[8];
    char *header = header_text(file);
    if (!header)
        return fail_host_memory(error);
    const size_t bytes = strlen(header), padding = (8 - bytes % 8) % 8;
    put_little_endian(length, bytes + padding, 8);
    if (file_writer_open(&writer, path, FILE_OF_USER) == 0) {
        file_writer_add(&writer, length, sizeof length);
        file_writer_add(&writer, header, bytes);
        file_writer_add(&writer, "        ", padding);
        for (size_t i = 0; i < file->count && !writer.code; i++)
            write_values(&writer, &file->tensors[i], values[i]);
    }
    const int code = file_writer_close(&writer, true);
    free(header);
    return code ? fail(error, SHOAL_IO, "cannot write %s: %s", path, input_reason(code)) : SHOAL_OK;
}
