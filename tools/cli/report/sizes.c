/* Speed over problem size, from the names of cases: "gas.allpairs.log-4096", "-262144". */
#include "cli/report/sizes.h"
#include "cli/report/html.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of a name that is its size, and the size as a number. */
struct size_word {
    size_t begin, end;
    double value;
};

/* Reads a number with a unit of count, such as "4096", "1m", "64mi". NaN: the word is none. */
static double read_size(const char *word, size_t length)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"ki", 0x1p10}, {"mi", 0x1p20}, {"gi", 0x1p30}};
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)word[digits]))
        digits++;
    for (size_t u = 0; digits > 0 && digits < 16 && u < sizeof units / sizeof *units; u++)
        if (strlen(units[u].unit) == length - digits &&
            strncmp(word + digits, units[u].unit, length - digits) == 0)
            return strtod(word, NULL) * units[u].factor;
    return NAN;
}

/* Finds the size in the name of a case; false: the name has none, or several numbers. */
static bool find_size(const char *name, struct size_word *found)
{
    const char *at = strchr(name, '.');
    size_t count = 0;
    at = at ? strchr(at + 1, '.') : NULL;
    while (at) {
        const char *word = at + 1;
        const size_t length = strcspn(word, "-");
        const double value = read_size(word, length);
        if (value > 0) {
            *found = (struct size_word){(size_t)(word - name), (size_t)(word - name) + length, value};
            count++;
        }
        at = word[length] ? word + length : NULL;
    }
    return count == 1;
}

/* The sizes of `shoal compare`, in their order. */
static const char *const named[] = {"small", "medium", "large"};

/* A case of a family: its size, and the name of the family, which its sizes share. */
struct member {
    const struct report_case *of;
    char *family, *label;
    double x;
};

static bool member_of(const struct results_report *report, const struct report_case *of,
                      struct member *member)
{
    struct size_word word;
    *member = (struct member){.of = of};
    for (size_t r = 0; r < of->row_count; r++)
        for (size_t n = 0; n < sizeof named / sizeof *named; n++)
            if (strcmp(of->rows[r].row->size, named[n]) == 0) {
                member->family = cli_strdup(report->workloads[of->workload]);
                member->label = cli_strdup(named[n]);
                member->x = (double)n;
                return true;
            }
    if (!find_size(of->name, &word))
        return false;
    member->family = cli_sprintf("%.*sN%s", (int)word.begin, of->name, of->name + word.end);
    member->label = cli_sprintf("%.*s", (int)(word.end - word.begin), of->name + word.begin);
    member->x = log10(word.value);
    return true;
}

static int by_size(const void *one, const void *two)
{
    const struct html_point *a = one, *b = two;
    return (a->x > b->x) - (a->x < b->x);
}

/* The points of a device with a variant in a family. */
static size_t take_points(const struct results_report *report, const struct member *members, size_t count,
                          const struct report_row *like, struct html_point *points)
{
    size_t taken = 0;
    for (size_t m = 0; m < count; m++)
        for (size_t r = 0; r < members[m].of->row_count; r++) {
            const struct report_row *row = &members[m].of->rows[r];
            if (!row->is_peer && row->device == like->device && report_has_figure(row->row) &&
                strcmp(row->row->variant, like->row->variant) == 0 &&
                strcmp(row->row->unit, like->row->unit) == 0 &&
                !report_is_replaced(report, members[m].of, row))
                points[taken++] = (struct html_point){members[m].x, row->row->value, members[m].label};
        }
    qsort(points, taken, sizeof *points, by_size);
    return taken;
}

static bool has_curve(const struct html_curve *curves, size_t count, const char *name)
{
    for (size_t c = 0; c < count; c++)
        if (strcmp(curves[c].name, name) == 0)
            return true;
    return false;
}

/* Draws the family of members[count]. */
static void draw_family(FILE *out, const struct results_report *report, const struct member *members,
                        size_t count)
{
    size_t rows = 0, curve_count = 0;
    for (size_t m = 0; m < count; m++)
        rows += members[m].of->row_count;
    struct html_curve *curves = cli_alloc((rows + 1) * sizeof *curves);
    const char *unit = NULL;
    bool is_time = false;
    for (size_t m = 0; m < count; m++)
        for (size_t r = 0; r < members[m].of->row_count; r++) {
            const struct report_row *row = &members[m].of->rows[r];
            if (row->is_peer || !report_has_figure(row->row) || (unit && strcmp(unit, row->row->unit) != 0))
                continue;
            char *name = report_label(report, row);
            struct html_point *points = cli_alloc((rows + 1) * sizeof *points);
            const size_t taken =
                has_curve(curves, curve_count, name) ? 0 : take_points(report, members, count, row, points);
            if (taken > 1 && points[taken - 1].x > points[0].x) {
                bool is_used = false;
                for (size_t c = 0; c < curve_count; c++)
                    is_used = is_used || curves[c].colour == report->devices[row->device].colour;
                curves[curve_count++] =
                    (struct html_curve){name, points, taken, report->devices[row->device].colour, is_used};
                unit = row->row->unit;
                is_time = !row->row->higher_is_better;
            } else {
                free(name);
                free(points);
            }
        }
    if (curve_count) {
        char *caption = cli_sprintf("%s: %s over problem size; %s is better", members[0].family,
                                    is_time ? "time" : "speed", is_time ? "lower" : "higher");
        html_curves(out, caption, strchr(members[0].family, '.') ? "across: N" : "across: size", unit, curves,
                    curve_count);
        free(caption);
    }
    for (size_t c = 0; c < curve_count; c++) {
        free(curves[c].name);
        free(curves[c].points);
    }
    free(curves);
}

void sizes_draw(FILE *out, const struct results_report *report, size_t workload)
{
    struct member *all = cli_alloc((report->case_count + 1) * sizeof *all);
    struct member *family = cli_alloc((report->case_count + 1) * sizeof *family);
    size_t count = 0;
    for (size_t c = 0; c < report->case_count; c++)
        if (report->cases[c].workload == workload)
            count += member_of(report, &report->cases[c], &all[count]);
    for (size_t m = 0; m < count; m++) {
        size_t size = 0;
        bool is_first = true;
        for (size_t k = 0; k < count; k++)
            if (strcmp(all[k].family, all[m].family) == 0) {
                is_first = is_first && k >= m;
                family[size++] = all[k];
            }
        if (is_first && size > 1)
            draw_family(out, report, family, size);
    }
    for (size_t m = 0; m < count; m++) {
        free(all[m].family);
        free(all[m].label);
    }
    free(all);
    free(family);
}
