/* Samples of a run: written as text, and kept for charts. The workload describes the columns. */
#ifndef SHOAL_TOOLS_SAMPLES_H
#define SHOAL_TOOLS_SAMPLES_H

#include "cli/output/files/pieces.h"

#include <cjson/cJSON.h>
#include <shoal/workload.h>
#include <stdio.h>

struct cli_stage;

/* SAMPLE_TABLE: an aligned file for people; SAMPLE_LINES: output during a run, with up to six digits. */
enum sample_format { SAMPLE_TABLE, SAMPLE_CSV, SAMPLE_JSON_LINES, SAMPLE_LINES };

/* Chooses the format by the ending of the file's name: .csv, .jsonl or .json, else a table. */
enum sample_format sample_format_of(const char *path);

/* How samples of a run with these parameters are written. SAMPLE_TABLE and SAMPLE_LINES leave out columns
 * that have no value in the run. */
struct sample_form {
    enum sample_format format;
    const struct shoal_sampling *sampling;
    const void *params;
    const char *chosen; /* names of the columns of SAMPLE_LINES, separated by commas; NULL: the columns that
                         * the workload shows */
    /* name of the stage, written in a last column "stage" of files; NULL: the run has no stages */
    const char *stage;
    /* Whether a column has values in any stage of the run of `run_stage`; NULL: the run has no stages. */
    bool (*stages_have)(const struct cli_stage *run_stage, const struct shoal_column *column);
    const struct cli_stage *run_stage;
};

/* Checks the names of chosen columns. Returns an exit code; a failure is reported in a line that names
 * `option`. */
int sample_check_columns(const struct shoal_sampling *sampling, const char *option, const char *names);
/* Returns the column with the first name of *rest, a checked list of names, and moves *rest to the next name.
 * NULL: *rest is NULL, the end of the list. */
const struct shoal_column *sample_next_column(const struct shoal_sampling *sampling, const char **rest);
bool sample_has_column(const struct sample_form *form, const struct shoal_column *column);
double sample_value(const struct shoal_column *column, const void *sample);
/* Writes a value in the format; a value that is not finite is written as an empty field, null or "-", by the
 * format. */
void sample_put(FILE *out, enum sample_format format, const struct shoal_column *column, double value);
/* sample_head makes the line of column names, "" for JSON lines; sample_line makes the line of a sample.
 * NULL: out of memory. The caller frees the text. */
char *sample_head(const struct sample_form *form, size_t *bytes);
char *sample_line(const struct sample_form *form, const void *sample, size_t *bytes);
/* Functions that read files of samples, indexed by enum sample_format. */
extern piece_next *const sample_pieces[];

/* The samples of a run, column by column; at first all zeros. The memory is bounded, since the number of
 * steps of a run may be unlimited: when SAMPLES_MOST samples are kept, every second sample is dropped, and
 * after that only every second new sample is kept, then every fourth, and so on. */
enum { SAMPLES_MOST = 1 << 20 };
struct samples {
    const struct shoal_sampling *sampling;
    double **values; /* values of each column */
    size_t count, room;
    uint64_t seen, thinned; /* seen: number of samples so far; thinned: how often every second sample was
                             * dropped */
};

void samples_keep(struct samples *samples, const struct shoal_sampling *sampling, const void *sample);
/* Appends the samples of `more`, which must be of the same kind. */
void samples_append(struct samples *samples, const struct samples *more);
/* The values of the column `name`, [samples->count]. NULL: the form has no such column, or there is no
 * sample. */
const double *samples_column(const struct samples *samples, const struct sample_form *form, const char *name);
/* Adds an array for each column to `object`. */
void samples_json(cJSON *object, const struct sample_form *form, const struct samples *samples);
void samples_clear(struct samples *samples);

#endif
