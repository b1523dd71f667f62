/* Files that grow during a run by pieces, samples or frames, and that a resumed run and the next stage
 * continue. Pieces that an earlier run wrote for the steps to come, perhaps half a piece at the end, are
 * cut off before they are written again. The step at which two stages meet has one piece, from the first
 * stage. */
#ifndef SHOAL_TOOLS_PIECES_H
#define SHOAL_TOOLS_PIECES_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads the pieces of a file. A piece is one or more whole lines about a step. */
struct piece_reader {
    FILE *in;
    char *line;
    size_t room, bytes; /* bytes: number of bytes of the lines read so far */
    unsigned long long number;
};

enum piece {
    PIECE_WHOLE,
    PIECE_NONE,   /* the file ends here, perhaps in the middle of a piece */
    PIECE_STRANGE /* the file has something else here */
};

/* Reads the next piece and the number of its step. */
typedef enum piece piece_next(struct piece_reader *reader, uint64_t *step);

/* Reads the next line; false: there is no further whole line. */
bool piece_line(struct piece_reader *reader);
bool piece_skip(struct piece_reader *reader, uint64_t lines);
bool piece_begins(const char *text, const char *begin);
/* Reads the count at the begin of `text`, perhaps behind blanks; one of the characters `ends` must follow. */
bool piece_count(const char *text, const char *ends, uint64_t *count);

/* Returns false, with a message, where the file exists and begins with something other than a piece. */
bool piece_may_replace(const char *path, piece_next *next, struct shoal_error *error);
/* Checks before a run that pieces can be written to `path`, which may be "-". Returns an exit code after a
 * line that names `option`. */
int piece_check(const char *option, const char *path, piece_next *next);

/* The growing files of a run. */
enum { PIECE_FILES = 4 };

struct piece_file {
    char *path;
    struct packer *packer; /* NULL: the name does not end in .gz */
    piece_next *next;
    uint64_t interval; /* an uninterrupted run writes pieces at multiples of this step count, 0 included; 0:
                        * only at step 0 */
    bool continues;    /* pieces of earlier steps stay in the file; becomes false when the rest was cut off */
    uint64_t last;     /* step of the last piece that stays; UINT64_MAX: none */
    int fd;            /* < 0: not open yet */
    int64_t whole;     /* number of bytes up to the end of the last whole piece; < 0: the file has no end,
                        * such as a pipe */
    bool is_output;    /* the file is standard output */
    bool is_given_up;  /* a write has failed, and nothing more is written */
};

struct piece_files {
    struct piece_file file[PIECE_FILES];
    size_t count;
    bool resumes;   /* a resumed run continues all its files */
    bool follows;   /* the stage is not the first: pieces of steps up to `begin` stay */
    uint64_t begin; /* step from which intervals are counted */
    uint64_t step;  /* step of the pieces that are written now */
    int code;       /* exit code for files that could not be written, which was already reported */
    struct shoal_error error;
};

/* Adds a file; path "-" is standard output. The file is opened before its first piece. NULL: files->error has
 * the reason. Set `continues` in the result where an earlier stage has written the file. */
struct piece_file *piece_files_add(struct piece_files *files, const char *path, piece_next *next,
                                   uint64_t interval);
/* Called before the pieces of a step are written: opens the files, and cuts files that the run continues. A
 * piece that an earlier run wrote at its end, between two multiples, is cut off, too. False: a file does not
 * belong to this run, and files->error says so. */
bool piece_files_at(struct piece_files *files, uint64_t step);
/* Whether the file is empty, or not a regular file. */
bool piece_is_first(const struct piece_file *file);
/* Writes a piece and frees `piece`, which is NULL where memory was not sufficient. A file that cannot be
 * written is reported once, with its contents, and then left as it is. If standard output fails,
 * cli_output_failed ends the run. */
void piece_write(struct piece_files *files, struct piece_file *file, char *piece, size_t bytes);
/* Exit code: CLI_OK, or the code of the files that could not be written. */
int piece_files_close(struct piece_files *files);

#endif
