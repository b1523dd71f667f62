/* A data set grows by rows. Each column is kept in the smallest form that holds all values so far, and is
 * widened for a value that does not fit. At the end neighbouring columns of one form become a block. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/csv/choice.h"
#include "io/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shoal_status dataset_declare(struct shoal_dataset *dataset, size_t count)
{
    dataset->columns = calloc(count + 1, sizeof *dataset->columns);
    if (!dataset->columns)
        return fail_host_memory(dataset->error);
    dataset->info.columns = count;
    for (size_t c = 0; c < count; c++) {
        struct column *column = &dataset->columns[c];
        char name[24];
        column->storage = STORAGE_U8;
        column->face = (struct shoal_dataset_column){
            .size = sizeof column->face, .least = INFINITY, .greatest = -INFINITY};
        snprintf(name, sizeof name, "%zu", c + 1);
        column->name = strdup(name);
        if (!column->name)
            return fail_host_memory(dataset->error);
        column->face.name = column->name;
    }
    return SHOAL_OK;
}

enum shoal_status dataset_name(struct shoal_dataset *dataset, size_t column, struct word name)
{
    char *copy = strndup(name.begin, (size_t)(name.end - name.begin));
    if (!copy)
        return fail_host_memory(dataset->error);
    free(dataset->columns[column].name);
    dataset->columns[column].name = copy;
    dataset->columns[column].face.name = copy;
    dataset->has_names = true;
    return SHOAL_OK;
}

enum shoal_status dataset_use_categories(struct shoal_dataset *dataset, size_t column)
{
    struct categories **categories = &dataset->columns[column].categories;
    if (!*categories)
        *categories = categories_new();
    return *categories ? SHOAL_OK : fail_host_memory(dataset->error);
}

/* Rows --------------------------------------------------------------------------------------------------- */

/* Does dataset_add_row store the values of the column? */
static bool is_stored(const struct column *column)
{
    return column->choice != CHOICE_IGNORED && !column->is_placed;
}

/* Bytes of the bits that say which of `room` rows lack a value: a power of two. */
static size_t missing_bytes(size_t room)
{
    size_t bytes = 8;
    while (bytes < room / 8)
        bytes *= 2;
    return bytes;
}

static bool keep_missing(struct column *column, size_t before, size_t after)
{
    if (!column->missing || before == after)
        return true;
    unsigned char *missing = realloc(column->missing, after);
    if (!missing)
        return false;
    memset(missing + before, 0, after - before);
    column->missing = missing;
    return true;
}

static enum shoal_status make_room(struct shoal_dataset *dataset)
{
    const size_t before = dataset->room;
    const size_t room = !before ? 64 : before < PIECE_ROWS ? 2 * before : before + PIECE_ROWS;
    for (size_t c = 0; c < dataset->info.columns; c++) {
        struct column *column = &dataset->columns[c];
        if (is_stored(column) && !(column_make_room(column, room) &&
                                   keep_missing(column, missing_bytes(before), missing_bytes(room))))
            return fail_host_memory(dataset->error);
    }
    dataset->room = room;
    return SHOAL_OK;
}

/* Moves the first `rows` values into a form that also holds `value`. */
static bool widen(struct column *column, size_t rows, size_t room, double value)
{
    struct column wide = *column;
    wide.storage =
        column->storage == STORAGE_U8 && (double)(float)value == value ? STORAGE_FP32 : STORAGE_FP64;
    wide.values = NULL;
    wide.pieces = 0;
    if (!column_make_room(&wide, room)) {
        column_drop(&wide);
        return false;
    }
    for (size_t row = 0; row < rows; row++)
        column_store(&wide, row, column_stored(column, row));
    column_drop(column);
    *column = wide;
    return true;
}

static bool fits(enum storage storage, double value)
{
    return storage == STORAGE_U8     ? fits_u8(value)
           : storage == STORAGE_FP32 ? (double)(float)value == value
                                     : true;
}

static bool note_missing(struct column *column, size_t row, size_t room)
{
    if (!column->missing)
        column->missing = calloc(missing_bytes(room), 1);
    if (!column->missing)
        return false;
    column->missing[row / 8] |= (unsigned char)(1u << row % 8);
    column->face.missing++;
    column_store(column, row, 0);
    return true;
}

enum shoal_status dataset_add_row(struct shoal_dataset *dataset, const double *values)
{
    const size_t row = dataset->info.rows;
    if (row == dataset->room) {
        enum shoal_status status = make_room(dataset);
        if (status)
            return status;
    }
    for (size_t c = 0; c < dataset->info.columns; c++) {
        struct column *column = &dataset->columns[c];
        const double value = values[c];
        bool has_memory = true;
        if (!is_stored(column))
            continue;
        if (isnan(value))
            has_memory = note_missing(column, row, dataset->room);
        else if (fits(column->storage, value) || widen(column, row, dataset->room, value))
            column_store(column, row, value);
        else
            has_memory = false;
        if (!has_memory)
            return fail_host_memory(dataset->error);
    }
    dataset->info.rows = row + 1;
    return SHOAL_OK;
}

enum shoal_status dataset_add_numbers(struct shoal_dataset *dataset, double *row)
{
    for (size_t c = 0; c < dataset->info.columns; c++) {
        struct categories *categories = dataset->columns[c].categories;
        char digits[DECIMAL_MOST];
        if (!categories || isnan(row[c]))
            continue;
        const int length = decimal_write(digits, row[c], false);
        const uint32_t index = categories_add(categories, (struct word){digits, digits + length});
        if (index == NO_CATEGORY)
            return fail_host_memory(dataset->error);
        row[c] = index;
    }
    return dataset_add_row(dataset, row);
}

/* Finds the least and the greatest value of each column, and adds the values of each column to sums[columns].
 * Sums over pieces of 2^16 rows are integers of 32 bits, of which the processor adds many at once. */
static void add_ranges(const unsigned char *bytes, size_t rows, size_t columns, unsigned char *least,
                       unsigned char *greatest, uint32_t *part, double *sums)
{
    enum { PIECE = 1 << 16 };
    for (size_t first = 0; first < rows; first += PIECE) {
        memset(part, 0, columns * sizeof *part);
        for (size_t row = first; row < rows && row < first + PIECE; row++) {
            const unsigned char *values = bytes + row * columns;
            for (size_t c = 0; c < columns; c++) {
                least[c] = values[c] < least[c] ? values[c] : least[c];
                greatest[c] = values[c] > greatest[c] ? values[c] : greatest[c];
                part[c] += values[c];
            }
        }
        for (size_t c = 0; c < columns; c++)
            sums[c] += part[c];
    }
}

static enum shoal_status find_ranges(struct shoal_dataset *dataset, const unsigned char *bytes, size_t rows,
                                     size_t columns)
{
    unsigned char *least = malloc(columns), *greatest = calloc(columns, 1);
    uint32_t *part = malloc(columns * sizeof *part);
    double *sums = calloc(columns, sizeof *sums);
    const bool has_memory = least && greatest && part && sums;
    if (has_memory) {
        memset(least, 255, columns);
        add_ranges(bytes, rows, columns, least, greatest, part, sums);
    }
    for (size_t c = 0; c < columns && has_memory; c++) {
        struct column *column = &dataset->columns[c];
        column->is_placed = true;
        column->place = c;
        column->face.least = least[c];
        column->face.greatest = greatest[c];
        column->face.mean = sums[c] / (double)rows;
    }
    free(least);
    free(greatest);
    free(part);
    free(sums);
    return has_memory ? SHOAL_OK : fail_host_memory(dataset->error);
}

enum shoal_status dataset_place_bytes(struct shoal_dataset *dataset, const unsigned char *bytes, size_t rows,
                                      size_t columns)
{
    dataset->blocks = calloc(dataset->info.columns, sizeof *dataset->blocks);
    unsigned char *data = malloc(rows * columns);
    if (!dataset->blocks || !data) {
        free(data);
        return fail_host_memory(dataset->error);
    }
    memcpy(data, bytes, rows * columns);
    dataset->blocks[0] =
        (struct block){.storage = STORAGE_U8, .columns = columns, .row_bytes = columns, .data = data};
    dataset->block_count = 1;
    dataset->info.rows = rows;
    return find_ranges(dataset, bytes, rows, columns);
}

/* The end ------------------------------------------------------------------------------------------------ */

static enum shoal_status sort_categories(struct shoal_dataset *dataset, struct column *column)
{
    uint32_t *places = categories_sort(column->categories);
    if (!places)
        return fail_host_memory(dataset->error);
    for (size_t row = 0; row < dataset->info.rows; row++)
        if (!column_misses(column, row))
            column_store(column, row, places[(size_t)column_stored(column, row)]);
    free(places);
    return SHOAL_OK;
}

static enum shoal_status count_categories(struct shoal_dataset *dataset, struct column *column)
{
    const size_t count = categories_count(column->categories);
    column->counts = calloc(count + 1, sizeof *column->counts);
    column->face.categories = categories_names(column->categories);
    column->face.counts = column->counts;
    column->face.category_count = count;
    if (!column->counts || !column->face.categories)
        return fail_host_memory(dataset->error);
    for (size_t row = 0; row < dataset->info.rows; row++)
        if (!column_misses(column, row))
            column->counts[(size_t)column_stored(column, row)]++;
    return SHOAL_OK;
}

/* Makes a column whose numbers are all 0 or 1 binary: its numbers are also categories with the names "0" and
 * "1". */
static enum shoal_status call_binary(struct shoal_dataset *dataset, struct column *column)
{
    column->face.kind = SHOAL_COLUMN_BINARY;
    column->categories = categories_new();
    for (int i = 0; i < 2 && column->categories; i++)
        if (categories_add(column->categories, (struct word){&"01"[i], &"01"[i] + 1}) == NO_CATEGORY)
            return fail_host_memory(dataset->error);
    return column->categories ? SHOAL_OK : fail_host_memory(dataset->error);
}

/* Is the column a target, and the task that the caller chose regression? */
static bool is_regressed(const struct shoal_dataset *dataset, const struct column *column)
{
    return dataset->task == SHOAL_TASK_REGRESS && column->face.is_target;
}

static enum shoal_status find_kind(struct shoal_dataset *dataset, struct column *column)
{
    struct shoal_dataset_column *face = &column->face;
    const size_t count = column->categories ? categories_count(column->categories) : 0;
    if (column->choice == CHOICE_BINARY && count > 2)
        return fail(dataset->error, SHOAL_IO,
                    "%s: column '%s' is to be binary but has %zu different values; call it a category",
                    dataset->name, column->name, count);
    if (column->is_placed)
        face->kind = SHOAL_COLUMN_NUMBER;
    else if (column->choice == CHOICE_BINARY || (column->choice == CHOICE_NONE && count == 2))
        face->kind = SHOAL_COLUMN_BINARY;
    else if (column->categories)
        face->kind = SHOAL_COLUMN_CATEGORY;
    else if (column->choice == CHOICE_NONE && !is_regressed(dataset, column) &&
             column->storage == STORAGE_U8 && face->least == 0 && face->greatest == 1)
        return call_binary(dataset, column);
    return SHOAL_OK;
}

/* Checks that a column encoded as a thermometer or as bits has whole numbers within the limits of its
 * encoding. */
static enum shoal_status check_whole(struct shoal_dataset *dataset, const struct column *column)
{
    const bool has_limit = column->face.encoding == SHOAL_ENCODING_BITS;
    const double limit = has_limit ? ldexp(1, (int)column->bits) : 1 << 24;
    for (size_t row = 0; row < dataset->info.rows; row++) {
        const double value = column_stored(column, row);
        if (column_misses(column, row) ||
            (value == floor(value) && value >= (has_limit ? 0 : -limit) && value < limit))
            continue;
        return fail(dataset->error, SHOAL_IO,
                    "%s: row %zu, column '%s': %.10g is no whole number from %.0f to %.0f, as %s needs",
                    dataset->name, row + 1, column->name, value, has_limit ? 0 : -limit, limit - 1,
                    has_limit ? "its number of bits" : "a thermometer");
    }
    return SHOAL_OK;
}

static enum shoal_status find_width(struct shoal_dataset *dataset, struct column *column)
{
    struct shoal_dataset_column *face = &column->face;
    const bool has_values = face->least <= face->greatest;
    enum shoal_status status = SHOAL_OK;
    if (!column->has_encoding && face->kind == SHOAL_COLUMN_CATEGORY)
        face->encoding = SHOAL_ENCODING_ONE_HOT;
    if (face->encoding == SHOAL_ENCODING_BITS || face->encoding == SHOAL_ENCODING_THERMOMETER)
        status = check_whole(dataset, column);
    face->width = face->encoding == SHOAL_ENCODING_PLAIN     ? 1
                  : face->encoding == SHOAL_ENCODING_ONE_HOT ? face->category_count
                  : face->encoding == SHOAL_ENCODING_BITS    ? column->bits
                  : !has_values || status                    ? 0
                  : column->categories                       ? face->category_count - 1
                                                             : (size_t)(face->greatest - face->least);
    return status;
}

static void find_range(struct column *column, size_t rows)
{
    struct shoal_dataset_column *face = &column->face;
    double sum = 0, least = INFINITY, greatest = -INFINITY;
    for (size_t row = 0; row < rows; row++) {
        if (column_misses(column, row))
            continue;
        const double value = column_stored(column, row);
        sum += value;
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    face->least = least;
    face->greatest = greatest;
    face->mean = sum / (double)(rows - face->missing);
}

/* Leaves out a column of words that differ in most rows: such words name the rows, or are texts, and a
 * category for each word would teach nothing. A target of such words is an error. */
static enum shoal_status leave_words(struct shoal_dataset *dataset, struct column *column)
{
    enum { CATEGORIES_MOST = 20 };
    const size_t rows = dataset->info.rows;
    const size_t count = column->categories ? categories_count(column->categories) : 0;
    const struct listed listed = column_list_show(column->name, (size_t)(column - dataset->columns));
    if (column->choice != CHOICE_NONE || column->has_encoding || column->is_declared || column->is_kept ||
        dataset->for_model || count <= CATEGORIES_MOST || 2 * count <= rows)
        return SHOAL_OK;
    if (column->face.is_target)
        return fail(
            dataset->error, SHOAL_IO,
            "%s: the target '%.60s' has %zu different words in %zu rows: --columns '%s category' takes "
            "them as classes",
            dataset->name, column->name, count, rows, listed.text);
    column->choice = CHOICE_IGNORED;
    column->face.left_out = "words";
    column->face.missing = 0;
    column_drop(column);
    free(column->missing);
    categories_free(column->categories);
    column->missing = NULL;
    column->categories = NULL;
    return lines_add(&dataset->notes,
                     "%s: column '%.60s' has %zu different words in %zu rows: it is left out; --columns "
                     "'%s category' takes it, '%s day' if it has dates",
                     dataset->name, column->name, count, rows, listed.text, listed.text)
               ? SHOAL_OK
               : fail_host_memory(dataset->error);
}

static enum shoal_status close_column(struct shoal_dataset *dataset, struct column *column)
{
    struct shoal_dataset_column *face = &column->face;
    enum shoal_status status = leave_words(dataset, column);
    if (status)
        return status;
    if (column->choice == CHOICE_IGNORED) {
        face->kind = SHOAL_COLUMN_IGNORED;
        face->least = face->mean = face->greatest = NAN;
        return SHOAL_OK;
    }
    if (is_stored(column))
        find_range(column, dataset->info.rows);
    status = find_kind(dataset, column);
    if (!status && column->categories && !column->is_declared)
        status = sort_categories(dataset, column);
    if (!status && column->categories)
        status = count_categories(dataset, column);
    if (!status)
        status = find_width(dataset, column);
    if (face->missing == dataset->info.rows || column->categories)
        face->least = face->mean = face->greatest = NAN;
    return status;
}

static enum storage final_storage(const struct column *column)
{
    const bool is_bit =
        column->face.kind == SHOAL_COLUMN_BINARY || (column->categories && column->face.category_count <= 2);
    return is_bit && column->storage == STORAGE_U8 ? STORAGE_BITS : column->storage;
}

/* Fills the rows first .. end - 1 of a block, which lie in one piece. */
static void fill_rows(const struct block *block, const struct column *column, size_t first, size_t end)
{
    const size_t place = column->place, bytes = block->row_bytes;
    const void *const piece = column->values[first / PIECE_ROWS];
    unsigned char *begin = block->data + first * bytes;
    for (size_t row = first; row < end && block->storage == STORAGE_BITS; row++, begin += bytes)
        begin[place / 8] |= (unsigned char)((column_stored(column, row) > 0) << place % 8);
    for (size_t row = first; row < end && block->storage == STORAGE_U8; row++, begin += bytes)
        begin[place] = ((const unsigned char *)piece)[row % PIECE_ROWS];
    for (size_t row = first; row < end && block->storage == STORAGE_FP32; row++, begin += bytes)
        ((float *)(void *)begin)[place] = ((const float *)piece)[row % PIECE_ROWS];
    for (size_t row = first; row < end && block->storage == STORAGE_FP64; row++, begin += bytes)
        ((double *)(void *)begin)[place] = ((const double *)piece)[row % PIECE_ROWS];
}

/* Fills a block with the columns first .. first + count - 1, whose pieces it frees, the last one first. */
static void fill_block(struct shoal_dataset *dataset, const struct block *block, size_t first, size_t count)
{
    enum {
        TILE = 64
    }; /* rows filled at a time: they stay in the cache while one column after another is copied */
    const size_t rows = dataset->info.rows;
    for (size_t piece = (rows - 1) / PIECE_ROWS + 1; piece-- > 0;) {
        const size_t end = (piece + 1) * PIECE_ROWS < rows ? (piece + 1) * PIECE_ROWS : rows;
        for (size_t row = piece * PIECE_ROWS; row < end; row += TILE)
            for (size_t c = first; c < first + count; c++)
                if (is_stored(&dataset->columns[c]))
                    fill_rows(block, &dataset->columns[c], row, row + TILE < end ? row + TILE : end);
        for (size_t c = first + count; c-- > first;)
            while (dataset->columns[c].pieces > piece)
                column_drop_piece(&dataset->columns[c]);
    }
}

/* Adds a block of the columns first .. first + count - 1, without columns that are ignored or already in a
 * block. */
static enum shoal_status add_block(struct shoal_dataset *dataset, size_t first, size_t count,
                                   enum storage storage)
{
    struct block *block = &dataset->blocks[dataset->block_count];
    *block = (struct block){.storage = storage};
    for (size_t c = first; c < first + count; c++)
        if (is_stored(&dataset->columns[c])) {
            dataset->columns[c].block = dataset->block_count;
            dataset->columns[c].place = block->columns++;
        }
    block->row_bytes =
        storage == STORAGE_BITS ? (block->columns + 7) / 8 : block->columns * storage_bytes(storage);
    block->data = calloc(dataset->info.rows, block->row_bytes);
    if (!block->data)
        return fail_host_memory(dataset->error);
    dataset->block_count++;
    fill_block(dataset, block, first, count);
    for (size_t c = first; c < first + count; c++)
        column_drop(&dataset->columns[c]);
    return SHOAL_OK;
}

static enum shoal_status add_blocks(struct shoal_dataset *dataset)
{
    const size_t count = dataset->info.columns;
    enum shoal_status status = SHOAL_OK;
    if (!dataset->blocks)
        dataset->blocks = calloc(count, sizeof *dataset->blocks);
    if (!dataset->blocks)
        return fail_host_memory(dataset->error);
    for (size_t first = 0, end; first < count && !status; first = end) {
        const enum storage storage = final_storage(&dataset->columns[first]);
        end = first + 1;
        if (!is_stored(&dataset->columns[first]))
            continue;
        while (end < count &&
               (!is_stored(&dataset->columns[end]) || final_storage(&dataset->columns[end]) == storage))
            end++;
        status = add_block(dataset, first, end - first, storage);
    }
    return status;
}

enum shoal_status dataset_close(struct shoal_dataset *dataset)
{
    struct shoal_dataset_info *info = &dataset->info;
    enum shoal_status status = SHOAL_OK;
    if (!info->rows)
        return fail(dataset->error, SHOAL_IO, "%s: has no rows", dataset->name);
    status = dataset_choose_task(dataset);
    for (size_t c = 0; c < info->columns && !status; c++) {
        struct column *column = &dataset->columns[c];
        status = close_column(dataset, column);
        info->missing += column->face.missing;
        info->targets += column->face.is_target;
        if (column->face.is_target)
            info->target_width += column->face.width;
        else
            info->input_width += column->face.width;
        info->bytes += column->missing ? (info->rows + 7) / 8 : 0;
    }
    if (!status)
        status = add_blocks(dataset);
    for (size_t b = 0; b < dataset->block_count; b++)
        info->bytes += (uint64_t)info->rows * dataset->blocks[b].row_bytes;
    info->notes = dataset->notes ? dataset->notes : "";
    dataset->error = NULL;
    return status;
}
