#include "bench/split/split.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/search.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* LEAST_SAMPLES: number of samples of a bench without time, whose figures are not compared. CHUNKS: number of
 * parts of a run's steps; the first and the last part are not in the rate, so that three steps are the least.
 */
enum { SAMPLES = 3, LEAST_SAMPLES = 2, CHUNKS = 8, LEAST_STEPS = 3, MOST_STEPS = 1 << 30 };

/* What a run of a case has measured. */
struct measured {
    double seconds, work; /* wall time of the steps, and their work */
    double rate;          /* work in a second, without the first and the last steps */
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
    uint64_t all_steps;                /* of the run of all devices */
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

static void note_progress(void *data, const struct shoal_progress *progress)
{
    struct split_watch *watch = data;
    if (progress->phase || progress->done < watch->chunk || progress->done >= progress->total)
        return;
    if (!watch->first) {
        watch->first = progress->done;
        watch->begin_s = progress->seconds;
    }
    watch->last = progress->done;
    watch->end_s = progress->seconds;
}

enum shoal_status split_run(const struct bench *bench, const char *workload,
                            const struct shoal_split_params *split, const void *params,
                            struct split_watch *watch, struct shoal_report *report, struct shoal_error *error)
{
    const struct shoal_workload *of = shoal_workload_find(workload);
    const struct shoal_run_params run =
        SHOAL_RUN_PARAMS(.variant = bench->variant, .chunk = watch ? watch->chunk : 0,
                         .progress = watch ? note_progress : NULL, .data = watch, .value_every = INFINITY);
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

/* A hash of all numbers of the state. */
static enum shoal_status hash_state(struct shoal_solver *solver, uint64_t *hash, struct shoal_error *error)
{
    size_t count = 0;
    enum shoal_status status = shoal_solver_state(solver, NULL, 0, &count, error);
    if (status != SHOAL_OK)
        return status;
    double *values = malloc(count * sizeof *values);
    status = values ? shoal_solver_state(solver, values, count, &count, error)
                    : bench_fail(error, SHOAL_OUT_OF_HOST_MEMORY, "no memory for %zu numbers", count);
    if (status == SHOAL_OK)
        *hash = XXH3_64bits(values, count * sizeof *values);
    free(values);
    return status;
}

/* A hash of the state to which `steps` steps of the run of all devices lead, made by the first `count` of
 * them. */
static enum shoal_status hash_run(const struct comparison *c, size_t count, uint64_t steps, uint64_t *hash,
                                  struct shoal_error *error)
{
    struct shoal_report report = {.size = sizeof report};
    const struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = c->devices, .count = count);
    set_params(c, c->params, c->count, steps);
    enum shoal_status status =
        split_run(c->bench, c->split->workload, &split, c->params, NULL, &report, error);
    if (status == SHOAL_CHECK_FAILED && report.solver)
        status = SHOAL_OK;
    if (status == SHOAL_OK)
        status = hash_state(report.solver, hash, error);
    shoal_report_clear(&report);
    return status;
}

/* The rate of the steps that were watched: all that a run does once, before the steps or after the last of
 * them, is not in their time. */
static double rate_of(const struct shoal_report *report, const struct split_watch *watch, uint64_t steps)
{
    return watch->last > watch->first ? report->timed_work * (double)(watch->last - watch->first) /
                                            ((double)steps * (watch->end_s - watch->begin_s))
                                      : report->timed_work / report->wall_s;
}

/* Makes the run of `count` devices from number `first` on, one device alone or all. */
static enum shoal_status make_run(const struct comparison *c, size_t first, size_t count, uint64_t steps,
                                  struct measured *out, struct shoal_error *error)
{
    struct shoal_report report = {.size = sizeof report};
    struct shoal_split_params split = SHOAL_SPLIT_PARAMS(.devices = c->devices + first, .count = count);
    struct split_watch watch = {.chunk = steps / CHUNKS ? steps / CHUNKS : 1};
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
        split_run(c->bench, c->split->workload, &split, c->params, &watch, &report, error);
    if (status == SHOAL_OK || (status == SHOAL_CHECK_FAILED && report.solver)) {
        *out = (struct measured){.seconds = report.wall_s,
                                 .work = report.timed_work,
                                 .rate = rate_of(&report, &watch, steps),
                                 .check = {report.result.check_passed, report.result.error, ""}};
        snprintf(out->unit, sizeof out->unit, "%s/s", report.result.work_unit);
        snprintf(out->check.detail, sizeof out->check.detail, "%.90s", report.result.check_failure);
        take_parts(report.solver, out);
    }
    shoal_report_clear(&report);
    return status == SHOAL_CHECK_FAILED && out->rate > 0 ? SHOAL_OK : status;
}

/* Sets the steps that device number `k` alone makes in about the seconds of the bench. What a run does once
 * may take longer than all of its steps, so the time of a step follows from its rate. */
static enum shoal_status choose_steps(struct comparison *c, size_t k, struct shoal_error *error)
{
    const double aim = c->bench->seconds;
    struct measured run = {.rate = 1};
    enum shoal_status status = SHOAL_OK;
    double seconds = 0, more = 1;
    c->steps[k] = LEAST_STEPS;
    while (status == SHOAL_OK && seconds < aim / 4 && c->steps[k] < MOST_STEPS) {
        c->steps[k] = (uint64_t)fmin(fmax((double)c->steps[k] * more, LEAST_STEPS), MOST_STEPS);
        status = make_run(c, k, 1, c->steps[k], &run, error);
        seconds = run.work / run.rate;
        more = fmin(aim / seconds, 64);
    }
    c->steps[k] = (uint64_t)fmin(fmax((double)c->steps[k] * more, LEAST_STEPS), MOST_STEPS);
    return status;
}

static bool are_alike(const struct comparison *c)
{
    return !c->split->choose_devices && !c->split->set_last;
}

/* Devices of a kind have the steps of the first device. The first device is the fastest of unlike devices,
 * and the divided run has its steps. */
static enum shoal_status choose_all_steps(struct comparison *c, struct shoal_error *error)
{
    enum shoal_status status = choose_steps(c, 0, error);
    for (size_t k = 1; k < c->count && status == SHOAL_OK; k++) {
        c->steps[k] = c->steps[0];
        if (!are_alike(c))
            status = choose_steps(c, k, error);
    }
    return status;
}

/* Where devices share the work of one, they make more steps in the same time. The end of a run of a few
 * tenths of a second would be too large a part of the time. */
static enum shoal_status choose_steps_of_all(struct comparison *c, double rate_of_one,
                                             struct shoal_error *error)
{
    struct measured all = {.rate = 1};
    c->all_steps = c->steps[0];
    if (!(c->bench->seconds > 0))
        return SHOAL_OK;
    const enum shoal_status status = make_run(c, 0, c->count, c->all_steps, &all, error);
    if (status == SHOAL_OK) {
        const double more = c->bench->seconds * fmax(all.rate, rate_of_one) / all.work;
        c->all_steps = (uint64_t)(fmin(fmax(more, 1), (double)c->count) * (double)c->all_steps);
    }
    return status;
}

/* Devices of a kind together must have the bits of one of them, after a quarter of the steps. */
static enum shoal_status compare_bits(const struct comparison *c, struct bench_check *check,
                                      struct shoal_error *error)
{
    const uint64_t steps = c->steps[0] > 4 ? c->steps[0] / 4 : 1;
    uint64_t one = 0, all = 0;
    enum shoal_status status = hash_run(c, 1, steps, &one, error);
    if (status == SHOAL_OK)
        status = hash_run(c, c->count, steps, &all, error);
    if (status == SHOAL_OK && one != all) {
        check->passed = false;
        snprintf(check->detail, sizeof check->detail,
                 "%zu devices and one have other bits after %" PRIu64 " steps", c->count, steps);
    }
    return status;
}

/* Measures each device alone. *best: the number of the fastest; *sum: of all rates; *one: of the fastest. */
static enum shoal_status measure_each(const struct comparison *c, size_t *best, double *sum,
                                      struct measured *one, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    *one = (struct measured){.rate = 0};
    *sum = 0;
    for (size_t k = 0; k < c->count && status == SHOAL_OK; k++) {
        struct measured alone = {.rate = 0};
        status = make_run(c, k, 1, c->steps[k], &alone, error);
        *sum += alone.rate;
        if (alone.rate > one->rate) {
            *one = alone;
            *best = k;
        }
    }
    return status;
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

static enum shoal_status compare(struct comparison *c, struct bench_sink *sink, struct shoal_error *error)
{
    struct measured one = {.rate = 0}, all = {.rate = 0};
    double ratios[SAMPLES], sum = 0;
    const size_t samples = c->bench->seconds > 0 ? SAMPLES : LEAST_SAMPLES;
    size_t best = 0;
    struct bench_check bits = {.passed = true};
    bool have_passed = true;
    enum shoal_status status = are_alike(c) ? compare_bits(c, &bits, error) : SHOAL_OK;
    if (status == SHOAL_OK)
        status = measure_each(c, &best, &sum, &one, error);
    if (status == SHOAL_OK)
        status = choose_steps_of_all(c, one.rate, error);
    for (size_t i = 0; i < samples && status == SHOAL_OK; i++) {
        if (i > 0)
            status = make_run(c, best, 1, c->steps[best], &one, error);
        if (status == SHOAL_OK)
            status = make_run(c, 0, c->count, c->all_steps, &all, error);
        ratios[i] = all.rate / one.rate;
        have_passed = have_passed && one.check.passed && all.check.passed;
    }
    if (status != SHOAL_OK)
        return status;
    /* The further figures are those of the last sample; all devices were measured alone before the first. */
    bench_add_figure(c->bench, "devices", "", (double)c->count);
    bench_add_figure(c->bench, "rate", all.unit, all.rate);
    bench_add_figure(c->bench, "rate of one", one.unit, one.rate);
    bench_add_figure(c->bench, "share of the sum", "", all.rate / sum);
    bench_add_figure(c->bench, "steps", "", (double)c->all_steps);
    bench_add_figure(c->bench, "steps of one", "", (double)c->steps[best]);
    bench_add_figure(c->bench, "seconds", "s", all.seconds);
    bench_add_figure(c->bench, "seconds of one", "s", one.seconds);
    bench_add_figure(c->bench, "seconds beside the steps", "s", all.seconds - all.work / all.rate);
    bench_add_figure(c->bench, "waited", "s", all.waited_s);
    bench_add_figure(c->bench, "moves", "", all.moves);
    bench_add_figure(c->bench, "slowest of mean", "", all.slowest);
    if (are_alike(c))
        bench_add_figure(c->bench, "same bits", "", bits.passed);
    struct bench_figure figure = split_figure(c->bench, ratios, samples);
    figure.wall_s = all.seconds;
    figure.check = !bits.passed ? bits : all.check.passed ? one.check : all.check;
    figure.check.passed = have_passed && bits.passed;
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
    if (!c->params || !c->last || !c->device_params || !c->steps)
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
        status = compare(&c, sink, error);
    shoal_objective_destroy(&c.objective);
    free(c.params);
    free(c.last);
    free((void *)c.device_params);
    free(c.steps);
    free((void *)c.devices);
    return status;
}
