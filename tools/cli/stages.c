/* Stages of a run: which values a stage has of its own, and which it takes from the whole run. */
#include "cli/stages.h"

#include "cli/output/text.h"
#include "cli/output/values.h"
#include "cli/workload.h"

#include <stdlib.h>
#include <string.h>

bool cli_has_stages(const struct shoal_workload *workload)
{
    for (size_t i = 0; workload && i < workload->option_count; i++)
        if (workload->options[i].flags & SHOAL_OPTION_STAGE)
            return true;
    return false;
}

struct cli_stage *cli_stage_new(const struct cli_command *command, const char *name)
{
    struct cli_stage *stage = cli_alloc(sizeof *stage);
    stage->name = name ? cli_keep(name) : NULL;
    cli_groups_init(&stage->groups, &stage->cli, command);
    stage->cli.stage = stage;
    stage->cli.groups = &stage->groups;
    return stage;
}

void cli_stage_free(struct cli_stage *stage)
{
    stage->cli.resumed = NULL; /* the checkpoint belongs to the whole run */
    cli_groups_free(&stage->groups, &stage->cli);
    free(stage);
}

void cli_stages_add(struct cli *cli, struct cli_stage *stage)
{
    cli->stages = cli_realloc(cli->stages, (cli->stage_count + 1) * sizeof *cli->stages);
    struct cli_stage *before = cli->stage_count ? cli->stages[cli->stage_count - 1] : NULL;
    stage->before = before;
    if (before)
        before->after = stage;
    cli->stages[cli->stage_count++] = stage;
}

void cli_stages_free(struct cli *cli)
{
    for (size_t s = 0; s < cli->stage_count; s++)
        cli_stage_free(cli->stages[s]);
    free(cli->stages);
    cli->stages = NULL;
    cli->stage_count = 0;
}

bool cli_stages_have(const struct cli_stage *stage, const struct shoal_column *column)
{
    while (stage->before)
        stage = stage->before;
    while (stage && column->applies && !column->applies(stage->cli.params))
        stage = stage->after;
    return stage != NULL;
}

const char *cli_stage_title(const struct cli *cli)
{
    if (!cli->stage)
        return NULL;
    char *title = cli_sprintf("[%s.%s]", cli->command->name, cli->stage->name);
    const char *kept = cli_keep(title);
    free(title);
    return kept;
}

static const char *text_of(const struct shoal_option *option, const void *values)
{
    const char *text;
    memcpy(&text, (const char *)values + option->offset, sizeof text);
    return text;
}

bool cli_stage_continues(const struct cli *cli, const char *path)
{
    const struct cli_stage *before = cli->stage ? cli->stage->before : NULL;
    for (; before; before = before->before)
        for (size_t i = 0; i < before->cli.command->option_count; i++) {
            const struct shoal_option *option = &before->cli.command->options[i];
            const char *written =
                option->flags & SHOAL_OPTION_GROWS ? text_of(option, before->cli.values) : NULL;
            if (written && strcmp(written, path) == 0)
                return true;
        }
    return false;
}

/* Options that stages have from the whole run ----------------------------------------------------------- */

/* Options whose value a stage takes from the whole run, for each group; used while stages are completed. */
struct inherited {
    struct cli_stage *stage;
    bool *is[CLI_MAX_GROUPS];
};

/* Adds the name of the stage to the name of a file that is written at the end of each stage. */
static void name_file(const struct cli_stage *stage, const struct shoal_option *option, void *values)
{
    const unsigned kind = SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE | SHOAL_OPTION_GROWS;
    if ((option->flags & kind) != (SHOAL_OPTION_WRITES | SHOAL_OPTION_STAGE) || !text_of(option, values))
        return;
    char *tag = cli_sprintf("-%s", stage->name), *path = cli_tagged_path(text_of(option, values), tag);
    const char *kept = cli_keep(path);
    memcpy((char *)values + option->offset, &kept, sizeof kept);
    free(path);
    free(tag);
}

static void inherit(const struct cli_groups *all, struct inherited *inherited)
{
    struct cli_stage *stage = inherited->stage;
    for (size_t g = 0; g < all->count; g++) {
        const struct cli_group *from = &all->group[g];
        struct cli_group *to = &stage->groups.group[g];
        inherited->is[g] = cli_alloc(from->count * sizeof(bool));
        for (size_t i = 0; i < from->count; i++) {
            const struct shoal_option *option = &from->options[i];
            if (!from->given[i] || (to->given[i] && !from->typed[i]) ||
                (stage->before && option->flags & SHOAL_OPTION_ONCE))
                continue;
            cli_value_copy(option, to->values, from->values);
            name_file(stage, option, to->values);
            to->given[i] = inherited->is[g][i] = true;
            to->typed[i] = from->typed[i];
        }
    }
}

/* Sets the first inherited option whose needs the stage does not meet to its default; false: there is no such
 * option. Options that all stages share keep their values. */
static bool take_back(struct inherited *inherited, const struct cli_groups *defaults)
{
    struct cli_groups *groups = &inherited->stage->groups;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++) {
            struct cli_group *group = &groups->group[g];
            const struct shoal_option *option = &group->options[i];
            const void *unset = defaults->group[g].values;
            if (!inherited->is[g][i] || !(option->flags & SHOAL_OPTION_STAGE) ||
                cli_needs_are_met(group, option, unset))
                continue;
            cli_value_copy(option, group->values, unset);
            group->given[i] = group->typed[i] = inherited->is[g][i] = false;
            return true;
        }
    return false;
}

/* If no stage can use an option that the user gave for the whole run, gives the option to the first stage,
 * whose check then refuses it as in a run without stages. */
static void leave_unused(const struct cli *cli, const struct cli_groups *all)
{
    for (size_t g = 0; g < all->count; g++)
        for (size_t i = 0; i < all->group[g].count; i++) {
            const struct cli_group *from = &all->group[g];
            bool is_used = !from->given[i];
            for (size_t s = 0; s < cli->stage_count; s++)
                is_used = is_used || cli->stages[s]->groups.group[g].given[i];
            struct cli_group *to = &cli->stages[0]->groups.group[g];
            if (is_used)
                continue;
            cli_value_copy(&from->options[i], to->values, from->values);
            to->given[i] = true;
            to->typed[i] = from->typed[i];
        }
}

static void inherit_all(struct cli *cli, const struct cli_groups *groups)
{
    struct cli unset = {0};
    struct cli_groups defaults;
    cli_groups_init(&defaults, &unset, cli->command);
    for (size_t s = 0; s < cli->stage_count; s++) {
        struct inherited inherited = {.stage = cli->stages[s]};
        inherited.stage->cli.argc = cli->argc;
        inherited.stage->cli.argv = cli->argv;
        inherit(groups, &inherited);
        if (cli->command->imply)
            cli->command->imply(&inherited.stage->cli);
        while (take_back(&inherited, &defaults))
            continue;
        for (size_t g = 0; g < groups->count; g++)
            free(inherited.is[g]);
    }
    cli_groups_free(&defaults, &unset);
    leave_unused(cli, groups);
}

/* Resumed runs ------------------------------------------------------------------------------------------ */

/* Copies the options that all stages share from the checkpoint, unless the user has given these options. */
static void share(const struct cli *resumed, struct cli *cli)
{
    const struct shoal_workload *workload = cli->command->workload;
    size_t group = 0;
    cli_groups_find(cli->groups, workload->options[0].name, &group);
    for (size_t i = 0; i < workload->option_count; i++)
        if (!(workload->options[i].flags & SHOAL_OPTION_STAGE) && !cli->groups->group[group].given[i])
            cli_value_copy(&workload->options[i], cli->params, resumed->params);
}

/* Finds the stage of the checkpoint and resumes it as a run without stages. */
static int resume(struct cli *cli)
{
    uint64_t begin;
    const char *name = shoal_checkpoint_stage(cli->resumed, &begin);
    size_t first = 0;
    while (first < cli->stage_count && strcmp(cli->stages[first]->name, name) != 0)
        first++;
    if (first == cli->stage_count)
        return cli_error(CLI_USAGE, "--resume: the checkpoint is of stage '%s', and %s has no [%s.%s]", name,
                         cli->common.config, cli->command->name, name);
    struct cli *resumed = &cli->stages[first]->cli;
    resumed->resumed = cli->resumed;
    cli->first_stage = first;
    const int code = workload_resume(resumed);
    if (code != CLI_OK)
        return code;
    share(resumed, cli);
    for (size_t s = 0; s < cli->stage_count; s++)
        if (s != first)
            share(resumed, &cli->stages[s]->cli);
    return CLI_OK;
}

int cli_stages_complete(struct cli *cli, const struct cli_groups *groups)
{
    inherit_all(cli, groups);
    int code = cli->resumed ? resume(cli) : CLI_OK;
    for (size_t s = cli->first_stage; s < cli->stage_count && code == CLI_OK; s++)
        code = cli_check_needs(&cli->stages[s]->cli, &cli->stages[s]->groups);
    return code;
}
