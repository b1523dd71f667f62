/* The chart of shoal WORKLOAD --plot: one SVG file without scripts, for light and dark pages. */
#include "chart.h"
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 860, LEFT = 84, RIGHT = 836, TOP = 44, BOTTOM = 430, LEGEND = 470, LINE = 20 };
/* Twice as many points as the chart is wide tell nothing more. */
enum { MOST_POINTS = 1500, COLOURS = 6 };

static const char style[] =
    "svg{--back:#fff;--text:#1b1f24;--faint:#57606a;--line:#d0d7de;"
    "--c0:#0969da;--c1:#1a7f37;--c2:#8250df;--c3:#bc4c00;--c4:#bf3989;--c5:#57606a;"
    "font:13px system-ui,sans-serif}\n"
    "@media(prefers-color-scheme:dark){svg{--back:#0d1117;--text:#e6edf3;--faint:#9198a1;--line:#3d444d;"
    "--c0:#4493f8;--c1:#3fb950;--c2:#ab7df8;--c3:#f0883e;--c4:#db61a2;--c5:#9198a1}}\n"
    "text{fill:var(--text)}text.faint{fill:var(--faint);font-size:11px}line{stroke:var(--line)}"
    "path.curve{fill:none;stroke-width:1.8;stroke-linejoin:round}path.band{stroke:none;opacity:.16}\n";

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

/* Entries that are drawn: every one of a short trace, evenly chosen ones and the last of a long one. */
static size_t next_entry(size_t entry, size_t count)
{
    size_t stride = (count + MOST_POINTS - 1) / MOST_POINTS;
    if (entry + 1 == count)
        return count;
    return entry + stride < count ? entry + stride : count - 1;
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
    fprintf(plot->out, "<path class=\"curve\" style=\"stroke:var(--c%zu)\" d=\"", colour);
    for (size_t i = 0; i < field->count; i = next_entry(i, field->count)) {
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
    size_t *entries = cli_alloc((MOST_POINTS + 2) * sizeof *entries), count = 0;
    for (size_t i = 0; i < low->count; i = next_entry(i, low->count))
        if (isfinite(low->reals[i]) && isfinite(high->reals[i]))
            entries[count++] = i;
    char command = 'M';
    fprintf(plot->out, "<path class=\"band\" style=\"fill:var(--c%zu)\" d=\"", colour);
    for (size_t i = 0; i < count; i++)
        point(plot, &command, entries[i], low->reals[entries[i]]);
    for (size_t i = count; i-- > 0;)
        point(plot, &command, entries[i], high->reals[entries[i]]);
    fputs(count ? "Z\"/>\n" : "\"/>\n", plot->out);
    free(entries);
}

static void axes(const struct plot *plot, const char *value_name)
{
    FILE *out = plot->out;
    for (double tick = plot->x.low; chart_has_tick(&plot->x, tick); tick = chart_next_tick(&plot->x, tick)) {
        double x = chart_place(&plot->x, tick);
        fprintf(out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x, BOTTOM);
        fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n", x,
                BOTTOM + 16, fabs(tick) < 1e-9 * plot->x.step ? 0 : tick);
    }
    for (double tick = plot->y.low; chart_has_tick(&plot->y, tick); tick = chart_next_tick(&plot->y, tick)) {
        double y = chart_place(&plot->y, tick);
        fprintf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", LEFT, y, RIGHT, y);
        fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 8,
                y + 4, fabs(tick) < 1e-9 * plot->y.step && !plot->y.logarithmic ? 0 : tick);
    }
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\" text-anchor=\"end\">step</text>\n", RIGHT,
            BOTTOM + 32);
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, TOP - 10);
    chart_escaped(out, value_name);
    fputs("</text>\n", out);
}

static void legend(const struct plot *plot, const struct cli_row *row, size_t colour, size_t line, bool bands)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    int y = LEGEND + (int)line * LINE;
    fprintf(plot->out,
            "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" style=\"stroke:var(--c%zu);stroke-width:3\"/>"
            "<text x=\"%d\" y=\"%d\">%s (%s) ",
            LEFT, y - 4, LEFT + 24, y - 4, colour, LEFT + 32, y, info->id, cli_row_variant(row).s);
    chart_escaped(plot->out, info->name);
    fputs(bands ? ": median of the runs, quartiles, and 5 to 95 %</text>\n" : "</text>\n", plot->out);
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
    plot->x = chart_scale_over(0, fmax((double)ends.steps, 1), false, LEFT, RIGHT);
    plot->x.high = fmax((double)ends.steps, 1);
    plot->y =
        chart_scale_over(logarithmic ? ends.least_positive : ends.least, ends.most, logarithmic, BOTTOM, TOP);
    return true;
}

char *trace_svg(const struct trace_rows *traces, const char *title, size_t *bytes)
{
    char *text = NULL;
    struct plot plot = {.out = open_memstream(&text, bytes), .interval = traces->interval};
    if (!plot.out)
        return NULL;
    int height = LEGEND + (int)traces->count * LINE;
    fprintf(
        plot.out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<style>%s</style>\n"
        "<title>",
        WIDTH, height, style);
    chart_escaped(plot.out, title);
    fprintf(
        plot.out,
        "</title>\n<rect width=\"%d\" height=\"%d\" style=\"fill:var(--back)\"/>\n<text x=\"%d\" y=\"20\">",
        WIDTH, height, LEFT);
    chart_escaped(plot.out, title);
    fputs("</text>\n", plot.out);
    bool any = scales(&plot, traces);
    for (size_t r = 0, line = 0; any && r < traces->count; r++) {
        const struct cli_row *row = &traces->rows[r];
        const struct shoal_field *trace = trace_field(row, "trace");
        if (!trace)
            continue;
        if (line == 0)
            axes(&plot, row->result.value_name);
        band(&plot, trace_field(row, "trace_q05"), trace_field(row, "trace_q95"), line % COLOURS);
        band(&plot, trace_field(row, "trace_q25"), trace_field(row, "trace_q75"), line % COLOURS);
        curve(&plot, trace, line % COLOURS);
        legend(&plot, row, line % COLOURS, line, trace_field(row, "trace_q05") != NULL);
        line++;
    }
    if (!any)
        fprintf(plot.out, "<text x=\"%d\" y=\"%d\">no finite value</text>\n", LEFT, TOP + 20);
    fputs("</svg>\n", plot.out);
    if (fclose(plot.out) == 0)
        return text;
    free(text);
    return NULL;
}
