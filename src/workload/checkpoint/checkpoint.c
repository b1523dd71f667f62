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

/* Adds a section. NULL: there is no room, or the name is too long, empty or not new. */
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

/* The destination of a section's content: memory, or a file. */
struct checkpoint_sink {
    char *memory;
    struct file_writer *file;
    uint64_t place; /* offset of the section in the file */
};

enum shoal_status checkpoint_put(struct checkpoint_sink *sink, size_t place, const void *data, size_t bytes,
                                 struct shoal_error *error)
{
    if (sink->memory) {
        memcpy(sink->memory + place, data, bytes);
        return SHOAL_OK;
    }
    const int code = file_writer_put(sink->file, sink->place + place, data, bytes);
    return code ? fail(error, SHOAL_IO, "cannot write the checkpoint: %s", strerror(code)) : SHOAL_OK;
}

/* Lets a source write the content of a section to new memory, which the caller frees. */
static enum shoal_status ask_source(checkpoint_source *source, const void *data, size_t bytes, char **content,
                                    struct shoal_error *error)
{
    struct checkpoint_sink sink = {.memory = malloc(bytes ? bytes : 1)};
    const enum shoal_status status = sink.memory ? source(data, &sink, error) : fail_host_memory(error);
    *content = sink.memory;
    if (status) {
        free(sink.memory);
        *content = NULL;
    }
    return status;
}

enum shoal_status checkpoint_add_source(struct checkpoint *checkpoint, const char *name, size_t bytes,
                                        checkpoint_source *source, void *data, struct shoal_error *error)
{
    char *content;
    if (checkpoint->is_streamed) {
        struct checkpoint_section *section = add(checkpoint, name, data, bytes);
        if (section) {
            section->source = source;
            section->owned = data;
        } else {
            free(data);
        }
        return SHOAL_OK;
    }
    const enum shoal_status status = ask_source(source, data, bytes, &content, error);
    free(data);
    if (!status)
        checkpoint_add_copy(checkpoint, name, content, bytes);
    return status;
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

/* Output of a checkpoint, to which bytes are added one after another: memory or a file. */
struct output {
    char *memory; /* NULL: to the file */
    struct file_writer *file;
    uint64_t place;
    XXH3_state_t hash;
};

static void put(struct output *output, const void *data, size_t bytes)
{
    if (bytes)
        XXH3_64bits_update(&output->hash, data, bytes);
    if (output->memory && bytes)
        memcpy(output->memory + output->place, data, bytes);
    else if (bytes)
        file_writer_add(output->file, data, bytes);
    output->place += bytes;
}

/* Reads back the bytes that a source has put into the file, and adds them to the hash. */
static enum shoal_status hash_file(struct output *output, size_t bytes, struct shoal_error *error)
{
    enum { PIECE = 1 << 20 };
    char *piece = malloc(PIECE);
    if (!piece)
        return fail_host_memory(error);
    for (size_t at = 0; at < bytes; at += PIECE) {
        const size_t size = bytes - at < PIECE ? bytes - at : PIECE;
        if (file_writer_get(output->file, output->place + at, piece, size))
            break;
        XXH3_64bits_update(&output->hash, piece, size);
    }
    free(piece);
    file_writer_skip(output->file, bytes);
    output->place += bytes;
    return SHOAL_OK;
}

static enum shoal_status put_section(struct output *output, const struct checkpoint_section *section,
                                     struct shoal_error *error)
{
    char *content;
    if (!section->source) {
        put(output, section->data, section->bytes);
        return SHOAL_OK;
    }
    if (!output->memory && file_writer_has_places(output->file)) {
        struct checkpoint_sink sink = {.file = output->file, .place = output->place};
        const enum shoal_status status = section->source(section->data, &sink, error);
        return status ? status : hash_file(output, section->bytes, error);
    }
    const enum shoal_status status =
        ask_source(section->source, section->data, section->bytes, &content, error);
    if (!status)
        put(output, content, section->bytes);
    free(content);
    return status;
}

static enum shoal_status put_all(struct output *output, const struct checkpoint *checkpoint,
                                 struct shoal_error *error)
{
    struct file_head head = {.version = VERSION, .byte_order = BYTE_ORDER_MARK};
    enum shoal_status status = SHOAL_OK;
    memcpy(head.magic, magic, sizeof magic);
    XXH3_64bits_reset(&output->hash);
    put(output, &head, sizeof head);
    for (size_t i = 0; i < checkpoint->count && !status; i++) {
        const struct checkpoint_section *section = &checkpoint->sections[i];
        struct section_head own = {.bytes = section->bytes};
        memcpy(own.name, section->name, sizeof own.name);
        put(output, &own, sizeof own);
        status = put_section(output, section, error);
        put(output, zeros, padding(section->bytes));
    }
    put(output, &(const struct section_head){.bytes = 0}, sizeof(struct section_head));
    const uint64_t hash = XXH3_64bits_digest(&output->hash);
    put(output, &hash, sizeof hash);
    return status;
}

enum shoal_status checkpoint_write(const struct checkpoint *checkpoint, const char *path,
                                   struct shoal_error *error)
{
    struct file_writer file;
    struct output output = {.file = &file};
    enum shoal_status status = check_room(checkpoint, error);
    if (status)
        return status;
    file_writer_open(&file, path, FILE_OF_USER);
    if (!file.code)
        status = put_all(&output, checkpoint, error);
    const int failed = file.code, closed = file_writer_close(&file, !status), code = failed ? failed : closed;
    if (code == ENOMEM)
        return fail_host_memory(error);
    if (code)
        return fail_call(error, SHOAL_IO, "write", code, "cannot write checkpoint %s: %s", path,
                         strerror(code));
    return status;
}

enum shoal_status checkpoint_to_memory(const struct checkpoint *checkpoint, void **bytes, size_t *size,
                                       struct shoal_error *error)
{
    struct output output = {.memory = NULL};
    enum shoal_status status = check_room(checkpoint, error);
    *bytes = NULL;
    if (status)
        return status;
    *size = sizeof(struct file_head) + sizeof(struct section_head) + sizeof(uint64_t);
    for (size_t i = 0; i < checkpoint->count; i++)
        *size += sizeof(struct section_head) + checkpoint->sections[i].bytes +
                 padding(checkpoint->sections[i].bytes);
    output.memory = malloc(*size);
    if (!output.memory)
        return fail_host_memory(error);
    status = put_all(&output, checkpoint, error);
    if (status)
        free(output.memory);
    else
        *bytes = output.memory;
    return status;
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
