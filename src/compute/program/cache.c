#include "compute/program/cache.h"
#include "compute/log.h"

#include "base/file.h"
#include "base/input.h"
#include "base/params.h"

#define XXH_INLINE_ALL
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* Version of the cache, to be raised when the layout of entries or the compiler options of a backend change,
 * since these are not part of the key. */
enum { FORMAT_VERSION = 2 };

static const char suffix[] = ".bin";

/* The header of an entry, in native byte order: a file is read on the machine that has written it. */
struct header {
    char magic[8];
    uint64_t version, bytes, checksum;
    char key[CACHE_KEY_LENGTH - 1]; /* the same key as in the file name, or else the entry is not used */
};

static const char magic[8] = "shoalbin";

char *cache_default_dir(const char *wanted)
{
    if (wanted)
        return *wanted ? strdup(wanted) : NULL;
    const char *dir = getenv("SHOAL_CACHE_DIR");
    if (dir)
        return *dir ? strdup(dir) : NULL;
    struct text path = {0};
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && *base == '/')
        text_printf(&path, "%s/shoal", base);
    else if (home && *home == '/')
        text_printf(&path, "%s/.cache/shoal", home);
    return path.data;
}

static void hash_string(XXH3_state_t *state, const char *string)
{
    /* The NUL at the end is hashed, too, so that two successive texts cannot be confused with two others. */
    XXH3_128bits_update(state, string, strlen(string) + 1);
}

void cache_key(const struct shoal_device *device, const struct build_input *input, char key[CACHE_KEY_LENGTH])
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    char numbers[112];
    snprintf(numbers, sizeof numbers,
             "format %d, strict %d, contraction %d, flush %d, native %d, architecture %u", FORMAT_VERSION,
             input->strict_fp, !input->without_contraction, input->flush_subnormals, input->native,
             device->info.architecture);
    hash_string(&state, numbers);
    hash_string(&state, device->info.backend);
    hash_string(&state, device->info.platform);
    hash_string(&state, device->info.name);
    hash_string(&state, device->info.driver);
    hash_string(&state, device->info.compiler);
    if (device_prelude(device) && !input->native)
        hash_string(&state, device_prelude(device));
    for (size_t i = 0; i < input->define_count; i++)
        hash_string(&state, input->defines[i]);
    hash_string(&state, input->name);
    hash_string(&state, input->text);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    snprintf(key, CACHE_KEY_LENGTH, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

static void warn_once(struct shoal *shoal, const char *what, const char *path, const char *reason)
{
    if (!atomic_exchange(&shoal->cache_warned, true))
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "kernel cache: %s %s: %s; kernels are built again (--cache-dir or --no-cache)", what, path,
                  reason);
}

static char *entry_path(const struct shoal *shoal, const char *key)
{
    struct text path = {0};
    text_printf(&path, "%s/%s%s", shoal->cache_dir, key, suffix);
    if (path.failed)
        text_free(&path);
    return path.data;
}

const void *cache_parse(const void *file, size_t file_bytes, const char *key, size_t *bytes)
{
    struct header header;
    if (file_bytes < sizeof header)
        return NULL;
    memcpy(&header, file, sizeof header);
    const char *payload = (const char *)file + sizeof header;
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.version != FORMAT_VERSION ||
        strlen(key) != sizeof header.key || memcmp(header.key, key, sizeof header.key) != 0 ||
        header.bytes != file_bytes - sizeof header || header.checksum != XXH3_64bits(payload, header.bytes))
        return NULL;
    *bytes = header.bytes;
    return payload;
}

static void drop(struct shoal *shoal, const char *path, const char *reason)
{
    warn_once(shoal, "removed the entry", path, reason);
    unlink(path);
}

int cache_open_folder(struct shoal *shoal, bool make)
{
    if (!shoal->cache_dir)
        return -1;
    if (make && !make_folders(shoal->cache_dir)) {
        warn_once(shoal, "cannot write", shoal->cache_dir, strerror(errno));
        return -1;
    }
    const int folder = open(shoal->cache_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        if (make || (errno != ENOENT && errno != ENOTDIR))
            warn_once(shoal, "cannot open", shoal->cache_dir, strerror(errno));
        return -1;
    }
    const char *reason = file_distrust(folder, true);
    if (!reason)
        return folder;
    warn_once(shoal, "refused the folder", shoal->cache_dir, reason);
    close(folder);
    return -1;
}

/* Opens an entry. -1: there is none, or it was not usable and was removed with a warning. */
static int open_entry(struct shoal *shoal, int folder, const char *path)
{
    const int file = openat(folder, strrchr(path, '/') + 1, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const char *reason = file < 0 ? strerror(errno) : file_distrust(file, false);
    if (file < 0) {
        /* The entry may be valid if only this process lacks resources. */
        if (errno == EMFILE || errno == ENFILE)
            warn_once(shoal, "cannot read", path, reason);
        else if (errno != ENOENT)
            drop(shoal, path, reason);
    } else if (reason) {
        drop(shoal, path, reason);
        close(file);
        return -1;
    }
    return file;
}

void *cache_read(struct shoal *shoal, const char *key, size_t *bytes)
{
    const int folder = cache_open_folder(shoal, false);
    char *path = folder >= 0 ? entry_path(shoal, key) : NULL;
    const int entry = path ? open_entry(shoal, folder, path) : -1;
    size_t file_bytes = 0;
    char *file = entry >= 0 ? input_read_open(entry, INPUT_DATA_MOST, &file_bytes) : NULL;
    if (file) {
        const void *payload = cache_parse(file, file_bytes, key, bytes);
        if (payload) {
            memmove(file, payload, *bytes);
        } else {
            drop(shoal, path, "it is damaged, or of other code");
            free(file);
            file = NULL;
        }
    } else if (entry >= 0 && errno == ENOMEM) {
        warn_once(shoal, "cannot read", path, strerror(errno));
    } else if (entry >= 0) {
        drop(shoal, path, strerror(errno));
    }
    if (folder >= 0)
        close(folder);
    free(path);
    return file;
}

void cache_write(struct shoal *shoal, const char *key, const void *data, size_t bytes)
{
    const int folder = cache_open_folder(shoal, true);
    char *path = folder >= 0 ? entry_path(shoal, key) : NULL;
    if (folder >= 0)
        close(folder);
    if (!path)
        return;
    struct header header = {.version = FORMAT_VERSION, .bytes = bytes, .checksum = XXH3_64bits(data, bytes)};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.key, key, sizeof header.key);
    const void *parts[] = {&header, data};
    const size_t sizes[] = {sizeof header, bytes};
    const int code = write_file_atomically(path, FILE_CACHE, parts, sizes, 2);
    if (code)
        warn_once(shoal, "cannot write", path, strerror(code));
    free(path);
}

void cache_reject(struct shoal *shoal, const char *key)
{
    char *path = shoal->cache_dir ? entry_path(shoal, key) : NULL;
    if (path)
        drop(shoal, path, "the driver does not take it");
    free(path);
}

enum file_kind { NOT_OURS, ENTRY, TEMPORARY };

static enum file_kind kind_of(const char *name)
{
    if (strspn(name, "0123456789abcdef") != CACHE_KEY_LENGTH - 1)
        return NOT_OURS;
    const char *end = name + CACHE_KEY_LENGTH - 1;
    if (strncmp(end, suffix, sizeof suffix - 1) != 0)
        return NOT_OURS;
    end += sizeof suffix - 1;
    if (!*end)
        return ENTRY;
    return *end == '.' && strlen(end) == sizeof ".XXXXXX" - 1 ? TEMPORARY : NOT_OURS;
}

/* Counts the entries and their bytes. If `removal` is set, removes these entries, and the temporary files of
 * writers. Returns 0 or errno. */
static int visit_entries(const char *dir, bool removal, uint64_t *entries, uint64_t *bytes)
{
    *entries = *bytes = 0;
    DIR *folder = opendir(dir);
    if (!folder)
        return errno == ENOENT ? 0 : errno;
    int code = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat info;
        enum file_kind kind = kind_of(entry->d_name);
        if (kind == TEMPORARY && removal)
            unlinkat(dirfd(folder), entry->d_name, 0);
        if (kind != ENTRY || fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (removal && unlinkat(dirfd(folder), entry->d_name, 0) != 0) {
            code = errno;
            continue;
        }
        ++*entries;
        *bytes += (uint64_t)info.st_size;
    }
    closedir(folder);
    return code;
}

enum shoal_status shoal_cache_get_info(struct shoal *shoal, struct shoal_cache_info *info,
                                       struct shoal_error *error)
{
    if (!NEED(error, shoal, info))
        return SHOAL_INVALID;
    struct shoal_cache_info found = {.size = sizeof found};
    enum shoal_status status = RESULT_CHECK(info, bytes, error);
    if (status)
        return status;
    if (shoal->cache_dir)
        snprintf(found.path, sizeof found.path, "%s", shoal->cache_dir);
    int code = shoal->cache_dir ? visit_entries(shoal->cache_dir, false, &found.entries, &found.bytes) : 0;
    RESULT_GIVE(&found, bytes, info);
    return code ? fail_call(error, SHOAL_IO, "readdir", code, "cannot read the cache folder %s: %s",
                            shoal->cache_dir, strerror(code))
                : SHOAL_OK;
}

enum shoal_status shoal_cache_clear(struct shoal *shoal, uint64_t *removed, struct shoal_error *error)
{
    if (!NEED(error, shoal))
        return SHOAL_INVALID;
    uint64_t entries = 0, bytes = 0;
    int code = shoal->cache_dir ? visit_entries(shoal->cache_dir, true, &entries, &bytes) : 0;
    if (removed)
        *removed = entries;
    return code ? fail_call(error, SHOAL_IO, "unlink", code, "cannot clear the cache folder %s: %s",
                            shoal->cache_dir, strerror(code))
                : SHOAL_OK;
}
