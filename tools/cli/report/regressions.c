#include "cli/report/regressions.h"
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>

/* The figure of the row; NaN: there is none now. */
static double now_of(const struct regression *regression)
{
    return isnan(regression->loss) ? NAN : regression->row->value;
}

void regressions_print(const struct regression *regressions, size_t count, size_t compared)
{
    static const struct cli_column columns[] = {{.title = "worse than before"},
                                                {.title = "device"},
                                                {.title = "variant"},
                                                {.title = "before", .right = true},
                                                {.title = "now", .right = true},
                                                {.title = "loss", .right = true},
                                                {.title = "allowed", .right = true}};
    if (!count) {
        if (compared)
            printf("\nNone of %zu rows is worse than before.\n", compared);
        return;
    }
    putchar('\n');
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        const struct regression *regression = &regressions[i];
        cli_table_row(table);
        cli_table_cell(table, "%s", regression->row->name);
        cli_table_cell(table, "%s", regression->row->device);
        cli_table_cell(table, "%s", regression->row->variant);
        cli_table_cell(table, "%s", cli_figure(regression->before->value, regression->before->unit).s);
        cli_table_cell(table, "%s", cli_figure(now_of(regression), regression->row->unit).s);
        if (isnan(regression->loss))
            cli_table_cell(table, "no figure");
        else
            cli_table_cell(table, "%.1f %%", 100 * regression->loss);
        cli_table_cell(table, "%.1f %%", 100 * regression->tolerance);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

void regressions_json(cJSON *json, const struct regression *regressions, size_t count)
{
    cJSON *array = cli_json_array(json, "regressions");
    for (size_t i = 0; i < count; i++) {
        const struct regression *regression = &regressions[i];
        cJSON *object = cli_json_object(array, NULL);
        cli_json_text(object, "case", regression->row->name);
        cli_json_text(object, "device", regression->row->device);
        cli_json_text(object, "variant", regression->row->variant);
        cli_json_real(object, "before", regression->before->value);
        cli_json_real(object, "now", now_of(regression));
        cli_json_real(object, "loss", regression->loss);
        cli_json_real(object, "allowed", regression->tolerance);
    }
}
