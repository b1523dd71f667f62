/* Result files: bench/results/FOLDER/HOST-DATE.json, one run each, and the comparison of two runs.
 *
 * Units are base units: s, bytes/s, pairs/s, evaluations/s, flop/s. Strings handed in are copied; `results`
 * owns everything in it. Memory that runs out is SHOAL_OUT_OF_HOST_MEMORY.
 */
#ifndef SHOAL_BENCH_RESULTS_H
#define SHOAL_BENCH_RESULTS_H

#include <cjson/cJSON.h>
#include <shoal/measure.h>
#include <shoal/program.h>
#include <stdio.h>

enum { RESULTS_SCHEMA = 1 };

enum result_check {
    RESULT_NOT_CHECKED, /* there is nothing to compare with, e.g. for a launch of an empty kernel */
    RESULT_PASSED,
    RESULT_FAILED /* the row has no figures: they are NAN here and null in the file */
};

/* A further figure of a row: its value in another unit, or a property of the run. */
struct result_figure {
    char name[32], unit[24];
    double value;
};
enum { RESULT_FIGURES = 16 };

struct result_row {
    char *name;      /* name of the case: workload.method.size */
    char *device;    /* id of the device */
    char *variant;   /* "cl" or "cu"; on the host the number of threads: "t1", "t16" */
    char *precision; /* "fp32", "fp64", "u32", "" */
    double value;    /* median of the samples, in `unit` */
    char *unit;
    bool higher_is_better;
    size_t samples;
    double min, max;
    double spread;         /* half the interquartile range over the median; see stats.h */
    enum shoal_roof bound; /* the roof with which the case is compared */
    double roof;           /* `value` at that roof; 0: there is no roof */
    double share;          /* share of the roof that was reached, 1 for the whole roof; 0: there is no roof */
    enum result_check check;
    double error;          /* error as the case defines it: see its check */
    double device_s;       /* seconds of one repetition by the device's clock; 0: not taken */
    double wall_s;         /* seconds of one repetition by the host's clock */
    double build_s;        /* seconds of kernel builds, 0 from the cache */
    double first_launch_s; /* seconds of the first repetition and its end */
    double published;      /* figure of the source that the case reproduces, in `unit`; 0: none */
    char *published_on;    /* hardware of the published figure; "": there is none */
    /* compiler and flags of the row where they differ from those of the device; else "" */
    char *compiler;
    /* What a reader should know about the case, "" where nothing is known. title: what the case does; size:
     * name of its size among the sizes of `shoal compare`; reason: why the row has no figure; note: a
     * sentence about the row. */
    char *title, *size, *reason, *note;
    struct result_figure figures[RESULT_FIGURES];
    size_t figure_count;
};

/* A case that has no row on a device, and why. */
struct result_skipped {
    char *name, *device;
    struct shoal_error error;
};

struct result_device {
    char *id, *name, *driver; /* for the host, `driver` is the compiler and its flags */
    struct shoal_roofs roofs; /* zeros where they were not measured */
};

/* Where a run took place; texts are "" and numbers NaN in files that lack them. */
struct result_machine {
    char *name;      /* name of the host in its network, without the domain */
    char *processor; /* name of the processor: "AMD EPYC 9654" */
    char *kernel;    /* kernel of the operating system: "Linux 6.1.0 x86_64" */
    double threads;  /* number of threads that run at the same time */
    double load;     /* number of processes that wanted to run in the minute before the start */
};

struct results {
    struct result_machine machine;
    char *commit;  /* commit of the build; "unknown" outside a checkout */
    char *date;    /* begin of the run in UTC: "2026-11-21T04:05:06Z" */
    char *command; /* the command line */
    struct result_device *devices;
    size_t device_count;
    struct result_row *rows;
    size_t row_count;
    struct result_skipped *skipped;
    size_t skipped_count;
};

/* The commit this program was built from; "unknown" outside a checkout. */
const char *results_commit(void);
/* Begins the results of a run that starts now. `argv` becomes the command, quoted where a shell needs
 * quotes. */
SHOAL_MUST_CHECK enum shoal_status results_begin(struct results *results, const char *processor, int argc,
                                                 char *const *argv, struct shoal_error *error);
void results_clear(struct results *results);
/* Adds a device. `roofs` may be NULL. A device that is in the results already only gets the roofs. */
SHOAL_MUST_CHECK enum shoal_status results_add_device(struct results *results,
                                                      const struct shoal_device *device,
                                                      const struct shoal_roofs *roofs,
                                                      struct shoal_error *error);
/* Adds a device by its name, for readers of files. */
SHOAL_MUST_CHECK enum shoal_status results_add_named_device(struct results *results, const char *id,
                                                            const char *name, const char *driver,
                                                            const struct shoal_roofs *roofs,
                                                            struct shoal_error *error);
/* Adds a copy of the row. */
SHOAL_MUST_CHECK enum shoal_status results_add_row(struct results *results, const struct result_row *row,
                                                   struct shoal_error *error);
/* Adds a case that has no row on the device with this id. */
SHOAL_MUST_CHECK enum shoal_status results_add_skipped(struct results *results, const char *name,
                                                       const char *device, const struct shoal_error *why,
                                                       struct shoal_error *error);
/* NULL: there is no device with this id */
const struct result_device *results_device(const struct results *results, const char *id);
/* Finds the row with the same case, device and variant; NULL: there is none. */
const struct result_row *results_row(const struct results *results, const struct result_row *like);

/* Name of a roof as in files, "copy_bytes"; "" for SHOAL_ROOF_NONE. */
const char *result_roof_name(enum shoal_roof roof);
/* What the roof limits, in a reader's words: "memory bandwidth"; "" for SHOAL_ROOF_NONE. */
const char *result_roof_words(enum shoal_roof roof);
/* Finds a roof by its name; false: there is none */
bool result_roof_find(const char *name, enum shoal_roof *roof);
double result_roof_value(const struct shoal_roofs *roofs, enum shoal_roof roof);

/* Whether other programs wanted more than half of the threads in the minute before the start. False: not
 * known. */
bool result_machine_is_busy(const struct result_machine *machine);
/* Text such as "load 3.10 in the minute before the start, of 2 threads: other programs were running, times
 * may be too long"; the caller frees it. */
char *result_machine_load(const struct result_machine *machine);
/* The mark before a speed of a busy machine, "~" in "~5.79x". */
const char *result_machine_mark(const struct result_machine *machine);
/* Prints the load on standard output, and what the mark means. */
void result_machine_print(const struct result_machine *machine);
/* Adds "machine" to an object. */
void result_machine_json(cJSON *json, const struct result_machine *machine);
/* Makes the object of the file; the caller deletes it. NULL: there is no memory. */
cJSON *results_json(const struct results *results);
SHOAL_MUST_CHECK enum shoal_status results_parse(struct results *results, const char *text, const char *name,
                                                 struct shoal_error *error);
/* Works as results_parse, but an entry that is no device, row or skipped case is left out, and `left_out`
 * receives one line about it. A device without a name gets its id as the name, with a line. */
SHOAL_MUST_CHECK enum shoal_status results_parse_most(struct results *results, const char *text,
                                                      const char *name,
                                                      void (*left_out)(void *data, const char *line),
                                                      void *data, struct shoal_error *error);
/* Writes the file through a temporary file and a rename. If `path` is a folder, the file is HOST-DATE.json in
 * this folder. `*written` receives the path, which the caller frees; `written` may be NULL. */
SHOAL_MUST_CHECK enum shoal_status results_write(const struct results *results, const char *path,
                                                 char **written, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status results_read(struct results *results, const char *path,
                                                struct shoal_error *error);

/* Defined in regression.c: the loss of a row against the row of an earlier run. */
struct regression {
    const struct result_row *row, *before;
    double loss;      /* lost share of a rate; for a time, how much longer it is: 0.1 is 10 % */
    double tolerance; /* max(5 %, 3 x (spread + spread before)) */
    bool worse;       /* loss > tolerance, or the row has no figure but had one before */
};
/* Computes the regression. False: the rows cannot be compared, since units differ or the earlier row has no
 * figure. */
bool regression_compare(const struct result_row *row, const struct result_row *before,
                        struct regression *regression);

#endif
