/* Checkpoint files: named sections of bytes behind a checksum.
 *
 *     char magic[8]   "SHOALCKP"
 *     uint32 version, uint32 byte order mark 0x01020304, both in the byte order of the writer
 *     sections: char name[24] (zero padded), uint64 bytes, the bytes, zeros up to a multiple of 8
 *     end: a section header with an empty name and 0 bytes
 *     uint64 XXH3 hash of everything before
 *
 * A file from a machine of the other byte order is refused, not converted.
 */
#ifndef SHOAL_CHECKPOINT_H
#define SHOAL_CHECKPOINT_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHECKPOINT_NAME = 24, CHECKPOINT_SECTIONS = 128 };

struct checkpoint_section {
    char name[CHECKPOINT_NAME];
    const void *data;
    size_t bytes;
    void *owned; /* freed by checkpoint_clear */
};

struct checkpoint {
    const char *path; /* of a file that was read, for messages */
    struct checkpoint_section sections[CHECKPOINT_SECTIONS];
    size_t count;
    bool is_short_of_room;         /* for the section of this name: */
    char refused[CHECKPOINT_NAME]; /* cut off where it is too long */
};

/* Adds a section; `data` is not copied and must stay valid until the file is written. Where the name is too
 * long or double, or there is a section too many, the checkpoint cannot be written. */
void checkpoint_add(struct checkpoint *checkpoint, const char *name, const void *data, size_t bytes);
/* The same with malloc'ed data, which belongs to the checkpoint from then on. */
void checkpoint_add_copy(struct checkpoint *checkpoint, const char *name, void *data, size_t bytes);
void checkpoint_clear(struct checkpoint *checkpoint);

/* Through a temporary file beside `path`; SHOAL_IO names the path and the reason, SHOAL_FAILED the section
 * that has no room. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_write(const struct checkpoint *checkpoint, const char *path,
                                                    struct shoal_error *error);

/* The bytes of such a file, malloc'ed. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_to_memory(const struct checkpoint *checkpoint, void **bytes,
                                                        size_t *size, struct shoal_error *error);

/* Reads the whole file into `*file` (to be freed by the caller after use of the sections). */
SHOAL_MUST_CHECK enum shoal_status checkpoint_read(struct checkpoint *checkpoint, const char *path,
                                                   void **file, struct shoal_error *error);

/* Is the file one, by its first bytes? */
bool checkpoint_is_at(const char *path);

/* Takes any bytes apart; the sections point into `data`, which needs no alignment. `path` is for messages. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_parse(struct checkpoint *checkpoint, const void *data,
                                                    size_t bytes, const char *path,
                                                    struct shoal_error *error);

/* NULL: no such section. */
const struct checkpoint_section *checkpoint_find(const struct checkpoint *checkpoint, const char *name);
/* Whether section `name` is there and is this text. */
bool checkpoint_holds(const struct checkpoint *checkpoint, const char *name, const char *text);
/* The content of a section that must have exactly `bytes` bytes; SHOAL_IO otherwise. It need not be aligned.
 */
SHOAL_MUST_CHECK enum shoal_status checkpoint_expect(const struct checkpoint *checkpoint, const char *name,
                                                     size_t bytes, const void **data,
                                                     struct shoal_error *error);
/* The same, copied. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_get(const struct checkpoint *checkpoint, const char *name,
                                                  void *target, size_t bytes, struct shoal_error *error);

/* SHOAL_IO: what a section holds is impossible. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_damaged(const struct checkpoint *checkpoint,
                                                      struct shoal_error *error);
#endif
