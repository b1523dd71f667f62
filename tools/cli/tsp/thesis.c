/* shoal tsp: the switches of the thesis as other names of options, and its configuration file and output. */
#include "cli/tsp/thesis.h"

#include "base/input.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <shoal/theses.h>
#include <stdlib.h>
#include <string.h>

/* Switches ------------------------------------------------------------------------------------------------
 */

/* The value of a setting. where: the switch, or file and line, where the user set it. */
struct setting {
    const char *where, *value; /* value NULL: not set */
};

/* Settings, in the order of table 7.3 of the thesis. */
enum { SOURCE, DESTINATION, MACRO, MICRO, PASSES, OVERLAPS, ALPHA, BETA, DEVICE, EXTENDED, SETTINGS };
static const char *const config_names[SETTINGS] = {
    "source", "destination", "nMacroAcoCycles", "nMicroAcoCycles", "nLocalSearchCycles", "nOverlappingSteps",
    "alpha",  "beta",        "device",          "extendedOutput"};
/* Option that a setting sets to its value; NULL: set_all treats the setting itself. */
static const char *const targets[SETTINGS] = {"data",     NULL,    "macro-cycles", "micro-cycles", "passes",
                                              "overlaps", "alpha", "beta",         NULL,           NULL};

static const char *kept(char *text)
{
    const char *copy = cli_keep(text);
    free(text);
    return copy;
}

/* Sets an option, unless the user gave it. */
static int set(struct cli_groups *groups, const char *name, const char *value, const char *where)
{
    size_t index;
    const struct shoal_option *option = cli_groups_find(groups, name, &index);
    struct cli_group *group = &groups->group[index];
    bool *given = &group->given[option - group->options];
    if (*given)
        return CLI_OK;
    *given = true;
    return cli_value_set(option, group->values, value, where) ? CLI_OK : CLI_USAGE;
}

static int set_all(struct cli_groups *groups, const struct setting *settings)
{
    const bool is_extended = settings[EXTENDED].value && strcmp(settings[EXTENDED].value, "0") != 0;
    int code = set(groups, "algorithm", "thesis", "--algorithm");
    if (is_extended && strcmp(settings[EXTENDED].value, "1") != 0)
        return cli_error(CLI_USAGE, "%s: '%s' is neither 0 nor 1", settings[EXTENDED].where,
                         settings[EXTENDED].value);
    if (settings[EXTENDED].value && is_extended && !settings[DESTINATION].value)
        return cli_error(CLI_USAGE, "%s: the history needs a file: give --dst FILE",
                         settings[EXTENDED].where);
    for (size_t i = 0; i < SETTINGS && code == CLI_OK; i++)
        if (targets[i] && settings[i].value)
            code = set(groups, targets[i], settings[i].value, settings[i].where);
    if (code == CLI_OK && settings[DESTINATION].value)
        code = set(groups, is_extended ? "history" : "out", settings[DESTINATION].value,
                   settings[DESTINATION].where);
    if (code == CLI_OK && settings[DEVICE].value) {
        const char *id = kept(cli_sprintf("cuda:%s", settings[DEVICE].value));
        code = set(groups, "device", id, settings[DEVICE].where);
    }
    return code;
}

/* Configuration file
 * ----------------------------------------------------------------------------------------- */

static int take_line(const char *path, unsigned number, char *line, struct setting settings[SETTINGS])
{
    char *end = strchr(line, '#');
    if (end)
        *end = '\0';
    char *equals = strchr(line, '=');
    if (equals)
        *equals = '\0';
    char *name = text_trimmed_copy(line), *value = equals ? text_trimmed_copy(equals + 1) : NULL;
    int code = CLI_OK;
    if (!name || (equals && !value)) {
        code = cli_error(CLI_FAILURE, "out of memory");
    } else if (!equals && *name) {
        code = cli_error(CLI_USAGE, "%s:%u: not a line NAME = VALUE", path, number);
    } else if (equals) {
        size_t i = 0;
        while (i < SETTINGS && strcmp(name, config_names[i]) != 0)
            i++;
        if (i == SETTINGS)
            code = cli_error(CLI_USAGE, "%s:%u: unknown name '%s'; --help thesis lists them", path, number,
                             name);
        else if (settings[i].where && strncmp(settings[i].where, "--", 2) != 0)
            code = cli_error(CLI_USAGE, "%s:%u: '%s' is set twice", path, number, name);
        else if (!settings[i].value)
            settings[i] =
                (struct setting){kept(cli_sprintf("%s:%u: %s", path, number, name)), cli_keep(value)};
    }
    free(name);
    free(value);
    return code;
}

static int read_config(const char *path, struct setting settings[SETTINGS])
{
    const int descriptor = input_open(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    char *line = NULL;
    size_t capacity = 0;
    int code = CLI_OK;
    if (!file)
        return cli_error(CLI_FAILURE, "--cfg: %s: cannot be read: %s", path, input_reason(errno));
    for (unsigned number = 1; code == CLI_OK && getline(&line, &capacity, file) >= 0; number++)
        code = take_line(path, number, line, settings);
    if (code == CLI_OK && ferror(file))
        code = cli_error(CLI_FAILURE, "--cfg: %s: cannot be read: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return code;
}

int thesis_complete(struct cli *cli, struct cli_groups *groups, const struct thesis_values *values)
{
    (void)cli;
    struct setting settings[SETTINGS] = {
        [SOURCE] = {"--src", values->source}, [DESTINATION] = {"--dst", values->destination},
        [MACRO] = {"--mac", values->macro},   [MICRO] = {"--mic", values->micro},
        [PASSES] = {"--lsc", values->passes}, [OVERLAPS] = {"--os", values->overlaps},
        [DEVICE] = {"--dev", values->device}, [EXTENDED] = {"--ext", values->extended},
    };
    bool is_used = values->config || values->output;
    for (size_t i = 0; i < SETTINGS; i++)
        is_used = is_used || settings[i].value;
    if (!is_used)
        return CLI_OK;
    const int code = values->config ? read_config(values->config, settings) : CLI_OK;
    return code == CLI_OK ? set_all(groups, settings) : code;
}

/* Output ---------------------------------------------------------------------------------------------------
 */

bool thesis_print(const struct cli *cli, const struct thesis_values *values, const struct cli_row *rows,
                  size_t count)
{
    if (!values->output)
        return false;
    for (size_t r = 0; r < count; r++) {
        const struct shoal_result *result = &rows[r].result;
        const struct shoal_device_info *info = shoal_device_get_info(rows[r].device);
        if (!cli_row_has_result(&rows[r])) {
            printf("> %s: %s\n", info->id, rows[r].error.message);
            continue;
        }
        if (!cli->common.quiet) {
            char *line = cli_run_line(rows[r].workload, cli->params, &rows[r], 1);
            printf("> device %s: %s\n> problem %s\n> parameters %s\n> check %s\n", info->id, info->name,
                   result->title, line, result->check_passed ? "pass" : "fail");
            free(line);
        }
        printf("! %.6f\n! %.6f\n! %.15g\n", shoal_result_number(result, "macro_time"),
               shoal_result_number(result, "micro_time"), result->value);
    }
    return true;
}

static const char *history_of(const struct cli *cli, const struct shoal_workload *workload)
{
    /* The parameters of the thesis follow the workload's struct in the block: <shoal/theses.h>. */
    const struct shoal_tsp_thesis *thesis =
        (const void *)((const char *)cli->params + workload->params_size - sizeof *thesis);
    return thesis->history;
}

int thesis_check(const struct cli *cli)
{
    const char *history = history_of(cli, shoal_workload_find("tsp"));
    return history && !cli_check_output("--history", history, false) ? CLI_FAILURE : CLI_OK;
}

int thesis_write_history(const struct cli *cli, const struct cli_row *row, struct shoal_solver *solver)
{
    const char *name = history_of(cli, row->workload);
    struct shoal_error error;
    if (!name)
        return CLI_OK;
    char *path = cli_row_path(cli, row, name);
    const int code = shoal_tsp_write_history(solver, path, &error) ? cli_fail("--history", &error) : CLI_OK;
    free(path);
    return code;
}
