#include "cli/run/text.h"

#include "cli/output/tables/block.h"
#include "cli/output/tables/layout.h"
#include "cli/run/split.h"
#include "cli/run/stages.h"
#include "cli/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fields ------------------------------------------------------------------------------------------------ */

static char *numbers_text(const struct shoal_field *field)
{
    enum { SHOWN = 8 };
    char *text = cli_strdup("");
    for (size_t i = 0; i < field->count && i < SHOWN; i++) {
        char *longer =
            cli_sprintf("%s%s%s", text, i ? " " : "", cli_digits(field->reals[i], field->digits).s);
        free(text);
        text = longer;
    }
    if (field->count <= SHOWN)
        return text;
    char *longer = cli_sprintf("%s ... (%zu values; all with --out or --json)", text, field->count);
    free(text);
    return longer;
}

/* Text of a field with its unit. behind: the next field, NULL: none. If `behind` is the standard error of
 * `field`, the text includes the error: "0.301 +- 0.048 (102 samples)". */
static char *field_text(const struct shoal_field *field, const struct shoal_field *behind)
{
    switch (field->type) {
    case SHOAL_FIELD_UINT:
        return cli_sprintf("%llu%s%s", (unsigned long long)field->uint, *field->unit ? " " : "", field->unit);
    case SHOAL_FIELD_REAL:
        if (behind && behind->place == SHOAL_PLACE_ERROR)
            return cli_sprintf("%s%s%s (%zu %s)", cli_uncertain(field->real, behind->real).s,
                               *field->unit ? " " : "", field->unit, behind->count, behind->unit);
        if (!isfinite(field->real))
            return cli_strdup(cli_number(field->real).s);
        return cli_sprintf("%s%s%s", cli_digits(field->real, field->digits).s, *field->unit ? " " : "",
                           field->unit);
    case SHOAL_FIELD_REALS:
        return numbers_text(field);
    case SHOAL_FIELD_TEXT:
        return cli_strdup(field->text);
    case SHOAL_FIELD_FLAG:
        return cli_strdup(field->uint ? "yes" : "no");
    }
    return cli_strdup("");
}

/* Text of the field at *index and of the following fields that are joined to it; *index becomes the index
 * after these fields. */
static char *line_text(const struct shoal_result *result, size_t *index)
{
    char *line = NULL;
    for (size_t i = *index; i < result->field_count; (*index = ++i)) {
        const struct shoal_field *field = &result->fields[i];
        if (line && (field->place == SHOAL_PLACE_LINE || field->place == SHOAL_PLACE_NONE))
            break;
        if (line && field->place == SHOAL_PLACE_ERROR)
            continue;
        char *value = field_text(field, i + 1 < result->field_count ? field + 1 : NULL);
        char *name = cli_label(field->name);
        char *longer = line ? cli_sprintf("%s, %s %s", line, name, value) : cli_strdup(value);
        free(name);
        free(value);
        free(line);
        line = longer;
    }
    return line;
}

static void add_fields(struct cli_block *block, const struct cli_row *row)
{
    /* If steps are simulated time, the block shows steps a second. */
    if (row->workload->flags & SHOAL_WORKLOAD_SIMULATES && row->device_s > 0 && row->result.step_work > 0)
        cli_block_line(block, "steps/s", "%s",
                       cli_si(row->timed_work / row->result.step_work / row->device_s, "").s);
    for (size_t i = 0; i < row->result.field_count;) {
        const struct shoal_field *field = &row->result.fields[i];
        char *text = line_text(&row->result, &i);
        if (field->place != SHOAL_PLACE_NONE)
            cli_block_line(block, field->name, "%s", text);
        free(text);
    }
}

/* Rows -------------------------------------------------------------------------------------------------- */

enum { COLUMNS = 14 };

static const char *end_note(const struct cli_row *row)
{
    return row->stopped ? " (stopped)" : row->timed_out ? " (time)" : "";
}

/* Adds the number of steps of the run; warm-up steps have a column of their own. */
static void add_steps(struct cli_table *table, const struct cli_row *row, const void *params)
{
    const struct shoal_result *result = &row->result;
    if (shoal_workload_warm_up_steps(row->workload, params))
        cli_table_cell(table, "%llu", (unsigned long long)result->warm_up_steps);
    else
        cli_table_cell(table, "-");
    cli_table_cell(table, "%llu%s", (unsigned long long)(result->steps - result->warm_up_steps),
                   end_note(row));
}

/* Adds the reason why the run ended, if the workload gives a reason. For a single run the cell is "-", since
 * the reason is among the fields of the row. */
static void add_end(struct cli_table *table, const struct cli_row *row, bool is_single)
{
    const struct shoal_field *end = is_single ? NULL : shoal_result_find(&row->result, "end");
    cli_table_cell(table, "%s", end ? end->text : "-");
}

/* The rows that a text shows. */
struct rows {
    const struct cli_row *row;
    size_t count;
    /* rows solve the same problem: the best row is marked, and shown below the table */
    bool names_best;
    const struct cli_row *best; /* NULL: no row is the best */
};

static void add_row(struct cli_table *table, const struct cli_row *row, const void *params,
                    const struct rows *rows)
{
    const struct shoal_device_info *info = shoal_device_get_info(row->device);
    char *devices = cli_row_devices(row);
    cli_table_row(table);
    cli_table_cell(table, "%s%s%s%s", devices, row->label ? " " : "", row->label ? row->label : "",
                   row == rows->best ? " *" : "");
    free(devices);
    cli_table_cell(table, "%s", cli_row_variant(row).s);
    cli_table_cell(table, "%s", info->name);
    if (!cli_row_has_result(row)) {
        cli_table_span(table, "%s: %s", shoal_status_name(row->error.status), row->error.message);
        return;
    }
    cli_table_cell(table, "%s", cli_result_value(&row->result).s);
    cli_table_cell(table, "%.1e", row->result.error);
    cli_table_cell(table, "%s", row->result.check_passed ? "pass" : "FAIL");
    add_steps(table, row, params);
    add_end(table, row, rows->count == 1);
    cli_table_cell(table, "%s", cli_seconds(row->device_s).s);
    cli_table_cell(table, "%s", cli_seconds(row->wall_s).s);
    cli_table_cell(table, "%s", cli_seconds(row->build_s).s);
    cli_table_cell(table, "%s", cli_seconds(row->first_launch_s).s);
    cli_table_cell(table, "%s", row->device_s > 0 ? cli_si(row->timed_work / row->device_s, "").s : "-");
}

/* Prints the block of a row. table: the table of the row, whose cells are lines of the block; NULL: the block
 * has only fields. */
static void print_block(const struct cli_table *table, const struct cli_row *row)
{
    struct cli_block *block = cli_block_new();
    if (table)
        cli_table_add_to(table, block);
    add_fields(block, row);
    cli_block_print(block, stdout);
    cli_block_free(&block);
    const struct report *report = cli_report_of(row->workload);
    if (report && report->row_print)
        report->row_print(row);
}

static char *best_line(const struct cli_row *best)
{
    if (!best)
        return cli_strdup("best: none, as no device has a number for a value and passed the check");
    const char *name = best->result.value_name;
    return cli_sprintf("best: %s, %s %s", shoal_device_get_info(best->device)->id,
                       strcmp(name, "best") == 0 ? "value" : name, cli_result_value(&best->result).s);
}

static void print_best(const struct cli *cli, const struct rows *rows)
{
    char *line = best_line(rows->best);
    printf("\n%s\n", line);
    if (rows->best && !cli->common.verbose) /* with --verbose the block is among those of all rows */
        print_block(NULL, rows->best);
    free(line);
}

static void print_rows(const struct cli *cli, const struct cli_table *table, const struct rows *rows)
{
    if (rows->count == 1) {
        print_block(table, rows->row);
        run_split_print(rows->row);
        return;
    }
    cli_table_print(table, stdout);
    if (rows->names_best)
        print_best(cli, rows);
    for (const struct cli_row *row = rows->row; row < rows->row + rows->count && cli->common.verbose; row++) {
        if (!cli_row_has_result(row))
            continue;
        char *devices = cli_row_devices(row);
        printf("\n%s%s%s\n", devices, row->label ? " " : "", row->label ? row->label : "");
        free(devices);
        print_block(NULL, row);
    }
}

void run_text_print(const struct cli *cli, const struct cli_row *rows, size_t count)
{
    const struct shoal_workload *workload = cli->command->workload;
    const struct shoal_result *first = cli_first_result(rows, count);
    const char *warm_up = workload->warm_up_name;
    const struct report *report = cli_report_of(workload);
    struct rows all = {.row = rows, .count = count};
    all.names_best = count > 1 && report && report->is_better;
    all.best = all.names_best ? cli_best_row(rows, count) : NULL;
    char *sizes = cli_work_line(workload, cli->params, rows, count);
    char *head = cli_sprintf("%s  %s", workload->name, sizes);
    const char *runs = count < 2          ? ""
                       : cli->stage_count ? "1 run of each stage on each device; "
                                          : "1 run on each device; ";
    char *check = cli_sprintf("%scheck: %s", runs, first->check_name);
    char *rate = cli_sprintf("%s/s", first->work_unit);
    const struct cli_column columns[COLUMNS] = {{.title = "device"},
                                                {.title = "variant"},
                                                {.title = "name", .least = 12, .rank = 3},
                                                {.title = first->value_name, .stays = true, .right = true},
                                                {.title = "error", .stays = true, .right = true, .rank = 2},
                                                {.title = "check"},
                                                {.title = warm_up ? warm_up : "", .right = true},
                                                {.title = "steps", .right = true},
                                                {.title = "end"},
                                                {.title = "device time", .stays = true, .right = true},
                                                {.title = "wall time", .right = true, .rank = 4},
                                                {.title = "build", .right = true, .rank = 5},
                                                {.title = "first launch", .right = true, .rank = 6},
                                                {.title = rate, .stays = true, .right = true, .rank = 1}};
    struct cli_table *table = cli_table_new(columns, COLUMNS);
    for (size_t r = 0; r < count; r++)
        add_row(table, &rows[r], rows[r].stage ? rows[r].stage->cli.params : cli->params, &all);
    cli_paragraph(stdout, strlen(workload->name) + 2, head);
    run_stages_text(cli);
    if (cli->choice) {
        char *choice = cli_sprintf("algorithm: %s", cli->choice);
        cli_paragraph(stdout, strlen("algorithm: "), choice);
        free(choice);
    }
    cli_paragraph(stdout, 0, check);
    putchar('\n');
    print_rows(cli, table, &all);
    if (first->note && !cli->common.quiet) {
        char *note = cli_sprintf("Note: %s.", first->note);
        putchar('\n');
        cli_paragraph(stdout, 0, note);
        free(note);
    }
    cli_table_free(&table);
    free(rate);
    free(check);
    free(head);
    free(sizes);
}
