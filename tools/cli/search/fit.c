#include "cli/search/fit.h"

#include "cli/charts/chart.h"
#include "cli/output/tables/block.h"
#include "cli/output/tables/layout.h"
#include "cli/run/rescue.h"
#include "cli/search/best.h"
#include "cli/search/fit_plot.h"
#include "cli/search/landscape.h"
#include "cli/search/positions.h"
#include "io/decimal.h"

#include <math.h>
#include <shoal/fit.h>
#include <shoal/search.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Data of a row to print: copies, since the solver is destroyed before the row is printed. */
struct kept {
    bool is_greatest; /* the greatest value is the best */
    char *files;      /* a line for each file that was named: "positions in x.csv"; NULL: none */
    struct best_points best;
    bool has_fit; /* false: the members below are zeros */
    struct shoal_fit fit;
    size_t count;
    struct shoal_model_parameter *parameters; /* the names are allocated */
    double *x;
};

static bool has_model(const struct cli *cli)
{
    return ((const struct shoal_search_params *)cli->params)->model != NULL;
}

static const char *plot_of(const struct cli *cli)
{
    return ((const struct workload_values *)cli->values)->plot;
}

bool fit_draws_plot(const struct cli *cli)
{
    return has_model(cli);
}

static const struct search_files *files_of(const struct cli *cli)
{
    return &((const struct search_values *)cli->values)->files;
}

int fit_check(struct cli *cli)
{
    const struct search_files *files = files_of(cli);
    const char *residuals = files->residuals;
    const char *end = residuals ? strrchr(residuals, '.') : NULL;
    int code = CLI_OK;
    if (residuals && !has_model(cli))
        return cli_error(CLI_USAGE, "--residuals needs --model, a formula that is fitted");
    if (end && strcasecmp(end, ".json") == 0)
        return cli_error(CLI_USAGE,
                         "--residuals: %s: residuals are written as CSV; give a name that ends in .csv",
                         residuals);
    if (residuals && !cli_check_output("--residuals", residuals, false))
        code = CLI_FAILURE;
    if (code == CLI_OK && has_model(cli) && plot_of(cli))
        code = chart_check("--plot", plot_of(cli));
    if (code == CLI_OK && files->landscape)
        code = landscape_check(cli, files->landscape, files->landscape_axes);
    return code == CLI_OK && files->out ? positions_check(files->out) : code;
}

/* Residuals -------------------------------------------------------------------------------------------- */

/* Writes a name, in quotation marks where necessary. */
static void write_name(FILE *out, const char *name)
{
    const bool quoted = strpbrk(name, ",;\" \t") != NULL;
    fputs(quoted ? "\"" : "", out);
    for (; *name; name++)
        fprintf(out, *name == '"' ? "\"\"" : "%c", *name);
    fputs(quoted ? "\"," : ",", out);
}

static enum shoal_status write_rows(FILE *out, const struct shoal_objective *objective, const double *x,
                                    struct shoal_error *error)
{
    enum { BLOCK = 1024 };
    const struct shoal_model_info *info = shoal_objective_model(objective);
    const size_t width = info->column_count;
    double *columns = cli_alloc(BLOCK * (width + 1) * sizeof *columns), *model = columns + BLOCK * width;
    enum shoal_status status = SHOAL_OK;
    for (size_t c = 0; c < width; c++)
        write_name(out, info->columns[c]);
    fputs("model,residual\n", out);
    for (size_t first = 0; first < info->rows && !status; first += BLOCK) {
        const size_t left = info->rows - first, count = left < BLOCK ? left : BLOCK;
        status = shoal_model_rows(objective, x, first, count, columns, model, error);
        for (size_t j = 0; j < count && !status; j++) {
            for (size_t c = 0; c < width; c++)
                fprintf(out, "%s,", decimal_text(columns[j * width + c], false).s);
            fprintf(out, "%s,%s\n", decimal_text(model[j], false).s,
                    decimal_text(columns[j * width + info->target] - model[j], false).s);
        }
    }
    free(columns);
    return status;
}

static int write_residuals(const struct cli *cli, const struct cli_row *row,
                           const struct shoal_objective *objective, const double *x, const char *path)
{
    struct shoal_error error = {0};
    char *text = NULL, *name = cli_row_path(cli, row, path);
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    const enum shoal_status status = out ? write_rows(out, objective, x, &error) : SHOAL_OK;
    int code = CLI_OK;
    if (!out || fclose(out) != 0)
        code = cli_error(CLI_FAILURE, "out of memory");
    else if (status)
        code = cli_fail("--residuals", &error);
    else
        code = run_write_bytes("--residuals", name, text, bytes);
    free(text);
    free(name);
    return code;
}

/* ------------------------------------------------------------------------------------------------------ */

static void keep(struct kept *kept, const struct shoal_model_info *info, const double *x)
{
    kept->has_fit = true;
    kept->fit.size = sizeof kept->fit;
    kept->count = info->parameter_count;
    kept->parameters = cli_alloc(kept->count * sizeof *kept->parameters);
    kept->x = cli_alloc(kept->count * sizeof *kept->x);
    for (size_t p = 0; p < kept->count; p++) {
        kept->parameters[p] = info->parameters[p];
        kept->parameters[p].name = cli_strdup(info->parameters[p].name);
        kept->x[p] = x[p];
    }
}

static void clear_fit(struct kept *kept)
{
    for (size_t p = 0; p < kept->count; p++)
        free((char *)kept->parameters[p].name);
    shoal_fit_free(&kept->fit);
    free(kept->parameters);
    free(kept->x);
    *kept = (struct kept){.is_greatest = kept->is_greatest, .files = kept->files, .best = kept->best};
}

static void name_file(struct kept *kept, const char *what, const char *file)
{
    char *longer = cli_sprintf("%s%s in %s\n", kept->files ? kept->files : "", what, file);
    free(kept->files);
    kept->files = longer;
}

/* Keeps a line that names the file of this row, unless the file is `path`: with several devices the file of
 * each device has a name of its own. */
static void name_fit_file(const struct cli *cli, const struct cli_row *row, struct kept *kept,
                          const char *what, const char *path)
{
    char *name = cli_row_path(cli, row, path);
    if (strcmp(name, path) != 0)
        name_file(kept, what, name);
    free(name);
}

static int take_fit(const struct cli *cli, const struct cli_row *row, const struct shoal_solver *solver,
                    const double *position, const char *residuals, struct kept *kept)
{
    const struct shoal_objective *objective = shoal_solver_objective(solver);
    const char *plot = plot_of(cli);
    struct shoal_error error;
    int code = CLI_OK, drawn = CLI_OK;
    keep(kept, shoal_objective_model(objective), position);
    if (shoal_fit_compute(objective, kept->x, &kept->fit, &error) != SHOAL_OK) {
        clear_fit(kept);
        return cli_fail("--model", &error);
    }
    if (residuals)
        code = write_residuals(cli, row, objective, kept->x, residuals);
    if (residuals && code == CLI_OK)
        name_fit_file(cli, row, kept, "residuals", residuals);
    if (plot)
        drawn = fit_plot(cli, row, objective, kept->x, plot);
    if (plot && drawn == CLI_OK)
        name_fit_file(cli, row, kept, "picture", plot);
    return cli_first_failure(code, drawn);
}

int fit_row_end(struct cli *cli, struct cli_row *row, struct shoal_solver *solver)
{
    const struct search_files *files = files_of(cli);
    const struct shoal_field *position = shoal_result_find(&row->result, "position");
    char *written = NULL;
    int code = CLI_OK;
    if (!solver || !cli_row_has_result(row))
        return CLI_OK;
    struct kept *kept = row->kept = cli_alloc(sizeof *kept);
    kept->is_greatest = ((const struct shoal_search_params *)cli->params)->maximise ||
                        shoal_objective_get_info(shoal_solver_objective(solver))->maximise;
    if (!position)
        return CLI_OK;
    if (files->out)
        code = positions_write(cli, row, solver, files->out, &written);
    if (written)
        name_file(kept, "positions", written);
    free(written);
    if (files->best)
        code = cli_first_failure(code, best_take(cli, row, solver, files->best, &kept->best));
    if (files->landscape)
        code = cli_first_failure(code,
                                 landscape_plot(cli, row, solver, files->landscape, files->landscape_axes));
    if (has_model(cli))
        code = cli_first_failure(code, take_fit(cli, row, solver, position->reals, files->residuals, kept));
    return code;
}

static const char *bound_name(int32_t at_bound)
{
    return at_bound < 0 ? "lower" : at_bound > 0 ? "upper" : NULL;
}

static void print_parameters(const struct kept *kept)
{
    const struct cli_column columns[] = {{.title = "parameter"},
                                         {.title = "value", .stays = true, .right = true},
                                         {.title = "standard error", .stays = true, .right = true},
                                         {.title = "range", .stays = true},
                                         {.title = "at bound", .stays = true}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t p = 0; p < kept->count; p++) {
        const char *bound = bound_name(kept->fit.at_bound[p]);
        cli_table_row(table);
        cli_table_cell(table, "%s", kept->parameters[p].name);
        const double error = kept->fit.no_errors ? NAN : kept->fit.errors[p];
        /* A parameter at its bound is shown as that bound. */
        cli_table_cell(table, "%s",
                       bound ? cli_exact(kept->x[p], false).s : cli_to_error(kept->x[p], error).s);
        if (kept->fit.no_errors)
            cli_table_cell(table, "-");
        else
            cli_table_cell(table, "%s", cli_error_of(kept->x[p], error).s);
        cli_table_cell(table, "%s to %s", cli_exact(kept->parameters[p].lower, false).s,
                       cli_exact(kept->parameters[p].upper, false).s);
        cli_table_cell(table, "%s",
                       kept->parameters[p].lower == kept->parameters[p].upper ? "fixed"
                       : bound                                                ? bound
                                                                              : "-");
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

/* Text such as "-0.354"; a correlation near 1 or -1 is shown with two digits of its distance from 1, since
 * this distance tells whether the two parameters can be distinguished. */
static struct cli_text correlation_text(double value)
{
    struct cli_text text;
    snprintf(text.s, sizeof text.s, "%.3f", value);
    return fabs(value) < 1 && strspn(text.s, "-1.0") == strlen(text.s) && fabs(value) > 0.5
               ? cli_to_error(value, 1 - fabs(value))
               : text;
}

/* Prints the correlations below the diagonal. */
static void print_correlations(const struct kept *kept)
{
    enum { MOST = 12 };
    struct cli_column columns[MOST] = {{.title = "correlation"}};
    const size_t n = kept->count;
    if (kept->fit.no_errors || n < 2 || n > MOST)
        return;
    for (size_t p = 1; p < n; p++)
        columns[p] = (struct cli_column){.title = kept->parameters[p - 1].name, .stays = true, .right = true};
    struct cli_table *table = cli_table_new(columns, n);
    for (size_t i = 1; i < n; i++) {
        cli_table_row(table);
        cli_table_cell(table, "%s", kept->parameters[i].name);
        for (size_t k = 0; k < i; k++)
            cli_table_cell(table, "%s", correlation_text(kept->fit.correlations[i * n + k]).s);
    }
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

bool fit_is_better(const struct cli_row *row, const struct cli_row *other)
{
    const struct kept *kept = row->kept;
    const double value = row->result.value, than = other->result.value;
    return kept && kept->is_greatest ? value > than : value < than;
}

void fit_row_print(const struct cli_row *row)
{
    const struct kept *kept = row->kept;
    if (kept)
        best_print(&kept->best);
    if (kept && kept->files)
        cli_print("\n%s", kept->files);
    if (!kept || !kept->has_fit)
        return;
    struct cli_block *block = cli_block_new();
    cli_block_line(block, "rows", "%zu", kept->fit.rows);
    cli_block_line(block, "RMS", "%s", cli_number(kept->fit.rms).s);
    cli_block_line(block, "R^2", "%s", cli_share(kept->fit.r2, 6).s);
    if (kept->fit.no_errors)
        cli_block_line(block, "no errors", "%s", kept->fit.no_errors);
    putchar('\n');
    cli_block_print(block, stdout);
    cli_block_free(&block);
    print_parameters(kept);
    print_correlations(kept);
}

void fit_row_json(cJSON *object, const struct cli_row *row)
{
    const struct kept *kept = row->kept;
    if (kept)
        best_json(object, &kept->best);
    if (!kept || !kept->has_fit)
        return;
    const size_t n = kept->count;
    cJSON *json = cli_json_object(object, "fit");
    cli_json_uint(json, "rows", kept->fit.rows);
    cli_json_real(json, "value", kept->fit.value);
    cli_json_real(json, "rms", kept->fit.rms);
    cli_json_real(json, "r2", kept->fit.r2);
    cli_json_real(json, "deviation", kept->fit.deviation);
    cli_json_text(json, "no_errors", kept->fit.no_errors);
    cJSON *parameters = cli_json_array(json, "parameters");
    for (size_t p = 0; p < n; p++) {
        cJSON *one = cli_json_object(parameters, NULL);
        cli_json_text(one, "name", kept->parameters[p].name);
        cli_json_real(one, "value", kept->x[p]);
        cli_json_real(one, "error", kept->fit.errors[p]);
        cli_json_real(one, "lower", kept->parameters[p].lower);
        cli_json_real(one, "upper", kept->parameters[p].upper);
        cli_json_text(one, "at_bound", bound_name(kept->fit.at_bound[p]));
    }
    cJSON *correlations = cli_json_array(json, "correlations");
    for (size_t i = 0; i < n && !kept->fit.no_errors; i++)
        cli_json_reals(correlations, NULL, kept->fit.correlations + i * n, n);
}

void fit_row_free(struct cli_row *row)
{
    struct kept *kept = row->kept;
    if (!kept)
        return;
    clear_fit(kept);
    best_free(&kept->best);
    free(kept->files);
    free(kept);
    row->kept = NULL;
}
