/* Opening: the format by content and name, files of gzip. */
#include "base/error.h"
#include "base/input.h"
#include "dataset/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

/* gzip --------------------------------------------------------------------------------------------------- */

static bool is_gzip(const char *bytes, size_t count)
{
    return count >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

/* Inflates one member after another, into a block that grows. Returns a code of zlib, Z_STREAM_END where all
 * is well. */
static int inflate_all(const char *packed, size_t packed_bytes, char **text, size_t *bytes)
{
    enum { PIECE = 1 << 30 };
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed};
    size_t room = 4 * packed_bytes + 1024, left = packed_bytes;
    int code = inflateInit2(&stream, 15 + 16); /* the largest window, with the header of gzip */
    *bytes = 0;
    *text = malloc(room + 1);
    while (code == Z_OK && *text) {
        if (*bytes == room) {
            char *larger = room < INPUT_DATA_MOST ? realloc(*text, 2 * room + 1) : NULL;
            if (!larger)
                break;
            *text = larger;
            room *= 2;
        }
        const uInt in = left < PIECE ? (uInt)left : PIECE,
                   space = room - *bytes < PIECE ? (uInt)(room - *bytes) : PIECE;
        stream.avail_in = in;
        stream.avail_out = space;
        stream.next_out = (unsigned char *)*text + *bytes;
        code = inflate(&stream, Z_NO_FLUSH);
        left -= in - stream.avail_in;
        *bytes += space - stream.avail_out;
        if (code == Z_BUF_ERROR && left && *bytes == room)
            code = Z_OK;
        if (code == Z_STREAM_END && is_gzip((const char *)stream.next_in, left))
            code = inflateReset(&stream);
    }
    inflateEnd(&stream);
    return code == Z_OK ? Z_MEM_ERROR : code;
}

/* Replaces what `text` holds. */
static enum shoal_status unpack(const char *name, char **text, size_t *bytes, struct shoal_error *error)
{
    char *inflated = NULL;
    size_t count = 0;
    const int code = inflate_all(*text, *bytes, &inflated, &count);
    free(*text);
    *text = inflated;
    *bytes = count;
    if (code == Z_STREAM_END) {
        inflated[count] = '\0';
        return SHOAL_OK;
    }
    if (code == Z_MEM_ERROR)
        return fail_host_memory(error);
    return fail(error, SHOAL_IO,
                code == Z_BUF_ERROR ? "%s: is cut: its gzip data end early"
                                    : "%s: its gzip data are damaged, or their sum is wrong",
                name);
}

enum shoal_status dataset_read_file(const char *path, const char *what, char **text, size_t *bytes,
                                    struct shoal_error *error)
{
    enum shoal_status status = read_input(path, what, INPUT_DATA_MOST, text, bytes, error);
    if (!status && is_gzip(*text, *bytes)) {
        status = unpack(path, text, bytes, error);
        if (status)
            free(*text);
    }
    return status;
}

/* The format --------------------------------------------------------------------------------------------- */

enum format { FORMAT_CSV, FORMAT_ARFF, FORMAT_IDX, FORMAT_FANN, FORMAT_THESIS, FORMAT_NPY, FORMATS };
static const char *const format_names[] = {"csv", "arff", "idx", "fann", "thesis", "npy"};

static bool is_npy(const char *bytes, size_t count)
{
    return count >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, extension) == 0;
}

static enum format find_format(const char *path, const char *text, size_t bytes)
{
    if (is_npy(text, bytes))
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

/* "18, 52, 86, 120" */
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
    enum shoal_status status = dataset_read_file(params->path, "data set", &text, &bytes, dataset->error);
    if (status)
        return status;
    status = choose_format(params, text, bytes, &format, dataset->error);
    dataset->info.format = format_names[format];
    if (!status && params->labels && format != FORMAT_IDX)
        status = fail(
            dataset->error, SHOAL_INVALID,
            "labels: a second file belongs to IDX, and %s is none: it begins with %s, not with 0, 0, the "
            "type of its numbers and how many dimensions there are",
            dataset->name, first_bytes(text, bytes, shown));
    if (!status && format == FORMAT_NPY)
        status = dataset_read_npy(dataset, params);
    else if (!status && format == FORMAT_IDX)
        status = dataset_read_idx(dataset, params, text, bytes);
    else if (!status)
        status = read_text(dataset, params, format, text, bytes);
    free(text);
    return status;
}

enum shoal_status shoal_dataset_open(const struct shoal_dataset_params *given, struct shoal_dataset **out,
                                     struct shoal_error *error)
{
    struct shoal_dataset_params params;
    error_reset(error);
    shoal_dataset_params_init(&params);
    memcpy(&params, given, given->size < sizeof params ? given->size : sizeof params);
    enum shoal_status status = dataset_create(params.path, out, error);
    if (!status)
        status = read_file(*out, &params);
    if (!status)
        status = dataset_close(*out);
    if (status)
        shoal_dataset_destroy(out);
    return status;
}

bool shoal_dataset_is_table(const char *path)
{
    enum { PIECE = 1 << 16 };
    const int file = input_open(path);
    char *text = file < 0 ? NULL : malloc(PIECE + 1);
    const ssize_t got = text ? pread(file, text, PIECE, 0) : 0;
    bool is_table = true;
    if (got > 0) {
        const size_t bytes = (size_t)got;
        text[bytes] = '\0';
        const enum format format = find_format(path, text, bytes);
        const bool is_text = !memchr(text, '\0', bytes) && !is_gzip(text, bytes);
        is_table = format == FORMAT_NPY || (format == FORMAT_CSV && !is_gzip(text, bytes) &&
                                            (!is_text || dataset_csv_is_numbers(text, bytes)));
    }
    free(text);
    if (file >= 0)
        close(file);
    return is_table;
}
