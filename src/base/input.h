/* Files that a user names for reading. Only regular files are accepted, since a pipe or a device may give no
 * byte, or no end. The name "-" means standard input, which is read to its end when it is first opened; each
 * later open gives the same content.
 */
#ifndef SHOAL_BASE_INPUT_H
#define SHOAL_BASE_INPUT_H

#include <shoal/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Failures that have no errno value. */
enum input_fault { INPUT_NOT_REGULAR = 100001, INPUT_TOO_LARGE };

/* Largest sizes in bytes. INPUT_TEXT_MOST: a text that is compiled. INPUT_DATA_MOST: any other file, which is
 * held in memory. INPUT_STANDARD_MOST: standard input. */
#define INPUT_TEXT_MOST     ((size_t)1 << 20)
#define INPUT_DATA_MOST     ((size_t)1 << 36)
#define INPUT_STANDARD_MOST ((size_t)1 << 32)

/* Opens a regular file or standard input for reading. Returns -1 with errno set to an error or an
 * input_fault. Waits only for standard input. */
int input_open(const char *path);
/* Splits "FILE:3" into the path FILE and part 3, unless a file "FILE:3" exists. Returns the path, which the
 * caller frees; NULL: out of memory. *part: -1 where no part is named. */
char *input_split_part(const char *path, long *part);
/* The text of an errno value or an input_fault. */
const char *input_reason(int code);
/* input_read reads a whole file of at most `most` bytes into malloc'ed memory and appends a NUL.
 * input_read_open does the same for an open descriptor, and closes the descriptor. NULL: errno is set as by
 * input_open. */
char *input_read(const char *path, size_t most, size_t *bytes);
char *input_read_open(int file, size_t most, size_t *bytes);

/* Calls input_read and reports a failure in `error`: "cannot read WHAT PATH: reason". */
SHOAL_MUST_CHECK enum shoal_status read_input(const char *path, const char *what, size_t most, char **content,
                                              size_t *bytes, struct shoal_error *error);
/* Calls read_input for at most INPUT_DATA_MOST bytes, and unpacks the content if gzip has packed it. */
SHOAL_MUST_CHECK enum shoal_status read_input_unpacked(const char *path, const char *what, char **content,
                                                       size_t *bytes, struct shoal_error *error);
/* Replaces a malloc'ed text that is not UTF-8 by the result of text_utf8_copy. *is_converted: was the text
 * replaced? The caller then reports INPUT_LATIN_NOTE with the name of the file. A text with a zero byte or a
 * byte order mark of UTF-16 stays as it is. After a failure the text is freed and NULL. */
SHOAL_MUST_CHECK enum shoal_status input_to_utf8(char **content, size_t *bytes, bool *is_converted,
                                                 struct shoal_error *error);
#define INPUT_LATIN_NOTE                                                                                     \
    "%s: is not UTF-8: its letters are read as those of Windows-1252 (Latin-1); if they are of another "     \
    "encoding, convert it: iconv -f ENCODING -t UTF-8 FILE > NEW"
/* Does the content begin like the output of gzip? */
bool input_is_packed(const char *bytes, size_t count);
/* Replaces a malloc'ed content that gzip has packed by the unpacked content followed by a NUL; other contents
 * stay as they are. After a failure the content is freed and NULL. name: the file's name, for messages. */
SHOAL_MUST_CHECK enum shoal_status input_unpack(const char *name, char **content, size_t *bytes,
                                                struct shoal_error *error);
/* Does what input_unpack does, and accepts a file that is cut off: gives the bytes before the cut and sets
 * *is_cut. */
SHOAL_MUST_CHECK enum shoal_status input_unpack_cut(const char *name, char **content, size_t *bytes,
                                                    bool *is_cut, struct shoal_error *error);
/* Unpacks the beginning of a file from its first `count` packed bytes: at most `room` bytes, whose number is
 * returned. In damaged data the bytes end before the damage. */
size_t input_unpack_begin(const char *packed, size_t count, char *out, size_t room);
/* Reads a text of at most INPUT_TEXT_MOST bytes; a NUL in it is an error. */
SHOAL_MUST_CHECK enum shoal_status read_input_text(const char *path, const char *what, char **text,
                                                   struct shoal_error *error);

#endif
