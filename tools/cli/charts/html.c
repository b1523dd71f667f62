/* The page of shoal compare --html: one file, no scripts, nothing loaded from elsewhere. */
#include "cli/charts/chart.h"
#include "cli/commands/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Text colours keep a contrast of at least 4.5 to 1 in both schemes. */
static const char style[] =
    ":root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--faint:#57606a;--line:#d0d7de;--host:#8250df;"
    "--cpu:#0969da;--gpu:#1a7f37;--other:#57606a}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e6edf3;--faint:#9198a1;--line:#3d444d;"
    "--host:#ab7df8;--cpu:#4493f8;--gpu:#3fb950;--other:#9198a1}}\n"
    "body{background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;max-width:64rem;"
    "margin:2rem auto;padding:0 1rem}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:2.5rem}h3{font-size:1rem}\n"
    "p.facts,figcaption{color:var(--faint)}code{font-size:.9em;overflow-wrap:anywhere}\n"
    "figure{margin:1rem 0}svg{width:100%;height:auto;max-width:56rem}\n"
    "svg text{fill:var(--text);font-size:13px}svg text.faint{fill:var(--faint);font-size:11px}\n"
    "svg line{stroke:var(--line)}\n"
    "svg rect.host{fill:var(--host)}svg rect.cpu{fill:var(--cpu)}svg rect.gpu{fill:var(--gpu)}"
    "svg rect.other{fill:var(--other)}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;white-space:nowrap}\n"
    "th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:left}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "td.reason{white-space:normal}\n";

static void cell(FILE *out, const char *class, const char *text)
{
    fprintf(out, *class ? "<td class=\"%s\">" : "<td>", class);
    chart_escaped(out, text);
    fputs("</td>", out);
}

static void heads(FILE *out, const char *const *titles, size_t first_number)
{
    fputs("<div class=\"scroll\"><table><thead><tr>", out);
    for (size_t i = 0; titles[i]; i++) {
        fputs(i < first_number ? "<th>" : "<th class=\"n\">", out);
        chart_escaped(out, titles[i]);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
}

static const char *device_class(const struct shoal_device_info *info)
{
    return info->is_host ? "host" : info->is_gpu ? "gpu" : info->is_cpu ? "cpu" : "other";
}

/* Charts ----------------------------------------------------------------------------------------------- */

enum { CHART_WIDTH = 860, BAR_LEFT = 230, BAR_RIGHT = 740, ROW_HEIGHT = 42, NAME_LENGTH = 32 };

typedef double (*figure_of)(const struct cli_row *row);

static double device_time(const struct cli_row *row)
{
    return row->device_s;
}

static double setup_time(const struct cli_row *row)
{
    return row->build_s + row->first_launch_s;
}

/* Bars start at 0 unless the figures lie so far apart that the short ones would vanish. */
static bool scale_of(const struct compared_work *work, figure_of figure, struct chart_scale *scale)
{
    double least = INFINITY, most = 0;
    for (size_t r = 0; r < work->row_count; r++) {
        double value = cli_row_valid(&work->rows[r]) ? figure(&work->rows[r]) : 0;
        if (value <= 0)
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (most <= 0)
        return false;
    bool logarithmic = most / least > 50;
    *scale = chart_scale_over(logarithmic ? least * 0.8 : 0, most, logarithmic, BAR_LEFT, BAR_RIGHT);
    return true;
}

/* "20 ms": ticks are round numbers, so trailing zeros are left out. */
static struct cli_text tick_text(double seconds)
{
    struct cli_text text = cli_seconds(seconds);
    char *blank = strchr(text.s, ' '), *end = blank;
    if (blank && memchr(text.s, '.', (size_t)(blank - text.s))) {
        while (end[-1] == '0')
            end--;
        end -= end[-1] == '.';
        memmove(end, blank, strlen(blank) + 1);
    }
    return text;
}

static void axis(FILE *out, const struct chart_scale *scale, double bottom)
{
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick)) {
        double x = chart_place(scale, tick);
        fprintf(out, "<line x1=\"%.1f\" y1=\"4\" x2=\"%.1f\" y2=\"%.0f\"/>", x, x, bottom);
        fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n", x,
                bottom + 14, tick_text(tick).s);
    }
}

static void bar(FILE *out, const struct chart_scale *scale, const struct cli_row *row, double value,
                double top)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    char *name = cli_strdup(info->name);
    size_t length = strlen(name);
    if (length > NAME_LENGTH) {
        length = NAME_LENGTH - 3;
        while (length && ((unsigned char)name[length] & 0xc0) == 0x80)
            length--;
        memcpy(name + length, "...", 4);
    }
    fprintf(out, "<text x=\"0\" y=\"%.0f\">%s (%s)</text><text class=\"faint\" x=\"0\" y=\"%.0f\">", top + 14,
            info->id, cli_row_variant(row).s, top + 29);
    chart_escaped(out, name);
    fputs("</text>", out);
    free(name);
    if (!cli_row_valid(row)) {
        fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%.0f\">", BAR_LEFT + 6, top + 20);
        chart_escaped(out, shoal_status_name(row->error.status));
        fputs("</text>\n", out);
        return;
    }
    double end = chart_place(scale, value);
    fprintf(out, "<rect class=\"%s\" x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"22\" rx=\"2\"><title>",
            device_class(info), BAR_LEFT, top + 4, fmax(end - BAR_LEFT, 1));
    chart_escaped(out, info->name);
    fprintf(out, "</title></rect><text x=\"%.1f\" y=\"%.0f\">%s</text>\n", fmax(end, BAR_LEFT + 1) + 6,
            top + 20, cli_seconds(value).s);
}

static void chart(FILE *out, const struct compared_work *work, figure_of figure, const char *caption)
{
    struct chart_scale scale;
    if (!scale_of(work, figure, &scale))
        return;
    double bottom = (double)work->row_count * ROW_HEIGHT + 4;
    fprintf(out,
            "<figure><figcaption>%s%s</figcaption>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" "
            "aria-label=\"%s\">\n",
            caption, scale.logarithmic ? ", logarithmic scale" : "", CHART_WIDTH, bottom + 20, caption);
    axis(out, &scale, bottom);
    for (size_t r = 0; r < work->row_count; r++) {
        const struct cli_row *row = &work->rows[r];
        bar(out, &scale, row, cli_row_valid(row) ? figure(row) : 0, 4 + (double)r * ROW_HEIGHT);
    }
    fputs("</svg></figure>\n", out);
}

/* Tables ----------------------------------------------------------------------------------------------- */

static void work_row(FILE *out, const struct comparison *comparison, const struct compared_work *work,
                     const struct cli_row *row)
{
    char text[128];
    fputs("<tr>", out);
    cell(out, "", shoal_device_get_info(row->device)->id);
    cell(out, "", cli_row_variant(row).s);
    if (!cli_row_valid(row)) {
        fputs("<td class=\"reason\" colspan=\"9\">", out);
        chart_escaped(out, shoal_status_name(row->error.status));
        fputs(": ", out);
        chart_escaped(out, row->error.message);
        fputs("</td></tr>\n", out);
        return;
    }
    cell(out, "n", cli_seconds(row->device_s).s);
    snprintf(text, sizeof text, "%s to %s", cli_seconds(row->device_min).s, cli_seconds(row->device_max).s);
    cell(out, "n", text);
    cell(out, "n",
         row->error.status == SHOAL_STOPPED ? "stopped" : cli_ratio(compare_speed(comparison, work, row)).s);
    cell(out, "n", cli_seconds(row->wall_s).s);
    cell(out, "n", cli_seconds(row->build_s).s);
    cell(out, "n", cli_seconds(row->first_launch_s).s);
    cell(out, "n", cli_number(row->result.value).s);
    snprintf(text, sizeof text, "%.1e", row->result.error);
    cell(out, "n", text);
    snprintf(text, sizeof text, "%zu", row->samples);
    cell(out, "n", text);
    fputs("</tr>\n", out);
}

static void work_section(FILE *out, const struct comparison *comparison, const struct compared_work *work)
{
    char *speed = cli_sprintf("x %s", shoal_device_get_info(comparison->baseline)->id);
    const char *const titles[] = {"device", "variant",      "device time", "range", speed,  "wall time",
                                  "build",  "first launch", "result",      "error", "runs", NULL};
    const struct shoal_result *first = cli_first_result(work->rows, work->row_count);
    char *sizes = cli_work_line(work->workload, work->params, first);
    fputs("<h2>", out);
    chart_escaped(out, work->workload->name);
    fputs("</h2>\n<p>", out);
    chart_escaped(out, work->workload->summary);
    fputs("</p>\n<p class=\"facts\"><code>", out);
    chart_escaped(out, sizes);
    fputs("</code></p>\n", out);
    chart(out, work, device_time, "Device time of the run, median; shorter is better");
    chart(out, work, setup_time, "Set-up before it: kernel build and first launch");
    heads(out, titles, 2);
    for (size_t r = 0; r < work->row_count; r++)
        work_row(out, comparison, work, &work->rows[r]);
    fputs("</tbody></table></div>\n", out);
    if (first) {
        fputs("<p class=\"facts\">Result: ", out);
        chart_escaped(out, first->value_name);
        fputs(". Check that every row with figures passed: ", out);
        chart_escaped(out, first->check_name);
        fputs(". Error: difference from the same formula in double precision on the host, relative to at "
              "least 1. " COMPARE_ROUNDING "</p>\n",
              out);
    }
    free(speed);
    free(sizes);
}

static void device_row(FILE *out, const struct shoal_device_info *info, const struct compared_roofs *measured)
{
    const struct shoal_roofs *roofs = &measured->roofs;
    char text[160];
    fputs("<tr>", out);
    cell(out, "", info->id);
    snprintf(text, sizeof text, "%s%s%s", info->name, info->alias_of ? "; same card as " : "",
             info->alias_of ? info->alias_of : "");
    cell(out, "", text);
    cell(out, "", info->driver);
    snprintf(text, sizeof text, "%u", info->units);
    cell(out, "n", text);
    cell(out, "n", info->memory ? cli_bytes(info->memory).s : "-");
    if (measured->measured && measured->error.status == SHOAL_OK) {
        cell(out, "n", cli_roof(roofs->fp32_flops, "flop/s").s);
        cell(out, "n", cli_roof(roofs->fp64_flops, "flop/s").s);
        cell(out, "n", cli_roof(roofs->sfu_ops, "op/s").s);
        cell(out, "n", cli_roof(roofs->copy_bytes, "B/s").s);
        cell(out, "n", cli_roof(roofs->launch_s, "s").s);
    } else {
        fputs("<td class=\"reason\" colspan=\"5\">", out);
        chart_escaped(out, measured->measured ? measured->error.message : "roofs not measured");
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void device_section(FILE *out, const struct comparison *comparison)
{
    static const char *const titles[] = {"device", "name",  "driver", "units",  "memory", "fp32",
                                         "fp64",   "rsqrt", "copy",   "launch", NULL};
    const struct cli *cli = comparison->cli;
    fputs("<h2>Devices</h2>\n", out);
    heads(out, titles, 3);
    bool any = false;
    for (size_t d = 0; d < cli->device_count; d++) {
        device_row(out, shoal_device_get_info(cli->devices[d]), &comparison->roofs[d]);
        any = any || comparison->roofs[d].measured;
    }
    fputs("</tbody></table></div>\n<p class=\"facts\">", out);
    if (any)
        fputs("Roofs were measured in the same run: fused multiply-adds count two operations, copy counts "
              "bytes read and written. ",
              out);
    fputs("Host code: ", out);
    chart_escaped(out, shoal_host_compiler());
    fputs(".</p>\n", out);
}

char *compare_html(const struct comparison *comparison, size_t *bytes)
{
    char *page = NULL;
    FILE *out = open_memstream(&page, bytes);
    if (!out) {
        fputs("shoal: out of memory\n", stderr);
        exit(CLI_FAILURE);
    }
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<title>shoal compare</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>shoal compare</h1>\n"
            "<p>The same work, with the same parameters and seed, on every device; times are medians "
            "of up to %zu runs.</p>\n<p class=\"facts\">%s, shoal %s, <code>",
            style, comparison->samples, comparison->results.date, shoal_version());
    chart_escaped(out, comparison->results.command);
    fputs("</code></p>\n", out);
    for (size_t w = 0; w < comparison->work_count; w++)
        work_section(out, comparison, &comparison->works[w]);
    device_section(out, comparison);
    fputs("</body>\n</html>\n", out);
    if (fclose(out) != 0) {
        fputs("shoal: out of memory\n", stderr);
        exit(CLI_FAILURE);
    }
    return page;
}
