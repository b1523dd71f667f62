#include "base/file.h"

#include "base/packed/pack.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
    bool exists = false;
    if (slash && slash != parent) {
        *slash = '\0';
        exists = make_folders(parent) && (mkdir(path, 0700) == 0 || errno == EEXIST);
    }
    free(parent);
    return exists;
}

int write_fully(int file, const char *data, size_t bytes)
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

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The path to which the link `path` leads; a relative path starts in the folder of the link. NULL: errno is
 * set. */
static char *follow(const char *path)
{
    char *name = malloc(PATH_MAX);
    const ssize_t length = name ? readlink(path, name, PATH_MAX) : -1;
    const char *slash = strrchr(path, '/');
    struct text target = {0};
    if (length > 0) {
        if (slash && *name != '/')
            text_append(&target, path, (size_t)(slash + 1 - path));
        text_append(&target, name, (size_t)length);
    }
    const int code = !name || target.failed ? ENOMEM : errno;
    free(name);
    if (target.failed)
        text_free(&target);
    errno = code;
    return target.data;
}

char *file_target(const char *path)
{
    enum { MOST_LINKS = 40 }; /* the most links that the operating system follows */
    char *target = strdup(path);
    struct stat about;
    if (!target)
        errno = ENOMEM;
    for (int i = 0; target && lstat(target, &about) == 0 && S_ISLNK(about.st_mode); i++) {
        char *next = i < MOST_LINKS ? follow(target) : NULL;
        if (i == MOST_LINKS)
            errno = ELOOP;
        free(target);
        target = next;
    }
    return target;
}

/* Temporary files -------------------------------------------------------------------------------------------
 *
 * A temporary file is named "TARGET.PROCESS-NUMBER.tmp" (the process of the writer, then a hexadecimal
 * number) and locked by flock, also over the network, while its writer lives. The next writer of TARGET
 * removes temporary files that are not locked, unless a process with the process number in the name is alive
 * on this host: another process may have got the number, and the file then stays until that process has
 * ended. The writer's own process number is no reason to keep a file, since processes in containers often
 * have equal numbers. Where the file system has no locks, nothing is removed. */

/* Number of bytes of the target's name that fit into the name of a temporary file, which has at most NAME_MAX
 * bytes. */
static size_t named_bytes(const char *base)
{
    enum { MOST = NAME_MAX - (int)sizeof ".2147483647-ffff.tmp" + 1 };
    const size_t length = strlen(base);
    return length < MOST ? length : MOST;
}

/* Returns the process number in the name of a temporary file of `target`; 0: the name is not the name of such
 * a file. */
static pid_t writer_of(const char *name, const char *target)
{
    const size_t length = named_bytes(target);
    int process = 0, end = 0;
    unsigned number;
    if (strncmp(name, target, length) != 0 || name[length] != '.' || name[length + 1] < '1' ||
        name[length + 1] > '9')
        return 0;
    const bool is_one = sscanf(name + length, ".%9d-%4x.tmp%n", &process, &number, &end) == 2 && end &&
                        !name[length + (size_t)end];
    return is_one ? process : 0;
}

static void remove_left(int folder, const char *name, pid_t process)
{
    struct stat opened, named;
    if (process != getpid() && (kill(process, 0) == 0 || errno != ESRCH))
        return;
    const int file = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        unlinkat(folder, name, 0);
    close(file);
}

/* Decides when the names in a folder are read again: a run that writes thousands of files into one folder
 * must not read all names for each file, so a read of n entries serves for n / 64 files. entries 0: returns
 * whether the names must be read now. entries > 0: notes that a read has found this many entries. */
static bool is_due(const struct stat *folder, size_t entries)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        dev_t device;
        ino_t inode;
        size_t paid;
    } last;
    pthread_mutex_lock(&lock);
    const bool is_same = last.device == folder->st_dev && last.inode == folder->st_ino;
    const bool due = entries || !is_same || !last.paid;
    if (entries || !is_same) {
        last.device = folder->st_dev;
        last.inode = folder->st_ino;
        last.paid = entries / 64;
    } else if (last.paid) {
        last.paid--;
    }
    pthread_mutex_unlock(&lock);
    return due;
}

/* Removes temporary files of `target` whose writers have ended. */
static void remove_all_left(const char *target)
{
    const char *base = file_base_name(target);
    char *path = base == target ? strdup(".") : strndup(target, (size_t)(base - target));
    DIR *folder = path ? opendir(path) : NULL;
    struct stat about;
    size_t entries = 0;
    free(path);
    if (!folder)
        return;
    if (fstat(dirfd(folder), &about) == 0 && is_due(&about, 0)) {
        for (const struct dirent *entry; (entry = readdir(folder)); entries++) {
            const pid_t process = writer_of(entry->d_name, base);
            if (process)
                remove_left(dirfd(folder), entry->d_name, process);
        }
        is_due(&about, entries);
    }
    closedir(folder);
}

/* Locks a new temporary file. False: another writer has taken the file for an abandoned file and removed
 * it. */
static bool take_lock(int file)
{
    struct stat about;
    const bool is_taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    return !is_taken && (fstat(file, &about) != 0 || about.st_nlink > 0);
}

/* Creates a temporary file with `mode` less the umask; false: errno has the reason. */
static bool open_beside(struct file_writer *writer, mode_t mode)
{
    enum { ATTEMPTS = 100 };
    static atomic_uint writers;
    const char *base = file_base_name(writer->target);
    const int length = (int)((size_t)(base - writer->target) + named_bytes(base));
    errno = ENAMETOOLONG; /* an error at once: otherwise only the rename at the end would fail */
    if (strlen(base) > NAME_MAX)
        return false;
    for (int i = 0; i < ATTEMPTS; i++) {
        struct text name = {0};
        text_printf(&name, "%.*s.%d-%04x.tmp", length, writer->target, (int)getpid(),
                    atomic_fetch_add(&writers, 1) & 0xffffu);
        if (name.failed) {
            text_free(&name);
            errno = ENOMEM;
            return false;
        }
        writer->file = open(name.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        const int code = errno;
        if (writer->file >= 0 && take_lock(writer->file)) {
            writer->temporary = name.data;
            return true;
        }
        text_free(&name);
        if (writer->file >= 0)
            close(writer->file);
        else if (code != EEXIST)
            break;
        writer->file = -1;
        errno = code;
    }
    return false;
}

int file_writer_open(struct file_writer *writer, const char *path, enum file_purpose purpose)
{
    *writer = (struct file_writer){.path = path, .purpose = purpose, .file = -1};
    struct stat before;
    bool opened = false;
    writer->target = file_target(path);
    if (!writer->target)
        return writer->code = errno;
    const bool exists = stat(writer->target, &before) == 0;
    /* A rename cannot replace a pipe or a device, so these are written directly. */
    if (exists && !S_ISREG(before.st_mode)) {
        writer->file = open(path, O_WRONLY | O_CLOEXEC);
        opened = writer->file >= 0;
    } else {
        remove_all_left(writer->target);
        opened = open_beside(writer, purpose == FILE_CACHE ? 0600 : 0666);
        if (opened && exists && purpose == FILE_OF_USER)
            opened = fchmod(writer->file, before.st_mode & 0777) == 0;
    }
    return writer->code = opened ? 0 : errno;
}

double file_writer_room(const struct file_writer *writer)
{
    struct statvfs system;
    const bool known =
        writer->temporary && writer->file >= 0 && fstatvfs(writer->file, &system) == 0 && system.f_blocks > 0;
    return known ? (double)system.f_bavail * (double)system.f_frsize : INFINITY;
}

int file_writer_pack(struct file_writer *writer)
{
    if (!writer->code && !(writer->packer = packer_create()))
        writer->code = ENOMEM;
    return writer->code;
}

static int add_packed(struct file_writer *writer, const void *data, size_t bytes, enum pack_until until)
{
    struct text packed = {0};
    const bool good = packer_add(writer->packer, data, bytes, until, &packed);
    const int code = good ? write_fully(writer->file, packed.data, packed.length) : ENOMEM;
    text_free(&packed);
    return code;
}

int file_writer_add(struct file_writer *writer, const void *data, size_t bytes)
{
    if (!writer->code)
        writer->code = writer->packer ? add_packed(writer, data, bytes, PACK_MORE)
                                      : write_fully(writer->file, data, bytes);
    return writer->code;
}

bool file_writer_has_places(const struct file_writer *writer)
{
    return writer->temporary && !writer->packer;
}

int file_writer_put(struct file_writer *writer, uint64_t place, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes && !writer->code) {
        const ssize_t count = pwrite(writer->file, at, bytes, (off_t)place);
        if (count < 0 && errno != EINTR)
            writer->code = errno;
        if (count <= 0)
            continue;
        at += count;
        place += (uint64_t)count;
        bytes -= (size_t)count;
    }
    return writer->code;
}

int file_writer_get(struct file_writer *writer, uint64_t place, void *data, size_t bytes)
{
    char *at = data;
    while (bytes && !writer->code) {
        const ssize_t count = pread(writer->file, at, bytes, (off_t)place);
        if (count == 0 || (count < 0 && errno != EINTR))
            writer->code = count ? errno : EIO;
        if (count <= 0)
            continue;
        at += count;
        place += (uint64_t)count;
        bytes -= (size_t)count;
    }
    return writer->code;
}

int file_writer_skip(struct file_writer *writer, uint64_t bytes)
{
    if (!writer->code && lseek(writer->file, (off_t)bytes, SEEK_CUR) < 0)
        writer->code = errno;
    return writer->code;
}

/* Flushes the folder, which makes a rename survive a loss of power. Errors are ignored where the file system
 * cannot flush folders or the folder may not be read. */
static int flush_folder(const char *path)
{
    char *folder = strdup(path);
    if (!folder)
        return ENOMEM;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    const int file = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (file < 0)
        return 0;
    const int code = fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    close(file);
    return code;
}

int file_writer_close(struct file_writer *writer, bool keep)
{
    if (keep && writer->packer && !writer->code)
        writer->code = add_packed(writer, NULL, 0, PACK_END);
    packer_destroy(&writer->packer);
    const bool renames = keep && writer->temporary;
    const bool lasts = renames && writer->purpose == FILE_OF_USER;
    if (writer->file >= 0) {
        if (lasts && !writer->code && fsync(writer->file) != 0)
            writer->code = errno;
        /* Closing may fail, so the file is closed before the rename; a second descriptor keeps the lock until
         * after the rename. */
        const int lock = writer->temporary ? fcntl(writer->file, F_DUPFD_CLOEXEC, 0) : -1;
        if (close(writer->file) != 0 && !writer->code)
            writer->code = errno;
        const bool renamed = renames && !writer->code && rename(writer->temporary, writer->target) == 0;
        if (renames && !writer->code && !renamed)
            writer->code = errno;
        if (writer->temporary && !renamed)
            unlink(writer->temporary);
        if (lock >= 0)
            close(lock);
        if (lasts && renamed)
            writer->code = flush_folder(writer->target);
    }
    free(writer->temporary);
    free(writer->target);
    writer->temporary = writer->target = NULL;
    writer->file = -1;
    return writer->code;
}

int write_file_atomically(const char *path, enum file_purpose purpose, const void *const *parts,
                          const size_t *sizes, size_t count)
{
    struct file_writer writer;
    file_writer_open(&writer, path, purpose);
    for (size_t i = 0; i < count; i++)
        file_writer_add(&writer, parts[i], sizes[i]);
    return file_writer_close(&writer, true);
}

const char *file_distrust(int file, bool folder)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return strerror(errno);
    if (!(folder ? S_ISDIR(info.st_mode) : S_ISREG(info.st_mode)))
        return folder ? "it is no folder" : "it is no regular file";
    if (info.st_uid != geteuid())
        return "it belongs to another user";
    return info.st_mode & (S_IWGRP | S_IWOTH) ? "other users can write to it" : NULL;
}
