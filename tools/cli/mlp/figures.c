#include "cli/mlp/figures.h"

#include "base/counted.h"

#include "cli/mlp/nets.h"
#include "cli/output/json.h"
#include "cli/output/tables/layout.h"
#include "cli/output/tables/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of the text: with more than SHOWN_CLASSES classes only the WORST classes and errors are shown; with
 * more than SHOWN_MATRIX classes there is no confusion matrix. */
enum { SHOWN_CLASSES = 30, WORST = 10, SHOWN_MATRIX = 16 };

char *mlp_rows_title(const struct mlp_rows *rows)
{
    char *title = rows->folds ? cli_sprintf("%s, each validated by the net of its fold",
                                            counted(rows->outcome.rows, "row").s)
                  : rows->part == SHOAL_MLP_PARTS
                      ? cli_sprintf("%s", counted(rows->outcome.rows, "row").s)
                      : cli_sprintf("%zu %s row%s", rows->outcome.rows, mlp_part_name(rows->part),
                                    rows->outcome.rows == 1 ? "" : "s");
    if (rows->nets <= 1)
        return title;
    char *longer =
        rows->is_best
            ? cli_sprintf("%s; the best of %" PRIu64 " nets, net %" PRIu64, title, rows->nets, rows->net + 1)
            : cli_sprintf("%s; net %" PRIu64 " of %" PRIu64, title, rows->net + 1, rows->nets);
    free(title);
    return longer;
}

/* Text --------------------------------------------------------------------------------------------------- */

static char *figure(double value)
{
    return cli_strdup(cli_share(value, 4).s);
}

/* Adds a line such as "LABEL: A, NAME B, NAME C", without figures that are NaN. */
static void add_line(struct cli_block *block, const char *label, const char *const *names,
                     const double *values, size_t count)
{
    char *line = NULL;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        char *longer = cli_sprintf("%s%s%s%s%s", line ? line : "", line ? ", " : "", i ? names[i] : "",
                                   i ? " " : "", cli_share(values[i], 4).s);
        free(line);
        line = longer;
    }
    if (line)
        cli_block_line(block, label, "%s", line);
    free(line);
}

static void print_whole(const struct mlp_rows *rows, const struct shoal_mlp_report *report)
{
    const struct shoal_mlp_classes *of = &report->of_classes;
    static const char *const means[] = {"", "precision", "recall", "AUC"},
                             *const probable[] = {"", "Brier", "calibration error"},
                             *const tops[] = {"", "top-3", "top-4", "top-5"};
    struct cli_block *block = cli_block_new();
    char *title = mlp_rows_title(rows);
    cli_block_line(block, "report", "%s", title);
    cli_block_line(block, "accuracy", "%s, 95 %% interval %s to %s; balanced %s",
                   cli_share(of->accuracy, 4).s, cli_share(of->accuracy_low, 4).s,
                   cli_share(of->accuracy_high, 4).s, cli_share(of->recall, 4).s);
    add_line(block, "mean F1", means, (const double[]){of->f1, of->precision, of->recall, of->auc}, 4);
    add_line(block, "log loss", probable, (const double[]){of->log_loss, of->brier, of->calibration_error},
             3);
    /* Top-2 is left out with two classes, where it is always 1. */
    if (of->classes > 2)
        add_line(block, "top-2", tops, of->top + 1, of->top_count - (of->top_count < of->classes ? 1 : 2));
    cli_block_print(block, stdout);
    cli_block_free(&block);
    free(title);
}

/* An entry of a sorted list: a class `of`, or a pair of a true class `of` and a predicted class `as`. value:
 * the figure by which the list is sorted. */
struct ordered {
    double value;
    uint32_t of, as;
};

static int by_value(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    const int by = (x->value > y->value) - (x->value < y->value);
    return by ? by : x->of != y->of ? (x->of > y->of) - (x->of < y->of) : (x->as > y->as) - (x->as < y->as);
}

static void add_class(struct cli_table *table, const char *name, double rows,
                      const struct shoal_mlp_class_figures *of)
{
    const double figures[] = {of->precision, of->recall, of->f1, of->auc};
    cli_table_row(table);
    cli_table_cell(table, "%s", name);
    cli_table_cell(table, "%s", cli_number(rows).s);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        char *text = figure(figures[i]);
        cli_table_cell(table, "%s", text);
        free(text);
    }
}

static void print_classes(const struct shoal_mlp_report *report)
{
    static const struct cli_column columns[] = {{.title = "class", .least = 12},
                                                {.title = "rows", .stays = true, .right = true},
                                                {.title = "precision", .stays = true, .right = true},
                                                {.title = "recall", .stays = true, .right = true},
                                                {.title = "F1", .stays = true, .right = true},
                                                {.title = "AUC", .stays = true, .right = true}};
    const struct shoal_mlp_classes *all = &report->of_classes;
    const uint32_t classes = report->classes;
    const uint32_t shown = classes > SHOWN_CLASSES ? WORST : classes;
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    struct ordered *order = cli_alloc(classes * sizeof *order);
    for (uint32_t k = 0; k < classes; k++)
        order[k] = (struct ordered){isnan(all->of[k].f1) ? INFINITY : all->of[k].f1, k, 0};
    if (shown < classes)
        qsort(order, classes, sizeof *order, by_value);
    for (uint32_t k = 0; k < shown; k++)
        add_class(table, report->names[order[k].of], all->of[order[k].of].weight, &all->of[order[k].of]);
    const struct shoal_mlp_class_figures mean = {
        .precision = all->precision, .recall = all->recall, .f1 = all->f1, .auc = all->auc};
    add_class(table, "mean", all->weight, &mean);
    putchar('\n');
    if (shown < classes)
        printf("The %u of %" PRIu32 " classes with the least F1; --json and --report have all.\n", shown,
               classes);
    cli_table_print(table, stdout);
    cli_table_free(&table);
    free(order);
}

/* Prints the confusion matrix, in which a column stays even if all of its weights are equal. */
static void print_matrix(const struct shoal_mlp_report *report)
{
    const uint32_t classes = report->classes;
    struct cli_column *columns = cli_alloc((classes + 1) * sizeof *columns);
    columns[0] = (struct cli_column){.title = "truth", .least = 12};
    for (uint32_t k = 0; k < classes; k++)
        columns[k + 1] = (struct cli_column){.title = report->names[k], .stays = true, .right = true};
    struct cli_table *table = cli_table_new(columns, classes + 1);
    for (uint32_t truth = 0; truth < classes; truth++) {
        cli_table_row(table);
        cli_table_cell(table, "%s", report->names[truth]);
        for (uint32_t guess = 0; guess < classes; guess++)
            cli_table_cell(table, "%s",
                           cli_number(report->of_classes.confusion[(size_t)truth * classes + guess]).s);
    }
    puts("\nRows of each class, and the class they were taken for");
    cli_table_print(table, stdout);
    cli_table_free(&table);
    free(columns);
}

static bool matrix_fits(const struct shoal_mlp_report *report)
{
    enum { GAP = 2, NAME = 12 };
    const size_t classes = report->classes;
    size_t width = NAME;
    for (size_t guess = 0; guess < classes; guess++) {
        size_t widest = cli_columns(report->names[guess]);
        for (size_t truth = 0; truth < classes; truth++) {
            const double weight = report->of_classes.confusion[truth * classes + guess];
            const size_t digits = strlen(cli_number(weight).s);
            widest = digits > widest ? digits : widest;
        }
        width += GAP + widest;
    }
    return width <= cli_width(stdout);
}

static void print_errors(const struct shoal_mlp_report *report)
{
    static const struct cli_column columns[] = {{.title = "truth", .stays = true, .least = 12},
                                                {.title = "taken for", .stays = true, .least = 12},
                                                {.title = "rows", .stays = true, .right = true},
                                                {.title = "of the class", .stays = true, .right = true}};
    const struct shoal_mlp_classes *all = &report->of_classes;
    const uint32_t classes = report->classes;
    struct ordered *order = cli_alloc(((size_t)classes * classes + 1) * sizeof *order);
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    size_t count = 0;
    for (uint32_t truth = 0; truth < classes; truth++)
        for (uint32_t guess = 0; guess < classes; guess++) {
            const double weight = all->confusion[(size_t)truth * classes + guess];
            if (truth != guess && weight > 0)
                order[count++] = (struct ordered){-weight, truth, guess};
        }
    qsort(order, count, sizeof *order, by_value);
    for (size_t i = 0; i < count && i < WORST; i++) {
        cli_table_row(table);
        cli_table_cell(table, "%s", report->names[order[i].of]);
        cli_table_cell(table, "%s", report->names[order[i].as]);
        cli_table_cell(table, "%s", cli_number(-order[i].value).s);
        cli_table_cell(table, "%.1f %%", -100 * order[i].value / all->of[order[i].of].weight);
    }
    if (count) {
        puts(count > WORST ? "\nThe most frequent errors" : "\nErrors");
        cli_table_print(table, stdout);
    }
    cli_table_free(&table);
    free(order);
}

static void print_numbers(const struct mlp_rows *rows, const struct shoal_mlp_report *report)
{
    static const struct cli_column columns[] = {{.title = "output", .stays = true, .least = 12},
                                                {.title = "RMSE", .stays = true, .right = true},
                                                {.title = "MAE", .stays = true, .right = true},
                                                {.title = "R2", .stays = true, .right = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    struct cli_block *block = cli_block_new();
    char *title = mlp_rows_title(rows);
    const uint32_t shown = report->outputs > SHOWN_CLASSES ? WORST : report->outputs;
    for (uint32_t k = 0; k <= shown; k++) {
        const struct shoal_mlp_number_figures *of = k < shown ? &report->of_outputs[k] : &report->mean;
        if (k == shown && report->outputs == 1)
            break;
        cli_table_row(table);
        cli_table_cell(table, "%s", k < shown ? report->names[k] : "mean");
        cli_table_cell(table, "%s", cli_number(of->rmse).s);
        cli_table_cell(table, "%s", cli_number(of->mae).s);
        cli_table_cell(table, "%s", cli_share(of->r2, 6).s);
    }
    cli_block_line(block, "report", "%s%s", title,
                   shown < report->outputs ? "; the first outputs, --json and --report have all" : "");
    cli_block_print(block, stdout);
    cli_table_print(table, stdout);
    cli_block_free(&block);
    cli_table_free(&table);
    free(title);
}

void mlp_figures_print(const struct mlp_rows *rows, const struct shoal_mlp_report *report)
{
    putchar('\n');
    if (!report->classes) {
        print_numbers(rows, report);
        mlp_nets_print(rows);
        return;
    }
    print_whole(rows, report);
    print_classes(report);
    if (report->classes <= SHOWN_MATRIX && matrix_fits(report))
        print_matrix(report);
    else
        print_errors(report);
    mlp_nets_print(rows);
}

/* A figure a line ---------------------------------------------------------------------------------------- */

struct lines {
    FILE *out;
    bool is_json;
};

static void put_line(const struct lines *lines, const char *name, const char *of, const char *as,
                     double value)
{
    if (lines->is_json) {
        cJSON *json = cJSON_CreateObject();
        cli_json_text(json, "figure", name);
        if (*of)
            cli_json_text(json, "of", of);
        if (*as)
            cli_json_text(json, "as", as);
        cli_json_real(json, "value", value);
        char *text = cJSON_PrintUnformatted(json);
        fprintf(lines->out, "%s\n", text ? text : "");
        free(text);
        cJSON_Delete(json);
        return;
    }
    fprintf(lines->out, "%s,", name);
    cli_csv_text(lines->out, of);
    putc(',', lines->out);
    cli_csv_text(lines->out, as);
    if (isfinite(value))
        fprintf(lines->out, ",%.15g\n", value);
    else
        fputs(",\n", lines->out);
}

struct named {
    const char *name;
    double value;
};

/* Number of figures that concern all classes together. */
enum { WHOLE = 10 };
static void take_whole(const struct shoal_mlp_classes *of, struct named out[WHOLE])
{
    const struct named all[WHOLE] = {{"accuracy", of->accuracy},
                                     {"accuracy_low", of->accuracy_low},
                                     {"accuracy_high", of->accuracy_high},
                                     {"balanced_accuracy", of->recall},
                                     {"precision", of->precision},
                                     {"f1", of->f1},
                                     {"auc", of->auc},
                                     {"log_loss", of->log_loss},
                                     {"brier", of->brier},
                                     {"calibration_error", of->calibration_error}};
    memcpy(out, all, sizeof all);
}

enum { OF_CLASS = 6 };
static void take_class(const struct shoal_mlp_class_figures *of, struct named out[OF_CLASS])
{
    const struct named all[OF_CLASS] = {{"rows", of->weight},
                                        {"predicted", of->guessed},
                                        {"precision", of->precision},
                                        {"recall", of->recall},
                                        {"f1", of->f1},
                                        {"auc", of->auc}};
    memcpy(out, all, sizeof all);
}

static void put_classes(const struct lines *lines, const struct shoal_mlp_report *report)
{
    const struct shoal_mlp_classes *all = &report->of_classes;
    const uint32_t classes = report->classes;
    struct named whole[WHOLE], of[OF_CLASS];
    take_whole(all, whole);
    for (int i = 0; i < WHOLE; i++)
        put_line(lines, whole[i].name, "", "", whole[i].value);
    for (uint32_t k = 1; k < all->top_count; k++) {
        char name[16];
        snprintf(name, sizeof name, "top_%" PRIu32, k + 1);
        put_line(lines, name, "", "", all->top[k]);
    }
    for (uint32_t k = 0; k < classes; k++) {
        take_class(&all->of[k], of);
        for (int i = 0; i < OF_CLASS; i++)
            put_line(lines, of[i].name, report->names[k], "", of[i].value);
    }
    for (uint32_t truth = 0; truth < classes; truth++)
        for (uint32_t guess = 0; guess < classes; guess++)
            put_line(lines, "confusion", report->names[truth], report->names[guess],
                     all->confusion[(size_t)truth * classes + guess]);
}

static void put_numbers(const struct lines *lines, const struct shoal_mlp_report *report)
{
    for (uint32_t k = 0; k <= report->outputs; k++) {
        const bool is_mean = k == report->outputs;
        const struct shoal_mlp_number_figures *of = is_mean ? &report->mean : &report->of_outputs[k];
        const char *name = is_mean ? "" : report->names[k];
        put_line(lines, "rmse", name, "", of->rmse);
        put_line(lines, "mae", name, "", of->mae);
        put_line(lines, "r2", name, "", of->r2);
    }
}

static void put_nets(const struct lines *lines, const struct mlp_rows *rows)
{
    const uint64_t count = rows->all ? rows->nets * (rows->folds ? rows->folds : 1) : 0;
    for (uint64_t i = 0; i < count; i++) {
        struct mlp_net_figure figures[MLP_NET_FIGURES];
        char *net = cli_sprintf("net %" PRIu64, rows->all[i].number + 1);
        char *fold = rows->folds ? cli_sprintf("fold %" PRIu64, rows->all[i].fold + 1) : cli_strdup("");
        mlp_net_figures(rows, &rows->all[i], figures);
        for (int k = 0; k < MLP_NET_FIGURES; k++)
            put_line(lines, figures[k].name, net, fold, figures[k].value);
        free(net);
        free(fold);
    }
}

char *mlp_figures_lines(const struct mlp_rows *rows, const struct shoal_mlp_report *report, bool is_json,
                        size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    const struct lines lines = {out, is_json};
    if (!out)
        return NULL;
    if (!is_json)
        fputs("figure,of,as,value\n", out);
    put_line(&lines, "rows", "", "", (double)rows->outcome.rows);
    if (report->classes)
        put_classes(&lines, report);
    else
        put_numbers(&lines, report);
    put_nets(&lines, rows);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* JSON --------------------------------------------------------------------------------------------------- */

static void json_classes(cJSON *object, const struct shoal_mlp_report *report)
{
    const struct shoal_mlp_classes *all = &report->of_classes;
    const uint32_t classes = report->classes;
    struct named whole[WHOLE], of[OF_CLASS];
    take_whole(all, whole);
    for (int i = 0; i < WHOLE; i++)
        cli_json_real(object, whole[i].name, whole[i].value);
    cJSON *top = cli_json_array(object, "top");
    for (uint32_t k = 0; k < all->top_count; k++)
        cli_json_real(top, NULL, all->top[k]);
    cJSON *array = cli_json_array(object, "classes");
    for (uint32_t k = 0; k < classes; k++) {
        cJSON *class_of = cli_json_object(array, NULL);
        cli_json_text(class_of, "name", report->names[k]);
        take_class(&all->of[k], of);
        for (int i = 0; i < OF_CLASS; i++)
            cli_json_real(class_of, of[i].name, of[i].value);
    }
    cJSON *confusion = cli_json_array(object, "confusion");
    for (uint32_t truth = 0; truth < classes; truth++) {
        cJSON *line = cli_json_array(confusion, NULL);
        for (uint32_t guess = 0; guess < classes; guess++)
            cli_json_real(line, NULL, all->confusion[(size_t)truth * classes + guess]);
    }
    cJSON *bins = cli_json_array(object, "calibration");
    for (int i = 0; i < SHOAL_MLP_BINS && report->are_probabilities; i++) {
        cJSON *bin = cli_json_object(bins, NULL);
        cli_json_real(bin, "rows", all->bins[i].weight);
        cli_json_real(bin, "confidence", all->bins[i].confidence);
        cli_json_real(bin, "accuracy", all->bins[i].accuracy);
    }
}

void mlp_figures_json(cJSON *object, const struct mlp_rows *rows, const struct shoal_mlp_report *report)
{
    cli_json_text(object, "part", mlp_part_name(rows->part));
    cli_json_uint(object, "rows", rows->outcome.rows);
    if (rows->folds)
        cli_json_uint(object, "folds", rows->folds);
    mlp_nets_json(object, rows);
    if (report->classes) {
        json_classes(object, report);
        return;
    }
    cli_json_real(object, "rmse", report->mean.rmse);
    cli_json_real(object, "mae", report->mean.mae);
    cli_json_real(object, "r2", report->mean.r2);
    cJSON *outputs = cli_json_array(object, "outputs");
    for (uint32_t k = 0; k < report->outputs; k++) {
        const struct shoal_mlp_number_figures *of = &report->of_outputs[k];
        cJSON *output = cli_json_object(outputs, NULL);
        cli_json_text(output, "name", report->names[k]);
        cli_json_real(output, "rmse", of->rmse);
        cli_json_real(output, "mae", of->mae);
        cli_json_real(output, "r2", of->r2);
    }
}
