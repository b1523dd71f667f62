/* Named arrays of numbers in one file, as PyTorch and others exchange weights: the format safetensors
 * (https://huggingface.co/docs/safetensors, "Format"). Eight bytes hold the length of a header in JSON, which
 * gives type, shape and bytes of each tensor; then come the numbers, in little-endian order.
 */
#ifndef SHOAL_IO_TENSORS_SAFETENSORS_H
#define SHOAL_IO_TENSORS_SAFETENSORS_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

enum { TENSOR_DIMENSIONS = 8 };
enum tensor_type { TENSOR_F32, TENSOR_F64 };

struct tensor {
    char *name;
    enum tensor_type type;
    unsigned dimensions;
    size_t shape[TENSOR_DIMENSIONS];
    size_t count; /* number of numbers: the product of the shape */
    /* points into the content of the file: little-endian numbers at any alignment */
    const void *data;
};

struct safetensors_text {
    char *key, *value;
};

struct safetensors {
    struct tensor *tensors; /* sorted by the place of their data in the file */
    size_t count;
    struct safetensors_text *texts; /* texts of the metadata */
    size_t text_count;
};

/* Parses the whole content of a file, which must stay valid. what: name of the file in messages. SHOAL_IO:
 * the file is cut off, tensors overlap or leave gaps, a shape does not fit its bytes, a name occurs twice, or
 * a type is neither F32 nor F64. */
SHOAL_MUST_CHECK enum shoal_status safetensors_parse(const char *content, size_t bytes, const char *what,
                                                     struct safetensors **out, struct shoal_error *error);
void safetensors_destroy(struct safetensors **file); /* accepts NULL, sets the pointer to NULL */

/* Finds a tensor by its name; NULL: there is none. */
const struct tensor *safetensors_find(const struct safetensors *file, const char *name);
const char *safetensors_text(const struct safetensors *file, const char *key);
/* Converts all numbers of a tensor to doubles in out[count]. */
void tensor_values(const struct tensor *tensor, double *out);

/* Writes a file. values[i]: the numbers of tensor i; the member `data` of the tensors is ignored. The file
 * appears whole or not at all. */
SHOAL_MUST_CHECK enum shoal_status safetensors_write(const char *path, const struct safetensors *file,
                                                     const double *const *values, struct shoal_error *error);

#endif
