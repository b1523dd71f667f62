/* shoal data: generates, inspects and converts tables of numbers. */
#include "cli/data/dataset.h"

#include "base/counted.h"
#include "cli/data/uses.h"
#include "cli/output/files/endings.h"
#include "cli/workload.h"

#include <math.h>
#include <shoal/data.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct values {
    uint64_t dim, rows, inputs, hidden, classes;
    double noise, wrong;
    uint64_t seed;
    int32_t like, precision, header, format, missing;
    const char *missing_values, *layout, *out, *target, *columns, *labels;
};

static const char *const likes[] = {"none", "f6", "f7", "f8", "f9", "f10", NULL};
static const char *const formats[] = {"auto", "csv", "arff", "idx", "fann", "thesis", "npy", NULL};
static const char *const headers[] = {"auto", "no", "yes", NULL}; /* enum shoal_header */
static const char *const missing_rules[] = {"refuse", "drop", NULL};
static const char *const precisions[] = {"f4", "f8", NULL}; /* enum shoal_precision */

static const struct shoal_option options[] = {
    {"dim", SHOAL_OPTION_UINT, offsetof(struct values, dim), "N", 0, 1 << 20, NULL,
     "least-squares: length of the vector a of a row; 0: the length of --like, else 4"},
    {"rows", SHOAL_OPTION_UINT, offsetof(struct values, rows), "P", 0, 1e15, NULL,
     "number of rows to generate; 0: the number of --like or of the generator, for parity a row for each "
     "combination of bits"},
    {"noise", SHOAL_OPTION_REAL, offsetof(struct values, noise), "S", 0, 1e150, NULL,
     "least-squares: standard deviation of the noise added to b; not set: the deviation of --like, else no "
     "noise"},
    {"seed", SHOAL_OPTION_UINT, offsetof(struct values, seed), "SEED", 0, 18446744073709551615.0, NULL,
     "seed of the generated numbers, which are the same on every machine"},
    {"inputs", SHOAL_OPTION_UINT, offsetof(struct values, inputs), "N", 0, 4096, NULL,
     "parity, random, teacher: inputs of a row; 0: parity 8, random 120, teacher 64"},
    {"hidden", SHOAL_OPTION_UINT, offsetof(struct values, hidden), "N", 0, 4096, NULL,
     "teacher: hidden units of the net that labels the rows; 0: 63"},
    {"classes", SHOAL_OPTION_UINT, offsetof(struct values, classes), "N", 0, 4096, NULL,
     "random, teacher: number of classes; 0: random 120, teacher 26"},
    {"wrong", SHOAL_OPTION_REAL, offsetof(struct values, wrong), "SHARE", 0, 1, NULL,
     "teacher: share of the rows with a wrong class; the remaining share is the best possible accuracy"},
    {"like", SHOAL_OPTION_CHOICE, offsetof(struct values, like), "", 0, 0, likes,
     "least-squares: sizes and noise of a function of the thesis", .flags = SHOAL_OPTION_THESIS},
    {"precision", SHOAL_OPTION_CHOICE, offsetof(struct values, precision), "", 0, 0, precisions,
     "precision of the numbers written"},
    {"layout", SHOAL_OPTION_TEXT, offsetof(struct values, layout), "LAYOUT", 0, 0, NULL,
     "layout of a raw input file: f8:ROWSxCOLUMNS or f4:ROWSxCOLUMNS, row by row; with suffix :columns "
     "column by column, with :blocks all rows without their last number, then all last numbers"},
    {"target", SHOAL_OPTION_TEXT, offsetof(struct values, target), "COLUMNS", 0, 0, NULL,
     "info, convert: columns to predict: names or numbers, 'species', '1, 4-6'; the file is a data set"},
    {"columns", SHOAL_OPTION_TEXT, offsetof(struct values, columns), "LIST", 0, 0, NULL,
     "info, convert: for a table the columns to take, in this order, names or numbers, 'a, b, 5-7'; for a "
     "data set kinds and encodings, 'species category, id ignored, 2-17 bits:4', * for all columns: number, "
     "binary, category, ignored; one-hot, thermometer, bits:N; not set: by the values of the columns"},
    {"missing", SHOAL_OPTION_CHOICE, offsetof(struct values, missing), "", 0, 0, missing_rules,
     "info, convert: rows of the CSV of a table in which a value is missing (empty, ?, NA or nan): refuse "
     "the file, or drop the row"},
    {"header", SHOAL_OPTION_CHOICE, offsetof(struct values, header), "", 0, 0, headers,
     "info, convert: whether the first line of a CSV names its columns; auto: the content of the file "
     "decides"},
    {"missing-values", SHOAL_OPTION_TEXT, offsetof(struct values, missing_values), "LIST", 0, 0, NULL,
     "info, convert: words of a CSV that mean missing values, '-999, unknown', in addition to empty fields; "
     "not set: ? NA nan null None and similar words"},
    {"labels", SHOAL_OPTION_TEXT, offsetof(struct values, labels), "FILE", 0, 0, NULL,
     "info, convert: file of labels, the target of an IDX or .npy file", .flags = SHOAL_OPTION_READS},
    {"format", SHOAL_OPTION_CHOICE, offsetof(struct values, format), "", 0, 0, formats,
     "info, convert: format of a data set; auto: by content and name"},
    {"out", SHOAL_OPTION_TEXT, offsetof(struct values, out), "FILE", 0, 0, NULL,
     "output file, .npy, .csv, or .bin (raw, row by row); for a data set .csv, .npy, .idx, .data (FANN) or "
     ".txt (thesis)",
     .flags = SHOAL_OPTION_WRITES},
};

static const struct shoal_example examples[] = {
    {"shoal data least-squares --dim 8 --rows 1e6 --noise 0.1 --out table.npy", "a table to fit"},
    {"shoal data least-squares --like f10 --out f10.npy",
     "a substitute for the unpublished data of f10 of the thesis"},
    {"shoal data teacher --rows 20000 --wrong 0.05 --out teacher.csv",
     "rows of 64 bits with one of 26 classes from a random net; 5 % of the rows have a wrong class"},
    {"shoal data info table.npy", "sizes, ranges, rank, and the least-squares solution"},
    {"shoal data convert log.csv --columns 'time, \"wind speed\"' --missing drop --out wind.npy",
     "two columns of a table, without rows in which a value is missing"},
    {"shoal data info iris.csv --target species", "kinds, ranges, missing values, rows of each class"},
    {"shoal data convert letters.csv --target 1 --columns '2-17 bits:4' --out letters.npy",
     "a data set as numbers: a number for each class, four numbers for each column"},
    {"shoal data convert data.bin --layout f8:6980011x5:blocks --out data.npy",
     "from all vectors a, then all numbers b, to a NumPy file"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->noise = NAN;
    values->seed = 1;
    values->precision = SHOAL_FP64;
}

/* Shows the progress. data: the percentage that was shown last. */
static bool show_progress(void *data, size_t done, size_t rows)
{
    int *shown = data, share = (int)(100.0 * (double)done / (double)rows);
    if (share != *shown)
        cli_progress_show("data  row %zu of %zu  (%d %%)", done, rows, share);
    *shown = share;
    return !cli_stopped(NULL);
}

static int fail_with(const struct shoal_error *error)
{
    cli_progress_end();
    /* main reports that a signal stopped the command. */
    return error->status == SHOAL_STOPPED ? cli_exit_code(error->status) : cli_fail(NULL, error);
}

/* Writes the table to --out and reports the file. */
static int write_out(const struct cli *cli, const struct shoal_table *table)
{
    const struct values *values = cli->values;
    const struct shoal_table_info *info = shoal_table_get_info(table);
    int progress = 0;
    struct shoal_error error = {0};
    struct stat about = {.st_size = 0};
    if (shoal_table_write(table, values->out, (enum shoal_precision)values->precision, show_progress,
                          &progress, &error) != SHOAL_OK)
        return fail_with(&error);
    cli_progress_end();
    if (shoal_table_column_name(table, 0) && !cli_has_format(values->out, ".csv"))
        cli_note_no_names(cli, values->out, info->name);
    /* A pipe has no size. */
    const bool sized = stat(values->out, &about) == 0 && S_ISREG(about.st_mode);
    const char *precision = precisions[values->precision];
    char *layout = cli_sprintf("%s:%zux%zu", precision, info->rows, info->columns);
    if (cli->common.json) {
        cJSON *json = cli_json_new("data");
        cli_json_text(json, "file", values->out);
        cli_json_text(json, "from", info->name);
        cli_json_uint(json, "rows", info->rows);
        cli_json_uint(json, "columns", info->columns);
        cli_json_text(json, "layout", layout);
        cli_json_uint(json, "bytes", sized ? (uint64_t)about.st_size : 0);
        free(layout);
        return cli_json_print(json);
    }
    cli_print("file     %s\nfrom     %s\nlayout   %s\n", values->out, info->name, layout);
    if (sized)
        printf("size     %s\n", cli_bytes((uint64_t)about.st_size).s);
    free(layout);
    return CLI_OK;
}

/* Whether the list has only columns, without kinds, such as "a, 'wind speed', 5-7". */
static bool is_plain(const char *list)
{
    bool is = true;
    for (const char *at = list; is && *at; at += *at == ',') {
        at += strspn(at, " \t");
        const char quote[2] = {*at == '"' || *at == '\'' ? *at : '\0', '\0'};
        at += *quote ? 1 + strcspn(at + 1, quote) : strcspn(at, " \t,");
        at += *quote && *at;
        at += strspn(at, " \t");
        is = !*at || *at == ',';
    }
    return is;
}

static bool asks_for_dataset(const struct values *values)
{
    return values->target || (values->columns && !is_plain(values->columns)) || values->labels ||
           values->format;
}

static int check_layout(const struct cli *cli)
{
    const struct values *values = cli->values;
    if (values->layout && asks_for_dataset(values))
        return cli_error(
            CLI_USAGE,
            "--layout is for raw numbers, not for a data set; omit it, or the options of data sets");
    if (values->layout && (values->header || values->missing_values))
        return cli_error(CLI_USAGE, "--layout is for raw numbers; omit it, or --%s, which is for text",
                         values->header ? "header" : "missing-values");
    if (values->missing && asks_for_dataset(values))
        return cli_error(CLI_USAGE,
                         "--missing: a data set keeps missing values; omit it, or the options of a data set");
    return CLI_OK;
}

static int check_out(const struct cli *cli, const char *what)
{
    const struct values *values = cli->values;
    if (!values->out)
        return cli_error(CLI_USAGE, "no output file for %s; give --out FILE", what);
    return cli_check_output("--out", values->out, false) ? CLI_OK : CLI_FAILURE;
}

static int run_least_squares(const struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_least_squares_params params;
    struct shoal_error error = {0};
    struct shoal_table *table;
    shoal_least_squares_params_init(&params);
    if (cli->argument_count > 1)
        return cli_error(CLI_USAGE, "unexpected '%s'; this action reads no file", cli->arguments[1]);
    if (values->like && (values->dim || values->rows || !isnan(values->noise)))
        return cli_error(CLI_USAGE, "--like %s sets --dim, --rows and --noise; omit them",
                         likes[values->like]);
    params.dim = values->dim ? values->dim : params.dim;
    params.rows = values->rows ? values->rows : params.rows;
    params.noise = isnan(values->noise) ? params.noise : values->noise;
    params.seed = values->seed;
    params.like = values->like ? likes[values->like] : NULL;
    int code = check_out(cli, "least-squares");
    if (code != CLI_OK)
        return code;
    if (shoal_table_least_squares(&params, &table, &error) != SHOAL_OK)
        return fail_with(&error);
    code = write_out(cli, table);
    shoal_table_destroy(&table);
    return code;
}

static int run_generator(const struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_dataset_generator generator;
    shoal_dataset_generator_init(&generator);
    if (cli->argument_count > 1)
        return cli_error(CLI_USAGE, "unexpected '%s'; this action reads no file", cli->arguments[1]);
    generator.kind = cli->arguments[0];
    generator.rows = values->rows;
    generator.inputs = values->inputs;
    generator.hidden = values->hidden;
    generator.classes = values->classes;
    generator.wrong = values->wrong;
    generator.seed = values->seed;
    const int code = check_out(cli, generator.kind);
    return code == CLI_OK
               ? cli_dataset_generate(cli, &generator, values->out, (enum shoal_precision)values->precision)
               : code;
}

static struct shoal_table_params table_params(const struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_table_params params;
    shoal_table_params_init(&params);
    params.path = cli->argument_count < 2 ? NULL : cli->arguments[1];
    params.layout = values->layout;
    params.header = values->header;
    params.missing_values = values->missing_values;
    return params;
}

static int open_table(const struct cli *cli, const char *what, struct shoal_table **table)
{
    const struct values *values = cli->values;
    struct shoal_error error = {0};
    if (cli->argument_count < 2)
        return cli_error(CLI_USAGE, "no input file for %s; give its name", what);
    const int code = check_layout(cli);
    if (code != CLI_OK)
        return code;
    const struct shoal_table_params params = table_params(cli);
    if (shoal_table_open_with(&params, table, &error) != SHOAL_OK ||
        shoal_table_choose(table, values->columns, values->missing, &error) != SHOAL_OK)
        return fail_with(&error);
    cli_notes(cli, shoal_table_get_info(*table)->notes);
    return CLI_OK;
}

/* Whether the format of `out` is only for data sets. */
static bool has_targets(const char *out)
{
    return out &&
           (cli_has_format(out, ".data") || cli_has_format(out, ".txt") || cli_has_format(out, ".idx"));
}

/* Whether the file is read as a data set, not as a table. */
static bool is_dataset(const struct cli *cli, struct shoal_dataset_params *params)
{
    const struct values *values = cli->values;
    shoal_dataset_params_init(params);
    params->path = cli->argument_count < 2 ? NULL : cli->arguments[1];
    params->target = values->target;
    params->columns = values->columns;
    params->labels = values->labels;
    params->format = values->format ? formats[values->format] : NULL;
    params->header = values->header;
    params->missing_values = values->missing_values;
    if (!params->path || values->layout || values->missing)
        return false;
    if (values->columns && !asks_for_dataset(values) && !has_targets(values->out))
        return false;
    return asks_for_dataset(values) || has_targets(values->out) || !shoal_dataset_is_table(params->path);
}

static int run_convert(const struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_dataset_params params;
    struct shoal_table *table;
    int code = check_out(cli, "convert");
    if (code == CLI_OK && is_dataset(cli, &params))
        return cli_dataset_convert(cli, &params, values->out, (enum shoal_precision)values->precision);
    if (code == CLI_OK)
        code = open_table(cli, "convert", &table);
    if (code != CLI_OK)
        return code;
    code = write_out(cli, table);
    shoal_table_destroy(&table);
    return code;
}

static void print_info(const struct shoal_table *source, const struct shoal_table_summary *summary,
                       const struct cli_uses *uses)
{
    const struct shoal_table_info *info = shoal_table_get_info(source);
    static const struct cli_column columns[] = {
        {.title = "column", .right = true},   {.title = "name", .least = 12},
        {.title = "least", .right = true},    {.title = "mean", .right = true},
        {.title = "greatest", .right = true}, {.title = "minimiser", .right = true}};
    cli_print("file     %s\nformat   %s, %s, %s\nrows     %zu\ncolumns  %zu\n", info->name, info->format,
              info->type, info->order, info->rows, info->columns);
    if (info->dropped)
        printf("dropped  %s with missing values\n", counted(info->dropped, "row").s);
    if (info->columns > 1)
        printf("rank     %zu of %zu\nminimum  %.10g of sum (b - sum a[d] x[d])^2, b the last column\n",
               summary->rank, info->columns - 1, summary->minimum);
    putchar('\n');
    const bool is_single = strcmp(info->type, "f4") == 0;
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t c = 0; c < info->columns; c++) {
        cli_table_row(table);
        const char *name = shoal_table_column_name(source, c);
        cli_table_cell(table, "%zu", c + 1);
        cli_table_cell(table, "%s", name ? name : "-");
        cli_table_cell(table, "%s", cli_exact(summary->least[c], is_single).s);
        cli_table_cell(table, "%s", cli_mean(summary->mean[c], summary->least[c], summary->greatest[c]).s);
        cli_table_cell(table, "%s", cli_exact(summary->greatest[c], is_single).s);
        if (c + 1 < info->columns)
            cli_table_cell(table, "%.10g", summary->minimiser[c]);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
    cli_uses_print(uses);
}

static int print_info_json(const struct shoal_table *table, const struct shoal_table_summary *summary,
                           const struct cli_uses *uses)
{
    const struct shoal_table_info *info = shoal_table_get_info(table);
    cJSON *json = cli_json_new("data");
    cli_json_text(json, "file", info->name);
    cli_json_text(json, "format", info->format);
    cli_json_text(json, "type", info->type);
    cli_json_text(json, "order", info->order);
    cli_json_uint(json, "rows", info->rows);
    cli_json_uint(json, "columns", info->columns);
    cli_json_uint(json, "dropped", info->dropped);
    cli_json_bool(json, "leaves_index", info->leaves_index);
    cli_json_text(json, "notes", *info->notes ? info->notes : NULL);
    cli_uses_json(uses, json);
    cJSON *column_names = cli_json_array(json, "names");
    for (size_t c = 0; c < info->columns; c++)
        cli_json_text(column_names, NULL, shoal_table_column_name(table, c));
    cli_json_uint(json, "rank", summary->rank);
    cli_json_real(json, "minimum", summary->minimum);
    const char *const names[] = {"least", "mean", "greatest", "minimiser"};
    const double *const lists[] = {summary->least, summary->mean, summary->greatest, summary->minimiser};
    for (size_t i = 0; i < 4; i++)
        cli_json_reals(json, names[i], lists[i], i == 3 ? info->columns - 1 : info->columns);
    return cli_json_print(json);
}

/* Prints the commands that can use a file which is neither a table nor a data set. */
static int print_uses(const struct cli *cli, const struct cli_uses *uses)
{
    if (cli->common.json) {
        cJSON *json = cli_json_new("data");
        cli_json_text(json, "file", cli->arguments[1]);
        cli_uses_json(uses, json);
        return cli_json_print(json);
    }
    cli_print("file     %s\n", cli->arguments[1]);
    cli_uses_print(uses);
    return CLI_OK;
}

static int table_info(const struct cli *cli, const struct cli_uses *uses)
{
    struct shoal_table_summary summary = {.size = sizeof summary};
    int progress = 0;
    struct shoal_error error = {0};
    struct shoal_table *table;
    int code = open_table(cli, "info", &table);
    if (code != CLI_OK)
        return code;
    if (shoal_table_summarise(table, &summary, show_progress, &progress, &error) != SHOAL_OK) {
        code = fail_with(&error);
    } else {
        cli_progress_clear();
        if (cli->common.json)
            code = print_info_json(table, &summary, uses);
        else
            print_info(table, &summary, uses);
    }
    shoal_table_summary_free(&summary);
    shoal_table_destroy(&table);
    return code;
}

/* Whether the file is small enough to be read by each command. */
static bool is_small(const char *path)
{
    enum { MOST = 1 << 26 };
    struct stat about;
    return strcmp(path, "-") == 0 ||
           (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MOST);
}

static int run_info(const struct cli *cli)
{
    const struct values *values = cli->values;
    struct shoal_dataset_params params;
    const bool as_dataset = is_dataset(cli, &params);
    const bool is_said = asks_for_dataset(values) || values->layout || values->columns || values->missing ||
                         values->header || values->missing_values;
    struct cli_uses *uses = NULL;
    int code;
    if (params.path && !values->layout && !values->columns && is_small(params.path)) {
        const struct cli_data_file file = {
            .dataset = params, .table = table_params(cli), .drops_missing = values->missing != 0};
        uses = cli_uses_find(&file);
    }
    /* A file that is no valid table may be a data set, for example one with missing values. */
    const bool may_differ = uses && !is_said;
    const bool is_of_none = may_differ && !cli_uses_any(uses);
    if (is_of_none)
        print_uses(cli, uses);
    if (may_differ && !as_dataset && !cli_uses_table(uses) && cli_uses_dataset(uses))
        code = cli_dataset_info(cli, &params, uses);
    else if (may_differ && cli_uses_any(uses) &&
             !(as_dataset ? cli_uses_dataset(uses) : cli_uses_table(uses)))
        code = print_uses(cli, uses);
    else if (as_dataset)
        code = cli_dataset_info(cli, &params, uses);
    else
        code = table_info(cli, uses);
    cli_uses_free(&uses);
    return is_of_none && code == CLI_USAGE ? CLI_FAILURE : code;
}

static const struct action {
    const char *name;
    int (*run)(const struct cli *cli);
    const char *options[12]; /* options that belong to this action */
} actions[] = {
    {"least-squares", run_least_squares, {"dim", "rows", "noise", "seed", "like", "precision", "out"}},
    {"xor", run_generator, {"rows", "precision", "out"}},
    {"parity", run_generator, {"rows", "inputs", "seed", "precision", "out"}},
    {"spirals", run_generator, {"rows", "precision", "out"}},
    {"random", run_generator, {"rows", "inputs", "classes", "seed", "precision", "out"}},
    {"teacher", run_generator, {"rows", "inputs", "hidden", "classes", "wrong", "seed", "precision", "out"}},
    {"info",
     run_info,
     {"layout", "target", "columns", "missing", "missing-values", "labels", "format", "header"}},
    {"convert",
     run_convert,
     {"precision", "layout", "target", "columns", "missing", "missing-values", "labels", "format", "header",
      "out"}},
};

enum { ACTIONS = sizeof actions / sizeof *actions };

static bool belongs(const struct action *action, const char *option)
{
    for (size_t i = 0; action->options[i]; i++)
        if (strcmp(action->options[i], option) == 0)
            return true;
    return false;
}

/* Refuses options of other actions, which would have no effect. */
static int refuse_options(struct cli *cli, struct cli_groups *groups)
{
    for (size_t a = 0; a < ACTIONS && cli->argument_count; a++)
        for (size_t i = 0; strcmp(actions[a].name, cli->arguments[0]) == 0 && i < groups->group[0].count;
             i++) {
            const char *name = groups->group[0].options[i].name;
            if (groups->group[0].given[i] && !belongs(&actions[a], name))
                return cli_error(CLI_USAGE, "--%s has no effect with %s; omit it", name, actions[a].name);
        }
    return CLI_OK;
}

static int run(struct cli *cli)
{
    if (cli->argument_count == 0)
        return cli_error(CLI_USAGE, "no action; give info, convert, or what to generate: least-squares, xor, "
                                    "parity, spirals, random, teacher");
    const int code = cli_check_operands(cli, 1);
    for (size_t i = 0; i < ACTIONS && code == CLI_OK; i++)
        if (strcmp(actions[i].name, cli->arguments[0]) == 0)
            return actions[i].run(cli);
    return code;
}

static const char *action_at(size_t index)
{
    return index < ACTIONS ? actions[index].name : NULL;
}

const struct cli_command cli_data = {
    .name = "data",
    .summary = "make, inspect and convert tables and data sets",
    .description = "Makes, shows and converts tables for data objectives (--data), and data "
                   "sets.\nleast-squares writes rows a, b: numbers a uniform in [-1, 1), b their sum plus "
                   "noise, so that without noise the least-squares minimum is 0 at (1, ..., 1).\nxor, "
                   "parity, spirals, random and teacher write data sets: the parity of bits, two spirals, "
                   "random numbers and classes, and bits whose class is the output of a random net.\ninfo "
                   "FILE shows sizes, the range of each column, the rank, and the least-squares solution of "
                   "the table, whose last column is b.\nFor a data set, which is a file with words or "
                   "missing values or a file with --target, info shows kinds and ranges of columns, missing "
                   "values and the rows of each class.\nconvert FILE writes the same numbers in another "
                   "format; a data set keeps its words in .csv, other formats have encoded numbers.\n'shoal "
                   "data WORKLOAD --help' is about files of a workload with file formats of its own, or "
                   "about a workload's preparation of a data set.",
    .takes = CLI_TAKES_JSON,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .argument = "ACTION",
    .max_arguments = 2,
    .operand_at = action_at,
    .then_file = true,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .when_stopped = "nothing was written",
    .complete = refuse_options,
    .run = run};
