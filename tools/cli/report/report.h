/* Results of one or several runs, side by side: the page of shoal report and of shoal compare. */
#ifndef SHOAL_TOOLS_CLI_REPORT_H
#define SHOAL_TOOLS_CLI_REPORT_H

#include "bench/runner/results.h"
#include "cli/report/quality.h"

/* A run, which is one result file. */
struct report_run {
    const struct results *results;
    const char *path;    /* name of the file; NULL: the run was made by this command */
    const char *machine; /* name of the machine, different for different machines */
};

/* A device of a machine. Runs of the same device share it. */
struct report_device {
    const char *machine, *id, *name, *driver;
    const struct shoal_roofs *roofs; /* of the newest run with roofs; NULL: not measured */
    const char *date;                /* date of these roofs */
    size_t colour;                   /* of its bars: devices of one id and name share it */
};

struct report_row {
    const struct result_row *row;
    size_t run, device; /* indices in the report */
    bool is_peer;       /* the figure of another program */
};

/* The rows of one case, and those of other programs that solve the same problem. */
struct report_case {
    const char *name;
    size_t workload;
    struct report_row *rows;
    size_t row_count;
};

/* A row without a figure, or a case that a device has not run. */
struct report_failure {
    const char *name, *reason;
    size_t run, device;           /* indices in the report */
    const struct result_row *row; /* NULL: the case has no row */
};

struct results_report {
    const char *title, *about; /* title of the page, and a paragraph about what it shows */
    const struct report_run *runs;
    size_t run_count;
    /* Id of the device to which speeds are relative; NULL: report_collect chooses a device. */
    const char *reference_id;
    /* The earlier run with which figures are compared; NULL: none. baseline_path: name of its file. */
    const struct results *baseline;
    const char *baseline_path;
    const struct report_quality *qualities;
    size_t quality_count;

    /* Members that report_collect sets. */
    struct report_device *devices;
    size_t device_count;
    char **workloads;   /* names in the order of their first rows */
    size_t *references; /* for each workload the device to which speeds are relative; device_count: none */
    size_t workload_count;
    struct report_case *cases; /* in the order of their workloads, then of their first rows */
    size_t case_count;
    struct report_failure *failures; /* in the order of the runs */
    size_t failure_count;
    struct regression *losses; /* rows that are slower than in the baseline */
    struct report_row
        *losers; /* the same rows of the report; for a case that is left out now, the earlier row */
    size_t loss_count, compared_count;
    const struct report_run *busy; /* a run on a busy machine that has compared rows; NULL: none */
};

/* Fills the report from its runs; report_free frees what report_collect allocated. */
void report_collect(struct results_report *report);
void report_free(struct results_report *report);

/* Whether a value is positive and of a size that something measured can have. */
bool report_can_draw(double value);
/* Whether the row has a figure to compare. A row whose check failed has none, whatever the file says. */
bool report_has_figure(const struct result_row *row);
/* Why a row has no figure, in words. */
const char *report_reason(const struct result_row *row);
/* How many times as fast as the reference the row is; NaN: not known. */
double report_speed(const struct results_report *report, const struct report_case *of,
                    const struct report_row *row);
/* Whether a later run has a figure of the same case, device and variant. */
bool report_is_replaced(const struct results_report *report, const struct report_case *of,
                        const struct report_row *row);
/* Name of the device and its machine where the report has several, "cuda:0 cu", "host t2, cpu2". The caller
 * frees the text. */
char *report_label(const struct results_report *report, const struct report_row *row);
/* The device by its id, and by its machine where the report has several. The caller frees the text. */
char *report_device_label(const struct results_report *report, size_t device);
/* Name of a case for readers: "pso, small" instead of a long list of parameters. The caller frees the text.
 */
char *report_case_label(const struct results_report *report, const struct report_case *of);
/* What the case does; "": not known. */
const char *report_case_about(const struct report_case *of);
/* The share of the roof in words, "29 % of the memory bandwidth"; "-": not known. */
struct cli_text report_share(const struct result_row *row);
/* Whether the report has runs of several machines, or of several days. */
bool report_has_machines(const struct results_report *report);
bool report_has_dates(const struct results_report *report);

/* A group of bars: the mean speed of a device with a variant over the cases of a workload. */
struct report_mean {
    size_t device;
    const char *variant;
    double speed; /* geometric mean of the speeds relative to the reference; NaN: no case in common */
    size_t cases; /* number of cases in the mean */
    /* row with the largest share of a roof, and its case; NULL: no share is known */
    const struct result_row *nearest;
};
/* Makes the means of a workload; the caller frees them. */
struct report_mean *report_means(const struct results_report *report, size_t workload, size_t *count);

/* For chart_write_drawn, with the report as `data`. report_page writes the page, which needs no other file;
 * report_csv writes a line for each row. */
void report_page(FILE *out, const void *data);
void report_csv(FILE *out, const void *data);
/* Writes the page or the table to `path`; option: the option for messages. Returns an exit code. */
int report_write(const char *option, const char *path, void (*write)(FILE *out, const void *data),
                 const struct results_report *report);

#endif
