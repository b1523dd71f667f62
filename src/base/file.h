/* Whole files, written so that no reader ever sees a part of one. input.h reads them. */
#ifndef SHOAL_BASE_FILE_H
#define SHOAL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Creates `path` with its parents, each missing one with mode 0700. */
bool make_folders(const char *path);
/* The last part of a path: "b.c" of "a/b.c"; within `path`. */
const char *file_base_name(const char *path);
/* Writes all bytes to the descriptor; returns 0 or errno. */
int write_fully(int file, const char *data, size_t bytes);
/* The file that a write to `path` replaces: the end of a chain of links, which need not exist. malloc'ed;
 * NULL with errno set. */
char *file_target(const char *path);
/* The purpose of a file. FILE_OF_USER: it keeps the mode of the file that it replaces, else has the usual
 * mode (umask), and survives a loss of power once it is written. FILE_CACHE: it can be made again, and only
 * its owner can read it. */
enum file_purpose { FILE_OF_USER, FILE_CACHE };
/* A file that is written piece by piece: a temporary file beside `path`, renamed at the end, or `path` itself
 * if it is not a regular file, such as a pipe. A link stays: the file that it names is replaced. Temporary
 * files of the same target whose writers were killed are removed; those of living ones, of other threads,
 * processes and hosts, never. The
 * functions return 0 or errno; the first failure is kept, so that checking what file_writer_close returns is
 * enough. It is called after a failed open, too: it frees the names. */
struct file_writer {
    const char *path; /* the caller's, which must live until the end */
    enum file_purpose purpose;
    char *target;    /* target of the rename */
    char *temporary; /* NULL: written directly */
    int file, code;
    struct packer *packer; /* NULL: it is written as it is */
};
int file_writer_open(struct file_writer *writer, const char *path, enum file_purpose purpose);
/* Behind the open: what is added is packed by gzip. */
int file_writer_pack(struct file_writer *writer);
/* Free bytes of its file system; infinity: unknown, or not a regular file. */
double file_writer_room(const struct file_writer *writer);
int file_writer_add(struct file_writer *writer, const void *data, size_t bytes);
/* keep: the file appears under its name; otherwise, and after a failure, it is removed. */
int file_writer_close(struct file_writer *writer, bool keep);
/* Opens, writes and closes a file_writer in one call. */
int write_file_atomically(const char *path, enum file_purpose purpose, const void *const *parts,
                          const size_t *sizes, size_t count);
/* Why an open file or folder is not trusted, by its owner and mode; NULL: only this user can have written to
 * it. */
const char *file_distrust(int file, bool folder);

#endif
