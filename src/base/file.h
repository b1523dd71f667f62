/* Writes whole files, so that a reader never sees a part of a file. input.h reads files. */
#ifndef SHOAL_BASE_FILE_H
#define SHOAL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates the folder `path` and its missing parents, each with mode 0700. */
bool make_folders(const char *path);
/* Returns the last part of a path, "b.c" for "a/b.c", as a pointer into `path`. */
const char *file_base_name(const char *path);
/* Writes all bytes to the descriptor; returns 0 or errno. */
int write_fully(int file, const char *data, size_t bytes);
/* Returns the path of the file that a write to `path` replaces: `path` itself, or the end of the chain of
 * symbolic links that begins at `path`. The file need not exist. The caller frees the result. NULL: errno is
 * set. */
char *file_target(const char *path);
/* The purpose of a file. FILE_OF_USER: the file keeps the mode of the file that it replaces, or gets the
 * usual mode (umask) if it replaces none, and survives a loss of power once written. FILE_CACHE: the file can
 * be made again, and only its owner can read it. */
enum file_purpose { FILE_OF_USER, FILE_CACHE };
/* A file written piece by piece. The content goes to a temporary file beside `path`, which is renamed at the
 * end; if `path` is not a regular file (a pipe), the content goes to `path` directly. If `path` is a link,
 * the link stays and the file that it names is replaced. Temporary files of the same target are removed if
 * their writers were killed, but never those of running writers in other threads, processes and hosts.
 * Functions that return int return 0 or errno. The first failure is kept, so checking the result of
 * file_writer_close is enough. Call file_writer_close after a failed open, too: it frees the names. */
struct file_writer {
    const char *path; /* path that the caller gave; must stay valid until file_writer_close */
    enum file_purpose purpose;
    char *target;    /* the file that the rename replaces */
    char *temporary; /* the temporary file; NULL: `path` is written directly */
    int file, code;
    struct packer *packer; /* NULL: the content is not packed */
};
int file_writer_open(struct file_writer *writer, const char *path, enum file_purpose purpose);
/* Packs bytes that are added from now on by gzip. Call it after file_writer_open. */
int file_writer_pack(struct file_writer *writer);
/* Free bytes on the file system of the file; infinity: unknown, or the file is not regular. */
double file_writer_room(const struct file_writer *writer);
int file_writer_add(struct file_writer *writer, const void *data, size_t bytes);
/* Can bytes be written and read at any offset of the file? Not if the file is a pipe or is packed. */
bool file_writer_has_places(const struct file_writer *writer);
/* Writes bytes at the offset `place`, which may lie beyond the bytes added so far. The position at which
 * file_writer_add continues stays. */
int file_writer_put(struct file_writer *writer, uint64_t place, const void *data, size_t bytes);
/* Reads bytes that file_writer_put or file_writer_add wrote, at the offset `place`. */
int file_writer_get(struct file_writer *writer, uint64_t place, void *data, size_t bytes);
/* Moves the position at which file_writer_add continues over `bytes` bytes that file_writer_put wrote. */
int file_writer_skip(struct file_writer *writer, uint64_t bytes);
/* Ends the writing and frees the names. keep true: the file appears under its name. keep false, or an earlier
 * failure: the temporary file is removed. */
int file_writer_close(struct file_writer *writer, bool keep);
/* Opens, writes and closes a file_writer in one call. */
int write_file_atomically(const char *path, enum file_purpose purpose, const void *const *parts,
                          const size_t *sizes, size_t count);
/* Returns the reason why the owner or the mode of an open file or folder makes its content untrustworthy;
 * NULL: only this user can have written to the file or folder. */
const char *file_distrust(int file, bool folder);

#endif
