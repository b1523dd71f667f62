#include "bench/split/split.h"

#include <math.h>
#include <shoal/search.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 3, LEAST_STEPS = 1, MOST_STEPS = 1 << 30 };

/* What a run of a case has measured. */
struct measured {
    double seconds, work; /* wall time of the steps, and their work */
    double rate;          /* work in a second behind the first quarter of the steps */
    double waited_s;      /* the longest time in which a device waited for the others */
    double moves;         /* number of times that units moved */
    double slowest;       /* the time in which the slowest device worked, over the mean of all devices */
    char unit[40];        /* of the rate */
    struct bench_check check;
};

/* One row in progress. */
struct comparison {
    const struct split_bench *split;
    struct bench *bench;
    struct shoal_device **devices;
    size_t count;
    void *params;                      /* of the run */
    void *last;                        /* of the last device; not used where all devices have the run's */
    const void **device_params;        /* [count] */
    struct shoal_objective *objective; /* objective of a search; NULL: the parameters name it */
    uint64_t *steps;                   /* [count], of each device alone */
    /* Runs of the first quarter of the steps: [count] of each device alone, then of all devices. Their time
     * has all that a run does once: initial state, first launches and copies, moves, samples at both ends. */
    struct measured *quarters;
};

static void take_parts(const struct shoal_solver *solver, struct measured *out)
{
    const size_t count = shoal_part_count(solver);
    struct shoal_error error;
    double busy_s = 0, longest_s = 0;
    for (size_t k = 0; k < count; k++) {
        struct shoal_part part = {.size = sizeof part};
        if (shoal_part_get(solver, k, &part, &error) == SHOAL_OK) {
            busy_s += part.busy_s;
            longest_s = fmax(longest_s, part.busy_s);
            out->waited_s = fmax(out->waited_s, part.waited_s);
            out->moves = fmax(out->moves, (double)part.moves);
        }
    }
    out->slowest = busy_s > 0 ? longest_s * (double)count / busy_s : NAN;
}

enum shoal_status split_run(const struct bench *bench, const char *workload,
                            const struct shoal_split_params *split, const void *params,
                            struct shoal_report *report, struct shoal_error *error)
{
    const struct shoal_workload *of = shoal_workload_find(workload);
    struct shoal_run_params run;
    shoal_run_params_init(&run);
    run.variant = bench->variant;
    return split->count > 1 ? shoal_run_split(of, split, params, &run, report, error)
                            : shoal_run(of, split->devices[0], params, &run, report, error);
}

static void set_params(const struct comparison *c, void *params, size_t count, uint64_t steps)
{
    shoal_workload_find(c->split->workload)->params_init(params);
    c->split->set(params, count, steps);
    if (c->objective)
        ((struct shoal_search_params *)params)->objective = c->objective;
}

/* Makes the run of `count` devices from number `first` on, one device alone or all. */
static enum shoal_status make_run(const struct comparison *c, size_t first, size_t count, uint64_t steps,
                                  struct measured *out, struct shoal_error *error)
{
    struct shoal_report report = {.size = sizeof report};
    struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = c->devices + first, .count = count);
    const bool has_own = c->split->set_last && first + count == c->count;
    set_params(c, c->params, count, steps);
    if (has_own && count == 1) {
        c->split->set_last(c->params);
    } else if (has_own) {
        set_params(c, c->last, count, steps);
        c->split->set_last(c->last);
        c->device_params[c->count - 1] = c->last;
        split.device_params = c->device_params;
    }
    const enum shoal_status status =
        split_run(c->bench, c->split->workload, &split, c->params, &report, error);
    if (status == SHOAL_OK || (status == SHOAL_CHECK_FAILED && report.solver)) {
        *out = (struct measured){.seconds = report.wall_s,
                                 .work = report.timed_work,
                                 .rate = report.timed_work / report.wall_s,
                                 .check = {report.result.check_passed, report.result.error, ""}};
        snprintf(out->unit, sizeof out->unit, "%s/s", report.result.work_unit);
        snprintf(out->check.detail, sizeof out->check.detail, "%.90s", report.result.check_failure);
        take_parts(report.solver, out);
    }
    shoal_report_clear(&report);
    return status == SHOAL_CHECK_FAILED && out->rate > 0 ? SHOAL_OK : status;
}

static size_t quarter_of(const struct comparison *c, size_t first, size_t count)
{
    return count > 1 ? c->count : first;
}

static enum shoal_status make_quarters(const struct comparison *c, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k <= c->count && status == SHOAL_OK; k++) {
        const size_t first = k < c->count ? k : 0, count = k < c->count ? 1 : c->count;
        status = c->steps[first] / 4 ? make_run(c, first, count, c->steps[first] / 4, &c->quarters[k], error)
                                     : SHOAL_OK;
    }
    return status;
}

/* Makes the run, and measures its rate behind the first quarter. */
static enum shoal_status measure_run(const struct comparison *c, size_t first, size_t count,
                                     struct measured *out, struct shoal_error *error)
{
    const struct measured *quarter = &c->quarters[quarter_of(c, first, count)];
    const enum shoal_status status = make_run(c, first, count, c->steps[first], out, error);
    if (status == SHOAL_OK && out->seconds > quarter->seconds)
        out->rate = (out->work - quarter->work) / (out->seconds - quarter->seconds);
    return status;
}

/* Sets the steps with which device number `k` alone takes about the seconds of the bench. */
static enum shoal_status choose_steps(struct comparison *c, size_t k, struct shoal_error *error)
{
    const double aim = c->bench->seconds;
    struct measured run;
    enum shoal_status status = SHOAL_OK;
    for (c->steps[k] = LEAST_STEPS; status == SHOAL_OK;) {
        status = make_run(c, k, 1, c->steps[k], &run, error);
        if (status != SHOAL_OK || run.seconds >= 0.5 * aim)
            break;
        const double more = fmin(aim / fmax(run.seconds, 1e-6), 64);
        const double steps = fmin((double)c->steps[k] * more, MOST_STEPS);
        if (steps <= (double)c->steps[k])
            break;
        c->steps[k] = (uint64_t)steps;
    }
    return status;
}

/* Devices of a kind have the steps of the first device. The first device is the fastest of unlike devices,
 * and the divided run has its steps. */
static enum shoal_status choose_all_steps(struct comparison *c, struct shoal_error *error)
{
    const bool are_alike = !c->split->choose_devices && !c->split->set_last;
    enum shoal_status status = choose_steps(c, 0, error);
    for (size_t k = 1; k < c->count && status == SHOAL_OK; k++) {
        c->steps[k] = c->steps[0];
        if (!are_alike)
            status = choose_steps(c, k, error);
    }
    return status;
}

/* Takes a sample: each device alone, then all devices. *best: the fastest device alone; *sum: of the rates of
 * all devices alone. */
static enum shoal_status take_sample(const struct comparison *c, struct measured *best, double *sum,
                                     struct measured *all, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *best = (struct measured){.rate = 0};
    *sum = 0;
    for (size_t k = 0; k < c->count && status == SHOAL_OK; k++) {
        struct measured one = {.rate = 0};
        status = measure_run(c, k, 1, &one, error);
        *sum += one.rate;
        if (one.rate > best->rate)
            *best = one;
    }
    *all = (struct measured){.rate = 0};
    return status == SHOAL_OK ? measure_run(c, 0, c->count, all, error) : status;
}

struct bench_figure split_figure(const struct bench *bench, const double *ratios, size_t count)
{
    return (struct bench_figure){.suffix = "",
                                 .variant = bench->variant == SHOAL_VARIANT_CU ? "cu" : "cl",
                                 .unit = "ratio",
                                 .higher_is_better = true,
                                 .samples = ratios,
                                 .sample_count = count,
                                 .build_s = NAN,
                                 .first_launch_s = NAN,
                                 .wall_s = NAN,
                                 .figures = bench->figures,
                                 .figure_count = bench->figure_count};
}

static enum shoal_status compare(const struct comparison *c, struct bench_sink *sink,
                                 struct shoal_error *error)
{
    struct measured one = {.rate = 0}, all = {.rate = 0};
    double ratios[SAMPLES], sum = 0;
    bool have_passed = true;
    for (int i = 0; i < SAMPLES; i++) {
        const enum shoal_status status = take_sample(c, &one, &sum, &all, error);
        if (status != SHOAL_OK)
            return status;
        ratios[i] = all.rate / one.rate;
        have_passed = have_passed && one.check.passed && all.check.passed;
    }
    /* The further figures are those of the last sample. */
    bench_add_figure(c->bench, "devices", "", (double)c->count);
    bench_add_figure(c->bench, "rate", all.unit, all.rate);
    bench_add_figure(c->bench, "rate of one", one.unit, one.rate);
    bench_add_figure(c->bench, "share of the sum", "", all.rate / sum);
    bench_add_figure(c->bench, "seconds", "s", all.seconds);
    bench_add_figure(c->bench, "seconds of one", "s", one.seconds);
    bench_add_figure(c->bench, "seconds beside the steps", "s", all.seconds - all.work / all.rate);
    bench_add_figure(c->bench, "waited", "s", all.waited_s);
    bench_add_figure(c->bench, "moves", "", all.moves);
    bench_add_figure(c->bench, "slowest of mean", "", all.slowest);
    struct bench_figure figure = split_figure(c->bench, ratios, SAMPLES);
    figure.wall_s = all.seconds;
    figure.check = all.check.passed ? one.check : all.check;
    figure.check.passed = have_passed;
    bench_emit(sink, &figure);
    return SHOAL_OK;
}

static enum shoal_status create(struct comparison *c, struct shoal_error *error)
{
    const struct split_bench *split = c->split;
    enum shoal_status status = (split->choose_devices ? split->choose_devices : split_devices)(
        c->bench, &c->devices, &c->count, error);
    if (status != SHOAL_OK)
        return status;
    const size_t bytes = shoal_workload_find(split->workload)->params_size;
    c->params = malloc(bytes);
    c->last = malloc(bytes);
    c->device_params = calloc(c->count, sizeof *c->device_params);
    c->steps = calloc(c->count, sizeof *c->steps);
    c->quarters = calloc(c->count + 1, sizeof *c->quarters);
    if (!c->params || !c->last || !c->device_params || !c->steps || !c->quarters)
        return bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "out of memory");
    return split->make_objective ? split->make_objective(&c->objective, error) : SHOAL_OK;
}

enum shoal_status split_measure(struct bench *bench, struct bench_sink *sink, const struct split_bench *split,
                                struct shoal_error *error)
{
    struct comparison c = {.split = split, .bench = bench};
    enum shoal_status status = create(&c, error);
    if (status == SHOAL_OK)
        status = choose_all_steps(&c, error);
    if (status == SHOAL_OK)
        status = make_quarters(&c, error);
    if (status == SHOAL_OK)
        status = compare(&c, sink, error);
    shoal_objective_destroy(&c.objective);
    free(c.params);
    free(c.last);
    free((void *)c.device_params);
    free(c.steps);
    free(c.quarters);
    free((void *)c.devices);
    return status;
}
