/* Files that a run writes piece by piece, samples and frames, and that a resumed run and the next stage of a
 * run continue: what an earlier run wrote of the steps to come, perhaps half a piece at the end, is cut off
 * before they are written again. The step at which two stages meet has one piece, of the first that wrote it.
 */
#ifndef SHOAL_TOOLS_PIECES_H
#define SHOAL_TOOLS_PIECES_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reading: a piece is one or more whole lines about a step. */
struct piece_reader {
    FILE *in;
    char *line;
    size_t room, bytes; /* bytes: bytes of the lines read so far */
    unsigned long long number;
};

enum piece {
    PIECE_WHOLE,
    PIECE_NONE,   /* the end of the file, perhaps in the middle of a piece */
    PIECE_STRANGE /* something else */
};

/* Reads the next piece and the number of its step. */
typedef enum piece piece_next(struct piece_reader *reader, uint64_t *step);

/* Reads the next line; false: there is no other whole one. */
bool piece_line(struct piece_reader *reader);
bool piece_skip(struct piece_reader *reader, uint64_t lines);
bool piece_begins(const char *text, const char *begin);
/* The count that `text` begins with, blanks before it; one of `ends` follows it. */
bool piece_count(const char *text, const char *ends, uint64_t *count);

/* False, with a message: the file is there and begins with something else. */
bool piece_may_replace(const char *path, piece_next *next, struct shoal_error *error);
/* Checks before a run that pieces can be written to `path`, "-" too: exit code after a line that names
 * `option`. */
int piece_check(const char *option, const char *path, piece_next *next);

/* The files that a run writes. */
enum { PIECE_FILES = 4 };

struct piece_file {
    char *path;
    struct packer *packer; /* NULL: its name does not end in .gz */
    piece_next *next;
    uint64_t interval; /* a run in one go writes pieces of its multiples, 0 among them; 0: of step 0 alone */
    bool continues;    /* pieces of earlier steps stay in the file; false once the rest is cut off */
    uint64_t last;     /* step of the last piece that was kept; UINT64_MAX: no piece was */
    int fd;            /* < 0: not yet open */
    int64_t whole;     /* bytes up to the end of the last whole piece; < 0: it is no file with an end */
    bool is_output;    /* standard output */
    bool is_given_up;  /* a write has failed, and no more is written */
};

struct piece_files {
    struct piece_file file[PIECE_FILES];
    size_t count;
    bool resumes;   /* a resumed run: all of its files continue */
    bool follows;   /* the stage is not the first: pieces of steps up to `begin` stay */
    uint64_t begin; /* step from which intervals count */
    uint64_t step;  /* step of the pieces that are being written */
    int code;       /* exit code of files that could not be written, which was reported */
    struct shoal_error error;
};

/* `path` "-" is standard output. A file is not opened before its first piece. NULL: files->error says why.
 * Set `continues` where an earlier stage wrote it. */
struct piece_file *piece_files_add(struct piece_files *files, const char *path, piece_next *next,
                                   uint64_t interval);
/* Call it before the pieces of a step are written: opens the files, and cuts them where the run continues
 * one. The line or frame of an end between two multiples goes too. False: one is not of this run,
 * files->error says so. */
bool piece_files_at(struct piece_files *files, uint64_t step);
/* Is the file empty, or no regular file? */
bool piece_is_first(const struct piece_file *file);
/* A file that cannot be written is reported once, with its contents, and then left as it is. If standard
 * output fails, cli_output_failed ends the run. Frees `piece`, which is NULL where there was no memory for
 * it. */
void piece_write(struct piece_files *files, struct piece_file *file, char *piece, size_t bytes);
/* Exit code: CLI_OK, or the code of the files that could not be written. */
int piece_files_close(struct piece_files *files);

#endif
