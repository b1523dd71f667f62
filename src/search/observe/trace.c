#include "search/observe/trace.h"

#include "base/error.h"
#include "workload/checkpoint/checkpoint.h"
#include "workload/steps/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples ------------------------------------------------------------------------------------------------ */

void search_trace_clear(struct search_trace *trace)
{
    free(trace->samples);
    free(trace->sorted);
    free(trace->columns);
    *trace = (struct search_trace){0};
}

uint64_t search_trace_wait(const struct search_problem *problem, uint64_t step)
{
    const uint64_t interval = problem->params->trace;
    return interval ? interval - step % interval : UINT64_MAX;
}

/* Keeps only the samples whose steps are multiples of twice the interval. */
static void thin(struct search_trace *trace)
{
    size_t kept = 0;
    trace->interval *= 2;
    for (size_t i = 0; i < trace->count; i++)
        if (trace->samples[i].step % trace->interval == 0)
            trace->samples[kept++] = trace->samples[i];
    trace->count = kept;
}

static enum shoal_status keep(struct search_trace *trace, const struct shoal_search_sample *sample,
                              struct shoal_error *error)
{
    if (trace->count == SEARCH_TRACE_MOST)
        thin(trace);
    if (sample->step % trace->interval != 0)
        return SHOAL_OK;
    if (trace->count == trace->room) {
        const size_t room = trace->room ? 2 * trace->room : 64;
        struct shoal_search_sample *samples = realloc(trace->samples, room * sizeof *samples);
        if (!samples)
            return fail_host_memory(error);
        trace->samples = samples;
        trace->room = room;
    }
    trace->samples[trace->count++] = *sample;
    return SHOAL_OK;
}

/* Adds the spread of the members' values to a sample; for several runs, its mean over the runs. */
static void add_spread(const struct search_problem *problem, const struct search_spread *spread,
                       struct shoal_search_sample *sample)
{
    double runs = 0, mean = 0, deviation = 0;
    for (size_t r = 0; r < problem->runs; r++) {
        if (!spread[r].count)
            continue;
        runs++;
        mean += (problem->sign * spread[r].mean - mean) / runs;
        deviation += (spread[r].deviation - deviation) / runs;
    }
    if (runs > 0) {
        sample->mean = mean;
        sample->deviation = deviation;
    }
}

/* Computes the sample of a step, and stores it. */
static enum shoal_status add(const struct search_problem *problem, struct search_trace *trace, uint64_t step,
                             const double *best, const struct search_spread *spread,
                             struct shoal_search_sample *out, struct shoal_error *error)
{
    const size_t runs = problem->runs;
    struct shoal_search_sample sample = {.step = step, .mean = NAN, .deviation = NAN};
    if (!trace->sorted)
        trace->sorted = malloc(runs * sizeof *trace->sorted);
    if (!trace->sorted)
        return fail_host_memory(error);
    if (!trace->interval)
        trace->interval = problem->params->trace;
    for (size_t r = 0; r < runs; r++)
        trace->sorted[r] = search_shown_value(problem, best[r]);
    search_sort(trace->sorted, runs);
    sample.value = search_quantile(trace->sorted, runs, 0.5);
    if (runs > 1) {
        sample.q05 = search_quantile(trace->sorted, runs, 0.05);
        sample.q25 = search_quantile(trace->sorted, runs, 0.25);
        sample.q75 = search_quantile(trace->sorted, runs, 0.75);
        sample.q95 = search_quantile(trace->sorted, runs, 0.95);
    }
    if (spread)
        add_spread(problem, spread, &sample);
    trace->next = step + 1;
    *out = sample;
    return keep(trace, &sample, error);
}

enum shoal_status search_trace_take(struct shoal_solver *solver, const struct search_problem *problem,
                                    struct search_trace *trace, uint64_t step, const double *best,
                                    const struct search_spread *spread, struct shoal_error *error)
{
    struct shoal_search_sample sample;
    if (step < trace->next)
        return SHOAL_OK;
    enum shoal_status status = add(problem, trace, step, best, spread, &sample, error);
    return status ? status : schedule_give(solver, &sample, error);
}

/* Results ------------------------------------------------------------------------------------------------ */

#define COLUMN(name, member)                                                                                 \
    {                                                                                                        \
        name, offsetof(struct shoal_search_sample, member)                                                   \
    }
static const struct {
    const char *name;
    size_t offset;
} columns[SEARCH_TRACE_COLUMNS] = {COLUMN("trace", value),
                                   COLUMN("trace_q05", q05),
                                   COLUMN("trace_q25", q25),
                                   COLUMN("trace_q75", q75),
                                   COLUMN("trace_q95", q95),
                                   COLUMN("trace_mean", mean),
                                   COLUMN("trace_deviation", deviation)};
enum { FIRST_QUANTILE = 1, FIRST_SPREAD = 5 };

static bool has_column(const struct search_problem *problem, size_t column)
{
    if (column >= FIRST_SPREAD)
        return problem->algorithm->has_population;
    return column < FIRST_QUANTILE || problem->runs > 1;
}

enum shoal_status search_trace_result(const struct search_problem *problem, struct search_trace *trace,
                                      struct shoal_result *result, struct shoal_error *error)
{
    if (!problem->params->trace)
        return SHOAL_OK;
    if (!trace->columns || trace->columns_count < trace->count) {
        double *rows = malloc(SEARCH_TRACE_COLUMNS * (trace->count + 1) * sizeof *rows);
        if (!rows)
            return fail_host_memory(error);
        free(trace->columns);
        trace->columns = rows;
        trace->columns_count = trace->count;
    }
    for (size_t c = 0; c < SEARCH_TRACE_COLUMNS; c++) {
        double *values = trace->columns + c * trace->count;
        if (!has_column(problem, c))
            continue;
        for (size_t i = 0; i < trace->count; i++)
            memcpy(&values[i], (const char *)&trace->samples[i] + columns[c].offset, sizeof *values);
        result_add_reals(result, columns[c].name, values, trace->count);
        /* Shows the columns only if the result has room for them. The progress lines of the run have already
         * shown the samples. */
        if (result->field_count <= SHOAL_RESULT_FIELDS)
            result->fields[result->field_count - 1].place = SHOAL_PLACE_NONE;
    }
    result_add_unshown(result, "trace_begin", trace->count ? (double)trace->samples[0].step : NAN);
    result_add_unshown(result, "trace_interval", trace->count ? (double)trace->interval : NAN);
    return SHOAL_OK;
}

/* Checkpoints -------------------------------------------------------------------------------------------- */

static const char samples_section[] = "samples", interval_section[] = "sampled", old_section[] = "trace";

bool search_trace_has(const char *section)
{
    return strcmp(section, samples_section) == 0 || strcmp(section, interval_section) == 0 ||
           strcmp(section, old_section) == 0;
}

void search_trace_save(const struct search_trace *trace, struct checkpoint *checkpoint)
{
    if (!trace->interval)
        return;
    checkpoint_add(checkpoint, interval_section, &trace->interval, sizeof trace->interval);
    checkpoint_add(checkpoint, samples_section, trace->samples, trace->count * sizeof *trace->samples);
}

/* Whether the steps of the samples are multiples of the interval, and at most `step`. The interval must be
 * the parameter times a power of two. */
static bool is_sound(const struct search_problem *problem, const struct search_trace *trace, uint64_t step)
{
    uint64_t interval = problem->params->trace;
    while (interval && interval < trace->interval)
        interval *= 2;
    if (!interval || interval != trace->interval)
        return false;
    for (size_t i = 0; i < trace->count; i++) {
        const uint64_t own = trace->samples[i].step;
        if (own % interval != 0 || own > step || (i && own != trace->samples[i - 1].step + interval))
            return false;
    }
    return true;
}

static enum shoal_status load_old(const struct search_problem *problem, struct search_trace *trace,
                                  uint64_t step, search_old_trace_fn old, const void *old_data,
                                  const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const struct checkpoint_section *in = checkpoint_find(checkpoint, old_section);
    const uint64_t interval = problem->params->trace;
    const uint64_t entries = interval && in && in->bytes ? step / interval + 1 : 0;
    const size_t row = entries ? in->bytes / (size_t)entries : 0;
    struct shoal_search_sample sample;
    double *best = malloc(problem->runs * sizeof *best);
    enum shoal_status status = best ? SHOAL_OK : fail_host_memory(error);
    if (!status && entries && (in->bytes % entries || row % problem->runs))
        status = checkpoint_damaged(checkpoint, error);
    for (uint64_t e = 0; e < entries && !status; e++) {
        bool is_sound = true;
        for (size_t r = 0; r < problem->runs; r++)
            is_sound =
                old(old_data, (const char *)in->data + e * row, row, e * interval, r, &best[r]) && is_sound;
        status = is_sound ? add(problem, trace, e * interval, best, NULL, &sample, error)
                          : checkpoint_damaged(checkpoint, error);
    }
    free(best);
    trace->next = step + 1;
    return status;
}

enum shoal_status search_trace_load(const struct search_problem *problem, struct search_trace *trace,
                                    uint64_t step, search_old_trace_fn old, const void *old_data,
                                    const struct checkpoint *checkpoint, struct shoal_error *error)
{
    const struct checkpoint_section *in = checkpoint_find(checkpoint, samples_section);
    search_trace_clear(trace);
    trace->next = step + 1;
    if (!in)
        return load_old(problem, trace, step, old, old_data, checkpoint, error);
    trace->count = trace->room = in->bytes / sizeof *trace->samples;
    if (in->bytes % sizeof *trace->samples || trace->count > SEARCH_TRACE_MOST)
        return checkpoint_damaged(checkpoint, error);
    trace->samples = malloc(in->bytes ? in->bytes : 1);
    if (!trace->samples)
        return fail_host_memory(error);
    memcpy(trace->samples, in->data, in->bytes);
    enum shoal_status status =
        checkpoint_get(checkpoint, interval_section, &trace->interval, sizeof trace->interval, error);
    return status || is_sound(problem, trace, step) ? status : checkpoint_damaged(checkpoint, error);
}
