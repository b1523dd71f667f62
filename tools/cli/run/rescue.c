#include "cli/run/rescue.h"

#include "base/file.h"
#include "cli/output/message.h"
#include "cli/output/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Returns the extension of a name, together with ".gz" if the file is packed: ".csv.gz"; "": the name has no
 * extension. */
static const char *ending_of(const char *path)
{
    const char *name = file_base_name(path), *end = strrchr(name, '.');
    const char *const packed = end && strcmp(end, ".gz") == 0 ? end : NULL;
    for (const char *c = packed; c && c > name; c--)
        if (c < packed && *c == '.')
            return c;
    return end ? end : "";
}

/* Path for a new file NAME.rescued or NAME.N.rescued in the folder; NULL: all these files exist. */
static char *free_name(const char *folder, const char *name)
{
    enum { MOST = 1000 };
    for (int i = 1; i < MOST; i++) {
        char *path = i == 1 ? cli_sprintf("%s%s.rescued", folder, name)
                            : cli_sprintf("%s%s.%d.rescued", folder, name, i);
        if (!exists(path))
            return path;
        free(path);
    }
    return NULL;
}

/* Writes to `path` with the extension of the format added, by which the writer finds the format, then renames
 * the file to `path`. */
static bool write_as(const char *path, const char *ending, run_writer *write, void *data)
{
    struct shoal_error error = {0};
    char *named = cli_sprintf("%s%s", path, ending);
    const bool written = !exists(named) && write(data, named, &error) == SHOAL_OK && rename(named, path) == 0;
    free(named);
    return written;
}

char *run_rescue(const char *path, const char *ending, run_writer *write, void *data)
{
    const char *name = file_base_name(path), *temporary = getenv("TMPDIR");
    char *folders[] = {cli_sprintf("%.*s", (int)(name - path), path), cli_strdup(""),
                       cli_sprintf("%s/", temporary && *temporary ? temporary : "/tmp")};
    char *found = NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *rescued = found ? NULL : free_name(folders[i], name);
        if (rescued && write_as(rescued, ending ? ending : ending_of(path), write, data))
            found = rescued;
        else
            free(rescued);
        free(folders[i]);
    }
    return found;
}

int run_write(const char *option, const char *path, run_writer *write, void *data)
{
    struct shoal_error error = {0};
    if (write(data, path, &error) == SHOAL_OK)
        return CLI_OK;
    char *rescued = error.status == SHOAL_IO ? run_rescue(path, NULL, write, data) : NULL;
    const int code =
        rescued ? cli_error(CLI_FAILURE, "%s: %s; it was written to %s", option, error.message, rescued)
                : cli_fail(option, &error);
    free(rescued);
    return code;
}

struct bytes {
    const void *data;
    size_t size;
};

static enum shoal_status write_bytes(void *data, const char *path, struct shoal_error *error)
{
    const struct bytes *bytes = data;
    return cli_write_file(path, bytes->data, bytes->size, error);
}

int run_write_bytes(const char *option, const char *path, const void *bytes, size_t size)
{
    struct bytes whole = {bytes, size};
    return run_write(option, path, write_bytes, &whole);
}
