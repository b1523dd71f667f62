/* One workload on one device, as a row of a table. */
#ifndef SHOAL_TOOLS_CLI_ROW_H
#define SHOAL_TOOLS_CLI_ROW_H

#include "cli/devices/energy.h"
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
    /* split: division of the run over devices, of which `device` is the first; NULL: the run is not divided.
     * parts: the part of each device, if there is a result. */
    const struct shoal_split_params *split;
    struct shoal_part *parts;
    size_t part_count;
    /* A run refused with SHOAL_INVALID counts as no failure: its message is kept in `error` and not printed.
     */
    bool may_be_refused;
    const struct cli_row *before; /* row of the stage before, on the same device; NULL: none */
    struct shoal_error error;     /* with status SHOAL_OK or SHOAL_STOPPED the figures below are valid */
    size_t samples;
    double device_s, wall_s;       /* medians over the samples */
    double device_spread;          /* half the interquartile range over the median */
    double device_min, device_max; /* least and largest of the samples */
    double timed_work;             /* work done in device_s, equal in all samples */
    bool native;                   /* a native CUDA text was used */
    /* how the last sample ended: stopped by a signal, or ended by its time limit */
    bool stopped, timed_out;
    bool unsaved;      /* the run is complete, but its checkpoint could not be written */
    const char *notes; /* notes on the files that were read, one sentence a line; NULL: none */
    /* times of the first sample; later samples find built kernels and a warm driver */
    double build_s, first_launch_s;
    struct row_energy energy;    /* power of repeated runs, if energy.is_asked */
    struct shoal_result result;  /* result of the last sample; the row owns its arrays */
    struct samples samples_kept; /* samples that the run took, for files and charts */
    /* Called after each sample, with solver NULL if the sample failed. inspect NULL: no call. */
    void (*inspect)(void *data, struct cli_row *row, struct shoal_solver *solver);
    void *inspect_data;
    /* member `between` of struct shoal_run_params for the runs of the row, with its data and seconds; NULL:
     * none */
    enum shoal_status (*between)(void *data, struct shoal_solver *solver, uint64_t *steps,
                                 struct shoal_error *error);
    void *between_data;
    double between_every;
    void *kept; /* data that the report of the workload keeps and frees: workload.h */
};

/* Whether the figures of the row are valid: the run was completed, or ended by Ctrl-C, and the check passed.
 * The checkpoint may be missing. */
bool cli_row_valid(const struct cli_row *row);
/* Whether the row has a result. If the check of the result failed, its figures can be shown, but not
 * compared. */
bool cli_row_has_result(const struct cli_row *row);
/* Whether the run of the row was abandoned, so that its steps may still run: they use the data of the row's
 * callbacks until the process ends. */
bool cli_row_is_abandoned(const struct cli *cli, const struct cli_row *row);
/* Result of the first valid row, otherwise of the first row with a result; NULL: none. */
const struct shoal_result *cli_first_result(const struct cli_row *rows, size_t count);
/* The choice of `option` that the row's result reports, which may differ from the parameters, as the host may
 * compute in another precision. NULL: the result does not report the option. */
const char *cli_row_choice(const struct cli_row *row, const struct shoal_option *option);
/* Describes the runs of the rows in one line, by problem and options: "rastrigin, dim 30; particles=1024
 * seed=1 precision=fp32 (host: fp64)". Without rows the line has no problem. The caller frees the text. */
char *cli_work_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                    size_t count);
/* The options of cli_work_line, without the problem: "temperature=1 seed=1". The caller frees the text. */
char *cli_run_line(const struct shoal_workload *workload, const void *params, const struct cli_row *rows,
                   size_t count);
/* The options of a stage in one line. own true: only options that may change from stage to stage; false: only
 * options that all stages share, as in cli_work_line. The caller frees the text. */
char *cli_stage_line(const struct cli_stage *stage, bool own);
/* Finds a part of a divided run whose device alone would have been faster than all devices together. The time
 * of the device alone is estimated from its time for each unit. *alone: estimated time of the whole run on
 * this device; *together: time of the divided run. NULL: there is no such part; units have moved between
 * devices, so that there is no time for each unit; or the times are too short or too close. */
const struct shoal_part *cli_row_faster_alone(const struct cli_row *row, double *alone, double *together);
/* Ids of the devices of the row: "opencl:0", "opencl:0 + opencl:1". The caller frees the text. */
char *cli_row_devices(const struct cli_row *row);
/* Variant of the row: "cu" or "cl"; for the host the number of threads, "t16". */
struct cli_text cli_row_variant(const struct cli_row *row);
/* The part of file names that distinguishes this row, "-opencl-0-control"; "" for a single row. The caller
 * frees the results of cli_row_tag, cli_row_path and cli_row_title. */
char *cli_row_tag(const struct cli *cli, const struct cli_row *row);
/* `path` with the tag before its extension; "-", standard output, stays "-". */
char *cli_row_path(const struct cli *cli, const struct cli_row *row, const char *path);
/* "shoal NAME: PROBLEM, DEVICE, LABEL", for charts. */
char *cli_row_title(const struct cli_row *row);
/* Makes the run of the row once, on its device or divided over its devices. */
enum shoal_status cli_row_run_once(const struct cli_row *row, const void *params,
                                   const struct shoal_run_params *run, struct shoal_report *report,
                                   struct shoal_error *error);
/* Makes `samples` runs, fewer after Ctrl-C, with progress on stderr. A failure is kept in row->error and
 * printed with the id of the device. */
void cli_row_run(struct cli_row *row, const void *params, const struct shoal_run_params *run, size_t samples);
void cli_row_clear(struct cli_row *row);
/* Frees the parameters of single devices in `split`. Accepts a struct of zeros. */
void cli_row_free_own(struct shoal_split_params *split);
/* The value with its digits and its unit, for example "3041 km". */
struct cli_text cli_result_value(const struct shoal_result *result);
/* Adds device, variant, status, error, times and result of the row to `array`. */
cJSON *cli_json_row(cJSON *array, const struct cli_row *row);

#endif
