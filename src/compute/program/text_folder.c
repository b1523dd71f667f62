#include "compute/program/text_folder.h"
#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "shoal-text-";

char *text_folder_file(const struct text_folder *folder, const char *name)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", folder->path, name);
    if (path.failed)
        text_free(&path);
    return path.data;
}

/* Removes the files in the folder that is open as `file`, which stays open. */
static void empty(int file)
{
    const int copy = openat(file, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
    if (!folder) {
        if (copy >= 0)
            close(copy);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder));)
        unlinkat(file, entry->d_name, 0);
    closedir(folder);
}

/* Removes the folders in `parent` on which no process holds a lock. */
static void remove_abandoned(const char *parent)
{
    DIR *folder = opendir(parent);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat about;
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        const int file =
            openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0)
            continue;
        if (fstat(file, &about) == 0 && about.st_uid == geteuid() && flock(file, LOCK_EX | LOCK_NB) == 0) {
            empty(file);
            unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
        }
        close(file);
    }
    closedir(folder);
}

/* Locks the folder. False: another process has taken it for an abandoned folder and removed it. */
static bool lock(struct text_folder *folder)
{
    struct stat held, there;
    folder->lock = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->lock < 0)
        return errno != ENOENT;
    /* on a file system without locks this fails for every process, so no other process gets a lock either */
    while (flock(folder->lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    if (fstat(folder->lock, &held) == 0 && stat(folder->path, &there) == 0 && held.st_ino == there.st_ino)
        return true;
    close(folder->lock);
    folder->lock = -1;
    return false;
}

/* Checks that the folder has space for machine code, since compilers do not always report a lack of space,
 * and that code in the folder may be executed. Returns 0 or errno. */
static int check_use(const struct text_folder *folder)
{
    enum { ROOM = 1 << 20 };
    const int file = openat(folder->lock, "room", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    int code = posix_fallocate(file, 0, ROOM);
    if (code == EINVAL || code == EOPNOTSUPP) /* the file system cannot reserve space */
        code = ftruncate(file, ROOM) == 0 ? 0 : errno;
    if (!code) {
        void *mapped = mmap(NULL, ROOM, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
        code = mapped == MAP_FAILED ? errno : 0;
        if (!code)
            munmap(mapped, ROOM);
    }
    close(file);
    unlinkat(folder->lock, "room", 0);
    return code;
}

int text_folder_create(const char *parent, struct text_folder *folder)
{
    enum { ATTEMPTS = 10 };
    *folder = (struct text_folder){.lock = -1};
    if (!make_folders(parent))
        return errno;
    remove_abandoned(parent);
    for (int i = 0; i < ATTEMPTS; i++) {
        struct text path = {0};
        text_printf(&path, "%s/%sXXXXXX", parent, prefix);
        if (path.failed) {
            text_free(&path);
            return ENOMEM;
        }
        folder->path = path.data;
        if (!mkdtemp(folder->path)) {
            const int code = errno;
            text_free(&path);
            folder->path = NULL;
            return code;
        }
        if (lock(folder)) {
            const int code = folder->lock < 0 ? errno : check_use(folder);
            if (code)
                text_folder_remove(folder);
            return code;
        }
        text_free(&path);
        folder->path = NULL;
    }
    return EEXIST;
}

void text_folder_remove(struct text_folder *folder)
{
    enum { ATTEMPTS = 100 };
    const struct timespec pause = {.tv_nsec = 1000000};
    if (!folder->path)
        return;
    /* A compiler that was ended may still write files for a moment. */
    for (int i = 0; i < ATTEMPTS; i++) {
        if (folder->lock >= 0)
            empty(folder->lock);
        if (rmdir(folder->path) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
            break;
        nanosleep(&pause, NULL);
    }
    if (folder->lock >= 0)
        close(folder->lock);
    free(folder->path);
    *folder = (struct text_folder){.lock = -1};
}
