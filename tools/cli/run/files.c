#include "cli/run/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct named {
    const char *option;
    char *path;
};

struct files {
    struct named *named;
    size_t count;
};

static void add(struct files *files, const char *option, char *path)
{
    files->named = cli_realloc(files->named, (files->count + 1) * sizeof *files->named);
    files->named[files->count++] = (struct named){option, path};
}

static void add_options(struct files *files, const struct shoal_option *options, size_t count,
                        const void *values, unsigned flag)
{
    for (size_t i = 0; i < count; i++) {
        const char *path = NULL;
        if (options[i].flags & flag)
            memcpy(&path, (const char *)values + options[i].offset, sizeof path);
        if (path && strcmp(path, "-") != 0)
            add(files, options[i].name, cli_strdup(path));
    }
}

static struct files find_files(const struct cli *cli, const struct cli_row *row, unsigned flag)
{
    const struct cli_command *command = cli->command;
    struct files files = {NULL, 0};
    add_options(&files, command->workload->options, command->workload->option_count, cli->params, flag);
    add_options(&files, command->options, command->option_count, cli->values, flag);
    for (size_t i = 0; i < files.count && row && flag == SHOAL_OPTION_WRITES; i++) {
        char *given = files.named[i].path;
        files.named[i].path = cli_row_path(cli, row, given);
        free(given);
    }
    if (flag == SHOAL_OPTION_READS && cli->common.config)
        add(&files, "config", cli_strdup(cli->common.config));
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

/* Pipes and devices are no matter: nothing in them is replaced. */
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

/* A checkpoint is read whole before it is replaced. */
static bool may_be_same(const struct named *written, const struct named *other)
{
    return strcmp(written->option, "checkpoint") == 0 && strcmp(other->option, "resume") == 0;
}

static int compare(const struct named *written, const struct named *others, size_t count, const char *does)
{
    for (size_t i = 0; i < count; i++)
        if (!may_be_same(written, &others[i]) && are_same(written->path, others[i].path))
            return cli_error(CLI_USAGE, "--%s: %s is the file that --%s %s: write to another one",
                             written->option, written->path, others[i].option, does);
    return CLI_OK;
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
