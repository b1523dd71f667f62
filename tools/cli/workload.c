/* Presets, resumed runs and samples of the commands of workloads. */
#include "cli/workload.h"

#include "cli/ranks.h"
#include "cli/search/optimise.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct report *cli_report_of(const struct shoal_workload *workload)
{
    for (size_t i = 0; cli_reports[i]; i++)
        if (workload && strcmp(cli_reports[i]->workload, workload->name) == 0)
            return cli_reports[i];
    return workload && optimise_is_search(workload) ? &search_report : NULL;
}

const struct cli_row *cli_best_row(const struct cli_row *rows, size_t count)
{
    const struct report *report = count ? cli_report_of(rows->workload) : NULL;
    const struct cli_row *best = NULL;
    for (const struct cli_row *row = rows; report && report->is_better && row < rows + count; row++) {
        const bool may_be = cli_row_valid(row) && row->result.check_passed && isfinite(row->result.value);
        if (may_be && (!best || report->is_better(row, best)))
            best = row;
    }
    return best;
}

bool cli_needs_theses(const struct cli_groups *groups, const struct cli_command *command, const char *option,
                      const char *value)
{
    const struct report *report = cli_report_of(command->workload);
    const char *const *const lists[] = {command->workload ? command->workload->absent : NULL,
                                        report ? report->absent : NULL};
    const size_t length = strlen(option);
    size_t group;
    const bool is_here = cli_groups_find(groups, option, &group) != NULL;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (const char *const *name = lists[l]; name && *name; name++) {
            const char *choice = *name + strcspn(*name, "=");
            if ((size_t)(choice - *name) == length && strncmp(*name, option, length) == 0 &&
                (!is_here || (value && *choice && strcasecmp(choice + 1, value) == 0)))
                return true;
        }
    return false;
}

static const char preset_option[] = "preset";

const struct workload_preset *cli_presets_of(const struct cli_command *command)
{
    const struct report *report = cli_report_of(command->workload);
    for (size_t i = 0; report && i < command->option_count; i++)
        if (strcmp(command->options[i].name, preset_option) == 0)
            return report->presets;
    return NULL;
}

const char *cli_preset_name(const struct cli_groups *groups)
{
    size_t index;
    const struct shoal_option *option = cli_groups_find(groups, preset_option, &index);
    const char *name = NULL;
    if (option)
        memcpy(&name, (const char *)groups->group[index].values + option->offset, sizeof name);
    return name;
}

static void note_taken(const struct cli *cli, const struct workload_preset *preset, size_t i)
{
    cli_note(cli, "--preset %s is without --%s %s, which does not go with the options that were given",
             preset->name, preset->values[i][0], preset->values[i][1]);
}

/* Resets the first value of the preset that conflicts with values that the user gave; false: there is none.
 */
static bool take_back(const struct cli *cli, const struct workload_preset *preset, struct cli_groups *groups,
                      const struct cli_groups *defaults, bool *own)
{
    for (size_t i = 0; preset->values[i][0]; i++) {
        size_t index;
        const struct shoal_option *option = cli_groups_find(groups, preset->values[i][0], &index);
        struct cli_group *group = &groups->group[index];
        const void *unset = defaults->group[index].values;
        if (!own[i] || cli_needs_are_met(group, option, unset))
            continue;
        note_taken(cli, preset, i);
        cli_value_copy(option, group->values, unset);
        group->given[option - group->options] = own[i] = false;
        return true;
    }
    return false;
}

/* Whether the parameters are invalid. Not checked for `shoal optimise`, whose workload has only options: the
 * command of the algorithm checks the parameters. */
static bool is_refused(const struct cli *cli, struct shoal_error *error)
{
    const struct shoal_workload *workload = cli->command->workload;
    *error = (struct shoal_error){0};
    return shoal_workload_find(workload->name) == workload &&
           shoal_workload_validate(NULL, workload, cli->params, error) == SHOAL_INVALID;
}

/* Whether the message names the option. */
static bool names(const char *message, const char *option)
{
    const size_t length = strlen(option);
    for (const char *c = message; (c = strstr(c, "--")) != NULL; c += 2)
        if (strncmp(c + 2, option, length) == 0 && !isalnum((unsigned char)c[2 + length]) &&
            c[2 + length] != '-')
            return true;
    return false;
}

/* Resets values of the preset that cause an error other than unmet needs of an option: repeatedly, a value
 * whose option the error message names is reset if the message then changes. If an error remains, all values
 * stay, since the preset is not the cause. own: see take_back. */
static void take_back_refused(const struct cli *cli, const struct workload_preset *preset,
                              struct cli_groups *groups, const struct cli_groups *defaults, bool *own,
                              size_t count)
{
    struct shoal_error error, other;
    bool *gone = cli_alloc(count * sizeof *gone), refused = is_refused(cli, &error), changed = true;
    memset(gone, 0, count * sizeof *gone);
    while (refused && changed) {
        changed = false;
        for (size_t i = 0; i < count && refused && !changed; i++) {
            size_t index;
            const struct shoal_option *option = cli_groups_find(groups, preset->values[i][0], &index);
            if (!own[i] || gone[i] || !names(error.message, option->name))
                continue;
            cli_value_copy(option, groups->group[index].values, defaults->group[index].values);
            refused = is_refused(cli, &other);
            gone[i] = changed = !refused || strcmp(error.message, other.message) != 0;
            if (!changed)
                cli_value_set(option, groups->group[index].values, preset->values[i][1], preset->name);
        }
        if (changed)
            error = other;
    }
    for (size_t i = 0; i < count; i++) {
        size_t index;
        const struct shoal_option *option = cli_groups_find(groups, preset->values[i][0], &index);
        struct cli_group *group = &groups->group[index];
        if (!gone[i])
            continue;
        if (refused) {
            cli_value_set(option, group->values, preset->values[i][1], preset->name);
            continue;
        }
        note_taken(cli, preset, i);
        group->given[option - group->options] = own[i] = false;
    }
    free(gone);
}

static int apply(const struct cli *cli, const struct workload_preset *preset, struct cli_groups *groups)
{
    struct cli unset = {0};
    struct cli_groups defaults;
    size_t count = 0;
    while (preset->values[count][0])
        count++;
    bool *own = cli_alloc(count * sizeof *own), valid = true;
    for (size_t i = 0; i < count && valid; i++) {
        size_t index;
        const struct shoal_option *option = cli_groups_find(groups, preset->values[i][0], &index);
        struct cli_group *group = &groups->group[index];
        bool *given = &group->given[option - group->options];
        own[i] = !*given;
        valid = *given || cli_value_set(option, group->values, preset->values[i][1], preset->name);
        *given = true;
    }
    cli_groups_init(&defaults, &unset, cli->command);
    while (valid && take_back(cli, preset, groups, &defaults, own))
        continue;
    if (valid)
        take_back_refused(cli, preset, groups, &defaults, own, count);
    cli_groups_free(&defaults, &unset);
    free(own);
    return valid ? CLI_OK : CLI_USAGE;
}

int cli_take_values(const struct cli *cli, struct cli_groups *groups, const char *values)
{
    enum { MOST = 16 };
    const char *pairs[MOST + 1][2] = {{NULL, NULL}};
    char *text = cli_strdup(values), *rest = text, *word;
    for (size_t i = 0; i < MOST && (word = strtok_r(rest, " ", &rest)); i++) {
        char *value = strchr(word, '=');
        *value = '\0';
        pairs[i][0] = word;
        pairs[i][1] = value + 1;
    }
    const struct workload_preset preset = {.name = "auto", .values = (const char *const(*)[2])pairs};
    const int code = apply(cli, &preset, groups);
    free(text);
    return code;
}

static int take_preset(const struct cli *cli, struct cli_groups *groups, const char *name)
{
    const struct report *report = cli_report_of(cli->command->workload);
    size_t count = 0;
    for (; report->presets[count].name; count++)
        if (strcasecmp(report->presets[count].name, name) == 0)
            return apply(cli, &report->presets[count], groups);
    const char **names = cli_alloc(count * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = report->presets[i].name;
    int code = cli_not_one_of("--preset", name, names, count);
    free(names);
    return code;
}

/* Whether the run will be on the host, judged before drivers are opened: by --device if its form is clear,
 * else by the checkpoint. */
static bool is_for_host(const struct cli *cli)
{
    static const char *const devices[] = {"opencl:", "cuda:", "gpu", "cpu", "pci:"};
    const char *selector = cli->common.device;
    for (size_t i = 0; selector && i < sizeof devices / sizeof *devices; i++)
        if (strncasecmp(selector, devices[i], strlen(devices[i])) == 0)
            return false;
    return (selector && strcasecmp(selector, "host") == 0) || shoal_checkpoint_is_of_host(cli->resumed);
}

int workload_resume(struct cli *cli)
{
    struct shoal_error error = {0};
    size_t index = 0;
    cli_groups_find(cli->groups, cli->command->workload->options[0].name, &index);
    if (shoal_checkpoint_params(cli->resumed, cli->groups->group[index].given, cli->params, &error) !=
            SHOAL_OK ||
        shoal_checkpoint_match(cli->resumed, is_for_host(cli), cli->params, &error) != SHOAL_OK)
        return cli_fail("--resume", &error);
    return CLI_OK;
}

static int take_checkpoint(struct cli *cli, const char *path)
{
    const struct shoal_workload *workload = cli->command->workload, *other;
    struct shoal_error error = {0};
    uint64_t begin;
    if (shoal_checkpoint_open(path, &cli->resumed, &error) != SHOAL_OK)
        return cli_fail("--resume", &error);
    other = shoal_checkpoint_workload(cli->resumed);
    if (other != workload)
        return cli_error(CLI_USAGE, "--resume: checkpoint %s is of 'shoal %s', not of 'shoal %s'", path,
                         other->name, workload->name);
    const char *stage = shoal_checkpoint_stage(cli->resumed, &begin);
    if (stage && !cli->stage_count)
        return cli_error(CLI_USAGE,
                         "--resume: checkpoint %s is of stage '%s': give the --config with its stages", path,
                         stage);
    if (!stage && cli->stage_count)
        return cli_error(CLI_USAGE, "--resume: checkpoint %s is of a run without stages, but %s has some",
                         path, cli->common.config);
    return stage ? CLI_OK : workload_resume(cli); /* stages are resumed later, in stages.c */
}

int workload_complete(struct cli *cli, struct cli_groups *groups)
{
    const char *preset = cli_preset_name(groups);
    struct workload_values *values = cli->values;
    const char *path = values->resume;
    const struct report *report = cli_report_of(cli->command->workload);
    values->split = values->split || cli_ranks(); /* several processes never make several runs */
    int code = report && report->complete ? report->complete(cli, groups) : CLI_OK;
    if (code == CLI_OK && preset)
        code = take_preset(cli, groups, preset);
    return code == CLI_OK && path ? take_checkpoint(cli, path) : code;
}

static uint64_t *uint_of(const struct shoal_workload *workload, const void *params, const char *name)
{
    return (uint64_t *)((char *)params + cli_option_find(workload, name)->offset);
}

uint64_t *cli_sample_interval(const struct shoal_workload *workload, const void *params)
{
    return uint_of(workload, params, workload->sampling->option);
}

/* Most samples of a run that only a time limit ends. */
enum { MOST_SAMPLES = 1000000 };
static const uint64_t endless_steps = 4000000000;

/* Interval for about `samples` samples, but at least `least` steps. */
static uint64_t interval_for(const struct cli *cli, uint64_t samples, uint64_t least)
{
    const struct shoal_workload *workload = cli->command->workload;
    const uint64_t steps = shoal_workload_total_steps(workload, cli->params) -
                           shoal_workload_warm_up_steps(workload, cli->params);
    /* With a time limit the number of steps is unknown: take as many samples as memory allows. */
    const uint64_t most = isnan(shoal_workload_time_limit(workload, cli->params)) || steps < endless_steps
                              ? samples
                              : MOST_SAMPLES;
    const uint64_t interval = (steps + most - 1) / most;
    return interval > least ? interval : least;
}

void cli_want_samples(struct cli *cli)
{
    enum { SAMPLES = 1000 };
    const struct shoal_workload *workload = cli->command->workload;
    const char *averages = workload->sampling->averages;
    uint64_t *interval = cli_sample_interval(workload, cli->params), none = 0,
             *of_averages = averages ? uint_of(workload, cli->params, averages) : &none;
    if (cli->resumed || *interval)
        return;
    *interval = *of_averages ? *of_averages : interval_for(cli, SAMPLES, 1);
    *of_averages = 0; /* averages use the samples */
}

void cli_want_averages(struct cli *cli)
{
    /* LEAST_STEPS: a sample takes as long as a few steps. */
    enum { SAMPLES = 100, LEAST_STEPS = 20 };
    const struct shoal_workload *workload = cli->command->workload;
    const struct shoal_sampling *sampling = workload->sampling;
    if (!sampling || !sampling->averages || cli->resumed || *cli_sample_interval(workload, cli->params) ||
        cli_is_given(cli, sampling->option) || cli_is_given(cli, sampling->averages))
        return;
    *uint_of(workload, cli->params, sampling->averages) = interval_for(cli, SAMPLES, LEAST_STEPS);
}
