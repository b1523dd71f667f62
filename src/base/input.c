#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int input_open(const char *path)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return -1;
    const int code = fstat(file, &about) != 0  ? errno
                     : S_ISDIR(about.st_mode)  ? EISDIR
                     : !S_ISREG(about.st_mode) ? (int)INPUT_NOT_REGULAR
                                               : 0;
    if (!code)
        return file;
    close(file);
    errno = code;
    return -1;
}

const char *input_reason(int code)
{
    return code == INPUT_NOT_REGULAR ? "it is a pipe or a device: give a regular file"
           : code == INPUT_TOO_LARGE ? "it is too large"
                                     : strerror(code);
}

/* Some files of /proc have no size, and others grow: reads to the end. */
static char *read_to_end(int file, size_t most, size_t *bytes)
{
    size_t room = 0, got = 0;
    char *content = NULL;
    ssize_t more = 1;
    int code = 0;
    while (!code && more) {
        if (got == room) {
            room = room ? 2 * room : 16384;
            char *larger = realloc(content, room + 1);
            if (!larger) {
                code = ENOMEM;
                break;
            }
            content = larger;
        }
        more = read(file, content + got, room - got);
        if (more < 0 && errno != EINTR)
            code = errno;
        got += more > 0 ? (size_t)more : 0;
        if (got > most)
            code = INPUT_TOO_LARGE;
    }
    if (code) {
        free(content);
        errno = code;
        return NULL;
    }
    content[got] = '\0';
    *bytes = got;
    return content;
}

char *input_read_open(int file, size_t most, size_t *bytes)
{
    char *content = read_to_end(file, most, bytes);
    const int code = errno;
    close(file);
    errno = code;
    return content;
}

char *input_read(const char *path, size_t most, size_t *bytes)
{
    const int file = input_open(path);
    return file < 0 ? NULL : input_read_open(file, most, bytes);
}
