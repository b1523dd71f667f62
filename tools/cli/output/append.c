/* Files written piece by piece during a run. */
#include "cli/output/append.h"

#include "cli/output/message.h"
#include "cli/output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct append_file {
    char *path;
    int fd;
    off_t whole;              /* bytes up to the end of the last whole piece */
    bool seekable, is_output; /* is_output: standard output */
};

enum shoal_status append_open(const char *path, bool keep, struct append_file **out,
                              struct shoal_error *error)
{
    const bool to_stdout = strcmp(path, "-") == 0;
    int fd = to_stdout ? dup(STDOUT_FILENO)
                       : open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (keep ? 0 : O_TRUNC), 0666);
    *out = NULL;
    if (fd < 0)
        return cli_io_failed(error, path, "open", "cannot be written", "");
    struct append_file *file = cli_alloc(sizeof *file);
    file->path = cli_strdup(path);
    file->fd = fd;
    file->whole = to_stdout ? -1 : lseek(fd, 0, SEEK_END);
    file->seekable = file->whole >= 0;
    file->is_output = to_stdout;
    *out = file;
    return SHOAL_OK;
}

enum shoal_status append_write(struct append_file *file, const void *piece, size_t bytes,
                               struct shoal_error *error)
{
    const char *from = piece;
    size_t left = bytes;
    while (left > 0) {
        ssize_t written = write(file->fd, from, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && file->is_output) {
            cli_output_failed(errno);
            return SHOAL_OK; /* the run ends before its next step */
        }
        if (written < 0) {
            int code = errno;
            /* Readers of the file fail on half a frame. */
            bool cut = file->seekable && ftruncate(file->fd, file->whole) == 0;
            errno = code;
            return cli_io_failed(error, file->path, "write", "cannot be written",
                                 cut ? "; the file ends with the last whole piece" : "");
        }
        from += written;
        left -= (size_t)written;
    }
    if (file->seekable)
        file->whole += (off_t)bytes;
    return SHOAL_OK;
}

const char *append_path(const struct append_file *file)
{
    return file->path;
}

enum shoal_status append_cut(struct append_file *file, size_t bytes, struct shoal_error *error)
{
    if (!file->seekable || (off_t)bytes == file->whole)
        return SHOAL_OK;
    if (ftruncate(file->fd, (off_t)bytes) != 0 || lseek(file->fd, 0, SEEK_END) < 0)
        return cli_io_failed(error, file->path, "ftruncate", "cannot be written", "");
    file->whole = (off_t)bytes;
    return SHOAL_OK;
}

bool append_is_empty(const struct append_file *file)
{
    return file->whole <= 0;
}

void append_close(struct append_file **file)
{
    if (!*file)
        return;
    close((*file)->fd);
    free((*file)->path);
    free(*file);
    *file = NULL;
}
