/* shoal --generate, which the build calls: man pages and shell completions, from the same tables as the
 * parser and the help. */
#include "cli/search/optimise.h"
#include "cli/workload.h"

#include <stdlib.h>
#include <string.h>

static const char device_words[] = "gpu cpu host all cuda:0 opencl:0";

/* What shells offer to complete the value of an option. */
enum value_kind { NO_VALUE, ANY, WORDS, FILES, FOLDERS };

/* A command with its options, and the words of its operands. */
struct completed {
    const struct cli_command *command;
    struct cli cli;
    struct cli_groups groups;
    struct cli_sections sections;
    char *operands, *topics; /* operands: words of the operands; topics: topics of --help */
    char *subcommands;       /* second words of the subcommands */
};

/* Name of the state after "shoal help"; no option has this name. */
#define HELP_OF "help of"

/* Appends a copy of a word to a list of words; frees the old list and returns the new one. */
static char *add_word(char *list, const char *word)
{
    char *longer = cli_sprintf("%s%s%s", list, *list ? " " : "", word);
    free(list);
    return longer;
}

static void open_command(struct completed *completed, const struct cli_command *command)
{
    const char *word;
    *completed = (struct completed){.command = command,
                                    .operands = cli_strdup(""),
                                    .topics = cli_strdup(""),
                                    .subcommands = cli_strdup("")};
    cli_groups_init(&completed->groups, &completed->cli, command);
    cli_sections_init(&completed->sections, &completed->groups);
    for (size_t i = 0; command->operand_at && (word = command->operand_at(i)); i++)
        completed->operands = add_word(completed->operands, word);
    for (size_t i = 0; i < cli_subcommand_count(); i++) {
        const struct cli_command *sub = cli_subcommand(command, i);
        if (sub)
            completed->subcommands = add_word(completed->subcommands, strchr(sub->name, ' ') + 1);
    }
    if (*completed->subcommands)
        completed->operands = add_word(completed->operands, completed->subcommands);
    for (size_t s = 0; s < completed->sections.count; s++)
        completed->topics = add_word(completed->topics, completed->sections.section[s].name);
    for (size_t i = 0; (word = optimise_topic_at(command, i)); i++)
        completed->topics = add_word(completed->topics, word);
    completed->topics = add_word(completed->topics, "all");
}

static void close_command(struct completed *completed)
{
    free(completed->operands);
    free(completed->topics);
    free(completed->subcommands);
    cli_sections_free(&completed->sections);
    cli_groups_free(&completed->groups, &completed->cli);
}

/* The known values of an option: values of a choice, presets, topics of the help; the caller frees the list.
 * NULL: any value. */
static char *value_words(const struct completed *completed, const struct shoal_option *option)
{
    const struct workload_preset *presets = cli_presets_of(completed->command);
    char *words = cli_strdup("");
    for (size_t i = 0; option->type == SHOAL_OPTION_CHOICE && option->choices[i]; i++)
        words = add_word(words, option->choices[i]);
    for (size_t i = 0; presets && strcmp(option->name, "preset") == 0 && presets[i].name; i++)
        words = add_word(words, presets[i].name);
    if (strcmp(option->name, "help") == 0)
        words = add_word(words, completed->topics);
    if (strcmp(option->name, "device") == 0)
        words = add_word(words, device_words);
    if (*words)
        return words;
    free(words);
    return NULL;
}

static enum value_kind value_kind(const struct shoal_option *option, const char *words)
{
    if (words)
        return WORDS;
    if (option->type == SHOAL_OPTION_FLAG)
        return NO_VALUE;
    if (option->type != SHOAL_OPTION_TEXT)
        return ANY;
    return strcmp(option->unit, "FILE") == 0 ? FILES : strcmp(option->unit, "DIR") == 0 ? FOLDERS : ANY;
}

static void bash_value(const struct completed *completed, const struct shoal_option *option)
{
    char *words = value_words(completed, option);
    const enum value_kind kind = value_kind(option, words);
    const char letter = cli_short_name(option);
    if (kind == NO_VALUE)
        return;
    printf("        ");
    if (letter)
        printf("-%c | ", letter);
    printf("--%s) ", option->name);
    if (words)
        printf("_shoal_words '%s' ;;\n", words);
    else
        puts(kind == FILES ? "_shoal_paths -f ;;" : kind == FOLDERS ? "_shoal_paths -d ;;" : ";;");
    free(words);
}

static void bash_command(const struct cli_command *command)
{
    struct completed completed;
    open_command(&completed, command);
    const struct cli_groups *groups = &completed.groups;
    printf("    '%s')\n        case $prev in\n", command->name);
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++)
            bash_value(&completed, &groups->group[g].options[i]);
    printf("        '" HELP_OF "') _shoal_words '%s %s' ;;\n", completed.topics, completed.subcommands);
    printf("        *) ");
    if (command->then_file)
        printf("_shoal_file_after '%s' || ", completed.operands);
    printf("_shoal_words '");
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++)
            printf("--%s ", groups->group[g].options[i].name);
    printf("%s' ;;\n        esac\n        ;;\n", completed.operands);
    close_command(&completed);
}

static void bash_subcommand_name(const struct cli_command *command)
{
    printf("    '%s') command='%s' ;;\n", command->name, command->name);
}

static void each_subcommand(void (*function)(const struct cli_command *command))
{
    for (size_t i = 0; i < cli_command_count(); i++)
        for (size_t w = 0; w < cli_subcommand_count(); w++) {
            const struct cli_command *command = cli_subcommand(cli_command_at(i), w);
            if (command)
                function(command);
        }
}

static int bash_completion(void)
{
    puts("# bash completion for shoal; made by 'shoal --generate bash'\n"
         "_shoal_words()\n{\n"
         "    # In any case, as the command takes them.\n"
         "    local word\n"
         "    for word in $1; do\n"
         "        [[ ${word,,} != \"${cur,,}\"* ]] || COMPREPLY+=(\"$word\")\n"
         "    done\n}\n"
         "_shoal_paths()\n{\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n}\n"
         "# An operand behind one of these words is a file.\n"
         "_shoal_file_after()\n{\n"
         "    local word\n"
         "    [[ $cur != -* ]] || return 1\n"
         "    for word in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
         "        if [[ \" $1 \" == *\" $word \"* ]]; then\n"
         "            _shoal_paths -f\n"
         "            return 0\n"
         "        fi\n"
         "    done\n"
         "    return 1\n}\n"
         "# The workload of a checkpoint, by its first section.\n"
         "_shoal_workload_of()\n{\n"
         "    local first name\n"
         "    read -r first name _ < <(head -c 64 -- \"$1\" 2>/dev/null | tr -c 'a-z0-9-' ' '; echo)\n"
         "    [[ $first != workload ]] || echo \"$name\"\n}\n"
         "_shoal()\n{\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    COMPREPLY=()\n"
         "    # bash takes --option=value for three words.\n"
         "    if [[ $cur == '=' ]]; then\n"
         "        cur=\n"
         "    elif [[ $prev == '=' ]]; then\n"
         "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    if ((COMP_CWORD == 1)); then");
    printf("        _shoal_words '");
    for (size_t i = 0; i < cli_command_count(); i++)
        printf("%s ", cli_command_at(i)->name);
    puts("--help --resume --version'\n        return\n    fi\n"
         "    local at=1 command=\n"
         "    if [[ ${COMP_WORDS[1]} == --resume ]]; then\n"
         "        if [[ $prev == --resume ]]; then\n"
         "            _shoal_paths -f\n"
         "            return\n"
         "        fi\n"
         "        [[ ${COMP_WORDS[2]} == '=' ]] && at=3 || at=2\n"
         "        command=$(_shoal_workload_of \"${COMP_WORDS[at]}\")\n"
         "        at=COMP_CWORD-1\n"
         "    fi\n"
         "    if [[ ${COMP_WORDS[1]} == help ]] && ((COMP_CWORD > 2)); then\n"
         "        at=2 prev='" HELP_OF "'\n"
         "    fi\n"
         "    [[ -n $command ]] || command=${COMP_WORDS[at]}\n"
         "    ((COMP_CWORD == at + 1)) || case \"$command ${COMP_WORDS[at + 1]}\" in");
    each_subcommand(bash_subcommand_name);
    puts("    esac\n    case $command in");
    for (size_t i = 0; i < cli_command_count(); i++)
        bash_command(cli_command_at(i));
    each_subcommand(bash_command);
    puts("    esac\n}\ncomplete -F _shoal shoal");
    return CLI_OK;
}

/* Prints text with the quoting that zsh needs within [..] or :message: of an _arguments specification in
 * single quotes. */
static void zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_option(const struct completed *completed, const struct shoal_option *option)
{
    char *words = value_words(completed, option);
    const enum value_kind kind = value_kind(option, words);
    printf(" \\\n            '--%s%s[", option->name, kind == NO_VALUE ? "" : "=");
    zsh_text(option->help);
    printf("]");
    if (kind != NO_VALUE) {
        /* zsh marks an optional value by two colons. */
        printf(option->type == SHOAL_OPTION_FLAG ? "::" : ":");
        zsh_text(cli_metavariable(option));
        printf(":");
    }
    if (words) {
        printf("(");
        zsh_text(words);
        printf(")");
    } else if (kind == FILES || kind == FOLDERS) {
        printf(kind == FILES ? "_files" : "_files -/");
    }
    printf("'");
    free(words);
}

static void zsh_command(const struct cli_command *command)
{
    struct completed completed;
    open_command(&completed, command);
    const struct cli_groups *groups = &completed.groups;
    printf("    ('%s')\n"
           "        if [[ -n $is_help ]]; then\n"
           "            compadd -M \"$any_case\" -- %s %s\n"
           "            return\n"
           "        fi\n"
           "        _arguments -M \"$any_case\"",
           command->name, completed.topics, completed.subcommands);
    for (size_t g = 0; g < groups->count; g++)
        for (size_t i = 0; i < groups->group[g].count; i++)
            zsh_option(&completed, &groups->group[g].options[i]);
    if (command->argument) {
        printf(command->then_file ? " \\\n            '1:" : " \\\n            '*:");
        zsh_text(command->argument);
        printf(":");
        if (*completed.operands) {
            printf("(");
            zsh_text(completed.operands);
            printf(")");
        }
        printf("'");
    }
    if (command->then_file)
        printf(" \\\n            '*:FILE:_files'");
    puts("\n        ;;");
    close_command(&completed);
}

static void zsh_subcommand_name(const struct cli_command *command)
{
    printf("    ('%s')\n"
           "        command='%s'\n        shift words\n        ((CURRENT--))\n        ;;\n",
           command->name, command->name);
}

static int zsh_completion(void)
{
    puts("#compdef shoal\n# zsh completion for shoal; made by 'shoal --generate zsh'\n"
         "_shoal()\n{\n"
         "    local curcontext=$curcontext any_case='m:{a-zA-Z}={A-Za-z}' is_help=\n"
         "    local -a commands\n"
         "    commands=(");
    for (size_t i = 0; i < cli_command_count(); i++) {
        printf("        '%s:", cli_command_at(i)->name);
        zsh_text(cli_command_at(i)->summary);
        puts("'");
    }
    puts("        '--resume:go on from a checkpoint'\n"
         "    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe -t commands 'shoal command' commands\n"
         "        return\n"
         "    fi\n"
         "    if [[ $words[2] == --resume && $CURRENT -eq 3 ]]; then\n"
         "        _files\n"
         "        return\n"
         "    fi\n"
         "    # The workload of a checkpoint, by its first section.\n"
         "    local file= command=\n"
         "    local -a first\n"
         "    if [[ $words[2] == --resume ]]; then\n"
         "        file=${(Q)words[3]}\n"
         "        shift words\n"
         "        ((CURRENT--))\n"
         "    elif [[ $words[2] == --resume=* ]]; then\n"
         "        file=${(Q)words[2]#*=}\n"
         "    fi\n"
         "    if [[ -n $file ]]; then\n"
         "        first=($(head -c 64 -- $file 2>/dev/null | tr -c 'a-z0-9-' ' '))\n"
         "        [[ $first[1] == workload ]] && command=$first[2]\n"
         "        words[2]=$command\n"
         "    fi\n"
         "    if [[ $words[2] == help ]] && ((CURRENT > 3)); then\n"
         "        is_help=yes\n"
         "        shift words\n"
         "        ((CURRENT--))\n"
         "    fi\n"
         "    command=$words[2]\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    ((CURRENT == 2)) || case \"$command $words[2]\" in");
    each_subcommand(zsh_subcommand_name);
    puts("    esac\n    case $command in");
    for (size_t i = 0; i < cli_command_count(); i++)
        zsh_command(cli_command_at(i));
    each_subcommand(zsh_command);
    puts("    esac\n}\n_shoal \"$@\"");
    return CLI_OK;
}

int cli_generate(const char *what, int count, char **words)
{
    if (strcmp(what, "man") == 0)
        return cli_man_page(count, words);
    if (count)
        return cli_error(CLI_USAGE, "unexpected '%s'", words[0]);
    if (strcmp(what, "bash") == 0)
        return bash_completion();
    if (strcmp(what, "zsh") == 0)
        return zsh_completion();
    return cli_error(CLI_USAGE, "--generate: '%s' is not one of man, bash, zsh", what);
}
