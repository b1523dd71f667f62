/* shoal --generate: shell completions, from the same tables as the parser and the help. The build runs it. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const char device_words[] = "gpu cpu host all cuda:0 opencl:0";

/* Candidates for the value of an option, for both shells. */
enum value_kind { NO_VALUE, ANY, WORDS, FILES, FOLDERS };

static enum value_kind value_kind(const struct shoal_option *option)
{
    if (option->type == SHOAL_OPTION_FLAG)
        return NO_VALUE;
    if (option->type == SHOAL_OPTION_CHOICE)
        return WORDS;
    if (option->type != SHOAL_OPTION_TEXT)
        return ANY;
    if (strcmp(option->unit, "FILE") == 0)
        return FILES;
    if (strcmp(option->unit, "DIR") == 0)
        return FOLDERS;
    return strcmp(option->name, "device") == 0 ? WORDS : ANY;
}

static char *value_words(const struct shoal_option *option)
{
    char *words = cli_strdup(option->type == SHOAL_OPTION_CHOICE ? "" : device_words);
    for (size_t i = 0; option->type == SHOAL_OPTION_CHOICE && option->choices[i]; i++) {
        char *longer = cli_sprintf("%s%s%s", words, i ? " " : "", option->choices[i]);
        free(words);
        words = longer;
    }
    return words;
}

/* Operands of a command as words: NULL where they are free text. */
static char *operand_words(const struct cli_command *command)
{
    bool commands = command->argument && strcmp(command->argument, "COMMAND") == 0;
    bool workloads = command->argument && strcmp(command->argument, "WORKLOAD") == 0;
    bool programs = command->argument && strcmp(command->argument, "PROGRAM") == 0;
    size_t count = commands    ? cli_command_count()
                   : workloads ? shoal_workload_count()
                   : programs  ? shoal_program_desc_count()
                               : 0;
    char *words = cli_strdup("");
    for (size_t i = 0; i < count; i++) {
        const char *word = commands    ? cli_command_at(i)->name
                           : workloads ? shoal_workload_at(i)->name
                                       : shoal_program_desc_at(i)->name;
        char *longer = cli_sprintf("%s%s%s", words, i ? " " : "", word);
        free(words);
        words = longer;
    }
    return words;
}

static void bash_command(const struct cli_command *command)
{
    struct cli cli = {0};
    struct cli_groups groups;
    char *operands = operand_words(command);
    cli_groups_init(&groups, &cli, command);
    printf("    %s)\n        case $prev in\n", command->name);
    for (size_t g = 0; g < groups.count; g++)
        for (size_t i = 0; i < groups.group[g].count; i++) {
            const struct shoal_option *option = &groups.group[g].options[i];
            enum value_kind kind = value_kind(option);
            char *words = kind == WORDS ? value_words(option) : NULL;
            char letter = cli_short_name(option);
            if (kind == NO_VALUE)
                continue;
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
    printf("        *) _shoal_words '");
    for (size_t g = 0; g < groups.count; g++)
        for (size_t i = 0; i < groups.group[g].count; i++)
            printf("--%s ", groups.group[g].options[i].name);
    printf("%s' ;;\n        esac\n        ;;\n", operands);
    cli_groups_free(&groups, &cli);
    free(operands);
}

static int bash_completion(void)
{
    puts("# bash completion for shoal; made by 'shoal --generate bash'\n"
         "_shoal_words()\n{\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n}\n"
         "_shoal_paths()\n{\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$cur\")\n}\n"
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
    puts("--help --version'\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (size_t i = 0; i < cli_command_count(); i++)
        bash_command(cli_command_at(i));
    puts("    esac\n}\ncomplete -F _shoal shoal");
    return CLI_OK;
}

/* Text inside [..] or :message: of an _arguments specification, itself inside single quotes. */
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

static void zsh_command(const struct cli_command *command)
{
    struct cli cli = {0};
    struct cli_groups groups;
    char *operands = operand_words(command);
    cli_groups_init(&groups, &cli, command);
    printf("    (%s)\n        _arguments", command->name);
    for (size_t g = 0; g < groups.count; g++)
        for (size_t i = 0; i < groups.group[g].count; i++) {
            const struct shoal_option *option = &groups.group[g].options[i];
            enum value_kind kind = value_kind(option);
            char *words = kind == WORDS ? value_words(option) : NULL;
            printf(" \\\n            '--%s%s[", option->name, kind == NO_VALUE ? "" : "=");
            zsh_text(option->help);
            printf("]");
            if (kind != NO_VALUE) {
                printf(":");
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
    if (command->argument) {
        printf(" \\\n            '*:");
        zsh_text(command->argument);
        printf(":");
        if (*operands) {
            printf("(");
            zsh_text(operands);
            printf(")");
        }
        printf("'");
    }
    puts("\n        ;;");
    cli_groups_free(&groups, &cli);
    free(operands);
}

static int zsh_completion(void)
{
    puts("#compdef shoal\n# zsh completion for shoal; made by 'shoal --generate zsh'\n"
         "_shoal()\n{\n"
         "    local curcontext=$curcontext\n"
         "    local -a commands\n"
         "    commands=(");
    for (size_t i = 0; i < cli_command_count(); i++) {
        printf("        '%s:", cli_command_at(i)->name);
        zsh_text(cli_command_at(i)->summary);
        puts("'");
    }
    puts("    )\n"
         "    if ((CURRENT == 2)); then\n"
         "        _describe -t commands 'shoal command' commands\n"
         "        return\n"
         "    fi\n"
         "    local command=$words[2]\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $command in");
    for (size_t i = 0; i < cli_command_count(); i++)
        zsh_command(cli_command_at(i));
    puts("    esac\n}\n_shoal \"$@\"");
    return CLI_OK;
}

int cli_generate(const char *what)
{
    if (strcmp(what, "man") == 0)
        return cli_man_page();
    if (strcmp(what, "bash") == 0)
        return bash_completion();
    if (strcmp(what, "zsh") == 0)
        return zsh_completion();
    return cli_error(CLI_USAGE, "--generate: '%s' is not one of man, bash, zsh", what);
}
