/* Samples of a run as text, and kept for charts, by the columns that the workload describes. */
#ifndef SHOAL_TOOLS_SAMPLES_H
#define SHOAL_TOOLS_SAMPLES_H

#include "cli/output/files/pieces.h"

#include <cjson/cJSON.h>
#include <shoal/workload.h>
#include <stdio.h>

/* TABLE: a file for people; LINES: the output of a run, some columns with six digits. */
enum sample_format { SAMPLE_TABLE, SAMPLE_CSV, SAMPLE_JSON_LINES, SAMPLE_LINES };

/* By the end of the name: .csv, .jsonl or .json, else a table. */
enum sample_format sample_format_of(const char *path);

/* How samples of a run of these parameters are written. Forms for people leave out the columns that have no
 * value in the run. */
struct sample_form {
    enum sample_format format;
    const struct shoal_sampling *sampling;
    const void *params;
    const char *chosen; /* names of the columns of SAMPLE_LINES, separated by commas; NULL: those that the
                         * workload shows */
    const char *stage;  /* the run's stage, which files have in a last column "stage"; NULL: the run has no
                         * stages */
};

/* Checks such names: exit code after a line that names `option`. */
int sample_check_columns(const struct shoal_sampling *sampling, const char *option, const char *names);
bool sample_has_column(const struct sample_form *form, const struct shoal_column *column);
double sample_value(const struct shoal_column *column, const void *sample);
/* Writes a value as in a file of the format: nothing, null or "-" if the value is not finite. */
void sample_put(FILE *out, enum sample_format format, const struct shoal_column *column, double value);
/* Whole lines; "" for the head of JSON lines. NULL: out of memory. Free with free(). */
char *sample_head(const struct sample_form *form, size_t *bytes);
char *sample_line(const struct sample_form *form, const void *sample, size_t *bytes);
/* Readers of such files, by format. */
extern piece_next *const sample_pieces[];

/* The samples of a run, column by column. Starts as zeros. A run without an end of steps fills no memory:
 * when SAMPLES_MOST are kept, every second one goes, and of those to come only every second, then every
 * fourth one is kept, and so on. */
enum { SAMPLES_MOST = 1 << 20 };
struct samples {
    const struct shoal_sampling *sampling;
    double **values; /* of each column */
    size_t count, room;
    uint64_t seen, thinned; /* samples so far; how often every second one went */
};

void samples_keep(struct samples *samples, const struct shoal_sampling *sampling, const void *sample);
/* The samples of `more`, which are of the same kind, behind the others. */
void samples_append(struct samples *samples, const struct samples *more);
/* NULL: there is no such column in that form, or no sample. */
const double *samples_column(const struct samples *samples, const struct sample_form *form, const char *name);
/* An array for each column. */
void samples_json(cJSON *object, const struct sample_form *form, const struct samples *samples);
void samples_clear(struct samples *samples);

#endif
