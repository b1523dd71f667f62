/* The table of commands. */
#include "base/text.h"
#include "cli/bbob/bbob.h"
#include "cli/run/samples.h"
#include "cli/search/optimise.h"
#include "cli/stages.h"

#include <stdlib.h>
#include <string.h>

static int run_help(struct cli *cli)
{
    if (cli->argument_count == 0) {
        cli_overview(stdout);
        return CLI_OK;
    }
    const int count = (int)cli->argument_count;
    int words;
    const struct cli_command *command = cli_command_of(count, cli->arguments, &words);
    if (!command)
        return cli_unknown_command(cli->arguments[0]);
    if (count > words + 1)
        return cli_error(CLI_USAGE, "unexpected '%s'", cli->arguments[words + 1]);
    return cli_help(command, count > words ? cli->arguments[words] : "", stdout);
}

static const char *command_name_at(size_t index)
{
    return index < cli_command_count() ? cli_command_at(index)->name : NULL;
}

static const struct shoal_example help_examples[] = {
    {"shoal help compare", "options and examples of one command"},
    {"shoal help compare devices", "one group of its options"}};

static const struct cli_command help = {.name = "help",
                                        .summary = "show the commands, or the help of one command",
                                        .description =
                                            "Shows the commands, or the help of one command; the name of a "
                                            "group of options behind the command shows only this group, "
                                            "'all' shows every option.",
                                        .argument = "COMMAND",
                                        .max_arguments = 3,
                                        .operand_at = command_name_at,
                                        .examples = help_examples,
                                        .example_count = sizeof help_examples / sizeof *help_examples,
                                        .run = run_help};

static const struct cli_command *const before[] = {&cli_devices};
static const struct cli_command *const after[] = {&cli_data,    &cli_compare, &cli_bench,
                                                  &cli_report,  &cli_verify,  &cli_tune,
                                                  &cli_kernels, &cli_cache,   &help};
enum { BEFORE = sizeof before / sizeof *before + 1, AFTER = sizeof after / sizeof *after };

static void describe_stages(struct cli_command *command)
{
    char *text =
        cli_sprintf("%s\nSections [%s.NAME] of a --config file are stages, which run one after another in "
                    "the order of the file. A stage takes the options of [%s], which its own options "
                    "override, and begins with the state at the end of the stage before. A checkpoint is "
                    "resumed in its stage.",
                    command->description, command->name, command->name);
    command->description = cli_keep(text);
    free(text);
}

/* Gives the command the options of all workloads, the options of samples, and the options of the workload's
 * report. */
static void fit_options(struct cli_command *command)
{
    const struct report *report = cli_report_of(command->workload);
    const size_t common = command->option_count, own = report ? report->option_count : 0;
    struct shoal_option *options = cli_keep_bytes((common + RUN_SAMPLES_OPTIONS + own) * sizeof *options);
    memcpy(options, command->options, common * sizeof *options);
    size_t count = common + run_samples_options(command->workload, options + common);
    if (own)
        memcpy(options + count, report->options, own * sizeof *options);
    command->complete = workload_complete;
    command->options = options;
    command->option_count = count + own;
    if (report) {
        command->imply = report->imply;
        command->values_size = report->values_size;
        command->values_init = report->values_init;
    }
}

/* Makes the command of a workload: cli_workload with the name and the options of the workload. */
void cli_workload_command(const struct shoal_workload *workload, struct cli_command *command)
{
    *command = cli_workload;
    command->name = workload->name;
    command->summary = workload->summary;
    command->workload = workload;
    fit_options(command);
    if (cli_has_stages(workload))
        describe_stages(command);
}

static const struct cli_command *workload_command(size_t index)
{
    static struct cli_command *commands;
    const size_t count = shoal_workload_count();
    if (!commands) {
        commands = cli_keep_bytes(count * sizeof *commands);
        for (size_t i = 0; i < count; i++)
            cli_workload_command(shoal_workload_at(i), &commands[i]);
    }
    return &commands[index];
}

/* The second word of the command "bench bbob". */
static const char bbob_word[] = "bbob";

/* Makes the command "tune WORKLOAD": cli_tune_workload with the name and the options of the workload. */
static const struct cli_command *tune_command(const struct shoal_workload *workload)
{
    struct cli_command *command = cli_keep_bytes(sizeof *command);
    char *name = cli_sprintf("tune %s", workload->name);
    *command = cli_tune_workload;
    command->name = cli_keep(name);
    command->workload = workload;
    free(name);
    return command;
}

const struct cli_command *cli_command_of(int count, char **text, int *words)
{
    const struct shoal_workload *workload = count > 1 ? shoal_workload_find(text[1]) : NULL;
    const bool is_tune = count > 1 && strcmp(text[0], cli_tune.name) == 0;
    const bool is_data = workload && strcmp(text[0], cli_data.name) == 0;
    const struct report *report = workload ? cli_report_of(workload) : NULL;
    *words = 2;
    if (count > 1 && strcmp(text[0], cli_bench.name) == 0 && strcmp(text[1], bbob_word) == 0)
        return bbob_command();
    if (is_tune && workload && cli_method_option(workload))
        return tune_command(workload);
    if (is_tune && strcmp(text[1], optimise_command()->name) == 0)
        return tune_command(optimise_command()->workload);
    if (is_data && report && report->data)
        return report->data();
    *words = 1;
    return cli_command_find(text[0]);
}

size_t cli_subcommand_count(void)
{
    return shoal_workload_count() + 2;
}

const struct cli_command *cli_subcommand(const struct cli_command *command, size_t index)
{
    const size_t workloads = shoal_workload_count();
    const char *word = index < workloads    ? shoal_workload_at(index)->name
                       : index == workloads ? optimise_command()->name
                                            : bbob_word;
    char *words[] = {cli_strdup(command->name), cli_strdup(word)};
    int count;
    const struct cli_command *found = cli_command_of(2, words, &count);
    free(words[0]);
    free(words[1]);
    return count == 2 ? found : NULL;
}

size_t cli_command_count(void)
{
    return BEFORE + shoal_workload_count() + AFTER;
}

const struct cli_command *cli_command_at(size_t index)
{
    if (index < BEFORE)
        return index + 1 < BEFORE ? before[index] : optimise_command();
    index -= BEFORE;
    if (index < shoal_workload_count())
        return workload_command(index);
    return after[index - shoal_workload_count()];
}

const struct cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < cli_command_count(); i++)
        if (strcmp(cli_command_at(i)->name, name) == 0)
            return cli_command_at(i);
    return NULL;
}

int cli_unknown_command(const char *name)
{
    const size_t count = cli_command_count();
    const char **names = cli_keep_bytes(count * sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = cli_command_at(i)->name;
    const char *nearest = text_nearest(name, names, count);
    if (nearest)
        return cli_error(CLI_USAGE, "unknown command '%s'; did you mean '%s'?", name, nearest);
    return cli_error(CLI_USAGE, "unknown command '%s'; 'shoal help' lists them", name);
}

int cli_check_operands(const struct cli *cli, size_t count)
{
    const char *(*word_at)(size_t) = cli->command->operand_at;
    size_t words = 0;
    while (word_at(words))
        words++;
    const char **names = cli_alloc(words * sizeof *names);
    for (size_t i = 0; i < words; i++)
        names[i] = word_at(i);
    int code = CLI_OK;
    for (size_t i = 0; i < count && i < cli->argument_count && code == CLI_OK; i++) {
        bool is_known = false;
        for (size_t w = 0; w < words; w++)
            is_known = is_known || strcmp(cli->arguments[i], names[w]) == 0;
        if (!is_known)
            code = cli_not_one_of(NULL, cli->arguments[i], names, words);
    }
    free(names);
    return code;
}
