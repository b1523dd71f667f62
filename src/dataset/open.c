/* Opens data sets: finds the format by content and name. */
#include "base/error.h"
#include "base/input.h"
#include "base/params.h"
#include "dataset/dataset.h"
#include "io/csv/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The format --------------------------------------------------------------------------------------------- */

enum format { FORMAT_CSV, FORMAT_ARFF, FORMAT_IDX, FORMAT_FANN, FORMAT_THESIS, FORMAT_NPY, FORMATS };
static const char *const format_names[] = {"csv", "arff", "idx", "fann", "thesis", "npy"};

bool dataset_is_npy(const char *text, size_t bytes)
{
    return bytes >= 6 && memcmp(text, "\x93NUMPY", 6) == 0;
}

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, extension) == 0;
}

static enum format find_format(const char *path, const char *text, size_t bytes)
{
    if (dataset_is_npy(text, bytes))
        return FORMAT_NPY;
    if (dataset_is_idx(text, bytes))
        return FORMAT_IDX;
    if (has_extension(path, ".arff") || dataset_is_arff(text, bytes))
        return FORMAT_ARFF;
    const bool is_named =
        has_extension(path, ".data") || has_extension(path, ".train") || has_extension(path, ".test");
    if (dataset_is_fann(text, bytes, is_named))
        return FORMAT_FANN;
    return dataset_is_thesis(text, bytes) ? FORMAT_THESIS : FORMAT_CSV;
}

static enum shoal_status choose_format(const struct shoal_dataset_params *params, const char *text,
                                       size_t bytes, enum format *format, struct shoal_error *error)
{
    *format = find_format(params->path, text, bytes);
    if (!params->format)
        return SHOAL_OK;
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(params->format, format_names[i]) == 0) {
            *format = (enum format)i;
            return SHOAL_OK;
        }
    return fail(error, SHOAL_INVALID, "format: '%.20s' is none of csv, arff, idx, fann, thesis, npy",
                params->format);
}

static enum shoal_status read_text(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                   enum format format, const char *text, size_t bytes)
{
    enum shoal_status status = csv_check_text(dataset->name, text, bytes, dataset->error);
    if (status)
        return status;
    if (memchr(text, '\0', bytes))
        return fail(dataset->error, SHOAL_IO, "%s: holds a zero byte; it is neither text nor a known format",
                    dataset->name);
    switch (format) {
    case FORMAT_ARFF:
        return dataset_read_arff(dataset, params, text, bytes);
    case FORMAT_FANN:
        return dataset_read_fann(dataset, params, text, bytes);
    case FORMAT_THESIS:
        return dataset_read_thesis(dataset, params, text, bytes);
    default:
        return dataset_read_csv(dataset, params, text, bytes);
    }
}

/* Formats the first bytes of a text, at most four, as a list of numbers: "18, 52, 86, 120". */
static const char *first_bytes(const char *text, size_t bytes, char shown[24])
{
    size_t length = 0;
    shown[0] = '\0';
    for (size_t i = 0; i < bytes && i < 4; i++)
        length +=
            (size_t)snprintf(shown + length, 24 - length, "%s%d", i ? ", " : "", (unsigned char)text[i]);
    return shown;
}

static enum shoal_status read_file(struct shoal_dataset *dataset, const struct shoal_dataset_params *params)
{
    char shown[24];
    char *text;
    size_t bytes;
    enum format format;
    bool is_converted = false;
    enum shoal_status status = read_input_unpacked(params->path, "data set", &text, &bytes, dataset->error);
    if (status)
        return status;
    status = choose_format(params, text, bytes, &format, dataset->error);
    dataset->info.format = format_names[format];
    if (!status && params->labels && format != FORMAT_IDX && format != FORMAT_NPY)
        status = fail(dataset->error, SHOAL_INVALID,
                      "labels: a second file belongs to IDX or .npy, and %s is neither: it begins with %s, "
                      "not with 0, 0, the "
                      "type of its numbers and how many dimensions there are",
                      dataset->name, first_bytes(text, bytes, shown));
    if (!status && format != FORMAT_CSV && (params->missing_values || params->header == SHOAL_HEADER_YES))
        status =
            fail(dataset->error, SHOAL_INVALID, "%s: it belongs to CSV, and %s is %s: leave it out",
                 params->missing_values ? "missing_values" : "header", dataset->name, format_names[format]);
    if (!status && format == FORMAT_NPY)
        status = dataset_read_npy(dataset, params);
    else if (!status && format == FORMAT_IDX)
        status = dataset_read_idx(dataset, params, text, bytes);
    else if (!status)
        status = input_to_utf8(&text, &bytes, &is_converted, dataset->error);
    if (!status && format != FORMAT_NPY && format != FORMAT_IDX)
        status = read_text(dataset, params, format, text, bytes);
    if (!status && is_converted && !lines_add(&dataset->notes, INPUT_LATIN_NOTE, dataset->name))
        status = fail_host_memory(dataset->error);
    free(text);
    return status;
}

enum shoal_status shoal_dataset_open(const struct shoal_dataset_params *params, struct shoal_dataset **out,
                                     struct shoal_error *error)
{
    struct shoal_dataset_params own;
    error_reset(error);
    if (!NEED(error, params, out))
        return SHOAL_INVALID;
    *out = NULL;
    enum shoal_status status = PARAMS_TAKE(params, shoal_dataset_params_init, &own, error);
    if (status)
        return status;
    if (!NEED_MEMBER(error, params, own, path))
        return SHOAL_INVALID;
    status = dataset_create(own.path, out, error);
    if (!status)
        status = read_file(*out, &own);
    if (!status)
        status = dataset_close(*out);
    if (status)
        shoal_dataset_destroy(out);
    return status;
}

/* Reads the first bytes of a file, unpacked, followed by a NUL; NULL: the file cannot be opened, or out of
 * memory. */
static char *read_begin(const char *path, size_t *bytes)
{
    enum { PIECE = 1 << 16 };
    const int file = input_open(path);
    char *text = file < 0 ? NULL : malloc(2 * PIECE + 1), *packed = text ? text + PIECE : NULL;
    const ssize_t got = text ? pread(file, packed, PIECE, 0) : 0;
    *bytes = got > 0 ? (size_t)got : 0;
    if (file >= 0)
        close(file);
    if (!text)
        return NULL;
    if (input_is_packed(packed, *bytes))
        *bytes = input_unpack_begin(packed, *bytes, text, PIECE);
    else
        memcpy(text, packed, *bytes);
    text[*bytes] = '\0';
    return text;
}

bool shoal_dataset_is_table(const char *path)
{
    if (!path)
        return true;
    size_t bytes;
    char *text = read_begin(path, &bytes);
    bool is_table = true;
    if (text && bytes) {
        const enum format format = find_format(path, text, bytes);
        const bool is_text = !memchr(text, '\0', bytes);
        is_table = format == FORMAT_NPY ||
                   (format == FORMAT_CSV && (!is_text || dataset_csv_is_numbers(text, bytes)));
    }
    free(text);
    return is_table;
}
