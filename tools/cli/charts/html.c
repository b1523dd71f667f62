/* The page of shoal compare --html: one file, no scripts, nothing loaded from elsewhere. */
#include "cli/charts/chart.h"
#include "cli/commands/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The contrast of text is at least 4.5 to 1 in both colour schemes, the contrast of bars 3 to 1. On narrow
 * pages a row of a table is a block, with each cell below its title. */
static const char style[] =
    ":root{color-scheme:light dark;--back:#fff;--track:#f3f5f7;--text:#1b1f24;--faint:#57606a;--line:#d0d7de;"
    "--host:#8250df;--cpu:#0969da;--gpu:#1a7f37;--other:#57606a}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#0d1117;--track:#161b22;--text:#e6edf3;--faint:#9198a1;"
    "--line:#3d444d;--host:#ab7df8;--cpu:#4493f8;--gpu:#3fb950;--other:#9198a1}}\n"
    "*{box-sizing:border-box}\n"
    "body{background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif;max-width:72rem;"
    "margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:2.5rem}p{margin:.5rem 0}code{font-size:.9em}\n"
    "p.facts,figcaption,dt,.chart span{color:var(--faint)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem}dd{margin:0}\n"
    "figure{margin:1.5rem 0}.chart{font-size:.85rem}\n"
    ".chart div.name{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:1rem;"
    "margin-top:.6rem}\n"
    ".track{position:relative;height:1.7rem;background:var(--track)}.track>*{position:absolute;top:0;"
    "bottom:0}\n"
    ".track i{border-left:1px solid var(--line)}.bar{left:0;margin-bottom:.6rem;min-width:1px}\n"
    ".host{background:var(--host)}.cpu{background:var(--cpu)}.gpu{background:var(--gpu)}"
    ".other{background:var(--other)}\n"
    ".track b.range{top:1.1rem;border:solid var(--text);border-width:0 2px;min-width:4px;"
    "background:linear-gradient(var(--text),var(--text)) center/100% 2px no-repeat}\n"
    ".track b.roof{border-left:2px dashed var(--text);background:var(--back)}\n"
    ".axis{position:relative;height:1.5rem;white-space:nowrap}.axis "
    "span{position:absolute;transform:translateX(-50%)}\n"
    ".axis span:first-child{transform:none}.axis span:last-child{transform:translateX(-100%)}\n"
    "table{border-collapse:collapse;font-size:.9rem;width:100%}\n"
    "th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\n"
    "@media(max-width:40rem){.many span:nth-child(even){display:none}}\n"
    "@media(max-width:60rem){thead{display:none}\n"
    "tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));padding:.5rem 0;"
    "border-bottom:1px solid var(--line)}\n"
    "td,td.n{border:0;text-align:left}td.reason{grid-column:1/-1}\n"
    "td::before{content:attr(data-title);display:block;color:var(--faint);font-size:.8rem}}\n";

static void text_in(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    chart_escaped(out, text);
    fprintf(out, "</%s>", tag);
}

/* A row of a table, whose cells are written in the order of the titles. next: index of the next cell;
 * first_number: index of the first column of numbers. */
struct row_cells {
    FILE *out;
    const char *const *titles;
    size_t next, first_number;
};

static void heads(struct row_cells *row)
{
    fputs("<table><thead><tr>", row->out);
    for (size_t i = 0; row->titles[i]; i++) {
        fputs(i < row->first_number ? "<th>" : "<th class=\"n\">", row->out);
        chart_escaped(row->out, row->titles[i]);
        fputs("</th>", row->out);
    }
    fputs("</tr></thead><tbody>\n", row->out);
}

static void cell(struct row_cells *row, const char *text)
{
    fputs("<td", row->out);
    if (row->next >= row->first_number)
        fputs(" class=\"n\"", row->out);
    fputs(" data-title=\"", row->out);
    chart_escaped(row->out, row->titles[row->next++]);
    fputs("\">", row->out);
    chart_escaped(row->out, text);
    fputs("</td>", row->out);
}

/* Writes a reason across the remaining cells of a row. */
static void reason(struct row_cells *row, const char *status, const char *text)
{
    size_t columns = row->next;
    while (row->titles[columns])
        columns++;
    fprintf(row->out, "<td class=\"reason\" colspan=\"%zu\">", columns - row->next);
    chart_escaped(row->out, status);
    fputs(*status ? ": " : "", row->out);
    chart_escaped(row->out, text);
    fputs("</td>", row->out);
}

static const char *device_class(const struct shoal_device_info *info)
{
    return info->is_host ? "host" : info->is_gpu ? "gpu" : info->is_cpu ? "cpu" : "other";
}

/* Charts ----------------------------------------------------------------------------------------------- */

/* Figures of a row that a bar shows. value, least, most: median, least and largest sample; at_roof: time of
 * the same work at the rate of the roof; 0: not known. */
struct bar {
    double value, least, most, at_roof;
};

typedef struct bar bar_of(const struct comparison *comparison, const struct cli_row *row);

static struct bar device_time(const struct comparison *comparison, const struct cli_row *row)
{
    return (struct bar){row->device_s, row->device_min, row->device_max,
                        row->device_s * compare_share(comparison, row)};
}

static struct bar setup_time(const struct comparison *comparison, const struct cli_row *row)
{
    const double value = row->build_s + row->first_launch_s;
    (void)comparison;
    return (struct bar){value, value, value, 0};
}

struct bars {
    const struct comparison *comparison;
    const struct compared_work *work;
    bar_of *figure;
    const char *caption, *axis;
};

/* Makes the scale of the bars, in percent of the width. The scale starts at 0, or is logarithmic if the
 * shortest bars would be invisible. */
static bool scale_of(const struct bars *bars, struct chart_scale *scale)
{
    double least = INFINITY, most = 0;
    for (size_t r = 0; r < bars->work->row_count; r++) {
        const struct cli_row *row = &bars->work->rows[r];
        const struct bar bar = cli_row_valid(row) ? bars->figure(bars->comparison, row) : (struct bar){0};
        if (!(bar.value > 0))
            continue;
        least = fmin(least, bar.least > 0 ? bar.least : bar.value);
        most = fmax(most, bar.most);
    }
    if (most <= 0)
        return false;
    bool logarithmic = most / least > 50;
    *scale = chart_scale_over(logarithmic ? least * 0.8 : 0, most, logarithmic, 0, 100);
    return true;
}

/* Text of a tick, such as "20 ms", without trailing zeros. */
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

static void print_axis(FILE *out, const struct chart_scale *scale, const char *name)
{
    size_t ticks = 0;
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick))
        ticks++;
    fprintf(out, "<div class=\"axis%s\">", ticks > 5 ? " many" : "");
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick))
        fprintf(out, "<span style=\"left:%.2f%%\">%s</span>", fmin(chart_place(scale, tick), 100),
                tick_text(tick).s);
    fprintf(out, "</div>\n<span>%s%s</span>", name, scale->logarithmic ? ", logarithmic" : "");
}

static void print_track(FILE *out, const struct chart_scale *scale, const struct shoal_device_info *info,
                        const struct bar *bar)
{
    fputs("<div class=\"track\">", out);
    for (double tick = scale->low; chart_has_tick(scale, tick); tick = chart_next_tick(scale, tick))
        fprintf(out, "<i style=\"left:%.2f%%\"></i>", fmin(chart_place(scale, tick), 100) * 0.998);
    if (bar->value > 0)
        fprintf(out, "<div class=\"bar %s\" style=\"width:%.2f%%\"></div>", device_class(info),
                chart_place(scale, bar->value));
    if (bar->most > bar->least)
        fprintf(out, "<b class=\"range\" style=\"left:%.2f%%;width:%.2f%%\"></b>",
                chart_place(scale, bar->least),
                chart_place(scale, bar->most) - chart_place(scale, bar->least));
    if (bar->at_roof > scale->low && bar->at_roof <= scale->high)
        fprintf(out, "<b class=\"roof\" style=\"left:%.2f%%\"></b>",
                chart_place(scale, bar->at_roof) * 0.998);
    fputs("</div>\n", out);
}

static void print_bar(FILE *out, const struct bars *bars, const struct chart_scale *scale,
                      const struct cli_row *row)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    const bool is_valid = cli_row_valid(row);
    const struct bar bar = is_valid ? bars->figure(bars->comparison, row) : (struct bar){0};
    char *devices = cli_row_devices(row);
    fprintf(out, "<div class=\"name\"><div><strong>%s %s</strong> ", devices, cli_row_variant(row).s);
    text_in(out, "span", row->split ? "one run" : info->name);
    free(devices);
    fputs("</div><div>", out);
    if (!is_valid) {
        text_in(out, "span", shoal_status_name(row->error.status));
    } else {
        text_in(out, "strong", cli_seconds(bar.value).s);
        if (bar.most > bar.least)
            fprintf(out, "<span>; %s to %s</span>", cli_seconds(bar.least).s, cli_seconds(bar.most).s);
        if (bar.at_roof > 0)
            fprintf(out, "<span>; %s</span>", compare_share_text(bars->comparison, row).s);
    }
    fputs("</div></div>", out);
    print_track(out, scale, info, &bar);
}

static void print_chart(FILE *out, const struct bars *bars)
{
    struct chart_scale scale;
    if (!scale_of(bars, &scale))
        return;
    fprintf(out, "<figure><figcaption>%s</figcaption>\n<div class=\"chart\">\n", bars->caption);
    for (size_t r = 0; r < bars->work->row_count; r++)
        print_bar(out, bars, &scale, &bars->work->rows[r]);
    print_axis(out, &scale, bars->axis);
    fputs("</div></figure>\n", out);
}

/* Tables ----------------------------------------------------------------------------------------------- */

static void work_row(const struct row_cells *empty, const struct comparison *comparison,
                     const struct compared_work *work, const struct cli_row *row)
{
    struct row_cells cells = *empty;
    char text[128];
    char *devices = cli_row_devices(row);
    fputs("<tr>", cells.out);
    cell(&cells, devices);
    free(devices);
    cell(&cells, cli_row_variant(row).s);
    if (cli_row_valid(row)) {
        cell(&cells, cli_seconds(row->device_s).s);
        cell(&cells, row->error.status == SHOAL_STOPPED ? "stopped"
                                                        : cli_ratio(compare_speed(comparison, work, row)).s);
        cell(&cells, compare_share_text(comparison, row).s);
        cell(&cells, cli_seconds(row->wall_s).s);
        cell(&cells, cli_seconds(row->build_s).s);
        cell(&cells, cli_seconds(row->first_launch_s).s);
        cell(&cells, cli_result_value(&row->result).s);
        snprintf(text, sizeof text, "%.1e", row->result.error);
        cell(&cells, text);
        snprintf(text, sizeof text, "%zu", row->samples);
        cell(&cells, text);
    } else {
        reason(&cells, shoal_status_name(row->error.status), row->error.message);
    }
    fputs("</tr>\n", cells.out);
}

static void work_table(FILE *out, const struct comparison *comparison, const struct compared_work *work,
                       const struct shoal_result *first)
{
    char *speed = cli_sprintf("x %s", shoal_device_get_info(comparison->baseline)->id);
    const char *const titles[] = {"device", "variant",      "device time",
                                  speed,    "of roof",      "wall time",
                                  "build",  "first launch", first ? first->value_name : "result",
                                  "error",  "runs",         NULL};
    struct row_cells cells = {.out = out, .titles = titles, .first_number = 2};
    heads(&cells);
    for (size_t r = 0; r < work->row_count; r++)
        work_row(&cells, comparison, work, &work->rows[r]);
    fputs("</tbody></table>\n", out);
    if (first) {
        fputs("<p class=\"facts\">Check that every row with figures passed: ", out);
        chart_escaped(out, first->check_name);
        fputs(". Error: difference from the same formula in double precision on the host, relative to at "
              "least 1. ",
              out);
        chart_escaped(out, speed);
        fputs(": times as fast in device time.</p>\n", out);
    }
    free(speed);
}

static void work_section(FILE *out, const struct comparison *comparison, const struct compared_work *work)
{
    const struct shoal_result *first = cli_first_result(work->rows, work->row_count);
    const struct bars times = {comparison, work, device_time,
                               "Device time of the run, median; shorter is better", "device time"},
                      setup = {comparison, work, setup_time,
                               "Set-up before it: kernel build and first launch", "set-up time"};
    char *sizes = cli_work_line(work->workload, work->params, work->rows, work->row_count);
    text_in(out, "h2", work->workload->name);
    text_in(out, "p", work->workload->summary);
    fputs("<p>", out);
    text_in(out, "code", sizes);
    fputs("</p>\n", out);
    print_chart(out, &times);
    print_chart(out, &setup);
    work_table(out, comparison, work, first);
    char *divided = compare_divided_text(work);
    if (divided)
        text_in(out, "p", divided);
    free(divided);
    free(sizes);
}

static void device_row(const struct row_cells *empty, const struct shoal_device_info *info,
                       const struct compared_roofs *measured)
{
    struct row_cells cells = *empty;
    const struct shoal_roofs *roofs = &measured->roofs;
    char text[160];
    fputs("<tr>", cells.out);
    cell(&cells, info->id);
    snprintf(text, sizeof text, "%s%s%s", info->name, info->alias_of ? "; same card as " : "",
             info->alias_of ? info->alias_of : "");
    cell(&cells, text);
    cell(&cells, info->driver);
    snprintf(text, sizeof text, "%u", info->units);
    cell(&cells, text);
    cell(&cells, info->memory ? cli_bytes(info->memory).s : "-");
    if (measured->measured && measured->error.status == SHOAL_OK) {
        cell(&cells, cli_roof(roofs->fp32_flops, "flop/s").s);
        cell(&cells, cli_roof(roofs->fp64_flops, "flop/s").s);
        cell(&cells, cli_roof(roofs->sfu_ops, "op/s").s);
        cell(&cells, cli_roof(roofs->copy_bytes, "B/s").s);
        cell(&cells, cli_roof(roofs->launch_s, "s").s);
    } else {
        reason(&cells, "", measured->measured ? measured->error.message : "roofs not measured");
    }
    fputs("</tr>\n", cells.out);
}

static void device_section(FILE *out, const struct comparison *comparison)
{
    static const char *const titles[] = {"device",     "name",       "driver",     "units",
                                         "memory",     "fp32_flops", "fp64_flops", "sfu_ops",
                                         "copy_bytes", "launch",     NULL};
    const struct cli *cli = comparison->cli;
    struct row_cells cells = {.out = out, .titles = titles, .first_number = 3};
    fputs("<h2>Devices</h2>\n", out);
    heads(&cells);
    bool any = false;
    for (size_t d = 0; d < cli->device_count; d++) {
        device_row(&cells, shoal_device_get_info(cli->devices[d]), &comparison->roofs[d]);
        any = any || comparison->roofs[d].measured;
    }
    fputs("</tbody></table>\n<p class=\"facts\">", out);
    if (any)
        fputs("Roofs, the highest rates of the device, were measured in the same run: fused multiply-adds "
              "count "
              "two operations, sfu_ops are reciprocal square roots, copy_bytes are read and written. ",
              out);
    fputs("Host code: ", out);
    chart_escaped(out, shoal_host_compiler());
    fputs(".</p>\n", out);
}

/* Page ------------------------------------------------------------------------------------------------- */

static void fact(FILE *out, const char *name, const char *value)
{
    text_in(out, "dt", name);
    text_in(out, "dd", value);
    putc('\n', out);
}

static void facts(FILE *out, const struct comparison *comparison)
{
    const struct results *results = &comparison->results;
    const struct result_machine *machine = &results->machine;
    char text[256];
    char *load = result_machine_load(machine);
    fputs("<dl>\n", out);
    fact(out, "machine", machine->name);
    snprintf(text, sizeof text, "%s, %.0f threads", machine->processor, machine->threads);
    fact(out, "processor", text);
    fact(out, "kernel", machine->kernel);
    fact(out, "load", load + strlen("load "));
    free(load);
    fact(out, "date", results->date);
    snprintf(text, sizeof text, "%s, commit %s", shoal_version(), results->commit);
    fact(out, "shoal", text);
    fact(out, "command", results->command);
    fputs("</dl>\n", out);
}

char *compare_html(const struct comparison *comparison, size_t *bytes)
{
    char *page = NULL;
    FILE *out = open_memstream(&page, bytes);
    if (!out) {
        fputs("shoal: out of memory\n", stderr);
        exit(CLI_FAILURE);
    }
    char *times = comparison->samples > 1 ? cli_sprintf("medians of up to %zu runs", comparison->samples)
                                          : cli_strdup("those of one run");
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<title>shoal compare</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>shoal compare</h1>\n"
            "<p>The same work, with the same parameters and seed, on every device; times are "
            "%s. " COMPARE_ROUNDING " The line below a bar goes from the fastest to the "
            "slowest run; the dashed line is the time at the roof of the device, where there is one (what "
            "fits into caches can be faster).</p>\n",
            style, times);
    free(times);
    facts(out, comparison);
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
