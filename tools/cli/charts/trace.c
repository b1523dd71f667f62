#include "cli/charts/trace.h"

#include "cli/charts/chart.h"

#include <stdlib.h>
#include <string.h>

static const struct shoal_sampling *sampling_of(const struct trace_rows *traces)
{
    return traces->rows[0].workload->sampling;
}

static struct sample_form form_of(const struct trace_rows *traces, enum sample_format format)
{
    return (struct sample_form){format, sampling_of(traces), traces->params, NULL};
}

static struct chart_curve curve_of(const struct trace_rows *traces, const struct cli_row *row)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    const struct samples *samples = &row->samples_kept;
    const struct sample_form form = form_of(traces, SAMPLE_CSV);
    static const char *const ends[CHART_BANDS][2] = {{"q05", "q95"}, {"q25", "q75"}};
    struct chart_curve curve = {.x = samples->values[0], .y = samples->values[1], .count = samples->count};
    for (size_t b = 0; b < CHART_BANDS; b++) {
        curve.low[b] = samples_column(samples, &form, ends[b][0]);
        curve.high[b] = samples_column(samples, &form, ends[b][1]);
    }
    char *label = cli_sprintf("%s (%s) %s%s", info->id, cli_row_variant(row).s, info->name,
                              curve.low[0] ? ": median of the runs, quartiles, and 5 to 95 %" : "");
    curve.label = cli_keep(label);
    free(label);
    return curve;
}

int trace_plot(const struct trace_rows *traces, const char *option, const char *path)
{
    const struct shoal_result *first = cli_first_result(traces->rows, traces->count);
    char *title = traces->count == 1 ? cli_row_title(&traces->rows[0])
                                     : cli_sprintf("shoal %s%s%s", traces->rows[0].workload->name,
                                                   first && first->title ? ": " : "",
                                                   first && first->title ? first->title : "");
    char *subtitle = cli_run_line(traces->rows[0].workload, traces->params, traces->rows, traces->count);
    struct chart_curve *curves = cli_alloc(traces->count * sizeof *curves);
    struct chart chart = {.title = title,
                          .subtitle = subtitle,
                          .across = "step",
                          .up = first ? first->value_name : "",
                          .is_tight = true,
                          .may_be_logarithmic = true,
                          .curves = curves};
    for (size_t r = 0; r < traces->count; r++)
        if (traces->rows[r].samples_kept.count)
            curves[chart.count++] = curve_of(traces, &traces->rows[r]);
    int code = chart_write(option, path, &chart);
    free(curves);
    free(subtitle);
    free(title);
    return code;
}
