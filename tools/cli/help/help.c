/* Overview and help texts, from the descriptions of the commands. */
#include "cli/cli.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, HELP_COLUMN = 28 };

/* Prints words from column `column` on, later lines indented to `indent`. */
static void wrap(FILE *file, const char *text, int column, int indent)
{
    bool line_start = true;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (!line_start && column + 1 + (int)length > WIDTH) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
            line_start = true;
        }
        column += fprintf(file, "%s%.*s", line_start ? "" : " ", (int)length, text);
        line_start = false;
        text += length;
        if (*text == '\n') {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
            line_start = true;
        }
        text += *text != 0;
    }
    putc('\n', file);
}

const char *cli_metavariable(const struct shoal_option *option)
{
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        return "";
    case SHOAL_OPTION_UINT:
        return *option->unit ? option->unit : "N";
    case SHOAL_OPTION_REAL:
        return *option->unit ? option->unit : "X";
    case SHOAL_OPTION_CHOICE:
        return *option->unit ? option->unit : "NAME";
    case SHOAL_OPTION_TEXT:
        return *option->unit ? option->unit : "TEXT";
    }
    return "";
}

char *cli_option_help(const struct cli_group *group, size_t index)
{
    const struct shoal_option *option = &group->options[index];
    char needs[400];
    shoal_option_needs(group->options, group->count, index, needs, sizeof needs);
    struct cli_text value = cli_value_get(option, group->values);
    char *text = cli_sprintf("%s%s%s", option->help, *needs ? "; " : "", needs), *longer = text;
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        if (strcmp(value.s, "yes") != 0)
            return text;
        longer = cli_sprintf("%s (default yes; --%s=no)", text, option->name);
        break;
    case SHOAL_OPTION_UINT:
    case SHOAL_OPTION_REAL: {
        bool any = option->type == SHOAL_OPTION_REAL && option->min <= -DBL_MAX && option->max >= DBL_MAX;
        if (any && !*value.s)
            return text;
        char *range = any ? cli_strdup("") : cli_range(option);
        if (option->flags & SHOAL_OPTION_ZERO_UNSET && strcmp(value.s, "0") == 0)
            *value.s = '\0';
        longer = cli_sprintf("%s (%s%s%s%s)", text, range, !any && *value.s ? "; " : "",
                             *value.s ? "default " : "", value.s);
        free(range);
        break;
    }
    case SHOAL_OPTION_CHOICE:
        for (size_t i = 0; option->choices[i]; i++) {
            longer = cli_sprintf("%s%s%s", text, i ? ", " : " (", option->choices[i]);
            free(text);
            text = longer;
        }
        longer = cli_sprintf("%s; default %s)", text, value.s);
        break;
    case SHOAL_OPTION_TEXT:
        if (!*value.s)
            return text;
        longer = cli_sprintf("%s (default %s)", text, value.s);
        break;
    }
    free(text);
    return longer;
}

static void option_help(FILE *file, const struct cli_group *group, size_t index)
{
    const struct shoal_option *option = &group->options[index];
    char letter = cli_short_name(option);
    const char *meta = cli_metavariable(option);
    char *text = cli_option_help(group, index);
    int column = letter ? fprintf(file, "  -%c, ", letter) : fprintf(file, "      ");
    column += fprintf(file, "--%s%s%s", option->name, *meta ? " " : "", meta);
    if (column + 2 > HELP_COLUMN)
        fprintf(file, "\n%*s", HELP_COLUMN, "");
    else
        fprintf(file, "%*s", HELP_COLUMN - column, "");
    wrap(file, text, HELP_COLUMN, HELP_COLUMN);
    free(text);
}

char *cli_synopsis(const struct cli_command *command)
{
    const char *ellipsis = command->max_arguments > 1 ? "..." : "";
    if (!command->argument)
        return cli_sprintf("shoal %s [OPTION...]", command->name);
    return cli_sprintf("shoal %s [OPTION...] [%s%s]", command->name, command->argument, ellipsis);
}

/* "shoal tune pso --dim 30" is an example of "tune", and of "tune pso". */
static bool is_example_of(const struct shoal_example *example, const struct cli_command *command)
{
    const size_t length = strlen(command->name);
    const char *words = strchr(example->command, ' ');
    return words && strncmp(words + 1, command->name, length) == 0 && words[1 + length] == ' ';
}

const struct shoal_example *cli_example_at(const struct cli_command *command, size_t index)
{
    if (index < command->example_count)
        return &command->examples[index];
    index -= command->example_count;
    for (size_t w = 0; w < shoal_workload_count(); w++)
        for (size_t i = 0; i < shoal_workload_at(w)->example_count; i++) {
            const struct shoal_example *example = &shoal_workload_at(w)->examples[i];
            if (is_example_of(example, command) && index-- == 0)
                return example;
        }
    return NULL;
}

char *cli_description(const struct cli_command *command)
{
    char *details = command->details ? command->details() : cli_strdup("");
    char *text = cli_sprintf("%s%s", command->description, details);
    free(details);
    return text;
}

void cli_help(const struct cli_command *command, FILE *file)
{
    struct cli cli = {0};
    struct cli_groups groups;
    char *synopsis = cli_synopsis(command), *description = cli_description(command);
    const struct shoal_example *example;
    cli_groups_init(&groups, &cli, command);
    fprintf(file, "Usage: %s\n\n", synopsis);
    wrap(file, description, 0, 0);
    for (size_t g = 0; g < groups.count; g++) {
        for (size_t i = 0; i < groups.group[g].count; i++) {
            const char *heading = cli_heading(&groups.group[g], i);
            if (heading)
                fprintf(file, "\n%s:\n", heading);
            option_help(file, &groups.group[g], i);
        }
    }
    for (size_t i = 0; (example = cli_example_at(command, i)); i++) {
        fprintf(file, "%s  %s\n      ", i ? "" : "\nExamples:\n", example->command);
        wrap(file, example->help, 6, 6);
    }
    free(description);
    cli_groups_free(&groups, &cli);
    free(synopsis);
}

void cli_overview(FILE *file)
{
    fprintf(file,
            "shoal %s: many-body computations on any OpenCL or CUDA device\n\nUsage: shoal COMMAND "
            "[OPTION...]\n       shoal --resume FILE [OPTION...]\n\n"
            "Commands:\n",
            shoal_version());
    for (size_t i = 0; i < cli_command_count(); i++)
        fprintf(file, "  %-10s %s\n", cli_command_at(i)->name, cli_command_at(i)->summary);
    fputs("\n'shoal COMMAND --help' shows the options of a command, with examples.\n"
          "First steps: 'shoal devices' lists the devices, 'shoal compare' runs the same work on all of "
          "them.\n",
          file);
}
