/* Writes tables in pieces: .npy, .csv and raw numbers. */
#include "base/error.h"
#include "base/packed/pack.h"
#include "base/params.h"
#include "io/decimal.h"
#include "io/output.h"
#include "io/table.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum format { FORMAT_NPY, FORMAT_CSV, FORMAT_RAW };

static bool find_format(const char *path, enum format *format)
{
    static const char *const suffixes[] = {".npy", ".csv", ".bin"};
    for (int i = 0; i < 3; i++)
        if (pack_has_ending(path, suffixes[i])) {
            *format = (enum format)i;
            return true;
        }
    return false;
}

/* Version 1.0 of the format: the header is followed by blanks and a line feed, up to a multiple of 64
 * bytes. */
void table_add_npy_header(struct text *text, enum shoal_precision precision, size_t rows, size_t columns)
{
    struct text dictionary = {0};
    text_printf(&dictionary, "{'descr': '<f%d', 'fortran_order': False, 'shape': (%zu,",
                precision == SHOAL_FP32 ? 4 : 8, rows);
    if (columns)
        text_printf(&dictionary, " %zu", columns);
    text_add(&dictionary, "), }");
    while (!dictionary.failed && (10 + dictionary.length + 1) % 64)
        text_add(&dictionary, " ");
    text_add(&dictionary, "\n");
    const char start[10] = {
        '\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)dictionary.length, (char)(dictionary.length >> 8)};
    text_append(text, start, sizeof start);
    text_append(text, dictionary.data, dictionary.length);
    text->failed |= dictionary.failed;
    text_free(&dictionary);
}

void table_add_binary(struct text *text, const double *values, size_t count, enum shoal_precision precision)
{
    for (size_t i = 0; i < count; i++) {
        const float narrow = (float)values[i];
        uint64_t wide_word;
        uint32_t narrow_word;
        memcpy(&wide_word, &values[i], sizeof wide_word);
        memcpy(&narrow_word, &narrow, sizeof narrow_word);
        wide_word = htole64(wide_word);
        narrow_word = htole32(narrow_word);
        if (precision == SHOAL_FP32)
            text_append(text, (const char *)&narrow_word, sizeof narrow_word);
        else
            text_append(text, (const char *)&wide_word, sizeof wide_word);
    }
}

static void add_lines(struct text *text, const double *values, size_t rows, size_t columns,
                      enum shoal_precision precision)
{
    const bool is_single = precision == SHOAL_FP32;
    char digits[DECIMAL_MOST];
    for (size_t i = 0; i < rows * columns; i++) {
        const int length = decimal_write(digits, is_single ? (double)(float)values[i] : values[i], is_single);
        text_append(text, digits, (size_t)length);
        text_add(text, i % columns + 1 < columns ? "," : "\n");
    }
}

static void add_names(struct text *text, const struct shoal_table *table)
{
    for (size_t c = 0; c < table->info.columns; c++) {
        text_add_csv_field(text, table->names[c], c == 0);
        text_add(text, c + 1 < table->info.columns ? "," : "\n");
    }
}

struct job {
    const struct shoal_table *table;
    enum format format;
    enum shoal_precision precision;
    struct file_writer writer;
    struct text text; /* text that is not written yet */
};

static enum shoal_status write_rows(struct job *job, const double *values, size_t first, size_t count,
                                    struct shoal_error *error)
{
    const size_t columns = job->table->info.columns;
    for (size_t i = 0; job->precision == SHOAL_FP32 && i < count * columns; i++)
        if (!isfinite((float)values[i]))
            return fail(error, SHOAL_INVALID, "%s: row %zu, column %zu: %g is too large for f4; write f8",
                        job->table->name, first + i / columns + 1, i % columns + 1, values[i]);
    if (job->format == FORMAT_CSV)
        add_lines(&job->text, values, count, columns, job->precision);
    else
        table_add_binary(&job->text, values, count * columns, job->precision);
    if (job->text.failed)
        return fail_host_memory(error);
    const int code = file_writer_add(&job->writer, job->text.data, job->text.length);
    job->text.length = 0;
    return code ? output_failed(job->writer.path, code, error) : SHOAL_OK;
}

/* Fails if the file system has too little room for the numbers. A number in text takes at least two bytes. */
static enum shoal_status check_room(const struct job *job, struct shoal_error *error)
{
    const struct shoal_table_info *info = &job->table->info;
    const double each = job->format == FORMAT_CSV ? 2 : job->precision == SHOAL_FP32 ? 4 : 8;
    const double bytes = (double)info->rows * (double)info->columns * each,
                 room = file_writer_room(&job->writer);
    if (bytes <= room)
        return SHOAL_OK;
    return fail(error, SHOAL_IO,
                "%s: cannot be written: it takes %.0f bytes%s, its file system has %.0f left",
                job->writer.path, bytes, job->format == FORMAT_CSV ? " or more" : "", room);
}

static enum shoal_status write_table(struct job *job, shoal_table_progress progress, void *data,
                                     struct shoal_error *error)
{
    const struct shoal_table_info *info = &job->table->info;
    const size_t block = table_block_rows(info->columns);
    enum shoal_status status = SHOAL_OK;
    double *values = malloc(block * info->columns * sizeof *values);
    if (!values)
        return fail_host_memory(error);
    if (job->format == FORMAT_NPY)
        table_add_npy_header(&job->text, job->precision, info->rows, info->columns);
    if (job->format == FORMAT_CSV && job->table->names)
        add_names(&job->text, job->table);
    for (size_t first = 0; first < info->rows && !status; first += block) {
        const size_t left = info->rows - first, count = left < block ? left : block;
        status = shoal_table_read(job->table, first, count, values, error);
        if (!status)
            status = write_rows(job, values, first, count, error);
        if (!status && progress && !progress(data, first + count, info->rows))
            status = fail(error, SHOAL_STOPPED, "%s: stopped; nothing was written", job->writer.path);
    }
    free(values);
    return status;
}

enum shoal_status shoal_table_write(const struct shoal_table *table, const char *path,
                                    enum shoal_precision precision, shoal_table_progress progress, void *data,
                                    struct shoal_error *error)
{
    error_reset(error);
    if (!NEED(error, table, path))
        return SHOAL_INVALID;
    struct job job = {.table = table, .precision = precision};
    enum shoal_status status = SHOAL_OK;
    if (!find_format(path, &job.format))
        return fail(
            error, SHOAL_INVALID,
            "%s: name it .npy, .csv or .bin (raw), to say what to write, with .gz behind it to pack it",
            path);
    if (file_writer_open(&job.writer, path, FILE_OF_USER) == 0 && pack_is_asked_for(path))
        file_writer_pack(&job.writer);
    else if (!job.writer.code)
        status = check_room(&job, error);
    if (!job.writer.code && !status)
        status = write_table(&job, progress, data, error);
    const int code = file_writer_close(&job.writer, !status);
    if (code && !status)
        status = output_failed(path, code, error);
    text_free(&job.text);
    return status;
}
