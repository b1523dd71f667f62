#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool make_folders(const char *path)
{
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    if (errno != ENOENT)
        return false;
    char *parent = strdup(path);
    char *slash = parent ? strrchr(parent, '/') : NULL;
    bool made = false;
    if (slash && slash != parent) {
        *slash = '\0';
        made = make_folders(parent) && (mkdir(path, 0700) == 0 || errno == EEXIST);
    }
    free(parent);
    return made;
}

static int write_fully(int file, const char *data, size_t bytes)
{
    while (bytes) {
        ssize_t written = write(file, data, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        data += written;
        bytes -= (size_t)written;
    }
    return 0;
}

int write_file_atomically(const char *path, const void *const *parts, const size_t *sizes, size_t count)
{
    struct text temporary = {0};
    text_printf(&temporary, "%s.XXXXXX", path);
    if (temporary.failed) {
        text_free(&temporary);
        return ENOMEM;
    }
    /* A pipe or a device cannot be replaced by a rename. */
    struct stat target;
    bool direct = stat(path, &target) == 0 && !S_ISREG(target.st_mode);
    int file = direct ? open(path, O_WRONLY | O_CLOEXEC) : mkostemp(temporary.data, O_CLOEXEC);
    int code = file < 0 ? errno : 0;
    if (file >= 0) {
        for (size_t i = 0; i < count && !code; i++)
            code = write_fully(file, parts[i], sizes[i]);
        if (close(file) != 0 && !code)
            code = errno;
        if (!code && !direct && rename(temporary.data, path) != 0)
            code = errno;
        if (code && !direct)
            unlink(temporary.data);
    }
    text_free(&temporary);
    return code;
}

char *read_whole_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    struct text content = {0};
    char block[16384];
    size_t got;
    errno = 0;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        text_append(&content, block, got);
    int code = ferror(file) ? (errno ? errno : EIO) : 0;
    fclose(file);
    text_append(&content, "", 0);
    if (code || content.failed) {
        text_free(&content);
        errno = code ? code : ENOMEM;
        return NULL;
    }
    *bytes = content.length;
    return content.data;
}
