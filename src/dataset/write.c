/* Writes data sets: CSV with the columns as they were read, other formats with encoded rows. */
#include "base/error.h"
#include "base/packed/pack.h"
#include "base/params.h"
#include "dataset/dataset.h"
#include "io/decimal.h"
#include "io/output.h"
#include "io/table.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRESS_ROWS = 4096 };

struct job {
    const struct shoal_dataset *dataset;
    struct output output;
    bool is_single;
    shoal_table_progress progress;
    void *data;
};

/* Reports progress after `done` rows. SHOAL_STOPPED: the caller has stopped the writing. */
static enum shoal_status report(const struct job *job, size_t done, struct shoal_error *error)
{
    const size_t rows = job->dataset->info.rows;
    if ((done % PROGRESS_ROWS && done < rows) || !job->progress || job->progress(job->data, done, rows))
        return SHOAL_OK;
    return fail(error, SHOAL_STOPPED, "%s: stopped; nothing was written", job->output.writer.path);
}

/* CSV ---------------------------------------------------------------------------------------------------- */

static void add_text(struct output *output, const char *text, bool is_first)
{
    text_add_csv_field(&output->text, text, is_first);
    output_add(output, "");
}

static void add_names(struct job *job)
{
    const struct shoal_dataset *dataset = job->dataset;
    bool is_first = true;
    for (size_t c = 0; c < dataset->info.columns; c++) {
        if (dataset->columns[c].choice == CHOICE_IGNORED)
            continue;
        output_add(&job->output, is_first ? "" : ",");
        add_text(&job->output, dataset->columns[c].name, is_first);
        is_first = false;
    }
    output_add(&job->output, "\n");
}

static void add_row(struct job *job, size_t row, size_t columns)
{
    const struct shoal_dataset *dataset = job->dataset;
    bool is_first = true;
    for (size_t c = 0; c < dataset->info.columns; c++) {
        const struct column *column = &dataset->columns[c];
        char digits[DECIMAL_MOST];
        if (column->choice == CHOICE_IGNORED)
            continue;
        output_add(&job->output, is_first ? "" : ",");
        if (column_misses(column, row)) {
            /* a field is needed, since an empty line is no row */
            output_add(&job->output, columns == 1 ? "?" : "");
        } else if (column->categories) {
            add_text(&job->output, column->face.categories[(size_t)dataset_value(dataset, column, row)],
                     is_first);
        } else {
            decimal_write(digits, dataset_value(dataset, column, row), job->is_single);
            output_add(&job->output, digits);
        }
        is_first = false;
    }
    output_add(&job->output, "\n");
}

static enum shoal_status write_csv(struct job *job, struct shoal_error *error)
{
    const struct shoal_dataset *dataset = job->dataset;
    size_t columns = 0;
    enum shoal_status status = SHOAL_OK;
    for (size_t c = 0; c < dataset->info.columns; c++)
        columns += dataset->columns[c].choice != CHOICE_IGNORED;
    if (dataset->has_names)
        add_names(job);
    for (size_t row = 0; row < dataset->info.rows && !status; row++) {
        add_row(job, row, columns);
        status = report(job, row + 1, error);
    }
    return status;
}

/* Encoded rows --------------------------------------------------------------------------------------------
 */

static enum shoal_status read_encoded(const struct shoal_table *table, size_t first, size_t count,
                                      double *out, struct shoal_error *error)
{
    return shoal_dataset_encode(table->state, first, count, out, error);
}

static void leave_open(struct shoal_table *table)
{
    table->state = NULL; /* the caller owns the state */
}

/* Opens the data set as a table of numbers, which lives as long as the data set. */
static enum shoal_status open_table(const struct shoal_dataset *dataset, struct shoal_table **out,
                                    struct shoal_error *error)
{
    struct shoal_table *table = table_new(dataset->name);
    *out = table;
    if (!table)
        return fail_host_memory(error);
    table->state = (void *)dataset;
    table->read = read_encoded;
    table->close = leave_open;
    table->info.rows = dataset->info.rows;
    table->info.columns = dataset->info.input_width + dataset->info.target_width;
    return SHOAL_OK;
}

/* Adds `count` encoded rows, whose numbers follow each other in `values`, to the output in the syntax of the
 * format. */
typedef void add_encoded(struct job *job, const double *values, size_t count);

static void add_numbers(struct job *job, const double *values, size_t count)
{
    char digits[DECIMAL_MOST];
    for (size_t i = 0; i < count; i++) {
        decimal_write(digits, values[i], job->is_single);
        output_add(&job->output, i ? " " : "");
        output_add(&job->output, digits);
    }
    output_add(&job->output, "\n");
}

static void add_fann(struct job *job, const double *values, size_t count)
{
    const struct shoal_dataset_info *info = &job->dataset->info;
    for (size_t i = 0; i < count; i++, values += info->input_width + info->target_width) {
        add_numbers(job, values, info->input_width);
        add_numbers(job, values + info->input_width, info->target_width);
    }
}

static void add_thesis(struct job *job, const double *values, size_t count)
{
    const size_t inputs = job->dataset->info.input_width, targets = job->dataset->info.target_width;
    char digits[DECIMAL_MOST];
    for (size_t i = 0; i < count; i++, values += inputs + targets) {
        for (size_t k = 0; k < targets; k++) {
            decimal_write(digits, values[inputs + k], job->is_single);
            output_add(&job->output, digits);
            output_add(&job->output, " ");
        }
        add_numbers(job, values, inputs);
    }
}

static void add_bytes(struct job *job, const double *values, size_t count)
{
    const struct shoal_dataset_info *info = &job->dataset->info;
    for (size_t i = 0; i < count * (info->input_width + info->target_width); i++) {
        const char byte = (char)(unsigned char)values[i];
        text_append(&job->output.text, &byte, 1);
    }
    output_add(&job->output, "");
}

static enum shoal_status check_bytes(const struct job *job, const double *values, size_t first, size_t count,
                                     struct shoal_error *error)
{
    const size_t width = job->dataset->info.input_width + job->dataset->info.target_width;
    for (size_t i = 0; i < count * width; i++)
        if (!fits_u8(values[i]))
            return fail(error, SHOAL_INVALID,
                        "%s: row %zu: %.10g is no byte, but IDX files are written as bytes; write .npy",
                        job->dataset->name, first + i / width + 1, values[i]);
    return SHOAL_OK;
}

static enum shoal_status write_encoded(struct job *job, add_encoded *add, struct shoal_error *error)
{
    const struct shoal_dataset_info *info = &job->dataset->info;
    const size_t width = info->input_width + info->target_width, block = table_block_rows(width);
    enum shoal_status status = SHOAL_OK;
    double *values = malloc(block * width * sizeof *values);
    if (!values)
        return fail_host_memory(error);
    for (size_t first = 0; first < info->rows && !status; first += block) {
        const size_t left = info->rows - first, count = left < block ? left : block;
        status = shoal_dataset_encode(job->dataset, first, count, values, error);
        if (!status && add == add_bytes)
            status = check_bytes(job, values, first, count, error);
        if (!status)
            add(job, values, count);
        if (!status && job->progress && !job->progress(job->data, first + count, info->rows))
            status = fail(error, SHOAL_STOPPED, "%s: stopped; nothing was written", job->output.writer.path);
    }
    free(values);
    return status;
}

static void add_size(struct job *job, size_t size)
{
    const char bytes[4] = {(char)(size >> 24), (char)(size >> 16), (char)(size >> 8), (char)size};
    text_append(&job->output.text, bytes, sizeof bytes);
}

static enum shoal_status write_idx(struct job *job, struct shoal_error *error)
{
    const struct shoal_dataset_info *info = &job->dataset->info;
    const size_t width = info->input_width + info->target_width;
    const char magic[4] = {0, 0, 8, width == 1 ? 1 : 2}; /* bytes, and the number of dimensions */
    if (info->rows > UINT32_MAX || width > UINT32_MAX)
        return fail(error, SHOAL_INVALID, "%s: %zu rows of %zu numbers are more than IDX can hold",
                    job->dataset->name, info->rows, width);
    text_append(&job->output.text, magic, sizeof magic);
    add_size(job, info->rows);
    if (width > 1)
        add_size(job, width);
    return write_encoded(job, add_bytes, error);
}

static enum shoal_status write_sized(struct job *job, bool is_fann, struct shoal_error *error)
{
    const struct shoal_dataset_info *info = &job->dataset->info;
    if (!info->input_width || !info->target_width)
        return fail(error, SHOAL_INVALID,
                    "%s: %s has inputs and targets; this data set has no %s: name its target",
                    job->dataset->name, is_fann ? "FANN's format" : "the thesis's text",
                    info->input_width ? "targets" : "inputs");
    if (is_fann)
        output_printf(&job->output, "%zu %zu %zu\n", info->rows, info->input_width, info->target_width);
    else
        output_printf(&job->output, "%zu, %zu\n", info->target_width, info->input_width);
    return write_encoded(job, is_fann ? add_fann : add_thesis, error);
}

/* The file ------------------------------------------------------------------------------------------------
 */

static enum shoal_status write_npy(const struct shoal_dataset *dataset, const char *path,
                                   enum shoal_precision precision, shoal_table_progress progress, void *data,
                                   struct shoal_error *error)
{
    struct shoal_table *table;
    enum shoal_status status = open_table(dataset, &table, error);
    if (!status)
        status = shoal_table_write(table, path, precision, progress, data, error);
    shoal_table_destroy(&table);
    return status;
}

enum shoal_status shoal_dataset_write(const struct shoal_dataset *dataset, const char *path,
                                      enum shoal_precision precision, shoal_table_progress progress,
                                      void *data, struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, dataset, path))
        return SHOAL_INVALID;
    static const char *const extensions[] = {".npy", ".csv", ".idx", ".data", ".txt"};
    enum { NPY, CSV, IDX, FANN, THESIS, NONE };
    struct job job = {
        .dataset = dataset, .is_single = precision == SHOAL_FP32, .progress = progress, .data = data};
    int format = NPY;
    if (!dataset->info.input_width && !dataset->info.target_width)
        return fail(error, SHOAL_INVALID,
                    "%s: all columns are ignored, or have one value; there is nothing to write",
                    dataset->name);
    while (format < NONE && !pack_has_ending(path, extensions[format]))
        format++;
    if (format == NONE)
        return fail(
            error, SHOAL_INVALID,
            "%s: name it .csv, .npy, .idx, .data (FANN) or .txt (thesis), to say what to write, with .gz "
            "behind it to pack it",
            path);
    if (format == NPY)
        return write_npy(dataset, path, precision, progress, data, error);
    output_open(&job.output, path);
    enum shoal_status status = format == CSV   ? write_csv(&job, error)
                               : format == IDX ? write_idx(&job, error)
                                               : write_sized(&job, format == FANN, error);
    const enum shoal_status closed = output_close(&job.output, !status, status ? NULL : error);
    return status ? status : closed;
}
