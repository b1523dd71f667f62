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
    RESULT_NOT_CHECKED, /* nothing to compare with, e.g. a launch of an empty kernel */
    RESULT_PASSED,
    RESULT_FAILED /* the row has no figures: they are NAN here and null in the file */
};

/* A further figure of a row: its value in another unit, or a property of the run. */
struct result_figure {
    char name[32], unit[16];
    double value;
};
enum { RESULT_FIGURES = 12 };

struct result_row {
    char *name;      /* case: workload.method.size */
    char *device;    /* id */
    char *variant;   /* "cl", "cu"; host: "t1", "t16" = threads */
    char *precision; /* "fp32", "fp64", "u32", "" */
    double value;    /* median of the samples, in `unit` */
    char *unit;
    bool higher_is_better;
    size_t samples;
    double min, max;
    double spread;         /* half the interquartile range over the median; see stats.h */
    enum shoal_roof bound; /* the roof the case is set against */
    double roof;           /* `value` at that roof; 0: none */
    double share;          /* of the roof reached, 1 = all of it; 0: no roof */
    enum result_check check;
    double error;          /* as the case defines it, see design of its check */
    double device_s;       /* one repetition by the device's clock; 0 where it was not taken */
    double wall_s;         /* one repetition by the host's clock */
    double build_s;        /* kernel builds, 0 from the cache */
    double first_launch_s; /* first repetition, synchronous */
    double published;      /* figure of the source that the case reproduces, in `unit`; 0: none */
    char *published_on;    /* hardware of that figure; "" where there is none */
    char *compiler;        /* compiler and flags of the row where they are not those of the device; else "" */
    struct result_figure figures[RESULT_FIGURES];
    size_t figure_count;
};

struct result_device {
    char *id, *name, *driver; /* host: driver is the compiler and its flags */
    struct shoal_roofs roofs; /* zeros where they were not measured */
};

/* Where a run took place; texts are "" and numbers NaN in files that lack them. */
struct result_machine {
    char *name;      /* of the host in its network, without the domain */
    char *processor; /* "AMD EPYC 9654" */
    char *kernel;    /* of the operating system: "Linux 6.1.0 x86_64" */
    double threads;  /* that run at once */
    double load;     /* processes that wanted to run in the minute before the start */
};

struct results {
    struct result_machine machine;
    char *commit;  /* of the build, "unknown" outside a checkout */
    char *date;    /* UTC, "2026-11-21T04:05:06Z" */
    char *command; /* the command line */
    struct result_device *devices;
    size_t device_count;
    struct result_row *rows;
    size_t row_count;
};

/* The commit this program was built from; "unknown" outside a checkout. */
const char *results_commit(void);
/* A run that starts now. `argv` becomes the command, quoted where a shell would need it. */
SHOAL_MUST_CHECK enum shoal_status results_begin(struct results *results, const char *processor, int argc,
                                                 char *const *argv, struct shoal_error *error);
void results_clear(struct results *results);
/* `roofs` may be NULL. A device that is there already only gets the roofs. */
SHOAL_MUST_CHECK enum shoal_status results_add_device(struct results *results,
                                                      const struct shoal_device *device,
                                                      const struct shoal_roofs *roofs,
                                                      struct shoal_error *error);
/* The same by name, for readers of files. */
SHOAL_MUST_CHECK enum shoal_status results_add_named_device(struct results *results, const char *id,
                                                            const char *name, const char *driver,
                                                            const struct shoal_roofs *roofs,
                                                            struct shoal_error *error);
/* Copies the row. */
SHOAL_MUST_CHECK enum shoal_status results_add_row(struct results *results, const struct result_row *row,
                                                   struct shoal_error *error);
const struct result_device *results_device(const struct results *results, const char *id); /* NULL: none */
/* The row of the same case, device and variant; NULL: none. */
const struct result_row *results_row(const struct results *results, const struct result_row *like);

/* "copy_bytes", as in the files; "" for SHOAL_ROOF_NONE. */
const char *result_roof_name(enum shoal_roof roof);
bool result_roof_find(const char *name, enum shoal_roof *roof); /* false: no such name */
double result_roof_value(const struct shoal_roofs *roofs, enum shoal_roof roof);

/* Did other programs want more than half of the threads in the minute before the start? False: not known. */
bool result_machine_is_busy(const struct result_machine *machine);
/* "load 3.10 in the minute before the start, of 2 threads: other programs were running, times may be too
 * long"; the caller frees it. */
char *result_machine_load(const struct result_machine *machine);
/* Before a speed of a busy machine: "~5.79x". */
const char *result_machine_mark(const struct result_machine *machine);
/* That load on standard output, and what the mark means. */
void result_machine_print(const struct result_machine *machine);
/* Adds "machine" to an object. */
void result_machine_json(cJSON *json, const struct result_machine *machine);
/* The file's object; the caller deletes it. NULL: out of memory. */
cJSON *results_json(const struct results *results);
SHOAL_MUST_CHECK enum shoal_status results_parse(struct results *results, const char *text, const char *name,
                                                 struct shoal_error *error);
/* Through a temporary file and a rename. A `path` that is a folder gets HOST-DATE.json in it. `*written`, the
 * caller's to free, receives the path; `written` may be NULL. */
SHOAL_MUST_CHECK enum shoal_status results_write(const struct results *results, const char *path,
                                                 char **written, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status results_read(struct results *results, const char *path,
                                                struct shoal_error *error);

/* regression.c: loss of a row against the same row of an earlier run. */
struct regression {
    const struct result_row *row, *before;
    double loss;      /* share of a rate that is lost; of a time, how much longer it is: 0.1 = 10 % */
    double tolerance; /* max(5 %, 3 x (spread + spread before)) */
    bool worse;       /* loss > tolerance, or the row has no figure but had one before */
};
/* False where the rows cannot be compared: other units, or no figure before. */
bool regression_compare(const struct result_row *row, const struct result_row *before,
                        struct regression *regression);

#endif
