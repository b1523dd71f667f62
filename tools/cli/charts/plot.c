/* The chart of shoal WORKLOAD --plot: one SVG file without scripts, for light and dark pages. */
#include "cli/charts/chart.h"
#include "cli/charts/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plot {
    FILE *out;
    struct chart_scale x, y;
    uint64_t interval;
};

/* Ends of the values of all curves. */
struct ends {
    double least, most, least_positive;
    uint64_t steps;
};

static void take_ends(struct ends *ends, const struct shoal_field *field, uint64_t interval)
{
    for (size_t i = 0; field && i < field->count; i++) {
        double value = field->reals[i];
        if (!isfinite(value))
            continue;
        ends->least = fmin(ends->least, value);
        ends->most = fmax(ends->most, value);
        if (value > 0)
            ends->least_positive = fmin(ends->least_positive, value);
    }
    if (field && field->count && (field->count - 1) * interval > ends->steps)
        ends->steps = (field->count - 1) * interval;
}

static void point(const struct plot *plot, char *command, size_t entry, double value)
{
    fprintf(plot->out, "%c%.1f %.1f", *command, chart_place(&plot->x, (double)(entry * plot->interval)),
            chart_place(&plot->y, value));
    *command = 'L';
}

static void curve(const struct plot *plot, const struct shoal_field *field, size_t colour)
{
    char command = 'M';
    fprintf(plot->out, "<path class=\"curve line%zu\" d=\"", colour);
    for (size_t i = 0; i < field->count; i = chart_next_point(i, field->count)) {
        if (isfinite(field->reals[i]))
            point(plot, &command, i, field->reals[i]);
        else
            command = 'M';
    }
    fputs("\"/>\n", plot->out);
}

/* Between two quantiles; from the first entry at which both are known. */
static void band(const struct plot *plot, const struct shoal_field *low, const struct shoal_field *high,
                 size_t colour)
{
    if (!low || !high)
        return;
    size_t *entries = cli_alloc((CHART_MOST_POINTS + 2) * sizeof *entries), count = 0;
    for (size_t i = 0; i < low->count; i = chart_next_point(i, low->count))
        if (isfinite(low->reals[i]) && isfinite(high->reals[i]))
            entries[count++] = i;
    char command = 'M';
    fprintf(plot->out, "<path class=\"band fill%zu\" d=\"", colour);
    for (size_t i = 0; i < count; i++)
        point(plot, &command, entries[i], low->reals[entries[i]]);
    for (size_t i = count; i-- > 0;)
        point(plot, &command, entries[i], high->reals[entries[i]]);
    fputs(count ? "Z\"/>\n" : "\"/>\n", plot->out);
    free(entries);
}

static void legend(const struct plot *plot, const struct cli_row *row, size_t colour, size_t line, bool bands)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    char *text = cli_sprintf("%s (%s) %s%s", info->id, cli_row_variant(row).s, info->name,
                             bands ? ": median of the runs, quartiles, and 5 to 95 %" : "");
    chart_key(plot->out, text, colour, line);
    free(text);
}

/* False: no row has a finite value. */
static bool scales(struct plot *plot, const struct trace_rows *traces)
{
    static const char *const ends_of[] = {"trace", "trace_q05", "trace_q95"};
    struct ends ends = {.least = INFINITY, .most = -INFINITY, .least_positive = INFINITY};
    for (size_t r = 0; r < traces->count; r++)
        for (size_t i = 0; i < sizeof ends_of / sizeof *ends_of; i++)
            take_ends(&ends, trace_field(&traces->rows[r], ends_of[i]), traces->interval);
    if (!isfinite(ends.least))
        return false;
    bool logarithmic = ends.least >= 0 && ends.most > 10 * ends.least_positive;
    plot->x = chart_scale_over(0, fmax((double)ends.steps, 1), false, CHART_LEFT, CHART_RIGHT);
    plot->x.high = fmax((double)ends.steps, 1);
    plot->y = chart_scale_over(logarithmic ? ends.least_positive : ends.least, ends.most, logarithmic,
                               CHART_BOTTOM, CHART_TOP);
    return true;
}

char *trace_svg(const struct trace_rows *traces, const char *title, size_t *bytes)
{
    char *text = NULL;
    struct plot plot = {.out = open_memstream(&text, bytes), .interval = traces->interval};
    if (!plot.out)
        return NULL;
    chart_begin(plot.out, title, traces->count);
    bool any = scales(&plot, traces);
    for (size_t r = 0, line = 0; any && r < traces->count; r++) {
        const struct cli_row *row = &traces->rows[r];
        const struct shoal_field *trace = trace_field(row, "trace");
        if (!trace)
            continue;
        if (line == 0)
            chart_axes(plot.out, &plot.x, &plot.y, "step", row->result.value_name);
        band(&plot, trace_field(row, "trace_q05"), trace_field(row, "trace_q95"), line % CHART_COLOURS);
        band(&plot, trace_field(row, "trace_q25"), trace_field(row, "trace_q75"), line % CHART_COLOURS);
        curve(&plot, trace, line % CHART_COLOURS);
        legend(&plot, row, line % CHART_COLOURS, line, trace_field(row, "trace_q05") != NULL);
        line++;
    }
    if (!any)
        chart_nothing(plot.out);
    fputs("</svg>\n", plot.out);
    if (fclose(plot.out) == 0)
        return text;
    free(text);
    return NULL;
}
