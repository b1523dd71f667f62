#include "workload/checkpoint/saved_files.h"

#include "base/error.h"
#include "base/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char section_name[] = "files";

static bool hash_blocks(int file, uint64_t *hash)
{
    enum { BLOCK = 1 << 20 };
    char *block = malloc(BLOCK);
    XXH3_state_t state;
    ssize_t got = -1;
    XXH3_64bits_reset(&state);
    while (block && (got = read(file, block, BLOCK)) > 0)
        XXH3_64bits_update(&state, block, (size_t)got);
    *hash = XXH3_64bits_digest(&state);
    free(block);
    return got == 0;
}

bool file_hash(const char *path, uint64_t *hash)
{
    long part;
    char *name = input_split_part(path, &part);
    const int file = name ? input_open(name) : -1;
    const bool good = file >= 0 && hash_blocks(file, hash);
    if (good && part >= 0) {
        const uint64_t both[] = {*hash, (uint64_t)part};
        *hash = XXH3_64bits(both, sizeof both);
    }
    if (file >= 0)
        close(file);
    free(name);
    return good;
}

enum shoal_status saved_files_take(const struct shoal_workload *workload, const void *params,
                                   struct text *section, struct shoal_error *error)
{
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        const char *path;
        uint64_t hash;
        if (!(option->flags & SHOAL_OPTION_READS))
            continue;
        memcpy(&path, (const char *)params + option->offset, sizeof path);
        if (!path || !file_hash(path, &hash))
            continue;
        text_append(section, option->name, strlen(option->name) + 1);
        text_append(section, (const char *)&hash, sizeof hash);
    }
    return section->failed ? fail_host_memory(error) : SHOAL_OK;
}

void saved_files_add(const struct text *section, struct checkpoint *checkpoint)
{
    if (section->length)
        checkpoint_add(checkpoint, section_name, section->data, section->length);
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
