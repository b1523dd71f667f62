/* Writing data sets: CSV as it is read, the other formats from encoded rows. */
#include "base/error.h"
#include "dataset/dataset.h"
#include "io/decimal.h"
#include "io/output.h"
#include "io/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PROGRESS_ROWS = 4096 };

struct job {
    const struct shoal_dataset *dataset;
    struct output output;
    bool is_single;
    shoal_table_progress progress;
    void *data;
};

/* Whether to continue behind `done` rows. */
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
    const bool is_plain = *text && !strpbrk(text, ",;\t\"\r\n") && *text != ' ' &&
                          text[strlen(text) - 1] != ' ' && (!is_first || *text != '#');
    if (is_plain) {
        output_add(output, text);
        return;
    }
    output_add(output, "\"");
    for (const char *c = text; *c; c++) {
        const char one[3] = {*c, *c == '"' ? '"' : '\0', '\0'};
        output_add(output, one);
    }
    output_add(output, "\"");
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
            output_add(&job->output, columns == 1 ? "?" : ""); /* an empty line is no row */
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
    table->state = NULL; /* of the caller */
}

/* As a table of numbers, which lives as long as the data set. */
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

/* The file ------------------------------------------------------------------------------------------------
 */

enum shoal_status shoal_dataset_write(const struct shoal_dataset *dataset, const char *path,
                                      enum shoal_precision precision, shoal_table_progress progress,
                                      void *data, struct shoal_error *error)
{
    struct job job = {
        .dataset = dataset, .is_single = precision == SHOAL_FP32, .progress = progress, .data = data};
    const char *extension = strrchr(path, '.');
    struct shoal_table *table;
    enum shoal_status status;
    error_reset(error);
    if (!dataset->info.input_width && !dataset->info.target_width)
        return fail(error, SHOAL_INVALID,
                    "%s: all columns are ignored, or have one value; there is nothing to write",
                    dataset->name);
    if (extension && strcasecmp(extension, ".npy") == 0) {
        status = open_table(dataset, &table, error);
        if (!status)
            status = shoal_table_write(table, path, precision, progress, data, error);
        shoal_table_destroy(&table);
        return status;
    }
    if (!extension || strcasecmp(extension, ".csv") != 0)
        return fail(error, SHOAL_INVALID, "%s: name it .csv or .npy, to say what to write", path);
    output_open(&job.output, path);
    status = write_csv(&job, error);
    const enum shoal_status closed = output_close(&job.output, !status, status ? NULL : error);
    return status ? status : closed;
}
