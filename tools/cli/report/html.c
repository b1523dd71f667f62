#include "cli/report/html.h"
#include "cli/charts/chart.h"
#include "cli/output/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Colours on white. */
#define LIGHT                                                                                                \
    "--back:#fff;--track:#f3f5f7;--text:#1b1f24;--faint:#57606a;--line:#d0d7de;"                             \
    "--c0:#0969da;--c1:#1a7f37;--c2:#8250df;--c3:#bc4c00;--c4:#bf3989;--c5:#57606a"

/* Rows of tables as blocks. */
#define BLOCKS(table)                                                                                        \
    table "thead{display:none}\n" table                                                                      \
          "tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));padding:.5rem 0;"        \
          "border-bottom:1px solid var(--line)}\n" table "td," table "td.n{border:0;text-align:left}" table  \
          "td.none{display:none}" table "td.reason," table "td:first-child{grid-column:1/-1}\n" table        \
          "td::before{content:attr(data-title);display:block;color:var(--faint);font-size:.8rem}\n"
#define WIDE   BLOCKS(".wide ")
#define NARROW BLOCKS("")

/* The contrast of text is at least 4.5 to 1 in both colour schemes, the contrast of bars 3 to 1. On narrow
 * pages, and in tables with many columns, a row of a table is a block, with each cell below its title. */
const char html_style[] =
    ":root{color-scheme:light dark;" LIGHT "}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#0d1117;--track:#161b22;--text:#e6edf3;--faint:#9198a1;"
    "--line:#3d444d;--c0:#4493f8;--c1:#3fb950;--c2:#ab7df8;--c3:#f0883e;--c4:#db61a2;--c5:#9198a1}}\n"
    "*{box-sizing:border-box}\n"
    "body{background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;max-width:72rem;"
    "margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:2.5rem}h3{font-size:1rem;margin:1.8rem 0 .3rem}"
    "h1,h2,h3{line-height:1.25;text-wrap:balance}p{margin:.5rem 0}code{font-size:.9em}\n"
    "a{color:inherit}bdi,td.w{white-space:nowrap}:focus-visible{outline:2px solid "
    "var(--c0);outline-offset:2px}\n"
    "nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}\n"
    "p.facts,figcaption,dt,.chart span,.keys{color:var(--faint)}\n"
    "dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:0 1rem}dd{margin:0}\n"
    "figure{margin:1rem 0}.chart,.keys,.plot{font-size:.85rem}\n"
    ".chart h4{font-size:.95rem;margin:1rem 0 0}.chart h4 span{font-weight:normal}\n"
    ".chart div.name{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:1rem;"
    "margin-top:.5rem}.chart div.name>div{min-width:0}\n"
    ".track{position:relative;height:1.4rem;background:var(--track)}.track>*{position:absolute;top:0;"
    "bottom:0}\n"
    ".track i{border-left:1px solid var(--line)}.bar{left:0;margin-bottom:.5rem;min-width:2px}\n"
    ".c0{background:var(--c0)}.c1{background:var(--c1)}.c2{background:var(--c2)}.c3{background:var(--c3)}"
    ".c4{background:var(--c4)}.c5{background:var(--c5)}\n"
    ".peer{background:repeating-linear-gradient(135deg,var(--c5) 0 5px,var(--track) 5px 8px)}\n"
    ".track b.range{top:.95rem;border:solid var(--text);border-width:0 2px;min-width:4px;"
    "background:linear-gradient(var(--text),var(--text)) center/100% 2px no-repeat}\n"
    ".track b.roof{border-left:2px dashed var(--text);background:var(--back)}\n"
    ".axis{position:relative;height:1.5rem;white-space:nowrap}.axis "
    "span{position:absolute;transform:translateX(-50%)}\n"
    ".axis span:first-child{transform:none}.axis span:last-child{transform:translateX(-100%)}\n"
    ".plot{display:grid;grid-template-columns:5.5rem minmax(0,1fr)}.plot svg{width:100%;height:15rem;"
    "background:var(--track);display:block}\n"
    ".plot .up{position:relative;color:var(--faint)}.plot .up span{position:absolute;right:.5rem;"
    "transform:translateY(50%);white-space:nowrap}\n"
    ".plot .axis{grid-column:2;color:var(--faint)}.plot path{fill:none;stroke-linecap:round;"
    "stroke-linejoin:round;vector-effect:non-scaling-stroke;stroke-width:2}\n"
    ".plot path.dot{stroke-width:7}.plot path.grid{stroke:var(--line);stroke-width:1}\n"
    ".s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}"
    ".s4{stroke:var(--c4)}.s5{stroke:var(--c5)}\n"
    ".keys{list-style:none;padding:0;margin:.3rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}"
    ".keys i{display:inline-block;width:1rem;height:.6rem;margin-right:.4rem}\n"
    "table{border-collapse:collapse;font-size:.85rem;width:100%;margin:1rem 0}\n"
    "th,td{padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "@media(max-width:40rem){.many span:nth-child(even){display:none}}\n" WIDE
    "@media(max-width:60rem){" NARROW "}\n"
    "@media print{:root{color-scheme:light;" LIGHT "}nav{display:none}\n"
    "body{max-width:none;margin:0;font-size:11pt}figure,tr{break-inside:avoid}h2,h3{break-after:avoid}\n"
    "*{print-color-adjust:exact}}\n";

/* Text ------------------------------------------------------------------------------------------------- */

/* Whether a long word may be broken behind place `at`. */
static bool is_break(const char *word, size_t at, size_t length)
{
    return at + 1 < length && strchr(".,:;/_=+-|", word[at]) && isalnum((unsigned char)word[at + 1]) &&
           !(word[at] == '.' && at > 0 && isdigit((unsigned char)word[at - 1]) &&
             isdigit((unsigned char)word[at + 1]));
}

void html_text(FILE *out, const char *text)
{
    enum { LONGEST = 14 }; /* bytes of a word that fits into every column */
    while (*text) {
        const size_t length = strcspn(text, " ");
        /* A browser may break a word behind a hyphen, a date too. */
        const bool is_whole = length <= LONGEST && memchr(text, '-', length);
        size_t begin = 0;
        if (is_whole)
            fputs("<bdi>", out);
        for (size_t at = 0; at < length && length > LONGEST; at++) {
            if (!is_break(text, at, length))
                continue;
            char *part = cli_sprintf("%.*s", (int)(at + 1 - begin), text + begin);
            chart_escaped(out, part);
            fputs("<wbr>", out);
            free(part);
            begin = at + 1;
        }
        char *rest = cli_sprintf("%.*s", (int)(length - begin), text + begin);
        chart_escaped(out, rest);
        free(rest);
        if (is_whole)
            fputs("</bdi>", out);
        text += length;
        for (; *text == ' '; text++)
            putc(' ', out);
    }
}

void html_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_text(out, text);
    fprintf(out, "</%s>", tag);
}

/* Tables ----------------------------------------------------------------------------------------------- */

void html_table_begin(struct html_table *table)
{
    enum { MOST = 13 }; /* columns that fit beside each other */
    size_t columns = 0;
    while (table->titles[columns])
        columns++;
    fputs(columns > MOST ? "<table class=\"wide\"><thead><tr>" : "<table><thead><tr>", table->out);
    for (size_t i = 0; table->titles[i]; i++) {
        fputs(i < table->first_number ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"n\">", table->out);
        html_text(table->out, table->titles[i]);
        fputs("</th>", table->out);
    }
    fputs("</tr></thead><tbody>\n", table->out);
}

void html_table_end(struct html_table *table)
{
    fputs("</tbody></table>\n", table->out);
}

void html_row_begin(struct html_table *table)
{
    fputs("<tr>", table->out);
    table->next = 0;
}

void html_row_end(struct html_table *table)
{
    fputs("</tr>\n", table->out);
}

void html_cell(struct html_table *table, const char *text)
{
    enum { SHORT = 16 }; /* bytes of a figure with its unit, which stay in one line */
    fprintf(table->out, "<td class=\"%s%s%s\" data-title=\"", table->next >= table->first_number ? "n" : "t",
            strcmp(text, "-") == 0 ? " none" : "", strlen(text) <= SHORT ? " w" : "");
    chart_escaped(table->out, table->titles[table->next++]);
    fputs("\">", table->out);
    html_text(table->out, text);
    fputs("</td>", table->out);
}

void html_across(struct html_table *table, const char *text)
{
    size_t columns = table->next;
    while (table->titles[columns])
        columns++;
    fprintf(table->out, "<td class=\"reason\" colspan=\"%zu\">", columns - table->next);
    html_text(table->out, text);
    fputs("</td>", table->out);
}

/* Bars ------------------------------------------------------------------------------------------------- */

/* A value at a tick, such as "20 ms" or "5 k", without trailing zeros. */
static struct cli_text tick_text(double value, const char *unit)
{
    struct cli_text text;
    if (strcmp(unit, "%") == 0) {
        snprintf(text.s, sizeof text.s, "%g %%", value);
        return text;
    }
    text = value == 0 && strcmp(unit, "ratio") == 0 ? (struct cli_text){"0x"} : cli_figure(value, unit);
    char *end = text.s + strspn(text.s, "0123456789."), *rest = end;
    if (memchr(text.s, '.', (size_t)(end - text.s))) {
        while (end[-1] == '0')
            end--;
        end -= end[-1] == '.';
        memmove(end, rest, strlen(rest) + 1);
    }
    /* The name of the axis has the unit, the tick only its prefix. */
    const size_t bytes = strlen(text.s), length = strlen(unit);
    if (strcmp(unit, "s") != 0 && bytes > length && strcmp(text.s + bytes - length, unit) == 0)
        text.s[bytes - length] = '\0';
    return text;
}

static struct cli_text value_text(double value, const char *unit)
{
    struct cli_text text;
    if (strcmp(unit, "%") != 0)
        return cli_figure(value, unit);
    snprintf(text.s, sizeof text.s, "%.*f %%", value < 10, value);
    return text;
}

/* Makes the scale of the bars, in percent of the width. A bar at the roof is shown where it is not far beyond
 * the others. */
static bool scale_of(const struct html_bars *bars, struct chart_scale *scale)
{
    double least = INFINITY, most = 0;
    for (size_t b = 0; b < bars->count; b++) {
        const struct html_bar *bar = &bars->bars[b];
        if (!bar->name || bar->why)
            continue;
        least = fmin(least, bar->least > 0 ? bar->least : bar->value);
        most = fmax(most, fmax(bar->most, bar->value));
    }
    if (!(most > 0) || !isfinite(most))
        return false;
    double top = most;
    for (size_t b = 0; b < bars->count; b++)
        if (bars->bars[b].name && !bars->bars[b].why && bars->bars[b].marker < 4 * most)
            top = fmax(top, bars->bars[b].marker);
    const bool is_logarithmic = most / least > 50;
    *scale = chart_scale_over(is_logarithmic ? least * 0.8 : 0, top, is_logarithmic, 0, 100);
    return true;
}

static void print_axis(FILE *out, const struct chart_scale *scale, const struct html_bars *bars)
{
    size_t ticks = 0;
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick))
        ticks++;
    fprintf(out, "<div class=\"axis%s\">", ticks > 5 ? " many" : "");
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick)) {
        fprintf(out, "<span style=\"left:%.2f%%\">", fmin(chart_place(scale, tick), 100));
        chart_escaped(out, tick_text(tick, bars->unit).s);
        fputs("</span>", out);
    }
    fputs("</div>\n<span>", out);
    html_text(out, bars->axis);
    fprintf(out, "%s</span>", scale->logarithmic ? ", logarithmic" : "");
}

static void print_track(FILE *out, const struct chart_scale *scale, const struct html_bar *bar)
{
    fputs("<div class=\"track\">", out);
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick))
        fprintf(out, "<i style=\"left:%.2f%%\"></i>", fmin(chart_place(scale, tick), 100) * 0.998);
    if (!bar->why) {
        char colour[24] = "peer";
        if (!bar->is_faint)
            snprintf(colour, sizeof colour, "c%zu", bar->colour % HTML_COLOURS);
        fprintf(out, "<div class=\"bar %s\" style=\"width:%.2f%%\"></div>", colour,
                chart_place(scale, bar->value));
        if (bar->most > bar->least && bar->least > 0)
            fprintf(out, "<b class=\"range\" style=\"left:%.2f%%;width:%.2f%%\"></b>",
                    chart_place(scale, bar->least),
                    chart_place(scale, bar->most) - chart_place(scale, bar->least));
        if (bar->marker > scale->low && bar->marker <= scale->high)
            fprintf(out, "<b class=\"roof\" style=\"left:%.2f%%\"></b>",
                    chart_place(scale, bar->marker) * 0.998);
    }
    fputs("</div>\n", out);
}

void html_bars(FILE *out, const struct html_bars *bars)
{
    struct chart_scale scale;
    const bool is_drawn = scale_of(bars, &scale);
    fputs("<figure>", out);
    if (bars->caption)
        html_element(out, "figcaption", bars->caption);
    fputs("\n<div class=\"chart\">\n", out);
    for (size_t b = 0; b < bars->count; b++) {
        const struct html_bar *bar = &bars->bars[b];
        if (!bar->name) {
            fputs("<h4>", out);
            html_text(out, bar->about);
            if (bar->facts) {
                putc(' ', out);
                html_element(out, "span", bar->facts);
            }
            fputs("</h4>\n", out);
            continue;
        }
        fputs("<div class=\"name\"><div>", out);
        html_element(out, "strong", bar->name);
        putc(' ', out);
        html_element(out, "span", bar->about);
        fputs("</div><div>", out);
        if (!bar->why)
            html_element(out, "strong", value_text(bar->value, bars->unit).s);
        html_element(out, "span", bar->why ? bar->why : bar->facts);
        fputs("</div></div>", out);
        if (is_drawn)
            print_track(out, &scale, bar);
    }
    if (is_drawn)
        print_axis(out, &scale, bars);
    fputs("</div></figure>\n", out);
}

void html_bars_free(struct html_bars *bars)
{
    for (size_t b = 0; b < bars->count; b++) {
        free(bars->bars[b].name);
        free(bars->bars[b].facts);
    }
    free(bars->bars);
}

/* Curves ----------------------------------------------------------------------------------------------- */

enum { PLOT_WIDTH = 1000, PLOT_HEIGHT = 400 };

/* Labels of the points, each place once and none too close to the label before. Places are in percent. */
static void print_labels(FILE *out, const struct chart_scale *across, const struct html_curve *curves,
                         size_t count)
{
    const double gap = 9;
    double last = -gap;
    fputs("<div class=\"axis\">", out);
    for (;;) {
        const struct html_point *next = NULL;
        for (size_t c = 0; c < count; c++)
            for (size_t i = 0; i < curves[c].count; i++) {
                const struct html_point *point = &curves[c].points[i];
                const double place = chart_place(across, point->x) / PLOT_WIDTH * 100;
                if (place >= last + gap && (!next || point->x < next->x))
                    next = point;
            }
        if (!next)
            break;
        last = chart_place(across, next->x) / PLOT_WIDTH * 100;
        fprintf(out, "<span style=\"left:%.2f%%\">", last);
        chart_escaped(out, next->label);
        fputs("</span>", out);
    }
    fputs("</div>", out);
}

void html_curves(FILE *out, const char *caption, const char *across_name, const char *unit,
                 const struct html_curve *curves, size_t count)
{
    double first = INFINITY, last = -INFINITY, least = INFINITY, most = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < curves[c].count; i++) {
            const struct html_point *point = &curves[c].points[i];
            first = fmin(first, point->x);
            last = fmax(last, point->x);
            least = fmin(least, point->y);
            most = fmax(most, point->y);
        }
    if (!(last > first) || !(most > 0))
        return;
    const bool is_logarithmic = most > 10 * least;
    const double side = 0.03 * PLOT_WIDTH;
    const struct chart_scale across = {.low = first, .high = last, .from = side, .to = PLOT_WIDTH - side},
                             up = chart_scale_over(is_logarithmic ? least : 0, most, is_logarithmic,
                                                   PLOT_HEIGHT, 0);
    fputs("<figure>", out);
    html_element(out, "figcaption", caption);
    fputs("\n<div class=\"plot\"><div class=\"up\">", out);
    for (double tick = up.low; chart_has_tick(&up, tick); tick = chart_next_tick(&up, tick)) {
        fprintf(out, "<span style=\"bottom:%.1f%%\">",
                fmin(fmax(100 - chart_place(&up, tick) / PLOT_HEIGHT * 100, 4), 96));
        chart_escaped(out, tick_text(tick, unit).s);
        fputs("</span>", out);
    }
    fprintf(out, "</div><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\"><title>",
            PLOT_WIDTH, PLOT_HEIGHT);
    chart_escaped(out, caption);
    fputs("</title>\n", out);
    for (double tick = up.low; chart_has_tick(&up, tick); tick = chart_next_tick(&up, tick))
        fprintf(out, "<path class=\"grid\" d=\"M0 %.1fh%d\"/>", chart_place(&up, tick), PLOT_WIDTH);
    for (size_t c = 0; c < count; c++) {
        const size_t colour = curves[c].colour % HTML_COLOURS;
        fprintf(out, "\n<path class=\"s%zu\"%s d=\"", colour,
                curves[c].is_dashed ? " stroke-dasharray=\"6 5\"" : "");
        for (size_t i = 0; i < curves[c].count; i++)
            fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', chart_place(&across, curves[c].points[i].x),
                    chart_place(&up, curves[c].points[i].y));
        fprintf(out, "\"/><path class=\"dot s%zu\" d=\"", colour);
        for (size_t i = 0; i < curves[c].count; i++)
            fprintf(out, "M%.1f %.1fh.01", chart_place(&across, curves[c].points[i].x),
                    chart_place(&up, curves[c].points[i].y));
        fputs("\"/>", out);
    }
    fputs("</svg>\n", out);
    print_labels(out, &across, curves, count);
    fputs("</div>\n<ul class=\"keys\">", out);
    for (size_t c = 0; c < count; c++) {
        fprintf(out, "<li><i class=\"c%zu\"></i>", curves[c].colour % HTML_COLOURS);
        html_text(out, curves[c].name);
        fputs(curves[c].is_dashed ? " (dashed)" : "", out);
        fputs("</li>", out);
    }
    fputs("<li>", out);
    html_text(out, across_name);
    fputs("; up: ", out);
    html_text(out, unit);
    fprintf(out, "%s</li></ul></figure>\n", is_logarithmic ? ", logarithmic" : "");
}
