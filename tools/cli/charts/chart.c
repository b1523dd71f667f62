#include "cli/charts/chart.h"

#include "base/text.h"
#include "cli/cli.h"
#include "cli/output/tables/layout.h"
#include "cli/run/rescue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WIDTH = 860, LEGEND = 470, LINE = 20 };

/* No CSS variables, which many viewers of SVG do not support. */
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

void chart_escaped(FILE *out, const char *given)
{
    char *copy = cli_strdup(given);
    text_clean(copy, "");
    for (const char *text = copy; *text; text++) {
        const char *entity = *text == '<'    ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '&'  ? "&amp;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\'' ? "&#39;"
                                             : NULL;
        if (entity)
            fputs(entity, out);
        else
            putc(*text, out);
    }
    free(copy);
}

/* A round step between ticks: 1, 2 or 5 times a power of ten, so that at most five ticks lie within
 * `range`. */
static double round_step(double range)
{
    double step = pow(10, floor(log10(range / 5)));
    return range <= 10 * step ? 2 * step : range <= 25 * step ? 5 * step : 10 * step;
}

struct chart_scale chart_scale_over(double least, double most, bool logarithmic, double from, double to)
{
    struct chart_scale scale = {.logarithmic = logarithmic, .from = from, .to = to};
    if (logarithmic) {
        double low = floor(log10(fmax(least, 1e-300))), high = fmax(ceil(log10(most)), low + 1);
        /* Distance of the ticks in powers of ten: at most nine ticks. */
        double decades = ceil((high - low) / 8);
        scale.low = pow(10, low);
        scale.high = pow(10, low + ceil((high - low) / decades) * decades);
        scale.step = pow(10, decades);
        /* The next power of ten may be beyond the largest number. */
        if (isinf(scale.high))
            scale.high = most;
        return scale;
    }
    if (!(most > least))
        most = least + fmax(fabs(least), 1) * 1e-3;
    scale.step = round_step(most - least);
    scale.low = floor(least / scale.step) * scale.step;
    scale.high = ceil(most / scale.step) * scale.step;
    return scale;
}

double chart_place(const struct chart_scale *scale, double value)
{
    double share = (value - scale->low) / (scale->high - scale->low);
    if (scale->logarithmic) {
        value = fmin(fmax(value, scale->low), scale->high);
        share = (log10(value) - log10(scale->low)) / (log10(scale->high) - log10(scale->low));
    }
    return scale->from + share * (scale->to - scale->from);
}

double chart_next_tick(const struct chart_scale *scale, double tick)
{
    return scale->logarithmic ? tick * scale->step : tick + scale->step;
}

bool chart_has_tick(const struct chart_scale *scale, double tick)
{
    double room = scale->logarithmic ? 1e-4 * tick : 1e-4 * scale->step;
    return isfinite(tick) && tick <= scale->high + room; /* the next tick may be beyond the largest number */
}

/* Returns the text, cut at a blank to at most LONGEST columns with " ...", since half a value would read as
 * another value. The caller frees the result. */
static char *fitting(const char *text)
{
    enum { LONGEST = 100, GAP = 4 };
    size_t bytes = LONGEST - GAP;
    if (cli_columns(text) <= LONGEST)
        return cli_strdup(text);
    while (bytes && text[bytes] != ' ')
        bytes--;
    return bytes ? cli_sprintf("%.*s ...", (int)bytes, text) : cli_shortened(text, LONGEST);
}

static int height_of(size_t keys)
{
    return LEGEND + (int)keys * LINE;
}

void chart_panels(FILE *out, const char *title, const struct chart_panel *panels, size_t count,
                  const void *data)
{
    int height = 0;
    for (size_t i = 0; i < count; i++)
        height += height_of(panels[i].keys);
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
            WIDTH, height);
    chart_escaped(out, title);
    fputs("</title>\n", out);
    height = 0;
    for (size_t i = 0; i < count; i++) {
        const int own = height_of(panels[i].keys);
        fprintf(out, "<svg y=\"%d\" width=\"%d\" height=\"%d\">\n", height, WIDTH, own);
        panels[i].draw(out, data);
        fputs("</svg>\n", out);
        height += own;
    }
    fputs("</svg>\n", out);
}

void chart_begin(FILE *out, const char *title, const char *subtitle, size_t keys)
{
    const int height = height_of(keys);
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<style>%s</style>\n"
        "<title>",
        WIDTH, height, style);
    chart_escaped(out, title);
    if (subtitle) {
        fputs("; ", out);
        chart_escaped(out, subtitle);
    }
    fprintf(out, "</title>\n<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n<text x=\"%d\" y=\"20\">",
            WIDTH, height, CHART_LEFT);
    chart_escaped(out, title);
    fputs("</text>\n", out);
    if (!subtitle)
        return;
    /* The subtitle is aligned to the right, because the label of the vertical axis begins at the left. */
    char *shown = fitting(subtitle);
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", CHART_RIGHT, CHART_TOP - 8);
    chart_escaped(out, shown);
    fputs("</text>\n", out);
    free(shown);
}

/* The number that labels a tick. A tick that is 0 but for rounding gives 0; longitudes beyond half a turn are
 * reduced by a turn. */
static double tick_name(const struct chart_scale *scale, double tick)
{
    if (fabs(tick) < 1e-9 * scale->step && !scale->logarithmic)
        return 0;
    return scale->turn > 0 && tick > scale->turn / 2    ? tick - scale->turn
           : scale->turn > 0 && tick < -scale->turn / 2 ? tick + scale->turn
                                                        : tick;
}

void chart_axes(FILE *out, const struct chart_scale *across, const struct chart_scale *up,
                const char *across_name, const char *up_name)
{
    for (double tick = across->low; chart_has_tick(across, tick); tick = chart_next_tick(across, tick)) {
        double x = chart_place(across, tick);
        fprintf(out, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, CHART_TOP, x, CHART_BOTTOM);
        fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>\n", x,
                CHART_BOTTOM + 16, tick_name(across, tick));
    }
    for (double tick = up->low; chart_has_tick(up, tick); tick = chart_next_tick(up, tick)) {
        double y = chart_place(up, tick);
        fprintf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", CHART_LEFT, y, CHART_RIGHT, y);
        fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                CHART_LEFT - 8, y + 4, tick_name(up, tick));
    }
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", CHART_RIGHT,
            CHART_BOTTOM + 32);
    chart_escaped(out, across_name);
    /* The label begins at the left edge, since a long label would not fit between the edge and the axis. */
    fprintf(out, "</text>\n<text class=\"faint\" x=\"8\" y=\"%d\">", CHART_TOP - 10);
    chart_escaped(out, up_name);
    fputs("</text>\n", out);
}

void chart_key(FILE *out, const char *text, size_t colour, size_t line)
{
    int y = LEGEND + (int)line * LINE;
    fprintf(out,
            "<line class=\"key line%zu\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\">",
            colour, CHART_LEFT, y - 4, CHART_LEFT + 24, y - 4, CHART_LEFT + 32, y);
    chart_escaped(out, text);
    fputs("</text>\n", out);
}

void chart_nothing(FILE *out)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\">no finite value</text>\n", CHART_LEFT, CHART_TOP + 20);
}

/* Index of the point to draw after `point`. Curves of more than CHART_MOST_POINTS points are drawn with every
 * n-th point and the last. count: `point` is the last. */
static size_t next_point(size_t point, size_t count)
{
    size_t stride = (count + CHART_MOST_POINTS - 1) / CHART_MOST_POINTS;
    return point + 1 == count ? count : point + stride < count ? point + stride : count - 1;
}

struct axes {
    FILE *out;
    struct chart_scale across, up;
};

static void point(const struct axes *axes, char *command, double x, double y)
{
    fprintf(axes->out, "%c%.1f %.1f", *command, chart_place(&axes->across, x), chart_place(&axes->up, y));
    *command = 'L';
}

static void draw_curve(const struct axes *axes, const struct chart_curve *curve, size_t colour)
{
    char command = 'M';
    fprintf(axes->out, "<path class=\"curve line%zu\" d=\"", colour);
    for (size_t i = 0; i < curve->count; i = next_point(i, curve->count)) {
        if (isfinite(curve->y[i]))
            point(axes, &command, curve->x[i], curve->y[i]);
        else
            command = 'M';
    }
    fputs("\"/>\n", axes->out);
}

static void draw_band(const struct axes *axes, const struct chart_curve *curve, size_t band, size_t colour)
{
    const double *low = curve->low[band], *high = curve->high[band];
    size_t *entries = cli_alloc((CHART_MOST_POINTS + 2) * sizeof *entries), count = 0;
    for (size_t i = 0; i < curve->count; i = next_point(i, curve->count))
        if (isfinite(low[i]) && isfinite(high[i]))
            entries[count++] = i;
    char command = 'M';
    fprintf(axes->out, "<path class=\"band fill%zu\" d=\"", colour);
    for (size_t i = 0; i < count; i++)
        point(axes, &command, curve->x[entries[i]], low[entries[i]]);
    for (size_t i = count; i-- > 0;)
        point(axes, &command, curve->x[entries[i]], high[entries[i]]);
    fputs(count ? "Z\"/>\n" : "\"/>\n", axes->out);
    free(entries);
}

/* Least and largest values of all curves. */
struct ends {
    double first, last, least, most, least_positive;
};

static void take_ends(struct ends *ends, const struct chart_curve *curve, const double *y)
{
    for (size_t i = 0; y && i < curve->count; i++) {
        if (!isfinite(y[i]))
            continue;
        ends->first = fmin(ends->first, curve->x[i]);
        ends->last = fmax(ends->last, curve->x[i]);
        ends->least = fmin(ends->least, y[i]);
        ends->most = fmax(ends->most, y[i]);
        if (y[i] > 0)
            ends->least_positive = fmin(ends->least_positive, y[i]);
    }
}

/* Makes the scales of both axes; false: no value is finite. */
static bool scale_axes(struct axes *axes, const struct chart *chart)
{
    struct ends ends = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
    for (size_t c = 0; c < chart->count; c++) {
        take_ends(&ends, &chart->curves[c], chart->curves[c].y);
        take_ends(&ends, &chart->curves[c], chart->curves[c].low[0]);
        take_ends(&ends, &chart->curves[c], chart->curves[c].high[0]);
    }
    if (!isfinite(ends.first))
        return false;
    for (size_t c = 0; c < chart->count && chart->is_tight; c++)
        if (chart->curves[c].count) {
            ends.first = fmin(ends.first, chart->curves[c].x[0]);
            ends.last = fmax(ends.last, chart->curves[c].x[chart->curves[c].count - 1]);
        }
    const bool logarithmic =
        chart->may_be_logarithmic && ends.least >= 0 && ends.most > 10 * ends.least_positive;
    if (chart->is_tight)
        ends.last = fmax(ends.last, ends.first + 1);
    axes->across =
        chart_scale_over(ends.first, ends.last, chart->across_is_logarithmic, CHART_LEFT, CHART_RIGHT);
    if (chart->is_tight)
        axes->across.high = ends.last;
    axes->up = chart_scale_over(logarithmic ? ends.least_positive : ends.least, ends.most, logarithmic,
                                CHART_BOTTOM, CHART_TOP);
    return true;
}

void chart_curves(FILE *out, const struct chart *chart)
{
    struct axes axes = {.out = out};
    const bool has_keys = chart->count > 1;
    chart_begin(out, chart->title, chart->subtitle, has_keys ? chart->count : 0);
    if (scale_axes(&axes, chart)) {
        chart_axes(out, &axes.across, &axes.up, chart->across, chart->up);
        for (size_t c = 0; c < chart->count; c++) {
            for (size_t b = 0; b < CHART_BANDS; b++)
                if (chart->curves[c].low[b])
                    draw_band(&axes, &chart->curves[c], b, c % CHART_COLOURS);
            draw_curve(&axes, &chart->curves[c], c % CHART_COLOURS);
            if (has_keys)
                chart_key(out, chart->curves[c].label, c % CHART_COLOURS, c);
        }
    } else {
        chart_nothing(out);
    }
    fputs("</svg>\n", out);
}

int chart_check(const char *option, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strrchr(name, '.');
    if (end && strcasecmp(end, ".svg") != 0)
        return cli_error(CLI_USAGE, "%s: %s: charts are written as SVG; give a name that ends in .svg",
                         option, path);
    return cli_check_output(option, path, false) && (end || cli_check_replaced(option, path, "<svg", "chart"))
               ? CLI_OK
               : CLI_FAILURE;
}

int chart_write_drawn(const char *option, const char *path, void (*draw)(FILE *out, const void *data),
                      const void *data)
{
    char *text = NULL;
    size_t bytes = 0;
    int code = CLI_OK;
    FILE *out = open_memstream(&text, &bytes);
    if (out)
        draw(out, data);
    if (!out || fclose(out) != 0)
        code = cli_error(CLI_FAILURE, "out of memory");
    else
        code = run_write_bytes(option, path, text, bytes);
    free(text);
    return code;
}

static void draw_chart(FILE *out, const void *data)
{
    chart_curves(out, data);
}

int chart_write(const char *option, const char *path, const struct chart *chart)
{
    return chart_write_drawn(option, path, draw_chart, chart);
}
