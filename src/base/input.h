/* Files that a user names for reading: regular ones alone, since a pipe or a device may give no byte, or no
 * end; and "-", standard input, which is read to its end when it is first opened and has the same content
 * each time.
 */
#ifndef SHOAL_BASE_INPUT_H
#define SHOAL_BASE_INPUT_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Codes of failures that errno has no value for. */
enum input_fault { INPUT_NOT_REGULAR = 100001, INPUT_TOO_LARGE };

/* Largest files: texts that are compiled, and others that are held in memory. */
#define INPUT_TEXT_MOST     ((size_t)1 << 20)
#define INPUT_DATA_MOST     ((size_t)1 << 36)
#define INPUT_STANDARD_MOST ((size_t)1 << 32)

/* Opens a regular file or standard input for reading; -1 with errno set to an error or an input_fault. Only
 * standard input is waited for. */
int input_open(const char *path);
/* "FILE:3" is part 3 of FILE, unless there is a file of that name: the path of the file, malloc'ed, NULL
 * without memory, and the number of the part, -1: none is named. */
char *input_split_part(const char *path, long *part);
/* strerror that knows enum input_fault, too. */
const char *input_reason(int code);
/* Read a whole file of at most `most` bytes, malloc'ed with a NUL behind it; NULL with errno as from
 * input_open. The second function closes its descriptor. */
char *input_read(const char *path, size_t most, size_t *bytes);
char *input_read_open(int file, size_t most, size_t *bytes);

/* input_read that reports a failure in `error`: "cannot read WHAT PATH: reason". */
SHOAL_MUST_CHECK enum shoal_status read_input(const char *path, const char *what, size_t most, char **content,
                                              size_t *bytes, struct shoal_error *error);
/* read_input of at most INPUT_DATA_MOST bytes, which unpacks a file of gzip. */
SHOAL_MUST_CHECK enum shoal_status read_input_unpacked(const char *path, const char *what, char **content,
                                                       size_t *bytes, struct shoal_error *error);
/* Replaces a malloc'ed text by its text_utf8_copy where it is not UTF-8; `*is_converted`: it was, which a
 * note says by INPUT_LATIN_NOTE and the file's name. What holds a zero byte or a byte order mark of UTF-16 is
 * left alone. After a failure it is freed and NULL. */
SHOAL_MUST_CHECK enum shoal_status input_to_utf8(char **content, size_t *bytes, bool *is_converted,
                                                 struct shoal_error *error);
#define INPUT_LATIN_NOTE                                                                                     \
    "%s: is not UTF-8: its letters are read as those of Windows-1252 (Latin-1); if they are of another "     \
    "encoding, convert it: iconv -f ENCODING -t UTF-8 FILE > NEW"
/* Whether a content begins as gzip writes it. */
bool input_is_packed(const char *bytes, size_t count);
/* Replaces a malloc'ed content that gzip has packed by what it holds, with a NUL behind it, and leaves any
 * other as it is. After a failure it is freed and NULL. `name` is the file's, for messages. */
SHOAL_MUST_CHECK enum shoal_status input_unpack(const char *name, char **content, size_t *bytes,
                                                struct shoal_error *error);
/* input_unpack of a file that may end early: it gives the bytes before the end and sets `*is_cut`. */
SHOAL_MUST_CHECK enum shoal_status input_unpack_cut(const char *name, char **content, size_t *bytes,
                                                    bool *is_cut, struct shoal_error *error);
/* The first bytes, `room` at most, of what gzip has packed, by the first ones of the file; returns how many
 * there are. Those of damaged data end before the damage. */
size_t input_unpack_begin(const char *packed, size_t count, char *out, size_t room);
/* Reads a text of at most INPUT_TEXT_MOST bytes, none of them NUL. */
SHOAL_MUST_CHECK enum shoal_status read_input_text(const char *path, const char *what, char **text,
                                                   struct shoal_error *error);

#endif
