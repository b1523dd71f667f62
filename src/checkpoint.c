#include "checkpoint.h"

#include "base/error.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304, ALIGNMENT = 8 };

static const char magic[8] = {'S', 'H', 'O', 'A', 'L', 'C', 'K', 'P'};
static const char zeros[ALIGNMENT];

struct file_head {
    char magic[8];
    uint32_t version, byte_order;
};

struct section_head {
    char name[CHECKPOINT_NAME];
    uint64_t bytes;
};

static size_t padding(size_t bytes)
{
    return (ALIGNMENT - bytes % ALIGNMENT) % ALIGNMENT;
}

const struct checkpoint_section *checkpoint_find(const struct checkpoint *checkpoint, const char *name)
{
    for (size_t i = 0; i < checkpoint->count; i++)
        if (strcmp(checkpoint->sections[i].name, name) == 0)
            return &checkpoint->sections[i];
    return NULL;
}

void checkpoint_add(struct checkpoint *checkpoint, const char *name, const void *data, size_t bytes)
{
    assert(checkpoint->count < CHECKPOINT_SECTIONS && *name && strlen(name) < CHECKPOINT_NAME &&
           !checkpoint_find(checkpoint, name));
    struct checkpoint_section *section = &checkpoint->sections[checkpoint->count++];
    memset(section->name, 0, sizeof section->name);
    memcpy(section->name, name, strlen(name));
    section->data = data;
    section->bytes = bytes;
}

enum shoal_status checkpoint_write(const struct checkpoint *checkpoint, const char *path,
                                   struct shoal_error *error)
{
    struct file_head head = {.version = VERSION, .byte_order = BYTE_ORDER_MARK};
    memcpy(head.magic, magic, sizeof magic);
    struct section_head heads[CHECKPOINT_SECTIONS + 1] = {0};
    const void *parts[3 * CHECKPOINT_SECTIONS + 3];
    size_t sizes[3 * CHECKPOINT_SECTIONS + 3], count = 0;

    parts[count] = &head;
    sizes[count++] = sizeof head;
    for (size_t i = 0; i <= checkpoint->count; i++) {
        parts[count] = &heads[i];
        sizes[count++] = sizeof heads[i];
        if (i == checkpoint->count)
            break;
        const struct checkpoint_section *section = &checkpoint->sections[i];
        memcpy(heads[i].name, section->name, sizeof heads[i].name);
        heads[i].bytes = section->bytes;
        parts[count] = section->data;
        sizes[count++] = section->bytes;
        parts[count] = zeros;
        sizes[count++] = padding(section->bytes);
    }

    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (size_t i = 0; i < count; i++)
        XXH3_64bits_update(&state, parts[i], sizes[i]);
    uint64_t hash = XXH3_64bits_digest(&state);
    parts[count] = &hash;
    sizes[count++] = sizeof hash;

    int code = write_file_atomically(path, parts, sizes, count);
    if (code == ENOMEM)
        return fail_host_memory(error);
    if (code)
        return fail_call(error, SHOAL_IO, "write", code, "cannot write checkpoint %s: %s", path,
                         strerror(code));
    return SHOAL_OK;
}

static enum shoal_status damaged(const char *path, struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "checkpoint %s is damaged or cut off: use an older one", path);
}

enum shoal_status checkpoint_parse(struct checkpoint *checkpoint, const void *data, size_t bytes,
                                   const char *path, struct shoal_error *error)
{
    checkpoint->path = path;
    checkpoint->count = 0;
    const char *at = data;
    struct file_head head;
    uint64_t hash;
    if (bytes < sizeof magic || memcmp(at, magic, sizeof magic) != 0)
        return fail(error, SHOAL_IO, "%s is not a checkpoint of shoal", path);
    if (bytes < sizeof head + sizeof hash)
        return damaged(path, error);
    memcpy(&head, at, sizeof head);
    if (head.byte_order != BYTE_ORDER_MARK)
        return fail(error, SHOAL_IO, "checkpoint %s was written on a machine of another byte order", path);
    if (head.version != VERSION)
        return fail(error, SHOAL_IO, "checkpoint %s has format %u, this version of shoal reads format %d",
                    path, (unsigned)head.version, VERSION);
    size_t left = bytes - sizeof hash;
    memcpy(&hash, at + left, sizeof hash);
    if (hash != XXH3_64bits(at, left))
        return damaged(path, error);

    at += sizeof head;
    left -= sizeof head;
    for (;;) {
        struct section_head section;
        if (left < sizeof section)
            return damaged(path, error);
        memcpy(&section, at, sizeof section);
        at += sizeof section;
        left -= sizeof section;
        if (!section.name[0])
            return left || section.bytes ? damaged(path, error) : SHOAL_OK;
        if (section.name[CHECKPOINT_NAME - 1] || section.bytes > left ||
            padding((size_t)section.bytes) > left - section.bytes ||
            checkpoint->count == CHECKPOINT_SECTIONS || checkpoint_find(checkpoint, section.name))
            return damaged(path, error);
        checkpoint_add(checkpoint, section.name, at, (size_t)section.bytes);
        size_t step = (size_t)section.bytes + padding((size_t)section.bytes);
        at += step;
        left -= step;
    }
}

enum shoal_status checkpoint_read(struct checkpoint *checkpoint, const char *path, void **file,
                                  struct shoal_error *error)
{
    size_t bytes = 0;
    *file = read_whole_file(path, &bytes);
    if (!*file) {
        int code = errno;
        if (code == ENOMEM)
            return fail_host_memory(error);
        return fail_call(error, SHOAL_IO, "read", code, "cannot read checkpoint %s: %s", path,
                         strerror(code));
    }
    enum shoal_status status = checkpoint_parse(checkpoint, *file, bytes, path, error);
    if (status) {
        free(*file);
        *file = NULL;
    }
    return status;
}

enum shoal_status checkpoint_expect(const struct checkpoint *checkpoint, const char *name, size_t bytes,
                                    const void **data, struct shoal_error *error)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, name);
    if (!section || section->bytes != bytes)
        return fail(error, SHOAL_IO, "checkpoint %s does not hold %zu bytes of \"%s\"", checkpoint->path,
                    bytes, name);
    *data = section->data;
    return SHOAL_OK;
}

enum shoal_status checkpoint_get(const struct checkpoint *checkpoint, const char *name, void *target,
                                 size_t bytes, struct shoal_error *error)
{
    const void *data = NULL;
    enum shoal_status status = checkpoint_expect(checkpoint, name, bytes, &data, error);
    if (!status && bytes)
        memcpy(target, data, bytes);
    return status;
}
