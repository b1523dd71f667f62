/* One workload on one device, as a row of a table. */
#ifndef SHOAL_TOOLS_CLI_ROW_H
#define SHOAL_TOOLS_CLI_ROW_H

#include "cli/output/samples.h"
#include "cli/session.h"

#include <cjson/cJSON.h>
#include <shoal/workload.h>

struct cli_row {
    const struct shoal_workload *workload;
    struct shoal_device *device;
    enum shoal_variant variant;
    const char *label; /* label of a further run on the same device, e.g. "control", or of the stage; NULL:
                        * none */
    const struct cli_stage *stage; /* of the run; NULL: it has none */
    const struct cli_row *before;  /* of the stage before, on the same device; NULL: none */
    struct shoal_error error;      /* status SHOAL_OK or SHOAL_STOPPED: the figures below hold */
    size_t samples;
    double device_s, wall_s;        /* medians */
    double device_spread;           /* half the interquartile range over the median */
    double device_min, device_max;  /* over the samples */
    double timed_work;              /* work done in device_s, the same in each sample */
    bool native;                    /* native CUDA text took part */
    bool stopped, timed_out;        /* how the last sample ended: by a signal, by its time limit */
    bool unsaved;                   /* the run is whole, but its checkpoint could not be written */
    const char *notes;              /* on the files that it read, a sentence a line; NULL: none */
    double build_s, first_launch_s; /* of the first sample: later ones find kernels and driver warm */
    struct shoal_result result;     /* of the last sample; arrays in it belong to the row */
    struct samples samples_kept;    /* of the run itself, for files and charts */
    /* Called after each sample, the solver is NULL where it failed. NULL: not called. */
    void (*inspect)(void *data, struct cli_row *row, struct shoal_solver *solver);
    void *inspect_data;
    void *kept; /* data of the workload's module, which frees it: workload.h */
};

/* True where the row holds figures: it ran, if only until Ctrl-C, and its check passed. Its checkpoint may be
 * missing. */
bool cli_row_valid(const struct cli_row *row);
/* True also where its check failed: figures to look at, not to compare with. */
bool cli_row_has_result(const struct cli_row *row);
/* Whether steps of the row may still run: they use the data of its callbacks until the process ends. */
bool cli_row_is_abandoned(const struct cli *cli, const struct cli_row *row);
/* Result of the first row that is valid, else of the first that has one; NULL: none. */
const struct shoal_result *cli_first_result(const struct cli_row *rows, size_t count);
/* The choice of an option that the row computed with, as its result says: the host has a precision of its
 * own. NULL: it does not say. */
const char *cli_row_choice(const struct cli_row *row, const struct shoal_option *option);
/* Problem and sizes of the rows' runs in one line: "rastrigin, dim 30; particles=1024 seed=1
 * precision=fp32 (host: fp64)". Without rows it names no problem. Free with free(). */
char *cli_work_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                    size_t count);
/* The values alone: "temperature=1 seed=1". Free with free(). */
char *cli_run_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                   size_t count);
/* The options of a stage. `own`: the options that may change from stage to stage; else the options that all
 * stages share, which alone are in the cli_work_line of the rows. Free with free(). */
char *cli_stage_line(const struct cli_stage *stage, bool own);
/* Variant of the row: "cu" or "cl", or threads of the host, "t16". */
struct cli_text cli_row_variant(const struct cli_row *row);
/* Distinguishes the files of this row, "" for a single row: "-opencl-0-control". Free with free(), here and
 * below. */
char *cli_row_tag(const struct cli *cli, const struct cli_row *row);
/* `path` with the tag before its extension; "-", the standard output, unchanged. */
char *cli_row_path(const struct cli *cli, const struct cli_row *row, const char *path);
/* "shoal NAME: PROBLEM, DEVICE, LABEL", for charts. */
char *cli_row_title(const struct cli_row *row);
/* Runs `samples` times (fewer after Ctrl-C) with progress on stderr. A failure is kept in row->error and
 * printed with the id of the device. */
void cli_row_run(struct cli_row *row, const void *params, const struct shoal_run_params *run, size_t samples);
void cli_row_clear(struct cli_row *row);
/* The value with its digits and its unit: "3041 km". */
struct cli_text cli_result_value(const struct shoal_result *result);
/* Device, variant, status, error, times and result. */
cJSON *cli_json_row(cJSON *array, const struct cli_row *row);

#endif
