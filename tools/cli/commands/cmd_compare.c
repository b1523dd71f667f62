/* shoal compare: the same work on every device, side by side. */
#include "cli/commands/compare.h"
#include "cli/output/tables/layout.h"
#include "cli/search/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum when { WHEN_AUTO, WHEN_YES, WHEN_NO };
static const char *const when_choices[] = {"auto", "yes", "no", NULL};
static const char *const size_choices[] = {"small", "medium", "large", NULL};

struct values {
    uint64_t samples;
    const char *set, *html, *out, *baseline, *sizes;
    int32_t roofs, size, split;
};

static void values_init(void *data)
{
    struct values *values = data;
    values->samples = 3;
}

static const struct shoal_option options[] = {
    {"size", SHOAL_OPTION_CHOICE, offsetof(struct values, size), "SIZE", 0, 0, size_choices,
     "size of each workload: small ends within seconds on two cores, medium within minutes, large fills a "
     "GPU"},
    {"sizes", SHOAL_OPTION_TEXT, offsetof(struct values, sizes), "LIST", 0, 0, NULL,
     "several sizes in one run, in place of --size: small,medium,large; the page of --html then shows speed "
     "over size"},
    {"samples", SHOAL_OPTION_UINT, offsetof(struct values, samples), "N", 1, 100, NULL,
     "runs of each workload on each device; the times shown are medians"},
    {"set", SHOAL_OPTION_TEXT, offsetof(struct values, set), "LIST", 0, 0, NULL,
     "options of the workloads: WORKLOAD.NAME=VALUE, separated by commas"},
    {"baseline", SHOAL_OPTION_TEXT, offsetof(struct values, baseline), "DEVICE", 0, 0, NULL,
     "id of the device that speeds are relative to (default host, else the first)"},
    {"html", SHOAL_OPTION_TEXT, offsetof(struct values, html), "FILE", 0, 0, NULL,
     "write a self-contained HTML page with charts", .flags = SHOAL_OPTION_WRITES},
    {"out", SHOAL_OPTION_TEXT, offsetof(struct values, out), "FILE", 0, 0, NULL,
     "write a result file in the format of 'shoal bench'", .flags = SHOAL_OPTION_WRITES},
    {"roofs", SHOAL_OPTION_CHOICE, offsetof(struct values, roofs), "WHEN", 0, 0, when_choices,
     "whether to measure the roofs of each device; auto: with --html or --out"},
    {"split", SHOAL_OPTION_CHOICE, offsetof(struct values, split), "WHEN", 0, 0, when_choices,
     "whether each workload has a row of one run divided over all devices but the host, beside their runs "
     "alone; auto: over devices of one kind, where there are several"},
};

static const struct shoal_example examples[] = {
    {"shoal compare", "every workload on every device"},
    {"shoal compare --html report.html", "the same as a page with charts"},
    {"shoal compare --size large --device gpu", "sizes that fill a GPU"},
};

/* Works to run ------------------------------------------------------------------------------------------- */

/* Sets the defaults, and then the options that the workload declares for the size. */
static void set_size(struct compared_work *work, const char *size)
{
    work->size = size;
    work->params = cli_alloc(work->workload->params_size);
    work->workload->params_init(work->params);
    for (size_t i = 0; i < shoal_workload_case_count(work->workload); i++) {
        const struct shoal_case *at = shoal_workload_case_at(work->workload, i);
        if (at->flags & SHOAL_CASE_COMPARE && strcmp(at->name, size) == 0)
            cli_sizes_set(work->workload, work->params, at->values);
    }
}

/* Marks the sizes of a list such as "small,large"; the list must name one at least. Returns an exit code. */
static int read_sizes(const char *list, bool *chosen)
{
    size_t count = 0;
    while (size_choices[count])
        count++;
    for (const char *word = list;; word++) {
        char *size = cli_sprintf("%.*s", (int)strcspn(word, ","), word);
        size_t i = 0;
        while (i < count && strcmp(size_choices[i], size) != 0)
            i++;
        const int code = i < count ? CLI_OK : cli_not_one_of("--sizes", size, size_choices, count);
        word += strlen(size);
        free(size);
        if (code != CLI_OK)
            return code;
        chosen[i] = true;
        if (!*word)
            return CLI_OK;
    }
}

static int choose_works(struct comparison *comparison, const struct cli *cli, const bool *sizes)
{
    enum { SIZES = sizeof size_choices / sizeof *size_choices - 1 };
    const size_t all = shoal_workload_count();
    comparison->works = cli_alloc(all * SIZES * sizeof *comparison->works);
    for (size_t i = 0; i < all; i++) {
        const struct shoal_workload *workload = shoal_workload_at(i);
        bool chosen = cli->argument_count == 0 && !(workload->flags & SHOAL_WORKLOAD_HOST_ONLY);
        for (size_t a = 0; a < cli->argument_count; a++)
            chosen = chosen || optimise_is_meant(cli->arguments[a], workload->name);
        for (size_t s = 0; s < SIZES; s++) {
            struct compared_work *work = &comparison->works[comparison->work_count];
            if (!chosen || !sizes[s])
                continue;
            work->workload = workload;
            set_size(work, size_choices[s]);
            comparison->work_count++;
        }
    }
    return cli_check_operands(cli, cli->argument_count);
}

/* Sets one option of a workload, in all its sizes, from "WORKLOAD.NAME=VALUE"; changes `item`. */
static int set_option(const struct comparison *comparison, char *item)
{
    char *dot = strchr(item, '.'), *equals = strchr(item, '=');
    if (!dot || !equals || equals < dot)
        return cli_error(CLI_USAGE, "--set: '%s' is not WORKLOAD.NAME=VALUE", item);
    *dot = *equals = 0;
    const char *name = dot + 1;
    bool is_set = false;
    for (size_t w = 0; w < comparison->work_count; w++) {
        const struct shoal_workload *workload = comparison->works[w].workload;
        for (size_t i = 0; strcmp(workload->name, item) == 0 && i < workload->option_count; i++) {
            if (strcmp(workload->options[i].name, name) != 0)
                continue;
            const struct shoal_option *option = cli_option_of_value(workload->options, workload->option_count,
                                                                    &workload->options[i], equals + 1);
            char *where = cli_sprintf("--set %s.%s", item, name);
            is_set = cli_value_set(option, comparison->works[w].params, equals + 1, where);
            free(where);
            if (!is_set)
                return CLI_USAGE;
            break;
        }
    }
    if (is_set)
        return CLI_OK;
    for (size_t w = 0; w < comparison->work_count; w++) {
        const struct shoal_workload *workload = comparison->works[w].workload;
        const char *nearest = strcmp(workload->name, item) == 0 ? cli_option_nearest(workload, name) : NULL;
        if (nearest)
            return cli_error(CLI_USAGE, "--set: no option %s.%s; did you mean %s.%s?", item, name, item,
                             nearest);
    }
    return cli_error(CLI_USAGE, "--set: no option %s.%s among the workloads of this comparison", item, name);
}

static int set_params(const struct comparison *comparison, const struct values *values)
{
    const char *config = comparison->cli->common.config;
    int code = CLI_OK;
    for (size_t w = 0; config && w < comparison->work_count && code == CLI_OK; w++)
        code = cli_config_params(config, comparison->works[w].workload, comparison->works[w].params);
    /* A copy that lives as long as the process, since texts of options point into the list. */
    char *list = values->set ? (char *)cli_keep(values->set) : NULL, *rest = NULL;
    for (char *item = list ? strtok_r(list, ",", &rest) : NULL; item && code == CLI_OK;
         item = strtok_r(NULL, ",", &rest))
        code = set_option(comparison, item);
    for (size_t w = 0; w < comparison->work_count && code == CLI_OK; w++) {
        const struct compared_work *work = &comparison->works[w];
        code = cli_validate(comparison->cli, work->workload->name, work->workload, work->params);
    }
    return code;
}

/* Adds a row to the work and runs it. split: division of the run; NULL: not divided. */
static struct cli_row *run_row(const struct comparison *comparison, struct compared_work *work,
                               struct shoal_device *device, enum shoal_variant variant,
                               const struct shoal_split_params *split)
{
    struct shoal_run_params params;
    shoal_run_params_init(&params);
    params.hang_limit = comparison->cli->common.hang_limit;
    work->rows = cli_realloc(work->rows, (work->row_count + 1) * sizeof *work->rows);
    struct cli_row *row = &work->rows[work->row_count++];
    *row = (struct cli_row){.workload = work->workload,
                            .device = device,
                            .variant = variant,
                            .split = split,
                            .energy.is_asked = comparison->cli->common.energy,
                            .may_be_refused = split != NULL};
    cli_row_run(row, work->params, &params, comparison->samples);
    return row;
}

/* Divided runs ------------------------------------------------------------------------------------------ */

static bool is_compared(const struct cli *cli, const char *id)
{
    for (size_t d = 0; d < cli->device_count; d++)
        if (strcmp(shoal_device_get_info(cli->devices[d])->id, id) == 0)
            return true;
    return false;
}

/* Whether the device can take part in a divided run: it is not the host, and it is not another id of a card
 * that is already compared. */
static bool can_take_part(const struct cli *cli, const struct shoal_device *device)
{
    const struct shoal_device_info *info = shoal_device_get_info(device);
    return !info->is_host && !(info->alias_of && is_compared(cli, info->alias_of));
}

/* Whether two devices have the same name and are whole devices, or are parts of one division, such as
 * opencl:0/2:0 and opencl:0/2:1. */
static bool are_alike(const struct shoal_device_info *one, const struct shoal_device_info *two)
{
    if (strcmp(one->name, two->name) != 0 || !one->part_of != !two->part_of)
        return false;
    const size_t length = (size_t)(strrchr(one->id, ':') - one->id);
    return !one->part_of ||
           (strncmp(one->id, two->id, length) == 0 && strrchr(two->id, ':') == two->id + length);
}

/* Reduces comparison->divided to the first group of two or more devices that are alike (are_alike). If there
 * is no such group, at most one device remains. */
static void keep_one_kind(struct comparison *comparison)
{
    struct shoal_device **devices = comparison->divided;
    const size_t count = comparison->divided_count;
    comparison->divided_count = 0;
    for (size_t first = 0; first < count && comparison->divided_count < 2; first++) {
        const struct shoal_device_info *kind = shoal_device_get_info(devices[first]);
        comparison->divided_count = 0;
        for (size_t k = first; k < count; k++)
            if (are_alike(kind, shoal_device_get_info(devices[k])))
                devices[comparison->divided_count++] = devices[k];
    }
}

static int choose_divided(struct comparison *comparison, enum when split)
{
    const struct cli *cli = comparison->cli;
    comparison->divided = cli_alloc(cli->device_count * sizeof *comparison->divided);
    for (size_t d = 0; d < cli->device_count && split != WHEN_NO; d++)
        if (can_take_part(cli, cli->devices[d]))
            comparison->divided[comparison->divided_count++] = cli->devices[d];
    if (split == WHEN_AUTO)
        keep_one_kind(comparison);
    if (split == WHEN_YES && comparison->divided_count < 2)
        return cli_error(CLI_USAGE, "--split yes needs two devices or more that share a run, which the host "
                                    "cannot: name them with --device, or leave --split out");
    return CLI_OK;
}

/* Adds the row of a run over several devices. If the work cannot be divided, work->refusal keeps the reason,
 * which is no failure of the comparison. */
static int run_divided(const struct comparison *comparison, struct compared_work *work,
                       enum shoal_variant variant)
{
    if (comparison->divided_count < 2 || cli_stopped(NULL))
        return CLI_OK;
    shoal_split_params_init(&work->split);
    work->split.devices = comparison->divided;
    work->split.count = comparison->divided_count;
    work->refusal.status = shoal_split_check(work->workload, &work->split, work->params, &work->refusal);
    if (work->refusal.status != SHOAL_OK)
        return CLI_OK;
    struct cli_row *row = run_row(comparison, work, comparison->divided[0], variant, &work->split);
    if (row->error.status != SHOAL_INVALID)
        return cli_exit_code(row->error.status);
    /* The method decides whether a run can be divided, and only a device chooses the method: so a refusal may
     * come from the run. */
    work->refusal = row->error;
    cli_row_clear(row);
    work->row_count--;
    return CLI_OK;
}

/* Runs all rows. A device whose solver used a native kernel gets a second row, for OpenCL C. */
static int run_rows(struct comparison *comparison)
{
    const struct cli *cli = comparison->cli;
    const enum shoal_variant variant = (enum shoal_variant)cli->common.variant;
    int code = CLI_OK;
    for (size_t w = 0; w < comparison->work_count; w++) {
        struct compared_work *work = &comparison->works[w];
        const bool is_of_host = work->workload->flags & SHOAL_WORKLOAD_HOST_ONLY;
        for (size_t d = 0; d < cli->device_count && !cli_stopped(NULL); d++) {
            if (is_of_host && !shoal_device_get_info(cli->devices[d])->is_host)
                continue;
            const struct cli_row *row = run_row(comparison, work, cli->devices[d], variant, NULL);
            code = cli_first_failure(code, cli_exit_code(row->error.status));
            if (variant != SHOAL_VARIANT_AUTO || !row->native || cli_stopped(NULL))
                continue;
            row = run_row(comparison, work, cli->devices[d], SHOAL_VARIANT_CL, NULL);
            code = cli_first_failure(code, cli_exit_code(row->error.status));
        }
        code = cli_first_failure(code, run_divided(comparison, work, variant));
    }
    return code;
}

static void measure_roofs(struct comparison *comparison)
{
    const struct cli *cli = comparison->cli;
    for (size_t d = 0; d < cli->device_count && !cli_stopped(NULL); d++) {
        struct compared_roofs *roofs = &comparison->roofs[d];
        const char *id = shoal_device_get_info(cli->devices[d])->id;
        cli_progress_show("%s  measuring roofs", id);
        roofs->measured = true;
        roofs->error.status = shoal_measure_roofs(cli->devices[d], &roofs->roofs, &roofs->error);
        cli_progress_end();
        if (roofs->error.status != SHOAL_OK)
            cli_note(cli, "%s: roofs: %s", id, roofs->error.message);
    }
}

/* Output ------------------------------------------------------------------------------------------------- */

static void print_row(struct cli_table *table, const struct comparison *comparison,
                      const struct compared_work *work, const struct cli_row *row)
{
    char *devices = cli_row_devices(row);
    cli_table_row(table);
    cli_table_cell(table, "%s", devices);
    free(devices);
    cli_table_cell(table, "%s", cli_row_variant(row).s);
    if (!cli_row_valid(row)) {
        cli_table_span(table, "%s: %s", shoal_status_name(row->error.status), row->error.message);
        return;
    }
    const char *note = row->error.status == SHOAL_STOPPED ? " (stopped)" : "";
    cli_table_cell(table, "%s%s", cli_seconds(row->device_s).s, note);
    cli_table_cell(table, "%s%s",
                   row->device == comparison->baseline && !row->split
                       ? ""
                       : result_machine_mark(&comparison->results.machine),
                   cli_ratio(compare_speed(comparison, work, row)).s);
    cli_table_cell(table, "%s", compare_share_text(comparison, row).s);
    cli_table_cell(table, "%s", cli_seconds(row->wall_s).s);
    cli_table_cell(table, "%s", cli_seconds(row->build_s).s);
    cli_table_cell(table, "%s", cli_seconds(row->first_launch_s).s);
    cli_table_cell(table, "%s", cli_result_value(&row->result).s);
    cli_table_cell(table, "%.1e", row->result.error);
    cli_table_cell(table, "pass");
    cli_table_cell(table, "%zu", row->samples);
}

static void print_work(const struct comparison *comparison, const struct compared_work *work)
{
    const struct shoal_result *first = cli_first_result(work->rows, work->row_count);
    char *speed = cli_sprintf("x %s", shoal_device_get_info(comparison->baseline)->id);
    const struct cli_column columns[] = {
        {.title = "device"},
        {.title = "variant"},
        {.title = "device time", .stays = true, .right = true},
        {.title = speed, .stays = true, .right = true},
        {.title = "of roof", .right = true, .rank = 3},
        {.title = "wall time", .right = true, .rank = 6},
        {.title = "build", .right = true, .rank = 4},
        {.title = "first launch", .right = true, .rank = 5},
        {.title = first ? first->value_name : "value", .right = true, .rank = 1},
        {.title = "error", .right = true, .rank = 2},
        {.title = "check"},
        {.title = "samples", .right = true, .rank = 7}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    char *sizes = cli_work_line(work->workload, work->params, work->rows, work->row_count),
         *about = cli_sprintf("%s%s%s  %s", work->workload->name, comparison->has_sizes ? ", " : "",
                              comparison->has_sizes ? work->size : "", sizes);
    for (size_t r = 0; r < work->row_count; r++)
        print_row(table, comparison, work, &work->rows[r]);
    cli_paragraph(stdout, 2, about);
    free(about);
    about = cli_sprintf("%s; %s: times as fast%s%s",
                        comparison->samples > 1 ? "median times" : "times of one run", speed,
                        first ? "; check: " : "", first ? first->check_name : "");
    cli_paragraph(stdout, 2, about);
    putchar('\n');
    cli_table_print(table, stdout);
    cli_table_free(&table);
    free(about);
    row_energy_print(work->rows, work->row_count);
    about = compare_divided_text(work);
    if (about) {
        putchar('\n');
        cli_paragraph(stdout, 2, about);
    }
    free(about);
    free(sizes);
    free(speed);
}

static int print_text(const struct comparison *comparison)
{
    bool many_rows = false;
    for (size_t w = 0; w < comparison->work_count; w++) {
        if (w)
            putchar('\n');
        print_work(comparison, &comparison->works[w]);
        many_rows = many_rows || comparison->works[w].row_count > 1;
    }
    putchar('\n');
    for (size_t d = 0; d < comparison->cli->device_count; d++) {
        const struct shoal_device_info *info = shoal_device_get_info(comparison->cli->devices[d]);
        printf("%s: %s\n", info->id, info->name);
    }
    compare_print_builds(&comparison->builds);
    result_machine_print(&comparison->results.machine);
    if (many_rows)
        puts(COMPARE_ROUNDING);
    return cli_flush();
}

static void add_gain(cJSON *object, const struct compared_work *work, const struct cli_row *row)
{
    const struct compare_gain gain = compare_gain(work, row);
    cli_json_real(object, "gain", gain.best ? gain.gain : NAN);
    cli_json_real(object, "of_sum", gain.best ? gain.of_sum : NAN);
}

static void add_refusals(cJSON *json, const struct comparison *comparison)
{
    cJSON *refusals = cli_json_array(json, "not_divided");
    for (size_t w = 0; w < comparison->work_count; w++) {
        const struct compared_work *work = &comparison->works[w];
        if (work->refusal.status == SHOAL_OK)
            continue;
        cJSON *refusal = cli_json_object(refusals, NULL);
        cli_json_text(refusal, "workload", work->workload->name);
        cli_json_text(refusal, "reason", work->refusal.message);
    }
}

static int print_json(const struct comparison *comparison)
{
    const struct cli *cli = comparison->cli;
    cJSON *json = cli_json_new("compare");
    cli_json_text(json, "date", comparison->results.date);
    result_machine_json(json, &comparison->results.machine);
    cli_json_text(json, "size", comparison->sizes);
    cli_json_text(json, "baseline", shoal_device_get_info(comparison->baseline)->id);
    cJSON *params = cli_json_object(json, "params");
    for (size_t w = 0; w < comparison->work_count; w++) {
        const struct compared_work *work = &comparison->works[w];
        const struct shoal_workload *workload = work->workload;
        char *key = comparison->has_sizes ? cli_sprintf("%s.%s", workload->name, work->size)
                                          : cli_strdup(workload->name);
        cli_json_options(cli_json_object(params, key), workload->options, workload->option_count,
                         work->params);
        free(key);
    }
    cJSON *devices = cli_json_array(json, "devices");
    for (size_t d = 0; d < cli->device_count; d++) {
        cJSON *device = cli_json_device(devices, NULL, cli->devices[d]);
        if (comparison->roofs[d].measured && comparison->roofs[d].error.status == SHOAL_OK)
            cli_json_roofs(device, "roofs", &comparison->roofs[d].roofs);
    }
    compare_builds_json(&comparison->builds, json);
    cJSON *rows = cli_json_array(json, "rows");
    for (size_t w = 0; w < comparison->work_count; w++)
        for (size_t r = 0; r < comparison->works[w].row_count; r++) {
            const struct cli_row *row = &comparison->works[w].rows[r];
            cJSON *object = cli_json_row(rows, row);
            double share = compare_share(comparison, row);
            cli_json_text(object, "size", comparison->works[w].size);
            cli_json_real(object, "speed", compare_speed(comparison, &comparison->works[w], row));
            cli_json_text(object, "bound", share > 0 ? result_roof_name(row->result.roof) : NULL);
            cli_json_real(object, "share", share > 0 ? share : NAN);
            if (row->split)
                add_gain(object, &comparison->works[w], row);
        }
    add_refusals(json, comparison);
    return cli_json_print(json);
}

static int write_files(struct comparison *comparison, const struct values *values)
{
    struct shoal_error error = {0};
    int code = CLI_OK;
    if (!values->html && !values->out)
        return CLI_OK;
    if (compare_results(comparison, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    if (values->out && results_write(&comparison->results, values->out, NULL, &error) != SHOAL_OK)
        code = cli_fail("--out", &error);
    if (values->html && compare_divided(comparison, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    return cli_first_failure(code, values->html ? compare_page(comparison, values->html) : CLI_OK);
}

static void comparison_free(struct comparison *comparison)
{
    for (size_t w = 0; w < comparison->work_count; w++) {
        for (size_t r = 0; r < comparison->works[w].row_count; r++)
            cli_row_clear(&comparison->works[w].rows[r]);
        free(comparison->works[w].params);
        free(comparison->works[w].rows);
    }
    free(comparison->works);
    free(comparison->roofs);
    free((void *)comparison->divided);
    results_clear(&comparison->results);
}

static int run_comparison(struct comparison *comparison, struct cli *cli, const struct values *values)
{
    if ((values->html && (!cli_check_output("--html", values->html, false) ||
                          !cli_check_replaced("--html", values->html, "<!doctype html>", "page"))) ||
        (values->out && (!cli_check_output("--out", values->out, true) ||
                         !cli_check_replaced("--out", values->out, "{", "result file"))))
        return CLI_FAILURE;
    struct shoal_error error = {0};
    int code = cli_select(cli, "all", SHOAL_SELECT_ALIASES);
    if (code == CLI_OK)
        code = cli_baseline(cli, values->baseline, &comparison->baseline);
    if (code == CLI_OK)
        code = choose_divided(comparison, (enum when)values->split);
    if (code != CLI_OK)
        return code;
    if (results_begin(&comparison->results, cli_processor(cli), cli->argc, cli->argv, &error) != SHOAL_OK)
        return cli_fail(NULL, &error);
    comparison->roofs = cli_alloc(cli->device_count * sizeof *comparison->roofs);
    if (values->roofs == WHEN_YES || (values->roofs == WHEN_AUTO && (values->html || values->out)))
        measure_roofs(comparison);
    compare_build_ahead(comparison);
    code = run_rows(comparison);
    /* Files are written first, so that --json can say which files failed. */
    int output = write_files(comparison, values);
    output = cli_first_failure(output, cli->common.json ? print_json(comparison) : print_text(comparison));
    return cli_first_failure(cli_first_failure(cli_stop_code(), code), output);
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    bool sizes[sizeof size_choices / sizeof *size_choices] = {false};
    struct comparison comparison = {.cli = cli, .samples = values->samples};
    if (values->sizes) {
        const int read = read_sizes(values->sizes, sizes);
        if (read != CLI_OK)
            return read;
        comparison.sizes = values->sizes;
        comparison.has_sizes = strchr(values->sizes, ',') != NULL;
    } else {
        comparison.sizes = size_choices[values->size];
        sizes[values->size] = true;
    }
    int code = choose_works(&comparison, cli, sizes);
    if (code == CLI_OK)
        code = set_params(&comparison, values);
    if (code == CLI_OK)
        code = run_comparison(&comparison, cli, values);
    comparison_free(&comparison);
    return code;
}

static const char *workload_name_at(size_t index)
{
    if (index == shoal_workload_count())
        return optimise_command()->name;
    return index < shoal_workload_count() ? shoal_workload_at(index)->name : NULL;
}

const struct cli_command cli_compare = {
    .name = "compare",
    .summary = "run the same work on every device, side by side",
    .description =
        "Runs each WORKLOAD, or all of them, with the same parameters and seed on each device, and prints "
        "the times side by side. Every result is checked on the host in double precision; a device that "
        "fails shows the reason in its row. Kernel build and first launch are shown apart from the time of "
        "the run. Kernels of GPUs are built before the first run, all at the same time.\n" COMPARE_ROUNDING
        "\n"
        "A CUDA device with native kernels has two rows: cu for native CUDA, cl for OpenCL C. Several "
        "devices of one kind have one row more, of a single run that is divided over them (--split); a line "
        "below the table compares its rate with theirs, or says why the run cannot be divided.\n"
        "Parameters come from --size; the section [WORKLOAD] of --config overrides them, and --set overrides "
        "both.",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD | CLI_TAKES_RUN,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .reads_workloads = true,
    .argument = "WORKLOAD",
    .max_arguments = 64,
    .operand_at = workload_name_at,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run};
