/* Checkpoint files: named sections of bytes, followed by a checksum.
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

/* The destination of the content of a section, which may come in pieces, in any order. */
struct checkpoint_sink;
/* Puts a piece at offset `place` of the section. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_put(struct checkpoint_sink *sink, size_t place,
                                                  const void *data, size_t bytes, struct shoal_error *error);
/* Puts the content of a section into `sink` by calls of checkpoint_put. */
typedef enum shoal_status checkpoint_source(const void *data, struct checkpoint_sink *sink,
                                            struct shoal_error *error);

struct checkpoint_section {
    char name[CHECKPOINT_NAME];
    const void *data; /* the content; for a section with a source, the argument `data` of the source */
    size_t bytes;
    void *owned;               /* data of sections that the checkpoint owns; checkpoint_clear frees it */
    checkpoint_source *source; /* NULL: the content is `data` */
};

struct checkpoint {
    const char *path; /* path of the file that was read, for messages; NULL: none was read */
    struct checkpoint_section sections[CHECKPOINT_SECTIONS];
    size_t count;
    /* Set by the caller if the checkpoint is only written to a file. Sources are then asked during the write,
     * so that the contents of large sections are never in memory as a whole. */
    bool is_streamed;
    bool is_short_of_room;         /* there was no room for section `refused` */
    char refused[CHECKPOINT_NAME]; /* name of a section, cut off where it is too long */
};

/* Adds a section. `data` is not copied and must stay valid until the file is written. If the name is too long
 * or exists already, or there are too many sections, the checkpoint cannot be written later. */
void checkpoint_add(struct checkpoint *checkpoint, const char *name, const void *data, size_t bytes);
/* Adds a section with malloc'ed data, of which the checkpoint takes ownership. */
void checkpoint_add_copy(struct checkpoint *checkpoint, const char *name, void *data, size_t bytes);
/* Adds a section with a source, and takes ownership of the malloc'ed `data`, also after a failure. Unless the
 * checkpoint is streamed, the source is asked now. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_add_source(struct checkpoint *checkpoint, const char *name,
                                                         size_t bytes, checkpoint_source *source, void *data,
                                                         struct shoal_error *error);
void checkpoint_clear(struct checkpoint *checkpoint);

/* Writes the file through a temporary file beside `path`. SHOAL_IO: the message has the path and the reason;
 * SHOAL_FAILED: the message names the section without room. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_write(const struct checkpoint *checkpoint, const char *path,
                                                    struct shoal_error *error);

/* Makes the bytes of a checkpoint file in memory; the caller frees *bytes. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_to_memory(const struct checkpoint *checkpoint, void **bytes,
                                                        size_t *size, struct shoal_error *error);

/* Reads a whole file into *file, to which the sections point; the caller frees *file after their use. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_read(struct checkpoint *checkpoint, const char *path,
                                                   void **file, struct shoal_error *error);

/* Do the first bytes of the file mark it as a checkpoint? */
bool checkpoint_is_at(const char *path);

/* Parses bytes of any content; the sections point into `data`, which needs no alignment. `path` is for
 * messages. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_parse(struct checkpoint *checkpoint, const void *data,
                                                    size_t bytes, const char *path,
                                                    struct shoal_error *error);

/* Finds a section by its name. NULL: no section has this name. */
const struct checkpoint_section *checkpoint_find(const struct checkpoint *checkpoint, const char *name);
/* Does the checkpoint have a section `name` whose content is this text? */
bool checkpoint_holds(const struct checkpoint *checkpoint, const char *name, const char *text);
/* Returns the content of a section, which must have exactly `bytes` bytes; SHOAL_IO otherwise. The content
 * may be unaligned. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_expect(const struct checkpoint *checkpoint, const char *name,
                                                     size_t bytes, const void **data,
                                                     struct shoal_error *error);
/* Copies the content of a section, which must have exactly `bytes` bytes, to `target`; SHOAL_IO otherwise. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_get(const struct checkpoint *checkpoint, const char *name,
                                                  void *target, size_t bytes, struct shoal_error *error);

/* Returns SHOAL_IO with the message that the content of a section is impossible. */
SHOAL_MUST_CHECK enum shoal_status checkpoint_damaged(const struct checkpoint *checkpoint,
                                                      struct shoal_error *error);
#endif
