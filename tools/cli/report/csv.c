/* All rows as one table, for other programs. */
#include "cli/report/report.h"
#include "io/decimal.h"

#include <math.h>
#include <string.h>

static void text_field(FILE *out, const char *text)
{
    cli_csv_text(out, text);
    putc(',', out);
}

/* Numbers that are not known are empty fields. */
static void number_field(FILE *out, double value)
{
    if (isfinite(value))
        fputs(decimal_text(value, false).s, out);
    putc(',', out);
}

static const char *check_of(const struct result_row *row)
{
    return row->check == RESULT_PASSED ? "pass" : row->check == RESULT_FAILED ? "fail" : "none";
}

/* The first fields of each line: what was run, where and when. */
static void write_place(FILE *out, const struct results_report *report, const char *name, const char *size,
                        size_t run, size_t device)
{
    const struct results *results = report->runs[run].results;
    text_field(out, name);
    text_field(out, size);
    text_field(out, report->runs[run].machine);
    text_field(out, results->machine.processor);
    text_field(out, results->date);
    text_field(out, results->commit);
    text_field(out, report->devices[device].id);
    text_field(out, report->devices[device].name);
}

static void write_row(FILE *out, const struct results_report *report, const struct report_case *of,
                      const struct report_row *at)
{
    const struct result_row *row = at->row;
    const bool has_figure = report_has_figure(row);
    write_place(out, report, row->name, row->size, at->run, at->device);
    text_field(out, row->variant);
    text_field(out, row->precision);
    text_field(out, check_of(row));
    number_field(out, has_figure ? row->value : NAN);
    text_field(out, row->unit);
    text_field(out, row->higher_is_better ? "higher" : "lower");
    number_field(out, at->is_peer ? NAN : report_speed(report, of, at));
    number_field(out, (double)row->samples);
    number_field(out, row->min);
    number_field(out, row->max);
    number_field(out, row->spread);
    text_field(out, result_roof_name(row->bound));
    number_field(out, row->roof > 0 ? row->roof : NAN);
    number_field(out, row->share > 0 ? row->share : NAN);
    number_field(out, row->error);
    number_field(out, row->device_s > 0 ? row->device_s : NAN);
    number_field(out, row->wall_s);
    number_field(out, row->build_s);
    number_field(out, row->first_launch_s);
    cli_csv_text(out, has_figure ? "" : report_reason(row));
    putc('\n', out);
}

/* A case that a device has not run: the fields from value to first_launch_s are empty. */
static void write_failure(FILE *out, const struct results_report *report,
                          const struct report_failure *failure)
{
    write_place(out, report, failure->name, "", failure->run, failure->device);
    fputs(",,none,,,,,,,,,,,,,,,,,", out);
    cli_csv_text(out, failure->reason);
    putc('\n', out);
}

void report_csv(FILE *out, const void *data)
{
    const struct results_report *report = data;
    fputs(
        "case,size,machine,processor,date,commit,device,device_name,variant,precision,check,value,unit,"
        "better,"
        "speed,samples,min,max,spread,bound,roof,share,error,device_s,wall_s,build_s,first_launch_s,reason\n",
        out);
    for (size_t c = 0; c < report->case_count; c++)
        for (size_t r = 0; r < report->cases[c].row_count; r++)
            write_row(out, report, &report->cases[c], &report->cases[c].rows[r]);
    for (size_t f = 0; f < report->failure_count; f++)
        if (!report->failures[f].row)
            write_failure(out, report, &report->failures[f]);
}
