#include "workload/checkpoint/saved_files.h"

#include "base/error.h"
#include "base/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char section_name[] = "files";

static int hash_blocks(int file, uint64_t *hash)
{
    char block[65536];
    XXH3_state_t state;
    ssize_t got;
    XXH3_64bits_reset(&state);
    while ((got = read(file, block, sizeof block)) > 0 || (got < 0 && errno == EINTR))
        XXH3_64bits_update(&state, block, got > 0 ? (size_t)got : 0);
    *hash = XXH3_64bits_digest(&state);
    return got == 0 ? 0 : errno;
}

int file_hash(const char *path, uint64_t *hash)
{
    long part;
    char *name = input_split_part(path, &part);
    if (!name)
        return ENOMEM;
    const int file = input_open(name);
    const int code = file < 0 ? errno : hash_blocks(file, hash);
    if (!code && part >= 0) {
        const uint64_t both[] = {*hash, (uint64_t)part};
        *hash = XXH3_64bits(both, sizeof both);
    }
    if (file >= 0)
        close(file);
    free(name);
    return code;
}

/* Whether the error code of opening a path shows that the path names no file. Options that name files may
 * also hold other values, such as a list of numbers. */
static bool is_no_file(int code)
{
    return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG || code == EISDIR ||
           code == INPUT_NOT_REGULAR;
}

enum shoal_status saved_files_take(const struct shoal_workload *workload, const void *params,
                                   struct saved_files *files, struct shoal_error *error)
{
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        const char *path;
        uint64_t hash;
        if (!(option->flags & SHOAL_OPTION_READS))
            continue;
        memcpy(&path, (const char *)params + option->offset, sizeof path);
        const int code = path ? file_hash(path, &hash) : ENOENT;
        if (!code) {
            text_append(&files->hashes, option->name, strlen(option->name) + 1);
            text_append(&files->hashes, (const char *)&hash, sizeof hash);
        } else if (!is_no_file(code) && !files->fault.length) {
            text_printf(&files->fault, "--%s %s cannot be read: %s", option->name, path, input_reason(code));
        }
    }
    return files->hashes.failed || files->fault.failed ? fail_host_memory(error) : SHOAL_OK;
}

void saved_files_free(struct saved_files *files)
{
    text_free(&files->hashes);
    text_free(&files->fault);
}

void saved_files_add(const struct saved_files *files, struct checkpoint *checkpoint)
{
    if (files->hashes.length)
        checkpoint_add(checkpoint, section_name, files->hashes.data, files->hashes.length);
}

enum shoal_status saved_files_check(const struct saved_files *files, struct shoal_error *error)
{
    if (!files->fault.length)
        return SHOAL_OK;
    return fail(error, SHOAL_IO,
                "no checkpoint is written, since the content that it depends on is not known: %s",
                files->fault.data);
}

bool saved_files_find(const struct checkpoint *checkpoint, const char *option, uint64_t *hash)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, section_name);
    const char *at = section ? section->data : NULL;
    size_t left = section ? section->bytes : 0;
    while (left > 0) {
        const char *end = memchr(at, 0, left);
        const size_t bytes = end ? (size_t)(end - at) + 1 + sizeof *hash : SIZE_MAX;
        if (bytes > left)
            return false;
        memcpy(hash, end + 1, sizeof *hash);
        if (strcmp(at, option) == 0)
            return true;
        at += bytes;
        left -= bytes;
    }
    return false;
}
