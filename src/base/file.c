#include "base/file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

int file_writer_open(struct file_writer *writer, const char *path)
{
    *writer = (struct file_writer){.path = path, .file = -1};
    /* A pipe or a device cannot be replaced by a rename. */
    struct stat target;
    if (stat(path, &target) == 0 && !S_ISREG(target.st_mode)) {
        writer->file = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        struct text temporary = {0};
        text_printf(&temporary, "%s.XXXXXX", path);
        if (temporary.failed) {
            text_free(&temporary);
            return writer->code = ENOMEM;
        }
        writer->temporary = temporary.data;
        writer->file = mkostemp(writer->temporary, O_CLOEXEC);
    }
    return writer->code = writer->file < 0 ? errno : 0;
}

double file_writer_room(const struct file_writer *writer)
{
    struct statvfs system;
    const bool known =
        writer->temporary && writer->file >= 0 && fstatvfs(writer->file, &system) == 0 && system.f_blocks > 0;
    return known ? (double)system.f_bavail * (double)system.f_frsize : INFINITY;
}

int file_writer_add(struct file_writer *writer, const void *data, size_t bytes)
{
    if (!writer->code)
        writer->code = write_fully(writer->file, data, bytes);
    return writer->code;
}

int file_writer_close(struct file_writer *writer, bool keep)
{
    if (writer->file >= 0) {
        if (close(writer->file) != 0 && !writer->code)
            writer->code = errno;
        if (keep && !writer->code && writer->temporary && rename(writer->temporary, writer->path) != 0)
            writer->code = errno;
        if ((writer->code || !keep) && writer->temporary)
            unlink(writer->temporary);
    }
    free(writer->temporary);
    writer->temporary = NULL;
    writer->file = -1;
    return writer->code;
}

int write_file_atomically(const char *path, const void *const *parts, const size_t *sizes, size_t count)
{
    struct file_writer writer;
    file_writer_open(&writer, path);
    for (size_t i = 0; i < count; i++)
        file_writer_add(&writer, parts[i], sizes[i]);
    return file_writer_close(&writer, true);
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
