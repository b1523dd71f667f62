/* Configuration files: values of options in INI sections. inih splits the lines; this file checks names and
 * values. */
#include "cli/cli.h"
#include "cli/stages.h"
#include "cli/workload.h"

#include "base/input.h"
#include "base/text.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int no_run(struct cli *cli)
{
    (void)cli;
    return CLI_FAILURE;
}

/* Section [shoal]: values of the options that all commands share. */
static const struct cli_command shared = {
    .name = "shoal", .takes = CLI_TAKES_JSON | CLI_TAKES_DEVICE | CLI_TAKES_BUILD, .run = no_run};

/* A section of the file. Its values take effect only when the whole file is valid. */
struct section {
    struct section *next;
    char *name;
    int line;
    bool is_empty;
    /* values of the section; values->name is NULL if the section is no stage. NULL: take_stages has moved the
     * values */
    struct cli_stage *values;
};

struct config {
    const char *path;
    FILE *file;
    char *text; /* text of the current line */
    size_t room;
    int line;
    bool failed; /* an error was already reported */
    /* value of this line if the line is too long for inih, which gets "." instead; NULL: inih has the value
     */
    const char *instead;
    bool has_key; /* a line that begins with a blank continues the value of the last key */
    struct section *sections, *section; /* sections: all sections in their order; section: the section of the
                                         * current line, NULL: none */
};

static const struct cli_command *find_command(const char *name)
{
    return strcmp(name, shared.name) == 0 ? &shared : cli_command_find(name);
}

static struct section *find_section(const struct config *config, const char *name)
{
    struct section *section = config->sections;
    while (section && strcmp(section->name, name) != 0)
        section = section->next;
    return section;
}

SHOAL_PRINTF(3, 4) static int refuse_at(struct config *config, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = cli_vsprintf(format, args);
    va_end(args);
    cli_error(CLI_USAGE, "%s:%d: %s", config->path, line, text);
    free(text);
    config->failed = true;
    return 0;
}

#define refuse(config, ...) refuse_at(config, (config)->line, __VA_ARGS__)

/* Characters with a meaning for inih, the same as in the parser of inih. */
static const char blanks[] = " \t\r\n\v\f", begins_comment[] = ";#", ends_key[] = "=:";

/* Cuts from the text at `value` its comment, which begins with a blank and ';', and the blanks around the
 * value. Returns the first character of the value. */
static const char *cut_value(char *value)
{
    char *end = value;
    while (*end && !(end > value && *end == ';' && strchr(blanks, end[-1])))
        end++;
    value += strspn(value, blanks);
    while (end > value && strchr(blanks, end[-1]))
        end--;
    *end = '\0';
    return value;
}

/* Replaces a long value or section name by a short text: inih reads at most `size` characters of a line and
 * would take the rest for a new line. */
static void shorten(struct config *config, char *text, char *line, int size)
{
    const char *start = text + strspn(text, blanks);
    char *end = strpbrk(text, ends_key);
    if (strchr(begins_comment, *start)) {
        snprintf(line, (size_t)size, ";\n");
    } else if (*start == '[' && !config->has_key) {
        snprintf(line, (size_t)size, "[]\n"); /* config->section says which section it is */
    } else if (end) {
        snprintf(line, (size_t)size, "%.*s=.\n", (int)(end - text < size / 2 ? end - text : size / 2), text);
        config->instead = cut_value(end + 1);
    } else {
        snprintf(line, (size_t)size, "%s", text);
    }
}

/* Whether `name` is allowed as the name of a stage: names of stages become parts of file names. */
static bool is_stage_name(const char *name)
{
    enum { MOST = 32 };
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return *name && strlen(name) <= MOST && strspn(name, allowed) == strlen(name);
}

/* The command of a section named "COMMAND" or "WORKLOAD.STAGE". *stage: pointer to STAGE; NULL: the name has
 * none. Returns NULL after an error message if the name has neither form. */
static const struct cli_command *command_of(struct config *config, const char *name, const char **stage)
{
    char *first = cli_sprintf("%.*s", (int)strcspn(name, "."), name);
    const struct cli_command *command = find_command(first);
    const char *dot = strchr(name, '.');
    *stage = dot ? dot + 1 : NULL;
    if (!command)
        refuse(config, "unknown section [%s]; use [shoal] or the name of a command", name);
    else if (dot && !cli_has_stages(command->workload))
        refuse(config, "[%s]: '%s' has no stages; use [%s]", name, first, first);
    else if (dot && !is_stage_name(dot + 1))
        refuse(config, "[%s]: the name of a stage has 1 to 32 letters, digits, '-' and '_'", name);
    free(first);
    return config->failed ? NULL : command;
}

static struct section *add_section(struct config *config, const char *name)
{
    const char *stage;
    const struct cli_command *command = command_of(config, name, &stage);
    struct section **end = &config->sections, *section = NULL;
    while (*end)
        end = &(*end)->next;
    if (!command)
        return NULL;
    *end = section = cli_alloc(sizeof *section);
    *section = (struct section){.name = cli_strdup(name),
                                .line = config->line,
                                .is_empty = true,
                                .values = cli_stage_new(command, stage)};
    return section;
}

/* Begins the section whose '[' is the first character of `text`. */
static void begin_section(struct config *config, const char *text)
{
    const char *end = strchr(text, ']');
    if (!end) {
        refuse(config, "the section has no ']'");
        return;
    }
    char *name = cli_sprintf("%.*s", (int)(end - text - 1), text + 1);
    config->section = find_section(config, name);
    config->has_key = false;
    if (config->section && config->section->values->name)
        refuse(config, "[%s] is there twice: a stage has one section", name);
    if (!config->section)
        config->section = add_section(config, name);
    free(name);
}

/* Reads a line for inih; behaves like fgets. */
static char *read_line(char *line, int size, void *data)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct config *config = data;
    config->instead = NULL;
    if (config->failed || getline(&config->text, &config->room, config->file) < 0)
        return NULL;
    config->line++;
    char *text = config->text;
    if (config->line == 1 && strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0)
        text += strlen(byte_order_mark);
    /* Sections are read here, since inih continues after a bad section, cuts long names, and skips sections
     * without keys. */
    const char *start = text + strspn(text, blanks);
    if (*start == '[' && (start == text || !config->has_key))
        begin_section(config, start);
    if (config->failed)
        return NULL;
    if (strlen(text) < (size_t)size)
        memcpy(line, text, strlen(text) + 1);
    else
        shorten(config, text, line, size);
    return line;
}

static int take(void *data, const char *name_of_section, const char *key, const char *value)
{
    (void)name_of_section; /* inih may have cut this name */
    struct config *config = data;
    if (config->failed)
        return 0;
    value = config->instead ? config->instead : value;
    struct section *section = config->section;
    config->has_key = true;
    if (!section)
        return refuse(config, "'%s' is outside a section; put it under [shoal] or the name of a command",
                      key);
    section->is_empty = false;
    struct cli_groups *groups = &section->values->groups;
    size_t index;
    const struct shoal_option *option = cli_groups_find(groups, key, &index);
    const bool is_known = option != NULL;
    if (cli_needs_theses(groups, section->values->cli.command, is_known ? option->name : key, value))
        return refuse(config, "%s%s%s " CLI_NEEDS_THESES, key, is_known ? " " : "", is_known ? value : "");
    if (!option || strcmp(key, "config") == 0 || strcmp(key, "help") == 0) {
        const char *nearest = cli_groups_nearest(groups, key);
        return refuse(config, "unknown key '%s' in section [%s]%s%s%s", key, section->name,
                      nearest && !option ? "; did you mean '" : "", nearest && !option ? nearest : "",
                      nearest && !option ? "'?" : "");
    }
    if (section->values->name && !(option->flags & SHOAL_OPTION_STAGE))
        return refuse(config, "'%s' cannot change between stages; put it under [%s]", key,
                      section->values->cli.command->name);
    struct cli_group *group = &groups->group[index];
    option = cli_option_of_value(group->options, group->count, option, value);
    bool *given = &group->given[option - group->options];
    if (*given)
        return refuse(config, "'%s' is set twice in section [%s]", key, section->name);
    *given = true;
    char *where = cli_sprintf("%s:%d: %s", config->path, config->line, key);
    config->failed = !cli_value_set(option, group->values, cli_keep(value), where);
    free(where);
    return !config->failed;
}

static void config_free(struct config *config)
{
    while (config->sections) {
        struct section *section = config->sections;
        config->sections = section->next;
        if (section->values)
            cli_stage_free(section->values);
        free(section->name);
        free(section);
    }
}

static int config_parse(struct config *config, const char *path)
{
    const int file = input_open(path);
    *config = (struct config){.path = path, .file = file < 0 ? NULL : fdopen(file, "r")};
    if (!config->file)
        return cli_error(CLI_FAILURE, "--config: %s: cannot be read: %s", path, input_reason(errno));
    errno = 0;
    int bad_line = ini_parse_stream(read_line, config, take, config);
    bool unread = ferror(config->file) || (!feof(config->file) && !bad_line);
    int code = errno;
    fclose(config->file);
    free(config->text);
    if (config->failed)
        return CLI_USAGE;
    if (unread)
        return cli_error(CLI_FAILURE, "--config: %s: cannot be read: %s", path, strerror(code));
    if (bad_line < 0)
        return cli_error(CLI_FAILURE, "out of memory");
    if (bad_line > 0)
        return cli_error(CLI_USAGE, "%s:%d: neither a [section] nor 'key = value'", path, bad_line);
    for (const struct section *section = config->sections; section; section = section->next)
        if (section->values->name && section->is_empty) {
            refuse_at(config, section->line, "the stage [%s] sets nothing: give its steps, or take it out",
                      section->name);
            return CLI_USAGE;
        }
    return CLI_OK;
}

/* Moves the stages of the workload to `cli`. Refuses stages if the command of `cli` has no stages, or if
 * `cli` is NULL. Returns an exit code. */
static int take_stages(struct config *config, const struct shoal_workload *workload, struct cli *cli)
{
    for (struct section *section = config->sections; section && workload; section = section->next) {
        const struct cli_command *command = section->values->cli.command;
        if (!section->values->name || command->workload != workload)
            continue;
        if (!cli || cli->command != command) {
            refuse_at(config, section->line,
                      "[%s] is a stage, which only 'shoal %s' runs: take a file without stages",
                      section->name, command->name);
            return CLI_USAGE;
        }
        cli_stages_add(cli, section->values);
        section->values = NULL;
    }
    return CLI_OK;
}

/* Copies the values of section `name` to options that were not given yet. */
static void apply(const struct config *config, const char *name, struct cli_groups *groups)
{
    const struct section *section = find_section(config, name);
    const struct cli_groups *set = section ? &section->values->groups : NULL;
    for (size_t g = 0; set && g < set->count; g++)
        for (size_t i = 0; i < set->group[g].count; i++) {
            const struct cli_group *from = &set->group[g];
            size_t index;
            if (!from->given[i] || !cli_groups_find(groups, from->options[i].name, &index))
                continue;
            struct cli_group *to = &groups->group[index];
            const struct shoal_option *option = cli_groups_find(groups, from->options[i].name, &index);
            bool *given = &to->given[option - to->options];
            if (!*given)
                cli_value_copy(option, to->values, from->values);
            *given = true;
        }
}

/* Whether the section belongs to the workload, or to one of its stages. */
static bool is_of(const struct section *section, const char *workload)
{
    const size_t length = strlen(workload);
    return strncmp(section->name, workload, length) == 0 &&
           (!section->name[length] || section->name[length] == '.');
}

/* Whether the command reads this section; not to be called for [shoal]. */
static bool is_read(const struct cli *cli, const struct section *section)
{
    const struct cli_command *command = cli->command;
    bool is = strcmp(section->name, command->name) == 0 ||
              (command->workload && is_of(section, command->workload->name));
    for (size_t i = 0; command->reads_workloads && i < shoal_workload_count(); i++) {
        const char *workload = shoal_workload_at(i)->name;
        bool is_named = cli->argument_count == 0;
        for (size_t a = 0; a < cli->argument_count; a++)
            is_named = is_named || strcmp(cli->arguments[a], workload) == 0;
        is = is || (is_named && is_of(section, workload));
    }
    return is;
}

/* The sections that the command reads, in words for messages; the caller frees the text. */
static char *sections_of(const struct cli *cli)
{
    const struct cli_command *command = cli->command;
    struct text text = {0};
    if (cli_command_find(command->name))
        text_printf(&text, " [%s]", command->name);
    else if (command->workload)
        text_printf(&text, " [%s]", command->workload->name);
    else
        text_printf(&text, " [%s], which is all that 'shoal %s' reads", shared.name, command->name);
    for (size_t a = 0; command->reads_workloads && a < cli->argument_count; a++)
        text_printf(&text, " or [%s]", cli->arguments[a]);
    if (command->reads_workloads && !cli->argument_count)
        text_add(&text, " or that of a workload");
    char *sections = cli_strdup(text.data ? text.data : "");
    text_free(&text);
    return sections;
}

/* Refuses a file with no section that the command reads. A section [shoal] is sufficient. */
static int check_sections(const struct config *config, const struct cli *cli)
{
    char *names = cli_strdup("");
    bool has_other = false, has_own = false;
    for (const struct section *section = config->sections; section; section = section->next) {
        char *longer = cli_sprintf("%s%s[%s]", names, *names ? ", " : "", section->name);
        free(names);
        names = longer;
        has_own = has_own || is_read(cli, section);
        has_other = has_other || strcmp(section->name, shared.name) != 0;
    }
    int code = CLI_OK;
    if (has_other && !has_own) {
        char *own = sections_of(cli);
        code = cli_error(CLI_USAGE, "--config: %s has no section%s, only %s: add it, or take another file",
                         config->path, own, names);
        free(own);
    }
    free(names);
    return code;
}

int cli_config_read(const char *path, struct cli *cli, struct cli_groups *groups)
{
    struct config config;
    int code = config_parse(&config, path);
    if (code == CLI_OK)
        code = check_sections(&config, cli);
    if (code == CLI_OK) {
        apply(&config, cli->command->name, groups);
        if (cli->command->workload)
            apply(&config, cli->command->workload->name, groups);
        apply(&config, shared.name, groups);
        code = take_stages(&config, cli->command->workload, cli);
    }
    config_free(&config);
    return code;
}

int cli_config_params(const char *path, const struct shoal_workload *workload, void *params)
{
    struct config config;
    int code = config_parse(&config, path);
    const struct section *section = code == CLI_OK ? find_section(&config, workload->name) : NULL;
    const struct cli_groups *set = section ? &section->values->groups : NULL;
    for (size_t g = 0; set && g < set->count; g++) {
        const struct cli_group *group = &set->group[g];
        for (size_t i = 0; group->options == workload->options && i < group->count; i++)
            if (group->given[i])
                cli_value_copy(&group->options[i], params, group->values);
    }
    if (code == CLI_OK)
        code = take_stages(&config, workload, NULL);
    config_free(&config);
    return code;
}
