#include "cli/run/files.h"

#include "base/input.h"
#include "cli/stages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct named {
    const struct shoal_option *option;
    char *path;
    const struct cli *of;
};

struct files {
    struct named *named;
    size_t count;
};

static void add(struct files *files, const struct shoal_option *option, char *path, const struct cli *of)
{
    files->named = cli_realloc(files->named, (files->count + 1) * sizeof *files->named);
    files->named[files->count++] = (struct named){option, path, of};
}

static void add_options(struct files *files, const struct cli *cli, const struct cli_group *group,
                        unsigned flag)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct shoal_option *option = &group->options[i];
        const char *path = NULL;
        /* A file of an option that all stages share is added only for the first stage. */
        if (option->flags & flag &&
            (!cli->stage || !cli->stage->before || option->flags & SHOAL_OPTION_STAGE))
            memcpy(&path, (const char *)group->values + option->offset, sizeof path);
        if (path && strcmp(path, "-") != 0)
            add(files, option, cli_strdup(path), cli);
    }
}

/* Adds operands that are files to read; with command->then_file the first operand is a word. */
static void add_operands(struct files *files, const struct cli *cli)
{
    static const struct shoal_option operand = {.name = NULL};
    const struct cli_command *command = cli->command;
    const bool is_file = command->argument && strcmp(command->argument, "FILE") == 0;
    for (size_t i = command->then_file ? 1 : 0; i < cli->argument_count; i++)
        if ((is_file || command->then_file) && strcmp(cli->arguments[i], "-") != 0)
            add(files, &operand, cli_strdup(cli->arguments[i]), cli);
}

static struct files find_files(const struct cli *cli, const struct cli_row *row, unsigned flag)
{
    struct files files = {NULL, 0};
    for (size_t s = 0; s < cli->stage_count || s == 0; s++) {
        const struct cli *at = cli->stage_count ? &cli->stages[s]->cli : cli;
        for (size_t g = 0; g < at->groups->count; g++)
            add_options(&files, at, &at->groups->group[g], flag);
    }
    if (flag == SHOAL_OPTION_READS)
        add_operands(&files, cli);
    for (size_t i = 0; i < files.count && row && flag == SHOAL_OPTION_WRITES; i++) {
        char *given = files.named[i].path;
        files.named[i].path = cli_row_path(cli, row, given);
        free(given);
    }
    return files;
}

static void free_files(struct files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->named[i].path);
    free(files->named);
}

static bool folder_of(const char *path, struct stat *info)
{
    char *folder = cli_strdup(path), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    const bool known = stat(slash ? folder : ".", info) == 0;
    free(folder);
    return known;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether two paths are the same regular file. Pipes and devices never count as the same, since writing
 * replaces nothing in them. */
static bool are_same(const char *a, const char *b)
{
    struct stat one, other;
    const bool is_one = stat(a, &one) == 0, is_other = stat(b, &other) == 0;
    if (is_one != is_other || (is_one && !S_ISREG(one.st_mode)))
        return false;
    if (!is_one && (strcmp(name_of(a), name_of(b)) != 0 || !folder_of(a, &one) || !folder_of(b, &other)))
        return false;
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Whether `path` is the file of `read`, where "FILE:3" means an instance within FILE. */
static bool is_read_from(const char *path, const char *read)
{
    long part;
    char *file = input_split_part(read, &part);
    const bool is = are_same(path, file ? file : read);
    free(file);
    return is;
}

/* Whether two options may name the same file: --checkpoint and --resume, since a checkpoint is read as a
 * whole before it is replaced, and growing files of several stages, since later stages append. */
static bool may_be_same(const struct named *written, const struct named *other)
{
    if (written->option == other->option && written->of != other->of)
        return written->option->flags & SHOAL_OPTION_GROWS;
    return other->option->name && strcmp(written->option->name, "checkpoint") == 0 &&
           strcmp(other->option->name, "resume") == 0;
}

/* Reports that `option`, "--NAME", must not write `path`, because `other` reads or writes the same file. */
static int refuse(const char *option, const char *path, const struct named *other, const char *does,
                  const char *stage)
{
    if (!other->option->name)
        return cli_error(CLI_USAGE, "%s: %s is the file that is read: write to another one", option, path);
    return cli_error(CLI_USAGE, "%s: %s is the file that --%s %s%s%s: write to another one", option, path,
                     other->option->name, does, stage ? " in " : "", stage ? stage : "");
}

static int compare(const struct named *written, const struct named *others, size_t count, const char *does)
{
    for (size_t i = 0; i < count; i++) {
        if (may_be_same(written, &others[i]) || !is_read_from(written->path, others[i].path))
            continue;
        char *option = cli_sprintf("--%s", written->option->name);
        const int code = refuse(option, written->path, &others[i], does,
                                written->of != others[i].of ? cli_stage_title(others[i].of) : NULL);
        free(option);
        return code;
    }
    return CLI_OK;
}

int run_files_check_read(const struct cli *cli, const char *option, const char *path)
{
    struct files read = find_files(cli, NULL, SHOAL_OPTION_READS);
    int code = CLI_OK;
    for (size_t i = 0; i < read.count && code == CLI_OK; i++)
        if (is_read_from(path, read.named[i].path))
            code = refuse(option, path, &read.named[i], "reads", NULL);
    free_files(&read);
    return code;
}

int run_files_check(const struct cli *cli, const struct cli_row *row)
{
    struct files read = find_files(cli, row, SHOAL_OPTION_READS);
    struct files written = find_files(cli, row, SHOAL_OPTION_WRITES);
    int code = CLI_OK;
    for (size_t i = 0; i < written.count && code == CLI_OK; i++) {
        code = compare(&written.named[i], read.named, read.count, "reads");
        if (code == CLI_OK)
            code = compare(&written.named[i], written.named, i, "writes");
    }
    free_files(&read);
    free_files(&written);
    return code;
}
