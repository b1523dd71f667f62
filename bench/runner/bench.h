/* Bench cases and the runner behind `shoal bench`.
 *
 * A case is data and four functions. The runner builds it on one device, runs it once (first launch), checks
 * the result, calibrates how many repetitions make a sample long against the clock, takes the samples, and
 * checks again. A case whose check fails has no figure.
 *
 * A case file defines one `const struct bench_case_list` and is named in cases.c of its folder. Case names
 * are `workload.method.size` and never change their meaning: result files are compared by them.
 */
#ifndef SHOAL_BENCH_BENCH_H
#define SHOAL_BENCH_BENCH_H

#include "bench/runner/fail.h"
#include "bench/runner/results.h"

#include <shoal/workload.h>

enum bench_clock {
    /* the device's own clock, from the first start to the last end of the repetitions; on the host wall
     * time */
    BENCH_DEVICE_TIME,
    BENCH_WALL_TIME /* the caller's time, from the first call to the end of the last repetition */
};

/* Least number of samples of a row. */
enum { BENCH_LEAST_SAMPLES = 3 };

/* One case on one device. */
struct bench {
    /* The runner sets the following members. */
    struct shoal *shoal;
    struct shoal_device *device;
    struct shoal_queue *queue; /* with time stamps; NULL on the host */
    enum shoal_variant variant;
    enum shoal_roof roof; /* roof of the case */
    uint32_t threads;     /* on the host: number of OpenMP threads, already set; on devices: 0 */
    double seconds;       /* time to spend on samples */
    const void *data;     /* data of the case */
    /* asked between samples, and by bench_stopped: true ends the case. NULL: never stopped */
    bool (*stop)(void *data);
    void *stop_data;
    /* The function create sets the following members. */
    void *state;
    const char *precision; /* precision of the case, unless create sets another, e.g. "fp64" on the host */
    char suffix[24]; /* appended to the row's name if the input is not the one that the case names: "-u442" */
    double work;     /* number of units in one repetition, e.g. bytes where the unit is bytes/s */
    /* for the unit "s": number of equal parts in a repetition; the value is the time of one part */
    double parts;
    /* number of operations or bytes of one repetition that the case's roof counts; 0: there is no share */
    double roof_work;
    /* on the host: compiler and flags of the case's code where they differ from those of the library */
    const char *compiler;
    double build_s;                               /* seconds of kernel builds: see bench_uses */
    bool native;                                  /* a native CUDA text took part: see bench_uses */
    struct result_figure figures[RESULT_FIGURES]; /* see bench_add_figure */
    size_t figure_count;
};

/* Adds a further figure to the row. Figures beyond RESULT_FIGURES are left out. */
void bench_add_figure(struct bench *bench, const char *name, const char *unit, double value);

/* For a repetition that takes long: between its parts, SHOAL_STOPPED where the case is to end. */
enum shoal_status bench_stopped(const struct bench *bench, struct shoal_error *error);

/* For `check`: what the roof counts in `units` units of a workload's work, where the case has that roof. */
void bench_set_roof_work(struct bench *bench, const struct shoal_result *result, double units);

/* Call this from create for each program: it adds the build time and notes whether the program is a native
 * text. */
void bench_uses(struct bench *bench, const struct shoal_program *program);

struct bench_check {
    bool passed;
    double error;    /* largest error, relative as the case defines it; 0 where the comparison is exact */
    char detail[96]; /* what was wrong, for the message of a failed check */
};

/* For `check`: passes if the result of the solver passes its own check. A failed check is no error. */
enum shoal_status bench_check_result(struct shoal_solver *solver, struct bench_check *check,
                                     struct shoal_error *error);

struct bench_ops {
    /* Makes input data, programs and buffers. SHOAL_UNSUPPORTED and SHOAL_OUT_OF_DEVICE_MEMORY: the case is
     * left out on this device, with the message as the reason. Other failures count as failures. */
    enum shoal_status (*create)(struct bench *bench, struct shoal_error *error);
    /* Optional: restores the input before each repetition; this takes no measured time. A sample is then one
     * repetition. */
    enum shoal_status (*prepare)(struct bench *bench, struct shoal_error *error);
    /* Enqueues one repetition without waiting; on the host makes the repetition. */
    enum shoal_status (*run)(struct bench *bench, struct shoal_error *error);
    /* Compares the result of the last repetition with an independent one on the host. */
    enum shoal_status (*check)(struct bench *bench, struct bench_check *check, struct shoal_error *error);
    /* Also called after a failed create, so it accepts a state that is NULL or incomplete. */
    void (*destroy)(struct bench *bench);
    /* Optional: adds figures. Called when the median time of a part of a repetition is known. */
    void (*figures)(struct bench *bench, double seconds);
};

struct bench_sink;

struct bench_case {
    const char *name;
    const char *help;      /* what one repetition does, for --list */
    const char *unit;      /* "bytes/s", "pairs/s", "evaluations/s"; "s": value is the time of a repetition */
    const char *precision; /* "fp32", "fp64", "u32"; "" where it has no meaning */
    enum shoal_roof roof;
    enum bench_clock clock;
    /* Name of the kernel program that decides the figure; `shoal tune` tries its work-group sizes with the
     * first case that names it. NULL: none. */
    const char *program;
    const struct bench_ops *device; /* NULL: no rows on devices */
    const struct bench_ops *host;   /* NULL: no rows on the host */
    const void *data;               /* data for its functions: sizes, names of variants */
    double published;               /* figure of the source that the case reproduces, in `unit`; 0: none */
    const char *published_on;       /* hardware of that figure */
    bool large; /* the case takes minutes on a CPU, and is left out there unless its full name is given */
    /* Adds power and energy, as `energy` of struct bench_options does. A device whose power is not known is
     * left out. */
    bool energy;
    bool all_threads; /* on the host: one row with all threads, without a row with a single thread */
    /* In place of `device` and `host`, for a case that takes its samples itself and makes several rows. The
     * function gets a bench without a queue. */
    enum shoal_status (*measure)(struct bench *bench, struct bench_sink *sink, struct shoal_error *error);
};

/* A row that `measure` makes. */
struct bench_figure {
    const char *suffix;  /* appended to the name of the case: "", "-raw" */
    const char *variant; /* "cl", "cu", ... */
    const char *unit;
    bool higher_is_better;
    const double *samples;
    size_t sample_count;
    double build_s, first_launch_s, wall_s;
    struct bench_check check; /* check of the figure; a figure whose check did not pass is not kept */
    const struct result_figure *figures; /* further figures of the row, [figure_count] */
    size_t figure_count;
};
void bench_emit(struct bench_sink *sink, const struct bench_figure *figure);

struct bench_case_list {
    const struct bench_case *cases;
    size_t count;
};

/* Seconds of a monotonic clock. */
double bench_seconds(void);
/* Contract of a kernel program by its name; NULL: there is none. */
const struct shoal_program_desc *bench_program(const char *name);

/* Defined in cases.c: the lists of each folder, each ended by NULL, in the order of the output. */
extern const struct bench_case_list *const *const bench_folders[];
size_t bench_case_count(void);
const struct bench_case *bench_case_at(size_t index);
/* Whether a name matches a shell pattern; pattern NULL matches all names. A pattern without a special
 * character also matches names that begin with it, up to a dot: "lib" matches "lib.sum". */
bool bench_matches(const char *pattern, const char *name);

/* Defined in second.c. bench_devices_alike: all devices of the driver and the name of this device, for a part
 * all parts of its division, this device included. SHOAL_UNSUPPORTED: there is no other. The caller frees
 * *devices, which is set after a failure, too. */
enum shoal_status bench_devices_alike(const struct bench *bench, struct shoal_device ***devices,
                                      size_t *count, struct shoal_error *error);
/* For cases of two devices. Finds another device of the same driver and name, for a part
 * another part of its division. SHOAL_UNSUPPORTED: there is none. */
enum shoal_status bench_second_device(const struct bench *bench, struct shoal_device **second,
                                      struct shoal_error *error);

/* Defined in run.c. */
struct bench_options {
    /* Which texts are measured. AUTO on CUDA: the native text where there is one, and the .cl text beside
     * it. */
    enum shoal_variant variant;
    /* only one row: no second row beside a native text, and on the host only all threads */
    bool one_row;
    bool large;     /* measure large cases on CPUs too */
    double seconds; /* seconds for the samples of a row */
    /* adds mean power, power at rest, and work for each joule, by further repetitions of 5 s; where the power
     * is not known, the note of the row has the reason */
    bool energy;
    /* asked between samples: true ends the case with SHOAL_STOPPED. NULL: never stopped */
    bool (*stop)(void *data);
    void *stop_data;
};

/* Receives each finished row, which is in `results` already. With `row` NULL it receives a case without a row
 * on this device, and the reason in `error` (SHOAL_UNSUPPORTED, SHOAL_OUT_OF_DEVICE_MEMORY: the case was left
 * out; other errors: the case failed). */
typedef void (*bench_row_fn)(void *data, const struct bench_case *bench_case, struct shoal_device *device,
                             const struct result_row *row, const struct shoal_error *error);

/* Runs one case on one device and adds its rows to `results`, which must hold the device (for the roofs).
 * Returns SHOAL_OK, or the first failure; SHOAL_CHECK_FAILED where a check did not pass. */
enum shoal_status bench_case_run(const struct bench_case *bench_case, struct shoal *shoal,
                                 struct shoal_device *device, const struct bench_options *options,
                                 struct results *results, bench_row_fn row_fn, void *row_data);

#endif
