#include "base/input.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard input ---------------------------------------------------------------------------------------- */

/* Standard input, read once and kept for the life of the process: checks, hashes and every solver read it
 * again. */
static struct {
    pthread_once_t once;
    int file, code;
} standard = {.once = PTHREAD_ONCE_INIT, .file = -1};

static void keep_standard(void)
{
    char part[65536];
    ssize_t got = 1;
    size_t total = 0;
    standard.file = memfd_create("standard input", MFD_CLOEXEC);
    int code = standard.file < 0 ? errno : 0;
    while (!code && got) {
        got = read(STDIN_FILENO, part, sizeof part);
        if (got < 0 && errno != EINTR)
            code = errno;
        total += got > 0 ? (size_t)got : 0;
        if (!code && total > INPUT_STANDARD_MOST)
            code = INPUT_TOO_LARGE;
        if (!code && got > 0)
            code = write_fully(standard.file, part, (size_t)got);
    }
    standard.code = code;
}

/* Opens standard input as a new descriptor that begins at the first byte. */
static int open_standard(void)
{
    char path[32];
    pthread_once(&standard.once, keep_standard);
    errno = standard.code;
    if (standard.code)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", standard.file);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Files ------------------------------------------------------------------------------------------------- */

int input_open(const char *path)
{
    struct stat about;
    if (strcmp(path, "-") == 0)
        return open_standard();
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

char *input_split_part(const char *path, long *part)
{
    const char *colon = strrchr(path, ':');
    char *file = strdup(path);
    *part = -1;
    if (!file || !colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")] || strlen(colon) > 7 ||
        access(path, F_OK) == 0)
        return file;
    file[colon - path] = '\0';
    *part = strtol(colon + 1, NULL, 10);
    return file;
}

const char *input_reason(int code)
{
    return code == INPUT_NOT_REGULAR
               ? "it is a pipe or a device: give a regular file, or - for standard input"
           : code == INPUT_TOO_LARGE ? "it is too large"
                                     : strerror(code);
}

/* Reads to the end of the file, whatever its size: some files of /proc have size 0, and others grow. */
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
