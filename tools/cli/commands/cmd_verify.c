/* shoal verify: compares every device with the host. */
#include "cli/commands/verify.h"
#include "cli/search/optimise.h"
#include "cli/workload.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct values {
    uint64_t steps;
    bool long_runs;
    const char *only;
};

static const struct shoal_option options[] = {
    {"steps", SHOAL_OPTION_UINT, offsetof(struct values, steps), "N", 1, 10000, NULL,
     "steps of each workload to compare; after some hundred steps rounding makes any two runs diverge"},
    {"long", SHOAL_OPTION_FLAG, offsetof(struct values, long_runs), "", 0, 0, NULL,
     "also run the long checks: minutes on a GPU, an hour and more on a few CPU cores"},
    {"only", SHOAL_OPTION_TEXT, offsetof(struct values, only), "LIST", 0, 0, NULL,
     "only the rows with one of these names; * matches any text, ? any character: '*method=*,lib.sort*'"},
};

static const struct shoal_example examples[] = {
    {"shoal verify", "every workload and building block on every device"},
    {"shoal verify --only '*precision=fp64'", "double precision of every workload"},
};

static void values_init(void *block)
{
    struct values *values = block;
    values->steps = 20;
}

/* Returns the next pattern of the list at *at, without the blanks around the pattern, and moves *at past the
 * pattern. The caller frees the pattern. NULL: no pattern is left. */
static char *next_pattern(const char **at)
{
    *at += strspn(*at, " ,");
    size_t length = strcspn(*at, ",");
    const char *first = *at;
    *at += length;
    while (length && first[length - 1] == ' ')
        length--;
    return length ? cli_sprintf("%.*s", (int)length, first) : NULL;
}

/* Whether `matches` is true for the name and a pattern of --only. Without --only every name matches. */
static bool any_pattern(const struct verify *verify, const char *name,
                        bool (*matches)(const char *pattern, const char *name))
{
    bool found = !verify->only;
    const char *at = verify->only ? verify->only : "";
    for (char *pattern; !found && (pattern = next_pattern(&at)); free(pattern))
        found = matches(pattern, name);
    return found;
}

static bool is_name(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

bool verify_wants(const struct verify *verify, const char *name)
{
    return any_pattern(verify, name, is_name);
}

/* Whether a name that begins with `begin` may match the pattern, judged by the characters before the first
 * wildcard of the pattern. */
static bool may_begin(const char *pattern, const char *begin)
{
    const size_t plain = strcspn(pattern, "*?[\\"), length = strlen(begin);
    return strncmp(pattern, begin, plain < length ? plain : length) == 0 &&
           (plain >= length || pattern[plain]);
}

bool verify_may_want(const struct verify *verify, const char *begin)
{
    return any_pattern(verify, begin, may_begin);
}

void verify_add(struct verify *verify, struct shoal_device *device, const struct verify_row *row)
{
    const char *id = shoal_device_get_info(device)->id;
    const enum shoal_status status = row->error.status;
    const bool left_out = row->left_out || status == SHOAL_UNSUPPORTED,
               is_error = status != SHOAL_OK && status != SHOAL_CHECK_FAILED && !left_out;
    /* A check may make more rows than --only asks for; errors are shown in any case. */
    if (!is_error && !verify_wants(verify, row->name))
        return;
    verify->rows = cli_realloc(verify->rows, (verify->row_count + 1) * sizeof *verify->rows);
    struct verify_row *added = &verify->rows[verify->row_count++];
    *added = *row;
    added->device = device;
    added->left_out = left_out;
    if (status == SHOAL_OK || left_out)
        return;
    cli_fail(id, &row->error);
    verify->code = cli_first_failure(verify->code, cli_exit_code(status));
}

void verify_judge(struct verify *verify, struct shoal_device *device, struct verify_row *row)
{
    if (!row->error.status && !(row->deviation <= row->tolerance))
        cli_set_error(&row->error, SHOAL_CHECK_FAILED, "%s: %s: %.3g, %.3g is allowed", row->name, row->what,
                      row->deviation, row->tolerance);
    verify_add(verify, device, row);
}

static void verify_workload(struct verify *verify, const struct shoal_workload *workload,
                            struct shoal_device *device, const void *params, struct verify_row *row)
{
    struct shoal_verification result = {0};
    cli_progress_show("%s  %s", row->name, shoal_device_get_info(device)->id);
    row->error = (struct shoal_error){0};
    row->error.status =
        shoal_workload_verify(workload, device, params, verify->steps, verify->variant, &result, &row->error);
    row->what = result.what ? cli_keep(result.what) : "";
    row->compared = result.steps;
    row->deviation = result.deviation;
    row->tolerance = result.tolerance;
}

/* A choice of an option to verify, and blocks of parameters for the runs. */
struct tried {
    const struct shoal_workload *workload;
    const char *defaults;
    char *params;
    bool *given;
    size_t option;
    int32_t choice;
};

static bool is_left_out(const struct tried *tried)
{
    const struct shoal_option *option = &tried->workload->options[tried->option];
    char *name = cli_sprintf("%s=%s", option->name, option->choices[tried->choice]);
    bool found = false;
    for (size_t i = 0; i < shoal_workload_case_count(tried->workload); i++) {
        const struct shoal_case *at = shoal_workload_case_at(tried->workload, i);
        found = found || (at->flags & SHOAL_CASE_NO_VERIFY && strcmp(at->values, name) == 0);
    }
    free(name);
    return found;
}

/* Sets tried->params to the parameters of case `at` with the choice of `tried`; returns false if the choice
 * has no effect in the case. *same: the case has this choice anyway. */
static bool takes(const struct tried *tried, const struct shoal_case *at, bool *same)
{
    const struct shoal_workload *workload = tried->workload;
    struct shoal_error error;
    char *field = tried->params + workload->options[tried->option].offset;
    memcpy(tried->params, tried->defaults, workload->params_size);
    cli_sizes_set(workload, tried->params, at->values);
    *same = memcmp(field, &tried->choice, sizeof tried->choice) == 0;
    memcpy(field, &tried->choice, sizeof tried->choice);
    tried->given[tried->option] = true;
    const enum shoal_status status = shoal_options_check(
        workload->options, workload->option_count, tried->params, tried->defaults, tried->given, &error);
    tried->given[tried->option] = false;
    return status == SHOAL_OK;
}

/* Verifies a choice in the first case in which the choice has an effect and the run is supported. Makes no
 * row if the first case of the workload has the choice anyway: the row of that case verifies the choice. */
static void verify_choice(struct verify *verify, struct shoal_device *device, const struct tried *tried)
{
    const struct shoal_workload *workload = tried->workload;
    const struct shoal_option *option = &workload->options[tried->option];
    char *name = cli_sprintf("%s %s=%s", workload->name, option->name, option->choices[tried->choice]);
    struct verify_row row = {.name = cli_keep(name)};
    bool any = false, done = false;
    size_t tries = 0;
    const size_t count = verify_wants(verify, name) ? shoal_workload_case_count(workload) : 0;
    for (size_t i = 0; i < count && !done; i++) {
        const struct shoal_case *at = shoal_workload_case_at(workload, i);
        bool same;
        if (!(at->flags & SHOAL_CASE_VERIFY))
            continue;
        const bool first = tries++ == 0;
        if (!takes(tried, at, &same))
            continue;
        if (first && same)
            break;
        any = true;
        verify_workload(verify, workload, device, tried->params, &row);
        row.left_out = row.error.status == SHOAL_INVALID;
        done = !row.left_out && row.error.status != SHOAL_UNSUPPORTED;
    }
    if (any)
        verify_add(verify, device, &row);
    free(name);
}

/* Verifies the parameters of a case in a row of its own. */
static void verify_case(struct verify *verify, const struct shoal_workload *workload,
                        struct shoal_device *device, const struct shoal_case *at, char *params)
{
    char *name = strcmp(at->name, "defaults") == 0 ? cli_strdup(workload->name)
                                                   : cli_sprintf("%s %s", workload->name, at->name);
    struct verify_row row = {.name = cli_keep(name)};
    if (verify_wants(verify, name)) {
        workload->params_init(params);
        cli_sizes_set(workload, params, at->values);
        verify_workload(verify, workload, device, params, &row);
        verify_add(verify, device, &row);
    }
    free(name);
}

/* Verifies the case named "defaults", or without such a case the defaults of the options; then the cases that
 * are verified in rows of their own. */
static void verify_cases(struct verify *verify, const struct shoal_workload *workload,
                         struct shoal_device *device, char *params)
{
    static const struct shoal_case plain = {"defaults", "", SHOAL_CASE_VERIFY_ALONE};
    const struct shoal_case *defaults = &plain;
    const size_t count = shoal_workload_case_count(workload);
    for (size_t i = 0; i < count; i++)
        if (strcmp(shoal_workload_case_at(workload, i)->name, plain.name) == 0)
            defaults = shoal_workload_case_at(workload, i);
    verify_case(verify, workload, device, defaults, params);
    for (size_t i = 0; i < count && !cli_stopped(NULL); i++) {
        const struct shoal_case *at = shoal_workload_case_at(workload, i);
        if (at->flags & SHOAL_CASE_VERIFY_ALONE && at != defaults)
            verify_case(verify, workload, device, at, params);
    }
}

/* Whether an option is left out: algorithms share the texts of functions, so only the first algorithm that is
 * verified tries all functions. */
static bool is_tried_already(const struct verify *verify, const struct shoal_option *option)
{
    return verify->has_functions && !verify->only && strcmp(option->name, "function") == 0;
}

static bool takes_functions(const struct shoal_workload *workload)
{
    for (size_t i = 0; i < workload->option_count; i++)
        if (strcmp(workload->options[i].name, "function") == 0)
            return true;
    return false;
}

/* Verifies the cases of a workload, then each other choice of each option that has choices, such as functions
 * or precisions. */
static void verify_choices(struct verify *verify, const struct shoal_workload *workload,
                           struct shoal_device *device)
{
    char *defaults = cli_alloc(workload->params_size), *params = cli_alloc(workload->params_size);
    bool *given = cli_alloc(workload->option_count * sizeof *given);
    verify_cases(verify, workload, device, params);
    workload->params_init(defaults);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        for (int32_t choice = 0; option->type == SHOAL_OPTION_CHOICE && option->choices[choice]; choice++) {
            const struct tried tried = {workload, defaults, params, given, i, choice};
            if (!cli_stopped(NULL) && !is_left_out(&tried) && !is_tried_already(verify, option))
                verify_choice(verify, device, &tried);
        }
    }
    verify->has_functions = verify->has_functions || takes_functions(workload);
    free(given);
    free(params);
    free(defaults);
}

static const char *outcome(const struct verify_row *row)
{
    if (row->left_out)
        return "left out";
    switch (row->error.status) {
    case SHOAL_OK:
        return "pass";
    case SHOAL_CHECK_FAILED:
        return "FAIL";
    default:
        return "error";
    }
}

static void print_table(const struct verify *verify)
{
    static const struct cli_column columns[] = {{.title = "what"},
                                                {.title = "device"},
                                                {.title = "compared", .right = true, .rank = 1},
                                                {.title = "deviation", .right = true},
                                                {.title = "allowed", .right = true},
                                                {.title = "result"},
                                                {.title = "of", .rank = 2}};
    struct cli_table *table = cli_table_new(columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < verify->row_count; i++) {
        const struct verify_row *row = &verify->rows[i];
        cli_table_row(table);
        cli_table_cell(table, "%s", row->name);
        cli_table_cell(table, "%s", shoal_device_get_info(row->device)->id);
        if (row->error.status != SHOAL_OK && row->error.status != SHOAL_CHECK_FAILED) {
            cli_table_span(table, "%s: %s", outcome(row), row->error.message);
            continue;
        }
        cli_table_cell(table, "%llu", (unsigned long long)row->compared);
        cli_table_cell(table, "%.2g", row->deviation);
        cli_table_cell(table, "%.2g", row->tolerance);
        cli_table_cell(table, "%s", outcome(row));
        cli_table_cell(table, "%s", row->what);
    }
    cli_table_print(table, stdout);
    cli_table_free(&table);
}

static int print_json(const struct verify *verify)
{
    cJSON *json = cli_json_new("verify"), *rows = cli_json_array(json, "rows");
    for (size_t i = 0; i < verify->row_count; i++) {
        const struct verify_row *row = &verify->rows[i];
        bool compared = row->error.status == SHOAL_OK || row->error.status == SHOAL_CHECK_FAILED;
        cJSON *object = cli_json_object(rows, NULL);
        cli_json_text(object, "what", row->name);
        cli_json_text(object, "device", shoal_device_get_info(row->device)->id);
        cli_json_text(object, "quantity", compared ? row->what : NULL);
        cli_json_uint(object, "compared", row->compared);
        cli_json_real(object, "deviation", compared ? row->deviation : NAN);
        cli_json_real(object, "tolerance", compared ? row->tolerance : NAN);
        cli_json_text(object, "result", row->error.status == SHOAL_CHECK_FAILED ? "fail" : outcome(row));
        cli_json_error(object, "error", &row->error);
    }
    return cli_json_print(json);
}

static bool named(const struct cli *cli, const char *name)
{
    for (size_t i = 0; i < cli->argument_count; i++)
        if (optimise_is_meant(cli->arguments[i], name))
            return true;
    return false;
}

static bool wanted(const struct cli *cli, const char *name)
{
    return cli->argument_count == 0 || named(cli, name);
}

/* Returns check number `index` of the checks of all workloads; `*of` receives the name of its workload. NULL:
 * `index` is out of range. */
static const struct verify_check *check_at(size_t index, const char **of)
{
    for (size_t r = 0; cli_reports[r]; r++)
        for (const struct verify_check *check = cli_reports[r]->checks; check && check->name; check++)
            if (index-- == 0) {
                *of = cli_reports[r]->workload;
                return check;
            }
    return NULL;
}

static char *list_checks(void)
{
    char *list = cli_strdup("");
    const struct verify_check *check;
    const char *of;
    for (size_t i = 0; (check = check_at(i, &of)); i++) {
        if (check->is_short)
            continue;
        char *longer = cli_sprintf("%s\n  %-16s %-5s %s", list, check->name, check->steps, check->help);
        free(list);
        list = longer;
    }
    return list;
}

static char *list_details(void)
{
    char *list = list_checks(), *longer;
    const struct verify_check *check;
    const char *of, *between = "\nShort checks of plain verify that have a name, too: ";
    for (size_t i = 0; (check = check_at(i, &of)); i++) {
        if (!check->is_short)
            continue;
        longer = cli_sprintf("%s%s%s", list, between, check->name);
        free(list);
        list = longer;
        between = ", ";
    }
    return list;
}

static const char *operand_at(size_t index)
{
    const char *of;
    if (index-- == 0)
        return "lib";
    if (index < shoal_workload_count())
        return shoal_workload_at(index)->name;
    index -= shoal_workload_count();
    if (index-- == 0)
        return optimise_command()->name;
    const struct verify_check *check = check_at(index, &of);
    return check ? check->name : NULL;
}

/* Reports the patterns of --only that match no row. */
static int check_patterns(const struct verify *verify)
{
    int code = CLI_OK;
    const char *at = verify->only ? verify->only : "";
    if (verify->only && !at[strspn(at, " ,")])
        return cli_error(CLI_USAGE, "--only: there is no name in '%s'", verify->only);
    for (char *pattern; (pattern = next_pattern(&at)); free(pattern)) {
        size_t row = 0;
        while (row < verify->row_count && !is_name(pattern, verify->rows[row].name))
            row++;
        if (row == verify->row_count)
            code = cli_error(CLI_USAGE, "--only: no row has the name '%s'; verify without it shows the names",
                             pattern);
    }
    return code;
}

static int run(struct cli *cli)
{
    const struct values *values = cli->values;
    struct verify verify = {
        .steps = values->steps, .variant = (enum shoal_variant)cli->common.variant, .only = values->only};
    size_t others = 0; /* devices that are compared with the host */
    int code = cli_check_operands(cli, cli->argument_count);
    if (code == CLI_OK)
        code = cli_select(cli, "all", SHOAL_SELECT_ALIASES);
    if (code != CLI_OK)
        return code;
    for (size_t i = 0; !verify.host; i++) /* every instance has a host device */
        if (shoal_device_get_info(shoal_device_at(cli->shoal, i))->is_host)
            verify.host = shoal_device_at(cli->shoal, i);
    for (size_t d = 0; d < cli->device_count; d++) {
        struct shoal_device *device = cli->devices[d];
        /* The host, which is the reference, is only verified if --device selects it. */
        if (shoal_device_get_info(device)->is_host && !cli->common.device)
            continue;
        others += !shoal_device_get_info(device)->is_host;
        verify.has_functions = false;
        if (wanted(cli, "lib") && !shoal_device_get_info(device)->is_host)
            verify_primitives(&verify, device);
        for (size_t w = 0; w < shoal_workload_count() && !cli_stopped(NULL); w++)
            if (!(shoal_workload_at(w)->flags & SHOAL_WORKLOAD_HOST_ONLY) &&
                wanted(cli, shoal_workload_at(w)->name))
                verify_choices(&verify, shoal_workload_at(w), device);
        const struct verify_check *check;
        const char *of;
        for (size_t i = 0; (check = check_at(i, &of)) && !cli_stopped(NULL); i++)
            if (verify_may_want(&verify, check->name) &&
                (named(cli, check->name) || ((values->long_runs || check->is_short) && wanted(cli, of))))
                check->run(&verify, device);
    }
    cli_progress_end();
    if (others && !cli_stopped(NULL))
        verify.code = cli_first_failure(verify.code, check_patterns(&verify));
    if (verify.row_count == 0 && verify.code != CLI_OK)
        return verify.code;
    if (verify.row_count == 0 && !cli_stopped(NULL))
        cli_note(cli, "nothing was checked: there is no device but the host");
    code = cli_first_failure(cli_stop_code(), verify.code);
    if (cli->common.json)
        code = cli_first_failure(code, print_json(&verify));
    else
        print_table(&verify);
    free(verify.rows);
    return cli_first_failure(code, cli_flush());
}

const struct cli_command cli_verify = {
    .name = "verify",
    .summary = "check every device against the host",
    .description = "Compares the first steps of each workload on each device with the double-precision host "
                   "solver, for the defaults and for each other choice of function, rule, precision and "
                   "method, and the kernel library (random numbers, reductions, scan, sort) with plain C. "
                   "The exit code is 6 if a deviation exceeds its tolerance for rounding.\n"
                   "--long adds the checks below, which take minutes; the name of a check runs only that "
                   "one, here with its steps in millions:",
    .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(struct values),
    .values_init = values_init,
    .argument = "WHAT",
    .max_arguments = 64,
    .operand_at = operand_at,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .details = list_details,
    .run = run};
