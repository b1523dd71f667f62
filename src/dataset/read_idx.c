/* IDX, the format of the MNIST files (Y. LeCun, C. Cortes and C. J. C. Burges, 1998): two zero bytes, the
 * type of the numbers, the number of dimensions, the dimensions, the numbers. All numbers have the highest
 * byte first. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/decimal.h"

#include <stdlib.h>
#include <string.h>

enum {
    TYPE_U8 = 8,
    TYPE_I8 = 9,
    TYPE_I16 = 11,
    TYPE_I32 = 12,
    TYPE_FP32 = 13,
    TYPE_FP64 = 14,
    MOST_DIMENSIONS = 8
};

struct idx {
    const char *name;
    unsigned type, width; /* type: type of a number; width: bytes of a number */
    size_t rows, columns;
    const unsigned char *numbers;
};

/* Bytes of a number of this type; 0: there is no such type. */
static unsigned width_of(unsigned type)
{
    static const unsigned char widths[] = {1, 1, 0, 2, 4, 4, 8};
    return type >= TYPE_U8 && type <= TYPE_FP64 ? widths[type - TYPE_U8] : 0;
}

bool dataset_is_idx(const char *text, size_t bytes)
{
    const unsigned char *start = (const unsigned char *)text;
    return bytes >= 8 && !start[0] && !start[1] && width_of(start[2]) && start[3] >= 1 &&
           start[3] <= MOST_DIMENSIONS;
}

static uint64_t big_endian(const unsigned char *bytes, unsigned width)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < width; i++)
        word = word << 8 | bytes[i];
    return word;
}

static enum shoal_status parse(const char *name, const char *text, size_t bytes, struct idx *idx,
                               struct shoal_error *error)
{
    const unsigned char *start = (const unsigned char *)text;
    size_t count = 1;
    if (!dataset_is_idx(text, bytes))
        return fail(error, SHOAL_IO,
                    "%s: is not an IDX file: it does not begin with two zero bytes, a type (8, 9, 11 to 14) "
                    "and a number "
                    "of dimensions",
                    name);
    const unsigned dimensions = start[3];
    const size_t header = 4 + 4 * (size_t)dimensions;
    *idx = (struct idx){
        .name = name, .type = start[2], .width = width_of(start[2]), .columns = 1, .numbers = start + header};
    for (unsigned d = 0; d < dimensions && header <= bytes; d++) {
        const size_t size = big_endian(start + 4 + 4 * d, 4);
        if (d == 0)
            idx->rows = size;
        else if (__builtin_mul_overflow(idx->columns, size, &idx->columns))
            idx->columns = SIZE_MAX;
    }
    if (header > bytes || __builtin_mul_overflow(idx->rows, idx->columns, &count) ||
        __builtin_mul_overflow(count, idx->width, &count) || count != bytes - header)
        return fail(error, SHOAL_IO,
                    "%s: has %zu bytes of numbers; its header declares %zu rows of %zu numbers of %u bytes",
                    name, header < bytes ? bytes - header : 0, idx->rows, idx->columns, idx->width);
    if (!idx->columns || !idx->rows)
        return fail(error, SHOAL_IO, "%s: has no %s", name, idx->rows ? "columns" : "rows");
    return SHOAL_OK;
}

static double number_at(const struct idx *idx, size_t index)
{
    const uint64_t word = big_endian(idx->numbers + index * idx->width, idx->width);
    const uint32_t low = (uint32_t)word;
    float narrow;
    double wide;
    switch (idx->type) {
    case TYPE_U8:
        return (double)word;
    case TYPE_I8:
        return (int8_t)word;
    case TYPE_I16:
        return (int16_t)word;
    case TYPE_I32:
        return (int32_t)low;
    case TYPE_FP32:
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    default:
        memcpy(&wide, &word, sizeof wide);
        return wide;
    }
}

/* Labels ---------------------------------------------------------------------------------------------------
 */

enum shoal_status dataset_idx_labels(const struct shoal_dataset *dataset, const char *path, const char *text,
                                     size_t bytes, size_t rows, double *labels)
{
    struct idx idx;
    struct shoal_error *const error = dataset->error;
    enum shoal_status status = parse(path, text, bytes, &idx, error);
    if (!status && (idx.columns != 1 || idx.type >= TYPE_FP32))
        status = fail(error, SHOAL_IO,
                      "%s: labels are whole numbers, one a row; these are %zu numbers of type %u a row", path,
                      idx.columns, idx.type);
    if (!status)
        status = dataset_check_labels(dataset, path, idx.rows, rows);
    for (size_t row = 0; row < rows && !status; row++)
        labels[row] = number_at(&idx, row);
    return status;
}

static enum shoal_status no_memory(const struct shoal_dataset *dataset)
{
    return fail_host_memory(dataset->error);
}

static bool is_plain(const struct column *column)
{
    return column->choice == CHOICE_NONE && !column->has_encoding;
}

static bool are_bytes(const double *labels, size_t rows)
{
    bool are = true;
    for (size_t row = 0; row < rows && are; row++)
        are = labels[row] >= 0 && labels[row] <= UINT8_MAX;
    return are;
}

/* Fills the last column with labels, as categories in the order of the numbers. */
static enum shoal_status place_labels(struct shoal_dataset *dataset, const double *labels, size_t rows)
{
    struct column *column = &dataset->columns[dataset->info.columns - 1];
    unsigned char codes[256] = {0};
    bool has[256] = {false};
    if (!column_make_room(column, rows) || dataset_use_categories(dataset, dataset->info.columns - 1))
        return no_memory(dataset);
    for (size_t row = 0; row < rows; row++)
        has[(unsigned char)labels[row]] = true;
    for (int label = 0; label < 256; label++) {
        char digits[DECIMAL_MOST];
        const int length = decimal_write(digits, label, false);
        if (!has[label])
            continue;
        const uint32_t index = categories_add(column->categories, (struct word){digits, digits + length});
        if (index == NO_CATEGORY)
            return no_memory(dataset);
        codes[label] = (unsigned char)index;
    }
    for (size_t row = 0; row < rows; row++)
        column_store(column, row, codes[(unsigned char)labels[row]]);
    return SHOAL_OK;
}

/* Rows -----------------------------------------------------------------------------------------------------
 */

static enum shoal_status add_rows(struct shoal_dataset *dataset, const struct idx *idx, const double *labels)
{
    const size_t columns = dataset->info.columns;
    enum shoal_status status = SHOAL_OK;
    double *row = malloc(columns * sizeof *row);
    if (!row)
        return no_memory(dataset);
    for (size_t i = 0; i < idx->rows && !status; i++) {
        for (size_t c = 0; c < idx->columns && !status; c++) {
            row[c] = number_at(idx, i * idx->columns + c);
            if (!isfinite(row[c]))
                status = fail(dataset->error, SHOAL_IO, "%s: row %zu, column %zu: the number is not finite",
                              idx->name, i + 1, c + 1);
        }
        if (labels)
            row[columns - 1] = labels[i];
        if (!status)
            status = dataset_add_numbers(dataset, row);
    }
    free(row);
    return status;
}

enum shoal_status dataset_read_idx(struct shoal_dataset *dataset, const struct shoal_dataset_params *params,
                                   const char *text, size_t bytes)
{
    const size_t has_labels = params->labels != NULL;
    struct idx idx;
    double *labels = NULL;
    enum shoal_status status = parse(dataset->name, text, bytes, &idx, dataset->error);
    if (!status && has_labels)
        status = dataset_open_labels(dataset, params->labels, idx.rows, &labels);
    if (!status)
        status = dataset_declare(dataset, idx.columns + has_labels);
    if (!status && has_labels)
        status = dataset_declare_labels(dataset);
    if (!status)
        status = dataset_choose(dataset, params);
    bool are_plain = !status && idx.type == TYPE_U8 && (!has_labels || are_bytes(labels, idx.rows));
    for (size_t c = 0; c < dataset->info.columns && !status; c++)
        are_plain = are_plain && is_plain(&dataset->columns[c]);
    if (!status && has_labels)
        status = dataset_use_labels(dataset);
    if (!status && are_plain) {
        status = dataset_place_bytes(dataset, idx.numbers, idx.rows, idx.columns);
        if (!status && has_labels)
            status = place_labels(dataset, labels, idx.rows);
    } else if (!status) {
        status = add_rows(dataset, &idx, labels);
    }
    free(labels);
    return status;
}
