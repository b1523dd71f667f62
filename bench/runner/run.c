/* The runner: takes one case on one device from its build to its rows. */
#include "bench/runner/bench.h"
#include "bench/runner/power/window.h"
#include "cli/output/stats.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WANTED_SAMPLES = 7, MOST_SAMPLES = 101 };
/* A sample must be long against the resolution of the clock, the wait at its end and a single disturbance. */
static const double sample_seconds = 0.02;

struct bench_sink {
    const struct bench_case *bench_case;
    struct shoal_device *device;
    struct results *results;
    bench_row_fn row_fn;
    void *row_data;
    enum shoal_status status; /* the first failure of a row */
};

/* Times of one repetition, sample by sample. */
struct samples {
    double device_s[MOST_SAMPLES], wall_s[MOST_SAMPLES];
    size_t count;
    uint64_t repeats; /* number of repetitions in a sample */
};

double bench_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

const struct shoal_program_desc *bench_program(const char *name)
{
    for (size_t i = 0; i < shoal_program_desc_count(); i++)
        if (strcmp(shoal_program_desc_at(i)->name, name) == 0)
            return shoal_program_desc_at(i);
    return NULL;
}

void bench_uses(struct bench *bench, const struct shoal_program *program)
{
    bench->build_s += shoal_program_build_seconds(program);
    bench->native = bench->native || shoal_program_is_native(program);
}

enum shoal_status bench_check_result(struct shoal_solver *solver, struct bench_check *check,
                                     struct shoal_error *error)
{
    struct shoal_result result = {0};
    const enum shoal_status status = shoal_solver_result(solver, &result, error);
    if (status != SHOAL_OK && status != SHOAL_CHECK_FAILED)
        return status;
    check->passed = status == SHOAL_OK && result.check_passed;
    check->error = result.error;
    if (!check->passed)
        snprintf(check->detail, sizeof check->detail, "%.80s", result.check_name);
    return SHOAL_OK;
}

void bench_set_roof_work(struct bench *bench, const struct shoal_result *result, double units)
{
    bench->roof_work = result->roof == bench->roof ? result->roof_work * units : 0;
}

void bench_add_figure(struct bench *bench, const char *name, const char *unit, double value)
{
    if (bench->figure_count == RESULT_FIGURES)
        return;
    struct result_figure *figure = &bench->figures[bench->figure_count++];
    snprintf(figure->name, sizeof figure->name, "%s", name);
    snprintf(figure->unit, sizeof figure->unit, "%s", unit);
    figure->value = value;
}

static void sink_fail(struct bench_sink *sink, const struct shoal_error *error)
{
    if (error->status != SHOAL_UNSUPPORTED && error->status != SHOAL_OUT_OF_DEVICE_MEMORY &&
        sink->status == SHOAL_OK)
        sink->status = error->status;
    sink->row_fn(sink->row_data, sink->bench_case, sink->device, NULL, error);
}

/* A row whose check failed is kept without its figures: the file says that there was one. */
static void sink_row(struct bench_sink *sink, struct result_row *row, const struct bench_check *check)
{
    struct shoal_error error;
    row->check = check->passed ? RESULT_PASSED : RESULT_FAILED;
    row->error = check->error;
    if (!check->passed) {
        row->value = row->min = row->max = row->spread = NAN;
        row->device_s = row->wall_s = row->build_s = row->first_launch_s = NAN;
        row->samples = 0;
        row->roof = row->share = 0;
        row->figure_count = 0;
    }
    if (results_add_row(sink->results, row, &error) != SHOAL_OK) {
        sink_fail(sink, &error);
        return;
    }
    const struct result_row *kept = &sink->results->rows[sink->results->row_count - 1];
    if (!check->passed) {
        bench_fail(&error, SHOAL_CHECK_FAILED, "%s: the result check failed%s%s", row->name,
                   *check->detail ? ": " : "", check->detail);
        if (sink->status == SHOAL_OK)
            sink->status = SHOAL_CHECK_FAILED;
    } else {
        memset(&error, 0, sizeof error);
    }
    sink->row_fn(sink->row_data, sink->bench_case, sink->device, kept, &error);
}

/* Sets `value` of the row and its share of the roof: work / time, or the time of one of the parts. */
static void set_roof(struct result_row *row, const struct bench_sink *sink, enum shoal_roof bound,
                     double roof_work, double work, double parts)
{
    const struct result_device *device =
        results_device(sink->results, shoal_device_get_info(sink->device)->id);
    double roof = device ? result_roof_value(&device->roofs, bound) : 0;
    row->bound = bound;
    if (!(roof > 0) || !(roof_work > 0))
        return;
    double seconds = bound == SHOAL_ROOF_LAUNCH ? roof_work * roof : roof_work / roof;
    row->roof = row->higher_is_better ? work / seconds : seconds / parts;
    row->share = row->higher_is_better ? row->value / row->roof : row->roof / row->value;
}

void bench_emit(struct bench_sink *sink, const struct bench_figure *figure)
{
    char name[128];
    struct result_row row = {.name = name,
                             .device = (char *)shoal_device_get_info(sink->device)->id,
                             .variant = (char *)figure->variant,
                             .precision = (char *)sink->bench_case->precision,
                             .unit = (char *)figure->unit,
                             .higher_is_better = figure->higher_is_better,
                             .wall_s = figure->wall_s,
                             .build_s = figure->build_s,
                             .first_launch_s = figure->first_launch_s};
    double sorted[MOST_SAMPLES];
    size_t count = figure->sample_count < MOST_SAMPLES ? figure->sample_count : MOST_SAMPLES;
    memcpy(sorted, figure->samples, count * sizeof *sorted);
    struct stats stats = stats_of(sorted, count);
    snprintf(name, sizeof name, "%s%s", sink->bench_case->name, figure->suffix);
    row.value = stats.median;
    row.min = stats.min;
    row.max = stats.max;
    row.spread = stats.spread;
    row.samples = stats.count;
    row.figure_count = figure->figure_count < RESULT_FIGURES ? figure->figure_count : RESULT_FIGURES;
    for (size_t i = 0; i < row.figure_count; i++)
        row.figures[i] = figure->figures[i];
    if (strcmp(figure->unit, "s") == 0)
        set_roof(&row, sink, sink->bench_case->roof, 1, 1, 1);
    sink_row(sink, &row, &figure->check);
}

static enum shoal_status wait(struct bench *bench, struct shoal_error *error)
{
    return bench->queue ? shoal_queue_finish(bench->queue, error) : SHOAL_OK;
}

/* Computes the times of one repetition from the times of `repeats` repetitions. */
static enum shoal_status sample(struct bench *bench, const struct bench_ops *ops, uint64_t repeats,
                                double *device_s, double *wall_s, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    double device = 0;
    if (ops->prepare) {
        status = ops->prepare(bench, error);
        if (status == SHOAL_OK)
            status = wait(bench, error);
    }
    double start = bench_seconds();
    if (status == SHOAL_OK && bench->queue)
        status = shoal_span_begin(bench->queue, error);
    for (uint64_t i = 0; status == SHOAL_OK && i < repeats; i++)
        status = ops->run(bench, error);
    if (status == SHOAL_OK && bench->queue)
        status = shoal_span_end(bench->queue, &device, error);
    double wall = bench_seconds() - start;
    *wall_s = wall / (double)repeats;
    *device_s = (bench->queue ? device : wall) / (double)repeats;
    return status;
}

enum shoal_status bench_stopped(const struct bench *bench, struct shoal_error *error)
{
    if (bench->stop && bench->stop(bench->stop_data))
        return bench_fail(error, SHOAL_STOPPED, "stopped");
    return SHOAL_OK;
}

static enum shoal_status take_samples(struct bench *bench, const struct bench_ops *ops,
                                      const struct bench_options *options, struct samples *samples,
                                      struct shoal_error *error)
{
    uint64_t repeats = 1;
    double device_s, wall_s, spent = 0;
    /* Calibration is also the warm-up. */
    for (;;) {
        enum shoal_status status = bench_stopped(bench, error);
        if (status == SHOAL_OK)
            status = sample(bench, ops, repeats, &device_s, &wall_s, error);
        if (status != SHOAL_OK)
            return status;
        if (ops->prepare || wall_s * (double)repeats >= sample_seconds)
            break;
        repeats *= 2;
    }
    samples->repeats = repeats;
    while (samples->count < MOST_SAMPLES) {
        bool enough_time = spent >= options->seconds;
        if (enough_time && samples->count >= WANTED_SAMPLES)
            break;
        /* Few samples are enough if they are long. */
        if (spent >= 2 * options->seconds && samples->count >= BENCH_LEAST_SAMPLES)
            break;
        enum shoal_status status = bench_stopped(bench, error);
        if (status == SHOAL_OK)
            status = sample(bench, ops, repeats, &device_s, &wall_s, error);
        if (status != SHOAL_OK)
            return status;
        spent += wall_s * (double)repeats;
        samples->device_s[samples->count] = device_s;
        samples->wall_s[samples->count++] = wall_s;
    }
    return SHOAL_OK;
}

/* Makes one repetition alone: takes its time and checks its result. */
static enum shoal_status first_launch(struct bench *bench, const struct bench_ops *ops, double *seconds,
                                      struct bench_check *check, struct shoal_error *error)
{
    double device_s;
    enum shoal_status status = sample(bench, ops, 1, &device_s, seconds, error);
    return status == SHOAL_OK ? ops->check(bench, check, error) : status;
}

static void make_row(struct result_row *row, const struct bench_case *bench_case, const struct bench *bench,
                     struct samples *samples)
{
    const double *seconds =
        bench_case->clock == BENCH_DEVICE_TIME || !bench->queue ? samples->device_s : samples->wall_s;
    double values[MOST_SAMPLES];
    for (size_t i = 0; i < samples->count; i++)
        values[i] = row->higher_is_better ? bench->work / seconds[i] : seconds[i] / bench->parts;
    struct stats stats = stats_of(values, samples->count);
    row->value = stats.median;
    row->min = stats.min;
    row->max = stats.max;
    row->spread = stats.spread;
    row->samples = stats.count;
    row->device_s = bench->queue ? stats_of(samples->device_s, samples->count).median : 0;
    row->wall_s = stats_of(samples->wall_s, samples->count).median;
    row->build_s = bench->build_s;
}

/* Work in a window of power. */
struct powered {
    struct bench *bench;
    const struct bench_ops *ops;
    uint64_t repeats, done; /* repetitions: of a sample, and so far */
};

static enum shoal_status work_in_window(void *data, struct shoal_error *error)
{
    struct powered *powered = data;
    double device_s, wall_s;
    enum shoal_status status = bench_stopped(powered->bench, error);
    if (status == SHOAL_OK)
        status = sample(powered->bench, powered->ops, powered->repeats, &device_s, &wall_s, error);
    powered->done += status == SHOAL_OK ? powered->repeats : 0;
    return status;
}

/* Adds the mean power of a window of repetitions, the power at rest, and what a joule yields:
 * "evaluations/J", or "J" of a repetition where the figure of the row is a time. Without a figure *note
 * receives the reason, which the caller frees. */
static enum shoal_status measure_power(struct bench *bench, const struct bench_ops *ops,
                                       const struct samples *samples, const struct result_row *row,
                                       char **note, struct shoal_error *error)
{
    struct powered powered = {bench, ops, samples->repeats, 0};
    const struct shoal_device_info *info = shoal_device_get_info(bench->device);
    struct power_figure power;
    const enum shoal_status status =
        power_measure((struct power_devices){&info, 1}, NULL, power_window_seconds, work_in_window, &powered,
                      &power, error);
    char unit[24];
    if (power.error.status != SHOAL_OK) {
        if (asprintf(note, "energy: -, %s", power.error.message) < 0)
            *note = NULL;
        return status;
    }
    const double joules = power.watts * power.seconds;
    bench_add_figure(bench, "mean power", "W", power.watts);
    bench_add_figure(bench, "power at rest", "W", power.idle_watts);
    if (!row->higher_is_better) {
        bench_add_figure(bench, "energy", "J", joules / ((double)powered.done * bench->parts));
    } else if (joules > 0) {
        snprintf(unit, sizeof unit, "%.*s/J", (int)strcspn(row->unit, "/"), row->unit);
        bench_add_figure(bench, "a joule", unit, bench->work * (double)powered.done / joules);
    }
    return SHOAL_OK;
}

/* Whether the power of the device is known. */
static enum shoal_status need_power(const struct shoal_device *device, struct shoal_error *error)
{
    struct power_window *window;
    double watts;
    const struct shoal_device_info *info = shoal_device_get_info(device);
    const enum shoal_status status =
        power_window_begin((struct power_devices){&info, 1}, NULL, &window, error);
    return status == SHOAL_OK ? power_window_end(&window, &watts, error) : status;
}

/* Builds, checks, measures and checks again. *native: a native kernel was used. */
static void run_row(struct bench_sink *sink, const struct bench_options *options, struct bench *bench,
                    const struct bench_ops *ops, bool all_threads, bool *native)
{
    const struct bench_case *bench_case = sink->bench_case;
    struct shoal_error error = {.status = SHOAL_OK};
    struct bench_check check = {.passed = false}, last = {.passed = false};
    char variant[16], name[128];
    struct result_row row = {.name = name,
                             .device = (char *)shoal_device_get_info(bench->device)->id,
                             .variant = variant,
                             .unit = (char *)bench_case->unit,
                             .higher_is_better = strcmp(bench_case->unit, "s") != 0,
                             .published = bench_case->published,
                             .published_on = (char *)bench_case->published_on};
    struct samples samples = {.count = 0};
    char *note = NULL;
    enum shoal_status status = bench_case->energy ? need_power(bench->device, &error) : SHOAL_OK;
    if (status == SHOAL_OK)
        status = ops->create(bench, &error);
    snprintf(name, sizeof name, "%s%s", bench_case->name, bench->suffix);
    row.precision = (char *)bench->precision;
    row.compiler = (char *)bench->compiler;
    *native = bench->native;
    if (bench->threads)
        snprintf(variant, sizeof variant, "t%u", bench->threads);
    else
        snprintf(variant, sizeof variant, "%s", bench->native ? "cu" : "cl");
    if (status == SHOAL_OK)
        status = first_launch(bench, ops, &row.first_launch_s, &check, &error);
    if (status == SHOAL_OK && check.passed)
        status = take_samples(bench, ops, options, &samples, &error);
    if (status == SHOAL_OK && check.passed)
        make_row(&row, bench_case, bench, &samples);
    if (status == SHOAL_OK && check.passed && (bench_case->energy || options->energy))
        status = measure_power(bench, ops, &samples, &row, &note, &error);
    if (status == SHOAL_OK && check.passed)
        status = ops->check(bench, &last, &error);
    if (status == SHOAL_OK) {
        if (check.passed && !last.passed)
            check = last;
        check.error = fmax(check.error, last.error);
        row.note = note;
        if (ops->figures && check.passed)
            ops->figures(
                bench, (bench_case->clock == BENCH_DEVICE_TIME && bench->queue ? row.device_s : row.wall_s) /
                           bench->parts);
        memcpy(row.figures, bench->figures, sizeof row.figures);
        row.figure_count = bench->figure_count;
        /* The roofs of the host are measured with all its threads. */
        if (bench->queue || all_threads)
            set_roof(&row, sink, bench_case->roof, bench->roof_work, bench->work, bench->parts);
        sink_row(sink, &row, &check);
    } else {
        error.status = status;
        sink_fail(sink, &error);
    }
    free(note);
    ops->destroy(bench);
}

static void run_on_host(struct bench_sink *sink, const struct bench_options *options,
                        const struct bench *base)
{
    int all = omp_get_max_threads(), counts[] = {1, all};
    for (size_t i = all == 1 || options->one_row || sink->bench_case->all_threads;
         i < sizeof counts / sizeof *counts; i++) {
        struct bench bench = *base;
        bool native;
        omp_set_num_threads(counts[i]);
        bench.threads = (uint32_t)counts[i];
        run_row(sink, options, &bench, sink->bench_case->host, counts[i] == all, &native);
        omp_set_num_threads(all);
        if (sink->status == SHOAL_STOPPED)
            return;
    }
}

static void run_on_device(struct bench_sink *sink, const struct bench_options *options,
                          const struct bench *base)
{
    struct shoal_error error;
    struct shoal_queue *queue = NULL;
    if (shoal_queue_create(base->device, SHOAL_QUEUE_PROFILING, &queue, &error) != SHOAL_OK) {
        sink_fail(sink, &error);
        return;
    }
    struct bench bench = *base;
    bool native = false;
    bench.queue = queue;
    run_row(sink, options, &bench, sink->bench_case->device, true, &native);
    /* Measures the .cl text on the same card, to show the gain of the native kernel. */
    if (options->variant == SHOAL_VARIANT_AUTO && native && !options->one_row &&
        sink->status != SHOAL_STOPPED) {
        bench = *base;
        bench.queue = queue;
        bench.variant = SHOAL_VARIANT_CL;
        run_row(sink, options, &bench, sink->bench_case->device, true, &native);
    }
    shoal_queue_destroy(&queue);
}

enum shoal_status bench_case_run(const struct bench_case *bench_case, struct shoal *shoal,
                                 struct shoal_device *device, const struct bench_options *options,
                                 struct results *results, bench_row_fn row_fn, void *row_data)
{
    struct bench_sink sink = {.bench_case = bench_case,
                              .device = device,
                              .results = results,
                              .row_fn = row_fn,
                              .row_data = row_data,
                              .status = SHOAL_OK};
    const struct bench base = {.shoal = shoal,
                               .device = device,
                               .variant = options->variant,
                               .roof = bench_case->roof,
                               .seconds = options->seconds,
                               .data = bench_case->data,
                               .stop = options->stop,
                               .stop_data = options->stop_data,
                               .precision = bench_case->precision,
                               .parts = 1};
    const struct shoal_device_info *info = shoal_device_get_info(device);
    bool host = info->is_host;
    if (bench_case->large && !options->large && (host ? bench_case->host != NULL : info->is_cpu)) {
        struct shoal_error error;
        bench_fail(&error, SHOAL_UNSUPPORTED, "large for a CPU: give the full name %s to measure it",
                   bench_case->name);
        sink_fail(&sink, &error);
    } else if (bench_case->measure && !host) {
        struct shoal_error error = {.status = SHOAL_OK};
        struct bench bench = base;
        error.status = bench_case->measure(&bench, &sink, &error);
        if (error.status != SHOAL_OK)
            sink_fail(&sink, &error);
    } else if (host && bench_case->host) {
        run_on_host(&sink, options, &base);
    } else if (!host && bench_case->device) {
        run_on_device(&sink, options, &base);
    }
    return sink.status;
}
