/* The command line, parsed by argp with tables derived from the option descriptions. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/search/optimise.h"
#include "cli/stages.h"
#include "cli/workload.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const variants[] = {"auto", "cl", "cu", NULL};

#define COMMON(field) offsetof(struct cli_common, field)
static const struct shoal_option device_options[] = {
    {"device", SHOAL_OPTION_TEXT, COMMON(device), "LIST", 0, 0, NULL,
     "devices to use, in this order, separated by commas: ids such as cuda:0, gpu, cpu, host, all, ~part of "
     "a name, pci:bus:device.function; opencl:0/4: its 4 equal parts, opencl:0/4:1: the "
     "second of them, opencl:0/12+4: parts of 12 and 4 compute units, opencl:0/numa: a part for each NUMA "
     "node",
     .flags = SHOAL_OPTION_MAIN},
    {"variant", SHOAL_OPTION_CHOICE, COMMON(variant), "KIND", 0, 0, variants,
     "kernels on CUDA devices: native CUDA where available, OpenCL C, or native CUDA only"},
    {"sync", SHOAL_OPTION_FLAG, COMMON(sync), "", 0, 0, NULL,
     "wait for each kernel launch, so that an error names its kernel"},
    {"strict-fp", SHOAL_OPTION_FLAG, COMMON(strict_fp), "", 0, 0, NULL,
     "round division and square root correctly, and forbid the compiler fused multiply-adds"},
    {"kernel-dir", SHOAL_OPTION_TEXT, COMMON(kernel_dir), "DIR", 0, 0, NULL,
     "folder whose files replace the built-in kernels"},
    {"no-cache", SHOAL_OPTION_FLAG, COMMON(no_cache), "", 0, 0, NULL,
     "do not read or write compiled kernels and tuned values"},
    {"cache-dir", SHOAL_OPTION_TEXT, COMMON(cache_dir), "DIR", 0, 0, NULL,
     "folder for compiled kernels and tuned values, instead of $SHOAL_CACHE_DIR, $XDG_CACHE_HOME/shoal or "
     "~/.cache/shoal"},
};
static const struct shoal_option run_options[] = {
    {"hang-limit", SHOAL_OPTION_REAL, COMMON(hang_limit), "S", 0, 1e9, NULL,
     "abandon a device, also a CPU used as a device, if steps of about 0.1 s, or a single longer step, do "
     "not finish within S seconds, and abandon the host if it makes no progress for S seconds. The row of "
     "an abandoned device fails, other devices go on, and its computation ends with the command; 0: wait "
     "without a limit"},
};
static const struct shoal_option energy_options[] = {
    {"energy", SHOAL_OPTION_FLAG, COMMON(energy), "", 0, 0, NULL,
     "add mean power, power at rest and work for each joule: each device rests for 5 s, and each run is "
     "repeated for 5 s. What no counter or sensor tells is -, with the reason"},
};
/* Default of --hang-limit, in seconds: a first step may take long, but after a minute the objective probably
 * never returns. */
static const double hang_limit = 60;
static const struct shoal_option output_options[] = {
    {"json", SHOAL_OPTION_FLAG, COMMON(json), "", 0, 0, NULL,
     "print a JSON document instead of text, with samples and errors", .flags = SHOAL_OPTION_MAIN},
    {"config", SHOAL_OPTION_TEXT, COMMON(config), "FILE", 0, 0, NULL,
     "read options from an INI file; options of the command line override it", .flags = SHOAL_OPTION_READS},
    {"progress", SHOAL_OPTION_CHOICE, COMMON(progress), "KIND", 0, 0, cli_progress_names,
     "progress of the command on standard error. auto: on a terminal a line that is overwritten, elsewhere "
     "a line after 10 s and then a line every minute, none with --quiet. yes: also with --quiet, and "
     "without a terminal a line at once and then every 10 s. no: none. $SHOAL_PROGRESS sets the default"},
    {"quiet", SHOAL_OPTION_FLAG, COMMON(quiet), "", 0, 0, NULL,
     "print only the result, its warnings and errors"},
    {"verbose", SHOAL_OPTION_FLAG, COMMON(verbose), "", 0, 0, NULL,
     "report builds, cached programs and choices, and all messages of a compiler"},
    {"help", SHOAL_OPTION_FLAG, COMMON(help), "[GROUP]", 0, 0, NULL,
     "show the most important options, the options of a group, or with 'all' every option",
     .flags = SHOAL_OPTION_MAIN},
};
#undef COMMON
enum {
    CACHE_DIR = 6,
    DEVICE_COUNT = sizeof device_options / sizeof *device_options,
    OUTPUT_COUNT = sizeof output_options / sizeof *output_options,
    HELP = OUTPUT_COUNT - 1
};

char cli_short_name(const struct shoal_option *option)
{
    static const struct {
        const char *name;
        char letter;
    } shorts[] = {{"device", 'd'}, {"quiet", 'q'}, {"verbose", 'v'}, {"help", 'h'}};
    bool shared = (option >= device_options && option < device_options + DEVICE_COUNT) ||
                  (option >= output_options && option < output_options + OUTPUT_COUNT);
    for (size_t i = 0; shared && i < sizeof shorts / sizeof *shorts; i++)
        if (strcmp(shorts[i].name, option->name) == 0)
            return shorts[i].letter;
    return 0;
}

static void add_group(struct cli_groups *groups, const char *title, const struct shoal_option *options,
                      size_t count, void *values)
{
    if (count == 0)
        return;
    groups->group[groups->count++] = (struct cli_group){.title = title,
                                                        .options = options,
                                                        .count = count,
                                                        .values = values,
                                                        .given = cli_alloc(count * sizeof(bool)),
                                                        .typed = cli_alloc(count * sizeof(bool))};
}

void cli_groups_init(struct cli_groups *groups, struct cli *cli, const struct cli_command *command)
{
    const struct shoal_workload *workload = command->workload;
    memset(groups, 0, sizeof *groups);
    cli->command = command;
    cli->values = cli_alloc(command->values_size);
    if (command->values_init)
        command->values_init(cli->values);
    if (workload) {
        cli->params = cli_alloc(workload->params_size);
        workload->params_init(cli->params);
        add_group(groups, "Problem and method", workload->options, workload->option_count, cli->params);
    }
    add_group(groups, workload ? "Run" : "Options", command->options, command->option_count, cli->values);
    const unsigned takes = command->takes;
    size_t first = 0, count = 0;
    if (takes & CLI_TAKES_BUILD) {
        first = takes & CLI_TAKES_DEVICE ? 0 : 1;
        count = DEVICE_COUNT - first;
    } else if (takes) {
        first = takes & CLI_TAKES_CACHE ? CACHE_DIR : 0;
        count = takes & (CLI_TAKES_CACHE | CLI_TAKES_DEVICE) ? 1 : 0;
    }
    add_group(groups, "Devices", device_options + first, count, &cli->common);
    cli->common.hang_limit = hang_limit;
    if (takes & CLI_TAKES_RUN)
        add_group(groups, "Limits", run_options, sizeof run_options / sizeof *run_options, &cli->common);
    if (takes & CLI_TAKES_RUN)
        add_group(groups, "Energy", energy_options, sizeof energy_options / sizeof *energy_options,
                  &cli->common);
    first = takes & CLI_TAKES_JSON ? 0 : 1;
    add_group(groups, "Output", output_options + first, OUTPUT_COUNT - first, &cli->common);
}

void cli_groups_free(struct cli_groups *groups, struct cli *cli)
{
    for (size_t g = 0; g < groups->count; g++) {
        free(groups->group[g].given);
        free(groups->group[g].typed);
    }
    groups->count = 0;
    cli_stages_free(cli);
    free(cli->values);
    free(cli->params);
    free(cli->arguments);
    shoal_checkpoint_close(&cli->resumed);
    cli->values = cli->params = NULL;
    cli->arguments = NULL;
}

const struct shoal_option *cli_groups_find(const struct cli_groups *groups, const char *name, size_t *group)
{
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++)
            if (cli_option_is(&groups->group[g].options[i], name)) {
                *group = g;
                return &groups->group[g].options[i];
            }
    return NULL;
}

bool cli_is_given(const struct cli *cli, const char *name)
{
    size_t index;
    const struct shoal_option *option = cli_groups_find(cli->groups, name, &index);
    const struct cli_group *group = option ? &cli->groups->group[index] : NULL;
    return group && group->given[option - group->options];
}

const char *cli_groups_nearest(const struct cli_groups *groups, const char *name)
{
    const char **names = NULL;
    size_t count = 0;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++) {
            names = cli_realloc(names, (count + 1) * sizeof *names);
            names[count++] = groups->group[g].options[i].name;
        }
    const char *nearest = text_nearest(name, names, count);
    free(names);
    return nearest;
}

/* argp -------------------------------------------------------------------------------------------------- */

enum {
    FIRST_KEY = 256,
    GROUP_KEYS = 256
}; /* keys of options for argp are larger than any character, with
    * one range for each group */

struct parse {
    struct cli *cli;
    struct cli_groups *groups;
    int code;
};

/* Lists the options whose names begin with `name`, as "--plot or --plot-energy"; *matches: their number. The
 * caller frees the text. */
static char *begun_with(const struct cli_groups *groups, const char *name, size_t *matches)
{
    char *list = cli_strdup("");
    *matches = 0;
    for (size_t g = groups->count; g-- > 0;)
        for (size_t i = groups->group[g].count; i-- > 0;) {
            const char *whole = groups->group[g].options[i].name;
            if (strncmp(whole, name, strlen(name)) != 0)
                continue;
            const char *separator = !*matches ? "" : *matches == 1 ? " or " : ", ";
            char *longer = cli_sprintf("--%s%s%s", whole, separator, list);
            free(list);
            list = longer;
            ++*matches;
        }
    return list;
}

/* The NAME of a word "--NAME" or "--NAME=VALUE"; the caller frees the name. NULL: the word is no long option.
 */
static char *name_in(const char *word)
{
    return strncmp(word, "--", 2) == 0 ? cli_sprintf("%.*s", (int)strcspn(word + 2, "="), word + 2) : NULL;
}

/* Reports an option, or a value of an option, that only builds with theses have; false: this build has option
 * and value. */
static bool lacks_theses(struct parse *parse, const char *name, const char *value)
{
    if (!cli_needs_theses(parse->groups, parse->cli->command, name, value))
        return false;
    parse->code =
        cli_error(CLI_USAGE, "--%s%s%s " CLI_NEEDS_THESES, name, value ? " " : "", value ? value : "");
    return true;
}

/* Reports what is wrong with the option in `word`, since getopt prints no message. */
static int explain(struct parse *parse, const char *word)
{
    const char *command = parse->cli->command->name;
    size_t group, matches;
    char *name = name_in(word);
    if (!name)
        return cli_error(CLI_USAGE, "option '%s' is unknown or lacks its value; try 'shoal %s --help'", word,
                         command);
    if (lacks_theses(parse, name, NULL)) {
        free(name);
        return CLI_USAGE;
    }
    const struct shoal_option *option = cli_groups_find(parse->groups, name, &group);
    char *begun = begun_with(parse->groups, name, &matches);
    char *owners = option || matches ? NULL : optimise_owners(parse->cli->command, name);
    const char *nearest = cli_groups_nearest(parse->groups, name);
    if (option || (*name && matches == 1))
        cli_error(CLI_USAGE, "--%s needs a value; try 'shoal %s --help'", option ? option->name : name,
                  command);
    else if (*name && matches > 1)
        cli_error(CLI_USAGE, "--%s is short for several options: %s", name, begun);
    else if (owners)
        optimise_not_here(parse->cli->command, name, owners);
    else if (nearest)
        cli_error(CLI_USAGE, "unknown option --%s; did you mean --%s?", name, nearest);
    else
        cli_error(CLI_USAGE, "unknown option --%s; try 'shoal %s --help'", name, command);
    free(owners);
    free(begun);
    free(name);
    return CLI_USAGE;
}

static error_t take_operand(struct parse *parse, char *text)
{
    struct cli *cli = parse->cli;
    const struct cli_command *command = cli->command;
    if (cli->argument_count == (command->argument ? command->max_arguments : 0)) {
        parse->code = cli_error(CLI_USAGE, "unexpected '%s'; options start with --, try 'shoal %s --help'",
                                text, command->name);
        return EINVAL;
    }
    cli->arguments = cli_realloc(cli->arguments, (cli->argument_count + 1) * sizeof *cli->arguments);
    cli->arguments[cli->argument_count++] = text;
    return 0;
}

/* Reads "--help GROUP" as "--help=GROUP". */
static const char *take_topic(const char *text, struct argp_state *state)
{
    if (text)
        return text;
    if (state->next >= state->argc || *state->argv[state->next] == '-')
        return "";
    return state->argv[state->next++];
}

/* Refuses a name or value that only builds with theses have, and that getopt or the parser takes for an
 * abbreviation of another name. The name as typed is in the last word read, or in the word before it if the
 * value is a word of its own. */
static bool is_of_theses(struct parse *parse, const struct shoal_option *option, const char *text,
                         const struct argp_state *state)
{
    const int at = state->next - (text && text == state->argv[state->next - 1] ? 2 : 1);
    char *typed = at > 0 ? name_in(state->argv[at]) : NULL;
    const bool is = (typed && lacks_theses(parse, typed, NULL)) || lacks_theses(parse, option->name, text);
    free(typed);
    return is;
}

/* Sets an option that may be given several times: appends the text to the texts so far. */
static bool add_text(const struct shoal_option *option, void *values, const char *text)
{
    const char **field = (const char **)(void *)((char *)values + option->offset);
    char *longer = cli_sprintf("%s%s %s", *field, option->flags & SHOAL_OPTION_LISTED ? ";" : "", text);
    *field = cli_keep(longer);
    free(longer);
    return true;
}

static error_t take(int key, char *text, struct argp_state *state)
{
    struct parse *parse = state->input;
    if (key == ARGP_KEY_ARG)
        return take_operand(parse, text);
    if (key == ARGP_KEY_ERROR && parse->code == CLI_OK)
        parse->code = explain(parse, state->next > 0 ? state->argv[state->next - 1] : "");
    if (key < 0 || key >= FIRST_KEY + CLI_MAX_GROUPS * GROUP_KEYS)
        return ARGP_ERR_UNKNOWN;
    for (size_t g = 0; g < parse->groups->count; g++)
        for (size_t i = 0; i < parse->groups->group[g].count; i++) {
            struct cli_group *group = &parse->groups->group[g];
            const struct shoal_option *option = &group->options[i];
            if (key != FIRST_KEY + (int)(g * GROUP_KEYS + i) && key != cli_short_name(option))
                continue;
            if (is_of_theses(parse, option, text, state))
                return EINVAL;
            if (option == &output_options[HELP]) {
                parse->cli->common.help_topic = take_topic(text, state);
                text = NULL;
            }
            char *where = cli_sprintf("--%s", option->name);
            option = cli_option_of_value(group->options, group->count, option, text);
            const bool repeats = option->flags & (SHOAL_OPTION_REPEATS | SHOAL_OPTION_LISTED) &&
                                 group->typed[option - group->options];
            bool valid = repeats ? add_text(option, group->values, text)
                                 : cli_value_set(option, group->values, text ? text : "yes", where);
            free(where);
            i = (size_t)(option - group->options);
            group->given[i] = group->typed[i] = true;
            parse->code = valid ? CLI_OK : CLI_USAGE;
            return valid ? 0 : EINVAL;
        }
    return ARGP_ERR_UNKNOWN;
}

bool cli_needs_are_met(const struct cli_group *group, const struct shoal_option *option, const void *defaults)
{
    struct shoal_option *options = cli_alloc(group->count * sizeof *options);
    bool *given = cli_alloc(group->count * sizeof *given);
    struct shoal_error ignored;
    for (size_t i = 0; i < group->count; i++) {
        options[i] = group->options[i];
        given[i] = &group->options[i] == option && group->typed[i];
        if (&group->options[i] != option)
            options[i].needs = NULL;
    }
    const bool met =
        shoal_options_check(options, group->count, group->values, defaults, given, &ignored) == SHOAL_OK;
    free(given);
    free(options);
    return met;
}

/* A value of a configuration file that equals the default is not checked: such files serve many runs, in some
 * of which a value has no effect. */
int cli_check_needs(const struct cli *cli, const struct cli_groups *groups)
{
    struct shoal_error error = {0};
    struct cli defaults = {0};
    struct cli_groups others;
    enum shoal_status status = SHOAL_OK;
    cli_groups_init(&others, &defaults, cli->command);
    for (size_t g = 0; g < groups->count && !status; g++) {
        const struct cli_group *group = &groups->group[g];
        status = shoal_options_check(group->options, group->count, group->values, others.group[g].values,
                                     group->typed, &error);
    }
    cli_groups_free(&others, &defaults);
    return status ? cli_fail(cli_stage_title(cli), &error) : CLI_OK;
}

/* Takes the value of --progress from the environment variable SHOAL_PROGRESS, unless the option is given. */
static int take_environment(struct cli *cli, const struct cli_groups *groups)
{
    static const char variable[] = "SHOAL_PROGRESS";
    const char *text = getenv(variable);
    size_t group;
    const struct shoal_option *option = cli_groups_find(groups, "progress", &group);
    if (!text || !*text || cli_is_given(cli, option->name))
        return CLI_OK;
    return cli_value_set(option, groups->group[group].values, text, variable) ? CLI_OK : CLI_USAGE;
}

static void add_row(struct argp_option **table, size_t *count, struct argp_option row)
{
    *table = cli_realloc(*table, (*count + 1) * sizeof **table);
    (*table)[(*count)++] = row;
}

int cli_parse(struct cli *cli, struct cli_groups *groups, int argc, char **argv)
{
    struct parse parse = {cli, groups, CLI_OK};
    cli->groups = groups;
    struct argp_option *table = NULL;
    size_t count = 0;
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++) {
            const struct shoal_option *option = &groups->group[g].options[i];
            char letter = cli_short_name(option);
            bool flag = option->type == SHOAL_OPTION_FLAG;
            const struct argp_option row = {.name = option->name,
                                            .key = FIRST_KEY + (int)(g * GROUP_KEYS + i),
                                            .arg = "VALUE",
                                            .flags = flag ? OPTION_ARG_OPTIONAL : 0};
            add_row(&table, &count, row);
            for (const char *const *also = option->also; also && *also; also++)
                if (cli_option_is(option, *also)) /* other names of the option, not of a choice */
                    add_row(&table, &count,
                            (struct argp_option){*also, row.key, row.arg, row.flags, NULL, 0});
            /* Each letter is an option of its own for argp, so that -qv means -q -v and not --quiet=v. */
            if (letter)
                add_row(&table, &count, (struct argp_option){.key = letter, .arg = flag ? NULL : "VALUE"});
        }
    add_row(&table, &count, (struct argp_option){0});
    const struct argp argp = {.options = table, .parser = take};
    error_t failed = argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, &parse);
    free(table);
    if (failed == ENOMEM && parse.code == CLI_OK)
        return cli_error(CLI_FAILURE, "out of memory");
    if (failed && parse.code == CLI_OK)
        return cli_error(CLI_USAGE, "the command line cannot be read: %s", strerror(failed));
    if (parse.code == CLI_OK && !cli->common.help && cli->common.config)
        parse.code = cli_config_read(cli->common.config, cli, groups);
    if (parse.code == CLI_OK && !cli->common.help)
        parse.code = take_environment(cli, groups);
    if (parse.code == CLI_OK && !cli->common.help && cli->command->complete)
        parse.code = cli->command->complete(cli, groups);
    if (parse.code == CLI_OK && !cli->common.help && cli->command->imply)
        cli->command->imply(cli);
    if (parse.code == CLI_OK && !cli->common.help)
        parse.code = cli->stage_count ? cli_stages_complete(cli, groups) : cli_check_needs(cli, groups);
    return parse.code;
}
