/* One workload on one device, as a row of a table. */
#ifndef SHOAL_TOOLS_CLI_ROW_H
#define SHOAL_TOOLS_CLI_ROW_H

#include "cli/output/samples.h"
#include "cli/session.h"

#include <cjson/cJSON.h>
#include <shoal/split.h>
#include <shoal/workload.h>

struct cli_row {
    const struct shoal_workload *workload;
    struct shoal_device *device;
    enum shoal_variant variant;
    const char *label; /* label of a further run on the same device, for example "control", or the name of the
                        * stage; NULL: none */
    const struct cli_stage *stage; /* stage of the run; NULL: none */
    /* The devices over which the run is divided, of which `device` is the first; NULL: the run is not
     * divided. parts: the part of each device, where there is a result. */
    const struct shoal_split_params *split;
    struct shoal_part *parts;
    size_t part_count;
    /* A run that SHOAL_INVALID refuses is no failure: the message is only kept in `error`. */
    bool may_be_refused;
    const struct cli_row *before; /* row of the stage before, on the same device; NULL: none */
    struct shoal_error error;     /* with status SHOAL_OK or SHOAL_STOPPED the figures below are valid */
    size_t samples;
    double device_s, wall_s;       /* medians over the samples */
    double device_spread;          /* half the interquartile range over the median */
    double device_min, device_max; /* least and largest of the samples */
    double timed_work;             /* work done in device_s, which is the same in each sample */
    bool native;                   /* a native CUDA text was used */
    /* how the last sample ended: stopped by a signal, or ended by its time limit */
    bool stopped, timed_out;
    bool unsaved;                   /* the run is whole, but its checkpoint could not be written */
    const char *notes;              /* notes on the files that were read, one sentence a line; NULL: none */
    double build_s, first_launch_s; /* of the first sample: in later samples kernels are built and the driver
                                     * is warm */
    struct shoal_result result;     /* result of the last sample; the row owns its arrays */
    struct samples samples_kept;    /* samples that the run took, for files and charts */
    /* Called after each sample; the solver is NULL where the sample failed. NULL: not called. */
    void (*inspect)(void *data, struct cli_row *row, struct shoal_solver *solver);
    void *inspect_data;
    void *kept; /* data of the workload's module, which also frees it: workload.h */
};

/* Whether the row has figures: its run went to its end or until Ctrl-C, and its check passed. Its checkpoint
 * may be missing. */
bool cli_row_valid(const struct cli_row *row);
/* Whether the row has a result. Its check may have failed: the figures can then be shown, but not
 * compared. */
bool cli_row_has_result(const struct cli_row *row);
/* Whether steps of the row may still be running: they then use the data of its callbacks until the process
 * ends. */
bool cli_row_is_abandoned(const struct cli *cli, const struct cli_row *row);
/* Result of the first valid row, otherwise of the first row with a result; NULL: none. */
const struct shoal_result *cli_first_result(const struct cli_row *rows, size_t count);
/* The choice of an option with which the row computed, according to its result: the host may compute in
 * another precision. NULL: the result does not say. */
const char *cli_row_choice(const struct cli_row *row, const struct shoal_option *option);
/* Problem and sizes of the rows' runs in one line: "rastrigin, dim 30; particles=1024 seed=1 precision=fp32
 * (host: fp64)". Without rows the line names no problem. The caller frees the text. */
char *cli_work_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                    size_t count);
/* Only the values of cli_work_line: "temperature=1 seed=1". The caller frees the text. */
char *cli_run_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                   size_t count);
/* The options of a stage in one line. own: only options that may change from stage to stage; otherwise only
 * options that all stages share, which are the ones in the cli_work_line of the rows. The caller frees the
 * text. */
char *cli_stage_line(const struct cli_stage *stage, bool own);
/* The part of a divided run whose device would have made the whole run faster alone, by its time for each of
 * its units; *alone: about the time that it would have taken, *together: the time that the run took. NULL:
 * there is none; units have moved, so that times belong to no number of units; or the times are too short or
 * too close to tell. */
const struct shoal_part *cli_row_faster_alone(const struct cli_row *row, double *alone, double *together);
/* Ids of the devices of the row: "opencl:0", "opencl:0 + opencl:1". The caller frees the text. */
char *cli_row_devices(const struct cli_row *row);
/* Variant of the row: "cu" or "cl", or threads of the host, "t16". */
struct cli_text cli_row_variant(const struct cli_row *row);
/* The part of file names that distinguishes this row, "-opencl-0-control"; "" for a single row. The caller
 * frees the results of cli_row_tag and of the functions below. */
char *cli_row_tag(const struct cli *cli, const struct cli_row *row);
/* `path` with the tag before its extension; "-", the standard output, unchanged. */
char *cli_row_path(const struct cli *cli, const struct cli_row *row, const char *path);
/* "shoal NAME: PROBLEM, DEVICE, LABEL", for charts. */
char *cli_row_title(const struct cli_row *row);
/* Runs `samples` times (less after Ctrl-C), with progress on stderr. A failure is kept in row->error and
 * printed with the device's id. */
void cli_row_run(struct cli_row *row, const void *params, const struct shoal_run_params *run, size_t samples);
void cli_row_clear(struct cli_row *row);
/* Frees the parameters of single devices. Accepts zeros. */
void cli_row_free_own(struct shoal_split_params *split);
/* The value with its digits and its unit, for example "3041 km". */
struct cli_text cli_result_value(const struct shoal_result *result);
/* Adds device, variant, status, error, times and result of the row to `array`. */
cJSON *cli_json_row(cJSON *array, const struct cli_row *row);

#endif
