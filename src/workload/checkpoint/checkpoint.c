#include "workload/checkpoint/checkpoint.h"

#include "base/error.h"
#include "base/file.h"
#include "base/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool checkpoint_holds(const struct checkpoint *checkpoint, const char *name, const char *text)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, name);
    return section && section->bytes == strlen(text) && memcmp(section->data, text, section->bytes) == 0;
}

/* Returns NULL where there is no room for the section. */
static struct checkpoint_section *add(struct checkpoint *checkpoint, const char *name, const void *data,
                                      size_t bytes)
{
    if (checkpoint->count == CHECKPOINT_SECTIONS || !*name || strlen(name) >= CHECKPOINT_NAME ||
        checkpoint_find(checkpoint, name)) {
        checkpoint->is_short_of_room = true;
        snprintf(checkpoint->refused, sizeof checkpoint->refused, "%.*s", CHECKPOINT_NAME - 1, name);
        return NULL;
    }
    struct checkpoint_section *section = &checkpoint->sections[checkpoint->count++];
    *section = (struct checkpoint_section){.data = data, .bytes = bytes};
    memcpy(section->name, name, strlen(name));
    return section;
}

void checkpoint_add(struct checkpoint *checkpoint, const char *name, const void *data, size_t bytes)
{
    add(checkpoint, name, data, bytes);
}

void checkpoint_add_copy(struct checkpoint *checkpoint, const char *name, void *data, size_t bytes)
{
    struct checkpoint_section *section = add(checkpoint, name, data, bytes);
    if (section)
        section->owned = data;
    else
        free(data);
}

void checkpoint_clear(struct checkpoint *checkpoint)
{
    for (size_t i = 0; i < checkpoint->count; i++)
        free(checkpoint->sections[i].owned);
    checkpoint->count = 0;
}

static enum shoal_status check_room(const struct checkpoint *checkpoint, struct shoal_error *error)
{
    if (!checkpoint->is_short_of_room)
        return SHOAL_OK;
    return fail(
        error, SHOAL_FAILED,
        "a checkpoint has room for %d sections of different names of 1 to %d characters: not for \"%s\"",
        CHECKPOINT_SECTIONS, CHECKPOINT_NAME - 1, checkpoint->refused);
}

enum { PARTS = 3 * CHECKPOINT_SECTIONS + 3 };

/* A file in pieces; contents of sections stay where they are. */
struct layout {
    struct file_head head;
    struct section_head heads[CHECKPOINT_SECTIONS + 1];
    uint64_t hash;
    const void *parts[PARTS];
    size_t sizes[PARTS], count;
};

static void add_part(struct layout *layout, const void *part, size_t size)
{
    layout->parts[layout->count] = part;
    layout->sizes[layout->count++] = size;
}

static void lay_out(const struct checkpoint *checkpoint, struct layout *layout)
{
    *layout = (struct layout){.head = {.version = VERSION, .byte_order = BYTE_ORDER_MARK}};
    memcpy(layout->head.magic, magic, sizeof magic);
    add_part(layout, &layout->head, sizeof layout->head);
    for (size_t i = 0; i < checkpoint->count; i++) {
        const struct checkpoint_section *section = &checkpoint->sections[i];
        memcpy(layout->heads[i].name, section->name, sizeof layout->heads[i].name);
        layout->heads[i].bytes = section->bytes;
        add_part(layout, &layout->heads[i], sizeof layout->heads[i]);
        add_part(layout, section->data, section->bytes);
        add_part(layout, zeros, padding(section->bytes));
    }
    add_part(layout, &layout->heads[checkpoint->count], sizeof *layout->heads);
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (size_t i = 0; i < layout->count; i++)
        XXH3_64bits_update(&state, layout->parts[i], layout->sizes[i]);
    layout->hash = XXH3_64bits_digest(&state);
    add_part(layout, &layout->hash, sizeof layout->hash);
}

enum shoal_status checkpoint_write(const struct checkpoint *checkpoint, const char *path,
                                   struct shoal_error *error)
{
    struct layout layout;
    enum shoal_status status = check_room(checkpoint, error);
    if (status)
        return status;
    lay_out(checkpoint, &layout);
    int code = write_file_atomically(path, FILE_OF_USER, layout.parts, layout.sizes, layout.count);
    if (code == ENOMEM)
        return fail_host_memory(error);
    if (code)
        return fail_call(error, SHOAL_IO, "write", code, "cannot write checkpoint %s: %s", path,
                         strerror(code));
    return SHOAL_OK;
}

enum shoal_status checkpoint_to_memory(const struct checkpoint *checkpoint, void **bytes, size_t *size,
                                       struct shoal_error *error)
{
    struct layout layout;
    enum shoal_status status = check_room(checkpoint, error);
    if (status)
        return status;
    lay_out(checkpoint, &layout);
    *size = 0;
    for (size_t i = 0; i < layout.count; i++)
        *size += layout.sizes[i];
    char *at = *bytes = malloc(*size);
    if (!at)
        return fail_host_memory(error);
    for (size_t i = 0; i < layout.count; i++) {
        if (layout.sizes[i])
            memcpy(at, layout.parts[i], layout.sizes[i]);
        at += layout.sizes[i];
    }
    return SHOAL_OK;
}

enum shoal_status checkpoint_damaged(const struct checkpoint *checkpoint, struct shoal_error *error)
{
    return fail(error, SHOAL_IO, "checkpoint %s is damaged or cut off: use an older one", checkpoint->path);
}

enum shoal_status checkpoint_parse(struct checkpoint *checkpoint, const void *data, size_t bytes,
                                   const char *path, struct shoal_error *error)
{
    checkpoint->path = path;
    checkpoint->count = 0;
    checkpoint->is_short_of_room = false;
    const char *at = data;
    struct file_head head;
    uint64_t hash;
    if (bytes < sizeof magic || memcmp(at, magic, sizeof magic) != 0)
        return fail(error, SHOAL_IO, "%s is not a checkpoint of shoal", path);
    if (bytes < sizeof head + sizeof hash)
        return checkpoint_damaged(checkpoint, error);
    memcpy(&head, at, sizeof head);
    if (head.byte_order != BYTE_ORDER_MARK)
        return fail(error, SHOAL_IO, "checkpoint %s was written on a machine of another byte order", path);
    if (head.version != VERSION)
        return fail(error, SHOAL_IO, "checkpoint %s has format %u, this version of shoal reads format %d",
                    path, (unsigned)head.version, VERSION);
    size_t left = bytes - sizeof hash;
    memcpy(&hash, at + left, sizeof hash);
    if (hash != XXH3_64bits(at, left))
        return checkpoint_damaged(checkpoint, error);

    at += sizeof head;
    left -= sizeof head;
    for (;;) {
        struct section_head section;
        if (left < sizeof section)
            return checkpoint_damaged(checkpoint, error);
        memcpy(&section, at, sizeof section);
        at += sizeof section;
        left -= sizeof section;
        if (!section.name[0])
            return left || section.bytes ? checkpoint_damaged(checkpoint, error) : SHOAL_OK;
        if (section.name[CHECKPOINT_NAME - 1] || section.bytes > left ||
            padding((size_t)section.bytes) > left - section.bytes ||
            checkpoint->count == CHECKPOINT_SECTIONS || checkpoint_find(checkpoint, section.name))
            return checkpoint_damaged(checkpoint, error);
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
    char *content = NULL;
    enum shoal_status status = read_input(path, "checkpoint", INPUT_DATA_MOST, &content, &bytes, error);
    *file = content;
    if (status)
        return status;
    status = checkpoint_parse(checkpoint, *file, bytes, path, error);
    if (status) {
        free(*file);
        *file = NULL;
    }
    return status;
}

bool checkpoint_is_at(const char *path)
{
    char begin[sizeof magic];
    const int file = input_open(path);
    if (file < 0)
        return false;
    const bool is =
        read(file, begin, sizeof begin) == sizeof begin && memcmp(begin, magic, sizeof magic) == 0;
    close(file);
    return is;
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
