/* Private: reads numbers from the text formats of instances. */
#ifndef SHOAL_OBJECTIVE_INSTANCE_READER_H
#define SHOAL_OBJECTIVE_INSTANCE_READER_H

#include "objective/instances/instance.h"

struct instance_reader {
    const char *name; /* file name, for messages */
    const char *at;
    size_t line;
    struct shoal_error *error;
};

/* Reads a whole file; the caller frees the text. */
SHOAL_MUST_CHECK enum shoal_status instance_open(const char *path, char **text,
                                                 struct instance_reader *reader, struct shoal_error *error);
/* Fails with SHOAL_IO and the message "FILE: line N: ...". */
SHOAL_PRINTF(2, 3)
enum shoal_status instance_fail(const struct instance_reader *reader, const char *format, ...);
/* Checks that the rest of the file is long enough for `count` numbers or lines, before memory for them is
 * allocated. what: name of these numbers or lines in messages. SHOAL_IO: the file is too short. */
SHOAL_MUST_CHECK enum shoal_status instance_holds(const struct instance_reader *reader, double count,
                                                  const char *what);
/* Checks that doubles represent all integers up to `greatest` exactly. SHOAL_IO: they do not. */
SHOAL_MUST_CHECK enum shoal_status instance_exact(const struct instance_reader *reader, double greatest);
/* Skips blanks and line ends. Returns false at the end of the text. */
bool instance_next(struct instance_reader *reader);
/* Reads the next word as an integer from `least` to `most`. what: name of the number in messages. SHOAL_IO:
 * the word is no such integer, or the text ends. */
SHOAL_MUST_CHECK enum shoal_status instance_whole(struct instance_reader *reader, const char *what,
                                                  double least, double most, double *value);
/* Reads the next word as a finite number. */
SHOAL_MUST_CHECK enum shoal_status instance_number(struct instance_reader *reader, const char *what,
                                                   double *value);
/* Reads `count` integers of 32 bits. what: name of a number in messages. */
SHOAL_MUST_CHECK enum shoal_status instance_row(struct instance_reader *reader, const char *what,
                                                size_t count, double *numbers);
/* Checks that nothing but blanks is left. */
SHOAL_MUST_CHECK enum shoal_status instance_end(struct instance_reader *reader);

#endif
