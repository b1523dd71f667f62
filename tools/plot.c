/* The chart of shoal WORKLOAD --plot: one SVG file without scripts, for light and dark pages. */
#include "chart.h"
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 860, LEFT = 84, RIGHT = 836, TOP = 44, BOTTOM = 430, LEGEND = 470, LINE = 20 };
/* Twice as many points as the chart is wide tell nothing more. */
enum { MOST_POINTS = 1500, COLOURS = 6 };

/* Without variables, which many viewers do not know. */
static const char style[] =
    "svg{font:13px system-ui,sans-serif}.back{fill:#fff}text{fill:#1b1f24}line{stroke:#d0d7de}"
    "text.faint{fill:#57606a;font-size:11px}path.curve{fill:none;stroke-width:1.8;stroke-linejoin:round}"
    "path.band{stroke:none;opacity:.16}line.key{stroke-width:3}\n"
    ".line0{stroke:#0969da}.line1{stroke:#1a7f37}.line2{stroke:#8250df}.line3{stroke:#bc4c00}"
    ".line4{stroke:#bf3989}.line5{stroke:#57606a}\n"
    ".fill0{fill:#0969da}.fill1{fill:#1a7f37}.fill2{fill:#8250df}.fill3{fill:#bc4c00}"
    ".fill4{fill:#bf3989}.fill5{fill:#57606a}\n"
    "@media(prefers-color-scheme:dark){.back{fill:#0d1117}text{fill:#e6edf3}line{stroke:#3d444d}"
    "text.faint{fill:#9198a1}.line0{stroke:#4493f8}.line1{stroke:#3fb950}.line2{stroke:#ab7df8}"
    ".line3{stroke:#f0883e}.line4{stroke:#db61a2}.line5{stroke:#9198a1}.fill0{fill:#4493f8}"
    ".fill1{fill:#3fb950}.fill2{fill:#ab7df8}.fill3{fill:#f0883e}.fill4{fill:#db61a2}"
    ".fill5{fill:#9198a1}}\n";

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
    fprintf(plot->out, "<path class=\"curve line%zu\" d=\"", colour);
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
    fprintf(plot->out, "<path class=\"band fill%zu\" d=\"", colour);
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
            "<line class=\"key line%zu\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
            "<text x=\"%d\" y=\"%d\">%s (%s) ",
            colour, LEFT, y - 4, LEFT + 24, y - 4, LEFT + 32, y, info->id, cli_row_variant(row).s);
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
    fprintf(plot.out, "</title>\n<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n<text x=\"%d\" y=\"20\">",
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
