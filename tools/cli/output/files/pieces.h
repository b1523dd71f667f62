/* Files that grow during a run by pieces: samples or frames. A resumed run and the next stage continue such a
 * file. Before that, pieces of later steps, which an earlier run wrote, and an incomplete piece at the end
 * are cut off. The last step of a stage is also the first step of the next stage; the earlier stage writes
 * the piece of this step. */
#ifndef SHOAL_TOOLS_PIECES_H
#define SHOAL_TOOLS_PIECES_H

#include <shoal/workload.h>
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
    int fault; /* errno of a line that could not be read, for example for lack of memory; 0: none */
};

enum piece {
    PIECE_WHOLE,
    PIECE_NONE,   /* the file ends, perhaps in the middle of a piece */
    PIECE_STRANGE /* the next lines are no piece */
};

/* Reads the next piece and the number of its step. */
typedef enum piece piece_next(struct piece_reader *reader, uint64_t *step);

/* Reads the next line; false: there is no further whole line. */
bool piece_line(struct piece_reader *reader);
bool piece_skip(struct piece_reader *reader, uint64_t lines);
bool piece_begins(const char *text, const char *begin);
/* Reads a whole number at the beginning of `text`, after blanks if any; one of the characters `ends` must
 * follow. */
bool piece_count(const char *text, const char *ends, uint64_t *count);

/* Whether a file may be replaced: the file does not exist, or begins with a piece. Otherwise `error` has the
 * message. */
bool piece_may_replace(const char *path, piece_next *next, struct shoal_error *error);
/* Checks before a run that pieces can be written to `path`, which may be "-". Returns an exit code; a failure
 * is reported in a line that names `option`. */
int piece_check(const char *option, const char *path, piece_next *next);

/* The growing files of a run. */
enum { PIECE_FILES = 4 };

struct piece_file {
    char *path;
    struct packer *packer; /* NULL: the name does not end in .gz */
    piece_next *next;
    /* an uninterrupted run writes a piece at step 0 and after each `interval` steps; 0: only at step 0 */
    uint64_t interval;
    bool continues; /* the run continues the file: before the next piece is written, pieces of later steps are
                       cut off; then this becomes false */
    uint64_t last;  /* step of the last piece that stays; UINT64_MAX: none */
    int fd;         /* < 0: not open yet */
    /* number of bytes up to the end of the last whole piece; < 0: no regular file, such as a pipe */
    int64_t whole;
    bool is_output;   /* the file is standard output */
    bool is_given_up; /* a write has failed, and nothing more is written */
};

struct piece_files {
    struct piece_file file[PIECE_FILES];
    size_t count;
    bool resumes;   /* a resumed run continues all its files */
    bool follows;   /* the run is a later stage: pieces of steps up to `begin` are kept */
    uint64_t begin; /* step from which intervals are counted */
    uint64_t step;  /* step of the pieces that are written now */
    int code;       /* exit code of a failed write, which was already reported */
    struct shoal_error error;
    /* Called with each sample of the run, before a piece of the same step is written; NULL: nothing is. */
    void (*on_sample)(void *data, const struct shoal_sampling *sampling, const void *sample);
    void *sample_data;
    /* Called with `settle_data` before a checkpoint is written: ends the writing of earlier steps. A failure
     * ends the run. NULL: nothing is written beside the run. */
    enum shoal_status (*settle)(void *data, struct shoal_error *error);
    void *settle_data;
};

/* Adds a file; path "-" is standard output. The file is opened before its first piece. NULL: files->error has
 * the reason. If an earlier stage has written the file, set `continues` in the result. */
struct piece_file *piece_files_add(struct piece_files *files, const char *path, piece_next *next,
                                   uint64_t interval);
/* Whether a piece of step `found` is kept, when the run continues with files->step. interval: as in struct
 * piece_file. */
bool piece_stays(const struct piece_files *files, uint64_t interval, uint64_t found);
/* Called before the pieces of a step are written: opens the files, and cuts files that the run continues. The
 * piece that an earlier run wrote at its end is cut off if its step is no multiple of the interval. False: a
 * file does not belong to this run; files->error has the message. */
bool piece_files_at(struct piece_files *files, uint64_t step);
/* Whether the file is empty, or not a regular file. */
bool piece_is_first(const struct piece_file *file);
/* Writes `piece` and frees it; piece NULL: memory was not sufficient. If a write fails, the failure is
 * reported once, with the state of the file, and the file is no longer written. If standard output fails,
 * cli_output_failed ends the run. */
void piece_write(struct piece_files *files, struct piece_file *file, char *piece, size_t bytes);
/* Closes the files. Returns CLI_OK, or the exit code of a write that failed. */
int piece_files_close(struct piece_files *files);
/* Reports a file that is no longer written, while the run continues: the exit code of the run says so. */
void piece_files_give_up(struct piece_files *files, const struct shoal_error *error);

#endif
