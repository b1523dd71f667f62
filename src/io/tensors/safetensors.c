/* Reads safetensors. Every size is checked before a byte of data is used. */
#include "io/tensors/safetensors.h"

#include "base/error.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, HEADER_MOST = 100000000 /* limits that the format's own library has */ };

/* Range of a tensor's numbers, in bytes of the data. */
struct place {
    size_t begin, end;
};

static uint64_t little_endian(const unsigned char *bytes, unsigned count)
{
    uint64_t value = 0;
    while (count--)
        value = value << 8 | bytes[count];
    return value;
}

static size_t type_bytes(enum tensor_type type)
{
    return type == TENSOR_F64 ? 8 : 4;
}

/* A name in the form in which messages show it. */
static const char *shown(const char *name, char out[80])
{
    size_t length = strlen(name);
    if (length > 76)
        length = 76;
    memcpy(out, name, length);
    out[length] = '\0';
    text_clean(out, "");
    return out;
}

static bool is_size(const cJSON *item, size_t *out)
{
    if (!cJSON_IsNumber(item))
        return false;
    const double value = item->valuedouble;
    if (!(value >= 0 && value <= 9007199254740992.0) || value != (double)(uint64_t)value)
        return false;
    *out = (size_t)value;
    return true;
}

/* Reads the entry of a tensor in the header. Returns the text of an error; NULL: the entry is valid. */
static const char *read_tensor(const cJSON *item, struct tensor *tensor, struct place *place)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(item, "dtype");
    const cJSON *shape = cJSON_GetObjectItemCaseSensitive(item, "shape"), *size;
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(item, "data_offsets");
    size_t bytes;
    if (!cJSON_IsObject(item) || !cJSON_IsString(type) || !cJSON_IsArray(shape) || !cJSON_IsArray(offsets))
        return "lacks dtype, shape or data_offsets";
    if (strcmp(type->valuestring, "F32") != 0 && strcmp(type->valuestring, "F64") != 0)
        return "is neither F32 nor F64; convert it, e.g. with tensor.float()";
    tensor->type = type->valuestring[1] == '6' ? TENSOR_F64 : TENSOR_F32;
    tensor->count = 1;
    cJSON_ArrayForEach(size, shape)
    {
        if (tensor->dimensions == TENSOR_DIMENSIONS)
            return "has more than 8 dimensions";
        if (!is_size(size, &tensor->shape[tensor->dimensions]))
            return "has a shape that is no list of sizes";
        if (__builtin_mul_overflow(tensor->count, tensor->shape[tensor->dimensions++], &tensor->count))
            return "has a shape that is too large";
    }
    if (cJSON_GetArraySize(offsets) != 2 || !is_size(offsets->child, &place->begin) ||
        !is_size(offsets->child->next, &place->end) || place->end < place->begin)
        return "has data_offsets that are not begin and end";
    if (__builtin_mul_overflow(tensor->count, type_bytes(tensor->type), &bytes) ||
        bytes != place->end - place->begin)
        return "has a shape that does not fit its data_offsets";
    return NULL;
}

static enum shoal_status read_texts(struct safetensors *file, const cJSON *metadata, const char *what,
                                    struct shoal_error *error)
{
    const cJSON *item;
    if (!cJSON_IsObject(metadata))
        return fail(error, SHOAL_IO, "%s: is a broken safetensors file: __metadata__ is not an object", what);
    file->texts = calloc((size_t)cJSON_GetArraySize(metadata) + 1, sizeof *file->texts);
    if (!file->texts)
        return fail_host_memory(error);
    cJSON_ArrayForEach(item, metadata)
    {
        if (!cJSON_IsString(item))
            return fail(error, SHOAL_IO,
                        "%s: is a broken safetensors file: __metadata__ holds something other than strings",
                        what);
        struct safetensors_text *text = &file->texts[file->text_count++];
        text->key = strdup(item->string);
        text->value = strdup(item->valuestring);
        if (!text->key || !text->value)
            return fail_host_memory(error);
    }
    return SHOAL_OK;
}

/* A tensor and the range of its numbers. Tensors are sorted by begin; an empty tensor comes before another
 * that begins at the same byte. */
struct placed {
    struct tensor tensor;
    struct place place;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = &((const struct placed *)a)->place, *y = &((const struct placed *)b)->place;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Finds a name that two tensors have; NULL: there is none, or memory was not sufficient (*failed). */
static const char *find_twice(const struct safetensors *file, bool *failed)
{
    const char *twice = NULL;
    char **names = calloc(file->count + 1, sizeof *names);
    *failed = !names;
    if (!names)
        return NULL;
    for (size_t i = 0; i < file->count; i++)
        names[i] = file->tensors[i].name;
    qsort(names, file->count, sizeof *names, compare_names);
    for (size_t i = 1; i < file->count && !twice; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            twice = names[i];
    free(names);
    return twice;
}

/* Sorts the tensors by the range of their numbers. Checks that the first range begins with the data, each
 * later range where the range before it ends, and that the last range ends with the file. */
static enum shoal_status place_tensors(struct safetensors *file, struct placed *placed, const char *data,
                                       size_t bytes, const char *what, struct shoal_error *error)
{
    char name[80];
    size_t at = 0;
    qsort(placed, file->count, sizeof *placed, compare_places);
    /* All tensors are put into the list before their places are checked: the list owns the names, and must
     * hold each name once if a place is refused. */
    for (size_t i = 0; i < file->count; i++)
        file->tensors[i] = placed[i].tensor;
    for (size_t i = 0; i < file->count; i++) {
        const struct place place = placed[i].place;
        if (place.begin != at)
            return fail(error, SHOAL_IO, "%s: is a broken safetensors file: tensor '%s' %s", what,
                        shown(file->tensors[i].name, name),
                        place.begin < at ? "overlaps another one" : "follows a gap");
        if (place.end > bytes)
            return fail(error, SHOAL_IO,
                        "%s: is cut: tensor '%s' ends at byte %zu of the data, of which there are %zu", what,
                        shown(file->tensors[i].name, name), place.end, bytes);
        file->tensors[i].data = data + place.begin;
        at = place.end;
    }
    if (at != bytes)
        return fail(error, SHOAL_IO,
                    "%s: is a broken safetensors file: %zu bytes follow the data of its tensors", what,
                    bytes - at);
    return SHOAL_OK;
}

static enum shoal_status read_header(struct safetensors *file, const cJSON *header, const char *data,
                                     size_t bytes, const char *what, struct shoal_error *error)
{
    const cJSON *item;
    bool failed;
    char name[80];
    enum shoal_status status = SHOAL_OK;
    const size_t count = (size_t)cJSON_GetArraySize(header);
    struct placed *placed = calloc(count + 1, sizeof *placed);
    file->tensors = calloc(count + 1, sizeof *file->tensors);
    if (!placed || !file->tensors)
        status = fail_host_memory(error);
    cJSON_ArrayForEach(item, header)
    {
        if (status)
            break;
        if (strcmp(item->string, "__metadata__") == 0) {
            status = file->texts ? fail(error, SHOAL_IO,
                                        "%s: is a broken safetensors file: __metadata__ is there twice", what)
                                 : read_texts(file, item, what, error);
            continue;
        }
        struct placed *next = &placed[file->count];
        const char *wrong = read_tensor(item, &next->tensor, &next->place);
        if (wrong)
            status = fail(error, SHOAL_IO, "%s: tensor '%s' %s", what, shown(item->string, name), wrong);
        else if (!(next->tensor.name = strdup(item->string)))
            status = fail_host_memory(error);
        else
            /* From here on the list owns the name, also where the next entry is wrong. */
            file->tensors[file->count++] = next->tensor;
    }
    if (!status)
        status = place_tensors(file, placed, data, bytes, what, error);
    free(placed);
    if (status)
        return status;
    const char *twice = find_twice(file, &failed);
    if (failed)
        return fail_host_memory(error);
    if (twice)
        return fail(error, SHOAL_IO, "%s: is a broken safetensors file: tensor '%s' is there twice", what,
                    shown(twice, name));
    return SHOAL_OK;
}

enum shoal_status safetensors_parse(const char *content, size_t bytes, const char *what,
                                    struct safetensors **out, struct shoal_error *error)
{
    const char *end = NULL;
    *out = NULL;
    if (bytes < LENGTH_BYTES + 2)
        return fail(error, SHOAL_IO, "%s: is not a safetensors file: it has %zu bytes", what, bytes);
    const uint64_t length = little_endian((const unsigned char *)content, LENGTH_BYTES);
    if (length < 2 || length > HEADER_MOST || content[LENGTH_BYTES] != '{')
        return fail(error, SHOAL_IO, "%s: is not a safetensors file: it does not begin with such a header",
                    what);
    if (length > bytes - LENGTH_BYTES)
        return fail(error, SHOAL_IO, "%s: is cut: its header has %llu bytes, of which there are %zu", what,
                    (unsigned long long)length, bytes - LENGTH_BYTES);
    const char *data = content + LENGTH_BYTES + length;
    cJSON *header = cJSON_ParseWithLengthOpts(content + LENGTH_BYTES, length, &end, 0);
    while (header && end < data && (*end == ' ' || *end == '\0'))
        end++;
    if (!header || end != data || !cJSON_IsObject(header)) {
        cJSON_Delete(header);
        return fail(error, SHOAL_IO, "%s: is a broken safetensors file: its header is not an object of JSON",
                    what);
    }
    struct safetensors *file = calloc(1, sizeof *file);
    const enum shoal_status status =
        file ? read_header(file, header, data, bytes - LENGTH_BYTES - (size_t)length, what, error)
             : fail_host_memory(error);
    cJSON_Delete(header);
    if (status)
        safetensors_destroy(&file);
    *out = file;
    return status;
}

void safetensors_destroy(struct safetensors **file)
{
    if (!file || !*file)
        return;
    for (size_t i = 0; i < (*file)->count; i++)
        free((*file)->tensors[i].name);
    for (size_t i = 0; i < (*file)->text_count; i++) {
        free((*file)->texts[i].key);
        free((*file)->texts[i].value);
    }
    free((*file)->tensors);
    free((*file)->texts);
    free(*file);
    *file = NULL;
}

const struct tensor *safetensors_find(const struct safetensors *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}

const char *safetensors_text(const struct safetensors *file, const char *key)
{
    for (size_t i = 0; i < file->text_count; i++)
        if (strcmp(file->texts[i].key, key) == 0)
            return file->texts[i].value;
    return NULL;
}

void tensor_values(const struct tensor *tensor, double *out)
{
    const unsigned char *bytes = tensor->data;
    for (size_t i = 0; i < tensor->count; i++) {
        if (tensor->type == TENSOR_F64) {
            const uint64_t word = little_endian(bytes + 8 * i, 8);
            memcpy(&out[i], &word, sizeof word);
        } else {
            const uint32_t word = (uint32_t)little_endian(bytes + 4 * i, 4);
            float value;
            memcpy(&value, &word, sizeof word);
            out[i] = (double)value;
        }
    }
}
