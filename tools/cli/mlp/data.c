/* shoal data mlp: shows how training would prepare the columns of a data set. */
#include "cli/mlp/data.h"

#include "base/counted.h"

#include "cli/data/dataset.h"
#include "cli/output/json.h"
#include "cli/output/tables/layout.h"
#include "cli/output/tables/table.h"
#include "cli/output/values.h"

#include <inttypes.h>
#include <math.h>
#include <shoal/mlp_preparation.h>
#include <stdlib.h>
#include <string.h>

/* Words in the order of enum shoal_mlp_use. */
static const char *const uses[] = {"input", "target", "weight", "group", "-"};

typedef const struct shoal_mlp_preparation preparation;
typedef const struct shoal_mlp_preparation_info info_of;
typedef const struct shoal_mlp_preparation_column column_of;

static const char *choice_name(const char *option, int32_t value)
{
    return cli_option_find(shoal_workload_find("mlp"), option)->choices[value];
}

/* Columns ------------------------------------------------------------------------------------------------ */

static bool are_alike(column_of *a, column_of *b)
{
    return a->use == b->use && a->kind == b->kind && a->encoding == b->encoding && !a->shift == !b->shift &&
           !a->fill == !b->fill && a->has_indicator == b->has_indicator &&
           !a->category_count == !b->category_count;
}

/* Number of similar neighbouring columns from `first` on, which share one line if the data set has many
 * columns. */
static size_t run_of(preparation *of, size_t first)
{
    enum { MANY = 60 };
    const size_t columns = shoal_mlp_preparation_get_info(of)->columns;
    size_t end = first + 1;
    while (columns > MANY && end < columns &&
           are_alike(shoal_mlp_preparation_column_at(of, first), shoal_mlp_preparation_column_at(of, end)))
        end++;
    return end;
}

/* The range of the numbers of columns that share a line of the table. */
struct range {
    double least, greatest;
};

static void widen(struct range *range, double value)
{
    range->least = fmin(range->least, value);
    range->greatest = fmax(range->greatest, value);
}

/* Adds a cell with the range. error: greatest rounding error of the numbers shown. */
static void add_range(struct cli_table *table, const struct range *range, double error)
{
    if (isnan(range->least))
        cli_table_cell(table, "-");
    else if (range->least < range->greatest)
        cli_table_cell(table, "%s to %s", cli_to_error(range->least, error).s,
                       cli_to_error(range->greatest, error).s);
    else
        cli_table_cell(table, "%s", cli_to_error(range->least, error).s);
}

static void add_columns(preparation *of, size_t first, size_t end, struct cli_table *table)
{
    column_of *column = shoal_mlp_preparation_column_at(of, first),
              *last = shoal_mlp_preparation_column_at(of, end - 1);
    struct range fill = {NAN, NAN}, shift = fill, spread = fill;
    size_t width = 0, missing = 0;
    for (size_t c = first; c < end; c++) {
        column_of *next = shoal_mlp_preparation_column_at(of, c);
        width += next->width;
        missing += next->missing;
        for (size_t k = 0; k < next->width - next->has_indicator; k++) {
            if (next->fill)
                widen(&fill, next->fill[k]);
            if (next->shift)
                widen(&shift, next->shift[k]);
            if (next->shift)
                widen(&spread, next->factor[k] > 0 ? 1 / next->factor[k] : 0);
        }
    }
    const bool is_used = column->use == SHOAL_MLP_USE_INPUT || column->use == SHOAL_MLP_USE_TARGET;
    cli_table_row(table);
    if (end - first > 1)
        cli_table_cell(table, "%s ... %s", column->name, last->name);
    else
        cli_table_cell(table, "%s", column->name);
    cli_table_cell(table, "%s", uses[column->use]);
    if (!is_used)
        return;
    cli_table_cell(table, "%s", cli_column_kinds[column->kind]);
    cli_table_cell(table, "%s%s",
                   column->use == SHOAL_MLP_USE_INPUT || column->shift
                       ? cli_column_encodings[column->encoding]
                       : "class",
                   column->has_indicator ? ", indicator" : "");
    cli_table_cell(table, "%zu", width);
    if (missing)
        cli_table_cell(table, "%zu", missing);
    else
        cli_table_cell(table, "-");
    const double error = 1e-4 * spread.least; /* four digits of the least divisor of the numbers */
    add_range(table, &fill, error);
    add_range(table, &shift, error);
    add_range(table, &spread, error);
}

static void print_columns(preparation *of)
{
    info_of *info = shoal_mlp_preparation_get_info(of);
    const bool is_standard = info->scale == SHOAL_MLP_STANDARD;
    const struct cli_column columns[] = {
        {.title = "column", .least = 12},
        {.title = "use", .stays = true},
        {.title = "kind", .stays = true},
        {.title = "encoding", .stays = true},
        {.title = "width", .right = true, .stays = true},
        {.title = "missing", .right = true, .stays = true},
        {.title = "fill", .right = true, .stays = true},
        {.title = is_standard ? "mean" : "shift", .right = true, .stays = true},
        {.title = is_standard ? "deviation" : "divisor", .right = true, .stays = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t first = 0, end; first < info->columns; first = end) {
        end = run_of(of, first);
        add_columns(of, first, end, table);
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_classes(info_of *info)
{
    static const struct cli_column columns[] = {{.title = "class", .least = 12},
                                                {.title = "training rows", .right = true, .stays = true},
                                                {.title = "weight", .right = true, .stays = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t k = 0; k < info->classes; k++) {
        cli_table_row(table);
        cli_table_cell(table, "%s", info->class_names[k]);
        cli_table_cell(table, "%" PRIu64, info->class_rows[k]);
        if (info->class_weights)
            cli_table_cell(table, "%.6g", info->class_weights[k]);
        else
            cli_table_cell(table, "-");
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static void print_text(preparation *of, uint64_t folds)
{
    info_of *info = shoal_mlp_preparation_get_info(of);
    char *fold = folds ? cli_sprintf("; the first of %" PRIu64 " folds", folds) : cli_strdup("");
    cli_print("file     %s\n", info->name);
    printf("rows     %zu training, %zu validation, %zu test%s\n", info->rows[SHOAL_MLP_TRAINING],
           info->rows[SHOAL_MLP_VALIDATION], info->rows[SHOAL_MLP_TEST], fold);
    if (info->dropped)
        printf("dropped  %s with missing values\n", counted(info->dropped, "row").s);
    printf("net      %s (%s), %s", counted(info->inputs, "input").s, info->form,
           counted(info->outputs, "output").s);
    if (info->classes)
        printf(" of %s", counted(info->classes, "class").s);
    printf("\nscale    %s", choice_name("scale", info->scale));
    if (!info->classes && info->target_scale != info->scale)
        printf(", targets %s", choice_name("target-scale", info->target_scale));
    printf("\nmissing  %s\n", choice_name("missing", info->missing));
    for (const char *note = info->notes; *note; note += strspn(note, "\n")) {
        const size_t length = strcspn(note, "\n");
        cli_print("note     %.*s\n", (int)length, note);
        note += length;
    }
    print_columns(of);
    if (info->classes)
        print_classes(info);
    free(fold);
}

/* JSON --------------------------------------------------------------------------------------------------- */

static void json_numbers(cJSON *object, const char *key, const double *values, size_t count)
{
    cJSON *array = cli_json_array(object, key);
    for (size_t k = 0; values && k < count; k++)
        cli_json_real(array, NULL, values[k]);
}

static void json_texts(cJSON *object, const char *key, const char *const *texts, size_t count)
{
    cJSON *array = cli_json_array(object, key);
    for (size_t k = 0; k < count; k++)
        cli_json_text(array, NULL, texts[k]);
}

static void json_column(cJSON *array, column_of *column)
{
    cJSON *object = cli_json_object(array, NULL);
    cli_json_text(object, "name", column->name);
    cli_json_text(object, "use", column->use == SHOAL_MLP_UNUSED ? NULL : uses[column->use]);
    if (column->use != SHOAL_MLP_USE_INPUT && column->use != SHOAL_MLP_USE_TARGET)
        return;
    const bool is_class = column->use == SHOAL_MLP_USE_TARGET && !column->shift;
    cli_json_text(object, "kind", cli_column_kinds[column->kind]);
    cli_json_text(object, "encoding", is_class ? NULL : cli_column_encodings[column->encoding]);
    cli_json_uint(object, "first", column->first + 1);
    cli_json_uint(object, "width", column->width);
    cli_json_bool(object, "indicator", column->has_indicator);
    cli_json_uint(object, "missing", column->missing);
    json_numbers(object, "fill", column->fill, column->width - column->has_indicator);
    json_numbers(object, "shift", column->shift, column->width);
    json_numbers(object, "factor", column->factor, column->width);
    json_texts(object, "categories", column->categories, column->category_count);
}

static int print_json(preparation *of, uint64_t folds)
{
    info_of *info = shoal_mlp_preparation_get_info(of);
    cJSON *json = cli_json_new("data");
    cli_json_text(json, "file", info->name);
    cli_json_uint(json, "training_rows", info->rows[SHOAL_MLP_TRAINING]);
    cli_json_uint(json, "validation_rows", info->rows[SHOAL_MLP_VALIDATION]);
    cli_json_uint(json, "test_rows", info->rows[SHOAL_MLP_TEST]);
    cli_json_uint(json, "dropped", info->dropped);
    if (folds)
        cli_json_uint(json, "folds", folds);
    cli_json_uint(json, "inputs", info->inputs);
    cli_json_uint(json, "outputs", info->outputs);
    cli_json_text(json, "form", info->form);
    cli_json_text(json, "scale", choice_name("scale", info->scale));
    cli_json_text(json, "target_scale",
                  info->classes ? NULL : choice_name("target-scale", info->target_scale));
    cli_json_text(json, "missing", choice_name("missing", info->missing));
    cli_json_text(json, "notes", *info->notes ? info->notes : NULL);
    cJSON *columns = cli_json_array(json, "column_list");
    for (size_t c = 0; c < info->columns; c++)
        json_column(columns, shoal_mlp_preparation_column_at(of, c));
    cJSON *classes = cli_json_array(json, "classes");
    for (size_t k = 0; k < info->classes; k++) {
        cJSON *object = cli_json_object(classes, NULL);
        cli_json_text(object, "name", info->class_names[k]);
        cli_json_uint(object, "training_rows", info->class_rows[k]);
        cli_json_real(object, "weight", info->class_weights ? info->class_weights[k] : 1);
    }
    return cli_json_print(json);
}

/* The command -------------------------------------------------------------------------------------------- */

static int run(struct cli *cli)
{
    const struct shoal_mlp_params *params = cli->values;
    struct shoal_mlp_preparation *of;
    struct shoal_error error;
    int code = CLI_OK;
    if (shoal_mlp_preparation_create(params, 0, &of, &error))
        return cli_fail(NULL, &error);
    if (cli->common.json)
        code = print_json(of, params->folds);
    else
        print_text(of, params->folds);
    shoal_mlp_preparation_destroy(&of);
    return code;
}

/* Sets --data to the operand. */
static int take_file(struct cli *cli, struct cli_groups *groups)
{
    struct shoal_mlp_params *params = cli->values;
    size_t index;
    const struct shoal_option *option = cli_groups_find(groups, "data", &index);
    const struct cli_group *group = &groups->group[index];
    if (!cli->argument_count)
        return CLI_OK;
    if (group->given[option - group->options])
        return cli_error(CLI_USAGE, "both a file and --data; omit one");
    params->data = cli->arguments[0];
    group->given[option - group->options] = group->typed[option - group->options] = true;
    return CLI_OK;
}

/* Whether the option is about data: an option before the options of the net (is_before_net), or "loss" or
 * "load", which affect the preparation of columns. */
static bool is_about_data(const struct shoal_option *option, bool is_before_net)
{
    return is_before_net || strcmp(option->name, "loss") == 0 || strcmp(option->name, "load") == 0;
}

const struct cli_command *mlp_data(void)
{
    static const struct shoal_example examples[] = {
        {"shoal data mlp iris.csv --target species", "encodings, scales and classes by the training rows"},
        {"shoal data mlp houses.csv --target price --missing indicator --json",
         "the same with what fills missing values, all numbers"},
    };
    static struct cli_command command = {
        .name = "data mlp",
        .summary = "show what training makes of the columns of a data set",
        .description =
            "Reads a data set and divides its rows as shoal mlp does with the same options, and shows the "
            "preparation that is learned from the training rows: encodings of the columns, scales, fills of "
            "missing values, classes and their weights.",
        .takes = CLI_TAKES_JSON,
        .argument = "FILE",
        .max_arguments = 1,
        .examples = examples,
        .example_count = sizeof examples / sizeof *examples,
        .complete = take_file,
        .run = run};
    const struct shoal_workload *workload = shoal_workload_find("mlp");
    if (command.options)
        return &command;
    struct shoal_option *options = cli_keep_bytes(workload->option_count * sizeof *options);
    bool is_before_net = true;
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        is_before_net = is_before_net && !(option->group && strcmp(option->group, "Net") == 0);
        if (is_about_data(option, is_before_net))
            options[command.option_count++] = *option;
    }
    command.options = options;
    command.values_size = workload->params_size;
    command.values_init = workload->params_init;
    return &command;
}
