#include "cli/output/files/gsd.h"

#include "base/file.h"
#include "base/packed/pack.h"
#include "cli/output/files/endings.h"
#include "cli/output/message.h"
#include "cli/output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <shoal/shoal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAMES_BLOCKS = 64,    /* room for names in a new file, in pieces of GSD_NAME bytes */
    INDEX_ENTRIES = 256,  /* entries of the first index */
    FRAME_ENTRIES = 64,   /* most chunks of a frame */
    COPIED_ENTRIES = 2048 /* entries copied at once to a larger index */
};

struct gsd_file {
    char *path;
    int fd;
    int code; /* errno of the first failure within a frame; 0: none */
    struct gsd_header header;
    char *names; /* the list of names, names_allocated * GSD_NAME bytes */
    size_t names_used, name_count;
    uint64_t frames, entries; /* numbers in the file */
    uint64_t whole, end;      /* end of the last whole frame, and of what was written of the next */
    struct gsd_entry next[FRAME_ENTRIES]; /* entries of the next frame, sorted by name */
    size_t next_count;
};

/* Checks ------------------------------------------------------------------------------------------------ */

bool gsd_may_replace(const char *path, struct shoal_error *error)
{
    uint64_t magic = 0;
    FILE *file = cli_open_replaced(path);
    if (!file)
        return true;
    const bool good = fread(&magic, sizeof magic, 1, file) == 1 && magic == GSD_MAGIC;
    fclose(file);
    if (!good)
        cli_set_error(error, SHOAL_IO,
                      "%s: is no GSD file, so the file is not replaced: move it away or give another name",
                      path);
    return good;
}

int gsd_check(const char *option, const char *path)
{
    static const char *const endings[] = {".gsd", NULL};
    struct shoal_error error = {0};
    struct stat info;
    if (pack_is_asked_for(path))
        return cli_error(CLI_USAGE, "%s: GSD files are not packed: leave .gz out of '%s'", option, path);
    if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return cli_error(CLI_USAGE, "%s: '%s' is no regular file, which a GSD file must be: give a file name",
                         option, path);
    if (!cli_check_ending(option, path, endings, false))
        return CLI_USAGE;
    if (!cli_check_output(option, path, false))
        return CLI_FAILURE;
    if (access(path, W_OK) != 0 && errno != ENOENT)
        return cli_error(CLI_FAILURE, "%s: %s: cannot be written: %s", option, path, strerror(errno));
    return gsd_may_replace(path, &error) ? CLI_OK : cli_fail(option, &error);
}

/* Bytes ------------------------------------------------------------------------------------------------- */

/* Writes bytes at a place of the file, unless a write has failed before. */
static void put(struct gsd_file *file, uint64_t place, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes > 0 && !file->code) {
        const ssize_t written = pwrite(file->fd, from, bytes, (off_t)place);
        if (written < 0) {
            file->code = errno == EINTR ? 0 : errno;
            continue;
        }
        from += written;
        place += (uint64_t)written;
        bytes -= (size_t)written;
    }
}

static bool get(const struct gsd_file *file, uint64_t place, void *data, size_t bytes)
{
    char *to = data;
    while (bytes > 0) {
        const ssize_t got = pread(file->fd, to, bytes, (off_t)place);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        place += (uint64_t)got;
        bytes -= (size_t)got;
    }
    return true;
}

/* Names and index --------------------------------------------------------------------------------------- */

/* The number of a name; a name that is not in the list yet is added. */
static uint16_t number_of(struct gsd_file *file, const char *name)
{
    size_t at = 0, number = 0;
    const size_t bytes = strlen(name) + 1;
    while (at < file->names_used && strcmp(file->names + at, name) != 0) {
        at += strlen(file->names + at) + 1;
        number++;
    }
    if (at < file->names_used)
        return (uint16_t)number;
    /* a NUL stays behind the last name */
    if (at + bytes >= file->header.names_allocated * GSD_NAME || number >= UINT16_MAX) {
        file->code = file->code ? file->code : ENOSPC;
        return 0;
    }
    memcpy(file->names + at, name, bytes);
    put(file, file->header.names_location + at, name, bytes);
    file->names_used += bytes;
    return (uint16_t)number;
}

/* Writes an index with room for `allocated` entries at the end of the file: the first `kept` entries of the
 * old index, then those of the next frame. Then the header names this index instead of the old one. */
static void move_index(struct gsd_file *file, uint64_t kept, uint64_t allocated)
{
    struct gsd_entry *copied = cli_alloc(COPIED_ENTRIES * sizeof *copied);
    const uint64_t location = file->end;
    for (uint64_t at = 0; at < allocated && !file->code;) {
        const size_t count = allocated - at < COPIED_ENTRIES ? (size_t)(allocated - at) : COPIED_ENTRIES;
        const size_t old = at >= kept ? 0 : kept - at < count ? (size_t)(kept - at) : count;
        memset(copied, 0, count * sizeof *copied);
        if (!get(file, file->header.index_location + at * sizeof *copied, copied, old * sizeof *copied))
            file->code = EIO;
        for (size_t i = 0; i < file->next_count; i++)
            if (kept + i >= at && kept + i < at + count)
                copied[kept + i - at] = file->next[i];
        put(file, location + at * sizeof *copied, copied, count * sizeof *copied);
        at += count;
    }
    free(copied);
    const struct gsd_header old = file->header;
    file->header.index_location = location;
    file->header.index_allocated = allocated;
    put(file, offsetof(struct gsd_header, index_location), &file->header.index_location,
        2 * sizeof(uint64_t));
    if (file->code)
        file->header = old;
    else
        file->end = location + allocated * sizeof *copied;
}

/* Opening ----------------------------------------------------------------------------------------------- */

/* Makes an empty file in one write. */
static void make_empty(struct gsd_file *file)
{
    struct gsd_header *header = &file->header;
    *header = (struct gsd_header){.magic = GSD_MAGIC,
                                  .names_location = sizeof *header,
                                  .names_allocated = NAMES_BLOCKS,
                                  .index_location = sizeof *header + NAMES_BLOCKS * GSD_NAME,
                                  .index_allocated = INDEX_ENTRIES,
                                  .schema_version = 1u << 16 | 4,
                                  .version = 2u << 16,
                                  .schema = "hoomd"};
    snprintf(header->application, sizeof header->application, "shoal %s", shoal_version());
    const size_t bytes = header->index_location + INDEX_ENTRIES * sizeof(struct gsd_entry);
    char *content = cli_alloc(bytes);
    memset(content, 0, bytes);
    memcpy(content, header, sizeof *header);
    if (ftruncate(file->fd, 0) != 0)
        file->code = errno;
    put(file, 0, content, bytes);
    free(content);
    file->names = cli_realloc(file->names, NAMES_BLOCKS * GSD_NAME);
    memset(file->names, 0, NAMES_BLOCKS * GSD_NAME);
    file->names_used = file->frames = file->entries = 0;
    file->whole = file->end = bytes;
}

/* Reads header and names. *any false: the file is empty, or its writer was killed before the first frame.
 * False: the file is none that frames can be added to. */
static bool read_head(struct gsd_file *file, uint64_t size, bool *any)
{
    struct gsd_header *header = &file->header;
    *any = false;
    if (!size)
        return true;
    if (size < sizeof *header)
        return get(file, 0, &header->magic, sizeof header->magic) && header->magic == GSD_MAGIC;
    if (!get(file, 0, header, sizeof *header) || header->magic != GSD_MAGIC || header->version >> 16 != 2 ||
        strcmp(header->schema, "hoomd") != 0)
        return false;
    const size_t entry = sizeof(struct gsd_entry);
    *any = header->index_location <= size &&
           header->index_allocated <= (size - header->index_location) / entry &&
           header->names_location <= size && header->names_allocated > 0 &&
           header->names_allocated <= (size - header->names_location) / GSD_NAME;
    if (!*any)
        return true;
    const size_t bytes = header->names_allocated * GSD_NAME;
    file->names = cli_realloc(file->names, bytes);
    if (!get(file, header->names_location, file->names, bytes) || file->names[bytes - 1])
        return false;
    while (file->names_used < bytes && file->names[file->names_used])
        file->names_used += strlen(file->names + file->names_used) + 1;
    return true;
}

/* What an existing file has of a run. */
struct kept {
    uint64_t used, entries, frames; /* used: number of entries in the file; the others: those that stay */
    uint64_t last;                  /* step of the last frame that stays; UINT64_MAX: none */
    uint64_t end;                   /* end of the chunks that stay */
    uint32_t particles;             /* number of particles of the first frame */
};

static uint64_t end_of(const struct gsd_entry *entry)
{
    return (uint64_t)entry->location + entry->rows * entry->columns * gsd_bytes(entry->type);
}

/* Finds the frames that stay. */
static struct kept find_kept(struct gsd_file *file, const struct piece_files *files, uint64_t size)
{
    struct kept kept = {.last = UINT64_MAX};
    const uint16_t step_name = number_of(file, "configuration/step"),
                   count_name = number_of(file, "particles/N");
    struct gsd_entry entry, ahead = {0};
    uint64_t step = 0, end = 0;
    bool stays = true;
    for (uint64_t i = 0; i < file->header.index_allocated; i++) {
        if (!get(file, file->header.index_location + i * sizeof entry, &entry, sizeof entry) ||
            entry.location == 0)
            break;
        kept.used = i + 1;
        end = end_of(&entry) > end ? end_of(&entry) : end;
        stays = stays && end_of(&entry) <= size;
        if (stays && entry.name == step_name)
            stays = get(file, (uint64_t)entry.location, &step, sizeof step);
        if (stays && i == 0 && entry.frame != 0)
            stays = false;
        if (stays && entry.frame == 0 && entry.name == count_name)
            stays = get(file, (uint64_t)entry.location, &kept.particles, sizeof kept.particles);
        const bool is_last =
            i + 1 == file->header.index_allocated ||
            !get(file, file->header.index_location + (i + 1) * sizeof ahead, &ahead, sizeof ahead) ||
            ahead.location == 0 || ahead.frame != entry.frame;
        stays = stays && (!is_last || piece_stays(files, 1, step));
        if (stays && is_last) {
            kept.entries = i + 1;
            kept.frames = entry.frame + 1;
            kept.last = step;
            kept.end = end;
        }
    }
    return kept;
}

/* Sets the end of the file behind all that stays; bytes of an incomplete frame are cut off. */
static void cut(struct gsd_file *file, const struct kept *kept, uint64_t size)
{
    const struct gsd_header *header = &file->header;
    const uint64_t ends[] = {sizeof *header, kept->end,
                             header->index_location + header->index_allocated * sizeof(struct gsd_entry),
                             header->names_location + header->names_allocated * GSD_NAME};
    file->end = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        file->end = ends[i] > file->end ? ends[i] : file->end;
    if (kept->used > kept->entries) {
        file->end = size; /* the old index stays valid until the header names the new one */
        move_index(file, kept->entries, header->index_allocated);
    } else if (file->end < size && ftruncate(file->fd, (off_t)file->end) != 0) {
        file->code = errno;
    }
    file->frames = kept->frames;
    file->entries = kept->entries;
    file->whole = file->end;
}

static enum shoal_status continue_file(struct gsd_file *file, const struct piece_files *files,
                                       uint32_t particles, uint64_t *last, struct shoal_error *error)
{
    struct stat info;
    bool any;
    if (fstat(file->fd, &info) != 0) {
        file->code = errno;
        return SHOAL_OK;
    }
    const uint64_t size = (uint64_t)info.st_size;
    if (!read_head(file, size, &any))
        return cli_set_error(error, SHOAL_INVALID,
                             "%s: is not of this run; move the file away to continue in a new one",
                             file->path);
    const struct kept kept = any ? find_kept(file, files, size) : (struct kept){.last = UINT64_MAX};
    if (kept.frames && kept.particles != particles)
        return cli_set_error(
            error, SHOAL_INVALID,
            "%s: holds %u particles, this run has %u; move the file away to continue in a new one",
            file->path, kept.particles, particles);
    *last = kept.last;
    if (kept.frames)
        cut(file, &kept, size);
    else
        make_empty(file);
    return SHOAL_OK;
}

enum shoal_status gsd_open(const char *path, bool continues, const struct piece_files *files,
                           uint32_t particles, uint64_t *last, struct gsd_file **out,
                           struct shoal_error *error)
{
    struct gsd_file *file = cli_alloc(sizeof *file);
    enum shoal_status status = SHOAL_OK;
    *file = (struct gsd_file){.path = cli_strdup(path), .fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    *last = UINT64_MAX;
    if (file->fd < 0)
        file->code = errno;
    else if (continues)
        status = continue_file(file, files, particles, last, error);
    else
        make_empty(file);
    errno = file->code;
    if (!status && file->code)
        status = cli_io_failed(error, path, "open", "cannot be written", "");
    if (status)
        gsd_close(&file);
    *out = file;
    return status;
}

/* Frames ------------------------------------------------------------------------------------------------ */

uint64_t gsd_frames(const struct gsd_file *file)
{
    return file->frames;
}

void gsd_add(struct gsd_file *file, const char *name, enum gsd_type type, uint64_t rows, uint32_t columns,
             const void *data)
{
    const size_t bytes = (size_t)(rows * columns) * gsd_bytes(type);
    const struct gsd_entry entry = {.frame = file->frames,
                                    .rows = rows,
                                    .location = (int64_t)file->end,
                                    .columns = columns,
                                    .name = number_of(file, name),
                                    .type = (uint8_t)type};
    size_t i = file->next_count;
    if (i == FRAME_ENTRIES)
        file->code = file->code ? file->code : EOVERFLOW;
    if (file->code)
        return;
    for (; i > 0 && file->next[i - 1].name > entry.name; i--)
        file->next[i] = file->next[i - 1];
    file->next[i] = entry;
    file->next_count++;
    put(file, file->end, data, bytes);
    file->end += bytes;
}

enum shoal_status gsd_end_frame(struct gsd_file *file, struct shoal_error *error)
{
    uint64_t allocated = file->header.index_allocated;
    while (allocated < file->entries + file->next_count)
        allocated = allocated ? 2 * allocated : INDEX_ENTRIES;
    if (allocated > file->header.index_allocated)
        move_index(file, file->entries, allocated);
    else
        put(file, file->header.index_location + file->entries * sizeof *file->next, file->next,
            file->next_count * sizeof *file->next);
    if (file->code) {
        const bool is_cut = ftruncate(file->fd, (off_t)file->whole) == 0;
        errno = file->code;
        return cli_io_failed(error, file->path, "write", "cannot be written",
                             is_cut ? "; the file ends with the last whole frame" : "");
    }
    file->entries += file->next_count;
    file->next_count = 0;
    file->frames++;
    file->whole = file->end;
    return SHOAL_OK;
}

bool gsd_close(struct gsd_file **file)
{
    bool good = true;
    if (!*file)
        return good;
    if ((*file)->fd >= 0)
        good = close((*file)->fd) == 0;
    free((*file)->names);
    free((*file)->path);
    free(*file);
    *file = NULL;
    return good;
}
