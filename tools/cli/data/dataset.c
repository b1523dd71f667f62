#include "cli/data/dataset.h"

#include "base/counted.h"

#include "cli/data/uses.h"
#include "cli/output/files/endings.h"
#include "cli/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Words in the order of enum shoal_column_kind and enum shoal_encoding. */
const char *const cli_column_kinds[] = {"number", "binary", "category", "ignored"};
const char *const cli_column_encodings[] = {"plain", "one-hot", "thermometer", "bits"};

void cli_note_no_names(const struct cli *cli, const char *out, const char *from)
{
    cli_note(cli, "%s: this format has no names of columns: those of %s are not in it", out, from);
}

static int open_dataset(const struct cli *cli, const struct shoal_dataset_params *params,
                        struct shoal_dataset **dataset)
{
    struct shoal_error error = {0};
    if (shoal_dataset_open(params, dataset, &error))
        return cli_fail(NULL, &error);
    cli_notes(cli, shoal_dataset_get_info(*dataset)->notes);
    return CLI_OK;
}

/* Text --------------------------------------------------------------------------------------------------- */

static bool are_alike(const struct shoal_dataset_column *a, const struct shoal_dataset_column *b)
{
    return a->kind == b->kind && a->left_out == b->left_out && a->encoding == b->encoding &&
           a->is_target == b->is_target && !a->category_count == !b->category_count;
}

/* Number of similar neighbouring columns from `first` on, which share one line if the data set has many
 * columns. */
static size_t run_of(const struct shoal_dataset *dataset, size_t first)
{
    enum { MANY = 60 };
    const size_t columns = shoal_dataset_get_info(dataset)->columns;
    size_t end = first + 1;
    while (columns > MANY && end < columns &&
           are_alike(shoal_dataset_column_at(dataset, first), shoal_dataset_column_at(dataset, end)))
        end++;
    return end;
}

static void add_columns(const struct shoal_dataset *dataset, size_t first, size_t end,
                        struct cli_table *table)
{
    const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, first),
                                      *last = shoal_dataset_column_at(dataset, end - 1);
    double least = NAN, greatest = NAN, sum = 0;
    size_t missing = 0, width = 0;
    for (size_t c = first; c < end; c++) {
        const struct shoal_dataset_column *next = shoal_dataset_column_at(dataset, c);
        least = fmin(least, next->least);
        greatest = fmax(greatest, next->greatest);
        sum += next->mean;
        missing += next->missing;
        width += next->width;
    }
    const bool is_number = column->kind != SHOAL_COLUMN_IGNORED && !column->category_count;
    cli_table_row(table);
    if (end - first > 1)
        cli_table_cell(table, "%s ... %s", column->name, last->name);
    else
        cli_table_cell(table, "%s", column->name);
    cli_table_cell(table, "%s", column->left_out ? "left out" : column->is_target ? "target" : "input");
    cli_table_cell(table, "%s", cli_column_kinds[column->kind]);
    cli_table_cell(table, "%s",
                   column->kind == SHOAL_COLUMN_IGNORED ? "-" : cli_column_encodings[column->encoding]);
    cli_table_cell(table, "%zu", width);
    cli_table_cell(table, "%zu", missing);
    if (column->category_count && end - first == 1)
        cli_table_cell(table, "%zu", column->category_count);
    else
        cli_table_cell(table, "-");
    cli_table_cell(table, "%s", is_number ? cli_exact(least, false).s : "-");
    cli_table_cell(table, "%s", is_number ? cli_mean(sum / (double)(end - first), least, greatest).s : "-");
    cli_table_cell(table, "%s", is_number ? cli_exact(greatest, false).s : "-");
}

static void print_columns(const struct shoal_dataset *dataset)
{
    static const struct cli_column columns[] = {{.title = "column", .least = 12},
                                                {.title = "use", .stays = true},
                                                {.title = "kind", .stays = true},
                                                {.title = "encoding", .stays = true},
                                                {.title = "width", .right = true, .stays = true},
                                                {.title = "missing", .right = true, .stays = true},
                                                {.title = "values", .right = true, .stays = true},
                                                {.title = "least", .right = true, .stays = true},
                                                {.title = "mean", .right = true, .stays = true},
                                                {.title = "greatest", .right = true, .stays = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t first = 0, end; first < shoal_dataset_get_info(dataset)->columns; first = end) {
        end = run_of(dataset, first);
        add_columns(dataset, first, end, table);
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_classes(const struct shoal_dataset *dataset, const struct shoal_dataset_column *column)
{
    static const struct cli_column columns[] = {{.title = "class", .least = 12},
                                                {.title = "rows", .right = true, .stays = true},
                                                {.title = "share", .right = true, .stays = true}};
    const size_t rows = shoal_dataset_get_info(dataset)->rows - column->missing;
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t k = 0; k < column->category_count; k++) {
        cli_table_row(table);
        cli_table_cell(table, "%s", column->categories[k]);
        cli_table_cell(table, "%llu", (unsigned long long)column->counts[k]);
        cli_table_cell(table, "%.1f %%", 100 * (double)column->counts[k] / (double)rows);
    }
    cli_print("\nclasses of %s\n", column->name);
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_text(const struct shoal_dataset *dataset, const struct cli_uses *uses)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    cli_print("file     %s\nformat   %s\n", info->name, info->format);
    printf("rows     %zu\ncolumns  %zu, %zu of them target%s\n", info->rows, info->columns, info->targets,
           info->targets == 1 ? "" : "s");
    printf("encoded  %s, %s\nmissing  %s\nmemory   %s\n", counted(info->input_width, "input").s,
           counted(info->target_width, "target").s, counted(info->missing, "value").s,
           cli_bytes(info->bytes).s);
    print_columns(dataset);
    for (size_t c = 0; c < info->columns; c++) {
        const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, c);
        if (column->is_target && column->category_count)
            print_classes(dataset, column);
    }
    cli_uses_print(uses);
}

/* JSON --------------------------------------------------------------------------------------------------- */

static int print_json(const struct shoal_dataset *dataset, const struct cli_uses *uses)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    cJSON *json = cli_json_new("data");
    cli_json_text(json, "file", info->name);
    cli_json_text(json, "format", info->format);
    cli_json_uint(json, "rows", info->rows);
    cli_json_uint(json, "columns", info->columns);
    cli_json_uint(json, "targets", info->targets);
    cli_json_uint(json, "input_width", info->input_width);
    cli_json_uint(json, "target_width", info->target_width);
    cli_json_uint(json, "missing", info->missing);
    cli_json_uint(json, "memory_bytes", info->bytes);
    cli_json_text(json, "notes", *info->notes ? info->notes : NULL);
    cli_uses_json(uses, json);
    cJSON *list = cli_json_array(json, "column_list");
    for (size_t c = 0; c < info->columns; c++) {
        const struct shoal_dataset_column *column = shoal_dataset_column_at(dataset, c);
        const bool is_ignored = column->kind == SHOAL_COLUMN_IGNORED;
        cJSON *object = cli_json_object(list, NULL);
        cli_json_text(object, "name", column->name);
        cli_json_bool(object, "target", column->is_target);
        cli_json_text(object, "kind", cli_column_kinds[column->kind]);
        cli_json_text(object, "encoding", is_ignored ? NULL : cli_column_encodings[column->encoding]);
        cli_json_text(object, "left_out", column->left_out);
        cli_json_uint(object, "width", column->width);
        cli_json_uint(object, "missing", column->missing);
        cli_json_real(object, "least", column->least);
        cli_json_real(object, "mean", column->mean);
        cli_json_real(object, "greatest", column->greatest);
        cJSON *classes = cli_json_array(object, "classes");
        for (size_t k = 0; k < column->category_count; k++) {
            cJSON *entry = cli_json_object(classes, NULL);
            cli_json_text(entry, "name", column->categories[k]);
            cli_json_uint(entry, "rows", column->counts[k]);
        }
    }
    return cli_json_print(json);
}

int cli_dataset_info(const struct cli *cli, const struct shoal_dataset_params *params,
                     const struct cli_uses *uses)
{
    struct shoal_dataset *dataset;
    int code = open_dataset(cli, params, &dataset);
    if (code != CLI_OK)
        return code;
    if (cli->common.json)
        code = print_json(dataset, uses);
    else
        print_text(dataset, uses);
    shoal_dataset_destroy(&dataset);
    return code;
}

/* Conversion --------------------------------------------------------------------------------------------- */

static bool go_on(void *data, size_t done, size_t rows)
{
    (void)data;
    (void)done;
    (void)rows;
    return !cli_stopped(NULL);
}

static int report_file(const struct cli *cli, const struct shoal_dataset *dataset, const char *out)
{
    const struct shoal_dataset_info *info = shoal_dataset_get_info(dataset);
    struct stat about;
    const bool sized = stat(out, &about) == 0 && S_ISREG(about.st_mode); /* a pipe has no size */
    if (!cli->common.json) {
        cli_print("file     %s\nfrom     %s\n", out, info->name);
        printf("rows     %zu\nencoded  %s, %s\n", info->rows, counted(info->input_width, "input").s,
               counted(info->target_width, "target").s);
        if (sized)
            printf("size     %s\n", cli_bytes((uint64_t)about.st_size).s);
        return CLI_OK;
    }
    cJSON *json = cli_json_new("data");
    cli_json_text(json, "file", out);
    cli_json_text(json, "from", info->name);
    cli_json_uint(json, "rows", info->rows);
    cli_json_uint(json, "columns", info->columns);
    cli_json_uint(json, "input_width", info->input_width);
    cli_json_uint(json, "target_width", info->target_width);
    cli_json_uint(json, "bytes", sized ? (uint64_t)about.st_size : 0);
    return cli_json_print(json);
}

static int write_out(const struct cli *cli, struct shoal_dataset *dataset, const char *out,
                     enum shoal_precision precision)
{
    struct shoal_error error = {0};
    if (!shoal_dataset_write(dataset, out, precision, go_on, NULL, &error))
        return report_file(cli, dataset, out);
    return error.status == SHOAL_STOPPED ? cli_exit_code(error.status) : cli_fail(NULL, &error);
}

/* Whether the columns have names. Columns without names are called by their numbers. */
static bool has_names(const struct shoal_dataset *dataset)
{
    bool has = false;
    for (size_t c = 0; c < shoal_dataset_get_info(dataset)->columns && !has; c++) {
        char *number = cli_sprintf("%zu", c + 1);
        has = strcmp(shoal_dataset_column_at(dataset, c)->name, number) != 0;
        free(number);
    }
    return has;
}

int cli_dataset_convert(const struct cli *cli, const struct shoal_dataset_params *params, const char *out,
                        enum shoal_precision precision)
{
    struct shoal_dataset *dataset;
    int code = open_dataset(cli, params, &dataset);
    if (code != CLI_OK)
        return code;
    code = write_out(cli, dataset, out, precision);
    if (code == CLI_OK && has_names(dataset) && !cli_has_format(out, ".csv"))
        cli_note_no_names(cli, out, params->path);
    shoal_dataset_destroy(&dataset);
    return code;
}

int cli_dataset_generate(const struct cli *cli, const struct shoal_dataset_generator *generator,
                         const char *out, enum shoal_precision precision)
{
    struct shoal_error error = {0};
    struct shoal_dataset *dataset;
    if (shoal_dataset_generate(generator, &dataset, &error))
        return cli_fail(NULL, &error);
    const int code = write_out(cli, dataset, out, precision);
    shoal_dataset_destroy(&dataset);
    return code;
}
