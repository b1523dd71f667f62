/* Overview and help texts, from the descriptions of the commands. */
#include "cli/output/tables/layout.h"
#include "cli/search/optimise.h"
#include "cli/workload.h"

#include <ctype.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WIDTH = 80, HELP_COLUMN = 28 };
static const char every[] = "all"; /* the topic of help on every option */

/* Least number of consecutively numbered choices that help abbreviates, as f6, f7, f8, f9 and f10 to "f6 to
 * f10". */
enum { LEAST_NUMBERED = 4 };

/* Bytes of a name before the digits at its end. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

/* Number of choices, from the first choice on, that have the same stem and consecutive numbers. */
static size_t count_numbered(const char *const *choices)
{
    const size_t stem = stem_length(choices[0]);
    const long first = strtol(choices[0] + stem, NULL, 10);
    size_t count = 1;
    while (choices[0][stem] && choices[count] && stem_length(choices[count]) == stem &&
           strncmp(choices[0], choices[count], stem) == 0 &&
           strtol(choices[count] + stem, NULL, 10) == first + (long)count)
        count++;
    return count;
}

/* Prints the lines of a text, beginning in column `column`. Continuations of long lines, and all lines after
 * the first, are indented to column `indent`. */
static void wrap(FILE *file, const char *text, int column, int indent)
{
    for (;;) {
        const size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        char *line = cli_sprintf("%.*s", (int)length, text);
        fprintf(file, "%*s", (int)blanks, "");
        cli_wrap(file, line, (size_t)column + blanks, (size_t)indent, WIDTH);
        putc('\n', file);
        free(line);
        if (!text[length])
            return;
        column = fprintf(file, "%*s", indent, "");
        text += length + 1;
    }
}

const char *cli_metavariable(const struct shoal_option *option)
{
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        return option->unit;
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

static char *describe(const struct cli_group *group, size_t index)
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
        for (size_t i = 0, count; option->choices[i]; i += count) {
            const char *const first = option->choices[i], *const before = i ? ", " : " (";
            count = count_numbered(option->choices + i);
            longer = count >= LEAST_NUMBERED
                         ? cli_sprintf("%s%s%s to %s", text, before, first, option->choices[i + count - 1])
                         : cli_sprintf("%s%s%s", text, before, first);
            count = count >= LEAST_NUMBERED ? count : 1;
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

/* Appends "; also --learning-rate" or "; rprop is irprop-minus" to `text`, which is reallocated. */
static char *add_other_names(char *text, const struct shoal_option *option)
{
    for (const char *const *also = option->also; also && *also; also++) {
        const char *const choice = strchr(*also, '=');
        char *longer = choice ? cli_sprintf("%s; %.*s is %s", text, (int)(choice - *also), *also, choice + 1)
                              : cli_sprintf("%s; also --%s", text, *also);
        free(text);
        text = longer;
    }
    return text;
}

char *cli_option_help(const struct cli_group *group, size_t index)
{
    return add_other_names(describe(group, index), &group->options[index]);
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
    if (command->then_file)
        return cli_sprintf("shoal %s [OPTION...] %s [FILE]", command->name, command->argument);
    return cli_sprintf("shoal %s [OPTION...] [%s%s]", command->name, command->argument, ellipsis);
}

/* Whether the example belongs to the command. "shoal tune pso --dim 30" is an example of "tune" and of "tune
 * pso". */
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
    const size_t count = shoal_workload_count();
    for (size_t w = 0; w <= count; w++) {
        const struct shoal_workload *workload =
            w < count ? shoal_workload_at(w) : optimise_command()->workload;
        for (size_t i = 0; i < workload->example_count; i++)
            if (is_example_of(&workload->examples[i], command) && index-- == 0)
                return &workload->examples[i];
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

/* Length of the first part of a command line: an option with its value, or a word, up to the next blank
 * outside quotes. */
static size_t word_length(const char *text)
{
    const bool is_option = text[0] == '-' && text[1] == '-';
    bool is_quoted = false;
    size_t length = 0;
    for (; text[length]; length++) {
        if (text[length] == '\'')
            is_quoted = !is_quoted;
        if (text[length] == ' ' && !is_quoted && (!is_option || text[length + 1] == '-'))
            break;
    }
    return length;
}

/* Prints a command line so that a shell takes it as printed. */
static void print_command(FILE *file, const char *text)
{
    enum { INDENT = 2, CONTINUED = 4 };
    int column = fprintf(file, "%*s", INDENT, "");
    for (bool first = true; *text; first = false) {
        const size_t length = word_length(text);
        const bool is_last = !text[length];
        if (!first && column + 1 + (int)length > WIDTH - (is_last ? 0 : 2)) {
            fprintf(file, " \\\n%*s", CONTINUED, "");
            column = CONTINUED;
            first = true;
        }
        column += fprintf(file, "%s%.*s", first ? "" : " ", (int)length, text);
        text += length + !is_last;
    }
    putc('\n', file);
}

char *cli_preset_help(const struct cli_command *command, size_t index, const char **name)
{
    const struct workload_preset *presets = cli_presets_of(command);
    for (size_t i = 0; presets && presets[i].name; i++)
        if (i == index) {
            *name = presets[i].name;
            return cli_sprintf("%s%s%s", presets[i].help, presets[i].files ? "; writes " : "",
                               presets[i].files ? presets[i].files : "");
        }
    return NULL;
}

static void presets_help(const struct cli_command *command, FILE *file)
{
    enum { INDENT = 6 };
    const char *name;
    char *text;
    for (size_t i = 0; (text = cli_preset_help(command, i, &name)); i++) {
        fprintf(file, "%s  %s\n%*s", i ? "" : "\nPresets:\n", name, INDENT, "");
        wrap(file, text, INDENT, INDENT);
        free(text);
    }
}

static void examples_help(const struct cli_command *command, FILE *file)
{
    enum { INDENT = 6 };
    const struct shoal_example *example;
    for (size_t i = 0; (example = cli_example_at(command, i)); i++) {
        fputs(i ? "" : "\nExamples:\n", file);
        print_command(file, example->command);
        fprintf(file, "%*s", INDENT, "");
        wrap(file, example->help, INDENT, INDENT);
    }
}

static bool is_main(const struct cli_entry *entry)
{
    return entry->group->options[entry->index].flags & SHOAL_OPTION_MAIN;
}

static void section_help(const struct cli_section *section, bool all, FILE *file)
{
    bool any = false;
    for (size_t i = 0; i < section->count; i++) {
        if (!all && !is_main(&section->entries[i]))
            continue;
        if (!any)
            fprintf(file, "\n%s:\n", section->heading);
        any = true;
        option_help(file, section->entries[i].group, section->entries[i].index);
    }
}

/* Whether the list of options is short enough to be shown as a whole. */
static bool is_short(const struct cli_sections *sections)
{
    enum { FEW = 25 };
    size_t count = 0;
    for (size_t s = 0; s < sections->count; s++)
        count += sections->section[s].count;
    return count <= FEW;
}

static void command_help(const struct cli_command *command, const struct cli_sections *sections, bool all,
                         FILE *file)
{
    char *description = cli_description(command);
    wrap(file, description, 0, 0);
    for (size_t s = 0; s < sections->count; s++)
        section_help(&sections->section[s], all, file);
    presets_help(command, file);
    examples_help(command, file);
    free(description);
    if (all)
        return;
    char *text = cli_sprintf("'shoal %s --help all' shows every option, '--help GROUP' those of a group:",
                             command->name);
    for (size_t s = 0; s < sections->count; s++) {
        char *longer = cli_sprintf("%s%s%s", text, s ? ", " : " ", sections->section[s].name);
        free(text);
        text = longer;
    }
    putc('\n', file);
    wrap(file, text, 0, 0);
    free(text);
}

static const struct cli_section *find_section(const struct cli_sections *sections, const char *name)
{
    for (size_t s = 0; s < sections->count; s++)
        if (strcasecmp(sections->section[s].name, name) == 0)
            return &sections->section[s];
    return NULL;
}

static int unknown_section(const struct cli_command *command, const struct cli_sections *sections,
                           const char *name)
{
    const char *topic;
    size_t count = 0, topics = 0;
    while (optimise_topic_at(command, topics))
        topics++;
    const char **names = cli_alloc((sections->count + topics + 1) * sizeof *names);
    for (size_t s = 0; s < sections->count; s++)
        names[count++] = sections->section[s].name;
    for (size_t i = 0; (topic = optimise_topic_at(command, i)); i++)
        names[count++] = topic;
    names[count++] = every;
    const int code = cli_not_one_of("--help", name, names, count);
    free(names);
    return code;
}

int cli_help(const struct cli_command *command, const char *topic, FILE *file)
{
    struct cli cli = {0};
    struct cli_groups groups;
    struct cli_sections sections;
    int code = CLI_OK;
    const struct cli_command *other = optimise_topic(command, topic);
    if (other)
        return cli_help(other, "", file);
    cli_groups_init(&groups, &cli, command);
    cli_sections_init(&sections, &groups);
    const bool all = strcasecmp(topic, every) == 0;
    const struct cli_section *section = all ? NULL : find_section(&sections, topic);
    if (*topic && !all && !section) {
        code = unknown_section(command, &sections, topic);
    } else {
        char *synopsis = cli_synopsis(command);
        fprintf(file, "Usage: %s\n", synopsis);
        free(synopsis);
        if (section) {
            section_help(section, true, file);
        } else {
            putc('\n', file);
            command_help(command, &sections, all || is_short(&sections), file);
        }
    }
    cli_sections_free(&sections);
    cli_groups_free(&groups, &cli);
    return code;
}

void cli_overview(FILE *file)
{
    enum { NAME_COLUMNS = 11 /* "nelder-mead" */, SUMMARY_COLUMN = NAME_COLUMNS + 3 };
    fprintf(file,
            "shoal %s: many-body computations on any OpenCL or CUDA device\n\nUsage: shoal COMMAND "
            "[OPTION...]\n       shoal --resume FILE [OPTION...]\n\n"
            "Commands:\n",
            shoal_version());
    for (size_t i = 0; i < cli_command_count(); i++) {
        fprintf(file, "  %-*s ", NAME_COLUMNS, cli_command_at(i)->name);
        wrap(file, cli_command_at(i)->summary, SUMMARY_COLUMN, SUMMARY_COLUMN);
    }
    putc('\n', file);
    wrap(file,
         "'shoal COMMAND --help' shows the options of a command, with examples.\n"
         "First steps: 'shoal devices' lists the devices, 'shoal compare' runs the same work on all of them.",
         0, 0);
}
