/* Rows in the form for devices: the choice of a form for all rows, and conversion of rows to it. */
#include "dataset/prepare/prepared.h"
#include "base/error.h"
#include "base/memory.h"
#include "dataset/prepare/values.h"

#include <stdlib.h>
#include <string.h>

/* The form ----------------------------------------------------------------------------------------------- */

static enum storage form_of_number(double value)
{
    return value == 0 && !signbit(value)   ? STORAGE_BITS
           : value == 1                    ? STORAGE_BITS
           : fits_u8(value)                ? STORAGE_U8
           : (double)(float)value == value ? STORAGE_FP32
                                           : STORAGE_FP64;
}

/* The smallest form that holds all values of a column exactly. */
static enum storage form_of_column(const struct shoal_dataset *dataset, const struct column *column)
{
    const enum storage storage = dataset->blocks[column->block].storage;
    const struct shoal_dataset_column *face = &column->face;
    return storage == STORAGE_U8 && face->least >= 0 && face->greatest <= 1 ? STORAGE_BITS : storage;
}

static enum storage form_of_match(const struct prepare_match *match)
{
    const struct preparation *preparation = match->preparation;
    enum storage form = STORAGE_BITS;
    for (size_t i = 0; i < preparation->input_columns; i++) {
        const struct prepare_column *column = &preparation->inputs[i];
        const struct column *source = &match->dataset->columns[match->inputs[i]];
        const bool is_plain = column->encoding == SHOAL_ENCODING_PLAIN;
        const enum storage of = is_plain && column->kind == SHOAL_COLUMN_NUMBER
                                    ? form_of_column(match->dataset, source)
                                : is_plain && column->category_count > 2 ? STORAGE_FP32
                                                                         : STORAGE_BITS;
        form = of > form ? of : form;
        for (size_t k = 0; column->fill && k < column->width; k++) {
            const enum storage fill = form_of_number(column->fill[k]);
            form = fill > form ? fill : form;
        }
    }
    return form;
}

static size_t bytes_of_row(enum storage storage, size_t inputs)
{
    static const size_t bits[] = {1, 8, 32, 64};
    return (inputs * bits[storage] + 31) / 32 * 4;
}

static void put_row(const struct prepared *prepared, const double *values, unsigned char *out)
{
    const size_t inputs = prepared->inputs;
    uint32_t *words = (uint32_t *)(void *)out;
    memset(out, 0, prepared->row_bytes);
    for (size_t k = 0; k < inputs; k++)
        switch (prepared->storage) {
        case STORAGE_BITS:
            words[k / 32] |= (uint32_t)(values[k] > 0) << k % 32;
            break;
        case STORAGE_U8:
            out[k] = (unsigned char)values[k];
            break;
        case STORAGE_FP32:
            ((float *)(void *)out)[k] = (float)values[k];
            break;
        case STORAGE_FP64:
            memcpy(out + k * sizeof *values, &values[k], sizeof *values); /* rows begin at multiples of 4 */
            break;
        }
}

/* Rows --------------------------------------------------------------------------------------------------- */

struct place {
    const struct prepare_match *match;
    size_t row; /* row number in its data set */
};

static struct place place_of(const struct prepared *prepared, size_t row)
{
    size_t s = 0;
    while (row >= prepared->sources[s].count)
        row -= prepared->sources[s++].count;
    const struct prepared_source *source = &prepared->sources[s];
    return (struct place){&prepared->matches[s], source->rows ? source->rows[row] : row};
}

/* Finds a block of the data set that has the inputs of each row already in the form of the prepared rows:
 * numbers of 8 bits without missing values, next to each other. *begin: the offset of these numbers in a row
 * of the block. NULL: there is no such block. */
static const struct block *direct_block(const struct prepared *prepared, const struct prepare_match *match,
                                        size_t *begin)
{
    const struct preparation *preparation = match->preparation;
    const struct shoal_dataset *dataset = match->dataset;
    const struct column *first = &dataset->columns[match->inputs[0]];
    if (prepared->storage != STORAGE_U8 || dataset->blocks[first->block].storage != STORAGE_U8)
        return NULL;
    for (size_t i = 0; i < preparation->input_columns; i++) {
        const struct column *source = &dataset->columns[match->inputs[i]];
        const struct prepare_column *column = &preparation->inputs[i];
        if (column->kind != SHOAL_COLUMN_NUMBER || column->encoding != SHOAL_ENCODING_PLAIN ||
            column->has_indicator || source->missing || source->block != first->block ||
            source->place != first->place + i)
            return NULL;
    }
    *begin = first->place;
    return &dataset->blocks[first->block];
}

static enum shoal_status check_range(const struct prepared *prepared, size_t first, size_t count,
                                     struct shoal_error *error)
{
    if (first > prepared->rows || count > prepared->rows - first)
        return fail(error, SHOAL_INVALID, "rows %zu to %zu of %zu prepared ones do not exist", first + 1,
                    first + count, prepared->rows);
    return SHOAL_OK;
}

/* Encodes all rows into the memory of the prepared data. */
static enum shoal_status fill_rows(struct prepared *prepared, struct shoal_error *error)
{
    unsigned char *to = prepared->data;
    const struct prepare_match *match = NULL;
    const struct block *block = NULL;
    size_t begin = 0;
    double *row = malloc((prepared->inputs + 1) * sizeof *row);
    enum shoal_status status = row ? SHOAL_OK : fail_host_memory(error);
    for (size_t i = 0; i < prepared->rows && !status; i++, to += prepared->row_bytes) {
        const struct place place = place_of(prepared, i);
        if (place.match != match) {
            match = place.match;
            block = direct_block(prepared, match, &begin);
        }
        if (block) {
            memset(to + prepared->row_bytes - 4, 0, 4);
            memcpy(to, block->data + place.row * block->row_bytes + begin, prepared->inputs);
            continue;
        }
        status = prepare_row(match, place.row, row, error);
        if (!status && prepared->is_scaled)
            prepare_scale(prepared->preparation, row);
        if (!status)
            put_row(prepared, row, to);
    }
    free(row);
    return status;
}

enum shoal_status prepared_rows(const struct prepared *prepared, size_t first, size_t count, double *out,
                                struct shoal_error *error)
{
    enum shoal_status status = check_range(prepared, first, count, error);
    for (size_t i = first; i < first + count && !status; i++, out += prepared->inputs) {
        const struct place place = place_of(prepared, i);
        status = prepare_row(place.match, place.row, out, error);
        if (!status)
            prepare_scale(prepared->preparation, out);
    }
    return status;
}

void prepared_targets(const struct prepared *prepared, size_t row, double *out)
{
    if (prepared->preparation->task == PREPARE_NUMBERS)
        memcpy(out, prepared->targets + row * prepared->outputs, prepared->outputs * sizeof *out);
    else if (prepared->preparation->task == PREPARE_BINARY)
        *out = prepared->classes[row];
    else
        for (size_t k = 0; k < prepared->outputs; k++)
            out[k] = prepared->classes[row] == k;
}

/* All ---------------------------------------------------------------------------------------------------- */

static enum shoal_status fill_targets(struct prepared *prepared, struct shoal_error *error)
{
    const struct preparation *preparation = prepared->preparation;
    const bool are_numbers = preparation->task == PREPARE_NUMBERS,
               has_weights = preparation->weight || preparation->class_weights;
    double weights = 0;
    enum shoal_status status = SHOAL_OK;
    if (are_numbers)
        prepared->targets = malloc((prepared->rows * prepared->outputs + 1) * sizeof *prepared->targets);
    else
        prepared->classes = malloc((prepared->rows + 1) * sizeof *prepared->classes);
    if (has_weights)
        prepared->weights = malloc((prepared->rows + 1) * sizeof *prepared->weights);
    if ((are_numbers ? !prepared->targets : !prepared->classes) || (has_weights && !prepared->weights))
        return fail_host_memory(error);
    for (size_t i = 0; i < prepared->rows && !status; i++) {
        const struct place place = place_of(prepared, i);
        uint32_t class_of = 0;
        status = prepare_target(place.match, place.row, &class_of,
                                are_numbers ? prepared->targets + i * prepared->outputs : NULL, error);
        if (!status && !are_numbers)
            prepared->classes[i] = class_of;
        if (!status && has_weights)
            status = prepare_weight(place.match, place.row, class_of, &prepared->weights[i], error);
        weights += !status && has_weights ? prepared->weights[i] : 0;
    }
    if (!status && has_weights && prepared->rows && !(weights > 0))
        status =
            fail(error, SHOAL_IO, "%s: the weights of all rows are 0", prepared->sources[0].dataset->name);
    return status;
}

static enum shoal_status fill_data(struct prepared *prepared, struct shoal_error *error)
{
    const double bytes = (double)prepared->rows * (double)prepared->row_bytes;
    enum shoal_status status = check_host_memory(bytes, "the prepared rows", "take fewer rows", error);
    if (status)
        return status;
    prepared->data = malloc(prepared->rows * prepared->row_bytes + 1);
    return prepared->data ? fill_rows(prepared, error) : fail_host_memory(error);
}

static enum shoal_status open_sources(struct prepared *prepared, const struct prepared_source *sources,
                                      size_t source_count, bool has_targets, struct shoal_error *error)
{
    prepared->matches = calloc(source_count + 1, sizeof *prepared->matches);
    prepared->sources = calloc(source_count + 1, sizeof *prepared->sources);
    if (!prepared->matches || !prepared->sources)
        return fail_host_memory(error);
    for (size_t s = 0; s < source_count; s++) {
        enum shoal_status status = prepare_match(prepared->preparation, sources[s].dataset, has_targets,
                                                 &prepared->matches[s], error);
        if (status)
            return status;
        prepared->sources[s] = sources[s];
        prepared->source_count++;
        prepared->rows += sources[s].count;
        const enum storage form = form_of_match(&prepared->matches[s]);
        prepared->storage = form > prepared->storage ? form : prepared->storage;
    }
    prepared->row_bytes = bytes_of_row(prepared->storage, prepared->inputs);
    return SHOAL_OK;
}

enum shoal_status prepared_create(const struct preparation *preparation,
                                  const struct prepared_source *sources, size_t source_count,
                                  bool has_targets, struct prepared **out, struct shoal_error *error)
{
    struct prepared *prepared = calloc(1, sizeof *prepared);
    *out = NULL;
    if (!prepared)
        return fail_host_memory(error);
    prepared->preparation = preparation;
    prepared->inputs = preparation->input_width;
    prepared->outputs = preparation->target_width;
    prepared->storage = STORAGE_BITS;
    enum shoal_status status = open_sources(prepared, sources, source_count, has_targets, error);
    if (!status && has_targets)
        status = fill_targets(prepared, error);
    if (!status)
        status = fill_data(prepared, error);
    for (size_t s = 0; s < source_count && !status; s++)
        if (!prepare_note_unseen(&prepared->matches[s], sources[s].rows, 0, sources[s].count,
                                 &prepared->notes))
            status = fail_host_memory(error);
    if (status)
        prepared_destroy(&prepared);
    *out = prepared;
    return status;
}

enum shoal_status prepared_narrow(struct prepared *prepared, struct shoal_error *error)
{
    if (prepared->storage != STORAGE_FP64)
        return SHOAL_OK;
    unsigned char *old = prepared->data;
    const size_t old_bytes = prepared->row_bytes;
    enum shoal_status status = SHOAL_OK;
    prepared->storage = STORAGE_FP32;
    prepared->row_bytes = bytes_of_row(STORAGE_FP32, prepared->inputs);
    prepared->is_scaled = true;
    prepared->data = NULL;
    if (old)
        status = fill_data(prepared, error);
    if (status) {
        free(prepared->data);
        prepared->data = old;
        prepared->storage = STORAGE_FP64;
        prepared->row_bytes = old_bytes;
        prepared->is_scaled = false;
        return status;
    }
    free(old);
    return SHOAL_OK;
}

void prepared_destroy(struct prepared **prepared)
{
    struct prepared *old = prepared ? *prepared : NULL;
    if (!old)
        return;
    for (size_t s = 0; s < old->source_count; s++)
        prepare_match_free(&old->matches[s]);
    free(old->matches);
    free(old->sources);
    free(old->data);
    free(old->classes);
    free(old->targets);
    free(old->weights);
    free(old->notes);
    free(old);
    *prepared = NULL;
}
